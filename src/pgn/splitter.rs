//! Splits a PGN stream into games, so that a fault in one game cannot spoil the next, and text that
//! cannot be parsed can be passed on.
//!
//! A game consists of tag pairs and movetext. It ends where the tag pairs of the next game begin,
//! or, without tag pairs, at the end of a line after a result and the comments that follow it. An
//! empty line within movetext or a comment does not end a game. An unclosed comment ends where an
//! empty line and a tag pair follow; otherwise it would swallow the rest of the file. Quotes inside
//! the value of a tag pair are escaped.

use std::borrow::Cow;
use std::io::{self, BufRead};

/// The largest game in bytes. Longer input is not PGN.
pub(super) const MAX_GAME_BYTES: usize = 16 << 20;

/// The text of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawGame {
    /// The text, without the lines that `%` marks as meant for other programs.
    pub text: Vec<u8>,
    /// The number of its first line in the source, from 1.
    pub line: u64,
    /// The bytes of the source before it.
    pub offset: u64,
    /// True if a comment is never closed.
    pub is_open: bool,
}

/// Reads the texts of games from a stream, one at a time.
#[derive(Debug)]
pub struct PgnSplitter<R> {
    source: R,
    /// The first line of the next game, if it has been read.
    ahead: Vec<u8>,
    /// The lines and bytes before the next line.
    lines: u64,
    offset: u64,
}

/// The state of the splitter within a game.
#[derive(Debug, Default)]
struct GameScan {
    in_comment: bool,
    /// The variations that are open.
    depth: usize,
    /// The name of the first tag pair. Behind an empty line the same name begins another game.
    first_tag: Option<Vec<u8>>,
    /// True once the `Event` tag pair, which need not be the first one, has been read.
    has_event: bool,
    has_moves: bool,
    has_result: bool,
    is_after_empty: bool,
}

impl<R: BufRead> PgnSplitter<R> {
    /// Returns a splitter for a stream.
    pub fn new(source: R) -> PgnSplitter<R> {
        PgnSplitter {
            source,
            ahead: Vec::new(),
            lines: 0,
            offset: 0,
        }
    }

    /// Returns the bytes read so far, up to the end of the last game.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the lines read so far, up to the end of the last game.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the next game; `None` at the end.
    ///
    /// # Errors
    /// Fails when the source cannot be read. An endless game is
    /// [`InvalidData`](io::ErrorKind::InvalidData); splitting can continue after it.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        let mut game = RawGame::default();
        let mut scan = GameScan::default();
        loop {
            let line = self.next_line()?;
            if line.is_empty() {
                game.is_open = scan.in_comment;
                break;
            }
            let text = without_mark(&line, self.lines);
            if scan.ends_before(text) {
                game.is_open = scan.in_comment;
                self.ahead = line;
                break;
            }
            self.lines += 1;
            let is_escaped = text.starts_with(b"%") && !scan.in_comment;
            if !is_escaped && (!game.text.is_empty() || !text.trim_ascii().is_empty()) {
                if game.text.is_empty() {
                    game.line = self.lines;
                    game.offset = self.offset;
                }
                if scan.is_tag(text) {
                    game.text.extend_from_slice(&with_quotes_escaped(text));
                } else {
                    game.text.extend_from_slice(text);
                }
                scan.add(text);
            }
            self.offset += line.len() as u64;
            if game.text.len() > MAX_GAME_BYTES {
                let message = format!("line {}: the game is too long", game.line);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            if scan.is_over() {
                break;
            }
        }
        Ok((!game.text.is_empty()).then_some(game))
    }

    /// Returns the next line with its line break; empty at the end of the source. The single
    /// carriage return with which old programs end lines becomes a line feed.
    fn next_line(&mut self) -> io::Result<Vec<u8>> {
        if !self.ahead.is_empty() {
            return Ok(std::mem::take(&mut self.ahead));
        }
        let mut line = Vec::new();
        while line.len() <= MAX_GAME_BYTES {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if let Some(end @ b'\r') = line.last_mut() {
                if buffer.first() == Some(&b'\n') {
                    line.push(b'\n');
                    self.source.consume(1);
                } else {
                    *end = b'\n';
                }
                break;
            }
            let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let end = buffer.iter().position(is_end);
            let length = end.map_or(buffer.len(), |end| end + 1);
            line.extend_from_slice(buffer.get(..length).unwrap_or_default());
            self.source.consume(length);
            if length == 0 || line.ends_with(b"\n") {
                break;
            }
        }
        Ok(line)
    }
}

impl GameScan {
    /// Returns whether the game ends before this line.
    fn ends_before(&self, line: &[u8]) -> bool {
        let Some(name) = tag_name(line) else {
            let text = line.trim_ascii();
            let is_comment = matches!(text.first(), None | Some(b'{' | b';' | b'%'));
            return self.has_result && !self.in_comment && !is_comment;
        };
        if self.in_comment {
            return self.is_after_empty;
        }
        let is_first = self.is_after_empty && self.first_tag.as_deref() == Some(name);
        self.has_moves || is_first || self.has_event && name == b"Event"
    }

