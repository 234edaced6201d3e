//! Running any algorithm by name.

use std::time::{Duration, Instant};

use super::algorithms::alpha_beta::{fail_hard, fail_soft, without_deep_cutoffs};
use super::algorithms::aspiration::aspiration;
use super::algorithms::b_star::b_star;
use super::algorithms::biased::{Narrowing, biased};
use super::algorithms::book::book;
use super::algorithms::continuation::continuation;
use super::algorithms::deepening::deepening;
use super::algorithms::expectiminimax::expectiminimax;
use super::algorithms::futility::futility;
use super::algorithms::max_n::{TieRule, TwoPlayers, max_n};
use super::algorithms::memory::alpha_beta_memory;
use super::algorithms::minimax::minimax;
use super::algorithms::mtd::mtd;
use super::algorithms::negamax::negamax;
use super::algorithms::negascout::negascout;
use super::algorithms::null_move::{AfterPass, null_move};
use super::algorithms::opponent::{Opponent, opponent};
use super::algorithms::quiescence::{Unrest, quiescence};
use super::algorithms::rec_sss_star::rec_sss_star;
use super::algorithms::scout::scout;
use super::algorithms::secondary::secondary;
use super::algorithms::sss_star::{dual_star, sss_star};
use super::algorithms::star::{star1, star2};
use super::catalogue::Algorithm;
use super::counters::NodeCounts;
use super::game::{Game, INFINITY, Value};
use super::search::{Halt, RunLimits, Search, SearchResult, TreeNode, Valuation, Window};

/// The parameters of the heuristics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlgorithmSettings {
    /// The gain that a branch must promise (futility), half the width of the aspiration window, and
    /// the step of biased search by estimates, in the game's units.
    pub margin: Value,
    /// The extra depth of secondary search and heuristic continuation, and the limit of quiescence
    /// by change, in moves.
    pub extra: u32,
    /// The number of moves that biased search searches at the root.
    pub width: u32,
    /// The probability that the opponent errs, in thousandths.
    pub errs: u32,
    /// The depth to which the opponent searches, in moves.
    pub sees: u32,
    /// The largest change of the evaluation, one ply deeper, in a quiet position, in the game's
    /// units.
    pub swing: Value,
}

impl Default for AlgorithmSettings {
    fn default() -> AlgorithmSettings {
        AlgorithmSettings {
            margin: 25,
            extra: 2,
            width: 8,
            errs: 200,
            sees: 1,
            swing: 100,
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct RunReport<M> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The value and line that it returned.
    pub result: Result<Valuation<M>, Halt>,
    /// The depth of the result, if the time was up before the depth asked for.
    pub only_depth: Option<u32>,
    /// The counters.
    pub counters: NodeCounts,
    /// The time that it took.
    pub time: Duration,
}

/// Runs an algorithm on a game, from a position and to a depth
/// ([`TO_THE_END`](super::search::TO_THE_END) for none).
pub fn run<G: Game>(
    algorithm: Algorithm,
    game: &G,
    state: &G::State,
    depth: u32,
    settings: &AlgorithmSettings,
    limits: RunLimits,
) -> RunReport<G::Move> {
    let mut search = Search::with_limits(game, limits);
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
    RunReport {
        algorithm,
        result,
        only_depth,
        counters: search.counters(),
        time: start.elapsed(),
    }
}

/// Runs an algorithm with an existing search.
///
/// # Errors
/// Fails when a limit is reached, or the algorithm cannot search games with chance nodes and the
/// game has them.
pub fn search_with<G: Game>(
    algorithm: Algorithm,
    search: &mut Search<'_, G>,
    root: &TreeNode<G>,
    settings: &AlgorithmSettings,
) -> SearchResult<G> {
    let full = Window::FULL;
    match algorithm {
        Algorithm::Minimax => minimax(search, root),
        Algorithm::Negamax => negamax(search, root),
        Algorithm::MaxN => max_2(search, root),
        Algorithm::Expectiminimax => expectiminimax(search, root),
        Algorithm::AlphaBeta => fail_soft(search, root, full),
        Algorithm::AlphaBetaHard => fail_hard(search, root, full),
        Algorithm::AlphaBetaShallow => without_deep_cutoffs(search, root),
        Algorithm::AlphaBetaMemory => alpha_beta_memory(search, root),
        Algorithm::Aspiration => aspiration(search, root, settings.margin),
        Algorithm::Deepening => Ok(deepening(search, root)?.outcome),
        Algorithm::Scout => scout(search, root),
        Algorithm::Negascout => negascout(search, root, full),
        Algorithm::SssStar => sss_star(search, root),
        Algorithm::RecSssStar => rec_sss_star(search, root),
        Algorithm::BStar => b_star(search, root),
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
        Algorithm::Quiescence => quiescence(search, root, Unrest::NoisyMoves),
        Algorithm::QuiescenceSwing => {
            let (swing, plies) = (settings.swing, settings.extra);
            quiescence(search, root, Unrest::Swing { swing, plies })
        }
        Algorithm::Secondary => secondary(search, root, settings.extra),
        Algorithm::Book => book(search, root),
        Algorithm::Biased => biased(search, root, settings.width, Narrowing::Level),
        Algorithm::BiasedRank => biased(search, root, settings.width, Narrowing::Rank),
        Algorithm::BiasedEstimate => {
            let step = settings.margin.max(1);
            biased(search, root, settings.width, Narrowing::Estimate { step })
        }
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

/// Runs max^n with two players.
fn max_2<G: Game>(search: &mut Search<'_, G>, root: &TreeNode<G>) -> SearchResult<G> {
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
    Ok(Valuation {
        value: shares.values.first().copied().unwrap_or(0),
        line: shares.line,
    })
}
