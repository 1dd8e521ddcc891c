//! The functions of `bivalve.h` under wrong arguments, at random: whatever a program does, a call returns.
//!
//! Handles are picked among those of several managers, freed ones included, and among made-up numbers;
//! widths, kinds, counts and texts are wrong as often as right. A call that fails has to say why; one that
//! succeeds returns what other calls take. `BIVALVE_FUZZ_CALLS` sets the number of calls.
#![allow(clippy::disallowed_methods, reason = "a test has an environment")]
#![allow(unsafe_code, reason = "it calls what C programs call")]

use bivalve_c::*;
use fastrand::Rng;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

const TEXTS: [&CStr; 16] = [
    c"x",
    c"",
    c"1011",
    c"-7",
    c"ff",
    c"bvadd",
    c"|a b|",
    c"(assert (= a a))",
    c"(declare-const q (_ BitVec 4)) (assert (bvult q #x3))",
    c"(assert (",
    c"\xff\xfe",
    c"smt2",
    c"0.1",
    c"-1/3",
    c"inf",
    c"(declare-const f (_ FloatingPoint 2 3)) (assert (fp.lt f ((_ to_fp 2 3) RNE 0.5)))",
];

/// What a run has at hand.
struct World {
    rng: Rng,
    managers: Vec<bivalve_manager>,
    sorts: Vec<bivalve_sort>,
    terms: Vec<bivalve_term>,
    solvers: Vec<bivalve_solver>,
    failed: u64,
    worked: u64,
}

macro_rules! picks {
    ($($name:ident $list:ident $handle:ident;)*) => {
        $(fn $name(&mut self) -> $handle {
            match self.rng.u32(0..40) {
                0 => $handle { id: 0 },
                1 => $handle { id: self.rng.u64(..) },
                2 => $handle { id: self.terms.last().map_or(7, |term| term.id) },
                _ if self.$list.is_empty() => $handle { id: 1 },
                // Mostly one that was made a short time ago.
                _ => {
                    let from = self.$list.len().saturating_sub(if self.rng.u32(0..8) == 0 { usize::MAX } else { 12 });
                    self.$list[self.rng.usize(from..self.$list.len())]
                }
            }
        })*
    };
}

impl World {
    picks! {
        manager managers bivalve_manager;
        sort sorts bivalve_sort;
        term terms bivalve_term;
        solver solvers bivalve_solver;
    }

    fn text(&mut self) -> *const c_char {
        if self.rng.u32(0..20) == 0 { null() } else { TEXTS[self.rng.usize(0..TEXTS.len())].as_ptr() }
    }

    fn width(&mut self) -> u32 {
        match self.rng.u32(0..30) {
            0 => 0,
            1 => u32::MAX,
            2 => (1 << 24) + 1,
            3 => self.rng.u32(..),
            4 => self.rng.u32(60..140),
            _ => self.rng.u32(1..9),
        }
    }

    fn kind(&mut self) -> u32 {
        if self.rng.u32(0..30) == 0 { self.rng.u32(..) } else { self.rng.u32(0..114) }
    }

    /// Counts a call, which has to say why it failed.
    fn note(&mut self, worked: bool) {
        if worked {
            self.worked += 1;
            return;
        }
        self.failed += 1;
        let message = unsafe { CStr::from_ptr(bivalve_error()) };
        assert_ne!(bivalve_error_code(), Status::Ok);
        assert_ne!(bivalve_error_code(), Status::Internal, "{message:?}");
        assert!(!message.is_empty());
        bivalve_clear_error();
    }

    fn note_term(&mut self, term: bivalve_term) {
        self.note(term.id != 0);
        // Wide terms are made, but not built upon, so that a run stays short.
        if term.id != 0 && bivalve_term_width(term) < 200 {
            self.terms.push(term);
        }
        bivalve_clear_error();
    }

    fn note_sort(&mut self, sort: bivalve_sort) {
        self.note(sort.id != 0);
        if sort.id != 0 {
            self.sorts.push(sort);
        }
    }

    fn note_text(&mut self, text: *const c_char) {
        self.note(!text.is_null());
        if !text.is_null() {
            assert!(unsafe { CStr::from_ptr(text) }.to_str().is_ok());
        }
    }

