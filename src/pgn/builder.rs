//! Builds a game from the events of [`pgn_reader`].

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use pgn_reader::{Nag, RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::Outcome;
use shakmaty::san::{San, SanError};

use super::game::{AnnotatedMove, PgnGame, PgnVariation, move_number, not_understood};
use super::reader::{decode, on_one_line, tidy};
use super::splitter::RawGame;
use crate::position::notation::{FenError, move_of_san, parse_fen};
use crate::position::{Move, Position};

/// The deepest nesting of variations that is kept.
const MAX_NESTING: usize = 32;

/// Values of the `Variant` tag for standard chess, in lower case and without punctuation.
const STANDARD: [&str; 6] = [
    "",
    "standard",
    "chess",
    "normal",
    "classical",
    "fromposition",
];

/// Values of the `Variant` tag for Chess960.
const CHESS960: [&str; 7] = [
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "freestyle",
    "frc",
];

/// The game or a variation, as far as it has been read.
#[derive(Debug)]
struct Frame {
    line: PgnVariation,
    /// The position after the last move.
    position: Position,
    /// The position before the last move.
    before: Position,
    /// The text of the first illegal move, with its number, and of everything after it.
    unread: String,
}

impl Frame {
    fn new(position: Position) -> Frame {
        Frame {
            line: PgnVariation::default(),
            before: position.clone(),
            position,
            unread: String::new(),
        }
    }

    fn play(&mut self, m: Move) {
        self.line.moves.push(AnnotatedMove::new(m));
        let after = self.position.play(m);
        self.before = std::mem::replace(&mut self.position, after);
    }

    /// Adds a word to the text after an illegal move.
    fn add_unread(&mut self, word: &str) {
        if !self.unread.ends_with('(') {
            self.unread.push(' ');
        }
        self.unread.push_str(word);
    }

    /// Returns the line, which ends with a comment if not all of it could be read.
    fn into_line(mut self) -> PgnVariation {
        if self.unread.is_empty() {
            return self.line;
        }
        match self.line.moves.last_mut() {
            Some(last) => last.comments.push(not_understood(&self.unread)),
            None => self
                .line
                .comments
                .push(format!("Not understood: {}", self.unread)),
        }
        self.line
    }
}

/// A game as far as it has been read.
#[derive(Debug, Default)]
pub struct GameBuilder {
    main_line_only: bool,
    tags: Vec<(String, String)>,
    tag_names: HashSet<String>,
    start: Option<Position>,
    /// The game and the open variations, innermost last. Empty before the movetext.
    frames: Vec<Frame>,
    /// The number of open variations that are not kept.
    skipped: usize,
    comment: Vec<u8>,
    /// The moves that cannot be read and are still to come.
    unreadable: VecDeque<String>,
    result: Option<Cow<'static, str>>,
    /// Everything that is wrong with the text, as messages for the user.
    pub faults: Vec<String>,
    /// The reason why the rules or the first position cannot be understood.
    foreign: Option<String>,
}

impl GameBuilder {
    /// Returns a builder, which skips variations, comments and marks if `main_line_only` is set.
    /// Drops stand for the moves in `unreadable`.
    pub fn new(main_line_only: bool, unreadable: VecDeque<String>) -> GameBuilder {
        GameBuilder {
            main_line_only,
            unreadable,
            ..GameBuilder::default()
        }
    }

    /// Sets up the first position from the tag pairs, at the first move, comment or result. Tag
    /// pairs may come in several parts, with an empty line or a broken tag pair between them.
    fn begin(&mut self) {
        if !self.frames.is_empty() {
            return;
        }
        let start = self.find_start().unwrap_or_else(|reason| {
            self.foreign = Some(reason);
            Position::initial()
        });
        self.frames.push(Frame::new(start.clone()));
        self.start = Some(start);
    }

    /// Returns the first position, or the reason why it cannot be understood.
    fn find_start(&self) -> Result<Position, String> {
        let tag = |name: &str| {
            self.tags
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
        };
        let variant = tag("Variant").unwrap_or_default();
        let name: String = variant
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let is_chess960 = CHESS960.contains(&name.as_str());
        if !is_chess960 && !STANDARD.contains(&name.as_str()) {
            return Err(format!("the variant {variant:?} is not supported"));
        }
        match tag("FEN").filter(|fen| !fen.trim().is_empty()) {
            Some(fen) => parse_fen(&tidy(fen), is_chess960)
                .map(|parsed| parsed.position)
                .map_err(|error: FenError| format!("the FEN {fen:?} cannot be used: {error}")),
            None => Ok(Position::initial()),
        }
    }

    /// Returns the innermost line unless it is skipped. The tag pairs end here.
    fn top(&mut self) -> Option<&mut Frame> {
        self.begin();
        if self.skipped > 0 {
            return None;
        }
        self.frames.last_mut()
    }

    /// Returns the innermost line if everything in it is kept as text, because of an illegal move.
    fn broken(&mut self) -> Option<&mut Frame> {
        self.begin();
        let is_left_out = self.main_line_only && self.skipped > 0;
        let innermost = self.frames.last_mut();
        innermost.filter(|frame| !frame.unread.is_empty() && !is_left_out)
    }

    fn add_move(&mut self, san: SanPlus) {
        let unreadable = match san.san {
            San::Put { .. } => self.unreadable.pop_front(),
            _ => None,
        };
        if let Some(frame) = self.broken() {
            frame.add_unread(&unreadable.unwrap_or_else(|| san.to_string()));
            return;
        }
        let is_main = self.frames.len() == 1;
        let result = self.result.clone().filter(|_| is_main);
        let Some(frame) = self.top() else {
            return;
        };
        match (move_of_san(&frame.position, &san.san), result) {
            (Ok(m), None) => frame.play(m),
            (found, result) => {
                let at = move_number(&frame.position);
                let illegal = match (&unreadable, found) {
                    (Some(_), _) => "not a move",
                    (None, Err(SanError::AmbiguousSan)) => "ambiguous",
                    (None, _) => "illegal",
                };
                let text = unreadable.unwrap_or_else(|| san.to_string());
                frame.unread = format!("{at} {text}");
                let place = if is_main {
                    let ply = frame.line.moves.len() + 1;
                    let why = match result {
                        Some(result) => format!("after the result {result}"),
                        None => illegal.to_owned(),
                    };
                    format!("ply {ply}, move {at} {text}: {why}; the game is read up to there")
                } else {
                    format!(
                        "move {at} {text} of a variation: {illegal}; the variation is read up to there"
                    )
                };
                self.faults.push(place);
            }
        }
    }

    fn add_comment(&mut self) {
        let bytes = std::mem::take(&mut self.comment);
        let text = tidy(&decode(&bytes));
        if text.is_empty() {
            return;
        }
        if let Some(frame) = self.broken() {
            // Commands would count for the last legal move, and braces end the comment.
            frame.add_unread(&format!("({})", text.replace("[%", "[")));
            return;
        }
        let Some(frame) = self.top() else {
            return;
        };
        match frame.line.moves.last_mut() {
            Some(annotated) => annotated.comments.push(text),
            None => frame.line.comments.push(text),
        }
    }

    fn open_variation(&mut self) {
        let max_nesting = if self.main_line_only { 0 } else { MAX_NESTING };
        if let Some(frame) = self.broken().filter(|_| max_nesting > 0) {
            frame.add_unread("(");
            self.skipped += 1;
            return;
        }
        let nesting = self.frames.len();
        match self.top() {
            Some(frame) if !frame.line.moves.is_empty() && nesting <= max_nesting => {
                let variation = Frame::new(frame.before.clone());
                self.frames.push(variation);
            }
            _ => self.skipped += 1,
        }
    }

    fn close_variation(&mut self) {
        if self.skipped > 0 {
            if let Some(frame) = self.broken() {
                frame.unread.push(')');
            }
            self.skipped -= 1;
            return;
        }
        if self.frames.len() < 2 {
            return;
        }
        let line = self.frames.pop().map(Frame::into_line);
        let parent = self.frames.last_mut();
        if let Some(line) = line
            && let Some(annotated) = parent.and_then(|frame| frame.line.moves.last_mut())
        {
            if line.moves.is_empty() {
                // Other programs do not read a variation without moves.
                annotated.comments.extend(line.comments);
            } else {
                annotated.variations.push(line);
            }
        }
    }

    /// Returns the game; `None` if there was neither a tag pair nor a move nor a result.
    pub fn finish(mut self, raw: &RawGame, number: u64) -> Option<PgnGame> {
        self.begin();
        if self.frames.len() > 1 || self.skipped > 0 {
            if !self.main_line_only {
                self.faults.push("a variation is never closed".to_owned());
            }
            self.skipped = 0;
            while self.frames.len() > 1 {
                self.close_variation();
            }
        }
        let frame = self.frames.pop()?;
        let is_game = !self.tags.is_empty()
            || !frame.line.moves.is_empty()
            || self.result.is_some()
            || !frame.unread.is_empty();
        if !is_game {
            return None;
        }
        let mut game = PgnGame {
            number,
            tags: self.tags,
            start: self.start?,
            main_line: frame.line,
            result: Cow::Borrowed("*"),
            unread_moves: frame.unread,
            faults: self.faults,
            verbatim: None,
        };
        if let Some(reason) = self.foreign {
            // Moves that were read by the wrong rules mean nothing.
            game.main_line = PgnVariation::default();
            game.unread_moves.clear();
            game.faults = vec![reason];
            game.verbatim = Some(raw.text.clone());
        }
        game.result = self
            .result
            .or_else(|| result_tag(&game))
            .unwrap_or(game.result);
        Some(game)
    }
}

/// Returns the result of the tag pair, for games whose movetext ends without one.
fn result_tag(game: &PgnGame) -> Option<Cow<'static, str>> {
    let said = game.tag("Result")?.trim();
    ["1-0", "0-1", "1/2-1/2", "*"]
        .into_iter()
        .find(|&result| result == said)
        .map(Cow::Borrowed)
}

