//! Lemmas: consequences of the theory of arrays that the current model breaks.
//!
//! A lemma says: if these conditions hold, then those two terms are equal (or, for a witness, are not).
//! Conditions are what the propagation of the two accesses rested on (thesis, table 2.1): the index differs
//! from a written index, an if-then-else chose this branch, two arrays are equal; and that the indices of the
//! accesses are the same.
//!
//! **Minimisation** (thesis, section 2.11.1). Each path is a shortest one already, because accesses are
//! propagated breadth first. Of two conditions `i != j` and `k != j` the second is dropped where `i = k` is
//! among the conditions too: it follows. Conditions that are said twice are said once, and what rewriting
//! proves or refutes is left to the encoder.
//!
//! A lemma is a clause over *terms*, so it can be evaluated: the tests do so under random arrays, for each
//! lemma that is ever made there. The encoder encodes each atom once and adds the clause to the SAT solver as
//! it is (section 2.11.6).

use bivalve_refine::Lemma;
use bivalve_terms::{BitVec, Op, Pool, Term};
use rustc_hash::FxHashSet;

/// A condition of a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Condition {
    /// Two terms of one sort are equal.
    Same(Term, Term),
    /// They are not: the index of an access, and a written index.
    Different(Term, Term),
    /// A Boolean term has this value.
    Is(Term, bool),
    /// An equality is true that an access with this index has crossed.
    Crossed(Term, Term),
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident $name:literal $meaning:literal;)*) => {
        /// Why a lemma was made.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Reason { $($(#[$doc])* $reason),* }

        impl Reason {
            /// All reasons.
            pub const ALL: &[Reason] = &[$(Reason::$reason),*];

            /// The name of the reason in lemmas and statistics.
            pub const fn name(self) -> &'static str {
                match self { $(Reason::$reason => $name),* }
            }

            /// The rule in words.
            pub const fn meaning(self) -> &'static str {
                match self { $(Reason::$reason => $meaning),* }
            }
        }
    };
}

reasons! {
    /// Two accesses meet at one array with one index, and their elements differ.
    Congruence "congruence" "at the same index, an array or a function has one value";
    /// An access meets a constant array whose element differs.
    Constant "constant" "a constant array has its value at every index";
    /// Two constant arrays with different elements are equal outside of what was written between them.
    Default "default" "equal constant arrays have one value";
    /// Arrays are equal to equal arrays.
    Transitivity "transitivity" "what equals the same array is equal";
    /// Arrays that are not equal differ at some index. Valid for the right choice of the fresh index.
    Witness "witness" "arrays that are not equal differ at some index";
    /// Eager instantiation.
    Axiom "axiom" "an axiom of the theory of arrays, instantiated before the search";
    /// A read is expanded.
    Expansion "expansion" "a read of a write: the written value, or a read of the array below";
}

/// A lemma whose atoms are not terms yet, so that lemmas can be made while the pool is being read.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) reason: Reason,
    pub(crate) conditions: Vec<Condition>,
    /// Two terms that are equal under the conditions; `None` if the conditions contradict each other.
    pub(crate) conclusion: Option<(Term, Term)>,
    /// The reads and writes that are in conflict.
    pub(crate) accesses: [Option<Term>; 2],
}

impl Draft {
    /// Drops conditions that others imply.
    pub(crate) fn minimise(&mut self) {
        let indices = self.conditions.iter().find_map(|condition| match *condition {
            Condition::Same(a, b) => Some((a, b)),
            Condition::Different(..) | Condition::Is(..) | Condition::Crossed(..) => None,
        });
        let mut said = FxHashSet::default();
        self.conditions.retain(|condition| {
            let new = said.insert(*condition);
            match (*condition, indices) {
                (Condition::Different(index, written), Some((a, b))) => {
                    let other = if index == a { b } else { a };
                    new && (index == other || !said.contains(&Condition::Different(other, written)))
                }
                _ => new,
            }
        });
    }

    /// The clause.
    pub(crate) fn lemma(&self, pool: &mut Pool) -> Lemma {
        let mut literals: Vec<(Term, bool)> = vec![];
        for condition in &self.conditions {
            literals.push(match *condition {
                Condition::Same(a, b) if a == b => continue,
                Condition::Same(a, b) => (equality(pool, a, b), false),
                Condition::Different(a, b) => (equality(pool, a, b), true),
                Condition::Is(term, value) => (term, !value),
                Condition::Crossed(atom, _) => (atom, false),
            });
        }
        let mut said = FxHashSet::default();
        literals.retain(|literal| said.insert(*literal));
        if let Some((a, b)) = self.conclusion {
            literals.push((equality(pool, a, b), true));
        }
        Lemma::new(self.reason.name(), literals).from_terms(self.accesses.into_iter().flatten())
    }
}

