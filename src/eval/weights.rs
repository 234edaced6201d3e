//! The weights of the evaluation: middlegame and endgame, in centipawns.
//!
//! Written by `quevedo tune`, which fits them to the results of Quevedo's own games. `terms.rs` says what they
//! mean.

use super::pair::s;
use super::terms::{Table, Term};

/// The value of a pawn, knight, bishop, rook and queen.
pub(super) static MATERIAL: Table<5> = Table::new(Term::Material, [
    s(  76,  102), s( 323,  313), s( 338,  332), s( 462,  547), s( 963,  996),
]);

/// Two bishops reach all squares.
pub(super) static BISHOP_PAIR: Table<1> = Table::new(Term::BishopPair, [
    s(  26,   50),
]);

/// Pawn by square: ranks from the first, files a to d.
pub(super) static PAWN_SQUARE: Table<32> = Table::new(Term::PawnSquare, [
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(  -6,    9), s(   2,    3), s(   2,   -4), s(  -6,   11),
    s(   7,   -5), s(   3,    4), s(   5,    4), s(   8,    2),
    s(   3,   14), s(   1,    9), s(  13,    2), s(  19,   -3),
    s(  15,   15), s(   9,   14), s(  16,    5), s(  15,    1),
    s(  21,   18), s(  10,   21), s(  -4,   15), s(  26,   15),
    s(  15,   28), s(  20,   34), s(  14,   30), s(  25,   32),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
]);

/// Knight by square: ranks from the first, files a to d.
pub(super) static KNIGHT_SQUARE: Table<32> = Table::new(Term::KnightSquare, [
    s( -27,  -16), s( -21,  -12), s( -18,  -20), s(  -1,   -5),
    s( -28,   -1), s(   5,    3), s(   3,    0), s(  -6,    4),
    s(  -7,    6), s(   1,    9), s(  -1,   -3), s(  10,    0),
    s(  14,   -8), s(   4,    4), s(  28,   17), s(   7,    4),
    s(  -2,   -5), s(  18,    4), s(  15,    6), s(  18,   14),
    s( -18,  -18), s(  -7,    0), s(   5,    8), s(  17,   13),
    s( -17,  -10), s(  -8,   -1), s(   3,   -2), s(   7,    5),
    s( -34,  -25), s( -15,   -8), s( -17,   -9), s(  -3,   -1),
]);

/// Bishop by square: ranks from the first, files a to d.
pub(super) static BISHOP_SQUARE: Table<32> = Table::new(Term::BishopSquare, [
    s(  -9,   -5), s(  -6,    0), s( -12,    0), s( -18,   -6),
    s(  -9,   -1), s(   7,    6), s(   8,   13), s(   0,    0),
    s(   6,    9), s(  -2,   -6), s(  13,   12), s(   4,    5),
    s(  10,   -4), s(  -8,   -7), s(  17,   18), s(  -2,   -9),
    s(  -5,    3), s(  10,   14), s(   7,    6), s(   8,    8),
    s( -10,    1), s(  -7,    1), s(  -3,   -6), s(   7,    8),
    s(  -7,    1), s(  -7,    3), s(   7,    1), s(  -1,   10),
    s( -15,   -7), s(  -3,    3), s( -12,   -5), s(  -1,    0),
]);

/// Rook by square: ranks from the first, files a to d.
pub(super) static ROOK_SQUARE: Table<32> = Table::new(Term::RookSquare, [
    s(  -6,   -1), s(   0,   -6), s(  -1,   -6), s(  15,   -1),
    s( -18,  -12), s(   5,   -4), s( -10,  -12), s(  12,    0),
    s( -12,   -4), s(   8,    7), s(  -6,    1), s(   0,    0),
    s(  -9,    2), s(  -2,   14), s(  -7,    2), s(   8,    8),
    s(  -4,   10), s(  10,    5), s(  10,   12), s(   5,   -3),
    s(  -1,   15), s( -11,    5), s(   8,   11), s(  14,   14),
    s(   2,    8), s(  -1,    9), s(   6,    5), s(   6,    4),
    s(   0,   20), s(   1,   14), s(  10,   15), s(  10,   10),
]);

