//! `quevedo lab growth`: the growth of searches with depth.

use std::borrow::Borrow;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::algorithm_args::{TuningArgs, chosen, parser};
use super::game_args::{GameArgs, GameName, OrderName, Visitor, text_of};
use super::{LabError, print_json, print_table, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::drawing::chart::{self, Chart, measure_text};
use crate::lab::game::Game;
use crate::lab::games::random_tree::RandomTree;
use crate::lab::growth::{Branching, Curve, Measure, Reference, curve};
use crate::lab::language::Language;
use crate::tools::kit::files;

/// The algorithms measured by default, without chance and with it.
const USUAL: [&[Algorithm]; 2] = [
    &[
        Algorithm::Minimax,
        Algorithm::AlphaBetaShallow,
        Algorithm::AlphaBeta,
        Algorithm::Negascout,
        Algorithm::SssStar,
        Algorithm::DualStar,
        Algorithm::MtdF,
    ],
    &[
        Algorithm::Expectiminimax,
        Algorithm::Star1,
        Algorithm::Star2,
    ],
];

/// The arguments of `lab growth`.
#[derive(Clone, Debug, clap::Args)]
pub struct GrowthArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The largest depth
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// The algorithms, separated by commas; by default some that suit the game
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parser())]
    algorithms: Vec<Algorithm>,
    /// The quantity that is shown
    #[arg(long, value_enum, value_name = "QUANTITY", default_value = "leaves")]
    measure: Measure,
    /// Random trees: several orders of the moves in one table, separated by commas
    #[arg(long, value_enum, value_name = "ORDER,..", value_delimiter = ',')]
    orders: Vec<OrderName>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Draw a chart into this file, which is replaced; - for the output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Curves, and the references that they are compared with.
#[derive(Clone, Debug, Serialize)]
struct Growth {
    game: String,
    #[serde(flatten)]
    branching: Branching,
    depth: u32,
    curves: Vec<Curve>,
    references: Vec<Reference>,
}

/// Runs the sub-command.
pub(super) fn run(args: &GrowthArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    if args.json
        && args
            .svg
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    {
        return Err(LabError::usage(
            "--json and --svg - both write to the output",
            "--json y --svg - escriben los dos en la salida",
        ));
    }
    let inputs: Vec<&Path> = args.game.tree.as_deref().into_iter().collect();
    let outputs: Vec<&Path> = args.svg.as_deref().into_iter().collect();
    files::check(&inputs, &outputs)?;
    let name = args.game.name()?;
    if !args.orders.is_empty() && name != GameName::Random {
        return Err(LabError::usage(
            "--orders is for random trees: add --game random",
            "--orders es para árboles aleatorios: añada --game random",
        ));
    }
    if args.game.levels.is_some() {
        return Err(LabError::usage(
            "--levels: here the trees have as many levels as the --depth",
            "--levels: aquí los árboles tienen tantos niveles como --depth",
        ));
    }
    if !args.orders.is_empty() && args.game.order.is_some() {
        return Err(LabError::usage(
            "--order and --orders cannot be combined",
            "--order y --orders no se pueden combinar",
        ));
    }
    let growth = match name {
        GameName::Random => random(args)?,
        _ => args.game.visit(Measuring { args })?,
    };
    if let Some(path) = &args.svg {
        let title = format!(
            "{}: {}, {}",
            lang.pick("Growth with depth", "Crecimiento con la profundidad"),
            growth.game,
            growth.branching.text()
        );
        let picture = chart::draw(&Chart {
            title: &title,
            references: &growth.references,
            deepest: growth.depth,
            curves: &growth.curves,
            measure: args.measure,
            language: lang,
        });
        write_picture(out, path, &picture)?;
        if path.as_os_str() == "-" {
            return Ok(());
        }
    }
    if args.json {
        print_json(out, &growth)
    } else {
        print(&growth, args.measure, lang, out)
    }
}

/// Measures another random tree for each depth, so that the trees of all depths have the order
/// asked for.
fn random(args: &GrowthArgs) -> Result<Growth, LabError> {
    let game = args.game.random(1)?;
    let Some((first, others)) = args.orders.split_first() else {
        return measure::<RandomTree, RandomTree>(args, "", |depth| RandomTree { depth, ..game });
    };
    if game.throws > 1 {
        return Err(LabError::usage(
            "--orders and --throws cannot be combined",
            "--orders y --throws no se pueden combinar",
        ));
    }
    let measured = |order: OrderName| {
        let name = format!(" ({})", text_of(order));
        measure::<RandomTree, RandomTree>(args, &name, |depth| RandomTree {
            depth,
            order: order.into(),
            ..game
        })
    };
    let mut growth = measured(*first)?;
    for order in others {
        growth.curves.extend(measured(*order)?.curves);
    }
    Ok(growth)
}

struct Measuring<'a> {
    args: &'a GrowthArgs,
}

impl Visitor for Measuring<'_> {
    type Output = Growth;

    fn visit<G: Game>(self, game: &G) -> Result<Growth, LabError> {
        measure::<G, &G>(self.args, "", |_| game)
    }
}

/// Measures a game, which may differ from depth to depth. `suffix` follows the name of each
/// algorithm.
fn measure<G: Game, B: Borrow<G>>(
    args: &GrowthArgs,
    suffix: &str,
    game: impl Fn(u32) -> B,
) -> Result<Growth, LabError> {
    let deepest = game(args.depth);
    let deepest: &G = deepest.borrow();
    let settings = args.tuning.settings(deepest);
    let mut curves = Vec::new();
    let algorithms = if args.algorithms.is_empty() {
        let [without, with_chance] = USUAL;
        if deepest.has_chance() {
            with_chance
        } else {
            without
        }
    } else {
        &args.algorithms
    };
    for algorithm in chosen(deepest, algorithms)? {
        let limits = || args.tuning.limits();
        let name = format!("{}{suffix}", algorithm.entry().name);
        let curve = curve::<G, B>(algorithm, name, args.depth, &game, &settings, limits);
        curves.push(curve.map_err(|halt| LabError::Halt {
            algorithm: algorithm.entry().name,
            halt,
        })?);
    }
    let branching = Branching::of(deepest);
    Ok(Growth {
        game: text_of(args.game.name()?),
        branching,
        depth: args.depth,
        curves,
        references: branching.references(args.depth).to_vec(),
    })
}

fn print(
    growth: &Growth,
    measure: Measure,
    lang: Language,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    writeln!(
        out,
        "{}; {}, {}\n",
        measure_text(measure, lang),
        growth.game,
        growth.branching.text()
    )?;
    let depths = (1..=growth.depth).map(|depth| format!("d = {depth}"));
    let mut rows = vec![
        std::iter::once(String::new())
            .chain(depths)
            .chain([String::new()])
            .collect(),
    ];
    for curve in &growth.curves {
        let mut row = vec![curve.algorithm.clone()];
        row.extend(curve.values(measure).iter().map(u64::to_string));
        row.resize(growth.depth as usize + 1, "-".to_owned());
        row.push(String::new());
        rows.push(row);
    }
    for reference in &growth.references {
        let mut row = vec![reference.name.to_owned()];
        row.extend(reference.leaves.iter().map(|leaves| format!("{leaves:.0}")));
        row.push(String::new());
        rows.push(row);
    }
    print_table(out, &rows)
}
