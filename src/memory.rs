//! What is left of the machine's memory, to refuse what does not fit before the system ends the process for it.

use thiserror::Error;

/// Bytes in a MiB.
pub const MEBIBYTE: usize = 1 << 20;

/// Why memory could not be had.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// A hash table of more than the machine has left.
    #[error(
        "{requested} MiB for the hash table do not fit, {available} MiB of memory are available"
    )]
    Hash {
        /// What was asked for, in MiB.
        requested: usize,
        /// What there is, in MiB.
        available: usize,
    },
    /// More search threads than the machine has memory for.
    #[error(
        "{threads} threads need {requested} MiB more, and {available} MiB of memory are available"
    )]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What they need beyond those that are there, in MiB.
        requested: usize,
        /// What there is, in MiB.
        available: usize,
    },
    /// The system refused.
    #[error("no memory for a hash table of {requested} MiB: {source}")]
    System {
        /// What was asked for, in MiB.
        requested: usize,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// The memory that a process can still get without harming others, in bytes, where the system says.
pub fn available() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text
            .lines()
            .find(|line| line.starts_with("MemAvailable:"))?;
        let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kibibytes * 1024)
    }
    #[cfg(not(target_os = "linux"))]
    None
}
