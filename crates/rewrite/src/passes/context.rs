//! Context: what the condition of an if-then-else says is used inside its branches.
//!
//! In the first branch of `ite(c, s, t)` the condition is true, in the second one it is false, and in `y` of `and(x, y)`, which is
//! how disjunctions and implications are written too, `x` is true. There, other occurrences of `c` are replaced by their value, `x`
//! by `k` if `c` is `x = k`, and comparisons are decided by the bounds that conditions put on their sides.
//!
//! Terms are shared, and none is made twice. So each term has one *context*: the facts that are known wherever it
//! is used. The contexts are the paths of a tree, whose edges are conditions; the context of a term is where the paths of all
//! its uses part. What is decided is the *use*: the place of a term among the arguments of another one.
//!
//! Why it is right: call the uses of a term that matter to the value of the whole, under some assignment, live. The facts of a context hold
//! at every live use of it, for a use in a branch is live only if the branch is chosen, and `y` matters in `and(x, y)` only if `x` is
//! true. By induction from below, a term with its decided uses replaced has the value of the term wherever its
//! context holds. (Of `and(x, y)` only one operand is taken for granted in the other one, else both could vanish.)
//!
//! Contexts within conjunctions are found in Z3 (`ctx-simplify`) and STP (`ITE-context`), both over trees; over the DAG it is the idea
//! of dominators. Cost: three walks, with a logarithm for the meeting of two paths.

use super::ranges::bound;
use crate::domains::Domain;
use bivalve_terms::{Op, Pool, Term, TermMap, cone};
use rustc_hash::FxHashMap;

/// A condition is taken apart into so many facts.
const MOST_FACTS: usize = 16;

/// So many choices and conjunctions with a known operand are passed in one use.
const MOST_PASSED: usize = 16;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, conjuncts: &[Term], _frozen: &dyn Fn(Term) -> bool) -> Option<Vec<Term>> {
    let terms = cone(pool, conjuncts);
    if !terms.iter().any(|&term| pool.op(term) == Op::Ite || pool.op(term) == Op::And) {
        return None;
    }
    let (tree, uses) = contexts(pool, conjuncts, &terms);
    let decided = decide(pool, &tree, uses);
    if decided.is_empty() {
        return None;
    }
    let mut images: TermMap<Term> = TermMap::new();
    let mut args = vec![];
    for &term in &terms {
        args.clear();
        for (place, &arg) in pool.args(term).iter().enumerate() {
            let used = decided.get(&(term, place as u32)).copied().unwrap_or(arg);
            args.push(images.get(used).copied().unwrap_or(used));
        }
        if args != pool.args(term) {
            let image = pool.rebuild(term, &args);
            images.insert(term, image);
        }
    }
    let image = |&conjunct: &Term| images.get(conjunct).copied().unwrap_or(conjunct);
    let changed: Vec<Term> = conjuncts.iter().map(image).collect();
    (changed != conjuncts).then_some(changed)
}

/// A use of a term: whose argument it is, and which one.
type Use = (Term, u32);

/// Contexts: node 0 knows nothing, each other one a condition more than its parent.
struct Tree {
    nodes: Vec<Node>,
    numbers: FxHashMap<(u32, Term, bool), u32>,
}

/// A node of the tree.
struct Node {
    parent: u32,
    /// An ancestor further up, such that any ancestor is found in logarithmically many steps.
    jump: u32,
    depth: u32,
    condition: Term,
    holds: bool,
}

impl Tree {
    /// The context of what is below `parent` if the condition holds, or does not.
    fn below(&mut self, parent: u32, condition: Term, holds: bool) -> u32 {
        let nodes = &mut self.nodes;
        *self.numbers.entry((parent, condition, holds)).or_insert_with(|| {
            let depth = |node: u32| nodes[node as usize].depth;
            let jump = |node: u32| nodes[node as usize].jump;
            let far = jump(parent);
            let even = depth(parent) - depth(far) == depth(far) - depth(jump(far));
            let jump = if even && parent != 0 { jump(far) } else { parent };
            nodes.push(Node { parent, jump, depth: depth(parent) + 1, condition, holds });
            (nodes.len() - 1) as u32
        })
    }

