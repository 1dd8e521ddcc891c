//! The run log: one line of JSON for each result, keyed by content.
//!
//! A line is `{"key":"...", ...}`: the [`Key`] of what was asked, and the fields of the result. The log is
//! the state of a campaign or an experiment: a result whose key is there is used again and not computed.
//! Lines are only ever appended, each by one write, so a process that is killed at any point leaves whole
//! lines and at most one torn one at the end. A torn line is no result; it is cut off when the log is opened
//! for writing again. Any other line that cannot be read is an error with its number, because a log costs
//! hours. When a key occurs twice, the later line counts, so merging the same log twice changes nothing.
//!
//! A log that is open for writing is locked against other processes, where the file system can lock; another
//! process is waited for, for a second.

use crate::Key;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry<T> {
    /// The key of what was asked.
    pub key: Key,
    /// The result.
    #[serde(flatten)]
    pub result: T,
}

impl<T: Serialize> Entry<T> {
    /// The line, with its end.
    ///
    /// # Errors
    /// When the result cannot be written as JSON.
    pub fn line(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A line that is not the last one cannot be read.
    #[error("{}, line {line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The reader's reason.
        source: serde_json::Error,
    },
    /// Another process writes to it.
    #[error("{}: another process writes to this log", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

/// How often, and how long each time, another process is waited for.
const WAITS: u32 = 50;
const WAIT: Duration = Duration::from_millis(20);

impl LogError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> LogError + '_ {
        move |source| LogError::Io { path: path.to_owned(), source }
    }
}

/// A log that is open for writing.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens a log, which is made if it is not there, and cuts off a torn last line.
    ///
    /// # Errors
    /// When the file cannot be opened, or another process writes to it.
    pub fn open(path: &Path) -> Result<Log, LogError> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.map_or(Ok(()), fs::create_dir_all).map_err(LogError::io(path))?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let file = file.map_err(LogError::io(path))?;
        // A solver that was being started when its campaign was killed has the lock until it runs.
        let is_busy = || matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let mut waits = 0;
        while is_busy() {
            if waits == WAITS {
                return Err(LogError::Busy { path: path.to_owned() });
            }
            waits += 1;
            std::thread::sleep(WAIT);
        }
        cut_torn_line(&file).map_err(LogError::io(path))?;
        Ok(Log { path: path.to_owned(), file })
    }

    /// Appends a result.
    ///
    /// # Errors
    /// When the line cannot be written, for example because the disk is full.
    pub fn append<T: Serialize>(&mut self, entry: &Entry<T>) -> Result<(), LogError> {
        let line = entry.line().map_err(io::Error::other);
        line.and_then(|line| self.file.write_all(line.as_bytes())).map_err(LogError::io(&self.path))
    }
}

/// Cuts off what follows the last end of a line.
fn cut_torn_line(mut file: &File) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let (mut end, mut block) = (length, [0; 4096]);
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        io::Read::read_exact(&mut file, part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length { file.set_len(end) } else { Ok(()) }
}

/// Reads a log line by line; there are no entries if it does not exist. `each` gets every entry in order.
///
/// # Errors
/// When the file cannot be read, or a line before the last one is not an entry.
pub fn each<T: DeserializeOwned>(path: &Path, mut each: impl FnMut(Entry<T>)) -> Result<(), LogError> {
    let mut lines = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(LogError::io(path)(error)),
    };
    let (mut number, mut line) = (0, vec![]);
    while lines.read_until(b'\n', &mut line).map_err(LogError::io(path))? > 0 {
        number += 1;
        match serde_json::from_slice(&line) {
            // The last line, torn.
            _ if line.last() != Some(&b'\n') => {}
            Ok(entry) => each(entry),
            Err(source) => return Err(LogError::Line { path: path.to_owned(), line: number, source }),
        }
        line.clear();
    }
    Ok(())
}

/// Reads logs into one map; of entries with the same key the last one stays.
///
/// # Errors
/// As [`each`].
pub fn read<T: DeserializeOwned>(paths: &[impl AsRef<Path>]) -> Result<BTreeMap<Key, T>, LogError> {
    let mut results = BTreeMap::new();
    for path in paths {
        each(path.as_ref(), |entry: Entry<T>| {
            results.insert(entry.key, entry.result);
        })?;
    }
    Ok(results)
}

/// The keys of logs, without the memory that the results would take.
///
/// # Errors
/// As [`each`].
pub fn keys(paths: &[impl AsRef<Path>]) -> Result<BTreeSet<Key>, LogError> {
    #[derive(Deserialize)]
    struct Nothing {}
    let mut keys = BTreeSet::new();
    for path in paths {
        each(path.as_ref(), |entry: Entry<Nothing>| {
            keys.insert(entry.key);
        })?;
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Answer {
        says: String,
    }

    fn entry(number: u32) -> Entry<Answer> {
        Entry { key: Key::of([number.to_string()]), result: Answer { says: format!("{number}\n") } }
    }

    /// Whatever the byte at which a process was killed, the log holds the whole lines and goes on.
    #[test]
    fn a_log_that_was_cut_at_any_byte_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/folder/log.jsonl");
        let mut log = Log::open(&path).unwrap();
        (0..3).for_each(|number| log.append(&entry(number)).unwrap());
        drop(log);
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let there = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(read::<Answer>(&[&path]).unwrap().len(), there, "{length}");
            let mut log = Log::open(&path).unwrap();
            log.append(&entry(7)).unwrap();
            drop(log);
            let results = read::<Answer>(&[&path, &path]).unwrap();
            assert_eq!(results.len(), there + 1, "{length}");
            assert!(keys(&[&path]).unwrap().iter().eq(results.keys()));
            assert_eq!(results[&entry(7).key], entry(7).result);
        }
    }

    #[test]
    fn a_broken_line_inside_is_an_error_with_its_number_and_a_writer_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        assert!(read::<Answer>(&[&path]).unwrap().is_empty());
        let log = Log::open(&path).unwrap();
        assert!(matches!(Log::open(&path), Err(LogError::Busy { .. })));
        drop(log);
        fs::write(&path, format!("{}nonsense\n", entry(1).line().unwrap())).unwrap();
        let said = read::<Answer>(&[&path]).unwrap_err().to_string();
        assert!(said.contains("log.jsonl, line 2: "), "{said}");
    }
}
