//! Verdicts about candidates: each candidate is tested once, and many are tested ahead of time.
//!
//! The search is sequential: what is tried next depends on the last verdict. Its order of decisions is the
//! same for every number of workers, so the result is the same, byte by byte; workers only fetch verdicts
//! that may be needed. While a candidate is tested, copies of the [`Ddmin`] get the verdicts "yes" and
//! "no", and the candidates that they propose next are tested too, the likelier ones first, by the rate of
//! success of the pass so far. If the guess was right, the verdict is there when the search needs it; if
//! not, only idle time of a processor was used.
//!
//! Verdicts are kept by a 128-bit hash of the text. A candidate that was tested before, in any pass, costs
//! the time of printing it.
//!
//! Cost: with `j` workers at best `j` times as fast, at worst as fast as with one.

use crate::ddmin::Ddmin;
use crate::oracle::Oracle;
use bivalve_limits::Cancel;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::VecDeque;
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Scope;

/// Is a candidate smaller? Bytes first, then bits of symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Weight {
    /// The length of the text in bytes.
    pub(crate) bytes: usize,
    /// The width of all symbols together, in bits.
    pub(crate) bits: u64,
}

/// A candidate.
pub(crate) struct Candidate {
    pub(crate) text: String,
    pub(crate) weight: Weight,
}

/// The items of a sweep, and the candidates that they make of the base.
pub(crate) trait Family {
    /// The base with these items applied; `None` if that is no script.
    fn candidate(&mut self, chosen: &[u32]) -> Option<Candidate>;

    /// The items that still make a difference after these were applied; `None` if all others do.
    fn alive(&mut self, accepted: &[u32]) -> Option<Vec<bool>>;
}

/// What one kind of pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// Verdicts that were used.
    pub tests: u64,
    /// How often the failure was still there.
    pub successes: u64,
    /// Bytes that went.
    pub bytes: u64,
}

/// The progress of a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The length of the smallest script found so far in bytes.
    pub bytes: usize,
    /// Its tests so far.
    pub tests: Tests,
    /// The name of the pass.
    pub pass: &'static str,
}

/// Counts of tests.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tests {
    /// Verdicts that the search waited for or used.
    pub used: u64,
    /// Among them, how often the failure was still there.
    pub successes: u64,
    /// Candidates whose verdict was known already.
    pub duplicates: u64,
    /// Candidates that were not smaller than the script, and were not tested.
    pub larger: u64,
    /// All verdicts that were fetched, those ahead of time included. This depends on the number of workers.
    pub asked: u64,
}

type Key = [u64; 2];

struct Job {
    key: Key,
    number: u64,
    text: String,
    cancel: Cancel,
}

/// The key of the text, the number of the job, and the verdict; none if it was stopped.
type Answer = (Key, u64, Option<bool>);

/// Jobs for the workers.
struct Queue {
    jobs: Mutex<(VecDeque<Job>, bool)>,
    arrived: Condvar,
}

/// The verdicts, and the workers that fetch them.
pub(crate) struct Verdicts<'a> {
    oracle: &'a dyn Oracle,
    cancel: &'a Cancel,
    known: FxHashMap<Key, bool>,
    /// Keys whose verdicts were used already.
    used: FxHashSet<Key>,
    /// The jobs under way, by their numbers, and how to stop them. An answer to another job than that of a
    /// key is stale.
    pending: FxHashMap<Key, (u64, Cancel)>,
    jobs: u64,
    workers: Option<Workers>,
    /// An estimate of how often candidates succeed.
    rate: f64,
    pub(crate) tests: Tests,
    passes: Vec<Pass>,
    /// The position of the present pass among `passes`.
    pass: usize,
    bytes: usize,
    watch: &'a mut dyn FnMut(&Progress),
}

struct Workers {
    count: usize,
    queue: Arc<Queue>,
    verdicts: Receiver<Answer>,
}

