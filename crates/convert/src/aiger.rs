//! The printer of AIGER 1.9.
//!
//! Every bit of an input is an input, every bit of a state a latch, named after it with the number of the
//! bit in brackets; terms become gates by the circuits of `bivalve-bitblast`. A system without frames and
//! without bad states is a formula: its only output is the conjunction of its constraints, as AIGER before
//! 1.9 has it.
//!
//! Outputs are written only where nothing is asked of the system. AIGER 1.9 says that outputs beside bad
//! states are no properties, but tools that have one list for both, such as ABC, check them all.
//!
//! A memory becomes registers, one for each cell, if it has at most [`MEMORY_BITS`] bits. Larger ones are
//! refused, and functions, which have no bits. Cost: that of bit-blasting.

use crate::reset::with_constant_resets;
use bivalve_bitblast::{AigerFormat, AndGraph, BitBlaster, BlastError, Edge};
use bivalve_systems::{NoRegisters, Output, Registers, System};
use bivalve_terms::{Pool, Sort, Term, cone};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Why a system has no AIGER.
pub(crate) enum Refusal {
    /// A function of this name.
    Function(String),
    /// A sort that has no bits.
    Sort(String),
    /// Memories that are too large.
    Memory(NoRegisters),
    /// The circuits are too large.
    Blast(BlastError),
}

/// The most bits of a memory.
const MEMORY_BITS: u64 = 1 << 16;

/// What stands in the file, each literal as an edge.
struct Parts {
    /// The bits of inputs, then those of states: term, bit.
    leaves: Vec<(Term, u32)>,
    inputs: usize,
    next: Vec<Edge>,
    /// Reset values: `None` for an uninitialised latch.
    resets: Vec<Option<bool>>,
    /// Outputs, bad states, constraints, fairness.
    sections: [Vec<Edge>; 4],
    justices: Vec<Vec<Edge>>,
}

/// The system as an AIGER file.
pub(crate) fn print(pool: &mut Pool, system: &System, format: AigerFormat) -> Result<Vec<u8>, Refusal> {
    let is_array = |&term: &Term| pool.sorts().array_parts(pool.sort(term)).is_some();
    let is_function = |&term: &Term| pool.sorts().is_function(pool.sort(term));
    let terms = cone(pool, &system.terms());
    if let Some(&function) = terms.iter().find(|term| is_function(term)) {
        return Err(Refusal::Function(pool.name(function).unwrap_or_default().to_owned()));
    }
    let mut sorts = terms.iter().map(|&term| pool.sort(term));
    if let Some(sort) = sorts.find(|&sort| !has_bits(pool, sort)) {
        return Err(Refusal::Sort(pool.sorts().display(sort).to_string()));
    }
    let mut system = match terms.iter().any(is_array) {
        false => with_constant_resets(pool, system),
        true => {
            let registers = Registers::new(pool, system, MEMORY_BITS, &mut |_| true);
            with_constant_resets(pool, &registers.map_err(Refusal::Memory)?.system)
        }
    };
    if !system.bads.is_empty() || !system.justices.is_empty() {
        system.outputs.clear();
    }
    let is_formula = system.is_combinational() && system.bads.is_empty() && system.fairs.is_empty();
    if is_formula {
        let constraints: Vec<Term> = std::mem::take(&mut system.constraints).iter().map(|c| c.term).collect();
        let all = pool.and_all(&constraints);
        system.outputs = vec![Output { term: all, name: None }];
    }
    let mut blaster = BitBlaster::new();
    let parts = blast(&mut blaster, pool, &system)?;
    Ok(write(&blaster, pool, &system, &parts, format))
}

/// Whether values of the sort are bits, or memories of them.
fn has_bits(pool: &Pool, sort: Sort) -> bool {
    let is_word = |sort: Sort| sort.is_bool() || sort.width().is_some();
    let parts = pool.sorts().array_parts(sort);
    is_word(sort) || parts.is_some_and(|(index, element)| is_word(index) && is_word(element))
}

