//! The margins of pruning and extension: small functions of a node's state and the parameters.

use super::super::params;

/// Returns how far below alpha an evaluation has to be for razoring, in centipawns.
pub fn razoring_margin(depth: i32) -> i32 {
    params::razoring_base() + params::razoring_factor() * depth * depth
}

/// Returns how far above beta an evaluation has to be for reverse futility pruning, in centipawns.
/// An evaluation that was corrected by much is less certain.
pub fn reverse_futility_margin(
    depth: i32,
    improving: bool,
    opponent_worsening: bool,
    correction: i32,
) -> i32 {
    let margin = params::reverse_futility_factor() * depth
        - params::reverse_futility_improving() * i32::from(improving)
        - params::reverse_futility_worsening() * i32::from(opponent_worsening);
    margin.max(0) + correction.abs() * params::reverse_futility_correction() / 128
}

/// Returns how far above beta a capture has to be after a shallow search for ProbCut, in
/// centipawns.
pub fn probcut_margin(improving: bool) -> i32 {
    params::probcut_margin() - i32::from(improving) * params::probcut_improving()
}

/// Returns the reduction of the search after a null move, in plies.
pub fn null_move_reduction(depth: i32, eval_above_beta: i32) -> i32 {
    params::null_move_base()
        + depth / params::null_move_divisor()
        + (eval_above_beta / params::null_move_eval_divisor())
            .clamp(0, params::null_move_eval_max())
}

/// Returns the number of moves after which late move pruning skips the remaining quiet moves.
pub fn late_move_limit(depth: i32, improving: bool) -> usize {
    let count = params::lmp_base() + depth * depth * params::lmp_factor() / 128;
    (if improving { count } else { count / 2 }) as usize
}

/// Returns how far below alpha an evaluation has to be for futility pruning of a quiet move, in
/// centipawns.
pub fn futility_margin(reduced_depth: i32) -> i32 {
    params::futility_base() + params::futility_factor() * reduced_depth
}

/// Returns how far below alpha an evaluation with the captured piece added has to be for futility
/// pruning of a capture, in centipawns.
pub fn noisy_futility_margin(reduced_depth: i32) -> i32 {
    params::noisy_futility_base() + params::noisy_futility_factor() * reduced_depth
}

/// Returns by how much a move's history lowers its reduction, in 1024ths of a ply.
pub fn history_reduction(history: i32) -> i32 {
    history * 1024 / params::lmr_history_divisor()
}

/// Returns the history below which a quiet move is pruned at a depth.
pub fn history_threshold(depth: i32) -> i32 {
    -params::history_pruning_factor() * depth
}

/// Returns the exchange value below which a quiet move is pruned, in centipawns.
pub fn see_quiet_margin(reduced_depth: i32) -> i32 {
    -params::see_quiet_factor() * reduced_depth * reduced_depth
}

/// Returns the exchange value below which a capture or a check is pruned, in centipawns.
pub fn see_noisy_margin(depth: i32) -> i32 {
    -params::see_noisy_factor() * depth
}

/// Returns how far below the TT score all other moves have to stay for a singular extension,
/// in centipawns: further in a node that was on a principal variation and is not now.
pub fn singular_margin(depth: i32, was_pv: bool) -> i32 {
    let more = if was_pv {
        params::singular_margin_tt_pv()
    } else {
        0
    };
    (params::singular_margin() + more) * depth / 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_was_on_a_principal_variation_has_fewer_singular_moves() {
        for depth in params::singular_min_depth()..30 {
            assert!(singular_margin(depth, true) > singular_margin(depth, false));
        }
    }

    #[test]
    fn a_corrected_evaluation_needs_a_larger_margin() {
        let margin = |correction| reverse_futility_margin(4, false, false, correction);
        assert!(margin(50) > margin(0));
        assert_eq!(margin(50), margin(-50));
    }

    #[test]
    fn reverse_futility_never_cuts_below_beta() {
        for depth in 1..=params::reverse_futility_max_depth() {
            for (improving, worsening) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let margin = reverse_futility_margin(depth, improving, worsening, 0);
                assert!(margin >= 0, "depth {depth}: {margin}");
            }
        }
    }
}
