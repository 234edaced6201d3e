//! Words in movetext that [`pgn_reader`] does not know, and would skip silently.

use std::borrow::Cow;
use std::collections::VecDeque;

use pgn_reader::SanPlus;

use super::reader::decode;
use crate::position::notation::{ascii_dashes, without_annotations};

/// A drop, which is never legal. It takes the place of a move that cannot be read.
const UNREADABLE: &[u8] = b"Q@a1";

/// The results that [`pgn_reader`] reads, and their beginnings.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "1/2"];

/// Null moves that [`pgn_reader`] does not know. They are no more legal than those that it knows.
const NULL_MOVES: [&str; 4] = ["0000", "@@@@", "null", "pass"];

/// The parts of `e.p.` after a pawn's capture in old games.
const EN_PASSANT: [&[u8]; 3] = [b"e", b"p", b"ep"];

/// A game's text that can be read without losing moves.
#[derive(Debug, PartialEq, Eq)]
pub struct Movetext<'a> {
    /// The text. Moves in other notations are written in SAN, and those that cannot be read are
    /// illegal.
    pub text: Cow<'a, [u8]>,
    /// The moves that cannot be read, in their order.
    pub unreadable: VecDeque<String>,
    /// A message with the number of words that are no moves at all, and the first of them; `None`
    /// if there are none.
    pub left_out: Option<String>,
}

impl Movetext<'_> {
    /// Reads the words of a text.
    pub fn new(text: &[u8]) -> Movetext<'_> {
        let mut words = Words {
            text,
            copied: 0,
            plain: Vec::new(),
            unreadable: VecDeque::new(),
            others: Vec::new(),
        };
        let mut in_comment = false;
        let mut start = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let is_skipped = line.starts_with(b"%") || line.trim_ascii_start().starts_with(b"[");
            if in_comment || !is_skipped {
                in_comment = words.read_line(start, line.len(), in_comment);
            }
            start += line.len();
        }
        words.finish()
    }
}

/// The state of reading words.
struct Words<'a> {
    text: &'a [u8],
    /// The bytes of the text that `plain` has.
    copied: usize,
    /// The new text, as far as it differs.
    plain: Vec<u8>,
    unreadable: VecDeque<String>,
    others: Vec<&'a [u8]>,
}

impl<'a> Words<'a> {
    /// Reads the words of a line. Returns whether the line ends inside a comment.
    fn read_line(&mut self, start: usize, length: usize, mut in_comment: bool) -> bool {
        let text = self.text;
        let line = text.get(..start + length).unwrap_or(text);
        let mut place = start;
        while let Some(&byte) = line.get(place) {
            let rest = line.get(place..).unwrap_or_default();
            let mut step = 1;
            match byte {
                b'}' if in_comment => in_comment = false,
                _ if in_comment => {}
                b'{' => in_comment = true,
                b';' => return false,
                _ if is_end(byte) => {}
                b'0'..=b'9' => step = self.read_number(place, rest),
                _ => match separator_length(rest) {
                    0 => {
                        step = word_length(rest);
                        self.read_word(place, rest.get(..step).unwrap_or(rest));
                    }
                    length => {
                        step = length;
                        self.replace(place, rest.get(..step).unwrap_or(rest), b" ");
                    }
                },
            }
            place += step;
        }
        in_comment
    }

