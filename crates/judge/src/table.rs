//! The table of a campaign: solvers and kinds of cases by kinds of failure, as Becker's tables 12 to 15.
//!
//! A row for each solver, group and expected status; the columns of table 12; and behind them how many of the
//! errors were crashes, how many of the incorrect cores were merely imprecise, and the time in seconds. Rows
//! are sorted by name, so the same records give the same table.
//!
//! A second table has the reasons: what was said of replies that count as errors, unknown or wrong, and of
//! models that could not be judged. Reasons that differ only in numbers count as one.

use crate::judge::{Judgement, Kind};
use crate::record::Record;
use bivalve_harness::Table;
use std::collections::BTreeMap;

/// Counts of one row.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Row {
    /// All cases.
    pub tests: u64,
    /// By [`Kind`], in the order of [`Kind::ALL`].
    pub kinds: [u64; 7],
    /// Errors that were crashes.
    pub crashes: u64,
    /// Incorrect cores that were contradictory all the same.
    pub imprecise: u64,
    /// Microseconds.
    pub us: u64,
}

/// What a row is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    solver: usize,
    group: String,
    expected: String,
}

/// How often something was said.
#[derive(Clone, Debug)]
struct Reason {
    count: u64,
    /// The first case, by name, of which it was said, and the words there.
    case: String,
    detail: String,
}

/// Reasons of one solver and kind that are shown, and letters of one.
const REASONS: usize = 5;
const LETTERS: usize = 120;

/// What two reasons have in common if they count as one.
fn pattern(detail: &str) -> String {
    let mut pattern = String::new();
    for letter in detail.chars().take(LETTERS) {
        match letter.is_ascii_digit() {
            true if pattern.ends_with('0') => {}
            true => pattern.push('0'),
            false => pattern.push(letter),
        }
    }
    pattern
}

/// Counts of a campaign.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Solvers in the order of their first appearance.
    solvers: Vec<String>,
    rows: BTreeMap<Key, Row>,
    /// By solver, kind and pattern.
    reasons: BTreeMap<(usize, Kind, String), Reason>,
    /// Cases.
    pub cases: u64,
    /// Records in which something is wrong.
    pub findings: u64,
    /// Cases that are unresolved, or wrong themselves.
    pub remarks: u64,
}

impl Row {
    /// Cases of a kind.
    pub fn of(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    fn add(&mut self, other: &Row) {
        self.tests += other.tests;
        self.kinds.iter_mut().zip(other.kinds).for_each(|(count, more)| *count += more);
        self.crashes += other.crashes;
        self.imprecise += other.imprecise;
        self.us += other.us;
    }
}

impl Tally {
    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.cases += 1;
        self.findings += u64::from(record.is_finding());
        self.remarks += u64::from(record.remark.is_some());
        for entry in &record.results {
            let solver = self.solvers.iter().position(|name| *name == entry.solver).unwrap_or_else(|| {
                self.solvers.push(entry.solver.clone());
                self.solvers.len() - 1
            });
            let expected = record.expected.as_deref().unwrap_or("?").to_uppercase();
            let row = self.rows.entry(Key { solver, group: record.group.clone(), expected }).or_default();
            let mut one = Row { tests: 1, us: entry.us, ..Row::default() };
            one.kinds[entry.judgement.kind as usize] = 1;
            one.crashes = u64::from(entry.judgement.crash);
            one.imprecise = u64::from(entry.judgement.imprecise);
            row.add(&one);
            self.note(solver, &record.case, &entry.judgement);
        }
    }

    fn note(&mut self, solver: usize, case: &str, judgement: &Judgement) {
        if judgement.detail.is_empty() {
            return;
        }
        let key = (solver, judgement.kind, pattern(&judgement.detail));
        let here = || Reason { count: 0, case: case.to_owned(), detail: judgement.detail.clone() };
        let reason = self.reasons.entry(key).or_insert_with(here);
        if *case < *reason.case {
            *reason = Reason { count: reason.count, ..here() };
        }
        reason.count += 1;
    }

    /// The counts of a solver over all groups.
    pub fn total(&self, solver: &str) -> Row {
        let mut total = Row::default();
        let rows = self.rows.iter().filter(|(key, _)| self.solvers[key.solver] == solver);
        rows.for_each(|(_, row)| total.add(row));
        total
    }

