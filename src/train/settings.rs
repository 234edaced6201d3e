//! The settings of a run: with the data and the number of threads, they determine the network.

mod check;

use std::str::FromStr;

use super::error::TrainError;
use super::network::Shape;
use super::teacher::Teacher;

/// Declares the settings and their text form.
macro_rules! settings {
    ($($(#[$attribute:meta])* $name:ident: $type:ty = $default:expr,)*) => {
        /// The settings of a run, which are options of `quevedo train`.
        #[derive(Clone, PartialEq, Debug, clap::Args)]
        pub struct Settings {
            $($(#[$attribute])* pub $name: $type,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($name: $default,)* }
            }
        }

        impl Settings {
            /// Returns the settings as lines of a name and a value.
            pub fn to_text(&self) -> String {
                let mut text = String::new();
                $(text += &format!("{} {}\n", stringify!($name), self.$name);)*
                text
            }

            /// Sets a setting by name. Returns false if the name is unknown or the value malformed.
            pub fn set(&mut self, name: &str, value: &str) -> bool {
                match name {
                    $(stringify!($name) => set(&mut self.$name, value),)*
                    _ => false,
                }
            }
        }
    };
}

/// The largest scale, in centipawns.
const MAX_SCALE: u32 = 10_000;

fn set<T: FromStr>(place: &mut T, value: &str) -> bool {
    value.parse().map(|value| *place = value).is_ok()
}

settings! {
    /// Neurons of the hidden layer for each side: a multiple of 64
    #[arg(long, value_name = "N", default_value_t = Settings::default().hidden, conflicts_with = "from")]
    hidden: usize = 256,
    /// Sets of input weights, selected by the square of the own king: 1, or 8 from about 100
    /// million positions used. With --from, a network with one set starts with eight copies of it
    #[arg(long, value_name = "N", default_value_t = Settings::default().king_buckets)]
    king_buckets: usize = 1,
    /// Sets of output weights, selected by the number of pieces, up to 32: 1, or 8 from about 40
    /// million positions used
    #[arg(long, value_name = "N", default_value_t = Settings::default().buckets, conflicts_with = "from")]
    buckets: usize = 1,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize = 16_384,
    /// Positions visited between validations, each with a checkpoint
    #[arg(long, value_name = "N", default_value_t = Settings::default().superbatch)]
    superbatch: u64 = 100_000_000,
    /// The number of superbatches
    #[arg(long, value_name = "N", default_value_t = Settings::default().superbatches)]
    superbatches: u64 = 15,
    /// The learning rate after the warm-up
    #[arg(long, value_name = "R", default_value_t = Settings::default().rate)]
    rate: f64 = 0.001,
    /// The final learning rate; it falls along a cosine
    #[arg(long, value_name = "R", default_value_t = Settings::default().final_rate)]
    final_rate: f64 = 0.000_005,
    /// Steps in which the learning rate rises from 0
    #[arg(long, value_name = "N", default_value_t = Settings::default().warm_up)]
    warm_up: u64 = 800,
    /// The decay of weights in a step, times the learning rate (of the others, for those with their
    /// own)
    #[arg(long, value_name = "D", default_value_t = Settings::default().decay)]
    decay: f64 = 0.01,
    /// AdamW's epsilon, which is added to the root mean square of a weight's gradient. Weights with
    /// gradients below it move less: with few positions, those that few of them need stay as they
    /// were
    #[arg(long, value_name = "E", default_value_t = Settings::default().epsilon)]
    epsilon: f64 = 1e-8,
    /// The share of the game's result in the target at the start; the rest is the search's score
    #[arg(skip)]
    w_start: f64 = 0.4,
    /// The share of the game's result in the target, from 0 to 1; the rest is the search's score
    #[arg(long = "w", visible_alias = "w-end", value_name = "W", default_value_t = Settings::default().w_end)]
    w_end: f64 = 0.4,
    /// K: the score in centipawns of an expectation of 0.73 points; fitted to the results if not
    /// given
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true)]
    scale: u32 = 0,
    /// The centipawns of an output of 1 in the network file, if not K. A network is less sure than
    /// the scores that it learns from, so its values are smaller; this restores their size, for
    /// which the search's margins are tuned. With --from, the default keeps the size of the values
    #[arg(long, value_name = "CP", default_value_t = 0, hide_default_value = true)]
    output_scale: u32 = 0,
    /// Train with parameters rounded as in the network file after this share of the run; 1 for
    /// never
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().round_from)]
    round_from: f64 = 0.5,
    /// The seed of the initial weights and the order of positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64 = 1,
    /// The share of games held out for validation, chosen by their moves
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().validation)]
    validation: f64 = 0.015,
    /// Stop reading after this many training positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    max_positions: usize = usize::MAX,
    /// Replace the score of a position by a mean of it and the following scores and the result,
    /// from 0 to 1: the weight of what follows. The mean has less noise than a single score
    #[arg(long, value_name = "L", default_value_t = 0.0, requires = "scale")]
    lambda: f64 = 0.0,
    /// Also learn to rank the move played above another quiet move, chosen at random: the weight of
    /// this loss
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.0, hide_default_value = true)]
    ranking: f64 = 0.0,
    /// Also learn the teacher's evaluation of this many positions around each position of the
    /// games; may be less than 1. With few games, a network trained on them alone misjudges
    /// positions that are not quiet
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, hide_default_value = true)]
    distill: f64 = 0.0,
    /// The evaluation for --distill: hand-written, or a network file
    #[arg(long, value_name = "TEACHER", default_value_t, requires = "distill")]
    teacher: Teacher = Teacher::HandWritten,
    /// The share of a teacher's labels in the target of a position, from 0 to 1. They lie beside
    /// each file of games, in a file with the extension `labels`. The neighbours that they value
    /// are learnt from, too
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, hide_default_value = true, requires = "scale")]
    labels: f64 = 0.0,
    /// The number of neighbours of each position that the labels value, as in `datagen pack`
    #[arg(long, value_name = "N", default_value_t = Settings::default().neighbours, requires = "labels")]
    neighbours: usize = 1,
    /// The K of the labels, if it is not that of the games. For scores of searches it is the
    /// --output-scale of the network that searched
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, requires = "labels")]
    label_scale: u32 = 0,
    /// The decay of the moving average of the weights, which is what is written; 0 for the weights
    /// of the last step
    #[arg(long, value_name = "DECAY", default_value_t = Settings::default().average)]
    average: f64 = 0.9995,
    /// Let all king buckets share a set of weights to which each adds its own, which helps rare
    /// buckets; in the same way the squares of a marked piece, and all small layers
    #[arg(long)]
    factoriser: bool = false,
    /// The learning rate of the input weights that --factoriser does not share, as a multiple of
    /// the shared ones'
    #[arg(long, value_name = "FACTOR", default_value_t = Settings::default().own_rate, requires = "factoriser")]
    own_rate: f64 = 1.0,
    /// Add inputs for pieces with marks: those that hang, that a pawn attacks, passed pawns, and
    /// kings in reach of a check. Needs --king-buckets 8. With --from, a network without them
    /// starts with zeros
    #[arg(long)]
    marks: bool = false,
    /// The learning rate of the marks' weights, as a multiple of the others'. With --from a network
    /// without marks, they have everything to learn and the others little
    #[arg(long, value_name = "FACTOR", default_value_t = Settings::default().mark_rate)]
    mark_rate: f64 = 1.0,
    /// Output buckets, those with the fewest pieces, that have a second layer of 16 and a third of
    /// 32 neurons beside the weights from the first layer to the output. With --from, a network
    /// without them starts with random weights that do not change its output
    #[arg(long, value_name = "N", default_value_t = Settings::default().small_layers)]
    small_layers: usize = 0,
    /// The learning rate of the small layers, as a multiple of the others'. With --from a network
    /// without them, they have everything to learn and the others little
    #[arg(long, value_name = "FACTOR", default_value_t = Settings::default().small_rate)]
    small_rate: f64 = 1.0,
}

