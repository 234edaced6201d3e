// The curves of evaluations, and the times of the moves below them.

const GRAPH_WIDTH = 640, GRAPH_HEIGHT = 120, GRAPH_EDGE = 6, STRIP_HEIGHT = 28;
const COLOURS = { dubious: '#c98d1f', mistake: '#e0702c', blunder: '#d0382c' };
const graphX = ply => GRAPH_WIDTH * ply / Math.max(root.game.line.nodes.length, 1);
const graphY = value => GRAPH_HEIGHT * (1 - value.expectation);

// The points of a curve. Each node is a position, and the key is the evaluation to show.
const pointsOf = (nodes, key) => nodes.filter(node => node[key])
  .map(node => `${graphX(node.ply).toFixed(1)},${graphY(node[key]).toFixed(1)}`);

function described(svg, title, description) {
  svg.prepend(drawn('title', {}, title), drawn('desc', {}, description));
  return svg;
}

function drawGraph() {
  const nodes = root.game.line.nodes;
  const width = GRAPH_WIDTH + 2 * GRAPH_EDGE, height = GRAPH_HEIGHT + 2 * GRAPH_EDGE;
  const corner = { x: -GRAPH_EDGE, y: -GRAPH_EDGE };
  const svg = drawn('svg', {
    viewBox: `${corner.x} ${corner.y} ${width} ${height}`, role: 'img', 'aria-label': 'Evaluation graph', class: 'curves',
  });
  const bottom = GRAPH_HEIGHT + GRAPH_EDGE;
  const points = nodes.filter(node => node.evaluation);
  svg.append(drawn('rect', { ...corner, width, height, fill: '#4a4744' }));
  if (points.length > 0) {
    const line = pointsOf(nodes, 'evaluation').join(' ');
    const start = `0,${graphY(points[0].evaluation).toFixed(1)}`, last = graphX(points[points.length - 1].ply).toFixed(1);
    svg.append(
      drawn('polygon', { points: `0,${bottom} ${start} ${line} ${last},${bottom}`, fill: '#e9e6df' }),
      drawn('polyline', { points: `${start} ${line}`, fill: 'none', stroke: '#8d877e', 'stroke-width': 1.5, class: 'curve' }));
  }
  const other = (points, stroke, name) => {
    if (points.length < 2) return;
    const curve = { points: points.join(' '), fill: 'none', 'stroke-linejoin': 'round' };
    svg.append(
      drawn('polyline', { ...curve, stroke: '#2b2927', 'stroke-width': 3.5, opacity: .45 }),
      drawn('polyline', { ...curve, stroke, 'stroke-width': 2, class: name }));
  };
  other(pointsOf(nodes, 'source_evaluation'), SOURCE, 'source-curve');
  for (const isWhite of [true, false]) {
    const own = nodes.filter(node => node.isWhite === isWhite);
    other(pointsOf(own, 'engine_score'), isWhite ? WHITE_ENGINE : BLACK_ENGINE, 'engine-curve');
  }
  svg.append(drawn('path', { d: `M0 ${GRAPH_HEIGHT / 2}H${GRAPH_WIDTH}`, stroke: '#9b9690', 'stroke-dasharray': '4 4' }));
  const here = graphX(mainPly(current));
  svg.append(drawn('path', { d: `M${here} ${-GRAPH_EDGE}V${bottom}`, stroke: '#2f7fd6', 'stroke-width': 2.5, class: 'here' }));
  for (const node of points.filter(fault)) {
    svg.append(drawn('circle', {
      cx: graphX(node.ply), cy: graphY(node.evaluation), r: 4, fill: COLOURS[fault(node)], stroke: '#fff',
    }));
  }
  svg.addEventListener('click', event => {
    const box = svg.getBoundingClientRect();
    const x = width * (event.clientX - box.left) / box.width - GRAPH_EDGE;
    const ply = Math.round(nodes.length * x / GRAPH_WIDTH);
    go(ply <= 0 ? root : nodes[Math.min(ply, nodes.length) - 1]);
  });
  const marked = points.filter(fault).map(node => `${named(node)}${node.marks} ${node.evaluation.text}`);
  described(svg, 'Evaluation graph', `What White can expect after each move. Marked moves: ${marked.join(', ') || 'none'}.`);
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
  const width = Math.max(GRAPH_WIDTH / nodes.length * .8, 1);
  for (const node of nodes.filter(node => node[key] !== undefined)) {
    const height = STRIP_HEIGHT * node[key] / most;
    const bar = drawn('rect', {
      x: graphX(node.ply) - width / 2, y: STRIP_HEIGHT - height, width, height, fill: node.isWhite ? WHITE_ENGINE : BLACK_ENGINE,
    });
    bar.append(drawn('title', {}, `${named(node)}: ${seconds(node[key])}`));
    strip.append(bar);
  }
  return [described(strip, name, `The longest bar is ${seconds(most)}.`)];
}
