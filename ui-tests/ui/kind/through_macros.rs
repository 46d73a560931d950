use failure_kinds::failure_kind;

macro_rules! literal {
    ($name:literal) => {
        failure_kind!($name)
    };
}
macro_rules! expr {
    ($name:expr) => {
        failure_kind!($name)
    };
}
macro_rules! two {
    ($name:literal) => {
        expr!($name)
    };
}
macro_rules! tt {
    ($name:tt) => {
        failure_kind!($name)
    };
}

fn main() {
    literal!("judge_faild");
    expr!("judge_faild");
    two!("judge_faild");
    tt!("judge_faild");
    expr!(String::from("judge_failed"));
    literal!(-1);
}
