use failure_kinds::failure_kind;

fn main() {
    let kind = failure_kind!();
    kind.as_str();
}
