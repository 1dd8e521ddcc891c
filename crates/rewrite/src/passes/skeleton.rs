//! The skeleton: what follows from the Boolean structure of the conjuncts, whatever its atoms say.
//!
//! The connectives between the conjuncts and their atoms (comparisons, Boolean symbols, and what else has no Boolean operands) become
//! clauses of at most three literals. On these: unit propagation; literals that imply each other, which are the strongly
//! connected components of the binary clauses; and failed literals, those from which propagation derives a contradiction,
//! so that they are false. What is found is *said*, as conjuncts: forced literals, and equations between equal ones.
//! Definitions and embedded constraints make use of them, and local rules fold what has become superfluous.
//!
//! Why it is right: what is said follows from the conjuncts.
//!
//! Bitwuzla and Boolector hand the skeleton to their SAT solver and take over what its inprocessing has fixed; this is the part
//! of it that pays, without a solver. Components: Tarjan 1972. Cost: linear, and [`STEPS`] for each clause for failed
//! literals.

use crate::make;
use bivalve_terms::{Op, Pool, Term, TermMap};
use rustc_hash::FxHashSet;

/// Visits of clauses by failed literals, for each clause.
const STEPS: usize = 10;

/// Clauses of larger skeletons are left alone.
const MOST_VARIABLES: usize = 200_000;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, conjuncts: &[Term], _frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>> {
    let mut skeleton = Skeleton::of(pool, conjuncts)?;
    if skeleton.solve().is_none() {
        return Some(vec![pool.bool(false)]);
    }
    let mut new = skeleton.forced(pool);
    new.extend(skeleton.equal(pool));
    (!new.is_empty()).then(|| conjuncts.iter().copied().chain(new).collect())
}

/// A variable, twice, plus one if it is negated.
type Literal = u32;

const fn negated(literal: Literal) -> Literal {
    literal ^ 1
}

/// Clauses, and the values that follow.
#[derive(Default)]
struct Skeleton {
    /// The terms of the variables.
    terms: Vec<Term>,
    numbers: TermMap<u32>,
    /// What each literal implies at once, and the pairs of which it implies one.
    implied: Vec<Vec<Literal>>,
    either: Vec<Vec<[Literal; 2]>>,
    clauses: usize,
    /// By literal.
    is_true: Vec<bool>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Literal>,
    /// The conjuncts: said already; and the pairs of variables that one of them makes equal or opposite.
    conjuncts: Vec<Literal>,
    pairs: FxHashSet<[u32; 2]>,
}

/// What was derived is contradictory.
struct Conflict;

impl Skeleton {
    /// The skeleton of conjuncts; `None` if it is too large or contradictory at once.
    fn of(pool: &Pool, conjuncts: &[Term]) -> Option<Skeleton> {
        let mut skeleton = Skeleton::default();
        for &conjunct in conjuncts {
            let literal = skeleton.literal(pool, conjunct);
            skeleton.conjuncts.push(literal);
            if is_connective(pool, skeleton.terms[literal as usize / 2])
                && let (Op::Eq, &[a, b]) = (pool.op(skeleton.terms[literal as usize / 2]), pool.args(conjunct))
            {
                let pair = [a, b].map(|side| skeleton.literal(pool, side) / 2);
                skeleton.pairs.insert(ordered(pair));
            }
        }
        let mut next = 0;
        while let Some(&term) = skeleton.terms.get(next) {
            if skeleton.terms.len() > MOST_VARIABLES {
                return None;
            }
            skeleton.define(pool, term, 2 * next as u32);
            next += 1;
        }
        Some(skeleton)
    }

    fn literal(&mut self, pool: &Pool, term: Term) -> Literal {
        let (mut term, mut sign) = (term, 0);
        while pool.op(term) == Op::Not {
            (term, sign) = (pool.args(term)[0], 1 - sign);
        }
        let number = match self.numbers.get(term) {
            Some(&number) => number,
            None => {
                let number = self.terms.len() as u32;
                self.terms.push(term);
                self.numbers.insert(term, number);
                self.implied.extend([vec![], vec![]]);
                self.either.extend([vec![], vec![]]);
                self.is_true.extend([false, false]);
                number
            }
        };
        2 * number + sign
    }

