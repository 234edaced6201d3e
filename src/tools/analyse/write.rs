//! Games as PGN text, in the standard's export format: lines of at most 79 bytes where words allow it, a move number
//! wherever one is needed, an empty line behind the tag pairs and behind the game.

use super::game::{Game, Line, move_number, san};
use super::read::decode;
use crate::position::Position;

/// The longest line that is written, unless a single word or tag pair is longer.
const WIDTH: usize = 79;

/// The whole text of a game.
pub fn pgn(game: &Game) -> String {
    if let Some(text) = &game.foreign {
        return format!("{}\n\n", decode(text).trim_end());
    }
    let mut text = tag_pairs(&game.tags);
    let mut words = Words::default();
    words.line(&game.line, &game.start);
    if !game.rest.is_empty() {
        let last = game.positions().pop();
        let number = last
            .map(|position| move_number(&position))
            .unwrap_or_default();
        let rest = game.rest.join(" ");
        words.comment(&format!("Not understood from here: {number} {rest}"));
    }
    words.push(game.result.clone());
    text.push_str(&words.wrapped());
    text.push_str("\n\n");
    text
}

/// Tag pairs, a line each, and an empty line behind them if there are any.
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

/// Movetext as words between which a line may end.
#[derive(Debug, Default)]
struct Words {
    words: Vec<String>,
}

impl Words {
    fn push(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// Moves with all that is said about them.
    fn line(&mut self, line: &Line, start: &Position) {
        for comment in &line.before {
            self.comment(comment);
        }
        let mut position = start.clone();
        let mut needs_number = true;
        for ply in &line.moves {
            if needs_number || position.turn().is_white() {
                self.push(move_number(&position));
            }
            self.push(san(&position, ply.m).to_string());
            for nag in &ply.nags {
                self.push(format!("${nag}"));
            }
            for comment in &ply.comments {
                self.comment(comment);
            }
            for variation in &ply.variations {
                let first = self.words.len();
                self.line(variation, &position);
                if let Some(word) = self.words.get_mut(first) {
                    word.insert(0, '(');
                }
                if let Some(word) = self.words.last_mut() {
                    word.push(')');
                }
            }
            needs_number = !ply.comments.is_empty() || !ply.variations.is_empty();
            position = position.play(ply.m);
        }
    }

    /// A comment. No line may begin with what other programs take for a tag pair, an escape, or a comment to the end of
    /// the line, so that such a word stays behind the one before it.
    fn comment(&mut self, text: &str) {
        let mut open = "{".to_owned();
        let mut in_command = false;
        for word in text.split_whitespace() {
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
    use crate::tools::analyse::read::Source;

    fn again(text: &[u8]) -> String {
        let mut source = Source::new(text);
        let mut all = String::new();
        while let Some((game, _)) = source.next_game(&mut |_| {}).unwrap() {
            all.push_str(&pgn(&game));
        }
        all
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "[White \"a \\\"b\\\" \\\\\"]\n[Result \"1-0\"]\n\n{ before } 1. e4 $1 { [%clk 1] } (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 2.\n\
                    Nf3 { a } { b } 2... Nc6 3. Bb5 1-0\n\n";
        assert_eq!(again(text.as_bytes()), text);
        let foreign = "[Variant \"Atomic\"]\n\n1. e4 xyz *\n\n";
        assert_eq!(again(foreign.as_bytes()), foreign);
    }

    #[test]
    fn no_line_is_long_or_looks_like_something_else() {
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
    fn moves_that_are_not_understood_are_not_lost() {
        let text = again(b"1. e4 e5 2. Ke3 Ke7 1-0");
        assert_eq!(
            text,
            "1. e4 e5 { Not understood from here: 2. Ke3 Ke7 } 1-0\n\n"
        );
    }
}
