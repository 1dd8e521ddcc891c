//! The written report of an experiment: findings, one table, and its parts.
//!
//! Wrong answers and disagreements come first. The table
//! has a line a column, in the order of the matrix; the same again for each family where that is asked for.
//! The text is Markdown with aligned columns: it reads the same in a pager.

use crate::family::{self, Family};
use crate::log::{Log, Run, Status};
use crate::matches::{self, Match};
use crate::score::{self, Board, Score};
use crate::setup::Setup;
use crate::verdict::Verdict;
use bivalve_harness::Table;

/// All that a report is made from.
pub struct Report<'r> {
    /// The experiment.
    pub setup: &'r Setup,
    /// Its runs, judged.
    pub log: &'r Log,
    /// What the judging found.
    pub verdict: &'r Verdict,
    /// Names of statistics whose means are to be shown.
    pub show: &'r [String],
    /// The column that the first one is compared with, family by family and file by file.
    pub against: Option<&'r str>,
    /// How families are shown.
    pub families: Families,
}

/// How families are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Families {
    /// One table with a line for each family: the first column beside the best of the others.
    pub compared: bool,
    /// The whole table again for each family.
    pub apart: bool,
}

/// How many losses and wins are listed.
const EXTREMES: usize = 10;

impl Report<'_> {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# Experiment\n\n{}{}", self.conditions(), self.verdict.findings());
        let board = self.board(self.log);
        text.push_str(&format!("## All files\n\n{}\n{}", self.table(&board, self.log), self.legend(&board)));
        let first = self.setup.columns.first().map_or("", |column| &column.name);
        if self.families.compared && self.log.ran(first) {
            let families = family::families(self.log, self.setup, first);
            text += &format!(
                "\n## {first} by family, greatest loss to the best other first\n\n{}",
                compared(&families)
            );
        }
        if let Some(other) = self.against {
            let (losses, wins) = matches::extremes(self.log, first, other, EXTREMES);
            for (heading, all) in [("Worst losses to", losses), ("Best wins over", wins)] {
                if !all.is_empty() {
                    text += &format!("\n## {heading} {other}\n\n{}", listed(&all, first, other));
                }
            }
        }
        if self.families.apart {
            for (family, files) in self.setup.families() {
                let mut log = self.log.clone();
                log.retain(|run| files.contains(run.file.as_str()));
                if log.runs().next().is_none() {
                    continue;
                }
                let board = self.board(&log);
                text.push_str(&format!(
                    "\n## {family} ({} files)\n\n{}",
                    files.len(),
                    self.table(&board, &log)
                ));
            }
        }
        text
    }

    /// The names of numbers that some run has, of which one is similar to `name`.
    ///
    /// # Errors
    /// A sentence with the names there are, when no run has a number of the name.
    pub fn check_shown(&self) -> Result<(), String> {
        for name in self.show {
            if !self.log.runs().any(|run| run.stats.contains_key(name)) {
                let mut known: Vec<&str> =
                    self.log.runs().flat_map(|run| run.stats.keys()).map(String::as_str).collect();
                known.sort_unstable();
                known.dedup();
                let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
                return Err(format!("no run has a number '{name}'; recorded is: {known}"));
            }
        }
        Ok(())
    }

    fn board(&self, log: &Log) -> Board {
        score::board(log, self.against)
    }

    /// Under which conditions the runs were made.
    fn conditions(&self) -> String {
        let Setup { request, version, time_limit, memory_limit, seeds, columns, subjects } = self.setup;
        let missing = self.setup.jobs().count() - self.log.runs().count();
        let missing = if missing > 0 { format!("; {missing} runs are missing") } else { String::new() };
        let seeds = if *seeds > 1 { format!(", {seeds} seeds") } else { String::new() };
        format!(
            "- request: `{request}`\n- version: {version}\n- limits: {time_limit} s of CPU time, {memory_limit} MB of address space\n\
             - {} columns, {} files{seeds}{missing}\n\n",
            columns.len(),
            subjects.len(),
        )
    }

    fn table(&self, board: &Board, log: &Log) -> Table {
        let mut headings = vec![
            "<column",
            "runs",
            "solved",
            "sat",
            "unsat",
            "multi",
            "unknown",
            "timeout",
            "memout",
            "error",
            "WRONG",
            "DISPUTED",
            "PAR-2 s",
            "common CPU s",
            "CPU ratio",
            "median MB",
            "max MB",
        ];
        if self.against.is_some() {
            headings.extend(["PAR-2 ratio", "share"]);
        }
        let shown: Vec<String> = self.show.iter().map(|name| format!("mean {name}")).collect();
        headings.extend(shown.iter().map(String::as_str));
        let mut table = Table::new(&headings);
        let first = self.setup.columns.first().and_then(|column| self.score(board, &column.name));
        for column in &self.setup.columns {
            let Some(score) = self.score(board, &column.name) else { continue };
            let counts = [
                Status::Sat,
                Status::Unsat,
                Status::Solved,
                Status::Unknown,
                Status::Timeout,
                Status::Memout,
                Status::Error,
                Status::Wrong,
            ];
            let mut cells = vec![score.solver.clone(), score.files.to_string(), score.solved().to_string()];
            cells.extend(counts.map(|status| score.count(status).to_string()));
            let ratio =
                first.filter(|first| first.common_cpu > 0.0).map(|first| score.common_cpu / first.common_cpu);
            cells.extend([
                self.disputes(log, &column.name).to_string(),
                format!("{:.2}", score.par2),
                format!("{:.2}", score.common_cpu),
                ratio.map_or("-".to_owned(), |ratio| format!("x{ratio:.2}")),
                format!("{:.0}", score.median_mb),
                format!("{:.0}", score.max_mb),
            ]);
            if self.against.is_some() {
                cells.extend([shown_ratio(score.par2_ratio), share(score)]);
            }
            cells.extend(self.show.iter().map(|name| {
                score::mean(log, &column.name, name).map_or("-".to_owned(), |mean| format!("{mean:.3}"))
            }));
            table.row(cells);
        }
        table
    }

    /// Disagreements about files of this log that a column is a party to.
    fn disputes(&self, log: &Log, column: &str) -> usize {
        let here = |file: &str| log.of(column).any(|run| run.file == file);
        let party = |camps: &Vec<String>| camps.iter().any(|name| name == column);
        self.verdict
            .disagreements
            .iter()
            .filter(|one| one.camps.values().any(party) && here(&one.file))
            .count()
    }

    fn score<'b>(&self, board: &'b Board, column: &str) -> Option<&'b Score> {
        board.scores.iter().find(|score| score.solver == column)
    }

    /// What the columns of the table mean here.
    fn legend(&self, board: &Board) -> String {
        let mut text = format!(
            "PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the {} runs that every column solved; its ratio is \
             to the first column.\nMulti: scripts with several checks, all answered. WRONG: against `:status`; DISPUTED: against other columns.\n",
            board.common
        );
        if let Some(other) = self.against {
            text += &format!(
                "PAR-2 ratio: to {other}, on files that both ran on. Share: of the files that {other} solved.\n"
            );
        }
        if !self.show.is_empty() {
            text.push_str("Means are over the runs that recorded the number.\n");
        }
        text
    }
}

