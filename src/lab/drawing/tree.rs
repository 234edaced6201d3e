//! A picture of a tree with what a search did in it.

use std::collections::HashSet;

use super::layout::{Layout, layout};
use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::language::Language;
use crate::lab::outline::{OutlineNode, TooLarge, outline};
use crate::lab::search::{Search, TreeNode};
use crate::lab::trace::Visits;
use crate::svg::{Anchor, Canvas, Font, Pen};

const MARGIN: f64 = 30.0;
const HEADER: f64 = 64.0;
const LEVEL_HEIGHT: f64 = 92.0;
const FOOTER: f64 = 74.0;
/// The width of a character of the title, on average and in a wide font.
const TITLE_CHARACTER: f64 = 11.0;
/// Half the height of a node.
const SIZE: f64 = 15.0;
/// The distance from the middle of a node to the labels beside it.
const BESIDE: f64 = SIZE * 1.45 + 4.0;

const INK: &str = "#222222";
const PALE: &str = "#c4c4c4";
/// The colour of labels beside pale lines, which has the contrast that small text needs.
const FAINT: &str = "#767676";
const RED: &str = "#c0392b";
const BLUE: &str = "#1f5fa8";
const PAPER: &str = "#ffffff";
const MAX_FILL: &str = "#fbe3c0";
const MIN_FILL: &str = "#cfe3f5";
const CHANCE_FILL: &str = "#e2dcf0";

/// The contents of a picture.
pub struct Picture<'p, M> {
    /// The title above the tree.
    pub title: &'p str,
    /// The principal variation, which is drawn thick.
    pub line: &'p [M],
    /// True to write moves beside their branches.
    pub with_moves: bool,
    /// The language of the legend.
    pub language: Language,
}

/// Draws the tree below a node and what a search, whose trace was recorded, did in it: alpha and
/// beta at the start of the last visit, the order of visits, the value or bound, and the branches
/// that were cut.
///
/// # Errors
/// Fails when there are too many leaves.
pub fn draw<G: Game>(
    search: &Search<'_, G>,
    root: &TreeNode<G>,
    picture: &Picture<'_, G::Move>,
) -> Result<String, TooLarge> {
    let nodes = outline(search, root)?;
    let unit = search.game().unit();
    let drawing = Drawing {
        layout: layout(&nodes, unit),
        nodes,
        thick: paths(search, root, picture.line),
        unit,
        with_moves: picture.with_moves,
    };
    Ok(drawing.finish(picture.title, picture.language))
}

/// Returns the nodes on a line.
fn paths<G: Game>(search: &Search<'_, G>, root: &TreeNode<G>, line: &[G::Move]) -> HashSet<u64> {
    let mut paths = HashSet::from([root.path]);
    let mut node = root.clone();
    for m in line {
        let is_next = |child: &TreeNode<G>| child.via.as_ref() == Some(m);
        let Some(child) = search.children(&node).find(is_next) else {
            break;
        };
        paths.insert(child.path);
        node = child;
    }
    paths
}

struct Drawing {
    nodes: Vec<OutlineNode>,
    layout: Layout,
    thick: HashSet<u64>,
    unit: Value,
    with_moves: bool,
}

impl Drawing {
    fn finish(&self, title: &str, language: Language) -> String {
        let title_width = title.chars().count() as f64 * TITLE_CHARACTER;
        let width = self.layout.width.max(title_width) + 2.0 * MARGIN;
        let width = width.max(620.0);
        let height = HEADER + self.layout.levels as f64 * LEVEL_HEIGHT + FOOTER;
        let mut canvas = Canvas::default();
        canvas.text(
            (width / 2.0, 28.0),
            Font::new(16.0, INK, Anchor::Middle, true),
            title,
        );
        let offset = (width - self.layout.width) / 2.0;
        for (index, node) in self.nodes.iter().enumerate() {
            self.branch(&mut canvas, offset, index, node);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let place = self.at(offset, index);
            shape(&mut canvas, place, node, self.layout.leaf_width);
            if let Some(visits) = &node.visits {
                self.labels(&mut canvas, place, node, visits);
            }
        }
        legend(&mut canvas, width / 2.0, height, language);
        canvas.finish(width, height, title, &self.description(language))
    }

    /// Writes the nodes by Dewey number with their values, for those who do not see the picture.
    fn description(&self, language: Language) -> String {
        let node = |node: &OutlineNode| {
            let state = match node.is_reached {
                true => node.value_text(self.unit),
                false => language.pick("cut", "podado").to_owned(),
            };
            format!("{} {state}", node.dewey_text())
        };
        let nodes: Vec<String> = self.nodes.iter().map(node).collect();
        nodes.join("; ")
    }

    fn at(&self, offset: f64, index: usize) -> (f64, f64) {
        let x = self.layout.x.get(index).copied().unwrap_or(0.0);
        let level = self.nodes.get(index).map_or(0, |node| node.level);
        (x + offset, HEADER + SIZE + level as f64 * LEVEL_HEIGHT)
    }

