//! The list of the evaluation's terms, shared by the weights, the trace and the tuner.
//!
//! A term is a table of weights. Each entry is one feature of the linear evaluation; features are
//! numbered consecutively in the order of the list.

use super::pair::Pair;

/// The description of a term.
#[derive(Clone, Copy, Debug)]
pub struct TermInfo {
    /// The name of the term's table in `weights.rs`.
    pub name: &'static str,
    /// The group that `quevedo eval` shows it in.
    pub group: Group,
    /// A description of what it measures.
    pub doc: &'static str,
    /// The number of weights.
    pub len: usize,
    /// The number of weights in a line of `weights.rs`.
    pub columns: usize,
}

/// The groups of terms that `quevedo eval` shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Piece values.
    Material,
    /// Piece-square tables.
    Squares,
    /// Pawn structure.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Safe moves of pieces.
    Mobility,
    /// The placement of pieces relative to pawns and to each other.
    Pieces,
    /// The king's shelter.
    Shelter,
    /// The attack on the enemy king.
    Attack,
    /// Attacked pieces and immediate threats.
    Threats,
    /// Room behind the pawns.
    Space,
    /// The right to move.
    Tempo,
}

impl Group {
    /// All groups in display order.
    pub const ALL: [Group; 11] = [
        Group::Material,
        Group::Squares,
        Group::Pawns,
        Group::Passed,
        Group::Mobility,
        Group::Pieces,
        Group::Shelter,
        Group::Attack,
        Group::Threats,
        Group::Space,
        Group::Tempo,
    ];
}

macro_rules! terms {
    ($($term:ident $name:ident [$len:literal / $columns:literal] $group:ident: $doc:literal;)*) => {
        /// A term of the evaluation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Term {
            $(#[doc = $doc] $term,)*
        }

        /// The list in the order of the feature numbers.
        pub const TERMS: [TermInfo; [$($len),*].len()] = [
            $(TermInfo {
                name: stringify!($name),
                group: Group::$group,
                doc: $doc,
                len: $len,
                columns: $columns,
            },)*
        ];

        /// The tables of `weights.rs` in the order of the list.
        pub(super) static TABLES: [&[Pair]; TERMS.len()] = [
            $(&super::weights::$name.weights,)*
        ];

        impl Term {
            /// All terms, in the order of the list.
            pub const ALL: [Term; TERMS.len()] = [$(Term::$term),*];
        }
    };
}

