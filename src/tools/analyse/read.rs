//! Games out of PGN text: [`pgn_reader`] reads it, and the rules are applied to it here.
//!
//! What cannot be understood costs as little as possible and is always said. A move that is illegal ends the game there,
//! and the moves behind it are kept as text; in a variation it ends the variation. Words that are no moves (`N`, `e.p.`)
//! are left out. A game of a variant that Quevedo does not play is passed on as it is.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::Outcome;

use super::game::{Game, Line, Ply, move_number};
use super::split::{RawGame, Splitter};
use super::words;
use crate::position::notation::{FenError, parse_fen};
use crate::position::{Move, Position};

/// Variations inside of variations are kept down to this depth.
const MAX_NESTING: usize = 32;

/// Longer lines of tag pairs are not read, in bytes.
const MAX_TAG_BYTES: usize = 4096;

/// What the `Variant` tag says where the rules are those of standard chess, in lower case and without spaces.
const STANDARD: [&str; 6] = [
    "",
    "standard",
    "chess",
    "normal",
    "classical",
    "fromposition",
];

/// Likewise for Chess960.
const CHESS960: [&str; 6] = [
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "frc",
];

/// Reads games one after the other.
#[derive(Debug)]
pub struct Source<R> {
    splitter: Splitter<R>,
    games: u64,
}

impl<R: BufRead> Source<R> {
    /// From the beginning of a stream.
    pub fn new(source: R) -> Source<R> {
        Source {
            splitter: Splitter::new(source),
            games: 0,
        }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.splitter.offset()
    }

    /// The next game and its text; `None` at the end. Text that holds no game is told to `complain` and skipped.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn next_game(
        &mut self,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<Option<(Game, RawGame)>> {
        while let Some(raw) = self.splitter.next_game()? {
            match read_game(&raw, self.games + 1) {
                Some(game) => {
                    self.games += 1;
                    return Ok(Some((game, raw)));
                }
                None => {
                    let text = decode(&raw.text);
                    let first = text.lines().next().unwrap_or_default();
                    let start: String = first.chars().take(60).collect();
                    complain(&format!("line {}: this is no game: {start:?}", raw.line));
                }
            }
        }
        Ok(None)
    }
}

/// Reads one game. `None` when there is neither a tag pair nor a move nor a result.
fn read_game(raw: &RawGame, number: u64) -> Option<Game> {
    let mut builder = Builder::default();
    let mut reader = Reader::build(&raw.text[..])
        .set_supported_tag_line_length(MAX_TAG_BYTES)
        .finish();
    // An empty line inside of movetext is an end for the reader, and here it is none.
    loop {
        match reader.read_game(&mut builder) {
            Ok(Some(())) => {}
            Ok(None) => break,
            // The reader has skipped what it does not understand.
            Err(error) if !raw.is_open => builder.faults.push(error.to_string()),
            Err(_) => break,
        }
    }
    if raw.is_open {
        builder.faults.push("a comment is never closed".to_owned());
    }
    if let Some(fault) = words::unknown(&raw.text) {
        builder.faults.push(fault);
    }
    builder.finish(raw, number)
}

/// The moves of the game, or of a variation, as far as they have been read.
#[derive(Debug)]
struct Frame {
    line: Line,
    /// After the last move, and before it.
    position: Position,
    before: Position,
    is_broken: bool,
}

impl Frame {
    fn new(position: Position) -> Frame {
        Frame {
            line: Line::default(),
            before: position.clone(),
            position,
            is_broken: false,
        }
    }

    fn play(&mut self, m: Move) {
        self.line.moves.push(Ply::new(m));
        let after = self.position.play(m);
        self.before = std::mem::replace(&mut self.position, after);
    }
}

/// Puts a game together while it is read.
#[derive(Debug, Default)]
struct Builder {
    tags: Vec<(String, String)>,
    start: Option<Position>,
    /// The game, and the variations that are open, innermost last. Empty before the first movetext.
    frames: Vec<Frame>,
    /// Open variations that are not kept.
    skipped: usize,
    comment: Vec<u8>,
    result: Option<Cow<'static, str>>,
    rest: Vec<String>,
    faults: Vec<String>,
    foreign: Option<String>,
}

impl Builder {
    /// The first position: known when all tag pairs are.
    fn begin(&mut self) {
        if !self.frames.is_empty() {
            return;
        }
        let start = self.find_start().unwrap_or_else(|reason| {
            self.foreign = Some(reason);
            Position::initial()
        });
        self.frames.push(Frame::new(start.clone()));
        self.start = Some(start);
    }