/// The table of families.
fn compared(families: &[Family]) -> Table {
    let headings = [
        "<family",
        "files",
        "solved",
        "PAR-2 s",
        "<best other",
        "its solved",
        "its PAR-2 s",
        "ratio",
        "lost s",
    ];
    let mut table = Table::new(headings);
    for family in families {
        let Family { name, files, ours, best } = family;
        let mut cells =
            vec![name.clone(), files.to_string(), ours.solved.to_string(), format!("{:.2}", ours.par2)];
        match best {
            Some((other, best)) => cells.extend([
                if best.solved > 0 { other.clone() } else { "(none)".to_owned() },
                best.solved.to_string(),
                format!("{:.2}", best.par2),
                shown_ratio((best.par2 > 0.0).then(|| ours.par2 / best.par2)),
                format!("{:+.2}", family.lost()),
            ]),
            None => cells.extend(["-"; 5].map(str::to_owned)),
        }
        table.row(cells);
    }
    table
}

/// Matches with their difference in seconds, which is positive in both lists.
fn listed(all: &[Match<'_>], first: &str, other: &str) -> Table {
    let mut table =
        Table::new(["<file", &format!("<{first}"), &format!("<{other}"), "ratio", "difference s"]);
    for one in all {
        let difference = format!("{:.2}", one.lost().abs());
        table.row([
            one.ours.instance(),
            outcome(one.ours),
            outcome(one.theirs),
            shown_ratio(one.ratio()),
            difference,
        ]);
    }
    table
}

/// A run in a few characters: seconds and answer, or what stopped it.
fn outcome(run: &Run) -> String {
    match run.status.is_solved() {
        true => format!("{:.2} s {}", run.cpu, run.status.word()),
        false => run.status.word().to_owned(),
    }
}

fn shown_ratio(ratio: Option<f64>) -> String {
    match ratio {
        Some(ratio) if ratio >= 100.0 => format!("x{ratio:.0}"),
        Some(ratio) => format!("x{ratio:.2}"),
        None => "-".to_owned(),
    }
}

fn share(score: &Score) -> String {
    match score.share {
        Some((mine, all)) if all > 0 => format!("{mine}/{all} {:.1}%", 100.0 * mine as f64 / all as f64),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::{sample, verdict};
    use insta::assert_snapshot;

    #[test]
    fn the_whole_report_of_the_sample() {
        let mut log = sample::log();
        log.retain(|run| run.solver != "bitwuzla");
        log.runs_mut().filter(|run| run.solver == "bivalve").zip(1..).for_each(|(run, n)| {
            run.stats.insert("arrays.rounds".to_owned(), f64::from(n));
        });
        let setup = sample::setup(&log);
        let verdict = verdict::judge(&mut log, &sample::index());
        let show = ["arrays.rounds".to_owned()];
        let families = Families { apart: true, ..Families::default() };
        let report =
            Report { setup: &setup, log: &log, verdict: &verdict, show: &show, against: None, families };
        assert_eq!(report.check_shown(), Ok(()));
        assert_snapshot!(report.markdown(), @r"
        # Experiment

        - request: `experiment perf`
        - version: bivalve 0.1.0
        - limits: 10 s of CPU time, 6000 MB of address space
        - 2 columns, 6 files; 1 runs are missing

        ## WRONG ANSWERS: 1, DISAGREEMENTS: 1

        - WRONG bivalve: answers sat, stated unsat (the index): perf/b/disputed.smt2
        - DISAGREE on check 1 (sat: bivalve; unsat: yices): perf/b/disputed.smt2

        ## All files

        | column  | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean arrays.rounds |
        |---------|------|--------|-----|-------|-------|---------|---------|--------|-------|-------|----------|---------|--------------|-----------|-----------|--------|--------------------|
        | yices   |    5 |      3 |   1 |     1 |     1 |       0 |       1 |      0 |     1 |     0 |        1 |   48.25 |         3.25 |     x1.00 |         6 |     80 |                  - |
        | bivalve |    6 |      3 |   1 |     1 |     1 |       0 |       1 |      1 |     0 |     1 |        1 |   64.00 |         2.00 |     x0.62 |        30 |   6000 |              3.500 |

        PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the 2 runs that every column solved; its ratio is to the first column.
        Multi: scripts with several checks, all answered. WRONG: against `:status`; DISPUTED: against other columns.
        Means are over the runs that recorded the number.

        ## a (3 files)

        | column  | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean arrays.rounds |
        |---------|------|--------|-----|-------|-------|---------|---------|--------|-------|-------|----------|---------|--------------|-----------|-----------|--------|--------------------|
        | yices   |    3 |      2 |   1 |     0 |     1 |       0 |       0 |      0 |     1 |     0 |        0 |   23.25 |         3.25 |     x1.00 |         5 |      6 |                  - |
        | bivalve |    3 |      2 |   1 |     0 |     1 |       0 |       1 |      0 |     0 |     0 |        0 |   22.00 |         2.00 |     x0.62 |        12 |     70 |              2.000 |

        ## b (3 files)

        | column  | runs | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | DISPUTED | PAR-2 s | common CPU s | CPU ratio | median MB | max MB | mean arrays.rounds |
        |---------|------|--------|-----|-------|-------|---------|---------|--------|-------|-------|----------|---------|--------------|-----------|-----------|--------|--------------------|
        | yices   |    2 |      1 |   0 |     1 |     0 |       0 |       1 |      0 |     0 |     0 |        1 |   25.00 |         0.00 |         - |         9 |     80 |                  - |
        | bivalve |    3 |      1 |   0 |     1 |     0 |       0 |       0 |      1 |     0 |     1 |        1 |   42.00 |         0.00 |         - |        40 |   6000 |              5.000 |
        ");
        let report = Report { show: &["rounds".to_owned()], ..report };
        let refusal = report.check_shown().unwrap_err();
        assert_eq!(refusal, "no run has a number 'rounds'; recorded is: arrays.rounds");
    }
    #[test]
    fn the_first_column_against_another() {
        let mut log = sample::log();
        let mut setup = sample::setup(&log);
        setup.columns.reverse();
        setup.columns.push(Column { name: "bitwuzla".to_owned(), ..setup.columns[0].clone() });
        let verdict = verdict::judge(&mut log, &sample::index());
        let families = Families { compared: true, ..Families::default() };
        let report = Report {
            setup: &setup,
            log: &log,
            verdict: &verdict,
            show: &[],
            against: Some("bitwuzla"),
            families,
        };
        let text = report.markdown();
        assert!(text.contains("PAR-2 ratio: to bitwuzla"), "{text}");
        assert_snapshot!(text[text.find("## bivalve by family").unwrap()..], @r"
        ## bivalve by family, greatest loss to the best other first

        | family | files | solved | PAR-2 s | best other | its solved | its PAR-2 s | ratio | lost s |
        |--------|-------|--------|---------|------------|------------|-------------|-------|--------|
        | b      |     3 |      1 |   42.00 | bitwuzla   |          2 |       27.00 | x1.56 | +15.00 |
        | a      |     3 |      2 |   22.00 | bitwuzla   |          3 |        9.00 | x2.44 | +13.00 |

        ## Worst losses to bitwuzla

        | file                 | bivalve | bitwuzla     | ratio | difference s |
        |----------------------|---------|--------------|-------|--------------|
        | perf/b/disputed.smt2 | wrong   | 3.00 s unsat | x6.67 |        17.00 |
        | perf/b/heavy.btor2   | memout  | 4.00 s sat   | x5.00 |        16.00 |
        | perf/a/slow.smt2     | timeout | 6.00 s unsat | x3.33 |        14.00 |

        ## Best wins over bitwuzla

        | file                | bivalve       | bitwuzla      | ratio | difference s |
        |---------------------|---------------|---------------|-------|--------------|
        | perf/b/hard.smt2    | 2.00 s unsat  | timeout       | x0.10 |        18.00 |
        | perf/a/quick.smt2   | 0.50 s sat    | 1.00 s sat    | x0.50 |         0.50 |
        | perf/a/session.smt2 | 1.50 s solved | 2.00 s solved | x0.75 |         0.50 |
        ");
    }
}
