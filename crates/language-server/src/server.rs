//! The server: one loop over the messages of the editor and the results of runs.
//!
//! A run works on a copy of the text in a thread of its own; what it finds is shown only if the text has not
//! changed since. A new run, a change, or `bivalve.stop` ends the one before.

use crate::check::{self, Answer};
use crate::document::Document;
use crate::explore::Place;
use crate::format;
use bivalve::terms::{Op, print};
use bivalve_formats::{btor2, smtlib};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, ExtractError, Message, Notification, ProtocolError, Request, Response,
};
use lsp_types::notification as tells;
use lsp_types::notification::Notification as _;
use lsp_types::request as asks;
use lsp_types::request::Request as _;
use lsp_types::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The commands of the server: each takes the name of a document.
const RUN: &str = "bivalve.run";
const STOP: &str = "bivalve.stop";

/// No more of an answer is shown at its command.
const MOST_SHOWN: usize = 500;

/// Serves an editor until it says `exit`.
///
/// # Errors
///
/// When the connection breaks, or the editor does not keep to the protocol.
pub fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    let capabilities = serde_json::to_value(capabilities()).expect("capabilities are plain data");
    connection.initialize(capabilities)?;
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

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncKind::INCREMENTAL.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions::default()),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![RUN.to_owned(), STOP.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
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
            tells::DidOpenTextDocument::METHOD => {
                let Ok(DidOpenTextDocumentParams { text_document: item }) = parameters(told.params) else {
                    return;
                };
                let uri = item.uri.to_string();
                let document = Document::new(&uri, &item.language_id, item.version, item.text);
                self.documents.insert(uri.clone(), document);
                self.changed(&uri);
            }
            tells::DidChangeTextDocument::METHOD => {
                let Ok(DidChangeTextDocumentParams { text_document, content_changes }) =
                    parameters(told.params)
                else {
                    return;
                };
                let uri = text_document.uri.to_string();
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.change(text_document.version, content_changes);
                    self.changed(&uri);
                }
            }
            tells::DidCloseTextDocument::METHOD => {
                let Ok(DidCloseTextDocumentParams { text_document }) = parameters(told.params) else {
                    return;
                };
                let uri = text_document.uri.to_string();
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
        let (Some(document), Ok(name)) = (self.documents.get(uri), uri.parse::<Uri>()) else { return };
        let note = |range, severity, message: String| Diagnostic {
            range: document.places(range),
            severity: Some(severity),
            source: Some("bivalve".to_owned()),
            message,
            ..Diagnostic::default()
        };
        let faults = document.analysis.faults.iter();
        let faults =
            faults.map(|(range, message)| note(range.clone(), DiagnosticSeverity::ERROR, message.clone()));
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
            Some(note(range, DiagnosticSeverity::INFORMATION, text))
        });
        let params = PublishDiagnosticsParams {
            uri: name,
            diagnostics: faults.chain(answers).collect(),
            version: Some(document.version),
        };
        self.send(Notification::new(tells::PublishDiagnostics::METHOD.to_owned(), params));
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
            asks::HoverRequest::METHOD => with(request, |params: HoverParams| self.hover(&params)),
            asks::GotoDefinition::METHOD => with(request, |params: GotoDefinitionParams| {
                self.definition(&params.text_document_position_params)
            }),
            asks::Completion::METHOD => {
                with(request, |params: CompletionParams| self.completion(&params.text_document_position))
            }
            asks::Formatting::METHOD => {
                with(request, |params: DocumentFormattingParams| self.formatted(&params.text_document))
            }
            asks::CodeLensRequest::METHOD => {
                with(request, |params: CodeLensParams| self.lenses(&params.text_document))
            }
            asks::ExecuteCommand::METHOD => match parameters(request.params) {
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

    fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(&uri.to_string())
    }

    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let TextDocumentPositionParams { text_document, position } = &params.text_document_position_params;
        let document = self.document(&text_document.uri)?;
        let offset = document.offset(*position);
        let (text, range) = if document.is_btor2() {
            let (name, range) = number_at(&document.text, offset)?;
            (document.analysis.declaration(name, offset)?.detail.clone(), range)
        } else {
            let place = Place::new(&document.text, &document.analysis, offset)?;
            let answers = self.answers.get(&text_document.uri.to_string()).into_iter().flatten();
            let model = answers.rev().find_map(|answer| answer.model.as_deref());
            let origin = place.origin().map(|name| format!("{} : {}", name.name, name.detail));
            let lines = match (place.meaning(model), origin) {
                (Some((_, Some(value))), Some(origin)) => vec![origin, format!("= {value}")],
                (Some((sort, value)), None) => {
                    std::iter::once(sort).chain(value.map(|value| format!("= {value}"))).collect()
                }
                (_, origin) => vec![origin?],
            };
            (lines.join("\n"), place.range())
        };
        let contents = MarkupContent { kind: MarkupKind::Markdown, value: format!("```smt2\n{text}\n```") };
        Some(Hover { contents: HoverContents::Markup(contents), range: Some(document.places(range)) })
    }

    fn definition(&self, params: &TextDocumentPositionParams) -> Option<GotoDefinitionResponse> {
        let uri = &params.text_document.uri;
        let document = self.document(uri)?;
        let offset = document.offset(params.position);
        let place = match document.is_btor2() {
            true => {
                let (name, _) = number_at(&document.text, offset)?;
                document.analysis.declaration(name, offset)?.place.clone()
            }
            false => Place::new(&document.text, &document.analysis, offset)?.origin()?.place,
        };
        Some(GotoDefinitionResponse::Scalar(Location::new(uri.clone(), document.places(place))))
    }

    fn completion(&self, params: &TextDocumentPositionParams) -> Option<CompletionResponse> {
        let document = self.document(&params.text_document.uri)?;
        let offset = document.offset(params.position);
        let item = |label: &str, kind, detail: Option<&str>| CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: detail.map(str::to_owned),
            ..CompletionItem::default()
        };
        if document.is_btor2() {
            let words = btor2::words().map(|word| item(word, CompletionItemKind::OPERATOR, None));
            return Some(CompletionResponse::Array(words.collect()));
        }
        let before = document.analysis.parts.iter().take_while(|part| part.range.start <= offset);
        let mut names = BTreeMap::new();
        for name in before.filter_map(|part| part.declares.as_ref()) {
            names.insert(&name.name, &name.detail);
        }
        let names = names
            .iter()
            .map(|(name, detail)| item(&print::symbol(name), CompletionItemKind::VARIABLE, Some(detail)));
        let commands = smtlib::command_names().map(|name| item(name, CompletionItemKind::KEYWORD, None));
        let operators = Op::all().map(Op::name).filter(|name| !name.is_empty());
        let operators = operators.map(|name| item(name, CompletionItemKind::FUNCTION, None));
        Some(CompletionResponse::Array(names.chain(commands).chain(operators).collect()))
    }

    fn formatted(&self, document: &TextDocumentIdentifier) -> Option<Vec<TextEdit>> {
        let document = self.document(&document.uri)?;
        let ranges: Vec<_> = document.analysis.parts.iter().map(|part| part.range.clone()).collect();
        let new_text = match document.is_btor2() {
            true => format::system(&document.text),
            false => format::script(&document.text, &ranges)?,
        };
        let whole = document.places(0..document.text.len());
        Some(if new_text == document.text { vec![] } else { vec![TextEdit::new(whole, new_text)] })
    }

    /// A word to click on above each check.
    fn lenses(&self, identifier: &TextDocumentIdentifier) -> Option<Vec<CodeLens>> {
        let document = self.document(&identifier.uri)?;
        let checks = document.analysis.parts.iter().filter(|part| part.is_check);
        let lens = |part: &crate::analysis::Part| CodeLens {
            range: document.places(part.range.clone()),
            command: Some(Command::new(
                "check".to_owned(),
                RUN.to_owned(),
                Some(vec![identifier.uri.to_string().into()]),
            )),
            data: None,
        };
        Some(checks.map(lens).collect())
    }

    fn execute(&mut self, params: &ExecuteCommandParams) -> Result<serde_json::Value, Refusal> {
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
        Ok(serde_json::Value::Null)
    }
}

/// Why a request is not answered.
type Refusal = (ErrorCode, String);

fn parameters<T: DeserializeOwned>(params: serde_json::Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// Answers a request.
fn with<P: DeserializeOwned, R: Serialize>(
    request: Request,
    answer: impl FnOnce(P) -> R,
) -> Result<serde_json::Value, Refusal> {
    let method = request.method.clone();
    let (_, params) = request
        .extract(&method)
        .map_err(|error: ExtractError<Request>| (ErrorCode::InvalidParams, error.to_string()))?;
    serde_json::to_value(answer(params)).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// The number of a node at a place of a system; a sign is none of it.
fn number_at(text: &str, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = text.as_bytes();
    let start = offset - bytes[..offset].iter().rev().take_while(|byte| is_digit(byte)).count();
    let end = offset + bytes[offset..].iter().take_while(|byte| is_digit(byte)).count();
    (start < end).then(|| (&text[start..end], start..end))
}
