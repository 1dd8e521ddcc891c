//! Witnesses as text: what is read and written, and what is refused.

use bivalve_formats::btor2::{Unknown, read, read_witnesses, write_witness};
use bivalve_systems::{Claim, KnownBits, Partial, PartialWitness, System};
use bivalve_terms::{ArrayValue, BitVec, Pool, Value};
use std::collections::BTreeMap;

/// Two scalar states, a memory of four cells of three bits, one of 2^20 cells, and two inputs.
const SYSTEM: &str = "\
1 sort bitvec 1
2 sort bitvec 2
3 sort bitvec 3
4 sort array 2 3
5 sort bitvec 20
6 sort array 5 3
7 input 3 in
8 input 1
9 state 3 count
10 state 1 flag
11 state 4 memory
12 state 6
13 redor 1 7
14 bad 13
15 justice 1 8
16 bad 8
";

fn system() -> (Pool, System) {
    let mut pool = Pool::new();
    let system = read(&mut pool, SYSTEM.as_bytes(), "system", Default::default())
        .unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    (pool, system)
}

fn witnesses(text: &str) -> Result<Vec<PartialWitness>, String> {
    let (pool, system) = system();
    read_witnesses(&pool, &system, text.as_bytes(), "w").map_err(|diagnostic| diagnostic.to_string())
}

#[test]
fn witnesses_are_written_as_they_are_read() {
    let text = "\
sat
b0 b1 j0
#0
0 101 count#0
1 x flag#0
2 [01] 1x0 memory#0
2 [11] 011 memory#0
3 [*] 101
3 [00000000000000000111] 000
@0
0 111 in@0
1 1
@1
#2
0 000 count#2
@2
.
";
    let (pool, system) = system();
    let all = witnesses(text).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(write_witness(&pool, &system, &all[0], Unknown::X), text);
    assert_eq!(all[0].claims, [Claim::Bad(0), Claim::Bad(1), Claim::Justice(0)]);
    assert_eq!(all[0].frames.len(), 3);
    let one = Value::from(BitVec::from_u64(1, 2));
    let Partial::Cells { cells, rest: None } = &all[0].frames[0].states[2].1 else { panic!("{all:?}") };
    assert_eq!(cells[&one].to_string(), "1x0");
    assert_eq!(all[0].frames[0].inputs[0], (0, Partial::Exact(BitVec::from_u64(7, 3).into())));
    // Unknown bits as zeros.
    let zeros = write_witness(&pool, &system, &all[0], Unknown::Zero);
    assert_eq!(zeros, text.replace('x', "0"));
}

