"use strict";
// The lab's algorithms for trees that are edited on the page. Each writes the same log as the program:
// the browser test compares the two step by step.
//
// Values are integers in thousandths, and values and windows are those of Max. A step of a log is
// [action, node, alpha, beta, value, OPEN], as the program embeds it.
const UNIT = 1000, INFINITE = 2 ** 50;
const MOST_LEVELS = 200, MOST_LEAVES = 400, MOST_WEIGHT = 1000, LARGEST = 1e9;
const MAX = 1, MIN = -1, CHANCE = 0;

const valueText = value => {
  if (value >= INFINITE) return "+∞";
  if (value <= -INFINITE) return "-∞";
  const size = Math.abs(value);
  const decimals = String(size % UNIT).padStart(3, "0").replace(/0+$/, "");
  return (value < 0 ? "-" : "") + Math.floor(size / UNIT) + (decimals ? `.${decimals}` : "");
};

// Parses a tree and returns its nodes in preorder. Throws an Error whose `fault` names what is wrong and
// whose `line` and `column` say where.
const parseTree = text => {
  const nodes = [];
  let offset = 0, leaves = 0;
  const refuse = (fault, word = "", at = offset) => {
    const before = text.slice(0, at).split("\n");
    throw Object.assign(new Error(fault), { fault, word, line: before.length, column: [...before.at(-1)].length + 1 });
  };
  // Skips spaces, commas and comments, and returns the next character.
  const peek = () => {
    while (offset < text.length) {
      const next = text[offset];
      if (next === "#") offset = text.includes("\n", offset) ? text.indexOf("\n", offset) : text.length;
      else if (/[\p{White_Space},]/u.test(next)) offset += 1;
      else return next;
    }
    return undefined;
  };
  const take = wanted => peek() === wanted && (offset += 1, true);
  const word = pattern => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)[0];
    offset += found.length;
    return found;
  };
  const valueOf = (number, at) => {
    const [, sign, whole, decimals] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(number) ?? refuse("number", number, at);
    if (!whole && !decimals) refuse("number", number, at);
    if (decimals?.length > 3) refuse("decimals", number, at);
    if (Number(whole) > LARGEST) refuse("large", number, at);
    const size = Number(whole) * UNIT + Number((decimals ?? "").padEnd(3, "0"));
    return sign === "-" ? -size : size;
  };
  const number = () => {
    peek();
    const at = offset, found = word(/[A-Za-z0-9+\-.*]*/gy);
    if (/^,\d/.test(text.slice(offset)) && !found.includes(".")) refuse("comma");
    return valueOf(found, at);
  };
  const estimate = () => {
    const at = offset, found = word(/[A-Za-z0-9+\-.*]*/gy), middle = found.indexOf("..");
    if (middle < 0) return valueOf(found, at);
    const [lower, upper] = [found.slice(0, middle), found.slice(middle + 2)].map(part => valueOf(part, at));
    if (lower > upper) refuse("order", found, at);
    return Math.trunc((lower + upper) / 2);
  };
  const label = () => {
    peek();
    const at = offset, found = word(/[\p{Alphabetic}\p{N}]*/guy);
    if (/^\p{Alphabetic}/u.test(found) && text[offset] === ":") { offset += 1; return found; }
    offset = at;
    return undefined;
  };
  const player = opponent => {
    const at = offset, found = word(/\p{Alphabetic}*/guy);
    const named = { max: MAX, min: MIN, chance: CHANCE }[found.toLowerCase()];
    if (named !== undefined) return named;
    if (found === "" && "(@!".includes(peek() ?? " ")) return opponent;
    return refuse(found === "" ? "start" : "player", found || peek() || " ", at);
  };
  const throwWeight = () => {
    peek();
    const at = offset, digits = word(/\d*/gy);
    if (digits === "" || text[offset] !== "*") { offset = at; return 1; }
    offset += 1;
    return Number(digits) >= 1 && Number(digits) <= MOST_WEIGHT ? Number(digits) : refuse("weight", digits, at);
  };
  const node = (parent, weight, level) => {
    if (level > MOST_LEVELS) refuse("levels");
    if (peek() === undefined) refuse("node");
    let mover = parent;
    while (nodes[mover]?.player === CHANCE) mover = nodes[mover].parent;
    const above = nodes[mover]?.player ?? MIN, opponent = above === MAX ? MIN : MAX;
    const index = nodes.length, place = nodes[parent]?.children.length + 1;
    const dewey = parent === null ? "ε" : parent === 0 ? `${place}` : `${nodes[parent].dewey}.${place}`;
    const name = label(), via = parent === null ? "" : name ?? `${place}`;
    const made = { parent, player: opponent, children: [], value: 0, weight, via, dewey, last: index };
    nodes[parent]?.children.push(index);
    if (/[0-9+\-.]/.test(peek() ?? "")) {
      made.value = number();
      nodes.push(made);
      if (++leaves > MOST_LEAVES) refuse("leaves");
      return;
    }
    made.player = player(opponent);
    if (take("@")) made.value = estimate();
    take("!");
    if (!take("(")) refuse("open");
    nodes.push(made);
    while (!take(")")) {
      if (peek() === undefined) refuse("close");
      node(index, made.player === CHANCE ? throwWeight() : 1, level + 1);
    }
    if (made.children.length === 0) refuse("childless");
    made.last = nodes.length - 1;
  };
  node(null, 1, 0);
  if (peek() !== undefined) refuse("ended");
  return nodes;
};

