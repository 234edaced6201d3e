//! The results as an HTML page: a comparison of the engines, and a card with a board for each
//! position. The cards can be sorted, filtered and searched.

mod card;
mod curve;

use maud::{Markup, html};

use super::comparison::{self, ComparisonRow, Total, percent, suites};
use super::report::{PositionReport, SuiteReport};
use super::summary;
use crate::tools::render::{Page, board};

/// The colours of the engines, in order.
const COLOURS: [&str; 6] = [
    "#2b6fd6", "#c2700f", "#8b4fc0", "#0f7f84", "#c53b7c", "#6b6b6b",
];

/// Renders the page.
pub fn page(report: &SuiteReport) -> String {
    let suites = suites(&report.positions);
    let names: Vec<&str> = suites.iter().map(|(file, _)| suite_name(file)).collect();
    let title = format!("EPD: {}", names.join(", "));
    let body = html! {
        (board::definitions())
        main {
            h1 { (title) }
            p { (summary::extent(report)) "; " (summary::settings(report)) "." }
            (engines(report))
            (curve::picture(report))
            @for (heading, groups) in [
                ("By suite", if suites.len() > 1 { &suites[..] } else { &[] }),
                ("By theme", &comparison::themes(&report.positions)[..]),
            ] {
                @if !groups.is_empty() { (bars(report, heading, groups)) }
            }
            (controls(report))
            @for (file, positions) in &suites {
                section.suite {
                    h2 { (suite_name(file)) " " span.faint { (positions.len()) } }
                    div.cards { @for position in positions { (card::card(report, position)) } }
                }
            }
            p #said .unseen aria-live="polite" {}
            (unread(report))
        }
    };
    Page {
        language: "en",
        title: &title,
        style: include_str!("page.css"),
        body,
        script: concat!(
            include_str!("../../render/board.js"),
            include_str!("../../render/clipboard.js"),
            include_str!("page.js")
        ),
    }
    .into_html()
}

/// Returns the name of a suite: the last part of its file's name.
fn suite_name(file: &str) -> &str {
    match file.rsplit(['/', '\\']).next() {
        Some("-") | None => "standard input",
        Some(name) => name,
    }
}

/// Returns the colour of an engine.
fn colour(engine: usize) -> &'static str {
    COLOURS.iter().cycle().nth(engine).unwrap_or(&COLOURS[0])
}

/// Renders the name of an engine after a dot in its colour.
fn engine_name(report: &SuiteReport, number: usize) -> Markup {
    let name = report.engines.get(number).map(|engine| &engine.name);
    html! {
        span.dot style={ "background:" (colour(number)) } {} (name.map_or("", |name| name))
    }
}

/// Renders the comparison table, with a column for each engine.
fn engines(report: &SuiteReport) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Engines" { table #engines {
            thead { tr {
                th scope="col" { "engine" }
                @for (number, engine) in report.engines.iter().enumerate() {
                    th.n scope="col" title=(description(engine.command.as_deref(), &engine.options)) {
                        (engine_name(report, number))
                    }
                }
            } }
            tbody {
                @for ComparisonRow { name, cells } in comparison::rows(report) {
                    tr {
                        th scope="row" { (name) }
                        @for cell in cells { td.n { (cell.as_deref().unwrap_or("-")) } }
                    }
                }
            }
        } }
    }
}

fn description(command: Option<&str>, options: &[String]) -> String {
    let command = command.unwrap_or("the engine in this program");
    format!("{command} {}", options.join(" ")).trim().to_owned()
}

/// Renders a bar for each engine and group of positions: the share of points, or of positions
/// solved.
fn bars(report: &SuiteReport, heading: &str, groups: &[(String, Vec<&PositionReport>)]) -> Markup {
    html! {
        details.bars open { summary { (heading) } table {
            thead { tr { th scope="col" { "positions" } th scope="col" { "solved" } } }
            tbody { @for (name, positions) in groups { tr {
                th scope="row" { (suite_name(name)) br; span.faint { (positions.len()) } }
                td { @for number in 0..report.engines.len() {
                    @let total = Total::of_engine(positions.iter().copied(), number);
                    div.bar {
                        span.unseen { (report.engines.get(number).map_or("", |engine| &engine.name)) ": " }
                        span.track aria-hidden="true" {
                            span style={
                                "width:" (format!("{:.1}", 100.0 * total.share())) "%;background:" (colour(number))
                            } {}
                        }
                        span.n {
                            (total.solved) " of " (total.positions)
                            @if total.max_points > 0 { ", " (percent(total.points, total.max_points)) }
                        }
                    }
                } }
            } } }
        } }
    }
}

fn controls(report: &SuiteReport) -> Markup {
    let engines = || report.engines.iter().enumerate();
    html! {
        div.controls {
            label { "Show " select #filter {
                option value="all" { "all" }
                option value="any" { "failed by any" }
                option value="every" { "failed by all" }
                @if report.engines.len() > 1 {
                    option value="differ" { "where engines differ" }
                    @for (number, engine) in engines() {
                        option value={ "only" (number) } { "solved only by " (engine.name) }
                    }
                }
                @for (number, engine) in engines() {
                    option value=(number) { "failed by " (engine.name) }
                }
            } }
            label { "sorted by " select #sort {
                option value="number" { "number" }
                option value="id" { "id" }
                option value="misses" { "engines that failed" }
                @for (number, engine) in engines() {
                    option value={ "t" (number) } { "time to solution: " (engine.name) }
                }
            } }
            label { input #down type="checkbox"; " descending" }
            label { "with " input #search type="search" placeholder="text"; }
            span #shown .faint role="status" {}
            span { span.dot style={ "background:" (card::BEST) } {} "best" }
            span { span.dot style={ "background:" (card::AVOID) } {} "to avoid" }
            @for (number, _) in engines() { span { (engine_name(report, number)) } }
        }
    }
}

/// Renders the list of unreadable lines.
fn unread(report: &SuiteReport) -> Markup {
    html! {
        @if !report.unread.is_empty() {
            h2 { "Unreadable lines" }
            ul {
                @for unread in &report.unread {
                    li { (unread.place.file) ":" (unread.place.line) ": " (unread.reason) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::test_support::report;

    #[test]
    fn engines_that_differ_can_be_compared() {
        let html = page(&report(&[&[Some(5), None], &[None, None]]));
        assert!(
            html.contains("<option value=\"only1\">solved only by B</option>"),
            "{html}"
        );
        assert!(html.contains("<title>EPD: a.epd</title>"));
        let alone = page(&report(&[&[Some(5), None]]));
        assert!(!alone.contains("solved only by") && !alone.contains("differ\""));
    }

    #[test]
    fn suites_are_headings_and_are_compared() {
        let mut report = report(&[&[Some(5), None, Some(7)]]);
        assert!(!page(&report).contains("By suite"));
        report.positions[2].place.file = "folder/b.epd".to_owned();
        let html = page(&report);
        for part in [
            "<h2>a.epd <span class=\"faint\">2</span></h2>",
            "<h2>b.epd <span class=\"faint\">1</span></h2>",
            "By suite",
            "1 of 2",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
    }
}
