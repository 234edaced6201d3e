const find = (selector, root = document) => root.querySelector(selector);
const data = JSON.parse(find("#data").textContent);
const words = data.words;
const SVG = "http://www.w3.org/2000/svg";
const LEVEL = 74, TOP = 24;
let tree = data.trees[0];
let step = 0;

const make = (parent, name, attributes = {}, text = "") => {
  const svg = parent.namespaceURI === SVG;
  const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
};

// A leaf is as wide as the longest value needs.
const leafWidth = () => Math.max(46, 14 + 8 * Math.max(...tree.nodes.map(([, , , , value]) => value?.length ?? 0)));

// Places: leaves side by side, parents above the middle of their children.
const layout = nodes => {
  const children = nodes.map(() => []);
  nodes.forEach(([parent], index) => { if (parent !== null) children[parent].push(index); });
  const x = [], level = [];
  const leaf = leafWidth();
  let right = 0;
  const place = (index, depth) => {
    level[index] = depth;
    if (children[index].length === 0) { x[index] = right + leaf / 2; right += leaf; return; }
    const left = right;
    children[index].forEach(child => place(child, depth + 1));
    if (right - left < 96) right = left + 96;
    x[index] = (x[children[index][0]] + x[children[index].at(-1)]) / 2;
  };
  place(0, 0);
  return { x, level, width: right + 40, height: Math.max(...level) * LEVEL + TOP + 40 };
};

// The state of a pane after a number of steps.
const replay = (events, count) => {
  const state = { nodes: new Map(), cut: new Set(), counts: { leaves: 0, interior: 0, cuts: 0, hits: 0 }, now: null, open: [] };
  const at = node => { if (!state.nodes.has(node)) state.nodes.set(node, {}); return state.nodes.get(node); };
  for (const [action, node, alpha, beta, value, open] of events.slice(0, count)) {
    state.now = { action, node, alpha, beta, value };
    state.open = action === "select" ? open : state.open;
    if (node === null) continue;
    if (action === "cut") { state.counts.cuts += 1; at(node).isCut = true; continue; }
    const seen = at(node);
    if (alpha !== null || action === "enter") { seen.alpha = alpha ?? undefined; seen.beta = beta; }
    if (action === "enter") { seen.entered = true; seen.isCut = false; state.counts.interior += 1; }
    if (action === "leaf") { state.counts.leaves += 1; state.counts.interior -= 1; }
    if (action === "table-hit") { seen.entered = true; state.counts.hits += 1; }
    if (value !== null && action !== "select") seen.value = value;
  }
  return state;
};

const draw = (svg, state) => {
  const { nodes } = tree;
  const { x, level, width, height } = layout(nodes);
  svg.replaceChildren();
  make(svg, "title", {}, `${words.tree} ${tree.name}`);
  make(svg, "desc", {}, tree.source);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const y = index => TOP + level[index] * LEVEL;
  const isCut = index => {
    const parent = nodes[index][0];
    return parent !== null && !state.nodes.get(index)?.entered && (state.nodes.get(parent)?.isCut || isCut(parent));
  };
  nodes.forEach(([parent], index) => {
    if (parent === null) return;
    const [ax, ay, bx, by] = [x[parent], y(parent) + 14, x[index], y(index) - 14];
    make(svg, "line", { x1: ax, y1: ay, x2: bx, y2: by });
    if (isCut(index) && !isCut(parent)) {
      const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
      make(svg, "line", { class: "strike", x1: mx - 8, y1: my + 4, x2: mx + 8, y2: my - 4 });
    }
  });
  svg.parentElement.scrollLeft = x[state.now?.node ?? 0] - svg.parentElement.clientWidth / 2;
  const half = leafWidth() / 2 - 4;
  nodes.forEach(([, kind, via, , value], index) => {
    const seen = state.nodes.get(index) ?? {};
    const names = [seen.entered ? "entered" : "", state.now?.node === index ? "now" : "", isCut(index) ? "cut" : ""];
    const group = make(svg, "g", { class: names.join(" ").trim(), "data-node": index });
    const [cx, cy] = [x[index], y(index)];
    const points = { max: [[0, -16], [22, 14], [-22, 14]], min: [[0, 16], [22, -14], [-22, -14]], leaf: [[-half, -11], [half, -11], [half, 11], [-half, 11]] }[kind];
    if (points) make(group, "polygon", { class: "shape", points: points.map(([px, py]) => `${cx + px},${cy + py}`).join(" ") });
    else make(group, "circle", { class: "shape", cx, cy, r: 16 });
    const attributes = { x: cx, y: cy + (kind === "max" ? 10 : kind === "min" ? 0 : 5) };
    if (seen.value === undefined) attributes.class = "unseen";
    make(group, "text", attributes, seen.value ?? value ?? "");
    if (via && !/^\d+$/.test(via)) make(group, "text", { x: cx, y: cy + 30 }, via);
    if (kind !== "leaf" && seen.alpha !== undefined) {
      make(group, "text", { class: "window", x: cx + 24, y: cy - 2 }, `α ${seen.alpha}`);
      make(group, "text", { class: "window", x: cx + 24, y: cy + 10 }, `β ${seen.beta}`);
    }
  });
};

