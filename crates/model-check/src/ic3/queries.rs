//! The SAT solvers of IC3, and the questions that they answer.
//!
//! One solver has the next values of the latches as functions of latches and inputs, the constraints, the
//! initial states behind one activation literal, and each lemma behind that of its level. The states of level
//! `k` satisfy the lemmas of levels `k` and up. A second solver, without lemmas and constraints, shrinks
//! states: the values that do not matter for the next state are left out of a core (Chockler et al., FMCAD
//! 2011). Clauses for one question are switched off behind it; when there are many, the solver is made anew.

use super::circuit::Circuit;
use super::cube::{Cube, Literal, literal, parts};
use bivalve::bitblast::{CnfEncoder, Edge};
use bivalve::sat::{Budget, Lit, SatResult, SatSolver};
use bivalve::{Stop, Why};

/// The solver is made anew after so many clauses for single questions.
const MOST_GARBAGE: usize = 2_000;

/// What makes SAT solvers.
pub(super) type Maker = Box<dyn Fn() -> Box<dyn SatSolver>>;

/// A state with the inputs that lead on from it.
pub(super) struct Step {
    pub(super) state: Vec<Literal>,
    pub(super) inputs: Vec<bool>,
}

fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}

/// Gates as clauses in a SAT solver.
struct Clauses {
    sat: Box<dyn SatSolver>,
    cnf: CnfEncoder,
    garbage: usize,
}

impl Clauses {
    fn new(make: &Maker, stop: &Stop) -> Clauses {
        let mut sat = make();
        sat.set_stop(stop.clone());
        Clauses { sat, cnf: CnfEncoder::new(), garbage: 0 }
    }

    /// What the solver has spent: propagations, and what clauses and questions take besides.
    fn steps(&self) -> u64 {
        let statistics = self.sat.statistics();
        let searched = statistics.propagations.or(statistics.conflicts).unwrap_or(0);
        searched + 10 * statistics.clauses + 100 * statistics.solves
    }

    fn edge(&mut self, circuit: &Circuit, edge: Edge) -> Lit {
        self.cnf.literal(circuit.graph(), edge, self.sat.as_mut())
    }

    fn now(&mut self, circuit: &Circuit, literal: Literal) -> Lit {
        let (latch, value) = parts(literal);
        signed(self.edge(circuit, circuit.latches[latch].now), value)
    }

    fn next(&mut self, circuit: &Circuit, literal: Literal) -> Lit {
        let (latch, value) = parts(literal);
        signed(self.edge(circuit, circuit.latches[latch].next), value)
    }

    /// A clause that holds while the literal that is returned is assumed.
    fn temporary(&mut self, mut clause: Vec<Lit>) -> Lit {
        let switch = self.sat.new_var();
        clause.push(!switch);
        self.sat.add_clause(&clause);
        self.garbage += 1;
        switch
    }

    /// The value of an edge in the model; false where it does not matter.
    fn value(&mut self, edge: Edge) -> bool {
        self.cnf.lookup(edge).is_some_and(|lit| self.sat.value(lit) == Some(true))
    }
}

/// The questions of IC3 about one circuit.
pub(super) struct Queries {
    pub(super) circuit: Circuit,
    make: Maker,
    stop: Stop,
    main: Clauses,
    lift: Clauses,
    /// By level: the literal that switches its clauses on.
    switches: Vec<Lit>,
    /// By level: its lemmas, as the cubes that they exclude; none at level 0.
    pub(super) lemmas: Vec<Vec<Cube>>,
    /// Steps of solvers that are no more.
    steps_before: u64,
}

impl Queries {
    pub(super) fn new(circuit: Circuit, make: Maker, stop: &Stop) -> Queries {
        let (main, lift) = (Clauses::new(&make, stop), Clauses::new(&make, stop));
        let mut queries = Queries {
            circuit,
            make,
            stop: stop.clone(),
            main,
            lift,
            switches: vec![],
            lemmas: vec![vec![]],
            steps_before: 0,
        };
        queries.fill();
        queries
    }

