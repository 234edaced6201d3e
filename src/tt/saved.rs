//! Saved transposition tables.
//!
//! A file consists of 64-bit little-endian words: a header, the clusters as they are in memory, and
//! a checksum of everything before it.
//!
//! ```text
//! word 0  "QVD HASH"
//! word 1  version of the format
//! word 2  key of the initial position, which tells how positions are hashed
//! word 3  identity of the evaluation that the scores come from
//! word 4  size of the table in MiB
//! word 5  age of the newest entries
//! ```

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use thiserror::Error;

use super::{AGES, Cluster, TranspositionTable};
use crate::atomic_write;
use crate::memory::{MEBIBYTE, MemoryError};
use crate::position::Position;
use crate::random::mix;

const MAGIC: u64 = u64::from_le_bytes(*b"QVD HASH");
/// The version of the format. Increase it when entries change their meaning.
const FORMAT: u64 = 1;
/// The number of words in the header.
const HEADER: usize = 6;
/// The bytes in a word.
const WORD: usize = size_of::<u64>();

/// Errors of saving and loading a hash table.
#[derive(Debug, Error)]
pub enum SavedTableError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file begins like no saved hash table.
    #[error("not a saved hash table")]
    Foreign,
    /// Another version of the program wrote the file.
    #[error("saved by another version of Quevedo that stores positions differently")]
    Version,
    /// The scores come from another evaluation.
    #[error("saved with another evaluation (option EvalFile or version)")]
    Evaluation,
    /// The file is too short or too long.
    #[error("incomplete or damaged: the file has {found} bytes instead of {expected}")]
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// The length of a file of this header in bytes.
        expected: u64,
    },
    /// The contents do not match the checksum.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// The saved table does not fit into the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// A running checksum of words.
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        mix(self.0)
    }
}

/// The words of a header after [`MAGIC`] and [`FORMAT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Header {
    evaluation: u64,
    mebibytes: u64,
    age: u8,
}

impl Header {
    fn words(self) -> [u64; HEADER] {
        let key = Position::initial().key();
        let age = u64::from(self.age);
        [MAGIC, FORMAT, key, self.evaluation, self.mebibytes, age]
    }

    /// Reads a header and checks it against the length of the file.
    fn read(file: &mut File, evaluation: u64) -> Result<Header, SavedTableError> {
        let found = file.metadata()?.len();
        let mut words = [0; HEADER];
        let length = words.len() * WORD;
        if found < length as u64 {
            return Err(SavedTableError::Foreign);
        }
        read_words(file, length, |place, word| words[place] = word)?;
        let [magic, format, key, saved_evaluation, mebibytes, age] = words;
        if magic != MAGIC {
            return Err(SavedTableError::Foreign);
        }
        if format != FORMAT || key != Position::initial().key() {
            return Err(SavedTableError::Version);
        }
        if saved_evaluation != evaluation {
            return Err(SavedTableError::Evaluation);
        }
        let table = mebibytes.saturating_mul(MEBIBYTE as u64);
        let expected = table.saturating_add((length + WORD) as u64);
        if found != expected || mebibytes == 0 {
            return Err(SavedTableError::Length { found, expected });
        }
        Ok(Header {
            evaluation,
            mebibytes,
            age: (age % u64::from(AGES)) as u8,
        })
    }
}

/// Returns whether a file exists, is not empty, and does not begin as saved tables do, of whatever
/// version.
fn is_of_another_kind(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(WORD as u64).read_to_end(&mut beginning)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    Ok(!beginning.is_empty() && beginning != MAGIC.to_le_bytes())
}

