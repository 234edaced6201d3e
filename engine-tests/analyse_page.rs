//! The page of `analyse` in a browser: the table of games, links, verdicts, and exercises.

use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{ONLY_BLUNDERS, observe, page_of};

/// Writes a page of two games, of which the second ends with a blunder and a mate.
fn page(options: &[&str]) -> (TempDir, PathBuf) {
    let text = "[Event \"One\"]\n[White \"Anna\"]\n[Black \"Bruno\"]\n\n\
        1. e4 { [%clk 0:05:00] [%eval 0.20] } e5 { [%clk 0:04:58] [%eval 0.25] } 2. Nf3 { [%cal Gf1b5] [%csl Re5] } Nc6 1/2-1/2\n\n\
        [Event \"Two\"]\n[White \"Carla\"]\n[Black \"Dora\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    page_of("games.pgn", text, &[&ONLY_BLUNDERS[..], options].concat())
}

#[test]
#[ignore = "needs a browser"]
fn a_table_leads_to_the_games_with_browser() {
    let (directory, page) = page(&[]);
    let seen = observe(
        directory.path(),
        &page,
        r"
        const rows = all('#overview tbody tr').map(row => [...row.cells].slice(0, 6).map(cell => cell.textContent));
        const seen = { rows, opening: text('#opening') };
        click('#forward');
        seen.clock = [text('#below-clock'), text('#above-clock')];
        seen.curves = [all('#graph .source-curve').length, all('#graph .times rect').length];
        press('ArrowRight');
        press('ArrowRight');
        seen.drawn = [all('#board .arrow').length, all('#board .marked').length, text('#below-clock'), text('#above-clock')];
        location.hash = find('#overview tbody tr:nth-child(2) a').getAttribute('href');
        dispatchEvent(new Event('hashchange'));
        // The arrow keys also work behind a link.
        const step = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        step(find('#overview a'), 'ArrowRight');
        seen.behindLink = all('.move.current').length;
        step(find('#overview a'), 'Home');
        seen.second = [text('#below'), text('#opening'), find('#overview tr.open td').textContent];
        press('m');
        seen.verdict = text('#verdict').split('.')[0];
        seen.spoken = text('#spoken').startsWith('2. g4??. #-1. Blunder, which allows mate in 1.');
        seen.best = all('#board .arrow').length;
        const label = find('#board svg').getAttribute('aria-label');
        seen.label = [label.startsWith('Position after 2. g4. White: king e1, queen d1, rooks a1 h1,'), label.endsWith('Black to move.')];
        press('p');
        seen.read = text('#spoken').startsWith('White: king e1');
        // Only one move can be reached with the Tab key, the others with the arrow keys.
        seen.reachable = all('#moves .move').filter(move => move.tabIndex === 0).map(move => move.textContent.slice(0, 2));
        seen.printed = all('.printed').map(game => game.querySelector('h2').textContent.slice(0, 8));
        return seen;
        ",
    );
    let expected = json!({
        "rows": [
            ["1", "Anna", "Bruno", "1/2-1/2", "C44 King's Knight Opening: Normal Variation", "2"],
            ["2", "Carla", "Dora", "0-1", "A00 Barnes Opening: Fool's Mate", "2"],
        ],
        "opening": "C44 King's Knight Opening: Normal Variation",
        "clock": ["5:00", ""],
        "curves": [1, 2],
        "drawn": [1, 3, "5:00", "4:58"],
        "behindLink": 1,
        "second": ["Carla", "A00 Barnes Opening: Fool's Mate", "2"],
        "verdict": "Blunder, which allows mate in 1",
        "spoken": true,
        "best": 1,
        "label": [true, true],
        "read": true,
        "reachable": ["g4"],
        "printed": ["1. Anna ", "2. Carla"],
    });
    assert_eq!(seen, expected);
}

