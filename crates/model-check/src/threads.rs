//! Engines beside each other.
//!
//! Each thread makes and keeps the engines of its places, and does a turn of each in a round; reports come
//! together at its end, in the order of places. In a race, threads do not wait for each other, and reports
//! are looked at as they come.

use crate::checker::Progress;
use crate::crew::{Job, Plan, Report, Round};
use crate::engine::Row;
use crate::problem::Part;
use crate::verdict::Error;
use bivalve::terms::Pool;
use bivalve_limits::panic_message;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What a thread tells.
enum Message {
    Progress(Progress),
    Report(Box<Result<Report, Error>>),
    /// The thread has panicked.
    Panic(String),
}

/// Engines on several threads.
pub(crate) struct Crew {
    orders: Vec<Sender<Round>>,
    messages: Receiver<Message>,
    places: usize,
}

/// Calls `lead` with engines for the parts, in the order of their places, on so many threads. Parts are those
/// of a system in `pool`, of which engines have copies.
pub(crate) fn with_crew<T>(
    pool: &mut Pool,
    plan: &Plan,
    threads: usize,
    seats: Vec<(Row, Part)>,
    lead: impl FnOnce(&mut Pool, &mut Crew) -> T,
) -> T {
    let terms = seats.iter().flat_map(|(_, part)| part.system.symbols().chain(part.system.terms()));
    let (copy, renaming) = pool.copy(&terms.collect::<Vec<_>>());
    let renamed = |(row, mut part): (Row, Part)| {
        part.system.rename(|term| renaming.of(term));
        (row, part)
    };
    let seats: Vec<(Row, Part)> = seats.into_iter().map(renamed).collect();
    thread::scope(|scope| {
        let (reports, messages) = channel();
        let mut orders = vec![];
        for first in 0..threads {
            let (order, rounds) = channel::<Round>();
            orders.push(order);
            let (copy, seats, reports) = (&copy, &seats, reports.clone());
            scope.spawn(move || {
                let work = || work(copy, plan, seats, (first, threads), &rounds, &reports);
                if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                    // The channel is closed if the leader has ended.
                    let _ = reports.send(Message::Panic(panic_message(&*panic).to_owned()));
                }
            });
        }
        drop(reports);
        lead(pool, &mut Crew { orders, messages, places: seats.len() })
    })
}

/// Does turns until there are no more rounds.
fn work(
    pool: &Pool,
    plan: &Plan,
    seats: &[(Row, Part)],
    (first, threads): (usize, usize),
    rounds: &Receiver<Round>,
    reports: &Sender<Message>,
) {
    let own = seats.iter().enumerate().skip(first).step_by(threads);
    let mut jobs: Vec<(Job, &Part)> = own.map(|(place, (row, part))| (Job::new(place, *row), part)).collect();
    for mut round in rounds {
        loop {
            for (job, part) in &mut jobs {
                let mut listener = |progress| drop(reports.send(Message::Progress(progress)));
                let report = job.turn(plan, (pool, part), &round, &mut listener);
                if reports.send(Message::Report(Box::new(report))).is_err() {
                    return;
                }
            }
            let goes_on = plan.options.racing && !plan.is_over(&round);
            if !goes_on || jobs.iter().all(|(job, _)| job.is_over()) {
                break;
            }
            round.number += 1;
        }
    }
}

impl Crew {
    /// Does a round and returns the reports in the order of places.
    ///
    /// # Errors
    ///
    /// When an engine fails.
    pub(crate) fn round(
        &mut self,
        round: &Round,
        listener: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Report>, Error> {
        for order in &self.orders {
            // A thread that has panicked says so.
            let _ = order.send(round.clone());
        }
        let (mut reports, mut failure) = (vec![], None);
        let mut open = self.places;
        while open > 0 {
            match self.messages.recv() {
                Ok(Message::Progress(progress)) => listener(progress),
                Ok(Message::Report(report)) => {
                    open -= 1;
                    match *report {
                        Ok(report) => reports.push(report),
                        Err(error) => failure = failure.or(Some(error)),
                    }
                }
                Ok(Message::Panic(message)) => resume_unwind(Box::new(message)),
                Err(_) => break,
            }
        }
        reports.sort_by_key(|report| report.place);
        failure.map_or(Ok(reports), Err)
    }

    /// Lets the engines race, and hands each report over when it comes.
    ///
    /// # Errors
    ///
    /// When an engine fails, or `take` does.
    pub(crate) fn race(
        &mut self,
        round: &Round,
        mut take: impl FnMut(Result<Report, Progress>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for order in std::mem::take(&mut self.orders) {
            // A thread that has panicked says so.
            let _ = order.send(round.clone());
        }
        while let Ok(message) = self.messages.recv() {
            match message {
                Message::Progress(progress) => take(Err(progress))?,
                Message::Report(report) => take(Ok((*report)?))?,
                Message::Panic(message) => resume_unwind(Box::new(message)),
            }
        }
        Ok(())
    }
}
