//! The search for an interpolant.

use crate::reads;
use crate::tree::Tree;
use bivalve::terms::{Op, Pool, SortKind, Term, cone};
use bivalve::{AssertError, CheckError, CheckResult, InternalError, Settings, Solver, Stop, Why};
use std::collections::BTreeSet;

/// Reads of arrays and functions that describe one model, at most about so many.
const MOST_READS: usize = 1 << 10;

/// Checks that the search for one interpolant may take.
const MOST_CHECKS: u64 = 200_000;

const TOO_MANY_CHECKS: Why = Why::Incomplete("too many cubes");

const TOO_MANY_READS: Why = Why::Incomplete("too many reads of shared arrays");

/// Looks for interpolants with solvers of these settings.
#[derive(Clone)]
pub struct Interpolator {
    settings: Settings,
    stop: Stop,
    most_checks: u64,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// An interpolant, which was checked.
    Interpolant(Term),
    /// There is none: the formulas have a model together.
    Consistent,
    /// There is none over the bits of shared symbols and the formulas that are there: what is shared beside
    /// them, an array or a function for example, matters.
    NotOverBits,
    /// A check was not decided.
    Unknown(Why),
}

impl Outcome {
    /// Why there is no interpolant, in a sentence.
    pub fn why_none(self) -> String {
        match self {
            Outcome::Consistent => "no interpolant: the two sides have a model together".into(),
            Outcome::NotOverBits => {
                "no interpolant over formulas that are there and bits of shared symbols: others are shared"
                    .into()
            }
            Outcome::Unknown(why) => format!("no interpolant: a check was not decided ({})", why.word()),
            Outcome::Interpolant(_) => "there is an interpolant".into(),
        }
    }
}

/// What ends a search early: an outcome, or an error.
enum End {
    Outcome(Outcome),
    Error(CheckError),
}

impl From<CheckError> for End {
    fn from(error: CheckError) -> End {
        End::Error(error)
    }
}

impl Interpolator {
    /// Solvers have these settings, and end when the flag is raised.
    pub fn new(settings: Settings, stop: Stop) -> Interpolator {
        Interpolator { settings, stop, most_checks: MOST_CHECKS }
    }

    /// The same with at most so many checks for an interpolant, without those of the result.
    #[must_use]
    pub fn with_checks(self, most_checks: u64) -> Interpolator {
        Interpolator { most_checks, ..self }
    }

    /// An interpolant between two sets of Boolean terms.
    ///
    /// # Errors
    ///
    /// When a formula cannot be asserted, or a self-check failed.
    pub fn between(&self, pool: &mut Pool, a: &[Term], b: &[Term]) -> Result<Outcome, CheckError> {
        match self.search(pool, a, b) {
            Ok(found) => Ok(Outcome::Interpolant(found)),
            Err(End::Outcome(outcome)) => Ok(outcome),
            Err(End::Error(error)) => Err(error),
        }
    }

    /// Interpolants of the nodes of a tree of sets that contradict each other, without the root: that of a
    /// node is one between its subtree and the rest, and follows from the node and the interpolants of its
    /// children.
    ///
    /// # Errors
    ///
    /// As [`Interpolator::between`].
    pub fn over(&self, pool: &mut Pool, tree: &Tree) -> Result<Result<Vec<Term>, Outcome>, CheckError> {
        let mut found: Vec<Term> = vec![];
        for node in 0..tree.inner() {
            let [inside, outside] = tree.sides(node, &found);
            match self.between(pool, &inside, &outside)? {
                Outcome::Interpolant(next) => found.push(next),
                other => return Ok(Err(other)),
            }
        }
        Ok(Ok(found))
    }

    fn search(&self, pool: &mut Pool, a: &[Term], b: &[Term]) -> Result<Term, End> {
        let shared: BTreeSet<Term> = symbols(pool, a).intersection(&symbols(pool, b)).copied().collect();
        let mut of_a = self.solver(pool, a)?;
        let mut of_b = self.solver(pool, b)?;
        let mut checks = Checks { left: self.most_checks };
        let found = match one_side(pool, &mut checks, &mut of_b, a, &shared)? {
            Some(conjuncts) => pool.and_all(&conjuncts),
            None => match one_side(pool, &mut checks, &mut of_a, b, &shared)? {
                Some(conjuncts) => {
                    let refuted = pool.and_all(&conjuncts);
                    negated(pool, refuted)
                }
                None => self.cubes(pool, &mut checks, (&mut of_a, &mut of_b), &[a, b].concat(), &shared)?,
            },
        };
        self.confirm(pool, a, b, found, &shared)?;
        Ok(found)
    }

