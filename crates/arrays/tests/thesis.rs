//! The examples of Brummayer's thesis (sections 2.7 and 2.11), with the lemmas that it says.
//!
//! Each test gives the checker a formula and a model of its abstraction, as the thesis assumes one, and
//! expects the lemma of the text, literal by literal. There are two differences, both of the thesis' own
//! making later on: writes are accesses themselves (section 2.11.4), so a lemma speaks of a written element
//! where section 2.7 speaks of a read that preprocessing has added; and array equalities that are true need
//! no virtual reads (section 2.11.3).
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve_arrays::{ArrayRefiner, LemmasPerRound, Reason, STRATEGIES};
use bivalve_limits::{Deadline, Stop, Why};
use bivalve_refine::{Lemma, Refinement, Refiners};
use bivalve_terms::{BitVec, Op, Pool, Sort, Term, Value};
use rustc_hash::FxHashMap;

/// A formula in the making, over arrays from bytes to bytes.
struct Formula {
    pool: Pool,
    refiners: Refiners,
    values: FxHashMap<Term, Value>,
    names: u32,
}

impl Formula {
    fn new() -> Formula {
        let strategy = (STRATEGIES[0].make)();
        let refiners = Refiners::new(vec![Box::new(ArrayRefiner::new(LemmasPerRound::One, strategy))]);
        Formula { pool: Pool::new(), refiners, values: FxHashMap::default(), names: 0 }
    }

    fn byte() -> Sort {
        Sort::bitvec(8).unwrap()
    }

    fn symbol(&mut self, sort: Sort) -> Term {
        self.names += 1;
        self.pool.symbol(&format!("x{}", self.names), sort)
    }

    fn array(&mut self) -> Term {
        let sort = self.pool.sorts_mut().array(Self::byte(), Self::byte()).unwrap();
        self.symbol(sort)
    }

    /// A byte with this value in the model.
    fn byte_of(&mut self, value: u64) -> Term {
        let symbol = self.symbol(Self::byte());
        self.is(symbol, value)
    }

    fn read(&mut self, array: Term, index: Term) -> Term {
        self.pool.mk(Op::Select, &[array, index])
    }

    fn write(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.pool.mk(Op::Store, &[array, index, element])
    }

    /// `a = b`, as lemmas write it.
    fn eq(&mut self, a: Term, b: Term) -> Term {
        self.pool.mk(Op::Eq, &[a.min(b), a.max(b)])
    }

    /// A term has this value in the model of the abstraction.
    fn is(&mut self, term: Term, value: u64) -> Term {
        let value = match self.pool.width(term) {
            Some(width) => BitVec::from_u64(value, width).into(),
            None => Value::Bool(value == 1),
        };
        self.values.insert(term, value);
        term
    }

    /// The lemmas that the model of the abstraction breaks; empty if there are arrays that fit it.
    fn lemmas(&mut self, roots: &[Term]) -> Vec<Lemma> {
        match self.check(roots, &Deadline::unlimited()) {
            Refinement::Consistent(_) => vec![],
            Refinement::Unknown(why) => panic!("{why}"),
            Refinement::Lemmas(lemmas) => lemmas,
        }
    }

    fn check(&mut self, roots: &[Term], deadline: &Deadline) -> Refinement {
        let Formula { pool, refiners, values, .. } = self;
        roots.iter().for_each(|&root| refiners.take_in(pool, root));
        refiners.check(pool, &mut |_, term| values.get(&term).cloned(), deadline)
    }

    /// Expects one lemma: conditions that are equations or not, and what follows.
    fn expect(
        &mut self,
        roots: &[Term],
        equal: &[(Term, Term)],
        differ: &[(Term, Term)],
        follows: (Term, Term),
    ) {
        let lemmas = self.lemmas(roots);
        let mut expected: Vec<(Term, bool)> = vec![];
        for &(a, b) in equal {
            expected.push((self.eq(a, b), false));
        }
        for &(a, b) in differ {
            expected.push((self.eq(a, b), true));
        }
        expected.push((self.eq(follows.0, follows.1), true));
        expected.sort_unstable();
        let [lemma] = &lemmas[..] else { panic!("{lemmas:?}") };
        let mut literals = lemma.literals.clone();
        literals.sort_unstable();
        assert_eq!((literals, lemma.reason), (expected, Reason::Congruence.name()));
    }
}

/// Reads of one array: Ackermann's congruence, when it is needed.
#[test]
fn example_1_reads() {
    let mut f = Formula::new();
    let (a, i, j) = (f.array(), f.byte_of(7), f.byte_of(7));
    let (r1, r2) = (f.read(a, i), f.read(a, j));
    f.is(r1, 1);
    f.is(r2, 2);
    f.expect(&[r1, r2], &[(i, j)], &[], (r1, r2));
}

