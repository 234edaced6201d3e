//! Tests of the opening book in a game.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use quevedo::book::entry::{BookEntry, move_code};
use quevedo::book::key;
use quevedo::position::Position;
use quevedo::position::notation::parse_uci;
use tempfile::TempDir;

use crate::harness::{Engine, command, temporary_directory};

/// Writes a book with these moves of the initial position.
fn write_book(directory: &TempDir, name: &str, moves: &[(&str, u16)]) -> String {
    let start = Position::initial();
    let bytes: Vec<u8> = moves
        .iter()
        .flat_map(|&(m, weight)| {
            let entry = BookEntry {
                key: key(&start),
                code: move_code(parse_uci(&start, m).expect("a legal move")),
                weight,
                learn: 0,
            };
            entry.to_bytes()
        })
        .collect();
    let path = directory.path().join(name);
    fs::write(&path, bytes).expect("a book is written");
    path.display().to_string()
}

/// Returns the move, and true if it came from the book.
fn go(engine: &mut Engine, go: &str) -> (String, bool) {
    engine.send(go);
    let lines = engine.read_to("bestmove");
    let from_book = lines
        .iter()
        .any(|line| line.starts_with("info string book move"));
    let searched = lines.iter().any(|line| line.starts_with("info depth"));
    assert_ne!(from_book, searched, "{lines:?}");
    let words: Vec<&str> = lines.last().expect("a line").split_whitespace().collect();
    (words[1].to_owned(), from_book)
}

#[test]
fn book_moves_are_played_where_they_are_wanted() {
    let directory = temporary_directory("own book");
    let book = write_book(&directory, "my book.bin", &[("h2h4", 9), ("a2a4", 8)]);
    let mut engine = Engine::new();
    engine.send(&format!("setoption name BookFile value {book}"));
    assert!(!go(&mut engine, "go depth 2").1, "OwnBook is off");
    engine.send("setoption name OwnBook value true\nsetoption name BookVariety value 0");
    let h4 = ("h2h4".to_owned(), true);
    for limits in ["depth 2", "movetime 50", "nodes 9", "wtime 1 btime 1", ""] {
        assert_eq!(go(&mut engine, &format!("go {limits}")), h4, "{limits}");
    }
    let a4 = ("a2a4".to_owned(), true);
    assert_eq!(go(&mut engine, "go depth 2 searchmoves a2a4 e2e4"), a4);
    let e4 = ("e2e4".to_owned(), false);
    assert_eq!(go(&mut engine, "go depth 2 searchmoves e2e4"), e4);
    assert!(!go(&mut engine, "go mate 1 depth 2").1);
    engine.send("setoption name UCI_AnalyseMode value true");
    assert!(!go(&mut engine, "go depth 2").1);
    engine.send("setoption name UCI_AnalyseMode value false\nsetoption name BookDepth value 0");
    assert!(!go(&mut engine, "go depth 2").1);
    engine.send("setoption name BookDepth value 1\nposition startpos moves e2e4");
    assert!(!go(&mut engine, "go depth 2").1, "out of the book");
    engine.quit();
}

#[test]
fn analysis_and_pondering_do_without_the_book() {
    let mut engine = Engine::new();
    engine.send("setoption name OwnBook value true\nposition startpos");
    assert!(go(&mut engine, "go depth 1").1, "the embedded book");
    for (limits, end) in [
        ("infinite", "stop"),
        ("ponder wtime 100 btime 100", "ponderhit"),
        ("ponder", "stop"),
    ] {
        engine.send(&format!("go {limits}"));
        let lines = engine.read_to("info depth 2 ");
        engine.send(end);
        let rest = engine.read_to("bestmove");
        let mut all = lines.iter().chain(&rest);
        assert!(!all.any(|line| line.contains("book move")), "{limits}");
    }
    engine.quit();
}

