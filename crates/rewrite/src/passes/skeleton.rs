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
use std::ops::Range;

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
    /// Those of two literals say the last one twice.
    clauses: Vec<[Literal; 3]>,
    watches: Watches,
    /// By literal.
    is_true: Vec<bool>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Literal>,
    /// The conjuncts: said already; and the pairs of variables that one of them makes equal or opposite.
    conjuncts: Vec<Literal>,
    pairs: FxHashSet<[u32; 2]>,
}

/// What is left of the clauses in which a literal is false, by literal: two others, or one twice.
#[derive(Default)]
struct Watches {
    ends: Vec<u32>,
    rests: Vec<[Literal; 2]>,
}

impl Watches {
    fn of(literals: usize, clauses: &[[Literal; 3]]) -> Watches {
        let each = |clause: &[Literal; 3]| {
            let &[a, b, c] = clause;
            [(a, [b, c]), (b, [a, if b == c { a } else { c }]), (c, [a, b])].into_iter().take(if b == c {
                2
            } else {
                3
            })
        };
        let mut ends = vec![0; literals + 1];
        for (literal, _) in clauses.iter().flat_map(each) {
            ends[negated(literal) as usize + 1] += 1;
        }
        for place in 0..literals {
            ends[place + 1] += ends[place];
        }
        let mut rests = vec![[0, 0]; ends[literals] as usize];
        for (literal, rest) in clauses.iter().flat_map(each) {
            let place = &mut ends[negated(literal) as usize];
            rests[*place as usize] = rest;
            *place += 1;
        }
        Watches { ends, rests }
    }

    /// What is left when this literal is true.
    fn of_literal(&self, literal: Literal) -> Range<usize> {
        let place = literal as usize;
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        begin as usize..self.ends[place] as usize
    }
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
                && let (Op::Eq, &[a, b]) =
                    (pool.op(skeleton.terms[literal as usize / 2]), pool.args(conjunct))
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
                self.clauses.extend([[n(v), a, a], [n(v), b, b], [v, n(a), n(b)]]);
            }
            (Op::Eq, &[a, b]) => {
                self.clauses.extend([[n(v), n(a), b], [n(v), a, n(b)], [v, a, b], [v, n(a), n(b)]]);
            }
            (Op::Ite, &[c, a, b]) => {
                self.clauses.extend([[n(v), n(c), a], [n(v), c, b], [v, n(c), n(a)], [v, c, n(b)]]);
                self.clauses.extend([[n(v), a, b], [v, n(a), n(b)]]);
            }
            _ => unreachable!("these are the connectives"),
        }
    }

    /// Propagates, and looks for failed literals; `None` if there is no model.
    fn solve(&mut self) -> Option<()> {
        let mut endless = usize::MAX;
        self.watches = Watches::of(self.is_true.len(), &self.clauses);
        for literal in self.conjuncts.clone() {
            self.assume(literal, &mut endless).ok()?;
        }
        self.shorten();
        let mut steps = STEPS * self.clauses.len();
        for literal in 0..self.is_true.len() as Literal {
            // Whatever implies a literal that fails does so, too; so those are tried that nothing implies.
            let is_root = !self.implies_any(negated(literal)) && self.implies_any(literal);
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

    /// Does a clause of two literals make another one true?
    fn implies_any(&self, literal: Literal) -> bool {
        self.watches.rests[self.watches.of_literal(literal)].iter().any(|[a, b]| a == b)
    }

    /// Drops the clauses that are true, and the literals that are false.
    fn shorten(&mut self) {
        let mut clauses = std::mem::take(&mut self.clauses);
        clauses.retain_mut(|clause| {
            let open: Vec<Literal> =
                clause.iter().copied().filter(|&literal| self.value(literal) != Some(false)).collect();
            if let [first, .., last] = open[..] {
                *clause = [first, open[1], last];
            }
            open.iter().all(|&literal| self.value(literal).is_none())
        });
        self.watches = Watches::of(self.is_true.len(), &clauses);
        self.clauses = clauses;
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
            let rests = self.watches.of_literal(literal);
            *steps = steps.saturating_sub(rests.len());
            if *steps == 0 {
                return Ok(());
            }
            for place in rests {
                let [a, b] = self.watches.rests[place];
                match (self.value(a), self.value(b)) {
                    (Some(false), _) => self.set(b)?,
                    (_, Some(false)) => self.set(a)?,
                    (None, None) if a == b => self.set(a)?,
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
                tarjan.visit(literal, &self.watches);
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

    fn visit(&mut self, root: Literal, edges: &Watches) {
        if self.met[root as usize] != 0 {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, edges.of_literal(root))];
        while let Some((literal, rest)) = path.last_mut() {
            let place = *literal as usize;
            let next = rest.next().map(|place| edges.rests[place]);
            match next.map(|[a, b]| (a == b, a)) {
                Some((true, next)) if self.met[next as usize] == 0 => {
                    self.enter(next);
                    path.push((next, edges.of_literal(next)));
                }
                Some((true, next)) if self.is_open[next as usize] => {
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
