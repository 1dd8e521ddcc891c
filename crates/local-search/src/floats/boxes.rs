//! Boxes of inputs that are halved until a formula is false on each.
//!
//! An input is a number that no operator makes. In a box each input lies between two values, so each term
//! lies in an interval (`boxes/range.rs`), and a comparison may be true, or false, or both. If a formula
//! cannot be true, nothing in the box is a model; if all cannot be false, any point is one. Otherwise the
//! widest input is halved, in the order of packed words, in which there are as many numbers between 1/4 and
//! 1/2 as between 1 and 2. (Interval arithmetic with bisection: Moore 1966; of floats: Michel, Rueher and
//! Lebbah, *Solving constraints over floating-point numbers*, CP 2001.)
//!
//! First each input is cut, from below and from above, as far as that alone refutes a formula: so bounds need
//! not be read off comparisons. Symbols that the formulas define are what they are defined as.
//!
//! Cost: an operator at the ends of its arguments, some hundreds of nanoseconds, for each term and box. There
//! may be as many boxes as numbers, so steps are counted, and formulas over many inputs end at the deadline.

mod range;

use super::definitions::ordered;
use bivalve_limits::Deadline;
use bivalve_terms::float::num_bigint::BigUint;
use bivalve_terms::float::{Float, Format, Integers, Semantics};
use bivalve_terms::{Assignment, Op, Pool, Term, TermMap, TermSet, cone, eval};
use range::{Modes, Range, Truth, modes};

/// How boxes were split, each split before its parts: the values of an input whose key is at most this one,
/// and the others. `None` is a box on which a formula is false.
///
/// The key of a packed word is the word with its first bit turned, or with all bits turned if that one is
/// set. So keys are in the order of numbers, and the key of NaN is above that of infinity.
pub type Tree = Vec<Option<(Term, BigUint)>>;

/// What was found.
pub enum Found {
    /// The formulas at these positions have no model.
    Refuted(Vec<usize>, Tree),
    /// They are true under this assignment, or it is the only one in its box.
    Point(Assignment),
}

/// What formulas are, as far as boxes say before the deadline.
pub fn decided(pool: &Pool, formulas: &[Term], deadline: &Deadline) -> Option<Found> {
    let boxes = Boxes::new(pool, formulas, deadline)?;
    (!boxes.inputs.is_empty()).then(|| boxes.halved(deadline))?
}

/// Formats that intervals are computed for.
fn is_small(format: Format) -> bool {
    format.width() <= 128 && format.exponent_bits() <= 15
}

/// The key of a value.
fn key(value: &Float) -> u128 {
    let (bits, top) = (value.to_u128().unwrap_or(0), 1 << (value.format().width() - 1));
    if bits & top == 0 { bits | top } else { !bits & (top | (top - 1)) }
}

/// The value with a key.
fn value(format: Format, key: u128) -> Float {
    let top = 1 << (format.width() - 1);
    let bits = if key & top == 0 { !key & (top | (top - 1)) } else { key ^ top };
    Float::from_u128(format, bits).unwrap_or_else(|| Float::nan(format))
}

/// The values with keys between two.
fn between(format: Format, [low, high]: [u128; 2]) -> Range {
    let most = key(&Float::infinity(format, false));
    if low > most {
        return Range::of(&Float::nan(format));
    }
    Range::new(value(format, low), value(format, high.min(most)), high > most)
}

#[derive(Clone)]
enum Value {
    Number(Range),
    Truth(Truth),
    /// Of another sort.
    Other,
}

/// Where the value of a term comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It does not change, or nothing is known of it.
    Fixed,
    /// The n-th input.
    Input(usize),
    /// The symbol is defined as its argument.
    Same,
    Operator(Op),
}

struct Node {
    term: Term,
    source: Source,
    args: Vec<usize>,
    modes: Modes,
    format: Option<Format>,
    /// What the term has to be, because the formula at the position says so.
    wanted: Option<(bool, usize)>,
}

