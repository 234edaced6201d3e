//! One interior node of the search: principal variation search (NegaScout), fail-soft, in named stages.

use std::marker::PhantomData;

use super::depth::Singular;
use super::history::capture_value;
use super::learn::Tried;
use super::params;
use super::picker::{Context, Picker};
use super::pruning;
use super::worker::{Stopped, Worker};
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

/// What a search is for, known when the program is compiled.
pub trait SearchMode {
    /// Whether the score has to be plain minimax's: nothing is pruned, extended or reduced, leaves have their
    /// hand-written evaluation as they stand, repetitions and the fifty-move rule do not count, and the hash table answers
    /// for its own depth only.
    const EXACT: bool;
}

/// To play: as deep as possible.
pub struct Normal;

impl SearchMode for Normal {
    const EXACT: bool = false;
}

/// The kind of a node, known when the program is compiled, and the kinds that its children may have: below a node that is
/// off the principal variation nothing is on it.
pub trait NodeType {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// See [`SearchMode::EXACT`].
    const EXACT: bool;
    /// What the first child is.
    type Child: NodeType;
    /// What a child searched with a null window is.
    type NullWindow: NodeType;
}

/// The root.
pub struct Root<P = Normal>(PhantomData<P>);
/// A node of the principal variation.
pub struct Pv<P = Normal>(PhantomData<P>);
/// Any other node: searched with a null window, to prove it worse or better than a bound.
pub struct NonPv<P = Normal>(PhantomData<P>);

impl<P: SearchMode> NodeType for Root<P> {
    const PV: bool = true;
    const ROOT: bool = true;
    const EXACT: bool = P::EXACT;
    type Child = Pv<P>;
    type NullWindow = NonPv<P>;
}

impl<P: SearchMode> NodeType for Pv<P> {
    const PV: bool = true;
    const ROOT: bool = false;
    const EXACT: bool = P::EXACT;
    type Child = Pv<P>;
    type NullWindow = NonPv<P>;
}

impl<P: SearchMode> NodeType for NonPv<P> {
    const PV: bool = false;
    const ROOT: bool = false;
    const EXACT: bool = P::EXACT;
    type Child = NonPv<P>;
    type NullWindow = NonPv<P>;
}

/// What a search returns: the score, or nothing because it was stopped.
pub type NodeResult = Result<Score, Stopped>;

/// What a node knows before it looks at its moves.
pub(super) struct Node<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// Expected to fail high: its parent expects to fail low.
    pub cut_node: bool,
    /// The hash table's entry.
    pub table: Option<TtEntry>,
    /// Its move, if it is legal here.
    pub table_move: Option<Move>,
    /// Its score, seen from this ply.
    pub table_score: Option<Score>,
    /// On the principal variation, now or in an earlier search.
    pub was_pv: bool,
    /// The evaluation as the hash table keeps it.
    pub raw_eval: Option<i32>,
    /// The corrected evaluation; without meaning in check.
    pub static_eval: i32,
    /// What was added to the evaluation for what searches of similar positions found.
    pub correction: i32,
    /// The best guess at the value: the table's score where its bound allows, else the static evaluation.
    pub eval: Score,
    /// Better off than two plies ago.
    pub improving: bool,
    /// The opponent's last move has made things better for this side.
    pub opponent_worsening: bool,
    /// A tablebase win gives a lower bound and a loss an upper one, where the search goes on all the same.
    pub floor: Score,
    pub ceiling: Score,
}

/// What is to be done with a move before it is searched.
enum Verdict {
    Search,
    Skip,
    /// Skip it: it is worth this much at best, which is not enough.
    Futile(Score),
    SkipAllQuiets,
}

