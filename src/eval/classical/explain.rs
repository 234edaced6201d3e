//! The hand-written evaluation as a table.

use std::fmt::Write as _;

use shakmaty::Color;

use super::pair::Pair;
use super::terms::{Group, Term};
use super::trace::Recorder;
use super::{MAX_PHASE, current_weights, evaluate, linear, phase, tapered};
use crate::eval::endgame::{self, FULL_SCALE};
use crate::position::Position;

/// Describes the hand-written evaluation of a position, term by term for both sides, in pawns.
pub fn explain(position: &Position) -> String {
    let mut recorder = Recorder::new();
    let total = linear(position, &mut recorder);
    let weights = current_weights();
    let mut text = format!(
        "{:<22}|{:^15}|{:^15}|{:^15}\n{:<22}|{:^15}|{:^15}|{:^15}\n",
        "Term", "White", "Black", "Difference", "", "mg     eg", "mg     eg", "mg     eg"
    );
    let rule = format!("{:-<22}+{:-<15}+{:-<15}+{:-<15}\n", "", "", "", "");
    for group in Group::ALL {
        text.push_str(&rule);
        let mut group_sides = [Pair::ZERO; 2];
        let mut lines = String::new();
        for term in Term::ALL
            .into_iter()
            .filter(|term| term.info().group == group)
        {
            let sides = sides(term, &recorder, &weights);
            if sides != [Pair::ZERO; 2] {
                line(
                    &mut lines,
                    &format!("  {}", readable(term.info().name)),
                    sides,
                );
            }
            group_sides[0] += sides[0];
            group_sides[1] += sides[1];
        }
        line(&mut text, &format!("{group:?}"), group_sides);
        text.push_str(&lines);
    }
    text.push_str(&rule);
    conclusion(&mut text, position, total);
    text
}

/// Returns the values of a term for White and for Black.
fn sides(term: Term, recorder: &Recorder, weights: &[Pair]) -> [Pair; 2] {
    let range = term.start()..term.start() + term.info().len;
    let mut sides = [Pair::ZERO; 2];
    for (weight, counts) in weights
        .iter()
        .zip(&recorder.counts)
        .skip(range.start)
        .take(range.len())
    {
        sides[0] += *weight * counts[0];
        sides[1] += *weight * counts[1];
    }
    sides
}

/// Appends a row to the table.
fn line(text: &mut String, name: &str, [white, black]: [Pair; 2]) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{name:<22}");
    for pair in [white, black, white - black] {
        let _ = write!(
            text,
            "|{:>7.2}{:>7.2} ",
            pawns(pair.middlegame()),
            pawns(pair.endgame())
        );
    }
    text.push('\n');
}

/// Appends how the two halves become one value.
fn conclusion(text: &mut String, position: &Position, total: Pair) {
    let phase = phase(position);
    let value = tapered(total, phase);
    let _ = writeln!(
        text,
        "Sum {:.2} (middlegame), {:.2} (endgame); phase {phase} of {MAX_PHASE}: {:+.2}",
        pawns(total.middlegame()),
        pawns(total.endgame()),
        pawns(value)
    );
    if endgame::known_ending(position).is_some() {
        text.push_str("The ending is known: its value replaces the sum.\n");
    } else {
        let scale = endgame::scale(position, value);
        let _ = writeln!(
            text,
            "Winning chances of the better side: {scale} of {FULL_SCALE}"
        );
    }
    let value = evaluate(position);
    let for_white = position.turn().fold_wb(value, -value);
    let mover = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let _ = writeln!(
        text,
        "In internal pawns: {:+.2} for White, {:+.2} for the side to move ({mover})",
        pawns(for_white),
        pawns(value)
    );
}

/// Converts centipawns to pawns.
fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

/// Turns the name of a constant into words.
fn readable(name: &str) -> String {
    name.to_lowercase().replace('_', " ")
}
