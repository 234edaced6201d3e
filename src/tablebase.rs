//! Syzygy endgame tablebases: what is known for certain when few men are left.
//!
//! Two kinds of tables are used. WDL tables hold the result under the fifty-move rule, counted from a capture or pawn
//! move; the search asks them inside the tree. DTZ tables hold how many plies it takes to the next capture or pawn move
//! that keeps the result; only the root asks them, to make progress towards a win and to stay within fifty moves.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::ops::Neg;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{MaybeRounded, SyzygyError, Tablebase};

use crate::position::{Move, Position};
use crate::score::Score;

/// Plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The rank of a win that is sure.
const RANK_WIN: i32 = 100_000;
/// The rank of a win that the rounding of the table leaves in doubt: below all sure ones, whatever their distance.
const RANK_DOUBTFUL_WIN: i32 = RANK_WIN - 1_000;
/// A win that the fifty-move rule spoils ranks below this by its distance.
const RANK_CURSED_WIN: i32 = 50_000;

/// From this many plies on, the clock's and the tables' together, a lost game may still be saved by the fifty-move rule
/// if the opponent wastes time.
const HOPE: i32 = FIFTY_MOVES / 2;

/// What a win that the fifty-move rule spoils is worth, in centipawns: a draw, but the opponent has to find it.
const CURSED_WIN_SCORE: i32 = 20;

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule saves it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but the fifty-move rule spoils it.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// The result when there is no fifty-move rule.
    #[must_use]
    pub const fn without_fifty_move_rule(self) -> Wdl {
        match self {
            Wdl::Loss | Wdl::BlessedLoss => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin | Wdl::Win => Wdl::Win,
        }
    }

    /// What the result is worth to a search that finds it `ply` plies from its root.
    pub const fn score(self, ply: usize) -> Score {
        match self {
            Wdl::Loss => Score::tablebase_loss(ply),
            Wdl::BlessedLoss => Score::cp(-CURSED_WIN_SCORE),
            Wdl::Draw => Score::DRAW,
            Wdl::CursedWin => Score::cp(CURSED_WIN_SCORE),
            Wdl::Win => Score::tablebase_win(ply),
        }
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Wdl {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        }
    }
}

/// A legal root move and what the tables say about it, from the point of view of the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// Moves of the same rank are equally good as far as the result goes, so that a search may choose among them; a move
    /// of a lower rank throws something away.
    pub rank: i32,
    /// The result, with the halfmove clock taken into account where the distance is known.
    pub wdl: Wdl,
    /// Plies to the next capture, pawn move or mate, this move included: positive for a win, negative for a loss, 0 for
    /// a draw, beyond 100 when the fifty-move rule comes first. `None` when the DTZ tables are missing.
    pub dtz: Option<i32>,
    /// What the search may show for the move unless it finds a mate.
    pub score: Score,
}

/// A set of tables. Files are opened when they are first needed; sharing is cheap in an `Arc`.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    max_men: usize,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases")
            .field("max_men", &self.max_men)
            .finish_non_exhaustive()
    }
}

impl Tablebases {
    /// Looks for tables in directories separated by `;`, or by `:` on systems whose paths rarely have one. Returns the
    /// tables, if there are any, and what to tell the user: how many were found, and what could not be read.
    pub fn load(path_list: &str) -> (Option<Tablebases>, String) {
        let directories = split_paths(path_list);
        if directories.is_empty() {
            return (None, "no tablebases in use".to_owned());
        }
        let mut found = Found::default();
        let mut tables = Tablebase::new();
        for directory in &directories {
            if let Err(error) = found.add_directory(directory, &mut tables) {
                let directory = directory.display();
                found
                    .complaints
                    .push(format!("cannot read {directory}: {error}"));
            }
        }
        let message = found.message(tables.max_pieces());
        let tablebases = (found.wdl > 0).then(|| Tablebases {
            max_men: tables.max_pieces(),
            tables,
        });
        (tablebases, message)
    }

    /// The most men, kings included, that any table is for.
    #[inline]
    pub const fn max_men(&self) -> usize {
        self.max_men
    }

