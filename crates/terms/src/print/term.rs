//! Terms, linear in the size of the DAG.
//!
//! Within one printed term, whatever is used more than once and is not a leaf is bound by `let`. Bindings
//! that do not depend on each other stand in one list: a shared node's *level* is the longest chain of shared
//! nodes below it, and there is one `let` per level, so the nesting is as shallow as the sharing allows,
//! which spares readers that recurse. A printer can be told names of terms that are defined elsewhere; it
//! prints just the name.
//!
//! Formulas for all or for some values of variables are texts of their own, with a `let` of their own for
//! what is shared within them: see `binders`.
//!
//! Cost: a few hash look-ups per node and per edge; no recursion.

use super::Naming;
use super::binders::Binders;
use super::naming::prefix_for;
use super::sort::write_sort;
use super::value::{BitVecFormat, Values, bitvec};
use crate::{Op, Pool, Term, TermSet, Value, cone};
use rustc_hash::FxHashMap;

/// Prints terms of one pool under the names of one [`Naming`].
pub struct Printer<'a> {
    pool: &'a Pool,
    naming: &'a Naming,
    format: BitVecFormat,
    /// Terms that are printed as a name.
    defined: FxHashMap<Term, String>,
    /// The terms that are bound by `let`; if none are given, those used more than once.
    bound: Option<TermSet>,
}

/// The term in SMT-LIB syntax, symbols under their own names and bit-vectors in binary.
pub fn term(pool: &Pool, term: Term) -> String {
    Printer::new(pool, &Naming::default(), BitVecFormat::default()).term(term)
}

/// A node within a term that is being printed.
#[derive(Clone, Copy, Default)]
struct Use {
    count: u32,
    /// The length of the longest chain of shared nodes below.
    level: usize,
    /// The position in a walk from the root.
    found: usize,
}

enum Step {
    Term(Term),
    Close,
}

