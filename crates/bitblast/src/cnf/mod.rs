//! From gates to clauses, on demand.
//!
//! Tseitin's encoding, straight from the graph: a gate that is needed gets a variable and the clauses that
//! define it, in both directions, since half definitions propagate less and hide the gates from the SAT
//! solver's own preprocessing. Needed is what lies below the edges that are asserted or asked for, and only
//! what was not encoded before; so the encoding grows with the questions, and each gate is encoded once.
//!
//! Fewer variables than gates, because patterns get clauses of their own ([`cone`], [`clauses`]):
//!
//! - a tree of conjunctions whose inner nodes nothing else reads is one conjunction of many operands;
//! - a majority is the carry of an adder when the half sum `a ^ b` of two of its operands is encoded too:
//!   then it is `ite(a ^ b, c, a)`, else it has its own 6 clauses.
//!
//! At the top there is more to gain ([`roots`]): an asserted conjunction is its parts, an asserted
//! disjunction is one clause, an asserted equality needs no variable.
//!
//! Cost: linear in the gates encoded; 5 bytes a node of the graph.
//!
//! What was measured with CaDiCaL 3 (circuits of the example `encodings`, and 26 files of public benchmarks
//! that take seconds): plain Tseitin over conjunctions has 21 clauses for a full adder instead of 14 and
//! takes 1.2 to 2 times as long, and ten times for adder identities. Two more ways have 14 clauses as well
//! and lie within a tenth of this one: parities of three operands, and majorities with clauses of their own
//! where the half sum is encoded. They are better for chains of adders alone, had more outliers, and were
//! dropped. Without the redundant clauses of if-then-else adder identities take three times as long.
//! Variables that are numbered from parents to children double the time: CaDiCaL decides the largest numbers
//! first.

mod clauses;
mod cone;
mod roots;

use crate::edge::Edge;
use crate::graph::{GateGraph, POLL};
use bivalve_sat_adapter::{ClauseSink, Lit, Stop};
pub(crate) use clauses::Definition;
use cone::Marks;
use serde::Serialize;
use std::ops::AddAssign;

/// What was encoded so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct CnfStatistics {
    /// Inputs that got a variable.
    pub inputs: u64,
    /// Conjunctions, of two or more operands.
    pub ands: u64,
    /// Exclusive ors of two operands.
    pub xors: u64,
    /// If-then-elses, carries that are encoded as such among them.
    pub ites: u64,
    /// Majorities.
    pub majorities: u64,
    /// Variables made.
    pub variables: u64,
    /// Clauses added.
    pub clauses: u64,
    /// Literals in them.
    pub literals: u64,
}

impl AddAssign for CnfStatistics {
    fn add_assign(&mut self, other: CnfStatistics) {
        let CnfStatistics { inputs, ands, xors, ites, majorities, variables, clauses, literals } = self;
        *inputs += other.inputs;
        *ands += other.ands;
        *xors += other.xors;
        *ites += other.ites;
        *majorities += other.majorities;
        *variables += other.variables;
        *clauses += other.clauses;
        *literals += other.literals;
    }
}

/// Gives edges their literals. One encoder goes with one graph and one sink.
#[derive(Default)]
pub struct CnfEncoder {
    statistics: CnfStatistics,
    /// By node: its literal, once it has one.
    literals: Vec<Option<Lit>>,
    /// A literal that is true.
    truth: Option<Lit>,
    marks: Marks,
    /// The clause that is being made.
    clause: Vec<Lit>,
    /// What ends encoding early.
    stop: Stop,
    is_stopped: bool,
    /// Nodes since the flag was looked at, in all cones: many small ones take as long as a large one.
    unlooked: usize,
}

impl CnfEncoder {
    /// Nothing encoded yet.
    pub fn new() -> CnfEncoder {
        CnfEncoder::default()
    }

    /// Nothing encoded yet; encoding ends early when the flag is raised.
    pub(crate) fn stopped_by(stop: &Stop) -> CnfEncoder {
        CnfEncoder { stop: stop.clone(), ..CnfEncoder::default() }
    }

    /// Whether encoding has ended early: gates lack their definitions, so the clauses serve no more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// What was encoded so far.
    pub fn statistics(&self) -> CnfStatistics {
        self.statistics
    }

