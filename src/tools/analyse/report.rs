//! Annotated games as data: the source of the page, the JSON report and the tables.
//!
//! A report is made from PGN text, so that it includes the games of earlier runs and of other
//! shards.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Serialize;
use shakmaty::Color;
use shakmaty::san::SanPlus;

use super::accuracy::{self, PlayerAccuracy};
use super::evaluation::{Evaluation, Mark};
use super::move_comment::{Drawing, MoveComment};
use super::openings::{self, Opening};
use super::verdict::MoveVerdict;
use crate::pgn::{AnnotatedMove, PgnGame, PgnReader, PgnVariation, move_number, to_pgn};
use crate::position::notation::san;
use crate::position::{Move, Position, notation};
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
    /// The opening, if the lines of the opening book name it.
    pub opening: Option<Opening>,
    /// The number of the first move after the lines of the opening book, from 1.
    pub left_book: Option<usize>,
    /// The players, White first.
    pub players: [PlayerReport; 2],
    /// The first position.
    pub fen: String,
    /// The moves.
    pub line: LineReport,
    /// The text of the game.
    pub pgn: String,
    /// The reason why the game has no analysis.
    pub fault: Option<String>,
}

/// A player of a game.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// The name, if it is known.
    pub name: Option<String>,
    /// Accuracy and mean loss.
    #[serde(flatten)]
    pub accuracy: PlayerAccuracy,
    /// The number of dubious moves, mistakes and blunders.
    pub marks: [u32; 3],
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
    /// The move in UCI notation.
    pub uci: String,
    /// Marks such as `?!`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub marks: String,
    /// The squares that the move leads from and to, as players see them.
    pub squares: [String; 2],
    /// The position after the move.
    pub fen: String,
    /// The evaluation after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<ShownEvaluation>,
    /// The evaluation that the source of the analysis had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_evaluation: Option<ShownEvaluation>,
    /// The score of the engine that played the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_score: Option<ShownEvaluation>,
    /// The time spent on the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// The clock after the move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// The verdict in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The best move, where the verdict names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestMove>,
    /// The comment after the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Arrows and marked squares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawings: Vec<Drawing>,
    /// Alternatives to the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<LineReport>,
}

/// An evaluation from White's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct ShownEvaluation {
    /// `+0.35` or `#-3`; empty for a mate on the board.
    pub text: String,
    /// The expected score of White, from 0 to 1.
    pub expectation: f64,
}

/// The move that the engine would have played.
#[derive(Clone, Debug, Serialize)]
pub struct BestMove {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The squares that the move leads from and to, as players see them.
    pub squares: [String; 2],
    /// Its evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
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
        let positions = game.positions();
        let (opening, left_book) = match game.main_line.moves.is_empty() {
            true => (None, None),
            false => openings::classify(&positions),
        };
        let mut marks = [[0; 3]; 2];
        for (ply, position) in game.main_line.moves.iter().zip(&positions) {
            let [white, black] = &mut marks;
            let counts = position.turn().fold_wb(white, black);
            let mark = ply.nags.iter().find_map(|&nag| Mark::from_nag(nag));
            if let Some(count) = mark.and_then(|mark| counts.get_mut(mark as usize)) {
                *count += 1;
            }
        }
        let [white, black] = accuracy::players(&positions, &evaluations(game, &positions));
        let [white_marks, black_marks] = marks;
        let player = |colour, accuracy, marks| PlayerReport {
            name: game
                .tag(colour)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            accuracy,
            marks,
        };
        GameReport {
            number: game.number,
            tags: game.tags.clone(),
            result: game.result.to_string(),
            opening,
            left_book,
            players: [
                player("White", white, white_marks),
                player("Black", black, black_marks),
            ],
            fen: notation::fen(&game.start),
            line: line_report(&game.main_line, &game.start),
            pgn: to_pgn(game),
            fault: game.verbatim.as_ref().and(game.faults.first().cloned()),
        }
    }

    /// Returns the value of a tag pair, unless it is empty or unknown.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(known, _)| known == name)?;
        Some(value.as_str()).filter(|value| !value.is_empty() && !value.starts_with('?'))
    }

    /// Returns the names of the players.
    pub fn names(&self) -> [&str; 2] {
        self.players
            .each_ref()
            .map(|player| player.name.as_deref().unwrap_or("?"))
    }
}

/// Returns the evaluations of all positions of the main line that have one, the first one included.
fn evaluations(game: &PgnGame, positions: &[Position]) -> Vec<Option<Evaluation>> {
    let moves = game.main_line.moves.iter().zip(positions.iter().skip(1));
    let after = moves.map(|(ply, position)| {
        let mut comments = ply.comments.iter();
        let parse = |comment: &String| MoveComment::parse(comment, Color::White).evaluation;
        end_of_game(position).or_else(|| comments.find_map(parse))
    });
    std::iter::once(None).chain(after).collect()
}

