//! The part of a model that matters.
//!
//! First, what the assertions need is read off their terms, from the top down (`bivalve_systems::needed`): a
//! true disjunction needs one true argument, a read needs one cell. That is quick and right, but a part of it
//! may still be dispensable. So the bits are assumed in a solver that holds the *negation* of the assertions:
//! they are contradictory to it, and those that can be left out of the contradiction do not matter. Where no
//! term can be made of a value (elements of declared sorts, cells of cells), the first step is all there is.
//!
//! In the end the rest is replaced by zeros, and by ones, and the assertions are evaluated. Cost: linear in
//! the formulas, and two questions for each bit that is kept first.

use crate::minimum::minimum;
use crate::questions::{Budget, Questions};
use bivalve::terms::{
    ArrayValue, Assignment, BitVec, FunctionValue, Op, Pool, Renaming, Sort, SortKind, Term, TermMap,
    Valuation, Value, cone,
};
use bivalve::{InternalError, Settings, Stop};
use bivalve_systems::{Demand, needed};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What matters of the values of symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// All symbols of the formulas, with their values and the part of these that matters; `None` for a symbol
    /// that may have any value.
    pub symbols: Vec<(Term, Value, Option<Demand>)>,
    /// No bit of it can be left out.
    pub is_minimal: bool,
    /// Whether it was tried to leave out more than the terms show, which needs terms for the values.
    pub is_tried: bool,
}

/// The explanation of `sat`.
pub(crate) fn inputs(
    pool: &Pool,
    formulas: &[Term],
    model: &Assignment,
    settings: &Settings,
    budget: &Budget,
    stop: &Stop,
) -> Result<Inputs, InternalError> {
    let valuation = RefCell::new(Valuation::new());
    let value = |term: Term| valuation.borrow_mut().eval(pool, model, term).clone();
    let mut demands = needed(pool, formulas, &value);
    let symbols: Vec<Term> =
        cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
    let (mut is_minimal, mut is_tried) = (false, false);
    let (mut copy, renaming) = pool.copy(formulas);
    if let Some(items) = items(&mut copy, &renaming, &symbols, &demands, &value) {
        is_tried = true;
        let copies: Vec<Term> = formulas.iter().map(|&formula| renaming.of(formula)).collect();
        if let Some((kept, all)) = smaller(&mut copy, &copies, &items, settings, budget, stop)? {
            (demands, is_minimal) = (union(kept.iter().map(|&number| &items[number])), all);
        }
    }
    let part = |symbol: Term| (symbol, value(symbol), demands.get(symbol).cloned());
    let found = Inputs { symbols: symbols.into_iter().map(part).collect(), is_minimal, is_tried };
    found.validate(pool, formulas)?;
    Ok(found)
}

impl Inputs {
    /// Values of all symbols that agree with the part that matters; the rest is that of the values that
    /// `other` returns, which is asked for values of their sorts.
    pub fn filled_by(&self, pool: &Pool, other: &mut dyn FnMut(Sort) -> Value) -> Assignment {
        let mut assignment = Assignment::new();
        for (symbol, value, part) in &self.symbols {
            let sort = pool.sort(*symbol);
            let filled = match part {
                Some(part) => part.filled_by(pool.sorts(), sort, value, other),
                None => other(sort),
            };
            assignment.set(*symbol, filled);
        }
        assignment
    }

    /// Evaluates the formulas where the rest is zero, and where it is one.
    fn validate(&self, pool: &Pool, formulas: &[Term]) -> Result<(), InternalError> {
        for bit in [false, true] {
            let filled = self.filled_by(pool, &mut |sort| uniform(pool, sort, bit));
            let mut valuation = Valuation::new();
            let violated = formulas.iter().position(|&f| !valuation.eval(pool, &filled, f).expect_bool());
            if let Some(number) = violated {
                let text = format!("formula {} rests on a part of the model that was left out", number + 1);
                return Err(InternalError(text));
            }
        }
        Ok(())
    }
}

/// The value of a sort all of whose bits are the same; element 0 or 1 of a declared sort.
fn uniform(pool: &Pool, sort: Sort, bit: bool) -> Value {
    match pool.sorts().kind(sort) {
        SortKind::Bool => bit.into(),
        SortKind::BitVec(width) if bit => BitVec::ones(width).into(),
        SortKind::BitVec(width) => BitVec::zero(width).into(),
        SortKind::Theory(_) => Value::default_of(pool.sorts(), sort),
        SortKind::Uninterpreted(_) => Value::Element(sort, u32::from(bit)),
        SortKind::Array { element, .. } => {
            ArrayValue::constant(pool.sorts(), sort, uniform(pool, element, bit)).into()
        }
        SortKind::Function { result, .. } => FunctionValue::constant(uniform(pool, result, bit)).into(),
    }
}

/// A bit of a value, or a whole value, and the formula that says what it is.
struct Item {
    symbol: Term,
    part: Demand,
    holds: Term,
}

