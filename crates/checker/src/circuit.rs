//! Circuits: the bits of terms, as gates over the bits of their arguments.
//!
//! Textbook constructions: ripple-carry adders, shift-and-add products (a run of one bit is two rows; of a
//! value: the digits of its non-adjacent form), restoring division, barrel shifters, borrow chains.
//! Bits are listed from the least significant one. Symbols, reads, applications and equations without bits
//! have free bits. Each construction is compared with [`crate::evaluate`] for all operands of small widths.
//!
//! Depth is memory, not recursion. Cost: bits are built once per term.

use crate::gate::{FALSE, Gates, Lit, TRUE};
use crate::term::{Op, Term, Terms};

/// More gates than this are refused, so that literals have 32 bits.
const MOST_GATES: u64 = 1 << 30;

/// The bytes that a gate takes in all tables.
const BYTES: u64 = 64;

/// The bits of terms.
#[derive(Clone, Default)]
pub struct Circuits {
    /// The gates of all circuits.
    pub gates: Gates,
    /// By term: empty if there are none yet.
    bits: Vec<Box<[Lit]>>,
}

impl Circuits {
    /// The bits of a term, if they were built.
    pub fn known(&self, term: Term) -> Option<&[Lit]> {
        self.bits.get(term.index()).map(|bits| &bits[..]).filter(|bits| !bits.is_empty())
    }

    /// Gives a term the bits of another one, in place of its own.
    pub fn share(&mut self, terms: &Terms, term: Term, with: Term) -> Result<(), String> {
        let bits = self.known(with).ok_or("bits are shared with a term that has none")?;
        self.keep(terms, term, bits.into())
    }

    /// Gives a term without bits new ones.
    pub fn free(&mut self, terms: &Terms, term: Term) -> Result<(), String> {
        match (self.known(term).is_some(), terms.bits(term)) {
            (false, Some(width)) => {
                self.has_room(terms, u64::from(width))?;
                let bits = (0..width).map(|_| self.gates.free()).collect();
                terms.budget.take(u64::from(width), u64::from(width) * BYTES)?;
                self.keep(terms, term, bits)
            }
            _ => Err("only a term without bits can have free ones".into()),
        }
    }

    /// The bits of a term are these.
    fn keep(&mut self, terms: &Terms, term: Term, bits: Box<[Lit]>) -> Result<(), String> {
        let new = (term.index() + 1).saturating_sub(self.bits.len());
        terms.budget.take(bits.len() as u64, 4 * bits.len() as u64 + 16 * new as u64)?;
        if self.bits.len() <= term.index() {
            self.bits.resize(term.index() + 1, Box::default());
        }
        self.bits[term.index()] = bits;
        Ok(())
    }

    /// Can so many gates be added?
    fn has_room(&self, terms: &Terms, more: u64) -> Result<(), String> {
        let is_small = self.gates.len() as u64 + more <= MOST_GATES;
        if is_small { terms.budget.has_room(more * BYTES) } else { Err("too many gates".into()) }
    }

    /// A gate over some literals, by the number of its kind.
    pub fn gate(&mut self, terms: &Terms, kind: u32, inputs: &[Lit]) -> Result<Lit, String> {
        self.has_room(terms, 1)?;
        terms.budget.take(1, BYTES)?;
        if inputs.iter().any(|lit| lit.var() as usize >= self.gates.len()) {
            return Err("a literal of no variable".into());
        }
        match (kind, inputs) {
            (0, &[a, b]) => Ok(self.gates.and(a, b)),
            (1, &[a, b]) => Ok(self.gates.xor(a, b)),
            (2, &[c, a, b]) => Ok(self.gates.mux(c, a, b)),
            (3, &[a, b, c]) => Ok(self.gates.maj(a, b, c)),
            _ => Err("there is no such gate".into()),
        }
    }

