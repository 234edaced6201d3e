//! The transposition table: results of earlier searches by position, shared by all threads without
//! locks.
//!
//! A cluster has 32 bytes, half a cache line, and contains three entries:
//!
//! ```text
//! word 0 .. 2   63 .. 56   55 .. 48  47 .. 32     31 .. 16  15 .. 0
//!               age pv bound  depth  static eval  score     move
//! word 3        62 .. 42   41 .. 21  20 .. 0
//!               check 2    check 1   check 0
//! ```
//!
//! The words are read and written separately with relaxed atomics, so an entry and its check can
//! come from different writers. The check is therefore 21 bits of the position's key combined with
//! the entry itself: a mixture of two writes does not match, and neither does another position's
//! entry.

mod saved;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use memmap2::MmapRaw;
use rayon::prelude::*;

use crate::huge_pages::zeroed_memory;
use crate::memory::{self, MEBIBYTE, MemoryError};
use crate::position::Move;
use crate::processor::prefetch;
use crate::score::{Bound, Score};

pub use saved::SavedTableError;

/// The number of entries in a cluster.
const ENTRIES: usize = 3;
/// The number of bits in a check.
const CHECK_BITS: usize = 21;
const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;
/// The number of searches after which ages wrap.
const AGES: u8 = 32;
/// The plies by which an entry of the same search must be deeper than a new bound to stay.
const KEPT_ABOVE: i32 = 4;
/// The plies of depth that an entry loses in worth with each search after its own.
const AGE_COST: i32 = 8;
/// The stored value of a missing evaluation.
const NO_EVAL: i16 = i16::MIN;

/// The result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, if known. It may belong to another position with the same check.
    pub best_move: Option<Move>,
    /// The score in the form of [`Score::to_tt`].
    score: i16,
    /// The static evaluation in centipawns, without corrections; absent in check, and in results of
    /// tablebases.
    eval: i16,
    /// The depth of the search in plies; 0 for quiescence.
    pub depth: i32,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// True when the position was once on a principal variation.
    pub is_pv: bool,
}

impl TtEntry {
    /// Creates an entry for a position `ply` plies from the root.
    pub fn new(
        best_move: Option<Move>,
        score: Score,
        ply: usize,
        raw_eval: Option<i32>,
        depth: i32,
        bound: Bound,
        is_pv: bool,
    ) -> TtEntry {
        let eval = raw_eval.map_or(NO_EVAL, |eval| eval.clamp(-32_000, 32_000) as i16);
        TtEntry {
            best_move,
            score: score.to_tt(ply),
            eval,
            depth,
            bound,
            is_pv,
        }
    }

    /// Returns the score seen from a root `ply` plies up; see [`Score::from_tt`].
    #[inline]
    pub const fn score(&self, ply: usize, halfmove_clock: u32) -> Score {
        Score::from_tt(self.score, ply, halfmove_clock)
    }

    /// The static evaluation in centipawns, if it is known: see [`TtEntry`].
    #[inline]
    pub const fn raw_eval(&self) -> Option<i32> {
        if self.eval == NO_EVAL {
            None
        } else {
            Some(self.eval as i32)
        }
    }

    #[inline]
    fn pack(&self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let tag = u64::from(age) << 3 | u64::from(self.is_pv) << 2 | bound;
        tag << 56
            | (self.depth.clamp(0, 255) as u64) << 48
            | u64::from(self.eval as u16) << 32
            | u64::from(self.score as u16) << 16
            | self.best_move.map_or(0, |m| u64::from(m.code()))
    }

    #[inline]
    fn unpack(data: u64) -> Option<TtEntry> {
        let bound = match data >> 56 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(TtEntry {
            best_move: Move::from_code(data as u16),
            score: (data >> 16) as i16,
            eval: (data >> 32) as i16,
            depth: (data >> 48 & 255) as i32,
            bound,
            is_pv: data >> 58 & 1 == 1,
        })
    }
}

#[inline]
const fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[inline]
const fn depth_of(data: u64) -> i32 {
    (data >> 48 & 255) as i32
}

/// Computes the check of an entry from the entry and from bits of the key that did not select the
/// cluster.
#[inline]
const fn check(key: u64, data: u64) -> u64 {
    (key ^ data ^ data >> CHECK_BITS ^ data >> (2 * CHECK_BITS)) & CHECK_MASK
}

#[repr(C, align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    checks: AtomicU64,
}

impl Cluster {
    fn words(&self) -> impl Iterator<Item = &AtomicU64> {
        self.entries.iter().chain([&self.checks])
    }
}

