//! Values of a candidate, put into a formula in the place of its free symbols.
//!
//! What is left has variables alone. Bit-vectors become constants, arrays a constant array with writes,
//! functions a choice among the argument lists that they have results for. An element of a declared sort has
//! no constant; a symbol stands for each, and the formula says that these are different.
//!
//! Cost: linear in the formula, times the entries of the functions that it applies.

use bivalve_terms::{FunctionValue, Op, Pool, Rebuild, Sort, SortKind, Term, Value};
use rustc_hash::FxHashMap;

/// Arrays that are nested deeper have no terms for their values.
const NESTING: u32 = 32;

/// Terms for values, in one pool, which is handed to every call.
#[derive(Default)]
pub struct Frozen {
    elements: FxHashMap<(Sort, u32), Term>,
    /// The same in the order in which they were made.
    made: Vec<(Sort, Term)>,
}

impl Frozen {
    /// No value has a term yet.
    pub fn new() -> Frozen {
        Frozen::default()
    }

    /// A term of this sort that has the value; `None` for a function, and for arrays that are nested deeply.
    pub fn term(&mut self, pool: &mut Pool, sort: Sort, value: &Value) -> Option<Term> {
        if pool.sorts().nesting(sort) > NESTING {
            return None;
        }
        match (value, pool.sorts().kind(sort)) {
            (Value::Element(sort, number), _) => Some(self.element(pool, *sort, *number)),
            (Value::Array(array), SortKind::Array { index, element }) => {
                let default = self.term(pool, element, array.default())?;
                let mut term = pool.const_array(sort, default).ok()?;
                for (at, value) in array.entries() {
                    let (at, value) = (self.term(pool, index, at)?, self.term(pool, element, value)?);
                    term = pool.mk(Op::Store, &[term, at, value]);
                }
                Some(term)
            }
            _ => pool.constant(value),
        }
    }

    /// The formula with the values of its free symbols in their place, and what holds of elements in it.
    /// `None` if a value has no term.
    pub fn freeze(&mut self, pool: &mut Pool, formula: Term, values: &[(Term, Value)]) -> Option<Term> {
        let mut images = Rebuild::new();
        let mut functions: FxHashMap<Term, &FunctionValue> = FxHashMap::default();
        for (symbol, value) in values {
            if let Value::Function(function) = value {
                functions.insert(*symbol, function);
            } else {
                let term = self.term(pool, pool.sort(*symbol), value)?;
                images.set(*symbol, term);
            }
        }
        let mut has_all = true;
        let frozen = images.apply(
            pool,
            formula,
            || true,
            |pool, term, rebuilt| {
                let function =
                    if pool.op(term) == Op::Apply { functions.get(&pool.args(term)[0]) } else { None };
                let chosen = self.chosen(pool, rebuilt, function?);
                has_all &= chosen.is_some();
                chosen
            },
        )?;
        if !has_all {
            return None;
        }
        let different = self.different(pool);
        Some(pool.and_all(&[&different[..], &[frozen]].concat()))
    }

    /// The result of a function whose value is known, for the arguments of this application.
    fn chosen(&mut self, pool: &mut Pool, application: Term, function: &FunctionValue) -> Option<Term> {
        let (sort, args) = (pool.sort(application), pool.args(application)[1..].to_vec());
        let mut result = self.term(pool, sort, function.default())?;
        for (places, value) in function.entries() {
            let mut same = vec![];
            for (&arg, place) in args.iter().zip(places) {
                let place = self.term(pool, pool.sort(arg), place)?;
                same.push(pool.mk(Op::Eq, &[arg, place]));
            }
            let (is_there, value) = (pool.and_all(&same), self.term(pool, sort, value)?);
            result = pool.mk(Op::Ite, &[is_there, value, result]);
        }
        Some(result)
    }

    fn element(&mut self, pool: &mut Pool, sort: Sort, number: u32) -> Term {
        let made = &mut self.made;
        *self.elements.entry((sort, number)).or_insert_with(|| {
            let symbol = pool.symbol(&format!("element {number}"), sort);
            made.push((sort, symbol));
            symbol
        })
    }

    /// Elements of one sort are different.
    fn different(&self, pool: &mut Pool) -> Vec<Term> {
        let mut sorts: Vec<Sort> = self.made.iter().map(|&(sort, _)| sort).collect();
        sorts.sort_unstable();
        sorts.dedup();
        let mut formulas = vec![];
        for sort in sorts {
            let of_sort = self.made.iter().filter(|&&(other, _)| other == sort);
            let symbols: Vec<Term> = of_sort.map(|&(_, symbol)| symbol).collect();
            if symbols.len() > 1 {
                formulas.push(pool.mk(Op::Distinct, &symbols));
            }
        }
        formulas
    }
}
