//! Sharing: common subexpressions of several sums or products are computed once.
//!
//! A tree of one associative and commutative operator, whose inner nodes have no other use, is a list of its
//! operands. Pairs of operands that lists share are extracted ([`super::pairs`]), and the lists in which one
//! was found are rebuilt from what is left. A node with other uses is an operand of its users and a list by
//! itself, so nothing is computed twice that was computed once; and an operand that occurs several times is
//! as many members.
//!
//! Why it pays: `a + b + c` and `a + c + d` have an adder in common that hash-consing does not find. Each
//! extraction spares one operation at least, so this needs no count of gates, unlike the normal forms of
//! [`super::normalization`], which multiply out.
//!
//! Measured: bitwise operators gain nothing, and files with many of them took up to twice as long, since a
//! conjunction of many bits is cheaper than a chain of shared ones; so they are left alone. With sums and
//! products, 14 files where it fires took 0.89 times the time (geometric mean), most of it from programs that
//! compute affine forms in many places (0.2 to 0.6, one 3).
//!
//! Why it is correct: these operators are associative and commutative.
//!
//! After STP's common sub-sums (flattening and extraction of pairs). Cost: a walk, and the pairs of each
//! list, within a budget.

use super::pairs;
use crate::change::{Change, Reason};
use crate::problem::Problem;
use bivalve_rewrite::make;
use bivalve_terms::{Op, Pool, Rebuild, Term, TermMap};
use rustc_hash::FxHashMap;

/// The operators whose trees are taken apart.
const OPS: [Op; 2] = [Op::BvMul, Op::BvAdd];

/// More lists of one operator are left alone.
const MOST_LISTS: usize = 4_000;

/// See [`super::Run`].
pub(super) fn run(pool: &mut Pool, problem: &Problem<'_>) -> Option<Vec<Change>> {
    let terms = problem.cone(pool);
    let mut built: TermMap<usize> = TermMap::new();
    let mut tables: Vec<Table> = vec![];
    for op in OPS {
        let table = Table::of(pool, problem, op)?;
        for &list in &table.changed {
            built.insert(table.roots[list], tables.len());
        }
        tables.push(table);
    }
    if tables.iter().all(|table| table.changed.is_empty()) {
        return None;
    }
    let (mut images, mut changes) = (problem.no_images(pool), vec![]);
    // A list is built from the images of its operands, which come before its term.
    for &term in terms {
        match built.get(term) {
            Some(&table) => {
                let image = tables[table].build(pool, term, &images);
                images.set(term, image);
                changes.push(Change::new(term, image, Reason::Unshown));
            }
            None => {
                images.extend(pool, &[term], || problem.deadline.step(1), |_, _, _| None).then_some(())?;
            }
        }
    }
    Some(changes)
}

/// The lists of one operator.
struct Table {
    op: Op,
    /// The terms of the lists, and which list is whose.
    roots: Vec<Term>,
    numbers: TermMap<usize>,
    lists: Vec<Vec<usize>>,
    /// The lists in which a pair was found.
    changed: Vec<usize>,
    members: Vec<Member>,
    /// What pairs became.
    made: FxHashMap<usize, Term>,
}

#[derive(Clone, Copy)]
enum Member {
    Operand(Term),
    Pair(usize, usize),
}

impl Table {
    /// The lists of the operator, with what they share taken out; `None` when the deadline is over.
    fn of(pool: &Pool, problem: &Problem<'_>, op: Op) -> Option<Table> {
        let uses = problem.uses(pool);
        let is_list = |term: Term| pool.op(term) == op && !problem.is_frozen(term);
        let is_inner = |term: Term| is_list(term) && uses.is_single_operand_of(term, op);
        let roots: Vec<Term> =
            problem.cone(pool).iter().copied().filter(|&term| is_list(term) && !is_inner(term)).collect();
        let (numbers, made) = (TermMap::new(), FxHashMap::default());
        let mut table = Table { op, roots, numbers, lists: vec![], changed: vec![], members: vec![], made };
        if table.roots.is_empty() || table.roots.len() > MOST_LISTS {
            return Some(table);
        }
        table.collect(pool, &is_inner);
        let atoms = table.members.len();
        let members = &mut table.members;
        let join = &mut |a, b| {
            members.push(Member::Pair(a, b));
            members.len() - 1
        };
        pairs::share(&mut table.lists, join, problem.deadline).then_some(())?;
        let lists = table.lists.iter().enumerate();
        table.changed =
            lists.filter(|(_, list)| list.last() >= Some(&atoms)).map(|(place, _)| place).collect();
        Some(table)
    }

