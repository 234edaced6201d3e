//! Tests of the HTML pages in headless Chromium, from a file and without a network.
//!
//! A script at the end of a copy of the page acts as a reader does and records what the page shows.
//! The tests run where `CHROMIUM` names a browser or one is on the `PATH`.

mod access;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{command, temporary_directory};

/// The time limit of a page, since a browser starts slowly on a busy machine.
const BROWSER_PATIENCE: Duration = Duration::from_secs(90);

/// The functions that each test's script can call.
const TOOLS: &str = r"
const find = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const text = selector => find(selector).textContent.trim();
const click = selector => find(selector).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
";

fn browser() -> PathBuf {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let on_path = || {
        let path = std::env::var_os("PATH")?;
        let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
        std::env::split_paths(&path)
            .flat_map(|directory| names.map(|name| directory.join(name)))
            .find(|candidate| candidate.is_file())
    };
    named
        .or_else(on_path)
        .expect("CHROMIUM names a browser, or there is one on the PATH")
}

/// Loads a page with more arguments for the browser. Returns its final HTML and the browser's
/// messages.
fn visit(directory: &Path, page: &Path, arguments: &[&str]) -> (String, String) {
    let log = directory.join("log");
    let mut child = Command::new(browser())
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            "--virtual-time-budget=20000",
            "--dump-dom",
        ])
        .args(arguments)
        .arg(format!(
            "--user-data-dir={}",
            directory.join("profile").display()
        ))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log).expect("a temporary file"))
        .spawn()
        .expect("the browser starts");
    let mut output = child.stdout.take().expect("piped");
    let reader = thread::spawn(move || {
        let mut dom = Vec::new();
        let _ = output.read_to_end(&mut dom);
        String::from_utf8_lossy(&dom).into_owned()
    });
    let end = Instant::now() + BROWSER_PATIENCE;
    while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    let dom = reader.join().expect("a reader");
    let said = fs::read(&log).expect("the log");
    (dom, String::from_utf8_lossy(&said).into_owned())
}

/// Loads an unchanged page and checks that the browser reports no error.
fn load(directory: &Path, page: &Path) -> String {
    let (dom, said) = visit(directory, page, &[]);
    assert!(!said.contains(":CONSOLE"), "{said}");
    assert!(dom.contains("</html>"), "{dom}\n{said}");
    dom
}

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The width of the window in CSS pixels.
    width: u32,
    /// The system has dark colours.
    is_dark: bool,
}

/// Loads a copy of a page with a script at its end, the body of an asynchronous function. Returns
/// the value that the script returns.
pub(crate) fn observe(directory: &Path, page: &Path, script: &str) -> Value {
    let view = View {
        width: 1_400,
        is_dark: false,
    };
    observe_in(directory, page, view, "", script)
}

/// Loads a copy of a page like [`observe`], in a window of a certain width, with a library of
/// JavaScript. The page is in a frame, because Chromium has no windows narrower than 500 pixels.
fn observe_in(directory: &Path, page: &Path, view: View, library: &str, script: &str) -> Value {
    let html = fs::read_to_string(page).expect("the page");
    let trap = format!(
        "<head><script>const faults = []; addEventListener('error', event => faults.push(event.message));</script>\
         <script>{library}</script>"
    );
    let script = format!(
        "<script>addEventListener('load', async () => {{ {TOOLS}\nlet seen; try {{ seen = await (async () => {{ {script} }})(); }} \
         catch (error) {{ faults.push(String(error.stack)); }}\n\
         parent.postMessage(JSON.stringify({{ seen, faults }}), '*'); }});</script></body>"
    );
    assert!(html.contains("<head>") && html.contains("</body>"));
    let text = html
        .replacen("<head>", &trap, 1)
        .replacen("</body>", &script, 1);
    fs::write(directory.join("copy.html"), text).expect("a temporary file");
    let frame = format!(
        "<!DOCTYPE html><html><body style=\"margin:0\"><script>addEventListener('message', event => {{\
         const report = document.createElement('pre'); report.id = 'report';\
         report.textContent = event.data; document.body.append(report); }});</script>\
         <iframe src=\"copy.html\" style=\"border:0;width:{}px;height:900px\"></iframe></body></html>",
        view.width
    );
    let outer = directory.join("frame.html");
    fs::write(&outer, frame).expect("a temporary file");
    let scheme = format!(
        "--blink-settings=preferredColorScheme={}",
        u8::from(!view.is_dark)
    );
    let (dom, said) = visit(directory, &outer, &["--window-size=1600,1000", &scheme]);
    let report = dom
        .split_once("<pre id=\"report\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .map(|(report, _)| report)
        .unwrap_or_else(|| panic!("no report\n{said}\n{dom}"));
    let report = report
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["faults"], json!([]));
    assert!(!said.contains(":CONSOLE"), "{said}");
    report["seen"].clone()
}

/// Compares observations with expectations, part by part.
fn expect(seen: &Value, expected: &Value) {
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&seen[name], value, "{name}");
    }
}

