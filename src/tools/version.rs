//! `quevedo --version`: which build this is.

use std::sync::LazyLock;

use crate::eval::nnue::simd::Kernel;
use crate::processor::BUILT_WITHOUT_POPCNT;

static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("QUEVEDO_COMMIT");
    let commit = commit.map_or_else(String::new, |commit| format!("commit {commit}, "));
    let target = env!("QUEVEDO_TARGET");
    let kernel = Kernel::best().name();
    let slow = match BUILT_WITHOUT_POPCNT {
        true => ", slow build without popcnt",
        false => "",
    };
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} ({commit}{target}, {kernel} kernel{slow})")
});

/// Returns the version, the commit where the build knows it, the target, and the network's kernel
/// on this processor.
pub fn long() -> &'static str {
    &LONG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_target_and_kernel_are_named() {
        for part in [
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH,
            Kernel::best().name(),
        ] {
            assert!(long().contains(part), "{part:?} in {}", long());
        }
    }
}
