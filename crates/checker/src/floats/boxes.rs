//! Boxes of inputs, on each of which a formula is false.
//!
//! An input is a number that no operator here makes; in a box its packed word lies between two, in the order
//! of numbers with NaN above them. Operators keep or turn the order in each argument, and rounding keeps it.
//! So the results for arguments in intervals lie between what the ends make exactly, rounded, down and up if
//! the mode is not known. Zeros have no sign here; an infinity is a real number beyond all that formats and
//! operators on their numbers have, and stays one when it is rounded. A truth value may be false, may be
//! true, or both.

use super::lower::Lowering;
use super::sums::{Number, number, word};
use super::{FloatOp as F, Format};
use crate::term::{Op, SortKind, Term, Terms};
use num_bigint::{BigInt, BigUint, Sign};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values between two numbers, if there are any, and NaN, if it may be.
#[derive(Clone, Debug)]
struct Range {
    ends: Option<[Number; 2]>,
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
    /// If the term is a number of a format that is not large.
    format: Option<Format>,
    /// How the least result is rounded, and the greatest.
    modes: [u8; 2],
    value: Option<Known>,
    wanted: Option<bool>,
}

/// The terms of some formulas, in an order in which they are evaluated.
#[derive(Default)]
pub struct Boxes {
    nodes: Vec<Node>,
    places: FxHashMap<Term, usize>,
}

/// The least and the greatest keys of terms, by their places. The key of a packed word has the first bit
/// turned, or all bits if that one is set.
pub type Keys = FxHashMap<usize, [BigUint; 2]>;

/// How boxes are split, each split before its parts: a term's place and the greatest key of the first part.
/// `None` is a box that is refuted.
pub type Tree = Vec<Option<(u64, BigUint)>>;

/// Powers of two: an infinity, and what is less than that and more than what finite numbers make.
const INFINITY: i64 = 1 << 18;
const BEYOND: i64 = 1 << 16;

fn turned(format: Format, bits: &BigUint, all: bool) -> BigUint {
    let top = BigUint::from(1u8) << (format.width() - 1);
    if all { bits ^ ((&top << 1) - 1u8) } else { bits ^ top }
}

fn infinity(is_negative: bool) -> Number {
    Number(BigInt::from(if is_negative { -1 } else { 1 }), INFINITY)
}

fn is_infinite(of: &Number) -> bool {
    of.0.bits() as i64 + of.1 > BEYOND && of.0.sign() != Sign::NoSign
}

fn sign(of: &Number) -> Sign {
    of.0.sign()
}

fn least(a: &Number, b: &Number) -> Number {
    if a.is_above(b) { b.clone() } else { a.clone() }
}

fn greatest(a: &Number, b: &Number) -> Number {
    if a.is_above(b) { a.clone() } else { b.clone() }
}

/// The quotient, with a last bit that says that there is more.
fn quotient(a: &Number, b: &Number, places: u32) -> Number {
    if is_infinite(b) {
        return Number::default();
    }
    let by = (b.0.bits() + u64::from(places) + 3).saturating_sub(a.0.bits());
    let (above, below) = (a.0.magnitude() << by, b.0.magnitude());
    let size = BigInt::from((&above / below) * 2u8 + u8::from((&above % below).bits() > 0));
    Number(if sign(a) == sign(b) { size } else { -size }, a.1 - b.1 - by as i64 - 1)
}

/// The root of a number that is not negative, in the same way.
fn root(a: &Number, places: u32) -> Number {
    let by = (2 * u64::from(places) + 6).saturating_sub(a.0.bits());
    let by = by + u64::from((a.1 - by as i64) % 2 != 0);
    let square = a.0.magnitude() << by;
    let root = square.sqrt();
    let more = u8::from(&root * &root != square);
    Number((root * 2u8 + more).into(), (a.1 - by as i64) / 2 - 1)
}

