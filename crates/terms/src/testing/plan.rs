//! The inverse of the sort rules: which arguments lead to a wanted sort.
//!
//! The sort rule of an operator says what sort its application has; to make random terms from the root down,
//! the question is the other way round. There is one answer per rule, not per operator, so a new row of the
//! operator table is generated without an edit here. The pool still applies the rule itself when the term is
//! built: a wrong inverse is a panic in the first test that meets it, never an ill-sorted term.
//!
//! No plan is wider than the wanted sort or the generator's greatest width: parts of a concatenation share
//! the wanted width, extensions and repetitions start below it.

use super::TermGen;
use crate::op::{Arity, Op};
use crate::pool::Pool;
use crate::sort::Sort;
use crate::sort_rule::SortRule;
use crate::term::Term;

/// An application to be made as soon as its arguments are.
pub(super) struct Plan {
    op: Op,
    /// The function symbol of an application.
    function: Option<Term>,
    indices: Vec<u32>,
    /// The sorts of the arguments that are still to be made.
    pub(super) args: Vec<Sort>,
}

impl Plan {
    /// The application to arguments of the planned sorts, itself of the wanted sort.
    pub(super) fn build(&self, pool: &mut Pool, sort: Sort, mut args: Vec<Term>) -> Term {
        if self.op == Op::ConstArray {
            return pool.const_array(sort, args[0]).expect("a plan is well-sorted");
        }
        if let Some(function) = self.function {
            args.insert(0, function);
        }
        let term = pool.mk_indexed(self.op, &self.indices, &args);
        assert_eq!(pool.sort(term), sort, "a plan of '{}' misses its sort", self.op.name());
        term
    }
}

impl TermGen {
    /// How to make a term of `sort` with `op`; `None` if the operator, or the option it needs, does not allow
    /// it.
    pub(super) fn plan(&mut self, pool: &mut Pool, op: Op, sort: Sort) -> Option<Plan> {
        let boolean = sort.is_bool();
        let same = |sort: Sort, count: usize| vec![sort; count];
        let mut indices = vec![];
        let mut function = None;
        let args = match (op.info().rule, sort.width()) {
            (SortRule::Leaf, _) => return None,
            (SortRule::Annotated, _) => vec![pool.sorts().array_parts(sort)?.1],
            (SortRule::Application, _) => {
                let symbol = self.function(pool, sort)?;
                function = Some(symbol);
                pool.sorts().function_parts(pool.sort(symbol)).expect("a function symbol").0.to_vec()
            }
            (SortRule::Bools, _) if boolean => same(Sort::BOOL, self.count(op)),
            (SortRule::SameSort, _) if boolean => same(self.sort(pool), self.count(op)),
            (SortRule::Compare, _) if boolean => same(self.bitvec_sort(), self.count(op)),
            (SortRule::Comp, Some(1)) => same(self.bitvec_sort(), self.count(op)),
            (SortRule::SameWidth, Some(_)) => same(sort, self.count(op)),
            (SortRule::Ite, _) => vec![Sort::BOOL, sort, sort],
            (SortRule::Select, _) => {
                let array = self.array_of(pool, sort)?;
                vec![array, pool.sorts().array_parts(array)?.0]
            }
            (SortRule::Store, _) => {
                let (index, element) = pool.sorts().array_parts(sort)?;
                vec![sort, index, element]
            }
            (SortRule::Concat, Some(width)) => self.parts(width)?,
            (SortRule::Extract, Some(width)) => {
                let above = self.rng.u32(..=self.max_width.saturating_sub(width));
                let lo = self.edge(above);
                indices = vec![lo + width - 1, lo];
                vec![Sort::bitvec(width + above).ok()?]
            }
            (SortRule::Repeat, Some(width)) => {
                let divisors: Vec<u32> = (1..=width.min(128)).filter(|n| width % n == 0).collect();
                let times = divisors[self.rng.usize(..divisors.len())];
                indices = vec![times];
                vec![Sort::bitvec(width / times).ok()?]
            }
            (SortRule::Extend, Some(width)) => {
                let by = self.edge(width - 1);
                indices = vec![by];
                vec![Sort::bitvec(width - by).ok()?]
            }
            (SortRule::Rotate, Some(width)) => {
                let far = self.rng.u32(..32) == 0;
                indices = vec![if far { self.rng.u32(..) } else { self.rng.u32(..=width + width / 2) }];
                vec![sort]
            }
            (
                SortRule::Bools
                | SortRule::SameSort
                | SortRule::Compare
                | SortRule::Comp
                | SortRule::SameWidth
                | SortRule::Concat
                | SortRule::Extract
                | SortRule::Repeat
                | SortRule::Extend
                | SortRule::Rotate,
                _,
            ) => return None,
            // Rules of theories that are lowered: their terms are made by tests of their own.
            _ => return None,
        };
        Some(Plan { op, function, indices, args })
    }