#[test]
#[ignore = "needs a browser"]
fn readers_solve_the_marked_positions_with_browser() {
    let (directory, page) = page(&["--lines", "none"]);
    let seen = observe(
        directory.path(),
        &page,
        r"
        const { best } = JSON.parse(all('script.game')[1].textContent).line.moves[2];
        const answer = move => {
            find('#answer').value = move;
            find('#answer-form').requestSubmit();
            return text('#reply');
        };
        const clickSquare = square => {
            const svg = find('#board svg'), box = svg.getBoundingClientRect();
            const at = [square.charCodeAt(0) - 97, 56 - square.charCodeAt(1)].map(number => (34 + 40 * number) / 348 * box.width);
            svg.dispatchEvent(new MouseEvent('click', { clientX: box.left + at[0], clientY: box.top + at[1] }));
        };
        click('#solve');
        const seen = { task: text('#task'), men: all('#board .piece').length, arrows: all('#board .arrow').length };
        seen.hidden = find('#right').getClientRects().length;
        seen.played = answer('g4');
        seen.wrong = answer('Ke9');
        seen.right = answer(best.san).startsWith('Right. Blunder, which allows mate in 1. ' + best.san + ' was best');
        seen.shown = all('#board .arrow').length;
        click('#leave');
        seen.left = [find('#exercise').hidden, all('#board .arrow').length, find('.move.current').textContent.slice(0, 4)];
        press('s');
        best.squares.forEach(clickSquare);
        seen.clicked = text('#reply').split('.')[0];
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        seen.escaped = find('#exercise').hidden;
        return seen;
        ",
    );
    let expected = json!({
        "task": "1 of 1: White to move. In the game 2. g4?? was played.",
        "men": 32,
        "arrows": 0,
        "hidden": 0,
        "played": "g4 is the move of the game. There is a better one.",
        "wrong": "Ke9 is not the move. Try again.",
        "right": true,
        "shown": 1,
        "left": [true, 1, "g4??"],
        "clicked": "Right",
        "escaped": true,
    });
    assert_eq!(seen, expected);
}

#[test]
#[ignore = "needs a browser"]
fn the_position_and_the_game_can_be_copied_with_browser() {
    let (directory, page) = page(&["--lines", "none"]);
    let seen = observe(
        directory.path(),
        &page,
        r"
        // A page in a frame may not use the clipboard, so the test stands in for it.
        let copied = null;
        const provide = clipboard => Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
        const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
        const copy = async id => {
            copied = null;
            click(id);
            await wait(100);
            const shown = [text(id), text('#spoken')];
            await wait(2000);
            return [copied, ...shown, text(id)];
        };
        const seen = {};
        provide({ writeText: async text => { copied = text; } });
        click('#forward');
        seen.fen = await copy('#copy-fen');
        const [pgn, ...shown] = await copy('#copy-pgn');
        seen.pgn = shown;
        seen.lines = pgn.trim().split('\n').filter(line => /^\[(White|Black) /.test(line));
        seen.moves = ['1. e4', '[%clk 0:05:00]', '2. Nf3', '[%cal Gf1b5]', '[%eval '].map(part => pgn.includes(part));
        seen.end = pgn.trim().split(/\s+/).pop();
        press('PageDown');
        click('#last');
        seen.mate = (await copy('#copy-fen'))[0];

        // Without a clipboard, the page copies a selection.
        provide(undefined);
        document.execCommand = command => {
            const { value, selectionStart, selectionEnd } = document.activeElement;
            copied = `${command} ${value.slice(selectionStart, selectionEnd)}`;
            return true;
        };
        seen.selection = await copy('#copy-fen');
        seen.removed = all('textarea').length;

        // The clipboard and the selection are both refused.
        provide({ writeText: async () => { throw new DOMException('refused', 'NotAllowedError'); } });
        document.execCommand = () => false;
        seen.refused = await copy('#copy-pgn');
        seen.left = all('textarea').length;
        return seen;
        ",
    );
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let expected = json!({
        "fen": [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "Copied", "FEN copied", "Copy FEN",
        ],
        "pgn": ["Copied", "PGN copied", "Copy PGN"],
        "lines": ["[White \"Anna\"]", "[Black \"Bruno\"]"],
        "moves": [true, true, true, true, true],
        "end": "1/2-1/2",
        "mate": mate,
        "selection": [format!("copy {mate}"), "Copied", "FEN copied", "Copy FEN"],
        "removed": 0,
        "refused": [null, "Not copied", "The browser does not allow copying", "Copy PGN"],
        "left": 0,
    });
    assert_eq!(seen, expected);
}

#[test]
#[ignore = "needs a browser"]
fn only_the_capital_tells_a_bishop_from_a_pawn_with_browser() {
    // Bxc3 wins a knight; bxc3 lets the rook take the bishop.
    let text = "[FEN \"3r2k1/5ppp/8/8/8/2n5/PP1B1PPP/R5K1 w - - 0 1\"]\n\n1. h3 *\n";
    let (directory, page) = page_of("bishop.pgn", text, &ONLY_BLUNDERS);
    let seen = observe(
        directory.path(),
        &page,
        r"
        const answer = move => {
            find('#answer').value = move;
            find('#answer-form').requestSubmit();
            return text('#reply').split('.')[0];
        };
        click('#solve');
        return ['bxc3', 'b2c3', 'Bxc3'].map(answer);
        ",
    );
    assert_eq!(
        seen,
        json!(["bxc3 is not the move", "b2c3 is not the move", "Right"])
    );
}
