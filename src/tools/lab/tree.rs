//! `quevedo lab tree`: a game's tree and what an algorithm did in it.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor};
use super::{LabError, print_json, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::drawing::tree::{MOST_LEAVES, Picture, TooLarge, draw};
use crate::lab::game::{Game, Player, Value, value_text};
use crate::lab::run::search_with;
use crate::lab::search::{Node, Search, TO_THE_END};

/// What is drawn.
#[derive(Clone, Debug, clap::Args)]
pub struct TreeArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm; alpha-beta if not given, expectiminimax where chance decides
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Draw the tree into this file, - for the output; as text if not given
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// A node and what happened there.
#[derive(Clone, Debug, Serialize)]
struct Shown {
    player: &'static str,
    /// The move that leads to it.
    #[serde(rename = "move")]
    via: Option<String>,
    /// When the search came to it; empty if never.
    visits: Vec<usize>,
    alpha: Option<String>,
    beta: Option<String>,
    /// The value, or the bound on it, that the last visit ended with.
    value: Option<String>,
    children: Vec<Shown>,
}

/// Runs the sub-command.
pub(super) fn run(args: &TreeArgs, out: &mut dyn Write) -> Result<(), LabError> {
    args.game.visit(Draw { args, out })
}

struct Draw<'a> {
    args: &'a TreeArgs,
    out: &'a mut dyn Write,
}

impl Visitor for Draw<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) -> Result<(), LabError> {
        let Draw { args, out } = self;
        let usual = [Algorithm::AlphaBeta, Algorithm::Expectiminimax];
        let algorithm = one(game, args.algorithm, usual)?;
        let name = algorithm.entry().name;
        if algorithm == Algorithm::MaxN {
            return Err(LabError::Usage(
                "max-n leaves nothing to draw: its values are vectors".to_owned(),
            ));
        }
        let depth = args.game.depth(args.depth)?;
        let mut search = Search::with_budget(game, args.tuning.budget());
        search.record();
        let root = search.root(depth);
        // Before a search that may take long: is there anything to draw afterwards?
        let mut left = MOST_LEAVES;
        count(&search, &root, &mut left)?;
        let settings = args.tuning.settings(game);
        let found = search_with(algorithm, &mut search, &root, &settings);
        let found = found.map_err(|halt| LabError::Halt {
            algorithm: name,
            halt,
        })?;
        if let Some(path) = &args.svg {
            let limit = if depth == TO_THE_END {
                String::new()
            } else {
                format!(", depth {depth}")
            };
            let value = value_text(found.value, game.unit());
            let leaves = search.counters().distinct_leaves;
            let title = format!(
                "{name} ({}){limit}: value {value}, {leaves} leaves",
                algorithm.entry().spanish
            );
            let picture = Picture {
                title: &title,
                line: &found.line,
                with_moves: !matches!(args.game.name(), GameName::Tree | GameName::Random),
            };
            return write_picture(out, path, &draw(&search, &root, &picture)?);
        }
        let shown = shown(&search, &root, None);
        if args.json {
            return print_json(out, &shown);
        }
        print(&shown, 0, out)
    }
}

/// Counts the leaves down, and fails if there are too many.
fn count<G: Game>(
    search: &Search<'_, G>,
    node: &Node<G>,
    left: &mut usize,
) -> Result<(), TooLarge> {
    if node.depth == 0 || search.is_end(node) {
        *left = left.checked_sub(1).ok_or(TooLarge)?;
        return Ok(());
    }
    search
        .children(node)
        .try_for_each(|child| count(search, &child, left))
}

fn shown<G: Game>(search: &Search<'_, G>, node: &Node<G>, via: Option<String>) -> Shown {
    let visits = search.trace().and_then(|trace| trace.at(node.path));
    let window = visits.and_then(|visits| visits.window);
    let unit = search.game().unit();
    let text = |value: Value| value_text(value, unit);
    let is_leaf = node.depth == 0 || search.is_end(node);
    let child = |child: Node<G>| {
        let via = child
            .via
            .as_ref()
            .map(|m| search.game().move_text(&node.state, m));
        shown(search, &child, via)
    };
    Shown {
        player: match search.player(node) {
            _ if is_leaf => "leaf",
            Player::Max => "max",
            Player::Min => "min",
            Player::Chance => "chance",
        },
        via,
        visits: visits.map_or(Vec::new(), |visits| visits.order.clone()),
        alpha: window.map(|window| text(window.alpha)),
        beta: window.map(|window| text(window.beta)),
        value: visits.and_then(|visits| visits.value).map(text),
        children: if is_leaf {
            Vec::new()
        } else {
            search.children(node).map(child).collect()
        },
    }
}

fn print(shown: &Shown, level: usize, out: &mut dyn Write) -> Result<(), LabError> {
    let indent = "  ".repeat(level);
    let via = shown.via.as_deref().unwrap_or("root");
    let player = shown.player;
    match (&shown.value, shown.visits.first()) {
        (Some(value), Some(_)) => {
            let visits: Vec<String> = shown.visits.iter().map(usize::to_string).collect();
            write!(
                out,
                "{indent}{via}  {player} {value}  visit {}",
                visits.join(",")
            )?;
            if let (Some(alpha), Some(beta), true) = (&shown.alpha, &shown.beta, player != "leaf") {
                write!(out, "  alpha {alpha} beta {beta}")?;
            }
            writeln!(out)?;
        }
        _ => {
            writeln!(out, "{indent}{via}  {player}  cut")?;
            return Ok(());
        }
    }
    shown
        .children
        .iter()
        .try_for_each(|child| print(child, level + 1, out))
}
