//! The messages for a rejected name, at run time and in the macros.

use failure_kinds::FailureKind;
use failure_kinds_core::check_producer;

const FORM: &str = "\
help: write a registered name, or `<server>:<kind>` where both parts are lower-case words joined by `_`";
const SHAPE: &str = "a failure kind is written in lower-case words joined by `_`, not as";
const EXTENSION: &str = "note: a kind of one server only is written `<server>:<kind>`";

fn report(text: &str) -> String {
    check_producer(text).expect_err(text).report(text).to_string()
}

fn error(text: &str) -> String {
    FailureKind::try_from(text).expect_err(text).to_string()
}

/// Problem, help and note as the macros show them; the run-time error is the first two.
#[track_caller]
fn refused(text: &str, problem: &str, help: &str, note: &str) {
    let lines = [problem, help, note].into_iter().filter(|line| !line.is_empty());
    assert_eq!(report(text), lines.collect::<Vec<_>>().join("\n"));
    let help = help.strip_prefix("help: ").map(|help| format!("; {help}"));
    assert_eq!(error(text), format!("{problem}{}", help.unwrap_or_default()));
}

#[test]
fn a_near_miss_names_the_registered_kind() {
    refused(
        "judge_faild",
        "`judge_faild` is not a registered failure kind",
        "help: a similar name is registered: `judge_failed`",
        EXTENSION,
    );
    refused(
        "failed_judge",
        "`failed_judge` is not a registered failure kind",
        "help: the same words are registered as `judge_failed`",
        EXTENSION,
    );
    refused(
        "judge__failed",
        "`judge__failed` is not a registered failure kind",
        "help: the registered name is `judge_failed`",
        EXTENSION,
    );
}

#[test]
fn an_unknown_name_shows_the_extension_and_the_kinds_of_its_domain() {
    refused(
        "policy_failed",
        "`policy_failed` is not a registered failure kind",
        "help: a kind of one server only is written `<server>:policy_failed`",
        "note: `failure-kinds list` and the constants of `failure_kinds::kinds` show all registered kinds",
    );
    refused(
        "judge_broken",
        "`judge_broken` is not a registered failure kind",
        "help: a kind of one server only is written `<server>:judge_broken`",
        "note: registered kinds of the domain `judge`: `judge_failed`, `judge_unparseable`",
    );
    refused(
        "cohort",
        "`cohort` is not a registered failure kind",
        "help: a kind of one server only is written `<server>:cohort`",
        "note: registered kinds of the domain `cohort`: `cohort_incomplete`",
    );
}

#[test]
fn c203_another_shape_names_the_grammar_and_the_right_name() {
    let right = "help: the registered name is `judge_failed`";
    for text in ["JudgeFailed", "judge-failed", "JUDGE_FAILED", "Judge-Failed", "judge_Failed"] {
        refused(text, &format!("{SHAPE} `{text}`"), right, "");
    }
    let problem = |text| format!("{SHAPE} `{text}`");
    refused(
        "PolicyFailed",
        &problem("PolicyFailed"),
        "help: a kind of one server only is written `<server>:policy_failed`",
        "",
    );
    refused(
        "OOMKilled",
        &problem("OOMKilled"),
        "help: `oom_killed` is a legacy label that was renamed; write `provider_oom_killed`",
        "",
    );
    refused(
        "Timeout",
        &problem("Timeout"),
        "help: `timeout` is a legacy label without a single successor; write instead: `agent_timeout` or `transport_timeout`",
        "",
    );
    refused(
        "AnswerEmpty",
        &problem("AnswerEmpty"),
        "help: `answer_empty` is derived from saved rows by an acceptance gate; a producer never emits it",
        "",
    );
}

#[test]
fn white_space_is_placed() {
    let right = "help: the registered name is `judge_failed`";
    refused("judge_failed\n", "`judge_failed\\n` ends with white space", right, "");
    refused(" judge_failed", "` judge_failed` starts with white space", right, "");
    refused("\tjudge_failed ", "`\\tjudge_failed ` starts with white space", right, "");
    refused("judge failed", "character 6 of `judge failed` is white space", right, "");
    refused("judge_\u{b}failed", "character 7 of `judge_\\u{b}failed` is white space", right, "");
    refused(" \n", "` \\n` is only white space", FORM, "");
}

#[test]
fn a_strange_character_is_named_by_its_code_point() {
    let similar = "help: a similar name is registered: `judge_failed`";
    for (text, problem) in [
        ("judge_f\u{430}iled", "character 8 of `judge_f\\u{430}iled` is U+0430"),
        ("judge\u{200b}_failed", "character 6 of `judge\\u{200b}_failed` is U+200B"),
        ("judge_failed\0", "character 13 of `judge_failed\\u{0}` is U+0000"),
        ("judge.failed", "character 6 of `judge.failed` is `.`"),
        ("judge_failed`", "character 13 of `judge_failed\\u{60}` is `\\u{60}`"),
    ] {
        refused(text, &format!("{problem}, which no failure kind has"), similar, "");
    }
    refused(
        "\u{ff4a}udge_failed\u{a0}",
        "character 1 of `\\u{ff4a}udge_failed\\u{a0}` is U+FF4A, which no failure kind has",
        similar,
        "",
    );
    refused(
        "\u{1f525}",
        "character 1 of `\\u{1f525}` is U+1F525, which no failure kind has",
        FORM,
        "",
    );
}

