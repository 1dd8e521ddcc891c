//! The steps of a certificate, and how each is carried out.
//!
//! Sorts, terms and clauses are numbered in the order in which the certificate makes them, from 0, anew for
//! each check and each theorem; theorems in the order in which the file proves them. What follows the word of
//! a step is said beside it, in the table of steps. A literal of bits is twice a variable, plus one if
//! negated; a hint names a clause as [`Name::code`] does.

mod floats;

use crate::budget::Budget;
use crate::clause::Name;
use crate::floats::lower::Lowering;
use crate::gate::Lit;
use crate::kernel::Kernel;
use crate::lrat::Refutation;
use crate::term::{Function, Op, Sort, SortKind, Term, Terms};
use crate::theorem::Theorem;
use crate::token::Tokens;
use crate::words::Relation;
use rustc_hash::FxHashMap;
use std::io::BufRead;

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident $word:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers of the constants below")]
        enum Number { $($name),* }
        $($(#[$doc])* pub const $name: usize = Number::$name as usize;)*
        /// The words for the steps in text; their places are the numbers of the steps in bytes.
        pub const WORDS: &[&str] = &[$($word),*];
    };
}

steps! {
    /// `check n`: the steps for the n-th check of the script follow, counted from 0.
    CHECK "check";
    /// `end c`: what is asserted is contradictory, by terms if c is 0, else because clause c - 1 is empty.
    END "end";
    /// `theorem k sort*`: the proof of a theorem follows. Its variables are its first terms.
    THEOREM "theorem";
    /// `proved a b`: the theorem is that these terms are equal.
    PROVED "proved";
    /// `sort 0`: a new sort, `Bool`. `sort 1 w`: bit-vectors. `sort 2 i e`: arrays. `sort 3 "name"`:
    /// declared.
    SORT "sort";
    /// `assertion n`: a new term, the n-th that is asserted or assumed at the check. It is true.
    ASSERTION "assertion";
    /// `symbol "name"`: a new term, the constant of this name at the check.
    SYMBOL "symbol";
    /// `value w #number`: a new term, a bit-vector of w bits.
    VALUE "value";
    /// `term operator index* k argument*`: a new term.
    TERM "term";
    /// `apply "name" k argument*`: a new term, the function of this name at the check on k arguments.
    APPLY "apply";
    /// `congruence a b`: one operator on equal arguments.
    CONGRUENCE "congruence";
    /// `evaluate a`: an operator on values.
    EVALUATE "evaluate";
    /// `choose a`: a choice whose condition is known.
    CHOOSE "choose";
    /// `polynomial a b`: equal polynomials, or equivalent equations.
    POLYNOMIAL "polynomial";
    /// `split a`: what the truth value of a says of its arguments.
    SPLIT "split";
    /// `equation a`: an equation between what is known to be equal, or between different values.
    EQUATION "equation";
    /// `instance t k argument*`: two new terms, the sides of theorem t.
    INSTANCE "instance";
    /// `written a`: a read of a written array.
    WRITTEN "written";
    /// `constant a`: a read of an array whose elements are all the same.
    CONSTANT "constant";
    /// `witness a`: a new term, the index at which the arrays of equation a differ if they do.
    WITNESS "witness";
    /// `differ a`: the sides of the false equation a differ at its witness.
    DIFFER "differ";
    /// `suppose k literal*`: these literals of terms are false. A literal is twice a term, plus one if
    /// negated.
    SUPPOSE "suppose";
    /// `discharge`: a new clause, what was supposed to be false.
    DISCHARGE "discharge";
    /// `retract`: what was supposed is dropped.
    RETRACT "retract";
    /// `elements n`: elements of declared sorts have n bits.
    ELEMENTS "elements";
    /// `division a`: a new term, the facts about the quotient or remainder a. They are true.
    DIVISION "division";
    /// `exact a`: a new term, what makes a the quotient or remainder. It is true.
    EXACT "exact";
    /// `product a`: a new term, the facts about the product a, which does not overflow. They are true.
    PRODUCT "product";
    /// `products a b`: a new term, the facts about two such products with a factor in common. They are true.
    PRODUCTS "products";
    /// `free a`: bits for a, of which nothing is said.
    FREE "free";
    /// `bits a`: the circuit of a.
    BITS "bits";
    /// `share a b`: a gets the bits of b, which it is equal to, in place of its own.
    SHARE "share";
    /// `same a b`: terms with the same bits.
    SAME "same";
    /// `unit a`: a new clause, the known truth value of a.
    UNIT "unit";
    /// `truth a c`: clause c is the bit of a.
    TRUTH "truth";
    /// `derive k literal* n hint*`: a new clause, by unit propagation.
    DERIVE "derive";
    /// `gate kind k literal*`: a gate over literals, as a new variable where there is none like it. The kinds
    /// are 0 for and, 1 for exclusive or, 2 for choice, 3 for majority.
    GATE "gate";
    /// `subtract a b`: the difference of the bits of two words is looked at.
    SUBTRACT "subtract";
    /// `relation k variable* g variable* s (literal #weight)* #constant n clause*`: the sum is 0 for all
    /// values of k inputs that no clause excludes, with the gates of g variables. It is added to the
    /// difference.
    RELATION "relation";
    /// `cancel`: nothing is left of the difference. New clauses, two for each bit: `a` or not `b`, and not
    /// `a` or `b`.
    CANCEL "cancel";
    /// `delete c`: clause c is not used again.
    DELETE "delete";
    /// `quantified a`: new terms, the formulas for all values of variables in a that are within no other one,
    /// in the order in which one meets them from left to right.
    QUANTIFIED "quantified";
    /// `instantiate a k argument*`: a new term, formula a is false or its body true for these terms. It is
    /// true.
    INSTANTIATE "instantiate";
    /// `skolem a`: new terms, a symbol for each variable of formula a, and then: a is true or its body false
    /// for these symbols. That is true.
    SKOLEM "skolem";
    /// `case n k "term"*`: the steps for the next case of the n-th check follow. It assumes what the cases
    /// before have left open, and k more terms of the script's language.
    CASE "case";
    /// `sums k assertion* n (comparison #factor)*`: of the comparisons of floating-point numbers that these
    /// assertions say, counted from 0, those with these factors have a sum that is contradictory.
    SUMS "sums";
    /// `boxes k assertion* n (0 | term #key)*`: a tree of n boxes, each split before its two parts. Of the
    /// numbers that these assertions speak of, counted from 1, one has a key that is at most this or a
    /// greater one; 0 is a box on which an assertion is false.
    BOXES "boxes";
}

