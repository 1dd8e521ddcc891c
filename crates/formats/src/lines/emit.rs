//! Terms as numbered lines, for the printers of BTOR and BTOR2.
//!
//! Each term becomes a line after those of its children, in the order of ids, without recursion. What a
//! reader adds to go from bits to Booleans is left out again (see `bits`), so a text that was read comes
//! out as it was, but for numbers. Operators that the formats do not have are written with those they have:
//! long argument lists as chains, rotations and repetitions by constants as slices and concatenations,
//! `bvcomp` as `eq`, `bvnego` as a comparison. Constants are written where they are first used.
//!
//! Cost: a line and two hash look-ups a term.

use crate::lines::bits::{converted_bit, converted_condition};
use crate::lines::operators;
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, TermMap};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use thiserror::Error;

/// What a format cannot express.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("{language} cannot express {what}")]
pub struct Inexpressible {
    /// The format.
    pub language: &'static str,
    /// What it has no words for, for example "functions ('f')".
    pub what: String,
}

/// Which of the two formats is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Btor,
    Btor2,
}

/// The sort of a line: the width of its elements, and that of its indices if it is an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) width: u32,
    pub(crate) index: Option<u32>,
}

/// A text that grows line by line.
pub(crate) struct Emitter<'p> {
    pub(crate) pool: &'p Pool,
    dialect: Dialect,
    text: String,
    last: u64,
    sorts: FxHashMap<Shape, u64>,
    constants: FxHashMap<BitVec, u64>,
    /// The lines of terms that are no constants.
    images: TermMap<u64>,
    /// Names of terms, to be written behind their lines.
    names: TermMap<&'p str>,
}

