//! Search reports as `info` lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::output::UciOutput;
use crate::position::{Move, Position, notation};
use crate::score::{Bound, Score};
use crate::search::report::{AnalysisLine, Report};
use crate::wdl::{Chances, centipawns, chances, material};

/// `currmove` is written only after this time.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// Minimum time between two `currmove` lines.
const CURRENT_MOVE_EVERY: Duration = Duration::from_millis(250);

/// Writes the reports of one search.
#[derive(Debug)]
pub struct UciReport<'a> {
    output: &'a UciOutput,
    show_wdl: bool,
    began: Instant,
    /// Time of the last `currmove` in milliseconds since the beginning; 0 for never.
    last_current_move: AtomicU64,
    /// The last line of each rank so far, when only those are written.
    last_lines: Option<Mutex<BTreeMap<usize, String>>>,
}

impl<'a> UciReport<'a> {
    /// Creates a report for a search that began at this moment.
    pub fn new(output: &'a UciOutput, show_wdl: bool, began: Instant) -> UciReport<'a> {
        UciReport {
            output,
            show_wdl,
            began,
            last_current_move: AtomicU64::new(0),
            last_lines: None,
        }
    }

    /// Writes only the last line of each rank of `MultiPV`, and that in [`UciReport::finish`].
    #[must_use]
    pub fn minimal(mut self) -> UciReport<'a> {
        self.last_lines = Some(Mutex::default());
        self
    }

    /// Writes the lines that a minimal report has kept. Call it when the search is over.
    pub fn finish(self) {
        let lines = self.last_lines.map(Mutex::into_inner).unwrap_or_default();
        for line in lines.into_values() {
            self.output.line(line);
        }
    }
}

impl Report for UciReport<'_> {
    fn line(&self, line: &AnalysisLine<'_>) {
        let text = info(line, self.show_wdl);
        match &self.last_lines {
            Some(last_lines) => {
                last_lines.lock().insert(line.multipv, text);
            }
            None => self.output.line(text),
        }
    }

    fn current_move(&self, root: &Position, depth: u32, m: Move, number: usize) {
        let elapsed = self.began.elapsed();
        let last = Duration::from_millis(self.last_current_move.load(Ordering::Relaxed));
        if self.last_lines.is_some()
            || elapsed < CURRENT_MOVE_AFTER
            || elapsed < last + CURRENT_MOVE_EVERY
        {
            return;
        }
        self.last_current_move
            .store(whole_millis(elapsed), Ordering::Relaxed);
        self.output.line(format_args!(
            "info depth {depth} currmove {} currmovenumber {number}",
            notation::uci(root, m)
        ));
    }

    fn message(&self, text: &str) {
        self.output.info(text);
    }

    fn error(&self, text: &str) {
        self.output.error(text);
    }
}

fn info(line: &AnalysisLine<'_>, show_wdl: bool) -> String {
    let material = material(line.root);
    let score = score(line.score, material);
    if line.depth == 0 {
        // The game is over: there is nothing to search.
        return format!("info depth 0 score {score}");
    }
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {score}",
        line.depth, line.seldepth, line.multipv
    );
    text.push_str(match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    // Writing to a String cannot fail.
    if show_wdl {
        let Chances { win, draw, loss } = chances(line.score, material);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let micros = line.elapsed.as_micros().max(1);
    let _ = write!(
        text,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        line.nodes,
        u128::from(line.nodes) * 1_000_000 / micros,
        line.tt.hashfull(),
        line.tbhits,
        whole_millis(line.elapsed)
    );
    if !line.pv.is_empty() {
        text.push_str(" pv");
        push_pv(&mut text, line.root, line.pv);
    }
    text
}

/// Formats a score for UCI, given the [`material`] on the board: mates in moves, other scores in
/// normalised [`centipawns`], of which 100 mean a 50 % chance to win.
pub fn score(score: Score, material: u32) -> String {
    match score.mate_distance() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", centipawns(score, material)),
    }
}

