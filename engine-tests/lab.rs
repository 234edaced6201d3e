//! Tests of `quevedo lab`: exit codes, tables, JSON, and messages about invalid input.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value as Json;

use crate::datagen::Directory;
use crate::harness::command;

/// Runs `lab` with this text as its complete input.
fn lab_with(words: &[&str], input: &str) -> Output {
    let mut child = command()
        .arg("lab")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("piped");
    // A program that has ended reads nothing.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the process is ours")
}

/// Returns the standard output of a run that must succeed.
fn lab(words: &[&str], input: &str) -> String {
    let output = lab_with(words, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {errors}");
    assert_eq!(errors, "", "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks that arguments are refused with exit code 2 and a message that contains all these parts.
fn refused(words: &[&str], parts: &[&str]) {
    let output = lab_with(words, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    assert!(output.stdout.is_empty(), "{words:?}");
    for part in parts {
        assert!(errors.contains(part), "{words:?}: no {part:?} in {errors}");
    }
}

const FEN: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

#[test]
fn algorithms_stand_side_by_side_in_a_table() {
    let chess = ["compare", "--fen", FEN, "--depth", "2"];
    let table = lab(
        &[&chess[..], &["--algorithms", "minimax,alpha-beta"]].concat(),
        "",
    );
    let lines: Vec<&str> = table.lines().collect();
    let title = lines
        .iter()
        .position(|line| line.starts_with("algorithm "))
        .expect("a row of titles");
    let row = |name: &str| -> Vec<&str> {
        let mut rows = lines.iter().skip(title + 1);
        let row = rows.find(|line| line.starts_with(name));
        row.expect("a row").split_whitespace().collect()
    };
    let (minimax, alpha_beta) = (row("minimax "), row("alpha-beta "));
    let titles: Vec<&str> = lines[title].split_whitespace().collect();
    assert_eq!(titles[..4], ["algorithm", "value", "interior", "leaves"]);
    // The same value from fewer leaves.
    assert_eq!(minimax[1], alpha_beta[1]);
    let leaves = |row: &[&str]| row[3].parse::<u32>().expect("a number");
    assert!(leaves(&alpha_beta) < leaves(&minimax), "{table}");
}

#[test]
fn json_can_be_read() {
    let compare = ["compare", "--fen", FEN, "--depth", "2", "--json"];
    let json: Json = serde_json::from_str(&lab(&compare, "")).expect("JSON");
    assert_eq!(json["agree"], true);
    for row in json["rows"].as_array().expect("rows") {
        assert!(row["exact"] == false || row["line"] == "d1d8", "{row}");
    }
    for words in [
        "solve --game nim --heap 9 --json",
        "growth --game random --depth 3 --json",
        "demo scale --json",
        "algorithms --json",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let json: Json = serde_json::from_str(&lab(&words, "")).expect("JSON");
        assert!(json.is_array() || json.is_object(), "{words:?}");
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    let fen = "8/8/8/8/8/8/8/8 w - - 0 1";
    refused(
        &["compare", "--fen", fen, "--depth", "2"],
        &["--fen", fen, "illegal position: "],
    );
    refused(
        &["compare", "--fen", "8/8", "--depth", "2"],
        &["--fen \"8/8\": not a FEN: "],
    );
    refused(
        &["compare", "--algorithms", "minimax,magic"],
        &["'magic'", "--algorithms", "alpha-beta"],
    );
    refused(&["compare", "--fen", FEN], &["give --depth"]);
    let directory = Directory::new("lab");
    let path = directory.0.join("bad.tree");
    fs::write(&path, "max(3\n  (4 x))").expect("a temporary file");
    refused(
        &["tree", "--tree", path.to_str().expect("UTF-8")],
        &["bad.tree: line 2, column 6: ", "\"x\""],
    );
}

#[test]
fn a_missing_file_is_named() {
    let output = lab_with(&["tree", "--tree", "no-such-file.tree"], "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("no-such-file.tree: "), "{errors}");
}

#[test]
fn a_game_ends_with_the_input() {
    for words in [&["play"][..], &["play", "--second"], &["play", "--json"]] {
        let text = lab(words, "");
        assert!(text.contains("no more moves: the game ends here"), "{text}");
    }
    // The input ends within a game and within a line.
    let text = lab(&["play"], "5\nnonse");
    assert!(text.contains("you: 5"), "{text}");
    assert!(text.contains("\"nonse\" is not a move here"), "{text}");
    assert!(
        text.ends_with("no more moves: the game ends here\n"),
        "{text}"
    );
}

#[test]
#[ignore = "needs a browser"]
fn the_lab_page_steps_and_grades_with_browser() {
    let directory = Directory::new("lab-page");
    for lang in ["en", "es"] {
        let page = directory.0.join(format!("{lang}.html"));
        lab(
            &[
                "page",
                "--lang",
                lang,
                "--out",
                page.to_str().expect("UTF-8"),
            ],
            "",
        );
        let script = r#"
            const status = () => all('.status').map(p => p.textContent);
            const before = status();
            press('ArrowRight'); press('ArrowRight');
            const two = find('.pane .status').textContent;
            press('ArrowLeft');
            const one = find('.pane .status').textContent;
            click('#back');
            const back = status().join() === before.join();
            press('End');
            const root = find('.pane [data-node="0"] text').textContent;
            const lines = all('.pane .code li.now').length;
            const open = all('.open')[1].textContent.startsWith('OPEN: ');
            const counts = find('.counts').textContent;
            // The third tree has cuts: select it and look for pruned branches.
            const names = all('#tree option').map(option => option.textContent);
            find('#tree').value = names.indexOf('alpha-beta-8');
            find('#tree').dispatchEvent(new Event('change'));
            press('End');
            const strikes = all('.pane:first-child line.strike').length;
            const key = tree.key;
            click('#check');
            const empty = text('#grade');
            for (const [node, answer] of key) {
                const row = find(`#rows tr[data-node='${node}']`);
                const inputs = [...row.querySelectorAll('input[type=text]')];
                if (answer === 'cut') row.querySelector('input').checked = true;
                else if (answer !== 'seen') answer.split(' ').forEach((word, index) => inputs[index].value = word.replace('∞', 'inf'));
            }
            click('#check');
            const full = text('#grade');
            find('#rows input[type=text]').value = '3';
            click('#check');
            const wrong = find('#rows .verdict').className.includes('bad');
            document.body.style.width = '360px';
            const fits = document.body.scrollWidth <= 360;
            const named = all('input, select').every(e => e.getAttribute('aria-label') || e.closest('label'));
            return { moved: two !== one, back, root, lines: lines > 0, open, counts: /[1-9]/.test(counts),
                strikes, empty: empty === `${key.filter(k => k[1] === 'seen').length} / ${key.length}`,
                full: full === `${key.length} / ${key.length}`, wrong, fits, named };"#;
        let seen = crate::browser::observe(&directory.0, &page, script);
        let expected = serde_json::json!({
            "moved": true, "back": true, "root": "5", "lines": true, "open": true, "counts": true,
            "strikes": 1, "empty": true, "full": true, "wrong": true, "fits": true, "named": true,
        });
        assert_eq!(seen, expected, "{lang}");
    }
}
