//! The layout that btor2parser insists on.

use crate::diagnostic::DiagnosticKind;
use crate::text::{Read, Text};

/// Refuses what btor2parser does not read although its meaning is clear: tabs, carriage returns, several
/// blanks between words, a comment without a blank before it, and a last line without line feed.
pub(super) fn check_layout(text: Text<'_>) -> Read<()> {
    let refuse = |at: usize, expected: &str, found: &str| {
        Err(text.refuse(DiagnosticKind::Strict, at..at + 1, expected, found))
    };
    let mut start = 0;
    for line in text.bytes.split_inclusive(|&byte| byte == b'\n') {
        let indent = line.iter().take_while(|&&byte| byte == b' ').count();
        // Comments hold anything.
        let comment = line.iter().position(|&byte| byte == b';').unwrap_or(line.len());
        for (i, &byte) in line[..comment].iter().enumerate() {
            match byte {
                b'\t' => return refuse(start + i, "a blank", "a tab"),
                b'\r' => return refuse(start + i, "a line feed", "a carriage return"),
                b' ' if i >= indent && matches!(line.get(i + 1), Some(b' ' | b'\n')) => {
                    return refuse(start + i, "one blank between words", "another blank");
                }
                _ => {}
            }
        }
        if comment < line.len() && comment > indent && line[comment - 1] != b' ' {
            return refuse(start + comment, "a blank before the comment", "';'");
        }
        start += line.len();
    }
    match text.bytes.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => {
            let end = text.bytes.len();
            Err(text.refuse(DiagnosticKind::Strict, end..end, "a line feed", "end of input"))
        }
    }
}
