use clap::Parser;
use tempfile::tempdir;

use super::fit::fit;
use super::histogram::{OutcomeCell, Outcomes};
use super::*;
use crate::games::{GameResult, ScoredMove};
use crate::position::Position;
use crate::position::notation::{parse_fen, parse_uci};
use crate::random::Random;
use crate::wdl::{Model, TERMS};

/// A model in which all coefficients matter.
const TRUTH: Model = Model {
    least: 12,
    most: 78,
    a: [210.0, -180.0, 60.0, 25.0],
    b: [95.0, -60.0, 40.0, -20.0],
};

/// Returns cells whose results have exactly the probabilities of a model, with the same weight
/// everywhere.
fn expected_cells(model: &Model, weight: f64) -> Vec<OutcomeCell> {
    let mut cells = Vec::new();
    for material in model.least..=model.most {
        for score in (0..=1000).step_by(10) {
            let (win, loss) = model.win_and_loss(f64::from(score), material);
            cells.push(OutcomeCell {
                score,
                material,
                outcomes: Outcomes {
                    weights: [win, 1.0 - win - loss, loss].map(|chance| weight * chance),
                    positions: 1,
                },
            });
        }
    }
    cells
}

/// Returns cells with random results, this many for each score and material.
fn random_cells(model: &Model, results: usize, seed: u64) -> Vec<OutcomeCell> {
    let mut random = Random::new(seed);
    let mut cells = expected_cells(model, 1.0);
    for cell in &mut cells {
        let [win, draw, _] = cell.outcomes.weights;
        let mut weights = [0.0; 3];
        for _ in 0..results {
            let index = if random.chance(win) {
                0
            } else if random.chance(draw / (1.0 - win)) {
                1
            } else {
                2
            };
            weights[index] += 1.0;
        }
        cell.outcomes.weights = weights;
    }
    cells
}

/// Returns the largest differences of a and of b, in centipawns.
fn differences(one: &Model, other: &Model) -> (f64, f64) {
    (0..=90).fold((0.0, 0.0), |(by_a, by_b), material| {
        let ((a, b), (c, d)) = (one.at(material), other.at(material));
        (f64::max(by_a, (a - c).abs()), f64::max(by_b, (b - d).abs()))
    })
}

#[test]
fn a_fit_to_what_a_model_says_is_that_model() {
    let fitted = fit(&expected_cells(&TRUTH, 3.0)).unwrap();
    assert_eq!((fitted.model.least, fitted.model.most), (12, 78));
    let (a, b) = differences(&fitted.model, &TRUTH);
    assert!(a < 0.01 && b < 0.01, "{fitted:?}");
}

#[test]
fn a_fit_to_random_results_is_near_the_truth_and_always_the_same() {
    let cells = random_cells(&TRUTH, 30, 1);
    let fitted = fit(&cells).unwrap();
    // 200,000 results.
    let (a, b) = differences(&fitted.model, &TRUTH);
    assert!(a < 8.0 && b < 4.0, "{a} {b} {fitted:?}");
    assert_eq!(fit(&cells).unwrap(), fitted);
    // No model nearby has a greater likelihood.
    for term in 0..2 * TERMS {
        for by in [-0.5, 0.5] {
            let mut near = fitted.model;
            *near.a.iter_mut().chain(&mut near.b).nth(term).unwrap() += by;
            assert!(super::fit::loss(&near, &cells) > super::fit::loss(&fitted.model, &cells));
        }
    }
}

#[test]
fn nothing_tried_is_likelier_at_one_material() {
    // With a single amount of material only the constant terms matter, which can be found by trial.
    let cells: Vec<OutcomeCell> = random_cells(&TRUTH, 20, 2)
        .into_iter()
        .filter(|cell| cell.material == 40)
        .collect();
    let fitted = fit(&cells).unwrap();
    let loss = |a: f64, b: f64| {
        let model = Model {
            least: 40,
            most: 40,
            a: [a, 0.0, 0.0, 0.0],
            b: [b, 0.0, 0.0, 0.0],
        };
        super::fit::loss(&model, &cells)
    };
    let tried = (1000..1800)
        .step_by(5)
        .flat_map(|a| (400..1200).step_by(5).map(move |b| (a, b)));
    let (a, b) = tried
        .map(|(a, b)| (f64::from(a) / 10.0, f64::from(b) / 10.0))
        .min_by(|one, other| loss(one.0, one.1).total_cmp(&loss(other.0, other.1)))
        .unwrap();
    let (found_a, found_b) = fitted.model.at(40);
    assert!(
        (found_a - a).abs() <= 1.0 && (found_b - b).abs() <= 1.0,
        "{a} {b} {fitted:?}"
    );
}

