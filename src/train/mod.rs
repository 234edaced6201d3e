//! The network's trainer on the CPU: from games to a network file.
//!
//! # Architecture
//!
//! The network evaluates a position for the side to move. Each side has 768 inputs, one for each
//! combination of colour (own or other), kind of piece and square as the side sees it. The board is
//! mirrored so that the side's king is on files a to d. The number of an input is
//!
//! ```text
//! 384 * (0 own, 1 the other's) + 64 * (pawn 0 .. king 5) + square      square: ^ 56 for Black, ^ 7 if the king is on e .. h
//! ```
//!
//! With king buckets there are eight times as many inputs, 768 for each
//! [bucket](crate::eval::nnue::king_bucket), and only those of the bucket of the side's king are
//! active: the number is 768 * bucket higher. With [marks](crate::eval::nnue::PieceMarks) there are
//! 768 more inputs for each mark m: a marked piece activates the one whose number is 768 * (8 + m)
//! higher, besides its own. The same N neurons process the inputs of both sides:
//!
//! ```text
//! h_s = W^T x_s + b                      N numbers for s = the side to move, the opponent
//! a_s = min(max(h_s, 0), 1)^2            squared clipped ReLU
//! out = v_k . (a_us, a_them) + c_k       k: the output bucket, by the number of pieces
//! ```
//!
//! In the first output buckets small layers, of 16 and of 32 neurons, may add to the output.
//! That the third sees both the values of the second and their squares is an idea of Stockfish's
//! networks (SFNNv5, 2022):
//!
//! ```text
//! z   = M_k (a_us, a_them) + d_k
//! y   = P_k (min(max(z, 0), 1), min(z^2, 1)) + e_k
//! out = v_k . (a_us, a_them) + c_k + u_k . min(max(y, 0), 1)
//! ```
//!
//! With B output buckets, `k = min((pieces - 2) / ceil(32 / B), B - 1)`. The value in centipawns is
//! `K * out`.
//!
//! # Loss
//!
//! With the logistic function `s(x) = 1 / (1 + exp(-x))`, a result r of 0, 1/2 or 1 for the side to
//! move, and the score of a search in centipawns, the loss of a position is
//!
//! ```text
//! target = w r + (1 - w) s(score / K)
//! loss   = (s(out) - target)^2
//! ```
//!
//! K relates centipawns to results. Logistic regression of r on the score fits it once, and then it
//! is kept. w is the share of the result. Instead of a position's own expectation s(score / K), the
//! target may contain its lambda-return (Sutton 1988), a mean of the expectations of this and all
//! later positions, with lambda from 0 (only its own) to 1 (only the result):
//!
//! ```text
//! G_i = (1 - lambda) s(score_i / K) + lambda G_(i+1)        G after the last position: r
//! ```
//!
//! Here the expected points take the place of r where a game was cut off and r drawn by lot.
//!
//! With `--ranking`, the network also learns to rank siblings as the search does. The children of
//! the move played and of another quiet move have the outputs a and b for the opponent, of which a
//! should be the lower one. The loss of such a pair is
//!
//! ```text
//! loss = ln(1 + exp(4 * 300 / T (s(K a / 300) - s(K b / 300))))
//! ```
//!
//! and its mean, times a weight, is added to the mean of the losses above ("comparison training",
//! Tesauro 1989). A search chooses between siblings; what they have in common does not matter to
//! it. Around 0, a difference of T centipawns gives the better one a chance of 0.73. T depends on
//! the number of pieces; with one T for all, ranking worked more against the loss of the scores.
//!
//! Distilled positions, which no game was played from, have no result: their target is s(value / K)
//! with the value of the [teacher](Teacher).
//!
//! # Optimisation
//!
//! The optimiser is AdamW (Loshchilov and Hutter 2019) with betas of 0.9 and 0.999 and a decay of
//! 0.01 for weights but not for biases. The first layer and the weights to the output are clipped to
//! +-1.98, and the second layer's to +-127/128, so that they fit the integers of the
//! [network file](quantise). The learning rate warms up linearly and then falls along a
//! cosine. The gradients are
//!
//! ```text
//! d loss / d out = 2 (s(out) - target) s(out) (1 - s(out)) =: g
//! d loss / d v_k = g a          d loss / d h = 2 g v_k h where 0 <= h <= 1, else 0
//! d loss / d W   = for each active input, d loss / d h added to its row
//! ```
//!
//! A **factoriser** makes king buckets share what they have in common: W_b = F + D_b for bucket b,
//! where the gradient of F is the sum of the gradients of all W_b. Without it, rare buckets learn
//! from few positions. In the same way the 64 rows for one mark of one kind of piece share what
//! they have in common, and the small layers of the output buckets. The network file and the
//! checkpoint of a finished run contain the sums. The D_b can have a lower learning rate than F,
//! because each learns from a part of the positions.
//!
//! An **exponential moving average** of the weights is what is validated and written. It averages
//! out the noise of the last steps, as a lower learning rate would, and costs one pass over the
//! weights in each step. Its decay rises as t / (t + 10) until it reaches the setting.
//!
//! # Rounding
//!
//! The engine computes in [integers](quantise), and rounding a finished network moves its values by
//! several centipawns. From the middle of a run on, each step therefore evaluates the network with
//! its parameters rounded as in the file, and applies the gradient to the floats behind them
//! ("straight-through estimator", Bengio et al. 2013). The output weights of each bucket are
//! rounded in the finest [unit](quantise::output_units) that its largest weight allows, and when
//! the file is written the output's biases are [shifted](quantise::centred) so that its values have
//! no mean error.
//!
//! # Performance
//!
//! Each position touches about 28 rows of the first layer on each side. Adding up these rows, and
//! adding to their gradients, takes nearly all of the time. The layer is stored in tiles of 64
//! neurons: a tile of weights stays in the second-level cache while a chunk of positions passes,
//! and a sum stays in registers (see [`kernel`]).
//!
//! # Reproducibility
//!
//! The initial weights, the order of positions and the split into training and validation are
//! functions of the seed and the data. Each thread computes a fixed part of a batch, and the parts
//! are added in a fixed order: the same settings, data and number of threads lead to the same
//! network, bit for bit, even if the run is interrupted and resumed.

mod checkpoint;
mod chunk;
mod data;
mod error;
pub mod kernel;
pub mod labels;
mod log;
mod loss;
mod mean;
mod neighbours;
pub mod network;
mod order;
pub mod quantise;
pub mod records;
mod run;
pub mod sample;
pub(crate) mod scale;
mod settings;
mod siblings;
mod small_layers;
mod state;
mod teacher;
mod trainer;

pub use checkpoint::{Checkpoint, LossSum};
pub use data::{DataCounts, DataSet, EXTENSIONS};
pub use error::TrainError;
pub use loss::{logistic, outputs};
pub use mean::MeanPart;
pub use run::{
    CHECKPOINT, Completion, LOSSES, NETWORK, PICTURE, Start, TrainJob, TrainObserver,
    TrainProgress, run,
};
pub use settings::Settings;
pub use state::{Optimised, TrainState};
pub use teacher::Teacher;
pub use trainer::Trainer;

#[cfg(test)]
mod tests;