impl Visitor for GameBuilder {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if !self.frames.is_empty() {
            // The first position has been set up without it.
            self.faults
                .push("a tag pair after the first move is left out".to_owned());
            return ControlFlow::Continue(());
        }
        let name = tidy(&decode(name));
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        // A game written with two tags of one name or a broken name would be read as two.
        if is_name && self.tag_names.insert(name.clone()) {
            self.tags
                .push((name, on_one_line(&decode(&unescaped(value.as_bytes())))));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.add_move(san);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        if self.main_line_only {
            return ControlFlow::Continue(());
        }
        if let Some(frame) = self.broken() {
            frame.add_unread(&format!("${}", nag.0));
            return ControlFlow::Continue(());
        }
        let annotated = self.top().and_then(|frame| frame.line.moves.last_mut());
        if let Some(annotated) = annotated
            && !annotated.nags.contains(&nag.0)
        {
            annotated.nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        if self.main_line_only {
            self.comment.clear();
        } else {
            self.add_comment();
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.open_variation();
        // Skipping would end at an empty line.
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.close_variation();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.begin();
        if self.frames.len() == 1 && self.skipped == 0 {
            self.result = Some(Cow::Owned(outcome.to_string()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Returns the value of a tag pair without the backslashes that escape quotes and backslashes.
fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        let escaped = rest.next_if(|&next| byte == b'\\' && matches!(next, b'"' | b'\\'));
        text.push(escaped.unwrap_or(byte));
    }
    text
}
