//! Quotients, remainders and products without circuits.
//!
//! Most of what is said of them follows from facts about their size and from congruence, and then the search
//! is one without dividers and multipliers. So a proof is first tried with free bits for them and these
//! clauses; only if that does not succeed, and its failure says nothing, with circuits. With products the
//! facts are those of integers: a quotient is the one whose product with the divisor fits into the dividend,
//! and products that do not overflow are ordered as their factors. Overflow checks, scaled fractions and
//! bounds by quotients come down to that, at any width.
//!
//! Cost: a small circuit for each, and a clause for each pair; they are few.

use crate::instances;
use crate::lemma;
use crate::recorder::Recorder;
use bivalve_checker::gate::Lit;
use bivalve_checker::term::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// With more quotients and remainders than these, the facts about them are not tried.
pub(crate) const MOST_DIVISIONS: usize = 8;

/// With more quotients, remainders and products than these, what is added for facts included, they are not
/// tried either.
const MOST_PRODUCTS: usize = 24;

/// Nor are wider ones: comparing words bit by bit takes a conflict or more for each.
const WIDEST_PRODUCT: u32 = 1024;

/// What quotients and remainders are in a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Division {
    /// Free bits, as products, with facts about what they are as integers.
    Products,
    /// The same, with the products that what is compared with quotients comes down to.
    Compared,
    /// Free bits, with facts about their size, and equal where their operands are.
    Facts,
    /// Nothing but congruence and polynomials, in each case of the conditions of choices.
    Cases,
    /// Circuits.
    Circuits,
}

/// The quotients and remainders below these terms and not below variables, operands first.
pub(crate) fn divisions(terms: &Terms, roots: &[Term], variables: &[Term]) -> Vec<Term> {
    below(terms, roots, variables, &|op| matches!(op, Op::BvUdiv | Op::BvUrem))
}

/// The same, and products.
pub(crate) fn divisions_and_products(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    below(terms, roots, &[], &|op| matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvMul))
}

/// So many low bits of a product with free bits are those of the product of the low bits of its factors,
/// which has a circuit: four say which numbers are squares.
const LOW: u32 = 4;

/// Narrower products have circuits at once.
pub(crate) const WIDE_PRODUCT: u32 = 16;

/// Products of two words that are not values, likewise, but not of narrow ones.
pub(crate) fn wide_products(terms: &Terms, roots: &[Term], variables: &[Term]) -> Vec<Term> {
    let mut found = below(terms, roots, variables, &|op| op == Op::BvMul);
    let has_value = |term: Term| terms.args(term).iter().any(|&factor| terms.is_value(factor));
    found.retain(|&term| terms.width(term) >= Some(WIDE_PRODUCT) && !has_value(term));
    found
}

/// The terms with such operators below these terms and not below variables, operands first.
fn below(terms: &Terms, roots: &[Term], variables: &[Term], is_one: &dyn Fn(Op) -> bool) -> Vec<Term> {
    let (mut found, mut seen) = (vec![], FxHashSet::default());
    let mut stack: Vec<(Term, bool)> = roots.iter().map(|&root| (root, false)).collect();
    while let Some((term, is_visited)) = stack.pop() {
        if is_visited {
            found.push(term);
        } else if seen.insert(term) && !variables.contains(&term) {
            if is_one(terms.op(term)) {
                stack.push((term, true));
            }
            stack.extend(terms.args(term).iter().map(|&arg| (arg, false)));
        }
    }
    found
}

/// Are there some, but so few that facts about them are tried?
pub(crate) fn are_few(divisions: &[Term]) -> bool {
    (1..=MOST_DIVISIONS).contains(&divisions.len())
}

/// Gives quotients and remainders below these terms free bits; the clauses that they satisfy, and the numbers
/// of these.
///
/// # Errors
///
/// When there are too many of them.
pub(crate) fn free(out: &mut Recorder, roots: &[Term], division: Division) -> Result<Vec<Numbered>, String> {
    Free::of(division).map_or(Ok(vec![]), |mut free| free.free(out, roots))
}

