//! Equations solved for a symbol.
//!
//! An equation `l = r` is read as a definition of every symbol that stands on one of its sides under
//! operators that have an inverse: `a + b = r` gives `a = r - b` and `b = r - a`; negation, complement,
//! exclusive or, multiplication by an odd constant and equality of Booleans are undone likewise. What is met
//! on the way down is collected, and a term is built for the symbol that the caller picks, so that looking
//! costs nothing.
//!
//! Why it is right: each step is a bijection in the operand it follows, whatever the values of the other
//! operands, so the equation and the solution hold in the same assignments. The solution may mention the
//! symbol itself (`x + x·y = r`); it is no definition then, and [`crate::Definitions`] finds that out as it
//! finds every cycle.
//!
//! This is the solver of Ganesh and Dill (*A decision procedure for bit-vectors and arrays*, CAV 2007,
//! section 4) without its steps for even coefficients, which need fresh symbols. Cost: bounded by
//! [`MOST_STEPS`].

use bivalve_faults::planted;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Term};

/// No more places are looked at in one equation.
const MOST_STEPS: usize = 64;

/// A place in an equation: the term there, and how it is reached.
struct Step {
    term: Term,
    /// The place above it, and the number of the operand it is there; `None` for the sides.
    above: Option<(usize, usize)>,
}

/// An equation, opened as far as its operators can be undone.
pub(crate) struct Solutions {
    sides: [Term; 2],
    steps: Vec<Step>,
}

impl Solutions {
    /// Opens a conjunct. Without symbols to solve for if it is no equation: a Boolean symbol, or one in a
    /// complement, is solved by its value, and so is a negated equation of Booleans or of bits.
    pub(crate) fn new(pool: &mut Pool, conjunct: Term) -> Solutions {
        let sides = sides(pool, conjunct);
        let mut steps: Vec<Step> = sides.iter().map(|&term| Step { term, above: None }).collect();
        let mut next = 0;
        while next < steps.len() && steps.len() < MOST_STEPS {
            let term = steps[next].term;
            for operand in undone(pool, term) {
                steps.push(Step { term: pool.args(term)[operand], above: Some((next, operand)) });
            }
            next += 1;
        }
        Solutions { sides, steps }
    }

    /// The symbols that the equation can be solved for, with their places: those nearest to the sides first,
    /// of two that are equally near the younger one.
    pub(crate) fn symbols(&self, pool: &Pool) -> Vec<(Term, usize)> {
        let places = self.steps.iter().enumerate();
        let mut found: Vec<(Term, usize)> = places
            .filter(|(_, step)| pool.op(step.term) == Op::Symbol)
            .map(|(place, step)| (step.term, place))
            .collect();
        found.sort_by_key(|&(symbol, place)| (self.depth(place), std::cmp::Reverse(symbol)));
        found
    }

    /// Is the symbol at `place` alone on its side, but for complements and the like?
    pub(crate) fn is_plain(&self, pool: &Pool, place: usize) -> bool {
        match self.steps[place].above {
            None => true,
            Some((above, _)) => pool.args(self.steps[above].term).len() == 1 && self.is_plain(pool, above),
        }
    }

    /// What the symbol at `place` is equal to.
    pub(crate) fn term(&self, pool: &mut Pool, place: usize) -> Term {
        let mut path = vec![place];
        while let Some((above, _)) = self.steps[path[path.len() - 1]].above {
            path.push(above);
        }
        let mut value = self.sides[1 - path[path.len() - 1]];
        for &below in path.iter().rev().skip(1) {
            let (above, operand) = self.steps[below].above.expect("only the sides have nothing above");
            value = undo(pool, self.steps[above].term, operand, value);
        }
        value
    }

    fn depth(&self, mut place: usize) -> usize {
        let mut depth = 0;
        while let Some((above, _)) = self.steps[place].above {
            (place, depth) = (above, depth + 1);
        }
        depth
    }
}

