//! The hand-written evaluation: linear in its weights, tapered between middlegame and endgame.
//!
//! The value is a sum of weights times feature counts. [`terms`] lists the terms, and `weights.rs`,
//! which `quevedo fit weights` writes, holds their weights. One file for each group of terms counts
//! the features:
//!
//! | file | terms |
//! |---|---|
//! | `material.rs` | piece values, piece-square tables, bishop pair |
//! | `pawns.rs` | pawn structure, passed pawns |
//! | `pieces.rs` | mobility, outposts, bad bishops, rooks on files |
//! | `king.rs` | shelter and storm, the attack on the king |
//! | `threats.rs` | attacked and hanging pieces, space |
//! | `cache.rs` | the cache of the terms that depend on pawns and kings alone |
//!
//! Every term is written once, for a side that moves up the board (`view.rs`), so that both colours
//! are treated alike.

mod cache;
mod explain;
mod features;
mod king;
pub(super) mod material;
mod pair;
mod pawns;
mod pieces;
pub mod terms;
mod threats;
pub(super) mod trace;
pub(super) mod view;
#[rustfmt::skip] // Written by `quevedo fit weights`.
mod weights;

use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Role};

pub use cache::PawnCache;
pub use explain::explain;
pub use features::{Features, current_weights, features, weights_source};
pub use pair::{Pair, s};

use super::{MAX_EVALUATION, endgame, known_ending};
use crate::position::Position;
use cache::PawnTerms;
use pawns::PassedPawns;
use pieces::PieceTerms;
use trace::{EvalTrace, NoTrace, Sum};
use view::View;
use weights::TEMPO;

/// The phase of a position with all pieces on the board. Without pieces it is 0.
pub const MAX_PHASE: i32 = 24;

/// Returns the value of a position for the side to move, in centipawns, within
/// +-[`MAX_EVALUATION`]. It is a pure function of the position.
pub fn evaluate(position: &Position) -> i32 {
    conclude(position, |position| linear(position, &mut NoTrace))
}

/// Returns the same value faster, with the pawn terms from a cache.
pub fn evaluate_cached(position: &Position, cache: &mut PawnCache) -> i32 {
    conclude(position, |position| {
        linear_with(position, &mut NoTrace, |views, _| {
            cache.terms(position, views)
        })
    })
}

/// Turns the linear part into the value for the side to move.
#[inline(always)]
fn conclude(position: &Position, linear: impl FnOnce(&Position) -> Pair) -> i32 {
    known_ending(position).unwrap_or_else(|| {
        let value = tapered(linear(position), phase(position));
        let value = value * endgame::scale(position, value) / endgame::FULL_SCALE;
        let value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        position.turn().fold_wb(value, -value)
    })
}

/// Returns the linear part for White.
pub(super) fn linear<T: EvalTrace>(position: &Position, trace: &mut T) -> Pair {
    linear_with(position, trace, |views, trace| {
        cache::pawn_terms(position, views, trace)
    })
}

/// Returns the linear part for White, with the terms of pawns and kings that `pawn_terms` gives.
#[inline(always)]
fn linear_with<T: EvalTrace>(
    position: &Position,
    trace: &mut T,
    pawn_terms: impl FnOnce(&[View; 2], &mut T) -> PawnTerms,
) -> Pair {
    let views = [Color::White, Color::Black].map(|color| View::new(position, color));
    let PawnTerms { value, passed } = pawn_terms(&views, trace);
    let [mut white, mut black] = [PieceTerms::new(&views[0]), PieceTerms::new(&views[1])];
    let white_pieces = pieces(position, &mut white, Color::White, trace);
    let black_pieces = pieces(position, &mut black, Color::Black, trace);
    white.king_attack.include_pinned(views[1].pinned);
    black.king_attack.include_pinned(views[0].pinned);
    let white_turn = position.turn() == Color::White;
    let white_rest = interplay((&white, &black), passed[0], white_turn, Color::White, trace);
    let black_rest = interplay(
        (&black, &white),
        passed[1],
        !white_turn,
        Color::Black,
        trace,
    );
    value + white_pieces + white_rest - black_pieces - black_rest
}

/// Evaluates one side's pieces and collects all attacks of the side.
#[inline]
fn pieces<T: EvalTrace>(
    position: &Position,
    pieces: &mut PieceTerms<'_>,
    color: Color,
    trace: &mut T,
) -> Pair {
    let mut sum = Sum::new(color, trace);
    pieces.evaluate(castling_rights(position, color) > 0, &mut sum);
    material::place(&mut sum, Role::King, pieces.view.king);
    material::bishop_pair(pieces.view, &mut sum);
    sum.total
}

/// Evaluates the terms of one side that depend on the attacks of both.
#[inline]
fn interplay<T: EvalTrace>(
    (side, other): (&PieceTerms<'_>, &PieceTerms<'_>),
    passed: Bitboard,
    to_move: bool,
    color: Color,
    trace: &mut T,
) -> Pair {
    let mut sum = Sum::new(color, trace);
    let (view, ours, theirs) = (side.view, &side.attacks, &other.attacks.flipped());
    let passed_pawns = PassedPawns {
        view,
        ours,
        theirs,
        to_move,
    };
    passed_pawns.evaluate(passed, &mut sum);
    side.king_attack.evaluate(view, ours, theirs, &mut sum);
    threats::threats(view, ours, theirs, &mut sum);
    threats::space(view, theirs, &mut sum);
    if to_move {
        sum.add(&TEMPO, 0);
    }
    sum.total
}

/// Returns the number of a side's castling rights.
#[inline]
fn castling_rights(position: &Position, color: Color) -> usize {
    let castles = position.chess().castles();
    CastlingSide::ALL
        .into_iter()
        .filter(|&side| castles.has(color, side))
        .count()
}

/// Returns the phase, from [`MAX_PHASE`] with all pieces to 0 with none.
#[inline]
pub fn phase(position: &Position) -> i32 {
    let board = position.board();
    let minors = (board.knights() | board.bishops()).count();
    let weight = minors + 2 * board.rooks().count() + 4 * board.queens().count();
    (weight as i32).min(MAX_PHASE)
}

/// Interpolates between the middlegame and the endgame value, in centipawns.
#[inline]
pub(super) fn tapered(value: Pair, phase: i32) -> i32 {
    (value.middlegame() * phase + value.endgame() * (MAX_PHASE - phase)) / MAX_PHASE
}

#[cfg(test)]
mod tests;
