//! Syzygy endgame tablebases: exact results for positions with few pieces.
//!
//! There are two kinds of tables. WDL tables hold the result under the fifty-move rule, counted
//! from a capture or pawn move; the search probes them inside the tree. DTZ tables hold the
//! distance in plies to the next capture or pawn move that keeps the result; they are probed at the
//! root only, to make progress towards a win and to stay within fifty moves.

#![deny(clippy::indexing_slicing)]

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::ops::Neg;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{MaybeRounded, SyzygyError, Tablebase};

use crate::position::{Move, Position};
use crate::score::Score;

/// The number of plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The rank of a certain win.
const RANK_WIN: i32 = 100_000;
/// The rank of a win that the table's rounding leaves in doubt: below all certain wins, whatever
/// their distance.
const RANK_DOUBTFUL_WIN: i32 = RANK_WIN - 1_000;
/// The rank of a win that the fifty-move rule spoils is this minus its distance.
const RANK_CURSED_WIN: i32 = 50_000;

/// The number of plies, clock and table together, from which a lost game may still be saved by the
/// fifty-move rule if the opponent wastes time.
const SAVABLE_LOSS: i32 = FIFTY_MOVES / 2;

/// The score of a win that the fifty-move rule spoils, in centipawns: a draw that the opponent
/// still has to find.
const CURSED_WIN_SCORE: i32 = 20;

/// The result with best play for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// Returns the result without the fifty-move rule.
    #[must_use]
    pub const fn without_fifty_move_rule(self) -> Wdl {
        match self {
            Wdl::Loss | Wdl::BlessedLoss => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin | Wdl::Win => Wdl::Win,
        }
    }

    /// Returns the score of a position with this result, `ply` plies from the root of a search.
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

/// A legal root move and its result, from the point of view of the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The rank of the move. Moves of the same rank keep the same result, so that the search may
    /// choose among them; a lower rank throws something away.
    pub rank: i32,
    /// The result. It takes the halfmove clock into account if the distance is known.
    pub wdl: Wdl,
    /// The plies to the next capture, pawn move or mate, this move included: positive for a win,
    /// negative for a loss, 0 for a draw, beyond 100 if the fifty-move rule comes first. `None`
    /// without DTZ tables.
    pub dtz: Option<i32>,
    /// The score to show for the move unless the search finds a mate.
    pub score: Score,
}

/// A set of tables. Files are opened on first use.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    max_pieces: usize,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases")
            .field("max_pieces", &self.max_pieces)
            .finish_non_exhaustive()
    }
}

