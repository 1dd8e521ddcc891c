//! The printer of BTOR2.
//!
//! Inputs come first, then the states in their order, each with its initial value, then everything else;
//! names are kept. Reading the text gives the same system, term by term, if the system was read from BTOR2.

use crate::lines::emit::{Dialect, Emitter, Inexpressible, symbol};
use bivalve_systems::{Property, System};
use bivalve_terms::{Op, Pool, Term, cone};

/// The system as a BTOR2 text.
///
/// ```
/// use bivalve_formats::btor2;
/// use bivalve_terms::Pool;
///
/// let text = "1 sort bitvec 8\n2 state 1 count\n3 one 1\n4 add 1 2 3\n5 next 1 2 4\n";
/// let mut pool = Pool::new();
/// let system = btor2::read(&mut pool, text.as_bytes(), "counter.btor2", Default::default())?;
/// assert_eq!(btor2::print(&pool, &system)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When a term has no words in BTOR2: functions, declared sorts, nested arrays, and constant arrays that are
/// no initial values.
pub fn print(pool: &Pool, system: &System) -> Result<String, Inexpressible> {
    let mut out = Emitter::new(pool, Dialect::Btor2);
    for named in &system.named {
        if let Some(name) = &named.name {
            out.name(named.term, name);
        }
    }
    for input in &system.inputs {
        leaf(&mut out, "input", input.term, input.name.as_deref())?;
    }
    for state in &system.states {
        let init = state.init.map(|init| uniform(pool, init).unwrap_or(init));
        if let Some(init) = init {
            out.write(&cone(pool, &[init]))?;
            // The value of a state comes before the state, constants too.
            out.number(init);
        }
        let number = leaf(&mut out, "state", state.term, state.name.as_deref())?;
        if let Some(init) = init {
            let shape = out.shape(pool.sort(state.term))?;
            let (sort, init) = (out.sort(shape), out.number(init));
            out.line(format_args!("init {sort} {number} {init}"));
        }
    }
    out.write(&cone(pool, &system.roots()))?;
    for state in &system.states {
        let Some(next) = state.next else { continue };
        let shape = out.shape(pool.sort(state.term))?;
        let (sort, number, next) = (out.sort(shape), out.number(state.term), out.number(next));
        out.line(format_args!("next {sort} {number} {next}"));
    }
    let lists: [(&str, &[Property]); 3] =
        [("constraint", &system.constraints), ("bad", &system.bads), ("fair", &system.fairs)];
    for (word, list) in lists {
        for property in list {
            let number = out.number(property.term);
            let name = suffix(property.name.as_deref());
            out.line(format_args!("{word} {number}{name}"));
        }
    }
    for justice in &system.justices {
        let numbers: Vec<String> = justice.terms.iter().map(|&term| out.number(term).to_string()).collect();
        let name = suffix(justice.name.as_deref());
        out.line(format_args!("justice {} {}{name}", numbers.len(), numbers.join(" ")));
    }
    for output in &system.outputs {
        let number = out.number(output.term);
        let name = suffix(output.name.as_deref());
        out.line(format_args!("output {number}{name}"));
    }
    Ok(out.finish())
}

/// The element of a constant array whose element is a constant.
fn uniform(pool: &Pool, term: Term) -> Option<Term> {
    (pool.op(term) == Op::ConstArray).then(|| pool.args(term)[0]).filter(|&element| pool.is_const(element))
}

fn leaf(out: &mut Emitter<'_>, word: &str, term: Term, name: Option<&str>) -> Result<u64, Inexpressible> {
    let shape = out.shape(out.pool.sort(term))?;
    let (sort, name) = (out.sort(shape), suffix(name));
    let number = out.line(format_args!("{word} {sort}{name}"));
    out.set(term, number);
    Ok(number)
}

/// A name as it stands behind a line.
fn suffix(name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!(" {}", symbol(name)))
}
