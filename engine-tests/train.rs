//! Tests the commands of `src/train/README.md`, from no games to a network.

use std::path::Path;

use quevedo::eval::nnue::Network;

use crate::harness::{command, temporary_directory};

/// Runs a sub-command. Returns whether it succeeded, and its output.
fn run(words: &str, paths: &[&Path]) -> (bool, String) {
    let output = command()
        .args(words.split(' '))
        .args(paths)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.success(), text)
}

#[test]
fn games_become_a_network() {
    let directory = temporary_directory("train");
    // The folder does not exist yet.
    let games = directory.path().join("games");
    let (good, text) = run(
        "datagen --positions 1500 --nodes 30 --exit-nodes 30 --threads 2 --out",
        &[&games.join("1.vf")],
    );
    assert!(good, "{text}");
    let out = directory.path().join("net");
    let (good, text) = run(
        "train --hidden 64 --buckets 2 --king-buckets 8 --marks --factoriser --scale 195 --lambda 0.9 \
         --distill 0.5 --average 0.99 --batch 128 --superbatch 1000 --superbatches 2 --threads 2 --out",
        &[&out, &games],
    );
    assert!(good, "{text}");
    let bytes = std::fs::read(out.join("network.nnue")).expect("a network");
    let network = Network::parse(&bytes).expect("a network that the engine reads");
    assert_eq!((network.width(), network.buckets()), (64, 2));

    // While one run has the folder, another is kept out of it.
    let lock = std::fs::File::create(out.join(".lock")).expect("a file");
    lock.try_lock().expect("nobody has the folder");
    let (good, text) = run("train --resume --out", &[&out, &games]);
    assert!(
        !good && text.contains("another run writes to this folder"),
        "{text}"
    );
    drop(lock);

    // It resumes with its original settings, including those that select positions.
    let (good, text) = run("train --resume --out", &[&out, &games]);
    assert!(good && text.contains("done"), "{text}");
    let (good, text) = run("train --resume --superbatches 3 --out", &[&out, &games]);
    assert!(!good && text.contains("cannot be used with"), "{text}");
    let (good, text) = run("train --out", &[&out, &games]);
    assert!(!good && text.contains("already contains a run"), "{text}");
    let other = directory.path().join("other");
    let (good, text) = run("train --out", &[&other, &out.join("loss.csv")]);
    assert!(!good && text.contains("loss.csv: no game found"), "{text}");
    // A folder that cannot be written to is noticed before the games are read.
    let under_a_file = out.join("loss.csv/net");
    let (good, text) = run("train --out", &[&under_a_file, &games]);
    assert!(!good && text.contains("loss.csv/net: "), "{text}");
    assert!(!text.contains("games"), "{text}");
}
