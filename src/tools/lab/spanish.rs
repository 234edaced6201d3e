//! Help and usage errors in Spanish, for `quevedo lab --lang es`.
//!
//! clap writes its own texts in English. Here the command's descriptions are replaced from a table
//! before the arguments are parsed, and clap's errors are written anew.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::builder::PossibleValue;
use clap::error::{ContextKind, Error, ErrorKind};
use clap::{Arg, ArgAction, Command, Parser};

use super::spanish_texts::{TEXTS, VALUE_NAMES};
use crate::lab::catalogue::Algorithm;
use crate::lab::language::Language;
use crate::tools::exit::Exit;
use crate::tools::is_closed_pipe;

/// Parses the arguments of the program. Help and errors of `lab --lang es` are in Spanish;
/// the texts of everything else are clap's.
///
/// # Errors
/// Returns the exit code once help or an error has been written.
pub fn parse_arguments<P: Parser>() -> Result<P, Exit> {
    let arguments = normalized(std::env::args_os().collect());
    if !wants_spanish(&arguments) {
        return P::try_parse_from(arguments).map_err(|error| report(&error, false));
    }
    parse_spanish(arguments).map_err(|error| report(&error, true))
}

/// Puts a language that stands before `lab` behind it, and `lab help NAME` as `lab NAME --help`.
fn normalized(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is = |arguments: &[OsString], index: usize, text: &str| {
        arguments.get(index).is_some_and(|word| word == text)
    };
    let language = arguments.get(1).map_or(0, |first| match first.to_str() {
        Some("--lang") => 2,
        Some(text) if text.starts_with("--lang=") => 1,
        _ => 0,
    });
    if is(&arguments, 1 + language, "lab")
        && let Some(words) = arguments.get_mut(1..2 + language)
    {
        words.rotate_right(1);
    }
    // The language may also stand behind `lab`.
    let behind = match arguments.get(2).and_then(|word| word.to_str()) {
        Some("--lang") => 4,
        Some(text) if text.starts_with("--lang=") => 3,
        _ => 2,
    };
    if wants_spanish(&arguments) && is(&arguments, behind, "help") {
        arguments.remove(behind);
        arguments.push("--help".into());
    }
    arguments
}

/// Returns whether these are the arguments of `lab` with Spanish as the language.
fn wants_spanish(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter().skip(1).map(|word| word.to_str());
    if words.next() != Some(Some("lab")) {
        return false;
    }
    let words: Vec<Option<&str>> = words.collect();
    words.contains(&Some("--lang=es"))
        || words
            .windows(2)
            .any(|pair| matches!(pair, [Some("--lang"), Some("es")]))
}

fn parse_spanish<P: Parser>(arguments: Vec<OsString>) -> Result<P, Error> {
    let mut command = P::command().mut_subcommand("lab", |lab| {
        translated(lab, "quevedo lab").subcommand_help_heading("Órdenes")
    });
    let mut matches = command.try_get_matches_from_mut(arguments)?;
    P::from_arg_matches_mut(&mut matches)
}

/// Writes help or an error, and returns the exit code.
fn report(error: &Error, is_spanish: bool) -> Exit {
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let written = if is_spanish && !is_help {
        writeln!(io::stderr(), "{}", message(error))
    } else {
        error.print().and_then(|()| io::stdout().flush())
    };
    match written {
        Err(error) if !is_closed_pipe(&error) => {
            let _ = writeln!(io::stderr(), "quevedo: {error}");
            Exit::Failed
        }
        _ if error.use_stderr() => Exit::Unusable,
        _ => Exit::Done,
    }
}

/// Returns a text in Spanish, or the text itself if the table lacks it.
fn text(english: &str) -> &str {
    let mut rows = TEXTS.iter();
    let row = rows.find(|(original, _)| *original == english);
    row.map_or(english, |(_, spanish)| spanish)
}

