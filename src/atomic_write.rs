//! Replaces whole files atomically.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::Builder;

/// Writes a file as a whole: after a failure the existing file is unchanged.
///
/// The bytes go to a temporary file in the same directory, which is flushed to the disk and
/// renamed. A symbolic link stays and its target is replaced. Devices and pipes cannot be replaced
/// and are written to directly.
///
/// # Errors
/// Fails when the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Writes a file as [`replace`] does, with what `write` writes to it. `write` should use large
/// blocks because nothing is buffered.
///
/// # Errors
/// Fails when the file cannot be written or `write` fails.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let (target, permissions) = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            (fs::canonicalize(path)?, Some(metadata.permissions()))
        }
        // A device or a pipe.
        Ok(_) => return write(&mut File::create(path)?),
        // A link to a file that does not exist yet.
        Err(_) if is_link => return write(&mut File::create(path)?),
        Err(_) => (path.to_owned(), None),
    };
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    let permissions = permissions.or_else(new_file_permissions);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    let mut file = builder.prefix(".quevedo-").tempfile_in(directory)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// Returns the mode that an ordinary new file is requested with. Temporary files are private
/// otherwise.
#[cfg(unix)]
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    // The umask applies to it.
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read as _;
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn links_and_pipes_stay_what_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
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
        assert!(replace(directory, b"").is_err());
        assert!(replace(&directory.join("nowhere/file"), b"").is_err());
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["dangling", "file", "link", "pipe", "to come"]);
    }

    #[test]
    fn permissions_are_those_of_an_ordinary_file() {
        let directory = tempfile::tempdir().unwrap();
        let [written, ordinary] = ["written", "ordinary"].map(|name| directory.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        replace(&written, b"").unwrap();
        fs::write(&ordinary, b"").unwrap();
        assert_eq!(mode(&written), mode(&ordinary));
        fs::set_permissions(&written, Permissions::from_mode(0o640)).unwrap();
        replace(&written, b"again").unwrap();
        assert_eq!(mode(&written) & 0o777, 0o640);
    }
}