impl TranspositionTable {
    /// Saves the table. A failure leaves an existing file as it was, and a file of another kind is
    /// not replaced.
    ///
    /// `evaluation` identifies the evaluation that the scores come from.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn save(&self, path: &Path, evaluation: u64) -> io::Result<()> {
        // Opening a named pipe would wait for its reader.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        if is_of_another_kind(path)? {
            let reason = "a file of another kind, which is not replaced";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        atomic_write::replace_with(path, |file| {
            let header = Header {
                evaluation,
                mebibytes: self.mebibytes() as u64,
                age: self.age.load(Ordering::Relaxed),
            };
            let mut checksum = Checksum(0);
            let mut buffer = Vec::with_capacity(MEBIBYTE);
            let mut push = |buffer: &mut Vec<u8>, word: u64| {
                checksum.add(word);
                buffer.extend_from_slice(&word.to_le_bytes());
            };
            for word in header.words() {
                push(&mut buffer, word);
            }
            for chunk in self.clusters().chunks(MEBIBYTE / size_of::<Cluster>()) {
                for word in chunk.iter().flat_map(Cluster::words) {
                    push(&mut buffer, word.load(Ordering::Relaxed));
                }
                file.write_all(&buffer)?;
                buffer.clear();
            }
            file.write_all(&checksum.finish().to_le_bytes())
        })
    }

    /// Replaces the table by a saved one, which may have another size.
    ///
    /// # Errors
    /// Fails when the file is not a table that [`TranspositionTable::save`] wrote with
    /// this evaluation, or is damaged, or does not fit into the memory; the table is kept, but
    /// cleared if the file cannot be read a second time.
    pub fn load(&mut self, path: &Path, evaluation: u64) -> Result<(), SavedTableError> {
        // Opening a named pipe would wait for its writer.
        if !path.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
        }
        let mut file = File::open(path)?;
        let header = Header::read(&mut file, evaluation)?;
        let mebibytes = usize::try_from(header.mebibytes).unwrap_or(usize::MAX);
        let replacement = match mebibytes == self.mebibytes() {
            true => None,
            false => Some(TranspositionTable::new(mebibytes, Some(self))?),
        };
        // Read the whole file before the table changes.
        let length = mebibytes * MEBIBYTE;
        let mut checksum = Checksum(0);
        for word in header.words() {
            checksum.add(word);
        }
        read_words(&mut file, length, |_, word| checksum.add(word))?;
        let mut saved = 0;
        read_words(&mut file, WORD, |_, word| saved = word)?;
        if saved != checksum.finish() {
            return Err(SavedTableError::Checksum);
        }
        // The old table is dropped first, so that both never occupy memory at once.
        if let Some(table) = replacement {
            *self = table;
        }
        *self.dirty.get_mut() = true;
        *self.age.get_mut() = header.age;
        file.seek(SeekFrom::Start((HEADER * WORD) as u64))?;
        let mut words = self.clusters().iter().flat_map(Cluster::words);
        let read = read_words(&mut file, length, |_, word| {
            if let Some(place) = words.next() {
                place.store(word, Ordering::Relaxed);
            }
        });
        drop(words);
        if read.is_err() {
            self.clear();
        }
        Ok(read?)
    }
}

/// Reads this many bytes and passes each word with its number to `take`.
fn read_words(file: &mut File, length: usize, mut take: impl FnMut(usize, u64)) -> io::Result<()> {
    let mut buffer = vec![0; length.min(MEBIBYTE)];
    let mut place = 0;
    let mut left = length;
    while left > 0 {
        let bytes = &mut buffer[..left.min(MEBIBYTE)];
        file.read_exact(bytes)?;
        for word in bytes.as_chunks::<WORD>().0 {
            take(place, u64::from_le_bytes(*word));
            place += 1;
        }
        left -= bytes.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::score::{Bound, Score};
    use crate::tt::TtEntry;

    fn entry(depth: i32) -> TtEntry {
        TtEntry::new(None, Score::cp(7), 0, None, depth, Bound::Exact, false)
    }

    #[test]
    fn a_saved_table_comes_back_and_may_change_the_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hash");
        let table = TranspositionTable::new(2, None).unwrap();
        table.new_search();
        table.store(1 << 60 | 9, entry(5));
        table.save(&path, 77).unwrap();
        for size in [1, 2, 3] {
            let mut other = TranspositionTable::new(size, None).unwrap();
            other.store(42, entry(3));
            other.load(&path, 77).unwrap();
            assert_eq!(other.mebibytes(), 2);
            assert_eq!(other.probe(1 << 60 | 9), Some(entry(5)));
            assert_eq!(other.probe(42), None);
            assert_eq!(other.age.load(Ordering::Relaxed), 1);
            other.clear();
            assert_eq!(other.probe(1 << 60 | 9), None);
        }
    }

    #[test]
    fn other_files_are_refused_and_the_table_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hash");
        let mut table = TranspositionTable::new(1, None).unwrap();
        table.save(&path, 77).unwrap();
        table.store(42, entry(3));
        let good = fs::read(&path).unwrap();
        let changed = |place: usize| {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            bytes
        };
        let longer = [&good[..], &[0]].concat();
        for (bytes, message) in [
            (vec![], "not a saved hash table"),
            (good[..10].to_vec(), "not a saved hash table"),
            (changed(0), "not a saved hash table"),
            (changed(WORD), "another version"),
            (changed(2 * WORD), "another version"),
            (changed(3 * WORD), "another evaluation"),
            (changed(4 * WORD), "instead of"),
            (changed(5 * WORD), "checksum"),
            (changed(500_000), "checksum"),
            (changed(good.len() - 1), "checksum"),
            (good[..good.len() - 1].to_vec(), "instead of"),
            (good[..500_000].to_vec(), "instead of"),
            (longer, "instead of"),
        ] {
            fs::write(&path, bytes).unwrap();
            let error = table.load(&path, 77).unwrap_err().to_string();
            assert!(error.contains(message), "{error}, not {message}");
            assert_eq!(table.probe(42), Some(entry(3)));
        }
        fs::write(&path, &good).unwrap();
        assert!(table.load(&path, 78).is_err());
        assert!(table.load(folder.path(), 77).is_err());
        assert!(table.save(folder.path(), 77).is_err());
        assert_eq!(table.probe(42), Some(entry(3)));
        table.load(&path, 77).unwrap();
        assert_eq!(table.probe(42), None);
    }
}
