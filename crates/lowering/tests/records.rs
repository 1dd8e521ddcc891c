//! Images of records, exhaustively over small sorts: each word that is told to be a record stands for another
//! one, and the image of each operator stands for its result.

#![allow(clippy::unwrap_used, reason = "tests")]

use bivalve_lowering::Lowering;
use bivalve_terms::{
    Assignment, BitVec, Constructor, FunctionValue, Op, Pool, Sort, Term, TheorySort, Value, eval,
};
use std::collections::BTreeSet;

fn constructor(name: &str, fields: &[Sort]) -> Constructor {
    let field = |(i, &sort): (usize, &Sort)| (format!("{name}{i}").into(), sort);
    let fields = fields.iter().enumerate().map(field).collect();
    Constructor { name: name.into(), fields, is_ambiguous: false }
}

/// Record sorts of a few bits: enumerations, tuples, options, records of them and of rounding modes.
fn sorts(pool: &mut Pool) -> Vec<Sort> {
    let two = Sort::bitvec(2).unwrap();
    let modes = pool.sorts_mut().theory(TheorySort::RoundingMode);
    let mut sort = |constructors: &[Constructor]| {
        let count = pool.records_so_far();
        pool.sorts_mut().record(&format!("R{count}"), constructors.to_vec()).unwrap()
    };
    let unit = sort(&[constructor("unit", &[])]);
    let colour = sort(&[constructor("red", &[]), constructor("green", &[]), constructor("blue", &[])]);
    let pair = sort(&[constructor("pair", &[Sort::BOOL, two])]);
    let option = sort(&[constructor("none", &[]), constructor("some", &[two])]);
    let full = sort(&[constructor("left", &[two]), constructor("right", &[Sort::BOOL, Sort::BOOL])]);
    let nested =
        sort(&[constructor("small", &[colour]), constructor("large", &[option]), constructor("no", &[])]);
    let rounding = sort(&[constructor("at", &[modes, Sort::BOOL])]);
    let units = sort(&[constructor("units", &[unit, unit, colour])]);
    vec![unit, colour, pair, option, full, nested, rounding, units]
}

trait Counted {
    fn records_so_far(&self) -> usize;
}

impl Counted for Pool {
    /// Names of sorts need not be different; this is for messages.
    fn records_so_far(&self) -> usize {
        self.len()
    }
}

#[test]
fn words_of_records_stand_for_their_values_and_operators_for_results() {
    let mut pool = Pool::new();
    for sort in sorts(&mut pool) {
        let mut lowering = Lowering::new();
        let of = pool.sorts().as_record(sort).unwrap().clone();
        let x = pool.symbol("x", sort);
        let mut terms = vec![];
        for constructor in 0..of.constructors().len() as u32 {
            terms.push(pool.mk_indexed(Op::RecordIs, &[constructor], &[x]));
            let fields: Vec<Term> = of
                .fields_of(constructor)
                .map(|field| pool.mk_indexed(Op::RecordGet, &[field], &[x]))
                .collect();
            let made = pool.record_new(sort, constructor, &fields).unwrap();
            let other = pool.mk(Op::Eq, &[made, x]);
            terms.extend([made, other]);
            for (field, &value) in of.fields_of(constructor).zip(&fields) {
                let default = Value::default_of(pool.sorts(), pool.sort(value));
                let default = pool.constant(&default).unwrap();
                let cleared = pool.mk_indexed(Op::RecordSet, &[field], &[x, default]);
                let differs = pool.mk(Op::Distinct, &[cleared, made, x]);
                terms.extend([value, cleared, differs]);
            }
        }
        let holds = pool.mk(Op::Eq, &[x, x]);
        lowering.check(&pool, holds).unwrap();
        let condition = lowering.formula(&mut pool, holds);
        let images: Vec<Term> = terms
            .iter()
            .map(|&term| {
                lowering.check(&pool, term).unwrap();
                lowering.image(&mut pool, term)
            })
            .collect();
        let [word] =
            lowering.image_symbols().filter(|&symbol| pool.width(symbol).is_some()).collect::<Vec<_>>()[..]
        else {
            panic!("the symbol has one image")
        };
        let width = pool.width(word).unwrap();
        let mut seen = BTreeSet::new();
        for bits in 0..1u64 << width {
            let mut assignment = Assignment::new();
            assignment.set(word, BitVec::from_u64(bits, width));
            // What is read from other records is some function of them.
            for function in lowering.image_symbols().filter(|&symbol| pool.width(symbol).is_none()) {
                let (_, result) = pool.sorts().function_parts(pool.sort(function)).unwrap();
                let default = Value::default_of(pool.sorts(), result);
                assignment.set(function, Value::from(FunctionValue::constant(default)));
            }
            if !eval(&pool, condition, &assignment).expect_bool() {
                continue;
            }
            lowering.lift(&pool, &mut assignment);
            let value = eval(&pool, x, &assignment);
            assert!(value.is_of(pool.sorts(), sort) && seen.insert(value), "two words of one record");
            for (&term, &image) in terms.iter().zip(&images) {
                let found = eval(&pool, image, &assignment);
                let found = lowering.value(&pool, pool.sort(term), &found);
                assert_eq!(found, eval(&pool, term, &assignment), "{}", pool.display(term));
            }
        }
        assert_eq!(Some(seen.len() as u64), pool.sorts().small_cardinality(sort), "all records have words");
    }
}

/// A record with a field that is no word is refused by name.
#[test]
fn fields_that_are_no_words_are_refused() {
    let mut pool = Pool::new();
    let free = pool.sorts_mut().declare("S");
    let inner = pool
        .sorts_mut()
        .record("Inner", vec![constructor("inner", &[Sort::BOOL, free]), constructor("none", &[])])
        .unwrap();
    let outer = pool.sorts_mut().record("Outer", vec![constructor("outer", &[inner])]).unwrap();
    let x = pool.symbol("x", outer);
    let refusal = Lowering::new().check(&pool, x).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "expected a sort whose values are bit-vectors, found sort Outer, with a field of sort S"
    );
}
