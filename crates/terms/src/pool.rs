//! The term pool: hash-consed terms in flat arrays, made by constructors that check sorts.
//!
//! A [`Term`] is a 32-bit id. Its node holds the operator, the sort and two words: the children of nodes with
//! at most two, the bits of a constant up to 64 wide, or a place in a shared array of children. Building the
//! same term twice gives the same id (hash-consing: one meaning as written, one node), so equality of terms
//! is equality of ids, and a side table is a dense vector. **Children always have smaller ids than their
//! parents**: increasing id order is a topological order, and every pass is a loop, never a recursion.
//!
//! The only ways to a term are the constructors here. Each applies the operator's sort rule, in release
//! builds too, and refuses with a [`SortError`]; nothing is rewritten, so what was asserted stays what it
//! was. Passes, whose arguments are well-sorted by construction, use [`Pool::mk`], which panics otherwise.
//!
//! Symbols are not hash-consed: each declaration is a new symbol, whatever its name, so that scopes and
//! shadowing are the business of readers, not of terms.
//!
//! Cost: 16 bytes a node, four more a child where there are three or more, and 11 to 16 bytes in the hash
//! table; arrays grow by a quarter. A test measures that a binary node stays within 40 bytes, table included.

use crate::BitVec;
use crate::binding::Outside;
use crate::node::{Node, OUTLINE, long_hash};
use crate::op::{Arity, Op};
use crate::side_table::TermSet;
use crate::sort::{Sort, SortKind, Sorts};
use crate::sort_rule::{Query, SortError};
use crate::table::{Table, Vacancy};
use crate::term::{Identity, Term};
use crate::theories::TheoryValue;
use crate::value::Value;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An operator whose result the standard leaves open for some arguments, and what tells its uses apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct OpenKey {
    pub(crate) op: Op,
    /// The number of a field of records.
    pub(crate) part: u32,
    /// The sort of the last argument.
    pub(crate) of: Sort,
    /// The sort of the result.
    pub(crate) result: Sort,
}

/// A store of terms and of their sorts.
#[derive(Default)]
pub struct Pool {
    sorts: Sorts,
    nodes: Vec<Node>,
    children: Vec<Term>,
    wide: Vec<BitVec>,
    constants: Vec<Arc<TheoryValue>>,
    has_lowered: bool,
    /// The symbols that a binder binds.
    bound: TermSet,
    /// What programs see of binders.
    pub(crate) outside: Outside,
    /// What stands for results of operators that the standard leaves open, by operator, sort of the argument
    /// and of the result.
    open: FxHashMap<OpenKey, Term>,
    names: Vec<Box<str>>,
    table: Table,
    identity: Identity,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Pool {
        Pool::default()
    }

    /// The number of terms made so far; every id is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no term yet?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The store of sorts.
    pub fn sorts(&self) -> &Sorts {
        &self.sorts
    }

    /// The store of sorts, to make new ones.
    pub fn sorts_mut(&mut self) -> &mut Sorts {
        &mut self.sorts
    }