/// `w2 = write(write(a, j1, e1), j2, e2)`, `w3 = write(a, j3, e3)`, `r1 = read(w2, i)`, `r2 = read(w3, k)`.
struct Writes {
    f: Formula,
    indices: [Term; 5],
    elements: [Term; 3],
    reads: [Term; 2],
}

/// The formula of examples 2 and 3, with values for i, k, j1, j2, j3.
fn writes(indices: [u64; 5]) -> Writes {
    let mut f = Formula::new();
    let a = f.array();
    let [i, k, j1, j2, j3] = indices.map(|value| f.byte_of(value));
    let elements = [11, 12, 13].map(|value| f.byte_of(value));
    let w1 = f.write(a, j1, elements[0]);
    let (w2, w3) = (f.write(w1, j2, elements[1]), f.write(a, j3, elements[2]));
    let reads = [f.read(w2, i), f.read(w3, k)];
    Writes { f, indices: [i, k, j1, j2, j3], elements, reads }
}

/// Two reads pass writes to other indices and meet at the array below.
#[test]
fn example_2_reads_below_writes() {
    let Writes { mut f, indices: [i, k, j1, j2, j3], reads: [r1, r2], .. } = writes([5, 5, 1, 2, 3]);
    f.is(r1, 21);
    f.is(r2, 22);
    f.expect(&[r1, r2], &[(i, k)], &[(i, j2), (i, j1), (k, j3)], (r1, r2));
}

/// A read meets the write to its index.
#[test]
fn example_3_a_read_meets_a_write() {
    let Writes { mut f, indices: [i, _, j1, j2, _], elements: [e1, _, e3], reads: [r1, r2] } =
        writes([1, 3, 1, 2, 3]);
    f.is(r1, 21);
    f.is(r2, 13);
    assert_eq!(f.values[&e3], f.values[&r2]);
    f.expect(&[r1, r2], &[(i, j1)], &[(i, j2)], (r1, e1));
}

/// A read crosses a true equality.
#[test]
fn example_4_equal_arrays() {
    let mut f = Formula::new();
    let (a, b, i, j) = (f.array(), f.array(), f.byte_of(3), f.byte_of(3));
    let (r1, r2) = (f.read(a, i), f.read(b, j));
    f.is(r1, 1);
    f.is(r2, 2);
    let equal = f.eq(a, b);
    f.is(equal, 1);
    f.expect(&[r1, r2, equal], &[(i, j), (a, b)], &[], (r1, r2));
}

/// `w1 = write(a, i, e1)`, `w2 = write(b, j, e2)`, `r1 = read(a, k)`, `r2 = read(b, k)`, `w1 = w2`.
fn equal_writes(i: u64, j: u64, k: u64) -> (Formula, [Term; 3], [Term; 2], [Term; 2], [Term; 2]) {
    let mut f = Formula::new();
    let (a, b) = (f.array(), f.array());
    let [i, j, k] = [i, j, k].map(|value| f.byte_of(value));
    let [e1, e2] = [31, 32].map(|value| f.byte_of(value));
    let [w1, w2] = [(a, i, e1), (b, j, e2)].map(|(array, i, e)| f.write(array, i, e));
    let [r1, r2] = [a, b].map(|array| f.read(array, k));
    f.is(r1, 41);
    f.is(r2, 42);
    let equal = f.eq(w1, w2);
    f.is(equal, 1);
    (f, [i, j, k], [w1, w2], [r1, r2], [e1, e2])
}

/// A read goes up through a write, across, and down again.
#[test]
fn example_5_up_across_and_down() {
    let (mut f, [i, j, k], [w1, w2], [r1, r2], _) = equal_writes(1, 2, 3);
    let equal = f.eq(w1, w2);
    f.expect(&[equal, r1, r2], &[(w1, w2)], &[(k, i), (k, j)], (r1, r2));
}

/// Equal writes to one index have written the same.
#[test]
fn example_6_writes_meet() {
    let (mut f, [i, j, _], [w1, w2], [r1, r2], [e1, e2]) = equal_writes(1, 1, 1);
    let equal = f.eq(w1, w2);
    f.expect(&[equal, r1, r2], &[(i, j), (w1, w2)], &[], (e1, e2));
}

/// Writes whose index and element are reads; nothing but the equality is part of the abstraction.
#[test]
fn example_7_writes_are_reads_of_themselves() {
    let mut f = Formula::new();
    let (a, b) = (f.array(), f.array());
    let [i, j] = [1, 2].map(|value| f.byte_of(value));
    let (k, e) = (f.byte_of(0), f.byte_of(9));
    let (r1, r2) = (f.read(a, i), f.read(a, j));
    let (w1, w2) = (f.write(a, r1, r2), f.write(b, k, e));
    let equal = f.eq(w1, w2);
    f.is(equal, 1);
    f.is(r1, 0);
    f.is(r2, 8);
    f.expect(&[equal], &[(r1, k), (w1, w2)], &[], (r2, e));
}