impl Settings {
    /// Returns the defaults of the first checkpoints, which had fewer settings.
    pub fn of_old_checkpoint() -> Settings {
        Settings {
            average: 0.0,
            ..Settings::default()
        }
    }

    /// Returns the network's size.
    pub const fn shape(&self) -> Shape {
        Shape {
            hidden: self.hidden,
            king_buckets: self.king_buckets,
            has_marks: self.marks,
            buckets: self.buckets,
            small_layers: self.small_layers,
        }
    }

    /// Returns the centipawns of an output of 1 in the network file.
    pub const fn file_scale(&self) -> u32 {
        match self.output_scale {
            0 => self.scale,
            scale => scale,
        }
    }

    /// Returns the number of steps in a superbatch.
    pub const fn superbatch_steps(&self) -> u64 {
        let steps = self.superbatch.div_ceil(self.batch as u64);
        if steps == 0 { 1 } else { steps }
    }

    /// Returns the number of steps of the run.
    pub const fn steps(&self) -> u64 {
        self.superbatch_steps() * self.superbatches
    }

    /// Returns the share of the run done before a step, 0 to 1.
    fn share_done(&self, step: u64) -> f64 {
        (step as f64 / self.steps().max(1) as f64).min(1.0)
    }

    /// Returns the learning rate of a step, which rises linearly during the warm-up and then falls
    /// along half a cosine wave.
    pub fn rate_at(&self, step: u64) -> f64 {
        let wave = 0.5 * (1.0 + (std::f64::consts::PI * self.share_done(step)).cos());
        let rate = self.final_rate + (self.rate - self.final_rate) * wave;
        rate * ((step + 1) as f64 / self.warm_up.max(1) as f64).min(1.0)
    }

