//! The documents, lessons, exercises and languages of the lab.

use serde_json::Value as Json;

use super::{TemporaryFile, bad_usage, lab, lab_with};
use crate::lab::games::kinds::{GameKind, kinds};
use crate::lab::language::Language;

/// Splits a command at spaces outside of quotes.
fn words_of(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    words.collect()
}

fn lab_of(command: &str) -> String {
    let words = words_of(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    lab(&words)
}

/// Replaces the spaces between the columns of a table by single ones.
fn single_spaced(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_whitespace());
    let lines: Vec<String> = lines
        .map(|words| words.collect::<Vec<_>>().join(" "))
        .collect();
    lines.join("\n")
}

#[test]
fn the_tables_of_the_documents_are_true() {
    for (document, count) in [
        (include_str!("../../../lab/README.md"), 40),
        (include_str!("../../../lab/LEEME.md"), 40),
    ] {
        let mut checked = 0;
        for row in document.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let [_, _, _, command, output, _] = cells[..] else {
                continue;
            };
            let Some(command) = command.trim_matches('`').strip_prefix("quevedo lab ") else {
                continue;
            };
            let expected = &single_spaced(output.trim_matches('`'));
            // A lesson repeats its commands, so the output would contain their words anyway.
            assert!(!command.contains(expected), "{command}: {expected}");
            let text = single_spaced(&lab_of(command));
            assert!(
                text.contains(expected),
                "{command}: no {expected:?} in\n{text}"
            );
            checked += 1;
        }
        assert_eq!(checked, count);
    }
}

#[test]
fn the_documents_list_all_games() {
    for (document, lang) in [
        (include_str!("../../../lab/README.md"), Language::English),
        (include_str!("../../../lab/LEEME.md"), Language::Spanish),
    ] {
        for kind in kinds(lang) {
            let GameKind {
                game,
                players,
                turns,
                information,
                chance,
                zero_sum,
                command,
            } = kind;
            let row = format!(
                "\n| {game} | {players} | {turns} | {information} | {chance} | {zero_sum} | `{command}` |\n"
            );
            assert!(document.contains(&row), "{row}");
            if !command.starts_with("play") {
                lab_of(command);
            }
        }
    }
}

#[test]
fn the_questions_can_be_answered_by_running_them() {
    for question in &super::super::questions::QUESTIONS {
        let text = lab_of(question.command);
        assert!(
            text.contains(question.shows),
            "{}: {text}",
            question.command
        );
        assert!(('a'..='c').contains(&question.right));
    }
}

#[test]
fn exercises_are_graded() {
    let key = lab(&["exercise", "--seed", "3", "--key"]);
    let file = TemporaryFile::new("key.txt", &key);
    let text = lab(&["exercise", "--answers", file.name()]);
    let count = key.lines().filter(|line| !line.starts_with('#')).count();
    assert!(text.ends_with(&format!("{count} / {count}\n")), "{text}");
    assert_eq!(
        text,
        lab(&["exercise", "--seed", "3", "--answers", file.name()])
    );
    for other in [["--seed", "4"], ["--algorithm", "minimax"]] {
        let error = bad_usage(&[&["exercise", "--answers", file.name()][..], &other].concat());
        assert!(
            error.contains("another exercise: alpha-beta, --seed 3"),
            "{error}"
        );
    }
    // The answers alone do not say what they answer.
    let answers = key.split_once('\n').unwrap().1;
    let file = TemporaryFile::new("answers.txt", answers);
    assert!(bad_usage(&["exercise", "--answers", file.name()]).contains("--seed"));
    let text = lab(&["exercise", "--answers", file.name(), "--seed", "3"]);
    assert!(text.ends_with(&format!("{count} / {count}\n")), "{text}");
    let wrong = key.replacen(": -∞ +∞", ": 1 2", 1);
    let file = TemporaryFile::new("wrong.txt", &wrong);
    let text = lab(&[
        "exercise",
        "--seed",
        "3",
        "--answers",
        file.name(),
        "--lang",
        "es",
    ]);
    assert!(text.contains("ε: mal — alfa -∞, beta +∞"), "{text}");
    assert!(
        text.ends_with(&format!("{} / {count}\n", count - 1)),
        "{text}"
    );
    // Lines that answer for no node are named.
    let strange = format!("{key}9.9: cut\n1.1 seen\n");
    let lines = strange.lines().count();
    let file = TemporaryFile::new("strange.txt", &strange);
    let text = lab(&["exercise", "--answers", file.name()]);
    for (number, line) in [(lines - 1, "9.9: cut"), (lines, "1.1 seen")] {
        let expected = format!("not understood: line {number}: {line:?}\n");
        assert!(text.contains(&expected), "{text}");
    }
    assert!(text.ends_with(&format!("{count} / {count}\n")), "{text}");
    let empty = lab(&["exercise", "--seed", "3"]);
    assert!(empty.contains("\n1.1: ?\n"), "{empty}");
    let other = TemporaryFile::new("other.txt", "# sss-star, --seed 1\n");
    let refused = bad_usage(&["exercise", "--answers", other.name()]);
    assert!(
        refused.contains("exercises are for alpha-beta"),
        "{refused}"
    );
}

