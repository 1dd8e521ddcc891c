//! The layers, one after the other, and what is done with the roots.
//!
//! Nodes are kept by layer: bit-vectors, arrays, Booleans, and in each layer the *fringe*, the nodes that
//! are no operands yet. An operand is taken from the fringe with a probability of two thirds, else from
//! all nodes. A binary operator thus uses up more of them than it adds: the DAG has few dead parts, and
//! the other third is its sharing.

use super::{Division, Family, Shape, Vocabulary};
use crate::case::Evidence;
use crate::plain;
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Arity, Assignment, Evaluator, Op, Pool, Sort, Term, eval};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Nodes of one kind.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) all: Vec<Term>,
    /// Those that are no operands yet.
    fringe: Vec<Term>,
}

/// A formula in the making.
pub(super) struct Maker<'a> {
    shape: &'a Shape,
    pub(super) pool: Pool,
    pub(super) random: TermGen,
    pub(super) bits: Nodes,
    /// The first so many of these are symbols.
    pub(super) variables: usize,
    arrays: Nodes,
    /// Nodes of the array layer by sort; read by key only.
    by_sort: FxHashMap<Sort, Vec<Term>>,
    functions: Vec<Term>,
    last_read: Option<Term>,
    last_application: Option<Term>,
    /// Roots of the Boolean layer.
    roots: Vec<Term>,
    divisors: Vec<Term>,
    /// An assignment under which all guards hold: each of them can, but by chance some are at odds soon.
    hidden: Option<Assignment>,
    /// Operators of the main layer.
    main: Vec<Op>,
    /// Operators of the predicate layer.
    comparing: Vec<Op>,
}

/// A step of the main layer and of those interleaved with it.
#[derive(Clone, Copy)]
enum Step {
    Operation,
    Read,
    Write,
    Application,
}

impl<'a> Maker<'a> {
    pub(super) fn new(shape: &'a Shape, seed: u64) -> Maker<'a> {
        let is_in = |&op: &Op| {
            let family = Family::of(op);
            (shape.vocabulary == Vocabulary::All || !plain::LATER.contains(&op))
                && family != Family::Elsewhere
                && (shape.shifts || family != Family::Shift)
                && (shape.division != Division::Absent || (family != Family::Quotient && op != Op::BvSdivo))
        };
        let main: Vec<Op> = Op::native().filter(is_in).collect();
        let compares = |&op: &Op| matches!(Family::of(op), Family::Predicate | Family::Equality);
        let comparing = main.iter().copied().filter(compares).collect();
        Maker {
            shape,
            pool: Pool::new(),
            random: TermGen::new(seed),
            bits: Nodes::default(),
            variables: 0,
            arrays: Nodes::default(),
            by_sort: FxHashMap::default(),
            functions: vec![],
            last_read: None,
            last_application: None,
            roots: vec![],
            divisors: vec![],
            hidden: None,
            main,
            comparing,
        }
    }

    /// A random number below `count`, which is not zero.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.random.rng().usize(..count)
    }

    fn draw(&mut self, range: &RangeInclusive<u32>) -> u32 {
        let (least, most) = (*range.start(), *range.end());
        self.random.rng().u32(least.min(most)..=most.max(least))
    }

    fn width(&mut self) -> u32 {
        let range = self.shape.widths.clone();
        self.draw(&range).max(1)
    }

    fn widest(&self) -> u32 {
        (*self.shape.widths.end()).max(1)
    }

    fn bitvec_sort(&mut self) -> Sort {
        Sort::bitvec(self.width()).expect("widths of a shape are legal")
    }

