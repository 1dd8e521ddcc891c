//! Shows of conjuncts that they follow from the assertions.
//!
//! A conjunct was made of an assertion step by step ([`crate::simplify`]); each step is shown only when a
//! conjunct that a refutation uses needs it. Terms are equal to their normal forms by the journal of the
//! rewriter: the operator on equal arguments, then a theorem, then again. A symbol that was replaced is equal
//! to its replacement because the fact that says so was shown.
//!
//! Everything is done with a stack, and once for each term.

use crate::agreement::Agreement;
use crate::constant_bits;
use crate::recorder::Recorder;
use crate::round::{Because, Round};
use crate::simplify::{Facts, Origin};
use crate::theorem::Library;
use crate::translate::{Translation, arguments};
use bivalve_checker::term as to;
use bivalve_preprocess::Pair;
use bivalve_terms::{Op, Pool, Term};
use rustc_hash::FxHashSet;

/// So many orders of arguments are tried where terms do not have the same form.
const MOST_TURNS: usize = 8;

/// What is shown, in which pool and recorder.
pub(crate) struct Derivation<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) facts: &'a mut Facts,
    pub(crate) translation: &'a mut Translation,
    pub(crate) library: &'a mut Library,
    pub(crate) out: &'a mut Recorder,
    shown: FxHashSet<usize>,
    normal: FxHashSet<Term>,
    replaced: FxHashSet<(Term, usize)>,
    agreement: Agreement,
    /// Multiples of equations, and their sums.
    sums: Vec<[(to::Term, to::Term); 2]>,
    /// The pass whose change was not shown.
    failed: Option<usize>,
}

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The fact of this number.
    Fact(usize),
    /// A term is equal to its normal form.
    Normal(Term),
    /// A term has the bits of its normal form.
    Shared(Term),
    /// A term is equal to what a round makes of it.
    Replaced(Term, usize),
}

/// Where a fact that cannot be shown comes from.
pub(crate) struct Failure {
    pub(crate) assertion: usize,
    /// The pass whose change was not shown.
    pub(crate) pass: Option<usize>,
    pub(crate) why: String,
}

