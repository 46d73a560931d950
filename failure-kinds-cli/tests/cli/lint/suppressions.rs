//! Comments that suppress findings.

use super::findings_of;

#[test]
fn in_the_comments_of_each_language() {
    let none = [""; 0];
    assert_eq!(
        findings_of("a.py", "f(failure_kind=\"x\")  # failure-kinds: ignore[unregistered-kind]\n"),
        none
    );
    assert_eq!(
        findings_of(
            "a.py",
            "# failure-kinds: ignore[unregistered-kind] old rows\nf(failure_kind=\"x\")\n"
        ),
        none
    );
    assert_eq!(
        findings_of("a.yaml", "failure_kind: x # failure-kinds: ignore[unregistered-kind]\n"),
        none
    );
    assert_eq!(
        findings_of("a.toml", "# failure-kinds: ignore[unregistered-kind]\nfailure_kind = \"x\"\n"),
        none
    );
    assert_eq!(
        findings_of(
            "a.rs",
            "/* failure-kinds: ignore[raw-literal] */\nfn f() -> R { R { failure_kind: \"shutdown\" } }\n"
        ),
        ["a.rs:2:33 warning[raw-literal] shutdown"; 0]
    );
    assert_eq!(
        findings_of(
            "a.md",
            "<!-- failure-kinds: ignore[legacy-kind] -->\nReturns `failure_kind: transient`.\n"
        ),
        none
    );
    assert_eq!(
        findings_of(
            "a.md",
            "```py\nf(failure_kind=\"x\")  # failure-kinds: ignore[unregistered-kind]\n```\n"
        ),
        none
    );
}

#[test]
fn one_comment_may_name_several() {
    let text = "# failure-kinds: ignore[legacy-kind, unregistered-kind]\nf(failure_kind=\"x\" if y else \"transient\")\n";
    assert_eq!(findings_of("a.py", text), [""; 0]);
}

#[test]
fn a_comment_after_code_applies_to_its_own_line_first() {
    let text = "f(failure_kind=\"x\")  # failure-kinds: ignore[unregistered-kind]\nf(failure_kind=\"y\")\n";
    assert_eq!(findings_of("a.py", text), ["a.py:2:16 error[unregistered-kind] y"]);
}

#[test]
fn others_are_not_suppressed() {
    let text = "f(failure_kind=\"x\")  # failure-kinds: ignore[legacy-kind]\n";
    assert_eq!(
        findings_of("a.py", text),
        ["a.py:1:16 error[unregistered-kind] x", "a.py:1:22 warning[unused-suppression]"]
    );
    let text = "# failure-kinds: ignore[unregistered-kind]\n\nf(failure_kind=\"x\")\n";
    assert_eq!(
        findings_of("a.py", text),
        ["a.py:1:1 warning[unused-suppression]", "a.py:3:16 error[unregistered-kind] x"]
    );
}

#[test]
fn ids_are_checked() {
    let text = "f(failure_kind=\"x\")  # failure-kinds: ignore[unregistered]\n";
    assert_eq!(
        findings_of("a.py", text),
        ["a.py:1:16 error[unregistered-kind] x", "a.py:1:22 warning[unused-suppression]"]
    );
}

#[test]
fn one_of_a_finding_that_is_off_may_be_needed() {
    let text = "f(failure_kind=g())  # failure-kinds: ignore[dynamic-kind]\n";
    assert_eq!(findings_of("a.py", text), [""; 0]);
}
