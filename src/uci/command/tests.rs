//! Tests of the commands.

use super::*;

fn go(text: &str) -> GoCommand {
    match text.parse() {
        Ok(Command::Go(go)) => *go,
        other => panic!("{text}: {other:?}"),
    }
}

fn problems(text: &str) -> Vec<String> {
    go(text).problems.messages().collect()
}

#[test]
fn plain_commands() {
    for (text, command) in [
        ("", Command::Blank),
        (" \t \r\n", Command::Blank),
        ("uci\r\n", Command::Uci),
        ("\u{feff}uci", Command::Uci),
        ("  isready  ", Command::IsReady),
        ("debug\ton", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("register later", Command::Register),
        ("ucinewgame", Command::NewGame),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("bench", Command::Bench(None)),
        ("bench 9", Command::Bench(Some(9))),
        ("perft 5", Command::Perft(5)),
        (
            "perft 99999999999999999999999",
            Command::Perft(perft::MAX_DEPTH),
        ),
    ] {
        assert_eq!(text.parse(), Ok(command), "{text:?}");
    }
}

#[test]
fn what_is_no_command_is_named() {
    for (text, part) in [
        ("xyzzy", "unknown command \"xyzzy\""),
        ("UCI", "unknown command"),
        ("debug", "on or off"),
        ("debug maybe", "on or off"),
        ("perft", "perft: missing number"),
        ("perft x", "not a number: \"x\""),
        ("perft -1", "not a number"),
        ("bench 1 2", "not a number: \"1 2\""),
        ("setoption", "expected name"),
        ("setoption Hash 3", "expected name"),
        ("setoption name", "expected name"),
        ("setoption name value 3", "expected name"),
        ("genfens x", "invalid N: \"x\""),
        ("position", "startpos or fen"),
        ("position e2e4", "\"e2e4\""),
        ("position startpos e2e4", "\"e2e4\""),
        ("position fen", "missing FEN"),
        ("position fen moves e2e4", "missing FEN"),
    ] {
        let message = Command::from_str(text).unwrap_err().to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
    let long = "x".repeat(1_000_000);
    assert!(Command::from_str(&long).unwrap_err().to_string().len() < 200);
}

#[test]
fn options_have_names_and_values_of_many_words() {
    let set = |name: &str, value: Option<&str>| {
        Ok(Command::SetOption {
            name: name.to_owned(),
            value: value.map(OsString::from),
        })
    };
    assert_eq!("setoption name Clear Hash".parse(), set("Clear Hash", None));
    assert_eq!(
        "setoption  name  Clear   Hash \r\n".parse(),
        set("Clear Hash", None)
    );
    assert_eq!(
        "setoption name SyzygyPath value /a b/c  d;/value x \r\n".parse(),
        set("SyzygyPath", Some("/a b/c  d;/value x"))
    );
    assert_eq!("setoption name A value <empty>".parse(), set("A", Some("")));
    assert_eq!("setoption name A value".parse(), set("A", Some("")));
}

#[test]
fn positions() {
    assert_eq!(
        "position startpos".parse(),
        Ok(Command::Position {
            fen: None,
            moves: vec![]
        })
    );
    assert_eq!(
        "position  fen 8/8/8/8/8/8/8/K1k5  w - - 0\t1 moves a1a2 c1c2\r".parse(),
        Ok(Command::Position {
            fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()),
            moves: vec!["a1a2".to_owned(), "c1c2".to_owned()]
        })
    );
}

#[test]
fn go_takes_its_words_in_any_order() {
    let command = go("go movestogo 7 binc 4 searchmoves e2e4 d2d4 btime 2 ponder winc 3 wtime -1");
    assert_eq!(command.searchmoves, ["e2e4", "d2d4"]);
    assert_eq!((command.wtime, command.btime), (Some(-1), Some(2)));
    assert_eq!((command.winc, command.binc), (Some(3), Some(4)));
    assert_eq!(command.movestogo, Some(7));
    assert!(command.ponder && !command.infinite);
    assert_eq!(command.problems, Problems::default());
    let command = go("go infinite depth 3 nodes 4 mate 5 movetime 6 depth 9 movestogo 0");
    assert!(command.infinite);
    assert_eq!((command.depth, command.nodes), (Some(9), Some(4)));
    assert_eq!((command.mate, command.movetime), (Some(5), Some(6)));
    assert_eq!(command.movestogo, None);
    assert_eq!(go("go perft 3").perft, Some(3));
    assert_eq!(go("go"), GoCommand::default());
}

#[test]
fn go_is_never_refused() {
    assert_eq!(
        problems("go depth x wtime infinite frob"),
        [
            "go: ignored depth, not a number: \"x\"",
            "go: ignored wtime without a number",
            "go: ignored unknown token \"frob\"",
        ]
    );
    assert!(go("go depth x wtime infinite frob").infinite);
    assert!(go("go depth 1x").problems.lost_limit());
    assert!(!go("go frob depth 1").problems.lost_limit());
    assert_eq!(go("go depth 0").depth, Some(1));
    assert_eq!(problems("go depth -7").len(), 1);
    assert_eq!(go("go movetime -7").movetime, Some(1));
    assert_eq!(go("go wtime 99999999999999999999").wtime, Some(i64::MAX));
    assert_eq!(go("go wtime -99999999999999999999").wtime, Some(i64::MIN));
    assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(go("go perft 99999999999").perft, Some(perft::MAX_DEPTH));
    assert_eq!(problems(&"go a b c ".repeat(1000)).len(), MAX_PROBLEMS + 1);
}

#[test]
fn numbers_saturate() {
    assert_eq!(parse_saturating("+12"), Some(12));
    assert_eq!(parse_saturating("-12"), Some(-12));
    for bad in ["", "-", "+", "--1", "1.5", "0x10", "١"] {
        assert_eq!(parse_saturating(bad), None, "{bad}");
    }
}
