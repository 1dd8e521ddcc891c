//! The stage with a theory of the test's own: sorts of a few values, counted in bits. Unlike integers it has
//! symbols, functions and arrays, and bits that stand for no value.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_lowering::{LoweredTheory, Lowering, Refusal};
use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, Term, Value, cone, eval};

/// A sort of so many values, in two bits; its terms are compared and chosen only.
struct Colours {
    sort: Sort,
    count: u64,
}

impl LoweredTheory for Colours {
    fn is_present(&self, _: &Pool) -> bool {
        true
    }

    fn owns(&self, _: &Pool, sort: Sort) -> bool {
        sort == self.sort
    }

    fn accept(&mut self, _: &Pool, _: Term) -> Result<(), Refusal> {
        Ok(())
    }

    fn image(&mut self, pool: &mut Pool, term: Term, images: &[Term]) -> Term {
        let op = pool.op(term);
        pool.mk(op, images)
    }

    fn image_sort(&self, _: &Pool, _: Sort) -> Option<Sort> {
        Some(Sort::bitvec(2).unwrap())
    }

    fn is_one_to_one(&self, _: &Pool, _: Sort) -> bool {
        self.count == 4
    }

    fn condition(&self, pool: &mut Pool, _: Sort, image: Term) -> Option<Term> {
        if self.count == 4 {
            return None;
        }
        let count = pool.bv_u64(self.count, 2);
        Some(pool.mk(Op::BvUlt, &[image, count]))
    }

    fn lift(&self, _: &Pool, sort: Sort, image: &Value) -> Option<Value> {
        let number = image.to_u64().filter(|&number| number < self.count)?;
        Some(Value::Element(sort, number as u32))
    }
}

fn stage(count: u64) -> (Pool, Sort, Lowering) {
    let mut pool = Pool::new();
    let sort = pool.sorts_mut().declare("Colour");
    (pool, sort, Lowering::of(vec![Box::new(Colours { sort, count })]))
}

/// The assignments of symbols of two bits, and of functions from two bits to two.
fn each_assignment(symbols: &[Term], function: Term, mut see: impl FnMut(Assignment)) {
    for code in 0..1u64 << (2 * symbols.len() + 8) {
        let mut assignment = Assignment::new();
        let mut rest = code;
        let mut next = || {
            let bits = rest;
            rest >>= 2;
            Value::from(BitVec::from_u64(bits, 2))
        };
        let mut table = bivalve_terms::FunctionValue::constant(BitVec::zero(2).into());
        for at in 0..4 {
            table.define(vec![BitVec::from_u64(at, 2).into()], next());
        }
        assignment.set(function, Value::from(table));
        symbols.iter().for_each(|&symbol| assignment.set(symbol, next()));
        see(assignment);
    }
}

/// A model of the image, lifted, is a model of the formula, and each value comes from one.
#[test]
fn models_are_lifted_through_symbols_and_functions() {
    let (mut pool, sort, mut lowering) = stage(3);
    let function = pool.sorts_mut().function(&[sort], sort).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
    let f = pool.symbol("f", function);
    let fx = pool.mk(Op::Apply, &[f, x]);
    let ffx = pool.mk(Op::Apply, &[f, fx]);
    let formula = pool.mk(Op::Distinct, &[x, fx, ffx]);
    let formula = {
        let same = pool.mk(Op::Eq, &[y, ffx]);
        pool.mk(Op::And, &[formula, same])
    };
    lowering.check(&pool, formula).unwrap();
    let image = lowering.formula(&mut pool, formula);
    assert_eq!(lowering.formula(&mut pool, formula), image, "images are remembered");
    let images: Vec<Term> = lowering.image_symbols().collect();
    let (symbols, [table]) = (
        images.iter().copied().filter(|&symbol| pool.width(symbol).is_some()).collect::<Vec<_>>(),
        images.iter().copied().filter(|&s| pool.width(s).is_none()).collect::<Vec<_>>()[..]
            .try_into()
            .unwrap(),
    );
    assert!(pool.sorts().is_function(pool.sort(table)) && symbols.len() == 2);
    let (mut models, mut seen) = (0, std::collections::BTreeSet::new());
    each_assignment(&symbols, table, |mut assignment| {
        if eval(&pool, image, &assignment).expect_bool() {
            lowering.lift(&pool, &mut assignment);
            assert!(eval(&pool, formula, &assignment).expect_bool(), "{assignment:?}");
            models += 1;
            seen.insert((eval(&pool, x, &assignment), eval(&pool, y, &assignment)));
        }
    });
    // x and y differ, and are any two of three.
    assert!(models > 0 && seen.len() == 6, "{models} {seen:?}");
}

