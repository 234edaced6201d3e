//! The memory available to the process. Allocations beyond it are refused, because systems that
//! over-commit memory would grant them and end the process later.

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};
use thiserror::Error;

/// Bytes in a MiB.
pub const MEBIBYTE: usize = 1 << 20;

/// Errors of allocating hash tables and threads.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// The hash table is larger than the available memory.
    #[error(
        "a hash table of {requested} MiB does not fit: {available} MiB of memory are available"
    )]
    Hash {
        /// The requested size in MiB.
        requested: usize,
        /// The available memory in MiB.
        available: usize,
    },
    /// The threads need more than the available memory.
    #[error(
        "{threads} threads need another {requested} MiB: {available} MiB of memory are available"
    )]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The memory that they need beyond the existing threads, in MiB.
        requested: usize,
        /// The available memory in MiB.
        available: usize,
    },
    /// The system refused the allocation.
    #[error("cannot allocate a hash table of {requested} MiB: {source}")]
    System {
        /// The requested size in MiB.
        requested: usize,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// Returns the memory available to the process without swapping, in bytes: that of the machine, or
/// of the process's container (cgroup) if that is less. Returns `None` on systems that do not tell.
pub fn available() -> Option<usize> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let machine = system.available_memory();
    let available = container_limit(&mut system).map_or(machine, |limit| machine.min(limit));
    // Zero means unknown.
    usize::try_from(available).ok().filter(|&bytes| bytes > 0)
}

/// Returns the memory that the process's container has left, in bytes, if it has a limit.
fn container_limit(system: &mut System) -> Option<u64> {
    let process = sysinfo::get_current_pid().ok()?;
    let refresh = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, refresh);
    let limits = system.process(process)?.cgroup_limits()?;
    Some(limits.free_memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    fn the_available_memory_is_known_and_plausible() {
        let available = available().unwrap();
        let mut system = System::new().unwrap();
        system.refresh_memory();
        assert!(available > MEBIBYTE, "{available}");
        assert!(available as u64 <= system.total_memory(), "{available}");
    }
}
