//! `quevedo completions` and `quevedo man`: files for the shell, made from the definition of the
//! arguments.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;

use super::ToolError;
use super::kit::IoContext as _;
use super::kit::args::file_path;

/// Print a completion script for a shell
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct CompletionsArgs {
    /// Shell that runs the script
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Write the manual pages
#[derive(Clone, Debug, clap::Args)]
pub struct ManArgs {
    /// Directory to write to; it is created if it does not exist
    #[arg(value_parser = file_path())]
    pub directory: PathBuf,
}

/// Writes the completion script of a command.
///
/// # Errors
/// Fails when the output cannot be written.
pub fn completions(
    args: CompletionsArgs,
    mut command: Command,
    out: &mut dyn Write,
) -> Result<(), ToolError> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script).of_output()
}

/// Writes a manual page for the command and for each of its subcommands.
///
/// # Errors
/// Fails when a file cannot be written.
pub fn man(args: &ManArgs, command: Command) -> Result<(), ToolError> {
    // The long version names the processor's kernel, which does not belong in a manual.
    let version = env!("CARGO_PKG_VERSION");
    let command = command.version(version).long_version(version);
    let write = |directory: &Path| {
        fs::create_dir_all(directory)?;
        clap_mangen::generate_to(command, directory)
    };
    write(&args.directory).of_file(&args.directory)
}