// The log of a search.
class SearchLog {
  constructor(nodes) {
    this.nodes = nodes;
    this.steps = [];
    this.windows = [];
  }
  step(action, node, value = null, [alpha, beta] = [null, null], sign = "", open = []) {
    const written = [alpha, beta, value].map(number => number === null ? null : valueText(number));
    this.steps.push([action, node, written[0], written[1], written[2] && sign + written[2], open]);
  }
  // Enters a node. Returns the value of a leaf, null elsewhere.
  open(node, window = [null, null]) {
    this.windows[node] = window;
    this.step("enter", node, null, window);
    const { children, value } = this.nodes[node];
    if (children.length > 0) return null;
    this.step("leaf", node, value);
    return value;
  }
  update(node, best, window) { this.step("update", node, best, window); }
  cut(node) { this.step("cut", node); }
  tableHit(node, value, window, sign) {
    this.windows[node] = window;
    this.step("table-hit", node, value, window, sign);
    return value;
  }
  // Without a sign, it follows from the window.
  leave(node, value, sign = null) {
    const [alpha, beta] = this.windows[node];
    sign ??= alpha === null ? "" : value <= alpha ? "≤" : value >= beta ? "≥" : "";
    this.step("leave", node, value, [alpha, beta], sign);
    return value;
  }
}

const FULL = [-INFINITE, INFINITE];
const floorDivide = (a, b) => a / b - (a % b < 0n ? 1n : 0n);
const mean = (sum, weights) => Number(floorDivide(sum, weights));

// Minimax, NegaMax and expectiminimax write the same log.
const minimax = (log, node) => {
  const leaf = log.open(node);
  if (leaf !== null) return leaf;
  const { player, children } = log.nodes[node];
  if (player === CHANCE) {
    let sum = 0n, weights = 0n;
    for (const child of children) {
      const weight = BigInt(log.nodes[child].weight);
      sum += weight * BigInt(minimax(log, child));
      weights += weight;
    }
    return log.leave(node, mean(sum, weights));
  }
  let best = -player * INFINITE;
  for (const child of children) {
    const value = minimax(log, child);
    if (player * value > player * best) best = value;
    log.update(node, best);
  }
  return log.leave(node, best);
};

// The loop over the children that alpha-beta and its relatives share.
const bestReply = (log, node, [alpha, beta], best, reply) => {
  const { player, children } = log.nodes[node];
  for (const child of children) {
    const value = reply(child, [alpha, beta]);
    if (player * value > player * best) best = value;
    if (player === MAX) alpha = Math.max(alpha, best); else beta = Math.min(beta, best);
    log.update(node, best, [alpha, beta]);
    if (alpha >= beta) {
      if (child !== children.at(-1)) log.cut(node);
      break;
    }
  }
  return log.leave(node, best);
};

const failSoft = (log, node, window) => {
  const leaf = log.open(node, window);
  if (leaf !== null) return leaf;
  return bestReply(log, node, window, -log.nodes[node].player * INFINITE, (child, window) => failSoft(log, child, window));
};

