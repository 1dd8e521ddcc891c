//! Encodings at small widths, all values: what is reachable at each effective width, said by the restrictions
//! themselves and found by a SAT solver through the clauses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_approx::encodings::{ENCODINGS, Encoding, Restriction, encoding};
use bivalve_approx::policies::{POLICIES, policy};
use bivalve_approx::{Approximation, Kind, Parameters};
use bivalve_sat_adapter::{Budget, Lit, SatSolver, create};

const WIDEST: u32 = 8;

fn bit(value: u64, bit: u32) -> bool {
    value >> bit & 1 == 1
}

/// The values at which all restrictions hold.
fn reachable(encoding: &dyn Encoding, width: u32, effective: u32) -> Vec<u64> {
    let holds = |value: u64, place: u32| match encoding.restriction(width, effective, place) {
        Restriction::Free => true,
        Restriction::Constant(constant) => bit(value, place) == constant,
        Restriction::Bit(other) => bit(value, place) == bit(value, other),
    };
    (0..1 << width).filter(|&value| (0..width).all(|place| holds(value, place))).collect()
}

#[test]
fn every_row_makes_what_it_names() {
    for row in ENCODINGS {
        assert_eq!((row.make)().name(), row.name);
    }
    for row in POLICIES {
        assert_eq!((row.make)().name(), row.name);
    }
    assert!(encoding("none").is_none() && policy("none").is_none());
}

#[test]
fn an_effective_width_leaves_its_power_of_two_and_more_of_it_leaves_more() {
    for row in ENCODINGS {
        let encoding = (row.make)();
        for width in 2..=WIDEST {
            let mut before: Vec<u64> = vec![];
            for effective in 1..width {
                let now = reachable(&*encoding, width, effective);
                assert_eq!(now.len(), 1 << effective, "{} {width} {effective}", row.name);
                assert!(before.iter().all(|value| now.contains(value)), "{} {width} {effective}", row.name);
                before = now;
            }
        }
    }
}

#[test]
fn the_values_are_the_ones_the_names_promise() {
    let values =
        |name: &str, width, effective| reachable(&*(encoding(name).unwrap().make)(), width, effective);
    for width in 2..=WIDEST {
        for effective in 1..width {
            let (all, few) = (1u64 << width, 1u64 << effective);
            assert_eq!(values("zero", width, effective), (0..few).collect::<Vec<_>>());
            assert_eq!(values("one", width, effective), (all - few..all).collect::<Vec<_>>());
            let signed = (0..few / 2).chain(all - few / 2..all);
            assert_eq!(values("sign", width, effective), signed.collect::<Vec<_>>());
        }
    }
    assert_eq!(values("classes", 4, 1), [0b0000, 0b1111]);
    assert_eq!(values("classes", 4, 2), [0b0000, 0b0011, 0b1100, 0b1111]);
    let eight: Vec<u64> = (0..16).map(|v| (0..4).map(|i| ((v >> i & 1) * 0b11) << (2 * i)).sum()).collect();
    assert_eq!(values("classes", 8, 4), eight);
}

/// A solver with two vectors, approximated.
struct Bench {
    solver: Box<dyn SatSolver>,
    approximation: Approximation,
    vectors: [Vec<Lit>; 2],
}

impl Bench {
    fn new(encoding: &str, policy_name: &str, widths: [u32; 2], effective: u32) -> Bench {
        let parameters = Parameters {
            encoding: (encoding_row(encoding).make)(),
            policy: (policy(policy_name).unwrap().make)(),
            width: effective,
        };
        let mut solver = create("naive").unwrap();
        let vectors = widths.map(|width| (0..width).map(|_| solver.new_var()).collect::<Vec<_>>());
        let mut approximation = Approximation::new(parameters);
        vectors.iter().for_each(|bits| approximation.add(Kind::Symbol, bits, &mut *solver));
        Bench { solver, approximation, vectors }
    }

    /// Can the vectors have these values?
    fn allows(&mut self, values: [u64; 2]) -> bool {
        let fixed = |(bits, value): (&Vec<Lit>, u64)| -> Vec<Lit> {
            bits.iter().zip(0..).map(|(&lit, i)| if bit(value, i) { lit } else { !lit }).collect()
        };
        let mut literals: Vec<Lit> = self.vectors.iter().zip(values).flat_map(fixed).collect();
        literals.extend(self.approximation.assumptions());
        self.solver.solve(&literals, &Budget::UNLIMITED).is_sat()
    }

