//! The documents, lessons, exercises and languages of the lab.

use super::{TemporaryFile, bad_usage, lab, lab_with};

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
            let expected = output.trim_matches('`');
            let text = lab_of(command);
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
    let text = lab(&["exercise", "--seed", "3", "--answers", file.name()]);
    let count = key.lines().filter(|line| !line.starts_with('#')).count();
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
    let empty = lab(&["exercise", "--seed", "3"]);
    assert!(empty.contains("\n1.1: ?\n"), "{empty}");
    assert!(bad_usage(&["exercise", "--algorithm", "sss-star"]).contains("alpha-beta"));
}

/// Words that sentences of one language have, and the other has not.
const ENGLISH: [&str; 12] = [
    " the ", " of ", " and ", " with ", " is ", " not ", " from ", " to the ", " leaves", " depth",
    " value", " cut",
];
const SPANISH: [&str; 10] = [
    " el ",
    " la ",
    " los ",
    " las ",
    " que ",
    " una ",
    " del ",
    " hojas",
    " profundidad",
    " jugada",
];

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
        for (lang, foreign) in [("en", &SPANISH[..]), ("es", &ENGLISH[..])] {
            let text = lab_of(&format!("{command} --lang {lang}"));
            // Commands are the same in both languages, and names of algorithms in pictures are
            // Spanish.
            let lines = text.lines().filter(|line| {
                !line.starts_with("$ ")
                    && !line.contains("quevedo lab")
                    && !line.contains("font-weight")
            });
            for line in lines {
                let found = foreign.iter().find(|word| line.contains(*word));
                assert_eq!(found, None, "{command} --lang {lang}: {line}");
            }
        }
    }
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
        "exercise --algorithm scout",
        "solve --fields 1,2,2,3",
        "tree --tree /nonexistent/file",
        "growth --orders best",
    ];
    for command in messages {
        for (lang, foreign) in [("en", &SPANISH[..]), ("es", &ENGLISH[..])] {
            let words = words_of(&format!("{command} --lang {lang}"));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let message = lab_with(&words, "").unwrap_err().to_string();
            let found = foreign.iter().find(|word| message.contains(*word));
            assert_eq!(found, None, "{command} --lang {lang}: {message}");
        }
    }
    for (lang, foreign) in [("en", " hojas"), ("es", " leaves")] {
        let page = lab(&["page", "--out", "-", "--lang", lang]);
        // The script, at the end, has comments.
        let body = page.rsplit_once("<script>").unwrap().0;
        assert!(!body.contains(foreign));
    }
}
