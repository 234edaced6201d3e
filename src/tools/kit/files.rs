//! Checks of the files that a command reads and writes, before a long run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::ToolError;
use crate::atomic_write::directory;

/// Returns whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns whether a path stands for standard output, a pipe or a device. What is written there
/// cannot be read again, continued or replaced.
pub fn is_stream(path: &Path) -> bool {
    is_standard(path) || fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Checks that no two of the files are the same, that the outputs can be created, and that at most
/// one of them is standard output. Standard streams that are redirected are files, too. Otherwise
/// a long run would end without some of its outputs, or destroy its input.
///
/// # Errors
/// Fails for the first file with which that is not so.
pub fn check<'a>(inputs: &[&'a Path], outputs: &[&'a Path]) -> Result<(), ToolError> {
    if outputs.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(ToolError::StandardOutput);
    }
    check_redirected(inputs, outputs)?;
    let named = |files: &[&'a Path]| -> Vec<&'a Path> {
        let files = files.iter().copied();
        files.filter(|path| !is_standard(path)).collect()
    };
    let (inputs, outputs) = (named(inputs), named(outputs));
    for &output in &outputs {
        let error = match fs::metadata(output) {
            Ok(found) if found.is_dir() => io::ErrorKind::IsADirectory.into(),
            // A device or a pipe.
            Ok(found) if !found.is_file() => continue,
            // A file is replaced by a new one in its directory.
            _ => match tempfile::tempfile_in(directory(output)) {
                Ok(_) => continue,
                // The error of a directory that is missing says more.
                Err(error) => fs::metadata(directory(output))
                    .err()
                    .unwrap_or_else(|| error.kind().into()),
            },
        };
        return Err(ToolError::file(output, error));
    }
    let files = [&*inputs, &*outputs].concat();
    for (number, file) in files.iter().enumerate() {
        let mut before = files.iter().take(number);
        if before.any(|other| is_same_file(other, file)) {
            let path = (*file).to_owned();
            return Err(match number < inputs.len() {
                true => ToolError::GivenTwice(path),
                false => ToolError::SameFile(path),
            });
        }
    }
    Ok(())
}

/// Checks that standard input and output are not redirected from or to one of the files.
fn check_redirected(inputs: &[&Path], outputs: &[&Path]) -> Result<(), ToolError> {
    let redirected = |paths: &[&Path], standard: io::Result<Handle>| {
        let is_used = paths.iter().any(|path| is_standard(path));
        let is_file = |handle: &Handle| handle.as_file().metadata().is_ok_and(|it| it.is_file());
        standard.ok().filter(|handle| is_used && is_file(handle))
    };
    let input = redirected(inputs, Handle::stdin());
    let output = redirected(outputs, Handle::stdout());
    if input.is_some() && input == output {
        return Err(ToolError::SameFile(PathBuf::from("-")));
    }
    let files = [(inputs, output), (outputs, input)];
    for (paths, standard) in files {
        let mut named = paths.iter().filter(|path| !is_standard(path));
        let is_standard = |path: &&&Path| standard.is_some() && handle(path) == standard;
        if let Some(same) = named.find(is_standard) {
            return Err(ToolError::SameFile(same.to_path_buf()));
        }
    }
    Ok(())
}

/// Opens a file to read and write it, and creates it if necessary. No other process can open it in
/// this way until it is closed, but all can read it.
///
/// # Errors
/// Fails when the file cannot be used, or another process has opened it in this way.
pub fn open_locked(path: &Path) -> Result<File, ToolError> {
    // Not by appending: Windows does not let such a file be shortened.
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    open_alone(&options, path).map_err(|error| match error {
        TryLockError::WouldBlock => ToolError::InUse(path.to_owned()),
        TryLockError::Error(source) => ToolError::file(path, source),
    })
}

#[cfg(not(windows))]
fn open_alone(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    let file = options.open(path).map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

/// On Windows a lock would keep others from reading.
#[cfg(windows)]
fn open_alone(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let opened = options.clone().share_mode(FILE_SHARE_READ).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => TryLockError::WouldBlock,
        _ => TryLockError::Error(error),
    })
}

/// Returns whether two paths lead to the same file, which need not exist.
fn is_same_file(one: &Path, other: &Path) -> bool {
    if let (Some(one), Some(other)) = (handle(one), handle(other)) {
        return one == other;
    }
    match (resolved(one), resolved(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Returns a handle by which a regular file is known under all its names. To open a pipe would wait
/// for its other end.
fn handle(path: &Path) -> Option<Handle> {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    is_file.then(|| Handle::from_path(path).ok()).flatten()
}

/// Returns the absolute path of a file, which need not exist in its directory.
fn resolved(path: &Path) -> Option<PathBuf> {
    let in_directory = || {
        let directory = fs::canonicalize(directory(path)).ok()?;
        Some(directory.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_lost_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite.epd");
        fs::write(&suite, "").unwrap();
        let other = folder.path().join("./suite.epd");
        let [new, also_new] = ["new", "./new"].map(|name| folder.path().join(name));
        assert!(check(&[&suite], &[&new]).is_ok());
        for (inputs, outputs) in [
            (&[&*suite][..], &[&*other][..]),
            (&[], &[&*new, &*also_new]),
        ] {
            let error = check(inputs, outputs).unwrap_err();
            assert!(matches!(error, ToolError::SameFile(_)), "{error}");
        }
        let error = check(&[&suite, &other], &[&new]).unwrap_err();
        assert!(matches!(error, ToolError::GivenTwice(_)), "{error}");
        let linked = folder.path().join("linked");
        fs::hard_link(&suite, &linked).unwrap();
        let error = check(&[&suite], &[&linked]).unwrap_err();
        assert!(matches!(error, ToolError::SameFile(_)), "{error}");
        fs::remove_file(linked).unwrap();
        let standard = Path::new("-");
        assert!(check(&[standard], &[standard, &new]).is_ok());
        let error = check(&[], &[standard, standard]).unwrap_err();
        assert!(matches!(error, ToolError::StandardOutput), "{error}");
        for output in [folder.path(), &new.join("x"), &suite.join("x")] {
            assert!(matches!(check(&[], &[output]), Err(ToolError::Io { .. })));
        }
        let missing = folder.path().join("missing");
        let error = check(&[], &[&missing.join("x")]).unwrap_err().to_string();
        let reason = fs::metadata(&missing).unwrap_err().to_string();
        assert!(error.ends_with(&reason), "{error}");
        // The check leaves nothing behind.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn devices_and_pipes_may_be_outputs_of_their_own() {
        assert!(check(&[], &[Path::new("/dev/null")]).is_ok());
        // Nobody reads the pipe, so that to open it would not end.
        let folder = tempfile::tempdir().unwrap();
        let [pipe, file] = ["pipe", "file"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        fs::write(&file, "").unwrap();
        assert!(check(&[&file], &[&pipe]).is_ok());
        assert!(check(&[Path::new("-")], &[&pipe, &file]).is_ok());
        assert!(check(&[&pipe], &[&pipe]).is_err());
    }
}
