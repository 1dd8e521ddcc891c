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
    pub(crate) fn count(&mut self, winner: Option<&'static str>, rounds: u64) {
        if self.wins.is_empty() {
            self.wins = ENGINES.iter().map(|row| Wins { engine: row.name, wins: 0 }).collect();
        }
        self.contested += 1;
        self.rounds += rounds;
        self.open += u64::from(winner.is_none());
        let wins = self.wins.iter_mut().filter(|wins| Some(wins.engine) == winner);
        wins.for_each(|wins| wins.wins += 1);
        self.winner = winner;
    }
}
