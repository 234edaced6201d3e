//! Positions and moves as text: FEN (with X-FEN and Shredder-FEN castling fields), UCI moves, SAN.

use std::num::NonZeroU32;

use shakmaty::fen::{Epd, Fen, ParseFenError};
use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::{IllegalUciMoveError, ParseUciMoveError, UciMove};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, PositionError, Role, Setup,
    Square,
};
use thiserror::Error;

use super::{Move, Position};

/// The initial position of standard chess.
pub const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The maximum move number; a FEN can contain 4,294,967,295.
const MAX_FULLMOVES: u32 = 9_999;

/// Errors returned by [`parse_fen`].
#[derive(Debug, Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error("not a FEN: {0}")]
    Syntax(#[from] ParseFenError),
    /// The FEN has a pocket or remaining checks.
    #[error("a position of crazyhouse or three-check chess")]
    Variant,
    /// The FEN does not describe a legal position.
    #[error(transparent)]
    Illegal(#[from] Box<PositionError<Chess>>),
}

/// Errors returned by [`parse_uci`] and [`parse_move`].
#[derive(Debug, Error)]
pub enum MoveError {
    /// The text is not a move in this notation.
    #[error("not a move: {0:?}")]
    Syntax(String),
    /// The move is illegal in the position.
    #[error("illegal move: {0:?}")]
    Illegal(String),
    /// Several pieces can make the move.
    #[error("ambiguous move: {0:?}")]
    Ambiguous(String),
}

/// The result of parsing a FEN.
#[derive(Debug)]
pub struct ParsedFen {
    /// The position.
    pub position: Position,
    /// True when the castling rights require Chess960, which was not requested.
    pub detected_chess960: bool,
}

/// Parses a FEN. Missing move counters default to 0 and 1. With `chess960`, castling moves are
/// written king takes rook; without it, only when the castling field names rooks or kings with
/// which standard chess does not castle.
///
/// Positions that no game can reach are accepted if they can be played on: any number of pieces,
/// impossible checks. En passant squares without a pawn and castling rights without their rook are
/// dropped.
///
/// # Errors
/// Fails when the text is not a FEN of chess, or when the position lacks a king, has
/// pawns on a back rank, or leaves the side that has just moved in check.
pub fn parse_fen(text: &str, chess960: bool) -> Result<ParsedFen, FenError> {
    let mut setup = Fen::from_ascii(text.trim().as_bytes())?.into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(FenError::Variant);
    }
    setup.halfmoves = setup.halfmoves.min(super::MAX_HALFMOVES);
    setup.fullmoves = setup
        .fullmoves
        .min(NonZeroU32::MIN.saturating_add(MAX_FULLMOVES - 1));
    let detected = CastlingMode::detect(&setup).is_chess960() && !has_stale_right(text, &setup);
    let mode = CastlingMode::from_chess960(chess960 || detected);
    let chess = Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .map_err(Box::new)?;
    Ok(ParsedFen {
        position: Position::from_chess(chess),
        detected_chess960: detected && !chess960,
    })
}

/// Returns whether a letter of `KQkq` has no rook on its wing of the back rank. It is left over
/// then, as often in positions that were set up by hand, and does not show that the other letters
/// are those of Chess960.
fn has_stale_right(text: &str, setup: &Setup) -> bool {
    let is_stale = |letter: char| {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let is_kingside = match letter.to_ascii_uppercase() {
            'K' => true,
            'Q' => false,
            _ => return false,
        };
        let back = Bitboard::from_rank(color.backrank());
        let rooks = setup.board.rooks() & setup.board.by_color(color) & back;
        let has_rook_on_wing = |king: Square| {
            let is_on_wing = |rook: Square| (rook > king) == is_kingside;
            back.contains(king) && rooks.into_iter().any(is_on_wing)
        };
        !setup.board.king_of(color).is_some_and(has_rook_on_wing)
    };
    let field = text.split_whitespace().nth(2).unwrap_or_default();
    field.chars().any(is_stale)
}

