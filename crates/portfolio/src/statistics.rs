//! What the engines were good for: counts, the same in every run unless the first answer wins.

use crate::table::ENGINES;
use serde::Serialize;

/// Counts over all checks so far.
#[derive(Clone, Default, Debug, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Checks that took longer than the head start.
    pub contested: u64,
    /// Of these, those without an answer.
    pub open: u64,
    /// Rounds of all these checks.
    pub rounds: u64,
    /// Checks won by each engine.
    pub wins: Vec<Wins>,
    /// The engine that won the last of these checks.
    pub winner: Option<&'static str>,
}

/// The checks that an engine has won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wins {
    /// Its name.
    pub engine: &'static str,
    /// How many there were.
    pub wins: u64,
}

impl Statistics {
    pub(crate) fn count(&mut self, engine: usize, is_decided: bool, rounds: u64) {
        if self.wins.is_empty() {
            self.wins = ENGINES.iter().map(|row| Wins { engine: row.name, wins: 0 }).collect();
        }
        self.contested += 1;
        self.rounds += rounds;
        self.open += u64::from(!is_decided);
        self.wins[engine].wins += u64::from(is_decided);
        self.winner = is_decided.then_some(ENGINES[engine].name);
    }
}
