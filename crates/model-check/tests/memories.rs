//! Memories that are too large to become registers: proofs by IC3 over an abstraction of them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::Stop;
use bivalve::terms::Pool;
use bivalve_formats::btor2;
use bivalve_model_check::{Engine, Options, Proof, Verdict, check};

/// Addresses of 32 bits. A shadow register follows the writes to an address that never changes, and a read of
/// that address gives what is in it.
const SYMBOLIC: &str = "\
    1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n\
    6 state 2 addr\n7 next 2 6 6\n8 state 3 shadow\n9 state 1 written\n10 zero 1\n11 init 1 9 10\n\
    12 input 1 we\n13 input 2 wa\n14 input 3 wd\n15 input 2 ra\n16 write 4 5 13 14\n17 ite 4 12 16 5\n\
    18 next 4 5 17\n19 eq 1 13 6\n20 and 1 12 19\n21 ite 3 20 14 8\n22 next 3 8 21\n23 or 1 9 20\n\
    24 next 1 9 23\n25 read 3 5 15\n26 neq 1 25 8\n27 eq 1 15 6\n28 and 1 26 27\n29 and 1 28 9\n\
    30 bad 29\n";

/// The same with an address that is taken over from a write, at any time.
const CAPTURED: &str = "\
    1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n\
    6 state 2 addr\n7 state 3 shadow\n8 state 1 written\n9 zero 1\n10 init 1 8 9\n11 input 1 we\n\
    12 input 2 wa\n13 input 3 wd\n14 input 2 ra\n15 write 4 5 12 13\n16 ite 4 11 15 5\n17 next 4 5 16\n\
    18 eq 1 12 6\n19 and 1 11 18\n20 input 1 start\n21 and 1 20 11\n22 ite 2 21 12 6\n23 next 2 6 22\n\
    24 or 1 19 21\n25 ite 3 24 13 7\n26 next 3 7 25\n27 or 1 8 21\n28 next 1 8 27\n29 read 3 5 14\n\
    30 neq 1 29 7\n31 eq 1 14 6\n32 and 1 30 31\n33 and 1 32 8\n34 bad 33\n";

/// The same, but the shadow register follows the writes to the address that is read.
const CONFUSED: &str = "\
    1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n\
    6 state 2 addr\n7 state 3 shadow\n8 state 1 written\n9 zero 1\n10 init 1 8 9\n11 input 1 we\n\
    12 input 2 wa\n13 input 3 wd\n14 input 2 ra\n15 write 4 5 12 13\n16 ite 4 11 15 5\n17 next 4 5 16\n\
    18 eq 1 12 14\n19 and 1 11 18\n20 input 1 start\n21 and 1 20 11\n22 ite 2 21 12 6\n23 next 2 6 22\n\
    24 or 1 19 21\n25 ite 3 24 13 7\n26 next 3 7 25\n27 or 1 8 21\n28 next 1 8 27\n29 read 3 5 14\n\
    30 neq 1 29 7\n31 eq 1 14 6\n32 and 1 30 31\n33 and 1 32 8\n34 bad 33\n";

/// What is read comes out of a register one frame later, and is compared with the shadow register there.
const PIPELINED: &str = "\
    1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n\
    6 state 2 addr\n7 state 3 shadow\n8 state 1 written\n9 zero 1\n10 init 1 8 9\n11 input 1 we\n\
    12 input 2 wa\n13 input 3 wd\n14 input 2 ra\n15 write 4 5 12 13\n16 ite 4 11 15 5\n17 next 4 5 16\n\
    18 eq 1 12 6\n19 and 1 11 18\n20 input 1 start\n21 and 1 20 11\n22 ite 2 21 12 6\n23 next 2 6 22\n\
    24 or 1 19 21\n25 ite 3 24 13 7\n26 next 3 7 25\n27 or 1 8 21\n28 next 1 8 27\n29 read 3 5 14\n\
    30 state 3 q\n31 next 3 30 29\n32 state 3 old\n33 next 3 32 7\n34 state 1 hit\n35 init 1 34 9\n\
    36 eq 1 14 6\n37 and 1 36 8\n38 next 1 34 37\n39 neq 1 30 32\n40 and 1 39 34\n41 bad 40\n";

/// A memory of ones that is written with odd values gives odd values.
const ODD: &str = "\
    1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n6 one 3\n\
    7 init 4 5 6\n8 input 1 we\n9 input 2 wa\n10 input 3 wd\n11 input 2 ra\n12 or 3 10 6\n\
    13 write 4 5 9 12\n14 ite 4 8 13 5\n15 next 4 5 14\n16 read 3 5 11\n17 slice 1 16 0 0\n18 bad -17\n";

