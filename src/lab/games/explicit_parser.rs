//! The parser of tree files.

use thiserror::Error;

use super::explicit::{ParsedNode, UNIT};
use crate::lab::game::{Mover, Value};
use crate::lab::language::Language;

/// The largest number of levels. Algorithms use the stack in proportion to it.
const MOST_LEVELS: usize = 200;
/// The largest number of nodes.
const MOST_NODES: usize = 2_000_000;
/// The largest number, either way.
const MOST: Value = 1_000_000_000;
/// The largest weight of a throw.
const MOST_WEIGHT: u32 = 1_000;

/// The fault of a text that is not a tree, and its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {what}")]
pub struct TreeError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The fault, in English.
    pub what: String,
    /// The fault, in Spanish.
    pub what_spanish: String,
}

impl TreeError {
    /// Returns the message in a language.
    pub fn text(&self, language: Language) -> String {
        let TreeError { line, column, .. } = self;
        match language {
            Language::English => self.to_string(),
            Language::Spanish => format!("línea {line}, columna {column}: {}", self.what_spanish),
        }
    }
}

/// Parses a tree and returns its nodes, the root first.
pub(super) fn parse(text: &str) -> Result<Vec<ParsedNode>, TreeError> {
    let mut parser = Parser {
        text,
        offset: 0,
        nodes: Vec::new(),
    };
    parser.node(Mover::Min, 1, 0)?;
    match parser.peek() {
        None => Ok(parser.nodes),
        Some(_) => Err(parser.error(
            "the tree has ended; nothing but comments may follow",
            "el árbol ha terminado; solo pueden seguir comentarios",
        )),
    }
}

