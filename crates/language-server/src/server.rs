//! The server: one loop over the messages of the editor and the results of runs.
//!
//! A run works on a copy of the text in a thread of its own; what it finds is shown only if the text has not
//! changed since. A new run, a change, or `bivalve.stop` ends the one before.

use crate::check::{self, Answer};
use crate::colours;
use crate::document::Document;
use crate::explore::Place;
use crate::format;
use crate::names;
use crate::outline::outline;
use crate::protocol::{
    About, AboutPart, AboutPlace, Changing, Execute, Opened, Opening, Referring, Renaming,
};
use bivalve::terms::float::Float;
use bivalve::terms::{Op, print};
use bivalve_formats::{btor2, smtlib};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, ExtractError, Message, Notification, ProtocolError, Request, Response,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The commands of the server: each takes the name of a document.
const RUN: &str = "bivalve.run";
const STOP: &str = "bivalve.stop";

/// Severities of diagnostics.
const ERROR: u8 = 1;
const INFORMATION: u8 = 3;

/// The kind of a change that mends a fault.
const QUICK_FIX: &str = "quickfix";

/// Kinds of what completes a word.
const FUNCTION: u8 = 3;
const VARIABLE: u8 = 6;
const KEYWORD: u8 = 14;
const OPERATOR: u8 = 24;

/// No more of an answer is shown at its command.
const MOST_SHOWN: usize = 500;

/// Serves an editor until it says `exit`.
///
/// # Errors
///
/// When the connection breaks, or the editor does not keep to the protocol.
pub fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    connection.initialize(capabilities())?;
    let (results, finished) = unbounded();
    let mut server = Server {
        sender: connection.sender.clone(),
        results,
        documents: BTreeMap::new(),
        answers: BTreeMap::new(),
        runs: BTreeMap::new(),
    };
    server.listen(connection, &finished)
}

fn capabilities() -> Value {
    const INCREMENTAL: u8 = 2;
    json!({
        "textDocumentSync": INCREMENTAL,
        "hoverProvider": true,
        "definitionProvider": true,
        "completionProvider": {},
        "documentFormattingProvider": true,
        "documentSymbolProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
        "codeActionProvider": {"codeActionKinds": [QUICK_FIX]},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": colours::KINDS, "tokenModifiers": ["declaration"]},
            "full": true,
            "range": true,
        },
        "codeLensProvider": {"resolveProvider": false},
        "executeCommandProvider": {"commands": [RUN, STOP]},
    })
}

/// The end of a run: the document, its version, and the answers.
type Finished = (String, i32, Vec<Answer>);

struct Server {
    sender: Sender<Message>,
    results: Sender<Finished>,
    /// By name.
    documents: BTreeMap<String, Document>,
    /// By name: what the last run of this text replied.
    answers: BTreeMap<String, Vec<Answer>>,
    /// By name: what ends the run.
    runs: BTreeMap<String, Arc<AtomicBool>>,
}

