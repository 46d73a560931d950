use super::*;

fn config(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("/p/failure-kinds.toml"), text.to_owned())
        .map_err(|error| error.to_string().replace("/p/", ""))
}

fn useless(config: &Config) -> Vec<String> {
    config.useless().iter().map(|entry| entry.replace("/p/", "")).collect()
}

#[test]
fn the_last_level_that_applies_counts() {
    let config = config(
        "[[lint.levels]]\nids = [\"legacy-kind\"]\nlevel = \"off\"\n\
         [[lint.levels]]\nids = [\"legacy-kind\", \"raw-literal\"]\npaths = [\"src/**\"]\nlevel = \"error\"\n",
    )
    .unwrap();
    let level = |path, id, test| config.levels(Path::new(path)).of(id, test);
    assert_eq!(level("/p/a.py", Id::LegacyKind, false), Level::Off);
    assert_eq!(level("/p/src/a.py", Id::LegacyKind, true), Level::Error);
    assert_eq!(level("/p/a.rs", Id::RawLiteral, false), Level::Warning);
    assert_eq!(level("/p/a.rs", Id::RawLiteral, true), Level::Off);
    assert_eq!(level("/p/a.rs", Id::UnregisteredKind, true), Level::Warning);
    assert_eq!(level("/p/a.rs", Id::DynamicKind, true), Level::Off);
}

#[test]
fn globs_match_folders_and_names_at_any_depth() {
    let config =
        config("[lint]\nexclude = [\"data\", \"/ui/*.rs\", \"a/b/\", \"../q/*.py\"]\n").unwrap();
    for path in ["/p/data/x.json", "/p/x/data/y/z.py", "/p/ui/a.rs", "/p/a/b/c/d.py", "/q/a.py"] {
        assert!(config.excludes(Path::new(path)).is_some(), "{path}");
    }
    for path in ["/p/database/x.json", "/p/x/ui/a.rs", "/p/a/c.py", "/p/ui/x/a.rs", "/data/a.py"] {
        assert!(config.excludes(Path::new(path)).is_none(), "{path}");
    }
    assert_eq!(useless(&config), [""; 0]);
}

#[test]
fn useless_entries_have_a_location() {
    let text = "[lint]\nexclude = [\"gone\"]\nconstants = [\"*_KEY\"]\n[servers.s]\nkinds = [\"a\", \"b\"]\n";
    let config = config(text).unwrap();
    config.mark_used("s", "a");
    assert_eq!(
        useless(&config),
        [
            "failure-kinds.toml:2:12: the glob `gone` matches no file",
            "failure-kinds.toml:3:14: the glob `*_KEY` matches no constant",
            "failure-kinds.toml:5:15: nothing uses the declared kind `s:b`",
        ]
    );
}

#[test]
fn c286_empty_lists_are_reported() {
    let config = config("[lint]\nkeys = []\nexclude = [ ]\n").unwrap();
    let empty: Vec<_> = config.empty().map(|entry| entry.replace("/p/", "")).collect();
    assert_eq!(
        empty,
        [
            "failure-kinds.toml:2:8: the list `keys` is empty",
            "failure-kinds.toml:3:11: the list `exclude` is empty",
        ]
    );
}

#[test]
fn mistakes_are_errors_that_say_what_was_meant() {
    for (text, expected) in [
        ("[lint]\nexcludes = []\n", "2:1: unknown key `excludes`; a similar one is `exclude`"),
        ("[lnit]\n", "1:2: unknown key `lnit`; a similar one is `lint`"),
        (
            "[lint]\nx = 1\n",
            "2:1: unknown key `x`; the keys here are constants, exclude, keys, levels",
        ),
        (
            "[[lint.levels]]\nids = [\"legacy-knd\"]\nlevel = \"off\"\n",
            "2:8: unknown finding `legacy-knd`; a similar one is `legacy-kind`",
        ),
        (
            "[[lint.levels]]\nids = [\"legacy-kind\"]\nlevel = \"warn\"\n",
            "3:9: unknown level `warn`; the levels are off, warning, error",
        ),
        ("[lint]\nexclude = \"vendor\"\n", "2:11: expected a list: write `exclude = [\"vendor\"]`"),
        ("[lint]\nexclude = 3\n", "2:11: expected a list of strings, found a number"),
        ("[lint]\nkeys = [3]\n", "2:9: expected a string, found a number"),
        ("lint = 1\n", "1:8: expected a table, found a number"),
        ("[lint]\nkeys = [\"a\"]\nkeys = [\"b\"]\n", "3:1: duplicate key `keys`"),
        (
            "[servers.judge]\nkinds = [\"failed\"]\n",
            "2:10: `judge:failed` repeats the registered kind `judge_failed`",
        ),
        (
            "[servers.s]\nkinds = [\"s:a\"]\n",
            "2:10: `s:a` is not a kind of `s`: write the part after the colon",
        ),
        ("[servers.S]\nkinds = [\"a\"]\n", "1:10: `S` is not the name of a server"),
    ] {
        assert_eq!(config(text).unwrap_err(), format!("failure-kinds.toml:{expected}"), "{text}");
    }
    assert!(config("[lint]\nexclude = [\"a[\"]\n").unwrap_err().contains(":2:12: "));
    assert!(config("[lint]\nconstants = [\"a[\"]\n").unwrap_err().contains(":2:14: "));
}

#[test]
fn c286_a_table_of_levels_is_distinguished_from_a_list() {
    let error = config("[lint.levels]\nlegacy-kind = \"off\"\n").unwrap_err();
    assert!(
        error.ends_with(
            "`levels` is a list of tables: write `[[lint.levels]]`, and in it \
             `ids = [\"legacy-kind\"]` and `level = \"off\"`"
        ),
        "{error}"
    );
}
