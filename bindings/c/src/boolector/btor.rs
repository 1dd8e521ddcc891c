//! An instance of Boolector: nodes with their counts, sorts, options, assumptions.
//!
//! A node of one bit is a bit-vector, as in Boolector; conditions are Boolean inside, and `nodes` goes
//! between the two. Terms stay in the pool after the last release, and only the count says whether a pointer
//! is good.

use super::options::{INCREMENTAL, MODEL_GEN, REWRITE_LEVEL, ROWS, SEED};
use crate::checker::Checker;
use crate::fault::{Fault, Outcome};
use crate::opaque::{Tag, parts, place_in, pointer};
use crate::registry::{self, Registry};
use bivalve::CheckResult;
use bivalve::terms::{Op, Pool, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};

thread_local! {
    static BTORS: Registry<Btor> = Registry::default();
}

/// The type behind `BoolectorNode *`; there is none.
#[repr(C)]
pub struct BoolectorNode {
    _none: [u8; 0],
}

/// The type behind `Btor *`; there is none.
#[repr(C)]
pub struct BtorHandle {
    _none: [u8; 0],
}

/// The type behind `BoolectorSort`; there is none.
#[repr(C)]
pub struct BoolectorAnonymous {
    _none: [u8; 0],
}

/// `Btor *`.
pub(super) type BtorPtr = *mut BtorHandle;
/// `BoolectorNode *`.
pub(super) type NodePtr = *mut BoolectorNode;
/// `BoolectorSort`.
pub(super) type SortPtr = *mut BoolectorAnonymous;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    /// A bit-vector, an array or a function symbol.
    Term(Term),
    /// A lambda by its number.
    Lambda(u32),
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lambda {
    pub(super) params: Vec<Term>,
    pub(super) body: Term,
}

/// Texts and lists that the program gives back to be freed.
pub(super) enum Kept {
    Text(#[expect(dead_code, reason = "it is kept until it is given back")] CString),
    Lists { indices: Box<[*mut c_char]>, values: Box<[*mut c_char]>, texts: Vec<CString> },
}

/// An instance.
pub(super) struct Btor {
    pub(super) number: u32,
    pub(super) pool: Pool,
    pub(super) checker: Checker,
    sorts: Vec<Sort>,
    sort_places: FxHashMap<Sort, u32>,
    sort_counts: FxHashMap<u32, u32>,
    pub(super) lambdas: Vec<Lambda>,
    pub(super) params: FxHashSet<Term>,
    pub(super) bound: FxHashSet<Term>,
    /// Per term: whether it contains a parameter.
    parameterized: Vec<bool>,
    counts: FxHashMap<u32, u32>,
    /// Nodes in the order in which they were first handed out; the position is the id, less 2.
    ids: Vec<u32>,
    id_of: FxHashMap<u32, i32>,
    /// Symbols of the program, in the order in which they were made.
    pub(super) inputs: Vec<Term>,
    pub(super) named: BTreeMap<String, u32>,
    pub(super) names: FxHashMap<u32, CString>,
    options: [u32; ROWS.len()],
    pub(super) assumptions: Vec<Node>,
    /// Assumptions of the last check.
    assumed: Vec<(Node, Term)>,
    pub(super) failed: Vec<NodePtr>,
    checks: u32,
    pub(super) last: Option<CheckResult>,
    pub(super) kept: FxHashMap<usize, Kept>,
    /// A text that is returned without being freed.
    pub(super) message: CString,
}

/// Makes an instance.
pub(super) fn make() -> Outcome<BtorPtr> {
    let made = registry::enter(&BTORS, |number| Btor {
        number,
        pool: Pool::new(),
        checker: Checker::new(),
        sorts: vec![],
        sort_places: FxHashMap::default(),
        sort_counts: FxHashMap::default(),
        lambdas: vec![],
        params: FxHashSet::default(),
        bound: FxHashSet::default(),
        parameterized: vec![],
        counts: FxHashMap::default(),
        ids: vec![],
        id_of: FxHashMap::default(),
        inputs: vec![],
        named: BTreeMap::new(),
        names: FxHashMap::default(),
        options: ROWS.map(|(_, _, default, _, _)| default),
        assumptions: vec![],
        assumed: vec![],
        failed: vec![],
        checks: 0,
        last: None,
        kept: FxHashMap::default(),
        message: CString::default(),
    });
    Ok(pointer(Tag::Btor, made?, 0))
}

/// Deletes an instance.
pub(super) fn delete(btor: BtorPtr) -> Outcome<()> {
    registry::remove(&BTORS, parts(Tag::Btor, btor)?.0, "Btor")
}

/// Does something with an instance.
pub(super) fn with<R>(btor: BtorPtr, body: impl FnOnce(&mut Btor) -> Outcome<R>) -> Outcome<R> {
    registry::with(&BTORS, parts(Tag::Btor, btor)?.0, "Btor", body)
}

/// Nodes and their counts.
impl Btor {
    fn place(node: Node) -> u32 {
        match node {
            Node::Term(term) => (term.index() as u32) << 1,
            Node::Lambda(number) => number << 1 | 1,
        }
    }

