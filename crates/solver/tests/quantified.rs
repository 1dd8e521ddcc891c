//! Quantified formulas: answers, models and cores beside enumeration.
//!
//! Formulas are random, over sorts so small that all values of all symbols can be tried. `QUANTIFIED_SEEDS`
//! sets how many are tried, from the first on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{
    ArrayValue, Assignment, BitVec, FunctionValue, Op, Pool, Sort, Substitution, Term, Value, eval,
    free_symbols, is_enumerable, outermost_binders,
};
use bivalve::{CheckResult, Settings, Solver, Stop};
use bivalve_quantifiers::Eliminator;
use fastrand::Rng;

/// Random formulas over the symbols of one pool.
struct Maker {
    rng: Rng,
    /// What may be mentioned.
    scope: Vec<Term>,
    function: Term,
    sorts: Vec<Sort>,
    /// Most equations are negated, so that values are forced.
    negates: bool,
}

impl Maker {
    fn new(pool: &mut Pool, seed: u64) -> Maker {
        let width = if seed % 4 == 3 { 3 } else { 2 };
        let [bit, two] = [1, width].map(|width| Sort::bitvec(width).unwrap());
        let array = pool.sorts_mut().array(bit, bit).unwrap();
        let wide = pool.sorts_mut().array(bit, two).unwrap();
        let nested = pool.sorts_mut().array(bit, array).unwrap();
        let function = pool.sorts_mut().function(&[bit], bit).unwrap();
        let scope = [("x", two), ("p", Sort::BOOL), ("a", array)];
        let scope = scope.map(|(name, sort)| pool.symbol(name, sort)).to_vec();
        let function = pool.symbol("f", function);
        let mut sorts = vec![bit, two, two, array];
        if seed.is_multiple_of(3) {
            sorts.extend([wide, nested, Sort::BOOL, array]);
        }
        Maker { rng: Rng::with_seed(seed), scope, function, sorts, negates: false }
    }

    fn pick(&mut self, pool: &Pool, sort: Sort) -> Option<Term> {
        let found: Vec<Term> = self.scope.iter().copied().filter(|&term| pool.sort(term) == sort).collect();
        // Variables of the innermost quantifiers are what matters most.
        let last = found.last().copied().filter(|_| self.rng.bool());
        last.or_else(|| (!found.is_empty()).then(|| found[self.rng.usize(..found.len())]))
    }

    fn formula(&mut self, pool: &mut Pool, size: u32) -> Term {
        let choice = if size == 0 { self.rng.u8(6..11) } else { self.rng.u8(..14) };
        match choice {
            0 | 1 | 11 => self.quantified(pool, size),
            2..=4 => {
                let op = [Op::And, Op::Or, Op::Or, Op::Implies, Op::Xor, Op::Eq][self.rng.usize(..6)];
                let [left, right] = [0; 2].map(|_| self.formula(pool, size - 1));
                pool.mk(op, &[left, right])
            }
            5 => {
                let inner = self.formula(pool, size - 1);
                pool.mk(Op::Not, &[inner])
            }
            12 => {
                let [c, t, e] = [0; 3].map(|_| self.formula(pool, size - 1));
                pool.mk(Op::Ite, &[c, t, e])
            }
            10 => match self.pick(pool, Sort::BOOL) {
                Some(symbol) => symbol,
                None => pool.bool(true),
            },
            9 => {
                let sort = self.sorts[self.rng.usize(..self.sorts.len())];
                self.equation(pool, sort, size)
            }
            _ => {
                let sort = self.sorts[self.rng.usize(..2)];
                if self.rng.bool() {
                    return self.equation(pool, sort, size);
                }
                let ops = [Op::BvUlt, Op::BvSle, Op::BvUge, Op::Distinct, Op::BvUaddo];
                let op = ops[self.rng.usize(..ops.len())];
                let [left, right] = [0; 2].map(|_| self.term(pool, sort, size.min(2)));
                pool.mk(op, &[left, right])
            }
        }
    }