/// Returns the FEN that a line begins with, without whatever follows. Counters that are not numbers
/// are left out.
pub fn fen_of_line(line: &str) -> String {
    let is_counter = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = line.split_whitespace();
    let mut fields: Vec<&str> = words.by_ref().take(4).collect();
    fields.extend(words.take(2).take_while(is_counter));
    fields.join(" ")
}

/// Formats the position as a FEN. In Chess960 the castling field is Shredder-FEN only where X-FEN
/// requires it.
pub fn fen(position: &Position) -> String {
    Fen::from_position(position.chess(), EnPassantMode::Legal).to_string()
}

/// Formats the first four fields of the [`fen`], which EPD begins with.
pub fn epd(position: &Position) -> String {
    Epd::from_position(position.chess(), EnPassantMode::Legal).to_string()
}

/// Parses a move in UCI notation. Castling is accepted in both forms.
///
/// # Errors
/// Fails when the text is not a move, or the move is not legal in the position.
pub fn parse_uci(position: &Position, text: &str) -> Result<Move, MoveError> {
    let parsed: UciMove = text
        .parse()
        .map_err(|_: ParseUciMoveError| MoveError::Syntax(text.chars().take(20).collect()))?;
    parsed
        .to_move(position.chess())
        .map(Move::from_shakmaty)
        .map_err(|_: IllegalUciMoveError| MoveError::Illegal(text.to_owned()))
}

/// Parses a move in SAN or a notation like it, with or without annotations, or in UCI notation.
///
/// # Errors
/// Fails when the text is not a move, or the move is illegal or ambiguous.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let plain = without_annotations(text);
    let name = || text.chars().take(20).collect::<String>();
    let in_uci = || parse_uci(position, &plain.replace('=', "").to_ascii_lowercase());
    let Ok(san) = San::from_ascii(plain.as_bytes()) else {
        return in_uci().map_err(|error| match error {
            MoveError::Syntax(_) => MoveError::Syntax(name()),
            _ => MoveError::Illegal(name()),
        });
    };
    match move_of_san(position, &san) {
        Ok(m) => Ok(m),
        Err(SanError::AmbiguousSan) => Err(MoveError::Ambiguous(name())),
        // A move in UCI notation, such as b8b7 or b7a8q, can look like one of a pawn in SAN.
        Err(SanError::IllegalSan) => in_uci().map_err(|_| MoveError::Illegal(name())),
    }
}

/// Returns a legal move in SAN, with its check or mate mark: `Nf3`, `exd8=Q#`.
pub fn san(position: &Position, m: Move) -> SanPlus {
    SanPlus::from_move(position.chess().clone(), position.to_shakmaty(m))
}

/// Converts a legal move to UCI notation, with castling as the position's castling mode writes it.
pub fn uci(position: &Position, m: Move) -> UciMove {
    UciMove::from_move(position.to_shakmaty(m), position.castling_mode())
}

/// Returns the legal move that SAN stands for. A capture need not have its `x`, but one by a pawn
/// needs the file (`ed5`). Coordinates (`g1f3`), which look like the move of a pawn, are read as
/// well.
///
/// # Errors
/// Fails when no legal move or several fit.
pub fn move_of_san(position: &Position, san: &San) -> Result<Move, SanError> {
    let chess = position.chess();
    let mut with_capture = *san;
    let found = match (san.to_move(chess), &mut with_capture) {
        (
            Err(SanError::IllegalSan),
            San::Normal {
                role,
                file,
                capture,
                ..
            },
        ) if !*capture && (*role != Role::Pawn || file.is_some()) => {
            *capture = true;
            with_capture.to_move(chess)
        }
        (found, _) => found,
    };
    let by_coordinates = |error| match *san {
        San::Normal {
            role: Role::Pawn,
            file: Some(file),
            rank: Some(rank),
            to,
            promotion,
            ..
        } => {
            let from = Square::from_coords(file, rank);
            let uci = UciMove::Normal {
                from,
                to,
                promotion,
            };
            uci.to_move(chess).map_err(|_| error)
        }
        _ => Err(error),
    };
    found.or_else(by_coordinates).map(Move::from_shakmaty)
}

