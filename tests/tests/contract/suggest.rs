//! No wrong suggestion: it would file a failure under a wrong name.

use std::collections::BTreeSet;

use failure_kinds::{FAILURE_KINDS, FailureKind};
use failure_kinds_core::{GATE_DERIVED, How, LEGACY, suggest};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use How::{Joined, Order, Renamed, Shape, Spelling, WithoutServer};

const FOUND: &[(&str, How, &str)] = &[
    // 1. Another shape.
    ("JUDGE_FAILED", Shape, "judge_failed"),
    ("judge-failed", Shape, "judge_failed"),
    ("judge failed", Shape, "judge_failed"),
    ("JudgeFailed", Shape, "judge_failed"),
    ("judgeFailed", Shape, "judge_failed"),
    ("Judge-Failed", Shape, "judge_failed"),
    ("judge__failed", Shape, "judge_failed"),
    ("_judge_failed_", Shape, "judge_failed"),
    ("judge_failed\n", Shape, "judge_failed"),
    ("PROVIDER-OOM-KILLED", Shape, "provider_oom_killed"),
    ("ProviderOOMKilled", Shape, "provider_oom_killed"),
    ("ProviderOomKilled", Shape, "provider_oom_killed"),
    ("Shutdown", Shape, "shutdown"),
    ("KillShaped", Shape, "kill_shaped"),
    (":judge_failed", Shape, "judge_failed"),
    ("judge_failed:", Shape, "judge_failed"),
    // 2. A legacy label of one successor, in any shape.
    ("timeout_exceeded", Renamed, "agent_timeout"),
    ("TimeoutExceeded", Renamed, "agent_timeout"),
    ("judge_invalid", Renamed, "judge_unparseable"),
    ("oom-killed", Renamed, "provider_oom_killed"),
    ("OOMKilled", Renamed, "provider_oom_killed"),
    ("unreachable", Renamed, "transport_unreachable"),
    ("protocol_violation", Renamed, "environment_protocol_violation"),
    ("reference_missing", Renamed, "gdpval:reference_missing"),
    // 3. The words in another order.
    ("failed_judge", Order, "judge_failed"),
    ("FailedJudge", Order, "judge_failed"),
    ("run_agent_error", Order, "agent_run_error"),
    ("error_verifier", Order, "verifier_error"),
    ("oom_killed_provider", Order, "provider_oom_killed"),
    ("release_session_failed", Order, "session_release_failed"),
    // 4. Similar words.
    ("judge_faild", Spelling, "judge_failed"),
    ("juge_failed", Spelling, "judge_failed"),
    ("judge_failled", Spelling, "judge_failed"),
    ("jugde_failed", Spelling, "judge_failed"),
    ("judge_fail", Spelling, "judge_failed"),
    ("judgefailed", Spelling, "judge_failed"),
    ("judge.failed", Spelling, "judge_failed"),
    ("judge::failed", Spelling, "judge_failed"),
    ("judge_f\u{430}iled", Spelling, "judge_failed"),
    ("judge_unparsable", Spelling, "judge_unparseable"),
    ("judge_unparseble", Spelling, "judge_unparseable"),
    ("canceled", Spelling, "cancelled"),
    ("cancel", Spelling, "cancelled"),
    ("shut_down", Spelling, "shutdown"),
    ("agent_time_out", Spelling, "agent_timeout"),
    ("transport_time_out", Spelling, "transport_timeout"),
    ("agent_timeouts", Spelling, "agent_timeout"),
    ("agent_run_errors", Spelling, "agent_run_error"),
    ("agent_comand_not_alowed", Spelling, "agent_command_not_allowed"),
    ("provider_unavailble", Spelling, "provider_unavailable"),
    ("provider_oom_kill", Spelling, "provider_oom_killed"),
    ("providers_quota_exhausted", Spelling, "provider_quota_exhausted"),
    ("session_expire", Spelling, "session_expired"),
    ("transport_unreacheable", Spelling, "transport_unreachable"),
    ("enviroment_server_failed", Spelling, "environment_server_failed"),
    ("persistance_failed", Spelling, "persistence_failed"),
    ("killshaped", Spelling, "kill_shaped"),
    ("verifyer_error", Spelling, "verifier_error"),
    ("Judge:Faild", Spelling, "judge_failed"),
    // 5. An extension: both parts joined, then the kind part.
    ("judge:failed", Joined, "judge_failed"),
    ("Judge:Failed", Joined, "judge_failed"),
    ("agent:run_error", Joined, "agent_run_error"),
    ("my_server:judge_failed", WithoutServer, "judge_failed"),
    ("my-server:JudgeFailed", WithoutServer, "judge_failed"),
    ("My:shutdown", WithoutServer, "shutdown"),
];

