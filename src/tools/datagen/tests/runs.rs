//! Tests of runs: which games they play, when they end, and how they go on.

use std::fs;

use clap::Parser;
use tempfile::tempdir;

use super::super::format::RecordedGame;
use super::super::generate::{generate, recipe_text};
use super::super::run_file::{RunFile, record_path};
use super::super::*;
use super::{Cli, args, games, run_quickly, verify};
use crate::score::Score;
use crate::tools::kit::interrupt::Interrupt;
use crate::wdl::{chances, material};

#[test]
fn games_follow_from_seed_and_number() {
    let directory = tempdir().unwrap();
    let [one, two, other] = ["one", "two", "other"].map(|name| directory.path().join(name));
    let tally = run_quickly(&one, "--games 8 --threads 1 --seed 7");
    run_quickly(&two, "--games 8 --threads 2 --seed 7");
    run_quickly(&other, "--games 8 --threads 1 --seed 8");
    let sorted = |path| {
        let mut games = games(path);
        games.sort();
        games
    };
    assert_eq!(tally.games, 8);
    assert!(sorted(&one) == sorted(&two));
    assert!(sorted(&one) != sorted(&other));
    // A run in parts plays the same games.
    let parts = directory.path().join("parts");
    run_quickly(&parts, "--games 3 --threads 1 --seed 7");
    assert_eq!(run_quickly(&parts, "--games 8 --threads 1 --seed 7"), tally);
    assert!(fs::read(&parts).unwrap() == fs::read(&one).unwrap());
    let text = verify(&one).unwrap();
    assert!(text.contains("8 games"), "{text}");
    // A run that has reached its target plays no more games.
    assert_eq!(run_quickly(&one, "--games 8 --seed 7").games, 8);
}

#[test]
fn forks_begin_beside_a_game() {
    let directory = tempdir().unwrap();
    let [plain, forked] = ["plain", "forked"].map(|name| directory.path().join(name));
    run_quickly(&plain, "--games 3 --threads 1 --seed 7");
    run_quickly(&forked, "--games 9 --threads 1 --seed 7 --forks 2");
    let (plain, forked) = (games(&plain), games(&forked));
    assert_eq!((plain.len(), forked.len()), (3, 9));
    for (family, plain) in forked.chunks(3).zip(&plain) {
        let (game, forks) = family.split_first().unwrap();
        assert!(game == plain);
        let mut beside = Vec::new();
        let game = RecordedGame::from_bytes(game).unwrap();
        game.replay(|_, position, played| {
            let others = position.legal_moves();
            let others = others.iter().filter(|&&m| m != played.m);
            beside.extend(others.map(|&m| position.play(m).key()));
        })
        .unwrap();
        for fork in forks {
            let start = RecordedGame::from_bytes(fork).unwrap().start;
            assert!(beside.contains(&start.key()), "{start:?}");
        }
    }
}

#[test]
fn some_games_end_when_few_pieces_are_left() {
    let directory = tempdir().unwrap();
    let [all, none, half] = ["all", "none", "half"].map(|name| directory.path().join(name));
    run_quickly(&all, "--games 6 --threads 1 --seed 7 --endgame-pieces 28");
    let share = |share: &str| {
        format!("--games 6 --threads 1 --seed 7 --endgame-pieces 28 --endgame-share {share}")
    };
    run_quickly(&none, &share("0"));
    run_quickly(&half, &share("0.5"));
    let whole = games(&all);
    let is_part = |part: &[u8], whole: &[u8]| {
        let [part, whole] = [part, whole].map(|bytes| RecordedGame::from_bytes(bytes).unwrap());
        assert!(whole.moves.starts_with(&part.moves));
        // No quiet position with so few pieces has been searched before the last.
        let mut last = None;
        part.replay(|ply, position, scored| {
            if position.piece_count() <= 28 && position.is_quiet(scored.m) {
                assert_eq!(ply + 1, part.moves.len());
                let score = Score::cp(scored.score.into());
                last = Some(chances(score, material(position)).expectation());
            }
        })
        .unwrap();
        if let Some(expected) = part.expected {
            assert_eq!(Some(expected), last);
        }
        assert_eq!(
            part.expected.is_some(),
            part.moves.len() < whole.moves.len()
        );
        assert_eq!(whole.expected, None);
        part.moves.len() < whole.moves.len()
    };
    let cut = games(&none)
        .iter()
        .zip(&whole)
        .filter(|(part, whole)| is_part(part, whole))
        .count();
    assert!(cut >= 4, "{cut}");
    let kept = games(&half)
        .iter()
        .zip(&whole)
        .filter(|(part, whole)| part == whole)
        .count();
    assert!((1..6).contains(&kept), "{kept}");
}

