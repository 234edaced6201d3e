//! The static evaluation of a position: hand-written, linear in its weights, tapered between middlegame and endgame.
//!
//! The value is a sum of weights times features. [`terms`] lists the terms, `weights.rs` holds their weights and is
//! written by `quevedo tune`, and one file for each group of terms counts the features:
//!
//! | file | terms |
//! |---|---|
//! | `material.rs` | piece values, piece-square tables, bishop pair |
//! | `pawns.rs` | pawn structure, passed pawns |
//! | `pieces.rs` | mobility, outposts, bad bishops, rooks on files |
//! | `cache.rs` | what pawns and kings alone are worth, remembered |
//! | `king.rs` | shelter and storm, the attack on the king |
//! | `threats.rs` | attacked and hanging men, space |
//! | `endgame.rs`, `kpk.rs` | endings with a known result, and how drawish the others are |
//!
//! Every term is written for a side that moves up the board (`view.rs`), so that both colours are treated alike.

mod cache;
mod endgame;
mod evaluator;
mod explain;
mod features;
mod king;
mod kpk;
mod material;
pub mod nnue;
mod pair;
mod pawns;
mod pieces;
pub mod terms;
mod threats;
mod trace;
mod view;
#[rustfmt::skip] // Written by `quevedo tune`.
mod weights;

use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Role};

pub use cache::PawnCache;
pub use evaluator::Evaluator;
pub use explain::{explain, explain_terms};
pub use features::{Features, current_weights, features, weights_source};
pub use pair::{Pair, s};

use crate::position::Position;
use cache::PawnTerms;
use pawns::PassedPawns;
use pieces::Pieces;
use trace::{NoTrace, Sum, Trace};
use view::View;
use weights::TEMPO;

/// The largest value that [`evaluate`] returns, in centipawns, and, negated, the smallest.
pub const MAX_EVALUATION: i32 = 20_000;

/// The phase of a position with all pieces on the board; 0 is one with pawns only.
pub const MAX_PHASE: i32 = 24;

/// The scale of a position that is no more drawish than others.
pub const FULL_SCALE: i32 = 64;

/// The value of a position for the side to move, in centipawns, without any search: at most [`MAX_EVALUATION`] either
/// way. A pure function of the position.
pub fn evaluate(position: &Position) -> i32 {
    conclude(position, |position| linear(position, &mut NoTrace))
}

/// The same value, faster: what is known about the pawns is remembered.
pub fn evaluate_cached(position: &Position, cache: &mut PawnCache) -> i32 {
    conclude(position, |position| {
        linear_with(position, &mut NoTrace, |views, _| {
            cache.terms(position, views)
        })
    })
}

/// From the linear part to the value for the side to move.
#[inline(always)]
fn conclude(position: &Position, linear: impl FnOnce(&Position) -> Pair) -> i32 {
    known_ending(position).unwrap_or_else(|| {
        let value = tapered(linear(position), phase(position));
        let value = value * endgame::scale(position, value) / FULL_SCALE;
        let value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        position.turn().fold_wb(value, -value)
    })
}

/// The value of an ending against a lone king for the side to move, in centipawns, if its result is known: larger the
/// nearer the win, so that a shallow search finds its way to it.
#[inline]
pub fn known_ending(position: &Position) -> Option<i32> {
    let value = endgame::known(position)?.clamp(-MAX_EVALUATION, MAX_EVALUATION);
    Some(position.turn().fold_wb(value, -value))
}

/// Prepares what an evaluation needs besides the weights, so that none has to wait for it.
pub fn initialize() {
    kpk::initialize();
}

/// The linear part, for White.
fn linear<T: Trace>(position: &Position, trace: &mut T) -> Pair {
    linear_with(position, trace, |views, trace| {
        cache::pawn_terms(position, views, trace)
    })
}

/// The linear part, for White, with what `pawn_terms` says about the pawns and kings.
#[inline(always)]
fn linear_with<T: Trace>(
    position: &Position,
    trace: &mut T,
    pawn_terms: impl FnOnce(&[View; 2], &mut T) -> PawnTerms,
) -> Pair {
    let views = [Color::White, Color::Black].map(|color| View::new(position, color));
    let PawnTerms { value, passed } = pawn_terms(&views, trace);
    let [mut white, mut black] = [Pieces::new(&views[0]), Pieces::new(&views[1])];
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

/// The terms of one side's pieces. Afterwards all that the side attacks is known.
#[inline]
fn pieces<T: Trace>(
    position: &Position,
    pieces: &mut Pieces<'_>,
    color: Color,
    trace: &mut T,
) -> Pair {
    let mut sum = Sum::new(color, trace);
    pieces.evaluate(castling_rights(position, color) > 0, &mut sum);
    material::place(&mut sum, Role::King, pieces.view.king);
    material::bishop_pair(pieces.view, &mut sum);
    sum.total
}

/// The terms of one side for which both sides' attacks have to be known.
#[inline]
fn interplay<T: Trace>(
    (side, other): (&Pieces<'_>, &Pieces<'_>),
    passed: Bitboard,
    to_move: bool,
    color: Color,
    trace: &mut T,
) -> Pair {
    let mut sum = Sum::new(color, trace);
    let (view, ours, theirs) = (side.view, &side.attacks, &other.attacks.turned());
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

/// How many castling rights a side has.
#[inline]
fn castling_rights(position: &Position, color: Color) -> usize {
    let castles = position.chess().castles();
    CastlingSide::ALL
        .into_iter()
        .filter(|&side| castles.has(color, side))
        .count()
}

/// How much middlegame there is, from the pieces left: [`MAX_PHASE`] to 0.
#[inline]
pub fn phase(position: &Position) -> i32 {
    let board = position.board();
    let minors = (board.knights() | board.bishops()).count();
    let weight = minors + 2 * board.rooks().count() + 4 * board.queens().count();
    (weight as i32).min(MAX_PHASE)
}

/// The value between its two halves that belongs to the phase, in centipawns.
#[inline]
fn tapered(value: Pair, phase: i32) -> i32 {
    (value.middlegame() * phase + value.endgame() * (MAX_PHASE - phase)) / MAX_PHASE
}

#[cfg(test)]
mod tests;
