//! Statistics for people and for programs.
//!
//! The table is aligned; JSON is one object a file, with the same numbers under the names of the fields; the
//! answer to `(get-info :all-statistics)` has the rows of the table.

use bivalve::{PassStatistics, Statistics};
use bivalve_formats::smtlib::print;
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// Everything that one file cost.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The input.
    pub file: &'a str,
    /// Seconds from the first byte to the last answer.
    pub total_seconds: f64,
    /// Seconds spent reading text into terms.
    pub parse_seconds: f64,
    /// Bytes of text read.
    pub bytes: u64,
    /// Peak resident memory of the process in megabytes.
    pub peak_megabytes: Option<f64>,
    /// What other engines were good for, with threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engines: Option<bivalve_portfolio::Statistics>,
    /// Times and counts of the solver.
    #[serde(flatten)]
    pub solver: Statistics,
}

impl<'a> Report<'a> {
    /// A report of one file, made when it is done.
    pub(crate) fn new(
        file: &'a str,
        total: Duration,
        parse: Duration,
        bytes: u64,
        peak_memory: Option<u64>,
        solver: Statistics,
    ) -> Self {
        let peak_megabytes = peak_memory.map(|bytes| bytes as f64 / (1 << 20) as f64);
        let (total_seconds, parse_seconds) = (total.as_secs_f64(), parse.as_secs_f64());
        Report { file, total_seconds, parse_seconds, bytes, peak_megabytes, engines: None, solver }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
    }

    /// The answer to `(get-info :all-statistics)`.
    pub(crate) fn smtlib(&self) -> String {
        let pairs = self.rows().into_iter().skip(1).map(|(name, value)| {
            let value = if value.contains(' ') { print::string(&value) } else { value };
            format!(":{} {value}", name.trim().replace(": ", "-").replace(' ', "-"))
        });
        format!("({})", pairs.collect::<Vec<_>>().join("\n "))
    }

    /// An aligned table.
    pub fn table(&self) -> String {
        let mut rows = self.rows();
        rows.extend(self.solver.passes.iter().map(|pass| (format!("  pass {}", pass.name), gain(pass))));
        let rules = self.solver.rules.iter().take(RULES_SHOWN);
        rows.extend(rules.map(|(rule, count)| (format!("  rule {rule}"), count.to_string())));
        align(&rows)
    }

    /// Names and values, the file first.
    fn rows(&self) -> Vec<(String, String)> {
        let mut rows: Vec<(String, String)> = vec![];
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        row("file", self.file.to_owned());
        let seconds = &self.solver.seconds;
        for (name, value) in [
            ("total s", self.total_seconds),
            ("  parse s", self.parse_seconds),
            ("  rewrite s", seconds.rewrite),
            ("  probe s", seconds.probe),
            ("  local search s", seconds.local_search),
            ("  blast s", seconds.blast),
            ("  encode s", seconds.encode),
            ("  sat s", seconds.sat),
            ("    approx s", seconds.approx),
            ("  words s", seconds.words),
            ("  model s", seconds.model),
        ] {
            row(name, format!("{value:.3}"));
        }
        if let Some(megabytes) = self.peak_megabytes {
            row("peak memory MB", format!("{megabytes:.1}"));
        }
        for (name, value) in [
            ("bytes read", self.bytes),
            ("checks", self.solver.checks),
            ("checks answered by an earlier model", self.solver.former_models),
            ("assertions", self.solver.assertions),
            ("terms", self.solver.terms),
            ("rewrites", self.solver.rewrites),
            ("eliminated symbols", self.solver.eliminated),
            ("preprocessed anew", self.solver.restarts),
            ("gates", self.solver.gates),
            ("  live now", self.solver.gates_live),
            ("  dead now", self.solver.gates_dead),
            ("rebuilds", self.solver.rebuilds),
            ("variables", self.solver.clauses.variables),
            ("clauses", self.solver.clauses.clauses),
            ("literals", self.solver.clauses.literals),
        ] {
            row(name, value.to_string());
        }
        if let Some(engines) = &self.engines {
            row("checks with other engines", engines.contested.to_string());
            row("  rounds", engines.rounds.to_string());
            row("  without an answer", engines.open.to_string());
            for wins in &engines.wins {
                row(&format!("  won by {}", wins.engine), wins.wins.to_string());
            }
            if let Some(winner) = engines.winner {
                row("  last winner", winner.to_owned());
            }
        }
        let moves = &self.solver.local_search;
        if moves.moves > 0 {
            row("moves of local search", moves.moves.to_string());
            row("  violated conjuncts", moves.violated.to_string());
        }
        let words = &self.solver.words;
        if words.compared > 0 {
            row("words compared", words.compared.to_string());
            row("  equal", words.equal.to_string());
            row("  questions", words.questions.to_string());
        }
        let approx = &self.solver.approx;
        if approx.checks > 0 {
            row("approximated leaves", approx.vectors.to_string());
            row("  effective width", format!("{:.1} %", 100.0 * approx.ratio));
            for (name, value) in [
                ("  refined", approx.refinements),
                ("  early unsat", approx.early),
                ("  sat", approx.sat),
                ("  given up", approx.given_up),
                ("  searches", approx.searches),
                ("  approx conflicts", approx.conflicts),
            ] {
                row(name, value.to_string());
            }
        }
        for (refiner, counters) in self.solver.refiners.iter() {
            let counted = counters.iter().filter(|&(_, count)| count > 0);
            counted.for_each(|(name, count)| {
                row(&format!("{refiner}: {}", name.replace('_', " ")), count.to_string())
            });
        }
        if let Some(sat) = &self.solver.sat {
            for (name, count) in [
                ("conflicts", sat.conflicts),
                ("decisions", sat.decisions),
                ("propagations", sat.propagations),
            ] {
                row(name, count.map_or("not counted".into(), |count| count.to_string()));
            }
        }
        rows
    }
}

/// What a pass did, in a line.
fn gain(pass: &PassStatistics) -> String {
    let PassStatistics { tried, changed, seconds, terms_before, terms_after, .. } = pass;
    match changed {
        0 => format!("{seconds:.3} s, changed 0 of {tried}"),
        _ => format!("{seconds:.3} s, changed {changed} of {tried}, terms {terms_before} to {terms_after}"),
    }
}

/// The table shows the most frequent rules only; JSON has all of them.
const RULES_SHOWN: usize = 12;

/// Names to the left, values in a column to the right.
fn align(rows: &[(String, String)]) -> String {
    let names = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let values = rows[1..].iter().map(|(_, value)| value.len()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:names$}  {value:>values$}");
        text
    })
}
