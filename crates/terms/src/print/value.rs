//! Values and definitions by value, as models show them.
//!
//! Bit-vectors are printed binary, hexadecimal or decimal; an array is a chain of `store` over a constant
//! array, indices in increasing order; a function is a chain of `ite` over its arguments; an element of an
//! uninterpreted sort is an abstract constant `(as @S_3 S)`. As a value, a function is a `lambda` term, or a
//! chain of `store` with an index for each parameter, as some solvers have it. Nested arrays are printed from
//! a stack of their own.

use super::sort::write_sort;
use super::{Naming, symbol};
use crate::{BitVec, FunctionValue, Pool, Sort, Sorts, Term, Value};

/// How bit-vector constants are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum BitVecFormat {
    /// `#b0101`.
    #[default]
    Binary,
    /// `#x5`, and binary where the width is no multiple of four.
    Hexadecimal,
    /// `(_ bv5 4)`.
    Decimal,
    /// The shortest of the three; of equally short ones hexadecimal, then binary.
    Shortest,
}

/// The bit-vector as a constant.
pub fn bitvec(value: &BitVec, format: BitVecFormat) -> String {
    match format {
        BitVecFormat::Hexadecimal if let Some(digits) = value.to_hex_string() => format!("#x{digits}"),
        BitVecFormat::Binary | BitVecFormat::Hexadecimal => format!("#b{}", value.to_binary_string()),
        BitVecFormat::Decimal => format!("(_ bv{} {})", value.to_decimal_string(), value.width()),
        BitVecFormat::Shortest => [BitVecFormat::Hexadecimal, BitVecFormat::Decimal]
            .map(|format| bitvec(value, format))
            .into_iter()
            .min_by_key(String::len)
            .expect("there are two"),
    }
}

/// Prints values of one pool.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pool: &'a Pool,
    format: BitVecFormat,
    bools_as_bits: bool,
}

impl<'a> Values<'a> {
    /// A printer of values of sorts of `pool`.
    pub fn new(pool: &'a Pool, format: BitVecFormat) -> Values<'a> {
        Values { pool, format, bools_as_bits: false }
    }

    /// In functions, prints `Bool` as `(_ BitVec 1)`, as Boolector does.
    pub fn with_bools_as_bits(self, bools_as_bits: bool) -> Values<'a> {
        Values { bools_as_bits, ..self }
    }

    /// The value of sort `sort` as a term.
    ///
    /// # Panics
    ///
    /// If it is of another sort, or a function.
    pub fn value(&self, sort: Sort, value: &Value) -> String {
        let mut text = String::new();
        self.write(&mut text, sort, value);
        text
    }

    /// The definition of a symbol by its value: `(define-fun f ((x!0 S) ...) S body)`.
    ///
    /// # Panics
    ///
    /// If the symbol is none or the value is not of its sort.
    pub fn definition(&self, declared: Term, value: &Value) -> String {
        let name = symbol(self.pool.name(declared).expect("a symbol is defined"));
        let mut text = format!("(define-fun {name} (");
        let sorts = self.pool.sorts();
        let sort = self.pool.sort(declared);
        let Value::Function(function) = value else {
            text.push_str(") ");
            write_sort(&mut text, sorts, &Naming::default(), sort);
            text.push(' ');
            self.write(&mut text, sort, value);
            text.push(')');
            return text;
        };
        let (params, result) = sorts.function_parts(sort).expect("the value is of the sort");
        self.write_params(&mut text, params);
        text.push_str(") ");
        self.write_sort(&mut text, result);
        text.push(' ');
        self.write_body(&mut text, params, result, function);
        text.push(')');
        text
    }

    /// The value of a function symbol as `(lambda ((x!0 S) ...) body)`.
    ///
    /// # Panics
    ///
    /// If `sort` is no function sort or the value is not of it.
    pub fn lambda(&self, sort: Sort, value: &FunctionValue) -> String {
        let (params, result) = self.pool.sorts().function_parts(sort).expect("a function sort");
        let mut text = String::from("(lambda (");
        self.write_params(&mut text, params);
        text.push_str(") ");
        self.write_body(&mut text, params, result, value);
        text.push(')');
        text
    }

    /// The value of a function symbol as a chain of `store`, over an array with an index for each parameter.
    ///
    /// # Panics
    ///
    /// If `sort` is no function sort or the value is not of it.
    pub fn stores(&self, sort: Sort, value: &FunctionValue) -> String {
        let (params, result) = self.pool.sorts().function_parts(sort).expect("a function sort");
        let entries = || value.entries().filter(|&(_, image)| image != value.default());
        let mut text = "(store ".repeat(entries().count());
        text.push_str("((as const (Array");
        for &part in params.iter().chain([&result]) {
            text.push(' ');
            self.write_sort(&mut text, part);
        }
        text.push_str(")) ");
        self.write_in_function(&mut text, result, value.default());
        text.push(')');
        for (args, image) in entries() {
            let parts = args.iter().zip(params).chain([(image, &result)]);
            for (part, &sort) in parts {
                text.push(' ');
                self.write_in_function(&mut text, sort, part);
            }
            text.push(')');
        }
        text
    }

