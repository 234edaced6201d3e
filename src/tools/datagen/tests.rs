//! Whole runs, and the format against the crate that defines it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::format::{Game, GameResult, Reader, ScoredMove};
use super::generate::{Stop, generate};
use super::openings::double_chess960;
use super::run_file::{RunFile, Tally, beside};
use super::*;
use crate::position::Position;
use crate::position::notation::{fen, parse_fen, parse_uci};
use crate::score::Score;
use crate::tools::random::Random;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: GenerateArgs,
}

/// A directory of the test's own, which is gone afterwards.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("quevedo-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Quick games.
fn args(out: &Path, words: &str) -> GenerateArgs {
    let out = out.to_str().unwrap();
    let fixed = ["x", "--out", out, "--nodes", "60", "--exit-nodes", "200"];
    let quick = ["--positions", "1000000", "--max-plies", "60", "--hash", "1"];
    let words = words.split_whitespace();
    Cli::parse_from(fixed.into_iter().chain(quick).chain(words)).args
}

fn run_quickly(out: &Path, words: &str) -> Tally {
    generate(&args(out, words), &Stop::default()).unwrap()
}

/// The bytes of each game of a file.
fn games(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let mut reader = Reader::new(bytes.as_slice());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game.to_vec());
    }
    games
}

fn verify(path: &Path) -> Result<String, DatagenError> {
    let mut out = Vec::new();
    let files = vec![path.to_owned()];
    files::verify(&files::VerifyArgs { files }, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn games_follow_from_seed_and_number() {
    let directory = Directory::new("datagen-seed");
    let [one, two, other] = ["one", "two", "other"].map(|name| directory.file(name));
    let tally = run_quickly(&one, "--games 8 --threads 1 --seed 7");
    run_quickly(&two, "--games 8 --threads 2 --seed 7");
    run_quickly(&other, "--games 8 --threads 1 --seed 8");
    let sorted = |path| {
        let mut games = games(path);
        games.sort();
        games
    };
    assert_eq!(tally.games, 8);
    assert_eq!(sorted(&one), sorted(&two));
    assert_ne!(sorted(&one), sorted(&other));
    // The same games when the run is made in parts.
    let parts = directory.file("parts");
    run_quickly(&parts, "--games 3 --threads 1 --seed 7");
    assert_eq!(run_quickly(&parts, "--games 8 --threads 1 --seed 7"), tally);
    assert_eq!(fs::read(&parts).unwrap(), fs::read(&one).unwrap());
    let text = verify(&one).unwrap();
    assert!(text.contains("8 games"), "{text}");
    // Enough is enough.
    assert_eq!(run_quickly(&one, "--games 8 --seed 7").games, 8);
}

#[test]
fn a_run_ends_when_there_are_enough_positions_or_it_is_told_to() {
    let directory = Directory::new("datagen-end");
    let path = directory.file("data");
    let mut args = args(&path, "--threads 2");
    args.positions = 100;
    let tally = generate(&args, &Stop::default()).unwrap();
    assert!(tally.positions >= 100 && tally.games < 40, "{tally:?}");
    args.positions = 1_000_000;
    let stop = Stop::default();
    stop.stop();
    assert_eq!(generate(&args, &stop).unwrap(), tally);
    assert!(verify(&path).is_ok());
}

#[test]
fn a_run_goes_on_after_a_cut_at_any_byte() {
    let directory = Directory::new("datagen-cut");
    let path = directory.file("data");
    run_quickly(&path, "--games 3 --threads 1");
    let whole = fs::read(&path).unwrap();
    let run = fs::read(beside(&path, "run")).unwrap();
    let games = games(&path);
    let last = whole.len() - games[2].len();
    let next = Game::from_bytes(&games[0]).unwrap();
    let settings = args(&path, "").settings();
    for length in last..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(beside(&path, "run"), &run).unwrap();
        let mut file = RunFile::open(&path, settings.clone()).unwrap();
        let kept = if length < whole.len() { last } else { length };
        assert_eq!(file.cut as usize, length - kept);
        assert_eq!(file.tally.games, if length < whole.len() { 2 } else { 3 });
        assert_eq!(file.take_number().unwrap(), 3);
        file.add(&next, &games[0]).unwrap();
        file.close().unwrap();
        assert_eq!(
            fs::read(&path).unwrap(),
            [&whole[..kept], &games[0]].concat()
        );
        assert!(verify(&path).is_ok());
    }
}

#[test]
fn no_number_is_used_twice() {
    let directory = Directory::new("datagen-numbers");
    let path = directory.file("data");
    run_quickly(&path, "--games 1 --threads 1");
    let game = games(&path).remove(0);
    let settings = args(&path, "").settings();
    let mut file = RunFile::open(&path, settings.clone()).unwrap();
    let first = file.take_number().unwrap();
    file.add(&Game::from_bytes(&game).unwrap(), &game).unwrap();
    // As a process that was killed: nothing is closed.
    drop(file);
    let mut file = RunFile::open(&path, settings.clone()).unwrap();
    let second = file.take_number().unwrap();
    assert!(second > first + 100, "{first} {second}");
    // Two at once would.
    assert!(matches!(
        RunFile::open(&path, settings),
        Err(DatagenError::InUse(_))
    ));
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let directory = Directory::new("datagen-refused");
    let path = directory.file("data");
    run_quickly(&path, "--games 2 --threads 1");
    let open = |words| RunFile::open(&path, args(&path, words).settings());
    for (words, part) in [
        ("--seed 2", "begun with \"seed 1\", not \"seed 2\""),
        ("--win-score 1", "win-score 2000"),
        ("--chess960-share 1", "chess960-share 0.2"),
        ("--syzygy x", "syzygy no"),
    ] {
        let error = open(words).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    fs::write(beside(&path, "run"), args(&path, "").settings()).unwrap();
    assert!(matches!(open(""), Err(DatagenError::DamagedRun(_))));
    fs::remove_file(beside(&path, "run")).unwrap();
    assert!(matches!(open(""), Err(DatagenError::NoRun { .. })));
    let mut bytes = fs::read(&path).unwrap();
    bytes[10] = 0xff;
    fs::write(&path, bytes).unwrap();
    assert!(matches!(open(""), Err(DatagenError::BadGame { .. })));
}

#[test]
fn faults_are_found_and_placed() {
    let directory = Directory::new("datagen-faults");
    let path = directory.file("data");
    run_quickly(&path, "--games 3 --threads 1");
    let whole = fs::read(&path).unwrap();
    let second = games(&path)[0].len();
    let mut fault = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        fs::write(&path, bytes).unwrap();
        verify(&path).unwrap_err().to_string()
    };
    let move_two = second + format::HEADER_BYTES + format::PAIR_BYTES;
    for (text, part) in [
        (fault(second + 30, 3), format!("byte {second}: game 2: ")),
        (fault(second + 8, 0x77), format!("byte {second}: game 2: ")),
        (
            // From e1 to e1.
            {
                fault(move_two, 4);
                fault(move_two + 1, 0x3f)
            },
            format!("byte {move_two}: game 2: move 2: "),
        ),
    ] {
        assert!(text.contains(&part), "{text}");
    }
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(matches!(verify(&path), Err(DatagenError::Cut { .. })));
    // A stalemate that somebody has won.
    let start = parse_fen("7k/8/5Q2/6K1/8/8/8/8 w - - 0 1", false).unwrap();
    let m = parse_uci(&start.position, "f6f7").unwrap();
    let mut game = Game {
        start: start.position,
        result: GameResult::White,
        moves: vec![ScoredMove::new(m, Score::DRAW)],
    };
    assert_eq!(game.verify(), Err(GameError::Result("stalemate")));
    game.result = GameResult::Draw;
    assert_eq!(game.verify(), Ok(()));
}

#[test]
fn files_are_merged_and_shuffled_and_exported() {
    let directory = Directory::new("datagen-files");
    let [a, b, merged, shuffled, text] =
        ["a", "b", "merged", "shuffled", "text"].map(|name| directory.file(name));
    run_quickly(&a, "--games 4 --seed 1");
    run_quickly(&b, "--games 4 --seed 2");
    let all = [games(&a), games(&b)].concat();
    // The last game of one file is cut off: the run that writes it is still going on.
    let mut bytes = fs::read(&b).unwrap();
    bytes.extend([1, 2, 3]);
    fs::write(&b, bytes).unwrap();
    let files = vec![a.clone(), b, a];
    let merge = files::MergeArgs {
        files,
        out: merged.clone(),
    };
    files::merge(&merge).unwrap();
    assert_eq!(games(&merged), all);
    assert!(files::merge(&merge).is_err(), "a file is replaced");
    let shuffle = files::ShuffleArgs {
        files: vec![merged.clone()],
        out: shuffled.clone(),
        seed: 3,
    };
    files::shuffle(&shuffle).unwrap();
    let mut mixed = games(&shuffled);
    assert_ne!(mixed, all);
    mixed.sort();
    let mut sorted = all;
    sorted.sort();
    assert_eq!(mixed, sorted);
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

#[test]
fn arguments_are_for_a_run_or_for_files() {
    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }
    let parse = |text: &str| {
        let words = format!("x {text}");
        Program::try_parse_from(words.split_whitespace()).map(|program| program.args)
    };
    let args = parse("--positions 5 --out f --chess960-share 0.5").unwrap();
    let generate = args.generate.unwrap();
    assert!(args.command.is_none());
    assert_eq!((generate.positions, generate.nodes), (5, 5_000));
    assert_eq!(generate.opening.chess960_share, 0.5);
    let args = parse("info a b").unwrap();
    assert!(args.generate.is_none() && matches!(args.command, Some(FileCommand::Info(_))));
    assert!(parse("--positions 5").is_err());
    assert!(parse("--positions 5 --out f --chess960-share 2").is_err());
    assert!(parse("--positions 5 --out f info a").is_err());
    assert!(parse("shuffle a").is_err());
    if let Ok(args) = parse("") {
        assert!(matches!(super::run(&args), Err(DatagenError::Nothing)));
    }
}

/// A game of random moves, castling whenever possible.
fn random_game(start: Position, random: &mut Random) -> Game {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..120 {
        let legal = position.legal_moves();
        let special = legal
            .iter()
            .copied()
            .find(|m| m.is_castling() || m.is_en_passant());
        let Some(m) = special.or_else(|| legal.get(random.below(legal.len())).copied()) else {
            break;
        };
        let score = random.below(4_001) as i32 - 2_000;
        moves.push(ScoredMove::new(m, Score::cp(score)));
        position = position.play(m);
    }
    let result = match random.below(3) {
        0 => GameResult::Black,
        1 => GameResult::Draw,
        _ => GameResult::White,
    };
    Game {
        start,
        result,
        moves,
    }
}

/// Ours reads what ours writes, the crate reads it as the same game with the same legal moves in every position, and
/// what the crate writes is the same again.
fn check_against_the_crate(game: &Game) {
    use viriformat::dataformat::{Game as Theirs, WDL};
    let bytes = game.to_bytes().unwrap();
    let again = Game::from_bytes(&bytes).unwrap();
    assert_eq!(fen(&again.start), fen(&game.start));
    assert_eq!(again.start.key(), game.start.key());
    assert_eq!((again.result, &again.moves), (game.result, &game.moves));
    assert_eq!(again.to_bytes().unwrap(), bytes);

    let theirs = Theirs::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
    let outcome = match game.result {
        GameResult::Black => WDL::Loss,
        GameResult::Draw => WDL::Draw,
        GameResult::White => WDL::Win,
    };
    assert_eq!(theirs.outcome(), outcome);
    assert_eq!(theirs.len(), game.moves.len());
    let mut written = Vec::new();
    theirs.serialise_into(&mut written).unwrap();
    assert_eq!(written, bytes);
    // Their packing of their own board: all but the result is there again.
    let mut packed = Vec::new();
    Theirs::new(&theirs.initial_position())
        .serialise_into(&mut packed)
        .unwrap();
    packed[30] = bytes[30];
    assert_eq!(packed[..32], bytes[..32], "{}", fen(&game.start));

    let mut positions = Vec::new();
    theirs.visit_positions(|board, score| {
        let mut codes: Vec<u16> = board
            .clone()
            .legal_moves()
            .iter()
            .map(|m| m.inner())
            .collect();
        codes.sort_unstable();
        positions.push((score, codes));
    });
    let mut theirs = positions.into_iter();
    game.replay(|_, position, scored| {
        let legal = position.legal_moves();
        let mut codes: Vec<u16> = legal.iter().map(|&m| format::pack_move(m)).collect();
        codes.sort_unstable();
        let expected = (i32::from(scored.score), codes);
        assert_eq!(theirs.next(), Some(expected), "{}", fen(position));
    })
    .unwrap();
}

#[test]
fn the_crate_reads_what_is_written() {
    let mut random = Random::new(5);
    let (mut castled, mut en_passant, mut promoted) = (0, 0, 0);
    for number in 0..150 {
        let start = if number % 3 == 0 {
            Position::initial()
        } else {
            double_chess960(random.below(960), random.below(960))
        };
        let game = random_game(start, &mut random);
        castled += game.moves.iter().filter(|s| s.m.is_castling()).count();
        en_passant += game.moves.iter().filter(|s| s.m.is_en_passant()).count();
        promoted += game.moves.iter().filter(|s| s.m.is_promotion()).count();
        check_against_the_crate(&game);
    }
    assert!(castled > 50 && en_passant > 20 && promoted > 20);
}

#[test]
fn positions_of_all_kinds_keep_what_they_are() {
    for text in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kq - 3 17",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Gb - 0 40",
        "rkr5/8/8/8/8/8/8/RKR5 w ACac - 0 1",
        "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 30",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let position = parse_fen(text, false).unwrap().position;
        for m in position.legal_moves() {
            let game = Game {
                start: position.clone(),
                result: GameResult::Draw,
                moves: vec![ScoredMove::new(m, Score::mate_in(7))],
            };
            assert_eq!(game.moves[0].score, format::WON);
            check_against_the_crate(&game);
        }
    }
    let crowd = "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = Game {
        start: parse_fen(crowd, false).unwrap().position,
        result: GameResult::Draw,
        moves: Vec::new(),
    };
    assert!(game.to_bytes().is_none());
}

#[test]
fn what_the_crate_documents_is_read() {
    // The example of its README, except that its last word on the board is not a mate: 1. e4 e5 2. Qh5 Ke7 3. Qxe5#.
    let bytes = [
        0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x61, 0x24, 0x52, 0x16, 0, 0, 0, 0, 0x88, 0x88, 0x88,
        0x88, 0xe9, 0xac, 0xda, 0x9e, 0x40, 0, 1, 0, 0, 0, 2, 0, 0x0c, 0x07, 0x0a, 0, 0x34, 0x09,
        0x14, 0, 0xc3, 0x09, 0xe2, 0xff, 0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0, 0, 0,
        0,
    ];
    let game = Game::from_bytes(&bytes).unwrap();
    assert_eq!(game.moves_text(), "e2e4 e7e5 d1h5 e8e7 h5e5");
    assert_eq!(game.result, GameResult::White);
    assert_eq!(game.moves.first().map(|scored| scored.score), Some(10));
    assert!(game.moves.last().unwrap().is_decisive());
    assert_eq!(game.verify(), Ok(()));
    assert_eq!(game.to_bytes().unwrap(), bytes);
}