/// A number rounded to so many bits, of which the last is worth 2^least at least.
fn nearest(of: &Number, bits: u32, least: i64, mode: u8) -> Number {
    let by = (of.0.bits() as i64 - i64::from(bits)).max(least - of.1);
    if by <= 0 || is_infinite(of) {
        return of.clone();
    }
    let is_negative = sign(of) == Sign::Minus;
    let (kept, half) = (of.0.magnitude() >> by, BigUint::from(1u8) << (by - 1));
    let rest = of.0.magnitude() - (&kept << by);
    let is_up = match mode {
        0 => rest > half || rest == half && kept.bit(0),
        1 => rest >= half,
        2 => !is_negative && rest.bits() > 0,
        3 => is_negative && rest.bits() > 0,
        _ => false,
    };
    let kept = BigInt::from(kept + u8::from(is_up));
    Number(if is_negative { -kept } else { kept }, of.1 + by)
}

fn rounded(exact: &Number, format: Format, mode: u8) -> Number {
    let smallest = 1 - format.bias() - i64::from(format.fraction());
    let rounded = nearest(exact, format.significand, smallest, mode);
    let most = (BigUint::from(format.special()) << format.fraction()) - 1u8;
    let most = number(format, &most).unwrap_or_default();
    let is_negative = sign(exact) == Sign::Minus;
    let is_to_largest = mode == 4 || mode == 2 && is_negative || mode == 3 && !is_negative;
    match rounded.magnitude().is_above(&most) {
        false => rounded,
        true if !is_to_largest || is_infinite(exact) => infinity(is_negative),
        true if is_negative => -&most,
        true => most,
    }
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

fn has_zero([low, high]: &[Number; 2]) -> bool {
    sign(low) != Sign::Plus && sign(high) != Sign::Minus
}

fn has_infinity(ends: &[Number; 2]) -> bool {
    ends.iter().any(is_infinite)
}

/// What is between the results for the ends; 0 where one is 0 and one infinite.
fn corners(x: &[Number; 2], y: &[Number; 2], of: impl Fn(&Number, &Number) -> Number) -> [Number; 2] {
    let all = [of(&x[0], &y[0]), of(&x[0], &y[1]), of(&x[1], &y[0]), of(&x[1], &y[1])];
    let end = |pick: fn(&Number, &Number) -> Number| all[1..].iter().fold(all[0].clone(), |a, b| pick(&a, b));
    [end(least), end(greatest)]
}

impl Range {
    fn all() -> Range {
        Range { ends: Some([infinity(true), infinity(false)]), nan: true }
    }

    /// The values with keys between these.
    fn between(format: Format, [low, high]: [&BigUint; 2]) -> Range {
        let most = turned(format, &(BigUint::from(format.special()) << format.fraction()), false);
        let end = |key: &BigUint| {
            let is_negative = !key.bit(u64::from(format.width()) - 1);
            number(format, &turned(format, key, is_negative)).unwrap_or_else(|| infinity(is_negative))
        };
        Range { ends: (low <= &most).then(|| [end(low), end(high)]), nan: high > &most }
    }

    fn neg(&self) -> Range {
        Range { ends: self.ends.as_ref().map(|[low, high]| [-high, -low]), ..*self }
    }

    fn abs(&self) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        let most = greatest(&-low, high);
        let low = greatest(&Number::default(), &greatest(low, &-high));
        Range { ends: Some([low, most]), ..*self }
    }

    /// The numbers between the less and the greater ends of both; NaN if both may be.
    fn joined(&self, other: &Range, pick: [fn(&Number, &Number) -> Number; 2]) -> Range {
        let ends = match (&self.ends, &other.ends) {
            (Some([a, b]), Some([c, d])) => Some([pick[0](a, c), pick[1](b, d)]),
            (ends, None) | (None, ends) => ends.clone(),
        };
        Range { ends, nan: self.nan && other.nan }
    }

    fn union(&self, other: &Range) -> Range {
        Range { nan: self.nan || other.nan, ..self.joined(other, [least, greatest]) }
    }

    /// Beside NaN the other one is the minimum.
    fn min(&self, other: &Range) -> Range {
        self.joined(other, [least, if self.nan || other.nan { greatest } else { least }])
    }

    /// The exact results of two operands.
    fn exact(op: F, x: &Range, y: &Range, places: u32) -> Range {
        let mut nan = x.nan || y.nan;
        let (Some(a), Some(b)) = (&x.ends, &y.ends) else { return Range { ends: None, nan } };
        let is_open = |x, y| has_zero(x) && has_infinity(y);
        let ends = match op {
            F::Add => {
                nan |= has_infinity(a) && has_infinity(b);
                [a[0].plus(&b[0]), a[1].plus(&b[1])]
            }
            F::Mul => {
                nan |= is_open(a, b) || is_open(b, a);
                corners(a, b, Number::times)
            }
            _ if has_zero(b) => return Range::all(),
            _ => {
                nan |= has_infinity(a) && has_infinity(b);
                corners(a, b, |x, y| quotient(x, y, places))
            }
        };
        Range { ends: Some(ends), nan }
    }

    fn sqrt(&self, places: u32) -> Range {
        let Some([low, high]) = &self.ends else { return self.clone() };
        let ends = [root(&greatest(low, &Number::default()), places), root(high, places)];
        let [is_below, is_all_below] = [low, high].map(|end| sign(end) == Sign::Minus);
        Range { ends: (!is_all_below).then_some(ends), nan: self.nan || is_below }
    }

    fn mapped(&self, modes: [u8; 2], of: impl Fn(&Number, u8) -> Number) -> Range {
        Range { ends: self.ends.as_ref().map(|[a, b]| [of(a, modes[0]), of(b, modes[1])]), ..*self }
    }

    fn less(&self, other: &Range) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        [self.nan || other.nan || !c.is_above(b), d.is_above(a)]
    }

    fn at_most(&self, other: &Range) -> Truth {
        let (Some([a, b]), Some([c, d])) = (&self.ends, &other.ends) else { return [true, false] };
        [self.nan || other.nan || b.is_above(c), !a.is_above(d)]
    }

    fn equal(&self, other: &Range) -> Truth {
        and(self.at_most(other), other.at_most(self))
    }

    /// NaN is the same as itself, and zeros of different signs are not.
    fn same(&self, other: &Range) -> Truth {
        let [no, yes] = self.equal(other);
        let is_zero = self.ends.as_ref().is_some_and(has_zero);
        let is_nan = self.ends.is_none() && other.ends.is_none();
        [(no || is_zero) && !is_nan, yes || self.nan && other.nan]
    }

    /// Whether it is a number between two.
    fn within(&self, low: Number, high: Number) -> Truth {
        let [low, high] = [low, high].map(|end| Range { ends: Some([end.clone(), end]), nan: false });
        and(low.at_most(self), self.at_most(&high))
    }

    fn class(&self, op: F, format: Format) -> Option<Truth> {
        let (zero, one) = (Number::default(), BigUint::from(1u8));
        let at = |bits: BigUint| number(format, &bits).unwrap_or_default();
        let (hidden, special) =
            (&one << format.fraction(), BigUint::from(format.special()) << format.fraction());
        Some(match op {
            F::IsNan => [self.ends.is_some(), self.nan],
            F::IsZero => self.within(zero.clone(), zero),
            F::IsInfinite => self.abs().within(infinity(false), infinity(false)),
            F::IsNormal => self.abs().within(at(hidden), at(special - one)),
            F::IsSubnormal => self.abs().within(at(one.clone()), at(hidden - one)),
            F::IsNegative => self.neg().class(F::IsPositive, format)?,
            F::IsPositive => {
                let [no, yes] = self.within(zero, infinity(false));
                [no || self.ends.as_ref().is_some_and(has_zero), yes]
            }
            _ => return None,
        })
    }
}

