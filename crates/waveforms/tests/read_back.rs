//! Waveforms are read back by another library, and show what the runs are.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may stop")]

use bivalve_systems::{
    Claim, Clock, Design, Edge, Frame, Input, Output, Property, Run, State, System, Witness,
};
use bivalve_terms::{BitVec, Pool, Sort, Term, Value};
use bivalve_waveforms::{write_fst, write_svg, write_vcd};
use std::collections::BTreeMap;

/// A memory of 2^16 bytes that is written at `top.address` with a counter and read at the address 7.
fn system() -> (Pool, System) {
    let mut pool = Pool::new();
    let [byte, address] = [8, 16].map(|width| Sort::bitvec(width).unwrap());
    let array = pool.sorts_mut().array(address, byte).unwrap();
    let (count, memory) = (pool.symbol("count", byte), pool.symbol("memory", array));
    let (at, flag) = (pool.symbol("at", address), pool.symbol("flag", Sort::BOOL));
    let [zero, one, seven] = [pool.bv_u64(0, 8), pool.bv_u64(1, 8), pool.bv_u64(7, 16)];
    let next = pool.bvadd(count, one).unwrap();
    let write = pool.store(memory, at, count).unwrap();
    let read = pool.select(memory, seven).unwrap();
    let two = pool.bv_u64(2, 8);
    let bad = pool.eq(count, two).unwrap();
    let state =
        |term: Term, init, next, name: &str| State { term, init, next: Some(next), name: Some(name.into()) };
    let input = |term, name: Option<&str>| Input { term, name: name.map(str::to_owned) };
    let system = System {
        states: vec![
            state(count, Some(zero), next, "top.unit.count"),
            state(memory, None, write, "top.memory"),
        ],
        inputs: vec![input(at, Some("top.address")), input(flag, None)],
        bads: vec![Property { term: bad, name: None }],
        outputs: vec![Output { term: read, name: Some("top.unit.count".into()) }],
        ..System::default()
    };
    (pool, system)
}

/// Three frames that write the cells 5, 7 and 5; cell 9 is 1 from the beginning, and the flag as given.
fn run(pool: &Pool, system: &System, flag: bool) -> Run {
    let sort = pool.sort(system.states[1].term);
    let [one, nine] = [BitVec::one(8), BitVec::from_u64(9, 16)].map(Value::from);
    let memory = Value::default_of(pool.sorts(), sort).expect_array().store(&nine, &one);
    let frame = |at: u64| Frame {
        states: vec![],
        inputs: vec![(0, BitVec::from_u64(at, 16).into()), (1, flag.into())],
    };
    let mut frames = vec![frame(5), frame(7), frame(5)];
    frames[0].states.push((1, memory.into()));
    system.replay(pool, &Witness { claims: vec![Claim::Bad(0)], frames, loop_start: None }).unwrap()
}

/// The values of all signals by their full names, at each time.
fn read_back(path: &std::path::Path, times: u32) -> BTreeMap<String, Vec<String>> {
    let mut waves = wellen::simple::read(path).unwrap();
    let all: Vec<_> = waves.hierarchy().all_vars().map(|var| waves.hierarchy()[var].signal_ref()).collect();
    waves.load_signals(&all);
    assert_eq!(waves.time_table(), (0..u64::from(times)).collect::<Vec<_>>());
    let hierarchy = waves.hierarchy();
    let values = hierarchy.all_vars().map(|var| {
        let var = &hierarchy[var];
        let signal = waves.get_signal(var.signal_ref()).unwrap();
        let at = |time: u32| {
            let offset = signal.get_offset(time).unwrap();
            signal.get_value_at(&offset, 0).to_bit_string().unwrap()
        };
        (var.full_name(hierarchy), (0..times).map(at).collect())
    });
    values.collect()
}

fn check(path: &std::path::Path, flag: &str) {
    let found = read_back(path, 4);
    let bits = |value: u64, width: u32| BitVec::from_u64(value, width).to_binary_string();
    let signal = |name: &str, width: u32, values: [u64; 3]| {
        // The last frame lasts until the end.
        let all = values.iter().chain(&values[2..]).map(|&value| bits(value, width)).collect::<Vec<_>>();
        (format!("system.{name}"), all)
    };
    let expected = BTreeMap::from([
        signal("top.address", 16, [5, 7, 5]),
        signal("top.unit.count", 8, [0, 1, 2]),
        signal("top.unit.count.1", 8, [0, 0, 1]),
        signal("top.memory.cell_5", 8, [0, 0, 0]),
        signal("top.memory.cell_7", 8, [0, 0, 1]),
        signal("top.memory.cell_9", 8, [1, 1, 1]),
        ("system.input1".to_owned(), vec![flag.to_owned(); 4]),
    ]);
    assert_eq!(found, expected);
}

#[test]
fn both_formats_are_read_back() {
    let (pool, system) = system();
    let directory = tempfile::tempdir().unwrap();
    let (vcd, fst) = (directory.path().join("w.vcd"), directory.path().join("w.fst"));
    let [no, yes] = [false, true].map(|flag| run(&pool, &system, flag));
    for (runs, flag) in [(vec![no.clone()], "0"), (vec![yes.clone()], "1"), (vec![no, yes], "x")] {
        write_vcd(std::fs::File::create(&vcd).unwrap(), &pool, &system, &Design::default(), &runs).unwrap();
        check(&vcd, flag);
        write_fst(&fst, &pool, &system, &Design::default(), &runs).unwrap();
        check(&fst, flag);
    }
}

/// The design has a name and a clock of each kind; a frame takes two times.
#[test]
fn clocks_tick() {
    let (pool, mut system) = system();
    let input = system.inputs[1].term;
    let run = run(&pool, &system, true);
    for (edge, ticks) in [(Edge::Rising, "1010100"), (Edge::Falling, "0101011")] {
        let clocks = vec![Clock { term: input, edge }];
        let design = Design { top: Some("chip".into()), clocks };
        let directory = tempfile::tempdir().unwrap();
        let (vcd, fst) = (directory.path().join("w.vcd"), directory.path().join("w.fst"));
        system.inputs[1].name = Some("clk".into());
        let runs = std::slice::from_ref(&run);
        write_vcd(std::fs::File::create(&vcd).unwrap(), &pool, &system, &design, runs).unwrap();
        write_fst(&fst, &pool, &system, &design, runs).unwrap();
        for path in [vcd, fst] {
            let found = read_back(&path, 7);
            assert_eq!(found["chip.clk"].concat(), ticks, "{}", path.display());
            let count: Vec<u32> = found["chip.top.unit.count"]
                .iter()
                .map(|bits| u32::from_str_radix(bits, 2).unwrap())
                .collect();
            assert_eq!(count, [0, 0, 1, 1, 2, 2, 2]);
        }
        let mut picture = vec![];
        let names = ["clk".to_owned()];
        write_svg(&mut picture, &pool, &system, &design, runs, "a run", &names).unwrap();
        // An edge at the start of all frames but the first, and one in the middle of each.
        let picture = String::from_utf8(picture).unwrap();
        assert_eq!(picture.matches("stroke-width=\"2\"").count(), 6, "{picture}");
    }
}
