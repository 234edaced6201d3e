//! Tests of `lab growth`.

use serde_json::Value as Json;

use super::lab;

#[test]
fn growth_knows_games_with_chance_and_several_orders() {
    let text = lab(&[
        "growth", "--game", "random", "--throws", "2", "--depth", "3",
    ]);
    assert!(
        text.contains("expectiminimax") && text.contains("star2"),
        "{text}"
    );
    let text = lab(&["growth", "--game", "race", "--depth", "2"]);
    assert!(text.contains("star1"), "{text}");
    let words = [
        "growth",
        "--game",
        "random",
        "--orders",
        "best,worst,random",
        "--depth",
        "5",
        "--branching",
        "4",
        "--algorithms",
        "alpha-beta,negascout",
        "--measure",
        "nodes",
        "--json",
    ];
    let json: Json = serde_json::from_str(&lab(&words)).unwrap();
    let nodes = |name: &str| {
        let mut curves = json["curves"].as_array().unwrap().iter();
        let curve = curves.find(|curve| curve["algorithm"] == name).unwrap();
        let leaves = &curve["leaves"];
        assert_eq!(leaves.as_array().unwrap().len(), 5);
        curve["nodes"][4].as_u64().unwrap()
    };
    assert!(nodes("alpha-beta (best)") < nodes("alpha-beta (random)"));
    assert!(nodes("alpha-beta (random)") < nodes("alpha-beta (worst)"));
    // In random order NegaScout visits more nodes than alpha-beta, in the best order no more.
    assert!(nodes("negascout (random)") > nodes("alpha-beta (random)"));
    assert!(nodes("negascout (best)") <= nodes("alpha-beta (best)"));
    let chart = lab(&[&words[..13], &["--svg", "-"]].concat());
    assert!(
        chart.contains("negascout (worst)") && chart.contains("nodes visited"),
        "{chart}"
    );
}

#[test]
fn growth_is_that_of_the_formula() {
    let words = [
        "growth",
        "--game",
        "random",
        "--order",
        "best",
        "--branching",
        "3",
        "--depth",
        "5",
        "--json",
    ];
    let json: Json = serde_json::from_str(&lab(&words)).unwrap();
    let curve = |name: &str| {
        let curves = json["curves"].as_array().unwrap();
        curves
            .iter()
            .find(|curve| curve["algorithm"] == name)
            .unwrap()["leaves"]
            .clone()
    };
    assert_eq!(curve("alpha-beta"), Json::from(vec![3, 5, 11, 17, 35]));
    assert_eq!(curve("minimax"), Json::from(vec![3, 9, 27, 81, 243]));
    let picture = lab(&[&words[..9], &["--svg", "-"]].concat());
    assert!(picture.contains(">b^(3d/4)<") && picture.contains(">sss-star<"));
}

#[test]
fn throws_multiply_the_tree_as_moves_do() {
    let words = [
        "growth",
        "--game",
        "random",
        "--throws",
        "6",
        "--branching",
        "3",
    ];
    let words = [
        &words[..],
        &["--depth", "2", "--algorithms", "expectiminimax"],
    ]
    .concat();
    let text = lab(&words);
    assert!(text.contains("b = 3, n = 6"), "{text}");
    let json: Json = serde_json::from_str(&lab(&[&words[..], &["--json"]].concat())).unwrap();
    assert_eq!(
        (&json["branching"], &json["throws"]),
        (&Json::from(3), &Json::from(6))
    );
    let reference = &json["references"][0];
    assert_eq!(reference["name"], "(n b)^d");
    assert_eq!(reference["leaves"], Json::from(vec![18.0, 324.0]));
    assert_eq!(json["curves"][0]["leaves"], Json::from(vec![18, 324]));
    // In the race the throw comes first, too.
    let text = lab(&["growth", "--game", "race", "--depth", "1"]);
    assert!(text.contains(", n = 2"), "{text}");
}

#[test]
fn axes_are_written_in_the_language() {
    let words = [
        "growth",
        "--game",
        "random",
        "--branching",
        "10",
        "--depth",
        "4",
        "--svg",
        "-",
    ];
    for (language, label) in [("en", ">10,000<"), ("es", ">10\u{a0}000<")] {
        let picture = lab(&[&words[..], &["--lang", language]].concat());
        assert!(picture.contains(label), "{language}");
    }
}
