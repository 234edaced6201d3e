//! `quevedo lab tree`: a game's tree and what an algorithm did in it.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor};
use super::{LabError, print_json, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::drawing::tree::{Picture, draw};
use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::language::Language;
use crate::lab::outline::{OutlineNode, outline};
use crate::lab::run::search_with;
use crate::lab::search::{Search, TO_THE_END};
use crate::lab::trace::ValueBound;
use crate::tools::kit::files;

/// The arguments of `lab tree`.
#[derive(Clone, Debug, clap::Args)]
pub struct TreeArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm; by default alpha-beta, expectiminimax where chance decides
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Draw the tree into this file, which is replaced, or into the output for -; by default it is
    /// written as text
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// The state of a node after the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum NodeState {
    /// The search ended with a value or a bound.
    Valued,
    /// The search entered the node, and ended without its value being needed (SSS*, B*).
    Open,
    /// The search entered nodes below, and not the node itself (Star2).
    Probed,
    /// The search never came here.
    Cut,
}

/// A node and what happened there.
#[derive(Clone, Debug, Serialize)]
struct ShownNode {
    player: &'static str,
    /// The move that leads to it.
    #[serde(rename = "move")]
    via: Option<String>,
    state: NodeState,
    /// True beyond the depth limit, where quiescence and continuation search on.
    beyond: bool,
    /// The numbers of the visits; empty if the search never entered the node.
    visits: Vec<usize>,
    alpha: Option<String>,
    beta: Option<String>,
    /// The value, the bound on it or the estimate of it with which the last visit ended.
    value: Option<String>,
    /// The relation of that value to the true one.
    bound: Option<ValueBound>,
    /// What B* knows about the value of an open node, such as `2..5`.
    interval: Option<String>,
    children: Vec<ShownNode>,
}

/// Runs the sub-command.
pub(super) fn run(args: &TreeArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let inputs: Vec<&Path> = args.game.tree.as_deref().into_iter().collect();
    let outputs: Vec<&Path> = args.svg.as_deref().into_iter().collect();
    files::check(&inputs, &outputs)?;
    args.game.visit(Draw { args, lang, out })
}

struct Draw<'a> {
    args: &'a TreeArgs,
    lang: Language,
    out: &'a mut dyn Write,
}

impl Visitor for Draw<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) -> Result<(), LabError> {
        let Draw { args, lang, out } = self;
        let usual = [Algorithm::AlphaBeta, Algorithm::Expectiminimax];
        let algorithm = one(game, args.algorithm, usual)?;
        let name = algorithm.entry().name;
        if algorithm == Algorithm::MaxN {
            return Err(LabError::usage(
                "max-n cannot be shown: its values are vectors",
                "max-n no se puede mostrar: sus valores son vectores",
            ));
        }
        let depth = args.game.depth(args.depth)?;
        let mut search = Search::with_limits(game, args.tuning.limits());
        let root = search.root(depth);
        // Before a search that may take long: is the tree small enough?
        outline(&search, &root)?;
        search.record();
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
                format!(", {} {depth}", lang.pick("depth", "profundidad"))
            };
            let spanish = algorithm.entry().spanish;
            let title = format!(
                "{}{limit}: {} {}, {}: {}",
                lang.pick(name.to_owned(), format!("{name} ({spanish})")),
                lang.pick("value", "valor"),
                value_text(found.value, game.unit()),
                lang.pick("leaves", "hojas"),
                search.counters().distinct_leaves
            );
            let picture = Picture {
                title: &title,
                line: &found.line,
                with_moves: args.game.name()? != GameName::Random,
                language: lang,
            };
            return write_picture(out, path, &draw(&search, &root, &picture)?);
        }
        let nodes = outline(&search, &root)?;
        let Some(shown) = shown(&nodes, 0, game.unit()) else {
            return Ok(());
        };
        if args.json {
            return print_json(out, &shown);
        }
        print(&shown, 0, lang, out)
    }
}

fn shown(nodes: &[OutlineNode], index: usize, unit: Value) -> Option<ShownNode> {
    let node = nodes.get(index)?;
    let visits = node.visits.as_ref();
    let window = visits.and_then(|visits| visits.window);
    let value = visits.and_then(|visits| visits.value);
    let state = match (visits, value) {
        (_, Some(_)) => NodeState::Valued,
        (Some(_), None) => NodeState::Open,
        (None, None) if node.is_reached => NodeState::Probed,
        (None, None) => NodeState::Cut,
    };
    let children = node.children.iter();
    Some(ShownNode {
        player: match node.mover {
            _ if node.children.is_empty() => "leaf",
            Mover::Max => "max",
            Mover::Min => "min",
            Mover::Chance => "chance",
        },
        via: node.parent.map(|_| node.via.clone()),
        state,
        beyond: node.is_beyond,
        visits: visits.map_or(Vec::new(), |visits| visits.order.clone()),
        alpha: window.map(|window| value_text(window.alpha, unit)),
        beta: window.map(|window| value_text(window.beta, unit)),
        value: value.map(|value| value_text(value, unit)),
        interval: (state == NodeState::Open)
            .then(|| node.value_text(unit))
            .filter(|interval| !interval.is_empty()),
        bound: value.and(visits.map(|visits| visits.bound)),
        children: children
            .filter_map(|child| shown(nodes, *child, unit))
            .collect(),
    })
}

fn print(
    shown: &ShownNode,
    level: usize,
    lang: Language,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let indent = "  ".repeat(level);
    let via = shown.via.as_deref().unwrap_or(lang.pick("root", "raíz"));
    let player = match shown.player {
        "leaf" => lang.pick("leaf", "hoja"),
        "chance" => lang.pick("chance", "azar"),
        player => player,
    };
    let is_leaf = shown.player == "leaf";
    let sign = shown.bound.map_or("", ValueBound::sign);
    let state = match shown.state {
        NodeState::Valued => format!("{sign}{}", shown.value.as_deref().unwrap_or("")),
        // "Hoja" is feminine.
        NodeState::Open => lang
            .pick("open", if is_leaf { "abierta" } else { "abierto" })
            .to_owned(),
        NodeState::Probed => lang
            .pick("probed", if is_leaf { "sondeada" } else { "sondeado" })
            .to_owned(),
        NodeState::Cut => lang
            .pick("cut", if is_leaf { "podada" } else { "podado" })
            .to_owned(),
    };
    write!(out, "{indent}{via}  {player} {state}")?;
    if let Some(interval) = &shown.interval {
        write!(out, " {interval}")?;
    }
    if !shown.visits.is_empty() {
        let visits: Vec<String> = shown.visits.iter().map(usize::to_string).collect();
        let title = lang.pick("visit", "visita");
        write!(out, "  {title} {}", visits.join(","))?;
    }
    if let (Some(alpha), Some(beta), true) = (&shown.alpha, &shown.beta, !is_leaf) {
        write!(out, "  {} {alpha} beta {beta}", lang.pick("alpha", "alfa"))?;
    }
    if shown.beyond {
        write!(
            out,
            "  {}",
            lang.pick("beyond the depth", "más allá de la profundidad")
        )?;
    }
    writeln!(out)?;
    if shown.state == NodeState::Cut {
        return Ok(());
    }
    shown
        .children
        .iter()
        .try_for_each(|child| print(child, level + 1, lang, out))
}