/// Words of English sentences that are no Spanish words.
const ENGLISH: &str = "the of and with is not from for in by that are which or it an this to at only where when \
    each leaf leaves depth value values move moves cut";
/// Words of Spanish sentences that are no English words.
const SPANISH: &str = "el la los las de del que una un con para por se su al más cada sin hasta hoja hojas \
    profundidad jugada jugadas valor podado árbol nodo nodos";

/// Returns a word of the other language in a line of output. Options and names with hyphens, such
/// as `--depth` and `cut-alpha`, are the same in both languages.
pub(in crate::tools::lab) fn foreign_word(line: &str, language: Language) -> Option<String> {
    let foreign: Vec<&str> = language.pick(SPANISH, ENGLISH).split_whitespace().collect();
    // Names of strategies are English.
    let line = line
        .replace("Tit for Tat", "")
        .replace("Tit for Two Tats", "");
    let is_end = |c: char| !c.is_alphanumeric() && c != '-';
    let mut words = line.split(is_end).map(str::to_lowercase);
    words.find(|word| foreign.contains(&word.as_str()))
}

#[test]
fn output_is_in_one_language() {
    let mut commands: Vec<String> = super::super::demo::names()
        .map(|name| format!("demo {name}"))
        .collect();
    commands.extend(
        [
            "games",
            "demo",
            "exercise",
            "exercise --key",
            "exercise --questions --key",
            "tree --example sss-star --algorithm sss-star",
            "tree --example horizon --depth 1 --algorithm quiescence",
            "tree --example berliner --svg -",
            "growth --game random --depth 3 --svg -",
            "compare --game random --levels 3",
            "compare --game nim --heap 5",
            "solve --game grundy",
            "solve --game race",
            "solve --other three-players",
            "play --game nim",
            "play --game race",
        ]
        .map(str::to_owned),
    );
    for command in commands {
        for (name, language) in LANGUAGES {
            let text = lab_of(&format!("{command} --lang {name}"));
            for line in text.lines() {
                assert_eq!(foreign_word(line, language), None, "{command}: {line}");
            }
        }
    }
    let list = lab_of("algorithms --lang es");
    assert_eq!(foreign_word(&list, Language::Spanish), None, "{list}");
    // Messages, too.
    let messages = [
        "compare --game chess",
        "compare --game race",
        "solve --game nim --fen x",
        "solve --board XX",
        "compare --fen x --depth 1",
        "compare --game race --depth 2 --algorithms mtd-f",
        "tree --game tic-tac-toe",
        "solve --other eight-puzzle --tiles 11",
        "solve --fields 1,2,2,3",
        "tree --tree /nonexistent/file",
        "growth --orders best",
        "growth --game random --levels 2",
        "growth --order worst --orders best",
    ];
    for command in messages {
        for (name, language) in LANGUAGES {
            let words = words_of(&format!("{command} --lang {name}"));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let message = lab_with(&words, "").unwrap_err().to_string();
            assert_eq!(
                foreign_word(&message, language),
                None,
                "{command}: {message}"
            );
        }
    }
    for (name, language) in LANGUAGES {
        let page = lab(&["page", "--out", "-", "--lang", name]);
        // The script, at the end, has comments; the data has names of fields.
        let (body, _) = page.rsplit_once("<script>").unwrap();
        let (body, data) = body.split_once("<script id=\"data\"").unwrap();
        let body = body.rsplit_once("</style>").unwrap().1;
        let texts = body.split('<').filter_map(|tag| tag.split_once('>'));
        for (_, text) in texts {
            assert_eq!(foreign_word(text, language), None, "{text}");
        }
        let (_, json) = data.split_once('>').unwrap();
        let json: Json = serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap();
        let mut texts = Vec::new();
        collect_texts(&json["words"], &mut texts);
        collect_texts(&json["code"], &mut texts);
        let keys = json["trees"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tree| &tree["key"]);
        let reasons = keys.flat_map(|key| key.as_array().cloned().unwrap_or_default());
        texts.extend(reasons.map(|line| line[2].as_str().unwrap().to_owned()));
        assert!(texts.len() > 300, "{}", texts.len());
        // The steps of the log are named alike in both languages.
        for text in texts.iter().filter(|text| !STEPS.contains(&text.as_str())) {
            assert_eq!(foreign_word(text, language), None, "{text}");
        }
    }
}