impl<'a> Verdicts<'a> {
    /// Verdicts by so many workers, which live in `scope`; one worker is this thread itself. The caller ends
    /// them by [`Verdicts::dismiss`].
    pub(crate) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        oracle: &'scope dyn Oracle,
        cancel: &'a Cancel,
        jobs: usize,
        watch: &'a mut dyn FnMut(&Progress),
    ) -> Verdicts<'a>
    where
        'scope: 'a,
    {
        let workers = (jobs > 1).then(|| {
            let queue = Arc::new(Queue { jobs: Mutex::default(), arrived: Condvar::new() });
            let (sender, verdicts) = channel();
            for _ in 0..jobs {
                let (queue, sender) = (Arc::clone(&queue), sender.clone());
                scope.spawn(move || work(oracle, &queue, &sender));
            }
            Workers { count: jobs, queue, verdicts }
        });
        Verdicts {
            oracle,
            cancel,
            known: FxHashMap::default(),
            used: FxHashSet::default(),
            pending: FxHashMap::default(),
            jobs: 0,
            workers,
            rate: 0.3,
            tests: Tests::default(),
            passes: vec![Pass { name: "reading", tests: 0, successes: 0, bytes: 0 }],
            pass: 0,
            bytes: 0,
            watch,
        }
    }

    /// Notes that the input fails.
    pub(crate) fn know(&mut self, text: &str) {
        self.known.insert(key(text), true);
        self.used.insert(key(text));
        self.bytes = text.len();
    }

    /// Tests are counted for the pass of this name from now on.
    pub(crate) fn pass(&mut self, name: &'static str) {
        self.pass = self.passes.iter().position(|pass| pass.name == name).unwrap_or_else(|| {
            self.passes.push(Pass { name, tests: 0, successes: 0, bytes: 0 });
            self.passes.len() - 1
        });
    }

    /// What each pass did.
    pub(crate) fn passes(&self) -> Vec<Pass> {
        self.passes.iter().copied().filter(|pass| pass.tests > 0).collect()
    }

    /// Ends the workers.
    pub(crate) fn dismiss(&mut self) {
        let Some(workers) = self.workers.take() else { return };
        self.pending.values().for_each(|(_, cancel)| cancel.raise());
        let mut jobs = workers.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.0.clear();
        jobs.1 = true;
        workers.queue.arrived.notify_all();
    }

    /// Whether the search is to end.
    pub(crate) fn stopped(&self) -> bool {
        self.cancel.is_raised()
    }

    /// Runs a sweep from a base of this weight. What succeeded is in `ddmin`.
    pub(crate) fn sweep(&mut self, ddmin: &mut Ddmin, family: &mut dyn Family, mut weight: Weight) -> Weight {
        while !self.stopped()
            && let Some(chosen) = ddmin.next()
        {
            let candidate = family.candidate(&chosen);
            let fails = match &candidate {
                None => false,
                Some(candidate) if candidate.weight >= weight => {
                    self.tests.larger += 1;
                    false
                }
                Some(candidate) => self.fails(candidate, Some(Ahead { ddmin, family, weight })),
            };
            ddmin.tell(fails);
            if let (true, Some(candidate)) = (fails, candidate) {
                weight = candidate.weight;
                retain(ddmin, family);
            }
        }
        weight
    }

    /// Whether this candidate fails. `ahead` predicts how the search goes on.
    pub(crate) fn fails(&mut self, candidate: &Candidate, mut ahead: Option<Ahead<'_>>) -> bool {
        let key = key(&candidate.text);
        if !self.known.contains_key(&key) {
            if self.workers.is_none() {
                self.tests.asked += 1;
                let fails = self.oracle.fails(&candidate.text, self.cancel);
                self.known.insert(key, fails);
            } else {
                self.submit(key, &candidate.text);
                while !self.known.contains_key(&key) && !self.stopped() {
                    if let Some(ahead) = &mut ahead {
                        self.look_ahead(key, ahead, candidate.weight);
                    }
                    self.receive();
                }
            }
        }
        let fails = self.known.get(&key).copied().unwrap_or(false);
        if self.used.insert(key) {
            self.tests.used += 1;
            self.tests.successes += u64::from(fails);
            let pass = &mut self.passes[self.pass];
            pass.tests += 1;
            pass.successes += u64::from(fails);
            self.rate += (f64::from(u8::from(fails)) - self.rate) / 8.0;
        } else {
            self.tests.duplicates += 1;
        }
        // A test that was stopped has no verdict.
        let fails = fails && !self.stopped();
        if fails {
            let saved = self.bytes.saturating_sub(candidate.text.len());
            self.passes[self.pass].bytes += saved as u64;
            self.bytes = candidate.text.len();
        }
        (self.watch)(&Progress { bytes: self.bytes, tests: self.tests, pass: self.passes[self.pass].name });
        fails
    }

    fn submit(&mut self, key: Key, text: &str) {
        let workers = self.workers.as_ref().expect("candidates are handed to workers only if there are some");
        if self.pending.contains_key(&key) {
            return;
        }
        let cancel = Cancel::new();
        self.jobs += 1;
        self.pending.insert(key, (self.jobs, cancel.clone()));
        self.tests.asked += 1;
        let mut jobs = workers.queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.0.push_back(Job { key, number: self.jobs, text: text.to_owned(), cancel });
        workers.queue.arrived.notify_one();
    }

    /// Waits for a verdict, and checks at intervals whether the search is stopped from outside.
    fn receive(&mut self) {
        let workers = self.workers.as_ref().expect("verdicts come from workers");
        let mut arrived = workers.verdicts.recv_timeout(std::time::Duration::from_millis(50)).ok();
        if self.cancel.is_raised() {
            self.pending.values().for_each(|(_, cancel)| cancel.raise());
        }
        while let Some((key, number, fails)) = arrived {
            if self.pending.get(&key).is_some_and(|(expected, _)| *expected == number) {
                self.pending.remove(&key);
            }
            // A stale answer is as true as any other.
            self.known.extend(fails.map(|fails| (key, fails)));
            arrived = workers.verdicts.try_recv().ok();
        }
    }

    /// Gives idle workers what the search may need next, and stops the tests that it will not need any more.
    fn look_ahead(&mut self, wanted: Key, ahead: &mut Ahead<'_>, candidate: Weight) {
        let spare = self.workers.as_ref().map_or(0, |workers| workers.count - 1);
        let futures = self.futures(spare, ahead, candidate);
        let stale = |key: &Key| *key != wanted && !futures.iter().any(|(future, _)| future == key);
        self.pending.retain(|key, (_, cancel)| {
            if stale(key) {
                cancel.raise();
            }
            !stale(key)
        });
        for (key, text) in futures {
            self.submit(key, &text);
        }
    }

    /// The likeliest candidates to come whose verdicts are not known.
    fn futures(&self, count: usize, ahead: &mut Ahead<'_>, candidate: Weight) -> Vec<(Key, String)> {
        let Ahead { ddmin, family, weight } = ahead;
        let rate = self.rate.clamp(0.05, 0.95);
        let told = |ddmin: &Ddmin, family: &mut dyn Family, fails: bool| {
            let mut ddmin = ddmin.clone();
            ddmin.tell(fails);
            if fails {
                retain(&mut ddmin, family);
            }
            ddmin
        };
        let mut open: Vec<(f64, Ddmin, Weight)> = vec![
            (rate, told(ddmin, *family, true), candidate),
            (1.0 - rate, told(ddmin, *family, false), *weight),
        ];
        let mut found: Vec<(Key, String)> = vec![];
        for _ in 0..FUTURES * count {
            let likeliest = (0..open.len()).max_by(|&a, &b| open[a].0.total_cmp(&open[b].0));
            let Some((chance, mut ddmin, weight)) = likeliest.map(|at| open.swap_remove(at)) else { break };
            let Some(chosen) = ddmin.next() else { continue };
            let candidate = family.candidate(&chosen).filter(|candidate| candidate.weight < weight);
            let Some(Candidate { text, weight: smaller }) = candidate else {
                ddmin.tell(false);
                open.push((chance, ddmin, weight));
                continue;
            };
            let key = key(&text);
            if let Some(&fails) = self.known.get(&key) {
                open.push((chance, told(&ddmin, *family, fails), if fails { smaller } else { weight }));
                continue;
            }
            if !found.iter().any(|(other, _)| *other == key) {
                found.push((key, text));
            }
            if found.len() == count {
                break;
            }
            open.push((chance * rate, told(&ddmin, *family, true), smaller));
            open.push((chance * (1.0 - rate), told(&ddmin, *family, false), weight));
        }
        found
    }
}

