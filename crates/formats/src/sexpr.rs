//! Cutting text into S-expressions, without a meaning.
//!
//! Scripts and answers of foreign solvers are looked at as text before, or instead of, being read into terms:
//! which questions a script asks, which list of an output is a core. So a scanner that recognises brackets,
//! strings, quoted symbols and comments, and nothing else, is enough. [`tokens`] are brackets and atoms,
//! [`items`] are lists and atoms. It never fails: a bracket that is not closed (the solver died in the middle
//! of a model) makes one last piece of what is left. It does not recurse.

use std::ops::Range;

/// A bracket or an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// Its bytes.
    pub text: &'a [u8],
    /// Where it begins in the whole text.
    pub start: usize,
    /// False for a string or quoted symbol that goes to the end of the text because its end is missing.
    pub is_closed: bool,
}

impl Token<'_> {
    /// Where it is in the whole text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The brackets and atoms of a text, one after the other, without the blanks and comments between them.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

/// The brackets and atoms of a text, which need not be UTF-8.
pub fn tokens(text: &[u8]) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = blank(self.text, self.at);
        let is_word = |byte: &&u8| !byte.is_ascii_whitespace() && !b"()|\";".contains(byte);
        let (end, is_closed) = match self.text.get(start)? {
            b'(' | b')' => (start + 1, true),
            quote @ (b'|' | b'"') => behind_quote(self.text, start, *quote),
            _ => (start + self.text[start..].iter().take_while(is_word).count(), true),
        };
        self.at = end;
        Some(Token { text: &self.text[start..end], start, is_closed })
    }
}

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
        let begin = blank(self.text.as_bytes(), self.at);
        self.at = close(self.text, begin);
        (begin < self.at).then(|| &self.text[begin..self.at])
    }
}

/// The position behind the S-expression that begins at `at`.
pub fn close(text: &str, at: usize) -> usize {
    let mut tokens = Tokens { text: text.as_bytes(), at };
    let mut depth = 0usize;
    while let Some(token) = tokens.next() {
        match token.text {
            b"(" => depth += 1,
            // A bracket that nothing opened is an item of its own.
            b")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return tokens.at;
        }
    }
    text.len()
}

/// The position behind blanks and comments.
fn blank(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        match byte {
            b';' => at = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1),
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// The position behind a string, in which a doubled quote is one quote, or a quoted symbol; and whether it
/// has an end.
fn behind_quote(text: &[u8], at: usize, quote: u8) -> (usize, bool) {
    let mut at = at + 1;
    loop {
        let Some(length) = memchr::memchr(quote, &text[at..]) else { return (text.len(), false) };
        at += length + 1;
        if quote == b'"' && text.get(at) == Some(&b'"') {
            at += 1;
        } else {
            return (at, true);
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
    fn tokens_have_places_and_tell_what_is_cut_off() {
        let text = b"(a |b (| ; (\n\"c \"\" )\")\xff |d";
        let found: Vec<Token<'_>> = tokens(text).collect();
        let texts: Vec<&[u8]> = found.iter().map(|token| token.text).collect();
        assert_eq!(texts, [b"(".as_slice(), b"a", b"|b (|", b"\"c \"\" )\"", b")", b"\xff", b"|d"]);
        assert!(found.iter().all(|token| &text[token.range()] == token.text));
        assert_eq!(found.iter().filter(|token| !token.is_closed).count(), 1);
        assert!(!tokens(b"\"a\"\"").next().unwrap().is_closed && tokens(b"\"a\"").next().unwrap().is_closed);
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
