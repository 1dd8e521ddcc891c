//! Each operator against integer arithmetic, for all values of small widths.

use bivalve_formats::btor2;
use bivalve_formats::smtlib::ParserOptions;
use bivalve_terms::{Assignment, BitVec, Pool, eval};

/// The meaning of an operator over numbers of `w` bits, by its definition in the paper.
type Meaning = fn(u64, u64, u32) -> u64;

fn mask(w: u32) -> u64 {
    (1 << w) - 1
}

/// The number in two's complement.
fn signed(x: u64, w: u32) -> i64 {
    if x >> (w - 1) == 1 { x as i64 - (1 << w) } else { x as i64 }
}

fn fits(x: i64, w: u32) -> u64 {
    u64::from(!(-(1i64 << (w - 1))..1i64 << (w - 1)).contains(&x))
}

fn sdiv(a: u64, b: u64, w: u32) -> i64 {
    let (x, y) = (signed(a, w), signed(b, w));
    match y {
        0 if x < 0 => 1,
        0 => -1,
        y => x / y,
    }
}

fn srem(a: u64, b: u64, w: u32) -> i64 {
    let (x, y) = (signed(a, w), signed(b, w));
    if y == 0 { x } else { x % y }
}

fn smod(a: u64, b: u64, w: u32) -> i64 {
    let (x, y) = (signed(a, w), signed(b, w));
    if y == 0 { x } else { (x % y + y) % y }
}

/// Operators whose result has the width of the arguments.
const WORDS: &[(&str, Meaning)] = &[
    ("and", |a, b, _| a & b),
    ("nand", |a, b, _| !(a & b)),
    ("nor", |a, b, _| !(a | b)),
    ("or", |a, b, _| a | b),
    ("xnor", |a, b, _| !(a ^ b)),
    ("xor", |a, b, _| a ^ b),
    ("rol", |a, b, w| a << (b % u64::from(w)) | a >> (u64::from(w) - b % u64::from(w))),
    ("ror", |a, b, w| a >> (b % u64::from(w)) | a << (u64::from(w) - b % u64::from(w))),
    ("sll", |a, b, _| a << b),
    ("srl", |a, b, _| a >> b),
    ("sra", |a, b, w| (signed(a, w) >> b) as u64),
    ("add", |a, b, _| a + b),
    ("sub", |a, b, _| a.wrapping_sub(b)),
    ("mul", |a, b, _| a * b),
    ("udiv", |a, b, _| a.checked_div(b).unwrap_or(u64::MAX)),
    ("urem", |a, b, _| a.checked_rem(b).unwrap_or(a)),
    ("sdiv", |a, b, w| sdiv(a, b, w) as u64),
    ("srem", |a, b, w| srem(a, b, w) as u64),
    ("smod", |a, b, w| smod(a, b, w) as u64),
];

/// Operators whose result is a bit.
const BITS: &[(&str, Meaning)] = &[
    ("eq", |a, b, _| u64::from(a == b)),
    ("neq", |a, b, _| u64::from(a != b)),
    ("ugt", |a, b, _| u64::from(a > b)),
    ("ugte", |a, b, _| u64::from(a >= b)),
    ("ult", |a, b, _| u64::from(a < b)),
    ("ulte", |a, b, _| u64::from(a <= b)),
    ("sgt", |a, b, w| u64::from(signed(a, w) > signed(b, w))),
    ("sgte", |a, b, w| u64::from(signed(a, w) >= signed(b, w))),
    ("slt", |a, b, w| u64::from(signed(a, w) < signed(b, w))),
    ("slte", |a, b, w| u64::from(signed(a, w) <= signed(b, w))),
    ("uaddo", |a, b, w| u64::from(a + b > mask(w))),
    ("usubo", |a, b, _| u64::from(a < b)),
    ("umulo", |a, b, w| u64::from(a * b > mask(w))),
    ("saddo", |a, b, w| fits(signed(a, w) + signed(b, w), w)),
    ("ssubo", |a, b, w| fits(signed(a, w) - signed(b, w), w)),
    ("smulo", |a, b, w| fits(signed(a, w) * signed(b, w), w)),
    ("sdivo", |a, b, w| u64::from(b == mask(w) && a == 1 << (w - 1))),
];

/// Operators of one argument, with the width of the result.
const UNARY: &[(&str, Meaning, bool)] = &[
    ("not", |a, _, _| !a, false),
    ("inc", |a, _, _| a + 1, false),
    ("dec", |a, _, _| a.wrapping_sub(1), false),
    ("neg", |a, _, _| a.wrapping_neg(), false),
    ("redand", |a, _, w| u64::from(a == mask(w)), true),
    ("redor", |a, _, _| u64::from(a != 0), true),
    ("redxor", |a, _, _| u64::from(a.count_ones() % 2 == 1), true),
];

