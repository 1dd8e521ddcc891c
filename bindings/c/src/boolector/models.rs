//! Models: values of nodes as text, and lists of entries of arrays and functions.
//!
//! What is handed out is kept here until the program gives it back, so that a wrong pointer is recognised.

use super::btor::{Btor, Kept, Node, NodePtr};
use super::options::OUTPUT_NUMBER_FORMAT;
use crate::fault::{Fault, Outcome, c_string, shown};
use bivalve::terms::print::{BitVecFormat, Values};
use bivalve::terms::{Term, Value};
use std::ffi::{CString, c_char};
use std::fmt::Write;
use std::ptr::null_mut;

/// Indices or arguments, and values, as text.
type Lists = Vec<(String, String)>;

/// Digits of a value in a base.
fn digits(value: &Value, base: u32) -> Outcome<String> {
    match value {
        Value::BitVec(value) => shown(value, base),
        Value::Bool(value) => Ok(u8::from(*value).to_string()),
        other => Ok(other.to_string()),
    }
}

impl Btor {
    pub(super) fn value(&self, term: Term) -> Outcome<Value> {
        self.expect_model()?;
        self.checker.value(&self.pool, term)
    }

    /// The base in which values are written.
    fn base(&self) -> u32 {
        match self.option(OUTPUT_NUMBER_FORMAT) {
            Ok(2) => 16,
            Ok(3) => 10,
            _ => 2,
        }
    }

    /// The digits of the value of a node.
    pub(super) fn assignment(&mut self, node: NodePtr) -> Outcome<*const c_char> {
        let term = self.bits(node)?;
        if self.is_parameterized(term) {
            return Err(Fault::argument("'exp' must not be parameterized"));
        }
        let text = digits(&self.value(term)?, self.base())?;
        Ok(self.keep_text(text))
    }

    /// The value of a node as a node.
    pub(super) fn value_node(&mut self, node: NodePtr) -> Outcome<NodePtr> {
        let term = self.term(node)?;
        let value = self.value(term)?;
        let sort = self.pool.sort(term);
        let constant = crate::checker::constant(&mut self.pool, sort, &value)?;
        Ok(self.hand_out(Node::Term(constant)))
    }

    /// A text that the program gives back.
    pub(super) fn keep_text(&mut self, text: String) -> *const c_char {
        let text = c_string(text);
        let address = text.as_ptr();
        self.kept.insert(address.addr(), Kept::Text(text));
        address
    }

    pub(super) fn free_text(&mut self, text: *const c_char) -> Outcome<()> {
        match self.kept.remove(&text.addr()) {
            Some(Kept::Text(_)) => Ok(()),
            Some(lists) => {
                self.kept.insert(text.addr(), lists);
                Err(Fault::argument("the pointer is of a list, not of a text"))
            }
            None => Err(Fault::argument("the text was freed, or never was returned")),
        }
    }

    /// Entries of an array or a function: its arguments, separated by blanks, and its results. Where the rest
    /// is not zero there is an entry `*`.
    pub(super) fn entries(&self, term: Term) -> Outcome<Lists> {
        let base = self.base();
        let joined = |at: &[Value]| -> Outcome<String> {
            Ok(at.iter().map(|value| digits(value, base)).collect::<Outcome<Vec<_>>>()?.join(" "))
        };
        let mut lists = Lists::new();
        let default = match self.value(term)? {
            Value::Array(array) => {
                for (at, what) in array.entries() {
                    lists.push((digits(at, base)?, digits(what, base)?));
                }
                array.default().clone()
            }
            Value::Function(function) => {
                for (at, what) in function.entries() {
                    lists.push((joined(at)?, digits(what, base)?));
                }
                function.default().clone()
            }
            _ => return Err(Fault::argument("the node must be an array or a function")),
        };
        if default.as_bitvec().is_some_and(|value| !value.is_zero()) {
            let arity = self.signature(Node::Term(term))?.0.len();
            lists.push((vec!["*"; arity].join(" "), digits(&default, base)?));
        }
        Ok(lists)
    }

    /// Entries as lists of texts, which the program gives back: their addresses and their number.
    pub(super) fn lists(&mut self, node: NodePtr) -> Outcome<(*mut *mut c_char, *mut *mut c_char, u32)> {
        let term = self.term(node)?;
        let lists = self.entries(term)?;
        let count = u32::try_from(lists.len()).map_err(|_| Fault::state("too many entries"))?;
        if count == 0 {
            return Ok((null_mut(), null_mut(), 0));
        }
        let (left, right): (Vec<String>, Vec<String>) = lists.into_iter().unzip();
        let texts: Vec<CString> = left.into_iter().chain(right).map(c_string).collect();
        let addresses = |texts: &[CString]| texts.iter().map(|text| text.as_ptr().cast_mut()).collect();
        let (left, right) = texts.split_at(count as usize);
        let (mut indices, mut values): (Box<[*mut c_char]>, Box<[*mut c_char]>) =
            (addresses(left), addresses(right));
        let found = (indices.as_mut_ptr(), values.as_mut_ptr(), count);
        self.kept.insert(found.0.addr(), Kept::Lists { indices, values, texts });
        Ok(found)
    }

    pub(super) fn free_lists(
        &mut self,
        indices: *mut *mut c_char,
        values: *mut *mut c_char,
        size: u32,
    ) -> Outcome<()> {
        if size == 0 && indices.is_null() && values.is_null() {
            return Ok(());
        }
        match self.kept.remove(&indices.addr()) {
            Some(Kept::Lists { values: kept, indices, texts })
                if kept.as_ptr().addr() == values.addr() && indices.len() == size as usize =>
            {
                drop(texts);
                Ok(())
            }
            Some(other) => {
                self.kept.insert(indices.addr(), other);
                Err(Fault::argument("the lists were not returned together, or have another size"))
            }
            None => Err(Fault::argument("the lists were freed, or never were returned")),
        }
    }

    /// The values of all inputs, in the format "btor" or "smt2".
    pub(super) fn model(&mut self, format: &str) -> Outcome<String> {
        self.expect_model()?;
        let mut text = String::new();
        match format {
            "smt2" => {
                text += "(\n";
                let values = Values::new(&self.pool, BitVecFormat::default());
                for &input in &self.inputs {
                    let value = self.checker.value(&self.pool, input)?;
                    let _ = writeln!(text, "  {}", values.definition(input, &value));
                }
                text += ")\n";
            }
            "btor" => {
                for input in self.inputs.clone() {
                    self.write_input(&mut text, input)?;
                }
            }
            _ => return Err(Fault::argument("invalid model output format: 'btor' or 'smt2' is expected")),
        }
        Ok(text)
    }

    fn write_input(&mut self, text: &mut String, input: Term) -> Outcome<()> {
        let node = self.hand_out(Node::Term(input));
        let id = self.node_id(node)?;
        let name = self.pool.name(input).unwrap_or_default().to_owned();
        self.release(node)?;
        if self.pool.width(input).is_some() {
            let _ = writeln!(text, "{id} {} {name}", digits(&self.value(input)?, self.base())?);
            return Ok(());
        }
        for (at, what) in self.entries(input)? {
            let _ = writeln!(text, "{id}[{at}] {what} {name}");
        }
        Ok(())
    }

    /// The binary digits of a constant.
    pub(super) fn constant_bits(&mut self, node: NodePtr) -> Outcome<*const c_char> {
        let term = self.bits(node)?;
        let value = self.pool.as_bitvec(term).ok_or_else(|| Fault::argument("the node is no constant"))?;
        let text = shown(&value, 2)?;
        Ok(self.keep_text(text))
    }
}
