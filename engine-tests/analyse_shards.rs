//! Runs that are divided into shards and merged again.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use tempfile::TempDir;

use crate::harness::{command, temporary_directory};

/// Games of all kinds: with a broken move, of another variant, without tags, in Latin-1.
fn games() -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0..5 {
        let moves = ["Nc6", "Nf6", "d6"][number % 3];
        let game = format!("[Event \"{number}\"]\n\n1. e4 e5 2. Nf3 {moves} *\n\n");
        text.extend(game.into_bytes());
    }
    text.extend(b"[Event \"c\"]\n[Variant \"Atomic\"]\n\n1. Nf3 e5\n% mine\n2. Nxe5 *\n\n");
    text.extend(b"[Event \"b\"]\n[White \"M\xfcller\"]\n\n1. f3 e5 2. Ke3 Qh4# 0-1\n\n");
    text.extend(b"[Event \"d\"]\n\n1. d4 {[%clk 0:01:00] so} d5 (1... Nf6 2. c4) 1/2-1/2\n\n");
    text.extend(b"1. c4 *\n\n");
    text
}

fn analyse(directory: &TempDir, arguments: &str) -> Output {
    command()
        .arg("analyse")
        .args(arguments.split_whitespace())
        .current_dir(directory.path())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the program, which has to succeed.
fn done(directory: &TempDir, arguments: &str) -> Vec<u8> {
    let output = analyse(directory, arguments);
    let errors = text(&output.stderr);
    // Some games of the tests cannot be read.
    let is_done = matches!(output.status.code(), Some(0 | 3));
    assert!(is_done, "{arguments}: {errors}");
    output.stdout
}

fn read(directory: &TempDir, name: &str) -> Vec<u8> {
    let path: PathBuf = directory.path().join(name);
    fs::read(path).expect("the output")
}

const LIMITS: &str = "--nodes 1000 --hash 1";

#[test]
fn merged_shards_are_the_whole_run() {
    let directory = temporary_directory("analyse-shards");
    fs::write(directory.path().join("games.pgn"), games()).expect("a temporary file");
    let files = |name: &str| {
        format!(
            "--out {name}.pgn --html {name}.html --csv {name}.csv --moves {name}.tsv --json {name}.json"
        )
    };
    for selection in ["", "--first 2 --games 6"] {
        let whole = files("whole").replace("--out", "--overwrite --out");
        done(
            &directory,
            &format!("games.pgn {LIMITS} {selection} {whole}"),
        );
        for shard in 1..=4 {
            let out = format!("--overwrite --out part{shard}.pgn --shard {shard}/4");
            let arguments = format!("games.pgn {LIMITS} {selection} {out}");
            done(&directory, &arguments);
            // A shard that is cut off goes on as a whole run does.
            let part = directory.path().join(format!("part{shard}.pgn"));
            let bytes = fs::read(&part).expect("the part");
            assert!(bytes.starts_with(format!("[Shard \"{shard}/4, game {shard} of ").as_bytes()));
            fs::write(&part, &bytes[..bytes.len() * 2 / 3]).expect("the part");
            done(&directory, &arguments.replace("--overwrite", ""));
            assert!(fs::read(&part).expect("the part") == bytes, "{shard}");
        }
        let parts = "part3.pgn part1.pgn part4.pgn part2.pgn";
        // The page has the name of the file as its title.
        fs::create_dir_all(directory.path().join("merged")).expect("a directory");
        let merged = files("merged/whole").replace("--out", "--overwrite --out");
        done(&directory, &format!("merge {parts} {merged}"));
        for ending in ["pgn", "html", "csv", "tsv", "json"] {
            let [whole, merged] =
                ["whole", "merged/whole"].map(|name| read(&directory, &format!("{name}.{ending}")));
            assert!(whole == merged, "{selection} {ending}");
        }
        assert_eq!(
            done(&directory, &format!("merge {parts}")),
            read(&directory, "whole.pgn")
        );
    }
    // Standard input is divided as well.
    let shard = format!("- {LIMITS} --first 2 --games 6 --shard 2/4");
    let output = command()
        .arg("analyse")
        .args(shard.split(' '))
        .stdin(fs::File::open(directory.path().join("games.pgn")).expect("the games"))
        .output()
        .expect("the program starts");
    assert_eq!(text(&output.stdout), text(&read(&directory, "part2.pgn")));
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let directory = temporary_directory("analyse-parts");
    fs::write(directory.path().join("games.pgn"), games()).expect("a temporary file");
    for (name, options) in [
        ("one", "--shard 1/2"),
        ("two", "--shard 2/2"),
        ("third", "--shard 2/3"),
        ("fewer", "--shard 2/2 --games 4"),
        ("slower", "--shard 2/2 --depth 3"),
        ("all", ""),
    ] {
        let arguments = format!("games.pgn {LIMITS} {options} --out {name}.pgn");
        done(&directory, &arguments);
    }
    for (parts, reason) in [
        ("one.pgn one.pgn", "this file is given twice"),
        (
            "one.pgn third.pgn",
            "it is shard 2/3, which does not go with 1/2",
        ),
        ("one.pgn fewer.pgn", "its run has 4 games, not 9"),
        ("one.pgn slower.pgn", "its limits are "),
        ("all.pgn", "game 1 in it was not written with --shard"),
        (
            "one.pgn two.pgn --out two.pgn",
            "have to be different files",
        ),
        ("nowhere.pgn", "nowhere.pgn: "),
    ] {
        let output = analyse(&directory, &format!("merge {parts}"));
        let errors = text(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(errors.contains(reason), "{parts}: {errors}");
    }
    fs::copy(
        directory.path().join("one.pgn"),
        directory.path().join("copy.pgn"),
    )
    .expect("a copy");
    let output = analyse(&directory, "merge one.pgn copy.pgn");
    assert!(text(&output.stderr).contains("copy.pgn: game 1 is also in a preceding file"));
    // What there is of a run is written, and the rest is reported.
    let output = analyse(&directory, "merge two.pgn");
    let errors = text(&output.stderr);
    assert!(!output.status.success());
    let missing = "5 of 9 games are missing, the first is game 1 of shard 1/2";
    assert!(errors.contains(missing), "{errors}");
    assert_eq!(text(&output.stdout).matches("[Event ").count(), 4);
}

#[test]
fn spaces_in_options_tell_runs_apart() {
    let directory = temporary_directory("analyse-spaces");
    fs::write(directory.path().join("games.pgn"), games()).expect("a temporary file");
    let run = |spaces: &str, shard: &str, out: &str| {
        let option = format!("HashFile=a{spaces}b\tc");
        let output = command()
            .args("analyse games.pgn --nodes 100 --hash 1 --option".split(' '))
            .args([&option, "--shard", shard, "--out", out])
            .current_dir(directory.path())
            .output()
            .expect("the program starts");
        // Some games cannot be read.
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    };
    for part in ["1/2", "1/2", "2/2"] {
        run("  ", part, &part.replace('/', "-"));
    }
    run(" ", "2/2", "other");
    done(&directory, "merge 1-2 2-2");
    let output = analyse(&directory, "merge 1-2 other");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn tables_of_positions_are_divided_and_merged() {
    let directory = temporary_directory("analyse-shards-fens");
    let list = "# a list\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n\
        6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1\n\
        R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1\n\
        4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    fs::write(directory.path().join("list.txt"), list).expect("a temporary file");
    for format in ["csv", "json"] {
        let run = format!("list.txt --fens --format {format} {LIMITS}");
        let whole = done(&directory, &run);
        // The last shard has no position.
        for shard in 1..=5 {
            done(
                &directory,
                &format!("{run} --shard {shard}/5 --overwrite --out part{shard}"),
            );
        }
        let merge = format!("merge --fens --format {format}");
        let merged = done(
            &directory,
            &format!("{merge} part2 part5 part4 part3 part1"),
        );
        assert_eq!(text(&merged), text(&whole));
    }
}

#[test]
fn tables_that_do_not_belong_together_are_refused() {
    let directory = temporary_directory("analyse-parts-fens");
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
    ];
    for (name, list) in [("list.txt", &fens[..]), ("short.txt", &fens[..2])] {
        let list = list.join("\n");
        fs::write(directory.path().join(name), list).expect("a temporary file");
    }
    for format in ["csv", "json"] {
        let merge = format!("merge --fens --format {format}");
        for (name, list, options) in [
            ("one", "list.txt", "--shard 1/2"),
            ("two", "list.txt", "--shard 2/2"),
            ("third", "list.txt", "--shard 2/3"),
            ("fewer", "short.txt", "--shard 2/2"),
            ("slower", "list.txt", "--shard 2/2 --depth 3"),
            ("all", "list.txt", ""),
        ] {
            let run = format!("{list} --fens --format {format} {LIMITS} {options}");
            done(&directory, &format!("{run} --overwrite --out {name}"));
        }
        fs::copy(directory.path().join("one"), directory.path().join("copy")).expect("a copy");
        for (parts, reason) in [
            ("one copy", "copy: position 1 is also in a preceding file"),
            ("one third", "it is shard 2/3, which does not go with 1/2"),
            ("one fewer", "its run has 2 positions, not 3"),
            ("one slower", "its limits are "),
            ("one all", "all: it was not written with --shard"),
            ("one list.txt", "list.txt: "),
        ] {
            let output = analyse(&directory, &format!("{merge} {parts}"));
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{parts}: {errors}");
            assert!(output.stdout.is_empty(), "{parts}");
            assert!(errors.contains(reason), "{parts}: {errors}");
        }
        // What there is of a run is written, and the rest is reported.
        let output = analyse(&directory, &format!("{merge} two"));
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        let missing = "2 of 3 positions are missing, the first is position 1 of shard 1/2";
        assert!(errors.contains(missing), "{errors}");
        let written = text(&output.stdout);
        assert!(
            written.contains(fens[1]) && !written.contains("shard"),
            "{written}"
        );
    }
}

#[test]
fn a_part_can_be_divided_again() {
    let directory = temporary_directory("analyse-part-of-part");
    fs::write(directory.path().join("games.pgn"), games()).expect("a temporary file");
    done(
        &directory,
        &format!("games.pgn {LIMITS} --shard 1/2 --out part.pgn"),
    );
    let arguments = format!("part.pgn {LIMITS} --shard 2/2 --out again.pgn");
    done(&directory, &arguments);
    let again = read(&directory, "again.pgn");
    let places = text(&again);
    let places: Vec<&str> = places
        .lines()
        .filter(|line| line.starts_with("[Shard "))
        .collect();
    assert_eq!(
        places,
        [
            "[Shard \"2/2, game 2 of 5\"]",
            "[Shard \"2/2, game 4 of 5\"]"
        ]
    );
    // It can be continued.
    fs::write(
        directory.path().join("again.pgn"),
        &again[..again.len() - 9],
    )
    .expect("the part");
    done(&directory, &arguments);
    assert_eq!(text(&read(&directory, "again.pgn")), text(&again));
}
