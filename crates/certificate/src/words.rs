//! Words that are equal as sums of weighted bits.
//!
//! What the solver does after a search has not ended soon is done here, too: words that an equation compares
//! are subtracted from each other with all adders opened ([`bivalve_bitblast::relations`]). That gives linear
//! relations between few bits, which the checker adds up. The gates that they mention are made, and bits that
//! must be equal for a relation to hold are proved to be by a SAT solver, in the order in which they were
//! found, so that each is easy after the ones before.
//!
//! Cost: that of the comparison; a small search for each pair of bits, when the certificate is written.

use crate::recorder::Recorder;
use crate::sat::{Problem, Sat};
use crate::search::Source;
use crate::translate::Translation;
use bivalve_bitblast::{Edge, Gate as Node, GateGraph, SolverFactory, relations};
use bivalve_checker::clause::Clauses;
use bivalve_checker::gate::{FALSE, Gate, Gates, Lit, TRUE};
use bivalve_checker::term as to;
use bivalve_checker::words::Relation;
use bivalve_limits::Stop;
use bivalve_sat_adapter::SatResult;
use bivalve_terms::{Op, Pool, Term};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Conflicts of a search before words are compared.
const PATIENCE: u64 = 2_000;

/// Words over more gates are not compared.
const MOST_GATES: usize = 1 << 16;

/// The checker takes no more inputs of a relation.
const MOST_INPUTS: usize = 6;

/// More gates are not looked at to see that an input depends on others.
const MOST_BETWEEN: usize = 8;

/// Conflicts for the proof that two bits are equal; the comparison has found one in fewer.
const CONFLICTS: u64 = 10_000;

/// Two words that are equal for all inputs, and why.
#[derive(Clone)]
pub(crate) struct Comparison {
    /// The words.
    pub(crate) words: [Term; 2],
    relations: Vec<Relation>,
    /// By relation: the bits that were found to be equal.
    equal: Vec<Vec<[Lit; 2]>>,
}

/// What was compared, and what is to be.
#[derive(Default)]
pub(crate) struct Words {
    /// Terms that were looked at, and how many of the encoded ones.
    seen: FxHashSet<Term>,
    looked: usize,
    /// Sides of equations that might be sums.
    candidates: Vec<[Term; 2]>,
    /// The first bits of words without circuits.
    leaves: Vec<u32>,
    /// Words that are equal.
    pub(crate) comparisons: Vec<Comparison>,
}

impl Words {
    /// The conflicts before words are compared, after so many of a search; `None` if none are to be.
    pub(crate) fn patience(
        &mut self,
        pool: &Pool,
        encoded: &[Term],
        translation: &Translation,
        out: &Recorder,
        conflicts: u64,
    ) -> Option<u64> {
        let bits = |term: Term| translation.known(term).and_then(|term| out.kernel.bits(term));
        let is_sum = |term: Term| {
            let is_xor = |bit: &&Lit| matches!(out.kernel.gates().gate_of(bit.var()), Gate::Xor(..));
            bits(term).is_some_and(|bits| 2 * bits.iter().filter(is_xor).count() >= bits.len())
        };
        let mut stack = encoded[self.looked..].to_vec();
        self.looked = encoded.len();
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            match (pool.op(term), pool.args(term)) {
                (Op::Eq, &[a, b]) if pool.width(a).is_some() && is_sum(a) && is_sum(b) => {
                    self.candidates.push([a, b]);
                }
                (Op::Symbol | Op::Select | Op::Apply, _) => {
                    self.leaves.extend(bits(term).and_then(|bits| bits.first()).map(|bit| bit.var()));
                }
                _ => {}
            }
            stack.extend_from_slice(pool.args(term));
        }
        (!self.candidates.is_empty()).then(|| PATIENCE.saturating_sub(conflicts))
    }

    /// Compares words. Gives the clauses by which those are equal that were found to be, with their sources.
    pub(crate) fn compare(
        &mut self,
        translation: &Translation,
        out: &mut Recorder,
        stop: &Stop,
    ) -> Result<Vec<(Source, [Lit; 2])>, String> {
        self.leaves.sort_unstable();
        let mut clauses = vec![];
        for words in std::mem::take(&mut self.candidates) {
            let bits = words.map(|word| translation.known(word).and_then(|word| out.kernel.bits(word)));
            let [Some(a), Some(b)] = bits.map(|bits| bits.map(<[Lit]>::to_vec)) else { continue };
            if let Some(comparison) = Comparison::of(words, [&a, &b], &self.leaves, out, stop)? {
                let equal = a.iter().zip(&b).flat_map(|(&a, &b)| [[a, !b], [!a, b]]);
                let source = |number| Source::Words(self.comparisons.len(), number);
                clauses.extend((0..).map(source).zip(equal));
                self.comparisons.push(comparison);
            }
        }
        Ok(clauses)
    }
}