    /// Where the paths to two nodes part.
    fn common(&self, a: u32, b: u32) -> u32 {
        let node = |number: u32| &self.nodes[number as usize];
        let (mut a, mut b) = if node(a).depth < node(b).depth { (b, a) } else { (a, b) };
        while node(a).depth > node(b).depth {
            let far = node(a).jump;
            a = if node(far).depth >= node(b).depth { far } else { node(a).parent };
        }
        while a != b {
            let same = node(a).jump == node(b).jump;
            (a, b) = if same { (node(a).parent, node(b).parent) } else { (node(a).jump, node(b).jump) };
        }
        a
    }

    /// The context of an argument, given that of its term.
    fn of_use(&mut self, pool: &Pool, term: Term, place: usize, context: u32) -> u32 {
        match (pool.op(term), pool.args(term), place) {
            (Op::Ite, &[condition, _, _], 1 | 2) => self.below(context, condition, place == 1),
            (Op::And, &[a, b], _) => {
                // A literal is worth more as a fact than a large formula.
                let granted = usize::from(is_literal(pool, b) && !is_literal(pool, a));
                if place == granted { context } else { self.below(context, [a, b][granted], true) }
            }
            _ => context,
        }
    }
}

fn is_literal(pool: &Pool, term: Term) -> bool {
    let atom = if pool.op(term) == Op::Not { pool.args(term)[0] } else { term };
    !matches!(pool.op(atom), Op::And | Op::Ite)
}

/// The contexts of all uses that know something.
fn contexts(pool: &Pool, conjuncts: &[Term], terms: &[Term]) -> (Tree, Vec<(u32, Use)>) {
    let root = Node { parent: 0, jump: 0, depth: 0, condition: conjuncts[0], holds: true };
    let mut tree = Tree { nodes: vec![root], numbers: FxHashMap::default() };
    let mut contexts: TermMap<u32> = TermMap::new();
    for &conjunct in conjuncts {
        contexts.insert(conjunct, 0);
    }
    let mut uses = vec![];
    for &term in terms.iter().rev().filter(|&&term| !pool.is_const(term)) {
        let context = *contexts.get(term).expect("a term is a conjunct or has a use");
        for (place, &arg) in pool.args(term).iter().enumerate().filter(|(_, arg)| !pool.is_const(**arg)) {
            let at = tree.of_use(pool, term, place, context);
            let met = contexts.get(arg).map_or(at, |&other| tree.common(at, other));
            contexts.insert(arg, met);
            if at != 0 {
                uses.push((at, (term, place as u32)));
            }
        }
    }
    (tree, uses)
}

/// What is known on the way to a node.
#[derive(Default)]
struct Known {
    values: FxHashMap<Term, Term>,
    domains: FxHashMap<Term, Domain>,
    /// What there was before, to go back.
    undo: Vec<Undo>,
}

enum Undo {
    Value(Term, Option<Term>),
    Domain(Term, Option<Domain>),
}

/// The uses that get another term.
fn decide(pool: &mut Pool, tree: &Tree, mut uses: Vec<(u32, Use)>) -> FxHashMap<Use, Term> {
    uses.sort_by_key(|&(node, _)| node);
    let mut below: Vec<Vec<u32>> = vec![vec![]; tree.nodes.len()];
    for (number, node) in tree.nodes.iter().enumerate().skip(1) {
        below[node.parent as usize].push(number as u32);
    }
    let mut decided = FxHashMap::default();
    let mut known = Known::default();
    let mut todo: Vec<Visit> = below[0].iter().map(|&node| Visit::Enter(node)).collect();
    while let Some(visit) = todo.pop() {
        match visit {
            Visit::Leave(length) => known.back(length),
            Visit::Enter(number) => {
                let node = &tree.nodes[number as usize];
                todo.push(Visit::Leave(known.undo.len()));
                known.grant(pool, node.condition, node.holds);
                let first = uses.partition_point(|&(node, _)| node < number);
                for &(_, place) in uses[first..].iter().take_while(|&&(node, _)| node == number) {
                    let arg = pool.args(place.0)[place.1 as usize];
                    let simple = known.simple(pool, arg);
                    if simple != arg {
                        decided.insert(place, simple);
                    }
                }
                todo.extend(below[number as usize].iter().map(|&node| Visit::Enter(node)));
            }
        }
    }
    decided
}

