//! Star1 and Star2: expectiminimax with cut-offs at chance nodes.
//!
//! Ballard, *The \*-Minimax Search Procedure for Trees Containing Chance Nodes* (1983). All
//! evaluations lie between a smallest and a largest value, so the values of some throws already
//! bound the mean. Star2 first probes one reply to each throw, which gives tighter bounds at little
//! cost.

use super::child_loop::best_reply;
use super::expectiminimax::{mean_of, weight};
use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TO_THE_END, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max, if it lies inside the window, and otherwise a bound on it.
///
/// # Errors
/// Fails when a limit is reached.
pub fn star1<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    value(search, node, window, false)
}

/// As [`star1`], but probes one reply to each throw first.
///
/// # Errors
/// Fails when a limit is reached.
pub fn star2<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    value(search, node, window, true)
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    probes: bool,
) -> SearchResult<G> {
    if let Some(value) = search.open(node, Some(window))? {
        return Ok(Valuation::leaf(value));
    }
    if search.player(node) == Mover::Chance {
        let mean = mean(search, node, window, probes)?;
        search.close(node, mean);
        return Ok(Valuation::leaf(mean));
    }
    let sign = search.sign(node)?;
    let children = search.children(node);
    let reply = |search: &mut Search<'_, G>, child: &TreeNode<G>, window: Window| {
        Ok(value(search, child, window.turned(sign), probes)?.turned(sign))
    };
    let nothing = Valuation::leaf(-INFINITY);
    let best = best_reply(search, node, children, window.turned(sign), nothing, reply)?;
    Ok(best.turned(sign))
}

/// A throw: the node that it leads to, its weight, and bounds on its value.
struct Throw<G: Game> {
    node: TreeNode<G>,
    weight: Value,
    lower: Value,
    upper: Value,
}

/// The throws of a chance node, and weighted sums of their bounds.
struct Throws<G: Game> {
    throws: Vec<Throw<G>>,
    weights: Value,
    /// The sum of weight times lower bound.
    lower: i128,
    /// The sum of weight times upper bound.
    upper: i128,
}

impl<G: Game> Throws<G> {
    fn new(search: &Search<'_, G>, node: &TreeNode<G>) -> Throws<G> {
        let (lower, upper) = match node.depth {
            TO_THE_END => search.game().utility_range(),
            _ => search.game().range(),
        };
        let throw = |child: TreeNode<G>| Throw {
            weight: weight(search, node, &child),
            node: child,
            lower,
            upper,
        };
        let throws: Vec<Throw<G>> = search.children(node).map(throw).collect();
        let weights = throws.iter().map(|throw| throw.weight).sum();
        Throws {
            throws,
            weights,
            lower: i128::from(weights) * i128::from(lower),
            upper: i128::from(weights) * i128::from(upper),
        }
    }

    /// Returns the mean, or a bound on it outside of the window, once no further search can change
    /// it.
    fn decided(&self, window: Window) -> Option<Value> {
        let (lower, upper) = (self.mean(self.lower), self.mean(self.upper));
        if lower >= window.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= window.alpha).then_some(upper)
        }
    }

    fn mean(&self, sum: i128) -> Value {
        mean_of(sum, self.weights)
    }

    /// Returns the window for one throw. A value of at least `beta` brings the mean to the node's
    /// beta whatever the other throws are worth, and one of at most `alpha` keeps it at the node's
    /// alpha.
    fn window_of(&self, throw: &Throw<G>, window: Window) -> Window {
        let weights = i128::from(self.weights);
        let weight = i128::from(throw.weight);
        let others_lower = self.lower - weight * i128::from(throw.lower);
        let others_upper = self.upper - weight * i128::from(throw.upper);
        // The smallest v with weight * v + others_lower >= beta * weights, and the largest with
        // weight * v + others_upper < (alpha + 1) * weights, since a mean is rounded down.
        let beta = -(others_lower - i128::from(window.beta) * weights).div_euclid(weight);
        let alpha =
            ((i128::from(window.alpha) + 1) * weights - 1 - others_upper).div_euclid(weight);
        let clamp = |value: i128, end: Value| -> Value {
            let (low, high) = (throw.lower - 1, throw.upper + 1);
            Value::try_from(value).map_or(end, |value| value.clamp(low, high))
        };
        Window {
            alpha: clamp(alpha, throw.lower - 1),
            beta: clamp(beta, throw.upper + 1),
        }
    }

    /// Narrows the bounds of a throw.
    fn learn(&mut self, index: usize, lower: Value, upper: Value) {
        let Some(throw) = self.throws.get_mut(index) else {
            return;
        };
        let lower = throw.lower.max(lower);
        let upper = throw.upper.min(upper);
        let weight = i128::from(throw.weight);
        self.lower += weight * i128::from(lower - throw.lower);
        self.upper += weight * i128::from(upper - throw.upper);
        (throw.lower, throw.upper) = (lower, upper);
    }
}

/// Returns the mean over the throws, or a bound on it.
fn mean<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    probes: bool,
) -> Result<Value, Halt> {
    let mut throws = Throws::new(search, node);
    if probes {
        for index in 0..throws.throws.len() {
            if let Some(value) = throws.decided(window) {
                search.cut(node);
                return Ok(value);
            }
            probe(search, &mut throws, index, window)?;
        }
    }
    for index in 0..throws.throws.len() {
        if let Some(value) = throws.decided(window) {
            search.cut(node);
            return Ok(value);
        }
        let Some(throw) = throws.throws.get(index) else {
            break;
        };
        if throw.lower == throw.upper {
            continue;
        }
        let asked = throws.window_of(throw, window);
        let reply = value(search, &throw.node, asked, probes)?.value;
        let lower = if reply > asked.alpha {
            reply
        } else {
            -INFINITY
        };
        let upper = if reply < asked.beta { reply } else { INFINITY };
        throws.learn(index, lower, upper);
    }
    // All throws have been searched: the mean is exact, or one of them moved it out of the window.
    let (lower, upper) = (throws.mean(throws.lower), throws.mean(throws.upper));
    Ok(if lower >= window.beta { lower } else { upper })
}

/// Searches one reply to a throw, which bounds the throw's value on one side.
fn probe<G: Game>(
    search: &mut Search<'_, G>,
    throws: &mut Throws<G>,
    index: usize,
    window: Window,
) -> Result<(), Halt> {
    let Some(throw) = throws.throws.get(index) else {
        return Ok(());
    };
    let node = &throw.node;
    let player = search.player(node);
    if node.depth == 0 || search.is_end(node) || player == Mover::Chance {
        return Ok(());
    }
    let Some(reply) = search.children(node).next() else {
        return Ok(());
    };
    let asked = throws.window_of(throw, window);
    // The window is open on one side, so that the result always is a bound on that side.
    if player == Mover::Max {
        let asked = Window::new(throw.lower - 1, asked.beta.max(throw.lower));
        let bound = value(search, &reply, asked, true)?.value;
        throws.learn(index, bound, INFINITY);
    } else {
        let asked = Window::new(asked.alpha.min(throw.upper), throw.upper + 1);
        let bound = value(search, &reply, asked, true)?.value;
        throws.learn(index, -INFINITY, bound);
    }
    Ok(())
}
