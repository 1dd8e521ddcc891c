//! Choices that become sums, where that lets multiplying out decide something.
//!
//! A choice is the sum of what it chooses from, times numbers that are one where it is chosen, else zero.
//! Such numbers are sums of products of choices between zero and one by single truth values
//! ([`bivalve_algebra::choices`]). To the checker a choice is a variable unless it is between two values; the
//! sum is a polynomial ([`bivalve_checker::polynomial`]). That they are equal is a theorem about the truth
//! values and the words.
//!
//! A choice takes fewer gates than the sum, so they stay unless equations or sums are the same by it. Choices
//! between constants are tried by themselves first.
//!
//! Cost: that of multiplying out, once or twice more, if there are such choices.

use crate::multiply::{is_equation_of_sums, is_sum};
use bivalve_algebra::choices::{Branch, branches, is_composite, summands};
use bivalve_algebra::ring::{Ring, Words};
use bivalve_algebra::truth_tables::is_connective_of_bits;
use bivalve_terms::{BitVec, Op, Pool, Term, cone};
use rustc_hash::FxHashSet;

/// Which choices become sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Those between constants.
    Constants,
    /// Those between words, too, and conditions may be about bits of words.
    Words,
}

/// More choices between words do not become sums.
const MOST_CHOICES: usize = 64;

/// Choices that sums and equations of sums read, and the sums that they are.
pub(crate) fn sums_of_choices(pool: &mut Pool, roots: &[Term], chosen: Chosen) -> Vec<(Term, Term)> {
    let below = cone(pool, roots);
    let readers = below.iter().filter(|&&term| is_sum(pool, term) || is_equation_of_sums(pool, term));
    let read: FxHashSet<Term> = readers.flat_map(|&reader| pool.args(reader)).copied().collect();
    let is_wanted = |&term: &Term| {
        read.contains(&term)
            && pool.op(term) == Op::Ite
            && (chosen == Chosen::Words || is_composite(pool, term))
    };
    let choices: Vec<Term> = below.into_iter().filter(is_wanted).collect();
    if chosen == Chosen::Words && choices.len() > MOST_CHOICES {
        return vec![];
    }
    let is_word = |pool: &Pool, branch: Term| pool.op(branch) != Op::Ite || read.contains(&branch);
    let mut found = vec![];
    for choice in choices {
        let sum = match chosen {
            Chosen::Constants => summands(pool, choice).map(|(summands, of)| sum(pool, summands, &of)),
            Chosen::Words => branches(pool, choice, &is_word, is_connective_of_bits)
                .map(|branches| sum_of_words(pool, branches)),
        };
        let Some(sum) = sum else { continue };
        found.extend((sum != choice).then_some((choice, sum)));
    }
    found
}

/// The sum of multiples of truth values, which are numbers that are one or zero, and a constant.
fn sum(pool: &mut Pool, summands: Vec<(Term, BitVec)>, constant: &BitVec) -> Term {
    let [zero, one] = [0, 1].map(|number| pool.bv_u64(number, constant.width()));
    let mut terms: Vec<Term> = vec![];
    for (truth, coefficient) in summands {
        let (mut stack, mut product) = (vec![truth], pool.bitvec(&coefficient));
        while let Some(truth) = stack.pop() {
            if pool.op(truth) == Op::And {
                stack.extend_from_slice(pool.args(truth));
                continue;
            }
            let is_first = pool.is_const(product);
            let number = pool.mk(Op::Ite, &[truth, if is_first { product } else { one }, zero]);
            product = if is_first { number } else { pool.mk(Op::BvMul, &[product, number]) };
        }
        terms.push(product);
    }
    if !constant.is_zero() || terms.is_empty() {
        terms.push(pool.bitvec(constant));
    }
    terms.into_iter().reduce(|sum, term| pool.mk(Op::BvAdd, &[sum, term])).unwrap_or(zero)
}

