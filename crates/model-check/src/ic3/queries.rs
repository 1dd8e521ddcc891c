//! The questions of IC3, and the two solvers that answer them.
//!
//! One solver has the next values of the latches as functions of latches and inputs, the constraints, the
//! initial states behind one activation literal, and each lemma behind that of its level, each of which
//! implies that of the next level: the states of level `k` satisfy the lemmas of levels `k` and up. A second
//! solver, without lemmas and constraints, shrinks states: the values that do not matter for the next state
//! are left out of a core (Chockler et al., FMCAD 2011).

use super::circuit::Circuit;
use super::cube::{Cube, Literal, literal, parts};
use super::search::{ClauseId, Search};
use bivalve::bitblast::{CnfEncoder, Edge};
use bivalve::sat::{ClauseSink, Lit};
use bivalve::{Stop, Why};

/// The part of a state that matters, with the inputs that lead on from it.
pub(super) struct Step {
    pub(super) state: Vec<Literal>,
    pub(super) inputs: Vec<bool>,
}

fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}

/// Gates as clauses in a solver.
struct Clauses {
    sat: Search,
    cnf: CnfEncoder,
}

impl Clauses {
    fn new(stop: &Stop) -> Clauses {
        Clauses { sat: Search::new(stop), cnf: CnfEncoder::new() }
    }

    fn edge(&mut self, circuit: &Circuit, edge: Edge) -> Lit {
        self.cnf.literal(circuit.graph(), edge, &mut self.sat)
    }

    fn now(&mut self, circuit: &Circuit, literal: Literal) -> Lit {
        let (latch, value) = parts(literal);
        signed(self.edge(circuit, circuit.latches[latch].now), value)
    }

    fn next(&mut self, circuit: &Circuit, literal: Literal) -> Lit {
        let (latch, value) = parts(literal);
        signed(self.edge(circuit, circuit.latches[latch].next), value)
    }

    /// The value of an edge in the model; none where it does not matter.
    fn value(&self, edge: Edge) -> Option<bool> {
        self.cnf.lookup(edge).and_then(|lit| self.sat.value(lit))
    }
}

/// A cube that a level excludes.
pub(super) struct Lemma {
    pub(super) cube: Cube,
    /// None where single literals say it.
    clause: Option<ClauseId>,
}

/// The questions of IC3 about one circuit.
pub(super) struct Queries {
    pub(super) circuit: Circuit,
    main: Clauses,
    lift: Clauses,
    /// By level: the literal that switches its clauses on.
    switches: Vec<Lit>,
    /// By level: its lemmas; none at level 0.
    pub(super) lemmas: Vec<Vec<Lemma>>,
}

impl Queries {
    pub(super) fn new(circuit: Circuit, stop: &Stop) -> Queries {
        let (main, lift) = (Clauses::new(stop), Clauses::new(stop));
        let mut queries = Queries { circuit, main, lift, switches: vec![], lemmas: vec![] };
        queries.add_level();
        for constraint in 0..queries.circuit.constraints.len() {
            let lit = queries.main.edge(&queries.circuit, queries.circuit.constraints[constraint]);
            queries.main.sat.add_lemma(&[lit]);
        }
        for latch in 0..queries.circuit.latches.len() {
            let now = queries.main.now(&queries.circuit, literal(latch, true));
            if let Some(init) = queries.circuit.latches[latch].init {
                queries.main.sat.add_loose(&[!queries.switches[0], signed(now, init)]);
            }
            if latch >= queries.circuit.state_bits {
                // States always say which predicates hold.
                queries.main.sat.include_always(now.var());
            }
        }
        queries
    }

    /// About the bytes of both solvers.
    pub(super) fn bytes(&self) -> u64 {
        self.main.sat.bytes() + self.lift.sat.bytes()
    }

    /// Adds a level without lemmas.
    pub(super) fn add_level(&mut self) {
        self.lemmas.push(vec![]);
        let switch = self.main.sat.new_var();
        if let Some(&below) = self.switches.last() {
            self.main.sat.add_lemma(&[!below, switch]);
        }
        self.switches.push(switch);
    }

    /// Excludes a cube from the levels up to this one. Returns whether no lemma of a level at or above it
    /// excludes it already; lemmas that it makes redundant are forgotten.
    pub(super) fn add_lemma(&mut self, level: usize, cube: Cube) -> bool {
        if self.is_excluded(level, &cube) {
            return false;
        }
        let sat = &mut self.main.sat;
        for lemmas in &mut self.lemmas[..=level] {
            lemmas.retain(|lemma| {
                let is_kept = !cube.subsumes(&lemma.cube);
                if let (false, Some(clause)) = (is_kept, lemma.clause) {
                    sat.remove(clause);
                }
                is_kept
            });
        }
        let mut clause: Vec<Lit> =
            cube.literals.iter().map(|&literal| !self.main.now(&self.circuit, literal)).collect();
        clause.push(!self.switches[level]);
        let clause = self.main.sat.add_lemma(&clause);
        self.lemmas[level].push(Lemma { cube, clause });
        true
    }

    /// Whether a lemma of this level or above excludes a cube.
    pub(super) fn is_excluded(&self, level: usize, cube: &Cube) -> bool {
        self.lemmas[level..].iter().flatten().any(|lemma| lemma.cube.subsumes(cube))
    }

