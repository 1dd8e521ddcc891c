//! Values that linear equations determine together with bounds.
//!
//! Over the numbers modulo 2^w an equation determines a symbol if its coefficient is odd and nothing else is
//! left. Words that are known to be small need less: in `3a + 256b + 512c = 5` the low eight bits are those
//! of `3a` alone, so a byte `a` is known, and then, by the next bits, what `b` is. Extended bytes are such
//! words, parts of a concatenation, numbers that are one or zero, and whatever has bounds by what is
//! asserted.
//!
//! The equations are brought to echelon form, now with every monomial as a column, and read one by one; each
//! value that is found leaves fewer columns, and the elimination goes on. What comes out is asserted beside
//! the equations, which stay as they are: substitution and the local rules make them shorter. A row that no
//! word within its bounds satisfies refutes everything.
//!
//! Why it is right: rows are sums of multiples of equations. If all coefficients but that of `a`, which is
//! `2^e` times an odd number `o`, are multiples of `2^k`, then the row says what `o a` is modulo `2^(k-e)`,
//! hence what `a` is modulo that, and at most one number lies within bounds that are that close. Bounds may
//! follow from other conjuncts, since all of these stay.
//!
//! Cost: as [`super`], with all columns.

use super::{Row, columns, matrix, rows, systems};
use crate::change::{Change, Reason};
use crate::passes::intervals;
use crate::problem::Problem;
use bivalve_algebra::expansion::Opened;
use bivalve_algebra::matrix::Matrix;
use bivalve_algebra::polynomial::Monomial;
use bivalve_algebra::ring::{Binary, SmallWords, Words};
use bivalve_domains::{Analysis, Facts};
use bivalve_limits::Deadline;
use bivalve_rewrite::make;
use bivalve_terms::{BitVec, Op, Pool};

/// The numbers from `least` on, `span` more of them, modulo a power of two.
pub(super) struct Range {
    least: BitVec,
    span: BitVec,
}

/// What a row says.
enum Reading {
    /// Nothing of a single column.
    Open,
    /// The column has this value.
    Value(u32, BitVec),
    /// It has no solution.
    Never,
}

/// The equations of the conjuncts, with the values of what they determine; `None` if that is nothing.
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let rows = rows(pool, problem, Opened::Parts);
    if rows.is_empty() {
        return None;
    }
    let bounds = intervals::believed(pool, problem.conjuncts);
    let facts = bounds.map_or_else(|| Some(Facts::new()), |(facts, _)| facts);
    let known = facts.and_then(|facts| Analysis::forward(pool, problem.cone(pool), &facts, problem.deadline));
    // Bounds may contradict each other.
    let Some(known) = known else { return Some(Change::refutation(pool, Reason::Unshown)) };
    let mut added = vec![];
    for system in systems(rows, &|monomial| !monomial.is_empty()) {
        let columns = columns(&system);
        let width = system[0].polynomial.width();
        let ranges: Vec<Range> =
            columns.iter().map(|monomial| Range::of(pool, &known, monomial, width)).collect();
        if system.len() == 1 && ranges.iter().all(Range::is_all) {
            continue;
        }
        let found = match width {
            ..=64 => values(SmallWords::new(width), &system, &columns, &ranges, problem.deadline),
            _ => values(Words(width), &system, &columns, &ranges, problem.deadline),
        };
        let Some(found) = found else { return Some(Change::refutation(pool, Reason::Unshown)) };
        for (column, value) in found {
            if let [atom] = columns[column as usize][..] {
                let value = pool.bitvec(&value);
                added.push(Change::added(make::eq(pool, atom, value), Reason::Unshown));
            }
        }
    }
    (!added.is_empty()).then_some(added)
}

/// The columns that have values by the equations, `None` if these have no solution.
fn values<R: Binary>(
    ring: R,
    system: &[Row],
    columns: &[Monomial],
    ranges: &[Range],
    deadline: &Deadline,
) -> Option<Vec<(u32, BitVec)>> {
    let mut matrix = matrix(ring, system, columns);
    matrix.solve_for(columns.iter().map(|monomial| !monomial.is_empty()).collect());
    let mut found = vec![];
    loop {
        let before = found.len();
        let is_done = matrix.eliminate(deadline);
        for number in 0..system.len() {
            loop {
                match reading(&matrix, number, ranges) {
                    Reading::Open => break,
                    Reading::Never => return None,
                    Reading::Value(column, value) => {
                        matrix.set(column, &value);
                        found.push((column, value));
                    }
                }
            }
        }
        if found.len() == before || !is_done || !deadline.step(system.len() as u64) {
            return Some(found);
        }
    }
}

/// What a row says of its column with the fewest trailing zeros, by the bits below all others.
fn reading<R: Binary>(matrix: &Matrix<R>, number: usize, ranges: &[Range]) -> Reading {
    let constant = matrix.entry(number, 0);
    let width = ranges[0].span.width();
    let constant = constant.unwrap_or_else(|| BitVec::zero(width));
    let Some((zeros, column, next)) = matrix.lowest(number) else {
        return if constant.is_zero() { Reading::Open } else { Reading::Never };
    };
    if constant.trailing_zeros() < zeros {
        return Reading::Never;
    }
    let range = &ranges[column as usize];
    let bits = next - zeros;
    if width - range.span.leading_zeros() > bits {
        return Reading::Open;
    }
    let odd = matrix.entry(number, column).expect("it was found there").lshr_by(zeros);
    let inverse = odd.odd_inverse().expect("without its zeros it is odd");
    let value = constant.neg().lshr_by(zeros).mul(&inverse);
    let distance = value.sub(&range.least).and(&BitVec::ones(width).lshr_by(width - bits));
    if distance.ule(&range.span) {
        Reading::Value(column, range.least.add(&distance))
    } else {
        Reading::Never
    }
}

