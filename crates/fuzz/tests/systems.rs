//! Small systems are what they should be, and the explicit-state search decides them as the simulator does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_fuzz::systems::small;
use bivalve_systems::explicit::{Decision, decide};
use bivalve_systems::{
    Claim, KnownBits, Partial, PartialWitness, RandomSimulation, Simulator, System, Witness,
};
use bivalve_terms::{ArrayValue, BitVec, Pool, Sort, Term, Value};
use fastrand::Rng;
use std::collections::BTreeMap;

/// All values of a sort.
fn values(pool: &Pool, sort: Sort) -> Vec<Value> {
    if let Some((index, element)) = pool.sorts().array_parts(sort) {
        let elements = values(pool, element);
        let constant = |element: &Value| ArrayValue::constant(pool.sorts(), sort, element.clone());
        let mut all = vec![constant(&elements[0])];
        for index in values(pool, index) {
            all = all.iter().flat_map(|a| elements.iter().map(|e| a.store(&index, e))).collect();
        }
        return all.into_iter().map(Value::from).collect();
    }
    match sort.width() {
        None => vec![false.into(), true.into()],
        Some(width) => (0..1 << width).map(|value| BitVec::from_u64(value, width).into()).collect(),
    }
}

/// All combinations of values of the terms.
fn combinations(pool: &Pool, terms: &[Option<Term>]) -> Vec<Vec<Option<Value>>> {
    let mut all = vec![vec![]];
    for term in terms {
        let values = match term {
            None => vec![None],
            Some(term) => values(pool, pool.sort(*term)).into_iter().map(Some).collect(),
        };
        let with = |before: &Vec<Option<Value>>, value: &Option<Value>| {
            before.iter().cloned().chain([value.clone()]).collect()
        };
        all = all.iter().flat_map(|b| values.iter().map(move |v| with(b, v))).collect();
    }
    all
}

/// The graph of a system as the simulator walks it: the conditions that hold on each edge.
#[derive(Default)]
struct Graph {
    bads: Vec<Option<usize>>,
    edges: Vec<(usize, usize, Vec<bool>)>,
    states: Vec<(Vec<Option<Value>>, usize)>,
    numbers: BTreeMap<Vec<Option<Value>>, usize>,
}

impl Graph {
    fn of(pool: &Pool, system: &System) -> Graph {
        let mut graph = Graph { bads: vec![None; system.bads.len()], ..Graph::default() };
        let mut simulator = Simulator::new(pool, system).unwrap();
        let free = |keep: fn(&bivalve_systems::State) -> bool| -> Vec<Option<Term>> {
            system.states.iter().map(|state| keep(state).then_some(state.term)).collect()
        };
        let inputs: Vec<Option<Term>> = system.inputs.iter().map(|input| Some(input.term)).collect();
        let inputs = combinations(pool, &inputs);
        for initial in combinations(pool, &free(|state| state.init.is_none())) {
            for input in &inputs {
                simulator.start(|i| initial[i].clone());
                simulator.evaluate(|i| input[i].clone());
                graph.visit(system, &simulator, None);
            }
        }
        let loose = combinations(pool, &free(|state| state.next.is_none()));
        let mut next = 0;
        while next < graph.states.len() {
            let state = graph.states[next].0.clone();
            for given in &loose {
                for input in &inputs {
                    simulator.set_states(&state, |i| given[i].clone());
                    simulator.evaluate(|i| input[i].clone());
                    graph.visit(system, &simulator, Some(next));
                }
            }
            next += 1;
        }
        graph
    }

