// Solving: the reader looks for a better move at the marked positions.

// The exercises of all games, from the open one on, and the present one.
let exercises = [];
let exercise = null;

function findExercises() {
  const found = [];
  for (let step = 0; step < sources.length; step++) {
    const number = (gameNumber + step) % sources.length;
    const nodes = number === gameNumber ? root.game.line.nodes : load(number).game.line.nodes;
    for (const node of nodes.filter(node => fault(node) && node.best)) found.push({ number, ply: node.ply });
  }
  return found;
}

function startExercises() {
  exercises = findExercises();
  if (exercises.length === 0) {
    speak('No move of these games is marked.');
    find('verdict').textContent = 'No move of these games is marked.';
    return;
  }
  showExercise(0);
}

function showExercise(index) {
  const { number, ply } = exercises[index];
  if (number !== gameNumber) open(number);
  const node = root.game.line.nodes[ply - 1];
  exercise = { index, node, shown: false };
  chosen = null;
  turned = !node.isWhite;
  find('viewer').classList.add('solving');
  find('exercise').hidden = false;
  const side = node.isWhite ? 'White' : 'Black';
  find('task').textContent = `${index + 1} of ${exercises.length}: ${side} to move. In the game ${named(node)}${node.marks} was played.`;
  find('reply').textContent = '';
  find('answer').value = '';
  find('next-exercise').disabled = index + 1 === exercises.length;
  go(node.parent);
  find('answer').focus();
}

// Notation without the signs that people leave out. Only capitals tell Bc3 from bxc3.
const plain = text => {
  const bare = text.replace(/[\s+#!?=x-]/g, '').replace(/0/g, 'O');
  return (/^B[ac][1-8]/.test(bare) ? 'B' : '') + bare.toLowerCase();
};

function checkAnswer(text) {
  const { node } = exercise;
  const is = move => [move.san, move.uci, move.squares.join('')].some(known => plain(known) === plain(text));
  if (!plain(text)) return;
  if (is(node.best)) {
    showSolution('Right.');
  } else if (is(node)) {
    find('reply').textContent = `${node.san} is the move of the game. There is a better one.`;
  } else {
    find('reply').textContent = `${text} is not the move. Try again.`;
  }
}

function showSolution(word) {
  const { node } = exercise;
  exercise.shown = true;
  find('reply').textContent = `${word} ${node.verdict}`.trim();
  chosen = null;
  drawBoard();
}

function chooseSquare(square) {
  if (!exercise || exercise.shown) return;
  if (chosen && chosen !== square) {
    const text = chosen + square;
    chosen = null;
    checkAnswer(text);
  } else {
    chosen = chosen ? null : square;
  }
  drawBoard();
}

function leaveExercises() {
  if (!exercise) return;
  const { node } = exercise;
  exercise = null;
  chosen = null;
  turned = false;
  find('viewer').classList.remove('solving');
  find('exercise').hidden = true;
  go(node);
  find('solve').focus();
}
