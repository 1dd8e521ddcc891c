//! What a session replies to a script.

use bivalve_formats::smtlib::{Parser, ParserOptions};
use bivalve_session::{Config, NoMonitor, Reply, Session};

/// The replies to all commands of a session that begins like this.
pub(crate) fn replies_with(config: Config, script: &str) -> Vec<Reply> {
    let mut parser = Parser::new(script.as_bytes(), "script", ParserOptions::default());
    let mut session = Session::new(config);
    std::iter::from_fn(|| session.step(&mut parser, &mut NoMonitor)).collect()
}

/// The replies to all commands.
pub(crate) fn replies(script: &str) -> Vec<Reply> {
    replies_with(Config::default(), script)
}

/// What is printed of these.
pub(crate) fn texts(script: &str) -> Vec<String> {
    replies(script).iter().filter_map(|reply| reply.text().map(String::from)).collect()
}
