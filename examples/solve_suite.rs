//! Solves EPD or PGN files with 20,000 nodes per position and prints the failures:
//!
//! ```text
//! cargo run --release --example solve_suite -- epd-suites/bratko-kopec.epd
//! ```

use std::error::Error;
use std::{env, thread};

use quevedo::engine::{Control, GameState, Go, Limits, Searcher, Silent};
use quevedo::position::notation;
use quevedo::search::STACK_BYTES;
use quevedo::tools::epd::suite::Suite;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let files: Vec<String> = env::args().skip(1).collect();
    // The searching thread needs more stack than the main thread has on every system.
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let solve = thread.spawn(move || solve(&files))?;
    solve.join().map_err(|_| "the search panicked")?
}

fn solve(files: &[String]) -> Result<(), Failure> {
    let suite = Suite::read(files)?;
    let mut searcher = Searcher::new(16)?;
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let mut solved = 0;
    for entry in &suite.positions {
        searcher.new_game();
        let position = &entry.record.position;
        let game = GameState::new(position.clone());
        let analysis = searcher.search(&game, &limits, Go::now(&Control::default()), &Silent);
        let mate = analysis.score.and_then(|score| score.mate_distance());
        match analysis.best_move {
            Some(best) if entry.goal.is_met(best, mate) => solved += 1,
            Some(best) => println!(
                "{}: {} played, {} expected",
                entry.name(),
                notation::uci(position, best),
                entry.goal.describe(position),
            ),
            None => println!("{}: no legal move", entry.name()),
        }
    }
    println!("{solved} of {} solved", suite.positions.len());
    Ok(())
}
