//! The positions of a book that play from the initial position reaches. A book may have moves for one side only: what the other
//! side plays is any move after which the book knows the position.

use std::collections::HashMap;

use crate::book::entry::find_move;
use crate::book::{Entry, key};
use crate::position::{Move, Position};

/// A move of a book.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move, which is legal.
    pub m: Move,
    /// Its weight.
    pub weight: u16,
    /// The node that it leads to.
    pub child: usize,
}

/// A position that can be reached.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// Its key.
    pub key: u64,
    /// The shortest way to it, in plies.
    pub ply: usize,
    /// The last move of that way, and the node that it comes from.
    pub parent: Option<(usize, Move)>,
    /// The moves that the book has here; none at an exit.
    pub edges: Vec<Edge>,
    /// Positions of the book that moves lead to which the book does not have here: the other side may play what it likes.
    pub links: Vec<usize>,
    /// Whether a move of the book leads here.
    pub by_book: bool,
    /// Entries that are no legal move here.
    pub illegal: Vec<Entry>,
    /// Entries with a move that another entry has as well.
    pub repeated: usize,
}

/// The positions that can be reached, nearest first; those without moves to which the book leads are part of it.
#[derive(Debug)]
pub struct Graph {
    /// The positions; the first is the initial one.
    pub nodes: Vec<Node>,
}

impl Graph {
    /// Plays all moves of a book with at least this weight, and all other moves after which the book knows the position.
    pub fn new(entries: impl IntoIterator<Item = Entry>, min_weight: u16) -> Graph {
        let mut book = HashMap::<u64, Vec<Entry>>::new();
        for entry in entries {
            book.entry(entry.key).or_default().push(entry);
        }
        let start = Position::initial();
        let mut walk = Walk {
            index: HashMap::from([(key(&start), 0)]),
            nodes: vec![Node::new(start, 0, None)],
        };
        let mut next = 0;
        while let Some(node) = walk.nodes.get(next) {
            let (position, key) = (node.position.clone(), node.key);
            let entries = book.get(&key).map_or(&[][..], Vec::as_slice);
            walk.play_book(next, &position, entries, min_weight);
            walk.play_others(next, &position, |key| book.contains_key(&key));
            next += 1;
        }
        Graph { nodes: walk.nodes }
    }

    /// Where the book leaves the game.
    pub fn exits(&self) -> impl Iterator<Item = &Node> {
        self.nodes
            .iter()
            .filter(|node| node.by_book && node.edges.is_empty())
    }

    /// The moves of the shortest way to a node, each with the position before it.
    pub fn path(&self, node: &Node) -> Vec<(&Position, Move)> {
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

/// The walk that makes a graph.
struct Walk {
    nodes: Vec<Node>,
    /// By key.
    index: HashMap<u64, usize>,
}

impl Walk {
    fn play_book(&mut self, from: usize, position: &Position, entries: &[Entry], min_weight: u16) {
        let (mut edges, mut illegal, mut repeated) = (Vec::<Edge>::new(), Vec::new(), 0);
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
                edges.push(Edge {
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

    /// The node of a position that a move leads to.
    fn reach(&mut self, from: usize, m: Move, child: Position) -> usize {
        *self.index.entry(key(&child)).or_insert_with(|| {
            let ply = self.nodes.get(from).map_or(0, |node| node.ply + 1);
            self.nodes.push(Node::new(child, ply, Some((from, m))));
            self.nodes.len() - 1
        })
    }
}

impl Node {
    fn new(position: Position, ply: usize, parent: Option<(usize, Move)>) -> Node {
        Node {
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
