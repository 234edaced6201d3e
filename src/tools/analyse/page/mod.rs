//! Annotated games as a page to step through: board, moves, graph.
//!
//! The script knows no rules of chess: each move comes with the position after it. Without the
//! script, and on paper, the games are text.

mod text;

use std::io;

use maud::{Markup, PreEscaped, html};

use super::accuracy::Accuracy;
use super::report::GameReport;
use crate::tools::render::{Page, board, json_in_script};

/// The script of the page. Its parts share one scope.
const SCRIPT: &str = concat!(
    include_str!("../../render/board.js"),
    include_str!("../../render/clipboard.js"),
    "(() => {\n",
    include_str!("script/model.js"),
    include_str!("script/board.js"),
    include_str!("script/graph.js"),
    include_str!("script/moves.js"),
    include_str!("script/exercise.js"),
    include_str!("script/main.js"),
    "})();\n"
);

/// Returns the page for these games.
///
/// # Errors
/// Never fails in practice; the signature is that of the JSON writer.
pub fn page(games: &[GameReport], title: &str) -> io::Result<String> {
    let data: Vec<(String, String)> = games
        .iter()
        .map(|game| Ok((name(game), serde_json::to_string(game)?)))
        .collect::<io::Result<_>>()?;
    let body = html! {
        (board::definitions())
        header { h1 { (title) } }
        @if games.len() > 1 {
            (overview(games))
        }
        (PreEscaped(include_str!("body.html")))
        @for (game, (name, _)) in games.iter().zip(&data) {
            (text::article(game, name))
        }
        @for (name, json) in &data {
            script.game type="application/json" data-name=(name) { (json_in_script(json)) }
        }
    };
    Ok(Page {
        language: "en",
        title,
        style: include_str!("style.css"),
        body,
        script: SCRIPT,
    }
    .into_html())
}

/// Returns the name of a game in the list.
fn name(game: &GameReport) -> String {
    let [white, black] = game.names();
    let mut name = format!("{}. {white} \u{2013} {black}", game.number);
    if game.result != "*" {
        name.push_str(&format!(", {}", game.result));
    }
    for more in ["Event", "Date"] {
        if let Some(value) = game.tag(more) {
            name.push_str(&format!(", {value}"));
        }
    }
    name
}

/// Returns a table of all games, with a link to each.
fn overview(games: &[GameReport]) -> Markup {
    let marks = ["?!", "?", "??"];
    let has_openings = games.iter().any(|game| game.opening.is_some());
    html! {
        section #overview aria-labelledby="overview-heading" {
            h2 #overview-heading { (games.len()) " games" }
            div.scroll tabindex="0" role="region" aria-label="Games" {
                table {
                    thead {
                        tr {
                            th.n scope="col" { "Game" }
                            th scope="col" { "White" }
                            th scope="col" { "Black" }
                            th scope="col" { "Result" }
                            @if has_openings {
                                th scope="col" { "Opening" }
                            }
                            th.n scope="col" { "Moves" }
                            th.n scope="col" title="White and Black" { "Accuracy" }
                            @for mark in marks {
                                th.n scope="col" title="White and Black" { (mark) }
                            }
                        }
                    }
                    tbody {
                        @for game in games {
                            (overview_row(game, has_openings))
                        }
                    }
                }
            }
        }
    }
}

fn overview_row(game: &GameReport, has_openings: bool) -> Markup {
    let [white, black] = game.names();
    let moves = game.line.moves.len().div_ceil(2);
    let [one, other] = &game.players;
    html! {
        tr {
            td.n { a href=(format!("#{}.0", game.number)) { (game.number) } }
            td { (white) }
            td { (black) }
            td.result { (game.result) }
            @if has_openings {
                td {
                    @if let Some(opening) = game.opening { (opening.eco) " " (opening.name) }
                }
            }
            td.n { (moves) }
            td.n { (percent(&one.accuracy.overall)) " / " (percent(&other.accuracy.overall)) }
            @for (one, other) in one.marks.iter().zip(&other.marks) {
                td.n { (one) " / " (other) }
            }
        }
    }
}

fn percent(accuracy: &Accuracy) -> String {
    accuracy
        .accuracy
        .map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::analyse::report;

    #[test]
    fn a_page_holds_the_games_and_nothing_that_ends_their_script() {
        let pgn = "[White \"</script><b>\"]\n\n1. e4 { [%eval 0.35] [%clk 0:01] a <i> } (1. d4 $6) 1... f5 2. Qh5+ g6 *\n\n\
                   [White \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let games = report::read(&mut pgn.as_bytes()).unwrap();
        let html = page(&games, "a & b").unwrap();
        assert!(html.contains("<title>a &amp; b</title>"));
        assert_eq!(html.matches("class=\"game\"").count(), 2);
        assert!(html.contains("data-name=\"1. &lt;/script&gt;&lt;b&gt; \u{2013} ?\""));
        assert!(html.contains("[\"White\",\"\\u003c/script>\\u003cb>\"]"));
        for part in [
            "\"evaluation\":{\"text\":\"+0.35\",\"expectation\":0.",
            "\"comment\":\"a \\u003ci>\"",
            "\"marks\":\"?!\"",
            "\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"",
            "\"san\":\"Qh4#\"",
            "\"expectation\":0.0",
            "<a href=\"#2.0\">2</a>",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn games_are_text_too() {
        let pgn = "[White \"A\"]\n[Black \"B\"]\n\n{ First } 1. e4 e5 2. Qh5 $6 { [%eval -0.40] Inaccuracy. Nf3 was best (+0.35). } \
                   (2. Nf3 { [%eval 0.35] } Nc6 (2... d6)) 2... Nc6 { so } 3. Bc4 1-0\n";
        let games = report::read(&mut pgn.as_bytes()).unwrap();
        let html = page(&games, "a").unwrap();
        assert!(!html.contains("overview-heading"));
        let (_, text) = html.split_once("<article class=\"printed\"").unwrap();
        let (text, _) = text.split_once("</article>").unwrap();
        let mut plain = String::new();
        for part in text.split('<').skip(1) {
            plain.push_str(part.split_once('>').unwrap().1);
        }
        let expected = "First 1. e4 e5 2. Qh5?! -0.40 Inaccuracy. Nf3 was best (+0.35). \
                        (2. Nf3 +0.35 Nc6 (2... d6)) 2... Nc6 so 3. Bc4 1-0";
        assert!(plain.contains(expected), "{plain}");
    }
}
