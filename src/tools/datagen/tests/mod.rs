//! Tests of complete runs and of their files.

mod files;
mod format;
mod runs;

use std::fs;
use std::path::Path;

use clap::Parser;

use super::generate::generate;
use super::reader::Reader;
use super::run_file::Tally;
use super::{DatagenError, GenerationTarget, Recipe};
use crate::tools::kit::interrupt::Interrupt;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    target: GenerationTarget,
    #[command(flatten)]
    recipe: Recipe,
}

/// Quick games.
fn args(out: &Path, words: &str) -> Cli {
    let out = out.to_str().unwrap();
    let fixed = ["x", "--out", out, "--nodes", "60", "--exit-nodes", "200"];
    let quick = ["--positions", "1000000", "--max-plies", "60", "--hash", "1"];
    let words = words.split_whitespace();
    Cli::parse_from(fixed.into_iter().chain(quick).chain(words))
}

fn run_quickly(out: &Path, words: &str) -> Tally {
    let Cli { target, recipe } = args(out, words);
    generate(&target, &recipe, &Interrupt::default()).unwrap()
}

/// Returns the bytes of each game of a file.
fn games(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let mut reader = Reader::new(bytes.as_slice());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.to_vec());
    }
    games
}

fn verify(path: &Path) -> Result<String, DatagenError> {
    let mut out = Vec::new();
    let files = vec![path.to_owned()];
    super::files::verify(&super::files::GameFiles { files }, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}
