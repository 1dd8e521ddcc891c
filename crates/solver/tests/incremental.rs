//! Random sessions against truth tables: whatever is pushed, popped, asserted and assumed, and with whatever
//! settings, the answer is that of the reference semantics, models hold, and what is to blame for unsat is
//! unsatisfiable by itself.
//!
//! Five symbols of one or two bits have 256 assignments, so a formula is a table of 256 truth values, made by
//! the reference semantics when the formula is made, and a check is a conjunction of tables. Many formulas
//! are definitions, since these are what scopes can get wrong; bursts of assertions go beyond the number that
//! is assumed one by one; the solver is told to look for dead gates from the first one. A second test does
//! the same at eight bits against a solver that is made for each check.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::testing::TermGen;
use bivalve::terms::{
    Assignment, BitVec, Evaluator, Op, Pool, Renaming, Sort, Substitution, Term, cone, eval,
};
use bivalve::{CheckResult, Settings, Solver};

/// A truth value for each assignment.
type Table = Vec<bool>;

/// Makes formulas over five symbols.
struct Formulas {
    pool: Pool,
    words: Vec<Term>,
    bits: Vec<Term>,
    width: u32,
    random: TermGen,
    /// All assignments, as long as they can be listed.
    assignments: Vec<Assignment>,
}

impl Formulas {
    fn new(seed: u64, width: u32) -> Formulas {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(width).unwrap();
        let words: Vec<Term> = ["x", "y", "z"].iter().map(|name| pool.symbol(name, sort)).collect();
        let bits: Vec<Term> = ["p", "q"].iter().map(|name| pool.symbol(name, Sort::BOOL)).collect();
        let mut random = TermGen::new(seed);
        random.max_width = width;
        let assignments =
            if width > 2 { vec![] } else { (0..256).map(|c| decode(c, &words, &bits)).collect() };
        Formulas { pool, words, bits, width, random, assignments }
    }

    /// Follows a compaction of the pool.
    fn rename(&mut self, renaming: &Renaming) {
        self.words.iter_mut().chain(&mut self.bits).for_each(|symbol| *symbol = renaming.of(*symbol));
        self.random.forget();
        let Formulas { words, bits, assignments, .. } = self;
        assignments.iter_mut().zip(0..).for_each(|(a, code)| *a = decode(code, words, bits));
    }

    /// A random term over the five symbols.
    fn term(&mut self, sort: Sort, size: usize) -> Term {
        let term = self.random.term(&mut self.pool, sort, size);
        let mut renaming = Substitution::new();
        let mut symbols = cone(&self.pool, &[term]);
        symbols.retain(|&t| self.pool.op(t) == Op::Symbol);
        for symbol in symbols {
            let sort = self.pool.sort(symbol);
            let image = match sort.width() {
                None if sort.is_bool() => self.any_bit(),
                // Arrays and functions are those of the generator, which are few as well.
                None => continue,
                Some(width) if width == self.width => self.any_word(),
                Some(width) => {
                    let value = self.random.rng().u64(..);
                    self.pool.bv_u64(value, width)
                }
            };
            renaming.insert(&self.pool, symbol, image);
        }
        renaming.apply(&mut self.pool, term)
    }

    fn any_word(&mut self) -> Term {
        self.words[self.random.rng().usize(..self.words.len())]
    }

    fn any_bit(&mut self) -> Term {
        self.bits[self.random.rng().usize(..self.bits.len())]
    }

    /// A formula; often a definition.
    fn formula(&mut self) -> Term {
        match self.random.rng().u8(..8) {
            0 | 1 => {
                let word = self.any_word();
                let value = self.term(Sort::bitvec(self.width).unwrap(), 3);
                self.pool.mk(Op::Eq, &[word, value])
            }
            2 => self.any_bit(),
            3 => {
                let bit = self.any_bit();
                self.pool.mk(Op::Not, &[bit])
            }
            4 => {
                let (bit, value) = (self.any_bit(), self.term(Sort::BOOL, 3));
                self.pool.mk(Op::Eq, &[bit, value])
            }
            5 => {
                let (a, b) = (self.formula(), self.formula());
                self.pool.mk(Op::Or, &[a, b])
            }
            _ => self.term(Sort::BOOL, 6),
        }
    }

    /// Something that is nearly always true, so that many of them can be asserted.
    fn weak(&mut self) -> Term {
        let disjuncts: Vec<Term> = (0..3).map(|_| self.formula()).collect();
        self.pool.mk(Op::Or, &disjuncts)
    }

    fn table(&self, formula: Term) -> Table {
        self.assignments.iter().map(|a| eval(&self.pool, formula, a).expect_bool()).collect()
    }
}

