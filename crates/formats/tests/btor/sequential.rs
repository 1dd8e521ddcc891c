//! Transition systems of BTOR2 printed as BTOR, compared by explicit search.

use crate::search::seen;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_formats::{btor, btor2};
use bivalve_terms::Pool;

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
