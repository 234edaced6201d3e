// Stepping through the games: buttons, keys and links.

function open(number) {
  if (!sources[number]) return;
  gameNumber = number;
  root = load(number);
  find('games').selectedIndex = number;
  find('previous-game').disabled = number === 0;
  find('next-game').disabled = number === sources.length - 1;
  document.querySelectorAll('#overview tbody tr').forEach((row, index) => row.classList.toggle('open', index === number));
  listMoves(root.game);
  summarise(root.game);
  go(root);
}

function go(node) {
  if (!node) return;
  current = node;
  drawBoard();
  drawGraph();
  showEvaluation();
  const list = find('moves');
  for (const move of list.querySelectorAll('.current, [tabindex="0"]')) {
    move.classList.remove('current');
    move.removeAttribute('aria-current');
    move.tabIndex = -1;
  }
  const reachable = node.shown || list.querySelector('.move');
  if (reachable) reachable.tabIndex = 0;
  if (node.shown) {
    node.shown.classList.add('current');
    node.shown.setAttribute('aria-current', 'true');
    scrollTo(node.shown);
    if (list.contains(document.activeElement)) node.shown.focus({ preventScroll: true });
  } else {
    list.scrollTop = 0;
  }
  const name = node.parent ? `${named(node)}${node.marks || ''}` : 'First position';
  if (!exercise) speak([name, find('evaluation').textContent, node.verdict, node.comment].filter(Boolean).join('. '));
  // A link leads to the move.
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

function nextMark() {
  const nodes = root.game.line.nodes;
  return nodes.find(node => node.ply > mainPly(current) && fault(node)) || nodes.find(fault);
}

async function copy(text, name) {
  const copied = await copyText(text);
  speak(copied ? `${name} copied` : 'The browser does not allow copying');
  const button = find(`copy-${name.toLowerCase()}`);
  button.textContent = copied ? 'Copied' : 'Not copied';
  setTimeout(() => { button.textContent = `Copy ${name}`; }, 1500);
}

const actions = {
  first: () => go(root),
  back: () => go(current.parent),
  forward: () => go(current.next),
  last: () => go(end(current)),
  'next-mark': () => go(nextMark()),
  flip: () => { turned = !turned; drawBoard(); showEvaluation(); },
  read: () => speak(inWords(current.fen)),
  'copy-fen': () => copy(current.fen, 'FEN'),
  'copy-pgn': () => copy(root.game.pgn, 'PGN'),
  solve: startExercises,
  reveal: () => exercise && showSolution(''),
  'next-exercise': () => showExercise(exercise.index + 1),
  leave: leaveExercises,
  'previous-game': () => open(gameNumber - 1),
  'next-game': () => open(gameNumber + 1),
};
const keys = {
  Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last', ArrowUp: 'first', ArrowDown: 'last',
  m: 'next-mark', f: 'flip', p: 'read', s: 'solve', PageUp: 'previous-game', PageDown: 'next-game',
};
for (const [id, action] of Object.entries(actions)) find(id).addEventListener('click', action);
find('answer-form').addEventListener('submit', event => {
  event.preventDefault();
  checkAnswer(find('answer').value);
});
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (exercise) {
    if (event.key === 'Escape') leaveExercises();
    return;
  }
  const id = keys[event.key];
  // A scrolled table moves with the arrow keys, but links in it need none.
  if (!id || event.target.closest?.('select, input') || event.target.matches?.('.scroll')) return;
  event.preventDefault();
  actions[id]();
});

function openLink() {
  const [game, ply] = location.hash.slice(1).split('.').map(Number);
  if (exercise) leaveExercises();
  open(Math.min(Math.max(game || 1, 1), sources.length) - 1);
  for (let count = 0; root && count < (ply || 0) && current.next; count++) go(current.next);
}

find('games').append(...sources.map(source => element('option', {}, source.dataset.name)));
find('games').addEventListener('change', event => open(event.target.selectedIndex));
find('choice').hidden = sources.length < 2;
addEventListener('hashchange', openLink);
if (sources.length > 0) openLink();
else find('viewer').hidden = true;
