//! The commands of SMT-LIB 2.7 as values.
//!
//! A command holds terms and sorts of the caller's pool, and text where the answer has to repeat what was
//! sent. By the time it is handed over, the parser has already entered what it declares into the symbol
//! table, because the next command may use it. Commands about theories that are not here (recursive
//! functions) are refused by the reader.

use bivalve_limits::Why;
use bivalve_lowering::Lowering;
use bivalve_terms::float::Rational;
use bivalve_terms::{Pool, Sort, Term};

/// A command and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic L)`.
    SetLogic(String),
    /// `(set-option :keyword value)`.
    SetOption {
        /// The keyword with its colon.
        keyword: String,
        /// The value, if there is one.
        value: Option<AttributeValue>,
    },
    /// `(set-info :keyword value)`.
    SetInfo {
        /// The keyword with its colon.
        keyword: String,
        /// The value, if there is one.
        value: Option<AttributeValue>,
    },
    /// `(declare-sort S n)`.
    DeclareSort {
        /// The name, without bars.
        name: String,
        /// The number of parameters.
        arity: u32,
    },
    /// `(declare-datatype S ...)` or `(declare-datatypes ((S n) ...) ...)`; uses of the sorts are refused.
    DeclareDataTypes {
        /// The command as it was sent.
        text: String,
    },
    /// `(define-sort S (P ...) sort)`; its uses are expanded by the reader.
    DefineSort {
        /// The name, without bars.
        name: String,
    },
    /// `(declare-const c S)`, or `declare-fun` without parameters.
    DeclareConst {
        /// The new symbol, of sort `S`; its name is that of the symbol in the pool.
        symbol: Term,
    },
    /// `(declare-fun f (S ...) S)` with at least one parameter.
    DeclareFun {
        /// The new symbol, of a function sort; its name is that of the symbol in the pool.
        symbol: Term,
    },
    /// `(define-fun f ((x S) ...) S t)`; its uses are expanded by the reader.
    DefineFun {
        /// The name, without bars.
        name: String,
        /// The parameters: symbols that occur in `body` and nowhere else.
        params: Vec<Term>,
        /// The sort of the result.
        result: Sort,
        /// The body, of sort `result`.
        body: Term,
    },
    /// `(define-const c S t)`; its uses are expanded by the reader.
    DefineConst {
        /// The name, without bars.
        name: String,
        /// The term, of sort `S`.
        body: Term,
    },
    /// `(assert t)`.
    Assert {
        /// The Boolean term.
        term: Term,
        /// The labels given by `:named` inside, innermost first. The assertion as a whole has those whose
        /// term is `term`.
        named: Vec<(String, Term)>,
        /// The groups given by `:interpolation-group`, an attribute of MathSAT, to the assertion as a whole.
        groups: Vec<String>,
    },
    /// An assertion that was not read, because a limit is reached: no check is to answer `sat` without it.
    PassedOver(Why),
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (t ...))`: the Boolean terms with their text as sent.
    CheckSatAssuming(Vec<(String, Term)>),
    /// `(get-value (t ...))`: the terms with their text as sent.
    GetValue(Vec<(String, Term)>),
    /// `(get-consequences (t ...) (v ...))`, a command of Z3: which of the Boolean terms `v` are determined
    /// by the assertions and the assumptions `t`. All terms have their text as sent.
    GetConsequences {
        /// The assumptions.
        assumptions: Vec<(String, Term)>,
        /// The terms that are asked about.
        variables: Vec<(String, Term)>,
    },
    /// `(minimize t)` or `(maximize t)`, commands of Z3, with attributes of OptiMathSAT.
    Optimise {
        /// The term with its text as sent: a bit-vector or a floating-point number.
        term: (String, Term),
        /// The greatest value is asked for, not the least.
        maximise: bool,
        /// `:signed`: a bit-vector is read as a signed number.
        is_signed: bool,
        /// `:id`, a name for the objective.
        id: Option<String>,
    },
    /// `(assert-soft t :weight w :id g)`, a command of Z3: what it costs if the Boolean term is false.
    AssertSoft {
        /// The term with its text as sent.
        term: (String, Term),
        /// The price, 1 if none is given.
        weight: Rational,
        /// The sum that the price belongs to.
        id: Option<String>,
    },
    /// `(get-objectives)`.
    GetObjectives,
    /// `(get-all-models (t ...) :limit n :cubes b)`: the values that the terms have in models, at most `n`.
    GetAllModels {
        /// The terms with their text as sent: bit-vectors and Booleans.
        terms: Vec<(String, Term)>,
        /// Values at most, or cubes.
        limit: Option<u64>,
        /// Bits that may have any value are shown as such.
        cubes: bool,
    },
    /// `(count-models (t ...))`: how many values the terms have together in models.
    CountModels(Vec<(String, Term)>),
    /// `(get-interpolant I t)` of cvc5, `(get-interpolant (n ...))` of Bitwuzla and MathSAT,
    /// `(get-interpolants ...)` of Bitwuzla and SMTInterpol.
    GetInterpolants(Interpolants),
    /// `(get-model)`.
    GetModel,
    /// `(get-assertions)`.
    GetAssertions,
    /// `(get-assignment)`.
    GetAssignment,
    /// `(get-proof)`.
    GetProof,
    /// `(get-unsat-core)`.
    GetUnsatCore,
    /// `(get-unsat-assumptions)`.
    GetUnsatAssumptions,
    /// `(get-info :keyword)`.
    GetInfo(String),
    /// `(get-option :keyword)`.
    GetOption(String),
    /// `(echo "text")`: the text without quotes.
    Echo(String),
    /// `(push n)`, 1 if no number is given.
    Push(u32),
    /// `(pop n)`, 1 if no number is given.
    Pop(u32),
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// `(exit)`.
    Exit,
    /// A query of another solver that changes nothing, to be answered by `unsupported`.
    Unsupported {
        /// The name of the command.
        name: String,
    },
}

impl Command {
    /// The same command with images in the place of terms; all of them were accepted.
    pub(crate) fn lowered(mut self, pool: &mut Pool, lowering: &mut Lowering) -> Command {
        if lowering.is_idle(pool) {
            return self;
        }
        let mut lower = |term: &mut Term| *term = lowering.formula(pool, *term);
        match &mut self {
            Command::Assert { term, named, .. } => {
                lower(term);
                named.iter_mut().for_each(|(_, term)| lower(term));
            }
            Command::Optimise { term: (_, term), .. } | Command::AssertSoft { term: (_, term), .. } => {
                lower(term)
            }
            Command::CheckSatAssuming(terms)
            | Command::GetValue(terms)
            | Command::GetAllModels { terms, .. }
            | Command::CountModels(terms) => {
                terms.iter_mut().for_each(|(_, term)| lower(term));
            }
            Command::GetConsequences { assumptions, variables } => {
                assumptions.iter_mut().chain(variables).for_each(|(_, term)| lower(term));
            }
            Command::DefineFun { result, body, .. } => {
                lower(body);
                *result = pool.sort(*body);
            }
            Command::DefineConst { body, .. } => lower(body),
            Command::GetInterpolants(Interpolants::Goal { goal, .. }) => lower(goal),
            Command::GetInterpolants(Interpolants::Between(set)) => {
                set.iter_mut().for_each(|(_, term)| lower(term))
            }
            Command::GetInterpolants(Interpolants::Along(sets) | Interpolants::Tree { sets, .. }) => {
                sets.iter_mut().flatten().for_each(|(_, term)| lower(term));
            }
            _ => {}
        }
        self
    }
}

/// What an interpolant is asked between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpolants {
    /// All assertions, and the negation of a Boolean term; the interpolant gets a name.
    Goal {
        /// The name, without bars.
        name: String,
        /// The term.
        goal: Term,
    },
    /// Assertions, by the terms that their names stand for, and all others.
    Between(Vec<(String, Term)>),
    /// The same for each prefix of a list of such sets.
    Along(Vec<Vec<(String, Term)>>),
    /// All assertions as the nodes of a tree, children before their parents.
    Tree {
        /// The sets of the nodes.
        sets: Vec<Vec<(String, Term)>>,
        /// The first node of the subtree of each; in a sequence always the first of all.
        starts: Vec<usize>,
    },
}

/// The value of an option or an info.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// Decimal digits.
    Numeral(String),
    /// Digits, a point and digits.
    Decimal(String),
    /// A binary or hexadecimal literal with its prefix.
    BitVec(String),
    /// The content of a string literal.
    String(String),
    /// A symbol without bars.
    Symbol(String),
    /// A parenthesised expression as it was sent.
    List(String),
}

impl AttributeValue {
    /// The Boolean, if the value is `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        match self.text() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The number, if the value is a numeral below 2^64.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            AttributeValue::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The value as plain text, without quotes or bars.
    pub fn text(&self) -> &str {
        match self {
            AttributeValue::Numeral(text) | AttributeValue::Decimal(text) | AttributeValue::BitVec(text) => {
                text
            }
            AttributeValue::String(text) | AttributeValue::Symbol(text) | AttributeValue::List(text) => text,
        }
    }
}
