//! Closing an application: arguments become a term, or a located refusal.
//!
//! The pool checks sorts and says which argument is wrong; here that becomes a place in the text. What other
//! solvers accept beyond the standard is made of operators here, unless the standard is to be kept:
//!
//! - a list operator of one argument is that argument, and `distinct` or `=` of one argument is `true`;
//! - `bvnand` and `bvnor` of more than two arguments fold from the left, as the table has it for `bvsub` and
//!   `bvxnor`;
//! - `(rotate_left x y)` without an index rotates by a term; `(zero_extend 3 x)` takes its index as an
//!   argument;
//! - a constant in parentheses is the constant;
//! - Z3's `bvsmul_noovfl` is true iff the signed product is not too large, `bvsmul_noudfl` iff it is not too
//!   small. A product that overflows is not zero, so its sign is the exclusive or of the arguments' signs:
//!   overflow with equal signs is too large, with different signs too small.

use crate::diagnostic::DiagnosticKind;
use crate::smtlib::lexer::Parsed;
use crate::smtlib::parser::{GUARDED, Limited};
use crate::smtlib::reading::Reading;
use crate::smtlib::terms::Head;
use crate::smtlib::vocabulary::{Dialect, is_standard_list};
use bivalve_terms::{Arity, Op, Sort, SortError, Term, Theory};

/// May arguments be reals, beside which numerals are reals, too?
pub(crate) fn is_of_reals(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Distinct | Op::Ite | Op::IntLt | Op::IntLe | Op::IntGt | Op::IntGe)
}

