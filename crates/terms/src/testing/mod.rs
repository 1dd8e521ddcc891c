//! Random terms, values and assignments for property tests (feature `testing`).
//!
//! Every crate is tested by one kind of property: build a random term, do something to it,
//! evaluate both with the reference semantics under random assignments, compare. The terms come from here, so
//! that all crates are tested on the same, deliberately nasty, material.
//!
//! A [`TermGen`] works from the root down: for a wanted sort it picks an operator of the table, asks the
//! inverse of the operator's sort rule (`plan`) which argument sorts and indices lead to that sort, and makes
//! the arguments likewise with a share of the remaining size. A new operator of a known rule thus appears by
//! itself. The walk keeps its own stack of steps, so the depth of a term is not bounded by that of the
//! thread.
//!
//! What makes the terms nasty:
//! - they are DAGs: a sub-term is often one that was made before (and most often a recent one);
//! - widths are small or next to a word boundary (31..33, 63..65, 127..129) more often than not, and widths
//!   in use come back, so that sub-terms meet;
//! - constants and values prefer corners: 0, 1, -1, the least and greatest signed, powers of two, and numbers
//!   near the width, which matter to shifts;
//! - argument lists are sometimes long where the operator allows it.
//!
//! Everything follows from the seed; there is no other source of chance. One generator serves one pool,
//! because it remembers the terms it made. Cost: a few dozen random numbers a node.
//!
//! ```
//! use bivalve_terms::{Pool, Sort, eval, testing::TermGen};
//!
//! let mut pool = Pool::new();
//! let mut random = TermGen::new(7);
//! let goal = random.term(&mut pool, Sort::BOOL, 20);
//! let assignment = random.assignment(&pool, &[goal]);
//! let _: bool = eval(&pool, goal, &assignment).expect_bool();
//! ```

mod every;
mod plan;
mod values;

pub use every::{bits, every_assignment};

use crate::op::Op;
use crate::pool::Pool;
use crate::sort::{Sort, SortKind};
use crate::term::Term;
use fastrand::Rng;
use plan::Plan;
use rustc_hash::FxHashMap;

/// A source of random terms, values and assignments. Its public fields are options, to be set before the
/// first term is made.
pub struct TermGen {
    /// No bit-vector is wider than this, unless a wider term is asked for. At least 1; at first 70.
    pub max_width: u32,
    /// May arrays occur below terms of other sorts? At first `false`.
    pub arrays: bool,
    /// May arrays be indices and elements of arrays? Counts only beside [`TermGen::arrays`]; at first
    /// `false`.
    pub nested_arrays: bool,
    /// May function symbols be declared and applied? At first `false`.
    pub functions: bool,
    /// May sorts be declared, and terms of these sorts occur? At first `false`.
    pub uninterpreted: bool,
    /// The operators to choose from; at first all of the table. Leaves are made whether or not they are
    /// listed. An operator that is listed twice is chosen twice as often.
    pub ops: Vec<Op>,
    /// So many symbols are declared for each sort; at least 1, at first 3.
    pub symbols_per_sort: usize,
    rng: Rng,
    memory: Memory,
}

/// What a generator remembers of its pool. The maps are read by key only: their order is never seen.
#[derive(Default)]
struct Memory {
    /// Terms by sort, in the order of their making.
    terms: FxHashMap<Sort, Vec<Term>>,
    /// Symbols by sort.
    symbols: FxHashMap<Sort, Vec<Term>>,
    /// Function symbols by the sort of their results.
    functions: FxHashMap<Sort, Vec<Term>>,
    /// First-class sorts that terms were made of.
    sorts: Vec<Sort>,
    /// Declared sorts.
    declared: Vec<Sort>,
    /// How many symbols were declared; numbers their names.
    names: usize,
    /// No remembered term was made when the pool was longer than this.
    pool_len: usize,
}

/// What is left to do, last first: the walk of [`TermGen::term`].
enum Step {
    /// Make a term with at most `size` operators and put it on the stack of results.
    Make { sort: Sort, size: usize },
    /// Take arguments from the stack of results and put the application there.
    Finish { plan: Plan, sort: Sort },
}

