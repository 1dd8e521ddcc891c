//! What notebooks show: text with its markup characters escaped, cut short where it is long.
//!
//! Only elements that every notebook has are used, and no style, so that a page keeps its own.

/// Characters of a term that a notebook shows.
const MOST: usize = 4000;

/// The text, or its beginning and how much is missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            let missing = text[end..].chars().count();
            format!("{}... ({missing} more characters)", &text[..end])
        }
    }
}

/// Text in which nothing is markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A term with its sort.
pub(crate) fn term(text: &str, sort: &str) -> String {
    format!("<code title=\"{}\">{}</code>", escaped(sort), escaped(&shortened(text, MOST)))
}

/// A table of two columns.
pub(crate) fn table(head: [&str; 2], rows: impl IntoIterator<Item = [String; 2]>) -> String {
    let mut table = format!("<table><tr><th>{}</th><th>{}</th></tr>", escaped(head[0]), escaped(head[1]));
    for [name, value] in rows {
        let (name, value) = (escaped(&name), escaped(&shortened(&value, MOST)));
        table += &format!("<tr><td><code>{name}</code></td><td><code>{value}</code></td></tr>");
    }
    table + "</table>"
}
