//! Threads for tools that search.

use std::thread;

use super::ToolError;
use crate::search::STACK_BYTES;

/// Runs each job on a thread of its own, with a stack that a search can live on, and waits for all of them, also behind one
/// that failed. Searches may not wait inside of a work-stealing pool. The threads are called by the name and a number.
///
/// # Errors
/// That of the first job that failed, in the order of the jobs; [`ToolError::Worker`] for one that panicked.
pub fn run_on_threads<J, E>(name: &str, jobs: impl IntoIterator<Item = J>) -> Result<(), E>
where
    J: FnOnce() -> Result<(), E> + Send,
    E: From<ToolError> + Send,
{
    thread::scope(|scope| {
        let workers: Vec<_> = jobs
            .into_iter()
            .enumerate()
            .map(|(number, job)| {
                thread::Builder::new()
                    .name(format!("{name}-{number}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, job)
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| match worker {
                Ok(handle) => handle.join().unwrap_or(Err(ToolError::Worker.into())),
                Err(source) => Err(ToolError::Io {
                    what: "thread".to_owned(),
                    source,
                }
                .into()),
            })
            .fold(Ok(()), Result::and)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn all_jobs_are_waited_for_behind_one_that_fails() {
        let done = AtomicUsize::new(0);
        let failing = |number: usize| {
            let done = &done;
            move || {
                done.fetch_add(1, Ordering::Relaxed);
                match number {
                    3 => panic!("on purpose"),
                    1 => Err(ToolError::output(std::io::ErrorKind::BrokenPipe.into())),
                    _ => Ok(()),
                }
            }
        };
        let error = run_on_threads("test", (0..5).map(failing)).unwrap_err();
        assert!(matches!(error, ToolError::Io { .. }), "{error}");
        assert_eq!(done.load(Ordering::Relaxed), 5);
        let error = run_on_threads("test", (2..5).map(failing)).unwrap_err();
        assert!(matches!(error, ToolError::Worker), "{error}");
        assert!(run_on_threads("test", (4..6).map(failing)).is_ok());
    }
}
