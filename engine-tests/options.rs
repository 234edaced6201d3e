//! Tests of the options in the running program.

use crate::harness::{Engine, command, temporary_directory};

const BEGIN: &str = "<!-- options:begin -->";
const END: &str = "<!-- options:end -->";

#[test]
fn readme_contains_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("README.md is there");
    let (_, rest) = readme.split_once(BEGIN).expect("begin marker");
    let (table, _) = rest.split_once(END).expect("end marker");
    let expected = quevedo::uci::options::readme_table();
    assert!(
        table.trim() == expected.trim(),
        "the options table in README.md is out of date; `quevedo options` prints it"
    );
}

#[test]
fn the_table_can_be_printed() {
    let output = command().arg("options").output().expect("it runs");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text, quevedo::uci::options::readme_table());
}

#[test]
fn uci_lists_all_options() {
    let mut engine = Engine::new();
    engine.send("uci");
    let lines = engine.read_to("uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name Quevedo")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for name in [
        "Hash",
        "Clear Hash",
        "Never Clear Hash",
        "HashFile",
        "Save Hash",
        "Load Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "nodestime",
        "UCI_Chess960",
        "EvalFile",
        "UCI_ShowWDL",
        "Minimal",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Skill Level",
        "LevelSeed",
        "OwnBook",
        "BookFile",
        "BookDepth",
        "BookVariety",
        "BookSeed",
        "Debug Log File",
        "SyzygyPath",
        "SyzygyProbeDepth",
        "SyzygyProbeLimit",
        "Syzygy50MoveRule",
        "UCI_EngineAbout",
    ] {
        let beginning = format!("option name {name} type ");
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with(&beginning))
                .count(),
            1,
            "{name}"
        );
    }
    engine.quit();
}

#[test]
fn odd_values_are_answered() {
    let mut engine = Engine::new();
    for (line, part) in [
        (
            "setoption name hash value 0",
            "option Hash: 0 is not between 1 and ",
        ),
        (
            "setoption name HASH value x",
            "info string error: option Hash: not a number",
        ),
        (
            "setoption name Hash",
            "info string error: option Hash: missing value",
        ),
        (
            "setoption name Nonsense value 1",
            "info string error: unknown option \"Nonsense\"",
        ),
        ("setoption", "info string error: setoption"),
        (
            "setoption name Ponder value perhaps",
            "info string error: option Ponder: expected true or false",
        ),
        (
            "setoption name SyzygyPath value /nowhere",
            "info string error: option SyzygyPath: no tablebases found; cannot read /nowhere",
        ),
        (
            "setoption name Debug Log File value /",
            "info string error: option Debug Log File",
        ),
    ] {
        engine.send(line);
        let lines = engine.ready();
        assert!(
            lines.iter().any(|answer| answer.contains(part)),
            "{line}: {lines:?}"
        );
    }
    engine.send("setoption name Clear Hash\nsetoption name SyzygyPath value <empty>\ngo depth 1");
    engine.best_move();
    engine.quit();
}

#[test]
fn after_clear_hash_a_search_repeats() {
    let mut engine = Engine::new();
    let mut nodes = || {
        engine.send("position startpos moves e2e4\ngo depth 9");
        let lines = engine.read_to("bestmove");
        let info = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
        let (_, rest) = info.split_once(" nodes ").unwrap();
        engine.send("setoption name Clear Hash");
        rest.split(' ').next().unwrap().to_owned()
    };
    let first = nodes();
    assert_eq!(nodes(), first);
    engine.quit();
}

#[test]
fn a_hash_table_that_does_not_fit_is_refused() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 33554432");
    let lines = engine.ready();
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("info string error: option Hash:")),
        "{lines:?}"
    );
    engine.send("go depth 4");
    engine.best_move();
    engine.quit();
}

/// The address space is limited, as by an administrator, to 2 GB.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_do_not_fit_are_refused() {
    let script = "ulimit -v 2000000
        printf 'setoption name Threads value %s\\ngo depth 4\\n' $1 | \"$0\"";
    let run = |threads: &str| {
        let program = env!("CARGO_BIN_EXE_quevedo");
        let output = std::process::Command::new("sh")
            .args(["-c", script, program, threads])
            .output()
            .expect("it runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("bestmove"), "{text}");
        text.contains("info string error: option Threads:")
    };
    assert!(!run("2"));
    assert!(run("1024"));
}

