//! Every tunable number of the search in one table: name, value, range.
//!
//! In a normal build the parameters are constants. The feature `tuning` makes them variables, which
//! are settable as UCI options and printed for an SPSA tuner. Fractions of a ply are in 1024ths,
//! shares in 128ths, scores in centipawns.
//!
//! `docs/tuning-history.md` says where the values come from.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline]
            pub fn $name() -> i32 {
                tuning::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// The parameters as variables.
        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals)]
        pub mod tuning {
            use std::sync::atomic::{AtomicI32, Ordering};

            $(pub(super) static $name: AtomicI32 = AtomicI32::new($value);)*

            /// The name, initial value, minimum and maximum of each parameter.
            pub const TABLE: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $min, $max)),*];

            /// Sets a parameter, clamped to its range. Returns false when none has this name.
            pub fn set(name: &str, value: i64) -> bool {
                match name {
                    $(stringify!($name) => {
                        $name.store(value.clamp($min, $max) as i32, Ordering::Relaxed);
                        true
                    })*
                    _ => false,
                }
            }

            /// Formats the table for OpenBench's SPSA tuner: name, type, value, minimum, maximum,
            /// step, rate. OpenBench refuses an empty line, so the last line has no newline.
            pub fn spsa() -> String {
                let lines: Vec<String> = TABLE
                    .iter()
                    .map(|&(name, value, min, max)| {
                        let step = (f64::from(max - min) / 20.0).max(0.5);
                        format!("{name}, int, {value}, {min}, {max}, {step:.1}, 0.002")
                    })
                    .collect();
                lines.join("\n")
            }
        }

        #[cfg(test)]
        const RANGES: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $min, $max)),*];
    };
}