    /// A pointer for the program, which is to release it.
    pub(super) fn hand_out(&mut self, node: Node) -> NodePtr {
        let place = Btor::place(node);
        *self.counts.entry(place).or_insert(0) += 1;
        self.id(place);
        pointer(Tag::Node, self.number, place)
    }

    fn id(&mut self, place: u32) -> i32 {
        let next = self.ids.len() as i32 + 2;
        let id = *self.id_of.entry(place).or_insert(next);
        if id == next {
            self.ids.push(place);
        }
        id
    }

    fn place_of(&self, node: *const BoolectorNode) -> Outcome<u32> {
        let place = place_in(Tag::Node, node, self.number)?;
        if self.counts.contains_key(&place) {
            return Ok(place);
        }
        Err(Fault::argument("the node was released, or never was one"))
    }

    fn at(&self, place: u32) -> Node {
        if place & 1 == 1 {
            Node::Lambda(place >> 1)
        } else {
            Node::Term(self.pool.nth((place >> 1) as usize))
        }
    }

    /// The node of a pointer that the program holds.
    pub(super) fn node(&self, node: *const BoolectorNode) -> Outcome<Node> {
        Ok(self.at(self.place_of(node)?))
    }

    pub(super) fn copy(&mut self, node: NodePtr) -> Outcome<NodePtr> {
        let node = self.node(node)?;
        Ok(self.hand_out(node))
    }

    pub(super) fn release(&mut self, node: NodePtr) -> Outcome<()> {
        let place = self.place_of(node)?;
        let count = self.counts.get_mut(&place).ok_or_else(|| Fault::argument("the node was released"))?;
        *count -= 1;
        if *count == 0 {
            self.counts.remove(&place);
        }
        Ok(())
    }

    pub(super) fn release_all(&mut self) {
        self.counts.clear();
        self.sort_counts.clear();
    }

    /// How many nodes and sorts the program has to release.
    pub(super) fn references(&self) -> u32 {
        let nodes: u32 = self.counts.values().sum();
        nodes + self.sort_counts.values().sum::<u32>()
    }

    pub(super) fn node_id(&mut self, node: NodePtr) -> Outcome<i32> {
        let place = self.place_of(node)?;
        Ok(self.id(place))
    }

    pub(super) fn by_id(&mut self, id: i32) -> Outcome<NodePtr> {
        let position = id.checked_sub(2).and_then(|position| usize::try_from(position).ok());
        let place = position.and_then(|position| self.ids.get(position).copied());
        let place = place.ok_or_else(|| Fault::argument(format!("there is no node with the id {id}")))?;
        let node = self.at(place);
        Ok(self.hand_out(node))
    }

    pub(super) fn by_name(&mut self, name: &str) -> Option<NodePtr> {
        let node = self.at(*self.named.get(name)?);
        Some(self.hand_out(node))
    }

