//! Accessibility of all pages: axe-core finds nothing, at any width, in light and dark colours.
//!
//! `AXE_CORE` names the file `axe.min.js` of the npm package axe-core. Without it, only the widths
//! are tested.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{View, analysis, observe_in, suite};
use crate::harness::{command, temporary_directory};

/// Checks a page at widths from a small telephone to a desktop.
fn check(directory: &Path, page: &Path) {
    let axe = std::env::var_os("AXE_CORE").map(PathBuf::from);
    let axe = axe.map(|path| fs::read_to_string(path).expect("AXE_CORE names axe.min.js"));
    if axe.is_none() {
        eprintln!("without axe-core: AXE_CORE does not name axe.min.js");
    }
    for (width, is_dark) in [(320, false), (360, true), (1_400, false), (1_400, true)] {
        let view = View { width, is_dark };
        let seen = observe_in(
            directory,
            page,
            view,
            axe.as_deref().unwrap_or_default(),
            r"
            const seen = { width: innerWidth, isDark: matchMedia('(prefers-color-scheme:dark)').matches };
            seen.overflow = Math.max(0, document.documentElement.scrollWidth - innerWidth);
            seen.violations = [];
            if (window.axe) {
                const { violations } = await axe.run(document, { resultTypes: ['violations'] });
                seen.violations = violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(node =>
                    `${id}: ${node.target} ${node.html.slice(0, 120)} ${node.any.map(check => check.message)}`));
            }
            return seen;
            ",
        );
        let expected =
            json!({ "width": width, "isDark": is_dark, "overflow": 0, "violations": [] });
        assert_eq!(seen, expected, "{view:?}");
    }
}

#[test]
#[ignore = "needs a browser"]
fn the_analysis_page_is_accessible_with_browser() {
    let (directory, page) = analysis();
    check(directory.path(), &page);
}

#[test]
#[ignore = "needs a browser"]
fn the_epd_page_is_accessible_with_browser() {
    let (directory, page) = suite();
    check(directory.path(), &page);
}

#[test]
#[ignore = "needs a browser"]
fn the_lab_page_is_accessible_with_browser() {
    let directory = temporary_directory("browser-lab-access");
    for language in ["en", "es"] {
        let page = directory.path().join(format!("{language}.html"));
        let output = command()
            .args(["lab", "page", "--lang", language, "--out"])
            .arg(&page)
            .output()
            .expect("the program starts");
        assert!(output.status.success());
        check(directory.path(), &page);
    }
}
