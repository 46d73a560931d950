use super::super::testing::{self, positions};

fn json(text: &str) -> Vec<String> {
    positions("a.json", text)
}

fn toml(text: &str) -> Vec<String> {
    positions("a.toml", text)
}

fn yaml(text: &str) -> Vec<String> {
    positions("a.yaml", text)
}

fn comments(name: &str, text: &str) -> Vec<String> {
    testing::scan(name, text).comments.into_iter().map(|comment| comment.text).collect()
}

#[test]
fn json_values_of_keys_at_any_depth() {
    assert_eq!(
        json(r#"{"failure_kind": "a", "x": [{"failure_class": "b"}, {"kind": "x"}]}"#),
        ["failure_kind=a", "failure_class=b"]
    );
    assert_eq!(json(r#"{"failure\u005fkind": "a\u0062"}"#), ["failure_kind=ab"]);
    assert_eq!(json(r#"{"failure_kind": ["a", "b"]}"#), ["failure_kind=a", "failure_kind=b"]);
}

#[test]
fn json_values_that_are_not_names() {
    assert_eq!(json(r#"{"failure_kind": null}"#), [""; 0]);
    assert_eq!(json(r#"{"failure_kind": {"type": "string"}}"#), [""; 0]);
    assert_eq!(
        json(r#"{"failure_kind": 5, "failure_class": true}"#),
        ["failure_kind=?a number", "failure_class=?a boolean"]
    );
    assert_eq!(json(r#"{"dtypes": {"failure_kind": "category"}}"#), [""; 0]);
}

#[test]
fn c191_word_lists_are_not_positions() {
    assert_eq!(json(r#"["http:get","cuda:0","judge_failed_rate","redis:6379","x:y"]"#), [""; 0]);
}

#[test]
fn c17_only_the_configured_path_counts() {
    assert_eq!(
        json(
            r#"{"status":"success","samples":[{"messages":[{"role":"tool","error":{"type":"timeout","message":"x"}}]}]}"#
        ),
        [""; 0]
    );
}

#[test]
fn json_errors_have_a_location() {
    for (text, at) in [("{\"a\": 1,}", 8), ("{} {}", 3), ("{\"a\"", 4), ("[1", 2)] {
        let unparsed = testing::scan("a.json", text).unparsed.expect(text);
        assert_eq!(unparsed.at, at, "{text}: {}", unparsed.why);
    }
    assert!(testing::scan("a.json", "").unparsed.is_some());
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    assert!(testing::scan("a.json", &deep).unparsed.is_none());
}

#[test]
fn json_with_comments() {
    let text = "{ // one\n \"failure_kind\": \"a\", /* two */\n}";
    for name in ["a.jsonc", "tsconfig.json", "tsconfig.app.json"] {
        assert_eq!(positions(name, text), ["failure_kind=a"], "{name}");
        assert_eq!(comments(name, text), [" one", " two "], "{name}");
    }
    assert!(testing::scan("a.json", text).unparsed.is_some());
}

#[test]
fn toml_values_of_keys() {
    assert_eq!(
        toml(
            "failure_kind = \"a\"\nkind = \"x\"\n[t]\nfailure_class = 'b'\n[[r]]\nq.failure_kind = \"c\"\n"
        ),
        ["failure_kind=a", "failure_class=b", "failure_kind=c"]
    );
    assert_eq!(toml("failure_kind = [\"a\", \"b\"]"), ["failure_kind=a", "failure_kind=b"]);
    assert_eq!(
        toml("failure_kind = 3\nfailure_class = true"),
        ["failure_kind=?a number", "failure_class=?a boolean"]
    );
    assert_eq!(toml("failure_kind = { type = \"string\" }"), [""; 0]);
}

#[test]
fn comments_are_not_in_strings() {
    assert_eq!(comments("a.toml", "a = '# no' # yes\n# also\n"), [" yes", " also"]);
    assert_eq!(comments("a.yaml", "a: '# no' # yes\nb: |\n  # no\n# also\n"), [" yes", " also"]);
}

#[test]
fn the_rest_of_a_broken_file_is_checked() {
    let found = testing::scan("a.toml", "a = \nfailure_kind = \"a\"\n");
    assert!(found.unparsed.is_some());
    assert_eq!(found.positions.len(), 1);
    let found = testing::scan("a.yaml", "failure_kind: a\nb: [\n");
    assert!(found.unparsed.is_some_and(|unparsed| unparsed.at >= 16));
    assert_eq!(found.positions.len(), 1);
}

#[test]
fn yaml_values_of_keys() {
    assert_eq!(
        yaml("a: x\nfailure_kind: a\nb:\n  failure_class: 'b'\n  kind: x\n"),
        ["failure_kind=a", "failure_class=b"]
    );
    assert_eq!(
        yaml("{failure_kind: gdpval:eval_missing, x: y}"),
        ["failure_kind=gdpval:eval_missing"]
    );
    assert_eq!(yaml("failure_kind:\n- a\n- b\n"), ["failure_kind=a", "failure_kind=b"]);
    assert_eq!(
        yaml("failure_kind: &x a\nother: *x\n---\nfailure_kind: b\n"),
        ["failure_kind=a", "failure_kind=b"]
    );
}

#[test]
fn yaml_aliases_count_as_their_targets() {
    assert_eq!(yaml("a: &x k\nb: &y [k, 3]\nfailure_kind: *x\n"), ["failure_kind=k"]);
    assert_eq!(
        yaml("b: &y [k, 3]\nfailure_kind: *y\n"),
        ["failure_kind=k", "failure_kind=?a number"]
    );
    assert_eq!(yaml("base: &x {failure_kind: a}\nc:\n  <<: *x\n"), ["failure_kind=a"]);
}

#[test]
fn yaml_values_that_are_not_names() {
    assert_eq!(yaml("failure_kind: null\nfailure_class: ~\n_ng_failure_class:\n"), [""; 0]);
    assert_eq!(yaml("failure_kind: {type: string}\n"), [""; 0]);
    assert_eq!(yaml("failure_kind: !ENV KIND\nfailure_class: &a !env 'X'\n"), [""; 0]);
    assert_eq!(yaml("failure_kind: !!str k\n"), ["failure_kind=k"]);
    assert_eq!(
        yaml("failure_kind: true\nfailure_class: 3\n_ng_failure_kind: '3'\n"),
        ["failure_kind=?a boolean", "failure_class=?a number", "_ng_failure_kind=3"]
    );
    assert_eq!(yaml("? [failure_kind]\n: x\nfailure_kinds: y\n"), [""; 0]);
}
