//! Polynomials over the parts of words: what multiplying out shows where words are taken to pieces.
//!
//! A word whose slices are used is the sum of its slices with weights: cut in the middle, `x = 2^h x1 + x0`, as
//! Karatsuba's product has it; cut into bits, it is what a multiplier goes through row by row. Concatenations
//! and extended words are such sums, too. A choice is `e + [c] (t - e)`, where the number `[c]` is one if `c`
//! holds: a product of bits and of differences of one and bits, if `c` says what some bits are, as in a
//! recoded multiplier (Booth's). The square of a bit is the bit. So products and the programs and circuits
//! that compute them by halves, rows or digits have one polynomial.
//!
//! Cost: a budget of steps for each equation; a product of too many monomials is not opened.

use super::polynomial::{Monomial, Polynomial, extended_bit, one_if};
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool, Term, TermMap, TermSet};
use rustc_hash::FxHashMap;

/// More monomials are not made for one term.
const MOST_MONOMIALS: usize = 1 << 10;

/// So many steps are taken for one equation.
const MOST_STEPS: usize = 1 << 16;

/// Conditions are opened to this depth, and so many bits of an equation are.
const MOST_DEPTH: u32 = 8;
const MOST_BITS: u32 = 4;

/// Where words are cut.
#[derive(Default)]
pub(super) struct Cuts {
    /// By word: the places of the lowest bits of its parts, in order.
    places: TermMap<Vec<u32>>,
}

/// Has a word parts: is it one that nothing is known of?
fn is_leaf(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Symbol | Op::Select | Op::Apply)
}

