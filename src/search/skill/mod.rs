//! Limited playing strength: moves that are missed during the search, and the choice of a move
//! after it.
//!
//! Everything follows from the seed and the position, so play is repeatable, and a move that is
//! missed once is missed throughout a search.

mod profile;

use shakmaty::Role;

use super::SearchOptions;
use super::limits::Limits;
use super::report::{AnalysisLine, Report};
use super::root_moves::RootMove;
use crate::position::{Move, Position};
use crate::random::{mix, unit};

pub use profile::{DEFAULT_ELO, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, SkillProfile, StrengthOptions};

/// The share of the evaluation noise that applies to captures, promotions and checks: people judge
/// them better than quiet moves.
const FORCING_SHARE: f64 = 0.3;

/// The maximum loss in centipawns when the best move is a capture that loses nothing: people take
/// hanging pieces and recapture.
const CAPTURE_MAX_LOSS: i32 = 60;

/// The exchange gains in centipawns from which a capture is obvious: a queen, a rook, a minor
/// piece. The largest gain is taken first.
const OBVIOUS_GAINS: [i32; 3] = [800, 450, 250];

/// The maximum loss of an obvious capture against the best move, in centipawns. A larger loss is a
/// trap that the search has seen.
const OBVIOUS_CAPTURE_MAX_LOSS: i32 = 200;

/// The multiple of a profile's nodes at which an iteration is interrupted. From 1350 up nearly all
/// iterations end below; near the fifty-move limit, where results hold for one halfmove clock only,
/// one iteration can take many times the nodes of all before it.
const MAX_OVERSHOOT: u64 = 4;

/// The minimum number of nodes at which an iteration is interrupted. The first iteration of a low
/// level compares many moves and takes several times the profile's nodes; it has to be completed.
const MIN_INTERRUPT: u64 = 100_000;

/// The purpose of random bits.
#[derive(Clone, Copy)]
enum Purpose {
    Overlooking,
    Misjudging,
}

/// A skill: a profile of playing strength, and the seed of its errors.
#[derive(Clone, Copy, Debug)]
pub struct Skill {
    profile: SkillProfile,
    seed: u64,
}

impl Skill {
    /// Creates a skill. Equal seeds make the same errors.
    pub fn new(profile: SkillProfile, seed: u64) -> Skill {
        Skill { profile, seed }
    }

    /// Returns the limits of a search with the skill's node limits added. The first limit that is
    /// reached ends the search.
    pub fn limits(&self, limits: &Limits) -> Limits {
        let soft = self.profile.nodes as u64;
        let hard = soft.saturating_mul(MAX_OVERSHOOT).max(MIN_INTERRUPT);
        Limits {
            soft_nodes: Some(soft),
            nodes: Some(limits.nodes.map_or(hard, |nodes| nodes.min(hard))),
            ..limits.clone()
        }
    }

    /// Returns the options with which the skill compares moves.
    pub fn options(&self, options: &SearchOptions) -> SearchOptions {
        SearchOptions {
            multipv: (self.profile.candidates.round() as usize).max(1),
            ..options.clone()
        }
    }

    /// Returns whether the skill misses moves inside the tree, in addition to searching few
    /// nodes.
    pub fn misses_moves(&self) -> bool {
        self.profile.miss_probability > 0.0
    }

    /// Returns true for a legal move of an attacked piece. Such moves are never missed or pruned:
    /// a search without them would believe that every attacked piece is lost.
    pub fn always_sees(&self, position: &Position, m: Move) -> bool {
        position.threats().all.contains(m.from()) && position.role_at(m.from()) != Some(Role::Pawn)
    }

    /// Returns whether a legal move is missed. Captures, promotions, checks, evasions and moves
    /// of attacked pieces are always seen.
    pub fn misses(&self, position: &Position, m: Move) -> bool {
        self.chance(position, m) < self.profile.miss_probability
            && !position.in_check()
            && !is_forcing(position, m)
            && !self.always_sees(position, m)
    }

    /// Moves the skill's choice to the front of the root moves of a search that ran with its
    /// [`options`](Skill::options).
    pub(super) fn choose_move(&self, root: &Position, moves: &mut [RootMove]) {
        if let Some(index) = self.choice(root, moves) {
            moves.swap(0, index);
        }
    }

    /// Returns the index of the move that seems best, among those close enough to the best one.
    fn choice(&self, root: &Position, moves: &[RootMove]) -> Option<usize> {
        let best = moves.first()?;
        // Decided games need no judgement: mate is given, or delayed as long as possible.
        if best.latest_score().is_decisive() {
            return Some(0);
        }
        if let Some(index) = self.obvious_capture(root, moves) {
            return Some(index);
        }
        let worst_score = best.latest_score() - self.allowed_loss(root, best.m);
        let candidates = || {
            let lines = self.profile.candidates.round() as usize;
            let seen = moves.iter().enumerate().take(lines);
            seen.filter(|(_, candidate)| candidate.latest_score() >= worst_score)
        };
        let seems_best = |left: &(usize, &RootMove), right: &(usize, &RootMove)| {
            let [left, right] =
                [left.1, right.1].map(|candidate| self.score_with_noise(root, candidate));
            left.total_cmp(&right)
        };
        let noticed = candidates()
            .filter(|(_, candidate)| !self.misses(root, candidate.m))
            .max_by(seems_best);
        // If every good move was missed, choose among all candidates.
        let chosen = noticed.or_else(|| candidates().max_by(seems_best));
        chosen.map(|(index, _)| index)
    }