/// Queen by square: ranks from the first, files a to d.
pub(super) static QUEEN_SQUARE: Table<32> = Table::new(Term::QueenSquare, [
    s( -10,  -16), s(  -5,  -17), s( -10,  -17), s(  -9,  -14),
    s(   7,    1), s(   6,   -4), s(   4,   -7), s(  -1,    2),
    s(  10,    2), s(   1,    3), s(   1,    3), s(  -1,    4),
    s(  -4,    4), s(  -7,    3), s(  11,   15), s(  -5,   16),
    s(  15,    7), s(  -3,    2), s(  -2,    5), s(   4,   15),
    s(  13,    3), s(   4,    8), s(  -1,    8), s(  14,   13),
    s(   6,    1), s(   7,    1), s(   6,   11), s(   2,    9),
    s(  -7,  -10), s(  -4,   -9), s(   9,    3), s(  -3,    1),
]);

/// King by square: ranks from the first, files a to d.
pub(super) static KING_SQUARE: Table<32> = Table::new(Term::KingSquare, [
    s(  10,  -39), s(  24,  -19), s(  -4,  -25), s( -15,  -10),
    s(   7,  -22), s(   6,  -17), s( -12,   -5), s( -26,    0),
    s( -23,  -19), s( -14,   -6), s( -35,    5), s( -44,    4),
    s( -48,  -17), s( -46,    0), s( -65,    8), s( -66,   20),
    s( -63,   10), s( -57,   15), s( -85,   22), s(-100,   12),
    s( -65,   -5), s( -57,   -2), s( -89,   11), s( -90,   24),
    s( -66,  -13), s( -61,   -4), s( -87,    7), s( -94,   11),
    s( -67,  -28), s( -61,  -14), s( -88,  -10), s( -95,   -2),
]);

/// No own pawn on the files beside it: with an enemy pawn ahead, on an open file.
pub(super) static ISOLATED_PAWN: Table<2> = Table::new(Term::IsolatedPawn, [
    s(  -1,   -9), s( -18,   -8),
]);

/// Left behind by its neighbours and unable to advance safely: with an enemy pawn ahead, on an open file.
pub(super) static BACKWARD_PAWN: Table<2> = Table::new(Term::BackwardPawn, [
    s(  -3,   -7), s( -19,  -18),
]);

/// An own pawn ahead on the file: further ahead, directly ahead.
pub(super) static DOUBLED_PAWN: Table<2> = Table::new(Term::DoubledPawn, [
    s(  -7,  -25), s( -18,  -31),
]);

/// An own pawn beside it, by rank.
pub(super) static PHALANX_PAWN: Table<8> = Table::new(Term::PhalanxPawn, [
    s(   0,    0), s(   5,    1), s(   5,    4), s(   7,    6), s(  14,    8), s(  26,   23), s(  32,   32), s(   0,    0),
]);

/// Defended by an own pawn, by rank.
pub(super) static SUPPORTED_PAWN: Table<8> = Table::new(Term::SupportedPawn, [
    s(   0,    0), s(   7,    3), s(  11,   15), s(   7,   -2), s(  10,    3), s(  18,    2), s(  21,   22), s(   0,    0),
]);

/// Not passed, but with a free file and helpers enough to get past the guards, by rank.
pub(super) static CANDIDATE_PAWN: Table<8> = Table::new(Term::CandidatePawn, [
    s(   0,    0), s(   0,    0), s(  -4,   10), s(   2,   13), s(   5,   24), s(  12,   37), s(  18,   54), s(   0,    0),
]);

/// No enemy pawn can stop or capture it on its way, by rank.
pub(super) static PASSED_PAWN: Table<8> = Table::new(Term::PassedPawn, [
    s(   0,    0), s(  -7,    8), s(   0,   16), s(   4,   32), s(  17,   44), s(  39,   89), s(  62,  126), s(   0,    0),
]);

/// An enemy piece stands in front of it, by rank.
pub(super) static PASSED_BLOCKED: Table<8> = Table::new(Term::PassedBlocked, [
    s(   0,    0), s(   0,   -1), s(  -2,   -4), s( -19,    0), s(   6,  -22), s( -16,  -32), s( -16,  -30), s(   0,    0),
]);

