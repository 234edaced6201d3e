//! A game as text, for paper and for readers without scripts.

use maud::{Markup, html};

use super::percent;
use crate::tools::analyse::report::{GameReport, LineReport, MoveReport};

/// Returns a game with its players, tag pairs and moves.
pub fn article(game: &GameReport, name: &str) -> Markup {
    let hidden = ["White", "Black", "FEN", "SetUp", "Result"];
    let tags = game
        .tags
        .iter()
        .filter(|(tag, _)| !hidden.contains(&tag.as_str()));
    let tags: Vec<String> = tags.map(|(tag, value)| format!("{tag}: {value}")).collect();
    html! {
        article.printed {
            h2 { (name) }
            @if let Some(opening) = game.opening {
                p { (opening.eco) " " (opening.name) }
            }
            (players(game))
            @if let Some(fault) = &game.fault {
                p { (fault) }
            }
            p.line { (words(&game.line, true).join(" ")) " " (game.result) }
            p.faint { (tags.join(" \u{b7} ")) }
        }
    }
}

fn players(game: &GameReport) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "Player" }
                    @for heading in ["?!", "?", "??", "Accuracy", "Opening", "Middlegame", "Endgame"] {
                        th.n scope="col" { (heading) }
                    }
                }
            }
            tbody {
                @for (player, name) in game.players.iter().zip(game.names()) {
                    tr {
                        th scope="row" { (name) }
                        @for count in player.marks {
                            td.n { (count) }
                        }
                        td.n { (percent(&player.accuracy.overall)) }
                        @for phase in &player.accuracy.phases {
                            td.n { (percent(phase)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the words of a line. In the main line only moves with a verdict have their evaluation,
/// in variations all that have one.
fn words(line: &LineReport, is_main: bool) -> Vec<String> {
    let mut words = Vec::new();
    if !line.comment.is_empty() {
        words.push(line.comment.clone());
    }
    let mut needs_number = true;
    for played in &line.moves {
        if needs_number || !played.number.ends_with("...") {
            words.push(played.number.clone());
        }
        words.push(format!("{}{}", played.san, played.marks));
        let is_shown = !is_main || played.verdict.is_some();
        if let Some(evaluation) = played.evaluation.as_ref().filter(|_| is_shown) {
            words.push(evaluation.text.clone());
        }
        words.extend(remarks(played));
        needs_number =
            played.verdict.is_some() || !played.comment.is_empty() || !played.variations.is_empty();
    }
    words
}

/// Returns the verdict, the comment and the variations after a move.
fn remarks(played: &MoveReport) -> Vec<String> {
    let mut remarks: Vec<String> = played.verdict.iter().cloned().collect();
    if !played.comment.is_empty() {
        remarks.push(played.comment.clone());
    }
    for variation in &played.variations {
        remarks.push(format!("({})", words(variation, false).join(" ")));
    }
    remarks
}
