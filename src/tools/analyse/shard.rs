//! The games of a run that is divided into shards.
//!
//! Each game that a shard writes begins with a tag pair that says where it belongs:
//! `[Shard "2/4, game 6 of 20"]`. `merge` sorts by it and takes it out again.

use std::fmt;
use std::str::FromStr;

use crate::tools::kit::jobs::Shard;

/// The name of the tag pair.
pub const TAG: &str = "Shard";

/// The place of a game in the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardPlace {
    /// The shard that analyses the game.
    pub shard: Shard,
    /// The number of the game in the run, from 1.
    pub game: u64,
    /// The games in the run.
    pub games: u64,
}

impl ShardPlace {
    /// Returns the tag pair as a line of PGN.
    pub fn line(self) -> String {
        format!("[{TAG} \"{self}\"]\n")
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
        Some((value.parse().ok()?, rest))
    }
}

impl fmt::Display for ShardPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, game {} of {}", self.shard, self.game, self.games)
    }
}

impl FromStr for ShardPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<ShardPlace, ()> {
        let (shard, game) = text.split_once(", game ").ok_or(())?;
        let (game, games) = game.split_once(" of ").ok_or(())?;
        let place = ShardPlace {
            shard: shard.parse().map_err(|_| ())?,
            game: game.parse().map_err(|_| ())?,
            games: games.parse().map_err(|_| ())?,
        };
        let is_valid = (1..=place.games).contains(&place.game) && place.shard.contains(place.game);
        if is_valid { Ok(place) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_back() {
        let place = ShardPlace {
            shard: "2/4".parse().unwrap(),
            game: 6,
            games: 20,
        };
        let text = format!("{}[Event \"a\"]\n\n*\n\n", place.line());
        assert!(text.starts_with("[Shard \"2/4, game 6 of 20\"]\n"));
        let rest = &b"[Event \"a\"]\n\n*\n\n"[..];
        assert_eq!(ShardPlace::split(text.as_bytes()), Some((place, rest)));
        for other in [
            "[Event \"a\"]\n",
            "[Shard \"2/4, game 7 of 20\"]\n",
            "[Shard \"2/4, game 22 of 20\"]\n",
            "[Shard \"2/4\"]\n",
            "[Shard \"2/4, game 6 of 20\"]",
        ] {
            assert_eq!(ShardPlace::split(other.as_bytes()), None, "{other}");
        }
    }
}
