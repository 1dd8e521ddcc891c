//! What the documents point at is there: pages, headings, files of the repository, and flags of the commands.
//!
//! Links are found by a parser of Markdown, the one that the book is made by. The book has no more than the
//! folder `docs`, so a link of one of its pages must not leave that folder; files elsewhere are named as
//! code, and a name of code that looks like a path must exist. A flag after `bivalve COMMAND`, in a block for
//! the shell or within a line, must be in the help of that command.

#![cfg(unix)]

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use workspace_tests::{bivalve, pages, root, rust_files};

/// What is looked at on a page.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    /// The anchors of its headings.
    anchors: BTreeSet<String>,
    /// Code within lines.
    code: Vec<String>,
    /// Lines of blocks for the shell, continued ones as one.
    shell: Vec<String>,
}

impl Page {
    fn read(text: &str) -> Page {
        let (mut page, mut heading, mut is_shell) = (Page::default(), None::<String>, false);
        let mut counts = BTreeMap::<String, usize>::new();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    let count = counts.entry(anchor.clone()).or_default();
                    page.anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                    *count += 1;
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    is_shell = matches!(&*language, "sh" | "console");
                }
                Event::End(TagEnd::CodeBlock) => is_shell = false,
                Event::Text(text) if is_shell => {
                    let joined = text.replace("\\\n", " ");
                    page.shell.extend(joined.lines().map(str::to_owned));
                }
                Event::Text(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
                Event::Code(text) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&text));
                    page.code.push(text.into_string());
                }
                _ => {}
            }
        }
        page
    }
}

/// The anchor of a heading, as mdBook and GitHub make it.
fn anchor(heading: &str) -> String {
    let letter = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        _ if c.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.chars().filter_map(letter).collect()
}

/// The path without `..`, which the file system would follow through folders that are not there.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            _ => whole.push(part),
        }
        whole
    })
}

#[test]
fn links_lead_to_pages_and_headings() {
    let pages: BTreeMap<PathBuf, Page> =
        pages().into_iter().map(|(path, text)| (path, Page::read(&text))).collect();
    let (book, mut wrong) = (root().join("docs"), vec![]);
    for (path, page) in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => plain(&path.parent().expect("a page is in a folder").join(file)),
            };
            let leaves_the_book = path.starts_with(&book) && !target.starts_with(&book);
            let has_anchor =
                anchor.is_empty() || pages.get(&target).is_some_and(|page| page.anchors.contains(anchor));
            if !target.exists() || leaves_the_book || !has_anchor {
                wrong.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these lead nowhere, or out of the book:\n{}", wrong.join("\n"));
}

#[test]
fn the_summary_has_every_page() {
    let book = root().join("docs");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).expect("the summary");
    let links = Page::read(&summary).links;
    for (path, _) in pages() {
        let Ok(name) = path.strip_prefix(&book) else { continue };
        let name = name.to_string_lossy();
        assert!(name == "SUMMARY.md" || links.iter().any(|link| *link == name), "{name}");
    }
}

/// Folders of the repository whose files are named in documents and comments.
const FOLDERS: &[&str] =
    &["bindings/", "crates/", "docs/", "examples/", "tests/", "web/src/", "web/tests/", "xtask/"];

fn looks_like_a_path(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && word.chars().all(is_plain)
}

