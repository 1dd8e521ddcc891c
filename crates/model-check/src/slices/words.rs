//! Which words of a system only meet words, constants and masks, and how narrow they may be: classes of words
//! that are moved to each other, where masks cut them, and how many equations a bad state has over them.

use bivalve::terms::{Op, Pool, Term, TermMap, TermSet, UnionFind, cone};
use bivalve_systems::System;
use std::collections::BTreeSet;

/// A constant or a mask of more segments than this is a word like any other.
const MOST_SEGMENTS: usize = 8;

/// A bit: a bit-vector of one bit or zero, or the negation of that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bit {
    pub(super) of: Option<Term>,
    pub(super) is_negated: bool,
}

impl Bit {
    fn constant(value: bool) -> Bit {
        Bit { of: None, is_negated: value }
    }

    fn negated(self) -> Bit {
        Bit { is_negated: !self.is_negated, ..self }
    }
}

/// A constant or a mask: bits, each with the position from which on it repeats, the lowest first.
pub(super) type Mask = Vec<(u32, Bit)>;

/// Bits of a word from a position on, all of one kind.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    /// The number of the class of words.
    pub(crate) class: u32,
    pub(crate) start: u32,
    /// Its width, and its width in the narrow word.
    pub(crate) widths: [u32; 2],
}

/// The words of a system, in classes whose members are moved to each other.
pub(super) struct Words {
    /// The number of each term of the system.
    numbers: TermMap<u32>,
    classes: UnionFind,
    /// By number, for the representatives of classes: whether something bars them.
    is_barred: Vec<bool>,
    /// By number, for the representatives of classes: positions at which masks change.
    cuts: Vec<BTreeSet<u32>>,
    pub(super) masks: TermMap<Mask>,
    /// Inputs that are only read in parts that do not overlap: the parts, the lowest first.
    pub(super) parts: Vec<(Term, Vec<Term>)>,
    /// All parts of these inputs.
    is_part: TermSet,
}

impl Words {
    pub(super) fn new(pool: &Pool, system: &System, terms: &[Term]) -> Words {
        let mut words = Words {
            numbers: TermMap::new(),
            classes: UnionFind::new(terms.len()),
            is_barred: vec![false; terms.len()],
            cuts: vec![BTreeSet::new(); terms.len()],
            masks: TermMap::new(),
            parts: vec![],
            is_part: TermSet::new(),
        };
        for (number, &term) in terms.iter().enumerate() {
            words.numbers.insert(term, number as u32);
            words.note_mask(pool, term);
        }
        words.split_inputs(pool, system, terms);
        for &term in terms {
            words.note(pool, term);
        }
        for state in &system.states {
            for value in [state.init, state.next].into_iter().flatten() {
                words.join(pool, state.term, value);
            }
        }
        words
    }

    /// The width of the words that a term is, or an array of; none if they have one bit.
    fn width(pool: &Pool, term: Term) -> Option<u32> {
        let sort = pool.sort(term);
        let word = pool.sorts().array_parts(sort).map_or(sort, |(_, element)| element);
        word.width().filter(|&width| word.is_bitvec() && width > 1)
    }

    pub(super) fn is_word(pool: &Pool, term: Term) -> bool {
        Words::width(pool, term).is_some()
    }

