//! The table of a campaign: solvers and kinds of cases by kinds of failure, as Becker's tables 12 to 15.
//!
//! A row for each solver, group and expected status; the columns of table 12; and behind them how many of the
//! errors were crashes, how many of the incorrect cores were merely imprecise, and the time in seconds. Rows
//! are sorted by name, so the same records give the same table.

use crate::judge::Kind;
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

/// Counts of a campaign.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Solvers in the order of their first appearance.
    solvers: Vec<String>,
    rows: BTreeMap<Key, Row>,
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
        }
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
}

fn cells(solver: &str, group: &str, expected: &str, row: &Row) -> Vec<String> {
    let mut cells = vec![solver.to_owned(), group.to_owned(), expected.to_owned(), row.tests.to_string()];
    cells.extend(row.kinds.iter().map(u64::to_string));
    cells.extend([row.crashes.to_string(), row.imprecise.to_string()]);
    cells.push(format!("{}.{}s", row.us / 1_000_000, row.us % 1_000_000 / 100_000));
    cells
}
