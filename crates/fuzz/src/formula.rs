//! Small random formulas over all operators, with a fair share of unsatisfiable ones.
//!
//! A random Boolean term is nearly always satisfiable, and a solver that always answers `sat` would pass. So
//! there are several kinds, and for most of them the answer is known by construction:
//!
//! - *single*: one random term;
//! - *conjunction*: several random constraints over few symbols;
//! - *pinned*: all symbols are equated to constants, and a random term is compared with its value:
//!   satisfiable, or unsatisfiable when "equal" is turned into "distinct". Circuits and rules are thereby
//!   held against the meaning of operators, and peers against ours;
//! - *planted*: constraints that a hidden assignment satisfies;
//! - *equivalent*: a random term differs from its rewriting, or from its translation to [`plain`] words:
//!   unsatisfiable, and the solver cannot see at once why;
//! - *shaped*: the same for a term that has the shape (`shaped`) of a rewrite rule's left side;
//! - *near*: terms in the shape of rules' left sides, whether their conditions hold or not, have the values
//!   that a hidden assignment gives them, a rarer one where there are two, and some symbols have bounds that
//!   leave them their values: what a rule does where it should not shows here;
//! - *axiom*, where there are arrays or functions, in place of the last: a fact about them (`axioms`),
//!   negated.
//!
//! Widths come in three classes: tiny ones, where all assignments can be tried (see `exhaustion` of
//! `bivalve-judge`); up to 16; and up to the greatest width, boundaries of machine words preferred. A
//! [`Theory`] determines the sorts of formulas; beyond bits it has widths and operators of its own.
//!
//! Half of the formulas use a handful of operators only (*swarm testing*: Groce, Zhang, Eide, Chen and
//! Regehr, ISSTA 2012): where everything is possible nothing in particular happens, and most rewrite rules
//! need three operators to meet.
//!
//! Every formula has a pool and a generator of its own, seeded by its number.

use crate::theory::{Literals, Theory};
use crate::{axioms, plain, seed_of, shaped};
use bivalve_formats::smtlib::print::{self, BitVecFormat};
use bivalve_rewrite::{Level, Rewriter};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Sort, Term, Value, cone, outermost_binders};

/// How formulas of a campaign are made.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The seed of the campaign.
    pub seed: u64,
    /// No bit-vector is wider, sums and products of overflow predicates in plain words aside.
    pub max_width: u32,
    /// About so many operators in a formula.
    pub size: usize,
    /// What formulas are about.
    pub theory: Theory,
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
    /// Terms in the shapes of left sides have the values that they have under a hidden assignment.
    Near,
    /// A fact about arrays or functions, negated.
    Axiom,
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
    Kind::Near,
    Kind::Near,
];

/// So many terms a formula of the kind `Near` has, and so many assignments are tried for each.
const NEAR: usize = 24;

/// A formula: the conjunction of its assertions.
pub struct Formula {
    /// How it was made.
    pub kind: Kind,
    /// What it is about.
    pub theory: Theory,
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
        let mut random = self.random(number);
        let kind = KINDS[random.rng().usize(..KINDS.len())];
        self.made(kind, random)
    }

    /// The formula of this kind and number.
    pub fn of_kind(&self, kind: Kind, number: u64) -> Formula {
        self.made(kind, self.random(number))
    }

    fn random(&self, number: u64) -> TermGen {
        let mut random = TermGen::new(seed_of(self.seed, number));
        random.ops.retain(|op| !matches!(op, Op::Select | Op::Store | Op::ConstArray | Op::Apply));
        random
    }

    fn made(&self, mut kind: Kind, mut random: TermGen) -> Formula {
        if self.theory.is_beyond_bits() {
            kind = match (self.theory, kind) {
                // Rules know nothing of floats.
                (Theory::Floats, Kind::Equivalent | Kind::Shaped) => Kind::Pinned,
                (Theory::Floats, Kind::Near | Kind::Axiom) => Kind::Conjunction,
                (Theory::Quantifiers, Kind::Equivalent | Kind::Near) => Kind::Planted,
                (Theory::Quantifiers, Kind::Single | Kind::Shaped | Kind::Axiom) => Kind::Conjunction,
                (_, Kind::Shaped) => Kind::Axiom,
                (_, kind) => kind,
            };
            self.theory.set_up(&mut random, self.max_width);
        } else {
            self.choose_widths(&mut random);
            choose_operators(&mut random);
        }
        let format = [BitVecFormat::Binary, BitVecFormat::Decimal, BitVecFormat::Hexadecimal];
        let format = format[random.rng().usize(..format.len())];
        let size = random.rng().usize(1..=self.size.max(1));
        let mut pool = Pool::new();
        let mut rewriter = Rewriter::new(Level::Local);
        let mut maker = Maker { theory: self.theory, random: &mut random, pool: &mut pool };
        let (assertions, expected) = match kind {
            Kind::Single => (vec![self.theory.term(&mut random, &mut pool, Sort::BOOL, size)], None),
            Kind::Conjunction => (maker.constraints(size, 2..=6), None),
            Kind::Pinned => maker.pinned(size),
            Kind::Planted => (maker.planted(size), Some(true)),
            Kind::Equivalent => (vec![maker.different(&mut rewriter, size)], Some(false)),
            Kind::Shaped => (vec![maker.changed(&mut rewriter, size)], Some(false)),
            Kind::Near => (maker.near(), Some(true)),
            Kind::Axiom => (axioms::refutation(self.theory, &mut random, &mut pool, size), Some(false)),
        };
        let applied = rewriter.applications().filter(|&(_, count)| count > 0);
        let rules = applied.map(|(rule, _)| rule.into_owned()).collect();
        Formula { kind, theory: self.theory, pool, assertions, expected, format, rules }
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
        script(&self.pool, &self.assertions, None, self.format)
    }

    /// Does a test hold for some term of the formula?
    pub fn has(&self, test: impl Fn(&Pool, Term) -> bool) -> bool {
        cone(&self.pool, &self.assertions).into_iter().any(|term| test(&self.pool, term))
    }

    /// The operators of the formula, once for each distinct term.
    pub fn operators(&self) -> impl Iterator<Item = Op> {
        cone(&self.pool, &self.assertions).into_iter().map(|term| self.pool.op(term))
    }
}

