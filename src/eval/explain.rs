//! The evaluation of a position as text for people.

use std::fmt::Write as _;

use super::nnue::{self, Network};
use super::{classical, known_ending};
use crate::position::Position;

/// Describes the evaluation of a position: what each piece is worth to the network, or the
/// hand-written evaluation term by term. The latter follows the network's when `compare` is set.
pub fn explain(network: Option<&Network>, position: &Position, compare: bool) -> String {
    let Some(network) = network else {
        return classical::explain(position);
    };
    let mut text = nnue::explain(network, position);
    if let Some(value) = known_ending(position) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "The search uses a known result here instead of the network: {:+.2} for the side to move",
            f64::from(value) / 100.0
        );
    }
    if compare {
        text.push_str("\nThe hand-written evaluation, in pawns, which the search does not use:\n");
        text.push_str(&classical::explain(position));
    }
    text
}
