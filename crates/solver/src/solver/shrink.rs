//! Small models: a model that was found is made one that a person can read.
//!
//! Small are, in this order of importance: few bits between the lowest and the highest one of each symbol,
//! small unsigned numbers, few entries of arrays (an element that is zero is no entry, and indices that are
//! equal are one).
//!
//! Nothing is added to the formula for it. A bit is tied by assuming its literal, so all of this is searches
//! under more assumptions, and what they taught the SAT solver stays true. Each model that is accepted is a
//! model like any other: its arrays were refined, and it was validated on the assertions.
//!
//! 1. *Widths*: all bits of all leaves are assumed to be zero. The failed ones say which leaves need more
//!    room; these get one bit, then twice as many each time (the local policy of under-approximation). After
//!    [`LOCAL`] rounds all leaves get more, so that this ends soon.
//! 2. *Values*: leaf by leaf, symbols first, then reads and applications: is zero possible? If not, then from
//!    the highest set bit down, is it possible without this one? Whatever is decided stays assumed. Without a
//!    budget the result is the least model in the lexicographic order of the leaves.
//!
//! What is least leaf by leaf need not be least altogether, so the answer is the lightest of all models that
//! were seen, the first one included: fewest bits up to the highest that is set, fewest set bits, fewest
//! entries.
//!
//! The budget is counted, in searches and conflicts, so the same question has the same model everywhere;
//! fewer searches for larger formulas.
//!
//! Cost: a search for each bit that is set in the end, and one for each leaf, within the budget.

use super::{Outcome, Solver};
use crate::model::{InternalError, Model};
use crate::query::Query;
use crate::statistics::timed;
use bivalve_sat_adapter::Lit;
use bivalve_terms::{Evaluator, Op, Pool, Term, Value, cone};
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
struct Shrinking<'a> {
    query: &'a [Lit],
    /// What was decided about bits.
    held: Vec<Lit>,
    leaves: Vec<Leaf>,
    /// So many leaves of the circuits were looked at; all, before any was.
    seen: usize,
    /// Searches and conflicts that are left.
    searches: u64,
    conflicts: u64,
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

/// What a search for a smaller model said.
enum Tried {
    Smaller,
    /// Not possible; the literals to blame.
    Failed(FxHashSet<Lit>),
    /// Not found within the budget.
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
    pub fn shrink_model(&mut self, pool: &mut Pool) -> Result<(), InternalError> {
        let done = self.shrink(pool);
        self.theory.leave_to(self.scopes.levels().len() - 1);
        done
    }

    /// Makes the model smaller, if there is one.
    pub(super) fn shrink(&mut self, pool: &mut Pool) -> Result<(), InternalError> {
        let Some(model) = self.model.take() else { return Ok(()) };
        self.lightest = self.weight(pool, &model);
        self.model = Some(model);
        if self.lightest == 0 {
            return Ok(());
        }
        // A model that was found without circuits may be one of assertions that were not simplified.
        let asked = std::mem::take(&mut self.asked);
        let simplified = self.simplify(pool, &asked).is_ok() && self.refuted.is_none();
        let images = self.images(pool, &asked);
        let simplified = simplified && images.is_ok();
        self.assumed = images.unwrap_or_default();
        self.asked = asked;
        let mut query = Query::default();
        if !simplified
            || !matches!(self.synthesise(pool, &mut query), Ok(None))
            || !self.encoder.has_clauses()
        {
            return Ok(());
        }
        let mut seconds = 0.0;
        let done = timed(self.clock, &mut seconds, || self.shrink_leaves(pool, query.literals()));
        self.statistics.seconds.shrink += seconds;
        done
    }

    /// How much there is to read in a model.
    fn weight(&self, pool: &Pool, model: &Model) -> u64 {
        let all = [self.scopes.assertions(), &self.asked[..]].concat();
        let mut values = Evaluator::new(pool, model.assignment());
        let symbols = cone(pool, &all).into_iter().filter(|&term| pool.op(term) == Op::Symbol);
        symbols.map(|symbol| weight(values.eval(symbol))).sum()
    }

    fn shrink_leaves(&mut self, pool: &mut Pool, query: &[Lit]) -> Result<(), InternalError> {
        let clauses = self.encoder.clauses().max(1);
        let searches = (WORK / clauses).clamp(*SEARCHES.start(), *SEARCHES.end());
        let (held, leaves, conflicts) = (vec![], vec![], ALL_CONFLICTS);
        let mut shrinking = Shrinking { query, held, leaves, seen: usize::MAX, searches, conflicts };
        // Without any ties, to have the values of a model.
        if !matches!(self.try_smaller(pool, &mut shrinking, &[])?, Tried::Smaller) {
            return Ok(());
        }
        shrinking.seen = self.encoder.blaster().leaves().len();
        let live = self.live_leaves();
        self.take(pool, &mut shrinking, live);
        self.narrow(pool, &mut shrinking)?;
        // Those that come meanwhile come last.
        let (mut symbol, mut leaf) = (0, 0);
        while leaf < shrinking.leaves.len() && shrinking.searches > 0 && shrinking.conflicts > 0 {
            let is_symbol = shrinking.leaves[symbol..].iter().position(|leaf| leaf.is_symbol);
            let chosen = is_symbol.map_or(leaf, |ahead| symbol + ahead);
            if is_symbol.is_some() {
                symbol = chosen + 1;
            } else {
                (symbol, leaf) = (shrinking.leaves.len(), leaf + 1);
            }
            if !std::mem::replace(&mut shrinking.leaves[chosen].is_least, true) {
                self.lower(pool, &mut shrinking, chosen)?;
            }
        }
        Ok(())
    }

