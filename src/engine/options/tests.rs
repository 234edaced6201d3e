//! Tests of the options.

use super::*;

/// A front end that records its calls.
#[derive(Default)]
struct RecordingFrontEnd {
    chess960: bool,
    show_wdl: bool,
    minimal: bool,
}

impl FrontEnd for RecordingFrontEnd {
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    fn set_show_wdl(&mut self, show: bool) {
        self.show_wdl = show;
    }

    fn set_minimal(&mut self, minimal: bool) {
        self.minimal = minimal;
    }

    fn set_log(&mut self, path: &Path) -> io::Result<()> {
        match path.as_os_str().is_empty() {
            true => Ok(()),
            _ => Err(io::Error::other("no log here")),
        }
    }
}

#[test]
fn values_are_checked() {
    let mut searcher = Searcher::new(1).unwrap();
    let mut front_end = RecordingFrontEnd::default();
    let mut set = |name: &str, value: Option<&str>| {
        set(&mut searcher, &mut front_end, name, value.map(OsStr::new))
            .map_err(|error| error.to_string())
    };
    assert_eq!(set("hash", Some("32")), Ok(None));
    assert_eq!(set("CLEAR HASH", None), Ok(None));
    assert_eq!(set("ponder", Some("TRUE")), Ok(None));
    assert_eq!(set("uci_showwdl", Some("true")), Ok(None));
    assert_eq!(set("UCI_Chess960", Some("true")), Ok(None));
    assert_eq!(
        set("MultiPV", Some("0")),
        Ok(Some(
            "option MultiPV: 0 is not between 1 and 256, using 1".to_owned()
        ))
    );
    assert!(set("multipv", Some("99999999999999999999")).is_ok());
    for (name, value, part) in [
        ("Frob", Some("1"), "unknown option \"Frob\""),
        ("Hash", None, "option Hash: missing value"),
        ("hash", Some("many"), "option Hash: not a number: \"many\""),
        ("Ponder", Some("yes"), "expected true or false"),
        ("Debug Log File", Some("/"), "no log here"),
    ] {
        let error = set(name, value).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    assert!(front_end.chess960 && front_end.show_wdl);
    assert_eq!(searcher.options_mut().multipv, 256);
}

#[test]
fn defaults_are_the_engines() {
    let mut searcher = Searcher::new(1).unwrap();
    let values_of = |searcher: &mut Searcher| {
        let options = format!("{:?}", searcher.options_mut());
        let book = searcher.own_book_mut();
        let switches = (book.enabled, book.analysing);
        (options, switches, book.max_move, book.variety, book.seed)
    };
    let before = values_of(&mut searcher);
    // What a UCI session begins with is the opposite of all this.
    let mut front_end = RecordingFrontEnd {
        chess960: true,
        show_wdl: true,
        minimal: true,
    };
    let values = OPTIONS
        .iter()
        .filter(|spec| !matches!(spec.kind, OptionKind::Button { .. }));
    for spec in values {
        let (_, default) = spec.describe_values();
        let value = Some(OsStr::new(&default));
        let message = set(&mut searcher, &mut front_end, spec.name, value).unwrap();
        assert!(message.is_none() || spec.name == "SyzygyPath" || spec.name == "BookFile");
    }
    assert_eq!(before, values_of(&mut searcher));
    assert!(!front_end.chess960 && !front_end.show_wdl && !front_end.minimal);
}

#[test]
fn every_switch_and_number_has_an_effect() {
    let mut searcher = Searcher::new(1).unwrap();
    let mut front_end = RecordingFrontEnd::default();
    let values_of = |searcher: &mut Searcher, front_end: &RecordingFrontEnd| {
        let options = format!("{:?}", searcher.options_mut());
        let book = searcher.own_book_mut();
        let book = (
            (book.enabled, book.analysing),
            (book.max_move, book.variety, book.seed),
        );
        let switches = [front_end.chess960, front_end.show_wdl, front_end.minimal];
        (options, book, switches)
    };
    for spec in OPTIONS {
        let (default, other) = match spec.kind {
            // Only what a search does shows the effect of these.
            _ if ["Hash", "Never Clear Hash", "Threads"].contains(&spec.name) => continue,
            OptionKind::Check { default, .. } => (default.to_string(), (!default).to_string()),
            OptionKind::Spin {
                default, min, max, ..
            } => {
                let other = if default == min { max } else { min };
                (default.to_string(), other.to_string())
            }
            _ => continue,
        };
        let before = values_of(&mut searcher, &front_end);
        for (value, is_same) in [(other, false), (default, true)] {
            let value = Some(OsStr::new(&value));
            set(&mut searcher, &mut front_end, spec.name, value).unwrap();
            let after = values_of(&mut searcher, &front_end);
            assert_eq!(after == before, is_same, "{}", spec.name);
        }
    }
}
