//! Choices between constants as sums.
//!
//! Under conditions that are made of a few truth values, a choice between constants is a function of those,
//! and so a sum of products of numbers that are one or zero: `ite(p and not q, 1, ite(q and not p, -1, 0))`
//! is `[p] - [q]`. The coefficients are found from truth tables ([`crate::truth_tables`]), modulo two to the
//! power of the width. So a counter that goes up, or down, or stays, is what two pointers are apart of which
//! each goes up by itself.
//!
//! Cost: `k 2^k` for each choice over `k` truth values, of which there are six at most.

use crate::moebius::coefficients;
use crate::ring::{Ring, Words};
use crate::truth_tables::{is_connective, table};
use bivalve_statements::make;
use bivalve_terms::{BitVec, Op, Pool, Term};

/// Choices within a choice, at most.
const MOST_CHOICES: usize = 16;

/// Is it a choice of which [`summands`] may tell more than that it is one of two constants?
pub fn is_composite(pool: &Pool, term: Term) -> bool {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[condition, then, other]) => {
            is_connective(pool, condition) || [then, other].iter().any(|&branch| pool.op(branch) == Op::Ite)
        }
        _ => false,
    }
}

/// Truth values, which are numbers that are one or zero, with their coefficients, and a constant: they add up
/// to a choice between constants. `None` if it is something else, or of too many truth values.
pub fn summands(pool: &mut Pool, root: Term) -> Option<(Vec<(Term, BitVec)>, BitVec)> {
    let width = pool.width(root)?;
    let mut constant = BitVec::zero(width);
    let mut sum: Vec<(Term, BitVec)> = vec![];
    for (word, truths) in branches(pool, root, &|pool, branch| pool.is_const(branch), is_connective)? {
        let value = pool.as_bitvec(word)?.clone();
        for (truth, coefficient) in truths {
            let summand = value.mul(&Words(width).number(coefficient));
            match sum.iter_mut().find(|(known, _)| *known == truth) {
                _ if pool.as_bool(truth) == Some(true) => constant = constant.add(&summand),
                Some((_, coefficient)) => *coefficient = coefficient.add(&summand),
                None => sum.push((truth, summand)),
            }
        }
    }
    sum.retain(|(_, coefficient)| !coefficient.is_zero());
    Some((sum, constant))
}

/// A word that may be chosen, and truth values, which are numbers that are one or zero, with coefficients:
/// these add up to one where it is chosen, else to zero.
pub type Branch = (Term, Vec<(Term, i64)>);

/// The words that a choice chooses from, under conditions that are made of others where they are opened.
/// `None` if there is a word that is no choice and is not meant, or if there are too many choices or truth
/// values.
pub fn branches(
    pool: &mut Pool,
    root: Term,
    is_meant: &dyn Fn(&Pool, Term) -> bool,
    is_opened: fn(&Pool, Term) -> bool,
) -> Option<Vec<Branch>> {
    let choices = choices(pool, root, is_meant)?;
    let (mut leaves, mut tables) = (vec![], vec![]);
    for &choice in &choices {
        let condition = pool.args(choice)[0];
        tables.push(table(pool, condition, is_opened, &mut leaves)?);
    }
    let chosen = |row: usize| {
        let mut at = 0;
        loop {
            let &[_, then, other] = pool.args(choices[at]) else { return None };
            let branch = if tables[at] >> row & 1 == 1 { then } else { other };
            match choices.iter().position(|&choice| choice == branch) {
                Some(inner) => at = inner,
                None => return Some(branch),
            }
        }
    };
    let rows: Vec<Term> = (0..1 << leaves.len()).map(chosen).collect::<Option<_>>()?;
    let truths: Vec<Term> = leaves.into_iter().map(|leaf| truth(pool, leaf)).collect();
    let mut words = rows.clone();
    words.sort_unstable();
    words.dedup();
    let mut branch = |word: Term| {
        let is_chosen = rows.iter().map(|&row| i64::from(row == word)).collect();
        let coefficients = coefficients(is_chosen).into_iter().enumerate();
        let coefficients = coefficients.filter(|&(_, coefficient)| coefficient != 0);
        (
            word,
            coefficients.map(|(set, coefficient)| (conjunction(pool, &truths, set), coefficient)).collect(),
        )
    };
    Some(words.into_iter().map(&mut branch).collect())
}