#[test]
fn the_scale_is_that_of_the_results() {
    for scale in [90.0, 240.0] {
        let mut cells = expected_cells(&TRUTH, 2.0);
        for cell in &mut cells {
            let points = 1.0 / (1.0 + (-f64::from(cell.score) / scale).exp());
            // A third of the games are drawn by the side behind.
            let drawn = (1.0 - points) * 2.0 / 3.0;
            cell.outcomes.weights = [points - drawn / 2.0, drawn, 1.0 - points - drawn / 2.0];
        }
        let found = super::fit::fit_scale(&cells);
        assert!((found - scale).abs() < 0.2, "{found}");
    }
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let message = |cells: &[OutcomeCell]| {
        fit(cells).map_or_else(|error| error.to_string(), |_| String::new())
    };
    let mut cells = expected_cells(&TRUTH, 1.0);
    for cell in &mut cells {
        cell.outcomes.weights[1] = 0.0;
    }
    assert!(message(&cells).contains("none was drawn"));
}

fn game(result: GameResult, scores: &[i16]) -> RecordedGame {
    // The rooks move back and forth: 10 pawns of material.
    let start = parse_fen("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", false)
        .unwrap()
        .position;
    game_of(start, &["a1b1", "h8g8", "b1a1", "g8h8"], result, scores)
}

fn game_of(start: Position, moves: &[&str], result: GameResult, scores: &[i16]) -> RecordedGame {
    let mut position = start.clone();
    let moves = scores
        .iter()
        .zip(moves.iter().cycle())
        .map(|(&score, text)| {
            let m = parse_uci(&position, text).unwrap();
            position = position.play(m);
            ScoredMove { m, score }
        })
        .collect();
    RecordedGame {
        start,
        result,
        expected: None,
        moves,
    }
}

const SELECTION: Selection = Selection {
    max_score: 500,
    from_ply: 2,
};

#[test]
fn positions_are_seen_from_the_side_ahead() {
    let mut histogram = Histogram::new(SELECTION);
    // Of the first game, only the scores 100 and -100 are used: the first two are too early, 32,000
    // is a tablebase win, and the others are too large.
    let scores = [7, 8, 100, -100, 501, 32_000, -501];
    histogram.add(&game(GameResult::White, &scores)).unwrap();
    histogram
        .add(&game(GameResult::Draw, &[0, 0, -100]))
        .unwrap();
    histogram.add(&game(GameResult::Black, &[0, 0, 0])).unwrap();
    let mut cut_off = game(GameResult::Black, &[0, 0, 100]);
    cut_off.expected = Some(0.5);
    histogram.add(&cut_off).unwrap();
    assert_eq!((histogram.games, histogram.positions), (3, 4));
    assert_eq!(histogram.lots, 1);
    let cell = |score, weights, positions| OutcomeCell {
        score,
        material: 10,
        outcomes: Outcomes { weights, positions },
    };
    assert_eq!(
        histogram.cells(),
        [cell(0, [0.0, 0.0, 1.0], 1), cell(100, [0.5, 1.0, 0.5], 3)]
    );
}

#[test]
fn a_game_weighs_one_at_each_material() {
    let start = parse_fen("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", false)
        .unwrap()
        .position;
    let mut histogram = Histogram::new(SELECTION);
    let moves = ["e1d1", "e8d8", "d1c1", "d8c8", "a1a8", "c8b7", "a8a1"];
    let scores = [0, 0, 10, 20, 30, 40, 50];
    histogram
        .add(&game_of(start, &moves, GameResult::White, &scores))
        .unwrap();
    let weights: Vec<(u32, u16, f64)> = histogram
        .cells()
        .iter()
        .map(|cell| (cell.material, cell.score, cell.outcomes.weight()))
        .collect();
    let third = 1.0 / 3.0;
    assert_eq!(
        weights,
        [
            (5, 40, 0.5),
            (5, 50, 0.5),
            (10, 10, third),
            (10, 20, third),
            (10, 30, third)
        ]
    );
}

#[test]
fn an_illegal_move_adds_nothing() {
    let mut bad = game(GameResult::White, &[0, 0, 0, 0]);
    bad.moves.swap(0, 1);
    let mut histogram = Histogram::new(SELECTION);
    assert!(histogram.add(&bad).is_err());
    assert_eq!((histogram.games, histogram.positions), (0, 0));
}

/// Writes a file of games whose results follow a model.
fn written_games(path: &std::path::Path, games: usize) {
    let mut random = Random::new(7);
    let mut bytes = Vec::new();
    for _ in 0..games {
        let score = random.below(600) as i16 - 300;
        let (win, loss) = TRUTH.win_and_loss(f64::from(score), 12);
        let result = if random.chance(win) {
            GameResult::White
        } else if random.chance(loss / (1.0 - win)) {
            GameResult::Black
        } else {
            GameResult::Draw
        };
        bytes.extend(game(result, &[score; 12]).to_bytes().unwrap());
    }
    // An incomplete game, as while a run is writing it.
    bytes.extend(&game(GameResult::Draw, &[0; 12]).to_bytes().unwrap()[..60]);
    std::fs::write(path, bytes).unwrap();
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: WdlArgs,
}

fn args(words: &[&str]) -> Result<WdlArgs, String> {
    let words = [&["wdl"], words].concat();
    Cli::try_parse_from(words)
        .map(|cli| cli.args)
        .map_err(|error| error.to_string())
}

