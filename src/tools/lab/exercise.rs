//! `quevedo lab exercise`: exercises with a key, and the grading of answers.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::LabError;
use super::algorithm_args::parser;
use super::questions::QUESTIONS;
use crate::lab::catalogue::Algorithm;
use crate::lab::exercise::{
    ALGORITHMS, Answer, Question, answer_text, parse_answer, questions, tree_text,
};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::language::Language;

/// The arguments of `lab exercise`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExerciseArgs {
    /// The algorithm: alpha-beta, alpha-beta-hard, alpha-beta-shallow or minimax
    #[arg(long, value_name = "NAME", value_parser = parser(), default_value = "alpha-beta")]
    algorithm: Algorithm,
    /// The seed of the tree
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Grade the answers in this file: the exercise with its lines filled in
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    answers: Option<PathBuf>,
    /// Show the right answers
    #[arg(long)]
    key: bool,
    /// Show ten questions on the lecture notes instead; with --key, the answers and commands that
    /// show them
    #[arg(long, conflicts_with = "answers")]
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
    if !ALGORITHMS.contains(&args.algorithm) {
        let names: Vec<&str> = ALGORITHMS.iter().map(|a| a.entry().name).collect();
        return Err(LabError::usage(
            format!("exercises are for {}", names.join(", ")),
            format!("hay ejercicios de {}", names.join(", ")),
        ));
    }
    let name = args.algorithm.entry().name;
    let text = tree_text(args.seed);
    let halt = |halt| LabError::Halt {
        algorithm: name,
        halt,
    };
    let tree = ExplicitTree::parse(&text).map_err(|fault| LabError::Failed(fault.to_string()))?;
    let questions = questions(&tree, args.algorithm).map_err(halt)?;
    match &args.answers {
        Some(path) => {
            let given = fs::read_to_string(path).map_err(|source| LabError::File {
                path: path.clone(),
                source,
            })?;
            grade(&questions, &given, lang, out)
        }
        None => {
            writeln!(out, "# {name}, --seed {}", args.seed)?;
            writeln!(out, "# {text}")?;
            let help = lang.pick(
                "# For each node write alpha, beta and value (-inf 8 6), for a leaf \"seen\", or \"cut\".",
                "# Escriba en cada nodo alfa, beta y valor (-inf 8 6), en una hoja \"vista\", o \"podado\".",
            );
            writeln!(out, "{help}")?;
            for question in &questions {
                let answer = if args.key {
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
    }
}

fn grade(
    questions: &[Question],
    given: &str,
    lang: Language,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let lines = given
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let answers: HashMap<&str, Option<Answer>> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(node, answer)| {
            let answer = answer.split('#').next().unwrap_or("");
            (node.trim(), parse_answer(answer))
        })
        .collect();
    let mut right = 0;
    for question in questions {
        let answer = answers.get(question.node.as_str()).copied().flatten();
        match question.fault(answer, lang) {
            None => {
                right += 1;
                writeln!(out, "{}: {}", question.node, lang.pick("right", "bien"))?;
            }
            Some(fault) => {
                writeln!(
                    out,
                    "{}: {} — {fault}",
                    question.node,
                    lang.pick("wrong", "mal")
                )?;
            }
        }
    }
    writeln!(out, "{right} / {}", questions.len())?;
    Ok(())
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
