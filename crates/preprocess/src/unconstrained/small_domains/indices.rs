//! Indices that are only compared: arrays become short.
//!
//! Words that are indices, compared for equality and chosen from, and nothing else, need no more values than
//! there are of them, and the arrays that they belong to no other elements: of a model, keep the elements at
//! the values of these words, one at which arrays differ for each equation between arrays, and a spare one
//! that no word names. So words and indices of arrays become narrow, and a comparison of two indices one of a
//! few bits. This is the small model property of the theory of arrays (Stump, Barrett, Dill and Levitt, LICS
//! 2001), as in the encodings of Bryant, German and Velev (TOCL 2001).
//!
//! The way back: numbers go back to values as those of compared words do; an array has what the short one has
//! at the number of an index, and at other indices what that has at the spare number. No write changes that,
//! so arrays that were equal are.
//!
//! Elements stay as they are: words that are elements as well as indices are left alone, and so are arrays of
//! arrays. Cost: linear in the terms below the conjuncts; a write for each number and symbol when a model is
//! made, so there are at most [`MOST_WRITES`].

use super::code::Code;
use super::memories::MOST_WRITES;
use super::{Class, Classes, Defined, Elimination};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term};
use rustc_hash::FxHashMap;

/// Makes all such arrays short. Those that are `used` are mentioned elsewhere.
pub(crate) fn run(
    pool: &mut Pool,
    problem: &Problem<'_>,
    used: &dyn Fn(Term) -> bool,
    left: &mut Elimination,
) {
    let below = problem.cone(pool);
    if !pool.sorts().has_arrays() || !problem.deadline.step(2 * below.len() as u64) {
        return;
    }
    let mut classes = Classes::default();
    for &term in below {
        if problem.is_frozen(term) {
            classes.leave(pool, term);
        } else {
            classes.look_at_index(pool, term, used);
        }
    }
    let codes = classes.index_codes(pool, below);
    if codes.is_empty() {
        return;
    }
    let mut images = problem.no_images(pool);
    let (mut defined, mut stated) = (vec![], vec![]);
    for &term in below {
        let code = codes.get(&classes.find(term));
        let of_operands = || pool.args(term).iter().find_map(|&arg| codes.get(&classes.find(arg)));
        let image = match (pool.op(term), code) {
            (Op::Symbol, Some(code)) => {
                let (fresh, definition) = symbol(pool, term, code, &mut stated);
                defined.push(Defined { symbol: term, term: definition, restricts: true });
                Some(fresh)
            }
            (Op::Ite, Some(code)) => Some(code.rebuilt(pool, term, 1, &images)),
            (Op::ConstArray, Some(code)) => {
                let element = images.image(pool.args(term)[0]).expect("arguments come first");
                let sort = short_sort(pool, term, code);
                Some(make::const_array(pool, sort, element))
            }
            (Op::Store | Op::Select | Op::Eq | Op::Distinct, _) => {
                of_operands().map(|code| rebuilt(pool, term, code, &images))
            }
            _ => None,
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
    left.conjuncts.extend(stated);
    left.defined.extend(defined);
}

/// What a symbol becomes, and its definition; states that an index is not the spare one.
fn symbol(pool: &mut Pool, symbol: Term, code: &Code, stated: &mut Vec<Term>) -> (Term, Term) {
    if let Some(width) = pool.width(symbol) {
        let fresh = code.symbol(pool);
        let spare = pool.bv_u64(code.last(), code.bits());
        let is_spare = make::eq(pool, fresh, spare);
        stated.push(make::not(pool, is_spare));
        return (fresh, code.value(pool, fresh, width));
    }
    let (width, sort) = (index_width(pool, symbol).expect("indices are words"), pool.sort(symbol));
    let short = short_sort(pool, symbol, code);
    let fresh = pool.symbol("short", short);
    let at = |pool: &mut Pool, number: u64| {
        let number = pool.bv_u64(number, code.bits());
        let element = make::app(pool, Op::Select, &[fresh, number]);
        (code.value(pool, number, width), element)
    };
    let (_, others) = at(pool, code.last());
    let mut array = make::const_array(pool, sort, others);
    for number in 0..code.last() {
        let (index, element) = at(pool, number);
        array = make::app(pool, Op::Store, &[array, index, element]);
    }
    (fresh, array)
}

/// A write, a read or a comparison over numbers; elements stay as they are.
fn rebuilt(pool: &mut Pool, term: Term, code: &Code, images: &Rebuild) -> Term {
    let args = pool.args(term).to_vec();
    let is_element = |place| place == 2 && pool.op(term) == Op::Store;
    let elements: Vec<bool> = (0..args.len()).map(is_element).collect();
    let image = |(&arg, is_element): (&Term, bool)| match is_element {
        true => images.image(arg).expect("arguments come first"),
        false => code.number(pool, arg, images),
    };
    let args: Vec<Term> = args.iter().zip(elements).map(image).collect();
    make::app(pool, pool.op(term), &args)
}

/// The width of the indices of an array, if its elements and indices are bit-vectors.
fn index_width(pool: &Pool, term: Term) -> Option<u32> {
    let (index, element) = pool.sorts().array_parts(pool.sort(term))?;
    index.width().filter(|_| element.is_bitvec())
}

/// The sort of an array whose indices are numbers.
fn short_sort(pool: &mut Pool, array: Term, code: &Code) -> Sort {
    let (_, element) = pool.sorts().array_parts(pool.sort(array)).expect("an array");
    pool.sorts_mut().array(code.sort(), element).expect("an element stays one")
}

impl Classes {
    /// Takes in how a term uses its operands, which were looked at before it. An array is in the class of its
    /// indices.
    fn look_at_index(&mut self, pool: &Pool, term: Term, used: &dyn Fn(Term) -> bool) {
        let args = pool.args(term);
        let is_array = index_width(pool, term).is_some();
        match pool.op(term) {
            Op::Const if !is_array => {}
            Op::Symbol if pool.sort(term).is_bitvec() => self.symbol(term, used(term)),
            Op::Symbol if is_array => {
                let class = self.class(term);
                class.memories += 1;
                class.spoiled |= used(term);
            }
            Op::Select if index_width(pool, args[0]).is_some() => {
                self.join(pool, args.iter().copied(), |_| {});
                self.leave(pool, term);
            }
            Op::Store if is_array => {
                self.join(pool, [term, args[0], args[1]].into_iter(), |_| {});
                self.leave(pool, args[2]);
            }
            Op::ConstArray if is_array => self.leave(pool, args[0]),
            Op::Ite if is_array || pool.sort(term).is_bitvec() => {
                self.join(pool, [term, args[1], args[2]].into_iter(), |_| {});
            }
            Op::Eq | Op::Distinct if pool.sort(args[0]).is_bitvec() => {
                self.join(pool, args.iter().copied(), |_| {});
            }
            Op::Eq | Op::Distinct if index_width(pool, args[0]).is_some() => {
                let pairs = args.len() * (args.len() - 1) / 2;
                self.join(pool, args.iter().copied(), |class| class.apart += pairs);
            }
            _ => args.iter().chain([&term]).for_each(|&part| self.leave(pool, part)),
        }
    }

    /// Takes in that a word or an array is not to be changed.
    fn leave(&mut self, pool: &Pool, term: Term) {
        let sort = pool.sort(term);
        let is_word = sort.is_bitvec() && !pool.is_const(term);
        if is_word || pool.sorts().array_parts(sort).is_some() {
            self.class(term).spoiled = true;
        }
    }

    /// How indices are numbered, by representative.
    fn index_codes(&mut self, pool: &Pool, below: &[Term]) -> FxHashMap<Term, Code> {
        let code = |class: &mut Class, width: u32| {
            let is_open = !class.spoiled && class.symbols > 0 && class.memories > 0;
            let code = is_open.then(|| Code::of_indices(class, width)).flatten()?;
            (class.memories as u64 <= MOST_WRITES as u64 >> code.bits()).then_some(code)
        };
        let mut codes = FxHashMap::default();
        for &representative in below {
            if let Some(class) = self.classes.get_mut(&representative)
                && let Some(width) = pool.width(representative).or_else(|| index_width(pool, representative))
                && let Some(code) = code(class, width)
            {
                codes.insert(representative, code);
            }
        }
        codes
    }
}
