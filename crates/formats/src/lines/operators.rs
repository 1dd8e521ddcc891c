//! The operators of BTOR and BTOR2, a row each.
//!
//! A row names an operator as BTOR2 does, says which arguments it takes, and how it becomes a term. At one
//! bit an operator of logic stays a bit-vector if its arguments are, and is Boolean if one of them is; so
//! comparisons are combined as Booleans, and registers of one bit as bit-vectors. Indexed operators and the
//! amounts of BTOR's shifts are the business of the readers.

use crate::lines::bits::{bits, plain, truth, width};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term};

/// One operator.
pub(crate) struct Operator {
    /// The name in BTOR2.
    pub(crate) name: &'static str,
    /// The number of arguments.
    pub(crate) arity: usize,
    pub(crate) rule: Rule,
    make: Make,
}

/// Which arguments an operator takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Bit-vectors of one width, which is the result's.
    Word,
    /// Bits; a bit.
    Logic,
    /// A bit-vector; a bit.
    Reduction,
    /// Bit-vectors of one width; a bit.
    Compare,
    /// Two arguments of one sort; a bit.
    Equal,
    /// Bit-vectors; the sum of their widths.
    Concat,
    /// An array and an index; an element.
    Read,
    /// An array, an index and an element; an array.
    Write,
    /// A bit and two arguments of one sort; that sort.
    Ite,
}

/// How arguments become a term.
#[derive(Clone, Copy)]
enum Make {
    /// The operator over bit-vectors and arrays.
    Plain(Op),
    /// The operator over bit-vectors, or over Booleans if one of the arguments is Boolean.
    Bit(Op, fn(&mut Pool, &[Term]) -> Term),
    /// The operator over Booleans.
    Truth(Op),
    /// The operator over an argument and the number one.
    One(Op),
}

const fn row(name: &'static str, arity: usize, rule: Rule, make: Make) -> Operator {
    Operator { name, arity, rule, make }
}

use Make::{Bit, One, Plain, Truth};

