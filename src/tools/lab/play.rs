//! `quevedo lab play`: a person against an algorithm, in the terminal.

use std::io::{BufRead, Read, Write};

use super::LabError;
use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor};
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Player, Value, value_text};
use crate::lab::run::run as run_algorithm;
use crate::lab::search::TO_THE_END;
use crate::random::Random;

/// How deep the algorithm looks into the race, which has no end that a search reaches.
const RACE_DEPTH: u32 = 4;
/// How deep it looks into chess.
const CHESS_DEPTH: u32 = 4;
/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1_000;

/// What is played.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm to play against; MTD(f) if not given, Star2 where chance decides
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    /// Let the algorithm be Max, who begins
    #[arg(long)]
    second: bool,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Write each position and move as one JSON object in a line
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub(super) fn run(
    args: &PlayArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    args.game.visit(Play { args, input, out })
}

struct Play<'a> {
    args: &'a PlayArgs,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) -> Result<(), LabError> {
        let args = self.args;
        let usual = [Algorithm::MtdF, Algorithm::Star2];
        let algorithm = one(game, args.algorithm, usual)?;
        let depth = match (args.depth.depth, args.game.name()) {
            (Some(depth), _) => depth.max(1),
            (None, GameName::Race) => RACE_DEPTH,
            (None, GameName::Chess) => CHESS_DEPTH,
            (None, _) => TO_THE_END,
        };
        let mut table = Board {
            game,
            args,
            algorithm,
            depth,
            random: Random::new(args.game.seed),
            input: self.input,
            out: self.out,
        };
        table.play()
    }
}

/// A game that is being played.
struct Board<'a, G: Game> {
    game: &'a G,
    args: &'a PlayArgs,
    algorithm: Algorithm,
    depth: u32,
    random: Random,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl<G: Game> Board<'_, G> {
    fn play(&mut self) -> Result<(), LabError> {
        let person = if self.args.second {
            Player::Min
        } else {
            Player::Max
        };
        let mut state = self.game.start();
        loop {
            self.show(&state)?;
            if let Some(value) = self.game.utility(&state) {
                return self.end(value, person);
            }
            let player = self.game.player(&state);
            let m = if player == Player::Chance {
                self.throw(&state)?
            } else if player == person {
                match self.ask(&state)? {
                    Some(m) => m,
                    None => return self.say("end", "no more moves: the game ends here"),
                }
            } else {
                self.answer(&state)?
            };
            let text = self.game.move_text(&state, &m);
            let who = match player {
                Player::Chance => "chance",
                _ if player == person => "you",
                _ => self.algorithm.entry().name,
            };
            if self.args.json {
                let line = serde_json::json!({ "player": who, "move": text });
                writeln!(self.out, "{line}")?;
            } else {
                writeln!(self.out, "{who}: {text}\n")?;
            }
            state = self.game.apply(&state, &m);
        }
    }

    fn show(&mut self, state: &G::State) -> Result<(), LabError> {
        let text = self.game.state_text(state);
        self.say("position", &text)
    }

    fn say(&mut self, kind: &str, text: &str) -> Result<(), LabError> {
        if self.args.json {
            let line = serde_json::json!({ kind: text });
            writeln!(self.out, "{line}")?;
        } else {
            writeln!(self.out, "{text}")?;
        }
        self.out.flush()?;
        Ok(())
    }

    fn end(&mut self, value: Value, person: Player) -> Result<(), LabError> {
        let value = if person == Player::Max { value } else { -value };
        let (low, high) = self.game.range();
        let middle = (low + high) / 2;
        let middle = if person == Player::Max {
            middle
        } else {
            -middle
        };
        let verdict = match value.cmp(&middle) {
            std::cmp::Ordering::Greater => "you win",
            std::cmp::Ordering::Equal => "a draw",
            std::cmp::Ordering::Less => "you lose",
        };
        self.say("end", verdict)
    }

    fn throw(&mut self, state: &G::State) -> Result<G::Move, LabError> {
        let throws = self.game.moves(state);
        let weight = |throw: &G::Move| self.game.weight(state, throw).max(1) as usize;
        let mut left = self.random.below(throws.iter().map(weight).sum());
        let is_it = |throw: &&G::Move| match left.checked_sub(weight(throw)) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        };
        let chosen = throws.iter().find(is_it).cloned();
        chosen.ok_or_else(no_move)
    }

    /// Asks until there is a legal move. `None` at the end of the input.
    fn ask(&mut self, state: &G::State) -> Result<Option<G::Move>, LabError> {
        let moves = self.game.moves(state);
        let texts: Vec<String> = moves
            .iter()
            .map(|m| self.game.move_text(state, m))
            .collect();
        loop {
            if !self.args.json {
                write!(self.out, "your move ({}; quit): ", texts.join(" "))?;
                self.out.flush()?;
            }
            let Some(line) = self.read_line()? else {
                return Ok(None);
            };
            let word = line.trim();
            if word.eq_ignore_ascii_case("quit") {
                return Ok(None);
            }
            let index = texts
                .iter()
                .position(|text| text.eq_ignore_ascii_case(word));
            if let Some(m) = index.and_then(|index| moves.get(index)) {
                return Ok(Some(m.clone()));
            }
            let word: String = word.chars().take(20).collect();
            self.say(
                "error",
                &format!(
                    "{word:?} is not a move here; the moves are {}",
                    texts.join(" ")
                ),
            )?;
        }
    }

    /// A line, whatever bytes are in it; `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, LabError> {
        let mut bytes = Vec::new();
        let mut limited = Read::take(&mut *self.input, LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut bytes)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn answer(&mut self, state: &G::State) -> Result<G::Move, LabError> {
        let settings = self.args.tuning.settings(self.game);
        let budget = self.args.tuning.budget();
        let report = run_algorithm(
            self.algorithm,
            self.game,
            state,
            self.depth,
            &settings,
            budget,
        );
        let halt = |halt| LabError::Halt {
            algorithm: self.algorithm.entry().name,
            halt,
        };
        let found = report.result.map_err(halt)?;
        if !self.args.json {
            let value = value_text(found.value, self.game.unit());
            let leaves = report.counters.leaves;
            writeln!(
                self.out,
                "{}: value {value} for Max, {leaves} leaves",
                self.algorithm.entry().name
            )?;
        }
        let moves = self.game.moves(state);
        let chosen = found
            .line
            .into_iter()
            .next()
            .or_else(|| moves.first().cloned());
        chosen.ok_or_else(no_move)
    }
}

/// A game breaks the promise that there is a move in every position that is not an end.
fn no_move() -> LabError {
    LabError::Usage("the position has no move".to_owned())
}
