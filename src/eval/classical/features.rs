//! The evaluation as a linear function, for the tuner.

use std::fmt::Write as _;

use super::pair::Pair;
use super::terms::{FEATURES, TABLES, Term};
use super::trace::Recorder;
use super::{MAX_PHASE, linear, phase, tapered};
use crate::eval::endgame::{self, FULL_SCALE};
use crate::position::Position;

/// A position as the tuner sees it. Its value for White, in centipawns, is `scale * sum(count *
/// (middlegame * phase + endgame * (1 - phase)))`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    /// The features in ascending order, each with White's count minus Black's. Zeros are left out.
    pub counts: Vec<(u16, i16)>,
    /// The weight of the middlegame values, 0 to 1.
    pub phase: f32,
    /// The scale of drawish material, 0 to 1. It depends on which side is better and is treated as
    /// constant.
    pub scale: f32,
}

/// Extracts the features of a position. Returns `None` for known endings, where the weights have no
/// influence.
pub fn features(position: &Position) -> Option<Features> {
    if endgame::known_ending(position).is_some() {
        return None;
    }
    let mut recorder = Recorder::new();
    let value = linear(position, &mut recorder);
    let phase = phase(position);
    let scale = endgame::scale(position, tapered(value, phase));
    let counts = (0u16..)
        .zip(&recorder.counts)
        .map(|(feature, [white, black])| (feature, (white - black) as i16))
        .filter(|&(_, count)| count != 0)
        .collect();
    Some(Features {
        counts,
        phase: phase as f32 / MAX_PHASE as f32,
        scale: scale as f32 / FULL_SCALE as f32,
    })
}

/// Returns the weights of the evaluation by feature number.
pub fn current_weights() -> Vec<Pair> {
    TABLES
        .iter()
        .flat_map(|table| table.iter().copied())
        .collect()
}

/// Returns the source of `src/eval/classical/weights.rs` for these weights, one for each feature.
pub fn weights_source(weights: &[Pair]) -> String {
    debug_assert_eq!(weights.len(), FEATURES);
    let mut text = String::from(
        "//! The weights of the hand-written evaluation: middlegame and endgame, in centipawns.\n\
         //!\n\
         //! Written by `quevedo fit weights`, which fits them to the results of Quevedo's own games. `terms.rs`\n\
         //! describes them.\n\n\
         use super::pair::s;\n\
         use super::terms::{Table, Term};\n",
    );
    for term in Term::ALL {
        let info = term.info();
        let values = weights.get(term.start()..term.start() + info.len);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n/// {}\npub(super) static {}: Table<{}> = Table::new(Term::{term:?}, [\n",
            info.doc, info.name, info.len
        );
        for line in values.unwrap_or_default().chunks(info.columns) {
            let entries: Vec<String> = line
                .iter()
                .map(|pair| format!("s({:4}, {:4})", pair.middlegame(), pair.endgame()))
                .collect();
            let _ = writeln!(text, "    {},", entries.join(", "));
        }
        text.push_str("]);\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::pair::s;
    use super::*;

    #[test]
    fn the_source_of_the_weights_is_what_the_tuner_writes() {
        let written = weights_source(&current_weights());
        assert!(written == include_str!("weights.rs").replace("\r\n", "\n"));
    }

    #[test]
    fn every_weight_survives_being_written() {
        let weights: Vec<Pair> = (0..FEATURES as i32).map(|i| s(i - 300, 200 - i)).collect();
        let text = weights_source(&weights);
        let numbers: Vec<i32> = text
            .lines()
            .filter(|line| line.starts_with("    s("))
            .flat_map(|line| line.split(|c: char| !c.is_ascii_digit() && c != '-'))
            .filter_map(|number| number.parse().ok())
            .collect();
        let expected: Vec<i32> = weights
            .iter()
            .flat_map(|pair| [pair.middlegame(), pair.endgame()])
            .collect();
        assert_eq!(numbers, expected);
    }
}
