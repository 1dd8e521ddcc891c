//! `bivalve lsp`: the language server on standard input and output.

use crate::messages::printed;
use bivalve_language_server::{connect, serve};
use clap::ArgMatches;
use std::ffi::OsString;
use std::process::ExitCode;

const EXAMPLES: &str = "\
An editor starts it, and speaks the language server protocol over standard input and output:
  Helix     language-servers = [\"bivalve\"] and [language-server.bivalve] command = \"bivalve\", args = [\"lsp\"]
  Neovim    vim.lsp.config.bivalve = { cmd = { \"bivalve\", \"lsp\" }, filetypes = { \"smt2\", \"btor2\" } }
  Emacs     (add-to-list 'eglot-server-programs '(smtlib-mode . (\"bivalve\" \"lsp\")))

Commands: bivalve.run and bivalve.stop, with the name of a document.";

/// The command line of the tool.
pub(super) fn command() -> clap::Command {
    clap::Command::new("bivalve lsp")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Serves an editor: faults, sorts, values, places of names, outline, completion and layout of SMT-LIB and BTOR2.")
        .after_help(EXAMPLES)
}

/// Runs the tool.
pub(super) fn run(_: &ArgMatches, _: &[OsString]) -> Result<ExitCode, String> {
    let (connection, threads) = connect(std::io::stdin(), std::io::stdout());
    let served = serve(&connection).map_err(|error| error.to_string());
    // The thread that writes ends when its channel is closed, or when it cannot write, which ends the server.
    drop(connection);
    let written = threads.join();
    let is_written = written.is_ok();
    printed(written)?;
    served.or_else(|problem| if is_written { Err(problem) } else { Ok(()) })?;
    Ok(ExitCode::SUCCESS)
}
