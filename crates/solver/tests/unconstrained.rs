//! Loose steps are taken back when they have to be: a symbol that occurred once, and was given away with what
//! stood around it, is mentioned by an assertion, a tracked assertion or an assumption that comes later, on
//! whatever level, directly or through a definition. What is there from the start keeps the step from being
//! made.
//!
//! The formula is `x <u y`, of which nothing is left, and `x = 255` is what comes in between.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve::terms::{Op, Pool, Sort, Term};
use bivalve::{CheckResult, Settings, Solver};

struct Scene {
    pool: Pool,
    solver: Solver,
    x: Term,
    z: Term,
    below: Term,
    greatest: Term,
}

impl Scene {
    fn new() -> Scene {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(8).unwrap();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
        let ones = pool.bv_u64(255, 8);
        let below = pool.mk(Op::BvUlt, &[x, y]);
        let greatest = pool.mk(Op::Eq, &[x, ones]);
        let settings = Settings::builder().rewrite_from(0).probe(false).build();
        Scene { pool, solver: Solver::new(settings), x, z, below, greatest }
    }

    fn assert(&mut self, formula: Term) {
        self.solver.assert(&self.pool, formula).unwrap();
    }

    fn check(&mut self) -> CheckResult {
        self.solver.check(&mut self.pool).unwrap()
    }

    fn assume(&mut self, formula: Term) -> CheckResult {
        self.solver.check_assuming(&mut self.pool, &[formula]).unwrap()
    }

    /// How often loose steps were taken back.
    fn restarts(&self) -> u64 {
        self.solver.statistics(&self.pool).restarts
    }
}

#[test]
fn a_later_assertion() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    assert!(scene.solver.statistics(&scene.pool).eliminated > 0 && scene.restarts() == 0);
    let model = scene.solver.model().unwrap();
    assert!(model.value(&scene.pool, scene.below).expect_bool());
    let names: Vec<&str> =
        model.assignment().symbols().into_iter().map(|s| scene.pool.name(s).unwrap()).collect();
    assert!(names.iter().all(|name| ["x", "y"].contains(name)), "{names:?}");
    scene.assert(scene.greatest);
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Unsat, 1));
}

#[test]
fn a_level_above() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    for round in 0..3 {
        assert_eq!(scene.check(), CheckResult::Sat);
        scene.solver.push(2).unwrap();
        scene.assert(scene.greatest);
        assert_eq!(scene.check(), CheckResult::Unsat, "{round}");
        scene.solver.pop(1 + round % 2).unwrap();
    }
    assert_eq!(scene.restarts(), 1);
}

#[test]
fn a_level_that_is_there_from_the_start() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    scene.solver.push(1).unwrap();
    scene.assert(scene.greatest);
    assert_eq!(scene.check(), CheckResult::Unsat);
    scene.solver.pop(1).unwrap();
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Sat, 0));
}

#[test]
fn a_step_on_a_level_that_is_popped() {
    let mut scene = Scene::new();
    scene.solver.push(1).unwrap();
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    scene.solver.pop(1).unwrap();
    scene.assert(scene.greatest);
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Sat, 0));
    scene.solver.push(1).unwrap();
    scene.assert(scene.below);
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Unsat, 0));
}

#[test]
fn tracked_assertions_and_their_cores() {
    for later in [false, true] {
        let mut scene = Scene::new();
        let unrelated = scene.pool.mk(Op::Eq, &[scene.z, scene.z]);
        scene.solver.assert_tracked(&scene.pool, unrelated).unwrap();
        scene.assert(scene.below);
        if later {
            assert_eq!(scene.check(), CheckResult::Sat);
        }
        let number = scene.solver.assert_tracked(&scene.pool, scene.greatest).unwrap();
        assert_eq!((scene.check(), scene.restarts()), (CheckResult::Unsat, u64::from(later)));
        assert_eq!(scene.solver.unsat_core(), Some(&[number][..]));
    }
}

#[test]
fn assumptions() {
    for later in [false, true] {
        let mut scene = Scene::new();
        scene.assert(scene.below);
        if later {
            assert_eq!(scene.check(), CheckResult::Sat);
        }
        assert_eq!((scene.assume(scene.greatest), scene.restarts()), (CheckResult::Unsat, u64::from(later)));
        assert_eq!(scene.solver.unsat_assumptions(), Some(&[0][..]));
        assert_eq!((scene.check(), scene.restarts()), (CheckResult::Sat, u64::from(later)));
    }
}

