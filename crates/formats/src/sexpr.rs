//! Cutting text into S-expressions, without a meaning.
//!
//! Scripts and answers of foreign solvers are looked at as text before, or instead of, being read into terms:
//! which questions a script asks, which list of an output is a core. So a scanner that knows brackets,
//! strings, quoted symbols and comments, and nothing else, is enough. It never fails: a bracket that is not
//! closed (the solver died in the middle of a model) makes one last piece of what is left. It does not
//! recurse.

/// The S-expressions of a text, one after the other, without the blanks and comments between them.
pub struct Items<'a> {
    text: &'a str,
    at: usize,
}

/// The S-expressions of a text.
pub fn items(text: &str) -> Items<'_> {
    Items { text, at: 0 }
}

/// The items inside of a list; `None` if the text is no list, or one that is not closed.
pub fn list(item: &str) -> Option<Items<'_>> {
    let inside = item.strip_prefix('(')?.strip_suffix(')')?;
    (close(item, 0) == item.len()).then(|| items(inside))
}

/// The first word inside of a list: the command, the operator.
pub fn head(item: &str) -> &str {
    let inside = item.strip_prefix('(').unwrap_or("");
    items(inside).next().filter(|word| !word.starts_with('(')).unwrap_or("")
}

/// A symbol without its bars.
pub fn bare(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

/// The content of a string literal; `None` if it is none.
pub fn string(item: &str) -> Option<String> {
    let inside = item.strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.replace("\"\"", "\""))
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.at = blank(self.text, self.at);
        if self.at >= self.text.len() {
            return None;
        }
        let begin = self.at;
        self.at = close(self.text, begin);
        Some(&self.text[begin..self.at])
    }
}

/// The position behind blanks and comments.
fn blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => at += text[at..].find('\n').map_or(text.len() - at, |length| length + 1),
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// The position behind the S-expression that begins at `at`, where something is.
pub fn close(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    loop {
        match bytes.get(at) {
            None => return text.len(),
            Some(quote @ (b'|' | b'"')) => at = behind_quote(text, at, *quote),
            Some(b'(') => (depth, at) = (depth + 1, at + 1),
            // A bracket that nothing opened is an item of its own.
            Some(b')') => (depth, at) = (depth.saturating_sub(1), at + 1),
            Some(b';') => at = blank(text, at),
            Some(byte) if byte.is_ascii_whitespace() => at = blank(text, at),
            Some(_) => {
                let is_word = |byte: &u8| !byte.is_ascii_whitespace() && !b"()|\";".contains(byte);
                at += bytes[at..].iter().take_while(|byte| is_word(byte)).count();
            }
        }
        if depth == 0 {
            return at;
        }
    }
}

/// The position behind a string, in which a doubled quote is one quote, or a quoted symbol.
fn behind_quote(text: &str, at: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = at + 1;
    loop {
        let Some(length) = bytes[at..].iter().position(|&byte| byte == quote) else { return text.len() };
        at += length + 1;
        if quote == b'"' && bytes.get(at) == Some(&b'"') {
            at += 1;
        } else {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_items() {
        let text = "sat ; (\n((x #b1)\n (|a b(| (f (g x) \"c)\"\"\")))(n1 n2)\n()\n(error \"no | at all\")\n";
        let found: Vec<&str> = items(text).collect();
        assert_eq!(found.len(), 5, "{found:?}");
        let inner = |i: usize| list(found[i]).unwrap().collect::<Vec<_>>();
        assert_eq!(inner(1), ["(x #b1)", "(|a b(| (f (g x) \"c)\"\"\"))"]);
        assert_eq!(inner(2), ["n1", "n2"]);
        assert_eq!(inner(3), Vec::<&str>::new());
        assert_eq!((head(found[4]), head("(a)"), head("((a) b)"), head("a")), ("error", "a", "", ""));
        assert_eq!(string("\"a\"\"b\"").as_deref(), Some("a\"b"));
        assert_eq!((bare("|a b|"), bare("a")), ("a b", "a"));
    }

    #[test]
    fn broken_texts_end_somewhere() {
        for text in ["(a", "a)", "(\"", "|", "((((", "))", "(a) (b ; c", "\"\"\"", ";", "é(ü"] {
            assert!(items(text).count() <= 3, "{text}");
        }
        assert!(list("(a").is_none() && list("a)").is_none() && list("(a)(b)").is_none());
        let deep = "(".repeat(1_000_000);
        assert_eq!(items(&deep).count(), 1);
    }
}
