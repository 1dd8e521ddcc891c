//! A formula as a list of operations on the machine's floats.
//!
//! Each node comes after its arguments, so an evaluation is one pass. Numbers of single precision are kept as
//! doubles and rounded after each operation: twice as many digits and two more make that the same as rounding
//! once. A truth value is the distance to true and the distance to false, one of which is 0.

use super::definitions::ordered;
use bivalve_terms::float::{Float, Format, RoundingMode};
use bivalve_terms::{Assignment, Op, Pool, Term, TermMap, TheorySort, Value, cone};
use fastrand::Rng;

/// What a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A symbol, by its place: a number, or a truth value that is at least one half.
    Symbol,
    Truth,
    Constant,
    Add,
    Mul,
    Div,
    Sqrt,
    Neg,
    Abs,
    /// The number in another format, or itself.
    Round,
    Choice,
    True,
    Not,
    And,
    Or,
    Iff,
    Less,
    AtMost,
    Equal,
    Same,
    IsNan,
    IsInfinite,
    IsZero,
    IsNegative,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    is_single: bool,
    args: [u32; 3],
}

/// A comparison of numbers and the truth value that it should have.
pub(super) struct Leaf {
    node: usize,
    wanted: bool,
}

/// Where the difference of the sides of a comparison should be: beside 0 or at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Below,
    Above,
    On,
}

/// A formula that can be evaluated.
pub(super) struct Tape {
    nodes: Vec<Node>,
    numbers: Vec<f64>,
    /// How far the nodes are from true and from false.
    distances: Vec<[f64; 2]>,
    roots: Vec<u32>,
    of_terms: TermMap<u32>,
    /// The symbols, their nodes and formats; truth values have none.
    symbols: Vec<(Term, u32, Option<Format>)>,
    /// Symbols that are terms, with the nodes of these.
    defined: Vec<(Term, u32, Option<Format>)>,
    modes: Vec<Term>,
    /// The constants of the formula.
    pub(super) constants: Vec<f64>,
    /// The nodes have values of an assignment that was taken back.
    pub(super) is_stale: bool,
}

/// The farthest that two numbers are apart, on a scale of logarithms; NaN is that far from everything.
const FARTHEST: f64 = 128.0;

impl Tape {
    /// The formulas, if they are about machine floats.
    pub(super) fn new(pool: &Pool, formulas: &[Term]) -> Option<Tape> {
        let mut tape = Tape {
            nodes: vec![],
            numbers: vec![],
            distances: vec![],
            roots: vec![],
            of_terms: TermMap::new(),
            symbols: vec![],
            defined: vec![],
            modes: vec![],
            constants: vec![],
            is_stale: true,
        };
        let (terms, definitions) = ordered(pool, formulas);
        for term in terms {
            match definitions.get(term) {
                None => tape.read(pool, term)?,
                Some(&definition) => {
                    let &node = tape.of_terms.get(definition)?;
                    tape.of_terms.insert(term, node);
                    tape.defined.push((term, node, pool.float_format(term)));
                }
            }
        }
        tape.roots =
            formulas.iter().map(|&formula| tape.of_terms.get(formula).copied()).collect::<Option<_>>()?;
        let has_numbers = tape.symbols.iter().any(|(_, _, format)| format.is_some());
        has_numbers.then_some(tape)
    }

    fn push(&mut self, kind: Kind, is_single: bool, args: &[u32]) -> u32 {
        let mut all = [0; 3];
        all[..args.len()].copy_from_slice(args);
        self.nodes.push(Node { kind, is_single, args: all });
        self.numbers.push(0.0);
        self.distances.push([0.0; 2]);
        self.nodes.len() as u32 - 1
    }

