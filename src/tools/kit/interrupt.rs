//! Ends runs on SIGINT, SIGTERM and SIGHUP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use nix::sys::signal::{SigHandler, Signal, signal};
use parking_lot::Mutex;

use crate::engine::Control;
use crate::tools::exit::Exit;

/// The action that ends the running command. The first signal takes it, so that the next one ends
/// the process.
static STOP: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Whether the program handles signals, which it does from its start.
static HANDLES_SIGNALS: Mutex<bool> = Mutex::new(false);

/// Ends the process on SIGINT, SIGTERM or SIGHUP, with the exit code of interrupted runs. That is
/// right for every command that has nothing to finish; the others use [`on_signal`]. Under `nohup`
/// SIGHUP stays ignored.
///
/// # Errors
/// Fails when the system refuses the signal handler.
pub fn exit_on_signal() -> Result<(), ctrlc::Error> {
    let mut handles_signals = HANDLES_SIGNALS.lock();
    if *handles_signals {
        return Ok(());
    }
    #[cfg(unix)]
    let hangup = ignore_hangup();
    ctrlc::set_handler(|| {
        let stop = STOP.lock().take();
        match stop {
            Some(stop) => stop(),
            None => exit(),
        }
    })?;
    #[cfg(unix)]
    if matches!(hangup, Some(SigHandler::SigIgn)) {
        ignore_hangup();
    }
    *handles_signals = true;
    Ok(())
}

/// Ignores SIGHUP. Returns what was done on it before, if the system says so.
#[cfg(unix)]
fn ignore_hangup() -> Option<SigHandler> {
    // SAFETY: no handler is installed, so none can do what a signal handler must not.
    unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) }.ok()
}

/// Ends the process on a signal as [`exit_on_signal`] does, and calls `clean_up` before.
///
/// # Errors
/// Fails as [`exit_on_signal`] does.
pub fn exit_after(clean_up: impl FnOnce() + Send + 'static) -> Result<(), ctrlc::Error> {
    on_signal(move || {
        clean_up();
        exit()
    })
}

fn exit() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.code()))
}

/// Calls `stop` on the first SIGINT, SIGTERM or SIGHUP and ends the process on the second.
///
/// # Errors
/// Fails as [`exit_on_signal`] does.
pub fn on_signal(stop: impl FnOnce() + Send + 'static) -> Result<(), ctrlc::Error> {
    *STOP.lock() = Some(Box::new(stop));
    exit_on_signal()
}

/// A flag that ends a run, with all searches in it.
#[derive(Debug, Default)]
pub struct Interrupt {
    is_set: AtomicBool,
    searches: Mutex<Vec<Arc<Control>>>,
}

impl Interrupt {
    /// Returns an interrupt that SIGINT, SIGTERM and SIGHUP set.
    ///
    /// # Errors
    /// Fails as [`on_signal`] does.
    pub fn on_signal() -> Result<Arc<Interrupt>, ctrlc::Error> {
        let interrupt = Arc::new(Interrupt::default());
        let signalled = interrupt.clone();
        on_signal(move || signalled.set())?;
        Ok(interrupt)
    }

    /// Ends the run, with all searches in it.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        for control in self.searches.lock().iter() {
            control.stop(u64::MAX);
        }
    }

    /// Returns whether the run is to end.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// Returns the flag, for code that has no searches to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.is_set
    }

    /// Returns a control for searches that end with the run.
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::default());
        self.searches.lock().push(control.clone());
        // The interrupt may have been set before the control was in the list.
        if self.is_set() {
            control.stop(u64::MAX);
        }
        control
    }
}
