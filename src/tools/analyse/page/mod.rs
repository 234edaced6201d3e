//! Annotated games as a page to step through: board, moves, graph.
//!
//! The script knows no rules of chess: each move comes with the position after it.

use std::io;

use maud::{PreEscaped, html};

use super::report::GameReport;
use crate::tools::render::{Page, board, json_in_script};

/// Returns the page for these games.
///
/// # Errors
/// Never fails in practice; the signature is that of the JSON writer.
pub fn page(games: &[GameReport], title: &str) -> io::Result<String> {
    let games: Vec<(String, String)> = games
        .iter()
        .map(|game| Ok((name(game), serde_json::to_string(game)?)))
        .collect::<io::Result<_>>()?;
    let body = html! {
        (board::definitions())
        h1 { (title) }
        (PreEscaped(include_str!("body.html")))
        @for (name, json) in &games {
            script.game type="application/json" data-name=(name) { (json_in_script(json)) }
        }
    };
    Ok(Page {
        title,
        style: include_str!("style.css"),
        body,
        script: include_str!("script.js"),
    }
    .into_html())
}

/// Returns the name of a game in the list.
fn name(game: &GameReport) -> String {
    let mut name = format!(
        "{}. {} \u{2013} {}",
        game.number,
        game.tag("White").unwrap_or("?"),
        game.tag("Black").unwrap_or("?")
    );
    if game.result != "*" {
        name.push_str(&format!(", {}", game.result));
    }
    for more in ["Event", "Date"] {
        if let Some(value) = game.tag(more).filter(|value| !value.starts_with('?')) {
            name.push_str(&format!(", {value}"));
        }
    }
    name
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
            "\"evaluation\":\"+0.35\"",
            "\"comment\":\"a \\u003ci>\"",
            "\"marks\":\"?!\"",
            "\"men\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\"",
            "\"san\":\"Qh4#\"",
            "\"expectation\":0.0",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }
}
