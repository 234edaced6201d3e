//! `quevedo lab play`: a person against an algorithm, in the terminal.

use std::io::{BufRead, Read, Write};

use super::LabError;
use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor};
use crate::lab::algorithms::opponent::ErrorRate;
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::language::Language;
use crate::lab::run::{AlgorithmSettings, run as run_algorithm};
use crate::lab::search::TO_THE_END;
use crate::random::Random;

/// The default depth for the race, whose end no search reaches.
const RACE_DEPTH: u32 = 4;
/// The default depth for chess.
const CHESS_DEPTH: u32 = 4;
/// The longest line of input, in bytes.
const LONGEST_LINE: u64 = 1_000;

/// The arguments of `lab play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm to play against; by default MTD(f), Star2 where chance decides
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    /// Let the algorithm be Max, who begins
    #[arg(long)]
    second: bool,
    /// Learn from your moves how often you err, starting from --errs (for opponent-errs, with
    /// --second)
    #[arg(long, requires = "second")]
    learn: bool,
    #[command(flatten)]
    tuning: TuningArgs,
    /// Write each position and move as one JSON object in a line
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub(super) fn run(
    args: &PlayArgs,
    lang: Language,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    args.game.visit(Play {
        args,
        lang,
        input,
        out,
    })
}

struct Play<'a> {
    args: &'a PlayArgs,
    lang: Language,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) -> Result<(), LabError> {
        let args = self.args;
        let usual = [Algorithm::MtdF, Algorithm::Star2];
        let algorithm = one(game, args.algorithm, usual)?;
        if args.learn && algorithm != Algorithm::OpponentErrs {
            return Err(LabError::usage(
                "--learn is for --algorithm opponent-errs",
                "--learn es para --algorithm opponent-errs",
            ));
        }
        // They model Min, who may err, for Max.
        let models_min = [Algorithm::OpponentErrs, Algorithm::OpponentSees].contains(&algorithm);
        if models_min && !args.second {
            let name = algorithm.entry().name;
            return Err(LabError::usage(
                format!("{name} plays Max against a Min who errs: add --second"),
                format!("{name} juega como Max contra un Min que se equivoca: añada --second"),
            ));
        }
        let depth = match (args.depth.depth, args.game.name()?) {
            (Some(depth), _) => depth.max(1),
            (None, GameName::Race) => RACE_DEPTH,
            (None, GameName::Chess) => CHESS_DEPTH,
            (None, _) => TO_THE_END,
        };
        let settings = args.tuning.settings(game);
        let mut session = Session {
            game,
            args,
            lang: self.lang,
            algorithm,
            depth,
            settings,
            error_rate: ErrorRate::new(settings.errs),
            random: Random::new(args.game.seed),
            input: self.input,
            out: self.out,
        };
        session.play()
    }
}