static TABLE: &[Operator] = &[
    row("not", 1, Rule::Word, Bit(Op::BvNot, |pool, x| pool.mk(Op::Not, x))),
    row("inc", 1, Rule::Word, One(Op::BvAdd)),
    row("dec", 1, Rule::Word, One(Op::BvSub)),
    row("neg", 1, Rule::Word, Plain(Op::BvNeg)),
    row("redand", 1, Rule::Reduction, Plain(Op::RedAnd)),
    row("redor", 1, Rule::Reduction, Plain(Op::RedOr)),
    row("redxor", 1, Rule::Reduction, Plain(Op::RedXor)),
    row("iff", 2, Rule::Logic, Bit(Op::Eq, |pool, x| pool.mk(Op::Eq, x))),
    row("implies", 2, Rule::Logic, Truth(Op::Implies)),
    row("eq", 2, Rule::Equal, Bit(Op::Eq, |pool, x| pool.mk(Op::Eq, x))),
    row("neq", 2, Rule::Equal, Bit(Op::Distinct, |pool, x| pool.mk(Op::Distinct, x))),
    row("ugt", 2, Rule::Compare, Plain(Op::BvUgt)),
    row("ugte", 2, Rule::Compare, Plain(Op::BvUge)),
    row("ult", 2, Rule::Compare, Plain(Op::BvUlt)),
    row("ulte", 2, Rule::Compare, Plain(Op::BvUle)),
    row("sgt", 2, Rule::Compare, Plain(Op::BvSgt)),
    row("sgte", 2, Rule::Compare, Plain(Op::BvSge)),
    row("slt", 2, Rule::Compare, Plain(Op::BvSlt)),
    row("slte", 2, Rule::Compare, Plain(Op::BvSle)),
    row("and", 2, Rule::Word, Bit(Op::BvAnd, |pool, x| pool.mk(Op::And, x))),
    row("or", 2, Rule::Word, Bit(Op::BvOr, |pool, x| pool.mk(Op::Or, x))),
    row("xor", 2, Rule::Word, Bit(Op::BvXor, |pool, x| pool.mk(Op::Xor, x))),
    row("nand", 2, Rule::Word, Bit(Op::BvNand, |pool, x| negated(pool, Op::And, x))),
    row("nor", 2, Rule::Word, Bit(Op::BvNor, |pool, x| negated(pool, Op::Or, x))),
    row("xnor", 2, Rule::Word, Bit(Op::BvXnor, |pool, x| pool.mk(Op::Eq, x))),
    row("rol", 2, Rule::Word, Plain(Op::ExtRotateLeft)),
    row("ror", 2, Rule::Word, Plain(Op::ExtRotateRight)),
    row("sll", 2, Rule::Word, Plain(Op::BvShl)),
    row("sra", 2, Rule::Word, Plain(Op::BvAshr)),
    row("srl", 2, Rule::Word, Plain(Op::BvLshr)),
    row("add", 2, Rule::Word, Plain(Op::BvAdd)),
    row("mul", 2, Rule::Word, Plain(Op::BvMul)),
    row("udiv", 2, Rule::Word, Plain(Op::BvUdiv)),
    row("urem", 2, Rule::Word, Plain(Op::BvUrem)),
    row("sdiv", 2, Rule::Word, Plain(Op::BvSdiv)),
    row("srem", 2, Rule::Word, Plain(Op::BvSrem)),
    row("smod", 2, Rule::Word, Plain(Op::BvSmod)),
    row("sub", 2, Rule::Word, Plain(Op::BvSub)),
    row("saddo", 2, Rule::Compare, Plain(Op::BvSaddo)),
    row("sdivo", 2, Rule::Compare, Plain(Op::BvSdivo)),
    row("smulo", 2, Rule::Compare, Plain(Op::BvSmulo)),
    row("ssubo", 2, Rule::Compare, Plain(Op::BvSsubo)),
    row("uaddo", 2, Rule::Compare, Plain(Op::BvUaddo)),
    row("umulo", 2, Rule::Compare, Plain(Op::BvUmulo)),
    row("usubo", 2, Rule::Compare, Plain(Op::BvUsubo)),
    row("concat", 2, Rule::Concat, Plain(Op::Concat)),
    row("read", 2, Rule::Read, Plain(Op::Select)),
    row("write", 3, Rule::Write, Plain(Op::Store)),
    row("ite", 3, Rule::Ite, Plain(Op::Ite)),
];

fn negated(pool: &mut Pool, op: Op, args: &[Term]) -> Term {
    let inner = pool.mk(op, args);
    pool.mk(Op::Not, &[inner])
}

/// Why an operator does not take its arguments.
pub(crate) struct Misfit {
    /// The faulty argument, counted from 0.
    pub(crate) argument: usize,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// The names of the operators in BTOR2.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.name)
}

/// The operator of this name in BTOR2.
pub(crate) fn operator(name: &[u8]) -> Option<&'static Operator> {
    TABLE.iter().find(|row| row.name.as_bytes() == name)
}

/// The name in BTOR2 of an operator over bit-vectors and arrays, or of one that there is over Booleans alone.
pub(crate) fn name_of(op: Op) -> Option<&'static str> {
    let is_this = |row: &&Operator| matches!(row.make, Plain(own) | Bit(own, _) | Truth(own) if own == op);
    TABLE.iter().find(is_this).map(|row| row.name)
}

impl Operator {
    /// The term of the operator over its arguments, of which there are as many as it takes.
    pub(crate) fn apply(&self, pool: &mut Pool, args: &[Term]) -> Result<Term, Misfit> {
        self.check(pool, args)?;
        let any_truth = |args: &[Term], pool: &Pool| args.iter().any(|&arg| pool.sort(arg).is_bool());
        let term = match self.make {
            Plain(Op::Ite) => {
                let condition = truth(pool, args[0]);
                let branches = alike(pool, &args[1..]);
                pool.mk(Op::Ite, &[condition, branches[0], branches[1]])
            }
            Bit(_, make) if any_truth(args, pool) => {
                let args = convert(pool, args, truth);
                make(pool, &args)
            }
            Truth(op) => {
                let args = convert(pool, args, truth);
                pool.mk(op, &args)
            }
            Plain(op) | Bit(op, _) => {
                let args = convert(pool, args, bits);
                pool.mk(op, &args)
            }
            One(op) => {
                let arg = bits(pool, args[0]);
                let one = pool.bv_u64(1, width(pool, arg).expect("a word has a width"));
                pool.mk(op, &[arg, one])
            }
        };
        Ok(plain(pool, term))
    }

