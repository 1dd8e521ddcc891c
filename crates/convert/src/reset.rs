//! Initial values that are constants.
//!
//! In AIGER a latch begins with a constant or with anything, and has a next value. In BTOR2 the initial
//! value of a state may be any term over earlier states, and a state may have no next value. Where a system
//! uses that, a new state `later` is added, 0 in the first frame and 1 in all others, and a state `s` with
//! the initial value `i` is read as `(ite (= later #b1) s i)`: in the first frame `s` itself does not
//! matter. A state without a next value gets a new input instead.

use bivalve_systems::{DistinctNames, Input, State, System};
use bivalve_terms::{Op, Pool, Sort, Substitution, Term};

/// A system with the same bad states in the same frames, where each initial value is a constant and each
/// state has a next value.
pub fn with_constant_resets(pool: &mut Pool, system: &System) -> System {
    let mut system = system.clone();
    let mut names = DistinctNames::new();
    for symbol in system.symbols() {
        names.distinct(pool.name(symbol).unwrap_or_default());
    }
    let is_plain = |pool: &Pool, state: &State| state.init.is_none_or(|init| pool.is_const(init));
    if !system.states.iter().all(|state| is_plain(pool, state)) {
        read_first_values(pool, &mut system, &mut names, is_plain);
    }
    let (kept, free): (Vec<State>, Vec<State>) =
        std::mem::take(&mut system.states).into_iter().partition(|s| s.next.is_some() || s.init.is_some());
    system.states = kept;
    system.inputs.extend(free.into_iter().map(|State { term, name, .. }| Input { term, name }));
    for state in system.states.iter_mut().filter(|state| state.next.is_none()) {
        let name = names.distinct(&format!("{}.next", pool.name(state.term).unwrap_or_default()));
        let input = pool.symbol(&name, pool.sort(state.term));
        system.inputs.push(Input { term: input, name: Some(name) });
        state.next = Some(input);
    }
    system
}

/// Reads states with other initial values than constants through a choice.
fn read_first_values(
    pool: &mut Pool,
    system: &mut System,
    names: &mut DistinctNames,
    is_plain: impl Fn(&Pool, &State) -> bool,
) {
    let bit = Sort::bitvec(1).expect("a bit is a sort");
    let name = names.distinct("later");
    let later = pool.symbol(&name, bit);
    let (zero, one) = (pool.bv_u64(0, 1), pool.bv_u64(1, 1));
    let is_later = pool.mk(Op::Eq, &[later, one]);
    // Initial values are over earlier states, whose readings are known by then.
    let mut readings: Vec<(Term, Term)> = vec![];
    for state in &mut system.states {
        if is_plain(pool, state) {
            continue;
        }
        let Some(init) = state.init.take() else { continue };
        let mut earlier = Substitution::new();
        readings.iter().for_each(|&(from, to)| earlier.insert(pool, from, to));
        let init = earlier.apply(pool, init);
        readings.push((state.term, pool.mk(Op::Ite, &[is_later, state.term, init])));
    }
    let mut substitution = Substitution::new();
    readings.iter().for_each(|&(from, to)| substitution.insert(pool, from, to));
    system.map_terms(|term| substitution.apply(pool, term));
    system.states.push(State { term: later, init: Some(zero), next: Some(one), name: Some(name) });
}
