//! The weights of the evaluation: middlegame and endgame, in centipawns.
//!
//! Written by `quevedo tune`, which fits them to the results of Quevedo's own games. `terms.rs` says what they
//! mean.

use super::pair::s;
use super::terms::{Table, Term};

/// The value of a pawn, knight, bishop, rook and queen.
pub(super) static MATERIAL: Table<5> = Table::new(Term::Material, [
    s(  85,  105), s( 325,  305), s( 335,  320), s( 470,  530), s( 960,  980),
]);

/// Two bishops reach all squares.
pub(super) static BISHOP_PAIR: Table<1> = Table::new(Term::BishopPair, [
    s(  25,   45),
]);

/// Pawn by square: ranks from the first, files a to d.
pub(super) static PAWN_SQUARE: Table<32> = Table::new(Term::PawnSquare, [
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(   3,    4), s(   3,    4), s(  10,    4), s(  10,    4),
    s(   6,    8), s(   6,    8), s(  13,    8), s(  22,    8),
    s(   9,   12), s(   9,   12), s(  16,   12), s(  25,   12),
    s(  12,   16), s(  12,   16), s(  12,   16), s(  12,   16),
    s(  15,   20), s(  15,   20), s(  15,   20), s(  15,   20),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
]);

/// Knight by square: ranks from the first, files a to d.
pub(super) static KNIGHT_SQUARE: Table<32> = Table::new(Term::KnightSquare, [
    s( -22,  -14), s( -16,  -10), s( -10,   -6), s(  -4,   -2),
    s( -16,  -10), s( -10,   -6), s(  -4,   -2), s(   2,    2),
    s( -10,   -6), s(  -4,   -2), s(   2,    2), s(   8,    6),
    s(   2,   -2), s(   8,    2), s(  14,    6), s(  20,   10),
    s(   2,   -2), s(   8,    2), s(  14,    6), s(  20,   10),
    s(  -4,   -6), s(   2,   -2), s(   8,    2), s(  14,    6),
    s( -16,  -10), s( -10,   -6), s(  -4,   -2), s(   2,    2),
    s( -22,  -14), s( -16,  -10), s( -10,   -6), s(  -4,   -2),
]);

/// Bishop by square: ranks from the first, files a to d.
pub(super) static BISHOP_SQUARE: Table<32> = Table::new(Term::BishopSquare, [
    s( -13,   -6), s( -11,   -4), s(  -8,   -2), s(  -6,    0),
    s(  -5,   -4), s(  -2,   -2), s(   1,    0), s(   3,    2),
    s(  -2,   -2), s(   1,    0), s(   3,    2), s(   6,    4),
    s(   1,    0), s(   3,    2), s(   6,    4), s(   8,    6),
    s(   1,    0), s(   3,    2), s(   6,    4), s(   8,    6),
    s(  -2,   -2), s(   1,    0), s(   3,    2), s(   6,    4),
    s(  -5,   -4), s(  -2,   -2), s(   1,    0), s(   3,    2),
    s(  -7,   -6), s(  -5,   -4), s(  -2,   -2), s(   1,    0),
]);

/// Rook by square: ranks from the first, files a to d.
pub(super) static ROOK_SQUARE: Table<32> = Table::new(Term::RookSquare, [
    s(  -4,   -1), s(  -2,   -1), s(   1,   -1), s(   4,   -1),
    s(  -4,   -1), s(  -2,   -1), s(   1,   -1), s(   4,   -1),
    s(  -4,   -1), s(  -2,   -1), s(   1,   -1), s(   4,   -1),
    s(  -4,   -1), s(  -2,   -1), s(   1,   -1), s(   4,   -1),
    s(  -4,   -1), s(  -2,   -1), s(   1,   -1), s(   4,   -1),
    s(  -4,    4), s(  -2,    4), s(   1,    4), s(   4,    4),
    s(  -4,    4), s(  -2,    4), s(   1,    4), s(   4,    4),
    s(  -4,    4), s(  -2,    4), s(   1,    4), s(   4,    4),
]);

