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
        let legend = &answer["capabilities"]["semanticTokensProvider"]["legend"];
        assert_eq!(legend["tokenTypes"], json!(KINDS));
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

    /// The line and first column of each place of a name.
    fn references(
        &mut self,
        uri: &str,
        line: u32,
        character: u32,
        include_declaration: bool,
    ) -> Vec<[u64; 2]> {
        let place = json!({"line": line, "character": character});
        let context = json!({"includeDeclaration": include_declaration});
        let document = json!({"uri": uri});
        let asked = json!({"textDocument": document, "position": place, "context": context});
        let found = self.ask("textDocument/references", asked);
        found.as_array().unwrap_or(&vec![]).iter().map(start).collect()
    }

    /// What becomes of a name: the places and the new text, or the reason why not.
    fn rename(
        &mut self,
        uri: &str,
        line: u32,
        character: u32,
        name: &str,
    ) -> Result<(Vec<[u64; 2]>, String), String> {
        let place = json!({"line": line, "character": character});
        let asked = json!({"textDocument": {"uri": uri}, "position": place, "newName": name});
        let answer = self.ask("textDocument/rename", asked);
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => {
                let edits = answer["changes"][uri].as_array().unwrap();
                let text = edits[0]["newText"].as_str().unwrap().to_owned();
                Ok((edits.iter().map(start).collect(), text))
            }
        }
    }

    /// The words with their kinds: line, first column, length, kind, and whether it is declared there.
    fn words(&mut self, uri: &str) -> Vec<(u64, u64, u64, &'static str, bool)> {
        let answer = self.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
        let numbers: Vec<u64> =
            answer["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
        let (mut line, mut column) = (0, 0);
        let words = numbers.chunks(5).map(|word| {
            column = if word[0] == 0 { column + word[1] } else { word[1] };
            line += word[0];
            (line, column, word[2], KINDS[word[3] as usize], word[4] == 1)
        });
        words.collect()
    }

    fn leave(mut self) {
        assert_eq!(self.ask("shutdown", json!(null)), Value::Null);
        self.tell("exit", json!(null));
        self.server.join().unwrap();
    }
}

/// The kinds of words, as the legend has them that the server sends.
const KINDS: [&str; 10] = [
    "keyword",
    "type",
    "function",
    "variable",
    "parameter",
    "number",
    "string",
    "comment",
    "property",
    "operator",
];

