//! Annotated games as data: the source of the page, the JSON report and the tables.
//!
//! A report is made from PGN text, so that it includes the games of earlier runs and of other
//! shards.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Serialize;
use shakmaty::Color;

use super::accuracy::{self, PlayerAccuracy};
use super::evaluation::Evaluation;
use super::move_comment::MoveComment;
use crate::pgn::{AnnotatedMove, PgnGame, PgnReader, Variation, move_number};
use crate::position::notation::san;
use crate::position::{Position, notation};
use crate::tools::render::board;

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The number of the game in the file, from 1.
    pub number: u64,
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The board at the start, as in a FEN.
    pub start: String,
    /// The moves.
    pub line: LineReport,
    /// The accuracy of White and Black.
    pub accuracy: [PlayerAccuracy; 2],
    /// The reason why the game has no analysis.
    pub fault: Option<String>,
}

/// A sequence of moves.
#[derive(Clone, Debug, Serialize)]
pub struct LineReport {
    /// The comment before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The moves.
    pub moves: Vec<MoveReport>,
}

/// A move and what is known about it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// `12.` or `12...`.
    pub number: String,
    /// The move in SAN.
    pub san: String,
    /// Marks such as `?!`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub marks: String,
    /// The squares that an arrow connects.
    pub from: String,
    /// See `from`.
    pub to: String,
    /// The board after the move, as in a FEN.
    pub men: String,
    /// The evaluation after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// The expected score of White after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expectation: Option<f64>,
    /// The score of the engine that played the move, and the expected score of White that follows
    /// from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_score: Option<(String, f64)>,
    /// The time spent on the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The clock after the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// The comment after the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Alternatives to the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<LineReport>,
}

/// Returns the reports of all games of a stream.
///
/// # Errors
/// Fails when the stream cannot be read.
pub fn read(pgn: &mut dyn BufRead) -> io::Result<Vec<GameReport>> {
    let mut source = PgnReader::new(pgn);
    let mut games = Vec::new();
    while let Some((game, _)) = source.next_game(&mut |_| {})? {
        games.push(GameReport::new(&game));
    }
    Ok(games)
}

impl GameReport {
    fn new(game: &PgnGame) -> GameReport {
        GameReport {
            number: game.number,
            accuracy: accuracy::players(&game.positions(), &expectations(game)),
            tags: game.tags.clone(),
            result: game.result.to_string(),
            start: men(&game.start),
            line: line_report(&game.main_line, &game.start),
            fault: game.verbatim.as_ref().and(game.faults.first().cloned()),
        }
    }

    /// Returns the value of a tag pair, unless it is empty.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(known, _)| known == name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }
}

/// Returns the expected score of White in all positions of the main line that have one, the first
/// one included.
fn expectations(game: &PgnGame) -> Vec<Option<f64>> {
    let evaluation = |ply: &AnnotatedMove| {
        let mut comments = ply.comments.iter();
        comments.find_map(|comment| MoveComment::parse(comment, Color::White).evaluation)
    };
    let positions = game.positions();
    let moves = game.main_line.moves.iter().zip(positions.iter().skip(1));
    let after = moves.map(|(ply, position)| expectation(evaluation(ply), position));
    std::iter::once(None).chain(after).collect()
}

fn line_report(line: &Variation, start: &Position) -> LineReport {
    let mut position = start.clone();
    let moves = line
        .moves
        .iter()
        .map(|ply| {
            let after = position.play(ply.m);
            let report = move_report(ply, &position, &after);
            position = after;
            report
        })
        .collect();
    LineReport {
        comment: MoveComment::parse(&line.comments.join(" "), start.turn()).text,
        moves,
    }
}

fn move_report(ply: &AnnotatedMove, before: &Position, after: &Position) -> MoveReport {
    let (from, to) = board::squares(before, ply.m);
    let comments = ply.comments.iter();
    let parsed: Vec<MoveComment> = comments
        .map(|comment| MoveComment::parse(comment, before.turn()))
        .collect();
    let evaluation = parsed.iter().find_map(|comment| comment.evaluation);
    let engine_score = parsed.iter().find_map(|comment| comment.engine_score);
    let texts: Vec<&str> = parsed.iter().map(|comment| comment.text.as_str()).collect();
    MoveReport {
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
            .map(|line| line_report(line, before))
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
