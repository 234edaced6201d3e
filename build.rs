//! The build script. It checks the network that is compiled in, records which commit and target the
//! program is built from, and warns of a slow build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, path};

#[allow(dead_code, reason = "the program uses the rest")]
#[path = "src/eval/nnue/format.rs"]
mod format;

/// The environment variable that names a network to compile in, instead of [`NETWORK`].
const EVAL_FILE: &str = "QUEVEDO_EVALFILE";

/// The network of the repository.
const NETWORK: &str = "src/eval/nnue/quevedo.nnue";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={EVAL_FILE}");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    match embedded_network(&root) {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=QUEVEDO_NETWORK={}", path.display());
        }
        Err(message) => println!("cargo::error=cannot compile in the network: {message}"),
    }
    println!("cargo::rustc-env=QUEVEDO_TARGET={}", variable("TARGET"));
    // Development builds carry no commit: each commit would compile the whole program again.
    if variable("PROFILE") == "release"
        && let Some(commit) = packaged_commit(&root).or_else(|| git_commit(&root))
    {
        println!("cargo::rustc-env=QUEVEDO_COMMIT={commit}");
    }
    warn_without_popcnt();
}

/// Returns a variable that Cargo sets, or an empty text.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Returns the path of the network to compile in, after a check of the file.
fn embedded_network(root: &Path) -> Result<PathBuf, String> {
    let named = env::var_os(EVAL_FILE).filter(|name| !name.is_empty());
    let path = root.join(named.unwrap_or_else(|| NETWORK.into()));
    let path = path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    format::NetworkFile::parse(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Returns the commit of a published package, which Cargo records in a file.
fn packaged_commit(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    Some(commit.chars().take(10).collect())
}

/// Returns the commit of a Git repository, with `-modified` if sources differ from it. Returns
/// `None` without Git or outside of a repository.
fn git_commit(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .current_dir(root)
            .args(arguments)
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.trim().to_owned())
    };
    // A copy of the sources within another repository is not at that repository's commit.
    git(&["ls-files", "--error-unmatch", NETWORK])?;
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let log = root.join(git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
        println!("cargo::rerun-if-changed=src");
    }
    let sources = ["src", "book", "build.rs", "Cargo.toml", "Cargo.lock"];
    let unchanged = git(&[&["diff", "--quiet", "HEAD", "--"], &sources[..]].concat()).is_some();
    Some(commit + if unchanged { "" } else { "-modified" })
}

/// Warns if the build has lost the baseline of `.cargo/config.toml`.
fn warn_without_popcnt() {
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    let has_popcnt = features.split(',').any(|feature| feature == "popcnt");
    if variable("CARGO_CFG_TARGET_ARCH") == "x86_64" && !has_popcnt {
        println!(
            "cargo::warning=this build is slow, because RUSTFLAGS or `cargo install` have replaced \
             the flags of .cargo/config.toml: add `-C target-cpu=x86-64-v2` or \
             `-C target-cpu=native` to RUSTFLAGS"
        );
    }
}