    /// The names of the solvers.
    pub fn solvers(&self) -> &[String] {
        &self.solvers
    }

    /// The table as aligned text.
    pub fn table(&self) -> String {
        let head = ["<Solver", "<Theory", "<Expected", "#Tests"].into_iter();
        let head = head.chain(Kind::ALL.map(Kind::word)).chain(["crash", "imprecise", "time"]);
        let mut table = Table::new(head);
        for (at, solver) in self.solvers.iter().enumerate() {
            let rows: Vec<(&Key, &Row)> = self.rows.iter().filter(|(key, _)| key.solver == at).collect();
            rows.iter().for_each(|(key, row)| table.row(cells(solver, &key.group, &key.expected, row)));
            if rows.len() > 1 {
                table.row(cells(solver, "all", "", &self.total(solver)));
            }
        }
        table.text()
    }

    /// What was said of replies, as aligned text, the most frequent first; empty if nothing was.
    pub fn reasons(&self) -> String {
        let mut table = Table::new(["<Solver", "<Kind", "#", "<First case", "<Reason"]);
        let mut left: Vec<(&(usize, Kind, String), &Reason)> = self.reasons.iter().collect();
        left.sort_by(|(a, one), (b, other)| (a.0, a.1, other.count, &a.2).cmp(&(b.0, b.1, one.count, &b.2)));
        for same in left.chunk_by(|(a, _), (b, _)| (a.0, a.1) == (b.0, b.1)) {
            let (solver, kind) = (self.solvers[same[0].0.0].as_str(), same[0].0.1);
            for (_, reason) in same.iter().take(REASONS) {
                let words = reason.detail.split_whitespace().collect::<Vec<_>>().join(" ");
                let shown: String = words.chars().take(LETTERS).collect();
                let shown = if shown.len() < words.len() { shown + "..." } else { shown };
                table.row([solver, kind.word(), &reason.count.to_string(), &reason.case, &shown]);
            }
            let rest = same.get(REASONS..).unwrap_or_default();
            if !rest.is_empty() {
                let count: u64 = rest.iter().map(|(_, reason)| reason.count).sum();
                let shown = format!("{} other reasons", rest.len());
                table.row([solver, kind.word(), &count.to_string(), "", &shown]);
            }
        }
        if self.reasons.is_empty() { String::new() } else { table.text() }
    }
}

fn cells(solver: &str, group: &str, expected: &str, row: &Row) -> Vec<String> {
    let mut cells = vec![solver.to_owned(), group.to_owned(), expected.to_owned(), row.tests.to_string()];
    cells.extend(row.kinds.iter().map(u64::to_string));
    cells.extend([row.crashes.to_string(), row.imprecise.to_string()]);
    cells.push(format!("{}.{}s", row.us / 1_000_000, row.us % 1_000_000 / 100_000));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Result;

    fn record(case: &str, kind: Kind, detail: &str) -> Record {
        let judgement = Judgement { kind, crash: false, imprecise: false, detail: detail.to_owned() };
        let result =
            Result { solver: "z3".to_owned(), options: String::new(), verdicts: vec![], us: 1, judgement };
        let (group, expected) = ("bits".to_owned(), None);
        Record { case: case.to_owned(), group, expected, remark: None, results: vec![result] }
    }

    #[test]
    fn reasons_are_counted_without_their_numbers() {
        let mut tally = Tally::default();
        assert_eq!(tally.reasons(), "");
        tally.add(&record("c", Kind::Passed, ""));
        tally.add(&record("b", Kind::Error, "line 12: unknown constant bvudivo"));
        tally.add(&record("a", Kind::Error, "line 3: unknown constant bvudivo"));
        tally.add(&record("a", Kind::Error, "line 3:\nbad sort"));
        (0..7).for_each(|at| tally.add(&record("d", Kind::Unknown, &"x".repeat(at + 1))));
        let expected = [
            "Solver  Kind  #  First case  Reason",
            "z3      U     1  d           x",
            "z3      U     1  d           xx",
            "z3      U     1  d           xxx",
            "z3      U     1  d           xxxx",
            "z3      U     1  d           xxxxx",
            "z3      U     2              2 other reasons",
            "z3      E     2  a           line 3: unknown constant bvudivo",
            "z3      E     1  a           line 3: bad sort",
        ];
        assert_eq!(tally.reasons().lines().map(str::trim_end).collect::<Vec<_>>(), expected);
    }
}