#[test]
fn a_wrong_book_changes_nothing() {
    let directory = temporary_directory("wrong book");
    let good = write_book(&directory, "good.bin", &[("h2h4", 1)]);
    let odd = directory.path().join("odd.bin");
    fs::write(&odd, [1; 17]).expect("it is written");
    let empty = directory.path().join("empty.bin");
    fs::write(&empty, []).expect("it is written");
    let mut engine = Engine::new();
    engine.send(&format!(
        "setoption name OwnBook value true\nsetoption name BookFile value {good}"
    ));
    let said = engine.ready();
    assert!(
        said.iter()
            .any(|line| line.contains("good.bin: 1 entry for 1 position")),
        "{said:?}"
    );
    for (path, reason) in [
        (
            odd.display().to_string(),
            "17 bytes are not a multiple of 16",
        ),
        (empty.display().to_string(), "the file is empty"),
        (directory.path().display().to_string(), "not a file"),
        ("/nowhere/book.bin".to_owned(), ""),
    ] {
        engine.send(&format!("setoption name BookFile value {path}"));
        let said = engine.ready();
        let errors: Vec<&String> = said
            .iter()
            .filter(|line| line.starts_with("info string error: option BookFile: "))
            .collect();
        assert_eq!(errors.len(), 1, "{said:?}");
        assert!(errors[0].contains(reason), "{said:?}");
        assert!(errors[0].ends_with("keeping the old book"), "{said:?}");
        assert_eq!(go(&mut engine, "go depth 1").0, "h2h4");
    }
    engine.send("setoption name BookFile value <empty>\nsetoption name BookVariety value 0");
    assert_ne!(go(&mut engine, "go depth 1").0, "h2h4");
    engine.quit();
}

#[test]
fn an_illegal_entry_is_never_played() {
    let directory = temporary_directory("illegal entry");
    let book = write_book(&directory, "book.bin", &[("h2h4", 1)]);
    let mut bytes = fs::read(&book).expect("the book is there");
    // The illegal move e2e5, with the maximum weight.
    bytes.extend(bytes.clone());
    bytes[8..12].copy_from_slice(&[0o1444_u16.to_be_bytes(), [0xff, 0xff]].concat());
    fs::write(&book, &bytes).expect("it is written");
    let mut engine = Engine::new();
    engine.send(&format!(
        "setoption name OwnBook value true\nsetoption name BookFile value {book}"
    ));
    for _ in 0..20 {
        assert_eq!(go(&mut engine, "go depth 1"), ("h2h4".to_owned(), true));
    }
    bytes.truncate(16);
    fs::write(&book, &bytes).expect("it is written");
    engine.send(&format!("setoption name BookFile value {book}"));
    assert!(!go(&mut engine, "go depth 2").1);
    engine.quit();
}

#[test]
fn a_seed_makes_games_repeatable() {
    let play = |seed: u32| {
        let mut engine = Engine::new();
        engine.send(&format!(
            "setoption name OwnBook value true\nsetoption name BookSeed value {seed}"
        ));
        let mut moves = String::new();
        for _ in 0..6 {
            engine.send(&format!("position startpos moves{moves}"));
            let (m, from_book) = go(&mut engine, "go depth 1");
            if !from_book {
                break;
            }
            moves.push_str(&format!(" {m}"));
        }
        engine.quit();
        moves
    };
    let games: Vec<String> = (1..=6).map(play).collect();
    assert_eq!(games[0], play(1));
    assert!(games.iter().any(|game| *game != games[0]), "{games:?}");
}

/// The command in `book/README.md` builds the embedded book again, bit for bit. All scores are
/// known, so that nothing is searched.
#[test]
fn the_default_book_is_made_by_its_command() {
    let directory = temporary_directory("default book");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/book/");
    let file = |name: &str| format!("{folder}{name}");
    let readme = fs::read_to_string(file("README.md")).expect("the page is there");
    let line = readme
        .lines()
        .find_map(|line| line.strip_prefix("    cargo run --release -- "))
        .expect("the command");
    let scores = directory.path().join("scores.epd");
    fs::copy(file("scores.epd"), &scores).expect("the scores are there");
    let out = directory.path().join("default.bin");
    let arguments = line.split(' ').map(|word| match word {
        "book/scores.epd" => scores.display().to_string(),
        "book/default.bin" => out.display().to_string(),
        word => word.replacen("book/", folder, 1),
    });
    let output = command().args(arguments).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let made = fs::read(&out).expect("a book is written");
    let carried = fs::read(file("default.bin")).expect("the book is there");
    assert!(made == carried, "another book came out; {said}");
    let kept = fs::read(&scores).expect("the scores are there");
    let expected = fs::read(file("scores.epd")).expect("the scores are there");
    assert!(kept == expected, "some positions had no score");
}

