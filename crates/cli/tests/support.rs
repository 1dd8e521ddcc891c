//! What tests of the binary share: how it is started, alone, on a pipe and by a client, and what it prints.

use std::io::{BufRead, BufReader, Write};
use std::num::ParseIntError;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::str::FromStr;

/// The path of the binary.
pub(crate) const BIVALVE: &str = env!("CARGO_BIN_EXE_bivalve");

/// The binary, to be started.
pub(crate) fn bivalve() -> Command {
    Command::new(BIVALVE)
}

/// What the binary prints for an input on a pipe, which it reads to the end.
pub(crate) fn piped(words: &[&str], input: &[u8]) -> Output {
    let mut command = bivalve();
    let command = command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("the input is read to its end");
    child.wait_with_output().expect("the binary ends")
}

/// What was printed, as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// How much is done, where the environment does not say otherwise.
#[allow(clippy::disallowed_methods, reason = "how much is done is set by the environment")]
pub(crate) fn number<T: FromStr<Err = ParseIntError>>(variable: &str, default: T) -> T {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// A client that sends commands and waits for replies.
pub(crate) struct Client {
    pub(crate) child: Child,
    pub(crate) to: ChildStdin,
    pub(crate) from: BufReader<ChildStdout>,
}

impl Client {
    pub(crate) fn start(args: &[&str]) -> Client {
        Client::from(bivalve().args(args))
    }

    pub(crate) fn from(command: &mut Command) -> Client {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = (to.expect("a pipe"), BufReader::new(from.expect("a pipe")));
        Client { child, to, from }
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.to.write_all(text.as_bytes()).expect("the binary reads");
        self.to.flush().expect("the binary reads");
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the binary answers");
        line.trim_end().to_owned()
    }

    pub(crate) fn exit_code(self) -> Option<i32> {
        let Client { mut child, to, from } = self;
        drop((to, from));
        child.wait().expect("the binary ends").code()
    }
}
