// The board: men, marked squares and arrows, and the position in words.

const SQUARE = 40, MARGIN = 14, SIDE = 348, ARROW_GAP = 9;
const DRAWN = { G: '#15781b', R: '#a32020', Y: '#d89000', B: '#0a3f9e', O: '#d86a00', C: '#0e8f96', M: '#a3208f' };
const MEN = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
// The first of the two squares that are clicked for a move.
let chosen = null;

function corner(square) {
  const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
  return turned
    ? [MARGIN + SQUARE * (7 - file), MARGIN + SQUARE * rank]
    : [MARGIN + SQUARE * file, MARGIN + SQUARE * (7 - rank)];
}

// The men of a position: their letters and squares.
function menOf(fen) {
  const men = [];
  fen.split(' ')[0].split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row.replace(/\d/g, digits => ' '.repeat(digits))) {
      if (letter !== ' ') men.push([letter, 'abcdefgh'[file] + (8 - index)]);
      file++;
    }
  });
  return men;
}

function inWords(fen) {
  const side = isWhite => Object.entries(MEN).map(([letter, name]) => {
    const wanted = isWhite ? letter.toUpperCase() : letter;
    const squares = menOf(fen).filter(man => man[0] === wanted).map(man => man[1]).sort();
    return squares.length > 0 ? `${name}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}` : '';
  }).filter(Boolean).join(', ');
  const turn = fen.split(' ')[1] === 'w' ? 'White' : 'Black';
  return `White: ${side(true)}. Black: ${side(false)}. ${turn} to move.`;
}

function arrow([from, to], colour, width) {
  const [[x1, y1], [x2, y2]] = [from, to].map(square => corner(square).map(value => value + SQUARE / 2));
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
  const after = current.parent ? `Position after ${named(current)}` : 'First position';
  const svg = drawn('svg', {
    viewBox: `0 0 ${SIDE} ${SIDE}`, class: 'board', role: 'img', 'aria-label': `${after}. ${inWords(current.fen)}`,
  });
  svg.append(drawn('use', { href: '#q-board' }));
  for (let number = 0; number < 8; number++) {
    const [x, y] = corner('abcdefgh'[number] + (number + 1));
    svg.append(
      drawn('text', { x: x + SQUARE / 2, y: SIDE - 3.5 }, 'abcdefgh'[number]),
      drawn('text', { x: MARGIN / 2, y: y + SQUARE / 2 + 3.5 }, number + 1));
  }
  const mark = (square, fill, opacity) => {
    const [x, y] = corner(square);
    svg.append(drawn('rect', { x, y, width: SQUARE, height: SQUARE, fill, opacity, class: 'marked' }));
  };
  for (const square of current.squares || []) mark(square, '#e9c62d', .5);
  const drawings = current.drawings || [];
  for (const drawing of drawings.filter(drawing => !drawing.to)) mark(drawing.from, DRAWN[drawing.colour], .55);
  if (chosen) mark(chosen, BEST, .55);
  for (const [letter, square] of menOf(current.fen)) {
    const [x, y] = corner(square);
    const side = letter === letter.toUpperCase() ? 'w' : 'b';
    svg.append(drawn('use', { href: `#q-${side}${letter.toUpperCase()}`, x, y, class: 'man' }));
  }
  for (const drawing of drawings.filter(drawing => drawing.to)) {
    svg.append(arrow([drawing.from, drawing.to], DRAWN[drawing.colour], 5));
  }
  const best = exercise ? exercise.shown && exercise.node.best : current.best;
  if (best) svg.append(arrow(best.squares, BEST, 7));
  svg.addEventListener('click', event => {
    const box = svg.getBoundingClientRect();
    const [column, row] = [[event.clientX, box.left], [event.clientY, box.top]].map(([at, start]) =>
      Math.floor((SIDE * (at - start) / box.width - MARGIN) / SQUARE));
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
