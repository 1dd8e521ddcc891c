//! The written report: `table.md` in full, and a shorter form of the same for the terminal.
//!
//! Wrong answers and disagreements come first, in capitals, so that no table stands between them and the
//! reader; then the scores, the families, and single files. The text is Markdown with aligned columns: it
//! reads the same in a pager.

use super::OURS;
use super::duel::{self, Bout};
use super::family::{self, Family};
use super::select::Problem;
use super::setup::Setup;
use bivalve_experiment::log::{Log, Run, Status};
use bivalve_experiment::score::{self, Board, Score};
use bivalve_experiment::table::Table;
use bivalve_experiment::verdict::Verdict;
use std::fmt::Write;

/// How many rows the short form shows of a long table.
const SHORT: usize = 12;
/// How many losses and wins are listed.
const EXTREMES: usize = 10;

/// How much to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// Everything: for `table.md`.
    Full,
    /// Long tables cut: for the terminal.
    Short,
}

/// All that a report is made from.
pub(crate) struct Report<'r> {
    /// The runs, judged.
    pub(crate) log: &'r Log,
    /// The selection.
    pub(crate) problems: &'r [Problem],
    /// What the judging found.
    pub(crate) verdict: &'r Verdict,
    /// Under which conditions, where that is known.
    pub(crate) setup: Option<&'r Setup>,
    /// The peer that ratios refer to.
    pub(crate) reference: Option<&'r str>,
}

impl Report<'_> {
    /// The report as Markdown.
    pub(crate) fn markdown(&self, length: Length) -> String {
        let board = score::board(self.log, self.reference);
        let mut text = String::from("# Bivalve beside its peers\n\n");
        if let Some(setup) = self.setup {
            text.push_str(&setup.description());
        }
        text.push_str(&self.verdict.findings());
        section(&mut text, "Scores", &scores(&board), Length::Full);
        text.push_str(&legend(&board));
        if self.log.ran(OURS) {
            let families = family::families(self.log, self.problems);
            section(
                &mut text,
                "By family, greatest loss to the best peer first",
                &family_table(&families),
                length,
            );
        }
        if let Some(peer) = self.reference.filter(|_| self.log.ran(OURS)) {
            let (losses, wins) = duel::extremes(self.log, peer, EXTREMES);
            section(
                &mut text,
                &format!("Worst losses to {peer}"),
                &duel_table(&losses, peer, "lost s"),
                Length::Full,
            );
            section(
                &mut text,
                &format!("Best wins over {peer}"),
                &duel_table(&wins, peer, "won s"),
                Length::Full,
            );
        }
        text
    }
}

/// A heading and its table; nothing for an empty one.
fn section(text: &mut String, heading: &str, table: &Table, length: Length) {
    if table.is_empty() {
        return;
    }
    let cut = table.len().saturating_sub(SHORT);
    let written = match length {
        Length::Short if cut > 0 => {
            writeln!(text, "## {heading}\n\n{}({cut} more in table.md)\n", table.head(SHORT))
        }
        _ => writeln!(text, "## {heading}\n\n{table}"),
    };
    written.expect("writing to a string cannot fail");
}

/// The reference: the one asked for, else Bitwuzla, else the first peer by name.
///
/// # Errors
/// When the one asked for did not run; then the names that did.
pub(crate) fn reference(log: &Log, asked: Option<&str>) -> Result<Option<String>, String> {
    let ran = |name: &str| log.others(OURS).any(|peer| peer == name);
    match asked {
        Some(name) if ran(name) => Ok(Some(name.to_owned())),
        Some(name) => {
            let peers: Vec<&str> = log.others(OURS).collect();
            Err(format!("`{name}` is not a peer of this measurement; it has: {}", peers.join(", ")))
        }
        None if ran("bitwuzla") => Ok(Some("bitwuzla".to_owned())),
        None => Ok(log.others(OURS).next().map(str::to_owned)),
    }
}

