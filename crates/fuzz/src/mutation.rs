//! Breaking scripts: by bytes, by tokens, by trees.
//!
//! Each level finds other faults. Mutations of bytes test the lexer (encodings, ends, quotes); those of
//! tokens test the parser, and put numbers at unusual places; those of trees keep the parentheses balanced
//! and test the checks of sorts and arities. Some mutants are well-sorted, and are new formulas.
//!
//! Token and tree mutations work on a list of tokens; a tree is the range from a parenthesis to its partner.
//! Text in between is lost and replaced by blanks, which is why the levels are drawn for each step anew and
//! bytes often come alone.
//!
//! Now and then something is made enormous: a numeral of a million digits, a term nested thousands deep.

use bivalve_formats::sexpr;
use fastrand::Rng;
use std::ops::Range;

/// Tokens that mean trouble, and some that mean something.
const TROUBLE: &[&str] = &[
    "0",
    "1",
    "-1",
    "00",
    "63",
    "64",
    "65",
    "16777216",
    "16777217",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "99999999999",
    "18446744073709551616",
    "(_ bv1 99999999999)",
    "(_ bv99999999999999999999 8)",
    "(_ BitVec 0)",
    "(_ BitVec 1)",
    "(_ BitVec 2147483648)",
    "(_ BitVec 16777216)",
    "((_ extract 0 7)",
    "((_ repeat 16777216)",
    "((_ zero_extend 4294967295)",
    "((_ rotate_left 4294967295)",
    "#b",
    "#x",
    "#b2",
    "#xfffffffffffffffff",
    "true",
    "Bool",
    "(",
    ")",
    "|",
    "\"",
    ";",
    ":named",
    "!",
    "let",
    "_",
    "as",
    "const",
    "(push 4294967295)",
    "(pop 4294967295)",
    "(check-sat)",
    "(reset)",
    "(reset-assertions)",
    "(get-model)",
    "bvudiv",
    "bvurem",
    "bvsmod",
    "bvmul",
    "bvsmulo",
    "concat",
    "distinct",
    "ite",
    "=",
];

/// A broken copy of one of the scripts. There must be at least one.
pub fn mutate(rng: &mut Rng, scripts: &[Vec<u8>]) -> Vec<u8> {
    let mut text = scripts[rng.usize(..scripts.len())].clone();
    let other = &scripts[rng.usize(..scripts.len())];
    for _ in 0..rng.usize(1..=4) {
        text = match rng.u32(..5) {
            0 => break_bytes(rng, text, other),
            1 | 2 => break_tokens(rng, &text, other),
            _ => break_trees(rng, &text, other),
        };
    }
    text
}

fn break_bytes(rng: &mut Rng, mut text: Vec<u8>, other: &[u8]) -> Vec<u8> {
    let at = rng.usize(..=text.len());
    let range = at..at + rng.usize(..30).min(text.len() - at);
    match rng.u32(..6) {
        0 if at < text.len() => text[at] = rng.u8(..),
        1 if at < text.len() => text[at] ^= 1 << rng.u32(..8),
        2 => drop(text.drain(range)),
        3 => {
            let piece = text[range].to_vec();
            let there = rng.usize(..=text.len());
            text.splice(there..there, piece);
        }
        4 => {
            let from = rng.usize(..=other.len());
            let piece = &other[from..(from + rng.usize(..80)).min(other.len())];
            text.splice(range, piece.iter().copied());
        }
        _ => text.truncate(at),
    }
    text
}

fn break_tokens(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut tokens = tokens(text);
    let others = self::tokens(other);
    let enormous;
    let at = rng.usize(..=tokens.len());
    let is_inside = at < tokens.len();
    match rng.u32(..8) {
        0 if is_inside => drop(tokens.remove(at)),
        1 if is_inside => tokens.insert(at, tokens[at]),
        2 if is_inside => {
            let there = rng.usize(..tokens.len());
            tokens.swap(at, there);
        }
        3 if is_inside && !others.is_empty() => tokens[at] = others[rng.usize(..others.len())],
        4 if rng.u32(..400) == 0 => {
            enormous = numeral(rng, 1_000_000);
            replace_a_numeral(rng, &mut tokens, &enormous);
        }
        4 | 5 => {
            enormous = if rng.bool() { trouble(rng).as_bytes().to_vec() } else { numeral(rng, 30) };
            replace_a_numeral(rng, &mut tokens, &enormous);
        }
        6 => tokens.insert(at, trouble(rng).as_bytes()),
        _ if is_inside => tokens[at] = trouble(rng).as_bytes(),
        _ => {}
    }
    joined(&tokens)
}

fn trouble(rng: &mut Rng) -> &'static str {
    TROUBLE[rng.usize(..TROUBLE.len())]
}

