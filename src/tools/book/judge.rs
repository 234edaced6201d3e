//! Positions searched one by one, several at once. Each has an engine that has forgotten all others and a single thread, so
//! that its score depends on nothing but the position and the number of nodes.

use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::BookToolError;
use super::scores::{Scores, epd};
use crate::engine::{Control, GameState, Go, Limits, Searcher, Silent};
use crate::position::Position;
use crate::tools::ToolError;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::Progress;
use crate::wdl::{centipawns, material};

/// The hash table of each search, in MiB. It is part of what a score follows from.
const HASH: usize = 16;

/// Scores for the side to move, in centipawns as people are shown them (mates as
/// [`Score::raw`](crate::score::Score::raw)), in the order of the positions. Those that are known are not searched again.
///
/// # Errors
/// When a search fails or the scores cannot be kept.
pub fn judge_all<'a>(
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
        let desk = Desk {
            scores: Mutex::new(scores),
            done: AtomicU64::new(0),
            total,
            progress: Progress::new(Some(total), 0),
        };
        desk.search_all(&unknown, nodes, jobs.min(unknown.len()))?;
        scores.finish()?;
    }
    Ok(names
        .iter()
        .map(|name| scores.get(name).unwrap_or_default())
        .collect())
}

/// Where scores are handed in.
struct Desk<'a> {
    scores: Mutex<&'a mut Scores>,
    done: AtomicU64,
    total: u64,
    progress: Progress,
}

impl Desk<'_> {
    fn search_all(&self, names: &[&String], nodes: u64, jobs: usize) -> Result<(), BookToolError> {
        let (sender, queue) = crossbeam_channel::unbounded();
        for &name in names {
            // The receiver is there.
            let _ = sender.send(name);
        }
        drop(sender);
        let job = || {
            let outcome = self.work(&queue, nodes);
            if outcome.is_err() {
                // Nobody else needs to go on.
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
            let mut scores = self.scores.lock().unwrap_or_else(PoisonError::into_inner);
            scores.add(name, score)?;
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            let message = format!("{done} of {} positions searched", self.total);
            self.progress.set(done, message);
        }
        Ok(())
    }
}

/// Searches one position, without a past.
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
    // Recorded, a missing score would be a lost game.
    let Some(score) = analysis.and_then(|analysis| analysis.score) else {
        let reason = format!("no move has a score: more nodes than {nodes} are needed");
        return Err(failed(reason));
    };
    Ok(match score.mate_distance() {
        Some(_) => score.raw(),
        None => centipawns(score, material(&game.position)),
    })
}
