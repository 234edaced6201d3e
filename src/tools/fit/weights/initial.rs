//! Initial weights, from formulas.
//!
//! `quevedo fit weights --from-formulas` starts here, so that the weights of the program derive
//! from these lines and recorded games alone.

use crate::eval::classical::terms::{FEATURES, Term};
use crate::eval::classical::{Pair, s};

/// Returns the weights of the formulas, by feature number.
pub fn weights() -> Vec<Pair> {
    let mut weights = Vec::with_capacity(FEATURES);
    for term in Term::ALL {
        for index in 0..term.info().len {
            let (middlegame, endgame) = weight(term, index);
            weights.push(s(middlegame.round() as i32, endgame.round() as i32));
        }
    }
    weights
}

/// Returns a weight in centipawns: middlegame, endgame.
fn weight(term: Term, index: usize) -> (f64, f64) {
    // Most tables are indexed by rank or by a number of squares.
    let i = index as f64;
    let once = index == 0;
    match term {
        Term::Material => pick(
            index,
            &[
                (85.0, 105.0),
                (325.0, 305.0),
                (335.0, 320.0),
                (470.0, 530.0),
                (960.0, 980.0),
            ],
        ),
        Term::BishopPair => (25.0, 45.0),
        Term::PawnSquare
        | Term::KnightSquare
        | Term::BishopSquare
        | Term::RookSquare
        | Term::QueenSquare
        | Term::KingSquare => square(term, index / 4, index % 4),
        Term::IsolatedPawn => (if once { -8.0 } else { -14.0 }, -12.0),
        Term::BackwardPawn => (if once { -6.0 } else { -14.0 }, -10.0),
        Term::DoubledPawn => (if once { -4.0 } else { -10.0 }, -16.0),
        Term::PhalanxPawn => inner(index, (1.5 * i * i * 0.6, i * i * 0.7)),
        Term::SupportedPawn => inner(index, (4.0 + 2.5 * i, 1.0 + 2.0 * i)),
        Term::CandidatePawn => inner(index, (i * i * 0.5, i * i * 1.5)),
        Term::PassedPawn => inner(index, (i * i * 1.5, 5.0 + i * i * 3.0)),
        Term::PassedBlocked => inner(index, (-i * i * 0.4, -i * i)),
        Term::PassedSafeStep => inner(index, (i * 2.0, i * i * 0.8)),
        Term::PassedFreePath => inner(index, (i * 2.0, i * i * 1.2)),
        Term::PassedConnected => inner(index, (i * 2.5, i * 2.0)),
        Term::PassedOwnKing => (0.0, 6.0 - 2.5 * i),
        Term::PassedEnemyKing => (0.0, -10.0 + 4.5 * i),
        Term::PassedRookBehind => (0.0, if once { 12.0 } else { -12.0 }),
        Term::PassedUnstoppable => (0.0, 450.0),
        Term::KnightMobility => concave(i, 4.0, (17.0, 15.0)),
        Term::BishopMobility => concave(i, 6.0, (15.0, 17.0)),
        Term::RookMobility => concave(i, 6.0, (9.0, 18.0)),
        Term::QueenMobility => concave(i, 12.0, (5.0, 12.0)),
        Term::KnightOutpost => pick(index, &[(32.0, 20.0), (14.0, 10.0), (10.0, 4.0)]),
        Term::BishopOutpost => pick(index, &[(24.0, 10.0), (8.0, 4.0)]),
        Term::MinorBehindPawn => (8.0, 3.0),
        Term::BadBishop => (6.0 - 2.0 * i, 10.0 - 4.0 * i),
        Term::BlockedBishop => (-4.0, -4.0),
        Term::RookFile => pick(index, &[(14.0, 8.0), (32.0, 12.0)]),
        Term::RookSeventh => (8.0, 22.0),
        Term::RookTrapped => pick(index, &[(-18.0, 0.0), (-42.0, -10.0)]),
        Term::QueenExposed => (-20.0, -5.0),
        Term::KingGuard => (8.0, 0.0),
        Term::Shelter => shelter(index / 8, index % 8),
        Term::ShelterKingFile => (if once { -18.0 } else { 0.0 }, 0.0),
        Term::Storm => storm(index % 8),
        Term::StormBlocked => pick(
            index,
            &[(0.0, 0.0), (0.0, 0.0), (24.0, 0.0), (16.0, 0.0), (8.0, 0.0)],
        ),
        Term::Castling => (15.0 * i, 0.0),
        Term::KingPawnDistance => (0.0, if once { 0.0 } else { 8.0 - 6.0 * i }),
        Term::KingDanger => ((0.9 * i * i).min(500.0), 2.0 * i),
        Term::SafeCheck => (8.0, 4.0),
        Term::KingRing => (2.0, 0.0),
        Term::ThreatByPawn => {
            if once {
                (0.0, 0.0)
            } else {
                (55.0 + 5.0 * i, 35.0 + 5.0 * i)
            }
        }
        Term::ThreatByMinor => pick(
            index,
            &[
                (4.0, 18.0),
                (22.0, 20.0),
                (26.0, 24.0),
                (50.0, 40.0),
                (45.0, 60.0),
            ],
        ),
        Term::ThreatByRook => pick(
            index,
            &[
                (3.0, 18.0),
                (20.0, 28.0),
                (22.0, 28.0),
                (5.0, 20.0),
                (45.0, 35.0),
            ],
        ),
        Term::ThreatByKing => (10.0, 35.0),
        Term::Hanging => (30.0, 20.0),
        Term::PawnPushThreat => (16.0, 14.0),
        Term::QueenHarassed => pick(index, &[(10.0, 6.0), (20.0, 8.0)]),
        Term::Restricted => (3.0, 2.0),
        Term::Space => (3.0, 0.0),
        Term::Tempo => (18.0, 14.0),
    }
}

