//! Demanded bits: a range of bits means what the reference semantics says, whatever else was asked for and in
//! whatever order; bits that were handed out stay; and what is not needed has no gates.

use crate::support::{Simulation, all_assignments, bits_of, constant, operators, show, sort, uses};
use bivalve_bitblast::{BitBlaster, Edge, Gate, Limits};
use bivalve_sat_adapter::Stop;
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, BitVec, Evaluator, Op, Pool, Term, cone};
use std::ops::Range;

/// Asks for ranges one after the other, and checks each of them under all assignments.
fn check(pool: &Pool, term: Term, ranges: &[Range<u32>], assignments: &[Assignment]) {
    let stop = Stop::new();
    let limits = Limits { gates: 1 << 20, stop: &stop };
    let mut blaster = BitBlaster::new();
    let mut given: Vec<(u32, Edge)> = vec![];
    for range in ranges {
        let edges = blaster.range_within(pool, term, range.clone(), &limits).expect("there is room").to_vec();
        assert_eq!(edges.len(), range.len());
        for (bit, edge) in range.clone().zip(edges) {
            assert!(given.iter().all(|&(b, e)| b != bit || e == edge), "bit {bit} has changed");
            given.push((bit, edge));
        }
    }
    for chunk in assignments.chunks(64) {
        let mut evaluators: Vec<Evaluator> = chunk.iter().map(|a| Evaluator::new(pool, a)).collect();
        let mut words = vec![0u64; blaster.graph().counts().inputs as usize];
        for (leaf, bit, edge) in blaster.inputs() {
            let Gate::Input(number) = blaster.graph().gate_of(edge) else { panic!("an input is an input") };
            for (k, evaluator) in evaluators.iter_mut().enumerate() {
                words[number as usize] |= u64::from(bits_of(evaluator.eval(leaf))[bit as usize]) << k;
            }
        }
        let simulation = Simulation::new(blaster.graph(), |number| words[number as usize]);
        for (k, evaluator) in evaluators.iter_mut().enumerate() {
            let meant = bits_of(evaluator.eval(term));
            for &(bit, edge) in &given {
                let found = simulation.word(edge) >> k & 1 == 1;
                let what = show(pool, term);
                assert_eq!(found, meant[bit as usize], "bit {bit} of {what} after {ranges:?}");
            }
        }
    }
}

/// All ranges of so many bits.
fn ranges(width: u32) -> impl Iterator<Item = Range<u32>> {
    (0..width).flat_map(move |start| (start + 1..=width).map(move |end| start..end))
}

/// Arguments that are no leaves, so that they can be built in parts.
fn arguments(pool: &mut Pool, widths: &[u32]) -> Vec<Term> {
    let symbols = widths.iter().zip(["a", "b", "c"]).map(|(&w, name)| (w, pool.symbol(name, sort(w))));
    let symbols: Vec<(u32, Term)> = symbols.collect();
    let not = |(w, symbol): (u32, Term)| pool.mk(if w == 0 { Op::Not } else { Op::BvNot }, &[symbol]);
    symbols.into_iter().map(not).collect()
}

/// Every operator, every range at small widths, then another one, then all bits.
#[test]
fn any_range_in_any_order_means_the_same() {
    let mut random = TermGen::new(1);
    for (op, width) in operators().flat_map(|op| (1..=4).map(move |w| (op, w))) {
        for (indices, widths) in uses(op, width).into_iter().filter(|(_, widths)| widths.len() <= 3) {
            let mut pool = Pool::new();
            let args = arguments(&mut pool, &widths);
            let term = pool.mk_indexed(op, &indices, &args);
            let out = pool.width(term).unwrap_or(1);
            let assignments = all_assignments(&pool, term);
            let all: Vec<Range<u32>> = ranges(out).collect();
            for range in &all {
                let other = &all[random.rng().usize(..all.len())];
                check(&pool, term, &[range.clone(), other.clone(), 0..out], &assignments);
            }
        }
    }
}

/// Shifts by every constant, and operators with one constant argument.
#[test]
fn constant_arguments_change_nothing() {
    for op in [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvMul, Op::BvUdiv, Op::BvAdd, Op::BvAnd] {
        for (width, amount) in (1..=5).flat_map(|w| (0..1u64 << w).map(move |amount| (w, amount))) {
            let mut pool = Pool::new();
            let a = arguments(&mut pool, &[width])[0];
            let amount = constant(&mut pool, &BitVec::from_u64(amount, width).into());
            let term = pool.mk(op, &[a, amount]);
            let assignments = all_assignments(&pool, term);
            for range in ranges(width) {
                check(&pool, term, &[range, 0..width], &assignments);
            }
        }
    }
}