/// A clause over bits, and its number.
pub(crate) type Numbered = (Vec<Lit>, u64);

/// Terms that have free bits.
pub(crate) struct Free {
    with_products: bool,
    is_compared: bool,
    terms: Vec<Term>,
    /// What the clauses say, as terms.
    pub(crate) said: Vec<Term>,
    /// What products of choices are, as clauses.
    choices: Vec<Vec<(Term, bool)>>,
}

impl Free {
    /// What has free bits, if something has. Products with a value have circuits.
    pub(crate) fn of(division: Division) -> Option<Free> {
        let is_free = matches!(division, Division::Products | Division::Compared | Division::Facts);
        is_free.then(|| Free {
            with_products: division != Division::Facts,
            is_compared: division == Division::Compared,
            terms: vec![],
            said: vec![],
            choices: vec![],
        })
    }

    /// Whether such terms have free bits.
    pub(crate) fn takes(&self, op: Op) -> bool {
        matches!(op, Op::BvUdiv | Op::BvUrem) || self.with_products && op == Op::BvMul
    }

    /// The same, with those of earlier calls.
    pub(crate) fn free(&mut self, out: &mut Recorder, roots: &[Term]) -> Result<Vec<Numbered>, String> {
        let earlier = self.terms.len();
        let (mut facts, mut waiting) = (vec![], self.without_bits(out, roots));
        if self.is_compared {
            waiting.extend(products_of_comparisons(out, roots)?);
        }
        waiting.reverse();
        while let Some(term) = waiting.pop() {
            if out.kernel.bits(term).is_some() || is_narrow(&out.kernel.terms, term) {
                continue;
            }
            if self.with_products && out.kernel.terms.width(term) > Some(WIDEST_PRODUCT) {
                return Err("a product is too wide".into());
            }
            out.free_bits(term)?;
            let before = facts.len();
            if out.kernel.terms.op(term) == Op::BvMul {
                self.facts_of_product(out, term, &mut facts);
                facts.push(low_bits(out, term)?);
                self.distribute(out, term, &mut waiting)?;
            } else {
                facts.push(out.division(term)?);
                if self.with_products {
                    facts.push(out.exact(term)?);
                    waiting.extend(self.products_of_divisors(out, term)?);
                }
                if self.is_compared {
                    waiting.extend(wide_dividend(out, term)?);
                }
            }
            waiting.extend(self.without_bits(out, &facts[before..]));
            self.terms.push(term);
            if self.with_products && self.terms.len() > MOST_PRODUCTS {
                return Err("there are too many products".into());
            }
        }
        // What the facts mention has free bits now.
        let mut clauses = vec![];
        self.said.extend_from_slice(&facts);
        for fact in facts {
            let number = out.unit(fact)?;
            clauses.push((out.bits(fact)?, number));
        }
        for at in earlier..self.terms.len() {
            for place in 0..at {
                let (term, before) = (self.terms[at], self.terms[place]);
                clauses.extend(self.congruence(out, term, before)?);
                clauses.extend(same_polynomial(out, term, before)?);
            }
        }
        for choice in self.choices.drain(..) {
            let number = lemma::show_by_closure(out, &choice)?;
            clauses.push((instances::bits(out, &choice)?, number));
        }
        Ok(clauses)
    }