    /// Builds the bits of a term.
    pub fn build(&mut self, terms: &Terms, root: Term) -> Result<&[Lit], String> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known(term).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !is_free(terms, term) {
                let missing = |&arg: &Term| self.known(arg).is_none();
                stack.extend(terms.args(term).iter().copied().filter(missing));
            }
            if stack.len() == before {
                stack.pop();
                let gates = self.gates.len();
                let bits = self.circuit(terms, term)?;
                let gates = (self.gates.len() - gates) as u64;
                terms.budget.take(100 + 16 * gates, gates * BYTES)?;
                self.keep(terms, term, bits.into())?;
            }
        }
        Ok(&self.bits[root.index()])
    }

    fn circuit(&mut self, terms: &Terms, term: Term) -> Result<Vec<Lit>, String> {
        let width = terms.bits(term).ok_or("a term without bits has no circuit")?;
        self.has_room(terms, most_gates(terms, term))?;
        terms.budget.take(most_gates(terms, term), 0)?;
        if is_free(terms, term) {
            return Ok((0..width).map(|_| self.gates.free()).collect());
        }
        let bits = |at: usize| -> &[Lit] { &self.bits[terms.args(term)[at].index()] };
        let g = &mut self.gates;
        Ok(match terms.op(term) {
            Op::Value(_) => {
                let value = terms.as_value(term).ok_or("a value has a number")?;
                (0..width).map(|at| TRUE.flip(!value.bit(u64::from(at)))).collect()
            }
            Op::True => vec![TRUE],
            Op::False => vec![FALSE],
            Op::Not | Op::BvNot => bits(0).iter().map(|&a| !a).collect(),
            Op::And | Op::BvAnd => pairs(bits(0), bits(1)).map(|(a, b)| g.and(a, b)).collect(),
            Op::Or | Op::BvOr => pairs(bits(0), bits(1)).map(|(a, b)| g.or(a, b)).collect(),
            Op::Xor | Op::BvXor => pairs(bits(0), bits(1)).map(|(a, b)| g.xor(a, b)).collect(),
            // A bit of minus a word is flipped if one below is set.
            Op::Ite if let Some((word, when)) = negated(terms, term) => {
                let (is_negative, mut is_zero) = (bits(0)[0].flip(!when), TRUE);
                let of_bit = |&a: &Lit| {
                    let is_flipped = g.and(is_negative, !is_zero);
                    is_zero = g.and(!a, is_zero);
                    g.xor(a, is_flipped)
                };
                self.bits[word.index()].iter().map(of_bit).collect()
            }
            Op::Ite => {
                let condition = bits(0)[0];
                pairs(bits(1), bits(2)).map(|(a, b)| g.mux(condition, a, b)).collect()
            }
            Op::Eq => {
                let same: Vec<Lit> = pairs(bits(0), bits(1)).map(|(a, b)| !g.xor(a, b)).collect();
                vec![all(g, same)]
            }
            Op::BvNeg => {
                let not: Vec<Lit> = bits(0).iter().map(|&a| !a).collect();
                sum(g, &not, &vec![FALSE; not.len()], TRUE)
            }
            Op::BvAdd => sum(g, bits(0), bits(1), FALSE),
            Op::BvMul => product(g, bits(0), bits(1)),
            Op::BvUdiv => divide(g, bits(0), bits(1)).0,
            Op::BvUrem => divide(g, bits(0), bits(1)).1,
            Op::BvShl => {
                let reversed: Vec<Lit> = bits(0).iter().rev().copied().collect();
                let mut result = shift(g, reversed, bits(1), FALSE);
                result.reverse();
                result
            }
            Op::BvLshr => shift(g, bits(0).to_vec(), bits(1), FALSE),
            Op::BvAshr => {
                let sign = bits(0)[width as usize - 1];
                shift(g, bits(0).to_vec(), bits(1), sign)
            }
            Op::BvUlt => vec![less(g, bits(0), bits(1))],
            Op::BvSlt => {
                let flipped = |bits: &[Lit]| {
                    let mut bits = bits.to_vec();
                    if let Some(sign) = bits.last_mut() {
                        *sign = !*sign;
                    }
                    bits
                };
                vec![less(g, &flipped(bits(0)), &flipped(bits(1)))]
            }
            Op::Concat => [bits(1), bits(0)].concat(),
            Op::Extract(high, low) => bits(0)[low as usize..=high as usize].to_vec(),
            Op::SignExtend(more) => {
                let mut result = bits(0).to_vec();
                let sign = result[result.len() - 1];
                result.extend((0..more).map(|_| sign));
                result
            }
            Op::Symbol(_)
            | Op::Select
            | Op::Store
            | Op::ConstArray(_)
            | Op::Apply(_)
            | Op::Float(_)
            | Op::Record(..)
            | Op::Forall => {
                return Err("a term without a circuit".into());
            }
        })
    }
}

