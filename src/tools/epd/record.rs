//! A line of EPD: a position and operations, read leniently and written canonically.
//!
//! The format is section 16.2 of the PGN specification. Existing suites also contain move counters
//! between the position and the first operation, sometimes without a space before them (`- -0 1`),
//! unquoted ids, commas between moves, annotated moves, empty operations, and remarks in place of
//! operations.

use std::fmt;

use thiserror::Error;

use crate::position::Position;
use crate::position::notation::{self, FenError};

/// The operations that take moves.
const MOVE_OPCODES: [&str; 5] = ["am", "bm", "pm", "pv", "sm"];

/// The other operations of the standard, and those of tablebase and perft suites.
const OTHER_OPCODES: [&str; 20] = [
    "acd",
    "acn",
    "acs",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "dtz",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "rc",
    "resign",
    "wdl",
    "wdl_table",
];

/// The longest opcode that the standard allows.
const MAX_OPCODE: usize = 14;

/// Errors returned when parsing a line of EPD.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The line has fewer than the four fields of a position.
    #[error("a position has four fields, this line has {0}")]
    Fields(usize),
    /// The position is not valid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The operand of an operation is not a number.
    #[error("{opcode}: expected a number, not {found:?}")]
    Number {
        /// The operation.
        opcode: String,
        /// The text found instead.
        found: String,
    },
}

/// An operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The text, without quotes.
    pub text: String,
    /// True if the text was quoted.
    pub quoted: bool,
}

/// An operation: `bm Nf3 e4` is the opcode `bm` with two operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name of the operation.
    pub opcode: String,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// A position with operations.
#[derive(Clone, Debug)]
pub struct Record {
    /// The position, with its move counters.
    pub position: Position,
    /// The operations, in the order of the line.
    pub operations: Vec<Operation>,
    /// Texts found in place of operations.
    pub remarks: Vec<String>,
}

impl Operation {
    /// Creates an operation with unquoted operands.
    pub fn new(opcode: &str, operands: impl IntoIterator<Item = impl Into<String>>) -> Operation {
        let operands = operands.into_iter().map(|text| Operand {
            text: text.into(),
            quoted: false,
        });
        Operation {
            opcode: opcode.to_owned(),
            operands: operands.collect(),
        }
    }

    /// Returns the operands joined by spaces.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self
            .operands
            .iter()
            .map(|operand| operand.text.as_str())
            .collect();
        words.join(" ")
    }

    /// Parses the text between two semicolons. Returns the text itself as the error if it is not an
    /// operation.
    fn parse(text: &str) -> Result<Operation, String> {
        let (opcode, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let operands = operands(rest);
        let is_plain = |operand: &Operand| operand.quoted || operand.text.parse::<f64>().is_ok();
        if is_known(opcode) || is_opcode(opcode) && operands.iter().all(is_plain) {
            Ok(Operation {
                opcode: opcode.to_owned(),
                operands,
            })
        } else {
            Err(text.to_owned())
        }
    }
}

impl Record {
    /// Parses a line.
    ///
    /// # Errors
    /// Fails when the line does not begin with a legal position, or a move counter is not a number.
    pub fn parse(line: &str) -> Result<Record, RecordError> {
        let (fields, rest) = fields(line);
        let [board, turn, castling, en_passant] = fields.as_slice() else {
            return Err(RecordError::Fields(fields.len()));
        };
        // The halfmove clock may follow the hyphen without a space.
        let (en_passant, stuck) = match en_passant.strip_prefix('-') {
            Some(stuck) if stuck.bytes().all(|byte| byte.is_ascii_digit()) => ("-", stuck),
            _ => (*en_passant, ""),
        };
        let rest = format!("{stuck} {rest}");
        let (mut counters, rest) = counters(&rest);
        let (operations, remarks) = operations(rest);
        for (operation, counter) in [("hmvc", 0), ("fmvn", 1)] {
            if let Some(operation) = operations.iter().find(|found| found.opcode == operation)
                && let Some(slot) = counters.get_mut(counter)
            {
                *slot = counter_of(operation)?;
            }
        }
        let [halfmoves, fullmoves] = counters;
        let fen = format!(
            "{board} {turn} {castling} {en_passant} {halfmoves} {}",
            fullmoves.max(1)
        );
        Ok(Record {
            position: notation::parse_fen(&fen, false)?.position,
            operations,
            remarks,
        })
    }

