//! What a name or a term at a place means: where it comes from, its sort, and its value in a model.
//!
//! The term is put at the end of a script of the declarations before it, with the bindings around it, and the
//! session says its sort. For its value the definitions of a model stand in the place of declarations. So
//! hovering shares all it knows with the solver. Cost: the declarations are read again, no assertion is.

use crate::analysis::{Analysis, Kind, Name};
use crate::tree::Tree;
use bivalve::Settings;
use bivalve::terms::print;
use bivalve_formats::sexpr;
use bivalve_formats::smtlib::{Command, Parser, ParserOptions};
use bivalve_session::{Config, Evidence, NoMonitor, Options, Reply, Session};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Conflicts that a value may cost. Its term has no symbols, so it needs none.
const CONFLICTS: u64 = 1_000;

/// Words whose third part binds names in what follows.
const DEFINITIONS: [&str; 2] = ["define-fun", "define-fun-rec"];

/// Commands that have terms beside declarations and definitions.
const TERMS: [&str; 9] = [
    "assert",
    "assert-soft",
    "check-sat-assuming",
    "count-models",
    "get-all-models",
    "get-consequences",
    "get-value",
    "maximize",
    "minimize",
];

/// Words whose second part binds names in the third. They are not decided here, but an editor shows them.
const QUANTIFIERS: [&str; 3] = ["forall", "exists", "lambda"];

/// A term in its place.
pub(crate) struct Place<'t> {
    text: &'t str,
    analysis: &'t Analysis,
    part: usize,
    tree: Rc<Tree>,
    node: usize,
}

