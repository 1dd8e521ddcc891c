//! Witnesses are replayed: what holds is accepted, and every way to be wrong is found.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_systems::{
    Claim, Ending, Frame, Input, Justice, Output, Property, RandomSimulation, ReplayError, Simulator, State,
    System, Witness,
};
use bivalve_terms::{ArrayValue, BitVec, Pool, Sort, Term, Value};

/// A state without initial value, one without next value, a counter, a memory and an input:
///
/// - `count` begins with 0 and grows by `step`, which must be less than 3,
/// - `start` keeps its value, `any` has none,
/// - `memory` begins with 7 everywhere, and `count` is written at `step`.
struct Small {
    pool: Pool,
    system: System,
    memory: Sort,
}

fn property(term: Term, name: &str) -> Property {
    Property { term, name: Some(name.into()) }
}

fn small() -> Small {
    let mut pool = Pool::new();
    let byte = Sort::bitvec(8).unwrap();
    let sort = pool.sorts_mut().array(byte, byte).unwrap();
    let [count, start, any, step] = ["count", "start", "any", "step"].map(|name| pool.symbol(name, byte));
    let memory = pool.symbol("memory", sort);
    let [zero, three, seven] = [0, 3, 7].map(|value| pool.bv(value, 8).unwrap());
    let next = pool.bvadd(count, step).unwrap();
    let write = pool.store(memory, step, count).unwrap();
    let sevens = pool.const_array(sort, seven).unwrap();
    let small = pool.bvult(step, three).unwrap();
    let cell = pool.select(memory, three).unwrap();
    let [reached, read, free] =
        [(count, start), (cell, start), (any, start)].map(|(x, y)| pool.eq(x, y).unwrap());
    let state = |term, init, next, name: &str| State { term, init, next, name: Some(name.into()) };
    let system = System {
        states: vec![
            state(count, Some(zero), Some(next), "count"),
            state(start, None, Some(start), "start"),
            state(any, None, None, "any"),
            state(memory, Some(sevens), Some(write), "memory"),
        ],
        inputs: vec![Input { term: step, name: Some("step".into()) }],
        bads: vec![property(reached, "reached"), property(read, "read")],
        constraints: vec![property(small, "small")],
        fairs: vec![property(free, "free")],
        justices: vec![Justice { terms: vec![reached], name: None }],
        outputs: vec![Output { term: cell, name: None }],
        ..System::default()
    };
    Small { pool, system, memory: sort }
}

fn byte(value: u64) -> Value {
    BitVec::from_u64(value, 8).into()
}

fn frame(states: &[(usize, u64)], inputs: &[(usize, u64)]) -> Frame {
    let of = |pairs: &[(usize, u64)]| pairs.iter().map(|&(i, value)| (i, byte(value))).collect();
    Frame { states: of(states), inputs: of(inputs) }
}

/// Counts 0, 2, 3 with start = 3.
fn reaching() -> Witness {
    let frames = vec![frame(&[(1, 3)], &[(0, 2)]), frame(&[], &[(0, 1)]), frame(&[], &[])];
    Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None }
}

/// One frame that repeats, with start = count = any = 0.
fn lasso() -> Witness {
    let frames = vec![frame(&[(2, 9)], &[]), frame(&[], &[]), frame(&[(2, 5)], &[])];
    Witness { claims: vec![Claim::Justice(0)], frames, loop_start: Some(1) }
}

fn error(edit: impl FnOnce(&mut System, &mut Witness), mut witness: Witness) -> String {
    let Small { pool, mut system, .. } = small();
    edit(&mut system, &mut witness);
    system.replay(&pool, &witness).unwrap_err().to_string()
}

#[test]
fn runs_are_computed() {
    let Small { pool, system, memory } = small();
    let run = system.replay(&pool, &reaching()).unwrap();
    let sevens = ArrayValue::constant(pool.sorts(), memory, byte(7));
    let once = sevens.store(&byte(2), &byte(0));
    let twice = once.store(&byte(1), &byte(2));
    let states: Vec<Vec<Value>> = run.frames.iter().map(|frame| frame.states.clone()).collect();
    let expected = [(0, sevens), (2, once), (3, twice)];
    assert_eq!(states, expected.map(|(count, memory)| vec![byte(count), byte(3), byte(0), memory.into()]));
    assert_eq!(run.frames.iter().map(|f| f.inputs[0].clone()).collect::<Vec<_>>(), [2, 1, 0].map(byte));
    assert!(run.frames.iter().all(|frame| frame.outputs == [byte(7)]));
    // Every frame is what the simulator has.
    let mut simulator = Simulator::new(&pool, &system).unwrap();
    simulator.start(|_| Some(byte(3)));
    simulator.evaluate(|_| Some(byte(2)));
    assert_eq!(simulator.next_states()[0], Some(byte(2)));
    assert_eq!(simulator.next_states()[2], None);
}

