use std::process::Command;

use snapbox::str;

use crate::failure_kinds;

#[test]
fn the_usual_shells_have_a_script() {
    for (shell, start) in [
        ("bash", "_failure__kinds() {"),
        ("zsh", "#compdef failure-kinds"),
        ("fish", "# Print an optspec"),
        ("powershell", "\nusing namespace"),
        ("elvish", "\nuse builtin;"),
    ] {
        let output = failure_kinds().args(["completions", shell]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.starts_with(start), "{shell}: {}", &script[..60]);
        for word in ["triage", "explain", "completions", "--format"] {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn bash_completes_after_a_subcommand() {
    let script = failure_kinds().args(["completions", "bash"]).output().unwrap().stdout;
    let script = String::from_utf8(script).unwrap();
    for (words, completed) in [
        ("failure-kinds tri", "triage"),
        ("failure-kinds triage --lat", "--latest"),
        ("failure-kinds triage --format open", "openmetrics"),
        ("failure-kinds lint --fail-on war", "warning"),
        ("failure-kinds config def", "default"),
        ("failure-kinds config default --format y", "yaml"),
    ] {
        // What bash does at a tab.
        let press_tab = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _failure__kinds failure-kinds \"${{COMP_WORDS[COMP_CWORD]}}\" \
             \"${{COMP_WORDS[COMP_CWORD - 1]}}\"\necho \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").arg("-c").arg(press_tab).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{completed}\n"), "{words}");
    }
}

#[test]
fn another_shell_is_a_usage_error() {
    failure_kinds().args(["completions", "tcsh"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'tcsh' for '<SHELL>'; [possible values: bash, elvish, fish, powershell, zsh]; tip: a similar value exists: 'zsh'; see `--help`

"#]]);
}