    /// A state of a level that is bad, if there is one.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn bad_state(&mut self, level: usize) -> Result<Option<Step>, Why> {
        let bad = self.main.edge(&self.circuit, self.circuit.bad);
        let mut assumptions = self.at_level(level);
        assumptions.push(bad);
        Ok(self.main.sat.solve(&assumptions, &[])?.then(|| self.step()))
    }

    /// An initial state in a cube that satisfies the constraints, if there is one. What `within` speaks of
    /// has values in it.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn initial_state(&mut self, cube: &Cube, within: &Cube) -> Result<Option<Vec<Literal>>, Why> {
        let mut now = |cube: &Cube| -> Vec<Lit> {
            cube.literals.iter().map(|&literal| self.main.now(&self.circuit, literal)).collect()
        };
        let (assumed, known) = (now(cube), now(within));
        let assumptions = [&[self.switches[0]], &assumed[..]].concat();
        self.main.sat.open_domain(assumptions.iter().chain(&known).map(|lit| lit.var()));
        Ok(self.main.sat.solve_within(&assumptions, &[])?.then(|| self.step().state))
    }

    /// A state of the level below with a step into `cube`, and itself not in `cube`, if there is one; else
    /// the literals of `cube` that exclude it.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn predecessor(&mut self, level: usize, cube: &Cube) -> Result<Result<Step, Cube>, Why> {
        let outside: Vec<Lit> =
            cube.literals.iter().map(|&literal| !self.main.now(&self.circuit, literal)).collect();
        self.step_into(level, cube, &outside)
    }

    /// The same for a cube that the level below excludes.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn entry(&mut self, level: usize, cube: &Cube) -> Result<Result<Step, Cube>, Why> {
        self.step_into(level, cube, &[])
    }

    fn step_into(&mut self, level: usize, cube: &Cube, clause: &[Lit]) -> Result<Result<Step, Cube>, Why> {
        // What is assumed first tends to be in the core: predicates, which are the last latches.
        let is_bit = |literal: &Literal| parts(*literal).0 < self.circuit.state_bits;
        let (bits, predicates) = cube.literals.split_at(cube.literals.partition_point(is_bit));
        let literals = [predicates, bits].concat();
        let next: Vec<Lit> = literals.iter().map(|&literal| self.main.next(&self.circuit, literal)).collect();
        let assumptions = [&self.at_level(level - 1)[..], &next].concat();
        if self.main.sat.solve(&assumptions, clause)? {
            return Ok(Ok(self.step()));
        }
        let core = literals.iter().zip(&next).filter(|&(_, &lit)| self.main.sat.failed(lit));
        Ok(Err(Cube::new(core.map(|(&literal, _)| literal).collect())))
    }

    /// What switches the clauses of a level and those above on, and the others off.
    fn at_level(&self, level: usize) -> Vec<Lit> {
        let below = level.checked_sub(1).map(|below| !self.switches[below]);
        below.into_iter().chain([self.switches[level]]).collect()
    }

    /// The literals of a state that, with its inputs, satisfy the constraints and lead into `target`; into a
    /// bad state now if there is none.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn shrunk(&mut self, step: &Step, target: Option<&Cube>) -> Result<Cube, Why> {
        let (lift, circuit) = (&mut self.lift, &self.circuit);
        let mut escape: Vec<Lit> =
            circuit.constraints.iter().map(|&constraint| !lift.edge(circuit, constraint)).collect();
        match target {
            Some(cube) => escape.extend(cube.literals.iter().map(|&literal| !lift.next(circuit, literal))),
            None => escape.push(!lift.edge(circuit, circuit.bad)),
        }
        lift.sat.open_domain(escape.iter().map(|lit| lit.var()));
        let inside = |edge: Edge| lift.cnf.lookup(edge).filter(|&lit| lift.sat.is_inside(lit));
        let mut assumptions = vec![];
        for (&edge, &value) in circuit.inputs.iter().zip(&step.inputs) {
            assumptions.extend(inside(edge).map(|lit| signed(lit, value)));
        }
        let mut state = vec![];
        let is_bit = |literal: &Literal| parts(*literal).0 < circuit.state_bits;
        let (bits, predicates) = step.state.split_at(step.state.partition_point(is_bit));
        for &literal in bits {
            let (latch, value) = parts(literal);
            state.extend(inside(circuit.latches[latch].now).map(|lit| (literal, signed(lit, value))));
        }
        assumptions.extend(state.iter().map(|&(_, lit)| lit));
        let leads_elsewhere = lift.sat.solve_within(&assumptions, &escape)?;
        debug_assert!(!leads_elsewhere, "a step leads where it leads");
        let kept = state.iter().filter(|&&(_, lit)| lift.sat.failed(lit));
        // Where inputs have values, bits are enough and no predicate would be kept, but lemmas need them.
        let kept = kept.map(|&(literal, _)| literal).chain(predicates.iter().copied());
        Ok(Cube::new(kept.collect()))
    }

    /// The state and inputs of the model, as far as they matter.
    fn step(&self) -> Step {
        let (main, circuit) = (&self.main, &self.circuit);
        let latches = circuit.latches.iter().enumerate();
        let state = latches.filter_map(|(i, latch)| main.value(latch.now).map(|value| literal(i, value)));
        let inputs = circuit.inputs.iter().map(|&input| main.value(input) == Some(true));
        Step { state: state.collect(), inputs: inputs.collect() }
    }
}
