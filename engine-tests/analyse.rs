//! Tests of `quevedo analyse`: the text, the page, and whole collections.

#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use tempfile::TempDir;

use crate::harness::{command, temporary_directory};

/// Three games: a short one with a blunder and a mate, a broken one, and one of an unsupported
/// variant.
const GAMES: &str = "[Event \"a\"]\n[White \"M\u{fc}ller\"]\n\n1. e4 { [%clk 0:01:00] } e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [Event \"b\"]\n\n1. f3 e5 2. Ke3 Qh4# 0-1\n\n\
    [Event \"c\"]\n[Variant \"Atomic\"]\n\n1. Nf3 e5 2. Nxe5 *\n\n";

fn analyse(input: &Path, arguments: &str) -> Output {
    command()
        .arg("analyse")
        .arg(input)
        .args(arguments.split_whitespace())
        .output()
        .expect("the program starts")
}

/// Returns the output of a run that went well, except for games that cannot be read.
fn output(input: &Path, arguments: &str) -> String {
    let output = analyse(input, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A file with games in a directory of the test's own.
fn games(name: &str, text: &str) -> (TempDir, PathBuf) {
    let directory = temporary_directory(name);
    let path = directory.path().join("games.pgn");
    fs::write(&path, text).expect("a temporary file");
    (directory, path)
}

#[test]
fn games_are_annotated_and_faults_told() {
    let (_directory, path) = games("analyse-annotates", GAMES);
    let result = analyse(&path, "--nodes 3000 --hash 1");
    let text = String::from_utf8_lossy(&result.stdout).replace('\n', " ");
    for part in [
        "[White \"M\u{fc}ller\"] [Annotator \"Quevedo ",
        ", 3000 nodes, 1 MiB\"]",
        " [%clk 0:01:00] } 1... e5 { [%eval ",
        "3... Nf6 $4 { [%eval #1] Blunder, which allows mate in 1. ",
        " 4. Qxf7# 1-0 ",
        "{ Not understood from here: 2. Ke3 Qh4# } 0-1 ",
        "[Event \"c\"] [Variant \"Atomic\"]  1. Nf3 e5 2. Nxe5 * ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let errors = String::from_utf8_lossy(&result.stderr);
    for part in [
        "game 2 (line 6): ply 3, move 2. Ke3: illegal",
        "game 3 (line 10): the variant \"Atomic\"",
        "3 games, 11 positions analysed",
    ] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
}

#[test]
fn an_analysis_can_be_analysed_again() {
    let source = "[Event \"a\"]\n\n1. e4 { [%eval 0.20] [%cal Ge2e4] good } 1... e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n";
    let (directory, path) = games("analyse-again", source);
    let arguments = "--nodes 3000 --hash 1";
    let first = output(&path, arguments);
    assert!(
        first.contains("] [%source_eval 0.20] [%cal Ge2e4] good }"),
        "{first}"
    );
    let again = directory.path().join("again.pgn");
    fs::write(&again, &first).expect("a temporary file");
    let second = output(&again, arguments);
    assert_eq!(second, first);
    // Lines of moves without a mark do not add up either.
    let all = format!("{arguments} --lines all");
    let first_all = output(&path, &all);
    fs::write(&again, &first_all).expect("a temporary file");
    assert_eq!(output(&again, &all), first_all);
    // An analysis with other limits keeps the evaluations, and no verdict, mark or line.
    let other = output(&again, "--nodes 2000 --hash 1");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "[%source_eval 0.20]",
        "Nf6 $4",
        "Blunder, which allows mate in 1.",
    ] {
        assert_eq!(words(&other).matches(part).count(), 1, "{other}");
    }
    assert!(other.matches("[%source_eval ").count() > 1, "{other}");
    // Marks of an earlier analysis are not counted.
    let old = "[Event \"a\"]\n\n1. e4 $4 { [%eval -5.00] Blunder. Nf3 was best (+0.32). } (1. Nf3 d5) *\n\n";
    fs::write(&again, old).expect("a temporary file");
    let corrected = output(&again, arguments);
    assert!(
        !corrected.contains("$4") && !corrected.contains("Nf3"),
        "{corrected}"
    );
    let stripped = output(&path, &format!("{arguments} --strip"));
    assert!(
        !stripped.contains("source_eval") && !stripped.contains("good"),
        "{stripped}"
    );
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let text = (0..6)
        .map(|number| {
            format!(
                "[Event \"{number}\"]\n\n1. e4 e5 2. Nf3 {} *\n\n",
                ["Nc6", "Nf6"][number % 2]
            )
        })
        .collect::<String>();
    let (_directory, path) = games("analyse-jobs", &text);
    let one = output(&path, "--nodes 2000 --hash 1 --jobs 1");
    // One for each move, and one for each better line.
    assert!(one.matches("[%eval ").count() >= 24, "{one}");
    assert_eq!(output(&path, "--nodes 2000 --hash 1 --jobs 3"), one);
    // A part of the games is the same part of the output.
    let middle = output(&path, "--nodes 2000 --hash 1 --first 3 --games 2");
    assert_eq!(middle.matches("[Event ").count(), 2);
    assert!(one.contains(&middle));
}

#[test]
fn a_run_goes_on_where_it_was_broken_off() {
    let (directory, path) = games("analyse-resumes", GAMES);
    let out = directory.path().join("out.pgn");
    let page = directory.path().join("page.html");
    let arguments = format!(
        "--nodes 500 --hash 1 --out {} --html {}",
        out.display(),
        page.display()
    );
    let arguments = arguments.as_str();
    output(&path, arguments);
    let whole = fs::read(&out).expect("the output");
    // Broken off anywhere, also in the middle of a letter.
    for length in (0..whole.len()).step_by(151) {
        fs::write(&out, &whole[..length]).expect("the output");
        output(&path, arguments);
        assert!(fs::read(&out).expect("the output") == whole, "{length}");
    }
    let html = fs::read_to_string(&page).expect("the page");
    assert_eq!(html.matches("class=\"game\"").count(), 3);
    let refused = |arguments: &str, reason: &str| {
        let result = analyse(&path, arguments);
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(2), "{errors}");
        assert!(errors.contains(reason), "{errors}");
        assert!(fs::read(&out).expect("the output") == whole);
    };
    refused(
        &arguments.replace("500", "501"),
        "game 1 in it has [Annotator ",
    );
    refused(
        &format!("{arguments} --first 2"),
        "game 1 in it has [Event \"a\"]",
    );
    refused(
        &format!("--out {}", path.display()),
        "have to be different files",
    );
    // Somebody's file is not taken for the beginning of a game that may be cut off.
    for other in ["My notes.\n", "[Event \"b\"]\n\n1. e4 *\n", "1. e4 e5 *\n"] {
        fs::write(&out, other).expect("the output");
        let result = analyse(&path, arguments);
        let errors = String::from_utf8_lossy(&result.stderr);
        assert!(
            errors.contains("is not the next game of the source"),
            "{errors}"
        );
        assert_eq!(fs::read_to_string(&out).expect("the output"), other);
    }
}

#[test]
fn outputs_are_checked_before_the_run() {
    let (directory, path) = games("analyse-outputs", GAMES);
    let out = directory.path().join("new.pgn");
    let refused = |page: &str, reason: &str| {
        let page = directory.path().join(page);
        let outputs = format!("--out {} --html {}", out.display(), page.display());
        let result = analyse(&path, &format!("--nodes 500 --hash 1 {outputs}"));
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(2), "{errors}");
        assert!(errors.contains(reason), "{errors}");
        assert!(!out.exists());
    };
    fs::create_dir(directory.path().join("folder")).expect("a directory");
    refused("nowhere/page.html", "nowhere/page.html: ");
    refused("games.pgn/page.html", "games.pgn/page.html: ");
    refused("folder", "folder: ");
    // Two ways to write the path of a file that does not exist yet.
    refused("folder/../new.pgn", "have to be different files");
    refused("./new.pgn", "have to be different files");
    // The file that keeps an interrupted run.
    refused("new.pgn.journal", "have to be different files");

    // The source under another name, and as what standard input or output is redirected to.
    let linked = directory.path().join("linked.pgn");
    fs::hard_link(&path, &linked).expect("a link");
    let open = |file: &Path| fs::File::options().read(true).append(true).open(file);
    for (input, outputs) in [
        (path.to_str(), format!("--out {}", linked.display())),
        (Some("-"), format!("--out {}", path.display())),
        (path.to_str(), String::new()),
        (Some("-"), String::new()),
    ] {
        let words = format!("--nodes 500 --hash 1 --overwrite {outputs}");
        let result = command()
            .args(["analyse", input.expect("a path")])
            .args(words.split_whitespace())
            .stdin(open(&path).expect("the games"))
            .stdout(open(&linked).expect("the games"))
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(
            result.status.code(),
            Some(2),
            "{input:?} {outputs} {errors}"
        );
        assert!(errors.contains("have to be different files"), "{errors}");
        assert_eq!(fs::read_to_string(&path).expect("the games"), GAMES);
    }
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_only_written_to() {
    let (directory, path) = games("analyse-pipes", GAMES);
    let arguments = "--nodes 500 --hash 1 --out";
    let whole = output(&path, arguments.trim_end_matches(" --out"));
    // The standard output of the test is a pipe.
    for options in ["", " --overwrite"] {
        let to_pipe = output(&path, &format!("{arguments} /dev/stdout{options}"));
        assert_eq!(to_pipe, whole);
    }
    let page = directory.path().join("page.html");
    output(
        &path,
        &format!("{arguments} /dev/null --html {}", page.display()),
    );
    let html = fs::read_to_string(&page).expect("the page");
    assert_eq!(html.matches("class=\"game\"").count(), 3);
    let list = directory.path().join("list.txt");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(&list, fen).expect("a temporary file");
    let table = output(&list, &format!("{arguments} /dev/stdout --fens"));
    assert!(table.contains(fen.trim_end()), "{table}");
    for device in ["stdout", "null"] {
        assert!(!Path::new(&format!("/dev/{device}.journal")).exists());
    }
}

#[test]
fn the_positions_of_another_run_are_not_lost() {
    let (directory, path) = games("analyse-journals", GAMES);
    let list = directory.path().join("list.txt");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(&list, fen).expect("a temporary file");
    for (input, name, options) in [(&path, "out.pgn", ""), (&list, "out.csv", " --fens")] {
        let out = directory.path().join(name);
        let journal = directory.path().join(format!("{name}.journal"));
        // An interrupted run with other limits, without a whole game.
        let other = "{\"journal\":1,\"annotator\":\"Quevedo, 40000 nodes\"}\n";
        fs::write(&journal, other).expect("a temporary file");
        let arguments = format!("--nodes 500 --hash 1 --out {}{options}", out.display());
        let result = analyse(input, &arguments);
        let errors = String::from_utf8_lossy(&result.stderr);
        assert_eq!(result.status.code(), Some(2), "{errors}");
        let reason = format!("{name}: its journal is that of a run with \"Quevedo, 40000 nodes\"");
        assert!(errors.contains(&reason), "{errors}");
        assert_eq!(fs::read_to_string(&journal).expect("the journal"), other);
        output(input, &format!("{arguments} --overwrite"));
        assert!(!journal.exists() && fs::read(&out).is_ok_and(|text| !text.is_empty()));
    }
    // A list's table is written as a whole, and would replace the whole file.
    let notes = directory.path().join("notes.csv");
    let arguments = format!("--nodes 500 --hash 1 --fens --out {}", notes.display());
    fs::write(&notes, "My notes.\n").expect("a temporary file");
    let result = analyse(&list, &arguments);
    let errors = String::from_utf8_lossy(&result.stderr);
    assert_eq!(result.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("no interrupted run has written it"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(&notes).expect("the file"), "My notes.\n");
    output(&list, &format!("{arguments} --overwrite"));
    let table = fs::read_to_string(&notes).expect("the table");
    assert!(table.starts_with("line,fen,"), "{table}");
}

#[test]
fn text_that_is_not_a_game_is_a_fault() {
    let text = "Dear reader,\n\n[Event \"a\"]\n\n1. e4 *\n\n";
    let (_directory, path) = games("analyse-letter", text);
    let result = analyse(&path, "--nodes 500 --hash 1");
    let errors = String::from_utf8_lossy(&result.stderr);
    assert!(errors.contains("not a game: \"Dear reader,\""), "{errors}");
    assert_eq!(result.status.code(), Some(3), "{errors}");
    let annotated = String::from_utf8_lossy(&result.stdout);
    assert!(annotated.contains("1. e4 { [%eval "), "{annotated}");
}

#[test]
fn a_page_has_all_games_when_nobody_reads_them() {
    let (directory, path) = games("analyse-closed", GAMES);
    let page = directory.path().join("page.html");
    let mut child = command()
        .args("analyse --nodes 500 --hash 1 --html".split(' '))
        .args([&page, &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let status = child.wait().expect("the process is ours");
    assert_eq!(status.code(), Some(3), "{status}");
    let html = fs::read_to_string(&page).expect("the page");
    assert_eq!(html.matches("class=\"game\"").count(), 3);
}

#[test]
fn a_document_takes_the_place_of_the_games_on_standard_output() {
    let (directory, path) = games("analyse-standard", GAMES);
    let whole = output(&path, "--nodes 500 --hash 1");
    let json = output(&path, "--nodes 500 --hash 1 --json -");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON alone");
    assert_eq!(json.as_array().map(Vec::len), Some(3));
    let out = directory.path().join("out.pgn");
    let arguments = format!("--nodes 500 --hash 1 --html - --out {}", out.display());
    assert!(output(&path, &arguments).starts_with("<!DOCTYPE html>"));
    assert_eq!(fs::read_to_string(out).expect("the games"), whole);
}

/// Returns the moves outside the comments, in which words may look like move numbers.
fn without_comments(text: &str) -> String {
    let parts = text.split('{');
    parts
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
        .collect()
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test data that is not part of the repository"]
fn collections_are_annotated_game_for_game_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let mut games = 0;
    for entry in PathBuf::from(data)
        .join("pgn")
        .read_dir()
        .expect("a folder")
    {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        let source = fs::read(&path).expect("a readable file");
        let count = |text: &str, part: &str| text.matches(part).count();
        let source = String::from_utf8_lossy(&source);
        let text = output(&path, "--nodes 1 --hash 1 --lines none");
        let begun = count(&source, "[Event \"");
        assert_eq!(count(&text, "[Event \""), begun, "{}", path.display());
        assert_eq!(count(&text, "[Annotator \""), begun, "{}", path.display());
        // Every half move but for mates: at least as many evaluations as move numbers.
        let moves = without_comments(&text);
        let numbers = moves.split_whitespace().filter(|word| {
            word.trim_end_matches('.').parse::<u32>().is_ok() && word.ends_with('.')
        });
        let mates = count(&moves, "# ") + count(&moves, "#\n");
        assert!(count(&text, "[%eval ") + mates >= numbers.count());
        games += begun;
    }
    println!("{games} games");
    assert!(games > 1_000);
}
