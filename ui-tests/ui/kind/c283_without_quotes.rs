//! A name without quotes.

use failure_kinds::failure_kind;

fn main() {
    let _ = failure_kind!(browser_env:tab_crashed);
    let _ = failure_kind!(judge_failed);
}