const panes = [...document.querySelectorAll(".pane")];
const eventsOf = pane => tree.runs[find(".algorithm", pane).value];
const longest = () => Math.max(...panes.map(pane => eventsOf(pane).length));

const show = () => {
  step = Math.max(0, Math.min(step, longest()));
  for (const pane of panes) {
    const events = eventsOf(pane);
    const state = replay(events, step);
    draw(find("svg", pane), state);
    const { action, node, alpha, beta, value } = state.now ?? {};
    const name = node === undefined || node === null ? "" : `${words.node} ${tree.nodes[node][3]}`;
    const window = alpha ? ` ${words.alpha} ${alpha}, beta ${beta}` : "";
    const result = value ? ` ${words.value} ${value}` : "";
    const end = step >= events.length ? ` (${words.end})` : "";
    find(".status", pane).textContent = state.now
      ? `${words.step} ${Math.min(step, events.length)}/${events.length}: ${name}${window}${result}${end}` : words.start;
    const { leaves, interior, cuts, hits } = state.counts;
    find(".counts", pane).textContent =
      `${words.leaves} ${leaves} · ${words.interior} ${interior} · ${words.cuts} ${cuts} · ${words.hits} ${hits}`;
    find(".open", pane).textContent = state.open.length === 0 ? "" :
      "OPEN: " + state.open.map(([dewey, solved, merit]) => `(${dewey}, ${solved ? words.solved : words.live}, ${merit})`).join(" ");
    const code = find(".code", pane);
    code.replaceChildren();
    for (const [actions, text] of data.code[find(".algorithm", pane).value]) {
      make(code, "li", actions.includes(action) ? { class: "now", "aria-current": "step" } : {}, text);
    }
  }
};

const exercise = () => {
  const rows = find("#rows");
  rows.replaceChildren();
  find("#grade").textContent = tree.key ? "" : words.unavailable;
  find("#check").disabled = !tree.key;
  const heads = [words.node, words.cut, words.alpha, "beta", words.value, words.verdict];
  find("#heads").replaceChildren();
  heads.forEach(text => make(find("#heads"), "th", {}, text));
  for (const [node, , , isLeaf] of tree.key ?? []) {
    const row = make(rows, "tr", { "data-node": node });
    const leaf = isLeaf || tree.nodes.some(other => other[3] === node && other[1] === "leaf");
    make(row, "td", {}, node);
    const choice = make(row, "td");
    if (leaf) {
      const select = make(choice, "select", { "aria-label": node });
      for (const [value, text] of [["", "?"], ["seen", words.seen], ["cut", words.leafCut]]) make(select, "option", { value }, text);
    } else make(choice, "input", { type: "checkbox", "aria-label": `${node}: ${words.cut}` });
    for (const field of [words.alpha, "beta", words.value]) {
      const cell = make(row, "td");
      if (!leaf) make(cell, "input", { type: "text", "aria-label": `${node}: ${field}` });
    }
    make(row, "td", { class: "verdict" });
  }
};

