//! The keys of a configuration: one row for each, with its meaning, name, type and default.
//!
//! The structs, their defaults, what is read, merged and written, and the JSON Schema come from
//! these rows.

/// Hands the keys of a whole configuration to a macro.
macro_rules! with_settings {
    ($macro:ident) => {
        $macro! {
            "Rule 1: the class by HTTP status, before everything else. A key is a status or a pattern such as 5xx."
            class_by_http_status: Entries<HttpStatusKey> = Entries::new();
            "Rule 2: the classes of failures whose stage was admitted."
            stages: Stages = Stages::default();
            "Rule 3: the class by the HTTP label of the failure, then of the failed last model call."
            http_evidence: Labels = Labels::default();
            "Rule 4: the class by kind alone."
            kinds: BTreeMap<FailureKind, Entry> = BTreeMap::new();
            "Rule 5: the class of failures that no rule decides."
            unknown: FailureClass = FailureClass::Unknown;
        }
    };
}
pub(crate) use with_settings;

/// Hands the keys of one stage to a macro.
macro_rules! with_stage_settings {
    ($macro:ident) => {
        $macro! {
            "The class of a kind without an entry."
            default: Entry = None;
            "The class of each kind."
            kinds: Entries<FailureKind> = Entries::new();
        }
    };
}
pub(crate) use with_stage_settings;
