//! `distinct` through the whole solver: sessions with and without lemmas on demand end alike; models are
//! validated by the solver itself, and cores are asserted again. Many terms cost what they are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};
use fastrand::Rng;

/// What formulas are made of: terms of one sort, and truths.
struct Material {
    terms: Vec<Term>,
    truths: Vec<Term>,
}

impl Material {
    fn new(pool: &mut Pool, random: &mut Rng) -> Material {
        let [bit, two, byte] = [1, 2, 8].map(|width| Sort::bitvec(width).unwrap());
        let declared = pool.sorts_mut().declare("U");
        let [tiny, small] = [bit, two].map(|of| pool.sorts_mut().array(of, of).unwrap());
        let mixed = pool.sorts_mut().array(declared, declared).unwrap();
        let sort = [Sort::BOOL, bit, two, byte, declared, declared, tiny, small, mixed][random.usize(..9)];
        let count = 3 + random.usize(..5);
        let mut terms: Vec<Term> = (0..count).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
        let truths = (0..2).map(|i| pool.symbol(&format!("b{i}"), Sort::BOOL)).collect();
        let function = pool.sorts_mut().function(&[declared], sort).unwrap();
        let function = pool.symbol("f", function);
        if random.bool() {
            for i in 0..2 + random.usize(..3) {
                let element = pool.symbol(&format!("e{i}"), declared);
                terms.push(pool.mk(Op::Apply, &[function, element]));
            }
        }
        if sort.is_bitvec() && random.bool() {
            let sum = pool.mk(Op::BvAdd, &[terms[0], terms[1]]);
            terms.push(sum);
        }
        Material { terms, truths }
    }

    fn term(&self, random: &mut Rng) -> Term {
        self.terms[random.usize(..self.terms.len())]
    }

    fn distinct(&self, pool: &mut Pool, random: &mut Rng) -> Term {
        let mut terms = self.terms.clone();
        random.shuffle(&mut terms);
        terms.truncate(2 + random.usize(..terms.len() - 1));
        if random.usize(..16) == 0 {
            terms.push(terms[0]);
        }
        pool.mk(Op::Distinct, &terms)
    }

    fn formula(&self, pool: &mut Pool, random: &mut Rng, depth: usize) -> Term {
        if depth == 0 || random.usize(..3) == 0 {
            return match random.usize(..6) {
                0 => self.truths[random.usize(..2)],
                1 | 2 => {
                    let sides = [0; 2].map(|_| self.term(random));
                    pool.mk(Op::Eq, &sides)
                }
                3 => {
                    let differ = self.distinct(pool, random);
                    let [a, b, c] = [0; 3].map(|_| self.term(random));
                    let choice = pool.mk(Op::Ite, &[differ, a, b]);
                    pool.mk(Op::Eq, &[choice, c])
                }
                _ => self.distinct(pool, random),
            };
        }
        let parts: Vec<Term> = (0..3).map(|_| self.formula(pool, random, depth - 1)).collect();
        match random.usize(..8) {
            0..=2 => pool.mk(Op::Not, &parts[..1]),
            3 => pool.mk(Op::And, &parts),
            4 | 5 => pool.mk(Op::Or, &parts),
            6 => pool.mk(Op::Eq, &parts[..2]),
            _ => pool.mk(Op::Ite, &parts),
        }
    }
}

fn settings(distinct_from: u32, rebuild_from: u64) -> Settings {
    let settings = Settings::builder().probe(false).local_search(0).rewrite_level(0);
    settings.rebuild_from(rebuild_from).distinct_from(distinct_from).build()
}

/// The answers of a session, and the lemmas about pairs and positions.
fn session(seed: u64, distinct_from: u32) -> (Vec<CheckResult>, [u64; 2]) {
    let mut random = Rng::with_seed(seed);
    let mut pool = Pool::new();
    let material = Material::new(&mut pool, &mut random);
    let mut solver = Solver::new(settings(distinct_from, random.u64(..2) * 1000));
    let mut asserted = vec![vec![]];
    let mut answers = vec![];
    for _ in 0..1 + random.usize(..6) {
        if random.bool() {
            solver.push(1).unwrap();
            asserted.push(vec![]);
        }
        for _ in 0..1 + random.usize(..3) {
            let formula = material.formula(&mut pool, &mut random, 2);
            solver.assert(&pool, formula).unwrap();
            asserted.last_mut().unwrap().push(formula);
        }
        let count = random.usize(..3);
        let assumed: Vec<Term> = (0..count).map(|_| material.formula(&mut pool, &mut random, 1)).collect();
        let answer = solver.check_assuming(&mut pool, &assumed).unwrap();
        answers.push(answer);
        if let Some(core) = solver.unsat_assumptions().map(<[usize]>::to_vec) {
            let mut other = Solver::new(settings(0, 0));
            let core = core.iter().map(|&place| assumed[place]);
            asserted.iter().flatten().copied().chain(core).for_each(|formula| {
                other.assert(&pool, formula).unwrap();
            });
            assert_eq!(other.check(&mut pool).unwrap(), CheckResult::Unsat, "seed {seed}");
        }
        if solver.levels() > 0 && random.bool() {
            solver.pop(1).unwrap();
            asserted.pop();
        }
    }
    let refiners = solver.statistics(&pool).refiners;
    (answers, ["pairs", "positions"].map(|name| refiners.get("distinct", name)))
}

