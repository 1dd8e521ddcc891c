//! Terms of the solver as terms of the checker.
//!
//! Each operator becomes what the checker's own parser makes of it, so the translation of an assertion is the
//! term that the checker reads. Each term is translated once; depth is memory.

use crate::floats;
use crate::recorder::Recorder;
use bivalve_checker::records::RecordOp;
use bivalve_checker::term as to;
use bivalve_checker::term::Op as To;
use bivalve_terms::{BitVec, Op, Pool, Sort, SortKind, Term, TermMap, TheorySort, Value};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// What was translated.
#[derive(Clone, Default)]
pub(crate) struct Translation {
    terms: TermMap<to::Term>,
    functions: FxHashMap<Term, to::Function>,
    sorts: FxHashMap<Sort, to::Sort>,
}

impl Translation {
    /// The term, if it was translated.
    pub(crate) fn known(&self, term: Term) -> Option<to::Term> {
        self.terms.get(term).copied()
    }

    /// The checker's function for a symbol, if it was translated.
    pub(crate) fn known_function(&self, symbol: Term) -> Option<to::Function> {
        self.functions.get(&symbol).copied()
    }

    /// The sort that a sort of the checker is the translation of.
    pub(crate) fn sort_of(&self, sort: to::Sort) -> Option<Sort> {
        self.sorts.iter().find(|&(_, &made)| made == sort).map(|(&sort, _)| sort)
    }

    /// The checker has this term for a symbol.
    pub(crate) fn define(&mut self, symbol: Term, term: to::Term) {
        self.terms.insert(symbol, term);
    }

    /// The checker's term.
    ///
    /// # Errors
    ///
    /// When the checker does not know an operator or a sort.
    pub(crate) fn term(&mut self, pool: &Pool, root: Term, out: &mut Recorder) -> Result<to::Term, String> {
        if let Some(&known) = self.terms.get(root) {
            return Ok(known);
        }
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.terms.get(term).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let args = arguments(pool, term);
            stack.extend(args.iter().copied().filter(|arg| self.terms.get(*arg).is_none()));
            if stack.len() == before {
                stack.pop();
                let made = self.make(pool, term, out)?;
                self.terms.insert(term, made);
            }
        }
        self.terms.get(root).copied().ok_or_else(|| "a term was not translated".into())
    }

    fn sort(&mut self, pool: &Pool, sort: Sort, out: &mut Recorder) -> Result<to::Sort, String> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let made = match pool.sorts().kind(sort) {
            SortKind::Bool => out.kernel.terms.bool_sort(),
            SortKind::BitVec(width) => out.kernel.terms.bitvec_sort(width)?,
            SortKind::Array { index, element } => {
                let (index, element) = (self.sort(pool, index, out)?, self.sort(pool, element, out)?);
                out.kernel.terms.sort(to::SortKind::Array(index, element))
            }
            SortKind::Uninterpreted(name) => {
                let made = out.kernel.terms.sort(to::SortKind::Declared(self.sorts.len() as u32));
                out.declared.insert(made, name.to_string());
                made
            }
            SortKind::Theory(TheorySort::Record(_)) => self.record_sort(pool, sort, out)?,
            SortKind::Theory(theory) => out.kernel.terms.sort(floats::sort(theory)?),
            SortKind::Function { .. } => return Err("a function is no argument".into()),
        };
        self.sorts.insert(sort, made);
        Ok(made)
    }

    /// Records are nested at most [`bivalve_terms::MAX_NESTING`] deep.
    fn record_sort(&mut self, pool: &Pool, sort: Sort, out: &mut Recorder) -> Result<to::Sort, String> {
        let record = pool.sorts().as_record(sort).ok_or("a sort of no records")?;
        let mut constructors = vec![];
        for constructor in record.constructors() {
            let fields = constructor.fields.iter().map(|&(_, sort)| self.sort(pool, sort, out));
            constructors.push(fields.collect::<Result<_, _>>()?);
        }
        let name = record.name();
        let name = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name);
        out.kernel.terms.record_sort(name, constructors)
    }

    /// A record that is a constant. As deep as its sort.
    fn record(&mut self, pool: &Pool, value: &Value, out: &mut Recorder) -> Result<to::Term, String> {
        let Some(record) = value.as_record() else {
            let terms = &mut out.kernel.terms;
            return match value {
                Value::Bool(value) => Ok(terms.truth(*value)),
                Value::BitVec(value) => word(value, terms),
                value => floats::value(value, terms).ok_or("a constant of another sort")?,
            };
        };
        let fields = record.fields().iter().map(|field| self.record(pool, field, out));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let sort = self.sort(pool, pool.sorts().sort_of_record(record.definition()), out)?;
        let op = record_operator(Op::RecordNew, record.constructor(), sort, out)?;
        out.kernel.terms.mk(op, &fields)
    }

    fn function(&mut self, pool: &Pool, symbol: Term, out: &mut Recorder) -> Result<to::Function, String> {
        if let Some(&known) = self.functions.get(&symbol) {
            return Ok(known);
        }
        let SortKind::Function { params, result } = pool.sorts().kind(pool.sort(symbol)) else {
            return Err("an application of what is no function".into());
        };
        let domain = params.iter().map(|&sort| self.sort(pool, sort, out)).collect::<Result<_, _>>()?;
        let range = self.sort(pool, result, out)?;
        let made = out.kernel.terms.fresh_function(domain, range);
        out.functions.insert(made, pool.name(symbol).unwrap_or_default().to_string());
        self.functions.insert(symbol, made);
        Ok(made)
    }

    fn make(&mut self, pool: &Pool, term: Term, out: &mut Recorder) -> Result<to::Term, String> {
        let args: Vec<to::Term> = arguments(pool, term).iter().filter_map(|&arg| self.known(arg)).collect();
        match pool.op(term) {
            Op::Symbol => {
                let sort = self.sort(pool, pool.sort(term), out)?;
                let made = out.kernel.terms.fresh(sort);
                out.constants.insert(made, pool.name(term).unwrap_or_default().to_string());
                Ok(made)
            }
            Op::Const => match pool.as_bool(term) {
                Some(value) => Ok(out.kernel.terms.truth(value)),
                None if let Some(made) = floats::constant(pool, term, &mut out.kernel.terms) => made,
                None => self.record(pool, &pool.as_value(term).ok_or("a constant without a value")?, out),
            },
            Op::Apply => {
                let function = self.function(pool, pool.args(term)[0], out)?;
                out.kernel.terms.mk(To::Apply(function), &args)
            }
            // Its variables are symbols that nothing names.
            Op::Forall => out.kernel.terms.mk(To::Forall, &args),
            Op::ConstArray => {
                let sort = self.sort(pool, pool.sort(term), out)?;
                out.kernel.terms.mk(To::ConstArray(sort), &args)
            }
            op @ (Op::RecordNew | Op::RecordIs | Op::RecordGet | Op::RecordSet) => {
                let of = if op == Op::RecordNew { term } else { arguments(pool, term)[0] };
                let sort = self.sort(pool, pool.sort(of), out)?;
                let op = record_operator(op, pool.index(term), sort, out)?;
                out.kernel.terms.mk(op, &args)
            }
            op => match floats::operator(pool, term, &args, &mut out.kernel.terms) {
                Some(made) => made,
                None => operator(op, &pool.indices(term), &args, &mut out.kernel.terms),
            },
        }
    }
}

