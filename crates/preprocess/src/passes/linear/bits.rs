//! Bits that equations modulo 2 determine together.
//!
//! Exclusive ors, complements, slices, concatenations and masks are linear over the bits of what they are
//! made of, so an equation of such words is a linear one modulo 2 for each bit, and these are solved by Gauss
//! and Jordan's elimination. What a generator of random numbers puts out, or a check sum, says little of any
//! bit by itself, and all about the state together: search over such equations takes exponential time, and
//! elimination next to none. A bit that is left alone in its row has a value, which is asserted beside the
//! equations; these become shorter by it. A row in which nothing but the constant is left refutes everything.
//!
//! Why it is right: rows are sums of equations, and nothing is replaced. A bit that is determined is found:
//! in reduced form there is a row that says nothing but its value.
//!
//! Cost: the bits of the words below the equations times the bits they are made of, at most [`MOST_WORDS`]
//! machine words, and then the elimination, at most [`MOST_WORK`].

use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Linear forms of more machine words in all are not made: 32 MB.
const MOST_WORDS: usize = 1 << 22;

/// Operations on words of a matrix: a tenth of a second.
const MOST_WORK: usize = 1 << 27;

/// So many of them are a step of the deadline.
const WORK_PER_STEP: usize = 64;

/// Bits of a machine word.
const WORD: usize = u64::BITS as usize;

/// Linear forms of the bits of terms: sets of variables, with the constant at the place 0.
struct Forms {
    /// The length of a form.
    words: usize,
    forms: Vec<u64>,
    /// Where the form of the lowest bit of a term begins.
    starts: TermMap<usize>,
    /// The terms whose bits are variables, with the variable of the lowest bit, in order.
    leaves: Vec<(usize, Term)>,
}

/// Equations: forms that are zero.
struct Matrix {
    /// The length of a row.
    words: usize,
    rows: Vec<Vec<u64>>,
}

/// The conjuncts, and beside them the values of the bits that they determine; `None` if there are none.
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let mut sums = TermSet::new();
    for &term in problem.cone(pool) {
        let is_sum = matches!(pool.op(term), Op::BvXor | Op::Xor);
        let mut args = pool.args(term).iter();
        if is_sum || (is_linear(pool, term) && args.any(|&arg| sums.contains(arg))) {
            sums.insert(term);
        }
    }
    let mut stated = vec![];
    for &conjunct in problem.conjuncts {
        match (pool.op(conjunct), pool.args(conjunct)) {
            _ if sums.contains(conjunct) => stated.push([conjunct, pool.bool(true)]),
            (Op::Eq, &[a, b]) if sums.contains(a) || sums.contains(b) => stated.push([a, b]),
            _ => {}
        }
    }
    if stated.is_empty() {
        return None;
    }
    let forms = Forms::new(pool, problem, &stated)?;
    let mut rows: Vec<Vec<u64>> = vec![];
    for [a, b] in stated {
        for place in 0..pool.width(a).unwrap_or(1) {
            rows.push(forms.form(a, place).iter().zip(forms.form(b, place)).map(|(a, b)| a ^ b).collect());
        }
    }
    rows.retain(|row| row.iter().any(|&word| word != 0));
    let known: FxHashSet<usize> = rows.iter().filter_map(|row| Some(single(row)?.0)).collect();
    let matrix = Matrix { words: forms.words, rows };
    let Some(values) = matrix.values(problem.deadline)? else {
        return Some(Change::refutation(pool, Reason::Unshown));
    };
    let mut bits: BTreeMap<Term, BTreeMap<u32, bool>> = BTreeMap::new();
    for (variable, value) in values.into_iter().filter(|(variable, _)| !known.contains(variable)) {
        let (leaf, place) = forms.leaf(variable);
        bits.entry(leaf).or_default().insert(place, value);
    }
    let mut added = vec![];
    for (leaf, values) in bits {
        say(pool, leaf, &values, &mut added);
    }
    (!added.is_empty()).then(|| added.into_iter().map(|said| Change::added(said, Reason::Unshown)).collect())
}

/// Are the bits of a term sums modulo 2 of bits of its arguments?
fn is_linear(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::BvXor | Op::BvNot | Op::Xor | Op::Not => true,
        Op::Concat | Op::Extract | Op::ZeroExtend | Op::SignExtend => true,
        Op::BvAnd | Op::BvOr => args.len() == 2 && args.iter().any(|&arg| pool.is_const(arg)),
        Op::Eq => args.len() == 2 && (pool.sort(args[0]).is_bool() || pool.width(args[0]) == Some(1)),
        _ => false,
    }
}

/// Says what some bits of a word are, or whether a condition holds, in as few equations as that takes.
fn say(pool: &mut Pool, leaf: Term, values: &BTreeMap<u32, bool>, conjuncts: &mut Vec<Term>) {
    let mut places = values.iter().map(|(&place, &value)| (place, value)).peekable();
    while let Some((low, value)) = places.next() {
        if pool.sort(leaf).is_bool() {
            conjuncts.push(if value { leaf } else { make::not(pool, leaf) });
            continue;
        }
        let mut run = vec![value];
        while let Some((_, value)) = places.next_if(|&(place, _)| place == low + run.len() as u32) {
            run.push(value);
        }
        let width = run.len() as u32;
        let value = BitVec::from_fn(width, |place| run[place as usize]);
        let (value, part) = (pool.bitvec(&value), make::extract(pool, leaf, low + width - 1, low));
        conjuncts.push(make::eq(pool, part, value));
    }
}

