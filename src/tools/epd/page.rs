//! The results as a page: the tables, and a card with a diagram for each position, to sort, filter
//! and search.

use maud::{Markup, PreEscaped, html};

use super::goal::Goal;
use super::record::Record;
use super::report::{Attempt, PositionReport, SuiteReport};
use super::summary::{self, Total, percent, seconds};
use crate::position::notation;
use crate::tools::render::Page;
use crate::tools::render::board::{self, Diagram};

/// The colour of arrows for best moves.
const BEST: &str = "#2c9a4b";
/// The colour of arrows for moves to avoid.
const AVOID: &str = "#c8372d";
/// The colours of arrows for the moves of the engines, in their order.
const PLAYED: [&str; 6] = [
    "#2b6fd6", "#e08a1e", "#8b4fc0", "#12979c", "#c53b7c", "#6b6b6b",
];

/// Returns the page.
pub fn page(report: &SuiteReport) -> String {
    let names: Vec<&str> = report
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    let body = html! {
        (board::definitions())
        h1 { "EPD suite" }
        p { (summary::extent(report)) "; " (report.search.describe()) "." }
        (engines(report))
        (themes(report))
        (controls(report))
        div.cards {
            @for position in &report.positions { (card(report, position)) }
        }
        @if !report.unread.is_empty() {
            h2 { "Lines that could not be read" }
            ul {
                @for unread in &report.unread {
                    li { (unread.place.file) ":" (unread.place.line) ": " (unread.reason) }
                }
            }
        }
    };
    Page {
        title: &format!("EPD suite: {}", names.join(", ")),
        style: include_str!("page.css"),
        body,
        script: include_str!("page.js"),
    }
    .into_html()
}

/// Returns the name of an engine behind a dot in its colour.
fn engine_name(report: &SuiteReport, number: usize) -> Markup {
    let name = report.engines.get(number).map(|engine| &engine.name);
    html! {
        span.dot style={ "background:" (colour(number)) } {} (name.map_or("", |name| name))
    }
}

fn colour(engine: usize) -> &'static str {
    PLAYED.iter().cycle().nth(engine).unwrap_or(&BEST)
}

/// Returns the table that compares the engines, without columns that would be empty.
fn engines(report: &SuiteReport) -> Markup {
    let totals: Vec<Total> = (0..report.engines.len())
        .map(|number| Total::of_engine(&report.positions, number))
        .collect();
    let has_points = totals.iter().any(|total| total.max_points > 0);
    let has_faults = totals.iter().any(|total| total.faults > 0);
    html! {
        div.scroll { table #engines {
            tr {
                th { "engine" } th.n { "solved" } th.n { "%" }
                @if has_points { th.n { "points" } th.n { "%" } }
                th.n { "mean time to solution" } th.n { "nodes" } th.n { "time" }
                @if has_faults { th.n { "faults" } }
            }
            @for (number, (engine, total)) in report.engines.iter().zip(&totals).enumerate() {
                tr {
                    td title=(description(engine.command.as_deref(), &engine.options)) {
                        (engine_name(report, number))
                    }
                    td.n { (total.solved) " of " (total.positions) }
                    td.n { (percent(total.solved as u64, total.positions as u64)) }
                    @if has_points {
                        td.n { (total.points) " of " (total.max_points) }
                        td.n { (percent(total.points, total.max_points)) }
                    }
                    td.n { (total.mean_solution_us().map_or("-".to_owned(), seconds)) }
                    td.n { (total.nodes) }
                    td.n { (seconds(total.time_us)) }
                    @if has_faults { td.n { (total.faults) } }
                }
            }
        } }
    }
}

fn description(command: Option<&str>, options: &[String]) -> String {
    let command = command.unwrap_or("the engine in this program");
    format!("{command} {}", options.join(" ")).trim().to_owned()
}

fn themes(report: &SuiteReport) -> Markup {
    let themes = summary::themes(&report.positions);
    html! {
        @if !themes.is_empty() {
            details open { summary { "By theme" } div.scroll { table #themes {
                tr {
                    th { "theme" } th.n { "positions" }
                    @for engine in &report.engines { th.n { (engine.name) } }
                }
                @for (theme, positions) in &themes {
                    tr {
                        td { (theme) } td.n { (positions.len()) }
                        @for number in 0..report.engines.len() {
                            td.n { (Total::of_engine(positions.iter().copied(), number).brief()) }
                        }
                    }
                }
            } } }
        }
    }
}