impl TermGen {
    /// A generator of bit-vector and Boolean terms with all chance drawn from `seed`.
    pub fn new(seed: u64) -> TermGen {
        TermGen {
            max_width: 70,
            arrays: false,
            nested_arrays: false,
            functions: false,
            uninterpreted: false,
            ops: Op::native().collect(),
            symbols_per_sort: 3,
            rng: Rng::with_seed(seed),
            memory: Memory::default(),
        }
    }

    /// The same with everything the term language has: arrays (nested, too), functions and declared sorts.
    pub fn with_everything(seed: u64) -> TermGen {
        TermGen {
            arrays: true,
            nested_arrays: true,
            functions: true,
            uninterpreted: true,
            ..TermGen::new(seed)
        }
    }

    /// The random numbers themselves, for choices of the test's own.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Forgets all terms, symbols and declared sorts made so far: what comes next shares nothing with them
    /// and may be of another pool.
    pub fn forget(&mut self) {
        self.memory = Memory::default();
    }

    /// A random term of a first-class sort. At most `size` operator applications are new; what it shares
    /// with terms made before by this generator comes on top. Panics if `sort` is a function sort, or if the
    /// generator has served another pool.
    pub fn term(&mut self, pool: &mut Pool, sort: Sort, size: usize) -> Term {
        assert!(!pool.sorts().is_function(sort), "a random term has a first-class sort");
        assert!(self.memory.pool_len <= pool.len(), "a generator serves one pool; see TermGen::forget");
        let mut todo = vec![Step::Make { sort, size }];
        let mut done: Vec<Term> = vec![];
        while let Some(step) = todo.pop() {
            let (term, sort) = match step {
                Step::Make { sort, size } => match self.choose(pool, sort, size) {
                    Ok(term) => (term, sort),
                    Err(plan) => {
                        let sizes = self.shares(size - 1, plan.args.len());
                        let arguments = plan.args.iter().zip(sizes);
                        let arguments: Vec<Step> =
                            arguments.map(|(&sort, size)| Step::Make { sort, size }).collect();
                        todo.push(Step::Finish { plan, sort });
                        todo.extend(arguments.into_iter().rev());
                        continue;
                    }
                },
                Step::Finish { plan, sort } => {
                    let args = done.split_off(done.len() - plan.args.len());
                    (plan.build(pool, sort, args), sort)
                }
            };
            self.remember(pool, term, sort);
            done.push(term);
        }
        done.pop().expect("the walk ends with the root")
    }

    /// A random constant, or a constant array, or a symbol where the sort has neither.
    pub fn constant(&mut self, pool: &mut Pool, sort: Sort) -> Term {
        match pool.sorts().kind(sort) {
            SortKind::Bool => {
                let value = self.rng.bool();
                pool.bool(value)
            }
            SortKind::BitVec(width) => {
                let value = self.bitvec(width);
                pool.bitvec(&value)
            }
            SortKind::Array { element, .. } if element.is_bool() || element.is_bitvec() => {
                let element = self.constant(pool, element);
                pool.const_array(sort, element).expect("the element has the element sort")
            }
            SortKind::Theory(_)
            | SortKind::Array { .. }
            | SortKind::Uninterpreted(_)
            | SortKind::Function { .. } => self.symbol(pool, sort),
        }
    }

    /// One of the symbols of a sort, declared now if there are still fewer than
    /// [`TermGen::symbols_per_sort`].
    pub fn symbol(&mut self, pool: &mut Pool, sort: Sort) -> Term {
        let symbols = self.memory.symbols.entry(sort).or_default();
        let choice = self.rng.usize(..self.symbols_per_sort.max(1));
        if let Some(&symbol) = symbols.get(choice) {
            return symbol;
        }
        let name = format!("v{}", self.memory.names);
        self.memory.names += 1;
        let symbol = pool.symbol(&name, sort);
        symbols.push(symbol);
        symbol
    }

    /// A random first-class sort: Booleans and bit-vectors, and what the options allow beside them.
    pub fn sort(&mut self, pool: &mut Pool) -> Sort {
        if !self.memory.sorts.is_empty() && self.rng.bool() {
            return self.pick_sort();
        }
        match self.rng.u32(..12) {
            0 | 1 => Sort::BOOL,
            2 if self.uninterpreted => self.declared(pool),
            3 | 4 if self.arrays => self.array_sort(pool),
            _ => self.bitvec_sort(),
        }
    }

