//! `quevedo lab page`: one HTML file on which to step through two algorithms, and to do exercises.
//!
//! The searches run here, and their logs are embedded. The page itself searches nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::{LabError, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::examples;
use crate::lab::exercise::{Answer, answer_text, questions, tree_text};
use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::games::explicit::{ExplicitTree, UNIT};
use crate::lab::language::Language;
use crate::lab::outline::{OutlineNode, outline};
use crate::lab::pseudocode::{EXPLAINED, pseudocode};
use crate::lab::run::{AlgorithmSettings, search_with};
use crate::lab::search::{Search, TO_THE_END};
use crate::lab::trace::TraceEvent;
use crate::tools::render::{Page, json_in_script};

/// The number of random trees for exercises.
const EXERCISES: u64 = 5;

/// The arguments of `lab page`.
#[derive(Clone, Debug, clap::Args)]
pub struct PageArgs {
    /// A file with a tree, which is put before the examples
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// The file to write, - for the output
    #[arg(long, value_name = "FILE", default_value = "lab.html")]
    out: PathBuf,
}

/// Runs the sub-command.
pub(super) fn run(args: &PageArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let mut trees = Vec::new();
    if let Some(path) = &args.tree {
        let text = std::fs::read_to_string(path).map_err(|source| LabError::File {
            path: path.clone(),
            source,
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        trees.push(tree(path, &name, &text, lang)?);
    }
    for example in examples::ALL {
        trees.push(tree(
            Path::new(example.name),
            example.name,
            example.text,
            lang,
        )?);
    }
    for seed in 1..=EXERCISES {
        let name = format!("{} {seed}", lang.pick("exercise", "ejercicio"));
        trees.push(tree(Path::new(&name), &name, &tree_text(seed), lang)?);
    }
    let code: serde_json::Map<String, Json> = EXPLAINED
        .iter()
        .map(|algorithm| {
            let lines = pseudocode(*algorithm).iter();
            let lines = lines.map(|line| json!([line.actions, line.text(lang)]));
            (algorithm.entry().name.to_owned(), lines.collect())
        })
        .collect();
    let data = json!({ "trees": trees, "code": code, "words": words(lang) });
    let page = Page {
        title: lang.pick("Quevedo: the lab", "Quevedo: el laboratorio"),
        style: include_str!("page.css"),
        body: body(lang, &data.to_string()),
        script: include_str!("page.js"),
    };
    write_picture(out, &args.out, &page.into_html())?;
    if args.out.as_os_str() != "-" {
        let written = lang.pick("written:", "escrito:");
        writeln!(out, "{written} {}", args.out.display())?;
    }
    Ok(())
}

/// Returns the words that the script writes.
fn words(lang: Language) -> Json {
    let word = |english: &'static str, spanish: &'static str| lang.pick(english, spanish);
    json!({
        "right": word("right", "bien"), "wrong": word("wrong", "mal"), "none": word("no answer", "sin respuesta"),
        "step": word("step", "paso"), "leaves": word("leaves", "hojas"), "interior": word("interior", "interiores"),
        "cuts": word("cut-offs", "podas"), "hits": word("table hits", "aciertos de tabla"),
        "live": word("live", "vivo"), "solved": word("solved", "solucionado"), "node": word("node", "nodo"),
        "cut": word("cut", "podado"), "alpha": word("alpha", "alfa"), "value": word("value", "valor"),
        "start": word("not started", "sin empezar"), "end": word("finished", "terminado"),
        "unavailable": word("no exercise: chance decides", "sin ejercicio: decide el azar"),
    })
}

fn body(lang: Language, data: &str) -> Markup {
    let pane = |name: &str| {
        html! {
            section.pane data-pane=(name) aria-label=(format!("{} {}", lang.pick("Algorithm", "Algoritmo"), name.to_uppercase())) {
                label { (lang.pick("Algorithm", "Algoritmo")) " " (name.to_uppercase()) " " select.algorithm {} }
                div.scroll tabindex="0" { svg.tree role="img" {} }
                p.status aria-live="polite" {}
                p.counts {}
                ol.code {}
                p.open {}
            }
        }
    };
    html! {
        main lang=(lang.pick("en", "es")) {
            h1 { (lang.pick("The lab", "El laboratorio")) }
            div.controls {
                label { (lang.pick("Tree", "Árbol")) " " select #tree {} }
                button #first type="button" { (lang.pick("Start", "Inicio")) }
                button #back type="button" { (lang.pick("Back", "Atrás")) }
                button #forward type="button" { (lang.pick("Forward", "Adelante")) }
                button #last type="button" { (lang.pick("End", "Final")) }
            }
            p #text {}
            p.faint { (lang.pick(
                "Keys: left and right arrow step, Home and End jump. For a tree of your own: quevedo lab page --tree FILE.",
                "Teclas: las flechas avanzan y retroceden, Inicio y Fin saltan. Para un árbol propio: quevedo lab page --tree FICHERO --lang es.",
            )) }
            div.panes { (pane("a")) (pane("b")) }
            section #exercise {
                h2 { (lang.pick("Exercise: alpha-beta", "Ejercicio: alfa-beta")) }
                p { (lang.pick(
                    "Fill in alpha, beta and the value with which alpha-beta leaves each node (inf, -inf for infinity), or mark the node as cut.",
                    "Rellene alfa, beta y el valor con que alfa-beta deja cada nodo (inf, -inf para infinito), o marque el nodo como podado.",
                )) }
                div.scroll { table { thead { tr #heads {} } tbody #rows {} } }
                button #check type="button" { (lang.pick("Check", "Corregir")) }
                p #grade role="status" {}
            }
        }
        script #data type="application/json" { (json_in_script(data)) }
    }
}

/// Returns a tree with the logs of all algorithms that suit it.
fn tree(path: &Path, name: &str, text: &str, lang: Language) -> Result<Json, LabError> {
    let game = ExplicitTree::parse(text).map_err(|source| LabError::Tree {
        path: path.to_owned(),
        source,
    })?;
    let bare = Search::new(&game);
    let nodes = outline(&bare, &bare.root(TO_THE_END))?;
    let mut runs = serde_json::Map::new();
    for algorithm in EXPLAINED {
        if !game.has_chance() || algorithm.entry().knows_chance {
            runs.insert(
                algorithm.entry().name.to_owned(),
                log(&game, &nodes, algorithm)?,
            );
        }
    }
    let key = if game.has_chance() {
        Json::Null
    } else {
        let halt = |halt| LabError::Halt {
            algorithm: "alpha-beta",
            halt,
        };
        let questions = questions(&game, Algorithm::AlphaBeta).map_err(halt)?;
        questions
            .iter()
            .map(|question| {
                let is_leaf = question.answer == Answer::Seen;
                let answer = answer_text(question.answer, Language::English);
                json!([question.node, answer, question.reason(lang), is_leaf])
            })
            .collect()
    };
    let nodes: Vec<Json> = nodes.iter().map(node).collect();
    Ok(
        json!({ "name": name, "text": game.state_text(&game.start(), lang), "nodes": nodes, "runs": runs, "key": key }),
    )
}

/// A node: its parent, kind, move and Dewey number.
fn node(node: &OutlineNode) -> Json {
    let kind = match node.mover {
        _ if node.children.is_empty() => "leaf",
        Mover::Max => "max",
        Mover::Min => "min",
        Mover::Chance => "chance",
    };
    json!([node.parent, kind, node.via, node.dewey_text()])
}

/// Returns the log of an algorithm: for each step its kind, node, alpha, beta, value with its sign,
/// and OPEN.
fn log(game: &ExplicitTree, nodes: &[OutlineNode], algorithm: Algorithm) -> Result<Json, LabError> {
    let mut search = Search::new(game);
    search.record();
    let root = search.root(TO_THE_END);
    let settings = AlgorithmSettings::default();
    let found = search_with(algorithm, &mut search, &root, &settings);
    found.map_err(|halt| LabError::Halt {
        algorithm: algorithm.entry().name,
        halt,
    })?;
    let events = search.trace().map_or(&[][..], |trace| trace.events());
    let text = |value: Value| value_text(value, UNIT);
    let step = |event: &TraceEvent| {
        let node = nodes.iter().position(|node| node.path == event.path);
        let (alpha, beta) = event
            .window
            .map_or((None, None), |w| (Some(text(w.alpha)), Some(text(w.beta))));
        let bound = match event.action {
            crate::lab::trace::Action::Leave | crate::lab::trace::Action::TableHit => {
                event.value.map_or("", |value| {
                    crate::lab::trace::ValueBound::of(value, event.window).sign()
                })
            }
            _ => "",
        };
        let value = event.value.map(|value| format!("{bound}{}", text(value)));
        let open: Vec<Json> = event
            .open
            .iter()
            .map(|(dewey, is_solved, merit)| {
                let dewey: Vec<String> = dewey.iter().map(u32::to_string).collect();
                let dewey = if dewey.is_empty() {
                    "ε".to_owned()
                } else {
                    dewey.join(".")
                };
                json!([dewey, is_solved, text(*merit)])
            })
            .collect();
        json!([event.action, node, alpha, beta, value, open])
    };
    Ok(events.iter().map(step).collect())
}
