//! What is refused, with its place.

use bivalve_formats::btor;
use bivalve_terms::Pool;

/// Two words of half of all bits and more: it panicked.
#[test]
fn words_have_a_largest_width() {
    let text = "1 var 8388609 x\n2 concat 16777216 1 1\n";
    let refusal = btor::read(&mut Pool::new(), text.as_bytes(), "f").unwrap_err().to_string();
    assert_eq!(refusal, "f:2:21: expected at most 16777216 bits of 'concat', found bitvec 8388609");
}

#[test]
fn faults_are_located() {
    let head = "1 var 4 x\n2 var 1 c\n3 array 4 2\n4 param 4 p\n5 var 2 i\n";
    for (line, expected) in [
        ("1 var 4", "f:6:1: expected a number that is not in use yet, found '1'"),
        ("06 var 4", "f:6:1: expected the number of a line, found '06'"),
        ("6 VAR 4", "f:6:3: expected an operator of BTOR, found 'VAR'"),
        ("6 sort bitvec 4", "f:6:3: expected an operator of BTOR, found 'sort'"),
        ("6 neq 1 1 1", "f:6:3: expected an operator of BTOR, found 'neq'"),
        ("6 not 3 1", "f:6:7: expected the width of the result, 4, found '3'"),
        ("6 not 4 9", "f:6:9: expected the number of a node, found '9', which is not defined"),
        ("6 eq 1 3 -3", "f:6:10: expected a bit-vector below the minus sign, found array 2 4"),
        ("6 add 4 1 2", "f:6:11: expected bitvec 4, found bitvec 1"),
        ("6 sll 4 1 2", "f:6:11: expected bitvec 4, found bitvec 1"),
        ("6 redand 1 2", "f:6:12: expected an argument of more than one bit, found '2'"),
        ("6 const 4 01", "f:6:11: expected 4 binary digits, found '01'"),
        ("6 constd 4 -1", "f:6:12: expected a decimal number of 4 bits, found '-1'"),
        ("6 consth 4 1f", "f:6:12: expected a hexadecimal number of 4 bits, found '1f'"),
        ("6 slice 2 1 4 3", "f:6:13: expected a bit from 0 to 3, found '4'"),
        ("6 slice 2 1 3 1", "f:6:9: expected the width of the result, 3, found '2'"),
        ("6 read 4 3 1", "f:6:12: expected bitvec 2, found bitvec 4"),
        ("6 write 4 3 3 5 1", "f:6:11: expected the width of the indices, 2, found '3'"),
        ("6 acond 4 2 2 1 1", "f:6:3: expected a choice of arrays, found 'acond'"),
        ("6 next 4 3 3\n7 next 4 3 3", "f:7:10: expected a variable without a next value, found '3'"),
        ("6 anext 4 2 1 1", "f:6:13: expected the number of an array, found '1'"),
        ("6 next 4 -1 1", "f:6:10: expected the number of a variable or an array, found '-1'"),
        ("6 next 4 1 2", "f:6:12: expected bitvec 4, found bitvec 1"),
        ("6 root 1 4", "f:6:8: expected the width of the result, 4, found '1'"),
        ("6 root 4 4", "f:6:1: expected a root without parameters of functions, found the parameter 'p'"),
        ("6 lambda 4 4 1 1", "f:6:14: expected the number of a parameter that is not bound yet, found '1'"),
        (
            "6 lambda 4 4 4 1\n7 lambda 4 4 4 1",
            "f:7:14: expected the number of a parameter that is not bound yet, found '4'",
        ),
        ("6 lambda 4 4 4 1\n7 apply 4 6 1 1", "f:7:1: expected 1 argument, found 2"),
        ("6 lambda 4 4 4 1\n7 apply 4 6 2", "f:7:13: expected bitvec 4, found bitvec 1"),
        (
            "6 add 4 4 4\n7 lambda 4 4 4 6\n8 eq 1 7 7",
            "f:8:8: expected an array or a bit-vector, found '7', a function that is no chain of writes",
        ),
    ] {
        let text = format!("{head}{line}\n");
        let refusal = btor::read(&mut Pool::new(), text.as_bytes(), "f");
        let shown = refusal.map_or_else(|refusal| refusal.to_string(), |_| "accepted".into());
        assert_eq!(shown, expected, "{line}");
    }
}
