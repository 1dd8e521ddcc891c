//! The part of the language server protocol (3.17) that is spoken here: places, and what messages bring.
//!
//! What is sent is written as JSON where it is made. A crate with the types of the whole protocol takes
//! longer to compile than any crate of this workspace.

use serde::{Deserialize, Serialize};

/// A line and a UTF-16 code unit within it, from zero.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// From one place to before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Places {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// A change of a text: of a part, or of all of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) range: Option<Places>,
    pub(crate) text: String,
}

/// A document that is named.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    pub(crate) uri: String,
}

/// A message about a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    pub(crate) text_document: Named,
}

/// A question about a place in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutPlace {
    pub(crate) text_document: Named,
    pub(crate) position: Position,
}

/// A question about a part of a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutPart {
    pub(crate) text_document: Named,
    pub(crate) range: Places,
}

/// A question about the places of a name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Referring {
    pub(crate) text_document: Named,
    pub(crate) position: Position,
    pub(crate) context: Reference,
}

/// Which places are of interest.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reference {
    pub(crate) include_declaration: bool,
}

/// The request for another name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Renaming {
    pub(crate) text_document: Named,
    pub(crate) position: Position,
    pub(crate) new_name: String,
}

/// A document that is opened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    pub(crate) uri: String,
    pub(crate) language_id: String,
    pub(crate) version: i32,
    pub(crate) text: String,
}

/// The message that opens a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opening {
    pub(crate) text_document: Opened,
}

/// A document and its new version.
#[derive(Debug, Deserialize)]
pub(crate) struct Versioned {
    pub(crate) uri: String,
    pub(crate) version: i32,
}

/// The message that changes a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changing {
    pub(crate) text_document: Versioned,
    pub(crate) content_changes: Vec<Change>,
}

/// The request for a command of the server.
#[derive(Debug, Deserialize)]
pub(crate) struct Execute {
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Vec<serde_json::Value>,
}