    /// What was spent so far, in the steps that all engines count.
    pub(super) fn work(&self) -> u64 {
        self.steps_before + self.main.steps() + self.lift.steps()
    }

    /// Adds a level without lemmas.
    pub(super) fn add_level(&mut self) {
        self.lemmas.push(vec![]);
        let switch = self.main.sat.new_var();
        self.switches.push(switch);
    }

    /// Excludes a cube from the levels up to this one. Returns whether no lemma of a level at or above it
    /// excludes it already; lemmas that it makes redundant are forgotten.
    pub(super) fn add_lemma(&mut self, level: usize, cube: Cube) -> bool {
        if self.lemmas[level..].iter().flatten().any(|lemma| lemma.subsumes(&cube)) {
            return false;
        }
        for lemmas in &mut self.lemmas[..=level] {
            lemmas.retain(|lemma| !cube.subsumes(lemma));
        }
        self.add_clause(level, &cube);
        self.lemmas[level].push(cube);
        true
    }

    /// Whether a lemma of this level or above excludes a cube.
    pub(super) fn is_excluded(&self, level: usize, cube: &Cube) -> bool {
        self.lemmas[level..].iter().flatten().any(|lemma| lemma.subsumes(cube))
    }

    /// A state of a level that is bad, if there is one.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn bad_state(&mut self, level: usize) -> Result<Option<Step>, Why> {
        let bad = self.main.edge(&self.circuit, self.circuit.bad);
        let mut assumptions = self.switches[level..].to_vec();
        assumptions.push(bad);
        Ok(self.solve(&assumptions)?.then(|| self.step()))
    }

    /// An initial state in a cube that satisfies the constraints, if there is one.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn initial_state(&mut self, cube: &Cube) -> Result<Option<Vec<Literal>>, Why> {
        let mut assumptions = vec![self.switches[0]];
        assumptions.extend(cube.literals.iter().map(|&literal| self.main.now(&self.circuit, literal)));
        Ok(self.solve(&assumptions)?.then(|| self.step().state))
    }

    /// A state of the level below with a step into `cube`, and itself not in `cube`, if there is one; else
    /// the literals of `cube` that exclude it.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn predecessor(&mut self, level: usize, cube: &Cube) -> Result<Result<Step, Cube>, Why> {
        if self.main.garbage > MOST_GARBAGE {
            self.renew();
        }
        let outside = cube.literals.iter().map(|&literal| !self.main.now(&self.circuit, literal)).collect();
        let switch = self.main.temporary(outside);
        let answer = self.step_into(level, cube, &[switch]);
        self.main.sat.add_clause(&[!switch]);
        answer
    }

    /// The same for a cube that the level below excludes.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn entry(&mut self, level: usize, cube: &Cube) -> Result<Result<Step, Cube>, Why> {
        self.step_into(level, cube, &[])
    }

    fn step_into(&mut self, level: usize, cube: &Cube, assumed: &[Lit]) -> Result<Result<Step, Cube>, Why> {
        // What is assumed first tends to be in the core: predicates, which are the last latches.
        let is_bit = |literal: &Literal| parts(*literal).0 < self.circuit.state_bits;
        let (bits, predicates) = cube.literals.split_at(cube.literals.partition_point(is_bit));
        let literals = [predicates, bits].concat();
        let next: Vec<Lit> = literals.iter().map(|&literal| self.main.next(&self.circuit, literal)).collect();
        let assumptions = [&self.switches[level - 1..], assumed, &next].concat();
        if self.solve(&assumptions)? {
            return Ok(Ok(self.step()));
        }
        let core = literals.iter().zip(&next).filter(|&(_, &lit)| self.main.sat.failed(lit));
        Ok(Err(Cube::new(core.map(|(&literal, _)| literal).collect())))
    }

    /// The literals of a state that, with its inputs, satisfy the constraints and lead into `target`; into a
    /// bad state now if there is none.
    ///
    /// # Errors
    ///
    /// When the solver was stopped.
    pub(super) fn shrunk(&mut self, step: &Step, target: Option<&Cube>) -> Result<Cube, Why> {
        if self.lift.garbage > MOST_GARBAGE {
            self.steps_before += self.lift.steps();
            self.lift = Clauses::new(&self.make, &self.stop);
        }
        let (lift, circuit) = (&mut self.lift, &self.circuit);
        let mut escape: Vec<Lit> =
            circuit.constraints.iter().map(|&constraint| !lift.edge(circuit, constraint)).collect();
        match target {
            Some(cube) => escape.extend(cube.literals.iter().map(|&literal| !lift.next(circuit, literal))),
            None => escape.push(!lift.edge(circuit, circuit.bad)),
        }
        let switch = lift.temporary(escape);
        let mut assumptions = vec![switch];
        for (&edge, &value) in circuit.inputs.iter().zip(&step.inputs) {
            assumptions.extend(lift.cnf.lookup(edge).map(|lit| signed(lit, value)));
        }
        let mut state = vec![];
        let (bits, predicates) = step.state.split_at(circuit.state_bits);
        for &literal in bits {
            let (latch, value) = parts(literal);
            let Some(lit) = lift.cnf.lookup(circuit.latches[latch].now) else { continue };
            state.push((literal, signed(lit, value)));
        }
        assumptions.extend(state.iter().map(|&(_, lit)| lit));
        let result = lift.sat.solve(&assumptions, &Budget::UNLIMITED);
        if let SatResult::Unknown(why) = result {
            return Err(why);
        }
        debug_assert_eq!(result, SatResult::Unsat, "a step leads where it leads");
        let kept = state.iter().filter(|&&(_, lit)| lift.sat.failed(lit));
        // Where inputs have values, bits are enough and no predicate would be kept, but lemmas need them.
        let kept = Cube::new(kept.map(|&(literal, _)| literal).chain(predicates.iter().copied()).collect());
        lift.sat.add_clause(&[!switch]);
        Ok(kept)
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        match self.main.sat.solve(assumptions, &Budget::UNLIMITED) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(why) => Err(why),
        }
    }

    /// The state and inputs of the model.
    fn step(&mut self) -> Step {
        let (main, circuit) = (&mut self.main, &self.circuit);
        let latches = circuit.latches.iter().enumerate();
        let state = latches.map(|(i, latch)| literal(i, main.value(latch.now))).collect();
        Step { state, inputs: circuit.inputs.iter().map(|&input| main.value(input)).collect() }
    }

    fn add_clause(&mut self, level: usize, cube: &Cube) {
        let mut clause: Vec<Lit> =
            cube.literals.iter().map(|&literal| !self.main.now(&self.circuit, literal)).collect();
        clause.push(!self.switches[level]);
        self.main.sat.add_clause(&clause);
    }

    /// Makes the solver anew, with what holds.
    fn renew(&mut self) {
        self.steps_before += self.main.steps();
        self.main = Clauses::new(&self.make, &self.stop);
        self.fill();
    }

    fn fill(&mut self) {
        self.switches = (0..self.lemmas.len()).map(|_| self.main.sat.new_var()).collect();
        for constraint in 0..self.circuit.constraints.len() {
            let lit = self.main.edge(&self.circuit, self.circuit.constraints[constraint]);
            self.main.sat.add_clause(&[lit]);
        }
        for latch in 0..self.circuit.latches.len() {
            // All latches have literals, so that models say what they are.
            let now = self.main.now(&self.circuit, literal(latch, true));
            if let Some(init) = self.circuit.latches[latch].init {
                self.main.sat.add_clause(&[!self.switches[0], signed(now, init)]);
            }
        }
        let lemmas = std::mem::take(&mut self.lemmas);
        for (level, lemmas) in lemmas.iter().enumerate() {
            lemmas.iter().for_each(|cube| self.add_clause(level, cube));
        }
        self.lemmas = lemmas;
    }
}
