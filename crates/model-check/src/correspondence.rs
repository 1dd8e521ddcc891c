//! Signal correspondence: induction that also knows which registers are equal.
//!
//! A design that is compared with a model of it has registers and memories twice, and that they are equal is
//! what no step from arbitrary states knows. Runs at random (`lanes`) say which states may be equal to each
//! other, or constant. Then, as van Eijk has it (*Sequential equivalence checking without state space
//! traversal*, DATE 1998): if they are equal, and no frame is bad, in `k` frames, are they so in the next
//! one? A model says which are not, and the question is asked again with classes that are split, until no
//! step leads out of them; the same is asked of the first `k` frames. If, with what is left, the next frame
//! is not bad either, property and equations hold together by induction over `k` frames. A fresh solver has
//! checked that before it is reported.
//!
//! Why it ends: classes are only split; then `k` grows. Cost: a question for each split.

use crate::engine::{Engine, Event, Finding, Shown, bytes_of};
use crate::lanes::Lanes;
use crate::options::Options;
use crate::pace::Grant;
use crate::problem::Part;
use crate::recheck::{self, Outcome};
use crate::unroll::Unrolling;
use crate::verdict::{Error, Halt, Proof};
use bivalve::terms::{Op, Pool, Sort, Term, Value};
use bivalve::{CheckResult, Solver, Why};
use std::collections::BTreeMap;

/// The runs at random: so many starts, of so many frames each.
const STARTS: usize = 4;
const FRAMES: usize = 64;

/// Gates under sixty-four assignments that make a step.
const GATES: u64 = 10_000;

/// Terms that are equal to each other in each frame, as far as is known. The first one may be a constant.
type Classes = Vec<Vec<Term>>;

/// A system over its frames, with a solver that knows its constraints, and of some frames that they are good.
struct Frames {
    unrolling: Unrolling,
    solver: Solver,
    constrained: usize,
}

/// The search for equations that make one property inductive.
pub(crate) struct Correspondence {
    part: Part,
    grant: Grant,
    obligations: bool,
    most: Option<usize>,
    /// From the initial states, and from all.
    base: Frames,
    step: Frames,
    /// What may be equal: in the runs at random, and in the first frames that were looked at.
    candidates: Classes,
    /// What is left of them for the current number of frames.
    classes: Classes,
    k: usize,
}

impl Correspondence {
    /// A search for a proof of the only property of a part.
    ///
    /// # Errors
    ///
    /// When there are no runs at random to learn from.
    pub(crate) fn new(
        pool: &mut Pool,
        part: &Part,
        options: &Options,
        grant: &Grant,
    ) -> Result<Correspondence, Why> {
        let candidates = candidates(pool, part, options, grant)?;
        let frames = |initial| Frames {
            unrolling: Unrolling::new(part.system.clone(), initial, &grant.paced()),
            solver: grant.solver(),
            constrained: 0,
        };
        Ok(Correspondence {
            part: part.clone(),
            grant: grant.clone(),
            obligations: options.obligations,
            most: options.most_frames,
            base: frames(true),
            step: frames(false),
            classes: candidates.clone(),
            candidates,
            k: 1,
        })
    }

    /// A proof that a fresh solver does not confirm decides nothing.
    fn proved(&self, pool: &mut Pool, equal: Vec<Term>) -> Result<Event, Halt> {
        let (property, stop, system) = (self.part.numbers[0], self.grant.patient(), &self.part.system);
        let (bad, proof) = (system.bads[0].term, Proof::Induction { k: self.k, distinct: vec![], equal });
        let fresh = || Solver::stopped_by(self.grant.settings.clone(), stop.clone());
        match recheck::check(pool, system, bad, &proof, &stop, fresh)? {
            Outcome::Holds => {}
            // The first frames are bad.
            Outcome::Fails(_) if self.is_bad_first(pool)? => {
                return Ok(Event::Over(Why::Incomplete("it is bad")));
            }
            Outcome::Fails(fault) => return Err(Error::Proof { property, fault }.into()),
            Outcome::Open(why) => return Ok(Event::Over(why)),
        }
        let obligations = match self.obligations {
            true => recheck::obligations(pool, system, bad, &proof, &stop)?,
            false => vec![],
        };
        let symbols = system.symbols().collect();
        let shown = Shown { pool: std::mem::take(pool), proof, obligations, symbols };
        Ok(Event::Found(property, Finding::Proof(Box::new(shown))))
    }