/// A game that is being played.
struct Session<'a, G: Game> {
    game: &'a G,
    args: &'a PlayArgs,
    lang: Language,
    algorithm: Algorithm,
    depth: u32,
    settings: AlgorithmSettings,
    error_rate: ErrorRate,
    random: Random,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl<G: Game> Session<'_, G> {
    fn play(&mut self) -> Result<(), LabError> {
        let person = if self.args.second {
            Mover::Min
        } else {
            Mover::Max
        };
        let mut state = self.game.start();
        loop {
            self.show(&state)?;
            if let Some(value) = self.game.utility(&state) {
                return self.end(value, person);
            }
            let player = self.game.player(&state);
            let m = if player == Mover::Chance {
                self.throw(&state)?
            } else if player == person {
                match self.ask(&state)? {
                    Some(m) => m,
                    None => {
                        let text = self.lang.pick(
                            "no more moves: the game ends here",
                            "no hay más jugadas: la partida termina aquí",
                        );
                        return self.say("end", text);
                    }
                }
            } else {
                self.answer(&state)?
            };
            if self.args.learn && player == person {
                self.observe(&state, &m)?;
            }
            let text = self.game.move_text(&state, &m);
            let who = match player {
                Mover::Chance => self.lang.pick("chance", "azar"),
                _ if player == person => self.lang.pick("you", "usted"),
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
        let text = self.game.state_text(state, self.lang);
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

    /// Announces the winner, if the game has one, and the payoff.
    fn end(&mut self, value: Value, person: Mover) -> Result<(), LabError> {
        let lang = self.lang;
        let payoff = value_text(value, self.game.unit());
        let payoff = format!("{}: {payoff}", lang.pick("payoff for Max", "pago a Max"));
        let Some(draw) = self.game.draw() else {
            return self.say("end", &payoff);
        };
        let sign = if person == Mover::Max { 1 } else { -1 };
        let verdict = match (sign * value).cmp(&(sign * draw)) {
            std::cmp::Ordering::Greater => lang.pick("you win", "gana usted"),
            std::cmp::Ordering::Equal => lang.pick("a draw", "empate"),
            std::cmp::Ordering::Less => lang.pick("you lose", "pierde usted"),
        };
        self.say("end", &format!("{verdict}; {payoff}"))
    }

    /// Learns from the person's move how often the person errs.
    fn observe(&mut self, state: &G::State, m: &G::Move) -> Result<(), LabError> {
        let moves = self.game.moves(state);
        let depth = self.depth.saturating_sub(1);
        let mut values = Vec::new();
        for reply in &moves {
            let after = self.game.apply(state, reply);
            let limits = self.args.tuning.limits();
            let algorithm = Algorithm::AlphaBeta;
            let report = run_algorithm(algorithm, self.game, &after, depth, &self.settings, limits);
            let found = report.result.map_err(|halt| LabError::Halt {
                algorithm: algorithm.entry().name,
                halt,
            })?;
            // The person is Min.
            values.push(-found.value);
        }
        if let Some(chosen) = moves.iter().position(|other| other == m) {
            self.error_rate.observe(&values, chosen);
        }
        Ok(())
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

    /// Asks until the person types a legal move. Returns `None` at the end of the input.
    fn ask(&mut self, state: &G::State) -> Result<Option<G::Move>, LabError> {
        let moves = self.game.moves(state);
        let texts: Vec<String> = moves
            .iter()
            .map(|m| self.game.move_text(state, m))
            .collect();
        loop {
            if !self.args.json {
                write!(
                    self.out,
                    "{} ({}; quit): ",
                    self.lang.pick("your move", "su jugada"),
                    texts.join(" ")
                )?;
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
                    "{word:?} {} {}",
                    self.lang.pick(
                        "is not a move here; the moves are",
                        "no es una jugada aquí; las jugadas son"
                    ),
                    texts.join(" ")
                ),
            )?;
        }
    }

    /// Reads a line of any bytes. Returns `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, LabError> {
        let mut bytes = Vec::new();
        let mut limited = Read::take(&mut *self.input, LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut bytes)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn answer(&mut self, state: &G::State) -> Result<G::Move, LabError> {
        let mut settings = self.settings;
        if self.args.learn {
            settings.errs = self.error_rate.per_mille();
        }
        let limits = self.args.tuning.limits();
        let report = run_algorithm(
            self.algorithm,
            self.game,
            state,
            self.depth,
            &settings,
            limits,
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
                "{}: {} {value}, {}: {leaves}",
                self.algorithm.entry().name,
                self.lang.pick("value for Max", "valor para Max"),
                self.lang.pick("leaves", "hojas")
            )?;
            if self.args.learn {
                let title = self.lang.pick(
                    "you err, in thousandths:",
                    "usted se equivoca, en milésimas:",
                );
                writeln!(self.out, "{title} {}", settings.errs)?;
            }
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

/// Returns the error for a position that has no move and is not the end of the game.
fn no_move() -> LabError {
    LabError::usage("the position has no move", "la posición no tiene jugadas")
}