    /// A random width in `1..=max_width`; small ones and those next to a power of two are likely.
    pub fn width(&mut self) -> u32 {
        const BOUNDARIES: [u32; 12] = [1, 2, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129];
        let max = self.max_width.max(1);
        let width = match self.rng.u32(..8) {
            0..4 => self.rng.u32(1..=8),
            4..6 => BOUNDARIES[self.rng.usize(..BOUNDARIES.len())],
            _ => self.rng.u32(1..=max),
        };
        if width <= max { width } else { self.rng.u32(1..=max) }
    }

    /// A term of the sort at once, or the plan of an application.
    fn choose(&mut self, pool: &mut Pool, sort: Sort, size: usize) -> Result<Term, Plan> {
        if self.rng.u32(..if size == 0 { 2 } else { 6 }) == 0
            && let Some(term) = self.recall(sort)
        {
            return Ok(term);
        }
        // The operators that can give this sort are met by trial: the table has no index by result.
        for _ in 0..if size == 0 || self.ops.is_empty() { 0 } else { 100 } {
            let op = self.ops[self.rng.usize(..self.ops.len())];
            if let Some(plan) = self.plan(pool, op, sort) {
                return Err(plan);
            }
        }
        let constant = self.rng.u32(..3) == 0;
        Ok(if constant && self.constants(sort) { self.constant(pool, sort) } else { self.symbol(pool, sort) })
    }

    /// May a leaf of this sort be a constant? A constant array is an operator that the options may exclude.
    fn constants(&self, sort: Sort) -> bool {
        sort.is_bool() || sort.is_bitvec() || self.ops.contains(&Op::ConstArray)
    }

    /// A term of this sort made before, most often a recent one.
    fn recall(&mut self, sort: Sort) -> Option<Term> {
        let terms = self.memory.terms.get(&sort)?;
        let oldest = if self.rng.bool() { terms.len().saturating_sub(6) } else { 0 };
        Some(terms[self.rng.usize(oldest..terms.len())])
    }

    fn remember(&mut self, pool: &Pool, term: Term, sort: Sort) {
        let terms = self.memory.terms.entry(sort).or_default();
        if terms.is_empty() {
            self.memory.sorts.push(sort);
        }
        if terms.last() != Some(&term) {
            terms.push(term);
        }
        self.memory.pool_len = pool.len();
    }

    /// `size` in so many random parts.
    fn shares(&mut self, size: usize, parts: usize) -> Vec<usize> {
        let mut cuts: Vec<usize> = (1..parts).map(|_| self.rng.usize(..=size)).collect();
        cuts.sort_unstable();
        cuts.push(size);
        let mut before = 0;
        cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
    }

    fn pick_sort(&mut self) -> Sort {
        self.memory.sorts[self.rng.usize(..self.memory.sorts.len())]
    }

    /// A bit-vector sort, often one in use.
    fn bitvec_sort(&mut self) -> Sort {
        if !self.memory.sorts.is_empty() && self.rng.bool() {
            let sort = self.pick_sort();
            if sort.width().is_some_and(|width| width <= self.max_width) {
                return sort;
            }
        }
        Sort::bitvec(self.width()).expect("the greatest width is legal")
    }

    /// Bit-vectors of up to four bits.
    fn small_sort(&mut self) -> Sort {
        Sort::bitvec(self.rng.u32(1..=4).min(self.max_width.max(1))).expect("a legal width")
    }

    /// An array sort with small parts, so that accesses meet.
    fn array_sort(&mut self, pool: &mut Pool) -> Sort {
        let [index, element] = [(); 2].map(|()| match self.rng.u32(..8) {
            0 => Sort::BOOL,
            1 if self.uninterpreted => self.declared(pool),
            2 if self.nested_arrays => {
                let [index, element] =
                    [(); 2].map(|()| Sort::bitvec(self.rng.u32(1..=2)).expect("a legal width"));
                pool.sorts_mut().array(index, element).expect("two levels at most")
            }
            3..6 => self.small_sort(),
            _ => self.bitvec_sort(),
        });
        pool.sorts_mut().array(index, element).expect("three levels at most")
    }

    /// One of two declared sorts.
    fn declared(&mut self, pool: &mut Pool) -> Sort {
        let choice = self.rng.usize(..2);
        if let Some(&sort) = self.memory.declared.get(choice) {
            return sort;
        }
        let sort = pool.sorts_mut().declare(&format!("S{}", self.memory.declared.len()));
        self.memory.declared.push(sort);
        sort
    }
}
