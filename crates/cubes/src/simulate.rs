//! Many workers on one tree, simulated with measured times.
//!
//! The tree is made larger than the measured one: its leaves and its inner nodes take times that are drawn
//! from those that leaves and inner nodes took, and each round has twice as many nodes as the one before.
//! Nodes of a round go to the workers that are free first; the next round begins when all of this one have
//! results, as the search does it. What may go wrong is a [`Weather`]: workers that are lost with what they
//! did, workers that are slow, and a disk to which all results go one after the other.
//!
//! Times are whole microseconds, and chance comes from a seed: the same numbers give the same table.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Microseconds of a second.
const SECOND: f64 = 1e6;

/// Microseconds to start a task.
const START: u64 = 50_000;

/// Times of a tree that was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Seconds of leaves, and bytes of their certificates.
    pub leaves: Vec<(f64, u64)>,
    /// Seconds of nodes that were split.
    pub inner: Vec<f64>,
}

/// What may go wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weather {
    /// Its name.
    pub name: &'static str,
    /// Of so many tasks one is lost with its worker, and done again by another one; 0 for none.
    pub lost: u64,
    /// Of so many workers one takes ten times as long; 0 for none.
    pub slow: u64,
    /// Microseconds that the disk takes for a result.
    pub disk: u64,
}

/// What is simulated.
pub const WEATHERS: &[Weather] = &[
    Weather { name: "nothing goes wrong", lost: 0, slow: 0, disk: 0 },
    Weather { name: "1 task of 50 lost", lost: 50, slow: 0, disk: 0 },
    Weather { name: "1 worker of 20 slow", lost: 0, slow: 20, disk: 0 },
    Weather { name: "20 ms of disk a result", lost: 0, slow: 0, disk: 20_000 },
    Weather { name: "all of these", lost: 50, slow: 20, disk: 20_000 },
];

/// What a simulation shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Seconds from the first task to the last.
    pub seconds: f64,
    /// How much sooner it ends than with one worker and without trouble.
    pub speedup: f64,
    /// The part of all workers' time in which they worked on what counts.
    pub busy: f64,
    /// The part of the work that was done for nothing, or at a tenth of the pace.
    pub waste: f64,
    /// Bytes of all certificates.
    pub bytes: u64,
}

/// How a slow worker is slower.
const SLOWNESS: u64 = 10;

/// A tree with so many leaves, at least, worked on by so many workers; nothing without leaves.
pub fn course(
    measured: &Measured,
    leaves: u64,
    workers: usize,
    weather: &Weather,
    seed: u64,
) -> Option<Course> {
    let micros = |seconds: f64| (seconds * SECOND) as u64;
    let mut random = fastrand::Rng::with_seed(seed);
    // Trees are the same in all weathers.
    let mut chance = fastrand::Rng::with_seed(seed ^ 0x5eed);
    if measured.leaves.is_empty() || workers == 0 {
        return None;
    }
    let mut simulation = Simulation { now: 0, disk: 0, work: 0, lost: 0 };
    let (mut nodes, mut bytes) = (1, 0_u64);
    loop {
        let is_last = nodes >= leaves || measured.inner.is_empty();
        let count = if measured.inner.is_empty() { leaves } else { nodes };
        let tasks: Vec<u64> = (0..count)
            .map(|_| {
                if is_last {
                    let (seconds, size) = measured.leaves[random.usize(..measured.leaves.len())];
                    bytes = bytes.saturating_add(size);
                    micros(seconds)
                } else {
                    micros(measured.inner[random.usize(..measured.inner.len())])
                }
            })
            .collect();
        simulation.round(&tasks, workers, weather, &mut chance);
        if is_last {
            break;
        }
        nodes *= 2;
    }
    let Simulation { now, work, lost, .. } = simulation;
    let all = now as f64 * workers as f64;
    Some(Course {
        seconds: now as f64 / SECOND,
        speedup: work as f64 / now as f64,
        busy: work as f64 / all,
        waste: lost as f64 / (work + lost) as f64,
        bytes,
    })
}

/// A tree that is worked on; times are microseconds.
struct Simulation {
    now: u64,
    /// When the disk is free.
    disk: u64,
    /// What counts, and what does not.
    work: u64,
    lost: u64,
}

impl Simulation {
    fn round(&mut self, tasks: &[u64], workers: usize, weather: &Weather, chance: &mut fastrand::Rng) {
        // When a worker is free, or has done a task whose result the disk does not have yet.
        let begin = |worker| Reverse((self.now, worker, false));
        let mut events: BinaryHeap<Reverse<(u64, usize, bool)>> = (0..workers).map(begin).collect();
        let mut waiting: VecDeque<u64> = tasks.iter().copied().collect();
        let mut end = self.now;
        while let Some(Reverse((now, worker, is_done))) = events.pop() {
            if is_done {
                self.disk = self.disk.max(now) + weather.disk;
                end = end.max(self.disk);
                events.push(Reverse((self.disk, worker, false)));
                continue;
            }
            let Some(task) = waiting.pop_front() else { continue };
            let time = task + START;
            let is_slow = weather.slow > 0 && worker as u64 % weather.slow == weather.slow - 1;
            let taken = if is_slow { time * SLOWNESS } else { time };
            if weather.lost > 0 && chance.u64(..weather.lost) == 0 {
                // Another worker comes in its place, and the task is done once more, after the others.
                let part = chance.u64(..=taken);
                self.lost += part;
                waiting.push_back(task);
                events.push(Reverse((now + part, worker, false)));
            } else {
                self.work += time;
                self.lost += taken - time;
                events.push(Reverse((now + taken, worker, true)));
            }
        }
        self.now = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        Measured { leaves: vec![(1.0, 10), (3.0, 30)], inner: vec![0.95] }
    }

    #[test]
    fn one_worker_has_no_speedup_and_many_have_less_than_their_number() {
        let run = |workers, weather: &Weather| course(&measured(), 1024, workers, weather, 1).unwrap();
        let alone = run(1, &WEATHERS[0]);
        assert!((alone.speedup - 1.0).abs() < 1e-9 && alone.waste == 0.0, "{alone:?}");
        for workers in [20, 100, 1000] {
            let best = run(workers, &WEATHERS[0]);
            assert!(best.speedup > alone.speedup && best.speedup <= workers as f64, "{best:?}");
            assert!((best.busy * workers as f64 - best.speedup).abs() < 1e-6);
            assert_eq!(best.bytes, alone.bytes);
            for weather in &WEATHERS[1..] {
                let worse = run(workers, weather);
                assert!(worse.seconds >= best.seconds, "{weather:?}: {worse:?}, {best:?}");
            }
            assert!(run(workers, &WEATHERS[1]).waste > 0.0);
        }
        // A disk that takes all results one after the other is a bound that no workers move.
        let disk = run(1000, &WEATHERS[3]);
        assert!(disk.seconds >= 1024.0 * 0.02, "{disk:?}");
        // A slow worker does not hold the disk: results are written as they come.
        for weather in &WEATHERS[1..] {
            assert!(run(30, weather).seconds < run(10, weather).seconds, "{weather:?}");
        }
        assert_eq!(course(&Measured::default(), 10, 10, &WEATHERS[0], 1), None);
    }
}
