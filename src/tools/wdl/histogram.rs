//! How often each score went with each result.

use crate::games::{Game, GameError, GameResult, ScoredMove};
use crate::position::Position;
use crate::wdl::material;

/// Materials that are told apart: from none to that at the start of a game, which is that of positions with more, too.
const MATERIALS: usize = 79;

/// Which positions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Those with a score of at most this many centipawns for either side.
    pub max_score: u16,
    /// Those from this ply of a game on, counted from 0.
    pub from_ply: usize,
}

impl Selection {
    /// Whether the position is used that this move was played in. The first of a game never is: its score was made by
    /// another search, and it chose the opening.
    fn includes(&self, ply: usize, scored: ScoredMove) -> bool {
        ply > 0
            && ply >= self.from_ply
            && !scored.is_decisive()
            && scored.score.unsigned_abs() <= self.max_score
    }
}

/// What became of the games in which the side ahead had some score with some material on the board.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Outcomes {
    /// How much the games weigh in which it won, which were drawn, and which it lost.
    pub weights: [f64; 3],
    /// How many positions they are.
    pub positions: u64,
}

impl Outcomes {
    /// How much they weigh together.
    pub fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Adds others.
    pub fn add(&mut self, other: &Outcomes) {
        for (weight, more) in self.weights.iter_mut().zip(other.weights) {
            *weight += more;
        }
        self.positions += other.positions;
    }
}

/// Positions with the same score for the side ahead and the same material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// In the search's centipawns, from 0.
    pub score: u16,
    /// The material on the board, in pawns.
    pub material: u32,
    /// What became of them.
    pub outcomes: Outcomes,
}

/// All positions used, by score and material, from the point of view of the side ahead.
///
/// The positions of a game share its result and much of their scores, and a long game has many of them: counted one by one,
/// a hundred moves of shuffling would speak louder than ten games. So **a game weighs one at each amount of material that it
/// passes through**, shared out evenly among its positions with that much: at each material the weights count games.
#[derive(Clone, Debug)]
pub struct Histogram {
    selection: Selection,
    /// `[material][score]`
    outcomes: Vec<Outcomes>,
    /// Games read.
    pub games: u64,
    /// Positions used.
    pub positions: u64,
}

impl Histogram {
    /// Without any game.
    pub fn new(selection: Selection) -> Histogram {
        let scores = usize::from(selection.max_score) + 1;
        Histogram {
            selection,
            outcomes: vec![Outcomes::default(); MATERIALS * scores],
            games: 0,
            positions: 0,
        }
    }

    /// Adds the positions of a game.
    ///
    /// # Errors
    /// At a move that is not legal; then nothing is added.
    pub fn add(&mut self, game: &Game) -> Result<(), GameError> {
        let mut scores = Vec::with_capacity(game.moves.len());
        let mut counts = [0_u32; MATERIALS];
        game.replay(|ply, position, scored| {
            if self.selection.includes(ply, scored) {
                let material = material_index(position);
                if let Some(count) = counts.get_mut(material) {
                    *count += 1;
                }
                scores.push((scored.score, material));
            }
        })?;
        self.games += 1;
        for (score, material) in scores {
            let count = counts.get(material).copied().unwrap_or(1);
            self.add_position(score, material, game.result, 1.0 / f64::from(count.max(1)));
        }
        Ok(())
    }

    fn add_position(&mut self, white_score: i16, material: usize, result: GameResult, weight: f64) {
        let ahead = if white_score < 0 {
            GameResult::Black
        } else {
            GameResult::White
        };
        let outcome = if result == ahead {
            0
        } else if result == GameResult::Draw {
            1
        } else {
            2
        };
        let index = material * self.scores() + usize::from(white_score.unsigned_abs());
        if let Some(outcomes) = self.outcomes.get_mut(index) {
            if let Some(sum) = outcomes.weights.get_mut(outcome) {
                *sum += weight;
            }
            outcomes.positions += 1;
            self.positions += 1;
        }
    }

    /// How many scores are told apart.
    fn scores(&self) -> usize {
        usize::from(self.selection.max_score) + 1
    }

    /// What there is, by material and score.
    pub fn cells(&self) -> Vec<Cell> {
        self.outcomes
            .chunks(self.scores())
            .zip(0..)
            .flat_map(|(row, material)| {
                row.iter().zip(0..).map(move |(&outcomes, score)| Cell {
                    score,
                    material,
                    outcomes,
                })
            })
            .filter(|cell| cell.outcomes.positions > 0)
            .collect()
    }
}

/// The material on the board, at most that at the start of a game.
fn material_index(position: &Position) -> usize {
    usize::try_from(material(position))
        .unwrap_or(usize::MAX)
        .min(MATERIALS - 1)
}
