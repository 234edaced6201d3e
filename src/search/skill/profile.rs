//! Skill profiles: from a rating to node counts and error rates.
//!
//! A weak profile imitates a weak person, who searches less deep, misses quiet moves and misjudges
//! positions, but takes hanging pieces and can mate with king and rook. `ANCHORS` maps ratings to
//! these properties; [`Skill`](super::Skill) plays accordingly.

use super::Skill;
use crate::position::Position;
use crate::search::limits::Limits;

/// The lowest rating that can be set.
pub const MIN_ELO: u32 = ANCHORS[0].0;

/// The highest rating that can be set. Stronger play is not limited.
pub const MAX_ELO: u32 = ANCHORS[ANCHORS.len() - 1].0;

/// The default rating, that of a club player.
pub const DEFAULT_ELO: u32 = 1500;

/// The `Skill Level` of full strength.
pub const MAX_SKILL_LEVEL: u32 = 20;

/// The properties of limited play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkillProfile {
    /// The number of nodes after which no further iteration starts. Strength grows with its
    /// logarithm.
    pub nodes: f64,
    /// The number of moves compared before one is played. Profiles with few errors need few.
    pub candidates: f64,
    /// The probability that a quiet move of either side is missed, anywhere in the tree.
    pub miss_probability: f64,
    /// The standard deviation of the noise on a candidate's score, in centipawns.
    pub eval_noise: f64,
    /// The maximum loss of a move against the best one, in centipawns. Larger losses are always
    /// seen.
    pub max_loss: f64,
}

/// Profiles for ratings on the scale of Stockfish 15.1's `UCI_Elo`. Values between the rows are
/// interpolated, nodes geometrically. Every column is monotone. The rows from 1350 to 2600 are
/// calibrated against Stockfish, the rows below against the next higher rating, and 2850 against
/// 2600; `docs/levels.md` has the results.
///
/// - From 2350 up only the nodes differ: errors of judgement are those of a shallow search.
/// - Below, people err in other ways as well: every column takes its part, and none too much of
///   it, since a player who is weak in one way only (deep and careless, or careful and blind) is
///   strange to play against.
/// - Below 1100 the search hardly gets beyond the first iteration, whatever the number of nodes,
///   so the errors make the difference.
/// - The largest loss stays below a rook even for a beginner: errors are pawns, exchanges and
///   pieces that a search one move deeper would have kept, never a queen for nothing.
///
/// The ratings are those of the calibration, so a row that misses its rating can be corrected
/// without the others.
#[rustfmt::skip]
const ANCHORS: [(u32, SkillProfile); 15] = [
    level( 800,     118.0, 26.0, 0.825, 340.0, 457.0),
    level( 950,     156.0, 22.4, 0.731, 268.0, 437.0),
    level(1100,     203.0, 19.4, 0.634, 211.0, 417.0),
    level(1225,     280.0, 17.0, 0.555, 177.0, 374.0),
    level(1350,     360.0, 14.9, 0.497, 153.0, 345.0),
    level(1475,     437.0, 13.5, 0.464, 141.0, 326.0),
    level(1600,     631.0, 11.3, 0.41, 106.0, 263.0),
    level(1725,     840.0,  9.75, 0.32, 83.0, 220.0),
    level(1850,   1_150.0,  6.7, 0.22,  47.0, 150.0),
    level(1975,   2_700.0,  3.4, 0.09,  16.0,  66.0),
    level(2100,   5_400.0,  2.5, 0.04,   8.0,  36.0),
    level(2225,  10_000.0,  1.6, 0.012,  2.9,  13.5),
    level(2350,  22_000.0,  1.0, 0.00,   0.0,   0.0),
    level(2600, 180_000.0,  1.0, 0.00,   0.0,   0.0),
    level(2850, 2_500_000.0, 1.0, 0.00,  0.0,   0.0),
];

/// Creates a row of [`ANCHORS`]: the rating, and the columns in the order of the fields.
const fn level(
    elo: u32,
    nodes: f64,
    candidates: f64,
    miss_probability: f64,
    eval_noise: f64,
    max_loss: f64,
) -> (u32, SkillProfile) {
    let level = SkillProfile {
        nodes,
        candidates,
        miss_probability,
        eval_noise,
        max_loss,
    };
    (elo, level)
}

