//! Suites made from recorded games.

use std::fs;

use tempfile::TempDir;

use crate::epd::{directory, epd, json, stderr, stdout};
use crate::harness::{command, temporary_directory};

#[test]
fn a_harvest_of_other_files_is_refused() {
    let directory = directory("harvest-codes");
    for (file, reason) in [
        ("suite.epd", "expected games in viriformat"),
        ("no such file", "no such file: "),
    ] {
        let output = command()
            .args(["datagen", "harvest", file, "--out", "harvest.epd"])
            .current_dir(directory.path())
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        assert!(!directory.path().join("harvest.epd").exists());
    }
}

/// A directory with a few short games.
fn games(name: &str, count: usize) -> TempDir {
    let directory = temporary_directory(name);
    let play = format!(
        "datagen --games {count} --positions 100000 --nodes 60 --exit-nodes 60 --threads 1 --out games.vf"
    );
    let played = command()
        .args(play.split(' '))
        .current_dir(directory.path())
        .output()
        .expect("the program starts");
    assert!(played.status.success(), "{}", stderr(&played));
    directory
}

#[test]
fn a_harvest_is_what_shallow_searches_get_wrong_and_deep_ones_right() {
    let directory = games("epd-harvest", 40);
    let harvest = |more: &[&str]| {
        let budgets = "datagen harvest games.vf --depth 1 --nodes 1000 --check-nodes 2000 --margin 1 --hash 1";
        let arguments: Vec<&str> = budgets.split(' ').chain(more.iter().copied()).collect();
        let mut program = command();
        program.args(arguments).current_dir(directory.path());
        program.output().expect("the program starts")
    };
    let to_file = harvest(&["--positions", "3", "--name", "X", "--out", "a.epd"]);
    assert_eq!(to_file.status.code(), Some(0), "{}", stderr(&to_file));
    let text = fs::read_to_string(directory.path().join("a.epd")).expect("the file is there");
    let count = text.lines().count();
    assert!((1..=3).contains(&count), "{text}\n{}", stderr(&to_file));
    assert!(text.contains("id \"X.001\";"), "{text}");
    assert!(stderr(&to_file).contains(&format!("confirmed in {count} of them")));

    let again = harvest(&["--positions", "3", "--name", "X"]);
    assert_eq!(stdout(&again), text, "not repeatable");
    let normalized = epd(&directory, &["normalize", "--problems", "a.epd"]);
    assert_eq!(stdout(&normalized), text, "not canonical");
    for (limit, solved) in [("--depth=1", 0), ("--nodes=2000", count)] {
        let solve = ["a.epd", limit, "--hash=1", "--json", "a.json"];
        assert_eq!(epd(&directory, &solve).status.code(), Some(0));
        let report = json(&directory.path().join("a.json"));
        let positions = report["positions"].as_array().expect("positions").iter();
        let found = positions.filter(|position| position["attempts"][0]["solved"] == true);
        assert_eq!(found.count(), solved, "{limit}: {text}");
    }

    for (arguments, part, code) in [
        (&["--out", "a.epd"][..], "a.epd: ", 2),
        (&["--option", "Frob=1"], "Frob", 2),
        (&["nowhere.vf"], "nowhere.vf: ", 2),
    ] {
        let output = harvest(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    let kept = fs::read_to_string(directory.path().join("a.epd")).expect("the file is there");
    assert_eq!(kept, text, "a file was replaced");
}

#[test]
#[cfg(unix)]
fn a_harvest_ends_when_told_to() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use crate::harness::{PATIENCE, Signal, send_signal};
    let directory = games("epd-harvest-signal", 5);
    let child = command()
        .args("datagen harvest games.vf --nodes 1000000000000 --depth 200 --out a.epd".split(' '))
        .current_dir(directory.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The file is there when the searches begin.
    let end = Instant::now() + PATIENCE;
    while !directory.path().join("a.epd").exists() {
        assert!(Instant::now() < end, "no file");
        std::thread::sleep(Duration::from_millis(2));
    }
    send_signal(&child, Signal::SIGINT);
    let output = child.wait_with_output().expect("the process is ours");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("0 positions searched"));
}
