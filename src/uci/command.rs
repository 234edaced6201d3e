//! Parsing of a line of input into a [`Command`].
//!
//! The parser does not know the position, so moves remain text. Lines that cannot be parsed become
//! a [`CommandError`], except for `go`: a GUI that has sent one waits for a move, so its errors are
//! collected in [`GoCommand::problems`] and the rest is searched.

use std::ffi::OsString;
use std::fmt;
use std::iter::Peekable;
use std::str::{FromStr, SplitWhitespace};

use thiserror::Error;

use super::genfens::{self, ParseGenFensError};
use crate::engine::genfens::GenFens;
use crate::engine::{parse_saturating, perft, shorten};

/// Maximum number of messages for one `go`, however many invalid tokens it has.
const MAX_PROBLEMS: usize = 8;

/// One line of input.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// An empty line.
    Blank,
    /// `uci`: identify the engine and list its options.
    Uci,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`.
    IsReady,
    /// `setoption name <name> [value <value>]`. The value `<empty>` is parsed as the empty string.
    SetOption {
        /// The option's name, its words separated by one space.
        name: String,
        /// The value, including inner spaces.
        value: Option<OsString>,
    },
    /// `register ..`, which is not needed.
    Register,
    /// `ucinewgame`.
    NewGame,
    /// `position startpos|fen <fen> [moves ..]`.
    Position {
        /// The FEN; `None` for the initial position.
        fen: Option<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `go ..`.
    Go(Box<GoCommand>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `bench [depth]`.
    Bench(Option<u32>),
    /// `perft <depth>`.
    Perft(u32),
    /// `genfens ..`: openings for OpenBench's clients.
    GenFens(Box<GenFens>),
    /// `help`.
    Help,
}

/// Usage and description of the commands, for `help`.
pub const COMMANDS: &[(&str, &str)] = &[
    ("uci", "identify the engine and list its options"),
    ("debug on|off", "write additional messages, or not"),
    (
        "isready",
        "answer readyok once all commands before it are done",
    ),
    ("setoption name <name> [value <value>]", "set an option"),
    ("ucinewgame", "clear everything learnt from earlier games"),
    (
        "position startpos|fen <fen> [moves <move>..]",
        "set the position",
    ),
    (
        "go [depth|nodes|mate|movetime <n>] [wtime|btime|winc|binc|movestogo <n>] [infinite] [ponder] [searchmoves <move>..]",
        "search",
    ),
    ("go perft <depth>", "count move paths"),
    ("stop", "stop the search and print the best move"),
    (
        "ponderhit",
        "the expected move was played: search on within the limits",
    ),
    ("d", "show the position"),
    ("eval", "show the static evaluation"),
    (
        "bench [depth]",
        "search fixed positions with one thread, and print the signature and speed",
    ),
    ("perft <depth>", "count move paths"),
    (
        "genfens <n> seed <n> book None|<file> [plies <n>] [chess960 <share>]",
        "print random openings",
    ),
    ("help", "show this list"),
    ("quit", "quit"),
];

/// Errors of parsing a command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// The first token is not a command.
    #[error("unknown command {0:?}; help lists the commands")]
    Unknown(String),
    /// `debug` without `on` or `off`.
    #[error("debug: expected on or off")]
    Debug,
    /// `setoption` without `name`.
    #[error("setoption: expected name after setoption")]
    OptionWithoutName,
    /// `position` followed by neither `startpos` nor `fen`.
    #[error("position: expected startpos or fen, found {0:?}")]
    PositionKind(String),
    /// Another token in the place of `moves`.
    #[error("position: expected moves after startpos, found {0:?}")]
    MovesExpected(String),
    /// `fen` without a FEN.
    #[error("position: missing FEN after fen")]
    EmptyFen,
    /// A missing number.
    #[error("{0}: missing number")]
    NumberExpected(&'static str),
    /// Another token in the place of a number.
    #[error("{0}: not a number: {1:?}")]
    NotANumber(&'static str, String),
    /// Invalid arguments of `genfens`.
    #[error(transparent)]
    GenFens(#[from] ParseGenFensError),
}

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoCommand {
    /// The root moves to search, as text; empty for all.
    pub searchmoves: Vec<String>,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// White's clock in milliseconds.
    pub wtime: Option<i64>,
    /// Black's clock in milliseconds.
    pub btime: Option<i64>,
    /// White's increment in milliseconds.
    pub winc: Option<i64>,
    /// Black's increment in milliseconds.
    pub binc: Option<i64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move in milliseconds.
    pub movetime: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Count move paths instead of searching.
    pub perft: Option<u32>,
    /// Arguments that could not be parsed.
    pub problems: Problems,
}

/// An argument of `go` that is ignored or replaced.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GoProblem {
    /// An unknown token.
    #[error("go: ignored unknown token {0:?}")]
    UnknownToken(String),
    /// A limit without a number.
    #[error("go: ignored {0} without a number")]
    MissingNumber(&'static str),
    /// A limit with another token in the place of its number.
    #[error("go: ignored {0}, not a number: {1:?}")]
    NotANumber(&'static str, String),
    /// A limit that is out of range.
    #[error("go: {0} {1} is out of range, using {2}")]
    OutOfRange(&'static str, i64, u32),
}

/// The problems of one `go`: the first few and the number of the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problems {
    list: Vec<GoProblem>,
    more: usize,
    lost_limit: bool,
}

impl Problems {
    fn push(&mut self, problem: GoProblem) {
        self.lost_limit |= matches!(
            problem,
            GoProblem::MissingNumber(_) | GoProblem::NotANumber(..)
        );
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(problem);
        } else {
            self.more += 1;
        }
    }

    /// Tells whether the number of a limit could not be parsed.
    pub fn lost_limit(&self) -> bool {
        self.lost_limit
    }

    /// Returns the messages for the user.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        let more = (self.more > 0).then(|| format!("go: ignored {} more tokens", self.more));
        self.list.iter().map(ToString::to_string).chain(more)
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let line = line.trim_start_matches('\u{feff}');
        let Some((first, rest)) = next_word(line) else {
            return Ok(Command::Blank);
        };
        Ok(match first {
            "uci" => Command::Uci,
            "debug" => match rest.trim() {
                "on" => Command::Debug(true),
                "off" => Command::Debug(false),
                _ => return Err(CommandError::Debug),
            },
            "isready" => Command::IsReady,
            "setoption" => set_option(rest)?,
            "register" => Command::Register,
            "ucinewgame" => Command::NewGame,
            "position" => position(rest)?,
            "go" => Command::Go(Box::new(GoCommand::parse(rest))),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench(optional_count("bench", rest)?),
            "perft" => Command::Perft(
                optional_count("perft", rest)?
                    .ok_or(CommandError::NumberExpected("perft"))?
                    .min(perft::MAX_DEPTH),
            ),
            "genfens" => Command::GenFens(Box::new(genfens::parse(rest)?)),
            "help" => Command::Help,
            _ => return Err(CommandError::Unknown(shorten(first))),
        })
    }
}

/// Parses `name <name> [value <value>]`, both of any number of words.
fn set_option(text: &str) -> Result<Command, CommandError> {
    let mut rest = match next_word(text) {
        Some((word, rest)) if word.eq_ignore_ascii_case("name") => rest,
        _ => return Err(CommandError::OptionWithoutName),
    };
    let mut name = String::new();
    let mut value = None;
    while let Some((word, behind)) = next_word(rest) {
        if word.eq_ignore_ascii_case("value") {
            let text = behind.trim();
            value = Some(if text == "<empty>" { "" } else { text }.into());
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        rest = behind;
    }
    if name.is_empty() {
        return Err(CommandError::OptionWithoutName);
    }
    Ok(Command::SetOption { name, value })
}

/// Parses `startpos|fen <fen> [moves ..]`.
fn position(text: &str) -> Result<Command, CommandError> {
    let mut words = text.split_whitespace();
    let fen = match words.next() {
        Some("startpos") => {
            if let Some(word) = words.next().filter(|&word| word != "moves") {
                return Err(CommandError::MovesExpected(shorten(word)));
            }
            None
        }
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fields.is_empty() {
                return Err(CommandError::EmptyFen);
            }
            Some(fields.join(" "))
        }
        other => return Err(CommandError::PositionKind(shorten(other.unwrap_or("")))),
    };
    Ok(Command::Position {
        fen,
        moves: words.map(str::to_owned).collect(),
    })
}

fn optional_count(command: &'static str, text: &str) -> Result<Option<u32>, CommandError> {
    match text.trim() {
        "" => Ok(None),
        text => match parse_saturating(text) {
            Some(number) if number >= 0 => Ok(Some(u32::try_from(number).unwrap_or(u32::MAX))),
            _ => Err(CommandError::NotANumber(command, shorten(text))),
        },
    }
}

/// The keywords of `go`. Each ends a list of moves and cannot be the number of another.
const GO_KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl GoCommand {
    /// Parses the arguments of `go`, in any order. If one is repeated, the last counts.
    pub fn parse(text: &str) -> GoCommand {
        let mut go = GoCommand::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| !GO_KEYWORDS.contains(word)) {
                        go.searchmoves.push(m.to_owned());
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.wtime = go.number("wtime", &mut words).or(go.wtime),
                "btime" => go.btime = go.number("btime", &mut words).or(go.btime),
                "winc" => go.winc = go.number("winc", &mut words).or(go.winc),
                "binc" => go.binc = go.number("binc", &mut words).or(go.binc),
                // Zero, or -1 from some GUIs, means that there is no next time control.
                "movestogo" => {
                    if let Some(moves) = go.number("movestogo", &mut words) {
                        go.movestogo = (moves > 0).then(|| saturate(moves));
                    }
                }
                "depth" => go.depth = go.count("depth", &mut words).map(saturate).or(go.depth),
                "mate" => go.mate = go.count("mate", &mut words).map(saturate).or(go.mate),
                "nodes" => {
                    let nodes = go.count("nodes", &mut words);
                    go.nodes = nodes.map(i64::unsigned_abs).or(go.nodes);
                }
                "movetime" => {
                    let time = go.number("movetime", &mut words);
                    go.movetime = time.map(|ms| ms.max(1).unsigned_abs()).or(go.movetime);
                }
                "perft" => {
                    if let Some(depth) = go.number("perft", &mut words) {
                        let used = depth.clamp(0, i64::from(perft::MAX_DEPTH));
                        if used != depth {
                            go.problems
                                .push(GoProblem::OutOfRange("perft", depth, saturate(used)));
                        }
                        go.perft = Some(saturate(used));
                    }
                }
                _ => go.problems.push(GoProblem::UnknownToken(shorten(word))),
            }
        }
        go
    }

    /// Parses the number after a keyword. A keyword in its place is left for its own turn.
    fn number(
        &mut self,
        name: &'static str,
        words: &mut Peekable<SplitWhitespace<'_>>,
    ) -> Option<i64> {
        let Some(text) = words.next_if(|word| !GO_KEYWORDS.contains(word)) else {
            self.problems.push(GoProblem::MissingNumber(name));
            return None;
        };
        let number = parse_saturating(text);
        if number.is_none() {
            self.problems
                .push(GoProblem::NotANumber(name, shorten(text)));
        }
        number
    }

    /// Parses a number as [`GoCommand::number`] does and raises it to 1.
    fn count(
        &mut self,
        name: &'static str,
        words: &mut Peekable<SplitWhitespace<'_>>,
    ) -> Option<i64> {
        let number = self.number(name, words)?;
        if number < 1 {
            self.problems.push(GoProblem::OutOfRange(name, number, 1));
        }
        Some(number.max(1))
    }
}

/// Splits off the first token.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn saturate(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

impl fmt::Display for GoCommand {
    /// Formats the parsed arguments, for `debug on`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        for (name, flag) in [("infinite", self.infinite), ("ponder", self.ponder)] {
            if flag {
                write!(f, " {name}")?;
            }
        }
        for (name, value) in [
            ("wtime", self.wtime.map(i128::from)),
            ("btime", self.btime.map(i128::from)),
            ("winc", self.winc.map(i128::from)),
            ("binc", self.binc.map(i128::from)),
            ("movestogo", self.movestogo.map(i128::from)),
            ("depth", self.depth.map(i128::from)),
            ("nodes", self.nodes.map(i128::from)),
            ("mate", self.mate.map(i128::from)),
            ("movetime", self.movetime.map(i128::from)),
            ("perft", self.perft.map(i128::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        if !self.searchmoves.is_empty() {
            write!(f, " searchmoves {}", self.searchmoves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