    /// Returns the first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    }

    /// Replaces all operations with the same opcode.
    pub fn set(&mut self, operation: Operation) {
        self.remove(&operation.opcode);
        self.operations.push(operation);
    }

    /// Writes the move counters of a position as operations, unless they have the values of a new
    /// game.
    pub fn set_counters(&mut self, position: &Position) {
        let fen = notation::fen(position);
        let counters = fen.split(' ').skip(4);
        for ((opcode, usual), counter) in [("hmvc", "0"), ("fmvn", "1")].into_iter().zip(counters) {
            self.remove(opcode);
            if counter != usual {
                self.set(Operation::new(opcode, [counter]));
            }
        }
    }

    /// Removes the operations with this opcode.
    pub fn remove(&mut self, opcode: &str) {
        self.operations
            .retain(|operation| operation.opcode != opcode);
    }
}

/// Formats the line in canonical form: four fields, then the operations, sorted by opcode as the
/// standard requires.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::epd(&self.position))?;
        let mut operations: Vec<&Operation> = self.operations.iter().collect();
        operations.sort_by(|a, b| a.opcode.cmp(&b.opcode));
        operations
            .into_iter()
            .try_for_each(|operation| write!(f, " {operation}"))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        // EPD cannot represent a quotation mark inside an operand.
        if is_text(&self.opcode) && !self.operands.is_empty() {
            write!(f, " \"{}\"", self.text().replace('"', "'"))?;
        } else {
            for Operand { text, quoted } in &self.operands {
                let text = text.replace('"', "'");
                if *quoted || text.contains(|c: char| c.is_whitespace() || c == ';') {
                    write!(f, " \"{text}\"")?;
                } else {
                    write!(f, " {text}")?;
                }
            }
        }
        f.write_str(";")
    }
}

/// Returns whether the operand of this opcode is text, which is always quoted.
fn is_text(opcode: &str) -> bool {
    matches!(opcode, "id" | "eco" | "nic") || is_numbered(opcode, 'c') || is_numbered(opcode, 'v')
}

/// Returns whether the operands of this opcode are moves.
pub fn takes_moves(opcode: &str) -> bool {
    MOVE_OPCODES.contains(&opcode)
}

fn is_known(opcode: &str) -> bool {
    takes_moves(opcode)
        || OTHER_OPCODES.contains(&opcode)
        || ['c', 'v', 'D']
            .into_iter()
            .any(|letter| is_numbered(opcode, letter))
}

/// Returns whether the opcode is this letter followed by one digit.
fn is_numbered(opcode: &str, letter: char) -> bool {
    let mut rest = opcode.chars();
    rest.next() == Some(letter)
        && rest.next().is_some_and(|c| c.is_ascii_digit())
        && rest.next().is_none()
}

