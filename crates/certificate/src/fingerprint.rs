//! Numbers that are the same for terms that are the same polynomial.
//!
//! A polynomial has one value for any values of its variables. So terms are evaluated, with two values for
//! each variable, which are its class, mixed. Terms with different numbers are different polynomials; those
//! with the same are most likely one (Schwartz 1980), and are compared by the checker's rule. Variables and
//! operators are those of [`bivalve_checker::polynomial`]; of long words the lowest bits are looked at, which
//! are enough, since carries go upwards.
//!
//! Cost: two numbers for each term, in place of a polynomial for each.

use bivalve_checker::kernel::Kernel;
use bivalve_checker::term::{Op, Term};
use rustc_hash::FxHashMap;

/// The values of a term.
pub(crate) type Fingerprint = [u128; 2];

/// Those of terms that were looked at. A class that grows later does not change them.
#[derive(Default)]
pub(crate) struct Fingerprints {
    known: FxHashMap<Term, Fingerprint>,
}

impl Fingerprints {
    /// The term has that of an equal one.
    pub(crate) fn set(&mut self, term: Term, fingerprint: Fingerprint) {
        self.known.insert(term, fingerprint);
    }

    /// That of a bit-vector term.
    pub(crate) fn of(&mut self, kernel: &Kernel, root: Term) -> Fingerprint {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if kernel.value(term).is_none() {
                let open = inner(kernel, term).iter().filter(|arg| !self.known.contains_key(arg));
                stack.extend(open);
            }
            if stack.len() == before {
                stack.pop();
                let width = kernel.terms.width(term).unwrap_or_default();
                let values = [0, 1].map(|which| self.value(kernel, term, which) & ones(width));
                self.known.insert(term, values);
            }
        }
        self.known[&root]
    }

    /// One of the values of a term whose arguments are known where they count, but for bits above its width.
    fn value(&self, kernel: &Kernel, term: Term, which: usize) -> u128 {
        if let Some(value) = kernel.value(term) {
            return number(kernel, value);
        }
        let terms = &kernel.terms;
        let args = terms.args(term);
        let of = |at: usize| self.known[&args[at]][which];
        let variable = |of: Term, kind: u64| mixed(u64::from(kernel.class(of)), kind << 1 | which as u64);
        match terms.op(term) {
            Op::BvAdd => args.iter().fold(0, |sum: u128, arg| sum.wrapping_add(self.known[arg][which])),
            Op::BvMul => {
                args.iter().fold(1, |product: u128, arg| product.wrapping_mul(self.known[arg][which]))
            }
            Op::BvNeg => of(0).wrapping_neg(),
            Op::BvNot => !of(0),
            Op::Extract(_, 0) => of(0),
            Op::BvShl => match kernel.value(args[1]) {
                Some(by) => shifted(of(0), number(kernel, by)),
                None => of(0).wrapping_mul(variable(args[1], 1)),
            },
            Op::SignExtend(_) | Op::Concat => {
                let low = args.len() - 1;
                let width = terms.width(args[low]).unwrap_or_default();
                match has_zeros_below(kernel, term) {
                    true => shifted(of(0), u128::from(width)),
                    false => variable(term, 0) & !ones(width) | of(low),
                }
            }
            _ => variable(term, 0),
        }
    }
}

/// The arguments that the value of a term is made of.
fn inner(kernel: &Kernel, term: Term) -> &[Term] {
    let args = kernel.terms.args(term);
    match kernel.terms.op(term) {
        Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvNot | Op::Extract(_, 0) => args,
        Op::BvShl => &args[..1],
        Op::Concat if has_zeros_below(kernel, term) => &args[..1],
        Op::SignExtend(_) | Op::Concat => &args[args.len() - 1..],
        _ => &[],
    }
}

/// Is it a word with zeros after it?
fn has_zeros_below(kernel: &Kernel, term: Term) -> bool {
    let is_zero = |&low: &Term| kernel.terms.as_value(low).is_some_and(|low| low.bits() == 0);
    kernel.terms.op(term) == Op::Concat && kernel.terms.args(term).last().is_some_and(is_zero)
}

/// The low bits of a value.
fn number(kernel: &Kernel, value: Term) -> u128 {
    let digits =
        kernel.terms.as_value(value).map(|value| value.iter_u64_digits().take(2).collect::<Vec<_>>());
    digits.unwrap_or_default().iter().rev().fold(0, |number, &digit| number << 64 | u128::from(digit))
}

fn shifted(value: u128, by: u128) -> u128 {
    u32::try_from(by).ok().and_then(|by| value.checked_shl(by)).unwrap_or_default()
}

/// So many ones, or as many as there are.
fn ones(width: u32) -> u128 {
    1u128.checked_shl(width).unwrap_or_default().wrapping_sub(1)
}

/// A number that looks like any other (the mixing of splitmix64, twice).
fn mixed(class: u64, kind: u64) -> u128 {
    let half = |half: u64| {
        let mut x = (class << 3 | kind << 1 | half).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(x ^ (x >> 31))
    };
    half(0) << 64 | half(1)
}