    /// Makes the lists of the roots.
    fn collect(&mut self, pool: &Pool, is_inner: &dyn Fn(Term) -> bool) {
        let mut operands: TermMap<usize> = TermMap::new();
        for (place, &root) in self.roots.iter().enumerate() {
            let (mut list, mut todo) = (vec![], vec![root]);
            while let Some(term) = todo.pop() {
                if term == root || is_inner(term) {
                    todo.extend(pool.args(term).iter().rev());
                    continue;
                }
                let fresh = self.members.len();
                let number = *operands.get(term).unwrap_or(&fresh);
                if number == fresh {
                    operands.insert(term, fresh);
                    self.members.push(Member::Operand(term));
                }
                list.push(number);
            }
            list.sort_unstable();
            self.numbers.insert(root, place);
            self.lists.push(list);
        }
    }

    /// The term of a list that has changed.
    fn build(&mut self, pool: &mut Pool, root: Term, images: &Rebuild) -> Term {
        let list = &self.lists[*self.numbers.get(root).expect("it is a root")];
        let (mut needed, mut todo) = (vec![], list.clone());
        while let Some(number) = todo.pop() {
            if !self.made.contains_key(&number) {
                needed.push(number);
                if let Member::Pair(a, b) = self.members[number] {
                    todo.extend([a, b]);
                }
            }
        }
        // Pairs are made of older members.
        needed.sort_unstable();
        for number in needed {
            let term = match self.members[number] {
                Member::Operand(term) => images.image(term).expect("operands come before their list"),
                Member::Pair(a, b) => make::app(pool, self.op, &[self.made[&a], self.made[&b]]),
            };
            self.made.insert(number, term);
        }
        let terms = list.iter().map(|number| self.made[number]);
        terms.reduce(|a, b| make::app(pool, self.op, &[a, b])).expect("a list has a member")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::tests::alone;
    use crate::passes::tests::check;
    use bivalve_terms::cone;

    #[test]
    fn the_same_assignments_are_left() {
        let changed = check(run, 600, |pool, trial| {
            let op = OPS[trial.number(2) as usize];
            let mut operands: Vec<Term> = (0..4).map(|_| trial.sum(pool, 1)).collect();
            for _ in 0..3 {
                let mut operand = || operands[trial.number(operands.len() as u64) as usize];
                let (a, b, c) = (operand(), operand(), operand());
                let two = pool.mk(op, &[a, b]);
                operands.push(pool.mk(op, &[two, c]));
            }
            let count = operands.len();
            let other = trial.comparison(pool);
            let compared = pool.mk(Op::BvUlt, &[operands[count - 1], operands[count - 2]]);
            let more = pool.mk(Op::Eq, &[operands[count - 3], operands[0]]);
            vec![pool.mk(Op::Xor, &[compared, other]), pool.mk(Op::Or, &[more, other])]
        });
        assert!(changed > 100, "{changed} changed: too easy");
    }

    /// `a + b + c` and `c + d + a` share `a + c`; where `a + b` is used by others, it stays.
    #[test]
    fn what_lists_share_is_computed_once() {
        let mut pool = Pool::new();
        let sort = bivalve_terms::Sort::bitvec(8).expect("a legal width");
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.symbol(name, sort));
        let two = pool.mk(Op::BvAdd, &[a, b]);
        let one = pool.mk(Op::BvAdd, &[two, c]);
        let other = pool.mk(Op::BvAdd, &[c, d]);
        let other = pool.mk(Op::BvAdd, &[other, a]);
        let compared = pool.mk(Op::BvUlt, &[one, other]);
        let found = alone(run, &mut pool, &[compared]).expect("both have a and c");
        let sums = cone(&pool, &found).into_iter().filter(|&term| pool.op(term) == Op::BvAdd).count();
        assert_eq!(sums, 3);
        assert_eq!(alone(run, &mut pool, &found), None);
        let also = pool.mk(Op::BvUlt, &[two, d]);
        assert_eq!(alone(run, &mut pool, &[compared, also]), None);
    }
}