    /// The result of a position, as if its halfmove clock stood at zero: inside a search, ask right after a capture or a
    /// pawn move. `None` when the position has castling rights or too many men, or a table is missing or damaged.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.covers(position) {
            return None;
        }
        guarded(|| self.tables.probe_wdl_after_zeroing(position.chess())).map(Wdl::from)
    }

    /// Ranks all legal moves, best first. Among moves of one rank the quicker win and the longer resistance come first.
    ///
    /// With DTZ tables, wins that can be completed within the fifty-move rule as the halfmove clock stands share the
    /// highest rank, unless a position has stood on the board before since the last capture or pawn move (`repeated`):
    /// then the search has been going round in circles and only the quickest win will do. Without DTZ tables the rank
    /// is the result. Without `fifty_move_rule`, results that the rule spoils are shown as wins and losses.
    ///
    /// `None` when the position has no entry, or one of those after it has none.
    pub fn rank_root_moves(
        &self,
        position: &Position,
        repeated: bool,
        fifty_move_rule: bool,
    ) -> Option<Vec<RankedMove>> {
        if !self.covers(position) {
            return None;
        }
        let moves = position.legal_moves();
        let clock = position.halfmoves() as i32;
        let by_distance = || {
            moves
                .iter()
                .map(|&m| {
                    let distance = self.distance_after(&position.play(m))?;
                    let (rank, wdl) = distance.rank(clock, repeated);
                    Some((m, rank, wdl, Some(distance.plies)))
                })
                .collect::<Option<Vec<_>>>()
        };
        let by_result = || {
            moves
                .iter()
                .map(|&m| {
                    let wdl = self.result_after(&position.play(m))?;
                    Some((m, rank_of_result(wdl), wdl, None))
                })
                .collect::<Option<Vec<_>>>()
        };
        let mut ranked: Vec<RankedMove> = by_distance()
            .or_else(by_result)?
            .into_iter()
            .map(|(m, rank, wdl, dtz)| {
                let wdl = if fifty_move_rule {
                    wdl
                } else {
                    wdl.without_fifty_move_rule()
                };
                RankedMove {
                    m,
                    rank,
                    wdl,
                    dtz,
                    score: wdl.score(0),
                }
            })
            .collect();
        // Small positive and large negative distances are what their side wants; both are the smaller number.
        ranked.sort_by_key(|ranked| (Reverse(ranked.rank), ranked.dtz));
        Some(ranked)
    }

    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_men && position.chess().castles().is_empty()
    }

    /// The result for the side that has just moved.
    fn result_after(&self, child: &Position) -> Option<Wdl> {
        if !child.has_legal_move() {
            return Some(if child.in_check() {
                Wdl::Win
            } else {
                Wdl::Draw
            });
        }
        guarded(|| self.tables.probe_wdl_after_zeroing(child.chess())).map(|wdl| -Wdl::from(wdl))
    }

    /// The distance for the side that has just moved, its move included.
    fn distance_after(&self, child: &Position) -> Option<Distance> {
        if child.halfmoves() == 0 || !child.has_legal_move() {
            let plies = match self.result_after(child)? {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -1 - FIFTY_MOVES,
                Wdl::Draw => 0,
                Wdl::CursedWin => 1 + FIFTY_MOVES,
                Wdl::Win => 1,
            };
            return Some(Distance {
                plies,
                rounded: false,
            });
        }
        let dtz = guarded(|| self.tables.probe_dtz(child.chess()))?;
        let rounded = matches!(dtz, MaybeRounded::Rounded(_));
        let plies = -dtz.ignore_rounding().0;
        Some(Distance {
            plies: plies + plies.signum(),
            rounded,
        })
    }
}

/// Plies to the next capture or pawn move, as the tables know it.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// Positive for a win, negative for a loss, 0 for a draw.
    plies: i32,
    /// The true distance may be one ply more.
    rounded: bool,
}

impl Distance {
    /// The rank of a move with this distance, and its result, when the halfmove clock stands at `clock` before it.
    fn rank(self, clock: i32, repeated: bool) -> (i32, Wdl) {
        let plies = self.plies.abs();
        // What the halfmove clock will show when it is set back.
        let end = plies + clock;
        // Rounding never touches the edge of the rule right after a capture or pawn move.
        let doubtful = self.rounded && clock > 0 && end == FIFTY_MOVES;
        match self.plies.signum() {
            0 => (0, Wdl::Draw),
            1 if end > FIFTY_MOVES => (RANK_CURSED_WIN - end, Wdl::CursedWin),
            1 if doubtful => (RANK_DOUBTFUL_WIN, Wdl::CursedWin),
            1 => (RANK_WIN - if repeated { plies } else { 0 }, Wdl::Win),
            _ if end > FIFTY_MOVES => (end - RANK_CURSED_WIN, Wdl::BlessedLoss),
            _ if doubtful => (-RANK_DOUBTFUL_WIN, Wdl::BlessedLoss),
            _ => (if end > HOPE { plies } else { 0 } - RANK_WIN, Wdl::Loss),
        }
    }
}