/// The number of nodes for technical positions: enough to mate with king and rook, or with bishop
/// and knight.
const TECHNICAL_NODES: f64 = 20_000.0;

/// The number of plies without a capture or pawn move after which a position counts as technical.
const PATIENCE: u32 = 40;

impl SkillProfile {
    /// Returns the profile of a rating, clamped to the available range.
    pub fn from_elo(elo: u32) -> SkillProfile {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let (mut below, mut above) = (&ANCHORS[0], &ANCHORS[0]);
        for anchor in &ANCHORS {
            above = anchor;
            if anchor.0 >= elo {
                break;
            }
            below = anchor;
        }
        let distance = f64::from((above.0 - below.0).max(1));
        below
            .1
            .interpolate(&above.1, f64::from(elo - below.0) / distance)
    }

    /// Returns the profile at a share of the distance to another one.
    fn interpolate(&self, other: &SkillProfile, share: f64) -> SkillProfile {
        let mean = |from: f64, to: f64| from + (to - from) * share;
        SkillProfile {
            nodes: mean(self.nodes.ln(), other.nodes.ln()).exp(),
            candidates: mean(self.candidates, other.candidates),
            miss_probability: mean(self.miss_probability, other.miss_probability),
            eval_noise: mean(self.eval_noise, other.eval_noise),
            max_loss: mean(self.max_loss, other.max_loss),
        }
    }

    /// Returns the profile for a position. Technical positions are played well at every rating, so
    /// won endings are won.
    #[must_use]
    pub fn for_position(self, position: &Position) -> SkillProfile {
        if !is_technical(position) {
            return self;
        }
        SkillProfile {
            nodes: self.nodes.max(TECHNICAL_NODES),
            candidates: 1.0,
            miss_probability: 0.0,
            eval_noise: 0.0,
            max_loss: 0.0,
        }
    }
}

/// Returns whether the opponent has only pawns against a piece, or only the king, or the
/// game has stalled.
fn is_technical(position: &Position) -> bool {
    let (us, them) = (position.turn(), position.turn().other());
    let is_lone = position.by_color(them).count() == 1;
    !position.has_non_pawn_material(them) && (is_lone || position.has_non_pawn_material(us))
        || position.halfmoves() >= PATIENCE
}

/// The options that set the playing strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthOptions {
    /// Limits the strength to `elo`.
    pub limited: bool,
    /// The rating, used if `limited`.
    pub elo: u32,
    /// The `Skill Level`, used unless `limited`: 0 to [`MAX_SKILL_LEVEL`], which is full strength.
    pub skill_level: u32,
    /// The seed of the errors; 0 selects a new one for every game.
    pub seed: u64,
    /// Disables the limit for analysis.
    pub analysing: bool,
}

impl Default for StrengthOptions {
    fn default() -> StrengthOptions {
        StrengthOptions {
            limited: false,
            elo: DEFAULT_ELO,
            skill_level: MAX_SKILL_LEVEL,
            seed: 0,
            analysing: false,
        }
    }
}

impl StrengthOptions {
    /// Returns the rating, or `None` for full strength. Skill levels are spread evenly over the
    /// ratings.
    pub fn elo(&self) -> Option<u32> {
        if self.limited {
            Some(self.elo)
        } else {
            let level = self.skill_level.min(MAX_SKILL_LEVEL);
            (level < MAX_SKILL_LEVEL)
                .then(|| MIN_ELO + level * (MAX_ELO - MIN_ELO) / (MAX_SKILL_LEVEL - 1))
        }
    }

