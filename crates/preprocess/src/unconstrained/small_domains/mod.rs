//! Small-domain encoding: symbols that are only compared need few values.
//!
//! Symbols that occur in equations with each other and with constants only (and in choices that do) have no
//! bits: all that matters is which of them are equal. If `n` symbols and constants are compared with each
//! other, `n` values are enough for them, whatever their width: a model is renumbered. So symbols become
//! narrower ones, and constants small numbers. This is the *small domain instantiation* of equality logic
//! (Pnueli, Rodeh, Shtrichman and Siegel, CAV 1999).
//!
//! Often far fewer are enough. An equation that occurs below an even number of negations only may become true
//! by accident, since more truth there does no harm; what has to stay apart in a model are the sides of those
//! equations that occur negated. Take the values of a model as the nodes of a graph, with an edge for each
//! negated equation that is false in it, and one for each pair of constants: its colours will do as values,
//! and a graph with `m` edges has no more than `c` colours where `c · (c - 1) / 2 <= m`, since each pair of
//! colours has an edge. A choice has the value of one of its branches, so an equation is one edge however
//! many symbols it chooses from.
//!
//! The way back: the numbers of constants go back to them, and other numbers `i` to `base + i`, where `base`
//! is such that no constant is met. That definition restricts the symbol, which has few values then.
//!
//! Words that are also compared by order keep their order: `n` symbols beside constants up to `c` need the
//! values up to `c + n`, since what lies above `c` in a model can be moved down without passing anything. So
//! what sorts words of 32 bits becomes a matter of a few bits (`bubsort`, 10 cells: 39 s before, 3 s now).
//!
//! Arrays that are only read are as good as symbols ([`reads`]); others get narrower elements ([`memories`]).
//! Indices are narrowed by a pass of its own ([`indices`]).
//!
//! Cost: linear in the terms below the conjuncts; constants are compared one by one when a model is made, so
//! not many of them are allowed.

mod code;
pub(super) mod indices;
mod memories;
mod reads;

use super::{Defined, Elimination};
use crate::problem::Problem;
use bivalve_terms::{Op, Pool, Term, TermMap};
use code::{Code, MOST_CONSTANTS};
use memories::Memories;
use reads::Reads;
use rustc_hash::FxHashMap;

/// What is known of terms that are compared with each other, by their representative.
#[derive(Default)]
struct Class {
    /// How many terms were joined.
    terms: usize,
    symbols: usize,
    constants: Vec<u64>,
    /// Pairs that may have to be different.
    apart: usize,
    /// Whether they are compared by order, as unsigned and as signed numbers.
    unsigned: bool,
    signed: bool,
    /// Symbols that are arrays, and reads of arrays.
    memories: usize,
    reads: usize,
    /// Something else is done with one of them.
    spoiled: bool,
}

/// Classes of terms that are compared.
#[derive(Default)]
struct Classes {
    /// Those whose parent is another term.
    parents: TermMap<Term>,
    classes: FxHashMap<Term, Class>,
}

/// How a Boolean term matters to the truth of the conjuncts.
#[derive(Clone, Copy, Default)]
struct Polarity {
    /// It may have to be true; it may have to be false.
    needed: bool,
    denied: bool,
}

