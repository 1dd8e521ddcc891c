//! The examples of the page have the answers that are expected of them, by the SAT backend that the page has.
//!
//! `web/tests/examples.json` has the replies of each script; `npm test` compares them with what the page
//! shows in a browser, and here they are compared with the binary, so that they stay right where there is no
//! browser. A reply that is `null` may be anything: several models are right.

use serde_json::Value;
use std::process::Command;
use workspace_tests::{bivalve, root};

/// The s-expressions and words that a run has printed.
fn replies(printed: &str) -> Vec<String> {
    let (mut replies, mut depth, mut is_quoted) = (vec![String::new()], 0, false);
    for letter in printed.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth -= 1,
            _ => {}
        }
        if letter == '\n' && depth == 0 && !is_quoted {
            replies.push(String::new());
        } else if let Some(reply) = replies.last_mut() {
            reply.push(letter);
        }
    }
    replies.pop();
    replies
}

/// What the page shows of a reply: of an error its words without the place, which is a link there.
fn shown(reply: &str) -> &str {
    let words = reply.strip_prefix("(error \"").and_then(|rest| rest.strip_suffix("\")"));
    words.and_then(|words| words.split_once(": ")).map_or(reply, |(_, words)| words)
}

#[test]
fn examples_of_the_page_have_their_answers() {
    let path = root().join("web/tests/examples.json");
    let text = std::fs::read_to_string(path).expect("a table");
    let table: Value = serde_json::from_str(&text).expect("the table is JSON");
    let table = table.as_object().expect("the table is an object");
    let mut compared = 0;
    for (title, row) in table {
        let file = row["file"].as_str().expect("a row has a file");
        assert!(root().join(file).is_file(), "{title}: {file}");
        let Some(expected) = row["replies"].as_array() else { continue };
        let output = Command::new(bivalve())
            .args(["--sat", "batsat", file])
            .current_dir(root())
            .output()
            .expect("the binary runs");
        let printed = String::from_utf8(output.stdout).expect("replies are text");
        let found = replies(&printed);
        assert_eq!(found.len(), expected.len(), "{title}: {printed}");
        for (found, expected) in found.iter().zip(expected).filter(|(_, expected)| !expected.is_null()) {
            assert_eq!(Some(shown(found)), expected.as_str(), "{title}");
        }
        compared += 1;
    }
    assert!(compared >= 60, "{compared} examples");
    let entries = std::fs::read_dir(root().join("web/src/examples")).expect("the folder of examples");
    for entry in entries {
        let name = format!("web/src/examples/{}", entry.expect("an entry").file_name().to_string_lossy());
        assert!(table.values().any(|row| row["file"] == name.as_str()), "{name} has no row");
    }
}
