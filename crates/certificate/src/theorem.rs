//! Theorems: what a rewrite rule says of terms of these sorts, proved once.
//!
//! The two sides of an application are generalised: subterms that both have in common become variables, the
//! smallest ones last, as long as random values refute the equation. What is left is an equation over few
//! variables, which is proved by polynomials, by equal circuits, or by a SAT solver that tells its reasons.
//! Proved equations are remembered by their shape, so that a rule which is applied a thousand times is proved
//! once for each combination of widths and constants.

use crate::Form;
use crate::cuts::{is_leaf, next_cut};
use crate::division::{Division, are_few, divisions, wide_products};
use crate::encode::{cells, is_arithmetic};
use crate::layers;
use crate::prove::{Outcome, conditions, prove_equal};
use crate::recorder::Recorder;
use crate::refute::refuted;
use crate::remainder;
use bivalve_checker::term::{Op, Sort, SortKind, Term, Terms};
use bivalve_checker::theorem::Theorem;
use bivalve_limits::Stop;
use rustc_hash::{FxHashMap, FxHashSet};

/// Wider quotients and remainders do not become circuits: proofs about these take more conflicts than are
/// given, and their gates more time.
const WIDEST_DIVIDER: u32 = 64;

/// Conflicts that the proof of a theorem may take: all generalisations are tried with few before one gets
/// more.
const CONFLICTS: [u64; 2] = [200, 5_000];

/// Circuits of more cells are built when no generalisation was proved without.
const FEW_CELLS: u64 = 1 << 10;

/// Longer shapes are no rules, and not looked at; shorter ones are tried first.
const MOST_WORDS: usize = 6_000;
const FEW_WORDS: usize = 600;

/// The bits of elements of declared sorts. A theorem mentions few.
const ELEMENT_BITS: u32 = 8;

/// The theorems of a certificate.
pub(crate) struct Library {
    form: Option<Form>,
    theorems: Vec<Theorem>,
    /// What was found out, by shape.
    known: FxHashMap<Vec<u64>, Known>,
    stop: Stop,
}

/// What is known of an equation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It is the theorem of this number.
    Proved(u64),
    /// It is wrong, or beyond what is tried.
    Refuted,
    /// It was not proved with so many conflicts.
    Open(u64),
}

impl Library {
    /// No theorem. They are written as bytes or as text.
    pub(crate) fn new(form: Option<Form>, stop: &Stop) -> Library {
        Library { form, theorems: vec![], known: FxHashMap::default(), stop: stop.clone() }
    }

    /// What ends the work.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The number of theorems.
    pub(crate) fn len(&self) -> usize {
        self.theorems.len()
    }

    /// Forgets theorems whose proofs were not written after all.
    pub(crate) fn forget_from(&mut self, number: usize) {
        self.theorems.truncate(number);
        let stays = |known: &Known| !matches!(*known, Known::Proved(proved) if proved as usize >= number);
        self.known.retain(|_, known| stays(known));
    }

    /// Shows that two terms are equal.
    ///
    /// # Errors
    ///
    /// When no theorem was proved that says so.
    pub(crate) fn show(&mut self, out: &mut Recorder, left: Term, right: Term) -> Result<(), String> {
        if out.kernel.equal(left, right) {
            return Ok(());
        }
        // None of these needs to apply.
        let _ = (out.evaluate(left), out.choose(left), out.equation(left));
        let _ = (out.read_written(left), out.read_constant(left));
        let op = out.kernel.terms.op(left);
        if is_arithmetic(op) || op == Op::Eq {
            let _ = out.polynomial(left, right);
        }
        if out.kernel.equal(left, right) {
            return Ok(());
        }
        let mut cuts: Vec<FxHashSet<Term>> = vec![];
        while let Some(variables) = next_cut(&out.kernel.terms, [left, right], &mut cuts) {
            if let Some(more) = with_large_circuits(&out.kernel.terms, [left, right], &variables)
                && self.try_general(out, [left, right], &more, CONFLICTS[0])?
            {
                return Ok(());
            }
            if self.try_general(out, [left, right], &variables, CONFLICTS[0])? {
                return Ok(());
            }
            cuts.push(variables);
        }
        for variables in &cuts {
            if self.try_general(out, [left, right], variables, CONFLICTS[1])? {
                return Ok(());
            }
        }
        Err(format!(
            "no theorem says that {} is {}",
            text(&out.kernel.terms, left),
            text(&out.kernel.terms, right)
        ))
    }

