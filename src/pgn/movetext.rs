//! Words in movetext that [`pgn_reader`] does not know, and would skip silently.

use std::borrow::Cow;
use std::collections::VecDeque;

use pgn_reader::SanPlus;

use super::reader::decode;
use crate::position::notation::without_annotations;

/// A drop, which is never legal. It takes the place of a move that cannot be read.
const UNREADABLE: &[u8] = b"Q@a1";

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
    /// A message with the number of words that are no moves at all, and the first of them; `None` if
    /// there are none.
    pub left_out: Option<String>,
}

impl Movetext<'_> {
    /// Reads the words of a text; `unreadable` has those of variations only if they are wanted.
    pub fn new(text: &[u8], main_line_only: bool) -> Movetext<'_> {
        let mut words = Words {
            text,
            main_line_only,
            copied: 0,
            plain: Vec::new(),
            depth: 0,
            unreadable: VecDeque::new(),
            others: Vec::new(),
        };
        let mut in_comment = false;
        let mut start = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if in_comment || !line.trim_ascii_start().starts_with(b"[") {
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
    main_line_only: bool,
    /// The bytes of the text that `plain` has.
    copied: usize,
    /// The new text, as far as it differs.
    plain: Vec<u8>,
    /// The number of open variations.
    depth: usize,
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
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ if byte.is_ascii_alphabetic() => {
                    step = word_length(rest);
                    self.read_word(place, rest.get(..step).unwrap_or(rest));
                }
                _ => {}
            }
            place += step;
        }
        in_comment
    }

    /// Reads a word that begins at `place`.
    fn read_word(&mut self, place: usize, word: &'a [u8]) {
        if SanPlus::from_ascii(word).is_ok() || EN_PASSANT.contains(&word) {
            return;
        }
        let san = without_annotations(&decode(word));
        if SanPlus::from_ascii(san.as_bytes()).is_ok() {
            self.replace(place, word, san.as_bytes());
        } else if is_like_a_move(word) {
            self.replace(place, word, UNREADABLE);
            if self.depth == 0 || !self.main_line_only {
                self.unreadable.push_back(decode(word).into_owned());
            }
        } else {
            self.others.push(word);
        }
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

/// Returns the length of the word that a text begins with. The `e.p.` of a capture belongs to it.
fn word_length(text: &[u8]) -> usize {
    let length = text.iter().take_while(|&&byte| !is_end(byte)).count();
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

/// Returns true for a word that names a square and consists of what moves are written with. Pieces may
/// have other letters than the English ones.
fn is_like_a_move(word: &[u8]) -> bool {
    let is_file = |byte: &u8| (b'a'..=b'h').contains(byte);
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    let is_square = |pair: &[u8]| matches!(pair, [file, rank] if is_file(file) && is_rank(rank));
    word.windows(2).any(is_square)
        && word.iter().all(|byte| {
            byte.is_ascii_uppercase()
                || is_file(byte)
                || is_rank(byte)
                || b"x:-=+#/@nqrbk".contains(byte)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pgn_reader_knows_stays() {
        let fine = b"[Event \"Qxx9\"]\n\n1. e4! {Qxx9} e5$1 2.exd6 e.p. Nf6?! ; Qxx9\n(0-0 O-O {\n[%clk}) 12... a8=Q+ 1-0\n";
        let read = Movetext::new(fine, false);
        assert_eq!(read.text, Cow::Borrowed(fine));
        assert_eq!((read.unreadable.len(), read.left_out), (0, None));
    }

    #[test]
    fn words_that_are_no_moves_are_counted() {
        let left_out = |text: &[u8]| Movetext::new(text, true).left_out;
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
        let read = Movetext::new(text, false);
        assert_eq!(decode(&read.text), decode(plain));
    }

    #[test]
    fn moves_that_cannot_be_read_are_illegal() {
        let text = b"1. d4 d5 2. Sf3 (2. Lf4 e6) Sf6";
        let all = Movetext::new(text, false);
        assert_eq!(all.unreadable, ["Sf3", "Lf4", "Sf6"]);
        assert_eq!(decode(&all.text), "1. d4 d5 2. Q@a1 (2. Q@a1 e6) Q@a1");
        assert_eq!(Movetext::new(text, true).unreadable, ["Sf3", "Sf6"]);
    }
}
