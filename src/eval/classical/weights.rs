//! The weights of the hand-written evaluation: middlegame and endgame, in centipawns.
//!
//! Written by `quevedo fit weights`, which fits them to the results of Quevedo's own games. `terms.rs`
//! describes them.

use super::pair::s;
use super::terms::{Table, Term};

/// The value of a pawn, knight, bishop, rook and queen.
pub(super) static MATERIAL: Table<5> = Table::new(Term::Material, [
    s(  64,  107), s( 295,  348), s( 317,  359), s( 401,  616), s( 962, 1033),
]);

/// Two bishops reach all squares.
pub(super) static BISHOP_PAIR: Table<1> = Table::new(Term::BishopPair, [
    s(  19,   36),
]);

/// Pawn by square: ranks from the first, files a to d.
pub(super) static PAWN_SQUARE: Table<32> = Table::new(Term::PawnSquare, [
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
    s(  -8,   10), s(   8,    4), s(   0,    3), s(  -1,   15),
    s(  -2,    4), s(   4,   -2), s(   6,    4), s(   6,   -4),
    s(  -7,   13), s(  -3,    9), s(   7,    3), s(   9,   -6),
    s(   8,   23), s(  14,   12), s(   3,   11), s(  19,   -2),
    s(  23,   11), s(   8,   26), s(  14,   22), s(  26,   -2),
    s(  30,   25), s(   9,   39), s(  27,   32), s(  30,   33),
    s(   0,    0), s(   0,    0), s(   0,    0), s(   0,    0),
]);

/// Knight by square: ranks from the first, files a to d.
pub(super) static KNIGHT_SQUARE: Table<32> = Table::new(Term::KnightSquare, [
    s( -37,  -26), s( -23,  -22), s( -22,  -12), s(  -8,   -7),
    s( -23,    2), s(   7,    5), s(  -6,   -9), s(  -5,    5),
    s( -14,    4), s(  -3,   -2), s(  -2,   -1), s(   4,    9),
    s(   0,    7), s(  15,   10), s(  22,   16), s(  10,   13),
    s(   5,    3), s(  14,    6), s(  19,   24), s(  25,   23),
    s( -10,  -14), s(   4,    6), s(   7,    1), s(  21,   15),
    s( -29,  -20), s(  -7,    4), s(  18,    0), s(  13,    8),
    s( -50,  -36), s( -19,  -12), s( -18,   -1), s(  -7,    1),
]);

/// Bishop by square: ranks from the first, files a to d.
pub(super) static BISHOP_SQUARE: Table<32> = Table::new(Term::BishopSquare, [
    s(   2,  -10), s(  -2,   -6), s( -11,   -4), s(  -8,    5),
    s(   7,  -14), s(   9,  -12), s(   1,    4), s(   1,    2),
    s(   4,   -1), s(  11,   -6), s(   8,    8), s(   1,    9),
    s(  -5,   -1), s(  -2,   13), s(   4,   17), s(   8,   -5),
    s( -15,   16), s(   3,   12), s(  15,    7), s(   9,    9),
    s( -21,   11), s(   0,    5), s(  -3,   11), s(   9,   10),
    s( -18,   -5), s( -19,    9), s(   8,   12), s( -10,   18),
    s( -30,  -10), s( -11,    4), s( -21,    3), s(  -7,   -5),
]);

/// Rook by square: ranks from the first, files a to d.
pub(super) static ROOK_SQUARE: Table<32> = Table::new(Term::RookSquare, [
    s( -14,    1), s(  -5,   -8), s(  -1,   -5), s(   8,  -13),
    s( -30,  -11), s(  -4,   -6), s(  -3,  -10), s(   9,   -6),
    s( -22,    4), s(   2,   -2), s(   3,    6), s(  -1,    5),
    s( -24,   19), s(   2,    8), s( -18,   15), s(  -2,   17),
    s(  -5,   18), s(   4,   17), s(   1,   19), s(   3,   10),
    s(   7,   18), s(  -5,   12), s(   9,   21), s(  18,   18),
    s(   9,    4), s(  -1,   12), s(  10,    6), s(   7,   -1),
    s(   9,   17), s(  -3,   16), s(  -1,   17), s(   7,   15),
]);