    /// Shows that two terms are equal, by a theorem over these terms below them.
    ///
    /// # Errors
    ///
    /// When it was not proved.
    pub(crate) fn show_over(
        &mut self,
        out: &mut Recorder,
        sides: [Term; 2],
        variables: &FxHashSet<Term>,
    ) -> Result<(), String> {
        let is_shown = out.kernel.equal(sides[0], sides[1])
            || self.try_general(out, sides, variables, CONFLICTS[0])?
            || self.try_general(out, sides, variables, CONFLICTS[1])?;
        if is_shown { Ok(()) } else { self.show(out, sides[0], sides[1]) }
    }

    /// Shows an equation of many layers.
    ///
    /// # Errors
    ///
    /// When it was not proved.
    pub(crate) fn show_layers(&mut self, out: &mut Recorder, equation: Term) -> Result<(), String> {
        let truth = out.kernel.terms.truth(true);
        let mut args: Vec<Term> = words(&out.kernel.terms, equation).into_iter().collect();
        args.sort_unstable();
        let begun = self.begun(out, [equation, truth], &args)?;
        let Begun { mut proof, variables, sides: [a, b] } = begun;
        let plan = layers::plan(&mut proof, a)?;
        let rest = layers::remainders(&plan, &proof.kernel.terms).first().map(|&remainder| {
            let width = proof.kernel.terms.width(remainder).ok_or("a remainder is a word")?;
            self.rest(out, width)
        });
        let rest = rest.transpose()?.map(|number| (number, &self.theorems[number as usize]));
        layers::show(&mut proof, a, &plan, rest)?;
        let number = self.keep(out, proof, &args, variables, [a, b])?;
        out.instance(number, &self.theorems[number as usize], &args)
    }

    /// The number of the theorem that a remainder is what is left of a multiple.
    fn rest(&mut self, out: &mut Recorder, width: u32) -> Result<u64, String> {
        let terms = &mut out.kernel.terms;
        let sort = terms.bitvec_sort(width)?;
        let words = [terms.fresh(sort), terms.fresh(sort)];
        let remainder = terms.mk(Op::BvUrem, &words)?;
        let rest = remainder::rest(terms, remainder)?;
        let found = self.general(out, [remainder, rest], &FxHashSet::from_iter(words), CONFLICTS[0])?;
        found.map(|(number, _)| number).ok_or_else(|| "a remainder is not what is left of a multiple".into())
    }

    /// Generalises over these terms; was the equation shown?
    fn try_general(
        &mut self,
        out: &mut Recorder,
        [left, right]: [Term; 2],
        variables: &FxHashSet<Term>,
        conflicts: u64,
    ) -> Result<bool, String> {
        let found = self.general(out, [left, right], variables, conflicts)?;
        let Some((number, args)) = found else { return Ok(false) };
        out.instance(number, &self.theorems[number as usize], &args)?;
        Ok(out.kernel.equal(left, right))
    }

    /// The theorem that says an equation for all values of these terms, and its arguments.
    fn general(
        &mut self,
        out: &mut Recorder,
        [left, right]: [Term; 2],
        variables: &FxHashSet<Term>,
        conflicts: u64,
    ) -> Result<Option<(u64, Vec<Term>)>, String> {
        if variables.contains(&left) {
            return Ok(None);
        }
        let most = if conflicts == CONFLICTS[0] { FEW_WORDS } else { MOST_WORDS };
        let mut shape = Shape::new(&out.kernel.terms, variables, most);
        if !shape.read(left) || !shape.read(right) {
            return Ok(None);
        }
        let (key, args, order) = (shape.key, shape.args, shape.numbers);
        let known = match self.known.get(&key) {
            Some(&Known::Open(tried)) if tried < conflicts => None,
            known => known.copied(),
        };
        let known = match known {
            Some(known) => known,
            None => {
                let known = self.prove(out, [left, right], &args, &order, conflicts)?;
                self.known.insert(key, known);
                known
            }
        };
        Ok(if let Known::Proved(number) = known { Some((number, args)) } else { None })
    }