    fn equation(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> Term {
        let [left, right] = [0; 2].map(|_| self.term(pool, sort, size.min(2)));
        let equal = pool.mk(Op::Eq, &[left, right]);
        let is_negated = self.rng.bool() || self.negates && self.rng.bool();
        if is_negated { pool.mk(Op::Not, &[equal]) } else { equal }
    }

    fn quantified(&mut self, pool: &mut Pool, size: u32) -> Term {
        let count = self.rng.usize(1..=2);
        let variables: Vec<Term> = (0..count)
            .map(|place| {
                let sort = self.sorts[self.rng.usize(..self.sorts.len())];
                pool.symbol(&format!("v{size}{place}"), sort)
            })
            .collect();
        let outside = self.scope.len();
        self.scope.extend(&variables);
        let body = self.formula(pool, size - 1);
        self.scope.truncate(outside);
        match self.rng.u8(..3) {
            0 => pool.exists(&variables, body).unwrap(),
            _ => pool.forall(&variables, body).unwrap(),
        }
    }

    fn term(&mut self, pool: &mut Pool, sort: Sort, size: u32) -> Term {
        let leaf = self.pick(pool, sort);
        if size == 0 || self.rng.u8(..4) == 0 {
            return match leaf.filter(|_| self.rng.u8(..5) > 0) {
                Some(leaf) => leaf,
                None => self.constant(pool, sort),
            };
        }
        if sort.is_bool() {
            return self.formula(pool, 0);
        }
        if let Some((index, element)) = pool.sorts().array_parts(sort) {
            if self.rng.u8(..4) == 0 {
                let condition = self.formula(pool, 0);
                let [left, right] = [0; 2].map(|_| self.term(pool, sort, size - 1));
                return pool.mk(Op::Ite, &[condition, left, right]);
            }
            let array = self.term(pool, sort, size - 1);
            let (index, element) = (self.term(pool, index, size - 1), self.term(pool, element, size - 1));
            return pool.mk(Op::Store, &[array, index, element]);
        }
        let width = sort.width().unwrap();
        let arrays: Vec<Sort> = self.sorts.clone();
        let of_element = |&array: &Sort| pool.sorts().array_parts(array).is_some_and(|(_, of)| of == sort);
        let arrays: Vec<Sort> = arrays.into_iter().filter(of_element).collect();
        if !arrays.is_empty() && self.rng.u8(..3) == 0 {
            let array = arrays[self.rng.usize(..arrays.len())];
            let index = pool.sorts().array_parts(array).unwrap().0;
            let (array, index) = (self.term(pool, array, size - 1), self.term(pool, index, size - 1));
            return pool.mk(Op::Select, &[array, index]);
        }
        match self.rng.u8(..12) {
            0 if width == 1 => {
                let arg = self.term(pool, sort, size - 1);
                pool.mk(Op::Apply, &[self.function, arg])
            }
            1 if width == 1 => {
                let arg = self.term(pool, self.sorts[1], size - 1);
                let bit = self.rng.u32(..2);
                pool.mk_indexed(Op::Extract, &[bit, bit], &[arg])
            }
            1 => {
                let high = self.term(pool, self.sorts[0], size - 1);
                let low = self.term(pool, self.sorts[0], size - 1);
                let parts = [high, low, low];
                pool.mk(Op::Concat, &parts[..width as usize])
            }
            2 => {
                let arg = self.term(pool, sort, size - 1);
                pool.mk([Op::BvNot, Op::BvNeg][self.rng.usize(..2)], &[arg])
            }
            3 => {
                let condition = self.formula(pool, 0);
                let [left, right] = [0; 2].map(|_| self.term(pool, sort, size - 1));
                pool.mk(Op::Ite, &[condition, left, right])
            }
            _ => {
                let ops = [
                    Op::BvAdd,
                    Op::BvAdd,
                    Op::BvSub,
                    Op::BvMul,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::BvXor,
                    Op::BvUdiv,
                    Op::BvUrem,
                    Op::BvShl,
                    Op::BvLshr,
                    Op::BvAshr,
                ];
                let op = ops[self.rng.usize(..ops.len())];
                let [left, right] = [0; 2].map(|_| self.term(pool, sort, size - 1));
                pool.mk(op, &[left, right])
            }
        }
    }

    fn constant(&mut self, pool: &mut Pool, sort: Sort) -> Term {
        if let Some((_, element)) = pool.sorts().array_parts(sort) {
            let element = self.constant(pool, element);
            return pool.const_array(sort, element).unwrap();
        }
        match sort.width() {
            Some(width) => pool.bv_u64(self.rng.u64(..), width),
            None => pool.bool(self.rng.bool()),
        }
    }
}

/// All values of a sort of these tests.
fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if let Some((index, element)) = pool.sorts().array_parts(sort) {
        let (places, elements) = (values(pool, index), values(pool, element));
        let first: Value = ArrayValue::constant(pool.sorts(), sort, elements[0].clone()).into();
        return places.iter().fold(vec![first], |arrays, place| {
            let written = |array: &Value| {
                let array = array.expect_array().clone();
                elements.iter().map(move |element| array.store(place, element).into()).collect::<Vec<Value>>()
            };
            arrays.iter().flat_map(written).collect()
        });
    }
    if pool.sorts().is_function(sort) {
        let bits = [0, 1].map(|bit| Value::from(BitVec::from_u64(bit, 1)));
        return (0..4)
            .map(|table| {
                let mut function = FunctionValue::constant(bits[table & 1].clone());
                function.define(vec![bits[1].clone()], bits[table >> 1].clone());
                function.into()
            })
            .collect();
    }
    match sort.width() {
        Some(width) => (0..1 << width).map(|value| BitVec::from_u64(value, width).into()).collect(),
        None => vec![false.into(), true.into()],
    }
}