    /// Makes a node for a term whose arguments have theirs; rounding modes have none.
    fn read(&mut self, pool: &Pool, term: Term) -> Option<()> {
        let op = pool.op(term);
        let format = pool.float_format(term);
        if format.is_some_and(|format| format != Format::FLOAT32 && format != Format::FLOAT64) {
            return None;
        }
        if format.is_none() && !pool.sort(term).is_bool() {
            return self.mode(pool, term);
        }
        let is_single = format == Some(Format::FLOAT32);
        let mut args = vec![];
        for &arg in pool.args(term) {
            args.extend(self.of_terms.get(arg).copied());
        }
        let node = match (op, &args[..]) {
            (Op::Symbol, _) => {
                let kind = if format.is_some() { Kind::Symbol } else { Kind::Truth };
                let node = self.push(kind, is_single, &[self.symbols.len() as u32]);
                self.symbols.push((term, node, format));
                node
            }
            (Op::Const, _) => match pool.as_bool(term) {
                Some(value) => {
                    let node = self.push(Kind::True, false, &[]);
                    if value { node } else { self.push(Kind::Not, false, &[node]) }
                }
                None => self.constant(machine(&pool.as_float(term)?)?, is_single),
            },
            (Op::FpFromReal | Op::FpFields | Op::FpFromBits, _) => {
                // Of constants alone.
                let is_constant = cone(pool, &[term]).iter().all(|&part| pool.op(part) != Op::Symbol);
                let value = is_constant.then(|| bivalve_terms::eval(pool, term, &Assignment::new()))?;
                self.constant(machine(value.as_float()?)?, is_single)
            }
            (Op::FpAdd, &[a, b]) => self.push(Kind::Add, is_single, &[a, b]),
            (Op::FpSub, &[a, b]) => {
                let minus = self.push(Kind::Neg, is_single, &[b]);
                self.push(Kind::Add, is_single, &[a, minus])
            }
            (Op::FpMul, &[a, b]) => self.push(Kind::Mul, is_single, &[a, b]),
            (Op::FpDiv, &[a, b]) => self.push(Kind::Div, is_single, &[a, b]),
            (Op::FpSqrt, &[a]) => self.push(Kind::Sqrt, is_single, &[a]),
            (Op::FpNeg, &[a]) => self.push(Kind::Neg, is_single, &[a]),
            (Op::FpAbs, &[a]) => self.push(Kind::Abs, is_single, &[a]),
            (Op::FpFromFloat, &[a]) => self.push(Kind::Round, is_single, &[a]),
            (Op::Ite, &[c, a, b]) if format.is_some() => self.push(Kind::Choice, is_single, &[c, a, b]),
            (Op::Ite, &[c, a, b]) => {
                let not = self.push(Kind::Not, false, &[c]);
                let parts = [self.push(Kind::And, false, &[c, a]), self.push(Kind::And, false, &[not, b])];
                self.push(Kind::Or, false, &parts)
            }
            (Op::Not, &[a]) => self.push(Kind::Not, false, &[a]),
            (Op::And, all) => self.folded(Kind::And, all)?,
            (Op::Or, all) => self.folded(Kind::Or, all)?,
            (Op::Xor, &[a, b]) => {
                let iff = self.push(Kind::Iff, false, &[a, b]);
                self.push(Kind::Not, false, &[iff])
            }
            (Op::Implies, [first @ .., last]) => {
                let not: Vec<u32> = first.iter().map(|&a| self.push(Kind::Not, false, &[a])).collect();
                self.folded(Kind::Or, &[&not[..], &[*last]].concat())?
            }
            (Op::FpLt, all) => self.chain(Kind::Less, all, false)?,
            (Op::FpLe, all) => self.chain(Kind::AtMost, all, false)?,
            (Op::FpGt, all) => self.chain(Kind::Less, all, true)?,
            (Op::FpGe, all) => self.chain(Kind::AtMost, all, true)?,
            (Op::FpEq, all) => self.chain(Kind::Equal, all, false)?,
            (Op::Eq, all) => {
                let is_bool = pool.sort(*pool.args(term).first()?).is_bool();
                self.chain(if is_bool { Kind::Iff } else { Kind::Same }, all, false)?
            }
            (Op::Distinct, &[a, b]) => {
                let is_bool = pool.sort(*pool.args(term).first()?).is_bool();
                let same = self.push(if is_bool { Kind::Iff } else { Kind::Same }, false, &[a, b]);
                self.push(Kind::Not, false, &[same])
            }
            (Op::FpIsNan, &[a]) => self.push(Kind::IsNan, false, &[a]),
            (Op::FpIsInfinite, &[a]) => self.push(Kind::IsInfinite, false, &[a]),
            (Op::FpIsZero, &[a]) => self.push(Kind::IsZero, false, &[a]),
            (Op::FpIsNegative, &[a]) => self.push(Kind::IsNegative, false, &[a]),
            _ => return None,
        };
        self.of_terms.insert(term, node);
        Some(())
    }

