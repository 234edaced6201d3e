//! A position as a picture: an SVG of the board with its pieces, arrows and marked squares. It
//! needs no font for the pieces and loads nothing.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Piece, Role, Square};

use crate::position::{Move, Position, notation};

/// The side of a square, in the units of the picture.
const SQUARE: f64 = 40.0;
/// The margin that holds the coordinates.
const MARGIN: f64 = 14.0;
/// The side of the whole picture.
const SIDE: f64 = 8.0 * SQUARE + 2.0 * MARGIN;
/// The distance of an arrow's tail from the centre of its square.
const ARROW_GAP: f64 = 9.0;

const LIGHT: &str = "#efe3cc";
const DARK: &str = "#b78f66";

/// An arrow or a marked square.
#[derive(Clone, Debug)]
enum DiagramMark {
    Arrow {
        from: Square,
        to: Square,
        colour: String,
        width: f64,
    },
    Square {
        square: Square,
        colour: String,
    },
}

/// A diagram of a position.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    position: &'a Position,
    orientation: Color,
    marks: Vec<DiagramMark>,
}

impl<'a> Diagram<'a> {
    /// Creates a diagram seen by White, without marks.
    pub fn new(position: &'a Position) -> Diagram<'a> {
        Diagram {
            position,
            orientation: Color::White,
            marks: Vec::new(),
        }
    }

    /// Turns the board towards this side.
    #[must_use]
    pub fn seen_by(mut self, orientation: Color) -> Diagram<'a> {
        self.orientation = orientation;
        self
    }

    /// Marks a square with a CSS colour.
    #[must_use]
    pub fn square(mut self, square: Square, colour: &str) -> Diagram<'a> {
        self.marks.push(DiagramMark::Square {
            square,
            colour: colour.to_owned(),
        });
        self
    }

    /// Adds an arrow for a move of the position, in a colour of CSS. A square is 40 wide; 7 is a
    /// good width. Later arrows lie on top.
    #[must_use]
    pub fn arrow(mut self, m: Move, colour: &str, width: f64) -> Diagram<'a> {
        let (from, to) = squares(self.position, m);
        self.marks.push(DiagramMark::Arrow {
            from,
            to,
            colour: colour.to_owned(),
            width,
        });
        self
    }

    /// Returns a complete SVG: a file, or the only diagram of a page.
    pub fn to_svg(&self) -> String {
        self.svg(&format!("<defs>{}</defs>", symbols()))
    }

    /// Returns a smaller SVG for a page that contains [`definitions`].
    pub fn to_svg_in_page(&self) -> String {
        self.svg("")
    }

    fn svg(&self, definitions: &str) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {SIDE} {SIDE}\" role=\"img\">\
             <title>{} to move</title><desc>{}</desc>{definitions}<use href=\"#q-board\"/>",
            self.position.turn().fold_wb("White", "Black"),
            in_words(self.position)
        );
        self.push_coordinates(&mut svg);
        for mark in &self.marks {
            if let DiagramMark::Square { square, colour } = mark {
                self.push_square(&mut svg, *square, colour);
            }
        }
        self.push_pieces(&mut svg);
        for mark in &self.marks {
            if let DiagramMark::Arrow {
                from,
                to,
                colour,
                width,
            } = mark
            {
                self.push_arrow(&mut svg, (*from, *to), colour, *width);
            }
        }
        svg.push_str("</svg>");
        svg
    }

    /// Returns the top left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (
            f64::from(square.file() as u8),
            f64::from(square.rank() as u8),
        );
        let (column, row) = match self.orientation {
            Color::White => (file, 7.0 - rank),
            Color::Black => (7.0 - file, rank),
        };
        (MARGIN + SQUARE * column, MARGIN + SQUARE * row)
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    // Writing to a String cannot fail.

    fn push_coordinates(&self, svg: &mut String) {
        svg.push_str(
            "<g font-family=\"sans-serif\" font-size=\"10\" fill=\"#6b645c\" text-anchor=\"middle\">",
        );
        for number in 0..8 {
            let (x, _) = self.centre(Square::new(number));
            let (_, y) = self.centre(Square::new(8 * number));
            let file = Square::new(number).file().char();
            let rank = number + 1;
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\">{file}</text><text x=\"{}\" y=\"{}\">{rank}</text>",
                SIDE - 3.5,
                MARGIN / 2.0,
                y + 3.5
            );
        }
        // A dot in the corner shows the side to move.
        let (turn, fill) = match self.position.turn() {
            Color::White => (Color::White, "#fff"),
            Color::Black => (Color::Black, "#222"),
        };
        let y = if turn == self.orientation {
            SIDE - MARGIN / 2.0
        } else {
            MARGIN / 2.0
        };
        let _ = write!(
            svg,
            "</g><circle cx=\"{}\" cy=\"{y}\" r=\"4.5\" fill=\"{fill}\" stroke=\"#666\"/>",
            SIDE - MARGIN / 2.0
        );
    }

    fn push_square(&self, svg: &mut String, square: Square, colour: &str) {
        let (x, y) = self.corner(square);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{colour}\" opacity=\".55\"/>"
        );
    }

    fn push_pieces(&self, svg: &mut String) {
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece_at(square) {
                let (x, y) = self.corner(square);
                let _ = write!(
                    svg,
                    "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>",
                    symbol_name(piece)
                );
            }
        }
    }

    fn push_arrow(&self, svg: &mut String, (from, to): (Square, Square), colour: &str, width: f64) {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        let length = (x2 - x1).hypot(y2 - y1);
        if length < 1.0 {
            return;
        }
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The head is three times as wide as the shaft.
        let head = (2.2 * width).min(length / 2.0);
        let along = |distance: f64, aside: f64| {
            format!(
                "{:.1},{:.1}",
                x1 + dx * distance - dy * aside,
                y1 + dy * distance + dx * aside
            )
        };
        let (neck, half) = (length - head, width / 2.0);
        let points = [
            along(ARROW_GAP, half),
            along(neck, half),
            along(neck, 3.0 * half),
            along(length, 0.0),
            along(neck, -3.0 * half),
            along(neck, -half),
            along(ARROW_GAP, -half),
        ];
        let _ = write!(
            svg,
            "<polygon points=\"{}\" fill=\"{colour}\" opacity=\".8\"/>",
            points.join(" ")
        );
    }
}

