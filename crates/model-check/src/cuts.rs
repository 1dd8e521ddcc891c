//! IC3 on a system whose arithmetic is cut: sums, products, comparisons and the like of wide words are free
//! inputs until a violation needs what they are.
//!
//! Abstraction of words with refinement by counterexamples (as in Ho, Mishchenko and Brayton, FMCAD 2017).
//! What only cut terms depend on is out of the system with them. A violation of the abstract system is
//! replayed with the same inputs; if that is none, the cut terms whose values are wrong, on bits that it
//! needs, are put back. Each run of the finer system is one of the coarser, so the levels of IC3 stay, and a
//! refinement costs little. Why it is right: the states of the abstract system are states of the system, and
//! its steps include those of the system, so its invariant is one of the system. It is checked there, as
//! violations are. Cost: a replay for each refinement, of which there are no more than cut terms.
//!
//! Words that are only moved once terms are cut become narrow (`narrow`).

mod narrow;

use crate::ic3::{Ic3, MOST_HELP};
use crate::influence::cone_of_influence;
use crate::pace::Grant;
use crate::proving::{Prover, Search, TERMS};
use crate::trace;
use bivalve::Why;
use bivalve::terms::{Assignment, Op, Pool, Rebuild, Term, TermMap, TermSet, Valuation, cone};
use bivalve_systems::{Claim, Frame, Input, PartialWitness, ReplayError, Simulator, System, Witness};
use narrow::Narrow;

/// The search for an invariant of a system whose terms are cut.
pub(crate) struct Cuts {
    predicates: Vec<Term>,
    /// The terms that are cut, each with the input that stands for it.
    cuts: Vec<(Term, Term)>,
    abstraction: Abstraction,
    prover: Ic3,
    /// Whether the search ends where words are not narrow.
    only_narrow: bool,
    grant: Grant,
    /// Why it cannot go on.
    refused: Option<Why>,
}

/// The system without the definitions of some terms, the part that matters.
struct Abstraction {
    system: System,
    /// Terms of the system by terms over inputs for what is cut.
    images: Rebuild,
    /// The same with narrow words, if many are.
    narrow: Option<Narrow>,
}

/// What a violation of the abstract system comes down to.
enum Finding {
    /// A run of the system with the same inputs, which may violate it.
    Run(Vec<Frame>),
    /// Terms that have to be what they are.
    Wrong(TermSet),
}

impl Cuts {
    /// A search that begins with cuts where words have `WIDTH` bits or more; if `ONLY_NARROW`, as long as
    /// words are narrow with cuts: elsewhere it is of little use beside IC3. The rest is as for IC3.
    ///
    /// # Errors
    ///
    /// When the system has too many gates, or the search was stopped; [`Why::Interrupted`] where it is of no
    /// use.
    pub(crate) fn begin<const WIDTH: u32, const ONLY_NARROW: bool>(
        pool: &mut Pool,
        system: &System,
        _: Term,
        predicates: &[Term],
        grant: &Grant,
    ) -> Result<Box<dyn Prover>, Why> {
        let cuts: Vec<(Term, Term)> = cut(pool, system, WIDTH)
            .into_iter()
            .enumerate()
            .map(|(number, term)| (term, pool.symbol(&format!("cut {number}"), pool.sort(term))))
            .collect();
        let abstraction = Abstraction::new(pool, system, &cuts, ONLY_NARROW)?;
        let prover = abstraction.begin(pool, predicates, grant)?;
        let (predicates, grant, only_narrow) = (predicates.to_vec(), grant.clone(), ONLY_NARROW);
        Ok(Box::new(Cuts { predicates, cuts, abstraction, prover, only_narrow, grant, refused: None }))
    }

    /// A violation of the abstract system is one of the system, or shows which terms are not to be cut.
    fn violated(&mut self, pool: &mut Pool, system: &System, run: Vec<Frame>) -> Search {
        let terms = pool.len() + run.len() * cone(pool, &system.roots()).len();
        let broken = match self.look_at(pool, system, run.clone()) {
            Ok(Finding::Run(run)) => return Search::Violated(run),
            Ok(Finding::Wrong(broken)) => broken,
            // That it does not replay is said where it is replayed again.
            Err(_) => return Search::Violated(run),
        };
        let cuts: Vec<(Term, Term)> =
            self.cuts.iter().copied().filter(|(term, _)| !broken.contains(*term)).collect();
        let abstraction = Abstraction::new(pool, system, &cuts, self.only_narrow);
        let begun = abstraction.and_then(|abstraction| {
            abstraction.begin(pool, &self.predicates, &self.grant).map(|prover| (abstraction, prover))
        });
        match begun {
            Ok((abstraction, mut prover)) => {
                prover.inherit(&self.prover);
                (self.cuts, self.abstraction, self.prover) = (cuts, abstraction, prover);
                self.grant.pace.charge((terms / TERMS as usize) as u64);
                Search::Level
            }
            Err(why) => self.refuse(why),
        }
    }

    fn refuse(&mut self, why: Why) -> Search {
        self.refused = Some(why);
        Search::Paused(why)
    }

