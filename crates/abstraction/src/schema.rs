//! Lemmas as text.
//!
//! A lemma is a statement over letters: `x` and `s` are the operands of a term and `t` its result, `a`, `b`
//! and `p` those of a second term, `k`, `m`, `n` and `h` constants that a row computes from values. The text
//! is evaluated on the values of a model, and only a lemma that they break is built as a term.
//!
//! Cost: one evaluation of a text of some ten operators for each row that is tried.

use bivalve_statements::{Template, make};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, Value};

/// The letters of facts and guided lemmas.
pub(crate) const ONE_TERM: &[char] = &['x', 's', 't', 'k', 'm', 'n', 'h'];

/// The letters of lemmas about two terms.
pub(crate) const TWO_TERMS: &[char] = &['x', 's', 't', 'a', 'b', 'p'];

/// A lemma over letters, the first of which is a bit-vector and gives literals their width.
pub(crate) struct Schema(Template);

impl Schema {
    /// Reads a lemma. Panics if the text is ill-formed; a test reads all of them.
    pub(crate) fn new(text: &str, letters: &[char]) -> Schema {
        Schema(Template::parse(text, letters).expect("the rows of this crate are well-formed"))
    }

    /// Whether the lemma is false for these values of its letters.
    pub(crate) fn is_broken(&self, values: &[Value]) -> bool {
        let letters: Vec<Option<&Value>> = values.iter().map(Some).collect();
        !self.0.eval(&letters, Sort::of_bitvec(values[0].expect_bitvec())).expect_bool()
    }

    /// The lemma about these terms.
    pub(crate) fn lemma(&self, pool: &mut Pool, terms: &[Term]) -> Term {
        let letters: Vec<Option<Term>> = terms.iter().copied().map(Some).collect();
        let like = pool.sort(terms[0]);
        self.0.build(pool, &letters, like)
    }

    /// The lemma about these terms and constants.
    pub(crate) fn lemma_with(&self, pool: &mut Pool, terms: &[Term], constants: &[Value]) -> Term {
        let constants: Vec<Term> = constants.iter().map(|value| make::constant(pool, value)).collect();
        self.lemma(pool, &[terms, &constants].concat())
    }
}

/// The values of operands and result, from their bits: the result of a predicate is a Boolean.
pub(crate) fn values(op: Op, [x, s, t]: &[BitVec; 3]) -> Vec<Value> {
    let result = if op == Op::BvUmulo { t.lsb().into() } else { t.clone().into() };
    vec![x.clone().into(), s.clone().into(), result]
}
