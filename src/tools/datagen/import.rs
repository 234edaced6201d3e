//! `quevedo datagen import`: converts games in PGN with scores, as OpenBench's workers and
//! fastchess write them, to the format of the trainer.

use std::fs::File;
use std::io::{BufRead, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::DatagenError;
use super::adjudication::for_white;
use super::files::create;
use crate::games::{GameResult, RecordedGame, ScoredMove};
use crate::pgn::{AnnotatedMove, PgnGame, PgnReader};
use crate::plural::count;
use crate::position::Position;
use crate::score::Score;
use crate::tools::Exit;
use crate::tools::kit::args::file_path;
use crate::tools::kit::progress::say;
use crate::tools::kit::{IoContext as _, input};
use crate::wdl::{from_centipawns, material};

/// Convert games in PGN with scores, as OpenBench's workers and fastchess write them
///
/// The comment of each move begins with the score of the side that played it, in pawns, and the
/// depth: {+0.35/12} or {-M4/20}. Scores are taken for those of Quevedo, where 1.00 is an even
/// chance to win. A game is read from the first move after which all have scores. Games without
/// such moves or without a result, and games that were forfeited, are left out.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportArgs {
    /// Files of games in PGN
    #[arg(required = true, value_name = "PGN")]
    pub games: Vec<PathBuf>,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
}

/// The numbers of games and positions read, and of the games left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ImportCounts {
    games: u64,
    positions: u64,
    /// Games that cannot be used for training.
    unusable: u64,
    /// Games and other text that could not be read.
    faulty: u64,
}

/// Converts the games of all files to one file.
///
/// # Errors
/// Fails when a file cannot be read or written, or no game is usable.
pub fn run(args: &ImportArgs) -> Result<Exit, DatagenError> {
    let mut counts = ImportCounts::default();
    create(&args.out, |out| {
        for path in &args.games {
            let source = input::open(path).of_file(path)?;
            import(source, path, out, &mut counts, args)?;
        }
        match counts.games {
            0 => Err(DatagenError::NoScores),
            _ => Ok(Exit::Done),
        }
    })?;
    let ImportCounts {
        games,
        positions,
        unusable,
        faulty,
    } = counts;
    say(&format!(
        "{} with {}; {unusable} left out, {faulty} faulty",
        count(games, "game"),
        count(positions, "position")
    ));
    Ok(match faulty {
        0 => Exit::Done,
        _ => Exit::Incomplete,
    })
}

fn import(
    source: impl BufRead,
    path: &Path,
    out: &mut BufWriter<File>,
    counts: &mut ImportCounts,
    args: &ImportArgs,
) -> Result<(), DatagenError> {
    let mut reader = PgnReader::new(source);
    let mut faulty = 0;
    let mut complain = |fault: &str| {
        faulty += 1;
        say(&format!("left out: {}: {fault}", path.display()));
    };
    while let Some((pgn, _)) = reader.next_game(&mut complain).of_file(path)? {
        // Programs forfeit games by illegal moves, so that these are no faults of the file.
        if is_forfeited(&pgn) {
            counts.unusable += 1;
            continue;
        }
        if let Some(fault) = unread(&pgn) {
            complain(&format!("game {}: {fault}", pgn.number));
            continue;
        }
        let game = recorded_game(&pgn);
        match game.and_then(|game| Some((game.moves.len(), game.to_bytes()?))) {
            Some((positions, bytes)) => {
                counts.games += 1;
                counts.positions += positions as u64;
                out.write_all(&bytes).of_file(&args.out)?;
            }
            None => counts.unusable += 1,
        }
    }
    counts.faulty += faulty;
    Ok(())
}

fn is_forfeited(pgn: &PgnGame) -> bool {
    const REASONS: [&str; 5] = [
        "abandoned",
        "illegal",
        "rules infraction",
        "stalled",
        "time forfeit",
    ];
    pgn.tag("Termination").is_some_and(|reason| {
        let reason = reason.to_ascii_lowercase();
        REASONS.iter().any(|word| reason.contains(word))
    })
}

/// Returns the reason why moves of a game could not be read.
fn unread(pgn: &PgnGame) -> Option<&str> {
    let is_unread = pgn.verbatim.is_some() || !pgn.unread_moves.is_empty();
    pgn.faults.first().filter(|_| is_unread).map(String::as_str)
}

