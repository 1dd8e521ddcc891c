//! Model minimisation: a model that was found is replaced by one that a person can read.
//!
//! A model is small, in this order of importance, if symbols have few bits up to the highest that is set,
//! small unsigned values, and arrays few entries.
//!
//! Nothing is added to the formula: bits are restricted by assuming their literals, so what the SAT solver
//! learns stays true. Each accepted model is a model like any other, refined and validated.
//!
//! 1. *Widths*: all bits of all leaves are assumed to be zero. Leaves with failed literals get one bit, then
//!    twice as many each time; after [`LOCAL`] rounds all leaves do, so that this ends soon.
//! 2. *Values*: leaf by leaf, symbols first, then reads and applications: is zero possible? If not, then from
//!    the highest set bit down, is it possible without this one? Decided bits stay assumed. Without a budget
//!    the result is the least model in the lexicographic order of the leaves.
//!
//! What is least leaf by leaf need not be least altogether, so the answer is the model with the least
//! [`weight`] of all that were seen. The budget is counted in searches and conflicts, so the same question
//! has the same model on every machine. Cost: one search for each bit that is set in the end, and one for
//! each leaf, within the budget.

use crate::model::{InternalError, Model};
use crate::search::Outcome;
use crate::solver::Solver;
use crate::statistics::timed;
use bivalve_sat_adapter::Lit;
use bivalve_terms::{Op, Pool, Term, Value, cone};
use rustc_hash::FxHashSet;

/// Rounds in which only the leaves that failed get more bits.
const LOCAL: usize = 16;

/// Conflicts of one search.
const CONFLICTS: u64 = 500;

/// Conflicts of all searches together.
const ALL_CONFLICTS: u64 = 20_000;

/// Searches times clauses, at most.
const WORK: u64 = 20_000_000;

/// Searches, however large the formula is, and however small.
const SEARCHES: std::ops::RangeInclusive<u64> = 16..=2000;

/// A search for a smaller model.
struct Minimization<'s> {
    solver: &'s mut Solver,
    query: Vec<Lit>,
    /// What was decided about bits.
    held: Vec<Lit>,
    leaves: Vec<Leaf>,
    /// So many leaves of the circuits were looked at; all, before any was.
    seen: usize,
    /// Searches and conflicts that are left.
    searches: u64,
    conflicts: u64,
    /// The weight of the solver's model.
    weight: u64,
}

/// A leaf of the circuits.
struct Leaf {
    bits: Vec<Lit>,
    /// In the smallest model so far.
    values: Vec<bool>,
    is_symbol: bool,
    /// Its value was made small.
    is_least: bool,
}

/// The result of a search for a smaller model.
enum Found {
    Smaller,
    /// There is none; the failed literals.
    Failed(FxHashSet<Lit>),
    /// None was found within the budget.
    Spent,
}

impl Solver {
    /// Makes the model of the last check smaller, if that was answered by `Sat` and nothing was asserted,
    /// pushed or popped since: fewer effective bits, smaller numbers, fewer entries of arrays. The option
    /// `small-models` does this for every check.
    ///
    /// # Errors
    ///
    /// When a self-check failed; the model is as it was.
    pub fn minimize_model(&mut self, pool: &mut Pool) -> Result<(), InternalError> {
        let done = self.minimize(pool, None);
        self.search.end_check();
        done
    }

    /// Makes the model smaller, if there is one, with at most so many conflicts.
    pub(crate) fn minimize(&mut self, pool: &mut Pool, most: Option<u64>) -> Result<(), InternalError> {
        let Some(model) = &self.answer.model else { return Ok(()) };
        let weight = weight_of_model(pool, &self.question(), model);
        // A model that was found without circuits may be one of assertions that were not preprocessed.
        if weight == 0 || self.preprocess(pool).is_err() || self.contradiction.is_some() {
            return Ok(());
        }
        let encoded = self.search.encode(pool, self.preprocessor.levels(), &self.answer.assumed);
        let Ok(encoding) = encoded else { return Ok(()) };
        if encoding.contradiction.is_some() || !self.search.has_clauses() {
            return Ok(());
        }
        let searches = (WORK / self.search.clauses().max(1)).clamp(*SEARCHES.start(), *SEARCHES.end());
        let (clock, mut seconds) = (self.clock, 0.0);
        let mut minimization = Minimization {
            solver: self,
            query: encoding.query.literals().to_vec(),
            held: vec![],
            leaves: vec![],
            seen: usize::MAX,
            searches,
            conflicts: most.map_or(ALL_CONFLICTS, |most| most.min(ALL_CONFLICTS)),
            weight,
        };
        let done = timed(clock, &mut seconds, || minimization.run(pool));
        self.statistics.seconds.shrink += seconds;
        done
    }
}

