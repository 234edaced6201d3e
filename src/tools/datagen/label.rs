//! `quevedo datagen label`: what shallow searches say of neighbours of the positions of games.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::value_parser;

use super::DatagenError;
use super::files::{GameLocation, each_game};
use super::game::PlayError;
use super::recipe::network_lines;
use super::run_file::{first_difference, record_path};
use crate::engine::eval_file::network_of;
use crate::engine::{Control, GameState, Go, Limits, Searcher, Silent};
use crate::eval::nnue::checksum;
use crate::games::reader::move_count;
use crate::plural::count;
use crate::position::Position;
use crate::position::notation::fen;
use crate::tools::Exit;
use crate::tools::kit::args::EvalFileArg;
use crate::tools::kit::files::open_locked;
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::{available_threads, run_on_threads};
use crate::tools::kit::progress::{Progress, say};
use crate::tools::kit::{IoContext as _, replace_file};
use crate::train::{Settings, labels};

/// The games that are labelled and written together.
const BATCH: usize = 512;

/// The largest label, in centipawns. Larger scores say no more than that a position is won.
const MAX_LABEL: i32 = 2000;

/// Arguments of `datagen label`.
#[derive(Clone, Debug, clap::Args)]
pub struct LabelArgs {
    /// A file of games; the labels are written beside it, with the extension labels
    #[arg(value_name = "FILE")]
    pub games: PathBuf,
    /// The number of quiet positions to label around each that training uses, one or two moves away
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub neighbours: usize,
    /// Depth of the searches in plies; they skip no moves
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Hash table of each thread in MiB, emptied before each game
    #[arg(long, value_name = "MIB", default_value_t = 1, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65_536))]
    pub hash: usize,
    /// Games to label at once [default: the threads of the machine]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The network
    #[command(flatten)]
    pub network: EvalFileArg,
}

/// A game to label.
struct Job<'a> {
    location: GameLocation<'a>,
    bytes: Vec<u8>,
    labels: OnceLock<Vec<u8>>,
}