/// Reads lines whose inputs are 10, 11 and 12 and whose result is line 20, and compares all values.
fn compare(lines: &str, widths: &[u32], result: u32, what: &str, meaning: impl Fn(&[u64]) -> u64) {
    let mut text = String::new();
    for (i, width) in widths.iter().enumerate() {
        text.push_str(&format!("{} sort bitvec {width}\n", i + 1));
    }
    text.push_str(&format!("9 sort bitvec {result}\n"));
    for i in 0..widths.len() {
        text.push_str(&format!("{} input {}\n", i + 10, i + 1));
    }
    text.push_str(&format!("{lines}\n30 output 20\n"));
    let mut pool = Pool::new();
    let system = btor2::read(&mut pool, text.as_bytes(), what, ParserOptions::default())
        .unwrap_or_else(|refusal| panic!("{text}{refusal}"));
    let root = system.outputs[0].term;
    for all in 0..1u64 << widths.iter().sum::<u32>() {
        let (mut rest, mut values, mut assignment) = (all, vec![], Assignment::new());
        for (input, &width) in system.inputs.iter().zip(widths) {
            values.push(rest & mask(width));
            rest >>= width;
            assignment.set(input.term, BitVec::from_u64(values[values.len() - 1], width));
        }
        let value = eval(&pool, root, &assignment);
        let found = value.as_bool().map(u64::from).or_else(|| value.to_u64());
        assert_eq!(found, Some(meaning(&values) & mask(result)), "{what} {widths:?} {values:?}");
    }
}

#[test]
fn operators_mean_what_the_paper_says() {
    for w in 1..=4 {
        for &(name, meaning) in WORDS {
            let line = format!("20 {name} 9 10 11");
            compare(&line, &[w, w], w, name, |x| meaning(x[0], x[1], w));
        }
        for &(name, meaning) in BITS {
            let line = format!("20 {name} 9 10 11");
            compare(&line, &[w, w], 1, name, |x| meaning(x[0], x[1], w));
        }
        for &(name, meaning, is_bit) in UNARY {
            let line = format!("20 {name} 9 10");
            compare(&line, &[w], if is_bit { 1 } else { w }, name, |x| meaning(x[0], 0, w));
        }
        compare("20 ite 9 10 11 12", &[1, w, w], w, "ite", |x| x[2 - x[0] as usize]);
        for v in 1..=4 {
            compare("20 concat 9 10 11", &[w, v], w + v, "concat", |x| x[0] << v | x[1]);
            compare(&format!("20 uext 9 10 {v}"), &[w], w + v, "uext", |x| x[0]);
            compare(&format!("20 sext 9 10 {v}"), &[w], w + v, "sext", |x| signed(x[0], w) as u64);
        }
        for high in 0..w {
            for low in 0..=high {
                let line = format!("20 slice 9 10 {high} {low}");
                compare(&line, &[w], high - low + 1, "slice", |x| x[0] >> low);
            }
        }
        let lines = "13 sort array 1 2\n14 state 13\n15 write 13 14 10 11\n20 read 9 15 10";
        compare(lines, &[w, 2], 2, "write and read", |x| x[1]);
    }
    compare("20 implies 9 10 11", &[1, 1], 1, "implies", |x| u64::from(x[0] <= x[1]));
    compare("20 iff 9 10 11", &[1, 1], 1, "iff", |x| u64::from(x[0] == x[1]));
    compare("20 add 9 10 -11", &[3, 3], 3, "a negative number", |x| x[0].wrapping_add(!x[1]));
}

/// Operators at one bit over comparisons, which are Boolean terms, and over inputs, which are not.
#[test]
fn logic_is_the_same_for_comparisons_and_bits() {
    let mut rows: Vec<_> = WORDS.iter().chain(BITS).collect();
    rows.extend(&[
        ("implies", (|a, b, _| u64::from(a <= b)) as Meaning),
        ("iff", |a, b, _| u64::from(a == b)),
    ]);
    for (name, meaning) in rows {
        for (a, b) in [(15, 11), (10, 15), (15, 15), (15, 16), (-15, 10), (10, -15), (17, 15)] {
            let lines = format!("15 ult 9 10 11\n16 eq 9 10 11\n17 ite 9 10 15 16\n20 {name} 9 {a} {b}");
            compare(&lines, &[1, 1], 1, &format!("{name} {a} {b}"), |x| {
                let value = |id: i64| {
                    let (less, equal) = (u64::from(x[0] < x[1]), u64::from(x[0] == x[1]));
                    let value = match id.abs() {
                        10 | 11 => x[id.unsigned_abs() as usize - 10],
                        15 => less,
                        16 => equal,
                        _ => {
                            if x[0] == 1 {
                                less
                            } else {
                                equal
                            }
                        }
                    };
                    if id < 0 { 1 - value } else { value }
                };
                meaning(value(a), value(b), 1)
            });
        }
    }
}

#[test]
fn constants_are_read_in_every_base() {
    for (line, value) in [
        ("one 9", 1),
        ("ones 9", 63),
        ("zero 9", 0),
        ("const 9 101010", 42),
        ("constd 9 42", 42),
        ("constd 9 -1", 63),
        ("constd 9 -32", 32),
        ("consth 9 2A", 42),
        ("consth 9 02a", 42),
    ] {
        compare(&format!("20 {line}"), &[1], 6, line, |_| value);
    }
}