const LANGUAGES: [(&str, Language); 2] = [("en", Language::English), ("es", Language::Spanish)];

/// Names of steps that are words.
const STEPS: [&str; 2] = ["leaf", "cut"];

/// Collects all texts in a JSON value.
fn collect_texts(json: &Json, texts: &mut Vec<String>) {
    match json {
        Json::String(text) => texts.push(text.clone()),
        Json::Array(values) => values.iter().for_each(|value| collect_texts(value, texts)),
        Json::Object(values) => values
            .values()
            .for_each(|value| collect_texts(value, texts)),
        _ => {}
    }
}

#[test]
fn lessons_say_what_they_should() {
    let json: Json = serde_json::from_str(&lab(&["demo", "scale", "--json"])).unwrap();
    // A linear scale changes nothing; another one changes the choice of expectiminimax.
    for scale in [1, 2] {
        assert_eq!(json[0]["minimax"], json[scale]["minimax"]);
    }
    assert_eq!(json[0]["expectiminimax"], json[1]["expectiminimax"]);
    assert_ne!(json[0]["expectiminimax"], json[2]["expectiminimax"]);
    let json: Json = serde_json::from_str(&lab(&["demo", "chance", "--json"])).unwrap();
    let leaves: Vec<&Json> = (0..3).map(|row| &json[row]["with_chance"]).collect();
    assert_eq!(leaves, [420, 176_400, 74_088_000]);
    // These numbers come from searches, not from the formula.
    assert_eq!(json[1]["searched"]["expectiminimax"], 176_400);
    assert!(json[1]["searched"]["star1"].as_u64().unwrap() < 176_400);
    let json: Json = serde_json::from_str(&lab(&["demo", "matrix", "--json"])).unwrap();
    assert_eq!(json[0]["mixed_value"], "0");
    // Moves and shares are told apart.
    assert_eq!(
        json[2]["equilibria"],
        serde_json::json!(["(1, 2)", "(2, 1)", "p = (9/10, 9/10)"])
    );
    assert!(lab(&["demo", "dilemma"]).contains("Tit for Two Tats"));
    // Verification repairs both errors of null move.
    let values = |lesson: &str, algorithm: &str| -> Vec<String> {
        let text = single_spaced(&lab(&["demo", lesson]));
        let rows = text.lines().filter_map(|line| line.strip_prefix(algorithm));
        let value = |row: &str| {
            row.split(' ')
                .find(|word| !matches!(*word, "" | "~"))
                .map(str::to_owned)
        };
        rows.filter_map(value).collect()
    };
    assert_eq!(values("null-move", "alpha-beta "), ["-54", "300", "0"]);
    assert_eq!(values("null-move", "null-move "), ["-54", "400", "100"]);
    assert_eq!(
        values("null-move", "null-move-verified "),
        ["-54", "300", "0"]
    );
    // NegaScout saves with a good order that is not perfect.
    let text = single_spaced(&lab(&["demo", "negascout"]));
    assert!(text.contains("\nalpha-beta -3 359 566 "), "{text}");
    assert!(text.contains("\nnegascout -3 305 425 "), "{text}");
    // From depth 3 on, the line of one iteration saves a part of the next.
    let json: Json = serde_json::from_str(&lab(&["demo", "deepening", "--json"])).unwrap();
    let iterations = json.as_array().unwrap();
    assert_eq!(iterations.len(), 5);
    let sum = |field: &str| -> f64 {
        iterations
            .iter()
            .map(|row| row[field].as_f64().unwrap())
            .sum()
    };
    assert!(
        sum("evaluations") < 0.9 * sum("evaluations_without_line"),
        "{json}"
    );
    assert!(sum("milliseconds") > 0.0 && sum("milliseconds_without_line") > 0.0);
    assert!(lab(&["algorithms"]).contains("poda de inutilidades"));
}
