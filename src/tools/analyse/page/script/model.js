// The games and the moves: the data in the page, linked so that one can step through it.

const { drawn } = Board;
const CLASSES = { '?!': 'dubious', '?': 'mistake', '??': 'blunder' };
const WHITE_ENGINE = '#e08a1e', BLACK_ENGINE = '#12979c', SOURCE = '#8a63d2', BEST = '#2e8b3d';
const find = id => document.getElementById(id);
const sources = [...document.querySelectorAll('script.game')];

let gameNumber = 0;
// The beginning of the game. Every node knows its parent, the next node of its line, and the position.
let root = null;
let current = null;
let turned = false;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The kind of mistake that the marks of a node stand for, if any.
const fault = node => CLASSES[(/[!?]{1,2}/.exec(node.marks || '') || [])[0]];

// Links the moves of a line to the node before them.
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

// Reads a game, and returns its first node.
function load(number) {
  const game = JSON.parse(sources[number].textContent);
  const start = { game, fen: game.fen, parent: null, next: null, depth: 0, ply: 0 };
  link(game.line, start, 0);
  game.line.nodes.forEach((node, index) => { node.ply = index + 1; });
  return start;
}

// The number of moves of the main line before the position of a node.
function mainPly(node) {
  while (node.depth > 0) node = node.parent;
  return node.ply;
}

const end = node => { while (node.next) node = node.next; return node; };
const named = node => `${node.number} ${node.san}`;
const player = isWhite => root.game.players[isWhite ? 0 : 1].name || (isWhite ? 'White' : 'Black');

function tag(name) {
  const found = root.game.tags.find(pair => pair[0] === name);
  return found ? found[1] : '';
}

function seconds(time) {
  if (time < 60) return `${time.toFixed(time < 10 ? 2 : 1)} s`;
  const two = number => String(Math.floor(number)).padStart(2, '0');
  const hours = time >= 3600 ? `${Math.floor(time / 3600)}:` : '';
  const minutes = hours ? two(time % 3600 / 60) : Math.floor(time / 60);
  return `${hours}${minutes}:${two(time % 60)}`;
}
