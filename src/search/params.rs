//! All numbers that the search is tuned with, in one table: name, value, range.
//!
//! In a normal build they are constants. The feature `tuning` makes them variables, settable as UCI options and printed
//! for an SPSA tuner.
//!
//! They were tuned on 23 November 2026 with network 7, by SPSA from openings of UHO 4060, in two rounds:
//!
//! | numbers | games | nodes a move | of the way gone | Elo at 1+0.01 (SPRT [0, 20] accepted) |
//! |---|---|---|---|---|
//! | 35 | 12,700 | 5,000 | 3/4 | +38 +- 22 in 370 games (LLR 2.95) |
//! | 64 | 9,784 | 6,000 | 4/5 | +15 +- 12 in 1,192 games (LLR 3.02) |
//!
//! Each was moved by a sixteenth to a seventh of its range. Beside the numbers, the first match had corrections that are
//! fetched ahead, the second what came with the new numbers: noisy futility, an opponent who is worsening, depth in
//! hindsight, histories that learn from evaluations and from searches again, fewer captures in quiescence. What each is worth
//! alone was not measured. A test that stops at its bound overstates the gain. All of the way of the first round, without the
//! corrections: +5 +- 20 in 400, broken off.

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

            /// A parameter's name, value at the start, smallest and largest value.
            pub const TABLE: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $min, $max)),*];

            /// Sets a parameter, clamped to its range. Says whether there is one of this name.
            pub fn set(name: &str, value: i64) -> bool {
                match name {
                    $(stringify!($name) => {
                        $name.store(value.clamp($min, $max) as i32, Ordering::Relaxed);
                        true
                    })*
                    _ => false,
                }
            }

            /// The table in the form that OpenBench's SPSA tuner reads: name, type, value, minimum, maximum, step, rate.
            pub fn spsa() -> String {
                TABLE
                    .iter()
                    .map(|&(name, value, min, max)| {
                        let step = (f64::from(max - min) / 20.0).max(0.5);
                        format!("{name}, int, {value}, {min}, {max}, {step:.1}, 0.002\n")
                    })
                    .collect()
            }
        }

        #[cfg(test)]
        const RANGES: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $min, $max)),*];
    };
}