struct Parser<'t> {
    text: &'t str,
    offset: usize,
    nodes: Vec<ParsedNode>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or("")
    }

    /// Skips spaces, commas and comments, and returns the next character.
    fn peek(&mut self) -> Option<char> {
        loop {
            let rest = self.rest();
            let next = rest.chars().next()?;
            if next == '#' {
                self.offset += rest.find('\n').unwrap_or(rest.len());
            } else if next.is_whitespace() || next == ',' {
                self.offset += next.len_utf8();
            } else {
                return Some(next);
            }
        }
    }

    /// Consumes a character if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.offset += wanted.len_utf8();
        }
        is_next
    }

    /// Consumes characters of a kind.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.offset += end;
        rest.get(..end).unwrap_or("")
    }

    fn error(&self, what: impl Into<String>, spanish: impl Into<String>) -> TreeError {
        self.error_at(self.offset, what, spanish)
    }

    fn error_at(
        &self,
        offset: usize,
        what: impl Into<String>,
        spanish: impl Into<String>,
    ) -> TreeError {
        let before = self.text.get(..offset).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        TreeError {
            line: before.matches('\n').count() + 1,
            column,
            what: what.into(),
            what_spanish: spanish.into(),
        }
    }

    /// Parses a node with everything below it, and returns its number. `above` is the last player
    /// who moves before it.
    fn node(&mut self, above: Mover, weight: u32, level: usize) -> Result<usize, TreeError> {
        if level > MOST_LEVELS {
            return Err(self.error(
                format!("more than {MOST_LEVELS} levels"),
                format!("más de {MOST_LEVELS} niveles"),
            ));
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(self.error(
                format!("more than {MOST_NODES} nodes"),
                format!("más de {MOST_NODES} nodos"),
            ));
        }
        let Some(next) = self.peek() else {
            return Err(self.error(
                "a node expected, and the text ends",
                "se esperaba un nodo y el texto termina",
            ));
        };
        let opponent = if above == Mover::Max {
            Mover::Min
        } else {
            Mover::Max
        };
        let label = self.label();
        let next = self.peek().unwrap_or(next);
        if next.is_ascii_digit() || next == '-' || next == '+' || next == '.' {
            let value = self.number()?;
            return Ok(self.push(opponent, value, weight, label));
        }
        let player = self.player(opponent)?;
        let estimate = if self.take('@') {
            Some(self.interval()?)
        } else {
            None
        };
        let is_quiet = !self.take('!');
        if !self.take('(') {
            return Err(self.error("( expected", "se esperaba ("));
        }
        let (lower, upper) = estimate.unwrap_or((0, 0));
        let index = self.push(player, (lower + upper) / 2, weight, label);
        let mut children = Vec::new();
        while !self.take(')') {
            if self.peek().is_none() {
                return Err(self.error(
                    "the text ends inside of brackets: ) expected",
                    "el texto termina dentro de un paréntesis: se esperaba )",
                ));
            }
            let weight = if player == Mover::Chance {
                self.weight()?
            } else {
                1
            };
            // Chance is nobody's opponent.
            let last = if player == Mover::Chance {
                above
            } else {
                player
            };
            children.push(self.node(last, weight, level + 1)?);
        }
        if children.is_empty() {
            return Err(self.error(
                "() has no children: a leaf is a number",
                "() no tiene hijos: una hoja es un número",
            ));
        }
        if let Some(node) = self.nodes.get_mut(index) {
            node.children = children;
            node.is_quiet = is_quiet;
            node.bounds = estimate.filter(|(lower, upper)| lower < upper);
        }
        Ok(index)
    }

    fn push(&mut self, player: Mover, value: Value, weight: u32, label: Option<String>) -> usize {
        self.nodes.push(ParsedNode {
            player,
            children: Vec::new(),
            value,
            is_quiet: true,
            weight,
            label,
            bounds: None,
        });
        self.nodes.len() - 1
    }

    fn player(&mut self, opponent: Mover) -> Result<Mover, TreeError> {
        let start = self.offset;
        let word = self.word(char::is_alphabetic);
        match word.to_ascii_lowercase().as_str() {
            "max" => Ok(Mover::Max),
            "min" => Ok(Mover::Min),
            "chance" => Ok(Mover::Chance),
            "" if matches!(self.peek(), Some('(' | '@' | '!')) => Ok(opponent),
            "" => {
                let found = self.peek().unwrap_or(' ');
                Err(self.error_at(
                    start,
                    format!("a number, max, min, chance or ( expected, not {found:?}"),
                    format!("se esperaba un número, max, min, chance o (, no {found:?}"),
                ))
            }
            _ => Err(self.error_at(
                start,
                format!("max, min or chance expected, not {word:?}"),
                format!("se esperaba max, min o chance, no {word:?}"),
            )),
        }
    }

    /// Parses the weight before a child of a chance node; 1 if there is none.
    fn weight(&mut self) -> Result<u32, TreeError> {
        self.peek();
        let start = self.offset;
        let digits = self.word(|c| c.is_ascii_digit());
        if digits.is_empty() || !self.rest().starts_with('*') {
            self.offset = start;
            return Ok(1);
        }
        self.offset += 1;
        match digits.parse() {
            Ok(weight) if (1..=MOST_WEIGHT).contains(&weight) => Ok(weight),
            _ => Err(self.error_at(
                start,
                format!("a weight is from 1 to {MOST_WEIGHT}, not {digits}"),
                format!("un peso va de 1 a {MOST_WEIGHT}, no {digits}"),
            )),
        }
    }

    /// Parses a label, such as `B:`, if there is one.
    fn label(&mut self) -> Option<String> {
        self.peek();
        let start = self.offset;
        let word = self.word(char::is_alphanumeric);
        let is_label = word.starts_with(char::is_alphabetic) && self.rest().starts_with(':');
        if is_label {
            self.offset += 1;
            return Some(word.to_owned());
        }
        self.offset = start;
        None
    }

    /// Parses an estimate: a number, or a pessimistic and an optimistic one, such as `-2..5`.
    fn interval(&mut self) -> Result<(Value, Value), TreeError> {
        let start = self.offset;
        let word = self.word(is_of_number);
        let Some((lower, upper)) = word.split_once("..") else {
            let value = self.value_of(word, start)?;
            return Ok((value, value));
        };
        let bounds = (self.value_of(lower, start)?, self.value_of(upper, start)?);
        if bounds.0 > bounds.1 {
            return Err(self.error_at(
                start,
                format!("{word:?}: the smaller number comes first"),
                format!("{word:?}: el número menor va primero"),
            ));
        }
        Ok(bounds)
    }

    /// Parses a number with at most three decimals, in thousandths.
    fn number(&mut self) -> Result<Value, TreeError> {
        self.peek();
        let start = self.offset;
        let word = self.word(is_of_number);
        let mut following = self.rest().chars();
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if following.next() == Some(',') && is_digit(following.next()) && !word.contains('.') {
            return Err(self.error_at(
                self.offset,
                "a comma between digits: write 3.5 for a decimal, and 3 5 for two leaves",
                "una coma entre cifras: escriba 3.5 para un decimal y 3 5 para dos hojas",
            ));
        }
        self.value_of(word, start)
    }

    /// Returns the value of a number that begins at an offset.
    fn value_of(&self, word: &str, start: usize) -> Result<Value, TreeError> {
        let bad = |what: &str, spanish: &str| {
            let (what, spanish) = (format!("{word:?}: {what}"), format!("{word:?}: {spanish}"));
            self.error_at(start, what, spanish)
        };
        let digits = word.trim_start_matches(['+', '-']);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let signs = word.len() - digits.len();
        if signs > 1
            || !is_number(whole)
            || !is_number(decimals)
            || whole.len() + decimals.len() == 0
        {
            return Err(bad("not a number", "no es un número"));
        }
        if decimals.len() > 3 {
            return Err(bad("more than three decimals", "más de tres decimales"));
        }
        let too_large = || {
            bad(
                "too large: numbers are at most a billion either way",
                "demasiado grande: los números llegan a mil millones",
            )
        };
        let whole: Value = format!("0{whole}").parse().map_err(|_| too_large())?;
        if whole > MOST {
            return Err(too_large());
        }
        let thousandths: Value = format!("{decimals:0<3}").parse().unwrap_or(0);
        let value = whole * UNIT + thousandths;
        Ok(if word.starts_with('-') { -value } else { value })
    }
}

