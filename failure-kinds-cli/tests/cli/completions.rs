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
fn another_shell_is_a_usage_error() {
    failure_kinds().args(["completions", "tcsh"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: invalid value 'tcsh' for '<SHELL>'; [possible values: bash, elvish, fish, powershell, zsh]; tip: a similar value exists: 'zsh'; see `--help`

"#]]);
}
