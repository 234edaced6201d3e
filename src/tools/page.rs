//! What the HTML pages of the tools have in common: one file each, with everything in it, that works without a network.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::borrow::Cow;

/// The text with the characters that mean something to HTML and XML written as entities. Control characters, which XML
/// does not allow, become spaces.
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || is_forbidden(c);
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if is_forbidden(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Whether XML 1.0 has no place for the character.
fn is_forbidden(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// JSON that may stand inside of a `script` element: nothing in it can end the element.
pub fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The style that all pages begin with: system fonts, light or dark as the reader's system is, tables.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d1d1f;--paper:#fdfdfb;--faint:#6d6d70;--line:#d9d6cf;--raised:#f3f1ec;\
--good:#1a7f37;--bad:#c0362c;--link:#1f5fa8}\
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e3;--paper:#1b1b1d;--faint:#a09d98;--line:#3b3b3f;--raised:#27272a;\
--good:#58b86f;--bad:#f0766b;--link:#80b3ee}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:76rem;padding:1.5rem;background:var(--paper);color:var(--ink);\
font:15px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif}\
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}\
table{border-collapse:collapse}th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;\
vertical-align:top}th{background:var(--raised)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
.good{color:var(--good)}.bad{color:var(--bad)}.faint{color:var(--faint)}\
button{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:.3rem;\
padding:.2rem .7rem;cursor:pointer}svg.board{display:block;width:100%;height:auto}";

/// A page: what stands in its head, and its body.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The title, as plain text.
    pub title: &'a str,
    /// CSS of this page's own.
    pub style: &'a str,
    /// The body, as HTML.
    pub body: &'a str,
    /// JavaScript that runs when the body is there; empty for none.
    pub script: &'a str,
}

impl Page<'_> {
    /// The page as HTML. It forbids itself to load anything.
    pub fn to_html(&self) -> String {
        let Page {
            style,
            body,
            script,
            ..
        } = self;
        let title = escape(self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; img-src data:\">\n\
             <meta name=\"generator\" content=\"Quevedo {version}\">\n<title>{title}</title>\n\
             <style>\n{STYLE}\n{style}\n</style>\n</head>\n<body>\n{body}\n<script>\n{script}\n</script>\n</body>\n</html>\n",
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(
            escape("<b> & \"c\" 'd'\0\u{1b}é"),
            "&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;  é"
        );
        assert!(matches!(escape("plain\ttext\n"), Cow::Borrowed(_)));
        assert_eq!(json_in_script("[\"</script>\"]"), "[\"\\u003c/script>\"]");
    }

    #[test]
    fn a_page_has_all_its_parts() {
        let page = Page {
            title: "a < b",
            style: ".x{}",
            body: "<p>text</p>",
            script: "let y;",
        };
        let html = page.to_html();
        for part in ["<title>a &lt; b</title>", ".x{}", "<p>text</p>", "let y;"] {
            assert!(html.contains(part), "{part}");
        }
    }
}
