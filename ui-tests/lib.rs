//! What the macros refuse, and the words they say it in. Cases stand in `ui`, tests in `tests`.
