'use strict';
// Sorts, filters and searches the cards by their data attributes: `failed` lists the engines that failed, `times` holds the
// engines' times to the solution, of which `t0` selects the first. Cards without a value come last. The address can set
// the controls: `sts.html#filter=any&sort=t0`.
const cards = [...document.querySelectorAll('.card')];
const box = document.querySelector('.cards');
const get = id => document.getElementById(id);
const controls = ['sort', 'down', 'filter', 'search'];

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
  const failed = card.dataset.failed.split(' ').filter(Boolean), engines = Number(card.dataset.engines);
  switch (filter) {
    case 'all': return true;
    case 'any': return failed.length > 0;
    case 'every': return failed.length === engines;
    case 'differ': return failed.length > 0 && failed.length < engines;
    default: return failed.includes(filter);
  }
}

function update() {
  const key = get('sort').value, down = get('down').checked;
  const filter = get('filter').value, text = get('search').value.toLowerCase();
  const order = [...cards].sort((a, b) =>
    compare(value(a, key), value(b, key), down) || a.dataset.number - b.dataset.number);
  let count = 0;
  for (const card of order) {
    card.hidden = !(fits(card, filter) && card.dataset.text.includes(text));
    if (!card.hidden) count++;
    box.append(card);
  }
  get('shown').textContent = `${count} of ${cards.length}`;
}

for (const [id, text] of new URLSearchParams(location.hash.slice(1))) {
  if (!controls.includes(id)) continue;
  if (id === 'down') get(id).checked = text !== '0'; else get(id).value = text;
}
for (const id of controls) get(id).addEventListener('input', update);
update();
