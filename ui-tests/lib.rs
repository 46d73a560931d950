//! What the macros reject, and in which words. Cases are in `ui`, tests in `tests`.
