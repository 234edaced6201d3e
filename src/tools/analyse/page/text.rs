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
            p.line {
                @for word in words(&game.line, true) {
                    @match word {
                        Word::Move(text) => { b { (text) } " " }
                        Word::Other(text) => { (text) " " }
                    }
                }
                (game.result)
            }
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

/// A part of the moves as text.
enum Word {
    /// A move of the main line.
    Move(String),
    /// Anything else.
    Other(String),
}

/// Returns the words of a line. In the main line only moves with a verdict have their evaluation,
/// in variations all that have one.
fn words(line: &LineReport, is_main: bool) -> Vec<Word> {
    let mut words = Vec::new();
    if !line.comment.is_empty() {
        words.push(Word::Other(line.comment.clone()));
    }
    let mut needs_number = true;
    for played in &line.moves {
        let mut text = format!("{}{}", played.san, played.marks);
        if needs_number || !played.number.ends_with("...") {
            text = format!("{} {text}", played.number);
        }
        words.push(if is_main {
            Word::Move(text)
        } else {
            Word::Other(text)
        });
        let is_shown = !is_main || played.verdict.is_some();
        if let Some(evaluation) = played.evaluation.as_ref().filter(|_| is_shown) {
            words.push(Word::Other(evaluation.text.clone()));
        }
        words.extend(remarks(played).into_iter().map(Word::Other));
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
        let words = words(variation, false).into_iter();
        let texts = words.map(|(Word::Move(text) | Word::Other(text))| text);
        remarks.push(format!("({})", texts.collect::<Vec<_>>().join(" ")));
    }
    remarks
}
