//! Narrower bit-vectors, indices and elements of arrays among them.
//!
//! Widths depend on each other: operands of a sum, both sides of an equation, an index and the index sort
//! of its array. Each place of a bit-vector sort in the sort of a term is a *slot*, and slots that must
//! agree are joined (union and find), so that a class of slots is a width that can change alone.
//! Concatenation, extraction and extension join nothing: they are where widths meet.
//!
//! A class gets a new width by building the script again from its leaves: symbols get new sorts, constants
//! lose their high bits, and each operator takes the widths that come. Where operands disagree (something
//! reached them through a concatenation) the wider one is cut; an extraction from what is too narrow moves
//! down; an extension extends by as much less as is needed for the width it had. If that costs more than it
//! saves, the candidate is larger and is not tested.
//!
//! Cost: linear in the DAG for each candidate.

use crate::ddmin::Ddmin;
use crate::render::Style;
use crate::script::Script;
use crate::verdicts::{Candidate, Family};
use crate::weigh;
use bivalve_terms::{Op, Pool, Sort, SortKind, Term, TermMap, UnionFind, cone};
use rustc_hash::FxHashMap;

/// The slots of a script's terms, joined.
struct Slots {
    /// Where the slots of each term begin.
    first: TermMap<usize>,
    classes: UnionFind,
    widths: Vec<u32>,
}

/// The widths in a sort, in the order of its text.
fn widths_of(pool: &Pool, sort: Sort) -> Vec<u32> {
    let (mut widths, mut todo) = (vec![], vec![sort]);
    while let Some(sort) = todo.pop() {
        match pool.sorts().kind(sort) {
            SortKind::Bool | SortKind::Theory(_) | SortKind::Uninterpreted(_) => {}
            SortKind::BitVec(width) => widths.push(width),
            SortKind::Array { index, element } => todo.extend([element, index]),
            SortKind::Function { params, result } => {
                todo.extend(std::iter::once(result).chain(params.iter().rev().copied()))
            }
        }
    }
    widths
}

impl Slots {
    fn new(pool: &Pool, terms: &[Term]) -> Slots {
        let mut slots = Slots { first: TermMap::new(), classes: UnionFind::default(), widths: vec![] };
        for &term in terms {
            let widths = widths_of(pool, pool.sort(term));
            slots.first.insert(term, slots.widths.len());
            slots.widths.extend(widths);
        }
        slots.classes = UnionFind::new(slots.widths.len());
        for &term in terms {
            slots.join_term(pool, term);
        }
        slots
    }

    fn first(&self, term: Term) -> usize {
        *self.first.get(term).expect("a term of the cone")
    }

    fn root(&mut self, slot: usize) -> usize {
        self.classes.find(slot as u32) as usize
    }

    /// Joins `count` slots from `a` and from `b` on.
    fn join(&mut self, a: usize, b: usize, count: usize) {
        for i in 0..count {
            self.classes.union((a + i) as u32, (b + i) as u32);
        }
    }

    /// Joins what an operator makes equal.
    fn join_term(&mut self, pool: &Pool, term: Term) {
        let args = pool.args(term);
        let count = |t: Term| widths_of(pool, pool.sort(t)).len();
        let here = self.first(term);
        match pool.op(term) {
            Op::Const
            | Op::Symbol
            | Op::Forall
            | Op::Concat
            | Op::Extract
            | Op::Repeat
            | Op::ZeroExtend
            | Op::SignExtend => {}
            Op::RedAnd | Op::RedOr | Op::RedXor => {}
            Op::Select => {
                let (array, index) = (self.first(args[0]), count(args[1]));
                self.join(array, self.first(args[1]), index);
                self.join(array + index, here, count(term));
            }
            Op::Store => {
                let (array, index) = (self.first(args[0]), count(args[1]));
                self.join(array, here, count(term));
                self.join(array, self.first(args[1]), index);
                self.join(array + index, self.first(args[2]), count(args[2]));
            }
            Op::ConstArray => {
                let element = count(args[0]);
                self.join(here + count(term) - element, self.first(args[0]), element);
            }
            Op::Apply => {
                let mut slot = self.first(args[0]);
                for &arg in &args[1..] {
                    self.join(slot, self.first(arg), count(arg));
                    slot += count(arg);
                }
                self.join(slot, here, count(term));
            }
            Op::Ite => {
                self.join(self.first(args[1]), self.first(args[2]), count(term));
                self.join(self.first(args[1]), here, count(term));
            }
            _ => {
                // All operands are of one sort, and the result is of that sort, or Boolean, or one bit.
                let first = self.first(args[0]);
                for &arg in &args[1..] {
                    self.join(first, self.first(arg), count(arg));
                }
                if pool.sort(term) == pool.sort(args[0]) && pool.op(term) != Op::BvComp {
                    self.join(first, here, count(term));
                }
            }
        }
    }
}

