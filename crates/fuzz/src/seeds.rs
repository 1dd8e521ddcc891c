//! Scripts to be broken by [`mutation`](crate::mutation): printed random formulas, which have every operator
//! and no command beyond assertions, and a few hand-written scripts with all commands beside them.

use crate::formula::Recipe;
use crate::theory::Theory;

/// Scripts that are always there: every command, every kind of sort.
const WRITTEN: &[&str] = &[
    "(set-option :produce-models true)(set-logic QF_BV)(set-info :source |many\nlines|)
     (declare-const x (_ BitVec 8))(declare-fun y () (_ BitVec 8))(define-fun f ((a (_ BitVec 8))) Bool (bvult a x))
     (define-const c (_ BitVec 8) (bvmul x y))(assert (! (f y) :named n))(assert (distinct c #x00 (_ bv255 8)))
     (check-sat)(get-model)(get-value (x y (f y) (bvadd x #b00000001)))(get-assertions)(echo \"a \"\"b\"\"\")
     (get-info :reason-unknown)(get-option :produce-models)(reset-assertions)(assert (let ((z x)) (bvslt z y)))
     (check-sat)(reset)(set-logic QF_BV)(declare-const x Bool)(assert (and x (not x)))(check-sat)(exit)",
    "(set-logic QF_AUFBV)(declare-sort S 0)(define-sort A (T) (Array (_ BitVec 4) T))(declare-const a (A (_ BitVec 8)))
     (declare-fun g (S Bool) S)(declare-const s S)(push 1)(assert (= (g s true) s))(assert (= (select a #x3) #x0f))
     (check-sat)(pop 1)(assert (= a (store ((as const (A (_ BitVec 8))) #x00) #xf #x10)))
     (check-sat-assuming ((= s s)))(get-unsat-core)(check-sat)",
    "(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
     (assert (= (bvudiv x y) ((_ rotate_left 7) (bvurem x y))))(assert (bvsgt ((_ extract 31 0) x) ((_ extract 63 32) y)))
     (assert (bvumulo ((_ zero_extend 3) x) ((_ sign_extend 3) y)))(assert (= ((_ repeat 2) x) (concat y x)))
     (check-sat)(get-value (x y))",
];

/// Written scripts, and `count` printed formulas.
pub fn of_own_making(count: u64) -> Vec<Vec<u8>> {
    let recipe = Recipe { seed: 0, max_width: 70, size: 30, theory: Theory::Bits };
    let printed = (0..count).map(|number| recipe.formula(number).script().into_bytes());
    WRITTEN.iter().map(|text| text.as_bytes().to_vec()).chain(printed).collect()
}
