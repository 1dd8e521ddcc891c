//! Records in the solver: random formulas over small sorts against every choice of values, of functions and
//! of what selectors leave open, in sessions that push, pop, assume and compact.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::sessions::{self, Theory};
use bivalve::terms::{
    Assignment, BitVec, Constructor, FunctionValue, Op, Pool, Sort, Term, Value, cone, eval,
};
use bivalve::{CheckResult, Settings, Solver};
use fastrand::Rng;

/// What formulas are made of.
struct Material {
    pool: Pool,
    /// An enumeration of three, an option, and a pair of both or nothing.
    sorts: [Sort; 3],
    /// Two symbols of each sort.
    symbols: Vec<Term>,
    /// From colours to options.
    function: Term,
}

fn constructor(name: &str, fields: &[(&str, Sort)]) -> Constructor {
    let fields = fields.iter().map(|&(name, sort)| (name.into(), sort)).collect();
    Constructor { name: name.into(), fields, is_ambiguous: false }
}

fn material() -> Material {
    let mut pool = Pool::new();
    let sorts = pool.sorts_mut();
    let colour = sorts.record("Colour", ["red", "green", "blue"].map(|name| constructor(name, &[])).into());
    let colour = colour.unwrap();
    let parts = vec![constructor("none", &[]), constructor("some", &[("flag", Sort::BOOL)])];
    let option = sorts.record("Option", parts).unwrap();
    let parts =
        vec![constructor("both", &[("colour", colour), ("option", option)]), constructor("nothing", &[])];
    let pair = sorts.record("Pair", parts).unwrap();
    let function = sorts.function(&[colour], option).unwrap();
    let sorts = [colour, option, pair];
    let symbols = ["c", "d", "o", "p", "x"].iter().zip([colour, colour, option, option, pair]);
    let symbols = symbols.map(|(name, sort)| pool.symbol(name, sort)).collect();
    let function = pool.symbol("f", function);
    Material { pool, sorts, symbols, function }
}

impl Material {
    fn term(&mut self, rng: &mut Rng, sort: usize, size: u32) -> Term {
        let of = self.sorts[sort];
        let own: Vec<Term> =
            self.symbols.iter().copied().filter(|&symbol| self.pool.sort(symbol) == of).collect();
        let kind = if size == 0 { 0 } else { rng.u8(..6) };
        match (kind, sort) {
            (0..2, _) if kind == 1 || rng.bool() => own[rng.usize(..own.len())],
            (0, _) => {
                let values = values(&self.pool, of);
                self.pool.constant(&values[rng.usize(..values.len())]).unwrap()
            }
            (2, _) => {
                let condition = self.formula(rng, size - 1);
                let [x, y] = [0; 2].map(|_| self.term(rng, sort, size - 1));
                self.pool.mk(Op::Ite, &[condition, x, y])
            }
            (3, 1) => {
                let colour = self.term(rng, 0, size - 1);
                self.pool.mk(Op::Apply, &[self.function, colour])
            }
            (4, 1) => {
                let flag = self.formula(rng, size - 1);
                self.pool.record_new(of, 1, &[flag]).unwrap()
            }
            (_, 2) => {
                let parts = [self.term(rng, 0, size - 1), self.term(rng, 1, size - 1)];
                self.pool.record_new(of, 0, &parts).unwrap()
            }
            (5, 1) => {
                let (option, flag) = (self.term(rng, 1, size - 1), self.formula(rng, size - 1));
                self.pool.mk_indexed(Op::RecordSet, &[0], &[option, flag])
            }
            _ => {
                let pair = self.term(rng, 2, size - 1);
                self.pool.mk_indexed(Op::RecordGet, &[sort as u32], &[pair])
            }
        }
    }

    fn formula(&mut self, rng: &mut Rng, size: u32) -> Term {
        let sort = rng.usize(..3);
        match rng.u8(..6) {
            0 => {
                let x = self.term(rng, sort, size);
                let count = [3, 2, 2][sort];
                self.pool.mk_indexed(Op::RecordIs, &[rng.u32(..count)], &[x])
            }
            1 => {
                let option = self.term(rng, 1, size);
                self.pool.mk_indexed(Op::RecordGet, &[0], &[option])
            }
            2 if size > 0 => {
                let formula = self.formula(rng, size - 1);
                self.pool.mk(Op::Not, &[formula])
            }
            kind => {
                let terms: Vec<Term> = (0..2 + rng.usize(..2)).map(|_| self.term(rng, sort, size)).collect();
                self.pool.mk(if kind == 3 { Op::Eq } else { Op::Distinct }, &terms)
            }
        }
    }
}