/// Random terms over all operators; ranges of any sub-term in any order, many at once.
#[test]
fn random_terms_in_random_parts() {
    for seed in 0..300 {
        let mut random = TermGen::new(seed);
        random.max_width = if seed % 3 == 0 { 40 } else { 9 };
        let mut pool = Pool::new();
        let wanted = random.sort(&mut pool);
        let term = random.term(&mut pool, wanted, 40);
        let assignments: Vec<Assignment> = (0..64).map(|_| random.assignment(&pool, &[term])).collect();
        let below = cone(&pool, &[term]);
        let asked = below[random.rng().usize(..below.len())];
        for term in [asked, term] {
            let width = pool.width(term).unwrap_or(1);
            let rng = random.rng();
            let parts: Vec<Range<u32>> = (0..rng.usize(1..7))
                .map(|_| {
                    let start = rng.u32(..width);
                    start..rng.u32(start..width) + 1
                })
                .collect();
            check(&pool, term, &parts, &assignments);
        }
    }
}

fn gates_of(pool: &Pool, terms: &[Term]) -> u32 {
    let mut blaster = BitBlaster::new();
    for &term in terms {
        blaster.bits(pool, term).expect("bits");
    }
    blaster.graph().counts().gates()
}

/// Slices through everything that slices go through, and how much they may cost.
#[test]
fn slices_build_what_they_need() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(64)));
    let condition = pool.symbol("c", sort(0));
    let narrow = [a, b].map(|term| pool.mk_indexed(Op::Extract, &[7, 0], &[term]));
    let product = pool.mk(Op::BvMul, &[a, b]);
    let low = pool.mk_indexed(Op::Extract, &[7, 0], &[product]);
    let byte = pool.mk(Op::BvMul, &narrow);
    assert_eq!(gates_of(&pool, &[low]), gates_of(&pool, &[byte]), "the low bits of a product");

    // Through connectives, choices, sums, extensions, and moves.
    let sum = pool.mk(Op::BvAdd, &[product, a]);
    let negated = pool.mk(Op::BvNeg, &[sum]);
    let chosen = pool.mk(Op::Ite, &[condition, negated, product]);
    let mixed = pool.mk(Op::BvXor, &[chosen, b]);
    let wide = pool.mk_indexed(Op::SignExtend, &[64], &[mixed]);
    let turned = pool.mk_indexed(Op::RotateLeft, &[64], &[wide]);
    let back = pool.mk_indexed(Op::Extract, &[71, 64], &[turned]);
    assert!(gates_of(&pool, &[back]) < gates_of(&pool, &[byte]) + 60, "{}", gates_of(&pool, &[back]));
    let seven = pool.bv_u64(56, 64);
    let shifted = pool.mk(Op::BvShl, &[product, seven]);
    let top = pool.mk_indexed(Op::Extract, &[63, 56], &[shifted]);
    assert_eq!(gates_of(&pool, &[top]), gates_of(&pool, &[byte]), "moved by a constant");

    // Low bits of a sum, high bits of a quotient.
    let sum = pool.mk(Op::BvAdd, &[a, b]);
    let low = pool.mk_indexed(Op::Extract, &[3, 0], &[sum]);
    assert!(gates_of(&pool, &[low]) <= 3 * 4);
    let quotient = pool.mk(Op::BvUdiv, &[a, b]);
    let high = pool.mk_indexed(Op::Extract, &[63, 60], &[quotient]);
    assert!(gates_of(&pool, &[high]) < 200, "{}", gates_of(&pool, &[high]));
    let shifted = pool.mk(Op::BvLshr, &[a, b]);
    let low = pool.mk_indexed(Op::Extract, &[0, 0], &[shifted]);
    assert!(gates_of(&pool, &[low]) < gates_of(&pool, &[shifted]) / 3);
}

/// More bits of the same term share what there is; bit by bit costs little more than all at once.
#[test]
fn parts_share_their_gates() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(64)));
    for op in [Op::BvMul, Op::BvAdd, Op::BvSub, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUdiv, Op::BvXor] {
        let term = pool.mk(op, &[a, b]);
        let whole = gates_of(&pool, &[term]);
        for order in [false, true] {
            let mut bits: Vec<Term> =
                (0..64).map(|bit| pool.mk_indexed(Op::Extract, &[bit, bit], &[term])).collect();
            if order {
                bits.reverse();
            }
            let parts = gates_of(&pool, &bits);
            assert!(parts <= whole + whole / 20, "{op:?}: {parts} gates in parts, {whole} at once");
        }
    }
}

/// A product that is too large as a whole has low bits nevertheless.
#[test]
fn a_slice_of_what_is_too_large_is_built() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, sort(1 << 16)));
    let product = pool.mk(Op::BvMul, &[a, b]);
    let low = pool.mk_indexed(Op::Extract, &[7, 0], &[product]);
    let mut blaster = BitBlaster::new();
    assert!(blaster.bits(&pool, product).is_err());
    assert_eq!(blaster.bits(&pool, low).map(<[Edge]>::len), Ok(8));
    assert_eq!(blaster.known_bits(product), None);
    assert_eq!(blaster.known_bits(low).map(<[Edge]>::len), Some(8));
}