#[test]
fn values_that_are_computed_may_be_listed_if_they_agree() {
    let Small { pool, system, memory } = small();
    let mut witness = reaching();
    let sevens: Value = ArrayValue::constant(pool.sorts(), memory, byte(7)).into();
    witness.frames[0].states.push((3, sevens.clone()));
    witness.frames[1].states.push((0, byte(2)));
    system.replay(&pool, &witness).unwrap();
    witness.frames[1].states.push((3, sevens));
    assert!(matches!(system.replay(&pool, &witness), Err(ReplayError::Computed { frame: 1, .. })));
    assert_eq!(
        error(|_, w| w.frames[2].states.push((0, byte(4))), reaching()),
        "frame 2: state 0 'count' is listed as #b00000100, but the system computes #b00000011"
    );
    assert_eq!(
        error(|_, w| w.frames[0].states.push((0, byte(1))), reaching()),
        "frame 0: state 0 'count' is listed as #b00000001, but the system computes #b00000000"
    );
}

#[test]
fn initial_values_follow_earlier_states() {
    let mut pool = Pool::new();
    let sort = Sort::bitvec(8).unwrap();
    // The terms of the initial values have greater ids than the symbols of later states.
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
    let twice = pool.bvadd(a, a).unwrap();
    let product = pool.bvmul(twice, b).unwrap();
    let expected = pool.bv(18, 8).unwrap();
    let bad = pool.eq(c, expected).unwrap();
    let state = |term, init| State { term, init, next: Some(term), name: None };
    let system = System {
        states: vec![state(a, None), state(b, Some(twice)), state(c, Some(product))],
        bads: vec![Property { term: bad, name: None }],
        ..System::default()
    };
    let frames = vec![frame(&[(0, 3)], &[]), frame(&[], &[])];
    let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
    assert!(matches!(system.replay(&pool, &witness), Err(ReplayError::NotBad { .. })));
    let shown = Property { term: pool.eq(c, product).unwrap(), name: None };
    let system = System { bads: vec![shown], ..system };
    let run = system.replay(&pool, &witness).unwrap();
    assert_eq!(run.frames[1].states, [byte(3), byte(6), byte(36)]);
}

#[test]
fn wrong_witnesses_of_bad_states_are_refused() {
    let changed = |edit: fn(&mut Witness)| error(|_, witness| edit(witness), reaching());
    assert_eq!(changed(|w| w.frames.clear()), "expected a witness of one frame at least, found none");
    assert_eq!(changed(|w| w.claims.clear()), "expected a witness that claims a property, found none");
    assert_eq!(
        changed(|w| w.claims.push(Claim::Justice(1))),
        "the witness claims j1, but the system has 1 properties of that kind"
    );
    assert_eq!(changed(|w| w.frames[1].inputs[0].1 = byte(3)), "frame 1: constraint 0 'small' does not hold");
    assert_eq!(
        changed(|w| w.claims.push(Claim::Bad(1))),
        "bad state 1 'read' does not hold in the last frame, 2"
    );
    // One frame too many: the counter has moved on, or the bad state still holds.
    assert_eq!(
        changed(|w| {
            w.frames[2].inputs.push((0, byte(1)));
            w.frames.push(Frame::default());
        }),
        "bad state 0 'reached' does not hold in the last frame, 3 (it does in frame 2)"
    );
}

#[test]
fn wrong_lists_are_refused() {
    let changed = |edit: fn(&mut Witness)| error(|_, witness| edit(witness), reaching());
    assert_eq!(
        changed(|w| w.frames[1].inputs.push((1, byte(1)))),
        "frame 1: the witness lists input 1, which the system does not have"
    );
    assert_eq!(
        changed(|w| w.frames[1].states.push((4, byte(1)))),
        "frame 1: the witness lists state 4, which the system does not have"
    );
    assert_eq!(changed(|w| w.frames[1].inputs.push((0, byte(1)))), "frame 1: input 0 'step' is listed twice");
    assert_eq!(
        changed(|w| w.frames[0].states[0].1 = true.into()),
        "frame 0: state 1 'start' is expected to be of sort (_ BitVec 8), found true"
    );
    assert_eq!(
        error(|_, _| {}, lasso_with_listed_memory()),
        "frame 0: state 3 'memory' is expected to be of sort (Array (_ BitVec 8) (_ BitVec 8)), \
         found [else -> #b00000000]"
    );
}

/// A lasso that lists a memory of another index sort.
fn lasso_with_listed_memory() -> Witness {
    let mut pool = Pool::new();
    let sort = pool.sorts_mut().array(Sort::BOOL, Sort::bitvec(8).unwrap()).unwrap();
    let mut witness = lasso();
    witness.frames[0].states.push((3, Value::default_of(pool.sorts(), sort)));
    witness
}

