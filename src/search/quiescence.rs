//! Quiescence search: below the horizon only captures, promotions, evasions when in check, and at
//! first quiet checks are searched, until the static evaluation can be trusted.

use super::history::capture_value;
use super::move_picker::{MovePicker, PickerContext};
use super::node::{NodeResult, NodeType, bound_decides, proven_bound};
use super::params;
use super::worker::Worker;
use crate::position::Position;
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

impl Worker<'_> {
    /// Searches a position until no captures are left, within a window; fail-soft. Quiet checks are
    /// searched too at the first ply.
    pub fn quiescence<K: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: Score,
        beta: Score,
        first_ply: bool,
    ) -> NodeResult {
        self.enter_node(ply)?;
        if K::PV {
            self.clear_pv(ply);
        }
        let (alpha_before, mut alpha) = (alpha, alpha);

        // 1. Draws by rule, and the transposition table.
        if let Some(score) = self.draw_or_max_ply(position, ply) {
            return Ok(score);
        }
        if let Some(score) = self.upcoming_repetition(position, &mut alpha, beta) {
            return Ok(score);
        }
        let proven = proven_bound(alpha_before, alpha);
        let (tt_entry, tt_score) = self.probe_tt(position, ply);
        if !K::PV
            && let (Some(entry), Some(score)) = (tt_entry, tt_score)
            && bound_decides(entry.bound, score, beta)
        {
            return Ok(score);
        }
        let tt_pv = K::PV || tt_entry.is_some_and(|entry| entry.is_pv);

        // 2. Standing pat: the side to move need not capture.
        let in_check = position.in_check();
        let mut raw_eval = None;
        let mut best = -Score::INFINITE;
        let mut futility_base = -Score::INFINITE;
        if !in_check {
            let eval = self.static_eval(position, ply, tt_entry, tt_score);
            raw_eval = Some(eval.raw);
            best = eval.refined;
            if best >= beta {
                if !beta.is_decisive() {
                    best = midpoint(best, beta);
                }
                if tt_entry.is_none() {
                    let entry = TtEntry::new(None, best, ply, raw_eval, 0, Bound::Lower, tt_pv);
                    self.shared.request.tt.store(position.search_key(), entry);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
            futility_base = Score::cp(eval.corrected) + params::quiescence_futility_margin();
        }

        // 3. The moves.
        let tt_move = tt_entry
            .and_then(|entry| entry.best_move)
            .filter(|&m| position.is_legal(m) && (in_check || position.is_noisy(m)));
        let mut picker = if in_check {
            MovePicker::all(tt_move)
        } else if first_ply {
            MovePicker::noisy_and_checks(tt_move)
        } else {
            MovePicker::noisy(tt_move, Some(0))
        };
        let continuation = self.continuation(ply);
        let last_square = continuation[0].square();
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(PickerContext {
            position,
            histories: &self.thread.histories,
            continuation: &continuation,
        }) {
            move_count += 1;
            // While the best score is a loss every move is searched: a mate score has to be true.
            if !best.is_loss() {
                if in_check {
                    // One quiet evasion that does not lose is enough.
                    if !position.is_noisy(m) {
                        quiet_evasions += 1;
                        if quiet_evasions > params::quiescence_quiet_evasions() {
                            picker.skip_quiets();
                            continue;
                        }
                    }
                } else {
                    // In the middle of an exchange the evaluation says little.
                    let is_recapture = Some(m.to()) == last_square;
                    // Delta pruning: even with the captured piece the score stays below alpha.
                    let gain = position.captured(m).map_or(0, capture_value);
                    let futility_value = futility_base + gain;
                    let is_futile = futility_value <= alpha;
                    // After the best captures have failed, the rest is not searched either.
                    if (is_futile || move_count > params::quiescence_moves())
                        && !is_recapture
                        && !m.is_promotion()
                        && !picker.gives_check(position, m)
                    {
                        if is_futile {
                            best = best.max(Score::cp(futility_value.raw()));
                        }
                        continue;
                    }
                    // The picker has tested captures, but neither the TT move nor checks.
                    if (Some(m) == tt_move || !position.is_noisy(m)) && !position.see_ge(m, 0) {
                        continue;
                    }
                }
            }
            let child = self.make(position, ply, m);
            let score = self.quiescence::<K::Child>(&child, ply + 1, -beta, -alpha, false);
            self.unmake();
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if K::PV {
                        self.update_pv(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if in_check && move_count == 0 {
            return Ok(Score::mated_in(ply));
        }
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = midpoint(best, beta);
        }

        // 4. The transposition table.
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = TtEntry::new(best_move, best, ply, raw_eval, 0, bound, tt_pv);
        self.shared.request.tt.store(position.search_key(), entry);
        Ok(best.max(proven))
    }
}

/// Returns the mean of a score and beta: a bound found without a search is not trusted in full.
#[inline]
fn midpoint(score: Score, beta: Score) -> Score {
    Score::cp((score.raw() + beta.raw()) / 2)
}
