//! A value of the macro where a string is expected: the help is about the user's line.

use failure_kinds::failure_kind;

struct Row {
    failure_kind: String,
}

fn main() {
    let row = Row { failure_kind: failure_kind!("judge_failed") };
    let ours = Row { failure_kind: failure_kind!("browser_env:tab_crashed") };
    drop((row.failure_kind, ours.failure_kind));
}