    fn note_mask(&mut self, pool: &Pool, term: Term) {
        let args = pool.args(term);
        let width = |term: Term| pool.width(term).unwrap_or(1);
        let parts: Option<Vec<(u32, Mask)>> = match pool.op(term) {
            Op::Const => pool.as_bitvec(term).map(|value| {
                (0..value.width()).map(|i| (1, vec![(0, Bit::constant(value.bit(i)))])).collect()
            }),
            Op::Concat => {
                args.iter().rev().map(|&arg| self.mask(pool, arg).map(|mask| (width(arg), mask))).collect()
            }
            Op::ZeroExtend => self.mask(pool, args[0]).map(|mask| {
                vec![(width(args[0]), mask), (pool.index(term), vec![(0, Bit::constant(false))])]
            }),
            Op::SignExtend => self.mask(pool, args[0]).map(|mask| {
                let sign = mask[mask.len() - 1].1;
                vec![(width(args[0]), mask), (pool.index(term), vec![(0, sign)])]
            }),
            Op::Repeat => self.mask(pool, args[0]).map(|mask| match mask[..] {
                [_] => vec![(width(term), mask)],
                _ => vec![(width(args[0]), mask); pool.index(term).min(MOST_SEGMENTS as u32 + 1) as usize],
            }),
            Op::BvNot => self.mask(pool, args[0]).map(|mask| {
                vec![(width(term), mask.iter().map(|&(start, bit)| (start, bit.negated())).collect())]
            }),
            _ => None,
        };
        let Some(parts) = parts.filter(|_| Words::is_word(pool, term)) else { return };
        let (mut mask, mut start): (Mask, u32) = (vec![], 0);
        for (width, part) in parts {
            for (at, bit) in part {
                if width > 0 && mask.last().is_none_or(|&(_, last)| last != bit) {
                    mask.push((start + at, bit));
                }
            }
            start += width;
        }
        if mask.len() <= MOST_SEGMENTS {
            self.masks.insert(term, mask);
        }
    }

    /// The bits of a bit-vector that is one bit or a mask.
    fn mask(&self, pool: &Pool, term: Term) -> Option<Mask> {
        if pool.width(term) != Some(1) {
            return self.masks.get(term).cloned();
        }
        let bit = |term: Term| match pool.as_bitvec(term) {
            Some(value) => Bit::constant(!value.is_zero()),
            None => Bit { of: Some(term), is_negated: false },
        };
        let bit = match pool.op(term) {
            Op::BvNot => bit(pool.args(term)[0]).negated(),
            _ => bit(term),
        };
        Some(vec![(0, bit)])
    }

    /// Finds the inputs that are only read in parts.
    fn split_inputs(&mut self, pool: &Pool, system: &System, terms: &[Term]) {
        let mut numbers = TermMap::new();
        for (number, input) in system.inputs.iter().enumerate() {
            if Words::is_word(pool, input.term) {
                numbers.insert(input.term, number);
            }
        }
        let mut parts: Vec<Vec<Term>> = vec![vec![]; system.inputs.len()];
        let mut whole = TermSet::new();
        for &term in terms {
            for &arg in pool.args(term) {
                match numbers.get(arg) {
                    Some(&number) if pool.op(term) == Op::Extract => parts[number].push(term),
                    Some(_) => {
                        whole.insert(arg);
                    }
                    None => {}
                }
            }
        }
        let states = system.states.iter().flat_map(|state| [state.init, state.next]);
        states.flatten().for_each(|value| {
            whole.insert(value);
        });
        for (input, mut found) in system.inputs.iter().zip(parts) {
            found.sort_by_key(|&part| pool.index(part));
            let mut free = 0;
            let apart = found.iter().all(|&part| {
                let low = pool.index(part);
                let is_apart = low >= free;
                free = low + pool.width(part).unwrap_or(1);
                is_apart
            });
            if apart && !found.is_empty() && !whole.contains(input.term) {
                found.iter().for_each(|&part| {
                    self.is_part.insert(part);
                });
                self.parts.push((input.term, found));
                self.bar(pool, input.term);
            }
        }
    }

    /// Joins or bars what an operator has to do with.
    fn note(&mut self, pool: &Pool, term: Term) {
        let args = pool.args(term);
        match pool.op(term) {
            Op::Symbol | Op::Const => {}
            _ if self.is_part.contains(term) || self.masks.contains(term) => {}
            Op::Ite => args[1..].iter().for_each(|&arg| self.join(pool, term, arg)),
            Op::BvNot | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor => {
                args.iter().for_each(|&arg| self.join(pool, term, arg));
            }
            Op::Eq | Op::BvComp if args.len() == 2 => self.join(pool, args[0], args[1]),
            Op::ConstArray => self.join(pool, term, args[0]),
            Op::Select | Op::Store => {
                self.bar(pool, args[1]);
                args.iter().step_by(2).for_each(|&arg| self.join(pool, term, arg));
            }
            _ => args.iter().chain([&term]).for_each(|&term| self.bar(pool, term)),
        }
    }

