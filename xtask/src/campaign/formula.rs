//! Small random formulas over all operators, with a fair share of unsatisfiable ones.
//!
//! A random Boolean term is nearly always satisfiable, and a solver that always said `sat` would pass. So there are
//! six kinds, and for four of them the answer is known by construction:
//!
//! - *single*: one random term;
//! - *conjunction*: several random constraints over few symbols;
//! - *pinned*: all symbols are equated to constants, and a random term is compared with its value: satisfiable, or
//!   unsatisfiable when "equal" is turned into "distinct". Circuits and rules are thereby held against the meaning of
//!   operators, and peers against ours;
//! - *planted*: constraints that a hidden assignment satisfies;
//! - *equivalent*: a random term differs from its rewriting, or from its translation to [`plain`] words:
//!   unsatisfiable, and the solver cannot see at once why;
//! - *shaped*: the same for a term that has the shape (`shaped`) of a rewrite rule's left side.
//!
//! Widths come in three classes: tiny ones, where all assignments can be tried (see
//! [`exhaustion`](crate::exhaustion)); up to 16; and up to the greatest width, boundaries of machine words preferred.
//!
//! Half of the formulas use a handful of operators only (*swarm testing*: Groce, Zhang, Eide, Chen and Regehr, ISSTA
//! 2012): where everything is possible nothing in particular happens, and most rewrite rules need three operators
//! to meet.
//!
//! Every formula has a pool and a generator of its own, seeded by its number.

use crate::{plain, seed_of, shaped};
use bivalve::rewrite::{Level, Rewriter, RuleTable};
use bivalve_formats::smtlib::print::{self, BitVecFormat};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Sort, Term, Value, cone};
use std::sync::{Arc, LazyLock};

/// The rules, loaded once.
static RULES: LazyLock<Arc<RuleTable>> = LazyLock::new(|| Arc::new(RuleTable::new()));

/// How formulas of a campaign are made.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The seed of the campaign.
    pub seed: u64,
    /// No bit-vector is wider, sums and products of overflow predicates in plain words aside.
    pub max_width: u32,
    /// About so many operators in a formula.
    pub size: usize,
}

/// How a formula was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// One random term.
    Single,
    /// Several random terms.
    Conjunction,
    /// A term under one assignment, compared with its value.
    Pinned,
    /// Constraints that hold under a hidden assignment.
    Planted,
    /// A term and the same term in other words.
    Equivalent,
    /// A term in the shape of a rewrite rule's left side, and what it is rewritten to.
    Shaped,
}

/// The kinds; those that stand twice are made twice as often.
const KINDS: &[Kind] = &[
    Kind::Single,
    Kind::Conjunction,
    Kind::Conjunction,
    Kind::Conjunction,
    Kind::Pinned,
    Kind::Pinned,
    Kind::Planted,
    Kind::Planted,
    Kind::Equivalent,
    Kind::Shaped,
    Kind::Shaped,
    Kind::Shaped,
    Kind::Shaped,
];

/// A formula: the conjunction of its assertions.
pub struct Formula {
    /// How it was made.
    pub kind: Kind,
    /// Where its terms live.
    pub pool: Pool,
    /// Boolean terms, at least one.
    pub assertions: Vec<Term>,
    /// Is it satisfiable, if that follows from how it was made?
    pub expected: Option<bool>,
    /// How its constants are printed.
    pub format: BitVecFormat,
    /// The names of rewrite rules that were applied to make it.
    pub rules: Vec<String>,
}

impl Recipe {
    /// The formula of this number.
    pub fn formula(&self, number: u64) -> Formula {
        let mut random = TermGen::new(seed_of(self.seed, number));
        random.ops.retain(|op| !matches!(op, Op::Select | Op::Store | Op::ConstArray | Op::Apply));
        let kind = KINDS[random.rng().usize(..KINDS.len())];
        self.choose_widths(&mut random);
        choose_operators(&mut random);
        let format = [BitVecFormat::Binary, BitVecFormat::Decimal, BitVecFormat::Hexadecimal];
        let format = format[random.rng().usize(..format.len())];
        let size = random.rng().usize(1..=self.size.max(1));
        let mut pool = Pool::new();
        let mut rewriter = Rewriter::with_table(Level::Local, RULES.clone());
        let (assertions, expected) = match kind {
            Kind::Single => (vec![random.term(&mut pool, Sort::BOOL, size)], None),
            Kind::Conjunction => (constraints(&mut random, &mut pool, size, 2..=6), None),
            Kind::Pinned => pinned(&mut random, &mut pool, size),
            Kind::Planted => (planted(&mut random, &mut pool, size), Some(true)),
            Kind::Equivalent => (vec![different(&mut random, &mut pool, &mut rewriter, size)], Some(false)),
            Kind::Shaped => (vec![changed(&mut random, &mut pool, &mut rewriter, size)], Some(false)),
        };
        let applied = rewriter.applications().filter(|&(_, count)| count > 0);
        let rules = applied.map(|(rule, _)| rule.into_owned()).collect();
        Formula { kind, pool, assertions, expected, format, rules }
    }

    /// One of three classes of widths, narrow ones with few symbols.
    fn choose_widths(&self, random: &mut TermGen) {
        let (class, fine) = (random.rng().u32(..20), random.rng().u32(..));
        let (widest, symbols) = match class {
            0..8 => (1 + fine % 4, 1),
            8..13 => (1 + fine % 16, 2),
            _ => (self.max_width, 2),
        };
        random.max_width = widest.clamp(1, self.max_width.max(1));
        random.symbols_per_sort = symbols;
    }
}

