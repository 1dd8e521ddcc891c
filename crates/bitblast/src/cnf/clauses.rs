//! The clauses that define an output by its operands.
//!
//! Every set is complete in both directions: unit propagation computes the output from the operands, and each
//! clause is a prime implicate. For the if-then-else the four clauses of the definition miss one inference,
//! that equal branches decide the output whatever the condition; the two redundant clauses add it (Een and
//! Sorensson, *Translating pseudo-Boolean constraints into SAT*, 2006).
//!
//! ```text
//! and of n      n + 1 clauses     2n + n + 1 literals
//! xor                4                 12
//! if-then-else   4 + 2             12 + 6
//! majority           6                 18
//! ```

use bivalve_sat_adapter::Lit;

/// What defines an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Definition {
    /// Nothing: a free bit.
    Input,
    /// The conjunction of all operands.
    And,
    /// The exclusive or of two operands.
    Xor,
    /// The second operand where the first is true, else the third.
    Ite,
    /// At least two of three operands.
    Majority,
}

/// Hands the clauses of `out = definition(operands)` to `emit`, one by one.
pub(super) fn define(definition: Definition, out: Lit, operands: &[Lit], emit: &mut impl FnMut(&[Lit])) {
    match (definition, operands) {
        (Definition::Input, _) => {}
        (Definition::And, _) => {
            let mut long: Vec<Lit> = Vec::with_capacity(operands.len() + 1);
            long.push(out);
            for &lit in operands {
                emit(&[!out, lit]);
                long.push(!lit);
            }
            emit(&long);
        }
        (Definition::Xor, &[a, b]) => {
            emit(&[!out, a, b]);
            emit(&[!out, !a, !b]);
            emit(&[out, !a, b]);
            emit(&[out, a, !b]);
        }
        (Definition::Ite, &[c, t, e]) => {
            emit(&[!c, !t, out]);
            emit(&[!c, t, !out]);
            emit(&[c, !e, out]);
            emit(&[c, e, !out]);
            emit(&[!t, !e, out]);
            emit(&[t, e, !out]);
        }
        (Definition::Majority, &[a, b, c]) => {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                emit(&[!x, !y, out]);
                emit(&[x, y, !out]);
            }
        }
        (Definition::Xor | Definition::Ite | Definition::Majority, _) => {
            unreachable!("a definition has its number of operands")
        }
    }
}
