//! Every answer of the refiner against all values of the words.

use crate::Orders;
use bivalve_limits::{Deadline, Stop};
use bivalve_refine::{Refinement, Refiners};
use bivalve_terms::{Assignment, BitVec, Op, Pool, Sort, Term, Value, cone, eval};
use fastrand::Rng;

/// Words of so many bits, all of one order.
struct Words {
    pool: Pool,
    words: Vec<Term>,
    truths: Vec<Term>,
    is_signed: bool,
}

impl Words {
    fn new(width: u32, count: usize, is_signed: bool) -> Words {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(width).expect("a legal width");
        let words = (0..count).map(|number| pool.symbol(&format!("x{number}"), sort)).collect();
        let truths = (0..2).map(|number| pool.symbol(&format!("b{number}"), Sort::BOOL)).collect();
        Words { pool, words, truths, is_signed }
    }

    /// A comparison of two words, or of a word and a constant.
    fn atom(&mut self, random: &mut Rng) -> Term {
        let ops = match self.is_signed {
            false => [Op::BvUlt, Op::BvUlt, Op::BvUle],
            true => [Op::BvSlt, Op::BvSlt, Op::BvSle],
        };
        let width = self.pool.width(self.words[0]).expect("words");
        let op = if random.usize(..6) == 0 { Op::Eq } else { ops[random.usize(..3)] };
        let left = self.words[random.usize(..self.words.len())];
        let constant = self.pool.bitvec(&BitVec::from_u64(random.u64(..), width));
        let right =
            if random.usize(..4) == 0 { constant } else { self.words[random.usize(..self.words.len())] };
        let sides = if random.usize(..2) == 0 { [left, right] } else { [right, left] };
        self.pool.mk(op, &sides)
    }

    /// A formula over comparisons and truth values.
    fn formula(&mut self, random: &mut Rng, depth: usize) -> Term {
        if depth == 0 || random.usize(..5) == 0 {
            let truth = self.truths[random.usize(..2)];
            return if random.usize(..4) == 0 { truth } else { self.atom(random) };
        }
        let parts: Vec<Term> = (0..3).map(|_| self.formula(random, depth - 1)).collect();
        match random.usize(..6) {
            0 => self.pool.mk(Op::Not, &parts[..1]),
            1 | 2 => self.pool.mk(Op::And, &parts),
            3 | 4 => self.pool.mk(Op::Or, &parts),
            _ => self.pool.mk(Op::Ite, &parts),
        }
    }

    /// All values of the words.
    fn assignments(&self) -> Vec<Assignment> {
        let width = self.pool.width(self.words[0]).expect("words");
        let bits = width * self.words.len() as u32;
        let assignment = |code: u64| {
            let mut assignment = Assignment::new();
            for (number, &word) in (0..).zip(&self.words) {
                assignment.set(word, BitVec::from_u64(code >> (number * width), width));
            }
            assignment
        };
        (0..1 << bits).map(assignment).collect()
    }
}