    /// The literal of an edge that was encoded before; `None` if no clause mentions it, so that its value
    /// does not matter. The constants have none until one of them is asked for by [`CnfEncoder::literal`].
    pub fn lookup(&self, edge: Edge) -> Option<Lit> {
        let lit =
            if edge.is_constant() { self.truth.map(|t| !t) } else { *self.literals.get(edge.index())? };
        lit.map(|lit| signed(lit, edge.is_negated()))
    }

    /// The literal of an edge; encodes what is below it, as far as it was not encoded before.
    pub fn literal<S: ClauseSink + ?Sized>(&mut self, graph: &GateGraph, edge: Edge, sink: &mut S) -> Lit {
        if edge.is_constant() {
            return signed(!self.truth(sink), edge.is_negated());
        }
        self.follow(graph);
        if self.literals[edge.index()].is_none() {
            match self.is_stopped {
                true => self.literals[edge.index()] = Some(sink.new_var()),
                false => self.encode(graph, edge.node(), sink),
            }
        }
        let lit = self.literals[edge.index()].expect("the root of an encoded cone has a literal");
        signed(lit, edge.is_negated())
    }

    /// Makes the table as long as the graph has become.
    fn follow(&mut self, graph: &GateGraph) {
        if self.literals.len() < graph.len() {
            self.literals.resize(graph.len(), None);
        }
    }

    /// Encodes the cone of a node that has no literal yet.
    fn encode<S: ClauseSink + ?Sized>(&mut self, graph: &GateGraph, root: u32, sink: &mut S) {
        let mut marks = std::mem::take(&mut self.marks);
        marks.collect(graph, root, &self.literals);
        for &node in marks.needed() {
            self.statistics.variables += 1;
            self.literals[node as usize] = Some(sink.new_var());
        }
        let mut operands = Vec::new();
        for &node in marks.needed() {
            if self.is_over() {
                break;
            }
            let definition = marks.definition(graph, node, &self.literals, &mut operands);
            self.define(node, definition, &operands, sink);
        }
        marks.clear();
        self.marks = marks;
    }

    /// Counts a node. Is encoding to end?
    fn is_over(&mut self) -> bool {
        self.unlooked += 1;
        if self.unlooked == POLL {
            self.unlooked = 0;
            self.is_stopped |= self.stop.reason().is_some();
        }
        self.is_stopped
    }

    fn define<S: ClauseSink + ?Sized>(
        &mut self,
        node: u32,
        definition: Definition,
        operands: &[Edge],
        sink: &mut S,
    ) {
        let out = self.literals[node as usize].expect("a needed node has its literal");
        let lits: Vec<Lit> = operands
            .iter()
            .map(|&edge| self.lookup(edge).expect("operands of a needed node are needed"))
            .collect();
        match definition {
            Definition::Input => self.statistics.inputs += 1,
            Definition::And => self.statistics.ands += 1,
            Definition::Xor => self.statistics.xors += 1,
            Definition::Ite => self.statistics.ites += 1,
            Definition::Majority => self.statistics.majorities += 1,
        }
        clauses::define(definition, out, &lits, &mut |clause| {
            #[cfg(feature = "faults")]
            let clause = match definition {
                Definition::And => crate::planted::conjunction_clause(clause),
                _ => clause,
            };
            self.emit(clause, sink);
        });
    }

    /// A literal that is true.
    fn truth<S: ClauseSink + ?Sized>(&mut self, sink: &mut S) -> Lit {
        if let Some(truth) = self.truth {
            return truth;
        }
        let truth = sink.new_var();
        self.statistics.variables += 1;
        self.count(&[truth]);
        sink.add_clause(&[truth]);
        self.truth = Some(truth);
        truth
    }

    /// Adds a clause, without what is known to be true or false.
    fn emit<S: ClauseSink + ?Sized>(&mut self, clause: &[Lit], sink: &mut S) {
        let Some(truth) = self.truth else {
            self.count(clause);
            return sink.add_clause(clause);
        };
        if clause.contains(&truth) {
            return;
        }
        if !clause.contains(&!truth) {
            self.count(clause);
            return sink.add_clause(clause);
        }
        self.clause.clear();
        self.clause.extend(clause.iter().filter(|&&lit| lit != !truth));
        self.statistics.clauses += 1;
        self.statistics.literals += self.clause.len() as u64;
        sink.add_clause(&self.clause);
    }

    fn count(&mut self, clause: &[Lit]) {
        self.statistics.clauses += 1;
        self.statistics.literals += clause.len() as u64;
    }
}

/// The literal, negated if the flag is set.
fn signed(lit: Lit, negate: bool) -> Lit {
    if negate { !lit } else { lit }
}