/// Queen by square: ranks from the first, files a to d.
pub(super) static QUEEN_SQUARE: Table<32> = Table::new(Term::QueenSquare, [
    s( -20,  -10), s( -15,  -32), s(  -2,  -24), s(  -3,  -28),
    s( -11,  -16), s(  -5,  -11), s(   7,  -24), s(  -3,    1),
    s(  -2,    1), s(  -1,   -4), s(  -5,    7), s(  -2,    5),
    s(   0,    9), s(   5,    4), s(   2,   20), s(   0,   17),
    s(   6,    3), s(   2,   22), s(  10,    8), s(  21,   18),
    s(   1,    6), s(   9,   19), s(   9,   23), s(  13,   17),
    s(  -2,    1), s(  10,   17), s(  20,   15), s(   8,   20),
    s( -13,  -10), s(  -6,   -3), s(   7,    2), s(   7,   10),
]);

/// King by square: ranks from the first, files a to d.
pub(super) static KING_SQUARE: Table<32> = Table::new(Term::KingSquare, [
    s(  11,  -49), s(  15,  -25), s( -13,  -28), s( -21,  -22),
    s(   4,  -26), s(   3,  -13), s( -15,   -8), s( -25,   -4),
    s( -20,  -23), s(  -3,   -7), s( -27,   -5), s( -38,    4),
    s( -49,  -16), s( -48,    9), s( -67,   11), s( -65,   22),
    s( -60,    4), s( -57,    0), s( -85,   33), s( -94,   31),
    s( -67,   -9), s( -56,   17), s( -88,   11), s( -88,   31),
    s( -66,   -2), s( -58,   11), s( -84,   12), s( -94,    1),
    s( -67,  -48), s( -59,   -2), s( -87,   -6), s( -95,   -9),
]);

/// No own pawn on the files beside it: with an enemy pawn ahead, on an open file.
pub(super) static ISOLATED_PAWN: Table<2> = Table::new(Term::IsolatedPawn, [
    s(  -4,  -10), s(  -9,  -14),
]);

/// Left behind by its neighbours and unable to advance safely: with an enemy pawn ahead, on an open file.
pub(super) static BACKWARD_PAWN: Table<2> = Table::new(Term::BackwardPawn, [
    s(  -1,   -6), s( -11,  -11),
]);

/// An own pawn ahead on the file: further ahead, directly ahead.
pub(super) static DOUBLED_PAWN: Table<2> = Table::new(Term::DoubledPawn, [
    s(  -6,  -17), s(  -5,  -35),
]);

/// An own pawn beside it, by rank.
pub(super) static PHALANX_PAWN: Table<8> = Table::new(Term::PhalanxPawn, [
    s(   0,    0), s(   3,    8), s(   3,    1), s(   4,    6), s(  10,   14), s(  21,   36), s(  36,   43), s(   0,    0),
]);

/// Defended by an own pawn, by rank.
pub(super) static SUPPORTED_PAWN: Table<8> = Table::new(Term::SupportedPawn, [
    s(   0,    0), s(   7,    3), s(   7,    8), s(   5,   -1), s(  10,    1), s(  33,   16), s(  33,   28), s(   0,    0),
]);

/// Not passed, but with a free file and helpers enough to get past the guards, by rank.
pub(super) static CANDIDATE_PAWN: Table<8> = Table::new(Term::CandidatePawn, [
    s(   0,    0), s(  -4,   -2), s(  -1,    4), s(   1,    6), s(   1,   24), s(   4,   37), s(  18,   54), s(   0,    0),
]);

/// No enemy pawn can stop or capture it on its way, by rank.
pub(super) static PASSED_PAWN: Table<8> = Table::new(Term::PassedPawn, [
    s(   0,    0), s( -16,   25), s(  -3,   21), s(  -9,   36), s(   7,   46), s(  32,   88), s(  84,  132), s(   0,    0),
]);

/// An enemy piece stands in front of it, by rank.
pub(super) static PASSED_BLOCKED: Table<8> = Table::new(Term::PassedBlocked, [
    s(   0,    0), s(   0,   -1), s(  -2,   -4), s( -19,   -3), s(  -7,  -24), s( -10,  -25), s( -23,  -45), s(   0,    0),
]);

