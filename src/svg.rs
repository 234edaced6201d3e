//! Draws pictures as SVG: lines, shapes and text.

use std::fmt::{self, Display, Write as _};

/// A length with one decimal, so that files stay small.
struct Length(f64);

impl Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0)
    }
}

/// The part of a text that lies at its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// The look of a text.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    /// The size in pixels.
    pub size: f64,
    /// The colour, as in CSS.
    pub colour: &'static str,
    /// The part that lies at the given point.
    pub anchor: Anchor,
    /// True for bold type.
    pub bold: bool,
}

impl Font {
    /// Returns the look of a text whose given part lies at its point.
    pub const fn new(size: f64, colour: &'static str, anchor: Anchor, bold: bool) -> Font {
        Font {
            size,
            colour,
            anchor,
            bold,
        }
    }
}

/// The look of a line.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// The colour, as in CSS.
    pub colour: &'static str,
    /// The width in pixels.
    pub width: f64,
    /// As SVG's `stroke-dasharray`; empty for a line without gaps.
    pub dashes: &'static str,
}

impl Pen {
    /// Returns a pen for lines without gaps.
    pub const fn new(colour: &'static str, width: f64) -> Pen {
        Pen {
            colour,
            width,
            dashes: "",
        }
    }
}

/// A picture that is being drawn.
#[derive(Debug, Default)]
pub struct Canvas {
    body: String,
}

impl Canvas {
    /// Draws a line through points.
    pub fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        self.path(points, "none", pen, "polyline");
    }

    /// Draws a filled shape.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str, pen: Pen) {
        self.path(points, fill, pen, "polygon");
    }

    fn path(&mut self, points: &[(f64, f64)], fill: &str, pen: Pen, element: &str) {
        let mut list = String::new();
        for (x, y) in points {
            let _ = write!(list, "{},{} ", Length(*x), Length(*y));
        }
        let Pen {
            colour,
            width,
            dashes,
        } = pen;
        let dashes = if dashes.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{dashes}\"")
        };
        let list = list.trim_end();
        let _ = writeln!(
            self.body,
            "<{element} points=\"{list}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }

    /// Draws a filled circle.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, fill: &str, pen: Pen) {
        let Pen { colour, width, .. } = pen;
        let _ = writeln!(
            self.body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            Length(x),
            Length(y),
            Length(radius)
        );
    }

    /// Writes a text whose base line goes through a point.
    pub fn text(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if font.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{anchor}\"{weight}>{}</text>",
            Length(x),
            Length(y),
            Length(font.size),
            font.colour,
            escaped(text)
        );
    }

    /// Returns the picture, on white, with a title and a description for those who do not see it.
    pub fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\" role=\"img\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n",
            w = width.ceil(),
            h = height.ceil(),
            title = escaped(title),
            description = escaped(description),
            body = self.body
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_the_picture() {
        let mut canvas = Canvas::default();
        let font = Font::new(10.0, "black", Anchor::Start, false);
        canvas.text((1.0, 2.0), font, "<a & \"b\">");
        let picture = canvas.finish(10.0, 10.0, "a < b", "\"c\"");
        assert!(picture.contains("<title>a &lt; b</title>"), "{picture}");
        assert!(picture.contains("<desc>&quot;c&quot;</desc>"), "{picture}");
        assert!(
            picture.contains("&lt;a &amp; &quot;b&quot;&gt;</text>"),
            "{picture}"
        );
    }
}