/// Labels the neighbours of a file's positions until a signal arrives or all are labelled.
/// An existing file of labels is continued, if the file beside it with the extension run says that
/// they were made in the same way.
///
/// # Errors
/// Fails when a file is damaged, in use, or cannot be read or written, the labels are others than
/// these, or the engine fails.
pub fn run(args: &LabelArgs) -> Result<Exit, DatagenError> {
    let interrupt = Interrupt::on_signal()?;
    label(args, &interrupt)?;
    Ok(match interrupt.is_set() {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

/// Labels the neighbours of a file's positions until it is interrupted or all are labelled.
///
/// # Errors
/// Fails as [`run`] does.
pub fn label(args: &LabelArgs, interrupt: &Interrupt) -> Result<(), DatagenError> {
    let settings = Settings {
        neighbours: args.neighbours,
        ..Settings::default()
    };
    settings.check()?;
    let mut total = 0;
    let mut first_game = None;
    each_game(&args.games, |_, bytes| {
        total += move_count(bytes) as u64;
        first_game.get_or_insert_with(|| checksum(bytes));
        Ok(())
    })?;
    let Some(first_game) = first_game else {
        return Err(DatagenError::NotGames(args.games.clone()));
    };
    let path = args.games.with_extension(labels::EXTENSION);
    let recipe = recipe(args, first_game)?;
    let file = open_locked(&path)?;
    let found = file.metadata().of_file(&path)?.len();
    if found == 0 {
        replace_file(&record_path(&path), recipe.as_bytes())?;
    } else {
        check_record(&path, &recipe)?;
    }
    let mut run = LabelRun {
        args,
        interrupt,
        found,
        file,
        path,
        batch: Vec::with_capacity(BATCH),
        kept: 0,
        positions: 0,
        total,
        progress: None,
    };
    each_game(&args.games, |location, bytes| run.add(location, bytes))?;
    run.label_batch()?;
    run.check_end()?;
    let positions = count(run.positions, "position");
    drop(run.progress);
    say(&format!("{}: labels for {positions}", run.path.display()));
    Ok(())
}

/// Formats what determines the labels, with a line for each setting. Games may be added to a file
/// that has labels, so the checksum of the first one tells it from others.
fn recipe(args: &LabelArgs, first_game: u64) -> Result<String, PlayError> {
    let network = network_of(&args.network.eval_file)?;
    Ok(format!(
        "first-game {first_game:016x}\nneighbours {}\ndepth {}\nhash {}\n{}",
        args.neighbours,
        args.depth,
        args.hash,
        network_lines(network.as_ref())
    ))
}

/// Checks that labels were made by this recipe.
fn check_record(path: &Path, recipe: &str) -> Result<(), DatagenError> {
    let record = record_path(path);
    let why = match fs::read_to_string(&record) {
        Err(error) => format!("{}: {error}", record.display()),
        Ok(text) => match first_difference(&text, recipe) {
            None => return Ok(()),
            Some((found, asked)) => format!("the file has {found:?}, not {asked:?}"),
        },
    };
    let path = path.to_owned();
    Err(DatagenError::OtherLabels { path, why })
}

/// A run.
struct LabelRun<'a> {
    args: &'a LabelArgs,
    interrupt: &'a Interrupt,
    path: PathBuf,
    file: File,
    /// The bytes in the file at first that have not been assigned to games.
    found: u64,
    /// The bytes in the file that belong to whole games.
    kept: u64,
    batch: Vec<Job<'a>>,
    /// The positions in games with labels.
    positions: u64,
    /// The positions in all games.
    total: u64,
    /// Begins with the first game without labels.
    progress: Option<Progress>,
}

impl<'a> LabelRun<'a> {
    /// Returns the bytes of the labels of so many positions.
    const fn bytes(&self, positions: u64) -> u64 {
        labels::BYTES as u64 * (1 + self.args.neighbours as u64) * positions
    }

    /// Adds a game, unless it has labels already.
    fn add(&mut self, location: GameLocation<'a>, bytes: &[u8]) -> Result<(), DatagenError> {
        if self.interrupt.is_set() {
            return Ok(());
        }
        let positions = move_count(bytes) as u64;
        let size = self.bytes(positions);
        if self.batch.is_empty() && self.found >= size {
            self.found -= size;
            self.kept += size;
            self.positions += positions;
            return Ok(());
        }
        if self.batch.is_empty() {
            // A run may have been killed while it wrote the labels of this game.
            self.file.set_len(self.kept).of_file(&self.path)?;
            let end = SeekFrom::Start(self.kept);
            self.file.seek(end).of_file(&self.path)?;
            self.found = 0;
        }
        let (total, positions) = (self.total, self.positions);
        (self.progress).get_or_insert_with(|| Progress::new(Some(total), positions));
        self.batch.push(Job {
            location,
            bytes: bytes.to_vec(),
            labels: OnceLock::new(),
        });
        if self.batch.len() == BATCH {
            self.label_batch()?;
        }
        Ok(())
    }

    /// Labels and writes the games that were added, unless the run is interrupted meanwhile.
    fn label_batch(&mut self) -> Result<(), DatagenError> {
        let next = AtomicUsize::new(0);
        let threads = self
            .args
            .threads
            .map_or_else(available_threads, usize::from);
        let job = || {
            let outcome = self.work(&next);
            if outcome.is_err() {
                self.interrupt.set();
            }
            outcome
        };
        run_on_threads("label", iter::repeat_n(job, threads))?;
        if self.interrupt.is_set() {
            return Ok(());
        }
        for job in self.batch.drain(..) {
            let labels = job.labels.into_inner().unwrap_or_default();
            self.file.write_all(&labels).of_file(&self.path)?;
            self.kept += labels.len() as u64;
            self.positions += move_count(&job.bytes) as u64;
        }
        if let Some(progress) = &self.progress {
            let rate = progress.rate(self.positions);
            let positions = count(self.positions, "position");
            progress.set(
                self.positions,
                format!("{positions}, {rate:.0} positions/s"),
            );
        }
        Ok(())
    }

    /// Labels games of the batch until there are no more or the run is interrupted.
    fn work(&self, next: &AtomicUsize) -> Result<(), DatagenError> {
        let control = self.interrupt.control();
        let mut searcher = Searcher::new(self.args.hash).map_err(PlayError::from)?;
        let eval_file = &self.args.network.eval_file;
        (searcher.set_eval_file(eval_file)).map_err(PlayError::from)?;
        while let Some(job) = self.batch.get(next.fetch_add(1, Ordering::Relaxed)) {
            searcher.new_game();
            let mut outcome = Ok(());
            let value = |position: &Position| match self.value(&mut searcher, position, &control) {
                Ok(value) => value,
                Err(error) => {
                    outcome = Err(error);
                    None
                }
            };
            let labels = labels::of_neighbours(&job.bytes, self.args.neighbours, value);
            let labels = labels.map_err(|error| job.location.fault(error))?;
            outcome?;
            let _ = job.labels.set(labels);
            if self.interrupt.is_set() {
                break;
            }
        }
        Ok(())
    }

    /// Searches a position, and returns its value in centipawns for the side to move; `None` if the
    /// game is over or the run is interrupted.
    fn value(
        &self,
        searcher: &mut Searcher,
        position: &Position,
        control: &Control,
    ) -> Result<Option<i16>, PlayError> {
        if self.interrupt.is_set() || position.legal_moves().is_empty() {
            return Ok(None);
        }
        let limits = Limits {
            depth: Some(self.args.depth),
            full_width: true,
            ..Limits::default()
        };
        let game = GameState::new(position.clone());
        let analysis = searcher.search(&game, &limits, Go::now(control), &Silent);
        let analysis = analysis.completed().map_err(|source| PlayError::Search {
            source,
            fen: fen(position),
        })?;
        let score = analysis.and_then(|analysis| analysis.score);
        Ok(score.map(|score| (score.raw().clamp(-MAX_LABEL, MAX_LABEL)) as i16))
    }

    /// Checks that the labels that were there are no more than the games need.
    fn check_end(&self) -> Result<(), DatagenError> {
        if self.found == 0 || self.interrupt.is_set() {
            return Ok(());
        }
        let why = "the games have fewer positions".to_owned();
        let path = self.path.clone();
        Err(DatagenError::OtherLabels { path, why })
    }
}