    fn visit(&mut self, system: &System, simulator: &Simulator<'_>, from: Option<usize>) {
        if simulator.failed_constraint().is_some() {
            return;
        }
        let frame = from.map_or(0, |from| self.states[from].1);
        for (bad, property) in self.bads.iter_mut().zip(&system.bads) {
            if simulator.holds(property.term) && bad.is_none() {
                *bad = Some(frame);
            }
        }
        let next = simulator.next_states();
        let number = *self.numbers.entry(next.clone()).or_insert_with(|| {
            self.states.push((next, frame + 1));
            self.states.len() - 1
        });
        let fairs = system.fairs.iter().map(|fair| fair.term);
        let conditions = fairs.chain(system.justices.iter().flat_map(|justice| justice.terms.clone()));
        let held = conditions.map(|term| simulator.holds(term)).collect();
        self.edges.extend(from.map(|from| (from, number, held)));
    }

    /// By the fixed point of Emerson and Lei: the states from which, for each condition, an edge on which it
    /// holds can be reached and leads back into the set.
    fn has_run(&self, conditions: &[usize]) -> bool {
        let mut inside = vec![true; self.states.len()];
        let any_edge = [None];
        let conditions: Vec<Option<usize>> = conditions.iter().map(|&c| Some(c)).chain(any_edge).collect();
        loop {
            let before = inside.clone();
            for condition in &conditions {
                let mut reach = vec![false; inside.len()];
                loop {
                    let old = reach.clone();
                    for (from, to, held) in &self.edges {
                        let shows = condition.is_none_or(|c| held[c]) || reach[*to];
                        if inside[*from] && inside[*to] && shows {
                            reach[*from] = true;
                        }
                    }
                    if reach == old {
                        break;
                    }
                }
                inside = reach;
            }
            if inside == before {
                return inside.contains(&true);
            }
        }
    }

    fn decision(&self, system: &System) -> Decision {
        let mut first = system.fairs.len();
        let justices = system.justices.iter().map(|justice| {
            let own = first..first + justice.terms.len();
            first = own.end;
            let conditions: Vec<usize> = (0..system.fairs.len()).chain(own).collect();
            self.has_run(&conditions)
        });
        let justices = justices.collect();
        Decision { bads: self.bads.clone(), justices }
    }
}

#[test]
fn enumeration_agrees_with_the_simulator() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..400 {
        let (pool, system) = small(1, number);
        let decision = decide(&pool, &system).unwrap();
        assert_eq!(decision, Graph::of(&pool, &system).decision(&system), "system {number}: {system:?}");
        for &bad in &decision.bads {
            let kind = match bad {
                None => "safe",
                Some(0) => "at once",
                Some(1..=2) => "soon",
                Some(_) => "late",
            };
            *seen.entry(kind).or_default() += 1;
        }
        for &violated in &decision.justices {
            *seen.entry(if violated { "violated" } else { "live" }).or_default() += 1;
        }
    }
    let kinds = ["safe", "at once", "soon", "late", "violated", "live"];
    assert!(kinds.iter().all(|kind| seen[kind] >= 20), "{seen:?}");
}

#[test]
fn random_simulation_sees_nothing_else() {
    let mut reached = 0;
    for number in 0..2000 {
        let (pool, system) = small(2, number);
        let decision = decide(&pool, &system).unwrap();
        let simulation = RandomSimulation { seed: number, frames: 12, tries: 4 };
        for (bad, frame) in simulation.run(&pool, &system).unwrap().bads {
            assert!(decision.bads[bad].is_some_and(|first| first <= frame), "system {number}, bad {bad}");
            reached += 1;
        }
    }
    assert!(reached > 1000, "{reached}");
}

#[test]
fn systems_have_everything() {
    let mut counts = [0; 7];
    for number in 0..500 {
        let (pool, system) = small(3, number);
        system.check(&pool).unwrap();
        let states = || system.states.iter();
        let is_array = |term: Term| pool.sorts().array_parts(pool.sort(term)).is_some();
        let has = [
            states().any(|state| is_array(state.term)),
            states().any(|state| state.init.is_none()),
            states().any(|state| state.next.is_none()),
            states().any(|state| state.init.is_some_and(|init| !pool.is_const(init) && !is_array(init))),
            !system.constraints.is_empty(),
            !system.justices.is_empty() && !system.fairs.is_empty(),
            system.inputs.is_empty(),
        ];
        counts.iter_mut().zip(has).for_each(|(count, has)| *count += usize::from(has));
    }
    assert!(counts.iter().all(|&count| count >= 30), "{counts:?}");
}

