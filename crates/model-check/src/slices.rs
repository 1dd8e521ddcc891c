//! Words that are only moved, combined bit by bit, and compared where a property is stated, are made narrow.
//!
//! Each bit of such words is a copy of one system of one bit, with the same control: bits meet only in the
//! equations of the bad state (Johannsen, *BOOSTER*, CAV 2001, scales designs down in this way). If a bad
//! state has `n` equations over them, `n` bits are enough. Given a run to it, choose for each equation that
//! is false in the last frame a bit in which its sides differ: the run of these bits makes the same equations
//! true and false. Given a run of `n` bits, let all others be copies of the first. So a violation is found if
//! and only if there is one. Data paths of 128 bits become one of one bit.
//!
//! What joins words: choices, bitwise operators, arrays, the values of a state. A constant or a mask, made of
//! constant and repeated bits, goes with any of them; where its bits change, the words are cut, and each
//! segment becomes narrow by itself. An input that is read in parts is several. Everything else bars a word.
//! Cost: one walk.

mod words;

use bivalve::terms::{
    ArrayValue, Assignment, BitVec, Op, Pool, Rebuild, Sort, Term, TermMap, Value, cone, eval,
};
use bivalve_systems::{Input, Property, State, System};
pub(crate) use words::Segment;
use words::{Words, is_equation, narrow_width};

/// A term over narrow words that stands for a wide word or an array of them.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) term: Term,
    /// The segments of the words, if they are narrow.
    pub(crate) segments: Option<Vec<Segment>>,
}

impl Image {
    /// A term that stands for itself.
    pub(crate) fn plain(term: Term) -> Image {
        Image { term, segments: None }
    }

    /// The value of this sort that a value of the term stands for: all bits of a segment beyond those that
    /// are known are copies of the first.
    pub(crate) fn widened(&self, pool: &Pool, value: &Value, sort: Sort) -> Value {
        let Some(segments) = &self.segments else { return value.clone() };
        let Some(array) = value.as_array() else {
            let (mut word, mut low): (Option<BitVec>, u32) = (None, 0);
            for Segment { widths: [old, new], .. } in segments {
                let known = value.expect_bitvec().extract(low + new - 1, low);
                let part = match old - new {
                    0 => known,
                    more => known.extract(0, 0).repeat(more).concat(&known),
                };
                word = Some(word.map_or(part.clone(), |word| part.concat(&word)));
                low += new;
            }
            return word.expect("a word has a bit").into();
        };
        let (_, element) = pool.sorts().array_parts(sort).expect("an array");
        let default = self.widened(pool, array.default(), element);
        let wide = ArrayValue::constant(pool.sorts(), sort, default);
        let store = |wide: ArrayValue, (index, value): (&Value, &Value)| {
            wide.store(index, &self.widened(pool, value, element))
        };
        array.entries().fold(wide, store).into()
    }
}

/// The system in normal form with narrow words, and what `roots` are over them; none if no word can be
/// narrower.
pub(crate) fn narrowed(pool: &mut Pool, system: &System, roots: &[Term]) -> Option<(System, Vec<Image>)> {
    let terms = cone(pool, &[&system.terms()[..], roots].concat());
    let mut words = Words::new(pool, system, &terms);
    let widths = words.widths(pool, system, &terms);
    if widths.iter().all(Option::is_none) {
        return None;
    }
    let parts = std::mem::take(&mut words.parts);
    let (images, narrow, whole) = (Rebuild::new(), TermMap::new(), TermMap::new());
    let mut narrower = Narrower { words, widths, images, narrow, whole };
    let system = narrower.system(pool, system, &terms, &parts);
    let images = roots.iter().map(|&root| match narrower.whole.get(root) {
        Some(&term) => Image::plain(term),
        None => match narrower.narrow.get(root) {
            Some(&term) => Image { term, segments: narrower.segments(pool, root) },
            None => Image::plain(narrower.image(root)),
        },
    });
    let images = images.collect();
    Some((system, images))
}

struct Narrower {
    words: Words,
    widths: Vec<Option<Vec<Segment>>>,
    /// Of all terms but narrow words: the same over narrow words.
    images: Rebuild,
    /// Narrow words, and arrays of them.
    narrow: TermMap<Term>,
    /// Of inputs that are read in parts: the parts together, wide.
    whole: TermMap<Term>,
}

impl Narrower {
    /// The segments of a word, if it is to be narrow.
    fn segments(&mut self, pool: &Pool, term: Term) -> Option<Vec<Segment>> {
        if !Words::is_word(pool, term) || self.words.masks.contains(term) {
            return None;
        }
        let class = self.words.class(term);
        self.widths[class as usize].clone()
    }