    /// The disjunction of the cubes that models of *A* are in, and that contradict *B*.
    fn cubes(
        &self,
        pool: &mut Pool,
        checks: &mut Checks,
        (of_a, of_b): (&mut Solver, &mut Solver),
        formulas: &[Term],
        shared: &BTreeSet<Term>,
    ) -> Result<Term, End> {
        let atoms = atoms(pool, formulas, shared);
        let bits = bits(pool, shared);
        let mut cubes = vec![];
        loop {
            checks.spend()?;
            match of_a.check(pool).map_err(CheckError::from)? {
                CheckResult::Unsat => break,
                CheckResult::Unknown(why) => return Err(End::Outcome(Outcome::Unknown(why))),
                CheckResult::Sat => {}
            }
            let described = |pool: &mut Pool, atoms: &[Term]| {
                let model = of_a.model().expect("the check was sat");
                let values: Vec<bool> =
                    atoms.iter().map(|&atom| model.value(pool, atom).expect_bool()).collect();
                let pairs = atoms.iter().zip(values);
                pairs.map(|(&atom, holds)| if holds { atom } else { negated(pool, atom) }).collect::<Vec<_>>()
            };
            let mut literals = described(pool, &atoms);
            let mut core = checks.refuting(pool, of_b, &literals)?;
            if core.is_none() {
                literals.extend(described(pool, &bits));
                core = checks.refuting(pool, of_b, &literals)?;
            }
            let mut reads = 0;
            while core.is_none() && reads < MOST_READS {
                let models = [of_a.model(), of_b.model()].map(|model| model.expect("both were sat"));
                let different = reads::different(pool, shared, models);
                reads += different.len();
                let new = bits_of(pool, different);
                if new.is_empty() {
                    break;
                }
                literals.extend(described(pool, &new));
                core = checks.refuting(pool, of_b, &literals)?;
            }
            let Some(core) = core else {
                let both = self.solver(pool, formulas)?.check(pool).map_err(CheckError::from)?;
                return Err(End::Outcome(match both {
                    CheckResult::Sat => Outcome::Consistent,
                    CheckResult::Unsat if reads < MOST_READS => Outcome::NotOverBits,
                    CheckResult::Unsat => Outcome::Unknown(TOO_MANY_READS),
                    CheckResult::Unknown(why) => Outcome::Unknown(why),
                }));
            };
            let literals = checks.shrunk(pool, of_b, core)?;
            let cube = pool.and_all(&literals);
            cubes.push(cube);
            let other = negated(pool, cube);
            of_a.assert(pool, other).map_err(refused)?;
        }
        Ok(match cubes[..] {
            [] => pool.bool(false),
            [only] => only,
            _ => pool.mk(Op::Or, &cubes),
        })
    }

    fn solver(&self, pool: &Pool, formulas: &[Term]) -> Result<Solver, End> {
        let mut solver = Solver::stopped_by(self.settings.clone(), self.stop.clone());
        solver.assert_all(pool, formulas).map_err(refused)?;
        Ok(solver)
    }

    /// Is it an interpolant?
    fn confirm(
        &self,
        pool: &mut Pool,
        a: &[Term],
        b: &[Term],
        found: Term,
        shared: &BTreeSet<Term>,
    ) -> Result<(), End> {
        let foreign = symbols(pool, &[found]).difference(shared).count();
        if foreign > 0 {
            return Err(wrong("has a symbol that is not shared"));
        }
        let negation = negated(pool, found);
        for (side, claim, problem) in [(a, negation, "does not follow"), (b, found, "does not contradict")] {
            let formulas = [side, &[claim]].concat();
            match self.solver(pool, &formulas)?.check(pool).map_err(CheckError::from)? {
                CheckResult::Unsat => {}
                CheckResult::Sat => return Err(wrong(problem)),
                CheckResult::Unknown(why) => return Err(End::Outcome(Outcome::Unknown(why))),
            }
        }
        Ok(())
    }
}

fn wrong(problem: &str) -> End {
    End::Error(CheckError::Internal(InternalError(format!("an interpolant {problem}"))))
}

fn refused(refusal: AssertError) -> End {
    End::Error(CheckError::Assumption { position: 0, refusal })
}

fn negated(pool: &mut Pool, formula: Term) -> Term {
    match (pool.op(formula), pool.as_bool(formula)) {
        (_, Some(value)) => pool.bool(!value),
        (Op::Not, _) => pool.args(formula)[0],
        _ => pool.mk(Op::Not, &[formula]),
    }
}

