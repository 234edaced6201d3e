//! Compares the imports between modules with the rows of modules in the documentation of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the row of each module in the documentation of `lib.rs`, from 0 for the lowest.
fn rows(lib: &str) -> BTreeMap<&str, usize> {
    let diagram = lib.split("//! ```").nth(1).expect("a diagram");
    let rows = diagram.lines().filter_map(|line| line.strip_prefix("//! "));
    rows.enumerate()
        .flat_map(|(row, line)| line.split(", ").map(move |module| (module, row)))
        .collect()
}

/// Returns all Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// Returns the modules of the crate that a source file names, without its comments and tests.
fn imports(text: &str) -> Vec<&str> {
    // The tests of a file are at its end; those in a file of their own are only declared.
    let tests = text.match_indices("#[cfg(test)]\nmod ");
    let end = tests.map(|(start, marker)| (start, &text[start + marker.len()..]));
    let end = end.filter(|(_, rest)| rest.lines().next().is_some_and(|line| line.ends_with('{')));
    let code = &text[..end.map(|(start, _)| start).next().unwrap_or(text.len())];
    let code = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    code.flat_map(|line| line.split("crate::").skip(1))
        .filter_map(|path| {
            path.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
        })
        .collect()
}

#[test]
fn modules_import_only_the_rows_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(root.join("lib.rs")).expect("lib.rs");
    let rows = rows(&lib);
    let mut checked = 0;
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).expect("a path below src");
        let name = inside.to_string_lossy().replace('\\', "/");
        let module = name.split('/').next().unwrap_or_default();
        let module = module.trim_end_matches(".rs");
        if matches!(module, "lib" | "main") || name.contains("tests") {
            continue;
        }
        let own = rows.get(module);
        let own = own.unwrap_or_else(|| panic!("{module} is missing in lib.rs"));
        let text = fs::read_to_string(&path).expect("a readable file");
        for import in imports(&text) {
            if let Some(row) = rows.get(import).filter(|_| import != module) {
                assert!(row < own, "{name} imports {import}");
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "only {checked} imports were found");
}

#[test]
fn forbidden_imports_are_found() {
    let rows = rows("//! text\n//! ```text\n//! engine, train\n//! tools, uci\n//! ```\n");
    assert_eq!((rows["engine"], rows["uci"]), (0, 1));
    let text = "#[cfg(test)]\nmod samples;\nuse crate::uci::output;\n// crate::lab\nfn f() { crate::tt::g() }\n\
                #[cfg(test)]\nmod tests {\n    use crate::tools::x;\n}\n";
    assert_eq!(imports(text), ["uci", "tt"]);
}
