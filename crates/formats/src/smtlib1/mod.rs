//! SMT-LIB 1.2 (Ranise and Tinelli, 2006): a reader of benchmarks.
//!
//! A benchmark is one list of attributes. Formulas become terms in one pass over the text, with a stack of
//! open parentheses in memory and no recursion. It reads the logics of bit-vectors, arrays and functions
//! (QF_BV, QF_AUFBV, QF_UFBV, QF_AX, QF_UF), with the words of early versions (`bit0`, `bvlt`,
//! `shift_left0`), and annotations are skipped. As in Boolector, a bit-vector of one bit may stand for a
//! formula and a formula for a bit.
//!
//! A benchmark with one formula is a question about its assumptions and that formula. With several formulas,
//! an extension of Boolector, each is a question of its own about the assumptions before it.

mod lexer;
mod print;
mod read;
mod terms;
mod words;

pub use print::print;
pub use read::read;
