//! `quevedo lab growth`: leaves against depth.

use std::borrow::Borrow;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::algorithm_args::{TuningArgs, chosen, parser};
use super::game_args::{GameArgs, GameName, Visitor};
use super::{LabError, print_json, print_table, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::drawing::chart;
use crate::lab::game::Game;
use crate::lab::games::random_tree::RandomTree;
use crate::lab::growth::{Curve, REFERENCES, curve, reference};

/// What is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct GrowthArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The largest depth
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Which algorithms, with commas between
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        value_parser = parser(),
        default_values = ["minimax", "alpha-beta-shallow", "alpha-beta", "negascout", "sss-star", "dual-star", "mtd-f"]
    )]
    algorithms: Vec<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Draw a chart into this file, - for the output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Curves, and what they are compared with.
#[derive(Clone, Debug, Serialize)]
struct Growth {
    game: String,
    /// The moves at the root: in a uniform tree at every node.
    branching: usize,
    depth: u32,
    curves: Vec<Curve>,
    references: Vec<Reference>,
}

/// A power of the branching at depths from 1 on.
#[derive(Clone, Debug, Serialize)]
struct Reference {
    name: &'static str,
    leaves: Vec<f64>,
}

/// Runs the sub-command.
pub(super) fn run(args: &GrowthArgs, out: &mut dyn Write) -> Result<(), LabError> {
    if args.json
        && args
            .svg
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    {
        return Err(LabError::Usage(
            "--json and --svg - both write to the output".to_owned(),
        ));
    }
    let growth = match args.game.name() {
        // A tree of its own for each depth, so that depth 3 of a perfectly ordered tree is perfectly ordered, too.
        GameName::Random => {
            let game = args.game.random(1)?;
            measure::<RandomTree, RandomTree>(args, |depth| RandomTree { depth, ..game })?
        }
        _ => args.game.visit(Measure { args })?,
    };
    if let Some(path) = &args.svg {
        let title = format!(
            "Leaves against depth: {}, b = {}",
            growth.game, growth.branching
        );
        let picture = chart::draw(
            &title,
            growth.branching as f64,
            growth.depth,
            &growth.curves,
        );
        write_picture(out, path, &picture)?;
        if path.as_os_str() == "-" {
            return Ok(());
        }
    }
    if args.json {
        print_json(out, &growth)
    } else {
        print(&growth, out)
    }
}

struct Measure<'a> {
    args: &'a GrowthArgs,
}

impl Visitor for Measure<'_> {
    type Output = Growth;

    fn visit<G: Game>(self, game: &G) -> Result<Growth, LabError> {
        measure::<G, &G>(self.args, |_| game)
    }
}

/// Measures a game, which may be another one for each depth.
fn measure<G: Game, B: Borrow<G>>(
    args: &GrowthArgs,
    game: impl Fn(u32) -> B,
) -> Result<Growth, LabError> {
    let deepest = game(args.depth);
    let deepest: &G = deepest.borrow();
    let settings = args.tuning.settings(deepest);
    let mut curves = Vec::new();
    for algorithm in chosen(deepest, &args.algorithms)? {
        let budget = || args.tuning.budget();
        let curve = curve::<G, B>(algorithm, args.depth, &game, &settings, budget);
        curves.push(curve.map_err(|halt| LabError::Halt {
            algorithm: algorithm.entry().name,
            halt,
        })?);
    }
    let branching = deepest.moves(&deepest.start()).len();
    let references = REFERENCES.map(|(name, share)| Reference {
        name,
        leaves: (1..=args.depth)
            .map(|depth| reference(branching as f64, depth, share))
            .collect(),
    });
    Ok(Growth {
        game: clap::ValueEnum::to_possible_value(&args.game.name())
            .map_or(String::new(), |value| value.get_name().to_owned()),
        branching,
        depth: args.depth,
        curves,
        references: references.to_vec(),
    })
}

fn print(growth: &Growth, out: &mut dyn Write) -> Result<(), LabError> {
    writeln!(
        out,
        "different leaves; {}, b = {}\n",
        growth.game, growth.branching
    )?;
    let depths = (1..=growth.depth).map(|depth| format!("d = {depth}"));
    let mut rows = vec![
        std::iter::once(String::new())
            .chain(depths)
            .chain([String::new()])
            .collect(),
    ];
    for curve in &growth.curves {
        let mut row = vec![curve.algorithm.to_owned()];
        row.extend(curve.leaves.iter().map(u64::to_string));
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
