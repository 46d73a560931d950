use failure_kinds::failure_kind;

fn main() {
    failure_kind!("timeout_exceeded");
    failure_kind!("eval_missing");
    failure_kind!("timeout");
    failure_kind!("fatal");
}
