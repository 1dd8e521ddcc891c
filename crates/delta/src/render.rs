//! A script as text: short, complete, and the same for the same script.
//!
//! Symbols and sorts get the shortest names (or keep their own, see [`Style`]), constants the shortest
//! notation, and only what is used is declared. A node that is used several times is bound to a name where
//! that saves bytes, by `let` if one formula uses it, by `define-fun` if several do; where it does not, it is
//! written out again. The decision is made from parents to children, on estimates of lengths: a node that is
//! mentioned `n` times and is `l` bytes long is bound if `(n - 1) l` exceeds the cost of a binding. Nothing
//! is ever written out whose copies would be longer than a binding, so the text stays linear in the DAG.
//!
//! Nothing depends on the order in which terms were built: the order of bindings is that of a walk from the
//! roots.
//!
//! After `reset` (and `reset-assertions`, unless declarations are global) declarations are gone, so a script
//! is printed *epoch* by epoch, each with declarations of its own.

use crate::script::{Script, Step};
use bivalve_formats::smtlib::BitVecFormat;
use bivalve_formats::smtlib::print::{Naming, Printer, free_sorts, write_sort};
use bivalve_terms::{Op, Pool, Term, TermSet, cone};
use rustc_hash::FxHashMap;

/// The names of symbols in the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// The shortest names.
    Short,
    /// Their own names, and `declare-fun` throughout, as old solvers have it.
    Faithful,
}

/// A binding by `let` costs this much beside the two names: `(let ((_0 t)) u)`.
const LET: u64 = 6;

/// A definition costs this much beside the two names and the sort: `(define-fun _0 () S t)` and the end of
/// the line.
const DEFINE: u64 = 20;

/// The length of a made-up name.
const NAME: u64 = 2;

/// The text of a script, one command a line.
pub(crate) fn render(pool: &Pool, script: &Script, style: Style) -> String {
    let all = cone(pool, &script.roots());
    let naming = match style {
        Style::Short => Naming::short(pool, &all),
        Style::Faithful => Naming::unique(pool, &all),
    };
    let mut text = String::new();
    let mut global = false;
    let mut epoch: Vec<&Step> = vec![];
    for step in &script.steps {
        global |= matches!(step, Step::Setting(text) if text == "(set-option :global-declarations true)");
        epoch.push(step);
        let ends = match step {
            Step::Reset => {
                global = false;
                true
            }
            Step::ResetAssertions => !global,
            _ => false,
        };
        if ends {
            write_epoch(&mut text, pool, &naming, &epoch, style);
            epoch.clear();
        }
    }
    write_epoch(&mut text, pool, &naming, &epoch, style);
    text
}

/// Steps between which declarations persist.
fn write_epoch(out: &mut String, pool: &Pool, naming: &Naming, steps: &[&Step], style: Style) {
    let first = steps.iter().position(|step| !matches!(step, Step::Setting(_))).unwrap_or(steps.len());
    for step in &steps[..first] {
        if let Step::Setting(text) = step {
            out.push_str(text);
            out.push('\n');
        }
    }
    let roots: Vec<Term> = steps.iter().flat_map(|step| step.terms()).copied().collect();
    let terms = cone(pool, &roots);
    declare(out, pool, naming, &terms, style);
    let sharing = Sharing::of(pool, &roots, &terms);
    let mut printer = Printer::new(pool, naming, BitVecFormat::Shortest);
    printer.bind(sharing.lets);
    for (number, &term) in sharing.definitions.iter().enumerate() {
        let name = format!("{}d{number}", naming.prefix().unwrap_or("_"));
        out.push_str(&format!("(define-fun {name} () "));
        write_sort(out, pool.sorts(), naming, pool.sort(term));
        out.push(' ');
        printer.write(out, term);
        out.push_str(")\n");
        printer.define(term, name);
    }
    for step in &steps[first..] {
        write_step(out, &printer, step);
        out.push('\n');
    }
}

fn declare(out: &mut String, pool: &Pool, naming: &Naming, terms: &[Term], style: Style) {
    for sort in free_sorts(pool, terms) {
        out.push_str("(declare-sort ");
        write_sort(out, pool.sorts(), naming, sort);
        out.push_str(" 0)\n");
    }
    let is_declared = |&&term: &&Term| pool.op(term) == Op::Symbol && !pool.is_open_symbol(term);
    for &term in terms.iter().filter(is_declared) {
        let sort = pool.sort(term);
        let name = naming.symbol(pool, term);
        let result = match pool.sorts().function_parts(sort) {
            None if style == Style::Short => {
                out.push_str(&format!("(declare-const {name} "));
                sort
            }
            None => {
                out.push_str(&format!("(declare-fun {name} () "));
                sort
            }
            Some((params, result)) => {
                out.push_str(&format!("(declare-fun {name} ("));
                for (i, &param) in params.iter().enumerate() {
                    out.push_str(if i > 0 { " " } else { "" });
                    write_sort(out, pool.sorts(), naming, param);
                }
                out.push_str(") ");
                result
            }
        };
        write_sort(out, pool.sorts(), naming, result);
        out.push_str(")\n");
    }
}

