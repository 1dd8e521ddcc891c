//! Two readers of one language: the checker's and the solver's read scripts that are altered at random, and
//! either both refuse, or both state the same formula at each check.
//!
//! Formulas are compared as terms of the checker: the solver's is printed, and the print is read by the
//! checker (symbols by the order in which they occur); and by their values under random assignments, each
//! computed by its own side. The checker may refuse what the solver takes only for one of the reasons in
//! [`STRICTER`]: then an answer has no certificate, and none is wrong. What the solver refuses it must
//! refuse.
//!
//! `BIVALVE_READERS=100000` reads so many scripts instead of the few of an ordinary run.

#![allow(clippy::disallowed_methods, reason = "the number of scripts is asked for by the environment")]

mod alteration;

use alteration::{SEEDS, altered, reshaped};
use bivalve_checker::evaluate::{Value as Number, apply};
use bivalve_checker::script::Script;
use bivalve_checker::step::Setting;
use bivalve_checker::term::{Op, SortKind, Term as Read, Terms};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Pool, Sort, Term, TheorySort, Value, eval};
use fastrand::Rng;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Why the checker may refuse what the solver reads.
const STRICTER: &[&str] = &[
    "declared sorts with parameters are not known here",
    "distinct of more than",
    "too many terms",
    "integers are not known here",
    // Operators of integers.
    "with 1 arguments is not known here",
    "with 2 arguments is not known here",
    "with 3 arguments is not known here",
    "beyond the budget",
    "arrays over floating-point numbers or records are not compared here",
    "data types with parameters are not known here",
    "data types within themselves are not known here",
    "'match' is not known here",
    "records with fields that are no words are not known here",
    "with names of other sorts, are not known here",
    "a name in a query",
];

/// Integer operators, which the checker does not know, and one that has three arguments in other solvers.
const INTEGERS: &[&str] = &["ubv_to_int", "int_to_bv", "bv2nat", "nat2bv", "+", "<=", "to_fp"];

/// What the solver's reader makes of a script: the formula of each check, and why it refuses what follows.
fn solver(text: &str) -> (Pool, Vec<Vec<Term>>, Option<String>) {
    let mut pool = Pool::new();
    let mut parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
    let (mut asserted, mut levels, mut checks): (Vec<Term>, Vec<usize>, _) = (vec![], vec![], vec![]);
    loop {
        let command = match parser.next_written_command(&mut pool, &mut |_| None) {
            Ok(command) => command,
            Err(refusal) => return (pool, checks, Some(refusal.to_string())),
        };
        let Some(command) = command else { return (pool, checks, None) };
        match &command {
            Command::Assert { term, .. } => asserted.push(*term),
            Command::CheckSat => checks.push(asserted.clone()),
            Command::CheckSatAssuming(terms) => {
                checks.push(asserted.iter().copied().chain(terms.iter().map(|(_, term)| *term)).collect());
            }
            // So many levels at once are no different from a few.
            Command::Push(count) => levels.extend((0..(*count).min(1000)).map(|_| asserted.len())),
            Command::Pop(count) => {
                for _ in 0..*count {
                    let Some(length) = levels.pop() else { return (pool, checks, Some("no level".into())) };
                    asserted.truncate(length);
                }
            }
            Command::Reset | Command::ResetAssertions => (asserted, levels) = (vec![], vec![]),
            Command::SetOption { keyword, value }
                if [":global-declarations", ":global-decls"].contains(&keyword.as_str())
                    && value.as_ref().and_then(|value| value.as_bool()).is_none() =>
            {
                return (pool, checks, Some("a Boolean value".into()));
            }
            Command::SetOption { keyword, value: Some(value) } if keyword == ":global-decls" => {
                parser.symbols_mut().set_global_declarations(value.as_bool() == Some(true));
            }
            Command::Exit => return (pool, checks, None),
            _ => {}
        }
        parser.symbols_mut().follow(&command);
    }
}

/// A number for each term that says what it is, symbols by the order in which they occur below the roots.
fn canonical(terms: &Terms, roots: &[Read]) -> Vec<u64> {
    let (mut known, mut first): (FxHashMap<Read, u64>, FxHashMap<(bool, u64), u64>) =
        (FxHashMap::default(), FxHashMap::default());
    let hash = |content: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        content(&mut hasher);
        hasher.finish()
    };
    let kind = |sort| {
        let mut words = vec![];
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            match terms.kind(sort) {
                SortKind::Bool => words.push(0),
                SortKind::BitVec(width) => words.push(u64::from(width)),
                SortKind::Array(index, element) => {
                    words.push(u64::MAX);
                    open.extend([element, index]);
                }
                SortKind::Declared(_) => words.push(u64::MAX - 1),
                SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_) => {
                    unreachable!("what is asserted is about bit-vectors")
                }
            }
        }
        words
    };
    for &root in roots {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let open: Vec<Read> =
                terms.args(term).iter().rev().copied().filter(|arg| !known.contains_key(arg)).collect();
            if known.contains_key(&term) {
                stack.pop();
                continue;
            }
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            stack.pop();
            let sort = kind(terms.sort_of(term));
            let mut name = |key: (bool, u64)| {
                let next = first.len() as u64;
                *first.entry(key).or_insert(next)
            };
            let head = match terms.op(term) {
                Op::Symbol(number) => format!("symbol {}", name((false, number.into()))),
                Op::Value(_) => format!("{:?}", terms.value_of(term)),
                Op::Apply(function) => {
                    let mut hasher = DefaultHasher::new();
                    function.hash(&mut hasher);
                    format!("function {}", name((true, hasher.finish())))
                }
                Op::ConstArray(sort) => format!("const {:?}", kind(sort)),
                op => format!("{op:?}"),
            };
            let args: Vec<u64> = terms.args(term).iter().map(|arg| known[arg]).collect();
            known.insert(term, hash(&|hasher| (&head, &sort, &args).hash(hasher)));
        }
    }
    roots.iter().map(|root| known[root]).collect()
}

