use failure_kinds::failure_kind;

fn main() {
    failure_kind!(b"judge_failed");
    failure_kind!(br"judge_failed");
    failure_kind!(c"judge_failed");
    failure_kind!(cr"judge_failed");
    failure_kind!('j');
    failure_kind!(b'j');
    failure_kind!(1);
    failure_kind!(1.5f32);
}
