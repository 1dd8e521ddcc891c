//! Damage to a whole input: encodings, line ends, ends, depth and width, other languages.
//!
//! [`mutate`] breaks a script at a few places. What users hand to a solver by
//! mistake is broken as a whole: a file of another system, cut off by a full disk, compressed, of another
//! tool. Each row of the table is one such damage, with a name for reports; half of the damaged inputs are
//! mutated before. Everything follows from the generator of random numbers.

use crate::mutation::{joined, mutate, tokens, trees};
use fastrand::Rng;

/// A kind of damage: its name, and what it makes of a text.
type Damage = (&'static str, fn(&mut Rng, Vec<u8>) -> Vec<u8>);

const DAMAGES: &[Damage] = &[
    ("mutated", |_, text| text),
    ("truncated", |rng, text| text[..rng.usize(..=text.len())].to_vec()),
    ("line ends", line_ends),
    ("byte order marks", |rng, text| scattered(rng, text, &[b"\xef\xbb\xbf"])),
    ("zero bytes", |rng, text| scattered(rng, text, &[b"\0", b"\0\0\0\0"])),
    ("invalid UTF-8", |rng, text| {
        scattered(rng, text, &[b"\xff", b"\xc3", b"\xe2\x82", b"\x80", b"\xed\xa0\x80"])
    }),
    ("UTF-16", utf16),
    ("binary", binary),
    ("other language", other_language),
    ("long token", long_token),
    ("deep", deep),
    ("wide", wide),
];

/// A broken copy of one of the scripts, and the name of what broke it. There must be at least one script.
pub fn damaged(rng: &mut Rng, scripts: &[Vec<u8>]) -> (&'static str, Vec<u8>) {
    let (name, damage) = DAMAGES[rng.usize(..DAMAGES.len())];
    let text = if name == "mutated" || rng.bool() {
        mutate(rng, scripts)
    } else {
        scripts[rng.usize(..scripts.len())].clone()
    };
    (name, damage(rng, text))
}

/// The line ends of Windows, of old systems, or of both.
fn line_ends(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    const ENDS: &[&[u8]] = &[b"\r\n", b"\r", b"\n\r", b"\x0c", b"\r\r\n"];
    let one = rng.bool().then(|| ENDS[rng.usize(..ENDS.len())]);
    let mut ended = vec![];
    for line in text.split(|&byte| byte == b'\n') {
        ended.extend_from_slice(line);
        ended.extend_from_slice(one.unwrap_or_else(|| ENDS[rng.usize(..ENDS.len())]));
    }
    ended
}

/// Some of these pieces at the beginning, or anywhere.
fn scattered(rng: &mut Rng, mut text: Vec<u8>, pieces: &[&[u8]]) -> Vec<u8> {
    for _ in 0..rng.usize(1..=8) {
        let at = if rng.u8(..4) == 0 { 0 } else { rng.usize(..=text.len()) };
        text.splice(at..at, pieces[rng.usize(..pieces.len())].iter().copied());
    }
    text
}

fn utf16(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    let is_little = rng.bool();
    let wide = String::from_utf8_lossy(&text).encode_utf16().collect::<Vec<u16>>();
    let mark = rng.bool().then_some(0xfeff_u16);
    let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    mark.into_iter().chain(wide).flat_map(bytes).collect()
}

/// Random bytes behind the header of a compressed or compiled file, or behind a script.
fn binary(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    let header: &[u8] = match rng.u8(..6) {
        0 => b"\x1f\x8b\x08",
        1 => b"PK\x03\x04",
        2 => b"\x7fELF\x02\x01\x01",
        3 => b"\xfd7zXZ\0",
        4 => &text,
        _ => b"",
    };
    let noise = (0..rng.usize(..5_000)).map(|_| rng.u8(..)).collect::<Vec<u8>>();
    [header, &noise].concat()
}

/// Small inputs in the languages of other tools.
const OTHERS: &[&[u8]] = &[
    b"1 sort bitvec 8\n2 input 1 x\n3 one 1\n4 add 1 2 3\n5 sort bitvec 1\n6 ult 5 4 2\n7 constraint 6\n",
    b"1 sort bitvec 4\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n7 next 1 3 6\n8 ones 1\n\
      9 sort bitvec 1\n10 eq 9 3 8\n11 bad 10\n",
    b"1 var 8 x\n2 const 8 00000011\n3 mul 8 1 2\n4 ult 1 3 1\n5 root 1 4\n",
    b"(benchmark b\n :source { by hand }\n :logic QF_BV\n :extrafuns ((x BitVec[8]))\n\
      :assumption (bvult x bv3[8])\n :formula (= (bvmul x x) bv81[8])\n)\n",
    b"x, y : BITVECTOR(8);\nASSERT(BVPLUS(8, x, y) = 0hex2a);\nASSERT(BVLT(x, y));\nQUERY(x = y);\n",
    b"c a formula\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    b"aag 3 2 0 1 1\n2\n4\n6\n6 2 4\ni0 x\ni1 y\n",
    b"aig 3 2 0 1 1\n6\n\x02\x02",
    b"module m(input [7:0] x, output y); assign y = x == 3; endmodule\n",
    b"{\"solver\": \"bivalve\", \"args\": [1, 2, null]}\n",
    b"<?xml version=\"1.0\"?><smt><assert/></smt>\n",
    b"from z3 import *\nx = BitVec('x', 8)\nsolve(x * x == 81)\n",
    b"(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (P x))))\n(check-sat)\n",
];

/// Another language, mutated like a script, now and then with a script behind it.
fn other_language(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    let other = OTHERS[rng.usize(..OTHERS.len())].to_vec();
    let other = if rng.bool() { mutate(rng, &[other, text.clone()]) } else { other };
    if rng.u8(..4) == 0 { [other, text].concat() } else { other }
}

/// A token that is as long as other files are.
fn long_token(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    let length = 1 << rng.u32(8..20);
    let (open, byte, close): (&[u8], u8, &[u8]) = match rng.u8(..9) {
        0 => (b"", b'9', b""),
        1 => (b"#b", b'1', b""),
        2 => (b"#x", b'f', b""),
        3 => (b"(_ bv", b'9', b" 64)"),
        4 => (b"|", b'a', b"|"),
        5 => (b"\"", b'a', b"\""),
        6 => (b":", b'a', b""),
        7 => (b";", b'a', b"\n"),
        _ => (b"", b'a', b""),
    };
    let token = [open, &vec![byte; length], close].concat();
    let mut tokens = tokens(&text);
    let at = rng.usize(..=tokens.len());
    if at < tokens.len() && rng.bool() {
        tokens[at] = &token;
    } else {
        tokens.insert(at, &token);
    }
    joined(&tokens)
}

/// A tree deep within others, whose ends may be missing.
fn deep(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    const OPENINGS: &[&[&[u8]]] = &[
        &[b"("],
        &[b"(", b"bvnot"],
        &[b"(", b"not"],
        &[b"(", b"and", b"true"],
        &[b"(", b"bvadd", b"#x01"],
        &[b"(", b"ite", b"true", b"#x01"],
        &[b"(", b"let", b"(", b"(", b"x"],
        &[b"(", b"let", b"(", b"(", b"x", b"true", b")", b")"],
        &[b"(", b"!"],
        &[b"(", b"_"],
        &[b"(", b"as", b"const"],
        &[b"(", b"(", b"_", b"extract", b"7", b"0", b")"],
        &[b"(", b"assert"],
        &[b"(", b"Array", b"Bool"],
        &[b"(", b"forall", b"(", b"(", b"x", b"Bool", b")", b")"],
    ];
    let depth = (1 << rng.u32(6..18)).min(200_000);
    let opening = OPENINGS[rng.usize(..OPENINGS.len())];
    let closing = vec![b")".as_slice(); if rng.u8(..4) == 0 { rng.usize(..depth) } else { depth }];
    let tokens = tokens(&text);
    let trees = trees(&tokens);
    let inner = if trees.is_empty() { 0..tokens.len() } else { trees[rng.usize(..trees.len())].clone() };
    let parts: [&[&[u8]]; 5] = [
        &tokens[..inner.start],
        &opening.repeat(depth),
        &tokens[inner.clone()],
        &closing,
        &tokens[inner.end..],
    ];
    joined(&parts.concat())
}

/// A tree many times over, at most some megabytes of it.
fn wide(rng: &mut Rng, text: Vec<u8>) -> Vec<u8> {
    let tokens = tokens(&text);
    let trees = trees(&tokens);
    if trees.is_empty() {
        return text;
    }
    let repeated = trees[rng.usize(..trees.len())].clone();
    let times = (1 << rng.u32(6..18)).min(1 + 500_000 / repeated.len());
    joined(
        &[&tokens[..repeated.start], &tokens[repeated.clone()].repeat(times), &tokens[repeated.end..]]
            .concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds;
    use std::collections::BTreeSet;

    #[test]
    fn all_kinds_of_damage_are_done_and_done_again() {
        let scripts = seeds::of_own_making(5);
        let inputs = |seed| -> Vec<(&'static str, Vec<u8>)> {
            let mut rng = Rng::with_seed(seed);
            (0..200).map(|_| damaged(&mut rng, &scripts)).collect()
        };
        let some = inputs(1);
        assert_eq!(some, inputs(1));
        let kinds: BTreeSet<&str> = some.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds.len(), DAMAGES.len(), "{kinds:?}");
        let texts: BTreeSet<&Vec<u8>> = some.iter().map(|(_, text)| text).collect();
        assert!(texts.len() > 180, "{} of 200 differ", texts.len());
    }

    #[test]
    fn damage_is_done_to_nothing_too() {
        for (name, damage) in DAMAGES {
            for text in [&b""[..], b" ", b"(", b")", b"\""] {
                for seed in 0..20 {
                    let made = damage(&mut Rng::with_seed(seed), text.to_vec());
                    assert!(made.len() < 8 << 20, "{name}");
                }
            }
        }
    }
}