    /// Whether the arguments have the sorts that the rule asks for.
    fn check(&self, pool: &Pool, args: &[Term]) -> Result<(), Misfit> {
        let word = |i: usize| match width(pool, args[i]) {
            Some(width) => Ok(width),
            None => Err(misfit(pool, i, "a bit-vector", args[i])),
        };
        let of_width = |i: usize, expected: u32| match word(i)? == expected {
            true => Ok(()),
            false => Err(misfit(pool, i, &format!("bitvec {expected}"), args[i])),
        };
        let like = |i: usize, other: usize| match same_sort(pool, args[i], args[other]) {
            true => Ok(()),
            false => Err(misfit(pool, i, &shown_sort(pool, pool.sort(args[other])), args[i])),
        };
        let parts = |i: usize| match pool.sorts().array_parts(pool.sort(args[i])) {
            Some(parts) => Ok(parts),
            None => Err(misfit(pool, i, "an array", args[i])),
        };
        let of_sort =
            |i: usize, sort: Sort| match pool.sort(args[i]) == sort || width(pool, args[i]) == sort.width() {
                true => Ok(()),
                false => Err(misfit(pool, i, &shown_sort(pool, sort), args[i])),
            };
        match self.rule {
            Rule::Word | Rule::Compare => {
                let width = word(0)?;
                (1..args.len()).try_for_each(|i| of_width(i, width))
            }
            Rule::Logic => (0..args.len()).try_for_each(|i| of_width(i, 1)),
            Rule::Reduction => word(0).map(drop),
            Rule::Concat => {
                let (widest, sum) = (BitVec::MAX_WIDTH, u64::from(word(0)?) + u64::from(word(1)?));
                match sum <= u64::from(widest) {
                    true => Ok(()),
                    false => Err(misfit(pool, 1, &format!("at most {widest} bits of 'concat'"), args[1])),
                }
            }
            Rule::Equal => like(1, 0),
            Rule::Ite => of_width(0, 1).and_then(|()| like(2, 1)),
            Rule::Read => of_sort(1, parts(0)?.0),
            Rule::Write => {
                let (index, element) = parts(0)?;
                of_sort(1, index).and_then(|()| of_sort(2, element))
            }
        }
    }
}

fn convert(pool: &mut Pool, args: &[Term], how: fn(&mut Pool, Term) -> Term) -> Vec<Term> {
    args.iter().map(|&arg| how(pool, arg)).collect()
}

/// Bits as Booleans if one of them is Boolean, else all as they are.
pub(crate) fn alike(pool: &mut Pool, args: &[Term]) -> Vec<Term> {
    let all_bits = args.iter().all(|&arg| width(pool, arg) == Some(1));
    let any_truth = all_bits && args.iter().any(|&arg| pool.sort(arg).is_bool());
    convert(pool, args, if any_truth { truth } else { |_, term| term })
}

/// Whether two terms have one sort, where a Boolean is a bit.
pub(crate) fn same_sort(pool: &Pool, a: Term, b: Term) -> bool {
    pool.sort(a) == pool.sort(b) || width(pool, a).is_some() && width(pool, a) == width(pool, b)
}

/// The sort of a term in the words of BTOR2: `bitvec 8`, `array 4 8` with the width of the index first.
pub(crate) fn shown_sort(pool: &Pool, sort: Sort) -> String {
    match pool.sorts().array_parts(sort) {
        Some((index, element)) => match (index.width(), element.width()) {
            (Some(index), Some(element)) => format!("array {index} {element}"),
            _ => pool.sorts().display(sort),
        },
        None => format!("bitvec {}", sort.width().unwrap_or(1)),
    }
}

fn misfit(pool: &Pool, argument: usize, expected: &str, found: Term) -> Misfit {
    Misfit { argument, expected: expected.into(), found: shown_sort(pool, pool.sort(found)) }
}