    /// Appends the parameters `x!0`, `x!1` and so on with their sorts.
    fn write_params(&self, out: &mut String, params: &[Sort]) {
        for (i, &param) in params.iter().enumerate() {
            out.push_str(&format!("{}(x!{i} ", if i > 0 { " " } else { "" }));
            self.write_sort(out, param);
            out.push(')');
        }
    }

    /// Appends a sort within a function.
    fn write_sort(&self, out: &mut String, sort: Sort) {
        match sort.is_bool() && self.bools_as_bits {
            true => out.push_str("(_ BitVec 1)"),
            false => write_sort(out, self.pool.sorts(), &Naming::default(), sort),
        }
    }

    /// Appends a value within a function.
    fn write_in_function(&self, out: &mut String, sort: Sort, value: &Value) {
        match value {
            Value::Bool(value) if self.bools_as_bits => out.push_str(if *value { "#b1" } else { "#b0" }),
            _ => self.write(out, sort, value),
        }
    }

    /// Appends the body of a function over the parameters `x!0`, `x!1` and so on.
    fn write_body(&self, out: &mut String, params: &[Sort], result: Sort, function: &FunctionValue) {
        let mut open = 0;
        for (args, image) in function.entries().filter(|&(_, image)| image != function.default()) {
            out.push_str(if args.len() > 1 { "(ite (and" } else { "(ite" });
            for (i, (arg, &param)) in args.iter().zip(params).enumerate() {
                out.push_str(&format!(" (= x!{i} "));
                self.write_in_function(out, param, arg);
                out.push(')');
            }
            out.push_str(if args.len() > 1 { ") " } else { " " });
            self.write_in_function(out, result, image);
            out.push(' ');
            open += 1;
        }
        self.write_in_function(out, result, function.default());
        out.push_str(&")".repeat(open));
    }

    /// Appends the value as a term.
    fn write(&self, out: &mut String, sort: Sort, value: &Value) {
        enum Step<'a> {
            Value(Sort, &'a Value),
            Text(&'static str),
        }
        let sorts = self.pool.sorts();
        let mut todo = vec![Step::Value(sort, value)];
        while let Some(step) = todo.pop() {
            let (sort, value) = match step {
                Step::Value(sort, value) => (sort, value),
                Step::Text(text) => {
                    out.push_str(text);
                    continue;
                }
            };
            match value {
                Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
                Value::BitVec(value) => out.push_str(&bitvec(value, self.format)),
                Value::Theory(_) if let Some(record) = value.as_record() => {
                    let of = &record.definition().constructors()[record.constructor() as usize];
                    out.push_str(if of.fields.is_empty() { "" } else { "(" });
                    out.push_str(&record.head());
                    if of.fields.is_empty() {
                        continue;
                    }
                    todo.push(Step::Text(")"));
                    for (value, &(_, sort)) in record.fields().iter().zip(&of.fields).rev() {
                        todo.extend([Step::Value(sort, value), Step::Text(" ")]);
                    }
                }
                Value::Theory(value) => out.push_str(&value.to_string()),
                Value::Element(sort, number) => out.push_str(&element(sorts, *sort, *number)),
                Value::Array(array) => {
                    let (index, element) =
                        sorts.array_parts(sort).expect("an array value is of an array sort");
                    out.push_str(&"(store ".repeat(array.entries().count()));
                    out.push_str("((as const ");
                    write_sort(out, sorts, &Naming::default(), sort);
                    out.push_str(") ");
                    let first = todo.len();
                    todo.extend([Step::Value(element, array.default()), Step::Text(")")]);
                    for (at, what) in array.entries() {
                        todo.extend([Step::Text(" "), Step::Value(index, at), Step::Text(" ")]);
                        todo.extend([Step::Value(element, what), Step::Text(")")]);
                    }
                    todo[first..].reverse();
                }
                Value::Function(_) => panic!("internal: a function is a value of symbols only, not of terms"),
            }
        }
    }
}

/// The name of an element of an uninterpreted sort, without its sort: `@S_3`.
pub fn element_name(sorts: &Sorts, sort: Sort, number: u32) -> String {
    format!("@{}_{number}", super::sort(sorts, sort).replace('|', ""))
}

/// An element of an uninterpreted sort as an abstract constant.
fn element(sorts: &Sorts, sort: Sort, number: u32) -> String {
    format!("(as {} {})", symbol(&element_name(sorts, sort, number)), super::sort(sorts, sort))
}