    /// A rounding mode: to the nearest, or a symbol, which becomes that; and the parts of constants.
    fn mode(&mut self, pool: &Pool, term: Term) -> Option<()> {
        match pool.as_value(term) {
            Some(value) => match value.as_rounding_mode() {
                Some(mode) => (mode == RoundingMode::NearestEven).then_some(()),
                None => Some(()),
            },
            None => {
                let is_mode = pool.sorts().as_theory(pool.sort(term)) == Some(TheorySort::RoundingMode);
                self.modes.push(term);
                (is_mode && pool.op(term) == Op::Symbol).then_some(())
            }
        }
    }

    fn constant(&mut self, value: f64, is_single: bool) -> u32 {
        let node = self.push(Kind::Constant, is_single, &[]);
        self.numbers[node as usize] = value;
        if !self.constants.iter().any(|known| known.to_bits() == value.to_bits()) {
            self.constants.push(value);
        }
        node
    }

    fn folded(&mut self, kind: Kind, all: &[u32]) -> Option<u32> {
        let (&first, rest) = all.split_first()?;
        Some(rest.iter().fold(first, |a, &b| self.push(kind, false, &[a, b])))
    }

    fn chain(&mut self, kind: Kind, all: &[u32], turned: bool) -> Option<u32> {
        let pairs: Vec<u32> = all
            .windows(2)
            .map(|pair| {
                let args = if turned { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                self.push(kind, false, &args)
            })
            .collect();
        self.folded(Kind::And, &pairs)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of symbols.
    pub(super) fn symbols(&self) -> usize {
        self.symbols.len()
    }

    pub(super) fn is_single(&self, symbol: usize) -> bool {
        self.symbols[symbol].2 == Some(Format::FLOAT32)
    }

    /// The value that a symbol can have next to this one.
    pub(super) fn fitting(&self, symbol: usize, value: f64) -> f64 {
        match self.symbols[symbol].2 {
            None => f64::from(u8::from(value >= 0.5)),
            Some(format) => rounded(value, format == Format::FLOAT32),
        }
    }

    /// The value of a symbol that is so many floats away.
    pub(super) fn moved(&self, symbol: usize, value: f64, by: i64) -> f64 {
        match self.symbols[symbol].2 {
            None => 1.0 - value,
            Some(format) => from_place(place(value, format == Format::FLOAT32).saturating_add(by), format),
        }
    }

    /// The assignment of these values, of which the nodes have theirs.
    pub(super) fn assignment(&self, values: &[f64]) -> Assignment {
        let mut assignment = Assignment::new();
        let symbols =
            self.symbols.iter().zip(values).map(|(&(symbol, _, format), &value)| (symbol, format, value));
        let defined = self.defined.iter().map(|&(symbol, node, format)| {
            let is_true = f64::from(u8::from(self.distances[node as usize][0] <= 0.0));
            (symbol, format, if format.is_some() { self.numbers[node as usize] } else { is_true })
        });
        for (symbol, format, value) in symbols.chain(defined) {
            match format {
                None => assignment.set(symbol, value >= 0.5),
                Some(format) => {
                    let bits = match format == Format::FLOAT32 {
                        true => u128::from((value as f32).to_bits()),
                        false => u128::from(value.to_bits()),
                    };
                    let float = Float::from_u128(format, bits).unwrap_or_else(|| Float::nan(format));
                    assignment.set(symbol, Value::from(float));
                }
            }
        }
        self.modes.iter().for_each(|&mode| assignment.set(mode, Value::from(RoundingMode::NearestEven)));
        assignment
    }

    /// How far the formulas are from true.
    pub(super) fn evaluate(&mut self, values: &[f64]) -> f64 {
        self.is_stale = false;
        for at in 0..self.nodes.len() {
            let Node { kind, is_single, args } = self.nodes[at];
            let [a, b, c] = args.map(|arg| arg as usize);
            let number = |at: usize| self.numbers[at];
            let truth = |at: usize| self.distances[at];
            match kind {
                Kind::Constant => {}
                Kind::Symbol => self.numbers[at] = values[a],
                Kind::Add => self.numbers[at] = rounded(number(a) + number(b), is_single),
                Kind::Mul => self.numbers[at] = rounded(number(a) * number(b), is_single),
                Kind::Div => self.numbers[at] = rounded(number(a) / number(b), is_single),
                Kind::Sqrt => self.numbers[at] = rounded(number(a).sqrt(), is_single),
                Kind::Neg => self.numbers[at] = -number(a),
                Kind::Abs => self.numbers[at] = number(a).abs(),
                Kind::Round => self.numbers[at] = rounded(number(a), is_single),
                Kind::Choice => self.numbers[at] = number(if truth(a)[0] <= 0.0 { b } else { c }),
                Kind::Truth => {
                    let is_true = values[a] >= 0.5;
                    self.distances[at] = if is_true { [0.0, 1.0] } else { [1.0, 0.0] };
                }
                Kind::True => self.distances[at] = [0.0, FARTHEST],
                Kind::Not => self.distances[at] = [truth(a)[1], truth(a)[0]],
                Kind::And => {
                    let (x, y) = (truth(a), truth(b));
                    self.distances[at] = [x[0] + y[0], x[1].min(y[1])];
                }
                Kind::Or => {
                    let (x, y) = (truth(a), truth(b));
                    self.distances[at] = [x[0].min(y[0]), x[1] + y[1]];
                }
                Kind::Iff => {
                    let ([x, not_x], [y, not_y]) = (truth(a), truth(b));
                    self.distances[at] = [(x + y).min(not_x + not_y), (x + not_y).min(not_x + y)];
                }
                _ => self.distances[at] = compared(kind, number(a), number(b), self.nodes[a].is_single),
            }
        }
        self.roots.iter().map(|&root| self.distances[root as usize][0]).sum()
    }

    /// Evaluates again what is of another assignment.
    pub(super) fn refresh(&mut self, values: &[f64]) {
        if self.is_stale {
            self.evaluate(values);
        }
    }

    /// A comparison that is not as is wanted, on a way down from a formula that is false.
    pub(super) fn wrong(&mut self, rng: &mut Rng) -> Option<Leaf> {
        let wrong: Vec<u32> =
            self.roots.iter().copied().filter(|&root| self.distances[root as usize][0] > 0.0).collect();
        let (mut at, mut wanted) = (*wrong.get(rng.usize(..wrong.len().max(1)))? as usize, true);
        loop {
            let Node { kind, args: [a, b, _], .. } = self.nodes[at];
            let (a, b) = (a as usize, b as usize);
            match kind {
                Kind::Not => (at, wanted) = (a, !wanted),
                Kind::And | Kind::Or => {
                    let far = |at: usize| self.distances[at][usize::from(!wanted)];
                    let is_all = (kind == Kind::And) == wanted;
                    at = match (far(a) > 0.0, far(b) > 0.0) {
                        (true, false) if is_all => a,
                        (false, true) if is_all => b,
                        // Of what would do alone, the nearer one more often.
                        _ if !is_all && rng.u32(..3) > 0 => {
                            if far(a) <= far(b) {
                                a
                            } else {
                                b
                            }
                        }
                        _ => {
                            if rng.bool() {
                                a
                            } else {
                                b
                            }
                        }
                    };
                }
                Kind::Iff => {
                    let (changed, other) = if rng.bool() { (a, b) } else { (b, a) };
                    let is_true = self.distances[other][0] <= 0.0;
                    (at, wanted) = (changed, is_true == wanted);
                }
                _ => return Some(Leaf { node: at, wanted }),
            }
        }
    }

    /// Comparisons that make all formulas true together, those that are as is wanted already among them; of
    /// disjuncts the nearest.
    pub(super) fn wanted(&self, rng: &mut Rng) -> Vec<Leaf> {
        let mut todo: Vec<(usize, bool)> = self.roots.iter().map(|&root| (root as usize, true)).collect();
        let (mut seen, mut leaves) = (vec![false; self.nodes.len()], vec![]);
        while let Some((at, wanted)) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let Node { kind, args: [a, b, _], .. } = self.nodes[at];
            let (a, b) = (a as usize, b as usize);
            match kind {
                Kind::Not => todo.push((a, !wanted)),
                Kind::And | Kind::Or if (kind == Kind::And) == wanted => {
                    todo.extend([(a, wanted), (b, wanted)]);
                }
                Kind::And | Kind::Or => {
                    let far = |at: usize| self.distances[at][usize::from(!wanted)];
                    let is_first = far(a) < far(b) || far(a) <= far(b) && rng.bool();
                    todo.push((if is_first { a } else { b }, wanted));
                }
                Kind::Iff => {
                    let is_true = self.distances[a][0] <= 0.0;
                    todo.extend([(a, is_true), (b, is_true == wanted)]);
                }
                _ => leaves.push(Leaf { node: at, wanted }),
            }
        }
        leaves
    }

    /// The side where a comparison is as is wanted, if there is one.
    pub(super) fn side(&self, leaf: &Leaf) -> Option<Side> {
        match (self.nodes[leaf.node].kind, leaf.wanted) {
            (Kind::Less | Kind::AtMost, true) => Some(Side::Below),
            (Kind::Less | Kind::AtMost, false) => Some(Side::Above),
            (Kind::Equal | Kind::Same, true) => Some(Side::On),
            _ => None,
        }
    }

    /// The symbols below a comparison.
    pub(super) fn symbols_of(&self, leaf: &Leaf) -> Vec<usize> {
        let (mut seen, mut stack, mut found) = (vec![false; leaf.node + 1], vec![leaf.node], vec![]);
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let Node { kind, args, .. } = self.nodes[at];
            if matches!(kind, Kind::Symbol | Kind::Truth) {
                found.push(args[0] as usize);
            } else {
                stack.extend(args[..kind.arity()].iter().map(|&arg| arg as usize));
            }
        }
        found.sort_unstable();
        found
    }