/// Writes a move in SAN or a notation like it as SAN without check marks and annotations:
/// `12.Nf3+!?` becomes `Nf3`, `0-0` `O-O`, `e7-e8(Q)` `e7e8=Q`, `exd6e.p.` `exd6`, `♘g1–f3±` `Ng1f3`.
pub fn without_annotations(text: &str) -> String {
    let text = ascii_letters(text);
    // The marks are those of annotations, such as `±`.
    let text = text.trim_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric());
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    // Digits without a dot are castling with zeros, not a move number.
    let text = match after_digits.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => text,
    };
    const MARKS: [char; 9] = ['!', '?', '+', '#', ',', '.', '-', '=', ':'];
    let mut text = text.trim_end_matches(MARKS);
    for words in ["mate", "e.p", "ep"] {
        text = text
            .strip_suffix(words)
            .unwrap_or(text)
            .trim_end_matches(MARKS);
    }
    match text {
        "0-0" | "o-o" | "O-O" | "00" | "OO" | "oo" => return "O-O".to_owned(),
        "0-0-0" | "o-o-o" | "O-O-O" | "000" | "OOO" | "ooo" => return "O-O-O".to_owned(),
        _ => {}
    }
    let mut plain: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | '(' | ')' | ':' | '/'))
        .collect();
    // A promotion without an equals sign.
    if let [.., '1' | '8', role] = plain.chars().collect::<Vec<_>>()[..]
        && "QRBNqrbn".contains(role)
    {
        plain.pop();
        plain.push('=');
        plain.push(role.to_ascii_uppercase());
    }
    plain
}

/// Replaces figurines by the letters of the pieces, and dashes by hyphens.
fn ascii_letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for c in ascii_dashes(text).chars() {
        match c {
            '♔' | '♚' => letters.push('K'),
            '♕' | '♛' => letters.push('Q'),
            '♖' | '♜' => letters.push('R'),
            '♗' | '♝' => letters.push('B'),
            '♘' | '♞' => letters.push('N'),
            // The variation selectors choose between text and picture.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            c => letters.push(c),
        }
    }
    letters
}