impl<'t> Place<'t> {
    /// The innermost term or name at a place of a script.
    pub(crate) fn new(text: &'t str, analysis: &'t Analysis, offset: usize) -> Option<Place<'t>> {
        let part = analysis.part_at(offset)?;
        let tree = Tree::new(text, analysis.parts[part].range.clone());
        let node = tree.at(offset)?;
        Some(Place { text, analysis, part, tree: Rc::new(tree), node })
    }

    /// The names and terms of a command.
    pub(crate) fn all_of(
        text: &'t str,
        analysis: &'t Analysis,
        part: usize,
    ) -> impl Iterator<Item = Place<'t>> {
        let tree = Rc::new(Tree::new(text, analysis.parts[part].range.clone()));
        (0..tree.nodes.len()).map(move |node| Place { text, analysis, part, tree: tree.clone(), node })
    }

    /// The name at the place, without bars; none if there is a list.
    pub(crate) fn name(&self) -> Option<&'t str> {
        let node = &self.tree.nodes[self.node];
        (!node.is_list).then(|| sexpr::bare(self.tree.text(self.text, self.node)))
    }

    /// The bytes of the name or term.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.tree.nodes[self.node].range.clone()
    }

    /// Where the name comes from: a binding around it, or a declaration.
    pub(crate) fn origin(&self) -> Option<Name> {
        let name = self.name()?;
        if let Some(own) = self.binding() {
            return Some(own);
        }
        let bound = self.binders().find_map(|(bindings, is_let)| {
            let mut bound = self.tree.parts(bindings).filter_map(|binding| self.bound(binding, is_let));
            bound.find(|bound| bound.name == name)
        });
        bound.or_else(|| self.analysis.declaration(name, self.range().start).cloned())
    }

    /// The name itself, where it is bound.
    fn binding(&self) -> Option<Name> {
        let nodes = &self.tree.nodes;
        let parent = nodes[self.node].parent?;
        let owner = |bindings: usize| {
            let list = nodes[bindings].parent?;
            let place = self.tree.parts(list).take(3).position(|part| part == bindings)?;
            Some((self.tree.head(self.text, list), place))
        };
        match owner(parent) {
            Some(("define-sort", 2)) => return self.bound(self.node, false),
            _ if parent + 1 != self.node => return None,
            _ => {}
        }
        match owner(nodes[parent].parent?)? {
            ("let", 1) => self.bound(parent, true),
            (word, 2) if DEFINITIONS.contains(&word) => self.bound(parent, false),
            (word, 1) if QUANTIFIERS.contains(&word) => self.bound(parent, false),
            _ => None,
        }
    }

    /// What a binding binds: a pair, or a parameter of a sort.
    fn bound(&self, binding: usize, is_let: bool) -> Option<Name> {
        let mut parts = self.tree.parts(binding);
        let (of, detail) = match self.tree.nodes[binding].is_list {
            true => {
                let (of, what) = (parts.next()?, self.tree.text(self.text, parts.next()?));
                (of, if is_let { format!("let {what}") } else { what.to_owned() })
            }
            false => (binding, "a sort".to_owned()),
        };
        let name = sexpr::bare(self.tree.text(self.text, of)).to_owned();
        Some(Name { name, place: self.tree.nodes[of].range.clone(), detail, kind: Kind::Bound })
    }

    /// The lists of bindings in whose scope the place is, the innermost first, and whether they are of `let`.
    fn binders(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.tree.around(self.node).filter_map(|(list, part)| {
            let parts: Vec<usize> = self.tree.parts(list).take(5).collect();
            let place = parts.iter().position(|&other| other == part);
            match self.tree.head(self.text, list) {
                // Within its bindings, too, a name that is bound is that of the binding.
                "let" if place == Some(2) => Some((parts[1], true)),
                word if place == Some(2) && QUANTIFIERS.contains(&word) => Some((parts[1], false)),
                word if place == Some(4) && DEFINITIONS.contains(&word) => Some((parts[2], false)),
                "define-sort" if place == Some(3) => Some((parts[2], false)),
                _ => None,
            }
        })
    }

    /// Whether the word can be the name of something that is declared or bound: it is no command, literal,
    /// keyword or index, and not a word of a command that has no terms.
    pub(crate) fn is_name(&self) -> bool {
        let nodes = &self.tree.nodes;
        let word = self.tree.text(self.text, self.node);
        let is_symbol = !nodes[self.node].is_list && !word.starts_with([':', '"', '#']);
        let Some(list) = nodes[self.node].parent.filter(|_| is_symbol) else { return false };
        let command = self.tree.head(self.text, 0);
        let has_terms =
            TERMS.contains(&command) || ["declare-", "define-"].iter().any(|form| command.starts_with(form));
        has_terms
            && !(list == 0 && self.node == 1)
            && !word.starts_with(|c: char| c.is_ascii_digit())
            && self.tree.head(self.text, list) != "_"
    }

    /// The sort of the term, and its value in a model (the text that `get-model` gives), if it has them. At
    /// an operator, with its indices, it is the term of the operator that is meant.
    pub(crate) fn meaning(&self, model: Option<&str>) -> Option<(String, Option<String>)> {
        let mut term = self.node;
        for (list, part) in self.tree.around(self.node) {
            let is_index = self.tree.head(self.text, list) == "_";
            if is_index || part == list + 1 {
                term = list;
            }
            if !is_index {
                break;
            }
        }
        let mut term_text = self.tree.text(self.text, term).to_owned();
        let mut parameters = vec![];
        for (bindings, is_let) in self.binders() {
            let bound = self.tree.text(self.text, bindings);
            match is_let {
                true => term_text = format!("(let {bound} {term_text})"),
                false => parameters.extend(sexpr::list(bound).into_iter().flatten()),
            }
        }
        let question = format!("(get-value ({term_text}))");
        let of_parameters = parameters.iter().filter_map(|pair| {
            let mut parts = sexpr::list(pair)?;
            Some(format!("(declare-const {} {})", parts.next()?, parts.next()?))
        });
        let of_parameters: String = of_parameters.collect();
        let (sort, _) = ask(&(self.declarations(None) + &of_parameters + &question))?;
        let with_model = model.filter(|_| parameters.is_empty()).and_then(|model| {
            let (_, value) = ask(&(self.declarations(Some(model)) + "(check-sat)" + &question))?;
            value
        });
        Some((sort, with_model))
    }

    /// The declarations and definitions before the place, without names that are declared again; those of a
    /// model in the place of the script's own.
    fn declarations(&self, model: Option<&str>) -> String {
        let mut of_model = BTreeMap::new();
        for definition in model.and_then(sexpr::list).into_iter().flatten() {
            let name = sexpr::list(definition).and_then(|mut parts| parts.nth(1)).map(sexpr::bare);
            of_model.extend(name.map(|name| (name, definition)));
        }
        let before = self.analysis.parts[..self.part].iter();
        let declared = || before.clone().filter_map(|part| Some((part, part.declares.as_ref()?)));
        let last: BTreeMap<&str, usize> =
            declared().map(|(part, name)| (name.name.as_str(), part.range.start)).collect();
        let mut script = String::new();
        for (part, Name { name, .. }) in declared() {
            if last.get(name.as_str()) == Some(&part.range.start) {
                let own = &self.text[part.range.clone()];
                let is_declared = own.starts_with("(declare-const") || own.starts_with("(declare-fun");
                script += of_model.get(name.as_str()).filter(|_| is_declared).unwrap_or(&own);
                script.push('\n');
            }
        }
        script
    }
}

/// The sort of the term that a script asks about last, and its value if there is one.
fn ask(script: &str) -> Option<(String, Option<String>)> {
    let options = Options::new(Settings::builder().conflict_limit(CONFLICTS).build());
    let mut session = Session::new(Config { options, ..Config::default() });
    let mut parser = Parser::new(script.as_bytes(), "", ParserOptions::default());
    let mut answer = None;
    while let Some(command) = session.read(&mut parser, &NoMonitor).ok()? {
        let term = match &command {
            Command::GetValue(terms) => terms.first().map(|&(_, term)| term),
            _ => None,
        };
        let sort = term.map(|term| {
            let (_, pool) = session.solver_mut();
            print::sort(pool.sorts(), pool.sort(term))
        });
        let reply = session.carry_out(command, &mut parser, &mut NoMonitor);
        let value = match &reply {
            Reply::Evidence(Evidence::Values, pairs) => value_of(pairs),
            _ => None,
        };
        answer = sort.map(|sort| (sort, value)).or(answer);
    }
    answer
}

/// The value in `((term value))`.
fn value_of(pairs: &str) -> Option<String> {
    let pair = sexpr::list(pairs)?.next()?;
    sexpr::list(pair)?.nth(1).map(str::to_owned)
}
