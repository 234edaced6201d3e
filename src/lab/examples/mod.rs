//! The trees of the lecture notes.
//!
//! A comment `# value: 5` in a file is the value of its root, and `# alpha-beta leaves: 5` the
//! number of leaves that an algorithm evaluates. `# depth 1 value: 4` is the value at a depth, by
//! alpha-beta or by the algorithm named. The tests hold the lab to them.

/// An example tree.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        /// All examples.
        pub const ALL: &[Example] = &[$(Example {
            name: $name,
            text: include_str!(concat!($name, ".tree")),
        }),*];
    };
}

examples![
    "minimax-5",
    "minimax-textbook",
    "win-draw-loss",
    "alpha-beta-8",
    "cut-alpha",
    "cut-beta",
    "cut-alpha-deep",
    "cut-beta-deep",
    "order-best",
    "order-worst",
    "futility-3-1",
    "horizon",
    "swing",
    "trap",
    "berliner",
    "winning",
    "shortsighted",
    "sss-star",
    "sss-star-saves",
    "scout",
    "scale-1",
    "scale-linear",
    "scale-nonlinear",
    "dice",
    "b-star",
];

/// Finds an example by its name.
pub fn by_name(name: &str) -> Option<&'static Example> {
    ALL.iter().find(|example| example.name == name)
}
