//! What is kept of a witness: on terms of all operators, and exactly on some.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_systems::{Claim, Frame, Input, Partial, PartialWitness, Property, State, System, Witness};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{ArrayValue, BitVec, Op, Pool, Sort, Value, cone, eval};

/// Random terms over bit-vectors and arrays have some of their bits whatever the dropped part of the
/// symbols is.
#[test]
fn dropped_parts_do_not_matter_to_any_operator() {
    let mut dropped = 0;
    for seed in 0..4000 {
        let mut random = TermGen::new(seed);
        (random.arrays, random.max_width) = (true, 9);
        let mut pool = Pool::new();
        let sort = Sort::bitvec(random.rng().u32(1..=9)).unwrap();
        let size = random.rng().usize(1..12);
        let term = random.term(&mut pool, sort, size);
        let symbols: Vec<_> =
            cone(&pool, &[term]).into_iter().filter(|&t| pool.op(t) == Op::Symbol).collect();
        let assignment = random.assignment(&pool, &[term]);
        // Some bits of the term are what they are.
        let mask = random.bitvec(sort.width().unwrap());
        let value = eval(&pool, term, &assignment).expect_bitvec().and(&mask);
        let [mask, value] = [mask, value].map(|bits| pool.bitvec(&bits));
        let masked = pool.bvand(term, mask).unwrap();
        let bad = pool.eq(masked, value).unwrap();
        let system = System {
            inputs: symbols.iter().map(|&term| Input { term, name: None }).collect(),
            bads: vec![Property { term: bad, name: None }],
            ..System::default()
        };
        let inputs = symbols.iter().enumerate().map(|(i, &s)| (i, assignment.get(s).unwrap().clone()));
        let frames = vec![Frame { states: vec![], inputs: inputs.collect() }];
        let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
        let minimal = system.minimize(&pool, &PartialWitness::from(&witness)).unwrap();
        dropped += symbols.len() - minimal.frames[0].inputs.len();
        for _ in 0..10 {
            let filled = minimal.filled_by(&pool, &system, &mut |sort| random.value(&pool, sort));
            let replayed = system.replay(&pool, &filled);
            assert!(replayed.is_ok(), "seed {seed}: {}\n{minimal:?}\n{replayed:?}", pool.display(bad));
        }
    }
    assert!(dropped > 500, "{dropped}");
}

/// A cell that is read after a write elsewhere: the cell before the write, and a bit of the address that is
/// another one.
#[test]
fn a_write_elsewhere_keeps_one_bit_of_its_address() {
    let mut pool = Pool::new();
    let [address, element] = [3, 8].map(|width| Sort::bitvec(width).unwrap());
    let sort = pool.sorts_mut().array(address, element).unwrap();
    let (memory, at, datum) =
        (pool.symbol("memory", sort), pool.symbol("at", address), pool.symbol("datum", element));
    let write = pool.store(memory, at, datum).unwrap();
    let [two, seven] = [pool.bv_u64(2, 3), pool.bv_u64(7, 8)];
    let cell = pool.select(write, two).unwrap();
    let bad = pool.eq(cell, seven).unwrap();
    let system = System {
        states: vec![State { term: memory, init: None, next: Some(write), name: None }],
        inputs: [at, datum].map(|term| Input { term, name: None }).to_vec(),
        bads: vec![Property { term: bad, name: None }],
        ..System::default()
    };
    let minimal = |at: u64, datum: u64| {
        let bits = |value: u64, width| Value::from(BitVec::from_u64(value, width));
        let sevens = ArrayValue::constant(pool.sorts(), sort, bits(7, 8));
        let frame =
            Frame { states: vec![(0, sevens.into())], inputs: vec![(0, bits(at, 3)), (1, bits(datum, 8))] };
        let witness = Witness { claims: vec![Claim::Bad(0)], frames: vec![frame], loop_start: None };
        let minimal = system.minimize(&pool, &PartialWitness::from(&witness)).unwrap();
        let show = |list: &[(usize, Partial)]| -> Vec<String> {
            list.iter().map(|(number, part)| format!("{number} {part}")).collect()
        };
        (show(&minimal.frames[0].states), show(&minimal.frames[0].inputs))
    };
    assert_eq!(minimal(6, 9), (vec!["0 [#b010 -> 00000111, else -> x]".into()], vec!["0 1xx".into()]));
    assert_eq!(minimal(2, 7), (vec![], vec!["0 #b010".into(), "1 #b00000111".into()]));
}
