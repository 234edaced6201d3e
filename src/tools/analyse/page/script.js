'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const CLASSES = { '?!': 'dubious', '?': 'mistake', '??': 'blunder' };
  const COLOURS = { dubious: '#c98d1f', mistake: '#e0702c', blunder: '#d0382c' };
  const ENGINE_COLOURS = ['#e08a1e', '#12979c'];
  const STRIP_HEIGHT = 28;
  const SQUARE = 40, MARGIN = 14, SIDE = 348;
  const GRAPH_WIDTH = 640, GRAPH_HEIGHT = 120, GRAPH_EDGE = 6;
  const find = id => document.getElementById(id);
  const sources = [...document.querySelectorAll('script.game')];

  let gameNumber = 0;
  // The beginning of the game; every node knows its parent, the next node of its line, and what stands on the board.
  let root = null;
  let current = null;
  let turned = false;

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function drawn(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // What kind of mistake a node's marks say, if any.
  const fault = node => CLASSES[(/[!?]{1,2}/.exec(node.marks || '') || [])[0]];

  // Links the moves of a line behind a node.
  function link(line, parent, depth) {
    let before = parent;
    line.nodes = line.moves.map((move, index) => {
      const node = Object.assign(move, { parent: before, depth, next: null, isWhite: !move.number.includes('...') });
      if (index > 0 || depth === 0) before.next = node;
      for (const variation of node.variations || []) link(variation, before, depth + 1);
      before = node;
      return node;
    });
  }

  function open(number) {
    if (!sources[number]) return;
    gameNumber = number;
    const game = JSON.parse(sources[number].textContent);
    root = { game, men: game.start, parent: null, next: null, depth: 0, ply: 0 };
    link(game.line, root, 0);
    game.line.nodes.forEach((node, index) => { node.ply = index + 1; });
    find('games').selectedIndex = number;
    find('previous-game').disabled = number === 0;
    find('next-game').disabled = number === sources.length - 1;
    listMoves(game);
    summarise(game);
    go(root);
  }

  function go(node) {
    if (!node) return;
    current = node;
    drawBoard();
    drawGraph();
    showEvaluation();
    find('moves').querySelector('.current')?.classList.remove('current');
    if (node.shown) {
      node.shown.classList.add('current');
      scrollTo(node.shown);
    } else {
      find('moves').scrollTop = 0;
    }
    // So that a link leads to the move.
    try {
      history.replaceState(null, '', `#${gameNumber + 1}.${mainPly(node)}`);
    } catch { /* Some browsers refuse that for files. */ }
  }

  // The list scrolls, the page does not.
  function scrollTo(move) {
    const list = find('moves');
    const top = move.offsetTop, bottom = top + move.offsetHeight;
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function mainPly(node) {
    while (node.depth > 0) node = node.parent;
    return node.ply;
  }

  function corner(square) {
    const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
    return turned
      ? [MARGIN + SQUARE * (7 - file), MARGIN + SQUARE * rank]
      : [MARGIN + SQUARE * file, MARGIN + SQUARE * (7 - rank)];
  }

  function drawBoard() {
    const svg = drawn('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, class: 'board', role: 'img', 'aria-label': current.men });
    svg.append(drawn('use', { href: '#q-board' }));
    for (let number = 0; number < 8; number++) {
      const [x, y] = corner('abcdefgh'[number] + (number + 1));
      const text = { 'font-size': 10, fill: '#8a8178', 'text-anchor': 'middle' };
      svg.append(
        drawn('text', { ...text, x: x + SQUARE / 2, y: SIDE - 3.5 }, 'abcdefgh'[number]),
        drawn('text', { ...text, x: MARGIN / 2, y: y + SQUARE / 2 + 3.5 }, number + 1));
    }
    for (const square of current.from ? [current.from, current.to] : []) {
      const [x, y] = corner(square);
      svg.append(drawn('rect', { x, y, width: SQUARE, height: SQUARE, fill: '#e9c62d', opacity: .5 }));
    }
    current.men.split('/').forEach((row, index) => {
      let file = 0;
      for (const letter of row.replace(/\d/g, digits => ' '.repeat(digits))) {
        if (letter !== ' ') {
          const [x, y] = corner('abcdefgh'[file] + (8 - index));
          const side = letter === letter.toUpperCase() ? 'w' : 'b';
          svg.append(drawn('use', { href: `#q-${side}${letter.toUpperCase()}`, x, y, class: 'man' }));
        }
        file++;
      }
    });
    find('board').replaceChildren(svg);
    const players = ['White', 'Black'].map(tag);
    find(turned ? 'above' : 'below').textContent = players[0];
    find(turned ? 'below' : 'above').textContent = players[1];
  }

  function tag(name) {
    const found = root.game.tags.find(pair => pair[0] === name);
    return found ? found[1] : '';
  }

  function showEvaluation() {
    const mate = /#$/.test(current.san || '') ? root.game.result : '';
    const said = current.engine_score ? `played at ${current.engine_score[0]}` : '';
    const took = current.time === undefined ? '' : seconds(current.time);
    const left = current.clock === undefined ? '' : `clock ${seconds(current.clock)}`;
    const parts = [current.evaluation || mate, said, took, left];
    find('evaluation').textContent = parts.filter(Boolean).join(' · ');
    // Only the first move of a better line says what the line is worth.
    let known = current;
    while (known.expectation === undefined && known.parent) known = known.parent;
    const expectation = known.expectation ?? .5;
    find('bar').classList.toggle('turned', turned);
    find('bar-fill').style.height = `${100 * expectation}%`;
    find('bar').title = `White can expect ${Math.round(100 * expectation)} %`;
  }

  const graphX = ply => GRAPH_WIDTH * ply / Math.max(root.game.line.nodes.length, 1);

  function drawGraph() {
    const nodes = root.game.line.nodes;
    const width = GRAPH_WIDTH + 2 * GRAPH_EDGE, height = GRAPH_HEIGHT + 2 * GRAPH_EDGE;
    const corner = { x: -GRAPH_EDGE, y: -GRAPH_EDGE };
    const svg = drawn('svg', {
      viewBox: `${corner.x} ${corner.y} ${width} ${height}`, role: 'img', 'aria-label': 'Evaluation graph',
    });
    const bottom = GRAPH_HEIGHT + GRAPH_EDGE;
    const y = node => GRAPH_HEIGHT * (1 - node.expectation);
    const points = nodes.filter(node => node.expectation !== undefined);
    svg.append(drawn('rect', { ...corner, width, height, fill: '#4a4744' }));
    if (points.length > 0) {
      const line = points.map(node => `${graphX(node.ply).toFixed(1)},${y(node).toFixed(1)}`);
      const start = `0,${y(points[0]).toFixed(1)}`, end = graphX(points[points.length - 1].ply).toFixed(1);
      svg.append(
        drawn('polygon', { points: `0,${bottom} ${start} ${line.join(' ')} ${end},${bottom}`, fill: '#e9e6df' }),
        drawn('polyline', { points: `${start} ${line.join(' ')}`, fill: 'none', stroke: '#8d877e', 'stroke-width': 1.5, class: 'curve' }));
    }
    // The scores of the engines that played, for each side.
    for (const side of [true, false]) {
      const known = nodes.filter(node => node.engine_score && node.isWhite === side);
      if (known.length < 2) continue;
      const curve = known.map(node =>
        `${graphX(node.ply).toFixed(1)},${(GRAPH_HEIGHT * (1 - node.engine_score[1])).toFixed(1)}`);
      svg.append(drawn('polyline', {
        points: curve.join(' '), fill: 'none', stroke: ENGINE_COLOURS[side ? 0 : 1], 'stroke-width': 1.5, class: 'engine-curve',
      }));
    }
    svg.append(drawn('path', { d: `M0 ${GRAPH_HEIGHT / 2}H${GRAPH_WIDTH}`, stroke: '#9b9690', 'stroke-dasharray': '4 4' }));
    const here = graphX(mainPly(current));
    svg.append(drawn('path', { d: `M${here} ${-GRAPH_EDGE}V${bottom}`, stroke: '#2f7fd6', 'stroke-width': 2.5, class: 'here' }));
    for (const node of points.filter(fault)) {
      svg.append(drawn('circle', { cx: graphX(node.ply), cy: y(node), r: 4, fill: COLOURS[fault(node)], stroke: '#fff' }));
    }
    svg.addEventListener('click', event => {
      const box = svg.getBoundingClientRect();
      const x = width * (event.clientX - box.left) / box.width - GRAPH_EDGE;
      const ply = Math.round(nodes.length * x / GRAPH_WIDTH);
      go(ply <= 0 ? root : nodes[Math.min(ply, nodes.length) - 1]);
    });
    find('graph').replaceChildren(svg, ...timeStrip(nodes));
  }

  // A bar for the time of each move, or for the clock after it.
  function timeStrip(nodes) {
    const key = nodes.some(node => node.time !== undefined) ? 'time' : 'clock';
    const most = Math.max(...nodes.map(node => node[key] || 0));
    if (!(most > 0)) return [];
    const name = key === 'time' ? 'Time of each move' : 'Clock after each move';
    const strip = drawn('svg', {
      viewBox: `${-GRAPH_EDGE} 0 ${GRAPH_WIDTH + 2 * GRAPH_EDGE} ${STRIP_HEIGHT}`, role: 'img', 'aria-label': name, class: 'times',
    });
    strip.append(drawn('title', {}, name));
    const width = Math.max(GRAPH_WIDTH / nodes.length * .8, 1);
    for (const node of nodes.filter(node => node[key] !== undefined)) {
      const height = STRIP_HEIGHT * node[key] / most;
      const bar = drawn('rect', {
        x: graphX(node.ply) - width / 2, y: STRIP_HEIGHT - height, width, height, fill: ENGINE_COLOURS[node.isWhite ? 0 : 1],
      });
      bar.append(drawn('title', {}, `${node.number} ${node.san}: ${seconds(node[key])}`));
      strip.append(bar);
    }
    return [strip];
  }

  const seconds = time => time < 60 ? `${time.toFixed(time < 10 ? 2 : 1)} s` : `${Math.floor(time / 60)}:${
    String(Math.floor(time % 60)).padStart(2, '0')}`;

  function moveElement(node, showNumber) {
    const san = element('span', { className: fault(node) || '' }, node.san + (node.marks || ''));
    const made = element('span', { className: 'move' }, ...(showNumber ? [`${node.number} `] : []), san);
    if (node.depth === 0) {
      made.classList.add('main');
      made.append(element('span', { className: 'value' }, node.evaluation || ''));
    }
    made.addEventListener('click', event => {
      event.stopPropagation();
      go(node);
    });
    node.shown = made;
    return made;
  }

  // A variation, in parentheses inside of another one.
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
      if (node.evaluation) add(element('span', { className: 'faint' }, node.evaluation));
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
    const say = text => list.append(element('div', { className: 'aside' }, text));
    if (game.fault) say(game.fault);
    if (game.line.comment) say(game.line.comment);
    let column = 0;
    const fill = () => {
      if (column === 1) list.append(element('span', { className: 'main' }));
      column = 0;
    };
    for (const node of game.line.nodes) {
      if (column === 0) {
        list.append(element('span', { className: 'number' }, node.number.replace('...', '.')));
        if (!node.isWhite) list.append(element('span', { className: 'main faint' }, '…'));
      }
      list.append(moveElement(node, false));
      column = node.isWhite ? 1 : 0;
      if (node.comment || node.variations) {
        fill();
        if (node.comment) say(node.comment);
        for (const variation of node.variations || []) list.append(variationElement(variation));
      }
    }
    fill();
    if (game.result) say(game.result);
  }

  function summarise(game) {
    const header = element('tr', {}, element('th', {}, ''), ...Object.keys(CLASSES).map(mark =>
      element('th', { className: 'n' }, element('span', { className: CLASSES[mark] }, mark))),
      ...['accuracy', 'mean loss', 'opening', 'middlegame', 'endgame'].map(name => element('th', { className: 'n' }, name)));
    const percent = (accuracy, value) => accuracy.moves > 0 ? `${value.toFixed(1)} %` : '-';
    const cells = player => [
      percent(player.overall, player.overall.accuracy), percent(player.overall, player.overall.loss),
      ...player.phases.map(phase => percent(phase, phase.accuracy)),
    ].map(text => element('td', { className: 'n' }, text));
    const row = (name, isWhite) => element('tr', {}, element('td', {}, name || (isWhite ? 'White' : 'Black')),
      ...Object.values(CLASSES).map(kind => element('td', { className: 'n' },
        String(game.line.nodes.filter(node => node.isWhite === isWhite && fault(node) === kind).length))),
      ...cells(game.accuracy[isWhite ? 0 : 1]));
    find('summary').replaceChildren(header, row(tag('White'), true), row(tag('Black'), false));
    const left = game.tags.filter(([name]) => !['White', 'Black', 'FEN', 'SetUp'].includes(name));
    find('tags').textContent = left.map(([name, value]) => `${name}: ${value}`).join(' · ');
  }

  const end = node => { while (node.next) node = node.next; return node; };
  const nextMark = () => {
    const nodes = root.game.line.nodes;
    return nodes.find(node => node.ply > mainPly(current) && fault(node)) || nodes.find(fault);
  };
  const actions = {
    first: () => go(root),
    back: () => go(current.parent),
    forward: () => go(current.next),
    last: () => go(end(current)),
    'next-mark': () => go(nextMark()),
    flip: () => { turned = !turned; drawBoard(); showEvaluation(); },
    'previous-game': () => open(gameNumber - 1),
    'next-game': () => open(gameNumber + 1),
  };
  const keys = {
    Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last', ArrowUp: 'first', ArrowDown: 'last',
    m: 'next-mark', f: 'flip', PageUp: 'previous-game', PageDown: 'next-game',
  };
  for (const [id, action] of Object.entries(actions)) find(id).addEventListener('click', action);
  document.addEventListener('keydown', event => {
    const id = keys[event.key];
    if (!id || event.ctrlKey || event.altKey || event.metaKey || event.target.id === 'games') return;
    event.preventDefault();
    actions[id]();
  });

  find('games').append(...sources.map(source => element('option', {}, source.dataset.name)));
  find('games').addEventListener('change', event => open(event.target.selectedIndex));
  find('choice').hidden = sources.length < 2;
  const [game, ply] = location.hash.slice(1).split('.').map(Number);
  open(Math.min(Math.max(game || 1, 1), sources.length) - 1);
  for (let count = 0; root && count < (ply || 0) && current.next; count++) go(current.next);
})();
