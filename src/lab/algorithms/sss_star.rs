//! SSS*: best-first search among Max's strategies. DUAL* is the same among those of Min.
//!
//! Stockman, *A Minimax Algorithm Better than Alpha-Beta?* (1979): a list OPEN of states (node,
//! LIVE or SOLVED, merit), the largest merit first, and among equals the leftmost node by its Dewey
//! number. DUAL*: Marsland, Reinefeld and Schaeffer, *Low Overhead Alternatives to SSS\** (1987),
//! here as SSS* with the players exchanged.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::trace::OpenState;

/// The child numbers on the way to a node, from 0; empty for the root. In the order of Dewey
/// numbers a node comes before its descendants, and these before its next sibling.
type Dewey = Vec<u32>;

/// The status of a state. The merit of a live state is an upper bound, that of a solved one its
/// value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Live,
    Solved,
}

/// A node with the path back to the root.
struct Place<G: Game> {
    node: TreeNode<G>,
    parent: Option<Rc<Place<G>>>,
    /// The merit with which the node was first put on OPEN.
    live_merit: Value,
}

struct State<G: Game> {
    place: Rc<Place<G>>,
    status: Status,
    merit: Value,
}

struct Open<G: Game> {
    by_merit: BTreeSet<(Reverse<Value>, Dewey)>,
    by_place: BTreeMap<Dewey, State<G>>,
}

impl<G: Game> Open<G> {
    fn push(
        &mut self,
        search: &mut Search<'_, G>,
        dewey: Dewey,
        state: State<G>,
    ) -> Result<(), Halt> {
        self.by_merit.insert((Reverse(state.merit), dewey.clone()));
        self.by_place.insert(dewey, state);
        let size = size_of::<(Reverse<Value>, Dewey)>() + size_of::<(Dewey, State<G>, Place<G>)>();
        search.stored(self.by_place.len(), size)
    }

    fn pop(&mut self) -> Option<(Dewey, State<G>)> {
        let (_, dewey) = self.by_merit.pop_first()?;
        let state = self.by_place.remove(&dewey)?;
        Some((dewey, state))
    }

    /// Removes all states below a node, and returns whether there were any.
    fn purge(&mut self, above: &[u32]) -> bool {
        let below: Vec<Dewey> = self
            .by_place
            .range(above.to_vec()..)
            .map(|(dewey, _)| dewey)
            .take_while(|dewey| dewey.starts_with(above))
            .cloned()
            .collect();
        let is_cut = !below.is_empty();
        for dewey in below {
            if let Some(state) = self.by_place.remove(&dewey) {
                self.by_merit.remove(&(Reverse(state.merit), dewey));
            }
        }
        is_cut
    }

    /// Returns the list for the log, with merits as Max sees them.
    fn listed(&self, view: Value) -> Vec<OpenState> {
        let state = |(merit, dewey): &(Reverse<Value>, Dewey)| {
            let numbers = dewey.iter().map(|index| index + 1).collect();
            let is_solved = self
                .by_place
                .get(dewey)
                .is_some_and(|state| state.status == Status::Solved);
            (numbers, is_solved, view * merit.0)
        };
        self.by_merit.iter().map(state).collect()
    }
}

/// Returns the value of a node, for Max, by SSS*.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn sss_star<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    best_first(search, node, Mover::Max)
}

/// Returns the value of a node, for Max, by DUAL*.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn dual_star<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    best_first(search, node, Mover::Min)
}

/// Returns the factor between values as the hero sees them and values for Max.
fn view_of(hero: Mover) -> Value {
    if hero == Mover::Max { 1 } else { -1 }
}