/// Returns the squares of a move as players see them: castling ends where the king ends, except in
/// Chess960.
pub fn squares(position: &Position, m: Move) -> (Square, Square) {
    match notation::uci(position, m) {
        UciMove::Normal { from, to, .. } => (from, to),
        _ => (m.from(), m.to()),
    }
}

/// Returns the changes that a move makes on the board, as `board.js` reads them: for each square
/// its name and its new piece, or a hyphen when it is empty. The squares of the move come first.
pub fn changes(position: &Position, m: Move) -> String {
    let after = position.play(m);
    let (from, to) = squares(position, m);
    let is_other = |square: &Square| {
        ![from, to].contains(square) && position.piece_at(*square) != after.piece_at(*square)
    };
    [from, to]
        .into_iter()
        .chain(Square::ALL.into_iter().filter(is_other))
        .map(|square| {
            let piece = after.piece_at(square).map_or('-', Piece::char);
            format!("{square}{piece}")
        })
        .collect()
}

/// Describes a position in words, as `board.js` does: for each side its pieces and their squares.
fn in_words(position: &Position) -> String {
    let side = |color: Color| {
        let roles = Role::ALL.into_iter().rev().filter_map(|role| {
            let piece = Piece { color, role };
            let is_here = |square: &Square| position.piece_at(*square) == Some(piece);
            let squares = Square::ALL.into_iter().filter(is_here);
            let mut squares: Vec<String> = squares.map(|square| square.to_string()).collect();
            squares.sort();
            let plural = if squares.len() > 1 { "s" } else { "" };
            let name = format!("{role:?}{plural} {}", squares.join(" "));
            (!squares.is_empty()).then(|| name.to_lowercase())
        });
        let roles: Vec<String> = roles.collect();
        match roles.is_empty() {
            true => "no pieces".to_owned(),
            false => roles.join(", "),
        }
    };
    format!(
        "White: {}. Black: {}.",
        side(Color::White),
        side(Color::Black)
    )
}

/// Returns the drawings that a page with [`Diagram::to_svg_in_page`] has to contain once, anywhere
/// in its body.
pub fn definitions() -> Markup {
    PreEscaped(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" style=\"position:absolute\" \
         aria-hidden=\"true\"><defs>{}</defs></svg>",
        symbols()
    ))
}

/// Returns the empty board, and a drawing of each piece on its own square.
fn symbols() -> String {
    let mut text = format!(
        "<g id=\"q-board\"><rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"320\" height=\"320\" fill=\"{LIGHT}\"/>\
         <path fill=\"{DARK}\" d=\""
    );
    for row in 0..8 {
        for column in (0..8).filter(|column| (row + column) % 2 == 1) {
            let (x, y) = (
                MARGIN + SQUARE * f64::from(column),
                MARGIN + SQUARE * f64::from(row),
            );
            let _ = write!(text, "M{x} {y}h40v40h-40z");
        }
    }
    text.push_str("\"/></g>");
    for piece in Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| Piece { color, role }))
    {
        let (fill, line, detail) = match piece.color {
            Color::White => ("#fdfdfd", "#1c1c1c", "#1c1c1c"),
            Color::Black => ("#33302e", "#0c0c0c", "#f4f1ea"),
        };
        let (outline, details) = drawing(piece.role);
        let _ = write!(
            text,
            "<g id=\"{}\" stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
             <path fill=\"{fill}\" stroke=\"{line}\" d=\"{outline}\"/>\
             <path fill=\"none\" stroke=\"{detail}\" d=\"{details}\"/></g>",
            symbol_name(piece)
        );
    }
    text
}

fn symbol_name(piece: Piece) -> String {
    format!("q-{}{}", piece.color.char(), piece.role.upper_char())
}

