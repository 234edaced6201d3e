//! The algorithms, each in a file of its own that names its source.

pub mod alpha_beta;
pub mod aspiration;
pub mod b_star;
pub mod belief;
pub mod biased;
pub mod book;
mod child_loop;
pub mod continuation;
pub mod deepening;
pub mod expectiminimax;
pub mod futility;
pub mod max_n;
pub mod memory;
pub mod minimax;
pub mod mtd;
pub mod negamax;
pub mod negascout;
pub mod null_move;
pub mod one_player;
pub mod opponent;
pub mod quiescence;
pub mod rec_sss_star;
pub mod scout;
pub mod secondary;
pub mod sss_star;
pub mod star;
