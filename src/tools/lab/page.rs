//! `quevedo lab page`: one HTML file on which to step through two algorithms, edit trees, and do
//! exercises.
//!
//! The searches run here, and their logs are embedded. Only a tree that is edited on the page is
//! searched by the page's own script; the browser test holds that script to the logs of this
//! module.

use std::io::Write;
use std::path::{Path, PathBuf};

use maud::{Markup, html};
use serde_json::{Value as Json, json};

use super::{LabError, read_text, write_picture};
use crate::lab::catalogue::Algorithm;
use crate::lab::examples;
use crate::lab::exercise::{Answer, answer_text, questions, tree_text};
use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::games::explicit::{ExplicitTree, UNIT};
use crate::lab::language::Language;
use crate::lab::outline::{MOST_LEAVES, OutlineNode, outline};
use crate::lab::pseudocode::{EXPLAINED, pseudocode};
use crate::lab::run::{AlgorithmSettings, search_with};
use crate::lab::search::{Search, TO_THE_END};
use crate::lab::trace::TraceEvent;
use crate::tools::kit::files;
use crate::tools::render::{Page, json_in_script};

/// The number of random trees for exercises.
const EXERCISES: u64 = 5;

/// The arguments of `lab page`.
#[derive(Clone, Debug, clap::Args)]
pub struct PageArgs {
    /// A file with a tree, which is put before the examples; may be given several times
    #[arg(long, value_name = "FILE")]
    tree: Vec<PathBuf>,
    /// The file to write, - for the output
    #[arg(long, value_name = "FILE", default_value = "lab.html")]
    out: PathBuf,
}

/// Runs the sub-command.
pub(super) fn run(args: &PageArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let inputs: Vec<&Path> = args.tree.iter().map(PathBuf::as_path).collect();
    files::check(&inputs, &[&args.out])?;
    let mut trees = Vec::new();
    for path in &args.tree {
        let text = read_text(path)?;
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
        language: lang.pick("en", "es"),
        title: lang.pick("Quevedo: the lab", "Quevedo: el laboratorio"),
        style: include_str!("page.css"),
        body: body(lang, &data.to_string()),
        script: concat!(include_str!("page_search.js"), include_str!("page.js")),
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
        "cut": word("cut", "podado"), "seen": word("seen", "vista"), "leafCut": word("cut", "podada"),
        "alpha": word("alpha", "alfa"), "value": word("value", "valor"),
        "verdict": word("verdict", "corrección"), "tree": word("tree", "árbol"),
        "start": word("not started", "sin empezar"), "end": word("finished", "terminado"),
        "unavailable": word("no exercise: chance decides", "sin ejercicio: decide el azar"),
        "edited": word("edited", "editado"), "line": word("line", "línea"), "column": word("column", "columna"),
        "cutAt": word("cut at", "podado en"), "nothingCuts": word("nothing cuts this leaf", "nada poda esta hoja"),
        "largest": word("the largest of", "el mayor de"), "smallest": word("the smallest of", "el menor de"),
        "faults": faults(lang),
    })
}

/// Returns the messages of the script's parser.
fn faults(lang: Language) -> Json {
    let word = |english: &'static str, spanish: &'static str| lang.pick(english, spanish);
    json!({
        "node": word("a node expected", "se esperaba un nodo"),
        "start": word("a number, max, min, chance or ( expected", "se esperaba un número, max, min, chance o ("),
        "player": word("max, min or chance expected", "se esperaba max, min o chance"),
        "open": word("( expected", "se esperaba ("),
        "close": word(") expected", "se esperaba )"),
        "childless": word("() has no children: a leaf is a number", "() no tiene hijos: una hoja es un número"),
        "number": word("not a number", "no es un número"),
        "decimals": word("more than three decimals", "más de tres decimales"),
        "comma": word("a comma between digits: write 3.5 for a decimal, and 3 5 for two leaves",
            "una coma entre cifras: escriba 3.5 para un decimal y 3 5 para dos hojas"),
        "large": word("too large: numbers are at most a billion either way",
            "demasiado grande: los números llegan a mil millones"),
        "order": word("the smaller number comes first", "el número menor va primero"),
        "weight": word("a weight is from 1 to 1000", "un peso va de 1 a 1000"),
        "levels": word("more than 200 levels", "más de 200 niveles"),
        "leaves": word("more than 400 leaves", "más de 400 hojas"),
        "ended": word("the tree has ended; nothing but comments may follow",
            "el árbol ha terminado; solo pueden seguir comentarios"),
    })
}