    /// The position that the game begins at, or why it cannot be understood.
    fn find_start(&self) -> Result<Position, String> {
        let tag = |name: &str| {
            self.tags
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
        };
        let variant = tag("Variant").unwrap_or_default();
        let name: String = variant
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let is_chess960 = CHESS960.contains(&name.as_str());
        if !is_chess960 && !STANDARD.contains(&name.as_str()) {
            return Err(format!(
                "the variant {variant:?} is not one that Quevedo plays"
            ));
        }
        match tag("FEN").filter(|fen| !fen.trim().is_empty()) {
            Some(fen) => parse_fen(fen, is_chess960)
                .map(|parsed| parsed.position)
                .map_err(|error: FenError| format!("the FEN {fen:?} cannot be used: {error}")),
            None => Ok(Position::initial()),
        }
    }

    fn top(&mut self) -> Option<&mut Frame> {
        if self.skipped > 0 {
            return None;
        }
        self.frames.last_mut()
    }

    fn add_move(&mut self, san: SanPlus) {
        let is_main = self.frames.len() == 1;
        let Some(frame) = self.top() else {
            return;
        };
        if frame.is_broken {
            if is_main {
                self.rest.push(san.to_string());
            }
            return;
        }
        match san.san.to_move(frame.position.chess()) {
            Ok(m) => frame.play(Move::from_shakmaty(m)),
            Err(_) => {
                frame.is_broken = true;
                let at = move_number(&frame.position);
                let place = if is_main {
                    let ply = frame.line.moves.len() + 1;
                    format!("ply {ply}, move {at} {san}: illegal; the game is analysed up to there")
                } else {
                    format!(
                        "move {at} {san} of a variation: illegal; the variation is cut off there"
                    )
                };
                self.faults.push(place);
                if is_main {
                    self.rest.push(san.to_string());
                }
            }
        }
    }

    fn add_comment(&mut self) {
        let bytes = std::mem::take(&mut self.comment);
        let text = tidy(&decode(&bytes));
        let Some(frame) = self.top() else {
            return;
        };
        if text.is_empty() || frame.is_broken {
            return;
        }
        match frame.line.moves.last_mut() {
            Some(ply) => ply.comments.push(text),
            None => frame.line.before.push(text),
        }
    }

    fn open_variation(&mut self) {
        let nesting = self.frames.len();
        match self.top() {
            Some(frame)
                if !frame.is_broken && !frame.line.moves.is_empty() && nesting <= MAX_NESTING =>
            {
                let variation = Frame::new(frame.before.clone());
                self.frames.push(variation);
            }
            _ => self.skipped += 1,
        }
    }

    fn close_variation(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        if self.frames.len() < 2 {
            return;
        }
        let line = self.frames.pop().map(|frame| frame.line);
        let parent = self.frames.last_mut();
        if let Some(line) = line.filter(|line| !line.moves.is_empty())
            && let Some(ply) = parent.and_then(|frame| frame.line.moves.last_mut())
        {
            ply.variations.push(line);
        }
    }

    fn finish(mut self, raw: &RawGame, number: u64) -> Option<Game> {
        self.begin();
        if self.frames.len() > 1 || self.skipped > 0 {
            self.faults.push("a variation is never closed".to_owned());
            self.skipped = 0;
            while self.frames.len() > 1 {
                self.close_variation();
            }
        }
        let frame = self.frames.pop()?;
        let is_game = !self.tags.is_empty()
            || !frame.line.moves.is_empty()
            || self.result.is_some()
            || !self.rest.is_empty();
        if !is_game {
            return None;
        }
        let mut game = Game {
            number,
            tags: self.tags,
            start: self.start?,
            line: frame.line,
            result: Cow::Borrowed("*"),
            rest: self.rest,
            faults: self.faults,
            foreign: None,
        };
        if let Some(reason) = self.foreign {
            game.faults = vec![format!("{reason}; it is passed on as it is")];
            game.foreign = Some(raw.text.clone());
        }
        game.result = self
            .result
            .or_else(|| result_tag(&game))
            .unwrap_or(game.result);
        Some(game)
    }
}

/// The result that the tag pair says, for games that end without one.
fn result_tag(game: &Game) -> Option<Cow<'static, str>> {
    let said = game.tag("Result")?.trim();
    ["1-0", "0-1", "1/2-1/2", "*"]
        .into_iter()
        .find(|&result| result == said)
        .map(Cow::Borrowed)
}

