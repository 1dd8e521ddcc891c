//! Tries identities of a compiler on all bytes, with the executable meaning of the operators:
//! `cargo run -p bivalve-terms --example identities`.

#![allow(clippy::print_stdout, reason = "an example that speaks")]

use bivalve_terms::{Assignment, BitVec, Context, Expr, ExprError, Term, eval};

/// Bytes for which the identity fails.
fn failure(identity: &Expr, symbols: [Term; 2]) -> Result<Option<[u64; 2]>, ExprError> {
    let (ctx, goal) = (identity.context(), identity.term()?);
    let fails = |values: &[u64; 2]| {
        let mut assignment = Assignment::new();
        for (symbol, value) in symbols.into_iter().zip(values) {
            assignment.set(symbol, BitVec::from_u64(*value, 8));
        }
        ctx.with_pool(|pool| eval(pool, goal, &assignment)).as_bool() == Some(false)
    };
    Ok((0..256).flat_map(|x| (0..256).map(move |y| [x, y])).find(fails))
}

fn report() -> Result<String, ExprError> {
    let ctx = Context::new();
    let (x, y) = (ctx.bv_symbol("x", 8), ctx.bv_symbol("y", 8));
    let identities = [
        (&x & (&x - 1)).equals(&x - (&x & -&x)),
        ((&x & &y) + (&x ^ &y).lshr(1)).equals((&x + &y).lshr(1)),
        ((&x + &y) * (&x - &y)).equals(&x * &x - &y * &y),
    ];
    let mut report = String::new();
    for identity in identities {
        report += &match failure(&identity, [x.term()?, y.term()?])? {
            None => format!("{identity} holds\n"),
            Some([a, b]) => format!("{identity} fails for x = {a}, y = {b}\n"),
        };
    }
    Ok(report)
}

fn main() -> Result<(), ExprError> {
    print!("{}", report()?);
    Ok(())
}

#[test]
fn it_prints_what_the_page_shows() {
    assert!(include_str!("../README.md").contains(&report().unwrap()), "{}", report().unwrap());
}
