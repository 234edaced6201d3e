//! A tree as a picture, with what a search did in it.

use std::collections::HashSet;

use thiserror::Error;

use super::layout::{Layout, Placed, layout};
use super::svg::{Anchor, Canvas, Font, Pen};
use crate::lab::game::{Game, Player, Value, value_text};
use crate::lab::search::{Node, Search};
use crate::lab::trace::Visits;

/// The largest tree that is drawn. More than that nobody can read.
pub const MOST_LEAVES: usize = 400;

/// The tree is too large to be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the tree has more than {MOST_LEAVES} leaves: too many for a picture")]
pub struct TooLarge;

const MARGIN: f64 = 30.0;
const HEADER: f64 = 64.0;
const LEVEL_HEIGHT: f64 = 92.0;
const FOOTER: f64 = 74.0;
/// Half the height of a node.
const SIZE: f64 = 15.0;
/// From the middle of a node to what is written beside it.
const BESIDE: f64 = SIZE * 1.45 + 4.0;

const INK: &str = "#222222";
const PALE: &str = "#c4c4c4";
const RED: &str = "#c0392b";
const BLUE: &str = "#1f5fa8";
const PAPER: &str = "#ffffff";
const MAX_FILL: &str = "#fbe3c0";
const MIN_FILL: &str = "#cfe3f5";
const CHANCE_FILL: &str = "#e2dcf0";

/// What is drawn.
pub struct Picture<'p, M> {
    /// What stands above the tree.
    pub title: &'p str,
    /// The principal variation, which is drawn thick.
    pub line: &'p [M],
    /// Whether moves are written beside their branches.
    pub with_moves: bool,
}

/// Draws the tree below a node and what a search, whose trace was recorded, did in it: alpha and beta at each node as they
/// were at the last visit, the order of visits, the value or the bound that was found, and the branches that were cut.
///
/// # Errors
/// When there are too many leaves.
pub fn draw<G: Game>(
    search: &Search<'_, G>,
    root: &Node<G>,
    picture: &Picture<'_, G::Move>,
) -> Result<String, TooLarge> {
    let layout = layout(search, root, MOST_LEAVES).ok_or(TooLarge)?;
    let visits: Vec<Option<&Visits>> = layout
        .nodes
        .iter()
        .map(|placed| search.trace()?.at(placed.path))
        .collect();
    let drawing = Drawing {
        reached: reached(&layout, &visits),
        visits,
        thick: paths(search, root, picture.line),
        unit: search.game().unit(),
        with_moves: picture.with_moves,
        layout,
    };
    Ok(drawing.finish(picture.title))
}

/// Star2 probes replies to a throw before it comes to the throw itself.
fn reached(layout: &Layout, visits: &[Option<&Visits>]) -> Vec<bool> {
    let mut reached: Vec<bool> = visits.iter().map(Option::is_some).collect();
    // Children have larger numbers than their parents.
    for (index, placed) in layout.nodes.iter().enumerate().rev() {
        let below = |child: &usize| reached.get(*child).copied().unwrap_or(false);
        let is_any_below = placed.children.iter().any(below);
        if let Some(is_reached) = reached.get_mut(index) {
            *is_reached |= is_any_below;
        }
    }
    reached
}

/// The nodes on a line.
fn paths<G: Game>(search: &Search<'_, G>, root: &Node<G>, line: &[G::Move]) -> HashSet<u64> {
    let mut paths = HashSet::from([root.path]);
    let mut node = root.clone();
    for m in line {
        let is_next = |child: &Node<G>| child.via.as_ref() == Some(m);
        let Some(child) = search.children(&node).find(is_next) else {
            break;
        };
        paths.insert(child.path);
        node = child;
    }
    paths
}

struct Drawing<'t> {
    layout: Layout,
    /// What happened at each node of the layout.
    visits: Vec<Option<&'t Visits>>,
    /// Whether the search came to each node, or past it to one below.
    reached: Vec<bool>,
    thick: HashSet<u64>,
    unit: Value,
    with_moves: bool,
}

