//! Keys of results: a hash of everything that a result depends on.
//!
//! A result may be used again exactly when the same question would be asked again: the same command and
//! options, the same build of the solver, the same text of the input, the same limits. A [`Key`] is the
//! XXH3 hash (128 bits) of these parts, each preceded by its length, so that no two lists of parts give the
//! same bytes. The hash is specified, so keys are the same on every machine and for every version of this
//! program. 128 bits make an accidental collision among 10^12 results less likely than 10^-14; there is no
//! protection against an attacker, and none is needed.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3;

/// A hash of everything that a result depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(String);

impl Key {
    /// The key of these parts, in this order.
    pub fn of<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> Key {
        let mut hasher = Xxh3::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(format!("{:032x}", hasher.digest128()))
    }

    /// The key of the content of a file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Key> {
        let (mut file, mut hasher, mut block) = (File::open(path)?, Xxh3::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut block)? {
                0 => return Ok(Key(format!("{:032x}", hasher.digest128()))),
                count => hasher.update(&block[..count]),
            }
        }
    }

    /// The key as 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The key of the running program, computed once; the default key if its file cannot be read.
pub fn this_build() -> &'static Key {
    static BUILD: OnceLock<Key> = OnceLock::new();
    let build = || std::env::current_exe().and_then(|path| Key::of_file(&path)).unwrap_or_default();
    BUILD.get_or_init(build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stable_and_parts_are_kept_apart() {
        assert_eq!(Key::of(["a", "b"]).as_str(), "4e8071d3974d16754bcb794c7d699bd6");
        assert_ne!(Key::of(["a", "b"]), Key::of(["ab", ""]));
        assert_ne!(Key::of(["a", "b"]), Key::of(["b", "a"]));
        assert_ne!(this_build(), &Key::default());
    }
}