/// The square in front is empty and not attacked, by rank.
pub(super) static PASSED_SAFE_STEP: Table<8> = Table::new(Term::PassedSafeStep, [
    s(   0,    0), s(   2,    1), s(   4,    3), s(  -4,   10), s(  -3,   19), s(   5,   46), s(  28,   60), s(   0,    0),
]);

/// The whole way is empty and not attacked, by rank.
pub(super) static PASSED_FREE_PATH: Table<8> = Table::new(Term::PassedFreePath, [
    s(   0,    0), s(   2,    1), s(   4,    5), s( -22,   19), s( -13,   28), s(  19,   44), s(  28,   74), s(   0,    0),
]);

/// Defended by, or beside, an own pawn, by rank.
pub(super) static PASSED_CONNECTED: Table<8> = Table::new(Term::PassedConnected, [
    s(   0,    0), s(   5,  -10), s(   3,   -1), s(   9,    6), s(  19,   10), s(  40,   -1), s(  34,   41), s(   0,    0),
]);

/// The own king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_OWN_KING: Table<8> = Table::new(Term::PassedOwnKing, [
    s(  25,   32), s(  20,   32), s(  17,   12), s(  -8,    6), s(  -6,   -3), s(  -3,   -8), s(  -6,   -8), s( -10,   -6),
]);

/// The enemy king's distance from the square in front, times the rank above the third.
pub(super) static PASSED_ENEMY_KING: Table<8> = Table::new(Term::PassedEnemyKing, [
    s(  -5,  -15), s(  -7,   -7), s(   4,   -3), s(   2,   10), s(  -8,   26), s(  -4,   33), s(   1,   36), s(   9,   36),
]);

/// A rook behind it on the file: an own one, an enemy one.
pub(super) static PASSED_ROOK_BEHIND: Table<2> = Table::new(Term::PassedRookBehind, [
    s(   2,   15), s( -11,  -56),
]);

/// The enemy has no pieces and the king is too far away.
pub(super) static PASSED_UNSTOPPABLE: Table<1> = Table::new(Term::PassedUnstoppable, [
    s(   0,  427),
]);

/// Knight by its number of safe squares.
pub(super) static KNIGHT_MOBILITY: Table<9> = Table::new(Term::KnightMobility, [
    s( -24,  -13), s( -18,  -20), s( -12,   -5), s( -11,    5), s(  -5,   13), s(  -5,   19), s(  -1,   14), s(   5,   19), s(   7,    1),
]);

/// Bishop by its number of safe squares.
pub(super) static BISHOP_MOBILITY: Table<14> = Table::new(Term::BishopMobility, [
    s( -39,  -31), s( -25,  -24), s( -16,  -14), s( -11,  -11), s(  -7,   -3), s(  -5,   12), s(  -5,   13),
    s(  -2,   17), s(  -1,   18), s(   3,   16), s(   8,   13), s(  15,   11), s(  13,   19), s(  11,   25),
]);

/// Rook by its number of safe squares.
pub(super) static ROOK_MOBILITY: Table<15> = Table::new(Term::RookMobility, [
    s( -38,  -55), s( -22,  -48), s( -11,  -31), s(  -7,  -14), s(  -6,   -8), s(  -3,    6), s(  -5,   15), s(   0,   16),
    s(  -1,   24), s(   2,   28), s(   1,   33), s(   7,   31), s(  10,   35), s(   6,   37), s(  18,   35),
]);

/// Queen by its number of safe squares.
pub(super) static QUEEN_MOBILITY: Table<28> = Table::new(Term::QueenMobility, [
    s( -22,  -42), s( -19,  -34), s( -19,  -35), s( -13,  -30), s(  -9,  -27), s( -11,  -17), s(  -6,   -9),
    s(  -6,  -14), s(  -3,  -11), s(   2,  -11), s(   2,    3), s(   4,    6), s(   4,   10), s(   4,   13),
    s(   2,   27), s(   3,   26), s(   6,   18), s(   7,   30), s(   9,   22), s(  10,   22), s(   8,   22),
    s(   9,   13), s(   6,   12), s(   4,    2), s(   9,   15), s(   8,   11), s(   7,   18), s(   6,   17),
]);

/// Knight on a square that no enemy pawn can ever attack: defended by a pawn, not defended, or a step away from a defended one.
pub(super) static KNIGHT_OUTPOST: Table<3> = Table::new(Term::KnightOutpost, [
    s(  26,    8), s(  15,   -3), s(  12,   12),
]);