    /// Returns the skill for a search, or `None` at full strength. Analysis, infinite searches and
    /// mate searches are never limited.
    pub fn skill(&self, limits: &Limits, root: &Position, game_seed: u64) -> Option<Skill> {
        let is_analysis = self.analysing || limits.infinite || limits.mate.is_some();
        let elo = self.elo().filter(|_| !is_analysis)?;
        let level = SkillProfile::from_elo(elo).for_position(root);
        let seed = if self.seed == 0 { game_seed } else { self.seed };
        Some(Skill::new(level, seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    #[test]
    fn a_higher_rating_means_more_nodes_and_fewer_errors() {
        for elo in MIN_ELO..MAX_ELO {
            let (weak, strong) = (SkillProfile::from_elo(elo), SkillProfile::from_elo(elo + 1));
            assert!(weak.nodes <= strong.nodes, "{elo}");
            assert!(weak.candidates >= strong.candidates, "{elo}");
            assert!(weak.miss_probability >= strong.miss_probability, "{elo}");
            assert!(weak.eval_noise >= strong.eval_noise, "{elo}");
            assert!(weak.max_loss >= strong.max_loss, "{elo}");
            assert_ne!(weak, strong, "{elo}");
        }
    }

    #[test]
    fn the_table_is_met_at_its_ratings() {
        let columns = |level: SkillProfile| {
            [
                level.nodes,
                level.candidates,
                level.miss_probability,
                level.eval_noise,
                level.max_loss,
            ]
        };
        for (elo, level) in ANCHORS {
            let pairs = columns(SkillProfile::from_elo(elo))
                .into_iter()
                .zip(columns(level));
            for (found, expected) in pairs {
                let tolerance = 1e-9 * expected.max(1.0);
                assert!(
                    (found - expected).abs() < tolerance,
                    "{elo}: {found} {expected}"
                );
            }
        }
        assert_eq!(SkillProfile::from_elo(0), SkillProfile::from_elo(MIN_ELO));
        assert_eq!(
            SkillProfile::from_elo(u32::MAX),
            SkillProfile::from_elo(MAX_ELO)
        );
    }

    #[test]
    fn the_rating_wins_over_the_skill_level() {
        let strength = |limited, skill_level| StrengthOptions {
            limited,
            elo: 2000,
            skill_level,
            ..StrengthOptions::default()
        };
        assert_eq!(strength(false, 20).elo(), None);
        assert_eq!(strength(false, 0).elo(), Some(MIN_ELO));
        assert_eq!(strength(false, 19).elo(), Some(MAX_ELO));
        assert_eq!(strength(true, 0).elo(), Some(2000));
        assert_eq!(strength(true, 20).elo(), Some(2000));
        for skill in 0..19 {
            assert!(strength(false, skill).elo() < strength(false, skill + 1).elo());
        }
    }

    #[test]
    fn analysis_is_not_limited() {
        let strength = StrengthOptions {
            limited: true,
            ..StrengthOptions::default()
        };
        let root = Position::initial();
        let plays = |strength: StrengthOptions, limits: Limits| strength.skill(&limits, &root, 1);
        assert!(plays(strength, Limits::default()).is_some());
        assert!(plays(StrengthOptions::default(), Limits::default()).is_none());
        let infinite = Limits {
            infinite: true,
            ..Limits::default()
        };
        assert!(plays(strength, infinite).is_none());
        let mate = Limits {
            mate: Some(3),
            ..Limits::default()
        };
        assert!(plays(strength, mate).is_none());
        let analysing = StrengthOptions {
            analysing: true,
            ..strength
        };
        assert!(plays(analysing, Limits::default()).is_none());
    }

    #[test]
    fn technique_is_the_same_at_all_levels() {
        let lowest = SkillProfile::from_elo(MIN_ELO);
        for (fen, technique) in [
            ("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", true),
            ("8/3p4/8/3k4/8/8/1R6/K7 w - - 0 1", true),
            ("8/8/8/3k4/8/8/1P6/K7 w - - 0 1", true),
            // The side to move is the one that is lost.
            ("8/8/8/3k4/8/8/1R6/K7 b - - 0 1", false),
            ("8/3p4/8/3k4/8/8/1P6/K7 w - - 0 1", false),
            ("8/3n4/8/3k4/8/8/1R6/K7 w - - 0 1", false),
            ("8/3n4/8/3k4/8/8/1R6/K7 w - - 60 90", true),
        ] {
            let position = parse_fen(fen, false).unwrap().position;
            let level = lowest.for_position(&position);
            assert_eq!(level.nodes >= TECHNICAL_NODES, technique, "{fen}");
            assert_eq!(level.eval_noise == 0.0, technique, "{fen}");
        }
    }
}