/// Returns an entry of a short list, or zero past its end.
fn pick(index: usize, list: &[(f64, f64)]) -> (f64, f64) {
    list.get(index).copied().unwrap_or_default()
}

/// Returns the value on the second to seventh ranks, where pawns can stand, and zero elsewhere.
fn inner(rank: usize, value: (f64, f64)) -> (f64, f64) {
    if (1..=6).contains(&rank) {
        value
    } else {
        (0.0, 0.0)
    }
}

/// Returns a value that grows with the square root of a number, relative to a usual number: the
/// first squares matter most.
fn concave(number: f64, usual: f64, (middlegame, endgame): (f64, f64)) -> (f64, f64) {
    let excess = number.sqrt() - usual.sqrt();
    (middlegame * excess, endgame * excess)
}

/// Returns a piece-square value, mostly by the distance to the centre.
fn square(term: Term, rank: usize, file: usize) -> (f64, f64) {
    let (r, f) = (rank as f64, file as f64);
    let centre = f + r.min(7.0 - r);
    match term {
        Term::PawnSquare => {
            let centre_pawn = match (rank, file) {
                (3 | 4, 3) => 16.0,
                (2..=4, 2 | 3) => 7.0,
                _ => 0.0,
            };
            inner(rank, (3.0 * (r - 1.0) + centre_pawn, 4.0 * (r - 1.0)))
        }
        Term::KnightSquare => {
            let advanced = if (3..=5).contains(&rank) { 6.0 } else { 0.0 };
            (6.0 * centre - 22.0 + advanced, 4.0 * centre - 14.0)
        }
        Term::BishopSquare => {
            let at_home = if rank == 0 { -6.0 } else { 0.0 };
            (2.5 * centre - 7.0 + at_home, 2.0 * centre - 6.0)
        }
        Term::RookSquare => (2.5 * f - 4.0, if rank >= 5 { 4.0 } else { -1.0 }),
        Term::QueenSquare => (centre - 3.0, 4.0 * centre - 13.0),
        _ => {
            let wing = [22.0, 26.0, 0.0, -8.0][file.min(3)];
            (wing - 22.0 * r.min(4.0), 7.0 * centre - 26.0)
        }
    }
}

/// Returns the value of an own pawn in front of the king: more when nearer, and on the files next
/// to the corner.
fn shelter(file: usize, rank: usize) -> (f64, f64) {
    let need = [0.9, 1.2, 1.0, 0.7][file.min(3)];
    let value = match rank {
        0 => -18.0,
        1 => 16.0,
        2 => 10.0,
        3 => -2.0,
        _ => -8.0,
    };
    (value * need, 0.0)
}

/// Returns the value of an enemy pawn in front of the king: worse when nearer. Without a pawn, the
/// file is open to rooks.
fn storm(rank: usize) -> (f64, f64) {
    let value = match rank {
        0 => -8.0,
        1 => 0.0,
        2 => -32.0,
        3 => -22.0,
        4 => -8.0,
        _ => 4.0,
    };
    (value, 0.0)
}