/// The square in front is empty and not attacked, by rank.
pub(super) static PASSED_SAFE_STEP: Table<8> = Table::new(Term::PassedSafeStep, [
    s(   0,    0), s(   2,    1), s(   4,    3), s(  -3,    7), s(   3,   13), s(   5,   30), s(  21,   41), s(   0,    0),
]);

/// The whole way is empty and not attacked, by rank.
pub(super) static PASSED_FREE_PATH: Table<8> = Table::new(Term::PassedFreePath, [
    s(   0,    0), s(   2,    1), s(   4,    5), s(  -4,   10), s(  -2,   17), s(  19,   40), s(  21,   55), s(   0,    0),
]);

/// Defended by, or beside, an own pawn, by rank.
pub(super) static PASSED_CONNECTED: Table<8> = Table::new(Term::PassedConnected, [
    s(   0,    0), s(  -8,   -3), s(   0,    9), s(   1,    0), s(  12,    6), s(  28,   12), s(  19,   24), s(   0,    0),
]);

/// The own king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_OWN_KING: Table<8> = Table::new(Term::PassedOwnKing, [
    s(  14,   23), s(  15,   20), s(   8,   11), s( -10,    0), s(  -6,   -3), s(  -3,   -8), s(  -7,   -6), s(   0,   -4),
]);

/// The enemy king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_ENEMY_KING: Table<8> = Table::new(Term::PassedEnemyKing, [
    s(  -8,  -13), s(  -8,   -4), s(   2,   -3), s(  -4,    8), s(   1,   24), s(  -5,   27), s(   1,   29), s(   1,   23),
]);

/// A rook behind it on the file: an own one, an enemy one.
pub(super) static PASSED_ROOK_BEHIND: Table<2> = Table::new(Term::PassedRookBehind, [
    s(  -4,   21), s( -14,  -29),
]);

/// The enemy has no pieces and the king is too far away.
pub(super) static PASSED_UNSTOPPABLE: Table<1> = Table::new(Term::PassedUnstoppable, [
    s(   0,  442),
]);

/// Knight by its number of safe squares.
pub(super) static KNIGHT_MOBILITY: Table<9> = Table::new(Term::KnightMobility, [
    s( -23,  -24), s( -26,  -23), s( -11,  -15), s(  -4,   -1), s(   5,    6), s(  -1,   14), s(   8,    8), s(   6,   15), s(   8,    3),
]);

/// Bishop by its number of safe squares.
pub(super) static BISHOP_MOBILITY: Table<14> = Table::new(Term::BishopMobility, [
    s( -30,  -35), s( -27,  -20), s( -17,   -5), s( -10,  -14), s(  -5,   -8), s(  -2,    5), s(   0,   12),
    s(   8,   10), s(   5,   17), s(   2,   14), s(   8,   15), s(   5,    3), s(  16,   15), s(  10,   14),
]);

/// Rook by its number of safe squares.
pub(super) static ROOK_MOBILITY: Table<15> = Table::new(Term::RookMobility, [
    s( -27,  -50), s( -26,  -33), s( -10,  -26), s(  -4,  -17), s(  -3,  -13), s(   0,  -10), s(  -3,    8), s(   4,    7),
    s(   8,   13), s(  11,   13), s(  14,   27), s(   8,   23), s(  12,   28), s(  13,   28), s(  20,   21),
]);

/// Queen by its number of safe squares.
pub(super) static QUEEN_MOBILITY: Table<28> = Table::new(Term::QueenMobility, [
    s( -14,  -41), s( -15,  -29), s( -22,  -28), s( -13,  -26), s( -11,  -25), s( -15,  -19), s(  -8,  -15),
    s(  -2,  -11), s(   1,   -6), s(   3,  -13), s(   1,    0), s(   2,    6), s(   6,    3), s(  -1,    4),
    s(   8,   15), s(   6,   13), s(  -4,   12), s(   8,   15), s(  12,   19), s(   5,   13), s(   9,   19),
    s(   3,   13), s(   0,   11), s(   7,   15), s(   8,   17), s(   8,   18), s(   7,   18), s(   7,   20),
]);

/// Knight on a square that no enemy pawn can ever attack: defended by a pawn, not defended, or a step away from a defended one.
pub(super) static KNIGHT_OUTPOST: Table<3> = Table::new(Term::KnightOutpost, [
    s(  34,   18), s(  12,    6), s(  11,    3),
]);

