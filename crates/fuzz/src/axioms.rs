//! Facts about arrays and functions, with random terms in the places of their variables.
//!
//! Random formulas about arrays are satisfiable more often than not, and where they are not, it is rarely
//! because of several writes in a row. So here are facts in which writes, equalities, choices and constant
//! arrays depend on each other; the negation of each instance is unsatisfiable. Some are families that other
//! solvers were measured on: writes that commute, writes that are swapped, elements that are found again
//! behind a chain of writes.
//!
//! An instance is asserted as its hypotheses and the negated conclusion, apart, so that definitions and cores
//! have something to do.

use crate::theory::Theory;
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Sort, Term};

/// Makes random terms of wanted sorts, and operators over them.
struct Maker<'a> {
    theory: Theory,
    random: &'a mut TermGen,
    pool: &'a mut Pool,
    /// Operators in a random term.
    size: usize,
}

/// An array sort and its parts.
#[derive(Clone, Copy)]
struct Sorts {
    array: Sort,
    index: Sort,
    element: Sort,
}

/// Assertions that are together unsatisfiable.
pub(crate) fn refutation(theory: Theory, random: &mut TermGen, pool: &mut Pool, size: usize) -> Vec<Term> {
    let mut maker = Maker { theory, random, pool, size: size / 6 };
    let sorts = (theory != Theory::Functions).then(|| maker.array_sort()).flatten();
    let functions = theory != Theory::Arrays && maker.random.rng().u32(..3) == 0;
    match sorts {
        Some(sorts) if !functions => maker.about_arrays(sorts),
        _ => maker.about_functions(),
    }
}

