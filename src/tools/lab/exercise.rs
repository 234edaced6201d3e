//! `quevedo lab exercise`: exercises with a key, and the grading of answers.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use super::algorithm_args::parser_of;
use super::questions::QUESTIONS;
use super::{LabError, read_text};
use crate::lab::catalogue::Algorithm;
use crate::lab::exercise::{ALGORITHMS, Question, answer_text, parse_answer, questions, tree_text};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::language::Language;

/// The arguments of `lab exercise`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExerciseArgs {
    /// The algorithm: alpha-beta, the default, alpha-beta-hard, alpha-beta-shallow or minimax
    #[arg(long, value_name = "NAME", value_parser = parser_of(|algorithm| ALGORITHMS.contains(&algorithm)))]
    algorithm: Option<Algorithm>,
    /// The seed of the tree; the default is 1
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Grade the answers in this file: the exercise with its lines filled in. Its first line says
    /// which exercise it is
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    answers: Option<PathBuf>,
    /// Show the right answers
    #[arg(long)]
    key: bool,
    /// Show ten questions on the lecture notes instead; with --key, the answers and commands that
    /// show them
    #[arg(long, conflicts_with_all = ["answers", "algorithm", "seed"])]
    questions: bool,
}

/// Runs the sub-command.
pub(super) fn run(
    args: &ExerciseArgs,
    lang: Language,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    if args.questions {
        return ten_questions(args.key, lang, out);
    }
    let Some(path) = &args.answers else {
        let algorithm = args.algorithm.unwrap_or(Algorithm::AlphaBeta);
        let exercise = Exercise::new(algorithm, args.seed.unwrap_or(1))?;
        return exercise.write(args.key, lang, out);
    };
    let given = read_text(path)?;
    let title = given.lines().next().and_then(parse_title);
    let (algorithm, seed) = args.title_of(title)?;
    Exercise::new(algorithm, seed)?.grade(&given, lang, out)
}

impl ExerciseArgs {
    /// Returns the algorithm and the seed of answers, given those that they name.
    fn title_of(&self, found: Option<(Algorithm, u64)>) -> Result<(Algorithm, u64), LabError> {
        let algorithm = self.algorithm.or(found.map(|(algorithm, _)| algorithm));
        let algorithm = algorithm.unwrap_or(Algorithm::AlphaBeta);
        let Some(seed) = self.seed.or(found.map(|(_, seed)| seed)) else {
            return Err(LabError::usage(
                "the answers do not begin with the line of an exercise: give its --algorithm and --seed",
                "las respuestas no empiezan por la línea de un ejercicio: indique --algorithm y --seed",
            ));
        };
        match found {
            Some(found) if found != (algorithm, seed) => {
                let title = title(found.0, found.1);
                Err(LabError::usage(
                    format!("these are answers to another exercise: {title}"),
                    format!("son las respuestas de otro ejercicio: {title}"),
                ))
            }
            _ => Ok((algorithm, seed)),
        }
    }
}

/// Formats what an exercise is made from, which is its first line.
fn title(algorithm: Algorithm, seed: u64) -> String {
    format!("{}, --seed {seed}", algorithm.entry().name)
}

/// Parses the first line of an exercise.
fn parse_title(line: &str) -> Option<(Algorithm, u64)> {
    let (name, seed) = line.strip_prefix("# ")?.split_once(", --seed ")?;
    Some((Algorithm::by_name(name)?, seed.trim_end().parse().ok()?))
}

/// Returns what to write, and which of the forms of alpha-beta it is, whose values differ outside
/// the window.
fn instructions(algorithm: Algorithm, lang: Language) -> Vec<&'static str> {
    if algorithm == Algorithm::Minimax {
        return vec![lang.pick(
            "For each node write its value, and for a leaf \"seen\".",
            "Escriba en cada nodo su valor y en una hoja \"vista\".",
        )];
    }
    let form = match algorithm {
        Algorithm::AlphaBetaHard => lang.pick(
            "Fail-hard, as in 4.2.1: a value below alpha is returned as alpha, one above beta as beta.",
            "Fail-hard, como en 4.2.1: un valor menor que alfa se devuelve como alfa, y uno mayor que beta como beta.",
        ),
        _ => lang.pick(
            "Fail-soft, unlike 4.2.1 and 6.4: the value is that of the best child, also outside of alpha and beta.",
            "Fail-soft, a diferencia de 4.2.1 y 6.4: el valor es el del mejor hijo, también fuera de alfa y beta.",
        ),
    };
    let task = lang.pick(
        "For each node write alpha, beta and value (-inf 8 6), for a leaf \"seen\", or \"cut\".",
        "Escriba en cada nodo alfa, beta y valor (-inf 8 6), en una hoja \"vista\", o \"podado\".",
    );
    vec![task, form]
}