#[test]
fn lemmas_are_valid_and_fail_and_models_are_models() {
    let (mut lemmas_seen, mut models_seen) = (0, 0);
    for seed in 0..2000 {
        let mut random = Rng::with_seed(seed);
        let (width, count) = [(1, 4), (2, 3), (3, 2), (2, 4), (2, 5)][random.usize(..5)];
        let mut words = Words::new(width, count, random.usize(..3) == 0);
        let parts: Vec<Term> = (0..4).map(|_| words.formula(&mut random, 1)).collect();
        let formula = words.pool.mk(Op::And, &parts);
        let assignments = words.assignments();
        let pool = &mut words.pool;
        let mut refiners = Refiners::new(vec![Box::new(Orders::new(1))]);
        refiners.survey(pool, &[formula], &Deadline::unlimited());
        let abstracted =
            refiners.abstracted(pool, formula, &Deadline::unlimited()).expect("there is no limit");
        refiners.hold(pool, abstracted, &Deadline::unlimited()).expect("there is no limit");
        let variables: Vec<Term> =
            cone(pool, &[abstracted]).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect();
        // Words of components with more equalities than comparisons stay.
        if variables.len() > 12 || variables.iter().any(|variable| words.words.contains(variable)) {
            continue;
        }
        for code in 0..1u64 << variables.len() {
            let mut model = Assignment::new();
            for (number, &variable) in variables.iter().enumerate() {
                model.set(variable, code >> number & 1 == 1);
            }
            if !eval(pool, abstracted, &model).expect_bool() {
                continue;
            }
            // Each model as the first one: there is no end to these, and circuits would come.
            refiners.clear();
            refiners.hold(pool, abstracted, &Deadline::unlimited()).expect("there is no limit");
            let mut leaves = |_: &Pool, term: Term| model.get(term).cloned();
            match refiners.check(pool, &mut leaves, &Deadline::unlimited()) {
                Refinement::Consistent(values) => {
                    let mut assignment = Assignment::new();
                    for &truth in &words.truths {
                        assignment.set(truth, model.get(truth).cloned().unwrap_or(Value::Bool(false)));
                    }
                    values.into_iter().for_each(|(word, value)| assignment.set(word, value));
                    assert!(eval(pool, formula, &assignment).expect_bool(), "seed {seed}, model {code}");
                    models_seen += 1;
                }
                Refinement::Lemmas(lemmas) => {
                    let mut fails = false;
                    for lemma in &lemmas {
                        let holds = |value: &dyn Fn(Term) -> bool| {
                            lemma.literals.iter().any(|&(term, wanted)| value(term) == wanted)
                        };
                        fails |= !holds(&|term| eval(pool, term, &model).expect_bool());
                        for assignment in &assignments {
                            let meant = |variable: Term| {
                                let term = refiners.replaced_by(variable).unwrap_or(variable);
                                eval(pool, term, assignment).expect_bool()
                            };
                            assert!(holds(&meant), "seed {seed}: {lemma:?}");
                        }
                    }
                    assert!(fails, "seed {seed}, model {code}: no lemma fails");
                    lemmas_seen += lemmas.len();
                }
                Refinement::Unknown(why) => panic!("there is no limit: {why}"),
            }
        }
    }
    assert!(lemmas_seen > 1000 && models_seen > 1000, "{lemmas_seen} lemmas, {models_seen} models");
}

#[test]
fn a_word_that_is_used_otherwise_later_gets_comparators_and_so_do_its_neighbours() {
    let mut words = Words::new(8, 3, false);
    let pool = &mut words.pool;
    let [x, y, z] = [words.words[0], words.words[1], words.words[2]];
    let chain = [(x, y), (y, z)].map(|(less, greater)| pool.mk(Op::BvUlt, &[less, greater]));
    let chain = pool.mk(Op::And, &chain);
    let mut refiners = Refiners::new(vec![Box::new(Orders::new(2))]);
    refiners.survey(pool, &[chain], &Deadline::unlimited());
    let deadline = Deadline::unlimited();
    let take_in = |refiners: &mut Refiners, pool: &mut Pool, formula: Term| {
        let abstracted = refiners.abstracted(pool, formula, &deadline).expect("there is no limit");
        refiners.hold(pool, abstracted, &Deadline::unlimited()).expect("there is no limit");
        refiners.eager(pool)
    };
    assert!(take_in(&mut refiners, pool, chain).is_empty());
    refiners.push_to(1);
    let one = pool.bv_u64(1, 8);
    let sum = pool.mk(Op::BvAdd, &[x, one]);
    let other = pool.mk(Op::Eq, &[sum, one]);
    let lemmas = take_in(&mut refiners, pool, other);
    assert_eq!(lemmas.len(), 4, "two comparisons, two lemmas each: {lemmas:?}");
    assert!(lemmas.iter().all(|lemma| lemma.reason == "comparator"));
    assert_eq!(refiners.statistics().get("orders", "circuits"), 2);
}