/// So many predictions are made for each worker.
const FUTURES: usize = 16;

/// How the search would go on from a candidate.
pub(crate) struct Ahead<'f> {
    ddmin: &'f Ddmin,
    family: &'f mut dyn Family,
    /// The weight of the base.
    weight: Weight,
}

/// Removes the items that have no effect any more.
fn retain(ddmin: &mut Ddmin, family: &mut dyn Family) {
    if let Some(alive) = family.alive(ddmin.accepted()) {
        ddmin.retain(|item| alive[item as usize]);
    }
}

/// What a worker does until it is ended.
fn work(oracle: &dyn Oracle, queue: &Queue, verdicts: &Sender<Answer>) {
    loop {
        let mut jobs = queue.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let job = loop {
            if let Some(job) = jobs.0.pop_front() {
                break job;
            }
            if jobs.1 {
                return;
            }
            jobs = queue.arrived.wait(jobs).unwrap_or_else(PoisonError::into_inner);
        };
        drop(jobs);
        // A panic is no verdict, and the search would wait for one for ever.
        let judged = catch_unwind(AssertUnwindSafe(|| oracle.fails(&job.text, &job.cancel)));
        let fails = (!job.cancel.is_raised()).then(|| judged.unwrap_or(false));
        if verdicts.send((job.key, job.number, fails)).is_err() {
            return;
        }
    }
}

/// A hash of a text that no two texts of a reduction share: FxHash, and a chain of multiplications of its
/// own.
fn key(text: &str) -> Key {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    let mut chain = text.len() as u64;
    for word in text.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..word.len()].copy_from_slice(word);
        chain = (chain ^ u64::from_le_bytes(bytes)).wrapping_mul(0xd1b5_4a32_d192_ed03);
        chain ^= chain >> 29;
    }
    [hasher.finish(), chain]
}
