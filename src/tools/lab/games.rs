//! `quevedo lab games`: the games by their properties.

use std::io::Write;

use super::{LabError, print_json, print_table};
use crate::lab::games::kinds::kinds;
use crate::lab::language::Language;

/// The arguments of `lab games`.
#[derive(Clone, Debug, clap::Args)]
pub struct GamesArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub(super) fn run(args: &GamesArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let kinds = kinds(lang);
    if args.json {
        return print_json(out, &kinds);
    }
    let titles = lang.pick(
        [
            "game",
            "players",
            "moves",
            "information",
            "chance",
            "zero sum",
            "quevedo lab ..",
        ],
        [
            "juego",
            "jugadores",
            "jugadas",
            "información",
            "azar",
            "suma cero",
            "quevedo lab ..",
        ],
    );
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for kind in kinds {
        rows.push(vec![
            kind.game.to_owned(),
            kind.players.to_string(),
            kind.turns.to_owned(),
            kind.information.to_owned(),
            kind.chance.to_owned(),
            kind.zero_sum.to_owned(),
            kind.command.to_owned(),
        ]);
    }
    print_table(out, &rows)
}