    /// Proves the equation of the generalised terms and writes the theorem, if that succeeds.
    fn prove(
        &mut self,
        out: &mut Recorder,
        [left, right]: [Term; 2],
        args: &[Term],
        order: &FxHashMap<Term, u64>,
        conflicts: u64,
    ) -> Result<Known, String> {
        if refuted(&out.kernel.terms, left, right, args, order) {
            return Ok(Known::Refuted);
        }
        if conditions(&out.kernel.terms, &[left, right], args).is_some() {
            let known = self.prove_with(out, [left, right], args, Division::Cases, conflicts)?;
            if matches!(known, Known::Proved(_)) {
                return Ok(known);
            }
        }
        let divided = divisions(&out.kernel.terms, &[left, right], args);
        let multiplied = wide_products(&out.kernel.terms, &[left, right], args);
        // What is said of quotients alone needs no products most often.
        let is_worth_it = !multiplied.is_empty() || conflicts > CONFLICTS[0];
        let by_facts = [
            (Division::Facts, are_few(&divided)),
            (Division::Products, is_worth_it && are_few(&[&divided[..], &multiplied].concat())),
        ];
        for (division, _) in by_facts.into_iter().filter(|&(_, is_worth_it)| is_worth_it) {
            let known = self.prove_with(out, [left, right], args, division, conflicts)?;
            if matches!(known, Known::Proved(_)) {
                return Ok(known);
            }
        }
        let (terms, large) = (&out.kernel.terms, [divided, multiplied].concat());
        let is_too_wide =
            |&term: &Term| terms.op(term) != Op::BvMul && terms.width(term) > Some(WIDEST_DIVIDER);
        let cells: u64 = large.iter().map(|&term| cells(terms, term)).sum();
        if large.iter().any(is_too_wide) || conflicts == CONFLICTS[0] && cells > FEW_CELLS {
            return Ok(Known::Open(conflicts));
        }
        self.prove_with(out, [left, right], args, Division::Circuits, conflicts)
    }

    /// Proves the equation with divisions as they are told.
    fn prove_with(
        &mut self,
        out: &mut Recorder,
        [left, right]: [Term; 2],
        args: &[Term],
        division: Division,
        conflicts: u64,
    ) -> Result<Known, String> {
        let Begun { mut proof, variables, sides: [a, b] } = self.begun(out, [left, right], args)?;
        match prove_equal(&mut proof, a, b, division, (conflicts, conflicts == CONFLICTS[0]), &self.stop)? {
            Outcome::Proved => self.keep(out, proof, args, variables, [a, b]).map(Known::Proved),
            Outcome::Refuted => Ok(Known::Refuted),
            Outcome::Open => Ok(Known::Open(conflicts)),
        }
    }

    /// Begins the proof of a theorem over these terms.
    fn begun(&self, out: &Recorder, sides: [Term; 2], args: &[Term]) -> Result<Begun, String> {
        let mut proof = Recorder::new(self.form).stopped_by(&self.stop);
        let (mut map, mut images) = (FxHashMap::default(), FxHashMap::default());
        let mut sorts = vec![];
        for &arg in args {
            let sort = out.kernel.terms.sort_of(arg);
            let sort = proof.kernel.terms.image_of_sort(Some(&out.kernel.terms), &mut images, sort)?;
            proof.variable_sort(sort);
            sorts.push(sort);
        }
        for (&arg, &sort) in args.iter().zip(&sorts) {
            map.insert(arg, proof.variable(sort));
        }
        if sorts.iter().any(|&sort| has_elements(&proof.kernel.terms, sort)) {
            proof.element_bits(ELEMENT_BITS)?;
        }
        let variables: Vec<Term> = args.iter().map(|arg| map[arg]).collect();
        let mut image = |side| proof.kernel.terms.image(Some(&out.kernel.terms), &mut map, side);
        let sides = [image(sides[0])?, image(sides[1])?];
        Ok(Begun { proof, variables, sides })
    }

    /// Writes the theorem whose proof this is, and gives its number.
    fn keep(
        &mut self,
        out: &mut Recorder,
        mut proof: Recorder,
        args: &[Term],
        variables: Vec<Term>,
        [a, b]: [Term; 2],
    ) -> Result<u64, String> {
        proof.proved(a, b);
        let theorem = Theorem::new(std::mem::take(&mut proof.kernel), variables, a, b)?;
        let mut numbers = vec![args.len() as u64];
        numbers.extend(args.iter().map(|&arg| out.sort(out.kernel.terms.sort_of(arg))));
        out.step(bivalve_checker::step::THEOREM, &numbers);
        out.append(&proof.into_bytes());
        self.theorems.push(theorem);
        Ok(self.theorems.len() as u64 - 1)
    }
}

/// A proof that begins: its recorder, its variables and what is to be proved equal.
struct Begun {
    proof: Recorder,
    variables: Vec<Term>,
    sides: [Term; 2],
}

/// The terms of an equation that its proof takes for variables: all that is no operator on bits.
fn words(terms: &Terms, root: Term) -> FxHashSet<Term> {
    let (mut found, mut seen, mut stack) = (FxHashSet::default(), FxHashSet::default(), vec![root]);
    while let Some(term) = stack.pop() {
        if terms.is_value(term) || !seen.insert(term) {
            continue;
        }
        let is_of_bits = |term: Term| terms.bits(term).is_some() && terms.op(term) != Op::Select;
        let args = terms.args(term);
        match !is_leaf(terms, term) && is_of_bits(term) && args.iter().all(|&arg| terms.bits(arg).is_some()) {
            true => stack.extend_from_slice(args),
            false => drop(found.insert(term)),
        }
    }
    found
}

