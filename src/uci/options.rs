//! The options as text: `option` lines, the list of `help` and the table of the documentation.

use std::fmt::Write as _;

use crate::engine::options::{OPTIONS, OptionKind, OptionSpec};

/// Returns the line that announces an option in the answer to `uci`.
pub fn option_line(spec: &OptionSpec) -> String {
    let name = spec.name;
    let kind = match spec.kind {
        OptionKind::Check { default, .. } => format!("check default {default}"),
        OptionKind::Spin {
            default, min, max, ..
        } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Path { .. } => "string default <empty>".to_owned(),
        OptionKind::Text { default, .. } => format!("string default {default}"),
        OptionKind::Button { .. } => "button".to_owned(),
    };
    format!("option name {name} type {kind}")
}

/// Returns the options as lines of a help text.
pub fn help() -> String {
    let mut text = String::new();
    for spec in OPTIONS {
        let (values, default) = spec.describe_values();
        // Writing to a String cannot fail.
        let _ = write!(text, "  {} ({values}", spec.name);
        if !default.is_empty() {
            let _ = write!(text, "; default {default}");
        }
        let _ = writeln!(text, ")\n      {}", spec.help);
    }
    text
}

/// Returns the options as a Markdown table, for the documentation.
pub fn readme_table() -> String {
    let mut text =
        String::from("| Option | Values | Default | What it does |\n|---|---|---|---|\n");
    for spec in OPTIONS {
        let (values, default) = spec.describe_values();
        let _ = writeln!(
            text,
            "| {} | {values} | {default} | {} |",
            spec.name, spec.help
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_lines() {
        let line = |name: &str| {
            let spec = OPTIONS.iter().find(|spec| spec.name == name);
            option_line(spec.unwrap())
        };
        assert_eq!(
            line("Hash"),
            "option name Hash type spin default 16 min 1 max 33554432"
        );
        assert_eq!(line("Clear Hash"), "option name Clear Hash type button");
        assert_eq!(
            line("Ponder"),
            "option name Ponder type check default false"
        );
        assert_eq!(
            line("SyzygyPath"),
            "option name SyzygyPath type string default <empty>"
        );
    }
}
