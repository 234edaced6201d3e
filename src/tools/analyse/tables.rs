//! Annotated games as CSV: a row for each player of a game, or for each move.

use std::io;

use super::accuracy::Accuracy;
use super::report::{GameReport, MoveReport, ShownEvaluation};
use crate::tools::kit::csv_text;

/// The columns of the table of players.
const PLAYER_HEADER: [&str; 23] = [
    "game",
    "player",
    "colour",
    "opponent",
    "result",
    "eco",
    "opening",
    "left_book",
    "inaccuracies",
    "mistakes",
    "blunders",
    "moves",
    "accuracy",
    "mean_loss",
    "opening_moves",
    "opening_accuracy",
    "opening_mean_loss",
    "middlegame_moves",
    "middlegame_accuracy",
    "middlegame_mean_loss",
    "endgame_moves",
    "endgame_accuracy",
    "endgame_mean_loss",
];

/// The columns of the table of moves.
const MOVE_HEADER: [&str; 16] = [
    "game",
    "ply",
    "number",
    "san",
    "uci",
    "fen",
    "marks",
    "evaluation",
    "expectation",
    "best",
    "best_evaluation",
    "source_evaluation",
    "engine_score",
    "time",
    "clock",
    "verdict",
];

/// Returns a table with a row for each player. Accuracy and mean loss are percentages, and empty
/// where no move counts. `left_book` is the first move after the lines of the opening book.
///
/// # Errors
/// Never fails in practice; the signature is that of the CSV writer.
pub fn players(games: &[GameReport]) -> io::Result<String> {
    let mut rows = Vec::new();
    for game in games.iter().filter(|game| game.fault.is_none()) {
        let [white, black] = game.names();
        let names = [[white, black], [black, white]];
        let colours = ["white", "black"];
        for ((player, [name, opponent]), colour) in game.players.iter().zip(names).zip(colours) {
            let mut row = vec![game.number.to_string()];
            row.extend([name, colour, opponent, &game.result].map(str::to_owned));
            row.extend(opening(game));
            row.extend(player.marks.map(|count| count.to_string()));
            row.extend(cells(&player.accuracy.overall));
            for phase in &player.accuracy.phases {
                row.extend(cells(phase));
            }
            rows.extend(<[String; 23]>::try_from(row));
        }
    }
    csv_text(PLAYER_HEADER, rows)
}

/// Returns the ECO code, the name of the opening, and the move that left the book.
fn opening(game: &GameReport) -> [String; 3] {
    let moves = &game.line.moves;
    let left = game.left_book.and_then(|ply| moves.get(ply - 1));
    let left = left.map(|left| format!("{} {}", left.number, left.san));
    let [eco, name] = game
        .opening
        .map_or(["", ""], |opening| [opening.eco, opening.name]);
    [eco.to_owned(), name.to_owned(), left.unwrap_or_default()]
}

fn cells(accuracy: &Accuracy) -> [String; 3] {
    let percent =
        |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    [
        accuracy.moves.to_string(),
        percent(accuracy.accuracy),
        percent(accuracy.loss),
    ]
}

/// Returns a table with a row for each move.
///
/// # Errors
/// As [`players`].
pub fn moves(games: &[GameReport]) -> io::Result<String> {
    let analysed = games.iter().filter(|game| game.fault.is_none());
    let rows = analysed.flat_map(|game| {
        let moves = game.line.moves.iter().zip(1u32..);
        moves.map(|(played, ply)| move_row(game, played, ply))
    });
    csv_text(MOVE_HEADER, rows)
}

fn move_row(game: &GameReport, played: &MoveReport, ply: u32) -> [String; 16] {
    let text = |shown: &Option<ShownEvaluation>| {
        let shown = shown.as_ref();
        shown.map(|shown| shown.text.clone()).unwrap_or_default()
    };
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let best = played.best.as_ref();
    [
        game.number.to_string(),
        ply.to_string(),
        played.number.clone(),
        played.san.clone(),
        played.uci.clone(),
        played.fen.clone(),
        played.marks.clone(),
        text(&played.evaluation),
        number(played.evaluation.as_ref().map(|shown| shown.expectation)),
        best.map(|best| best.san.clone()).unwrap_or_default(),
        best.and_then(|best| best.evaluation.clone())
            .unwrap_or_default(),
        text(&played.source_evaluation),
        text(&played.engine_score),
        number(played.time),
        number(played.clock),
        played.verdict.clone().unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::analyse::report;

    const PGN: &str = "[White \"A\"]\n[Black \"B, C\"]\n\n\
        1. f3 { [%eval -0.40] } e5 { [%eval -0.40] [%clk 0:01:00] } 2. g4 $4 { [%eval #-1] Blunder, which allows mate in 1. d4 was best (-0.50). } Qh4# 0-1\n\n\
        [Variant \"Atomic\"]\n\n1. e4 *\n";

    #[test]
    fn each_player_has_a_row() {
        let games = report::read(&mut PGN.as_bytes()).unwrap();
        let table = players(&games).unwrap();
        let rows: Vec<&str> = table.lines().skip(1).collect();
        let [white, black] = rows[..] else {
            panic!("{table}");
        };
        let opening = "A00,Barnes Opening: Fool's Mate,";
        let expected = format!("1,A,white,\"B, C\",0-1,{opening},0,0,1,2,23.7,");
        assert!(white.starts_with(&expected), "{white}");
        assert!(white.ends_with(",0,,,0,,"), "{white}");
        let cells = "2,100.0,0.0,2,100.0,0.0,0,,,0,,";
        assert_eq!(
            black,
            format!("1,\"B, C\",black,A,0-1,{opening},0,0,0,{cells}")
        );
    }

    #[test]
    fn each_move_has_a_row() {
        let games = report::read(&mut PGN.as_bytes()).unwrap();
        let table = moves(&games).unwrap();
        let rows: Vec<&str> = table.lines().collect();
        assert_eq!(rows.len(), 5);
        assert!(rows[2].starts_with("1,2,1...,e5,e7e5,rnbqkbnr/"), "{table}");
        assert!(rows[2].ends_with(",,,,,60,"), "{table}");
        let marked =
            ",??,#-1,0,d4,-0.50,,,,,\"Blunder, which allows mate in 1. d4 was best (-0.50).\"";
        assert!(rows[3].ends_with(marked), "{table}");
    }
}