    fn note_status(&mut self, status: Status) {
        self.note(status == Status::Ok);
    }

    fn sort_call(&mut self) {
        let (manager, first, second) = (self.manager(), self.sort(), self.sort());
        let sort = match self.rng.u32(0..8) {
            0 => bivalve_sort_bool(manager),
            1..=3 => bivalve_sort_bv(manager, self.width()),
            4 => bivalve_sort_array(manager, first, second),
            5 => {
                let count = self.rng.usize(0..3);
                let address = if self.rng.u32(0..9) == 0 { null() } else { [first, second].as_ptr() };
                let parameters = [first, second];
                let address = if address.is_null() { address } else { parameters.as_ptr() };
                unsafe { bivalve_sort_function(manager, count, address, second) }
            }
            6 if self.rng.bool() => match self.rng.u32(0..3) {
                0 => bivalve_sort_rounding_mode(manager),
                1 => bivalve_sort_float(manager, self.rng.u32(0..5), self.rng.u32(0..6)),
                _ => bivalve_sort_float(manager, self.width(), self.width()),
            },
            6 => unsafe { bivalve_sort_declare(manager, self.text()) },
            _ => bivalve_sort_parameter(first, self.rng.usize(0..3)),
        };
        self.note_sort(sort);
        match self.rng.u32(0..5) {
            4 => {
                self.note(bivalve_sort_exponent_bits(first) != 0);
                self.note(bivalve_sort_significand_bits(second) != 0);
            }
            0 => self.note_text(bivalve_sort_text(first)),
            1 => self.note(bivalve_sort_kind(first) != SortTag::None),
            2 => self.note(bivalve_sort_width(first) != 0),
            _ => {
                let result = bivalve_sort_result(first);
                self.note_sort(result);
                let _ = bivalve_sort_arity(first);
                bivalve_clear_error();
            }
        }
    }

    fn leaf_call(&mut self) {
        let (manager, sort, term) = (self.manager(), self.sort(), self.term());
        let made = match self.rng.u32(0..12) {
            8 => bivalve_mk_rounding_mode(manager, self.rng.u32(0..6)),
            9 => bivalve_mk_double(manager, sort, f64::from_bits(self.rng.u64(..))),
            10 => unsafe { bivalve_mk_float(manager, sort, self.text(), self.rng.u32(0..6)) },
            11 => unsafe {
                let base = [2, 10, 16, 7][self.rng.usize(0..4)];
                bivalve_mk_float_bits(manager, sort, self.text(), base)
            },
            0 => bivalve_mk_bool(manager, self.rng.bool()),
            1 => bivalve_mk_bv(manager, self.rng.u64(0..20), self.width()),
            2 => unsafe {
                let base = [2, 10, 16, 7][self.rng.usize(0..4)];
                bivalve_mk_bv_digits(manager, self.text(), base, self.width())
            },
            3..=5 => unsafe { bivalve_mk_symbol(manager, self.text(), sort) },
            6 => unsafe { bivalve_lookup(manager, self.text()) },
            _ => bivalve_mk_const_array(manager, sort, term),
        };
        self.note_term(made);
    }

    fn operator_call(&mut self) {
        let (manager, kind) = (self.manager(), self.kind());
        let terms = [self.term(), self.term(), self.term()];
        let made = match self.rng.u32(0..9) {
            0 => unsafe { bivalve_mk(manager, kind, self.rng.usize(0..4), terms.as_ptr()) },
            1 => unsafe { bivalve_mk(manager, kind, 2, null()) },
            2 => unsafe { bivalve_mk(manager, kind, usize::MAX, terms.as_ptr()) },
            3 => bivalve_mk1(kind, terms[0]),
            4 | 5 => bivalve_mk2(kind, terms[0], terms[1]),
            6 => bivalve_mk3(kind, terms[0], terms[1], terms[2]),
            7 if self.rng.bool() => unsafe {
                let indices = [self.rng.u32(0..6), self.rng.u32(0..6)];
                let (count, given) = (self.rng.usize(0..3), self.rng.usize(0..3));
                bivalve_mk_indexed(manager, kind, count, terms.as_ptr(), given, indices.as_ptr())
            },
            7 => bivalve_mk1_indexed(kind, self.width(), terms[0]),
            _ => bivalve_extract(self.width(), self.rng.u32(0..4), terms[0]),
        };
        self.note_term(made);
    }

