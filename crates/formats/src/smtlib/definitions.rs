//! Definitions with parameters: a body to be copied with other arguments.
//!
//! A definition is kept as a straight-line program: the terms of the body that depend on a parameter,
//! children first, each with its arguments as places of earlier results, parameters, or terms that no
//! parameter reaches. Using the definition runs the program. What does not depend on a parameter is never
//! visited again, however large it is, and what the body shares is built once.
//!
//! Cost: at the definition one walk over the body; at each use one hash-consed term per dependent term of the
//! body.

use bivalve_terms::{Pool, Renaming, Sort, Term, cone};
use rustc_hash::FxHashMap;

/// A definition with at least one parameter.
pub(crate) struct Macro {
    params: Vec<Sort>,
    steps: Vec<Step>,
    args: Vec<Arg>,
    result: Arg,
}

/// Rebuilds a term of the body over the arguments from the end of the previous step to `end`.
struct Step {
    term: Term,
    end: u32,
}

#[derive(Clone, Copy)]
enum Arg {
    /// A parameter, or the result of a step, in the order: parameters, steps.
    Slot(u32),
    /// A term that no parameter reaches.
    Fixed(Term),
}

impl Macro {
    /// The definition of `body` over the parameters, which are symbols of the pool.
    pub(crate) fn new(pool: &Pool, params: &[Term], body: Term) -> Macro {
        let mut slots: FxHashMap<Term, u32> = params.iter().copied().zip(0..).collect();
        let place =
            |slots: &FxHashMap<Term, u32>, term| slots.get(&term).map_or(Arg::Fixed(term), |&s| Arg::Slot(s));
        let mut steps = Vec::new();
        let mut args = Vec::new();
        for term in cone(pool, &[body]) {
            let children = pool.args(term);
            if slots.contains_key(&term) || !children.iter().any(|child| slots.contains_key(child)) {
                continue;
            }
            args.extend(children.iter().map(|&child| place(&slots, child)));
            let end =
                u32::try_from(args.len()).expect("a body has fewer than 2^32 arguments, as the pool has");
            steps.push(Step { term, end });
            slots.insert(term, (params.len() + steps.len() - 1) as u32);
        }
        Macro {
            params: params.iter().map(|&param| pool.sort(param)).collect(),
            result: place(&slots, body),
            steps,
            args,
        }
    }

    /// The terms that the definition holds on to.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = Term> {
        let fixed = self.args.iter().chain([&self.result]).filter_map(|arg| match arg {
            Arg::Fixed(term) => Some(*term),
            Arg::Slot(_) => None,
        });
        self.steps.iter().map(|step| step.term).chain(fixed)
    }

    /// Follows a compaction of the pool.
    pub(crate) fn rename(&mut self, renaming: &Renaming) {
        self.steps.iter_mut().for_each(|step| step.term = renaming.of(step.term));
        for arg in self.args.iter_mut().chain([&mut self.result]) {
            if let Arg::Fixed(term) = arg {
                *term = renaming.of(*term);
            }
        }
    }

    /// The sorts of the parameters.
    pub(crate) fn params(&self) -> &[Sort] {
        &self.params
    }

    /// The body over these arguments, which are as many as the parameters and of their sorts; `None` if
    /// `goes_on`, which is asked for each term, says no.
    pub(crate) fn expand(
        &self,
        pool: &mut Pool,
        args: &[Term],
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<Term> {
        let mut slots = args.to_vec();
        let mut children = Vec::new();
        let mut start = 0;
        for step in &self.steps {
            let end = step.end as usize;
            children.clear();
            children.extend(self.args[start..end].iter().map(|&arg| read(&slots, arg)));
            if !goes_on() {
                return None;
            }
            slots.push(pool.rebuild(step.term, &children));
            start = end;
        }
        Some(read(&slots, self.result))
    }
}

fn read(slots: &[Term], arg: Arg) -> Term {
    match arg {
        Arg::Slot(slot) => slots[slot as usize],
        Arg::Fixed(term) => term,
    }
}
