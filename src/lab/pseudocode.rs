//! Pseudocode of the algorithms, line by line, with the steps that each line takes.

use super::catalogue::Algorithm;
use super::language::Language;
use super::trace::Action;
use Action::{Cut, Enter, Leaf, Leave, NullWindow, Pass, Research, Select, TableHit, Update};

/// A line of pseudocode.
#[derive(Clone, Copy, Debug)]
pub struct CodeLine {
    /// The steps that the line takes.
    pub actions: &'static [Action],
    text: [&'static str; 2],
}

impl CodeLine {
    /// Returns the line in a language.
    pub fn text(&self, language: Language) -> &'static str {
        let [english, spanish] = self.text;
        language.pick(english, spanish)
    }
}

const fn line(
    actions: &'static [Action],
    english: &'static str,
    spanish: &'static str,
) -> CodeLine {
    CodeLine {
        actions,
        text: [english, spanish],
    }
}

#[rustfmt::skip] // One line each.
const MINIMAX: &[CodeLine] = &[
    line(&[Enter], "function minimax(node)", "función minimax(nodo)"),
    line(&[Leaf], "  if leaf: return evaluation", "  si es hoja: devolver evaluación"),
    line(&[], "  for each child:", "  para cada hijo:"),
    line(&[Update], "    best := max or min(best, minimax(child))", "    mejor := max o min(mejor, minimax(hijo))"),
    line(&[Leave], "  return best", "  devolver mejor"),
];
#[rustfmt::skip]
const NEGAMAX: &[CodeLine] = &[
    line(&[Enter], "function negamax(node)", "función negamax(nodo)"),
    line(&[Leaf], "  if leaf: return evaluation, negated for Min", "  si es hoja: devolver evaluación, negada para Min"),
    line(&[], "  for each child:", "  para cada hijo:"),
    line(&[Update], "    best := max(best, -negamax(child))", "    mejor := max(mejor, -negamax(hijo))"),
    line(&[Leave], "  return best", "  devolver mejor"),
];
#[rustfmt::skip]
const ALPHA_BETA: &[CodeLine] = &[
    line(&[Enter], "function search(node, alpha, beta)", "función buscar(nodo, alfa, beta)"),
    line(&[Leaf], "  if leaf: return evaluation", "  si es hoja: devolver evaluación"),
    line(&[], "  for each child:", "  para cada hijo:"),
    line(&[Update], "    raise alpha (Max) or lower beta (Min)", "    subir alfa (Max) o bajar beta (Min)"),
    line(&[Cut], "    if alpha >= beta: cut the other children", "    si alfa >= beta: podar los demás hijos"),
    line(&[Leave], "  return best", "  devolver mejor"),
];
#[rustfmt::skip]
const NEGASCOUT: &[CodeLine] = &[
    line(&[Enter], "function negascout(node, alpha, beta)", "función negascout(nodo, alfa, beta)"),
    line(&[Leaf], "  if leaf: return evaluation", "  si es hoja: devolver evaluación"),
    line(&[], "  first child: search with (alpha, beta)", "  primer hijo: buscar con (alfa, beta)"),
    line(&[NullWindow], "  others: search with a null window", "  los demás: buscar con ventana nula"),
    line(&[Research], "    if better: search again up to beta", "    si es mejor: buscar otra vez hasta beta"),
    line(&[Update], "    raise alpha (Max) or lower beta (Min)", "    subir alfa (Max) o bajar beta (Min)"),
    line(&[Cut], "    if alpha >= beta: cut the other children", "    si alfa >= beta: podar los demás hijos"),
    line(&[Leave], "  return best", "  devolver mejor"),
];
#[rustfmt::skip]
const SCOUT: &[CodeLine] = &[
    line(&[Enter], "function EVAL or TEST(node, bound)", "función EVAL o TEST(nodo, cota)"),
    line(&[Leaf], "  if leaf: return or compare evaluation", "  si es hoja: devolver o comparar evaluación"),
    line(&[], "  EVAL: evaluate the first child", "  EVAL: evaluar el primer hijo"),
    line(&[], "        TEST the others; evaluate the better", "        TEST a los demás; evaluar los mejores"),
    line(&[Cut], "  TEST: one child decides, cut the others", "  TEST: un hijo decide, podar los demás"),
    line(&[Leave], "  return", "  devolver"),
];
#[rustfmt::skip]
const SSS_STAR: &[CodeLine] = &[
    line(&[], "OPEN := {(root, LIVE, +∞)}", "OPEN := {(raíz, VIVO, +∞)}"),
    line(&[Select], "take (node, s, h) with the largest h", "tomar (nodo, s, h) con la h mayor"),
    line(&[Enter], "if LIVE: expand (Max: all, Min: first child)", "si VIVO: expandir (Max: todos, Min: el primero)"),
    line(&[Leaf], "  leaf: put back SOLVED, min(h, evaluation)", "  hoja: devolver SOLUCIONADO, min(h, evaluación)"),
    line(&[], "if SOLVED, Min above with a sibling left: next", "si SOLUCIONADO, Min encima y queda hermano: siguiente"),
    line(&[Cut], "  Max above: purge its other descendants", "  Max encima: purgar sus otros descendientes"),
    line(&[Leave], "  otherwise: the parent is SOLVED with h", "  si no: el padre queda SOLUCIONADO con h"),
];
#[rustfmt::skip]
const DUAL_STAR: &[CodeLine] = &[
    line(&[], "OPEN := {(root, LIVE, -∞)}", "OPEN := {(raíz, VIVO, -∞)}"),
    line(&[Select], "take (node, s, h) with the smallest h", "tomar (nodo, s, h) con la h menor"),
    line(&[Enter], "if LIVE: expand (Min: all, Max: first child)", "si VIVO: expandir (Min: todos, Max: el primero)"),
    line(&[Leaf], "  leaf: put back SOLVED, max(h, evaluation)", "  hoja: devolver SOLUCIONADO, max(h, evaluación)"),
    line(&[], "if SOLVED, Max above with a sibling left: next", "si SOLUCIONADO, Max encima y queda hermano: siguiente"),
    line(&[Cut], "  Min above: purge its other descendants", "  Min encima: purgar sus otros descendientes"),
    line(&[Leave], "  otherwise: the parent is SOLVED with h", "  si no: el padre queda SOLUCIONADO con h"),
];
#[rustfmt::skip]
const REC_SSS_STAR: &[CodeLine] = &[
    line(&[Enter], "function solve(node, h)", "función resolver(nodo, h)"),
    line(&[Leaf], "  if leaf: return min(h, evaluation)", "  si es hoja: devolver min(h, evaluación)"),
    line(&[Update], "  Max: descend to the largest bound", "  Max: bajar a la cota mayor"),
    line(&[Cut], "       one child with h: forget the others", "       un hijo con h: olvidar los demás"),
    line(&[], "  Min: child after child, while each has h", "  Min: hijo tras hijo, mientras valgan h"),
    line(&[Leave], "  return h", "  devolver h"),
];
#[rustfmt::skip]
const MTD_F: &[CodeLine] = &[
    line(&[Pass], "while lower < upper: search with a null window", "mientras inferior < superior: ventana nula"),
    line(&[Enter], "function search(node, alpha, beta)", "función buscar(nodo, alfa, beta)"),
    line(&[TableHit], "  if the table decides: return its bound", "  si la tabla decide: devolver su cota"),
    line(&[Leaf], "  if leaf: store and return evaluation", "  si es hoja: guardar y devolver evaluación"),
    line(&[Update], "  for each child: raise alpha or lower beta", "  para cada hijo: subir alfa o bajar beta"),
    line(&[Cut], "    if alpha >= beta: cut the other children", "    si alfa >= beta: podar los demás hijos"),
    line(&[Leave], "  store and return best", "  guardar y devolver mejor"),
];
/// MTD(f) without the line of its loop.
const ALPHA_BETA_MEMORY: &[CodeLine] = MTD_F.split_at(1).1;
#[rustfmt::skip]
const CHANCE: &[CodeLine] = &[
    line(&[Enter], "function value(node)", "función valor(nodo)"),
    line(&[Leaf], "  if leaf: return evaluation", "  si es hoja: devolver evaluación"),
    line(&[Update], "  Max, Min: the best child", "  Max, Min: el mejor hijo"),
    line(&[], "  chance: the mean of the children", "  azar: la media de los hijos"),
    line(&[Cut], "  Star: cut when the bounds of the mean decide", "  Star: podar cuando deciden las cotas de la media"),
    line(&[Leave], "  return", "  devolver"),
];

