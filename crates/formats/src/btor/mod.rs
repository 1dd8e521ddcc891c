//! BTOR, the first format of Boolector (Brummayer, Biere and Lonsing, BPR 2008): a reader and a printer.
//!
//! The reader accepts what Boolector 1.4 to 3.2 accept together: numbers in any order as long as a node
//! comes before its uses, shift amounts of log2(w) bits and of w bits, symbols on variables and arrays,
//! `next` and `anext` of the sequential extension, and the functions of the third version (`param`,
//! `lambda`, `args`, `apply`), which are expanded where they are applied. Of the dialect before Boolector 1
//! it reads `write` without the width of the indices, `umul` for `mul`, and `cond` and `next` for arrays.
//!
//! A text without `next` is a formula: its roots are constraints of a system without states. With `next` it
//! is a transition system as Boolector 1.4 checks it: registers begin with zero, arrays with anything,
//! variables without `next` are inputs, and each root is a bad state of its own.

mod functions;
mod print;
mod read;

pub use print::{print, print_formulas};
pub use read::read;
pub(crate) use read::read_text;