    /// The difference of the sides of a comparison, a little beyond it where they must not be equal, and its
    /// derivative by each symbol.
    pub(super) fn slopes(&self, leaf: &Leaf) -> (f64, Vec<(usize, f64)>) {
        let Node { kind, args: [a, b, _], .. } = self.nodes[leaf.node];
        let (a, b) = (a as usize, b as usize);
        if kind.arity() != 2 {
            return (f64::NAN, vec![]);
        }
        let mut difference = self.numbers[a] - self.numbers[b];
        if matches!(kind, Kind::Less | Kind::AtMost) && (kind == Kind::Less) == leaf.wanted {
            let beyond = f64::EPSILON * self.numbers[a].abs().max(self.numbers[b].abs());
            difference += if leaf.wanted { beyond } else { -beyond };
        }
        let mut slopes = vec![0.0; leaf.node];
        slopes[a] += 1.0;
        slopes[b] -= 1.0;
        let mut found = vec![];
        for at in (0..leaf.node).rev() {
            let slope = slopes[at];
            if slope == 0.0 {
                continue;
            }
            let Node { kind, args, .. } = self.nodes[at];
            let [a, b, c] = args.map(|arg| arg as usize);
            match kind {
                Kind::Symbol => found.push((a, slope)),
                Kind::Add => {
                    slopes[a] += slope;
                    slopes[b] += slope;
                }
                Kind::Mul => {
                    slopes[a] += slope * self.numbers[b];
                    slopes[b] += slope * self.numbers[a];
                }
                Kind::Div => {
                    slopes[a] += slope / self.numbers[b];
                    slopes[b] -= slope * self.numbers[at] / self.numbers[b];
                }
                Kind::Sqrt => slopes[a] += slope / (2.0 * self.numbers[at]),
                Kind::Neg => slopes[a] -= slope,
                Kind::Abs => slopes[a] += slope * self.numbers[a].signum(),
                Kind::Round => slopes[a] += slope,
                Kind::Choice => slopes[if self.distances[a][0] <= 0.0 { b } else { c }] += slope,
                _ => {}
            }
        }
        (difference, found)
    }
}

