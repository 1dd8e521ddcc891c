//! Text as it arrives: a window over an input stream, with line numbers.
//!
//! A reader looks at a window of bytes and asks for more only when it has used up what is there. One call of
//! [`Source::fill`] is one `read` of the input: from a pipe it returns with whatever has arrived, so a
//! command is complete as soon as its last byte is in the window, and a file comes in large blocks. Text that
//! a token, a pinned region or the quotation in a message may still need is kept when the window moves on;
//! the rest is forgotten, so that memory is bounded by the longest token and not by the length of the file.
//!
//! Places are byte offsets from the start of the input. Lines are counted only when someone asks: each
//! block's line feeds are found once with `memchr`, and their offsets are kept back to the start of the
//! current command, because that is how far back a message may point.
//!
//! Cost: one pass of `memchr` over the text, a copy of [`HISTORY`] bytes per block, eight bytes per line of a
//! command.

use std::io::{ErrorKind, Read, Result};

/// The first size of the window in bytes; a token or a pinned region that is longer lets it grow.
const WINDOW: usize = 1 << 17;

/// So many bytes behind the reader stay in the window, to be quoted in messages.
const HISTORY: usize = 1 << 14;

/// The window and what is known of the text before it.
pub(crate) struct Source {
    window: Vec<u8>,
    /// Bytes of the window that hold text.
    end: usize,
    /// The next byte to be read, an index of the window.
    pub(crate) next: usize,
    /// The first byte of the current token, an index of the window that stays valid when the window moves.
    pub(crate) token: usize,
    /// The offset of the window's first byte in the input.
    base: u64,
    /// Text from this offset on stays in the window.
    pin: Option<u64>,
    /// Lines that begin before this offset are not asked for any more.
    command: u64,
    lines: Lines,
    /// How often the input gave more, and how often it had when the current command began.
    reads: u64,
    before: u64,
    ended: bool,
}

/// The offsets at which lines begin.
struct Lines {
    /// The number of the line that begins at the first of `starts`, counted from 1.
    first: u64,
    starts: Vec<u64>,
}

impl Source {
    pub(crate) fn new() -> Source {
        Source {
            window: Vec::new(),
            end: 0,
            next: 0,
            token: 0,
            base: 0,
            pin: None,
            command: 0,
            lines: Lines { first: 1, starts: vec![0] },
            reads: 0,
            before: 0,
            ended: false,
        }
    }

    /// The text of the window.
    #[inline]
    pub(crate) fn text(&self) -> &[u8] {
        &self.window[..self.end]
    }

    /// The offset in the input of an index of the window.
    #[inline]
    pub(crate) fn offset(&self, index: usize) -> u64 {
        self.base + index as u64
    }

    /// The text from one offset to another as far as the window still has it.
    pub(crate) fn slice(&self, from: u64, to: u64) -> &[u8] {
        let index = |offset: u64| (offset.saturating_sub(self.base) as usize).min(self.end);
        &self.window[index(from)..index(to).max(index(from))]
    }

    /// Whether nothing more is read.
    pub(crate) fn is_closed(&self) -> bool {
        self.ended
    }

    /// Nothing more is read.
    pub(crate) fn close(&mut self) {
        self.ended = true;
    }

    /// Reads once more from the input behind what is there, keeping the text from `token` or the pin on.
    /// False at the end of the input. An input that says [`ErrorKind::TimedOut`] can be asked again.
    #[cold]
    pub(crate) fn fill(&mut self, input: &mut dyn Read) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.end == self.window.len() {
            self.make_room();
        }
        let count = loop {
            match input.read(&mut self.window[self.end..]) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = error.kind() != ErrorKind::TimedOut;
                    return Err(error);
                }
            }
        };
        self.reads += 1;
        let fresh = &self.window[self.end..self.end + count];
        let place = self.base + self.end as u64 + 1;
        self.lines.starts.extend(memchr::memchr_iter(b'\n', fresh).map(|i| place + i as u64));
        self.end += count;
        self.ended = count == 0;
        Ok(count > 0)
    }

    /// Moves the text that is still needed to the front of the window, or doubles the window.
    fn make_room(&mut self) {
        let pinned = self.pin.map_or(usize::MAX, |pin| (pin - self.base) as usize);
        let keep = self.token.min(self.next.saturating_sub(HISTORY)).min(pinned);
        if self.window.is_empty() {
            // Fresh pages are zero as they come; a short script shall not touch them all.
            self.window = vec![0; WINDOW];
            return;
        }
        if 2 * keep <= self.window.len() {
            self.window.resize((2 * self.window.len()).max(WINDOW), 0);
            return;
        }
        self.window.copy_within(keep..self.end, 0);
        self.base += keep as u64;
        self.end -= keep;
        self.next -= keep;
        self.token -= keep;
        self.lines.forget_before(self.command.min(self.base));
    }

    /// Notes that the text begins at the next byte: the first line does not count what is before it.
    pub(crate) fn begin_text(&mut self) {
        self.lines.starts[0] = self.offset(self.next);
    }

    /// Notes that a command begins at the current token: messages will not point before it.
    pub(crate) fn begin_command(&mut self) {
        self.command = self.offset(self.token);
        self.before = self.reads;
    }

    /// How often the input gave more so far.
    pub(crate) fn reads(&self) -> u64 {
        self.reads
    }

    /// How often it did since the current command began.
    pub(crate) fn reads_of_command(&self) -> u64 {
        self.reads - self.before
    }

    /// The offset of the current command.
    pub(crate) fn command(&self) -> u64 {
        self.command
    }

    /// Keeps the text from the next byte on until [`Source::unpin`].
    pub(crate) fn pin(&mut self) {
        self.pin = Some(self.offset(self.next));
    }

    /// Keeps the text from the current token on until [`Source::unpin`].
    pub(crate) fn pin_token(&mut self) {
        self.pin = Some(self.offset(self.token));
    }

    /// Ends what [`Source::pin`] began.
    pub(crate) fn unpin(&mut self) {
        self.pin = None;
    }

    /// Line and column of an offset, both from 1; columns count bytes.
    pub(crate) fn locate(&self, offset: u64) -> (u64, u64) {
        let line = self.lines.starts.partition_point(|&start| start <= offset).max(1) - 1;
        (self.lines.first + line as u64, offset.saturating_sub(self.lines.starts[line]) + 1)
    }

    /// The part of the line around `offset` that is in the window and at most `reach` bytes away: its text,
    /// and the position of `offset` in it.
    pub(crate) fn line_around(&self, offset: u64, reach: usize) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.base)?).ok().filter(|&at| at <= self.end)?;
        let near = &self.window[at.saturating_sub(reach)..at];
        let before = memchr::memrchr(b'\n', near).map_or(near.len(), |i| near.len() - i - 1);
        let far = &self.window[at..self.end.min(at + reach)];
        let after = memchr::memchr(b'\n', far).unwrap_or(far.len());
        Some((&self.window[at - before..at + after], before))
    }
}

impl Lines {
    /// Drops lines that end before `offset`.
    fn forget_before(&mut self, offset: u64) {
        let gone = self.starts.partition_point(|&start| start <= offset).max(1) - 1;
        self.starts.drain(..gone);
        self.first += gone as u64;
    }
}