    /// The constant `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Term {
        self.narrow(Sort::BOOL, u64::from(value))
    }

    /// A bit-vector constant.
    pub fn bitvec(&mut self, value: &BitVec) -> Term {
        let sort = Sort::of_bitvec(value);
        if value.width() <= 64 {
            return self.narrow(sort, value.low_u64());
        }
        let mut node = Node { op: Op::Const, inline: 0, part: 0, sort, words: [Term::word(0); 2] };
        let hash = long_hash(node, value.words().iter().copied());
        let Pool { nodes, wide, table, .. } = self;
        let found = table.find(hash, |id| {
            let node = &nodes[id as usize];
            node.op == Op::Const && node.sort == sort && wide[node.words[0].index()] == *value
        });
        found.map(|id| self.identity.sign(Term::word(id))).unwrap_or_else(|vacancy| {
            node.words[0] = place(self.wide.len());
            self.wide.push(value.clone());
            self.enter(vacancy, node)
        })
    }

    /// An integer constant.
    pub fn int(&mut self, value: &BigInt) -> Term {
        self.theory_constant(&Arc::new(TheoryValue::Int(value.clone())))
    }

    /// A constant of a theory that is lowered.
    fn theory_constant(&mut self, value: &Arc<TheoryValue>) -> Term {
        let sort = value.sort(&mut self.sorts);
        let mut node = Node { op: Op::Const, inline: 0, part: 0, sort, words: [Term::word(0); 2] };
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        let hash = long_hash(node, [hasher.finish()].into_iter());
        let Pool { nodes, constants, table, .. } = self;
        let found = table.find(hash, |id| {
            let node = &nodes[id as usize];
            node.op == Op::Const && node.sort == sort && constants[node.words[0].index()] == *value
        });
        found.map(|id| self.identity.sign(Term::word(id))).unwrap_or_else(|vacancy| {
            node.words[0] = place(self.constants.len());
            self.constants.push(value.clone());
            self.enter(vacancy, node)
        })
    }

    /// The bit-vector constant `value` modulo 2^`width`.
    ///
    /// # Panics
    ///
    /// Unless `1 <= width <= 2^24`.
    pub fn bv_u64(&mut self, value: u64, width: u32) -> Term {
        self.bitvec(&BitVec::from_u64(value, width))
    }

    /// A new symbol; each call makes another one, even under the same name. Constants have a first-class
    /// sort, functions a sort made by [`Sorts::function`].
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        let place = place(self.names.len());
        self.names.push(name.into());
        self.push(Node { op: Op::Symbol, inline: 0, part: 0, sort, words: [place, Term::word(0)] })
    }

    /// The array of the given array sort whose elements are all `element`.
    ///
    /// # Errors
    ///
    /// Unless `sort` is an array sort with elements of this sort.
    pub fn const_array(&mut self, sort: Sort, element: Term) -> Result<Term, SortError> {
        let found = self.sort(element);
        let expected = match self.sorts.array_parts(sort) {
            Some((_, expected)) => expected,
            None => {
                let problem = format!("expects an array sort, found {}", self.sorts.display(sort));
                return Err(SortError::Range { op: "const", problem });
            }
        };
        if expected != found {
            return Err(SortError::Argument {
                op: "const".into(),
                position: 1,
                expected: format!("of sort {}", self.sorts.display(expected)),
                found: self.sorts.display(found),
            });
        }
        Ok(self.application(Op::ConstArray, sort, 0, &[element]))
    }

    /// The operator applied to arguments.
    ///
    /// # Errors
    ///
    /// When the operator does not accept arguments of these sorts, or takes indices.
    pub fn app(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        self.indexed(op, &[], args)
    }

    /// The indexed operator applied to arguments. Indices are in the order of the text, `[hi, lo]` for
    /// `extract`.
    ///
    /// # Errors
    ///
    /// When the operator does not accept arguments of these sorts, or these indices.
    pub fn indexed(&mut self, op: Op, indices: &[u32], args: &[Term]) -> Result<Term, SortError> {
        if op.is_float() {
            let (sort, open) = self.float_term(op, indices, args)?;
            return Ok(match open {
                Some(open) => self.application(op, sort, 0, &[args, &[open]].concat()),
                None => self.application(op, sort, 0, args),
            });
        }
        if op.is_record() {
            let (sort, open) = self.record_term(op, indices, args)?;
            let index = indices.last().copied().unwrap_or(0);
            return Ok(match open {
                Some(open) => self.application(op, sort, index, &[args[0], open]),
                None => self.application(op, sort, index, args),
            });
        }
        let sort = Query { pool: self, op, args, indices }.result()?;
        let index = indices.last().copied().unwrap_or(0);
        if op == Op::Forall {
            return Ok(self.binder_over(sort, args));
        }
        Ok(self.application(op, sort, index, args))
    }

    /// [`Pool::app`] for arguments of the right sorts.
    ///
    /// # Panics
    ///
    /// With the refusal, where the operator does not accept the arguments.
    pub fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        self.app(op, args).unwrap_or_else(|refusal| panic!("internal: ill-sorted term: {refusal}"))
    }

    /// [`Pool::indexed`] for arguments of the right sorts.
    ///
    /// # Panics
    ///
    /// With the refusal, where the operator does not accept the arguments.
    pub fn mk_indexed(&mut self, op: Op, indices: &[u32], args: &[Term]) -> Term {
        self.indexed(op, indices, args)
            .unwrap_or_else(|refusal| panic!("internal: ill-sorted term: {refusal}"))
    }

    /// The conjunction of Boolean terms; `true` for none.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        match *terms {
            [] => self.bool(true),
            [one] => one,
            _ => self.mk(Op::And, terms),
        }
    }

    /// The same operator, with its indices and sort, over as many other children of the same sorts.
    ///
    /// # Panics
    ///
    /// If their number or sorts differ.
    pub fn rebuild(&mut self, term: Term, args: &[Term]) -> Term {
        let Node { op, sort, .. } = *self.node(term);
        assert!(
            self.args(term).iter().map(|&a| self.sort(a)).eq(args.iter().map(|&a| self.sort(a))),
            "internal: a term is rebuilt over children of other sorts"
        );
        if args.is_empty() {
            return term;
        }
        if op == Op::Forall {
            return self.binder_over(sort, args);
        }
        self.application(op, sort, self.index(term), args)
    }

    /// A binder none of whose variables is bound once more within it.
    fn binder_over(&mut self, sort: Sort, args: &[Term]) -> Term {
        match self.apart(args) {
            Some(args) => self.application(Op::Forall, sort, 0, &args),
            None => self.application(Op::Forall, sort, 0, args),
        }
    }

    /// The operator of a term.
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }

    /// The width of a term in bits, `None` unless it is a bit-vector.
    #[inline]
    pub fn width(&self, term: Term) -> Option<u32> {
        self.sort(term).width()
    }

    /// The kind of a term's sort, see [`Sorts::kind`].
    pub fn sort_kind(&self, term: Term) -> SortKind {
        self.sorts.kind(self.sort(term))
    }

    /// Does the operator of this term take argument lists of any length? A function, a binder and a record
    /// have as many as their sorts say.
    pub fn is_variadic(&self, term: Term) -> bool {
        use Arity::{Chainable, LeftAssoc, Pairwise, RightAssoc};
        matches!(self.op(term).info().arity, LeftAssoc | RightAssoc | Chainable | Pairwise)
    }

    /// The children of a term; for an application the function symbol comes first.
    #[inline]
    pub fn args(&self, term: Term) -> &[Term] {
        let node = self.node(term);
        match node.inline {
            OUTLINE => {
                let [start, count] = node.words;
                &self.children[start.index()..start.index() + count.index()]
            }
            count => &node.words[..count as usize],
        }
    }

    /// The stored index of an indexed operator: `lo` of an extract, the amount of an extension, rotation or
    /// repetition, the number of a constructor or field; 0 for all others.
    #[inline]
    pub fn index(&self, term: Term) -> u32 {
        let node = self.node(term);
        if node.inline == 1 { node.words[1].id() } else { node.part.into() }
    }

    /// The indices as they stand in the text: `[hi, lo]` for extract, one amount for other indexed operators.
    pub fn indices(&self, term: Term) -> Vec<u32> {
        let index = self.index(term);
        if let Some(format) = self.float_format(term).filter(|_| self.op(term).info().indices == 2) {
            return vec![format.exponent_bits(), format.significand_bits()];
        }
        match self.op(term).info().indices {
            0 => vec![],
            _ if self.op(term) == Op::RecordNew => {
                vec![self.sorts.as_record(self.sort(term)).expect("a record").number(), index]
            }
            1 if self.op(term).is_float() => vec![self.width(term).expect("it is converted to a bit-vector")],
            1 => vec![index],
            _ => vec![index + self.width(term).expect("an extract is a bit-vector") - 1, index],
        }
    }

    /// Is this term a constant?
    #[inline]
    pub fn is_const(&self, term: Term) -> bool {
        self.op(term) == Op::Const
    }

    /// The value of a Boolean constant.
    #[inline]
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        let node = self.node(term);
        (node.op == Op::Const && node.sort.is_bool()).then_some(node.words[0].id() != 0)
    }

    /// The value of a bit-vector constant.
    pub fn as_bitvec(&self, term: Term) -> Option<BitVec> {
        let node = self.node(term);
        let width = node.sort.width().filter(|_| node.op == Op::Const)?;
        Some(if width <= 64 {
            BitVec::from_u64(node.bits(), width)
        } else {
            self.wide[node.words[0].index()].clone()
        })
    }

    /// The value of a bit-vector constant that is at most 64 bits wide.
    #[inline]
    pub fn as_u64(&self, term: Term) -> Option<u64> {
        let node = self.node(term);
        let narrow = node.op == Op::Const && node.sort.width().is_some_and(|w| w <= 64);
        narrow.then(|| node.bits())
    }

    /// The value of an integer constant.
    pub fn as_int(&self, term: Term) -> Option<&BigInt> {
        self.as_theory(term)?.as_int()
    }

    /// The value of a constant of a theory that is lowered.
    fn as_theory(&self, term: Term) -> Option<&Arc<TheoryValue>> {
        let node = self.node(term);
        // Constants are Booleans, bit-vectors, or of a theory.
        let is_one = node.op == Op::Const && node.sort.is_stored();
        is_one.then(|| &self.constants[node.words[0].index()])
    }

    /// The value of a constant; `None` for other terms.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        match (self.as_bool(term), self.as_theory(term)) {
            (Some(value), _) => Some(value.into()),
            (_, Some(value)) => Some(Value::Theory(value.clone())),
            _ => self.as_bitvec(term).map(Value::BitVec),
        }
    }

    /// The constant of a Boolean, of a bit-vector, or of a value of a theory; `None` for other values.
    pub fn constant(&mut self, value: &Value) -> Option<Term> {
        match value {
            Value::Bool(value) => Some(self.bool(*value)),
            Value::BitVec(value) => Some(self.bitvec(value)),
            Value::Theory(value) => value.is_constant().then(|| self.theory_constant(value)),
            Value::Element(..) | Value::Array(_) | Value::Function(_) => None,
        }
    }

    /// Whether a term of a theory that is defined by bit-vectors has been made.
    pub fn has_lowered(&self) -> bool {
        self.has_lowered
    }

    /// Whether a binder has been made.
    #[inline]
    pub fn has_binders(&self) -> bool {
        !self.bound.is_empty()
    }

    /// Does a binder bind the symbol?
    pub(crate) fn is_bound(&self, symbol: Term) -> bool {
        self.bound.contains(symbol)
    }

    /// The name of a symbol; `None` for other terms.
    pub fn name(&self, term: Term) -> Option<&str> {
        let node = self.node(term);
        (node.op == Op::Symbol).then(|| &*self.names[node.words[0].index()])
    }

    /// The `i`-th term made.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn nth(&self, i: usize) -> Term {
        assert!(i < self.nodes.len(), "a term of this pool");
        self.identity.sign(place(i))
    }

    /// What stands for the results that an operator leaves open, if there is something.
    pub(crate) fn open_symbol(&self, key: OpenKey) -> Option<Term> {
        self.open.get(&key).copied()
    }

    /// Makes what stands for the results that an operator leaves open. The name is for messages only.
    pub(crate) fn make_open_symbol(&mut self, key: OpenKey, sort: Sort) -> Term {
        let selector = self.sorts.as_record(key.of).and_then(|of| of.field(key.part)).map(|field| field.0);
        let name = format!("{} where it is open", selector.unwrap_or(key.op.name()));
        let symbol = self.symbol(&name, sort);
        self.open.insert(key, symbol);
        symbol
    }

    /// Does this symbol stand for results that operators leave open? No text names it.
    pub fn is_open_symbol(&self, symbol: Term) -> bool {
        self.open_key(symbol).is_some()
    }

    fn open_key(&self, symbol: Term) -> Option<OpenKey> {
        self.open.iter().find(|&(_, &open)| open == symbol).map(|(&key, _)| key)
    }

    /// An empty pool with the same sorts, which are taken over.
    pub(crate) fn take_sorts(&mut self) -> Pool {
        Pool { sorts: std::mem::take(&mut self.sorts), ..Pool::default() }
    }

    /// An empty pool with the sorts of this one.
    pub(crate) fn with_sorts(&self) -> Pool {
        Pool { sorts: self.sorts.clone(), ..Pool::default() }
    }

    /// Takes over the sorts of a pool whose sorts were the same, and which may have made more since.
    pub(crate) fn follow_sorts(&mut self, other: &Pool) {
        if self.sorts.len() != other.sorts.len() {
            self.sorts = other.sorts.clone();
        }
    }

    /// A term of another pool with the same sorts, given the images of its children here.
    pub(crate) fn adopt(&mut self, other: &Pool, term: Term, image: impl Fn(Term) -> Term) -> Term {
        let Node { op, sort, .. } = *other.node(term);
        match op {
            Op::Symbol => match other.open_key(term) {
                Some(key) => self.open_symbol(key).unwrap_or_else(|| self.make_open_symbol(key, sort)),
                None => self.symbol(other.name(term).expect("a symbol has a name"), sort),
            },
            Op::Const => {
                let value = other.as_value(term).and_then(|value| self.constant(&value));
                value.expect("a constant has a value that is one")
            }
            _ => {
                let args: Vec<Term> = other.args(term).iter().map(|&arg| image(arg)).collect();
                self.application(op, sort, other.index(term), &args)
            }
        }
    }

    /// Bytes allocated for terms, table included (sorts, names and wide constants aside).
    pub fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.children.capacity() * size_of::<Term>()
            + self.table.heap_bytes()
    }

    fn narrow(&mut self, sort: Sort, bits: u64) -> Term {
        self.intern(Node {
            op: Op::Const,
            inline: 0,
            part: 0,
            sort,
            words: [Term::word(bits as u32), Term::word((bits >> 32) as u32)],
        })
    }

    /// The application of an operator that has a node of its own for each distinct list of arguments.
    #[inline]
    fn application(&mut self, op: Op, sort: Sort, index: u32, args: &[Term]) -> Term {
        let part = if op.is_record() { index as u16 } else { 0 };
        let (inline, part, words) = match *args {
            [a] => (1, 0, [a, Term::word(index)]),
            [a, b] => (2, part, [a, b]),
            _ => return self.intern_long(op, sort, part, args),
        };
        self.intern(Node { op, inline, part, sort, words })
    }

    /// A node that says all about its term.
    #[inline(always)]
    fn intern(&mut self, node: Node) -> Term {
        let nodes = &self.nodes;
        match self.table.find(node.hash(), move |id| nodes[id as usize] == node) {
            Ok(id) => self.identity.sign(Term::word(id)),
            Err(vacancy) => self.enter(vacancy, node),
        }
    }

    /// A node whose arguments lie in the shared array.
    fn intern_long(&mut self, op: Op, sort: Sort, part: u16, args: &[Term]) -> Term {
        let mut node = Node { op, inline: OUTLINE, part, sort, words: [Term::word(0), place(args.len())] };
        let hash = long_hash(node, args.iter().map(|arg| u64::from(arg.id())));
        let Pool { nodes, children, table, .. } = self;
        let found = table.find(hash, |id| {
            let other = &nodes[id as usize];
            let start = other.words[0].index();
            Node { words: [other.words[0], node.words[1]], ..node } == *other
                && children[start..start + args.len()] == *args
        });
        found.map(|id| self.identity.sign(Term::word(id))).unwrap_or_else(|vacancy| {
            node.words[0] = place(self.children.len());
            grow(&mut self.children, args.len());
            self.children.extend(args.iter().map(|&arg| self.identity.sign(arg)));
            self.enter(vacancy, node)
        })
    }

    fn enter(&mut self, vacancy: Vacancy, node: Node) -> Term {
        let term = self.push(node);
        self.table.fill(vacancy, term.id());
        term
    }

    fn push(&mut self, mut node: Node) -> Term {
        let term = self.identity.sign(place(self.nodes.len()));
        grow(&mut self.nodes, 1);
        let is_lowered = node.op.is_lowered() && node.op != Op::Forall;
        self.has_lowered |= is_lowered || self.sorts.is_theory(node.sort);
        // Children may have come from a side table, without the number of the pool.
        node.words = node.words.map(|word| self.identity.sign(word));
        self.nodes.push(node);
        if node.op == Op::Forall {
            let variables = self.args(term).split_last().map_or(vec![], |(_, variables)| variables.to_vec());
            variables.into_iter().for_each(|variable| _ = self.bound.insert(variable));
        }
        term
    }

    /// The node of a term of this pool.
    #[inline]
    fn node(&self, term: Term) -> &Node {
        self.identity.check(term);
        &self.nodes[term.index()]
    }
}

/// A position as a word of a node.
fn place(position: usize) -> Term {
    Term::word(u32::try_from(position).expect("fewer than 2^32 terms and children"))
}

/// Grows by a quarter rather than to the double: nodes are most of the memory of a large problem.
fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 4).max(16));
    }
}
