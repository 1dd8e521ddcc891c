//! A scripted editor: what it is told and shown, for scripts and systems, right and wrong ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

struct Editor {
    connection: Connection,
    server: JoinHandle<()>,
    requests: i32,
}

impl Editor {
    fn new() -> Editor {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || bivalve_language_server::serve(&server).unwrap());
        let mut editor = Editor { connection, server, requests: 0 };
        let answer = editor.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let request = Request::new(self.requests.into(), method.to_owned(), params);
        self.connection.sender.send(request.into()).unwrap();
        match self.receive() {
            Message::Response(response) => match response.response_result {
                Ok(result) => result,
                Err(error) => json!({"error": error.message}),
            },
            other => panic!("{other:?}"),
        }
    }

    /// The diagnostics that come next: line, first and last column, severity, message.
    fn diagnostics(&self) -> Vec<(u64, u64, u64, u64, String)> {
        let Message::Notification(told) = self.receive() else { panic!("a notification comes") };
        assert_eq!(told.method, "textDocument/publishDiagnostics");
        let all = told.params["diagnostics"].as_array().unwrap().clone();
        let number = |value: &Value| value.as_u64().unwrap();
        let one = |shown: &Value| {
            let [start, end] = ["start", "end"].map(|end| &shown["range"][end]);
            let places = (number(&start["line"]), number(&start["character"]), number(&end["character"]));
            let message = shown["message"].as_str().unwrap().to_owned();
            (places.0, places.1, places.2, number(&shown["severity"]), message)
        };
        all.iter().map(one).collect()
    }

    fn open(&self, uri: &str, text: &str) -> Vec<(u64, u64, u64, u64, String)> {
        let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.diagnostics()
    }

    fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let place = json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
        self.ask(method, place)
    }

    fn hover(&mut self, uri: &str, line: u32, character: u32) -> Option<String> {
        let shown = self.at("textDocument/hover", uri, line, character);
        let text = shown["contents"]["value"].as_str()?;
        Some(text.trim_start_matches("```smt2\n").trim_end_matches("\n```").to_owned())
    }

    /// The place of a definition: line and columns.
    fn definition(&mut self, uri: &str, line: u32, character: u32) -> Option<[u64; 3]> {
        let place = self.at("textDocument/definition", uri, line, character);
        let range = place.get("range")?;
        let [start, end] = ["start", "end"].map(|end| &range[end]);
        Some([&start["line"], &start["character"], &end["character"]].map(|value| value.as_u64().unwrap()))
    }

    fn leave(mut self) {
        assert_eq!(self.ask("shutdown", json!(null)), Value::Null);
        self.tell("exit", json!(null));
        self.server.join().unwrap();
    }
}

