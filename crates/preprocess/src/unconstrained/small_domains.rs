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
//! Cost: linear in the terms below the conjuncts; constants are compared one by one when a model is made, so
//! not many of them are allowed.

use super::{Defined, Elimination};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term, TermMap};
use rustc_hash::FxHashMap;

/// Symbols that are compared with more constants stay as they are.
const MOST_CONSTANTS: usize = 64;

/// What is known of terms that are compared with each other, by their representative.
#[derive(Default)]
struct Class {
    /// How many terms were joined.
    terms: usize,
    symbols: usize,
    constants: Vec<u64>,
    /// Pairs that may have to be different.
    apart: usize,
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
    let mut classes = Classes::default();
    for &term in below {
        if problem.is_frozen(term) {
            classes.spoil(pool, term);
        } else {
            classes.look_at(pool, term, polarities.get(term).copied().unwrap_or_default(), used);
        }
    }
    let codes = classes.codes(pool, below);
    if codes.is_empty() {
        return;
    }
    let mut images = problem.no_images(pool);
    let mut defined = vec![];
    for &term in below {
        let image = match codes.get(&classes.find(term)) {
            Some(code) if pool.op(term) == Op::Symbol => {
                let fresh = code.symbol(pool);
                let value = code.value(pool, fresh, pool.width(term).expect("bit-vectors are narrowed"));
                defined.push(Defined { symbol: term, term: value, restricts: true });
                Some(fresh)
            }
            Some(code) if pool.op(term) == Op::Ite => Some(code.rebuilt(pool, term, 1, &images)),
            _ => match pool.args(term).iter().find_map(|&arg| codes.get(&classes.find(arg))) {
                Some(code) if matches!(pool.op(term), Op::Eq | Op::Distinct) => {
                    Some(code.rebuilt(pool, term, 0, &images))
                }
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
    left.defined.extend(defined);
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
        if pool.sort(term).is_bitvec() && !pool.is_const(term) {
            self.class(term).spoiled = true;
        }
    }

    /// Takes in how a term uses its operands, which were looked at before it.
    fn look_at(&mut self, pool: &Pool, term: Term, polarity: Polarity, used: &dyn Fn(Term) -> bool) {
        let args = pool.args(term);
        let op = pool.op(term);
        let compared = match op {
            Op::Eq | Op::Distinct => args,
            Op::Ite => &args[1..],
            _ => &[],
        };
        if let Some(&first) = compared.first()
            && pool.sort(first).is_bitvec()
        {
            let own = (op == Op::Ite).then_some(term);
            self.join(pool, own.into_iter().chain(compared.iter().copied()), |class| match op {
                Op::Eq if polarity.denied => class.apart += 1,
                Op::Distinct if polarity.needed => class.apart += compared.len() * (compared.len() - 1) / 2,
                _ => {}
            });
            return;
        }
        match op {
            Op::Const => {}
            Op::Symbol if pool.sort(term).is_bitvec() => {
                let class = Class { terms: 1, symbols: 1, spoiled: used(term), ..Class::default() };
                self.classes.insert(term, class);
            }
            _ => {
                args.iter().chain([&term]).for_each(|&part| self.spoil(pool, part));
            }
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
                && let Some(code) =
                    Code::new(class, pool.width(representative).expect("bit-vectors are compared"))
            {
                codes.insert(representative, code);
            }
        }
        codes
    }
}

/// How the values of a class are numbered.
struct Code {
    /// The numbers have so many bits, fewer than the values.
    width: u32,
    /// The values of the first numbers, in increasing order.
    constants: Vec<u64>,
    /// What is added to a number that is none of a constant.
    base: u64,
}

impl Code {
    fn new(class: &mut Class, width: u32) -> Option<Code> {
        let mut constants = std::mem::take(&mut class.constants);
        constants.sort_unstable();
        constants.dedup();
        if constants.len() > MOST_CONSTANTS {
            return None;
        }
        let fixed = constants.len();
        let edges = class.apart + fixed * fixed.saturating_sub(1) / 2;
        let numbers = (class.symbols + fixed).min(colours(edges)) as u64;
        let narrow = numbers.max(2).next_power_of_two().trailing_zeros();
        if narrow >= width {
            return None;
        }
        let base = base(&constants, narrow, width)?;
        Some(Code { width: narrow, constants, base })
    }

    /// A new symbol for a number.
    fn symbol(&self, pool: &mut Pool) -> Term {
        let sort = Sort::bitvec(self.width).expect("narrower than a width that is legal");
        pool.symbol("few", sort)
    }

    /// The number of a term: of a constant, or what has become of another term.
    fn number(&self, pool: &mut Pool, term: Term, images: &Rebuild) -> Term {
        match pool.as_u64(term) {
            Some(value) => {
                let place = self.constants.binary_search(&value).expect("the constants of a class are known");
                pool.bv_u64(place as u64, self.width)
            }
            None => images.image(term).expect("members of a class come before what compares them"),
        }
    }

    /// A choice or a comparison over the numbers of its operands from number `from` on.
    fn rebuilt(&self, pool: &mut Pool, term: Term, from: usize, images: &Rebuild) -> Term {
        let args = pool.args(term).to_vec();
        let image = |(place, &arg): (usize, &Term)| {
            if place < from { images.image(arg).unwrap_or(arg) } else { self.number(pool, arg, images) }
        };
        let args: Vec<Term> = args.iter().enumerate().map(image).collect();
        make::app(pool, pool.op(term), &args)
    }

    /// The value of a number.
    fn value(&self, pool: &mut Pool, number: Term, width: u32) -> Term {
        let base = pool.bv_u64(self.base, width);
        let zeros = make::zeros(pool, width - self.width);
        let wide = make::app(pool, Op::Concat, &[zeros, number]);
        let mut value = make::app(pool, Op::BvAdd, &[base, wide]);
        for (place, &constant) in self.constants.iter().enumerate() {
            let (place, constant) = (pool.bv_u64(place as u64, self.width), pool.bv_u64(constant, width));
            let is_it = make::eq(pool, place, number);
            value = make::ite(pool, is_it, constant, value);
        }
        value
    }
}

/// No graph with so many edges needs more colours.
fn colours(edges: usize) -> usize {
    let mut colours = 1;
    while (colours + 1) * colours / 2 <= edges {
        colours += 1;
    }
    colours
}

/// A number such that no sum of it and a number of `narrow` bits, but those of the constants, is one of these
/// increasing constants; sums do not exceed `width` bits.
fn base(constants: &[u64], narrow: u32, width: u32) -> Option<u64> {
    let (first, last) = (constants.len() as u64, (1u64 << narrow.min(62)) - 1);
    if narrow > 32 {
        return None;
    }
    let most = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let starts = [0].into_iter().chain(constants.iter().filter_map(|constant| constant.checked_add(1)));
    starts.map(|start| start.saturating_sub(first)).find(|&base| {
        let (low, high) = (base.checked_add(first), base.checked_add(last));
        match (low, high) {
            (Some(low), Some(high)) => high <= most && !constants.iter().any(|k| (low..=high).contains(k)),
            _ => false,
        }
    })
}
