//! Dumps of what the SAT solver sees: the gates as AIGER, the clauses as DIMACS.
//!
//! A dump is written after each check, over the one before, and holds everything that was asserted down to
//! gates so far. What simplification decided alone leaves no gates; then the dump is the constant it found.

use bivalve::Solver;
use bivalve::bitblast::{AigerFormat, CnfEncoder, write_aiger};
use bivalve::sat::CnfLog;
use bivalve::terms::Pool;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the asserted gates: ASCII for a name that ends in `.aag`, else binary.
pub(crate) fn aiger(path: &Path, solver: &Solver, pool: &Pool) -> Result<(), String> {
    let format =
        if path.extension().is_some_and(|e| e == "aag") { AigerFormat::Ascii } else { AigerFormat::Binary };
    write(path, |out| {
        let (blaster, roots) = solver.circuit();
        write_aiger(blaster, pool, &roots, format, out)
    })
}

/// Writes the clauses of the asserted gates, with the inputs named in comments.
pub(crate) fn cnf(path: &Path, solver: &Solver, pool: &Pool) -> Result<(), String> {
    write(path, |out| {
        let (blaster, roots) = solver.circuit();
        let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
        roots.iter().for_each(|&root| encoder.assert_root(blaster.graph(), root, &mut clauses));
        for (leaf, bit, edge) in blaster.inputs() {
            let name = pool.name(leaf).unwrap_or("?");
            if let Some(literal) = encoder.lookup(edge) {
                writeln!(out, "c {literal} {name}[{bit}]")?;
            }
        }
        clauses.write_dimacs(&[], out)
    })
}

fn write(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::new(file);
        contents(&mut out)?;
        out.flush()
    });
    written.map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}
