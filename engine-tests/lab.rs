//! The laboratory as a command: exit codes, tables, JSON, and what is said about input that makes
//! no sense.

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
fn options_of_one_game_imply_it() {
    let json = lab(
        &["solve", "--branching", "2", "--levels", "3", "--json"],
        "",
    );
    let implied: Json = serde_json::from_str(&json).expect("JSON");
    let words = [
        "solve",
        "--game",
        "random",
        "--branching",
        "2",
        "--levels",
        "3",
        "--json",
    ];
    let named: Json = serde_json::from_str(&lab(&words, "")).expect("JSON");
    assert_eq!(implied, named);
    refused(&["solve", "--heap", "9"], &["--game nim"]);
    refused(&["solve", "--game", "nim", "--levels", "3"], &["--levels"]);
    lab(&["solve", "--other", "three-players", "--heap", "5"], "");
}

#[test]
fn answers_that_are_not_understood_are_named() {
    let directory = Directory::new("lab-answers");
    let path = directory.0.join("answers.txt");
    let exercise = lab(&["exercise", "--key"], "");
    let filled: Vec<String> = exercise
        .lines()
        .enumerate()
        .map(|(number, line)| match line.split_once(": ") {
            Some((node, _)) if number == 3 => format!("{node}: thirteen"),
            _ => line.to_uppercase(),
        })
        .collect();
    let title = exercise.lines().next().unwrap_or_default();
    let text = format!("\u{feff}{title}\r\n{}", filled[1..].join("\r\n"));
    fs::write(&path, text).expect("a temporary file");
    let graded = lab(
        &["exercise", "--answers", path.to_str().expect("UTF-8")],
        "",
    );
    assert!(graded.contains("not understood: \"thirteen\""), "{graded}");
    let questions = exercise
        .lines()
        .filter(|line| !line.starts_with('#'))
        .count();
    assert!(
        graded.ends_with(&format!("{} / {questions}\n", questions - 1)),
        "{graded}"
    );
}

#[test]
fn no_picture_replaces_its_tree() {
    let directory = Directory::new("lab-picture");
    let path = directory.0.join("one.tree");
    let text = "max(min(3 5) min(2 9))";
    fs::write(&path, text).expect("a temporary file");
    let path_text = path.to_str().expect("UTF-8");
    for command in ["tree", "growth"] {
        let words = [
            command, "--tree", path_text, "--depth", "2", "--svg", path_text,
        ];
        refused(&words, &["one.tree"]);
        assert_eq!(fs::read_to_string(&path).expect("the tree"), text);
    }
}

