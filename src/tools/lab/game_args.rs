//! Which game, from where, and to which depth.

use std::fs;
use std::path::PathBuf;

use clap::ValueEnum;

use super::LabError;
use crate::lab::game::{Game, Value};
use crate::lab::games::chess::Chess;
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::games::grundy::Grundy;
use crate::lab::games::nim::Nim;
use crate::lab::games::race::{Pieces, Race};
use crate::lab::games::random_tree::{Order, RandomTree};
use crate::lab::games::tic_tac_toe::TicTacToe;
use crate::lab::search::TO_THE_END;
use crate::position::Position;
use crate::position::notation::parse_fen;

/// The largest file of a tree, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The games for two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum GameName {
    /// Tic-tac-toe (tres en raya)
    TicTacToe,
    /// Take one, two or three from a heap; who takes the last loses
    Nim,
    /// Grundy's game: split a heap into two of different size; who cannot loses
    Grundy,
    /// The simplified backgammon race
    Race,
    /// A tree from a file
    Tree,
    /// A random uniform tree
    Random,
    /// Chess, cut off by the hand-written evaluation
    Chess,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OrderName {
    /// Any
    Random,
    /// The best first, at every node
    Best,
    /// The best last, at every node
    Worst,
}

/// The game and where it begins.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GameArgs {
    /// The game
    #[arg(long, value_enum, value_name = "GAME", default_value = "tic-tac-toe")]
    pub game: GameName,
    /// Chess: the position to begin with; the initial position if not given
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// A file with a tree, such as max(min(3 12 8) min(2 4 6)); chooses the game, too
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Nim, Grundy's game and the game for three: the size of the heap
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub heap: u32,
    /// The race: Max's two fields and Min's two, such as 3,4,1,2
    #[arg(long, value_name = "A,B,C,D", value_parser = fields)]
    fields: Option<[u8; 4]>,
    /// Random trees: moves at each node
    #[arg(long, value_name = "B", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub branching: u32,
    /// Random trees: moves on each way
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub levels: u32,
    /// Random trees: values are from minus this to this
    #[arg(long, value_name = "VALUE", default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    largest: Value,
    /// Random trees: how much neighbouring leaves have in common, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    correlation: u32,
    /// Random trees: the order of the moves
    #[arg(long, value_enum, value_name = "ORDER", default_value = "random")]
    order: OrderName,
    /// Random trees: throws of the dice before each move; 1 for no dice
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    throws: u32,
    /// Random trees and coins: what they follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// How far to look.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct DepthArg {
    /// How many plies to look ahead; to the end of the game if not given
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub depth: Option<u32>,
}

/// What is done with any game.
pub(super) trait Visitor {
    type Output;
    fn visit<G: Game>(self, game: &G) -> Result<Self::Output, LabError>;
}

impl GameArgs {
    /// The game, as far as options choose it without naming it.
    pub(super) fn name(&self) -> GameName {
        if self.tree.is_some() {
            GameName::Tree
        } else if self.fen.is_some() {
            GameName::Chess
        } else if self.fields.is_some() {
            GameName::Race
        } else {
            self.game
        }
    }

    /// Makes the game and does something with it.
    pub(super) fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, LabError> {
        match self.name() {
            GameName::TicTacToe => visitor.visit(&TicTacToe),
            GameName::Nim => visitor.visit(&Nim { heap: self.heap }),
            GameName::Grundy => visitor.visit(&Grundy { heap: self.heap }),
            GameName::Race => visitor.visit(&self.race()?),
            GameName::Tree => visitor.visit(&self.explicit()?),
            GameName::Random => visitor.visit(&self.random(self.levels)?),
            GameName::Chess => visitor.visit(&self.chess()?),
        }
    }

    /// The depth to search to.
    pub(super) fn depth(&self, asked: DepthArg) -> Result<u32, LabError> {
        match (asked.depth, self.name()) {
            (Some(depth), _) => Ok(depth),
            (None, GameName::Chess) => Err(LabError::Usage(
                "chess takes too long to its end: give --depth".to_owned(),
            )),
            (None, GameName::Race) => Err(LabError::Usage(
                "the race can go round in circles: give --depth, or see quevedo lab solve"
                    .to_owned(),
            )),
            (None, _) => Ok(TO_THE_END),
        }
    }

    /// The race.
    pub(super) fn race(&self) -> Result<Race, LabError> {
        let Some([a, b, c, d]) = self.fields else {
            return Ok(Race {
                start: Pieces::default(),
            });
        };
        let start = Pieces::new([a, b], [c, d], true);
        let bad = |what| LabError::Usage(format!("--fields {a},{b},{c},{d}: {what}"));
        Ok(Race {
            start: start.map_err(bad)?,
        })
    }

    /// A random tree of so many levels.
    pub(super) fn random(&self, levels: u32) -> Result<RandomTree, LabError> {
        let order = match self.order {
            OrderName::Random => Order::Random,
            OrderName::Best => Order::BestFirst,
            OrderName::Worst => Order::BestLast,
        };
        if order != Order::Random && self.throws > 1 {
            return Err(LabError::Usage(
                "--order and --throws do not go together".to_owned(),
            ));
        }
        Ok(RandomTree {
            branching: self.branching,
            depth: levels,
            largest: self.largest,
            correlation: self.correlation,
            order,
            throws: self.throws,
            seed: self.seed,
        })
    }

    fn explicit(&self) -> Result<ExplicitTree, LabError> {
        let Some(path) = &self.tree else {
            return Err(LabError::Usage(
                "--game tree: give the file with --tree".to_owned(),
            ));
        };
        let file_error = |source| LabError::File {
            path: path.clone(),
            source,
        };
        let size = fs::metadata(path).map_err(file_error)?.len();
        if size > MOST_BYTES {
            return Err(LabError::Usage(format!(
                "{}: larger than {} MiB",
                path.display(),
                MOST_BYTES >> 20
            )));
        }
        let text = fs::read_to_string(path).map_err(file_error)?;
        ExplicitTree::parse(&text).map_err(|source| LabError::Tree {
            path: path.clone(),
            source,
        })
    }

    fn chess(&self) -> Result<Chess, LabError> {
        let start = match &self.fen {
            None => Position::initial(),
            Some(fen) => {
                let parsed = parse_fen(fen, false).map_err(|source| LabError::Fen {
                    fen: fen.clone(),
                    source,
                })?;
                parsed.position
            }
        };
        Ok(Chess { start })
    }
}

/// Reads four fields of the race.
fn fields(text: &str) -> Result<[u8; 4], String> {
    let fields: Result<Vec<u8>, _> = text.split(',').map(|field| field.trim().parse()).collect();
    let fields = fields
        .ok()
        .and_then(|fields| <[u8; 4]>::try_from(fields).ok());
    fields
        .ok_or_else(|| "four fields expected, Max's two and Min's two, such as 3,4,1,2".to_owned())
}

/// A line of moves as text, from a position on.
pub(super) fn line_text<G: Game>(game: &G, state: &G::State, line: &[G::Move]) -> String {
    let mut state = state.clone();
    let mut texts = Vec::new();
    for m in line {
        texts.push(game.move_text(&state, m));
        state = game.apply(&state, m);
    }
    texts.join(" ")
}
