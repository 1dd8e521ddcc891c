//! Panics that a caller has caught.

use std::any::Any;

/// The message of a panic, as `std::panic::catch_unwind` returns it. A payload that is no text has none.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_literal_formatted_or_missing() {
        let literal: Box<dyn Any + Send> = Box::new("one");
        let formatted: Box<dyn Any + Send> = Box::new(String::from("two"));
        let other: Box<dyn Any + Send> = Box::new(3);
        let messages = [&literal, &formatted, &other].map(|payload| panic_message(&**payload));
        assert_eq!(messages, ["one", "two", "a panic without a message"]);
    }
}