    /// Returns whether the game ends here, whatever follows.
    fn is_over(&self) -> bool {
        self.has_result && self.is_after_empty && !self.in_comment
    }

    /// Returns whether the next line is a tag pair.
    fn is_tag(&self, line: &[u8]) -> bool {
        !self.has_moves && !self.in_comment && tag_name(line).is_some()
    }

    fn add(&mut self, line: &[u8]) {
        let text = line.trim_ascii();
        self.is_after_empty = text.is_empty();
        if text.is_empty() {
            return;
        }
        if self.is_tag(line) {
            let name = tag_name(line);
            self.has_event |= name == Some(b"Event");
            if self.first_tag.is_none() {
                self.first_tag = name.map(<[u8]>::to_vec);
            }
            return;
        }
        self.has_moves = true;
        let mut word = Vec::new();
        for &byte in text.iter().chain(b" ") {
            match byte {
                _ if self.in_comment => self.in_comment = byte != b'}',
                b'{' | b'(' | b')' | b';' | b' ' | b'\t' => {
                    self.has_result |= self.depth == 0 && ends_with_result(&word);
                    word.clear();
                    match byte {
                        b'{' => self.in_comment = true,
                        b'(' => self.depth += 1,
                        b')' => self.depth = self.depth.saturating_sub(1),
                        b';' => return,
                        _ => {}
                    }
                }
                _ => word.push(byte),
            }
        }
    }
}

/// Returns whether a word is a result, or a move with a result behind it. The results are those
/// that [`pgn_reader`] reads.
fn ends_with_result(word: &[u8]) -> bool {
    let word = String::from_utf8_lossy(word).replace(['–', ':'], "-");
    ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "*"]
        .iter()
        .any(|result| word.ends_with(result))
}

/// Returns the name of the tag pair in a line that looks like one: `[Name "`.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"[")?;
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let (name, rest) = rest.split_at_checked(length)?;
    let is_tag = !name.is_empty() && rest.trim_ascii_start().starts_with(b"\"");
    is_tag.then_some(name)
}

/// Returns a tag pair with the quotes in its value escaped, as `[White ""Mirage""]` needs:
/// otherwise the value, and with it all tag pairs, would end at the second quote.
fn with_quotes_escaped(line: &[u8]) -> Cow<'_, [u8]> {
    let is_quote = |&byte: &u8| byte == b'"';
    let Some(((before, value), after)) = line
        .iter()
        .position(is_quote)
        .zip(line.iter().rposition(is_quote))
        .and_then(|(first, last)| {
            let (value, after) = line.split_at_checked(last)?;
            Some((value.split_at_checked(first + 1)?, after))
        })
    else {
        return Cow::Borrowed(line);
    };
    let mut escaped = before.to_vec();
    let mut is_escaped = false;
    for (index, &byte) in value.iter().enumerate() {
        if byte == b'"' && !is_escaped {
            let rest = value.get(index + 1..).unwrap_or_default();
            if rest.trim_ascii_start().starts_with(b"]") {
                // Several tag pairs in one line.
                return Cow::Borrowed(line);
            }
            escaped.push(b'\\');
        }
        is_escaped = byte == b'\\' && !is_escaped;
        escaped.push(byte);
    }
    escaped.extend_from_slice(after);
    Cow::Owned(escaped)
}