impl Maker<'_> {
    fn array_sort(&mut self) -> Option<Sorts> {
        (0..20).find_map(|_| {
            let array = self.theory.sort(self.random, self.pool);
            let (index, element) = self.pool.sorts().array_parts(array)?;
            Some(Sorts { array, index, element })
        })
    }

    fn any(&mut self, sort: Sort) -> Term {
        self.theory.term(self.random, self.pool, sort, self.size)
    }

    fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.mk(op, args)
    }

    fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.mk(Op::Eq, &[a, b]);
        self.mk(Op::Not, &[equal])
    }

    fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.mk(Op::Store, &[array, index, element])
    }

    fn select(&mut self, array: Term, index: Term) -> Term {
        self.mk(Op::Select, &[array, index])
    }

    fn about_arrays(&mut self, sorts: Sorts) -> Vec<Term> {
        let Sorts { array, index, element } = sorts;
        let [a, b] = [(); 2].map(|()| self.any(array));
        let [i, j] = [(); 2].map(|()| self.any(index));
        let [v, w] = [(); 2].map(|()| self.any(element));
        let count = 10;
        match self.random.rng().u32(..count) {
            // Reads over writes.
            0 => {
                let written = self.store(a, i, v);
                let (there, before) = (self.select(written, j), self.select(a, j));
                let here = self.mk(Op::Eq, &[i, j]);
                let expected = self.mk(Op::Ite, &[here, v, before]);
                vec![self.differ(there, expected)]
            }
            // Equal arrays have equal elements, at equal indices, behind equal writes.
            1 => {
                let [c, d] = [(a, v), (b, v)].map(|(array, v)| self.store(array, i, v));
                let [r, s] = [c, d].map(|array| self.select(array, j));
                vec![self.mk(Op::Eq, &[a, b]), self.differ(r, s)]
            }
            // What is written at one place hides nothing else (extensionality).
            2 => {
                let [c, d] = [a, b].map(|array| self.store(array, i, v));
                let [r, s] = [a, b].map(|array| self.select(array, i));
                vec![self.mk(Op::Eq, &[c, d]), self.mk(Op::Eq, &[r, s]), self.differ(a, b)]
            }
            3 => self.writes_commute(sorts, a),
            4 => self.writes_swap(sorts, a),
            // A write that is there already.
            5 => {
                let c = self.store(a, i, v);
                let read = self.select(b, i);
                vec![self.mk(Op::Eq, &[c, b]), self.differ(read, v)]
            }
            // Two writes of each other.
            6 => {
                let (c, d) = (self.store(b, i, v), self.store(a, j, w));
                let [r, s] = [a, b].map(|array| self.select(array, j));
                let apart = self.differ(i, j);
                vec![self.mk(Op::Eq, &[a, c]), self.mk(Op::Eq, &[b, d]), apart, self.differ(r, s)]
            }
            7 => self.constants(sorts, v, w),
            // Arrays that differ, do so somewhere; over few indices everywhere can be named.
            8 => self.somewhere(sorts, a, b),
            // A choice between arrays is a choice between elements, and a choice of equal arrays is none.
            _ => {
                let c = self.any(Sort::BOOL);
                let chosen = self.mk(Op::Ite, &[c, a, b]);
                let read = self.select(chosen, i);
                let [r, s] = [a, b].map(|array| self.select(array, i));
                let expected = self.mk(Op::Ite, &[c, r, s]);
                if self.random.rng().bool() {
                    vec![self.differ(read, expected)]
                } else {
                    vec![self.mk(Op::Eq, &[a, b]), self.differ(chosen, b)]
                }
            }
        }
    }

    /// Writes to different places in two orders.
    fn writes_commute(&mut self, sorts: Sorts, start: Term) -> Vec<Term> {
        let count = self.random.rng().usize(2..=4);
        let mut writes: Vec<(Term, Term)> =
            (0..count).map(|_| (self.any(sorts.index), self.any(sorts.element))).collect();
        let indices: Vec<Term> = writes.iter().map(|write| write.0).collect();
        let apart = self.mk(Op::Distinct, &indices);
        let one = writes.iter().fold(start, |array, &(i, v)| self.store(array, i, v));
        self.random.rng().shuffle(&mut writes);
        let other = writes.iter().fold(start, |array, &(i, v)| self.store(array, i, v));
        vec![apart, self.differ(one, other)]
    }

    /// Elements are swapped pair by pair, in two ways round each.
    fn writes_swap(&mut self, sorts: Sorts, start: Term) -> Vec<Term> {
        let mut ends = [start; 2];
        for _ in 0..self.random.rng().usize(1..=3) {
            let [i, j] = [(); 2].map(|()| self.any(sorts.index));
            for (end, (first, second)) in [(i, j), (j, i)].into_iter().enumerate() {
                let array = ends[end];
                let (at_first, at_second) = (self.select(array, first), self.select(array, second));
                let half = self.store(array, first, at_second);
                ends[end] = self.store(half, second, at_first);
            }
        }
        vec![self.differ(ends[0], ends[1])]
    }

    /// Fewer writes than indices do not turn one constant array into another.
    fn constants(&mut self, sorts: Sorts, v: Term, w: Term) -> Vec<Term> {
        let Some(size) = self.pool.sorts().small_cardinality(sorts.index) else {
            // Over declared sorts there are no constant arrays: another fact about them.
            let (f, i) = (self.any(sorts.array), self.any(sorts.index));
            let read = self.select(f, i);
            let same = self.store(f, i, read);
            return vec![self.differ(same, f)];
        };
        let [one, other] = [v, w].map(|e| self.pool.const_array(sorts.array, e).expect("well-sorted"));
        let writes = self.random.rng().u64(0..size.min(4));
        let mut left = one;
        for _ in 0..writes {
            let (i, e) = (self.any(sorts.index), self.any(sorts.element));
            left = self.store(left, i, e);
        }
        let middle = self.any(sorts.array);
        vec![self.mk(Op::Eq, &[left, middle]), self.mk(Op::Eq, &[middle, other]), self.differ(v, w)]
    }

    fn somewhere(&mut self, sorts: Sorts, a: Term, b: Term) -> Vec<Term> {
        let size = self.pool.sorts().small_cardinality(sorts.index).filter(|&size| size <= 8);
        let Some(size) = size.filter(|_| sorts.index.is_bool() || sorts.index.is_bitvec()) else {
            let i = self.any(sorts.index);
            let (r, s) = (self.select(a, i), self.select(b, i));
            return vec![self.mk(Op::Eq, &[a, b]), self.differ(r, s)];
        };
        let mut assertions = vec![self.differ(a, b)];
        for value in 0..size {
            let index = match sorts.index.width() {
                Some(width) => self.pool.bv_u64(value, width),
                None => self.pool.bool(value == 1),
            };
            let (r, s) = (self.select(a, index), self.select(b, index));
            assertions.push(self.mk(Op::Eq, &[r, s]));
        }
        assertions
    }

    /// A fresh function symbol; facts may meet in one script, so each has a name of its own.
    fn function(&mut self, sort: Sort) -> Term {
        let name = format!("g{}", self.pool.len());
        self.pool.symbol(&name, sort)
    }

    /// Functions are functions: equal arguments, equal results; also five times in a row.
    fn about_functions(&mut self) -> Vec<Term> {
        let sort = self.random.sort(self.pool);
        if self.random.rng().bool() {
            return self.five_steps(sort);
        }
        let params: Vec<Sort> =
            (0..self.random.rng().usize(1..=3)).map(|_| self.random.sort(self.pool)).collect();
        let function = self.pool.sorts_mut().function(&params, sort).expect("a first-order sort");
        let f = self.function(function);
        let sides = [(); 2].map(|()| params.iter().map(|&p| self.any(p)).collect::<Vec<_>>());
        let pairs: Vec<(Term, Term)> = sides[0].iter().copied().zip(sides[1].iter().copied()).collect();
        let mut assertions: Vec<Term> = pairs.iter().map(|&(a, b)| self.mk(Op::Eq, &[a, b])).collect();
        let [r, s] = sides.map(|args| self.mk(Op::Apply, &[&[f], &args[..]].concat()));
        assertions.push(self.differ(r, s));
        assertions
    }

    /// If f^5(x) = x and f^3(x) = x then f(x) = x.
    fn five_steps(&mut self, sort: Sort) -> Vec<Term> {
        let function = self.pool.sorts_mut().function(&[sort], sort).expect("a first-order sort");
        let f = self.function(function);
        let start = self.any(sort);
        let mut steps = vec![start];
        for _ in 0..5 {
            let last = *steps.last().expect("it starts with one");
            steps.push(self.mk(Op::Apply, &[f, last]));
        }
        vec![
            self.mk(Op::Eq, &[steps[5], start]),
            self.mk(Op::Eq, &[steps[3], start]),
            self.differ(steps[1], start),
        ]
    }
}