fn scores(board: &Board) -> Table {
    let mut table = Table::new(&[
        "<solver",
        "files",
        "solved",
        "sat",
        "unsat",
        "multi",
        "unknown",
        "timeout",
        "memout",
        "error",
        "WRONG",
        "PAR-2 s",
        "common CPU s",
        "PAR-2 ratio",
        "share",
        "median MB",
        "max MB",
    ]);
    for score in &board.scores {
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
        cells.extend([
            format!("{:.2}", score.par2),
            format!("{:.2}", score.common_cpu),
            ratio(score.par2_ratio),
            share(score),
            format!("{:.0}", score.median_mb),
            format!("{:.0}", score.max_mb),
        ]);
        table.row(cells);
    }
    table
}

/// What the columns of the score table mean in this measurement.
fn legend(board: &Board) -> String {
    let mut text = format!(
        "PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the {} files that every solver solved. \
         Multi: scripts with several checks, all answered.\n",
        board.common
    );
    if let Some(peer) = &board.reference {
        text.push_str(&format!(
            "PAR-2 ratio: to {peer}, on files that both ran on. Share: of the files that {peer} solved.\n"
        ));
    }
    if board
        .scores
        .iter()
        .any(|score| score.solver.starts_with("bitwuzla") || score.solver.starts_with("cvc5"))
    {
        text.push_str(
            "Peers that run from a Python wheel carry the interpreter's start-up (about 20 ms, 12 MB) in every run.\n",
        );
    }
    text.push('\n');
    text
}

fn family_table(families: &[Family]) -> Table {
    let mut table = Table::new(&[
        "<family",
        "files",
        "solved",
        "PAR-2 s",
        "<best peer",
        "its solved",
        "its PAR-2 s",
        "ratio",
        "lost s",
    ]);
    for family in families {
        let mut cells = vec![
            family.name.clone(),
            family.files.to_string(),
            family.ours.solved.to_string(),
            format!("{:.2}", family.ours.par2),
        ];
        match &family.best {
            Some((peer, best)) => cells.extend([
                if best.solved > 0 { peer.clone() } else { "(none)".to_owned() },
                best.solved.to_string(),
                format!("{:.2}", best.par2),
                ratio((best.par2 > 0.0).then(|| family.ours.par2 / best.par2)),
                format!("{:+.2}", family.lost()),
            ]),
            None => cells.extend(["-"; 5].map(str::to_owned)),
        }
        table.row(cells);
    }
    table
}

