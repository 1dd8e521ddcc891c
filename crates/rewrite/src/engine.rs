//! The engine: bottom-up rewriting to a fixpoint.
//!
//! A term is rewritten after its children. Over their results the operator is first folded, if all are
//! constants; then the rules of its head are tried in the order of the table. When one fires, its right side
//! is rewritten in turn and the term takes over whatever becomes of it; when none does, the term is in normal
//! form. Results are remembered for every term on the way, for as long as the rewriter lives, so a DAG costs
//! each node once, and asking for a second assertion costs what is new in it.
//!
//! Why it is right: each rule is an equation (tests judge every row against the reference semantics), and
//! equals are replaced by equals. Why it ends: rows shrink or order terms by design, but no proof of that is
//! asked of a row; instead each application takes a step from a budget that grows with each given term that
//! is finished. When it is spent, only eliminations and folding go on, which end by themselves, and the
//! statistics say so. A test shows that random terms do not spend it.
//!
//! Lists of more than two arguments become chains ([`bivalve_statements::make::chain`]); `distinct` over many
//! terms and function applications alone keep lists.
//!
//! A term that is visited is a step of the deadline of the call; when it is over, the given term is returned
//! as it is ([`Rewriter::rewrite_within`]).
//!
//! The walk keeps its own stack: depth is memory, never recursion. Cost: for a term that matches nothing a
//! few loads per child, a hash-consing look-up if a child changed, no allocation; four bytes of memory per
//! term that was visited.

use crate::rules::is_eliminated;
use crate::table::RuleTable;
use bivalve_limits::{Deadline, Stop};
use bivalve_statements::{Head, make};
use bivalve_terms::{Op, Pool, Term, TermMap};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

/// How much rewriting is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Level {
    /// Level 0: terms stay as they are.
    Off,
    /// Level 1: the local rules of the table; where assertions are simplified together, the passes too.
    #[default]
    Local,
}

/// Steps that each given term adds to the budget when it is finished.
const STEPS_PER_TERM: u64 = 32;

/// Steps that a call has at least.
const STEPS_PER_CALL: u64 = 10_000;

/// Rewrites terms of one pool and remembers the results.
pub struct Rewriter {
    level: Level,
    table: Arc<RuleTable>,
    /// By term: the result's index plus one.
    memo: TermMap<NonZeroU32>,
    /// Applications, by rule.
    applications: Vec<u64>,
    /// Steps left to this call.
    budget: u64,
    /// Terms of lower index were there when the call began.
    given: usize,
    refusals: u64,
    stack: Vec<Frame>,
    args: Vec<Term>,
    /// For calls without a deadline.
    never: Stop,
    /// By term: what a rule was applied to, and what it made of that; if it is kept.
    journal: Option<FxHashMap<Term, Application>>,
}

/// One application of a rule, or of what else is done at the head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Application {
    /// The term with arguments in normal form.
    pub head: Term,
    /// The equal term that was put in its place; it is rewritten in turn.
    pub next: Term,
}

/// A term that waits for its children, or for the result of the term that a rule put in its place.
#[derive(Clone, Copy)]
struct Frame {
    term: Term,
    became: Option<Term>,
}

impl Rewriter {
    /// A rewriter that has seen no term. It serves one pool: results are remembered by term.
    pub fn new(level: Level) -> Rewriter {
        static RULES: LazyLock<Arc<RuleTable>> = LazyLock::new(|| Arc::new(RuleTable::new()));
        static NONE: LazyLock<Arc<RuleTable>> = LazyLock::new(|| Arc::new(RuleTable::empty()));
        let table = match level {
            Level::Off => Arc::clone(&NONE),
            // Faults are planted and taken back while the process runs; the table that is shared has none.
            #[cfg(feature = "faults")]
            Level::Local if crate::planted::rows().next().is_some() => Arc::new(RuleTable::new()),
            Level::Local => Arc::clone(&RULES),
        };
        Rewriter::with_table(level, table)
    }

    /// The same with another table; [`Rewriter::new`] takes one that all rewriters of a process share.
    pub fn with_table(level: Level, table: Arc<RuleTable>) -> Rewriter {
        let applications = vec![0; table.names().len()];
        let (memo, stack, args) = (TermMap::new(), vec![], vec![]);
        Rewriter {
            level,
            table,
            memo,
            applications,
            budget: 0,
            given: 0,
            refusals: 0,
            stack,
            args,
            never: Stop::new(),
            journal: None,
        }
    }

    /// Takes down each application from now on. For a rewriter that has seen no term.
    pub fn keep_journal(&mut self) {
        self.journal = Some(FxHashMap::default());
    }

    /// What was done at the head of a term; nothing if its normal form is the operator on the normal forms of
    /// its arguments, or if no journal is kept.
    pub fn application(&self, term: Term) -> Option<Application> {
        self.journal.as_ref()?.get(&term).copied()
    }

    /// How much is rewritten.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The rules.
    pub fn table(&self) -> &RuleTable {
        &self.table
    }

