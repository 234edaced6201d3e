//! Tests of the options.

use super::*;
use crate::uci::session::tests::{session, written};

#[test]
fn option_lines() {
    let line = |name: &str| {
        OPTIONS
            .iter()
            .find(|spec| spec.name == name)
            .unwrap()
            .to_string()
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

#[test]
fn values_are_checked() {
    let (mut session, _) = session();
    let mut set = |name: &str, value: Option<&str>| match set(&mut session, name, value) {
        Ok(note) => Ok(note),
        Err(error) => Err(error.to_string()),
    };
    assert_eq!(set("hash", Some("32")), Ok(None));
    assert_eq!(set("CLEAR HASH", None), Ok(None));
    assert_eq!(set("ponder", Some("TRUE")), Ok(None));
    assert_eq!(
        set("MultiPV", Some("0")),
        Ok(Some(
            "option MultiPV: 0 is not in 1..256, using 1".to_owned()
        ))
    );
    assert!(set("multipv", Some("99999999999999999999")).is_ok());
    for (name, value, part) in [
        ("Frob", Some("1"), "unknown option \"Frob\""),
        ("Hash", None, "option Hash: value expected"),
        ("hash", Some("many"), "option Hash: not a number: \"many\""),
        ("Ponder", Some("yes"), "true or false"),
        ("Debug Log File", Some("/"), "not a file"),
    ] {
        let error = set(name, value).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(session.engine.settings_mut().multipv, 256);
}

#[test]
fn defaults_are_the_engines() {
    let (mut session, output) = session();
    let before = format!("{:?}", session.engine.settings_mut());
    for spec in OPTIONS {
        let (_, default) = spec.values();
        set(&mut session, spec.name, Some(&default)).unwrap();
    }
    assert_eq!(before, format!("{:?}", session.engine.settings_mut()));
    assert_eq!(written(&output), "");
}
