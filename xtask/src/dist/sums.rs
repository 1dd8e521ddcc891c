//! `SHA256SUMS`: a line for each file of the folder, as `sha256sum -c` reads it.
//!
//! The file also marks the folder as one that this chore has made, and may clear parts of.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const NAME: &str = "SHA256SUMS";

/// Makes the folder, or sees that it is one of this chore.
pub(super) fn claim(out: &Path) -> Result<()> {
    std::fs::create_dir_all(out).map_err(Error::io(out))?;
    let is_empty = std::fs::read_dir(out).map_err(Error::io(out))?.next().is_none();
    let sums = out.join(NAME);
    if is_empty {
        return std::fs::write(&sums, "").map_err(Error::io(&sums));
    }
    if sums.exists() {
        return Ok(());
    }
    let why = format!("{}: expected an empty folder, or one with {NAME} from an earlier run", out.display());
    Err(Error::Usage(why))
}

/// Writes the sums of all files below the folder, sorted by path; the text.
pub(super) fn write(out: &Path) -> Result<String> {
    let mut text = String::new();
    for file in below(out)? {
        let content = std::fs::read(&file).map_err(Error::io(&file))?;
        for byte in Sha256::digest(&content) {
            write!(text, "{byte:02x}").map_err(|_| Error::Usage("formatting failed".to_owned()))?;
        }
        let name = file.strip_prefix(out).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        text += &format!("  {name}\n");
    }
    let sums = out.join(NAME);
    std::fs::write(&sums, &text).map_err(Error::io(&sums))?;
    Ok(text)
}

/// All files below a folder but the sums, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (vec![], vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let path = entry.map_err(Error::io(&folder))?.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.retain(|path| *path != folder.join(NAME));
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        claim(&out).expect("a new folder is made");
        std::fs::create_dir(out.join("man")).expect("a folder");
        std::fs::write(out.join("man/a.1"), "abc").expect("a file");
        std::fs::write(out.join("b"), "").expect("a file");
        let text = write(&out).expect("readable files");
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n\
                        ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  man/a.1\n";
        assert_eq!(text, expected);
        claim(&out).expect("its own folder");
        assert_eq!(write(&out).expect("readable files"), expected);
    }

    #[test]
    fn other_folders_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("letter"), "dear").expect("a file");
        let why = claim(folder.path()).expect_err("it is not ours").to_string();
        assert!(why.contains("expected an empty folder"), "{why}");
    }
}
