//! SMT-LIB 2.7: a streaming reader of scripts into terms, and printers of terms, values and scripts.
//!
//! Text goes one way: bytes (`source`) to tokens (`lexer`) to names with a meaning (`names`, `symbols`,
//! `sort_table`, `vocabulary`) to terms of the pool (`terms`, `apply`, `identifiers`) to commands
//! (`commands`, `declarations`). There is one pass, no tree in between, and no recursion: depth costs memory
//! in proportion to the text and nothing else.

mod apply;
mod attributes;
mod command;
mod commands;
mod declarations;
mod definitions;
mod identifiers;
mod lexer;
mod names;
mod parser;
pub mod print;
mod reading;
mod refusals;
mod similar;
mod sort_table;
mod sorts;
mod symbols;
mod terms;
mod vocabulary;

pub use command::{AttributeValue, Command};
pub use parser::{Parser, ParserOptions};
pub use print::BitVecFormat;
pub use symbols::Symbols;
