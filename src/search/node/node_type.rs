//! The kinds of nodes and of searches, as types: the compiler generates one search function for
//! each.

use std::marker::PhantomData;

/// The mode of a search.
pub trait SearchMode {
    /// Requires the score of plain minimax: nothing is pruned, extended or reduced, leaves have
    /// their hand-written evaluation, repetitions and the fifty-move rule do not count, and a
    /// transposition table entry answers for its own depth only.
    const EXACT: bool;
}

/// The mode for play and analysis: as deep as possible.
pub struct Normal;

impl SearchMode for Normal {
    const EXACT: bool = false;
}

/// The type of a node, and the types that its children may have: below a node off the principal
/// variation no node is on it.
pub trait NodeType {
    /// On the principal variation: searched with an open window.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// See [`SearchMode::EXACT`].
    const EXACT: bool;
    /// Moves may be pruned and extended, and the rules may end the search.
    const SELECTIVE: bool = !Self::ROOT && !Self::EXACT;
    /// The type of the first child.
    type Child: NodeType;
    /// The type of a child searched with a null window.
    type NullWindow: NodeType;
}

/// The root.
pub struct Root<M = Normal>(PhantomData<M>);
/// A node of the principal variation.
pub struct Pv<M = Normal>(PhantomData<M>);
/// Any other node: searched with a null window, to prove it better or worse than a bound.
pub struct NonPv<M = Normal>(PhantomData<M>);

impl<M: SearchMode> NodeType for Root<M> {
    const PV: bool = true;
    const ROOT: bool = true;
    const EXACT: bool = M::EXACT;
    type Child = Pv<M>;
    type NullWindow = NonPv<M>;
}

impl<M: SearchMode> NodeType for Pv<M> {
    const PV: bool = true;
    const ROOT: bool = false;
    const EXACT: bool = M::EXACT;
    type Child = Pv<M>;
    type NullWindow = NonPv<M>;
}

impl<M: SearchMode> NodeType for NonPv<M> {
    const PV: bool = false;
    const ROOT: bool = false;
    const EXACT: bool = M::EXACT;
    type Child = NonPv<M>;
    type NullWindow = NonPv<M>;
}
