//! A pool of threads whose results come in order.
//!
//! Items are made by an iterator when a thread is free, worked on by a pool of rayon, and handed over in the
//! order of the items, whichever is ready first; so two runs with any numbers of threads hand over the same
//! list. The items that are early wait in a buffer, one for each thread on the average.

use crate::Cancel;
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;

/// Works on all items with so many threads, 0 for as many as the machine has, until `see` breaks off or
/// `cancel` is raised. `see` is called in this thread, in the order of the items; what ends after `cancel`
/// was raised is not shown.
///
/// # Errors
/// A sentence, when the system refuses to start the threads.
pub fn in_order<T: Send, R: Send>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    cancel: &Cancel,
    work: impl Fn(T) -> R + Sync,
    see: &mut dyn FnMut(R) -> ControlFlow<()>,
) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| format!("threads cannot be started: {error}"))?;
    let (send, receive) = sync_channel::<(u64, R)>(2 * pool.current_num_threads());
    let (work, items) = (&work, items.take_while(|_| !cancel.is_raised()));
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| {
            (0..).zip(items).par_bridge().for_each_with(send, |send, (number, item)| {
                // After a break there is no receiver.
                let _ = send.send((number, work(item)));
            });
        });
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (number, result) in receive {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if !cancel.is_raised() && see(result).is_break() {
                    cancel.raise();
                }
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_end_where_they_shall() {
        for threads in [1, 3] {
            let (mut seen, cancel) = (vec![], Cancel::new());
            let slow = |item: u64| {
                std::thread::sleep(std::time::Duration::from_millis(item % 3));
                2 * item
            };
            in_order(0..u64::MAX, threads, &cancel, slow, &mut |result| {
                seen.push(result);
                if seen.len() == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(seen, (0..50).map(|item| 2 * item).collect::<Vec<_>>());
        }
    }
}
