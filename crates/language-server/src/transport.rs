//! Messages over a pair of streams, whatever their heads say.
//!
//! A message is a head of lines, of which `Content-Length` counts, and a body of so many bytes of JSON
//! (Language Server Protocol 3.17, base protocol). `lsp-server` takes as much memory at once as a head says;
//! here a body grows as it comes, one that is too long is skipped, and what is no message is told to the
//! editor and passed over, so the session goes on.
//!
//! Cost: a thread for each stream.

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, Message, Notification};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{JoinHandle, spawn};

/// Longer bodies are skipped: some ten times the longest script that an editor opens at ease.
const MOST_BYTES: u64 = 64 << 20;

/// Longer lines of a head are no lines.
const LONGEST_LINE: u64 = 1 << 12;

/// The threads of a connection.
pub struct Threads {
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until everything is written, after the connection was dropped. The thread that reads is not
    /// waited for: the editor may keep its stream open.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn join(self) -> io::Result<()> {
        self.writer.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes has ended")))
    }
}

/// A connection over two streams, such as standard input and output.
pub fn connect(
    input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
) -> (Connection, Threads) {
    let (to_editor, written) = unbounded::<Message>();
    let (to_server, receiver) = unbounded();
    let told = to_editor.clone();
    spawn(move || read_all(&mut BufReader::new(input), &to_server, &told));
    let writer = spawn(move || {
        written.into_iter().try_for_each(|message| message.write(&mut output))?;
        output.flush()
    });
    (Connection { sender: to_editor, receiver }, Threads { writer })
}

/// Hands on what is read, until the editor ends the session or the stream ends.
fn read_all(input: &mut impl BufRead, to_server: &Sender<Message>, to_editor: &Sender<Message>) {
    loop {
        let message = match read(input) {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(why))) => {
                let params = serde_json::json!({ "type": 1, "message": format!("bivalve: {why}") });
                let log = Notification::new("window/logMessage".into(), params);
                if to_editor.send(log.into()).is_err() {
                    return;
                }
                continue;
            }
            Ok(None) | Err(_) => return,
        };
        let is_last = matches!(&message, Message::Notification(note) if note.method == "exit");
        if to_server.send(message).is_err() || is_last {
            return;
        }
    }
}

/// The next message, or why what stands there is none; nothing at the end.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let mut length: Option<Result<u64, String>> = None;
    loop {
        let mut line = vec![];
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            let value = value.trim();
            length = Some(value.parse().map_err(|_| format!("expected a length in bytes, found '{value}'")));
        }
    }
    let length = match length {
        None => return Ok(Some(Err("expected a head with 'Content-Length', found none".into()))),
        Some(Err(why)) => return Ok(Some(Err(why))),
        Some(Ok(length)) if length > MOST_BYTES => {
            io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
            let why = format!("expected a message of at most {MOST_BYTES} bytes, found one of {length}");
            return Ok(Some(Err(why)));
        }
        Some(Ok(length)) => length,
    };
    let mut body = vec![];
    input.by_ref().take(length).read_to_end(&mut body)?;
    Ok(Some(serde_json::from_slice(&body).map_err(|error| format!("expected a message in JSON: {error}"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// What is read after heads of all kinds, and how much of it was refused.
    fn read_all_of(text: &[u8]) -> (Vec<String>, usize) {
        let (to_server, messages) = unbounded();
        let (to_editor, logs) = unbounded();
        read_all(&mut Cursor::new(text), &to_server, &to_editor);
        drop((to_server, to_editor));
        let method = |message| match message {
            Message::Notification(note) => note.method,
            other => format!("{other:?}"),
        };
        (messages.into_iter().map(method).collect(), logs.into_iter().count())
    }

    #[test]
    fn any_length_is_survived() {
        let good = "Content-Length: 31\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"ok\"}";
        for bad in [
            "Content-Length: -1\r\n\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 99999999999999999999999\r\n\r\n",
            "Content-Type: text\r\n\r\n",
            "\r\n",
            "Content-Length: 3\r\n\r\n{}{",
            "Content-Length: 0\r\n\r\n",
        ] {
            let text = format!("{good}{bad}{good}");
            assert_eq!(read_all_of(text.as_bytes()), (vec!["ok".into(); 2], 1), "{bad:?}");
        }
        // Nothing follows, and nothing of that size is taken.
        let text = format!("{good}Content-Length: 18446744073709551615\r\n\r\n{{}}");
        assert_eq!(read_all_of(text.as_bytes()), (vec!["ok".into()], 1));
        let text = format!("{good}Content-Length: 60000000\r\n\r\n{{");
        assert_eq!(read_all_of(text.as_bytes()), (vec!["ok".into()], 1));
        let long = format!("Content-Length: 70000000\r\n\r\n{}{good}", " ".repeat(70_000_000));
        assert_eq!(read_all_of(long.as_bytes()), (vec!["ok".into()], 1));
    }

    #[test]
    fn nothing_is_read_after_exit() {
        let exit = "content-length:33\n\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        assert_eq!(read_all_of(format!("{exit}{exit}").as_bytes()), (vec!["exit".into()], 0));
    }
}