impl Worker<'_> {
    /// Searches a position to a depth within a window.
    ///
    /// Returns a score that is exact inside of the window, a lower bound at `beta` or above and an upper bound at `alpha`
    /// or below; both may lie beyond the window (fail-soft).
    pub fn search<K: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> NodeResult {
        // 1. The horizon.
        if depth <= 0 && K::EXACT {
            self.enter_node(ply)?;
            return Ok(Self::leaf_score(position, ply));
        }
        if depth <= 0 {
            return self.quiescence::<K>(position, ply, alpha, beta, true);
        }
        self.enter_node(ply)?;
        if K::PV {
            self.clear_pv(ply);
        }
        let (mut alpha, mut beta) = (alpha, beta);

        // 2. Draws by rule, and bounds that need no search.
        if !K::ROOT
            && !K::EXACT
            && let Some(score) = self.known_score(position, ply, &mut alpha, &mut beta)
        {
            return Ok(score);
        }
        let excluded = self.entry(ply).excluded;

        // 3. The hash table.
        let mut node = self.look_up::<K>(position, ply, depth, alpha, beta, cut_node);
        if !K::PV
            && excluded.is_none()
            && let Some(score) = self.table_cutoff::<K>(&node)
        {
            return Ok(score);
        }

        // 4. The tablebases.
        if !K::ROOT
            && excluded.is_none()
            && let Some(score) = self.tablebase_score::<K>(&mut node)
        {
            return Ok(score);
        }

        // 5. The static evaluation.
        self.evaluate_node(&mut node);

        // The opponent's last move, seen by what the evaluation makes of it.
        if !K::ROOT && !K::EXACT && excluded.is_none() && !position.in_check() {
            self.judge_last_move(&node);
            self.reconsider_depth(&mut node);
        }

        // 6. Give up or cut the whole node.
        if !K::PV
            && !K::EXACT
            && excluded.is_none()
            && !position.in_check()
            && let Some(score) = self.prune_node(&mut node)?
        {
            return Ok(score);
        }

        // 7. Internal iterative reduction: without a move from the table the order is a guess, and a shallower search
        // finds one for the next time.
        if !K::EXACT
            && node.depth >= params::iir_min_depth()
            && node.table_move.is_none()
            && (K::PV || cut_node)
        {
            node.depth -= 1;
        }

        // 8. The moves.
        self.search_moves::<K>(node, excluded)
    }

    /// Searches the moves one by one until one fails high or none is left, and learns from the outcome.
    fn search_moves<K: NodeType>(
        &mut self,
        mut node: Node<'_>,
        excluded: Option<Move>,
    ) -> NodeResult {
        let (position, ply) = (node.position, node.ply);
        let alpha_before = node.alpha;
        let continuation = self.continuation(ply);
        let mut picker = Picker::all(node.table_move);
        let mut tried = Tried::default();
        let mut best = node.floor;
        let mut best_move = None;
        let mut move_count = 0;
        self.entry_mut(ply).double_extensions = self.entry_before(ply, 1).double_extensions;

        while let Some(m) = picker.next(Context {
            position,
            histories: &self.data.histories,
            continuation: &continuation,
        }) {
            if Some(m) == excluded || (K::ROOT && !self.is_searched_root_move(m)) {
                continue;
            }
            move_count += 1;
            if K::ROOT && self.id == 0 {
                self.report_current_move(m, move_count);
            }
            let quiet = !position.is_noisy(m);
            let history = match picker.history() {
                Some(history) => history,
                None if quiet => self.data.histories.quiets(position, &continuation).score(m),
                None => self.data.histories.noisy_score(position, m),
            };

            // 8a. Moves that are not worth a search. While the best score is a loss every move is.
            if !K::ROOT
                && !K::EXACT
                && !best.is_loss()
                && position.has_non_pawn_material(position.turn())
            {
                match self.judge_move(&node, m, quiet, history, move_count) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::Futile(score) => {
                        best = best.max(score);
                        continue;
                    }
                    Verdict::SkipAllQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // 8b. Extensions.
            let mut extension = 0;
            if !K::ROOT && !K::EXACT && Some(m) == node.table_move && excluded.is_none() {
                match self.singular::<K>(&node, m)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }
            if extension == 0 && !K::ROOT && !K::EXACT {
                extension = self.heuristic_extension(&node, m);
            }

            // 8c. The search.
            let nodes_before = self.nodes();
            let child = self.make(position, ply, m);
            let reduction =
                self.reduction::<K>(&node, &child, quiet, history, move_count, picker.stage());
            let score =
                self.search_move::<K>(&node, &child, best, extension, reduction, move_count);
            self.unmake();
            let score = score?;
            if K::ROOT {
                self.update_root_move(m, score, nodes_before, move_count, node.alpha, node.beta);
            }

            // 8d. The outcome.
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(m);
                    if K::PV && !K::ROOT {
                        self.update_pv(ply, m);
                    }
                    if score >= node.beta {
                        self.entry_mut(ply).cutoffs += 1;
                        break;
                    }
                    node.alpha = score;
                    // What remains has to beat a move that was searched to the full depth.
                    if !K::EXACT && node.depth > 2 && node.depth < 12 && !score.is_decisive() {
                        node.depth -= 1;
                    }
                }
            }
            if Some(m) != best_move {
                let _ = if quiet {
                    tried.quiets.try_push(m)
                } else {
                    tried.noisies.try_push(m)
                };
            }
        }

        // 9. Mate and stalemate.
        if move_count == 0 {
            return Ok(match excluded {
                Some(_) => node.alpha,
                None if position.in_check() => Score::mated_in(ply),
                None => Score::DRAW,
            });
        }

        // 10. Learn from the outcome.
        best = best.min(node.ceiling);
        if let Some(m) = best_move.filter(|_| best >= node.beta) {
            self.reward(&node, m, &tried);
        } else if best_move.is_none() && !K::ROOT && excluded.is_none() {
            self.reward_last_move(&node);
        }
        if !K::EXACT && best >= node.beta && !best.is_decisive() && !node.beta.is_decisive() {
            // A bound found far beyond the window with little depth is not worth its full size.
            best = Score::cp((best.raw() * node.depth + node.beta.raw()) / (node.depth + 1));
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if K::PV && best > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // What is found among some of the root's moves is not the position's value.
        let is_partial =
            K::ROOT && (self.root_range.0 > 0 || !self.shared.limits.searchmoves.is_empty());
        if excluded.is_none() && !is_partial {
            let entry = TtEntry::new(
                best_move,
                best,
                ply,
                node.raw_eval,
                node.depth,
                bound,
                node.was_pv,
            );
            self.shared.tt.store(position.key(), entry);
            self.learn_correction(&node, best, bound, best_move);
        }
        Ok(best)
    }

    /// Late move pruning, futility, history and exchange pruning of single moves.
    fn judge_move(
        &self,
        node: &Node<'_>,
        m: Move,
        quiet: bool,
        history: i32,
        move_count: usize,
    ) -> Verdict {
        let position = node.position;
        let reduced = (node.depth - self.base_reduction(node.depth, move_count) / 1024).max(0);
        if !quiet {
            let hope = Score::cp(
                node.static_eval
                    + pruning::noisy_futility_margin(reduced)
                    + position.captured(m).map_or(0, capture_value)
                    + history / params::noisy_history_divisor(),
            );
            if !position.in_check()
                && reduced <= params::futility_max_depth()
                && !node.alpha.is_decisive()
                && hope <= node.alpha
                && !m.is_promotion()
                && !position.gives_check(m)
            {
                return Verdict::Futile(hope);
            }
            let margin = pruning::see_noisy_margin(node.depth);
            let margin =
                margin - (history / params::noisy_history_divisor()).clamp(margin, -margin);
            return if position.see_ge(m, margin) {
                Verdict::Search
            } else {
                Verdict::Skip
            };
        }
        let limit = pruning::late_move_limit(node.depth, node.improving);
        if let Some(skill) = &self.shared.skill {
            if skill.always_sees(position, m) {
                return Verdict::Search;
            }
            if move_count > limit || skill.misses(position, m) {
                return Verdict::Skip;
            }
        }
        if move_count > limit + pruning::early_moves(self.root_depth) {
            return Verdict::SkipAllQuiets;
        }
        // A check may force what the static evaluation knows nothing of.
        if position.gives_check(m) {
            return if position.see_ge(m, pruning::see_noisy_margin(node.depth)) {
                Verdict::Search
            } else {
                Verdict::Skip
            };
        }
        let hope = Score::cp(node.static_eval + pruning::futility_margin(reduced));
        if !position.in_check()
            && reduced <= params::futility_max_depth()
            && !node.alpha.is_decisive()
            && hope <= node.alpha
        {
            return Verdict::Futile(hope);
        }
        if reduced <= params::history_pruning_max_depth()
            && history < pruning::history_threshold(node.depth)
        {
            return Verdict::Skip;
        }
        if !position.see_ge(m, pruning::see_quiet_margin(reduced)) {
            return Verdict::Skip;
        }
        Verdict::Search
    }

    /// Searches one move: shallower and with a null window where it is expected to fail low, to the full depth and with
    /// the full window as far as it does not.
    fn search_move<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        best: Score,
        extension: i32,
        reduction: i32,
        move_count: usize,
    ) -> NodeResult {
        let (ply, alpha, beta) = (node.ply + 1, node.alpha, node.beta);
        let mut depth = node.depth - 1 + extension;
        let mut score = Score::INFINITE;
        if node.depth >= 2 && move_count > 1 + usize::from(K::ROOT) {
            let reduced = (depth - reduction / 1024)
                .min(depth + i32::from(K::PV))
                .max(1);
            self.entry_mut(node.ply).reduction = depth - reduced;
            let result =
                self.search::<K::NullWindow>(child, ply, reduced, -alpha - 1, -alpha, true);
            self.entry_mut(node.ply).reduction = 0;
            score = -result?;
            if score > alpha && reduced < depth {
                // Much better than expected: look deeper still. Hardly better: not so deep.
                depth += i32::from(score > best + params::deeper_margin() + 2 * depth)
                    - i32::from(score < best + depth);
                if reduced < depth {
                    score = -self.search::<K::NullWindow>(
                        child,
                        ply,
                        depth,
                        -alpha - 1,
                        -alpha,
                        !node.cut_node,
                    )?;
                    if self.entry(node.ply).quiet.is_some() {
                        self.learn_from_research(node, score);
                    }
                }
            }
        } else if !K::PV || move_count > 1 {
            score = -self.search::<K::NullWindow>(
                child,
                ply,
                depth,
                -alpha - 1,
                -alpha,
                !node.cut_node,
            )?;
        }
        if K::PV && (move_count == 1 || score > alpha) {
            score = -self.search::<K::Child>(child, ply, depth, -beta, -alpha, false)?;
        }
        Ok(score)
    }
}