/// What assertions want of terms, and the terms that symbols are equal to.
type Said = (Vec<(Term, bool)>, FxHashMap<Term, Term>);

/// A symbol is rather what is computed than another symbol.
fn said(terms: &Terms, formulas: &[Term]) -> Result<Said, String> {
    let mut wanted: Vec<(Term, bool)> = vec![];
    let mut todo: Vec<(Term, bool)> = formulas.iter().map(|&formula| (formula, true)).collect();
    while let Some((term, truth)) = todo.pop() {
        terms.budget.take(40, 32)?;
        let args = terms.args(term);
        match (terms.op(term), truth) {
            (Op::Not, _) => todo.push((args[0], !truth)),
            (Op::And, true) | (Op::Or, false) => todo.extend(args.iter().map(|&arg| (arg, truth))),
            _ => wanted.push((term, truth)),
        }
    }
    let mut definitions = FxHashMap::default();
    let is_symbol = |term: Term| matches!(terms.op(term), Op::Symbol(_));
    for of_symbols in [false, true] {
        for &(term, truth) in &wanted {
            let (Op::Eq | Op::Float(F::Eq), &[a, b], true) = (terms.op(term), terms.args(term), truth) else {
                continue;
            };
            let is_free = |symbol| is_symbol(symbol) && !definitions.contains_key(&symbol);
            let free = [(a, b), (b, a)].into_iter().find(|&(symbol, _)| is_free(symbol));
            definitions.extend(free.filter(|_| (is_symbol(a) && is_symbol(b)) == of_symbols));
        }
    }
    Ok((wanted, definitions))
}

