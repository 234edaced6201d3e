//! The memory available to the process. Allocations beyond it are refused, because systems that
//! over-commit memory would grant them and end the process later.

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
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
    let available = container_memory(&mut system).map_or(machine, |limit| machine.min(limit));
    // Zero means unknown.
    usize::try_from(available).ok().filter(|&bytes| bytes > 0)
}

/// Returns the address space that the process may still use, in bytes; `None` if it has no limit,
/// as `ulimit -v` sets it.
pub fn address_space() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
        let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
        let mut system = System::new().ok()?;
        let process = refresh_process(&mut system)?;
        let used = system.process(process)?.virtual_memory();
        let left = usize::try_from(limit.saturating_sub(used)).ok();
        left.filter(|_| limit != RLIM_INFINITY)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the memory that the process occupies, in bytes; 0 on systems that do not tell.
pub fn resident() -> usize {
    let memory = System::new().ok().and_then(|mut system| {
        let process = refresh_process(&mut system)?;
        Some(system.process(process)?.memory())
    });
    memory.map_or(0, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Reads what the system says of the process, and returns its number.
fn refresh_process(system: &mut System) -> Option<Pid> {
    let process = sysinfo::get_current_pid().ok()?;
    let refresh = ProcessRefreshKind::nothing().without_tasks().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, refresh);
    Some(process)
}

/// Returns the memory that the process's container has left, in bytes, if it has a limit. Files
/// that the system caches for the container count towards its limit, but give way to allocations.
fn container_memory(system: &mut System) -> Option<u64> {
    let process = refresh_process(system)?;
    let limits = system.process(process)?.cgroup_limits()?;
    let free = limits.free_memory.saturating_add(cgroup::file_cache());
    Some(free.min(limits.total_memory))
}

/// The statistics of the process's control group, of which `sysinfo` does not read the file cache.
mod cgroup {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the bytes of cached files, or 0 if they are not known.
    pub fn file_cache() -> u64 {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mut statistics = statistics_files(&groups).into_iter();
        let text = statistics.find_map(|path| fs::read_to_string(path).ok());
        text.map_or(0, |text| cached(&text))
    }

    /// Returns where the statistics can be, the likelier place first, given `/proc/self/cgroup`. In
    /// a container the group may be mounted as the root.
    pub fn statistics_files(groups: &str) -> Vec<PathBuf> {
        let group_of = |controller: &str| {
            groups.lines().find_map(|line| {
                let (_, rest) = line.split_once(':')?;
                let (controllers, group) = rest.split_once(':')?;
                let is_it = controllers.split(',').any(|name| name == controller);
                is_it.then(|| group.trim_start_matches('/'))
            })
        };
        let root = Path::new("/sys/fs/cgroup");
        let (mount, group) = match (group_of("memory"), group_of("")) {
            (Some(group), _) => (root.join("memory"), group),
            (None, Some(group)) => (root.to_owned(), group),
            (None, None) => return Vec::new(),
        };
        [mount.join(group), mount]
            .map(|folder| folder.join("memory.stat"))
            .to_vec()
    }

    /// Returns the bytes of cached files in the text of `memory.stat`.
    pub fn cached(statistics: &str) -> u64 {
        let lines = statistics.lines().filter_map(|line| line.split_once(' '));
        lines
            .filter(|(name, _)| matches!(*name, "active_file" | "inactive_file"))
            .filter_map(|(_, bytes)| bytes.parse::<u64>().ok())
            .fold(0, u64::saturating_add)
    }
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
        let resident = resident();
        assert!(
            resident > MEBIBYTE && (resident as u64) < system.total_memory(),
            "{resident}"
        );
    }

    #[test]
    #[cfg(unix)]
    fn statistics_are_found_in_both_versions() {
        let files = |groups: &str| {
            let files = cgroup::statistics_files(groups);
            let files = files.iter().map(|path| path.display().to_string());
            files.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            files("4:memory:/docker/1f\n3:cpu,cpuset:/\n0::/\n"),
            "/sys/fs/cgroup/memory/docker/1f/memory.stat /sys/fs/cgroup/memory/memory.stat"
        );
        assert_eq!(
            files("0::/user.slice/a:b\n"),
            "/sys/fs/cgroup/user.slice/a:b/memory.stat /sys/fs/cgroup/memory.stat"
        );
        assert_eq!(files(""), "");
        let text = "anon 5\nfile 700\nactive_file 300\ninactive_file 400\ntotal_active_file 9\n";
        assert_eq!(cgroup::cached(text), 700);
        assert_eq!(cgroup::cached("active_file many"), 0);
    }
}