    /// Symbols and constants; there is at least one symbol.
    pub(super) fn input_layer(&mut self) {
        let shape = self.shape;
        for number in 0..self.draw(&shape.variables).max(1) {
            let sort = self.bitvec_sort();
            let symbol = self.pool.symbol(&format!("v{number}"), sort);
            self.bits.add(symbol);
        }
        self.variables = self.bits.all.len();
        for _ in 0..self.draw(&shape.constants) {
            let width = self.width();
            let value = self.random.bitvec(width);
            let constant = self.pool.bitvec(&value);
            self.bits.all.push(constant);
        }
        for number in 0..self.draw(&shape.arrays) {
            let index =
                Sort::bitvec(self.draw(&shape.index_widths).max(1)).expect("widths of a shape are legal");
            let element = self.bitvec_sort();
            // Arrays of one sort meet.
            let first = self
                .arrays
                .all
                .first()
                .map(|&array| self.pool.sort(array))
                .filter(|_| self.random.rng().bool());
            let sort = first.unwrap_or_else(|| self.pool.sorts_mut().array(index, element).expect("flat"));
            let array = if shape.constant_arrays && number > 0 && self.below(4) == 0 {
                let (_, element) = self.pool.sorts().array_parts(sort).expect("an array sort");
                let value = self.fitting(element.width().expect("elements are bit-vectors"));
                self.pool.const_array(sort, value).expect("the element has the element sort")
            } else {
                self.pool.symbol(&format!("m{number}"), sort)
            };
            self.add_array(array);
        }
        for number in 0..self.draw(&shape.functions) {
            let params: Vec<Sort> = (0..1 + self.below(3)).map(|_| self.bitvec_sort()).collect();
            let result = self.bitvec_sort();
            let sort = self.pool.sorts_mut().function(&params, result).expect("a first-order sort");
            self.functions.push(self.pool.symbol(&format!("f{number}"), sort));
        }
        if shape.division == Division::Guarded {
            let symbols = [&self.bits.all[..], &self.arrays.all, &self.functions].concat();
            self.hidden = Some(self.assignment(&symbols));
        }
    }

    /// Operators, reads, writes and applications in random order.
    pub(super) fn main_layer(&mut self) {
        let shape = self.shape;
        let counts = [
            (Step::Operation, self.draw(&shape.operations)),
            (Step::Read, if self.arrays.all.is_empty() { 0 } else { self.draw(&shape.reads) }),
            (Step::Write, if self.arrays.all.is_empty() { 0 } else { self.draw(&shape.writes) }),
            (Step::Application, if self.functions.is_empty() { 0 } else { self.draw(&shape.applications) }),
        ];
        let mut steps: Vec<Step> =
            counts.iter().flat_map(|&(step, count)| std::iter::repeat_n(step, count as usize)).collect();
        self.random.rng().shuffle(&mut steps);
        for step in steps {
            match step {
                Step::Operation => self.operation(),
                Step::Read => {
                    let array = self.array();
                    let index = self.index_of(array);
                    let read = self.pool.mk(Op::Select, &[array, index]);
                    self.last_read = Some(read);
                    self.bits.add(read);
                }
                Step::Write => self.write(),
                Step::Application => self.application(),
            }
        }
    }

    /// A bit-vector operator, or a predicate as a bit.
    fn operation(&mut self) {
        let op = self.main[self.random.rng().usize(..self.main.len())];
        let node = match Family::of(op) {
            Family::Predicate | Family::Equality => {
                let predicate = self.predicate(op);
                self.as_bit(predicate)
            }
            Family::Ite => {
                let condition = self.comparison();
                let (a, b) = self.two();
                self.pool.mk(Op::Ite, &[condition, a, b])
            }
            Family::Unary | Family::Bit if op.info().arity == Arity::Exactly(1) => {
                let a = self.bit_vector();
                self.pool.mk(op, &[a])
            }
            Family::Binary if self.takes_lists(op) && self.below(4) == 0 => {
                let (a, b) = self.two();
                let width = self.width_of(a);
                let more: Vec<Term> = (0..1 + self.below(2)).map(|_| self.fitting(width)).collect();
                self.pool.mk(op, &[&[a, b], &more[..]].concat())
            }
            Family::Quotient => {
                let (a, b) = self.two();
                let b = self.divisor(b);
                self.pool.mk(op, &[a, b])
            }
            Family::Unary | Family::Bit | Family::Binary | Family::Shift => {
                let (a, b) = self.two();
                self.pool.mk(op, &[a, b])
            }
            Family::Concat | Family::Extract | Family::Repeat | Family::Extend | Family::Rotate => {
                self.wiring(op)
            }
            Family::Elsewhere => unreachable!("operators of other layers are not in the list"),
        };
        self.bits.add(node);
    }

    /// A divisor, which will be guarded if there are guards; then it is not zero under the hidden assignment.
    fn divisor(&mut self, mut node: Term) -> Term {
        if let Some(hidden) = &self.hidden
            && eval(&self.pool, node, hidden).expect_bitvec().is_zero()
        {
            node = self.pool.mk(Op::BvNot, &[node]);
        }
        self.divisors.push(node);
        node
    }

