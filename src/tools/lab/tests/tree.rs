//! Tests of `lab tree` and its pictures.

use serde_json::Value as Json;

use super::{TemporaryFile, lab};

#[test]
fn a_tree_is_drawn_with_its_cut() {
    let file = TemporaryFile::new("cut.tree", "max(min(8 11) min(6 min(1 2)) min(9 3))");
    let text = lab(&["tree", "--tree", file.name()]);
    assert!(text.contains("min ≤6  visit 5  alpha 8 beta +∞"), "{text}");
    assert!(text.contains("2  min cut"), "{text}");
    let picture = lab(&["tree", "--tree", file.name(), "--svg", "-"]);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains(">≤6<") && picture.contains(">α 8<"));
    let json: Json =
        serde_json::from_str(&lab(&["tree", "--tree", file.name(), "--json"])).unwrap();
    assert_eq!(
        json["children"][1]["children"][1]["visits"],
        Json::Array(Vec::new())
    );
}

#[test]
fn values_from_a_table_are_no_bounds() {
    for (words, value) in [
        ("--example sss-star-saves --algorithm mtd-f", "max 8"),
        (
            "--board XO./.X./O.. --depth 3 --algorithm alpha-beta-memory",
            "max 100",
        ),
    ] {
        let words: Vec<&str> = ["tree"].into_iter().chain(words.split(' ')).collect();
        let text = lab(&words);
        assert!(text.starts_with(&format!("root  {value}  ")), "{text}");
        assert!(
            !text.contains("leaf ≤") && !text.contains("leaf ≥"),
            "{text}"
        );
    }
}

#[test]
fn the_marks_of_heuristics_are_true() {
    // C is worth 3.1, which is given up for a gain of 0.1.
    let text = lab(&[
        "tree",
        "--example",
        "futility-3-1",
        "--algorithm",
        "futility",
    ]);
    assert!(text.contains("  C  min ≈3  visit 5"), "{text}");
    // What the opponent sees there, at a depth of its own, does not decide what the trap is worth.
    let text = lab(&[
        "tree",
        "--example",
        "shortsighted",
        "--algorithm",
        "opponent-sees",
    ]);
    assert!(text.contains("  2  min 9  visit 3,4\n"), "{text}");
}

#[test]
fn text_tells_visited_from_cut_and_bounds_from_values() {
    let file = TemporaryFile::new("open.tree", "max(min(7 6) min(5 9))");
    let words = ["tree", "--tree", file.name(), "--algorithm", "sss-star"];
    let text = lab(&words);
    assert!(text.contains("  2  min open  visit 4"), "{text}");
    assert!(text.contains("    1  leaf 5  visit 5"), "{text}");
    assert!(text.contains("    2  leaf cut"), "{text}");
    let json: Json = serde_json::from_str(&lab(&[&words[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["children"][1]["state"], "open");
    assert_eq!(json["children"][1]["children"][0]["bound"], "exact");
    // Nodes beyond the depth are shown.
    let horizon = [
        "tree",
        "--example",
        "horizon",
        "--depth",
        "1",
        "--algorithm",
        "quiescence",
    ];
    let text = lab(&horizon);
    assert!(text.contains("beyond the depth"), "{text}");
    // Star2 probes replies to throws that it has not entered: here the twelfth visit, before the
    // throw.
    let dice = [
        "tree",
        "--game",
        "random",
        "--throws",
        "3",
        "--levels",
        "2",
        "--algorithm",
        "star2",
    ];
    let probed = (0..50).any(|seed| {
        let seed = seed.to_string();
        let text = lab(&[&dice[..], &["--seed", &seed]].concat());
        let lines: Vec<&str> = text.lines().collect();
        lines
            .windows(2)
            .any(|pair| pair[0].ends_with(" probed") && pair[1].contains("visit"))
    });
    assert!(probed);
}

#[test]
fn b_star_ends_with_a_bound() {
    let words = ["tree", "--example", "b-star", "--algorithm", "b-star"];
    let text = lab(&words);
    assert!(text.starts_with("root  max ≥5"), "{text}");
    // What is known of the other nodes, which are open.
    assert!(text.contains("  B  min open 5..9  visit 2"), "{text}");
    assert!(text.contains("  C  min open 1..4  visit 3"), "{text}");
    let json: Json = serde_json::from_str(&lab(&[&words[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["bound"], "lower");
    // Of a single move nothing is open in the end.
    let file = TemporaryFile::new("b-star.tree", "min(max(1 3))");
    let text = lab(&["tree", "--tree", file.name(), "--algorithm", "b-star"]);
    assert!(text.starts_with("root  min ≤"), "{text}");
}

#[test]
fn a_picture_is_as_wide_as_its_title() {
    let width = |algorithm: &str| -> f64 {
        let words = ["tree", "--example", "cut-alpha", "--algorithm", algorithm];
        let picture = lab(&[&words[..], &["--lang", "es", "--svg", "-"]].concat());
        let (_, rest) = picture.split_once("width=\"").unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    assert!(width("minimax") < width("opponent-sees"));
    // The width of its title in a wide font, measured.
    assert!(width("opponent-sees") > 882.0);
}

#[test]
fn pictures_are_described_and_leaves_wide_enough() {
    let text = "max(min(-12.345 -12.345) min(1000000000 1000000000))";
    let file = TemporaryFile::new("wide.tree", text);
    let picture = lab(&["tree", "--tree", file.name(), "--svg", "-"]);
    assert!(picture.contains(" role=\"img\">"), "{picture}");
    let title = "<title>alpha-beta: value 1000000000, leaves: 4</title>";
    assert!(picture.contains(title), "{picture}");
    let described = "<desc>ε 1000000000; 1 -12.345; 1.1 -12.345; 1.2 -12.345; 2 1000000000; ";
    assert!(picture.contains(described), "{picture}");
    // Neighbouring values of ten digits, each some eight pixels wide.
    let leaf =
        |line: &&str| line.contains("font-size=\"12.0\"") && line.ends_with(">1000000000</text>");
    let x = |line: &str| -> f64 {
        let (_, rest) = line.split_once("x=\"").unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let places: Vec<f64> = picture.lines().filter(leaf).map(x).collect();
    assert!(places[1] - places[0] > 80.0, "{places:?}");
    // Labels of cut branches can be read on white.
    let picture = lab(&["tree", "--example", "cut-alpha", "--svg", "-"]);
    let faint = |line: &str| line.starts_with("<text") && line.contains("#c4c4c4");
    assert!(picture.contains("fill=\"#767676\"") && !picture.lines().any(faint));
    let chart = lab(&["growth", "--game", "random", "--depth", "2", "--svg", "-"]);
    let described = "<desc>different leaves; minimax: 3 9; ";
    assert!(chart.contains(described), "{chart}");
}