fn blast(blaster: &mut BitBlaster, pool: &Pool, system: &System) -> Result<Parts, Refusal> {
    let mut bits = |term: Term| -> Result<Vec<Edge>, Refusal> {
        blaster.bits(pool, term).map(<[Edge]>::to_vec).map_err(Refusal::Blast)
    };
    let mut leaves = vec![];
    let mut inputs = 0;
    for (place, symbol) in
        system.inputs.iter().map(|i| (0, i.term)).chain(system.states.iter().map(|s| (1, s.term)))
    {
        let width = bits(symbol)?.len() as u32;
        leaves.extend((0..width).map(|bit| (symbol, bit)));
        inputs += if place == 0 { width as usize } else { 0 };
    }
    let (mut next, mut resets) = (vec![], vec![]);
    for state in &system.states {
        let width = bits(state.term)?.len() as u32;
        next.extend(bits(state.next.expect("each state has a next value"))?);
        let init = state.init.and_then(|init| pool.as_bitvec(init));
        let truth = state.init.and_then(|init| pool.as_bool(init));
        resets.extend((0..width).map(|bit| init.as_ref().map(|value| value.bit(bit)).or(truth)));
    }
    let mut section = |terms: &mut dyn Iterator<Item = Term>| -> Result<Vec<Edge>, Refusal> {
        terms.map(&mut bits).collect::<Result<Vec<_>, _>>().map(|edges| edges.concat())
    };
    let sections = [
        section(&mut system.outputs.iter().map(|o| o.term))?,
        section(&mut system.bads.iter().map(|p| p.term))?,
        section(&mut system.constraints.iter().map(|p| p.term))?,
        section(&mut system.fairs.iter().map(|p| p.term))?,
    ];
    let justices = system
        .justices
        .iter()
        .map(|justice| section(&mut justice.terms.iter().copied()))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Parts { leaves, inputs, next, resets, sections, justices })
}

/// Literals of the file: those of inputs and latches in their order, then those of gates.
struct Literals {
    ands: AndGraph,
    /// The variable of each input of the cone.
    leaves: Vec<u32>,
    /// The number of inputs and latches.
    first: u32,
}

impl Literals {
    fn of(&self, literal: u32) -> u32 {
        let (variable, inputs) = (literal / 2, self.leaves.len() as u32);
        let mapped = match variable {
            0 => 0,
            v if v <= inputs => self.leaves[v as usize - 1],
            v => v - inputs + self.first,
        };
        2 * mapped + literal % 2
    }
}

fn write(blaster: &BitBlaster, pool: &Pool, system: &System, parts: &Parts, format: AigerFormat) -> Vec<u8> {
    let justices: Vec<Edge> = parts.justices.concat();
    let roots = [&parts.next[..], &parts.sections.concat(), &justices].concat();
    let ands = AndGraph::new(blaster.graph(), &roots);
    let variables: FxHashMap<(Term, u32), u32> =
        parts.leaves.iter().zip(1..).map(|(&leaf, variable)| (leaf, variable)).collect();
    let leaves = ands.inputs().iter().map(|&edge| {
        let leaf = blaster.origin(edge).expect("an input of the graph is a bit of a leaf");
        variables[&leaf]
    });
    let leaves = leaves.collect();
    let literals = Literals { ands, leaves, first: parts.leaves.len() as u32 };
    let mut text = header(parts, literals.ands.ands().len(), format);
    let mut outputs = literals.ands.outputs().iter().map(|&literal| literals.of(literal));
    let mut put = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("a string can be written to");
    };
    if format == AigerFormat::Ascii {
        (1..=parts.inputs).for_each(|variable| put(format_args!("{}", 2 * variable)));
    }
    for (number, reset) in parts.resets.iter().enumerate() {
        let own = 2 * (parts.inputs + number + 1);
        let next = outputs.next().expect("each latch has a next value");
        let reset = match reset {
            Some(false) => String::new(),
            Some(true) => " 1".into(),
            None => format!(" {own}"),
        };
        match format {
            AigerFormat::Ascii => put(format_args!("{own} {next}{reset}")),
            AigerFormat::Binary => put(format_args!("{next}{reset}")),
        }
    }
    let [shown, bads, constraints, fairs] = parts.sections.each_ref().map(Vec::len);
    let plain: Vec<u32> = outputs.by_ref().take(shown + bads + constraints).collect();
    let fair: Vec<u32> = outputs.by_ref().take(fairs).collect();
    plain.into_iter().for_each(|literal| put(format_args!("{literal}")));
    parts.justices.iter().for_each(|justice| put(format_args!("{}", justice.len())));
    outputs.for_each(|literal| put(format_args!("{literal}")));
    fair.into_iter().for_each(|literal| put(format_args!("{literal}")));
    let mut bytes = text.into_bytes();
    write_gates(&mut bytes, &literals, format);
    write_names(&mut bytes, pool, system, parts);
    bytes
}