/// The operators without indices, in the order of their numbers.
const PLAIN: [(&str, Op); 25] = [
    ("true", Op::True),
    ("false", Op::False),
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("=", Op::Eq),
    ("ite", Op::Ite),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvadd", Op::BvAdd),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvult", Op::BvUlt),
    ("bvslt", Op::BvSlt),
    ("concat", Op::Concat),
    ("select", Op::Select),
    ("store", Op::Store),
];

/// The numbers of the operators with indices: `extract high low`, `sign_extend more`, `const sort`.
pub const EXTRACT: usize = PLAIN.len();
/// See [`EXTRACT`].
pub const SIGN_EXTEND: usize = EXTRACT + 1;
/// See [`EXTRACT`].
pub const CONST: usize = EXTRACT + 2;

/// The word for an operator in text.
pub fn operator_word(number: usize) -> Option<&'static str> {
    match number {
        EXTRACT => Some("extract"),
        SIGN_EXTEND => Some("sign_extend"),
        CONST => Some("const"),
        _ => PLAIN.get(number).map(|row| row.0),
    }
}

/// The number of an operator, and its indices but for the sort of `const`; `None` for symbols, values and
/// applications.
pub fn operator(op: Op) -> Option<(usize, Vec<u32>)> {
    match op {
        Op::Symbol(_) | Op::Value(_) | Op::Apply(_) | Op::Float(_) | Op::Record(..) | Op::Forall => None,
        Op::Extract(high, low) => Some((EXTRACT, vec![high, low])),
        Op::SignExtend(more) => Some((SIGN_EXTEND, vec![more])),
        Op::ConstArray(_) => Some((CONST, vec![])),
        op => PLAIN.iter().position(|&(_, plain)| plain == op).map(|number| (number, vec![])),
    }
}

