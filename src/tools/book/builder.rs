//! Collects the moves of a book.

use std::collections::HashMap;
use std::path::Path;

use super::{BookToolError, say};
use crate::book::BookEntry;
use crate::plural::count;
use crate::tools::kit::replace_file;

/// The statistics of a move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveStats {
    /// The number of games with the move.
    pub games: u32,
    /// The number of those with a known result.
    pub results: u32,
    /// The half points of the side that played it.
    pub half_points: u32,
    /// The weight, before it becomes a whole number.
    pub weight: f64,
    /// True if the move is kept regardless of how often it was played, because it is not from a
    /// game.
    pub is_required: bool,
}

/// A book under construction: the moves of positions, by key and move code.
#[derive(Debug, Default)]
pub struct BookBuilder(HashMap<u64, Vec<(u16, MoveStats)>>);

impl BookBuilder {
    /// Adds statistics of a move to the existing ones.
    pub fn add(&mut self, key: u64, code: u16, more: MoveStats) {
        let moves = self.0.entry(key).or_default();
        let index = moves.iter().position(|&(known, _)| known == code);
        match index.and_then(|index| moves.get_mut(index)) {
            Some((_, stats)) => {
                stats.games = stats.games.saturating_add(more.games);
                stats.results = stats.results.saturating_add(more.results);
                stats.half_points = stats.half_points.saturating_add(more.half_points);
                stats.weight += more.weight;
                stats.is_required |= more.is_required;
            }
            None => moves.push((code, more)),
        }
    }

    /// Removes the moves that do not fulfil a condition, except required ones.
    pub fn retain(&mut self, keep: impl Fn(&MoveStats) -> bool) {
        for moves in self.0.values_mut() {
            moves.retain(|(_, stats)| stats.is_required || keep(stats));
        }
    }

    /// Returns the entries of the book, sorted by key, the heaviest move of a position first.
    /// Weights that are too large are scaled down together with the others of their position;
    /// positive weights stay at least 1.
    pub fn into_entries(self) -> Vec<BookEntry> {
        let mut entries: Vec<BookEntry> = self
            .0
            .into_iter()
            .flat_map(|(key, moves)| {
                let heaviest = moves
                    .iter()
                    .map(|(_, stats)| stats.weight)
                    .fold(0.0, f64::max);
                let scale = (f64::from(u16::MAX) / heaviest.max(1.0)).min(1.0);
                moves.into_iter().map(move |(code, stats)| BookEntry {
                    key,
                    code,
                    weight: whole_weight(stats.weight * scale),
                    learn: 0,
                })
            })
            .collect();
        entries
            .sort_unstable_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        entries
    }
}

fn whole_weight(weight: f64) -> u16 {
    if weight <= 0.0 {
        return 0;
    }
    // The cast saturates.
    (weight.round() as u16).max(1)
}

/// Writes a book and reports its size.
///
/// # Errors
/// Fails when there are no entries, or the file cannot be written.
pub fn write(path: &Path, entries: &[BookEntry]) -> Result<(), BookToolError> {
    if entries.is_empty() {
        return Err(BookToolError::NothingLeft(""));
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    replace_file(path, &bytes)?;
    let mut keys: Vec<u64> = entries.iter().map(|entry| entry.key).collect();
    keys.dedup();
    say(&format!(
        "{}: {} for {}",
        path.display(),
        count(entries.len(), "entry"),
        count(keys.len(), "position")
    ));
    Ok(())
}
