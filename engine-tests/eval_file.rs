//! Networks from files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::Engine;

/// The network in the program.
const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/nnue/quevedo.nnue");

/// Where the first layer's weights begin, and where the checksum of all weights stands.
const WEIGHTS: usize = 44;
const CHECKSUM: std::ops::Range<usize> = 36..44;

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// The embedded network with other weights.
fn altered() -> Vec<u8> {
    let mut bytes = fs::read(EMBEDDED).expect("the network");
    for weight in bytes[WEIGHTS..].iter_mut().step_by(2) {
        *weight ^= 1;
    }
    let checksum = quevedo::eval::nnue::checksum(&bytes[WEIGHTS..]);
    bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The last line of the answer to `eval` that is about the network.
fn evaluation(engine: &mut Engine) -> String {
    engine.send("eval\nisready");
    let lines = engine.read_to("readyok");
    let line = lines.iter().find(|line| line.starts_with("Evaluation:"));
    line.expect("an evaluation").clone()
}

#[test]
fn another_network_is_used_and_the_embedded_one_comes_back() {
    let path = write("another.nnue", &altered());

    let mut engine = Engine::new();
    let ours = evaluation(&mut engine);
    engine.send(&format!("setoption name EvalFile value {}", path.display()));
    let theirs = evaluation(&mut engine);
    assert_ne!(ours, theirs);
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(evaluation(&mut engine), ours);
    engine.send("go nodes 1000");
    engine.read_to("bestmove");
    engine.quit();
}

#[test]
fn a_wrong_file_is_refused_with_a_reason_and_the_old_network_stays() {
    let good = fs::read(EMBEDDED).expect("the network");
    let mut damaged = good.clone();
    damaged[1000] ^= 4;
    let mut engine = Engine::new();
    let before = evaluation(&mut engine);
    for (name, bytes, reason) in [
        (
            "text.nnue",
            b"This is no network.".as_slice(),
            "not a Quevedo network",
        ),
        (
            "cut.nnue",
            &good[..good.len() / 2],
            "bytes, but its header asks for",
        ),
        ("damaged.nnue", &damaged, "damaged"),
    ] {
        let path = write(name, bytes);
        engine.send(&format!(
            "setoption name EvalFile value {}\nisready",
            path.display()
        ));
        let lines = engine.read_to("readyok");
        assert!(
            lines.iter().any(|line| line.contains(reason)
                && line.contains(name)
                && line.contains("the old network is kept")),
            "{lines:?}"
        );
        assert_eq!(evaluation(&mut engine), before);
    }
    engine.send("setoption name EvalFile value /no/such/file\nisready");
    let lines = engine.read_to("readyok");
    assert!(lines.iter().any(|line| line.contains("/no/such/file")));
    engine.quit();
}

#[test]
fn all_threads_follow_a_change_of_network() {
    let path = write("threads.nnue", &altered());
    let mut engine = Engine::new();
    engine.send(&format!(
        "setoption name Threads value 3\nsetoption name EvalFile value {}\ngo depth 8",
        path.display()
    ));
    let lines = engine.read_to("bestmove");
    assert!(
        !lines.iter().any(|line| line.contains("error")),
        "{lines:?}"
    );
    engine.quit();
}
