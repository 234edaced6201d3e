//! The positions of a book that can be reached from the initial position. A book may have moves for
//! one side only: then any move of the other side after which the book knows the position is
//! followed.

use std::collections::HashMap;

use crate::book::entry::find_move;
use crate::book::{BookEntry, key};
use crate::position::{Move, Position};

/// A move of a book.
#[derive(Clone, Copy, Debug)]
pub struct BookEdge {
    /// The legal move.
    pub m: Move,
    /// The weight.
    pub weight: u16,
    /// The node after the move.
    pub child: usize,
}

/// A reachable position.
#[derive(Clone, Debug)]
pub struct BookNode {
    /// The position.
    pub position: Position,
    /// The Polyglot key.
    pub key: u64,
    /// The length of the shortest path in plies.
    pub ply: usize,
    /// The last move of that path, and the node before it.
    pub parent: Option<(usize, Move)>,
    /// The moves of the book, none at a leaf.
    pub edges: Vec<BookEdge>,
    /// Positions of the book after moves that the book does not have here.
    pub links: Vec<usize>,
    /// True if a move of the book leads to the position.
    pub by_book: bool,
    /// The entries with an illegal move.
    pub illegal: Vec<BookEntry>,
    /// The number of entries with the move of another entry.
    pub repeated: usize,
}

/// The reachable positions, nearest first, including the leaves.
#[derive(Debug)]
pub struct BookGraph {
    /// The positions, the initial one first.
    pub nodes: Vec<BookNode>,
}

impl BookGraph {
    /// Returns the graph of all moves with at least this weight, and all other moves after which
    /// the book knows the position.
    pub fn new(entries: impl IntoIterator<Item = BookEntry>, min_weight: u16) -> BookGraph {
        let mut book = HashMap::<u64, Vec<BookEntry>>::new();
        for entry in entries {
            book.entry(entry.key).or_default().push(entry);
        }
        let start = Position::initial();
        let mut walk = BookTraversal {
            index: HashMap::from([(key(&start), 0)]),
            nodes: vec![BookNode::new(start, 0, None)],
        };
        let mut next = 0;
        while let Some(node) = walk.nodes.get(next) {
            let (position, key) = (node.position.clone(), node.key);
            let entries = book.get(&key).map_or(&[][..], Vec::as_slice);
            walk.play_book(next, &position, entries, min_weight);
            walk.play_others(next, &position, |key| book.contains_key(&key));
            next += 1;
        }
        BookGraph { nodes: walk.nodes }
    }

    /// Returns the positions in which the book ends.
    pub fn leaves(&self) -> impl Iterator<Item = &BookNode> {
        self.nodes
            .iter()
            .filter(|node| node.by_book && node.edges.is_empty())
    }

    /// Returns the moves of the shortest path to a node, each with the position before it.
    pub fn path(&self, node: &BookNode) -> Vec<(&Position, Move)> {
        let mut path = Vec::new();
        let mut step = node.parent;
        while let Some((index, m)) = step {
            let Some(parent) = self.nodes.get(index) else {
                break;
            };
            path.push((&parent.position, m));
            step = parent.parent;
        }
        path.reverse();
        path
    }
}

/// A breadth-first traversal that builds the graph.
struct BookTraversal {
    nodes: Vec<BookNode>,
    /// Nodes by key.
    index: HashMap<u64, usize>,
}

impl BookTraversal {
    fn play_book(
        &mut self,
        from: usize,
        position: &Position,
        entries: &[BookEntry],
        min_weight: u16,
    ) {
        let (mut edges, mut illegal, mut repeated) = (Vec::<BookEdge>::new(), Vec::new(), 0);
        for &entry in entries {
            let Some(m) = find_move(position, entry.code) else {
                illegal.push(entry);
                continue;
            };
            if edges.iter().any(|edge| edge.m == m) {
                repeated += 1;
            } else if entry.weight >= min_weight {
                let child = self.reach(from, m, position.play(m));
                if let Some(child) = self.nodes.get_mut(child) {
                    child.by_book = true;
                }
                edges.push(BookEdge {
                    m,
                    weight: entry.weight,
                    child,
                });
            }
        }
        if let Some(node) = self.nodes.get_mut(from) {
            (node.edges, node.illegal, node.repeated) = (edges, illegal, repeated);
        }
    }

    fn play_others(&mut self, from: usize, position: &Position, in_book: impl Fn(u64) -> bool) {
        let mut links = Vec::new();
        for m in position.legal_moves() {
            let child = position.play(m);
            let node = self.nodes.get(from);
            let is_edge = node.is_some_and(|node| node.edges.iter().any(|edge| edge.m == m));
            if !is_edge && in_book(key(&child)) {
                links.push(self.reach(from, m, child));
            }
        }
        if let Some(node) = self.nodes.get_mut(from) {
            node.links = links;
        }
    }

    /// Returns the node of a position, which is added if it is new.
    fn reach(&mut self, from: usize, m: Move, child: Position) -> usize {
        *self.index.entry(key(&child)).or_insert_with(|| {
            let ply = self.nodes.get(from).map_or(0, |node| node.ply + 1);
            self.nodes.push(BookNode::new(child, ply, Some((from, m))));
            self.nodes.len() - 1
        })
    }
}

impl BookNode {
    fn new(position: Position, ply: usize, parent: Option<(usize, Move)>) -> BookNode {
        BookNode {
            key: key(&position),
            position,
            ply,
            parent,
            edges: Vec::new(),
            links: Vec::new(),
            by_book: false,
            illegal: Vec::new(),
            repeated: 0,
        }
    }
}