/// Queen by square: ranks from the first, files a to d.
pub(super) static QUEEN_SQUARE: Table<32> = Table::new(Term::QueenSquare, [
    s(  -3,  -13), s(  -2,   -9), s(  -1,   -5), s(   0,   -1),
    s(  -2,   -9), s(  -1,   -5), s(   0,   -1), s(   1,    3),
    s(  -1,   -5), s(   0,   -1), s(   1,    3), s(   2,    7),
    s(   0,   -1), s(   1,    3), s(   2,    7), s(   3,   11),
    s(   0,   -1), s(   1,    3), s(   2,    7), s(   3,   11),
    s(  -1,   -5), s(   0,   -1), s(   1,    3), s(   2,    7),
    s(  -2,   -9), s(  -1,   -5), s(   0,   -1), s(   1,    3),
    s(  -3,  -13), s(  -2,   -9), s(  -1,   -5), s(   0,   -1),
]);

/// King by square: ranks from the first, files a to d.
pub(super) static KING_SQUARE: Table<32> = Table::new(Term::KingSquare, [
    s(  22,  -26), s(  26,  -19), s(   0,  -12), s(  -8,   -5),
    s(   0,  -19), s(   4,  -12), s( -22,   -5), s( -30,    2),
    s( -22,  -12), s( -18,   -5), s( -44,    2), s( -52,    9),
    s( -44,   -5), s( -40,    2), s( -66,    9), s( -74,   16),
    s( -66,   -5), s( -62,    2), s( -88,    9), s( -96,   16),
    s( -66,  -12), s( -62,   -5), s( -88,    2), s( -96,    9),
    s( -66,  -19), s( -62,  -12), s( -88,   -5), s( -96,    2),
    s( -66,  -26), s( -62,  -19), s( -88,  -12), s( -96,   -5),
]);

/// No own pawn on the files beside it: with an enemy pawn ahead, on an open file.
pub(super) static ISOLATED_PAWN: Table<2> = Table::new(Term::IsolatedPawn, [
    s(  -8,  -12), s( -14,  -12),
]);

/// Left behind by its neighbours and unable to advance safely: with an enemy pawn ahead, on an open file.
pub(super) static BACKWARD_PAWN: Table<2> = Table::new(Term::BackwardPawn, [
    s(  -6,  -10), s( -14,  -10),
]);

/// An own pawn ahead on the file: further ahead, directly ahead.
pub(super) static DOUBLED_PAWN: Table<2> = Table::new(Term::DoubledPawn, [
    s(  -4,  -16), s( -10,  -16),
]);

/// An own pawn beside it, by rank.
pub(super) static PHALANX_PAWN: Table<8> = Table::new(Term::PhalanxPawn, [
    s(   0,    0), s(   1,    1), s(   4,    3), s(   8,    6), s(  14,   11), s(  23,   18), s(  32,   25), s(   0,    0),
]);

/// Defended by an own pawn, by rank.
pub(super) static SUPPORTED_PAWN: Table<8> = Table::new(Term::SupportedPawn, [
    s(   0,    0), s(   7,    3), s(   9,    5), s(  12,    7), s(  14,    9), s(  17,   11), s(  19,   13), s(   0,    0),
]);

/// Not passed, but with a free file and helpers enough to get past the guards, by rank.
pub(super) static CANDIDATE_PAWN: Table<8> = Table::new(Term::CandidatePawn, [
    s(   0,    0), s(   1,    2), s(   2,    6), s(   5,   14), s(   8,   24), s(  13,   38), s(  18,   54), s(   0,    0),
]);

/// No enemy pawn can stop or capture it on its way, by rank.
pub(super) static PASSED_PAWN: Table<8> = Table::new(Term::PassedPawn, [
    s(   0,    0), s(   2,    8), s(   6,   17), s(  14,   32), s(  24,   53), s(  38,   80), s(  54,  113), s(   0,    0),
]);

/// An enemy piece stands in front of it, by rank.
pub(super) static PASSED_BLOCKED: Table<8> = Table::new(Term::PassedBlocked, [
    s(   0,    0), s(   0,   -1), s(  -2,   -4), s(  -4,   -9), s(  -6,  -16), s( -10,  -25), s( -14,  -36), s(   0,    0),
]);