    /// Refines what keeps the vectors from these values; `false` if nothing does.
    fn ease_for(&mut self, values: [u64; 2]) -> bool {
        if self.allows(values) {
            return false;
        }
        let failed: Vec<Lit> = self.approximation.assumptions().collect();
        let failed = failed.into_iter().filter(|&lit| self.solver.failed(lit)).collect();
        assert!(self.approximation.refine(&failed, &mut *self.solver), "only approximations are in the way");
        true
    }
}

fn encoding_row(name: &str) -> &'static bivalve_approx::encodings::EncodingRow {
    encoding(name).unwrap()
}

#[test]
fn clauses_allow_what_the_restrictions_do_and_disabled_ones_allow_everything() {
    for row in ENCODINGS {
        for policy in POLICIES {
            for width in 2..=5 {
                for effective in 1..=width {
                    let mut bench = Bench::new(row.name, policy.name, [width, 3], effective);
                    let values = match effective {
                        full if full == width => (0..1 << width).collect(),
                        _ => reachable(&*(row.make)(), width, effective),
                    };
                    let other = reachable(&*(row.make)(), 3, 1)[0];
                    for value in 0..1 << width {
                        assert_eq!(bench.allows([value, other]), values.contains(&value), "{}", row.name);
                    }
                    bench.approximation.disable(&mut *bench.solver);
                    assert_eq!(bench.approximation.assumptions().count(), 0);
                    assert!((0..1 << width).all(|value| bench.allows([value, 5])));
                }
            }
        }
    }
}

#[test]
fn whatever_is_asked_for_is_reached_by_easing_in_few_steps() {
    for row in ENCODINGS {
        for policy in POLICIES {
            for value in 0..64 {
                let mut bench = Bench::new(row.name, policy.name, [6, 3], 1);
                let mut steps = 0;
                let wanted = [value, reachable(&*(row.make)(), 3, 1)[0]];
                while bench.ease_for(wanted) {
                    steps += 1;
                }
                assert!(steps <= 3, "1, 2, 4, 6: {steps}");
                let widths: Vec<u32> = bench.approximation.vectors().iter().map(|v| v.effective).collect();
                let other = if policy.name == "local" { 1 } else { [1, 2, 3, 3][steps] };
                assert_eq!(widths, [[1, 2, 4, 6][steps], other], "{} {}", row.name, policy.name);
            }
        }
    }
}

#[test]
fn a_failure_that_no_approximation_had_to_do_with_eases_nothing() {
    let mut bench = Bench::new("sign", "local", [6, 3], 1);
    let contradiction = bench.solver.new_var();
    bench.solver.add_clause(&[!contradiction]);
    let mut literals: Vec<Lit> = bench.approximation.assumptions().collect();
    assert_eq!(literals.len(), 2);
    literals.push(contradiction);
    assert!(bench.solver.solve(&literals, &Budget::UNLIMITED).is_unsat());
    let failed = literals.into_iter().filter(|&lit| bench.solver.failed(lit)).collect();
    assert!(!bench.approximation.refine(&failed, &mut *bench.solver));
    assert!(bench.approximation.vectors().iter().all(|vector| vector.effective == 1));
}

/// Restrictions that make no sense, and a policy that does not widen: both end all the same.
#[test]
fn nothing_a_third_party_says_keeps_easing_from_ending() {
    struct Odd;
    impl Encoding for Odd {
        fn name(&self) -> &str {
            "odd"
        }
        fn restriction(&self, width: u32, _: u32, bit: u32) -> Restriction {
            [
                Restriction::Bit(bit),
                Restriction::Bit(width),
                Restriction::Bit(u32::MAX),
                Restriction::Constant(bit == 3),
            ][bit as usize % 4]
        }
    }
    struct Stubborn;
    impl bivalve_approx::Policy for Stubborn {
        fn name(&self) -> &str {
            "stubborn"
        }
        fn group(&self, vector: &bivalve_approx::Vector) -> u32 {
            u32::MAX - vector.width
        }
        fn refine(&self, _: &bivalve_approx::Vector) -> u32 {
            0
        }
    }
    let mut bench = Bench::new("zero", "local", [6, 3], 1);
    let (encoding, policy) = (std::sync::Arc::new(Odd), std::sync::Arc::new(Stubborn));
    bench.approximation.disable(&mut *bench.solver);
    bench.approximation = Approximation::new(Parameters { encoding, policy, width: 0 });
    for bits in &bench.vectors {
        bench.approximation.add(Kind::Read, bits, &mut *bench.solver);
    }
    assert_eq!(bench.approximation.assumptions().count(), 1, "three bits have nothing to restrict");
    let mut steps = 0;
    while bench.ease_for([0, 7]) {
        steps += 1;
    }
    assert_eq!(steps, 5, "from one bit to six, one by one");
}
