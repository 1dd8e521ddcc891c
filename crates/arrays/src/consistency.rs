//! The consistency check: does the model of the abstraction extend to arrays?
//!
//! This is the consistency check of the thesis (sections 2.7 and 2.11.2). An *access* is a read, or a write
//! seen as a read on itself (section 2.11.4): it has an index and an element. Accesses are propagated from
//! the array they are applied to: down through stores at other indices (rule D) and the chosen branch of an
//! if-then-else, up the same way (rule U), and across equalities that are true (R and L). Where two accesses
//! with the same index value meet at one array, their elements must be the same (rule C, checked on the fly);
//! if they are not, the two ways they came give a lemma. The congruence table (rho in the thesis) maps an
//! array and an index value to the access that came first: one representative a class, since all others agree
//! with it.
//!
//! **Where accesses go.** A model is asked for base arrays only; all other arrays are computed from those.
//! So, without equalities, accesses only go down, and leave nothing in the table before they land: at a base,
//! at a constant array, or at the store that wrote their index. Arrays at and below a side of a true equality
//! are *tied*: there, accesses go in all directions and are entered in the table at each array they pass, and
//! stores are accesses themselves; runs of writes are passed in one step (`chains`). False equalities need no
//! propagation: a witness index tells their sides apart (section 2.11.3).
//!
//! **Order.** Arrays are checked by the nesting of their sorts, the least nested first, and have their values
//! before those that use them as indices or elements. Accesses of one level start by increasing term, so that
//! the reads below an index come before the accesses at it. Reads that have no value yet (nothing but an
//! index or a written element mentions them, so that no gate was ever built) are *free*: they take the
//! element that they find, and zero if they find none. So what is read only to be written or to serve as an
//! index costs neither gates nor lemmas as long as nothing else depends on it; the thesis synthesises it on
//! demand (section 2.11.5) and must then watch the model change, here the model cannot change.
//!
//! Cost: a hash look-up for each step of an access; the number of steps is at most the accesses times the
//! longest way.

use crate::chains::{Chain, Passage};
use crate::expansion::Expansions;
use crate::graph::{Graph, Node, NodeId};
use crate::lemma::{Condition, Draft, Reason, is_equality};
use crate::per_round::LemmasPerRound;
use crate::value_numbers::ValueNumbers;
use bivalve_faults::planted;
use bivalve_limits::Deadline;
use bivalve_terms::{Evaluator, Op, Term, UnionFind, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// An access: a read, a store, or a constant array seen at one index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The read, the store, or the index of a constant array.
    pub(crate) term: Term,
    /// The array it starts from.
    pub(crate) origin: NodeId,
    /// The value of its index.
    pub(crate) key: u32,
    /// The term of its element, and the number of its value; `None` for a free read.
    pub(crate) element: Term,
    pub(crate) value: Option<u32>,
    /// It broke a rule already, and goes nowhere any more.
    failed: bool,
}

/// How an access came to an array.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// It is applied to it.
    Origin,
    /// Down from this array.
    Down(NodeId),
    /// Up from this array, which is the base or a branch, or below the top of a chain.
    Up(NodeId),
    /// From this array, by a true equality.
    Across(NodeId, Term),
}

/// The representative of the accesses at an array with one index value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) access: u32,
    pub(crate) way: Way,
}

/// What is nested equally deep.
#[derive(Default)]
pub(crate) struct Level {
    pub(crate) nodes: Vec<NodeId>,
    /// Reads and tied stores, in the order of their terms, and the arrays they are applied to.
    accesses: Vec<(Term, NodeId)>,
}

/// So many conditions in the lemmas of one round are enough.
const MUCH: usize = 200_000;

