//! A session: SMT-LIB commands in, answers out.
//!
//! One command is read, carried out and answered before the next is read, and every answer is flushed, so a client on
//! a pipe never waits for text that is already decided. Every command gets exactly one answer: `success` if asked
//! for, what it asks for, `unsupported`, or `(error "...")`; after an error the session goes on, with the state as
//! it was before the command.
//!
//! Two things keep answers honest where something was refused. An assertion outside of the theories that are decided
//! is part of the question all the same, so from then on `sat` would be an answer to another question, and `unknown` is
//! said instead (`unsat` stays right: what is unsatisfiable without it is so with it). A `push` or `pop` that is
//! not carried out makes every later answer doubtful, so from then on all checks are `unknown`.

use crate::args::Invocation;
use crate::dump;
use crate::limits::Watchdog;
use crate::progress::ProgressLine;
use crate::report::Report;
use bivalve::terms::{Pool, Term};
use bivalve::{Answer, AssertError, Settings, Solver, Why};
use bivalve_formats::smtlib::{Command, Diagnostic, Parser, ParserOptions, printer};
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// How a session ended, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Outcome {
    /// Every command was understood.
    Understood,
    /// The reader of the answers is gone.
    Hangup,
    /// Some command was answered by an error.
    Refused,
    /// A self-check failed.
    Fault,
}
