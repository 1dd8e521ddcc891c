//! Building nodes: conditions as bits, constants folded, lambdas applied.

use super::btor::{Btor, Lambda, Node, NodePtr, SortPtr};
use crate::fault::{Fault, Outcome};
use bivalve::terms::{Assignment, BitVec, Op, Sort, SortKind, Substitution, Term, eval};

/// Kinds of symbols that a program makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Var,
    Array,
    Function,
}

impl Btor {
    /// The bit-vector or array of a node, or the function symbol.
    pub(super) fn term(&self, node: NodePtr) -> Outcome<Term> {
        match self.node(node)? {
            Node::Term(term) => Ok(term),
            Node::Lambda(_) => Err(Fault::unsupported(
                "a function with a body can be applied, and nothing else: it must not be an operand",
            )),
        }
    }

    /// The bit-vector of a node.
    pub(super) fn bits(&self, node: NodePtr) -> Outcome<Term> {
        let term = self.term(node)?;
        let is_bits = self.pool.width(term).is_some();
        if is_bits { Ok(term) } else { Err(Fault::argument("the node must be a bit-vector")) }
    }

    /// The array of a node.
    pub(super) fn array(&self, node: NodePtr) -> Outcome<Term> {
        let term = self.term(node)?;
        let is_array = matches!(self.pool.sort_kind(term), SortKind::Array { .. });
        if is_array { Ok(term) } else { Err(Fault::argument("the node must be an array")) }
    }

    /// The condition that a node of one bit is one.
    pub(super) fn condition(&mut self, term: Term) -> Outcome<Term> {
        if self.pool.width(term) != Some(1) {
            return Err(Fault::argument("the node must have bit-width 1"));
        }
        let (one, zero) = (self.pool.bv_u64(1, 1), self.pool.bv_u64(0, 1));
        match *self.pool.args(term) {
            [condition, then, otherwise]
                if self.pool.op(term) == Op::Ite && then == one && otherwise == zero =>
            {
                Ok(condition)
            }
            _ => Ok(self.pool.eq(term, one)?),
        }
    }

    /// The bit of a condition.
    fn bit(&mut self, condition: Term) -> Outcome<Term> {
        let (one, zero) = (self.pool.bv_u64(1, 1), self.pool.bv_u64(0, 1));
        Ok(self.pool.ite(condition, one, zero)?)
    }

    /// A term as a node: conditions become bits, operators over constants their values.
    pub(super) fn node_of(&mut self, term: Term) -> Outcome<NodePtr> {
        let is_constant = |&term: &Term| self.pool.op(term) == Op::Const;
        let args = self.pool.args(term);
        let mut term = term;
        if !args.is_empty() && args.iter().all(is_constant) && self.pool.op(term) != Op::ConstArray {
            let value = eval(&self.pool, term, &Assignment::new());
            let sort = self.pool.sort(term);
            term = crate::checker::constant(&mut self.pool, sort, &value)?;
        }
        if self.pool.sort(term).is_bool() {
            term = match self.pool.as_bool(term) {
                Some(value) => self.pool.bv_u64(u64::from(value), 1),
                None => self.bit(term)?,
            };
        }
        Ok(self.hand_out(Node::Term(term)))
    }

    /// An operator over bit-vectors.
    pub(super) fn apply_op(&mut self, op: Op, indices: &[u32], args: &[NodePtr]) -> Outcome<NodePtr> {
        let args = args.iter().map(|&node| self.bits(node)).collect::<Outcome<Vec<_>>>()?;
        let term = self.pool.indexed(op, indices, &args)?;
        self.node_of(term)
    }

    /// A connective of conditions: operators of one bit, too, if their operands are conditions.
    pub(super) fn connective(&mut self, op: Op, args: &[NodePtr]) -> Outcome<NodePtr> {
        let args = args.iter().map(|&node| self.bits(node)).collect::<Outcome<Vec<_>>>()?;
        let args = args.iter().map(|&term| self.condition(term)).collect::<Outcome<Vec<_>>>()?;
        let term = self.pool.app(op, &args)?;
        self.node_of(term)
    }