fn write_step(out: &mut String, printer: &Printer<'_>, step: &Step) {
    let list = |out: &mut String, head: &str, terms: &[Term]| {
        out.push_str(head);
        for (i, &term) in terms.iter().enumerate() {
            out.push_str(if i > 0 { " " } else { "" });
            printer.write_mention(out, term);
        }
        out.push_str("))");
    };
    match step {
        Step::Assert { term, labels } => {
            out.push_str("(assert ");
            out.push_str(&"(! ".repeat(labels.len()));
            printer.write_mention(out, *term);
            for label in labels {
                out.push_str(&format!(" {label})"));
            }
            out.push(')');
        }
        Step::Check { assumptions } if assumptions.is_empty() => out.push_str("(check-sat)"),
        Step::Check { assumptions } => list(out, "(check-sat-assuming (", assumptions),
        Step::Values { terms } => list(out, "(get-value (", terms),
        Step::Push(levels) => out.push_str(&format!("(push {levels})")),
        Step::Pop(levels) => out.push_str(&format!("(pop {levels})")),
        Step::Reset => out.push_str("(reset)"),
        Step::ResetAssertions => out.push_str("(reset-assertions)"),
        Step::Setting(text) | Step::Other(text) => out.push_str(text),
    }
}

/// Which nodes get a name.
struct Sharing {
    /// Bound within a formula.
    lets: TermSet,
    /// Defined before all formulas, children first.
    definitions: Vec<Term>,
}

/// Where a node is mentioned.
#[derive(Clone, Copy)]
struct Mentions {
    /// How often it is written, given what is decided of its parents.
    count: u64,
    /// The root below which all mentions lie, by its position; `None` if there are several.
    root: Option<u32>,
}

impl Sharing {
    /// `terms` is the cone of `roots`.
    fn of(pool: &Pool, roots: &[Term], terms: &[Term]) -> Sharing {
        let lengths = lengths(pool, terms);
        let mut mentions: FxHashMap<Term, Mentions> = FxHashMap::default();
        let mention =
            |mentions: &mut FxHashMap<Term, Mentions>, term: Term, count: u64, root: Option<u32>| {
                let before = mentions.get(&term).copied().unwrap_or(Mentions { count: 0, root });
                let root = before.root.filter(|_| before.root == root);
                mentions.insert(term, Mentions { count: before.count.saturating_add(count), root });
            };
        for (position, &root) in roots.iter().enumerate() {
            mention(&mut mentions, root, 1, Some(position as u32));
        }
        let mut sharing = Sharing { lets: TermSet::new(), definitions: vec![] };
        for &term in terms.iter().rev() {
            let Some(&Mentions { count, root }) = mentions.get(&term) else { continue };
            if pool.written_args(term).is_empty() {
                continue;
            }
            let length = *lengths.get(&term).expect("every term of the cone has a length");
            let cost = match root {
                Some(_) => LET + NAME,
                None => DEFINE + NAME + sort_length(pool, term),
            };
            let written_out = count.saturating_mul(length);
            let binds = count > 1 && written_out > length.saturating_add(cost).saturating_add(count * NAME);
            if binds && root.is_some() {
                sharing.lets.insert(term);
            } else if binds {
                sharing.definitions.push(term);
            }
            let (below, root) = if binds { (1, root) } else { (count, root) };
            for &arg in pool.written_args(term) {
                // A definition mentions its terms once, for all its uses: it is a root of its own.
                let root = if binds && root.is_none() {
                    Some(roots.len() as u32 + term.index() as u32)
                } else {
                    root
                };
                mention(&mut mentions, arg, below, root);
            }
        }
        if sharing.definitions.len() > 1 {
            let positions = postorder(pool, roots);
            sharing.definitions.sort_unstable_by_key(|term| positions.get(term).copied());
        }
        sharing
    }
}

/// The position of each node when children are written before their parents, from the first root to the
/// last. Ids would do for that, too, but they depend on the order in which candidates were built, and the
/// text must not.
fn postorder(pool: &Pool, roots: &[Term]) -> FxHashMap<Term, usize> {
    let mut positions: FxHashMap<Term, usize> = FxHashMap::default();
    let mut seen = TermSet::new();
    // A node is closed when what is below it has a position.
    let mut todo: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, closed)) = todo.pop() {
        if closed {
            positions.insert(term, positions.len());
        } else if seen.insert(term) {
            todo.push((term, true));
            todo.extend(pool.written_args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    positions
}

/// The length of the text of each term if nothing below it were bound but what is long and shared.
fn lengths(pool: &Pool, terms: &[Term]) -> FxHashMap<Term, u64> {
    /// A shared term longer than this is counted as a name.
    const LONG: u64 = 16;
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for &term in terms {
        for &arg in pool.written_args(term) {
            let count = uses.get(&arg).copied().unwrap_or(0);
            uses.insert(arg, count.saturating_add(1));
        }
    }
    let mut lengths: FxHashMap<Term, u64> = FxHashMap::default();
    for &term in terms {
        let own = match pool.op(term) {
            Op::Const => pool.width(term).map_or(4, |width| {
                let digits = if width % 4 == 0 { width / 4 } else { width };
                2 + u64::from(digits).min(9)
            }),
            Op::Symbol => 1,
            Op::Apply => 2,
            op => op.name().len() as u64 + 2 + 6 * u64::from(op.info().indices),
        };
        let below = pool.written_args(term).iter().map(|&arg| {
            let length = *lengths.get(&arg).expect("children come first");
            let shared = uses.get(&arg).is_some_and(|&count| count > 1);
            1 + if shared && length > LONG { NAME } else { length }
        });
        let whole = below.fold(own, u64::saturating_add);
        lengths.insert(term, whole);
    }
    lengths
}

fn sort_length(pool: &Pool, term: Term) -> u64 {
    match pool.width(term) {
        Some(_) => 12,
        None if pool.sort(term).is_bool() => 4,
        None => 30,
    }
}
