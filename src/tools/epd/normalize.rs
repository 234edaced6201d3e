//! `quevedo epd normalize`: writes suites in canonical EPD.

use std::collections::HashSet;
use std::io::Write;

use super::goal::Goal;
use super::record::{Operand, Operation, Record, takes_moves};
use super::solve::report_unread;
use super::suite::{Suite, SuitePosition};
use super::{EpdError, moves};
use crate::position::{Move, notation};
use crate::tools::{Exit, ToolError};

/// Write suites in canonical EPD to standard output
///
/// Writes moves in SAN, `bm #4` as `dm 4`, ids and comments in quotes, operations in alphabetical
/// order, and move counters as hmvc and fmvn. Lines that cannot be read are reported and skipped.
#[derive(Clone, Debug, clap::Args)]
pub struct NormalizeArgs {
    /// EPD or PGN files; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Keep only these operations, for example id,bm,am
    #[arg(long, value_name = "OPCODES", value_delimiter = ',')]
    keep: Vec<String>,
    /// Name positions without an id: this text and a number
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Skip positions that have nothing to solve
    #[arg(long)]
    problems: bool,
    /// Skip duplicate positions
    #[arg(long)]
    unique: bool,
}

/// Writes the suites and returns the exit code.
///
/// # Errors
/// Fails when a file cannot be read, or the output cannot be written.
pub fn run(args: &NormalizeArgs, out: &mut dyn Write) -> Result<Exit, EpdError> {
    let suite = Suite::read(&args.files)?;
    report_unread(&suite.unread);
    let mut seen = HashSet::new();
    let mut is_wanted = |position: &&SuitePosition| {
        // The order matters: a position that the first test skips must not count as seen.
        !(args.problems && position.goal.is_empty())
            && (!args.unique || seen.insert(notation::fen(&position.record.position)))
    };
    let positions: Vec<_> = suite
        .positions
        .iter()
        .filter(|position| is_wanted(position))
        .collect();
    let digits = positions.len().to_string().len();
    for (number, position) in (1..).zip(positions) {
        let mut record = canonical(position);
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
    Ok(match suite.unread.is_empty() {
        true => Exit::Done,
        false => Exit::Incomplete,
    })
}

/// Returns the record in canonical form.
pub fn canonical(position: &SuitePosition) -> Record {
    let SuitePosition { record, goal, .. } = position;
    let position = record.position.clone();
    let mut canonical = record.clone();
    for operation in &mut canonical.operations {
        if takes_moves(&operation.opcode)
            && let Some(rewritten) = in_san(record, operation)
        {
            *operation = rewritten;
        }
    }
    canonical.set_counters(&position);
    set_goal(&mut canonical, goal);
    if !record.remarks.is_empty() {
        let mut remarks = record.remarks.clone();
        let opcodes = (0..10).map(|number| format!("c{number}"));
        let free = opcodes.into_iter().find(|c| record.operation(c).is_none());
        let opcode = free.unwrap_or_else(|| {
            let last = record.operation("c9").map(Operation::text);
            remarks.splice(0..0, last);
            "c9".to_owned()
        });
        canonical.set(Operation::new(&opcode, [remarks.join("; ")]));
    }
    canonical
}

/// Writes the best moves, the moves to avoid, and the mate as separate operations.
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

/// Returns the operation with its moves in SAN. The moves of `pv` follow each other; all others
/// start from the position. Returns `None` if a move is illegal: such an operation is not part of
/// the goal and can stay as it is.
fn in_san(record: &Record, operation: &Operation) -> Option<Operation> {
    let mut position = record.position.clone();
    let mut operands = Vec::new();
    for Operand { text, .. } in &operation.operands {
        let m = notation::parse_move(&position, text).ok()?;
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
            .positions
            .iter()
            .map(|position| canonical(position).to_string())
            .collect()
    }

    #[test]
    fn a_skipped_position_does_not_count_as_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.epd");
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
        run(&args, &mut out).unwrap();
        assert_eq!(out, format!("{board} bm e4;\n").as_bytes());
    }

    #[test]
    fn no_operation_is_lost() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, expected) in [
            (
                "bm e4; Author Smith; c0 \"kept?\";",
                "bm e4; c0 \"kept?\"; c1 \"Author Smith\";",
            ),
            ("bm e4; pv e4; pv Kd2 Kd8;", "bm e4; pv e4; pv Kd2 Kd8;"),
        ] {
            assert_eq!(
                normalized(&format!("{board} {operations}")),
                format!("{board} {expected}")
            );
        }
        let full: String = (0..10)
            .map(|number| format!(" c{number} \"{number}\";"))
            .collect();
        let line = normalized(&format!("{board} bm e4; Author Smith;{full}"));
        assert!(line.contains("c9 \"9; Author Smith\";"), "{line}");
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