#[test]
fn games_begin_at_the_positions_of_a_file() {
    let directory = tempdir().unwrap();
    let [path, file] = ["data", "openings.epd"].map(|name| directory.path().join(name));
    let ending = "8/5k2/5p2/8/8/2P5/2K5/8 w - -";
    fs::write(&file, format!("{ending} 0 1\n{ending} c0 \"x\";\n")).unwrap();
    let words = format!(
        "--games 4 --threads 1 --random-plies 0 --exit-score 1000 --openings {}",
        file.display()
    );
    run_quickly(&path, &words);
    for game in games(&path) {
        let start = RecordedGame::from_bytes(&game).unwrap().start;
        // Half of the games begin with one random move.
        assert_eq!(start.occupied().count(), 4, "{start:?}");
    }
    // Other positions make another recipe, and one that is none is found before any game.
    let run = |words: &str| {
        let Cli { target, recipe } = args(&path, words);
        generate(&target, &recipe, &Interrupt::default())
    };
    let before = fs::read(&path).unwrap();
    fs::write(&file, ending).unwrap();
    let refused = run(&words).unwrap_err();
    assert!(
        matches!(refused, DatagenError::OtherRecipe { .. }),
        "{refused}"
    );
    fs::write(&file, format!("{ending}\nx\n")).unwrap();
    let refused = run(&words).unwrap_err();
    assert!(matches!(refused, DatagenError::Opening { .. }), "{refused}");
    fs::remove_file(&file).unwrap();
    assert!(matches!(run(&words).unwrap_err(), DatagenError::Tool(_)));
    assert!(fs::read(&path).unwrap() == before);
    // All positions can be decided.
    fs::write(&file, "8/5k2/8/8/8/2Q5/2K5/8 w - - 0 1\n").unwrap();
    let decided = directory.path().join("decided");
    let Cli { target, recipe } = args(&decided, &words.replace("1000", "40"));
    let refused = generate(&target, &recipe, &Interrupt::default()).unwrap_err();
    assert!(
        matches!(refused, DatagenError::Play(PlayError::Decided(_))),
        "{refused}"
    );
}

#[test]
fn a_run_ends_when_there_are_enough_positions_or_it_is_told_to() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("data");
    let Cli { mut target, recipe } = args(&path, "--threads 2");
    target.positions = 100;
    let tally = generate(&target, &recipe, &Interrupt::default()).unwrap();
    assert!(tally.positions >= 100 && tally.games < 40, "{tally:?}");
    target.positions = 1_000_000;
    let interrupt = Interrupt::default();
    interrupt.set();
    assert_eq!(generate(&target, &recipe, &interrupt).unwrap(), tally);
    assert!(verify(&path).is_ok());
}

#[test]
fn a_run_goes_on_after_a_cut_at_any_byte() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("data");
    run_quickly(&path, "--games 3 --threads 1");
    let whole = fs::read(&path).unwrap();
    let run = fs::read(record_path(&path)).unwrap();
    let games = games(&path);
    let last = whole.len() - games[2].len();
    let next = RecordedGame::from_bytes(&games[0]).unwrap();
    let recipe = recipe_text(&args(&path, "").recipe, None).unwrap();
    for length in last..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(record_path(&path), &run).unwrap();
        let mut file = RunFile::open(&path, recipe.clone()).unwrap();
        let kept = if length < whole.len() { last } else { length };
        assert_eq!(file.cut as usize, length - kept);
        assert_eq!(file.tally.games, if length < whole.len() { 2 } else { 3 });
        assert_eq!(file.take_number().unwrap(), 3);
        file.add(&next).unwrap();
        file.close().unwrap();
        assert!(fs::read(&path).unwrap() == [&whole[..kept], &games[0]].concat());
        assert!(verify(&path).is_ok());
    }
    for zeros in [1, 36, 5_000] {
        fs::write(&path, [&whole[..], &vec![0; zeros]].concat()).unwrap();
        fs::write(record_path(&path), &run).unwrap();
        let file = RunFile::open(&path, recipe.clone()).unwrap();
        assert_eq!((file.cut as usize, file.tally.games), (zeros, 3));
        drop(file);
        assert!(fs::read(&path).unwrap() == whole);
    }
    // Zeros with something behind them are damage, which nothing may be cut off for.
    let damaged = [&whole[..last], &[0; 36], &games[2]].concat();
    fs::write(&path, &damaged).unwrap();
    fs::write(record_path(&path), &run).unwrap();
    assert!(RunFile::open(&path, recipe).is_err());
    assert!(fs::read(&path).unwrap() == damaged);
}