    /// May the operator have more than two arguments? SMT-LIB allows that for some only; many solvers
    /// refuse the others.
    fn takes_lists(&self, op: Op) -> bool {
        let is_usual = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        op.info().arity == Arity::LeftAssoc && (is_usual || self.shape.vocabulary == Vocabulary::All)
    }

    /// Operators that move bits about.
    fn wiring(&mut self, op: Op) -> Term {
        let a = self.bit_vector();
        let (width, widest) = (self.width_of(a), self.widest());
        match Family::of(op) {
            Family::Concat if widest >= 2 => {
                let a = if width == widest { self.cut(a, widest / 2) } else { a };
                let room = widest - self.width_of(a);
                let b = self.bit_vector();
                let b = if self.width_of(b) > room { self.cut(b, room) } else { b };
                self.pool.mk(Op::Concat, &[a, b])
            }
            Family::Extract => {
                let high = self.random.rng().u32(..width);
                let low = self.random.rng().u32(..=high);
                self.pool.mk_indexed(op, &[high, low], &[a])
            }
            Family::Repeat => {
                let times = self.random.rng().u32(1..=(widest / width).clamp(1, 4));
                self.pool.mk_indexed(op, &[times], &[a])
            }
            Family::Extend => {
                let by = self.random.rng().u32(..=widest.saturating_sub(width));
                self.pool.mk_indexed(op, &[by], &[a])
            }
            Family::Rotate => {
                let by = self.random.rng().u32(..=width + 1);
                let by = if self.shape.vocabulary == Vocabulary::Standard { by % width } else { by };
                self.pool.mk_indexed(op, &[by], &[a])
            }
            _ => self.pool.mk(Op::BvNot, &[a]),
        }
    }

    /// A write, a choice between arrays, or a constant array of a term.
    fn write(&mut self) {
        let array = self.array();
        let sort = self.pool.sort(array);
        let (_, element) = self.pool.sorts().array_parts(sort).expect("a node of the array layer");
        let kind = self.below(8);
        let node = if kind == 0 && self.shape.extensional {
            let (condition, other) = (self.comparison(), self.array_like(array));
            self.pool.mk(Op::Ite, &[condition, array, other])
        } else {
            let index = self.index_of(array);
            let value = self.fitting(element.width().expect("elements are bit-vectors"));
            self.pool.mk(Op::Store, &[array, index, value])
        };
        self.add_array(node);
    }

    fn add_array(&mut self, array: Term) {
        self.by_sort.entry(self.pool.sort(array)).or_default().push(array);
        self.arrays.add(array);
    }

    fn application(&mut self) {
        if let Some(last) = self.last_application
            && self.below(100) < 2 * self.shape.related as usize
        {
            let twin = self.variant(last).unwrap_or(last);
            return self.bits.add(twin);
        }
        let function = self.functions[self.random.rng().usize(..self.functions.len())];
        let (params, _) =
            self.pool.sorts().function_parts(self.pool.sort(function)).expect("a function symbol");
        let widths: Vec<u32> = params.iter().filter_map(|param| param.width()).collect();
        let mut args = vec![function];
        for width in widths {
            args.push(self.fitting(width));
        }
        let node = self.pool.mk(Op::Apply, &args);
        self.last_application = Some(node);
        self.bits.add(node);
    }

    /// Comparisons, of arrays too.
    pub(super) fn predicate_layer(&mut self) {
        let shape = self.shape;
        for _ in 0..self.draw(&shape.predicates).max(1) {
            let predicate = self.comparison();
            self.roots.push(predicate);
        }
        // What is not used by now would be lost.
        if self.shape.extensional && !self.arrays.fringe.is_empty() {
            let predicate = self.arrays_compared(Op::Eq);
            self.roots.push(predicate);
        }
    }

    /// A random predicate.
    fn comparison(&mut self) -> Term {
        let op = self.comparing[self.random.rng().usize(..self.comparing.len())];
        self.predicate(op)
    }

