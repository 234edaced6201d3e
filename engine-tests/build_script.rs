//! The build script: the network that is compiled in, the origin of the program, and its warning.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the build script's program, which Cargo leaves beside the directory of its output.
fn program() -> PathBuf {
    let builds = Path::new(env!("OUT_DIR"))
        .ancestors()
        .nth(2)
        .expect("a parent");
    let name = format!("build-script-build{}", std::env::consts::EXE_SUFFIX);
    let directories = fs::read_dir(builds).expect("the builds of the target directory");
    directories
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("quevedo-"))
        })
        .map(|path| path.join(&name))
        .filter(|path| path.exists())
        .max_by_key(|path| {
            path.metadata()
                .and_then(|data| data.modified())
                .unwrap_or(SystemTime::UNIX_EPOCH)
        })
        .expect("a build script")
}

/// Returns a command without the variables by which Git names a repository to a hook that runs the
/// tests.
fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    command
}

/// Runs the build script and returns the lines that it prints for Cargo.
fn run(root: &Path, variables: &[(&str, &str)]) -> Vec<String> {
    let output = command(program())
        .current_dir(root)
        .env("CARGO_MANIFEST_DIR", root)
        .env("TARGET", "x86_64-test")
        .env("PROFILE", "release")
        .env("CARGO_CFG_TARGET_ARCH", "x86_64")
        .env("CARGO_CFG_TARGET_FEATURE", "fxsr,popcnt,sse2")
        .env_remove("QUEVEDO_EVALFILE")
        .envs(variables.iter().copied())
        .output()
        .expect("the build script runs");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// Returns what follows a prefix in the first line that begins with it.
fn value<'a>(lines: &'a [String], prefix: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| line.strip_prefix(prefix))
}

const NETWORK: &str = "cargo::rustc-env=QUEVEDO_NETWORK=";
const ERROR: &str = "cargo::error=";
const WARNING: &str = "cargo::warning=";
const COMMIT: &str = "cargo::rustc-env=QUEVEDO_COMMIT=";

/// Creates an empty directory for a test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a directory");
    path
}

#[test]
fn the_repository_s_network_is_compiled_in() {
    let lines = run(Path::new(ROOT), &[]);
    let network = value(&lines, NETWORK).expect("a network");
    assert!(Path::new(network).ends_with("src/eval/nnue/quevedo.nnue"));
    assert_eq!(value(&lines, ERROR), None);
    assert_eq!(value(&lines, WARNING), None);
    assert_eq!(
        value(&lines, "cargo::rustc-env=QUEVEDO_TARGET="),
        Some("x86_64-test")
    );
}

#[test]
fn another_network_is_checked_and_compiled_in() {
    let directory = directory("build-script-network");
    let original = fs::read(Path::new(ROOT).join("src/eval/nnue/quevedo.nnue")).expect("a network");
    let good = directory.join("a good one.nnue");
    fs::write(&good, &original).expect("a copy");
    let lines = run(
        Path::new(ROOT),
        &[("QUEVEDO_EVALFILE", good.to_str().expect("UTF-8"))],
    );
    assert_eq!(value(&lines, NETWORK), good.to_str());

    let mut damaged = original.clone();
    damaged[5000] ^= 1;
    for (bytes, reason) in [
        (damaged.as_slice(), "checksum"),
        (&original[..original.len() - 1], "wrong size"),
        (b"text", "not a Quevedo network"),
    ] {
        let bad = directory.join("bad.nnue");
        fs::write(&bad, bytes).expect("a file");
        let lines = run(
            Path::new(ROOT),
            &[("QUEVEDO_EVALFILE", bad.to_str().expect("UTF-8"))],
        );
        let error = value(&lines, ERROR).expect("an error");
        assert!(
            error.contains("bad.nnue") && error.contains(reason),
            "{error}"
        );
        assert_eq!(value(&lines, NETWORK), None);
    }
    let lines = run(
        Path::new(ROOT),
        &[("QUEVEDO_EVALFILE", "no-such-file.nnue")],
    );
    assert!(value(&lines, ERROR).is_some_and(|error| error.contains("no-such-file.nnue")));
}

#[test]
fn a_build_without_popcnt_is_warned_of() {
    let without = ("CARGO_CFG_TARGET_FEATURE", "fxsr,sse,sse2");
    let lines = run(Path::new(ROOT), &[without]);
    assert!(value(&lines, WARNING).is_some_and(|text| text.contains("target-cpu=x86-64-v2")));
    let lines = run(
        Path::new(ROOT),
        &[without, ("CARGO_CFG_TARGET_ARCH", "aarch64")],
    );
    assert_eq!(value(&lines, WARNING), None);
}

#[test]
fn the_commit_comes_from_git_or_from_the_package() {
    // A copy of the sources, first without Git.
    let directory = directory("build-script-commit");
    let network = directory.join("src/eval/nnue/quevedo.nnue");
    fs::create_dir_all(network.parent().expect("a parent")).expect("directories");
    fs::copy(Path::new(ROOT).join("src/eval/nnue/quevedo.nnue"), network).expect("a copy");
    let ceiling = directory.parent().and_then(Path::to_str).expect("UTF-8");
    let outside = [("GIT_CEILING_DIRECTORIES", ceiling)];
    assert_eq!(value(&run(&directory, &outside), COMMIT), None);
    // Inside of another repository, which does not have the sources: `target` is in none.
    assert_eq!(value(&run(&directory, &[]), COMMIT), None);
    // A machine without Git.
    assert_eq!(value(&run(&directory, &[("PATH", "")]), COMMIT), None);
    // A package.
    let info = r#"{ "git": { "sha1": "0123456789abcdef0123456789abcdef01234567" } }"#;
    fs::write(directory.join(".cargo_vcs_info.json"), info).expect("a file");
    assert_eq!(
        value(&run(&directory, &outside), COMMIT),
        Some("0123456789")
    );
    // Development builds do not have it.
    let lines = run(&directory, &[("PROFILE", "debug")]);
    assert_eq!(value(&lines, COMMIT), None);
}

#[test]
fn changed_sources_are_not_at_the_commit() {
    let directory = directory("build-script-git");
    let sources = directory.join("src/eval/nnue");
    fs::create_dir_all(&sources).expect("directories");
    let network = sources.join("quevedo.nnue");
    fs::copy(Path::new(ROOT).join("src/eval/nnue/quevedo.nnue"), &network).expect("a copy");
    let git = |arguments: &str| {
        let output = command("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args([
                "-c",
                "commit.gpgsign=false",
                "-c",
                "core.hooksPath=/dev/null",
            ])
            .args(arguments.split(' '))
            .current_dir(&directory)
            .output()?;
        assert!(output.status.success(), "{output:?}");
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if git("init --quiet").is_err() {
        println!("left out: there is no git");
        return;
    }
    git("add .").expect("git");
    git("commit --quiet -m a").expect("git");
    let commit = git("rev-parse --short=10 HEAD").expect("git");
    assert_eq!(value(&run(&directory, &[]), COMMIT), Some(commit.as_str()));
    fs::write(sources.join("mod.rs"), "").expect("a file");
    // A file that git does not know is no change.
    assert_eq!(value(&run(&directory, &[]), COMMIT), Some(commit.as_str()));
    git("add src/eval/nnue/mod.rs").expect("git");
    let modified = format!("{commit}-modified");
    assert_eq!(
        value(&run(&directory, &[]), COMMIT),
        Some(modified.as_str())
    );
}