// Ranks count from the side's first rank, files from the edge (0) to the centre (3).
terms! {
    Material MATERIAL [5 / 5] Material: "The value of a pawn, knight, bishop, rook and queen.";
    BishopPair BISHOP_PAIR [1 / 1] Material: "Two bishops reach all squares.";

    PawnSquare PAWN_SQUARE [32 / 4] Squares: "Pawn by square: ranks from the first, files a to d.";
    KnightSquare KNIGHT_SQUARE [32 / 4] Squares: "Knight by square: ranks from the first, files a to d.";
    BishopSquare BISHOP_SQUARE [32 / 4] Squares: "Bishop by square: ranks from the first, files a to d.";
    RookSquare ROOK_SQUARE [32 / 4] Squares: "Rook by square: ranks from the first, files a to d.";
    QueenSquare QUEEN_SQUARE [32 / 4] Squares: "Queen by square: ranks from the first, files a to d.";
    KingSquare KING_SQUARE [32 / 4] Squares: "King by square: ranks from the first, files a to d.";

    IsolatedPawn ISOLATED_PAWN [2 / 2] Pawns: "No own pawn on the files beside it: with an enemy pawn ahead, on an open file.";
    BackwardPawn BACKWARD_PAWN [2 / 2] Pawns: "Left behind by its neighbours and unable to advance safely: with an enemy pawn ahead, on an open file.";
    DoubledPawn DOUBLED_PAWN [2 / 2] Pawns: "An own pawn ahead on the file: further ahead, directly ahead.";
    PhalanxPawn PHALANX_PAWN [8 / 8] Pawns: "An own pawn beside it, by rank.";
    SupportedPawn SUPPORTED_PAWN [8 / 8] Pawns: "Defended by an own pawn, by rank.";
    CandidatePawn CANDIDATE_PAWN [8 / 8] Pawns: "Not passed, but with a free file and helpers enough to get past the guards, by rank.";

    PassedPawn PASSED_PAWN [8 / 8] Passed: "No enemy pawn can stop or capture it on its way, by rank.";
    PassedBlocked PASSED_BLOCKED [8 / 8] Passed: "An enemy piece stands in front of it, by rank.";
    PassedSafeStep PASSED_SAFE_STEP [8 / 8] Passed: "The square in front is empty and not attacked, by rank.";
    PassedFreePath PASSED_FREE_PATH [8 / 8] Passed: "The whole way is empty and not attacked, by rank.";
    PassedConnected PASSED_CONNECTED [8 / 8] Passed: "Defended by, or beside, an own pawn, by rank.";
    PassedOwnKing PASSED_OWN_KING [8 / 8] Passed: "The own king's distance from the square in front, times the rank above the third.";
    PassedEnemyKing PASSED_ENEMY_KING [8 / 8] Passed: "The enemy king's distance from the square in front, times the rank above the third.";
    PassedRookBehind PASSED_ROOK_BEHIND [2 / 2] Passed: "A rook behind it on the file: an own one, an enemy one.";
    PassedUnstoppable PASSED_UNSTOPPABLE [1 / 1] Passed: "The enemy has no pieces and the king is too far away.";

    KnightMobility KNIGHT_MOBILITY [9 / 9] Mobility: "Knight by its number of safe squares.";
    BishopMobility BISHOP_MOBILITY [14 / 7] Mobility: "Bishop by its number of safe squares.";
    RookMobility ROOK_MOBILITY [15 / 8] Mobility: "Rook by its number of safe squares.";
    QueenMobility QUEEN_MOBILITY [28 / 7] Mobility: "Queen by its number of safe squares.";

    KnightOutpost KNIGHT_OUTPOST [3 / 3] Pieces: "Knight on a square that no enemy pawn can ever attack: defended by a pawn, not defended, or a step away from a defended one.";
    BishopOutpost BISHOP_OUTPOST [2 / 2] Pieces: "Bishop on a square that no enemy pawn can ever attack: defended by a pawn, or not.";
    MinorBehindPawn MINOR_BEHIND_PAWN [2 / 2] Pieces: "Knight, bishop with a pawn in front as a shield.";
    BadBishop BAD_BISHOP [9 / 9] Pieces: "Bishop by the number of own pawns on its colour.";
    BlockedBishop BLOCKED_BISHOP [1 / 1] Pieces: "Blocked own centre pawns, times own pawns on the bishop's colour, by four.";
    RookFile ROOK_FILE [2 / 2] Pieces: "Rook on a file without own pawns: with, without enemy pawns.";
    RookSeventh ROOK_SEVENTH [1 / 1] Pieces: "Rook on the seventh rank, with enemy pawns there or the king behind.";
    RookTrapped ROOK_TRAPPED [2 / 2] Pieces: "Rook shut in by its own king: which can still castle, which cannot.";
    QueenExposed QUEEN_EXPOSED [1 / 1] Pieces: "A single piece stands between the queen and an enemy rook or bishop.";
    KingGuard KING_GUARD [2 / 2] Pieces: "Knight, bishop within two steps of the own king.";

    Shelter SHELTER [32 / 8] Shelter: "The nearest own pawn before the king, a line for each file from the edge, by rank; 0 is none.";
    ShelterKingFile SHELTER_KING_FILE [8 / 8] Shelter: "The same on the king's own file, in addition.";
    Storm STORM [32 / 8] Shelter: "The nearest enemy pawn before the king, a line for each file from the edge, by rank; 0 is none.";
    StormBlocked STORM_BLOCKED [8 / 8] Shelter: "An own pawn stops that pawn, by rank, in addition.";
    Castling CASTLING [3 / 3] Shelter: "By the number of castling rights.";
    KingPawnDistance KING_PAWN_DISTANCE [8 / 8] Shelter: "The king by its distance from the nearest pawn of either side.";

    KingDanger KING_DANGER [32 / 8] Attack: "The attack on the enemy king, by its units.";
    SafeCheck SAFE_CHECK [4 / 4] Attack: "A knight, bishop, rook, queen can give check on a safe square.";
    KingRing KING_RING [4 / 4] Attack: "A knight, bishop, rook, queen attacks squares around the enemy king, for each square.";

    ThreatByPawn THREAT_BY_PAWN [5 / 5] Threats: "A safe pawn attacks a (pawn,) knight, bishop, rook, queen.";
    ThreatByMinor THREAT_BY_MINOR [5 / 5] Threats: "A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.";
    ThreatByRook THREAT_BY_ROOK [5 / 5] Threats: "A rook attacks a weak pawn, knight, bishop or rook, or a queen.";
    ThreatByKing THREAT_BY_KING [1 / 1] Threats: "The king attacks something weak.";
    Hanging HANGING [1 / 1] Threats: "Weak, and not defended at all or attacked twice.";
    PawnPushThreat PAWN_PUSH_THREAT [1 / 1] Threats: "A safe step of a pawn would attack a piece.";
    QueenHarassed QUEEN_HARASSED [2 / 2] Threats: "Safe squares from which a knight, a bishop or rook would attack the queen.";
    Restricted RESTRICTED [1 / 1] Threats: "Squares that both sides attack, the enemy without a pawn's support.";

    Space SPACE [1 / 1] Space: "Safe squares behind the own centre pawns, times own pieces, by eight.";

    Tempo TEMPO [1 / 1] Tempo: "The side to move.";
}

/// The number of features, and so of weights.
pub const FEATURES: usize = start_of(TERMS.len());

/// Returns the first feature of the term with this index.
const fn start_of(term: usize) -> usize {
    let (mut start, mut index) = (0, 0);
    while index < term {
        start += TERMS[index].len;
        index += 1;
    }
    start
}

impl Term {
    /// Returns the term's first feature.
    pub const fn start(self) -> usize {
        start_of(self as usize)
    }

    /// Returns the term's description.
    pub const fn info(self) -> TermInfo {
        TERMS[self as usize]
    }
}

/// The weights of one term.
pub struct Table<const N: usize> {
    /// The term's first feature.
    pub(super) start: usize,
    pub(super) weights: [Pair; N],
}

impl<const N: usize> Table<N> {
    /// Creates the table of a term. A length that differs from the list's does not compile.
    pub(super) const fn new(term: Term, weights: [Pair; N]) -> Table<N> {
        assert!(TERMS[term as usize].len == N);
        Table {
            start: term.start(),
            weights,
        }
    }
}