    fn predicate(&mut self, op: Op) -> Term {
        let arrays = self.shape.extensional && !self.arrays.all.is_empty();
        if Family::of(op) == Family::Equality && arrays && self.below(2) == 0 {
            return self.arrays_compared(op);
        }
        if op.info().arity == Arity::Exactly(1) {
            let a = self.bit_vector();
            return self.pool.mk(op, &[a]);
        }
        let (a, b) = self.two();
        if Family::of(op) == Family::Equality && self.below(8) == 0 {
            let c = self.fitting(self.width_of(a));
            return self.pool.mk(op, &[a, b, c]);
        }
        let b = if op == Op::BvSdivo { self.divisor(b) } else { b };
        self.pool.mk(op, &[a, b])
    }

    fn arrays_compared(&mut self, op: Op) -> Term {
        let a = self.array();
        let b = self.array_like(a);
        if self.below(100) < self.shape.related as usize {
            let c = self.array_like(b);
            return self.pool.mk(op, &[a, b, c]);
        }
        self.pool.mk(op, &[a, b])
    }

    fn as_bit(&mut self, predicate: Term) -> Term {
        let [one, zero] = [1, 0].map(|bit| self.pool.bv_u64(bit, 1));
        self.pool.mk(Op::Ite, &[predicate, one, zero])
    }

    /// Joins roots until as many are left as there shall be assertions.
    pub(super) fn boolean_layer(&mut self) -> Vec<Term> {
        let shape = self.shape;
        let wanted = self.draw(&shape.assertions).max(1) as usize;
        let mut roots = std::mem::take(&mut self.roots);
        while roots.len() > wanted {
            let joined = self.joined(&mut roots);
            roots.push(joined);
        }
        for _ in 0..self.draw(&shape.equations) {
            let equation = self.equation();
            roots.push(equation);
        }
        roots
    }

    /// A formula of one to three predicates.
    pub(super) fn small_formula(&mut self) -> Term {
        let mut roots: Vec<Term> = (0..1 + self.below(3)).map(|_| self.comparison()).collect();
        while roots.len() > 1 {
            let joined = self.joined(&mut roots);
            roots.push(joined);
        }
        roots[0]
    }

    /// A connective over some of the roots, which are no roots any more; there are at least two.
    fn joined(&mut self, roots: &mut Vec<Term>) -> Term {
        const CONNECTIVES: [Op; 10] =
            [Op::And, Op::And, Op::Or, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct, Op::Ite, Op::Not];
        let op = CONNECTIVES[self.below(CONNECTIVES.len())];
        let count = match op {
            Op::Not => 1,
            Op::Ite if roots.len() >= 3 => 3,
            Op::Ite | Op::Distinct | Op::Eq => 2,
            _ => 2 + usize::from(roots.len() > 2 && self.below(4) == 0),
        };
        let op = if op == Op::Ite && count == 2 { Op::Implies } else { op };
        let args: Vec<Term> = (0..count)
            .map(|_| {
                let place = self.random.rng().usize(..roots.len());
                roots.swap_remove(place)
            })
            .collect();
        if op != Op::Not {
            return self.pool.mk(op, &args);
        }
        // A negation alone joins nothing, so it comes with a conjunction.
        let negated = self.pool.mk(Op::Not, &args);
        let other = roots.pop().expect("there were two roots");
        self.pool.mk(Op::And, &[negated, other])
    }

    /// The roots, and the guards of divisions if there shall be any.
    pub(super) fn guarded(&mut self, mut roots: Vec<Term>) -> Vec<Term> {
        if self.shape.division == Division::Guarded {
            let mut divisors = std::mem::take(&mut self.divisors);
            divisors.sort_unstable();
            divisors.dedup();
            for divisor in divisors {
                let zero = self.pool.bv_u64(0, self.width_of(divisor));
                roots.push(self.pool.mk(Op::Distinct, &[divisor, zero]));
            }
        }
        roots
    }

    /// The roots, each negated where it does not hold under the hidden assignment.
    pub(super) fn planted(&mut self, roots: Vec<Term>) -> (Vec<Term>, Evidence) {
        let count = roots.len();
        let mut all = self.guarded(roots);
        let model = self.model(&all);
        let mut evaluator = Evaluator::new(&self.pool, &model);
        let holds: Vec<bool> = all[..count].iter().map(|&root| evaluator.eval(root).expect_bool()).collect();
        for (root, holds) in all.iter_mut().zip(holds) {
            if !holds {
                *root = self.negated(*root, &model);
            }
        }
        (all, Evidence::Model(model))
    }

