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
mod tests;