struct Boxes<'a> {
    pool: &'a Pool,
    nodes: Vec<Node>,
    /// The values before an evaluation.
    values: Vec<Value>,
    inputs: Vec<(Term, Format)>,
    definitions: TermMap<Term>,
    /// The formula that says what a symbol is.
    definers: TermMap<usize>,
}

/// The keys of each input, from and to.
type Area = Vec<[u128; 2]>;

/// What is known of a box.
enum Verdict {
    /// The term at this place cannot be what a formula wants.
    Refuted(usize),
    Open,
    /// All is as is wanted, whatever the inputs are.
    Holds,
}

/// What formulas want of terms, with their positions, each but once.
fn wanted(pool: &Pool, formulas: &[Term]) -> Vec<(Term, bool, usize)> {
    let (mut found, mut seen) = (vec![], TermSet::new());
    for (of, &formula) in formulas.iter().enumerate() {
        let mut todo = vec![(formula, true)];
        while let Some((term, truth)) = todo.pop() {
            match (pool.op(term), truth) {
                (Op::Not, _) => todo.push((pool.args(term)[0], !truth)),
                (Op::And, true) | (Op::Or, false) if seen.insert(term) => {
                    todo.extend(pool.args(term).iter().map(|&arg| (arg, truth)));
                }
                (Op::And, true) | (Op::Or, false) => {}
                _ => found.push((term, truth, of)),
            }
        }
    }
    found
}

/// The value of a term without symbols that is one of a format.
fn constant(pool: &Pool, term: Term) -> Option<Float> {
    let is_made = matches!(
        pool.op(term),
        Op::FpFromReal | Op::FpFields | Op::FpFromBits | Op::FpFromSbv | Op::FpFromUbv
    );
    if is_made && cone(pool, &[term]).iter().all(|&part| pool.op(part) != Op::Symbol) {
        return eval(pool, term, &Assignment::new()).as_float().cloned();
    }
    pool.as_float(term)
}

/// Whether the number that the operator makes is known by those of its arguments.
fn is_computed(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        FpAbs
            | FpNeg
            | FpAdd
            | FpSub
            | FpMul
            | FpDiv
            | FpFma
            | FpSqrt
            | FpRoundToIntegral
            | FpMin
            | FpMax
            | FpFromFloat
            | Ite
    )
}

