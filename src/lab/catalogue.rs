//! The names of the algorithms, in English and in Spanish, and what they promise.

use super::language::Language;

/// An algorithm for games of two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// `minimax`.
    Minimax,
    /// `negamax`.
    Negamax,
    /// `max-n`.
    MaxN,
    /// `expectiminimax`.
    Expectiminimax,
    /// `alpha-beta`.
    AlphaBeta,
    /// `alpha-beta-hard`.
    AlphaBetaHard,
    /// `alpha-beta-shallow`.
    AlphaBetaShallow,
    /// `alpha-beta-memory`.
    AlphaBetaMemory,
    /// `aspiration`.
    Aspiration,
    /// `deepening`.
    Deepening,
    /// `scout`.
    Scout,
    /// `negascout`.
    Negascout,
    /// `sss-star`.
    SssStar,
    /// `rec-sss-star`.
    RecSssStar,
    /// `dual-star`.
    DualStar,
    /// `mtd-f`.
    MtdF,
    /// `mtd-plus`.
    MtdPlus,
    /// `mtd-minus`.
    MtdMinus,
    /// `star1`.
    Star1,
    /// `star2`.
    Star2,
    /// `b-star`.
    BStar,
    /// `futility`.
    Futility,
    /// `quiescence`.
    Quiescence,
    /// `quiescence-swing`.
    QuiescenceSwing,
    /// `secondary`.
    Secondary,
    /// `book`.
    Book,
    /// `biased`.
    Biased,
    /// `biased-rank`.
    BiasedRank,
    /// `biased-estimate`.
    BiasedEstimate,
    /// `opponent-errs`.
    OpponentErrs,
    /// `opponent-sees`.
    OpponentSees,
    /// `continuation`.
    Continuation,
    /// `null-move`.
    NullMove,
    /// `null-move-verified`.
    NullMoveVerified,
}

/// The promise of an algorithm about its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// The value of minimax.
    Exact,
    /// Another value where a heuristic, a bound or a model of the opponent says so.
    MayDiffer,
}

/// The entry of an algorithm in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmInfo {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in Spanish lecture notes.
    pub spanish: &'static str,
    summary: [&'static str; 2],
    /// Its promise.
    pub promise: Promise,
    /// True if it can search games with chance.
    pub knows_chance: bool,
}

impl AlgorithmInfo {
    /// Returns a description in a few words.
    pub fn summary(&self, language: Language) -> &'static str {
        let [english, spanish] = self.summary;
        language.pick(english, spanish)
    }
}