const failHard = (log, node, [alpha, beta]) => {
  const leaf = log.open(node, [alpha, beta]);
  if (leaf !== null) return Math.min(Math.max(leaf, alpha), beta);
  const bound = log.nodes[node].player === MAX ? alpha : beta;
  return bestReply(log, node, [alpha, beta], bound, (child, window) => failHard(log, child, window));
};

const withoutDeepCutoffs = (log, node, [alpha, beta]) => {
  const { player } = log.nodes[node];
  const window = player === MAX ? [-INFINITE, beta] : [alpha, INFINITE];
  const leaf = log.open(node, window);
  if (leaf !== null) return leaf;
  return bestReply(log, node, window, -player * INFINITE, (child, window) => withoutDeepCutoffs(log, child, window));
};

const negascout = (log, node, window) => {
  const leaf = log.open(node, window);
  if (leaf !== null) return leaf;
  const { player, children } = log.nodes[node];
  return bestReply(log, node, window, -player * INFINITE, (child, [alpha, beta]) => {
    if (child === children[0]) return negascout(log, child, [alpha, beta]);
    const asked = player === MAX ? [alpha, alpha + 1] : [beta - 1, beta];
    log.step("null-window", node, null, asked);
    const value = negascout(log, child, asked);
    if (player === MAX ? value < asked[1] || value >= beta : value > asked[0] || value <= alpha) return value;
    const again = player === MAX ? [value - 1, beta] : [alpha, value + 1];
    log.step("research", node, null, again);
    return negascout(log, child, again);
  });
};

// TEST: whether a node is worth more than a bound.
const exceeds = (log, node, bound) => {
  const leaf = log.open(node, [bound, bound + 1]);
  if (leaf !== null) return leaf > bound;
  const { player, children } = log.nodes[node];
  const settles = player === MAX;
  const deciding = children.find(child => exceeds(log, child, bound) === settles);
  if (deciding !== undefined && deciding !== children.at(-1)) log.cut(node);
  const answer = deciding === undefined ? !settles : settles;
  log.leave(node, answer ? bound + 1 : bound);
  return answer;
};

// EVAL: the value of a node.
const scout = (log, node) => {
  const leaf = log.open(node);
  if (leaf !== null) return leaf;
  const { player, children } = log.nodes[node];
  let best = null;
  for (const child of children) {
    const isBetter = best === null || (player === MAX ? exceeds(log, child, best) : !exceeds(log, child, best - 1));
    if (isBetter) best = scout(log, child);
  }
  return log.leave(node, best);
};

// SSS* for the hero Max, DUAL* for Min. Nodes are in preorder, so that smaller numbers are further left.
const sssStar = (log, hero) => {
  const { nodes } = log;
  let open = [];
  const put = (node, solved, merit) => {
    open.push({ node, solved, merit });
    open.sort((a, b) => b.merit - a.merit || a.node - b.node);
  };
  put(0, false, INFINITE);
  for (;;) {
    const listed = open.map(({ node, solved, merit }) => [nodes[node].dewey, solved, valueText(hero * merit)]);
    const { node, solved, merit } = open.shift();
    log.step("select", node, hero * merit, undefined, "", listed);
    const { parent, player, children } = nodes[node];
    if (!solved) {
      const value = log.open(node, hero === MAX ? [-INFINITE, merit] : [-merit, INFINITE]);
      if (value !== null) put(node, true, Math.min(merit, hero * value));
      else (player === hero ? children : children.slice(0, 1)).forEach(child => put(child, false, merit));
      continue;
    }
    if (parent === null) return;
    const siblings = nodes[parent].children;
    const next = siblings[siblings.indexOf(node) + 1];
    if (nodes[parent].player === hero) {
      const kept = open.filter(state => state.node < parent || state.node > nodes[parent].last);
      if (kept.length < open.length) log.cut(parent);
      open = kept;
    } else if (next !== undefined) {
      put(next, false, merit);
      continue;
    }
    log.leave(parent, hero * merit);
    put(parent, true, merit);
  }
};

