//! Tests of what is done with the files of games.

use std::fs;

use tempfile::tempdir;

use super::super::format::{self, GameResult, RecordedGame, ScoredMove};
use super::super::run_file::record_path;
use super::super::*;
use super::{args, games, run_quickly, verify};
use crate::position::notation::{parse_fen, parse_uci};
use crate::score::Score;
use crate::tools::kit::args::EvalFileArg;
use crate::tools::kit::files::open_locked;
use crate::tools::kit::interrupt::Interrupt;
use crate::train::records;

#[test]
fn faults_are_found_and_placed() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("data");
    run_quickly(&path, "--games 3 --threads 1");
    let whole = fs::read(&path).unwrap();
    let second = games(&path)[0].len();
    let fault = |at: usize, values: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + values.len()].copy_from_slice(values);
        fs::write(&path, bytes).unwrap();
        verify(&path).unwrap_err().to_string()
    };
    let move_two = second + format::HEADER_BYTES + format::PAIR_BYTES;
    for (text, part) in [
        (fault(second + 30, &[3]), format!("byte {second}: game 2: ")),
        (
            fault(second + 8, &[0x77]),
            format!("byte {second}: game 2: "),
        ),
        (
            // The move e1e1.
            fault(move_two, &[4, 1]),
            format!("byte {move_two}: game 2: move 2: "),
        ),
    ] {
        assert!(text.contains(&part), "{text}");
    }
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(matches!(verify(&path), Err(DatagenError::Cut { .. })));
    // A stalemate whose result is a win.
    let start = parse_fen("7k/4Q3/6K1/8/8/8/8/8 w - - 0 1", false).unwrap();
    let m = parse_uci(&start.position, "e7f7").unwrap();
    let mut game = RecordedGame {
        start: start.position,
        result: GameResult::White,
        expected: None,
        moves: vec![ScoredMove::new(m, Score::DRAW)],
    };
    assert_eq!(game.verify(), Err(GameError::Result("stalemate")));
    game.result = GameResult::Draw;
    assert_eq!(game.verify(), Ok(()));
}

#[test]
fn neighbours_are_labelled_and_a_broken_run_goes_on() {
    let directory = tempdir().unwrap();
    let [file, labels] = ["games.vf", "games.labels"].map(|name| directory.path().join(name));
    run_quickly(&file, "--games 4 --seed 1");
    let args = |neighbours| label::LabelArgs {
        games: file.clone(),
        neighbours,
        depth: 1,
        hash: 1,
        threads: Some(2),
        network: args(&file, "").recipe.network,
    };
    let run = |neighbours| label::label(&args(neighbours), &Interrupt::default());
    run(2).unwrap();
    let whole = fs::read(&labels).unwrap();
    let positions: usize = games(&file)
        .iter()
        .map(|game| reader::move_count(game))
        .sum();
    assert_eq!(whole.len(), positions * 3 * 2);
    let (numbers, _) = whole.as_chunks::<2>();
    let numbers: Vec<i16> = numbers.iter().copied().map(i16::from_le_bytes).collect();
    assert!(numbers.chunks(3).all(|labels| labels[0] == i16::MIN));
    let known = numbers.iter().filter(|label| **label != i16::MIN);
    assert!(known.clone().all(|label| label.abs() <= 2000));
    assert!(known.count() > positions / 2);
    // Labelled again, nothing changes, and labels that were cut off are the same again.
    run(2).unwrap();
    assert_eq!(fs::read(&labels).unwrap(), whole);
    fs::write(&labels, &whole[..whole.len() / 2 + 1]).unwrap();
    run(2).unwrap();
    assert_eq!(fs::read(&labels).unwrap(), whole);
    // Labels that were made in another way are left as they are: also the first of more neighbours,
    // those of another depth, and those of another program.
    let refused = |outcome: Result<(), DatagenError>| {
        assert!(matches!(outcome, Err(DatagenError::OtherLabels { .. })));
        assert_eq!(fs::read(&labels).unwrap(), whole);
    };
    refused(run(1));
    refused(run(3));
    let deeper = label::LabelArgs {
        depth: 2,
        ..args(2)
    };
    refused(label::label(&deeper, &Interrupt::default()));
    let all = fs::read(&file).unwrap();
    run_quickly(&directory.path().join("other.vf"), "--games 4 --seed 2");
    fs::copy(directory.path().join("other.vf"), &file).unwrap();
    refused(run(2));
    fs::write(&file, all).unwrap();
    assert!(matches!(run(101), Err(DatagenError::Setting(_))));
    let record = fs::read(record_path(&labels)).unwrap();
    fs::remove_file(record_path(&labels)).unwrap();
    refused(run(2));
    fs::write(record_path(&labels), record).unwrap();
    let in_use = open_locked(&labels).unwrap();
    assert!(matches!(
        run(2),
        Err(DatagenError::Tool(ToolError::InUse(_)))
    ));
    drop(in_use);
    // A run that ends before it begins writes nothing.
    fs::remove_file(&labels).unwrap();
    let interrupt = Interrupt::default();
    interrupt.set();
    label::label(&args(2), &interrupt).unwrap();
    assert!(fs::read(&labels).unwrap().is_empty());
}