    /// The roots, and in other words the negation of one of them.
    pub(super) fn refuted(&mut self, roots: Vec<Term>) -> (Vec<Term>, Evidence) {
        let mut all = self.guarded(roots);
        let at = self.below(all.len());
        let negation = self.negation_in_other_words(all[at]);
        let place = self.below(all.len() + 1);
        all.insert(place, negation);
        let at = at + usize::from(place <= at);
        (all, Evidence::Core(vec![at.min(place), at.max(place)]))
    }

    /// A term equivalent to the negation: rewritten, or in plain words.
    pub(super) fn negation_in_other_words(&mut self, formula: Term) -> Term {
        let other = if self.random.rng().bool() {
            plain::translate(&mut self.pool, &[formula])[0]
        } else {
            Rewriter::new(Level::Local).rewrite(&mut self.pool, formula)
        };
        self.pool.mk(Op::Not, &[other])
    }

    /// A bit-vector node.
    pub(super) fn bit_vector(&mut self) -> Term {
        self.bits.pick(&mut self.random)
    }

    fn array(&mut self) -> Term {
        self.arrays.pick(&mut self.random)
    }

    /// An array of the same sort, another one if there is any.
    fn array_like(&mut self, array: Term) -> Term {
        let alike = &self.by_sort[&self.pool.sort(array)];
        let random = self.random.rng();
        let tries: [Term; 3] = std::array::from_fn(|_| alike[random.usize(..alike.len())]);
        tries.into_iter().find(|&other| other != array).unwrap_or(array)
    }

    fn index_of(&mut self, array: Term) -> Term {
        let (index, _) =
            self.pool.sorts().array_parts(self.pool.sort(array)).expect("a node of the array layer");
        let width = index.width().expect("indices are bit-vectors");
        // Reads of reads are what refinement loops are wrong about.
        let again = self.below(4) == 0;
        match self.last_read {
            Some(read) if again => self.fit(read, width),
            _ => self.fitting(width),
        }
    }

    pub(super) fn width_of(&self, term: Term) -> u32 {
        self.pool.width(term).expect("a node of the main layer is a bit-vector")
    }

    /// Two nodes brought to one width, that of either.
    fn two(&mut self) -> (Term, Term) {
        if self.below(100) < self.shape.related as usize {
            let node = self.bit_vector();
            let other = self.related(node);
            return if self.random.rng().bool() { (node, other) } else { (other, node) };
        }
        let (a, b) = (self.bit_vector(), self.bit_vector());
        let (left, right) = (self.width_of(a), self.width_of(b));
        if self.random.rng().bool() { (a, self.fit(b, left)) } else { (self.fit(a, right), b) }
    }

    /// A node brought to a width.
    pub(super) fn fitting(&mut self, width: u32) -> Term {
        let node = self.bit_vector();
        self.fit(node, width)
    }

    /// The node extended or sliced.
    fn fit(&mut self, node: Term, width: u32) -> Term {
        let own = self.width_of(node);
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => node,
            std::cmp::Ordering::Greater => self.cut(node, width),
            std::cmp::Ordering::Less => {
                let op = if self.random.rng().bool() { Op::ZeroExtend } else { Op::SignExtend };
                self.pool.mk_indexed(op, &[width - own], &[node])
            }
        }
    }

    /// Some `width` neighbouring bits of a node that has more, or just as many.
    fn cut(&mut self, node: Term, width: u32) -> Term {
        let room = self.width_of(node) - width;
        let low = self.random.rng().u32(..=room);
        self.pool.mk_indexed(Op::Extract, &[low + width - 1, low], &[node])
    }

    /// Random values of all symbols below some terms.
    fn assignment(&mut self, roots: &[Term]) -> Assignment {
        self.random.assignment(&self.pool, roots)
    }

    /// The hidden assignment, which has a value for all symbols below the roots.
    pub(super) fn model(&mut self, roots: &[Term]) -> Assignment {
        self.hidden.take().unwrap_or_else(|| self.assignment(roots))
    }
}

impl Nodes {
    fn add(&mut self, node: Term) {
        self.all.push(node);
        self.fringe.push(node);
    }

    /// An unused node two times of three, else any.
    fn pick(&mut self, random: &mut TermGen) -> Term {
        if !self.fringe.is_empty() && random.rng().u32(..3) > 0 {
            let place = random.rng().usize(..self.fringe.len());
            return self.fringe.swap_remove(place);
        }
        self.all[random.rng().usize(..self.all.len())]
    }
}
