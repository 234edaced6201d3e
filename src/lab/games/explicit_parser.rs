//! Reading trees written out as text.

use thiserror::Error;

use super::explicit::{TreeNode, UNIT};
use crate::lab::game::{Player, Value};

/// The deepest tree that is read. Algorithms use as much of the stack as a tree is deep.
const MOST_LEVELS: usize = 200;
/// The largest tree that is read.
const MOST_NODES: usize = 2_000_000;
/// The largest number, either way.
const MOST: Value = 1_000_000_000;
/// The largest weight of a throw.
const MOST_WEIGHT: u32 = 1_000;

/// Where and why a text is no tree.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {what}")]
pub struct TreeError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

/// Reads the nodes of a tree. The root is the first.
pub(super) fn parse(text: &str) -> Result<Vec<TreeNode>, TreeError> {
    let mut parser = Parser {
        text,
        offset: 0,
        nodes: Vec::new(),
    };
    parser.node(Player::Min, 1, 0)?;
    match parser.peek() {
        None => Ok(parser.nodes),
        Some(_) => Err(parser.error("the tree has ended; nothing but comments may follow")),
    }
}

struct Parser<'t> {
    text: &'t str,
    offset: usize,
    nodes: Vec<TreeNode>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or("")
    }

    /// The next character that is no space and in no comment.
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

    /// Takes a character if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.offset += wanted.len_utf8();
        }
        is_next
    }

    /// Takes the characters, from here on, that are of a kind.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.offset += end;
        rest.get(..end).unwrap_or("")
    }

    fn error(&self, what: impl Into<String>) -> TreeError {
        self.error_at(self.offset, what)
    }

    fn error_at(&self, offset: usize, what: impl Into<String>) -> TreeError {
        let before = self.text.get(..offset).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        TreeError {
            line: before.matches('\n').count() + 1,
            column,
            what: what.into(),
        }
    }

    /// Reads a node and what is below it. Its number.
    fn node(&mut self, above: Player, weight: u32, level: usize) -> Result<usize, TreeError> {
        if level > MOST_LEVELS {
            return Err(self.error(format!("more than {MOST_LEVELS} levels")));
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(self.error(format!("more than {MOST_NODES} nodes")));
        }
        let Some(next) = self.peek() else {
            return Err(self.error("a node expected, and the text ends"));
        };
        let opponent = if above == Player::Max {
            Player::Min
        } else {
            Player::Max
        };
        if next.is_ascii_digit() || next == '-' || next == '+' || next == '.' {
            let value = self.number()?;
            return Ok(self.push(opponent, value, weight));
        }
        let player = self.player(opponent)?;
        let looks = if self.take('@') { self.number()? } else { 0 };
        let is_quiet = !self.take('!');
        if !self.take('(') {
            return Err(self.error("( expected"));
        }
        let index = self.push(player, looks, weight);
        let mut children = Vec::new();
        while !self.take(')') {
            if self.peek().is_none() {
                return Err(self.error("the text ends inside of brackets: ) expected"));
            }
            let weight = if player == Player::Chance {
                self.weight()?
            } else {
                1
            };
            children.push(self.node(player, weight, level + 1)?);
        }
        if children.is_empty() {
            return Err(self.error("() has no children: a leaf is a number"));
        }
        if let Some(node) = self.nodes.get_mut(index) {
            node.children = children;
            node.is_quiet = is_quiet;
        }
        Ok(index)
    }

    fn push(&mut self, player: Player, value: Value, weight: u32) -> usize {
        self.nodes.push(TreeNode {
            player,
            children: Vec::new(),
            value,
            is_quiet: true,
            weight,
        });
        self.nodes.len() - 1
    }

    fn player(&mut self, opponent: Player) -> Result<Player, TreeError> {
        let start = self.offset;
        let word = self.word(char::is_alphabetic);
        match word.to_ascii_lowercase().as_str() {
            "max" => Ok(Player::Max),
            "min" => Ok(Player::Min),
            "chance" => Ok(Player::Chance),
            "" if matches!(self.peek(), Some('(' | '@' | '!')) => Ok(opponent),
            "" => {
                let found = self.peek().unwrap_or(' ');
                Err(self.error_at(
                    start,
                    format!("a number, max, min, chance or ( expected, not {found:?}"),
                ))
            }
            _ => Err(self.error_at(start, format!("max, min or chance expected, not {word:?}"))),
        }
    }

    /// The weight before a child of a chance node, if there is one.
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
            )),
        }
    }

    /// A number with at most three decimals, in thousandths.
    fn number(&mut self) -> Result<Value, TreeError> {
        self.peek();
        let start = self.offset;
        let word = self.word(|c| c.is_ascii_alphanumeric() || "+-.*".contains(c));
        let bad = |what: &str| self.error_at(start, format!("{word:?}: {what}"));
        let digits = word.trim_start_matches(['+', '-']);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let signs = word.len() - digits.len();
        if signs > 1
            || !is_number(whole)
            || !is_number(decimals)
            || whole.len() + decimals.len() == 0
        {
            return Err(bad("not a number"));
        }
        if decimals.len() > 3 {
            return Err(bad("more than three decimals"));
        }
        let too_large = || bad("too large: numbers are at most a billion either way");
        let whole: Value = format!("0{whole}").parse().map_err(|_| too_large())?;
        if whole > MOST {
            return Err(too_large());
        }
        let thousandths: Value = format!("{decimals:0<3}").parse().unwrap_or(0);
        let value = whole * UNIT + thousandths;
        Ok(if word.starts_with('-') { -value } else { value })
    }
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
        let players: Vec<Player> = nodes.iter().map(|node| node.player).collect();
        assert_eq!(players[..2], [Player::Max, Player::Min]);
        assert_eq!(nodes[3].value, -2_500);
        assert_eq!(
            (nodes[4].player, nodes[4].value, nodes[4].is_quiet),
            (Player::Max, 4_000, false)
        );
        assert_eq!(nodes[6].player, Player::Chance);
        assert_eq!((nodes[7].weight, nodes[7].value), (2, 7_000));
        assert_eq!((nodes[8].weight, nodes[8].value), (1, 500));
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
        assert!(error("(99999999999999999999999)").contains("too large"));
        assert!(error(&"(".repeat(100_000)).contains("more than 200 levels"));
    }
}