/// A model of the formulas, by trying all values.
fn enumerated(pool: &Pool, formulas: &[Term]) -> Option<Assignment> {
    let symbols = free_symbols(pool, formulas);
    let domains: Vec<Vec<Value>> = symbols.iter().map(|&symbol| values(pool, pool.sort(symbol))).collect();
    let count: usize = domains.iter().map(Vec::len).product();
    (0..count).find_map(|mut number| {
        let mut assignment = Assignment::new();
        for (&symbol, domain) in symbols.iter().zip(&domains) {
            assignment.set(symbol, domain[number % domain.len()].clone());
            number /= domain.len();
        }
        let holds = formulas.iter().all(|&formula| eval(pool, formula, &assignment).expect_bool());
        holds.then_some(assignment)
    })
}

#[expect(clippy::disallowed_methods, reason = "a longer run is asked for by a variable of the environment")]
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let count = std::env::var("QUANTIFIED_SEEDS").ok().and_then(|count| count.parse().ok());
    0..count.unwrap_or(usual)
}

/// A check, judged.
fn judge(pool: &mut Pool, solver: &mut Solver, assumptions: &[Term], seed: u64) -> CheckResult {
    let question = [solver.assertions(), assumptions].concat();
    let result =
        solver.check_assuming(pool, assumptions).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
    let is_sat = enumerated(pool, &question).is_some();
    match result {
        CheckResult::Sat => {
            let model = solver.model().unwrap();
            for &formula in &question {
                assert!(eval(pool, formula, model.assignment()).expect_bool(), "seed {seed}: a wrong model");
                assert!(model.knows(pool, formula) && model.value(pool, formula).expect_bool());
            }
            // What the model rests on is closed, and refuted by enumeration, too.
            for sentence in solver.refuted_by_model(pool).unwrap() {
                assert!(free_symbols(pool, &[sentence]).is_empty());
                assert!(
                    !eval(pool, sentence, &Assignment::new()).expect_bool(),
                    "seed {seed}: a wrong sentence"
                );
            }
        }
        CheckResult::Unsat => assert!(!is_sat, "seed {seed}: wrong unsat\n{}", shown(pool, &question)),
        CheckResult::Unknown(why) => panic!("seed {seed}: {why}\n{}", shown(pool, &question)),
    }
    result
}

fn shown(pool: &Pool, formulas: &[Term]) -> String {
    formulas.iter().map(|&formula| format!("{}\n", pool.display(formula))).collect()
}

