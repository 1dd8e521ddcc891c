//! The rule table, compiled as far as it is used.
//!
//! A small formula has a handful of operators, and a solver is often started for one small formula. So the
//! rows of a head operator are compiled when a term with that operator is first met; until then a row is
//! text. Two things are done for all rows beforehand, because they are cheap and needed: the eliminations, by
//! which patterns are normalised, and the head operator of every row. The head is read off the first word of
//! the row; only where a negation stands on top does it take the normal form to see it. A test compiles all
//! rows and holds them against that.
//!
//! Cost: some twenty microseconds for each row that is compiled, less than one for each that is not.

use crate::index::{HeadIndex, Variant};
use crate::normal::Eliminations;
use crate::row::Row;
use crate::rule::{Rule, normal_left};
use crate::statement::{Statement, outer_operator, statement};
use bivalve_statements::Tree;
use bivalve_terms::Op;
use std::borrow::Cow;
use std::sync::OnceLock;

/// All rules, by head operator.
pub struct RuleTable {
    sources: Vec<Source>,
    eliminations: Eliminations,
    /// The rules of each operator, by its number.
    by_head: Vec<Vec<u32>>,
    rules: Vec<OnceLock<Rule>>,
    heads: Vec<OnceLock<HeadIndex>>,
}

/// Where a rule comes from: a row, or the Boolean twin of one.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) row: Row,
    pub(crate) twin: bool,
}

impl RuleTable {
    /// The rules of this crate.
    pub fn new() -> RuleTable {
        RuleTable::lazy(crate::rules::rows())
            .expect("the rows of this crate are well-formed, a test compiles them")
    }

    /// No rules at all.
    pub(crate) fn empty() -> RuleTable {
        RuleTable::lazy(std::iter::empty()).expect("no row is ill-formed")
    }

    /// The rules whose names are kept, and all definitions: to find out what a rule is good for, or which one
    /// is to blame.
    pub fn only(keep: impl Fn(&str) -> bool) -> RuleTable {
        let rows = crate::rules::rows().filter(|row| row.definition || keep(row.name));
        RuleTable::lazy(rows).expect("rows do not depend on other rows than definitions")
    }

    /// Compiles all rows at once, definitions before the rows that use what they define.
    #[cfg(test)]
    pub(crate) fn compile(rows: &[Row]) -> Result<RuleTable, String> {
        let table = RuleTable::lazy(rows.iter().copied())?;
        for (op, numbers) in Op::all().zip(&table.by_head) {
            for &number in numbers {
                let (rule, _) = table.compile_rule(number)?;
                if rule.head() != op {
                    return Err(format!(
                        "row '{}' was filed under '{op:?}', not '{:?}'",
                        rule.name(),
                        rule.head()
                    ));
                }
            }
        }
        Ok(table)
    }

    /// Files the rows by their heads.
    fn lazy(rows: impl Iterator<Item = Row>) -> Result<RuleTable, String> {
        let mut sources = vec![];
        let mut eliminations = Eliminations::default();
        let mut by_head: Vec<Vec<u32>> = Op::all().map(|_| vec![]).collect();
        for row in rows {
            for source in Source::of(row) {
                if row.definition {
                    eliminations.insert(&source.statement()?)?;
                }
                by_head[source.head(&eliminations)? as usize].push(sources.len() as u32);
                sources.push(source);
            }
        }
        let rules = sources.iter().map(|_| OnceLock::new()).collect();
        let heads = Op::all().map(|_| OnceLock::new()).collect();
        Ok(RuleTable { sources, eliminations, by_head, rules, heads })
    }

    /// The rules, in the order in which they are tried; compiles all of them.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        for op in Op::all() {
            self.head(op);
        }
        (0..self.rules.len()).map(|number| self.rule(number as u32))
    }

    /// The names of the rules, in the same order; compiles none.
    pub fn names(&self) -> impl ExactSizeIterator<Item = Cow<'static, str>> {
        self.sources.iter().map(Source::name)
    }

    /// How many patterns the rules have, all orders of commutative arguments counted.
    pub fn variants(&self) -> usize {
        Op::all().map(|op| self.head(op).len()).sum()
    }

    /// The rules that rewrite terms with this operator.
    #[inline]
    pub(crate) fn head(&self, op: Op) -> &HeadIndex {
        self.heads[op as usize].get_or_init(|| self.compile_head(op))
    }

    /// A rule whose head is compiled.
    #[inline]
    pub(crate) fn rule(&self, number: u32) -> &Rule {
        self.rules[number as usize].get().expect("a candidate comes from a compiled head")
    }

    fn compile_head(&self, op: Op) -> HeadIndex {
        let mut all = vec![];
        for &number in &self.by_head[op as usize] {
            let compiled = self.compile_rule(number);
            let (rule, variants) =
                compiled.expect("the rows of this crate are well-formed, a test compiles them");
            let (list, bits_only) = (self.sources[number as usize].row.list, rule.asks_for_bits());
            all.extend(variants.into_iter().map(|args| Variant { rule: number, args, list, bits_only }));
            // Another thread may have been here first, with the same rule.
            let _ = self.rules[number as usize].set(rule);
        }
        HeadIndex::new(all)
    }

    fn compile_rule(&self, number: u32) -> Result<(Rule, Vec<Vec<crate::matcher::Pattern>>), String> {
        let source = &self.sources[number as usize];
        Rule::compile(&source.row, source.statement()?, &self.eliminations)
    }
}

impl Source {
    /// The sources that a row is: itself, and perhaps its Boolean twin.
    pub(crate) fn of(row: Row) -> impl Iterator<Item = Source> {
        [false, true].into_iter().take(1 + usize::from(row.twin)).map(move |twin| Source { row, twin })
    }

    fn name(&self) -> Cow<'static, str> {
        if self.twin { format!("bool_{}", self.row.name).into() } else { self.row.name.into() }
    }

    pub(crate) fn statement(&self) -> Result<Statement, String> {
        statement(&self.row, self.twin, self.name())
    }

    /// The operator of the terms that the rule will rewrite.
    fn head(&self, eliminations: &Eliminations) -> Result<Op, String> {
        let outer = outer_operator(self.row.left, self.twin)
            .map_err(|why| format!("row '{}': {why}", self.row.name))?;
        if self.row.definition {
            return Ok(outer);
        }
        if !matches!(outer, Op::Not | Op::BvNot) {
            return Ok(eliminations.head(outer));
        }
        match normal_left(self.statement()?.left, eliminations).0 {
            Tree::App(node) => Ok(node.op),
            _ => Err(format!("row '{}': the left side is not an application", self.row.name)),
        }
    }
}

impl Default for RuleTable {
    fn default() -> RuleTable {
        RuleTable::new()
    }
}
