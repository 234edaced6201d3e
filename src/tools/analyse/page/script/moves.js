// The list of moves with comments and variations, and the table of the players.

function moveElement(node, showNumber) {
  const san = element('span', { className: fault(node) || '' }, node.san + (node.marks || ''));
  const made = element('button', { type: 'button', className: 'move', tabIndex: -1 }, ...(showNumber ? [`${node.number} `] : []), san);
  if (node.depth === 0) {
    made.classList.add('main');
    made.append(element('span', { className: 'value' }, node.evaluation ? node.evaluation.text : ''));
  }
  made.addEventListener('click', () => go(node));
  node.shown = made;
  return made;
}

// A variation, in parentheses inside another one.
function variationElement(line) {
  const made = element('div', { className: 'aside' });
  const isInner = line.nodes.some(node => node.depth > 1);
  if (isInner) made.append('(');
  let separator = '';
  const add = part => {
    made.append(separator, part);
    separator = ' ';
  };
  if (line.comment) add(line.comment);
  let needsNumber = true;
  for (const node of line.nodes) {
    add(moveElement(node, needsNumber || node.isWhite));
    if (node.evaluation) add(element('span', { className: 'faint' }, node.evaluation.text));
    if (node.comment) add(node.comment);
    for (const variation of node.variations || []) add(variationElement(variation));
    needsNumber = Boolean(node.comment || node.variations);
  }
  if (isInner) made.append(')');
  return made;
}

function listMoves(game) {
  const list = find('moves');
  list.replaceChildren();
  const say = (text, className = '') => list.append(element('div', { className: `aside ${className}` }, text));
  if (game.fault) say(game.fault);
  if (game.line.comment) say(game.line.comment);
  let column = 0;
  const fill = () => {
    if (column === 1) list.append(element('span', { className: 'main' }));
    column = 0;
  };
  game.line.nodes.forEach((node, index) => {
    if (index + 1 === game.left_book) {
      fill();
      say('The moves that follow are not in the book.', 'faint');
    }
    if (column === 0) {
      list.append(element('span', { className: 'number' }, node.number.replace('...', '.')));
      if (!node.isWhite) list.append(element('span', { className: 'main faint' }, '…'));
    }
    list.append(moveElement(node, false));
    column = node.isWhite ? 1 : 0;
    if (node.comment || node.verdict || node.variations) {
      fill();
      if (node.verdict) say(node.verdict, fault(node));
      if (node.comment) say(node.comment);
      for (const variation of node.variations || []) list.append(variationElement(variation));
    }
  });
  fill();
  if (game.result) say(game.result);
}

function summarise(game) {
  const heading = (name, properties) => element('th', { scope: 'col', className: 'n', ...properties }, name);
  const header = element('tr', {}, heading('Player', { className: '' }), ...Object.keys(CLASSES).map(mark =>
    heading(element('span', { className: CLASSES[mark] }, mark), { title: CLASSES[mark] })),
  ...['accuracy', 'mean loss', 'opening', 'middlegame', 'endgame'].map(name => heading(name)));
  const percent = (accuracy, value) => accuracy.moves > 0 ? `${value.toFixed(1)} %` : '-';
  const row = isWhite => {
    const { marks, overall, phases } = game.players[isWhite ? 0 : 1];
    const cells = [
      ...marks.map(String), percent(overall, overall.accuracy), percent(overall, overall.loss),
      ...phases.map(phase => percent(phase, phase.accuracy)),
    ].map(text => element('td', { className: 'n' }, text));
    return element('tr', {}, element('th', { scope: 'row' }, player(isWhite)), ...cells);
  };
  find('summary').replaceChildren(element('thead', {}, header), element('tbody', {}, row(true), row(false)));
  const left = game.tags.filter(([name]) => !['White', 'Black', 'FEN', 'SetUp'].includes(name));
  find('tags').textContent = left.map(([name, value]) => `${name}: ${value}`).join(' · ');
  const { opening, left_book } = game;
  const leaving = left_book ? `, left with ${named(game.line.nodes[left_book - 1])}` : '';
  find('opening').textContent = opening ? `${opening.eco} ${opening.name}${leaving}` : '';
  find('heading').textContent = sources[gameNumber].dataset.name;
}