/// The circuit of a term has no more gates than this.
fn most_gates(terms: &Terms, term: Term) -> u64 {
    let arg = terms.args(term).first().and_then(|&arg| terms.bits(arg)).unwrap_or(0);
    let width = u64::from(terms.bits(term).unwrap_or(0).max(arg));
    match terms.op(term) {
        Op::BvMul | Op::BvUdiv | Op::BvUrem => 8 * width * width,
        Op::BvShl | Op::BvLshr | Op::BvAshr => (u64::from(width.ilog2()) + 3) * width,
        Op::Value(_) | Op::Concat | Op::Extract(..) | Op::SignExtend(_) => 0,
        _ => 4 * width,
    }
}

/// Are the bits of the term free: does its value not come from bits of its arguments?
fn is_free(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Symbol(_)
        | Op::Select
        | Op::Apply(_)
        | Op::Store
        | Op::ConstArray(_)
        | Op::Float(_)
        | Op::Record(..)
        | Op::Forall => true,
        Op::Eq => terms.bits(terms.args(term)[0]).is_none(),
        _ => terms.bits(term).is_none(),
    }
}

/// The word that a choice negates or leaves as it is, and the condition's value when it negates.
fn negated(terms: &Terms, choice: Term) -> Option<(Term, bool)> {
    let &[_, yes, no] = terms.args(choice) else { return None };
    let is_minus = |minus: Term, word: Term| terms.op(minus) == Op::BvNeg && terms.args(minus) == [word];
    if is_minus(yes, no) { Some((no, true)) } else { is_minus(no, yes).then_some((yes, false)) }
}

fn pairs<'a>(a: &'a [Lit], b: &'a [Lit]) -> impl Iterator<Item = (Lit, Lit)> + 'a {
    a.iter().copied().zip(b.iter().copied())
}

/// Are all of these true? As a balanced tree.
fn all(g: &mut Gates, mut level: Vec<Lit>) -> Lit {
    while level.len() > 1 {
        let next = level.chunks(2).map(|pair| if let [a, b] = *pair { g.and(a, b) } else { pair[0] });
        level = next.collect();
    }
    level.first().copied().unwrap_or(TRUE)
}

/// `a + b + carry`
fn sum(g: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let (width, mut result) = (a.len(), vec![]);
    let mut last = None;
    for (a, b) in pairs(a, b) {
        let half = g.xor(a, b);
        result.push(g.xor(half, carry));
        if result.len() < width {
            carry = majority(g, [a, b], carry, &mut last);
        }
    }
    result
}

/// The carry of two bits and a carry: the same one if the bits are those before.
fn majority(g: &mut Gates, [a, b]: [Lit; 2], carry: Lit, last: &mut Option<[Lit; 2]>) -> Lit {
    let is_same = last.replace([a, b]) == Some([a, b]);
    if is_same { carry } else { g.maj(a, b, carry) }
}

/// `a < b`: the borrow of `a - b`.
fn less(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let mut last = None;
    pairs(a, b).fold(FALSE, |borrow, (a, b)| majority(g, [!a, b], borrow, &mut last))
}

fn is_constant(bits: &[Lit]) -> bool {
    bits.iter().all(|&bit| bit == TRUE || bit == FALSE)
}

/// The product, modulo two to the power of the width.
fn product(g: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    if is_constant(a) {
        return multiple(g, b, a);
    }
    if is_constant(b) {
        return multiple(g, a, b);
    }
    let (of_a, of_b) = (rows(a), rows(b));
    let (a, rows) = if of_b.len() <= of_a.len() { (a, of_b) } else { (b, of_a) };
    let width = a.len();
    let mut result = vec![FALSE; width];
    for (place, digit, is_minus) in rows {
        // Minus a word is its complement and one.
        let row: Vec<Lit> = a[..width - place].iter().map(|&bit| g.and(bit.flip(is_minus), digit)).collect();
        let carry = if is_minus { digit } else { FALSE };
        let high = sum(g, &result[place..], &row, carry);
        result.splice(place.., high);
    }
    result
}

