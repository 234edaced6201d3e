//! `quevedo lab demo`: a lesson for each section of the lecture notes.

mod deepening;
mod lessons;
mod theory;

use std::io::{Cursor, Write};

use clap::Parser;
use clap::builder::PossibleValuesParser;
use serde_json::{Value as Json, json};

use super::{LabError, print_json, print_table};
use crate::lab::language::Language;
use lessons::{LESSONS, Lesson};

/// The arguments of `lab demo`.
#[derive(Clone, Debug, clap::Args)]
pub struct DemoArgs {
    /// The lesson; by default they are listed
    #[arg(value_parser = lesson_parser())]
    lesson: Option<String>,
    /// The dilemma: rounds of each match
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// The dilemma: the probability that a move is made by mistake, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = super::algorithm_args::share)]
    noise: f64,
    /// The dilemma: the seed of coins and mistakes
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The output of a computed lesson: its table, and the same as JSON.
type Shown = (Vec<Vec<String>>, Json);

fn lesson_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(LESSONS.iter().map(|lesson| lesson.name))
}

/// Runs the sub-command.
pub(super) fn run(args: &DemoArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let asked = LESSONS
        .iter()
        .find(|lesson| Some(lesson.name) == args.lesson.as_deref());
    let Some(lesson) = asked else {
        return list(args, lang, out);
    };
    let computed = match lesson.name {
        "deepening" => Some(deepening::iterations(lang)?),
        "scale" => Some(theory::scale(lang)?),
        "chance" => Some(theory::chance(lang)?),
        "size" => Some(theory::size(lang)),
        "matrix" => Some(theory::matrix(lang)),
        "dilemma" => Some(theory::dilemma(args, lang)),
        _ => None,
    };
    let text = lang.pick(lesson.english, lesson.spanish);
    if args.json
        && let Some((_, json)) = &computed
    {
        return print_json(out, json);
    }
    let outputs = outputs(lesson, lang)?;
    if args.json {
        let runs: Vec<Json> = outputs
            .iter()
            .map(|(command, output)| json!({ "command": command, "output": output }))
            .collect();
        return print_json(
            out,
            &json!({ "lesson": lesson.name, "text": text, "runs": runs }),
        );
    }
    writeln!(out, "{text}")?;
    if let Some((rows, _)) = computed {
        writeln!(out)?;
        print_table(out, &rows)?;
    }
    for (command, output) in outputs {
        writeln!(out, "\n$ {command}\n{}", output.trim_end())?;
    }
    Ok(())
}

/// Returns the names of all lessons.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LESSONS.iter().map(|lesson| lesson.name)
}

fn list(args: &DemoArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    if args.json {
        let names: Vec<&str> = LESSONS.iter().map(|lesson| lesson.name).collect();
        return print_json(out, &names);
    }
    let rows: Vec<Vec<String>> = LESSONS
        .iter()
        .map(|lesson| {
            let title = lang.pick(lesson.english, lesson.spanish);
            let title = title.split(['.', ':']).next().unwrap_or(title);
            vec![
                lesson.name.to_owned(),
                lesson.section.to_owned(),
                title.to_owned(),
            ]
        })
        .collect();
    print_table(out, &rows)
}

/// The sub-command, as a lesson calls it.
#[derive(Parser)]
struct LessonCommand {
    #[command(flatten)]
    args: super::Args,
}

/// Runs a lesson's commands and returns them with their outputs.
fn outputs(lesson: &Lesson, lang: Language) -> Result<Vec<(String, String)>, LabError> {
    let mut outputs = Vec::new();
    for words in lesson.commands {
        let mut command = format!("quevedo lab {words}");
        if lang == Language::Spanish {
            command += " --lang es";
        }
        // An argument in quotes may contain spaces.
        let quoted = words.split('"').enumerate().flat_map(|(number, part)| {
            if number % 2 == 1 {
                vec![part.to_owned()]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            }
        });
        let words = std::iter::once("lab".to_owned()).chain(quoted);
        let parsed = LessonCommand::try_parse_from(words)
            .map_err(|error| LabError::Failed(error.to_string()))?;
        let mut output = Vec::new();
        let mut nothing = Cursor::new(b"");
        super::run_in(lang, &parsed.args.command, &mut nothing, &mut output)?;
        outputs.push((command, String::from_utf8_lossy(&output).into_owned()));
    }
    Ok(outputs)
}