/// Is the term an equality between arrays?
pub(crate) fn is_equality(pool: &Pool, term: Term) -> bool {
    pool.op(term) == Op::Eq && pool.sorts().array_parts(pool.sort(pool.args(term)[0])).is_some()
}

/// Sums of more than that are compared as they are.
const MOST_ADDENDS: usize = 8;

/// `a = b`, one term for both ways round; of sums with constants, one term for all that say the same:
/// memories are indexed by a few symbols and many offsets, and `x + 1 = y + 3` is the comparison that `x + 2
/// = y + 4` is. What both sides add is left out: where arrays begin at a symbol, all indices have it.
pub(crate) fn equality(pool: &mut Pool, a: Term, b: Term) -> Term {
    let (a, b) = without_common_addends(pool, a, b);
    let (a, b) = match (offset(pool, a), offset(pool, b)) {
        (None, None) => (a, b),
        (found_a, found_b) => {
            let zero = BitVec::zero(pool.width(a).expect("sums are bit-vectors"));
            let (mut a, mut b) = (found_a.unwrap_or((a, zero.clone())), found_b.unwrap_or((b, zero)));
            if b.0 < a.0 {
                (a, b) = (b, a);
            }
            let distance = a.1.sub(&b.1);
            if a.0 == b.0 {
                return pool.bool(distance.is_zero());
            }
            let moved = if distance.is_zero() {
                a.0
            } else {
                let distance = pool.bitvec(&distance);
                pool.mk(Op::BvAdd, &[distance, a.0])
            };
            (moved, b.0)
        }
    };
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    pool.mk(Op::Eq, &[a, b])
}

/// The two terms without what is added on both sides.
fn without_common_addends(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    if a == b || pool.op(a) != Op::BvAdd && pool.op(b) != Op::BvAdd {
        return (a, b);
    }
    let [(Some(mut left), low), (Some(mut right), high)] = [addends(pool, a), addends(pool, b)] else {
        return (a, b);
    };
    let before = left.len();
    left.retain(|term| match right.iter().position(|other| other == term) {
        Some(place) => {
            right.swap_remove(place);
            false
        }
        None => true,
    });
    if left.len() == before {
        return (a, b);
    }
    left.sort_unstable();
    right.sort_unstable();
    (sum(pool, &left, &low), sum(pool, &right, &high))
}

/// What a term adds up, but for constants, and the sum of those; nothing if there is too much of it.
fn addends(pool: &Pool, term: Term) -> (Option<Vec<Term>>, BitVec) {
    let mut constant = BitVec::zero(pool.width(term).expect("sums are bit-vectors"));
    let (mut found, mut open) = (vec![], vec![term]);
    while let Some(term) = open.pop() {
        if let Some(value) = pool.as_bitvec(term) {
            constant = constant.add(&value);
        } else if pool.op(term) == Op::BvAdd {
            open.extend(pool.args(term));
        } else {
            found.push(term);
        }
        if open.len() + found.len() > MOST_ADDENDS {
            return (None, constant);
        }
    }
    (Some(found), constant)
}

/// A sum.
fn sum(pool: &mut Pool, terms: &[Term], constant: &BitVec) -> Term {
    let rest = terms.iter().copied().reduce(|sum, term| pool.mk(Op::BvAdd, &[sum, term]));
    match rest {
        Some(rest) if constant.is_zero() => rest,
        Some(rest) => {
            let constant = pool.bitvec(constant);
            pool.mk(Op::BvAdd, &[constant, rest])
        }
        None => pool.bitvec(constant),
    }
}

/// What a constant is added to, and the constant.
fn offset(pool: &Pool, term: Term) -> Option<(Term, BitVec)> {
    let &[first, second] = pool.args(term) else { return None };
    if pool.op(term) != Op::BvAdd {
        return None;
    }
    let constant = |k: Term, other: Term| pool.as_bitvec(k).map(|k| (other, k));
    constant(first, second).or_else(|| constant(second, first))
}
