//! `quevedo epd normalize`: suites in canonical EPD.

use std::collections::HashSet;
use std::io::Write;

use super::goal::Goal;
use super::record::{Operand, Operation, Record, takes_moves};
use super::solve::complain_about;
use super::suite::{Entry, Suite};
use super::{EpdError, moves};
use crate::position::{Move, notation};
use crate::tools::ToolError;

/// Write suites in canonical EPD to standard output
///
/// Moves become SAN, `bm #4` becomes `dm 4`, ids and comments are quoted, operations stand in alphabetical order. Move
/// counters become hmvc and fmvn. Lines that cannot be understood are reported and left out.
#[derive(Clone, Debug, clap::Args)]
pub struct NormalizeArgs {
    /// Files, EPD or PGN; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Keep only these operations, as in id,bm,am
    #[arg(long, value_name = "OPCODES", value_delimiter = ',')]
    keep: Vec<String>,
    /// Give positions without an id one of this name and their number
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Leave out positions without anything to solve
    #[arg(long)]
    problems: bool,
    /// Leave out positions that have been there before
    #[arg(long)]
    unique: bool,
}

/// Writes the suites.
///
/// # Errors
/// When a file cannot be read or the output not be written.
pub fn run(args: &NormalizeArgs, out: &mut dyn Write) -> Result<(), EpdError> {
    let suite = Suite::read(&args.files)?;
    complain_about(&suite.unread);
    let mut seen = HashSet::new();
    let mut is_wanted = |entry: &&Entry| {
        // A position that is left out is none that has been there before.
        !(args.problems && entry.goal.is_empty())
            && (!args.unique || seen.insert(notation::fen(&entry.record.position)))
    };
    let entries: Vec<&Entry> = suite
        .entries
        .iter()
        .filter(|entry| is_wanted(entry))
        .collect();
    let digits = entries.len().to_string().len();
    for (number, entry) in (1..).zip(entries) {
        let mut record = canonical(entry);
        if let Some(name) = &args.name
            && record.operation("id").is_none()
        {
            record.set(Operation::new("id", [format!("{name}.{number:0digits$}")]));
        }
        if !args.keep.is_empty() {
            record
                .operations
                .retain(|operation| args.keep.contains(&operation.opcode));
        }
        writeln!(out, "{record}").map_err(ToolError::output)?;
    }
    Ok(())
}

/// The record as it should have been written.
pub fn canonical(entry: &Entry) -> Record {
    let Entry { record, goal, .. } = entry;
    let position = record.position.clone();
    let mut canonical = record.clone();
    canonical.set_counters(&position);
    for operation in &record.operations {
        if takes_moves(&operation.opcode)
            && let Some(rewritten) = in_san(record, operation)
        {
            canonical.set(rewritten);
        }
    }
    set_goal(&mut canonical, goal);
    if !record.remarks.is_empty() && canonical.operation("c0").is_none() {
        canonical.set(Operation::new("c0", [record.remarks.join("; ")]));
    }
    canonical
}

/// Best moves without mates among them, and the mates apart.
fn set_goal(record: &mut Record, goal: &Goal) {
    let names = |moves: &[Move]| -> Vec<String> {
        moves
            .iter()
            .map(|&m| moves::san(&record.position, m))
            .collect()
    };
    let (best, avoid) = (names(&goal.best), names(&goal.avoid));
    for (opcode, names) in [("bm", best), ("am", avoid)] {
        record.remove(opcode);
        if !names.is_empty() {
            record.set(Operation::new(opcode, names));
        }
    }
    if let Some(mate) = goal.mate {
        record.set(Operation::new("dm", [mate.to_string()]));
    }
}

/// The operation with its moves in SAN: a list of moves of the position, or for `pv` a line of play. None when they
/// cannot be understood; nothing is asked there, so that they may stay as they are.
fn in_san(record: &Record, operation: &Operation) -> Option<Operation> {
    let mut position = record.position.clone();
    let mut operands = Vec::new();
    for Operand { text, .. } in &operation.operands {
        let m = moves::parse(&position, text).ok()?;
        operands.push(moves::san(&position, m));
        if operation.opcode == "pv" {
            position = position.play(m);
        }
    }
    Some(Operation::new(&operation.opcode, operands))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(line: &str) -> String {
        let mut suite = Suite::default();
        suite.add("x", line.as_bytes());
        suite
            .entries
            .iter()
            .map(|entry| canonical(entry).to_string())
            .collect()
    }

    #[test]
    fn a_question_is_not_left_out_for_a_position_without_one() {
        let name = format!("quevedo-normalize-{}.epd", std::process::id());
        let path = std::env::temp_dir().join(name);
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let lines = format!("{board} id \"a\";\n{board} bm e4;\n{board} bm e3;\n");
        std::fs::write(&path, lines).unwrap();
        let args = NormalizeArgs {
            files: vec![path.display().to_string()],
            keep: Vec::new(),
            name: None,
            problems: true,
            unique: true,
        };
        let mut out = Vec::new();
        let outcome = run(&args, &mut out);
        let _ = std::fs::remove_file(&path);
        outcome.unwrap();
        assert_eq!(out, format!("{board} bm e4;\n").as_bytes());
    }

    #[test]
    fn lines_become_canonical() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, expected) in [
            (
                " 3 9 id No. 1; bm e2e4!, e3",
                "bm e4 e3; fmvn 9; hmvc 3; id \"No. 1\";",
            ),
            (" bm #4;", "dm 4;"),
            (" bm #4 e2-e4; pv e2e4 e8d7;", "bm e4; dm 4; pv e4 Kd7;"),
            ("; am e4 ?; c1 diff=7", "am e4; c1 \"diff=7\";"),
            (
                "; should be OK (a remark)",
                "c0 \"should be OK (a remark)\";",
            ),
            (" sm frob; D1 5;", "D1 5; sm frob;"),
        ] {
            let line = normalized(&format!("{board}{operations}"));
            assert_eq!(line, format!("{board} {expected}"), "{operations}");
            assert_eq!(normalized(&line), line, "not a fixed point");
        }
    }
}
