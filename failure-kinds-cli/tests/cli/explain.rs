use failure_kinds_core::{Class, KINDS};
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::{Assert, IntoData, str};

use crate::failure_kinds;

/// What is printed about a name, and with which exit code.
fn explains(name: &str, code: i32, expected: impl IntoData) {
    // A backslash is a backslash, and no part of a path.
    let as_it_is = Assert::new().action_env(DEFAULT_ACTION_ENV).normalize_paths(false);
    let explain = failure_kinds().args(["explain", name]).with_assert(as_it_is);
    explain.assert().code(code).stderr_eq("").stdout_eq(expected);
}

#[test]
fn a_kind() {
    explains(
        "provider_oom_killed",
        0,
        str![[r#"
provider_oom_killed
  The provider observed an out-of-memory kill.
  An exit status or a message alone is not such an observation.

  domain          provider
  default side    none: the name alone does not decide
                  model, where the stage `agent` is admitted
  subcategory     server, where it is on the evaluation's side
  sets            failure_kinds, provider_kinds
  legacy labels   oom_killed, renamed
                  infrastructure_error, perhaps
                  sandbox, perhaps
  in Rust         failure_kind!("provider_oom_killed"), kinds::PROVIDER_OOM_KILLED

"#]],
    );
    explains(
        "transport_peer_drop",
        0,
        str![[r#"
transport_peer_drop
  The other process went away during a request.
  The connection was open and then broke: a reset, an early end of the reply.

  domain          transport
  default side    evaluation
  subcategory     server, where it is on the evaluation's side
  sets            failure_kinds
  legacy labels   peer_drop, renamed
                  transient, perhaps
                  infrastructure_error, perhaps
                  verify_request_failed, perhaps
  in Rust         failure_kind!("transport_peer_drop"), kinds::TRANSPORT_PEER_DROP

"#]],
    );
    explains(
        "cohort_incomplete",
        0,
        str![[r#"
cohort_incomplete
  A group never got all its members.

  domain          cohort
  default side    evaluation
  sets            failure_kinds
  legacy labels   cohort_timeout, perhaps
                  no_comparisons, perhaps
  in Rust         failure_kind!("cohort_incomplete"), kinds::COHORT_INCOMPLETE

"#]],
    );
    explains(
        "judge_unparseable",
        0,
        str![[r#"
judge_unparseable
  The judge answered with a verdict that cannot be scored.
  The saved answer is judged again; it is not generated again.

  domain          judge
  default side    evaluation
  sets            failure_kinds, rejudge_kinds
  legacy labels   judge_invalid, renamed
  in Rust         failure_kind!("judge_unparseable"), kinds::JUDGE_UNPARSEABLE

"#]],
    );
}

#[test]
fn an_extension() {
    explains(
        "browser_env:tab_crashed",
        0,
        str![[r#"
browser_env:tab_crashed
  An extension: a kind of one server only.

  server          browser_env
  kind            tab_crashed
  default side    none: the name alone does not decide

"#]],
    );
    explains(
        "gdpval:eval_missing",
        0,
        str![[r#"
gdpval:eval_missing
  An extension: a kind of one server only.

  server          gdpval
  kind            eval_missing
  default side    none: the name alone does not decide
  legacy labels   eval_missing, renamed

"#]],
    );
    explains(
        "my_server:judge_failed",
        0,
        str![[r#"
my_server:judge_failed
  An extension: a kind of one server only.
  It is a second label for a registered kind: write `judge_failed`.

  server          my_server
  kind            judge_failed
  default side    none: the name alone does not decide

"#]],
    );
    explains(
        "judge:failed",
        0,
        str![[r#"
judge:failed
  An extension: a kind of one server only.
  It is a second label for a registered kind: write `judge_failed`.

  server          judge
  kind            failed
  default side    none: the name alone does not decide

"#]],
    );
}

#[test]
fn a_legacy_label() {
    explains(
        "resource",
        0,
        str![[r#"
resource
  A legacy label: saved rows and old producers hold it, and it is not registered.

  renamed to      transport_local_resource
                  The calling side ran out of descriptors, ports or socket memory.

"#]],
    );
    explains(
        "judge_invalid",
        0,
        str![[r#"
judge_invalid
  A legacy label: saved rows and old producers hold it, and it is not registered.

  renamed to      judge_unparseable
                  The judge answered with a verdict that cannot be scored.
  sets            rejudge_kinds

"#]],
    );
    explains(
        "transient",
        0,
        str![[r#"
transient
  A legacy label: saved rows and old producers hold it, and it is not registered.

  look at         transport_*, or by HTTP status

"#]],
    );
}

#[test]
fn a_gate_derived_class() {
    explains(
        "answer_empty",
        0,
        str![[r#"
answer_empty
  The answer is there, but it is empty.
  An acceptance gate derives it from saved rows; a producer never emits it.

  side            model
  sets            gate_derived_kinds

"#]],
    );
    explains(
        "final_request_failed",
        0,
        str![[r#"
final_request_failed
  The last model request of the episode failed.
  An acceptance gate derives it from saved rows; a producer never emits it.

  side            none: the name alone does not decide
  sets            gate_derived_kinds

"#]],
    );
}

#[test]
fn an_unknown_name_exits_with_1() {
    explains(
        "judge_faild",
        1,
        str![[r#"
  `judge_faild` is not a registered failure kind
  a similar name is registered: `judge_failed`
  a kind of one server only is written `<server>:<kind>`

"#]],
    );
    explains(
        "policy_failed",
        1,
        str![[r#"
  `policy_failed` is not a registered failure kind
  a kind of one server only is written `<server>:policy_failed`
  `failure-kinds list` and the constants of `failure_kinds::kinds` show all registered kinds

"#]],
    );
    explains(
        "judge_failed\n",
        1,
        str![[r#"
  `judge_failed\n` ends with white space
  the registered name is `judge_failed`

"#]],
    );
    explains(
        "\u{1b}[31mred",
        1,
        str![[r#"
  character 1 of `\u{1b}[31mred` is U+001B, which no failure kind has
  write a registered name, or `<server>:<kind>` where both parts are lower-case words joined by
    `_`

"#]],
    );
    explains(
        "",
        1,
        str![[r#"
  a failure kind cannot be empty
  write a registered name, or `<server>:<kind>` where both parts are lower-case words joined by
    `_`

"#]],
    );
}

#[test]
fn a_misspelt_name_has_a_suggestion() {
    for (name, similar) in [
        ("modle", "class is `model`"),
        ("Verification", "stage is `verification`"),
        ("verifcation", "stage is `verification`"),
        ("http_rate_limit", "HTTP label is `http_rate_limited`"),
        ("HTTP-Gateway", "HTTP label is `http_gateway`"),
        ("stage_kinds", "rule is `stage_kind`"),
        ("answer_emtpy", "gate-derived class is `answer_empty`"),
        ("sandbx", "legacy label is `sandbox`"),
        #[cfg(feature = "lint")]
        ("legacy-knd", "finding is `legacy-kind`"),
        #[cfg(feature = "lint")]
        ("legacy_kind", "finding is `legacy-kind`"),
        #[cfg(feature = "lint")]
        ("LegacyKind", "finding is `legacy-kind`"),
    ] {
        let expected = format!("  `{name}` is not a known name\n  a similar {similar}\n");
        explains(name, 1, expected);
    }
    // A kind comes first.
    explains(
        "judge-failed",
        1,
        str![[r#"
  a failure kind is written in lower-case words joined by `_`, not as `judge-failed`
  the registered name is `judge_failed`

"#]],
    );
}

#[test]
fn a_class() {
    explains(
        "model",
        0,
        str![[r#"
model
  The model or its policy.
  A class: the side that a report puts a failure on.

  default of      kinds: agent_command_not_allowed[..]
...
                  gate-derived classes: answer_cut_off, answer_incomplete, answer_empty,
                  context_window_exceeded

"#]],
    );
    explains(
        "evaluation",
        0,
        str![[r#"
evaluation
  The machinery that runs and grades the episode.
  A class: the side that a report puts a failure on.

  default of      kinds: transport_unreachable, transport_peer_drop, transport_timeout,
...
                  gate-derived classes: judge_reply_cut_off, grading_sandbox_failed,
                  grading_unrecorded
                  stages: admission, [..], verification, cleanup
                  HTTP labels: http_auth, http_timeout, [..], http_gateway

"#]],
    );
    explains(
        "unknown",
        0,
        str![[r#"
unknown
  The evidence does not decide.
  A class: the side that a report puts a failure on.

  default of      failures that no other rule decides

"#]],
    );
}

#[test]
fn a_class_lists_the_kinds_that_it_is_the_default_of() {
    for class in Class::ALL {
        let output = failure_kinds().args(["explain", class.as_str()]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for kind in &KINDS {
            let is_listed = text.split([' ', ',', '\n']).any(|word| word == kind.name);
            assert_eq!(is_listed, kind.default == Some(class), "{} {}", class.as_str(), kind.name);
        }
    }
}

#[test]
fn a_stage() {
    explains(
        "agent",
        0,
        str![[r#"
agent
  The episode itself: the agent acts.
  A stage of an episode. Its classes apply where the stage was admitted.

  default side    none: later rules decide
  kinds           agent_timeout: model
...
                  provider_oom_killed: model

"#]],
    );
    explains(
        "verification",
        0,
        str![[r#"
verification
  A verifier or a judge scores the outcome.
  A stage of an episode. Its classes apply where the stage was admitted.

  default side    evaluation

"#]],
    );
}

#[test]
fn an_http_label() {
    explains(
        "http_timeout",
        0,
        str![[r#"
http_timeout
  Something did not answer in time.
  A label of HTTP statuses.

  statuses        408, 504
  default side    evaluation

"#]],
    );
    explains(
        "http_client_error",
        0,
        str![[r#"
http_client_error
  The server rejected the request.
  After a chain of servers that does not say whose fault it was.
  A label of HTTP statuses.

  statuses        other 400 to 499
  default side    none: later rules decide

"#]],
    );
}

#[test]
fn a_rule() {
    explains(
        "http_status_override",
        0,
        str![[r#"
http_status_override
  The configuration has a class for the HTTP status, or for its pattern.
  A rule of the classification. The first rule that gives a class decides.

  order           1 of 5

"#]],
    );
    explains(
        "stage_default",
        0,
        str![[r#"
stage_default
  The stage where it failed has a class, and the kind has no other one there.
  A rule of the classification. The first rule that gives a class decides.

  order           2 of 5

"#]],
    );
    explains(
        "fallback",
        0,
        str![[r#"
fallback
  No other rule gives a class.
  A rule of the classification. The first rule that gives a class decides.

  order           5 of 5

"#]],
    );
}

#[test]
fn every_class_stage_label_and_rule_is_explained() {
    let names = ["model", "evaluation", "unknown"].into_iter();
    let names = names.chain(["admission", "seed", "agent", "verification", "cleanup"]);
    let names = names.chain(["http_auth", "http_timeout", "http_payload_too_large"]);
    let names = names.chain(["http_rate_limited", "http_gateway"]);
    let names = names.chain(["http_client_error", "http_server_error"]);
    let names = names.chain(["http_status_override", "stage_kind", "stage_default"]);
    let names = names.chain(["http_evidence", "call_evidence", "kind", "fallback"]);
    for name in names {
        let page = failure_kinds().args(["explain", name]).assert().code(0).stderr_eq("");
        let page = String::from_utf8(page.get_output().stdout.clone()).unwrap();
        assert!(page.starts_with(&format!("{name}\n  ")), "{page}");
    }
}

#[cfg(feature = "triage")]
#[test]
fn a_word_of_a_report() {
    explains("masked", 0, "masked\n  Of a row: left out of scores.\n");
    explains("degraded", 0, "degraded\n  Of a rollout: failed, but scored.\n");
    let similar = "  `maskd` is not a known name\n  a similar word of a report is `masked`\n";
    explains("maskd", 1, similar);
}

#[cfg(feature = "lint")]
#[test]
fn a_finding() {
    explains(
        "unregistered-kind",
        0,
        str![[r#"
unregistered-kind
  A finding of `failure-kinds lint`.
  A name in a kind position is neither registered nor an extension of a server.

  default level   error
  why             Rows are grouped by the name. One that only this place uses is a group of its own
                  in every report, and no side or default belongs to it. In data the finding also
                  covers a value that is not a string.
  how to fix it   Write the suggested name if it says what happened. If the failure is one of this
                  server alone, write an extension: `<server>:<kind>`. A suggestion by spelling is
                  never applied for you, because a wrong one files failures under a wrong name.
  in python       row["_ng_failure_class"] = "judge_faild"  # write judge_failed

"#]],
    );
}