/// Bishop on a square that no enemy pawn can ever attack: defended by a pawn, or not.
pub(super) static BISHOP_OUTPOST: Table<2> = Table::new(Term::BishopOutpost, [
    s(  13,   16), s(   6,   -5),
]);

/// Knight, bishop with a pawn in front as a shield.
pub(super) static MINOR_BEHIND_PAWN: Table<2> = Table::new(Term::MinorBehindPawn, [
    s(   2,   12), s(   2,    9),
]);

/// Bishop by the number of own pawns on its colour.
pub(super) static BAD_BISHOP: Table<9> = Table::new(Term::BadBishop, [
    s(  -9,   33), s(  -2,   22), s(  -3,   14), s(  -4,   10), s(   0,  -11), s(  -1,   -6), s(  -4,  -14), s(  -2,  -24), s( -11,  -26),
]);

/// Blocked own centre pawns, times own pawns on the bishop's colour, by four.
pub(super) static BLOCKED_BISHOP: Table<1> = Table::new(Term::BlockedBishop, [
    s(  -3,    3),
]);

/// Rook on a file without own pawns: with, without enemy pawns.
pub(super) static ROOK_FILE: Table<2> = Table::new(Term::RookFile, [
    s(  12,    4), s(  26,    8),
]);

/// Rook on the seventh rank, with enemy pawns there or the king behind.
pub(super) static ROOK_SEVENTH: Table<1> = Table::new(Term::RookSeventh, [
    s(  14,   14),
]);

/// Rook shut in by its own king: which can still castle, which cannot.
pub(super) static ROOK_TRAPPED: Table<2> = Table::new(Term::RookTrapped, [
    s(  -2,    7), s( -20,   -3),
]);

/// A single piece stands between the queen and an enemy rook or bishop.
pub(super) static QUEEN_EXPOSED: Table<1> = Table::new(Term::QueenExposed, [
    s( -16,   -1),
]);

/// Knight, bishop within two steps of the own king.
pub(super) static KING_GUARD: Table<2> = Table::new(Term::KingGuard, [
    s(   4,    9), s(   7,    6),
]);

/// The nearest own pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static SHELTER: Table<32> = Table::new(Term::Shelter, [
    s( -18,    6), s(  15,  -29), s(  10,  -13), s(  -2,   -4), s(  -9,    3), s(   0,   16), s(  -2,   19), s(  -7,    0),
    s( -15,    6), s(  17,   -9), s(  15,   -5), s(  -7,   -7), s( -15,    0), s( -22,   16), s(   0,   15), s( -10,    0),
    s( -15,    4), s(  14,    2), s(  -1,    1), s(   1,   -1), s(   4,   -5), s( -16,   -3), s(  -2,   12), s(  -8,    0),
    s( -11,    0), s(   6,   -2), s(   4,    3), s(   6,   -5), s(  -9,   -2), s(  -1,    5), s(   0,   13), s(  -6,    0),
]);

/// The same on the king's own file, in addition.
pub(super) static SHELTER_KING_FILE: Table<8> = Table::new(Term::ShelterKingFile, [
    s( -11,    0), s(  -3,   -5), s(  -1,   -4), s(  -8,   -7), s(   3,   -6), s( -14,    7), s(  13,   20), s(   0,    0),
]);

/// The nearest enemy pawn before the king, a line for each file from the edge, by rank; 0 is none.
pub(super) static STORM: Table<32> = Table::new(Term::Storm, [
    s( -17,   -5), s(  15,   18), s( -25,    7), s( -12,    3), s(  -9,   -5), s(  -1,   -5), s(  -4,    2), s(   4,    0),
    s( -13,    5), s(  -1,    6), s( -29,  -13), s(  -7,  -11), s( -10,    7), s(   5,    0), s(   6,    1), s(   4,    0),
    s( -13,   -7), s(  -5,    3), s( -31,   22), s( -14,    3), s(  -5,   -1), s(   5,   -6), s(   3,   -9), s(   4,    0),
    s( -12,    1), s(  -2,   12), s( -30,    7), s( -15,   -6), s(  -6,    1), s(   3,   -4), s(  -1,   -7), s(   4,    0),
]);