parameters! {
    /// Half width of the first aspiration window, in centipawns.
    aspiration_delta = 15, 5 ..= 40;
    /// The first depth with an aspiration window.
    aspiration_min_depth = 4, 2 ..= 8;

    /// Deepest razored node.
    razoring_max_depth = 3, 1 ..= 6;
    /// Razoring margin at depth 0, in centipawns.
    razoring_base = 320, 100 ..= 500;
    /// Growth of the razoring margin with the square of the depth.
    razoring_factor = 214, 50 ..= 400;

    /// Deepest node for reverse futility.
    reverse_futility_max_depth = 9, 4 ..= 14;
    /// Reverse futility margin for each ply of depth, in centipawns.
    reverse_futility_factor = 60, 40 ..= 150;
    /// What an improving evaluation takes off the reverse futility margin.
    reverse_futility_improving = 39, 20 ..= 150;
    /// What an opponent whose last move has made things worse takes off the reverse futility margin.
    reverse_futility_worsening = 27, 0 ..= 80;

    /// Shallowest null move.
    null_move_min_depth = 3, 2 ..= 5;
    /// Null move reduction in plies.
    null_move_base = 4, 2 ..= 6;
    /// Depth for each further ply of null move reduction.
    null_move_divisor = 4, 2 ..= 6;
    /// Centipawns above beta for each further ply of null move reduction.
    null_move_eval_divisor = 198, 80 ..= 400;
    /// Centipawns above beta that the static evaluation has to be for a null move at depth 0.
    null_move_margin = 112, 0 ..= 300;
    /// What each ply of depth takes off that, in centipawns.
    null_move_depth_factor = 19, 0 ..= 50;
    /// Depth from which a null move cut-off is verified.
    null_move_verification_depth = 14, 8 ..= 20;

    /// Shallowest ProbCut.
    probcut_min_depth = 5, 3 ..= 8;
    /// ProbCut margin above beta, in centipawns.
    probcut_margin = 178, 80 ..= 350;

    /// Shallowest internal iterative reduction.
    iir_min_depth = 4, 2 ..= 8;

    /// Late move pruning: quiet moves searched at depth 0.
    lmp_base = 5, 1 ..= 8;
    /// Late move pruning: quiet moves searched beyond that, for the square of the depth, in 128ths.
    lmp_factor = 142, 48 ..= 256;
    /// Late move pruning: moves more for each iteration that is missing to the number below.
    lmp_early_moves = 6, 0 ..= 16;
    /// Iterations until late move pruning is at its full strength.
    lmp_early_iterations = 8, 1 ..= 16;
    /// Deepest futility pruned quiet move, in reduced plies.
    futility_max_depth = 8, 4 ..= 12;
    /// Futility margin at depth 0, in centipawns.
    futility_base = 71, 20 ..= 200;
    /// Futility margin for each ply, in centipawns.
    futility_factor = 78, 40 ..= 200;
    /// Futility margin of a capture at depth 0, in centipawns.
    noisy_futility_base = 206, 80 ..= 400;
    /// Futility margin of a capture for each ply, in centipawns.
    noisy_futility_factor = 188, 80 ..= 320;
    /// History of a capture that counts for a centipawn.
    noisy_history_divisor = 34, 8 ..= 80;
    /// Deepest history pruned move, in reduced plies.
    history_pruning_max_depth = 5, 2 ..= 8;
    /// Quiet history below which a move is pruned, for each ply, negated.
    history_pruning_factor = 2350, 1000 ..= 8000;
    /// Exchange loss that a quiet move may have, for each reduced ply squared, in centipawns.
    see_quiet_factor = 24, 10 ..= 60;
    /// Exchange loss that a noisy move may have, for each ply, in centipawns.
    see_noisy_factor = 84, 40 ..= 180;

    /// Shallowest singular extension.
    singular_min_depth = 7, 5 ..= 10;
    /// Centipawns below the table's score, for 16 plies, that the other moves have to stay.
    singular_margin = 15, 8 ..= 64;
    /// Centipawns below that for a double extension.
    double_extension_margin = 20, 5 ..= 60;
    /// Centipawns below that for a triple extension.
    triple_extension_margin = 88, 40 ..= 200;

    /// Plies by which the advance of a passed pawn to the seventh rank is extended.
    passed_pawn_extension = 0, 0 ..= 1;

    /// Late move reduction at depth 1 and move 1, in 1024ths of a ply.
    lmr_base = 990, 200 ..= 1400;
    /// Divisor of log depth times log move number, in hundredths.
    lmr_divisor = 192, 150 ..= 350;
    /// More reduction in a node expected to fail high, in 1024ths of a ply.
    lmr_cut_node = 1480, 0 ..= 3000;
    /// Less reduction in a node that is or was on a principal variation.
    lmr_pv = 960, 0 ..= 2500;
    /// More reduction when the evaluation is not improving.
    lmr_not_improving = 1240, 0 ..= 2000;
    /// Less reduction for a move that gives check.
    lmr_check = 960, 0 ..= 2000;
    /// More reduction when the table's move is noisy.
    lmr_noisy_table_move = 710, 0 ..= 2000;
    /// Quiet history for one ply less.
    lmr_history_divisor = 8450, 4000 ..= 20000;
    /// More reduction below nodes whose children failed high often.
    lmr_cutoffs = 990, 0 ..= 2000;
    /// Less reduction for each centipawn that the evaluation was corrected by, in 1024ths of a ply.
    lmr_correction = 5, 0 ..= 20;
    /// Less reduction for a capture that does not lose material.
    lmr_good_noisy = 990, 0 ..= 2500;
    /// More reduction for any capture.
    lmr_noisy = 9, -1500 ..= 1500;
    /// Centipawns above the best score for a ply more after a reduced search, at depth 0.
    deeper_margin = 48, 10 ..= 120;
    /// The sum of the two sides' evaluations, in centipawns, above which a reduced node is searched a ply less deep.
    hindsight_margin = 168, 40 ..= 400;

    /// History bonus for each ply.
    history_bonus_factor = 182, 60 ..= 320;
    /// History bonus subtracted once.
    history_bonus_offset = 87, 0 ..= 300;
    /// Largest history bonus.
    history_bonus_max = 1810, 800 ..= 3000;
    /// History malus for each ply.
    history_malus_factor = 260, 60 ..= 400;
    /// Largest history malus.
    history_malus_max = 1360, 500 ..= 2500;

    /// Quiescence: what a capture may add beyond the captured piece, in centipawns.
    quiescence_futility_margin = 176, 60 ..= 400;
    /// Quiescence: captures that are searched beside those that take back.
    quiescence_moves = 2, 1 ..= 8;
    /// History bonus, in 128ths of the usual, for a quiet move that all answers fail low against.
    fail_low_bonus = 98, 0 ..= 256;
    /// History bonus of a quiet move for each centipawn by which the evaluation has gained from it more than usual.
    swing_factor = 6, 0 ..= 20;
    /// What a move usually gains in evaluation, in centipawns, times -1, from both sides' views together.
    swing_offset = 9, 0 ..= 80;
    /// The largest such bonus, either way.
    swing_max = 580, 100 ..= 1600;
    /// History bonus, in 128ths of the usual, of a move whose reduced search was followed by another.
    research_bonus = 108, 0 ..= 256;
    /// Share of a quiet move's own history in its order, in 128ths.
    history_weight_quiet = 126, 32 ..= 320;
    /// Share of its history as an answer to the last move.
    history_weight_last = 128, 32 ..= 320;
    /// Share of its history as a continuation of the own last move.
    history_weight_second = 122, 32 ..= 320;
    /// Share of its history as a continuation of the own last but one.
    history_weight_fourth = 61, 0 ..= 320;
    /// Share of its history with these pawns.
    history_weight_pawn = 136, 32 ..= 320;
    /// What a quiet move's order gains when it leaves an attack by a pawn.
    safety_pawn = 8250, 1000 ..= 20000;
    /// What it gains when a rook leaves an attack by a minor piece.
    safety_minor = 14050, 1000 ..= 30000;
    /// What it gains when a queen leaves an attack by a rook.
    safety_rook = 21500, 1000 ..= 32000;
    /// What a captured centipawn counts in the order of captures, in 8ths of a point of history.
    noisy_victim_weight = 73, 16 ..= 160;
    /// Order of a capture for a centipawn that it may lose and still be good.
    good_noisy_divisor = 33, 8 ..= 80;

    /// How quickly corrections are learnt: the share of an error at depth 1, in 128ths.
    correction_rate = 19, 4 ..= 40;
    /// Share of the pawn correction, in 128ths.
    correction_pawn = 49, 0 ..= 128;
    /// Share of the minor piece correction, in 128ths.
    correction_minor = 50, 0 ..= 128;
    /// Share of each non-pawn correction, in 128ths.
    correction_non_pawn = 64, 0 ..= 128;
    /// Share of the continuation correction, in 128ths.
    correction_continuation = 78, 0 ..= 128;
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