impl Boxes {
    /// What these formulas say together.
    pub fn new(lowering: &Lowering, terms: &Terms, formulas: &[Term]) -> Result<Boxes, String> {
        let (wanted, definitions) = said(terms, formulas)?;
        let mut boxes = Boxes::default();
        let (mut stack, mut seen) = (vec![], FxHashSet::default());
        stack.extend(wanted.iter().map(|&(term, _)| (term, false)));
        while let Some((term, is_done)) = stack.pop() {
            terms.budget.take(60, 300)?;
            let definition = definitions.get(&term);
            let args = definition.map_or(terms.args(term), std::slice::from_ref);
            let is_looked_at =
                |&arg: &Term| matches!(terms.kind_of(arg), SortKind::Bool | SortKind::Float(_));
            if is_done {
                boxes.places.insert(term, boxes.nodes.len());
                boxes.add(lowering, terms, term, (args, definition.is_some()));
            } else if seen.insert(term) {
                stack.push((term, true));
                // Of words, modes and reals nothing is known but what is constant.
                stack.extend(args.iter().copied().filter(is_looked_at).map(|arg| (arg, false)));
            }
        }
        for (term, truth) in wanted {
            boxes.nodes[boxes.places[&term]].wanted = Some(truth);
        }
        Ok(boxes)
    }

    /// Where a term stands.
    pub fn place(&self, term: Term) -> Option<usize> {
        self.places.get(&term).copied()
    }

    /// Adds a term; of arguments that were not added, since the term defines them, nothing is known.
    fn add(&mut self, lowering: &Lowering, terms: &Terms, term: Term, (args, is_same): (&[Term], bool)) {
        let format = match terms.kind_of(term) {
            SortKind::Float(format) if format.exponent <= 15 && format.width() <= 128 => Some(format),
            _ => None,
        };
        let image = |term| terms.as_value(lowering.known(term)?).cloned();
        let bits = match (terms.op(term), terms.args(term)) {
            (Op::Float(F::FromBits(_)), &[bits]) => word(terms, bits),
            _ => image(term),
        };
        let value = format.zip(bits).filter(|_| !is_same).map(|(format, bits)| {
            let key = turned(format, &bits, bits.bit(u64::from(format.width()) - 1));
            Known::Number(Range::between(format, [&key, &key]))
        });
        let mode = args.first().and_then(|&mode| u8::try_from(&image(mode)?).ok());
        let modes = mode.map_or([3, 2], |mode| [mode; 2]);
        let args = args.iter().map(|&arg| self.place(arg)).collect();
        let op = (!is_same).then(|| terms.op(term));
        self.nodes.push(Node { op, args, format, modes, value, wanted: None });
    }

