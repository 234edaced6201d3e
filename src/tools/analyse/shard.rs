//! The parts of a run that is divided into shards, and how they are put together again.
//!
//! Everything that a shard writes says where it belongs, and `merge` takes that out again: games
//! begin with a tag pair, `[Shard "2/4, game 6 of 20"]`, and tables have a column `shard` with the
//! engine and its limits, `2/4, position 6 of 20; Quevedo 0.2.0, 5000 nodes`.

use std::collections::BTreeMap;

use super::AnalyseError;
use crate::plural::count;
use crate::tools::kit::jobs::Shard;

/// The name of the tag pair.
pub const TAG: &str = "Shard";

/// The noun for the items of a run over games.
pub const GAME: &str = "game";
/// The noun for the items of a run over a list of positions.
pub const POSITION: &str = "position";

/// The place of a game or position in the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardPlace {
    /// The shard that analyses the item.
    pub shard: Shard,
    /// The number of the item in the run, from 1.
    pub number: u64,
    /// The items in the run.
    pub total: u64,
}

impl ShardPlace {
    /// Returns the place in words: `2/4, game 6 of 20`.
    pub fn describe(self, noun: &str) -> String {
        format!("{}, {noun} {} of {}", self.shard, self.number, self.total)
    }

    /// Parses what [`ShardPlace::describe`] returns for this noun. Returns `None` for other text,
    /// and for an item that is not in the shard or not in the run.
    pub fn parse(text: &str, noun: &str) -> Option<ShardPlace> {
        let (shard, place) = text.split_once(&format!(", {noun} "))?;
        let (number, total) = place.split_once(" of ")?;
        let place = ShardPlace {
            shard: shard.parse().ok()?,
            number: number.parse().ok()?,
            total: total.parse().ok()?,
        };
        let is_valid =
            (1..=place.total).contains(&place.number) && place.shard.contains(place.number);
        is_valid.then_some(place)
    }

    /// Returns the tag pair of a game as a line of PGN.
    pub fn line(self) -> String {
        format!("[{TAG} \"{}\"]\n", self.describe(GAME))
    }

    /// Splits a game into its place and the text after the tag pair. Returns `None` for a game of a
    /// run without shards.
    pub fn split(text: &[u8]) -> Option<(ShardPlace, &[u8])> {
        let end = text.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = text.split_at_checked(end + 1)?;
        let line = std::str::from_utf8(line).ok()?.trim_end();
        let value = line
            .strip_prefix(&format!("[{TAG} \""))?
            .strip_suffix("\"]")?;
        Some((ShardPlace::parse(value, GAME)?, rest))
    }
}

/// The items of a run that have been merged so far, by their numbers.
pub struct Merged<T> {
    /// The noun for an item.
    noun: &'static str,
    /// A shard of the run and its number of items, once an item has told them.
    run: Option<(Shard, u64)>,
    /// The engine and its limits, once an item has told them.
    annotator: Option<String>,
    items: BTreeMap<u64, T>,
}

impl<T> Merged<T> {
    /// Creates a merger without items.
    pub fn new(noun: &'static str) -> Merged<T> {
        Merged {
            noun,
            run: None,
            annotator: None,
            items: BTreeMap::new(),
        }
    }

    /// Adds an item. An item without an annotator goes with all others.
    ///
    /// # Errors
    /// Returns the reason why the item does not belong to the same run as the others.
    pub fn add(
        &mut self,
        place: ShardPlace,
        annotator: Option<String>,
        item: T,
    ) -> Result<(), String> {
        let ShardPlace {
            shard,
            number,
            total,
        } = place;
        let (other_shard, other_total) = *self.run.get_or_insert((shard, total));
        if total != other_total {
            let items = count(total, self.noun);
            return Err(format!("its run has {items}, not {other_total}"));
        }
        if shard.owner(1) != other_shard.owner(1) {
            return Err(format!(
                "it is shard {shard}, which does not go with {other_shard}"
            ));
        }
        match (&self.annotator, annotator) {
            (Some(known), Some(other)) if *known != other => {
                return Err(format!("its limits are {other:?}, not {known:?}"));
            }
            (None, annotator) => self.annotator = annotator,
            _ => {}
        }
        if self.items.insert(number, item).is_some() {
            let noun = self.noun;
            return Err(format!("{noun} {number} is also in a preceding file"));
        }
        Ok(())
    }

    /// Checks that no item is missing.
    ///
    /// # Errors
    /// Fails when one is.
    pub fn check(&self) -> Result<(), AnalyseError> {
        let Some((shard, total)) = self.run else {
            return Ok(());
        };
        let mut missing = (1..=total).filter(|number| !self.items.contains_key(number));
        let Some(first) = missing.next() else {
            return Ok(());
        };
        Err(AnalyseError::MissingParts {
            noun: self.noun,
            missing: 1 + missing.count() as u64,
            total,
            first,
            shard: shard.owner(first),
        })
    }

    /// Returns the items in their order.
    pub fn into_items(self) -> impl Iterator<Item = T> {
        self.items.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_back() {
        let place = ShardPlace {
            shard: "2/4".parse().unwrap(),
            number: 6,
            total: 20,
        };
        let text = format!("{}[Event \"a\"]\n\n*\n\n", place.line());
        assert!(text.starts_with("[Shard \"2/4, game 6 of 20\"]\n"));
        let rest = &b"[Event \"a\"]\n\n*\n\n"[..];
        assert_eq!(ShardPlace::split(text.as_bytes()), Some((place, rest)));
        for other in [
            "[Event \"a\"]\n",
            "[Shard \"2/4, game 7 of 20\"]\n",
            "[Shard \"2/4, game 22 of 20\"]\n",
            "[Shard \"2/4, position 6 of 20\"]\n",
            "[Shard \"2/4\"]\n",
            "[Shard \"2/4, game 6 of 20\"]",
        ] {
            assert_eq!(ShardPlace::split(other.as_bytes()), None, "{other}");
        }
        let text = "2/4, position 6 of 20";
        assert_eq!(place.describe(POSITION), text);
        assert_eq!(ShardPlace::parse(text, POSITION), Some(place));
    }
}
