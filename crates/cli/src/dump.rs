//! Dumps of what the SAT solver sees: the gates as AIGER, the clauses as DIMACS.
//!
//! A dump is written after each check of the script, over the one before, and has the answer of that check:
//! it states what preprocessing left of the assertions and assumptions, with the lemmas that were made so far
//! ([`Solver::question_as_gates`]). What preprocessing refutes alone leaves no gates; then the dump is
//! contradictory by itself. AIGER has one output, which can be true if the answer is `sat`.

use crate::outputs;
use bivalve::bitblast::{AigerFormat, CnfEncoder, input_name, write_aiger_clauses};
use bivalve::sat::{ClauseSink, CnfLog};
use bivalve::terms::Pool;
use bivalve::{CheckResult, Question, Solver};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the gates: ASCII for a name that ends in `.aag`, else binary.
pub(crate) fn aiger(
    path: &Path,
    solver: &mut Solver,
    pool: &mut Pool,
    answer: CheckResult,
) -> Result<(), String> {
    let format =
        if path.extension().is_some_and(|e| e == "aag") { AigerFormat::Ascii } else { AigerFormat::Binary };
    write(path, solver, pool, |question, pool, out| {
        write_aiger_clauses(question.blaster, pool, &question.clauses, format, out)?;
        writeln!(out, "c\nthe check was answered by {}", name_of(answer))
    })
}

/// Writes the clauses, with the inputs named in comments.
pub(crate) fn cnf(
    path: &Path,
    solver: &mut Solver,
    pool: &mut Pool,
    answer: CheckResult,
) -> Result<(), String> {
    write(path, solver, pool, |Question { blaster, clauses: stated }, pool, out| {
        let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
        for clause in stated {
            match clause[..] {
                // Some programs read no empty clause.
                [] => {
                    let any = clauses.new_var();
                    clauses.add_clause(&[any]);
                    clauses.add_clause(&[!any]);
                }
                [root] => encoder.assert_root(blaster.graph(), root, &mut clauses),
                _ => {
                    let literals =
                        clause.iter().map(|&edge| encoder.literal(blaster.graph(), edge, &mut clauses));
                    let literals: Vec<_> = literals.collect();
                    clauses.add_clause(&literals);
                }
            }
        }
        writeln!(out, "c the check was answered by {}", name_of(answer))?;
        for (_, _, edge) in blaster.inputs() {
            if let Some(literal) = encoder.lookup(edge) {
                writeln!(out, "c {literal} {}", input_name(blaster, pool, edge))?;
            }
        }
        clauses.write_dimacs(&[], out)
    })
}

/// An answer as it is printed.
fn name_of(answer: CheckResult) -> &'static str {
    match answer {
        CheckResult::Sat => "sat",
        CheckResult::Unsat => "unsat",
        CheckResult::Unknown(_) => "unknown",
    }
}

/// Writes a file, which is left empty when the check has no gates.
fn write(
    path: &Path,
    solver: &mut Solver,
    pool: &mut Pool,
    contents: impl FnOnce(&Question<'_>, &Pool, &mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let file = outputs::create(path)?;
    let question = solver.question_as_gates(pool);
    let question = question.map_err(|why| format!("{}: nothing was written: {why}", path.display()))?;
    let mut out = BufWriter::new(file);
    let written = contents(&question, pool, &mut out).and_then(|()| out.flush());
    written.map_err(|error| outputs::unwritable(path, &error))
}
