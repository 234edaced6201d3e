//! Which algorithms to run, and how.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::{LabError, print_json, print_table};
use crate::lab::catalogue::{ALL, Algorithm, Promise};
use crate::lab::game::{Game, Value};
use crate::lab::run::Settings;
use crate::lab::search::Budget;

/// Reads the name of an algorithm. The help shows it in Spanish, too.
pub(super) fn parser() -> impl TypedValueParser<Value = Algorithm> {
    let values = ALL.iter().map(|entry| {
        let help = format!("{} — {}", entry.spanish, entry.summary);
        PossibleValue::new(entry.name).help(help)
    });
    PossibleValuesParser::new(values)
        .map(|name| Algorithm::by_name(&name).unwrap_or(Algorithm::Minimax))
}

/// What algorithms need to know, and how much they may use.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TuningArgs {
    /// For futility and aspiration: by how much a branch must promise more, and half the first window, as the game counts
    /// (chess: centipawns)
    #[arg(long, value_name = "VALUE", default_value_t = 0.5, value_parser = not_negative)]
    margin: f64,
    /// For secondary search and continuation: how many plies deeper
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    extra: u32,
    /// For biased search: how many moves at the root
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    width: u32,
    /// For opponent-errs: how often he does, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    errs: f64,
    /// For opponent-sees: how many plies he looks ahead
    #[arg(long, value_name = "PLIES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    sees: u32,
    /// Give an algorithm up after so many seconds
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    seconds: f64,
    /// Give an algorithm up when its tables and lists hold so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

impl TuningArgs {
    /// For a game with its units.
    pub(super) fn settings<G: Game>(&self, game: &G) -> Settings {
        Settings {
            margin: (self.margin * game.unit() as f64).round() as Value,
            extra: self.extra,
            width: self.width,
            errs: (self.errs * 1_000.0).round() as u32,
            sees: self.sees,
        }
    }

    /// From now on.
    pub(super) fn budget(&self) -> Budget {
        Budget {
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

fn share(text: &str) -> Result<f64, String> {
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

/// The algorithms to run: those asked for, or all that suit the game.
pub(super) fn chosen<G: Game>(game: &G, asked: &[Algorithm]) -> Result<Vec<Algorithm>, LabError> {
    let suits = |algorithm: &Algorithm| algorithm.entry().knows_chance || !game.has_chance();
    if let Some(algorithm) = asked.iter().find(|algorithm| !suits(algorithm)) {
        let able: Vec<&str> = ALL
            .iter()
            .filter(|entry| entry.knows_chance)
            .map(|entry| entry.name)
            .collect();
        return Err(LabError::Usage(format!(
            "{} knows nothing of chance, which this game has; {} do",
            algorithm.entry().name,
            able.join(", ")
        )));
    }
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let all = ALL.iter().map(|entry| entry.algorithm);
    Ok(all.filter(suits).collect())
}

/// The algorithm asked for, or the usual one: the second of these two where chance decides.
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

/// How the algorithms are listed.
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
pub(super) fn list(args: &ListArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let listed: Vec<Listed> = ALL
        .iter()
        .map(|entry| Listed {
            name: entry.name,
            spanish: entry.spanish,
            summary: entry.summary,
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
            let value = if entry.exact { "exact" } else { "may differ" };
            let text = format!("{} — {}", entry.spanish, entry.summary);
            vec![entry.name.to_owned(), value.to_owned(), text]
        })
        .collect();
    print_table(out, &rows)
}
