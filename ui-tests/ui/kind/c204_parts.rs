use failure_kinds::failure_kind;

fn main() {
    failure_kind!("");
    failure_kind!("my_server:");
    failure_kind!(":odd_case");
    failure_kind!(":");
    failure_kind!("a:b:c");
    failure_kind!("My:odd");
    failure_kind!("my-server:odd");
    failure_kind!("my_server: odd");
    failure_kind!("1st");
    failure_kind!("_judge_failed");
    failure_kind!("1a:b");
    failure_kind!("a:_b");
}