/// A script; if no logic is given, that of bit-vectors or, beyond those, the least one.
fn script(pool: &Pool, assertions: &[Term], logic: Option<&str>, format: BitVecFormat) -> String {
    let is_bits = |term: Term| pool.sort(term).is_bool() || pool.sort(term).is_bitvec();
    let bits =
        outermost_binders(pool, assertions).is_empty() && cone(pool, assertions).into_iter().all(is_bits);
    let logic = logic.or(bits.then_some("QF_BV"));
    print::script(pool, &print::Script { logic, assertions, format, ..Default::default() })
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

/// Makes formulas of one theory.
struct Maker<'a> {
    theory: Theory,
    random: &'a mut TermGen,
    pool: &'a mut Pool,
}

impl Maker<'_> {
    /// Random terms that share `size` operators.
    fn constraints(&mut self, size: usize, count: std::ops::RangeInclusive<usize>) -> Vec<Term> {
        let count = self.random.rng().usize(count);
        (0..count).map(|_| self.theory.constraint(self.random, self.pool, (size / count).max(1))).collect()
    }

    /// A bit-vector term, rarely a Boolean one; beyond bits of any sort, and with quantifiers a formula.
    fn any_term(&mut self, size: usize) -> Term {
        if self.theory == Theory::Quantifiers {
            return self.theory.constraint(self.random, self.pool, size);
        }
        let boolean = self.random.rng().u32(..5) == 0;
        let width = self.random.width();
        let sort = match (boolean, self.theory.is_beyond_bits()) {
            (true, _) => Sort::BOOL,
            (false, true) => self.theory.sort(self.random, self.pool),
            (false, false) => Sort::bitvec(width).expect("a legal width"),
        };
        self.theory.term(self.random, self.pool, sort, size)
    }

    /// All symbols have constant values, and the term has, or has not, the value that follows.
    fn pinned(&mut self, size: usize) -> (Vec<Term>, Option<bool>) {
        let term = self.any_term(size);
        let assignment = self.random.assignment(self.pool, &[term]);
        let mut literals = Literals::default();
        // What stands for open results has no name.
        let is_open = |&term: &Term| self.pool.op(term).is_open();
        let (mut assertions, mut complete) = (vec![], !cone(self.pool, &[term]).iter().any(is_open));
        // Below a binder a function is applied to more values than one.
        let is_application = |&term: &Term| self.pool.op(term) == Op::Apply;
        let has_binders = !outermost_binders(self.pool, &[term]).is_empty();
        complete &= !has_binders || !cone(self.pool, &[term]).iter().any(is_application);
        for (what, value) in self.pins(term, &assignment, &mut literals) {
            let pin = literals.equation(self.pool, what, &value);
            complete &= pin.is_some();
            assertions.extend(pin);
        }
        let value = bivalve_terms::eval(self.pool, term, &assignment);
        let claim = literals.equation(self.pool, term, &value);
        let satisfiable = claim.is_none() || !complete || self.random.rng().bool();
        if let Some(claim) = claim {
            assertions.push(if satisfiable { claim } else { self.pool.mk(Op::Not, &[claim]) });
        }
        assertions.extend(literals.distinct(self.pool));
        assertions.extend(assertions.is_empty().then(|| self.pool.bool(true)));
        let last = assertions.len() - 1;
        let elsewhere = self.random.rng().usize(..=last);
        assertions.swap(elsewhere, last);
        (assertions, Some(satisfiable))
    }

    /// What is to have a value so that everything below `term` has: symbols, and functions where they are
    /// applied.
    fn pins(&mut self, term: Term, assignment: &Assignment, literals: &mut Literals) -> Vec<(Term, Value)> {
        let mut pins = vec![];
        for symbol in assignment.symbols() {
            let has_name = !self.pool.is_open_symbol(symbol);
            if has_name && !self.pool.sorts().is_function(self.pool.sort(symbol)) {
                pins.push((symbol, assignment.get(symbol).expect("a symbol of the assignment").clone()));
            }
        }
        for application in cone(self.pool, &[term]) {
            if self.pool.op(application) != Op::Apply {
                continue;
            }
            let args = self.pool.args(application).to_vec();
            if self.pool.is_open_symbol(args[0]) {
                continue;
            }
            let values = values(self.pool, &args[1..], assignment);
            let mut pinned = vec![args[0]];
            for (&arg, value) in args[1..].iter().zip(&values) {
                // Where there is no literal the argument stays; then the pins are incomplete anyway.
                pinned.push(literals.term(self.pool, self.pool.sort(arg), value).unwrap_or(arg));
            }
            let value = bivalve_terms::eval(self.pool, application, assignment);
            pins.push((self.pool.mk(Op::Apply, &pinned), value));
        }
        pins
    }

    /// Constraints, each turned round if it does not hold, and equations of terms with their values.
    fn planted(&mut self, size: usize) -> Vec<Term> {
        let mut terms = self.constraints(size / 2, 1..=5);
        terms.push(self.any_term(size / 2));
        let assignment = self.random.assignment(self.pool, &terms);
        let values = values(self.pool, &terms, &assignment);
        let mut literals = Literals::default();
        let pairs = terms.iter().zip(&values);
        let mut planted: Vec<Term> =
            pairs.filter_map(|(&term, value)| literals.equation(self.pool, term, value)).collect();
        planted.extend(literals.distinct(self.pool));
        planted
    }

    /// Terms in the shapes of rules with the values that they have.
    fn near(&mut self) -> Vec<Term> {
        let mut random = TermGen::new(self.random.rng().u64(..));
        random.ops.retain(|op| !matches!(op, Op::Select | Op::Store | Op::ConstArray | Op::Apply));
        random.symbols_per_sort = 2;
        random.max_width = [2, 3, 4, 8][random.rng().usize(..4)];
        let (mut assignment, mut literals, mut facts) = (Assignment::new(), Literals::default(), vec![]);
        for _ in 0..NEAR {
            let arrays = self.theory.is_beyond_bits() && random.rng().bool();
            let rule = random.rng().usize(..shaped::count(arrays));
            let Some(term) = shaped::instance_of(&mut random, self.pool, arrays, rule) else { continue };
            let mut tries = (0..NEAR).map(|_| {
                let mut tried = random.assignment(self.pool, &[term]);
                assignment.symbols().into_iter().for_each(|known| {
                    tried.set(known, assignment.get(known).expect("a symbol of the assignment").clone());
                });
                let value = bivalve_terms::eval(self.pool, term, &tried);
                (tried, value)
            });
            let first = tries.next().expect("it is tried at least once");
            let is_boolean = matches!(first.1, Value::Bool(_));
            let rarer = tries.find(|(_, value)| is_boolean && *value != first.1);
            let (tried, value) = rarer.unwrap_or(first);
            assignment = tried;
            facts.extend(literals.equation(self.pool, term, &value));
            // Some symbols are held where they are, not by equations: those would be put in before a rule
            // sees anything.
            if random.rng().bool() {
                facts.extend(self.bounds(term, &assignment));
            }
        }
        facts.extend(facts.is_empty().then(|| self.pool.bool(true)));
        facts
    }

    /// Bounds from both sides of the bit-vector symbols of a term.
    fn bounds(&mut self, term: Term, assignment: &Assignment) -> Vec<Term> {
        let mut bounds = vec![];
        for symbol in cone(self.pool, &[term]) {
            if let (Op::Symbol, Some(Value::BitVec(value))) = (self.pool.op(symbol), assignment.get(symbol)) {
                let value = self.pool.bitvec(value);
                bounds.extend([[symbol, value], [value, symbol]].map(|args| self.pool.mk(Op::BvUle, &args)));
            }
        }
        bounds
    }

    /// A term is distinct from the same in other words.
    fn different(&mut self, rewriter: &mut Rewriter, size: usize) -> Term {
        let term = self.any_term(size);
        let other = match self.random.rng().u32(..3) {
            0 => plain::translate(self.pool, &[term])[0],
            _ => rewriter.rewrite(self.pool, term),
        };
        self.pool.mk(Op::Distinct, &[term, other])
    }

    /// A term in the shape of a rule is distinct from what it is rewritten to, be it by this rule or by
    /// others; if no such term is changed, a random one.
    fn changed(&mut self, rewriter: &mut Rewriter, size: usize) -> Term {
        for _ in 0..10 {
            let Some(term) = shaped::instance(self.random, self.pool) else { continue };
            let other = rewriter.rewrite(self.pool, term);
            if other != term {
                return self.pool.mk(Op::Distinct, &[term, other]);
            }
        }
        self.different(rewriter, size)
    }
}

fn values(pool: &Pool, terms: &[Term], assignment: &Assignment) -> Vec<Value> {
    let mut evaluator = Evaluator::new(pool, assignment);
    terms.iter().map(|&term| evaluator.eval(term).clone()).collect()
}