/// Where a range of an answer begins.
fn start(shown: &Value) -> [u64; 2] {
    ["line", "character"].map(|key| shown["range"]["start"][key].as_u64().unwrap())
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
fn floats_and_quantifiers_have_sorts_and_values() {
    let mut editor = Editor::new();
    let uri = "file:///floats.smt2";
    let text = "(declare-const x Float32)\n(declare-const m RoundingMode)\n(declare-const y Float64)\n\
        (assert (= x ((_ to_fp 8 24) RNE 0.1)))\n(assert (fp.isNaN y))\n(assert (fp.lt (fp.add m x x) x))\n\
        (check-sat)\n(assert (fp.lt x x x))\n(assert (forall ((z Float32)) (fp.leq z z)))\n(assert (fp.add x x))\n";
    let faults = editor.open(uri, text);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!((faults[0].0, faults[0].1), (9, 8), "{faults:?}");
    assert_eq!(editor.hover(uri, 3, 11).unwrap(), "x : Float32");
    assert_eq!(editor.hover(uri, 5, 16).unwrap(), "(_ FloatingPoint 8 24)");
    let whole = text.lines().filter(|line| !line.contains("m x x")).take(6).collect::<Vec<_>>().join("\n");
    let uri = "file:///values.smt2";
    assert_eq!(editor.open(uri, &whole), []);
    let run = json!({"command": "bivalve.run", "arguments": [uri]});
    editor.ask("workspace/executeCommand", run);
    assert_eq!(editor.diagnostics()[0].4, "sat");
    let tenth = "(fp #b0 #b01111011 #b10011001100110011001101)";
    assert_eq!(editor.hover(uri, 3, 11).unwrap(), format!("x : Float32\n= {tenth} ; 0.1, 0x1.99999ap-4"));
    assert_eq!(editor.hover(uri, 4, 18).unwrap(), "y : Float64\n= (_ NaN 11 53) ; NaN, NaN");
    let completions = editor.at("textDocument/completion", uri, 4, 10);
    let has = |name: &str| completions.as_array().unwrap().iter().any(|item| item["label"] == name);
    assert!(has("fp.isNaN") && has("to_fp") && has("fp.roundToIntegral"));
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
    let unknown = editor.ask("textDocument/implementation", json!({}));
    assert_eq!(unknown["error"], "there is no textDocument/implementation here");
    editor.leave();
}

/// Thirty lines that stand for a billion terms held the editor for ever.
#[test]
fn definitions_are_not_expanded_without_end() {
    let step = |n: u32| {
        let below = format!("f{}", n - 1);
        format!(
            "(define-fun f{n} ((a (_ BitVec 32))) (_ BitVec 32) ({below} (bvadd ({below} a) ({below} (bvnot a)))))\n"
        )
    };
    let text = format!(
        "(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvmul a a))\n{}(assert (bvult p p))\n",
        (1..=40).map(step).collect::<String>()
    );
    let editor = Editor::new();
    let faults = editor.open("file:///large.smt2", &text);
    assert!(faults.iter().any(|fault| fault.4.contains("within the limits")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.4.contains("'p'")), "what follows is read: {faults:?}");
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

#[test]
fn all_places_of_a_name_are_found_and_changed() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    assert_eq!(editor.open(uri, SCRIPT), []);
    // The declared x, not that of the binding.
    assert_eq!(editor.references(uri, 1, 15, true), [[1, 15], [4, 24], [4, 36], [5, 15]]);
    assert_eq!(editor.references(uri, 5, 15, false), [[4, 24], [4, 36], [5, 15]]);
    assert_eq!(editor.references(uri, 4, 15, true), [[4, 15], [4, 48]]);
    assert_eq!(editor.references(uri, 3, 66, true), [[3, 18], [3, 65]]);
    assert_eq!(editor.references(uri, 2, 14, true), [[2, 13], [4, 52]]);
    for (line, character) in [(0, 3), (1, 2), (1, 20), (4, 60), (5, 10), (99, 0)] {
        assert_eq!(editor.references(uri, line, character, true), [[0; 2]; 0], "{line}:{character}");
    }
    let mut rename = |line, character, name: &str| editor.rename(uri, line, character, name);
    assert_eq!(rename(5, 15, "a b"), Ok((vec![[1, 15], [4, 24], [4, 36], [5, 15]], "|a b|".to_owned())));
    assert_eq!(rename(3, 66, "w"), Ok((vec![[3, 18], [3, 65]], "w".to_owned())));
    // Names that are in the script, or that the theories own, would change what it says.
    for (name, problem) in [
        ("z", "'z' is in the script already"),
        ("|f g|", "'f g' is in the script already"),
        ("bvxor", "'bvxor' cannot be the name: "),
        ("a|b", "expected a symbol without '|'"),
        ("", "expected a symbol without '|'"),
    ] {
        let refusal = rename(5, 15, name).unwrap_err();
        assert!(refusal.starts_with(problem), "{refusal}");
    }
    assert!(rename(1, 2, "a").unwrap_err().starts_with("there is no name here"));
    let shown = editor.at("textDocument/prepareRename", uri, 2, 14);
    assert_eq!((start(&shown), &shown["placeholder"]), ([2, 13], &json!("f g")));
    assert_eq!(editor.at("textDocument/prepareRename", uri, 5, 10), Value::Null);
    // Labels, parameters of sorts, and a name that is declared again.
    let uri = "file:///b.smt2";
    let text = "(declare-sort S 0)(define-sort P (S) (Array S S))(declare-const s (P S))
(push)(declare-const p Bool)(assert (! p :named n))(pop)
(declare-const p Bool)(assert (! p :named n))(check-sat-assuming (p n))(echo \"p\")
";
    assert_eq!(editor.open(uri, text), []);
    assert_eq!(editor.references(uri, 0, 14, true), [[0, 14], [0, 69]]);
    assert_eq!(editor.references(uri, 0, 34, true), [[0, 34], [0, 44], [0, 46]]);
    assert_eq!(editor.references(uri, 1, 21, true), [[1, 21], [1, 39]]);
    assert_eq!(editor.references(uri, 2, 66, true), [[2, 15], [2, 33], [2, 66]]);
    assert_eq!(editor.references(uri, 2, 68, true), [[2, 42], [2, 68]]);
    editor.leave();
}

#[test]
fn declarations_labels_and_checks_are_the_outline() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    editor.open(
        uri,
        &SCRIPT.replace("(assert false)", "(assert (! false :named |never|))(declare-sort S 0)(frob"),
    );
    let outline = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    let shown: Vec<(&str, &str, u64)> = outline
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap();
            (text("name"), text("detail"), one["kind"].as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("x", "(_ BitVec 8)", 14),
        ("|f g|", "((_ BitVec 8)) → (_ BitVec 4)", 12),
        ("low", "((y (_ BitVec 8))) → (_ BitVec 4)", 12),
        ("check-sat", "", 24),
        ("|never|", "a label", 20),
        ("S", "a sort", 5),
    ];
    assert_eq!(shown, expected);
    assert_eq!(outline[1]["selectionRange"]["start"], json!({"line": 2, "character": 13}));
    editor.leave();
}

#[test]
fn a_mistyped_name_is_mended() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    let text = "(declare-const |my counter| Bool)\n(assert (or |my countre| (nto true)))\n(chek-sat)\n";
    let faults = editor.open(uri, text);
    let mut mend = |line: u32| {
        let place = json!({"line": line, "character": 0});
        let end = json!({"line": line, "character": 99});
        let asked = json!({
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": end},
            "context": {"diagnostics": []},
        });
        let actions = editor.ask("textDocument/codeAction", asked);
        let one = |action: &Value| {
            let edit = &action["edit"]["changes"][uri][0];
            assert_eq!(action["diagnostics"][0]["range"], edit["range"]);
            (start(edit), edit["newText"].as_str().unwrap().to_owned(), action["title"].to_string())
        };
        actions.as_array().unwrap().iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert_eq!(mend(0), []);
    assert_eq!(mend(1), [([1, 12], "|my counter|".to_owned(), "\"change to |my counter|\"".to_owned())]);
    assert_eq!(mend(2), [([2, 1], "check-sat".to_owned(), "\"change to check-sat\"".to_owned())]);
    editor.leave();
}

#[test]
fn words_have_their_kinds() {
    let mut editor = Editor::new();
    let uri = "file:///a.smt2";
    let text = "; é𝄞 (\n(declare-fun f (Bool) Bool)(assert (! (let ((y true)) (f y)) :named |a\nb|)) ; (\n(echo \"x\") (assert (= (_ bv1 8) #x01";
    editor.open(uri, text);
    let expected = [
        (0, 0, 7, "comment", false),
        (1, 1, 11, "keyword", false),
        (1, 13, 1, "function", true),
        (1, 16, 4, "type", false),
        (1, 22, 4, "type", false),
        (1, 28, 6, "keyword", false),
        (1, 36, 1, "keyword", false),
        (1, 39, 3, "keyword", false),
        (1, 45, 1, "parameter", false),
        (1, 47, 4, "keyword", false),
        (1, 55, 1, "function", false),
        (1, 57, 1, "parameter", false),
        (1, 61, 6, "property", false),
        (1, 68, 2, "variable", true),
        (2, 0, 2, "variable", true),
        (2, 5, 3, "comment", false),
        (3, 1, 4, "keyword", false),
        (3, 6, 3, "string", false),
        (3, 12, 6, "keyword", false),
        (3, 20, 1, "operator", false),
        (3, 23, 1, "keyword", false),
        (3, 25, 3, "number", false),
        (3, 29, 1, "number", false),
        (3, 32, 4, "number", false),
    ];
    assert_eq!(editor.words(uri), expected);
    let range = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 5}});
    let asked = json!({"textDocument": {"uri": uri}, "range": range});
    let part = editor.ask("textDocument/semanticTokens/range", asked);
    assert_eq!(part["data"], json!([1, 68, 2, 3, 1, 1, 0, 2, 3, 1]));
    let uri = "file:///a.btor2";
    editor.open(uri, "1 sort bitvec 8\n2 state 1 count\n3 slice 1 -2 7 0 ; low\n");
    let expected = [
        (0, 0, 1, "variable", true),
        (0, 2, 4, "keyword", false),
        (0, 7, 6, "number", false),
        (0, 14, 1, "number", false),
        (1, 0, 1, "variable", true),
        (1, 2, 5, "keyword", false),
        (1, 8, 1, "variable", false),
        (1, 10, 5, "property", false),
        (2, 0, 1, "variable", true),
        (2, 2, 5, "keyword", false),
        (2, 8, 1, "variable", false),
        (2, 11, 1, "variable", false),
        (2, 13, 1, "number", false),
        (2, 15, 1, "number", false),
        (2, 17, 5, "comment", false),
    ];
    assert_eq!(editor.words(uri), expected);
    assert_eq!(editor.references(uri, 0, 0, true), [[0, 0], [1, 8], [2, 8]]);
    assert_eq!(editor.references(uri, 2, 11, false), [[2, 11]]);
    assert!(editor.rename(uri, 0, 0, "9").unwrap_err().contains("numbers"));
    let outline = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    assert_eq!([&outline[0]["name"], &outline[1]["name"]], ["sort 1", "count"]);
    editor.leave();
}

