//! The games by the properties that decide which algorithms suit them.

use serde::Serialize;

use crate::lab::language::Language;

/// A game and its properties, in one language.
#[derive(Clone, Debug, Serialize)]
pub struct GameKind {
    /// The game.
    pub game: &'static str,
    /// The number of players.
    pub players: u32,
    /// The order of the moves: in turn, at the same time, or none.
    pub turns: &'static str,
    /// Perfect, or not if something is hidden from a player.
    pub information: &'static str,
    /// "yes" if chance takes part.
    pub chance: &'static str,
    /// "yes" if one player wins what the other loses.
    pub zero_sum: &'static str,
    /// A command that shows the game.
    pub command: &'static str,
}

/// English and Spanish name, players, order (0 one player, 1 in turn, 2 at once), perfect
/// information, chance, zero sum (`None` for one player), command.
type Row = (
    [&'static str; 2],
    u32,
    usize,
    bool,
    bool,
    Option<bool>,
    &'static str,
);

#[rustfmt::skip] // One line each.
const ROWS: [Row; 13] = [
    (["tic-tac-toe", "tres en raya (gato)"], 2, 1, true, false, Some(true), "play --game tic-tac-toe"),
    (["nim", "nim"], 2, 1, true, false, Some(true), "solve --game nim"),
    (["Grundy's game", "juego de Grundy"], 2, 1, true, false, Some(true), "solve --game grundy"),
    (["chess", "ajedrez"], 2, 1, true, false, Some(true), "compare --game chess --depth 2"),
    (["tree from a file", "árbol de un fichero"], 2, 1, true, false, Some(true), "tree --example minimax-5"),
    (["race (backgammon)", "carrera (backgammon)"], 2, 1, true, true, Some(true), "solve --game race"),
    (["random tree with dice", "árbol aleatorio con dados"], 2, 1, true, true, Some(true), "compare --game random --throws 2"),
    (["hidden tic-tac-toe", "tres en raya oculto"], 2, 1, false, false, Some(true), "solve --other hidden-tic-tac-toe"),
    (["matching pennies", "pares y nones"], 2, 2, false, false, Some(true), "demo matrix"),
    (["prisoner's dilemma", "dilema del prisionero"], 2, 2, false, false, Some(false), "demo dilemma"),
    (["hawk and dove", "halcón y paloma"], 2, 2, false, false, Some(false), "demo matrix"),
    (["three players", "tres jugadores"], 3, 1, true, false, Some(false), "solve --other three-players"),
    (["8-puzzle", "8-puzzle"], 1, 0, true, false, None, "solve --other eight-puzzle"),
];

/// Lists the games with their properties.
pub fn kinds(lang: Language) -> Vec<GameKind> {
    let yes_no = |is: bool| if is { lang.pick("yes", "sí") } else { "no" };
    let kind = |(game, players, turns, is_perfect, has_chance, zero_sum, command): Row| GameKind {
        game: lang.pick(game[0], game[1]),
        players,
        turns: match turns {
            0 => "-",
            1 => lang.pick("in turn", "por turnos"),
            _ => lang.pick("at once", "a la vez"),
        },
        information: if is_perfect {
            lang.pick("perfect", "perfecta")
        } else {
            lang.pick("imperfect", "imperfecta")
        },
        chance: yes_no(has_chance),
        zero_sum: zero_sum.map_or("-", yes_no),
        command,
    };
    ROWS.into_iter().map(kind).collect()
}
