//! Tests of the session.

use super::super::output::test_support::{Written, in_memory, written};
use super::*;

/// Returns a session and its output.
fn session() -> (Session, Written) {
    let router = Arc::new(CommandRouter::default());
    let (output, written) = in_memory(router.clone());
    let session = Session::new(Searcher::new(1).unwrap(), router, Arc::new(output));
    (session, written)
}

/// Handles a line as the loop does and returns its output.
fn answer((session, out): &mut (Session, Written), line: &str) -> String {
    let job = match line.parse() {
        Ok(command) => session.router.job(command, Instant::now()),
        Err(error) => Job::Refused(error),
    };
    let _ = session.handle(job);
    written(out)
}

#[test]
fn positions_are_kept_when_the_next_one_is_refused() {
    let mut s = session();
    assert_eq!(answer(&mut s, "position startpos moves e2e4 e7e5"), "");
    let key = s.0.game.position.key();
    for (line, part) in [
        (
            "position startpos moves e2e4 e2e4",
            "move 2: illegal move: \"e2e4\"",
        ),
        (
            "position startpos moves e2e4 frob",
            "move 2: not a move: \"frob\"",
        ),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
        ("position fen nonsense", "fen \"nonsense\": not a FEN"),
        ("position", "expected startpos or fen"),
    ] {
        let text = answer(&mut s, line);
        assert!(text.starts_with("info string error: position"), "{text}");
        assert!(text.contains(part), "{text}");
        assert_eq!(s.0.game.position.key(), key);
    }
}

#[test]
fn counts_move_paths() {
    let mut s = session();
    let text = answer(&mut s, "perft 3");
    assert!(text.contains("e2e4: 600\n") && text.contains("Nodes searched: 8902\n"));
    assert!(answer(&mut s, "go perft 1").contains("Nodes searched: 20\n"));
    assert!(answer(&mut s, "perft 0").contains("Nodes searched: 1\n"));
}

#[test]
fn shows_the_position() {
    let mut s = session();
    answer(
        &mut s,
        "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    );
    let text = answer(&mut s, "d");
    assert!(text.starts_with("8   r n b . k b n r\n"), "{text}");
    assert!(text.contains("Checkers: h4\n"), "{text}");
    assert!(answer(&mut s, "go depth 3").ends_with("info depth 0 score mate 0\nbestmove (none)\n"));
    assert!(answer(&mut s, "help").contains("Move Overhead"));
}

#[test]
fn debug_mode_shows_the_parsed_command() {
    let mut s = session();
    answer(&mut s, "debug on");
    let text = answer(&mut s, "go depth 1 frob searchmoves e2e4");
    assert!(text.contains("parsed: go depth 1 searchmoves e2e4\n"));
    assert!(text.contains("error: go: ignored unknown token \"frob\""));
    assert!(text.contains("bestmove "), "{text}");
}
