//! The printer of CVC, as STP reads it.
//!
//! What is used more than once is a constant that is defined before it is used; each assertion is an
//! `ASSERT`, and `QUERY FALSE` asks whether they contradict each other. All operators stand in parentheses.
//! Functions and declared types are written as CVC has them, and STP has not. Names are made of letters,
//! digits, `_`, `'`, `?` and `$`; other signs become `_`.

use super::functions::function;
use crate::lines::emit::Inexpressible;
use crate::lowered::lowered;
use crate::nested::{Identifiers, Piece, list, shared, write};
use crate::smtlib::print::free_sorts;
use bivalve_terms::{Op, Pool, Sort, Term, TermMap, cone};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The text that asks whether the assertions contradict each other. The symbols are declared in any case.
///
/// ```
/// use bivalve_formats::cvc;
/// use bivalve_terms::{Op, Pool, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.symbol("x", Sort::bitvec(4)?);
/// let three = pool.bv_u64(3, 4);
/// let small = pool.mk(Op::BvUlt, &[x, three]);
/// assert_eq!(
///     cvc::print(&mut pool, &[x], &[small])?,
///     "x : BITVECTOR(4);\nASSERT BVLT(x, 0bin0011);\nQUERY FALSE;\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When there are no words for it: constant arrays, and arrays as indices.
pub fn print(pool: &mut Pool, symbols: &[Term], assertions: &[Term]) -> Result<String, Inexpressible> {
    let assertions = lowered(pool, assertions, |op| {
        !matches!(op, Op::BvComp | Op::Repeat | Op::RotateLeft | Op::RotateRight | Op::BvSmod)
    });
    let pool = &*pool;
    let terms = cone(pool, &[symbols, &assertions].concat());
    let mut printer = Printer { pool, sorts: FxHashMap::default(), names: TermMap::new() };
    let (mut text, mut names) = (String::new(), Identifiers::new(|c| "_'?$".contains(c), is_taken));
    for sort in free_sorts(pool, &terms) {
        let name = names.name(&pool.sorts().display(sort).to_string());
        put(&mut text, format_args!("{name} : TYPE;\n"));
        printer.sorts.insert(sort, name);
    }
    for &symbol in terms.iter().filter(|&&term| pool.op(term) == Op::Symbol) {
        let name = names.name(pool.name(symbol).unwrap_or_default());
        put(&mut text, format_args!("{name} : {};\n", printer.sort(pool.sort(symbol))?));
        printer.names.insert(symbol, name);
    }
    for (number, term) in shared(pool, &assertions).into_iter().enumerate() {
        let name = names.name(&format!("d{number}"));
        put(&mut text, format_args!("{name} : {} = ", printer.sort(pool.sort(term))?));
        printer.write(&mut text, term)?;
        text.push_str(";\n");
        printer.names.insert(term, name);
    }
    for assertion in assertions {
        text.push_str("ASSERT ");
        printer.write(&mut text, assertion)?;
        text.push_str(";\n");
    }
    text.push_str("QUERY FALSE;\n");
    Ok(text)
}

fn put(text: &mut String, content: std::fmt::Arguments<'_>) {
    text.write_fmt(content).expect("a string can be written to");
}

/// Whether a word means something in the language.
fn is_taken(name: &str) -> bool {
    const WORDS: [&str; 44] = [
        "ARRAY",
        "OF",
        "WITH",
        "AND",
        "NAND",
        "NOR",
        "NOT",
        "EXCEPT",
        "OR",
        "XOR",
        "IF",
        "THEN",
        "ELSE",
        "ELSIF",
        "END",
        "ENDIF",
        "BV",
        "BITVECTOR",
        "BOOLEAN",
        "TYPE",
        "INT",
        "REAL",
        "ASSERT",
        "QUERY",
        "CHECKSAT",
        "FALSE",
        "TRUE",
        "IN",
        "LET",
        "COUNTEREXAMPLE",
        "COUNTERMODEL",
        "PUSH",
        "POP",
        "OPTION",
        "INCLUDE",
        "SX",
        "ZX",
        "BVSLT",
        "BVSLE",
        "BVSGT",
        "BVSGE",
        "FORALL",
        "EXISTS",
        "LAMBDA",
    ];
    WORDS.contains(&name) || function(name.as_bytes()).is_some()
}

fn inexpressible(what: impl Into<String>) -> Inexpressible {
    Inexpressible { language: "CVC", what: what.into() }
}