/// A numeral of at most so many digits.
fn numeral(rng: &mut Rng, most: usize) -> Vec<u8> {
    (0..rng.usize(1..=most)).map(|_| b'0' + rng.u8(..10)).collect()
}

fn replace_a_numeral<'t>(rng: &mut Rng, tokens: &mut [&'t [u8]], by: &'t [u8]) {
    let numerals: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i][0].is_ascii_digit()).collect();
    if !numerals.is_empty() {
        tokens[numerals[rng.usize(..numerals.len())]] = by;
    }
}

fn break_trees(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let tokens = tokens(text);
    let trees = trees(&tokens);
    if trees.is_empty() {
        return text.to_vec();
    }
    let others = self::tokens(other);
    let foreign = self::trees(&others);
    let one = trees[rng.usize(..trees.len())].clone();
    let two = trees[rng.usize(..trees.len())].clone();
    let splice = |range: Range<usize>, by: &[&[u8]]| -> Vec<u8> {
        joined(&[&tokens[..range.start], by, &tokens[range.end..]].concat())
    };
    match rng.u32(..8) {
        // One tree in place of another: a child may move up, and a parent down into itself.
        0..3 => splice(one, &tokens[two]),
        3 => splice(one, &[]),
        4 => splice(one.clone(), &[&tokens[one.clone()], &tokens[one]].concat()),
        5 if one.end <= two.start => {
            let between = one.end..two.start;
            splice(one.start..two.end, &[&tokens[two], &tokens[between], &tokens[one]].concat())
        }
        6 if !foreign.is_empty() => splice(one, &others[foreign[rng.usize(..foreign.len())].clone()]),
        7 if rng.u32(..100) == 0 => {
            let depth = rng.usize(1_000..30_000);
            let around: [&[u8]; 2] = [b"(", [b"bvnot".as_slice(), b"not", b"let", b"!"][rng.usize(..4)]];
            let closing = vec![b")".as_slice(); depth];
            splice(one.clone(), &[&around.repeat(depth)[..], &tokens[one], &closing].concat())
        }
        _ => splice(one, &tokens[two]),
    }
}

/// The tokens of a text; a quotation that does not end goes to the end of the text. No token is empty.
pub(crate) fn tokens(text: &[u8]) -> Vec<&[u8]> {
    sexpr::tokens(text).map(|token| token.text).collect()
}

/// The trees among the tokens: single ones, and those from a parenthesis to its partner.
pub(crate) fn trees(tokens: &[&[u8]]) -> Vec<Range<usize>> {
    let mut open = vec![];
    let mut trees = vec![];
    for (at, token) in tokens.iter().enumerate() {
        match token {
            [b'('] => open.push(at),
            [b')'] => trees.extend(open.pop().map(|start| start..at + 1)),
            _ => trees.push(at..at + 1),
        }
    }
    trees
}

pub(crate) fn joined(tokens: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::with_capacity(tokens.iter().map(|token| token.len() + 1).sum());
    for (at, token) in tokens.iter().enumerate() {
        let tight = at == 0 || *token == b")" || tokens[at - 1] == b"(";
        if !tight {
            text.push(b' ');
        }
        text.extend_from_slice(token);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_trees_of_a_script() {
        let text = b"(assert (= |a b| \"c \"\" d\")) ; end\n x";
        let tokens = tokens(text);
        let shown: Vec<_> = tokens.iter().map(|token| String::from_utf8_lossy(token)).collect();
        assert_eq!(shown, ["(", "assert", "(", "=", "|a b|", "\"c \"\" d\"", ")", ")", "x"]);
        assert_eq!(trees(&tokens).last(), Some(&(8..9)));
        assert!(trees(&tokens).contains(&(0..8)) && trees(&tokens).contains(&(2..7)));
        assert_eq!(joined(&tokens), b"(assert (= |a b| \"c \"\" d\")) x");
    }

    #[test]
    fn broken_text_has_tokens_and_trees_too() {
        for text in ["", ")(", "((", "\"", "|", ";", "a\"b|c;d", "\0\u{ff}"] {
            let tokens = tokens(text.as_bytes());
            assert!(tokens.iter().all(|token| !token.is_empty()), "{text}");
            trees(&tokens);
        }
    }

    #[test]
    fn mutants_differ_and_are_the_same_again() {
        let scripts = vec![b"(assert (= (bvadd x #b01) (_ bv3 2)))".to_vec(), b"(check-sat)".to_vec()];
        let mutants = |seed| -> Vec<Vec<u8>> {
            let mut rng = Rng::with_seed(seed);
            (0..500).map(|_| mutate(&mut rng, &scripts)).collect()
        };
        let mut some = mutants(1);
        assert_eq!(some, mutants(1));
        assert_ne!(some, mutants(2));
        some.sort();
        some.dedup();
        assert!(some.len() > 300, "{}", some.len());
    }
}
