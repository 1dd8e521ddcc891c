//! Terms on which a formula can be split, and how much hangs on each.
//!
//! Candidates are about words: the condition of a choice, a comparison, an equation (of indices of arrays,
//! too), the upper half of the values of a factor, a divisor or a distance of a shift, the sign of a float.
//! What hangs on a candidate is the cost of the circuits that it decides or makes smaller. Where there is
//! none of these, the upper half of the values of a symbol is one.
//!
//! A candidate mentions symbols of the script alone, for its text has to mean the same to every reader.
//!
//! Cost: linear in the terms.

use bivalve::bitblast;
use bivalve::terms::{BitVec, Op, Pool, Sort, Term, TermMap, cone};
use bivalve_domains::Analysis;
use bivalve_limits::Deadline;

/// Terms of a candidate, at most: it is read again for every node below.
const MOST_TERMS: usize = 64;

/// What a read of an array costs beside its circuits, of which it has none: each other access to the array
/// is compared with it.
const READ: u64 = 64;

/// About how many gates the operator of a term takes; of a theory that becomes bit-vectors about as many as
/// an addition of 64 bits.
pub(crate) fn cost(pool: &Pool, term: Term) -> u64 {
    if pool.op(term).is_lowered() { READ } else { bitblast::cost(pool, term) }
}

/// The candidates in the conjuncts, those first on which most hangs; `is_named` says whether a symbol is one
/// of the script.
pub(crate) fn candidates(pool: &mut Pool, conjuncts: &[Term], is_named: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let terms = cone(pool, conjuncts);
    let Some(domains) = Analysis::under(pool, &terms, conjuncts, &Deadline::unlimited()) else {
        return vec![];
    };
    let mut found = Found { domains, weights: TermMap::new(), all: vec![] };
    let mut parents: TermMap<u64> = TermMap::new();
    for &term in &terms {
        for &arg in pool.args(term) {
            let count = parents.get(arg).copied().unwrap_or(0);
            parents.insert(arg, count + 1);
        }
    }
    for &term in &terms {
        found.look(pool, term, parents.get(term).copied().unwrap_or(1));
    }
    let is_short = |pool: &Pool, term: Term| {
        let cone = cone(pool, &[term]);
        cone.len() <= MOST_TERMS && cone.iter().all(|&term| pool.op(term) != Op::Symbol || is_named(term))
    };
    let mut all = found.all.clone();
    all.retain(|&term| is_short(pool, term) && found.is_open(term));
    if all.is_empty() {
        for &symbol in &terms {
            if pool.op(symbol) != Op::Symbol || !is_named(symbol) {
                continue;
            }
            let half = if pool.sort(symbol) == Sort::BOOL { Some(symbol) } else { found.half(pool, symbol) };
            all.extend(half.filter(|&half| found.is_open(half)));
        }
    }
    let weight = |term: &Term| found.weights.get(*term).copied().unwrap_or(0);
    // Sorting keeps the order of those that weigh the same.
    all.sort_by_key(|term| std::cmp::Reverse(weight(term)));
    all
}

/// What was found so far.
struct Found {
    domains: Analysis,
    weights: TermMap<u64>,
    all: Vec<Term>,
}

impl Found {
    fn add(&mut self, term: Term, weight: u64) {
        match self.weights.get(term) {
            Some(&known) => _ = self.weights.insert(term, known.saturating_add(weight)),
            None => {
                self.weights.insert(term, weight);
                self.all.push(term);
            }
        }
    }

    /// Whether nothing is known of a truth value.
    fn is_open(&self, term: Term) -> bool {
        self.domains.domain(term).is_none_or(|domain| domain.as_bool().is_none())
    }