/// All values of a sort of records, of Booleans, of arrays or of functions.
fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if let Some((params, result)) = pool.sorts().function_parts(sort) {
        let results = values(pool, result);
        let start = Value::from(FunctionValue::constant(results[0].clone()));
        return values(pool, params[0]).iter().fold(vec![start], |functions, at| {
            let mut all = vec![];
            for (function, result) in functions.iter().flat_map(|f| results.iter().map(move |r| (f, r))) {
                let mut function = function.expect_function().clone();
                function.define(vec![at.clone()], result.clone());
                all.push(function.into());
            }
            all
        });
    }
    if let Some((index, element)) = pool.sorts().array_parts(sort) {
        let elements = values(pool, element);
        let start = Value::default_of(pool.sorts(), sort);
        return values(pool, index).iter().fold(vec![start], |arrays, at| {
            let with = |array: &Value| {
                let stored = elements.iter().map(|what| array.expect_array().store(at, what).into());
                stored.collect::<Vec<Value>>()
            };
            arrays.iter().flat_map(with).collect()
        });
    }
    let Some(record) = pool.sorts().as_record(sort) else { return vec![false.into(), true.into()] };
    let mut all = vec![];
    for constructor in 0..record.constructors().len() as u32 {
        let fields = record.fields_of(constructor).map(|field| values(pool, record.field(field).unwrap().1));
        let lists = fields.fold(vec![vec![]], |lists: Vec<Vec<Value>>, values| {
            let longer = |list: &Vec<Value>| {
                let list = list.clone();
                values
                    .iter()
                    .map(move |value| [&list[..], std::slice::from_ref(value)].concat())
                    .collect::<Vec<_>>()
            };
            lists.iter().flat_map(longer).collect()
        });
        all.extend(lists.into_iter().map(|fields| Value::from(record.value(constructor, fields))));
    }
    all
}

/// Whether some values of the symbols make all formulas true; `None` if there are too many to try.
fn has_model(pool: &Pool, formulas: &[Term]) -> Option<bool> {
    let symbols: Vec<Term> =
        cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
    // What is left open is asked for where a field is absent: a function of the records without it.
    let domains: Vec<Vec<Value>> = symbols
        .iter()
        .map(|&symbol| {
            let mut all = values(pool, pool.sort(symbol));
            if pool.is_open_symbol(symbol) {
                let (params, _) = pool.sorts().function_parts(pool.sort(symbol)).unwrap();
                // Both sorts with fields lack them in one constructor alone, which has none.
                let none = values(pool, params[0])
                    .into_iter()
                    .find(|value| value.as_record().unwrap().fields().is_empty());
                let none = none.unwrap();
                let mut seen = std::collections::BTreeSet::new();
                all.retain(|function| seen.insert(function.expect_function().apply(&[&none])));
            }
            all
        })
        .collect();
    let all = domains.iter().try_fold(1usize, |all, domain| all.checked_mul(domain.len()))?;
    (all <= 3000).then(|| {
        (0..all).any(|mut code| {
            let mut assignment = Assignment::new();
            for (&symbol, domain) in symbols.iter().zip(&domains) {
                assignment.set(symbol, domain[code % domain.len()].clone());
                code /= domain.len();
            }
            formulas.iter().all(|&formula| eval(pool, formula, &assignment).expect_bool())
        })
    })
}

impl Theory for Material {
    fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    fn material(&mut self) -> Vec<&mut Term> {
        self.symbols.iter_mut().chain([&mut self.function]).collect()
    }

    fn random_formula(&mut self, rng: &mut Rng) -> Term {
        let size = rng.u32(..3);
        self.formula(rng, size)
    }

    fn has_model(&self, formulas: &[Term]) -> Option<bool> {
        has_model(&self.pool, formulas)
    }
}

#[test]
fn sessions_with_records_are_answered_by_their_meaning() {
    sessions::are_answered_by_their_meaning(40, 14, 20, |_| material());
}