    /// Gives a node a name, which has to be new.
    pub(super) fn call(&mut self, node: Node, name: &str) -> Outcome<()> {
        let place = Btor::place(node);
        if self.named.get(name).is_some_and(|&other| other != place) {
            return Err(Fault::argument(format!("symbol '{name}' is already in use")));
        }
        if let Some(before) = self.names.insert(place, crate::fault::c_string(name)) {
            self.named.remove(&*before.to_string_lossy());
        }
        self.named.insert(name.to_owned(), place);
        Ok(())
    }

    pub(super) fn name(&self, node: NodePtr) -> Outcome<*const c_char> {
        let place = self.place_of(node)?;
        Ok(self.names.get(&place).map_or(std::ptr::null(), |name| name.as_ptr()))
    }

    /// Whether a term contains a parameter of a lambda. Each term is looked at once.
    pub(super) fn is_parameterized(&mut self, term: Term) -> bool {
        if self.params.is_empty() {
            return false;
        }
        for index in self.parameterized.len()..=term.index() {
            let inner = self.pool.nth(index);
            let below = self.pool.args(inner).iter().any(|arg| self.parameterized[arg.index()]);
            self.parameterized.push(below || self.params.contains(&inner));
        }
        self.parameterized[term.index()]
    }
}

/// Sorts.
impl Btor {
    pub(super) fn hand_out_sort(&mut self, sort: Sort) -> SortPtr {
        let next = self.sorts.len() as u32;
        let place = *self.sort_places.entry(sort).or_insert(next);
        if place == next {
            self.sorts.push(sort);
        }
        *self.sort_counts.entry(place).or_insert(0) += 1;
        pointer(Tag::BtorSort, self.number, place)
    }

    /// A pointer that is not to be released.
    pub(super) fn lend_sort(&mut self, sort: Sort) -> SortPtr {
        let lent = self.hand_out_sort(sort);
        self.release_sort(lent).map_or(std::ptr::null_mut(), |()| lent)
    }

    pub(super) fn sort(&self, sort: SortPtr) -> Outcome<Sort> {
        let place = place_in(Tag::BtorSort, sort, self.number)?;
        let missing = || Fault::argument("the pointer is of no sort that was made");
        self.sorts.get(place as usize).copied().ok_or_else(missing)
    }

    pub(super) fn release_sort(&mut self, sort: SortPtr) -> Outcome<()> {
        let place = place_in(Tag::BtorSort, sort, self.number)?;
        let held = self.sort_counts.get_mut(&place);
        let count = held.ok_or_else(|| Fault::argument("the sort was released, or never was one"))?;
        *count -= 1;
        if *count == 0 {
            self.sort_counts.remove(&place);
        }
        Ok(())
    }
}

/// Options.
impl Btor {
    pub(super) fn option(&self, option: u32) -> Outcome<u32> {
        let missing = || Fault::argument(format!("there is no option {option}"));
        self.options.get(option as usize).copied().ok_or_else(missing)
    }

    pub(super) fn set_option(&mut self, option: u32, value: u32) -> Outcome<()> {
        self.option(option)?;
        let (name, _, _, least, greatest) = ROWS[option as usize];
        if !(least..=greatest).contains(&value) {
            let message = format!("option '{name}' is between {least} and {greatest}, found {value}");
            return Err(Fault::argument(message));
        }
        match option {
            INCREMENTAL if value == 0 && self.checks > 0 => {
                return Err(Fault::argument("incremental usage cannot be switched off after a check"));
            }
            SEED => self.checker.set("seed", &value.to_string())?,
            REWRITE_LEVEL => self.checker.set("rewrite-level", &value.to_string())?,
            _ => {}
        }
        self.options[option as usize] = value;
        Ok(())
    }

