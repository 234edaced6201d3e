'use strict';
// Draws boards as board.rs does, and describes them in words. The page has to contain the definitions of board.rs.
const Board = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const SQUARE = 40, MARGIN = 14, SIDE = 348;
  const NAMES = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

  function drawn(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function corner(square, turned) {
    const file = square.charCodeAt(0) - 97, rank = square.charCodeAt(1) - 49;
    return turned
      ? [MARGIN + SQUARE * (7 - file), MARGIN + SQUARE * rank]
      : [MARGIN + SQUARE * file, MARGIN + SQUARE * (7 - rank)];
  }

  // The pieces of the first field of a FEN, by square.
  function pieces(placement) {
    const found = new Map();
    placement.split('/').forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter > '8') found.set('abcdefgh'[file] + (8 - index), letter);
        file += letter > '8' ? 1 : Number(letter);
      }
    });
    return found;
  }

  // A position in words: for each side its pieces, and their squares.
  function words(found) {
    const side = isWhite => Object.entries(NAMES).map(([role, name]) => {
      const letter = isWhite ? role.toUpperCase() : role;
      const squares = [...found].filter(([, piece]) => piece === letter).map(([square]) => square).sort();
      return squares.length === 0 ? '' : `${name}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`;
    }).filter(Boolean).join(', ') || 'no pieces';
    return `White: ${side(true)}. Black: ${side(false)}.`;
  }

  // A board with pieces by square. A mark is a square and, unless they are the usual ones, its colour and opacity.
  function draw(found, { turned, title, marks = [] }) {
    const svg = drawn('svg', { viewBox: `0 0 ${SIDE} ${SIDE}`, class: 'board', role: 'img' });
    svg.append(drawn('title', {}, title), drawn('desc', {}, words(found)), drawn('use', { href: '#q-board' }));
    for (let number = 0; number < 8; number++) {
      const [x, y] = corner('abcdefgh'[number] + (number + 1), turned);
      svg.append(
        drawn('text', { x: x + SQUARE / 2, y: SIDE - 3.5 }, 'abcdefgh'[number]),
        drawn('text', { x: MARGIN / 2, y: y + SQUARE / 2 + 3.5 }, number + 1));
    }
    for (const [square, fill = '#e9c62d', opacity = .5] of marks) {
      const [x, y] = corner(square, turned);
      svg.append(drawn('rect', { x, y, width: SQUARE, height: SQUARE, fill, opacity, class: 'marked' }));
    }
    for (const [square, letter] of found) {
      const [x, y] = corner(square, turned);
      const side = letter === letter.toUpperCase() ? 'w' : 'b';
      svg.append(drawn('use', { href: `#q-${side}${letter.toUpperCase()}`, x, y, class: 'piece' }));
    }
    return svg;
  }

  return { drawn, corner, pieces, words, draw, SQUARE, MARGIN, SIDE };
})();
