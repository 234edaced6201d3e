//! Ends games whose result is clear, since their remaining positions add nothing to the training
//! data.

use shakmaty::Color;

use crate::games::{GameResult, GameState};
use crate::score::Score;
use crate::tablebase::{Tablebases, Wdl};
use crate::wdl::centipawns;

/// The rules by which a game ends before the rules of chess end it.
///
/// Scores are in normalised centipawns, as the engine prints them: +100 is an even chance to win.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct AdjudicationRules {
    /// Adjudicate a win at this score, as the engine prints scores (100 is an even chance to win)
    /// ..
    #[arg(long, value_name = "CP", default_value_t = 400)]
    pub win_score: u16,
    /// .. held for this many consecutive plies; a mate score ends the game at once
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    pub win_plies: u16,
    /// Adjudicate a draw when the score is within this many centipawns of 0 ..
    #[arg(long, value_name = "CP", default_value_t = 8)]
    pub draw_score: u16,
    /// .. for this many consecutive plies ..
    #[arg(long, value_name = "PLIES", default_value_t = 10)]
    pub draw_plies: u16,
    /// .. from this ply on
    #[arg(long, value_name = "PLY", default_value_t = 60)]
    pub draw_after: u16,
    /// Adjudicate a draw when the game is this many plies long
    #[arg(long, value_name = "PLIES", default_value_t = 400)]
    pub max_plies: u16,
}

/// Applies the rules to the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator<'a> {
    rules: &'a AdjudicationRules,
    white_wins: u16,
    black_wins: u16,
    level: u16,
}

impl<'a> Adjudicator<'a> {
    /// Creates an adjudicator for a new game.
    pub fn new(rules: &'a AdjudicationRules) -> Adjudicator<'a> {
        Adjudicator {
            rules,
            white_wins: 0,
            black_wins: 0,
            level: 0,
        }
    }

    /// Records White's score of the next ply, searched with this much [`material`] on the board.
    /// Returns the result once it is clear.
    ///
    /// [`material`]: crate::wdl::material
    pub fn add(&mut self, ply: usize, white_score: Score, material: u32) -> Option<GameResult> {
        let rules = self.rules;
        let score = centipawns(white_score, material);
        let count = |counter: &mut u16, holds: bool| {
            *counter = if holds { counter.saturating_add(1) } else { 0 };
            *counter
        };
        let win = i32::from(rules.win_score);
        let white = count(&mut self.white_wins, score >= win) >= rules.win_plies;
        let black = count(&mut self.black_wins, score <= -win) >= rules.win_plies;
        let is_level =
            ply >= usize::from(rules.draw_after) && score.abs() <= i32::from(rules.draw_score);
        let level = count(&mut self.level, is_level) >= rules.draw_plies;
        if white_score.is_win() || (white && score >= win) {
            Some(GameResult::White)
        } else if white_score.is_loss() || (black && score <= -win) {
            Some(GameResult::Black)
        } else if (level && is_level) || ply + 1 >= usize::from(rules.max_plies) {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

/// Returns the tablebase result of a position right after a capture or pawn move. At other times
/// the fifty-move rule may change the result.
pub fn tablebase_result(tablebases: &Tablebases, game: &GameState) -> Option<GameResult> {
    let position = &game.position;
    if position.halfmoves() != 0 || position.occupied().count() > tablebases.max_pieces() {
        return None;
    }
    Some(match tablebases.probe_wdl(position)? {
        Wdl::Win => GameResult::won_by(position.turn()),
        Wdl::Loss => GameResult::won_by(!position.turn()),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => GameResult::Draw,
    })
}

/// Converts a score for the side to move into one for White.
pub fn for_white(turn: Color, score: Score) -> Score {
    match turn {
        Color::White => score,
        Color::Black => -score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;
    use crate::wdl::from_centipawns;

    /// The material at the start of a game.
    const FULL: u32 = 78;

    const RULES: AdjudicationRules = AdjudicationRules {
        win_score: 400,
        win_plies: 4,
        draw_score: 8,
        draw_plies: 10,
        draw_after: 70,
        max_plies: 400,
    };

    fn run_scores(
        first_ply: usize,
        scores: impl IntoIterator<Item = Score>,
        material: u32,
    ) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::new(&RULES);
        scores.into_iter().enumerate().find_map(|(index, score)| {
            let result = adjudicator.add(first_ply + index, score, material);
            Some((index, result?))
        })
    }

    /// Runs scores in normalised centipawns, with all pieces on the board.
    fn run(first_ply: usize, scores: &[i32]) -> Option<(usize, GameResult)> {
        let scores = scores.iter().map(|&score| from_centipawns(score, FULL));
        run_scores(first_ply, scores, FULL)
    }

    #[test]
    fn clear_games_end() {
        assert_eq!(run(20, &[410; 6]), Some((3, GameResult::White)));
        assert_eq!(run(20, &[-900; 6]), Some((3, GameResult::Black)));
        assert_eq!(run(20, &[900, 900, 900, 300, 900, 900]), None);
        let mate = |score| run_scores(20, [Score::DRAW, score], FULL);
        assert_eq!(mate(Score::mate_in(5)), Some((1, GameResult::White)));
        assert_eq!(mate(-Score::mate_in(5)), Some((1, GameResult::Black)));
        assert_eq!(run(20, &[0; 40]), None);
        assert_eq!(run(70, &[7; 40]), Some((9, GameResult::Draw)));
        assert_eq!(run(65, &[-6; 40]), Some((14, GameResult::Draw)));
        assert_eq!(run(70, &[14; 40]), None);
        assert_eq!(run(390, &[300; 40]), Some((9, GameResult::Draw)));
    }

    #[test]
    fn thresholds_are_normalised() {
        // The same search score is an even chance with all pieces, and much less in an endgame.
        let score = from_centipawns(500, FULL);
        let run = |material| run_scores(20, [score; 6], material);
        assert_eq!(run(FULL), Some((3, GameResult::White)));
        assert!(centipawns(score, 12) < 400);
        assert_eq!(run(12), None);
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn tablebases_end_games_with_test_data() {
        let data = std::env::var("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is not set");
        let (tables, _) = Tablebases::load(format!("{data}/syzygy/3-4-men"));
        let tables = tables.unwrap();
        let result = |fen| {
            let game = GameState::new(parse_fen(fen, false).unwrap().position);
            tablebase_result(&tables, &game)
        };
        for (fen, expected) in [
            ("k7/8/8/8/8/8/8/KR6 w - - 0 1", Some(GameResult::White)),
            ("k7/8/8/8/8/8/8/KR6 b - - 0 1", Some(GameResult::White)),
            ("kr6/8/8/8/8/8/8/K7 w - - 0 1", Some(GameResult::Black)),
            ("8/8/8/3k4/8/3K4/3P4/8 b - - 5 9", None),
            ("4k3/8/8/8/8/8/8/RNB1K3 w - - 0 1", None),
            ("k7/8/8/8/8/8/P7/KB6 w - - 0 1", Some(GameResult::White)),
            ("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1", Some(GameResult::Draw)),
        ] {
            assert_eq!(result(fen), expected, "{fen}");
        }
    }
}
