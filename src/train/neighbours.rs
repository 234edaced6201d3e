//! Neighbours: quiet positions near those of games, for a teacher to label.
//!
//! Games are full of good moves, but a search mostly values what comes after bad ones. A teacher
//! can label positions that nobody has played, so neighbours show the network what those are worth.

use super::siblings::is_quiet;
use crate::eval::nnue::checksum;
use crate::games::filter::MIN_PIECES;
use crate::position::{Move, MoveList, Position};
use crate::random::Random;

/// Thresholds in centipawns by which captures are compared: about a pawn, a minor piece, a rook and
/// a queen.
const GAINS: [i32; 4] = [1, 200, 400, 700];

/// Returns the random numbers that choose the neighbours of a game's positions.
pub(super) fn neighbour_random(bytes: &[u8]) -> Random {
    Random::of_item(checksum(bytes), 2)
}

/// Returns up to `count` quiet positions that are one or two moves away by another move than the
/// one played. The order depends on the random numbers alone, so that labels can be kept apart from
/// the positions.
pub(super) fn neighbours(
    position: &Position,
    played: Move,
    count: usize,
    random: &mut Random,
) -> Vec<Position> {
    let mut others: Vec<Move> = position.legal_moves().into_iter().collect();
    others.retain(|m| *m != played);
    (0..count)
        .filter_map(|_| neighbour(position, &others, random))
        .collect()
}

fn neighbour(position: &Position, others: &[Move], random: &mut Random) -> Option<Position> {
    let other = position.play(*others.get(random.below(others.len()))?);
    let near = if random.chance(0.5) {
        other
    } else {
        other.play(reply(&other, random)?)
    };
    (is_quiet(&near) && near.piece_count() >= MIN_PIECES).then_some(near)
}

/// Chooses a sensible reply: the capture that wins the most, or else any move that loses no
/// material.
fn reply(position: &Position, random: &mut Random) -> Option<Move> {
    let gain = |m: Move| {
        GAINS
            .iter()
            .filter(|gain| position.see_ge(m, **gain))
            .count()
    };
    let mut noisy = MoveList::new();
    if !position.in_check() {
        position.generate_noisy(&mut noisy);
    }
    let best = noisy.iter().copied().max_by_key(|m| gain(*m));
    best.filter(|m| gain(*m) > 0).or_else(|| {
        let mut safe: Vec<Move> = position.legal_moves().into_iter().collect();
        safe.retain(|m| position.see_ge(*m, 0));
        safe.get(random.below(safe.len())).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen, parse_uci};

    #[test]
    fn neighbours_are_quiet_and_avoid_the_move_played() {
        // Of the other moves, Ra7 and Ra5 hang the rook, and Ra8 gives check.
        let fen = "4k3/3b2p1/2n3P1/8/8/8/8/R3K3 w Q - 0 1";
        let position = parse_fen(fen, false).unwrap().position;
        let played = parse_uci(&position, "a1b1").unwrap();
        let mut random = Random::new(1);
        let near = neighbours(&position, played, 400, &mut random);
        assert!(near.len() > 300 && near.iter().all(is_quiet));
        let after_played = position.play(played);
        assert!(
            near.iter()
                .all(|other| other.board() != after_played.board())
        );
        let (one, two): (Vec<&Position>, Vec<&Position>) = near
            .iter()
            .partition(|other| other.turn() != position.turn());
        assert!(one.len() > 100 && two.len() > 100);
        // A rook that hangs has been taken one move later.
        assert!(one.iter().all(|other| other.piece_count() == 7));
        assert!(two.iter().any(|other| other.piece_count() == 6));
    }

    #[test]
    fn a_reply_takes_what_is_worth_most() {
        let fen = "4k3/8/2q2r2/3P1P2/4P3/8/8/4K3 w - - 0 1";
        let position = parse_fen(fen, false).unwrap().position;
        let best = parse_uci(&position, "d5c6").unwrap();
        assert_eq!(reply(&position, &mut Random::new(1)), Some(best));
    }

    #[test]
    fn the_only_move_has_no_neighbours() {
        let fen = "7k/8/8/8/8/1r6/7p/K7 w - - 0 1";
        let position = parse_fen(fen, false).unwrap().position;
        let played = parse_uci(&position, "a1a2").unwrap();
        assert!(neighbours(&position, played, 5, &mut Random::new(1)).is_empty());
    }
}
