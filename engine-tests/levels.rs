//! Tests of limited strength: play is repeatable and legal, finds simple tactics, and wins won
//! positions.

use std::time::Duration;

use quevedo::engine::{Analysis, Control, GameState, Go, Limits, Searcher, Silent};
use quevedo::position::notation;
use quevedo::position::{Move, Position};
use quevedo::score::Score;
use quevedo::search::skill::{MIN_ELO, SkillProfile};

use crate::harness;

/// The strongest level in these tests. Stronger ones search too many nodes.
const STRONG: u32 = 2100;

/// The levels in these tests.
const LEVELS: [u32; 6] = [MIN_ELO, 1100, 1350, 1600, 1850, STRONG];

fn engine() -> Searcher {
    Searcher::new(1).unwrap()
}

fn limited(elo: u32, seed: u64) -> Searcher {
    let mut engine = engine();
    engine
        .change_strength(|strength| {
            strength.limited = true;
            strength.elo = elo;
            strength.seed = seed;
        })
        .unwrap();
    engine
}

fn go(engine: &mut Searcher, game: &GameState, limits: &Limits) -> Analysis {
    let analysis = engine.search(game, limits, Go::now(&Control::default()), &Silent);
    assert_eq!(analysis.errors, [""; 0]);
    analysis
}

/// Returns the move, score and nodes of a search of the initial position.
fn go_initial(engine: &mut Searcher, limits: &Limits) -> (Option<Move>, Option<Score>, u64) {
    let analysis = go(engine, &GameState::default(), limits);
    (analysis.best_move, analysis.score, analysis.nodes)
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

#[test]
fn an_iteration_that_does_not_end_is_interrupted() {
    // From halfmove 90 on, 15 plies from here, results hold for one halfmove clock only.
    let game = GameState::new(position("8/7B/8/8/5b2/k7/1p5p/7K b - - 75 228"));
    let limits = Limits {
        movetime: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    let analysis = go(&mut limited(2350, 1), &game, &limits);
    let usual = SkillProfile::from_elo(2350).nodes as u64;
    assert!(analysis.nodes <= 4 * usual, "{} nodes", analysis.nodes);
}

#[test]
fn the_first_iteration_of_a_low_level_is_completed() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let game = GameState::new(position(fen));
    for elo in [800, 950, 1100, 1350] {
        let analysis = go(&mut limited(elo, 1), &game, &Limits::default());
        let usual = SkillProfile::from_elo(elo).nodes as u64;
        assert!(
            analysis.nodes > 4 * usual,
            "{elo}: {} nodes",
            analysis.nodes
        );
    }
}

fn position(fen: &str) -> Position {
    notation::parse_fen(fen, false).unwrap().position
}

/// Plays from a position until the game is over or this many plies are played; the first engine
/// moves first. Checks that every move is legal.
fn play(engines: [&mut Searcher; 2], limits: [&Limits; 2], fen: &str, plies: usize) -> Vec<Move> {
    let mut game = GameState::new(position(fen));
    let mut moves = Vec::new();
    for ply in 0..plies {
        let position = &game.position;
        if !position.has_legal_move() || position.is_insufficient_material() {
            break;
        }
        let outcome = go(engines[ply % 2], &game, limits[ply % 2]);
        let m = outcome.best_move.expect("there is a legal move");
        assert!(position.is_legal(m), "{m:?} in {}", notation::fen(position));
        game.play(m);
        moves.push(m);
    }
    moves
}

/// Plays a game of a level against itself.
fn game(elo: u32, seed: u64, plies: usize) -> Vec<Move> {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let limits = Limits::default();
    let (mut white, mut black) = (limited(elo, seed), limited(elo, seed));
    play([&mut white, &mut black], [&limits, &limits], start, plies)
}

#[test]
fn games_are_legal_and_with_a_seed_repeatable() {
    for elo in LEVELS {
        let plies = if elo == STRONG { 3 } else { 40 };
        let first = game(elo, 7, plies);
        assert_eq!(first, game(elo, 7, plies), "{elo}");
        if elo <= 1600 {
            assert_ne!(first, game(elo, 8, plies), "{elo}");
        }
    }
}

#[test]
fn what_was_searched_before_changes_nothing() {
    let mut fresh = limited(1350, 3);
    let expected = go_initial(&mut fresh, &Limits::default());
    let mut used = limited(1350, 3);
    let analysis = Limits {
        mate: Some(9),
        ..nodes(30_000)
    };
    go_initial(&mut used, &analysis);
    assert_eq!(go_initial(&mut used, &Limits::default()), expected);
    // Deliberate errors do not reach the hash table of full strength.
    let mut unlimited = engine();
    let honest = go_initial(&mut unlimited, &nodes(5_000));
    let mut careless = limited(1350, 3);
    go_initial(&mut careless, &Limits::default());
    careless
        .change_strength(|strength| strength.limited = false)
        .unwrap();
    assert_eq!(go_initial(&mut careless, &nodes(5_000)), honest);
}

#[test]
fn without_a_seed_games_differ() {
    // Not all GUIs announce a new game.
    for is_announced in [true, false] {
        let mut engine = limited(1100, 0);
        let mut firsts: Vec<Option<Move>> = (0..24)
            .map(|_| {
                if is_announced {
                    engine.new_game();
                }
                go_initial(&mut engine, &Limits::default()).0
            })
            .collect();
        firsts.sort_unstable_by_key(|m| m.map(Move::code));
        firsts.dedup();
        assert!(firsts.len() > 2, "{firsts:?}");
    }
}

/// Positions in which the side to move can win a queen.
const HANGING_QUEENS: [&str; 12] = [
    "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
    "rnb1kbnr/pp2pppp/2p5/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 4",
    "r1b1kbnr/pppp1ppp/2n5/4p3/4P2q/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4",
    "rnbqkbnr/ppp2ppp/8/3pp3/4P1Q1/8/PPPP1PPP/RNB1KBNR b KQkq - 0 3",
    "rnbqkb1r/pppp1pp1/5n1p/4p1Q1/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 4",
    "r1bqkbnr/pppp1pp1/2n4p/4p1Q1/4P3/3P4/PPP2PPP/RNB1KBNR b KQkq - 0 4",
    "6k1/5ppp/8/3q4/8/2N5/5PPP/6K1 w - - 0 1",
    "6k1/5ppp/1q6/8/8/4B3/5PPP/6K1 w - - 0 1",
    "3r2k1/5ppp/8/8/3Q4/8/5PPP/6K1 b - - 0 1",
    "r5k1/p7/8/3q4/4P3/8/8/Q5K1 w - - 0 1",
    "8/5k2/8/4n3/8/3Q4/6K1/8 b - - 0 1",
    "2r3k1/5ppp/8/8/2Q5/8/5PPP/5RK1 b - - 0 1",
];

#[test]
fn a_hanging_queen_is_taken_at_every_level() {
    use shakmaty::Role;
    for fen in HANGING_QUEENS {
        let position = position(fen);
        let takes = |m: Move| position.captured(m) == Some(Role::Queen);
        let mut full_strength = engine();
        let game = GameState::new(position.clone());
        let best = go(&mut full_strength, &game, &nodes(20_000)).best_move;
        assert!(best.is_some_and(takes), "{best:?} in {fen}");
        for elo in LEVELS {
            for seed in 1..=if elo == STRONG { 1 } else { 4 } {
                let mut engine = limited(elo, seed);
                let played = go(&mut engine, &game, &Limits::default())
                    .best_move
                    .unwrap();
                assert!(takes(played), "{elo}, seed {seed}: {played:?} in {fen}");
            }
        }
    }
}

#[test]
fn the_lowest_level_mates_a_lone_king() {
    let (attack, defence) = (Limits::default(), nodes(20_000));
    for (fen, seed) in [
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 1),
        ("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", 2),
        ("K7/8/8/4k3/8/8/8/7R w - - 0 1", 3),
        ("8/8/3rk3/8/8/8/4K3/8 b - - 0 1", 4),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 5),
        ("7K/8/8/3k4/8/8/8/Q7 w - - 0 1", 6),
        ("8/8/3qk3/8/8/8/8/6K1 b - - 0 1", 7),
    ] {
        let (mut weak, mut strong) = (limited(MIN_ELO, seed), engine());
        let moves = play([&mut weak, &mut strong], [&attack, &defence], fen, 99);
        let end = moves
            .iter()
            .fold(position(fen), |position, &m| position.play(m));
        assert!(
            end.in_check() && !end.has_legal_move(),
            "{} moves from {fen}: {}",
            moves.len() / 2,
            notation::fen(&end)
        );
        assert_eq!(moves.len() % 2, 1, "{fen}");
    }
}

