//! The Windows program under wine: what differs from Linux. `windows.sh` builds it and runs these
//! tests; the others that talk to a process run with it as well.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{Engine, PATIENCE, command};

/// Runs the program with these arguments.
fn run(args: &[&str]) -> Output {
    let output = command().args(args).stdin(Stdio::null()).output();
    output.expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Writes the path as Windows does, on the drive that wine gives to the root.
fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', "\\")
}

/// Sets an option and returns the message.
fn set(engine: &mut Engine, name: &str, value: &[u8]) -> String {
    let line = [
        b"setoption name ",
        name.as_bytes(),
        b" value ",
        value,
        b"\r\n",
    ];
    engine.send_bytes(&line.concat());
    engine.ready().concat()
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn bench_has_the_nodes_of_linux_with_wine() {
    let nodes = |output: Output| {
        let text = stdout(&output);
        let last = text.lines().last().expect("a line").to_owned();
        last.split(' ').next().expect("a number").to_owned()
    };
    let linux = Command::new(env!("CARGO_BIN_EXE_quevedo"))
        .args(["bench", "6"])
        .output();
    assert_eq!(nodes(run(&["bench", "6"])), nodes(linux.expect("it runs")));
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn a_killed_gui_takes_the_engine_along_with_wine() {
    // Both ends of both pipes are closed at once, as the system closes those of a killed process.
    let mut child = command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"go infinite\r\n").expect("open");
    std::thread::sleep(Duration::from_millis(500));
    drop((input, child.stdout.take()));
    let end = Instant::now() + PATIENCE;
    while child.try_wait().expect("ours").is_none() {
        assert!(Instant::now() < end, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn paths_have_drives_spaces_and_umlauts_with_wine() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("Échecs für alle");
    fs::create_dir(&folder).expect("a folder");
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/book/default.bin");
    fs::copy(book, folder.join("Mein Büchlein.bin")).expect("a book");
    let path = windows_path(&folder.join("Mein Büchlein.bin"));
    let mut engine = Engine::new();
    // A GUI may send UTF-8 or the system's code page, which is Windows-1252 in the west.
    let ansi: Vec<u8> = path.chars().map(|c| u32::from(c) as u8).collect();
    for value in [path.as_bytes(), path.replace('\\', "/").as_bytes(), &ansi] {
        let message = set(&mut engine, "BookFile", value);
        assert!(message.contains("Mein Büchlein.bin: "), "{message}");
        assert!(!message.contains("error"), "{message}");
    }
    let message = set(&mut engine, "BookFile", b"Z:\\nowhere\\book.bin");
    assert!(message.contains("keeping the old book"), "{message}");
    let log = windows_path(&folder.join("log ü.txt"));
    set(&mut engine, "Debug Log File", log.as_bytes());
    engine.ready();
    engine.quit();
    let log = fs::read_to_string(folder.join("log ü.txt")).expect("a log");
    assert!(log.contains("> isready"), "{log}");
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn tablebases_are_found_with_wine() {
    let data = std::env::var("QUEVEDO_TEST_DATA").unwrap_or_default();
    let from = Path::new(&data).join("syzygy/3-4-men");
    if !from.is_dir() {
        eprintln!("left out: QUEVEDO_TEST_DATA names no data");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two] = ["drei Männer", "tables 2"].map(|name| folder.path().join(name));
    for (to, name) in [(&one, "KQvK"), (&two, "KRvK")] {
        fs::create_dir(to).expect("a folder");
        for extension in ["rtbw", "rtbz"] {
            let file = format!("{name}.{extension}");
            fs::copy(from.join(&file), to.join(&file)).expect("a table");
        }
    }
    let [one, two] = [one, two].map(|path| windows_path(&path));
    let mut engine = Engine::new();
    for list in [
        format!("{one};{two}"),
        format!("{one}\\;{two}\\"),
        format!(" {one} ; {two} ").replace('\\', "/"),
    ] {
        let message = set(&mut engine, "SyzygyPath", list.as_bytes());
        assert!(
            message.contains("2 WDL") && message.contains("2 DTZ"),
            "{list}: {message}"
        );
    }
    engine.send("position fen 8/8/8/8/8/2k5/8/K6R w - - 0 1\ngo depth 5");
    let lines = engine.read_to("bestmove");
    assert!(
        lines
            .iter()
            .any(|line| !line.contains("tbhits 0 ") && line.contains("tbhits"))
    );
    engine.quit();
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn a_book_is_merged_onto_its_own_input_with_wine() {
    let folder = tempfile::tempdir().expect("a folder");
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/book/default.bin");
    let [one, two] = ["one.bin", "zwei ü.bin"].map(|name| folder.path().join(name));
    for path in [&one, &two] {
        fs::copy(default, path).expect("a book");
    }
    let [path, other] = [&one, &two].map(|path| windows_path(path));
    let output = run(&["book", "merge", &path, &other, "--out", &path]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let merged = fs::read(&one).expect("the book");
    assert_eq!(
        merged.len() as u64,
        fs::metadata(default).expect("a book").len()
    );
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 2, "a temporary file is left");
}

#[test]
#[ignore = "needs the Windows program and wine"]
fn a_suite_is_solved_by_another_process_with_wine() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = folder.path().join("suite.epd");
    fs::write(
        &suite,
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"one\";\r\n",
    )
    .expect("a suite");
    let exe = std::env::var("QUEVEDO_WINDOWS_EXE").expect("the program");
    let engine = format!("'{}'", windows_path(Path::new(&exe)));
    let output = run(&[
        "epd",
        &windows_path(&suite),
        "--engine",
        &engine,
        "--depth",
        "3",
    ]);
    let text = stdout(&output);
    assert!(
        output.status.success() && text.contains("100.0 %"),
        "{text}"
    );
}
