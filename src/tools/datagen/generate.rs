//! A run: threads that play games, and the file to which the games are added.
//!
//! Searches must not block inside a work-stealing pool, so each worker has its own thread.

use std::iter;

use parking_lot::Mutex;

use super::game::{PlayError, SelfPlay};
use super::recipe::Recipe;
use super::run_file::{RunFile, Tally};
use super::{DatagenError, GenerationTarget};
use crate::engine::eval_file::network_of;
use crate::eval::nnue::checksum;
use crate::games::openings::OpeningFile;
use crate::plural::count;
use crate::tablebase::Tablebases;
use crate::tools::Exit;
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::{available_threads, run_on_threads};
use crate::tools::kit::progress::Progress;
use crate::tools::kit::{IoContext as _, input};

/// Generates games until a signal arrives or the target is reached.
///
/// # Errors
/// Fails when the file cannot be written or the engine fails. The games written so far are
/// complete.
pub fn run(target: &GenerationTarget, recipe: &Recipe) -> Result<Exit, DatagenError> {
    let interrupt = Interrupt::on_signal()?;
    generate(target, recipe, &interrupt)?;
    Ok(match interrupt.is_set() {
        true => Exit::Interrupted,
        false => Exit::Done,
    })
}

/// Generates games until it is interrupted or the target is reached.
///
/// # Errors
/// Fails as [`run`] does.
pub fn generate(
    target: &GenerationTarget,
    recipe: &Recipe,
    interrupt: &Interrupt,
) -> Result<Tally, DatagenError> {
    let tablebases = load_tablebases(recipe)?;
    let (openings, checksum) = load_openings(recipe)?.unzip();
    let file = RunFile::open(&target.out, recipe_text(recipe, checksum)?)?;
    let Tally {
        games, positions, ..
    } = file.tally;
    let progress = Progress::new(Some(target.positions), positions);
    let path = target.out.display();
    if file.cut > 0 {
        let bytes = count(file.cut, "byte");
        progress.say(&format!("{path}: removed an incomplete game of {bytes}"));
    }
    if games > 0 {
        progress.say(&format!(
            "{path}: resuming after {} with {}",
            count(games, "game"),
            count(positions, "position")
        ));
    }
    let run = GenerationRun {
        target,
        recipe,
        interrupt,
        tablebases: tablebases.as_ref(),
        openings: openings.as_ref(),
        state: Mutex::new(RunState {
            file,
            progress,
            in_play: 0,
        }),
    };
    let outcome = run.play_on_all_threads();
    let RunState { file, progress, .. } = run.state.into_inner();
    let tally = file.close()?;
    progress.say(&message(&progress, &tally));
    outcome.map(|()| tally)
}

/// Returns the recipe as text for the file beside the games, given the checksum of the file of
/// openings.
///
/// # Errors
/// Fails when the network cannot be used.
pub fn recipe_text(recipe: &Recipe, openings: Option<u64>) -> Result<String, PlayError> {
    let network = network_of(&recipe.network.eval_file)?;
    Ok(recipe.to_text(network.as_ref(), openings))
}

/// Reads the file of openings, and returns it with its checksum. All its lines have to be
/// positions that the format of the games can store, since another would end a long run.
fn load_openings(recipe: &Recipe) -> Result<Option<(OpeningFile, u64)>, DatagenError> {
    let Some(path) = &recipe.openings else {
        return Ok(None);
    };
    let text = input::read(path).of_file(path)?;
    let openings = OpeningFile::new(&text);
    openings.check().map_err(|error| DatagenError::Opening {
        path: path.clone(),
        error,
    })?;
    Ok(Some((openings, checksum(&text))))
}

/// Loads the tablebases. Fails when requested ones are missing, since that would spoil a long run.
fn load_tablebases(recipe: &Recipe) -> Result<Option<Tablebases>, DatagenError> {
    let Some(path) = &recipe.syzygy else {
        return Ok(None);
    };
    match Tablebases::load(path) {
        (None, message) => Err(DatagenError::Tablebases(message)),
        (tablebases, _) => Ok(tablebases),
    }
}

/// A run, shared by all workers.
struct GenerationRun<'a> {
    target: &'a GenerationTarget,
    recipe: &'a Recipe,
    interrupt: &'a Interrupt,
    tablebases: Option<&'a Tablebases>,
    openings: Option<&'a OpeningFile>,
    state: Mutex<RunState>,
}

/// The mutable state of a run, locked by one worker at a time.
struct RunState {
    file: RunFile,
    progress: Progress,
    in_play: u64,
}

impl GenerationRun<'_> {
    fn play_on_all_threads(&self) -> Result<(), DatagenError> {
        let threads = self
            .target
            .threads
            .map_or_else(available_threads, usize::from);
        let job = || {
            let outcome = self.work();
            if outcome.is_err() {
                self.interrupt.set();
            }
            outcome
        };
        run_on_threads("datagen", iter::repeat_n(job, threads))
    }

    /// Plays games until the target is reached or the run is stopped.
    fn work(&self) -> Result<(), DatagenError> {
        let control = self.interrupt.control();
        let mut self_play = SelfPlay::new(self.recipe, &control, self.tablebases, self.openings)?;
        while let Some(number) = self.next_game()? {
            let Some(games) = self_play.play(number)? else {
                break;
            };
            let mut guard = self.state.lock();
            let state = &mut *guard;
            state.in_play -= 1;
            for game in &games {
                state.file.add(game)?;
            }
            let tally = &state.file.tally;
            let message = message(&state.progress, tally);
            state.progress.set(tally.positions, message);
        }
        Ok(())
    }

    fn next_game(&self) -> Result<Option<u64>, DatagenError> {
        let mut state = self.state.lock();
        let tally = state.file.tally;
        let family = 1 + u64::from(self.recipe.forks);
        let enough = tally.positions >= self.target.positions
            || self
                .target
                .games
                .is_some_and(|games| tally.games + state.in_play * family >= games);
        if enough || self.interrupt.is_set() {
            return Ok(None);
        }
        state.in_play += 1;
        state.file.take_number().map(Some)
    }
}

fn message(progress: &Progress, tally: &Tally) -> String {
    let rate = progress.rate(tally.positions);
    let draws = 100.0 * tally.draws as f64 / tally.games.max(1) as f64;
    format!(
        "{}, {}, {rate:.0} positions/s, {draws:.1} % drawn",
        count(tally.positions, "position"),
        count(tally.games, "game"),
    )
}
