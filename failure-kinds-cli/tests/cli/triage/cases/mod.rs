//! Cases from practice, each a row or a file that people met.

mod accounting;
mod inputs;
mod json;
mod labels;
mod newer;
mod texts;