/// Bishop on a square that no enemy pawn can ever attack: defended by a pawn, or not.
pub(super) static BISHOP_OUTPOST: Table<2> = Table::new(Term::BishopOutpost, [
    s(  32,    7), s(   6,   10),
]);

/// Knight, bishop with a pawn in front as a shield.
pub(super) static MINOR_BEHIND_PAWN: Table<2> = Table::new(Term::MinorBehindPawn, [
    s(  -1,   17), s(  -3,    1),
]);

/// Bishop by the number of own pawns on its colour.
pub(super) static BAD_BISHOP: Table<9> = Table::new(Term::BadBishop, [
    s(   8,   10), s(   6,   14), s(   4,    4), s(   1,   11), s(   2,   -5), s(  -2,   -5), s( -15,  -16), s(  -9,  -24), s(  -8,  -22),
]);

/// Blocked own centre pawns, times own pawns on the bishop's colour, by four.
pub(super) static BLOCKED_BISHOP: Table<1> = Table::new(Term::BlockedBishop, [
    s(  -2,  -11),
]);

/// Rook on a file without own pawns: with, without enemy pawns.
pub(super) static ROOK_FILE: Table<2> = Table::new(Term::RookFile, [
    s(  17,    9), s(  28,   14),
]);

/// Rook on the seventh rank, with enemy pawns there or the king behind.
pub(super) static ROOK_SEVENTH: Table<1> = Table::new(Term::RookSeventh, [
    s(  10,   18),
]);

/// Rook shut in by its own king: which can still castle, which cannot.
pub(super) static ROOK_TRAPPED: Table<2> = Table::new(Term::RookTrapped, [
    s(  -4,   13), s( -37,   -3),
]);

/// One man stands between the queen and an enemy rook or bishop.
pub(super) static QUEEN_EXPOSED: Table<1> = Table::new(Term::QueenExposed, [
    s( -22,   -7),
]);

/// Knight, bishop within two steps of the own king.
pub(super) static KING_GUARD: Table<2> = Table::new(Term::KingGuard, [
    s(   2,    9), s(   7,    7),
]);

/// The nearest own pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static SHELTER: Table<32> = Table::new(Term::Shelter, [
    s(  -8,    9), s(   7,  -10), s(  12,   -5), s( -12,   -2), s(  -2,   -1), s(   2,    1), s(  -4,    4), s(  -7,    0),
    s( -13,    3), s(  18,   -3), s(  16,   -6), s(  -9,   -4), s( -14,   -1), s( -16,   10), s(  -5,   13), s( -10,    0),
    s( -20,    1), s(  17,   -1), s(   7,    2), s(   5,   -3), s(  -3,   -1), s( -24,    0), s(  -6,   11), s(  -8,    0),
    s( -10,    2), s(   5,    8), s(   4,    0), s(   0,   -1), s(  -5,   -7), s(   5,   -1), s(   1,   11), s(  -6,    0),
]);

/// The same on the king's own file, in addition.
pub(super) static SHELTER_KING_FILE: Table<8> = Table::new(Term::ShelterKingFile, [
    s( -17,    0), s(   2,   -1), s(  -4,    4), s(  -3,   -3), s(   4,   -3), s(  -5,   -5), s(   5,    9), s(   0,    0),
]);

/// The nearest enemy pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static STORM: Table<32> = Table::new(Term::Storm, [
    s( -21,    0), s(   3,   10), s( -28,    4), s( -21,   11), s( -11,  -11), s(  11,    3), s(   6,   -5), s(   4,    0),
    s(  -6,    6), s(   2,    5), s( -26,   -7), s( -26,   -4), s(  -9,   -2), s(   8,    1), s(  10,   -7), s(   4,    0),
    s( -13,   -3), s(   2,   -4), s( -19,    3), s( -24,    3), s(  -9,    2), s(   5,    1), s(   5,   -2), s(   4,    0),
    s( -10,    5), s(  -3,   -1), s( -43,    7), s( -24,   -1), s(  -8,    0), s(   7,    2), s(   3,  -11), s(   4,    0),
]);