/// The choices of which a choice is made, itself first.
fn choices(pool: &Pool, root: Term, is_meant: &dyn Fn(&Pool, Term) -> bool) -> Option<Vec<Term>> {
    let mut choices = vec![root];
    let mut next = 0;
    while let Some(&choice) = choices.get(next) {
        next += 1;
        let (Op::Ite, &[_, then, other]) = (pool.op(choice), pool.args(choice)) else { return None };
        for branch in [then, other] {
            if !is_meant(pool, branch) && !choices.contains(&branch) {
                choices.push(branch);
            }
        }
        if choices.len() > MOST_CHOICES {
            return None;
        }
    }
    Some(choices)
}

/// The conjunction of the truth values of a set, whose places are bits.
fn conjunction(pool: &mut Pool, truths: &[Term], set: usize) -> Term {
    let members = truths.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
    let mut members: Vec<Term> = members.map(|(_, &truth)| truth).collect();
    members.sort_unstable();
    let all = members.into_iter().reduce(|a, b| make::and(pool, a, b));
    all.unwrap_or_else(|| pool.bool(true))
}

/// A truth value, or a bit as one.
fn truth(pool: &mut Pool, leaf: Term) -> Term {
    if pool.width(leaf).is_none() {
        return leaf;
    }
    let one = pool.bv_u64(1, 1);
    make::eq(pool, leaf, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bivalve_terms::{Assignment, Sort, Value, eval};

    /// All choices between three constants under two conditions over two truth values and a bit.
    #[test]
    fn summands_add_up_to_the_choice() {
        let mut pool = Pool::new();
        let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::BOOL));
        let (bit, one) = (pool.symbol("bit", Sort::bitvec(1).unwrap()), pool.bv_u64(1, 1));
        let is_set = pool.mk(Op::Eq, &[bit, one]);
        let atoms = [p, q, is_set];
        let constants = [3, 6, 5].map(|number| pool.bv_u64(number, 3));
        let mut conditions = atoms.to_vec();
        for op in [Op::And, Op::Or, Op::Xor, Op::Eq] {
            conditions.extend([(p, q), (q, is_set)].map(|(a, b)| pool.mk(op, &[a, b])));
        }
        conditions.push(pool.mk(Op::Ite, &atoms));
        conditions.extend(conditions.clone().into_iter().map(|condition| pool.mk(Op::Not, &[condition])));
        for (at, &outer) in conditions.iter().enumerate() {
            let inner = conditions[(at * 7 + 3) % conditions.len()];
            let below = pool.mk(Op::Ite, &[inner, constants[0], constants[1]]);
            let choice = pool.mk(Op::Ite, &[outer, below, constants[2]]);
            let (summands, constant) = summands(&mut pool, choice).unwrap();
            assert!(is_composite(&pool, choice) && summands.len() < 8);
            for row in 0..8 {
                let mut assignment = Assignment::new();
                let values = [0, 1, 2].map(|place| row >> place & 1 == 1);
                assignment.set(p, Value::Bool(values[0]));
                assignment.set(q, Value::Bool(values[1]));
                assignment.set(bit, Value::BitVec(BitVec::from_u64(u64::from(values[2]), 1)));
                let sum = summands.iter().fold(constant.clone(), |sum, (truth, coefficient)| {
                    match eval(&pool, *truth, &assignment) {
                        Value::Bool(true) => sum.add(coefficient),
                        _ => sum,
                    }
                });
                assert_eq!(eval(&pool, choice, &assignment), Value::BitVec(sum));
            }
        }
    }

    #[test]
    fn other_choices_have_no_summands() {
        let mut pool = Pool::new();
        let (p, word) = (pool.symbol("p", Sort::BOOL), pool.symbol("x", Sort::bitvec(3).unwrap()));
        let zero = pool.bv_u64(0, 3);
        let choice = pool.mk(Op::Ite, &[p, word, zero]);
        assert_eq!(summands(&mut pool, choice), None);
        // Seven truth values are too many.
        let mut all = zero;
        for at in 0..7 {
            let (truth, number) = (pool.symbol(&format!("t{at}"), Sort::BOOL), pool.bv_u64(at, 3));
            all = pool.mk(Op::Ite, &[truth, number, all]);
        }
        assert_eq!(summands(&mut pool, all), None);
    }
}