#[test]
fn a_missing_file_is_named() {
    let output = lab_with(&["tree", "--tree", "no-such-file.tree"], "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("no-such-file.tree: "), "{errors}");
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_no_failure_in_any_language() {
    for language in ["en", "es"] {
        let mut child = command()
            .args(["lab", "--lang", language, "page", "--out", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the process is ours");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(errors.is_empty(), "{errors}");
    }
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

/// A tree of any shape, with all that tree files can have.
fn random_tree(random: &mut u64, level: usize, with_chance: bool) -> String {
    let mut below = |limit: u64| {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) % limit
    };
    if level == 0 || below(5) == 0 {
        let value = below(21) as f64 - 10.0;
        return match below(4) {
            0 => (value / 8.0).to_string(),
            _ => value.to_string(),
        };
    }
    let kind = match (below(3), with_chance) {
        (0, _) => "max",
        (1, _) => "min",
        (_, true) => "chance",
        (_, false) => "",
    };
    let estimate = match below(6) {
        0 => format!("@{}", below(9)),
        1 => format!("@-{}..{}", below(9), below(9)),
        2 => "!".to_owned(),
        _ => String::new(),
    };
    let children = 1 + below(3);
    let labels: Vec<u64> = (0..children).map(|_| below(6)).collect();
    let weights: Vec<u64> = (0..children).map(|_| 1 + below(4)).collect();
    let mut text = format!("{kind}{estimate}(");
    for (label, weight) in labels.into_iter().zip(weights) {
        text.push(' ');
        if kind == "chance" && weight > 1 {
            text += &format!("{weight}*");
        }
        text += ["ñ:", "B2:", "", "", "", ""][label as usize];
        text += &random_tree(random, level - 1, with_chance);
    }
    text + ")"
}

/// Texts that are no trees.
const NO_TREES: [&str; 20] = [
    "",
    "max(3\n  mix(4))",
    "max(3 4",
    "(1 2) 3",
    "(1 ())",
    "(1 2.3456)",
    "(1 2x)",
    "(1 --2)",
    "chance(0*1 2)",
    "(1 ; 2)",
    "(3,5)",
    "max@5..2(1 3)",
    "(99999999999999999999999)",
    "max 3",
    "max@x(1)",
    "# nothing",
    "(1 .)",
    "chance(1001*1 2)",
    "max(A:B:3)",
    "max(ñ 1)",
];

#[test]
#[ignore = "needs a browser"]
fn edited_trees_are_searched_as_by_the_program_with_browser() {
    const TREES: usize = 240;
    let directory = Directory::new("lab-page-edited");
    let page = directory.0.join("page.html");
    let mut random = 7;
    let mut words = vec![
        "page".to_owned(),
        "--out".to_owned(),
        page.display().to_string(),
    ];
    for number in 0..TREES {
        let path = directory.0.join(format!("{number}.tree"));
        let tree = random_tree(&mut random, 1 + number % 5, number % 3 == 0);
        fs::write(&path, tree).expect("a temporary file");
        words.extend(["--tree".to_owned(), path.display().to_string()]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    lab(&words, "");
    let script = r#"
        const differences = [];
        let runs = 0, steps = 0;
        const same = (name, ours, theirs) => {
            if (JSON.stringify(ours) !== JSON.stringify(theirs)) differences.push(name);
        };
        for (const tree of data.trees) {
            const found = searchTree(tree.name, tree.source, words);
            same(`${tree.name}: nodes`, found.nodes, tree.nodes);
            same(`${tree.name}: key`, found.key, tree.key);
            same(`${tree.name}: algorithms`, Object.keys(found.runs).sort(), Object.keys(tree.runs).sort());
            for (const [algorithm, log] of Object.entries(tree.runs)) {
                same(`${tree.name} ${algorithm}`, found.runs[algorithm], log);
                runs += 1;
                steps += log.length;
            }
        }
        const places = NO_TREES.map(text => {
            try { parseTree(text); return 'a tree'; } catch ({ fault, line, column }) {
                return words.faults[fault] ? `line ${line}, column ${column}: ` : `no message for ${fault}`;
            }
        });
        return { differences: differences.slice(0, 5), trees: data.trees.length, runs, steps, places };"#;
    let bad = serde_json::to_string(&NO_TREES).expect("JSON");
    let seen = crate::browser::observe(&directory.0, &page, &script.replace("NO_TREES", &bad));
    assert_eq!(seen["differences"], serde_json::json!([]));
    assert!(
        seen["trees"].as_u64() > Some(TREES as u64),
        "{}",
        seen["trees"]
    );
    // Twelve algorithms without chance, three with it.
    assert!(seen["runs"].as_u64() > Some(2_000), "{}", seen["runs"]);
    assert!(seen["steps"].as_u64() > Some(50_000), "{}", seen["steps"]);
    for (text, place) in NO_TREES
        .iter()
        .zip(seen["places"].as_array().expect("places"))
    {
        let path = directory.0.join("bad.tree");
        fs::write(&path, text).expect("a temporary file");
        let place = place.as_str().expect("a text");
        refused(&["tree", "--tree", path.to_str().expect("UTF-8")], &[place]);
    }
}

#[test]
#[ignore = "needs a browser"]
fn the_lab_page_edits_trees_and_can_be_read_with_browser() {
    let directory = Directory::new("lab-page-edit");
    for lang in ["en", "es"] {
        let page = directory.0.join(format!("{lang}.html"));
        let out = page.to_str().expect("UTF-8");
        lab(&["page", "--lang", lang, "--out", out], "");
        let script = r#"
            const source = find('#source'), trees = () => all('#tree option').length;
            const before = trees();
            const edit = text => { source.value = text; click('#run'); };
            edit('max(min(3 5) min(2');
            const fault = [text('#fault').startsWith(words.line), source.getAttribute('aria-invalid'), trees() - before];
            edit('max(min(3 5) min(2 9))');
            press('End');
            const edited = [text('#fault'), trees() - before, text('.pane [data-node="0"] text'), text('#tree option:checked') === words.edited,
                all('.pane:first-child line.strike').length];
            source.value = 'max(min(3 5) min(4 9))';
            source.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
            press('End');
            const again = [trees() - before, text('.pane [data-node="0"] text')];
            // Arrow keys edit the text rather than step.
            const status = text('.status');
            source.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
            const stays = text('.status') === status;
            for (const [node, answer] of tree.key) {
                const row = find(`#rows tr[data-node='${node}']`);
                const inputs = [...row.querySelectorAll('input[type=text]')];
                if (answer === 'cut') row.querySelector('input').checked = true;
                else if (answer !== 'seen') answer.split(' ').forEach((word, index) => inputs[index].value = word.replace('∞', 'inf'));
            }
            click('#check');
            const graded = text('#grade') === `${tree.key.length} / ${tree.key.length}`;
            edit('chance(1 max(2 3))');
            const chance = [text('#grade') === words.unavailable, find('#check').disabled, find('.algorithm').value];
            edit('max(min(3 5) min(4 9))');
            press('End');
            click('#check');
            // Everything that is used can be reached with the Tab key.
            const controls = all('button, select, input, textarea, .scroll');
            const keyboard = controls.every(e => e.tabIndex === 0 && (e.focus(), e.disabled || document.activeElement === e));
            // Contrast of texts, and of lines and outlines that carry meaning, in both palettes.
            const channels = color => color.match(/[\d.]+/g).map(Number);
            const luminance = color => channels(color).slice(0, 3).map(c => c / 255)
                .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
                .reduce((sum, c, index) => sum + c * [.2126, .7152, .0722][index], 0);
            const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((a, b) => b - a); return (x + .05) / (y + .05); };
            const ground = e => {
                for (; e; e = e.parentElement) {
                    const color = getComputedStyle(e).backgroundColor;
                    if (channels(color)[3] !== 0) return color;
                }
                return 'rgb(255, 255, 255)';
            };
            const faint = () => {
                const found = [];
                for (const e of all('body *')) {
                    if (e.closest('script, style') || e.getClientRects().length === 0) continue;
                    const style = getComputedStyle(e), svg = e instanceof SVGElement;
                    if ([...e.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) {
                        const shape = svg && !e.classList.contains('window') ? e.parentElement.querySelector('.shape') : null;
                        const behind = shape ? getComputedStyle(shape).fill : ground(e);
                        const value = contrast(svg ? style.fill : style.color, behind);
                        if (value < 4.5) found.push(`${e.tagName}.${e.className.baseVal ?? e.className} ${value.toFixed(2)}`);
                    }
                    if (svg && style.stroke !== 'none' && contrast(style.stroke, ground(e)) < 3) found.push(`stroke of ${e.tagName}`);
                    if (e.matches('input, select, textarea, button') && contrast(style.borderTopColor, ground(e.parentElement)) < 3) found.push(`border of ${e.tagName}`);
                }
                return [...new Set(found)];
            };
            const light = faint();
            const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]);
            const dark = rules.find(rule => rule.conditionText?.includes('dark')).cssRules[0].style;
            for (const name of dark) document.documentElement.style.setProperty(name, dark.getPropertyValue(name));
            const isDark = luminance(getComputedStyle(document.body).backgroundColor) < .1;
            return { fault, edited, again, stays, graded, chance, keyboard, light, isDark, dark: faint() };"#;
        let seen = crate::browser::observe(&directory.0, &page, script);
        let expected = serde_json::json!({
            "fault": [true, "true", 0], "edited": ["", 1, "3", true, 1], "again": [1, "4"], "stays": true, "graded": true,
            "chance": [true, true, "expectiminimax"], "keyboard": true, "light": [], "isDark": true, "dark": [],
        });
        assert_eq!(seen, expected, "{lang}");
    }
}

#[test]
fn help_and_usage_errors_follow_the_language() {
    for (words, expected) in [
        (
            &["lab", "--lang", "es", "--help"][..],
            "Uso: quevedo lab [OPCIONES] <ORDEN>",
        ),
        (
            &["--lang", "es", "lab", "compare", "--help"],
            "Uso: quevedo lab compare [OPCIONES]",
        ),
        (
            &["lab", "help", "demo", "--lang=es"],
            "Uso: quevedo lab demo [OPCIONES] [LECCIÓN]",
        ),
        (
            &["lab", "demo", "--help"],
            "Usage: quevedo lab demo [OPTIONS] [LESSON]",
        ),
    ] {
        let output = command().args(words).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(text.contains(expected), "{words:?}: {text}");
    }
    refused(
        &["compare", "--depth", "two", "--lang", "es"],
        &[
            "valor no válido 'two' para '--depth <NIVELES>': no es un número entero",
            "Para más información, pruebe '--help'.",
        ],
    );
    refused(
        &["--lang", "es"],
        &["falta una orden", "[órdenes: compare, "],
    );
    refused(
        &["compare", "--depth", "two"],
        &["invalid value 'two'", "For more information, try '--help'."],
    );
}