enum Visit {
    Enter(u32),
    /// Back to so many changes.
    Leave(usize),
}

impl Known {
    /// A condition holds, or does not.
    fn grant(&mut self, pool: &mut Pool, condition: Term, holds: bool) {
        let mut todo = vec![(condition, holds)];
        for _ in 0..MOST_FACTS {
            let Some((term, holds)) = todo.pop() else { break };
            match (pool.op(term), pool.args(term)) {
                (Op::Not, &[below]) => {
                    todo.push((below, !holds));
                    continue;
                }
                (Op::And, args) if holds => todo.extend(args.iter().map(|&arg| (arg, true))),
                _ => {}
            }
            let value = pool.bool(holds);
            self.give(term, value);
            if let Some((term, domain)) = bound(pool, term, holds) {
                self.confine(pool, term, domain);
            }
        }
    }

    fn give(&mut self, term: Term, value: Term) {
        let before = self.values.insert(term, value);
        self.undo.push(Undo::Value(term, before));
    }

    fn confine(&mut self, pool: &mut Pool, term: Term, domain: Domain) {
        let met = self.domains.get(&term).map_or(Some(domain.clone()), |known| known.meet(&domain));
        // Facts that contradict each other are those of a branch that is never taken.
        let Some(met) = met else { return };
        if let Some(value) = met.value() {
            let value = pool.bitvec(value);
            self.give(term, value);
        }
        let before = self.domains.insert(term, met);
        self.undo.push(Undo::Domain(term, before));
    }

    fn back(&mut self, length: usize) {
        for undo in self.undo.drain(length..).rev() {
            match undo {
                Undo::Value(term, Some(before)) => drop(self.values.insert(term, before)),
                Undo::Value(term, None) => drop(self.values.remove(&term)),
                Undo::Domain(term, Some(before)) => drop(self.domains.insert(term, before)),
                Undo::Domain(term, None) => drop(self.domains.remove(&term)),
            }
        }
    }

    /// The truth value of a Boolean, if it is known.
    fn truth(&self, pool: &Pool, term: Term) -> Option<bool> {
        let (atom, negated) = match (pool.op(term), pool.args(term)) {
            (Op::Not, &[atom]) => (atom, true),
            _ => (term, false),
        };
        let value = match self.values.get(&atom) {
            Some(&value) => pool.as_bool(value),
            None => self.compared(pool, atom),
        };
        value.map(|value| value != negated)
    }

    /// What bounds say of a comparison.
    fn compared(&self, pool: &Pool, atom: Term) -> Option<bool> {
        let &[a, b] = pool.args(atom) else { return None };
        if self.domains.is_empty() || !matches!(pool.op(atom), Op::Eq | Op::BvUlt | Op::BvSlt) {
            return None;
        }
        let of = |term: Term| self.domains.get(&term).cloned();
        let (a, b) = match (of(a), of(b)) {
            (Some(a), Some(b)) => (a, b),
            (Some(a), None) => (a, Domain::one(pool.as_bitvec(b)?)),
            (None, Some(b)) => (Domain::one(pool.as_bitvec(a)?), b),
            (None, None) => return None,
        };
        [true, false].into_iter().find(|&value| Domain::compared(pool.op(atom), !value, &a, &b).is_none())
    }

