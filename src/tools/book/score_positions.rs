//! Scores positions by search, several at once. Each search has a single thread and an empty hash
//! table, so the score depends on the position and the number of nodes only.

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::BookToolError;
use super::scores::Scores;
use crate::engine::{Control, GameState, Go, Limits, Searcher, Silent};
use crate::position::Position;
use crate::position::notation::epd;
use crate::tools::ToolError;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::Progress;
use crate::wdl::{centipawns, material};

/// The hash table of each search in MiB. Scores depend on it.
const HASH: usize = 16;

/// Returns the scores of positions for the side to move, in normalised centipawns (mates as
/// [`Score::raw`](crate::score::Score::raw)). Positions with a known score are not searched.
///
/// # Errors
/// Fails when a search fails or the scores cannot be written.
pub fn score_positions<'a>(
    positions: impl Iterator<Item = &'a Position>,
    scores: &mut Scores,
    jobs: usize,
) -> Result<Vec<i32>, BookToolError> {
    let names: Vec<String> = positions.map(epd).collect();
    let mut unknown: Vec<&String> = names
        .iter()
        .filter(|name| scores.get(name).is_none())
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    if !unknown.is_empty() {
        let nodes = scores.nodes();
        let total = unknown.len() as u64;
        let queue = SearchQueue {
            scores: Mutex::new(scores),
            done: AtomicU64::new(0),
            total,
            progress: Progress::new(Some(total), 0),
        };
        queue.search_all(&unknown, nodes, jobs.min(unknown.len()))?;
        scores.finish()?;
    }
    Ok(names
        .iter()
        .map(|name| scores.get(name).unwrap_or_default())
        .collect())
}

/// The positions to search, shared by all threads.
struct SearchQueue<'a> {
    scores: Mutex<&'a mut Scores>,
    done: AtomicU64,
    total: u64,
    progress: Progress,
}

impl SearchQueue<'_> {
    fn search_all(&self, names: &[&String], nodes: u64, jobs: usize) -> Result<(), BookToolError> {
        let (sender, queue) = crossbeam_channel::unbounded();
        for &name in names {
            // Cannot fail: the receiver exists.
            let _ = sender.send(name);
        }
        drop(sender);
        let job = || {
            let outcome = self.work(&queue, nodes);
            if outcome.is_err() {
                // Ends the other threads.
                while queue.try_recv().is_ok() {}
            }
            outcome
        };
        run_on_threads("book", iter::repeat_n(job, jobs))
    }

    fn work(
        &self,
        queue: &crossbeam_channel::Receiver<&String>,
        nodes: u64,
    ) -> Result<(), BookToolError> {
        let mut searcher = Searcher::new(HASH).map_err(ToolError::Memory)?;
        for name in queue {
            let score = search(&mut searcher, name, nodes)?;
            self.scores.lock().add(name, score)?;
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            let message = format!("{done} of {} positions searched", self.total);
            self.progress.set(done, message);
        }
        Ok(())
    }
}

/// Searches a position without history.
fn search(searcher: &mut Searcher, epd: &str, nodes: u64) -> Result<i32, BookToolError> {
    let failed = |message: String| BookToolError::Search {
        fen: epd.to_owned(),
        message,
    };
    searcher.new_game();
    let game = GameState::parse(Some(&format!("{epd} 0 1")), [])
        .map_err(|error| failed(error.to_string()))?;
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let control = Control::default();
    let analysis = searcher.search(&game, &limits, Go::now(&control), &Silent);
    let analysis = analysis
        .completed()
        .map_err(|error| failed(error.to_string()))?;
    // A missing score would be recorded as a loss.
    let Some(score) = analysis.and_then(|analysis| analysis.score) else {
        let reason = format!("no move has a score: more nodes than {nodes} are needed");
        return Err(failed(reason));
    };
    Ok(match score.mate_distance() {
        Some(_) => score.raw(),
        None => centipawns(score, material(&game.position)),
    })
}
