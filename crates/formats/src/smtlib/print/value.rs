//! Values and definitions by value, as models show them.
//!
//! Bit-vectors are printed binary, hexadecimal or decimal; an array is a chain of `store` over a constant array, indices in
//! increasing order; a function is a chain of `ite` over its arguments; an element of an uninterpreted sort is an
//! abstract constant `(as @S_3 S)`. Nested arrays are printed from a stack of their own.

use super::sort::write_sort;
use super::{Naming, symbol};
use bivalve_terms::{BitVec, Pool, Sort, Sorts, Term, Value};
use std::sync::Arc;

/// How bit-vector constants are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum BvFormat {
    /// `#b0101`.
    #[default]
    Binary,
    /// `#x5`, and binary where the width is no multiple of four.
    Hexadecimal,
    /// `(_ bv5 4)`.
    Decimal,
}

/// The bit-vector as a constant.
pub fn bitvec(value: &BitVec, format: BvFormat) -> String {
    match format {
        BvFormat::Hexadecimal if let Some(digits) = value.to_hex_string() => format!("#x{digits}"),
        BvFormat::Binary | BvFormat::Hexadecimal => format!("#b{}", value.to_binary_string()),
        BvFormat::Decimal => format!("(_ bv{} {})", value.to_decimal_string(), value.width()),
    }
}

/// The value of sort `sort` as a term. Panics if it is of another sort, or a function.
pub fn value(sorts: &Sorts, value: &Value, sort: Sort, format: BvFormat) -> String {
    let mut text = String::new();
    write_value(&mut text, sorts, value, sort, format);
    text
}

/// The definition of a symbol by its value: `(define-fun f ((x!0 S) ...) S body)`.
pub fn definition(pool: &Pool, symbol_term: Term, value: &Value, format: BvFormat) -> String {
    let sorts = pool.sorts();
    let naming = Naming::default();
    let mut text = format!("(define-fun {} (", symbol(pool.name(symbol_term).expect("a symbol is defined")));
    let sort = pool.sort(symbol_term);
    let Some((params, result)) = sorts.function_parts(sort) else {
        text.push_str(") ");
        write_sort(&mut text, sorts, &naming, sort);
        text.push(' ');
        write_value(&mut text, sorts, value, sort, format);
        text.push(')');
        return text;
    };
    for (i, &param) in params.iter().enumerate() {
        text.push_str(&format!("{}(x!{i} ", if i > 0 { " " } else { "" }));
        write_sort(&mut text, sorts, &naming, param);
        text.push(')');
    }
    text.push_str(") ");
    write_sort(&mut text, sorts, &naming, result);
    let function = value.as_function();
    let mut open = 0;
    for (args, image) in function.entries().filter(|&(_, image)| image != function.default()) {
        text.push_str(if args.len() > 1 { " (ite (and" } else { " (ite" });
        for (i, (arg, &param)) in args.iter().zip(params).enumerate() {
            text.push_str(&format!(" (= x!{i} "));
            write_value(&mut text, sorts, arg, param, format);
            text.push(')');
        }
        text.push_str(if args.len() > 1 { ") " } else { " " });
        write_value(&mut text, sorts, image, result, format);
        open += 1;
    }
    text.push(' ');
    write_value(&mut text, sorts, function.default(), result, format);
    text.push_str(&")".repeat(open + 1));
    text
}

/// Appends the value as a term.
fn write_value(out: &mut String, sorts: &Sorts, value: &Value, sort: Sort, format: BvFormat) {
    enum Step<'a> {
        Value(&'a Value, Sort),
        Text(&'static str),
    }
    let mut todo = vec![Step::Value(value, sort)];
    while let Some(step) = todo.pop() {
        let (value, sort) = match step {
            Step::Value(value, sort) => (value, sort),
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
        };
        match value {
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::BitVec(value) => out.push_str(&bitvec(value, format)),
            Value::Element(sort, number) => {
                let printed = super::sort(sorts, *sort);
                let plain = printed.trim_matches('|');
                out.push_str(&format!("(as {} {printed})", symbol(&format!("@{plain}_{number}"))));
            }
            Value::Array(array) => {
                let (index, element) = sorts.array_parts(sort).expect("an array value is of an array sort");
                out.push_str(&"(store ".repeat(array.entries().count()));
                out.push_str("((as const ");
                write_sort(out, sorts, &Naming::default(), sort);
                out.push_str(") ");
                let first = todo.len();
                todo.extend([Step::Value(array.default(), element), Step::Text(")")]);
                for (at, what) in array.entries() {
                    todo.extend([Step::Text(" "), Step::Value(at, index), Step::Text(" ")]);
                    todo.extend([Step::Value(what, element), Step::Text(")")]);
                }
                todo[first..].reverse();
            }
            Value::Function(function) => panic!("internal: a function is not a term: {:?}", Arc::as_ptr(function)),
        }
    }
}