impl<'a> Boxes<'a> {
    fn new(pool: &'a Pool, formulas: &[Term], deadline: &Deadline) -> Option<Boxes<'a>> {
        let (order, definitions) = ordered(pool, formulas);
        if !deadline.step(order.len() as u64) {
            return None;
        }
        let (inputs, definers) = (vec![], TermMap::new());
        let mut boxes = Boxes { pool, nodes: vec![], values: vec![], inputs, definitions, definers };
        let mut places: TermMap<usize> = TermMap::new();
        for term in order {
            places.insert(term, boxes.nodes.len());
            boxes.node(term, &places);
        }
        for (term, truth, of) in wanted(pool, formulas) {
            let node = &mut boxes.nodes[*places.get(term)?];
            if node.wanted.is_some_and(|(other, _)| other != truth) {
                return None;
            }
            node.wanted = node.wanted.or(Some((truth, of)));
            if let (Op::Eq | Op::FpEq, &[x, y], true) = (pool.op(term), pool.args(term), truth) {
                for (symbol, other) in [(x, y), (y, x)] {
                    if boxes.definitions.get(symbol) == Some(&other) && boxes.definers.get(symbol).is_none() {
                        boxes.definers.insert(symbol, of);
                    }
                }
            }
        }
        Some(boxes)
    }

    /// Adds a term whose arguments were added.
    fn node(&mut self, term: Term, places: &TermMap<usize>) {
        let pool = self.pool;
        let (op, format, mut args) = (pool.op(term), pool.float_format(term), pool.args(term));
        let definition = self.definitions.get(term).copied();
        let mut source = Source::Operator(op);
        let mut value = Value::Other;
        if let Some(format) = format {
            value = Value::Number(Range::all(format));
        }
        if pool.sort(term).is_bool() {
            let known = pool.as_bool(term);
            value = Value::Truth([known != Some(true), known != Some(false)]);
            source = if known.is_some() { Source::Fixed } else { source };
        }
        match (format, constant(pool, term).filter(|value| is_small(value.format()))) {
            _ if definition.is_some() => {
                (source, args) = (Source::Same, definition.as_slice());
            }
            (_, Some(number)) => (source, value) = (Source::Fixed, Value::Number(Range::of(&number))),
            (Some(format), _) if !is_small(format) => (source, value) = (Source::Fixed, Value::Other),
            (Some(format), _) if !is_computed(op) => {
                source = Source::Input(self.inputs.len());
                self.inputs.push((term, format));
            }
            _ if op == Op::Symbol => source = Source::Fixed,
            _ => {}
        }
        let mode = args.first().and_then(|&arg| pool.as_value(arg)).and_then(|mode| mode.as_rounding_mode());
        let args = args.iter().map(|&arg| *places.get(arg).expect("arguments come before")).collect();
        self.nodes.push(Node { term, source, args, modes: modes(mode), format, wanted: None });
        self.values.push(value);
    }

    /// Whether a formula is false on a box; the steps are one for each term that was looked at.
    fn verdict(&mut self, area: &Area, deadline: &Deadline) -> Option<Verdict> {
        let mut is_held = true;
        for at in 0..self.nodes.len() {
            let node = &self.nodes[at];
            let value = match node.source {
                Source::Fixed => None,
                Source::Input(input) => Some(Value::Number(between(self.inputs[input].1, area[input]))),
                Source::Same => Some(self.values[node.args[0]].clone()),
                Source::Operator(op) => self.operator(op, node),
            };
            if let Some(value) = value {
                self.values[at] = value;
            }
            if let (Some((truth, _)), Value::Truth(can)) = (self.nodes[at].wanted, &self.values[at]) {
                if !can[usize::from(truth)] {
                    return deadline.step(at as u64 + 1).then_some(Verdict::Refuted(at));
                }
                is_held &= !can[usize::from(!truth)];
            }
        }
        let verdict = if is_held { Verdict::Holds } else { Verdict::Open };
        deadline.step(self.nodes.len() as u64).then_some(verdict)
    }

    fn range(&self, node: &Node, at: usize) -> Option<&Range> {
        if let Value::Number(range) = &self.values[*node.args.get(at)?] { Some(range) } else { None }
    }

    fn truth(&self, node: &Node, at: usize) -> Option<Truth> {
        if let Value::Truth(truth) = self.values[*node.args.get(at)?] { Some(truth) } else { None }
    }

    /// What an operator makes; `None` if nothing is known.
    fn operator(&self, op: Op, node: &Node) -> Option<Value> {
        match node.format {
            Some(format) => self.number(op, node, format).map(Value::Number),
            None => self.claim(op, node).map(Value::Truth),
        }
    }

    fn number(&self, op: Op, node: &Node, format: Format) -> Option<Range> {
        let (x, modes) = (|at| self.range(node, at), node.modes);
        Some(match op {
            Op::FpAbs => x(0)?.abs(),
            Op::FpNeg => x(0)?.neg(),
            Op::FpMin => x(0)?.min(x(1)?),
            Op::FpMax => x(0)?.max(x(1)?),
            Op::FpAdd => x(1)?.add(x(2)?, modes),
            Op::FpSub => x(1)?.add(&x(2)?.neg(), modes),
            Op::FpMul => x(1)?.mul(x(2)?, modes),
            Op::FpDiv => x(1)?.div(x(2)?, modes),
            Op::FpFma => x(1)?.fma(x(2)?, x(3)?, modes),
            Op::FpSqrt => x(1)?.sqrt(modes),
            Op::FpRoundToIntegral => x(1)?.mapped(modes, Integers::round_to_integral),
            Op::FpFromFloat => x(1)?.mapped(modes, |mode, value| Integers::convert(format, mode, value)),
            Op::Ite => match self.truth(node, 0)? {
                [false, _] => x(1)?.clone(),
                [_, false] => x(2)?.clone(),
                _ => x(1)?.union(x(2)?),
            },
            _ => return None,
        })
    }

    fn claim(&self, op: Op, node: &Node) -> Option<Truth> {
        let all = |truths: &mut dyn Iterator<Item = Truth>| {
            truths.fold([false, true], |all, one| [all[0] || one[0], all[1] && one[1]])
        };
        let not = |[no, yes]: Truth| [yes, no];
        let known = |at: usize| self.truth(node, at).unwrap_or([true; 2]);
        let places = 0..node.args.len();
        let both = |[no, yes]: Truth, [other_no, other_yes]: Truth| {
            [no && other_yes || yes && other_no, no && other_no || yes && other_yes]
        };
        if let Op::FpLt | Op::FpLe | Op::FpGt | Op::FpGe | Op::FpEq = op {
            let pair = |at: usize| {
                let (Some(x), Some(y)) = (self.range(node, at), self.range(node, at + 1)) else {
                    return [true; 2];
                };
                match op {
                    Op::FpLt => x.less(y),
                    Op::FpLe => x.at_most(y),
                    Op::FpGt => y.less(x),
                    Op::FpGe => y.at_most(x),
                    _ => x.equal(y),
                }
            };
            return Some(all(&mut (1..node.args.len()).map(|at| pair(at - 1))));
        }
        Some(match op {
            Op::Not => not(known(0)),
            Op::And => all(&mut places.map(known)),
            Op::Or => not(all(&mut places.map(known).map(not))),
            Op::Implies => {
                let last = node.args.len() - 1;
                not(all(&mut places.map(|at| if at < last { known(at) } else { not(known(at)) })))
            }
            Op::Xor if node.args.len() == 2 => not(both(known(0), known(1))),
            Op::Eq if node.args.len() == 2 => match (self.range(node, 0), self.range(node, 1)) {
                (Some(x), Some(y)) => x.same(y),
                _ => both(self.truth(node, 0)?, self.truth(node, 1)?),
            },
            Op::Ite => match known(0) {
                [false, _] => known(1),
                [_, false] => known(2),
                _ => [known(1)[0] || known(2)[0], known(1)[1] || known(2)[1]],
            },
            _ => self.class(op, node)?,
        })
    }

    fn class(&self, op: Op, node: &Node) -> Option<Truth> {
        let x = self.range(node, 0)?;
        let format = self.nodes[node.args[0]].format?;
        Some(match op {
            Op::FpIsNan => x.is_nan(),
            Op::FpIsInfinite => x.is_infinite(),
            Op::FpIsZero => x.is_zero(),
            Op::FpIsNegative => x.is_negative(),
            Op::FpIsPositive => x.is_positive(),
            Op::FpIsNormal => x.is_normal(format),
            Op::FpIsSubnormal => x.is_subnormal(format),
            _ => return None,
        })
    }
}

/// After so many boxes it is looked at how many there would be if the others were like these, and with so
/// many there is no point in going on. Boxes of large numbers come first, and are the smallest ones.
const FIRST_BOXES: f64 = 64.0;
const MOST_LIKELY: f64 = 67_108_864.0;

/// The search.
impl Boxes<'_> {
    fn halved(mut self, deadline: &Deadline) -> Option<Found> {
        let whole = |&(_, format): &(Term, Format)| {
            [key(&Float::infinity(format, true)), key(&Float::infinity(format, false)) + 1]
        };
        let area: Area = self.inputs.iter().map(whole).collect();
        let (mut tree, mut refuting) = (vec![], vec![]);
        // Boxes, and how often what was left of the inputs was halved for each; a box that was cut off is no
        // part of that.
        let mut stack: Vec<(Area, f64)> = vec![];
        // More inputs cannot be halved, not even once each.
        let most = deadline.left().max(1).ilog2() as usize;
        let area = self.cut(area, &mut tree, &mut stack, &mut refuting, deadline)?;
        stack.push((area, 1.0));
        let (mut covered, mut count) = (0.0, 0.0);
        while let Some((mut area, part)) = stack.pop() {
            match self.verdict(&area, deadline)? {
                Verdict::Refuted(at) => {
                    refuting.push(at);
                    tree.push(None);
                    (covered, count) = (covered + part, count + 1.0);
                    if count >= FIRST_BOXES && count > covered * MOST_LIKELY {
                        return None;
                    }
                }
                Verdict::Holds => return Some(Found::Point(self.point(&area))),
                Verdict::Open if self.inputs.len() > most => return None,
                Verdict::Open => {
                    let Some(input) = self.widest(&area) else {
                        return Some(Found::Point(self.point(&area)));
                    };
                    let [low, high] = area[input];
                    let middle = low + (high - low) / 2;
                    tree.push(Some((self.inputs[input].0, middle.into())));
                    let mut above = area.clone();
                    above[input][0] = middle + 1;
                    area[input][1] = middle;
                    stack.extend([(above, part / 2.0), (area, part / 2.0)]);
                }
            }
        }
        Some(Found::Refuted(self.used(&refuting), tree))
    }