impl Minimization<'_> {
    fn run(&mut self, pool: &mut Pool) -> Result<(), InternalError> {
        // Without any restriction, to have the values of a model.
        if !matches!(self.search(pool, &[])?, Found::Smaller) {
            return Ok(());
        }
        self.seen = self.solver.search.leaves_from(0).len();
        let live = self.solver.search.live_leaves();
        self.take_in(pool, live);
        self.restrict_widths(pool)?;
        // Leaves that come meanwhile come last.
        let (mut symbol, mut leaf) = (0, 0);
        while leaf < self.leaves.len() && self.searches > 0 && self.conflicts > 0 {
            let is_symbol = self.leaves[symbol..].iter().position(|leaf| leaf.is_symbol);
            let chosen = is_symbol.map_or(leaf, |ahead| symbol + ahead);
            if is_symbol.is_some() {
                symbol = chosen + 1;
            } else {
                (symbol, leaf) = (self.leaves.len(), leaf + 1);
            }
            if !std::mem::replace(&mut self.leaves[chosen].is_least, true) {
                self.lower(pool, chosen)?;
            }
        }
        Ok(())
    }

    /// Takes leaves in, and reads the values of all in the model.
    fn take_in(&mut self, pool: &Pool, leaves: Vec<Term>) {
        let search = &mut self.solver.search;
        for leaf in leaves {
            if let Some(bits) = search.vector(pool, leaf) {
                let is_symbol = pool.op(leaf) == Op::Symbol;
                self.leaves.push(Leaf { bits, values: vec![], is_symbol, is_least: false });
            }
        }
        for leaf in &mut self.leaves {
            leaf.values = leaf.bits.iter().map(|&bit| search.literal_value(bit)).collect();
        }
    }

    /// Few effective bits, for as many leaves as can have few.
    fn restrict_widths(&mut self, pool: &mut Pool) -> Result<(), InternalError> {
        let mut widths = vec![0; self.leaves.len()];
        for round in 0.. {
            widths.resize(self.leaves.len(), 0);
            let restricted = self.leaves.iter().zip(&widths).flat_map(|(leaf, &width)| &leaf.bits[width..]);
            let restrictions: Vec<Lit> = restricted.map(|&bit| !bit).collect();
            if restrictions.is_empty() {
                break;
            }
            match self.search(pool, &restrictions)? {
                // Leaves that came with lemmas are to be restricted as well.
                Found::Smaller if self.leaves.len() > widths.len() => {}
                Found::Smaller => {
                    self.held.extend(restrictions);
                    break;
                }
                Found::Failed(failed) => {
                    for (leaf, width) in self.leaves.iter().zip(&mut widths) {
                        if round >= LOCAL || leaf.bits[*width..].iter().any(|bit| failed.contains(&!*bit)) {
                            *width = (2 * *width).max(1).min(leaf.bits.len());
                        }
                    }
                }
                Found::Spent => break,
            }
        }
        Ok(())
    }

    /// The least value of a leaf under what is held; it is held from now on.
    fn lower(&mut self, pool: &mut Pool, leaf: usize) -> Result<(), InternalError> {
        let bits = self.leaves[leaf].bits.clone();
        let zero: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        let ones = self.leaves[leaf].values.iter().filter(|&&value| value).count();
        if ones > 1 && matches!(self.search(pool, &zero)?, Found::Smaller) {
            self.held.extend(zero);
            return Ok(());
        }
        for place in (0..bits.len()).rev() {
            let is_zero = !self.leaves[leaf].values[place]
                || matches!(self.search(pool, &[!bits[place]])?, Found::Smaller);
            self.held.push(if is_zero { !bits[place] } else { bits[place] });
        }
        Ok(())
    }

    /// Searches for a model under these restrictions as well; if there is one it is the solver's, unless that
    /// one is smaller.
    fn search(&mut self, pool: &mut Pool, restrictions: &[Lit]) -> Result<Found, InternalError> {
        if self.searches == 0 || self.conflicts == 0 {
            return Ok(Found::Spent);
        }
        self.searches -= 1;
        self.solver.statistics.shrinking.searches += 1;
        let literals = [&self.query, &self.held, restrictions].concat();
        let search = &mut self.solver.search;
        let before = search.conflicts();
        let outcome = search.solve(pool, &literals, Some(CONFLICTS.min(self.conflicts)));
        self.conflicts = self.conflicts.saturating_sub(search.conflicts() - before);
        match outcome {
            Outcome::Sat(extension) => {
                // Leaves that came with lemmas of this search are restricted from now on.
                let new = search.leaves_from(self.seen);
                self.seen = self.seen.saturating_add(new.len());
                self.take_in(pool, new);
                let model = self.solver.read_model(pool, extension)?;
                let weight = weight_of_model(pool, &self.solver.question(), &model);
                if weight < self.weight {
                    self.weight = weight;
                    self.solver.answer.model = Some(model);
                }
                self.solver.statistics.shrinking.smaller += 1;
                Ok(Found::Smaller)
            }
            Outcome::Unsat(failed) => Ok(Found::Failed(failed)),
            // More elements than bits for them: the circuits are of no use any more.
            Outcome::DomainExceeded => {
                self.searches = 0;
                Ok(Found::Spent)
            }
            Outcome::Unknown(_) => Ok(Found::Spent),
        }
    }
}

/// The weight of the values of all symbols below these formulas.
fn weight_of_model(pool: &Pool, formulas: &[Term], model: &Model) -> u64 {
    let symbols = cone(pool, formulas).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
    symbols.map(|symbol| weight(&model.value(pool, symbol))).sum()
}

/// How large a value is to a reader: of each number its bits up to the highest that is set, and those
/// that are set; one for each entry, and its weight.
fn weight(value: &Value) -> u64 {
    let mut todo = vec![value];
    let mut weight = 0;
    while let Some(value) = todo.pop() {
        match value {
            Value::Bool(value) => weight += u64::from(*value),
            Value::BitVec(value) => {
                weight += u64::from(value.width() - value.leading_zeros() + value.count_ones());
            }
            // Those of theories come from bits that are counted, and elements have no size.
            Value::Theory(_) | Value::Element(..) => {}
            Value::Array(array) => {
                todo.push(array.default());
                for (index, element) in array.entries() {
                    weight += 1;
                    todo.extend([index, element]);
                }
            }
            Value::Function(function) => {
                todo.push(function.default());
                for (arguments, result) in function.entries() {
                    weight += 1;
                    todo.extend(arguments);
                    todo.push(result);
                }
            }
        }
    }
    weight
}