    fn look_at(
        &mut self,
        pool: &mut Pool,
        system: &System,
        frames: Vec<Frame>,
    ) -> Result<Finding, ReplayError> {
        let frames = match &self.abstraction.narrow {
            Some(narrow) => narrow.run(pool, &self.abstraction.system, frames)?,
            None => frames,
        };
        let witness = |frames| Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
        let minimal = PartialWitness::from(&witness(frames.clone()));
        let minimal = self.abstraction.system.minimize(pool, &minimal)?;
        let mut given = trace::assignments(pool, &self.abstraction.system, frames)?;
        let concrete = witness(self.concrete(pool, system, &mut given)?);
        if system.replay(pool, &concrete).is_ok() {
            return Ok(Finding::Run(concrete.frames));
        }
        let broken = match self.broken(pool, &given, Some(&minimal)) {
            broken if broken.is_empty() => self.broken(pool, &given, None),
            broken => broken,
        };
        // If each term is what it should be, the run is one of the system.
        Ok(if broken.is_empty() { Finding::Run(concrete.frames) } else { Finding::Wrong(broken) })
    }

    /// The run of the system with the values of a run of the abstract one where they are free. Symbols that
    /// have no value in it get that of the former.
    fn concrete(
        &self,
        pool: &Pool,
        system: &System,
        given: &mut [Assignment],
    ) -> Result<Vec<Frame>, ReplayError> {
        let mut simulator = Simulator::new(pool, system)?;
        let mut frames = vec![];
        for (number, given) in given.iter_mut().enumerate() {
            let value = |symbol: Term| given.get(symbol).cloned();
            match number {
                0 => simulator.start(|state| value(system.states[state].term)),
                _ => simulator.advance(|_| None),
            }
            simulator.evaluate(|input| value(system.inputs[input].term));
            let of = |(place, symbol): (usize, Term)| (place, simulator.value(symbol).clone());
            let states = system.states.iter().map(|state| state.term).enumerate();
            let states = states.filter(|&(state, _)| number == 0 && system.states[state].init.is_none());
            let inputs = system.inputs.iter().map(|input| input.term).enumerate();
            frames.push(Frame { states: states.map(of).collect(), inputs: inputs.map(of).collect() });
            let symbols = system.symbols().map(|symbol| (symbol, symbol)).chain(self.cuts.iter().copied());
            for (term, symbol) in symbols {
                if given.get(symbol).is_none() {
                    given.set(symbol, simulator.value(term).clone());
                }
            }
        }
        Ok(frames)
    }

    /// The cut terms that are not what their arguments say in a run of the abstract system, on the bits that
    /// it needs, or on all.
    fn broken(&mut self, pool: &mut Pool, given: &[Assignment], needed: Option<&PartialWitness>) -> TermSet {
        let mut broken = TermSet::new();
        for (number, given) in given.iter().enumerate() {
            let mut parts = TermMap::new();
            for (input, part) in needed.iter().flat_map(|needed| &needed.frames[number].inputs) {
                parts.insert(self.abstraction.system.inputs[*input].term, part);
            }
            let mut valuation = Valuation::new();
            for &(term, symbol) in &self.cuts {
                let part = parts.get(symbol);
                if needed.is_some() && part.is_none() || broken.contains(term) {
                    continue;
                }
                let definition = self.abstraction.definition(pool, term);
                let value = valuation.eval(pool, given, definition);
                let is_right = match part {
                    Some(part) => part.admits(pool.sorts(), pool.sort(term), value),
                    None => given.get(symbol) == Some(value),
                };
                if !is_right {
                    broken.insert(term);
                }
            }
        }
        broken
    }
}

impl Abstraction {
    fn new(
        pool: &mut Pool,
        system: &System,
        cuts: &[(Term, Term)],
        only_narrow: bool,
    ) -> Result<Abstraction, Why> {
        let (mut images, mut system) = (Rebuild::new(), system.clone());
        for &(term, symbol) in cuts {
            images.set(term, symbol);
            system.inputs.push(Input { term: symbol, name: None });
        }
        system.map_terms(|term| image(&mut images, pool, term));
        let system = cone_of_influence(pool, &system, system.bads.clone());
        let narrow = Narrow::new(pool, &system);
        if only_narrow && narrow.is_none() {
            return Err(Why::Interrupted);
        }
        Ok(Abstraction { system, images, narrow })
    }

    /// IC3 on it, with the predicates that are over its states.
    fn begin(&self, pool: &mut Pool, predicates: &[Term], grant: &Grant) -> Result<Ic3, Why> {
        let mut states = TermSet::new();
        self.searched().states.iter().for_each(|state| {
            states.insert(state.term);
        });
        let is_known = |term: &Term| pool.op(*term) != Op::Symbol || states.contains(*term);
        let is_over_states = |predicate: &Term| cone(pool, &[*predicate]).iter().all(is_known);
        let predicates: Vec<Term> = predicates.iter().copied().filter(is_over_states).collect();
        let bad = self.searched().bads[0].term;
        Ic3::new(MOST_HELP, pool, self.searched(), (bad, &predicates), grant)
    }