    /// Draws the branch that leads to a node, struck out if it was cut.
    fn branch(&self, canvas: &mut Canvas, offset: f64, index: usize, node: &OutlineNode) {
        let Some(above) = node.parent else {
            return;
        };
        let Some(parent) = self.nodes.get(above) else {
            return;
        };
        let (x, y) = self.at(offset, above);
        let (to_x, to_y) = self.at(offset, index);
        let is_thick = self.thick.contains(&parent.path) && self.thick.contains(&node.path);
        let pen = match (node.is_reached, is_thick) {
            (false, _) => Pen::new(PALE, 1.2),
            (true, true) => Pen::new(INK, 3.5),
            (true, false) => Pen::new(INK, 1.2),
        };
        let (from, to) = ((x, y + SIZE), (to_x, to_y - SIZE));
        canvas.line(&[from, to], pen);
        if !node.is_reached && parent.is_reached {
            strike(canvas, from, to);
        }
        if self.with_moves {
            let (mx, my) = between(from, to, 0.62);
            let colour = if node.is_reached { INK } else { FAINT };
            let label = Font::new(10.0, colour, Anchor::Start, false);
            canvas.text((mx + 4.0, my), label, &node.via);
        }
    }

    /// Writes the labels in and beside a node.
    fn labels(&self, canvas: &mut Canvas, (x, y): (f64, f64), node: &OutlineNode, visits: &Visits) {
        let value = node.value_text(self.unit);
        if node.children.is_empty() {
            canvas.text(
                (x, y + 5.0),
                Font::new(12.0, INK, Anchor::Middle, false),
                &value,
            );
            let order = Font::new(10.0, BLUE, Anchor::Middle, false);
            canvas.text((x, y + SIZE + 13.0), order, &order_text(visits));
            return;
        }
        // Triangles have more room near their base.
        let lift = match node.mover {
            Mover::Max => 9.0,
            Mover::Min => 1.0,
            Mover::Chance => 5.0,
        };
        canvas.text(
            (x, y + lift),
            Font::new(11.0, INK, Anchor::Middle, true),
            &value,
        );
        let order = Font::new(10.0, BLUE, Anchor::End, false);
        canvas.text((x - BESIDE, y - 5.0), order, &order_text(visits));
        if let Some(window) = visits.window {
            let bound = Font::new(10.0, RED, Anchor::Start, false);
            let alpha = format!("α {}", value_text(window.alpha, self.unit));
            let beta = format!("β {}", value_text(window.beta, self.unit));
            canvas.text((x + BESIDE, y - 5.0), bound, &alpha);
            canvas.text((x + BESIDE, y + 8.0), bound, &beta);
        }
    }
}

fn between(from: (f64, f64), to: (f64, f64), share: f64) -> (f64, f64) {
    (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    )
}

/// Writes the numbers of the visits, or only the first and the last if there are many.
fn order_text(visits: &Visits) -> String {
    match visits.order.as_slice() {
        [first, _, .., last] if visits.order.len() > 2 => format!("{first},…,{last}"),
        order => {
            let numbers: Vec<String> = order.iter().map(usize::to_string).collect();
            numbers.join(",")
        }
    }
}

/// Draws two short strokes across a branch.
fn strike(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64)) {
    for share in [0.42, 0.50] {
        let (x, y) = between(from, to, share);
        canvas.line(
            &[(x - 8.0, y + 3.0), (x + 8.0, y - 3.0)],
            Pen::new(RED, 1.8),
        );
    }
}

/// Draws a triangle that points up for Max and down for Min, a circle for chance, a box for a leaf.
fn shape(canvas: &mut Canvas, (x, y): (f64, f64), node: &OutlineNode, leaf_width: f64) {
    let is_visited = node.is_reached;
    let pen = Pen::new(if is_visited { INK } else { PALE }, 1.3);
    let fill = |colour| if is_visited { colour } else { PAPER };
    if node.children.is_empty() {
        let (w, h) = (leaf_width / 2.0 - 4.0, 11.0);
        let corners = [
            (x - w, y - h),
            (x + w, y - h),
            (x + w, y + h),
            (x - w, y + h),
        ];
        return canvas.polygon(&corners, PAPER, pen);
    }
    let w = SIZE * 1.45;
    match node.mover {
        Mover::Max => {
            let corners = [(x, y - SIZE), (x + w, y + SIZE), (x - w, y + SIZE)];
            canvas.polygon(&corners, fill(MAX_FILL), pen);
        }
        Mover::Min => {
            let corners = [(x, y + SIZE), (x + w, y - SIZE), (x - w, y - SIZE)];
            canvas.polygon(&corners, fill(MIN_FILL), pen);
        }
        Mover::Chance => canvas.circle((x, y), SIZE, fill(CHANCE_FILL), pen),
    }
}

fn legend(canvas: &mut Canvas, middle: f64, height: f64, language: Language) {
    let lines = [
        (
            INK,
            language.pick(
                "triangle up: Max · triangle down: Min · circle: chance · box: leaf · thick: principal variation",
                "triángulo arriba: Max · triángulo abajo: Min · círculo: azar · caja: hoja · grueso: variante principal",
            ),
        ),
        (
            BLUE,
            language.pick(
                "numbers beside or below a node: the order of visits · ≤ ≥: a bound on the value · ≈: an estimate",
                "números junto a un nodo o debajo: el orden de las visitas · ≤ ≥: una cota del valor · ≈: una estimación",
            ),
        ),
        (
            RED,
            language.pick(
                "α β: the window at the last visit · struck out: a branch that was cut, and grey below it",
                "α β: la ventana en la última visita · tachada: una rama podada, y gris debajo de ella",
            ),
        ),
    ];
    for (number, (colour, text)) in lines.into_iter().enumerate() {
        let y = height - 48.0 + 16.0 * number as f64;
        canvas.text(
            (middle, y),
            Font::new(10.5, colour, Anchor::Middle, false),
            text,
        );
    }
}
