//! One interior node of the search: principal variation search (NegaScout), fail-soft, in named stages.

use arrayvec::ArrayVec;

use super::history;
use super::params;
use super::picker::{Context, Picker, Stage};
use super::pruning;
use super::worker::{Stopped, Worker};
use crate::hash::Entry;
use crate::position::{Move, Position};
use crate::score::{Bound, MAX_PLY, Score};
use crate::tablebase::Wdl;

/// The kind of a node, known when the program is compiled, and the kind that its first child may have: below a node
/// that is off the principal variation nothing is on it.
pub trait Kind {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// What the first child is.
    type Child: Kind;
}

/// The root.
pub struct Root;
/// A node of the principal variation.
pub struct Pv;
/// Any other node: searched with a null window, to prove it worse or better than a bound.
pub struct NonPv;

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl Kind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}

/// What a search returns: the score, or nothing because it was stopped.
pub type SearchResult = Result<Score, Stopped>;

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
    pub table: Option<Entry>,
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
    /// The best guess at the value: the table's score where its bound allows, else the static evaluation.
    pub eval: Score,
    /// Better off than two plies ago.
    pub improving: bool,
    /// A tablebase win gives a lower bound and a loss an upper one, where the search goes on all the same.
    floor: Score,
    ceiling: Score,
}

/// The moves that were searched without success before a cut-off, to be punished.
#[derive(Default)]
struct Tried {
    quiets: ArrayVec<Move, 64>,
    noisies: ArrayVec<Move, 32>,
}

/// What is to be done with a move before it is searched.
enum Verdict {
    Search,
    Skip,
    SkipAllQuiets,
}

/// What the test for a singular move says.
enum Singular {
    /// Search the table's move this much deeper.
    Extend(i32),
    /// Several moves fail high: give up the node.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Searches a position to a depth within a window.
    ///
    /// Returns a score that is exact inside of the window, a lower bound at `beta` or above and an upper bound at `alpha`
    /// or below; both may lie beyond the window (fail-soft).
    pub fn search<K: Kind>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> SearchResult {
        // 1. The horizon.
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
            && let Some(score) = self.known_score(position, ply, &mut alpha, &mut beta)
        {
            return Ok(score);
        }
        let excluded = self.entry(ply).excluded;

        // 3. The hash table.
        let mut node = self.look_up::<K>(position, ply, depth, alpha, beta, cut_node);
        if !K::PV
            && excluded.is_none()
            && let Some(score) = self.table_cutoff(&node)
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

        // 6. Give up or cut the whole node.
        if !K::PV
            && excluded.is_none()
            && !position.in_check()
            && let Some(score) = self.prune_node(&mut node)?
        {
            return Ok(score);
        }

        // 7. Internal iterative reduction: without a move from the table the order is a guess, and a shallower search
        // finds one for the next time.
        if node.depth >= params::iir_min_depth() && node.table_move.is_none() && (K::PV || cut_node)
        {
            node.depth -= 1;
        }

        // 8. The moves.
        self.search_moves::<K>(node, excluded)
    }

