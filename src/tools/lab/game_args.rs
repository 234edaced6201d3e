//! The arguments that choose a game, its start and the depth.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use super::{LabError, read_text};
use crate::lab::examples;
use crate::lab::game::{Game, Mover, Value};
use crate::lab::games::chess::{Chess, ChessEvaluation};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::games::grundy::Grundy;
use crate::lab::games::nim::Nim;
use crate::lab::games::race::{Pieces, Race};
use crate::lab::games::random_tree::{ChildOrder, RandomTree};
use crate::lab::games::tic_tac_toe::{Board, TicTacToe};
use crate::lab::search::TO_THE_END;
use crate::position::Position;
use crate::position::notation::parse_fen;

/// The games for two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum GameName {
    /// Tic-tac-toe
    TicTacToe,
    /// Take one, two or three from a heap; the player who takes the last one loses
    Nim,
    /// Grundy's game: split a heap into two of different size; a player who cannot loses
    Grundy,
    /// The simplified backgammon race
    Race,
    /// A tree from a file or an example
    Tree,
    /// A random uniform tree
    Random,
    /// Chess, cut off by an evaluation
    Chess,
}

/// The order of the children of random trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum OrderName {
    /// Random
    Random,
    /// The best first, at every node
    Best,
    /// The best last, at every node
    Worst,
}

impl From<OrderName> for ChildOrder {
    fn from(name: OrderName) -> ChildOrder {
        match name {
            OrderName::Random => ChildOrder::Random,
            OrderName::Best => ChildOrder::BestFirst,
            OrderName::Worst => ChildOrder::BestLast,
        }
    }
}

/// The game and its start.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GameArgs {
    /// The game; tic-tac-toe if no other option implies one
    #[arg(long, value_enum, value_name = "GAME")]
    game: Option<GameName>,
    /// Chess: the position to start from; the initial position by default
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Chess: the evaluation where the search is cut off; hand-written by default
    #[arg(long, value_enum, value_name = "EVALUATION")]
    eval: Option<EvalName>,
    /// Tic-tac-toe: the board to start from, row by row, such as X.O/.X./..O
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Tic-tac-toe: the player to move; by default the one with fewer marks
    #[arg(long, value_enum, value_name = "PLAYER", requires = "board")]
    to_move: Option<PlayerName>,
    /// A file with a tree, such as max(min(3 12 8) min(2 4 6))
    #[arg(long, value_name = "FILE", conflicts_with = "example")]
    pub tree: Option<PathBuf>,
    /// A tree of the lecture notes
    #[arg(long, value_name = "NAME", value_parser = example_parser())]
    example: Option<String>,
    /// Nim, Grundy's game and the game for three: the size of the heap; 12 by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    heap: Option<u32>,
    /// The race: Max's two fields and Min's two, such as 3,4,1,2
    #[arg(long, value_name = "A,B,C,D", value_parser = fields)]
    fields: Option<[u8; 4]>,
    /// The race: the throw that Max has made, 1 for heads or 2 for tails
    #[arg(long, value_name = "THROW", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub throw: Option<u8>,
    /// Random trees: moves at each node; 3 by default
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..=100))]
    branching: Option<u32>,
    /// Random trees: moves from the root to a leaf; 4 by default
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub levels: Option<u32>,
    /// Random trees: the largest value; the smallest is its negative; 100 by default
    #[arg(long, value_name = "VALUE", value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    largest: Option<Value>,
    /// Random trees: the correlation of neighbouring leaves, in percent; 0 by default
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    correlation: Option<u32>,
    /// Random trees: the order of the moves; random by default
    #[arg(long, value_enum, value_name = "ORDER")]
    pub order: Option<OrderName>,
    /// Random trees: throws of the dice before each move; 1 for no dice, the default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    throws: Option<u32>,
    /// The seed of random trees and coins
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The depth argument.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct DepthArg {
    /// The number of plies to search; by default to the end of the game
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub depth: Option<u32>,
}

/// An action that works with any game.
pub(super) trait Visitor {
    type Output;
    fn visit<G: Game>(self, game: &G) -> Result<Self::Output, LabError>;
}

