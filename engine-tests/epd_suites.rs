//! The suites of the repository, and those of the test data, which are not part of it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::epd::{directory, epd, stderr, stdout, suite};

#[test]
fn the_suites_are_canonical() {
    let directory = directory("epd-canonical");
    for (name, positions) in [
        ("wac.epd", 300),
        ("bratko-kopec.epd", 24),
        ("kaufman.epd", 25),
        ("silent-but-deadly.epd", 134),
        ("lct2.epd", 35),
        ("sts.epd", 1_500),
        ("eet.epd", 100),
        ("zugzwang.epd", 37),
        ("mates.epd", 280),
        ("quevedo.epd", 60),
    ] {
        let path = suite(name);
        let output = epd(&directory, &["normalize", "--problems", &path]);
        assert_eq!(stderr(&output), "", "{name}");
        let text = stdout(&output);
        assert_eq!(text.lines().count(), positions, "{name}");
        assert!(
            text == fs::read_to_string(path).expect("the file is there"),
            "{name}"
        );
    }
}

/// The lines of a file of the test data that are read, and those that are not.
fn read(directory: &TempDir, path: &Path) -> (usize, Vec<usize>) {
    let output = epd(directory, &["normalize", &path.display().to_string()]);
    assert!(matches!(output.status.code(), Some(0 | 3)));
    let prefix = format!("{}:", path.display());
    let refused = stderr(&output)
        .lines()
        .map(|line| {
            let rest = line
                .strip_prefix(&prefix)
                .unwrap_or_else(|| panic!("{line}"));
            let number = rest.split(':').next().expect("a number");
            number.parse().unwrap_or_else(|_| panic!("{line}"))
        })
        .collect();
    (stdout(&output).lines().count(), refused)
}

fn test_data() -> PathBuf {
    let data = std::env::var_os("QUEVEDO_TEST_DATA")
        .expect("QUEVEDO_TEST_DATA names the directory with test data");
    Path::new(&data).join("epd")
}

#[test]
#[ignore = "needs test data"]
fn every_legal_line_is_read_with_test_data() {
    let directory = directory("epd-data");
    // A file, the lines that are read, and those that are not: each has been looked at.
    for (file, lines, refused) in [
        ("arasan2024.epd", 200, &[][..]),
        ("bratko-kopec.epd", 24, &[]),
        // An illegal best move, a pawn on the eighth rank, two kings of one colour.
        ("broken-crafty-test.epd", 344, &[61, 90, 255]),
        ("classic280.epd", 280, &[]),
        ("eet.epd", 100, &[]),
        ("endgame-wdl-dtz.epd", 200, &[]),
        ("fortress.epd", 169, &[]),
        // The side that has moved is in check.
        ("grief-causers_whittington.epd", 10, &[3, 4]),
        ("kaufman.epd", 25, &[]),
        ("lct2.epd", 35, &[]),
        ("mate_in_2_pychess.pgn", 166, &[]),
        // Some names stand in quotes of their own, inside of the tag's.
        ("mate_in_3_pychess.pgn", 375, &[]),
        ("mates2000.epd", 2_000, &[]),
        ("nolot.epd", 11, &[]),
        ("nul-bytes-nolot.epd", 11, &[]),
        ("see.epd", 71, &[]),
        ("silent-but-deadly.epd", 134, &[]),
        ("sts.epd", 1_500, &[]),
        ("wac-unquoted-ids.epd", 300, &[]),
        ("wac.epd", 300, &[]),
        // The rest of a comment that was broken over two lines.
        ("zugzwang-allgeuer.epd", 37, &[7]),
    ] {
        let (read, found) = read(&directory, &test_data().join(file));
        assert_eq!((read, found.as_slice()), (lines, refused), "{file}");
    }
    // Lines made to be refused: opposite checks, rows of nine squares, three kings and the like.
    // The last sixteen of the file, and the first ones, are legal.
    for file in [
        "destruction-test_whittington.epd",
        "destructive_whittington.epd",
    ] {
        let (read, refused) = read(&directory, &test_data().join(file));
        assert_eq!((read, refused.len()), (33, 73), "{file}");
    }
}

#[test]
#[ignore = "needs test data"]
fn normalizing_twice_changes_nothing_with_test_data() {
    let directory = directory("epd-fixed-point");
    for entry in fs::read_dir(test_data()).expect("the directory is there") {
        let path = entry.expect("an entry").path();
        let once = epd(&directory, &["normalize", &path.display().to_string()]);
        fs::write(directory.path().join("once.epd"), &once.stdout).expect("a temporary file");
        let twice = epd(&directory, &["normalize", "once.epd"]);
        assert_eq!(stdout(&once), stdout(&twice), "{}", path.display());
        assert_eq!(stderr(&twice), "", "{}", path.display());
    }
}