    /// Scores that follow from the rules and from the distance to the root; tightens the window where they bound it.
    fn known_score(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        if self.is_draw(position) {
            return Some(self.draw_score());
        }
        if ply >= MAX_PLY {
            return Some(if position.in_check() {
                Score::DRAW
            } else {
                Score::cp(self.raw_eval(position))
            });
        }
        // Mate-distance pruning: no line from here is better than mate at once or worse than being mated now.
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Some(*alpha);
        }
        // The side to move can repeat a position if it wants to, so it has a draw at least.
        if *alpha < Score::DRAW && self.keys.has_upcoming_repetition(position) {
            *alpha = self.draw_score();
            if alpha >= beta {
                return Some(*alpha);
            }
        }
        None
    }

    fn look_up<'p, K: Kind>(
        &mut self,
        position: &'p Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> Node<'p> {
        let table = self.shared.hash.probe(position.key());
        let table_move = if K::ROOT {
            // The best move of the last iteration; the table's may be left out by MultiPV or searchmoves.
            self.root_moves
                .get(self.root_range.0)
                .map(|root_move| root_move.m)
        } else {
            table
                .and_then(|entry| entry.best)
                .filter(|&m| position.is_legal(m))
        };
        Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            table,
            table_move,
            table_score: table.map(|entry| entry.score(ply, position.halfmoves())),
            was_pv: K::PV || table.is_some_and(|entry| entry.pv),
            raw_eval: None,
            static_eval: 0,
            eval: Score::DRAW,
            improving: false,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }

    /// The table's score, if it was searched deep enough and its bound decides the window.
    ///
    /// Near the fifty-move rule a position is searched again: the table does not know how near it was.
    fn table_cutoff(&mut self, node: &Node<'_>) -> Option<Score> {
        let (entry, score) = (node.table?, node.table_score?);
        if entry.depth < node.depth
            || node.position.halfmoves() >= 90
            || !decides(entry.bound, score, node.beta)
        {
            return None;
        }
        if score >= node.beta
            && let Some(m) = node.table_move
            && !node.position.is_noisy(m)
        {
            let continuation = self.continuation(node.ply);
            self.memory.histories.update_quiet(
                node.position,
                &continuation,
                m,
                history::bonus(node.depth),
            );
        }
        Some(score)
    }

    /// Looks the position up in the tablebases. A decisive result bounds a node on the principal variation and cuts any
    /// other.
    fn tablebase_score<K: Kind>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        let tablebases = self
            .shared
            .tablebases
            .filter(|_| !self.shared.root_in_tablebases)?;
        let settings = self.shared.settings;
        let position = node.position;
        let men = position.occupied().count() as u32;
        let limit = settings.syzygy_probe_limit.min(tablebases.max_men() as u32);
        if men > limit
            || (men == limit && node.depth < settings.syzygy_probe_depth as i32)
            || position.halfmoves() != 0
        {
            return None;
        }
        let wdl = tablebases.probe_wdl(position)?;
        self.count_tbhit();
        let wdl = if settings.syzygy_50_move_rule {
            wdl
        } else {
            wdl.without_fifty_move_rule()
        };
        let score = wdl.score(node.ply);
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        if bound == Bound::Exact
            || decides(bound, score, node.beta) && (bound == Bound::Lower || score <= node.alpha)
        {
            let entry = Entry::new(
                None,
                score,
                node.ply,
                None,
                node.depth + 6,
                bound,
                node.was_pv,
            );
            self.shared.hash.store(position.key(), entry);
            return Some(score);
        }
        if K::PV {
            if bound == Bound::Lower {
                node.floor = score;
                node.alpha = node.alpha.max(score);
            } else {
                node.ceiling = score;
            }
        }
        None
    }

    /// Fills in the evaluation, and what follows from it.
    fn evaluate_node(&mut self, node: &mut Node<'_>) {
        let ply = node.ply;
        self.entry_mut(ply + 1).cutoffs = 0;
        if node.position.in_check() {
            self.entry_mut(ply).static_eval = None;
            return;
        }
        if let Some(known) = self
            .entry(ply)
            .static_eval
            .filter(|_| self.entry(ply).excluded.is_some())
        {
            // The search around a singular move has evaluated the position already.
            node.static_eval = known;
            node.eval = Score::cp(known);
        } else {
            let raw = match node.table.and_then(|entry| entry.static_eval()) {
                Some(raw) => raw,
                None => self.raw_eval(node.position),
            };
            node.raw_eval = Some(raw);
            node.static_eval = self.corrected_eval(node.position, ply, raw);
            node.eval = Score::cp(node.static_eval);
            self.entry_mut(ply).static_eval = Some(node.static_eval);
            if let (Some(entry), Some(score)) = (node.table, node.table_score)
                && !score.is_decisive()
                && bound_agrees(entry.bound, score, node.eval)
            {
                node.eval = score;
            }
        }
        let before = self
            .entry_before(ply, 2)
            .static_eval
            .or(self.entry_before(ply, 4).static_eval);
        node.improving = before.is_some_and(|before| node.static_eval > before);
    }

    /// Searches the moves one by one until one fails high or none is left, and learns from the outcome.
    fn search_moves<K: Kind>(
        &mut self,
        mut node: Node<'_>,
        excluded: Option<Move>,
    ) -> SearchResult {
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
            histories: &self.memory.histories,
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
                None if quiet => self
                    .memory
                    .histories
                    .quiet_score(position, &continuation, m),
                None => self.memory.histories.noisy_score(position, m),
            };

            // 8a. Moves that are not worth a search. While the best score is a loss every move is.
            if !K::ROOT && !best.is_loss() && position.has_pieces(position.turn()) {
                match self.judge_move(&node, m, quiet, history, move_count) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipAllQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // 8b. Extensions.
            let mut extension = 0;
            if !K::ROOT && Some(m) == node.table_move && excluded.is_none() {
                match self.singular::<K>(&node, m)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }
            if extension == 0 && !K::ROOT {
                extension = self.heuristic_extension::<K>(&node, m);
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
                    if node.depth > 2 && node.depth < 12 && !score.is_decisive() {
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
        if best >= node.beta && !best.is_decisive() && !node.beta.is_decisive() {
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
        if excluded.is_none() {
            if !(K::ROOT && self.root_range.0 > 0) {
                let entry = Entry::new(
                    best_move,
                    best,
                    ply,
                    node.raw_eval,
                    node.depth,
                    bound,
                    node.was_pv,
                );
                self.shared.hash.store(position.key(), entry);
            }
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
            let margin = pruning::see_noisy_margin(node.depth);
            return if position.see_ge(m, margin) {
                Verdict::Search
            } else {
                Verdict::Skip
            };
        }
        if move_count > pruning::late_move_limit(node.depth, node.improving) {
            return Verdict::SkipAllQuiets;
        }
        if params::keep_checks() > 0 && position.gives_check(m) {
            return Verdict::Search;
        }
        if !position.in_check()
            && reduced <= params::futility_max_depth()
            && !node.alpha.is_decisive()
            && Score::cp(node.static_eval + pruning::futility_margin(reduced)) <= node.alpha
        {
            return if params::keep_checks() > 0 {
                Verdict::Skip
            } else {
                Verdict::SkipAllQuiets
            };
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

    /// Singular extension: if, in a shallower search without it, everything but the table's move stays well below its
    /// score, the move is the only one and is searched deeper. If instead another move reaches beta too, the node will
    /// fail high whatever happens.
    fn singular<K: Kind>(&mut self, node: &Node<'_>, m: Move) -> Result<Singular, Stopped> {
        let (Some(entry), Some(score)) = (node.table, node.table_score) else {
            return Ok(Singular::Extend(0));
        };
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        if depth < params::singular_min_depth()
            || ply >= 2 * self.root_depth as usize
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || score.is_decisive()
        {
            return Ok(Singular::Extend(0));
        }
        let bar = score - pruning::singular_margin(depth);
        let static_eval = self.entry(ply).static_eval;
        self.entry_mut(ply).excluded = Some(m);
        let others =
            self.search::<NonPv>(position, ply, (depth - 1) / 2, bar - 1, bar, node.cut_node);
        let entry_now = self.entry_mut(ply);
        entry_now.excluded = None;
        entry_now.static_eval = static_eval;
        let others = others?;
        Ok(if others < bar {
            let double = !K::PV
                && others < bar - params::double_extension_margin()
                && self.entry(ply).double_extensions < 12;
            if double {
                self.entry_mut(ply).double_extensions += 1;
            }
            let triple =
                double && !position.is_noisy(m) && others < bar - params::triple_extension_margin();
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if bar >= beta && !bar.is_decisive() {
            Singular::MultiCut(bar)
        } else if score >= beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// The extensions of the literature: a check that loses nothing forces the answer, a recapture restores what the
    /// capture before it has upset, and a passed pawn on the seventh rank is about to become a queen.
    fn heuristic_extension<K: Kind>(&self, node: &Node<'_>, m: Move) -> i32 {
        let Node { position, ply, .. } = *node;
        if ply >= 2 * self.root_depth as usize {
            return 0;
        }
        let check =
            params::check_extension() > 0 && position.gives_check(m) && position.see_ge(m, 0);
        let recapture = params::recapture_extension() > 0
            && K::PV
            && position.is_noisy(m)
            && self.entry_before(ply, 1).played.square() == Some(m.to());
        let passed_pawn = params::passed_pawn_extension() > 0 && position.is_passed_pawn_push(m);
        i32::from(check || recapture || passed_pawn)
    }

    /// Late move reduction, in 1024ths of a ply: the later a move comes and the less it promises, the shallower it is
    /// searched at first.
    fn reduction<K: Kind>(
        &self,
        node: &Node<'_>,
        child: &Position,
        quiet: bool,
        history: i32,
        move_count: usize,
        stage: Stage,
    ) -> i32 {
        if node.depth < 2 || move_count <= 1 + usize::from(K::ROOT) {
            return 0;
        }
        let table_move_is_noisy = node.table_move.is_some_and(|m| node.position.is_noisy(m));
        let choose = |condition: bool, amount: i32| if condition { amount } else { 0 };
        self.base_reduction(node.depth, move_count)
            + choose(node.cut_node, params::lmr_cut_node())
            + choose(!node.improving, params::lmr_not_improving())
            + choose(table_move_is_noisy, params::lmr_noisy_table_move())
            + choose(self.entry(node.ply + 1).cutoffs > 3, params::lmr_cutoffs())
            - choose(node.was_pv, params::lmr_pv())
            - choose(K::PV, params::lmr_pv() / 2)
            - choose(child.in_check(), params::lmr_check())
            - choose(!quiet && stage <= Stage::GoodNoisy, 1024)
            - history * 1024 / params::lmr_history_divisor()
    }

    /// Searches one move: shallower and with a null window where it is expected to fail low, to the full depth and with
    /// the full window as far as it does not.
    fn search_move<K: Kind>(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        best: Score,
        extension: i32,
        reduction: i32,
        move_count: usize,
    ) -> SearchResult {
        let (ply, alpha, beta) = (node.ply + 1, node.alpha, node.beta);
        let mut depth = node.depth - 1 + extension;
        let mut score = Score::INFINITE;
        if node.depth >= 2 && move_count > 1 + usize::from(K::ROOT) {
            let reduced = (depth - reduction / 1024)
                .min(depth + i32::from(K::PV))
                .max(1);
            score = -self.search::<NonPv>(child, ply, reduced, -alpha - 1, -alpha, true)?;
            if score > alpha && reduced < depth {
                // Much better than expected: look deeper still. Hardly better: not so deep.
                depth += i32::from(score > best + 45 + 2 * depth) - i32::from(score < best + depth);
                if reduced < depth {
                    score = -self.search::<NonPv>(
                        child,
                        ply,
                        depth,
                        -alpha - 1,
                        -alpha,
                        !node.cut_node,
                    )?;
                }
            }
        } else if !K::PV || move_count > 1 {
            score = -self.search::<NonPv>(child, ply, depth, -alpha - 1, -alpha, !node.cut_node)?;
        }
        if K::PV && (move_count == 1 || score > alpha) {
            score = -self.search::<K::Child>(child, ply, depth, -beta, -alpha, false)?;
        }
        Ok(score)
    }

    /// Rewards the move that failed high and punishes those that were tried before it.
    fn reward(&mut self, node: &Node<'_>, m: Move, tried: &Tried) {
        let (position, ply) = (node.position, node.ply);
        let continuation = self.continuation(ply);
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        let histories = &mut self.memory.histories;
        if position.is_noisy(m) {
            histories.update_noisy(position, m, bonus);
        } else {
            histories.update_quiet(position, &continuation, m, bonus);
            for &other in &tried.quiets {
                histories.update_quiet(position, &continuation, other, -malus);
            }
        }
        for &other in &tried.noisies {
            histories.update_noisy(position, other, -malus);
        }
    }

    /// Every answer failed low: the opponent's last move, if it was a quiet one, was a good one.
    fn reward_last_move(&mut self, node: &Node<'_>) {
        let last = *self.entry_before(node.ply, 1);
        if params::fail_low_bonus() > 0 && last.quiet {
            let continuation = self.continuation_before(node.ply, 1);
            let bonus = history::bonus(node.depth) * params::fail_low_bonus() / 128;
            self.memory
                .histories
                .update_continuation(&continuation, last.played, bonus);
        }
    }

    /// Remembers by how much the search missed the static evaluation, where its result says anything about that: not for
    /// tactics, and not where a bound already agrees with the evaluation.
    fn learn_correction(
        &mut self,
        node: &Node<'_>,
        best: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        let position = node.position;
        let eval = Score::cp(node.static_eval);
        if position.in_check()
            || best_move.is_some_and(|m| position.is_noisy(m))
            || best.is_decisive()
            || (bound == Bound::Lower && best <= eval)
            || (bound == Bound::Upper && best >= eval)
        {
            return;
        }
        let continuation = self.continuation(node.ply);
        let error = best.raw() - eval.raw();
        self.memory
            .histories
            .update_correction(position, &continuation, node.depth, error);
    }
}

/// Whether a bound settles a null window that ends at beta.
#[inline]
fn decides(bound: Bound, score: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    }
}

/// Whether a bound says more than an evaluation: it lies on the side that the bound leaves open.
#[inline]
pub(super) fn bound_agrees(bound: Bound, score: Score, eval: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    }
}