/// Arrays over an enumeration and of options, read, written and compared: words that stand for nothing are no
/// indices and no elements.
#[test]
fn arrays_of_records_are_answered_by_their_meaning() {
    let mut answers = [0; 2];
    for seed in 0..150 {
        let rng = &mut Rng::with_seed(seed);
        let Material { mut pool, sorts: [colour, option, _], symbols, .. } = material();
        let (index, element) = if seed % 2 == 0 { (colour, Sort::BOOL) } else { (Sort::BOOL, option) };
        let sort = pool.sorts_mut().array(index, element).unwrap();
        let arrays = ["a", "b"].map(|name| pool.symbol(name, sort));
        let p = pool.symbol("p", Sort::BOOL);
        let (i, v) = if seed % 2 == 0 { (symbols[0], p) } else { (p, symbols[2]) };
        let written = pool.mk(Op::Store, &[arrays[0], i, v]);
        let filled = pool.const_array(sort, v).unwrap();
        let read = pool.mk(Op::Select, &[arrays[1], i]);
        let all = [arrays[0], arrays[1], written, filled];
        let mut formulas = vec![];
        for _ in 0..3 {
            let op = [Op::Eq, Op::Distinct][rng.usize(..2)];
            let (a, b) = (all[rng.usize(..4)], all[rng.usize(..4)]);
            formulas.push(pool.mk(op, &[a, b]));
            formulas.push(pool.mk([Op::Eq, Op::Distinct][rng.usize(..2)], &[read, v]));
        }
        let domain = |sort: Sort| -> Vec<Value> { values(&pool, sort) };
        let (indices, elements) = (domain(index), domain(element));
        let contents = values(&pool, sort);
        let mut expected = false;
        for (a, b) in contents.iter().flat_map(|a| contents.iter().map(move |b| (a, b))) {
            for (at, what) in indices.iter().flat_map(|at| elements.iter().map(move |what| (at, what))) {
                let mut assignment = Assignment::new();
                let pairs = [(arrays[0], a), (arrays[1], b), (i, at), (v, what)];
                pairs.iter().for_each(|&(symbol, value)| assignment.set(symbol, value.clone()));
                expected |= formulas.iter().all(|&f| eval(&pool, f, &assignment).expect_bool());
            }
        }
        let mut solver = Solver::new(Settings::default());
        formulas.iter().for_each(|&formula| solver.assert(&pool, formula).unwrap());
        let answer = solver.check(&mut pool).unwrap();
        assert_eq!(
            (answer == CheckResult::Sat, answer == CheckResult::Unsat),
            (expected, !expected),
            "seed {seed}"
        );
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|&count| count >= 10), "{answers:?}");
}

/// A value of each sort is one of its constants, and equal bits are equal records.
#[test]
fn records_are_words_with_their_values() {
    let Material { mut pool, sorts, symbols, .. } = material();
    for (&sort, symbol) in sorts.iter().zip([symbols[0], symbols[2], symbols[4]]) {
        for value in values(&pool, sort) {
            let constant = pool.constant(&value).unwrap();
            let same = pool.mk(Op::Eq, &[symbol, constant]);
            let mut solver = Solver::new(Settings::default());
            solver.assert(&pool, same).unwrap();
            assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
            assert_eq!(solver.model().unwrap().value(&pool, symbol), value);
        }
    }
    let word = BitVec::from_u64(1, 2);
    assert!(!Value::from(word).is_of(pool.sorts(), sorts[0]));
}

/// A term of the record sort `of`, which has an array, a Boolean and perhaps a record of this kind.
fn loose(pool: &mut Pool, rng: &mut Rng, symbols: &[Term], size: u32) -> Term {
    let x = symbols[rng.usize(..symbols.len())];
    if size == 0 {
        return x;
    }
    let y = loose(pool, rng, symbols, size - 1);
    let field = rng.u32(..2);
    match rng.u8(..4) {
        0 => {
            let condition = loose_formula(pool, rng, symbols, size - 1);
            pool.mk(Op::Ite, &[condition, x, y])
        }
        1 => {
            let value = pool.mk_indexed(Op::RecordGet, &[field], &[x]);
            pool.mk_indexed(Op::RecordSet, &[field], &[y, value])
        }
        2 => {
            let [array, at] = [0, 1].map(|field| pool.mk_indexed(Op::RecordGet, &[field], &[y]));
            let written = pool.mk(Op::Store, &[array, at, at]);
            let read = pool.mk(Op::Select, &[array, at]);
            let sort = pool.sort(x);
            pool.record_new(sort, 0, &[written, read]).unwrap()
        }
        _ => y,
    }
}

