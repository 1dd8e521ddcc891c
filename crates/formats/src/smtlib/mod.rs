//! SMT-LIB 2.7: a streaming reader of scripts into terms, and printers of terms, values and scripts.
//!
//! Text goes one way: bytes (`source`) to tokens (`lexer`) to names with a meaning (`names`, `symbols`,
//! `sort_table`, `vocabulary`) to terms of the pool (`terms`, `apply`, `identifiers`) to commands
//! (`commands`, `declarations`). There is one pass, no tree in between, and no recursion: depth costs memory
//! in proportion to the text and nothing else. What is wrong becomes a located message in `refusals`, and
//! reading goes on behind the command.
//!
//! Nothing is rewritten. `let`, `define-fun`, `define-sort` and `:named` are names for what they stand for,
//! so they are gone when a term is built; sharing is kept, because terms are hash-consed.
//!
//! Cost, on one of two busy cores: 56 MB of benchmarks of all kinds at 110 MB/s, 200 MB of random assertions
//! that all differ at 60 MB/s. Beside the pool, which takes half of that time, the reader holds its window
//! (128 KiB), the names, 40 bytes for each open parenthesis and 8 for each line of the current command.

mod ahead;
mod apply;
mod attributes;
mod command;
mod commands;
mod data_types;
mod declarations;
mod definitions;
mod elements;
mod enumeration;
mod floats;
mod formulas;
mod identifiers;
mod integers;
mod interpolants;
mod lexer;
mod logics;
mod names;
mod objectives;
mod parser;
pub mod print;
mod quantifiers;
mod reading;
mod records;
mod refusals;
mod similar;
mod sort_table;
mod sorts;
mod symbols;
mod terms;
mod vocabulary;

pub use command::{AttributeValue, Command, Interpolants};
pub use commands::command_names;
pub use formulas::Formulas;
pub use parser::{Guard, Limited, MOST_TERMS, Parser, ParserOptions, few_terms};
pub use print::BitVecFormat;
pub use symbols::Symbols;
