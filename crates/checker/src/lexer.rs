//! Commands of SMT-LIB 2 as trees of atoms and lists, one command at a time (Reference 2.7, section 3.1).
//!
//! Nodes lie in one vector, and open lists on a stack, so depth is memory. A comment ends at a line feed or a
//! carriage return. Text outside of ASCII may stand in comments, strings and quoted symbols; any other byte
//! that begins no token is an error. A reserved word between bars is an ordinary symbol, and the word itself
//! never is a name. As the solver does, the lexer takes numerals with leading zeros, backslashes in quoted
//! symbols and form feeds as blanks, which the standard does not have.

/// A node, by its place in [`Tree::nodes`].
pub(crate) type Id = usize;

/// An atom or a list.
pub(crate) enum Node {
    /// A simple symbol, or a reserved word.
    Symbol(String),
    /// What stands between bars.
    Quoted(String),
    Numeral(String),
    /// A binary or hexadecimal literal, as written.
    Bits(String),
    Keyword(String),
    /// A string.
    Text,
    Decimal(String),
    List(Vec<Id>),
}

/// The words that shape terms: nothing has such a name.
const WORDS: [&str; 7] = ["let", "!", "_", "as", "forall", "exists", "match"];

/// Whether a text has digits, and nothing else.
pub(crate) fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is digits, with a point between them or without.
pub(crate) fn is_number(text: &str) -> bool {
    text.split('.').count() <= 2 && text.split('.').all(is_decimal)
}

/// A command.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The elements of a list; an atom is none.
    pub(crate) fn list(&self, id: Id) -> Result<&[Id], String> {
        match &self.nodes[id] {
            Node::List(elements) => Ok(elements),
            _ => Err("a list was expected".into()),
        }
    }

    /// The name that must stand there.
    pub(crate) fn name(&self, id: Id) -> Result<&str, String> {
        self.symbol(id).ok_or_else(|| "a name was expected".into())
    }

    /// The word that an atom is: a symbol without bars.
    pub(crate) fn word(&self, id: Id) -> Option<&str> {
        match &self.nodes[id] {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The name that an atom is: a symbol that is no reserved word.
    pub(crate) fn symbol(&self, id: Id) -> Option<&str> {
        match &self.nodes[id] {
            Node::Symbol(name) if !WORDS.contains(&name.as_str()) => Some(name),
            Node::Quoted(name) => Some(name),
            _ => None,
        }
    }

    /// The symbol that must stand there, whatever it is.
    pub(crate) fn logic(&self, id: Id) -> Result<&str, String> {
        self.word(id).or(self.symbol(id)).ok_or_else(|| "the name of a logic was expected".into())
    }

    /// The keyword that an atom is.
    pub(crate) fn keyword(&self, id: Id) -> Option<&str> {
        match &self.nodes[id] {
            Node::Keyword(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a term within has a name.
    pub(crate) fn has_names(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Keyword(text) if text == ":named"))
    }

    /// The number that an atom is, below 2^32.
    pub(crate) fn number(&self, id: Id) -> Option<u32> {
        match &self.nodes[id] {
            Node::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    fn push(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// Text that is read.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    pub(crate) line: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, line: 1 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes to the next token.
    pub(crate) fn skip(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b';' => self.at += self.count(|byte| !b"\n\r".contains(&byte)),
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {
                    self.line += usize::from(byte == b'\n');
                    self.at += 1;
                }
                _ => break,
            }
        }
    }

    /// How many of the next bytes are of a kind.
    fn count(&self, is_of_kind: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        rest.iter().position(|&byte| !is_of_kind(byte)).unwrap_or(rest.len())
    }

    /// The next command and its root; `None` at the end.
    pub(crate) fn command(&mut self) -> Result<Option<(Tree, Id)>, String> {
        let mut tree = Tree::default();
        let mut open: Vec<Vec<Id>> = vec![];
        loop {
            self.skip();
            let Some(byte) = self.peek() else {
                return if open.is_empty() { Ok(None) } else { Err("a list is not closed".into()) };
            };
            let id = match byte {
                b'(' => {
                    self.at += 1;
                    open.push(vec![]);
                    continue;
                }
                b')' => {
                    self.at += 1;
                    let elements = open.pop().ok_or("')' without '('")?;
                    tree.push(Node::List(elements))
                }
                _ => {
                    let atom = self.atom(byte)?;
                    tree.push(atom)
                }
            };
            match open.last_mut() {
                Some(list) => list.push(id),
                None => return Ok(Some((tree, id))),
            }
        }
    }

    fn atom(&mut self, first: u8) -> Result<Node, String> {
        let start = self.at;
        if first == b'|' || first == b'"' {
            loop {
                self.at += 1;
                match self.peek().ok_or("a quote is not closed")? {
                    b'\n' => self.line += 1,
                    // Two quotes within a string are one.
                    b'"' if first == b'"' && self.text.as_bytes().get(self.at + 1) == Some(&b'"') => {
                        self.at += 1
                    }
                    byte if byte == first => break,
                    _ => {}
                }
            }
            self.at += 1;
            let inner = &self.text[start + 1..self.at - 1];
            return Ok(if first == b'|' { Node::Quoted(inner.into()) } else { Node::Text });
        }
        self.at += usize::from(first == b'#' || first == b':');
        self.at += self.count(|byte| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte));
        let text = &self.text[start..self.at];
        let all = |digits: &str, of: fn(&u8) -> bool| !digits.is_empty() && digits.as_bytes().iter().all(of);
        Ok(match (first, text.split_at_checked(2)) {
            (b'0'..=b'9', _) if is_decimal(text) => Node::Numeral(text.into()),
            (b'0'..=b'9', _) if is_number(text) => Node::Decimal(text.into()),
            (b'#', Some(("#b", value))) if all(value, |byte| b"01".contains(byte)) => Node::Bits(text.into()),
            (b'#', Some(("#x", value))) if all(value, u8::is_ascii_hexdigit) => Node::Bits(text.into()),
            (b':', Some(_)) => Node::Keyword(text.into()),
            (b'#' | b':' | b'0'..=b'9', _) => return Err(format!("'{text}' is no token")),
            _ if text.is_empty() => return Err("a byte that begins no token".into()),
            _ => Node::Symbol(text.into()),
        })
    }
}
