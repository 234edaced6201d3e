//! Exercises: a small random tree, the answers that a search gives, and the grading of a student's
//! answers.

use std::cmp::Ordering;

use super::catalogue::Algorithm;
use super::game::{Game, INFINITY, Mover, Value, value_text};
use super::games::explicit::{ExplicitTree, UNIT};
use super::language::Language;
use super::outline::{OutlineNode, outline};
use super::run::{AlgorithmSettings, search_with};
use super::search::{Halt, Search, TO_THE_END, Window};
use crate::random::Random;

/// The algorithms with exercises: each enters a node at most once.
pub const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::AlphaBeta,
    Algorithm::AlphaBetaHard,
    Algorithm::AlphaBetaShallow,
    Algorithm::Minimax,
];

/// Returns the text of the tree with this seed: three levels, two or three children, leaves from 0
/// to 19.
pub fn tree_text(seed: u64) -> String {
    fn node(random: &mut Random, level: usize) -> String {
        if level == 3 {
            return random.below(20).to_string();
        }
        let children = 2 + random.below(2);
        let children: Vec<String> = (0..children).map(|_| node(random, level + 1)).collect();
        let name = if level == 1 { "min" } else { "max" };
        format!("{name}({})", children.join(" "))
    }
    node(&mut Random::of_item(21, seed), 0)
}

/// The answer for one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The search never comes here.
    Cut,
    /// The search comes to this leaf.
    Seen,
    /// The search, which knows no window, comes here and returns this value.
    Valued(Value),
    /// The search comes here with a window, as Max sees it, and returns a value.
    Searched {
        /// Alpha at the start.
        alpha: Value,
        /// Beta at the start.
        beta: Value,
        /// The value returned.
        value: Value,
    },
}

/// A node of an exercise with its right answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The node's Dewey number; `ε` for the root.
    pub node: String,
    /// The right answer.
    pub answer: Answer,
    /// The reason for it, in English and in Spanish.
    reason: [String; 2],
}

impl Question {
    /// Returns the reason for the answer.
    pub fn reason(&self, language: Language) -> &str {
        let [english, spanish] = &self.reason;
        language.pick(english, spanish)
    }

    /// Returns the fault of a given answer, or `None` if it is right.
    pub fn fault(&self, given: Option<Answer>, language: Language) -> Option<String> {
        let given = match (self.answer, given) {
            // The whole window says no more than none.
            (Answer::Valued(_), Some(Answer::Searched { alpha, beta, value }))
                if (alpha, beta) == (-INFINITY, INFINITY) =>
            {
                Some(Answer::Valued(value))
            }
            _ => given,
        };
        if given == Some(self.answer) {
            return None;
        }
        Some(match given {
            None => language.pick("no answer", "sin respuesta").to_owned(),
            Some(_) => self.reason(language).to_owned(),
        })
    }
}

/// Returns the questions of a tree with the answers of an algorithm, from the log of its search.
///
/// # Errors
/// Fails when the algorithm cannot search the tree.
pub fn questions(tree: &ExplicitTree, algorithm: Algorithm) -> Result<Vec<Question>, Halt> {
    let mut search = Search::new(tree);
    search.record();
    let root = search.root(TO_THE_END);
    search_with(algorithm, &mut search, &root, &AlgorithmSettings::default())?;
    let nodes = outline(&search, &root).map_err(|_| Halt::Memory)?;
    let question = |node: &OutlineNode| Question {
        node: node.dewey_text(),
        answer: answer(node),
        reason: [
            reason(&nodes, node, Language::English),
            reason(&nodes, node, Language::Spanish),
        ],
    };
    Ok(nodes.iter().map(question).collect())
}

fn answer(node: &OutlineNode) -> Answer {
    let Some(visits) = &node.visits else {
        return Answer::Cut;
    };
    if node.children.is_empty() {
        return Answer::Seen;
    }
    let value = visits.value.unwrap_or(0);
    match visits.window {
        None => Answer::Valued(value),
        Some(Window { alpha, beta }) => Answer::Searched { alpha, beta, value },
    }
}

fn reason(nodes: &[OutlineNode], node: &OutlineNode, lang: Language) -> String {
    let text = |value| value_text(value, UNIT);
    match answer(node) {
        Answer::Seen => lang
            .pick("nothing cuts this leaf", "nada poda esta hoja")
            .to_owned(),
        Answer::Cut => {
            // The lowest node above that was searched has caused the cut.
            let mut above = node.parent.and_then(|parent| nodes.get(parent));
            while let Some(parent) = above.filter(|parent| parent.visits.is_none()) {
                above = parent.parent.and_then(|parent| nodes.get(parent));
            }
            let Some(above) = above else {
                return String::new();
            };
            let window = above.visits.as_ref().and_then(|visits| visits.window);
            let (sign, bound) = match (above.mover, window) {
                (Mover::Max, Some(window)) => ("≥ beta", text(window.beta)),
                (_, window) => ("≤ alpha", window.map_or(String::new(), |w| text(w.alpha))),
            };
            format!(
                "{} {}: {} {sign} = {bound}",
                lang.pick("cut at", "podado en"),
                above.dewey_text(),
                above.value_text(UNIT)
            )
        }
        Answer::Valued(value) => value_reason(nodes, node, value, lang),
        Answer::Searched { alpha, beta, value } => format!(
            "{} {}, beta {}; {}",
            lang.pick("alpha", "alfa"),
            text(alpha),
            text(beta),
            value_reason(nodes, node, value, lang)
        ),
    }
}

