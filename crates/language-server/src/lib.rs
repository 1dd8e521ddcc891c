//! # bivalve-language-server
//!
//! What editors ask about SMT-LIB and BTOR2, by the language server protocol: diagnostics as one types,
//! sorts and values when hovering, definitions, references, other names, outlines, colours, completion,
//! formatting, mending of mistyped names; and the answers of the solver, when
//! asked to check a script, as notes at its commands.
//!
//! [`serve`] speaks over any connection of the crate `lsp-server`, such as [`connect`] makes of two streams;
//! an editor starts `bivalve lsp`.
//!
//! ```
//! use lsp_server::{Connection, Message, Notification, Request};
//! use serde_json::json;
//!
//! let (server, client) = Connection::memory();
//! let thread = std::thread::spawn(move || bivalve_language_server::serve(&server));
//! let send = |message: Message| client.sender.send(message).expect("the server listens");
//! send(Request::new(1.into(), "initialize".into(), json!({"capabilities": {}})).into());
//! client.receiver.recv()?;
//! send(Notification::new("initialized".into(), json!({})).into());
//! let document = json!({"uri": "file:///a.smt2", "languageId": "smt2", "version": 1, "text": "(assert x)"});
//! send(Notification::new("textDocument/didOpen".into(), json!({"textDocument": document})).into());
//! let Message::Notification(diagnostics) = client.receiver.recv()? else { panic!("diagnostics") };
//! assert_eq!(diagnostics.params["diagnostics"][0]["message"], "expected a declared constant, found 'x'");
//! send(Request::new(2.into(), "shutdown".into(), json!(null)).into());
//! client.receiver.recv()?;
//! send(Notification::new("exit".into(), json!(null)).into());
//! thread.join().expect("no panic")?;
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `transport` | messages over streams |
//! | `server` | messages, documents, runs |
//! | `protocol` | what messages bring |
//! | `document` | a text and its places |
//! | `analysis` | faults, commands, declarations |
//! | `tree`, `explore` | what a name or a term at a place means |
//! | `lines` | the words of a line of BTOR2 |
//! | `names` | all places of a name, and another one for it |
//! | `outline`, `colours` | what a text declares, and what its words are |
//! | `format` | laying out |
//! | `check` | running a script |

mod analysis;
mod check;
mod colours;
mod document;
mod explore;
mod format;
mod lines;
mod names;
mod outline;
mod protocol;
mod server;
mod transport;
mod tree;

pub use server::serve;
pub use transport::{Threads, connect};
