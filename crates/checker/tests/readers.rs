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

use bivalve_checker::evaluate::{Value as Number, apply};
use bivalve_checker::script::Script;
use bivalve_checker::step::Setting;
use bivalve_checker::term::{Op, SortKind, Term as Read, Terms};
use bivalve_formats::smtlib::{Command, Parser, ParserOptions, print};
use bivalve_terms::testing::TermGen;
use bivalve_terms::{Assignment, Pool, Term, Value, eval};
use fastrand::Rng;
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
];

/// Integer operators, which the checker does not know.
const INTEGERS: &[&str] = &["ubv_to_int", "int_to_bv", "bv2nat", "nat2bv", "+", "<="];

/// Scripts to alter. Between them they have each command and each form of terms and sorts.
const SEEDS: &[&str] = &[
    "(set-info :status unsat) (set-logic QF_BV) (declare-const x (_ BitVec 4)) (declare-fun y () (_ BitVec 4))
     (assert (let ((a (bvadd x y)) (b (bvneg y))) (= (bvadd a b) (bvand x #b1111))))
     (assert (! (bvult x (_ bv9 4)) :named small)) (check-sat) (push 1) (assert (not small)) (check-sat) (pop 1)
     (get-value (x (bvmul x y))) (check-sat-assuming (small (not small))) (get-unsat-core) (exit) (assert false)",
    "(set-logic QF_AUFBV) (declare-sort S 0) (declare-fun f (S S) Bool) (declare-fun g (Bool (_ BitVec 2)) S)
     (declare-const a (Array (_ BitVec 2) (_ BitVec 4))) (declare-const s S) (define-sort W () (_ BitVec 2))
     (define-sort Map (X Y) (Array X Y)) (declare-const m (Map W Bool)) (declare-const i W)
     (assert (f s (g (select m i) #b01))) (assert (= (select (store a i #x3) #b10) ((_ zero_extend 2) i)))
     (assert (= a ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0))) (check-sat)
     (assert (distinct s (g true i) (as s S))) (check-sat) (reset-assertions) (check-sat)",
    "(set-option :global-declarations true) (set-logic ALL) (push) (declare-const p Bool)
     (define-fun h ((q Bool) (r (_ BitVec 3))) Bool (ite (and q p) (bvslt r #b010) (or q (= r #b111))))
     (define-const c (_ BitVec 3) #b101) (define-fun k () Bool (h p c)) (assert (=> k p (h k #b000))) (pop)
     (check-sat) (assert (xor p k true)) (check-sat) (reset) (declare-const p Bool) (assert p) (check-sat)",
    "(set-logic QF_UF) ; a comment\n (declare-fun |let| (Bool Bool) Bool) (declare-const |!| Bool)
     (declare-const |a b| Bool) (declare-fun bvand (Bool Bool) Bool) (echo \"; (assert \"\"no\"\" \")
     (assert (|let| |!| (bvand true |a b|)))\t(check-sat)\r(assert (and (false) |a b|)) ; end\r(check-sat)
     (set-info :source |text (with ) bars|) (get-info :name) (simplify (and x y)) (check-sat)",
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
     (assert (= ((_ extract 3 0) x) (extract 7 4 y))) (assert (iff p (bvsle x y) (bvumul_noovfl x y)))
     (assert (= (concat ((_ repeat 2) #b10) #xF) (bvor x y (bvnot x)) (bvsub x y #x01)))
     (assert (distinct (rotate_left x y) ((_ rotate_right 1) x) (bvite p (bvinc x) (bvdec y))))
     (assert (bvuaddo x (bvudiv x y))) (assert (and (bvnego x) (or (bvsmulo x y) (bvssubo x y))))
     (assert (= (bvcomp x y) (bvredor x) (bvxnor #b1 #b0 #b1) (bvnand #b1 #b1 #b0))) (check-sat)
     (assert (! (=> p (! (not p) :named n :pattern (p)) n) :weight 3)) (check-sat)
     (assert (<= (+ (ubv_to_int x) 1) 7)) (check-sat)",
];

/// Tokens that are put in, whatever stands around them.
const TOKENS: &[&str] = &[
    "let",
    "|let|",
    "!",
    "|!|",
    "_",
    "|_|",
    "as",
    "|as|",
    "forall",
    "exists",
    "match",
    "par",
    "lambda",
    "true",
    "false",
    "|true|",
    "not",
    "|and|",
    "bvult",
    "|bvadd|",
    "extract",
    "|extract|",
    "const",
    "select",
    "=",
    "=>",
    "Bool",
    "|Bool|",
    "BitVec",
    "|BitVec|",
    "Array",
    "Int",
    "#b1",
    "#b1_0",
    "#b",
    "#xF",
    "#xfg",
    "0",
    "1",
    "007",
    "1_0",
    "+1",
    "-1",
    "1.0",
    "1.",
    "4294967296",
    "bv3",
    "bv+1",
    "bv1_0",
    "|bv1|",
    "bv",
    ":named",
    ":global-declarations",
    ":",
    "named",
    "\"text\"",
    "\"a\"\"b\"",
    "\"",
    "|",
    "||",
    "|\\|",
    ";",
    "; x\n",
    "; x\r",
    "\n",
    "\r",
    "\t",
    "\u{c}",
    "\u{b}",
    "\0",
    "\u{a0}",
    "é",
    "|é|",
    "'",
    "`",
    "{",
    "[",
    ",",
    "\\",
    "(",
    ")",
    "()",
    "(_ bv1 4)",
    "(true)",
    "x",
    "y",
    "p",
    "q",
    "|x|",
    "@a",
    ".b",
    "assert",
    "|assert|",
    "check-sat",
    "push",
    "pop",
    "reset",
    "exit",
    "declare-const",
    "define-fun",
    "reset-assertions",
    "set-logic",
    "QF_UF",
    "QF_BV",
    "QF_ABV",
    "ALL",
    "(push 2)",
    "(pop 1)",
    "(exit)",
    "(check-sat)",
    "(reset)",
    "(assert false)",
    "(declare-const x Bool)",
    "(declare-const bvult Bool)",
    "(define-fun true () Bool false)",
    "(let ((x true) (x false)) x)",
    "(let q false)",
    "(! false named n)",
    "(as x Bool)",
    "((_ bvadd) x y)",
    "((_ extract 1 0) x)",
    "(let ((true false)) true)",
    "(get-value ((! x :named v)))",
    "(set-option :global-declarations false)",
    "(declare-sort T)",
    "(declare-sort T 1)",
    "(define-sort T (let) Bool)",
];

/// Splits a script into tokens and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let (mut all, mut rest) = (vec![], text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '(' | ')' => 1,
            '|' | '"' => rest[1..].find(first).map_or(rest.len(), |at| at + 2),
            ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            c if c.is_ascii_whitespace() => 1,
            _ => rest.find(|c: char| c.is_ascii_whitespace() || "();|\"".contains(c)).unwrap_or(rest.len()),
        };
        let (token, tail) = rest.split_at(end.max(1));
        all.push(token);
        rest = tail;
    }
    all
}

/// A script with a few tokens swapped, quoted, freed of quotes, deleted, doubled or put in.
fn altered(seed: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<String> = tokens(seed).into_iter().map(str::to_string).collect();
    for _ in 0..rng.choice([1, 1, 1, 2, 3]).expect("there are some") {
        let (at, other) = (rng.usize(..tokens.len()), rng.usize(..tokens.len()));
        match rng.u8(..8) {
            0 => tokens.swap(at, other),
            1 => tokens[at] = format!("|{}|", tokens[at]),
            2 => tokens[at] = tokens[at].replace(['|', '"'], ""),
            3 => drop(tokens.remove(at)),
            4 => tokens.insert(at, tokens[other].clone()),
            5 => tokens[at] = rng.choice(TOKENS).expect("there are some").to_string(),
            _ => tokens.insert(at, rng.choice(TOKENS).expect("there are some").to_string()),
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// Where the expression that begins at a token ends; the end of the text if it does not.
fn end_of(tokens: &[String], start: usize) -> usize {
    let mut open = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" => open += 1,
            ")" => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// What is wrapped around an expression, or put in its place (`%` is the expression, `#` a name).
const SHAPES: &[&str] = &[
    "(let ((# %)) #)",
    "(let ((# %)) %)",
    "(let ((# true) (q %)) #)",
    "(let () %)",
    "(! % :named #)",
    "(! % :named # :named q2)",
    "(! % :weight 1 :named # :note (a (b)))",
    "(! % :note)",
    "(! %)",
    "(%)",
    "(# %)",
    "(as % Bool)",
    "((as # Bool) %)",
    "((_ # 1) %)",
    "(_ % 1)",
    "(and % #)",
    "(= % %)",
    "(not %)",
    "(ite # % %)",
    "(distinct % #)",
    "(check-sat-assuming (% (! # :named q3)))",
    "(get-value (% #))",
    "(define-fun # () Bool %)",
    "(define-fun # ((# Bool)) Bool %)",
    "(define-fun q4 ((# Bool) (p Bool)) Bool %)",
    "(define-const # Bool %)",
    "(define-sort # (W) %)",
    "(declare-fun # (%) Bool)",
    "(declare-sort # 0)",
    "(push 3) % (pop 2)",
    "(push) % (pop)",
    "(push 0) % (pop 0)",
    "(set-option :global-declarations true) % (reset-assertions)",
    "(set-logic #) %",
    "(set-info :# %)",
    "(echo %)",
    "(exit %)",
];

/// A script of the commands of some seeds, with names that are others throughout, expressions that are moved
/// or wrapped, and single characters that are other ones.
fn reshaped(rng: &mut Rng) -> String {
    let mut commands = vec![];
    for _ in 0..rng.usize(1..3) {
        let seed: Vec<String> =
            tokens(rng.choice(SEEDS).expect("there are some")).into_iter().map(str::to_string).collect();
        let mut at = 0;
        while at < seed.len() {
            let end = end_of(&seed, at);
            if rng.u8(..16) != 0 {
                commands.push(seed[at..end].to_vec());
            }
            at = end;
        }
    }
    for _ in 0..rng.choice([0, 0, 1, 3]).expect("there are some") {
        let (at, to) = (rng.usize(..commands.len()), rng.usize(..commands.len()));
        commands.swap(at, to);
    }
    let mut tokens = commands.concat();
    let is_name = |token: &String| !"() \t\r\n;".contains(&token[..token.len().min(1)]);
    for _ in 0..rng.choice([0, 1, 1, 2]).expect("there are some") {
        let (at, start) = (rng.usize(..tokens.len()), rng.usize(..tokens.len()));
        let other: Vec<String> = tokens[start..end_of(&tokens, start)].to_vec();
        let name = match rng.bool() {
            true => rng.choice(TOKENS).expect("there are some").to_string(),
            false => tokens[rng.usize(..tokens.len())].clone(),
        };
        match rng.u8(..4) {
            // One name is another one throughout.
            0 if is_name(&tokens[at]) => {
                let old = tokens[at].clone();
                tokens.iter_mut().filter(|token| **token == old).for_each(|token| token.clone_from(&name));
            }
            1 => drop(tokens.splice(at..end_of(&tokens, at), other)),
            _ => {
                let end = end_of(&tokens, at);
                let inner = tokens[at..end].concat();
                let shape = rng.choice(SHAPES).expect("there are some");
                tokens.splice(at..end, [shape.replace('#', &name).replace('%', &inner)]);
            }
        }
    }
    let mut text: Vec<char> = tokens.concat().chars().collect();
    if rng.u8(..4) == 0 && !text.is_empty() {
        let with =
            ['(', ')', '|', '"', ';', ':', '#', '_', '!', '0', 'x', ' ', '\r', '\u{c}', '\0', 'é', '.', '+'];
        let at = rng.usize(..text.len());
        text.splice(at..at + rng.usize(..2), rng.choice(with));
    }
    text.into_iter().collect()
}

/// What the solver's reader makes of a script: the formula of each check, and why it refuses what follows.
fn solver(text: &str) -> (Pool, Vec<Vec<Term>>, Option<String>) {
    let mut pool = Pool::new();
    let mut parser = Parser::new(text.as_bytes(), "script", ParserOptions::default());
    let (mut asserted, mut levels, mut checks): (Vec<Term>, Vec<usize>, _) = (vec![], vec![], vec![]);
    loop {
        let command = match parser.next_command(&mut pool) {
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
            Command::DeclareDataTypes { .. } => return (pool, checks, Some("data types".into())),
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

/// The values of formulas over Booleans and bit-vectors alone, symbols by name; `None` for other formulas.
fn values(script: &Script<'_>, roots: &[Read], of: &FxHashMap<Read, Number>) -> Option<Vec<Number>> {
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
                let value =
                    if terms.is_value(term) { terms.value_of(term) } else { apply(terms.op(term), &args) };
                known.insert(term, value?);
            }
        }
    }
    Some(roots.iter().map(|root| known[root].clone()).collect())
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
        let number = match assignment.get(term)? {
            Value::Bool(value) => Number::truth(*value),
            value if pool.sort(term).is_bitvec() => {
                let value = value.expect_bitvec();
                let bytes: Vec<u8> = value.words().iter().flat_map(|word| word.to_le_bytes()).collect();
                Number { width: value.width(), number: num_bigint::BigUint::from_bytes_le(&bytes) }
            }
            _ => return None,
        };
        of.insert(script.symbol(name)?, number);
    }
    let mine = values(script, read, &of)?;
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
        // The last one has integers.
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
