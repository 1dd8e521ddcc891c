//! Refusals in the words of CVC: types and operators as a text of CVC has them.

use crate::mismatch::Mismatch;
use bivalve_terms::SortError;

/// No type that a message names is longer.
const LONGEST: usize = 4096;

/// A refusal of the pool; `name` is how the operator is written.
pub(super) fn mismatch(error: SortError, name: Option<&str>) -> Mismatch {
    let Mismatch { argument, expected, found } = Mismatch::new(error, name);
    Mismatch { argument, expected: types(&expected), found: types(&found) }
}

/// A phrase of a message with sorts of SMT-LIB as types of CVC: `type BITVECTOR(8)` for `sort (_ BitVec 8)`.
pub(super) fn types(phrase: &str) -> String {
    if phrase.len() > LONGEST {
        return phrase.to_owned();
    }
    let phrase = phrase.replace("(_ BitVec ", "BITVECTOR(");
    let words = phrase.split(' ').map(|word| match word.trim_end_matches(')') {
        "Bool" => word.replace("Bool", "BOOLEAN"),
        "sort" => word.replace("sort", "type"),
        _ => word.to_owned(),
    });
    let mut text = words.collect::<Vec<_>>().join(" ");
    // The last one has none inside.
    while let Some(start) = text.rfind("(Array ") {
        let inner = &text[start + "(Array ".len()..];
        let end = length(inner, b')');
        let index = length(inner, b' ');
        let Some((index, element)) = inner[..end].split_at_checked(index) else { break };
        let array = format!("ARRAY {index} OF {}", element.trim_start());
        text.replace_range(start..(start + "(Array ".len() + end + 1).min(text.len()), &array);
    }
    text
}

/// The length of a text up to a sign that stands in no parenthesis.
fn length(text: &str, sign: u8) -> usize {
    let mut depth = 0u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if byte == sign && depth == 0 => return at,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::types;

    #[test]
    fn sorts_are_types() {
        for (theirs, ours) in [
            ("sort (_ BitVec 8)", "type BITVECTOR(8)"),
            ("a term of sort Bool", "a term of type BOOLEAN"),
            (
                "sort (Array (_ BitVec 4) (Array (_ BitVec 2) Bool))",
                "type ARRAY BITVECTOR(4) OF ARRAY BITVECTOR(2) OF BOOLEAN",
            ),
            ("sort (Array S Bool) as argument 1", "type ARRAY S OF BOOLEAN as argument 1"),
            ("'x'", "'x'"),
            ("(Array ", "ARRAY  OF "),
            ("(Array x", "ARRAY x OF "),
        ] {
            assert_eq!(types(theirs), ours);
        }
    }
}