/// Replaces dashes, as typesetters use them, by hyphens.
pub fn ascii_dashes(text: &str) -> String {
    text.replace(['–', '—', '‑', '−'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_optional_and_clamped() {
        let parsed = parse_fen("4k3/8/8/8/8/8/8/4K3 w - -", false).unwrap();
        assert_eq!(fen(&parsed.position), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let parsed = parse_fen("4k3/8/8/8/8/8/8/4K2R w - - 4294967295 4294967295", false).unwrap();
        assert_eq!(fen(&parsed.position), "4k3/8/8/8/8/8/8/4K2R w - - 100 9999");
    }

    #[test]
    fn captures_need_no_x() {
        let position = parse_fen("4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1", false)
            .unwrap()
            .position;
        let read = |text: &str| {
            let m = move_of_san(&position, &text.parse().unwrap()).ok()?;
            Some(uci(&position, m).to_string())
        };
        for (text, m) in [
            ("Nxd5", "c3d5"),
            ("Nd5", "c3d5"),
            ("ed5", "e4d5"),
            ("e4d5", "e4d5"),
            ("c3d5", "c3d5"),
            ("e1e2", "e1e2"),
        ] {
            assert_eq!(read(text).as_deref(), Some(m), "{text}");
        }
        // A pawn on d4 would go there.
        assert_eq!((read("d5"), read("Nxb5")), (None, None));
    }

    #[test]
    fn chess960_is_recognised_by_the_castling_field() {
        let standard = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false).unwrap();
        assert!(!standard.detected_chess960);
        let m = parse_uci(&standard.position, "e1g1").unwrap();
        assert_eq!(uci(&standard.position, m).to_string(), "e1g1");
        // Shredder-FEN of the same position needs nothing new.
        assert!(
            !parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false)
                .unwrap()
                .detected_chess960
        );
        let shifted = parse_fen("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", false).unwrap();
        assert!(shifted.detected_chess960);
        let m = parse_uci(&shifted.position, "f1h1").unwrap();
        assert_eq!(uci(&shifted.position, m).to_string(), "f1h1");
    }

    #[test]
    fn rights_left_over_in_a_standard_position_are_dropped() {
        for (board, kept) in [
            (
                "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R",
                "KQ",
            ),
            ("r3k2r/8/8/8/8/8/8/2KR3R", "kq"),
            ("r4rk1/8/8/8/8/8/8/R4RK1", "-"),
            ("r6r/4k3/8/8/8/8/8/R3K2R", "KQ"),
        ] {
            let parsed = parse_fen(&format!("{board} w KQkq - 0 1"), false).unwrap();
            assert!(!parsed.detected_chess960, "{board}");
            let text = fen(&parsed.position);
            assert_eq!(text.split(' ').nth(2), Some(kept), "{board}");
        }
        // These may be Chess960.
        for fen in [
            "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R5KR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R5KR w HAha - 0 1",
        ] {
            assert!(parse_fen(fen, false).unwrap().detected_chess960, "{fen}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        for bad in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
            "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        ] {
            assert!(parse_fen(bad, false).is_err(), "{bad}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong_once() {
        for (bad, beginning) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "illegal position: "),
            ("nonsense", "not a FEN: "),
        ] {
            let message = parse_fen(bad, false).unwrap_err().to_string();
            assert!(message.starts_with(beginning), "{message}");
            assert_eq!(message.matches(beginning).count(), 1, "{message}");
        }
    }

    #[test]
    fn one_move_in_many_ways() {
        let start = parse_fen("r3k2r/1P6/8/8/8/5N2/8/R3K2R w KQkq - 0 1", false)
            .unwrap()
            .position;
        for (texts, expected) in [
            (
                &[
                    "Nd4",
                    "Nd4!",
                    "Nd4?!",
                    "N f3d4",
                    "Nf3-d4",
                    "Nf3d4",
                    "f3d4",
                    "1.Nd4",
                    "12...Nd4",
                    "Nd4,",
                    "♘d4",
                    "♞\u{fe0e}f3–d4±",
                ][..],
                "f3d4",
            ),
            (&["O-O", "0-0", "o-o", "e1g1", "O-O!?", "e1h1"], "e1g1"),
            (&["O-O-O", "0-0-0+"], "e1c1"),
            (
                &[
                    "bxa8=Q+",
                    "bxa8Q",
                    "bxa8q",
                    "b7a8q",
                    "bxa8(Q)",
                    "b7xa8=Q#",
                    "bxa8/Q",
                    "ba8:Q++",
                    "bxa8=Qmate",
                ],
                "b7a8q",
            ),
            (&["b8=N", "b8N", "b7b8n"], "b7b8n"),
        ] {
            for text in texts {
                let m = parse_move(&start, &text.replace(' ', "")).unwrap();
                assert_eq!(uci(&start, m).to_string(), expected, "{text}");
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let position = parse_fen("4k3/8/8/2N3N1/8/8/8/4K3 w - - 0 1", false)
            .unwrap()
            .position;
        for (text, part) in [
            ("Ne4", "ambiguous move: \"Ne4\""),
            ("Qh5", "illegal move"),
            ("c5c6", "illegal move"),
            ("frob", "not a move"),
        ] {
            assert!(
                parse_move(&position, text)
                    .unwrap_err()
                    .to_string()
                    .contains(part),
                "{text}"
            );
        }
    }
}