impl Server {
    fn listen(
        &mut self,
        connection: &Connection,
        finished: &Receiver<Finished>,
    ) -> Result<(), ProtocolError> {
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => {
                        if connection.handle_shutdown(&request)? {
                            return Ok(());
                        }
                        self.reply(request);
                    }
                    Ok(Message::Notification(told)) => self.take(told),
                    Ok(Message::Response(_)) => {}
                    Err(_) => return Ok(()),
                },
                recv(finished) -> result => if let Ok(result) = result {
                    self.finish(result);
                },
            }
        }
    }

    /// Sends a message. If the editor is gone, the loop ends by itself.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.sender.send(message.into());
    }

    fn take(&mut self, told: Notification) {
        match told.method.as_str() {
            "textDocument/didOpen" => {
                let Ok(Opening { text_document }) = parameters(told.params) else { return };
                let Opened { uri, language_id, version, text } = text_document;
                let document = Document::new(&uri, &language_id, version, text);
                self.documents.insert(uri.clone(), document);
                self.changed(&uri);
            }
            "textDocument/didChange" => {
                let Ok(Changing { text_document, content_changes }) = parameters(told.params) else { return };
                let uri = text_document.uri;
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.change(text_document.version, content_changes);
                    self.changed(&uri);
                }
            }
            "textDocument/didClose" => {
                let Ok(About { text_document }) = parameters(told.params) else { return };
                let uri = text_document.uri;
                self.documents.remove(&uri);
                self.stop(&uri);
                self.answers.remove(&uri);
            }
            // Others are of no interest.
            _ => {}
        }
    }

    /// The text of a document is another one.
    fn changed(&mut self, uri: &str) {
        self.stop(uri);
        self.answers.remove(uri);
        self.publish(uri);
    }

    fn stop(&mut self, uri: &str) {
        if let Some(cancel) = self.runs.remove(uri) {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Shows faults and answers.
    fn publish(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let faults = document.analysis.faults.iter();
        let faults = faults.map(|fault| note(document, fault.range.clone(), ERROR, &fault.message));
        // Faults of reading are shown already.
        let answers = self.answers.get(uri).into_iter().flatten().filter(|answer| !answer.is_error);
        let answers = answers.filter_map(|answer| {
            let part = document.analysis.part_at(answer.end.saturating_sub(1))?;
            let mut text = answer.text.clone();
            if let Some((end, _)) = text.char_indices().nth(MOST_SHOWN) {
                text.truncate(end);
                text.push('…');
            }
            let range = document.analysis.parts[part].range.clone();
            Some(note(document, range, INFORMATION, &text))
        });
        let diagnostics: Vec<Value> = faults.chain(answers).collect();
        let params = json!({"uri": uri, "diagnostics": diagnostics, "version": document.version});
        self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), params));
    }

    fn finish(&mut self, (uri, version, answers): Finished) {
        if self.documents.get(&uri).is_some_and(|document| document.version == version) {
            self.runs.remove(&uri);
            self.answers.insert(uri.clone(), answers);
            self.publish(&uri);
        }
    }

    fn reply(&mut self, request: Request) {
        let id = request.id.clone();
        let result = match request.method.as_str() {
            "textDocument/hover" => with(request, |params| self.hover(&params)),
            "textDocument/definition" => with(request, |params| self.definition(&params)),
            "textDocument/completion" => with(request, |params| self.completion(&params)),
            "textDocument/formatting" => with(request, |params| self.formatted(&params)),
            "textDocument/documentSymbol" => {
                with(request, |params: About| Some(outline(self.document(&params.text_document.uri)?).into()))
            }
            "textDocument/references" => with(request, |params| self.references(&params)),
            "textDocument/prepareRename" => with(request, |params| self.nameable(&params)),
            "textDocument/rename" => match parameters(request.params) {
                Ok(params) => self.renamed(&params),
                Err(problem) => Err((ErrorCode::InvalidParams, problem)),
            },
            "textDocument/codeAction" => with(request, |params| self.mending(&params)),
            "textDocument/semanticTokens/full" => with(request, |params: About| {
                let document = self.document(&params.text_document.uri)?;
                Some(json!({"data": colours::tokens(document, 0..document.text.len())}))
            }),
            "textDocument/semanticTokens/range" => with(request, |params: AboutPart| {
                let document = self.document(&params.text_document.uri)?;
                Some(json!({"data": colours::tokens(document, document.range(params.range))}))
            }),
            "textDocument/codeLens" => with(request, |params| self.lenses(&params)),
            "workspace/executeCommand" => match parameters(request.params) {
                Ok(params) => self.execute(&params),
                Err(problem) => Err((ErrorCode::InvalidParams, problem)),
            },
            method => Err((ErrorCode::MethodNotFound, format!("there is no {method} here"))),
        };
        self.send(match result {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    fn document(&self, uri: &str) -> Option<&Document> {
        self.documents.get(uri)
    }

    /// The places of the name at a place.
    fn references(&self, params: &Referring) -> Option<Value> {
        let uri = &params.text_document.uri;
        let document = self.document(uri)?;
        let origin = names::origin(document, document.offset(params.position))?;
        let all = names::references(document, &origin).into_iter();
        let asked = all.filter(|place| params.context.include_declaration || *place != origin.place);
        Some(asked.map(|place| json!({"uri": uri, "range": document.places(place)})).collect())
    }

    /// The name at a place, if it can be changed.
    fn nameable(&self, params: &AboutPlace) -> Option<Value> {
        let document = self.document(&params.text_document.uri).filter(|document| !document.is_btor2())?;
        let offset = document.offset(params.position);
        names::origin(document, offset)?;
        let place = Place::new(&document.text, &document.analysis, offset)?;
        Some(json!({"range": document.places(place.range()), "placeholder": place.name()?}))
    }

    fn renamed(&self, Renaming { text_document, position, new_name }: &Renaming) -> Result<Value, Refusal> {
        let invalid = |problem: String| (ErrorCode::InvalidParams, problem);
        let uri = &text_document.uri;
        let document = self.document(uri).ok_or_else(|| invalid("the document is not open".to_owned()))?;
        let (places, name) =
            names::renamed(document, document.offset(*position), new_name).map_err(invalid)?;
        let edits = places.into_iter().map(|place| json!({"range": document.places(place), "newText": name}));
        Ok(json!({"changes": {uri: edits.collect::<Vec<_>>()}}))
    }

    /// Changes that put the names that were probably meant in the place of faulty ones.
    fn mending(&self, params: &AboutPart) -> Option<Value> {
        let uri = &params.text_document.uri;
        let document = self.document(uri)?;
        let asked = document.range(params.range);
        let near = document
            .analysis
            .faults
            .iter()
            .filter(|fault| fault.range.start <= asked.end && asked.start <= fault.range.end);
        let mending = near.filter_map(|fault| {
            let name = fault.suggestion.as_ref()?;
            let is_own = document.analysis.names.contains_key(name);
            let new_text = if is_own { print::symbol(name) } else { name.into() };
            let edit = json!({"range": document.places(fault.range.clone()), "newText": new_text});
            Some(json!({
                "title": format!("change to {new_text}"),
                "kind": QUICK_FIX,
                "isPreferred": true,
                "diagnostics": [note(document, fault.range.clone(), ERROR, &fault.message)],
                "edit": {"changes": {uri: [edit]}},
            }))
        });
        Some(mending.collect())
    }

    fn hover(&self, AboutPlace { text_document, position }: &AboutPlace) -> Option<Value> {
        let document = self.documents.get(&text_document.uri)?;
        let offset = document.offset(*position);
        let (text, range) = if document.is_btor2() {
            let (name, range) = number_at(&document.text, offset)?;
            (document.analysis.declaration(name, offset)?.detail.clone(), range)
        } else {
            let place = Place::new(&document.text, &document.analysis, offset)?;
            let answers = self.answers.get(&text_document.uri).into_iter().flatten();
            let model = answers.rev().find_map(|answer| answer.model.as_deref());
            let origin = place.origin().map(|name| format!("{} : {}", name.name, name.detail));
            let lines = match (place.meaning(model), origin) {
                (Some((_, Some(value))), Some(origin)) => vec![origin, format!("= {}", explained(&value))],
                (Some((sort, value)), None) => std::iter::once(sort)
                    .chain(value.map(|value| format!("= {}", explained(&value))))
                    .collect(),
                (_, origin) => vec![origin?],
            };
            (lines.join("\n"), place.range())
        };
        let contents = json!({"kind": "markdown", "value": format!("```smt2\n{text}\n```")});
        Some(json!({"contents": contents, "range": document.places(range)}))
    }

    fn definition(&self, params: &AboutPlace) -> Option<Value> {
        let uri = &params.text_document.uri;
        let document = self.documents.get(uri)?;
        let offset = document.offset(params.position);
        let place = match document.is_btor2() {
            true => {
                let (name, _) = number_at(&document.text, offset)?;
                document.analysis.declaration(name, offset)?.place.clone()
            }
            false => Place::new(&document.text, &document.analysis, offset)?.origin()?.place,
        };
        Some(json!({"uri": uri, "range": document.places(place)}))
    }

    fn completion(&self, params: &AboutPlace) -> Option<Value> {
        let document = self.documents.get(&params.text_document.uri)?;
        let offset = document.offset(params.position);
        let item = |label: &str, kind: u8| json!({"label": label, "kind": kind});
        if document.is_btor2() {
            return Some(btor2::words().map(|word| item(word, OPERATOR)).collect());
        }
        let before = document.analysis.parts.iter().take_while(|part| part.range.start <= offset);
        let mut names = BTreeMap::new();
        for name in before.filter_map(|part| part.declares.as_ref()) {
            names.insert(&name.name, &name.detail);
        }
        let names = names
            .iter()
            .map(|(name, detail)| json!({"label": print::symbol(name), "kind": VARIABLE, "detail": detail}));
        let commands = smtlib::command_names().map(|name| item(name, KEYWORD));
        let operators = Op::names().map(|name| item(name, FUNCTION));
        Some(names.chain(commands).chain(operators).collect())
    }

    fn formatted(&self, params: &About) -> Option<Value> {
        let document = self.documents.get(&params.text_document.uri)?;
        let ranges: Vec<_> = document.analysis.parts.iter().map(|part| part.range.clone()).collect();
        let new_text = match document.is_btor2() {
            true => format::system(&document.text),
            false => format::script(&document.text, &ranges)?,
        };
        let whole = document.places(0..document.text.len());
        Some(match new_text == document.text {
            true => json!([]),
            false => json!([{"range": whole, "newText": new_text}]),
        })
    }

    /// A word to click on above each check.
    fn lenses(&self, params: &About) -> Option<Value> {
        let uri = &params.text_document.uri;
        let document = self.documents.get(uri)?;
        let checks = document.analysis.parts.iter().filter(|part| part.is_check);
        let lens = |part: &crate::analysis::Part| {
            let command = json!({"title": "check", "command": RUN, "arguments": [uri]});
            json!({"range": document.places(part.range.clone()), "command": command})
        };
        Some(checks.map(lens).collect())
    }

    fn execute(&mut self, params: &Execute) -> Result<Value, Refusal> {
        let invalid = |problem: &str| (ErrorCode::InvalidParams, problem.to_owned());
        let uri = params.arguments.first().and_then(|value| value.as_str());
        let uri = uri.ok_or_else(|| invalid("expected the name of a document"))?.to_owned();
        match params.command.as_str() {
            RUN => {
                let document = self.documents.get(&uri).ok_or_else(|| invalid("the document is not open"))?;
                if document.is_btor2() {
                    return Err(invalid("systems are checked by bivalve check-model"));
                }
                let (text, version) = (document.text.clone(), document.version);
                self.stop(&uri);
                let cancel = Arc::new(AtomicBool::new(false));
                self.runs.insert(uri.clone(), cancel.clone());
                let results = self.results.clone();
                std::thread::spawn(move || {
                    let answers = check::run(&text, &cancel);
                    // A run that was ended is of no interest, nor is one whose editor is gone.
                    if !cancel.load(Ordering::Relaxed) {
                        let _ = results.send((uri, version, answers));
                    }
                });
            }
            STOP => self.stop(&uri),
            other => return Err(invalid(&format!("expected {RUN} or {STOP}, found {other}"))),
        }
        Ok(Value::Null)
    }
}

/// A diagnostic as the protocol has it.
fn note(document: &Document, range: std::ops::Range<usize>, severity: u8, message: &str) -> Value {
    let range = document.places(range);
    json!({"range": range, "severity": severity, "source": "bivalve", "message": message})
}

/// Why a request is not answered.
type Refusal = (ErrorCode, String);

fn parameters<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// Answers a request.
fn with<P: DeserializeOwned>(
    request: Request,
    answer: impl FnOnce(P) -> Option<Value>,
) -> Result<Value, Refusal> {
    let method = request.method.clone();
    let (_, params) = request
        .extract(&method)
        .map_err(|error: ExtractError<Request>| (ErrorCode::InvalidParams, error.to_string()))?;
    Ok(answer(params).unwrap_or(Value::Null))
}

/// The number of a node at a place of a system; a sign is none of it.
fn number_at(text: &str, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let start = offset - bytes[..offset].iter().rev().take_while(|byte| is_digit(byte)).count();
    let end = offset + bytes[offset..].iter().take_while(|byte| is_digit(byte)).count();
    (start < end).then(|| (&text[start..end], start..end))
}

/// A value, with what a floating-point number is in decimal and hexadecimal behind it.
fn explained(value: &str) -> String {
    match value.parse::<Float>() {
        Ok(number) => format!("{value} ; {}, {}", number.to_decimal(), number.to_hexadecimal()),
        Err(_) => value.to_owned(),
    }
}