fn decode(code: u64, words: &[Term], bits: &[Term]) -> Assignment {
    let mut assignment = Assignment::new();
    words.iter().zip(0..).for_each(|(&w, i)| assignment.set(w, BitVec::from_u64(code >> (2 * i), 2)));
    bits.iter().zip(6..).for_each(|(&b, i)| assignment.set(b, code >> i & 1 == 1));
    assignment
}

/// Is there an assignment that all tables allow?
fn satisfiable<'a>(tables: impl Iterator<Item = &'a Table>) -> bool {
    let mut all = vec![true; 256];
    tables.for_each(|table| all.iter_mut().zip(table).for_each(|(a, &b)| *a &= b));
    all.contains(&true)
}

/// What the stack should hold.
#[derive(Default)]
struct Mirror {
    /// Where each open level begins.
    marks: Vec<usize>,
    assertions: Vec<(Term, Table, bool)>,
}

/// How much of each kind was seen, so that a test cannot become empty unnoticed.
#[derive(Default, Debug)]
struct Seen {
    sat: usize,
    unsat: usize,
    cores: usize,
    failed: usize,
    rebuilds: u64,
}

struct Session {
    formulas: Formulas,
    solver: Solver,
    mirror: Mirror,
    minimize: bool,
    /// The pool is rebuilt at each pop.
    compacts: bool,
    seen: Seen,
    /// Names the run in messages.
    run: String,
}

impl Session {
    fn new(seed: u64, settings: &Settings) -> Session {
        Session {
            formulas: Formulas::new(seed, 2),
            solver: Solver::new(settings.clone()),
            mirror: Mirror::default(),
            minimize: settings.get("minimize-core").unwrap() == "on",
            compacts: seed.is_multiple_of(2),
            seen: Seen::default(),
            run: format!("seed {seed}, {settings:?}"),
        }
    }

    fn assert(&mut self, formula: Term, tracked: bool) {
        let table = self.formulas.table(formula);
        if tracked {
            let number = self.solver.assert_tracked(&self.formulas.pool, formula).unwrap();
            assert_eq!(number, self.mirror.assertions.iter().filter(|(.., tracked)| *tracked).count());
        } else {
            self.solver.assert(&self.formulas.pool, formula).unwrap();
        }
        self.mirror.assertions.push((formula, table, tracked));
    }

    fn step(&mut self) {
        match self.formulas.random.rng().u8(..20) {
            0..3 => {
                let levels = self.formulas.random.rng().usize(1..3);
                self.solver.push(levels as u64).unwrap();
                self.mirror.marks.extend(vec![self.mirror.assertions.len(); levels]);
            }
            3..6 => {
                let levels = self.formulas.random.rng().usize(1..4);
                let popped = self.solver.pop(levels as u64);
                assert_eq!(popped.is_ok(), levels <= self.mirror.marks.len(), "{}", self.run);
                for _ in 0..if popped.is_ok() { levels } else { 0 } {
                    self.mirror.assertions.truncate(self.mirror.marks.pop().unwrap());
                }
                if self.compacts {
                    self.compact();
                }
            }
            6..10 => {
                let formula = self.formulas.formula();
                self.assert(formula, false);
            }
            10 | 11 => {
                let formula = self.formulas.formula();
                self.assert(formula, true);
            }
            12 if self.formulas.random.rng().u8(..4) == 0 => {
                for _ in 0..34 {
                    let formula = self.formulas.weak();
                    self.assert(formula, false);
                }
            }
            14..17 => {
                let assumptions: Vec<Term> =
                    (0..self.formulas.random.rng().usize(1..5)).map(|_| self.formulas.formula()).collect();
                self.check(&assumptions);
            }
            _ => self.check(&[]),
        }
        assert_eq!(self.solver.levels(), self.mirror.marks.len() as u64);
        assert!(self.solver.assertions().iter().eq(self.mirror.assertions.iter().map(|(term, ..)| term)));
    }

    /// Rebuilds the pool and gives everybody the new names.
    fn compact(&mut self) {
        let Session { formulas, solver, mirror, .. } = self;
        let mut in_use = solver.in_use();
        in_use.extend(formulas.words.iter().chain(&formulas.bits));
        let renaming = formulas.pool.compact(&in_use);
        solver.rename(&renaming);
        formulas.rename(&renaming);
        mirror.assertions.iter_mut().for_each(|(term, ..)| *term = renaming.of(*term));
    }

