//! Running any algorithm by name.

use std::time::{Duration, Instant};

use super::algorithms::alpha_beta::{fail_hard, fail_soft, without_deep_cutoffs};
use super::algorithms::aspiration::aspiration;
use super::algorithms::biased::biased;
use super::algorithms::book::book;
use super::algorithms::continuation::continuation;
use super::algorithms::deepening::deepening;
use super::algorithms::expectiminimax::expectiminimax;
use super::algorithms::futility::futility;
use super::algorithms::max_n::{TieRule, TwoPlayers, max_n};
use super::algorithms::minimax::minimax;
use super::algorithms::mtd::mtd;
use super::algorithms::negamax::negamax;
use super::algorithms::negascout::negascout;
use super::algorithms::null_move::{AfterPass, null_move};
use super::algorithms::opponent::{Opponent, opponent};
use super::algorithms::quiescence::quiescence;
use super::algorithms::scout::scout;
use super::algorithms::secondary::secondary;
use super::algorithms::sss_star::{dual_star, sss_star};
use super::algorithms::star::{star1, star2};
use super::catalogue::Algorithm;
use super::counters::Counters;
use super::game::{Game, INFINITY, Value};
use super::search::{Budget, Found, Halt, Node, Outcome, Search, Window};

/// What the heuristics need to know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// By how much a branch must promise more than there is already, and half the width of the aspiration window, in
    /// the game's units.
    pub margin: Value,
    /// How much deeper secondary search and heuristic continuation go, in moves.
    pub extra: u32,
    /// How many moves biased search looks at, at the root.
    pub width: u32,
    /// How often the opponent errs, in thousandths.
    pub errs: u32,
    /// How deep the opponent sees, in moves.
    pub sees: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            margin: 25,
            extra: 2,
            width: 8,
            errs: 200,
            sees: 1,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// Which algorithm it was.
    pub algorithm: Algorithm,
    /// What it returned.
    pub result: Result<Outcome<M>, Halt>,
    /// The depth of the result, if it is less than what was asked for, because the time was up.
    pub only_depth: Option<u32>,
    /// What it did.
    pub counters: Counters,
    /// How long it took.
    pub time: Duration,
}

/// Runs an algorithm on a game, from a position and to a depth ([`TO_THE_END`](super::search::TO_THE_END) for none).
pub fn run<G: Game>(
    algorithm: Algorithm,
    game: &G,
    state: &G::State,
    depth: u32,
    settings: &Settings,
    budget: Budget,
) -> Report<G::Move> {
    let mut search = Search::with_budget(game, budget);
    let start = Instant::now();
    let root = search.node_of(state.clone(), depth);
    let mut only_depth = None;
    let result = match algorithm {
        Algorithm::Deepening => deepening(&mut search, &root).map(|found| {
            let is_whole = found.depth >= depth || found.is_to_the_end;
            only_depth = (!is_whole).then_some(found.depth);
            found.outcome
        }),
        _ => search_with(algorithm, &mut search, &root, settings),
    };
    Report {
        algorithm,
        result,
        only_depth,
        counters: search.counters(),
        time: start.elapsed(),
    }
}

/// Runs an algorithm with a search that is there already.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere and the algorithm does not know about it.
pub fn search_with<G: Game>(
    algorithm: Algorithm,
    search: &mut Search<'_, G>,
    root: &Node<G>,
    settings: &Settings,
) -> Found<G> {
    let full = Window::FULL;
    match algorithm {
        Algorithm::Minimax => minimax(search, root),
        Algorithm::Negamax => negamax(search, root),
        Algorithm::MaxN => max_2(search, root),
        Algorithm::Expectiminimax => expectiminimax(search, root),
        Algorithm::AlphaBeta => fail_soft(search, root, full),
        Algorithm::AlphaBetaHard => fail_hard(search, root, full),
        Algorithm::AlphaBetaShallow => without_deep_cutoffs(search, root),
        Algorithm::Aspiration => aspiration(search, root, settings.margin),
        Algorithm::Deepening => Ok(deepening(search, root)?.outcome),
        Algorithm::Scout => scout(search, root),
        Algorithm::Negascout => negascout(search, root, full),
        Algorithm::SssStar => sss_star(search, root),
        Algorithm::DualStar => dual_star(search, root),
        Algorithm::MtdF => {
            let guess = search.game().evaluate(&root.state);
            mtd(search, root, guess)
        }
        Algorithm::MtdPlus => mtd(search, root, INFINITY),
        Algorithm::MtdMinus => mtd(search, root, -INFINITY),
        Algorithm::Star1 => star1(search, root, full),
        Algorithm::Star2 => star2(search, root, full),
        Algorithm::Futility => futility(search, root, settings.margin),
        Algorithm::Quiescence => quiescence(search, root),
        Algorithm::Secondary => secondary(search, root, settings.extra),
        Algorithm::Book => book(search, root),
        Algorithm::Biased => biased(search, root, settings.width),
        Algorithm::OpponentErrs => {
            let per_mille = settings.errs;
            opponent(search, root, Opponent::Errs { per_mille })
        }
        Algorithm::OpponentSees => {
            let depth = settings.sees;
            opponent(search, root, Opponent::Sees { depth })
        }
        Algorithm::Continuation => continuation(search, root, settings.extra),
        Algorithm::NullMove => null_move(search, root, AfterPass::Cut),
        Algorithm::NullMoveVerified => null_move(search, root, AfterPass::Verify),
    }
}

/// max^n with two players.
fn max_2<G: Game>(search: &mut Search<'_, G>, root: &Node<G>) -> Found<G> {
    if search.game().has_chance() {
        return Err(Halt::Chance);
    }
    let game = TwoPlayers::new(search.game());
    let shares = max_n(
        &game,
        &root.state,
        root.depth,
        TieRule::First,
        search.meter_mut(),
    )?;
    Ok(Outcome {
        value: shares.values.first().copied().unwrap_or(0),
        line: shares.line,
    })
}