/// One check of one model.
pub(crate) struct ConsistencyCheck<'g, 'v, 'p> {
    pub(crate) graph: &'g Graph,
    expansions: &'g Expansions,
    pub(crate) values: &'v mut Evaluator<'p>,
    pub(crate) numbers: ValueNumbers,
    pub(crate) accesses: Vec<Access>,
    /// The congruence table.
    pub(crate) table: FxHashMap<(NodeId, u32), Entry>,
    /// By node: whether it is tied.
    pub(crate) tied: Vec<bool>,
    /// True equalities of a node: the other side, and the atom.
    pub(crate) across: FxHashMap<NodeId, Vec<(NodeId, Term)>>,
    /// Nodes that true equalities make equal.
    pub(crate) classes: UnionFind,
    /// Tied nodes that stores, chosen branches and true equalities connect, of the levels that are done.
    pub(crate) components: UnionFind,
    /// By representative of a component: a constant array.
    pub(crate) constants: FxHashMap<u32, NodeId>,
    /// By base: the accesses that are its entries.
    pub(crate) entries: FxHashMap<NodeId, Vec<u32>>,
    /// Conditions that were asked for. They keep their values even where a read in them is repaired later,
    /// for accesses have gone their ways by them.
    decided: FxHashMap<Term, bool>,
    /// By node: the top of the chain of writes it lies in, or itself (`chains`).
    pub(crate) tops: Vec<NodeId>,
    /// By top: chains that were looked at.
    pub(crate) chains: FxHashMap<NodeId, Chain>,
    /// Writes inside of chains, to come out at the top when all accesses have started.
    inner: Vec<u32>,
    /// By node: the value of the index of a store, once asked for.
    indices: Vec<Option<u32>>,
    /// Entries whose access goes on from a tied array.
    queue: VecDeque<(NodeId, u32)>,
    /// The lemmas found.
    pub(crate) drafts: Vec<Draft>,
    per_round: LemmasPerRound,
    deadline: &'g Deadline,
    /// The deadline was over.
    pub(crate) stopped: bool,
    /// Conditions of the lemmas found.
    said: usize,
    /// Accesses that agreed with the representative they met, with where and how they came there.
    agreed: Vec<(u32, NodeId, Way)>,
    /// Where others did not.
    disputed: FxHashSet<(NodeId, u32)>,
}