    /// A bitwise operator; over conditions it is the connective.
    pub(super) fn bitwise(&mut self, op: Op, connective: Op, args: &[NodePtr]) -> Outcome<NodePtr> {
        let is_condition = |&node: &NodePtr| {
            let term = self.bits(node)?;
            Ok(self.pool.width(term) == Some(1) && self.pool.op(term) == Op::Ite)
        };
        let are_conditions = args.iter().map(is_condition).collect::<Outcome<Vec<bool>>>()?;
        if are_conditions.iter().all(|&is| is) {
            self.connective(connective, args)
        } else {
            self.apply_op(op, &[], args)
        }
    }

    pub(super) fn equal(&mut self, left: NodePtr, right: NodePtr, op: Op) -> Outcome<NodePtr> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        let term = self.pool.app(op, &[left, right])?;
        self.node_of(term)
    }

    /// Shifts and rotations: the amount has as many bits, or the logarithm of the width, as in Boolector 2.
    pub(super) fn shift(&mut self, op: Op, node: NodePtr, amount: NodePtr) -> Outcome<NodePtr> {
        let (term, amount) = (self.bits(node)?, self.bits(amount)?);
        let (width, found) = (self.pool.width(term).unwrap_or(1), self.pool.width(amount).unwrap_or(1));
        let is_logarithm = width.is_power_of_two() && found == width.ilog2();
        if found != width && !is_logarithm {
            let message =
                format!("the amount must have {width} bits, or the logarithm of that, found {found}");
            return Err(Fault::argument(message));
        }
        let amount = if found == width { amount } else { self.pool.zero_extend(width - found, amount)? };
        let term = self.pool.app(op, &[term, amount])?;
        self.node_of(term)
    }

    pub(super) fn choice(&mut self, condition: NodePtr, then: NodePtr, other: NodePtr) -> Outcome<NodePtr> {
        let (condition, then, other) = (self.bits(condition)?, self.term(then)?, self.term(other)?);
        let condition = self.condition(condition)?;
        let term = self.pool.ite(condition, then, other)?;
        self.node_of(term)
    }

    pub(super) fn read(&mut self, array: NodePtr, index: NodePtr) -> Outcome<NodePtr> {
        let (array, index) = (self.array(array)?, self.bits(index)?);
        let term = self.pool.select(array, index)?;
        self.node_of(term)
    }

    pub(super) fn write(&mut self, array: NodePtr, index: NodePtr, value: NodePtr) -> Outcome<NodePtr> {
        let (array, index, value) = (self.array(array)?, self.bits(index)?, self.bits(value)?);
        let term = self.pool.store(array, index, value)?;
        self.node_of(term)
    }

    /// One more or one less.
    pub(super) fn step(&mut self, op: Op, node: NodePtr) -> Outcome<NodePtr> {
        let term = self.bits(node)?;
        let one = self.pool.bv_u64(1, self.pool.width(term).unwrap_or(1));
        let term = self.pool.app(op, &[term, one])?;
        self.node_of(term)
    }

    /// A constant of a sort of bits, of which its width is asked.
    pub(super) fn constant(&mut self, sort: SortPtr, make: impl FnOnce(u32) -> BitVec) -> Outcome<NodePtr> {
        let width = self.width_of_sort(sort)?;
        let term = self.pool.bitvec(&make(width));
        Ok(self.hand_out(Node::Term(term)))
    }

    pub(super) fn width_of_sort(&self, sort: SortPtr) -> Outcome<u32> {
        let sort = self.sort(sort)?;
        sort.width().ok_or_else(|| Fault::argument("the sort must be one of bit-vectors"))
    }

    pub(super) fn input(&mut self, kind: Input, sort: SortPtr, name: Option<&str>) -> Outcome<NodePtr> {
        let sort = self.sort(sort)?;
        let found = match self.pool.sorts().kind(sort) {
            SortKind::BitVec(_) => Input::Var,
            SortKind::Array { .. } => Input::Array,
            _ => Input::Function,
        };
        if found != kind {
            return Err(Fault::argument("the sort is another one: of bits, arrays or functions"));
        }
        let symbol = self.symbol(sort, name)?;
        self.inputs.push(symbol);
        Ok(self.hand_out(Node::Term(symbol)))
    }

    fn symbol(&mut self, sort: Sort, name: Option<&str>) -> Outcome<Term> {
        if name.is_some_and(|name| self.named.contains_key(name)) {
            let message = format!("symbol '{}' is already in use", name.unwrap_or_default());
            return Err(Fault::argument(message));
        }
        let invented = format!("v{}", self.pool.len());
        let symbol = self.pool.symbol(name.unwrap_or(&invented), sort);
        if let Some(name) = name {
            self.call(Node::Term(symbol), name)?;
        }
        Ok(symbol)
    }

    pub(super) fn param(&mut self, sort: SortPtr, name: Option<&str>) -> Outcome<NodePtr> {
        self.width_of_sort(sort)?;
        let sort = self.sort(sort)?;
        let symbol = self.symbol(sort, name)?;
        // What was looked at before cannot contain it.
        self.params.insert(symbol);
        Ok(self.hand_out(Node::Term(symbol)))
    }

    pub(super) fn lambda(&mut self, params: &[NodePtr], body: NodePtr) -> Outcome<NodePtr> {
        if params.is_empty() {
            return Err(Fault::argument("'paramc' must not be < 1"));
        }
        let params = params.iter().map(|&param| self.term(param)).collect::<Outcome<Vec<_>>>()?;
        let body = self.bits(body)?;
        for (position, param) in params.iter().enumerate() {
            if !self.params.contains(param) || params[..position].contains(param) {
                return Err(Fault::argument("'params[i]' must be different parameters"));
            }
            if !self.bound.insert(*param) {
                return Err(Fault::argument("a parameter is bound already"));
            }
        }
        let number = self.lambdas.len() as u32;
        self.lambdas.push(Lambda { params, body });
        Ok(self.hand_out(Node::Lambda(number)))
    }

    /// The function applied: a symbol as it is, a lambda by substitution.
    pub(super) fn applied(&mut self, function: NodePtr, args: &[NodePtr]) -> Outcome<NodePtr> {
        let args = args.iter().map(|&node| self.bits(node)).collect::<Outcome<Vec<_>>>()?;
        let term = match self.node(function)? {
            Node::Term(symbol) => self.pool.apply(symbol, &args)?,
            Node::Lambda(number) => {
                let Lambda { params, body } = self.lambdas[number as usize].clone();
                let sort = |&term: &Term| self.pool.sort(term);
                if !params.iter().map(sort).eq(args.iter().map(sort)) {
                    return Err(Fault::argument("the arguments have other sorts than the parameters"));
                }
                let mut substitution = Substitution::new();
                for (&param, &arg) in params.iter().zip(&args) {
                    substitution.insert(&self.pool, param, arg);
                }
                substitution.apply(&mut self.pool, body)
            }
        };
        self.node_of(term)
    }

    /// The sorts of parameters and result of a function, or of index and elements of an array.
    pub(super) fn signature(&self, node: Node) -> Outcome<(Vec<Sort>, Sort)> {
        match node {
            Node::Lambda(number) => {
                let Lambda { params, body } = &self.lambdas[number as usize];
                Ok((params.iter().map(|&param| self.pool.sort(param)).collect(), self.pool.sort(*body)))
            }
            Node::Term(term) => match self.pool.sort_kind(term) {
                SortKind::Array { index, element } => Ok((vec![index], element)),
                SortKind::Function { params, result } => Ok((params.to_vec(), result)),
                _ => Err(Fault::argument("the node must be a function or an array")),
            },
        }
    }
}
