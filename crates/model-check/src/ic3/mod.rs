//! IC3, also called property-directed reachability: an invariant from many small questions.
//!
//! Bradley (VMCAI 2011), in the form of Eén, Mishchenko and Brayton (FMCAD 2011). Level `k` is a set of
//! lemmas that all states within `k` steps satisfy. A bad state of the last level is an obligation: either it
//! has a predecessor in the level below, which is the next obligation, or it is excluded from its level,
//! together with as many other states as can be: literals are dropped while the cube has no predecessor but
//! itself and no initial state; a state that stands in the way of that is itself excluded where it can be
//! (Hassan, Bradley and Somenzi, FMCAD 2013), unless the search is to be light. When the last level has no
//! bad state, lemmas are pushed to higher levels as far as they hold there; a level without lemmas of its own
//! equals the next one, which is then an invariant.
//!
//! Cubes may also have predicates, conditions on words of the state that no few clauses over bits say (after
//! the internal signals of Dureja, Gurfinkel, Ivrii and Vizel, FMCAD 2021). Whether such a cube has an
//! initial state is a question to the solver.
//!
//! Why it is right: the invariant and the run are both checked by others, a fresh solver and the simulator.
//! Cost: one solver; a question is small, but there can be millions.

pub(crate) mod circuit;
mod cube;
mod queries;
mod search;

use crate::pace::Grant;
use crate::proving::{Prover, Search};
use bivalve::Why;
use bivalve::terms::{Op, Pool, Sort, Term, Value};
use bivalve_systems::{Frame, System};
use circuit::{Circuit, value_of};
use cube::{Cube, Literal, literal, parts};
use queries::Queries;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A system of more gates is left to other engines.
const MOST_GATES: u64 = 5_000_000;

/// The states that are excluded to help a smaller cube. Without help lemmas are weaker, and need a fifth to a
/// tenth of the questions.
pub(crate) const MOST_HELP: usize = 3;

/// States from which a bad state is reached.
struct Obligation {
    cube: Cube,
    /// Inputs that lead every state of the cube to the next obligation.
    inputs: Vec<bool>,
    /// The obligation that it leads to; none if the cube is bad.
    next: Option<usize>,
}

/// The search for an invariant that excludes one bad state.
pub(crate) struct Ic3 {
    queries: Queries,
    /// All obligations of this level; the heap has numbers of them: level, age and number, the least first.
    obligations: Vec<Obligation>,
    heap: BinaryHeap<Reverse<(usize, usize)>>,
    /// By latch: how many lemmas it is in; literals of rare latches are dropped first.
    uses: Vec<u32>,
    /// So many states that stand in the way of a smaller cube are excluded.
    most_help: usize,
}

impl Ic3 {
    /// A search for `bad`, a condition of a system in normal form without arrays. The invariant is over the
    /// bits of its states, and over `predicates`, conditions on its states. At most `HELP` states that stand
    /// in the way of a smaller cube are excluded for it.
    ///
    /// # Errors
    ///
    /// When the system has too many gates, or the search was stopped.
    pub(crate) fn begin<const HELP: usize>(
        pool: &mut Pool,
        system: &System,
        bad: Term,
        predicates: &[Term],
        grant: &Grant,
    ) -> Result<Box<dyn Prover>, Why> {
        Ok(Box::new(Ic3::new(HELP, pool, system, (bad, predicates), grant)?))
    }

    /// The same with so much help, not boxed.
    pub(crate) fn new(
        most_help: usize,
        pool: &mut Pool,
        system: &System,
        (bad, predicates): (Term, &[Term]),
        grant: &Grant,
    ) -> Result<Ic3, Why> {
        let circuit = Circuit::new(pool, system, bad, predicates, MOST_GATES, &grant.patient())?;
        let uses = vec![0; circuit.latches.len()];
        let queries = Queries::new(circuit, &grant.paced());
        Ok(Ic3 { queries, obligations: vec![], heap: BinaryHeap::new(), uses, most_help })
    }