#[test]
fn games_are_packed_into_records() {
    let directory = tempdir().unwrap();
    let [file, packed] = ["games", "packed"].map(|name| directory.path().join(name));
    run_quickly(&file, "--games 4 --seed 1");
    let with_network = |lambda, eval_file: &str| files::PackArgs {
        games: file.clone(),
        out: packed.clone(),
        lambda,
        scale: 195,
        neighbours: 2,
        network: EvalFileArg {
            eval_file: eval_file.to_owned(),
        },
    };
    let args = |lambda| with_network(lambda, "");
    assert!(files::pack(&args(2.0)).is_err() && !packed.exists());
    files::pack(&args(0.5)).unwrap();
    let records = fs::read(&packed).unwrap();
    let (records, rest) = records.as_chunks::<{ records::BYTES }>();
    let positions = records.iter().filter(|record| record[37] & 128 == 0);
    let recorded: usize = games(&file)
        .iter()
        .map(|game| reader::move_count(game))
        .sum();
    assert_eq!((positions.count(), rest.len()), (recorded, 0));
    assert!(records.len() > recorded, "there are neighbours");
    assert!(files::pack(&args(0.5)).is_err(), "a file is replaced");
    // With another network, only the static evaluations are others.
    fs::remove_file(&packed).unwrap();
    assert!(files::pack(&with_network(0.5, "missing.nnue")).is_err() && !packed.exists());
    files::pack(&with_network(0.5, "hand-written")).unwrap();
    let others = fs::read(&packed).unwrap();
    let (others, _) = others.as_chunks::<{ records::BYTES }>();
    assert_ne!(records, others);
    let rest = |record: &[u8; records::BYTES]| [&record[..34], &record[36..]].concat();
    assert!(records.iter().map(rest).eq(others.iter().map(rest)));
    // A damaged file leaves nothing behind.
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() - 1);
    fs::write(&file, bytes).unwrap();
    fs::remove_file(&packed).unwrap();
    assert!(files::pack(&args(0.5)).is_err() && !packed.exists());
}

#[test]
fn files_are_merged_and_shuffled_and_exported() {
    let directory = tempdir().unwrap();
    let [a, b, merged, shuffled, text] =
        ["a", "b", "merged", "shuffled", "text"].map(|name| directory.path().join(name));
    run_quickly(&a, "--games 4 --seed 1");
    run_quickly(&b, "--games 4 --seed 2");
    let all = [games(&a), games(&b)].concat();
    // The last game of one file is incomplete, as while a run is writing it.
    let mut bytes = fs::read(&b).unwrap();
    bytes.extend([1, 2, 3]);
    fs::write(&b, bytes).unwrap();
    // A file that could not be written completely is removed, so that the corrected command can
    // create it.
    let missing = vec![a.clone(), directory.path().join("missing")];
    let merge = files::MergeGamesArgs {
        files: missing.clone(),
        out: merged.clone(),
    };
    assert!(files::merge(&merge).is_err() && !merged.exists());
    let export = files::ExportArgs {
        files: missing,
        out: Some(text.clone()),
        every: 1,
    };
    assert!(files::export(&export).is_err() && !text.exists());
    let files = vec![a.clone(), b, a];
    let merge = files::MergeGamesArgs {
        files,
        out: merged.clone(),
    };
    assert_eq!(files::merge(&merge).unwrap(), Exit::Incomplete);
    assert!(games(&merged) == all);
    assert!(files::merge(&merge).is_err(), "a file is replaced");
    // A damaged game is left out, and those behind it are not.
    let hurt = directory.path().join("hurt");
    let mut bytes = fs::read(&merged).unwrap();
    bytes[all[0].len()..][..8].fill(0xff);
    fs::write(&hurt, bytes).unwrap();
    let salvage = files::MergeGamesArgs {
        files: vec![hurt],
        out: directory.path().join("salvaged"),
    };
    assert_eq!(files::merge(&salvage).unwrap(), Exit::Incomplete);
    assert!(games(&salvage.out) == [&all[..1], &all[2..]].concat());
    // A file of another kind, parts of which could be taken for games.
    let network = directory.path().join("network");
    fs::write(&network, [[1; 40], [0; 40]].concat().repeat(9)).unwrap();
    let with_network = files::MergeGamesArgs {
        files: vec![merged.clone(), network.clone()],
        out: directory.path().join("with network"),
    };
    let refused = |outcome| matches!(outcome, Err(DatagenError::BadGame { .. }));
    assert!(refused(files::merge(&with_network)) && !with_network.out.exists());
    let mut shuffle = files::ShuffleArgs {
        files: vec![merged.clone(), network],
        out: shuffled.clone(),
        seed: 3,
    };
    assert!(refused(files::shuffle(&shuffle)) && !shuffled.exists());
    shuffle.files.pop();
    assert_eq!(files::shuffle(&shuffle).unwrap(), Exit::Done);
    let mut mixed = games(&shuffled);
    assert!(mixed != all);
    mixed.sort();
    let mut sorted = all;
    sorted.sort();
    assert!(mixed == sorted);
    let export = files::ExportArgs {
        files: vec![merged],
        out: Some(text.clone()),
        every: 2,
    };
    files::export(&export).unwrap();
    let text = fs::read_to_string(text).unwrap();
    assert_eq!(text.split_terminator("\n\n").count(), 8);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let [fen, result, score] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert!(!parse_fen(fen, false).unwrap().position.in_check());
        assert!(["1.0", "0.5", "0.0"].contains(&result), "{line}");
        assert!(score.parse::<i16>().unwrap().abs() < format::WON, "{line}");
    }
}
