//! Commands as text that reads back as the same command.
//!
//! Names are those that were read, so a script printed command by command keeps its declarations, definitions
//! and levels. Labels inside of an assertion become definitions before it; labels of the assertion as a whole
//! stay where they were, because unsat cores are made of them. Definitions of sorts are expanded by the
//! reader and are not printed.

use super::{BitVecFormat, Naming, Printer, string, symbol, write_sort};
use crate::smtlib::command::{AttributeValue, Command, Interpolants};
use bivalve_terms::{Pool, Sort, Term};

/// The command in SMT-LIB syntax, without a line feed; empty for a definition of a sort and
/// for what was not read.
pub fn command(pool: &Pool, command: &Command) -> String {
    let print = |term: Term| super::term(pool, term);
    let plain = |name: &str| format!("({name})");
    match command {
        Command::SetLogic(logic) => format!("(set-logic {})", symbol(logic)),
        Command::SetOption { keyword, value } => format!("(set-option {keyword}{})", attribute(value)),
        Command::SetInfo { keyword, value } => format!("(set-info {keyword}{})", attribute(value)),
        Command::DeclareSort { name, arity } => format!("(declare-sort {} {arity})", symbol(name)),
        Command::DeclareDataTypes { text } => text.clone(),
        Command::DefineSort { .. } | Command::PassedOver(_) => String::new(),
        Command::DeclareConst { symbol } | Command::DeclareFun { symbol } => declaration(pool, *symbol),
        Command::DefineFun { name, params, result, body } => {
            let naming = Naming::of_parameters(pool, params, *body);
            let param =
                |&param: &Term| format!("({} {})", naming.symbol(pool, param), sort(pool, pool.sort(param)));
            let params: Vec<String> = params.iter().map(param).collect();
            let body = Printer::new(pool, &naming, BitVecFormat::default()).term(*body);
            format!("(define-fun {} ({}) {} {body})", symbol(name), params.join(" "), sort(pool, *result))
        }
        Command::DefineConst { name, body } => {
            format!("(define-const {} {} {})", symbol(name), sort(pool, pool.sort(*body)), print(*body))
        }
        Command::Assert { term, named, groups } => assertion(pool, *term, named, groups),
        Command::CheckSat => plain("check-sat"),
        Command::CheckSatAssuming(terms) => format!("(check-sat-assuming ({}))", list(pool, terms)),
        Command::GetValue(terms) => format!("(get-value ({}))", list(pool, terms)),
        Command::GetConsequences { assumptions, variables } => {
            format!("(get-consequences ({}) ({}))", list(pool, assumptions), list(pool, variables))
        }
        Command::Optimise { term, maximise, is_signed, id } => {
            let name = if *maximise { "maximize" } else { "minimize" };
            let signed = if *is_signed { " :signed" } else { "" };
            format!("({name} {}{signed}{})", print(term.1), named(id))
        }
        Command::AssertSoft { term, weight, id } => {
            format!("(assert-soft {} :weight {weight}{})", print(term.1), named(id))
        }
        Command::GetObjectives => plain("get-objectives"),
        Command::GetInterpolants(asked) => interpolants(pool, asked),
        Command::GetAllModels { terms, limit, cubes } => {
            let limit = limit.map_or(String::new(), |limit| format!(" :limit {limit}"));
            let cubes = if *cubes { " :cubes true" } else { "" };
            format!("(get-all-models ({}){limit}{cubes})", list(pool, terms))
        }
        Command::CountModels(terms) => format!("(count-models ({}))", list(pool, terms)),
        Command::GetModel => plain("get-model"),
        Command::GetAssertions => plain("get-assertions"),
        Command::GetAssignment => plain("get-assignment"),
        Command::GetProof => plain("get-proof"),
        Command::GetUnsatCore => plain("get-unsat-core"),
        Command::GetUnsatAssumptions => plain("get-unsat-assumptions"),
        Command::GetInfo(keyword) => format!("(get-info {keyword})"),
        Command::GetOption(keyword) => format!("(get-option {keyword})"),
        Command::Echo(text) => format!("(echo {})", string(text)),
        Command::Push(levels) => format!("(push {levels})"),
        Command::Pop(levels) => format!("(pop {levels})"),
        Command::Reset => plain("reset"),
        Command::ResetAssertions => plain("reset-assertions"),
        Command::Exit => plain("exit"),
        Command::Unsupported { name } => plain(name),
    }
}