    /// The clauses of the operator of a term.
    fn define(&mut self, pool: &Pool, term: Term, v: Literal) {
        if !is_connective(pool, term) {
            return;
        }
        let args: Vec<Literal> = pool.args(term).iter().map(|&arg| self.literal(pool, arg)).collect();
        let n = negated;
        match (pool.op(term), &args[..]) {
            (Op::And, &[a, b]) => {
                self.binary(n(v), a);
                self.binary(n(v), b);
                self.ternary([v, n(a), n(b)]);
            }
            (Op::Eq, &[a, b]) => {
                for clause in [[n(v), n(a), b], [n(v), a, n(b)], [v, a, b], [v, n(a), n(b)]] {
                    self.ternary(clause);
                }
            }
            (Op::Ite, &[c, a, b]) => {
                for clause in [[n(v), n(c), a], [n(v), c, b], [v, n(c), n(a)], [v, c, n(b)]] {
                    self.ternary(clause);
                }
                self.ternary([n(v), a, b]);
                self.ternary([v, n(a), n(b)]);
            }
            _ => unreachable!("these are the connectives"),
        }
    }

    fn binary(&mut self, a: Literal, b: Literal) {
        self.implied[negated(a) as usize].push(b);
        self.implied[negated(b) as usize].push(a);
        self.clauses += 1;
    }

    fn ternary(&mut self, [a, b, c]: [Literal; 3]) {
        for (of, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            self.either[negated(of) as usize].push(others);
        }
        self.clauses += 1;
    }

    /// Propagates, and looks for failed literals; `None` if there is no model.
    fn solve(&mut self) -> Option<()> {
        let mut endless = usize::MAX;
        for literal in self.conjuncts.clone() {
            self.assume(literal, &mut endless).ok()?;
        }
        self.shorten();
        let mut steps = STEPS * self.clauses;
        for literal in 0..self.is_true.len() as Literal {
            // Whatever implies a literal that fails does so, too; so those are tried that nothing implies.
            let is_root = self.implied[negated(literal) as usize].is_empty()
                && !self.implied[literal as usize].is_empty();
            if !is_root || self.value(literal).is_some() {
                continue;
            }
            if steps == 0 {
                break;
            }
            let known = self.trail.len();
            let failed = self.assume(literal, &mut steps).is_err();
            for derived in self.trail.drain(known..) {
                self.is_true[derived as usize] = false;
            }
            if failed {
                self.assume(negated(literal), &mut endless).ok()?;
            }
        }
        Some(())
    }

