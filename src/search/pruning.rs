//! The margins of pruning, reduction and extension: small functions of what a node knows, over [`super::params`].

use super::params;

/// Razoring: how far below alpha an evaluation has to be for a shallow node to be left to quiescence.
pub fn razoring_margin(depth: i32) -> i32 {
    params::razoring_base() + params::razoring_factor() * depth * depth
}

/// Reverse futility: how far above beta an evaluation has to be for a node to be cut at once.
pub fn reverse_futility_margin(depth: i32, improving: bool, opponent_worsening: bool) -> i32 {
    params::reverse_futility_factor() * depth
        - params::reverse_futility_improving() * i32::from(improving)
        - params::reverse_futility_worsening() * i32::from(opponent_worsening)
}

/// Null move: plies that the search after passing is shorter.
pub fn null_move_reduction(depth: i32, eval_above_beta: i32) -> i32 {
    params::null_move_base()
        + depth / params::null_move_divisor()
        + (eval_above_beta / params::null_move_eval_divisor()).clamp(0, 3)
}

/// Late move pruning: after how many moves the quiet ones that are left are given up.
pub fn late_move_limit(depth: i32, improving: bool) -> usize {
    let count = params::lmp_base() + depth * depth * params::lmp_factor() / 128;
    (if improving { count } else { count / 2 }) as usize
}

/// Late move pruning: how many more moves are searched in the first iterations. There the histories are empty, and the order
/// of quiet moves says little about them: of ten, the one that saves an attacked queen may be the last.
pub fn early_moves(root_depth: i32) -> usize {
    let iterations = params::lmp_early_iterations() - root_depth;
    (params::lmp_early_moves() * iterations.max(0)) as usize
}

/// Futility: how far below alpha an evaluation has to be for a quiet move to be hopeless.
pub fn futility_margin(reduced_depth: i32) -> i32 {
    params::futility_base() + params::futility_factor() * reduced_depth
}

/// Futility: how far below alpha an evaluation has to be, with the captured piece added, for a capture to be hopeless.
pub fn noisy_futility_margin(reduced_depth: i32) -> i32 {
    params::noisy_futility_base() + params::noisy_futility_factor() * reduced_depth
}

/// Quiet history below which a move is not worth this depth.
pub fn history_threshold(depth: i32) -> i32 {
    -params::history_pruning_factor() * depth
}

/// What the exchange that a quiet move starts may lose.
pub fn see_quiet_margin(reduced_depth: i32) -> i32 {
    -params::see_quiet_factor() * reduced_depth * reduced_depth
}

/// What the exchange that a capture starts may lose.
pub fn see_noisy_margin(depth: i32) -> i32 {
    -params::see_noisy_factor() * depth
}

/// Singular extension: how far below the table's score all other moves have to stay.
pub fn singular_margin(depth: i32) -> i32 {
    params::singular_margin() * depth / 16
}