/// The square in front is empty and not attacked, by rank.
pub(super) static PASSED_SAFE_STEP: Table<8> = Table::new(Term::PassedSafeStep, [
    s(   0,    0), s(   2,    1), s(   4,    3), s(   6,    7), s(   8,   13), s(  10,   20), s(  12,   29), s(   0,    0),
]);

/// The whole way is empty and not attacked, by rank.
pub(super) static PASSED_FREE_PATH: Table<8> = Table::new(Term::PassedFreePath, [
    s(   0,    0), s(   2,    1), s(   4,    5), s(   6,   11), s(   8,   19), s(  10,   30), s(  12,   43), s(   0,    0),
]);

/// Defended by, or beside, an own pawn, by rank.
pub(super) static PASSED_CONNECTED: Table<8> = Table::new(Term::PassedConnected, [
    s(   0,    0), s(   3,    2), s(   5,    4), s(   8,    6), s(  10,    8), s(  13,   10), s(  15,   12), s(   0,    0),
]);

/// The own king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_OWN_KING: Table<8> = Table::new(Term::PassedOwnKing, [
    s(   0,    6), s(   0,    4), s(   0,    1), s(   0,   -2), s(   0,   -4), s(   0,   -7), s(   0,   -9), s(   0,  -12),
]);

/// The enemy king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_ENEMY_KING: Table<8> = Table::new(Term::PassedEnemyKing, [
    s(   0,  -10), s(   0,   -6), s(   0,   -1), s(   0,    4), s(   0,    8), s(   0,   13), s(   0,   17), s(   0,   22),
]);

/// A rook behind it on the file: an own one, an enemy one.
pub(super) static PASSED_ROOK_BEHIND: Table<2> = Table::new(Term::PassedRookBehind, [
    s(   0,   12), s(   0,  -12),
]);

/// The enemy has no pieces and the king is too far away.
pub(super) static PASSED_UNSTOPPABLE: Table<1> = Table::new(Term::PassedUnstoppable, [
    s(   0,  450),
]);

/// Knight by its number of safe squares.
pub(super) static KNIGHT_MOBILITY: Table<9> = Table::new(Term::KnightMobility, [
    s( -34,  -30), s( -17,  -15), s( -10,   -9), s(  -5,   -4), s(   0,    0), s(   4,    4), s(   8,    7), s(  11,   10), s(  14,   12),
]);

/// Bishop by its number of safe squares.
pub(super) static BISHOP_MOBILITY: Table<14> = Table::new(Term::BishopMobility, [
    s( -37,  -42), s( -22,  -25), s( -16,  -18), s( -11,  -12), s(  -7,   -8), s(  -3,   -4), s(   0,    0),
    s(   3,    3), s(   6,    6), s(   8,    9), s(  11,   12), s(  13,   15), s(  15,   17), s(  17,   20),
]);

/// Rook by its number of safe squares.
pub(super) static ROOK_MOBILITY: Table<15> = Table::new(Term::RookMobility, [
    s( -22,  -44), s( -13,  -26), s(  -9,  -19), s(  -6,  -13), s(  -4,   -8), s(  -2,   -4), s(   0,    0), s(   2,    4),
    s(   3,    7), s(   5,   10), s(   6,   13), s(   8,   16), s(   9,   18), s(  10,   21), s(  12,   23),
]);

/// Queen by its number of safe squares.
pub(super) static QUEEN_MOBILITY: Table<28> = Table::new(Term::QueenMobility, [
    s( -17,  -42), s( -12,  -30), s( -10,  -25), s(  -9,  -21), s(  -7,  -18), s(  -6,  -15), s(  -5,  -12),
    s(  -4,  -10), s(  -3,   -8), s(  -2,   -6), s(  -2,   -4), s(  -1,   -2), s(   0,    0), s(   1,    2),
    s(   1,    3), s(   2,    5), s(   3,    6), s(   3,    8), s(   4,    9), s(   4,   11), s(   5,   12),
    s(   6,   13), s(   6,   15), s(   7,   16), s(   7,   17), s(   8,   18), s(   8,   20), s(   9,   21),
]);

/// Knight on a square that no enemy pawn can ever attack: defended by a pawn, not defended, or a step away from a defended one.
pub(super) static KNIGHT_OUTPOST: Table<3> = Table::new(Term::KnightOutpost, [
    s(  32,   20), s(  14,   10), s(  10,    4),
]);