/// A formula takes along what holds of the images of its own symbols, and no others.
#[test]
fn conditions_go_with_the_formulas_that_need_them() {
    let (mut pool, sort, mut lowering) = stage(3);
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let first = pool.mk(Op::Eq, &[x, y]);
    let second = pool.mk(Op::Distinct, &[y, z]);
    let native = pool.symbol("p", Sort::BOOL);
    let mut text = |formula: Term| {
        lowering.check(&pool, formula).unwrap();
        let image = lowering.formula(&mut pool, formula);
        pool.display(image).to_string()
    };
    assert_eq!(text(first), "(and (bvult x #b11) (bvult y #b11) (= x y))");
    assert_eq!(text(second), "(and (bvult y #b11) (bvult z #b11) (distinct y z))");
    assert_eq!(text(native), "p");
    let renaming =
        pool.compact(&[first, second, native].into_iter().chain(lowering.in_use()).collect::<Vec<_>>());
    lowering.rename(&renaming);
    let before: Vec<Term> = lowering.image_symbols().collect();
    let first = renaming.of(first);
    lowering.check(&pool, first).unwrap();
    let image = lowering.formula(&mut pool, first);
    assert_eq!(pool.display(image).to_string(), "(and (bvult x #b11) (bvult y #b11) (= x y))");
    assert!(lowering.image_symbols().eq(before), "symbols keep their images");
}

/// Arrays are lifted with their indices and elements; where they may be compared within others and not all
/// bits stand for a value, they are refused.
#[test]
fn arrays_are_lifted_or_refused() {
    let arrays = |count: u64| {
        let (mut pool, sort, lowering) = stage(count);
        let inner = pool.sorts_mut().array(sort, sort).unwrap();
        let outer = pool.sorts_mut().array(Sort::BOOL, inner).unwrap();
        let a = pool.symbol("a", outer);
        (pool, a, sort, lowering)
    };
    let (mut pool, a, _, mut lowering) = arrays(3);
    lowering.check(&pool, a).unwrap();
    let outer = pool.sort(a);
    let function = pool.sorts_mut().function(&[outer], Sort::BOOL).unwrap();
    let f = pool.symbol("f", function);
    let refusal = lowering.check(&pool, f).unwrap_err().to_string();
    let expected =
        "expected no array of such a sort as an index or an argument of a function, found sort (-> ";
    assert!(refusal.starts_with(expected), "{refusal}");
    let (mut pool, a, sort, mut lowering) = arrays(4);
    let [i, v] = ["i", "v"].map(|name| pool.symbol(name, sort));
    let truth = pool.bool(true);
    let row = pool.mk(Op::Select, &[a, truth]);
    let written = pool.mk(Op::Store, &[row, i, v]);
    let constant = pool.const_array(pool.sort(row), v).unwrap();
    let formula = pool.mk(Op::Eq, &[written, constant]);
    lowering.check(&pool, formula).unwrap();
    let image = lowering.formula(&mut pool, formula);
    assert_eq!(
        pool.display(image).to_string(),
        "(= (store (select a true) i v) ((as const (Array (_ BitVec 2) (_ BitVec 2))) v))"
    );
    let mut assignment = Assignment::new();
    for symbol in lowering.image_symbols().collect::<Vec<_>>() {
        if pool.width(symbol).is_some() {
            assignment.set(symbol, BitVec::from_u64(2, 2));
        } else {
            let two = pool.bv_u64(2, 2);
            let inner = pool.sorts().array_parts(pool.sort(symbol)).unwrap().1;
            let inner = pool.const_array(inner, two).unwrap();
            let whole = pool.const_array(pool.sort(symbol), inner).unwrap();
            assignment.set(symbol, eval(&pool, whole, &Assignment::new()));
        }
    }
    assert!(eval(&pool, image, &assignment).expect_bool());
    lowering.lift(&pool, &mut assignment);
    assert!(eval(&pool, formula, &assignment).expect_bool());
    assert_eq!(eval(&pool, v, &assignment), Value::Element(sort, 2));
}