#[test]
fn c204_the_part_that_breaks_a_rule_is_named() {
    refused("", "a failure kind cannot be empty", FORM, "");
    refused("my_server:", "the kind part of `my_server:` is empty", FORM, "");
    refused(":odd_case", "the server part of `:odd_case` is empty", FORM, "");
    refused(":", "the server part of `:` is empty", FORM, "");
    refused("a:b:c", "`a:b:c` has more than one colon", FORM, "");
    refused("a:1b", "the kind part of `a:1b` starts with a digit, not with a letter", FORM, "");
    refused(
        "_a:b",
        "the server part of `_a:b` starts with an underscore, not with a letter",
        "help: an extension is written `a:b`",
        "",
    );
    refused("1st", "`1st` starts with a digit, not with a letter", FORM, "");
    refused(
        "_judge_failed",
        "`_judge_failed` starts with an underscore, not with a letter",
        "help: the registered name is `judge_failed`",
        "",
    );
    refused("My:odd", &format!("{SHAPE} `My:odd`"), "help: an extension is written `my:odd`", "");
    refused(
        "my-server:odd",
        &format!("{SHAPE} `my-server:odd`"),
        "help: an extension is written `my_server:odd`",
        "",
    );
    refused(
        "my_server: odd",
        "character 11 of `my_server: odd` is white space",
        "help: an extension is written `my_server:odd`",
        "",
    );
    refused(
        "My-Server:JudgeFailed",
        &format!("{SHAPE} `My-Server:JudgeFailed`"),
        "help: the kind part is a registered name: `judge_failed`",
        "",
    );
    refused(
        "Judge:Failed",
        &format!("{SHAPE} `Judge:Failed`"),
        "help: both parts joined are a registered name: `judge_failed`",
        "",
    );
}

#[test]
fn a_legacy_label_names_its_successor_or_its_hint() {
    let renamed = |text| format!("`{text}` is a legacy label that was renamed");
    let split = |text| format!("`{text}` is a legacy label without a single successor");
    refused("timeout_exceeded", &renamed("timeout_exceeded"), "help: write `agent_timeout`", "");
    refused("eval_missing", &renamed("eval_missing"), "help: write `gdpval:eval_missing`", "");
    for (text, hint) in [
        ("timeout", "`agent_timeout` or `transport_timeout`"),
        ("tau2_agent_error", "`agent_run_error`, or an extension of the tau2 server"),
        ("infrastructure_error", "`provider_*`, `transport_*` or `verifier_error`"),
        ("permanent", "no kind: the row's terminal flag says it"),
        ("legitimate", "any exception that was no timeout: `agent_run_error` when the rollout ran"),
    ] {
        refused(text, &split(text), &format!("help: write instead: {hint}"), "");
    }
}

#[test]
fn a_gate_derived_class_is_never_emitted() {
    refused(
        "answer_empty",
        "`answer_empty` is derived from saved rows by an acceptance gate; a producer never emits it",
        "",
        "",
    );
}

#[test]
fn an_extension_that_duplicates_a_registered_name_is_rejected_for_producers() {
    for text in ["my_server:judge_failed", "judge:failed"] {
        assert_eq!(
            report(text),
            format!(
                "`{text}` is a second label for the registered kind `judge_failed`\n\
                 help: write `judge_failed`"
            )
        );
        assert!(FailureKind::try_from(text).is_ok());
    }
}

#[test]
fn an_error_has_its_suggestion() {
    let suggestion = |text: &str| FailureKind::try_from(text).unwrap_err().suggestion();
    assert_eq!(suggestion("judge_faild"), Some("judge_failed"));
    assert_eq!(suggestion("judge_invalid"), Some("judge_unparseable"));
    assert_eq!(suggestion("timeout"), None);
    assert_eq!(suggestion("answer_empty"), None);
}

#[test]
fn an_error_quotes_at_most_64_characters() {
    let long = "x".repeat(100_000);
    let message = error(&long);
    assert!(message.starts_with(&format!("`{}...` is not", "x".repeat(61))), "{message}");
    assert!(message.len() < 300);
    // An error keeps only the start of the text; what it says is still about the whole.
    let long = format!("{}judge_failed", "-".repeat(60));
    assert_eq!(FailureKind::try_from(&long[..]).unwrap_err().suggestion(), None);
    assert!(error(&long).ends_with(&FORM["help: ".len()..]), "{}", error(&long));
    assert_eq!(error(&long), check_producer(&long).unwrap_err().sentence(&long).to_string());
}