impl Drawing<'_> {
    fn finish(&self, title: &str) -> String {
        let width = (self.layout.width + 2.0 * MARGIN).max(620.0);
        let height = HEADER + self.layout.levels as f64 * LEVEL_HEIGHT + FOOTER;
        let mut canvas = Canvas::default();
        canvas.text(
            (width / 2.0, 28.0),
            font(16.0, INK, Anchor::Middle, true),
            title,
        );
        let offset = (width - self.layout.width) / 2.0;
        for index in 0..self.layout.nodes.len() {
            self.branches(&mut canvas, offset, index);
        }
        for (index, placed) in self.layout.nodes.iter().enumerate() {
            let place = at(offset, placed);
            shape(&mut canvas, place, placed, self.is_reached(index));
            if let Some(visits) = self.visits.get(index).copied().flatten() {
                self.labels(&mut canvas, place, placed, visits);
            }
        }
        legend(&mut canvas, width / 2.0, height);
        canvas.finish(width, height)
    }

    fn is_reached(&self, index: usize) -> bool {
        self.reached.get(index).copied().unwrap_or(false)
    }

    /// The branches to the children of a node; those that were cut are struck out.
    fn branches(&self, canvas: &mut Canvas, offset: f64, index: usize) {
        let Some(placed) = self.layout.nodes.get(index) else {
            return;
        };
        let (x, y) = at(offset, placed);
        for child in &placed.children {
            let Some(below) = self.layout.nodes.get(*child) else {
                continue;
            };
            let (to_x, to_y) = at(offset, below);
            let is_visited = self.is_reached(*child);
            let is_thick = self.thick.contains(&placed.path) && self.thick.contains(&below.path);
            let pen = match (is_visited, is_thick) {
                (false, _) => Pen::new(PALE, 1.2),
                (true, true) => Pen::new(INK, 3.5),
                (true, false) => Pen::new(INK, 1.2),
            };
            canvas.line(&[(x, y + SIZE), (to_x, to_y - SIZE)], pen);
            if !is_visited && self.is_reached(index) {
                strike(canvas, (x, y + SIZE), (to_x, to_y - SIZE));
            }
            if self.with_moves {
                let (mx, my) = between((x, y + SIZE), (to_x, to_y - SIZE), 0.62);
                let colour = if is_visited { INK } else { PALE };
                canvas.text(
                    (mx + 4.0, my),
                    font(10.0, colour, Anchor::Start, false),
                    &below.via,
                );
            }
        }
    }

    /// What is written in and beside a node.
    fn labels(&self, canvas: &mut Canvas, (x, y): (f64, f64), placed: &Placed, visits: &Visits) {
        let is_leaf = placed.children.is_empty();
        if is_leaf {
            // A leaf's value is no bound, whatever the window.
            let value = visits
                .value
                .map_or(String::new(), |value| value_text(value, self.unit));
            canvas.text((x, y + 5.0), font(12.0, INK, Anchor::Middle, false), &value);
            let order = font(10.0, BLUE, Anchor::Middle, false);
            canvas.text((x, y + SIZE + 13.0), order, &order_text(visits));
            return;
        }
        // Triangles have their room nearer to their base.
        let lift = match placed.player {
            Player::Max => 9.0,
            Player::Min => 1.0,
            Player::Chance => 5.0,
        };
        let value = self.value(visits);
        canvas.text((x, y + lift), font(11.0, INK, Anchor::Middle, true), &value);
        let order = font(10.0, BLUE, Anchor::End, false);
        canvas.text((x - BESIDE, y - 5.0), order, &order_text(visits));
        if let Some(window) = visits.window {
            let bound = font(10.0, RED, Anchor::Start, false);
            let alpha = format!("α {}", value_text(window.alpha, self.unit));
            let beta = format!("β {}", value_text(window.beta, self.unit));
            canvas.text((x + BESIDE, y - 5.0), bound, &alpha);
            canvas.text((x + BESIDE, y + 8.0), bound, &beta);
        }
    }

    /// The value that a node has, or the bound on it.
    fn value(&self, visits: &Visits) -> String {
        let Some(value) = visits.value else {
            return String::new();
        };
        let text = value_text(value, self.unit);
        match visits.window {
            Some(window) if value <= window.alpha => format!("≤{text}"),
            Some(window) if value >= window.beta => format!("≥{text}"),
            _ => text,
        }
    }
}

fn at(offset: f64, placed: &Placed) -> (f64, f64) {
    let y = HEADER + SIZE + placed.level as f64 * LEVEL_HEIGHT;
    (placed.x + offset, y)
}

fn between(from: (f64, f64), to: (f64, f64), share: f64) -> (f64, f64) {
    (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    )
}

fn font(size: f64, colour: &'static str, anchor: Anchor, bold: bool) -> Font {
    Font {
        size,
        colour,
        anchor,
        bold,
    }
}

/// The numbers of the visits; of many the first and the last one.
fn order_text(visits: &Visits) -> String {
    match visits.order.as_slice() {
        [first, _, .., last] if visits.order.len() > 2 => format!("{first},…,{last}"),
        order => {
            let numbers: Vec<String> = order.iter().map(usize::to_string).collect();
            numbers.join(",")
        }
    }
}

/// Two short strokes across a branch.
fn strike(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64)) {
    for share in [0.42, 0.50] {
        let (x, y) = between(from, to, share);
        canvas.line(
            &[(x - 8.0, y + 3.0), (x + 8.0, y - 3.0)],
            Pen::new(RED, 1.8),
        );
    }
}

/// A triangle that points up for Max and down for Min, a circle for chance, a box for a leaf.
fn shape(canvas: &mut Canvas, (x, y): (f64, f64), placed: &Placed, is_visited: bool) {
    let pen = Pen::new(if is_visited { INK } else { PALE }, 1.3);
    let fill = |colour| if is_visited { colour } else { PAPER };
    if placed.children.is_empty() {
        let (w, h) = (19.0, 11.0);
        let corners = [
            (x - w, y - h),
            (x + w, y - h),
            (x + w, y + h),
            (x - w, y + h),
        ];
        return canvas.polygon(&corners, PAPER, pen);
    }
    let w = SIZE * 1.45;
    match placed.player {
        Player::Max => {
            let corners = [(x, y - SIZE), (x + w, y + SIZE), (x - w, y + SIZE)];
            canvas.polygon(&corners, fill(MAX_FILL), pen);
        }
        Player::Min => {
            let corners = [(x, y + SIZE), (x + w, y - SIZE), (x - w, y - SIZE)];
            canvas.polygon(&corners, fill(MIN_FILL), pen);
        }
        Player::Chance => canvas.circle((x, y), SIZE, fill(CHANCE_FILL), pen),
    }
}

fn legend(canvas: &mut Canvas, middle: f64, height: f64) {
    let lines = [
        (
            INK,
            "triangle up: Max · triangle down: Min · circle: chance · box: leaf · thick: principal variation",
        ),
        (
            BLUE,
            "numbers beside or below a node: the order of visits · ≤ ≥: a bound on the value",
        ),
        (
            RED,
            "α β: the window at the last visit · struck out: a branch that was cut, and grey below it",
        ),
    ];
    for (number, (colour, text)) in lines.into_iter().enumerate() {
        let y = height - 48.0 + 16.0 * number as f64;
        canvas.text((middle, y), font(10.5, colour, Anchor::Middle, false), text);
    }
}
