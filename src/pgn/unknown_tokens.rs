//! Words in movetext that are not moves, which [`pgn_reader`] skips silently.

use pgn_reader::SanPlus;

use super::reader::decode;

/// The parts of `e.p.` after a pawn's capture in old games.
const EN_PASSANT: [&[u8]; 3] = [b"e", b"p", b"ep"];

/// Returns a message with the number of words that are neither moves nor numbers nor results, and
/// the first of them; `None` if there are none.
pub fn describe(text: &[u8]) -> Option<String> {
    let mut words = Vec::new();
    let mut in_comment = false;
    for line in text.split(|&byte| byte == b'\n') {
        if !in_comment && line.trim_ascii_start().starts_with(b"[") {
            continue;
        }
        in_comment = add_unknown(line, in_comment, &mut words);
    }
    let first = decode(words.first()?).chars().take(20).collect::<String>();
    Some(match words.len() {
        1 => format!("{first:?} is not a move; it is left out"),
        count => format!("{count} words are not moves, the first is {first:?}; they are left out"),
    })
}

/// Collects the unknown words of a line. Returns whether the line ends inside a comment.
fn add_unknown<'a>(line: &'a [u8], mut in_comment: bool, words: &mut Vec<&'a [u8]>) -> bool {
    let mut rest = line;
    while let Some((&byte, behind)) = rest.split_first() {
        if in_comment {
            in_comment = byte != b'}';
            rest = behind;
            continue;
        }
        match byte {
            b'{' => in_comment = true,
            b';' => return false,
            _ if byte.is_ascii_alphabetic() => {
                let length = rest.iter().take_while(|&&byte| !is_end(byte)).count();
                let (word, behind) = rest.split_at(length.max(1).min(rest.len()));
                if SanPlus::from_ascii(word).is_err() && !EN_PASSANT.contains(&word) {
                    words.push(word);
                }
                rest = behind;
                continue;
            }
            _ => {}
        }
        rest = behind;
    }
    in_comment
}

const fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_in_place_of_moves_count() {
        let fine = b"[Event \"Qxx9\"]\n\n1. e4! {Qxx9} e5$1 2.exd6 e.p. Nf6?! ; Qxx9\n(0-0 O-O {\n[%clk}) 12... a8=Q+ 1-0\n";
        assert_eq!(describe(fine), None);
        assert_eq!(
            describe(b"1. e4 Qxx9 N 1-0"),
            Some("2 words are not moves, the first is \"Qxx9\"; they are left out".to_owned())
        );
        assert_eq!(
            describe(b"1. e4 e5 j\xfcx"),
            Some("\"j\u{fc}x\" is not a move; it is left out".to_owned())
        );
    }
}
