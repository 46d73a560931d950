//! The macro is an expression, and an item is expected.

use failure_kinds::failure_kind;

failure_kind!("judge_failed");
failure_kind!("browser_env:tab_crashed");

fn main() {}
