//! A short text that is equal exactly for equal configurations, and a checksum.

use std::io::{self, Write};

use failure_kinds::FailureClassificationConfig;

/// The digest of a configuration: the 64-bit FNV-1a hash of its full form as JSON, which lists
/// every entry in a fixed order.
pub(crate) fn of(config: &FailureClassificationConfig) -> String {
    let mut hash = Fnv::NEW;
    serde_json::to_writer(&mut hash, config).expect("a configuration is JSON");
    format!("{:016x}", hash.0)
}

/// The same hash of bytes, which shows that they were damaged.
#[cfg(feature = "bytes")]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash = Fnv::NEW;
    hash.add(bytes);
    hash.0
}

struct Fnv(u64);

impl Fnv {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use failure_kinds::FailureClass;

    #[test]
    fn the_hash_is_that_of_the_published_vectors() {
        let mut hash = Fnv::NEW;
        hash.add(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn equal_exactly_for_equal_configurations() {
        let default = FailureClassificationConfig::default();
        let mut other = default.clone();
        other.set_unknown(FailureClass::Model);
        assert_ne!(of(&other), of(&default));
        other.set_unknown(FailureClass::Unknown);
        assert_eq!(of(&other), of(&default));
    }
}