    /// Reads the number of a move, a result, or castling with zeros, with which `text` begins at
    /// `place`. Returns its length.
    fn read_number(&mut self, place: usize, text: &'a [u8]) -> usize {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !text.starts_with(b"00") && text.get(digits).is_none_or(|&byte| is_end(byte)) {
            return digits;
        }
        let word = text.get(..word_length(text)).unwrap_or(text);
        let san = without_annotations(&decode(word));
        let is_known = word.is_ascii() && word.starts_with(b"0-0");
        if is_known || RESULTS.contains(&ascii_dashes(&decode(word)).as_str()) {
            return word.len();
        }
        if san.starts_with("O-O") {
            self.replace(place, word, san.as_bytes());
            return word.len();
        }
        if is_null_move(&san) {
            self.refuse(place, word);
            return word.len();
        }
        digits
    }

    /// Reads a word that begins at `place`.
    fn read_word(&mut self, place: usize, word: &'a [u8]) {
        // Drops stand for moves that cannot be read.
        let is_drop = word.contains(&b'@');
        if !is_drop && SanPlus::from_ascii(word).is_ok() || EN_PASSANT.contains(&word) {
            return;
        }
        let san = without_annotations(&decode(word));
        if !is_drop && SanPlus::from_ascii(san.as_bytes()).is_ok() {
            self.replace(place, word, san.as_bytes());
        } else if is_like_a_move(&san) || is_null_move(&san) {
            self.refuse(place, word);
        } else if san.contains(char::is_alphabetic) {
            // Others, such as `+-` and `½-½`, are marks and results.
            self.others.push(word);
        }
    }

    /// Replaces a move that cannot be read.
    fn refuse(&mut self, place: usize, word: &[u8]) {
        self.replace(place, word, UNREADABLE);
        self.unreadable.push_back(decode(word).into_owned());
    }

    fn replace(&mut self, place: usize, word: &[u8], by: &[u8]) {
        let before = self.text.get(self.copied..place).unwrap_or_default();
        self.plain.extend_from_slice(before);
        self.plain.extend_from_slice(by);
        self.copied = place + word.len();
    }

    fn finish(mut self) -> Movetext<'a> {
        let left_out = self.others.first().map(|word| {
            let first = decode(word).chars().take(20).collect::<String>();
            match self.others.len() {
                1 => format!("{first:?} is not a move; it is left out"),
                count => {
                    format!(
                        "{count} words are not moves, the first is {first:?}; they are left out"
                    )
                }
            }
        });
        let text = if self.copied == 0 {
            Cow::Borrowed(self.text)
        } else {
            let behind = self.text.get(self.copied..).unwrap_or_default();
            self.plain.extend_from_slice(behind);
            Cow::Owned(self.plain)
        };
        Movetext {
            text,
            unreadable: self.unreadable,
            left_out,
        }
    }
}

/// Returns the length of the separator that a text begins with, which [`pgn_reader`] takes for a
/// part of the word behind it: a comma, an ellipsis, or a space that is not ASCII. 0 for none.
fn separator_length(text: &[u8]) -> usize {
    const SEPARATORS: [&str; 4] = ["\u{2026}", "\u{a0}", "\u{200b}", "\u{feff}"];
    match text.first() {
        Some(b',') => 1,
        Some(byte) if !byte.is_ascii() => {
            let found = SEPARATORS.iter().find(|s| text.starts_with(s.as_bytes()));
            found.map_or(0, |separator| separator.len())
        }
        _ => 0,
    }
}

/// Returns the length of the word that a text begins with. The `e.p.` of a capture belongs to it.
fn word_length(text: &[u8]) -> usize {
    let is_in_word = |&place: &usize| match text.get(place..) {
        Some(rest @ [byte, ..]) => !is_end(*byte) && separator_length(rest) == 0,
        _ => false,
    };
    let length = (0..text.len()).take_while(is_in_word).count();
    let (word, behind) = text.split_at(length.clamp(1, text.len()));
    let has_en_passant = word.len() > 1 && word.ends_with(b"e") && behind.starts_with(b".p.");
    word.len() + if has_en_passant { ".p.".len() } else { 0 }
}

const fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*'
        )
}

fn is_null_move(word: &str) -> bool {
    NULL_MOVES.contains(&word.to_ascii_lowercase().as_str())
}

