//! Levels: how well to play, from the options that ask for less than full strength to the numbers that make it so.
//!
//! A weak player is modelled after a weak person, who looks less deep, overlooks quiet moves, and misjudges positions, but
//! takes what hangs and knows how to mate with king and rook. `ANCHORS` says how much of each belongs to a rating, and
//! why; [`Skill`](super::Skill) plays accordingly.

use super::Skill;
use crate::position::Position;
use crate::search::limits::Limits;

/// The lowest rating that can be asked for.
pub const MIN_ELO: u32 = ANCHORS[0].0;

/// The highest rating that can be asked for: above it, play is not limited.
pub const MAX_ELO: u32 = ANCHORS[ANCHORS.len() - 1].0;

/// The rating to play at if none was given: a club player's.
pub const DEFAULT_ELO: u32 = 1500;

/// The skill level that is full strength.
pub const MAX_SKILL_LEVEL: u32 = 20;

/// How well somebody plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkillProfile {
    /// Nodes after which no further iteration is begun: how deep a player looks. StrengthOptions grows with their logarithm.
    pub nodes: f64,
    /// How many moves are compared before one is played. Few are needed where few errors are made.
    pub candidates: f64,
    /// The probability that a quiet move is overlooked, one's own or the opponent's, anywhere in the tree.
    pub miss_probability: f64,
    /// The standard deviation of what a candidate is misjudged by, in centipawns.
    pub eval_noise: f64,
    /// The most that a move may give away against the best one that the search has seen, in centipawns: what is worse,
    /// everybody at this level sees.
    pub max_loss: f64,
}

/// Ratings on the scale of Stockfish 15.1's `UCI_Elo`, and how one plays there. In between all is interpolated, the nodes
/// geometrically. Every column is monotone. The rows from 1350 to 2350 are calibrated by 100 games each, with network 6, and so is
/// 2225 between two rows. Those above are guesses, and those below have nothing to be compared with.
///
/// - From 2350 up, nodes alone make the level: errors of judgement are those of a shallow search.
/// - Below, people err in other ways as well: every column takes its part, and none too much of it, since a player who is
///   weak in one way only (deep and careless, or careful and blind) is strange to play against.
/// - The largest loss stays below a rook even for a beginner: errors are pawns, exchanges and pieces that a search one move
///   deeper would have kept, never a queen for nothing.
///
/// The ratings are those of the calibration, so that a row that misses its rating can be corrected by itself.
#[rustfmt::skip]
const ANCHORS: [(u32, SkillProfile); 12] = [
    level( 800,     140.0, 20.0, 0.62, 195.0, 420.0),
    level(1100,     240.0, 17.0, 0.54, 168.0, 372.0),
    level(1350,     450.0, 13.2, 0.46, 140.0, 325.0),
    level(1475,     520.0, 12.4, 0.42, 126.0, 300.0),
    level(1600,     820.0,  9.6, 0.31,  80.0, 215.0),
    level(1725,   1_250.0,  8.0, 0.26,  60.0, 175.0),
    level(1850,   2_000.0,  5.4, 0.17,  33.0, 123.0),
    level(1975,   6_000.0,  3.0, 0.07,  13.0,  55.0),
    level(2100,  10_000.0,  2.3, 0.03,   6.5,  30.0),
    level(2350,  70_000.0,  1.0, 0.00,   0.0,   0.0),
    level(2600, 900_000.0,  1.0, 0.00,   0.0,   0.0),
    level(2850, 3_000_000.0, 1.0, 0.00,  0.0,   0.0),
];

/// A row of [`ANCHORS`]: the rating, and the columns in the order of [`SkillProfile`]'s fields.
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

/// Nodes for what every player is taught: enough to see the way to mate with king and rook, or with bishop and knight.
const TECHNICAL_NODES: f64 = 20_000.0;

/// Plies without capture or pawn move after which a player notices that nothing happens, and takes a good look.
const PATIENCE: u32 = 40;

impl SkillProfile {
    /// The level of a rating, of the nearest one that there is.
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

    /// The level some share of the way from this one to another.
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

    /// How somebody of this level plays a position. Where only technique is left to show, all show it: won endings are won
    /// at every level.
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

/// Whether the opponent has nothing but pawns to put against a piece, or nothing at all, or the game has stalled.
fn is_technical(position: &Position) -> bool {
    let (us, them) = (position.turn(), position.turn().other());
    let is_lone = position.by_color(them).count() == 1;
    !position.has_non_pawn_material(them) && (is_lone || position.has_non_pawn_material(us))
        || position.halfmoves() >= PATIENCE
}

/// What the options say about strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrengthOptions {
    /// Play as well as `elo` says.
    pub limited: bool,
    /// The rating to play at, if `limited`.
    pub elo: u32,
    /// The level to play at, if not `limited`: 0 to [`MAX_SKILL_LEVEL`], which is full strength.
    pub skill_level: u32,
    /// What errors depend on besides the position; 0 for other ones in every game.
    pub seed: u64,
    /// Searches are meant as analysis.
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
    /// The rating to play at, unless it is full strength. The skill levels below that are spread evenly over the ratings.
    pub fn elo(&self) -> Option<u32> {
        if self.limited {
            Some(self.elo)
        } else {
            let level = self.skill_level.min(MAX_SKILL_LEVEL);
            (level < MAX_SKILL_LEVEL)
                .then(|| MIN_ELO + level * (MAX_ELO - MIN_ELO) / (MAX_SKILL_LEVEL - 1))
        }
    }

    /// Who is to choose the move of a search, if not the search itself: nobody asks for errors in analysis, which is what an
    /// infinite search and one for a mate are.
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
