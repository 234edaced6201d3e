//! The card of a position: its board, the goal, and the answers of the engines.

use maud::{Markup, PreEscaped, html};

use super::super::comparison::seconds;
use super::super::goal::Goal;
use super::super::record::Record;
use super::super::report::{Attempt, PositionReport, SuiteReport};
use super::{colour, engine_name};
use crate::pgn::move_number;
use crate::position::{Position, notation};
use crate::tools::render::board::{self, Diagram};

/// The colour of arrows for best moves.
pub const BEST: &str = "#23803d";
/// The colour of arrows for moves to avoid.
pub const AVOID: &str = "#c8372d";

/// The maximum length of a line on a card, in plies.
const MAX_PLIES: usize = 24;

/// Renders the card of a position. The script sorts and filters by its data attributes.
pub fn card(report: &SuiteReport, position: &PositionReport) -> Markup {
    let attempts = || position.attempts.iter().map(Option::as_ref);
    // After an interruption, some engines may be in neither list.
    let engines = |solved: bool| -> Vec<String> {
        (0..)
            .zip(attempts())
            .filter(|(_, attempt)| attempt.is_some_and(|attempt| attempt.solved == solved))
            .map(|(engine, _): (usize, _)| engine.to_string())
            .collect()
    };
    let (solved, failed) = (engines(true), engines(false));
    let times: Vec<String> = attempts()
        .map(|attempt| {
            let moment = attempt.and_then(Attempt::solution);
            moment.map_or("-".to_owned(), |moment| moment.time_us.to_string())
        })
        .collect();
    let text = format!("{} {} {}", position.id, position.goal, position.fen).to_lowercase();
    let record = Record::parse(&position.epd).ok();
    let start = record.as_ref().map(|record| &record.position);
    html! {
        section.card data-number=(position.number) data-id=(position.id) data-engines=(times.len())
            data-solved=(solved.join(" ")) data-failed=(failed.join(" ")) data-misses=(failed.len()) data-times=(times.join(" "))
            data-text=(text) data-fen=(position.fen) {
            h3 { (position.id) }
            p { (position.goal) }
            @if let Some(record) = &record { div.picture { (picture(record, position)) } }
            ul.results {
                @for (number, attempt) in attempts().enumerate() {
                    @if let Some(attempt) = attempt {
                        li { (result(report, number, position, attempt)) (line(start, attempt)) }
                    }
                }
            }
            p.pv.faint { (position.fen) br; (position.place.file) ":" (position.place.line) }
        }
    }
}

/// Renders the answer of an engine, leaving out unknown parts.
fn result(
    report: &SuiteReport,
    number: usize,
    position: &PositionReport,
    attempt: &Attempt,
) -> Markup {
    let (class, mark) = match attempt.solved {
        true => ("good", "\u{2713} "),
        false => ("bad", "\u{2717} "),
    };
    html! {
        span.who { (engine_name(report, number)) } " "
        span class=(class) {
            (mark) (attempt.san.as_deref().unwrap_or("nothing"))
            @if let Some(points) = attempt.points {
                " (" (points) "/" (position.max_points.unwrap_or(0)) ")"
            }
        }
        @if let Some(score) = attempt.score { " " (score) }
        @if attempt.depth > 0 { " at depth " (attempt.depth) }
        @if let Some(moment) = attempt.found {
            span.faint {
                @if attempt.solved { ", found in " (seconds(moment.time_us)) }
                @else { ", dropped after " (seconds(moment.time_us)) }
            }
        }
        @if let Some(fault) = &attempt.fault { " " span.bad { (fault) } }
    }
}

/// Renders the line of an engine with move numbers. A data attribute tells the script how each move
/// changes the board.
fn line(start: Option<&Position>, attempt: &Attempt) -> Markup {
    let Some(mut position) = start.cloned() else {
        return Markup::default();
    };
    let (mut text, mut steps) = (Vec::new(), Vec::new());
    for san in attempt.pv.iter().take(MAX_PLIES) {
        let Ok(m) = notation::parse_move(&position, san) else {
            break;
        };
        if position.turn().is_white() || text.is_empty() {
            text.push(move_number(&position));
        }
        text.push(san.clone());
        steps.push(board::changes(&position, m));
        position = position.play(m);
    }
    html! {
        @if !steps.is_empty() { p.pv.faint data-steps=(steps.join(" ")) { (text.join(" ")) } }
    }
}

/// Renders the board from the viewpoint of the side to move, with arrows for the moves of the goal
/// and of the engines.
fn picture(record: &Record, position: &PositionReport) -> Markup {
    let goal = Goal::parse(record).unwrap_or_default();
    let mut diagram = Diagram::new(&record.position).seen_by(record.position.turn());
    for (moves, colour) in [(&goal.best, BEST), (&goal.avoid, AVOID)] {
        for &m in moves {
            diagram = diagram.arrow(m, colour, 11.0);
        }
    }
    // Each arrow is narrower than the one below it, so that coinciding arrows stay visible.
    for (engine, attempt) in position.attempts.iter().enumerate() {
        let played = attempt.as_ref().and_then(|attempt| attempt.uci.as_deref());
        if let Some(m) = played.and_then(|uci| notation::parse_uci(&record.position, uci).ok()) {
            let width = (6.0 - 1.5 * engine as f64).max(2.0);
            diagram = diagram.arrow(m, colour(engine), width);
        }
    }
    PreEscaped(diagram.to_svg_in_page())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::test_support::report;

    #[test]
    fn engines_that_have_not_searched_neither_solve_nor_fail() {
        let mut report = report(&[&[Some(5), None], &[None, Some(7)]]);
        report.positions[0].attempts[1] = None;
        let cards = [0, 1].map(|index| card(&report, &report.positions[index]).into_string());
        assert!(cards[0].contains("data-solved=\"0\" data-failed=\"\""));
        assert!(cards[1].contains("data-solved=\"1\" data-failed=\"0\""));
    }

    #[test]
    fn lines_have_numbers_and_steps() {
        let record =
            Record::parse("r3k2r/8/8/8/8/8/p7/4K2R b Kkq - hmvc 3; fmvn 9; bm a1=Q;").unwrap();
        let attempt = Attempt {
            pv: ["a1=Q+", "Ke2", "O-O", "x"].map(str::to_owned).to_vec(),
            ..Attempt::default()
        };
        let html = line(Some(&record.position), &attempt).into_string();
        assert!(html.contains(">9... a1=Q+ 10. Ke2 O-O<"), "{html}");
        assert!(
            html.contains("data-steps=\"a2-a1q e1-e2K e8-g8kf8rh8-\""),
            "{html}"
        );
    }
}
