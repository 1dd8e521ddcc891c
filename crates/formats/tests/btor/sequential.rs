//! Transition systems of BTOR2 printed as BTOR, compared by explicit search.

use bivalve_formats::smtlib::ParserOptions;
use bivalve_formats::{btor, btor2};
use bivalve_systems::System;
use bivalve_terms::{Assignment, BitVec, Pool, Term, Value, eval};
use std::collections::BTreeSet;

/// The values of a few bits for these symbols, which are bit-vectors.
fn assign(pool: &Pool, symbols: &[Term], mut bits: u64, assignment: &mut Assignment) {
    for &symbol in symbols {
        let width = pool.width(symbol).expect("the systems of this test have no arrays");
        assignment.set(symbol, BitVec::from_u64(bits, width));
        bits >>= width;
    }
}

fn bits(pool: &Pool, symbols: &[Term]) -> u32 {
    symbols.iter().map(|&symbol| pool.width(symbol).unwrap_or_default()).sum()
}

/// In which of the first frames each bad state can be seen.
fn seen(pool: &Pool, system: &System, frames: usize) -> Vec<Vec<usize>> {
    let states: Vec<Term> = system.states.iter().map(|state| state.term).collect();
    let inputs: Vec<Term> = system.inputs.iter().map(|input| input.term).collect();
    let free: Vec<Term> = system.states.iter().filter(|s| s.init.is_none()).map(|s| s.term).collect();
    let mut reached: BTreeSet<Vec<Value>> = BTreeSet::new();
    for choice in 0..1u64 << bits(pool, &free) {
        let mut first = Assignment::new();
        assign(pool, &free, choice, &mut first);
        for state in &system.states {
            if let Some(init) = state.init {
                let value = eval(pool, init, &first);
                first.set(state.term, value);
            }
        }
        reached.insert(states.iter().map(|&state| eval(pool, state, &first)).collect());
    }
    let mut result = vec![vec![]; system.bads.len()];
    let unbound: Vec<Term> = system.states.iter().filter(|s| s.next.is_none()).map(|s| s.term).collect();
    for frame in 0..frames {
        let mut next = BTreeSet::new();
        for values in &reached {
            for choice in 0..1u64 << bits(pool, &inputs) {
                let mut now = Assignment::new();
                states.iter().zip(values).for_each(|(&state, value)| now.set(state, value.clone()));
                assign(pool, &inputs, choice, &mut now);
                let holds = |term| eval(pool, term, &now) == Value::Bool(true);
                if !system.constraints.iter().all(|constraint| holds(constraint.term)) {
                    continue;
                }
                for (bad, frames) in system.bads.iter().zip(&mut result) {
                    if holds(bad.term) && frames.last() != Some(&frame) {
                        frames.push(frame);
                    }
                }
                for choice in 0..1u64 << bits(pool, &unbound) {
                    let mut later = Assignment::new();
                    assign(pool, &unbound, choice, &mut later);
                    let value = |state: &bivalve_systems::State| match state.next {
                        Some(value) => eval(pool, value, &now),
                        None => eval(pool, state.term, &later),
                    };
                    next.insert(system.states.iter().map(value).collect());
                }
            }
        }
        reached = next;
    }
    result
}

/// States with and without initial and next values, constraints, dead ends, several bad states.
const SYSTEMS: &[&str] = &[
    "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 one 1\n5 state 1\n6 init 1 5 3\n7 add 1 5 4\n8 next 1 5 7\n\
     9 ones 1\n10 eq 2 5 9\n11 bad 10\n12 eq 2 5 4\n13 bad 12\n",
    "1 sort bitvec 2\n2 sort bitvec 1\n3 one 1\n4 state 1\n5 init 1 4 3\n6 input 2\n7 ite 1 6 4 -4\n8 next 1 4 7\n\
     9 state 1\n10 next 1 9 4\n11 eq 2 9 4\n12 bad 11\n13 state 2\n14 init 2 13 6\n",
    "1 sort bitvec 2\n2 sort bitvec 1\n3 one 1\n4 state 1\n5 init 1 4 3\n6 input 2\n7 ite 1 6 4 -4\n8 next 1 4 7\n\
     9 state 1\n10 next 1 9 4\n11 eq 2 9 4\n12 bad 11\n13 constraint 6\n",
    "1 sort bitvec 2\n2 sort bitvec 1\n3 zero 1\n4 state 1\n5 init 1 4 3\n6 one 1\n7 add 1 4 6\n8 next 1 4 7\n\
     9 input 2\n10 ugt 2 4 6\n11 implies 2 10 9\n12 constraint 11\n13 and 2 10 -9\n14 bad 13\n15 and 2 10 9\n16 bad 15\n\
     17 constd 1 2\n18 neq 2 4 17\n19 constraint 18\n",
    "1 sort bitvec 2\n2 sort bitvec 1\n3 ones 1\n4 state 1\n5 init 1 4 3\n6 state 1\n7 init 1 6 4\n8 next 1 6 -6\n\
     9 eq 2 4 6\n10 bad 9\n11 input 2\n12 constraint 11\n",
];

#[test]
fn bad_states_are_seen_in_the_same_frames() {
    let mut compared = 0;
    for text in SYSTEMS {
        let mut pool = Pool::new();
        let Ok(system) = btor2::read(&mut pool, text.as_bytes(), "f", ParserOptions::default()) else {
            assert!(text.contains("init 2 13 6"), "only an initial value over an input is refused");
            continue;
        };
        let printed = btor::print(&pool, &system).expect("BTOR can express it");
        let again = btor::read(&mut pool, printed.as_bytes(), "g")
            .unwrap_or_else(|refusal| panic!("{printed}{}", refusal.render()));
        assert_eq!(seen(&pool, &system, 5), seen(&pool, &again, 5), "{text}\n{printed}");
        compared += 1;
    }
    assert_eq!(compared, SYSTEMS.len() - 1);
}

#[test]
fn what_btor_cannot_express_is_refused() {
    let mut pool = Pool::new();
    let text = "1 sort bitvec 1\n2 input 1\n3 justice 1 2\n";
    let system = btor2::read(&mut pool, text.as_bytes(), "f", ParserOptions::default()).expect("it is BTOR2");
    let refusal = btor::print(&pool, &system).unwrap_err();
    assert_eq!(refusal.to_string(), "BTOR cannot express justice and fairness");
}