impl Forms {
    /// The forms of all terms from these roots down to what is not linear, or is in use elsewhere; `None` if
    /// these are too many.
    fn new(pool: &Pool, problem: &Problem<'_>, roots: &[[Term; 2]]) -> Option<Forms> {
        let (mut terms, mut seen) = (vec![], TermSet::new());
        let mut todo: Vec<Term> = roots.iter().flatten().copied().collect();
        let is_inner = |term: Term| is_linear(pool, term) && !problem.is_frozen(term);
        let width = |term: Term| pool.width(term).unwrap_or(1) as usize;
        let (mut variables, mut bits) = (1, 0);
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            bits += width(term);
            if is_inner(term) {
                todo.extend(pool.args(term));
            } else if !pool.is_const(term) {
                variables += width(term);
            }
            terms.push(term);
        }
        // Arguments are older.
        terms.sort_unstable();
        let words = variables.div_ceil(WORD);
        let size = bits.checked_mul(words).filter(|&size| size <= MOST_WORDS)?;
        if !problem.deadline.step((size / WORK_PER_STEP + terms.len()) as u64) {
            return None;
        }
        let mut forms =
            Forms { words, forms: Vec::with_capacity(size), starts: TermMap::new(), leaves: vec![] };
        let mut next = 1;
        for term in terms {
            let start = forms.forms.len();
            forms.forms.resize(start + width(term) * words, 0);
            forms.starts.insert(term, start);
            if is_inner(term) {
                forms.make(pool, term, start);
                continue;
            }
            let constant = |place: usize| match pool.as_bitvec(term) {
                Some(value) => Some(value.bit(place as u32)),
                None => pool.as_bool(term),
            };
            if !pool.is_const(term) {
                forms.leaves.push((next, term));
            }
            for place in 0..width(term) {
                let variable = match constant(place) {
                    Some(false) => continue,
                    Some(true) => 0,
                    None => {
                        next += 1;
                        next - 1
                    }
                };
                forms.forms[start + place * words + variable / WORD] |= 1 << (variable % WORD);
            }
        }
        Some(forms)
    }

    /// The form of a bit of a term.
    fn form(&self, term: Term, place: u32) -> &[u64] {
        let start = self.starts.get(term).expect("it is below a root") + place as usize * self.words;
        &self.forms[start..start + self.words]
    }

    /// Makes the forms of a linear term from those of its arguments, at a place where there are zeros.
    fn make(&mut self, pool: &Pool, term: Term, start: usize) {
        let args = pool.args(term);
        let width = pool.width(term).unwrap_or(1);
        let bits = |arg: Term| pool.width(arg).unwrap_or(1);
        for place in 0..width {
            let to = start + place as usize * self.words;
            match pool.op(term) {
                Op::BvXor | Op::Xor => args.iter().for_each(|&arg| self.add(arg, place, to)),
                Op::BvNot | Op::Not => {
                    self.add(args[0], place, to);
                    self.forms[to] ^= 1;
                }
                Op::Eq => {
                    args.iter().for_each(|&arg| self.add(arg, 0, to));
                    self.forms[to] ^= 1;
                }
                Op::Extract => self.add(args[0], pool.index(term) + place, to),
                Op::ZeroExtend if place >= bits(args[0]) => {}
                Op::ZeroExtend => self.add(args[0], place, to),
                Op::SignExtend => self.add(args[0], place.min(bits(args[0]) - 1), to),
                Op::Concat => {
                    let mut below = place;
                    for &arg in args.iter().rev() {
                        if below < bits(arg) {
                            self.add(arg, below, to);
                            break;
                        }
                        below -= bits(arg);
                    }
                }
                op @ (Op::BvAnd | Op::BvOr) => {
                    let [mask, arg] = if pool.is_const(args[0]) { [0, 1] } else { [1, 0] }.map(|i| args[i]);
                    let mask = pool.as_bitvec(mask).expect("it is a constant").bit(place);
                    if mask == (op == Op::BvAnd) {
                        self.add(arg, place, to);
                    } else if mask {
                        self.forms[to] |= 1;
                    }
                }
                op => unreachable!("internal: {op:?} is not linear"),
            }
        }
    }

    /// Adds the form of a bit to another one.
    fn add(&mut self, term: Term, place: u32, to: usize) {
        let from = self.starts.get(term).expect("arguments come first") + place as usize * self.words;
        for word in 0..self.words {
            self.forms[to + word] ^= self.forms[from + word];
        }
    }

    /// The term and the place of the bit that a variable stands for.
    fn leaf(&self, variable: usize) -> (Term, u32) {
        let number = self.leaves.partition_point(|&(first, _)| first <= variable) - 1;
        let (first, leaf) = self.leaves[number];
        (leaf, (variable - first) as u32)
    }
}