#[test]
fn games_become_a_source_file() {
    let folder = tempdir().unwrap();
    let (games, model) = (
        folder.path().join("games.vf"),
        folder.path().join("model.rs"),
    );
    written_games(&games, 20_000);
    let (games, model) = (games.to_str().unwrap(), model.to_str().unwrap());
    let write = format!("--write={model}");
    let args = args(&[games, "--of", "a test", &write]).unwrap();
    let mut text = Vec::new();
    run(&args, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.starts_with("20000 games, 80000 positions used"),
        "{text}"
    );
    assert!(
        text.contains("material 0 to 14: predicted | observed"),
        "{text}"
    );
    assert!(!text.contains("material 15 to 29"), "{text}");
    let written = std::fs::read_to_string(model).unwrap();
    assert!(
        written.contains("fitted to 20000 games of a test\n//! (80000 positions)"),
        "{written}"
    );
    assert!(
        written.contains("least: 10,\n    most: 10,\n    a: ["),
        "{written}"
    );
    // Its predictions for these games are close to the model that decided them.
    let (histogram, _) = read(&args).unwrap();
    let Fitted { model, .. } = fit(&histogram.cells()).unwrap();
    let ((a, b), (c, d)) = (model.at(10), TRUTH.at(12));
    assert!(
        (a - c).abs() < 5.0 && (b - d).abs() < 5.0,
        "{a} {b} {c} {d}"
    );
}

#[test]
fn the_model_is_written_although_nobody_reads_the_output() {
    let folder = tempdir().unwrap();
    let (games, model) = (
        folder.path().join("games.vf"),
        folder.path().join("model.rs"),
    );
    written_games(&games, 20_000);
    let write = format!("--write={}", model.display());
    let args = args(&[games.to_str().unwrap(), &write]).unwrap();
    // A slice has no room for more, like a pipe that nobody reads.
    let error = run(&args, &mut [0u8; 100].as_mut_slice()).unwrap_err();
    assert!(matches!(error, FitError::Tool(_)), "{error}");
    assert!(
        std::fs::read_to_string(&model)
            .unwrap()
            .contains("fitted to 20000 games")
    );
}

#[test]
fn the_model_is_shown_although_its_file_cannot_be_written() {
    let folder = tempdir().unwrap();
    let games = folder.path().join("games.vf");
    written_games(&games, 20_000);
    let write = format!("--write={}", folder.path().join("none/model.rs").display());
    let args = args(&[games.to_str().unwrap(), &write]).unwrap();
    let mut shown = Vec::new();
    let error = run(&args, &mut shown).unwrap_err();
    assert!(matches!(error, FitError::Tool(_)), "{error}");
    assert!(String::from_utf8(shown).unwrap().contains("material"));
}

#[test]
fn the_source_of_the_model_is_what_the_tool_writes() {
    let origin = Origin {
        games: 1,
        positions: 1,
        of: "nobody",
    };
    let code = |text: &str| {
        text.split_once("use super::Model")
            .map(|(_, code)| code.to_owned())
    };
    let written = code(&source::source(Model::current(), &origin));
    let source = include_str!("../../../wdl/model.rs").replace("\r\n", "\n");
    assert!(written.is_some() && written == code(&source));
}

#[test]
fn bad_input_is_named() {
    let folder = tempdir().unwrap();
    let message = |words: &[&str]| {
        let result = run(&args(words).unwrap(), &mut Vec::new());
        result.map_or_else(|error| error.to_string(), |_| String::new())
    };
    let empty = folder.path().join("empty.vf");
    std::fs::write(&empty, []).unwrap();
    assert!(message(&[empty.to_str().unwrap()]).contains(": no game found"));
    let onto_itself = format!("--write={}", empty.display());
    assert!(message(&[empty.to_str().unwrap(), &onto_itself]).contains("different files"));
    let missing = folder.path().join("missing.vf");
    assert!(message(&[missing.to_str().unwrap()]).contains("missing.vf"));
    let text = folder.path().join("text.vf");
    std::fs::write(&text, "not games\0\0\0\0".repeat(30)).unwrap();
    assert!(message(&[text.to_str().unwrap()]).contains("text.vf: byte 0: game 1"));
    let games = folder.path().join("games.vf");
    written_games(&games, 200);
    let games = games.to_str().unwrap();
    assert_eq!(
        message(&[games, "--from-ply", "12"]),
        "200 games, but no position with a score within 1000 cp from ply 12 on"
    );
    let nowhere = folder.path().join("no/such/folder/model.rs");
    let written = message(&[games, &format!("--write={}", nowhere.display())]);
    assert!(written.contains("no/such/folder/model.rs"), "{written}");
    assert!(args(&[]).is_err());
    assert!(args(&["x.vf", "--max-score", "99"]).is_err());
    assert!(args(&["x.vf", "--of", "a\nb"]).is_err());
    // `--write x.vf` does not take the file of games for the file to write.
    assert_eq!(args(&["--write", "x.vf", "y.vf"]).unwrap().games.len(), 2);
}
