//! A book that is being made.

use std::collections::HashMap;
use std::path::Path;

use super::{BookToolError, say, write_file};
use crate::book::Entry;

/// What is known about a move so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// The games in which it was played.
    pub games: u32,
    /// Half points that the side that played it made in them.
    pub half_points: u32,
    /// How often to play it.
    pub weight: f64,
    /// It was asked for by name, and not found in games: it is kept however seldom it was played.
    pub named: bool,
}

/// The moves of positions, by key and by the move's code.
#[derive(Debug, Default)]
pub struct Draft(HashMap<u64, Vec<(u16, Tally)>>);

impl Draft {
    /// Adds what else is known about a move.
    pub fn add(&mut self, key: u64, code: u16, more: Tally) {
        let moves = self.0.entry(key).or_default();
        let index = moves.iter().position(|&(known, _)| known == code);
        match index.and_then(|index| moves.get_mut(index)) {
            Some((_, tally)) => {
                tally.games = tally.games.saturating_add(more.games);
                tally.half_points = tally.half_points.saturating_add(more.half_points);
                tally.weight += more.weight;
                tally.named |= more.named;
            }
            None => moves.push((code, more)),
        }
    }

    /// Keeps the moves that were asked for by name, and of the others those that fulfil a condition.
    pub fn retain(&mut self, keep: impl Fn(&Tally) -> bool) {
        for moves in self.0.values_mut() {
            moves.retain(|(_, tally)| tally.named || keep(tally));
        }
    }

    /// The entries as they stand in a book: sorted by key, the heaviest move of a position first. Weights that are too large are
    /// scaled down together with the others of their position; what had any weight keeps at least 1.
    pub fn into_entries(self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self
            .0
            .into_iter()
            .flat_map(|(key, moves)| {
                let heaviest = moves
                    .iter()
                    .map(|(_, tally)| tally.weight)
                    .fold(0.0, f64::max);
                let scale = (f64::from(u16::MAX) / heaviest.max(1.0)).min(1.0);
                moves.into_iter().map(move |(code, tally)| Entry {
                    key,
                    code,
                    weight: whole_weight(tally.weight * scale),
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

/// Writes a book and says what is in it.
///
/// # Errors
/// When there is nothing to write, or the file cannot be written.
pub fn write(path: &Path, entries: &[Entry]) -> Result<(), BookToolError> {
    if entries.is_empty() {
        return Err(BookToolError::NothingLeft(""));
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    write_file(path, &bytes)?;
    let mut keys: Vec<u64> = entries.iter().map(|entry| entry.key).collect();
    keys.dedup();
    say(&format!(
        "{}: {} entries for {} positions",
        path.display(),
        entries.len(),
        keys.len()
    ));
    Ok(())
}
