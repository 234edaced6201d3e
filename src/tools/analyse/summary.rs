//! A table of the players' accuracy.

use std::io;

use super::accuracy::Accuracy;
use super::report::GameReport;
use crate::tools::kit::csv_text;

/// The columns; those from `moves` on are repeated for each phase.
const HEADER: [&str; 17] = [
    "game",
    "player",
    "colour",
    "opponent",
    "result",
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

/// Returns a table of annotated games with a row for each player, as CSV. Accuracy and mean loss
/// are percentages, and empty where no move counts.
///
/// # Errors
/// Never fails in practice; the signature is that of the CSV writer.
pub fn csv(games: &[GameReport]) -> io::Result<String> {
    let mut rows = Vec::new();
    for game in games.iter().filter(|game| game.fault.is_none()) {
        let [white_name, black_name] =
            ["White", "Black"].map(|colour| game.tag(colour).unwrap_or("?").to_owned());
        let [white, black] = game.accuracy;
        for (accuracy, colour, [name, opponent]) in [
            (white, "white", [&white_name, &black_name]),
            (black, "black", [&black_name, &white_name]),
        ] {
            let mut row = vec![game.number.to_string(), name.clone(), colour.to_owned()];
            row.extend([opponent.clone(), game.result.clone()]);
            row.extend(cells(&accuracy.overall));
            for phase in &accuracy.phases {
                row.extend(cells(phase));
            }
            rows.extend(<[String; 17]>::try_from(row));
        }
    }
    csv_text(HEADER, rows)
}

fn cells(accuracy: &Accuracy) -> [String; 3] {
    let percent = |value: f64| match accuracy.moves {
        0 => String::new(),
        _ => format!("{value:.1}"),
    };
    [
        accuracy.moves.to_string(),
        percent(accuracy.accuracy),
        percent(accuracy.loss),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::analyse::report;

    #[test]
    fn each_player_has_a_row() {
        let pgn = "[White \"A\"]\n[Black \"B, C\"]\n\n1. f3 { [%eval 0.00] } e5 { [%eval 0.00] } 2. g4 { [%eval #-1] } Qh4# 0-1\n\n\
                   [Variant \"Atomic\"]\n\n1. e4 *\n";
        let games = report::read(&mut pgn.as_bytes()).unwrap();
        let table = csv(&games).unwrap();
        let rows: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "1,A,white,\"B, C\",0-1,1,8.5,50.0,1,8.5,50.0,0,,,0,,",
                "1,\"B, C\",black,A,0-1,2,100.0,0.0,2,100.0,0.0,0,,,0,,"
            ]
        );
    }
}
