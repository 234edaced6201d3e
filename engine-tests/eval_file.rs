//! Tests of networks from files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::Engine;

/// Returns a network of 32 neurons with weights from a seed.
fn network(seed: u64) -> Vec<u8> {
    scaled_network(seed, 400)
}

/// Returns the same network with another scale, in centipawns.
fn scaled_network(seed: u64, scale: u32) -> Vec<u8> {
    const WEIGHTS: usize = 769 * 32 + 64;
    let weights = (0..WEIGHTS as u64).flat_map(|index| {
        let bits = (index + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (i16::try_from(bits % 129).expect("small") - 64).to_le_bytes()
    });
    // The bias of the output, then its unit.
    let payload: Vec<u8> = weights.chain([0; 4]).chain(64_u32.to_le_bytes()).collect();
    let mut bytes = quevedo::eval::nnue::MAGIC.to_vec();
    for number in [32_u32, 1, 1, 0, 255, scale] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(quevedo::eval::nnue::checksum(&payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// Returns the values that `eval` prints for several positions, because two evaluations may agree
/// on one.
fn evaluation(engine: &mut Engine) -> Vec<String> {
    let moves = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4"];
    let evaluate = |count| {
        let moves = moves[..count].join(" ");
        engine.send(&format!("position startpos moves {moves}\neval\nisready"));
        let lines = engine.read_to("readyok");
        let line = lines.iter().find(|line| line.starts_with("Evaluation:"));
        line.expect("an evaluation").clone()
    };
    (1..=moves.len()).map(evaluate).collect()
}

#[test]
fn networks_and_rules_are_used_and_the_network_of_the_program_comes_back() {
    let mut engine = Engine::new();
    let ours = evaluation(&mut engine);
    engine.send("setoption name EvalFile value hand-written");
    let rules = evaluation(&mut engine);
    assert_ne!(rules, ours);
    engine.send("go nodes 1000");
    engine.read_to("bestmove");
    let mut seen = vec![ours.clone(), rules];
    for seed in [1, 1000] {
        let path = write(&format!("{seed}.nnue"), &network(seed));
        engine.send(&format!("setoption name EvalFile value {}", path.display()));
        let theirs = evaluation(&mut engine);
        assert!(!seen.contains(&theirs), "{seen:?}");
        seen.push(theirs);
        engine.send("go nodes 1000");
        engine.read_to("bestmove");
    }
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(evaluation(&mut engine), ours);
    engine.send("go nodes 1000");
    engine.read_to("bestmove");
    engine.quit();
}

#[test]
fn a_network_with_the_same_weights_and_another_scale_is_another_one() {
    let mut engine = Engine::new();
    let [one, other] = [400, 200].map(|scale| {
        let path = write(&format!("scale-{scale}.nnue"), &scaled_network(5, scale));
        engine.send(&format!("setoption name EvalFile value {}", path.display()));
        evaluation(&mut engine)
    });
    assert_ne!(one, other);
    // A hash table of the one is not for the other.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale.hash");
    let _ = fs::remove_file(&file);
    engine.send(&format!("setoption name HashFile value {}", file.display()));
    engine.send("setoption name Save Hash");
    let scale_400 = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale-400.nnue");
    for (network, answer) in [
        (None, "loaded a hash table"),
        (Some(scale_400), "another evaluation"),
    ] {
        if let Some(path) = network {
            engine.send(&format!("setoption name EvalFile value {}", path.display()));
        }
        engine.send("setoption name Load Hash\nisready");
        let lines = engine.read_to("readyok");
        assert!(lines.iter().any(|line| line.contains(answer)), "{lines:?}");
    }
    engine.quit();
}

#[test]
fn a_wrong_file_is_refused_with_a_reason_and_nothing_changes() {
    let good = network(3);
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
            "bytes, but the header implies",
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
                && line.contains("keeping the old evaluation")),
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
    let path = write("threads.nnue", &network(4));
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
    let last = lines.iter().rfind(|line| line.starts_with("info depth"));
    assert!(
        last.is_some_and(|line| line.contains("info depth 8 ")),
        "{lines:?}"
    );
    engine.quit();
}
