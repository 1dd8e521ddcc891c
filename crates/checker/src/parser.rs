//! Terms of SMT-LIB 2, from trees to the table of terms, without recursion.

use crate::lexer::{Id, Node, Tree};
use crate::script::{Binding, Scope};
use crate::term::{Op, Sort, SortKind, Term, Terms};
use num_bigint::BigUint;

/// What is to be done next.
enum Task {
    /// Read the term at this node.
    Read(Id),
    /// Apply the head of this node to as many terms.
    Apply(Id, usize),
    /// Bind the names of this `let`, then read its body.
    Bind(Id),
    /// As many names end.
    Unbind(Vec<String>),
    /// The term of this annotation has the names that it gives.
    Name(Id),
}

/// Reads a term.
pub(crate) struct Parser<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) terms: &'a mut Terms,
    pub(crate) scope: &'a mut Scope,
}

impl Parser<'_> {
    /// The term at a node.
    pub(crate) fn term(&mut self, root: Id) -> Result<Term, String> {
        let mut tasks = vec![Task::Read(root)];
        let mut done: Vec<Term> = vec![];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(id) => self.read(id, &mut tasks, &mut done)?,
                Task::Apply(id, count) => {
                    let args = done.split_off(done.len() - count);
                    done.push(self.apply(id, &args)?);
                }
                Task::Bind(id) => {
                    let parts = self.tree.list(id);
                    let names = self.names(parts[1])?;
                    let values = done.split_off(done.len() - names.len());
                    for (name, value) in names.iter().zip(values) {
                        self.scope.bind_local(name, Binding::Constant(value));
                    }
                    tasks.push(Task::Unbind(names));
                    tasks.push(Task::Read(parts[2]));
                }
                Task::Unbind(names) => names.iter().for_each(|name| self.scope.unbind(name)),
                Task::Name(id) => {
                    let &term = done.last().ok_or("a term was expected")?;
                    for pair in self.tree.list(id)[2..].windows(2) {
                        if self.tree.literal(pair[0]) == Some(":named") {
                            let name = self.tree.symbol(pair[1]).ok_or("a name was expected")?;
                            self.scope.name(name, term)?;
                        }
                    }
                }
            }
        }
        done.pop().ok_or_else(|| "a term was expected".into())
    }

    /// The names that the bindings of a `let` give.
    fn names(&self, bindings: Id) -> Result<Vec<String>, String> {
        let name = |&binding: &Id| match self.tree.list(binding) {
            &[name, _] => self.tree.symbol(name).map(str::to_string),
            _ => None,
        };
        let names: Option<Vec<String>> = self.tree.list(bindings).iter().map(name).collect();
        names.ok_or_else(|| "a binding was expected".into())
    }

    fn read(&mut self, id: Id, tasks: &mut Vec<Task>, done: &mut Vec<Term>) -> Result<(), String> {
        let parts = match self.tree.node(id) {
            Node::List(parts) => parts,
            Node::Symbol(name) => {
                done.push(self.constant(name)?);
                return Ok(());
            }
            Node::Literal(text) => {
                done.push(self.literal(text)?);
                return Ok(());
            }
        };
        let &head = parts.first().ok_or("an empty list is no term")?;
        match self.tree.symbol(head) {
            Some("let") if parts.len() == 3 => {
                self.names(parts[1])?;
                tasks.push(Task::Bind(id));
                let values = self.tree.list(parts[1]).iter();
                tasks.extend(values.map(|&binding| Task::Read(self.tree.list(binding)[1])).rev());
            }
            Some("!") if parts.len() >= 2 => tasks.extend([Task::Name(id), Task::Read(parts[1])]),
            Some("_") => done.push(self.indexed_constant(parts)?),
            Some("forall" | "exists" | "match" | "lambda") => {
                return Err("binders other than let are not known here".into());
            }
            _ => {
                tasks.push(Task::Apply(id, parts.len() - 1));
                tasks.extend(parts[1..].iter().map(|&arg| Task::Read(arg)).rev());
            }
        }
        Ok(())
    }

    fn constant(&mut self, name: &str) -> Result<Term, String> {
        match self.scope.get(name) {
            Some(&(Binding::Symbol(term) | Binding::Constant(term))) => Ok(term),
            Some(_) => Err(format!("'{name}' is not a constant")),
            None if name == "true" || name == "false" => Ok(self.terms.truth(name == "true")),
            None => Err(format!("'{name}' is not declared")),
        }
    }

    fn literal(&mut self, text: &str) -> Result<Term, String> {
        let digits = |radix: u32, bits: u32, digits: &str| {
            let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
            Some((u32::try_from(digits.len()).ok()?.checked_mul(bits)?, value))
        };
        let read = match text.get(..2) {
            Some("#b") => digits(2, 1, &text[2..]),
            Some("#x") => digits(16, 4, &text[2..]),
            _ => None,
        };
        let (width, value) = read.ok_or_else(|| format!("'{text}' is no bit-vector"))?;
        self.terms.value(width, value)
    }

    /// `(_ bv5 32)`
    fn indexed_constant(&mut self, parts: &[Id]) -> Result<Term, String> {
        let value = match *parts {
            [_, name, width] => {
                let value = self.tree.symbol(name).and_then(|name| name.strip_prefix("bv"));
                let value = value.and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 10));
                value.zip(self.tree.number(width))
            }
            _ => None,
        };
        let (value, width) = value.ok_or("an indexed constant is not known here")?;
        if value.bits() > u64::from(width) {
            return Err("a value has more bits than its sort".into());
        }
        self.terms.value(width, value)
    }

    fn apply(&mut self, id: Id, args: &[Term]) -> Result<Term, String> {
        let head = self.tree.list(id)[0];
        if let Some(name) = self.tree.symbol(head) {
            return match self.scope.get(name) {
                Some(&Binding::Function(function)) => self.terms.mk(Op::Apply(function), args),
                Some(Binding::Macro(definition)) => definition.expand(self.terms, args),
                Some(&(Binding::Symbol(term) | Binding::Constant(term))) if args.is_empty() => Ok(term),
                Some(_) => Err(format!("'{name}' is not a function")),
                None => self.operator(name, &[], args),
            };
        }
        match *self.tree.list(head) {
            [keyword, name, ref indices @ ..] if self.tree.symbol(keyword) == Some("_") => {
                let indices: Option<Vec<u32>> = indices.iter().map(|&at| self.tree.number(at)).collect();
                let name = self.tree.symbol(name).ok_or("a name was expected")?;
                self.operator(name, &indices.ok_or("an index that is no number")?, args)
            }
            [keyword, name, sort] if self.tree.symbol(keyword) == Some("as") => {
                if self.tree.symbol(name) != Some("const") {
                    return Err("only arrays are made with 'as'".into());
                }
                let sort = self.sort(sort)?;
                self.terms.mk(Op::ConstArray(sort), args)
            }
            _ => Err("an operator was expected".into()),
        }
    }

    /// The sort at a node. Its depth is bounded by the stack of nodes that are open, not by recursion.
    pub(crate) fn sort(&mut self, root: Id) -> Result<Sort, String> {
        let mut tasks = vec![(root, false)];
        let mut done: Vec<Sort> = vec![];
        while let Some((id, is_visited)) = tasks.pop() {
            let parts = self.tree.list(id);
            if let Some(name) = self.tree.symbol(id) {
                let sort = match name {
                    "Bool" => self.terms.bool_sort(),
                    _ => self.defined(name, &[])?,
                };
                done.push(sort);
                continue;
            }
            let head = parts.first().and_then(|&head| self.tree.symbol(head));
            match (head, parts.len()) {
                (Some("_"), 3) if self.tree.symbol(parts[1]) == Some("BitVec") => {
                    let width = self.tree.number(parts[2]).ok_or("a width was expected")?;
                    done.push(self.terms.bitvec_sort(width)?);
                }
                (Some("Array"), 3) if !is_visited => {
                    tasks.extend([(id, true), (parts[2], false), (parts[1], false)]);
                }
                (Some("Array"), 3) => {
                    let element = done.pop().ok_or("a sort was expected")?;
                    let index = done.pop().ok_or("a sort was expected")?;
                    done.push(self.terms.sort(SortKind::Array(index, element)));
                }
                (Some(_), 2..) if !is_visited => {
                    tasks.push((id, true));
                    tasks.extend(parts[1..].iter().map(|&part| (part, false)).rev());
                }
                (Some(name), 2..) => {
                    let args = done.split_off(done.len() + 1 - parts.len());
                    done.push(self.defined(name, &args)?);
                }
                _ => return Err("a sort was expected".into()),
            }
        }
        done.pop().ok_or_else(|| "a sort was expected".into())
    }

    /// A sort by its name, for these arguments.
    fn defined(&mut self, name: &str, args: &[Sort]) -> Result<Sort, String> {
        let named = self.scope.sort(name).ok_or_else(|| format!("the sort '{name}' is not declared"))?;
        named.expand(self.terms, args)
    }

    fn operator(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Term, String> {
        let made = match (indices, args) {
            ([], _) => self.plain(name, args)?,
            (&[index], &[arg]) => self.indexed(name, index, arg)?,
            (&[high, low], &[_]) if name == "extract" => Some(self.terms.mk(Op::Extract(high, low), args)?),
            _ => None,
        };
        made.ok_or_else(|| format!("'{name}' with {} arguments is not known here", args.len()))
    }

    fn indexed(&mut self, name: &str, index: u32, arg: Term) -> Result<Option<Term>, String> {
        let terms = &mut *self.terms;
        Ok(Some(match name {
            "zero_extend" => terms.zero_extend(index, arg)?,
            "sign_extend" => terms.sign_extend(index, arg)?,
            "rotate_left" => terms.rotate_left(index, arg)?,
            "rotate_right" => terms.rotate_right(index, arg)?,
            "repeat" if index > 0 => terms.repeat(index, arg)?,
            _ => return Ok(None),
        }))
    }

    fn plain(&mut self, name: &str, args: &[Term]) -> Result<Option<Term>, String> {
        if let Some(op) = core(name, args.len()) {
            return self.terms.mk(op, args).map(Some);
        }
        let terms = &mut *self.terms;
        let listed = match (name, args) {
            ("and", [_, _, ..]) => terms.chain(Op::And, args),
            ("or", [_, _, ..]) => terms.chain(Op::Or, args),
            (
                "and" | "or" | "xor" | "bvand" | "bvor" | "bvxor" | "bvxnor" | "bvadd" | "bvmul" | "concat",
                &[arg],
            ) => Ok(arg),
            ("xor", [_, _, ..]) => terms.chain(Op::Xor, args),
            ("bvand", [_, _, ..]) => terms.chain(Op::BvAnd, args),
            ("bvor", [_, _, ..]) => terms.chain(Op::BvOr, args),
            ("bvxor", [_, _, ..]) => terms.chain(Op::BvXor, args),
            ("bvadd", [_, _, ..]) => terms.chain(Op::BvAdd, args),
            ("bvmul", [_, _, ..]) => terms.chain(Op::BvMul, args),
            ("concat", [_, _, ..]) => terms.chain(Op::Concat, args),
            ("=" | "iff" | "distinct", [_]) => Ok(terms.truth(true)),
            ("=" | "iff", _) => terms.neighbours(args, |terms, a, b| terms.mk(Op::Eq, &[a, b])),
            ("distinct", _) => terms.distinct(args),
            ("bvite", &[condition, a, b]) => self.bvite(condition, a, b),
            ("bvsmul_noovfl" | "bvsmul_noudfl", &[a, b]) => terms.smul_fits(name == "bvsmul_noovfl", a, b),
            ("bvumul_noovfl", &[a, b]) => terms.mulo(false, a, b).and_then(|overflows| terms.not(overflows)),
            ("bvsub", &[first, ref rest @ ..]) if !rest.is_empty() => {
                rest.iter().try_fold(first, |left, &right| terms.sub(left, right))
            }
            ("bvxnor", &[first, ref rest @ ..]) if !rest.is_empty() => {
                rest.iter().try_fold(first, |left, &right| terms.complement(Op::BvXor, left, right))
            }
            ("=>" | "implies", [rest @ .., last]) if !rest.is_empty() => {
                rest.iter().rev().try_fold(*last, |right, &left| terms.implies(left, right))
            }
            (_, &[a]) => return self.unary(name, a),
            (_, &[a, b]) => return self.binary(name, a, b),
            _ => return Ok(None),
        };
        listed.map(Some)
    }

    /// A choice whose condition may be one bit.
    fn bvite(&mut self, condition: Term, a: Term, b: Term) -> Result<Term, String> {
        let truth = match self.terms.width(condition) {
            None => condition,
            Some(_) => {
                let one = self.terms.value(1, 1u8.into())?;
                self.terms.mk(Op::Eq, &[condition, one])?
            }
        };
        self.terms.mk(Op::Ite, &[truth, a, b])
    }

    fn unary(&mut self, name: &str, a: Term) -> Result<Option<Term>, String> {
        Ok(Some(match name {
            "bvinc" | "bvdec" => {
                let one = self.terms.number_like(a, 1)?;
                let step = if name == "bvinc" { one } else { self.terms.mk(Op::BvNeg, &[one])? };
                self.terms.mk(Op::BvAdd, &[a, step])?
            }
            "bvnego" => self.terms.nego(a)?,
            "bvredor" => self.terms.reduce(false, a)?,
            "bvredand" => self.terms.reduce(true, a)?,
            "bvredxor" => self.terms.parity(a)?,
            _ => return Ok(None),
        }))
    }

    fn binary(&mut self, name: &str, a: Term, b: Term) -> Result<Option<Term>, String> {
        let terms = &mut *self.terms;
        Ok(Some(match name {
            "bvnand" => terms.complement(Op::BvAnd, a, b)?,
            "bvnor" => terms.complement(Op::BvOr, a, b)?,
            "bvcomp" => terms.comp(a, b)?,
            "bvule" => terms.at_most(Op::BvUlt, a, b)?,
            "bvsle" => terms.at_most(Op::BvSlt, a, b)?,
            "bvugt" => terms.mk(Op::BvUlt, &[b, a])?,
            "bvsgt" => terms.mk(Op::BvSlt, &[b, a])?,
            "bvuge" => terms.at_most(Op::BvUlt, b, a)?,
            "bvsge" => terms.at_most(Op::BvSlt, b, a)?,
            "bvsdiv" | "bvsdiv_i" => terms.sdiv(a, b)?,
            "bvsrem" | "bvsrem_i" => terms.srem(a, b)?,
            "bvsmod" | "bvsmod_i" => terms.smod(a, b)?,
            "bvuaddo" => terms.addo(false, a, b)?,
            "bvsaddo" => terms.addo(true, a, b)?,
            "bvumulo" => terms.mulo(false, a, b)?,
            "bvsmulo" => terms.mulo(true, a, b)?,
            "bvusubo" => terms.usubo(a, b)?,
            "bvssubo" => terms.ssubo(a, b)?,
            "bvsdivo" => terms.sdivo(a, b)?,
            "bvudivo" => terms.truth(false),
            "ext_rotate_left" | "bvrol" | "rotate_left" => terms.rotate_by(true, a, b)?,
            "ext_rotate_right" | "bvror" | "rotate_right" => terms.rotate_by(false, a, b)?,
            _ => return Ok(None),
        }))
    }
}

/// The operators that are terms as they are.
fn core(name: &str, arity: usize) -> Option<Op> {
    Some(match (name, arity) {
        ("not", 1) => Op::Not,
        ("ite", 3) => Op::Ite,
        ("bvnot", 1) => Op::BvNot,
        ("bvneg", 1) => Op::BvNeg,
        ("bvudiv" | "bvudiv_i", 2) => Op::BvUdiv,
        ("bvurem" | "bvurem_i", 2) => Op::BvUrem,
        ("bvshl", 2) => Op::BvShl,
        ("bvlshr", 2) => Op::BvLshr,
        ("bvashr", 2) => Op::BvAshr,
        ("bvult", 2) => Op::BvUlt,
        ("bvslt", 2) => Op::BvSlt,
        ("select", 2) => Op::Select,
        ("store", 3) => Op::Store,
        _ => return None,
    })
}
