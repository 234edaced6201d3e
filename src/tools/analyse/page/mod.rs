//! Annotated games as a page to step through: board, moves, graph.
//!
//! The page is made from PGN text, so that it includes the games of earlier runs. The script knows
//! no rules of chess: each move comes with the position after it.

use std::borrow::Cow;
use std::io::{self, BufRead};

use maud::{PreEscaped, html};
use serde::Serialize;
use shakmaty::Color;

use super::accuracy::{self, PlayerAccuracy};
use super::evaluation::Evaluation;
use super::move_comment::MoveComment;
use crate::pgn::{AnnotatedMove, PgnGame, PgnReader, Variation, move_number};
use crate::position::notation::san;
use crate::position::{Position, notation};
use crate::tools::render::{Page, board, json_in_script};

/// A game, as the script reads it.
#[derive(Serialize)]
struct GameData<'a> {
    tags: &'a [(String, String)],
    result: &'a str,
    /// The board at the start, as in a FEN.
    start: String,
    line: LineData,
    /// The accuracy of White and Black.
    accuracy: [PlayerAccuracy; 2],
    /// The reason why the game has no analysis.
    fault: Option<String>,
}

#[derive(Serialize)]
struct LineData {
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<MoveData>,
}

#[derive(Serialize)]
struct MoveData {
    number: String,
    san: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    marks: String,
    from: String,
    to: String,
    /// The board after the move, as in a FEN.
    men: String,
    /// The evaluation after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<String>,
    /// The expected score of White after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    expectation: Option<f64>,
    /// The score of the engine that played the move, and the expected score of White that follows
    /// from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_score: Option<(String, f64)>,
    /// The time spent on the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
    /// The clock after the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<LineData>,
}

/// Returns the page for the games of a PGN stream.
///
/// # Errors
/// Fails when the stream cannot be read.
pub fn page(pgn: &mut dyn BufRead, title: &str) -> io::Result<String> {
    let mut source = PgnReader::new(pgn);
    let mut games = Vec::new();
    while let Some((game, _)) = source.next_game(&mut |_| {})? {
        games.push((name(&game), serde_json::to_string(&game_data(&game))?));
    }
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
fn name(game: &PgnGame) -> String {
    let tag = |name| game.tag(name).filter(|value| !value.is_empty());
    let mut name = format!(
        "{}. {} \u{2013} {}",
        game.number,
        tag("White").unwrap_or("?"),
        tag("Black").unwrap_or("?")
    );
    if game.result != "*" {
        name.push_str(&format!(", {}", game.result));
    }
    for more in ["Event", "Date"] {
        if let Some(value) = tag(more).filter(|value| !value.starts_with('?')) {
            name.push_str(&format!(", {value}"));
        }
    }
    name
}

fn game_data(game: &PgnGame) -> GameData<'_> {
    GameData {
        accuracy: accuracy::players(&game.positions(), &expectations(game)),
        tags: &game.tags,
        result: &game.result,
        start: men(&game.start),
        line: line_data(&game.main_line, &game.start),
        fault: game.verbatim.as_ref().and(game.faults.first().cloned()),
    }
}

/// Returns the expected score of White in all positions of the main line that have one, the first
/// one included.
pub fn expectations(game: &PgnGame) -> Vec<Option<f64>> {
    let evaluation = |ply: &AnnotatedMove| {
        let mut comments = ply.comments.iter();
        comments.find_map(|comment| MoveComment::parse(comment, Color::White).evaluation)
    };
    let positions = game.positions();
    let moves = game.main_line.moves.iter().zip(positions.iter().skip(1));
    let after = moves.map(|(ply, position)| expectation(evaluation(ply), position));
    std::iter::once(None).chain(after).collect()
}

fn line_data(line: &Variation, start: &Position) -> LineData {
    let mut position = start.clone();
    let moves = line
        .moves
        .iter()
        .map(|ply| {
            let after = position.play(ply.m);
            let data = move_data(ply, &position, &after);
            position = after;
            data
        })
        .collect();
    LineData {
        comment: MoveComment::parse(&line.comments.join(" "), start.turn()).text,
        moves,
    }
}

fn move_data(ply: &AnnotatedMove, before: &Position, after: &Position) -> MoveData {
    let (from, to) = board::squares(before, ply.m);
    let comments = ply.comments.iter();
    let parsed: Vec<MoveComment> = comments
        .map(|comment| MoveComment::parse(comment, before.turn()))
        .collect();
    let evaluation = parsed.iter().find_map(|comment| comment.evaluation);
    let engine_score = parsed.iter().find_map(|comment| comment.engine_score);
    let texts: Vec<&str> = parsed.iter().map(|comment| comment.text.as_str()).collect();
    MoveData {
        number: move_number(before),
        san: san(before, ply.m).to_string(),
        marks: ply.nags.iter().copied().map(glyph).collect(),
        from: from.to_string(),
        to: to.to_string(),
        men: men(after),
        evaluation: evaluation.map(shown),
        expectation: expectation(evaluation, after),
        engine_score: engine_score.map(|score| (shown(score), rounded(score.expectation(after)))),
        time: parsed.iter().find_map(|comment| comment.time),
        clock: parsed.iter().find_map(|comment| comment.clock),
        comment: texts.join(" ").trim().to_owned(),
        variations: ply
            .variations
            .iter()
            .map(|line| line_data(line, before))
            .collect(),
    }
}

/// Returns the expected score to three digits, which suffice for a picture. A mate on the board
/// needs no evaluation.
fn expectation(evaluation: Option<Evaluation>, position: &Position) -> Option<f64> {
    if position.in_check() && !position.has_legal_move() {
        return Some(position.turn().fold_wb(0.0, 1.0));
    }
    Some(rounded(evaluation?.expectation(position)))
}

fn rounded(expectation: f64) -> f64 {
    (1000.0 * expectation).round() / 1000.0
}

/// Returns the evaluation with a sign.
fn shown(evaluation: Evaluation) -> String {
    match evaluation {
        Evaluation::Mate(moves) => format!("#{moves}"),
        Evaluation::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}

fn men(position: &Position) -> String {
    let fen = notation::fen(position);
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns the symbol of a numeric annotation glyph.
fn glyph(nag: u8) -> Cow<'static, str> {
    Cow::Borrowed(match nag {
        0 => "",
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 | 8 => "\u{25a1}",
        10..=12 => "=",
        13 => "\u{221e}",
        14 => "\u{2a72}",
        15 => "\u{2a71}",
        16 => "\u{b1}",
        17 => "\u{2213}",
        18 => "+\u{2212}",
        19 => "\u{2212}+",
        22 | 23 => "\u{2a00}",
        36 | 37 => "\u{2191}",
        40 | 41 => "\u{2192}",
        132 | 133 => "\u{21c6}",
        146 => "N",
        other => return Cow::Owned(format!(" ${other}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_the_games_and_nothing_that_ends_their_script() {
        let pgn = "[White \"</script><b>\"]\n\n1. e4 { [%eval 0.35] [%clk 0:01] a <i> } (1. d4 $6) 1... f5 2. Qh5+ g6 *\n\n\
                   [White \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let html = page(&mut pgn.as_bytes(), "a & b").unwrap();
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