const recSssStar = log => {
  const keep = (node, upper) => ({ node, upper, value: null, isExpanded: false, children: [], current: 0 });
  // Returns `asked` if the node is worth at least that, otherwise a smaller upper bound.
  const solve = (kept, asked) => {
    const { player, children } = log.nodes[kept.node];
    if (!kept.isExpanded) {
      kept.isExpanded = true;
      kept.value = log.open(kept.node, [-INFINITE, asked]);
      if (kept.value === null && player === MAX) kept.children = children.map(child => keep(child, asked));
    }
    kept.upper = kept.value !== null ? Math.min(kept.value, asked) : player === MAX ? maxNode(kept, asked) : minNode(kept, asked);
    return kept.upper;
  };
  const maxNode = (kept, asked) => {
    for (;;) {
      const upper = Math.max(-INFINITE, ...kept.children.map(child => child.upper));
      log.update(kept.node, upper, [-INFINITE, asked]);
      if (upper < asked) return upper;
      if (solve(kept.children.find(child => child.upper === upper), asked) < asked) continue;
      if (kept.children.length > 1) log.cut(kept.node);
      kept.children = [];
      return log.leave(kept.node, asked);
    }
  };
  const minNode = (kept, asked) => {
    const { children } = log.nodes[kept.node];
    for (; kept.current < children.length; kept.current += 1) {
      kept.children[0] ??= keep(children[kept.current], asked);
      const value = solve(kept.children[0], asked);
      if (value < asked) return value;
      kept.children = [];
    }
    return log.leave(kept.node, asked);
  };
  const root = keep(0, INFINITE);
  for (let asked = INFINITE; solve(root, asked) < asked;) asked = root.upper;
};

const withMemory = (log, table, node, [alpha, beta]) => {
  const known = table.get(node);
  if (known) {
    const [lower, upper] = known;
    if (lower === upper) return log.tableHit(node, lower, [alpha, beta], "");
    if (lower >= beta) return log.tableHit(node, lower, [alpha, beta], "≥");
    if (upper <= alpha) return log.tableHit(node, upper, [alpha, beta], "≤");
  }
  const store = (lower, upper) => {
    const [oldLower, oldUpper] = table.get(node) ?? FULL;
    table.set(node, [Math.max(oldLower, lower), Math.min(oldUpper, upper)]);
  };
  const leaf = log.open(node, [alpha, beta]);
  if (leaf !== null) { store(leaf, leaf); return leaf; }
  const nothing = -log.nodes[node].player * INFINITE;
  const best = bestReply(log, node, [alpha, beta], nothing, (child, window) => withMemory(log, table, child, window));
  store(best > alpha ? best : -INFINITE, best < beta ? best : INFINITE);
  return best;
};

const mtdF = log => {
  const table = new Map();
  let value = log.nodes[0].value, [lower, upper] = FULL;
  while (lower < upper) {
    const beta = Math.max(value, lower + 1);
    log.step("pass", 0, null, [beta - 1, beta]);
    value = withMemory(log, table, 0, [beta - 1, beta]);
    if (value < beta) upper = value; else lower = value;
  }
  // Each pass has left the root with a bound. Where they meet, they are the value.
  log.leave(0, value, "");
};

const star = (log, node, window, probes) => {
  const leaf = log.open(node, window);
  if (leaf !== null) return leaf;
  const { player } = log.nodes[node];
  if (player === CHANCE) return log.leave(node, starMean(log, node, window, probes));
  return bestReply(log, node, window, -player * INFINITE, (child, window) => star(log, child, window, probes));
};

// The mean over the throws of a chance node, or a bound on it.
const starMean = (log, node, [alpha, beta], probes) => {
  const { nodes } = log;
  const values = nodes.filter(({ children }) => children.length === 0).map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const throws = nodes[node].children.map(child => ({ node: child, weight: nodes[child].weight, lower: least, upper: most }));
  const weights = throws.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const sum = bound => throws.reduce((sum, one) => sum + BigInt(one.weight) * BigInt(one[bound]), 0n);
  const decided = () => {
    const [lower, upper] = [mean(sum("lower"), weights), mean(sum("upper"), weights)];
    if (lower >= beta || lower === upper) return lower;
    return upper <= alpha ? upper : null;
  };
  // The window outside of which one throw decides.
  const windowOf = one => {
    const weight = BigInt(one.weight);
    const others = bound => sum(bound) - weight * BigInt(one[bound]);
    const needed = -floorDivide(others("lower") - BigInt(beta) * weights, weight);
    const harmless = floorDivide((BigInt(alpha) + 1n) * weights - 1n - others("upper"), weight);
    return [harmless, needed].map(value => Math.min(Math.max(Number(value), one.lower - 1), one.upper + 1));
  };
  const learn = (one, lower, upper) => {
    one.lower = Math.max(one.lower, lower);
    one.upper = Math.min(one.upper, upper);
  };
  const probe = one => {
    const { player, children } = nodes[one.node];
    if (children.length === 0 || player === CHANCE) return;
    const [low, high] = windowOf(one);
    if (player === MAX) learn(one, star(log, children[0], [one.lower - 1, Math.max(high, one.lower)], true), INFINITE);
    else learn(one, -INFINITE, star(log, children[0], [Math.min(low, one.upper), one.upper + 1], true));
  };
  const search = one => {
    if (one.lower === one.upper) return;
    const [low, high] = windowOf(one);
    const reply = star(log, one.node, [low, high], probes);
    learn(one, reply > low ? reply : -INFINITE, reply < high ? reply : INFINITE);
  };
  for (const step of probes ? [probe, search] : [search]) {
    for (const one of throws) {
      const value = decided();
      if (value !== null) { log.cut(node); return value; }
      step(one);
    }
  }
  const lower = mean(sum("lower"), weights);
  return lower >= beta ? lower : mean(sum("upper"), weights);
};

