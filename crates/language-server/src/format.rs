//! Laying a text out anew, with the same tokens.
//!
//! A command that fits into a line takes one; else its parts stand below each other, indented. A command with
//! comments inside stays as it is, and so does what is not closed. Lines of BTOR2 get single blanks. Walks
//! keep a list of what is left to write, so depth is no matter, and the indentation ends at a third of the
//! width. If the tokens should differ afterwards, nothing is changed. Cost: linear.

use crate::tree::Tree;
use bivalve_formats::sexpr::tokens;
use std::ops::Range;

/// Columns of a line.
const WIDTH: usize = 100;

/// No more blanks than this begin a line.
const MOST_INDENTED: usize = 40;

/// The script laid out, if its tokens stay the same.
pub(crate) fn script(text: &str, commands: &[Range<usize>]) -> Option<String> {
    let mut out = String::new();
    let mut at = 0;
    for command in commands {
        between(&text[at..command.start], &mut out);
        lay_out(text, command.clone(), &mut out);
        at = command.end;
    }
    between(&text[at..], &mut out);
    out.truncate(out.trim_end().len());
    out.push('\n');
    let words = |text: &str| tokens(text.as_bytes()).map(|token| token.text.to_vec()).collect::<Vec<_>>();
    (words(text) == words(&out)).then_some(out)
}

/// The system laid out.
pub(crate) fn system(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(';') {
        Some((content, comment)) if content.trim().is_empty() => format!(";{}", comment.trim_end()),
        Some((content, comment)) => format!("{} ;{}", single_blanks(content), comment.trim_end()),
        None => single_blanks(line),
    });
    lines.map(|line| line + "\n").collect()
}

fn single_blanks(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Comments between commands, and one empty line where there are some.
fn between(gap: &str, out: &mut String) {
    let mut lines = gap.split('\n');
    // What stands behind a command in its line stays there.
    let behind = lines.next().unwrap_or("").trim();
    if !behind.is_empty() && !out.is_empty() {
        out.push(' ');
    }
    out.push_str(behind);
    let mut is_empty_before = false;
    if !out.is_empty() {
        out.push('\n');
    }
    let rest: Vec<&str> = lines.map(str::trim).collect();
    for (number, line) in rest.iter().enumerate() {
        let is_last = number + 1 == rest.len();
        if line.is_empty() && !is_last && !is_empty_before && !out.is_empty() {
            out.push('\n');
        }
        is_empty_before = line.is_empty();
        if !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// What is left to write.
enum Rest {
    Node(usize, usize),
    Line(usize),
    Close,
}

fn lay_out(text: &str, range: Range<usize>, out: &mut String) {
    let own = &text[range.clone()];
    let has_comment = {
        let mut at = 0;
        tokens(own.as_bytes()).any(|token| {
            let gap = &own[at..token.start];
            at = token.range().end;
            gap.contains(';')
        })
    };
    let depth = tokens(own.as_bytes()).fold(0i64, |depth, token| match token.text {
        b"(" => depth + 1,
        b")" => depth - 1,
        _ => depth,
    });
    if has_comment || depth != 0 {
        out.push_str(own);
        return;
    }
    let tree = Tree::new(text, range);
    let mut todo = vec![Rest::Node(0, 0)];
    while let Some(rest) = todo.pop() {
        match rest {
            Rest::Close => out.push(')'),
            Rest::Line(indent) => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent.min(MOST_INDENTED)));
            }
            Rest::Node(node, indent) => {
                let own = tree.text(text, node);
                if !tree.nodes[node].is_list {
                    out.push_str(own);
                } else if let Some(flat) = flat(own, WIDTH.saturating_sub(indent)) {
                    out.push_str(&flat);
                } else {
                    out.push('(');
                    todo.push(Rest::Close);
                    let parts: Vec<usize> = tree.parts(node).collect();
                    for (place, &part) in parts.iter().enumerate().rev() {
                        todo.push(Rest::Node(part, indent + 2));
                        if place > 0 {
                            todo.push(Rest::Line(indent + 2));
                        }
                    }
                }
            }
        }
    }
}

/// A list in one line, if it has no more than so many columns.
fn flat(list: &str, room: usize) -> Option<String> {
    let mut line = String::new();
    let mut columns = 0;
    for token in tokens(list.as_bytes()) {
        let token = &list[token.range()];
        let is_apart = token != ")" && !line.is_empty() && !line.ends_with('(');
        columns += token.chars().count() + usize::from(is_apart);
        if columns > room || token.contains('\n') {
            return None;
        }
        if is_apart {
            line.push(' ');
        }
        line.push_str(token);
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;

    fn formatted(text: &str) -> String {
        let ranges: Vec<_> = Analysis::new(text, false).parts.into_iter().map(|part| part.range).collect();
        script(text, &ranges).unwrap()
    }

    #[test]
    fn commands_take_a_line_or_are_indented_and_comments_stay() {
        let long = "(bvadd x #x0123456789abcdef)".to_owned();
        let text = format!(
            "; first\n\n\n\n(declare-const   x\n (_ BitVec 64)) ; of x\n(assert (= (bvmul {long}  {long}) (bvudiv {long} x)))\n(assert ; why\n true)(check-sat)"
        );
        let expected = format!(
            "; first\n\n(declare-const x (_ BitVec 64)) ; of x\n(assert\n  (=\n    (bvmul {long} {long})\n    (bvudiv {long} x)))\n(assert ; why\n true)\n(check-sat)\n"
        );
        let once = formatted(&text);
        assert_eq!(once, expected);
        assert_eq!(formatted(&once), once);
    }

    #[test]
    fn depth_and_what_is_not_closed_are_no_matter() {
        let deep = format!("(assert {}true{})", "(not ".repeat(20_000), ")".repeat(20_000));
        let text = formatted(&deep);
        assert!(text.lines().all(|line| line.len() < 20_200) && text.lines().count() > 10_000);
        assert_eq!(formatted("(assert (and true"), "(assert (and true\n");
    }

    #[test]
    fn lines_of_systems_get_single_blanks() {
        assert_eq!(
            system("1   sort bitvec 8 ; byte \n;x\n2 \tinput 1\n"),
            "1 sort bitvec 8 ; byte\n;x\n2 input 1\n"
        );
    }
}
