//! Writes games in the export format of the PGN standard: lines of at most 79 bytes unless a word
//! is longer, a move number wherever one is required, an empty line after the tag pairs and after
//! the game.

use super::game::{PgnGame, PgnVariation, move_number, not_understood};
use super::reader::decode;
use crate::position::Position;
use crate::position::notation::san;

/// The width of a line. Single words and tag pairs may be longer.
const WIDTH: usize = 79;

/// Returns the whole text of a game.
pub fn to_pgn(game: &PgnGame) -> String {
    if let Some(text) = &game.verbatim {
        return format!("{}\n\n", decode(text).trim_end());
    }
    let mut text = tag_pairs(&game.tags);
    let mut words = Words::default();
    words.variation(&game.main_line, &game.start);
    if !game.unread_moves.is_empty() {
        words.comment(&not_understood(&game.unread_moves));
    }
    words.push(game.result.clone());
    text.push_str(&words.wrapped());
    text.push_str("\n\n");
    text
}

/// Returns tag pairs, one per line, followed by an empty line if there are any.
pub fn tag_pairs(tags: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    if !tags.is_empty() {
        text.push('\n');
    }
    text
}

/// Movetext, as words between which a line may be broken.
#[derive(Debug, Default)]
struct Words {
    words: Vec<String>,
}

impl Words {
    fn push(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// Adds moves and their annotations.
    fn variation(&mut self, variation: &PgnVariation, start: &Position) {
        for comment in &variation.comments {
            self.comment(comment);
        }
        let mut position = start.clone();
        let mut needs_number = true;
        for played in &variation.moves {
            if needs_number || position.turn().is_white() {
                self.push(move_number(&position));
            }
            self.push(san(&position, played.m).to_string());
            for nag in &played.nags {
                self.push(format!("${nag}"));
            }
            for comment in &played.comments {
                self.comment(comment);
            }
            for variation in &played.variations {
                let first = self.words.len();
                self.variation(variation, &position);
                if let Some(word) = self.words.get_mut(first) {
                    word.insert(0, '(');
                }
                if let Some(word) = self.words.last_mut() {
                    word.push(')');
                }
            }
            needs_number = !played.comments.is_empty() || !played.variations.is_empty();
            position = position.play(played.m);
        }
    }

    /// Adds a comment. Other programs take a line that begins with `[`, `%` or `;` for a tag pair,
    /// an escape or a comment, so no line is broken before such a word.
    fn comment(&mut self, text: &str) {
        let mut open = "{".to_owned();
        let mut in_command = false;
        for word in text.split_ascii_whitespace() {
            in_command |= word.starts_with("[%");
            if open == "{" || in_command || word.starts_with(['[', '%', ';']) {
                open.push(' ');
            } else {
                self.push(std::mem::take(&mut open));
            }
            open.push_str(word);
            in_command &= !word.ends_with(']');
        }
        open.push_str(" }");
        self.push(open);
    }

    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut width = 0;
        for word in &self.words {
            if width > 0 && width + 1 + word.len() > WIDTH {
                text.push('\n');
                width = 0;
            } else if width > 0 {
                text.push(' ');
                width += 1;
            }
            text.push_str(word);
            width += word.len();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn again(text: &[u8]) -> String {
        let mut source = PgnReader::new(text);
        let mut all = String::new();
        while let Some((game, _)) = source.next_game(&mut |_| {}).unwrap() {
            all.push_str(&to_pgn(&game));
        }
        all
    }

    #[test]
    fn games_survive_a_round_trip() {
        let text = "[White \"a \\\"b\\\" \\\\\"]\n[Result \"1-0\"]\n\n{ before } 1. e4 $1 { [%clk 1] } (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 2.\n\
                    Nf3 { a } { b } 2... Nc6 3. Bb5 1-0\n\n";
        assert_eq!(again(text.as_bytes()), text);
        let number_again = "1. e4 (1. d4) 1... e5 (1... c5) 2. Nf3 *\n\n";
        assert_eq!(again(number_again.as_bytes()), number_again);
        let odd = concat!(
            r#"[Event "\\\\server\\share \\\"x\" \\\\\\"]"#,
            "\n[White \"a\u{a0}b\"]\n[Result \"*\"]\n\n1. e4 { a\u{a0}: b\u{3000}c } *\n\n"
        );
        assert_eq!(again(odd.as_bytes()), odd);
        let foreign = "[Variant \"Atomic\"]\n\n1. e4 xyz *\n\n";
        assert_eq!(again(foreign.as_bytes()), foreign);
    }

    #[test]
    fn lines_are_short_and_never_look_like_tags() {
        let comment = "[%csl Ra1] word % ; [Event \"x\"] ".repeat(30);
        let text = again(format!("1. e4 {{{comment}}} e5 2. Ke3 Ke7 *").as_bytes());
        assert_eq!(again(text.as_bytes()), text);
        for line in text.lines() {
            assert!(!line.starts_with(['[', '%', ';']), "{line}");
        }
        let long = "so ".repeat(200);
        let text = again(format!("1. e4 {{{long}}} e5 *").as_bytes());
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
    }

    #[test]
    fn null_moves_of_variations_are_kept_in_comments() {
        // As ChessBase and Scid write them.
        for (text, expected) in [
            (
                "1. e4 e5 2. Nf3 Nc6 (2... d6 3. -- {threat is} Nf6 $1 {good [%cal Ge2e4]} (3... -- 4. d4) (3... h6)) 3. Bb5 *",
                "1. e4 e5 2. Nf3 Nc6 (2... d6 \
                 { Not understood from here: 3. -- (threat is) Nf6 $1 (good [cal Ge2e4]) (-- d4) (h6) }) 3. Bb5 *",
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 (2... -- 3. Nxe5 {winning a pawn}) 3. Bb5 *",
                "1. e4 e5 2. Nf3 Nc6 { Not understood: 2... -- Nxe5 (winning a pawn) } 3. Bb5 *",
            ),
            (
                "1. e4 ({only words}) e5 *",
                "1. e4 { only words } 1... e5 *",
            ),
        ] {
            let once = again(text.as_bytes());
            assert_eq!(once.trim_end().replace('\n', " "), expected);
            assert_eq!(again(once.as_bytes()), once);
        }
    }

    #[test]
    fn unread_moves_are_kept_in_a_comment() {
        let text = again(b"1. e4 e5 2. Ke3 Ke7 1-0");
        assert_eq!(
            text,
            "1. e4 e5 { Not understood from here: 2. Ke3 Ke7 } 1-0\n\n"
        );
        let text = again(b"1. e4 e5 2. Ke3 {walks [%clk 1]} Ke7 $6 (2... d5 {so}) 1-0");
        assert_eq!(
            text.replace('\n', " ").trim_end(),
            "1. e4 e5 { Not understood from here: 2. Ke3 (walks [clk 1]) Ke7 $6 (d5 (so)) } 1-0"
        );
    }
}
