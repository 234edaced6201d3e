//! Lines of input as bytes.
//!
//! GUIs pass paths on as they got them: in the system's code page on Windows, in any encoding on
//! Unix. A line that is not UTF-8 must still reach the file that it names.

use std::borrow::Cow;

use super::command::{Command, CommandError};

/// Returns a line as text: UTF-8 or, on Windows, in the system's code page. Bytes that are neither
/// become replacement characters.
pub fn decode(line: &[u8]) -> Cow<'_, str> {
    match ansi::decode(line) {
        Some(text) if str::from_utf8(line).is_err() => Cow::Owned(text),
        _ => String::from_utf8_lossy(line),
    }
}

/// Parses a line. The value of an option keeps the bytes of the line on Unix.
///
/// # Errors
/// Fails when the line is not a command.
pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
    let command = decode(line).parse()?;
    Ok(match str::from_utf8(line) {
        Ok(_) => command,
        Err(_) => with_bytes(command, line),
    })
}

/// Replaces the value of an option by the bytes in the line.
#[cfg(unix)]
fn with_bytes(command: Command, line: &[u8]) -> Command {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    match command {
        Command::SetOption { name, value } => Command::SetOption {
            name,
            value: value.map(|_| OsStr::from_bytes(value_in(line)).to_owned()),
        },
        command => command,
    }
}

/// Other systems decode the bytes.
#[cfg(not(unix))]
fn with_bytes(command: Command, _: &[u8]) -> Command {
    command
}

/// Returns the bytes behind the first word `value`.
#[cfg(unix)]
fn value_in(mut line: &[u8]) -> &[u8] {
    loop {
        let word = line.trim_ascii_start();
        let end = word.iter().position(u8::is_ascii_whitespace);
        let Some((word, rest)) = end.and_then(|end| word.split_at_checked(end)) else {
            return b"";
        };
        if word.eq_ignore_ascii_case(b"value") {
            return rest.trim_ascii();
        }
        line = rest;
    }
}

#[cfg(windows)]
mod ansi {
    use local_encoding_ng::{Encoder as _, Encoding};

    /// Returns text in the system's code page.
    pub fn decode(bytes: &[u8]) -> Option<String> {
        Encoding::ANSI.to_string(bytes).ok()
    }
}

#[cfg(not(windows))]
mod ansi {
    /// Other systems have no code page.
    pub fn decode(_: &[u8]) -> Option<String> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_bytes() {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt as _;
        for (line, value) in [
            (
                &b"setoption name BookFile value /\xc9checs/a  b.bin \r\n"[..],
                &b"/\xc9checs/a  b.bin"[..],
            ),
            (b"setoption name BookFile VALUE value \xff", b"value \xff"),
            (
                "setoption name BookFile value /Échecs".as_bytes(),
                "/Échecs".as_bytes(),
            ),
        ] {
            let expected = Command::SetOption {
                name: "BookFile".to_owned(),
                value: Some(OsString::from_vec(value.to_vec())),
            };
            assert_eq!(parse(line), Ok(expected));
        }
        assert!(parse(b"\xffuci").is_err());
        assert!(parse(b"setoption name \xff").is_ok());
    }
}