/// The algorithms with pseudocode, for games without chance and with it.
pub const EXPLAINED: [Algorithm; 15] = [
    Algorithm::Minimax,
    Algorithm::Negamax,
    Algorithm::AlphaBeta,
    Algorithm::AlphaBetaHard,
    Algorithm::AlphaBetaShallow,
    Algorithm::AlphaBetaMemory,
    Algorithm::Scout,
    Algorithm::Negascout,
    Algorithm::SssStar,
    Algorithm::RecSssStar,
    Algorithm::DualStar,
    Algorithm::MtdF,
    Algorithm::Expectiminimax,
    Algorithm::Star1,
    Algorithm::Star2,
];

/// Returns the pseudocode of an algorithm.
pub fn pseudocode(algorithm: Algorithm) -> &'static [CodeLine] {
    match algorithm {
        Algorithm::Minimax => MINIMAX,
        Algorithm::Negamax => NEGAMAX,
        Algorithm::Negascout => NEGASCOUT,
        Algorithm::Scout => SCOUT,
        Algorithm::SssStar => SSS_STAR,
        Algorithm::DualStar => DUAL_STAR,
        Algorithm::RecSssStar => REC_SSS_STAR,
        Algorithm::MtdF => MTD_F,
        Algorithm::AlphaBetaMemory => ALPHA_BETA_MEMORY,
        Algorithm::Expectiminimax | Algorithm::Star1 | Algorithm::Star2 => CHANCE,
        _ => ALPHA_BETA,
    }
}