#[test]
fn sessions_end_as_they_do_without() {
    let mut counts = [0, 0, 0, 0];
    for seed in 0..800 {
        let (expected, without) = session(seed, 0);
        assert_eq!(without, [0, 0]);
        let (found, [pairs, positions]) = session(seed, 1);
        assert_eq!(found, expected, "seed {seed}");
        let sat = found.iter().filter(|&&answer| answer == CheckResult::Sat).count();
        let numbers = [sat as u64, (found.len() - sat) as u64, pairs, positions];
        counts.iter_mut().zip(numbers).for_each(|(count, number)| *count += number);
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Results of functions that are no more than their values can be told apart with the words below them: those
/// left over were evaluated, and with them arrays that had no values yet. So were arrays in a `distinct`.
#[test]
fn arrays_are_not_evaluated_before_they_have_values() {
    let mut counts = [0; 2];
    for seed in 0..3000 {
        let random = &mut Rng::with_seed(seed);
        let mut pool = Pool::new();
        let [bit, two] = [1, 2].map(|width| Sort::bitvec(width).unwrap());
        let array = pool.sorts_mut().array(bit, bit).unwrap();
        let mut bits = vec![pool.bv_u64(0, 1), pool.bv_u64(1, 1)];
        for name in ["a", "b"] {
            let word = pool.symbol(name, two);
            bits.push(pool.extract(1, 1, word).unwrap());
        }
        let mut arrays = vec![pool.symbol("c", array), pool.const_array(array, bits[3]).unwrap()];
        for _ in 0..4 {
            let (at, what) = (bits[random.usize(..2)], bits[1 + random.usize(..3)]);
            let below = arrays[random.usize(..arrays.len())];
            arrays.push(pool.mk(Op::Store, &[below, at, what]));
        }
        let function = pool.sorts_mut().function(&[array], two).unwrap();
        let function = pool.symbol("g", function);
        random.shuffle(&mut arrays);
        let mut terms = arrays[..3].to_vec();
        if random.bool() {
            terms = terms.iter().map(|&array| pool.mk(Op::Apply, &[function, array])).collect();
        }
        let equal = pool.mk(Op::Eq, &arrays[3..5]);
        let formulas = [pool.mk(Op::Not, &[equal]), pool.mk(Op::Distinct, &terms)];
        let answers = [0, 1].map(|distinct_from| {
            let mut solver = Solver::new(settings(distinct_from, 0));
            formulas.iter().for_each(|&formula| solver.assert(&pool, formula).unwrap());
            solver.check(&mut pool).unwrap()
        });
        assert_eq!(answers[0], answers[1], "seed {seed}");
        counts[usize::from(answers[0] == CheckResult::Sat)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

/// Terms that could be anything differ after one look at them; what is asserted of a few of them costs a few
/// lemmas, and a `distinct` that is false two positions.
#[test]
fn many_terms_take_few_lemmas() {
    const MANY: usize = 2000;
    let word = Sort::bitvec(32).unwrap();
    for kind in 0..4 {
        let mut pool = Pool::new();
        let declared = pool.sorts_mut().declare("U");
        let array = pool.sorts_mut().array(word, word).unwrap();
        let sort = [word, declared, array, declared][kind];
        let mut terms: Vec<Term> = (0..MANY).map(|i| pool.symbol(&format!("x{i}"), sort)).collect();
        if kind == 3 {
            let function = pool.sorts_mut().function(&[declared], word).unwrap();
            let function = pool.symbol("f", function);
            terms = terms.into_iter().map(|x| pool.mk(Op::Apply, &[function, x])).collect();
        }
        let differ = pool.mk(Op::Distinct, &terms);
        let first = pool.mk(Op::Distinct, &terms[..MANY / 2]);
        let mut solver = Solver::new(Settings::builder().probe(false).local_search(0).build());
        solver.assert(&pool, differ).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
        let equal = [[7, 8], [1000, 9]].map(|pair| pool.mk(Op::Eq, &pair.map(|i| terms[i])));
        let either = pool.mk(Op::Or, &equal);
        assert_eq!(solver.check_assuming(&mut pool, &[either]).unwrap(), CheckResult::Unsat, "{kind}");
        solver.reset_assertions();
        let some = pool.mk(Op::Not, &[differ]);
        solver.assert(&pool, some).unwrap();
        solver.assert(&pool, first).unwrap();
        assert_eq!(solver.check(&mut pool).unwrap(), CheckResult::Sat);
        let statistics = solver.statistics(&pool);
        let lemmas = ["pairs", "positions"].map(|name| statistics.refiners.get("distinct", name));
        assert!(lemmas[0] <= 16 * MANY as u64 && lemmas[1] <= 1, "{kind}: {lemmas:?}");
        assert!(statistics.terms <= 64 * MANY as u64, "{kind}: {} terms", statistics.terms);
    }
}