#[test]
fn lassos_close_on_all_states() {
    let Small { pool, system, .. } = small();
    assert_eq!(system.replay(&pool, &lasso()).map(|run| run.loop_start), Ok(Some(1)));
    // The loop is found. State 'any' has another value in each frame, but it is free.
    let found = Witness { loop_start: None, ..lasso() };
    assert_eq!(system.replay(&pool, &found).map(|run| run.loop_start), Ok(Some(1)));
    let changed = |edit: fn(&mut Witness)| error(|_, witness| edit(witness), lasso());
    assert_eq!(
        changed(|w| w.loop_start = Some(0)),
        "state 3 'memory' is [#b00000000 -> #b00000000, else -> #b00000111] after the last frame, but \
         [else -> #b00000111] in frame 0, where the loop begins"
    );
    assert_eq!(changed(|w| w.loop_start = Some(3)), "the loop begins at frame 3, but the last frame is 2");
    let moves = |w: &mut Witness| {
        w.loop_start = None;
        w.frames.iter_mut().for_each(|frame| frame.inputs.push((0, byte(1))));
    };
    assert_eq!(
        error(|_, w| moves(w), lasso()),
        "the state after the last frame, 2, is the state of no frame"
    );
    assert_eq!(
        changed(|w| w.frames[1].states.push((2, byte(1)))),
        "fairness condition 0 'free' holds in no frame of the loop, 1 to 2"
    );
    assert_eq!(
        changed(|w| w.frames[0].states.push((1, byte(1)))),
        "condition 0 of justice property 0 holds in no frame of the loop, 1 to 2"
    );
    // A bad state may be claimed beside it.
    assert_eq!(
        changed(|w| w.claims.push(Claim::Bad(1))),
        "bad state 1 'read' does not hold in the last frame, 2"
    );
    let both = Witness { claims: vec![Claim::Justice(0), Claim::Bad(0)], ..lasso() };
    assert!(system.replay(&pool, &both).is_ok());
}

#[test]
fn random_runs_replay() {
    let Small { pool, system, .. } = small();
    let (mut reached, mut ended) = (0, 0);
    for seed in 0..200 {
        let simulation = RandomSimulation { seed, frames: 20, tries: 400 };
        let random = simulation.run(&pool, &system).unwrap();
        assert_eq!(random.run, simulation.run(&pool, &system).unwrap().run);
        match random.ending {
            Ending::Frames => assert_eq!(random.run.frames.len(), 20),
            Ending::Constraint(constraint) => assert_eq!(constraint, 0),
        }
        ended += usize::from(random.ending == Ending::Frames);
        for &(bad, frame) in &random.bads {
            let run = system.replay(&pool, &random.witness(bad).unwrap()).unwrap();
            assert_eq!(run.frames, random.run.frames[..=frame]);
            // It is the first frame: a run that ends earlier does not show it.
            let mut earlier = random.witness(bad).unwrap();
            if frame > 0 {
                earlier.frames.pop();
                assert!(matches!(
                    system.replay(&pool, &earlier),
                    Err(ReplayError::NotBad { before: None, .. })
                ));
            }
            reached += 1;
        }
        assert_eq!(random.witness(2), None);
    }
    assert!(reached > 20 && ended > 20, "{reached} {ended}");
}

/// A chain of a million terms and a memory with many cells: no recursion, and no memory is copied whole.
#[test]
fn large_systems_are_simulated_on_a_small_stack() {
    let simulate = || {
        let mut pool = Pool::new();
        let sort = Sort::bitvec(32).unwrap();
        let array = pool.sorts_mut().array(sort, sort).unwrap();
        let [x, memory] = [pool.symbol("x", sort), pool.symbol("memory", array)];
        let one = pool.bv(1, 32).unwrap();
        let deep = (0..300_000).fold(x, |term, _| pool.bvadd(term, one).unwrap());
        let write = (0..300).fold(memory, |array, i| {
            let place = pool.bv_u64(i * 7, 32);
            let place = pool.bvadd(x, place).unwrap();
            pool.store(array, place, x).unwrap()
        });
        let expected = pool.bv(600_000, 32).unwrap();
        let bad = pool.eq(x, expected).unwrap();
        let state = |term, next| State { term, init: None, next: Some(next), name: None };
        let system = System {
            states: vec![state(x, deep), state(memory, write)],
            bads: vec![Property { term: bad, name: None }],
            ..System::default()
        };
        let frames = vec![Frame::default(); 3];
        let witness = Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None };
        let run = system.replay(&pool, &witness).unwrap();
        assert_eq!(run.frames[2].states[1].expect_array().entries().count(), 300);
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(simulate).unwrap().join().unwrap();
}