/// Narrows all such symbols. Those that are `used` are mentioned elsewhere.
pub(crate) fn run(
    pool: &mut Pool,
    problem: &Problem<'_>,
    used: &dyn Fn(Term) -> bool,
    left: &mut Elimination,
) {
    let below = problem.cone(pool);
    if !problem.deadline.step(2 * below.len() as u64) {
        return;
    }
    let polarities = polarities(pool, problem.conjuncts, below);
    let reads = Reads::new(pool, problem, used);
    let mut classes = Classes::default();
    for &term in below {
        if reads.contains(pool, term) {
            classes.read(pool, term, reads.first(pool, term));
        } else if problem.is_frozen(term) {
            classes.spoil(pool, term);
        } else if !classes.look_at_array(pool, term, used(term)) {
            classes.look_at(pool, term, polarities.get(term).copied().unwrap_or_default(), used);
        }
    }
    let codes = classes.codes(pool, below);
    if codes.is_empty() {
        return;
    }
    let mut images = problem.no_images(pool);
    let mut defined = vec![];
    let mut found: TermMap<(Term, Term)> = TermMap::new();
    let mut memories = Memories::default();
    for &term in below {
        let representative = classes.find(term);
        let is_array = memories::element_width(pool, term).is_some();
        let image = match codes.get(&representative) {
            Some(code) if pool.op(term) == Op::Ite => Some(code.rebuilt(pool, term, 1, &images)),
            Some(code) if is_array || pool.op(term) == Op::Select && !reads.contains(pool, term) => {
                memories.image(pool, term, (code, representative), &images)
            }
            Some(code) if pool.op(term) == Op::Symbol => {
                let fresh = code.symbol(pool);
                let value = code.value(pool, fresh, pool.width(term).expect("bit-vectors are narrowed"));
                defined.push(Defined { symbol: term, term: value, restricts: true });
                Some(fresh)
            }
            Some(code) if pool.op(term) == Op::Select => {
                let fresh = code.symbol(pool);
                let value = code.value(pool, fresh, pool.width(term).expect("bit-vectors are narrowed"));
                found.insert(term, (fresh, value));
                Some(fresh)
            }
            _ => match pool.args(term).iter().find_map(|&arg| codes.get(&classes.find(arg))) {
                Some(code) if is_comparison(pool.op(term)) => Some(code.rebuilt(pool, term, 0, &images)),
                _ => None,
            },
        };
        match image {
            Some(image) => images.set(term, image),
            None => {
                if !images.extend(pool, &[term], || problem.deadline.step(1), |_, _, _| None) {
                    return;
                }
            }
        }
    }
    left.conjuncts = problem.images(&images);
    defined.extend(memories.defined(pool, |representative| codes[&representative].clone()));
    defined.extend(reads.arrays(pool, &found, &images, &mut left.conjuncts));
    left.defined.extend(defined);
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Distinct | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
}

/// The polarities of the Boolean terms that the conjuncts are made of.
fn polarities(pool: &Pool, conjuncts: &[Term], below: &[Term]) -> TermMap<Polarity> {
    let mut polarities: TermMap<Polarity> = TermMap::new();
    let add = |polarities: &mut TermMap<Polarity>, term: Term, needed: bool, denied: bool| {
        let known = polarities.get(term).copied().unwrap_or_default();
        polarities.insert(term, Polarity { needed: known.needed || needed, denied: known.denied || denied });
    };
    conjuncts.iter().for_each(|&conjunct| add(&mut polarities, conjunct, true, false));
    for &term in below.iter().rev() {
        let Polarity { needed, denied } = polarities.get(term).copied().unwrap_or_default();
        for (place, &arg) in pool.args(term).iter().enumerate() {
            let (needed, denied) = match pool.op(term) {
                Op::Not => (denied, needed),
                Op::And => (needed, denied),
                Op::Ite if place > 0 => (needed, denied),
                _ => (true, true),
            };
            if pool.sort(arg).is_bool() {
                add(&mut polarities, arg, needed, denied);
            }
        }
    }
    polarities
}

impl Classes {
    /// Takes in a term that keeps its value.
    fn spoil(&mut self, pool: &Pool, term: Term) {
        let is_word = pool.sort(term).is_bitvec() || memories::element_width(pool, term).is_some();
        if is_word && !pool.is_const(term) {
            self.class(term).spoiled = true;
        }
    }