    /// Takes over the levels of a search on a system of which each run of this one is a run, as far as the
    /// registers of that go, and with all of its registers. Nothing was searched here yet.
    pub(crate) fn inherit(&mut self, other: &Ic3) {
        let mut places = BTreeMap::new();
        for (place, latch) in self.queries.circuit.latches.iter().enumerate() {
            places.insert(latch.of, place);
        }
        let image = |&of: &Literal| {
            let (latch, value) = parts(of);
            let place = places.get(&other.queries.circuit.latches[latch].of);
            place.map(|&place| literal(place, value))
        };
        let mut levels = vec![];
        for lemmas in &other.queries.lemmas {
            let cubes = lemmas.iter().map(|lemma| lemma.cube.literals.iter().map(image).collect());
            let Some(cubes) = cubes.collect::<Option<Vec<Vec<Literal>>>>() else { return };
            levels.push(cubes);
        }
        for (level, cubes) in levels.into_iter().enumerate() {
            if level > 0 {
                self.queries.add_level();
            }
            cubes.into_iter().for_each(|cube| self.add_lemma(level, Cube::new(cube)));
        }
    }

    fn search(&mut self) -> Result<Found, Why> {
        loop {
            while let Some(&Reverse((level, number))) = self.heap.peek() {
                if let Some(state) = self.discharge(level, number)? {
                    return Ok(Found::Run(state));
                }
            }
            self.obligations.clear();
            let level = self.level();
            let Some(step) = self.queries.bad_state(level)? else { break };
            let cube = self.queries.shrunk(&step, None)?;
            let initial = self.initial_state(level, &cube, step.state)?;
            self.obligations.push(Obligation { cube, inputs: step.inputs, next: None });
            if let Some(state) = initial {
                return Ok(Found::Run(state));
            }
            self.heap.push(Reverse((level, 0)));
        }
        self.queries.add_level();
        self.propagate()
    }

    /// Looks at an obligation. If the obligation that is made for it has an initial state, returns a state of
    /// it.
    fn discharge(&mut self, level: usize, number: usize) -> Result<Option<Vec<Literal>>, Why> {
        let cube = self.obligations[number].cube.clone();
        if self.queries.is_excluded(level, &cube) {
            self.heap.pop();
            self.postpone(level, number);
            return Ok(None);
        }
        match self.queries.predecessor(level, &cube)? {
            Ok(step) => {
                let below = self.queries.shrunk(&step, Some(&cube))?;
                let initial = self.initial_state(level - 1, &below, step.state)?;
                self.obligations.push(Obligation { cube: below, inputs: step.inputs, next: Some(number) });
                self.heap.push(Reverse((level - 1, self.obligations.len() - 1)));
                Ok(initial)
            }
            Err(core) => {
                let core = self.without_initial(core, &cube)?;
                let lemma = self.generalized(level, core, self.most_help > 0)?;
                let mut level = level;
                while level < self.level() && self.queries.predecessor(level + 1, &lemma)?.is_err() {
                    level += 1;
                }
                self.add_lemma(level, lemma);
                self.heap.pop();
                self.postpone(level, number);
                Ok(None)
            }
        }
    }

    /// Looks for the obligation one level above the one from which it is excluded.
    fn postpone(&mut self, level: usize, number: usize) {
        if level < self.level() {
            self.heap.push(Reverse((level + 1, number)));
        }
    }

    fn add_lemma(&mut self, level: usize, lemma: Cube) {
        lemma.literals.iter().for_each(|&literal| self.uses[parts(literal).0] += 1);
        self.queries.add_lemma(level, lemma);
    }

    /// The cube without literals that are not needed to exclude it from a level. With `helped`, states that
    /// stand in the way are excluded first, if they can be.
    fn generalized(&mut self, level: usize, mut cube: Cube, helped: bool) -> Result<Cube, Why> {
        let mut order: Vec<Literal> = cube.literals.to_vec();
        // Bits go before the predicates that say what they have in common.
        let state_bits = self.queries.circuit.state_bits;
        order.sort_by_key(|&literal| (parts(literal).0 >= state_bits, self.uses[parts(literal).0]));
        for literal in order {
            if !cube.literals.contains(&literal) || cube.literals.len() == 1 {
                continue;
            }
            let smaller =
                Cube::new(cube.literals.iter().copied().filter(|&other| other != literal).collect());
            if let Some(core) = self.excluded(level, &smaller, helped)? {
                cube = core;
            }
        }
        Ok(cube)
    }