/// Returns the evaluation of a mate on the board.
fn end_of_game(position: &Position) -> Option<Evaluation> {
    let is_mate = position.in_check() && !position.has_legal_move();
    is_mate.then(|| Evaluation::mated_by(!position.turn()))
}

fn line_report(line: &PgnVariation, start: &Position) -> LineReport {
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
    let comment = ply
        .comments
        .iter()
        .map(|comment| MoveComment::parse(comment, before.turn()))
        .fold(MoveComment::default(), MoveComment::and);
    let shown = |evaluation: Option<Evaluation>| Some(ShownEvaluation::new(evaluation?, after));
    let mate = end_of_game(after).map(|mate| ShownEvaluation {
        text: String::new(),
        ..ShownEvaluation::new(mate, after)
    });
    let verdict = comment.verdict.as_ref();
    MoveReport {
        number: move_number(before),
        san: san(before, ply.m).to_string(),
        uci: notation::uci(before, ply.m).to_string(),
        marks: ply.nags.iter().copied().map(glyph).collect(),
        squares: squares(before, ply.m),
        fen: notation::fen(after),
        evaluation: mate.or_else(|| shown(comment.evaluation)),
        source_evaluation: shown(comment.source_evaluation),
        engine_score: shown(comment.engine_score),
        time: comment.time,
        clock: comment.clock,
        verdict: verdict.map(ToString::to_string),
        best: verdict.and_then(|verdict| BestMove::new(verdict, before)),
        comment: comment.text,
        drawings: comment.drawings,
        variations: ply
            .variations
            .iter()
            .map(|line| line_report(line, before))
            .collect(),
    }
}

fn squares(position: &Position, m: Move) -> [String; 2] {
    let (from, to) = board::squares(position, m);
    [from.to_string(), to.to_string()]
}

impl BestMove {
    fn new(verdict: &MoveVerdict, position: &Position) -> Option<BestMove> {
        let text = verdict.best.as_deref()?;
        let parsed = SanPlus::from_ascii(text.as_bytes()).ok()?;
        let m = Move::from_shakmaty(parsed.san.to_move(position.chess()).ok()?);
        Some(BestMove {
            san: text.to_owned(),
            uci: notation::uci(position, m).to_string(),
            squares: squares(position, m),
            evaluation: verdict.evaluation.map(|evaluation| evaluation.to_string()),
        })
    }
}

impl ShownEvaluation {
    /// Three digits suffice for a picture.
    fn new(evaluation: Evaluation, position: &Position) -> ShownEvaluation {
        ShownEvaluation {
            text: evaluation.to_string(),
            expectation: (1000.0 * evaluation.expectation(position)).round() / 1000.0,
        }
    }
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
    fn a_report_has_what_the_comments_say() {
        let pgn = "[White \"A\"]\n\n1. e4 { [%eval 0.30] [%source_eval 0.20] [%clk 0:01:00] } 1... e5 2. Qh5 $6 \
                   { [%eval -0.40] Inaccuracy. Nf3 was best (+0.35). [%cal Gd1h5] why } Nf6 $4 { +0.72/9 2s } 3. Qxe5+ *\n";
        let game = &read(&mut pgn.as_bytes()).unwrap()[0];
        let opening = game.opening.unwrap();
        assert_eq!((opening.eco, game.left_book), ("C20", Some(5)));
        assert_eq!(game.players[0].marks, [1, 0, 0]);
        assert_eq!(game.players[1].marks, [0, 0, 1]);
        assert_eq!(game.names(), ["A", "?"]);
        let moves = &game.line.moves;
        let text = |shown: &Option<ShownEvaluation>| shown.as_ref().map(|shown| shown.text.clone());
        assert_eq!(text(&moves[0].evaluation).as_deref(), Some("+0.30"));
        assert_eq!(text(&moves[0].source_evaluation).as_deref(), Some("+0.20"));
        assert_eq!(moves[0].clock, Some(60.0));
        let marked = &moves[2];
        let verdict = "Inaccuracy. Nf3 was best (+0.35).";
        assert_eq!(
            (marked.verdict.as_deref(), marked.comment.as_str()),
            (Some(verdict), "why")
        );
        let best = marked.best.as_ref().unwrap();
        assert_eq!(
            (best.uci.as_str(), best.evaluation.as_deref()),
            ("g1f3", Some("+0.35"))
        );
        assert_eq!(marked.drawings.len(), 1);
        assert_eq!(text(&moves[3].engine_score).as_deref(), Some("-0.72"));
        let empty = &read(&mut "[White \"A\"]\n\n*\n".as_bytes()).unwrap()[0];
        assert!(empty.opening.is_none() && empty.left_book.is_none());
    }

    #[test]
    fn a_mate_on_the_board_needs_no_evaluation() {
        let pgn = "1. f3 e5 2. g4 Qh4# 0-1\n";
        let game = &read(&mut pgn.as_bytes()).unwrap()[0];
        let last = game.line.moves[3].evaluation.as_ref().unwrap();
        assert_eq!((last.text.as_str(), last.expectation), ("", 0.0));
    }
}