    fn look(&mut self) {
        let (term, other) = (self.term(), self.term());
        match self.rng.u32(0..8) {
            0 => self.note_text(bivalve_term_text(term)),
            1 => self.note_text(bivalve_term_name(term)),
            2 => self.note(bivalve_term_kind(term) != Kind::None),
            3 => {
                let sort = bivalve_term_sort(term);
                self.note_sort(sort);
            }
            4 => {
                let argument = bivalve_term_argument(term, self.rng.usize(0..3));
                self.note_term(argument);
            }
            5 => {
                let _ =
                    (bivalve_term_arity(term), bivalve_term_index_count(term), bivalve_term_index(term, 0));
                bivalve_clear_error();
            }
            6 => {
                let made = unsafe { bivalve_substitute(term, 1, &other, &term) };
                self.note_term(made);
            }
            _ => {
                let mut value = 0;
                let status = unsafe { bivalve_constant_u64(term, &mut value) };
                self.note_status(status);
                self.note_text(bivalve_constant_digits(term, 16));
                let mut double = 0.0;
                let status = unsafe { bivalve_constant_double(term, &mut double) };
                self.note_status(status);
            }
        }
    }

    fn solver_call(&mut self) {
        let (solver, formula) = (self.solver(), self.term());
        let mut count = 0;
        match self.rng.u32(0..14) {
            0 | 1 => self.note_status(bivalve_assert(solver, formula)),
            2 => self.note_status(bivalve_assert_tracked(solver, formula)),
            3 => {
                let outcome = bivalve_push(solver, if self.rng.u32(0..9) == 0 { u64::MAX } else { 1 });
                self.note_status(outcome);
            }
            4 => {
                let outcome = bivalve_pop(solver, self.rng.u64(0..3));
                self.note_status(outcome);
            }
            5 => self.note(bivalve_check(solver) != Answer::Error),
            6 => {
                let assumed = [formula, self.term()];
                let checked = unsafe { bivalve_check_assuming(solver, 2, assumed.as_ptr()) };
                self.note(checked != Answer::Error);
                self.note(bivalve_is_failed(solver, formula) >= 0);
            }
            7 => unsafe {
                let mut terms = [bivalve_term { id: 0 }; 2];
                let status = match self.rng.u32(0..3) {
                    0 => bivalve_unsat_core(solver, terms.as_mut_ptr(), 2, &mut count),
                    1 => bivalve_failed_assumptions(solver, null_mut(), 2, &mut count),
                    _ => bivalve_assertions(solver, terms.as_mut_ptr(), 2, null_mut()),
                };
                self.note_status(status);
            },
            8 => {
                let outcome = unsafe { bivalve_set_option(solver, self.text(), self.text()) };
                self.note_status(outcome);
            }
            9 => {
                let outcome = unsafe { bivalve_option(solver, self.text()) };
                self.note_text(outcome);
            }
            10 => {
                let outcome = unsafe { bivalve_print(solver, self.text()) };
                self.note_text(outcome);
            }
            11 => {
                let outcome = unsafe { bivalve_parse(solver, self.text()) };
                self.note_status(outcome);
            }
            12 => {
                self.note_status(bivalve_interrupt(solver));
                self.note_status(bivalve_clear_interrupt(solver));
                self.note_text(bivalve_reason_unknown(solver));
            }
            _ => self.note_status(bivalve_reset_assertions(solver)),
        }
    }