/// A queue in 2^20 words, which is filled once: a value that is chosen when it is put in comes out.
const FILLED_ONCE: &str = "\
    1 sort bitvec 1\n2 sort bitvec 20\n3 sort bitvec 8\n4 sort array 2 3\n5 state 4 mem\n6 zero 2\n\
    7 state 2 wr\n8 init 2 7 6\n9 state 2 rd\n10 init 2 9 6\n11 one 2\n12 input 1 push\n13 input 1 pop\n\
    14 input 3 data\n15 add 2 7 11\n16 add 2 9 11\n17 ones 2\n18 eq 1 7 17 full\n19 ugte 1 9 7 empty\n\
    20 and 1 12 -18\n21 and 1 13 -19\n22 ite 2 20 15 7\n23 next 2 7 22\n24 ite 2 21 16 9\n\
    25 next 2 9 24\n26 write 4 5 7 14\n27 ite 4 20 26 5\n28 next 4 5 27\n29 zero 1\n\
    30 state 1 tracking\n31 init 1 30 29\n32 state 2 at\n33 state 3 value\n34 input 1 choose\n\
    35 and 1 34 20\n36 and 1 35 -30\n37 eq 1 9 32\n38 and 1 21 37\n39 and 1 38 30\n40 or 1 30 36\n\
    41 and 1 40 -39\n42 next 1 30 41\n43 ite 2 36 7 32\n44 next 2 32 43\n45 ite 3 36 14 33\n\
    46 next 3 33 45\n47 read 3 5 9\n48 neq 1 47 33\n49 and 1 39 48\n50 bad 49\n";

/// The same for a ring of four words, somewhere among 2^20.
const RING: &str = "\
    1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 20\n4 sort bitvec 8\n5 sort array 3 4\n\
    6 state 5 mem\n7 state 3 base\n8 next 3 7 7\n9 zero 2\n10 state 2 wr\n11 init 2 10 9\n\
    12 state 2 rd\n13 init 2 12 9\n14 one 2\n15 input 1 push\n16 input 1 pop\n17 input 4 data\n\
    18 add 2 10 14\n19 add 2 12 14\n20 eq 1 18 12\n21 eq 1 10 12\n22 and 1 15 -20\n23 and 1 16 -21\n\
    24 ite 2 22 18 10\n25 next 2 10 24\n26 ite 2 23 19 12\n27 next 2 12 26\n28 sort bitvec 18\n\
    29 slice 28 7 19 2\n30 concat 3 29 10\n31 concat 3 29 12\n32 write 5 6 30 17\n33 ite 5 22 32 6\n\
    34 next 5 6 33\n35 zero 1\n36 state 1 tracking\n37 init 1 36 35\n38 state 2 at\n39 state 4 value\n\
    40 input 1 choose\n41 and 1 40 22\n42 and 1 41 -36\n43 eq 1 12 38\n44 and 1 23 43\n45 and 1 44 36\n\
    46 or 1 36 42\n47 and 1 46 -45\n48 next 1 36 47\n49 ite 2 42 10 38\n50 next 2 38 49\n\
    51 ite 4 42 17 39\n52 next 4 39 51\n53 read 4 6 31\n54 neq 1 53 39\n55 and 1 45 54\n56 bad 55\n";

fn verdict(text: &str, engine: Engine) -> Verdict {
    let mut pool = Pool::new();
    let system = btor2::read(&mut pool, text.as_bytes(), "text", Default::default()).unwrap();
    let options = Options { engine, ..Options::default() };
    check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap().bads.remove(0)
}

/// The number of cells by which it is proved that the bad state is not reached.
fn cells(text: &str) -> usize {
    match verdict(text, Engine::Ic3) {
        Verdict::Holds(Proof::Abstracted { cells, proof }) => {
            assert!(matches!(*proof, Proof::Invariant(_)), "{proof:?}");
            cells
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_cell_decides_what_a_read_gives() {
    for text in [SYMBOLIC, CAPTURED, ODD, FILLED_ONCE, RING] {
        assert_eq!(cells(text), 1, "{text}");
    }
}

/// The cell is that of the index one frame before.
#[test]
fn an_index_may_be_that_of_a_frame_before() {
    assert_eq!(cells(PIPELINED), 1);
}

/// The violation is found on the abstraction; it replays on the system with memories.
#[test]
fn violations_are_runs_of_memories() {
    for engine in [Engine::Ic3, Engine::Auto] {
        let verdict = verdict(CONFUSED, engine);
        assert!(matches!(&verdict, Verdict::Violated(witness) if witness.frames.len() == 3), "{verdict:?}");
    }
}