/// The sum of words times such sums.
fn sum_of_words(pool: &mut Pool, branches: Vec<Branch>) -> Term {
    let mut terms: Vec<Term> = vec![];
    for (word, truths) in branches {
        let width = pool.width(word).unwrap_or(1);
        let is_always = |&(truth, _): &(Term, i64)| pool.as_bool(truth) == Some(true);
        let always: i64 = truths.iter().filter(|of| is_always(of)).map(|&(_, coefficient)| coefficient).sum();
        let others = truths.iter().filter(|of| !is_always(of));
        let others = others.map(|&(truth, coefficient)| (truth, Words(width).number(coefficient))).collect();
        let times = sum(pool, others, &Words(width).number(always));
        terms.push(pool.mk(Op::BvMul, &[word, times]));
    }
    terms.into_iter().reduce(|sum, term| pool.mk(Op::BvAdd, &[sum, term])).expect("a word is chosen")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::{Certifier, Form};
    use bivalve_limits::Stop;
    use bivalve_terms::{Op, Pool, Sort, Term};

    /// A queue counts how full it is in one place: one more where something is pushed and nothing popped, one
    /// less where it is the other way round. Its ends move by themselves.
    #[test]
    fn a_queue_is_as_full_as_its_ends_are_apart() {
        let mut pool = Pool::new();
        let [zero, one, minus_one] = [0, 1, 7].map(|number| pool.bv_u64(number, 3));
        let [mut write, mut read] = ["write", "read"].map(|name| pool.symbol(name, Sort::bitvec(3).unwrap()));
        let mut count = pool.bvsub(write, read).unwrap();
        for step in 0..10 {
            let [push, pop] = ["push", "pop"].map(|name| pool.symbol(&format!("{name}{step}"), Sort::BOOL));
            let (is_full, is_empty) = (pool.eq(count, minus_one).unwrap(), pool.eq(count, zero).unwrap());
            let [has_room, has_some] = [is_full, is_empty].map(|is| pool.not(is).unwrap());
            let moves = [pool.and(push, has_room).unwrap(), pool.and(pop, has_some).unwrap()];
            let waits = moves.map(|moves| pool.not(moves).unwrap());
            let (up, down) = (pool.and(moves[0], waits[1]).unwrap(), pool.and(moves[1], waits[0]).unwrap());
            let less = pool.bvadd(count, minus_one).unwrap();
            let below = pool.ite(down, less, count).unwrap();
            let more = pool.bvadd(count, one).unwrap();
            count = pool.ite(up, more, below).unwrap();
            [write, read] = [(write, moves[0]), (read, moves[1])].map(|(end, moves): (Term, Term)| {
                let next = pool.bvadd(end, one).unwrap();
                pool.ite(moves, next, end).unwrap()
            });
        }
        let apart = pool.bvsub(write, read).unwrap();
        let differ = pool.mk(Op::Distinct, &[apart, count]);
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]));
    }

    /// What is taken from one account is what another one gets, forty times: more than the lemmas of the
    /// checker unfold.
    #[test]
    fn transfers_keep_the_sum_of_all_accounts() {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(64).unwrap();
        let before: Vec<Term> = (0..7).map(|at| pool.symbol(&format!("account{at}"), sort)).collect();
        let mut accounts = before.clone();
        for transfer in 1..=40usize {
            let (from, to) = (transfer % 7, (transfer * transfer + 1) % 7);
            let amount = pool.symbol(&format!("amount{transfer}"), sort);
            let wanted = pool.symbol(&format!("wanted{transfer}"), Sort::BOOL);
            let enough = pool.bvuge(accounts[from], amount).unwrap();
            let moves = pool.and(wanted, enough).unwrap();
            let less = pool.bvsub(accounts[from], amount).unwrap();
            accounts[from] = pool.ite(moves, less, accounts[from]).unwrap();
            let more = pool.bvadd(accounts[to], amount).unwrap();
            accounts[to] = pool.ite(moves, more, accounts[to]).unwrap();
        }
        let [now, once] = [accounts, before]
            .map(|all| all.into_iter().reduce(|sum, account| pool.bvadd(sum, account).unwrap()).unwrap());
        let differ = pool.mk(Op::Distinct, &[now, once]);
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]));
    }

    /// Something is written to one of four registers; their sum changes by what is written, less what was
    /// there.
    #[test]
    fn a_write_changes_the_sum_of_registers() {
        let mut pool = Pool::new();
        let (sort, bits) = (Sort::bitvec(8).unwrap(), Sort::bitvec(2).unwrap());
        let registers: Vec<Term> = (0..4).map(|at| pool.symbol(&format!("r{at}"), sort)).collect();
        let (is_written, new) = (pool.symbol("is_written", Sort::BOOL), pool.symbol("new", sort));
        let place = pool.symbol("place", bits);
        let is_it: Vec<Term> = (0..4)
            .map(|at| {
                let number = pool.bv_u64(at, 2);
                pool.eq(place, number).unwrap()
            })
            .collect();
        let mut old = registers[3];
        for at in (0..3).rev() {
            old = pool.ite(is_it[at], registers[at], old).unwrap();
        }
        let mut after = vec![];
        for (&register, is_it) in registers.iter().zip(is_it) {
            let changes = pool.and(is_written, is_it).unwrap();
            after.push(pool.ite(changes, new, register).unwrap());
        }
        let mut total =
            |words: &[Term]| words.iter().copied().reduce(|a, b| pool.bvadd(a, b).unwrap()).unwrap();
        let [before, after] = [total(&registers), total(&after)];
        let more = pool.bvsub(new, old).unwrap();
        let changed = pool.bvadd(before, more).unwrap();
        let expected = pool.ite(is_written, changed, before).unwrap();
        let differ = pool.mk(Op::Distinct, &[after, expected]);
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]));
    }
    /// One of four counters goes up, if one does, and so does their sum. A number that is one or zero already
    /// is no sum of itself.
    #[test]
    fn counters_add_up_to_their_number() {
        let mut pool = Pool::new();
        let (sort, bits) = (Sort::bitvec(8).unwrap(), Sort::bitvec(2).unwrap());
        let mut counters: Vec<Term> = (0..4).map(|at| pool.symbol(&format!("c{at}"), sort)).collect();
        let total = |pool: &mut Pool, words: &[Term]| {
            words.iter().copied().reduce(|a, b| pool.bvadd(a, b).unwrap()).unwrap()
        };
        let (mut sum, one) = (total(&mut pool, &counters), pool.bv_u64(1, 8));
        for step in 0..6 {
            let moves = pool.symbol(&format!("moves{step}"), Sort::BOOL);
            let which = pool.symbol(&format!("which{step}"), bits);
            for (at, counter) in (0..).zip(&mut counters) {
                let number = pool.bv_u64(at, 2);
                let is_it = pool.eq(which, number).unwrap();
                let (counts, next) = (pool.and(moves, is_it).unwrap(), pool.bvadd(*counter, one).unwrap());
                *counter = pool.ite(counts, next, *counter).unwrap();
            }
            let next = pool.bvadd(sum, one).unwrap();
            sum = pool.ite(moves, next, sum).unwrap();
        }
        let after = total(&mut pool, &counters);
        let differ = pool.mk(Op::Distinct, &[after, sum]);
        let certified = Certifier::new(Form::Binary, &Stop::new()).certify(&mut pool, 0, &[differ], Some(10));
        assert_eq!(certified.map(|refutation| refutation.used), Ok(vec![0]));
    }
}
