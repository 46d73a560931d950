use super::super::Language;
use super::super::testing::{self, positions};

fn python(text: &str) -> Vec<String> {
    positions(Language::Python, text)
}

#[test]
fn entries_of_dicts() {
    assert_eq!(
        python(r#"row = {"_ng_failure_class": "a", KEY: "x", NG_FAILURE_CLASS_KEY: "b"}"#),
        ["_ng_failure_class=a", "NG_FAILURE_CLASS_KEY=b"]
    );
    assert_eq!(
        python(r#"row = {**row, m.NG_FAILURE_CLASS_KEY: "b", "failure_kinds": "x"}"#),
        ["NG_FAILURE_CLASS_KEY=b"]
    );
    assert_eq!(python("row = {JUDGE_FAILED_FAILURE_CLASS: 'retry'}"), [""; 0]);
}

#[test]
fn keywords_attributes_and_defaults() {
    assert_eq!(python(r#"f(failure_kind="a", kind="x")"#), ["failure_kind=a"]);
    assert_eq!(python(r#"x.failure_kind = "a"; x.other = "y""#), ["failure_kind=a"]);
    assert_eq!(python(r#"failure_class: str = "a""#), ["failure_class=a"]);
    assert_eq!(python(r#"failure_class: Literal["x", "y"]"#), [""; 0]);
    assert_eq!(
        python(r#"def f(a, failure_kind="a", *, failure_class="b"): ..."#),
        ["failure_kind=a", "failure_class=b"]
    );
    assert_eq!(python(r#"failure_kind: str | None = Field(None, description="x")"#), [""; 0]);
    assert_eq!(
        python(r#"failure_kind: str = Field(default="a", description="x")"#),
        ["failure_kind=a"]
    );
}

#[test]
fn subscripts_and_constants() {
    assert_eq!(
        python("NG_FAILURE_CLASS_KEY = \"_ng_failure_class\"\nrow[NG_FAILURE_CLASS_KEY] = \"a\""),
        ["NG_FAILURE_CLASS_KEY=a"]
    );
    assert_eq!(
        python("LABEL = \"failure_kind\"\nrow[LABEL] = \"a\"\nrow[OTHER] = 'x'"),
        ["LABEL=a"]
    );
    assert_eq!(python(r#"JUDGE_FAILURE_CLASS = "a""#), ["JUDGE_FAILURE_CLASS=a"]);
    assert_eq!(python(r#"JUDGE_FAILURE_CLASSES = {"x"}"#), [""; 0]);
    assert_eq!(python(r#"row.setdefault("failure_kind", "a")"#), ["failure_kind=a"]);
    assert_eq!(python(r#"setattr(row, "failure_kind", "a")"#), ["failure_kind=a"]);
}

#[test]
fn each_value_that_an_expression_may_take() {
    assert_eq!(
        python(r#"failure_class = "a" if f("x") else "b""#),
        ["failure_class=a", "failure_class=b"]
    );
    assert_eq!(
        python(r#"r[NG_FAILURE_CLASS_KEY] = r.get(NG_FAILURE_CLASS_KEY) or "a""#),
        ["NG_FAILURE_CLASS_KEY=?dynamic r.get(NG_FAILURE_CLASS_KEY)", "NG_FAILURE_CLASS_KEY=a"]
    );
    assert_eq!(python(r#"failure_kind, x = "a", "y""#), ["failure_kind=a"]);
    assert_eq!(python(r#"g((failure_kind := "a"))"#), ["failure_kind=a"]);
}

#[test]
fn comparisons() {
    assert_eq!(
        python(r#"failure_class == "a" or "b" != row.failure_kind"#),
        ["failure_class~a", "failure_kind~b"]
    );
    assert_eq!(python(r#"row.get(NG_FAILURE_CLASS_KEY) == "a""#), ["NG_FAILURE_CLASS_KEY~a"]);
    assert_eq!(python(r#"failure_class in ("a", "b")"#), ["failure_class~a", "failure_class~b"]);
    assert_eq!(python(r#"row["failure_kind"] not in frozenset({"a"})"#), ["failure_kind~a"]);
    assert_eq!(python(r#""x" in failure_kind"#), [""; 0]);
    assert_eq!(python(r#"failure_kind in "x""#), [""; 0]);
    assert_eq!(python(r#"(row.get("failure_kind") or "x") == "a""#), ["failure_kind~a"]);
}

#[test]
fn cases() {
    assert_eq!(
        python("match failure_class:\n    case \"a\" | \"b\": pass\n    case other: pass"),
        ["failure_class~a", "failure_class~b"]
    );
    assert_eq!(
        python(
            "match row:\n  case {\"failure_kind\": \"a\", \"x\": \"y\"}: pass\n  case Row(failure_kind=\"b\"): pass"
        ),
        ["failure_kind~a", "failure_kind~b"]
    );
}

#[test]
fn what_is_put_together() {
    for text in
        ["f\"http_{x}\"", "\"http_%s\" % x", "\"http_\" + x", "x + '_' + y", "'{}'.format(x)"]
    {
        assert_eq!(
            python(&format!("failure_kind = {text}")),
            [format!("failure_kind=?formatted {text}")]
        );
    }
    assert_eq!(python("failure_kind += suffix"), ["failure_kind=?formatted suffix"]);
    assert_eq!(python(r#"failure_kind = f"a""#), ["failure_kind=a"]);
    assert_eq!(python(r#"failure_kind = "a" "b""#), ["failure_kind=ab"]);
    assert_eq!(python("failure_kind = classify(error)"), ["failure_kind=?dynamic classify(error)"]);
    assert_eq!(python("failure_kind = kinds.JUDGE_FAILED"), [""; 0]);
}

#[test]
fn comments_are_tokens() {
    let found = testing::scan(Language::Python, "s = '# no'  # yes\n# also\n");
    let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(comments, [" yes", " also"]);
}

#[test]
fn the_rest_of_a_broken_file_is_checked() {
    let found = testing::scan(Language::Python, "def f(:\n    pass\nfailure_kind = \"a\"\n");
    assert!(found.unparsed.is_some());
    assert_eq!(found.positions.len(), 1);
}