#[test]
fn paths_in_documents_and_comments_exist() {
    let mut named: Vec<(PathBuf, String)> = vec![];
    // What changed may have gone since.
    for (path, text) in pages().into_iter().filter(|(path, _)| !path.ends_with("CHANGELOG.md")) {
        named.extend(Page::read(&text).code.into_iter().map(|code| (path.clone(), code)));
    }
    for file in rust_files() {
        let text = std::fs::read_to_string(root().join(&file)).expect("a readable file");
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("//")) {
            let words = line.split(|c: char| c.is_whitespace() || "`()[],;:".contains(c));
            let words = words.map(|word| word.trim_end_matches('.').to_owned());
            named.extend(words.filter(|word| word.starts_with("docs/")).map(|word| (file.clone(), word)));
        }
    }
    let gone = |(_, word): &&(PathBuf, String)| {
        looks_like_a_path(word) && !root().join(word).exists() && !ELSEWHERE.contains(&word.as_str())
    };
    let wrong: Vec<String> =
        named.iter().filter(gone).map(|(file, word)| format!("{}: {word}", file.display())).collect();
    assert!(wrong.is_empty(), "there are no such files:\n{}", wrong.join("\n"));
}

/// What looks like that and is in the sources of others, or stands for any.
const ELSEWHERE: &[&str] = &["examples/api/c", "tests/api/C", "--name", "--no-preprocess", "--no-pp-"];

/// The long flags that a help names.
fn flags(help: &str) -> BTreeSet<String> {
    let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let is_flag = |word: &&str| word.starts_with("--") && word.len() > 2;
    words.filter(is_flag).map(|word| word.trim_end_matches('-').to_owned()).collect()
}

/// The flags of `bivalve`, under the empty name, and of each of its commands.
fn known_flags() -> BTreeMap<String, BTreeSet<String>> {
    let help = |words: &[&str]| {
        let output = Command::new(bivalve()).args(words).output().expect("the binary runs");
        String::from_utf8(output.stdout).expect("help is text")
    };
    let whole = [help(&["--help"]), help(&["help", "research"])].concat();
    let listed = whole.split_once("Commands:\n").expect("the help lists commands").1;
    let names = listed.lines().take_while(|line| line.starts_with("  "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut known: BTreeMap<String, BTreeSet<String>> =
        names.map(|name| (name.to_owned(), flags(&help(&[name, "--help"])))).collect();
    known.insert(String::new(), flags(&whole));
    known
}

/// The words of a command up to a pipe, a `--` or a comment, without what is within quotes.
fn own_words(line: &str) -> Vec<&str> {
    let unquoted = line.split('\'').step_by(2).flat_map(str::split_whitespace);
    unquoted.take_while(|word| !matches!(*word, "|" | "||" | "&&" | ";" | "--" | "#" | ">")).collect()
}

#[test]
fn flags_in_documents_exist() {
    let known = known_flags();
    // Those of other solvers, and of the checker.
    let sources = ["crates/cli/src/compat/rows.rs", "crates/checker/src/command.rs"];
    let others: BTreeSet<String> = sources
        .iter()
        .flat_map(|file| flags(&std::fs::read_to_string(root().join(file)).expect("a readable file")))
        .collect();
    let mut wrong = vec![];
    for (path, text) in pages().into_iter().filter(|(path, _)| !path.ends_with("CHANGELOG.md")) {
        let page = Page::read(&text);
        for line in page.shell.iter().chain(&page.code) {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            let words = own_words(line);
            let Some(["bivalve", rest @ ..]) = words.get(..) else { continue };
            let name = rest.first().filter(|name| known.contains_key(**name)).copied().unwrap_or("");
            // With the flags of another solver, or from its own table of options.
            if rest.iter().any(|word| word.starts_with("--compat")) {
                continue;
            }
            for word in rest.iter().filter(|word| word.starts_with("--")) {
                let flag = word.split(['=', '[']).next().unwrap_or(word);
                if !known[name].contains(flag) {
                    wrong.push(format!("{}: {flag} in `{line}`", path.display()));
                }
            }
        }
        let all: BTreeSet<&String> = known.values().flatten().chain(&others).collect();
        for code in page.code.iter().filter(|code| code.starts_with("--")) {
            let flag: String = code.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            if !all.contains(&flag) && !ELSEWHERE.contains(&flag.as_str()) {
                wrong.push(format!("{}: `{code}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "no help has these:\n{}", wrong.join("\n"));
}
