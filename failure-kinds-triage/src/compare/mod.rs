//! What differs between two sides, and whether it can be chance.

#[cfg_attr(not(test), expect(dead_code, reason = "`compare` is the next step"))]
mod statistics;