/// The evaluations of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EvalName {
    /// The engine's hand-written evaluation
    HandWritten,
    /// The sum of the values of the pieces: 1, 3, 3, 5 and 9 pawns
    Material,
}

/// The players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum PlayerName {
    /// Max, who has the crosses
    Max,
    /// Min, who has the noughts
    Min,
}

/// Parses the name of an example.
fn example_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(examples::ALL.iter().map(|example| example.name))
}

impl GameArgs {
    /// Returns the options that are given and belong to one game, with that game.
    fn implied(&self) -> impl Iterator<Item = (GameName, &'static str)> {
        let options = [
            (self.tree.is_some(), GameName::Tree, "--tree"),
            (self.example.is_some(), GameName::Tree, "--example"),
            (self.fen.is_some(), GameName::Chess, "--fen"),
            (self.eval.is_some(), GameName::Chess, "--eval"),
            (self.board.is_some(), GameName::TicTacToe, "--board"),
            (self.fields.is_some(), GameName::Race, "--fields"),
            (self.throw.is_some(), GameName::Race, "--throw"),
            (self.branching.is_some(), GameName::Random, "--branching"),
            (self.levels.is_some(), GameName::Random, "--levels"),
            (self.largest.is_some(), GameName::Random, "--largest"),
            (
                self.correlation.is_some(),
                GameName::Random,
                "--correlation",
            ),
            (self.order.is_some(), GameName::Random, "--order"),
            (self.throws.is_some(), GameName::Random, "--throws"),
        ];
        let given = options.into_iter().filter(|(is_given, ..)| *is_given);
        given.map(|(_, game, option)| (game, option))
    }

