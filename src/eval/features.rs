//! The evaluation as a linear function: what the tuner reads and writes.

use std::fmt::Write as _;

use super::pair::Pair;
use super::terms::{FEATURES, TABLES, Term};
use super::trace::Recorder;
use super::{FULL_SCALE, MAX_PHASE, endgame, linear, phase, tapered};
use crate::position::Position;

/// A position as the tuner sees it. Its value for White, in centipawns, is
/// `scale * sum(count * (middlegame * phase + endgame * (1 - phase)))`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    /// Feature numbers, ascending, and how often White has each more than Black. None is 0.
    pub counts: Vec<(u16, i16)>,
    /// The share of the middlegame weights, 0 to 1.
    pub phase: f32,
    /// What drawish material leaves of the value, 0 to 1. It depends on which side is better, and is held fixed.
    pub scale: f32,
}

/// Takes a position apart. `None` where the value is known otherwise and no weight has a part in it.
pub fn features(position: &Position) -> Option<Features> {
    if endgame::known(position).is_some() {
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

/// The weights of the evaluation by feature number.
pub fn current_weights() -> Vec<Pair> {
    TABLES
        .iter()
        .flat_map(|table| table.iter().copied())
        .collect()
}

/// The text of `src/eval/weights.rs` for these weights, one for each feature.
pub fn weights_source(weights: &[Pair]) -> String {
    debug_assert_eq!(weights.len(), FEATURES);
    let mut text = String::from(
        "//! The weights of the evaluation: middlegame and endgame, in centipawns.\n\
         //!\n\
         //! Written by `quevedo tune`, which fits them to the results of Quevedo's own games. `terms.rs` says what they\n\
         //! mean.\n\n\
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