/// The two sides of the equation that a conjunct states.
fn sides(pool: &mut Pool, conjunct: Term) -> [Term; 2] {
    let bits = |pool: &Pool, term: Term| pool.sort(term).is_bool() || pool.width(term) == Some(1);
    match (pool.op(conjunct), pool.args(conjunct)) {
        (Op::Eq, &[a, b]) => [a, b],
        (Op::Not, &[below]) => match (pool.op(below), pool.args(below)) {
            (Op::Eq, &[a, b]) if bits(pool, a) => [a, make::not(pool, b)],
            _ => [below, pool.bool(false)],
        },
        _ => [conjunct, pool.bool(true)],
    }
}

/// The numbers of the operands that the operator can be solved for.
fn undone(pool: &Pool, term: Term) -> std::ops::Range<usize> {
    match (pool.op(term), pool.args(term)) {
        (Op::BvAdd | Op::BvXor, &[_, _]) => 0..2,
        (Op::Eq, &[a, _]) if pool.sort(a).is_bool() => 0..2,
        (Op::BvNeg | Op::BvNot | Op::Not, &[_]) => 0..1,
        (Op::BvMul, &[k, _]) if pool.as_bitvec(k).is_some_and(|k| k.bit(0)) => 1..2,
        _ => 0..0,
    }
}

/// What operand number `operand` is, if the term is `value`.
fn undo(pool: &mut Pool, term: Term, operand: usize, value: Term) -> Term {
    let args = pool.args(term);
    let other = args[args.len() - 1 - operand];
    match pool.op(term) {
        Op::BvAdd => {
            let minus = if planted!(SolveSign) { other } else { make::app(pool, Op::BvNeg, &[other]) };
            make::app(pool, Op::BvAdd, &[value, minus])
        }
        Op::BvMul => {
            let inverse = pool.as_bitvec(other).and_then(|k| k.odd_inverse());
            let inverse = pool.bitvec(&inverse.expect("an odd constant has an inverse"));
            make::app(pool, Op::BvMul, &[inverse, value])
        }
        op @ (Op::BvXor | Op::Eq) => make::app(pool, op, &[value, other]),
        op @ (Op::BvNeg | Op::BvNot | Op::Not) => make::app(pool, op, &[value]),
        op => unreachable!("internal: {op:?} is not undone"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::{Assignment, BitVec, Sort, eval};

    /// Every solution holds in exactly the assignments in which the equation does.
    #[test]
    fn solutions_are_equivalent_to_the_equation() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(3).unwrap();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let five = pool.bv_u64(5, 3);
        let product = pool.mk(Op::BvMul, &[five, z]);
        let complement = pool.mk(Op::BvNot, &[y]);
        let sum = pool.mk(Op::BvAdd, &[complement, product]);
        let negated = pool.mk(Op::BvNeg, &[sum]);
        let square = pool.mk(Op::BvMul, &[x, x]);
        let right = pool.mk(Op::BvXor, &[square, x]);
        let equation = pool.mk(Op::Eq, &[negated, right]);
        let solutions = Solutions::new(&mut pool, equation);
        let found = solutions.symbols(&pool);
        assert_eq!(found.iter().map(|&(symbol, _)| symbol).collect::<Vec<_>>(), [x, z, y]);
        for (symbol, place) in found {
            let term = solutions.term(&mut pool, place);
            let solved = pool.mk(Op::Eq, &[symbol, term]);
            for code in 0..1 << 9 {
                let mut assignment = Assignment::new();
                for (i, symbol) in [x, y, z].into_iter().enumerate() {
                    assignment.set(symbol, BitVec::from_u64(code >> (3 * i), 3));
                }
                assert_eq!(eval(&pool, equation, &assignment), eval(&pool, solved, &assignment), "{code}");
            }
        }
    }

    #[test]
    fn booleans_and_complements_are_solved() {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::BOOL));
        let same = pool.mk(Op::Eq, &[a, b]);
        let differ = pool.mk(Op::Not, &[same]);
        let solutions = Solutions::new(&mut pool, differ);
        let (symbol, place) = solutions.symbols(&pool)[0];
        assert_eq!((symbol, solutions.term(&mut pool, place)), (a, pool.mk(Op::Not, &[b])));
        let not_a = pool.mk(Op::Not, &[a]);
        let solutions = Solutions::new(&mut pool, not_a);
        let (symbol, place) = solutions.symbols(&pool)[0];
        assert_eq!((symbol, solutions.term(&mut pool, place)), (a, pool.bool(false)));
    }
}
