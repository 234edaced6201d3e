//! How the tools write whole files.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::fs;
use std::io;
use std::path::Path;

/// Writes a whole file, or leaves the one that is there: it is written under another name first. A link stays, and the
/// file behind it is the one that is replaced; devices and pipes are written to as they are.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let target = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && is_link => fs::canonicalize(path)?,
        // What is no file cannot be replaced by one without being lost.
        Ok(metadata) if !metadata.is_file() => return fs::write(path, bytes),
        // A link to a file that is still to be written.
        Err(_) if is_link => return fs::write(path, bytes),
        _ => path.to_owned(),
    };
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = target.with_file_name(name);
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, &target));
    if written.is_err() {
        // What is the matter has been said already.
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn links_and_pipes_stay_what_they_are() {
        let name = format!("quevedo-files-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        let [file, link, dangling, to_come, pipe] =
            ["file", "link", "dangling", "to come", "pipe"].map(|name| directory.join(name));
        replace(&file, b"old").unwrap();
        symlink("file", &link).unwrap();
        symlink("to come", &dangling).unwrap();
        for (link, file) in [(&link, &file), (&dangling, &to_come)] {
            replace(link, b"new").unwrap();
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            assert_eq!(fs::read(file).unwrap(), b"new");
        }
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                let mut pipe = fs::File::open(pipe).unwrap();
                pipe.read_to_string(&mut text).unwrap();
                text
            }
        });
        replace(&pipe, b"told").unwrap();
        assert_eq!(reader.join().unwrap(), "told");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert!(replace(&directory, b"").is_err());
        assert!(replace(&directory.join("nowhere/file"), b"").is_err());
        let mut names: Vec<_> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["dangling", "file", "link", "pipe", "to come"]);
        let _ = fs::remove_dir_all(&directory);
    }
}