/// A copy of the gates below some literals.
struct CopiedGates {
    graph: GateGraph,
    /// By node.
    lits: Vec<Lit>,
}

/// The literals that a gate reads.
fn inputs_of(gates: &Gates, var: u32) -> Vec<Lit> {
    match gates.gate_of(var) {
        Gate::Free => vec![],
        Gate::And(a, b) | Gate::Xor(a, b) => vec![a, b],
        Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => vec![a, b, c],
    }
}

/// The variables at and below some literals, without those that are given; inputs of gates first.
fn cone(gates: &Gates, roots: impl Iterator<Item = Lit>, without: &[u32]) -> Vec<u32> {
    let mut seen: FxHashSet<u32> = without.iter().copied().chain([0]).collect();
    let (mut found, mut stack) = (vec![], roots.map(Lit::var).collect::<Vec<u32>>());
    while let Some(var) = stack.pop() {
        if seen.insert(var) {
            found.push(var);
            stack.extend(inputs_of(gates, var).into_iter().map(Lit::var));
        }
    }
    found.sort_unstable();
    found
}

impl CopiedGates {
    /// The copy, the words in it, and where its leaves begin; `None` if it is too large, or two gates would
    /// be one.
    fn new(
        gates: &Gates,
        words: [&[Lit]; 2],
        leaves: &[u32],
    ) -> Option<(CopiedGates, [Vec<Edge>; 2], Vec<u32>)> {
        let cone = cone(gates, words.concat().into_iter(), &[]);
        if cone.len() > MOST_GATES {
            return None;
        }
        let mut edges = vec![Edge::TRUE; cone.last().map_or(0, |&last| last as usize) + 1];
        let mut copy = CopiedGates { graph: GateGraph::plain(), lits: vec![FALSE] };
        let mut first_inputs = vec![];
        for var in cone {
            let of = |lit: Lit| edges[lit.var() as usize] ^ lit.is_negated();
            let graph = &mut copy.graph;
            let edge = match gates.gate_of(var) {
                Gate::Free => {
                    let inputs = graph.counts().inputs;
                    if inputs == 0 || leaves.binary_search(&var).is_ok() {
                        first_inputs.push(inputs);
                    }
                    graph.input()
                }
                Gate::And(a, b) => graph.build(Node::And(of(a), of(b))),
                Gate::Xor(a, b) => graph.build(Node::Xor(of(a), of(b))),
                Gate::Mux(c, a, b) => graph.build(Node::Ite(of(c), of(a), of(b))),
                Gate::Maj(a, b, c) => graph.build(Node::Maj(of(a), of(b), of(c))),
            };
            if edge.index() != copy.lits.len() {
                return None;
            }
            copy.lits.push(Lit::from_code(var << 1).flip(edge.is_negated()));
            edges[var as usize] = edge;
        }
        let words = words.map(|word| {
            word.iter().map(|lit| edges[lit.var() as usize] ^ lit.is_negated()).collect::<Vec<Edge>>()
        });
        Some((copy, words, first_inputs))
    }

    fn lit(&self, edge: Edge) -> Lit {
        self.lits[edge.index()].flip(edge.is_negated())
    }

