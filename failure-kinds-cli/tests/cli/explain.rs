use snapbox::{IntoData, str};

use crate::failure_kinds;

/// What is printed about a name, and with which exit code.
fn explains(name: &str, code: i32, expected: impl IntoData) {
    let assert = failure_kinds().args(["explain", name]).assert();
    // Raw: a backslash is a backslash, and no part of a path.
    assert.code(code).stderr_eq("").stdout_eq(expected.into_data().raw());
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
  default side    none: the name alone settles nothing
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
  The other process went away while a request was under way.
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
  default side    none: the name alone settles nothing

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
  default side    none: the name alone settles nothing
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
  default side    none: the name alone settles nothing

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
  default side    none: the name alone settles nothing

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
  There is an answer and nothing in it.
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

  side            none: the name alone settles nothing
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

#[cfg(feature = "lint")]
#[test]
fn a_misspelt_finding_has_a_suggestion() {
    for name in ["legacy-knd", "legacy_kind", "LegacyKind"] {
        explains(
            name,
            1,
            format!(
                "  `{name}` is neither a failure kind nor a finding of `lint`\n  \
                 a similar finding is `legacy-kind`\n"
            ),
        );
    }
    // A kind comes before a finding.
    explains(
        "judge-failed",
        1,
        str![[r#"
  a failure kind is written in lower-case words joined by `_`, not as `judge-failed`
  the registered name is `judge_failed`

"#]],
    );
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
