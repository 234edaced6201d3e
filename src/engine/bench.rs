//! The benchmark: searches a fixed set of positions. The number of nodes is the signature of the
//! search: it changes if and only if a commit changes the behaviour of the search.

use std::fmt;
use std::time::{Duration, Instant};

use super::{Control, GameState, Go, Limits, Searcher, Silent};

/// Default depth in plies.
pub const DEFAULT_DEPTH: u32 = 12;

/// Default size of the hash table in MiB.
pub const DEFAULT_HASH: usize = 16;

/// The positions of the benchmark: all phases of the game, quiet and sharp, and positions that
/// search bugs show up in. They come from the suites of Kaufman, Bratko and Kopec, Nolot, Zugzwang
/// and the STS, from perft suites and from theory.
pub const POSITIONS: [&str; 46] = [
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "rnbqk2r/1p3ppp/p7/1NpPp3/QPP1P1n1/P4N2/4KbPP/R1B2B1R b kq - 0 1",
    // Middlegames: quiet.
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "1q2r1k1/1b2bpp1/p2ppn1p/2p5/P3PP1B/2PB1RP1/2P1Q2P/2KR4 b - - 0 1",
    "rn1q1rk1/1b2bppp/1pn1p3/p2pP3/3P4/P2BBN1P/1P1N1PP1/R2Q1RK1 b - - 0 1",
    "1qr3k1/p2nbppp/bp2p3/3p4/3P4/1P2PNP1/P2Q1PBP/1N2R1K1 b - - 0 1",
    // Middlegames: sharp.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "1rbq1rk1/p1b1nppp/1p2p3/8/1B1pN3/P2B4/1P3PPP/2RQ1R1K w - - 0 1",
    "r3qb1k/1b4p1/p2pr2p/3n4/Pnp1N1N1/6RP/1B3PP1/1B1QR1K1 w - - 0 1",
    "r4rk1/pp1n1p1p/1nqP2p1/2b1P1B1/4NQ2/1B3P2/PP2K2P/2R5 w - - 0 1",
    "r1b1kb1r/1p1n1ppp/p2ppn2/6BB/2qNP3/2N5/PPP2PPP/R2Q1RK1 w kq - 0 1",
    "r3rbk1/ppq2ppp/2b1pB2/8/6Q1/1P1B3P/P1P2PP1/R2R2K1 w - - 0 1",
    "r1b3k1/p2p1nP1/2pqr1Rp/1p2p2P/2B1PnQ1/1P6/P1PP4/1K4R1 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    // Endgames: pawns.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/4p3/p2p4/2pP4/2P1P3/1P4k1/1P1K4/8 w - - 0 1",
    "8/8/p2p3p/3k2p1/PP6/3K1P1P/8/8 b - - 0 1",
    "8/1p5k/1P1p4/3p4/3Pp2p/2K1P2p/7P/8 w - - 0 1",
    // Endgames: pieces.
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "8/5p2/pk2p3/4P2p/2b1pP1P/P3P2B/8/7K w - - 0 1",
    "6k1/p3q2p/1nr3pB/8/3Q1P2/6P1/PP5P/3R2K1 b - - 0 1",
    "2b5/1p4k1/p2R2P1/4Np2/1P3Pp1/1r6/5K2/8 w - - 0 1",
    "8/6p1/3k4/8/P2N4/8/8/2K5 w - - 0 1",
    "8/3k4/8/8/8/1B6/3KN3/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    // Close to the fifty-move rule.
    "8/8/4k3/8/8/3r4/8/K4Q2 w - - 88 120",
    // Zugzwang, a fortress, a mate to find.
    "8/8/8/4N3/8/7p/8/5K1k w - - 0 1",
    "2k5/2p5/1q1p4/pPpPp1p1/N1P1Pp1p/P4PbP/KQ4P1/8 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    // Chess960, and its double form.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "brnnkqrb/pppppppp/8/8/8/8/PPPPPPPP/QNNRBBKR w HDgb - 0 1",
    // Mated, and stalemated.
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

/// The result for one position. Displays as the line that `bench` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchPosition {
    /// The position's number, from 1.
    pub number: usize,
    /// The position.
    pub fen: &'static str,
    /// Nodes searched.
    pub nodes: u64,
}

impl fmt::Display for BenchPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, total) = (self.number, POSITIONS.len());
        write!(
            f,
            "{number:2}/{total} {:>10} nodes  {}",
            self.nodes, self.fen
        )
    }
}

/// The result for all positions. Displays as `<nodes> nodes <nodes per second> nps`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchTotal {
    /// Nodes searched.
    pub nodes: u64,
    /// Time for all positions.
    pub elapsed: Duration,
}

impl fmt::Display for BenchTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9);
        write!(f, "{} nodes {speed:.0} nps", self.nodes)
    }
}

/// Searches [`POSITIONS`] to a depth, each in a new game, and passes each result to `report`.
/// Returns `None` if job `number` of the control was stopped.
///
/// # Errors
/// Returns the error that `report` returned.
pub fn run<E>(
    searcher: &mut Searcher,
    depth: u32,
    control: &Control,
    number: u64,
    report: &mut dyn FnMut(&BenchPosition) -> Result<(), E>,
) -> Result<Option<BenchTotal>, E> {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let start = Instant::now();
    let mut nodes = 0;
    for (index, fen) in POSITIONS.into_iter().enumerate() {
        // A test parses all positions.
        let game = GameState::parse(Some(fen), []).unwrap_or_default();
        searcher.new_game();
        let go = Go {
            control,
            number,
            received: Instant::now(),
        };
        let analysis = searcher.search(&game, &limits, go, &Silent);
        if analysis.stopped {
            return Ok(None);
        }
        nodes += analysis.nodes;
        report(&BenchPosition {
            number: index + 1,
            fen,
            nodes: analysis.nodes,
        })?;
    }
    let elapsed = start.elapsed();
    Ok(Some(BenchTotal { nodes, elapsed }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;
    use std::collections::HashSet;

    #[test]
    fn all_positions_are_legal_and_different() {
        let mut keys = HashSet::new();
        let mut over = 0;
        let mut chess960 = 0;
        for fen in POSITIONS {
            let parsed = parse_fen(fen, false).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(keys.insert(parsed.position.key()), "{fen}");
            over += usize::from(!parsed.position.has_legal_move());
            chess960 += usize::from(parsed.detected_chess960);
        }
        assert_eq!((over, chess960), (2, 2));
    }
}