    /// Listings and interpolants may take as many checks as words have values, so they have a limit of time.
    fn question_call(&mut self) {
        let (solver, mut terms) = (self.solver(), [self.term(), self.term(), self.term()]);
        bivalve_set_limits(solver, 50, 100_000, 20);
        bivalve_clear_error();
        let (mut count, mut is_exact, mut found) = (0, false, [bivalve_term { id: 0 }; 2]);
        let address = if self.rng.u32(0..9) == 0 { null() } else { terms.as_ptr() };
        match self.rng.u32(0..9) {
            0 => {
                let state = if self.rng.bool() { bivalve_minimize } else { bivalve_maximize };
                let stated = state(solver, terms[0], self.rng.bool());
                self.note_status(stated);
            }
            1 => {
                let weight = if self.rng.bool() { c"-1/3".as_ptr() } else { self.text() };
                let status = unsafe { bivalve_assert_soft(solver, terms[0], weight, self.text()) };
                self.note_status(status);
            }
            2 => self.note_status(unsafe { bivalve_objective_count(solver, &mut count) }),
            3 => {
                let (priority, count) = (self.rng.u32(0..4), self.rng.usize(0..3));
                let answer = unsafe { bivalve_optimize(solver, priority, count, address) };
                self.note(answer != Answer::Error);
            }
            4 => {
                let position = self.rng.usize(0..3);
                self.note_text(bivalve_objective_lower(solver, position));
                self.note_text(bivalve_objective_upper(solver, position));
            }
            5 => {
                let count = self.rng.usize(0..4);
                self.note_status(unsafe { bivalve_list_models(solver, count, address) });
                for _ in 0..4 {
                    let next =
                        unsafe { bivalve_next_model(solver, found.as_mut_ptr(), self.rng.usize(0..3)) };
                    self.note(next != Answer::Error);
                }
            }
            6 => {
                let count = self.rng.usize(0..4);
                let counted = unsafe { bivalve_count_models(solver, count, address, &mut is_exact) };
                self.note_text(counted);
            }
            7 => {
                unsafe { bivalve_assertions(solver, terms.as_mut_ptr(), 3, &mut count) };
                bivalve_clear_error();
                let made = unsafe {
                    bivalve_interpolant(solver, self.rng.usize(0..count.clamp(1, 3)), terms.as_ptr())
                };
                self.note_term(made);
            }
            _ => {
                unsafe { bivalve_assertions(solver, terms.as_mut_ptr(), 3, &mut count) };
                bivalve_clear_error();
                let sizes = [1, self.rng.usize(0..2), 1];
                let starts = [0, self.rng.usize(0..2), self.rng.usize(0..3)];
                let starts = if self.rng.bool() { null() } else { starts.as_ptr() };
                let (sets, place) = (self.rng.usize(0..4), found.as_mut_ptr());
                let status = unsafe {
                    bivalve_interpolants(solver, sets, sizes.as_ptr(), starts, terms.as_ptr(), place)
                };
                self.note_status(status);
            }
        }
        bivalve_set_limits(solver, 50, 100_000, 0);
        bivalve_clear_error();
    }

    fn value_call(&mut self) {
        let (solver, term) = (self.solver(), self.term());
        let (mut number, mut count, mut result) = (0, 0, bivalve_term { id: 0 });
        match self.rng.u32(0..6) {
            0 => {
                self.note_status(unsafe { bivalve_value_u64(solver, term, &mut number) });
                let mut double = 0.0;
                self.note_status(unsafe { bivalve_value_double(solver, term, &mut double) });
            }
            1 => {
                let outcome = bivalve_value_digits(solver, term, [2, 10, 16, 3][self.rng.usize(0..4)]);
                self.note_text(outcome);
            }
            2 => self.note_text(bivalve_value_text(solver, term)),
            3 => {
                let value = bivalve_value(solver, term);
                self.note_term(value);
            }
            4 => {
                let status = unsafe { bivalve_value_entry_count(solver, term, &mut count) };
                self.note_status(status);
                let mut arguments = [result; 2];
                let capacity = self.rng.usize(0..3);
                let address = arguments.as_mut_ptr();
                let status =
                    unsafe { bivalve_value_entry(solver, term, count, address, capacity, &mut result) };
                self.note_status(status);
            }
            _ => {
                let value = bivalve_value_default(solver, term);
                self.note_term(value);
            }
        }
    }

