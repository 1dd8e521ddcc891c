//! Writes a DIMACS file for any SAT solver; its models are the factors of a number:
//! `cargo run -p bivalve-bitblast --example factors 12091`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example that listens and speaks")]

use bivalve_bitblast::{BitBlaster, BlastError, CnfEncoder};
use bivalve_sat_adapter::{CnfLog, Lit};
use bivalve_terms::{Op, Pool, Sort};

/// Clauses that say `1 < x <= y` and `x * y = number`, and the literals of `x` and `y`, lowest bit first.
fn clauses(number: u64, width: u32) -> Result<(CnfLog, [Vec<Lit>; 2]), BlastError> {
    let (mut pool, mut blaster) = (Pool::new(), BitBlaster::new());
    let (mut encoder, mut clauses) = (CnfEncoder::new(), CnfLog::new());
    let factors = ["x", "y"].map(|name| pool.symbol(name, Sort::bitvec(width).expect("a legal width")));
    let words = factors.map(|factor| pool.mk_indexed(Op::ZeroExtend, &[width], &[factor]));
    let product = pool.mk(Op::BvMul, &words);
    let [one, number] = [1, number].map(|value| pool.bv_u64(value, 2 * width));
    let goals = [
        pool.mk(Op::Eq, &[product, number]),
        pool.mk(Op::BvUlt, &[one, words[0]]),
        pool.mk(Op::BvUle, &words),
    ];
    for goal in goals {
        let root = blaster.bits(&pool, goal)?[0];
        encoder.assert_root(blaster.graph(), root, &mut clauses);
    }
    let mut literals = [vec![], vec![]];
    for (factor, literals) in factors.into_iter().zip(&mut literals) {
        for edge in blaster.bits(&pool, factor)?.to_vec() {
            literals.push(encoder.literal(blaster.graph(), edge, &mut clauses));
        }
    }
    Ok((clauses, literals))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number: u32 = std::env::args().nth(1).as_deref().unwrap_or("12091").parse()?;
    let (clauses, [x, y]) = clauses(number.into(), 16)?;
    println!("c x: {x:?}\nc y: {y:?}");
    Ok(clauses.write_dimacs(&[], &mut std::io::stdout())?)
}

#[test]
fn models_are_factors() {
    use bivalve_sat_adapter::{Budget, create};
    for (number, factors) in [(91, Some([7, 13])), (97, None)] {
        let (clauses, literals) = clauses(number, 4).unwrap();
        let mut solver = create("naive").unwrap();
        clauses.clauses().for_each(|clause| solver.add_clause(clause));
        let is_sat = solver.solve(&[], &Budget::UNLIMITED).is_sat();
        let mut bit = |word: u32, lit| 2 * word + u32::from(solver.value(lit) == Some(true));
        let model = literals.map(|bits| bits.into_iter().rev().fold(0, &mut bit));
        assert_eq!(is_sat.then_some(model), factors);
    }
}