#[test]
fn what_is_not_only_compared_keeps_its_bits() {
    let mut words = Words::new(8, 2, false);
    let pool = &mut words.pool;
    let (x, y) = (words.words[0], words.words[1]);
    let unsigned = pool.mk(Op::BvUlt, &[x, y]);
    let signed = pool.mk(Op::BvSlt, &[x, y]);
    let sum = pool.mk(Op::BvAdd, &[x, y]);
    let used = pool.mk(Op::BvUlt, &[sum, y]);
    let equal = pool.mk(Op::Eq, &[x, y]);
    for (formulas, is_ordered) in [
        (vec![unsigned], true),
        (vec![unsigned, equal], true),
        (vec![equal], false),
        (vec![unsigned, signed], false),
        (vec![unsigned, used], false),
    ] {
        let mut refiners = Refiners::new(vec![Box::new(Orders::new(1))]);
        refiners.survey(pool, &formulas, &Deadline::unlimited());
        let image = refiners.abstracted(pool, formulas[0], &Deadline::unlimited());
        assert_eq!(image != Some(formulas[0]), is_ordered, "{formulas:?}");
    }
}

#[test]
fn words_of_two_orders_are_not_compared_in_one() {
    let mut words = Words::new(8, 4, false);
    let pool = &mut words.pool;
    let unsigned = pool.mk(Op::BvUlt, &words.words[..2]);
    let signed = pool.mk(Op::BvSlt, &words.words[2..]);
    let equal = pool.mk(Op::Eq, &[words.words[0], words.words[2]]);
    let less = pool.mk(Op::BvUlt, &[words.words[0], words.words[3]]);
    let mut refiners = Refiners::new(vec![Box::new(Orders::new(1))]);
    refiners.survey(pool, &[unsigned, signed], &Deadline::unlimited());
    for (formula, is_ordered) in [(unsigned, true), (signed, true), (equal, false), (less, false)] {
        let image = refiners.abstracted(pool, formula, &Deadline::unlimited());
        assert_eq!(image != Some(formula), is_ordered, "{formula:?}");
    }
}

#[test]
fn chains_are_no_longer_than_words_have_values() {
    // Four values; five words in a row.
    let mut words = Words::new(2, 5, true);
    let pool = &mut words.pool;
    let row: Vec<Term> = words.words.windows(2).map(|pair| pool.mk(Op::BvSlt, pair)).collect();
    let mut refiners = Refiners::new(vec![Box::new(Orders::new(1))]);
    let formula = pool.mk(Op::And, &row);
    refiners.survey(pool, &[formula], &Deadline::unlimited());
    let image = refiners.abstracted(pool, formula, &Deadline::unlimited()).expect("there is no limit");
    refiners.hold(pool, image, &Deadline::unlimited()).expect("there is no limit");
    let mut all = |pool: &Pool, term: Term| pool.sort(term).is_bool().then_some(Value::Bool(true));
    let Refinement::Lemmas(lemmas) = refiners.check(pool, &mut all, &Deadline::unlimited()) else {
        panic!("five values of two bits");
    };
    assert_eq!(lemmas.len(), 1);
    assert_eq!(lemmas[0].literals.len(), 4);
}

/// The walks over formulas went to their end however long they took.
#[test]
fn walks_over_formulas_end_with_their_deadline() {
    let mut words = Words::new(8, 5, false);
    let pool = &mut words.pool;
    let row: Vec<Term> = words.words.windows(2).map(|pair| pool.mk(Op::BvUlt, pair)).collect();
    let formula = pool.mk(Op::And, &row);
    let (whole, mut steps) = (Deadline::unlimited(), 0);
    loop {
        let mut refiners = Refiners::new(vec![Box::new(Orders::new(1))]);
        let short = Deadline::new(&Stop::new(), steps);
        refiners.survey(pool, &[formula], &short);
        let image = refiners.abstracted(pool, formula, &whole).expect("there is no limit");
        // Without the end of the first walk no word is ordered; the second walk may end early, too.
        if image != formula && refiners.hold(pool, image, &short).is_some() {
            break;
        }
        refiners.clear();
        refiners.hold(pool, image, &whole).expect("there is no limit");
        steps += 1;
    }
    assert!(steps > 20, "{steps}");
}
