//! Reads games from a PGN stream.
//!
//! Faults in the text cost as little as possible and are always reported. A move that is illegal or
//! cannot be read ends the game or variation, and everything after it is kept as text. Words that
//! are not moves (`N`, `e.p.`) are left out. A game of an unsupported variant is kept as text.

use std::borrow::Cow;
use std::io::{self, BufRead};

use pgn_reader::Reader;

use super::builder::GameBuilder;
use super::game::PgnGame;
use super::movetext::Movetext;
use super::splitter::{PgnSplitter, RawGame};

/// The longest line of a tag pair in bytes.
const MAX_TAG_BYTES: usize = 4096;

/// Reads games from a stream, one at a time.
#[derive(Debug)]
pub struct PgnReader<R> {
    splitter: PgnSplitter<R>,
    games: u64,
    main_line_only: bool,
    /// The result of [`peek`](PgnReader::peek).
    ahead: Option<Ahead>,
}

/// The next game, if there is one, and the complaints before it.
#[derive(Debug)]
struct Ahead {
    complaints: Vec<String>,
    game: Option<(PgnGame, RawGame)>,
}

impl<R: BufRead> PgnReader<R> {
    /// Returns a reader of whole games.
    pub fn new(source: R) -> PgnReader<R> {
        PgnReader {
            splitter: PgnSplitter::new(source),
            games: 0,
            main_line_only: false,
            ahead: None,
        }
    }

    /// Returns a reader that skips all annotations, with their faults.
    pub fn main_lines(source: R) -> PgnReader<R> {
        PgnReader {
            main_line_only: true,
            ..PgnReader::new(source)
        }
    }

    /// Returns the bytes read so far.
    pub fn offset(&self) -> u64 {
        self.splitter.offset()
    }

    /// Returns the lines read so far.
    pub fn lines(&self) -> u64 {
        self.splitter.lines()
    }