/// The formula of the check that the checker is at.
fn asserted(script: &Script<'_>) -> Vec<Read> {
    (0..).map_while(|number| script.assertion(number)).collect()
}

/// The values of applications of functions, by their only arguments.
type Table = FxHashMap<(Op, BigUint), Number>;

/// The values of formulas over Booleans and bit-vectors alone, symbols by name; `None` for other formulas.
fn values(
    script: &Script<'_>,
    roots: &[Read],
    (of, functions): (&FxHashMap<Read, Number>, &Table),
) -> Option<Vec<Number>> {
    let terms = &script.terms;
    let mut known = of.clone();
    for &root in roots {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let before = stack.len();
            if !known.contains_key(&term) {
                stack.extend(terms.args(term).iter().copied().filter(|arg| !known.contains_key(arg)));
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if !known.contains_key(&term) {
                let args: Vec<Number> = terms.args(term).iter().map(|arg| known[arg].clone()).collect();
                let value = match terms.op(term) {
                    _ if terms.is_value(term) => terms.value_of(term),
                    op @ Op::Apply(_) => functions.get(&(op, args.first()?.number.clone())).cloned(),
                    op => apply(op, &args),
                };
                known.insert(term, value?);
            }
        }
    }
    Some(roots.iter().map(|root| known[root].clone()).collect())
}

/// The bits of values of a sort, if these are words.
fn bits(pool: &Pool, sort: Sort) -> Option<u32> {
    match (pool.sorts().kind(sort), pool.sorts().as_theory(sort)) {
        (bivalve_terms::SortKind::Bool, _) => Some(1),
        (bivalve_terms::SortKind::BitVec(width), _) => Some(width),
        (_, Some(TheorySort::Float(format))) => Some(format.width()),
        (_, Some(TheorySort::RoundingMode)) => Some(3),
        (_, Some(TheorySort::Record(_))) => {
            let constructors = pool.sorts().as_record(sort)?.constructors();
            let fields = |fields: &[(Box<str>, Sort)]| fields.iter().map(|&(_, sort)| bits(pool, sort)).sum();
            let most: Option<Vec<u32>> = constructors.iter().map(|of| fields(&of.fields)).collect();
            Some((tag_bits(constructors.len()) + most?.into_iter().max()?).max(1))
        }
        _ => None,
    }
}

/// The bits in which so many numbers, from 0 on, are told apart.
fn tag_bits(count: usize) -> u32 {
    usize::BITS - (count - 1).leading_zeros()
}

/// The word of a value.
fn word(pool: &Pool, value: &Value) -> Option<Number> {
    if let Some(record) = value.as_record() {
        let sort = pool.sorts().sort_of_record(record.definition());
        let width = bits(pool, sort)?;
        let mut number = BigUint::from(record.constructor());
        number <<= width - tag_bits(record.definition().constructors().len()).min(width);
        let mut low = 0u32;
        for field in record.fields() {
            let field = word(pool, field)?;
            number |= field.number << low;
            low += field.width;
        }
        return Some(Number { width, number });
    }
    match (value, value.as_float(), value.as_rounding_mode()) {
        (Value::Bool(value), ..) => Some(Number::truth(*value)),
        (Value::BitVec(value), ..) => {
            let bytes: Vec<u8> = value.words().iter().flat_map(|word| word.to_le_bytes()).collect();
            Some(Number { width: value.width(), number: BigUint::from_bytes_le(&bytes) })
        }
        (_, Some(float), _) => Some(Number { width: float.format().width(), number: float.to_bits() }),
        (_, _, Some(mode)) => Some(Number { width: 3, number: mode.code().into() }),
        _ => None,
    }
}