/// A difference of images that stands for nothing is none: where arrays are compared, a model of the image is
/// one of the formula, and each pair of arrays comes from one.
#[test]
fn arrays_differ_where_something_stands() {
    let (mut pool, sort, mut lowering) = stage(3);
    let of_colours = pool.sorts_mut().array(sort, Sort::BOOL).unwrap();
    let to_colours = pool.sorts_mut().array(Sort::BOOL, sort).unwrap();
    for array in [of_colours, to_colours] {
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, array));
        let array_index = pool.sorts().array_parts(array).unwrap().0;
        let equal = pool.mk(Op::Eq, &[a, b]);
        let differ = pool.mk(Op::Distinct, &[a, b]);
        for formula in [equal, differ] {
            lowering.check(&pool, formula).unwrap();
            let image = lowering.formula(&mut pool, formula);
            let symbols: Vec<Term> =
                cone(&pool, &[image]).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
            let (mut models, mut seen) = (0, std::collections::BTreeSet::new());
            // Eight bits for the arrays, whichever way; then the bits of the witness.
            for code in 0..1u64 << 10 {
                let (mut assignment, mut rest) = (Assignment::new(), code);
                for &symbol in &symbols {
                    let value = match pool.sorts().array_parts(pool.sort(symbol)) {
                        None => {
                            let width = pool.width(symbol).unwrap_or(1);
                            let bits = BitVec::from_u64(rest, width);
                            rest >>= width;
                            if pool.sort(symbol).is_bool() { bits.bit(0).into() } else { bits.into() }
                        }
                        Some((index, element)) => {
                            let mut value = Value::default_of(pool.sorts(), pool.sort(symbol));
                            for at in 0..if index.is_bool() { 2u64 } else { 4 } {
                                let width = element.width().unwrap_or(1);
                                let bits = BitVec::from_u64(rest, width);
                                rest >>= width;
                                let at = match index.is_bool() {
                                    true => Value::from(at == 1),
                                    false => BitVec::from_u64(at, 2).into(),
                                };
                                let what = if element.is_bool() { bits.bit(0).into() } else { bits.into() };
                                value = value.expect_array().store(&at, &what).into();
                            }
                            value
                        }
                    };
                    assignment.set(symbol, value);
                }
                if eval(&pool, image, &assignment).expect_bool() {
                    lowering.lift(&pool, &mut assignment);
                    assert!(eval(&pool, formula, &assignment).expect_bool(), "{assignment:?}");
                    models += 1;
                    // What an array has at other elements of the sort is of no interest.
                    let elements = |array| {
                        let value = eval(&pool, array, &assignment);
                        let at = |i: u32| match array_index.is_bool() {
                            true => Value::from(i == 1),
                            false => Value::Element(sort, i),
                        };
                        let count = if array_index.is_bool() { 2 } else { 3 };
                        (0..count).map(|i| value.expect_array().select(&at(i)).clone()).collect::<Vec<_>>()
                    };
                    seen.insert((elements(a), elements(b)));
                }
            }
            let all = if array == of_colours { 8 } else { 9 };
            assert_eq!(seen.len(), if formula == equal { all } else { all * (all - 1) }, "{models}");
        }
    }
}
