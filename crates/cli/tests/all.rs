//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod afresh;
mod agreement;
mod broken;
mod campaign;
mod check_model;
mod command_lines;
mod diagnostics;
mod dumps;
mod experiment;
mod explain;
mod kills;
mod languages;
mod lsp;
mod makers;
mod protocol;
mod reduce;
mod regress;
mod rounds;
mod sim;
mod simplify;
mod support;
mod tasks;
mod terminal;
mod transcripts;
mod usage;
