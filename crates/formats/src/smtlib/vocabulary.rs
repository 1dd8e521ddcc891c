//! The words that have a meaning before anything is declared.
//!
//! Operators come from the operator table, under the names it gives them. To these come the reserved words
//! that shape terms, and *dialect*: names that other solvers accept and that real files use. A dialect name
//! is an operator by another name, or a short definition in terms of operators (`terms` of [`Dialect`]); it
//! is refused when the standard is to be kept. Names of theories that are not here (integers, strings)
//! are listed with what they belong to, so that a message can say what is
//! missing instead of "not declared".

use bivalve_terms::{Op, Theory};

/// Words that shape terms; nothing can be declared under them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Let,
    Annotation,
    Index,
    As,
    /// `forall` or `exists`.
    Quantifier,
    Match,
}

/// The reserved words of terms, by spelling.
pub(crate) const WORDS: [(&str, Word); 7] = [
    ("let", Word::Let),
    ("!", Word::Annotation),
    ("_", Word::Index),
    ("as", Word::As),
    ("forall", Word::Quantifier),
    ("exists", Word::Quantifier),
    ("match", Word::Match),
];

/// Names from outside of the standard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Another name of an operator.
    Same(Op),
    /// `iff`: equality of Booleans.
    Iff,
    /// `bvite`: if-then-else whose condition is a bit-vector of width 1, or a Boolean.
    Bvite,
    /// `bvinc`: plus one.
    Inc,
    /// `bvdec`: minus one.
    Dec,
    /// `bvumul_noovfl`: the unsigned product fits.
    UmulFits,
    /// `bvsmul_noovfl`: the signed product is not too large.
    SmulNotAbove,
    /// `bvsmul_noudfl`: the signed product is not too small.
    SmulNotBelow,
    /// `/`: a real constant.
    Ratio,
}

/// Dialect names by spelling.
pub(crate) const DIALECT: [(&str, Dialect); 15] = [
    ("implies", Dialect::Same(Op::Implies)),
    ("iff", Dialect::Iff),
    ("bvite", Dialect::Bvite),
    ("bvinc", Dialect::Inc),
    ("bvdec", Dialect::Dec),
    ("bvumul_noovfl", Dialect::UmulFits),
    ("bvsmul_noovfl", Dialect::SmulNotAbove),
    ("bvsmul_noudfl", Dialect::SmulNotBelow),
    // Z3 prints these where the divisor is known not to be zero.
    ("bvudiv_i", Dialect::Same(Op::BvUdiv)),
    ("bvurem_i", Dialect::Same(Op::BvUrem)),
    ("bvsdiv_i", Dialect::Same(Op::BvSdiv)),
    ("bvsrem_i", Dialect::Same(Op::BvSrem)),
    ("bvsmod_i", Dialect::Same(Op::BvSmod)),
    ("bvrol", Dialect::Same(Op::ExtRotateLeft)),
    ("bvror", Dialect::Same(Op::ExtRotateRight)),
];

/// Operators of integers and floats by names of earlier versions of SMT-LIB and of Z3, which are free for
/// declarations.
pub(crate) const OLDER_NAMES: [(&str, Op); 5] = [
    ("bv2nat", Op::UbvToInt),
    ("bv2int", Op::UbvToInt),
    ("nat2bv", Op::IntToBv),
    ("int2bv", Op::IntToBv),
    ("to_ieee_bv", Op::FpToIeee),
];

/// The fraction bar of real constants, which is free for declarations.
pub(crate) const RATIO: (&str, Dialect) = ("/", Dialect::Ratio);

/// May the standard's argument list be longer than two? (`bvsub` and `bvxnor` may not.)
pub(crate) fn is_standard_list(op: Op) -> bool {
    !matches!(op, Op::BvSub | Op::BvXnor)
}

/// Is this a word that shapes terms?
pub(crate) fn is_word(name: &[u8]) -> bool {
    WORDS.iter().any(|&(word, _)| word.as_bytes() == name)
}

/// Does a logic of this name have the theory? A name that is no combination of the usual letters may have
/// all.
pub(crate) fn has_theory(logic: &str, theory: Theory) -> bool {
    let letters = logic.strip_prefix("QF_").unwrap_or(logic);
    let known = letters.strip_suffix("BV").unwrap_or(letters);
    let arrays = known.starts_with('A');
    let is_all = matches!(logic, "ALL" | "QF_ALL" | "ALL_SUPPORTED" | "QF_FD");
    if is_all || !logic.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') {
        return true;
    }
    match theory {
        Theory::Core => true,
        Theory::Arrays => arrays,
        Theory::BitVectors => letters.contains("BV"),
        Theory::Floats => letters.contains("FP"),
        _ => false,
    }
}

/// Names of integer and real arithmetic that are not read as bit-vectors.
const INTEGERS: &[&str] = &["divisible", "to_real", "to_int", "is_int", "^", "iand"];

/// Transcendental functions, as cvc5 has them.
const TRANSCENDENTAL: &[&str] = &[
    "exp", "sqrt", "sin", "cos", "tan", "csc", "sec", "cot", "arcsin", "arccos", "arctan", "arccsc",
    "arcsec", "arccot",
];

/// Names of strings and sequences, beside those with a prefix.
const STRINGS: &[&str] = &["String", "RegLan", "Seq", "Char", "char", "Unicode"];

/// Names of floating-point arithmetic, beside those with a prefix.
const FLOATS: &[&str] =
    &["FloatingPoint", "fp", "to_fp", "to_fp_unsigned", "+zero", "-zero", "+oo", "-oo", "NaN"];

/// Words that bind variables.
const BINDERS: &[&str] = &["lambda", "choose", "par"];

/// What is missing for a name of a theory that is not here, as a sentence.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if BINDERS.contains(&name) {
        Some("binders other than quantifiers are not supported")
    } else if name == "Real" {
        Some("real variables are not supported")
    } else if name == "Int" {
        Some("integer variables are not supported")
    } else if INTEGERS.contains(&name) || TRANSCENDENTAL.contains(&name) || begins(&["int.", "real."]) {
        Some("integers beyond conversions of bit-vectors, and reals, are not supported")
    } else if STRINGS.contains(&name) || begins(&["str.", "re.", "seq."]) {
        Some("strings and sequences are not supported")
    } else if FLOATS.contains(&name) || begins(&["fp."]) {
        Some("no operator of floating-point numbers is called so, or it is applied in another way")
    } else if begins(&["set.", "bag.", "rel.", "tuple.", "ff."]) {
        Some("this theory is not supported")
    } else if name == "->" {
        Some("functions as values are not supported")
    } else {
        None
    }
}
