//! How somebody of a level plays: what they overlook while they search, and what move they choose then.
//!
//! All of it follows from the seed and the position, so that play can be repeated, and a move that was overlooked once in
//! a search is overlooked throughout.

use super::Settings;
use super::level::Level;
use super::limits::Limits;
use super::report::{Line, Report};
use super::root::RootMove;
use crate::position::{Move, Position};
use crate::random::mix;

/// Captures and checks are what people look at first: they are misjudged by only this share of the usual.
const FORCING_SHARE: f64 = 0.3;

/// When the best move is a capture that loses nothing, others may be worse by so many centipawns only: people take what
/// hangs, and take back.
const CAPTURE_MAX_LOSS: i32 = 60;

/// Which question the random bits answer.
#[derive(Clone, Copy)]
enum Question {
    Overlooked,
    Misjudged,
}

/// Somebody who plays at a level.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    level: Level,
    seed: u64,
}

impl Player {
    /// Somebody of this level. Who has the same seed makes the same errors.
    pub fn new(level: Level, seed: u64) -> Player {
        Player { level, seed }
    }

    /// The limits of a search, and the player's own on top: whichever is met first ends the search.
    pub fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            soft_nodes: Some(self.level.nodes as u64),
            ..limits.clone()
        }
    }

    /// The settings under which the player compares moves.
    pub fn settings(&self, settings: &Settings) -> Settings {
        Settings {
            multipv: (self.level.candidates.round() as usize).max(1),
            ..settings.clone()
        }
    }

    /// Whether a legal move is overlooked: only quiet ones are. Everybody sees captures, checks, and the ways out of check
    /// or out of an attack on the piece itself.
    pub fn overlooks(&self, position: &Position, m: Move) -> bool {
        self.level.blindness > 0.0
            && self.chance(position, m) < self.level.blindness
            && !position.in_check()
            && !is_forcing(position, m)
            && !position.threats().all.contains(m.from())
    }

    /// Puts the move that the player chooses first. The moves are those of a finished search with the player's
    /// [`settings`](Player::settings).
    pub(super) fn choose(&self, root: &Position, moves: &mut [RootMove]) {
        if let Some(index) = self.choice(root, moves) {
            moves.swap(0, index);
        }
    }

    /// Where the move stands that seems best, among those that are not too much worse than the best one.
    fn choice(&self, root: &Position, moves: &[RootMove]) -> Option<usize> {
        let best = moves.first()?;
        // What is decided needs no judgement: mate is given, and put off as long as possible.
        if best.latest_score().is_decisive() {
            return Some(0);
        }
        let worst_score = best.latest_score() - self.allowed_loss(root, best.m);
        let candidates = || {
            let lines = self.level.candidates.round() as usize;
            let seen = moves.iter().enumerate().take(lines);
            seen.filter(|(_, candidate)| candidate.latest_score() >= worst_score)
        };
        let seems_best = |left: &(usize, &RootMove), right: &(usize, &RootMove)| {
            let [left, right] = [left.1, right.1].map(|candidate| self.impression(root, candidate));
            left.total_cmp(&right)
        };
        let noticed = candidates()
            .filter(|(_, candidate)| !self.overlooks(root, candidate.m))
            .max_by(seems_best);
        // Who has overlooked everything that is any good looks once more.
        let chosen = noticed.or_else(|| candidates().max_by(seems_best));
        chosen.map(|(index, _)| index)
    }

    /// How much worse than the best move the one played may be, in centipawns.
    fn allowed_loss(&self, root: &Position, best: Move) -> i32 {
        let max_loss = self.level.max_loss as i32;
        if root.captured(best).is_some() && root.see_ge(best, 0) {
            max_loss.min(CAPTURE_MAX_LOSS)
        } else {
            max_loss
        }
    }

    /// What a candidate seems to be worth, in centipawns: its score, misjudged.
    fn impression(&self, root: &Position, candidate: &RootMove) -> f64 {
        let share = if is_forcing(root, candidate.m) {
            FORCING_SHARE
        } else {
            1.0
        };
        let error = self.level.misjudgement * share * self.deviation(root, candidate.m);
        f64::from(candidate.latest_score().raw()) + error
    }

    /// Between 0 and 1, evenly spread.
    fn chance(&self, position: &Position, m: Move) -> f64 {
        // 53 bits are what a double holds.
        (self.bits(position, m, Question::Overlooked) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Of mean 0 and variance 1, nearly normally distributed: the sum of four that are evenly spread, each of variance 1/12.
    fn deviation(&self, position: &Position, m: Move) -> f64 {
        let bits = self.bits(position, m, Question::Misjudged);
        let sum: f64 = (0..4)
            .map(|part| f64::from((bits >> (16 * part)) as u16) / f64::from(u16::MAX) - 0.5)
            .sum();
        sum * 3.0_f64.sqrt()
    }

    /// Random bits that belong to a move in a position.
    fn bits(&self, position: &Position, m: Move, question: Question) -> u64 {
        let which = u64::from(m.code()) << 1 | question as u64;
        mix(mix(self.seed ^ position.key()) ^ which)
    }
}

/// Captures, promotions and checks.
fn is_forcing(position: &Position, m: Move) -> bool {
    position.is_noisy(m) || position.gives_check(m)
}

/// Passes messages on and keeps the lines back: while a player compares moves, none of them is the answer.
pub(super) struct WithoutLines<'a>(pub &'a dyn Report);

impl Report for WithoutLines<'_> {
    fn line(&self, _line: &Line<'_>) {}

    fn message(&self, text: &str) {
        self.0.message(text);
    }
}