/// Writes a file, and the page that a command makes of it.
pub fn page_of(name: &str, text: &str, arguments: &[&str]) -> (TempDir, PathBuf) {
    let directory = temporary_directory(&format!("page-{:?}", thread::current().id()));
    let file = directory.path().join(name);
    let page = directory.path().join("page.html");
    fs::write(&file, text).expect("a temporary file");
    let result = command()
        .args(arguments)
        .arg("--html")
        .args([&page, &file])
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "{errors}");
    (directory, page)
}

/// The options of an analysis in which only blunders are marked, so that the marks do not depend on
/// details of the evaluation.
pub const ONLY_BLUNDERS: [&str; 9] = [
    "analyse",
    "--nodes",
    "3000",
    "--hash",
    "1",
    "--dubious",
    "28",
    "--mistake",
    "29",
];

/// Writes a page of two games: castling, promotion, marks and variations in the first, a mate in
/// the second.
fn analysis() -> (TempDir, PathBuf) {
    let text = "[Event \"One\"]\n[White \"<b>Anna</b>\"]\n[Black \"Bruno & Co\"]\n\n\
        1. e4 {A comment <i>} (1. d4 d5 2. c4 (2. Nf3 Nf6) 2... e6) e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. Qe2 O-O 1/2-1/2\n\n\
        [Event \"Two\"]\n[White \"Carla\"]\n[Black \"Dora\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let arguments = [&ONLY_BLUNDERS[..], &["--lines", "none"]].concat();
    page_of("games.pgn", text, &arguments)
}

#[test]
#[ignore = "needs a browser"]
fn the_analysis_page_loads_with_browser() {
    let (directory, page) = analysis();
    let dom = load(directory.path(), &page);
    assert_eq!(dom.matches("class=\"piece\"").count(), 32);
    assert!(dom.contains("class=\"curve\""));
    assert!(dom.contains("&lt;b&gt;Anna&lt;/b&gt;") && !dom.contains("<b>Anna"));
}

#[test]
#[ignore = "needs a browser"]
fn the_analysis_page_steps_through_games_with_browser() {
    let (directory, page) = analysis();
    let seen = observe(
        directory.path(),
        &page,
        r"
        // Finds the piece on a square, seen from White's side.
        const man = square => {
            const x = 14 + 40 * (square.charCodeAt(0) - 97), y = 14 + 40 * (56 - square.charCodeAt(1));
            const found = all('#board .piece').find(use => +use.getAttribute('x') === x && +use.getAttribute('y') === y);
            return found ? found.getAttribute('href').slice(3) : '';
        };
        const here = () => find('#graph .here').getAttribute('d').split(' ')[0];
        const current = () => (find('.move.current') || { textContent: '-' }).textContent.trim();
        const seen = { games: all('#games option').length, men: all('#board .piece').length, start: current(), here: here() };
        seen.points = find('#graph .curve').getAttribute('points').split(' ').length;
        click('#forward');
        seen.forward = [man('e2'), man('e4'), current().split(/[+-]/)[0], text('#evaluation') !== '', here() !== seen.here];
        press('ArrowLeft');
        seen.back = [man('e2'), man('e4'), here()];
        for (let count = 0; count < 7; count++) press('ArrowRight');
        seen.castled = [man('g1'), man('f1'), man('e1'), man('h1')];
        click('#last');
        seen.end = [man('g8'), man('f8'), all('#moves .main.move').indexOf(find('.current'))];
        press('ArrowRight');
        seen.stays = all('#moves .main.move').indexOf(find('.current'));
        press('f');
        seen.turned = [man('g1'), text('#above').length];
        click('#flip');
        press('Home');
        seen.home = current();
        const variation = all('#moves .aside .move').find(move => move.textContent.includes('Nf3'));
        variation.click();
        seen.variation = [man('d4'), man('d5'), man('f3'), man('e4')];
        press('ArrowRight');
        seen.further = man('f6');
        press('Home');
        const box = find('#graph svg').getBoundingClientRect();
        find('#graph svg').dispatchEvent(new MouseEvent('click', { clientX: box.left + box.width * .5, clientY: box.top + 5 }));
        seen.graph = all('#moves .main.move').indexOf(find('.current'));
        find('#games').selectedIndex = 1;
        find('#games').dispatchEvent(new Event('change'));
        seen.second = [text('#below'), text('#above'), current()];
        click('#next-mark');
        seen.mark = [current().slice(0, 4), find('.current .blunder') !== null];
        press('End');
        seen.mate = [man('h4'), text('#evaluation'), find('#bar-fill').style.height];
        press('PageUp');
        seen.first = [text('#below'), current()];
        return seen;
        ",
    );
    let expected = json!({
        "games": 2, "men": 32, "start": "-", "here": "M0", "points": 11,
        "forward": ["", "wP", "e4", true, true],
        "back": ["wP", "", "M0"],
        "castled": ["wK", "wR", "", ""],
        "end": ["bK", "bR", 9], "stays": 9,
        "turned": ["", 11], "home": "-",
        "variation": ["wP", "bP", "wN", ""], "further": "bN",
        "graph": 4,
        "second": ["Carla", "Dora", "-"],
        "mark": ["g4??", true],
        "mate": ["bQ", "0-1", "0%"],
        "first": ["<b>Anna</b>", "-"],
    });
    expect(&seen, &expected);
}

