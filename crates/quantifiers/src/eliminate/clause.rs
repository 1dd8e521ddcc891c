//! From a formula to clauses, and the order in which variables of a clause are eliminated.
//!
//! What gives a value, or takes a variable away, comes first; what splits a clause into cases comes last.
//! Cases are clauses of their own, without end but for the budget.

use super::{Clause, DEPTH, Task};
use bivalve_terms::{Op, Sort, Term};
use rustc_hash::FxHashSet;

/// What became of a clause.
pub(super) enum Next {
    /// No rule is of use.
    Same,
    /// An equivalent clause.
    Clause(Clause),
    /// The conjunction of these clauses.
    Cases(Vec<Clause>),
    /// A formula without variables, beside the literals that have none.
    Formula(Term),
}

impl Task<'_> {
    /// The formula for all values of the variables.
    pub(super) fn all(&mut self, variables: Vec<Term>, formula: Term, depth: u32) -> Option<Term> {
        let formula = self.simplified(formula)?;
        let clause = self.opened(variables, formula);
        self.clause(clause, depth)
    }

    /// The clause of a formula in normal form.
    pub(super) fn opened(&mut self, variables: Vec<Term>, formula: Term) -> Clause {
        let mut clause = Clause { variables, ..Clause::default() };
        clause.literals = self.disjuncts(&[formula], &mut clause.variables);
        clause
    }

    /// The literals of a disjunction, each once; a binder among them gives its variables away.
    pub(super) fn disjuncts(&mut self, formulas: &[Term], variables: &mut Vec<Term>) -> Vec<Term> {
        let mut todo: Vec<(Term, bool)> = formulas.iter().rev().map(|&formula| (formula, true)).collect();
        let (mut literals, mut seen) = (vec![], FxHashSet::default());
        while let Some((term, is_true)) = todo.pop() {
            let args = self.pool.args(term).to_vec();
            match (self.pool.op(term), is_true) {
                (Op::Not, _) => todo.push((args[0], !is_true)),
                (Op::And, false) | (Op::Or, true) => {
                    todo.extend(args.iter().rev().map(|&arg| (arg, is_true)))
                }
                (Op::Implies, true) => {
                    let (&last, first) = args.split_last().expect("an implication has arguments");
                    todo.push((last, true));
                    todo.extend(first.iter().rev().map(|&arg| (arg, false)));
                }
                (Op::Distinct, _) if args.len() == 2 => {
                    let equal = self.eq(args[0], args[1]);
                    todo.push((equal, !is_true));
                }
                (Op::Eq, false) if args.len() > 2 => {
                    for pair in args.windows(2).rev() {
                        let equal = self.eq(pair[0], pair[1]);
                        todo.push((equal, false));
                    }
                }
                (Op::Forall, true) => {
                    let (own, body) = self.renamed(term);
                    variables.extend(own);
                    todo.push((body, true));
                }
                _ => {
                    let literal = if is_true { term } else { self.not(term) };
                    if seen.insert(literal) {
                        literals.push(literal);
                    }
                }
            }
        }
        literals
    }

    /// The clause without variables, as far as that goes.
    pub(super) fn clause(&mut self, mut clause: Clause, depth: u32) -> Option<Term> {
        // Literals without variables.
        let mut ground: Vec<Term> = vec![];
        loop {
            if let Some(truth) = self.settle(&mut clause)? {
                return Some(truth);
            }
            ground.append(&mut clause.ground);
            if clause.literals.is_empty() {
                return Some(self.or(&ground));
            }
            let next = match self.parts(&clause)? {
                Some(parts) => {
                    for part in parts {
                        let formula = self.clause(part, depth)?;
                        ground.push(formula);
                    }
                    return Some(self.or(&ground));
                }
                None => self.next(&clause)?,
            };
            match next {
                Next::Clause(other) => clause = other,
                Next::Formula(formula) => {
                    ground.push(formula);
                    return Some(self.or(&ground));
                }
                Next::Cases(cases) if depth < DEPTH && self.splits as usize >= cases.len() => {
                    self.splits -= cases.len() as u32;
                    let mut formulas = vec![];
                    for case in cases {
                        formulas.push(self.clause(case, depth + 1)?);
                    }
                    let both = self.pool.and_all(&formulas);
                    ground.push(both);
                    return Some(self.or(&ground));
                }
                Next::Cases(_) | Next::Same => {
                    let body = self.or(&clause.literals);
                    let rest = self.pool.forall(&clause.variables, body).expect("variables are symbols");
                    ground.push(rest);
                    return Some(self.or(&ground));
                }
            }
        }
    }

    /// Brings a clause to normal form, and takes out literals without variables and variables that do not
    /// occur; the truth of the clause, if that is known.
    pub(super) fn settle(&mut self, clause: &mut Clause) -> Option<Option<Term>> {
        if let Some(truth) = self.tidy(clause)? {
            return Some(Some(truth));
        }
        let occurrences = self.occurrences(clause)?;
        let (ground, literals) = clause.literals.iter().partition(|&&it| occurrences.is_ground(it));
        clause.literals = literals;
        clause.ground.extend::<Vec<Term>>(ground);
        let used = clause.literals.iter().fold(0, |used, &literal| used | occurrences.mask(literal));
        for (place, variable) in std::mem::take(&mut clause.variables).into_iter().enumerate() {
            if used >> place & 1 == 1 {
                clause.variables.push(variable);
            } else if self.guides {
                let any = self.numbered(self.pool.sort(variable), 0)?;
                clause.values.push((variable, any));
            }
        }
        Some(None)
    }

    /// Brings literals to normal form; the truth of the clause, if that is known.
    fn tidy(&mut self, clause: &mut Clause) -> Option<Option<Term>> {
        let mut literals = vec![];
        for &literal in &clause.literals {
            literals.push(self.simplified(literal)?);
        }
        let mut literals = self.disjuncts(&literals, &mut clause.variables);
        let (yes, no) = (self.pool.bool(true), self.pool.bool(false));
        let has = |literals: &[Term], literal: Term| literals.contains(&literal);
        let no_no = self.pool.mk(Op::Not, &[no]);
        if has(&literals, yes) || has(&literals, no_no) {
            return Some(Some(yes));
        }
        let not_yes = self.pool.mk(Op::Not, &[yes]);
        literals.retain(|&literal| literal != no && literal != not_yes);
        let all: FxHashSet<Term> = literals.iter().copied().collect();
        for &literal in &literals {
            if self.pool.op(literal) == Op::Not && all.contains(&self.pool.args(literal)[0]) {
                return Some(Some(yes));
            }
        }
        clause.literals = literals;
        Some(None)
    }

    /// The parts of a clause that share no variable, if there are several.
    pub(super) fn parts(&mut self, clause: &Clause) -> Option<Option<Vec<Clause>>> {
        let occurrences = self.occurrences(clause)?;
        let mut groups: Vec<(u128, Vec<Term>)> = vec![];
        for &literal in &clause.literals {
            let (mut mask, mut group) = (occurrences.mask(literal), vec![]);
            let (joined, apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|&(other, _)| other & mask != 0);
            groups = apart;
            for (other, literals) in joined {
                mask |= other;
                group.extend(literals);
            }
            group.push(literal);
            groups.push((mask, group));
        }
        if groups.len() < 2 {
            return Some(None);
        }
        let part = |(mask, literals): (u128, Vec<Term>)| {
            let own = (0..clause.variables.len()).filter(|&place| mask >> place & 1 == 1);
            let variables = own.map(|place| clause.variables[place]).collect();
            Clause { variables, literals, ground: clause.ground.clone(), values: clause.values.clone() }
        };
        Some(Some(groups.into_iter().map(part).collect()))
    }

    /// One step.
    pub(super) fn next(&mut self, clause: &Clause) -> Option<Next> {
        let occurrences = self.occurrences(clause)?;
        let rules = [
            Task::force,
            Task::replace_base,
            Task::lift_variable,
            Task::project,
            Task::drop_exceptions,
            Task::recognise,
            Task::distribute,
            Task::split_read,
            Task::name_reads,
            Task::expand,
        ];
        for rule in rules {
            match rule(self, clause, &occurrences)? {
                Next::Same => {}
                next => return Some(next),
            }
        }
        Some(Next::Same)
    }

    /// A literal that is a conjunction: a clause for each part.
    fn distribute(&mut self, clause: &Clause, _: &super::Occurrences) -> Option<Next> {
        let mut best: Option<(usize, Vec<Term>)> = None;
        for (place, &literal) in clause.literals.iter().enumerate() {
            let Some(parts) = self.conjuncts(literal) else { continue };
            if best.as_ref().is_none_or(|(_, others)| parts.len() < others.len()) {
                best = Some((place, parts));
            }
        }
        let Some((place, parts)) = best else { return Some(Next::Same) };
        let case = |part| {
            let mut case = clause.clone();
            case.literals[place] = part;
            case
        };
        Some(Next::Cases(parts.into_iter().map(case).collect()))
    }

    /// The formulas whose conjunction a literal is.
    fn conjuncts(&mut self, literal: Term) -> Option<Vec<Term>> {
        let (atom, is_true) = match self.pool.op(literal) {
            Op::Not => (self.pool.args(literal)[0], false),
            _ => (literal, true),
        };
        let args = self.pool.args(atom).to_vec();
        match (self.pool.op(atom), is_true) {
            (Op::And, true) => Some(args),
            (Op::Or, false) => Some(args.iter().map(|&arg| self.not(arg)).collect()),
            (Op::Eq, true) if args.len() > 2 => {
                Some(args.windows(2).map(|pair| self.eq(pair[0], pair[1])).collect())
            }
            (Op::Ite, _) => {
                let [condition, yes, no] = args[..] else { unreachable!("a choice has three arguments") };
                let other = self.not(condition);
                let [yes, no] = [yes, no].map(|branch| if is_true { branch } else { self.not(branch) });
                Some(vec![self.or(&[other, yes]), self.or(&[condition, no])])
            }
            (Op::Eq, _) if args.len() == 2 && self.pool.sort(args[0]) == Sort::BOOL => {
                let [left, right] = [args[0], if is_true { args[1] } else { self.not(args[1]) }];
                let [not_left, not_right] = [self.not(left), self.not(right)];
                Some(vec![self.or(&[not_left, right]), self.or(&[left, not_right])])
            }
            _ => None,
        }
    }
}