    /// Forgets all results, because the terms are called otherwise now.
    pub fn forget(&mut self) {
        self.memo.clear();
    }

    /// How often each rule was applied, in the order of the table.
    pub fn applications(&self) -> impl Iterator<Item = (Cow<'static, str>, u64)> {
        self.table.names().zip(self.applications.iter().copied())
    }

    /// How often a rule was not applied because the budget was spent.
    pub fn refusals(&self) -> u64 {
        self.refusals
    }

    /// A term of the same sort and value under every assignment, in normal form; the term itself at level 0.
    pub fn rewrite(&mut self, pool: &mut Pool, term: Term) -> Term {
        let deadline = Deadline::stopped_by(&self.never);
        self.rewrite_within(pool, term, &deadline)
    }

    /// The same, at the cost of a step for each term that is visited; the term itself when the deadline is
    /// over.
    pub fn rewrite_within(&mut self, pool: &mut Pool, term: Term, deadline: &Deadline) -> Term {
        if self.level == Level::Off {
            return term;
        }
        if let Some(known) = self.known(pool, term) {
            return known;
        }
        self.budget = STEPS_PER_CALL;
        self.given = pool.len();
        self.stack.push(Frame { term, became: None });
        let root = term;
        while let Some(&Frame { term, became }) = self.stack.last() {
            if !deadline.step(1) {
                self.stack.clear();
                return root;
            }
            if let Some(target) = became {
                match self.known(pool, target) {
                    Some(result) => {
                        self.remember(term, result);
                        self.stack.pop();
                    }
                    None => self.stack.push(Frame { term: target, became: None }),
                }
            } else if self.known(pool, term).is_some() {
                self.stack.pop();
            } else if self.children_known(pool, term) {
                self.visit(pool, term);
            }
        }
        self.known(pool, term).expect("the walk ends with the root")
    }

    #[inline]
    fn known(&self, pool: &Pool, term: Term) -> Option<Term> {
        self.memo.get(term).map(|&result| pool.nth(result.get() as usize - 1))
    }

    #[inline]
    fn remember(&mut self, term: Term, result: Term) {
        let place = u32::try_from(result.index() + 1).ok().and_then(NonZeroU32::new);
        let known = self.memo.insert(term, place.expect("fewer than 2^32 terms"));
        if known.is_none() && term.index() < self.given {
            self.budget += STEPS_PER_TERM;
        }
    }

    /// Are all children rewritten? Those that are not are put on the stack.
    #[inline]
    fn children_known(&mut self, pool: &Pool, term: Term) -> bool {
        let before = self.stack.len();
        for &arg in pool.args(term) {
            if !self.memo.contains(arg) {
                self.stack.push(Frame { term: arg, became: None });
            }
        }
        self.stack.len() == before
    }

    /// Rewrites the term on top of the stack, whose children are rewritten.
    fn visit(&mut self, pool: &mut Pool, term: Term) {
        let op = pool.op(term);
        if matches!(op, Op::Const | Op::Symbol) {
            self.remember(term, term);
            self.stack.pop();
            return;
        }
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        args.extend(pool.args(term).iter().map(|&arg| self.known(pool, arg).expect("arguments first")));
        if let [a, b] = args[..]
            && op.info().commutative
        {
            (args[0], args[1]) = make::ordered(pool, a, b);
        }
        let head = Head { op, index: pool.index(term), sort: pool.sort(term), args: &args };
        match self.step(pool, &head) {
            Some(next) => {
                debug_assert_eq!(pool.sort(next), pool.sort(term), "rules preserve sorts");
                if let Some(journal) = &mut self.journal {
                    journal.insert(term, Application { head: pool.rebuild(term, &args), next });
                }
                let top = self.stack.last_mut().expect("the visited term is on top");
                top.became = Some(next);
            }
            None => {
                let normal = if args == pool.args(term) { term } else { pool.rebuild(term, &args) };
                self.remember(normal, normal);
                self.remember(term, normal);
                self.stack.pop();
            }
        }
        self.args = args;
    }

    /// One step of rewriting, at the head; `None` in normal form.
    fn step(&mut self, pool: &mut Pool, head: &Head<'_>) -> Option<Term> {
        if head.args[..make::written(head)].iter().all(|&arg| pool.is_const(arg))
            && let Some(constant) = make::fold(pool, head)
        {
            return Some(constant);
        }
        if let Some(chain) = make::chain(pool, head.op, head.args) {
            return Some(chain);
        }
        if let Some(part) = make::of_new_record(pool, head) {
            return Some(part);
        }
        let eliminated = is_eliminated(head.op);
        for variant in self.table.head(head.op).candidates(pool, head.args) {
            let Some(bindings) = variant.matches(pool, head.args) else {
                continue;
            };
            if self.budget == 0 && !eliminated {
                self.refusals += 1;
                continue;
            }
            let number = variant.rule as usize;
            if let Some(result) = self.table.rule(variant.rule).apply(pool, head, &bindings) {
                self.budget = self.budget.saturating_sub(1);
                self.applications[number] += 1;
                return Some(result);
            }
        }
        None
    }
}
