//! Boxes of inputs, on each of which a formula is false.
//!
//! An input is a number that no operator here makes; in a box its packed word lies between two, in the order
//! of numbers with NaN above them. Operators keep or turn the order in each argument, and rounding keeps it.
//! So the results for arguments in intervals lie between what the ends make exactly, rounded, down and up if
//! the mode is not known. Zeros have no sign here. Each truth value may be false, may be true, or both.

use super::lower::Lowering;
use super::sums::{Number, number, word};
use super::{FloatOp as F, Format};
use crate::term::{Op, SortKind, Term, Terms};
use num_bigint::{BigInt, BigUint, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// A real number or an infinity.
#[derive(Clone, Debug)]
enum End {
    Low,
    At(Number),
    High,
}

/// The numbers between two, if there are any, and whether the value may be NaN.
#[derive(Clone, Debug)]
struct Range {
    ends: Option<[End; 2]>,
    nan: bool,
}

/// Whether it may be false, and whether it may be true.
type Truth = [bool; 2];

#[derive(Clone, Debug)]
enum Known {
    Number(Range),
    Truth(Truth),
}

struct Node {
    /// There is none for a symbol that is what it is equal to.
    op: Option<Op>,
    args: Vec<Option<usize>>,
    format: Option<Format>,
    modes: [u8; 2],
    value: Option<Known>,
    wanted: Option<bool>,
}

/// What formulas say together: their terms in an order in which they are evaluated.
#[derive(Default)]
pub struct Boxes {
    nodes: Vec<Node>,
    places: FxHashMap<Term, usize>,
}

/// How boxes are split, each split before its parts: a term's place and the greatest key of the first part.
/// `None` is a box that is refuted. The key of a packed word has the first bit turned, or all bits if that one
/// is set.
pub type Tree = Vec<Option<(u64, BigUint)>>;

fn is_small(format: Format) -> bool {
    format.exponent <= 15 && format.width() <= 128
}

fn turned(format: Format, bits: &BigUint, is_low: bool) -> BigUint {
    let top = BigUint::from(1u8) << (format.width() - 1);
    if is_low { bits ^ ((&top << 1) - 1u8) } else { bits ^ top }
}

fn key(format: Format, bits: &BigUint) -> BigUint {
    turned(format, bits, bits.bit(u64::from(format.width()) - 1))
}

fn not([no, yes]: Truth) -> Truth {
    [yes, no]
}

fn and([no, yes]: Truth, [other_no, other_yes]: Truth) -> Truth {
    [no || other_no, yes && other_yes]
}

fn same([no, yes]: Truth, [other_no, other_yes]: Truth) -> Truth {
    [no && other_yes || yes && other_no, no && other_no || yes && other_yes]
}

impl End {
    fn zero() -> End {
        End::At(Number::default())
    }

    fn infinity(is_above: bool) -> End {
        if is_above { End::High } else { End::Low }
    }

    fn sign(&self) -> Ordering {
        self.order(&End::zero())
    }

    fn order(&self, other: &End) -> Ordering {
        match (self, other) {
            (End::At(a), End::At(b)) => a.plus(&-b).0.sign().cmp(&Sign::NoSign),
            (End::Low, End::Low) | (End::High, End::High) => Ordering::Equal,
            (End::Low, _) | (_, End::High) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    fn is_most(&self, other: &End) -> bool {
        self.order(other) != Ordering::Greater
    }

    fn is_infinite(&self) -> bool {
        !matches!(self, End::At(_))
    }

    fn neg(&self) -> End {
        match self {
            End::At(number) => End::At(-number),
            other => End::infinity(matches!(other, End::Low)),
        }
    }

    /// The sum, or something else for infinities of both signs.
    fn plus(&self, other: &End, open: End) -> End {
        match (self, other) {
            (End::At(a), End::At(b)) => End::At(a.plus(b)),
            (End::At(_), infinite) | (infinite, End::At(_)) => infinite.clone(),
            (a, b) => if a.order(b) == Ordering::Equal { a.clone() } else { open },
        }
    }

    /// The product; 0 for 0 and an infinity, where there are products that go to 0.
    fn times(&self, other: &End) -> End {
        let [a, b] = [self.sign(), other.sign()];
        match (self, other) {
            (End::At(a), End::At(b)) => End::At(a.times(b)),
            _ if a == Ordering::Equal || b == Ordering::Equal => End::zero(),
            _ => End::infinity(a == b),
        }
    }

    /// The quotient, with a last bit that says that there is more; 0 for infinities.
    fn over(&self, other: &End, places: u32) -> End {
        match (self, other) {
            (End::At(Number(a, unit)), End::At(Number(b, other))) => {
                let by = (b.bits() + u64::from(places) + 3).saturating_sub(a.bits());
                let (above, below) = (a.magnitude() << by, b.magnitude());
                let quotient = BigInt::from((&above / below) * 2u8 + u8::from((&above % below).bits() > 0));
                let quotient = if a.sign() == b.sign() { quotient } else { -quotient };
                End::At(Number(quotient, unit - other - by as i64 - 1))
            }
            (infinite, End::At(_)) => End::infinity(infinite.sign() == other.sign()),
            _ => End::zero(),
        }
    }

    /// The root of what is not negative, with a last bit that says that there is more.
    fn root(&self, places: u32) -> End {
        let End::At(Number(a, unit)) = self else { return self.clone() };
        let by = (2 * u64::from(places) + 6).saturating_sub(a.bits());
        let by = by + u64::from((unit - by as i64) % 2 != 0);
        let square = a.magnitude() << by;
        let root = square.sqrt();
        let more = u8::from(&root * &root != square);
        End::At(Number((root * 2u8 + more).into(), (unit - by as i64) / 2 - 1))
    }

    /// The number to so many bits, of which the last is worth 2^least at least.
    fn nearest(Number(of, unit): &Number, bits: u32, least: i64, mode: u8) -> Number {
        let by = (of.bits() as i64 - i64::from(bits)).max(least - unit);
        if by <= 0 {
            return Number(of.clone(), *unit);
        }
        let is_negative = of.sign() == Sign::Minus;
        let (kept, half) = (of.magnitude() >> by, BigUint::from(1u8) << (by - 1));
        let rest = of.magnitude() - (&kept << by);
        let is_up = match mode {
            0 => rest > half || rest == half && kept.bit(0),
            1 => rest >= half,
            2 => !is_negative && rest.bits() > 0,
            3 => is_negative && rest.bits() > 0,
            _ => false,
        };
        let kept = BigInt::from(kept + u8::from(is_up));
        Number(if is_negative { -kept } else { kept }, unit + by)
    }

    fn rounded(&self, format: Format, mode: u8) -> End {
        let End::At(exact) = self else { return self.clone() };
        let least = 1 - format.bias() - i64::from(format.fraction());
        let rounded = End::nearest(exact, format.significand, least, mode);
        let most = (BigUint::from(format.special()) << format.fraction()) - 1u8;
        let most = number(format, &most).unwrap_or_default();
        let is_above = rounded.0.sign() == Sign::Plus;
        match (rounded.magnitude().is_above(&most), mode) {
            (false, _) => End::At(rounded),
            (_, 4) => End::At(if is_above { most } else { -&most }),
            (_, 2) if !is_above => End::At(-&most),
            (_, 3) if is_above => End::At(most),
            _ => End::infinity(is_above),
        }
    }
}

impl Range {
    fn all() -> Range {
        Range { ends: Some([End::Low, End::High]), nan: true }
    }

    /// The values with keys between these.
    fn between(format: Format, [low, high]: [&BigUint; 2]) -> Range {
        let infinity = key(format, &(BigUint::from(format.special()) << format.fraction()));
        let top = u64::from(format.width()) - 1;
        let end = |key: &BigUint| {
            let bits = turned(format, key, !key.bit(top));
            number(format, &bits).map_or(End::infinity(key.bit(top)), End::At)
        };
        Range { ends: (low <= &infinity).then(|| [end(low), end(high)]), nan: high > &infinity }
    }

    fn has_zero([low, high]: &[End; 2]) -> bool {
        low.sign() != Ordering::Greater && high.sign() != Ordering::Less
    }

    fn has_infinity(ends: &[End; 2]) -> bool {
        ends.iter().any(End::is_infinite)
    }

    /// What is between the results for the ends.
    fn corners(x: &[End; 2], y: &[End; 2], of: impl Fn(&End, &End) -> End) -> [End; 2] {
        let mut all = [of(&x[0], &y[0]), of(&x[0], &y[1]), of(&x[1], &y[0]), of(&x[1], &y[1])];
        all.sort_by(End::order);
        let [low, .., high] = all;
        [low, high]
    }

    fn rounded(self, format: Format, modes: [u8; 2]) -> Range {
        let ends = self.ends.map(|[a, b]| [a.rounded(format, modes[0]), b.rounded(format, modes[1])]);
        Range { ends, ..self }
    }

    fn union(&self, other: &Range) -> Range {
        let nan = self.nan || other.nan;
        match (&self.ends, &other.ends) {
            (Some(x), Some(y)) => {
                let low = if x[0].is_most(&y[0]) { &x[0] } else { &y[0] };
                let high = if x[1].is_most(&y[1]) { &y[1] } else { &x[1] };
                Range { ends: Some([low.clone(), high.clone()]), nan }
            }
            (ends, None) | (None, ends) => Range { ends: ends.clone(), nan },
        }
    }

    fn neg(&self) -> Range {
        Range { ends: self.ends.as_ref().map(|[a, b]| [b.neg(), a.neg()]), ..*self }
    }

    fn abs(&self) -> Range {
        match &self.ends {
            Some([low, _]) if low.sign() != Ordering::Less => self.clone(),
            Some([_, high]) if high.sign() == Ordering::Less => self.neg(),
            Some([low, high]) => {
                let most = if low.neg().is_most(high) { high.clone() } else { low.neg() };
                Range { ends: Some([End::zero(), most]), ..*self }
            }
            None => self.clone(),
        }
    }

    /// The exact results of two operands, before they are rounded.
    fn exact(op: F, [x, y]: [&Range; 2], format: Format) -> Range {
        let mut nan = x.nan || y.nan;
        let (Some(a), Some(b)) = (&x.ends, &y.ends) else { return Range { ends: None, nan } };
        let ends = match op {
            F::Add => {
                let is_open = |i: usize, j: usize| a[i].neg().order(&b[j]) == Ordering::Equal && a[i].is_infinite();
                nan |= is_open(0, 1) || is_open(1, 0);
                [a[0].plus(&b[0], End::Low), a[1].plus(&b[1], End::High)]
            }
            F::Mul => {
                let is_open = |x, y| Range::has_zero(x) && Range::has_infinity(y);
                nan |= is_open(a, b) || is_open(b, a);
                Range::corners(a, b, End::times)
            }
            _ if Range::has_zero(b) => return Range::all(),
            _ => {
                nan |= Range::has_infinity(a) && Range::has_infinity(b);
                Range::corners(a, b, |x, y| x.over(y, format.significand))
            }
        };
        Range { ends: Some(ends), nan }
    }

    fn sqrt(&self, places: u32) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        let is_below = low.sign() == Ordering::Less;
        let ends = [if is_below { End::zero() } else { low.root(places) }, high.root(places)];
        Range { ends: (high.sign() != Ordering::Less).then_some(ends), nan: self.nan || is_below }
    }

    fn integral(self, modes: [u8; 2]) -> Range {
        let whole = |end: End, mode| match end {
            End::At(number) => End::At(End::nearest(&number, u32::MAX, 0, mode)),
            end => end,
        };
        Range { ends: self.ends.map(|[a, b]| [whole(a, modes[0]), whole(b, modes[1])]), ..self }
    }

    /// Beside NaN the other one is the minimum.
    fn min(&self, other: &Range) -> Range {
        let (nan, all) = (self.nan && other.nan, self.union(other));
        let (Some([_, a]), Some([_, b])) = (&self.ends, &other.ends) else { return Range { nan, ..all } };
        let mut high = if a.is_most(b) { a } else { b };
        for end in [self.nan.then_some(b), other.nan.then_some(a)].into_iter().flatten() {
            high = if high.is_most(end) { end } else { high };
        }
        Range { ends: all.ends.map(|[low, _]| [low, high.clone()]), nan }
    }

    /// Less, or less or equal.
    fn below(&self, other: &Range, is_equal: bool) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        let is = |x: &End, y: &End| if is_equal { x.is_most(y) } else { !y.is_most(x) };
        [self.nan || other.nan || !is(b, c), is(a, d)]
    }

    fn equal(&self, other: &Range) -> Truth {
        let [one, two] = [self.below(other, true), other.below(self, true)];
        and(one, two)
    }

    /// Whether the numbers are between two; NaN is not.
    fn within(&self, low: End, high: End) -> Truth {
        let it = Range { ends: Some([low.clone(), low]), nan: false };
        let most = Range { ends: Some([high.clone(), high]), nan: false };
        and(it.below(self, true), self.below(&most, true))
    }

    fn class(&self, op: F, format: Format) -> Option<Truth> {
        let at = |bits: BigUint| number(format, &bits).map_or(End::High, End::At);
        let hidden = BigUint::from(1u8) << format.fraction();
        let infinity = BigUint::from(format.special()) << format.fraction();
        Some(match op {
            F::IsNan => [self.ends.is_some(), self.nan],
            F::IsZero => self.within(End::zero(), End::zero()),
            F::IsInfinite => self.abs().within(End::High, End::High),
            F::IsNormal => self.abs().within(at(hidden), at(infinity - 1u8)),
            F::IsSubnormal => self.abs().within(at(1u8.into()), at(hidden - 1u8)),
            F::IsPositive | F::IsNegative => {
                let of = if op == F::IsPositive { self.clone() } else { self.neg() };
                let [no, yes] = of.within(End::zero(), End::High);
                // Zeros have either sign.
                [no || of.ends.is_some_and(|ends| Range::has_zero(&ends)), yes]
            }
            _ => return None,
        })
    }
}

impl Boxes {
    /// What these formulas say together.
    pub fn new(lowering: &Lowering, terms: &Terms, formulas: &[Term]) -> Result<Boxes, String> {
        let mut wanted: Vec<(Term, bool)> = vec![];
        let mut definitions = FxHashMap::default();
        let mut todo: Vec<(Term, bool)> = formulas.iter().map(|&formula| (formula, true)).collect();
        while let Some((term, truth)) = todo.pop() {
            terms.budget.take(20, 16)?;
            let args = terms.args(term);
            match (terms.op(term), truth) {
                (Op::Not, _) => todo.push((args[0], !truth)),
                (Op::And, true) | (Op::Or, false) => todo.extend(args.iter().map(|&arg| (arg, truth))),
                _ => wanted.push((term, truth)),
            }
        }
        // A symbol is rather what is computed than another symbol.
        let is_symbol = |term: Term| matches!(terms.op(term), Op::Symbol(_));
        for of_symbols in [false, true] {
            for &(term, truth) in &wanted {
                let (Op::Eq | Op::Float(F::Eq), &[a, b], true) = (terms.op(term), terms.args(term), truth) else {
                    continue;
                };
                let free = [(a, b), (b, a)].into_iter().find(|(a, _)| is_symbol(*a) && !definitions.contains_key(a));
                if let Some((symbol, other)) = free && (is_symbol(a) && is_symbol(b)) == of_symbols {
                    definitions.insert(symbol, other);
                }
            }
        }
        let mut boxes = Boxes::default();
        let (mut stack, mut seen) = (vec![], FxHashSet::default());
        stack.extend(wanted.iter().map(|&(term, _)| (term, false)));
        while let Some((term, is_done)) = stack.pop() {
            terms.budget.take(50, 200)?;
            let definition = definitions.get(&term).copied();
            let args = definition.as_ref().map_or(terms.args(term), std::slice::from_ref);
            if is_done {
                boxes.places.insert(term, boxes.nodes.len());
                boxes.add(lowering, terms, term, (args, definition.is_some()));
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(args.iter().map(|&arg| (arg, false)));
            }
        }
        for (term, truth) in wanted {
            boxes.nodes[boxes.places[&term]].wanted = Some(truth);
        }
        Ok(boxes)
    }

    /// Where a term stands.
    pub fn place(&self, term: Term) -> Option<u64> {
        self.places.get(&term).map(|&at| at as u64)
    }

    /// Adds a term, whose arguments were added unless they are defined by it. A symbol is what it is equal to.
    fn add(&mut self, lowering: &Lowering, terms: &Terms, term: Term, (args, is_same): (&[Term], bool)) {
        let format = if let SortKind::Float(format) = terms.kind_of(term) { Some(format) } else { None };
        let image = |term| terms.as_value(lowering.known(term)?).cloned();
        let mode = args.first().and_then(|&mode| u8::try_from(&image(mode)?).ok());
        let value = format.and_then(|format| match (terms.op(term), terms.args(term)) {
            _ if is_same || !is_small(format) => None,
            (Op::Float(F::FromBits(_)), &[bits]) => word(terms, bits).map(|bits| (format, bits)),
            _ => image(term).map(|bits| (format, bits)),
        });
        let value = value.map(|(format, bits)| {
            let key = key(format, &bits);
            Known::Number(Range::between(format, [&key, &key]))
        });
        let args = args.iter().map(|arg| self.places.get(arg).copied()).collect();
        let (op, modes) = ((!is_same).then(|| terms.op(term)), mode.map_or([3, 2], |mode| [mode; 2]));
        self.nodes.push(Node { op, args, format, modes, value, wanted: None });
    }

    /// What an operator makes of what is known of its arguments.
    fn made(&self, node: &Node, known: &[Option<Known>]) -> Option<Known> {
        let arg = |at: usize| known[(*node.args.get(at)?)?].as_ref();
        let Some(op) = node.op else { return arg(0).cloned() };
        let x = |at: usize| if let Known::Number(range) = arg(at)? { Some(range) } else { None };
        let truth = |at: usize| if let Some(&Known::Truth(truth)) = arg(at) { truth } else { [true; 2] };
        if let (Op::Float(op), Some(format)) = (op, node.format) {
            return self.number(op, node, format, &x).map(Known::Number);
        }
        Some(match op {
            Op::True | Op::False => Known::Truth([op == Op::False, op == Op::True]),
            Op::Not => Known::Truth(not(truth(0))),
            Op::And => Known::Truth(and(truth(0), truth(1))),
            Op::Or => match self.at_most(node) {
                Some([a, b]) => match (&known[a], &known[b]) {
                    (Some(Known::Number(a)), Some(Known::Number(b))) => Known::Truth(a.below(b, true)),
                    _ => return None,
                },
                None => Known::Truth(not(and(not(truth(0)), not(truth(1))))),
            },
            Op::Xor => Known::Truth(not(same(truth(0), truth(1)))),
            Op::Eq => match (arg(0)?, arg(1)?) {
                (Known::Number(a), Known::Number(b)) => {
                    // NaN is equal to itself, zeros of both signs are not to each other.
                    let ([no, yes], is_nan) = (a.equal(b), a.nan && b.nan);
                    let is_empty = a.ends.is_none() && b.ends.is_none();
                    let is_zero = a.ends.as_ref().is_some_and(Range::has_zero);
                    Known::Truth([(no || is_zero) && !is_empty, yes || is_nan])
                }
                _ => Known::Truth(same(truth(0), truth(1))),
            },
            Op::Ite => match (truth(0), arg(1)?, arg(2)?) {
                ([false, _], yes, _) => yes.clone(),
                ([_, false], _, no) => no.clone(),
                (_, Known::Number(a), Known::Number(b)) => Known::Number(a.union(b)),
                _ => Known::Truth([0, 1].map(|at| truth(1)[at] || truth(2)[at])),
            },
            Op::Float(F::Lt) => Known::Truth(x(0)?.below(x(1)?, false)),
            Op::Float(F::Eq) => Known::Truth(x(0)?.equal(x(1)?)),
            Op::Float(op) => Known::Truth(x(0)?.class(op, self.nodes[node.args[0]?].format?)?),
            _ => return None,
        })
    }

    /// The sides of a disjunction that says that one is at most the other.
    fn at_most(&self, node: &Node) -> Option<[usize; 2]> {
        let [less, equal] = [0, 1].map(|at| node.args[at].map(|at| &self.nodes[at]));
        let (less, equal) = (less?, equal?);
        let is_one = less.op == Some(Op::Float(F::Lt)) && equal.op == Some(Op::Float(F::Eq));
        (is_one && less.args == equal.args).then_some([less.args[0]?, less.args[1]?])
    }

    fn number<'a>(
        &self,
        op: F,
        node: &Node,
        format: Format,
        x: &impl Fn(usize) -> Option<&'a Range>,
    ) -> Option<Range> {
        let range = match op {
            F::Neg => x(0)?.neg(),
            F::Abs => x(0)?.abs(),
            F::Min => x(0)?.min(x(1)?),
            F::Max => x(0)?.neg().min(&x(1)?.neg()).neg(),
            F::Add | F::Mul | F::Div => Range::exact(op, [x(1)?, x(2)?], format),
            F::Fma => {
                let is_open = |at| x(at).is_none_or(|x| x.ends.as_ref().is_some_and(Range::has_infinity));
                if (1..4).any(is_open) {
                    return Some(Range::all());
                }
                Range::exact(F::Add, [&Range::exact(F::Mul, [x(1)?, x(2)?], format), x(3)?], format)
            }
            F::Sqrt => x(1)?.sqrt(format.significand),
            F::Integral => x(1)?.clone().integral(node.modes),
            F::FromFloat(_) => x(1)?.clone(),
            _ => return None,
        };
        is_small(format).then(|| range.rounded(format, node.modes))
    }

    /// Whether a formula is false on a box: the least and the greatest keys of terms.
    pub fn is_refuted_on(&self, terms: &Terms, keys: &FxHashMap<usize, [BigUint; 2]>) -> Result<bool, String> {
        let mut known: Vec<Option<Known>> = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            let cost = node.format.filter(|&format| is_small(format)).map_or(0, |it| 1 << it.exponent >> 4);
            terms.budget.take(80 + cost, 0)?;
            let mut value = node.value.clone().or_else(|| self.made(node, &known));
            if let (None, Some(format)) = (&value, node.format.filter(|&format| is_small(format))) {
                let range = keys.get(&at).map(|[low, high]| Range::between(format, [low, high]));
                value = Some(Known::Number(range.unwrap_or_else(Range::all)));
            }
            if let (Some(Known::Truth(can)), Some(wanted)) = (&value, node.wanted)
                && !can[usize::from(wanted)]
            {
                return Ok(true);
            }
            known.push(value);
        }
        Ok(false)
    }

    /// Whether this tree refutes the formulas.
    pub fn is_refuted(&self, terms: &Terms, tree: &Tree) -> Result<bool, String> {
        let mut stack: Vec<FxHashMap<usize, [BigUint; 2]>> = vec![FxHashMap::default()];
        for node in tree {
            let mut keys = stack.pop().ok_or("there is no box for this")?;
            let Some((place, most)) = node else {
                if !self.is_refuted_on(terms, &keys)? {
                    return Ok(false);
                }
                continue;
            };
            let at = usize::try_from(*place).ok().filter(|&at| at < self.nodes.len());
            let at = at.ok_or("there is no such term")?;
            let format = self.nodes[at].format.ok_or("the term is no number")?;
            terms.budget.take(40 * (1 + keys.len() as u64), 100 * (1 + keys.len() as u64))?;
            let whole = [BigUint::default(), (BigUint::from(1u8) << format.width()) - 1u8];
            let [low, high] = keys.get(&at).cloned().unwrap_or(whole);
            let mut above = keys.clone();
            above.insert(at, [low.clone().max(most + 1u8), high.clone()]);
            keys.insert(at, [low, high.min(most.clone())]);
            stack.extend([above, keys]);
        }
        Ok(stack.is_empty())
    }
}