/// An own pawn stops that pawn, by rank, in addition.
pub(super) static STORM_BLOCKED: Table<8> = Table::new(Term::StormBlocked, [
    s(   0,    0), s(   0,    2), s(  22,    4), s(  16,   -3), s(   9,   -6), s(   9,    3), s(  -9,  -11), s(   0,    0),
]);

/// By the number of castling rights.
pub(super) static CASTLING: Table<3> = Table::new(Term::Castling, [
    s(   1,  -10), s(  12,    9), s(  32,    4),
]);

/// The king by its distance from the nearest pawn of either side.
pub(super) static KING_PAWN_DISTANCE: Table<8> = Table::new(Term::KingPawnDistance, [
    s(   0,    0), s(  -3,   12), s(   3,    5), s(   1,  -22), s(   4,  -30), s(  -5,  -37), s(   1,  -31), s(   0,  -37),
]);

/// The attack on the enemy king, by its units.
pub(super) static KING_DANGER: Table<32> = Table::new(Term::KingDanger, [
    s(  -7,   -5), s(   3,    2), s(   6,    2), s(  13,    3), s(  12,   16), s(  24,   15), s(  25,   17), s(  41,   11),
    s(  47,   22), s(  67,   20), s(  78,   22), s(  99,   27), s( 123,   29), s( 148,   29), s( 169,   26), s( 202,   29),
    s( 220,   30), s( 258,   32), s( 284,   32), s( 320,   36), s( 361,   42), s( 395,   41), s( 431,   43), s( 472,   45),
    s( 499,   47), s( 500,   50), s( 500,   52), s( 500,   54), s( 501,   56), s( 500,   58), s( 500,   60), s( 500,   62),
]);

/// A knight, bishop, rook, queen can give check on a safe square.
pub(super) static SAFE_CHECK: Table<4> = Table::new(Term::SafeCheck, [
    s(   9,   13), s(   4,   16), s(  22,   20), s(  13,   22),
]);

/// A knight, bishop, rook, queen attacks squares around the enemy king, for each square.
pub(super) static KING_RING: Table<4> = Table::new(Term::KingRing, [
    s(  -2,    4), s(  -9,    1), s(  -7,    2), s(  -8,   14),
]);

/// A safe pawn attacks a (pawn,) knight, bishop, rook, queen.
pub(super) static THREAT_BY_PAWN: Table<5> = Table::new(Term::ThreatByPawn, [
    s(   0,    0), s(  61,   38), s(  70,   44), s(  66,   46), s(  71,   55),
]);

/// A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.
pub(super) static THREAT_BY_MINOR: Table<5> = Table::new(Term::ThreatByMinor, [
    s(   5,   21), s(  10,   28), s(  25,   28), s(  51,   29), s(  53,   59),
]);

/// A rook attacks a weak pawn, knight, bishop or rook, or a queen.
pub(super) static THREAT_BY_ROOK: Table<5> = Table::new(Term::ThreatByRook, [
    s(   4,   28), s(  13,   28), s(  24,   24), s(  -1,   20), s(  53,   35),
]);

/// The king attacks something weak.
pub(super) static THREAT_BY_KING: Table<1> = Table::new(Term::ThreatByKing, [
    s(  15,   22),
]);

/// Weak, and not defended at all or attacked twice.
pub(super) static HANGING: Table<1> = Table::new(Term::Hanging, [
    s(  18,   25),
]);

/// A safe step of a pawn would attack a piece.
pub(super) static PAWN_PUSH_THREAT: Table<1> = Table::new(Term::PawnPushThreat, [
    s(  17,   11),
]);

/// Safe squares from which a knight, a bishop or rook would attack the queen.
pub(super) static QUEEN_HARASSED: Table<2> = Table::new(Term::QueenHarassed, [
    s(   9,   -1), s(  11,    0),
]);

/// Squares that both sides attack, the enemy without a pawn's support.
pub(super) static RESTRICTED: Table<1> = Table::new(Term::Restricted, [
    s(   2,   -1),
]);

/// Safe squares behind the own centre pawns, times own pieces, by eight.
pub(super) static SPACE: Table<1> = Table::new(Term::Space, [
    s(  -3,    7),
]);

/// The side to move.
pub(super) static TEMPO: Table<1> = Table::new(Term::Tempo, [
    s(  27,   13),
]);