    /// Takes in how a term uses its operands, which were looked at before it.
    fn look_at(&mut self, pool: &Pool, term: Term, polarity: Polarity, used: &dyn Fn(Term) -> bool) {
        let args = pool.args(term);
        let op = pool.op(term);
        let compared = match op {
            Op::Ite => &args[1..],
            _ if is_comparison(op) => args,
            _ => &[],
        };
        if let Some(&first) = compared.first()
            && pool.sort(first).is_bitvec()
        {
            let own = (op == Op::Ite).then_some(term);
            self.join(pool, own.into_iter().chain(compared.iter().copied()), |class| match op {
                Op::Eq if polarity.denied => class.apart += 1,
                Op::Distinct if polarity.needed => class.apart += compared.len() * (compared.len() - 1) / 2,
                Op::BvUlt | Op::BvUle => class.unsigned = true,
                Op::BvSlt | Op::BvSle => class.signed = true,
                _ => {}
            });
            return;
        }
        match op {
            Op::Const => {}
            Op::Symbol if pool.sort(term).is_bitvec() => self.symbol(term, used(term)),
            _ => {
                args.iter().chain([&term]).for_each(|&part| self.spoil(pool, part));
            }
        }
    }

    /// Takes in a symbol, or what is as good as one.
    fn symbol(&mut self, term: Term, spoiled: bool) {
        self.classes.insert(term, Class { terms: 1, symbols: 1, spoiled, ..Class::default() });
    }

    /// Takes in a read of an array that is only read, beside another one that was taken in.
    fn read(&mut self, pool: &Pool, term: Term, sibling: Term) {
        self.symbol(term, false);
        self.spoil(pool, pool.args(term)[1]);
        if sibling != term {
            self.join(pool, [term, sibling].into_iter(), |_| {});
        }
    }

    /// Makes one class of terms, not all of which are constants, and takes something down for it.
    fn join(&mut self, pool: &Pool, terms: impl Iterator<Item = Term>, take_down: impl Fn(&mut Class)) {
        let (constants, terms): (Vec<Term>, Vec<Term>) = terms.partition(|&term| pool.is_const(term));
        let Some(&first) = terms.first() else { return };
        let mut representative = self.find(first);
        for &term in &terms {
            let other = self.find(term);
            if other != representative {
                let (mut greater, mut smaller) = (representative, other);
                let size = |term| self.classes.get(&term).map_or(0, |class| class.terms);
                if size(greater) < size(smaller) {
                    (greater, smaller) = (smaller, greater);
                }
                let merged = self.classes.remove(&smaller).unwrap_or_default();
                self.parents.insert(smaller, greater);
                let class = self.class(greater);
                class.terms += merged.terms.max(1);
                class.symbols += merged.symbols;
                class.constants.extend(merged.constants);
                class.apart += merged.apart;
                class.unsigned |= merged.unsigned;
                class.signed |= merged.signed;
                class.memories += merged.memories;
                class.reads += merged.reads;
                class.spoiled |= merged.spoiled;
                representative = greater;
            }
        }
        let class = self.class(representative);
        for constant in constants {
            match pool.as_u64(constant) {
                Some(value) if class.constants.len() <= 2 * MOST_CONSTANTS => class.constants.push(value),
                _ => class.spoiled = true,
            }
        }
        if class.constants.len() > MOST_CONSTANTS {
            class.constants.sort_unstable();
            class.constants.dedup();
        }
        take_down(class);
    }

    fn class(&mut self, term: Term) -> &mut Class {
        let representative = self.find(term);
        self.classes.entry(representative).or_default()
    }

    /// The representative of a term.
    fn find(&self, mut term: Term) -> Term {
        while let Some(&parent) = self.parents.get(term) {
            term = parent;
        }
        term
    }

    /// How the members of classes are numbered, of those for which it gains something.
    fn codes(&mut self, pool: &Pool, below: &[Term]) -> FxHashMap<Term, Code> {
        let mut codes = FxHashMap::default();
        for &representative in below {
            if let Some(class) = self.classes.get_mut(&representative)
                && !class.spoiled
                && class.symbols > 0
                && class.memories * class.reads <= memories::MOST_WRITES
                && let Some(width) =
                    pool.width(representative).or_else(|| memories::element_width(pool, representative))
                && let Some(code) = Code::new(class, width)
            {
                codes.insert(representative, code);
            }
        }
        codes
    }
}

#[cfg(test)]
mod tests;
