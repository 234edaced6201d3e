//! Every tunable number of the search in one table: name, value, range.
//!
//! In a normal build the parameters are constants. The feature `tuning` makes them variables, which
//! are settable as UCI options and printed for an SPSA tuner. Fractions of a ply are in 1024ths,
//! shares in 128ths, scores in centipawns.
//!
//! The values were tuned on 23 November 2026 with network 7, by SPSA from UHO 4060 openings, in two
//! rounds:
//!
//! | parameters | games | nodes a move | share of the step applied | Elo at 1+0.01 (SPRT [0, 20] accepted) |
//! |---|---|---|---|---|
//! | 35 | 12,700 | 5,000 | 3/4 | +38 +- 22 in 370 games (LLR 2.95) |
//! | 64 | 9,784 | 6,000 | 4/5 | +15 +- 12 in 1,192 games (LLR 3.02) |
//!
//! Each parameter moved by a sixteenth to a seventh of its range. The first match also contained
//! prefetched corrections; the second also contained noisy futility, `opponent_worsening`,
//! hindsight depth adjustment, the eval-difference history, the post-LMR continuation bonus, and
//! fewer captures in quiescence. The parts were not measured separately. A test that stops at its
//! bound overstates the gain: the full step of the first round, without prefetching, gave +5 +- 20
//! in 400 games, unfinished.
//!
//! On 25 November 2026, with network 12, 30 changes were screened at once: in 7,072 games at 5,000 nodes
//! a move, one side had a random half of them and the other side the rest, so that every game
//! counted for each. One standard deviation is 3.4 Elo:
//!
//! | change | Elo | change | Elo |
//! |---|---|---|---|
//! | late move pruning: improving also when the evaluation reaches beta | +8.8 | more prior-countermove bonus when the evaluation was above alpha | -6.5 |
//! | a cutoff clearly above beta counts for another ply of history | +8.2 | ProbCut in expected cut nodes only | -9.5 |
//! | `aspiration_delta` 18 against 12 | +8.0 | the opponent's early quiet move punished after a cutoff | -11.6 |
//! | `singular_margin_tt_pv` | +7.5 | the same after a cutoff by the table | -0.1 |
//! | `lmr_cut_node_no_tt_move` | +7.4 | `lmr_tt_pv` more when the table's score is above alpha | -5.3 |
//! | double extensions on the principal variation too | +6.2 | `double_extension_margin` 26 against 14 | -5.6 |
//! | futility, history and exchange pruning: reduced depth by history too | +5.6 | no reverse futility with a quiet move from the table | -4.9 |
//! | order: quiet checks first | +4.0 | no reverse futility in nodes that were on a principal variation | -3.5 |
//!
//! The others, within 3.4 of 0: null move in expected cut nodes only (+2.8), ProbCut from the table's score
//! alone (-2.8), `lmr_tt_pv` more with a deep entry, malus that falls along the list, a larger bonus for surprising
//! cutoffs, and `reverse_futility_factor`, `futility_factor`, `lmr_base`, `lmr_not_improving`, `history_pruning_factor`,
//! `see_quiet_factor`, corrections, `quiescence_futility_margin` and `singular_margin` up against down by 10 to 20 %.
//! The first seven of the left column were adopted together, and a double extension from 16. Against the search before: +16 +- 13
//! in 1,600 games at 5,000 nodes a move, +18 +- 16 in 836 at 20,000 (SPRT [-10, 5] accepted, LLR 2.99);
//! but +1 +- 21 in 1,036 games at 1+0.01, 785 of them in a test of 0 against 20 that was broken off.
//!
//! On 26 November 2026, with the same network, 117 changes in a second screening of the same kind:
//! 12,260 games at 5,000 nodes a move, 23 new rules and 94 parameters up or down by about a sixth, one standard
//! deviation 2.5 to 2.7 Elo. 5,460 games before it had left out what lost most there. Both together, where
//! the values compared are the same (one standard deviation 2.3; quiescence's bounds are from the second part
//! alone, 2.6, and had gained 11.6 in the first):
//!
//! | change | Elo | change | Elo |
//! |---|---|---|---|
//! | `prior_capture_bonus` | +4.7 | exchange pruning of quiet evasions left out | -3.3 |
//! | `optimism` | +4.3 | two plies of internal reduction in deep cut nodes | -3.1 |
//! | `reverse_futility_correction` | +3.5 | quiescence's bounds nearer to beta | -8.3 |
//! | `material_scale` | +3.5 | more margin for double extensions on the principal variation | -5.4 |
//! | cutoffs by the table in quiescence on the principal variation, too | +3.2 | `double_extension_margin` less by the correction | -2.7 |
//! | `check_bonus` (+4.0 in the first screening, too) | +3.0 | continuation history three, six plies back | -14, -23 (a) |
//! | `probcut_improving` | +2.5 | two plies less after alpha is raised | -17 (a) |
//! | `singular_min_depth` 6 | +4.7 | histories of the best move of a node on the principal variation | -60 (a) |
//! | `null_move_eval_max` 4 | +5.4 | `aspiration_min_depth` 5 | -6.2 |
//!
//! (a) in the 5,460 games alone, one standard deviation 4.7. Within 2.3 of 0: reductions by the window's width,
//! reductions to a depth beyond the full one, null move in cut nodes only, improving by beta in reductions
//! and reverse futility, futility margins of nodes without a best move, other weights in the mean of
//! reverse futility, and more. Beyond the noise, the effects of the parameters have a standard deviation of 1.1 Elo: their values were near the best before. Six of the rules
//! were adopted (not the cutoffs on the principal variation, which would shorten it), and 36 parameters moved, by
//! what was left of their effect without the noise, at most to the end of the step: together
//! +20 +- 13 in 1,600 games at 5,000 nodes a move, +11 +- 15 in 1,000 at 20,000, and +23 +- 15 in 586 at 1+0.01
//! (SPRT [0, 20] accepted, LLR 3.00; a test that stops at its bound overstates the gain), no forfeits.
//!
//! On 27 November 2026, with network 13, 22 rules and 98 parameters in a third screening:
//! 8,384 games at 5,000 nodes a move, one standard deviation 3.1 Elo. Of 120 changes that are
//! worth nothing the largest would show some 8, so single figures are overstated:
//!
//! | change | Elo | change | Elo |
//! |---|---|---|---|
//! | `lifting_move_margin`: an extension | +6.8 | a ply more of null move when improving | -5.2 |
//! | the eval-difference history in the pawn history, too | +6.2 | continuation histories four plies back not updated in check | -5.7 |
//! | `correction_continuation_fourth` | +4.4 | how often the table's move was best: more reduction with it | -5.3 |
//! | `iir_tt_depth_margin` | +3.4 | the same: double extensions with it | -7.8 |
//! | `history_bonus_factor` | +10.3 | `alpha_raise_max_depth` | -10.2 |
//! | `singular_min_depth` | +8.7 | `history_malus_factor`, `history_weight_last` | -6.6 |
//! | `see_noisy_factor` | +8.3 | `singular_margin_tt_pv` | -6.5 |
//!
//! Within 3.1 of 0: captures that give check first, a history of the first plies, the bonus of checks only where
//! the exchange loses nothing, losing captures before bad quiet moves, the prior-countermove bonus in the pawn history,
//! multi-cut's score nearer to beta, aspiration windows that grow with the score, more reduction after many
//! cutoffs and in all nodes, null move by `opponent_worsening`, no bonus for the first move of shallow nodes, entries of
//! the principal variation kept longer and inherited by nodes that fail low, and ProbCut's depth by the evaluation. Beyond the
//! noise, the effects of the parameters have a standard deviation of 1.8 Elo. The first four rules were adopted, and
//! 50 parameters moved as before: together +18 +- 11 in 2,000 games at 5,000 nodes a move,
//! +7 +- 9 in 1,900 at 1+0.01 (SPRT [0, 20] broken off at LLR 0.8, so a gain is
//! not shown), no forfeits. For [-10, 5], bounds that were chosen when these games had begun, LLR is 3.5. The script was
//! written anew as `screen.py` afterwards.
//!
//! Then the time management for the first time, with the same network, seven rules and all other parameters, on clocks in
//! nodes (`screen.py --clock`). One standard deviation is 4.6 Elo in 8,224 games at 160+1.6, 9.7 in the 2,624 of them with the values
//! of the time below (others were tried after them), and 6.8 in 944 games at 1000+10, where only these changes were screened:
//!
//! | change | 160+1.6 | 1000+10 |
//! |---|---|---|
//! | quiescence searches recaptures that delta pruning would leave out | +13.0 | +9.2 |
//! | captured pieces count for more the fewer are left | +8.2 | -10.7 |
//! | the assumed number of remaining moves falls by a quarter with each move played | +8.9 | +8.5 |
//! | `time_horizon` 17 against 27 | +29 | -9.9 |
//! | `time_stability_step` 10 against 20 | +27 | -9.9 |
//! | `time_increment_share` 64 against 128; 72 against 120 | -34 | -7.0 |
//! | `time_effort_slope` 110 against 210; 120 against 200 | +39 | +7.7 |
//!
//! So how much time to keep depends on how many nodes there are. What followed from the left column (a horizon of 31 to 18
//! moves, less for a stable best move) scored +43 +- 14 Elo in 1,200 games at 160+1.6, -15 +- 18 in 500 at 1000+10 and -25 +- 20 in 332 on a
//! real clock of 1+0.01. Within the noise at 160+1.6: the table's cutoffs above beta only with more depth, entries of the principal
//! variation at the horizon, equal captures left out far below alpha, the score of the move before in the time management. Recaptures and
//! the falling number together: -5 +- 19 in 400 games on a real clock of 1+0.01. Recaptures alone: +18 +- 14 in 644 (SPRT [-5, 15]
//! accepted, LLR 3.03; a test that stops at its bound overstates the gain), no forfeits. Only they were adopted.
//! With network 14, `time_increment_share` 120 against 96 scored -6 +- 13 in 1,000 games at 5+0.05, with 100 nodes as a millisecond.
//! On clocks in nodes, `time_horizon` 17 against 22 scored -6 +- 20 in 549 games at 1000+10. To share out the clock and the next 49 increments
//! over 32 moves less a quarter of the move number, 16 at least, and at most 0.2 of the clock and 0.75 of the increment at once, which spends more from the tenth
//! to the fortieth move and less after it, scored +7 +- 48 in 103 games at 2500+25; over 28 moves instead, +8 +- 52 in 93; with 30 increments over 26, 12 at
//! least, +6 +- 32 in 247. None was kept.
//!
//! On 27 November 2026, with network 13 (`bench` 932646), 29 rules and one parameter in a fourth screening: 5,820 games at
//! 6,000 nodes a move, one standard deviation 3.5 Elo:
//!
//! | change | Elo | change | Elo |
//! |---|---|---|---|
//! | continuation histories learn nothing from moves that follow none | +10.9 | no quiet checks in quiescence | -10.6 |
//! | a singular search knows that its node was on a principal variation | +9.4 | histories of the best move of a node on the principal variation, too (again) | -5.4 |
//! | aspiration: alpha rises after a fail high | +8.8 | gravity of continuation histories by their sum | -4.8 |
//! | half the margin of singular moves for exact scores | +4.7 | aspiration windows narrower after stable iterations | -4.5 |
//! | no razoring with a lower bound from the table | +4.4 | the eval-difference history only once for each position | -3.8 |
//! | reverse futility: margin by the improvement | +4.4 | the table's cutoff tried again with less depth in hindsight | -3.8 |
//! | late move pruning: limit by the improvement, up to a quarter | +4.1 | late move pruning later for moves with a good history | -2.6 |
//! | reverse futility: 20 less when no own piece is attacked | +3.7 | null move: margin by the improvement | -1.9 |
//! | no null move when the table has a good capture of a piece | +3.1 | captures in quiescence: bonus after a cutoff | -1.6 |
//! | no ProbCut when the table's move is quiet | +2.9 | the same: exchange threshold by history | -1.2 |
//! | corrections learn from multi-cut | +2.6 | no razoring when the table's move is quiet | -1.2 |
//!
//! Within 3 of 0 besides: null move only against pieces (+2.7), quiet histories that shrink by a quarter before each search
//! (+2.1), more reduction of the other moves the better the table's move is (+1.2), a smaller bonus in expected cut
//! nodes, reductions by the improvement, no multi-cut on the principal variation, ProbCut without a score from the
//! table only above beta, and half the bonus in continuation histories. Beyond the noise, the effects have a standard
//! deviation of 3.0 Elo. The left column together: +17 +- 14 in 1,100 games at 6,000 nodes a move, but -3 +- 13 in 900 at
//! 1+0.01 (SPRT [0, 20] broken off at LLR -2.4), no forfeits, with 1.01 of the nodes per second. So it was not adopted: what
//! gains with 6,000 nodes a move need not gain on the clock.
//!
//! With network 14, the score that wins every second game is 75 centipawns with all pieces and 147 with few (the
//! [model of wins](crate::wdl)), so a score that stays the same while pieces are exchanged is worth less afterwards. To
//! multiply values by the material so that it is not (by 1.55 with all pieces, 1.05 at 55 pawns, 0.80 with few; today
//! 1.09 to 0.93) scored -13 +- 12 Elo in 1,600 games at 5,000 nodes a move, half of the way -0.4 +- 8 in 3,600, and
//! `material_scale` 72 against 24 -2 +- 14 in 1,200. The pruning margins stayed as they are, though values with many pieces grew.
//!
//! On 30 November 2026, with network 14, the shares of the time for a move were fitted to what more of it brings. 32,048
//! positions of games of the engine against itself were searched with 60,000 nodes each, 16 in a row of one side with
//! the table kept between them, and every move that was best at the end of an iteration after 3,000 nodes was valued by
//! a search of 100,000 nodes after it (a tenth of them by 150,000). Rules that end a search can then be compared on the
//! same searches, at equal mean nodes. What twice the nodes bring after an iteration that ends between 8,000 and 28,000 nodes, in
//! ten-thousandths of a point a move, of which 0.29 make one Elo in a game of 50 moves:
//!
//! | share of nodes for the best move | gain | iterations since it changed | gain |
//! |---|---|---|---|
//! | under 0.1 | 85 +- 14 | 0 | 50 +- 5 |
//! | 0.1 to 0.2 | 64 +- 8 | 1 | 18 +- 4 |
//! | 0.2 to 0.4 | 25 +- 4 | 2 or 3 | 14 +- 3 |
//! | 0.4 to 0.6 | 15 +- 3 | 4 or 5 | 8 +- 2 |
//! | 0.6 to 0.8 | 10 +- 2 | 6 to 8 | 4 +- 2 |
//! | 0.8 to 0.9 | 1.6 +- 1.0 | 9 to 12 | 2.0 +- 0.5 |
//! | above 0.9 | 0.6 +- 0.3 | 13 and more | 0.9 +- 0.5 |
//!
//! The new shares differ more than those before; a rising score no longer saves time. Against those before, on 13,572
//! positions of other games with scores within 300 centipawns, 80,000 nodes each, in Elo: +2.2 +- 3.8 at 7,000 nodes a
//! move, +10.4 +- 3.4 at 9,000, +11.2 +- 3.3 at 13,000, +4.7 +- 3.1 at 18,000 and +6.9 +- 2.9 at 24,000 (one standard
//! deviation each); the mean of the last four is +8.3 +- 1.6. On the clock that is not shown yet: 0 +- 60 in 129 games at
//! 1+0.01, played beside other work, and -4 +- 41 in 271 with stability shares 7 % smaller, no forfeits. Other numbers
//! of remaining moves, by the material on the board, brought 2 to 3 Elo in a simulation of the clock.
//!
//! The same measure with 88 parameters, most of them up or down by 28 %, in 57,440 positions with random halves of them
//! at 20,000 nodes a move: one standard deviation is 7.4 Elo, and no effects are to be seen beyond that.

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
    /// Growth of the evaluation with each piece on the board beyond 16, in 4096ths: who stands better
    /// keeps pieces.
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

    /// Internal iterative reduction: plies by which the table's entry may be shallower than the node.
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
    /// Futility and exchange pruning: history of a capture that counts for a centipawn.
    noisy_history_divisor = 34, 8 ..= 80;
    /// History pruning: maximum reduced depth.
    history_pruning_max_depth = 6, 2 ..= 8;
    /// History pruning: quiet history per ply below which a move is pruned, negated.
    history_pruning_factor = 2574, 1000 ..= 8000;
    /// Exchange pruning: allowed loss of a quiet move per square of the reduced depth, in
    /// centipawns.
    see_quiet_factor = 23, 10 ..= 60;
    /// Exchange pruning: allowed loss of a noisy move per ply, in centipawns.
    see_noisy_factor = 97, 40 ..= 180;

    /// Singular extension: minimum depth.
    singular_min_depth = 7, 5 ..= 10;
    /// Singular extension: plies by which the table's entry may be shallower than the node.
    singular_tt_depth_margin = 3, 1 ..= 6;
    /// Singular extension: centipawns per ply below the table's score that the other moves have to
    /// stay, in 128ths.
    singular_margin = 133, 64 ..= 512;
    /// Singular extension: additional centipawns per ply in a node that was on a principal variation, in
    /// 128ths.
    singular_margin_tt_pv = 73, 0 ..= 400;
    /// Singular extension: centipawns below that for a double extension.
    double_extension_margin = 18, 5 ..= 60;
    /// Singular extension: centipawns below that for a triple extension.
    triple_extension_margin = 94, 40 ..= 200;
    /// Singular extension: maximum number of double extensions in a line.
    double_extension_limit = 12, 2 ..= 30;
    /// Singular extension: maximum ply, in multiples of the iteration's depth.
    extension_max_ply = 2, 1 ..= 4;
    /// Extension of the table's move at a depth below that of singular extensions: centipawns that the
    /// evaluation has to be below alpha.
    lifting_move_margin = 26, 0 ..= 200;
    /// Plies that the table's move loses when it is not singular and its score reaches beta.
    negative_extension = 2, 0 ..= 4;
    /// Plies that the table's move loses when it is not singular in an expected cut node.
    negative_extension_cut_node = 1, 0 ..= 4;

    /// Late move reduction at depth 1 and move 1, in 1024ths of a ply.
    lmr_base = 1149, 200 ..= 1400;
    /// Late move reduction: divisor of log depth times log move number, in hundredths.
    lmr_divisor = 209, 150 ..= 350;
    /// Late move reduction: increase in an expected cut node, in 1024ths of a ply.
    lmr_cut_node = 1555, 0 ..= 3000;
    /// Late move reduction: additional increase in an expected cut node without a move from the table.
    lmr_cut_node_no_tt_move = 964, 0 ..= 3000;
    /// Late move reduction: decrease in a node that is or was on a principal variation.
    lmr_tt_pv = 889, 0 ..= 2500;
    /// Late move reduction: additional decrease in a node on the principal variation.
    lmr_pv_node = 480, 0 ..= 1250;
    /// Late move reduction: increase when the evaluation is not improving.
    lmr_not_improving = 1114, 0 ..= 2000;
    /// Late move reduction: decrease for a move that gives check.
    lmr_check = 997, 0 ..= 2000;
    /// Late move reduction: increase when the table's move is noisy.
    lmr_noisy_tt_move = 710, 0 ..= 2000;
    /// Late move reduction, and pruning of quiet moves: history that decreases the reduction by one ply.
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

    /// Time: the assumed number of remaining moves without a time control.
    time_horizon = 22, 10 ..= 60;
    /// Time: share of the increment that is spent at once, in 128ths.
    time_increment_share = 96, 0 ..= 128;
    /// Time: the hard limit in soft limits, in 128ths.
    time_hard_factor = 640, 128 ..= 1280;
    /// Time: share of the budget when the best move has just changed, in 128ths.
    time_stability_base = 286, 64 ..= 400;
    /// Time: decrease of that share with each iteration that keeps the best move.
    time_stability_step = 17, 0 ..= 64;
    /// Time: the least that it decreases to.
    time_stability_min = 78, 16 ..= 128;
    /// Time: centipawns by which the score falls for twice the time.
    time_score_scale = 80, 40 ..= 400;
    /// Time: maximum share of the budget when the score falls, in 128ths.
    time_score_max = 224, 128 ..= 384;
    /// Time: share of the budget when the best move took no nodes, in 128ths.
    time_effort_base = 211, 128 ..= 320;
    /// Time: decrease of that share when it took all of them.
    time_effort_slope = 186, 0 ..= 320;
    /// Time: the least of that share.
    time_effort_min = 45, 16 ..= 128;
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