/// Returns whether a character may belong to a number. Letters do, so that `2x` is refused as a
/// whole.
fn is_of_number(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+-.*".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text).map_or_else(|error| error.to_string(), |_| "no error".to_owned())
    }

    #[test]
    fn players_alternate_unless_they_are_named() {
        let nodes = parse("# a comment\n( (1 -2.5) max@4!(3) chance(2*7 .5) )").unwrap();
        let players: Vec<Mover> = nodes.iter().map(|node| node.player).collect();
        assert_eq!(players[..2], [Mover::Max, Mover::Min]);
        assert_eq!(nodes[3].value, -2_500);
        assert_eq!(
            (nodes[4].player, nodes[4].value, nodes[4].is_quiet),
            (Mover::Max, 4_000, false)
        );
        assert_eq!(nodes[6].player, Mover::Chance);
        assert_eq!((nodes[7].weight, nodes[7].value), (2, 7_000));
        assert_eq!((nodes[8].weight, nodes[8].value), (1, 500));
    }

    #[test]
    fn nodes_may_have_labels_and_intervals() {
        let nodes = parse("A:max@-2..5(B:min(3 F:9) 2*C:4)");
        assert!(nodes.is_err(), "weights belong to throws");
        let nodes = parse("A:max@-2..5(B:min(3 F:9) C:4)").unwrap();
        let labels: Vec<_> = nodes.iter().map(|node| node.label.as_deref()).collect();
        assert_eq!(labels, [Some("A"), Some("B"), None, Some("F"), Some("C")]);
        assert_eq!(nodes[0].bounds, Some((-2_000, 5_000)));
        assert_eq!((nodes[0].value, nodes[3].value), (1_500, 9_000));
    }

    #[test]
    fn a_fault_is_named_with_its_place() {
        assert_eq!(
            error(""),
            "line 1, column 1: a node expected, and the text ends"
        );
        assert_eq!(
            error("max(3\n  mix(4))"),
            "line 2, column 3: max, min or chance expected, not \"mix\""
        );
        assert_eq!(
            error("max(3 4"),
            "line 1, column 8: the text ends inside of brackets: ) expected"
        );
        assert_eq!(
            error("(1 2) 3"),
            "line 1, column 7: the tree has ended; nothing but comments may follow"
        );
        assert_eq!(
            error("(1 ())"),
            "line 1, column 6: () has no children: a leaf is a number"
        );
        assert_eq!(
            error("(1 2.3456)"),
            "line 1, column 4: \"2.3456\": more than three decimals"
        );
        assert_eq!(error("(1 2x)"), "line 1, column 4: \"2x\": not a number");
        assert_eq!(error("(1 --2)"), "line 1, column 4: \"--2\": not a number");
        assert_eq!(
            error("chance(0*1 2)"),
            "line 1, column 8: a weight is from 1 to 1000, not 0"
        );
        assert_eq!(
            error("(1 ; 2)"),
            "line 1, column 4: a number, max, min, chance or ( expected, not ';'"
        );
        assert_eq!(
            error("(3,5)"),
            "line 1, column 3: a comma between digits: write 3.5 for a decimal, and 3 5 for two leaves"
        );
        assert_eq!(error("(3, 5)"), "no error");
        assert_eq!(
            error("max@5..2(1 3)"),
            "line 1, column 5: \"5..2\": the smaller number comes first"
        );
        let spanish = parse("(1 2x)").unwrap_err().text(Language::Spanish);
        assert_eq!(spanish, "línea 1, columna 4: \"2x\": no es un número");
        assert!(error("(99999999999999999999999)").contains("too large"));
        assert!(error(&"(".repeat(100_000)).contains("more than 200 levels"));
    }
}