/// Bishop on a square that no enemy pawn can ever attack: defended by a pawn, or not.
pub(super) static BISHOP_OUTPOST: Table<2> = Table::new(Term::BishopOutpost, [
    s(  24,   10), s(   8,    4),
]);

/// Knight, bishop with a pawn in front as a shield.
pub(super) static MINOR_BEHIND_PAWN: Table<2> = Table::new(Term::MinorBehindPawn, [
    s(   8,    3), s(   8,    3),
]);

/// Bishop by the number of own pawns on its colour.
pub(super) static BAD_BISHOP: Table<9> = Table::new(Term::BadBishop, [
    s(   6,   10), s(   4,    6), s(   2,    2), s(   0,   -2), s(  -2,   -6), s(  -4,  -10), s(  -6,  -14), s(  -8,  -18), s( -10,  -22),
]);

/// Blocked own centre pawns, times own pawns on the bishop's colour, by four.
pub(super) static BLOCKED_BISHOP: Table<1> = Table::new(Term::BlockedBishop, [
    s(  -4,   -4),
]);

/// Rook on a file without own pawns: with, without enemy pawns.
pub(super) static ROOK_FILE: Table<2> = Table::new(Term::RookFile, [
    s(  14,    8), s(  32,   12),
]);

/// Rook on the seventh rank, with enemy pawns there or the king behind.
pub(super) static ROOK_SEVENTH: Table<1> = Table::new(Term::RookSeventh, [
    s(   8,   22),
]);

/// Rook shut in by its own king: which can still castle, which cannot.
pub(super) static ROOK_TRAPPED: Table<2> = Table::new(Term::RookTrapped, [
    s( -18,    0), s( -42,  -10),
]);

/// One man stands between the queen and an enemy rook or bishop.
pub(super) static QUEEN_EXPOSED: Table<1> = Table::new(Term::QueenExposed, [
    s( -20,   -5),
]);

/// Knight or bishop by its distance from the own king.
pub(super) static MINOR_KING_DISTANCE: Table<8> = Table::new(Term::MinorKingDistance, [
    s(   6,    3), s(   4,    2), s(   2,    1), s(   0,    0), s(  -2,   -1), s(  -4,   -2), s(  -6,   -3), s(  -8,   -4),
]);

/// The nearest own pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static SHELTER: Table<32> = Table::new(Term::Shelter, [
    s( -16,    0), s(  14,    0), s(   9,    0), s(  -2,    0), s(  -7,    0), s(  -7,    0), s(  -7,    0), s(  -7,    0),
    s( -22,    0), s(  19,    0), s(  12,    0), s(  -2,    0), s( -10,    0), s( -10,    0), s( -10,    0), s( -10,    0),
    s( -18,    0), s(  16,    0), s(  10,    0), s(  -2,    0), s(  -8,    0), s(  -8,    0), s(  -8,    0), s(  -8,    0),
    s( -13,    0), s(  11,    0), s(   7,    0), s(  -1,    0), s(  -6,    0), s(  -6,    0), s(  -6,    0), s(  -6,    0),
]);

/// The same on the king's own file, in addition.
pub(super) static SHELTER_KING_FILE: Table<8> = Table::new(Term::ShelterKingFile, [
    s( -18,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
]);

/// The nearest enemy pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static STORM: Table<32> = Table::new(Term::Storm, [
    s(  -8,    0), s(   0,    0), s( -32,    0), s( -22,    0), s(  -8,    0), s(   4,    0), s(   4,    0), s(   4,    0),
    s(  -8,    0), s(   0,    0), s( -32,    0), s( -22,    0), s(  -8,    0), s(   4,    0), s(   4,    0), s(   4,    0),
    s(  -8,    0), s(   0,    0), s( -32,    0), s( -22,    0), s(  -8,    0), s(   4,    0), s(   4,    0), s(   4,    0),
    s(  -8,    0), s(   0,    0), s( -32,    0), s( -22,    0), s(  -8,    0), s(   4,    0), s(   4,    0), s(   4,    0),
]);

