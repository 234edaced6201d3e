//! Ends runs on SIGINT and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::engine::Control;
use crate::tools::exit::Exit;

/// The action that ends the running command. The first signal takes it, so that the next one ends
/// the process.
static STOP: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Ends the process on SIGINT or SIGTERM, with the exit code of interrupted runs. That is right for
/// every command that has nothing to finish; the others use [`on_signal`].
///
/// # Errors
/// Fails when the system refuses the signal handler.
pub fn exit_on_signal() -> Result<(), ctrlc::Error> {
    let handled = ctrlc::set_handler(|| {
        let stop = STOP.lock().take();
        match stop {
            Some(stop) => stop(),
            None => exit(),
        }
    });
    match handled {
        // The program handles signals from its start.
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        handled => handled,
    }
}

/// Ends the process on SIGINT or SIGTERM as [`exit_on_signal`] does, and calls `clean_up` before.
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

/// Calls `stop` on the first SIGINT or SIGTERM and ends the process on the second.
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
    /// Returns an interrupt that SIGINT and SIGTERM set.
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