/// Translates a command and its sub-commands.
fn translated(command: Command, path: &str) -> Command {
    let about = command.get_about().map(ToString::to_string);
    let has_commands = command.has_subcommands();
    let mut usage = format!("{path} [OPCIONES]");
    for argument in command.get_positionals() {
        usage += &format!(" [{}]", value_name(argument).unwrap_or_default());
    }
    if has_commands {
        usage += " <ORDEN>";
    }
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help_heading("Opciones")
        .help("Mostrar un resumen de la ayuda (con --help, toda)")
        .long_help("Mostrar la ayuda (con -h, un resumen)");
    let path = path.to_owned();
    command
        .about(about.map_or(String::new(), |about| text(&about).to_owned()))
        .help_template("{about-with-newline}\nUso: {usage}\n\n{all-args}")
        .override_usage(usage)
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .mut_args(translated_argument)
        .arg(help)
        .mut_subcommands(move |below| {
            let path = format!("{path} {}", below.get_name());
            translated(below, &path)
        })
}

fn value_name(argument: &Arg) -> Option<&'static str> {
    let name = argument.get_value_names()?.first()?;
    let row = VALUE_NAMES.iter().find(|(english, _)| name == english)?;
    Some(row.1)
}

/// Translates an argument. Its values and its default become a part of the text, because clap
/// writes "possible values" and "default" in English.
fn translated_argument(argument: Arg) -> Arg {
    let help = argument
        .get_help()
        .map_or(String::new(), ToString::to_string);
    let mut short = text(&help).to_owned();
    let mut long = short.clone();
    let takes_value = argument.get_action().takes_values();
    let values = if takes_value {
        argument.get_possible_values()
    } else {
        Vec::new()
    };
    if !values.is_empty() {
        let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        short += &format!(" [valores: {}]", names.join(", "));
        let is_algorithm = argument.get_id().as_str().starts_with("algorithm");
        long += &value_list(&values, is_algorithm);
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if takes_value && !defaults.is_empty() {
        let default = format!("[por defecto: {}]", defaults.join(","));
        short += &format!(" {default}");
        long += &format!("\n\n{default}");
    }
    let heading = if argument.is_positional() {
        "Argumentos"
    } else {
        "Opciones"
    };
    let name = value_name(&argument).filter(|_| takes_value);
    let argument = argument
        .help(short)
        .long_help(long)
        .help_heading(heading)
        .hide_possible_values(takes_value)
        .hide_default_value(takes_value);
    match name {
        Some(name) => argument.value_name(name),
        None => argument,
    }
}

/// Lists values with what they mean, or in one line if nothing is said about them.
fn value_list(values: &[PossibleValue], are_algorithms: bool) -> String {
    let described = |value: &PossibleValue| {
        let name = value.get_name();
        let algorithm = are_algorithms.then(|| Algorithm::by_name(name)).flatten();
        match (algorithm, value.get_help()) {
            (Some(algorithm), _) => {
                let entry = algorithm.entry();
                let summary = entry.summary(Language::Spanish);
                format!("- {name}: {} — {summary}", entry.spanish)
            }
            (None, Some(help)) => format!("- {name}: {}", text(&help.to_string())),
            (None, None) => name.to_owned(),
        }
    };
    let has_help = values.iter().any(|value| value.get_help().is_some());
    let lines: Vec<String> = values.iter().map(described).collect();
    if has_help {
        format!("\n\nValores posibles:\n{}", lines.join("\n"))
    } else {
        format!("\n\n[valores posibles: {}]", lines.join(", "))
    }
}

/// Returns clap's error as a message in Spanish.
fn message(error: &Error) -> String {
    let part = |kind| error.get(kind).map_or(String::new(), ToString::to_string);
    let argument = part(ContextKind::InvalidArg);
    let value = part(ContextKind::InvalidValue);
    let fault = match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("'{argument}' necesita un valor")
        }
        ErrorKind::InvalidValue => format!("valor no válido '{value}' para '{argument}'"),
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error);
            let reason = reason.map_or(String::new(), |reason| reason_text(&reason.to_string()));
            format!("valor no válido '{value}' para '{argument}': {reason}")
        }
        ErrorKind::UnknownArgument => format!("argumento inesperado '{argument}'"),
        ErrorKind::InvalidSubcommand => {
            let name = part(ContextKind::InvalidSubcommand);
            format!("orden desconocida '{name}'")
        }
        ErrorKind::MissingSubcommand => "falta una orden".to_owned(),
        ErrorKind::ArgumentConflict => {
            let other = part(ContextKind::PriorArg);
            if other.is_empty() || other == argument {
                format!("'{argument}' no se puede dar más de una vez")
            } else {
                format!("'{argument}' no se puede combinar con '{other}'")
            }
        }
        ErrorKind::MissingRequiredArgument => format!("falta {argument}"),
        ErrorKind::InvalidUtf8 => "un argumento no es UTF-8 válido".to_owned(),
        _ => format!("argumentos no válidos: '{argument}'"),
    };
    let mut lines = vec![format!("error: {fault}")];
    let lists = [
        ("valores posibles", ContextKind::ValidValue),
        ("órdenes", ContextKind::ValidSubcommand),
    ];
    for (title, list) in lists.map(|(title, kind)| (title, part(kind))) {
        if !list.is_empty() {
            lines.push(format!("  [{title}: {list}]"));
        }
    }
    let suggestions = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    for suggestion in suggestions.map(part) {
        if !suggestion.is_empty() {
            lines.push(format!("  ¿quiso decir '{suggestion}'?"));
        }
    }
    let usage = part(ContextKind::Usage);
    if !usage.is_empty() {
        lines.push(usage.replacen("Usage:", "\nUso:", 1));
    }
    lines.push("\nPara más información, pruebe '--help'.".to_owned());
    lines.join("\n")
}