#[test]
fn parts_may_be_missing_and_texts_hold_several() {
    let both = "; one\nsat\nb0\n#0\n#1\n@1\n.\n\nsat\r\nb1\r\n@0\r\n0 001\r\n@1\r\n.";
    let all = witnesses(both).unwrap();
    assert_eq!(all.iter().map(|w| w.frames.len()).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(all[1].frames[0].inputs.len(), 1);
    assert_eq!(witnesses(""), Ok(vec![]));
    // As btorsim prints cells.
    let glued = witnesses("sat\nb0\n#0\n2 [01]110 memory#0\n@0\n.\n").unwrap();
    assert_eq!(glued, witnesses("sat\nb0\n#0\n2 [01] 110\n@0\n.\n").unwrap());
}

/// Arrays that are not zero by default: cell by cell if there are few.
#[test]
fn defaults_of_arrays_are_written() {
    let (pool, system) = system();
    let sorts = pool.sorts();
    let state = |number: usize, value: u64| {
        let constant = |element| ArrayValue::constant(sorts, pool.sort(system.states[number].term), element);
        (number, Partial::Exact(constant(BitVec::from_u64(value, 3).into()).into()))
    };
    let mut witness = PartialWitness { claims: vec![Claim::Bad(0)], ..PartialWitness::default() };
    witness.frames.push(Default::default());
    witness.frames[0].states = vec![state(2, 5), state(3, 6)];
    let text = write_witness(&pool, &system, &witness, Unknown::Zero);
    let name = " memory#0\n";
    let cells: String = ["00", "01", "10", "11"].map(|at| format!("2 [{at}] 101{name}")).concat();
    assert_eq!(text, format!("sat\nb0\n#0\n{cells}3 [*] 110\n@0\n.\n"));
    witness.frames[0].states = vec![state(2, 0), state(3, 0)];
    assert_eq!(write_witness(&pool, &system, &witness, Unknown::Zero), "sat\nb0\n#0\n@0\n.\n");
    let cell = KnownBits { value: BitVec::one(3), known: BitVec::one(3) };
    let cells = BTreeMap::from([(Value::from(BitVec::ones(2)), cell)]);
    witness.frames[0].states = vec![(2, Partial::Cells { cells, rest: None })];
    assert_eq!(
        write_witness(&pool, &system, &witness, Unknown::X),
        "sat\nb0\n#0\n2 [11] xx1 memory#0\n@0\n.\n"
    );
}

#[test]
fn faults_are_refused_with_their_places() {
    let refused = |text: &str| witnesses(text).unwrap_err();
    let in_frame = |lines: &str| refused(&format!("sat\nb0\n#0\n{lines}\n@0\n.\n"));
    let cases = [
        (refused("unsat\nb0\n"), "w:1:1: expected 'sat', found 'unsat'"),
        (refused("sat\nb0 c1\n"), "w:2:4: expected a claim such as 'b0' or 'j0', found 'c1'"),
        (refused("sat\nb2\n"), "w:2:1: expected one of the 2 properties of this kind, found 'b2'"),
        (refused("sat\nb0\n@0\n"), "w:4:1: expected '.' after the last frame, found end of file"),
        (refused("sat\nb0\n.\n"), "w:3:1: expected '#0' or '@0', found '.'"),
        (refused("sat\nb0\n0 101\n.\n"), "w:3:1: expected '#0' or '@0', found '0'"),
        (refused("sat\nb0\n@0\n@2\n.\n"), "w:4:1: expected '#1' or '@1', found '@2'"),
        (refused("sat\nb0\n#0\n#2\n.\n"), "w:4:1: expected '@0', '#1' or '@1', found '#2'"),
        (refused("sat\nb0\n@0\n#0\n.\n"), "w:4:1: expected '#1' or '@1', found '#0'"),
        (in_frame("4 1"), "w:4:1: expected one of 4 states, found '4'"),
        (in_frame("00 101"), "w:4:1: expected the number of a state, a new frame or '.', found '00'"),
        (in_frame("0"), "w:4:2: expected bits, found end of line"),
        (in_frame("0 01"), "w:4:3: expected 3 bits, each '0', '1' or 'x', found '01'"),
        (in_frame("0 012"), "w:4:3: expected 3 bits, each '0', '1' or 'x', found '012'"),
        (in_frame("0 010\n0 010"), "w:5:1: expected each value once in a frame, found state 0"),
        (in_frame("0 010 a b"), "w:4:9: expected end of line, found 'b'"),
        (in_frame("2 010"), "w:4:3: expected an index in brackets, found '010'"),
        (in_frame("2 [010] 000"), "w:4:4: expected 2 bits, each '0', '1' or 'x', found '010'"),
        (in_frame("2 [x1] 000"), "w:4:4: expected an index without 'x', found 'x1'"),
        (in_frame("2 [01]"), "w:4:7: expected bits, found end of line"),
        (in_frame("2 [01] 000\n2 [01] 000"), "w:5:1: expected each value once in a frame, found state 2"),
        (in_frame("2 [*] 000\n2 [*] 000"), "w:5:1: expected each value once in a frame, found state 2"),
        (in_frame("2 [*] 0x0"), "w:4:1: expected all bits or none, found bits of which some are unknown"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}
