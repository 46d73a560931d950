//! A state as bytes, on its way to another process.

use failure_kinds_core::text::Escaped;

use super::TriageState;
use crate::{Error, Seen, digest};

/// The start of a stored state; the version of the package follows.
const HEADER: &str = "failure-kinds state ";

impl TriageState {
    /// The state as bytes, which the same version of this package reads.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "every state has a form")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_allocvec(self).expect("every state has a form");
        let head = format!("{HEADER}{}\n", env!("CARGO_PKG_VERSION"));
        [head.as_bytes(), &digest::hash(&body).to_le_bytes(), &body].concat()
    }

    /// The state that these bytes hold.
    ///
    /// # Errors
    ///
    /// When they are of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let version = env!("CARGO_PKG_VERSION");
        let error = |why: String| Err(Error::Input(why));
        let Some((head, rest)) = bytes
            .strip_prefix(HEADER.as_bytes())
            .and_then(|rest| rest.split_at_checked(rest.iter().position(|byte| *byte == b'\n')?))
        else {
            return error("these bytes are not a state of triage".to_owned());
        };
        if head != version.as_bytes() {
            let head = String::from_utf8_lossy(head);
            return error(format!(
                "the state was written by version {} of failure-kinds, and this is {version}",
                Escaped(&head)
            ));
        }
        let state = rest[1..].split_first_chunk().and_then(|(hash, body)| {
            let is_whole = digest::hash(body).to_le_bytes() == *hash;
            let state = is_whole.then(|| postcard::from_bytes::<Self>(body))?.ok()?;
            state.is_consistent().then_some(state)
        });
        state.map_or_else(|| error("the state is damaged".to_owned()), Ok)
    }

    fn is_consistent(&self) -> bool {
        let waiting = self.waiting.values();
        let parts = waiting.flat_map(|inventory| [Some(&inventory.seen), inventory.rows.as_ref()]);
        self.seen.is_consistent() && parts.flatten().all(Seen::is_consistent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::{read, report, run};

    #[test]
    fn bytes_are_read_back_unless_they_are_damaged() {
        let (_folder, paths) = run();
        // One that waits for nothing, and one with an inventory that waits.
        for state in [read(&paths), read(&paths[..1])] {
            let bytes = state.to_bytes();
            assert_eq!(report(&TriageState::from_bytes(&bytes).unwrap()), report(&state));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert!(TriageState::from_bytes(&damaged).is_err(), "{at}");
                assert!(TriageState::from_bytes(&bytes[..at]).is_err(), "{at}");
            }
        }
    }

    #[test]
    fn numbers_of_nothing_are_rejected() {
        let (_folder, paths) = run();
        let mut state = read(&paths);
        state.seen.files.clear();
        let error = TriageState::from_bytes(&state.to_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "the state is damaged");
    }
}
