//! The recipe of a run.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::adjudication::AdjudicationRules;
use crate::eval::nnue::Network;
use crate::games::openings::{OpeningRules, parse_share};
use crate::tools::kit::args::EvalFileArg;

/// All settings that determine a game, except its number and the engine.
#[derive(Clone, Debug, clap::Args)]
pub struct Recipe {
    /// Nodes per move; the current iteration is finished, but cut off at eight times as many
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Nodes per move when the side to move is in check or a capture or promotion is best, which
    /// `train` does not use [default: as --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub noisy_nodes: Option<u64>,
    /// The seed of all random choices; runs to be merged need different seeds
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The openings of games
    #[command(flatten)]
    pub opening: OpeningRules,
    /// Begin games at random positions of this file, a FEN or EPD in each line, instead of the
    /// initial position and Chess960; the random plies follow
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Draw another opening when its score is beyond this, as the engine prints scores (100 is an
    /// even chance to win)
    #[arg(long, value_name = "CP", default_value_t = 40)]
    pub exit_score: u16,
    /// Nodes of the search of the opening's last position, which also chooses the first move
    #[arg(long, value_name = "N", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub exit_nodes: u64,
    /// Fork each game this many times: continue from a random ply with a random move, mostly an
    /// error
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub forks: u16,
    /// Play only this share of games to the end when few pieces are left, so that more games reach
    /// other positions. The rest end at the next quiet position. Their result is drawn by lot, with
    /// the probabilities of its score, and the expected points are recorded, too
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = parse_share)]
    pub endgame_share: f64,
    /// The number of pieces left at which --endgame-share applies
    #[arg(long, value_name = "PIECES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(2..=31))]
    pub endgame_pieces: u32,
    /// The adjudication of games
    #[command(flatten)]
    pub rules: AdjudicationRules,
    /// Directories with Syzygy tablebases, which adjudicate endgames
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
    /// The network
    #[command(flatten)]
    pub network: EvalFileArg,
    /// The hash table of each concurrent game in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65_536))]
    pub hash: usize,
}

impl Recipe {
    /// Formats the recipe as text with a line for each setting, for the record of the games, given
    /// the network and the checksum of the file of openings.
    pub fn to_text(&self, network: Option<&Network>, openings: Option<u64>) -> String {
        let (opening, rules) = (&self.opening, &self.rules);
        let mut text = String::new();
        // Runs of earlier versions, whose thresholds were in units of the search, lack this line.
        text.push_str("score-unit normalised-centipawn\n");
        // Writing to a String cannot fail.
        for (name, value) in [
            ("seed", self.seed),
            ("nodes", self.nodes),
            ("random-plies", opening.random_plies.into()),
            ("exit-score", self.exit_score.into()),
            ("exit-nodes", self.exit_nodes),
            ("win-score", rules.win_score.into()),
            ("win-plies", rules.win_plies.into()),
            ("draw-score", rules.draw_score.into()),
            ("draw-plies", rules.draw_plies.into()),
            ("draw-after", rules.draw_after.into()),
            ("max-plies", rules.max_plies.into()),
            ("hash", self.hash as u64),
        ] {
            let _ = writeln!(text, "{name} {value}");
        }
        if let Some(nodes) = self.noisy_nodes {
            let _ = writeln!(text, "noisy-nodes {nodes}");
        }
        if self.endgame_share < 1.0 {
            let _ = writeln!(text, "endgame-share {}", self.endgame_share);
            let _ = writeln!(text, "endgame-pieces {}", self.endgame_pieces);
        }
        if self.forks > 0 {
            let _ = writeln!(text, "forks {}", self.forks);
        }
        let _ = match openings {
            Some(checksum) => writeln!(text, "openings {checksum:016x}"),
            None => writeln!(text, "chess960-share {}", opening.chess960_share),
        };
        let syzygy = if self.syzygy.is_some() { "yes" } else { "no" };
        let _ = writeln!(text, "syzygy {syzygy}");
        text + &network_lines(network)
    }
}

/// Formats what identifies the network of a run, with a line for each part.
pub fn network_lines(network: Option<&Network>) -> String {
    match network {
        // The same weights with another K give other scores.
        Some(network) => format!(
            "network {:016x}\nnetwork-scale {}\n",
            network.checksum(),
            network.scale()
        ),
        None => "network none\n".to_owned(),
    }
}
