//! Analyses by other engines, which may fail, and lists of positions.

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{command, temporary_directory};

const GAME: &str = "[Event \"a\"]\n\n1. e4 { +0.30/9 0.5s } e5 { -0.10/9 0.7s } 2. Nf3 Nc6 *\n";

fn analyse(directory: &TempDir, arguments: &[&str]) -> Output {
    command()
        .arg("analyse")
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes a script around this engine that does something on `go` when the moves before are 1. e4
/// e5. File 3 is the output.
fn wrapper(directory: &TempDir, name: &str, action: &str) -> String {
    let engine = env!("CARGO_BIN_EXE_quevedo");
    let script = format!(
        "exec 3>&1\nwhile read -r line; do\n\
         case \"$line\" in *'moves e2e4 e7e5') chosen=1;; position*) chosen=;; esac\n\
         case \"$line\" in go*) if [ \"$chosen\" ]; then {action}; fi;; esac\n\
         echo \"$line\"\ndone | '{engine}'\n"
    );
    fs::write(directory.path().join(name), script).expect("a temporary file");
    format!("sh {name}")
}

#[test]
fn a_fault_costs_one_position() {
    let directory = temporary_directory("analyse-faults");
    fs::write(directory.path().join("a.pgn"), GAME).expect("a temporary file");
    let limits = "a.pgn --nodes 2000 --hash 1 --timeout 3 --jobs 1";
    let limits: Vec<&str> = limits.split(' ').collect();
    let evaluations = |output: &Output| {
        let text = text(&output.stdout);
        let parts = text.split("[%eval ").skip(1);
        let values = parts.filter_map(|part| Some(part.split_once(']')?.0.to_owned()));
        values.collect::<Vec<_>>()
    };
    let builtin = evaluations(&analyse(&directory, &limits));
    assert_eq!(builtin.len(), 4);
    for (name, action, fault) in [
        ("good.sh", ":", None),
        ("crash.sh", "exit 3", Some("it ended: exit status: 0")),
        (
            "hang.sh",
            "sleep 100",
            Some("no answer in 3 s, nor after stop"),
        ),
        (
            "lie.sh",
            "echo 'bestmove e1e8' >&3; line=",
            Some("bestmove: illegal move: \"e1e8\""),
        ),
        (
            "flood.sh",
            "while :; do echo 'info depth 1 score cp 0 nodes 1'; done >&3",
            Some("no answer in 3 s, nor after stop"),
        ),
    ] {
        let engine = wrapper(&directory, name, action);
        let output = analyse(&directory, &[&limits[..], &["--engine", &engine]].concat());
        let errors = text(&output.stderr);
        let code = if fault.is_none() { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(code), "{errors}");
        let analysed = if fault.is_none() { 5 } else { 4 };
        let counts = format!("1 game, {analysed} positions analysed");
        assert!(errors.contains(&counts), "{errors}");
        let found = evaluations(&output);
        let Some(fault) = fault else {
            // The same searches with the same history.
            assert_eq!(found, builtin);
            assert!(text(&output.stdout).contains("[Annotator \"sh good.sh in Quevedo "));
            continue;
        };
        let message = format!("game 1, ply 2: the engine failed: {fault}");
        assert!(errors.contains(&message), "{errors}");
        assert_eq!(found.len(), 3, "{name}");
        assert_eq!(found[1..], builtin[2..], "{name}");
    }
}

#[test]
fn an_engine_that_never_works_ends_the_run() {
    let directory = temporary_directory("analyse-broken");
    fs::write(directory.path().join("a.pgn"), GAME).expect("a temporary file");
    fs::write(directory.path().join("broken.sh"), "exit 4").expect("a temporary file");
    let output = analyse(&directory, &["a.pgn", "--engine", "sh broken.sh"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("5 consecutive failures"), "{errors}");

    // A program that does not speak UCI is waited for once, beside the check that it starts.
    let silent = "echo >> starts; cat > silence";
    fs::write(directory.path().join("silent.sh"), silent).expect("a temporary file");
    let arguments = "a.pgn --jobs 1 --timeout 0.5 --engine";
    let arguments = arguments.split(' ').chain(["sh silent.sh"]);
    let output = analyse(&directory, &arguments.collect::<Vec<_>>());
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("no uciok in 0.5 s"), "{errors}");
    let starts = fs::read_to_string(directory.path().join("starts")).expect("the starts");
    assert!(matches!(starts.lines().count(), 1 | 2), "{starts:?}");

    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(directory.path().join("list.txt"), fen).expect("a temporary file");
    let list = ["list.txt", "--fens", "--engine", "sh broken.sh"];
    let output = analyse(&directory, &list);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("line 1, the engine failed: "), "{errors}");
    let two = ["a.pgn", "--engine", "builtin", "--engine", "builtin"];
    assert_eq!(analyse(&directory, &two).status.code(), Some(2));
}