/// Witnesses of bad states and lassos that random simulation finds.
fn random_witnesses(pool: &Pool, system: &System, seed: u64) -> Vec<Witness> {
    let simulation = RandomSimulation { seed, frames: 10, tries: 4 };
    let random = simulation.run(pool, system).unwrap();
    let mut witnesses: Vec<Witness> =
        random.bads.iter().map(|&(bad, _)| random.witness(bad).unwrap()).collect();
    // Lassos: any beginning of the run may be one.
    for number in 0..system.justices.len() {
        for length in 1..=random.frames().len() {
            let frames = random.frames()[..length].to_vec();
            let witness = Witness { claims: vec![Claim::Justice(number)], frames, loop_start: None };
            if system.replay(pool, &witness).is_ok() {
                witnesses.push(witness);
                break;
            }
        }
    }
    witnesses
}

/// The bits of a value that are known.
fn known(pool: &Pool, term: Term, part: &Partial) -> u64 {
    let count = |bits: &KnownBits| u64::from(bits.known.count_ones());
    match part {
        Partial::Exact(_) => bits(pool, pool.sort(term)),
        Partial::Bits(known) => count(known),
        Partial::Cells { cells, rest } => {
            assert_eq!(*rest, None);
            cells.values().map(count).sum()
        }
    }
}

fn bits(pool: &Pool, sort: Sort) -> u64 {
    match pool.sorts().array_parts(sort) {
        Some((index, element)) => bits(pool, element) << bits(pool, index),
        None => u64::from(sort.width().unwrap_or(1)),
    }
}

/// What is left of a minimised witness may be filled by anything; and much is left out.
#[test]
fn what_minimisation_drops_does_not_matter() {
    let (mut bads, mut lassos, mut all, mut left, mut partly) = (0, 0, 0, 0, 0);
    for number in 0..3000 {
        let (pool, system) = small(4, number);
        let mut rng = Rng::with_seed(number);
        for witness in random_witnesses(&pool, &system, number) {
            let minimal = system.minimize(&pool, &PartialWitness::from(&witness)).unwrap();
            assert_eq!(minimal.frames.len(), witness.frames.len());
            for _ in 0..8 {
                let filled = minimal.filled_by(&pool, &system, &mut |sort| {
                    let values = values(&pool, sort);
                    values[rng.usize(..values.len())].clone()
                });
                let replayed = system.replay(&pool, &filled);
                assert!(
                    replayed.is_ok(),
                    "system {number}: {system:?}\n{minimal:?}\n{filled:?}\n{replayed:?}"
                );
            }
            match witness.claims[0] {
                Claim::Bad(_) => bads += 1,
                Claim::Justice(_) => lassos += 1,
            }
            let full = minimal.filled_by(&pool, &system, &mut |sort| values(&pool, sort)[0].clone());
            for (frame, part) in full.frames.iter().zip(&minimal.frames) {
                let state = |number: usize| system.states[number].term;
                let input = |number: usize| system.inputs[number].term;
                all += frame.states.iter().map(|(i, _)| bits(&pool, pool.sort(state(*i)))).sum::<u64>();
                all += frame.inputs.iter().map(|(i, _)| bits(&pool, pool.sort(input(*i)))).sum::<u64>();
                left += part.states.iter().map(|(i, part)| known(&pool, state(*i), part)).sum::<u64>();
                left += part.inputs.iter().map(|(i, part)| known(&pool, input(*i), part)).sum::<u64>();
                let is_part = |part: &&(usize, Partial)| !matches!(part.1, Partial::Exact(_));
                partly += part.states.iter().chain(&part.inputs).filter(is_part).count();
            }
        }
    }
    assert!(bads > 1000 && lassos > 200 && partly > 200, "{bads} {lassos} {partly}");
    assert!(left * 2 < all, "{left} of {all}");
}