const SCRIPT: &str = "\
; 𝄞 one symbol of two units
(declare-const x (_ BitVec 8))
(declare-fun |f g| ((_ BitVec 8)) (_ BitVec 4))
(define-fun low ((y (_ BitVec 8))) (_ BitVec 4) ((_ extract 3 0) y))
(assert (let ((x (bvadd x #x01)) (z x)) (= (low x) (|f g| z) #b0011)))
(assert (bvult x #x10))
(check-sat)
(assert false)
(check-sat)
";

#[test]
fn names_have_sorts_places_and_values() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    assert_eq!(editor.open(uri, SCRIPT), []);
    let mut hover = |line, character| editor.hover(uri, line, character).unwrap_or_default();
    assert_eq!(hover(5, 15), "x : (_ BitVec 8)");
    assert_eq!(hover(5, 10), "Bool");
    assert_eq!(hover(4, 48), "x : let (bvadd x #x01)");
    // Of the outer symbol, not of the binding beside it.
    assert_eq!(hover(4, 36), "x : (_ BitVec 8)");
    assert_eq!(hover(3, 66), "y : (_ BitVec 8)");
    assert_eq!(hover(3, 52), "(_ BitVec 4)");
    assert_eq!(hover(4, 54), "f g : ((_ BitVec 8)) → (_ BitVec 4)");
    assert_eq!(hover(0, 3), "");
    assert_eq!(editor.definition(uri, 5, 15), Some([1, 15, 16]));
    assert_eq!(editor.definition(uri, 4, 48), Some([4, 15, 16]));
    assert_eq!(editor.definition(uri, 4, 54), Some([2, 13, 18]));
    assert_eq!(editor.definition(uri, 3, 66), Some([3, 18, 19]));
    assert_eq!(editor.definition(uri, 5, 10), None);

    let lenses = editor.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let lines: Vec<u64> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [6, 8]);
    let run = lenses[0]["command"].clone();
    editor.ask("workspace/executeCommand", run);
    let shown = editor.diagnostics();
    assert_eq!(shown, [(6, 0, 11, 3, "sat".to_owned()), (8, 0, 11, 3, "unsat".to_owned())]);
    assert_eq!(editor.hover(uri, 5, 15).unwrap(), "x : (_ BitVec 8)\n= #b00000010");
    assert_eq!(editor.hover(uri, 4, 18).unwrap(), "(_ BitVec 8)\n= #b00000011");
    assert_eq!(
        editor.hover(uri, 4, 54).unwrap_or_default().lines().next().unwrap(),
        "f g : ((_ BitVec 8)) → (_ BitVec 4)"
    );
    // Another text has no answers yet.
    let change = json!({"text": "(declare-const x Bool)(check-sat"});
    let document = json!({"uri": uri, "version": 2});
    editor.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
    let shown = editor.diagnostics();
    assert_eq!(shown.len(), 1);
    assert!(shown[0].4.contains("the parenthesis at 1:23 is not closed"), "{shown:?}");
    editor.leave();
}

#[test]
fn faults_are_shown_where_they_are() {
    let mut editor = Editor::new();
    let text = "(assert (bvult |é| #x10)) (frob)\n(declare-const é Bool)\n(declare-const 𝄞 Bool)\n(assert (not undeclared))(assert |é|)\n";
    let shown = editor.open("file:///a.smt2", text);
    let places: Vec<(u64, u64, u64)> = shown.iter().map(|shown| (shown.0, shown.1, shown.2)).collect();
    assert!(shown.iter().all(|shown| shown.3 == 1), "{shown:?}");
    assert_eq!(places[0], (0, 15, 18), "{shown:?}");
    assert!(places.contains(&(0, 27, 31)) && places.contains(&(3, 13, 23)), "{shown:?}");
    // Requests about what is not there have no answers, and the server stays.
    assert_eq!(editor.hover("file:///other.smt2", 0, 0), None);
    let refused =
        editor.ask("workspace/executeCommand", json!({"command": "bivalve.run", "arguments": ["x"]}));
    assert_eq!(refused["error"], "the document is not open");
    assert!(editor.ask("textDocument/hover", json!({}))["error"].is_string());
    assert_eq!(editor.ask("textDocument/rename", json!({}))["error"], "there is no textDocument/rename here");
    editor.leave();
}

#[test]
fn scripts_are_completed_and_formatted() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    editor.open(uri, "(declare-const  |a b|\n Bool)   (assert\n\n|a b|)\n(declare-const later Bool)");
    let items = editor.at("textDocument/completion", uri, 2, 0);
    let labels: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(["|a b|", "check-sat", "bvadd"].iter().all(|label| labels.contains(label)), "{labels:?}");
    assert!(!labels.contains(&"later"));
    let edits = editor.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}}),
    );
    let expected = "(declare-const |a b| Bool)\n(assert |a b|)\n(declare-const later Bool)\n";
    assert_eq!(edits[0]["newText"], expected);
    editor.leave();
}

#[test]
fn the_server_answers_during_a_run() {
    let mut editor = Editor::new();
    let uri = "file:///long.smt2";
    let product = "(declare-const x (_ BitVec 128))(declare-const y (_ BitVec 128))
        (assert (= (bvmul x y) #xfedcba9876543210fedcba9876543213))
        (assert (and (bvult #x00000000000000000000000000000001 x) (bvult x y)))
        (assert (not (bvumulo x y)))(check-sat)(check-sat)";
    assert_eq!(editor.open(uri, product), []);
    let command = |name: &str| json!({"command": name, "arguments": [uri]});
    editor.ask("workspace/executeCommand", command("bivalve.run"));
    editor.ask("workspace/executeCommand", command("bivalve.stop"));
    // The server answers, and nothing of the run comes.
    assert_eq!(editor.hover(uri, 0, 15).unwrap(), "x : (_ BitVec 128)");
    editor.leave();
}

#[test]
fn systems_have_faults_definitions_and_completion() {
    let mut editor = Editor::new();
    let uri = "file:///a.btor2";
    let text = "1 sort bitvec 8\n2   state 1 count\n3 one 1\n4 add 1 2 -3 ; next\n5 next 1 2 4\n6 frob 1 2\n";
    let shown = editor.open(uri, text);
    assert_eq!((shown.len(), shown[0].0, shown[0].3), (1, 5, 1), "{shown:?}");
    assert_eq!(editor.hover(uri, 3, 8).unwrap(), "2   state 1 count");
    assert_eq!(editor.definition(uri, 3, 11), Some([2, 0, 1]));
    let items = editor.at("textDocument/completion", uri, 5, 2);
    assert!(items.as_array().unwrap().iter().any(|item| item["label"] == "ulte"));
    let edits = editor.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": true}}),
    );
    assert!(edits[0]["newText"].as_str().unwrap().contains("\n2 state 1 count\n"));
    editor.leave();
}
