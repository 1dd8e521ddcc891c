//! The terms below some conjuncts with their values, and which conjuncts are false.
//!
//! Nodes are numbered, arguments before those that use them, so the consequences of a change are evaluated in
//! increasing order, each once. Domains say what holds in all models; the values that nodes have on the way
//! may be others.
//!
//! Cost: a change costs the terms above it whose arguments have changed, and a look at a bit for every term.

use crate::lists::Lists;
use bivalve_domains::{Analysis, Domain};
use bivalve_limits::Deadline;
use bivalve_terms::{Assignment, BitVec, Op, Pool, Term, TermMap, Value, cone, meaning};
use fastrand::Rng;

/// Terms with values.
pub(crate) struct Network<'p> {
    pool: &'p Pool,
    terms: Vec<Term>,
    /// The arguments of all nodes one after the other, and where those of each begin.
    args: Lists,
    /// The nodes that use each node.
    users: Lists,
    values: Vec<Value>,
    /// What it costs to evaluate them, without entries, and all together.
    weights: Vec<u64>,
    all: u64,
    /// What Booleans and bit-vectors can be in models.
    domains: Vec<Option<Domain>>,
    /// Conjuncts that are false, in no order, and where each node is among them.
    violated: Vec<usize>,
    place: Vec<Option<usize>>,
    is_conjunct: Vec<bool>,
    /// Nodes to be evaluated: a bit for each.
    queue: Vec<u64>,
}

/// A network is made where the budget lasts for so many evaluations of it.
const WORTHWHILE: u64 = 32;