const NOT_FOUND: &[&str] = &[
    // Other things that fail, break and time out.
    "policy_failed",
    "reward_failed",
    "parse_failed",
    "tool_failed",
    "grader_failed",
    "cleanup_failed",
    "sandbox_failed",
    "network_failed",
    "session_failed",
    "provider_failed",
    "agent_failed",
    "agent_error",
    "judge_error",
    "model_error",
    "server_error",
    "harness_error",
    "judge_timeout",
    "verifier_timeout",
    "environment_timeout",
    "provider_timeout",
    "session_timeout",
    "agent_oom_killed",
    "judge_failure",
    "provider_oom",
    "transport_error",
    "transport_reset",
    "agent_crashed",
    "cohort_failed",
    // One word of a name, or a name and more.
    "failed",
    "judge",
    "oom",
    "killed",
    "judge_failed_again",
    "my_judge_failed",
    // Split legacy labels and gate-derived classes end the search.
    "timeout",
    "Timeout",
    "transient",
    "cohort_timeout",
    "aggregation_failed",
    "answer_empty",
    "AnswerCutOff",
    "judge_reply_cut_off",
    // A server's own names.
    "my_server:judge_faild",
    "My-Server:judge_faild",
    "judge:faild",
    "gdpval:reference_missing",
    "Gdpval:eval_missing",
    "browser_env:tab_crashed",
    "Peer:Drop",
    "a:b:c",
    // No words at all.
    "",
    " ",
    "_",
    ":",
    "::",
    "\u{0}",
];

#[test]
fn the_table_of_pairs() {
    let inputs: BTreeSet<_> =
        FOUND.iter().map(|(typed, ..)| typed).chain(NOT_FOUND.iter()).collect();
    assert_eq!(inputs.len(), FOUND.len() + NOT_FOUND.len(), "a pair twice");
    assert!(inputs.len() >= 80 && NOT_FOUND.len() >= 30);
    for &(typed, how, name) in FOUND {
        let found = suggest(typed).unwrap_or_else(|| panic!("nothing for {typed:?}"));
        assert_eq!((found.how, found.name), (how, name), "{typed:?}");
    }
    for typed in NOT_FOUND {
        assert_eq!(suggest(typed), None, "{typed:?}");
    }
}

#[test]
fn known_names_are_left_alone() {
    for kind in FAILURE_KINDS {
        assert_eq!(suggest(kind.as_str()), None);
    }
    for class in &GATE_DERIVED {
        assert_eq!(suggest(class.name), None);
    }
    for legacy in &LEGACY {
        assert_eq!(suggest(legacy.label).map(|found| found.name), legacy.successor());
    }
}

#[test]
fn no_two_names_have_the_same_words() {
    let words: BTreeSet<_> = FAILURE_KINDS
        .iter()
        .map(|kind| kind.as_str().split('_').collect::<BTreeSet<_>>())
        .collect();
    assert_eq!(words.len(), FAILURE_KINDS.len());
}

fn kind() -> impl Strategy<Value = &'static FailureKind> {
    select(FAILURE_KINDS.iter().collect::<Vec<_>>())
}

/// How people mistype a name.
fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => proptest::char::range('a', 'z'),
        1 => proptest::char::range('A', 'Z'),
        1 => proptest::char::range('0', '9'),
        2 => select(&['_', '-', ' ', ':', '.', '\n', '\u{430}', '\u{200b}'][..]),
        1 => any::<char>(),
    ]
}

#[derive(Clone, Debug)]
enum Edit {
    Insert(char),
    Delete,
    Replace(char),
    Transpose,
}