#[test]
fn through_a_definition() {
    let mut scene = Scene::new();
    let [x, z] = [scene.x, scene.z];
    let three = scene.pool.bv_u64(3, 8);
    let product = scene.pool.mk(Op::BvMul, &[three, x]);
    let definition = scene.pool.mk(Op::Eq, &[z, product]);
    scene.assert(definition);
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    // The inverse of three is 171, and 171 * 253 = 255.
    let value = scene.pool.bv_u64(253, 8);
    let contradiction = scene.pool.mk(Op::Eq, &[z, value]);
    assert_eq!((scene.assume(contradiction), scene.restarts()), (CheckResult::Unsat, 1));
}

#[test]
fn after_a_compaction() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    let mut in_use = scene.solver.in_use();
    in_use.extend([scene.x, scene.greatest]);
    let renaming = scene.pool.compact(&in_use);
    scene.solver.rename(&renaming);
    assert_eq!(scene.check(), CheckResult::Sat);
    scene.assert(renaming.of(scene.greatest));
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Unsat, 1));
}

#[test]
fn other_symbols_take_nothing_back() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    let five = scene.pool.bv_u64(5, 8);
    let about_z = scene.pool.mk(Op::Eq, &[scene.z, five]);
    scene.assert(about_z);
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Sat, 0));
}

/// A session that begins anew, and one that begins with other assertions.
#[test]
fn after_a_reset() {
    let mut scene = Scene::new();
    scene.assert(scene.below);
    assert_eq!(scene.check(), CheckResult::Sat);
    scene.solver.reset_assertions();
    scene.assert(scene.greatest);
    assert_eq!((scene.check(), scene.restarts()), (CheckResult::Sat, 0));
}

/// A single assumption of the first check is simplified like an assertion, and is gone afterwards.
#[test]
fn the_first_assumption_is_simplified_like_an_assertion() {
    let mut scene = Scene::new();
    assert_eq!(scene.assume(scene.below), CheckResult::Sat);
    assert!(scene.solver.model().unwrap().value(&scene.pool, scene.below).expect_bool());
    assert_eq!((scene.solver.statistics(&scene.pool).gates, scene.solver.levels()), (1, 0));
    assert_eq!((scene.assume(scene.greatest), scene.restarts()), (CheckResult::Sat, 0));
    let mut scene = Scene::new();
    let both = scene.pool.mk(Op::And, &[scene.below, scene.greatest]);
    scene.solver.assert_tracked(&scene.pool, scene.below).unwrap();
    assert_eq!((scene.assume(both), scene.check()), (CheckResult::Unsat, CheckResult::Sat));
    // Nothing is the assumption's fault if the assertions are contradictory.
    let mut scene = Scene::new();
    scene.assert(scene.greatest);
    scene.solver.assert_tracked(&scene.pool, scene.below).unwrap();
    let about_z = scene.pool.mk(Op::BvUlt, &[scene.z, scene.x]);
    assert_eq!(scene.assume(about_z), CheckResult::Unsat);
    assert_eq!(scene.solver.unsat_core(), Some(&[0][..]));
}

/// Known bits of a symbol leave a symbol for the others, which no assertion mentions; models had it once.
#[test]
fn a_model_has_no_symbol_of_a_pass() {
    let mut scene = Scene::new();
    let pool = &mut scene.pool;
    let low = pool.mk_indexed(Op::Extract, &[3, 0], &[scene.x]);
    let five = pool.bv_u64(5, 4);
    let product = pool.mk(Op::BvMul, &[scene.x, scene.z]);
    let sum = pool.mk(Op::BvAdd, &[scene.x, scene.z]);
    let formulas = [pool.mk(Op::Eq, &[low, five]), pool.mk(Op::BvUlt, &[product, sum])];
    formulas.into_iter().for_each(|formula| scene.assert(formula));
    assert_eq!(scene.check(), CheckResult::Sat);
    let statistics = scene.solver.statistics(&scene.pool);
    assert!(statistics.passes.iter().any(|pass| pass.name == "constant-bits" && pass.changed > 0));
    let symbols = scene.solver.model().unwrap().assignment().symbols();
    assert!(symbols.iter().all(|symbol| [scene.x, scene.z].contains(symbol)), "{symbols:?}");
}