/// The rank of a move of which only the result is known.
const fn rank_of_result(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -RANK_WIN,
        Wdl::BlessedLoss => -RANK_CURSED_WIN,
        Wdl::Draw => 0,
        Wdl::CursedWin => RANK_CURSED_WIN,
        Wdl::Win => RANK_WIN,
    }
}

/// Asks the tables. A damaged file is no reason to lose a game: what goes wrong means that nothing is known.
fn guarded<T>(probe: impl FnOnce() -> Result<T, SyzygyError>) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(probe)).ok()?.ok()
}

/// The directories in a list of paths. A Unix path may have a colon in it, so that what is a directory stays whole.
fn split_paths(list: &str) -> Vec<PathBuf> {
    let list = list.trim();
    if list == "<empty>" {
        return Vec::new();
    }
    list.split(';')
        .flat_map(|part| -> Vec<&str> {
            if cfg!(unix) && !Path::new(part.trim()).is_dir() {
                part.split(':').collect()
            } else {
                vec![part]
            }
        })
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(PathBuf::from)
        .collect()
}

/// What a search for tables has found so far.
#[derive(Debug, Default)]
struct Found {
    names: HashSet<OsString>,
    wdl: usize,
    dtz: usize,
    complaints: Vec<String>,
}

impl Found {
    fn add_directory(&mut self, directory: &Path, tables: &mut Tablebase<Chess>) -> io::Result<()> {
        for entry in directory.read_dir()? {
            let path = entry?.path();
            let Some(name) = path.file_name() else {
                continue;
            };
            let kind = path.extension().unwrap_or_default();
            // The same table in two directories counts once, and the first one is used.
            if (kind != "rtbw" && kind != "rtbz") || self.names.contains(name) {
                continue;
            }
            match tables.add_file(&path) {
                Ok(()) => {
                    self.names.insert(name.to_owned());
                    if kind == "rtbw" {
                        self.wdl += 1;
                    } else {
                        self.dtz += 1;
                    }
                }
                // The name is not that of a table.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) => {
                    let path = path.display();
                    self.complaints.push(format!("cannot use {path}: {error}"));
                }
            }
        }
        Ok(())
    }

    fn message(&self, max_men: usize) -> String {
        let mut message = match (self.wdl, self.dtz) {
            (0, 0) => "no tablebases found".to_owned(),
            (0, dtz) => format!("no WDL tablebases found ({dtz} DTZ tables are of no use alone)"),
            (wdl, dtz) => {
                format!("found {wdl} WDL and {dtz} DTZ tablebases of up to {max_men} men")
            }
        };
        // One damaged download can make hundreds of complaints.
        const SHOWN: usize = 4;
        for complaint in self.complaints.iter().take(SHOWN) {
            message.push_str("; ");
            message.push_str(complaint);
        }
        if self.complaints.len() > SHOWN {
            message.push_str(&format!("; and {} more", self.complaints.len() - SHOWN));
        }
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{fen, parse_fen, uci};

    fn position(text: &str) -> Position {
        parse_fen(text, false).unwrap().position
    }

    /// The data directory: tests that need it are ignored by default and have `with_test_data` in their name.
    fn data() -> PathBuf {
        std::env::var_os("QUEVEDO_TEST_DATA")
            .expect("QUEVEDO_TEST_DATA is not set")
            .into()
    }

    fn tables() -> Tablebases {
        let path = data().join("syzygy/3-4-men");
        let (tables, message) = Tablebases::load(path.to_str().unwrap());
        assert_eq!(message, "found 35 WDL and 35 DTZ tablebases of up to 4 men");
        tables.unwrap()
    }

    /// Plays the first ranked move for both sides until the game ends; the number of plies if it ends in mate.
    fn play_out(tables: &Tablebases, start: &str) -> Option<usize> {
        let mut position = position(start);
        for ply in 0..200 {
            if position.halfmoves() >= 100 && !position.in_check() {
                return None;
            }
            let ranked = tables.rank_root_moves(&position, false, true).unwrap();
            let Some(best) = ranked.first() else {
                return position.in_check().then_some(ply);
            };
            position = position.play(best.m);
        }
        None
    }

    #[test]
    fn nothing_found_is_said() {
        let (tables, message) = Tablebases::load("");
        assert!(tables.is_none());
        assert_eq!(message, "no tablebases in use");
        assert!(Tablebases::load("<empty>").0.is_none());
        let (tables, message) = Tablebases::load("/nowhere/at all;src");
        assert!(tables.is_none());
        assert!(
            message.starts_with("no tablebases found; cannot read /nowhere/at all: "),
            "{message}"
        );
        assert!(!message.contains("src"), "{message}");
    }

    #[test]
    fn paths_are_separated_by_semicolons_and_colons() {
        assert_eq!(
            split_paths(" a ; b;;c"),
            ["a", "b", "c"].map(PathBuf::from).to_vec()
        );
        if cfg!(unix) {
            assert_eq!(
                split_paths("/x:/y;/z"),
                ["/x", "/y", "/z"].map(PathBuf::from).to_vec()
            );
        }
    }

    #[test]
    fn files_that_are_no_tables_are_named() {
        let directory = std::env::temp_dir().join(format!("quevedo-tb-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for (name, bytes) in [
            ("KQvK.rtbw", [0_u8; 80].as_slice()),
            ("KRvK.rtbw", b"short".as_slice()),
            ("readme.rtbw", b"".as_slice()),
        ] {
            std::fs::write(directory.join(name), bytes).unwrap();
        }
        let (tables, message) = Tablebases::load(directory.to_str().unwrap());
        assert!(
            message.starts_with("found 1 WDL and 0 DTZ tablebases of up to 3 men; cannot use "),
            "{message}"
        );
        assert!(message.contains("KRvK.rtbw"), "{message}");
        // The table is damaged: it knows nothing, and nothing else happens.
        let tables = tables.unwrap();
        let position = position("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
        assert_eq!(tables.probe_wdl(&position), None);
        assert_eq!(tables.rank_root_moves(&position, false, true), None);
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn ranks_put_the_result_first_and_the_clock_second() {
        let rank = |plies, rounded, clock| Distance { plies, rounded }.rank(clock, false);
        let (sure, wdl) = rank(60, false, 40);
        assert_eq!(wdl, Wdl::Win);
        assert_eq!(rank(3, false, 40), (sure, Wdl::Win));
        let (doubtful, _) = rank(60, true, 40);
        let (late, wdl) = rank(61, false, 40);
        assert_eq!(wdl, Wdl::CursedWin);
        let (later, _) = rank(90, false, 40);
        assert!(sure > doubtful && doubtful > late && late > later && later > 0);
        // Going round in circles: now the distance counts.
        let quick = Distance {
            plies: 3,
            rounded: false,
        };
        assert!(quick.rank(40, true).0 > Distance { plies: 5, ..quick }.rank(40, true).0);
        // Losing: near the end of the fifty moves every ply counts, and a saved game comes first.
        assert!(rank(-20, false, 45).0 > rank(-10, false, 45).0);
        assert_eq!(rank(-20, false, 0), rank(-10, false, 0));
        let (saved, wdl) = rank(-61, false, 40);
        assert_eq!(wdl, Wdl::BlessedLoss);
        assert!(saved < 0 && saved > rank(-60, true, 40).0);
        assert!(rank(-60, true, 40).0 > rank(-60, false, 40).0);
        // After a capture or pawn move the edge is exact.
        assert_eq!(rank(100, true, 0).1, Wdl::Win);
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn endgame_suite_agrees_with_test_data() {
        let tables = tables();
        let suite = std::fs::read_to_string(data().join("epd/endgame-wdl-dtz.epd")).unwrap();
        let mut count = 0;
        for line in suite.lines().filter(|line| !line.trim().is_empty()) {
            let board: Vec<&str> = line.split_whitespace().take(4).collect();
            let operation = |name: &str| -> i32 {
                line.split(';')
                    .map(|part| part.trim_start_matches(board.join(" ").as_str()))
                    .find_map(|part| part.trim().strip_prefix(name)?.trim().parse().ok())
                    .unwrap()
            };
            let position = position(&board.join(" "));
            let expected = match operation("wdl ") {
                -2 => Wdl::Loss,
                -1 => Wdl::BlessedLoss,
                0 => Wdl::Draw,
                1 => Wdl::CursedWin,
                _ => Wdl::Win,
            };
            assert_eq!(tables.probe_wdl(&position), Some(expected), "{line}");
            // The best ranked move keeps the result, and its distance is the position's.
            let ranked = tables.rank_root_moves(&position, true, true).unwrap();
            if let Some(best) = ranked.first() {
                assert_eq!(best.wdl, expected, "{line}");
                let dtz = operation("dtz ");
                let best = best.dtz.unwrap();
                // The tables round, so that one ply more or less is no error.
                assert!((best - dtz).abs() <= 1, "{line}: {best}");
            }
            count += 1;
        }
        assert_eq!(count, 200);
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn following_the_ranks_mates_with_test_data() {
        let tables = tables();
        for (start, most) in [
            ("8/8/8/3k4/8/8/8/K6R w - - 0 1", 32),
            ("8/8/8/3k4/8/8/8/K5Q1 w - - 0 1", 20),
            ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 66),
            ("8/8/8/3k4/8/8/8/KBB5 b - - 0 1", 40),
            ("8/8/8/8/8/2k5/4P3/4K3 w - - 0 1", 60),
            ("8/8/8/3k4/8/8/3r4/K5Q1 w - - 0 1", 80),
        ] {
            let plies = play_out(&tables, start).unwrap_or_else(|| panic!("{start}: no mate"));
            assert!(plies <= most, "{start}: {plies}");
        }
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn the_halfmove_clock_counts_with_test_data() {
        let tables = tables();
        let wdl = |fen: &str, rule| {
            let ranked = tables.rank_root_moves(&position(fen), false, rule).unwrap();
            ranked.first().unwrap().wdl
        };
        assert_eq!(wdl("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", true), Wdl::Win);
        assert_eq!(
            wdl("8/8/8/3k4/8/8/8/KBN5 w - - 90 80", true),
            Wdl::CursedWin
        );
        assert_eq!(wdl("8/8/8/3k4/8/8/8/KBN5 w - - 90 80", false), Wdl::Win);
        assert_eq!(
            wdl("8/8/8/3k4/8/8/8/KBN5 b - - 90 80", true),
            Wdl::BlessedLoss
        );
        // A mate on the last ply comes before the fifty-move rule.
        assert_eq!(wdl("k7/8/1K6/8/8/8/8/6Q1 w - - 99 80", true), Wdl::Win);
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn castling_rights_and_many_men_are_refused_with_test_data() {
        let tables = tables();
        for text in [
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let position = position(text);
            assert_eq!(tables.probe_wdl(&position), None);
            assert_eq!(tables.rank_root_moves(&position, false, true), None);
        }
        let position = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        let ranked = tables.rank_root_moves(&position, false, true).unwrap();
        assert_eq!(ranked.len(), position.legal_moves().len());
        for ranked in &ranked {
            assert!(
                ranked.score.is_win() || ranked.wdl == Wdl::Draw,
                "{} {}",
                fen(&position),
                uci(&position, ranked.m)
            );
        }
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn results_alone_rank_too_with_test_data() {
        let directory = std::env::temp_dir().join(format!("quevedo-wdl-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for name in [
            "KQvK.rtbw",
            "KRvK.rtbw",
            "KPvK.rtbw",
            "KBvK.rtbw",
            "KNvK.rtbw",
        ] {
            std::fs::copy(
                data().join("syzygy/3-4-men").join(name),
                directory.join(name),
            )
            .unwrap();
        }
        let (tables, message) = Tablebases::load(directory.to_str().unwrap());
        assert_eq!(message, "found 5 WDL and 0 DTZ tablebases of up to 3 men");
        let position = position("8/4P3/8/3k4/8/8/8/K7 w - - 0 1");
        let ranked = tables
            .unwrap()
            .rank_root_moves(&position, false, true)
            .unwrap();
        assert_eq!(ranked[0].wdl, Wdl::Win);
        assert_eq!(ranked[0].dtz, None);
        assert_eq!(ranked.last().unwrap().wdl, Wdl::Draw);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