    /// Returns the next game and its text; `None` at the end. Text that is not a game, and games
    /// that are too long, are reported to `complain` and skipped.
    ///
    /// # Errors
    /// Fails when the source cannot be read.
    pub fn next_game(
        &mut self,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<Option<(PgnGame, RawGame)>> {
        let Some(ahead) = self.ahead.take() else {
            return self.read_next(complain);
        };
        for complaint in &ahead.complaints {
            complain(complaint);
        }
        Ok(ahead.game)
    }

    /// Returns the game that [`next_game`](PgnReader::next_game) will return.
    ///
    /// # Errors
    /// Fails when the source cannot be read.
    pub fn peek(&mut self) -> io::Result<Option<&PgnGame>> {
        if self.ahead.is_none() {
            let mut complaints = Vec::new();
            let game = self.read_next(&mut |complaint| complaints.push(complaint.to_owned()))?;
            self.ahead = Some(Ahead { complaints, game });
        }
        let ahead = self.ahead.as_ref().and_then(|ahead| ahead.game.as_ref());
        Ok(ahead.map(|(game, _)| game))
    }

    fn read_next(
        &mut self,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<Option<(PgnGame, RawGame)>> {
        loop {
            let raw = match self.splitter.next_game() {
                Ok(Some(raw)) => raw,
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    complain(&error.to_string());
                    continue;
                }
                Err(error) => return Err(error),
            };
            match read_game(&raw, self.games + 1, self.main_line_only) {
                Some(game) => {
                    self.games += 1;
                    return Ok(Some((game, raw)));
                }
                None => {
                    let text = decode(&raw.text);
                    let first = text.lines().next().unwrap_or_default();
                    let start: String = first.chars().take(60).collect();
                    complain(&format!("line {}: not a game: {start:?}", raw.line));
                }
            }
        }
    }
}

/// Reads one game. Returns `None` if there is neither a tag pair nor a move nor a result.
fn read_game(raw: &RawGame, number: u64, main_line_only: bool) -> Option<PgnGame> {
    let mut movetext = Movetext::new(&raw.text);
    if raw.is_open {
        // The reader drops a comment that it cannot see the end of.
        movetext.text.to_mut().push(b'}');
    }
    let mut builder = GameBuilder::new(main_line_only, movetext.unreadable);
    let mut reader = Reader::build(&movetext.text[..])
        .set_supported_tag_line_length(MAX_TAG_BYTES)
        .finish();
    // The reader takes an empty line within movetext for the end of the game; here it is not.
    loop {
        match reader.read_game(&mut builder) {
            Ok(Some(())) => {}
            Ok(None) => break,
            // The reader has skipped the text that it does not understand.
            Err(error) => builder.faults.push(error.to_string()),
        }
    }
    if raw.is_open {
        builder.faults.push("a comment is never closed".to_owned());
    }
    if !main_line_only {
        builder.faults.extend(movetext.left_out);
    }
    builder.finish(raw, number)
}

/// Decodes text in UTF-8, or in Latin-1, which older programs write, if it is not valid UTF-8.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// No-break spaces and those of other scripts are text.
fn is_control_or_space(c: char) -> bool {
    c == ' ' || c.is_control()
}

/// Returns the text on one line, without control characters, and with its own spaces.
pub fn on_one_line(text: &str) -> String {
    text.replace(is_control_or_space, " ").trim().to_owned()
}

/// Returns the text on one line, without control characters, and with single spaces.
pub fn tidy(text: &str) -> String {
    text.split(is_control_or_space)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::splitter::MAX_GAME_BYTES;
    use crate::pgn::{move_number, to_pgn};

    fn games(pgn: &[u8]) -> (Vec<PgnGame>, Vec<String>) {
        let mut source = PgnReader::new(pgn);
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

    fn game(pgn: &[u8]) -> PgnGame {
        let (mut games, complaints) = games(pgn);
        assert!(complaints.is_empty(), "{complaints:?}");
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn moves_carry_their_annotations() {
        let game = game(
            b"{before} 1. e4! $14 $1 {one}{two} (1. d4 d5 (1... Nf6 2. c4) 2. c4 {deep}) (1. c4) e5\n\n2. Nf3?! {[%clk 1]} 1-0",
        );
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert_eq!(game.main_line.comments, ["before"]);
        assert_eq!((game.main_line.moves.len(), &*game.result), (3, "1-0"));
        let first = &game.main_line.moves[0];
        assert_eq!(first.nags, [1, 14]);
        assert_eq!(first.comments, ["one", "two"]);
        assert_eq!(first.variations.len(), 2);
        let variation = &first.variations[0];
        assert_eq!(variation.moves.len(), 3);
        assert_eq!(variation.moves[1].variations[0].moves.len(), 2);
        assert_eq!(variation.moves[2].comments, ["deep"]);
        assert_eq!(game.main_line.moves[2].nags, [6]);
    }

    #[test]
    fn no_move_is_lost_whatever_it_is_written_with() {
        let text = "1. e4 e5 2.♘f3 ♞c6 3.\u{a0}♗c4± ,♝c5 4.O–O Nf6 5\u{2026}d6 {late} 6. 00 O-O";
        let read = game(text.as_bytes());
        assert_eq!(
            read.faults,
            ["ply 9, move 5. d6: illegal; the game is read up to there"]
        );
        assert_eq!(read.main_line.moves.len(), 8);
        assert_eq!(read.unread_moves, "5. d6 (late) O-O O-O");
        let russian = game("1. d4 d5 2. Кf3 Кf6 3. c4 c6 1-0".as_bytes());
        assert_eq!(
            russian.faults,
            ["ply 3, move 2. Кf3: not a move; the game is read up to there"]
        );
        assert_eq!(russian.unread_moves, "2. Кf3 Кf6 c4 c6");
    }

    #[test]
    fn an_illegal_move_costs_only_the_rest_of_its_line() {
        let broken = game(b"1. e4 e5 2. Ke3 Nf6 {lost} (2... d5) 3. d4 1-0");
        assert_eq!(broken.main_line.moves.len(), 2);
        assert_eq!(broken.unread_moves, "2. Ke3 Nf6 (lost) (d5) d4");
        assert_eq!(broken.result, "1-0");
        assert_eq!(
            broken.faults,
            ["ply 3, move 2. Ke3: illegal; the game is read up to there"]
        );
        let ambiguous = game(b"1. e3 e6 2. Ne2 Nf6 3. Nc3 d5");
        assert_eq!(
            ambiguous.faults,
            ["ply 5, move 3. Nc3: ambiguous; the game is read up to there"]
        );
        let over = game(b"1. e4 e5 (1... c5 1-0) 1/2-1/2 2. Nf3 Nc6");
        assert_eq!((over.main_line.moves.len(), &*over.result), (2, "1/2-1/2"));
        assert_eq!(
            over.faults,
            ["ply 3, move 2. Nf3: after the result 1/2-1/2; the game is read up to there"]
        );
        // A result in a variation is not the game's.
        let inside = game(b"1. e4 e5 (1... c5 1-0) 2. Nf3");
        assert_eq!((inside.main_line.moves.len(), &*inside.result), (3, "*"));
        assert!(inside.faults.is_empty(), "{:?}", inside.faults);
        let variation = game(b"1. e4 (1. d4 d4 d5) e5 *");
        assert_eq!(variation.main_line.moves.len(), 2);
        assert_eq!(variation.main_line.moves[0].variations[0].moves.len(), 1);
        assert_eq!(
            variation.faults,
            ["move 1... d4 of a variation: illegal; the variation is read up to there"]
        );
    }

    #[test]
    fn moves_in_other_notations_are_read_or_end_the_game() {
        let long = game(b"1. e2-e4 e7-e5 2. Qd1-h5 Nb8-c6 3. Bf1-c4 Ng8-f6?? 4. Qh5xf7mate 1-0");
        assert!(long.faults.is_empty(), "{:?}", long.faults);
        assert_eq!(long.main_line.moves.len(), 7);
        let old = game(b"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf7:++ 1-0");
        assert_eq!((old.main_line.moves.len(), old.faults.len()), (7, 0));
        let german = b"1. d4 d5 2. Sf3 (2. Lf4 Lf5) Sf6 3. c4 1-0";
        let read = game(german);
        assert_eq!(read.main_line.moves.len(), 2);
        assert_eq!(read.unread_moves, "2. Sf3 (Lf4 Lf5) Sf6 c4");
        let fault = "ply 3, move 2. Sf3: not a move; the game is read up to there";
        assert_eq!(read.faults, [fault]);
        let (read, _) = PgnReader::main_lines(&german[..])
            .next_game(&mut |_| {})
            .unwrap()
            .unwrap();
        assert_eq!(
            (read.main_line.moves.len(), &read.faults[..]),
            (2, &[fault.to_owned()][..])
        );
    }

    #[test]
    fn nothing_unclosed_or_nested_does_harm() {
        let open = game(b"1. e4 (1. d4 (1. c4 *");
        assert_eq!(open.faults, ["a variation is never closed"]);
        assert_eq!(open.main_line.moves[0].variations[0].moves.len(), 1);
        let mut deep = b"1. e4 ".to_vec();
        deep.extend(b"(1. d4 ".repeat(100_000));
        deep.extend(b")".repeat(100_000));
        deep.extend(b" e5 *");
        let deep = game(&deep);
        assert!(deep.faults.is_empty());
        assert_eq!(deep.main_line.moves.len(), 2);
        let closed = game(b") 1. e4 ) e5 *");
        assert_eq!(closed.main_line.moves.len(), 2);
    }

    #[test]
    fn tags_set_the_first_position() {
        let late = game(
            b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 *",
        );
        assert_eq!(late.main_line.moves.len(), 2);
        assert_eq!(move_number(&late.start), "30...");
        let fischer = game(
            b"[Variant \"Fischerandom\"]\n[FEN \"1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\"]\n\n1. O-O-O O-O *",
        );
        assert_eq!(fischer.main_line.moves.len(), 2);
        for (tag, reason) in [
            (&b"[Variant \"Atomic\"]"[..], "the variant \"Atomic\""),
            (b"[FEN \"8/8 w\"]", "the FEN \"8/8 w\" cannot be used"),
        ] {
            let foreign = game(&[tag, b"\n\n1. e4 Kxe4 *"].concat());
            assert!(foreign.main_line.moves.is_empty() && foreign.unread_moves.is_empty());
            assert!(
                foreign.faults[0].starts_with(reason),
                "{:?}",
                foreign.faults
            );
            assert!(foreign.verbatim.is_some());
        }
    }

    #[test]
    fn all_tags_before_the_moves_set_the_first_position() {
        const FEN: &str = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]";
        for between in [
            "\n",
            "\n\n",
            "\n[Variant \"Chess960\n",
            "\n[Round \"1\" 2]\n\n",
        ] {
            let text = format!("[Event \"a\"]{between}{FEN}\n[Variant \"Chess960\"]\n\n1. O-O *");
            let read = game(text.as_bytes());
            assert_eq!(read.main_line.moves.len(), 1, "{text}");
            assert!(read.start.castling_mode().is_chess960(), "{text}");
            let again = game(to_pgn(&read).as_bytes());
            assert_eq!(again.start.key(), read.start.key(), "{text}");
            assert_eq!(again.main_line.moves[0].m, read.main_line.moves[0].m);
        }
        // A tag pair that comes too late is not written, as it would change the moves.
        let late = game(format!("[Event \"a\" 1. e4\n{FEN}\n\n1... e5 *").as_bytes());
        assert_eq!(
            late.faults.last().unwrap(),
            "a tag pair after the first move is left out"
        );
        assert_eq!((late.tag("FEN"), late.main_line.moves.len()), (None, 2));
    }

    #[test]
    fn bytes_of_all_kinds_become_text() {
        let game = game(b"[White \"M\xfcller \\\"a\\\"\"]\r\n[Black \"M\xc3\xbcller\"]\r\n[Result \"0-1\"]\r\n\r\n1. e4 { j\xe4\x00 } e5\r\n");
        assert_eq!(game.tag("White"), Some("M\u{fc}ller \"a\""));
        assert_eq!(game.tag("Black"), Some("M\u{fc}ller"));
        assert_eq!(game.main_line.moves[0].comments, ["j\u{e4}"]);
        // Spaces in a tag pair may be those of a file name.
        let spaces = self::game(
            b"[Annotator \" a  b\tc \"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R  w  K - 0 1\"]\n\n1. O-O *",
        );
        assert_eq!(spaces.tag("Annotator"), Some("a  b c"));
        assert_eq!(spaces.main_line.moves.len(), 1);
        assert_eq!(game.result, "0-1");
    }

    #[test]
    fn main_lines_have_no_annotations() {
        let pgn = b"{a} 1. e4 $1 {b} (1. d4 d4 (1... Nf6)) e5 xyz 2. Nf3 ; c\n1-0\n\n1. e4 e4 *\n\n1. d4 {";
        let mut reader = PgnReader::main_lines(&pgn[..]);
        let mut next = || reader.next_game(&mut |_| {}).unwrap().unwrap().0;
        let game = next();
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert!(game.main_line.comments.is_empty());
        assert_eq!((game.main_line.moves.len(), &*game.result), (3, "1-0"));
        for annotated in &game.main_line.moves {
            assert!(annotated.nags.is_empty() && annotated.comments.is_empty());
            assert!(annotated.variations.is_empty());
        }
        let keys: Vec<_> = game.replay().map(|(position, _)| position.key()).collect();
        let positions = game.positions();
        assert_eq!(keys.len() + 1, positions.len());
        assert!(
            positions
                .iter()
                .zip(keys)
                .all(|(position, key)| position.key() == key)
        );
        for fault in ["ply 2, move 1... e4: illegal", "a comment is never closed"] {
            assert!(next().faults[0].starts_with(fault));
        }
    }

    #[test]
    fn a_comment_that_is_never_closed_is_kept() {
        let (games, _) = games(b"1. e4 e5 {tail Nf3 1-0\n\n[Event \"b\"]\n\n1. d4 {last");
        for (game, comment) in games.iter().zip(["tail Nf3 1-0", "last"]) {
            assert_eq!(game.faults, ["a comment is never closed"]);
            let last = game.main_line.moves.last().unwrap();
            assert_eq!(last.comments, [comment]);
        }
        assert_eq!(games.len(), 2);
    }

    #[test]
    fn the_movetext_decides_the_outcome() {
        let outcome = |text: &str| game(text.as_bytes()).outcome().to_string();
        assert_eq!(outcome("[Result \"1-0\"]\n\n1. e4 0-1"), "0-1");
        assert_eq!(outcome("[Result \"1-0\"]\n\n1. e4 *"), "1-0");
        assert_eq!(outcome("[Result \"1/2-1/2\"]\n\n1. e4"), "1/2-1/2");
        assert_eq!(outcome("[Result \"?\"]\n\n1. e4"), "*");
    }

    #[test]
    fn text_without_a_game_is_reported() {
        let (games, complaints) =
            games(b"Dear reader,\nthis is prose.\n\n[Event \"a\"]\n\n1. e4 *\n");
        assert_eq!(games.len(), 1);
        assert_eq!(complaints, ["line 1: not a game: \"Dear reader,\""]);
    }

    #[test]
    fn a_game_that_is_too_long_does_not_end_the_file() {
        let long = format!(
            "[Event \"a\"]\n\n1. e4 {{{}}} *\n\n",
            "x".repeat(MAX_GAME_BYTES)
        );
        let (games, complaints) = games(format!("{long}[Event \"b\"]\n\n1. d4 *\n").as_bytes());
        assert_eq!(complaints[0], "line 1: the game is too long");
        assert_eq!(games.last().unwrap().tag("Event"), Some("b"));
    }
}
