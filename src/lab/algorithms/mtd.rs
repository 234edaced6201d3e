//! MTD: null-window searches with memory that close in on the value.
//!
//! Plaat, Schaeffer, Pijls and de Bruin, *Best-First Fixed-Depth Minimax Algorithms* (1996): MT is the function `test`, MTD(f)
//! begins with a guess, MTD(+∞) with the largest value, and then visits the leaves of SSS* in its order. MTD(-∞) is DUAL*.

use crate::lab::game::{Game, INFINITY, Player, Value};
use crate::lab::search::{Found, Halt, Node, Outcome, Search, Window};
use crate::lab::table::{Bounds, Table};

/// The value of a node, for Max, beginning with a guess at it.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn mtd<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, guess: Value) -> Found<G> {
    let mut table = Table::default();
    let mut value = guess;
    let mut known = Bounds::UNKNOWN;
    while known.lower < known.upper {
        // A null window is (beta - 1, beta): one with alpha = beta contains no question.
        let beta = value.max(known.lower + 1);
        value = test(search, &mut table, node, Window::above(beta - 1))?;
        if value < beta {
            known.upper = value;
        } else {
            known.lower = value;
        }
    }
    let line = line(search, &table, node, value);
    Ok(Outcome { value, line })
}

/// Alpha-beta with memory: a bound on the value of a node, for Max, that lies on the same side of the window.
fn test<G: Game>(
    search: &mut Search<'_, G>,
    table: &mut Table<G>,
    node: &Node<G>,
    mut window: Window,
) -> Result<Value, Halt> {
    if let Some(known) = table.get(node) {
        if known.lower >= window.beta || known.lower == known.upper {
            search.table_hit();
            return Ok(known.lower);
        }
        if known.upper <= window.alpha {
            search.table_hit();
            return Ok(known.upper);
        }
    }
    if let Some(value) = search.open(node, Some(window))? {
        let exact = Bounds {
            lower: value,
            upper: value,
        };
        table.put(search, node, exact)?;
        return Ok(value);
    }
    let asked = window;
    let sign = search.sign(node)?;
    let mut best = -sign * INFINITY;
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let reply = test(search, table, &child, window)?;
        if sign > 0 {
            best = best.max(reply);
            window.alpha = window.alpha.max(best);
        } else {
            best = best.min(reply);
            window.beta = window.beta.min(best);
        }
        if window.is_empty() {
            if children.len() > 0 {
                search.cut();
            }
            break;
        }
    }
    let found = Bounds {
        lower: if best > asked.alpha { best } else { -INFINITY },
        upper: if best < asked.beta { best } else { INFINITY },
    };
    table.put(search, node, found)?;
    search.close(node, best);
    Ok(best)
}

/// The principal variation: Max's moves are those that prove that the value is no smaller, Min's those that prove that
/// it is no larger. Where both proofs meet, both bounds are known and equal.
fn line<G: Game>(
    search: &Search<'_, G>,
    table: &Table<G>,
    node: &Node<G>,
    value: Value,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut node = node.clone();
    while node.depth > 0 && !search.is_end(&node) && search.player(&node) != Player::Chance {
        let is_next = |child: &Node<G>| {
            let exact = Bounds {
                lower: value,
                upper: value,
            };
            table.get(child) == Some(exact)
        };
        let Some(child) = search.children(&node).find(is_next) else {
            break;
        };
        line.extend(child.via.clone());
        node = child;
    }
    line
}
