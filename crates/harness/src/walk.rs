//! Files below folders.
//!
//! Folders are walked by the library `walkdir`, which follows symbolic links and recognises a link to a
//! folder that it is in; such a link is passed over, so each file below a folder is found once.

use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The named files, and the files with one of these extensions below the named folders, those of a folder in
/// the order of their paths. A file that is named is taken whatever its extension is.
///
/// # Errors
/// A sentence, when something does not exist or cannot be read.
pub fn files(paths: &[PathBuf], extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = vec![];
    for path in paths {
        if !path.metadata().map_err(|error| format!("{}: {error}", path.display()))?.is_dir() {
            found.push(path.clone());
            continue;
        }
        let begin = found.len();
        for entry in WalkDir::new(path).follow_links(true) {
            match entry {
                Ok(entry) if has_extension(entry.path(), extensions) && entry.file_type().is_file() => {
                    found.push(entry.into_path());
                }
                Ok(_) => {}
                // A link to a folder around it, or to nothing.
                Err(error) if error.loop_ancestor().is_some() || is_dangling(error.path()) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        found[begin..].sort();
    }
    Ok(found)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}

fn is_dangling(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path.is_symlink() && !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg(unix)]
    fn a_link_to_its_own_folder_is_passed_over() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [inner, outer] = ["a/b", "a"].map(|name| folder.path().join(name));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("x.smt2"), "").unwrap();
        fs::write(outer.join("notes.txt"), "").unwrap();
        symlink(&outer, inner.join("loop")).unwrap();
        symlink("nowhere", outer.join("dangling.smt2")).unwrap();
        let found = files(&[folder.path().to_owned(), outer.join("notes.txt")], &["smt2"]).unwrap();
        assert_eq!(found, [inner.join("x.smt2"), outer.join("notes.txt")]);
        assert!(files(&[folder.path().join("none")], &["smt2"]).unwrap_err().contains("none"));
    }
}