    fn check(&mut self, assumptions: &[Term]) {
        let Session { formulas, solver, mirror, run, .. } = self;
        let assumed: Vec<Table> = assumptions.iter().map(|&a| formulas.table(a)).collect();
        let expected = satisfiable(mirror.assertions.iter().map(|(_, table, _)| table).chain(&assumed));
        let answer = solver.check_assuming(&mut formulas.pool, assumptions);
        let answer = answer.unwrap_or_else(|fault| panic!("{run}: {fault}"));
        assert_eq!(answer, if expected { CheckResult::Sat } else { CheckResult::Unsat }, "{run}");
        if expected {
            self.seen.sat += 1;
            assert!(solver.unsat_core().is_none() && solver.unsat_assumptions().is_none());
            let model = solver.model().expect("a model after sat");
            let mut evaluator = Evaluator::new(&formulas.pool, model.assignment());
            let all = mirror.assertions.iter().map(|(term, ..)| term).chain(assumptions);
            all.for_each(|&term| assert!(evaluator.eval(term).expect_bool(), "{run}"));
            return;
        }
        assert!(solver.model().is_none());
        let core = solver.unsat_core().expect("a core after unsat").to_vec();
        let failed = solver.unsat_assumptions().expect("failed assumptions after unsat").to_vec();
        self.judge(&core, &failed, &assumed);
        // A contradictory stack has nothing more to tell.
        match (failed.is_empty(), self.mirror.marks.pop()) {
            (true, Some(mark)) => {
                self.solver.pop(1).unwrap();
                self.mirror.assertions.truncate(mark);
            }
            (true, None) => {
                self.solver.reset_assertions();
                self.mirror = Mirror::default();
            }
            (false, mark) => self.mirror.marks.extend(mark),
        }
    }

    /// What is to blame, with all that is untracked, must be unsatisfiable; no member is redundant if
    /// minimal.
    fn judge(&mut self, core: &[usize], failed: &[usize], assumed: &[Table]) {
        let run = &self.run;
        let tables = |wanted: bool| {
            let all = self.mirror.assertions.iter().filter(move |(.., tracked)| *tracked == wanted);
            all.map(|(_, table, _)| table).collect::<Vec<_>>()
        };
        let (plain, tracked) = (tables(false), tables(true));
        let members: Vec<&Table> =
            core.iter().map(|&i| tracked[i]).chain(failed.iter().map(|&i| &assumed[i])).collect();
        assert!(core.windows(2).chain(failed.windows(2)).all(|pair| pair[0] < pair[1]), "{run}");
        assert!(
            !satisfiable(plain.iter().copied().chain(members.iter().copied())),
            "{run}: {core:?} {failed:?}"
        );
        if self.minimize {
            for redundant in 0..members.len() {
                let rest =
                    members.iter().enumerate().filter(|&(i, _)| i != redundant).map(|(_, &table)| table);
                assert!(satisfiable(plain.iter().copied().chain(rest)), "{run}: {core:?} {failed:?}");
            }
        }
        self.seen.unsat += 1;
        self.seen.cores += usize::from(core.len() > 1);
        self.seen.failed += usize::from(failed.len() > 1);
    }
}

/// Settings under which the answers must be the same.
fn settings(sat: &str) -> Vec<Settings> {
    let mut all = vec![];
    let mut approximations = ["sign", "zero", "one", "classes"]
        .into_iter()
        .flat_map(|approx| [(approx, "local"), (approx, "global")]);
    for (rewrite_level, rewrite_from) in [(0, 0), (2, 0), (2, 150), (3, 0), (1, 1)] {
        for (probe, minimize_core, rebuild_from) in [(false, false, 0), (true, true, 1 << 30)] {
            // The first without any.
            let next = if all.is_empty() { None } else { approximations.next() };
            let (approx, approx_refine) = next.unwrap_or(("none", "global"));
            // Products and quotients of two bits are abstracted as well.
            let rest = Settings::builder().abstract_from(u32::from(rebuild_from == 0) * 2).build();
            all.push(
                rest.to_builder()
                    .sat(sat)
                    .unwrap()
                    .rewrite_level(rewrite_level)
                    .rewrite_from(rewrite_from)
                    .probe(probe)
                    .minimize_core(minimize_core)
                    .rebuild_from(rebuild_from)
                    .afresh_after(rebuild_from % 2 + 1)
                    .approx(approx)
                    .unwrap()
                    .approx_refine(approx_refine)
                    .unwrap()
                    .build(),
            );
        }
    }
    all
}

fn sessions(sat: &str, seeds: u64, steps: usize) {
    let mut total = Seen::default();
    for settings in settings(sat) {
        for seed in 0..seeds {
            let mut session = Session::new(seed, &settings);
            (0..steps).for_each(|_| session.step());
            let Seen { sat, unsat, cores, failed, .. } = session.seen;
            total.sat += sat;
            total.unsat += unsat;
            total.cores += cores;
            total.failed += failed;
            total.rebuilds += session.solver.statistics(&session.formulas.pool).rebuilds;
        }
    }
    let Seen { sat: sats, unsat, cores, failed, rebuilds } = total;
    let least = seeds as usize;
    assert!(sats > least && unsat > least && cores > least / 2 && failed > least / 2, "{total:?}");
    assert!(rebuilds > seeds / 4, "{total:?}");
}

