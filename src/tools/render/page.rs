//! The frame that all HTML pages share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Forbids a page to load anything.
const SECURITY_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Returns JSON that is safe inside a `script` element: nothing in it ends the element.
pub fn json_in_script(json: &str) -> PreEscaped<String> {
    PreEscaped(json.replace('<', "\\u003c"))
}

/// An HTML page.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// The language of title and body, as a tag such as `en`.
    pub language: &'a str,
    /// The title, as plain text.
    pub title: &'a str,
    /// The CSS of this page, after the common one.
    pub style: &'a str,
    /// The body.
    pub body: Markup,
    /// JavaScript that runs after the body is loaded.
    pub script: &'a str,
}

impl Page<'_> {
    /// Returns the page as HTML. It loads nothing from elsewhere.
    pub fn into_html(self) -> String {
        html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width,initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content=(SECURITY_POLICY);
                    meta name="generator" content=(concat!("Quevedo ", env!("CARGO_PKG_VERSION")));
                    title { (self.title) }
                    style { (PreEscaped(include_str!("page.css"))) (PreEscaped(self.style)) }
                }
                body {
                    (self.body)
                    script { (PreEscaped(self.script)) }
                }
            }
        }
        .into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_all_its_parts() {
        let page = Page {
            language: "es",
            title: "a < b",
            style: ".x{}",
            body: html! { p { "<text>" } },
            script: "let y = 1 < 2;",
        };
        let html = page.into_html();
        for part in [
            "<html lang=\"es\">",
            "<title>a &lt; b</title>",
            ".x{}",
            "<p>&lt;text&gt;</p>",
            "let y = 1 < 2;",
        ] {
            assert!(html.contains(part), "{part}");
        }
    }

    #[test]
    fn json_does_not_end_its_script() {
        let json = json_in_script("[\"</script>\"]").0;
        assert_eq!(json, "[\"\\u003c/script>\"]");
    }
}