    /// The literals of a cube that exclude it from a level, if it can be excluded.
    fn excluded(&mut self, level: usize, cube: &Cube, helped: bool) -> Result<Option<Cube>, Why> {
        if self.has_initial(cube)? {
            return Ok(None);
        }
        for _ in 0..=self.most_help {
            let step = match self.queries.predecessor(level, cube)? {
                Err(core) => return Ok(Some(self.without_initial(core, cube)?)),
                Ok(step) => step,
            };
            if !helped || level == 1 {
                return Ok(None);
            }
            let state = self.queries.shrunk(&step, Some(cube))?;
            let Some(core) = self.excluded_alone(level - 1, &state)? else { return Ok(None) };
            let mut below = level - 1;
            while below < self.level() && self.queries.predecessor(below + 1, &core)?.is_err() {
                below += 1;
            }
            let lemma = self.generalized(below, core, false)?;
            self.add_lemma(below, lemma);
        }
        Ok(None)
    }

    /// The same without help.
    fn excluded_alone(&mut self, level: usize, cube: &Cube) -> Result<Option<Cube>, Why> {
        if self.has_initial(cube)? {
            return Ok(None);
        }
        match self.queries.predecessor(level, cube)? {
            Ok(_) => Ok(None),
            Err(core) => Ok(Some(self.without_initial(core, cube)?)),
        }
    }

    /// Whether some initial state is in a cube; constraints count if it has predicates.
    fn has_initial(&mut self, cube: &Cube) -> Result<bool, Why> {
        Ok(self.may_be_initial(cube)
            && (!self.has_predicates(cube) || self.initial_in(cube, cube)?.is_some()))
    }

    /// An initial state in a cube with a state of a level, this one if it may be.
    fn initial_state(
        &mut self,
        level: usize,
        cube: &Cube,
        state: Vec<Literal>,
    ) -> Result<Option<Vec<Literal>>, Why> {
        match () {
            () if level == 0 => Ok(Some(state)),
            () if !self.may_be_initial(cube) => Ok(None),
            () if !self.has_predicates(cube) => Ok(Some(state)),
            () => self.initial_in(cube, cube),
        }
    }

    fn initial_in(&mut self, cube: &Cube, within: &Cube) -> Result<Option<Vec<Literal>>, Why> {
        self.queries.initial_state(cube, within)
    }

    fn has_predicates(&self, cube: &Cube) -> bool {
        // Literals are sorted, and predicates are the last latches.
        cube.literals.last().is_some_and(|&literal| parts(literal).0 >= self.queries.circuit.state_bits)
    }

    /// Whether each bit of a state that a cube has may have its value initially.
    fn may_be_initial(&self, cube: &Cube) -> bool {
        cube.literals.iter().all(|&literal| self.agrees(literal))
    }

    fn agrees(&self, literal: Literal) -> bool {
        let (latch, value) = parts(literal);
        self.queries.circuit.latches[latch].init.is_none_or(|init| init == value)
    }

    /// A core of a cube without initial states, with literals that exclude them.
    fn without_initial(&mut self, core: Cube, cube: &Cube) -> Result<Cube, Why> {
        if !self.may_be_initial(&core) {
            return Ok(core);
        }
        if let Some(excluding) = cube.literals.iter().copied().find(|&literal| !self.agrees(literal)) {
            return Ok(Cube::new(core.literals.iter().copied().chain([excluding]).collect()));
        }
        let mut core = core;
        while let Some(state) = self.initial_in(&core, cube)? {
            let excluding = cube.literals.iter().copied().find(|literal| !state.contains(literal));
            let Some(excluding) = excluding else { return Ok(cube.clone()) };
            core = Cube::new(core.literals.iter().copied().chain([excluding]).collect());
        }
        Ok(core)
    }