    pub(super) fn expect_incremental(&self) -> Outcome<()> {
        let is_on = self.options[INCREMENTAL as usize] != 0;
        if is_on { Ok(()) } else { Err(Fault::state("incremental usage has not been enabled")) }
    }
}

/// Checks.
impl Btor {
    pub(super) fn assert(&mut self, node: NodePtr) -> Outcome<()> {
        let formula = self.formula(node)?;
        self.last = None;
        self.checker.assert(&self.pool, formula, false)
    }

    /// The Boolean term of a node of one bit without parameters.
    pub(super) fn formula(&mut self, node: NodePtr) -> Outcome<Term> {
        let term = self.bits(node)?;
        if self.is_parameterized(term) {
            return Err(Fault::argument("'exp' must not be parameterized"));
        }
        self.condition(term)
    }

    pub(super) fn assume(&mut self, node: NodePtr) -> Outcome<()> {
        self.expect_incremental()?;
        self.formula(node)?;
        self.assumptions.push(self.node(node)?);
        self.last = None;
        Ok(())
    }

    /// Checks; assumptions are forgotten.
    pub(super) fn check(&mut self, conflicts: u64) -> Outcome<i32> {
        if self.checks > 0 {
            self.expect_incremental()?;
        }
        self.checks += 1;
        self.assumed.clear();
        for node in std::mem::take(&mut self.assumptions) {
            let Node::Term(term) = node else { continue };
            let formula = self.condition(term)?;
            self.assumed.push((node, formula));
        }
        let formulas: Vec<Term> = self.assumed.iter().map(|&(_, formula)| formula).collect();
        self.checker.limits.conflicts = conflicts;
        let result = self.checker.check(&mut self.pool, &formulas)?;
        self.last = Some(result);
        Ok(match result {
            CheckResult::Sat => 10,
            CheckResult::Unsat => 20,
            CheckResult::Unknown(_) => 0,
        })
    }

    /// The failed assumptions of the last check.
    pub(super) fn failed_nodes(&self) -> Outcome<Vec<Node>> {
        if self.last != Some(CheckResult::Unsat) {
            return Err(Fault::state("cannot check failed assumptions if input formula is not UNSAT"));
        }
        let failed = self.checker.failed()?;
        let of_formula = |&&(_, formula): &&(Node, Term)| failed.contains(&formula);
        Ok(self.assumed.iter().filter(of_formula).map(|&(node, _)| node).collect())
    }

    pub(super) fn is_failed(&mut self, node: NodePtr) -> Outcome<bool> {
        let failed = self.failed_nodes()?;
        let node = self.node(node)?;
        if !self.assumed.iter().any(|&(assumed, _)| assumed == node) {
            return Err(Fault::argument("'exp' must be an assumption"));
        }
        Ok(failed.contains(&node))
    }

    /// A list of failed assumptions that ends with a null pointer and lives until the next one.
    pub(super) fn list_failed(&mut self) -> Outcome<*mut NodePtr> {
        let failed = self.failed_nodes()?;
        let number = self.number;
        let pointers = failed.into_iter().map(|node| pointer(Tag::Node, number, Btor::place(node)));
        self.failed = pointers.chain([std::ptr::null_mut()]).collect();
        Ok(self.failed.as_mut_ptr())
    }

    pub(super) fn fixate(&mut self) -> Outcome<()> {
        for node in std::mem::take(&mut self.assumptions) {
            let Node::Term(term) = node else { continue };
            let formula = self.condition(term)?;
            self.last = None;
            self.checker.assert(&self.pool, formula, false)?;
        }
        Ok(())
    }

    /// That there is a model to be asked.
    pub(super) fn expect_model(&self) -> Outcome<()> {
        if self.last != Some(CheckResult::Sat) {
            return Err(Fault::state("cannot retrieve model if input formula is not SAT"));
        }
        let is_on = self.options[MODEL_GEN as usize] != 0;
        if is_on { Ok(()) } else { Err(Fault::state("model generation has not been enabled")) }
    }

    /// Whether the node is a symbol.
    pub(super) fn is_symbol(&self, node: Node) -> bool {
        matches!(node, Node::Term(term) if self.pool.op(term) == Op::Symbol)
    }
}
