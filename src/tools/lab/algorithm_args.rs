//! The arguments that choose algorithms, their parameters and limits.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::{LabError, print_json, print_table};
use crate::lab::catalogue::{ALL, Algorithm, Promise};
use crate::lab::game::{Game, Value};
use crate::lab::language::Language;
use crate::lab::run::AlgorithmSettings;
use crate::lab::search::RunLimits;

/// Parses the name of an algorithm.
pub(super) fn parser() -> impl TypedValueParser<Value = Algorithm> {
    parser_of(|_| true)
}

/// Parses the name of an algorithm of which this is true.
pub(super) fn parser_of(
    is_wanted: fn(Algorithm) -> bool,
) -> impl TypedValueParser<Value = Algorithm> {
    let values = ALL
        .iter()
        .filter(|entry| is_wanted(entry.algorithm))
        .map(|entry| PossibleValue::new(entry.name).help(entry.summary(Language::English)));
    PossibleValuesParser::new(values)
        .map(|name| Algorithm::by_name(&name).unwrap_or(Algorithm::Minimax))
}

/// The parameters of heuristics, and the limits of each run.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TuningArgs {
    /// The gain that a branch must promise (futility), half the first window (aspiration), and the
    /// step of biased-estimate; in pawns for chess
    #[arg(long, value_name = "VALUE", default_value_t = 0.5, value_parser = not_negative)]
    margin: f64,
    /// The extra plies of secondary search, continuation and quiescence-swing
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    extra: u32,
    /// The number of moves that biased search searches at the root
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    width: u32,
    /// The probability that the opponent errs (opponent-errs), from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    errs: f64,
    /// The number of plies that the opponent searches (opponent-sees)
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    sees: u32,
    /// The largest change of the value, one ply deeper, of a quiet position (quiescence-swing); in
    /// pawns for chess
    #[arg(long, value_name = "VALUE", default_value_t = 1.0, value_parser = not_negative)]
    swing: f64,
    /// Stop an algorithm after this number of seconds
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    seconds: f64,
    /// Stop an algorithm when its tables and lists, and the set of its leaves, exceed this number of
    /// MiB
    #[arg(long, value_name = "MIB", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

impl TuningArgs {
    /// Returns the parameters in the units of a game.
    pub(super) fn settings<G: Game>(&self, game: &G) -> AlgorithmSettings {
        let in_units = |value: f64| (value * game.margin_unit() as f64).round() as Value;
        AlgorithmSettings {
            margin: in_units(self.margin),
            swing: in_units(self.swing),
            extra: self.extra,
            width: self.width,
            errs: (self.errs * 1_000.0).round() as u32,
            sees: self.sees,
        }
    }

    /// Returns limits that start now.
    pub(super) fn limits(&self) -> RunLimits {
        RunLimits {
            deadline: Instant::now().checked_add(Duration::from_secs_f64(self.seconds)),
            bytes: (self.memory as usize).saturating_mul(1 << 20),
        }
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1e6).contains(&value) => Ok(value),
        _ => Err("not a number from 0 to a million".to_owned()),
    }
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0.001 to a million".to_owned()),
    }
}

/// Returns the algorithms asked for, or all that suit the game.
pub(super) fn chosen<G: Game>(game: &G, asked: &[Algorithm]) -> Result<Vec<Algorithm>, LabError> {
    let suits = |algorithm: &Algorithm| algorithm.entry().knows_chance || !game.has_chance();
    if let Some(algorithm) = asked.iter().find(|algorithm| !suits(algorithm)) {
        let able: Vec<&str> = ALL
            .iter()
            .filter(|entry| entry.knows_chance)
            .map(|entry| entry.name)
            .collect();
        let (name, able) = (algorithm.entry().name, able.join(", "));
        return Err(LabError::usage(
            format!("{name} cannot search games with chance; {able} can"),
            format!("{name} no sabe buscar en juegos con azar; sí {able}"),
        ));
    }
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let all = ALL.iter().map(|entry| entry.algorithm);
    Ok(all.filter(suits).collect())
}

/// Returns the algorithm asked for, or the usual one: the second of the two for games with chance.
pub(super) fn one<G: Game>(
    game: &G,
    asked: Option<Algorithm>,
    [usual, with_chance]: [Algorithm; 2],
) -> Result<Algorithm, LabError> {
    let default = if game.has_chance() {
        with_chance
    } else {
        usual
    };
    let algorithm = asked.unwrap_or(default);
    chosen(game, &[algorithm])?;
    Ok(algorithm)
}

/// The arguments of `lab algorithms`.
#[derive(Clone, Debug, clap::Args)]
pub struct ListArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    spanish: &'static str,
    summary: &'static str,
    exact: bool,
    knows_chance: bool,
}

/// Lists the algorithms.
pub(super) fn list(args: &ListArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let listed: Vec<Listed> = ALL
        .iter()
        .map(|entry| Listed {
            name: entry.name,
            spanish: entry.spanish,
            summary: entry.summary(lang),
            exact: entry.promise == Promise::Exact,
            knows_chance: entry.knows_chance,
        })
        .collect();
    if args.json {
        return print_json(out, &listed);
    }
    let rows: Vec<Vec<String>> = listed
        .iter()
        .map(|entry| {
            let value = if entry.exact {
                lang.pick("exact", "exacto")
            } else {
                lang.pick("may differ", "puede diferir")
            };
            let text = format!("{} — {}", entry.spanish, entry.summary);
            vec![entry.name.to_owned(), value.to_owned(), text]
        })
        .collect();
    print_table(out, &rows)
}
