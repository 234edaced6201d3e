//! Searches a position and prints the best line:
//!
//! ```text
//! cargo run --release --example search_position -- "8/8/8/8/8/4k3/4p3/4K2R b - - 0 1"
//! ```

use std::error::Error;
use std::{env, thread};

use quevedo::engine::{Control, GameState, Go, Limits, Searcher, Silent};
use quevedo::position::notation;
use quevedo::search::STACK_BYTES;
use quevedo::wdl;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let fen = env::args().nth(1);
    // The searching thread needs more stack than the main thread has on every system.
    let thread = thread::Builder::new().stack_size(STACK_BYTES);
    let search = thread.spawn(move || search(fen.as_deref()))?;
    search.join().map_err(|_| "the search panicked")?
}

fn search(fen: Option<&str>) -> Result<(), Failure> {
    let game = GameState::parse(fen, [])?;
    let mut searcher = Searcher::new(64)?; // 64 MiB of hash table
    let limits = Limits {
        nodes: Some(200_000),
        ..Limits::default()
    };
    let analysis = searcher.search(&game, &limits, Go::now(&Control::default()), &Silent);

    for line in &analysis.lines {
        let score = match line.score.mate_distance() {
            Some(moves) => format!("mate in {moves}"),
            None => {
                let centipawns = wdl::centipawns(line.score, wdl::material(&game.position));
                format!("{:+.2}", f64::from(centipawns) / 100.0)
            }
        };
        print!("depth {}, {score}:", line.depth);
        let mut position = game.position.clone();
        for &m in &line.moves {
            print!(" {}", notation::uci(&position, m));
            position = position.play(m);
        }
        println!();
    }
    Ok(())
}