impl Reading<'_> {
    /// The application of `head`, which begins at `place`, to the arguments from `start` on.
    pub(crate) fn apply(&mut self, head: Head, start: usize, place: u64) -> Parsed<Term> {
        match head {
            Head::Operator { op, count, indices } => {
                let given = &indices[..count as usize];
                if self.strict {
                    self.check_standard(op, start, place)?;
                }
                let op = match (op, &self.work.args[start..]) {
                    (Op::IntSub, &[only]) => match self.negated_real(only) {
                        Some(real) => return Ok(real),
                        None => {
                            self.join_reals(op, start)?;
                            Op::IntNeg
                        }
                    },
                    (Op::FpFromBits, _) => self.conversion(start),
                    (op, _) if op.info().theory == Theory::Integers || is_of_reals(op) => {
                        self.join_reals(op, start)?;
                        op
                    }
                    _ => op,
                };
                self.check_open(op, place)?;
                let info = op.info();
                let args = &self.work.args[start..];
                if op == Op::FpFields && given.len() == 2 {
                    return self.float_of_parts(given, start, place);
                }
                if given.len() != info.indices as usize || !info.arity.admits(args.len()) {
                    return self.apply_leniently(op, given, start, place);
                }
                match self.pool.indexed(op, given, args) {
                    Ok(term) => self.decided(term, start, place),
                    Err(error) => Err(self.sort_refusal(error, op.name(), start, place)),
                }
            }
            Head::Function => match self.pool.app(Op::Apply, &self.work.args[start..]) {
                Ok(term) => self.decided(term, start, place),
                Err(error) => {
                    let name = self.pool.name(self.work.args[start]).unwrap_or_default().to_owned();
                    Err(self.sort_refusal(error, &name, start + 1, place))
                }
            },
            Head::Macro(definition) => self.expand(definition, start, place),
            Head::Dialect(dialect) => self.apply_dialect(dialect, start, place),
            Head::ConstArray(sort) => self.const_array(sort, start, place),
            Head::Constructor(data_type, number, sort) => {
                self.construct((data_type, number), sort, start, place)
            }
            Head::Tester(data_type, number) => {
                self.apply_to_record(Op::RecordIs, (data_type, number.into()), start, place)
            }
            Head::Selector(data_type, number) => {
                self.apply_to_record(Op::RecordGet, (data_type, number), start, place)
            }
            Head::Update(data_type, number) => {
                self.apply_to_record(Op::RecordSet, (data_type, number), start, place)
            }
            Head::Nullary(term) => {
                self.check_count("a constant", 0, start, place)?;
                Ok(term)
            }
        }
    }

    /// Refuses results that the standard leaves open where the caller is handed images: no command declares
    /// what stands for them there.
    fn check_open(&self, op: Op, place: u64) -> Parsed<()> {
        if !self.images || !op.is_open() {
            return Ok(());
        }
        let (expected, span) = ("an operator whose result is always one", place..self.lexer.end());
        let found = format!("'{}': results that the standard leaves open are not known here", op.name());
        Err(self.lexer.refuse(DiagnosticKind::Unsupported, span, expected, found))
    }

    /// Refuses what the standard does not have.
    fn check_standard(&self, op: Op, start: usize, place: u64) -> Parsed<()> {
        let count = self.work.args.len() - start;
        let found = if op.info().theory == Theory::Extension || op == Op::FpToIeee {
            format!("'{}'", op.name())
        } else if count > 2 && op.info().arity == Arity::LeftAssoc && !is_standard_list(op) {
            format!("'{}' with {count} arguments", op.name())
        } else {
            return Ok(());
        };
        let span = place..self.lexer.end();
        Err(self.lexer.refuse(DiagnosticKind::Strict, span, "an operator of SMT-LIB", found))
    }

    /// Arguments that the operator table does not admit, but habit may.
    fn apply_leniently(&mut self, op: Op, indices: &[u32], start: usize, place: u64) -> Parsed<Term> {
        let refused = |this: &Self, indices: &[u32], args: &[Term]| {
            let error = match op.info().indices as usize {
                expected if expected != indices.len() => {
                    SortError::Indices { op: op.name(), expected, found: indices.len() }
                }
                _ => {
                    let expected = match op.info().arity {
                        Arity::Exactly(1) => "1 argument".to_owned(),
                        Arity::Exactly(n) => format!("{n} arguments"),
                        _ => "at least 2 arguments".to_owned(),
                    };
                    SortError::Arity { op: op.name(), expected, found: args.len() }
                }
            };
            Err(this.sort_refusal(error, op.name(), start, place))
        };
        let args = &self.work.args[start..];
        if self.strict {
            return refused(self, indices, args);
        }
        let built = match (op, args, indices) {
            (Op::And | Op::Or, [], _) => Ok(self.pool.bool(op == Op::And)),
            (Op::RotateLeft, [_, _], []) => self.pool.app(Op::ExtRotateLeft, args),
            (Op::RotateRight, [_, _], []) => self.pool.app(Op::ExtRotateRight, args),
            (Op::BvNand | Op::BvNor, &[first, second, ref rest @ ..], _) => {
                let pair = self.pool.app(op, &[first, second]);
                rest.iter()
                    .try_fold(pair, |sum, &next| sum.map(|sum| self.pool.app(op, &[sum, next])))
                    .and_then(|r| r)
            }
            (Op::Eq | Op::Distinct, &[only], _) => {
                self.pool.app(Op::Eq, &[only, only]).map(|_| self.pool.bool(true))
            }
            (_, &[only], _) if op.info().arity == Arity::LeftAssoc && !op.is_lowered() => {
                // The pool checks the sort; the term it builds for that is not used.
                self.pool.app(op, &[only, only]).map(|_| only)
            }
            _ => return refused(self, indices, args),
        };
        built.map_err(|error| self.sort_refusal(error, op.name(), start, place))
    }

    fn expand(&mut self, definition: u32, start: usize, place: u64) -> Parsed<Term> {
        let definition = &self.symbols.macros[definition as usize];
        let (args, params) = (&self.work.args[start..], definition.params());
        self.check_count("the definition", params.len(), start, place)?;
        let wrong = args.iter().zip(params).position(|(&arg, &param)| self.pool.sort(arg) != param);
        if let Some(i) = wrong {
            let expected = params[i];
            return Err(self.wrong_sort(expected, i + start));
        }
        let Reading { lexer, pool, work, .. } = self;
        let (expanded, mut over) = (&mut work.expanded, None);
        let term = definition.expand(pool, &work.args[start..], || {
            *expanded += 1;
            if expanded.is_multiple_of(GUARDED) {
                over = (lexer.guard)(Limited::Definitions);
            }
            over.is_none()
        });
        term.ok_or_else(|| {
            let found = over.map_or_else(String::new, |why| format!("that {why}"));
            let span = place..self.lexer.end();
            self.lexer.refuse(DiagnosticKind::Limit, span, "a term within the limits", found)
        })
    }

    fn const_array(&mut self, sort: Sort, start: usize, place: u64) -> Parsed<Term> {
        self.check_count("'const'", 1, start, place)?;
        match self.pool.const_array(sort, self.work.args[start]) {
            Ok(term) => self.decided(term, start, place),
            Err(error) => Err(self.sort_refusal(error, "const", start, place)),
        }
    }

    fn apply_dialect(&mut self, dialect: Dialect, start: usize, place: u64) -> Parsed<Term> {
        let plain = |op| Head::Operator { op, count: 0, indices: [0; 2] };
        match dialect {
            Dialect::Same(op) => self.apply(plain(op), start, place),
            Dialect::Ratio => self.ratio(start, place),
            Dialect::Iff => {
                if let Some(i) =
                    (start..self.work.args.len()).find(|&i| !self.pool.sort(self.work.args[i]).is_bool())
                {
                    return Err(self.wrong_sort(Sort::BOOL, i));
                }
                self.apply(plain(Op::Eq), start, place)
            }
            Dialect::Bvite => {
                self.check_count("'bvite'", 3, start, place)?;
                let condition = self.work.args[start];
                if self.pool.width(condition) == Some(1) {
                    let one = self.pool.bv_u64(1, 1);
                    self.work.args[start] = self.pool.mk(Op::Eq, &[condition, one]);
                }
                self.apply(plain(Op::Ite), start, place)
            }
            Dialect::Inc | Dialect::Dec => {
                self.check_count("the operator", 1, start, place)?;
                let op = if dialect == Dialect::Inc { Op::BvAdd } else { Op::BvSub };
                let arg = self.work.args[start];
                let Some(width) = self.pool.width(arg) else {
                    return self.apply(plain(Op::BvNeg), start, place);
                };
                let one = self.pool.bv_u64(1, width);
                Ok(self.pool.mk(op, &[arg, one]))
            }
            Dialect::UmulFits => {
                let overflow = self.apply(plain(Op::BvUmulo), start, place)?;
                Ok(self.pool.mk(Op::Not, &[overflow]))
            }
            Dialect::SmulNotAbove | Dialect::SmulNotBelow => {
                let overflow = self.apply(plain(Op::BvSmulo), start, place)?;
                let [left, right] = [self.sign(start), self.sign(start + 1)];
                let direction = if dialect == Dialect::SmulNotAbove { Op::Eq } else { Op::Distinct };
                let outwards = self.pool.mk(direction, &[left, right]);
                let beyond = self.pool.mk(Op::And, &[overflow, outwards]);
                Ok(self.pool.mk(Op::Not, &[beyond]))
            }
        }
    }

    /// The sign bit of a bit-vector argument.
    fn sign(&mut self, arg: usize) -> Term {
        let arg = self.work.args[arg];
        let top = self.pool.width(arg).expect("the product was well-sorted") - 1;
        self.pool.mk_indexed(Op::Extract, &[top, top], &[arg])
    }
}