/// The values of both sides' formulas under one random assignment; `None` if the formulas have other sorts.
fn both_values(
    pool: &Pool,
    roots: &[Term],
    script: &Script<'_>,
    read: &[Read],
    random: &mut TermGen,
) -> Option<bool> {
    let assignment: Assignment = random.assignment(pool, roots);
    let mut of = FxHashMap::default();
    for term in bivalve_terms::cone(pool, roots) {
        let Some(name) = pool.name(term).filter(|_| pool.op(term) == bivalve_terms::Op::Symbol) else {
            continue;
        };
        if !pool.is_open_symbol(term) {
            of.insert(script.symbol(name)?, word(pool, assignment.get(term)?)?);
        }
    }
    // What selectors give for records of other constructors.
    let mut functions = Table::default();
    for term in bivalve_terms::cone(pool, roots) {
        if pool.op(term) != bivalve_terms::Op::RecordGet || pool.args(term).len() < 2 {
            continue;
        }
        let [record, open] = [0, 1].map(|at| word(pool, &eval(pool, pool.args(term)[at], &assignment)));
        let name = pool.sorts().as_record(pool.sort(pool.args(term)[0]))?.name().trim_matches('|');
        if let Some(function) = script.function(&format!("{name}|{}", pool.index(term))) {
            functions.insert((Op::Apply(function), record?.number), open?);
        }
    }
    let mine = values(script, read, (&of, &functions))?;
    let theirs = roots.iter().map(|&root| Number::truth(eval(pool, root, &assignment).expect_bool()));
    Some(theirs.eq(mine))
}

/// How two readers that agree end.
#[derive(PartialEq, Eq, Debug)]
enum End {
    BothRead,
    BothRefuse,
    /// The checker alone refuses, for a reason that is known.
    Stricter,
}

/// How the readers compare on a script: on so many checks they agree, of so many the values were compared.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    alike: usize,
    evaluated: usize,
    end: End,
}

fn compare(text: &str, random: &mut TermGen) -> Result<Outcome, String> {
    let (pool, checks, refusal) = solver(text);
    let mut script = Script::new(text);
    let (mut alike, mut evaluated) = (0, 0);
    loop {
        match (script.next_check(), &refusal) {
            (Ok(true), _) => {}
            (Err(_), Some(_)) if alike == checks.len() => {
                return Ok(Outcome { alike, evaluated, end: End::BothRefuse });
            }
            (Err(why), _) => {
                let is_integer = INTEGERS.iter().any(|name| text.contains(name));
                let is_known =
                    |&&reason: &&&str| why.contains(reason) && (is_integer || !reason.starts_with("with"));
                return match STRICTER.iter().find(is_known) {
                    Some(_) => Ok(Outcome { alike, evaluated, end: End::Stricter }),
                    None => Err(format!("the checker alone refuses: {why}")),
                };
            }
            (Ok(false), Some(why)) => return Err(format!("the solver alone refuses: {why}")),
            (Ok(false), None) if checks.len() == alike => {
                return Ok(Outcome { alike, evaluated, end: End::BothRead });
            }
            (Ok(false), None) => return Err(format!("{} checks, and {alike}", checks.len())),
        }
        let Some(formula) = checks.get(alike) else {
            return Err(format!("{} checks, then {refusal:?}", checks.len()));
        };
        let read = asserted(&script);
        let printed =
            print::script(&pool, &print::Script { assertions: formula, ..print::Script::default() });
        let mut again = Script::new(&printed);
        match again.next_check() {
            Ok(true) => {}
            // Integers that are bit-vectors print as such.
            other => return Err(format!("the print is not read, {other:?}: {printed}")),
        }
        if canonical(&script.terms, &read) != canonical(&again.terms, &asserted(&again)) {
            return Err(format!("check {}: another formula; the solver reads {printed}", alike));
        }
        for _ in 0..3 {
            match both_values(&pool, formula, &script, &read, random) {
                Some(false) => return Err(format!("check {}: other values", alike)),
                Some(true) => evaluated += 1,
                None => {}
            }
        }
        alike += 1;
    }
}

#[test]
fn seeds_are_read_alike() {
    for (number, seed) in SEEDS.iter().enumerate() {
        let Outcome { alike, end, .. } = compare(seed, &mut TermGen::new(1)).unwrap();
        assert!(alike >= 2, "{number}");
        // One has integers.
        assert_eq!(end, if number == 4 { End::Stricter } else { End::BothRead }, "{number}");
    }
}

#[test]
fn altered_scripts_are_read_alike() {
    let count = std::env::var("BIVALVE_READERS").ok().and_then(|count| count.parse().ok()).unwrap_or(4_000);
    let (mut ends, mut checks, mut values, mut wrong) = ([0; 3], 0, 0, vec![]);
    for number in 0..count {
        let mut rng = Rng::with_seed(number as u64);
        let text = match number % 2 {
            0 => altered(rng.choice(SEEDS).expect("there are some"), &mut rng),
            _ => reshaped(&mut rng),
        };
        match compare(&text, &mut TermGen::new(number as u64)) {
            Ok(Outcome { alike, evaluated, end }) => {
                ends[end as usize] += 1;
                checks += alike;
                values += evaluated;
            }
            Err(why) => wrong.push(format!("{number}: {why}\n{text:?}\n")),
        }
    }
    let [read, refused, stricter] = ends;
    println!(
        "{count} scripts: {read} read, {refused} refused by both, {stricter} by the checker alone; {checks} checks, \
         {values} of them evaluated"
    );
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    assert!(
        read > count / 10 && refused > count / 4 && checks > count / 2 && values > count / 4,
        "they are mixed"
    );
}
