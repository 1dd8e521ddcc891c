//! What is broken: scripts of other projects where they are present, and printed formulas beside them.
//!
//! The scripts lie in a folder beside the workspace and are not part of the project, so they may be absent.
//! Printed random formulas are always there; they know every operator and no command beyond assertions, which
//! is why a few hand-written scripts with all commands stand beside them.

use crate::formula::Recipe;
use crate::theory::Theory;
use std::fs;
use std::path::{Path, PathBuf};

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

/// The scripts of these folders of the collection, no longer than `longest` bytes, in a fixed order; empty if
/// the collection is absent. `shared` is the folder that holds `bench/dev`.
pub fn of_collection(shared: &Path, folders: &[&str], longest: u64) -> Vec<Vec<u8>> {
    let mut todo: Vec<PathBuf> = folders.iter().map(|folder| shared.join("bench/dev").join(folder)).collect();
    let mut files = vec![];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2")
                && entry.metadata().is_ok_and(|m| m.len() <= longest)
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().filter_map(|file| fs::read(file).ok()).collect()
}

/// Written scripts, and `count` printed formulas.
pub fn of_own_making(count: u64) -> Vec<Vec<u8>> {
    let recipe = Recipe { seed: 0, max_width: 70, size: 30, theory: Theory::Bits };
    let printed = (0..count).map(|number| recipe.formula(number).script().into_bytes());
    WRITTEN.iter().map(|text| text.as_bytes().to_vec()).chain(printed).collect()
}