/// Bouts with their difference in seconds, which is always positive here.
fn duel_table(bouts: &[Bout<'_>], peer: &str, difference: &str) -> Table {
    let (ours, theirs) = (format!("<{OURS}"), format!("<{peer}"));
    let mut table = Table::new(&["<file", &ours, &theirs, "ratio", difference]);
    for bout in bouts {
        table.row(vec![
            bout.ours.file.clone(),
            outcome(bout.ours),
            outcome(bout.theirs),
            ratio(bout.ratio()),
            format!("{:.2}", bout.lost().abs()),
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

fn ratio(ratio: Option<f64>) -> String {
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
    use super::super::sample;
    use super::*;
    use bivalve_experiment::verdict;
    use insta::assert_snapshot;

    #[test]
    fn the_whole_report_of_the_sample() {
        let mut log = sample::log();
        let problems = sample::problems();
        let verdict = verdict::judge(&mut log, &super::super::index(&problems));
        let report = Report {
            log: &log,
            problems: &problems,
            verdict: &verdict,
            setup: None,
            reference: Some("bitwuzla"),
        };
        assert_snapshot!(report.markdown(Length::Full), @r"
        # Bivalve beside its peers

        ## WRONG ANSWERS: 1, DISAGREEMENTS: 1

        - WRONG bivalve: answers sat, stated unsat (the index): perf/b/disputed.smt2
        - DISAGREE on check 1 (sat: bivalve; unsat: bitwuzla, yices): perf/b/disputed.smt2

        ## Scores

        | solver   | files | solved | sat | unsat | multi | unknown | timeout | memout | error | WRONG | PAR-2 s | common CPU s | PAR-2 ratio |      share | median MB | max MB |
        |:---------|------:|-------:|----:|------:|------:|--------:|--------:|-------:|------:|------:|--------:|-------------:|------------:|-----------:|----------:|-------:|
        | bitwuzla |     6 |      5 |   2 |     2 |     1 |       0 |       1 |      0 |     0 |     0 |   36.00 |         3.00 |       x1.00 | 5/5 100.0% |        30 |    500 |
        | yices    |     5 |      3 |   1 |     1 |     1 |       0 |       1 |      0 |     1 |     0 |   48.25 |         3.25 |       x1.51 |  3/4 75.0% |         6 |     80 |
        | bivalve  |     6 |      3 |   1 |     1 |     1 |       0 |       1 |      1 |     0 |     1 |   64.00 |         2.00 |       x1.78 |  2/5 40.0% |        30 |   6000 |

        PAR-2: CPU seconds, twice the limit where unsolved. Common CPU: on the 2 files that every solver solved. Multi: scripts with several checks, all answered.
        PAR-2 ratio: to bitwuzla, on files that both ran on. Share: of the files that bitwuzla solved.
        Peers that run from a Python wheel carry the interpreter's start-up (about 20 ms, 12 MB) in every run.

        ## By family, greatest loss to the best peer first

        | family       | files | solved | PAR-2 s | best peer | its solved | its PAR-2 s | ratio | lost s |
        |:-------------|------:|-------:|--------:|:----------|-----------:|------------:|------:|-------:|
        | hard things  |     3 |      1 |   42.00 | bitwuzla  |          2 |       27.00 | x1.56 | +15.00 |
        | quick things |     3 |      2 |   22.00 | bitwuzla  |          3 |        9.00 | x2.44 | +13.00 |

        ## Worst losses to bitwuzla

        | file                 | bivalve | bitwuzla     | ratio | lost s |
        |:---------------------|:--------|:-------------|------:|-------:|
        | perf/b/disputed.smt2 | wrong   | 3.00 s unsat | x6.67 |  17.00 |
        | perf/b/heavy.btor2   | memout  | 4.00 s sat   | x5.00 |  16.00 |
        | perf/a/slow.smt2     | timeout | 6.00 s unsat | x3.33 |  14.00 |

        ## Best wins over bitwuzla

        | file                | bivalve       | bitwuzla      | ratio | won s |
        |:--------------------|:--------------|:--------------|------:|------:|
        | perf/b/hard.smt2    | 2.00 s unsat  | timeout       | x0.10 | 18.00 |
        | perf/a/quick.smt2   | 0.50 s sat    | 1.00 s sat    | x0.50 |  0.50 |
        | perf/a/session.smt2 | 1.50 s solved | 2.00 s solved | x0.75 |  0.50 |
        ");
    }

    #[test]
    fn a_clean_run_says_so() {
        assert_eq!(Verdict::default().findings(), "No wrong answers, no disagreements.\n\n");
    }

    #[test]
    fn peers_alone_are_scored_without_duels() {
        let mut log = sample::log();
        log.retain(|run| run.solver != OURS);
        let verdict = Verdict::default();
        let report =
            Report { log: &log, problems: &[], verdict: &verdict, setup: None, reference: Some("bitwuzla") };
        let text = report.markdown(Length::Short);
        assert!(text.contains("## Scores") && !text.contains("family") && !text.contains("losses"), "{text}");
    }

    #[test]
    fn the_reference_is_bitwuzla_unless_asked_otherwise() {
        let mut log = sample::log();
        assert_eq!(reference(&log, None), Ok(Some("bitwuzla".to_owned())));
        assert_eq!(reference(&log, Some("yices")), Ok(Some("yices".to_owned())));
        assert!(reference(&log, Some("z3")).unwrap_err().contains("bitwuzla, yices"));
        log.retain(|run| run.solver != "bitwuzla");
        assert_eq!(reference(&log, None), Ok(Some("yices".to_owned())));
        log.retain(|run| run.solver == "bivalve");
        assert_eq!(reference(&log, None), Ok(None));
    }
}