#[test]
fn no_number_is_used_twice() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("data");
    run_quickly(&path, "--games 1 --threads 1");
    let game = games(&path).remove(0);
    let recipe = recipe_text(&args(&path, "").recipe, None).unwrap();
    let mut file = RunFile::open(&path, recipe.clone()).unwrap();
    let first = file.take_number().unwrap();
    file.add(&RecordedGame::from_bytes(&game).unwrap()).unwrap();
    // Like a killed process, this closes nothing.
    drop(file);
    let mut file = RunFile::open(&path, recipe.clone()).unwrap();
    let second = file.take_number().unwrap();
    assert!(second > first + 100, "{first} {second}");
    // Two runs would write the same numbers.
    assert!(matches!(
        RunFile::open(&path, recipe),
        Err(DatagenError::Tool(ToolError::InUse(_)))
    ));
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("data");
    run_quickly(&path, "--games 2 --threads 1");
    let open = |words| {
        RunFile::open(
            &path,
            recipe_text(&args(&path, words).recipe, None).unwrap(),
        )
    };
    for (words, part) in [
        ("--seed 2", "has \"seed 1\", not \"seed 2\""),
        ("--win-score 1", "win-score 400"),
        ("--chess960-share 1", "chess960-share 0.2"),
        ("--noisy-nodes 20", "not \"noisy-nodes 20\""),
        ("--syzygy x", "syzygy no"),
        ("--eval-file hand-written", "not \"network none\""),
    ] {
        let error = open(words).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let recipe = recipe_text(&args(&path, "").recipe, None).unwrap();
    // A record of an earlier version, whose thresholds were in units of the search.
    let old: String = recipe.split_inclusive('\n').skip(1).collect();
    fs::write(record_path(&path), old + "next-game 2\n").unwrap();
    let error = open("").unwrap_err().to_string();
    assert!(
        error.contains("not \"score-unit normalised-centipawn\""),
        "{error}"
    );
    fs::write(record_path(&path), &recipe).unwrap();
    assert!(matches!(open(""), Err(DatagenError::DamagedRun(_))));
    let mut bytes = fs::read(&path).unwrap();
    bytes[10] = 0xff;
    fs::write(&path, bytes).unwrap();
    fs::write(record_path(&path), recipe + "next-game 2\n").unwrap();
    assert!(matches!(open(""), Err(DatagenError::BadGame { .. })));
    // A file without a record of its games stays as it is.
    fs::remove_file(record_path(&path)).unwrap();
    fs::write(&path, "1. e4 e5 *").unwrap();
    assert!(matches!(open(""), Err(DatagenError::NoRun { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"1. e4 e5 *");
}

#[test]
fn arguments_are_for_a_run_or_for_files() {
    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: DatagenArgs,
    }
    let parse = |text: &str| {
        let words = format!("x {text}");
        Program::try_parse_from(words.split_whitespace()).map(|program| program.args)
    };
    let args = parse("--positions 5 --out f --chess960-share 0.5").unwrap();
    let target = args.target.unwrap();
    assert!(args.command.is_none());
    assert_eq!((target.positions, args.recipe.nodes), (5, 5_000));
    assert_eq!(args.recipe.opening.chess960_share, 0.5);
    let args = parse("info a b").unwrap();
    assert!(args.target.is_none() && matches!(args.command, Some(FileCommand::Info(_))));
    assert!(parse("--positions 5").is_err());
    assert!(parse("--positions 5 --out f --chess960-share 2").is_err());
    assert!(parse("--positions 5 --out f info a").is_err());
    assert!(parse("shuffle a").is_err());
    assert!(parse("").is_err());
}