/// Returns the line without the byte order mark with which some programs begin a file.
fn without_mark(line: &[u8], lines_before: u64) -> &[u8] {
    match line.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) if lines_before == 0 => rest,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<RawGame> {
        let mut splitter = PgnSplitter::new(text);
        std::iter::from_fn(|| splitter.next_game().unwrap()).collect()
    }

    fn texts(text: &str) -> Vec<String> {
        split(text.as_bytes())
            .into_iter()
            .map(|game| String::from_utf8(game.text).unwrap().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn tag_pairs_begin_games() {
        let pgn = "\u{feff}\r\n[Event \"a\"]\r\n[Site \"b\"]\r\n\r\n1. e4\r\n\r\ne5 1-0\r\n\r\n\r\n[Event \"c\"]\r\n\r\n*\r\n";
        let games = split(pgn.as_bytes());
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].line, games[0].offset), (2, 5));
        assert_eq!(games[1].line, 10);
        let at = games[1].offset as usize;
        assert!(pgn.as_bytes()[at..].starts_with(b"[Event \"c\"]"));
    }

    #[test]
    fn single_carriage_returns_end_lines() {
        let pgn = "[Event \"a\"]\r\r1. e4\r\re5 1-0\r\r[Event \"b\"]\r\r1. d4 *\r";
        // However the source is cut into blocks.
        for block in [1, 2, 3, 100] {
            for text in [pgn.to_owned(), pgn.replace('\r', "\r\n")] {
                let source = std::io::BufReader::with_capacity(block, text.as_bytes());
                let mut splitter = PgnSplitter::new(source);
                let games: Vec<_> = std::iter::from_fn(|| splitter.next_game().unwrap()).collect();
                let lines: Vec<u64> = games.iter().map(|game| game.line).collect();
                assert_eq!(lines, [1, 7]);
                let at = games[1].offset as usize;
                assert!(text[at..].starts_with("[Event \"b\"]"));
                let first = String::from_utf8(games[0].text.clone()).unwrap();
                assert_eq!(first.lines().count(), 6);
            }
        }
    }

    #[test]
    fn quotes_in_a_value_do_not_end_it() {
        for (given, expected) in [
            (r#"[White ""Mirage""]"#, r#"[White "\"Mirage\""]"#),
            (
                r#"[White "the "best" one"] "#,
                r#"[White "the \"best\" one"]"#,
            ),
            (r#"[White "\"Mirage\""]"#, r#"[White "\"Mirage\""]"#),
            (r#"[White ""]"#, r#"[White ""]"#),
            (r#"[White "a"] [Black "b"]"#, r#"[White "a"] [Black "b"]"#),
            (r#"[White "a"#, r#"[White "a"#),
        ] {
            assert_eq!(texts(&format!("{given}\n")), [expected]);
        }
        let quoted = r#"1. e4 { [%x ""a""] } *"#;
        assert_eq!(texts(quoted), [quoted]);
    }

    #[test]
    fn games_may_lack_tags_or_moves_or_empty_lines() {
        assert_eq!(
            texts("1. e4 1-0\n\n1. d4 *\n\n1. c4\n\nc5\n"),
            ["1. e4 1-0", "1. d4 *", "1. c4\n\nc5"]
        );
        assert_eq!(
            texts("[Event \"a\"]\n[Event \"b\"]\n\n[Site \"c\"]\n1. e4 1-0\n[Event \"d\"]\n*"),
            [
                "[Event \"a\"]",
                "[Event \"b\"]\n\n[Site \"c\"]\n1. e4 1-0",
                "[Event \"d\"]\n*"
            ]
        );
        // Shards begin with a tag pair of their own.
        let shards = "[Shard \"1\"]\n[Event \"a\"]\n\n[Shard \"2\"]\n[Event \"b\"]\n\n*\n";
        assert_eq!(texts(shards).len(), 2);
        assert!(texts("\n \n\t\r\n").is_empty());
    }

    #[test]
    fn a_result_ends_a_game_with_the_line_and_its_comments() {
        assert_eq!(
            texts("1. e4 c5 1-0\n1. d4 Nf6 0-1\n\n1. Nc3 d5 (1... c5 1-0\n) e5 1–0\n1. c4 c5 1/2"),
            [
                "1. e4 c5 1-0",
                "1. d4 Nf6 0-1",
                "1. Nc3 d5 (1... c5 1-0\n) e5 1–0",
                "1. c4 c5 1/2"
            ]
        );
        assert_eq!(
            texts("1. c4 c5 1/2-1/2 {agreed\n1-0} ; so\n{late}\n\n1. f4 d5*"),
            ["1. c4 c5 1/2-1/2 {agreed\n1-0} ; so\n{late}", "1. f4 d5*"]
        );
    }

    #[test]
    fn comments_hide_what_looks_like_an_end() {
        let pgn =
            "[Event \"a\"]\n\n1. e4 {\n[Event \"in a comment\"]\n\n1-0\n\n} e5 ; { 1-0\n\n2. Nf3 *";
        assert_eq!(texts(pgn), [pgn]);
        assert_eq!(
            texts("1. e4 1-0 ; won\n\n1. d4 *"),
            ["1. e4 1-0 ; won", "1. d4 *"]
        );
        assert_eq!(
            texts("% of another program\n1. e4\n%[Event \"a\"]\ne5 *"),
            ["1. e4\ne5 *"]
        );
    }

    #[test]
    fn an_open_comment_does_not_take_the_next_game() {
        let games = split(b"[Event \"a\"]\n\n1. e4 { open 1-0\n\n[Event \"b\"]\n\n1. d4 { open");
        assert_eq!(games.len(), 2);
        assert!(games[0].is_open && games[1].is_open);
        assert!(games[1].text.starts_with(b"[Event \"b\"]"));
    }

    #[test]
    fn endless_input_is_refused() {
        let endless = vec![b'x'; MAX_GAME_BYTES + 10];
        let error = PgnSplitter::new(&endless[..]).next_game().unwrap_err();
        assert_eq!(error.to_string(), "line 1: the game is too long");
    }
}
