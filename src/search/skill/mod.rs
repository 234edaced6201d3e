//! How somebody of a level plays: what they overlook while they search, and what move they choose then.
//!
//! All of it follows from the seed and the position, so that play can be repeated, and a move that was overlooked once in
//! a search is overlooked throughout.

mod profile;

use shakmaty::Role;

use super::SearchOptions;
use super::limits::Limits;
use super::report::{AnalysisLine, Report};
use super::root_moves::RootMove;
use crate::position::{Move, Position};
use crate::random::mix;

pub use profile::{DEFAULT_ELO, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, SkillProfile, StrengthOptions};

/// Captures and checks are what people look at first: they are misjudged by only this share of the usual.
const FORCING_SHARE: f64 = 0.3;

/// When the best move is a capture that loses nothing, others may be worse by so many centipawns only: people take what
/// hangs, and take back.
const CAPTURE_MAX_LOSS: i32 = 60;

/// What an exchange has to win for its first capture to be obvious, in centipawns: a queen, a rook, a piece. The largest
/// prize is taken first.
const OBVIOUS_GAINS: [i32; 3] = [800, 450, 250];

/// How much worse than the best move an obvious capture may be, in centipawns. What is worse is a trap that was seen.
const OBVIOUS_CAPTURE_MAX_LOSS: i32 = 200;

/// Which question the random bits answer.
#[derive(Clone, Copy)]
enum Question {
    Overlooked,
    Misjudged,
}

/// Somebody who plays at a level.
#[derive(Clone, Copy, Debug)]
pub struct Skill {
    level: SkillProfile,
    seed: u64,
}

impl Skill {
    /// Somebody of this level. Who has the same seed makes the same errors.
    pub fn new(level: SkillProfile, seed: u64) -> Skill {
        Skill { level, seed }
    }