    /// Returns the index of a capture that wins material by the exchange alone, if the search has
    /// found nothing much better. A shallow search would often rather threaten the piece again,
    /// because it does not see it escape.
    fn obvious_capture(&self, root: &Position, moves: &[RootMove]) -> Option<usize> {
        let worst_score = moves.first()?.latest_score() - OBVIOUS_CAPTURE_MAX_LOSS;
        let lines = self.profile.candidates.round() as usize;
        OBVIOUS_GAINS.into_iter().find_map(|gain| {
            moves.iter().take(lines).position(|candidate| {
                root.captured(candidate.m).is_some()
                    && root.see_ge(candidate.m, gain)
                    && candidate.latest_score() >= worst_score
            })
        })
    }

    /// Returns the maximum loss of the move played against the best one, in centipawns.
    fn allowed_loss(&self, root: &Position, best: Move) -> i32 {
        let max_loss = self.profile.max_loss as i32;
        if root.captured(best).is_some() && root.see_ge(best, 0) {
            max_loss.min(CAPTURE_MAX_LOSS)
        } else {
            max_loss
        }
    }

    /// Returns the score of a candidate with evaluation noise, in centipawns.
    fn score_with_noise(&self, root: &Position, candidate: &RootMove) -> f64 {
        let share = if is_forcing(root, candidate.m) {
            FORCING_SHARE
        } else {
            1.0
        };
        let error = self.profile.eval_noise * share * self.deviation(root, candidate.m);
        f64::from(candidate.latest_score().raw()) + error
    }

    /// Returns a number from 0 to 1, uniformly distributed.
    fn chance(&self, position: &Position, m: Move) -> f64 {
        unit(self.bits(position, m, Purpose::Overlooking))
    }

    /// Returns a number with mean 0 and variance 1, close to a normal distribution: the scaled sum
    /// of four uniform numbers.
    fn deviation(&self, position: &Position, m: Move) -> f64 {
        let bits = self.bits(position, m, Purpose::Misjudging);
        let sum: f64 = (0..4)
            .map(|part| f64::from((bits >> (16 * part)) as u16) / f64::from(u16::MAX) - 0.5)
            .sum();
        sum * 3.0_f64.sqrt()
    }

    /// Returns the random bits of a move in a position.
    fn bits(&self, position: &Position, m: Move, purpose: Purpose) -> u64 {
        let which = u64::from(m.code()) << 1 | purpose as u64;
        mix(mix(self.seed ^ position.key()) ^ which)
    }
}

/// Returns true for captures, promotions and checks.
fn is_forcing(position: &Position, m: Move) -> bool {
    position.is_noisy(m) || position.gives_check(m)
}

/// A report that passes messages on and discards lines, because no line of a limited search is the
/// answer.
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

    fn skill(profile: SkillProfile, seed: u64) -> Skill {
        Skill::new(profile, seed)
    }

    /// Creates root moves with scores in centipawns, in the order of the scores.
    fn scored(root: &Position, moves: &[(&str, i32)]) -> Vec<RootMove> {
        let score = |&(text, score): &(&str, i32)| RootMove {
            score: Score::from_raw(score),
            ..RootMove::new(notation::parse_uci(root, text).unwrap())
        };
        moves.iter().map(score).collect()
    }

    /// Counts how often skills with different seeds choose each move.
    fn choices(root: &Position, profile: SkillProfile, moves: &[(&str, i32)]) -> Vec<usize> {
        let mut counts = vec![0; moves.len()];
        for seed in 0..200 {
            let mut root_moves = scored(root, moves);
            skill(profile, seed).choose_move(root, &mut root_moves);
            let chosen = notation::uci(root, root_moves[0].m).to_string();
            let index = moves.iter().position(|&(text, _)| text == chosen).unwrap();
            counts[index] += 1;
        }
        counts
    }

    #[test]
    fn quiet_moves_are_overlooked_as_often_as_the_profile_says_and_no_others() {
        let profile = SkillProfile {
            miss_probability: 0.4,
            ..SkillProfile::from_elo(MIN_ELO)
        };
        let mut quiet = 0;
        let mut overlooked = 0;
        for seed in 0..200 {
            let skill = skill(profile, seed);
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
        // The other move is within the maximum loss of the profile.
        let taken = choices(&hanging, weakest, &[("e4d5", 300), ("g1g2", 150)]);
        assert_eq!(taken, [200, 0]);
        // The piece is also taken when the search believes that another move wins it too, unless
        // that move wins much more.
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
