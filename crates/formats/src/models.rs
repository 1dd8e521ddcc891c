//! Models in the words of the language that asked.
//!
//! A model is a list of symbols with their values. SMT-LIB defines each symbol, CVC asserts it (an array by
//! its cells, and a comment has what the other cells hold), BTOR has a line for each value with its number
//! before and its name behind it, and Yices has equations of its own. These are the ways in which the solvers
//! of these languages print models, and what their clients read.
//!
//! Nested arrays are walked without recursion.

use crate::language::Language;
use bivalve_terms::print::{BitVecFormat, Values, sort as sort_text, symbol};
use bivalve_terms::{BitVec, Pool, Sort, Term, Value};

/// How a model is printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ModelFormat {
    /// `(define-fun x () S v)`.
    #[default]
    SmtLib,
    /// `ASSERT( x = 0x05 );`, as STP prints it.
    Cvc,
    /// `1 00000101 x`, as Boolector prints it. Symbols are numbered from 1.
    Btor,
    /// `(= x #b00000101)`, as Yices prints it.
    Yices,
}

impl ModelFormat {
    /// The formats by their names.
    pub const ALL: [(&'static str, ModelFormat); 4] = [
        ("smt2", ModelFormat::SmtLib),
        ("cvc", ModelFormat::Cvc),
        ("btor", ModelFormat::Btor),
        ("yices", ModelFormat::Yices),
    ];

    /// The format of this name.
    pub fn named(name: &str) -> Option<ModelFormat> {
        ModelFormat::ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// The format for an input in this language, `None` for SMT-LIB 2.
    pub fn of(language: Option<Language>) -> ModelFormat {
        match language {
            Some(Language::Cvc) => ModelFormat::Cvc,
            Some(Language::Btor | Language::Btor2 | Language::Aiger) => ModelFormat::Btor,
            Some(Language::SmtLib1 | Language::Dimacs | Language::Binary) | None => ModelFormat::SmtLib,
        }
    }

    /// The text of a model, with no line feed at its end. Bit-vectors are printed in `base`; CVC has numbers
    /// of base 2 and 16, and `None` is 16 where the width is a multiple of 4, as in STP.
    ///
    /// ```
    /// use bivalve_formats::ModelFormat;
    /// use bivalve_terms::print::{BitVecFormat, Values};
    /// use bivalve_terms::{BitVec, Pool, Sort, Value};
    ///
    /// let mut pool = Pool::new();
    /// let x = pool.symbol("x", Sort::bitvec(16)?);
    /// let model = [(x, Value::BitVec(BitVec::from_u64(0xff, 16)))];
    /// let values = Values::new(&pool, BitVecFormat::Binary);
    /// assert_eq!(ModelFormat::Cvc.print(&pool, &values, None, &model), "ASSERT( x = 0x00FF );");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn print(
        self,
        pool: &Pool,
        values: &Values<'_>,
        base: Option<BitVecFormat>,
        model: &[(Term, Value)],
    ) -> String {
        let printer = Printer { pool, values, base };
        match self {
            ModelFormat::SmtLib => {
                let definition =
                    |(symbol, value): &(Term, Value)| format!("  {}\n", values.definition(*symbol, value));
                format!("(\n{})", model.iter().map(definition).collect::<String>())
            }
            ModelFormat::Cvc => printer.lines(model, Printer::cvc),
            ModelFormat::Btor => printer.lines(model, Printer::btor),
            ModelFormat::Yices => printer.lines(model, |printer, text, _, symbol, value| {
                printer.yices(text, symbol, value);
            }),
        }
    }
}

/// Prints the values of one model.
struct Printer<'a> {
    pool: &'a Pool,
    values: &'a Values<'a>,
    base: Option<BitVecFormat>,
}

/// A part of a symbol that has a value of its own.
struct Part<'v> {
    /// How it is written.
    place: String,
    /// It stands for all parts that have no value of their own.
    is_rest: bool,
    sort: Sort,
    value: &'v Value,
}

/// The arguments of a function, and its value there.
type Entry<'v> = (Vec<String>, &'v Value);

/// Writes a part of a value: the place of the whole, whether that is an array, and the arguments, which are
/// `None` for all others.
type Cell = dyn Fn(&str, bool, Option<&[String]>) -> String;

