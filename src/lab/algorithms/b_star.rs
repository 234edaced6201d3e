//! B*: best-first search for the best move, with an optimistic and a pessimistic value of each
//! position.
//!
//! Berliner, *The B\* Tree Search Algorithm: A Best-First Proof Procedure* (1979). The search ends
//! as soon as one move's pessimistic value is no worse than every other move's optimistic value. To
//! get there it either raises the pessimistic value of the best move (PROVEBEST) or lowers the
//! optimistic value of its strongest rival (DISPROVEREST). So the best move is certain, and its
//! value only bounded.

use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation};
use crate::lab::table::Bounds;
use crate::lab::trace::ValueBound;

struct Bounded<G: Game> {
    node: TreeNode<G>,
    parent: Option<usize>,
    children: Vec<usize>,
    bounds: Bounds,
}

/// The tree that has been searched so far; the root is the first node.
struct Tree<G: Game> {
    nodes: Vec<Bounded<G>>,
}

/// Returns the best move, with the pessimistic value of the position for the player who moves
/// there.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn b_star<G: Game>(search: &mut Search<'_, G>, root: &TreeNode<G>) -> SearchResult<G> {
    let sign = search.sign(root)?;
    let mut tree = Tree { nodes: Vec::new() };
    tree.push(search, root.clone(), None)?;
    tree.expand(search, 0)?;
    let mut proves_best = true;
    while let Some((best, rival)) = tree.best_and_rival(sign) {
        let Some(rival) = rival else {
            break;
        };
        let (best_bounds, rival_bounds) = (tree.view(best, sign), tree.view(rival, sign));
        if best_bounds.lower >= rival_bounds.upper {
            break;
        }
        // The wider interval promises more; of equal ones they take turns.
        let width = |bounds: Bounds| bounds.upper.saturating_sub(bounds.lower);
        let (first, second) = (width(best_bounds), width(rival_bounds));
        let target = if first > second || (first == second && proves_best) {
            best
        } else {
            rival
        };
        proves_best = !proves_best;
        let leaf = tree.most_promising_leaf(search, target)?;
        tree.expand(search, leaf)?;
    }
    let Some((best, _)) = tree.best_and_rival(sign) else {
        // A leaf: both bounds are its value.
        return Ok(Valuation::leaf(tree.bounds(0).lower));
    };
    let found = tree.view(best, sign);
    let value = sign * found.lower;
    let bound = match (found.lower == found.upper, sign > 0) {
        (true, _) => ValueBound::Exact,
        (false, true) => ValueBound::Lower,
        (false, false) => ValueBound::Upper,
    };
    search.close_with_bound(root, value, bound);
    let line = tree.nodes.get(best).and_then(|best| best.node.via.clone());
    Ok(Valuation {
        value,
        line: line.into_iter().collect(),
    })
}

impl<G: Game> Tree<G> {
    fn push(
        &mut self,
        search: &mut Search<'_, G>,
        node: TreeNode<G>,
        parent: Option<usize>,
    ) -> Result<usize, Halt> {
        search.sign(&node)?;
        let bounds = match search.open(&node, None)? {
            Some(value) => Bounds {
                lower: value,
                upper: value,
            },
            None => {
                let (lower, upper) = search.game().bounds(&node.state);
                let bounds = Bounds { lower, upper };
                search.narrow(&node, bounds);
                bounds
            }
        };
        self.nodes.push(Bounded {
            node,
            parent,
            children: Vec::new(),
            bounds,
        });
        search.stored(self.nodes.len(), size_of::<Bounded<G>>())?;
        Ok(self.nodes.len() - 1)
    }

    fn bounds(&self, index: usize) -> Bounds {
        self.nodes
            .get(index)
            .map_or(Bounds::UNKNOWN, |node| node.bounds)
    }

    /// Returns a node's bounds as the player with this sign sees them.
    fn view(&self, index: usize, sign: Value) -> Bounds {
        let bounds = self.bounds(index);
        if sign > 0 {
            return bounds;
        }
        Bounds {
            lower: -bounds.upper,
            upper: -bounds.lower,
        }
    }

    /// Makes the children of a node, and backs their bounds up to the root.
    fn expand(&mut self, search: &mut Search<'_, G>, index: usize) -> Result<(), Halt> {
        let Some(node) = self.nodes.get(index).map(|bounded| bounded.node.clone()) else {
            return Ok(());
        };
        if node.depth == 0 || search.is_end(&node) {
            return Ok(());
        }
        let children: Vec<TreeNode<G>> = search.children(&node).collect();
        for child in children {
            let child = self.push(search, child, Some(index))?;
            if let Some(node) = self.nodes.get_mut(index) {
                node.children.push(child);
            }
        }
        let mut next = Some(index);
        while let Some(index) = next {
            self.back_up(search, index);
            next = self.nodes.get(index).and_then(|node| node.parent);
        }
        Ok(())
    }

    fn back_up(&mut self, search: &mut Search<'_, G>, index: usize) {
        let Some(node) = self.nodes.get(index) else {
            return;
        };
        let is_max = search.player(&node.node) == Mover::Max;
        let start = if is_max { -INFINITY } else { INFINITY };
        let best = |a: Value, b: Value| if is_max { a.max(b) } else { a.min(b) };
        let mut found = Bounds {
            lower: start,
            upper: start,
        };
        for child in &node.children {
            let child = self.bounds(*child);
            found.lower = best(found.lower, child.lower);
            found.upper = best(found.upper, child.upper);
        }
        search.update(&node.node, None, found.lower);
        if let Some(node) = self.nodes.get_mut(index) {
            // What was known before stays known.
            node.bounds.lower = node.bounds.lower.max(found.lower);
            node.bounds.upper = node.bounds.upper.min(found.upper);
            search.narrow(&node.node, node.bounds);
        }
    }

    /// Returns the root's child with the largest optimistic value for the player who moves, and the
    /// strongest of the others.
    fn best_and_rival(&self, sign: Value) -> Option<(usize, Option<usize>)> {
        let mut children = self.nodes.first()?.children.clone();
        children.sort_by_key(|child| {
            let bounds = self.view(*child, sign);
            (-bounds.upper, -bounds.lower)
        });
        let mut children = children.into_iter();
        Some((children.next()?, children.next()))
    }

    /// Descends to a leaf along the most optimistic moves of both players.
    fn most_promising_leaf(&self, search: &Search<'_, G>, mut index: usize) -> Result<usize, Halt> {
        while let Some(node) = self.nodes.get(index) {
            let sign = search.sign(&node.node)?;
            let open = |child: &&usize| {
                let bounds = self.bounds(**child);
                bounds.lower < bounds.upper
            };
            let most = |child: &&usize| self.view(**child, sign).upper;
            let children = node.children.iter().filter(open);
            // The first of equal children.
            match children.rev().max_by_key(most) {
                Some(child) => index = *child,
                None => break,
            }
        }
        Ok(index)
    }
}