impl Kind {
    fn arity(self) -> usize {
        match self {
            Kind::Symbol | Kind::Truth | Kind::Constant | Kind::True => 0,
            Kind::Choice => 3,
            Kind::Sqrt | Kind::Neg | Kind::Abs | Kind::Round | Kind::Not => 1,
            Kind::IsNan | Kind::IsInfinite | Kind::IsZero | Kind::IsNegative => 1,
            _ => 2,
        }
    }
}

/// The machine's float.
fn machine(value: &Float) -> Option<f64> {
    value.to_f64().or_else(|| value.to_f32().map(f64::from))
}

fn rounded(value: f64, is_single: bool) -> f64 {
    if is_single { f64::from(value as f32) } else { value }
}

/// The place of a number in the order of its format; zeros have one place, NaN has that of its bits.
fn place(value: f64, is_single: bool) -> i64 {
    let (bits, is_negative) = match is_single {
        true => (i64::from((value as f32).to_bits() & 0x7fff_ffff), value.is_sign_negative()),
        false => ((value.to_bits() & (u64::MAX >> 1)) as i64, value.is_sign_negative()),
    };
    if is_negative { -bits } else { bits }
}

/// The number at a place, or the infinity next to it.
fn from_place(place: i64, format: Format) -> f64 {
    let bits = place.unsigned_abs();
    let value = match format == Format::FLOAT32 {
        true => f64::from(f32::from_bits(bits.min(0x7f80_0000) as u32)),
        false => f64::from_bits(bits.min(0x7ff0_0000_0000_0000)),
    };
    if place < 0 { -value } else { value }
}

