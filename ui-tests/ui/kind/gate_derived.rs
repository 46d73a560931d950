use failure_kinds::failure_kind;

fn main() {
    failure_kind!("answer_cut_off");
}