#[test]
fn a_list_of_positions_is_searched_as_uci_does() {
    let directory = temporary_directory("analyse-fens");
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
    ];
    let list = format!("# a list\n{}\nnonsense\n", fens.join("\n"));
    fs::write(directory.path().join("list.txt"), list).expect("a temporary file");
    let arguments = "list.txt --fens --format json --nodes 3000 --hash 1 --out table.json";
    let output = analyse(&directory, &arguments.split(' ').collect::<Vec<_>>());
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("list.txt:6: ") && errors.contains("1 line could not be read"));
    let table = fs::read(directory.path().join("table.json")).expect("the table");
    let table: Vec<Value> = serde_json::from_slice(&table).expect("JSON");
    assert_eq!(table.len(), 4);
    for (row, fen) in table.iter().zip(fens).take(3) {
        let position = format!("position fen {fen}");
        let uci = command()
            .args(["setoption name Hash value 1", &position, "go nodes 3000"])
            .output()
            .expect("the program starts");
        let uci = text(&uci.stdout);
        let best = format!("bestmove {}", row["best"].as_str().expect("a move"));
        assert!(uci.contains(&best), "{row} {uci}");
        let nodes = format!(" nodes {} ", row["nodes"]);
        let last = uci.lines().rfind(|line| line.contains(" pv "));
        assert!(
            last.is_some_and(|line| line.contains(&nodes)),
            "{row} {uci}"
        );
    }
    assert_eq!(
        (&table[0]["line"], &table[2]["score"]["mate"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        (&table[3]["score"], &table[3]["best"]),
        (&Value::Null, &Value::Null)
    );
    let csv = analyse(
        &directory,
        &["list.txt", "--fens", "--depth", "1", "--hash", "1"],
    );
    let csv = text(&csv.stdout);
    assert!(
        csv.starts_with("line,fen,score,best,san,depth,nodes,pv,fault\n2,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn notes_of_an_engine_are_no_faults_of_positions() {
    let directory = temporary_directory("analyse-notes");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(directory.path().join("list.txt"), fen.repeat(3)).expect("a temporary file");
    let engine = env!("CARGO_BIN_EXE_quevedo");
    let run = |jobs: &str| {
        let arguments = "list.txt --fens --nodes 500 --hash 1 --engine";
        let arguments = arguments
            .split(' ')
            .chain([engine, "--option", "Frob=1", "--jobs", jobs]);
        let output = analyse(&directory, &arguments.collect::<Vec<_>>());
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(errors.contains("has no option \"Frob\""), "{errors}");
        text(&output.stdout)
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn scores_and_times_of_a_match_are_understood() {
    let directory = temporary_directory("analyse-match");
    fs::write(directory.path().join("a.pgn"), GAME).expect("a temporary file");
    let arguments = "a.pgn --nodes 500 --hash 1 --html a.html --csv a.csv";
    let output = analyse(&directory, &arguments.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output.stderr));
    // The annotated game keeps what the engines said.
    assert!(
        text(&output.stdout).contains("] +0.30/9 0.5s }"),
        "{}",
        text(&output.stdout)
    );
    let page = fs::read_to_string(directory.path().join("a.html")).expect("the page");
    for part in [
        "\"engine_score\":{\"text\":\"+0.30\",",
        "\"engine_score\":{\"text\":\"+0.10\",",
        "\"time\":0.7",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("\"comment\":\"+0.30"));
    let table = fs::read_to_string(directory.path().join("a.csv")).expect("the table");
    let columns = "game,player,colour,opponent,result,eco,opening,left_book,inaccuracies,";
    assert!(table.starts_with(columns), "{table}");
    assert!(
        table.contains(",C44,King's Knight Opening: Normal Variation,"),
        "{table}"
    );
    assert_eq!(table.lines().count(), 3);
}

#[test]
fn a_score_needs_no_line_a_mate_needs_moves_and_one_answer_counts() {
    let directory = temporary_directory("analyse-scores");
    fs::write(directory.path().join("a.pgn"), GAME).expect("a temporary file");
    for (name, score, answers, code, expected) in [
        ("bare.sh", "cp 33", "1", 0, "[%eval -0.33]"),
        ("twice.sh", "cp 33", "1 2", 0, "5 positions analysed"),
        (
            "mate.sh",
            "mate 0",
            "1",
            1,
            "it announced mate in 0 moves where there is none",
        ),
    ] {
        let script = format!(
            "while read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
             position*) case \"$line\" in *b8c6) best=f1b5;; *g1f3) best=b8c6;; *e7e5) best=g1f3;; *e2e4) best=e7e5;; *) best=e2e4;; esac;;\n\
             go*) echo 'info depth 1 score {score} nodes 9'; for n in {answers}; do echo \"bestmove $best\"; done;;\nquit) exit;;\nesac; done\n"
        );
        fs::write(directory.path().join(name), script).expect("a temporary file");
        let engine = format!("sh {name}");
        let output = analyse(&directory, &["a.pgn", "--nodes", "9", "--engine", &engine]);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}