    /// The term that a used one is equal to here: itself, a constant, or something below.
    fn simple(&self, pool: &mut Pool, used: Term) -> Term {
        let mut term = used;
        for _ in 0..MOST_PASSED {
            if let Some(&value) = self.values.get(&term) {
                return value;
            }
            if pool.sort(term).is_bool()
                && let Some(value) = self.truth(pool, term)
            {
                return pool.bool(value);
            }
            term = match (pool.op(term), pool.args(term)) {
                (Op::Ite, &[condition, yes, no]) => match self.truth(pool, condition) {
                    Some(true) => yes,
                    Some(false) => no,
                    None => return term,
                },
                (Op::And, &[a, b]) => match (self.truth(pool, a), self.truth(pool, b)) {
                    (Some(false), _) | (_, Some(false)) => return pool.bool(false),
                    (Some(true), _) => b,
                    (_, Some(true)) => a,
                    (None, None) => return term,
                },
                _ => return term,
            };
        }
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::{Trial, check};

    /// Choices in choices over few conditions, some of them shared.
    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 1500, |pool, trial: &mut Trial| {
            let mut conditions: Vec<Term> = (0..3)
                .map(|_| {
                    let (term, bound) = (trial.sum(pool, 0), trial.constant(pool));
                    let op = [Op::BvUlt, Op::Eq, Op::BvSlt, Op::BvUle][trial.number(4) as usize];
                    if trial.chance(3) { trial.bit(pool) } else { pool.mk(op, &[term, bound]) }
                })
                .collect();
            let mut terms: Vec<Term> = (0..3).map(|_| trial.sum(pool, 1)).collect();
            for _ in 0..6 {
                let pick = |trial: &mut Trial, from: &[Term]| from[trial.number(from.len() as u64) as usize];
                let (c, d, e) =
                    (pick(trial, &conditions), pick(trial, &conditions), pick(trial, &conditions));
                let (s, t) = (pick(trial, &terms), pick(trial, &terms));
                let made = match trial.number(5) {
                    0 => pool.mk(Op::BvUlt, &[s, t]),
                    1 => pool.mk(Op::And, &[c, d]),
                    2 => pool.mk(Op::Or, &[c, d]),
                    3 => pool.mk(Op::Ite, &[c, d, e]),
                    _ => pool.mk(Op::Ite, &[c, s, t]),
                };
                if pool.sort(made).is_bool() { conditions.push(made) } else { terms.push(made) }
            }
            let (s, t) = (terms[terms.len() - 1], terms[terms.len() - 2]);
            let last = pool.mk(Op::BvUlt, &[s, t]);
            vec![pool.mk(Op::Or, &[last, conditions[conditions.len() - 1]])]
        });
        assert!(changed > 200, "{changed} changed: too easy");
    }

    /// `ite(x = 3, x * y, z)` multiplies by 3, unless the product is used elsewhere.
    #[test]
    fn a_shared_term_is_left_alone() {
        let mut pool = Pool::new();
        let byte = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, byte));
        let three = pool.bv_u64(3, 8);
        let product = pool.mk(Op::BvMul, &[x, y]);
        let is_three = pool.mk(Op::Eq, &[three, x]);
        let choice = pool.mk(Op::Ite, &[is_three, product, z]);
        let compared = pool.mk(Op::BvUlt, &[choice, y]);
        let found = run(&mut pool, &[compared], &|_| false).expect("x is three there");
        let by_three = pool.mk(Op::BvMul, &[three, y]);
        let choice = pool.mk(Op::Ite, &[is_three, by_three, z]);
        assert_eq!(found, [pool.mk(Op::BvUlt, &[choice, y])]);
        let other = pool.mk(Op::BvUlt, &[product, z]);
        assert_eq!(run(&mut pool, &[compared, other], &|_| false), None);
    }

    /// Paths part where they should, however long they are.
    #[test]
    fn paths_part() {
        let mut pool = Pool::new();
        let byte = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let symbol = pool.symbol("x", byte);
        let root = Node { parent: 0, jump: 0, depth: 0, condition: symbol, holds: true };
        let mut tree = Tree { nodes: vec![root], numbers: FxHashMap::default() };
        let mut random = fastrand::Rng::with_seed(1);
        for number in 0..400 {
            let parent = random.u32(number.max(20) - 20..=number);
            let condition = pool.symbol(&format!("c{number}"), byte);
            assert_eq!(tree.below(parent.min(number), condition, true), number + 1);
        }
        let path = |mut node: u32| {
            let mut path = vec![node];
            while node != 0 {
                node = tree.nodes[node as usize].parent;
                path.push(node);
            }
            path
        };
        for _ in 0..2000 {
            let (a, b) = (random.u32(..=400), random.u32(..=400));
            let other = path(b);
            let parted = path(a).into_iter().find(|node| other.contains(node)).expect("the root is on both");
            assert_eq!(tree.common(a, b), parted);
        }
    }
}