// One way to write each answer, as the key does.
const plain = text => {
  const word = text.replace(/[\s≤≥<>=]/g, "").replace("−", "-").replace(",", ".");
  if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) return `${Number(word) || 0}`;
  return word.replace(/^\+?(inf|∞)$/i, "+∞").replace(/^-(inf|∞)$/i, "-∞");
};

const grade = () => {
  let right = 0;
  for (const [node, answer, reason] of tree.key) {
    const row = find(`#rows tr[data-node="${node}"]`);
    const fields = [...row.querySelectorAll("input[type=text]")].map(input => plain(input.value));
    const given = find("select", row)?.value ?? (find("input[type=checkbox]", row).checked ? "cut" : fields.join(" "));
    const isRight = given === answer;
    right += isRight;
    const verdict = find(".verdict", row);
    verdict.className = `verdict ${isRight ? "good" : "bad"}`;
    verdict.textContent = isRight ? words.right : given.trim() === "" ? words.none : `${words.wrong}: ${reason}`;
  }
  find("#grade").textContent = `${right} / ${tree.key.length}`;
};

const choose = index => {
  tree = data.trees[index];
  step = 0;
  find("#source").value = tree.source;
  find("#fault").textContent = "";
  find("#source").removeAttribute("aria-invalid");
  // In the order of one list, also for edited trees.
  const names = Object.keys(data.code).filter(name => name in tree.runs);
  panes.forEach((pane, number) => {
    const select = find(".algorithm", pane);
    const before = select.value;
    select.replaceChildren();
    names.forEach(name => make(select, "option", { value: name }, name));
    const usual = ["alpha-beta", "sss-star"][number];
    select.value = names.includes(before) ? before : names.includes(usual) ? usual : names[Math.min(number, names.length - 1)];
  });
  exercise();
  show();
};

// Runs the tree in the editor. It becomes the last tree of the list.
const runEdited = () => {
  let edited;
  try {
    edited = searchTree(words.edited, find("#source").value, words);
  } catch (error) {
    if (!error.fault) throw error;
    const { fault, word, line, column } = error;
    find("#fault").textContent = `${words.line} ${line}, ${words.column} ${column}: ${word && `"${word}": `}${words.faults[fault]}`;
    find("#source").setAttribute("aria-invalid", "true");
    return;
  }
  if (data.trees.at(-1).name === words.edited) data.trees.pop();
  else make(find("#tree"), "option", { value: data.trees.length }, words.edited);
  data.trees.push(edited);
  find("#tree").value = data.trees.length - 1;
  choose(data.trees.length - 1);
};

const go = to => { step = to; show(); };
data.trees.forEach(({ name }, index) => make(find("#tree"), "option", { value: index }, name));
find("#run").addEventListener("click", runEdited);
find("#source").addEventListener("keydown", event => { if (event.key === "Enter" && event.ctrlKey) runEdited(); });
find("#tree").addEventListener("change", event => choose(Number(event.target.value)));
panes.forEach(pane => find(".algorithm", pane).addEventListener("change", show));
find("#first").addEventListener("click", () => go(0));
find("#back").addEventListener("click", () => go(step - 1));
find("#forward").addEventListener("click", () => go(step + 1));
find("#last").addEventListener("click", () => go(longest()));
find("#check").addEventListener("click", grade);
document.addEventListener("keydown", event => {
  // Arrow keys scroll a region that has the focus, and edit a field.
  if (event.target.closest?.(".scroll, select, input, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: longest() }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
choose(0);
