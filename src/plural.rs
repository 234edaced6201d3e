//! Numbers with nouns.

/// Returns a number and its noun, in the singular for 1: `1 entry`, `2 entries`.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    if number == 1 {
        return format!("1 {noun}");
    }
    let plural = match noun.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if noun == "leaf" => "leaves".to_owned(),
        None => format!("{noun}s"),
    };
    format!("{number} {plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_numbers() {
        for (number, noun, expected) in [
            (0_u64, "game", "0 games"),
            (1, "game", "1 game"),
            (2, "more line", "2 more lines"),
            (1, "entry", "1 entry"),
            (3, "entry", "3 entries"),
            (1, "leaf", "1 leaf"),
            (4, "leaf", "4 leaves"),
            (5, "ply", "5 plies"),
        ] {
            assert_eq!(count(number, noun), expected);
        }
    }
}
