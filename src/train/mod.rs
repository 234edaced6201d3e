//! The network's trainer, on the processor: from games to a network file.
//!
//! # Architecture
//!
//! The network values a position for the side to move. Each side has 768 inputs, one for each (colour relative to the
//! side, kind of man, square as the side sees it); the board is mirrored so that the side's own king is on the files a
//! to d. The input's number is
//!
//! ```text
//! 384 * (0 own, 1 the other's) + 64 * (pawn 0 .. king 5) + square      square: ^ 56 for Black, ^ 7 if the king is on e .. h
//! ```
//!
//! With king buckets there are four times as many, of which only those are on that belong to the
//! [bucket](crate::eval::nnue::king_bucket) of the side's own king: the number is 768 * bucket higher. The same N neurons
//! look at the inputs of both sides:
//!
//! ```text
//! h_s = W^T x_s + b                      N numbers for s = the side to move, the opponent
//! a_s = min(max(h_s, 0), 1)^2            squared clipped ReLU
//! out = v_k . (a_us, a_them) + c_k       k: the output bucket, by the number of men
//! ```
//!
//! With B buckets, `k = min((men - 2) / ceil(32 / B), B - 1)`. The value in centipawns is `K * out`.
//!
//! # Loss
//!
//! With the logistic function `s(x) = 1 / (1 + exp(-x))`, a result r of 0, 1/2 or 1 for the side to move, and a score in
//! centipawns from a search of the position, the network learns towards
//!
//! ```text
//! target = w r + (1 - w) s(score / K)
//! loss   = (s(out) - target)^2
//! ```
//!
//! K makes centipawns comparable with results: it is fitted once, by logistic regression of r on the score, and then kept.
//! w is the share of the result. What s(score / K) stands for may be the lambda-return of a position instead (Sutton 1988),
//! a mean of its own expectation and of those that came after it, with lambda from 0 (only its own) to 1 (only the result):
//!
//! ```text
//! G_i = (1 - lambda) s(score_i / K) + lambda G_(i+1)        G after the last position: r
//! ```
//!
//! Positions that no game went on from have no r, and are learnt towards s(score / K).
//!
//! # Optimisation
//!
//! AdamW (Loshchilov and Hutter 2019), betas 0.9 and 0.999, decay 0.01 for weights but not for biases, weights clipped to
//! +-1.98 so that they fit the integers of the [network file](quantise); a learning rate that warms up and falls along a
//! cosine. Gradients are computed by hand:
//!
//! ```text
//! d loss / d out = 2 (s(out) - target) s(out) (1 - s(out)) =: g
//! d loss / d v_k = g a          d loss / d h = 2 g v_k h where 0 <= h <= 1, else 0
//! d loss / d W   = for each input that is on, d loss / d h added to its row
//! ```
//!
//! # Rounding
//!
//! The engine computes in [whole numbers](quantise). Rounding a finished network moves its values by several centipawns.
//! So from the middle of a run on, each step evaluates the network with its parameters rounded as the file will have them,
//! and applies the gradient to the floats behind them ("straight-through estimator", Bengio et al. 2013). What is judged,
//! and what is written, is then the very network that was learnt.
//!
//! # Where the time goes
//!
//! Of the first layer's rows about 28 a side are touched for a position; adding these rows up, and adding to their
//! gradients, is nearly all of the work. So the layer is stored in tiles of 64 neurons: a tile of weights stays in the
//! second-level cache while a chunk of positions passes, and a sum stays in registers. See [`kernel`].
//!
//! # Repeatable
//!
//! Weights, order of positions and split into training and validation are functions of the seed and the data. Each thread
//! computes a fixed part of a batch, and the parts are added in a fixed order: the same settings, data and number of
//! threads give the same network, to the last bit, also when the run is stopped and resumed.

mod checkpoint;
mod chunk;
mod data;
mod error;
pub mod kernel;
mod log;
pub mod network;
mod order;
pub mod quantise;
mod run;
pub mod sample;
pub(crate) mod scale;
mod settings;
mod state;
mod teacher;
mod trainer;

pub use checkpoint::{Checkpoint, LossSum};
pub use data::{Counts, DataSet, EXTENSIONS};
pub use error::TrainError;
pub use run::{CHECKPOINT, Job, LOSSES, NETWORK, Outcome, PICTURE, Progress, Report, Start, run};
pub use settings::Settings;
pub use state::{Optimised, State};
pub use teacher::Teacher;
pub use trainer::{Trainer, logistic, outputs};

#[cfg(test)]
mod tests;