/// The transposition table.
#[derive(Debug)]
pub struct TranspositionTable {
    memory: MmapRaw,
    age: AtomicU8,
    /// True when entries were stored since the table was last empty.
    dirty: AtomicBool,
    /// True when the system has provided all of the memory.
    touched: bool,
}

impl TranspositionTable {
    /// Creates an empty table of this many MiB. The memory is reserved but not
    /// [touched](TranspositionTable::touch), so this is instant.
    ///
    /// `replaced` is the table that the caller will drop for it; its memory counts as available.
    ///
    /// # Errors
    /// Fails when the machine does not have enough free memory, or the system refuses.
    pub fn new(
        mebibytes: usize,
        replaced: Option<&TranspositionTable>,
    ) -> Result<TranspositionTable, MemoryError> {
        let requested = mebibytes.max(1);
        // With over-commit an allocation that does not fit gets the process killed later, so check
        // first.
        if let Some(free) = memory::available() {
            // A table that has not been used is reserved, but occupies nothing.
            let freed = replaced.map_or(0, |table| table.bytes().min(memory::resident()));
            let available = (free + freed) / MEBIBYTE;
            if requested > available {
                return Err(MemoryError::Hash {
                    requested,
                    available,
                });
            }
        }
        let length = requested.checked_mul(MEBIBYTE).ok_or(MemoryError::Hash {
            requested,
            available: 0,
        })?;
        let memory =
            zeroed_memory(length).map_err(|source| MemoryError::System { requested, source })?;
        Ok(TranspositionTable {
            memory: memory.into(),
            age: AtomicU8::new(0),
            dirty: AtomicBool::new(false),
            touched: false,
        })
    }

    #[inline]
    fn clusters(&self) -> &[Cluster] {
        let count = self.memory.len() / size_of::<Cluster>();
        // SAFETY: the map is readable and writable, starts on a page and lives as long as `self`;
        // zeroed bytes are valid atomics; a raw map never makes references of its own, so the bytes
        // are reached through these atomics only.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast::<Cluster>(), count) }
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters();
        // The high bits of the product select evenly among any number of clusters.
        let index = ((u128::from(key) * clusters.len() as u128) >> 64) as usize;
        &clusters[index]
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// Returns the size in MiB.
    pub fn mebibytes(&self) -> usize {
        self.bytes() / MEBIBYTE
    }

    /// Prefetches a position's cluster.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Returns the entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let cluster = self.cluster(key);
        let checks = cluster.checks.load(Ordering::Relaxed);
        for (slot, word) in cluster.entries.iter().enumerate() {
            let data = word.load(Ordering::Relaxed);
            if checks >> (slot * CHECK_BITS) & CHECK_MASK == check(key, data) {
                return TtEntry::unpack(data);
            }
        }
        None
    }

