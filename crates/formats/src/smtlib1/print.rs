//! The printer of SMT-LIB 1.2.
//!
//! A benchmark has one formula, the conjunction of the assertions: what several of them use is bound once, by
//! `let` or `flet` around all of them. Terms are of bit-vectors there and formulas are not terms, so truth
//! values cannot be kept in arrays or be arguments. Names are made of letters, digits, `.`, `'` and `_`;
//! other signs become `_`.

use super::words::{Word, constant, head};
use crate::lines::emit::Inexpressible;
use crate::lowered::lowered;
use crate::nested::{Identifiers, Piece, list, shared, write};
use crate::smtlib::print::{free_sorts, logic_of};
use bivalve_terms::{Op, Pool, Sort, Term, TermMap, cone};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The benchmark that asks whether the assertions have a model. The symbols are declared in any case.
///
/// ```
/// use bivalve_formats::smtlib1;
/// use bivalve_terms::{Op, Pool, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.symbol("x", Sort::bitvec(8)?);
/// let three = pool.bv_u64(3, 8);
/// let small = pool.mk(Op::BvUlt, &[x, three]);
/// let text = smtlib1::print(&mut pool, &[x], &[small])?;
/// assert!(text.contains(":extrafuns ((x BitVec[8]))\n:formula\n(bvult x bv3[8])"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When there are no words for it: constant and nested arrays, and truth values in arrays or as arguments.
pub fn print(pool: &mut Pool, symbols: &[Term], assertions: &[Term]) -> Result<String, Inexpressible> {
    let assertions = lowered(pool, assertions, |_| true);
    let whole = pool.and_all(&assertions);
    let pool = &*pool;
    let roots = [symbols, &[whole]].concat();
    let terms = cone(pool, &roots);
    let mut printer = Printer { pool, sorts: FxHashMap::default(), names: TermMap::new() };
    let mut text = String::from("(benchmark formula\n");
    let logic = match &logic_of(pool, &roots)[..] {
        "QF_ABV" | "ALL" => "QF_AUFBV".to_owned(),
        logic => logic.to_owned(),
    };
    put(&mut text, format_args!(":logic {logic}\n:status unknown\n"));
    let mut names = Identifiers::new(is_letter, is_taken);
    for sort in free_sorts(pool, &terms) {
        let name = names.name(&pool.sorts().display(sort).to_string());
        // These need no declaration.
        if !(logic == "QF_AX" && matches!(&name[..], "Index" | "Element") || logic == "QF_UF" && name == "U")
        {
            put(&mut text, format_args!(":extrasorts ({name})\n"));
        }
        printer.sorts.insert(sort, name);
    }
    let mut names = Identifiers::new(is_letter, is_taken);
    for &symbol in terms.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        let name = names.name(pool.name(symbol).unwrap_or_default());
        let declaration = printer.declaration(&name, pool.sort(symbol))?;
        put(&mut text, format_args!("{declaration}\n"));
        printer.names.insert(symbol, name);
    }
    text.push_str(":formula\n");
    let often = shared(pool, &[whole]);
    for (number, &term) in often.iter().enumerate() {
        let (word, sign) = if pool.sort(term).is_bool() { ("flet", '$') } else { ("let", '?') };
        put(&mut text, format_args!("({word} ({sign}d{number} "));
        printer.write(&mut text, term)?;
        text.push_str(")\n");
        printer.names.insert(term, format!("{sign}d{number}"));
    }
    printer.write(&mut text, whole)?;
    text.extend(often.iter().map(|_| ')'));
    text.push_str("\n)\n");
    Ok(text)
}

fn put(text: &mut String, content: std::fmt::Arguments<'_>) {
    text.write_fmt(content).expect("a string can be written to");
}

fn is_letter(c: char) -> bool {
    ".'_".contains(c)
}

/// Whether a word means something in a benchmark.
fn is_taken(name: &str) -> bool {
    let word = Word::new(name.as_bytes());
    let words = ["true", "false", "not", "and", "or", "xor", "BitVec", "Array", "Bool", "exists", "forall"];
    words.contains(&name) || head(word.name).is_some() || constant(&word).is_some()
}

fn inexpressible(what: impl Into<String>) -> Inexpressible {
    Inexpressible { language: "SMT-LIB 1.2", what: what.into() }
}

struct Printer<'p> {
    pool: &'p Pool,
    /// Declared sorts.
    sorts: FxHashMap<Sort, String>,
    /// Symbols, and terms that are bound.
    names: TermMap<String>,
}

impl Printer<'_> {
    /// The declaration of a name.
    fn declaration(&self, name: &str, sort: Sort) -> Result<String, Inexpressible> {
        let (params, result) = self.pool.sorts().function_parts(sort).unwrap_or((&[], sort));
        let mut sorts = String::new();
        for &param in params {
            put(&mut sorts, format_args!(" {}", self.sort(param)?));
        }
        match result.is_bool() {
            true => Ok(format!(":extrapreds (({name}{sorts}))")),
            false => Ok(format!(":extrafuns (({name}{sorts} {}))", self.sort(result)?)),
        }
    }

    /// A sort of terms.
    fn sort(&self, sort: Sort) -> Result<String, Inexpressible> {
        if let Some(width) = sort.width() {
            return Ok(format!("BitVec[{width}]"));
        }
        if let Some(name) = self.sorts.get(&sort) {
            return Ok(name.clone());
        }
        if let Some((index, element)) = self.pool.sorts().array_parts(sort) {
            if let (Some(index), Some(element)) = (index.width(), element.width()) {
                return Ok(format!("Array[{index}:{element}]"));
            }
            let name = |sort: Sort| self.sorts.get(&sort).map(String::as_str);
            if let (Some("Index"), Some("Element")) = (name(index), name(element)) {
                return Ok("Array".into());
            }
        }
        Err(inexpressible(format!("the sort {}", self.pool.sorts().display(sort))))
    }

    fn write(&self, text: &mut String, term: Term) -> Result<(), Inexpressible> {
        write(text, term, &self.names, |term, parts| self.pieces(term, parts))
    }

    fn pieces(&self, term: Term, parts: &mut Vec<Piece>) -> Result<(), Inexpressible> {
        let pool = self.pool;
        let (op, args) = (pool.op(term), pool.args(term));
        let is_formula = |term: Term| pool.sort(term).is_bool();
        let text = match op {
            Op::Const => {
                parts.push(match pool.as_bitvec(term) {
                    Some(value) => Piece::Text(format!("bv{}[{}]", value.to_decimal_string(), value.width())),
                    None => Piece::Word(if pool.as_bool(term) == Some(true) { "true" } else { "false" }),
                });
                return Ok(());
            }
            Op::ConstArray => return Err(inexpressible("constant arrays")),
            Op::Apply => {
                if args[1..].iter().any(|&arg| is_formula(arg)) {
                    return Err(inexpressible("truth values as arguments"));
                }
                list(parts, Piece::Word("("), args, " ", ")");
                return Ok(());
            }
            Op::Implies => "(implies ".into(),
            Op::Ite if is_formula(term) => "(if_then_else ".into(),
            Op::Eq if is_formula(args[0]) => "(iff ".into(),
            _ => match &pool.indices(term)[..] {
                [] => format!("({} ", op.name()),
                [high, low] => format!("({}[{high}:{low}] ", op.name()),
                [index, ..] => format!("({}[{index}] ", op.name()),
            },
        };
        if head(op.name().as_bytes()).is_none() && op != Op::Implies {
            return Err(inexpressible(format!("the operator '{}'", op.name())));
        }
        list(parts, Piece::Text(text), args, " ", ")");
        Ok(())
    }
}