impl<'a> Derivation<'a> {
    pub(crate) fn new(
        pool: &'a mut Pool,
        facts: &'a mut Facts,
        translation: &'a mut Translation,
        library: &'a mut Library,
        out: &'a mut Recorder,
    ) -> Derivation<'a> {
        let (shown, normal, replaced, agreement, sums, failed) = Default::default();
        Derivation {
            pool,
            facts,
            translation,
            library,
            out,
            shown,
            normal,
            replaced,
            agreement,
            sums,
            failed,
        }
    }

    /// Shows a fact in another form, which has the same operators once lists are chains.
    pub(crate) fn fact_as(&mut self, fact: usize, form: Term) -> Result<(), Failure> {
        self.fact(fact)?;
        let term = self.facts.facts[fact].term;
        let shown = (|| {
            let (from, to) = (self.term(term)?, self.term(form)?);
            if self.out.kernel.contradictory() { Ok(()) } else { self.congruent(from, to) }
        })();
        shown.map_err(|why| self.failure(&[Goal::Fact(fact)], why))
    }

    /// Shows a fact.
    pub(crate) fn fact(&mut self, fact: usize) -> Result<(), Failure> {
        let mut goals = vec![Goal::Fact(fact)];
        // From a contradiction all follows.
        while let Some(&goal) = goals.last()
            && !self.out.kernel.contradictory()
        {
            let before = goals.len();
            let done = match goal {
                Goal::Fact(fact) => self.try_fact(fact, &mut goals),
                Goal::Normal(term) => self.try_normal(term, &mut goals),
                Goal::Shared(term) => self.try_shared(term, &mut goals),
                Goal::Replaced(term, round) => self.try_replaced(term, round, &mut goals),
            };
            done.map_err(|why| self.failure(&goals, why))?;
            if goals.len() == before {
                goals.pop();
            }
        }
        Ok(())
    }

    fn failure(&self, goals: &[Goal], why: String) -> Failure {
        Failure { assertion: self.assertion_below(goals), pass: self.failed, why }
    }

    /// The assertion that the innermost fact comes from.
    fn assertion_below(&self, goals: &[Goal]) -> usize {
        let fact =
            goals.iter().rev().find_map(|goal| if let Goal::Fact(fact) = *goal { Some(fact) } else { None });
        let mut at = fact.unwrap_or_default();
        loop {
            match self.facts.facts[at].origin {
                Origin::Asserted(number) => return number,
                Origin::Part(from)
                | Origin::Rewritten(from)
                | Origin::Solved(from)
                | Origin::Replaced(from, _) => at = from,
                // No assertion is needed for it.
                Origin::Law(_) => return usize::MAX,
                Origin::Split(number) => at = self.facts.splits[number].sources[0],
                Origin::Paired(number) => at = self.facts.pairs[number].halves[0].0,
                Origin::Combined => at = self.facts.combination[0].0,
            }
        }
    }

    fn term(&mut self, term: Term) -> Result<to::Term, String> {
        self.translation.term(self.pool, term, self.out)
    }

    /// Shows a fact if its reasons are shown, else asks for them.
    fn try_fact(&mut self, fact: usize, goals: &mut Vec<Goal>) -> Result<(), String> {
        if self.shown.contains(&fact) {
            return Ok(());
        }
        let term = self.facts.facts[fact].term;
        let truth = self.term(term)?;
        match self.facts.facts[fact].origin {
            // What is said of quantified formulas was written before all else.
            Origin::Asserted(number)
                if self.facts.problem.as_ref().is_some_and(|problem| problem.is_said(number)) => {}
            Origin::Asserted(number) => self.out.assert(number as u64, truth),
            Origin::Part(from) => {
                if !self.shown.contains(&from) {
                    goals.push(Goal::Fact(from));
                    return Ok(());
                }
                let conjunction = self.facts.facts[from].term;
                let conjunction = self.term(conjunction)?;
                self.split_to(conjunction, truth)?;
            }
            Origin::Rewritten(from) => {
                let source = self.facts.facts[from].term;
                if !self.shown.contains(&from) {
                    goals.push(Goal::Fact(from));
                    return Ok(());
                }
                if !self.normal.contains(&source) {
                    goals.push(Goal::Normal(source));
                    return Ok(());
                }
            }
            Origin::Solved(from) => {
                let source = self.facts.facts[from].term;
                if !self.shown.contains(&from) {
                    goals.push(Goal::Fact(from));
                    return Ok(());
                }
                let equation = self.term(source)?;
                self.out.polynomial(equation, truth)?;
            }
            Origin::Law(pass) => {
                let always = self.out.kernel.terms.truth(true);
                self.show_law(pass, truth, always)?;
            }
            Origin::Replaced(from, round) => {
                let source = self.facts.facts[from].term;
                if !self.shown.contains(&from) {
                    goals.push(Goal::Fact(from));
                    return Ok(());
                }
                if !self.replaced.contains(&(source, round)) {
                    goals.push(Goal::Replaced(source, round));
                    return Ok(());
                }
            }
            Origin::Split(number) => {
                let sources = self.facts.splits[number].sources.clone();
                let before = goals.len();
                let missing = |from: &usize| !self.shown.contains(from);
                goals.extend(sources.iter().copied().filter(missing).map(Goal::Fact));
                if goals.len() > before {
                    return Ok(());
                }
                let terms = sources.iter().map(|&from| self.facts.facts[from].term).collect::<Vec<_>>();
                let terms = terms.into_iter().map(|term| self.term(term)).collect::<Result<Vec<_>, _>>()?;
                constant_bits::show(self.out, &terms, truth, self.library.stop())?;
            }
            Origin::Paired(number) => {
                let pair = self.facts.pairs[number];
                let before = goals.len();
                let sources = pair.halves.map(|(from, _)| from);
                goals.extend(sources.into_iter().filter(|from| !self.shown.contains(from)).map(Goal::Fact));
                if goals.len() > before {
                    return Ok(());
                }
                self.show_pair(&pair, truth)?;
            }
            Origin::Combined => {
                if self.sums.is_empty() {
                    self.sums = self.multiples()?;
                }
                let equations = self.facts.combination.iter().map(|&(from, _)| from);
                goals.extend(equations.filter(|from| !self.shown.contains(from)).map(Goal::Fact));
                return if goals.last() == Some(&Goal::Fact(fact)) { self.add_up() } else { Ok(()) };
            }
        }
        if !self.out.kernel.is(truth, true) && !self.out.kernel.contradictory() {
            return Err("a fact does not follow".into());
        }
        self.shown.insert(fact);
        Ok(())
    }

    /// Shows what two implications say together: their equations are solved, then a theorem is about the
    /// guard, the symbol and its two values, whatever these are.
    fn show_pair(&mut self, pair: &Pair, definition: to::Term) -> Result<(), String> {
        let mut implications = vec![];
        for ((fact, equation), value) in pair.halves.into_iter().zip(pair.values) {
            let implication = self.facts.facts[fact].term;
            let solved = self.pool.mk(Op::Eq, &[pair.symbol, value]);
            let restated = restated(self.pool, implication, equation, solved);
            let (from, to) = (self.term(equation)?, self.term(solved)?);
            if !self.out.kernel.equal(from, to) {
                self.library.show(self.out, from, to)?;
            }
            let (from, to) = (self.term(implication)?, self.term(restated)?);
            self.congruent(from, to)?;
            implications.push(to);
        }
        let both = self.out.kernel.terms.mk(to::Op::And, &implications)?;
        self.out.evaluate(both)?;
        let about = [pair.guard, pair.symbol, pair.values[0], pair.values[1]];
        let about = about.into_iter().map(|term| self.term(term)).collect::<Result<_, _>>()?;
        self.library.show_over(self.out, [both, definition], &about)
    }

    /// The multiples of equations that add up to a contradiction, and the sums so far: in each of the pairs
    /// the sides are equal once the equations are known. That the last sums differ is shown before that,
    /// since a polynomial has the values of its terms.
    fn multiples(&mut self) -> Result<Vec<[(to::Term, to::Term); 2]>, String> {
        let mut sums: Vec<[(to::Term, to::Term); 2]> = vec![];
        for at in 0..self.facts.combination.len() {
            let (fact, multiple) = self.facts.combination[at].clone();
            let equation = self.facts.facts[fact].term;
            let (equation, factor) = (self.term(equation)?, self.pool.bitvec(&multiple));
            let factor = self.term(factor)?;
            let terms = &mut self.out.kernel.terms;
            let sides = terms.args(equation).to_vec();
            let [a, b] = [sides[0], sides[1]].map(|side| terms.mk(to::Op::BvMul, &[factor, side]));
            let product = (a?, b?);
            let sum = match sums.last() {
                None => product,
                Some(&[_, (left, right)]) => {
                    let [a, b] = [(left, product.0), (right, product.1)];
                    (terms.mk(to::Op::BvAdd, &[a.0, a.1])?, terms.mk(to::Op::BvAdd, &[b.0, b.1])?)
                }
            };
            sums.push([product, sum]);
        }
        if let Some(&[_, (left, right)]) = sums.last() {
            let equation = self.out.kernel.terms.mk(to::Op::Eq, &[left, right])?;
            self.out.equation(equation)?;
        }
        Ok(sums)
    }

    /// Adds up multiples of equations that are known to be true.
    fn add_up(&mut self) -> Result<(), String> {
        for (at, pairs) in std::mem::take(&mut self.sums).into_iter().enumerate() {
            let equation = self.facts.facts[self.facts.combination[at].0].term;
            let equation = self.term(equation)?;
            self.out.split(equation)?;
            for (a, b) in pairs {
                self.out.congruence(a, b)?;
            }
            if at + 1 == self.facts.combination.len() {
                let (left, right) = pairs[1];
                let equation = self.out.kernel.terms.mk(to::Op::Eq, &[left, right])?;
                self.out.equation(equation)?;
            }
        }
        Ok(())
    }

    /// A conjunction is a chain of binary ones; its operands are true.
    fn split_to(&mut self, conjunction: to::Term, part: to::Term) -> Result<(), String> {
        let mut stack = vec![conjunction];
        while let Some(term) = stack.pop() {
            if self.out.kernel.is(part, true) {
                return Ok(());
            }
            if self.out.kernel.terms.op(term) == to::Op::And && term != part {
                self.out.split(term)?;
                stack.extend_from_slice(self.out.kernel.terms.args(term));
            }
        }
        Ok(())
    }

    fn try_normal(&mut self, term: Term, goals: &mut Vec<Goal>) -> Result<(), String> {
        if self.normal.contains(&term) {
            return Ok(());
        }
        let normal = self.facts.rewriter.rewrite(self.pool, term);
        if normal == term {
            self.normal.insert(term);
            return Ok(());
        }
        let before = goals.len();
        let Derivation { pool, facts, translation, out, .. } = self;
        self.agreement.compare(pool, term, &mut facts.rewriter, translation, out)?;
        if self.agreement.agrees(pool, term) {
            goals.extend(self.agreement.inputs(pool, term).into_iter().map(Goal::Shared));
            if goals.len() > before {
                return Ok(());
            }
        }
        let (from, to) = (self.term(term)?, self.term(normal)?);
        if self.agreement.agrees(self.pool, term) && self.have_same_bits(from, to)? {
            self.normal.insert(term);
            return Ok(());
        }
        let missing = |arg: &&Term| !self.normal.contains(arg);
        goals.extend(arguments(self.pool, term).iter().filter(missing).map(|&arg| Goal::Normal(arg)));
        if goals.len() > before {
            return Ok(());
        }
        if let Some(application) = self.facts.rewriter.application(term) {
            let (head, next) = (self.term(application.head)?, self.term(application.next)?);
            self.congruent(from, head)?;
            if !self.out.kernel.equal(head, next) {
                self.library.show(self.out, head, next)?;
            }
            if application.next != normal && !self.normal.contains(&application.next) {
                goals.push(Goal::Normal(application.next));
                return Ok(());
            }
        }
        self.congruent(from, to)?;
        self.normal.insert(term);
        Ok(())
    }

    /// Gives a term the bits of its normal form once it is shown to be equal.
    fn try_shared(&mut self, term: Term, goals: &mut Vec<Goal>) -> Result<(), String> {
        if !self.normal.contains(&term) {
            goals.push(Goal::Normal(term));
            return Ok(());
        }
        let normal = self.facts.rewriter.rewrite(self.pool, term);
        let (from, to) = (self.term(term)?, self.term(normal)?);
        self.out.bits(to)?;
        self.out.share_bits(from, to)
    }

    /// Shows that two terms are equal which have the same bits, if they do.
    fn have_same_bits(&mut self, a: to::Term, b: to::Term) -> Result<bool, String> {
        if !self.out.kernel.equal(a, b) {
            if self.out.bits(a)? != self.out.bits(b)? {
                return Ok(false);
            }
            self.out.same_bits(a, b)?;
        }
        Ok(true)
    }

    fn try_replaced(&mut self, term: Term, round: usize, goals: &mut Vec<Goal>) -> Result<(), String> {
        if self.replaced.contains(&(term, round)) {
            return Ok(());
        }
        let image = self.facts.rounds[round].images.get(&term).copied();
        let image = image.ok_or("a term has no image")?;
        if image == term {
            self.replaced.insert((term, round));
            return Ok(());
        }
        let before = goals.len();
        let definition = self.facts.rounds[round].definitions.get(&term).copied();
        match definition {
            Some((replacement, because)) => {
                if let Because::Fact(fact) | Because::Conjunct(fact) = because
                    && !self.shown.contains(&fact)
                {
                    goals.push(Goal::Fact(fact));
                }
                if !self.replaced.contains(&(replacement, round)) {
                    goals.push(Goal::Replaced(replacement, round));
                }
            }
            None => {
                let missing = |arg: &&Term| !self.replaced.contains(&(**arg, round));
                let args = arguments(self.pool, term).iter().filter(missing);
                goals.extend(args.map(|&arg| Goal::Replaced(arg, round)));
            }
        }
        if goals.len() > before {
            return Ok(());
        }
        if definition.is_none() {
            self.show_law_over_images(term, round)?;
        }
        let (from, to) = (self.term(term)?, self.term(image)?);
        match definition {
            Some((_, Because::Fact(fact))) => {
                let truth = self.facts.facts[fact].term;
                let is_compound = matches!(self.pool.op(truth), Op::Eq | Op::Not);
                let truth = self.term(truth)?;
                if is_compound && !self.out.kernel.equal(from, to) {
                    self.out.split(truth)?;
                }
            }
            Some((_, Because::Conjunct(fact))) => {
                let truth = self.facts.facts[fact].term;
                // Of an equation it is a side, unless it is the equation, which is true.
                if truth != term && matches!(self.pool.op(truth), Op::Not | Op::Eq) {
                    let truth = self.term(truth)?;
                    self.out.split(truth)?;
                }
            }
            Some((replacement, Because::Polynomials)) => {
                let replacement = self.term(replacement)?;
                self.multiply_out(from, replacement)?;
            }
            Some((replacement, Because::Law)) => {
                let replacement = self.term(replacement)?;
                self.library.show(self.out, from, replacement)?;
            }
            Some((_, Because::Layers)) => self.library.show_layers(self.out, from)?,
            None => {}
        }
        self.congruent(from, to)?;
        self.replaced.insert((term, round));
        Ok(())
    }

    /// Shows the law by which a round replaces a term over the images of its arguments, if there is one.
    fn show_law_over_images(&mut self, term: Term, round: usize) -> Result<(), String> {
        let Round { images, laws, .. } = &self.facts.rounds[round];
        if laws.is_empty() {
            return Ok(());
        }
        let args: Vec<Term> = self.pool.args(term).iter().map(|arg| images[arg]).collect();
        let rebuilt = if args == self.pool.args(term) { term } else { self.pool.rebuild(term, &args) };
        let Some(&(image, pass)) = laws.get(&rebuilt) else { return Ok(()) };
        let (from, over, to) = (self.term(term)?, self.term(rebuilt)?, self.term(image)?);
        self.congruent(from, over)?;
        self.show_law(pass, over, to)
    }

    /// Shows what a pass says.
    fn show_law(&mut self, pass: usize, from: to::Term, to: to::Term) -> Result<(), String> {
        let shown = self.library.show(self.out, from, to);
        if shown.is_err() {
            self.failed = Some(pass);
        }
        shown
    }

    /// Shows that two sums are equal by their polynomials, that two equations of sums say the same, or that
    /// one has a truth value.
    fn multiply_out(&mut self, from: to::Term, to: to::Term) -> Result<(), String> {
        if self.out.kernel.equal(from, to) {
            return Ok(());
        }
        let truth = self.out.kernel.terms.truth(true);
        match (self.out.kernel.terms.op(from), self.out.kernel.terms.args(from)) {
            (to::Op::Eq, &[a, b]) if self.out.kernel.terms.is_value(to) => {
                if to == truth && !self.out.kernel.equal(a, b) {
                    self.out.polynomial(a, b)?;
                }
                self.out.equation(from)
            }
            _ => self.out.polynomial(from, to),
        }
    }

    /// Shows that two terms are equal which have the same form down to terms that are known to be equal, or
    /// that a theorem says to be equal. Where that fails below arguments in any order, the other order is
    /// tried.
    fn congruent(&mut self, a: to::Term, b: to::Term) -> Result<(), String> {
        let failed = match self.congruent_with(a, b, None) {
            Ok(()) => return Ok(()),
            Err(failed) => failed,
        };
        for &turned in failed.above.iter().rev().take(MOST_TURNS) {
            if self.congruent_with(a, b, Some(turned)).is_ok() {
                return Ok(());
            }
        }
        Err(failed.why)
    }

    /// The same with the arguments of one pair of terms in the other order.
    fn congruent_with(
        &mut self,
        a: to::Term,
        b: to::Term,
        turned: Option<(to::Term, to::Term)>,
    ) -> Result<(), Differs> {
        let mut stack = vec![(a, b, false)];
        while let Some((a, b, is_visited)) = stack.pop() {
            if self.out.kernel.equal(a, b) {
                continue;
            }
            if is_visited {
                self.out.congruence(a, b).map_err(|why| Differs { why, above: vec![] })?;
                continue;
            }
            let terms = &self.out.kernel.terms;
            let (left, right) = (terms.args(a).to_vec(), terms.args(b).to_vec());
            if terms.op(a) != terms.op(b) || left.len() != right.len() || left.is_empty() {
                if let Err(why) = self.library.show(self.out, a, b) {
                    let may_turn = |&(a, _, is_visited): &(to::Term, to::Term, bool)| {
                        is_visited && self.out.kernel.terms.op(a).is_commutative()
                    };
                    let above = stack.into_iter().filter(may_turn).map(|(a, b, _)| (a, b)).collect();
                    return Err(Differs { why, above });
                }
                continue;
            }
            let same = |x: to::Term, y: to::Term| self.out.kernel.equal(x, y);
            let is_swapped = left.len() == 2
                && terms.op(a).is_commutative()
                && (same(left[0], right[1]) || same(left[1], right[0]));
            stack.push((a, b, true));
            if is_swapped != (turned == Some((a, b))) {
                stack.extend([(left[0], right[1], false), (left[1], right[0], false)]);
            } else {
                stack.extend(left.into_iter().zip(right).map(|(x, y)| (x, y, false)));
            }
        }
        Ok(())
    }
}

/// An implication with this equation in place of the one in it.
fn restated(pool: &mut Pool, conjunct: Term, equation: Term, solved: Term) -> Term {
    let both = pool.args(conjunct)[0];
    let denied = pool.mk(Op::Not, &[equation]);
    let solved = pool.mk(Op::Not, &[solved]);
    let parts: Vec<Term> =
        pool.args(both).iter().map(|&part| if part == denied { solved } else { part }).collect();
    let both = pool.mk(Op::And, &parts);
    pool.mk(Op::Not, &[both])
}

/// Terms were not shown to be equal.
struct Differs {
    why: String,
    /// The pairs above those that differ whose operator takes its arguments in any order, outermost first.
    above: Vec<(to::Term, to::Term)>,
}