fn word(value: &BitVec, terms: &mut to::Terms) -> Result<to::Term, String> {
    let bytes: Vec<u8> = value.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    terms.value(value.width(), BigUint::from_bytes_le(&bytes))
}

/// An operator on the records of a sort.
fn record_operator(op: Op, index: u32, sort: to::Sort, out: &Recorder) -> Result<To, String> {
    let to::SortKind::Record(number) = out.kernel.terms.kind(sort) else {
        return Err("an operator without a record".into());
    };
    let op = match op {
        Op::RecordNew => RecordOp::New,
        Op::RecordIs => RecordOp::Is,
        Op::RecordGet => RecordOp::Get,
        _ => RecordOp::Set,
    };
    Ok(To::Record(op, number, index))
}

/// The arguments that are terms: all but the symbol of an application, and what is not written.
pub(crate) fn arguments(pool: &Pool, term: Term) -> &[Term] {
    let args = pool.written_args(term);
    if pool.op(term) == Op::Apply { &args[1..] } else { args }
}

/// An operator on the checker's terms.
fn operator(op: Op, indices: &[u32], args: &[to::Term], terms: &mut to::Terms) -> Result<to::Term, String> {
    if let Some(op) = listed(op) {
        return terms.chain(op, args);
    }
    match (op, indices, args) {
        (Op::Eq, _, _) => terms.neighbours(args, |terms, a, b| terms.mk(To::Eq, &[a, b])),
        (Op::Distinct, _, _) => terms.distinct(args),
        (Op::Implies, _, [rest @ .., last]) => {
            rest.iter().rev().try_fold(*last, |right, &left| terms.implies(left, right))
        }
        (Op::BvSub, _, [first, rest @ ..]) => {
            rest.iter().try_fold(*first, |left, &right| terms.sub(left, right))
        }
        (Op::BvXnor, _, [first, rest @ ..]) => {
            rest.iter().try_fold(*first, |left, &right| terms.complement(To::BvXor, left, right))
        }
        (Op::Extract, &[high, low], _) => terms.mk(To::Extract(high, low), args),
        (_, &[index], &[a]) => indexed(op, index, a, terms),
        (_, _, &[a]) => unary(op, a, terms),
        (_, _, &[a, b]) => binary(op, a, b, terms),
        (Op::Ite, _, _) => terms.mk(To::Ite, args),
        (Op::Store, _, _) => terms.mk(To::Store, args),
        _ => Err(format!("'{}' is not known to the checker", op.name())),
    }
}