    /// What splits on a term, which so many others have as an argument.
    fn look(&mut self, pool: &mut Pool, term: Term, parents: u64) {
        let (op, cost) = (pool.op(term), cost(pool, term));
        let args: Vec<Term> = pool.args(term).to_vec();
        match op {
            Op::Ite if !pool.is_const(args[0]) => self.add(args[0], cost + 1),
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod
                if args.iter().all(|&arg| !pool.is_const(arg)) =>
            {
                self.halves(pool, &args, cost);
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.halves(pool, &args[1..], cost),
            Op::Select => self.indices(pool, args[0], args[1]),
            Op::Symbol if pool.sort(term) == Sort::BOOL => self.add(term, parents),
            Op::Symbol => {
                if let Ok(sign) = pool.app(Op::FpIsNegative, &[term]) {
                    self.add(sign, parents);
                }
            }
            _ if pool.sort(term) == Sort::BOOL && args.iter().any(|&arg| pool.sort(arg) != Sort::BOOL) => {
                self.add(term, cost.saturating_mul(parents));
            }
            _ => {}
        }
    }

    fn halves(&mut self, pool: &mut Pool, words: &[Term], weight: u64) {
        for &word in words.iter().filter(|&&word| !pool.is_const(word)).collect::<Vec<_>>() {
            if let Some(half) = self.half(pool, word) {
                self.add(half, weight);
            }
        }
    }

    /// Whether a word is below the upper half of the values that it may have: its first bit that is not
    /// known.
    fn half(&self, pool: &mut Pool, mut word: Term) -> Option<Term> {
        // Zeros in front say nothing.
        while let (Op::Concat, &[high, low]) = (pool.op(word), pool.args(word))
            && pool.is_const(high)
        {
            word = low;
        }
        let width = pool.width(word)?;
        let known = self.domains.domain(word);
        let (least, greatest) = match known {
            Some(domain) => (domain.least().clone(), domain.greatest().clone()),
            None => (BitVec::zero(width), BitVec::ones(width)),
        };
        let differs = (0..width).rev().find(|&bit| least.bit(bit) != greatest.bit(bit))?;
        // The greatest one without the bits below the first that differs.
        let ones = BitVec::ones(width);
        let middle = greatest.and(&ones.shl(&BitVec::from_u64(u64::from(differs), width)));
        let middle = pool.bitvec(&middle);
        Some(pool.mk(Op::BvUlt, &[word, middle]))
    }

    /// Whether a read is where the array was written.
    fn indices(&mut self, pool: &mut Pool, mut array: Term, index: Term) {
        while let (Op::Store, &[below, written, _]) = (pool.op(array), pool.args(array)) {
            if written != index && !(pool.is_const(written) && pool.is_const(index)) {
                let same = pool.mk(Op::Eq, &[written, index]);
                self.add(same, READ);
            }
            array = below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;
    use crate::problem::Problem;
    use bivalve::Settings;
    use bivalve::terms::print;

    /// The candidates of a formula, the best first.
    fn of(formula: &str) -> Vec<String> {
        let script = format!(
            "(declare-const p Bool) (declare-const q Bool) (declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
             (declare-const z (_ BitVec 4)) (declare-const a (Array (_ BitVec 4) (_ BitVec 4)))
             (declare-const f Float16) (declare-const g Float16) (assert {formula}) (check-sat)"
        );
        let problem = Problem::read(script, "script", Settings::default()).expect("a script");
        let mut opened = problem.open(&Cube::default()).expect("a script");
        let (solver, pool) = opened.solver();
        let asserted = solver.assertions().to_vec();
        let all = candidates(pool, &asserted, &|_| true);
        all.into_iter().map(|term| print::term(pool, term)).collect()
    }

    #[test]
    fn formulas_are_split_on_words() {
        // Halves of factors, divisors and distances, the greatest value being known.
        assert_eq!(of("(= (bvmul x y) z)"), ["(bvult x #b1000)", "(bvult y #b1000)"]);
        let small = of("(and (bvult x #b0110) (bvult (bvudiv z x) (bvshl x y)))");
        assert!(
            small.contains(&"(bvult x #b0100)".into()) && small.contains(&"(bvult y #b1000)".into()),
            "{small:?}"
        );
        // Comparisons below connectives, and choices.
        let choices = of("(or (bvult x y) (= (ite (bvslt y z) x z) #b0010) q)");
        for term in ["(bvult x y)", "(bvslt y z)", "q"] {
            assert!(choices.contains(&term.into()), "{term}: {choices:?}");
        }
        assert_eq!(of("(xor p q)"), ["p", "q"]);
        // Indices of an array, and signs.
        assert_eq!(of("(= (select (store (store a x y) #b0001 z) z) y)"), ["(= #b0001 z)", "(= x z)"]);
        let floats = of("(fp.lt (fp.add RNE f g) (fp.mul RNE f f))");
        assert_eq!(floats, ["(fp.isNegative f)", "(fp.isNegative g)"]);
    }

    #[test]
    fn where_no_word_is_better_symbols_have_halves() {
        assert_eq!(of("(= (bvadd x y) z)"), ["(bvult x #b1000)", "(bvult y #b1000)", "(bvult z #b1000)"]);
        assert!(of("(and p (= x #b0000))").is_empty(), "all is known");
        assert!(of("(and p (not p))").is_empty(), "there is no model");
    }
}