/// The family of new widths of classes.
pub(crate) struct Widths<'a> {
    pool: &'a mut Pool,
    script: &'a Script,
    terms: Vec<Term>,
    slots: Slots,
    /// The root slot of a class, and a width for it.
    items: Vec<(usize, u32)>,
    /// The number of classes; so many items at the front give each class its narrowest width.
    classes: usize,
    style: Style,
}

impl<'a> Widths<'a> {
    /// All classes that a symbol or a constant is in, widest first, each with its narrowest width, then each
    /// with the next one, and so on.
    pub(crate) fn new(pool: &'a mut Pool, script: &'a Script, style: Style) -> Widths<'a> {
        let terms = cone(pool, &script.roots());
        let mut slots = Slots::new(pool, &terms);
        let mut classes: Vec<usize> = vec![];
        for &term in terms.iter().filter(|&&term| pool.args(term).is_empty()) {
            let first = slots.first(term);
            for slot in first..first + widths_of(pool, pool.sort(term)).len() {
                classes.push(slots.root(slot));
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes.sort_by_key(|&class| std::cmp::Reverse(slots.widths[class]));
        let narrower = |class: usize| {
            let width = slots.widths[class];
            let mut widths = vec![1, 2, 3, 4, 8, width / 4, width / 2, width - width / 4, width - 1];
            widths.retain(|&narrow| 0 < narrow && narrow < width);
            widths.sort_unstable();
            widths.dedup();
            widths
        };
        let widths: Vec<(usize, Vec<u32>)> = classes
            .into_iter()
            .map(|class| (class, narrower(class)))
            .filter(|(_, w)| !w.is_empty())
            .collect();
        let classes = widths.len();
        let most = widths.iter().map(|(_, widths)| widths.len()).max().unwrap_or(0);
        let turn = |turn: usize| widths.iter().filter_map(move |(class, w)| Some((*class, *w.get(turn)?)));
        let items: Vec<(usize, u32)> = (0..most).flat_map(turn).collect();
        Widths { pool, script, terms, slots, items, classes, style }
    }

    /// A sweep over the items: all classes at once first, then ever fewer.
    pub(crate) fn ddmin(&self) -> Ddmin {
        Ddmin::new(self.items.len(), self.classes, 1)
    }

    /// A short sweep: all classes at once to their narrowest width, to the next one, and so on; nothing less.
    pub(crate) fn bold(&self) -> Ddmin {
        Ddmin::new(self.items.len().min(4 * self.classes), self.classes, self.classes)
    }

    /// The script with these widths; `None` where arrays would disagree.
    pub(crate) fn narrowed(&mut self, chosen: &[u32]) -> Option<Script> {
        let targets: FxHashMap<usize, u32> = chosen.iter().map(|&item| self.items[item as usize]).collect();
        let mut images: TermMap<Term> = TermMap::new();
        for i in 0..self.terms.len() {
            let term = self.terms[i];
            let image = self.image(term, &images, &targets)?;
            images.insert(term, image);
        }
        let root = |root: &Term| *images.get(*root).expect("roots are in their cone");
        let roots: Vec<Term> = self.script.roots().iter().map(root).collect();
        Some(self.script.with_roots(&roots))
    }

    /// The new width of a slot.
    fn width(&mut self, slot: usize, targets: &FxHashMap<usize, u32>) -> u32 {
        let class = self.slots.root(slot);
        targets.get(&class).copied().unwrap_or(self.slots.widths[slot])
    }

    /// A sort with the new widths of slots from `slot` on, and the slot behind them.
    fn sort(&mut self, sort: Sort, slot: usize, targets: &FxHashMap<usize, u32>) -> Option<(Sort, usize)> {
        enum Step {
            Open(Sort),
            Array,
            Function(usize),
        }
        let (mut todo, mut done, mut slot) = (vec![Step::Open(sort)], vec![], slot);
        while let Some(step) = todo.pop() {
            match step {
                Step::Open(sort) => match self.pool.sorts().kind(sort) {
                    SortKind::Bool | SortKind::Theory(_) | SortKind::Uninterpreted(_) => done.push(sort),
                    SortKind::BitVec(_) => {
                        done.push(Sort::bitvec(self.width(slot, targets)).ok()?);
                        slot += 1;
                    }
                    SortKind::Array { index, element } => {
                        todo.extend([Step::Array, Step::Open(element), Step::Open(index)]);
                    }
                    SortKind::Function { params, result } => {
                        todo.extend([Step::Function(params.len()), Step::Open(result)]);
                        todo.extend(params.iter().rev().map(|&param| Step::Open(param)));
                    }
                },
                Step::Array => {
                    let (element, index) = (done.pop()?, done.pop()?);
                    done.push(self.pool.sorts_mut().array(index, element).ok()?);
                }
                Step::Function(count) => {
                    let result = done.pop()?;
                    let params = done.split_off(done.len() - count);
                    done.push(self.pool.sorts_mut().function(&params, result).ok()?);
                }
            }
        }
        Some((done.pop()?, slot))
    }

    fn image(&mut self, term: Term, images: &TermMap<Term>, targets: &FxHashMap<usize, u32>) -> Option<Term> {
        let mut args: Vec<Term> =
            self.pool.args(term).iter().map(|&arg| *images.get(arg).expect("children come first")).collect();
        let (op, slot) = (self.pool.op(term), self.slots.first(term));
        match op {
            Op::Const => Some(match self.pool.width(term) {
                Some(_) => {
                    let width = self.width(slot, targets);
                    self.fit(term, width)
                }
                None => term,
            }),
            Op::Symbol => {
                let (sort, _) = self.sort(self.pool.sort(term), slot, targets)?;
                if sort == self.pool.sort(term) {
                    return Some(term);
                }
                let name = self.pool.name(term).expect("a symbol has a name").to_owned();
                Some(self.pool.symbol(&name, sort))
            }
            Op::ConstArray => {
                let (sort, _) = self.sort(self.pool.sort(term), slot, targets)?;
                let (_, element) = self.pool.sorts().array_parts(sort)?;
                args[0] = self.fit_sort(args[0], element);
                self.pool.const_array(sort, args[0]).ok()
            }
            Op::Extract => {
                let (width, old) = (self.pool.width(args[0])?, self.pool.width(term)?);
                let length = old.min(width);
                let low = self.pool.index(term).min(width - length);
                Some(self.extract(args[0], low + length - 1, low))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let (inner, whole) = (self.pool.width(args[0])?, self.width(slot, targets));
                match whole.checked_sub(inner) {
                    Some(0) => Some(args[0]),
                    Some(more) => self.pool.indexed(op, &[more], &args).ok(),
                    None => Some(self.fit(args[0], whole)),
                }
            }
            Op::Select | Op::Store => {
                let (index, element) = self.pool.sorts().array_parts(self.pool.sort(args[0]))?;
                args[1] = self.fit_sort(args[1], index);
                if op == Op::Store {
                    args[2] = self.fit_sort(args[2], element);
                }
                self.pool.app(op, &args).ok()
            }
            Op::Apply => {
                let params = self.pool.sorts().function_parts(self.pool.sort(args[0]))?.0.to_vec();
                for (arg, &param) in args[1..].iter_mut().zip(&params) {
                    *arg = self.fit_sort(*arg, param);
                }
                self.pool.app(op, &args).ok()
            }
            _ => {
                if !matches!(op, Op::Concat | Op::Forall) {
                    self.level(&mut args);
                }
                let indices = self.pool.indices(term);
                self.pool.indexed(op, &indices, &args).ok()
            }
        }
    }

    /// Cuts bit-vectors to the width of the narrowest.
    fn level(&mut self, args: &mut [Term]) {
        let Some(least) = args.iter().filter_map(|&arg| self.pool.width(arg)).min() else { return };
        for arg in args.iter_mut() {
            if self.pool.width(*arg).is_some() {
                *arg = self.fit(*arg, least);
            }
        }
    }

    /// The term, cut or extended if that is needed and possible.
    fn fit_sort(&mut self, term: Term, sort: Sort) -> Term {
        match (self.pool.width(term), sort.width()) {
            (Some(_), Some(width)) => self.fit(term, width),
            _ => term,
        }
    }

    /// The bit-vector at another width.
    fn fit(&mut self, term: Term, width: u32) -> Term {
        let old = self.pool.width(term).expect("bit-vectors are fitted");
        match (old > width, self.pool.as_bitvec(term)) {
            (true, Some(value)) => self.pool.bitvec(&value.extract(width - 1, 0)),
            (false, Some(value)) => self.pool.bitvec(&value.zero_extend(width - old)),
            (true, None) => self.extract(term, width - 1, 0),
            (false, None) if old == width => term,
            (false, None) => self.pool.mk_indexed(Op::ZeroExtend, &[width - old], &[term]),
        }
    }

    fn extract(&mut self, term: Term, high: u32, low: u32) -> Term {
        match self.pool.width(term) {
            Some(width) if low == 0 && high + 1 == width => term,
            _ => self.pool.mk_indexed(Op::Extract, &[high, low], &[term]),
        }
    }
}

impl Family for Widths<'_> {
    fn candidate(&mut self, chosen: &[u32]) -> Option<Candidate> {
        let script = self.narrowed(chosen)?;
        Some(weigh(self.pool, &script, self.style))
    }

    fn alive(&mut self, accepted: &[u32]) -> Option<Vec<bool>> {
        let done: Vec<usize> = accepted.iter().map(|&item| self.items[item as usize].0).collect();
        Some(self.items.iter().map(|(class, _)| !done.contains(class)).collect())
    }
}