/// The rows of a product with this word: place, digit, and whether it counts as minus one. A run of a bit
/// from place i to j is 2^j - 2^i times the bit, and what is beyond the word does not count.
fn rows(bits: &[Lit]) -> Vec<(usize, Lit, bool)> {
    let (mut rows, mut at) = (vec![], 0);
    for run in bits.chunk_by(|a, b| a == b) {
        let (digit, start) = (run[0], at);
        at += run.len();
        let is_last = at == bits.len();
        if digit == FALSE {
            continue;
        }
        if run.len() > 2 || run.len() == 2 && is_last {
            rows.push((start, digit, true));
            rows.extend((!is_last).then_some((at, digit, false)));
        } else {
            rows.extend((start..at).map(|place| (place, digit, false)));
        }
    }
    rows
}

/// The product with a value: a row is added or subtracted for each digit of its non-adjacent form.
fn multiple(g: &mut Gates, a: &[Lit], value: &[Lit]) -> Vec<Lit> {
    let width = a.len();
    let mut result = vec![FALSE; width];
    let mut carry = false;
    for row in 0..width {
        let bit = (value[row] == TRUE) as u8 + u8::from(carry);
        let next = row + 1 < width && value[row + 1] == TRUE;
        // 1 followed by 1 is -1 and a carry.
        let negative = bit == 1 && next;
        carry = bit == 2 || negative;
        if bit != 1 {
            continue;
        }
        let summand: Vec<Lit> = a[..width - row].iter().map(|&bit| bit.flip(negative)).collect();
        let high = sum(g, &result[row..], &summand, TRUE.flip(!negative));
        result.splice(row.., high);
    }
    result
}

/// Quotient and remainder, restoring. The rest of the first rows is short, and the divisor does not fit where
/// it has a higher bit. Division by zero gives ones and the dividend by itself: every trial subtraction of
/// zero succeeds; higher bits of the rest than the divisor can have are there only then.
fn divide(g: &mut Gates, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let b = &b[..width - b.iter().rev().take_while(|&&bit| bit == FALSE).count()];
    let not_b: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
    // Are the bits of the divisor from this one on zero?
    let mut zero_from = vec![TRUE; b.len() + 1];
    for at in (0..b.len()).rev() {
        zero_from[at] = g.and(not_b[at], zero_from[at + 1]);
    }
    // Zeros in front leave a rest of zero, into which nothing but zero fits.
    let zeros = a.iter().rev().take_while(|&&bit| bit == FALSE).count();
    let (mut rest, mut quotient) = (vec![], vec![zero_from[0]; width]);
    for at in (0..width - zeros).rev() {
        rest.insert(0, a[at]);
        let columns = rest.len().min(b.len());
        let beyond = rest.get(columns).copied().unwrap_or(FALSE);
        rest.truncate(columns);
        let below = less(g, &rest, &b[..columns]);
        let fits = g.or(beyond, !below);
        quotient[at] = g.and(fits, zero_from[columns]);
        let difference = sum(g, &rest, &not_b[..columns], TRUE);
        rest = pairs(&difference, &rest).map(|(d, r)| g.mux(quotient[at], d, r)).collect();
    }
    let high = a[rest.len()..].iter().map(|&bit| g.and(bit, zero_from[0]));
    rest.extend(high);
    (quotient, rest)
}

/// A shift towards the least significant bit; `fill` comes in.
fn shift(g: &mut Gates, mut bits: Vec<Lit>, by: &[Lit], fill: Lit) -> Vec<Lit> {
    let width = bits.len();
    let mut beyond = FALSE;
    for (stage, &digit) in by.iter().enumerate() {
        let places = 1usize.checked_shl(stage as u32).filter(|&places| places < width);
        match places {
            None => beyond = g.or(beyond, digit),
            Some(places) => {
                let moved = (0..width).map(|at| {
                    let from = bits.get(at + places).copied().unwrap_or(fill);
                    g.mux(digit, from, bits[at])
                });
                bits = moved.collect();
            }
        }
    }
    bits.into_iter().map(|bit| g.mux(beyond, fill, bit)).collect()
}
