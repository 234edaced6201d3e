// Sorts, filters and searches the cards by their data attributes: `solved` and `failed` list the engines that solved the
// position and those that failed, without those that have not searched it; `times` holds the engines' times to the
// solution, of which `t0` selects the first. Cards without a value come last. The address can set the controls:
// `sts.html#filter=any&sort=t0`. The lines of the engines can be stepped through.
(() => {
  const cards = [...document.querySelectorAll('.card')];
  const get = id => document.getElementById(id);
  const controls = ['sort', 'down', 'filter', 'search'];
  const say = text => { get('said').textContent = text; };

  function value(card, key) {
    if (key === 'id') return card.dataset.id;
    const engine = /^t(\d+)$/.exec(key);
    const text = engine ? card.dataset.times.split(' ')[engine[1]] : card.dataset[key];
    return text === undefined || text === '-' ? Infinity : Number(text);
  }

  function compare(a, b, down) {
    const order = a < b ? -1 : a > b ? 1 : 0;
    return down && a !== Infinity && b !== Infinity ? -order : order;
  }

  function fits(card, filter) {
    const list = key => card.dataset[key].split(' ').filter(Boolean);
    const solved = list('solved'), failed = list('failed'), engines = Number(card.dataset.engines);
    const only = /^only(\d+)$/.exec(filter);
    if (only) return failed.length === engines - 1 && solved.includes(only[1]);
    switch (filter) {
      case 'all': return true;
      case 'any': return failed.length > 0;
      case 'every': return failed.length === engines;
      case 'differ': return failed.length > 0 && solved.length > 0;
      default: return failed.includes(filter);
    }
  }

  function update() {
    const key = get('sort').value, down = get('down').checked;
    const filter = get('filter').value, text = get('search').value.toLowerCase();
    let count = 0;
    for (const suite of document.querySelectorAll('.suite')) {
      const box = suite.querySelector('.cards');
      const order = [...box.children].sort((a, b) =>
        compare(value(a, key), value(b, key), down) || a.dataset.number - b.dataset.number);
      for (const card of order) card.hidden = !(fits(card, filter) && card.dataset.text.includes(text));
      const shown = order.filter(card => !card.hidden).length;
      suite.hidden = shown === 0;
      count += shown;
      box.append(...order);
    }
    get('shown').textContent = `${count} of ${cards.length}`;
  }

  function button(text, action) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', action);
    return made;
  }

  // The line that is being stepped through: its card, the boards, the moves, the buttons and the picture before.
  let open = null;

  // The boards of a line. Each step lists changes on the board, of three letters: the square, and the piece on it or a hyphen.
  // The first two squares are those of the move.
  function boards(card, line) {
    let found = Board.pieces(card.dataset.fen.split(' ')[0]);
    const all = [{ found, marks: [] }];
    for (const step of line.dataset.steps.split(' ')) {
      found = new Map(found);
      const changes = step.match(/.{3}/g);
      for (const change of changes) {
        const square = change.slice(0, 2);
        if (change[2] === '-') found.delete(square); else found.set(square, change[2]);
      }
      all.push({ found, marks: changes.slice(0, 2).map(change => [change.slice(0, 2)]) });
    }
    return all;
  }

  function show(number) {
    const last = open.boards.length - 1;
    open.number = Math.min(Math.max(number, 0), last);
    const isBlack = open.card.dataset.fen.split(' ')[1] === 'b';
    const turn = (open.number % 2 === 1) === isBlack ? 'White' : 'Black';
    const after = open.number === 0 ? 'Start' : `After ${open.names[open.number - 1]}`;
    const title = `${after}, ${turn} to move`;
    const { found, marks } = open.boards[open.number];
    const svg = Board.draw(found, { turned: isBlack, title, marks });
    svg.setAttribute('tabindex', 0);
    const hadFocus = open.picture.contains(document.activeElement);
    open.picture.replaceChildren(svg);
    if (hadFocus) svg.focus();
    open.moves.forEach((move, index) => {
      if (index === open.number - 1) move.setAttribute('aria-current', 'step'); else move.removeAttribute('aria-current');
    });
    say(`${title}. ${svg.querySelector('desc').textContent}`);
  }

  function close() {
    if (!open) return;
    open.picture.replaceChildren(open.original);
    open.line.textContent = open.text;
    open.starter.textContent = 'Step through';
    open.starter.setAttribute('aria-expanded', 'false');
    open = null;
  }

  function start(card, line, starter) {
    const wasOpen = open && open.line === line;
    close();
    if (wasOpen) return;
    const picture = card.querySelector('.picture');
    const text = line.textContent;
    open = { card, line, starter, text, picture, original: picture.firstElementChild, boards: boards(card, line), moves: [], names: [] };
    const parts = [];
    let number = '';
    for (const word of text.split(' ')) {
      if (/^\d/.test(word)) { number = word; parts.push(`${word} `); continue; }
      const index = open.moves.length + 1;
      const move = button(word, () => show(index));
      open.moves.push(move);
      open.names.push(`${number} ${word}`);
      if (!number.endsWith('...')) number = number.replace(/\.$/, '...');
      parts.push(move, ' ');
    }
    const jump = (label, text, to) => {
      const made = button(text, () => show(to()));
      made.setAttribute('aria-label', label);
      return made;
    };
    line.replaceChildren(
      jump('To the start', '|\u25c0', () => 0), jump('One move back', '\u25c0', () => open.number - 1),
      jump('One move forward', '\u25b6', () => open.number + 1), jump('To the end', '\u25b6|', () => open.boards.length - 1),
      ' ', ...parts);
    starter.textContent = 'Close';
    starter.setAttribute('aria-expanded', 'true');
    show(1);
  }

  for (const card of cards) {
    for (const line of card.querySelectorAll('[data-steps]')) {
      const starter = button('Step through', () => start(card, line, starter));
      starter.className = 'small';
      starter.setAttribute('aria-expanded', 'false');
      line.before(starter);
    }
    const copy = button('Copy FEN', async () => {
      const copied = await copyText(card.dataset.fen);
      copy.textContent = copied ? 'Copied' : 'Not copied';
      say(copied ? 'FEN copied' : 'The browser does not allow copying');
      setTimeout(() => { copy.textContent = 'Copy FEN'; }, 2000);
    });
    copy.className = 'small';
    card.append(copy);
  }

  document.addEventListener('keydown', event => {
    if (!open || !open.card.contains(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowLeft: open.number - 1, ArrowRight: open.number + 1, Home: 0, End: open.boards.length - 1 }[event.key];
    if (event.key === 'Escape') {
      const starter = open.starter;
      close();
      starter.focus();
    } else if (to !== undefined) {
      event.preventDefault();
      show(to);
    }
  });

  for (const [id, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!controls.includes(id)) continue;
    if (id === 'down') get(id).checked = text !== '0'; else get(id).value = text;
  }
  for (const id of controls) get(id).addEventListener('input', update);
  update();
})();
