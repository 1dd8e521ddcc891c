//! The language server as a process, as an editor starts it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use crate::support::bivalve;
use std::io::{Read, Write};
use std::process::Stdio;

/// Sends messages, closes the input, and returns exit code and output.
fn serve(messages: &[&str]) -> (Option<i32>, String) {
    let mut server = bivalve()
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    for message in messages {
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
    }
    drop(input);
    let mut output = String::new();
    server.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    (server.wait().unwrap().code(), output)
}

#[test]
fn it_speaks_over_standard_input_and_output() {
    let open = r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.smt2","languageId":"smt2","version":1,"text":"(assert x)"}}}"#;
    let (code, output) = serve(&[
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        open,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ]);
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("hoverProvider") && output.contains("found 'x'"), "{output}");
}

/// What is no editor is refused, and an editor that dies leaves no server behind.
#[test]
fn it_ends_with_its_editor() {
    assert_eq!(serve(&[r#"{"jsonrpc":"2.0","id":1,"method":"frob","params":{}}"#]).0, Some(2));
    let initialized = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    ];
    assert_eq!(serve(&initialized).0, Some(0));
}