impl<'a> Printer<'a> {
    /// A printer to which no definitions are known.
    pub fn new(pool: &'a Pool, naming: &'a Naming, format: BitVecFormat) -> Printer<'a> {
        Printer { pool, naming, format, defined: FxHashMap::default(), bound: None }
    }

    /// From now on `term` is printed as `name`, which is a symbol as it is written.
    pub fn define(&mut self, term: Term, name: String) {
        self.defined.insert(term, name);
    }

    /// From now on these terms are bound by `let` and no others, however often they are used. The text is
    /// linear in the size of the DAG only if they are well chosen. Independent bindings stand in the order in
    /// which a walk from the root finds them, whatever their ids.
    pub fn bind(&mut self, terms: TermSet) {
        self.bound = Some(terms);
    }

    /// The text of a term.
    pub fn term(&self, root: Term) -> String {
        let mut text = String::new();
        self.write(&mut text, root);
        text
    }

    /// Appends the text of a term, even if it is defined: what it is, not what it is called.
    pub fn write(&self, out: &mut String, root: Term) {
        let mut binders = Binders::new(self.pool, self.naming, root);
        while let Some((binder, body)) = binders.pending() {
            let mut text = String::new();
            self.write_scope(&mut text, &binders, body);
            binders.set(binder, &text);
        }
        self.write_scope(out, &binders, root);
    }

    /// Appends the text of a term, the binders below which have theirs.
    fn write_scope(&self, out: &mut String, binders: &Binders<'_>, root: Term) {
        let (nodes, uses) = self.uses(binders, root);
        let mut levels: Vec<Vec<Term>> = Vec::new();
        for &node in nodes.iter().filter(|&&node| node != root && self.binds(node, uses[&node])) {
            let level = uses[&node].level;
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(node);
        }
        if self.bound.is_some() {
            levels.iter_mut().for_each(|level| level.sort_unstable_by_key(|node| uses[node].found));
        }
        let chosen;
        let prefix = match self.naming.prefix() {
            Some(prefix) => prefix,
            None if levels.is_empty() => "",
            None => {
                let below = cone(self.pool, &[root]);
                let names = below.iter().filter_map(|&term| self.pool.name(term));
                chosen = prefix_for(names.chain(self.defined.values().map(|name| name.trim_matches('|'))));
                &chosen
            }
        };
        let mut names: FxHashMap<Term, String> = FxHashMap::default();
        for level in &levels {
            out.push_str("(let (");
            for (i, &node) in level.iter().enumerate() {
                let name = format!("{prefix}{}", names.len() + i);
                out.push_str(if i > 0 { " (" } else { "(" });
                out.push_str(&name);
                out.push(' ');
                self.write_tree(out, binders, &names, node);
                out.push(')');
            }
            out.push_str(") ");
            let first = names.len();
            names.extend(level.iter().enumerate().map(|(i, &node)| (node, format!("{prefix}{}", first + i))));
        }
        self.write_tree(out, binders, &names, root);
        out.extend(levels.iter().map(|_| ')'));
    }

    /// Appends the name of a term if it has one, else its text.
    pub fn write_mention(&self, out: &mut String, root: Term) {
        match self.defined.get(&root) {
            Some(name) => out.push_str(name),
            None => self.write(out, root),
        }
    }

    /// The nodes of a term that are no leaves and not defined, children first, and how they are used.
    fn uses(&self, binders: &Binders<'_>, root: Term) -> (Vec<Term>, FxHashMap<Term, Use>) {
        let mut uses: FxHashMap<Term, Use> = FxHashMap::default();
        let mut nodes = vec![root];
        uses.insert(root, Use::default());
        let mut next = 0;
        while next < nodes.len() {
            for &child in binders.args(nodes[next]) {
                if !self.pool.args(child).is_empty() && !self.defined.contains_key(&child) {
                    let entry = uses.entry(child).or_insert_with(|| {
                        nodes.push(child);
                        Use { found: nodes.len(), ..Use::default() }
                    });
                    entry.count += 1;
                }
            }
            next += 1;
        }
        nodes.sort_unstable();
        for &node in &nodes {
            let below = binders.args(node).iter().filter_map(|child| Some((*child, *uses.get(child)?)));
            let level =
                below.map(|(child, u)| u.level + usize::from(self.binds(child, u))).max().unwrap_or(0);
            uses.get_mut(&node).expect("every node was counted").level = level;
        }
        (nodes, uses)
    }

    /// Is this node bound by `let`?
    fn binds(&self, node: Term, uses: Use) -> bool {
        self.bound.as_ref().map_or(uses.count > 1, |bound| bound.contains(node))
    }

    /// Appends a term, with names for what is defined or bound below its root.
    fn write_tree(
        &self,
        out: &mut String,
        binders: &Binders<'_>,
        names: &FxHashMap<Term, String>,
        root: Term,
    ) {
        let mut todo = vec![Step::Term(root)];
        let mut at_root = true;
        while let Some(step) = todo.pop() {
            let term = match step {
                Step::Close => {
                    out.push(')');
                    continue;
                }
                Step::Term(term) => term,
            };
            if !at_root {
                out.push(' ');
            }
            let known = names.get(&term).or_else(|| self.defined.get(&term)).filter(|_| !at_root);
            at_root = false;
            match known.map(String::as_str).or_else(|| binders.text(term)) {
                Some(text) => out.push_str(text),
                None => {
                    let args = self.write_head(out, binders, term);
                    if !self.pool.args(term).is_empty() {
                        todo.push(Step::Close);
                        todo.extend(args.iter().rev().map(|&arg| Step::Term(arg)));
                    }
                }
            }
        }
    }

    /// Appends a leaf, or the opening parenthesis and operator of an application; returns the arguments to
    /// come.
    fn write_head(&self, out: &mut String, binders: &Binders<'_>, term: Term) -> &'a [Term] {
        let pool = self.pool;
        let args = pool.written_args(term);
        match pool.op(term) {
            Op::Const => match pool.as_value(term).expect("a constant has a value") {
                Value::BitVec(value) => out.push_str(&bitvec(&value, self.format)),
                value => out.push_str(&Values::new(pool, self.format).value(pool.sort(term), &value)),
            },
            Op::Symbol => {
                let name = binders.symbol(term);
                // An element of a model has its sort beside it.
                let is_element = name.trim_start_matches('|').starts_with('@')
                    && pool.sorts().is_uninterpreted(pool.sort(term));
                if is_element {
                    out.push_str("(as ");
                }
                out.push_str(&name);
                if is_element {
                    out.push(' ');
                    write_sort(out, pool.sorts(), self.naming, pool.sort(term));
                    out.push(')');
                }
            }
            Op::Apply => {
                out.push('(');
                out.push_str(&self.naming.symbol(pool, args[0]));
                return &args[1..];
            }
            Op::ConstArray => {
                out.push_str("((as const ");
                write_sort(out, pool.sorts(), self.naming, pool.sort(term));
                out.push(')');
            }
            op if op.is_record() => {
                out.push('(');
                out.push_str(&pool.record_head(term));
            }
            op if op.info().indices > 0 => {
                out.push_str("((_ ");
                out.push_str(op.name());
                for index in pool.indices(term) {
                    out.push(' ');
                    out.push_str(&index.to_string());
                }
                out.push(')');
            }
            op => {
                out.push('(');
                out.push_str(op.name());
            }
        }
        args
    }
}