fn best_first<G: Game>(
    search: &mut Search<'_, G>,
    root: &TreeNode<G>,
    hero: Mover,
) -> SearchResult<G> {
    let view = view_of(hero);
    let mut open = Open {
        by_merit: BTreeSet::new(),
        by_place: BTreeMap::new(),
    };
    // The child behind which the value of each solved node was found, for the principal variation.
    let mut chosen: HashMap<Dewey, u32> = HashMap::new();
    let place = Place {
        node: root.clone(),
        parent: None,
        live_merit: INFINITY,
    };
    let first = State {
        place: Rc::new(place),
        status: Status::Live,
        merit: INFINITY,
    };
    open.push(search, Dewey::new(), first)?;
    let mut value = INFINITY;
    loop {
        let listed = &open;
        if let Some(next) = listed
            .by_merit
            .first()
            .and_then(|(_, dewey)| listed.by_place.get(dewey))
        {
            let (node, merit) = (next.place.node.clone(), view * next.merit);
            search.select(&node, merit, || listed.listed(view));
        }
        let Some((dewey, state)) = open.pop() else {
            break;
        };
        if state.status == Status::Live {
            live(search, &mut open, dewey, state, hero)?;
        } else if dewey.is_empty() {
            value = state.merit;
            break;
        } else {
            solved(search, &mut open, &mut chosen, (dewey, state), hero)?;
        }
    }
    let line = line(search, &chosen, root);
    Ok(Valuation {
        value: view * value,
        line,
    })
}

/// Expands a live state. A leaf becomes solved. At the hero's nodes all children go on OPEN, at the
/// other player's nodes only the first.
fn live<G: Game>(
    search: &mut Search<'_, G>,
    open: &mut Open<G>,
    dewey: Dewey,
    state: State<G>,
    hero: Mover,
) -> Result<(), Halt> {
    let view = view_of(hero);
    let node = &state.place.node;
    let merit = state.merit;
    let window = Window::new(-INFINITY, merit).turned(view);
    if let Some(value) = search.open(node, Some(window))? {
        let solved = State {
            merit: merit.min(view * value),
            status: Status::Solved,
            place: Rc::clone(&state.place),
        };
        return open.push(search, dewey, solved);
    }
    search.sign(node)?;
    let wanted = if search.player(node) == hero {
        usize::MAX
    } else {
        1
    };
    for (index, child) in search.children(node).take(wanted).enumerate() {
        push_live(
            search,
            open,
            &dewey,
            index as u32,
            &state.place,
            child,
            merit,
        )?;
    }
    Ok(())
}

/// Handles a solved state. A solved child of a hero's node solves its parent; a solved child of the
/// other player's node is replaced by its next sibling.
fn solved<G: Game>(
    search: &mut Search<'_, G>,
    open: &mut Open<G>,
    chosen: &mut HashMap<Dewey, u32>,
    (mut dewey, state): (Dewey, State<G>),
    hero: Mover,
) -> Result<(), Halt> {
    let (Some(parent), Some(index)) = (state.place.parent.clone(), dewey.pop()) else {
        return Ok(());
    };
    let merit = state.merit;
    let view = view_of(hero);
    let is_heros = search.player(&parent.node) == hero;
    if is_heros || merit < state.place.live_merit {
        chosen.insert(dewey.clone(), index);
    }
    let next = search.children(&parent.node).nth(index as usize + 1);
    if is_heros {
        if open.purge(&dewey) {
            search.cut(&parent.node);
        }
    } else if let Some(next) = next {
        return push_live(search, open, &dewey, index + 1, &parent, next, merit);
    }
    search.close(&parent.node, view * merit);
    let state = State {
        place: parent,
        status: Status::Solved,
        merit,
    };
    open.push(search, dewey, state)
}

fn push_live<G: Game>(
    search: &mut Search<'_, G>,
    open: &mut Open<G>,
    parent_dewey: &[u32],
    index: u32,
    parent: &Rc<Place<G>>,
    node: TreeNode<G>,
    merit: Value,
) -> Result<(), Halt> {
    let mut dewey = parent_dewey.to_vec();
    dewey.push(index);
    let place = Place {
        node,
        parent: Some(Rc::clone(parent)),
        live_merit: merit,
    };
    let state = State {
        place: Rc::new(place),
        status: Status::Live,
        merit,
    };
    open.push(search, dewey, state)
}

fn line<G: Game>(
    search: &Search<'_, G>,
    chosen: &HashMap<Dewey, u32>,
    root: &TreeNode<G>,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut dewey = Dewey::new();
    let mut node = root.clone();
    while let Some(&index) = chosen.get(&dewey) {
        let Some(child) = search.children(&node).nth(index as usize) else {
            break;
        };
        line.extend(child.via.clone());
        dewey.push(index);
        node = child;
    }
    line
}