    /// The system that is searched.
    fn searched(&self) -> &System {
        self.narrow.as_ref().map_or(&self.system, |narrow| &narrow.system)
    }

    /// What a cut term is, over what is cut below it.
    fn definition(&mut self, pool: &mut Pool, term: Term) -> Term {
        let args = pool.args(term).to_vec();
        let args: Vec<Term> = args.into_iter().map(|arg| image(&mut self.images, pool, arg)).collect();
        pool.rebuild(term, &args)
    }
}

fn image(images: &mut Rebuild, pool: &mut Pool, term: Term) -> Term {
    images.apply(pool, term, || true, |_, _, _| None).expect("nothing stops the walk")
}

/// The terms that are cut at first: those that do more with words of so many bits than to move, to combine
/// and to arrange their bits. Equations count if they decide what comes after.
fn cut(pool: &Pool, system: &System, width: u32) -> Vec<Term> {
    let values = system.states.iter().flat_map(|state| [state.init, state.next]).flatten();
    let lasting: Vec<Term> = values.chain(system.constraints.iter().map(|c| c.term)).collect();
    let mut lasts = TermSet::new();
    cone(pool, &lasting).into_iter().for_each(|term| {
        lasts.insert(term);
    });
    let is_wide = |term: &Term| pool.sort(*term).is_bitvec() && pool.width(*term).unwrap_or(1) >= width;
    let is_cut = |term: &Term| {
        let is_of_words = is_wide(term) || pool.args(*term).iter().any(is_wide);
        is_of_words
            && match pool.op(*term) {
                Op::Symbol | Op::Const | Op::Ite | Op::ConstArray | Op::Select | Op::Store => false,
                Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor => false,
                Op::Extract | Op::Concat | Op::Repeat | Op::ZeroExtend | Op::SignExtend => false,
                Op::Eq | Op::BvComp => lasts.contains(*term),
                _ => true,
            }
    };
    cone(pool, &system.terms()).into_iter().filter(is_cut).collect()
}

impl Prover for Cuts {
    fn level(&self) -> usize {
        self.prover.level()
    }

    fn bytes(&self) -> u64 {
        self.prover.bytes()
    }

    fn step(&mut self, pool: &mut Pool, system: &System) -> Search {
        if let Some(why) = self.refused {
            return Search::Paused(why);
        }
        let clauses = match self.prover.step(pool, self.abstraction.searched()) {
            Search::Violated(run) => return self.violated(pool, system, run),
            Search::Invariant(clauses) => clauses,
            result => return result,
        };
        let widened = match &self.abstraction.narrow {
            Some(narrow) => narrow.widened(pool, &clauses),
            None => Some(clauses),
        };
        match widened {
            Some(clauses) => Search::Invariant(clauses),
            None => self.refuse(Why::Incomplete("an invariant of narrow words is too large")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Event, Finding};
    use crate::normalize::Normalized;
    use crate::options::Options;
    use crate::pace::{Pace, UNDECIDED};
    use crate::problem::{Part, copied};
    use crate::property::Property;
    use crate::proving::Proving;
    use bivalve::{Settings, Stop};
    use bivalve_fuzz::systems::{data_path, small};
    use bivalve_systems::explicit::decide;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    fn grant() -> Grant {
        let pace = Pace::new(0, Arc::new(AtomicUsize::new(UNDECIDED)), false);
        pace.grant(u64::MAX);
        Grant { outer: Stop::new(), pace, settings: Settings::default() }
    }

    /// All terms that can be are cut here, and words become narrow with that only. A proof was checked, and a
    /// run was replayed, on the system.
    #[test]
    fn cuts_agree_with_enumeration() {
        let (mut proofs, mut runs, mut refined) = (0, 0, 0);
        for number in 0..200_u64 {
            let (mut pool, system) =
                if number.is_multiple_of(2) { small(13, number) } else { data_path(13, number) };
            let truth = decide(&pool, &system).expect("it is small");
            let normalized = Normalized::new(&mut pool, &system, true, &Stop::new());
            for (bad, truth) in truth.bads.iter().enumerate() {
                let part = Property::new(&pool, &normalized, bad, true).part;
                let (mut pool, system) = copied(&pool, &part.system);
                let part = Part { system, numbers: part.numbers };
                let options = Options::default();
                let proving = Proving::new(&mut pool, &part, &options, &grant(), Cuts::begin::<1, false>);
                let mut proving = proving.expect("it is small");
                let finding = loop {
                    match proving.step(&mut pool, &mut [true]).expect("nothing fails") {
                        Event::Further => refined += 1,
                        Event::Found(_, finding) => break finding,
                        _ => panic!("system {number}: no verdict"),
                    }
                };
                match (finding, truth) {
                    (Finding::Proof(_), None) => proofs += 1,
                    (Finding::Run(run), Some(frame)) => {
                        assert!(run.len() > *frame, "system {number}");
                        runs += 1;
                    }
                    _ => panic!("system {number}, b{bad}: not {truth:?}"),
                }
            }
        }
        assert!(proofs > 20 && runs > 20 && refined > 50, "{proofs} proofs, {runs} runs, {refined} steps");
    }
}