const CHANCE_SEARCHES = {
  expectiminimax: log => minimax(log, 0),
  star1: log => star(log, 0, FULL, false),
  star2: log => star(log, 0, FULL, true),
};
const SEARCHES = {
  minimax: log => minimax(log, 0),
  negamax: log => minimax(log, 0),
  "alpha-beta": log => failSoft(log, 0, FULL),
  "alpha-beta-hard": log => failHard(log, 0, FULL),
  "alpha-beta-shallow": log => withoutDeepCutoffs(log, 0, FULL),
  "alpha-beta-memory": log => withMemory(log, new Map(), 0, FULL),
  scout: log => scout(log, 0),
  negascout: log => negascout(log, 0, FULL),
  "sss-star": log => sssStar(log, MAX),
  "rec-sss-star": recSssStar,
  "dual-star": log => sssStar(log, MIN),
  "mtd-f": mtdF,
  ...CHANCE_SEARCHES,
};

// The key of an exercise: for each node the answer, the reason, and whether it is a leaf that was seen.
const exerciseKey = (nodes, steps, words) => {
  const seen = new Map();
  for (const [action, node, alpha, beta, value] of steps) {
    if (action === "enter") seen.set(node, { alpha, beta });
    if (action === "leaf" || action === "leave") seen.get(node).value = value;
  }
  return nodes.map(({ parent, player, children, dewey }, index) => {
    const visit = seen.get(index);
    if (!visit) {
      let above = parent;
      while (!seen.has(above)) above = nodes[above].parent;
      const { alpha, beta, value } = seen.get(above);
      const bound = nodes[above].player === MAX ? `≥ beta = ${beta}` : `≤ alpha = ${alpha}`;
      return [dewey, "cut", `${words.cutAt} ${nodes[above].dewey}: ${value} ${bound}`, false];
    }
    if (children.length === 0) return [dewey, "seen", words.nothingCuts, true];
    const { alpha, beta } = visit, value = visit.value.replace(/^[≤≥]/, "");
    const values = children.filter(child => seen.has(child)).map(child => seen.get(child).value).join(", ");
    const best = player === MAX ? words.largest : words.smallest;
    return [dewey, `${alpha} ${beta} ${value}`, `${words.alpha} ${alpha}, beta ${beta}; ${words.value} ${value}: ${best} ${values}`, false];
  });
};

// Returns an edited tree as the program embeds its own: nodes, logs and key.
const searchTree = (name, source, words) => {
  const nodes = parseTree(source);
  const hasChance = nodes.some(({ player }) => player === CHANCE);
  const runs = {};
  for (const [algorithm, search] of Object.entries(hasChance ? CHANCE_SEARCHES : SEARCHES)) {
    const log = new SearchLog(nodes);
    search(log);
    runs[algorithm] = log.steps;
  }
  const kind = ({ player, children }) => children.length === 0 ? "leaf" : { [MAX]: "max", [MIN]: "min", [CHANCE]: "chance" }[player];
  return {
    name, source, runs,
    nodes: nodes.map(node => [node.parent, kind(node), node.via, node.dewey, node.children.length > 0 ? null : valueText(node.value)]),
    key: hasChance ? null : exerciseKey(nodes, runs["alpha-beta"], words),
  };
};
