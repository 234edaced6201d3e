//! The page of the laboratory in a browser.

use std::fs;

use crate::harness::temporary_directory;
use crate::lab::{lab, refused};

#[test]
#[ignore = "needs a browser"]
fn the_lab_page_steps_and_grades_with_browser() {
    let directory = temporary_directory("lab-page");
    for lang in ["en", "es"] {
        let page = directory.path().join(format!("{lang}.html"));
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
            // Numbers may be written in other ways than the key's.
            const written = word => word.replace('∞', 'inf').replace('-', '−').replace(/^(\d+)$/, '≥ +$1,0');
            for (const [node, answer] of key) {
                const row = find(`#rows tr[data-node='${node}']`);
                const inputs = [...row.querySelectorAll('input[type=text]')];
                const leaf = row.querySelector('select');
                if (leaf) leaf.value = answer;
                else if (answer === 'cut') row.querySelector('input').checked = true;
                else answer.split(' ').forEach((word, index) => inputs[index].value = written(word));
            }
            click('#check');
            const full = text('#grade');
            find('#rows input[type=text]').value = '3';
            click('#check');
            const wrong = find('#rows .verdict').className.includes('bad');
            const desc = find('.pane svg desc').textContent === find('#source').value;
            // EVAL has no window, so it takes away that of the TEST before.
            find('#tree').value = names.indexOf('order-worst');
            find('#tree').dispatchEvent(new Event('change'));
            find('.pane .algorithm').value = 'scout';
            find('.pane .algorithm').dispatchEvent(new Event('change'));
            press('End');
            const again = tree.nodes.findIndex(node => node[3] === '3');
            const windowless = !find(`.pane:first-child [data-node="${again}"] .window`);
            document.body.style.width = '360px';
            const fits = document.body.scrollWidth <= 360;
            const named = all('input, select').every(e => e.getAttribute('aria-label') || e.closest('label'));
            return { moved: two !== one, back, root, lines: lines > 0, open, counts: /[1-9]/.test(counts),
                strikes, desc, windowless, lang: document.documentElement.lang, empty: empty === `0 / ${key.length}`,
                full: full === `${key.length} / ${key.length}`, wrong, fits, named };"#;
        let seen = crate::browser::observe(directory.path(), &page, script);
        let expected = serde_json::json!({
            "moved": true, "back": true, "root": "5", "lines": true, "open": true, "counts": true,
            "strikes": 1, "desc": true, "windowless": true, "lang": lang, "empty": true, "full": true, "wrong": true, "fits": true, "named": true,
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
    let kind = match (below(4), with_chance) {
        (0, _) => "max",
        (1, _) => "min",
        (2, true) => "chance",
        _ => "",
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
    let directory = temporary_directory("lab-page-edited");
    let page = directory.path().join("page.html");
    let mut random = 7;
    let mut words = vec![
        "page".to_owned(),
        "--out".to_owned(),
        page.display().to_string(),
    ];
    for number in 0..TREES {
        let path = directory.path().join(format!("{number}.tree"));
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
    let seen = crate::browser::observe(directory.path(), &page, &script.replace("NO_TREES", &bad));
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
        let path = directory.path().join("bad.tree");
        fs::write(&path, text).expect("a temporary file");
        let place = place.as_str().expect("a text");
        refused(&["tree", "--tree", path.to_str().expect("UTF-8")], &[place]);
    }
}

#[test]
#[ignore = "needs a browser"]
fn the_lab_page_edits_trees_and_can_be_read_with_browser() {
    let directory = temporary_directory("lab-page-edit");
    for lang in ["en", "es"] {
        let page = directory.path().join(format!("{lang}.html"));
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
            const algorithms = () => all('.pane:first-child .algorithm option').map(option => option.value).join();
            const order = algorithms();
            find('#tree').value = 0;
            find('#tree').dispatchEvent(new Event('change'));
            const ordered = algorithms() === order;
            source.value = 'max(min(3 5) min(4 9))';
            source.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
            press('End');
            const again = [trees() - before, text('.pane [data-node="0"] text')];
            // Arrow keys edit the text and scroll the tree rather than step.
            const status = text('.status');
            for (const place of [source, find('.scroll')])
                place.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
            const stays = text('.status') === status;
            for (const [node, answer] of tree.key) {
                const row = find(`#rows tr[data-node='${node}']`);
                const inputs = [...row.querySelectorAll('input[type=text]')];
                const leaf = row.querySelector('select');
                if (leaf) leaf.value = answer;
                else if (answer === 'cut') row.querySelector('input').checked = true;
                else answer.split(' ').forEach((word, index) => inputs[index].value = word.replace('∞', 'inf'));
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
            return { fault, edited, ordered, again, stays, graded, chance, keyboard, light, isDark, dark: faint() };"#;
        let seen = crate::browser::observe(directory.path(), &page, script);
        let expected = serde_json::json!({
            "fault": [true, "true", 0], "edited": ["", 1, "3", true, 1], "ordered": true, "again": [1, "4"], "stays": true, "graded": true,
            "chance": [true, true, "expectiminimax"], "keyboard": true, "light": [], "isDark": true, "dark": [],
        });
        assert_eq!(seen, expected, "{lang}");
    }
}