/// Returns a piece on a square of 40 by 40: its outline, and the lines inside it.
fn drawing(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Pawn => (
            "M20 8a5.2 5.2 0 0 1 3.2 9.3c.4 4.7 5.3 7.5 5.8 12.2h1.5v4.5h-21v-4.5H11c.5-4.7 5.4-7.5 5.8-12.2A5.2 5.2 0 0 1 20 8z",
            "M12.5 29.5h15",
        ),
        Role::Knight => (
            "M11.5 34C11.5 27 18.5 25 18.5 19C16.5 20 15 22.5 12 24C9.5 25 7 22.5 7.8 20.3C9 17.3 11.5 15 12.8 11.5L12.8 6.5L17.2 9.3C27 8.3 31.5 18 30.5 34Z",
            "M15.2 14.2v.6M21.5 12.5C26 15.5 27.5 22 27.2 30.5",
        ),
        Role::Bishop => (
            "M20 4.5a2.3 2.3 0 0 1 1.5 4c4.5 3.5 7 7.5 7 12 0 3-1.5 5.3-3.8 7l.8 2.5H31v4H9v-4h5.5l.8-2.5C13 25.8 11.5 23.5 11.5 20.5c0-4.5 2.5-8.5 7-12a2.3 2.3 0 0 1 1.5-4z",
            "M20 14.5v7M16.5 18h7M15.5 27.5h9",
        ),
        Role::Rook => (
            "M10.5 6.5h4.7v3.5h3v-3.5h3.6v3.5h3v-3.5h4.7v8.5l-3 2.5 1 11h2.5v5.5h-20v-5.5h2.5l1-11-3-2.5z",
            "M13.5 17.5h13M12.5 28.5h15",
        ),
        Role::Queen => (
            "M10.5 27L6.5 13.5a2 2 0 1 1 1.8-.5L13.3 18.5L12.8 9.8a2 2 0 1 1 2-.2L20 17.5L25.2 9.6a2 2 0 1 1 2 .2L26.7 18.5L31.7 13a2 2 0 1 1 1.8.5L29.5 27L30.5 34H9.5Z",
            "M10.5 27h19M10 30.5h20",
        ),
        Role::King => (
            "M18.8 12.5V9.5H15.8V7H18.8V4H21.2V7H24.2V9.5H21.2V12.5C24 11 31.5 11.5 32.5 17.5C33 21.5 29.5 24 29 27.5L30 34H10L11 27.5C10.5 24 7 21.5 7.5 17.5C8.5 11.5 16 11 18.8 12.5Z",
            "M20 14V27M11 27.5h18M10.5 30.7h19",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        notation::parse_fen(fen, false).unwrap().position
    }

    #[test]
    fn every_piece_is_drawn_on_its_square() {
        let position = position("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1");
        let svg = Diagram::new(&position).to_svg();
        assert!(
            svg.contains("<use href=\"#q-wR\" x=\"14\" y=\"294\"/>"),
            "{svg}"
        );
        assert!(svg.contains("<use href=\"#q-bK\" x=\"174\" y=\"14\"/>"));
        assert_eq!(svg.matches("<use href=\"#q-w").count(), 4);
        let turned = Diagram::new(&position).seen_by(Color::Black).to_svg();
        assert!(turned.contains("<use href=\"#q-wR\" x=\"294\" y=\"14\"/>"));
    }

    #[test]
    fn arrows_go_where_people_see_the_king_go() {
        let position = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        let castling = notation::parse_uci(&position, "e1g1").unwrap();
        assert_eq!(squares(&position, castling), (Square::E1, Square::G1));
        let svg = Diagram::new(&position)
            .arrow(castling, "green", 7.0)
            .to_svg();
        assert!(
            svg.contains("fill=\"green\"") && svg.contains(" 274.0,314.0 "),
            "{svg}"
        );
    }

    #[test]
    fn boards_are_described_in_words() {
        let position = position("4k3/8/8/8/8/8/4P3/R3K2R b KQ - 0 1");
        let words = "White: king e1, rooks a1 h1, pawn e2. Black: king e8.";
        assert_eq!(in_words(&position), words);
        let svg = Diagram::new(&position).to_svg();
        let described = format!("<title>Black to move</title><desc>{words}</desc>");
        assert!(svg.contains(&described), "{svg}");
    }

    #[test]
    fn moves_change_squares() {
        for (fen, m, expected) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e2-e4P"),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "e1-c1Ka1-d1R"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5-d6Pd5-"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7-a8N"),
        ] {
            let position = position(fen);
            let m = notation::parse_uci(&position, m).unwrap();
            assert_eq!(changes(&position, m), expected, "{fen}");
        }
    }

    #[test]
    fn a_page_needs_the_drawings_once() {
        let position = Position::initial();
        let in_page = Diagram::new(&position)
            .square(Square::E4, "red")
            .to_svg_in_page();
        assert!(in_page.contains("fill=\"red\"") && !in_page.contains("<defs>"));
        for name in ["q-board", "q-wK", "q-bP"] {
            assert!(
                definitions().0.contains(&format!("id=\"{name}\"")),
                "{name}"
            );
        }
        assert!(in_page.len() < 3_500, "{}", in_page.len());
    }
}
