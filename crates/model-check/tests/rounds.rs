//! Engines in their rounds: on several threads, and with little memory.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use bivalve::terms::Pool;
use bivalve::{Stop, Why};
use bivalve_formats::btor2;
use bivalve_fuzz::systems::small;
use bivalve_model_check::{Engine, Options, Verdict, Verdicts, check};
use bivalve_systems::explicit::decide;

fn verdicts(text: &str, options: &Options) -> Verdicts {
    let mut pool = Pool::new();
    let system = btor2::read(&mut pool, text.as_bytes(), "text", Default::default()).unwrap();
    check(&mut pool, &system, options, &Stop::new(), &mut |_| {}).unwrap()
}

/// Verdicts, witnesses and proofs are the same for any number of threads.
#[test]
fn threads_change_nothing() {
    for number in 0..25 {
        let by = |threads| {
            let (mut pool, system) = small(13, number);
            let options = Options { threads, obligations: number % 5 == 0, ..Options::default() };
            check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap()
        };
        let alone = by(1);
        for threads in [2, 5] {
            assert_eq!(alone, by(threads), "system {number}, {threads} threads");
        }
    }
}

/// A register of 24 bits that stays odd, by products: each frame costs some thousand gates. What it is
/// divided by is odd where it is compared, so no rule says that it is never even.
const PRODUCTS: &str = "1 sort bitvec 24\n2 sort bitvec 1\n3 state 1 x\n4 one 1\n5 init 1 3 4\n6 input 1\n\
    7 or 1 6 4\n8 mul 1 3 7\n9 next 1 3 8\n10 slice 2 3 0 0\n11 bad -10\n";

/// What would need more memory than there is ends with a reason; what needs less is decided.
#[test]
fn engines_give_way_where_memory_is_short() {
    let memory = Some(8_000_000);
    let bmc = verdicts(PRODUCTS, &Options { engine: Engine::Bmc, memory, ..Options::default() });
    assert!(matches!(bmc.bads[0], Verdict::Unknown(Why::MemoryLimit, frames) if frames > 0), "{bmc:?}");
    let auto = verdicts(PRODUCTS, &Options { memory, ..Options::default() });
    assert!(matches!(auto.bads[0], Verdict::Holds(_)), "{auto:?}");
}

/// In a race it is not known who wins, but verdicts are right.
#[test]
fn races_agree_with_enumeration() {
    for number in 0..25 {
        let (mut pool, system) = small(17, number);
        let truth = decide(&pool, &system).unwrap();
        let options = Options { threads: 3, racing: true, ..Options::default() };
        let verdicts = check(&mut pool, &system, &options, &Stop::new(), &mut |_| {}).unwrap();
        for (verdict, truth) in verdicts.bads.iter().zip(&truth.bads) {
            let is_violated = match verdict {
                Verdict::Violated(_) => true,
                Verdict::Holds(_) => false,
                Verdict::Unknown(why, _) => panic!("system {number}: {why}"),
            };
            assert_eq!(is_violated, truth.is_some(), "system {number}");
        }
    }
}