/// What the script says at a check.
pub trait Setting {
    /// The n-th term that is asserted or assumed.
    fn assertion(&self, number: u64) -> Option<Term>;
    /// The constant of a name.
    fn symbol(&self, name: &str) -> Option<Term>;
    /// The function of a name.
    fn function(&self, name: &str) -> Option<Function>;
    /// What these assertions say as they are written.
    fn said(&self, assertions: &[u64]) -> Result<(&Lowering, Vec<Term>), String>;
    /// The declared sort of a name.
    fn sort(&self, name: &str) -> Option<Sort>;
}

/// What the numbers of a proof stand for.
struct Proof<'a> {
    kernel: Kernel,
    /// There is none within theorems.
    setting: Option<&'a dyn Setting>,
    sorts: Vec<Sort>,
    terms: Vec<Term>,
}

/// How a proof ended.
enum End {
    /// By a contradiction, with the clause that the step names.
    Refuted(Option<u64>),
    /// By an equation.
    Proved(Term, Term),
}

/// A part of a certificate.
pub enum Part {
    /// The steps for a check, by its number.
    Check(u64),
    /// The steps for a case of a check, which assumes these terms beside what is left open.
    Case(u64, Vec<String>),
}

/// The number of steps that were carried out, in all.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    /// Steps about sorts and terms, circuits and theorems.
    pub steps: u64,
    /// Clauses that were derived by unit propagation.
    pub derived: u64,
    /// Theorems.
    pub theorems: u64,
}

/// Carries out the steps of a certificate.
#[derive(Default)]
pub struct Runner {
    theorems: Vec<Theorem>,
    /// What was done.
    pub counts: Counts,
    /// The bytes of the script, and how many times the usual budget may be spent.
    script: u64,
    factor: Option<u64>,
    /// The clausal parts of the proofs so far, if they are asked for.
    pub refutations: Option<Vec<Refutation>>,
}

impl Runner {
    /// What is done for a script of so many bytes may cost so many times the usual budget.
    pub fn limit(&mut self, script: u64, factor: u64) {
        (self.script, self.factor) = (script, Some(factor));
    }

    /// What was read so far may cost so much.
    pub fn afford<R: BufRead>(&self, tokens: &Tokens<R>, budget: &Budget) {
        if let Some(factor) = self.factor {
            budget.limit(tokens.read() + self.script, factor);
        }
    }

    /// What the certificate has steps for next.
    pub fn next_part<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<Option<Part>, String> {
        match tokens.step()? {
            None => Ok(None),
            Some(CHECK) => tokens.number().map(|number| Some(Part::Check(number))),
            Some(CASE) => {
                let number = tokens.number()?;
                let names = (0..tokens.number()?).map(|_| tokens.name());
                names.collect::<Result<_, _>>().map(|terms| Some(Part::Case(number, terms)))
            }
            Some(other) => Err(format!("'{}' outside of a check", word(other))),
        }
    }

    /// Carries out the steps for a case, which knows no theorem of another one: nothing of it stays.
    pub fn case<R: BufRead>(
        &mut self,
        tokens: &mut Tokens<R>,
        name: &str,
        setting: &dyn Setting,
        terms: &Terms,
    ) -> Result<(), String> {
        let [_, before] = terms.budget.used();
        terms.budget.take(terms.held / 64, terms.held)?;
        let theorems = std::mem::take(&mut self.theorems);
        let copy = self.check(tokens, name, setting, terms.clone())?;
        self.theorems = theorems;
        terms.budget.resume(&copy.budget, before);
        Ok(())
    }

