//! Counts of results by score and material.

use crate::games::{GameError, GameResult, RecordedGame, ScoredMove};
use crate::position::Position;
use crate::wdl::material;

/// The number of amounts of material: from none to that at the start of a game, which stands for
/// more as well.
const MATERIALS: usize = 79;

/// The positions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The largest score for either side, in centipawns of the search.
    pub max_score: u16,
    /// The first ply of a game, counted from 0.
    pub from_ply: usize,
}

impl Selection {
    /// Returns whether the position before this move is used. The first of a game never is: its
    /// score is from another search, and selected the opening.
    fn includes(&self, ply: usize, scored: ScoredMove) -> bool {
        ply > 0
            && ply >= self.from_ply
            && !scored.is_decisive()
            && scored.score.unsigned_abs() <= self.max_score
    }
}

/// The results of positions.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Outcomes {
    /// The weights of games that the side ahead won, drew and lost.
    pub weights: [f64; 3],
    /// The number of positions.
    pub positions: u64,
}

impl Outcomes {
    /// Returns the total weight.
    pub fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Adds the results of other positions.
    pub fn add(&mut self, other: &Outcomes) {
        for (weight, more) in self.weights.iter_mut().zip(other.weights) {
            *weight += more;
        }
        self.positions += other.positions;
    }
}

/// Positions with the same score for the side ahead and the same material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutcomeCell {
    /// The score of the side ahead, in centipawns of the search.
    pub score: u16,
    /// The material on the board, in pawns.
    pub material: u32,
    /// Their results.
    pub outcomes: Outcomes,
}

/// The results of all positions used, by score and material, from the point of view of the side
/// ahead.
///
/// The positions of a game share its result and have similar scores: counted one by one, a hundred
/// moves of shuffling would outweigh ten games. So **a game has weight one at each amount of
/// material that occurs in it**, divided evenly among its positions with that material. At each
/// amount of material, the weights count games.
#[derive(Clone, Debug)]
pub struct Histogram {
    selection: Selection,
    /// `[material][score]`
    outcomes: Vec<Outcomes>,
    /// The number of games used.
    pub games: u64,
    /// The number of games left out: they were cut off, and the model decided them by lot.
    pub lots: u64,
    /// The number of positions used.
    pub positions: u64,
}

impl Histogram {
    /// Returns an empty histogram.
    pub fn new(selection: Selection) -> Histogram {
        let scores = usize::from(selection.max_score) + 1;
        Histogram {
            selection,
            outcomes: vec![Outcomes::default(); MATERIALS * scores],
            games: 0,
            lots: 0,
            positions: 0,
        }
    }

    /// Adds the positions of a game, unless it was cut off.
    ///
    /// # Errors
    /// Fails at an illegal move; then nothing is added.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), GameError> {
        if game.expected.is_some() {
            self.lots += 1;
            return Ok(());
        }
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

    /// Returns the number of different scores.
    fn scores(&self) -> usize {
        usize::from(self.selection.max_score) + 1
    }

    /// Returns the cells that have positions, by material and score.
    pub fn cells(&self) -> Vec<OutcomeCell> {
        self.outcomes
            .chunks(self.scores())
            .zip(0..)
            .flat_map(|(row, material)| {
                row.iter()
                    .zip(0..)
                    .map(move |(&outcomes, score)| OutcomeCell {
                        score,
                        material,
                        outcomes,
                    })
            })
            .filter(|cell| cell.outcomes.positions > 0)
            .collect()
    }
}

/// Returns the material on the board, at most that at the start of a game.
fn material_index(position: &Position) -> usize {
    usize::try_from(material(position))
        .unwrap_or(usize::MAX)
        .min(MATERIALS - 1)
}
