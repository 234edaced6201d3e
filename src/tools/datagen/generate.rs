//! A run: workers that play games, and the file that the games go to.
//!
//! Searches may not wait inside of a work-stealing pool, so that every worker is a thread of its own.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::game::{PlayError, Player};
use super::recipe::Recipe;
use super::run_file::{RunFile, Tally};
use super::{DatagenError, Target};
use crate::engine::eval_file::network_of;
use crate::eval::nnue::Network;
use crate::search::control::Control;
use crate::tablebase::Tablebases;
use crate::tools::kit::jobs::available_threads;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::Progress;

/// How a run is told to stop.
#[derive(Debug, Default)]
pub struct Stop {
    control: Control,
    stopped: AtomicBool,
}

impl Stop {
    /// Ends the run; the games in play are dropped.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.control.stop(u64::MAX);
    }

    /// Whether the run is to end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Generates until SIGINT, SIGTERM, or until there are enough positions.
///
/// # Errors
/// When the file cannot be written or the engine fails. The games written until then are whole.
pub fn run(target: &Target, recipe: &Recipe) -> Result<(), DatagenError> {
    let stop = Arc::new(Stop::default());
    let signalled = stop.clone();
    ctrlc::set_handler(move || {
        if signalled.is_stopped() {
            // Asked twice: whoever asks does not want to wait. The file is whole all the same.
            std::process::exit(130);
        }
        signalled.stop();
    })?;
    generate(target, recipe, &stop).map(drop)
}

/// Generates until told to stop, or until there are enough positions.
///
/// # Errors
/// As [`run`].
pub fn generate(target: &Target, recipe: &Recipe, stop: &Stop) -> Result<Tally, DatagenError> {
    let tablebases = load_tablebases(recipe)?;
    let file = RunFile::open(&target.out, recipe_text(recipe)?)?;
    let progress = Progress::new(Some(target.positions), file.tally.positions);
    if file.cut > 0 {
        progress.say(&format!(
            "{}: a game of {} bytes had been broken off, it is dropped",
            target.out.display(),
            file.cut
        ));
    }
    if file.tally.games > 0 {
        progress.say(&format!(
            "{}: goes on after {} games with {} positions",
            target.out.display(),
            file.tally.games,
            file.tally.positions
        ));
    }
    let run = Run {
        target,
        recipe,
        stop,
        tablebases: tablebases.as_ref(),
        desk: Mutex::new(Desk {
            file,
            progress,
            in_play: 0,
        }),
    };
    let outcome = run.play_on_all_threads();
    let Desk { file, progress, .. } = run
        .desk
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let tally = file.close()?;
    progress.say(&message(&progress, &tally));
    outcome.map(|()| tally)
}

/// The recipe for the file beside the games.
///
/// # Errors
/// When its network cannot be used.
pub fn recipe_text(recipe: &Recipe) -> Result<String, PlayError> {
    let network = network_of(&recipe.eval_file)?;
    Ok(recipe.to_text(network.as_ref().map(Network::checksum)))
}

/// Tables that were asked for and are not there would spoil a long run.
fn load_tablebases(recipe: &Recipe) -> Result<Option<Tablebases>, DatagenError> {
    let Some(path) = &recipe.syzygy else {
        return Ok(None);
    };
    match Tablebases::load(path) {
        (None, message) => Err(DatagenError::Tablebases(message)),
        (tablebases, _) => Ok(tablebases),
    }
}

/// What all workers share.
struct Run<'a> {
    target: &'a Target,
    recipe: &'a Recipe,
    stop: &'a Stop,
    tablebases: Option<&'a Tablebases>,
    desk: Mutex<Desk>,
}

/// Where games are given out and handed in.
struct Desk {
    file: RunFile,
    progress: Progress,
    in_play: u64,
}

impl Run<'_> {
    fn play_on_all_threads(&self) -> Result<(), DatagenError> {
        let threads = self.target.threads.unwrap_or_else(available_threads).max(1);
        let job = || {
            let outcome = self.work();
            if outcome.is_err() {
                self.stop.stop();
            }
            outcome
        };
        run_on_threads("datagen", iter::repeat_n(job, threads))
    }

    /// Plays games until there are enough, or it is told to stop.
    fn work(&self) -> Result<(), DatagenError> {
        let mut player = Player::new(self.recipe, &self.stop.control, self.tablebases)?;
        while let Some(number) = self.next_game()? {
            let Some(games) = player.play(number)? else {
                break;
            };
            let mut guard = self.desk();
            let desk = &mut *guard;
            desk.in_play -= 1;
            for game in &games {
                desk.file.add(game)?;
            }
            let tally = &desk.file.tally;
            let message = message(&desk.progress, tally);
            desk.progress.set(tally.positions, message);
        }
        Ok(())
    }

    fn next_game(&self) -> Result<Option<u64>, DatagenError> {
        let mut desk = self.desk();
        let tally = desk.file.tally;
        let family = 1 + u64::from(self.recipe.forks);
        let enough = tally.positions >= self.target.positions
            || self
                .target
                .games
                .is_some_and(|games| tally.games + desk.in_play * family >= games);
        if enough || self.stop.is_stopped() {
            return Ok(None);
        }
        desk.in_play += 1;
        desk.file.take_number().map(Some)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn message(progress: &Progress, tally: &Tally) -> String {
    let rate = progress.rate(tally.positions);
    let draws = 100.0 * tally.draws as f64 / tally.games.max(1) as f64;
    format!(
        "{} positions, {} games, {rate:.0} positions/s, {draws:.1} % drawn",
        tally.positions, tally.games,
    )
}