impl Range {
    /// The values that a monomial may have, as far as that is seen.
    fn of(pool: &Pool, known: &Analysis, monomial: &Monomial, width: u32) -> Range {
        let all = || Range { least: BitVec::zero(width), span: BitVec::ones(width) };
        let &[atom] = &monomial[..] else { return all() };
        let between = |least: &BitVec, greatest: &BitVec| {
            let [least, greatest] = [least, greatest].map(|bound| bound.zero_extend(width - bound.width()));
            Range { span: greatest.sub(&least), least }
        };
        match (pool.op(atom), pool.args(atom)) {
            (Op::Concat, &[high, low]) if pool.as_bitvec(high).is_some_and(|high| high.is_zero()) => {
                match known.domain(low) {
                    Some(domain) => between(domain.least(), domain.greatest()),
                    None => {
                        let ones = BitVec::ones(width - pool.width(high).expect("a word has a width"));
                        between(&BitVec::zero(ones.width()), &ones)
                    }
                }
            }
            (Op::SignExtend, &[arg]) => {
                let arg = pool.width(arg).expect("a word has a width");
                let extended = width - arg;
                Range {
                    least: BitVec::min_signed(arg).sign_extend(extended),
                    span: BitVec::ones(arg).zero_extend(extended),
                }
            }
            (Op::Ite, &[_, then, other]) => match (pool.as_bitvec(then), pool.as_bitvec(other)) {
                (Some(a), Some(b)) if a.ule(&b) => between(&a, &b),
                (Some(a), Some(b)) => between(&b, &a),
                _ => all(),
            },
            _ => known.domain(atom).map_or_else(all, |domain| between(domain.least(), domain.greatest())),
        }
    }

    fn is_all(&self) -> bool {
        self.span.is_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::linear::tests::system_of_wide_words;
    use crate::passes::tests::{alone, check};
    use bivalve_rewrite::{Level, Rewriter};
    use bivalve_terms::{Sort, Term};

    /// Systems over words that are wider than the symbols, some with bounds beside them.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 1500, system_of_wide_words);
        assert!(changed > 250, "{changed} changed: too easy");
    }

    /// As many equations over bytes as there are bytes, as programs check licences: every byte has its value.
    #[test]
    fn bytes_of_a_licence_are_determined() {
        let mut random = fastrand::Rng::with_seed(52);
        for (count, width) in [(12, 32), (6, 64), (5, 80), (9, 16)] {
            let mut pool = Pool::new();
            let byte = Sort::bitvec(8).expect("a legal width");
            let symbols: Vec<Term> = (0..count).map(|i| pool.symbol(&format!("f{i}"), byte)).collect();
            let licence: Vec<u64> = symbols.iter().map(|_| random.u64(..256)).collect();
            let mut rewriter = Rewriter::new(Level::Local);
            let mut conjuncts = vec![];
            for _ in 0..count {
                let (mut sum, mut total) = (pool.bv_u64(0, width), 0);
                for (&symbol, value) in symbols.iter().zip(&licence) {
                    let factor = random.u64(..200);
                    total += factor * value;
                    let extended = pool.mk_indexed(Op::ZeroExtend, &[width - 8], &[symbol]);
                    let factor = pool.bv_u64(factor, width);
                    let summand = pool.mk(Op::BvMul, &[extended, factor]);
                    sum = pool.mk(Op::BvAdd, &[sum, summand]);
                }
                let total = pool.bv_u64(total, width);
                let equation = pool.mk(Op::Eq, &[sum, total]);
                conjuncts.push(rewriter.rewrite(&mut pool, equation));
            }
            let found = alone(run, &mut pool, &conjuncts).expect("they are determined");
            let mut values: Vec<Term> =
                found[conjuncts.len()..].iter().map(|&value| rewriter.rewrite(&mut pool, value)).collect();
            let mut expected = vec![];
            for (&symbol, &value) in symbols.iter().zip(&licence) {
                let value = pool.bv_u64(value, 8);
                let value = pool.mk(Op::Eq, &[symbol, value]);
                expected.push(rewriter.rewrite(&mut pool, value));
            }
            values.sort_unstable();
            expected.sort_unstable();
            assert_eq!(values, expected, "{count} bytes in words of {width} bits");
        }
    }

    /// One equation is enough where each digit has its place; one more than that has no digit.
    #[test]
    fn digits_of_a_constant_are_read_off() {
        let mut pool = Pool::new();
        let digit = Sort::bitvec(4).expect("a legal width");
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, digit));
        let mut sum = pool.bv_u64(0, 16);
        for (symbol, factor) in [(a, 3), (b, 16 * 5)] {
            let (extended, factor) =
                (pool.mk_indexed(Op::ZeroExtend, &[12], &[symbol]), pool.bv_u64(factor, 16));
            let summand = pool.mk(Op::BvMul, &[extended, factor]);
            sum = pool.mk(Op::BvAdd, &[sum, summand]);
        }
        let mut rewriter = Rewriter::new(Level::Local);
        for (constant, is_possible) in [(3 * 11 + 80 * 7, true), (3 * 11 + 80 * 17, false)] {
            let constant = pool.bv_u64(constant, 16);
            let equation = pool.mk(Op::Eq, &[sum, constant]);
            let equation = rewriter.rewrite(&mut pool, equation);
            let found = alone(run, &mut pool, &[equation]).expect("it is determined");
            assert_eq!(found.len(), if is_possible { 3 } else { 1 });
            assert_eq!(pool.as_bool(found[0]), (!is_possible).then_some(false));
        }
    }
}
