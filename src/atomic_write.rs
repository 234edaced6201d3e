//! Replaces or creates whole files atomically.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

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
    let directory = directory(&target);
    let mut file = temporary_in(directory, permissions.clone())?;
    write(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        // The umask may have taken some of them away.
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// A file that does not exist until it is complete.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    temporary: NamedTempFile,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// Fails when the file exists, or its directory cannot be written to.
    pub fn in_directory_of(path: &Path) -> io::Result<NewFile> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "the file exists",
            ));
        }
        let temporary = temporary_in(directory(path), None)?;
        let path = path.to_owned();
        Ok(NewFile { path, temporary })
    }

    /// Returns the path of the file until it is complete. Dropping the value removes that file, but
    /// nothing is dropped when the process exits.
    pub fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Returns a handle to write with.
    ///
    /// # Errors
    /// Fails when the system has no more handles.
    pub fn writer(&self) -> io::Result<File> {
        self.temporary.as_file().try_clone()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// Fails when the file exists by now, or cannot be written to the disk.
    pub fn publish(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        self.temporary.persist_noclobber(&self.path)?;
        Ok(())
    }
}

/// Returns the directory that a file is in.
pub fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn temporary_in(directory: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    if let Some(permissions) = permissions.or_else(new_file_permissions) {
        builder.permissions(permissions);
    }
    builder
        .prefix(".quevedo-")
        .tempfile_in(directory)
        // The error names the temporary file. That of a directory that is missing says more.
        .map_err(|error| {
            let missing = fs::metadata(directory).err();
            missing.unwrap_or_else(|| error.kind().into())
        })
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
    fn a_new_file_appears_when_it_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new");
        let write = || {
            let new = NewFile::in_directory_of(&path)?;
            new.writer()?.write_all(b"whole")?;
            assert!(!path.exists());
            Ok::<_, io::Error>(new)
        };
        drop(write().unwrap());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        let late = write().unwrap();
        write().unwrap().publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(
            late.publish().unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        assert_eq!(write().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn permissions_are_those_of_an_ordinary_file() {
        let directory = tempfile::tempdir().unwrap();
        let [written, ordinary] = ["written", "ordinary"].map(|name| directory.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        replace(&written, b"").unwrap();
        fs::write(&ordinary, b"").unwrap();
        assert_eq!(mode(&written), mode(&ordinary));
        // The usual umask would take the group's right to write away.
        for kept in [0o640, 0o664] {
            fs::set_permissions(&written, Permissions::from_mode(kept)).unwrap();
            replace(&written, b"again").unwrap();
            assert_eq!(mode(&written) & 0o777, kept);
        }
    }
}