    fn system(
        &mut self,
        pool: &mut Pool,
        system: &System,
        terms: &[Term],
        parts: &[(Term, Vec<Term>)],
    ) -> System {
        let mut result = System::default();
        for input in &system.inputs {
            let split = parts.iter().find(|(whole, _)| *whole == input.term).map(|(_, parts)| &parts[..]);
            let is_narrow = |narrower: &mut Narrower, part: &Term| narrower.segments(pool, *part).is_some();
            let Some(parts) = split.filter(|parts| parts.iter().any(|part| is_narrow(self, part))) else {
                let term = self.symbol(pool, input.term, input.term, "");
                result.inputs.push(Input { term, name: input.name.clone() });
                continue;
            };
            let mut bits = vec![];
            for &part in parts {
                let (low, width) = (pool.index(part), pool.width(part).unwrap_or(1));
                let suffix = format!("[{}:{low}]", low + width - 1);
                let term = self.symbol(pool, part, input.term, &suffix);
                let segments = self.segments(pool, part);
                bits.push((low, segments.map_or(term, |segments| wide(pool, term, &segments))));
                let name = input.name.as_ref().map(|name| name.clone() + &suffix);
                result.inputs.push(Input { term, name });
            }
            let whole = filled(pool, &bits, pool.width(input.term).unwrap_or(1));
            self.whole.insert(input.term, whole);
        }
        let states = system.states.iter().map(|state| self.symbol(pool, state.term, state.term, ""));
        let states: Vec<Term> = states.collect();
        for &term in terms {
            self.rebuild(pool, term);
        }
        for (state, term) in system.states.iter().zip(states) {
            let segments = self.segments(pool, state.term);
            let value =
                |value: Option<Term>| value.map(|value| self.cut_to(pool, value, segments.as_deref()));
            let [init, next] = [state.init, state.next].map(value);
            result.states.push(State { term, init, next, name: state.name.clone() });
        }
        let property =
            |property: &Property| Property { term: self.image(property.term), name: property.name.clone() };
        result.bads = system.bads.iter().map(property).collect();
        result.constraints = system.constraints.iter().map(property).collect();
        result
    }

    /// The narrow symbol for a symbol or a part of one. A symbol that is not to be narrow stays.
    fn symbol(&mut self, pool: &mut Pool, term: Term, of: Term, suffix: &str) -> Term {
        let segments = self.segments(pool, term);
        if segments.is_none() && term == of {
            self.images.set(term, term);
            return term;
        }
        let name = format!("{}{suffix}", pool.name(of).unwrap_or_default());
        let Some(segments) = segments else {
            let symbol = pool.symbol(&name, pool.sort(term));
            self.images.set(term, symbol);
            return symbol;
        };
        let sort = narrow_sort(pool, pool.sort(term), &segments);
        let symbol = pool.symbol(&name, sort);
        self.narrow.insert(term, symbol);
        symbol
    }

    /// The image of a term that is no narrow word.
    fn image(&self, term: Term) -> Term {
        self.images.image(term).expect("children come first")
    }

    /// The image of a term where a word with these segments is wanted.
    fn cut_to(&self, pool: &mut Pool, term: Term, segments: Option<&[Segment]>) -> Term {
        let Some(segments) = segments else { return self.image(term) };
        if let Some(&narrow) = self.narrow.get(term) {
            return narrow;
        }
        let mask = self.words.masks.get(term).expect("a word of the class, a constant or a mask");
        let mut parts = vec![];
        for &Segment { start, widths: [_, width], .. } in segments {
            let bit = mask.iter().rev().find(|&&(from, _)| from <= start).expect("masks begin at 0").1;
            let part = match bit.of.map(|of| self.image(of)) {
                None => pool.bv_u64(0, width),
                Some(bit) if width == 1 => bit,
                Some(bit) => pool.mk_indexed(Op::Repeat, &[width], &[bit]),
            };
            parts.push(if bit.is_negated { pool.mk(Op::BvNot, &[part]) } else { part });
        }
        let word = concatenated(pool, &parts);
        match mask.iter().all(|(_, bit)| bit.of.is_none()) {
            true => constant(pool, word),
            false => word,
        }
    }

    /// Gives a term its image; those below it have theirs.
    fn rebuild(&mut self, pool: &mut Pool, term: Term) {
        if self.images.image(term).is_some() || self.narrow.contains(term) {
            return;
        }
        let args = pool.args(term).to_vec();
        let op = pool.op(term);
        if let Some(segments) = self.segments(pool, term) {
            let is_index = |i: usize| i == 1 && matches!(op, Op::Select | Op::Store);
            let places = args.iter().enumerate();
            let args: Vec<Term> = places
                .map(|(i, &arg)| match is_index(i) || pool.sort(arg).is_bool() {
                    true => self.image(arg),
                    false => self.cut_to(pool, arg, Some(&segments)),
                })
                .collect();
            let narrow = if op == Op::ConstArray {
                let sort = narrow_sort(pool, pool.sort(term), &segments);
                pool.const_array(sort, args[0]).expect("the element has its sort")
            } else {
                pool.mk(op, &args)
            };
            self.narrow.insert(term, narrow);
            return;
        }
        let of_equation = match is_equation(pool, term) {
            true => args.iter().find_map(|&arg| self.segments(pool, arg)),
            false => None,
        };
        let args: Vec<Term> =
            args.iter().map(|&arg| self.cut_to(pool, arg, of_equation.as_deref())).collect();
        let image = match of_equation {
            Some(_) => pool.mk(op, &args),
            None if args == pool.args(term) => term,
            None => pool.rebuild(term, &args),
        };
        self.images.set(term, image);
    }
}

