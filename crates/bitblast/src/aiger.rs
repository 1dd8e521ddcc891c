//! Gates as an AIGER file.
//!
//! The exchange format of And-Inverter Graphs (Biere, *The AIGER And-Inverter Graph (AIG) format*, 2007),
//! combinational part of version 1.0: inputs, conjunctions, outputs. The ASCII form has a line for each, the
//! binary form leaves the inputs implicit and stores each conjunction as two differences of literals, 7 bits
//! a byte. Both end with a symbol table: an input is named after the leaf it stands for and the number of its
//! bit.

use crate::and_graph::AndGraph;
use crate::blaster::BitBlaster;
use crate::edge::Edge;
use crate::graph::Gate;
use bivalve_terms::Pool;
use std::io::{self, Write};

/// The two forms of an AIGER file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AigerFormat {
    /// `aag`: numbers in lines.
    Ascii,
    /// `aig`: differences in bytes.
    Binary,
}

/// Writes the gates below the roots; each root is an output, in the order given.
///
/// # Errors
///
/// When the writer fails.
pub fn write_aiger(
    blaster: &BitBlaster,
    pool: &Pool,
    roots: &[Edge],
    format: AigerFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_and_graph(blaster, pool, &AndGraph::new(blaster.graph(), roots), format, out)
}

/// Writes one output: each clause has a true edge.
///
/// # Errors
///
/// When the writer fails.
pub fn write_aiger_clauses(
    blaster: &BitBlaster,
    pool: &Pool,
    clauses: &[Vec<Edge>],
    format: AigerFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_and_graph(blaster, pool, &AndGraph::of_clauses(blaster.graph(), clauses), format, out)
}

fn write_and_graph(
    blaster: &BitBlaster,
    pool: &Pool,
    ands: &AndGraph,
    format: AigerFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tag = match format {
        AigerFormat::Ascii => "aag",
        AigerFormat::Binary => "aig",
    };
    let (inputs, conjunctions) = (ands.inputs().len(), ands.ands().len());
    writeln!(out, "{tag} {} {inputs} 0 {} {conjunctions}", inputs + conjunctions, ands.outputs().len())?;
    if format == AigerFormat::Ascii {
        for number in 1..=inputs {
            writeln!(out, "{}", 2 * number)?;
        }
    }
    for output in ands.outputs() {
        writeln!(out, "{output}")?;
    }
    for (number, [large, small]) in (inputs as u32 + 1..).zip(ands.ands()) {
        match format {
            AigerFormat::Ascii => writeln!(out, "{} {large} {small}", 2 * number)?,
            AigerFormat::Binary => {
                write_difference(out, 2 * number - large)?;
                write_difference(out, large - small)?;
            }
        }
    }
    for (number, &edge) in ands.inputs().iter().enumerate() {
        writeln!(out, "i{number} {}", input_name(blaster, pool, edge))?;
    }
    Ok(())
}

/// Seven bits a byte, least significant first; the highest bit says that more follow.
fn write_difference(out: &mut dyn Write, mut difference: u32) -> io::Result<()> {
    while difference >= 0x80 {
        out.write_all(&[difference as u8 | 0x80])?;
        difference >>= 7;
    }
    out.write_all(&[difference as u8])
}

/// The name of an input: that of its leaf (a leaf that is no symbol is called by its id), the bit in brackets
/// if it is one of a bit-vector. Line breaks and the like, which would end the name, become question marks.
pub fn input_name(blaster: &BitBlaster, pool: &Pool, edge: Edge) -> String {
    let Some((leaf, bit)) = blaster.origin(edge) else {
        return match blaster.graph().gate_of(edge) {
            Gate::Input(number) => format!("input{number}"),
            gate => unreachable!("{gate:?} is no input"),
        };
    };
    let name =
        pool.name(leaf).map_or_else(|| format!("{leaf:?}"), |name| name.replace(char::is_control, "?"));
    if pool.sort(leaf).is_bool() { name } else { format!("{name}[{bit}]") }
}
