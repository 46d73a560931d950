//! Cases from practice, each a row or a file that people met.

mod accounting;
mod json;
mod labels;
mod newer;
mod texts;