    /// Whether one of the first `k` frames can be bad.
    fn is_bad_first(&self, pool: &mut Pool) -> Result<bool, Halt> {
        let mut unrolling = Unrolling::new(self.part.system.clone(), true, &self.grant.patient());
        let mut solver = Solver::stopped_by(self.grant.settings.clone(), self.grant.patient());
        for frame in 0..self.k {
            for constraint in &self.part.system.constraints {
                let condition = unrolling.at(pool, frame, constraint.term)?;
                solver.assert(pool, condition)?;
            }
            let bad = unrolling.at(pool, frame, self.part.system.bads[0].term)?;
            if solver.check_assuming(pool, &[bad])? == CheckResult::Sat {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Frames {
    /// Asserts the constraints of all frames up to this one; with `good`, that the ones before it are not
    /// bad.
    fn reach(&mut self, pool: &mut Pool, part: &Part, frame: usize, good: bool) -> Result<(), Halt> {
        while self.constrained <= frame {
            for constraint in &part.system.constraints {
                let condition = self.unrolling.at(pool, self.constrained, constraint.term)?;
                self.solver.assert(pool, condition)?;
            }
            if good && self.constrained > 0 {
                let bad = self.unrolling.at(pool, self.constrained - 1, part.system.bads[0].term)?;
                let holds = pool.mk(Op::Not, &[bad]);
                self.solver.assert(pool, holds)?;
            }
            self.constrained += 1;
        }
        Ok(())
    }

    /// The equations of classes in some frames.
    fn equations(
        &mut self,
        pool: &mut Pool,
        classes: &Classes,
        frames: std::ops::Range<usize>,
    ) -> Result<Vec<Term>, Why> {
        let equations = equations(pool, classes);
        let mut conditions = vec![];
        for frame in frames {
            for &equation in &equations {
                conditions.push(self.unrolling.at(pool, frame, equation)?);
            }
        }
        Ok(conditions)
    }

    /// Splits classes until they hold in a frame wherever they do in the ones from `first` to it; the reason
    /// if the solver has no answer.
    fn refine(
        &mut self,
        pool: &mut Pool,
        classes: &mut Classes,
        first: usize,
        frame: usize,
    ) -> Result<Option<Why>, Halt> {
        while !classes.is_empty() {
            let mut question = self.equations(pool, classes, first..frame)?;
            let now = self.equations(pool, classes, frame..frame + 1)?;
            let all = pool.and_all(&now);
            question.push(pool.mk(Op::Not, &[all]));
            match self.solver.check_assuming(pool, &question)? {
                CheckResult::Unsat => return Ok(None),
                CheckResult::Unknown(why) => return Ok(Some(why)),
                CheckResult::Sat => {}
            }
            let members: Vec<Term> = classes.iter().flatten().copied().collect();
            let images = members.iter().map(|&member| self.unrolling.at(pool, frame, member));
            let images: Vec<Term> = images.collect::<Result<_, Why>>()?;
            let model = self.solver.model().expect("the last answer was sat");
            let mut values = images.iter().map(|&image| model.value(pool, image));
            *classes = split(classes, |_| values.next().expect("one for each member"));
        }
        Ok(None)
    }
}

impl Engine for Correspondence {
    /// The number of frames of the current step.
    fn depth(&self) -> usize {
        self.k
    }

    fn bytes(&self) -> u64 {
        [&self.base, &self.step]
            .map(|frames| bytes_of(&frames.solver) + frames.unrolling.bytes())
            .iter()
            .sum()
    }

    fn step(&mut self, pool: &mut Pool, _: &mut [bool]) -> Result<Event, Halt> {
        if self.candidates.is_empty() || self.most.is_some_and(|most| self.k > most) {
            return Ok(Event::Over(Why::Incomplete("no registers are equal")));
        }
        let k = self.k;
        self.base.reach(pool, &self.part, k - 1, false)?;
        if let Some(why) = self.base.refine(pool, &mut self.candidates, k - 1, k - 1)? {
            return Ok(Event::Paused(why));
        }
        self.classes = meet(&self.candidates, &self.classes);
        self.step.reach(pool, &self.part, k, true)?;
        if let Some(why) = self.step.refine(pool, &mut self.classes, 0, k)? {
            return Ok(Event::Paused(why));
        }
        if !self.classes.is_empty() {
            let mut question = self.step.equations(pool, &self.classes, 0..k + 1)?;
            question.push(self.step.unrolling.at(pool, k, self.part.system.bads[0].term)?);
            match self.step.solver.check_assuming(pool, &question)? {
                CheckResult::Unsat => {
                    let equal = equations(pool, &self.classes);
                    return self.proved(pool, equal);
                }
                CheckResult::Unknown(why) => return Ok(Event::Paused(why)),
                CheckResult::Sat => {}
            }
        }
        (self.k, self.classes) = (k + 1, self.candidates.clone());
        Ok(Event::Further)
    }
}

/// Each member of a class equals the first one.
fn equations(pool: &mut Pool, classes: &Classes) -> Vec<Term> {
    let pairs = classes.iter().flat_map(|class| class[1..].iter().map(move |&member| [class[0], member]));
    let pairs: Vec<[Term; 2]> = pairs.collect();
    pairs.into_iter().map(|pair| pool.mk(Op::Eq, &pair)).collect()
}

/// Classes whose members have equal values; those of one member are left out.
fn split(classes: &Classes, mut value: impl FnMut(Term) -> Value) -> Classes {
    let mut finer = vec![];
    for class in classes {
        let mut parts: Vec<(Value, Vec<Term>)> = vec![];
        for &member in class {
            let value = value(member);
            match parts.iter_mut().find(|(other, _)| *other == value) {
                Some((_, part)) => part.push(member),
                None => parts.push((value, vec![member])),
            }
        }
        finer.extend(parts.into_iter().map(|(_, part)| part).filter(|part| part.len() > 1));
    }
    finer
}

/// What is equal in both.
fn meet(one: &Classes, other: &Classes) -> Classes {
    let mut numbers: BTreeMap<Term, usize> = BTreeMap::new();
    for (number, class) in other.iter().enumerate() {
        numbers.extend(class.iter().map(|&member| (member, number)));
    }
    let mut met: BTreeMap<(usize, usize), Vec<Term>> = BTreeMap::new();
    for (number, class) in one.iter().enumerate() {
        for member in class {
            if let Some(&other) = numbers.get(member) {
                met.entry((number, other)).or_default().push(*member);
            }
        }
    }
    met.into_values().filter(|class| class.len() > 1).collect()
}

/// States of a part that are equal to each other, or to their constant initial value, in runs at random.
fn candidates(pool: &mut Pool, part: &Part, options: &Options, grant: &Grant) -> Result<Classes, Why> {
    let stop = grant.patient();
    let mut lanes = Lanes::new(pool, &part.system, options.memory_bits, &stop)?;
    let mut shown: Vec<u64> = vec![0; lanes.circuit.latches.len()];
    let mut is_constant = vec![true; shown.len()];
    for _ in 0..STARTS {
        lanes.start();
        for _ in 0..FRAMES {
            let allowed = lanes.draw();
            if allowed == 0 {
                break;
            }
            for (number, latch) in lanes.circuit.latches.iter().enumerate() {
                let bits = lanes.value(latch.now) & allowed;
                shown[number] = (shown[number].rotate_left(7) ^ bits).wrapping_mul(0x517c_c1b7_2722_0a95);
                let initial = latch.init.map(|init| if init { allowed } else { 0 });
                is_constant[number] &= initial == Some(bits);
            }
            lanes.advance(allowed);
            grant.pace.charge(1 + lanes.gates() as u64 / GATES);
        }
    }
    let mut classes: BTreeMap<(String, Vec<u64>), Vec<Term>> = BTreeMap::new();
    let mut constant = vec![];
    let mut first = 0;
    for state in &part.system.states {
        let end = first + latches(pool, pool.sort(state.term));
        match state.init {
            Some(init) if is_constant[first..end].iter().all(|&is| is) => {
                constant.push(vec![init, state.term])
            }
            _ => {
                let sort = pool.sorts().display(pool.sort(state.term)).to_string();
                classes.entry((sort, shown[first..end].to_vec())).or_default().push(state.term);
            }
        }
        first = end;
    }
    Ok(classes.into_values().filter(|class| class.len() > 1).chain(constant).collect())
}

/// The bits of a state whose memories are registers.
fn latches(pool: &Pool, sort: Sort) -> usize {
    match pool.sorts().array_parts(sort) {
        Some((index, element)) => latches(pool, element) << latches(pool, index),
        None => sort.width().unwrap_or(1) as usize,
    }
}
