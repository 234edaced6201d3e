//! Worker threads, and shards of a list of jobs.

use std::fmt;
use std::str::FromStr;
use std::thread;

use super::ToolError;
use crate::search::STACK_BYTES;

/// Returns how many threads this machine runs at once.
pub fn available_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns how many jobs run at once: as many as asked for, otherwise as many as keep the machine
/// busy with `threads` threads each.
pub fn job_count(jobs: Option<u32>, threads: u32) -> usize {
    let threads = usize::try_from(threads).unwrap_or(1).max(1);
    let jobs = jobs.and_then(|jobs| usize::try_from(jobs).ok());
    jobs.unwrap_or_else(|| available_threads() / threads).max(1)
}

/// Runs each job on its own thread, with a stack that is large enough for a search, and waits for
/// all of them, even when one fails. Searches must not wait inside a work-stealing pool. Threads
/// are named after `name`, with a number.
///
/// # Errors
/// Returns the error of the first job that failed, in the order of the jobs; [`ToolError::Worker`]
/// for one that panicked.
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

/// One of several parts of a numbered list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// Returns whether the item with this number, from 1, belongs to the part.
    pub fn contains(self, number: u64) -> bool {
        number % self.parts == self.part % self.parts
    }

    /// Returns the part of this item, from 1.
    pub fn owner(self, number: u64) -> Shard {
        let part = number.wrapping_sub(1) % self.parts + 1;
        Shard { part, ..self }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        numbers
            .filter(|&(part, parts): &(u64, u64)| 1 <= part && part <= parts)
            .map(|(part, parts)| Shard { part, parts })
            .ok_or_else(|| "expected a part and the number of parts, from 1/4 to 4/4".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_failing_job_does_not_end_the_others() {
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

    #[test]
    fn every_number_belongs_to_one_shard() {
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Shard>().unwrap());
        for number in 1..10 {
            let owners = shards.iter().filter(|shard| shard.contains(number));
            let owners: Vec<_> = owners.copied().collect();
            assert_eq!(owners, [shards[0].owner(number)]);
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
