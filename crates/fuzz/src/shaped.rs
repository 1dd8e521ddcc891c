//! Terms in the shape of a rewrite rule's left side.
//!
//! Most rules need three or more operators to meet in one place, and some need equal constants or fitting
//! widths besides, which random terms achieve for half of the rules at best. So this goes the other way: the
//! left side of a rule is a text much like SMT-LIB, and becomes one by declaring its metavariables and
//! literals at some width. Which sorts fit is not known here, so they are guessed: what the reader
//! refuses is guessed anew. Metavariables are then replaced by small random terms, some of
//! them.
//!
//! The crate of the rules checks them at small widths, exhaustively. Terms made here have any width, are
//! decided by circuits and by other solvers, and test a rule together with all others.
//!
//! Cost: the texts are made once; a term takes a few readings of a short script.

use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_rewrite::RuleTable;
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Op, Pool, Substitution, Term, cone};
use std::fmt::Write as _;
use std::sync::LazyLock;

/// The name of a rule, and its left side as tokens.
type LeftSide = (String, Vec<String>);

/// The left sides of all rules: of those about bits, and of those about arrays.
static SIDES: LazyLock<[Vec<LeftSide>; 2]> = LazyLock::new(|| {
    let table = RuleTable::new();
    let sides = table.rules().map(|rule| {
        let left = rule.left().replace('(', " ( ").replace(')', " ) ");
        (rule.name().to_owned(), left.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    let is_about_arrays =
        |side: &LeftSide| side.1.iter().any(|token| matches!(&**token, "select" | "store" | "const"));
    let (arrays, bits) = sides.partition(is_about_arrays);
    [bits, arrays]
});

fn sides(arrays: bool) -> &'static [LeftSide] {
    &SIDES[usize::from(arrays)]
}

/// How the sorts of metavariables are guessed.
#[derive(Clone, Copy)]
enum Guess {
    /// Bit-vectors of one width; what is called like a condition is Boolean.
    Alike,
    /// All are Boolean.
    Boolean,
    /// Two widths and their sum.
    Mixed,
    /// What is called `a` or `b` is an array, all else an index and an element.
    Arrays,
}

/// A term in the shape of some rule about bits, unless nothing was found that fits.
pub(crate) fn instance(random: &mut TermGen, pool: &mut Pool) -> Option<Term> {
    (0..10).find_map(|_| {
        let rule = random.rng().usize(..count(false));
        instance_of(random, pool, false, rule)
    })
}

/// How many rules there are, about arrays or about bits.
pub(crate) fn count(arrays: bool) -> usize {
    sides(arrays).len()
}

/// The name of a rule.
pub(crate) fn name(arrays: bool, rule: usize) -> &'static str {
    &sides(arrays)[rule].0
}

/// A term in the shape of a rule, if sorts are found that fit.
pub(crate) fn instance_of(random: &mut TermGen, pool: &mut Pool, arrays: bool, rule: usize) -> Option<Term> {
    const BITS: &[Guess] =
        &[Guess::Alike, Guess::Alike, Guess::Boolean, Guess::Mixed, Guess::Mixed, Guess::Mixed];
    let side = &sides(arrays)[rule].1;
    let guesses = if arrays { &[Guess::Arrays; 4] } else { BITS };
    let term = guesses.iter().find_map(|&guess| read(pool, &script(random, side, guess)))?;
    Some(fill(random, pool, term))
}

/// A script that asks for the value of the left side.
fn script(random: &mut TermGen, side: &[String], guess: Guess) -> String {
    let sizes = [random.width(), random.width().min(random.max_width / 2 + 1)];
    let (mut declarations, mut text) = (String::new(), String::new());
    let mut declared: Vec<String> = vec![];
    let mut in_indices = false;
    for (at, token) in side.iter().enumerate() {
        let is_head = at > 0 && side[at - 1] == "(";
        in_indices = (in_indices || token == "_") && token != ")";
        let is_constant_array = is_head && token == "const";
        let is_operator = is_head || matches!(&**token, "(" | ")" | "true" | "false" | "#b0" | "#b1");
        if is_constant_array {
            let _ = write!(text, " (as const (Array (_ BitVec {0}) (_ BitVec {0})))", sizes[0]);
        } else if in_indices && token.parse::<u32>().is_err() && !is_operator && side[at - 1] != "_" {
            let _ = write!(text, " {}", index(random, sizes));
        } else if is_operator || in_indices {
            let _ = write!(text, " {token}");
        } else {
            // Digits and primes are not for names.
            let name = format!("n_{}", token.replace('\'', "_"));
            if !declared.contains(&name) {
                declarations += &declaration(random, token, &name, guess, sizes);
                declared.push(name.clone());
            }
            let _ = write!(text, " {name}");
        }
    }
    format!("{declarations}(get-value ({text}))")
}

fn index(random: &mut TermGen, [one, other]: [u32; 2]) -> u32 {
    let likely = [0, 1, one - 1, other - 1, other, one / 2];
    likely[random.rng().usize(..likely.len())]
}

/// Declares a metavariable, or defines a constant.
fn declaration(
    random: &mut TermGen,
    token: &str,
    name: &str,
    guess: Guess,
    [one, other]: [u32; 2],
) -> String {
    let boolean = match guess {
        Guess::Boolean => true,
        Guess::Arrays => false,
        Guess::Alike => matches!(token, "c" | "d"),
        Guess::Mixed => matches!(token, "c" | "d") || random.rng().u32(..16) == 0,
    };
    let width = match (guess, random.rng().u32(..4)) {
        (Guess::Alike | Guess::Boolean | Guess::Arrays, _) | (Guess::Mixed, 0 | 1) => one,
        (Guess::Mixed, 2) => other,
        (Guess::Mixed, _) => one + other,
    };
    let value = |bits: String| format!("(define-fun {name} () (_ BitVec {width}) #b{bits})\n");
    let filled = |bit: &str| bit.repeat(width as usize);
    match token.trim_end_matches('\'') {
        "ones" => value(filled("1")),
        "min" => value(format!("1{}", &filled("0")[1..])),
        "max" => value(format!("0{}", &filled("1")[1..])),
        "k" | "m" | "n" if !boolean => value(random.bitvec(width).to_binary_string()),
        digits if digits.parse::<u32>().is_ok() => {
            format!("(define-fun {name} () (_ BitVec {width}) (_ bv{digits} {width}))\n")
        }
        "a" | "b" if matches!(guess, Guess::Arrays) => {
            format!("(declare-const {name} (Array (_ BitVec {width}) (_ BitVec {width})))\n")
        }
        _ if boolean => format!("(declare-const {name} Bool)\n"),
        _ => format!("(declare-const {name} (_ BitVec {width}))\n"),
    }
}

/// The term whose value is asked for, if the script is without faults.
fn read(pool: &mut Pool, script: &str) -> Option<Term> {
    let mut parser = Parser::new(script.as_bytes(), "rule", ParserOptions::default());
    loop {
        match parser.next_command(pool).ok()?? {
            Command::GetValue(terms) => return terms.first().map(|&(_, term)| term),
            _ => continue,
        }
    }
}

/// Replaces some symbols by random terms. The generator has not seen the symbols, so none contains itself.
fn fill(random: &mut TermGen, pool: &mut Pool, term: Term) -> Term {
    let symbols: Vec<Term> = cone(pool, &[term]).into_iter().filter(|&t| pool.op(t) == Op::Symbol).collect();
    let mut filled = Substitution::new();
    for symbol in symbols {
        let (sort, size) = (pool.sort(symbol), random.rng().usize(0..5));
        if size > 0 {
            let image = random.term(pool, sort, size);
            filled.insert(pool, symbol, image);
        }
    }
    filled.apply(pool, term)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn most_left_sides_have_instances() {
        for (arrays, few) in [(false, 10), (true, 8)] {
            let has_instance = |&rule: &usize| {
                let mut random = TermGen::new(rule as u64);
                random.max_width = 16;
                (0..8).any(|_| instance_of(&mut random, &mut Pool::new(), arrays, rule).is_some())
            };
            let missing: Vec<&str> = (0..count(arrays))
                .filter(|rule| !has_instance(rule))
                .map(|rule| name(arrays, rule))
                .collect();
            assert!(
                missing.len() * few < count(arrays),
                "{} of {}: {missing:#?}",
                missing.len(),
                count(arrays)
            );
        }
    }
}