fn symbols(pool: &Pool, formulas: &[Term]) -> BTreeSet<Term> {
    cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol).collect()
}

/// The checks of a search.
struct Checks {
    left: u64,
}

impl Checks {
    /// One more.
    fn spend(&mut self) -> Result<(), End> {
        self.left = self.left.checked_sub(1).ok_or(End::Outcome(Outcome::Unknown(TOO_MANY_CHECKS)))?;
        Ok(())
    }

    /// Those of some literals that contradict what a solver holds; `None` if they do not.
    fn refuting(
        &mut self,
        pool: &mut Pool,
        solver: &mut Solver,
        literals: &[Term],
    ) -> Result<Option<Vec<Term>>, End> {
        self.spend()?;
        match solver.check_assuming(pool, literals)? {
            CheckResult::Sat => Ok(None),
            CheckResult::Unknown(why) => Err(End::Outcome(Outcome::Unknown(why))),
            CheckResult::Unsat => {
                let core = solver.unsat_assumptions().unwrap_or_default();
                Ok(Some(core.iter().map(|&at| literals[at]).collect()))
            }
        }
    }

    /// The same without literals that can be left out, the last first: bits, then formulas. (Several at once,
    /// where one could be left out, looked slower: the checks that fail are the dear ones.)
    fn shrunk(
        &mut self,
        pool: &mut Pool,
        solver: &mut Solver,
        mut core: Vec<Term>,
    ) -> Result<Vec<Term>, End> {
        let mut at = core.len();
        while at > 0 {
            at -= 1;
            let mut fewer = core.clone();
            fewer.remove(at);
            if let Some(smaller) = self.refuting(pool, solver, &fewer)? {
                let behind = smaller.iter().filter(|literal| core[at..].contains(literal)).count();
                (at, core) = (smaller.len() - behind, smaller);
            }
        }
        Ok(core)
    }
}

/// The conjuncts of one side over shared symbols, those that contradict the other side, if they do.
fn one_side(
    pool: &mut Pool,
    checks: &mut Checks,
    other: &mut Solver,
    side: &[Term],
    shared: &BTreeSet<Term>,
) -> Result<Option<Vec<Term>>, End> {
    let mut todo: Vec<Term> = side.iter().rev().copied().collect();
    let mut conjuncts = vec![];
    while let Some(formula) = todo.pop() {
        match pool.op(formula) {
            Op::And => todo.extend(pool.args(formula).iter().rev()),
            _ if symbols(pool, &[formula]).is_subset(shared) => conjuncts.push(formula),
            _ => {}
        }
    }
    match checks.refuting(pool, other, &conjuncts)? {
        Some(core) => checks.shrunk(pool, other, core).map(Some),
        None => Ok(None),
    }
}

/// The Boolean terms below formulas that have shared symbols alone, and are no connectives.
fn atoms(pool: &Pool, formulas: &[Term], shared: &BTreeSet<Term>) -> Vec<Term> {
    let below = cone(pool, formulas);
    let mut foreign: BTreeSet<Term> = BTreeSet::new();
    let mut atoms = vec![];
    for term in below {
        let is_foreign = match pool.op(term) {
            Op::Symbol => !shared.contains(&term),
            _ => pool.args(term).iter().any(|arg| foreign.contains(arg)),
        };
        if is_foreign {
            foreign.insert(term);
            continue;
        }
        let is_connective =
            matches!(pool.op(term), Op::Const | Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor);
        if pool.sort(term).is_bool() && !is_connective {
            atoms.push(term);
        }
    }
    atoms
}

/// Each bit of the shared bit-vectors, as a formula.
fn bits(pool: &mut Pool, shared: &BTreeSet<Term>) -> Vec<Term> {
    let is_word = |&symbol: &Term| matches!(pool.sort_kind(symbol), SortKind::BitVec(_));
    let words: Vec<Term> = shared.iter().copied().filter(is_word).collect();
    bits_of(pool, words)
}

/// Each bit of words as a formula, the highest first. A Boolean is one by itself; of others there are none.
fn bits_of(pool: &mut Pool, words: Vec<Term>) -> Vec<Term> {
    let mut bits = vec![];
    for word in words {
        let width = match pool.sort_kind(word) {
            SortKind::BitVec(width) => width,
            SortKind::Bool => {
                bits.push(word);
                continue;
            }
            _ => continue,
        };
        for place in (0..width).rev() {
            let bit = pool.mk_indexed(Op::Extract, &[place, place], &[word]);
            let zero = pool.bv_u64(0, 1);
            bits.push(pool.mk(Op::Eq, &[bit, zero]));
        }
    }
    bits
}