/// Says from which children a value comes.
fn value_reason(nodes: &[OutlineNode], node: &OutlineNode, value: Value, lang: Language) -> String {
    let children = node.children.iter().filter_map(|child| nodes.get(*child));
    let visited: Vec<&OutlineNode> = children.filter(|child| child.visits.is_some()).collect();
    let texts: Vec<String> = visited.iter().map(|child| child.value_text(UNIT)).collect();
    let values = visited
        .iter()
        .filter_map(|child| child.visits.as_ref()?.value);
    let (best, which) = match node.mover {
        Mover::Max => (values.max(), lang.pick("the largest of", "el mayor de")),
        _ => (values.min(), lang.pick("the smallest of", "el menor de")),
    };
    // Fail-hard algorithms return nothing outside their window.
    let clamped = match best.map(|best| value.cmp(&best)) {
        Some(Ordering::Greater) => lang.pick(", raised to alpha", ", subido a alfa"),
        Some(Ordering::Less) => lang.pick(", lowered to beta", ", bajado a beta"),
        _ => "",
    };
    format!(
        "{} {}: {which} {}{clamped}",
        lang.pick("value", "valor"),
        value_text(value, UNIT),
        texts.join(", ")
    )
}

/// Parses an answer: `cut`, `seen`, alpha, beta and value, such as `-inf 8 6`, or a value alone.
/// Spanish words are understood, too, as are capitals, windows in brackets or with commas, and
/// values with the sign of a bound.
pub fn parse_answer(text: &str) -> Option<Answer> {
    let text = text.to_lowercase().replace('\u{2212}', "-");
    let separators = |c: char| c.is_whitespace() || ",;()[]≤≥<>=".contains(c);
    let words = text.split(separators).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        ["cut" | "podado" | "podada"] => Some(Answer::Cut),
        ["seen" | "vista" | "visto"] => Some(Answer::Seen),
        [value] => Some(Answer::Valued(parse_value(value)?)),
        [alpha, beta, value] => Some(Answer::Searched {
            alpha: parse_value(alpha)?,
            beta: parse_value(beta)?,
            value: parse_value(value)?,
        }),
        _ => None,
    }
}

fn parse_value(text: &str) -> Option<Value> {
    match text {
        "inf" | "+inf" | "∞" | "+∞" => Some(INFINITY),
        "-inf" | "-∞" => Some(-INFINITY),
        number => {
            let tree = ExplicitTree::parse(number).ok()?;
            tree.utility(&tree.start())
        }
    }
}

