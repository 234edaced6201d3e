//! Text files that users give, read whole or as a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::files::is_standard;
use crate::pgn::reader::decode as decode_text;

/// A stream of text.
pub type Source = Box<dyn BufRead + Send>;

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// Fails when it cannot be read, or is compressed or UTF-16 text: each of its lines would be
/// reported as faulty.
pub fn open(path: &Path) -> io::Result<Source> {
    Ok(if is_standard(path) {
        Box::new(buffered(io::stdin())?)
    } else {
        Box::new(buffered(File::open(path)?)?)
    })
}

/// Buffers an input.
///
/// # Errors
/// Fails as [`open`] does.
pub fn buffered<R: Read>(input: R) -> io::Result<BufReader<R>> {
    let mut source = BufReader::with_capacity(1 << 18, input);
    refuse_unreadable(source.fill_buf()?)?;
    Ok(source)
}

/// Returns the bytes of a file, or of standard input for `-`.
///
/// # Errors
/// Fails as [`open`] does.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Decodes text in UTF-8, or in Latin-1 if it is not valid UTF-8. Removes the byte order mark and
/// NUL bytes, and converts line endings.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Some programs end lines with a single carriage return.
    decode_text(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "")
}

/// Returns the lines of a list of positions with their numbers, from 1. Empty lines and comments
/// are left out.
pub fn list_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !is_comment(line))
}

fn is_comment(line: &str) -> bool {
    line.starts_with(['#', '%', ';']) || line.starts_with("//")
}

/// Checks that a file does not begin as those of gzip, Zstandard, bzip2, xz and zip do, nor as
/// UTF-16 text, which Windows PowerShell writes.
fn refuse_unreadable(beginning: &[u8]) -> io::Result<()> {
    let signatures: [&[u8]; 5] = [
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b"BZh",
        b"\xfd7zXZ",
        b"PK\x03\x04",
    ];
    if signatures.iter().any(|bytes| beginning.starts_with(bytes)) {
        let reason = "a compressed file; decompress it first";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    if [b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .any(|mark| beginning.starts_with(*mark))
    {
        let reason = "UTF-16 text; save it as UTF-8";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_plain_text_are_refused() {
        for beginning in [
            &b"\x1f\x8b\x08"[..],
            b"PK\x03\x04",
            b"\xff\xfe1\0",
            b"\xfe\xff\x001",
        ] {
            assert!(buffered(beginning).is_err(), "{beginning:?}");
        }
        for beginning in [&b""[..], b"1. e4", b"\xef\xbb\xbf1. e4", b"\xff1. e4"] {
            assert!(buffered(beginning).is_ok(), "{beginning:?}");
        }
    }

    #[test]
    fn lists_have_comments_and_odd_bytes() {
        let text = decode(b"\xef\xbb\xbf# a\r\n\r% b\n; c\n// d\r one\0 \n\ntwo \xe9\n#");
        let lines: Vec<(usize, &str)> = list_lines(&text).collect();
        assert_eq!(lines, [(6, "one"), (8, "two \u{e9}")]);
    }
}