/// Translates the reason why a value is refused: one from the table, or one of clap's.
fn reason_text(english: &str) -> String {
    if let Some((number, range)) = english.split_once(" is not in ") {
        return match range.split_once("..") {
            Some((least, "")) => format!("{number} es menor que {least}"),
            Some((least, most)) => {
                let most = most.trim_start_matches('=');
                format!("{number} no está entre {least} y {most}")
            }
            None => format!("{number} no está en {range}"),
        };
    }
    text(english).to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory;

    use super::super::tests::documents::foreign_word;
    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(subcommand)]
        command: Sub,
    }

    #[derive(Debug, clap::Subcommand)]
    enum Sub {
        /// Compare the classical game-tree algorithms, on small games and on chess
        Lab(Box<super::super::Args>),
    }

    fn error(words: &str) -> String {
        let words = ["quevedo", "lab"].into_iter().chain(words.split(' '));
        let words = words.map(OsString::from).collect();
        message(&parse_spanish::<Program>(words).unwrap_err())
    }

    /// Collects the descriptions of a command and everything below it.
    fn texts_of(command: &Command, texts: &mut HashSet<String>, names: &mut HashSet<String>) {
        texts.extend(command.get_about().map(ToString::to_string));
        for argument in command.get_arguments() {
            texts.extend(argument.get_help().map(ToString::to_string));
            if argument.get_action().takes_values() {
                let name = argument.get_value_names().and_then(|names| names.first());
                names.extend(name.map(ToString::to_string));
            }
            if argument.get_id().as_str().starts_with("algorithm") {
                continue;
            }
            for value in argument.get_possible_values() {
                texts.extend(value.get_help().map(ToString::to_string));
            }
        }
        for below in command.get_subcommands() {
            texts_of(below, texts, names);
        }
    }

    #[test]
    fn the_table_has_every_text_and_no_other() {
        let (mut texts, mut names) = (HashSet::new(), HashSet::new());
        let program = Program::command();
        texts_of(
            program.find_subcommand("lab").unwrap(),
            &mut texts,
            &mut names,
        );
        let table: HashSet<String> = TEXTS.iter().map(|(text, _)| (*text).to_owned()).collect();
        let missing: Vec<_> = texts.difference(&table).collect();
        assert_eq!(missing, Vec::<&String>::new());
        let known: HashSet<String> = VALUE_NAMES
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        assert_eq!(names, known);
        // What is left are the reasons why values are refused.
        let unused: Vec<_> = table.difference(&texts).collect();
        assert_eq!(unused.len(), 7, "{unused:?}");
    }

    #[test]
    fn usage_errors_are_in_spanish() {
        for (words, expected) in [
            (
                "compare --depth two",
                "valor no válido 'two' para '--depth <NIVELES>': no es un número entero",
            ),
            (
                "compare --depth 1000",
                "valor no válido '1000' para '--depth <NIVELES>': 1000 no está entre 0 y 200",
            ),
            (
                "compare --width 0",
                "valor no válido '0' para '--width <JUGADAS>': 0 no está entre 1 y 4294967295",
            ),
            (
                "compare --errs 2",
                "valor no válido '2' para '--errs <PARTE>': no es un número de 0 a 1",
            ),
            (
                "compare --game go",
                "valor no válido 'go' para '--game <JUEGO>'\n  [valores posibles: tic-tac-toe, nim, ",
            ),
            ("compare --game", "'--game <JUEGO>' necesita un valor"),
            (
                "compare --dept 3",
                "argumento inesperado '--dept'\n  ¿quiso decir '--depth'?",
            ),
            (
                "compar",
                "orden desconocida 'compar'\n  ¿quiso decir 'compare'?",
            ),
            (
                "exercise --key --answers x",
                "'--key' no se puede combinar con '--answers <FICHERO>'",
            ),
            ("play --learn", "falta --second"),
            (
                "compare --depth 1 --depth 2",
                "'--depth <NIVELES>' no se puede dar más de una vez",
            ),
            ("solve --fields 1,2", "se esperan cuatro campos"),
        ] {
            let text = error(words);
            assert!(text.contains(expected), "{words}: {text}");
            assert!(
                text.ends_with("Para más información, pruebe '--help'."),
                "{text}"
            );
            assert!(!text.contains("Usage"), "{text}");
        }
        assert!(error("compare --dept 3").contains("\nUso: quevedo lab compare [OPCIONES]"));
    }

    #[test]
    fn the_language_may_stand_before_lab() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        for (given, expected) in [
            ("quevedo --lang es lab tree", "quevedo lab --lang es tree"),
            ("quevedo --lang=en lab tree", "quevedo lab --lang=en tree"),
            (
                "quevedo lab help tree --lang es",
                "quevedo lab tree --lang es --help",
            ),
            ("quevedo lab help tree", "quevedo lab help tree"),
            ("quevedo go depth 3", "quevedo go depth 3"),
            ("quevedo", "quevedo"),
        ] {
            assert_eq!(normalized(words(given)), words(expected));
        }
        assert!(wants_spanish(&words("quevedo lab tree --lang=es")));
        assert!(!wants_spanish(&words("quevedo lab tree --lang en")));
        assert!(!wants_spanish(&words("quevedo epd --lang es")));
    }

    #[test]
    fn help_is_in_spanish() {
        let words = ["quevedo", "lab", "compare", "--help"].map(OsString::from);
        let error = parse_spanish::<Program>(words.to_vec()).unwrap_err();
        let text = error.to_string();
        for part in [
            "Ejecutar algoritmos sobre una posición",
            "\nUso: quevedo lab compare [OPCIONES]\n",
            "\nOpciones:\n",
            "- sss-star: SSS* — primero el mejor",
            "[por defecto: 0.5]",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        for part in ["Usage", "Options", "Print", "default", "ossible"] {
            assert!(!text.contains(part), "{part:?} in {text}");
        }
    }

    #[test]
    fn help_is_in_one_language() {
        let mut pages = 0;
        for english in Program::command()
            .find_subcommand("lab")
            .unwrap()
            .get_subcommands()
        {
            for flag in ["-h", "--help"] {
                let words = ["quevedo", "lab", english.get_name(), flag].map(OsString::from);
                let spanish = parse_spanish::<Program>(words.to_vec())
                    .unwrap_err()
                    .to_string();
                let english = Program::try_parse_from(words).unwrap_err().to_string();
                for (help, language) in [(spanish, Language::Spanish), (english, Language::English)]
                {
                    for line in help.lines() {
                        // One of the quantities of `growth --measure` is called so.
                        let found = foreign_word(line, language).filter(|word| word != "leaves");
                        assert_eq!(found, None, "{line}");
                    }
                    pages += 1;
                }
            }
        }
        assert_eq!(pages, 40);
    }
}