#[cfg(feature = "cadical")]
#[test]
fn sessions_on_cadical_mean_what_the_tables_say() {
    sessions("cadical", 6, 120);
}

#[cfg(feature = "batsat")]
#[test]
fn sessions_on_batsat_mean_what_the_tables_say() {
    sessions("batsat", 6, 120);
}

#[test]
fn sessions_on_a_backend_that_starts_over_mean_what_the_tables_say() {
    sessions("naive", 4, 100);
}

/// An encoding, or none, and a policy.
fn approximation(seed: u64) -> (&'static str, &'static str) {
    let encodings = ["none", "sign", "zero", "one", "classes"];
    (encodings[(seed % 5) as usize], ["global", "local"][(seed / 5 % 2) as usize])
}

/// Sessions that end soon after something came that loose steps have to be taken back for.
#[test]
fn short_sessions_mean_what_the_tables_say() {
    let mut restarts = 0;
    let all = settings(&Settings::default().get("sat").unwrap());
    for (settings, seed) in
        all.iter().filter(|settings| settings.get("rewrite-from").unwrap() == "0").cycle().zip(1000..1300)
    {
        let mut session = Session::new(seed, settings);
        (0..16).for_each(|_| session.step());
        restarts += session.solver.statistics(&session.formulas.pool).restarts;
    }
    assert!(restarts > 5, "{restarts} restarts: too easy");
}

/// A session beside solvers that are made for each check; how many answers were sat, and how many unsat.
fn beside_fresh_solvers(seed: u64, settings: &Settings, formulas: &mut Formulas, steps: usize) -> [usize; 2] {
    let mut seen = [0; 2];
    let mut solver = Solver::new(settings.clone());
    for _ in 0..steps {
        match formulas.random.rng().u8(..6) {
            0 => solver.push(1).unwrap(),
            1 => drop(solver.pop(1)),
            2 | 3 => {
                let formula = formulas.formula();
                solver.assert(&formulas.pool, formula).unwrap();
            }
            _ => {
                let assumption = formulas.formula();
                let answer = solver.check_assuming(&mut formulas.pool, &[assumption]).unwrap();
                let mut fresh = Solver::new(settings.to_builder().approx("none").unwrap().build());
                for &formula in solver.assertions().iter().chain(&[assumption]) {
                    fresh.assert(&formulas.pool, formula).unwrap();
                }
                assert_eq!(answer, fresh.check(&mut formulas.pool).unwrap(), "seed {seed}, {settings:?}");
                assert!(!matches!(answer, CheckResult::Unknown(_)), "seed {seed}, {settings:?}");
                seen[usize::from(answer == CheckResult::Unsat)] += 1;
            }
        }
    }
    seen
}

/// The long-lived solver and one that is made for the check agree at eight bits.
#[test]
fn a_session_answers_as_solvers_made_for_each_check_do() {
    let mut total = [0; 2];
    for seed in 0..40 {
        let (approx, approx_refine) = approximation(seed);
        let settings = Settings::builder()
            .rewrite_from(seed % 2 * 150)
            .rebuild_from(seed * 100)
            .afresh_after(seed % 3)
            .approx(approx)
            .unwrap()
            .approx_refine(approx_refine)
            .unwrap()
            .approx_width((seed % 3 + 1) as u32)
            .build();
        let seen = beside_fresh_solvers(seed, &settings, &mut Formulas::new(seed, 8), 60);
        total = [total[0] + seen[0], total[1] + seen[1]];
    }
    assert!(total.into_iter().all(|count| count > 100), "{total:?} sat and unsat: too easy");
}

/// The same with arrays and functions, whose lemmas outlive the levels they were found on.
#[test]
fn a_session_over_arrays_answers_as_solvers_made_for_each_check_do() {
    let mut total = [0; 2];
    for seed in 0..60 {
        let mut formulas = Formulas::new(seed, 3);
        formulas.random.arrays = true;
        formulas.random.functions = true;
        let arrays = [Op::Select, Op::Store, Op::Select, Op::Eq];
        formulas.random.ops.extend(arrays.iter().cycle().take(40));
        let probe = seed % 3 == 0;
        let (approx, approx_refine) = approximation(seed);
        let rest = Settings::builder().approx(approx).unwrap().approx_refine(approx_refine).unwrap().build();
        let settings =
            rest.to_builder().rewrite_from(seed % 2 * 150).rebuild_from(seed * 20).probe(probe).build();
        let seen = beside_fresh_solvers(seed, &settings, &mut formulas, 60);
        total = [total[0] + seen[0], total[1] + seen[1]];
    }
    assert!(total.into_iter().all(|count| count > 100), "{total:?} sat and unsat: too easy");
}