/// Operators whose lists are chains from the left.
fn listed(op: Op) -> Option<To> {
    Some(match op {
        Op::And => To::And,
        Op::Or => To::Or,
        Op::Xor => To::Xor,
        Op::BvAnd => To::BvAnd,
        Op::BvOr => To::BvOr,
        Op::BvXor => To::BvXor,
        Op::BvAdd => To::BvAdd,
        Op::BvMul => To::BvMul,
        Op::Concat => To::Concat,
        _ => return None,
    })
}

fn indexed(op: Op, index: u32, a: to::Term, terms: &mut to::Terms) -> Result<to::Term, String> {
    match op {
        Op::Repeat => terms.repeat(index, a),
        Op::ZeroExtend => terms.zero_extend(index, a),
        Op::SignExtend => terms.sign_extend(index, a),
        Op::RotateLeft => terms.rotate_left(index, a),
        Op::RotateRight => terms.rotate_right(index, a),
        _ => Err(format!("'{}' is not known to the checker", op.name())),
    }
}

fn unary(op: Op, a: to::Term, terms: &mut to::Terms) -> Result<to::Term, String> {
    match op {
        Op::Not => terms.not(a),
        Op::BvNot => terms.mk(To::BvNot, &[a]),
        Op::BvNeg => terms.mk(To::BvNeg, &[a]),
        Op::BvNego => terms.nego(a),
        Op::RedAnd => terms.reduce(true, a),
        Op::RedOr => terms.reduce(false, a),
        Op::RedXor => terms.parity(a),
        _ => Err(format!("'{}' is not known to the checker", op.name())),
    }
}

fn binary(op: Op, a: to::Term, b: to::Term, terms: &mut to::Terms) -> Result<to::Term, String> {
    match op {
        Op::Select => terms.mk(To::Select, &[a, b]),
        Op::BvUdiv => terms.mk(To::BvUdiv, &[a, b]),
        Op::BvUrem => terms.mk(To::BvUrem, &[a, b]),
        Op::BvShl => terms.mk(To::BvShl, &[a, b]),
        Op::BvLshr => terms.mk(To::BvLshr, &[a, b]),
        Op::BvAshr => terms.mk(To::BvAshr, &[a, b]),
        Op::BvUlt => terms.mk(To::BvUlt, &[a, b]),
        Op::BvSlt => terms.mk(To::BvSlt, &[a, b]),
        Op::BvUgt => terms.mk(To::BvUlt, &[b, a]),
        Op::BvSgt => terms.mk(To::BvSlt, &[b, a]),
        Op::BvUle => terms.at_most(To::BvUlt, a, b),
        Op::BvSle => terms.at_most(To::BvSlt, a, b),
        Op::BvUge => terms.at_most(To::BvUlt, b, a),
        Op::BvSge => terms.at_most(To::BvSlt, b, a),
        Op::BvNand => terms.complement(To::BvAnd, a, b),
        Op::BvNor => terms.complement(To::BvOr, a, b),
        Op::BvComp => terms.comp(a, b),
        Op::BvSdiv => terms.sdiv(a, b),
        Op::BvSrem => terms.srem(a, b),
        Op::BvSmod => terms.smod(a, b),
        Op::BvUaddo => terms.addo(false, a, b),
        Op::BvSaddo => terms.addo(true, a, b),
        Op::BvUmulo => terms.mulo(false, a, b),
        Op::BvSmulo => terms.mulo(true, a, b),
        Op::BvUsubo => terms.usubo(a, b),
        Op::BvSsubo => terms.ssubo(a, b),
        Op::BvSdivo => terms.sdivo(a, b),
        Op::BvUdivo => Ok(terms.truth(false)),
        Op::ExtRotateLeft => terms.rotate_by(true, a, b),
        Op::ExtRotateRight => terms.rotate_by(false, a, b),
        _ => Err(format!("'{}' is not known to the checker", op.name())),
    }
}
