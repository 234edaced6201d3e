//! SSS*: best-first search among the ways in which Max can play. DUAL* is the same among those of Min.
//!
//! Stockman, *A Minimax Algorithm Better than Alpha-Beta?* (1979): a list OPEN of states (node, LIVE or SOLVED, merit),
//! the best merit first, and among equals the leftmost node by its Dewey number. DUAL*: Marsland, Reinefeld and
//! Schaeffer, *Low Overhead Alternatives to SSS\** (1987), here as SSS* with the players exchanged.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::lab::game::{Game, INFINITY, Player, Value};
use crate::lab::search::{Found, Halt, Node, Outcome, Search, Window};

/// The way to a node: the number of the child to take at each step, from 0. The root has none. In the order of Dewey
/// numbers a node comes before its descendants, and these before its next sibling.
type Dewey = Vec<u16>;

/// Whether the merit of a state only bounds what is below its node, or has been found there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Still to be searched.
    Live,
    /// Solved.
    Solved,
}

/// A state that was taken from OPEN: Dewey number (children counted from 1), status, merit.
pub type Step = (Vec<u16>, Status, Value);

/// A node and the way back to the root.
struct Place<G: Game> {
    node: Node<G>,
    parent: Option<Rc<Place<G>>>,
    /// The merit with which the node was put on OPEN first.
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

    /// Takes out everything below a node. Whether there was anything.
    fn purge(&mut self, above: &[u16]) -> bool {
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
}

/// The value of a node, for Max, by SSS*.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn sss_star<G: Game>(search: &mut Search<'_, G>, node: &Node<G>) -> Found<G> {
    best_first(search, node, Player::Max, &mut |_| {})
}

/// The value of a node, for Max, by DUAL*.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn dual_star<G: Game>(search: &mut Search<'_, G>, node: &Node<G>) -> Found<G> {
    best_first(search, node, Player::Min, &mut |_| {})
}

/// SSS* for one of the players, that tells each state that it takes from OPEN.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn best_first<G: Game>(
    search: &mut Search<'_, G>,
    root: &Node<G>,
    hero: Player,
    tell: &mut dyn FnMut(Step),
) -> Found<G> {
    let view = if hero == Player::Max { 1 } else { -1 };
    let mut open = Open {
        by_merit: BTreeSet::new(),
        by_place: BTreeMap::new(),
    };
    // Which child a node got its value from, for the principal variation.
    let mut chosen: HashMap<Dewey, u16> = HashMap::new();
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
    while let Some((dewey, state)) = open.pop() {
        let numbers = dewey.iter().map(|index| index + 1).collect();
        tell((numbers, state.status, view * state.merit));
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
    Ok(Outcome {
        value: view * value,
        line,
    })
}

/// A leaf is solved; of the hero's moves all are of interest, of the other player's one after the other.
fn live<G: Game>(
    search: &mut Search<'_, G>,
    open: &mut Open<G>,
    dewey: Dewey,
    state: State<G>,
    hero: Player,
) -> Result<(), Halt> {
    let view = if hero == Player::Max { 1 } else { -1 };
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
            index as u16,
            &state.place,
            child,
            merit,
        )?;
    }
    Ok(())
}

/// A solved child of the hero solves its parent; one of the other player's hands over to its next sibling.
fn solved<G: Game>(
    search: &mut Search<'_, G>,
    open: &mut Open<G>,
    chosen: &mut HashMap<Dewey, u16>,
    (mut dewey, state): (Dewey, State<G>),
    hero: Player,
) -> Result<(), Halt> {
    let (Some(parent), Some(index)) = (state.place.parent.clone(), dewey.pop()) else {
        return Ok(());
    };
    let merit = state.merit;
    let view = if hero == Player::Max { 1 } else { -1 };
    let is_heros = search.player(&parent.node) == hero;
    if is_heros || merit < state.place.live_merit {
        chosen.insert(dewey.clone(), index);
    }
    let next = search.children(&parent.node).nth(usize::from(index) + 1);
    if is_heros {
        if open.purge(&dewey) {
            search.cut();
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
    parent_dewey: &[u16],
    index: u16,
    parent: &Rc<Place<G>>,
    node: Node<G>,
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
    chosen: &HashMap<Dewey, u16>,
    root: &Node<G>,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut dewey = Dewey::new();
    let mut node = root.clone();
    while let Some(&index) = chosen.get(&dewey) {
        let Some(child) = search.children(&node).nth(usize::from(index)) else {
            break;
        };
        line.extend(child.via.clone());
        dewey.push(index);
        node = child;
    }
    line
}
