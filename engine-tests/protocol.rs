//! The protocol with the real program: `isready`, `stop`, `ponderhit` and the moment of `bestmove`.
//! Most tests stand for a complaint that users have had about some engine.

use std::time::{Duration, Instant};

use crate::harness::{Engine, MOMENT, PATIENCE, is_move};

const MATED: &str = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// Bare kings are a draw in every line, so that the maximum depth is reached at once.
const BARE_KINGS: &str = "position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1";

#[test]
fn isready_is_answered_while_searching() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    for _ in 0..3 {
        let lines = engine.ready();
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn isready_waits_for_a_slow_setoption() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 512\nucinewgame\nsetoption name Nonsense\nisready");
    let lines = engine.read_to("readyok");
    // The message of the previous command comes first: isready took its turn.
    assert!(
        lines.iter().any(|line| line.contains("Nonsense")),
        "{lines:?}"
    );
    engine.quit();
}

#[test]
fn isready_after_stop_waits_for_the_options_before_it() {
    let mut engine = Engine::new();
    for _ in 0..5 {
        engine.send("go infinite\nisready");
        engine.read_to("readyok");
        engine.send("stop\nucinewgame\nsetoption name Nonsense\nisready");
        let lines = engine.read_to("readyok");
        for expected in ["bestmove", "Nonsense"] {
            assert!(
                lines.iter().any(|line| line.contains(expected)),
                "{lines:?}"
            );
        }
    }
    engine.quit();
}

#[test]
fn isready_behind_a_search_that_waits_is_answered() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 256\ngo infinite\nisready\nisready");
    engine.read_to("readyok");
    engine.read_to("readyok");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn stop_without_a_search_is_for_no_search() {
    let mut engine = Engine::new();
    engine.send("stop\ngo infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn stop_ends_a_search_at_once() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.read_for(MOMENT);
    let sent = Instant::now();
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    assert!(sent.elapsed() < PATIENCE / 2);
    engine.quit();
}

#[test]
fn stop_after_a_search_is_for_no_later_one() {
    let mut engine = Engine::new();
    engine.send("go depth 1");
    engine.best_move();
    engine.send("stop\ngo infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn stop_right_behind_go_is_for_that_go() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        engine.send("go infinite\nstop");
        assert!(is_move(&engine.best_move()));
    }
    // The same for a search that waits behind a slow command, and for several.
    engine.send("setoption name Hash value 256\ngo infinite\ngo infinite\nstop");
    engine.best_move();
    engine.best_move();
    engine.send("go infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn one_bestmove_for_each_go() {
    let mut engine = Engine::new();
    engine.send("go depth 1\ngo nodes 10\ngo movetime 20\ngo depth 2");
    for _ in 0..4 {
        engine.best_move();
    }
    engine.expect_no_move_for(MOMENT);
    engine.quit();
}

#[test]
fn commands_during_a_search_wait_for_its_end() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo infinite");
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("setoption name Hash value 8\nsetoption name MultiPV value 2\nucinewgame");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    assert!(engine.fen().contains("/4p3/4P3/"));
    engine.send("go depth 2");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn a_go_that_waits_for_another_has_all_of_its_time() {
    let mut engine = Engine::new();
    engine.send("go movetime 1000\nposition startpos moves e2e4\ngo movetime 300");
    engine.best_move();
    let lines = engine.read_to("bestmove");
    let times = lines.iter().filter_map(|line| {
        let (_, rest) = line.split_once(" time ")?;
        rest.split(' ').next()?.parse::<u64>().ok()
    });
    let times: Vec<u64> = times.collect();
    assert!(times[0] < 900 && times[times.len() - 1] > 200, "{lines:?}");
    engine.quit();
}

#[test]
fn a_ponder_hit_ends_in_a_move() {
    let mut engine = Engine::new();
    engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500");
    engine.expect_no_move_for(Duration::from_millis(700));
    engine.send("ponderhit");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn the_score_is_reported_again_after_a_ponder_hit() {
    let mut engine = Engine::new();
    for go in ["go ponder depth 5", "go ponder wtime 20 btime 20"] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(go);
        engine.expect_no_move_for(Duration::from_millis(700));
        engine.send("ponderhit");
        let lines = engine.read_to("bestmove");
        let [.., info, best] = lines.as_slice() else {
            panic!("{go}: {lines:?}");
        };
        let m = best.split_whitespace().nth(1).expect("a move");
        assert!(info.contains(" score "), "{go}: {lines:?}");
        assert!(info.contains(&format!(" pv {m}")), "{go}: {lines:?}");
    }
    engine.quit();
}

#[test]
fn a_ponder_miss_is_stopped() {
    let mut engine = Engine::new();
    engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop\nposition startpos moves e2e4 c7c5\ngo ponder movetime 1");
    engine.best_move();
    engine.expect_no_move_for(MOMENT);
    engine.send("ponderhit");
    engine.best_move();
    engine.quit();
}

#[test]
fn the_budget_runs_from_the_ponder_hit() {
    let mut engine = Engine::new();
    engine.send("go ponder movetime 400");
    engine.expect_no_move_for(Duration::from_millis(600));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    let taken = hit.elapsed();
    assert!(
        taken > Duration::from_millis(300) && taken < PATIENCE / 2,
        "{taken:?}"
    );
    engine.quit();
}

#[test]
fn a_search_that_has_pondered_long_enough_ends_with_the_hit() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo ponder wtime 20000 btime 20000");
    engine.expect_no_move_for(Duration::from_secs(4));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    // The hard limit is beyond two seconds.
    let taken = hit.elapsed();
    assert!(taken < Duration::from_secs(2), "{taken:?}");
    engine.quit();
}

#[test]
fn a_ponder_hit_in_the_queue_is_not_lost() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 256\ngo ponder movetime 50\nponderhit");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

/// Checks the answer to `go` in a position, and that it is withheld under `infinite` and `ponder`.
fn no_early_move(position: &str, answer: impl Fn(&str) -> bool) {
    let mut engine = Engine::new();
    engine.send(position);
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        ("go ponder movetime 10", "stop"),
        ("go infinite depth 2", "stop"),
    ] {
        engine.send(go);
        engine.expect_no_move_for(MOMENT);
        engine.send(end);
        let best = engine.best_move();
        assert!(answer(&best), "{go}, {end}: {best}");
    }
    engine.quit();
}