    /// A choice times b is the choice of the products with b.
    fn distribute(&mut self, out: &mut Recorder, term: Term, new: &mut Vec<Term>) -> Result<(), String> {
        let terms = &mut out.kernel.terms;
        let &[a, b] = terms.args(term) else { return Ok(()) };
        for (choice, factor) in [(a, b), (b, a)] {
            if let (Op::Ite, &[condition, yes, no]) = (terms.op(choice), terms.args(choice)) {
                for (branch, value) in [(yes, true), (no, false)] {
                    let product = terms.mk(Op::BvMul, &[branch, factor])?;
                    let same = terms.mk(Op::Eq, &[term, product])?;
                    self.choices.push(vec![(condition, !value), (same, true)]);
                    new.push(product);
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// The terms below these that are to have free bits, and have none.
    fn without_bits(&self, out: &Recorder, roots: &[Term]) -> Vec<Term> {
        let terms = &out.kernel.terms;
        let mut new = below(terms, roots, &[], &|op| self.takes(op));
        let is_multiple = |&term: &Term| terms.args(term).iter().any(|&factor| terms.is_value(factor));
        new.retain(|term| out.kernel.bits(*term).is_none());
        new.retain(|term| terms.op(*term) != Op::BvMul || !is_multiple(term));
        new
    }

    /// The facts about a product, and about it and those before it, if it does not overflow.
    fn facts_of_product(&self, out: &mut Recorder, term: Term, facts: &mut Vec<Term>) {
        let Ok(about) = out.product(term) else { return };
        facts.push(about);
        for &other in &self.terms {
            facts.extend(out.products(term, other));
        }
    }

    /// One operator on equal operands has equal results.
    fn congruence(&mut self, out: &mut Recorder, a: Term, b: Term) -> Result<Option<Numbered>, String> {
        let (x, y) = (out.kernel.terms.args(a).to_vec(), out.kernel.terms.args(b).to_vec());
        self.congruence_of(out, [a, b], [&x, &y])
    }

    /// The same for words that have circuits, which are no clauses yet.
    pub(crate) fn congruences(
        &mut self,
        out: &mut Recorder,
        words: &[Term],
    ) -> Result<Vec<Numbered>, String> {
        let mut clauses = vec![];
        for (place, &a) in words.iter().enumerate() {
            let op = out.kernel.terms.op(a);
            let others = if self.takes(op) { &[] } else { &words[..place] };
            for &b in others {
                let (x, y) = (out.kernel.terms.args(a).to_vec(), out.kernel.terms.args(b).to_vec());
                clauses.extend(self.congruence_of(out, [a, b], [&x, &y])?);
                if let (true, &[first, second]) = (op.is_commutative(), &y[..]) {
                    clauses.extend(self.congruence_of(out, [a, b], [&x, &[second, first]])?);
                }
            }
        }
        Ok(clauses)
    }

    /// Two terms are equal if they have one operator, and their operands are, in these orders.
    fn congruence_of(
        &mut self,
        out: &mut Recorder,
        [a, b]: [Term; 2],
        operands: [&[Term]; 2],
    ) -> Result<Option<Numbered>, String> {
        let terms = &mut out.kernel.terms;
        let are_two = operands.iter().all(|operands| operands.len() == 2);
        if !are_two || terms.op(a) != terms.op(b) || terms.sort_of(a) != terms.sort_of(b) {
            return Ok(None);
        }
        let mut lemma = vec![];
        for (&x, &y) in operands[0].iter().zip(operands[1]) {
            lemma.push((terms.mk(Op::Eq, &[x, y])?, false));
        }
        lemma.push((terms.mk(Op::Eq, &[a, b])?, true));
        self.said.extend(lemma.iter().map(|&(equation, _)| equation));
        let number = lemma::show_by_closure(out, &lemma)?;
        Ok(Some((instances::bits(out, &lemma)?, number)))
    }

    /// Quotients of one dividend are compared by the product of their divisors.
    fn products_of_divisors(&self, out: &mut Recorder, term: Term) -> Result<Vec<Term>, String> {
        let mut products = vec![];
        for &other in &self.terms {
            let terms = &mut out.kernel.terms;
            let (op, Some(width)) = (terms.op(term), terms.width(term)) else { continue };
            if op == Op::BvUdiv && op == terms.op(other) && terms.args(term)[0] == terms.args(other)[0] {
                let divisors = [terms.args(term)[1], terms.args(other)[1]];
                let [a, b] = divisors.map(|divisor| terms.zero_extend(width, divisor));
                products.push(terms.mk(Op::BvMul, &[a?, b?])?);
            }
        }
        Ok(products)
    }
}

/// Is it a product of so few bits that it has a circuit at once?
fn is_narrow(terms: &Terms, term: Term) -> bool {
    terms.op(term) == Op::BvMul && terms.width(term) <= Some(LOW)
}

/// What the low bits of a product are, as a term that is true.
fn low_bits(out: &mut Recorder, term: Term) -> Result<Term, String> {
    let terms = &mut out.kernel.terms;
    let factors = terms.args(term).to_vec();
    let mut low = |word: Term| terms.mk(Op::Extract(LOW - 1, 0), &[word]);
    let (part, factors) = (low(term)?, [low(factors[0])?, low(factors[1])?]);
    let product = terms.mk(Op::BvMul, &factors)?;
    out.polynomial(part, product)?;
    let equation = out.kernel.terms.mk(Op::Eq, &[part, product])?;
    out.equation(equation)?;
    Ok(equation)
}

/// A quotient `x / s` is compared with a word as x is with the word times s, as integers: these products.
fn products_of_comparisons(out: &mut Recorder, roots: &[Term]) -> Result<Vec<Term>, String> {
    let terms = &mut out.kernel.terms;
    let mut products = vec![];
    for comparison in below(terms, roots, &[], &|op| matches!(op, Op::BvUlt | Op::Eq)) {
        let &[a, b] = terms.args(comparison) else { continue };
        for (quotient, word) in [(a, b), (b, a)] {
            if let (Op::BvUdiv, &[_, divisor], Some(width)) =
                (terms.op(quotient), terms.args(quotient), terms.width(quotient))
            {
                let [word, divisor] = [word, divisor].map(|factor| terms.zero_extend(width, factor));
                products.push(terms.mk(Op::BvMul, &[word?, divisor?])?);
            }
        }
    }
    Ok(products)
}

/// A dividend that is a product, of twice the width, so that its factors are compared with quotients and
/// divisors.
fn wide_dividend(out: &mut Recorder, term: Term) -> Result<Option<Term>, String> {
    let terms = &mut out.kernel.terms;
    let dividend = terms.args(term)[0];
    let (Op::BvMul, &[a, b], Some(width)) = (terms.op(dividend), terms.args(dividend), terms.width(dividend))
    else {
        return Ok(None);
    };
    let [a, b] = [a, b].map(|factor| terms.zero_extend(width, factor));
    terms.mk(Op::BvMul, &[a?, b?]).map(Some)
}

/// Products that are one polynomial, or the negation, or of which one is the low part of the other.
fn same_polynomial(out: &mut Recorder, a: Term, b: Term) -> Result<Option<Numbered>, String> {
    let terms = &mut out.kernel.terms;
    let (Some(width), Some(other)) = (terms.width(a), terms.width(b)) else { return Ok(None) };
    if terms.op(a) != Op::BvMul || terms.op(b) != Op::BvMul {
        return Ok(None);
    }
    let low = width.min(other);
    let mut part = |term: Term, is_whole: bool| {
        if is_whole { Ok(term) } else { terms.mk(Op::Extract(low - 1, 0), &[term]) }
    };
    let (a, b) = (part(a, width == low)?, part(b, other == low)?);
    let minus = terms.mk(Op::BvNeg, &[b])?;
    for b in [b, minus] {
        if out.polynomial(a, b).is_ok() {
            let equation = out.kernel.terms.mk(Op::Eq, &[a, b])?;
            out.equation(equation)?;
            let number = out.unit(equation)?;
            return Ok(Some((out.bits(equation)?, number)));
        }
    }
    Ok(None)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{Division, free};
    use crate::recorder::Recorder;
    use crate::{Certifier, Form};
    use bivalve_checker::term::Op;
    use bivalve_limits::Stop;
    use bivalve_terms::{Pool, Sort, Term};

    /// Words whose upper half is zeros, and the conjuncts that say so.
    fn symbols(pool: &mut Pool, width: u32, names: [&str; 3]) -> ([Term; 3], Vec<Term>) {
        let (half, one) = (pool.bv_u64(u64::from(width / 2), width), pool.bv_u64(1, width));
        let limit = pool.bvshl(one, half).unwrap();
        let symbols = names.map(|name| pool.symbol(name, Sort::bitvec(width).unwrap()));
        let bounds = symbols.iter().map(|&symbol| pool.bvult(symbol, limit).unwrap()).collect();
        (symbols, bounds)
    }

    fn is_certified(mut pool: Pool, assertions: &[Term]) -> bool {
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, assertions, None);
        certified.is_ok()
    }

    /// `y <= z` and `z` is not 0, so `x y / z <= x`.
    #[test]
    fn a_share_is_no_more_than_the_whole() {
        let mut pool = Pool::new();
        let ([x, y, z], mut assertions) = symbols(&mut pool, 256, ["x", "y", "z"]);
        let zero = pool.bv_u64(0, 256);
        assertions.push(pool.bvule(y, z).unwrap());
        assertions.push(pool.bvugt(z, zero).unwrap());
        let product = pool.bvmul(x, y).unwrap();
        let share = pool.bvudiv(product, z).unwrap();
        assertions.push(pool.bvugt(share, x).unwrap());
        assert!(is_certified(pool, &assertions));
    }

    /// Quotients of one dividend are compared by the product of their divisors, which is narrow where these
    /// have one or two bits.
    #[test]
    fn narrow_products_have_circuits() {
        for width in 1..=6 {
            let mut out = Recorder::new(None);
            let sort = out.kernel.terms.bitvec_sort(width).unwrap();
            out.variable_sort(sort);
            let [x, s, t] = [(); 3].map(|()| out.variable(sort));
            let terms = &mut out.kernel.terms;
            let [a, b] = [s, t].map(|divisor| terms.mk(Op::BvUdiv, &[x, divisor]).unwrap());
            let less = terms.mk(Op::BvUlt, &[a, b]).unwrap();
            for division in [Division::Facts, Division::Products, Division::Compared] {
                let mut out = out.clone();
                assert!(free(&mut out, &[less], division).is_ok(), "{width}");
                assert!(out.kernel.bits(a).is_some() && out.bits(less).is_ok(), "{width}");
            }
        }
    }

    /// No square is 3 modulo 4, so none is the greatest number, at a width of which no circuit fits.
    #[test]
    fn the_low_bits_of_a_product_are_known() {
        let mut pool = Pool::new();
        let x = pool.symbol("x", Sort::bitvec(2048).unwrap());
        let square = pool.bvmul(x, x).unwrap();
        let one = pool.bv_u64(1, 2048);
        let quotient = pool.bvudiv(one, square).unwrap();
        let (minus, zero) = (pool.bvneg(one).unwrap(), pool.bv_u64(0, 2048));
        let is_square = pool.eq(square, minus).unwrap();
        let is_some = pool.distinct(quotient, zero).unwrap();
        assert!(is_certified(pool, &[is_square, is_some]));
    }

    /// Assets become shares, rounded down, and shares assets again: no more than there were.
    #[test]
    fn rounding_down_twice_gains_nothing() {
        let mut pool = Pool::new();
        let ([assets, supply, total], mut assertions) = symbols(&mut pool, 64, ["assets", "supply", "total"]);
        let zero = pool.bv_u64(0, 64);
        assertions.extend([supply, total].map(|word| pool.bvugt(word, zero).unwrap()));
        let worth = pool.bvmul(assets, supply).unwrap();
        let shares = pool.bvudiv(worth, total).unwrap();
        let worth = pool.bvmul(shares, total).unwrap();
        let back = pool.bvudiv(worth, supply).unwrap();
        assertions.push(pool.bvugt(back, assets).unwrap());
        assert!(is_certified(pool, &assertions));
    }
}
