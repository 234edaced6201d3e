//! Tests of the trainer as a whole.

mod gradient;
mod labels;
mod learning;
mod mean;
mod reading;
mod runs;
mod symmetry;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::sample::Sample;
use crate::games::{GameResult, RecordedGame, ScoredMove};
use crate::position::Position;
use crate::position::notation::parse_fen;
use crate::random::mix;
use crate::score::Score;

/// A double Chess960 position in which castling moves cannot be written as king to g1.
const CHESS960: &str = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/BRNKBNRQ w KQkq - 0 1";

/// Returns White's material advantage in centipawns, which is easy to learn.
fn material(position: &Position) -> i32 {
    const VALUES: [i32; 6] = [100, 300, 320, 500, 900, 0];
    position
        .board()
        .into_iter()
        .map(|(_, piece)| piece.color.fold_wb(1, -1) * VALUES[piece.role as usize - 1])
        .sum()
}

/// Creates games of random moves, half of them Chess960, scored by material.
fn random_games(count: u64, plies: u64) -> Vec<RecordedGame> {
    let start = parse_fen(CHESS960, true).unwrap().position;
    let mut games = Vec::new();
    for number in 0..count {
        let start = if number % 2 == 0 {
            Position::initial()
        } else {
            start.clone()
        };
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for ply in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[(mix(number << 32 | ply) % legal.len() as u64) as usize];
            moves.push(ScoredMove::new(m, Score::cp(material(&position))));
            position = position.play(m);
        }
        let result = match material(&position) {
            ..-100 => GameResult::Black,
            -100..=100 => GameResult::Draw,
            101.. => GameResult::White,
        };
        games.push(RecordedGame {
            start,
            result,
            expected: None,
            moves,
        });
    }
    games
}

/// A position with White's score and the result of its game.
type Record = (Position, i16, GameResult);

/// Returns positions of random games.
fn random_records(count: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for game in random_games(count as u64 / 50 + 1, 120) {
        let result = game.result;
        game.replay(|_, position, scored| records.push((position.clone(), scored.score, result)))
            .unwrap();
    }
    records.truncate(count);
    assert_eq!(records.len(), count);
    records
}

fn samples(records: &[Record]) -> Vec<Sample> {
    records
        .iter()
        .map(|(position, score, result)| Sample::new(position, *score, Some(*result)).unwrap())
        .collect()
}

/// A folder that is removed at the end of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}
