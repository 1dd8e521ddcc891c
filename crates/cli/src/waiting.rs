//! Inputs that are waited for: a read that comes back when nothing arrives.
//!
//! A read of a pipe ends when its client goes on or leaves, and nothing else ends it. So where a time limit
//! has to end it, another thread reads, and a read here says [`ErrorKind::TimedOut`] when nothing came for a
//! while. That is no fault: the next read waits on. A file is there as a whole and needs none of this.
//!
//! Cost: a thread, and a copy of the text.

use crate::limits::Watchdog;
use crate::messages::unreadable;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// How long a read waits.
const PERIOD: Duration = Duration::from_millis(10);

/// Bytes that are read at once, as many as a pipe has.
const PART: usize = 1 << 16;

/// An input that another thread reads.
pub(crate) struct Waiting {
    parts: Receiver<io::Result<Vec<u8>>>,
    /// What was read and not handed on yet.
    part: Cursor<Vec<u8>>,
}

impl Waiting {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// When there is no thread for it.
    pub(crate) fn new(input: impl Read + Send + 'static) -> io::Result<Waiting> {
        let (sender, parts) = sync_channel(1);
        thread::Builder::new().spawn(move || send(input, &sender))?;
        Ok(Waiting { parts, part: Cursor::default() })
    }

    /// The same in a box.
    ///
    /// # Errors
    ///
    /// When there is no thread for it.
    pub(crate) fn boxed(input: impl Read + Send + 'static) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(Waiting::new(input)?))
    }
}

/// Sends an input to its end.
fn send(mut input: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; PART];
    loop {
        let part = match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => Ok(buffer[..count].to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_last = part.is_err();
        if to.send(part).is_err() || is_last {
            return;
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part.position() == self.part.get_ref().len() as u64 {
            self.part = match self.parts.recv_timeout(PERIOD) {
                Ok(part) => Cursor::new(part?),
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
        }
        self.part.read(buffer)
    }
}

/// The whole of an input, which messages call `name`, within the limits of a run.
///
/// # Errors
///
/// A sentence: it cannot be read, or its end does not come.
pub(crate) fn whole(input: &mut dyn Read, name: &str, watchdog: &Watchdog) -> Result<Vec<u8>, String> {
    let text = read_to_end(input, || watchdog.exhausted().is_none());
    text.map_err(|error| match watchdog.exhausted() {
        Some(why) if error.kind() == ErrorKind::TimedOut => {
            format!("{name}: expected the end of the input within the limits, found that {why}")
        }
        _ => unreadable(name, &error),
    })
}

/// The whole of an input; `goes_on` is asked where nothing came for a while.
fn read_to_end(input: &mut dyn Read, mut goes_on: impl FnMut() -> bool) -> io::Result<Vec<u8>> {
    let mut text = vec![];
    loop {
        match input.read_to_end(&mut text) {
            Err(error) if error.kind() == ErrorKind::TimedOut && goes_on() => {}
            read => return read.map(|_| text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_arrives_and_silence_is_told() {
        let (sender, receiver) = sync_channel::<&[u8]>(0);
        struct Client(Receiver<&'static [u8]>);
        impl Read for Client {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.recv().map_or(Ok(0), |mut text| text.read(buffer))
            }
        }
        let mut waiting = Waiting::new(Client(receiver)).expect("a thread");
        let mut buffer = [0; 3];
        assert_eq!(waiting.read(&mut buffer).map_err(|error| error.kind()), Err(ErrorKind::TimedOut));
        sender.send(b"(exit)").expect("it is read");
        let mut sender = Some(sender);
        // The client leaves while it is waited for.
        let text = read_to_end(&mut waiting, || {
            sender = None;
            true
        });
        assert_eq!(text.expect("text"), b"(exit)");
    }
}
