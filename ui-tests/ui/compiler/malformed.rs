// The compiler's lexer says what is wrong with these; the macro must not fall over them.
use failure_kinds::failure_kind;

fn main() {
    failure_kind!("judge\_failed");
    failure_kind!("judge\u{d800}");
    failure_kind!(b'judge');
}