impl Formula {
    /// The script of the formula, in all words that Bivalve reads.
    pub fn script(&self) -> String {
        script(&self.pool, &self.assertions, self.format)
    }

    /// The script of the formula for a solver that knows these operators beside the plain ones.
    pub fn plain_script(&mut self, knows: &[Op]) -> String {
        let plain = plain::translate(&mut self.pool, &self.assertions, knows);
        script(&self.pool, &plain, self.format)
    }

    /// The operators of the formula, once for each distinct term.
    pub fn operators(&self) -> impl Iterator<Item = Op> {
        cone(&self.pool, &self.assertions).into_iter().map(|term| self.pool.op(term))
    }
}

fn script(pool: &Pool, assertions: &[Term], format: BitVecFormat) -> String {
    print::script(pool, &print::Script { logic: Some("QF_BV"), assertions, format, ..Default::default() })
}

/// Leaves a few operators, half of the time; one of them makes Booleans of bit-vectors.
fn choose_operators(random: &mut TermGen) {
    const COMPARISONS: [Op; 4] = [Op::Eq, Op::Distinct, Op::BvUlt, Op::BvSle];
    if random.rng().bool() {
        return;
    }
    let comparison = COMPARISONS[random.rng().usize(..COMPARISONS.len())];
    let count = random.rng().usize(2..=8);
    let all = std::mem::replace(&mut random.ops, vec![comparison]);
    for _ in 0..count {
        let op = all[random.rng().usize(..all.len())];
        random.ops.push(op);
    }
}

/// Random terms that share `size` operators.
fn constraints(
    random: &mut TermGen,
    pool: &mut Pool,
    size: usize,
    count: std::ops::RangeInclusive<usize>,
) -> Vec<Term> {
    let count = random.rng().usize(count);
    (0..count).map(|_| random.term(pool, Sort::BOOL, (size / count).max(1))).collect()
}

/// A bit-vector term, rarely a Boolean one.
fn any_term(random: &mut TermGen, pool: &mut Pool, size: usize) -> Term {
    let boolean = random.rng().u32(..5) == 0;
    let width = random.width();
    let sort = if boolean { Sort::BOOL } else { Sort::bitvec(width).expect("a legal width") };
    random.term(pool, sort, size)
}

/// All symbols have constant values, and the term has, or has not, the value that follows.
fn pinned(random: &mut TermGen, pool: &mut Pool, size: usize) -> (Vec<Term>, Option<bool>) {
    let term = any_term(random, pool, size);
    let assignment = random.assignment(pool, &[term]);
    let mut assertions = vec![];
    for symbol in assignment.symbols() {
        let value = assignment.get(symbol).expect("a symbol of the assignment");
        assertions.push(equals(pool, symbol, value));
    }
    let value = bivalve_terms::eval(pool, term, &assignment);
    let satisfiable = random.rng().bool();
    let claim = equals(pool, term, &value);
    assertions.push(if satisfiable { claim } else { pool.mk(Op::Not, &[claim]) });
    let last = assertions.len() - 1;
    let elsewhere = random.rng().usize(..=last);
    assertions.swap(elsewhere, last);
    (assertions, Some(satisfiable))
}

/// Constraints, each turned round if it does not hold, and equations of terms with their values.
fn planted(random: &mut TermGen, pool: &mut Pool, size: usize) -> Vec<Term> {
    let mut terms = constraints(random, pool, size / 2, 1..=5);
    terms.push(any_term(random, pool, size / 2));
    let assignment = random.assignment(pool, &terms);
    let values = values(pool, &terms, &assignment);
    let pairs = terms.iter().zip(&values);
    pairs.map(|(&term, value)| equals(pool, term, value)).collect()
}

/// A term is distinct from the same in other words.
fn different(random: &mut TermGen, pool: &mut Pool, rewriter: &mut Rewriter, size: usize) -> Term {
    let term = any_term(random, pool, size);
    let other = match random.rng().u32(..3) {
        0 => plain::translate(pool, &[term], &[])[0],
        _ => rewriter.rewrite(pool, term),
    };
    pool.mk(Op::Distinct, &[term, other])
}

/// A term in the shape of a rule is distinct from what it is rewritten to, be it by this rule or by others; if no
/// such term is changed, a random one.
fn changed(random: &mut TermGen, pool: &mut Pool, rewriter: &mut Rewriter, size: usize) -> Term {
    for _ in 0..10 {
        let Some(term) = shaped::instance(random, pool) else { continue };
        let other = rewriter.rewrite(pool, term);
        if other != term {
            return pool.mk(Op::Distinct, &[term, other]);
        }
    }
    different(random, pool, rewriter, size)
}

fn values(pool: &Pool, terms: &[Term], assignment: &Assignment) -> Vec<Value> {
    let mut evaluator = Evaluator::new(pool, assignment);
    terms.iter().map(|&term| evaluator.eval(term).clone()).collect()
}

/// The equation of a Boolean or bit-vector term with a value; of a Boolean one, the term or its negation.
pub(crate) fn equals(pool: &mut Pool, term: Term, value: &Value) -> Term {
    match value {
        Value::Bool(true) => term,
        Value::Bool(false) => pool.mk(Op::Not, &[term]),
        value => {
            let constant = pool.bitvec(value.as_bitvec());
            pool.mk(Op::Eq, &[term, constant])
        }
    }
}