fn is_opcode(text: &str) -> bool {
    text.len() <= MAX_OPCODE
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits off the first four words. A semicolon may follow the last one without a space.
fn fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line.trim_start();
    while fields.len() < 4 {
        let end = rest
            .find(|c: char| c.is_whitespace() || c == ';')
            .unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        if field.is_empty() {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    (fields, rest)
}

/// Splits off the halfmove clock and the move number, either of which may be missing.
fn counters(text: &str) -> ([u32; 2], &str) {
    let mut counters = [0, 1];
    let mut rest = text.trim_start();
    for counter in &mut counters {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        if digits.is_empty() || !after.is_empty() && !after.starts_with([' ', '\t', ';']) {
            break;
        }
        *counter = digits.parse().unwrap_or(u32::MAX);
        rest = after.trim_start();
    }
    (counters, rest)
}

fn counter_of(operation: &Operation) -> Result<u32, RecordError> {
    let text = operation.text();
    text.parse::<u64>()
        .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        .map_err(|_| RecordError::Number {
            opcode: operation.opcode.clone(),
            found: text,
        })
}

/// Splits the text at semicolons outside quotes, and parses the parts as operations and remarks.
fn operations(text: &str) -> (Vec<Operation>, Vec<String>) {
    let (mut operations, mut remarks) = (Vec::new(), Vec::new());
    let mut in_quotes = false;
    let parts = text.split(|c: char| {
        in_quotes ^= c == '"';
        c == ';' && !in_quotes
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        match Operation::parse(part) {
            Ok(operation) => operations.push(operation),
            Err(remark) => remarks.push(remark),
        }
    }
    (operations, remarks)
}

/// Parses words and quoted texts. An unclosed quote extends to the end of the line.
fn operands(text: &str) -> Vec<Operand> {
    let mut operands = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (text, quoted, after) = match rest.strip_prefix('"') {
            Some(inner) => {
                let (text, after) = inner.split_once('"').unwrap_or((inner, ""));
                (text, true, after)
            }
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                (text, false, after)
            }
        };
        operands.push(Operand {
            text: text.to_owned(),
            quoted,
        });
        rest = after.trim_start();
    }
    operands
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn canonical(rest: &str) -> String {
        let record = Record::parse(&format!("{BOARD}{rest}")).unwrap();
        record
            .to_string()
            .strip_prefix(BOARD)
            .unwrap()
            .trim()
            .to_owned()
    }

    #[test]
    fn lines_from_existing_suites() {
        for (rest, expected) in [
            (" bm e4; id \"a;b\";", "bm e4; id \"a;b\";"),
            ("; bm e4; id Position 1", "bm e4; id \"Position 1\";"),
            (" 0 1 id WAC.001; bm e4", "bm e4; id \"WAC.001\";"),
            ("0 1 bm e2e4; epd should be OK", "bm e2e4;"),
            (" c0 \"open", "c0 \"open\";"),
            (";+- no repet; 18 knights;", ""),
            (
                " Ae \"Some engine\"; wdl -2; dm 3;",
                "Ae \"Some engine\"; dm 3; wdl -2;",
            ),
            (" | f1f4 | -100 | P - R + B", ""),
            ("", ""),
        ] {
            assert_eq!(canonical(rest), expected, "{rest}");
        }
    }

    #[test]
    fn quotation_marks_in_operands_are_replaced() {
        let operation = Operation::new("sm", ["a\";", "b"]);
        assert_eq!(operation.to_string(), "sm \"a';\" b;");
    }

    #[test]
    fn counters_are_read_in_all_places() {
        for (rest, expected) in [
            (" 7 30 bm e4;", " 7 30"),
            ("7 30; bm e4;", " 7 30"),
            (" bm e4; hmvc 7; fmvn 30;", " 7 30"),
            (" 1 2; hmvc 7;", " 7 2"),
            (" 99999999999 0", " 100 1"),
            (" 5", " 5 1"),
        ] {
            let record = Record::parse(&format!("{BOARD}{rest}")).unwrap();
            assert!(
                notation::fen(&record.position).ends_with(expected),
                "{rest}"
            );
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (line, part) in [
            ("", "this line has 0"),
            ("8/8/8/8/8/8/8/8 w -", "this line has 3"),
            ("8/8/8/8/8/8/8/8 w - - bm e4;", "illegal position"),
            ("x/8/8/8/8/8/8/8 w - - bm e4;", "not a FEN"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - hmvc x;",
                "hmvc: expected a number, not \"x\"",
            ),
        ] {
            let error = Record::parse(line).unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