/// Text is broken most of the time while it is typed.
#[test]
fn whatever_is_typed_has_answers() {
    let mut editor = Editor::new();
    let system = "1 sort bitvec 8\n2 state 1 é\n3 justice 9 1 -2\n4 slice 1 2 7 0 ; c\n";
    for (uri, whole) in [("file:///a.smt2", SCRIPT), ("file:///a.btor2", system)] {
        editor.open(uri, whole);
        let cuts: Vec<usize> = whole.char_indices().map(|(at, _)| at).step_by(5).collect();
        for (version, &cut) in (2..).zip(&cuts) {
            let broken =
                format!("{}{}", &whole[..cut], whole[cut..].split_at(whole[cut..].ceil_char_boundary(3)).1);
            for text in [&whole[..cut], &broken] {
                let document = json!({"uri": uri, "version": version});
                let change = json!({"textDocument": document, "contentChanges": [{"text": text}]});
                editor.tell("textDocument/didChange", change);
                editor.diagnostics();
                let line = text.matches('\n').count() as u32;
                let place = json!({"line": line, "character": 3});
                let range = json!({"start": {"line": 0, "character": 1}, "end": place});
                for (method, more) in [
                    ("textDocument/documentSymbol", json!({})),
                    ("textDocument/references", json!({"context": {"includeDeclaration": true}})),
                    ("textDocument/prepareRename", json!({})),
                    ("textDocument/semanticTokens/full", json!({})),
                    ("textDocument/semanticTokens/range", json!({})),
                    ("textDocument/codeAction", json!({})),
                    ("textDocument/hover", json!({})),
                ] {
                    let mut asked = json!({"textDocument": {"uri": uri}, "position": place, "range": range});
                    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                    let answer = editor.ask(method, asked);
                    assert!(answer.get("error").is_none(), "{method}: {answer}");
                }
                let _ = editor.rename(uri, line, 3, "other");
            }
        }
    }
    editor.leave();
}