    /// Makes the gates at and below some edges that were added to the copy.
    fn make(&mut self, edges: impl Iterator<Item = Edge>, out: &mut Recorder) -> Result<(), String> {
        let first = self.lits.len();
        let (mut needed, mut stack) = (vec![false; self.graph.len()], edges.collect::<Vec<Edge>>());
        while let Some(edge) = stack.pop() {
            if edge.index() >= first && !std::mem::replace(&mut needed[edge.index()], true) {
                let (inputs, count) = self.graph.gate_of(edge).fanins();
                stack.extend(&inputs[..count]);
            }
        }
        self.lits.resize(self.graph.len(), FALSE);
        for node in (first..self.graph.len()).filter(|&node| needed[node]) {
            let gate = self.graph.gate(node as u32);
            let kind = match gate {
                Node::And(..) => 0,
                Node::Xor(..) => 1,
                Node::Ite(..) => 2,
                Node::Maj(..) => 3,
                Node::Constant | Node::Input(_) => return Err("leaves are not made".into()),
            };
            let (inputs, count) = gate.fanins();
            let inputs: Vec<Lit> = inputs[..count].iter().map(|&input| self.lit(input)).collect();
            self.lits[node] = out.gate(kind, &inputs)?;
        }
        Ok(())
    }
}

impl Comparison {
    /// Compares two words that have bits. The gates that it makes are there afterwards.
    pub(crate) fn of(
        words: [Term; 2],
        bits: [&[Lit]; 2],
        leaves: &[u32],
        out: &mut Recorder,
        stop: &Stop,
    ) -> Result<Option<Comparison>, String> {
        // What rules make of gates is less, but relations have more reasons then.
        match Comparison::made(words, bits, (leaves, false), out, stop)? {
            None => Comparison::made(words, bits, (leaves, true), out, stop),
            found => Ok(found),
        }
    }

    fn made(
        words: [Term; 2],
        bits: [&[Lit]; 2],
        (leaves, uses_rules): (&[u32], bool),
        out: &mut Recorder,
        stop: &Stop,
    ) -> Result<Option<Comparison>, String> {
        let Some((mut copy, sums, first_inputs)) = CopiedGates::new(out.kernel.gates(), bits, leaves) else {
            return Ok(None);
        };
        if uses_rules {
            copy.graph.use_rules();
        }
        let factory: SolverFactory = Box::new(|| Problem::Small.solver().expect("the search has one, too"));
        let sums = sums.each_ref().map(Vec::as_slice);
        if sums[0] == sums[1] {
            return Ok(None);
        }
        let Some(found) = relations(&mut copy.graph, &first_inputs, sums, (&factory, stop)) else {
            return Ok(None);
        };
        let edges = found.iter().flat_map(|relation| {
            let summands = relation.summands.iter().map(|&(edge, _)| edge);
            relation.inputs.iter().copied().chain(summands).chain(relation.equal.iter().copied().flatten())
        });
        copy.make(edges, out)?;
        let mut comparison = Comparison { words, relations: vec![], equal: vec![] };
        let mask = u128::MAX >> (u128::BITS as usize - sums[0].len());
        for relation in found {
            let equal: Vec<[Lit; 2]> =
                relation.equal.iter().map(|pair| pair.map(|edge| copy.lit(edge))).collect();
            let mut inputs: Vec<u32> = relation.inputs.iter().map(|&edge| copy.lit(edge).var()).collect();
            inputs.sort_unstable();
            inputs.dedup();
            inputs.retain(|&var| var > 0);
            let summands: Vec<(Lit, BigUint)> = relation
                .summands
                .iter()
                .map(|&(edge, weight)| (copy.lit(edge), BigUint::from(weight & mask)))
                .filter(|(_, weight)| weight.bits() > 0)
                .collect();
            let bits = summands.iter().map(|&(lit, _)| lit).chain(equal.iter().copied().flatten());
            let bits: Vec<u32> = bits.map(Lit::var).filter(|&var| var > 0).collect();
            let constant = BigUint::from(relation.constant & mask);
            let gates = out.kernel.gates();
            let attempt = |(inputs, looked_at)| Relation {
                inputs,
                gates: looked_at,
                summands: summands.clone(),
                constant: constant.clone(),
                clauses: vec![],
            };
            let mut attempts = reasons(gates, &inputs, &bits).into_iter().map(attempt);
            let found = attempts.find(|relation| holds(relation, &equal, gates, sums[0].len()));
            let Some(relation) = found else { return Ok(None) };
            comparison.relations.push(relation);
            comparison.equal.push(equal);
        }
        Ok(Some(comparison))
    }

