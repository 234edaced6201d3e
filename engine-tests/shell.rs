//! Completion scripts and manual pages.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use crate::harness::command;

fn completions(shell: &str) -> String {
    let output = command()
        .args(["completions", shell])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_shell_gets_the_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = completions(shell);
        for word in ["datagen", "eval-file", "movetime"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
}

/// Bash completes the options of `quevedo epd --`.
#[cfg(unix)]
#[test]
fn bash_completes_options() {
    let test = "eval \"$(\"$0\" completions bash)\"
        COMP_WORDS=(quevedo epd --) COMP_CWORD=2
        _quevedo quevedo -- epd
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let Ok(output) = Command::new("bash")
        .args(["-c", test, env!("CARGO_BIN_EXE_quevedo")])
        .output()
    else {
        println!("left out: there is no bash");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let help = command()
        .args(["epd", "--help"])
        .output()
        .expect("the program runs");
    let help = String::from_utf8_lossy(&help.stdout);
    assert!(help.contains("--movetime"), "{help}");
    assert!(text.lines().any(|line| line == "--movetime"), "{output:?}");
}

#[test]
fn each_command_has_a_manual_page() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    let _ = fs::remove_dir_all(&directory);
    let status = command()
        .arg("man")
        .arg(&directory)
        .status()
        .expect("the program runs");
    assert!(status.success());
    for page in ["quevedo.1", "quevedo-epd.1", "quevedo-book-build.1"] {
        let text = fs::read_to_string(directory.join(page)).expect(page);
        assert!(text.contains(".TH quevedo"), "{page}");
        assert!(!text.contains("kernel)"), "{page}");
    }
    // Commands for developers have none.
    assert!(!directory.join("quevedo-options.1").exists());
}