#[test]
fn answers_and_models_are_those_of_enumeration() {
    let mut counts = [0; 2];
    for seed in seeds(400) {
        let mut pool = Pool::new();
        let mut maker = Maker::new(&mut pool, seed);
        let size = 2 + (seed % 3) as u32;
        let formula = maker.quantified(&mut pool, size);
        if !is_enumerable(&pool, formula) {
            continue;
        }
        let mut solver = Solver::new(Settings::default());
        solver.assert(&pool, formula).unwrap();
        let result = judge(&mut pool, &mut solver, &[], seed);
        counts[usize::from(result == CheckResult::Sat)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

/// Each formula whose value matters is refuted below the model, and no other one.
#[test]
fn a_model_rests_on_sentences() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(4).unwrap();
    let [x, y, k] = ["x", "y", "k"].map(|name| pool.symbol(name, word));
    let p = pool.symbol("p", Sort::BOOL);
    let less = pool.mk(Op::BvUle, &[x, k]);
    let all = pool.forall(&[x], less).unwrap();
    let square = pool.mk(Op::BvMul, &[y, y]);
    let is_square = pool.mk(Op::Eq, &[square, k]);
    let no_square = pool.forall(&[y], is_square).unwrap();
    let other = pool.mk(Op::Not, &[no_square]);
    let either = pool.mk(Op::Or, &[p, no_square]);
    let mut solver = Solver::new(Settings::default());
    for formula in [all, other, either, p] {
        solver.assert(&pool, formula).unwrap();
    }
    assert_eq!(solver.refuted_by_model(&mut pool), None);
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    let sentences = solver.refuted_by_model(&mut pool).unwrap();
    // One is negated, as its formula is true; one is the formula itself, with the value of `k`, which is 15.
    let mut ops: Vec<Op> = sentences.iter().map(|&sentence| pool.op(sentence)).collect();
    ops.sort_by_key(|&op| op == Op::Forall);
    assert_eq!(ops, [Op::Not, Op::Forall]);
    assert!(sentences.iter().all(|&it| pool.display(it).to_string().contains("#b1111")));
}

#[test]
fn sessions_and_cores_are_those_of_enumeration() {
    let mut cores = 0;
    for seed in seeds(60) {
        let settings = Settings::builder().minimize_core(seed.is_multiple_of(2)).build();
        let mut pool = Pool::new();
        let mut maker = Maker::new(&mut pool, 1_000_000 + seed);
        let mut solver = Solver::new(settings);
        for _ in 0..12 {
            match maker.rng.u8(..8) {
                0 | 1 => solver.push(maker.rng.u64(1..3)).unwrap(),
                2 if solver.levels() > 0 => {
                    let levels = maker.rng.u64(1..=solver.levels());
                    solver.pop(levels).unwrap();
                }
                2..=5 => {
                    let size = maker.rng.u32(1..4);
                    let formula = maker.formula(&mut pool, size);
                    if is_enumerable(&pool, formula) {
                        solver.assert_tracked(&pool, formula).unwrap();
                    }
                }
                _ => {
                    let assumptions =
                        if maker.rng.bool() { vec![maker.formula(&mut pool, 2)] } else { vec![] };
                    if !assumptions.iter().all(|&formula| is_enumerable(&pool, formula)) {
                        continue;
                    }
                    if judge(&mut pool, &mut solver, &assumptions, seed) == CheckResult::Unsat {
                        let tracked: Vec<Term> = solver.tracked().collect();
                        let core = solver.unsat_core().unwrap().iter().map(|&number| tracked[number]);
                        let failed = solver.unsat_assumptions().unwrap().iter().map(|&at| assumptions[at]);
                        let all: Vec<Term> = core.chain(failed).collect();
                        assert!(enumerated(&pool, &all).is_none(), "seed {seed}: a core with a model");
                        cores += 1;
                    }
                }
            }
            if maker.rng.u8(..20) == 0 {
                let in_use = [solver.in_use(), maker.scope.clone(), vec![maker.function]].concat();
                let renaming = pool.compact(&in_use);
                solver.rename(&renaming);
                maker.scope.iter_mut().for_each(|term| *term = renaming.of(*term));
                maker.function = renaming.of(maker.function);
            }
        }
    }
    assert!(cores > 20, "{cores}");
}

/// What a binder is replaced by has its value, whatever values its free symbols have.
#[test]
fn what_is_eliminated_is_equivalent() {
    let (mut all, mut without) = (0, 0);
    for seed in seeds(600) {
        let mut pool = Pool::new();
        let mut maker = Maker::new(&mut pool, 2_000_000 + seed);
        maker.negates = true;
        let size = 2 + (seed % 3) as u32;
        let formula = maker.quantified(&mut pool, size);
        if !is_enumerable(&pool, formula) {
            continue;
        }
        let mut eliminator = if seed % 2 == 0 { Eliminator::new() } else { Eliminator::without_values() };
        let easier = eliminator.eliminate(&mut pool, formula, &Stop::new());
        assert!(
            free_symbols(&pool, &[easier])
                .iter()
                .all(|&symbol| free_symbols(&pool, &[formula]).contains(&symbol))
        );
        let equal = pool.mk(Op::Eq, &[formula, easier]);
        if !is_enumerable(&pool, equal) {
            continue;
        }
        let differ = pool.mk(Op::Not, &[equal]);
        let found = enumerated(&pool, &[differ]);
        assert!(found.is_none(), "seed {seed}: {found:?}\n{}", shown(&pool, &[formula, easier]));
        (all, without) = (all + 1, without + usize::from(outermost_binders(&pool, &[easier]).is_empty()));
    }
    assert!(without > all / 2, "{without} of {all}");
}

/// A binder is false exactly where a guide leaves something false, and then its body is false for the terms
/// of that guide.
#[test]
fn guides_lead_to_all_counterexamples() {
    let (mut all, mut without) = (0, 0);
    for seed in seeds(600) {
        let mut pool = Pool::new();
        let mut maker = Maker::new(&mut pool, 2_000_000 + seed);
        maker.negates = true;
        let size = 2 + (seed % 3) as u32;
        let formula = maker.quantified(&mut pool, size);
        if !is_enumerable(&pool, formula) || pool.binder(formula).is_none() {
            continue;
        }
        let mut eliminator = if seed % 2 == 0 { Eliminator::new() } else { Eliminator::without_values() };
        let guides = eliminator.guides(&mut pool, formula, &Stop::new());
        let rests: Vec<Term> =
            guides.iter().map(|guide| pool.forall(&guide.variables, guide.rest).unwrap()).collect();
        let both = pool.and_all(&rests);
        let differ = pool.mk(Op::Xor, &[formula, both]);
        let (variables, body) = pool.binder(formula).map(|(it, body)| (it.to_vec(), body)).unwrap();
        let mut questions = vec![differ];
        for guide in &guides {
            let mut substitution = Substitution::new();
            let pairs = variables.iter().zip(&guide.terms);
            pairs.for_each(|(&variable, &term)| substitution.insert(&pool, variable, term));
            let instance = substitution.apply(&mut pool, body);
            let is_wrong = pool.mk(Op::Not, &[guide.rest]);
            questions.push(pool.mk(Op::And, &[is_wrong, instance]));
        }
        for question in questions {
            let symbols = free_symbols(&pool, &[question]);
            let sizes = symbols.iter().map(|&symbol| values(&pool, pool.sort(symbol)).len());
            if is_enumerable(&pool, question) && sizes.product::<usize>() < 1 << 12 {
                let found = enumerated(&pool, &[question]);
                assert!(found.is_none(), "seed {seed}: {found:?}\n{}", shown(&pool, &[formula, question]));
            }
        }
        all += 1;
        without += usize::from(guides.iter().all(|guide| guide.variables.is_empty()));
    }
    assert!(without > all / 2, "{without} of {all}");
}

/// What depends on a variable of a binder within a binder does not get out of it: sums with it, reads at it,
/// and reads of what was written to at it.
#[test]
fn what_is_bound_within_stays_within() {
    for width in [1, 2] {
        let mut pool = Pool::new();
        let word = Sort::bitvec(width).unwrap();
        let array = pool.sorts_mut().array(word, Sort::bitvec(1).unwrap()).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, word));
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, array));
        let (one, bit) = (pool.bv_u64(1, width), pool.bv_u64(1, 1));
        let read = pool.mk(Op::Select, &[c, y]);
        let p_y = pool.mk(Op::Eq, &[read, bit]);
        let sum = pool.mk(Op::BvAdd, &[x, y]);
        let is_zero = pool.mk(Op::BvUlt, &[sum, one]);
        let read = pool.mk(Op::Select, &[a, y]);
        let is_set = pool.mk(Op::Eq, &[read, bit]);
        let written = pool.mk(Op::Store, &[b, x, bit]);
        let read = pool.mk(Op::Select, &[written, y]);
        let is_written = pool.mk(Op::Eq, &[read, bit]);
        for (outer, part) in [(x, is_zero), (a, is_set), (x, is_written)] {
            for op in [Op::And, Op::Or, Op::Xor] {
                let body = pool.mk(op, &[part, p_y]);
                let inner = [pool.exists(&[y], body).unwrap(), pool.forall(&[y], body).unwrap()];
                for inner in inner {
                    let formula = pool.forall(&[outer], inner).unwrap();
                    let easier = Eliminator::without_values().eliminate(&mut pool, formula, &Stop::new());
                    let differ = pool.mk(Op::Distinct, &[formula, easier]);
                    let found = enumerated(&pool, &[differ]);
                    assert!(found.is_none(), "{found:?}\n{}", shown(&pool, &[formula, easier]));
                }
            }
        }
    }
}

/// What has too many values to be tried: the loop ends by terms, by elimination, or by its budget.
#[test]
fn wide_formulas_are_decided_or_given_up() {
    let mut pool = Pool::new();
    let word = Sort::bitvec(64).unwrap();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, word));
    let one = pool.bv_u64(1, 64);
    let next = pool.mk(Op::BvAdd, &[x, one]);
    let is_next = pool.mk(Op::Eq, &[y, next]);
    let has_next = pool.exists(&[y], is_next).unwrap();
    let all = pool.forall(&[x], has_next).unwrap();
    let mut solver = Solver::new(Settings::default());
    solver.push(1).unwrap();
    solver.assert(&pool, all).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
    assert!(solver.model().unwrap().knows(&pool, all));
    solver.pop(1).unwrap();
    let none = pool.mk(Op::Not, &[all]);
    solver.assert(&pool, none).unwrap();
    assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Unsat);
}
