//! What the macros reject, and the messages. Cases are in `ui`, tests in `tests`.