const fn exact(
    algorithm: Algorithm,
    name: &'static str,
    spanish: &'static str,
    summary: [&'static str; 2],
) -> AlgorithmInfo {
    AlgorithmInfo {
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
    summary: [&'static str; 2],
) -> AlgorithmInfo {
    AlgorithmInfo {
        promise: Promise::MayDiffer,
        ..exact(algorithm, name, spanish, summary)
    }
}

const fn with_chance(entry: AlgorithmInfo) -> AlgorithmInfo {
    AlgorithmInfo {
        knows_chance: true,
        ..entry
    }
}

use Algorithm as A;

/// All algorithms, the exact ones first.
#[rustfmt::skip] // Two lines each.
pub const ALL: [AlgorithmInfo; 34] = [
    exact(A::Minimax, "minimax", "minimax, minimax con suspensión (con --depth)",
        ["examines every node (with --depth: minimax with suspension)", "examina todos los nodos (con --depth: minimax con suspensión)"]),
    exact(A::Negamax, "negamax", "NegaMax",
        ["minimax with one function", "minimax con una sola función"]),
    exact(A::MaxN, "max-n", "max^n, juegos no binarios",
        ["minimax with a vector of values, for any number of players", "minimax con un vector de valores, para cualquier número de jugadores"]),
    with_chance(exact(A::Expectiminimax, "expectiminimax", "expectiminimax, minimax con azar",
        ["minimax with means where chance decides", "minimax con medias donde decide el azar"])),
    exact(A::AlphaBeta, "alpha-beta", "poda alfa-beta",
        ["fail-soft: a value outside the window is a bound", "fail-soft: un valor fuera de la ventana es una cota"]),
    exact(A::AlphaBetaHard, "alpha-beta-hard", "poda alfa-beta (fail-hard)",
        ["fail-hard: a value outside the window becomes alpha or beta", "fail-hard: un valor fuera de la ventana se vuelve alfa o beta"]),
    exact(A::AlphaBetaShallow, "alpha-beta-shallow", "poda alfa-beta sin podas profundas",
        ["passes one bound down: no deep cut-offs", "transmite una sola cota: sin podas profundas"]),
    exact(A::AlphaBetaMemory, "alpha-beta-memory", "AlphaBetaWithMemory, alfa-beta con tabla de transposición",
        ["alpha-beta with a transposition table", "alfa-beta con una tabla de transposición"]),
    exact(A::Aspiration, "aspiration", "aspiration search, búsqueda por aspiración",
        ["alpha-beta with a window around a guess", "alfa-beta con una ventana alrededor de una estimación"]),
    exact(A::Deepening, "deepening", "bajada progresiva, profundización iterativa",
        ["alpha-beta, one depth after the other, under a time limit", "alfa-beta, una profundidad tras otra, con límite de tiempo"]),
    exact(A::Scout, "scout", "SCOUT",
        ["EVAL and TEST", "EVAL y TEST"]),
    exact(A::Negascout, "negascout", "NegaScout, búsqueda de la variante principal (PVS)",
        ["null windows for all moves but the first (PVS)", "ventanas nulas para todas las jugadas menos la primera (PVS)"]),
    exact(A::SssStar, "sss-star", "SSS*",
        ["best first, with a list OPEN", "primero el mejor, con una lista OPEN"]),
    exact(A::RecSssStar, "rec-sss-star", "RecSSS*",
        ["SSS* as a recursive procedure, without a sorted list", "SSS* como procedimiento recursivo, sin lista ordenada"]),
    exact(A::DualStar, "dual-star", "DUAL*",
        ["SSS* with the players exchanged", "SSS* con los jugadores intercambiados"]),
    exact(A::MtdF, "mtd-f", "MTD(f)",
        ["null windows with memory, from a guess", "ventanas nulas con memoria, desde una estimación"]),
    exact(A::MtdPlus, "mtd-plus", "MTD(+∞), SSS* con memoria",
        ["null windows with memory, from above: the leaves of SSS*", "ventanas nulas con memoria, desde arriba: las hojas de SSS*"]),
    exact(A::MtdMinus, "mtd-minus", "MTD(-∞), DUAL* con memoria",
        ["null windows with memory, from below: the leaves of DUAL*", "ventanas nulas con memoria, desde abajo: las hojas de DUAL*"]),
    with_chance(exact(A::Star1, "star1", "Star1, poda en nodos de azar",
        ["bounds at chance nodes", "cotas en los nodos de azar"])),
    with_chance(exact(A::Star2, "star2", "Star2, poda en nodos de azar con sondeo",
        ["bounds at chance nodes, after a probe of each throw", "cotas en los nodos de azar, tras sondear cada tirada"])),
    heuristic(A::BStar, "b-star", "B*",
        ["finds the best move with two bounds on each position; the value is a bound", "halla la mejor jugada con dos cotas por posición; el valor es una cota"]),
    heuristic(A::Futility, "futility", "poda de inutilidades",
        ["gives up branches that promise less than a margin more", "abandona las ramas que prometen mejorar menos que un margen"]),
    heuristic(A::Quiescence, "quiescence", "espera del reposo (capturas)",
        ["alpha-beta that continues with captures", "alfa-beta que continúa con las capturas"]),
    heuristic(A::QuiescenceSwing, "quiescence-swing", "espera del reposo (el valor cambia)",
        ["alpha-beta that continues while the value changes much one ply deeper", "alfa-beta que continúa mientras el valor cambia mucho un nivel más abajo"]),
    heuristic(A::Secondary, "secondary", "búsqueda secundaria",
        ["verifies the best move by a deeper search", "comprueba la mejor jugada con una búsqueda más profunda"]),
    heuristic(A::Book, "book", "uso de movimientos de libro",
        ["plays openings and endings from a book, alpha-beta otherwise", "juega aperturas y finales de un libro; si no, alfa-beta"]),
    heuristic(A::Biased, "biased", "búsqueda sesgada (por nivel)",
        ["searches only the most promising moves, fewer at each level", "busca solo las jugadas más prometedoras, menos en cada nivel"]),
    heuristic(A::BiasedRank, "biased-rank", "búsqueda sesgada (por puesto)",
        ["the same, and fewer moves below siblings of lower rank", "lo mismo, y menos jugadas bajo los hermanos de peor puesto"]),
    heuristic(A::BiasedEstimate, "biased-estimate", "búsqueda sesgada (por estimación)",
        ["the same, and fewer moves below siblings that promise less", "lo mismo, y menos jugadas bajo los hermanos que prometen menos"]),
    heuristic(A::OpponentErrs, "opponent-errs", "minimax dependiente del adversario (que se equivoca)",
        ["assumes that the opponent errs with some probability", "supone que el adversario se equivoca con cierta probabilidad"]),
    heuristic(A::OpponentSees, "opponent-sees", "minimax dependiente del adversario (que ve otra profundidad)",
        ["assumes that the opponent searches to another depth", "supone que el adversario busca a otra profundidad"]),
    heuristic(A::Continuation, "continuation", "continuación heurística",
        ["searches leaves in danger deeper", "busca más hondo en las hojas en peligro"]),
    heuristic(A::NullMove, "null-move", "movimiento nulo",
        ["cuts where even a pass reaches beta", "poda donde incluso pasar alcanza beta"]),
    heuristic(A::NullMoveVerified, "null-move-verified", "movimiento nulo verificado",
        ["verifies such cuts by a shallower search, and repairs zugzwang", "comprueba esas podas con una búsqueda menos profunda y repara el zugzwang"]),
];

impl Algorithm {
    /// Finds an algorithm by its name on the command line.
    pub fn by_name(name: &str) -> Option<Algorithm> {
        let entry = ALL.iter().find(|entry| entry.name == name)?;
        Some(entry.algorithm)
    }

    /// Returns its entry in the catalogue.
    pub fn entry(self) -> &'static AlgorithmInfo {
        const { assert!(ALL.len() > A::NullMoveVerified as usize) }
        let entry = ALL.iter().find(|entry| entry.algorithm == self);
        // A test checks that the table has every algorithm.
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
