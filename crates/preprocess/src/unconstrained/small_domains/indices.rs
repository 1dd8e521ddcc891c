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
//! Elements that are only compared, chosen from and used as indices again, the links of lists, are numbered
//! like indices ([`Elements`]): each read is one more word of its class, and an equation between arrays has
//! two more values, those at the index at which they differ. What no word names may be the spare number, for
//! that is no word's. Other elements stay as they are, and so do arrays of arrays. Measured: a list of 12
//! nodes reversed twice, more than 6 s to 0.4 s.
//!
//! Cost: linear in the terms below the conjuncts; a write for each number and symbol when a model is made, so
//! there are at most [`MOST_WRITES`].

use super::code::Code;
use super::memories::MOST_WRITES;
use super::{Class, Classes, Defined, Elimination};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Sort, Term, TermMap};
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
    let elements = Elements::new(pool, below);
    let mut classes = Classes::default();
    for &term in below {
        if problem.is_frozen(term) {
            classes.leave(pool, term, &elements);
        } else {
            classes.look_at_index(pool, term, used, &elements);
        }
    }
    let mut codes = classes.index_codes(pool, below, &elements);
    elements.agree(&classes, &mut codes);
    if codes.is_empty() {
        return;
    }
    let mut images = problem.no_images(pool);
    let (mut defined, mut stated) = (vec![], vec![]);
    for &term in below {
        let code = codes.get(&classes.find(term));
        let of_operands = || pool.args(term).iter().find_map(|&arg| codes.get(&classes.find(arg)));
        let of_elements =
            |array: Term| elements.of(array).and_then(|element| codes.get(&classes.find(element)));
        let image = match (pool.op(term), code) {
            (Op::Symbol, Some(code)) => {
                let (fresh, definition) = symbol(pool, term, code, of_elements(term), &mut stated);
                defined.push(Defined { symbol: term, term: definition, restricts: true });
                Some(fresh)
            }
            (Op::Ite, Some(code)) => Some(code.rebuilt(pool, term, 1, &images)),
            (Op::ConstArray, Some(code)) => {
                let element = element(pool, pool.args(term)[0], of_elements(term), &images);
                let sort = short_sort(pool, term, code, of_elements(term));
                Some(make::const_array(pool, sort, element))
            }
            (Op::Store | Op::Select | Op::Eq | Op::Distinct, _) => {
                let of_elements = pool.args(term).first().and_then(|&array| of_elements(array));
                of_operands().map(|code| rebuilt(pool, term, code, of_elements, &images, &mut stated))
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
fn symbol(
    pool: &mut Pool,
    symbol: Term,
    code: &Code,
    of_elements: Option<&Code>,
    stated: &mut Vec<Term>,
) -> (Term, Term) {
    if let Some(width) = pool.width(symbol) {
        let fresh = code.symbol(pool);
        stated.push(is_named(pool, fresh, code));
        return (fresh, code.value(pool, fresh, width));
    }
    let (width, sort) = (index_width(pool, symbol).expect("indices are words"), pool.sort(symbol));
    let short = short_sort(pool, symbol, code, of_elements);
    let fresh = pool.symbol("short", short);
    let at = |pool: &mut Pool, number: u64| {
        let number = pool.bv_u64(number, code.bits());
        let element = make::app(pool, Op::Select, &[fresh, number]);
        let element = of_elements.map_or(element, |code| code.value(pool, element, width));
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

/// A number is not the spare one.
fn is_named(pool: &mut Pool, number: Term, code: &Code) -> Term {
    let spare = pool.bv_u64(code.last(), code.bits());
    let is_spare = make::eq(pool, number, spare);
    make::not(pool, is_spare)
}

/// What an element becomes.
fn element(pool: &mut Pool, element: Term, of_elements: Option<&Code>, images: &Rebuild) -> Term {
    match of_elements {
        Some(code) => code.number(pool, element, images),
        None => images.image(element).expect("arguments come first"),
    }
}

/// A write, a read or a comparison over numbers; states that what is read is not the spare one.
fn rebuilt(
    pool: &mut Pool,
    term: Term,
    code: &Code,
    of_elements: Option<&Code>,
    images: &Rebuild,
    stated: &mut Vec<Term>,
) -> Term {
    let args = pool.args(term).to_vec();
    let is_element = |place| place == 2 && pool.op(term) == Op::Store;
    let is_element: Vec<bool> = (0..args.len()).map(is_element).collect();
    let image = |(&arg, is_element): (&Term, bool)| match is_element {
        true => element(pool, arg, of_elements, images),
        false => code.number(pool, arg, images),
    };
    let args: Vec<Term> = args.iter().zip(is_element).map(image).collect();
    let image = make::app(pool, pool.op(term), &args);
    if pool.op(term) == Op::Select
        && let Some(code) = of_elements
    {
        stated.push(is_named(pool, image, code));
    }
    image
}

/// Symbols that stand for the elements of arrays whose elements are as wide as their indices.
struct Elements {
    symbols: TermMap<Term>,
    arrays: Vec<Term>,
}

impl Elements {
    fn new(pool: &mut Pool, below: &[Term]) -> Elements {
        let mut elements = Elements { symbols: TermMap::new(), arrays: vec![] };
        for &term in below {
            let sorts = pool.sorts().array_parts(pool.sort(term));
            if let Some((_, element)) = sorts.filter(|(index, element)| index.is_bitvec() && index == element)
            {
                let element = pool.symbol("element", element);
                elements.symbols.insert(term, element);
                elements.arrays.push(term);
            }
        }
        elements
    }

    /// The symbol that stands for the elements of an array.
    fn of(&self, array: Term) -> Option<Term> {
        self.symbols.get(array).copied()
    }

    /// Elements are numbered only where all arrays that have them are.
    fn agree(&self, classes: &Classes, codes: &mut FxHashMap<Term, Code>) {
        loop {
            let before = codes.len();
            for &array in &self.arrays {
                if let Some(element) = self.of(array)
                    && !codes.contains_key(&classes.find(array))
                {
                    codes.remove(&classes.find(element));
                }
            }
            if codes.len() == before {
                return;
            }
        }
    }
}

/// The width of the indices of an array, if its elements and indices are bit-vectors.
fn index_width(pool: &Pool, term: Term) -> Option<u32> {
    let (index, element) = pool.sorts().array_parts(pool.sort(term))?;
    index.width().filter(|_| element.is_bitvec())
}

/// The sort of an array whose indices are numbers, and perhaps its elements.
fn short_sort(pool: &mut Pool, array: Term, code: &Code, of_elements: Option<&Code>) -> Sort {
    let (_, element) = pool.sorts().array_parts(pool.sort(array)).expect("an array");
    let element = of_elements.map_or(element, Code::sort);
    pool.sorts_mut().array(code.sort(), element).expect("an element stays one")
}

impl Classes {
    /// Takes in how a term uses its operands, which were looked at before it. An array is in the class of its
    /// indices.
    fn look_at_index(&mut self, pool: &Pool, term: Term, used: &dyn Fn(Term) -> bool, elements: &Elements) {
        let args = pool.args(term);
        let is_array = index_width(pool, term).is_some();
        let of = |array: Term| elements.of(array);
        match pool.op(term) {
            Op::Const if !is_array => {}
            Op::Symbol if pool.sort(term).is_bitvec() => self.symbol(term, used(term)),
            Op::Symbol if is_array => {
                self.class(term).memories += 1;
                if used(term) {
                    self.leave(pool, term, elements);
                }
            }
            Op::Select if index_width(pool, args[0]).is_some() => {
                self.join(pool, args.iter().copied(), |_| {});
                match of(args[0]) {
                    Some(element) => self.join(pool, [element, term].into_iter(), |class| class.symbols += 1),
                    None => self.leave(pool, term, elements),
                }
            }
            Op::Store if is_array => {
                self.join(pool, [term, args[0], args[1]].into_iter(), |_| {});
                match (of(term), of(args[0])) {
                    (Some(element), Some(before)) => {
                        self.join(pool, [element, before, args[2]].into_iter(), |_| {});
                    }
                    _ => self.leave(pool, args[2], elements),
                }
            }
            Op::ConstArray if is_array => match of(term) {
                Some(element) => self.join(pool, [element, args[0]].into_iter(), |_| {}),
                None => self.leave(pool, args[0], elements),
            },
            Op::Ite if is_array || pool.sort(term).is_bitvec() => {
                self.join(pool, [term, args[1], args[2]].into_iter(), |_| {});
                self.join(pool, [term, args[1], args[2]].into_iter().filter_map(of), |_| {});
            }
            Op::Eq | Op::Distinct if pool.sort(args[0]).is_bitvec() => {
                self.join(pool, args.iter().copied(), |_| {});
            }
            Op::Eq | Op::Distinct if index_width(pool, args[0]).is_some() => {
                let pairs = args.len() * (args.len() - 1) / 2;
                self.join(pool, args.iter().copied(), |class| class.apart += pairs);
                self.join(pool, args.iter().copied().filter_map(of), |class| class.apart += 2 * pairs);
            }
            _ => args.iter().chain([&term]).for_each(|&part| self.leave(pool, part, elements)),
        }
    }

    /// Takes in that a word or an array is not to be changed.
    fn leave(&mut self, pool: &Pool, term: Term, elements: &Elements) {
        let sort = pool.sort(term);
        let is_word = sort.is_bitvec() && !pool.is_const(term);
        if is_word || pool.sorts().array_parts(sort).is_some() {
            self.class(term).spoiled = true;
        }
        if let Some(element) = elements.of(term) {
            self.class(element).spoiled = true;
        }
    }

    /// How indices are numbered, by representative.
    fn index_codes(&mut self, pool: &Pool, below: &[Term], elements: &Elements) -> FxHashMap<Term, Code> {
        let code = |class: &mut Class, width: u32| {
            let is_open = !class.spoiled && class.symbols > 0 && class.memories > 0;
            let code = is_open.then(|| Code::of_indices(class, width)).flatten()?;
            (class.memories as u64 <= MOST_WRITES as u64 >> code.bits()).then_some(code)
        };
        let mut codes = FxHashMap::default();
        let of_arrays = elements.arrays.iter().filter_map(|&array| elements.of(array));
        for representative in below.iter().copied().chain(of_arrays) {
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
