//! The rule table, compiled.
//!
//! Elimination rows come first, because the patterns of all others are normalised by them. Cost: the whole table compiles
//! in about a millisecond; a [`crate::Rewriter`] does it once.

use crate::index::{HeadIndex, Variant};
use crate::normal::Eliminations;
use crate::row::Row;
use crate::rule::Rule;
use crate::statement::statements;
use bivalve_terms::Op;
use std::fmt::Write;

/// All rules, by head operator.
pub struct RuleTable {
    rules: Vec<Rule>,
    /// By operator number.
    heads: Vec<HeadIndex>,
}

impl RuleTable {
    /// The rules of this crate.
    pub fn new() -> RuleTable {
        let rows: Vec<Row> = crate::rules::rows().collect();
        RuleTable::compile(&rows).expect("the rows of this crate are well-formed, a test compiles them")
    }

    /// The rules whose names are kept, and all definitions: to find out what a rule is good for, or which one is to
    /// blame.
    pub fn only(keep: impl Fn(&str) -> bool) -> RuleTable {
        let rows: Vec<Row> = crate::rules::rows().filter(|row| row.definition || keep(row.name)).collect();
        RuleTable::compile(&rows).expect("rows do not depend on other rows than definitions")
    }

    /// Compiles rows, definitions before the rows that use what they define.
    pub(crate) fn compile(rows: &[Row]) -> Result<RuleTable, String> {
        let mut eliminations = Eliminations::default();
        let mut rules = vec![];
        let mut heads: Vec<Vec<Variant>> = Op::all().map(|_| vec![]).collect();
        for row in rows {
            for statement in statements(row)? {
                if row.definition {
                    eliminations.insert(&statement)?;
                }
                let (rule, variants) = Rule::compile(row, statement, &eliminations)?;
                let (number, bits_only) = (rules.len() as u32, rule.asks_for_bits());
                let head = &mut heads[rule.head() as usize];
                head.extend(variants.into_iter().map(|args| Variant {
                    rule: number,
                    args,
                    list: row.list,
                    bits_only,
                }));
                rules.push(rule);
            }
        }
        Ok(RuleTable { rules, heads: heads.into_iter().map(HeadIndex::new).collect() })
    }

    /// The rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// How many patterns the rules have, all orders of commutative arguments counted.
    pub fn variants(&self) -> usize {
        self.heads.iter().map(HeadIndex::len).sum()
    }

    #[inline]
    pub(crate) fn head(&self, op: Op) -> &HeadIndex {
        &self.heads[op as usize]
    }

    /// The table in Markdown, for the manual.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("| rule | term | becomes | if |\n|---|---|---|---|\n");
        for rule in &self.rules {
            let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
            let (left, right, condition) = (code(&rule.left()), code(&rule.right()), code(&rule.condition()));
            writeln!(text, "| {} | {left} | {right} | {condition} |", rule.name())
                .expect("writing to a string does not fail");
        }
        text
    }
}

impl Default for RuleTable {
    fn default() -> RuleTable {
        RuleTable::new()
    }
}