/// Converts a game. Returns `None` if it cannot be used for training.
fn recorded_game(pgn: &PgnGame) -> Option<RecordedGame> {
    let outcome = pgn.outcome();
    if !outcome.is_known() {
        return None;
    }
    let mut game = RecordedGame {
        start: pgn.start.clone(),
        result: outcome
            .winner()
            .map_or(GameResult::Draw, GameResult::won_by),
        expected: None,
        moves: Vec::with_capacity(pgn.main_line.moves.len()),
    };
    for (played, (position, m)) in pgn.main_line.moves.iter().zip(pgn.replay()) {
        match score(played, &position) {
            Some(score) => {
                let score = for_white(position.turn(), score);
                game.moves.push(ScoredMove::new(m, score));
            }
            None => {
                game.start = position.play(m);
                game.moves.clear();
            }
        }
    }
    (!game.moves.is_empty() && game.verify().is_ok()).then_some(game)
}

/// Returns the score that a move's comment begins with, for the side that played it.
fn score(played: &AnnotatedMove, position: &Position) -> Option<Score> {
    let comment = played.comments.first()?;
    let (text, _) = comment.trim_start().split_once('/')?;
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let score = match text.strip_prefix('M') {
        // The distance is not recorded.
        Some(moves) => moves.parse().ok().map(|_: u32| Score::mate_in(1))?,
        None => {
            let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
            from_centipawns((pawns * 100.0).round() as i32, material(position))
        }
    };
    Some(if negative { -score } else { score })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::format::WON;
    use crate::wdl::centipawns;

    fn read(text: &str) -> Option<RecordedGame> {
        let mut reader = PgnReader::new(text.as_bytes());
        let (pgn, _) = reader.next_game(&mut |_| {}).unwrap().unwrap();
        if is_forfeited(&pgn) || unread(&pgn).is_some() {
            return None;
        }
        recorded_game(&pgn)
    }

    /// The shown score for White of each position.
    fn shown(game: &RecordedGame) -> Vec<i32> {
        let mut shown = Vec::new();
        game.replay(|_, position, scored| {
            shown.push(centipawns(
                Score::cp(i32::from(scored.score)),
                material(position),
            ));
        })
        .unwrap();
        shown
    }

    #[test]
    fn compact_games_of_openbench_are_read() {
        let game = read(
            "[Event \"?\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n\
             f3 {-0.50/9} e5 {+0.75/10} g4 {-M2/12} Qh4# {+M1/3} 0-1\n",
        )
        .unwrap();
        assert_eq!(game.result, GameResult::Black);
        // Scores are recorded in the search's units, which are coarser.
        let shown = shown(&game);
        assert!(
            shown[0].abs_diff(-50) <= 1 && shown[1].abs_diff(-75) <= 1,
            "{shown:?}"
        );
        assert_eq!(game.moves[2].score, -WON);
        assert_eq!(game.moves[3].score, -WON);
    }

    #[test]
    fn games_begin_after_the_moves_without_scores() {
        let game = read(
            "[Result \"1/2-1/2\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.30/12 0.05s, n=1000, sd=14} Nc6 {0.00/11 0.04s} 1/2-1/2\n",
        )
        .unwrap();
        let shown = shown(&game);
        assert!(shown[0].abs_diff(30) <= 1 && shown[1..] == [0], "{shown:?}");
        assert!(game.start.turn().is_white() && game.start.key() != Position::initial().key());
    }

    #[test]
    fn games_that_teach_nothing_are_left_out() {
        let moves = "1. e4 {+0.30/12} e5 {+0.10/11}";
        for (tags, text) in [
            ("", format!("{moves} *")),
            ("", "1. e4 e5 1-0".to_owned()),
            ("", format!("{moves} 2. Ke8 1-0")),
            ("[Termination \"time forfeit\"]\n", format!("{moves} 1-0")),
            ("[FEN \"no position\"]\n", format!("{moves} 1-0")),
            // A mate that the result denies.
            (
                "",
                "1. f3 {0.00/1} e5 {0.00/1} 2. g4 {0.00/1} Qh4# {0.00/1} 1-0".to_owned(),
            ),
        ] {
            assert!(
                read(&format!("[Event \"?\"]\n{tags}\n{text}\n")).is_none(),
                "{tags}{text}"
            );
        }
        assert!(read(&format!("[Event \"?\"]\n\n{moves} 1-0\n")).is_some());
    }
}
