//! Models of near-identities, found by evaluation of likely values.
//!
//! A near-identity fails at a corner, or where symbols are equal, or at the constants that it mentions; a
//! hash without collisions is one whose values at the places that occur differ. So values are drawn from
//! those, until the reference semantics say that all assertions hold.
//!
//! Cost: an evaluation for each try.

use crate::case::Evidence;
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Sort, Term, Value, cone};

/// What values are drawn from.
struct Likely {
    roots: Vec<Term>,
    /// Symbols of bit-vectors.
    symbols: Vec<(Term, u32)>,
    constants: Vec<BitVec>,
    /// Applications of functions, arguments first.
    applications: Vec<Term>,
}

impl Likely {
    fn new(pool: &Pool, roots: &[Term]) -> Likely {
        let below = cone(pool, roots);
        let of = |op: Op| below.iter().copied().filter(move |&term| pool.op(term) == op);
        Likely {
            roots: roots.to_vec(),
            symbols: of(Op::Symbol).filter_map(|term| Some((term, pool.width(term)?))).collect(),
            constants: of(Op::Const).filter_map(|term| pool.as_bitvec(term)).collect(),
            applications: of(Op::Apply).collect(),
        }
    }

    /// A value for every symbol.
    fn assignment(&self, pool: &Pool, random: &mut TermGen) -> Assignment {
        let mut assignment = random.assignment(pool, &self.roots);
        for (place, &(symbol, width)) in self.symbols.iter().enumerate() {
            if let Some(value) = self.met(place, width, &assignment, random) {
                assignment.set(symbol, value);
            }
        }
        for &application in &self.applications {
            define(pool, application, &mut assignment, random);
        }
        assignment
    }

    /// Perhaps a constant of the formula, or the value of an earlier symbol, or one more or less.
    fn met(&self, place: usize, width: u32, so_far: &Assignment, random: &mut TermGen) -> Option<BitVec> {
        let earlier =
            || self.symbols[..place].iter().filter_map(|&(other, _)| so_far.get(other)?.as_bitvec());
        let mut values: Vec<&BitVec> = match random.rng().u32(..4) {
            0 => self.constants.iter().collect(),
            1 => earlier().collect(),
            _ => return None,
        };
        values.retain(|value| value.width() == width);
        if values.is_empty() {
            return None;
        }
        let (value, one) = (values[random.rng().usize(..values.len())], BitVec::one(width));
        Some(match random.rng().u32(..4) {
            0 => value.add(&one),
            1 => value.sub(&one),
            _ => value.clone(),
        })
    }
}

/// Gives a function a value of its own at the arguments of an application.
fn define(pool: &Pool, application: Term, assignment: &mut Assignment, random: &mut TermGen) {
    let (Some((&function, args)), sort) = (pool.args(application).split_first(), pool.sort(application))
    else {
        return;
    };
    let mut evaluator = Evaluator::new(pool, assignment);
    let args: Vec<Value> = args.iter().map(|&arg| evaluator.eval(arg).clone()).collect();
    let Some(mut meaning) = assignment.get(function).and_then(Value::as_function).cloned() else { return };
    meaning.define(args, value_of(pool, sort, random));
    assignment.set(function, meaning);
}

/// Any value of a sort: bits that are unlikely to be met elsewhere, if there are enough of them.
fn value_of(pool: &Pool, sort: Sort, random: &mut TermGen) -> Value {
    match sort.width() {
        Some(width) => BitVec::from_fn(width, |_| random.rng().bool()).into(),
        None => random.value(pool, sort),
    }
}

/// A model of the assertions, among so many tries; `Nothing` if there was none.
pub(super) fn counterexample(pool: &Pool, assertions: &[Term], seed: u64, tries: u32) -> Evidence {
    let mut random = TermGen::new(seed);
    let likely = Likely::new(pool, assertions);
    let mut models = (0..tries).map(|_| likely.assignment(pool, &mut random));
    let found = models.find(|model| {
        let mut evaluator = Evaluator::new(pool, model);
        assertions.iter().all(|&assertion| evaluator.eval(assertion).expect_bool())
    });
    found.map_or(Evidence::Nothing, Evidence::Model)
}