    /// Cuts off each input what is refuted by itself.
    fn cut(
        &mut self,
        mut area: Area,
        tree: &mut Tree,
        stack: &mut Vec<(Area, f64)>,
        refuting: &mut Vec<usize>,
        deadline: &Deadline,
    ) -> Option<Area> {
        for input in 0..area.len() {
            for end in 0..2 {
                let whole = area[input];
                let with = |mut area: Area, at: u128| {
                    area[input][1 - end] = at;
                    area
                };
                // The part up to here is refuted, and the part up to there is not.
                let (mut here, mut there) = (whole[end], whole[1 - end]);
                if here == there {
                    continue;
                }
                let verdict = self.verdict(&with(area.clone(), here), deadline)?;
                let Verdict::Refuted(mut last) = verdict else { continue };
                while here.abs_diff(there) > 1 {
                    let middle = here.min(there) + here.abs_diff(there) / 2;
                    match self.verdict(&with(area.clone(), middle), deadline)? {
                        Verdict::Refuted(at) => (here, last) = (middle, at),
                        _ => there = middle,
                    }
                }
                refuting.push(last);
                let part = with(area.clone(), here);
                area[input][end] = if end == 0 { here + 1 } else { here - 1 };
                let most = if end == 0 { here } else { here - 1 };
                tree.push(Some((self.inputs[input].0, most.into())));
                if end == 0 { tree.push(None) } else { stack.push((part, 0.0)) }
            }
        }
        Some(area)
    }