impl Visitor for Builder {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags
            .push((tidy(&decode(name)), tidy(&decode(&value.decode()))));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        self.begin();
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.add_move(san);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        let ply = self
            .top()
            .filter(|frame| !frame.is_broken)
            .and_then(|frame| frame.line.moves.last_mut());
        if let Some(ply) = ply
            && !ply.nags.contains(&nag.0)
        {
            ply.nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        self.add_comment();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.open_variation();
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.close_variation();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        if self.frames.len() == 1 && self.skipped == 0 {
            self.result = Some(Cow::Owned(outcome.to_string()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Text in UTF-8, or in Latin-1, which older programs write, when it cannot be that.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// On one line, without control characters, and with single spaces.
fn tidy(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(pgn: &[u8]) -> (Vec<Game>, Vec<String>) {
        let mut source = Source::new(pgn);
        let mut complaints = Vec::new();
        let mut games = Vec::new();
        while let Some((game, _)) = source
            .next_game(&mut |text| complaints.push(text.to_owned()))
            .unwrap()
        {
            games.push(game);
        }
        (games, complaints)
    }

    fn game(pgn: &[u8]) -> Game {
        let (mut games, complaints) = games(pgn);
        assert!(complaints.is_empty(), "{complaints:?}");
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn moves_carry_what_is_said_about_them() {
        let game = game(
            b"{before} 1. e4! $14 {one}{two} (1. d4 d5 (1... Nf6 2. c4) 2. c4 {deep}) (1. c4) e5\n\n2. Nf3?! {[%clk 1]} 1-0",
        );
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert_eq!(game.line.before, ["before"]);
        assert_eq!((game.line.moves.len(), &*game.result), (3, "1-0"));
        let first = &game.line.moves[0];
        assert_eq!(first.nags, [1, 14]);
        assert_eq!(first.comments, ["one", "two"]);
        assert_eq!(first.variations.len(), 2);
        let variation = &first.variations[0];
        assert_eq!(variation.moves.len(), 3);
        assert_eq!(variation.moves[1].variations[0].moves.len(), 2);
        assert_eq!(variation.moves[2].comments, ["deep"]);
        assert_eq!(game.line.moves[2].nags, [6]);
    }

    #[test]
    fn an_illegal_move_costs_only_what_is_behind_it() {
        let broken = game(b"1. e4 e5 2. Ke3 Nf6 {lost} (2... d5) 3. d4 1-0");
        assert_eq!(broken.line.moves.len(), 2);
        assert_eq!(broken.rest, ["Ke3", "Nf6", "d4"]);
        assert_eq!(broken.result, "1-0");
        assert_eq!(
            broken.faults,
            ["ply 3, move 2. Ke3: illegal; the game is analysed up to there"]
        );
        let variation = game(b"1. e4 (1. d4 d4 d5) e5 *");
        assert_eq!(variation.line.moves.len(), 2);
        assert_eq!(variation.line.moves[0].variations[0].moves.len(), 1);
        assert_eq!(
            variation.faults,
            ["move 1... d4 of a variation: illegal; the variation is cut off there"]
        );
    }

    #[test]
    fn nothing_unclosed_or_nested_does_harm() {
        let open = game(b"1. e4 (1. d4 (1. c4 *");
        assert_eq!(open.faults, ["a variation is never closed"]);
        assert_eq!(open.line.moves[0].variations[0].moves.len(), 1);
        let mut deep = b"1. e4 ".to_vec();
        deep.extend(b"(1. d4 ".repeat(100_000));
        deep.extend(b")".repeat(100_000));
        deep.extend(b" e5 *");
        let deep = game(&deep);
        assert!(deep.faults.is_empty());
        assert_eq!(deep.line.moves.len(), 2);
        let closed = game(b") 1. e4 ) e5 *");
        assert_eq!(closed.line.moves.len(), 2);
    }

    #[test]
    fn games_begin_where_their_tags_say() {
        let late = game(
            b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 *",
        );
        assert_eq!(late.line.moves.len(), 2);
        assert_eq!(move_number(&late.start), "30...");
        let fischer = game(
            b"[Variant \"Fischerandom\"]\n[FEN \"1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\"]\n\n1. O-O O-O-O *",
        );
        assert_eq!(fischer.line.moves.len(), 2);
        for (tag, reason) in [
            (&b"[Variant \"Atomic\"]"[..], "the variant \"Atomic\""),
            (b"[FEN \"8/8 w\"]", "the FEN \"8/8 w\" cannot be used"),
        ] {
            let foreign = game(&[tag, b"\n\n1. e4 Kxe4 *"].concat());
            assert!(
                foreign.faults[0].starts_with(reason),
                "{:?}",
                foreign.faults
            );
            assert!(foreign.foreign.is_some());
        }
    }

    #[test]
    fn bytes_of_all_kinds_become_text() {
        let game = game(b"[White \"M\xfcller \\\"a\\\"\"]\r\n[Black \"M\xc3\xbcller\"]\r\n[Result \"0-1\"]\r\n\r\n1. e4 { j\xe4\x00 } e5\r\n");
        assert_eq!(game.tag("White"), Some("M\u{fc}ller \"a\""));
        assert_eq!(game.tag("Black"), Some("M\u{fc}ller"));
        assert_eq!(game.line.moves[0].comments, ["j\u{e4}"]);
        assert_eq!(game.result, "0-1");
    }

    #[test]
    fn text_without_a_game_is_told() {
        let (games, complaints) =
            games(b"Dear reader,\nthis is prose.\n\n[Event \"a\"]\n\n1. e4 *\n");
        assert_eq!(games.len(), 1);
        assert_eq!(complaints, ["line 1: this is no game: \"Dear reader,\""]);
    }
}