/// An exercise with its right answers.
struct Exercise {
    algorithm: Algorithm,
    title: String,
    tree: String,
    questions: Vec<Question>,
}

impl Exercise {
    fn new(algorithm: Algorithm, seed: u64) -> Result<Exercise, LabError> {
        if !ALGORITHMS.contains(&algorithm) {
            let names: Vec<&str> = ALGORITHMS.iter().map(|a| a.entry().name).collect();
            return Err(LabError::usage(
                format!("exercises are for {}", names.join(", ")),
                format!("hay ejercicios de {}", names.join(", ")),
            ));
        }
        let text = tree_text(seed);
        let tree =
            ExplicitTree::parse(&text).map_err(|fault| LabError::Failed(fault.to_string()))?;
        let questions = questions(&tree, algorithm).map_err(|halt| LabError::Halt {
            algorithm: algorithm.entry().name,
            halt,
        })?;
        Ok(Exercise {
            algorithm,
            title: title(algorithm, seed),
            tree: text,
            questions,
        })
    }

    fn write(&self, with_key: bool, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
        writeln!(out, "# {}", self.title)?;
        writeln!(out, "# {}", self.tree)?;
        for line in instructions(self.algorithm, lang) {
            writeln!(out, "# {line}")?;
        }
        for question in &self.questions {
            let answer = if with_key {
                format!(
                    "{}  # {}",
                    answer_text(question.answer, lang),
                    question.reason(lang)
                )
            } else {
                "?".to_owned()
            };
            writeln!(out, "{}: {answer}", question.node)?;
        }
        Ok(())
    }

    fn grade(&self, given: &str, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
        let mut answers = HashMap::new();
        for (number, line) in (1..).zip(given.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let answer = line.split_once(':');
            let answer = answer.map(|(node, answer)| (node.trim(), answer.trim()));
            let is_asked = |(node, _): &(&str, &str)| {
                self.questions.iter().any(|question| question.node == *node)
            };
            let Some((node, answer)) = answer.filter(is_asked) else {
                let problem = lang.pick("not understood: line", "no se entiende: línea");
                writeln!(out, "{problem} {number}: {line:?}")?;
                continue;
            };
            answers.insert(node, answer);
        }
        let mut right = 0;
        for question in &self.questions {
            let text = answers.get(question.node.as_str()).copied().unwrap_or("");
            let answer = parse_answer(text);
            let fault = if answer.is_none() && !matches!(text, "" | "?") {
                let problem = lang.pick("not understood", "no se entiende");
                Some(format!("{problem}: {text:?}"))
            } else {
                question.fault(answer, lang)
            };
            match fault {
                None => {
                    right += 1;
                    writeln!(out, "{}: {}", question.node, lang.pick("right", "bien"))?;
                }
                Some(fault) => {
                    let wrong = lang.pick("wrong", "mal");
                    writeln!(out, "{}: {wrong} — {fault}", question.node)?;
                }
            }
        }
        writeln!(out, "{right} / {}", self.questions.len())?;
        Ok(())
    }
}

fn ten_questions(with_key: bool, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    for (number, question) in QUESTIONS.iter().enumerate() {
        let [text, a, b, c] = lang.pick(question.english, question.spanish);
        writeln!(out, "{}. {text}", number + 1)?;
        writeln!(out, "   a) {a}\n   b) {b}\n   c) {c}")?;
        if with_key {
            let see = lang.pick("see", "véase");
            writeln!(
                out,
                "   -> {}; {see}: quevedo lab {}",
                question.right, question.command
            )?;
        }
    }
    Ok(())
}