    /// What an operator makes of what is known of its arguments.
    fn made(&self, node: &Node, known: &[Option<Known>]) -> Option<Known> {
        let arg = |at: usize| known[(*node.args.get(at)?)?].as_ref();
        let x = |at: usize| if let Known::Number(range) = arg(at)? { Some(range) } else { None };
        let truth = |at: usize| if let Some(&Known::Truth(truth)) = arg(at) { truth } else { [true; 2] };
        Some(Known::Truth(match node.op {
            None => return arg(0).cloned(),
            Some(Op::True) => [false, true],
            Some(Op::False) => [true, false],
            Some(Op::Not) => not(truth(0)),
            Some(Op::And) => and(truth(0), truth(1)),
            Some(Op::Or) => match self.at_most(node) {
                Some([a, b]) => match (&known[a], &known[b]) {
                    (Some(Known::Number(a)), Some(Known::Number(b))) => a.at_most(b),
                    _ => return None,
                },
                None => not(and(not(truth(0)), not(truth(1)))),
            },
            Some(Op::Xor) => not(same(truth(0), truth(1))),
            Some(Op::Eq) => match (arg(0)?, arg(1)?) {
                (Known::Number(a), Known::Number(b)) => a.same(b),
                _ => same(truth(0), truth(1)),
            },
            Some(Op::Ite) => match (truth(0), arg(1)?, arg(2)?) {
                ([false, _], yes, _) => return Some(yes.clone()),
                ([_, false], _, no) => return Some(no.clone()),
                (_, Known::Number(a), Known::Number(b)) => return Some(Known::Number(a.union(b))),
                _ => [0, 1].map(|at| truth(1)[at] || truth(2)[at]),
            },
            Some(Op::Float(F::Lt)) => x(0)?.less(x(1)?),
            Some(Op::Float(F::Eq)) => x(0)?.equal(x(1)?),
            Some(Op::Float(op)) => match node.format {
                Some(format) => return number_of(op, format, node.modes, &x).map(Known::Number),
                None => x(0)?.class(op, self.nodes[node.args[0]?].format?)?,
            },
            _ => return None,
        }))
    }

    /// The sides of a disjunction that says that one is at most the other.
    fn at_most(&self, node: &Node) -> Option<[usize; 2]> {
        let (less, equal) = (&self.nodes[node.args[0]?], &self.nodes[node.args[1]?]);
        let is_one = less.op == Some(Op::Float(F::Lt)) && equal.op == Some(Op::Float(F::Eq));
        let [Some(less_than), Some(other)] = less.args[..] else { return None };
        (is_one && less.args == equal.args).then_some([less_than, other])
    }

    /// Whether a formula is false on a box.
    pub fn is_refuted_on(&self, terms: &Terms, keys: &Keys) -> Result<bool, String> {
        let mut known: Vec<Option<Known>> = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            terms.budget.take(80 + node.format.map_or(0, |format| 1 << format.exponent >> 4), 0)?;
            let mut value = node.value.clone().or_else(|| self.made(node, &known));
            if let (None, Some(format)) = (&value, node.format) {
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
        let mut stack = vec![Keys::default()];
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
            let size = 1 + keys.len() as u64;
            terms.budget.take(40 * size, 100 * size)?;
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

/// The values of an operator on numbers.
fn number_of<'a>(
    op: F,
    format: Format,
    modes: [u8; 2],
    x: &impl Fn(usize) -> Option<&'a Range>,
) -> Option<Range> {
    let places = format.significand;
    let exact = match op {
        F::Neg => x(0)?.neg(),
        F::Abs => x(0)?.abs(),
        F::Min => x(0)?.min(x(1)?),
        F::Max => x(0)?.neg().min(&x(1)?.neg()).neg(),
        F::Add | F::Mul | F::Div => Range::exact(op, x(1)?, x(2)?, places),
        F::Fma => Range::exact(F::Add, &Range::exact(F::Mul, x(1)?, x(2)?, places), x(3)?, places),
        F::Sqrt => x(1)?.sqrt(places),
        F::Integral => x(1)?.mapped(modes, |number, mode| nearest(number, u32::MAX, 0, mode)),
        F::FromFloat(_) => x(1)?.clone(),
        _ => return None,
    };
    Some(exact.mapped(modes, |number, mode| rounded(number, format, mode)))
}