/// How an operator is written.
enum Form {
    /// Between its arguments, in parentheses.
    Between(&'static str),
    /// As a function.
    Function(&'static str),
    /// As a function whose first argument is the width of the result.
    Sized(&'static str),
    /// As a function whose last argument is the width of the result.
    To(&'static str),
}

fn form(op: Op) -> Option<Form> {
    use Form::{Between, Function, Sized, To};
    Some(match op {
        Op::And => Between(" AND "),
        Op::Or => Between(" OR "),
        Op::Xor => Between(" XOR "),
        Op::Implies => Between(" => "),
        Op::Eq => Between(" = "),
        Op::Distinct => Between(" /= "),
        Op::Concat => Between(" @ "),
        Op::BvAnd => Between(" & "),
        Op::BvOr => Between(" | "),
        Op::BvXor => Function("BVXOR("),
        Op::BvNand => Function("BVNAND("),
        Op::BvNor => Function("BVNOR("),
        Op::BvXnor => Function("BVXNOR("),
        Op::BvNeg => Function("BVUMINUS("),
        Op::BvAdd => Sized("BVPLUS("),
        Op::BvSub => Sized("BVSUB("),
        Op::BvMul => Sized("BVMULT("),
        Op::BvUdiv => Sized("BVDIV("),
        Op::BvUrem => Sized("BVMOD("),
        Op::BvSdiv => Sized("SBVDIV("),
        Op::BvSrem => Sized("SBVREM("),
        Op::BvShl => Function("BVSHL("),
        Op::BvLshr => Function("BVLSHR("),
        Op::BvAshr => Function("BVASHR("),
        Op::BvUlt => Function("BVLT("),
        Op::BvUle => Function("BVLE("),
        Op::BvUgt => Function("BVGT("),
        Op::BvUge => Function("BVGE("),
        Op::BvSlt => Function("SBVLT("),
        Op::BvSle => Function("SBVLE("),
        Op::BvSgt => Function("SBVGT("),
        Op::BvSge => Function("SBVGE("),
        Op::SignExtend => To("BVSX("),
        Op::ZeroExtend => To("BVZX("),
        _ => return None,
    })
}

struct Printer<'p> {
    pool: &'p Pool,
    /// Declared types.
    sorts: FxHashMap<Sort, String>,
    /// Symbols, and terms that are defined.
    names: TermMap<String>,
}

impl Printer<'_> {
    fn sort(&self, sort: Sort) -> Result<String, Inexpressible> {
        let sorts = self.pool.sorts();
        let simple = |sort: Sort| match sort.width() {
            _ if sort.is_bool() => Ok("BOOLEAN".to_owned()),
            Some(width) => Ok(format!("BITVECTOR({width})")),
            None => match self.sorts.get(&sort) {
                Some(name) => Ok(name.clone()),
                None => Err(inexpressible(format!("the sort {}", sorts.display(sort)))),
            },
        };
        if let Some((params, result)) = sorts.function_parts(sort) {
            let params = params.iter().map(|&param| simple(param)).collect::<Result<Vec<_>, _>>()?;
            return Ok(format!("({}) -> {}", params.join(", "), simple(result)?));
        }
        let (mut text, mut inner) = (String::new(), sort);
        while let Some((index, element)) = sorts.array_parts(inner) {
            put(&mut text, format_args!("ARRAY {} OF ", simple(index)?));
            inner = element;
        }
        text.push_str(&simple(inner)?);
        Ok(text)
    }

    fn write(&self, text: &mut String, term: Term) -> Result<(), Inexpressible> {
        write(text, term, &self.names, |term, parts| self.pieces(term, parts))
    }

    fn pieces(&self, term: Term, parts: &mut Vec<Piece>) -> Result<(), Inexpressible> {
        use Piece::{Text, Word};
        let pool = self.pool;
        let (op, args) = (pool.op(term), pool.args(term));
        let mut put = |pieces: &mut dyn Iterator<Item = Piece>| parts.extend(pieces);
        match (op, args) {
            (Op::Const, _) => {
                let value = match (pool.as_bitvec(term), pool.as_bool(term)) {
                    (Some(value), _) => Text(format!("0bin{value:b}")),
                    (None, Some(true)) => Word("TRUE"),
                    (None, _) => Word("FALSE"),
                };
                put(&mut [value].into_iter());
            }
            (Op::ConstArray, _) => return Err(inexpressible("constant arrays")),
            (Op::Apply, [function, args @ ..]) => {
                put(&mut [Piece::Term(*function)].into_iter());
                list(parts, Word("("), args, ", ", ")");
            }
            (Op::Not, &[arg]) => put(&mut [Word("(NOT "), Piece::Term(arg), Word(")")].into_iter()),
            (Op::BvNot, &[arg]) => put(&mut [Word("(~"), Piece::Term(arg), Word(")")].into_iter()),
            (Op::Ite, &[condition, yes, no]) => {
                let words = ["(IF ", " THEN ", " ELSE "].map(Word);
                let terms = [condition, yes, no].map(Piece::Term);
                put(&mut words.into_iter().zip(terms).flat_map(|(word, term)| [word, term]));
                parts.push(Word(" ENDIF)"));
            }
            (Op::Select, &[array, index]) => {
                put(&mut [Piece::Term(array), Word("["), Piece::Term(index), Word("]")].into_iter());
            }
            (Op::Store, &[array, index, element]) => {
                let words = ["(", " WITH [", "] := "].map(Word);
                let terms = [array, index, element].map(Piece::Term);
                put(&mut words.into_iter().zip(terms).flat_map(|(word, term)| [word, term]));
                parts.push(Word(")"));
            }
            (Op::Extract, &[arg]) => {
                let indices = pool.indices(term);
                let slice = Text(format!("[{}:{}]", indices[0], indices[1]));
                put(&mut [Piece::Term(arg), slice].into_iter());
            }
            (Op::Eq, args) if pool.sort(args[0]).is_bool() => list(parts, Word("("), args, " <=> ", ")"),
            _ => match form(op) {
                Some(Form::Between(word)) => list(parts, Word("("), args, word, ")"),
                Some(Form::Function(word)) => list(parts, Word(word), args, ", ", ")"),
                Some(Form::Sized(word)) => {
                    let width = pool.width(term).unwrap_or_default();
                    list(parts, Text(format!("{word}{width}, ")), args, ", ", ")");
                }
                Some(Form::To(word)) => {
                    let width = pool.width(term).unwrap_or_default();
                    list(parts, Word(word), args, ", ", "");
                    parts.push(Text(format!(", {width})")));
                }
                None => return Err(inexpressible(format!("the operator '{}'", op.name()))),
            },
        }
        Ok(())
    }
}