    /// Drops the clauses that are true, and the literals that are false.
    fn shorten(&mut self) {
        for literal in 0..self.is_true.len() {
            let either = std::mem::take(&mut self.either[literal]);
            if self.value(literal as Literal).is_some() {
                self.implied[literal].clear();
                continue;
            }
            for [a, b] in either {
                match (self.value(a), self.value(b)) {
                    (None, None) => self.either[literal].push([a, b]),
                    (Some(false), None) => self.implied[literal].push(b),
                    (None, Some(false)) => self.implied[literal].push(a),
                    _ => {}
                }
            }
            let mut implied = std::mem::take(&mut self.implied[literal]);
            implied.retain(|&other| self.value(other).is_none());
            self.implied[literal] = implied;
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        match (self.is_true[literal as usize], self.is_true[negated(literal) as usize]) {
            (false, false) => None,
            (value, _) => Some(value),
        }
    }

    /// Makes a literal true, and all that follows; stops early when there are no steps left.
    fn assume(&mut self, literal: Literal, steps: &mut usize) -> Result<(), Conflict> {
        let mut next = self.trail.len();
        self.set(literal)?;
        while let Some(&literal) = self.trail.get(next) {
            next += 1;
            let place = literal as usize;
            let visits = self.implied[place].len() + self.either[place].len();
            *steps = steps.saturating_sub(visits);
            if *steps == 0 {
                return Ok(());
            }
            for number in 0..self.implied[place].len() {
                self.set(self.implied[place][number])?;
            }
            for number in 0..self.either[place].len() {
                let [a, b] = self.either[place][number];
                match (self.value(a), self.value(b)) {
                    (Some(false), _) => self.set(b)?,
                    (_, Some(false)) => self.set(a)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, literal: Literal) -> Result<(), Conflict> {
        match self.value(literal) {
            Some(true) => Ok(()),
            Some(false) => Err(Conflict),
            None => {
                self.is_true[literal as usize] = true;
                self.trail.push(literal);
                Ok(())
            }
        }
    }

    /// The literals that are true, other than conjuncts and what their own operands decide.
    fn forced(&self, pool: &mut Pool) -> Vec<Term> {
        let mut said = vec![false; self.is_true.len()];
        self.conjuncts.iter().for_each(|&literal| said[literal as usize] = true);
        let forced: Vec<Literal> = (0..self.is_true.len() as Literal)
            .filter(|&literal| self.is_true[literal as usize] && !said[literal as usize])
            .filter(|&literal| !self.follows(pool, literal))
            .collect();
        forced.into_iter().map(|literal| self.term(pool, literal)).collect()
    }

    /// Do the values of its operands give a literal its value?
    fn follows(&self, pool: &Pool, literal: Literal) -> bool {
        let term = self.terms[literal as usize / 2];
        if pool.is_const(term) {
            return true;
        }
        let value = |arg: Term| {
            let atom = stripped(pool, arg);
            self.value(2 * self.numbers.get(atom)?).map(|value| value == (atom == arg))
        };
        match (pool.op(term), pool.args(term)) {
            _ if !is_connective(pool, term) => false,
            (Op::And, &[a, b]) => match (value(a), value(b)) {
                (Some(false), _) | (_, Some(false)) => true,
                (a, b) => a.is_some() && b.is_some(),
            },
            (Op::Ite, &[c, a, b]) => match value(c) {
                Some(true) => value(a).is_some(),
                Some(false) => value(b).is_some(),
                None => value(a).is_some() && value(a) == value(b),
            },
            (_, args) => args.iter().all(|&arg| value(arg).is_some()),
        }
    }

    fn term(&self, pool: &mut Pool, literal: Literal) -> Term {
        let term = self.terms[literal as usize / 2];
        if literal & 1 == 1 { make::not(pool, term) } else { term }
    }

    /// The equations of literals that imply each other, but those that conjuncts or connectives say.
    fn equal(&mut self, pool: &mut Pool) -> Vec<Term> {
        self.shorten();
        let mut new = vec![];
        for component in self.components() {
            let least = *component.iter().min().expect("a component is not empty");
            if component.contains(&negated(least)) {
                return vec![pool.bool(false)];
            }
            // Of a component and that of the complements, one is enough.
            if least & 1 == 1 {
                continue;
            }
            for &other in &component {
                if other == least || self.is_said(pool, least, other) {
                    continue;
                }
                let [a, b] = [least, other].map(|literal| self.terms[literal as usize / 2]);
                let same = make::eq(pool, a, b);
                new.push(if other & 1 == 1 { make::not(pool, same) } else { same });
            }
        }
        new
    }

    /// Is there a conjunct that makes one of two literals the other, or is one of them a connective over the other?
    fn is_said(&self, pool: &Pool, a: Literal, b: Literal) -> bool {
        let [x, y] = [a, b].map(|literal| self.terms[literal as usize / 2]);
        let is_over = |x: Term, y: Term| pool.args(x).iter().any(|&arg| stripped(pool, arg) == y);
        self.pairs.contains(&ordered([a / 2, b / 2])) || is_over(x, y) || is_over(y, x)
    }

    /// The literals without a value that imply each other by two-literal clauses.
    fn components(&self) -> Vec<Vec<Literal>> {
        let mut tarjan = Tarjan::new(self.is_true.len());
        for literal in 0..self.is_true.len() as Literal {
            if self.value(literal).is_none() {
                tarjan.visit(literal, &self.implied);
            }
        }
        tarjan.found
    }
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn stripped(pool: &Pool, term: Term) -> Term {
    if pool.op(term) == Op::Not { pool.args(term)[0] } else { term }
}

/// Is it an operator of Booleans alone?
fn is_connective(pool: &Pool, term: Term) -> bool {
    let args = pool.args(term);
    matches!((pool.op(term), args.len()), (Op::And | Op::Eq, 2) | (Op::Ite, 3))
        && args.iter().all(|&arg| pool.sort(arg).is_bool())
}

/// Strongly connected components of more than one literal.
struct Tarjan {
    /// By literal: when it was met, from 1 on; 0 is never.
    met: Vec<u32>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<Literal>,
    count: u32,
    found: Vec<Vec<Literal>>,
}

impl Tarjan {
    fn new(literals: usize) -> Tarjan {
        let (met, low, is_open) = (vec![0; literals], vec![0; literals], vec![false; literals]);
        Tarjan { met, low, is_open, open: vec![], count: 0, found: vec![] }
    }

    fn enter(&mut self, literal: Literal) {
        self.count += 1;
        let place = literal as usize;
        (self.met[place], self.low[place], self.is_open[place]) = (self.count, self.count, true);
        self.open.push(literal);
    }

    fn visit(&mut self, root: Literal, edges: &[Vec<Literal>]) {
        if self.met[root as usize] != 0 {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, edges[root as usize].iter())];
        while let Some((literal, rest)) = path.last_mut() {
            let place = *literal as usize;
            match rest.next() {
                Some(&next) if self.met[next as usize] == 0 => {
                    self.enter(next);
                    path.push((next, edges[next as usize].iter()));
                }
                Some(&next) if self.is_open[next as usize] => {
                    self.low[place] = self.low[place].min(self.met[next as usize]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        let above = *above as usize;
                        self.low[above] = self.low[above].min(self.low[place]);
                    }
                    if self.low[place] == self.met[place] {
                        self.close(place as Literal);
                    }
                }
            }
        }
    }

    fn close(&mut self, first: Literal) {
        let begin = self.open.iter().rposition(|&literal| literal == first).expect("it is open");
        let component: Vec<Literal> = self.open.drain(begin..).collect();
        component.iter().for_each(|&literal| self.is_open[literal as usize] = false);
        if component.len() > 1 {
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, check};

    /// Clauses, equations and choices over few bits.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 800, |pool, trial: &mut Trial| {
            let mut atoms: Vec<Term> = (0..5).map(|_| trial.bit(pool)).collect();
            atoms.push(trial.comparison(pool));
            let literal = |pool: &mut Pool, trial: &mut Trial| {
                let atom = atoms[trial.number(6) as usize];
                if trial.chance(2) { pool.mk(Op::Not, &[atom]) } else { atom }
            };
            (0..6)
                .map(|_| {
                    let [a, b, c] = [(); 3].map(|()| literal(pool, trial));
                    match trial.number(5) {
                        0 => pool.mk(Op::Ite, &[a, b, c]),
                        1 => pool.mk(Op::Or, &[a, b, c]),
                        2 => {
                            let both = pool.mk(Op::And, &[b, c]);
                            pool.mk(Op::Or, &[a, both])
                        }
                        _ => pool.mk(Op::Or, &[a, b]),
                    }
                })
                .collect()
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// `a or b`, `a or not b`: `not a` fails. `c or not d`, `d or not c`: they are equal.
    #[test]
    fn literals_fail_and_are_equal() {
        let mut pool = Pool::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.symbol(name, bivalve_terms::Sort::BOOL));
        let mut rewriter = crate::Rewriter::new(crate::Level::Local);
        let mut clause = |pool: &mut Pool, x: Term, y: Term, negative: bool| {
            let y = if negative { pool.mk(Op::Not, &[y]) } else { y };
            let clause = pool.mk(Op::Or, &[x, y]);
            rewriter.rewrite(pool, clause)
        };
        let clauses = [(a, b, false), (a, b, true), (c, d, true), (d, c, true)]
            .map(|(x, y, negative)| clause(&mut pool, x, y, negative));
        let found = run(&mut pool, &clauses, &|_| false).expect("a is forced");
        assert!(found.contains(&a), "a is said");
        let same = make::eq(&mut pool, c, d);
        assert!(found.contains(&same), "c and d are said to be equal");
    }
}