fn edit() -> impl Strategy<Value = (Index, Edit)> {
    let edit = prop_oneof![
        character().prop_map(Edit::Insert),
        Just(Edit::Delete),
        character().prop_map(Edit::Replace),
        Just(Edit::Transpose),
    ];
    (any::<Index>(), edit)
}

fn edited(name: &str, (at, edit): &(Index, Edit)) -> String {
    let mut chars: Vec<_> = name.chars().collect();
    match edit {
        Edit::Insert(char) => chars.insert(at.index(chars.len() + 1), *char),
        Edit::Delete => {
            chars.remove(at.index(chars.len()));
        }
        Edit::Replace(char) => {
            let at = at.index(chars.len());
            chars[at] = *char;
        }
        Edit::Transpose => {
            let at = at.index(chars.len() - 1);
            chars.swap(at, at + 1);
        }
    }
    chars.into_iter().collect()
}

fn name_or_none(typed: &str, kind: &FailureKind) -> Result<(), TestCaseError> {
    let found = suggest(typed).map(|found| found.name);
    prop_assert!(found.is_none_or(|name| name == kind.as_str()), "{typed:?} gives {found:?}");
    Ok(())
}

#[test]
fn a_text_of_more_than_64_characters_or_12_words_is_close_to_nothing() {
    let of = |text: &str| suggest(text).map(|found| found.name);
    assert_eq!(of(&format!("{:_<64}", "judge_failed")), Some("judge_failed"));
    assert_eq!(of(&format!("{:_<65}", "judge_failed")), None);
    assert_eq!(of(&"a_".repeat(13)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn one_edit_gives_the_name_or_none(kind in kind(), edit in edit()) {
        name_or_none(&edited(kind.as_str(), &edit), kind)?;
    }

    #[test]
    fn one_plain_edit_of_a_letter_gives_the_name(
        kind in kind(), at in any::<Index>(), letter in proptest::char::range('a', 'z'),
    ) {
        let typed = edited(kind.as_str(), &(at, Edit::Insert(letter)));
        prop_assert_eq!(suggest(&typed).map(|found| found.name), Some(kind.as_str()), "{}", typed);
    }

    #[test]
    fn words_in_another_order_give_the_name((kind, words) in kind().prop_flat_map(|kind| {
        let words: Vec<_> = kind.as_str().split('_').collect();
        (Just(kind), Just(words).prop_shuffle())
    })) {
        let typed = words.join("_");
        let expected = (typed != kind.as_str()).then_some(kind.as_str());
        prop_assert_eq!(suggest(&typed).map(|found| found.name), expected, "{}", typed);
    }

    #[test]
    fn another_shape_gives_the_name(
        kind in kind(),
        join in select(&["_", "-", " ", "__", ""][..]),
        case in select(&[0, 1, 2][..]),
    ) {
        let word = |word: &str| match case {
            0 => word.to_owned(),
            1 => word.to_uppercase(),
            _ => word[..1].to_uppercase() + &word[1..],
        };
        // Joined by nothing, only capitals show the words.
        let join = if join.is_empty() && case != 2 { "-" } else { join };
        let typed = kind.as_str().split('_').map(word).collect::<Vec<_>>().join(join);
        let expected = (typed != kind.as_str()).then_some(kind.as_str());
        prop_assert_eq!(suggest(&typed).map(|found| found.name), expected, "{}", typed);
    }

    #[test]
    fn any_case_gives_the_name_or_none(kind in kind(), upper in any::<u64>()) {
        let typed: String = kind
            .as_str()
            .chars()
            .enumerate()
            .map(|(at, char)| if upper >> at & 1 == 1 { char.to_ascii_uppercase() } else { char })
            .collect();
        name_or_none(&typed, kind)?;
    }

    #[test]
    fn any_text_gives_a_known_name_or_none(text in "\\PC{0,80}|[a-z_:\\-A-Z ]{0,80}") {
        if let Some(found) = suggest(&text) {
            prop_assert!(FailureKind::try_from(found.name).is_ok());
            prop_assert_ne!(found.name, text);
        }
    }
}