    fn join(&mut self, pool: &Pool, a: Term, b: Term) {
        if !Words::is_word(pool, a) {
            return;
        }
        match [a, b].map(|term| self.masks.contains(term)) {
            [true, true] => {}
            [true, false] => self.cut(b, a),
            [false, true] => self.cut(a, b),
            [false, false] => {
                let [a, b] = [a, b].map(|term| {
                    // A constant of many segments.
                    if pool.is_const(term) {
                        self.bar(pool, term);
                    }
                    self.class(term) as usize
                });
                self.classes.union(a as u32, b as u32);
                let class = self.classes.find(a as u32) as usize;
                self.is_barred[class] = self.is_barred[a] || self.is_barred[b];
                let cuts = [a, b].map(|class| std::mem::take(&mut self.cuts[class]));
                self.cuts[class] = cuts.into_iter().flatten().collect();
            }
        }
    }

    /// Cuts the words of a class where a mask changes.
    fn cut(&mut self, word: Term, mask: Term) {
        let class = self.class(word) as usize;
        let mask = self.masks.get(mask).expect("a mask");
        self.cuts[class].extend(mask.iter().map(|&(start, _)| start));
    }

    fn bar(&mut self, pool: &Pool, term: Term) {
        if Words::is_word(pool, term) && !self.masks.contains(term) {
            let class = self.class(term);
            self.is_barred[class as usize] = true;
        }
    }

    pub(super) fn class(&mut self, term: Term) -> u32 {
        let number = *self.numbers.get(term).expect("a term of the system");
        self.classes.find(number)
    }

    /// By class: the segments of its words, if they become narrower. The equations that decide a property are
    /// in it alone, not in what leads from frame to frame or in a constraint.
    pub(super) fn widths(
        &mut self,
        pool: &Pool,
        system: &System,
        terms: &[Term],
    ) -> Vec<Option<Vec<Segment>>> {
        let values = system.states.iter().flat_map(|state| [state.init, state.next]).flatten();
        let lasting =
            cone(pool, &values.chain(system.constraints.iter().map(|c| c.term)).collect::<Vec<_>>());
        for term in lasting {
            if is_equation(pool, term) {
                pool.args(term).iter().for_each(|&side| self.bar(pool, side));
            }
        }
        let mut most = vec![0; terms.len()];
        for bad in &system.bads {
            let mut equations = vec![0; terms.len()];
            for term in cone(pool, &[bad.term]) {
                if !is_equation(pool, term) {
                    continue;
                }
                // If one side is a constant or a mask, the other one may be a word of a class.
                let sides = pool.args(term);
                let word = sides.iter().find(|&&side| !self.masks.contains(side)).unwrap_or(&sides[0]);
                let class = self.class(*word) as usize;
                equations[class] += 1;
                most[class] = most[class].max(equations[class]);
            }
        }
        let mut widths = vec![None; terms.len()];
        for &term in terms {
            if let Some(width) = Words::width(pool, term)
                && !self.masks.contains(term)
            {
                let class = self.class(term) as usize;
                let starts = self.cuts[class].iter().copied().filter(|&cut| cut > 0);
                let starts: Vec<u32> = [0].into_iter().chain(starts).chain([width]).collect();
                let segments: Vec<Segment> = starts
                    .windows(2)
                    .map(|ends| {
                        let width = ends[1] - ends[0];
                        let widths = [width, width.min(most[class].max(1))];
                        Segment { class: class as u32, start: ends[0], widths }
                    })
                    .collect();
                let is_less = !self.is_barred[class] && narrow_width(&segments) < width;
                widths[class] = is_less.then_some(segments);
            }
        }
        widths
    }
}

/// The width of the narrow word.
pub(super) fn narrow_width(segments: &[Segment]) -> u32 {
    segments.iter().map(|segment| segment.widths[1]).sum()
}

/// Whether a term says that words are equal.
pub(super) fn is_equation(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Eq | Op::BvComp) && Words::is_word(pool, pool.args(term)[0])
}