    /// Shows that the words are equal; gives the number of the first of the clauses that say so, two for each
    /// bit.
    pub(crate) fn show(&self, words: [to::Term; 2], out: &mut Recorder, stop: &Stop) -> Result<u64, String> {
        let mut sat: Sat<u64> = Sat::new(Problem::Small, stop).ok_or("no SAT backend tells its reasons")?;
        out.subtract(words[0], words[1])?;
        for (relation, equal) in self.relations.iter().zip(&self.equal) {
            let mut clauses = vec![];
            for &[a, b] in equal {
                for clause in [[a, !b], [!a, b]] {
                    clauses.extend(prove(&clause, &mut sat, out)?);
                }
            }
            let relation = Relation { clauses, ..relation.clone() };
            out.relation(&relation)?;
        }
        out.cancel()
    }
}

/// The inputs and the gates of a relation between these bits, in two ways: the gates between the inputs and
/// the bits; and with what bits and inputs are made of, since inputs may depend on each other. The last bit
/// of a signed sum is what its carry and the bits leave over that the carry is made of.
fn reasons(gates: &Gates, inputs: &[u32], bits: &[u32]) -> [(Vec<u32>, Vec<u32>); 2] {
    let below = |var: u32| inputs_of(gates, var).into_iter().map(Lit::var).filter(|&var| var > 0);
    let mut between = cone(gates, bits.iter().map(|&var| Lit::from_code(var << 1)), inputs);
    let is_made = |&var: &u32| below(var).next().is_some() && below(var).all(|var| inputs.contains(&var));
    between.extend(inputs.iter().copied().filter(is_made));
    between.sort_unstable();
    let mut more = inputs.to_vec();
    let all: BTreeSet<u32> = bits.iter().chain(inputs).copied().collect();
    let reads = |reader: u32, var: u32| below(reader).any(|read| read == var);
    for &var in &all {
        let missing: Vec<u32> = below(var).filter(|var| !more.contains(var)).collect();
        let is_shared = below(var).any(|read| {
            inputs.contains(&read) || all.iter().any(|&other| other != var && reads(other, read))
        });
        if is_shared && more.len() + missing.len() <= MOST_INPUTS {
            more.extend(missing);
        }
    }
    let mut looked_at = vec![];
    for var in all.into_iter().chain(more.iter().copied()).filter(|&var| gates.gate_of(var) != Gate::Free) {
        let above = cone(gates, inputs_of(gates, var).into_iter(), &more);
        if above.len() <= MOST_BETWEEN && above.iter().all(|&var| gates.gate_of(var) != Gate::Free) {
            looked_at.extend(above);
            looked_at.push(var);
        }
    }
    looked_at.sort_unstable();
    looked_at.dedup();
    [(inputs.to_vec(), between), (more, looked_at)]
}

/// Does a relation hold where these bits are equal?
fn holds(relation: &Relation, equal: &[[Lit; 2]], gates: &Gates, width: usize) -> bool {
    let mut clauses = Clauses::default();
    let pairs = equal.iter().flat_map(|&[a, b]| [[a, !b], [!a, b]]);
    let numbers = pairs.map(|clause| clauses.push(&clause, "equal")).collect();
    let relation = Relation { clauses: numbers, ..relation.clone() };
    relation.check(gates, &clauses, &(BigUint::from(1u8) << width)).is_ok()
}

/// Proves a clause of gates; gives its number, or nothing if it is true anyway.
fn prove(clause: &[Lit; 2], sat: &mut Sat<u64>, out: &mut Recorder) -> Result<Option<u64>, String> {
    if clause.contains(&TRUE) || clause[0] == !clause[1] {
        return Ok(None);
    }
    let gates = out.kernel.gates();
    let assumed: Vec<Lit> = clause.iter().filter(|&&lit| lit != FALSE).map(|&lit| !lit).collect();
    match sat.solve(gates, &assumed, Some(CONFLICTS)) {
        SatResult::Unsat => {}
        SatResult::Sat => return Err("bits that were equal are not".into()),
        SatResult::Unknown(why) => return Err(format!("bits were not proved to be equal again: {why}")),
    }
    let number = sat.proof(gates, &[])?.write(out, Some)?;
    sat.add(out.kernel.gates(), clause, number);
    Ok(Some(number))
}