    /// How many arguments an operator gets.
    fn count(&mut self, op: Op) -> usize {
        match op.info().arity {
            Arity::Leaf => 0,
            Arity::Exactly(count) => usize::from(count),
            Arity::LeftAssoc
            | Arity::RightAssoc
            | Arity::Chainable
            | Arity::Pairwise
            | Arity::Application
            | Arity::Binder
            | Arity::Fields => match self.rng.u32(..8) {
                0..5 => 2,
                5..7 => 3,
                _ => self.rng.usize(4..=9),
            },
        }
    }

    /// A number from 0 to `max`, the ends being likely.
    fn edge(&mut self, max: u32) -> u32 {
        match self.rng.u32(..8) {
            0 => 0,
            1 => max,
            _ => self.rng.u32(..=max),
        }
    }

    /// Two to four widths that add up to `width`.
    fn parts(&mut self, width: u32) -> Option<Vec<Sort>> {
        if width < 2 {
            return None;
        }
        let mut parts = vec![];
        let mut left = width;
        for more in (1..=self.rng.u32(1..=3).min(width - 1)).rev() {
            let part = self.rng.u32(1..=left - more);
            parts.push(Sort::bitvec(part).ok()?);
            left -= part;
        }
        parts.push(Sort::bitvec(left).ok()?);
        Some(parts)
    }

    /// An array sort with elements of `element`, if arrays are allowed (of arrays only if nested ones are).
    /// Arrays are not indices here, and elements are nested once at most, so that sorts do not deepen for
    /// ever.
    fn array_of(&mut self, pool: &mut Pool, element: Sort) -> Option<Sort> {
        let parts = |pool: &Pool, sort| pool.sorts().array_parts(sort);
        if let Some((_, inner)) = parts(pool, element)
            && (!self.nested_arrays || parts(pool, inner).is_some())
        {
            return None;
        }
        if !self.arrays {
            return None;
        }
        let any = self.sort(pool);
        let index = if self.rng.bool() || parts(pool, any).is_some() { self.small_sort() } else { any };
        pool.sorts_mut().array(index, element).ok()
    }

    /// One of two function symbols with results of `result`, if functions are allowed.
    fn function(&mut self, pool: &mut Pool, result: Sort) -> Option<Term> {
        if !self.functions {
            return None;
        }
        let choice = self.rng.usize(..2);
        if let Some(&symbol) = self.memory.functions.get(&result).and_then(|known| known.get(choice)) {
            return Some(symbol);
        }
        let params: Vec<Sort> = (0..self.rng.usize(1..=3)).map(|_| self.sort(pool)).collect();
        let sort = pool.sorts_mut().function(&params, result).expect("a first-order sort");
        let symbol = pool.symbol(&format!("f{}", self.memory.names), sort);
        self.memory.names += 1;
        self.memory.functions.entry(result).or_default().push(symbol);
        Some(symbol)
    }
}