impl<'p> Network<'p> {
    /// All symbols have the value in their domain that is next to zero. `None` if the terms are too many for
    /// the deadline, or if there is no model.
    pub(crate) fn new(pool: &'p Pool, conjuncts: &[Term], deadline: &Deadline) -> Option<Network<'p>> {
        let terms = cone(pool, conjuncts);
        let weights = terms.iter().map(|&term| weight(pool, term));
        let all = weights.clone().fold(0, u64::saturating_add);
        if all > deadline.left() / WORTHWHILE || !deadline.step(3 * all) {
            return None;
        }
        let known = Analysis::under(pool, &terms, conjuncts, deadline)?;
        let mut number = TermMap::new();
        for (node, &term) in terms.iter().enumerate() {
            number.insert(term, node);
        }
        let node = |term: &Term| *number.get(*term).expect("all arguments have nodes");
        let domain = |&term: &Term| {
            let width = if pool.sort(term).is_bool() { 1 } else { pool.width(term)? };
            Some(known.domain(term).cloned().unwrap_or_else(|| Domain::all(width)))
        };
        let args = Lists::collect(terms.iter().map(|&term| pool.args(term).iter().map(node)));
        let mut network = Network {
            pool,
            users: args.turned(),
            args,
            values: Vec::with_capacity(terms.len()),
            weights: weights.collect(),
            all,
            domains: terms.iter().map(domain).collect(),
            violated: vec![],
            place: vec![None; terms.len()],
            is_conjunct: vec![false; terms.len()],
            queue: vec![0; terms.len().div_ceil(64)],
            terms,
        };
        for node in 0..network.terms.len() {
            let value = network.first_value(node);
            network.values.push(value);
        }
        for conjunct in conjuncts.iter().map(node) {
            network.is_conjunct[conjunct] = true;
            network.note(conjunct);
        }
        Some(network)
    }

    /// All symbols have their first value again.
    pub(crate) fn restart(&mut self, deadline: &Deadline) {
        deadline.step(self.weight_of_all());
        for node in 0..self.terms.len() {
            self.values[node] = self.first_value(node);
            if self.is_conjunct[node] {
                self.note(node);
            }
        }
    }

    /// What it costs to evaluate all nodes.
    pub(crate) fn weight_of_all(&self) -> u64 {
        self.all
    }

    fn first_value(&self, node: usize) -> Value {
        let (pool, term) = (self.pool, self.terms[node]);
        match pool.op(term) {
            Op::Const => {
                let word = pool.as_bitvec(term).map(Value::BitVec);
                word.or_else(|| pool.as_bool(term).map(Value::Bool)).expect("a constant has a value")
            }
            Op::Symbol => match &self.domains[node] {
                Some(domain) => self.value_from(node, domain.least().clone()),
                None => Value::default_of(pool.sorts(), pool.sort(term)),
            },
            _ => self.evaluated(node),
        }
    }

    /// The value of an operator, with the values that its arguments have now.
    fn evaluated(&self, node: usize) -> Value {
        let args = self.args.of(node);
        meaning(self.pool, self.terms[node], args.len(), |i| &self.values[args[i]])
    }

    /// The value that an operator would have if its argument `arg` had the value `new`.
    pub(crate) fn evaluated_with(&self, node: usize, arg: usize, new: &Value) -> Value {
        let args = self.args.of(node);
        let value = |i: usize| if args[i] == arg { new } else { &self.values[args[i]] };
        meaning(self.pool, self.terms[node], args.len(), value)
    }

    /// A value of the sort of a Boolean or bit-vector node.
    pub(crate) fn value_from(&self, node: usize, bits: BitVec) -> Value {
        if self.pool.sort(self.terms[node]).is_bool() { Value::Bool(bits.lsb()) } else { Value::BitVec(bits) }
    }

    pub(crate) fn op(&self, node: usize) -> Op {
        self.pool.op(self.terms[node])
    }

    pub(crate) fn index(&self, node: usize) -> u32 {
        self.pool.index(self.terms[node])
    }

    pub(crate) fn is_symbol(&self, node: usize) -> bool {
        self.op(node) == Op::Symbol
    }

    pub(crate) fn args(&self, node: usize) -> &[usize] {
        self.args.of(node)
    }

    pub(crate) fn value(&self, node: usize) -> &Value {
        &self.values[node]
    }

    /// What a node can be in models; `None` if it is neither a Boolean nor a bit-vector.
    pub(crate) fn domain(&self, node: usize) -> Option<&Domain> {
        self.domains[node].as_ref()
    }

    /// What evaluating a node costs, with the entries of functions, which are copied, and the way to the
    /// entries of arrays, which are shared.
    pub(crate) fn weight(&self, node: usize) -> u64 {
        self.weights[node]
            + match self.value(node) {
                Value::Function(function) => function.size() as u64,
                Value::Array(array) => u64::from((array.size() + 1).ilog2()),
                _ => 0,
            }
    }

    /// Whether a node has the same value in all assignments, or in all models.
    pub(crate) fn is_fixed(&self, node: usize) -> bool {
        let only = || self.domain(node).and_then(Domain::value);
        self.op(node) == Op::Const || only().is_some_and(|value| *value == bits(&self.values[node]))
    }

    /// A conjunct that is false.
    pub(crate) fn violated(&self, random: &mut Rng) -> Option<usize> {
        random.choice(&self.violated).copied()
    }

    /// How many conjuncts are false.
    pub(crate) fn violations(&self) -> usize {
        self.violated.len()
    }

    /// Gives a symbol a value, and all that depends on it.
    pub(crate) fn set(&mut self, symbol: usize, value: Value, deadline: &Deadline) {
        self.change(symbol, value);
        // Users come after what they use, so no node is queued behind the place that is looked at.
        for word in symbol / 64..self.queue.len() {
            while self.queue[word] != 0 {
                let bit = self.queue[word].trailing_zeros();
                self.queue[word] &= !(1 << bit);
                let node = word * 64 + bit as usize;
                // What was begun is ended: values that contradict each other are of no use.
                deadline.step(self.weight(node));
                let value = self.evaluated(node);
                self.change(node, value);
            }
        }
    }

    fn change(&mut self, node: usize, value: Value) {
        if self.values[node] == value {
            return;
        }
        self.values[node] = value;
        if self.is_conjunct[node] {
            self.note(node);
        }
        for &user in self.users.of(node) {
            self.queue[user / 64] |= 1 << (user % 64);
        }
    }

    /// Takes a conjunct in among those that are false, or out.
    fn note(&mut self, conjunct: usize) {
        match (self.values[conjunct].expect_bool(), self.place[conjunct]) {
            (false, None) => {
                self.place[conjunct] = Some(self.violated.len());
                self.violated.push(conjunct);
            }
            (true, Some(place)) => {
                self.place[conjunct] = None;
                self.violated.swap_remove(place);
                if let Some(&moved) = self.violated.get(place) {
                    self.place[moved] = Some(place);
                }
            }
            _ => {}
        }
    }

    /// The values of all symbols.
    pub(crate) fn assignment(&self) -> Assignment {
        let mut assignment = Assignment::new();
        for (node, &term) in self.terms.iter().enumerate() {
            if self.is_symbol(node) {
                assignment.set(term, self.values[node].clone());
            }
        }
        assignment
    }
}

/// What evaluating a term costs: its words for each operand but one, the square of them for products and
/// quotients.
fn weight(pool: &Pool, term: Term) -> u64 {
    let operand = pool.args(term).first().and_then(|&arg| pool.width(arg));
    let words = u64::from(operand.max(pool.width(term)).unwrap_or(1)).div_ceil(64);
    let operations = pool.args(term).len().max(2) as u64 - 1;
    operations
        * match pool.op(term) {
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => 4 * words * words,
            _ => words,
        }
}

/// The bits of a Boolean or bit-vector.
pub(crate) fn bits(value: &Value) -> BitVec {
    match value {
        Value::Bool(value) => BitVec::from_bool(*value),
        _ => value.expect_bitvec().clone(),
    }
}