/// Writes the moves up to the first that is not legal. All of them are; but a GUI may forfeit the
/// engine for an illegal move in a principal variation, so a bug must not show one.
fn push_pv(text: &mut String, root: &Position, pv: &[Move]) {
    let mut position = root.clone();
    for &m in pv {
        if !position.is_legal(m) {
            break;
        }
        let _ = write!(text, " {}", notation::uci(&position, m));
        position = position.play(m);
    }
}

fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::output::test_support::{in_memory, written};
    use super::*;
    use crate::tt::TranspositionTable;
    use crate::wdl::from_centipawns;

    fn line<'a>(
        root: &'a Position,
        tt: &'a TranspositionTable,
        pv: &'a [Move],
    ) -> AnalysisLine<'a> {
        AnalysisLine {
            root,
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score: from_centipawns(34, 78),
            bound: Bound::Exact,
            nodes: 5_000,
            elapsed: Duration::from_micros(2_500),
            tt,
            tbhits: 3,
            pv,
        }
    }

    #[test]
    fn the_current_move_is_shown_in_long_searches() {
        let (output, text) = in_memory(Arc::default());
        let root = Position::initial();
        let e4 = notation::parse_uci(&root, "e2e4").unwrap();
        let show = |report: &UciReport<'_>| {
            report.current_move(&root, 9, e4, 3);
            written(&text)
        };
        let now = Instant::now();
        assert_eq!(show(&UciReport::new(&output, false, now)), "");
        let Some(long_ago) = now.checked_sub(CURRENT_MOVE_AFTER) else {
            // The machine has just started.
            return;
        };
        let report = UciReport::new(&output, false, long_ago);
        let expected = "info depth 9 currmove e2e4 currmovenumber 3\n";
        assert_eq!(show(&report), expected);
        assert_eq!(show(&report), "");
        std::thread::sleep(CURRENT_MOVE_EVERY);
        assert_eq!(show(&report), expected);
        assert_eq!(
            show(&UciReport::new(&output, false, long_ago).minimal()),
            ""
        );
    }

    #[test]
    fn an_info_line() {
        let root = Position::initial();
        let e4 = notation::parse_uci(&root, "e2e4").unwrap();
        let c5 = notation::parse_uci(&root.play(e4), "c7c5").unwrap();
        let pv = [e4, c5];
        let tt = TranspositionTable::new(1, None).unwrap();
        let mut line = line(&root, &tt, &pv);
        let shown = centipawns(line.score, 78);
        assert!((33..=35).contains(&shown));
        assert_eq!(
            info(&line, false),
            format!(
                "info depth 12 seldepth 20 multipv 1 score cp {shown} nodes 5000 nps 2000000 hashfull 0 tbhits 3 \
                 time 2 pv e2e4 c7c5"
            )
        );
        line.bound = Bound::Lower;
        assert!(info(&line, false).contains(&format!(" score cp {shown} lowerbound nodes ")));
        line.score = Score::mated_in(4);
        line.bound = Bound::Upper;
        line.pv = &[];
        assert_eq!(
            info(&line, true),
            "info depth 12 seldepth 20 multipv 1 score mate -2 upperbound wdl 0 0 1000 nodes 5000 nps 2000000 \
             hashfull 0 tbhits 3 time 2"
        );
    }

    #[test]
    fn scores_are_shown_by_what_they_win() {
        for (value, expected) in [
            (Score::DRAW, "cp 0"),
            (Score::mate_in(5), "mate 3"),
            (Score::mated_in(0), "mate 0"),
            (Score::tablebase_win(12), "cp 19988"),
            (Score::tablebase_loss(12), "cp -19988"),
        ] {
            assert_eq!(score(value, 30), expected);
        }
        for material in [15, 40, 78] {
            let value = from_centipawns(300, material);
            let shown = centipawns(value, material);
            assert!((298..=302).contains(&shown), "{shown} at {material}");
            assert_eq!(score(value, material), format!("cp {shown}"));
            assert_eq!(score(-value, material), format!("cp -{shown}"));
        }
    }

    #[test]
    fn an_illegal_move_ends_the_line() {
        let root = Position::initial();
        let e4 = notation::parse_uci(&root, "e2e4").unwrap();
        let tt = TranspositionTable::new(1, None).unwrap();
        assert!(info(&line(&root, &tt, &[e4, e4]), false).ends_with(" pv e2e4"));
    }
}
