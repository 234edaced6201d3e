//! The static evaluation: the value of a position without any search.
//!
//! The engine evaluates with a **neural network** ([`nnue`]) by default. The option `EvalFile`
//! replaces the embedded network with another one or with the **hand-written evaluation**
//! ([`classical`]), a linear function of about 530 features that quiet games were fitted to. Before
//! either is asked, the rules of [`endgame`] settle the endings against a lone king whose result is
//! known.
//!
//! | module | content |
//! |---|---|
//! | [`evaluator`] | the choice between the three |
//! | [`nnue`] | the network: its arithmetic, its file format, incremental accumulators |
//! | [`classical`] | the hand-written terms, their weights, and what `quevedo fit weights` needs of them |
//! | [`endgame`] | known endings, and how drawish the others are |
//!
//! Values are in centipawns of the search for the side to move. How users see them is up to
//! [`crate::wdl`]. The corrections that the search learns from its own results belong to the
//! search.

pub mod classical;
pub mod endgame;
pub mod evaluator;
mod explain;
pub mod nnue;

pub use endgame::known_ending;
pub use evaluator::Evaluator;
pub use explain::explain;

/// The largest value of any evaluation, in centipawns; its negative is the smallest.
pub const MAX_EVALUATION: i32 = 20_000;

/// Builds the tables that evaluations look things up in, so that no search has to wait for them.
pub fn initialize() {
    endgame::initialize();
}