/// Makes the formulas of what is demanded, in `copy`; `None` if that is not possible.
fn items(
    copy: &mut Pool,
    renaming: &Renaming,
    symbols: &[Term],
    demands: &TermMap<Demand>,
    value: &dyn Fn(Term) -> Value,
) -> Option<Vec<Item>> {
    let mut items = vec![];
    for &symbol in symbols {
        let Some(demand) = demands.get(symbol) else { continue };
        let sort = copy.sort(renaming.of(symbol));
        let (image, value) = (renaming.of(symbol), value(symbol));
        let mut add =
            |copy: &mut Pool, place, value: &Value, demand: &Demand, nest: &dyn Fn(Demand) -> Demand| {
                let made = facts(copy, place, value, demand)?;
                items.extend(made.into_iter().map(|(part, holds)| Item { symbol, part: nest(part), holds }));
                Some(())
            };
        match demand {
            Demand::Cells(cells) => {
                let (sort, _) = copy.sorts().array_parts(sort)?;
                for (at, part) in cells {
                    let index = constant(copy, sort, at)?;
                    let cell = copy.mk(Op::Select, &[image, index]);
                    let nest = |part| Demand::Cells(BTreeMap::from([(at.clone(), part)]));
                    add(copy, cell, value.expect_array().select(at), part, &nest)?;
                }
            }
            Demand::Results(results) => {
                for (args, part) in results {
                    let mut terms = vec![image];
                    let params = copy.sorts().function_parts(sort)?.0.to_vec();
                    for (arg, sort) in args.iter().zip(params) {
                        terms.push(constant(copy, sort, arg)?);
                    }
                    let result = copy.mk(Op::Apply, &terms);
                    let nest = |part| Demand::Results(BTreeMap::from([(args.clone(), part)]));
                    let args: Vec<&Value> = args.iter().collect();
                    add(copy, result, &value.expect_function().apply(&args), part, &nest)?;
                }
            }
            demand => add(copy, image, &value, demand, &|part| part)?,
        }
    }
    Some(items)
}

/// What is demanded of a term that has this value, bit by bit, each as a formula.
fn facts(pool: &mut Pool, term: Term, value: &Value, demand: &Demand) -> Option<Vec<(Demand, Term)>> {
    let equal = |pool: &mut Pool, term, value: &Value| {
        let value = constant(pool, pool.sort(term), value)?;
        Some(pool.mk(Op::Eq, &[term, value]))
    };
    match (demand, value) {
        (Demand::Bits(mask), Value::BitVec(bits)) => {
            let demanded = (0..mask.width()).rev().filter(|&bit| mask.bit(bit));
            let fact = |bit: u32| {
                let place = pool.mk_indexed(Op::Extract, &[bit, bit], &[term]);
                let holds = equal(pool, place, &BitVec::from_bool(bits.bit(bit)).into())?;
                Some((Demand::Bits(BitVec::one(mask.width()).shl_by(bit)), holds))
            };
            demanded.map(fact).collect()
        }
        (Demand::Bits(_) | Demand::All, value) => Some(vec![(demand.clone(), equal(pool, term, value)?)]),
        (Demand::Cells(_) | Demand::Results(_), _) => None,
    }
}

/// The term of a value, where there is one: of Booleans, bit-vectors, and arrays with such indices.
fn constant(pool: &mut Pool, sort: Sort, value: &Value) -> Option<Term> {
    match value {
        Value::Bool(_) | Value::BitVec(_) | Value::Theory(_) => pool.constant(value),
        Value::Element(..) | Value::Function(_) => None,
        Value::Array(array) => {
            let (index, element) = pool.sorts().array_parts(sort)?;
            if !index.is_bool() && !index.is_bitvec() {
                return None;
            }
            let default = constant(pool, element, array.default())?;
            let mut made = pool.const_array(sort, default).ok()?;
            for (at, cell) in array.entries() {
                let (at, cell) = (constant(pool, index, at)?, constant(pool, element, cell)?);
                made = pool.mk(Op::Store, &[made, at, cell]);
            }
            Some(made)
        }
    }
}

/// All that is demanded by items.
fn union<'i>(items: impl Iterator<Item = &'i Item>) -> TermMap<Demand> {
    let mut demands: TermMap<Demand> = TermMap::new();
    for item in items {
        let demand = match demands.remove(item.symbol) {
            Some(known) => known.union(item.part.clone()),
            None => item.part.clone(),
        };
        demands.insert(item.symbol, demand);
    }
    demands
}

/// A minimal part of the items that makes the formulas true, and whether it is known to be minimal; `None` if
/// the budget ended before it was found that all of them do.
fn smaller(
    pool: &mut Pool,
    formulas: &[Term],
    items: &[Item],
    settings: &Settings,
    budget: &Budget,
    stop: &Stop,
) -> Result<Option<(Vec<usize>, bool)>, InternalError> {
    let all = pool.and_all(formulas);
    let violated = pool.mk(Op::Not, &[all]);
    let mut questions = Questions::new(settings, budget, stop);
    let mut solver = questions.solver(pool, &[violated]);
    let facts: Vec<Term> = items.iter().map(|item| item.holds).collect();
    let ask = &mut |chosen: &[usize]| questions.ask(pool, &mut solver, &facts, chosen);
    let found = minimum(facts.len(), ask);
    questions.end()?;
    Ok(found.map(|found| (found.kept, found.is_minimal)))
}
