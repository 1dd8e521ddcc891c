//! Symbols, with bars only where they are needed, and strings.
//!
//! A name is printed plain when it is a simple symbol: symbol characters only, no digit first, and no word of
//! the language. Others stand between bars. The syntax has no way to write a bar or a backslash; the reader
//! makes no name with a bar, and for names from elsewhere that have one a [`Naming`](super::Naming) finds
//! another.

use crate::op::Op;
use crate::pool::Pool;
use bivalve_floats::RoundingMode;
use std::borrow::Cow;

/// The name as a symbol of SMT-LIB.
pub fn symbol(name: &str) -> Cow<'_, str> {
    if is_simple(name) { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

/// The text as a string literal of SMT-LIB.
pub fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Words that SMT-LIB 2.7 reserves: a name like them stands between bars.
const RESERVED: [&str; 14] = [
    "let",
    "!",
    "_",
    "as",
    "forall",
    "exists",
    "match",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "lambda",
    "par",
];

/// Names that other solvers give a meaning to, though the standard does not.
const DIALECT: [&str; 15] = [
    "implies",
    "iff",
    "bvite",
    "bvinc",
    "bvdec",
    "bvumul_noovfl",
    "bvsmul_noovfl",
    "bvsmul_noudfl",
    "bvudiv_i",
    "bvurem_i",
    "bvsdiv_i",
    "bvsrem_i",
    "bvsmod_i",
    "bvrol",
    "bvror",
];

/// The names that a script should not give to symbols of its own: operators, reserved words, and names that
/// other solvers give a meaning to.
pub fn taken_names() -> impl Iterator<Item = &'static str> {
    let operators = Op::native().map(Op::name).filter(|name| !name.is_empty());
    let words = RESERVED.into_iter().take_while(|&word| word != "BINARY");
    operators.chain(words).chain(DIALECT).chain(["true", "false"])
}

/// The same beside terms of this pool: names of theories that are lowered are free until they are used.
pub(crate) fn taken_in(pool: &Pool) -> impl Iterator<Item = &'static str> {
    let lowered = Op::all().filter(|op| op.is_lowered() && pool.has_lowered());
    let modes = RoundingMode::ALL.into_iter().filter(|_| pool.has_lowered());
    let modes = modes.flat_map(|mode| [mode.name(), mode.long_name()]);
    let bar = ["/"].into_iter().filter(|_| pool.has_lowered());
    taken_names().chain(lowered.map(Op::name)).chain(modes).chain(bar)
}

/// Is this a word of the language, which a name has to be quoted to be?
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// May this byte stand inside of a simple symbol?
#[inline]
pub fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Is this a simple symbol? What begins with a sign and a digit is one, but a number to Z3.
pub(crate) fn is_simple(name: &str) -> bool {
    let first = name.strip_prefix('-').unwrap_or(name).bytes().next();
    !first.is_some_and(|b| b.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(is_symbol_byte)
        && !is_reserved(name)
}

/// Can this name be written as a symbol at all?
pub(crate) fn is_writable(name: &str) -> bool {
    !name.contains(['|', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_only_where_they_are_needed() {
        for plain in ["x", "<41702>", "m.out_MPORT.addr@0", "-", "bv1", "a!b", "_x", "push"] {
            assert_eq!(symbol(plain), plain);
        }
        for quoted in ["a b", "", "1x", "let", "_", "x:y", "é", "a;b", "par", "main#1", "-1"] {
            assert_eq!(symbol(quoted), format!("|{quoted}|"));
        }
        assert_eq!(string("say \"yes\""), "\"say \"\"yes\"\"\"");
    }
}