    /// Carries out the steps for a check, or a case of one, of this name; gives the terms back. The
    /// assertions are contradictory then.
    pub fn check<R: BufRead>(
        &mut self,
        tokens: &mut Tokens<R>,
        name: &str,
        setting: &dyn Setting,
        terms: Terms,
    ) -> Result<Terms, String> {
        let ([_, before], held) = (terms.budget.used(), terms.held);
        let kernel = Kernel::new(terms);
        let mut proof = Proof { kernel, setting: Some(setting), sorts: vec![], terms: vec![] };
        match self.run(tokens, &mut proof, false)? {
            End::Refuted(clause) if proof.kernel.refuted(clause) => {
                self.keep_refutation(&proof.kernel, format_args!("{name}"));
                // Of the check, its terms stay.
                let terms = proof.kernel.terms;
                terms.budget.resume(&terms.budget.clone(), before + terms.held - held);
                Ok(terms)
            }
            End::Refuted(_) => Err("the end is no contradiction".into()),
            End::Proved(..) => Err("an equation is no contradiction".into()),
        }
    }

    fn theorem<R: BufRead>(&mut self, tokens: &mut Tokens<R>, outer: &Proof<'_>) -> Result<(), String> {
        let mut proof = Proof { kernel: Kernel::default(), setting: None, sorts: vec![], terms: vec![] };
        let (mut sorts, budget) = (FxHashMap::default(), &outer.kernel.terms.budget);
        let [_, before] = budget.used();
        proof.kernel.terms.budget = budget.clone();
        for _ in 0..tokens.number()? {
            let sort = *at(&outer.sorts, tokens.number()?, "sort")?;
            let sort = proof.kernel.terms.image_of_sort(Some(&outer.kernel.terms), &mut sorts, sort)?;
            proof.sorts.push(sort);
            let variable = proof.kernel.terms.fresh(sort);
            proof.terms.push(variable);
        }
        let variables = proof.terms.clone();
        let end = self.run(tokens, &mut proof, true)?;
        // Of the theorem, its terms stay.
        let terms = &proof.kernel.terms;
        budget.resume(&terms.budget, before + terms.held);
        match end {
            End::Proved(a, b) => {
                self.keep_refutation(&proof.kernel, format_args!("theorem-{}", self.theorems.len()));
                self.theorems.push(Theorem::new(proof.kernel, variables, a, b)?);
            }
            End::Refuted(_) => return Err("a theorem is no contradiction".into()),
        }
        self.counts.theorems += 1;
        Ok(())
    }

    /// Keeps the clausal part of a proof, if it is asked for and there is one.
    fn keep_refutation(&mut self, kernel: &Kernel, name: std::fmt::Arguments<'_>) {
        if let Some(refutations) = &mut self.refutations {
            refutations.extend(kernel.refutation(name.to_string()));
        }
    }

    fn run<R: BufRead>(
        &mut self,
        tokens: &mut Tokens<R>,
        proof: &mut Proof<'_>,
        is_theorem: bool,
    ) -> Result<End, String> {
        if self.refutations.is_some() {
            proof.kernel.trace();
        }
        while let Some(step) = tokens.step()? {
            self.counts.steps += 1;
            let budget = &proof.kernel.terms.budget;
            self.afford(tokens, budget);
            budget.take(200, 0)?;
            match step {
                END => {
                    let clause = tokens.number()?;
                    return Ok(End::Refuted(clause.checked_sub(1)));
                }
                PROVED => return Ok(End::Proved(proof.term(tokens)?, proof.term(tokens)?)),
                THEOREM if is_theorem => return Err("a theorem within a theorem".into()),
                THEOREM => self.theorem(tokens, proof)?,
                INSTANCE => {
                    let number = tokens.number()?;
                    let args = proof.list(tokens)?;
                    let theorem = at(&self.theorems, number, "theorem")?;
                    let (left, right) = proof.kernel.instance(theorem, &args)?;
                    proof.terms.extend([left, right]);
                }
                DERIVE => {
                    self.counts.derived += 1;
                    proof.derive(tokens)?;
                }
                SORT | ASSERTION | SYMBOL | VALUE | TERM | APPLY | WITNESS | DIVISION | EXACT | PRODUCT
                | PRODUCTS | INSTANTIATE => proof.make(step, tokens)?,
                QUANTIFIED => {
                    let root = proof.term(tokens)?;
                    proof.terms.extend(proof.kernel.terms.quantified_in(root)?);
                }
                SKOLEM => {
                    let formula = proof.term(tokens)?;
                    let (symbols, said) = proof.kernel.skolem(formula)?;
                    proof.terms.extend(symbols);
                    proof.terms.push(said);
                }
                SUPPOSE | DISCHARGE | RETRACT | ELEMENTS | FREE | BITS | SHARE | SAME | UNIT | TRUTH
                | DELETE | GATE | SUBTRACT | CANCEL => proof.clauses(step, tokens)?,
                RELATION => proof.kernel.relation(&Relation::read(tokens)?)?,
                SUMS => proof.sums(tokens)?,
                BOXES => proof.boxes(tokens)?,
                _ => proof.equal(step, tokens)?,
            }
        }
        Err("the certificate ends in the middle of a proof".into())
    }
}