    /// Returns the share of the result in the target of a step.
    pub fn result_share_at(&self, step: u64) -> f64 {
        self.w_start + (self.w_end - self.w_start) * self.share_done(step)
    }

    /// Returns the share by which a step moves the average towards the current weights. It starts
    /// at 1, so that the initial weights are soon forgotten.
    pub fn average_share_at(&self, step: u64) -> f32 {
        let kept = (step as f64 / (step as f64 + 10.0)).min(self.average);
        (1.0 - kept) as f32
    }

    /// Returns whether a step sees the parameters rounded as in the network file.
    pub fn rounds_at(&self, step: u64) -> bool {
        self.round_from < 1.0 && self.share_done(step) >= self.round_from
    }

    /// Returns the settings of a run that starts with the weights of another: the network's size
    /// and K follow from that run unless they are set.
    ///
    /// # Errors
    /// Fails when the settings contradict those of the other run.
    pub fn continuing(&self, from: &Settings) -> Result<Settings, TrainError> {
        let mut settings = Settings {
            hidden: from.hidden,
            buckets: from.buckets,
            king_buckets: self.king_buckets.max(from.king_buckets),
            marks: self.marks || from.marks,
            ..self.clone()
        };
        if settings.small_layers == 0 {
            settings.small_layers = from.small_layers;
        }
        if from.small_layers > 0 && settings.small_layers != from.small_layers {
            let rule = format!(
                "the checkpoint has small layers in {} output buckets, which cannot be changed",
                from.small_layers
            );
            return Err(TrainError::Setting(rule));
        }
        if settings.scale == 0 {
            settings.scale = from.scale;
        }
        Ok(settings)
    }

    /// Keeps the values of the network file when a run starts with the outputs of another times a
    /// factor, unless the scale of the values is set. Values that would need a scale out of range
    /// come as near as they can.
    pub fn keep_values(&mut self, from: &Settings, factor: f64) {
        if self.output_scale == 0 {
            let scale = (f64::from(from.file_scale()) / factor).round();
            self.output_scale = scale.clamp(1.0, f64::from(MAX_SCALE)) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_warms_up_and_falls() {
        let settings = Settings {
            batch: 100,
            superbatch: 10_000,
            superbatches: 10,
            warm_up: 100,
            ..Settings::default()
        };
        assert_eq!(settings.steps(), 1000);
        let rates: Vec<f64> = (0..1000).map(|step| settings.rate_at(step)).collect();
        assert!((rates[0] - 1e-5).abs() < 1e-7);
        assert!(rates[..99].is_sorted());
        assert!(rates[100..].is_sorted_by(|a, b| a >= b));
        assert!((rates[999] - 5e-6).abs() < 1e-7, "{}", rates[999]);
    }

    #[test]
    fn text_and_settings_are_the_same() {
        let settings = Settings {
            hidden: 64,
            rate: 0.1 + 0.2,
            seed: u64::MAX,
            ..Settings::default()
        };
        let mut read = Settings::default();
        for line in settings.to_text().lines() {
            let (name, value) = line.split_once(' ').unwrap();
            assert!(read.set(name, value), "{line}");
        }
        assert_eq!(read, settings);
        assert!(!read.set("nonsense", "1"));
        assert!(!read.set("batch", "-1"));
    }

    #[test]
    fn values_keep_their_size_with_a_valid_scale() {
        for (scale, factor, kept) in [(160, 0.8, 200), (9000, 0.5, 10_000), (1, 4.0, 1)] {
            let from = Settings {
                scale,
                ..Settings::default()
            };
            let mut settings = Settings::default();
            settings.keep_values(&from, factor);
            assert_eq!(settings.output_scale, kept);
            assert!(settings.check().is_ok());
        }
    }
}