fn sort(pool: &Pool, sort: Sort) -> String {
    super::sort(pool.sorts(), sort)
}

fn declaration(pool: &Pool, symbol_term: Term) -> String {
    let name = symbol(pool.name(symbol_term).expect("a declared term is a symbol"));
    let whole = pool.sort(symbol_term);
    let (params, result) = pool.sorts().function_parts(whole).unwrap_or((&[], whole));
    let mut text = format!("(declare-fun {name} (");
    for (i, &param) in params.iter().enumerate() {
        text.push_str(if i > 0 { " " } else { "" });
        write_sort(&mut text, pool.sorts(), &Naming::default(), param);
    }
    format!("{text}) {})", sort(pool, result))
}

fn assertion(pool: &Pool, term: Term, named: &[(String, Term)], groups: &[String]) -> String {
    let naming = Naming::default();
    let mut printer = Printer::new(pool, &naming, BitVecFormat::default());
    let mut text = String::new();
    for (name, inner) in named.iter().filter(|(_, inner)| *inner != term) {
        text.push_str(&format!("(define-fun {} () {} ", symbol(name), sort(pool, pool.sort(*inner))));
        printer.write_mention(&mut text, *inner);
        text.push_str(")\n");
        printer.define(*inner, symbol(name).into_owned());
    }
    text.push_str("(assert ");
    let labels = named.iter().filter(|(_, t)| *t == term).map(|(name, _)| (":named", name));
    let groups = groups.iter().map(|group| (":interpolation-group", group));
    let attributes: Vec<(&str, &String)> = labels.chain(groups).collect();
    text.push_str(&"(! ".repeat(attributes.len()));
    printer.write(&mut text, term);
    for (keyword, name) in attributes {
        text.push_str(&format!(" {keyword} {})", symbol(name)));
    }
    text.push(')');
    text
}

/// Names of assertions and groups are printed as they were sent.
fn interpolants(pool: &Pool, asked: &Interpolants) -> String {
    let names = |set: &Vec<(String, Term)>| {
        let mut names: Vec<&String> = set.iter().map(|(name, _)| name).collect();
        // The members of a group have its name.
        names.dedup();
        names.into_iter().map(|name| symbol(name)).collect::<Vec<_>>().join(" ")
    };
    match asked {
        Interpolants::Goal { name, goal } => {
            format!("(get-interpolant {} {})", symbol(name), super::term(pool, *goal))
        }
        Interpolants::Between(set) => format!("(get-interpolant ({}))", names(set)),
        Interpolants::Along(sets) => {
            let sets: Vec<String> = sets.iter().map(|set| format!("({})", names(set))).collect();
            format!("(get-interpolants {})", sets.join(" "))
        }
        Interpolants::Tree { sets, starts } => {
            // A subtree ends with its root, the last one of those that begin where it does.
            let mut roots = vec![0; sets.len()];
            starts.iter().enumerate().for_each(|(node, &start)| roots[start] = node);
            let mut text = "(get-interpolants".to_owned();
            for (node, (set, &start)) in sets.iter().zip(starts).enumerate() {
                text.push_str(if start == node && node > 0 { " (" } else { " " });
                let names = names(set);
                match set.iter().all(|(name, _)| *name == set[0].0) {
                    true => text.push_str(&names),
                    false => text.push_str(&format!("(and {names})")),
                }
                if start > 0 && roots[start] == node {
                    text.push(')');
                }
            }
            text + ")"
        }
    }
}

/// The attribute that gives an objective its name.
fn named(id: &Option<String>) -> String {
    id.as_ref().map_or(String::new(), |id| format!(" :id {}", symbol(id)))
}

fn list(pool: &Pool, terms: &[(String, Term)]) -> String {
    let terms: Vec<String> = terms.iter().map(|&(_, term)| super::term(pool, term)).collect();
    terms.join(" ")
}

fn attribute(value: &Option<AttributeValue>) -> String {
    match value {
        None => String::new(),
        Some(AttributeValue::String(text)) => format!(" {}", string(text)),
        Some(AttributeValue::Symbol(name)) => format!(" {}", symbol(name)),
        Some(
            AttributeValue::Numeral(text)
            | AttributeValue::Decimal(text)
            | AttributeValue::BitVec(text)
            | AttributeValue::List(text),
        ) => format!(" {text}"),
    }
}
