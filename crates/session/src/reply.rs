//! What a command is answered by.
//!
//! Every command has exactly one reply: `success` if the client asks for it, what the command asks for,
//! `unsupported`, or `(error "...")`. A reply is a value, so that a caller need not parse printed text;
//! [`Reply::text`] is what the binary prints.

use bivalve::CheckResult;
use bivalve_formats::Diagnostic;
use bivalve_formats::smtlib::print;
use std::borrow::Cow;

/// What a check leaves behind for queries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evidence {
    /// `get-model`.
    Model,
    /// `get-value`, `get-assignment`.
    Values,
    /// `get-unsat-core`.
    Core,
    /// `get-unsat-assumptions`.
    FailedAssumptions,
    /// `get-proof`.
    Proof,
    /// `get-objectives`.
    Objectives,
}

/// The reply to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The command was carried out, and the client asks for no `success`.
    Done,
    /// The command was carried out.
    Success,
    /// The answer to a check.
    Checked(CheckResult),
    /// The answer to a query about the last check.
    Evidence(Evidence, String),
    /// The last check did not leave what the query asks for; the text has the reason.
    NotAvailable(Evidence, String),
    /// The answer to another query: `echo`, `get-info` and the like.
    Info(String),
    /// The command or option is known to the standard or to other solvers, but not here.
    Unsupported,
    /// The text of the command was refused by the reader.
    Refused(Box<Diagnostic>),
    /// The command cannot be carried out.
    Error(String),
    /// A self-check failed; the text names it.
    Fault(String),
}

impl Reply {
    /// The text that a client gets; nothing for a command that was carried out in silence.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        let error = |text: &str| Some(Cow::Owned(format!("(error {})", print::string(text))));
        match self {
            Reply::Done => None,
            Reply::Success => Some("success".into()),
            Reply::Checked(CheckResult::Sat) => Some("sat".into()),
            Reply::Checked(CheckResult::Unsat) => Some("unsat".into()),
            Reply::Checked(CheckResult::Unknown(_)) => Some("unknown".into()),
            Reply::Evidence(_, text) | Reply::Info(text) => Some(text.into()),
            Reply::Unsupported => Some("unsupported".into()),
            Reply::NotAvailable(..) | Reply::Refused(_) | Reply::Error(_) | Reply::Fault(_) => {
                self.error().and_then(|text| error(&text))
            }
        }
    }

    /// The message, if the reply is an error.
    pub fn error(&self) -> Option<Cow<'_, str>> {
        match self {
            Reply::Refused(diagnostic) => Some(diagnostic.to_string().into()),
            Reply::NotAvailable(_, text) | Reply::Error(text) | Reply::Fault(text) => Some(text.into()),
            Reply::Done | Reply::Success | Reply::Unsupported => None,
            Reply::Checked(_) | Reply::Evidence(..) | Reply::Info(_) => None,
        }
    }
}

impl Evidence {
    /// The message when there is none, without the place and the reason. Clients look for the first two.
    pub(crate) fn missing(self) -> &'static str {
        match self {
            Evidence::Model | Evidence::Values => "model is not available",
            Evidence::Core => "unsat core is not available",
            Evidence::FailedAssumptions => "unsat assumptions are not available",
            Evidence::Proof => "proof is not available",
            Evidence::Objectives => "objectives are not available",
        }
    }
}
