// The board with its marks and arrows, and the position in words.

const ARROW_GAP = 9;
const DRAWN = { G: '#15781b', R: '#a32020', Y: '#d89000', B: '#0a3f9e', O: '#d86a00', C: '#0e8f96', M: '#a3208f' };
// The first of the two squares that are clicked for a move.
let chosen = null;

const piecesOf = fen => Board.pieces(fen.split(' ')[0]);

function inWords(fen) {
  const turn = fen.split(' ')[1] === 'w' ? 'White' : 'Black';
  return `${Board.words(piecesOf(fen))} ${turn} to move.`;
}

function arrow([from, to], colour, width) {
  const [[x1, y1], [x2, y2]] = [from, to].map(square => Board.corner(square, turned).map(value => value + Board.SQUARE / 2));
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 1) return drawn('g', {});
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const neck = length - Math.min(2.2 * width, length / 2), half = width / 2;
  const point = ([distance, aside]) =>
    `${(x1 + dx * distance - dy * aside).toFixed(1)},${(y1 + dy * distance + dx * aside).toFixed(1)}`;
  const outline = [
    [ARROW_GAP, half], [neck, half], [neck, 3 * half], [length, 0], [neck, -3 * half], [neck, -half], [ARROW_GAP, -half],
  ];
  return drawn('polygon', { points: outline.map(point).join(' '), fill: colour, opacity: .8, class: 'arrow' });
}

function drawBoard() {
  const title = current.parent ? `Position after ${named(current)}` : 'First position';
  const drawings = current.drawings || [];
  const marks = [
    ...(current.squares || []).map(square => [square]),
    ...drawings.filter(drawing => !drawing.to).map(drawing => [drawing.from, DRAWN[drawing.colour], .55]),
    ...(chosen ? [[chosen, BEST, .55]] : []),
  ];
  const svg = Board.draw(piecesOf(current.fen), { turned, title, marks });
  svg.setAttribute('aria-label', `${title}. ${inWords(current.fen)}`);
  for (const drawing of drawings.filter(drawing => drawing.to)) {
    svg.append(arrow([drawing.from, drawing.to], DRAWN[drawing.colour], 5));
  }
  const best = exercise ? exercise.shown && exercise.node.best : current.best;
  if (best) svg.append(arrow(best.squares, BEST, 7));
  svg.addEventListener('click', event => {
    const box = svg.getBoundingClientRect();
    const [column, row] = [[event.clientX, box.left], [event.clientY, box.top]].map(([at, start]) =>
      Math.floor((Board.SIDE * (at - start) / box.width - Board.MARGIN) / Board.SQUARE));
    if (column < 0 || column > 7 || row < 0 || row > 7) return;
    chooseSquare('abcdefgh'[turned ? 7 - column : column] + (turned ? row + 1 : 8 - row));
  });
  find('board').replaceChildren(svg);
  find(turned ? 'above' : 'below').textContent = player(true);
  find(turned ? 'below' : 'above').textContent = player(false);
  for (const [place, isWhite] of [['above', turned], ['below', !turned]]) {
    let node = current;
    while (node && (node.clock === undefined || node.isWhite !== isWhite)) node = node.parent;
    find(`${place}-clock`).textContent = node ? seconds(node.clock) : '';
  }
}

function showEvaluation() {
  const { evaluation, engine_score, source_evaluation, time } = current;
  const mate = /#$/.test(current.san || '') ? root.game.result : '';
  const parts = [
    (evaluation && evaluation.text) || mate,
    engine_score ? `played at ${engine_score.text}` : '',
    source_evaluation ? `source ${source_evaluation.text}` : '',
    time === undefined ? '' : seconds(time),
  ];
  find('evaluation').textContent = parts.filter(Boolean).join(' · ');
  find('verdict').textContent = current.verdict || '';
  find('verdict').className = fault(current) || '';
  // Only the first move of a better line says what the line is worth.
  let known = current;
  while (!known.evaluation && known.parent) known = known.parent;
  const expectation = known.evaluation ? known.evaluation.expectation : .5;
  const words = `White can expect ${Math.round(100 * expectation)} %`;
  find('bar').classList.toggle('turned', turned);
  find('bar-fill').style.height = `${100 * expectation}%`;
  find('bar').title = words;
  find('bar').setAttribute('aria-label', words);
}

function speak(text) {
  find('spoken').textContent = text;
}