/// An own pawn stops that pawn, by rank, in addition.
pub(super) static STORM_BLOCKED: Table<8> = Table::new(Term::StormBlocked, [
    s(   0,    0), s(  -1,   24), s(  29,  -17), s(  15,   -5), s(   4,  -12), s(   9,  -10), s(  -4,   -7), s(   0,    0),
]);

/// By the number of castling rights.
pub(super) static CASTLING: Table<3> = Table::new(Term::Castling, [
    s(   5,  -10), s(  12,    4), s(  29,    9),
]);

/// The king by its distance from the nearest pawn of either side.
pub(super) static KING_PAWN_DISTANCE: Table<8> = Table::new(Term::KingPawnDistance, [
    s(   0,    0), s(   1,   23), s(   5,   12), s(  -2,   -6), s(   9,  -38), s( -10,  -49), s(  -4,  -51), s(   0,  -41),
]);

/// The attack on the enemy king, by its units.
pub(super) static KING_DANGER: Table<32> = Table::new(Term::KingDanger, [
    s(   8,   -6), s(   3,   -4), s(   6,    5), s(  10,    2), s(  14,    8), s(  21,    9), s(  23,   15), s(  34,   12),
    s(  40,   16), s(  56,   12), s(  69,   22), s(  83,   19), s( 104,   23), s( 126,   19), s( 152,   16), s( 182,   19),
    s( 201,   24), s( 240,   22), s( 260,   22), s( 302,   30), s( 347,   35), s( 379,   35), s( 423,   40), s( 460,   39),
    s( 496,   44), s( 497,   49), s( 500,   52), s( 500,   54), s( 500,   56), s( 500,   58), s( 500,   60), s( 500,   62),
]);

/// A knight, bishop, rook, queen can give check on a safe square.
pub(super) static SAFE_CHECK: Table<4> = Table::new(Term::SafeCheck, [
    s(  13,    6), s(  -1,   37), s(  16,   22), s(   5,   52),
]);

/// A knight, bishop, rook, queen attacks squares around the enemy king, for each square.
pub(super) static KING_RING: Table<4> = Table::new(Term::KingRing, [
    s(  -5,    3), s(  -5,    2), s( -10,    3), s(  -8,   13),
]);

/// A safe pawn attacks a (pawn,) knight, bishop, rook, queen.
pub(super) static THREAT_BY_PAWN: Table<5> = Table::new(Term::ThreatByPawn, [
    s(   0,    0), s(  56,   39), s(  61,   49), s(  75,   44), s(  53,   51),
]);

/// A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.
pub(super) static THREAT_BY_MINOR: Table<5> = Table::new(Term::ThreatByMinor, [
    s(   3,   24), s(  14,   38), s(  29,   28), s(  51,   26), s(  45,   51),
]);

/// A rook attacks a weak pawn, knight, bishop or rook, or a queen.
pub(super) static THREAT_BY_ROOK: Table<5> = Table::new(Term::ThreatByRook, [
    s(   8,   19), s(  20,   19), s(  19,   14), s(  -4,   13), s(  54,   34),
]);

/// The king attacks something weak.
pub(super) static THREAT_BY_KING: Table<1> = Table::new(Term::ThreatByKing, [
    s(  14,   20),
]);

/// Weak, and not defended at all or attacked twice.
pub(super) static HANGING: Table<1> = Table::new(Term::Hanging, [
    s(  14,   29),
]);

/// A safe step of a pawn would attack a piece.
pub(super) static PAWN_PUSH_THREAT: Table<1> = Table::new(Term::PawnPushThreat, [
    s(  17,   11),
]);

/// Safe squares from which a knight, a bishop or rook would attack the queen.
pub(super) static QUEEN_HARASSED: Table<2> = Table::new(Term::QueenHarassed, [
    s(  11,   -7), s(  11,   -1),
]);

/// Squares that both sides attack, the enemy without a pawn's support.
pub(super) static RESTRICTED: Table<1> = Table::new(Term::Restricted, [
    s(   1,    1),
]);

/// Safe squares behind the own centre pawns, times own pieces, by eight.
pub(super) static SPACE: Table<1> = Table::new(Term::Space, [
    s(  -1,    7),
]);

/// The side to move.
pub(super) static TEMPO: Table<1> = Table::new(Term::Tempo, [
    s(  20,   15),
]);