/// The logarithm of one more than a number, roughly: linear between powers of two.
fn scaled(apart: u64) -> f64 {
    let number = apart.saturating_add(1);
    let power = number.ilog2();
    f64::from(power) + number as f64 / (1u64 << power) as f64 - 1.0
}

/// How far a comparison is from true and from false.
fn compared(kind: Kind, a: f64, b: f64, is_single: bool) -> [f64; 2] {
    let truth = |holds: bool, far: f64| if holds { [0.0, far] } else { [far, 0.0] };
    match kind {
        Kind::IsNan => return truth(a.is_nan(), FARTHEST),
        Kind::IsInfinite => return truth(a.is_infinite(), FARTHEST / 2.0),
        Kind::IsZero => return truth(a == 0.0, scaled(place(a, is_single).unsigned_abs())),
        Kind::IsNegative => return truth(a.is_sign_negative() && !a.is_nan(), 1.0),
        _ => {}
    }
    if a.is_nan() || b.is_nan() {
        return truth(kind == Kind::Same && a.is_nan() && b.is_nan(), FARTHEST);
    }
    let far = scaled(place(a, is_single).abs_diff(place(b, is_single)));
    match kind {
        Kind::Less => truth(a < b, if a < b { far } else { far + 1.0 }),
        Kind::AtMost => truth(a <= b, if a <= b { far + 1.0 } else { far }),
        Kind::Equal => truth(a == b, far.max(1.0)),
        _ => truth(a.to_bits() == b.to_bits(), far.max(1.0)),
    }
}