fn loose_formula(pool: &mut Pool, rng: &mut Rng, symbols: &[Term], size: u32) -> Term {
    let [x, y] = [0; 2].map(|_| loose(pool, rng, symbols, size));
    match rng.u8(..5) {
        0 => pool.mk_indexed(Op::RecordGet, &[1], &[x]),
        1 => pool.mk_indexed(Op::RecordIs, &[0], &[x]),
        2 => pool.mk(Op::Distinct, &[x, y, symbols[0]]),
        3 => {
            // As fields of a larger record, which are taken out again.
            let outer = pool.sorts().as_record(pool.sort(x)).unwrap().name().to_owned();
            let parts = vec![constructor("outer", &[("left", pool.sort(x)), ("right", pool.sort(y))])];
            let sort = pool.sorts_mut().record(&format!("Pair{outer}"), parts).unwrap();
            let [a, b] = [[x, y], [y, x]].map(|fields| pool.record_new(sort, 0, &fields).unwrap());
            let z = pool.symbol("z", sort);
            let same = pool.mk(Op::Eq, &[a, z]);
            let condition = pool.mk(Op::Eq, &[z, b]);
            let right = pool.mk_indexed(Op::RecordGet, &[1], &[z]);
            let right = pool.mk_indexed(Op::RecordGet, &[1], &[right]);
            let holds = pool.mk(if rng.bool() { Op::And } else { Op::Or }, &[condition, right]);
            pool.mk(Op::And, &[same, holds])
        }
        _ => pool.mk(Op::Eq, &[x, y]),
    }
}

/// Tuples with arrays are no words: they are taken apart, and put together in models.
#[test]
fn records_with_arrays_are_answered_by_their_meaning() {
    let mut answers = [0; 2];
    for seed in 0..200 {
        let rng = &mut Rng::with_seed(seed);
        let mut pool = Pool::new();
        let array = pool.sorts_mut().array(Sort::BOOL, Sort::BOOL).unwrap();
        let parts = vec![constructor("cell", &[("memory", array), ("flag", Sort::BOOL)])];
        let sort = pool.sorts_mut().record("Cell", parts).unwrap();
        let symbols = ["x", "y"].map(|name| pool.symbol(name, sort));
        let mut solver = Solver::new(Settings::default());
        let mut formulas = vec![];
        for round in 0..3 {
            let formula = loose_formula(&mut pool, rng, &symbols, 1 + round % 2);
            let formula = if rng.bool() { formula } else { pool.mk(Op::Not, &[formula]) };
            formulas.push(formula);
            solver.assert(&pool, formula).unwrap();
            let answer = solver.check(&mut pool).unwrap();
            if answer == CheckResult::Sat {
                let model = solver.model().unwrap();
                assert!(formulas.iter().all(|&formula| model.value(&pool, formula).expect_bool()));
            }
            let Some(expected) = has_model(&pool, &formulas) else { continue };
            assert_eq!(
                (answer == CheckResult::Sat, answer == CheckResult::Unsat),
                (expected, !expected),
                "seed {seed}"
            );
            answers[usize::from(expected)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 40), "{answers:?}");
}

/// What has no place is refused by name: such a record in an array, in a function, under a quantifier.
#[test]
fn records_with_arrays_are_refused_within_others() {
    let mut pool = Pool::new();
    let array = pool.sorts_mut().array(Sort::BOOL, Sort::BOOL).unwrap();
    let sort = pool.sorts_mut().record("Cell", vec![constructor("cell", &[("memory", array)])]).unwrap();
    let x = pool.symbol("x", sort);
    let cells = pool.sorts_mut().array(Sort::BOOL, sort).unwrap();
    let function = pool.sorts_mut().function(&[sort], Sort::BOOL).unwrap();
    let [cells, function] = [cells, function].map(|sort| pool.symbol("f", sort));
    let at = pool.bool(true);
    let read = pool.mk(Op::Select, &[cells, at]);
    let in_array = pool.mk(Op::Eq, &[read, x]);
    let in_function = pool.mk(Op::Apply, &[function, x]);
    let same = pool.mk(Op::Eq, &[x, x]);
    let bound = pool.forall(&[x], same).unwrap();
    for formula in [in_array, in_function, bound] {
        let refusal = Solver::new(Settings::default()).assert(&pool, formula);
        assert!(refusal.unwrap_err().to_string().contains("Cell"), "{}", pool.display(formula));
    }
    let option = vec![constructor("none", &[]), constructor("some", &[("memory", array)])];
    let option = pool.sorts_mut().record("Option", option).unwrap();
    let y = pool.symbol("y", option);
    let formula = pool.mk(Op::Eq, &[y, y]);
    let refusal = Solver::new(Settings::default()).assert(&pool, formula).unwrap_err().to_string();
    assert!(refusal.contains("with a field of sort (Array Bool Bool)"), "{refusal}");
}