/// An own pawn stops that pawn, by rank, in addition.
pub(super) static STORM_BLOCKED: Table<8> = Table::new(Term::StormBlocked, [
    s(   0,    0), s(   0,    0), s(  24,    0), s(  16,    0), s(   8,    0), s(   0,    0), s(   0,    0), s(   0,    0),
]);

/// By the number of castling rights.
pub(super) static CASTLING: Table<3> = Table::new(Term::Castling, [
    s(   0,    0), s(  15,    0), s(  30,    0),
]);

/// The king by its distance from the nearest pawn of either side.
pub(super) static KING_PAWN_DISTANCE: Table<8> = Table::new(Term::KingPawnDistance, [
    s(   0,    0), s(   0,    2), s(   0,   -4), s(   0,  -10), s(   0,  -16), s(   0,  -22), s(   0,  -28), s(   0,  -34),
]);

/// The attack on the enemy king, by its units.
pub(super) static KING_DANGER: Table<32> = Table::new(Term::KingDanger, [
    s(   0,    0), s(   1,    2), s(   4,    4), s(   8,    6), s(  14,    8), s(  23,   10), s(  32,   12), s(  44,   14),
    s(  58,   16), s(  73,   18), s(  90,   20), s( 109,   22), s( 130,   24), s( 152,   26), s( 176,   28), s( 203,   30),
    s( 230,   32), s( 260,   34), s( 292,   36), s( 325,   38), s( 360,   40), s( 397,   42), s( 436,   44), s( 476,   46),
    s( 500,   48), s( 500,   50), s( 500,   52), s( 500,   54), s( 500,   56), s( 500,   58), s( 500,   60), s( 500,   62),
]);

/// A knight, bishop, rook, queen can give check on a safe square.
pub(super) static SAFE_CHECK: Table<4> = Table::new(Term::SafeCheck, [
    s(   8,    4), s(   8,    4), s(   8,    4), s(   8,    4),
]);

/// A knight, bishop, rook, queen attacks squares around the enemy king, for each square.
pub(super) static KING_RING: Table<4> = Table::new(Term::KingRing, [
    s(   2,    0), s(   2,    0), s(   2,    0), s(   2,    0),
]);

/// A safe pawn attacks a (pawn,) knight, bishop, rook, queen.
pub(super) static THREAT_BY_PAWN: Table<5> = Table::new(Term::ThreatByPawn, [
    s(   0,    0), s(  60,   40), s(  65,   45), s(  70,   50), s(  75,   55),
]);

/// A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.
pub(super) static THREAT_BY_MINOR: Table<5> = Table::new(Term::ThreatByMinor, [
    s(   4,   18), s(  22,   20), s(  26,   24), s(  50,   40), s(  45,   60),
]);

/// A rook attacks a weak pawn, knight, bishop or rook, or a queen.
pub(super) static THREAT_BY_ROOK: Table<5> = Table::new(Term::ThreatByRook, [
    s(   3,   18), s(  20,   28), s(  22,   28), s(   5,   20), s(  45,   35),
]);

/// The king attacks something weak.
pub(super) static THREAT_BY_KING: Table<1> = Table::new(Term::ThreatByKing, [
    s(  10,   35),
]);

/// Weak, and not defended at all or attacked twice.
pub(super) static HANGING: Table<1> = Table::new(Term::Hanging, [
    s(  30,   20),
]);

/// A safe step of a pawn would attack a piece.
pub(super) static PAWN_PUSH_THREAT: Table<1> = Table::new(Term::PawnPushThreat, [
    s(  16,   14),
]);

/// Safe squares from which a knight, a bishop or rook would attack the queen.
pub(super) static QUEEN_HARASSED: Table<2> = Table::new(Term::QueenHarassed, [
    s(  10,    6), s(  20,    8),
]);

/// Squares that both sides attack, the enemy without a pawn's support.
pub(super) static RESTRICTED: Table<1> = Table::new(Term::Restricted, [
    s(   3,    2),
]);

/// Safe squares behind the own centre pawns, times own pieces, by eight.
pub(super) static SPACE: Table<1> = Table::new(Term::Space, [
    s(   3,    0),
]);

/// The side to move.
pub(super) static TEMPO: Table<1> = Table::new(Term::Tempo, [
    s(  18,   14),
]);