/// Returns the nodes of the last line before the best move.
fn nodes_searched(engine: &mut harness::Engine, go: &str) -> u64 {
    engine.send(go);
    let lines = engine.read_to("bestmove");
    let line = lines
        .iter()
        .rev()
        .find(|line| line.starts_with("info depth"));
    let mut words = line
        .expect("a line")
        .split(' ')
        .skip_while(|&word| word != "nodes");
    words.nth(1).expect("a number").parse().expect("a number")
}

#[test]
fn the_protocol_limits_play_and_not_analysis() {
    let mut engine = harness::Engine::new();
    engine.send("setoption name UCI_Elo value 1350\nsetoption name LevelSeed value 5");
    engine.send("position startpos moves e2e4");
    let many = nodes_searched(&mut engine, "go depth 14");
    assert!(many > 15_000, "{many}");
    engine.send("setoption name uci_limitstrength value true");
    let few = nodes_searched(&mut engine, "go depth 14");
    assert!(few < 15_000, "{few}");
    assert_eq!(
        few,
        nodes_searched(&mut engine, "go wtime 6000000 btime 6000000")
    );
    // The smaller limit wins.
    assert!(nodes_searched(&mut engine, "go nodes 100") <= 101);
    assert!(nodes_searched(&mut engine, "go depth 1") < few);
    // `UCI_Elo` takes precedence over `Skill Level`.
    engine.send("setoption name Skill Level value 19");
    assert_eq!(few, nodes_searched(&mut engine, "go depth 14"));
    engine.send("setoption name UCI_LimitStrength value false\nsetoption name Skill Level value 3");
    assert!(nodes_searched(&mut engine, "go depth 14") < 15_000);
    // Analysis is not limited.
    engine.send("setoption name UCI_AnalyseMode value true\nucinewgame");
    assert_eq!(many, nodes_searched(&mut engine, "go depth 14"));
    engine.quit();
}

#[test]
fn a_limited_search_shows_the_line_that_it_plays() {
    let mut engine = harness::Engine::new();
    engine.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
    for seed in 1..=10 {
        engine.send(&format!("setoption name LevelSeed value {seed}"));
        engine.send("position startpos moves d2d4\ngo movetime 1000");
        let lines = engine.read_to("bestmove");
        let shown: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
        assert_eq!(shown.len(), 1, "{lines:?}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        let pv = shown[0].split(" pv ").nth(1).unwrap();
        assert_eq!(pv.split(' ').next(), Some(best), "{lines:?}");
    }
    engine.quit();
}
