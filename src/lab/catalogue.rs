//! The names of the algorithms, in English and in Spanish, and what they promise.

/// An algorithm for games of two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// MaxValue and MinValue.
    Minimax,
    /// Minimax with one function.
    Negamax,
    /// Minimax for any number of players.
    MaxN,
    /// Minimax with chance.
    Expectiminimax,
    /// Alpha-beta that returns bounds as they are.
    AlphaBeta,
    /// Alpha-beta that returns alpha and beta.
    AlphaBetaHard,
    /// Alpha-beta with one bound.
    AlphaBetaShallow,
    /// Alpha-beta around a guess.
    Aspiration,
    /// One depth after the other.
    Deepening,
    /// EVAL and TEST.
    Scout,
    /// Null windows for all but the first move.
    Negascout,
    /// Best first.
    SssStar,
    /// Best first, for the opponent.
    DualStar,
    /// Null windows around a guess.
    MtdF,
    /// Null windows from above.
    MtdPlus,
    /// Null windows from below.
    MtdMinus,
    /// Chance nodes with bounds.
    Star1,
    /// Chance nodes with bounds and probes.
    Star2,
    /// Gives up small gains.
    Futility,
    /// Goes on with captures.
    Quiescence,
    /// Verifies the best move.
    Secondary,
    /// Plays moves from a book.
    Book,
    /// Only what looks good.
    Biased,
    /// Against one who errs.
    OpponentErrs,
    /// Against one who sees less or more.
    OpponentSees,
    /// Leaves in danger are searched deeper.
    Continuation,
    /// Passing as a bound.
    NullMove,
    /// Passing as a bound, verified.
    NullMoveVerified,
}

/// What an algorithm promises about its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// The value of minimax.
    Exact,
    /// Another value where its heuristic or its model of the opponent says so.
    MayDiffer,
}

/// What there is to say about an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How the command calls it.
    pub name: &'static str,
    /// How Spanish lecture notes call it.
    pub spanish: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it promises.
    pub promise: Promise,
    /// Whether it knows what to do where chance decides.
    pub knows_chance: bool,
}

const fn exact(
    algorithm: Algorithm,
    name: &'static str,
    spanish: &'static str,
    summary: &'static str,
) -> Entry {
    Entry {
        algorithm,
        name,
        spanish,
        summary,
        promise: Promise::Exact,
        knows_chance: false,
    }
}

const fn heuristic(
    algorithm: Algorithm,
    name: &'static str,
    spanish: &'static str,
    summary: &'static str,
) -> Entry {
    Entry {
        promise: Promise::MayDiffer,
        ..exact(algorithm, name, spanish, summary)
    }
}

const fn with_chance(entry: Entry) -> Entry {
    Entry {
        knows_chance: true,
        ..entry
    }
}

use Algorithm as A;

/// All algorithms, the exact ones first.
#[rustfmt::skip] // One line each.
pub const ALL: [Entry; 28] = [
    exact(A::Minimax, "minimax", "minimax (con corte, si hay profundidad)", "looks at everything"),
    exact(A::Negamax, "negamax", "NegaMax", "minimax with one function"),
    exact(A::MaxN, "max-n", "max^n", "minimax with a vector of values, for any number of players"),
    with_chance(exact(A::Expectiminimax, "expectiminimax", "expectiminimax, minimax con azar", "minimax with means where chance decides")),
    exact(A::AlphaBeta, "alpha-beta", "poda alfa-beta", "fail-soft: a value out of the window is a bound"),
    exact(A::AlphaBetaHard, "alpha-beta-hard", "poda alfa-beta (fail-hard)", "fail-hard: a value out of the window is alpha or beta"),
    exact(A::AlphaBetaShallow, "alpha-beta-shallow", "poda alfa-beta sin cortes profundos", "hands on one bound: no deep cut-offs"),
    exact(A::Aspiration, "aspiration", "búsqueda con aspiración", "alpha-beta with a window around a guess"),
    exact(A::Deepening, "deepening", "profundización progresiva", "alpha-beta, one depth after the other, under a time limit"),
    exact(A::Scout, "scout", "SCOUT", "EVAL and TEST"),
    exact(A::Negascout, "negascout", "NegaScout, búsqueda de la variante principal", "null windows for all but the first move (PVS)"),
    exact(A::SssStar, "sss-star", "SSS*", "best first, with a list OPEN"),
    exact(A::DualStar, "dual-star", "DUAL*", "SSS* with the players exchanged"),
    exact(A::MtdF, "mtd-f", "MTD(f)", "null windows with memory, from a guess"),
    exact(A::MtdPlus, "mtd-plus", "MTD(+∞), SSS* con memoria", "null windows with memory, from above: the leaves of SSS*"),
    exact(A::MtdMinus, "mtd-minus", "MTD(-∞), DUAL* con memoria", "null windows with memory, from below: the leaves of DUAL*"),
    with_chance(exact(A::Star1, "star1", "Star1, poda en nodos de azar", "bounds at chance nodes")),
    with_chance(exact(A::Star2, "star2", "Star2, poda en nodos de azar con sondeo", "bounds at chance nodes, after a probe of each throw")),
    heuristic(A::Futility, "futility", "poda de inutilidades", "gives up what promises less than a margin more"),
    heuristic(A::Quiescence, "quiescence", "espera del reposo, búsqueda de quietud", "alpha-beta that goes on with captures"),
    heuristic(A::Secondary, "secondary", "búsqueda secundaria", "the best move is verified deeper"),
    heuristic(A::Book, "book", "movimientos de libro", "openings and endings by the book, alpha-beta else"),
    heuristic(A::Biased, "biased", "búsqueda sesgada", "only the moves that look best, fewer the deeper"),
    heuristic(A::OpponentErrs, "opponent-errs", "minimax dependiente del adversario (que se equivoca)", "the opponent errs with some probability"),
    heuristic(A::OpponentSees, "opponent-sees", "minimax dependiente del adversario (que ve otra profundidad)", "the opponent sees less or more"),
    heuristic(A::Continuation, "continuation", "continuación heurística", "leaves in danger are searched deeper"),
    heuristic(A::NullMove, "null-move", "movimiento nulo", "a player who may pass and has enough has enough"),
    heuristic(A::NullMoveVerified, "null-move-verified", "movimiento nulo verificado", "the same, with a shallower search instead of the cut"),
];

impl Algorithm {
    /// The algorithm that the command calls so.
    pub fn by_name(name: &str) -> Option<Algorithm> {
        let entry = ALL.iter().find(|entry| entry.name == name)?;
        Some(entry.algorithm)
    }

    /// What there is to say about it.
    pub fn entry(self) -> &'static Entry {
        const { assert!(ALL.len() > A::NullMoveVerified as usize) }
        let entry = ALL.iter().find(|entry| entry.algorithm == self);
        // The table has every algorithm, which a test sees to.
        entry.unwrap_or(const { &ALL[0] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_has_its_own_line() {
        for entry in &ALL {
            assert_eq!(Algorithm::by_name(entry.name), Some(entry.algorithm));
            assert_eq!(entry.algorithm.entry().name, entry.name);
        }
    }
}