impl Printer<'_> {
    /// What `line` writes for each symbol, with its number from 1.
    fn lines(
        &self,
        model: &[(Term, Value)],
        line: impl Fn(&Self, &mut String, usize, Term, &Value),
    ) -> String {
        let mut text = String::new();
        for (position, (symbol, value)) in model.iter().enumerate() {
            line(self, &mut text, position + 1, *symbol, value);
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }

    fn name(&self, symbol: Term) -> &str {
        self.pool.name(symbol).unwrap_or_default()
    }

    /// The entries of a function, each as its arguments and its value, and the value elsewhere.
    fn entries<'v>(
        &self,
        sort: Sort,
        value: &'v Value,
        argument: impl Fn(Sort, &Value) -> String,
    ) -> Option<(Vec<Entry<'v>>, Sort, &'v Value)> {
        let sorts = self.pool.sorts();
        match value {
            Value::Array(array) => {
                let (index, element) = sorts.array_parts(sort)?;
                let entries = array.entries().map(|(at, what)| (vec![argument(index, at)], what));
                Some((entries.collect(), element, array.default()))
            }
            Value::Function(function) => {
                let (params, result) = sorts.function_parts(sort)?;
                let entries = function.entries().map(|(args, what)| {
                    let args = params.iter().zip(args).map(|(&sort, arg)| argument(sort, arg));
                    (args.collect(), what)
                });
                Some((entries.collect(), result, function.default()))
            }
            Value::Bool(_) | Value::BitVec(_) | Value::Theory(_) | Value::Element(..) => None,
        }
    }

    /// The simple parts of a value that is written as `place`, those of arrays in arrays, too, in the order
    /// of their indices.
    fn parts<'v>(
        &self,
        place: String,
        sort: Sort,
        value: &'v Value,
        argument: &dyn Fn(Sort, &Value) -> String,
        cell: &Cell,
    ) -> Vec<Part<'v>> {
        let (mut simple, mut left) = (vec![], vec![Part { place, is_rest: false, sort, value }]);
        while let Some(part) = left.pop() {
            let Some((entries, sort, default)) = self.entries(part.sort, part.value, argument) else {
                simple.push(part);
                continue;
            };
            let is_array = matches!(part.value, Value::Array(_));
            left.push(Part { place: cell(&part.place, is_array, None), is_rest: true, sort, value: default });
            left.extend(entries.into_iter().rev().map(|(args, value)| Part {
                place: cell(&part.place, is_array, Some(&args)),
                is_rest: part.is_rest,
                sort,
                value,
            }));
        }
        simple
    }

    /// `ASSERT( x = 0x05 );`, `ASSERT( b<=>TRUE );` and `ASSERT( a[0x3] = 0x05 );`. What has no name for all
    /// others of its kind is a comment.
    fn cvc(&self, text: &mut String, _: usize, symbol: Term, value: &Value) {
        let constant = |sort: Sort, value: &Value| match value {
            Value::Bool(true) => "TRUE".to_owned(),
            Value::Bool(false) => "FALSE".to_owned(),
            Value::BitVec(bits) if bits.width() % 4 == 0 && self.base != Some(BitVecFormat::Binary) => {
                format!("0x{}", hexadecimal(bits).to_uppercase())
            }
            Value::BitVec(bits) => format!("0b{}", bits.to_binary_string()),
            value => self.values.value(sort, value),
        };
        let cell = |place: &str, is_array: bool, args: Option<&[String]>| {
            let args = args.map_or_else(|| "...".to_owned(), |args| args.join(", "));
            if is_array { format!("{place}[{args}]") } else { format!("{place}({args})") }
        };
        let whole = self.name(symbol).to_owned();
        for Part { place, is_rest, sort, value } in
            self.parts(whole, self.pool.sort(symbol), value, &constant, &cell)
        {
            let (value, sign) = (constant(sort, value), if sort.is_bool() { "<=>" } else { " = " });
            text.push_str(&match is_rest {
                true => format!("% otherwise: {place}{sign}{value}\n"),
                false => format!("ASSERT( {place}{sign}{value} );\n"),
            });
        }
    }

    /// `1 00000101 x`, and `2[0011] 00000101 a` for the cell of an array; `[*]` are all others.
    fn btor(&self, text: &mut String, number: usize, symbol: Term, value: &Value) {
        let constant = |sort: Sort, value: &Value| match (value, self.base) {
            (Value::Bool(bit), _) => u32::from(*bit).to_string(),
            (Value::BitVec(bits), Some(BitVecFormat::Hexadecimal)) => hexadecimal(bits),
            (Value::BitVec(bits), Some(BitVecFormat::Decimal)) => bits.to_decimal_string(),
            (Value::BitVec(bits), _) => bits.to_binary_string(),
            (value, _) => self.values.value(sort, value),
        };
        let cell = |place: &str, _: bool, args: Option<&[String]>| {
            format!("{place}[{}]", args.map_or_else(|| "*".to_owned(), |args| args.join(" ")))
        };
        let name = self.name(symbol);
        for part in self.parts(number.to_string(), self.pool.sort(symbol), value, &constant, &cell) {
            text.push_str(&format!("{} {} {name}\n", part.place, constant(part.sort, part.value)));
        }
    }

    /// `(= x #b0101)`, and `(function a (type (Array S T)) (= (a #b0011) #b0101) (default #b0000))`.
    fn yices(&self, text: &mut String, declared: Term, value: &Value) {
        let name = symbol(self.name(declared));
        let sort = self.pool.sort(declared);
        let argument = |sort: Sort, value: &Value| self.values.value(sort, value);
        let Some((entries, element, default)) = self.entries(sort, value, argument) else {
            text.push_str(&format!("(= {name} {})\n", self.values.value(sort, value)));
            return;
        };
        let sorts = self.pool.sorts();
        let domain = match (sorts.array_parts(sort), sorts.function_parts(sort)) {
            (Some((index, _)), _) => vec![index],
            (None, parts) => parts.map(|(params, _)| params.to_vec()).unwrap_or_default(),
        };
        let sort_of = |&sort: &Sort| sort_text(sorts, sort);
        let of: Vec<String> = domain.iter().chain([&element]).map(sort_of).collect();
        text.push_str(&format!("(function {name}\n (type (Array {}))\n", of.join(" ")));
        for (args, what) in entries {
            let what = self.values.value(element, what);
            text.push_str(&format!(" (= ({name} {}) {what})\n", args.join(" ")));
        }
        text.push_str(&format!(" (default {}))\n", self.values.value(element, default)));
    }
}

/// All hexadecimal digits, the highest of which may stand for fewer than four bits.
fn hexadecimal(bits: &BitVec) -> String {
    let digits = bits.to_binary_string();
    let digits = digits.as_bytes().rchunks(4).rev();
    let digit = |four: &[u8]| four.iter().fold(0, |digit, bit| 2 * digit + u32::from(bit - b'0'));
    digits.map(|four| char::from_digit(digit(four), 16).expect("four bits are a digit")).collect()
}