#[test]
fn no_early_bestmove_at_a_mate() {
    no_early_move(MATED, |best| best == "(none)");
}

#[test]
fn no_early_bestmove_at_a_stalemate() {
    no_early_move(STALEMATE, |best| best == "(none)");
}

#[test]
fn no_early_bestmove_at_full_depth() {
    no_early_move(BARE_KINGS, is_move);
    // Mate in one: nothing is left to search.
    no_early_move("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", is_move);
}

#[test]
fn a_move_leaves_time_on_the_clock() {
    let mut engine = Engine::new();
    engine.ready();
    for clock in [
        "wtime 2000 btime 2000",
        "wtime 2000 btime 2000 winc 100",
        "wtime 2000 btime 2000 movestogo 2",
    ] {
        let sent = Instant::now();
        engine.send(&format!("position startpos\ngo {clock}"));
        assert!(is_move(&engine.best_move()));
        assert!(sent.elapsed() < Duration::from_secs(2), "{clock}");
    }
    // Nearly all of the time is the overhead; without it the search would take seconds.
    engine.send("setoption name Move Overhead value 5000\ngo wtime 6000 btime 6000 movestogo 1");
    let sent = Instant::now();
    engine.best_move();
    assert!(sent.elapsed() < Duration::from_secs(3));
    engine.quit();
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut engine = Engine::new();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, m) in [("false", "e1g1"), ("true", "e1h1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.send(&format!("{position}\ngo depth 2 searchmoves {m}"));
        assert_eq!(engine.best_move(), m);
    }
    engine.quit();
}

#[test]
fn the_end_of_the_game_is_told() {
    let mut engine = Engine::new();
    for (position, info) in [
        (MATED, "info depth 0 score mate 0"),
        (STALEMATE, "info depth 0 score cp 0"),
    ] {
        engine.send(&format!("{position}\ngo wtime 1000 btime 1000"));
        let lines = engine.read_to("bestmove");
        assert_eq!(lines, [info, "bestmove (none)"]);
    }
    engine.quit();
}