    /// The limits of a search, and the skill's own on top: whichever is met first ends the search.
    pub fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            soft_nodes: Some(self.level.nodes as u64),
            ..limits.clone()
        }
    }

    /// The options under which the skill compares moves.
    pub fn options(&self, options: &SearchOptions) -> SearchOptions {
        SearchOptions {
            multipv: (self.level.candidates.round() as usize).max(1),
            ..options.clone()
        }
    }

    /// Whether the skill errs while searching, and not only by searching little.
    pub fn misses_moves(&self) -> bool {
        self.level.miss_probability > 0.0
    }

    /// Whether a legal move takes away a piece that is attacked. Everybody sees an attack and looks at all ways out of it,
    /// whatever a shallow search would prune: without them it takes a piece that is attacked for one that is won.
    pub fn always_sees(&self, position: &Position, m: Move) -> bool {
        position.threats().all.contains(m.from()) && position.role_at(m.from()) != Some(Role::Pawn)
    }

    /// Whether a legal move is overlooked: only quiet ones are. Everybody sees captures, checks, and the ways out of check
    /// or out of an attack on a piece.
    pub fn misses(&self, position: &Position, m: Move) -> bool {
        self.chance(position, m) < self.level.miss_probability
            && !position.in_check()
            && !is_forcing(position, m)
            && !self.always_sees(position, m)
    }

    /// Puts the move that the skill chooses first. The moves are those of a finished search with the skill's
    /// [`options`](Skill::options).
    pub(super) fn choose_move(&self, root: &Position, moves: &mut [RootMove]) {
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
        if let Some(index) = self.obvious_capture(root, moves) {
            return Some(index);
        }
        let worst_score = best.latest_score() - self.allowed_loss(root, best.m);
        let candidates = || {
            let lines = self.level.candidates.round() as usize;
            let seen = moves.iter().enumerate().take(lines);
            seen.filter(|(_, candidate)| candidate.latest_score() >= worst_score)
        };
        let seems_best = |left: &(usize, &RootMove), right: &(usize, &RootMove)| {
            let [left, right] =
                [left.1, right.1].map(|candidate| self.noisy_score(root, candidate));
            left.total_cmp(&right)
        };
        let noticed = candidates()
            .filter(|(_, candidate)| !self.misses(root, candidate.m))
            .max_by(seems_best);
        // Who has overlooked everything that is any good looks once more.
        let chosen = noticed.or_else(|| candidates().max_by(seems_best));
        chosen.map(|(index, _)| index)
    }

    /// The capture that nobody passes by: it wins a piece or more by the exchange alone, and the search has nothing much
    /// better. A shallow search would often rather threaten the piece a second time, since it does not see it walk away.
    fn obvious_capture(&self, root: &Position, moves: &[RootMove]) -> Option<usize> {
        let worst_score = moves.first()?.latest_score() - OBVIOUS_CAPTURE_MAX_LOSS;
        let lines = self.level.candidates.round() as usize;
        OBVIOUS_GAINS.into_iter().find_map(|gain| {
            moves.iter().take(lines).position(|candidate| {
                root.captured(candidate.m).is_some()
                    && root.see_ge(candidate.m, gain)
                    && candidate.latest_score() >= worst_score
            })
        })
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
    fn noisy_score(&self, root: &Position, candidate: &RootMove) -> f64 {
        let share = if is_forcing(root, candidate.m) {
            FORCING_SHARE
        } else {
            1.0
        };
        let error = self.level.eval_noise * share * self.deviation(root, candidate.m);
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

/// Passes messages on and keeps the lines back: while a skill compares moves, none of them is the answer.
pub(super) struct MessagesOnly<'a>(pub &'a dyn Report);

impl Report for MessagesOnly<'_> {
    fn line(&self, _line: &AnalysisLine<'_>) {}

    fn message(&self, text: &str) {
        self.0.message(text);
    }

    fn error(&self, text: &str) {
        self.0.error(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{self, parse_fen};
    use crate::score::Score;

    fn position(fen: &str) -> Position {
        parse_fen(fen, false).unwrap().position
    }

    fn skill(level: SkillProfile, seed: u64) -> Skill {
        Skill::new(level, seed)
    }

    /// Root moves with these scores in centipawns, in the order of the scores.
    fn scored(root: &Position, moves: &[(&str, i32)]) -> Vec<RootMove> {
        let score = |&(text, score): &(&str, i32)| RootMove {
            score: Score::from_raw(score),
            ..RootMove::new(notation::parse_uci(root, text).unwrap())
        };
        moves.iter().map(score).collect()
    }

    /// How often each move is chosen by players of a level with different seeds.
    fn choices(root: &Position, level: SkillProfile, moves: &[(&str, i32)]) -> Vec<usize> {
        let mut counts = vec![0; moves.len()];
        for seed in 0..200 {
            let mut root_moves = scored(root, moves);
            skill(level, seed).choose_move(root, &mut root_moves);
            let chosen = notation::uci(root, root_moves[0].m).to_string();
            let index = moves.iter().position(|&(text, _)| text == chosen).unwrap();
            counts[index] += 1;
        }
        counts
    }

    #[test]
    fn quiet_moves_are_overlooked_as_often_as_the_level_says_and_no_others() {
        let level = SkillProfile {
            miss_probability: 0.4,
            ..SkillProfile::from_elo(MIN_ELO)
        };
        let mut quiet = 0;
        let mut overlooked = 0;
        for seed in 0..200 {
            let skill = skill(level, seed);
            // Nothing is attacked at the start of a game.
            let start = Position::initial();
            for m in start.legal_moves() {
                quiet += 1;
                overlooked += u32::from(skill.misses(&start, m));
                assert_eq!(skill.misses(&start, m), skill.misses(&start, m));
            }
            for fen in [
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
                "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
            ] {
                let position = position(fen);
                for m in position.legal_moves() {
                    let seen = position.is_noisy(m)
                        || position.gives_check(m)
                        || position.in_check()
                        || skill.always_sees(&position, m);
                    assert!(!(seen && skill.misses(&position, m)), "{m:?} {fen}");
                }
            }
        }
        let share = f64::from(overlooked) / f64::from(quiet);
        assert!((share - 0.4).abs() < 0.03, "{share}");
    }

    #[test]
    fn misjudgement_has_mean_zero_and_the_deviation_asked_for() {
        let start = Position::initial();
        let deviations: Vec<f64> = (0..200)
            .flat_map(|seed| {
                let skill = skill(SkillProfile::from_elo(MIN_ELO), seed);
                let moves = start.legal_moves();
                moves
                    .into_iter()
                    .map(move |m| skill.deviation(&Position::initial(), m))
            })
            .collect();
        let count = deviations.len() as f64;
        let mean = deviations.iter().sum::<f64>() / count;
        let variance = deviations.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        assert!(
            mean.abs() < 0.05 && (variance - 1.0).abs() < 0.07,
            "{mean} {variance}"
        );
    }

    #[test]
    fn a_weak_player_errs_within_bounds_and_a_strong_one_does_not() {
        let start = Position::initial();
        let moves = [("e2e4", 30), ("d2d4", 20), ("a2a3", -60), ("g2g4", -500)];
        let weak = choices(&start, SkillProfile::from_elo(MIN_ELO), &moves);
        assert!(weak[..3].iter().all(|&count| count > 10), "{weak:?}");
        assert_eq!(weak[3], 0, "{weak:?}");
        let strong = choices(&start, SkillProfile::from_elo(u32::MAX), &moves);
        assert_eq!(strong, [200, 0, 0, 0]);
    }

    #[test]
    fn what_hangs_is_taken_and_mate_is_given() {
        let hanging = position("r5k1/p7/8/3q4/4P3/8/8/Q5K1 w - - 0 1");
        let weakest = SkillProfile::from_elo(MIN_ELO);
        // Even where the other move is not as bad as the loss that the level allows.
        let taken = choices(&hanging, weakest, &[("e4d5", 300), ("g1g2", 150)]);
        assert_eq!(taken, [200, 0]);
        // Nor is it left hanging because the search believes that another move wins it too; only for much more.
        let threat = choices(&hanging, weakest, &[("g1g2", 350), ("e4d5", 300)]);
        assert_eq!(threat, [0, 200]);
        let trap = choices(&hanging, weakest, &[("g1g2", 800), ("e4d5", 300)]);
        assert_eq!(trap, [200, 0]);
        let mate = position("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1");
        let mate_in_one = Score::mate_in(1).raw();
        let given = choices(&mate, weakest, &[("e1e8", mate_in_one), ("e1e7", 900)]);
        assert_eq!(given, [200, 0]);
    }

    #[test]
    fn a_search_that_saw_nothing_leaves_its_order() {
        let start = Position::initial();
        let unseen = -Score::INFINITE.raw();
        let moves = [("e2e4", unseen), ("d2d4", unseen)];
        let mut root_moves = scored(&start, &moves);
        skill(SkillProfile::from_elo(MIN_ELO), 1).choose_move(&start, &mut root_moves);
        assert_eq!(notation::uci(&start, root_moves[0].m).to_string(), "e2e4");
        skill(SkillProfile::from_elo(MIN_ELO), 1).choose_move(&start, &mut []);
    }
}