impl<'p> Emitter<'p> {
    pub(crate) fn new(pool: &'p Pool, dialect: Dialect) -> Emitter<'p> {
        Emitter {
            pool,
            dialect,
            text: String::new(),
            last: 0,
            sorts: FxHashMap::default(),
            constants: FxHashMap::default(),
            images: TermMap::new(),
            names: TermMap::new(),
        }
    }

    /// The text so far.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Writes `name` behind the line of `term`, which has not been written yet.
    pub(crate) fn name(&mut self, term: Term, name: &'p str) {
        self.names.insert(term, name);
    }

    /// The line `number` stands for `term` from now on.
    pub(crate) fn set(&mut self, term: Term, number: u64) {
        self.images.insert(term, number);
    }

    pub(crate) fn inexpressible(&self, what: impl Into<String>) -> Inexpressible {
        let language = if self.dialect == Dialect::Btor { "BTOR" } else { "BTOR2" };
        Inexpressible { language, what: what.into() }
    }

    /// The shape of a sort.
    pub(crate) fn shape(&self, sort: Sort) -> Result<Shape, Inexpressible> {
        let scalar = |sort: Sort| if sort.is_bool() { Some(1) } else { sort.width() };
        let shape = match self.pool.sorts().array_parts(sort) {
            None => scalar(sort).map(|width| Shape { width, index: None }),
            Some((index, element)) => {
                let parts = scalar(element).zip(scalar(index));
                parts.map(|(width, index)| Shape { width, index: Some(index) })
            }
        };
        shape.ok_or_else(|| self.inexpressible(format!("the sort {}", self.pool.sorts().display(sort))))
    }

    /// Writes a line; returns its number.
    pub(crate) fn line(&mut self, content: std::fmt::Arguments<'_>) -> u64 {
        self.last += 1;
        writeln!(self.text, "{} {content}", self.last).expect("a string can be written to");
        self.last
    }

    /// The sort of a line as it is written behind the operator: the number of its line in BTOR2, widths in
    /// BTOR.
    pub(crate) fn sort(&mut self, shape: Shape) -> String {
        match (self.dialect, shape.index) {
            (Dialect::Btor, None) => shape.width.to_string(),
            (Dialect::Btor, Some(index)) => format!("{} {index}", shape.width),
            (Dialect::Btor2, _) => self.sort_line(shape).to_string(),
        }
    }

    fn sort_line(&mut self, shape: Shape) -> u64 {
        if let Some(&number) = self.sorts.get(&shape) {
            return number;
        }
        let number = match shape.index {
            None => self.line(format_args!("sort bitvec {}", shape.width)),
            Some(width) => {
                let index = self.sort_line(Shape { width, index: None });
                let element = self.sort_line(Shape { width: shape.width, index: None });
                self.line(format_args!("sort array {index} {element}"))
            }
        };
        self.sorts.insert(shape, number);
        number
    }

    /// Writes the line of an operator over lines; returns its number.
    pub(crate) fn node(&mut self, op: &str, shape: Shape, args: &[u64], numbers: &[u32]) -> u64 {
        self.named_node(op, shape, args, numbers, None)
    }

    fn named_node(
        &mut self,
        op: &str,
        shape: Shape,
        args: &[u64],
        numbers: &[u32],
        name: Option<&str>,
    ) -> u64 {
        let op = match (self.dialect, op) {
            (Dialect::Btor, "neq") => "ne",
            (Dialect::Btor, "ite") if shape.index.is_some() => "acond",
            (Dialect::Btor, "ite") => "cond",
            _ => op,
        };
        let mut content = format!("{op} {}", self.sort(shape));
        for number in args.iter().copied().chain(numbers.iter().map(|&number| number.into())) {
            write!(content, " {number}").expect("a string can be written to");
        }
        if let Some(name) = name.filter(|_| self.dialect == Dialect::Btor2) {
            content.push(' ');
            content.push_str(&symbol(name));
        }
        self.line(format_args!("{content}"))
    }

    /// A line of one width over lines of the same width or any others.
    pub(crate) fn word(&mut self, op: &str, width: u32, args: &[u64]) -> u64 {
        self.node(op, Shape { width, index: None }, args, &[])
    }

    /// The line of a constant.
    pub(crate) fn constant(&mut self, value: &BitVec) -> u64 {
        if let Some(&number) = self.constants.get(value) {
            return number;
        }
        let sort = self.sort(Shape { width: value.width(), index: None });
        let number = match value {
            value if value.is_zero() => self.line(format_args!("zero {sort}")),
            value if value.is_one() => self.line(format_args!("one {sort}")),
            value if value.is_ones() => self.line(format_args!("ones {sort}")),
            value => self.line(format_args!("const {sort} {value:b}")),
        };
        self.constants.insert(value.clone(), number);
        number
    }

    /// The line of a term whose line, or a constant, is or can be written at once.
    pub(crate) fn number(&mut self, term: Term) -> u64 {
        if let Some(value) = self.pool.as_bool(term) {
            return self.constant(&BitVec::from_bool(value));
        }
        match self.pool.as_bitvec(term) {
            Some(value) => self.constant(&value),
            None => *self.images.get(term).expect("children come first"),
        }
    }

    /// Writes the lines of terms, which come after their children, as far as they have none.
    ///
    /// # Errors
    ///
    /// When a term has no words in the format.
    pub(crate) fn write(&mut self, terms: &[Term]) -> Result<(), Inexpressible> {
        for &term in terms {
            if self.pool.is_const(term) || self.images.contains(term) {
                continue;
            }
            let below = converted_bit(self.pool, term).or_else(|| converted_condition(self.pool, term));
            let number = match below {
                Some(below) => self.number(below),
                None => self.term(term)?,
            };
            self.images.insert(term, number);
        }
        Ok(())
    }

    /// Writes the line of a term whose children have theirs.
    fn term(&mut self, term: Term) -> Result<u64, Inexpressible> {
        let shape = self.shape(self.pool.sort(term))?;
        let name = self.names.get(term).copied();
        let op = self.pool.op(term);
        let args = self.pool.args(term);
        let width_of = |arg: Term| self.pool.width(arg).unwrap_or(1);
        match op {
            Op::Symbol => {
                let name = self.pool.name(term).unwrap_or_default();
                return Err(self.inexpressible(format!("'{name}', which is neither a state nor an input")));
            }
            Op::Apply => {
                let name = self.pool.name(args[0]).unwrap_or_default();
                return Err(self.inexpressible(format!("functions ('{name}')")));
            }
            Op::ConstArray => return self.constant_array(term, shape),
            Op::BvNego => {
                let least = self.constant(&BitVec::min_signed(width_of(args[0])));
                let arg = self.number(args[0]);
                return Ok(self.named_node("eq", shape, &[arg, least], &[], name));
            }
            // BTOR has no reductions of one bit, which reduces to itself.
            Op::RedAnd | Op::RedOr | Op::RedXor
                if self.dialect == Dialect::Btor && width_of(args[0]) == 1 =>
            {
                return Ok(self.number(args[0]));
            }
            Op::BvUdivo => return Ok(self.constant(&BitVec::zero(1))),
            Op::RotateLeft | Op::RotateRight => return Ok(self.rotation(term, shape.width)),
            Op::Repeat => {
                let (copies, arg) = (self.pool.index(term), args[0]);
                let (number, width) = (self.number(arg), width_of(arg));
                let mut whole = number;
                for copy in 2..=copies {
                    whole = self.word("concat", copy * width, &[whole, number]);
                }
                return Ok(whole);
            }
            Op::Distinct if args.len() > 2 => return Ok(self.all_different(args)),
            _ => {}
        }
        let args = self.short_amount(op, args);
        let numbers: Vec<u64> = args.iter().map(|&arg| self.number(arg)).collect();
        let Some(word) = word_of(self.pool, term) else {
            return Err(self.inexpressible(format!("the operator '{}'", op.name())));
        };
        Ok(match (op, &numbers[..]) {
            (Op::Extract, _) => {
                let indices = self.pool.indices(term);
                self.named_node(word, shape, &numbers, &indices, name)
            }
            (Op::ZeroExtend | Op::SignExtend, _) => {
                self.named_node(word, shape, &numbers, &[self.pool.index(term)], name)
            }
            (Op::Implies, [rest @ .., last]) if rest.len() > 1 => {
                rest.iter().rev().fold(*last, |whole, &arg| self.word(word, 1, &[arg, whole]))
            }
            (Op::Eq, [_, _, _, ..]) => {
                let pairs: Vec<u64> = numbers.windows(2).map(|pair| self.word(word, 1, pair)).collect();
                self.chain("and", &pairs, |_| 1)
            }
            (Op::Concat, [_, _, _, ..]) => {
                let ends: Vec<u32> = args
                    .iter()
                    .scan(0, |sum, &arg| {
                        *sum += width_of(arg);
                        Some(*sum)
                    })
                    .collect();
                self.chain(word, &numbers, |i| ends[i])
            }
            (_, [_, _, _, ..]) if self.pool.is_variadic(term) => self.chain(word, &numbers, |_| shape.width),
            _ => self.named_node(word, shape, &numbers, &[], name),
        })
    }

    /// The arguments of a shift in BTOR with an amount of log2(w) bits, which all versions read, where that
    /// is what was extended; all other arguments as they are.
    fn short_amount(&self, op: Op, args: &[Term]) -> Vec<Term> {
        let mut args = args.to_vec();
        let is_shift =
            matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr | Op::ExtRotateLeft | Op::ExtRotateRight);
        if is_shift && self.dialect == Dialect::Btor && self.pool.op(args[1]) == Op::ZeroExtend {
            let width = self.pool.width(args[0]).unwrap_or(1);
            let amount = self.pool.args(args[1])[0];
            if width.is_power_of_two() && self.pool.width(amount) == Some(width.trailing_zeros()) {
                args[1] = amount;
            }
        }
        args
    }

