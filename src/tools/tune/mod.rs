//! `quevedo tune`: fits the weights of the evaluation to the results of games.

#[cfg(test)]
mod initial;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore = "writes a file"]
    fn write_initial() {
        std::fs::write(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/weights.rs"),
            crate::eval::weights_source(&initial::weights()),
        )
        .unwrap();
    }
}