/// The same variables, and what has a large circuit below these terms; nothing if nothing has. What rules say
/// of products and quotients holds of all words most often.
fn with_large_circuits(
    terms: &Terms,
    roots: [Term; 2],
    variables: &FxHashSet<Term>,
) -> Option<FxHashSet<Term>> {
    let known: Vec<Term> = variables.iter().copied().collect();
    let mut large = wide_products(terms, &roots, &known);
    large.extend(divisions(terms, &roots, &known));
    large.retain(|term| !variables.contains(term));
    (!large.is_empty()).then(|| variables.iter().copied().chain(large).collect())
}

/// Reads a generalised term into a key, and numbers its variables.
struct Shape<'a> {
    terms: &'a Terms,
    variables: &'a FxHashSet<Term>,
    numbers: FxHashMap<Term, u64>,
    args: Vec<Term>,
    /// What was read, in which order.
    seen: FxHashMap<Term, u64>,
    key: Vec<u64>,
    /// The key has no more words than this.
    most: usize,
}

impl<'a> Shape<'a> {
    fn new(terms: &'a Terms, variables: &'a FxHashSet<Term>, most: usize) -> Shape<'a> {
        let (numbers, args, seen, key) = Default::default();
        Shape { terms, variables, numbers, args, seen, key, most }
    }

    /// Reads a term; `false` if the shape gets too long.
    fn read(&mut self, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let terms = self.terms;
            if self.key.len() > self.most {
                return false;
            }
            if self.variables.contains(&term) || is_leaf(terms, term) {
                let next = self.numbers.len() as u64;
                let number = *self.numbers.entry(term).or_insert_with(|| {
                    self.args.push(term);
                    next
                });
                self.key.extend([0, number]);
                sort_key(terms, terms.sort_of(term), &mut self.key);
                continue;
            }
            if let Some(value) = terms.value_of(term) {
                let digits = value.number.to_u64_digits();
                self.key.extend([1, u64::from(value.width), u64::from(terms.width(term).is_some())]);
                self.key.push(digits.len() as u64);
                self.key.extend(digits);
                continue;
            }
            let next = self.seen.len() as u64;
            if let Some(&known) = self.seen.get(&term) {
                self.key.extend([3, known]);
                continue;
            }
            self.seen.insert(term, next);
            let (number, indices) = bivalve_checker::step::operator(terms.op(term)).unwrap_or_default();
            self.key.extend([2, number as u64, terms.args(term).len() as u64]);
            self.key.extend(indices.into_iter().map(u64::from));
            stack.extend(terms.args(term).iter().rev());
        }
        true
    }
}

fn sort_key(terms: &Terms, sort: Sort, key: &mut Vec<u64>) {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match terms.kind(sort) {
            SortKind::Bool => key.push(0),
            SortKind::BitVec(width) => key.extend([1, u64::from(width)]),
            SortKind::Array(index, element) => {
                key.push(2);
                stack.extend([element, index]);
            }
            SortKind::Declared(number) => key.extend([3, u64::from(number)]),
            SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_) => key.push(4),
        }
    }
}

/// Is this a declared sort, or one of arrays over one?
fn has_elements(terms: &Terms, sort: Sort) -> bool {
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match terms.kind(sort) {
            SortKind::Declared(_) => return true,
            SortKind::Array(index, element) => stack.extend([index, element]),
            SortKind::Bool | SortKind::BitVec(_) => {}
            SortKind::Float(_) | SortKind::Mode | SortKind::Real | SortKind::Record(_) => {}
        }
    }
    false
}

/// A term for people, cut off where it is long.
fn text(terms: &Terms, root: Term) -> String {
    fn write(terms: &Terms, term: Term, depth: usize, out: &mut String) {
        let args = terms.args(term);
        if let Some(value) = terms.as_value(term) {
            out.push_str(&format!("{value}"));
        } else if args.is_empty() || depth == 0 {
            out.push_str(&format!("{:?}", terms.op(term)));
        } else {
            out.push_str(&format!("({:?}", terms.op(term)));
            for &arg in args {
                out.push(' ');
                write(terms, arg, depth - 1, out);
            }
            out.push(')');
        }
    }
    let mut out = String::new();
    write(terms, root, 4, &mut out);
    out
}