fn header(parts: &Parts, ands: usize, format: AigerFormat) -> String {
    let tag = if format == AigerFormat::Ascii { "aag" } else { "aig" };
    let latches = parts.leaves.len() - parts.inputs;
    let [outputs, bads, constraints, fairs] = parts.sections.each_ref().map(Vec::len);
    let (most, inputs) = (parts.leaves.len() + ands, parts.inputs);
    let mut text = format!("{tag} {most} {inputs} {latches} {outputs} {ands}");
    let more = [bads, constraints, parts.justices.len(), fairs];
    let used = more.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    // Outputs beside no bad state at all would be taken for bad states.
    let used = if used == 0 && outputs > 0 && latches > 0 { 1 } else { used };
    for count in &more[..used] {
        write!(text, " {count}").expect("a string can be written to");
    }
    text.push('\n');
    text
}

fn write_gates(bytes: &mut Vec<u8>, literals: &Literals, format: AigerFormat) {
    for (number, operands) in literals.ands.ands().iter().enumerate() {
        let own = 2 * (literals.first + number as u32 + 1);
        let [a, b] = operands.map(|literal| literals.of(literal));
        let (large, small) = (a.max(b), a.min(b));
        match format {
            AigerFormat::Ascii => bytes.extend(format!("{own} {large} {small}\n").bytes()),
            AigerFormat::Binary => {
                for mut difference in [own - large, large - small] {
                    while difference >= 0x80 {
                        bytes.push(difference as u8 | 0x80);
                        difference >>= 7;
                    }
                    bytes.push(difference as u8);
                }
            }
        }
    }
}

/// The outputs, one for each of their bits.
fn bits_of_outputs<'s>(pool: &'s Pool, system: &'s System) -> impl Iterator<Item = (&'s Output, u32)> {
    system.outputs.iter().flat_map(|output| {
        let width = pool.width(output.term).unwrap_or(1);
        (0..width).map(move |bit| (output, bit))
    })
}

fn write_names(bytes: &mut Vec<u8>, pool: &Pool, system: &System, parts: &Parts) {
    let mut put = |kind: char, number: usize, name: &str| {
        let name = name.replace(char::is_control, "?");
        bytes.extend(format!("{kind}{number} {name}\n").bytes());
    };
    for (number, &(leaf, bit)) in parts.leaves.iter().enumerate() {
        let (kind, number) = match number.checked_sub(parts.inputs) {
            None => ('i', number),
            Some(latch) => ('l', latch),
        };
        let name = pool.name(leaf).unwrap_or_default();
        match pool.width(leaf) {
            None | Some(1) => put(kind, number, name),
            Some(_) => put(kind, number, &format!("{name}[{bit}]")),
        }
    }
    for (number, (output, bit)) in bits_of_outputs(pool, system).enumerate() {
        let Some(name) = &output.name else { continue };
        match pool.width(output.term) {
            None | Some(1) => put('o', number, name),
            Some(_) => put('o', number, &format!("{name}[{bit}]")),
        }
    }
    let lists = [('b', &system.bads), ('c', &system.constraints), ('f', &system.fairs)];
    for (kind, list) in lists {
        for (number, property) in list.iter().enumerate() {
            property.name.iter().for_each(|name| put(kind, number, name));
        }
    }
    for (number, justice) in system.justices.iter().enumerate() {
        justice.name.iter().for_each(|name| put('j', number, name));
    }
}