parameters! {
    /// Half the width of the first aspiration window, in centipawns.
    aspiration_delta = 16, 5 ..= 40;
    /// The minimum depth for an aspiration window.
    aspiration_min_depth = 4, 2 ..= 8;
    /// Growth of the half width with each failed search, in 128ths.
    aspiration_growth = 73, 16 ..= 256;
    /// The half width beyond which the window is opened completely, in centipawns.
    aspiration_max_delta = 600, 200 ..= 2000;

    /// Transposition table: the maximum depth at which a score is searched again when it
    /// contradicts the expected node type.
    tt_recheck_max_depth = 5, 0 ..= 12;
    /// Plies without progress at which the evaluation would reach zero. The fifty-move rule ends
    /// the game at 100.
    fifty_move_scale = 221, 120 ..= 400;
    /// Growth of the evaluation with each piece on the board beyond 16, in 4096ths: who stands
    /// better keeps pieces.
    material_scale = 24, 0 ..= 128;
    /// Optimism: the most that the evaluation moves in favour of the side that stands better at the
    /// root, in centipawns.
    optimism = 9, 0 ..= 100;
    /// Optimism: the score of the root at which half of that is reached, in centipawns.
    optimism_half_score = 60, 10 ..= 300;

    /// Razoring: maximum depth.
    razoring_max_depth = 4, 1 ..= 6;
    /// Razoring: margin at depth 0, in centipawns.
    razoring_base = 306, 100 ..= 500;
    /// Razoring: growth of the margin with the square of the depth.
    razoring_factor = 265, 50 ..= 400;

    /// Reverse futility: maximum depth.
    reverse_futility_max_depth = 8, 4 ..= 14;
    /// Reverse futility: margin per ply of depth, in centipawns.
    reverse_futility_factor = 60, 40 ..= 150;
    /// Reverse futility: decrease of the margin when the evaluation is improving.
    reverse_futility_improving = 31, 20 ..= 150;
    /// Reverse futility: decrease of the margin when the opponent's last move was a mistake.
    reverse_futility_worsening = 23, 0 ..= 80;
    /// Reverse futility: increase of the margin by the size of the correction, in 128ths.
    reverse_futility_correction = 64, 0 ..= 256;

    /// Null move: minimum depth.
    null_move_min_depth = 3, 2 ..= 5;
    /// Null move: reduction in plies.
    null_move_base = 4, 2 ..= 6;
    /// Null move: depth per additional ply of reduction.
    null_move_divisor = 5, 2 ..= 6;
    /// Null move: centipawns above beta per additional ply of reduction.
    null_move_eval_divisor = 150, 80 ..= 400;
    /// Null move: maximum reduction for centipawns above beta, in plies.
    null_move_eval_max = 5, 0 ..= 6;
    /// Null move: centipawns that the static evaluation has to be above beta at depth 0.
    null_move_margin = 109, 0 ..= 300;
    /// Null move: decrease of that margin per ply of depth.
    null_move_depth_factor = 18, 0 ..= 50;
    /// Null move: minimum depth for a verification search.
    null_move_verification_depth = 14, 8 ..= 20;
    /// Null move: share of the verification search in which no null move is allowed, in 128ths.
    null_move_verification_share = 96, 32 ..= 128;

    /// ProbCut: minimum depth.
    probcut_min_depth = 5, 3 ..= 8;
    /// ProbCut: margin above beta, in centipawns.
    probcut_margin = 174, 80 ..= 350;
    /// ProbCut: decrease of the margin when the evaluation is improving.
    probcut_improving = 37, 0 ..= 150;
    /// ProbCut: reduction of the confirming search, in plies.
    probcut_reduction = 4, 2 ..= 6;

    /// Internal iterative reduction: minimum depth.
    iir_min_depth = 4, 2 ..= 8;

    /// Internal iterative reduction: plies by which the TT entry may be shallower than the
    /// node.
    iir_tt_depth_margin = 4, 2 ..= 12;

    /// Late move pruning: moves of any kind at depth 0 before quiet moves are skipped.
    lmp_base = 4, 1 ..= 8;
    /// Late move pruning: additional moves per square of the depth, in 128ths.
    lmp_factor = 135, 48 ..= 256;
    /// Futility: maximum reduced depth.
    futility_max_depth = 8, 4 ..= 12;
    /// Futility: margin of a quiet move at depth 0, in centipawns.
    futility_base = 81, 20 ..= 200;
    /// Futility: margin of a quiet move per ply, in centipawns.
    futility_factor = 68, 40 ..= 200;
    /// Futility: margin of a capture at depth 0, in centipawns.
    noisy_futility_base = 188, 80 ..= 400;
    /// Futility: margin of a capture per ply, in centipawns.
    noisy_futility_factor = 188, 80 ..= 320;
    /// Futility and SEE pruning: history of a capture that counts for a centipawn.
    noisy_history_divisor = 34, 8 ..= 80;
    /// History pruning: maximum reduced depth.
    history_pruning_max_depth = 6, 2 ..= 8;
    /// History pruning: quiet history per ply below which a move is pruned, negated.
    history_pruning_factor = 2574, 1000 ..= 8000;
    /// SEE pruning: allowed loss of a quiet move per square of the reduced depth, in
    /// centipawns.
    see_quiet_factor = 23, 10 ..= 60;
    /// SEE pruning: allowed loss of a noisy move per ply, in centipawns.
    see_noisy_factor = 97, 40 ..= 180;

    /// Singular extension: minimum depth.
    singular_min_depth = 7, 5 ..= 10;
    /// Singular extension: plies by which the TT entry may be shallower than the node.
    singular_tt_depth_margin = 3, 1 ..= 6;
    /// Singular extension: centipawns per ply below the TT score that the other moves have to
    /// stay, in 128ths.
    singular_margin = 133, 64 ..= 512;
    /// Singular extension: additional centipawns per ply in a node that was on a principal
    /// variation, in 128ths.
    singular_margin_tt_pv = 73, 0 ..= 400;
    /// Singular extension: centipawns below that for a double extension.
    double_extension_margin = 18, 5 ..= 60;
    /// Singular extension: centipawns below that for a triple extension.
    triple_extension_margin = 94, 40 ..= 200;
    /// Singular extension: maximum number of double extensions in a line.
    double_extension_limit = 12, 2 ..= 30;
    /// Singular extension: maximum ply, in multiples of the iteration's depth.
    extension_max_ply = 2, 1 ..= 4;
    /// Low-depth singular extension: centipawns that the evaluation has to be below alpha.
    low_depth_singular_margin = 26, 0 ..= 200;
    /// Plies that the TT move loses when it is not singular and its score reaches beta.
    negative_extension = 2, 0 ..= 4;
    /// Plies that the TT move loses when it is not singular in an expected cut node.
    negative_extension_cut_node = 1, 0 ..= 4;

    /// Late move reduction at depth 1 and move 1, in 1024ths of a ply.
    lmr_base = 1149, 200 ..= 1400;
    /// Late move reduction: divisor of log depth times log move number, in hundredths.
    lmr_divisor = 209, 150 ..= 350;
    /// Late move reduction: increase in an expected cut node, in 1024ths of a ply.
    lmr_cut_node = 1555, 0 ..= 3000;
    /// Late move reduction: additional increase in an expected cut node without a move from the
    /// table.
    lmr_cut_node_no_tt_move = 964, 0 ..= 3000;
    /// Late move reduction: decrease in a node that is or was on a principal variation.
    lmr_tt_pv = 889, 0 ..= 2500;
    /// Late move reduction: additional decrease in a node on the principal variation.
    lmr_pv_node = 480, 0 ..= 1250;
    /// Late move reduction: increase when the evaluation is not improving.
    lmr_not_improving = 1114, 0 ..= 2000;
    /// Late move reduction: decrease for a move that gives check.
    lmr_check = 997, 0 ..= 2000;
    /// Late move reduction: increase when the TT move is noisy.
    lmr_noisy_tt_move = 710, 0 ..= 2000;
    /// Late move reduction, and pruning of quiet moves: history that decreases the reduction by one
    /// ply.
    lmr_history_divisor = 8450, 4000 ..= 20000;
    /// Late move reduction: increase when many children failed high.
    lmr_cutoffs = 1042, 0 ..= 2000;
    /// Late move reduction: the number of children that is not many yet.
    lmr_cutoff_count = 3, 0 ..= 8;
    /// Late move reduction: decrease for each centipawn of correction, in 1024ths of a ply.
    lmr_correction = 5, 0 ..= 20;
    /// Late move reduction: decrease for a capture that does not lose material.
    lmr_good_noisy = 940, 0 ..= 2500;
    /// Late move reduction: increase for a capture.
    lmr_noisy = 9, -1500 ..= 1500;
    /// After a reduced search: centipawns above the best score for another ply, at depth 0.
    deeper_margin = 55, 10 ..= 120;
    /// After a reduced search: increase of that margin per ply, in centipawns.
    deeper_depth_factor = 1, 0 ..= 8;
    /// After a reduced search: centipawns per ply above the best score below which a ply is saved.
    shallower_depth_factor = 1, 0 ..= 8;
    /// Hindsight: reduction from which a ply is given back, in plies.
    hindsight_deeper_reduction = 4, 1 ..= 6;
    /// Hindsight: reduction from which another ply is saved, in plies.
    hindsight_shallower_reduction = 2, 1 ..= 6;
    /// Hindsight: sum of both sides' evaluations above which that ply is saved, in centipawns.
    hindsight_margin = 192, 40 ..= 400;
    /// After alpha is raised: minimum depth at which the remaining moves lose a ply.
    alpha_raise_min_depth = 3, 2 ..= 6;
    /// After alpha is raised: maximum depth at which the remaining moves lose a ply.
    alpha_raise_max_depth = 9, 6 ..= 20;

    /// Quiescence: value that a capture may add beyond the captured piece, in centipawns.
    quiescence_futility_margin = 200, 60 ..= 400;
    /// Quiescence: moves after which only recaptures, promotions and checks are searched.
    quiescence_moves = 3, 1 ..= 8;
    /// Quiescence: quiet evasions searched.
    quiescence_quiet_evasions = 1, 1 ..= 4;

    /// History: bonus per ply.
    history_bonus_factor = 212, 60 ..= 320;
    /// History: constant decrease of the bonus.
    history_bonus_offset = 78, 0 ..= 300;
    /// History: maximum bonus.
    history_bonus_max = 1810, 800 ..= 3000;
    /// History: centipawns above beta from which a cutoff counts for another ply.
    history_clear_cutoff_margin = 38, 0 ..= 400;
    /// History: malus per ply.
    history_malus_factor = 229, 60 ..= 400;
    /// History: maximum malus.
    history_malus_max = 1446, 500 ..= 2500;
    /// Prior-countermove bonus: share of the usual bonus, in 128ths.
    prior_countermove_bonus = 98, 0 ..= 256;
    /// Prior-countermove bonus of a capture or promotion: share of the usual bonus, in 128ths.
    prior_capture_bonus = 64, 0 ..= 256;
    /// Eval-difference history: bonus per centipawn gained beyond the usual.
    eval_diff_factor = 7, 0 ..= 20;
    /// Eval-difference history: the usual loss of the sum of both sides' evaluations, in
    /// centipawns.
    eval_diff_offset = 10, 0 ..= 80;
    /// Eval-difference history: maximum bonus and malus.
    eval_diff_max = 580, 100 ..= 1600;
    /// Post-LMR continuation bonus: share of the usual bonus, in 128ths.
    post_lmr_bonus = 108, 0 ..= 256;

    /// Quiet ordering: weight of the move's own history, in 128ths.
    history_weight_quiet = 126, 32 ..= 320;
    /// Quiet ordering: weight of the continuation history one ply back, in 128ths.
    history_weight_last = 101, 32 ..= 320;
    /// Quiet ordering: weight of the continuation history two plies back, in 128ths.
    history_weight_second = 112, 32 ..= 320;
    /// Quiet ordering: weight of the continuation history four plies back, in 128ths.
    history_weight_fourth = 53, 0 ..= 320;
    /// Quiet ordering: weight of the pawn history, in 128ths.
    history_weight_pawn = 128, 32 ..= 320;
    /// Quiet ordering: bonus of a piece that escapes a pawn's attack.
    escape_pawn = 8014, 1000 ..= 20000;
    /// Quiet ordering: bonus of a rook that escapes a minor piece's attack.
    escape_minor = 14784, 1000 ..= 30000;
    /// Quiet ordering: bonus of a queen that escapes a rook's attack.
    escape_rook = 23806, 1000 ..= 32000;
    /// Quiet ordering: bonus of a move that gives check.
    check_bonus = 8000, 0 ..= 12000;
    /// Capture ordering: weight of a captured centipawn, in 128ths of a point of history.
    noisy_victim_weight = 1196, 256 ..= 2560;
    /// Capture ordering: score that lowers the exchange threshold of a good capture by a centipawn.
    good_noisy_divisor = 31, 8 ..= 80;

    /// Correction history: share of the error learned at depth 1, in 128ths.
    correction_rate = 23, 4 ..= 40;
    /// Correction history: weight of the pawn correction, in 128ths.
    correction_pawn = 51, 0 ..= 128;
    /// Correction history: weight of the minor piece correction, in 128ths.
    correction_minor = 47, 0 ..= 128;
    /// Correction history: weight of each non-pawn correction, in 128ths.
    correction_non_pawn = 64, 0 ..= 128;
    /// Correction history: weight of the continuation correction two plies back, in 128ths.
    correction_continuation = 67, 0 ..= 128;
    /// Correction history: weight of the continuation correction four plies back, in 128ths.
    correction_continuation_fourth = 60, 0 ..= 128;

    /// Time: the assumed number of remaining moves; moves to the next time control count up to a few
    /// more.
    time_horizon = 22, 10 ..= 60;
    /// Time: share of the remaining moves that are expected to take time when pondering, in 128ths.
    time_ponder_share = 102, 64 ..= 128;
    /// Time: share of the increment that is spent at once, in 128ths.
    time_increment_share = 96, 0 ..= 128;
    /// Time: the hard limit in soft limits, in 128ths.
    time_hard_factor = 640, 128 ..= 1280;
    /// Time: share of the budget when the best move has just changed, in 128ths.
    time_stability_base = 205, 64 ..= 320;
    /// Time: decrease of that share with each iteration that keeps the best move.
    time_stability_step = 15, 0 ..= 64;
    /// Time: the least that it decreases to.
    time_stability_min = 96, 16 ..= 128;
    /// Time: centipawns of a falling score that double the time, within the limits below.
    time_score_scale = 120, 40 ..= 400;
    /// Time: minimum share of the budget when the score rises, in 128ths.
    time_score_min = 96, 16 ..= 128;
    /// Time: maximum share of the budget when the score falls, in 128ths.
    time_score_max = 192, 128 ..= 384;
    /// Time: share of the budget when the best move took no nodes, in 128ths.
    time_effort_base = 224, 128 ..= 320;
    /// Time: decrease of that share when it took all of them.
    time_effort_slope = 160, 0 ..= 320;
    /// Time: the least of that share.
    time_effort_min = 70, 16 ..= 128;
    /// Time: the most of that share.
    time_effort_max = 192, 128 ..= 384;
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_lie_in_their_ranges() {
        for &(name, value, min, max) in super::RANGES {
            assert!(min < max && (min..=max).contains(&value), "{name}");
        }
    }
}