    /// Stores an entry, replacing an older one of the same position or the least valuable one in
    /// its cluster.
    pub fn store(&self, key: u64, mut entry: TtEntry) {
        let cluster = self.cluster(key);
        let age = self.age.load(Ordering::Relaxed);
        let checks = cluster.checks.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (slot, word) in cluster.entries.iter().enumerate() {
            let data = word.load(Ordering::Relaxed);
            if data != 0 && checks >> (slot * CHECK_BITS) & CHECK_MASK == check(key, data) {
                let same_age = age_of(data) == age;
                // A much deeper result of this search is more valuable than the new one.
                if entry.bound != Bound::Exact
                    && same_age
                    && entry.depth + KEPT_ABOVE <= depth_of(data)
                {
                    return;
                }
                entry.best_move = entry.best_move.or(Move::from_code(data as u16));
                victim = slot;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - AGE_COST * i32::from((AGES + age - age_of(data)) % AGES)
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = entry.pack(age);
        let shift = victim * CHECK_BITS;
        let checks = checks & !(CHECK_MASK << shift) | check(key, data) << shift;
        cluster.entries[victim].store(data, Ordering::Relaxed);
        cluster.checks.store(checks, Ordering::Relaxed);
    }

    /// Ages all entries by one search. Call it when a search begins.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
        self.dirty.store(true, Ordering::Relaxed);
    }

    /// Has the system provide all of the memory now, on all cores: it would be provided page by
    /// page at first use, in a search whose clock runs. Only the first call takes time.
    pub fn touch(&mut self) {
        const PAGE: usize = 4096;
        if !std::mem::replace(&mut self.touched, true) {
            self.clusters()
                .par_chunks(PAGE / size_of::<Cluster>())
                .filter_map(<[Cluster]>::first)
                .for_each(|cluster| {
                    // A write that changes nothing, which the compiler does not leave out.
                    let relaxed = Ordering::Relaxed;
                    let _ = cluster.checks.compare_exchange(0, 0, relaxed, relaxed);
                });
        }
    }

    /// Clears the table on all cores. An empty table takes no time.
    pub fn clear(&mut self) {
        if *self.dirty.get_mut() {
            self.touched = true;
            self.clusters()
                .par_chunks(MEBIBYTE / size_of::<Cluster>())
                .for_each(|chunk| {
                    for cluster in chunk {
                        for word in cluster.words() {
                            word.store(0, Ordering::Relaxed);
                        }
                    }
                });
        }
        *self.dirty.get_mut() = false;
        *self.age.get_mut() = 0;
    }

    /// Returns the part of the table that the current search has filled, in thousandths, from a
    /// sample.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters()[..1000];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.entries)
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        (used / ENTRIES) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    fn entry(depth: i32, score: i32) -> TtEntry {
        TtEntry::new(
            Some(Move::normal(Square::E2, Square::E4)),
            Score::cp(score),
            3,
            Some(-17),
            depth,
            Bound::Lower,
            true,
        )
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1, None).unwrap();
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.probe(key), None);
        table.store(key, entry(7, 55));
        let found = table.probe(key).unwrap();
        assert_eq!(found, entry(7, 55));
        assert_eq!(found.raw_eval(), Some(-17));
        assert_eq!(found.score(9, 0), Score::cp(55));
        assert_eq!(table.probe(key ^ 1), None);
        let in_check = TtEntry::new(None, Score::mated_in(4), 2, None, 0, Bound::Exact, false);
        table.store(!key, in_check);
        let found = table.probe(!key).unwrap();
        assert_eq!(found.raw_eval(), None);
        assert_eq!(found.score(5, 0), Score::mated_in(7));
    }

    #[test]
    fn a_new_entry_keeps_the_move_and_a_deeper_one_stays() {
        let table = TranspositionTable::new(1, None).unwrap();
        table.store(42, entry(20, 10));
        table.store(
            42,
            TtEntry {
                best_move: None,
                ..entry(18, 11)
            },
        );
        assert_eq!(table.probe(42).unwrap(), entry(18, 11));
        table.store(42, entry(14, 12));
        assert_eq!(table.probe(42).unwrap().depth, 18);
        table.new_search();
        table.store(42, entry(2, 13));
        assert_eq!(table.probe(42).unwrap().depth, 2);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_entry() {
        let table = TranspositionTable::new(1, None).unwrap();
        for key in 1..=4 {
            table.store(key, entry(10 + key as i32, 0));
        }
        assert!(table.probe(1).is_none());
        assert!((2..=4).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn a_search_costs_an_entry_eight_plies_of_worth() {
        let table = TranspositionTable::new(1, None).unwrap();
        // The age wraps in one of these rounds.
        for round in 0..u64::from(AGES) {
            let key = |low: u64| round << 56 | low;
            let has = |low: [u64; 3]| low.iter().all(|&low| table.probe(key(low)).is_some());
            table.store(key(1), entry(21, 0));
            table.store(key(2), entry(20, 0));
            table.new_search();
            table.store(key(3), entry(13, 0));
            table.store(key(4), entry(5, 0));
            assert!(has([1, 3, 4]), "{round}");
            table.store(key(5), entry(5, 0));
            assert!(has([1, 3, 5]), "{round}");
            table.new_search();
            table.store(key(6), entry(1, 0));
            table.store(key(7), entry(1, 0));
            assert!(has([1, 3, 7]), "{round}");
        }
    }

    #[test]
    fn clearing_empties_and_hashfull_counts() {
        let mut table = TranspositionTable::new(1, None).unwrap();
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        let mut key = 1_u64;
        for _ in 0..200_000 {
            key = key
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            table.store(key, entry(3, 1));
        }
        assert!(table.hashfull() > 900);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        table.clear();
        assert!(table.probe(key).is_none());
    }

    #[test]
    fn more_than_the_machine_has_is_refused() {
        assert!(TranspositionTable::new(usize::MAX / MEBIBYTE, None).is_err());
        // Memory that was reserved and never used cannot be given back.
        let available = memory::available().unwrap() / MEBIBYTE;
        let half = TranspositionTable::new(available / 2, None).unwrap();
        assert!(TranspositionTable::new(available / 4 * 5, Some(&half)).is_err());
        assert!(TranspositionTable::new(available / 4 * 3, Some(&half)).is_ok());
    }
}
