//! Systems as they are read.

use bivalve_formats::btor;
use bivalve_systems::System;
use bivalve_terms::{Assignment, BitVec, Pool, eval};

fn read(text: &str) -> (Pool, System) {
    let mut pool = Pool::new();
    let system = btor::read(&mut pool, text.as_bytes(), "text")
        .unwrap_or_else(|refusal| panic!("{}", refusal.render()));
    assert_eq!(system.check(&pool), Ok(()));
    (pool, system)
}

fn roots(text: &str) -> Vec<String> {
    let (pool, system) = read(text);
    assert!(system.is_combinational());
    system.constraints.iter().map(|root| pool.display(root.term).to_string()).collect()
}

#[test]
fn roots_of_a_formula_hold_together() {
    let text =
        "5 var 4 x ; numbers in any order\n\t2 constd 4 3;glued\n3 ugt 1 5 2\n7 root 1 3\r\n9 root 4 -5\n";
    assert_eq!(roots(text), ["(bvugt x #b0011)", "(= (bvredor (bvnot x)) #b1)"]);
    // A root is a node, too, and a symbol takes the semicolon in.
    assert_eq!(roots("1 var 1 a;b\n2 root 1 1\n3 root 1 -2"), ["(= |a;b| #b1)", "(= (bvnot |a;b|) #b1)"]);
}

/// Shifts and rotations with amounts of both widths, for all values.
#[test]
fn amounts_have_log2_or_all_bits() {
    type Meaning = fn(u64, u64, u64) -> u64;
    let rows: [(&str, Meaning); 5] = [
        ("sll", |x, n, _| if n > 7 { 0 } else { x << n }),
        ("srl", |x, n, _| if n > 7 { 0 } else { x >> n }),
        ("sra", |x, n, w| {
            let sign = if x >> (w - 1) == 1 { u64::MAX << w } else { 0 };
            (((x | sign) as i64) >> n.min(60)) as u64
        }),
        ("rol", |x, n, w| x << (n % w) | x >> (w - n % w)),
        ("ror", |x, n, w| x >> (n % w) | x << (w - n % w)),
    ];
    for (w, v) in [(2, 1), (4, 2), (4, 4), (3, 3), (8, 3), (1, 1)] {
        for (name, meaning) in rows {
            let text = format!(
                "1 var {w} x\n2 var {v} n\n3 {name} {w} 1 2\n4 proxy {w} 3\n5 var {w} y\n6 eq 1 4 5\n7 root 1 6\n"
            );
            let (pool, system) = read(&text);
            for x in 0..1u64 << w {
                for n in 0..1u64 << v {
                    let expected = meaning(x, n, w) & ((1 << w) - 1);
                    let mut assignment = Assignment::new();
                    for (input, (value, width)) in system.inputs.iter().zip([(x, w), (n, v), (expected, w)]) {
                        assignment.set(input.term, BitVec::from_u64(value, width as u32));
                    }
                    let holds = eval(&pool, system.constraints[0].term, &assignment);
                    assert_eq!(holds.as_bool(), Some(true), "{name} {w} {v}: {x} by {n}");
                }
            }
        }
    }
}

#[test]
fn arrays_are_written_chosen_and_compared() {
    let text = "1 array 8 2 a\n2 array 8 2 b\n3 var 2 i\n4 var 8 v\n5 write 8 2 1 3 4\n6 var 1 c\n7 acond 8 2 6 5 2\n\
                8 eq 1 7 1\n9 ne 1 5 2\n10 and 1 8 9\n11 root 1 10\n12 read 8 7 3\n13 root 8 12\n14 write 8 2 3 3 4\n";
    // The dialect before Boolector 1 has no width of indices.
    let old = "1 array 8 2 a\n3 var 2 i\n4 var 8 v\n5 write 8 1 3 4\n6 var 1 c\n7 cond 8 6 5 1\n8 eq 1 7 1\n9 root 1 8\n";
    let refused = btor::read(&mut Pool::new(), text.as_bytes(), "f").unwrap_err();
    assert_eq!(refused.to_string(), "f:14:14: expected an array, found bitvec 2");
    let text = text.rsplit_once("14 ").map_or(text, |(head, _)| head);
    assert_eq!(
        roots(text),
        [
            "(let ((_t0 (store a i v))) (and (= (ite (= c #b1) _t0 b) a) (distinct _t0 b)))",
            "(= (bvredor (select (ite (= c #b1) (store a i v) b) i)) #b1)"
        ]
    );
    assert_eq!(roots(old), ["(= (ite (= c #b1) (store a i v) a) a)"]);
}

#[test]
fn functions_are_expanded() {
    // f(x, y) = x + y, as nested functions; g(p) = p = i ? v : a[p], as an array; h(p) = 0.
    let text = "1 param 4 x\n2 param 4 y\n3 add 4 1 2\n4 lambda 4 4 2 3\n5 lambda 4 4 1 4\n6 var 4 u\n7 var 4 v\n\
                8 apply 4 5 6 7\n9 args 8 7 6\n10 apply 4 5 9\n11 eq 1 8 10\n12 root 1 11\n\
                20 param 4 p\n21 array 4 4 a\n22 read 4 21 20\n23 eq 1 20 6\n24 cond 4 23 7 22\n25 lambda 4 4 20 24\n\
                26 write 4 4 25 7 6\n27 eq 1 25 26\n28 root 1 27\n29 apply 4 25 7\n30 root 4 29\n\
                31 param 4\n32 zero 4\n33 lambda 4 4 31 32\n34 read 4 33 6\n35 root 4 34\n36 apply 4 21 7\n37 root 4 36\n";
    let array = "((as const (Array (_ BitVec 4) (_ BitVec 4))) #b0000)";
    assert_eq!(
        roots(text),
        [
            "(= (bvadd u v) (bvadd v u))".to_owned(),
            "(let ((_t0 (store a u v))) (= _t0 (store _t0 v u)))".to_owned(),
            "(= (bvredor (ite (= v u) v (select a v))) #b1)".to_owned(),
            format!("(= (bvredor (select {array} u)) #b1)"),
            "(= (bvredor (select a v)) #b1)".to_owned(),
        ]
    );
}

#[test]
fn registers_begin_with_zero_and_roots_are_bad_states() {
    let text = "1 var 4 count\n2 one 4\n3 add 4 1 2\n4 next 4 1 3\n5 array 4 4 mem\n6 var 4 in\n7 write 4 4 5 1 6\n\
                8 anext 4 4 5 7\n9 ones 4\n10 eq 1 1 9\n11 root 1 10\n12 read 4 5 6\n13 root 4 12\n";
    let (pool, system) = read(text);
    let show = |term| pool.display(term).to_string();
    let states: Vec<_> =
        system.states.iter().map(|s| (show(s.term), s.init.map(show), s.next.map(show))).collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        states,
        [
            ("count".to_owned(), some("#b0000"), some("(bvadd count #b0001)")),
            ("mem".to_owned(), None, some("(store mem count in)"))
        ]
    );
    assert_eq!((system.inputs.len(), system.bads.len(), system.constraints.len()), (1, 2, 0));
    assert_eq!(show(system.bads[0].term), "(= count #b1111)");
}