/// Returns true for a word that names a square and consists of what moves are written with. Pieces
/// may have other letters than the English ones, also of other alphabets.
fn is_like_a_move(word: &str) -> bool {
    let is_file = |byte: &u8| (b'a'..=b'h').contains(byte);
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    let is_square = |pair: &[u8]| matches!(pair, [file, rank] if is_file(file) && is_rank(rank));
    word.as_bytes().windows(2).any(is_square)
        && word.bytes().all(|byte| {
            byte.is_ascii_uppercase()
                || is_file(&byte)
                || is_rank(&byte)
                || b"x:-=+#/@nqrbk".contains(&byte)
                || !byte.is_ascii()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pgn_reader_knows_stays() {
        let fine = b"[Event \"Qxx9\"]\n\n1. e4! {Qxx9} e5$1 2.exd6 e.p. Nf6?! ; Qxx9\n(0-0 O-O {\n[%clk}) 12... a8=Q+ 1-0\n";
        let read = Movetext::new(fine);
        assert_eq!(read.text, Cow::Borrowed(fine));
        assert_eq!((read.unreadable.len(), read.left_out), (0, None));
    }

    #[test]
    fn words_that_are_no_moves_are_counted() {
        let left_out = |text: &[u8]| Movetext::new(text).left_out;
        assert_eq!(
            left_out(b"1. e4 Qxx9 N d20 1-0"),
            Some("3 words are not moves, the first is \"Qxx9\"; they are left out".to_owned())
        );
        assert_eq!(
            left_out(b"1. e4 e5 j\xfcx"),
            Some("\"j\u{fc}x\" is not a move; it is left out".to_owned())
        );
    }

    #[test]
    fn moves_in_other_notations_become_san() {
        let text = b"[A \"e7-e8Q\"]\n1. e2-e4 Ng8-f6 {e7-e8Q}(o-o exd6e.p. OO) 2.Qf7: Qxf7++ exd6ep a8Q a8(Q) Qxf7mate\n";
        let plain = b"[A \"e7-e8Q\"]\n1. e2e4 Ng8f6 {e7-e8Q}(O-O exd6 O-O) 2.Qf7 Qxf7 exd6 a8=Q a8(Q) Qxf7\n";
        let read = Movetext::new(text);
        assert_eq!(decode(&read.text), decode(plain));
    }

    #[test]
    fn figurines_dashes_and_marks_are_read() {
        let text = "1. e4± e5 2.♘f3 ♞c6 3.♗c4 ♝︎c5 4. O–O Nf6!? 5. 00 000+ 6.♙d4 d6⩲ 1–0\n";
        let plain = "1. e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4. O-O Nf6!? 5. O-O O-O-O 6.d4 d6 1–0\n";
        let read = Movetext::new(text.as_bytes());
        assert_eq!(decode(&read.text), plain);
        assert_eq!((read.unreadable.len(), read.left_out), (0, None));
    }

    #[test]
    fn separators_do_not_hide_the_moves_behind_them() {
        let text = "1.\u{a0}e4 ,e5 2.Nf3,Nc6, 3\u{2026}d6 +- ½-½\n% 4. Sf3 e2-e4\n";
        let plain = "1. e4  e5 2.Nf3 Nc6  3 d6 +- ½-½\n% 4. Sf3 e2-e4\n";
        let read = Movetext::new(text.as_bytes());
        assert_eq!(decode(&read.text), plain);
        assert_eq!((read.unreadable.len(), read.left_out), (0, None));
        // In Latin-1, too.
        assert_eq!(&*Movetext::new(b"1.\xa0e4 e5\xb1").text, b"1.e4 e5");
    }

    #[test]
    fn pieces_of_other_alphabets_cannot_be_read() {
        let text = "1. d4 d5 2. Кf3 Крe7 3. c4";
        let read = Movetext::new(text.as_bytes());
        assert_eq!(read.unreadable, ["Кf3", "Крe7"]);
        assert_eq!(decode(&read.text), "1. d4 d5 2. Q@a1 Q@a1 3. c4");
    }

    #[test]
    fn moves_that_cannot_be_read_are_illegal() {
        for null in ["0000", "@@@@", "Null", "pass", "0000!"] {
            let text = format!("1. e4 {null} 2. d4 *");
            let read = Movetext::new(text.as_bytes());
            let end = if null.ends_with('!') { "!" } else { "" };
            assert_eq!(decode(&read.text), format!("1. e4 Q@a1{end} 2. d4 *"));
            assert_eq!(read.unreadable, [null.trim_end_matches('!')]);
        }
        let text = b"1. d4 d5 2. Sf3 (2. Lf4 e6) Sf6";
        let read = Movetext::new(text);
        assert_eq!(read.unreadable, ["Sf3", "Lf4", "Sf6"]);
        assert_eq!(decode(&read.text), "1. d4 d5 2. Q@a1 (2. Q@a1 e6) Q@a1");
        // Drops, which stand for them, are such moves, too.
        let read = Movetext::new(b"1. e4 N@f3+ 2. Sf3 @e4");
        assert_eq!(read.unreadable, ["N@f3+", "Sf3", "@e4"]);
        assert_eq!(decode(&read.text), "1. e4 Q@a1 2. Q@a1 Q@a1");
    }
}