/// The same before the reads have values, as section 2.11.5 would have it: they take what they find, which is
/// zero here, and only what is written must still be zero.
#[test]
fn example_7_on_demand() {
    for (written, expected) in [(0, 0), (9, 1)] {
        let mut f = Formula::new();
        let (a, b) = (f.array(), f.array());
        let [i, j] = [1, 2].map(|value| f.byte_of(value));
        let (k, e) = (f.byte_of(0), f.byte_of(written));
        let (r1, r2) = (f.read(a, i), f.read(a, j));
        let (w1, w2) = (f.write(a, r1, r2), f.write(b, k, e));
        let equal = f.eq(w1, w2);
        f.is(equal, 1);
        assert_eq!(f.lemmas(&[equal]).len(), expected, "written: {written}");
    }
}

/// Section 2.11.1: both reads pass a write to the same index; that one of them differs from it is enough.
#[test]
fn a_lemma_says_each_difference_once() {
    let mut f = Formula::new();
    let (a, j) = (f.array(), f.byte_of(1));
    let [i1, i2] = [5, 5].map(|value| f.byte_of(value));
    let [e1, e2] = [11, 12].map(|value| f.byte_of(value));
    let (w1, w2) = (f.write(a, j, e1), f.write(a, j, e2));
    let (r1, r2) = (f.read(w1, i1), f.read(w2, i2));
    f.is(r1, 21);
    f.is(r2, 22);
    let lemmas = f.lemmas(&[r1, r2]);
    let [lemma] = &lemmas[..] else { panic!("{lemmas:?}") };
    let (same, follows) = (f.eq(i1, i2), f.eq(r1, r2));
    let (one, other) = (f.eq(i1, j), f.eq(i2, j));
    let said = |atom: Term| lemma.literals.iter().filter(|literal| literal.0 == atom).count();
    assert_eq!((lemma.literals.len(), said(same), said(follows)), (3, 1, 1));
    assert_eq!(said(one) + said(other), 1);
}

/// Section 2.11.2: of accesses that agree at an array one goes on, so one lemma says what is wrong.
#[test]
fn one_representative_goes_on() {
    let mut f = Formula::new();
    let (a, b) = (f.array(), f.array());
    let indices = [5; 6].map(|value| f.byte_of(value));
    let reads = indices.map(|i| f.read(a, i));
    let last = f.read(b, indices[0]);
    reads.iter().for_each(|&read| _ = f.is(read, 1));
    f.is(last, 2);
    let equal = f.eq(a, b);
    f.is(equal, 1);
    let roots = [&reads[..], &[last, equal]].concat();
    assert_eq!(f.lemmas(&roots).len(), 1);
}

/// Section 2.11.3: an equality that is true needs no witness; one that is false gets one, once.
#[test]
fn witnesses_are_for_equalities_that_are_false() {
    let mut f = Formula::new();
    let (a, b) = (f.array(), f.array());
    let equal = f.eq(a, b);
    f.is(equal, 1);
    assert!(f.lemmas(&[equal]).is_empty());
    f.is(equal, 0);
    let lemmas = f.lemmas(&[]);
    let [Lemma { reason: "witness", literals, .. }] = &lemmas[..] else { panic!("{lemmas:?}") };
    let &[(first, true), (reads, false)] = &literals[..] else { panic!("{literals:?}") };
    assert_eq!(first, equal);
    // The atom of the witness is about reads at one fresh index; as long as they differ there are such
    // arrays.
    let &[r, s] = f.pool.args(reads) else { panic!("an equation of two reads") };
    assert_eq!(f.pool.args(r)[1], f.pool.args(s)[1]);
    f.is(r, 1);
    f.is(s, 2);
    assert!(f.lemmas(&[reads]).is_empty());
    // A model that breaks the lemma says that it was never added: it is asked for again, with the same index.
    f.is(s, 1);
    assert_eq!(f.lemmas(&[]), lemmas);
}

/// Many writes on both sides of an equality, each array of which is read, are many steps: the check can be
/// stopped, and does not say everything at once. Without reads in between the writes are passed in one step,
/// whatever their number.
#[test]
fn a_long_check_can_be_stopped() {
    for (many, read, stopped) in [(10, true, false), (300, true, true), (3000, false, false)] {
        let mut f = Formula::new();
        let mut sides = [f.array(), f.array()];
        let mut roots = vec![];
        for number in 0..many {
            let (i, e) = (f.byte_of(number % 256), f.byte_of(1));
            sides = sides.map(|side| f.write(side, i, e));
            if read {
                roots.extend(sides.map(|side| f.read(side, e)));
            }
        }
        let equal = f.eq(sides[0], sides[1]);
        f.is(equal, 1);
        roots.push(equal);
        let found = f.check(&roots, &Deadline::new(&Stop::new(), 20_000));
        assert_eq!(matches!(found, Refinement::Unknown(Why::Budget)), stopped, "{many}");
    }
}