    /// The input that has most values for the bits of its format.
    fn widest(&self, area: &Area) -> Option<usize> {
        let width = |&at: &usize| (area[at][1] - area[at][0]) << (128 - self.inputs[at].1.width());
        (0..area.len()).filter(|at| width(at) > 0).max_by_key(|at| (width(at), usize::MAX - at))
    }

    /// The lowest corner of a box.
    fn point(&self, area: &Area) -> Assignment {
        let mut assignment = Assignment::new();
        for (&(input, format), &[low, _]) in self.inputs.iter().zip(area) {
            if self.pool.op(input) == Op::Symbol {
                assignment.set(input, value(format, low));
            }
        }
        for node in self.nodes.iter().filter(|node| node.source == Source::Same) {
            let value = eval(self.pool, self.nodes[node.args[0]].term, &assignment);
            assignment.set(node.term, value);
        }
        assignment
    }

    /// The positions of the formulas that refute, and of those that say what symbols are below them.
    fn used(&self, refuting: &[usize]) -> Vec<usize> {
        let (mut used, mut todo) = (vec![], refuting.to_vec());
        let mut seen = vec![false; self.nodes.len()];
        used.extend(refuting.iter().filter_map(|&at| Some(self.nodes[at].wanted?.1)));
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                let node = &self.nodes[at];
                todo.extend(&node.args);
                used.extend(self.definers.get(node.term).filter(|_| node.source == Source::Same));
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }
}

#[cfg(test)]
mod tests;
