//! Edits that keep the meaning: constant folding and removal of neutral operands.
//!
//! After a pass that replaces nodes by constants, most of a formula is constant, but is still written out. A
//! failure that depends on the meaning (a wrong answer, a wrong model) survives simplification, so that all
//! these edits together mostly succeed in one test. A failure that depends on the form may not; then they are
//! tried in halves like all others.
//!
//! The rules are local: operators of constants are evaluated, an absorbing operand is the result, neutral
//! operands are removed, a decided if-then-else is its branch, double negation is removed, a read at the
//! index that was just written is the element that was written.

use crate::edit::{Change, Edit};
use crate::script::Script;
use bivalve_terms::{Assignment, Evaluator, Op, Pool, Term, TermMap, Value, cone};

/// The simplifying edits of a script, children first.
pub(crate) fn simplifications(pool: &mut Pool, script: &Script) -> Vec<Edit> {
    let terms = cone(pool, &script.roots());
    let known = known(pool, &terms);
    let mut edits = vec![];
    for at in terms {
        match known.get(at) {
            _ if pool.args(at).is_empty() => {}
            Some(Value::Bool(value)) => edits.push(Edit { at, change: Change::Leaf(pool.bool(*value)) }),
            Some(Value::BitVec(value)) => edits.push(Edit { at, change: Change::Leaf(pool.bitvec(value)) }),
            _ => edits.extend(local(pool, at, &known).into_iter().map(|change| Edit { at, change })),
        }
    }
    edits
}

/// The Boolean and bit-vector terms whose value does not depend on symbols, as far as local rules
/// find them.
fn known(pool: &Pool, terms: &[Term]) -> TermMap<Value> {
    let assignment = Assignment::new();
    let mut evaluator = Evaluator::new(pool, &assignment);
    let mut known: TermMap<Value> = TermMap::new();
    for &term in terms {
        let (args, sort) = (pool.args(term), pool.sort(term));
        let value = if pool.is_const(term) {
            Some(evaluator.eval(term).clone())
        } else if args.is_empty() || !(sort.is_bool() || sort.is_bitvec()) {
            None
        } else if args.iter().all(|&arg| known.contains(arg)) {
            for &arg in args {
                evaluator.set(arg, known.get(arg).expect("just asked").clone());
            }
            Some(evaluator.eval(term).clone())
        } else {
            absorbed(pool, term, &known)
        };
        if let Some(value) = value {
            evaluator.set(term, value.clone());
            known.insert(term, value);
        }
    }
    known
}

/// The value of a term that one operand decides, or that compares a term with itself.
fn absorbed(pool: &Pool, term: Term, known: &TermMap<Value>) -> Option<Value> {
    let args = pool.args(term);
    let is = |value: Value| args.iter().any(|&arg| known.get(arg) == Some(&value));
    let zero = || args.iter().any(|&arg| is_zero(known.get(arg)));
    let width = pool.width(term);
    match (pool.op(term), args) {
        (Op::Forall, [.., body]) => known.get(*body).cloned(),
        (Op::And, _) if is(false.into()) => Some(false.into()),
        (Op::Or, _) if is(true.into()) => Some(true.into()),
        (Op::BvAnd | Op::BvMul, _) if zero() => Some(bivalve_terms::BitVec::zero(width?).into()),
        (Op::Eq | Op::BvUle | Op::BvUge | Op::BvSle | Op::BvSge, [a, b]) if a == b => Some(true.into()),
        (Op::Distinct | Op::BvUlt | Op::BvUgt | Op::BvSlt | Op::BvSgt | Op::Xor, [a, b]) if a == b => {
            Some(false.into())
        }
        _ => None,
    }
}

fn is_zero(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::BitVec(value)) if value.is_zero())
}

/// What one node is equal to, given which of its operands are constant.
fn local(pool: &Pool, term: Term, known: &TermMap<Value>) -> Vec<Change> {
    let args = pool.args(term);
    let value = |i: usize| known.get(args[i]);
    let neutral = |value: Option<&Value>| match (pool.op(term), value) {
        (Op::And, Some(Value::Bool(true))) | (Op::Or | Op::Xor, Some(Value::Bool(false))) => true,
        (Op::BvAdd | Op::BvOr | Op::BvXor, value) => is_zero(value),
        (Op::BvAnd, Some(Value::BitVec(value))) => value.is_ones(),
        (Op::BvMul, Some(Value::BitVec(value))) => value.is_one(),
        _ => false,
    };
    let dropped: Vec<Change> = (0..args.len())
        .filter(|&i| neutral(value(i)) || (idempotent(pool.op(term)) && args[..i].contains(&args[i])))
        .map(|i| Change::Without(i as u32))
        .collect();
    if !dropped.is_empty() {
        return dropped;
    }
    let same = match (pool.op(term), args) {
        (Op::Not | Op::BvNot | Op::BvNeg, &[inner]) if pool.op(inner) == pool.op(term) => pool.args(inner)[0],
        (Op::Ite, &[condition, yes, no]) => match known.get(condition) {
            Some(Value::Bool(true)) => yes,
            Some(Value::Bool(false)) => no,
            _ if yes == no => yes,
            _ => return vec![],
        },
        (Op::Eq, &[a, _]) if pool.sort(a).is_bool() && value(1) == Some(&true.into()) => a,
        (Op::Eq, &[_, b]) if pool.sort(b).is_bool() && value(0) == Some(&true.into()) => b,
        (Op::Implies, &[_, b]) if value(0) == Some(&true.into()) => b,
        (Op::Select, &[array, index]) => match (pool.op(array), pool.args(array)) {
            (Op::Store, &[_, at, element]) if at == index => element,
            (Op::ConstArray, &[element]) => element,
            _ => return vec![],
        },
        (Op::BvSub | Op::BvShl | Op::BvLshr | Op::BvAshr, &[a, _]) if is_zero(value(1)) => a,
        (Op::Extract | Op::ZeroExtend | Op::SignExtend | Op::Repeat, &[a])
            if pool.sort(a) == pool.sort(term) =>
        {
            a
        }
        _ => return vec![],
    };
    vec![Change::Below(same)]
}

fn idempotent(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::BvAnd | Op::BvOr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply;
    use crate::script::Step;
    use bivalve_terms::eval;
    use bivalve_terms::testing::TermGen;

    #[test]
    fn meanings_stay() {
        let mut random = TermGen::with_everything(11);
        let mut folded = 0;
        for _ in 0..400 {
            let mut pool = Pool::new();
            random.forget();
            let term = random.term(&mut pool, bivalve_terms::Sort::BOOL, 25);
            let script = Script { steps: vec![Step::Assert { term, labels: vec![] }] };
            let edits = simplifications(&mut pool, &script);
            folded += edits.len();
            let image = apply(&mut pool, &[term], edits.into_iter()).roots[0];
            for _ in 0..8 {
                let assignment = random.assignment(&pool, &[term]);
                assert_eq!(eval(&pool, term, &assignment), eval(&pool, image, &assignment));
            }
        }
        assert!(folded > 100, "{folded}");
    }
}
