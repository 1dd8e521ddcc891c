//! A pool of threads whose results come to the thread of the caller, in any order or in that of the items.
//!
//! Items are made by an iterator when a thread is free, and worked on by a pool of rayon. In the order of the
//! items, two runs with any numbers of threads hand over the same list: results that are early wait in a
//! buffer. While an item takes long, at most `AHEAD` later ones are begun, so the buffer is bounded, and
//! threads are idle only behind an item that takes as long as so many others.
//!
//! The end comes with the items, when the caller raises its flag, or when it breaks off. In the last two
//! cases the flag that each piece of work is given is raised, and no result is handed over any more. The flag
//! of the caller is only read.

use crate::Cancel;
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use std::time::Duration;

/// Items that are begun beyond the first that is not done.
const AHEAD: u64 = 1024;

/// How often the flag of the caller is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// Works on all items with so many threads, 0 for as many as the machine has, until `see` breaks off or
/// `cancel` is raised. `work` is given the flag that ends it; `see` is called in this thread, with results as
/// they come.
///
/// # Errors
/// A sentence, when the system refuses to start the threads.
///
/// # Panics
/// When `work` or `see` does.
pub fn in_any_order<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    cancel: &Cancel,
    work: impl Fn(T, &Cancel) -> R + Sync,
    see: impl FnMut(R) -> ControlFlow<()>,
) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("threads cannot be started: {error}"))?;
    let (send, receive) = sync_channel(2 * pool.current_num_threads());
    let over = &Cancel::new();
    let (work, items) = (&work, items.take_while(|_| !over.is_raised()));
    // Moved there, so that a panic drops what the items may wait for.
    pool.in_place_scope(move |scope| {
        scope.spawn(move |_| {
            items.par_bridge().for_each_with(send, |send, item| {
                // After a panic there is no receiver.
                let _ = send.send(catch_unwind(AssertUnwindSafe(|| work(item, over))));
            });
        });
        let mut see = Some(see);
        loop {
            let done = receive.recv_timeout(GLANCE);
            if cancel.is_raised() {
                over.raise();
                see = None;
            }
            match done {
                Ok(Err(panic)) => {
                    over.raise();
                    resume_unwind(panic)
                }
                Ok(Ok(result)) => {
                    let breaks_off = see.as_mut().is_some_and(|see| see(result).is_break());
                    if breaks_off {
                        over.raise();
                        see = None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    Ok(())
}

/// The same, but `see` is called in the order of the items.
///
/// # Errors
/// As [`in_any_order`].
///
/// # Panics
/// As [`in_any_order`].
pub fn in_order<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    cancel: &Cancel,
    work: impl Fn(T, &Cancel) -> R + Sync,
    see: &mut dyn FnMut(R) -> ControlFlow<()>,
) -> Result<(), String> {
    // An item takes a permit, and each result that was handed over gives one back.
    let (permit, permits) = channel();
    (0..AHEAD).try_for_each(|_| permit.send(())).map_err(|error| error.to_string())?;
    let items = (0..).zip(items.take_while(move |_| permits.recv().is_ok()));
    let (mut early, mut due) = (BTreeMap::new(), 0_u64);
    let work = |(number, item): (u64, T), over: &Cancel| (number, work(item, over));
    in_any_order(items, threads, cancel, work, move |(number, result)| {
        early.insert(number, result);
        while let Some(result) = early.remove(&due) {
            due += 1;
            // After the last item there is no receiver.
            let _ = permit.send(());
            see(result)?;
        }
        ControlFlow::Continue(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The flag of the caller once was raised by a break, so that a campaign that came to its own end was
    /// taken for one that Ctrl-C ended.
    #[test]
    fn results_come_in_order_and_end_where_they_shall() {
        for threads in [1, 3] {
            let (mut seen, cancel) = (vec![], Cancel::new());
            let slow = |item: u64, _: &Cancel| {
                std::thread::sleep(Duration::from_millis(item % 3));
                2 * item
            };
            in_order(0..u64::MAX, threads, &cancel, slow, &mut |result| {
                seen.push(result);
                if seen.len() == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(seen, (0..50).map(|item| 2 * item).collect::<Vec<_>>());
            assert!(!cancel.is_raised());
        }
    }

    /// One slow item once let all others of an endless list be done and kept.
    #[test]
    fn a_slow_item_stops_the_others_after_a_while() {
        let (begun, cancel, others) = (AtomicU64::new(0), Cancel::new(), AHEAD - 1);
        let work = |item: u64, _: &Cancel| {
            let begun_before = begun.fetch_add(1, Ordering::SeqCst);
            while item == 0 && begun.load(Ordering::SeqCst) <= others {
                std::thread::yield_now();
            }
            if item == 0 {
                std::thread::sleep(Duration::from_millis(50));
                return begun.load(Ordering::SeqCst);
            }
            begun_before
        };
        let mut first = None;
        in_order(0..u64::MAX, 2, &cancel, work, &mut |result| {
            first = Some(result);
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(first, Some(AHEAD));
    }

    #[test]
    fn the_flag_of_the_caller_ends_work_that_has_begun() {
        let (cancel, mut seen) = (Cancel::new(), 0);
        let work = |item: u64, over: &Cancel| {
            if item == 5 {
                cancel.raise();
            }
            while item > 5 && !over.is_raised() {
                std::thread::yield_now();
            }
        };
        in_any_order(0..u64::MAX, 2, &cancel, work, |()| {
            seen += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(seen <= 6);
    }

    #[test]
    #[should_panic(expected = "item 3")]
    fn a_panic_of_the_work_is_one_of_the_caller() {
        let work = |item: u64, _: &Cancel| assert!(item != 3, "item {item}");
        let _ = in_order(0..u64::MAX, 2, &Cancel::new(), work, &mut |()| ControlFlow::Continue(()));
    }
}