fn controls(report: &SuiteReport) -> Markup {
    html! {
        div.controls {
            label { "Show " select #filter {
                option value="all" { "all" }
                option value="any" { "failed by any" }
                option value="every" { "failed by all" }
                option value="differ" { "where engines differ" }
                @for (number, engine) in report.engines.iter().enumerate() {
                    option value=(number) { "failed by " (engine.name) }
                }
            } }
            label { "sorted by " select #sort {
                option value="number" { "number" }
                option value="id" { "id" }
                option value="misses" { "engines that failed" }
                @for (number, engine) in report.engines.iter().enumerate() {
                    option value={ "t" (number) } { "time to solution: " (engine.name) }
                }
            } }
            label { input #down type="checkbox"; " descending" }
            label { "with " input #search type="search" placeholder="text"; }
            span #shown .faint {}
            span {
                span.dot style={ "background:" (BEST) } {} "best "
                span.dot style={ "background:" (AVOID) } {} "to avoid"
            }
        }
    }
}

fn card(report: &SuiteReport, position: &PositionReport) -> Markup {
    let failed: Vec<String> = position
        .attempts
        .iter()
        .enumerate()
        .filter(|(_, attempt)| attempt.as_ref().is_some_and(|attempt| !attempt.solved))
        .map(|(engine, _)| engine.to_string())
        .collect();
    let times: Vec<String> = position
        .attempts
        .iter()
        .map(|attempt| {
            let moment = attempt.as_ref().and_then(Attempt::solution);
            moment.map_or("-".to_owned(), |moment| moment.time_us.to_string())
        })
        .collect();
    let text = format!("{} {} {}", position.id, position.goal, position.fen).to_lowercase();
    html! {
        section.card data-number=(position.number) data-id=(position.id) data-engines=(times.len())
            data-failed=(failed.join(" ")) data-misses=(failed.len()) data-times=(times.join(" "))
            data-text=(text) {
            h3 { (position.id) }
            p { (position.goal) }
            (picture(position))
            table {
                tr {
                    th { "engine" } th { "played" } th.n { "score" } th.n { "depth" } th.n { "solution" }
                }
                @for (number, attempt) in position.attempts.iter().enumerate() {
                    @if let Some(attempt) = attempt { (result(report, number, position, attempt)) }
                }
            }
            details {
                summary.faint { "FEN and origin" }
                p.pv { (position.fen) br; (position.place.file) ":" (position.place.line) }
            }
        }
    }
}

/// Returns the rows of the table about one engine.
fn result(
    report: &SuiteReport,
    number: usize,
    position: &PositionReport,
    attempt: &Attempt,
) -> Markup {
    let (class, mark) = if attempt.solved {
        ("good", "✓ ")
    } else {
        ("bad", "✗ ")
    };
    let pv: Vec<&str> = attempt.pv.iter().take(12).map(String::as_str).collect();
    html! {
        tr {
            td { (engine_name(report, number)) }
            td class=(class) {
                (mark) (attempt.san.as_deref().unwrap_or("nothing"))
                @if let Some(points) = attempt.points {
                    " (" (points) "/" (position.max_points.unwrap_or(0)) ")"
                }
            }
            td.n { (attempt.score.map_or("-".to_owned(), |score| score.to_string())) }
            td.n { (attempt.depth) }
            td.n {
                @match attempt.found {
                    Some(moment) if attempt.solved => { (seconds(moment.time_us)) }
                    Some(moment) => { span.faint { "dropped, " (seconds(moment.time_us)) } }
                    None => { "-" }
                }
            }
        }
        @if attempt.fault.is_some() || !pv.is_empty() {
            tr { td.pv.faint colspan="5" {
                @if let Some(fault) = &attempt.fault { span.bad { (fault) } " " }
                (pv.join(" "))
            } }
        }
    }
}

/// Returns the board as seen by the side to move, with an arrow for each move of the goal and of
/// the engines.
fn picture(position: &PositionReport) -> Markup {
    let Ok(record) = Record::parse(&position.epd) else {
        return Markup::default();
    };
    let goal = Goal::parse(&record).unwrap_or_default();
    let mut diagram = Diagram::new(&record.position).seen_by(record.position.turn());
    for (moves, colour) in [(&goal.best, BEST), (&goal.avoid, AVOID)] {
        for &m in moves {
            diagram = diagram.arrow(m, colour, 11.0);
        }
    }
    // Narrower and narrower, so that the same move of several engines stays visible.
    for (engine, attempt) in position.attempts.iter().enumerate() {
        let played = attempt.as_ref().and_then(|attempt| attempt.uci.as_deref());
        if let Some(m) = played.and_then(|uci| notation::parse_uci(&record.position, uci).ok()) {
            let width = (6.0 - 1.5 * engine as f64).max(2.0);
            diagram = diagram.arrow(m, colour(engine), width);
        }
    }
    PreEscaped(diagram.to_svg_in_page())
}
