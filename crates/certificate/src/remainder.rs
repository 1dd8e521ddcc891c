//! Remainders as what is left of a multiple of the quotient.
//!
//! That `x % s` is `x - (x / s) s` holds in as many bits as x has, whatever overflows. As an equation of
//! terms it makes identities of quotients and remainders, signed ones in each case of the signs, a matter of
//! polynomials, at any width. It is shown by the fact about the remainder ([`Recorder::exact`]), in which
//! products have free bits.
//!
//! Cost: a comparison of twice as many bits for each remainder.

use crate::recorder::Recorder;
use crate::sat::{Problem, Sat};
use bivalve_checker::term::{Op, Term, Terms};
use bivalve_limits::Stop;
use bivalve_sat_adapter::SatResult;
use rustc_hash::FxHashMap;

/// `x - (x / s) s` for a remainder `x % s`.
pub(crate) fn rest(terms: &mut Terms, remainder: Term) -> Result<Term, String> {
    let (x, s) = (terms.args(remainder)[0], terms.args(remainder)[1]);
    let quotient = terms.mk(Op::BvUdiv, &[x, s])?;
    let multiple = terms.mk(Op::BvMul, &[quotient, s])?;
    let minus = terms.mk(Op::BvNeg, &[multiple])?;
    terms.mk(Op::BvAdd, &[x, minus])
}

/// Is the first term a remainder, and the second what is left of a multiple?
pub(crate) fn is_rest(terms: &mut Terms, remainder: Term, other: Term) -> bool {
    terms.op(remainder) == Op::BvUrem && rest(terms, remainder) == Ok(other)
}

/// Shows what remainders are, in a kernel without assertions.
pub(crate) fn show_rests(out: &mut Recorder, remainders: &[Term], stop: &Stop) -> Result<(), String> {
    for &remainder in remainders {
        let fact = out.exact(remainder)?;
        for term in crate::division::divisions_and_products(&out.kernel.terms, &[fact]) {
            if out.kernel.bits(term).is_none() {
                out.free_bits(term)?;
            }
        }
        let rest = rest(&mut out.kernel.terms, remainder)?;
        let terms = &mut out.kernel.terms;
        let (x, multiple) = (terms.args(rest)[0], terms.args(terms.args(rest)[1])[0]);
        let sum = terms.mk(Op::BvAdd, &[multiple, remainder])?;
        let (known, wanted) = (terms.mk(Op::Eq, &[sum, x])?, terms.mk(Op::Eq, &[remainder, rest])?);
        let number = out.unit(fact)?;
        let (clause, bit) = (out.bits(fact)?, out.bits(known)?[0]);
        let mut sat = Sat::new(Problem::Small, stop).ok_or("no SAT backend tells its reasons")?;
        sat.add(out.kernel.gates(), &clause, number);
        if sat.solve(out.kernel.gates(), &[!bit], None) != SatResult::Unsat {
            return Err("a fact does not say what the remainder is".into());
        }
        let shown = sat.proof(out.kernel.gates(), &[])?.write(out, Some)?;
        out.truth(known, shown)?;
        out.polynomial(known, wanted)?;
        out.split(wanted)?;
    }
    Ok(())
}

/// A term in which choices that are known are their branches, and remainders what is left of a multiple, as
/// far as that is known; the two are known to be equal then.
pub(crate) fn resolved(out: &mut Recorder, root: Term) -> Result<Term, String> {
    let mut made: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        let args = out.kernel.terms.args(term).to_vec();
        let below: Vec<Term> = match out.kernel.terms.op(term) {
            Op::Ite if out.kernel.is(args[0], true) => vec![args[1]],
            Op::Ite if out.kernel.is(args[0], false) => vec![args[2]],
            Op::BvUrem => {
                let rest = rest(&mut out.kernel.terms, term)?;
                if out.kernel.equal(term, rest) { vec![rest] } else { vec![] }
            }
            Op::BvAdd | Op::BvMul | Op::BvNeg => args,
            _ => vec![],
        };
        let before = stack.len();
        stack.extend(below.iter().copied().filter(|arg| !made.contains_key(arg)));
        if stack.len() > before {
            continue;
        }
        stack.pop();
        let args: Vec<Term> = below.iter().map(|arg| made[arg]).collect();
        let result = match (out.kernel.terms.op(term), &args[..]) {
            (_, []) => term,
            (Op::Ite | Op::BvUrem, &[other]) => other,
            (op, _) => {
                let rebuilt = out.kernel.terms.mk(op, &args)?;
                out.congruence(term, rebuilt)?;
                rebuilt
            }
        };
        made.insert(term, result);
    }
    Ok(made[&root])
}
