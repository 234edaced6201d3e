//! `book merge`: merges books.

use std::collections::HashMap;
use std::path::PathBuf;

use super::builder::{self, BookBuilder, MoveStats};
use super::graph::BookGraph;
use super::{BookToolError, open, say};
use crate::book::BookEntry;
use crate::book::entry::{find_move, move_code};
use crate::plural::count;
use crate::position::Position;
use crate::tools::kit::args::file_path;

/// Arguments of `book merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeBooksArgs {
    /// Books; a single one is sorted and rid of repeated moves
    #[arg(required = true, value_name = "FILE")]
    pub books: Vec<PathBuf>,
    /// The book to write; an existing one is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
}

/// Writes a book with the moves of all books. The weights of a move in different books are added;
/// if one book has a move twice, the larger weight counts. Castling that is written as two steps of
/// the king is the same move where the initial position leads to it. Learn values are dropped, and
/// so are entries whose code is not a move.
///
/// # Errors
/// Fails when a book cannot be read or written.
pub fn run(args: &MergeBooksArgs) -> Result<(), BookToolError> {
    let mut builder = BookBuilder::default();
    for path in &args.books {
        let book = open(Some(path))?;
        let positions: HashMap<u64, Position> = BookGraph::new(book.entries(), 0)
            .nodes
            .into_iter()
            .map(|node| (node.key, node.position))
            .collect();
        let mut entries: Vec<_> = book.entries().filter(BookEntry::is_plausible).collect();
        for entry in &mut entries {
            let position = positions.get(&entry.key);
            let m = position.and_then(|position| find_move(position, entry.code));
            entry.code = m.map_or(entry.code, move_code);
        }
        let implausible = book.len() - entries.len();
        entries
            .sort_unstable_by_key(|entry| (entry.key, entry.code, std::cmp::Reverse(entry.weight)));
        entries.dedup_by_key(|entry| (entry.key, entry.code));
        let repeated = book.len() - implausible - entries.len();
        if implausible + repeated > 0 {
            say(&format!(
                "{}: left out {} without a move and {repeated} repeated ones",
                path.display(),
                count(implausible, "entry")
            ));
        }
        for entry in entries {
            let stats = MoveStats {
                weight: f64::from(entry.weight),
                is_required: true,
                ..MoveStats::default()
            };
            builder.add(entry.key, entry.code, stats);
        }
    }
    builder::write(&args.out, &builder.into_entries())
}