/// Writes a page of two engines and three positions, of which the last one cannot be solved.
fn suite() -> (TempDir, PathBuf) {
    let text = "k7/8/K7/8/8/8/8/7R w - - bm Rh8#; id \"mate.b\";\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back.a\";\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a4; id \"hopeless <c>\";\n";
    let arguments = [
        "epd",
        "--nodes",
        "2000",
        "--quiet",
        "--engine",
        "builtin",
        "--engine",
        "builtin",
        "--option",
        "MultiPV=2",
    ];
    page_of("suite.epd", text, &arguments)
}

#[test]
#[ignore = "needs a browser"]
fn the_epd_page_loads_with_browser() {
    let (directory, page) = suite();
    let dom = load(directory.path(), &page);
    assert_eq!(
        dom.matches("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\"")
            .count(),
        3
    );
    assert!(dom.contains("3 of 3") && dom.contains("hopeless &lt;c&gt;"));
}

#[test]
#[ignore = "needs a browser"]
fn the_epd_page_sorts_and_filters_with_browser() {
    let (directory, page) = suite();
    let seen = observe(
        directory.path(),
        &page,
        r"
        const ids = () => all('.card').filter(card => card.getClientRects().length > 0).map(card => card.querySelector('h3').textContent);
        const set = (id, value) => {
            const control = find('#' + id);
            if (control.type === 'checkbox') control.checked = value; else control.value = value;
            control.dispatchEvent(new Event('input', { bubbles: true }));
        };
        const seen = { all: ids() };
        seen.pieces = all('.card').map(card => card.querySelectorAll('svg.board use').length - 1);
        seen.arrows = all('.card').map(card => card.querySelectorAll('svg.board polygon').length);
        seen.solved = text('#engines tbody td');
        set('sort', 'id');
        seen.sorted = ids();
        set('down', true);
        seen.descending = ids();
        set('down', false);
        set('filter', 'any');
        seen.failed = [...ids(), text('#shown')];
        set('filter', 'only0');
        seen.only = ids();
        set('filter', 'differ');
        seen.differ = ids();
        set('filter', 'all');
        set('search', 'BACK');
        seen.found = [...ids(), text('#shown')];
        set('search', '');
        set('sort', 'number');
        seen.again = ids();
        return seen;
        ",
    );
    let expected = json!({
        "all": ["mate.b", "back.a", "hopeless <c>"],
        "pieces": [3, 6, 32],
        "arrows": [3, 3, 3],
        "solved": "2",
        "sorted": ["back.a", "hopeless <c>", "mate.b"],
        "descending": ["mate.b", "hopeless <c>", "back.a"],
        "failed": ["hopeless <c>", "1 of 3"],
        "only": [], "differ": [],
        "found": ["back.a", "1 of 3"],
        "again": ["mate.b", "back.a", "hopeless <c>"],
    });
    expect(&seen, &expected);
}

#[test]
#[ignore = "needs a browser"]
fn lines_of_the_epd_page_can_be_stepped_through_with_browser() {
    let (directory, page) = suite();
    let seen = observe(
        directory.path(),
        &page,
        r"
        const card = find('.card'), line = card.querySelector('[data-steps]');
        const board = () => card.querySelector('svg.board');
        const key = name => board().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
        const said = () => text('#said');
        const seen = { text: line.textContent, arrows: board().querySelectorAll('polygon').length };
        // The board in words is the same from the program and from the script.
        seen.same = all('.card').every(card => card.querySelector('svg.board desc').textContent
            === Board.words(Board.pieces(card.dataset.fen.split(' ')[0])));
        const starter = line.previousElementSibling;
        starter.click();
        seen.opened = [starter.textContent, starter.getAttribute('aria-expanded'), said()];
        board().focus();
        key('ArrowLeft');
        seen.start = [said().split('.')[0], document.activeElement === board()];
        key('End');
        seen.current = card.querySelector('[aria-current]').textContent;
        key('Escape');
        seen.closed = [line.textContent === seen.text, board().querySelectorAll('polygon').length, document.activeElement === starter];
        const copy = [...card.querySelectorAll('button')].find(button => button.textContent === 'Copy FEN');
        // A page in a frame may not use the clipboard.
        let copied = '';
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { copied = text; } } });
        copy.click();
        await new Promise(done => setTimeout(done, 300));
        seen.copied = [copy.textContent, copied === card.dataset.fen];
        seen.headings = all('h2').map(heading => heading.textContent);
        seen.chart = find('.curve desc').textContent.includes('The suite has 3 positions.');
        return seen;
        ",
    );
    let expected = json!({
        "text": "1. Rh8#", "arrows": 3, "same": true,
        "opened": [
            "Close", "true",
            "After 1. Rh8#, Black to move. White: king a6, rook h8. Black: king a8.",
        ],
        "start": ["Start, White to move", true],
        "current": "Rh8#",
        "closed": [true, 3, true],
        "copied": ["Copied", true],
        "headings": ["suite.epd 3"],
        "chart": true,
    });
    expect(&seen, &expected);
}
