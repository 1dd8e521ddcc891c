//! Commands of SMT-LIB 2 as trees of atoms and lists, one command at a time.
//!
//! Nodes lie in one vector, and open lists on a stack, so depth is memory. Text outside of ASCII is passed
//! through in comments, strings and quoted symbols.

/// A node, by its place in [`Tree::nodes`].
pub(crate) type Id = usize;

/// An atom or a list.
pub(crate) enum Node {
    /// A symbol, without quotes.
    Symbol(String),
    /// A keyword, a number, a string or a literal, as written.
    Literal(String),
    List(Vec<Id>),
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

    /// The elements of a list; none for an atom.
    pub(crate) fn list(&self, id: Id) -> &[Id] {
        match &self.nodes[id] {
            Node::List(elements) => elements,
            _ => &[],
        }
    }

    /// The symbol that an atom is.
    pub(crate) fn symbol(&self, id: Id) -> Option<&str> {
        match &self.nodes[id] {
            Node::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The keyword, number, string or literal that an atom is.
    pub(crate) fn literal(&self, id: Id) -> Option<&str> {
        match &self.nodes[id] {
            Node::Literal(text) => Some(text),
            _ => None,
        }
    }

    /// The number that an atom is.
    pub(crate) fn number(&self, id: Id) -> Option<u32> {
        self.literal(id)?.parse().ok()
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

    fn skip(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b';' => {
                    let rest = &self.text.as_bytes()[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ if byte.is_ascii_whitespace() => {
                    self.line += usize::from(byte == b'\n');
                    self.at += 1;
                }
                _ => break,
            }
        }
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
            return Ok(match first {
                b'|' => Node::Symbol(inner.into()),
                _ => Node::Literal(self.text[start..self.at].into()),
            });
        }
        let is_end = |byte: u8| byte.is_ascii_whitespace() || b"();|\"".contains(&byte);
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(|&byte| is_end(byte)).unwrap_or(rest.len());
        let text = self.text[start..self.at].to_string();
        let is_literal = first == b'#' || first == b':' || first.is_ascii_digit();
        Ok(if is_literal { Node::Literal(text) } else { Node::Symbol(text) })
    }
}
