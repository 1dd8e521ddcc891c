//! A run split into tasks, for many machines.
//!
//! The work of a campaign or an experiment is a list of tasks, numbered from 0, that follows from the command
//! line alone. Each process looks at the tasks that it was given ([`Selection`]) and appends its results to a
//! log of its own; logs are merged by their keys ([`crate::log`]). A task may be done twice, by accident or
//! because its process was killed, and counts once. So nothing coordinates the processes, and any engine that
//! starts commands can run them: [`crate::engine`] has two. A [`Planned`] task is a line of a task list, with
//! the command that does it.

use crate::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The tasks that a process looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All tasks.
    #[default]
    All,
    /// These tasks.
    Tasks(BTreeSet<u64>),
    /// The tasks of a shard.
    Shard(Shard),
}

impl Selection {
    /// Whether the task of this number is one of them.
    pub fn has(&self, task: u64) -> bool {
        match self {
            Selection::All => true,
            Selection::Tasks(tasks) => tasks.contains(&task),
            Selection::Shard(Shard { number, count }) => task % count == number - 1,
        }
    }
}

/// Every `count`-th task, beginning with the one of index `number - 1`. Consecutive tasks are often equally
/// hard, so shards take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    pub number: u64,
    /// How many shards there are.
    pub count: u64,
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `2/8`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
            _ => Err(format!("expected a shard such as 2/8, found '{text}'")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// A line of a task list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Its number.
    pub task: u64,
    /// The keys of its results.
    pub keys: Vec<Key>,
    /// The names of what is run.
    pub names: Vec<String>,
    /// The command that does it, as a shell reads it.
    pub command: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_in_one_shard() {
        for count in [1, 3, 8] {
            let shards: Vec<Selection> =
                (1..=count).map(|number| Selection::Shard(Shard { number, count })).collect();
            for task in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.has(task)).count(), 1);
            }
        }
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, count: 8 }));
        for bad in ["0/8", "9/8", "2", "a/b", "1/0", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