impl Tablebases {
    /// Loads the tables in directories separated by `;`, or by `:` on systems where paths rarely
    /// contain one. Returns the tables, if any, and a message for the user with their number and
    /// the files that could not be read.
    pub fn load(path_list: impl AsRef<OsStr>) -> (Option<Tablebases>, String) {
        let directories = split_paths(path_list.as_ref());
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
            max_pieces: tables.max_pieces(),
            tables,
        });
        (tablebases, message)
    }

    /// Returns true for a list without directories, which stands for no tablebases.
    pub fn is_empty_path(path_list: &OsStr) -> bool {
        split_paths(path_list).is_empty()
    }

    /// Returns the largest number of pieces, pawns and kings included, that any table covers.
    #[inline]
    pub const fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Probes the result of a position as if its halfmove clock were zero: inside a search, probe
    /// right after a capture or pawn move. Returns `None` if the position has castling rights or
    /// too many pieces, or if a table is missing or damaged.
    pub fn probe_wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.covers(position) {
            return None;
        }
        guarded(|| self.tables.probe_wdl_after_zeroing(position.chess())).map(Wdl::from)
    }

    /// Ranks all legal moves, best first. Among moves of one rank, quicker wins and longer
    /// resistance come first.
    ///
    /// With DTZ tables, all wins that the fifty-move rule allows with the current clock share the
    /// highest rank, unless a position has repeated since the last capture or pawn move
    /// (`repeated`): the search has been going round in circles then, and only the quickest win
    /// will do. Without DTZ tables the rank follows from the result alone. Without
    /// `fifty_move_rule`, results that the rule spoils count as wins and losses. A move to a
    /// position for which `is_drawn` is true ends the game as a draw, whatever the tables say.
    ///
    /// Returns `None` if the tables do not cover the position and all positions one move later.
    pub fn rank_root_moves(
        &self,
        position: &Position,
        repeated: bool,
        fifty_move_rule: bool,
        is_drawn: &dyn Fn(&Position) -> bool,
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
                    let child = position.play(m);
                    let distance = match is_drawn(&child) {
                        true => Distance::DRAW,
                        false => self.distance_after(&child)?,
                    };
                    let (rank, wdl) = distance.rank(clock, repeated);
                    Some((m, rank, wdl, Some(distance.plies)))
                })
                .collect::<Option<Vec<_>>>()
        };
        let by_result = || {
            moves
                .iter()
                .map(|&m| {
                    let child = position.play(m);
                    let wdl = match is_drawn(&child) {
                        true => Wdl::Draw,
                        false => self.result_after(&child)?,
                    };
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
        // Small positive and large negative distances are the better ones; both are the smaller
        // number.
        ranked.sort_by_key(|ranked| (Reverse(ranked.rank), ranked.dtz));
        Some(ranked)
    }

    fn covers(&self, position: &Position) -> bool {
        position.occupied().count() <= self.max_pieces && position.chess().castles().is_empty()
    }

    /// Returns the result for the side that has just moved.
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

    /// Returns the distance for the side that has just moved, its move included.
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

/// The distance to the next capture or pawn move according to the tables.
#[derive(Clone, Copy, Debug)]
struct Distance {
    /// The plies, positive for a win, negative for a loss, 0 for a draw.
    plies: i32,
    /// True if the actual distance may be one ply longer.
    rounded: bool,
}

impl Distance {
    /// A draw.
    const DRAW: Distance = Distance {
        plies: 0,
        rounded: false,
    };

    /// Returns the rank and the result of a move with this distance, played with the halfmove clock
    /// at `clock`.
    fn rank(self, clock: i32, repeated: bool) -> (i32, Wdl) {
        let plies = self.plies.abs();
        // The halfmove clock just before it is reset.
        let end = plies + clock;
        // Right after a capture or pawn move, rounding never affects the limit of the rule.
        let doubtful = self.rounded && clock > 0 && end == FIFTY_MOVES;
        match self.plies.signum() {
            0 => (0, Wdl::Draw),
            1 if end > FIFTY_MOVES => (RANK_CURSED_WIN - end, Wdl::CursedWin),
            1 if doubtful => (RANK_DOUBTFUL_WIN, Wdl::CursedWin),
            1 => (RANK_WIN - if repeated { plies } else { 0 }, Wdl::Win),
            _ if end > FIFTY_MOVES => (end - RANK_CURSED_WIN, Wdl::BlessedLoss),
            _ if doubtful => (-RANK_DOUBTFUL_WIN, Wdl::BlessedLoss),
            _ => (
                if end > SAVABLE_LOSS { plies } else { 0 } - RANK_WIN,
                Wdl::Loss,
            ),
        }
    }
}

/// Returns the rank of a move of which only the result is known.
const fn rank_of_result(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -RANK_WIN,
        Wdl::BlessedLoss => -RANK_CURSED_WIN,
        Wdl::Draw => 0,
        Wdl::CursedWin => RANK_CURSED_WIN,
        Wdl::Win => RANK_WIN,
    }
}

/// Probes a table. An error or a panic over a damaged file must not lose a game, so it counts as a
/// missing table.
fn guarded<T>(probe: impl FnOnce() -> Result<T, SyzygyError>) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(probe)).ok()?.ok()
}

/// Splits a list of paths. A Unix path may contain a colon, so an existing directory is not split.
fn split_paths(list: &OsStr) -> Vec<PathBuf> {
    let list = list.as_encoded_bytes().trim_ascii();
    if list == b"<empty>" {
        return Vec::new();
    }
    list.split(|&byte| byte == b';')
        .flat_map(|part| -> Vec<&[u8]> {
            if cfg!(unix) && !path_of(part).is_dir() {
                part.split(|&byte| byte == b':').collect()
            } else {
                vec![part]
            }
        })
        .map(path_of)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

/// Returns a part of a list of paths, without the spaces around it.
#[cfg(unix)]
fn path_of(part: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(part.trim_ascii()))
}

/// Returns a part of a list of paths, without the spaces around it.
#[cfg(not(unix))]
fn path_of(part: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(part.trim_ascii()).as_ref())
}

/// The tables found so far.
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
            // The first of several files for the same table is used, and the table counts once.
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

    fn message(&self, max_pieces: usize) -> String {
        let mut message = match (self.wdl, self.dtz) {
            (0, 0) => "no tablebases found".to_owned(),
            (0, dtz) => {
                format!("no WDL tablebases found ({dtz} DTZ tables are useless without them)")
            }
            (wdl, dtz) => {
                format!("found {wdl} WDL and {dtz} DTZ tablebases of up to {max_pieces} pieces")
            }
        };
        // A damaged download can cause hundreds of complaints.
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