    /// Returns the options that are given and belong to some games only, `--game` among them.
    pub(super) fn given(&self) -> impl Iterator<Item = &'static str> {
        let others = [
            (self.game.is_some(), "--game"),
            (self.heap.is_some(), "--heap"),
        ];
        let others = others.into_iter().filter(|(is_given, _)| *is_given);
        let others = others.map(|(_, option)| option);
        others.chain(self.implied().map(|(_, option)| option))
    }

    /// Returns the game: the one named, or the one that other options imply.
    pub(super) fn name(&self) -> Result<GameName, LabError> {
        let mut name = self.game;
        for (game, option) in self.implied() {
            match name {
                Some(other) if other != game => {
                    let other = text_of(other);
                    return Err(LabError::usage(
                        format!("{option} does not belong to the game {other}"),
                        format!("{option} no es del juego {other}"),
                    ));
                }
                _ => name = Some(game),
            }
        }
        match (self.heap, name) {
            (None, name) => Ok(name.unwrap_or(GameName::TicTacToe)),
            (Some(_), Some(name @ (GameName::Nim | GameName::Grundy))) => Ok(name),
            (Some(_), _) => Err(LabError::usage(
                "--heap is for --game nim and --game grundy",
                "--heap es para --game nim y --game grundy",
            )),
        }
    }

    /// Returns the size of the heap.
    pub(super) fn heap(&self) -> u32 {
        self.heap.unwrap_or(12)
    }

    /// Makes the game and runs an action on it.
    pub(super) fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, LabError> {
        let heap = self.heap();
        match self.name()? {
            GameName::TicTacToe => visitor.visit(&self.tic_tac_toe()?),
            GameName::Nim => visitor.visit(&Nim { heap }),
            GameName::Grundy => visitor.visit(&Grundy { heap }),
            GameName::Race => visitor.visit(&self.race()?),
            GameName::Tree => visitor.visit(&self.explicit()?),
            GameName::Random => visitor.visit(&self.random(self.levels.unwrap_or(4))?),
            GameName::Chess => visitor.visit(&self.chess()?),
        }
    }

    /// Returns the depth to search to.
    pub(super) fn depth(&self, asked: DepthArg) -> Result<u32, LabError> {
        match (asked.depth, self.name()?) {
            (Some(depth), _) => Ok(depth),
            (None, GameName::Chess) => Err(LabError::usage(
                "chess takes too long to its end: give --depth",
                "el ajedrez tarda demasiado hasta el final: dé --depth",
            )),
            (None, GameName::Race) => Err(LabError::usage(
                "the race can go round in circles: give --depth, or see quevedo lab solve",
                "la carrera puede dar vueltas sin fin: dé --depth, o vea quevedo lab solve",
            )),
            (None, _) => Ok(TO_THE_END),
        }
    }

    /// Returns tic-tac-toe from the board.
    pub(super) fn tic_tac_toe(&self) -> Result<TicTacToe, LabError> {
        let Some(board) = &self.board else {
            return Ok(TicTacToe::default());
        };
        let to_move = self.to_move.map(|player| match player {
            PlayerName::Max => Mover::Max,
            PlayerName::Min => Mover::Min,
        });
        let start = Board::parse(board, to_move).map_err(|source| LabError::Board {
            board: board.clone(),
            source,
        })?;
        Ok(TicTacToe { start })
    }

    /// Returns the race.
    pub(super) fn race(&self) -> Result<Race, LabError> {
        let mut start = Pieces::default();
        if let Some([a, b, c, d]) = self.fields {
            start = Pieces::new([a, b], [c, d], true).map_err(|fault| {
                LabError::usage(
                    format!("--fields {a},{b},{c},{d}: {fault}"),
                    format!("--fields {a},{b},{c},{d}: {}", fault.spanish()),
                )
            })?;
        }
        if let Some(throw) = self.throw {
            start = start.thrown(throw);
        }
        Ok(Race { start })
    }

    /// Returns a random tree with a number of levels.
    pub(super) fn random(&self, levels: u32) -> Result<RandomTree, LabError> {
        let order = self.order.unwrap_or(OrderName::Random).into();
        let throws = self.throws.unwrap_or(1);
        if order != ChildOrder::Random && throws > 1 {
            return Err(LabError::usage(
                "--order and --throws cannot be combined",
                "--order y --throws no se pueden combinar",
            ));
        }
        Ok(RandomTree {
            branching: self.branching.unwrap_or(3),
            depth: levels,
            largest: self.largest.unwrap_or(100),
            correlation: self.correlation.unwrap_or(0),
            order,
            throws,
            seed: self.seed,
        })
    }

    /// Returns the text of the tree.
    pub(super) fn tree_text(&self) -> Result<(PathBuf, String), LabError> {
        if let Some(example) = self.example.as_deref().and_then(examples::by_name) {
            return Ok((example.name.into(), example.text.to_owned()));
        }
        let Some(path) = &self.tree else {
            return Err(LabError::usage(
                "--game tree: give the file with --tree, or --example",
                "--game tree: dé el fichero con --tree, o --example",
            ));
        };
        Ok((path.clone(), read_text(path)?))
    }

    fn explicit(&self) -> Result<ExplicitTree, LabError> {
        let (path, text) = self.tree_text()?;
        ExplicitTree::parse(&text).map_err(|source| LabError::Tree { path, source })
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
        let evaluation = match self.eval {
            None | Some(EvalName::HandWritten) => ChessEvaluation::HandWritten,
            Some(EvalName::Material) => ChessEvaluation::Material,
        };
        Ok(Chess { start, evaluation })
    }
}

/// Returns the name of an argument's value.
pub(super) fn text_of(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().to_owned())
}

/// Parses the four fields of the race.
fn fields(text: &str) -> Result<[u8; 4], String> {
    let fields: Result<Vec<u8>, _> = text
        .split(',')
        .map(|field| field.trim().parse::<u8>())
        .collect();
    let fields = fields
        .ok()
        .and_then(|fields| <[u8; 4]>::try_from(fields).ok());
    fields
        .ok_or_else(|| "four fields expected, Max's two and Min's two, such as 3,4,1,2".to_owned())
}

/// Writes a line of moves that starts at a position.
pub(super) fn line_text<G: Game>(game: &G, state: &G::State, line: &[G::Move]) -> String {
    let mut state = state.clone();
    let mut texts = Vec::new();
    for m in line {
        texts.push(game.move_text(&state, m));
        state = game.apply(&state, m);
    }
    texts.join(" ")
}