impl Cuts {
    /// The cuts of the words of which there are slices, or which are extended by their signs. What is compared
    /// with a constant of few bits is cut into bits.
    pub(super) fn new(pool: &Pool, below: &[Term]) -> Cuts {
        let mut cuts = Cuts::default();
        for &term in below {
            match (pool.op(term), pool.args(term)) {
                (Op::Extract, &[word]) => {
                    let (low, width) = (pool.index(term), pool.width(term).unwrap_or_default());
                    cuts.add(pool, word, [low, low + width].into_iter());
                }
                (Op::SignExtend, &[word]) => {
                    let width = pool.width(word).unwrap_or_default();
                    cuts.add(pool, word, [width.saturating_sub(1)].into_iter());
                }
                (Op::Eq, &[a, b]) if pool.is_const(a) || pool.is_const(b) => {
                    let side = if pool.is_const(a) { b } else { a };
                    let width = pool.width(side).unwrap_or(u32::MAX);
                    match pool.op(side) {
                        Op::Extract if width <= MOST_BITS => {
                            let low = pool.index(side);
                            cuts.add(pool, pool.args(side)[0], low..=low + width);
                        }
                        _ if width <= MOST_BITS => cuts.add(pool, side, 0..width),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        let words: Vec<Term> = cuts.places.iter().map(|(word, _)| word).collect();
        for word in words {
            let mut places = cuts.places.remove(word).unwrap_or_default();
            places.sort_unstable();
            places.dedup();
            places.retain(|&place| Some(place) < pool.width(word));
            cuts.places.insert(word, places);
        }
        cuts
    }

    fn add(&mut self, pool: &Pool, word: Term, places: impl Iterator<Item = u32>) {
        if is_leaf(pool, word) {
            let mut known = self.places.remove(word).unwrap_or_default();
            known.extend(places);
            self.places.insert(word, known);
        }
    }

    /// Are there none?
    pub(super) fn is_empty(&self) -> bool {
        self.places.iter().next().is_none()
    }
}

/// A bit of a word, of the word that has it.
fn bit(pool: &mut Pool, mut word: Term, mut place: u32) -> Term {
    loop {
        match (pool.op(word), pool.args(word)) {
            (Op::Extract, &[whole]) => {
                place += pool.index(word);
                word = whole;
            }
            (Op::Concat, &[high, low]) => {
                let cut = pool.width(low).unwrap_or_default();
                (word, place) = if place < cut { (low, place) } else { (high, place - cut) };
            }
            _ => return make::extract(pool, word, place, place),
        }
    }
}

/// A word as a polynomial.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Word {
    term: Term,
    /// Whether the polynomial has the unsigned value of the word, or may differ from it by a multiple of two to
    /// the power of its width. Words of the width of the equation are not.
    is_exact: bool,
}

/// Polynomials in the making.
struct Parts<'a> {
    pool: &'a mut Pool,
    cuts: &'a Cuts,
    width: u32,
    known: FxHashMap<Word, Polynomial>,
    /// The atoms that are bits.
    bits: TermSet,
    steps: usize,
}

/// The polynomial of `a - b`, if it takes few steps.
pub(super) fn difference(
    pool: &mut Pool,
    [a, b]: [Term; 2],
    cuts: &Cuts,
    budget: &mut usize,
    deadline: &Deadline,
) -> Option<Polynomial> {
    let width = pool.width(a)?;
    let steps = MOST_STEPS.min(*budget);
    let mut parts = Parts { pool, cuts, width, known: FxHashMap::default(), bits: TermSet::new(), steps };
    let polynomials = parts.of(a).and_then(|a| Some((a, parts.of(b)?)));
    let taken = steps - if polynomials.is_some() { parts.steps } else { 0 };
    *budget -= taken;
    if !deadline.step(taken as u64) {
        return None;
    }
    polynomials.map(|(mut a, b)| {
        a.add_scaled(&b, &BitVec::ones(width));
        a
    })
}

/// The number of low bits of a word that may be ones, as far as a look at some levels of operators tells.
fn significant(pool: &Pool, word: Term, depth: u32) -> u32 {
    let width = pool.width(word).unwrap_or_default();
    if let Some(value) = pool.as_bitvec(word) {
        return width - value.leading_zeros();
    }
    let of = |&arg: &Term| significant(pool, arg, depth.saturating_sub(1));
    let args = pool.args(word);
    match pool.op(word) {
        _ if depth == 0 => width,
        Op::Concat => match args {
            [high, low] if pool.as_bitvec(*high).is_some_and(|high| high.is_zero()) => of(low),
            _ => width,
        },
        Op::ZeroExtend => of(&args[0]),
        Op::Extract if pool.index(word) == 0 => width.min(of(&args[0])),
        Op::BvAdd => {
            let carries = (args.len() as u32).next_power_of_two().trailing_zeros();
            width.min(args.iter().map(of).max().unwrap_or(width) + carries)
        }
        Op::BvMul => width.min(args.iter().map(of).sum()),
        Op::Ite => of(&args[1]).max(of(&args[2])),
        _ => width,
    }
}

impl Parts<'_> {
    fn constant(&self, value: BitVec) -> Polynomial {
        let monomials = (!value.is_zero()).then_some((Monomial::new(), value));
        Polynomial::of(self.width, monomials.into_iter())
    }

    /// 2 to the power of a number, or zero if that is no less than the width.
    fn power(&self, exponent: u32) -> BitVec {
        BitVec::one(self.width).shl_by(exponent)
    }

    /// Adds a multiple.
    fn add(&mut self, sum: &mut Polynomial, other: &Polynomial, factor: &BitVec) -> Option<()> {
        self.steps = self.steps.checked_sub(other.monomials().count() + 1)?;
        sum.add_scaled(other, factor);
        Some(())
    }

    fn word(&self, term: Term, is_exact: bool) -> Word {
        Word { term, is_exact: is_exact && self.pool.width(term) != Some(self.width) }
    }

    /// The polynomial of a word of the width of the equation. Depth is memory, not recursion.
    fn of(&mut self, root: Term) -> Option<Polynomial> {
        let root = self.word(root, false);
        let mut stack = vec![root];
        while let Some(&word) = stack.last() {
            if self.known.contains_key(&word) {
                stack.pop();
                continue;
            }
            self.steps = self.steps.checked_sub(1)?;
            let operands = self.operands(word);
            let before = stack.len();
            stack.extend(operands.iter().copied().filter(|operand| !self.known.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                let known: Vec<Polynomial> =
                    operands.iter().map(|operand| self.known[operand].clone()).collect();
                let polynomial = self.combine(word, &known)?;
                self.known.insert(word, polynomial);
            }
        }
        self.known.get(&root).cloned()
    }

    /// The words whose polynomials that of a word is made of; none if it is an atom, or parts of a word.
    fn operands(&self, Word { term, is_exact }: Word) -> Vec<Word> {
        let pool = &self.pool;
        let args = pool.args(term);
        let all = |is_exact: bool| args.iter().map(|&arg| self.word(arg, is_exact)).collect();
        let width = pool.width(term).unwrap_or_default();
        let of = |&arg: &Term| significant(pool, arg, MOST_DEPTH);
        match pool.op(term) {
            Op::BvAdd | Op::BvMul | Op::BvNeg if !is_exact => all(false),
            Op::BvNot => all(is_exact),
            Op::BvAdd if args.iter().map(of).max() < Some(width) && args.len() == 2 => all(true),
            Op::BvMul if args.iter().map(of).sum::<u32>() <= width => all(true),
            Op::Ite => args[1..].iter().map(|&arg| self.word(arg, is_exact)).collect(),
            Op::Concat => {
                let (top, others) = args.split_first().expect("a concatenation has parts");
                let others = others.iter().map(|&arg| self.word(arg, true));
                [self.word(*top, is_exact)].into_iter().chain(others).collect()
            }
            Op::ZeroExtend => all(true),
            Op::SignExtend if self.is_cut(args[0]) => all(true),
            Op::Extract
                if pool.index(term) == 0
                    && !is_leaf(pool, args[0])
                    && pool.width(args[0]) <= Some(self.width)
                    && (!is_exact || of(&args[0]) <= width) =>
            {
                all(is_exact)
            }
            _ => vec![],
        }
    }

    /// The polynomial of a word, given those of its operands.
    fn combine(&mut self, Word { term, is_exact }: Word, known: &[Polynomial]) -> Option<Polynomial> {
        let args = self.pool.args(term).to_vec();
        let width = self.pool.width(term)?;
        let (one, minus_one) = (BitVec::one(self.width), BitVec::ones(self.width));
        if let Some(value) = self.pool.as_bitvec(term) {
            return Some(self.constant(value.zero_extend(self.width - width)));
        }
        let [first, others @ ..] = known else { return self.leaf(term) };
        let mut sum = self.constant(BitVec::zero(self.width));
        match self.pool.op(term) {
            Op::BvAdd => {
                for other in known {
                    self.add(&mut sum, other, &one)?;
                }
            }
            Op::BvNeg => self.add(&mut sum, first, &minus_one)?,
            Op::BvNot => {
                // The greatest number less the word.
                sum = self.constant(if is_exact { self.power(width).sub(&one) } else { minus_one.clone() });
                self.add(&mut sum, first, &minus_one)?;
            }
            Op::BvMul => {
                sum = first.clone();
                for other in others {
                    match self.product(&sum, other)? {
                        Some(opened) => sum = opened,
                        None => return self.atom(term),
                    }
                }
            }
            Op::Ite => {
                let mut distance = first.clone();
                self.add(&mut distance, &others[0], &minus_one)?;
                let condition = self.one_if(args[0], MOST_DEPTH)?;
                let Some(more) = self.product(&condition, &distance)? else { return self.atom(term) };
                self.add(&mut sum, &others[0], &one)?;
                self.add(&mut sum, &more, &one)?;
            }
            Op::Concat => {
                let mut place = 0;
                for (&arg, part) in args.iter().zip(known).rev() {
                    self.add(&mut sum, part, &self.power(place))?;
                    place += self.pool.width(arg)?;
                }
            }
            Op::SignExtend => {
                // Bits above are ones if the sign is.
                let low = self.pool.width(args[0])?;
                let sign = bit(self.pool, args[0], low - 1);
                let sign = self.leaf(sign)?;
                self.add(&mut sum, first, &one)?;
                self.add(&mut sum, &sign, &self.power(width).sub(&self.power(low)))?;
            }
            _ => sum = first.clone(),
        }
        Some(sum)
    }

    fn is_cut(&self, word: Term) -> bool {
        self.cuts.places.contains(word) || self.pool.op(word) == Op::Concat
    }

    /// A term as a number that nothing is known of.
    fn atom(&mut self, word: Term) -> Option<Polynomial> {
        let width = self.pool.width(word)?;
        let atom = match width {
            _ if width == self.width => word,
            _ if width > self.width => return None,
            1 => {
                let bit = extended_bit(self.pool, word, self.width);
                self.bits.insert(bit);
                bit
            }
            _ => {
                let zeros = make::zeros_or_none(self.pool, self.width - width);
                make::concat(self.pool, &[zeros, Some(word)])
            }
        };
        Some(Polynomial::atom(atom, self.width))
    }

    /// A word as the sum of its parts, if nothing else is known of it.
    fn leaf(&mut self, word: Term) -> Option<Polynomial> {
        let width = self.pool.width(word)?;
        let (whole, low) = match (self.pool.op(word), self.pool.args(word)) {
            (Op::Extract, &[whole]) if is_leaf(self.pool, whole) => (whole, self.pool.index(word)),
            _ if is_leaf(self.pool, word) => (word, 0),
            _ => return self.atom(word),
        };
        let high = low + width;
        let cuts = self.cuts.places.get(whole).map_or(&[][..], Vec::as_slice);
        let inner = cuts.iter().copied().filter(|place| (low + 1..high).contains(place));
        let starts: Vec<u32> = [low].into_iter().chain(inner).collect();
        let mut sum = self.constant(BitVec::zero(self.width));
        for (at, &start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(high);
            let part = make::extract(self.pool, whole, end - 1, start);
            let part = self.atom(part)?;
            self.add(&mut sum, &part, &self.power(start - low))?;
        }
        Some(sum)
    }

    /// The product, unless it has too many monomials. The square of a bit is the bit.
    fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Option<Polynomial>> {
        let count = a.monomials().count() * b.monomials().count();
        self.steps = self.steps.checked_sub(count + 1)?;
        if count > MOST_MONOMIALS {
            return Some(None);
        }
        let bits = &self.bits;
        let is_square = |pair: &[Term]| pair[0] == pair[1] && bits.contains(pair[0]);
        let mut product = self.constant(BitVec::zero(self.width));
        for (one, coefficient) in a.monomials() {
            for (other, factor) in b.monomials() {
                let mut all = [&one[..], other].concat();
                all.sort_unstable();
                let mut monomial: Monomial = Monomial::with_capacity(all.len());
                for factor in all {
                    if monomial.last().is_none_or(|&last| !is_square(&[last, factor])) {
                        monomial.push(factor);
                    }
                }
                product.add_monomial(monomial, coefficient.mul(factor));
            }
        }
        Some(Some(product))
    }

    /// The number that is one where a condition holds, and zero elsewhere.
    fn one_if(&mut self, condition: Term, depth: u32) -> Option<Polynomial> {
        let args = self.pool.args(condition).to_vec();
        let minus_one = BitVec::ones(self.width);
        let mut product = self.constant(BitVec::one(self.width));
        match (self.pool.op(condition), &args[..]) {
            (Op::Not, &[arg]) => {
                let other = self.one_if(arg, depth)?;
                self.add(&mut product, &other, &minus_one)?;
                return Some(product);
            }
            (Op::And, args) if depth > 0 => {
                for &arg in args {
                    let other = self.one_if(arg, depth - 1)?;
                    match self.product(&product, &other)? {
                        Some(opened) => product = opened,
                        None => return self.one_if(condition, 0),
                    }
                }
                return Some(product);
            }
            (Op::Eq, &[a, b])
                if let Some(value) = self.pool.as_bitvec(b).or_else(|| self.pool.as_bitvec(a))
                    && value.width() <= MOST_BITS =>
            {
                let word = if self.pool.is_const(b) { a } else { b };
                for place in 0..value.width() {
                    let bit = bit(self.pool, word, place);
                    let mut number = self.leaf(bit)?;
                    if !value.bit(place) {
                        number = number.scaled(&minus_one);
                        number.add_monomial(vec![], BitVec::one(self.width));
                    }
                    product = self.product(&product, &number)??;
                }
                return Some(product);
            }
            _ => {}
        }
        let one = one_if(self.pool, condition, self.width);
        self.bits.insert(one);
        Some(Polynomial::atom(one, self.width))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::testing::TermGen;
    use bivalve_terms::{Assignment, Sort, cone, eval};

    /// A random term of six bits, made of words that are cut, extended, chosen from, added and multiplied.
    fn word(pool: &mut Pool, generator: &mut TermGen, depth: usize) -> Term {
        let sort = Sort::bitvec(6).unwrap();
        if depth == 0 {
            return generator.symbol(pool, sort);
        }
        let a = word(pool, generator, depth - 1);
        match generator.rng().u8(..11) {
            0 => pool.mk(Op::BvNot, &[a]),
            1 => {
                let low = pool.mk_indexed(Op::Extract, &[2, 0], &[a]);
                pool.mk_indexed(Op::SignExtend, &[3], &[low])
            }
            2 => {
                let high = pool.mk_indexed(Op::Extract, &[5, 4], &[a]);
                pool.mk_indexed(Op::ZeroExtend, &[4], &[high])
            }
            3 => {
                let low = pool.mk_indexed(Op::Extract, &[3, 0], &[a]);
                let zero = pool.bv_u64(0, 2);
                pool.mk(Op::Concat, &[low, zero])
            }
            4 => {
                // A product of few bits, whether it overflows or not.
                let low = pool.mk_indexed(Op::Extract, &[2, 0], &[a]);
                let wide = pool.mk_indexed(Op::ZeroExtend, &[generator.rng().u32(..3)], &[low]);
                let square = pool.mk([Op::BvMul, Op::BvAdd][generator.rng().usize(..2)], &[wide, wide]);
                pool.mk_indexed(Op::ZeroExtend, &[6 - pool.width(square).unwrap()], &[square])
            }
            5 | 6 => {
                let bits = pool.mk_indexed(Op::Extract, &[3, 2], &[a]);
                let value = pool.bv_u64(generator.rng().u64(..4), 2);
                let (is_it, c) = (pool.mk(Op::Eq, &[bits, value]), generator.symbol(pool, Sort::BOOL));
                let condition = pool.mk(Op::And, &[is_it, c]);
                let b = word(pool, generator, depth - 1);
                pool.mk(Op::Ite, &[condition, a, b])
            }
            7 => pool.mk(Op::BvNeg, &[a]),
            8 => {
                let b = word(pool, generator, depth - 1);
                pool.mk(Op::BvMul, &[a, b])
            }
            _ => {
                let b = word(pool, generator, depth - 1);
                pool.mk(Op::BvAdd, &[a, b])
            }
        }
    }

    #[test]
    fn polynomials_have_the_values_of_words() {
        let mut opened = 0;
        for seed in 0..3000 {
            let mut pool = Pool::new();
            let mut generator = TermGen::new(seed);
            let pair = [(); 2].map(|()| word(&mut pool, &mut generator, 4));
            let mut rewriter = Rewriter::new(Level::Local);
            let [a, b] = match seed % 2 {
                0 => pair,
                _ => pair.map(|term| rewriter.rewrite(&mut pool, term)),
            };
            let cuts = Cuts::new(&pool, &cone(&pool, &[a, b]));
            let found = difference(&mut pool, [a, b], &cuts, &mut 1_000_000, &Deadline::unlimited());
            let Some(found) = found else { continue };
            opened += usize::from(found.monomials().count() > 4);
            let (minus, term) = (pool.mk(Op::BvSub, &[a, b]), found.term(&mut pool));
            for _ in 0..20 {
                let assignment: Assignment = generator.assignment(&pool, &[minus, term]);
                assert_eq!(eval(&pool, minus, &assignment), eval(&pool, term, &assignment), "{seed}");
            }
        }
        assert!(opened > 1000, "{opened} opened: too few");
    }

    /// A product by halves (Karatsuba), and one by digits from -2 to 2 (Booth).
    #[test]
    fn products_by_halves_and_by_digits_are_products() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y] = ["x", "y"].map(|name| pool.symbol(name, sort));
        let wide = |pool: &mut Pool, word: Term| {
            let more = 16 - pool.width(word).unwrap();
            pool.mk_indexed(Op::ZeroExtend, &[more], &[word])
        };
        let half = |pool: &mut Pool, word: Term, at: u32| {
            let half = pool.mk_indexed(Op::Extract, &[at + 3, at], &[word]);
            wide(pool, half)
        };
        let [a, b] = [x, y].map(|word| [half(&mut pool, word, 4), half(&mut pool, word, 0)]);
        let [high, low] = [0, 1].map(|at| pool.mk(Op::BvMul, &[a[at], b[at]]));
        let sums = [a, b].map(|halves| pool.mk(Op::BvAdd, &halves));
        let all = pool.mk(Op::BvMul, &sums);
        let less = pool.mk(Op::BvSub, &[all, high]);
        let middle = pool.mk(Op::BvSub, &[less, low]);
        let shifted = [(high, 8), (middle, 4)].map(|(word, by)| {
            let by = pool.bv_u64(by, 16);
            pool.mk(Op::BvShl, &[word, by])
        });
        let by_halves = pool.mk(Op::BvAdd, &[shifted[0], shifted[1], low]);
        let factors = [x, y].map(|word| wide(&mut pool, word));
        let product = pool.mk(Op::BvMul, &factors);

        let extended = [x, y].map(|word| pool.mk_indexed(Op::SignExtend, &[8], &[word]));
        let signed = pool.mk(Op::BvMul, &extended);
        let zero = pool.bv_u64(0, 16);
        let mut by_digits = zero;
        for row in (0..8).step_by(2) {
            let digit = match row {
                0 => {
                    let (low, zero) = (pool.mk_indexed(Op::Extract, &[1, 0], &[y]), pool.bv_u64(0, 1));
                    pool.mk(Op::Concat, &[low, zero])
                }
                _ => pool.mk_indexed(Op::Extract, &[row + 1, row - 1], &[y]),
            };
            let twice = pool.mk(Op::BvAdd, &[extended[0], extended[0]]);
            let [minus, minus_twice] = [extended[0], twice].map(|word| pool.mk(Op::BvNeg, &[word]));
            let once = extended[0];
            let mut multiple = zero;
            for (value, of) in (1..7).zip([once, once, twice, minus_twice, minus, minus]) {
                let value = pool.bv_u64(value, 3);
                let is_it = pool.mk(Op::Eq, &[digit, value]);
                multiple = pool.mk(Op::Ite, &[is_it, of, multiple]);
            }
            let by = pool.bv_u64(u64::from(row), 16);
            let summand = pool.mk(Op::BvShl, &[multiple, by]);
            by_digits = pool.mk(Op::BvAdd, &[by_digits, summand]);
        }
        let mut rewriter = Rewriter::new(Level::Local);
        for (a, b) in [(by_halves, product), (by_digits, signed)] {
            let [a, b] = [a, b].map(|term| rewriter.rewrite(&mut pool, term));
            let cuts = Cuts::new(&pool, &cone(&pool, &[a, b]));
            let found = difference(&mut pool, [a, b], &cuts, &mut 1_000_000, &Deadline::unlimited());
            assert_eq!(found.map(|found| found.monomials().count()), Some(0));
        }
    }
}