    /// An operator from the left over several lines; `width` gives that of the result up to an argument.
    fn chain(&mut self, word: &str, numbers: &[u64], width: impl Fn(usize) -> u32) -> u64 {
        let mut whole = numbers[0];
        for (i, &next) in numbers.iter().enumerate().skip(1) {
            whole = self.word(word, width(i), &[whole, next]);
        }
        whole
    }

    fn all_different(&mut self, args: &[Term]) -> u64 {
        let numbers: Vec<u64> = args.iter().map(|&arg| self.number(arg)).collect();
        let mut pairs = Vec::new();
        for (i, &first) in numbers.iter().enumerate() {
            for &second in &numbers[i + 1..] {
                pairs.push(self.word("neq", 1, &[first, second]));
            }
        }
        self.chain("and", &pairs, |_| 1)
    }

    /// A rotation by a constant: the low part in front of the high part.
    fn rotation(&mut self, term: Term, width: u32) -> u64 {
        let amount = self.pool.index(term) % width;
        let arg = self.number(self.pool.args(term)[0]);
        let left = if self.pool.op(term) == Op::RotateLeft { amount } else { (width - amount) % width };
        if left == 0 {
            return arg;
        }
        let mut slice = |high: u32, low: u32| {
            self.node("slice", Shape { width: high - low + 1, index: None }, &[arg], &[high, low])
        };
        let parts = [slice(width - 1 - left, 0), slice(width - 1, width - left)];
        self.word("concat", width, &parts)
    }

    /// BTOR of Boolector 3 has functions; BTOR2 has constant arrays as initial values only.
    fn constant_array(&mut self, term: Term, shape: Shape) -> Result<u64, Inexpressible> {
        let Some(index) = shape.index.filter(|_| self.dialect == Dialect::Btor) else {
            return Err(self.inexpressible("constant arrays other than initial values"));
        };
        let element = self.number(self.pool.args(term)[0]);
        let parameter = self.line(format_args!("param {index}"));
        Ok(self.line(format_args!("lambda {} {index} {parameter} {element}", shape.width)))
    }
}

/// A name as one word.
pub(crate) fn symbol(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

/// The operator of a term in the words of BTOR2, if it has one.
fn word_of(pool: &Pool, term: Term) -> Option<&'static str> {
    let of_truths = || pool.sort(pool.args(term)[0]).is_bool();
    match pool.op(term) {
        Op::Not => operators::name_of(Op::BvNot),
        Op::And => operators::name_of(Op::BvAnd),
        Op::Or => operators::name_of(Op::BvOr),
        Op::Xor => operators::name_of(Op::BvXor),
        Op::Eq if of_truths() => Some("iff"),
        Op::Eq | Op::BvComp => Some("eq"),
        Op::Extract => Some("slice"),
        Op::ZeroExtend => Some("uext"),
        Op::SignExtend => Some("sext"),
        op => operators::name_of(op),
    }
}
