//! Quiescence: below the horizon captures and promotions are followed, and in check evasions, until the static evaluation can
//! be trusted.

use super::history::capture_value;
use super::known::bound_agrees;
use super::node::{NodeResult, NodeType};
use super::params;
use super::picker::{Context, Picker};
use super::worker::Worker;
use crate::position::Position;
use crate::score::{Bound, MAX_PLY, Score};
use crate::tt::TtEntry;

impl Worker<'_> {
    /// The value of a position with captures played out, within a window; fail-soft.
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
        let mut alpha = alpha;
        if alpha < Score::DRAW && self.keys.has_upcoming_repetition(position) {
            alpha = self.draw_score();
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        if self.is_draw(position) {
            return Ok(self.draw_score());
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY {
            return Ok(if in_check {
                Score::DRAW
            } else {
                Score::cp(self.raw_eval(position))
            });
        }

        // 1. The hash table.
        let table = self.shared.tt.probe(position.key());
        let table_score = table.map(|entry| entry.score(ply, position.halfmoves()));
        if !K::PV
            && let (Some(entry), Some(score)) = (table, table_score)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            }
        {
            return Ok(score);
        }
        let was_pv = K::PV || table.is_some_and(|entry| entry.is_pv);

        // 2. Standing pat: the side to move need not capture.
        let mut raw_eval = None;
        let mut best = -Score::INFINITE;
        let mut futility = -Score::INFINITE;
        if !in_check {
            let raw = match table.and_then(|entry| entry.raw_eval()) {
                Some(raw) => raw,
                None => self.raw_eval(position),
            };
            raw_eval = Some(raw);
            let static_eval = Score::cp(self.corrected_eval(position, ply, raw).0);
            best = static_eval;
            if let (Some(entry), Some(score)) = (table, table_score)
                && !score.is_decisive()
                && bound_agrees(entry.bound, score, static_eval)
            {
                best = score;
            }
            if best >= beta {
                if !beta.is_decisive() {
                    best = Score::cp((best.raw() + beta.raw()) / 2);
                }
                if table.is_none() {
                    let entry = TtEntry::new(None, best, ply, raw_eval, 0, Bound::Lower, was_pv);
                    self.shared.tt.store(position.key(), entry);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
            futility = static_eval + params::quiescence_futility_margin();
        }

        // 3. The moves.
        let table_move = table
            .and_then(|entry| entry.best_move)
            .filter(|&m| position.is_legal(m) && (in_check || position.is_noisy(m)));
        let mut picker = if in_check {
            Picker::all(table_move)
        } else if first_ply {
            Picker::noisy_and_checks(table_move)
        } else {
            Picker::noisy(table_move, Some(0))
        };
        let continuation = self.continuation(ply);
        let last_square = continuation[0].square();
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(Context {
            position,
            histories: &self.data.histories,
            continuation: &continuation,
        }) {
            move_count += 1;
            // While the best score is a loss nothing is left out: "mated" has to be true.
            if !best.is_loss() {
                if in_check {
                    // One quiet way out of check that is not lost is enough.
                    if !position.is_noisy(m) {
                        quiet_evasions += 1;
                        if quiet_evasions > 1 {
                            picker.skip_quiets();
                            continue;
                        }
                    }
                } else {
                    // Delta pruning: not even the captured piece brings the score near alpha.
                    let gain = position.captured(m).map_or(0, capture_value);
                    if !m.is_promotion() && !position.gives_check(m) {
                        if futility + gain <= alpha {
                            best = best.max(Score::cp((futility + gain).raw()).min(alpha));
                            continue;
                        }
                        // The best captures have failed: of the others, one that takes back is worth a look.
                        if move_count > params::quiescence_moves() && Some(m.to()) != last_square {
                            continue;
                        }
                    }
                    // The picker has weighed the captures, but neither the table's move nor checks.
                    if (Some(m) == table_move || !position.is_noisy(m)) && !position.see_ge(m, 0) {
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
            best = Score::cp((best.raw() + beta.raw()) / 2);
        }

        // 4. Remember.
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = TtEntry::new(best_move, best, ply, raw_eval, 0, bound, was_pv);
        self.shared.tt.store(position.key(), entry);
        Ok(best)
    }
}