fn body(lang: Language, data: &str) -> Markup {
    let pane = |name: &str| {
        html! {
            section.pane data-pane=(name) aria-label=(format!("{} {}", lang.pick("Algorithm", "Algoritmo"), name.to_uppercase())) {
                label { (lang.pick("Algorithm", "Algoritmo")) " " (name.to_uppercase()) " " select.algorithm {} }
                div.scroll tabindex="0" role="region" aria-label=(format!("{} {}", lang.pick("Tree", "Árbol"), name.to_uppercase())) { svg.tree role="img" {} }
                p.status aria-live="polite" {}
                p.counts {}
                ol.code {}
                p.open {}
            }
        }
    };
    html! {
        main {
            h1 { (lang.pick("The lab", "El laboratorio")) }
            div.controls {
                label { (lang.pick("Tree", "Árbol")) " " select #tree {} }
            }
            label for="source" { (lang.pick("The tree as text; edit it and run it", "El árbol como texto; edítelo y ejecútelo")) }
            textarea #source spellcheck="false" autocapitalize="off" aria-describedby="fault syntax" {}
            button #run type="button" { (lang.pick("Run the edited tree", "Ejecutar el árbol editado")) }
            p.bad #fault role="alert" {}
            p.faint #syntax { (lang.pick(
                "max(..), min(..) or chance(..) with the children inside; a leaf is a number such as 3 or -2.5. Ctrl+Enter runs the tree.",
                "max(..), min(..) o chance(..) con los hijos dentro; una hoja es un número, como 3 o -2.5. Ctrl+Intro ejecuta el árbol.",
            )) }
            div.controls.steps {
                button #first type="button" { (lang.pick("Start", "Inicio")) }
                button #back type="button" { (lang.pick("Back", "Atrás")) }
                button #forward type="button" { (lang.pick("Forward", "Adelante")) }
                button #last type="button" { (lang.pick("End", "Final")) }
            }
            p.faint { (lang.pick(
                "Keys: left and right arrow step, Home and End jump.",
                "Teclas: las flechas avanzan y retroceden, Inicio y Fin saltan.",
            )) }
            div.panes { (pane("a")) (pane("b")) }
            section #exercise {
                h2 { (lang.pick("Exercise: alpha-beta", "Ejercicio: alfa-beta")) }
                p { (lang.pick(
                    "Fill in alpha, beta and the value with which alpha-beta leaves each node (inf, -inf for infinity), or mark the node as cut. For a leaf choose seen or cut. The value is that of the best child, also outside of alpha and beta (fail-soft).",
                    "Rellene alfa, beta y el valor con que alfa-beta deja cada nodo (inf, -inf para infinito), o marque el nodo como podado. En una hoja elija vista o podada. El valor es el del mejor hijo, también fuera de alfa y beta (fail-soft).",
                )) }
                div.scroll tabindex="0" role="region" aria-label=(lang.pick("Answers", "Respuestas")) { table { thead { tr #heads {} } tbody #rows {} } }
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
    let nodes = outline(&bare, &bare.root(TO_THE_END)).map_err(|_| {
        LabError::usage(
            format!(
                "{}: the tree has more than {MOST_LEAVES} leaves: too many to show",
                path.display()
            ),
            format!(
                "{}: el árbol tiene más de {MOST_LEAVES} hojas: demasiadas",
                path.display()
            ),
        )
    })?;
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
    let nodes: Vec<Json> = nodes.iter().map(|place| node(&game, place)).collect();
    Ok(json!({ "name": name, "source": source(text), "nodes": nodes, "runs": runs, "key": key }))
}

/// Returns the text of a tree without the lines that are comments.
fn source(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    lines.join("\n")
}

/// Returns a node: its parent, kind, move and Dewey number, and the value of a leaf.
fn node(game: &ExplicitTree, node: &OutlineNode) -> Json {
    let kind = match node.mover {
        _ if node.children.is_empty() => "leaf",
        Mover::Max => "max",
        Mover::Min => "min",
        Mover::Chance => "chance",
    };
    // A path of child numbers leads to the node.
    let state = node.dewey.iter().fold(game.start(), |state, number| {
        game.apply(&state, &(*number as usize - 1))
    });
    let value = game.utility(&state).map(|value| value_text(value, UNIT));
    json!([node.parent, kind, node.via, node.dewey_text(), value])
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
        let sign = event.bound.sign();
        let value = event.value.map(|value| format!("{sign}{}", text(value)));
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