fn literals<R: BufRead>(tokens: &mut Tokens<R>) -> Result<Vec<Lit>, String> {
    (0..tokens.number()?).map(|_| tokens.small().map(Lit::from_code)).collect()
}

/// The word for a step.
fn word(step: usize) -> &'static str {
    WORDS.get(step).copied().unwrap_or("an unknown step")
}

fn at<'a, T>(list: &'a [T], number: u64, what: &str) -> Result<&'a T, String> {
    let found = usize::try_from(number).ok().and_then(|at| list.get(at));
    found.ok_or_else(|| format!("there is no {what} {number}"))
}

impl Proof<'_> {
    fn term<R: BufRead>(&self, tokens: &mut Tokens<R>) -> Result<Term, String> {
        at(&self.terms, tokens.number()?, "term").copied()
    }

    fn list<R: BufRead>(&self, tokens: &mut Tokens<R>) -> Result<Vec<Term>, String> {
        (0..tokens.number()?).map(|_| self.term(tokens)).collect()
    }

    /// Steps that make sorts and terms.
    fn make<R: BufRead>(&mut self, step: usize, tokens: &mut Tokens<R>) -> Result<(), String> {
        let term = match step {
            SORT => {
                let sort = self.sort(tokens)?;
                self.sorts.push(sort);
                return Ok(());
            }
            ASSERTION => {
                let number = tokens.number()?;
                let asserted = self.setting.and_then(|setting| setting.assertion(number));
                let asserted = asserted.ok_or_else(|| format!("there is no assertion {number}"))?;
                self.kernel.assert(asserted);
                asserted
            }
            SYMBOL => {
                let name = tokens.name()?;
                self.setting
                    .and_then(|setting| setting.symbol(&name))
                    .ok_or_else(|| format!("there is no constant '{name}'"))?
            }
            VALUE => self.kernel.terms.value(tokens.small()?, tokens.large()?)?,
            TERM => self.application(tokens)?,
            APPLY => {
                let name = tokens.name()?;
                let function = self.setting.and_then(|setting| setting.function(&name));
                let function = function.ok_or_else(|| format!("there is no function '{name}'"))?;
                let args = self.list(tokens)?;
                self.kernel.terms.mk(Op::Apply(function), &args)?
            }
            DIVISION => self.kernel.division(self.term(tokens)?)?,
            EXACT => self.kernel.exact(self.term(tokens)?)?,
            PRODUCT => self.kernel.product(self.term(tokens)?)?,
            PRODUCTS => {
                let (a, b) = (self.term(tokens)?, self.term(tokens)?);
                self.kernel.products(a, b)?
            }
            INSTANTIATE => {
                let (formula, args) = (self.term(tokens)?, self.list(tokens)?);
                self.kernel.instantiate(formula, &args)?
            }
            _ => self.kernel.witness(self.term(tokens)?)?,
        };
        self.terms.push(term);
        Ok(())
    }

    fn sort<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<Sort, String> {
        let terms = &mut self.kernel.terms;
        match tokens.number()? {
            0 => Ok(terms.bool_sort()),
            1 => terms.bitvec_sort(tokens.small()?),
            2 => {
                let index = *at(&self.sorts, tokens.number()?, "sort")?;
                let element = *at(&self.sorts, tokens.number()?, "sort")?;
                Ok(terms.sort(SortKind::Array(index, element)))
            }
            _ => {
                let name = tokens.name()?;
                self.setting
                    .and_then(|setting| setting.sort(&name))
                    .ok_or_else(|| format!("there is no sort '{name}'"))
            }
        }
    }

    fn application<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<Term, String> {
        let op = match tokens.operator()? {
            EXTRACT => Op::Extract(tokens.small()?, tokens.small()?),
            SIGN_EXTEND => Op::SignExtend(tokens.small()?),
            CONST => Op::ConstArray(*at(&self.sorts, tokens.number()?, "sort")?),
            number => at(&PLAIN, number as u64, "operator")?.1,
        };
        let args = self.list(tokens)?;
        self.kernel.terms.mk(op, &args)
    }

    /// Steps that make terms equal.
    fn equal<R: BufRead>(&mut self, step: usize, tokens: &mut Tokens<R>) -> Result<(), String> {
        let term = match step {
            CONGRUENCE | EVALUATE | CHOOSE | POLYNOMIAL | SPLIT | EQUATION | WRITTEN | CONSTANT | DIFFER => {
                self.term(tokens)?
            }
            _ => return Err(format!("'{}' within a proof", word(step))),
        };
        match step {
            CONGRUENCE => self.kernel.congruence(term, self.term(tokens)?),
            EVALUATE => self.kernel.evaluate(term),
            CHOOSE => self.kernel.choose(term),
            POLYNOMIAL => self.kernel.polynomial(term, self.term(tokens)?),
            SPLIT => self.kernel.split(term),
            EQUATION => self.kernel.equation(term),
            WRITTEN => self.kernel.read_written(term),
            DIFFER => self.kernel.differ(term),
            _ => self.kernel.read_constant(term),
        }
    }

    /// Steps about bits and clauses.
    fn clauses<R: BufRead>(&mut self, step: usize, tokens: &mut Tokens<R>) -> Result<(), String> {
        match step {
            SUPPOSE => {
                let mut literals = vec![];
                for _ in 0..tokens.number()? {
                    let code = tokens.number()?;
                    literals.push((*at(&self.terms, code >> 1, "term")?, code & 1 == 0));
                }
                self.kernel.suppose(&literals)
            }
            ELEMENTS => {
                let bits = tokens.small()?;
                self.kernel.set_element_bits(bits)
            }
            RETRACT => self.kernel.retract(),
            DISCHARGE => self.kernel.discharge().map(drop),
            FREE => self.kernel.free_bits(self.term(tokens)?),
            BITS => self.kernel.build(self.term(tokens)?).map(drop),
            SHARE => self.kernel.share_bits(self.term(tokens)?, self.term(tokens)?),
            SAME => self.kernel.same_bits(self.term(tokens)?, self.term(tokens)?),
            UNIT => self.kernel.unit(self.term(tokens)?).map(drop),
            TRUTH => {
                let term = self.term(tokens)?;
                self.kernel.truth(term, tokens.number()?)
            }
            GATE => {
                let (kind, inputs) = (tokens.small()?, literals(tokens)?);
                self.kernel.gate(kind, &inputs).map(drop)
            }
            SUBTRACT => self.kernel.subtract(self.term(tokens)?, self.term(tokens)?),
            CANCEL => self.kernel.cancel().map(drop),
            _ => self.kernel.delete(tokens.number()?),
        }
    }

    fn derive<R: BufRead>(&mut self, tokens: &mut Tokens<R>) -> Result<(), String> {
        let clause = literals(tokens)?;
        let hints = tokens.number()?;
        let hints: Vec<Name> =
            (0..hints).map(|_| tokens.number().map(Name::from_code)).collect::<Result<_, _>>()?;
        self.kernel.propagation(&clause, hints.into_iter()).map(drop)
    }
}