    /// Pushes lemmas to the levels above, as far as they hold there.
    fn propagate(&mut self) -> Result<Found, Why> {
        for level in 1..self.level() {
            let lemmas = self.queries.lemmas[level].iter().map(|lemma| lemma.cube.clone());
            for lemma in lemmas.collect::<Vec<Cube>>() {
                if !self.queries.lemmas[level].iter().any(|other| other.cube == lemma) {
                    continue;
                }
                if let Err(core) = self.queries.entry(level + 1, &lemma)? {
                    let core = self.without_initial(core, &lemma)?;
                    self.queries.add_lemma(level + 1, core);
                }
            }
            if self.queries.lemmas[level].is_empty() {
                return Ok(Found::Fixpoint(level + 1));
            }
        }
        Ok(Found::Level)
    }

    /// The lemmas of a level and those above, as clauses over the states.
    fn invariant(&self, pool: &mut Pool, level: usize) -> Vec<Term> {
        let lemmas = self.queries.lemmas[level..].iter().flatten();
        lemmas.map(|lemma| self.clause(pool, &lemma.cube)).collect()
    }

    fn clause(&self, pool: &mut Pool, cube: &Cube) -> Term {
        let mut literals: Vec<Term> = vec![];
        for &literal in &cube.literals {
            let (latch, value) = parts(literal);
            let (state, bit) = self.queries.circuit.latches[latch].of;
            let is_true = if pool.sort(state) == Sort::BOOL {
                state
            } else {
                let bit = pool.mk_indexed(Op::Extract, &[bit, bit], &[state]);
                let one = pool.bv_u64(1, 1);
                pool.mk(Op::Eq, &[bit, one])
            };
            literals.push(if value { pool.mk(Op::Not, &[is_true]) } else { is_true });
        }
        match literals[..] {
            [] => pool.bool(false),
            [one] => one,
            _ => pool.mk(Op::Or, &literals),
        }
    }

    /// The run from the initial states of the obligation that was made last.
    fn run(&self, pool: &Pool, system: &System, state: &[Literal]) -> Vec<Frame> {
        let mut frames = vec![];
        let mut at = self.obligations.last();
        while let Some(Obligation { inputs, next, .. }) = at {
            let symbols = system.inputs.iter().map(|input| input.term);
            frames.push(Frame { states: vec![], inputs: values(pool, symbols, inputs) });
            at = next.map(|number| &self.obligations[number]);
        }
        let latches = self.queries.circuit.latches.iter();
        let mut bits: Vec<bool> = latches.map(|latch| latch.init == Some(true)).collect();
        for (latch, value) in state.iter().copied().map(parts) {
            bits[latch] = self.queries.circuit.latches[latch].init.unwrap_or(value);
        }
        let symbols = system.states.iter().map(|state| state.term);
        frames[0].states = values(pool, symbols, &bits);
        frames
    }
}

impl Prover for Ic3 {
    /// The highest level.
    fn level(&self) -> usize {
        self.queries.lemmas.len() - 1
    }

    fn bytes(&self) -> u64 {
        self.queries.bytes()
    }

    fn step(&mut self, pool: &mut Pool, system: &System) -> Search {
        match self.search() {
            Err(why) => Search::Paused(why),
            Ok(Found::Run(state)) => Search::Violated(self.run(pool, system, &state)),
            Ok(Found::Fixpoint(level)) => Search::Invariant(self.invariant(pool, level)),
            Ok(Found::Level) => Search::Level,
        }
    }
}

/// The values of symbols whose bits are given one after the other.
pub(crate) fn values(
    pool: &Pool,
    symbols: impl Iterator<Item = Term>,
    mut bits: &[bool],
) -> Vec<(usize, Value)> {
    let mut values = vec![];
    for (number, symbol) in symbols.enumerate() {
        let (own, others) = bits.split_at(pool.width(symbol).unwrap_or(1) as usize);
        values.push((number, value_of(pool, symbol, own)));
        bits = others;
    }
    values
}

/// How a search ended.
enum Found {
    /// The obligation that was made last has an initial state: this one, where it is not fixed.
    Run(Vec<Literal>),
    /// This level is an invariant.
    Fixpoint(usize),
    /// The last level has no bad state.
    Level,
}