impl Matrix {
    /// The variables that have a value by the equations; `Some(None)` if these have no solution, `None` if it
    /// takes too long.
    fn values(mut self, deadline: &Deadline) -> Option<Option<Vec<(usize, bool)>>> {
        let work = self.rows.len() * self.words;
        if self.rows.len().saturating_mul(work) > MOST_WORK {
            return None;
        }
        let mut leads = vec![];
        for number in 0..self.rows.len() {
            let row = std::mem::take(&mut self.rows[number]);
            match lead(&row) {
                None if row[0] & 1 == 1 => return Some(None),
                None => {}
                Some(lead) => {
                    if !deadline.step((work / WORK_PER_STEP) as u64 + 1) {
                        return None;
                    }
                    leads.push(number);
                    for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
                        if other[lead / WORD] >> (lead % WORD) & 1 == 1 {
                            other.iter_mut().zip(&row).for_each(|(word, with)| *word ^= with);
                        }
                    }
                }
            }
            self.rows[number] = row;
        }
        let values = leads.into_iter().filter_map(|number| single(&self.rows[number]));
        Some(Some(values.collect()))
    }
}

/// The variable of a row and its value, if there is just one.
fn single(row: &[u64]) -> Option<(usize, bool)> {
    let constant = row[0] & 1 == 1;
    let ones: u32 = row.iter().map(|word| word.count_ones()).sum();
    lead(row).filter(|_| ones - u32::from(constant) == 1).map(|variable| (variable, constant))
}

/// The first variable of a row.
fn lead(row: &[u64]) -> Option<usize> {
    let word = |(place, word): (usize, &u64)| (place, if place == 0 { word & !1 } else { *word });
    let (place, word) = row.iter().enumerate().map(word).find(|(_, word)| *word != 0)?;
    Some(place * WORD + word.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, alone, check};
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::Sort;

    /// A random word of exclusive ors, parts and conjunctions.
    fn word(pool: &mut Pool, trial: &mut Trial, depth: u32) -> Term {
        if depth == 0 {
            return if trial.chance(8) { trial.constant(pool) } else { trial.symbol() };
        }
        let (a, b) = (word(pool, trial, depth - 1), word(pool, trial, depth - 1));
        match trial.number(8) {
            0 => pool.mk(Op::BvAnd, &[a, b]),
            1 => {
                let high = pool.mk_indexed(Op::Extract, &[1, 0], &[a]);
                let low = pool.mk_indexed(Op::Extract, &[2, 2], &[b]);
                pool.mk(Op::Concat, &[high, low])
            }
            2 => pool.mk(Op::BvNot, &[a]),
            _ => pool.mk(Op::BvXor, &[a, b]),
        }
    }

    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 1200, |pool, trial| {
            let mut conjuncts = vec![];
            for _ in 0..1 + trial.number(3) {
                let (a, b) = (word(pool, trial, 2), word(pool, trial, 1));
                conjuncts.push(pool.mk(Op::Eq, &[a, b]));
            }
            for _ in 0..trial.number(3) {
                let (p, q, r) = (trial.bit(pool), trial.bit(pool), trial.bit(pool));
                let parity = pool.mk(Op::Xor, &[p, q, r]);
                conjuncts.push(if trial.chance(2) { parity } else { pool.mk(Op::Not, &[parity]) });
            }
            conjuncts
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// The lowest bits of what a generator puts out (a xorshift of 32 bits) determine where it began; one
    /// wrong bit more, and there is no such beginning.
    #[test]
    fn a_generator_is_known_by_its_lowest_bits() {
        for is_right in [true, false] {
            let mut pool = Pool::new();
            let start = pool.symbol("start", Sort::bitvec(32).expect("a legal width"));
            let (mut state, mut value) = (start, 0x1234_abcd_u32);
            let mut rewriter = Rewriter::new(Level::Local);
            let mut conjuncts = vec![];
            for frame in 0..40 {
                for (op, by) in [(Op::BvShl, 13), (Op::BvLshr, 17), (Op::BvShl, 5)] {
                    value ^= if op == Op::BvShl { value << by } else { value >> by };
                    let by = pool.bv_u64(by, 32);
                    let shifted = pool.mk(op, &[state, by]);
                    state = pool.mk(Op::BvXor, &[state, shifted]);
                }
                let bit = pool.mk_indexed(Op::Extract, &[0, 0], &[state]);
                let known = u64::from(value & 1) ^ u64::from(!is_right && frame == 39);
                let known = pool.bv_u64(known, 1);
                let equation = pool.mk(Op::Eq, &[bit, known]);
                conjuncts.push(rewriter.rewrite(&mut pool, equation));
            }
            let found = alone(run, &mut pool, &conjuncts).expect("it is determined");
            let (seed, refuted) = (pool.bv_u64(0x1234_abcd, 32), pool.bool(false));
            let expected = if is_right { make::eq(&mut pool, start, seed) } else { refuted };
            assert_eq!(found.last(), Some(&expected));
        }
    }
}
