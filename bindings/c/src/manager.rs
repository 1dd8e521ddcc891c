//! A manager: the pool of terms, the numbers of sorts, and the solvers over them.
//!
//! Terms have their place in the pool for a number, which is checked against its length, so an invented one
//! is refused. Sorts are numbered as they are first returned. Everything lives as long as the manager: terms
//! that a program may still hold cannot be collected behind its back.

use crate::checker::Checker;
use crate::fault::{Fault, Outcome, Status};
use crate::handles::{Handle, bivalve_manager, bivalve_solver, bivalve_sort, bivalve_term};
use crate::registry::{self, Registry, locked};
use bivalve::Stop;
use bivalve::terms::{Pool, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Mutex;

thread_local! {
    static MANAGERS: Registry<Manager> = Registry::default();
}

/// The stop handles of live solvers, which are used from any thread.
static STOPS: Mutex<BTreeMap<u64, Stop>> = Mutex::new(BTreeMap::new());

/// Terms and solvers of one program.
pub(crate) struct Manager {
    number: u32,
    pub(crate) pool: Pool,
    sorts: Vec<Sort>,
    sort_numbers: FxHashMap<Sort, u32>,
    checkers: BTreeMap<u32, Checker>,
    next_checker: u32,
    /// The symbols of each name that was declared last, in order.
    named: BTreeMap<String, Term>,
}

/// Makes a manager.
pub(crate) fn make() -> Outcome<bivalve_manager> {
    let number = registry::enter(&MANAGERS, |number| Manager {
        number,
        pool: Pool::new(),
        sorts: vec![],
        sort_numbers: FxHashMap::default(),
        checkers: BTreeMap::new(),
        next_checker: 0,
        named: BTreeMap::new(),
    });
    Ok(bivalve_manager::at(number?, 0))
}

/// Frees a manager with all that it owns.
pub(crate) fn free(manager: bivalve_manager) -> Outcome<()> {
    registry::remove(&MANAGERS, manager.parts()?.0, "manager")
}

/// Does something with the manager of a handle, given the place of the handle in it.
pub(crate) fn within<H: Handle, R>(
    handle: H,
    body: impl FnOnce(&mut Manager, u32) -> Outcome<R>,
) -> Outcome<R> {
    let (number, place) = handle.parts()?;
    registry::with(&MANAGERS, number, "manager", |manager| body(manager, place))
}

/// Does something with a solver and the pool of its manager.
pub(crate) fn with_solver<R>(
    solver: bivalve_solver,
    body: impl FnOnce(&mut Checker, &mut Pool) -> Outcome<R>,
) -> Outcome<R> {
    within(solver, |manager, place| manager.with_checker(place, body))
}

/// The same, with terms of the manager, of which handles are given.
pub(crate) fn with_solver_and<R>(
    solver: bivalve_solver,
    terms: &[bivalve_term],
    body: impl FnOnce(&mut Checker, &mut Pool, &[Term]) -> Outcome<R>,
) -> Outcome<R> {
    within(solver, |manager, place| {
        let terms = manager.terms(terms)?;
        let checker = manager.checkers.get_mut(&place).ok_or_else(freed)?;
        body(checker, &mut manager.pool, &terms)
    })
}

fn freed() -> Fault {
    Fault::new(Status::Handle, "the solver was freed, or never was one")
}

/// The stop handle of a solver, from any thread.
pub(crate) fn stop_of(solver: bivalve_solver) -> Outcome<Stop> {
    solver.parts()?;
    locked(&STOPS).get(&solver.id).cloned().ok_or_else(freed)
}

impl Manager {
    pub(crate) fn add_solver(&mut self) -> Outcome<bivalve_solver> {
        let place = self.next_checker;
        self.next_checker = place.checked_add(1).ok_or_else(|| Fault::state("no more solvers"))?;
        let (checker, handle) = (Checker::new(), bivalve_solver::at(self.number, place));
        locked(&STOPS).insert(handle.id, checker.stop());
        self.checkers.insert(place, checker);
        Ok(handle)
    }

    pub(crate) fn free_solver(&mut self, place: u32) -> Outcome<()> {
        self.checkers.remove(&place).ok_or_else(freed)?;
        locked(&STOPS).remove(&bivalve_solver::at(self.number, place).id);
        Ok(())
    }

    /// The term of a handle.
    pub(crate) fn term(&self, handle: bivalve_term) -> Outcome<Term> {
        let place = handle.place_in(self.number)?;
        self.term_at(place)
    }

    pub(crate) fn term_at(&self, place: u32) -> Outcome<Term> {
        let is_there = (place as usize) < self.pool.len();
        let missing = || Fault::new(Status::Handle, "the handle is of no term that was made");
        if is_there { Ok(self.pool.nth(place as usize)) } else { Err(missing()) }
    }

    pub(crate) fn terms(&self, handles: &[bivalve_term]) -> Outcome<Vec<Term>> {
        handles.iter().map(|&handle| self.term(handle)).collect()
    }

    pub(crate) fn own_handle(&self) -> bivalve_manager {
        bivalve_manager::at(self.number, 0)
    }

    pub(crate) fn handle(&self, term: Term) -> bivalve_term {
        bivalve_term::at(self.number, term.index() as u32)
    }

    pub(crate) fn sort(&self, handle: bivalve_sort) -> Outcome<Sort> {
        let place = handle.place_in(self.number)?;
        self.sort_at(place)
    }

    pub(crate) fn sort_at(&self, place: u32) -> Outcome<Sort> {
        let missing = || Fault::new(Status::Handle, "the handle is of no sort that was made");
        self.sorts.get(place as usize).copied().ok_or_else(missing)
    }

    pub(crate) fn sorts(&self, handles: &[bivalve_sort]) -> Outcome<Vec<Sort>> {
        handles.iter().map(|&handle| self.sort(handle)).collect()
    }

    pub(crate) fn sort_handle(&mut self, sort: Sort) -> bivalve_sort {
        let next = self.sorts.len() as u32;
        let number = *self.sort_numbers.entry(sort).or_insert(next);
        if number == next {
            self.sorts.push(sort);
        }
        bivalve_sort::at(self.number, number)
    }

    /// A new symbol under a name, by which it is found from then on.
    pub(crate) fn declare(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.pool.symbol(name, sort);
        self.named.insert(name.to_owned(), symbol);
        symbol
    }

    pub(crate) fn named(&self, name: &str) -> Option<Term> {
        self.named.get(name).copied()
    }

    /// Does something with a solver of the manager and the pool.
    pub(crate) fn with_checker<R>(
        &mut self,
        place: u32,
        body: impl FnOnce(&mut Checker, &mut Pool) -> Outcome<R>,
    ) -> Outcome<R> {
        let checker = self.checkers.get_mut(&place).ok_or_else(freed)?;
        body(checker, &mut self.pool)
    }

    /// Asks a solver of the manager.
    pub(crate) fn of_solver<R>(
        &self,
        solver: bivalve_solver,
        ask: impl FnOnce(&Checker) -> Outcome<R>,
    ) -> Outcome<R> {
        ask(self.checkers.get(&solver.place_in(self.number)?).ok_or_else(freed)?)
    }

    /// Asserts formulas, all or none.
    pub(crate) fn assert_all(&mut self, place: u32, formulas: &[Term]) -> Outcome<()> {
        let checker = self.checkers.get_mut(&place).ok_or_else(freed)?;
        checker.assert_all(&self.pool, formulas)
    }

    /// Reads SMT-LIB text that may mention the symbols of the manager, under the limits of the solver at this
    /// place; its assertions. Nothing is declared if something is refused.
    pub(crate) fn read(&mut self, place: u32, text: &str) -> Outcome<Vec<Term>> {
        let known: Vec<Term> = self.named.values().copied().collect();
        let checker = self.checkers.get(&place).ok_or_else(freed)?;
        checker.begin();
        let stop = checker.stop();
        let formulas = crate::text::read_smtlib(&mut self.pool, &known, text, || stop.reason())?;
        for symbol in formulas.declared {
            let name = self.pool.name(symbol).unwrap_or_default().to_owned();
            self.named.insert(name, symbol);
        }
        Ok(formulas.assertions)
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let mut stops = locked(&STOPS);
        for &place in self.checkers.keys() {
            stops.remove(&bivalve_solver::at(self.number, place).id);
        }
    }
}