    fn life_call(&mut self) {
        match self.rng.u32(0..40) {
            0 => {
                let manager = self.manager();
                self.note_status(bivalve_manager_free(manager));
                let made = bivalve_manager_new();
                self.managers.push(made);
            }
            1 | 2 => {
                let solver = self.solver();
                self.note_status(bivalve_solver_free(solver));
            }
            3 => {
                let (manager, solver, term) = (self.manager(), self.solver(), self.term());
                let elsewhere = move || {
                    let refused = [bivalve_assert(solver, term), bivalve_manager_free(manager)];
                    (refused, bivalve_mk1(1, term).id, bivalve_interrupt(solver))
                };
                let (refused, made, _) = std::thread::spawn(elsewhere).join().expect("no call panics");
                assert!(refused.iter().all(|status| *status != Status::Ok) && made == 0);
                bivalve_clear_interrupt(solver);
                bivalve_clear_error();
            }
            _ => {
                let manager = self.manager();
                let solver = bivalve_solver_new(manager);
                self.note(solver.id != 0);
                if solver.id != 0 {
                    self.solvers.push(solver);
                    bivalve_set_limits(solver, 50, 100_000, 0);
                }
            }
        }
    }
}

#[test]
fn whatever_a_program_does_a_call_returns() {
    let calls: u64 =
        std::env::var("BIVALVE_FUZZ_CALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000);
    let mut world = World {
        rng: Rng::with_seed(16),
        managers: (0..2).map(|_| bivalve_manager_new()).collect(),
        sorts: vec![],
        terms: vec![],
        solvers: vec![],
        failed: 0,
        worked: 0,
    };
    while world.failed + world.worked < calls {
        match world.rng.u32(0..21) {
            0..=2 => world.sort_call(),
            3..=6 => world.leaf_call(),
            7..=12 => world.operator_call(),
            13 => world.look(),
            14..=16 => world.solver_call(),
            17 | 18 => world.value_call(),
            19 => world.question_call(),
            _ => world.life_call(),
        }
    }
    println!("{} calls refused, {} carried out", world.failed, world.worked);
    assert!(world.failed > calls / 10 && world.worked > calls / 10, "{} {}", world.failed, world.worked);
}

extern "C" fn calls_back(data: *mut c_void) -> c_int {
    let solver = bivalve_solver { id: data as usize as u64 };
    assert_eq!(bivalve_check(solver), Answer::Error);
    assert_eq!(bivalve_error_code(), Status::State);
    1
}

#[test]
fn a_callback_that_calls_its_solver_is_refused() {
    let manager = bivalve_manager_new();
    let solver = bivalve_solver_new(manager);
    let sort = bivalve_sort_bv(manager, 64);
    let x = unsafe { bivalve_mk_symbol(manager, c"x".as_ptr(), sort) };
    let square = bivalve_mk2(Kind::BvMul as u32, x, x);
    bivalve_assert(solver, bivalve_mk2(Kind::Eq as u32, square, bivalve_mk_bv(manager, 0x1234_5679, 64)));
    bivalve_set_terminate(solver, Some(calls_back), solver.id as usize as *mut c_void);
    assert_eq!(bivalve_check(solver), Answer::Unknown);
    assert_eq!(unsafe { CStr::from_ptr(bivalve_reason_unknown(solver)) }, c"interrupted");
    bivalve_set_terminate(solver, None, null_mut());
    assert_ne!(bivalve_check(solver), Answer::Error);
    assert_eq!(bivalve_manager_free(manager), Status::Ok);
}

#[test]
fn terms_of_another_manager_are_refused_wherever_they_stand() {
    let (ours, theirs) = (bivalve_manager_new(), bivalve_manager_new());
    let (one, two) = (bivalve_mk_bv(ours, 1, 8), bivalve_mk_bv(theirs, 1, 8));
    assert_eq!(bivalve_mk2(Kind::BvAdd as u32, one, two).id, 0);
    assert_eq!(bivalve_error_code(), Status::Handle);
    let solver = bivalve_solver_new(ours);
    assert_eq!(bivalve_assert(solver, bivalve_mk_bool(theirs, true)), Status::Handle);
    assert_eq!(bivalve_assert(solver, one), Status::Sort);
    assert_eq!(bivalve_value(solver, one).id, 0);
    assert_eq!(bivalve_error_code(), Status::State);
    let long = CString::new("9".repeat(100_000)).expect("no zero byte");
    assert_eq!(unsafe { bivalve_mk_bv_digits(ours, long.as_ptr(), 10, 64) }.id, 0);
}
