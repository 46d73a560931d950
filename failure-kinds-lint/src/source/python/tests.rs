use super::super::testing::{self, positions};

fn python(text: &str) -> Vec<String> {
    positions("a.py", text)
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
    assert_eq!(
        python(r#"failure_class: Literal["a", "b"]; other: Literal["x"]"#),
        ["failure_class=a", "failure_class=b"]
    );
    assert_eq!(
        python(r#"def f(failure_kind: Optional[typing.Literal["a"]] | None = None): ..."#),
        ["failure_kind=a"]
    );
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
        ["_ng_failure_class=a"]
    );
    assert_eq!(
        python("LABEL = \"failure_kind\"\nrow[LABEL] = \"a\"\nrow[OTHER] = 'x'"),
        ["failure_kind=a"]
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
fn calls() {
    assert_eq!(
        python(
            r#"row.get("failure_kind", "a"); row.pop(KEY, "x"); getattr(r, "failure_kind", "b")"#
        ),
        ["failure_kind|a", "failure_kind|b"]
    );
    assert_eq!(
        python(
            r#"span.set_attribute("failure_kind", "a"); row.failure_kind("b"); f("failure_kind", "x")"#
        ),
        ["failure_kind=a", "failure_kind=b"]
    );
    assert_eq!(
        python(
            r#"self.assertEqual(row["failure_kind"], "a"); self.assertNotEqual("b", failure_kind)"#
        ),
        ["failure_kind~a", "failure_kind~b"]
    );
    assert_eq!(
        python(r#"self.assertIn(failure_kind, ["a", "b"]); self.assertIn("x", row)"#),
        ["failure_kind~a", "failure_kind~b"]
    );
    assert_eq!(
        python(
            r#"df.failure_kind.isin(["a"]); df["failure_kind"].eq("b"); pl.col("failure_kind").ne("c")"#
        ),
        ["failure_kind~a", "failure_kind~b", "failure_kind~c"]
    );
    assert_eq!(
        python(r#"dict([("failure_kind", "a"), ("k", "x")]); [("failure_kind", "VARCHAR")]"#),
        ["failure_kind=a"]
    );
}

#[test]
fn loops() {
    assert_eq!(
        python(
            "for failure_kind in [\"a\", \"b\"]: pass\n[f(failure_class) for failure_class in (\"c\",)]"
        ),
        ["failure_kind=a", "failure_kind=b", "failure_class=c"]
    );
    assert_eq!(python("for failure_kind in KINDS: pass\nfor kind in [\"x\"]: pass"), [""; 0]);
}

#[test]
fn tables_that_give_columns_a_type_or_a_title() {
    for text in [
        r#"pd.read_csv(f, dtype={"failure_kind": "category"})"#,
        r#"df.agg({"failure_kind": "nunique"})"#,
        r#"df.groupby("x").aggregate({"failure_kind": "count"})"#,
        r#"df.rename(columns={"failure_kind": "kind"})"#,
        r#"df.astype({"failure_kind": "string"})"#,
        r#"px.bar(df, labels={"failure_kind": "Kind of failure"})"#,
        r#"COLUMN_TYPES = {"failure_kind": "VARCHAR"}"#,
        r#"config = {"dtypes": {"failure_kind": "category"}}"#,
        r#"pl.Schema({"failure_kind": "str"})"#,
    ] {
        assert_eq!(python(text), [""; 0], "{text}");
    }
    assert_eq!(python(r#"df.assign(rows=[{"failure_kind": "a"}])"#), ["failure_kind=a"]);
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
fn strings_that_are_built_at_run_time() {
    for text in [
        "f\"http_{x}\"",
        "\"http_%s\" % x",
        "\"http_\" + x",
        "x + '_' + y",
        "x + y",
        "'{}'.format(x)",
        "template.format(x)",
        "'_'.join(parts)",
        "Template('http_$x').substitute(x=x)",
    ] {
        assert_eq!(
            python(&format!("failure_kind = {text}")),
            [format!("failure_kind=?formatted {text}")]
        );
    }
    assert_eq!(python("failure_kind += suffix"), ["failure_kind=?formatted suffix"]);
    assert_eq!(python(r#"failure_kind = f"a""#), ["failure_kind=a"]);
    assert_eq!(python(r#"failure_kind = "a" "b""#), ["failure_kind=ab"]);
    assert_eq!(python(r#"failure_kind = "a_" + "b""#), ["failure_kind=a_b"]);
    assert_eq!(python("failure_kind in A + B"), ["failure_kind~?dynamic A + B"]);
    assert_eq!(python("failure_kind = classify(error)"), ["failure_kind=?dynamic classify(error)"]);
    assert_eq!(python("failure_kind = kinds.JUDGE_FAILED"), [""; 0]);
}

#[test]
fn comments_are_tokens() {
    let found = testing::scan("a.py", "s = '# no'  # yes\n# also\n");
    let comments: Vec<_> = found.comments.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(comments, [" yes", " also"]);
}

#[test]
fn the_rest_of_a_broken_file_is_checked() {
    let found = testing::scan("a.py", "def f(:\n    pass\nfailure_kind = \"a\"\n");
    assert!(found.unparsed.is_some());
    assert_eq!(found.positions.len(), 1);
}

#[test]
fn deep_nesting_is_refused_with_its_location() {
    for text in [
        format!("x = {}1{}", "[".repeat(50), "]".repeat(50)),
        format!("x = [{}]", "f(1) + g(2), ".repeat(20_000)),
        "x = not y\n".repeat(20_000),
        format!("f({})", "lambda a, b: a, ".repeat(20_000)),
    ] {
        assert!(testing::scan("a.py", &text).unparsed.is_none());
    }
    for (text, at) in [
        (format!("x = {}1{}", "[".repeat(99_999), "]".repeat(99_999)), 10_000..10_005),
        (format!("a{}", "()".repeat(99_999)), 0..20_010),
        (format!("y\n{}x", "lambda a, b: ".repeat(99_999)), 0..99_999),
        (format!("{}x", "f'{".repeat(999)), 0..400),
    ] {
        let unparsed = testing::scan("a.py", &text).unparsed.unwrap();
        assert_eq!(unparsed.why, "nested too deeply");
        assert!(at.contains(&unparsed.at), "{} {}", &text[..20], unparsed.at);
    }
}