impl<'g, 'v, 'p> ConsistencyCheck<'g, 'v, 'p> {
    /// Prepares a check: evaluates the equalities.
    pub(crate) fn new(
        graph: &'g Graph,
        expansions: &'g Expansions,
        values: &'v mut Evaluator<'p>,
        per_round: LemmasPerRound,
        deadline: &'g Deadline,
    ) -> ConsistencyCheck<'g, 'v, 'p> {
        let mut check = ConsistencyCheck {
            graph,
            expansions,
            values,
            numbers: ValueNumbers::default(),
            accesses: vec![],
            table: FxHashMap::default(),
            tied: vec![false; graph.len()],
            across: FxHashMap::default(),
            classes: UnionFind::new(graph.len()),
            components: UnionFind::new(graph.len()),
            constants: FxHashMap::default(),
            entries: FxHashMap::default(),
            decided: FxHashMap::default(),
            tops: vec![],
            chains: FxHashMap::default(),
            inner: vec![],
            indices: vec![None; graph.len()],
            queue: VecDeque::new(),
            drafts: vec![],
            per_round,
            deadline,
            stopped: false,
            said: 0,
            agreed: vec![],
            disputed: FxHashSet::default(),
        };
        for equality in graph.equalities() {
            if check.holds(equality.atom) {
                let [a, b] = equality.sides;
                check.across.entry(a).or_default().push((b, equality.atom));
                check.across.entry(b).or_default().push((a, equality.atom));
                check.classes.union(a.0, b.0);
                check.tie(a);
                check.tie(b);
            }
        }
        check.find_chains();
        check
    }

    /// The value of a Boolean term. An equality that nothing mentions yet counts as false.
    pub(crate) fn holds(&mut self, term: Term) -> bool {
        if is_equality(self.values.pool(), term) && self.values.known(term).is_none() {
            self.values.set(term, Value::Bool(false));
        }
        if let Some(&value) = self.decided.get(&term) {
            return value;
        }
        let value = self.values.eval(term).expect_bool();
        self.decided.insert(term, value);
        value
    }

    /// Does the model say of an equality of two reads that it is false?
    pub(crate) fn tells_apart(&mut self, same: Term) -> bool {
        let pool = self.values.pool();
        let is_known =
            is_equality(pool, same) || pool.args(same).iter().all(|&r| self.values.known(r).is_some());
        is_known && !self.holds(same)
    }

    /// Marks everything below a side of a true equality.
    fn tie(&mut self, node: NodeId) {
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if std::mem::replace(&mut self.tied[node.index()], true) {
                continue;
            }
            match self.graph.node(node) {
                Node::Base | Node::Constant { .. } => {}
                Node::Store { base, .. } => todo.push(base),
                // Which branch is chosen is not known before the condition can be evaluated.
                Node::Ite { branches, .. } => todo.extend(branches),
            }
        }
    }

    /// The nodes and accesses by nesting, the least nested first.
    pub(crate) fn levels(&mut self) -> Vec<Level> {
        let graph = self.graph;
        let mut levels: BTreeMap<u32, Level> = BTreeMap::new();
        for node in graph.nodes() {
            let level = levels.entry(graph.level(node)).or_default();
            level.nodes.push(node);
            if self.tied[node.index()] && matches!(graph.node(node), Node::Store { .. }) {
                level.accesses.push((graph.term(node), node));
            }
        }
        let lowest = levels.keys().next().copied();
        for read in graph.reads() {
            let number = graph.level(read.node);
            levels.entry(number).or_default().accesses.push((read.term, read.node));
            // An index may be a read that is more deeply nested, and must not change any more.
            if Some(number) != lowest {
                self.fix(read.term);
            }
        }
        levels.values_mut().for_each(|level| level.accesses.sort_unstable());
        levels.into_values().collect()
    }

    /// Gives a read that has no value the default of its sort.
    fn fix(&mut self, read: Term) {
        let pool = self.values.pool();
        let sort = pool.sort(read);
        if pool.sorts().array_parts(sort).is_none() && self.values.known(read).is_none() {
            self.values.set(read, Value::default_of(pool.sorts(), sort));
        }
    }

    /// Propagates the accesses of a level; at most one lemma for each.
    pub(crate) fn run(&mut self, level: &Level) {
        for &(term, origin) in &level.accesses {
            if !self.is_defined(term) {
                self.start(term, origin);
            }
            if self.is_enough() {
                return;
            }
        }
        for number in std::mem::take(&mut self.inner) {
            self.leave_chain(number);
            if self.is_enough() {
                return;
            }
        }
        self.propagate_all();
        if !self.is_enough() {
            self.settle_disputes();
        }
    }

    /// Whether the check is to end: it was stopped, or there are as many lemmas as a round may give, or
    /// enough to fill the memory.
    pub(crate) fn is_enough(&self) -> bool {
        self.stopped || (self.per_round == LemmasPerRound::One && !self.drafts.is_empty()) || self.said > MUCH
    }

    /// Counts a step of an access, and asks from time to time whether to go on.
    pub(crate) fn step_taken(&mut self) {
        self.stopped |= !self.deadline.step(1);
    }

    /// Propagates the accesses at tied arrays.
    pub(crate) fn propagate_all(&mut self) {
        while let Some((node, key)) = self.queue.pop_front() {
            self.propagate(node, key);
            if self.is_enough() {
                return;
            }
        }
    }

    /// Whether an expansion gives a read its value in this model; then the read is no access.
    fn is_defined(&mut self, read: Term) -> bool {
        let Some(expansion) = self.expansions.of(read) else { return false };
        let is_known = |&bottom: &Term| self.values.known(bottom).is_some();
        if !expansion.is_live(self.graph) || !expansion.bottom.iter().all(is_known) {
            return false;
        }
        let value = self.values.eval(expansion.term).clone();
        match self.values.known(read) {
            Some(found) => *found == value,
            None => {
                self.values.set(read, value);
                true
            }
        }
    }

    fn start(&mut self, term: Term, origin: NodeId) {
        let pool = self.values.pool();
        let args = pool.args(term);
        let (key, element) = match pool.op(term) {
            Op::Store => (self.index_of(origin), args[2]),
            _ => (self.key(&args[1..]), term),
        };
        let value = self.element(element);
        let number = self.begin(Access { term, origin, key, element, value, failed: false });
        let access = &mut self.accesses[number as usize];
        if access.value.is_none() {
            let default = Value::default_of(pool.sorts(), pool.sort(term));
            access.value = Some(self.numbers.value(&default));
            self.values.set(term, default);
        }
    }

    /// A constant array as an access at an index that is given by a constant.
    pub(crate) fn start_constant(&mut self, origin: NodeId, index: Term, element: Term) {
        let key = self.component(index);
        let value = Some(self.component(element));
        self.begin(Access { term: index, origin, key, element, value, failed: false });
    }

    fn begin(&mut self, access: Access) -> u32 {
        let number = self.accesses.len() as u32;
        self.accesses.push(access);
        if self.is_inner(access.origin) {
            self.inner.push(number);
        } else {
            self.descend(number, access.origin, Way::Origin);
        }
        number
    }

    /// A write inside of a chain comes out at the top, unless it is overwritten.
    fn leave_chain(&mut self, number: u32) {
        let Access { origin, key, .. } = self.accesses[number as usize];
        let top = self.top(origin);
        if matches!(self.passage(top, key), Passage::Lands(write) if write == origin) {
            self.descend(number, top, Way::Up(origin));
        }
    }

    /// The number of an index, of one or several components.
    fn key(&mut self, index: &[Term]) -> u32 {
        match index {
            &[index] => self.component(index),
            _ => {
                let list = index.iter().map(|&component| self.component(component)).collect();
                self.numbers.list(list)
            }
        }
    }

    /// The number of the value of a term. An array has its value when its level is done.
    pub(crate) fn component(&mut self, term: Term) -> u32 {
        let value = self.values.eval(term);
        self.numbers.value(value)
    }

    /// The number of the value of an element; `None` for a free read.
    fn element(&mut self, term: Term) -> Option<u32> {
        let pool = self.values.pool();
        let free = matches!(pool.op(term), Op::Select | Op::Apply)
            && pool.sorts().array_parts(pool.sort(term)).is_none()
            && self.values.known(term).is_none();
        (!free).then(|| self.component(term))
    }

    /// The number of the index of a store.
    pub(crate) fn index_of(&mut self, store: NodeId) -> u32 {
        if let Some(key) = self.indices[store.index()] {
            return key;
        }
        let Node::Store { index, .. } = self.graph.node(store) else { unreachable!("asked for a store") };
        let key = self.component(index);
        self.indices[store.index()] = Some(key);
        key
    }

    /// The element that a store writes.
    fn written(&self, store: NodeId) -> Term {
        let Node::Store { element, .. } = self.graph.node(store) else { unreachable!("asked for a store") };
        element
    }

    /// Which branch the model chooses.
    pub(crate) fn chosen(&mut self, condition: Term, branches: [NodeId; 2]) -> NodeId {
        branches[usize::from(!self.holds(condition))]
    }

    /// Rules D and C: lets an access come to `node`, and go down from there until it meets another one or
    /// lands.
    fn descend(&mut self, number: u32, node: NodeId, way: Way) {
        let Access { key, origin, .. } = self.accesses[number as usize];
        let (mut at, mut way) = (node, way);
        // The last array at which the access left a trace.
        let mut from = node;
        loop {
            self.step_taken();
            let kind = self.graph.node(at);
            let lands = matches!(kind, Node::Base | Node::Constant { .. });
            if self.tied[at.index()] || lands {
                if !self.enter(number, at, way) {
                    return;
                }
                from = at;
            }
            let next = match kind {
                Node::Base => return,
                Node::Constant { element } => return self.land(number, at, way, element),
                Node::Store { .. } if self.tied[at.index()] => match self.passage(at, key) {
                    Passage::Passes(bottom) => bottom,
                    // A write at the top was there first and has met this access.
                    Passage::Lands(write) if write == at || write == origin => return,
                    Passage::Lands(write) => {
                        return self.land(number, write, Way::Down(at), self.written(write));
                    }
                },
                Node::Store { base, .. } if self.index_of(at) != key => base,
                Node::Store { element, .. } => return self.land(number, at, way, element),
                Node::Ite { condition, branches } => self.chosen(condition, branches),
            };
            // Until something is entered, the way to the start is the way from its first array.
            way = match way {
                Way::Across(..) | Way::Up(_) => Way::Down(at),
                Way::Origin | Way::Down(_) => Way::Down(from),
            };
            at = next;
        }
    }

    /// Enters an access in the table, if it is the first with its index; otherwise compares. Does it go on?
    fn enter(&mut self, number: u32, node: NodeId, way: Way) -> bool {
        let key = self.accesses[number as usize].key;
        let Some(&entry) = self.table.get(&(node, key)) else {
            self.table.insert((node, key), Entry { access: number, way });
            if matches!(self.graph.node(node), Node::Base) {
                self.entries.entry(node).or_default().push(number);
            }
            if self.tied[node.index()] {
                self.queue.push_back((node, key));
            }
            return true;
        };
        let [new, old] = [number, entry.access].map(|a| self.accesses[a as usize]);
        self.adopt(number, old.element);
        if self.agrees(number, old.value.expect("entered accesses have values")) {
            if self.per_round == LemmasPerRound::Class {
                self.agreed.push((number, node, way));
            }
            return false;
        }
        if self.per_round == LemmasPerRound::Class {
            self.disputed.insert((node, key));
        }
        let conditions = self.meeting(&new, number, node, way, entry);
        self.fail(number, Reason::Congruence, conditions, old.element);
        self.drafts.last_mut().expect("it was just made").accesses[1] = Some(old.term);
        false
    }

    /// The lemmas of accesses that agreed where others did not.
    fn settle_disputes(&mut self) {
        for (number, node, way) in std::mem::take(&mut self.agreed) {
            let access = self.accesses[number as usize];
            if self.disputed.contains(&(node, access.key)) {
                let entry = self.table[&(node, access.key)];
                let conditions = self.meeting(&access, number, node, way, entry);
                let old = self.accesses[entry.access as usize].element;
                self.draft(Reason::Congruence, conditions, Some((access.element, old)));
            }
        }
    }

    /// Is the element of an access this one? A free read takes it.
    fn agrees(&mut self, number: u32, value: u32) -> bool {
        let access = &mut self.accesses[number as usize];
        if access.value.is_some() {
            return access.value == Some(value);
        }
        access.value = Some(value);
        true
    }

    /// An access lands at a store that wrote its index, or at a constant array, where the element is
    /// `element`.
    fn land(&mut self, number: u32, node: NodeId, way: Way, element: Term) {
        let value = self.component(element);
        self.adopt(number, element);
        if self.agrees(number, value) || planted!(WriteUnseen) {
            return;
        }
        let access = self.accesses[number as usize];
        let mut conditions = vec![];
        self.trace(number, node, way, &mut conditions);
        let reason = match self.graph.node(node) {
            Node::Store { index, .. } => {
                conditions.push(Condition::Same(self.indices(&access)[0], index));
                Reason::Congruence
            }
            _ => Reason::Constant,
        };
        self.fail(number, reason, conditions, element);
    }

    /// A free read takes the value of an element.
    fn adopt(&mut self, number: u32, element: Term) {
        let access = self.accesses[number as usize];
        if access.value.is_none() {
            let value = self.values.eval(element).clone();
            self.values.set(access.term, value);
        }
    }

    /// Rules U, R and L for the representative of an index at a tied array.
    fn propagate(&mut self, node: NodeId, key: u32) {
        let number = self.table[&(node, key)].access;
        if self.accesses[number as usize].failed {
            return;
        }
        let graph = self.graph;
        let across = self.across.get(&node).cloned().unwrap_or_default();
        for (other, atom) in across {
            self.descend(number, other, Way::Across(node, atom));
            if self.is_enough() {
                return;
            }
        }
        for &parent in graph.parents(node) {
            if !self.tied[parent.index()] || planted!(WalkStops) {
                continue;
            }
            let top = self.top(parent);
            let passes = match graph.node(parent) {
                Node::Store { .. } => matches!(self.passage(top, key), Passage::Passes(_)),
                Node::Ite { condition, branches } => self.chosen(condition, branches) == node,
                Node::Base | Node::Constant { .. } => false,
            };
            if passes {
                self.descend(number, top, Way::Up(node));
                if self.is_enough() {
                    return;
                }
            }
        }
    }

    /// The element of an access should have been `element`.
    fn fail(&mut self, number: u32, reason: Reason, conditions: Vec<Condition>, element: Term) {
        let access = &mut self.accesses[number as usize];
        access.failed = true;
        let (term, conclusion) = (access.term, (access.element, element));
        let pool = self.values.pool();
        let is_access = matches!(pool.op(term), Op::Select | Op::Apply);
        let is_read = is_access && pool.sorts().array_parts(pool.sort(term)).is_none();
        if is_read && matches!(self.per_round, LemmasPerRound::Repair | LemmasPerRound::Class) {
            let value = self.values.eval(element).clone();
            self.values.set(term, value);
        }
        self.draft(reason, conditions, Some(conclusion));
        let draft = self.drafts.last_mut().expect("it was just made");
        draft.accesses[0] = Some(term);
    }

    /// Notes a lemma: under the conditions two terms are equal, or the conditions contradict each other.
    pub(crate) fn draft(
        &mut self,
        reason: Reason,
        conditions: Vec<Condition>,
        conclusion: Option<(Term, Term)>,
    ) {
        let mut draft = Draft { reason, conditions, conclusion, accesses: [None; 2] };
        draft.minimise();
        #[cfg(feature = "faults")]
        crate::planted::forget_premise(&mut draft);
        self.said += draft.conditions.len();
        self.drafts.push(draft);
    }
}