/// Writes an answer as [`parse_answer`] reads it.
pub fn answer_text(answer: Answer, language: Language) -> String {
    match answer {
        Answer::Cut => language.pick("cut", "podado").to_owned(),
        Answer::Seen => language.pick("seen", "vista").to_owned(),
        Answer::Valued(value) => value_text(value, UNIT),
        Answer::Searched { alpha, beta, value } => [alpha, beta, value]
            .map(|value| value_text(value, UNIT))
            .join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Runs a second implementation of alpha-beta, and collects the answers by Dewey number.
    fn solve(
        tree: &ExplicitTree,
        state: usize,
        name: &str,
        (mut alpha, mut beta): (Value, Value),
        answers: &mut HashMap<String, Answer>,
    ) -> Value {
        if let Some(value) = tree.utility(&state) {
            answers.insert(name.to_owned(), Answer::Seen);
            return value;
        }
        let is_max = tree.player(&state) == Mover::Max;
        let start = (alpha, beta);
        let mut best = if is_max { -INFINITY } else { INFINITY };
        for child in tree.moves(&state) {
            let child_name = match name {
                "ε" => (child + 1).to_string(),
                name => format!("{name}.{}", child + 1),
            };
            let below = tree.apply(&state, &child);
            let value = solve(tree, below, &child_name, (alpha, beta), answers);
            if is_max {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        let (alpha, beta) = start;
        answers.insert(
            name.to_owned(),
            Answer::Searched {
                alpha,
                beta,
                value: best,
            },
        );
        best
    }

    #[test]
    fn the_key_is_right_for_1000_seeds() {
        let mut cuts = 0;
        for seed in 0..1_000 {
            let tree = ExplicitTree::parse(&tree_text(seed)).unwrap();
            let mut expected = HashMap::new();
            solve(&tree, 0, "ε", (-INFINITY, INFINITY), &mut expected);
            for question in questions(&tree, Algorithm::AlphaBeta).unwrap() {
                let right = expected.get(&question.node).copied().unwrap_or(Answer::Cut);
                assert_eq!(
                    question.answer, right,
                    "seed {seed}, node {}",
                    question.node
                );
                cuts += u32::from(right == Answer::Cut);
                for lang in [Language::English, Language::Spanish] {
                    let text = answer_text(right, lang);
                    assert_eq!(parse_answer(&text), Some(right), "{text}");
                    assert_eq!(question.fault(Some(right), lang), None);
                }
                assert!(question.fault(None, Language::English).is_some());
            }
        }
        assert!(cuts > 1_000);
    }

    #[test]
    fn answers_are_understood_in_many_forms() {
        let searched = Some(Answer::Searched {
            alpha: -INFINITY,
            beta: INFINITY,
            value: 13 * UNIT,
        });
        for text in [
            "-inf inf 13",
            "(-inf, +INF) 13",
            "[\u{2212}∞; ∞] 13",
            "-inf,inf,13",
            "-inf inf ≥ 13",
        ] {
            assert_eq!(parse_answer(text), searched, "{text}");
        }
        assert_eq!(parse_answer(" Seen "), Some(Answer::Seen));
        assert_eq!(parse_answer("CUT"), Some(Answer::Cut));
        for text in ["13", "= 13", "≤13.0"] {
            let value = Some(Answer::Valued(13 * UNIT));
            assert_eq!(parse_answer(text), value, "{text}");
        }
        for text in ["", "?", "pruned", "1 2", "1 2 3 4"] {
            assert_eq!(parse_answer(text), None, "{text}");
        }
    }

    #[test]
    fn a_wrong_answer_is_explained() {
        let tree = ExplicitTree::parse("max(min(8 11) min(6 2))").unwrap();
        let questions = questions(&tree, Algorithm::AlphaBeta).unwrap();
        let cut = questions
            .iter()
            .find(|question| question.node == "2.2")
            .unwrap();
        let fault = cut.fault(Some(Answer::Seen), Language::English);
        assert_eq!(fault.as_deref(), Some("cut at 2: ≤6 ≤ alpha = 8"));
        let min = questions
            .iter()
            .find(|question| question.node == "2")
            .unwrap();
        let fault = min.fault(parse_answer("-inf inf 2"), Language::Spanish);
        assert_eq!(
            fault.as_deref(),
            Some("alfa 8, beta +∞; valor 6: el menor de 6")
        );
    }

    /// Returns the reasons for the right answers, by node.
    fn reasons(text: &str, algorithm: Algorithm) -> HashMap<String, String> {
        let tree = ExplicitTree::parse(text).unwrap();
        let questions = questions(&tree, algorithm).unwrap();
        let reason = |question: &Question| question.reason(Language::English).to_owned();
        let reasons = questions.iter().map(|q| (q.node.clone(), reason(q)));
        reasons.collect()
    }

    #[test]
    fn a_value_outside_the_window_is_explained_as_the_algorithm_returns_it() {
        let text = "max(min(8 11) min(max(3 5) 9) min(max(2 20) max(12 13)))";
        let hard = reasons(text, Algorithm::AlphaBetaHard);
        assert_eq!(
            hard["2.1"],
            "alpha 8, beta +∞; value 8: the largest of 3, 5, raised to alpha"
        );
        assert_eq!(
            hard["3.2"],
            "alpha 8, beta 20; value 13: the largest of 12, 13"
        );
        let soft = reasons(text, Algorithm::AlphaBeta);
        assert_eq!(
            soft["2.1"],
            "alpha 8, beta +∞; value 5: the largest of 3, 5"
        );
        let hard = reasons("min(max(5 4) max(7 1))", Algorithm::AlphaBetaHard);
        assert_eq!(
            hard["2"],
            "alpha -∞, beta 5; value 5: the largest of 7, lowered to beta"
        );
    }

    #[test]
    fn minimax_asks_for_values_alone() {
        let tree = ExplicitTree::parse("max(min(8 11) min(6 2))").unwrap();
        let questions = questions(&tree, Algorithm::Minimax).unwrap();
        let min = questions
            .iter()
            .find(|question| question.node == "2")
            .unwrap();
        assert_eq!(min.answer, Answer::Valued(2 * UNIT));
        for right in ["2", "-inf inf 2"] {
            assert_eq!(min.fault(parse_answer(right), Language::English), None);
        }
        let fault = min.fault(parse_answer("6"), Language::English);
        assert_eq!(fault.as_deref(), Some("value 2: the smallest of 6, 2"));
        assert!(
            min.fault(parse_answer("8 inf 2"), Language::English)
                .is_some()
        );
    }
}