#[test]
fn the_debug_log_has_every_line() {
    let directory = temporary_directory("log");
    let path = directory.path().join("quevedo log.txt");
    let mut engine = Engine::new();
    engine.send(&format!(
        "setoption name Debug Log File value {}\nisready",
        path.display()
    ));
    engine.read_to("readyok");
    engine.send("uci\ngo depth 1");
    engine.best_move();
    engine.send("setoption name Debug Log File value <empty>");
    engine.ready();
    let log = std::fs::read_to_string(&path).expect("there is a log");
    for part in [
        "Z > uci\n",
        "Z < uciok\n",
        "Z > go depth 1\n",
        "Z < bestmove ",
    ] {
        assert!(log.contains(part), "{part:?} in\n{log}");
    }
    engine.quit();
}

#[test]
fn the_debug_log_has_the_lines_of_the_command_line() {
    let directory = temporary_directory("log of arguments");
    let path = directory.path().join("log.txt");
    let option = format!("setoption name Debug Log File value {}", path.display());
    let status = command().args([&*option, "go depth 1"]).output();
    assert!(status.expect("the program starts").status.success());
    let log = std::fs::read_to_string(&path).expect("there is a log");
    for part in ["Z > go depth 1\n", "Z < bestmove "] {
        assert!(log.contains(part), "{part:?} in\n{log}");
    }
}

#[test]
fn minimal_output_has_one_line_for_each_rank() {
    let mut engine = Engine::new();
    for (ranks, go) in [(1, "go depth 9"), (3, "go depth 6"), (1, "go movetime 200")] {
        engine.send(&format!(
            "setoption name Minimal value false\nsetoption name MultiPV value {ranks}\nucinewgame\n{go}"
        ));
        let all = engine.read_to("bestmove");
        engine.send(&format!(
            "setoption name Minimal value true\nucinewgame\n{go}"
        ));
        let last = engine.read_to("bestmove");
        assert_eq!(last.len(), ranks + 1, "{last:?}");
        assert!(all.len() > last.len(), "{all:?}");
        if go.contains("depth") {
            let figures = |lines: &[String]| {
                let lines = &lines[lines.len() - 1 - ranks..];
                let words = lines.iter().map(|line| line.split(" nodes ").next());
                words
                    .map(Option::unwrap)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert_eq!(figures(&last), figures(&all));
        }
    }
    // The line is that of the move, also when a search is stopped in the middle of an iteration.
    for nodes in (1_000..20_000).step_by(900) {
        engine.send(&format!("ucinewgame\ngo nodes {nodes}"));
        let lines = engine.read_to("bestmove");
        let best = lines[1].split(' ').nth(1).unwrap();
        assert!(lines[0].contains(&format!(" pv {best}")), "{lines:?}");
        assert!(lines[0].contains(&format!(" nodes {nodes} ")), "{lines:?}");
    }
    engine.quit();
}

#[test]
#[cfg(unix)]
fn paths_reach_their_files_whatever_their_encoding() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().join(OsStr::from_bytes(b"\xc9checs  \xff"));
    std::fs::create_dir(&directory).unwrap();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/default.bin");
    std::fs::copy(book, directory.join("a b.bin")).unwrap();
    let mut engine = Engine::new();
    let mut set = |name: &str, file: &str, answer: &str| {
        let name = format!("setoption name {name} value ");
        let path = directory.join(file);
        let line = [
            name.as_bytes(),
            path.as_os_str().as_bytes(),
            b" \r\nisready\n",
        ];
        engine.send_bytes(&line.concat());
        let lines = engine.read_to("readyok");
        assert!(lines.iter().any(|line| line.contains(answer)), "{lines:?}");
    };
    set("BookFile", "a b.bin", "a b.bin: ");
    set("BookFile", "nothing", "No such file");
    set("EvalFile", "a b.bin", "not a Quevedo network");
    set("SyzygyPath", "", "no tablebases found");
    set("Debug Log File", "log", "readyok");
    set("HashFile", "my hash", "readyok");
    engine.send("setoption name Save Hash");
    engine.ready();
    engine.quit();
    for file in ["log", "my hash"] {
        assert!(directory.join(file).is_file(), "{file}");
    }
}