#[test]
fn the_shell_shows_books() {
    let run = |arguments: &str| {
        let output = command()
            .args(arguments.split_whitespace())
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (output.status.success(), text)
    };
    let (good, text) = run("book info");
    assert!(good && text.contains("the embedded book: "), "{text}");
    let (good, text) = run("book probe --moves e4 c5");
    assert!(good && text.contains(" g1f3 "), "{text}");
    let (good, text) = run("book dump");
    assert!(good && text.contains("\te2e4\t"), "{text}");
    let (good, text) = run("book verify");
    assert!(good && text.contains(" 0 faults"), "{text}");
    let (good, text) = run("book leaves");
    assert!(good && text.contains(" leaves\n"), "{text}");
    // Files that cannot be written, or would replace each other, are found before the searches.
    for files in ["--out missing/x.bin", "--out x.bin --scores x.bin"] {
        let (good, text) = run(&format!("book eval {files} --nodes 1 book/default.bin"));
        let is_told = text.contains("x.bin: ") && !text.contains("searched");
        assert!(!good && is_told, "{text}");
    }
    let (good, text) = run("book info README.md");
    assert!(
        !good && text.starts_with("quevedo: README.md: not a"),
        "{text}"
    );
}

#[test]
fn castling_in_steps_is_merged_with_king_takes_rook() {
    let directory = temporary_directory("merged books");
    // After 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 White can castle.
    let line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
    let mut position = Position::initial();
    let mut entries = Vec::new();
    for m in line {
        let m = parse_uci(&position, m).expect("a legal move");
        entries.push((key(&position), move_code(m), 1));
        position = position.play(m);
    }
    let rook = move_code(parse_uci(&position, "e1g1").expect("a legal move"));
    let steps = 4 << 6 | 6;
    assert_ne!(rook, steps);
    let castling_key = key(&position);
    let write = |name: &str, code, weight| {
        let castling = [(castling_key, code, weight)];
        let bytes: Vec<u8> = entries
            .iter()
            .chain(&castling)
            .flat_map(|&(key, code, weight)| {
                let learn = 0;
                BookEntry {
                    key,
                    code,
                    weight,
                    learn,
                }
                .to_bytes()
            })
            .collect();
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("a book is written");
        path
    };
    let (rook_takes, two_steps) = (write("a.bin", rook, 30), write("b.bin", steps, 12));
    let merged = directory.path().join("merged.bin");
    let status = command()
        .args(["book", "merge"])
        .args([&rook_takes, &two_steps])
        .arg("--out")
        .arg(&merged)
        .status();
    assert!(status.expect("the program starts").success());
    let bytes = fs::read(&merged).expect("the book is there");
    let (entries, _) = bytes.as_chunks();
    let entries = entries.iter().map(BookEntry::from_bytes);
    let castling: Vec<_> = entries.filter(|entry| entry.key == castling_key).collect();
    assert_eq!(castling.len(), 1);
    assert_eq!((castling[0].code, castling[0].weight), (rook, 42));
}

#[test]
fn a_probe_answers_before_the_next_question() {
    let mut child = command()
        .args(["book", "probe", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut questions = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped"));
    for _ in 0..2 {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        writeln!(questions, "{fen}").expect("it reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("it answers");
        assert!(answer.contains("e2e4 "), "{answer}");
    }
    drop(questions);
    assert!(child.wait().expect("the process is ours").success());
}

#[test]
fn chess960_writes_castling_as_king_takes_rook_from_the_initial_position_too() {
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6".split(' ');
    let probe = |option: Option<&str>| {
        let mut command = command();
        command.args(["book", "probe"]).args(option).arg("--moves");
        let output = command
            .args(moves.clone())
            .output()
            .expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(probe(None).contains("e1g1"), "{}", probe(None));
    let text = probe(Some("--chess960"));
    assert!(text.contains("e1h1") && !text.contains("e1g1"), "{text}");
}