/// The sort of narrow words in the place of a sort of wide ones.
fn narrow_sort(pool: &mut Pool, sort: Sort, segments: &[Segment]) -> Sort {
    let word = Sort::bitvec(narrow_width(segments)).expect("a width from 1 on");
    match pool.sorts().array_parts(sort) {
        Some((index, _)) => pool.sorts_mut().array(index, word).expect("a sort of elements"),
        None => word,
    }
}

/// The wide word for a narrow symbol: all bits of a segment beyond those that are known are copies of the
/// first.
fn wide(pool: &mut Pool, symbol: Term, segments: &[Segment]) -> Term {
    let (mut parts, mut low) = (vec![], 0);
    for &Segment { widths: [old, new], .. } in segments {
        parts.push(pool.mk_indexed(Op::Extract, &[low + new - 1, low], &[symbol]));
        if new < old {
            let first = pool.mk_indexed(Op::Extract, &[low, low], &[symbol]);
            parts.push(pool.mk_indexed(Op::Repeat, &[old - new], &[first]));
        }
        low += new;
    }
    concatenated(pool, &parts)
}

/// The bit-vector of these parts, the lowest first.
fn concatenated(pool: &mut Pool, parts: &[Term]) -> Term {
    let mut parts = parts.iter();
    let &first = parts.next().expect("a word has a bit");
    parts.fold(first, |word, &part| pool.mk(Op::Concat, &[part, word]))
}

/// The constant that a word without symbols is.
fn constant(pool: &mut Pool, word: Term) -> Term {
    let value = eval(pool, word, &Assignment::new());
    pool.bitvec(value.as_bitvec().expect("a word"))
}

/// A word of this width with these values from these bits on, and zeros between them.
fn filled(pool: &mut Pool, values: &[(u32, Term)], width: u32) -> Term {
    let (mut parts, mut free) = (vec![], 0);
    for &(low, value) in values {
        if low > free {
            parts.push(pool.bv_u64(0, low - free));
        }
        parts.push(value);
        free = low + pool.width(value).unwrap_or(1);
    }
    if free < width {
        parts.push(pool.bv_u64(0, width - free));
    }
    concatenated(pool, &parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of eight bits that is kept or replaced by an input, or set to one bit and zeros; bad is that it
    /// differs from a part of another input. The first bit stays a segment of its own; the sum does not
    /// become narrow, nor what it is compared with.
    #[test]
    fn words_keep_a_bit_for_each_equation_and_segment() {
        let mut pool = Pool::new();
        let [bit, byte, wide] = [1, 8, 16].map(|width| Sort::bitvec(width).expect("a width"));
        let [word, sum, other] = ["word", "sum", "other"].map(|name| pool.symbol(name, byte));
        let [data, flag] = [pool.symbol("data", wide), pool.symbol("flag", bit)];
        let set = pool.mk_indexed(Op::ZeroExtend, &[7], &[flag]);
        let choice = pool.symbol("choice", Sort::BOOL);
        let kept = pool.mk(Op::Ite, &[choice, word, other]);
        let next = pool.mk(Op::BvOr, &[kept, set]);
        let part = pool.mk_indexed(Op::Extract, &[11, 4], &[data]);
        let equal = pool.mk(Op::Eq, &[word, part]);
        let twice = pool.mk(Op::BvAdd, &[sum, sum]);
        let unlike = pool.mk(Op::Eq, &[twice, sum]);
        let bad = pool.mk(Op::And, &[equal, unlike]);
        let state = |term, next| State { term, init: None, next: Some(next), name: None };
        let inputs = [other, data, flag, choice].map(|term| Input { term, name: None });
        let system = System {
            states: vec![state(word, next), state(sum, twice)],
            inputs: inputs.to_vec(),
            bads: vec![Property { term: bad, name: None }],
            ..System::default()
        };
        let (system, images) = narrowed(&mut pool, &system, &[word, data]).expect("a word is narrower");
        let widths: Vec<Option<u32>> = system.symbols().map(|term| pool.width(term)).collect();
        assert_eq!(widths, [Some(2), Some(8), Some(2), Some(2), Some(1), None]);
        let value = images[0].widened(&pool, &BitVec::from_u64(2, 2).into(), byte);
        assert_eq!(value, BitVec::from_u64(0xfe, 8).into());
        assert_eq!(pool.width(images[1].term), Some(16));
    }
}