    /// Takes leaves in, and takes down what the model says of all; what no clause mentions may be zero.
    fn take(&mut self, pool: &Pool, shrinking: &mut Shrinking<'_>, leaves: Vec<Term>) {
        for leaf in leaves {
            if pool.sort(leaf).is_bitvec()
                && self.lowering.below(leaf).is_none()
                && let Some(bits) = self.encoder.vector(leaf)
            {
                let is_symbol = pool.op(leaf) == Op::Symbol;
                shrinking.leaves.push(Leaf { bits, values: vec![], is_symbol, is_least: false });
            }
        }
        let encoder = &mut self.encoder;
        for leaf in &mut shrinking.leaves {
            leaf.values = leaf.bits.iter().map(|&bit| encoder.literal_value(bit) == Some(true)).collect();
        }
    }

    /// Few effective bits, for as many leaves as can have few.
    fn narrow(&mut self, pool: &mut Pool, shrinking: &mut Shrinking<'_>) -> Result<(), InternalError> {
        let mut widths = vec![0; shrinking.leaves.len()];
        for round in 0.. {
            widths.resize(shrinking.leaves.len(), 0);
            let tied = shrinking.leaves.iter().zip(&widths).flat_map(|(leaf, &width)| &leaf.bits[width..]);
            let ties: Vec<Lit> = tied.map(|&bit| !bit).collect();
            if ties.is_empty() {
                break;
            }
            match self.try_smaller(pool, shrinking, &ties)? {
                // What has come with lemmas is to be narrow as well.
                Tried::Smaller if shrinking.leaves.len() > widths.len() => {}
                Tried::Smaller => {
                    shrinking.held.extend(ties);
                    break;
                }
                Tried::Failed(failed) => {
                    for (leaf, width) in shrinking.leaves.iter().zip(&mut widths) {
                        if round >= LOCAL || leaf.bits[*width..].iter().any(|bit| failed.contains(&!*bit)) {
                            *width = (2 * *width).max(1).min(leaf.bits.len());
                        }
                    }
                }
                Tried::Spent => break,
            }
        }
        Ok(())
    }

    /// The least value of a leaf under what is held; it is held from now on.
    fn lower(
        &mut self,
        pool: &mut Pool,
        shrinking: &mut Shrinking<'_>,
        leaf: usize,
    ) -> Result<(), InternalError> {
        let bits = shrinking.leaves[leaf].bits.clone();
        let set = |shrinking: &Shrinking<'_>| shrinking.leaves[leaf].values.iter().filter(|&&v| v).count();
        let zero: Vec<Lit> = bits.iter().map(|&bit| !bit).collect();
        if set(shrinking) > 1 && matches!(self.try_smaller(pool, shrinking, &zero)?, Tried::Smaller) {
            shrinking.held.extend(zero);
            return Ok(());
        }
        for place in (0..bits.len()).rev() {
            if shrinking.leaves[leaf].values[place] {
                let smaller = matches!(self.try_smaller(pool, shrinking, &[!bits[place]])?, Tried::Smaller);
                shrinking.held.push(if smaller { !bits[place] } else { bits[place] });
            } else {
                shrinking.held.push(!bits[place]);
            }
        }
        Ok(())
    }

    /// Searches for a model with these ties as well; if there is one it is the solver's.
    fn try_smaller(
        &mut self,
        pool: &mut Pool,
        shrinking: &mut Shrinking<'_>,
        ties: &[Lit],
    ) -> Result<Tried, InternalError> {
        if shrinking.searches == 0 || shrinking.conflicts == 0 {
            return Ok(Tried::Spent);
        }
        shrinking.searches -= 1;
        self.statistics.shrinking.searches += 1;
        let literals = [shrinking.query, &shrinking.held, ties].concat();
        let before = self.conflicts();
        let (outcome, failed) = self.solve(pool, &literals, Some(CONFLICTS.min(shrinking.conflicts)));
        shrinking.conflicts = shrinking.conflicts.saturating_sub(self.conflicts() - before);
        match outcome {
            Outcome::Sat(arrays) => {
                // Leaves that have come with lemmas of this search have a part in it.
                let new: Vec<Term> = self.encoder.blaster().leaves().skip(shrinking.seen).collect();
                shrinking.seen += new.len();
                self.take(pool, shrinking, new);
                let asked = std::mem::take(&mut self.asked);
                let model = self.read_model(pool, &asked, arrays);
                self.asked = asked;
                let model = model?;
                let weight = self.weight(pool, &model);
                if weight < self.lightest {
                    (self.lightest, self.model) = (weight, Some(model));
                }
                self.statistics.shrinking.smaller += 1;
                Ok(Tried::Smaller)
            }
            Outcome::Unsat => Ok(Tried::Failed(failed)),
            // More elements than bits for them: the circuits serve no more.
            Outcome::Outgrown => {
                shrinking.searches = 0;
                Ok(Tried::Spent)
            }
            Outcome::Unknown(_) => Ok(Tried::Spent),
        }
    }
}

/// How much there is to read of a value: of each number its bits up to the highest that is set, and those
/// that are set; one for each entry, and what stands in it.
fn weight(value: &Value) -> u64 {
    let mut todo = vec![value];
    let mut weight = 0;
    while let Some(value) = todo.pop() {
        match value {
            Value::Bool(value) => weight += u64::from(*value),
            Value::BitVec(value) => {
                weight += u64::from(value.width() - value.leading_zeros() + value.count_ones());
            }
            Value::Element(..) => {}
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
