//! Book files: mapped, embedded or in memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;
use thiserror::Error;

use super::entry::{BookEntry, ENTRY_BYTES, find_move};
use super::key;
use crate::plural::count;
use crate::position::{Move, Position};

/// The book that is compiled into the program.
static EMBEDDED: &[u8] = include_bytes!("../../book/default.bin");

/// The maximum size of an unsorted book, in bytes. Such a book is read from end to end for each
/// move.
const MAX_UNSORTED_BYTES: u64 = 64 << 20;

/// The reasons for which a book is refused.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is empty.
    #[error("not a book: the file is empty")]
    Empty,
    /// The file ends within an entry.
    #[error("not a whole Polyglot book: {0} bytes are not a multiple of {ENTRY_BYTES}")]
    OddSize(u64),
    /// No entry of the file is a move.
    #[error("not a Polyglot book: no entry is a move")]
    NoMoves,
    /// The file is neither sorted nor free of impossible moves.
    #[error("not a Polyglot book: entry {0} is not a move, and the entries are not sorted by key")]
    NotABook(usize),
    /// The book is not sorted and too large to be used unsorted.
    #[error("entry {0} is out of order; quevedo book merge sorts a book")]
    Unsorted(usize),
}

/// The storage of a book.
#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Embedded(&'static [u8]),
    Owned(Vec<u8>),
}

/// A Polyglot book.
#[derive(Debug)]
pub struct Book {
    bytes: Bytes,
    /// The number of distinct keys in a sorted book.
    positions: usize,
    /// The first entry, counting from 1, whose key is less than its predecessor's.
    first_unsorted: Option<usize>,
}

/// A book move that is legal in its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedMove {
    /// The move.
    pub m: Move,
    /// The frequency of the move relative to the other moves; 0 for never.
    pub weight: u16,
}

impl Book {
    /// Returns the book that is compiled into the program.
    ///
    /// # Errors
    /// Fails when the program was built with a damaged book.
    pub fn embedded() -> Result<Book, BookError> {
        Book::new(Bytes::Embedded(EMBEDDED))
    }

    /// Maps a book file into memory.
    ///
    /// # Errors
    /// Fails when the file cannot be read or is not a book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        // Opening a named pipe would block until it has a writer.
        let metadata = path.metadata()?;
        if !metadata.is_file() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a file");
            return Err(error.into());
        }
        let file = File::open(path)?;
        check_size(file.metadata()?.len())?;
        // SAFETY: bytes are only copied out as numbers, each of which is checked, so a process that
        // writes to the file can at worst make the book useless. Truncating a mapped file is an
        // error that no program can recover from.
        let map = unsafe { Mmap::map(&file)? };
        Book::new(Bytes::Mapped(map))
    }

    /// Creates a book from bytes in memory.
    ///
    /// # Errors
    /// Fails when the bytes are not a book.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        Book::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<Book, BookError> {
        let mut book = Book {
            bytes,
            positions: 0,
            first_unsorted: None,
        };
        let size = book.as_bytes().len() as u64;
        check_size(size)?;
        let (mut positions, mut first_unsorted, mut implausible) = (0, None, None);
        let mut has_moves = false;
        let mut before: Option<u64> = None;
        for (entry, number) in book.entries().zip(1..) {
            if before != Some(entry.key) {
                positions += 1;
            }
            if before.is_some_and(|before| entry.key < before) {
                first_unsorted.get_or_insert(number);
            }
            if entry.is_plausible() {
                has_moves = true;
            } else {
                implausible.get_or_insert(number);
            }
            before = Some(entry.key);
        }
        book.positions = positions;
        book.first_unsorted = first_unsorted;
        match (first_unsorted, implausible) {
            _ if !has_moves => Err(BookError::NoMoves),
            (Some(_), Some(entry)) => Err(BookError::NotABook(entry)),
            (Some(entry), None) if size > MAX_UNSORTED_BYTES => Err(BookError::Unsorted(entry)),
            _ => Ok(book),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Embedded(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
    }

    fn records(&self) -> &[[u8; ENTRY_BYTES]] {
        self.as_bytes().as_chunks().0
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.records().len()
    }

    /// Returns whether there are no entries; books always have some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of positions. In an unsorted book a position counts once for each run of
    /// its entries.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the first entry out of order, counting from 1. A book with one is read from end to
    /// end for each move.
    pub fn first_unsorted(&self) -> Option<usize> {
        self.first_unsorted
    }

    /// Iterates over the entries in file order.
    pub fn entries(&self) -> impl Iterator<Item = BookEntry> {
        self.records().iter().map(BookEntry::from_bytes)
    }

    /// Returns the entries with a key.
    pub fn find(&self, key: u64) -> Vec<BookEntry> {
        let records = self.records();
        if self.first_unsorted.is_some() {
            return self.entries().filter(|entry| entry.key == key).collect();
        }
        let start = records.partition_point(|record| BookEntry::from_bytes(record).key < key);
        records
            .iter()
            .skip(start)
            .map(BookEntry::from_bytes)
            .take_while(|entry| entry.key == key)
            .collect()
    }

    /// Returns the book moves of a position, heaviest first. Entries without a legal move are
    /// skipped, and of several entries for one move the heaviest counts.
    pub fn moves(&self, position: &Position) -> Vec<WeightedMove> {
        let mut moves: Vec<WeightedMove> = Vec::new();
        for entry in self.find(key(position)) {
            let Some(m) = find_move(position, entry.code) else {
                continue;
            };
            match moves.iter_mut().find(|known| known.m == m) {
                Some(known) => known.weight = known.weight.max(entry.weight),
                None => moves.push(WeightedMove {
                    m,
                    weight: entry.weight,
                }),
            }
        }
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    /// Describes the book in one line.
    pub fn summary(&self) -> String {
        let (entries, positions) = (self.len(), self.positions);
        let (entries, positions) = (count(entries, "entry"), count(positions, "position"));
        let mut text = format!("{entries} for {positions}");
        if let Some(entry) = self.first_unsorted {
            text.push_str(&format!(
                "; entry {entry} is out of order, so the whole file is read for each move: \
                 quevedo book merge sorts it"
            ));
        }
        text
    }
}

fn check_size(bytes: u64) -> Result<(), BookError> {
    if bytes == 0 {
        return Err(BookError::Empty);
    }
    if !bytes.is_multiple_of(ENTRY_BYTES as u64) {
        return Err(BookError::OddSize(bytes));
    }
    Ok(())
}
