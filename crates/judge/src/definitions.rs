//! Models of any solver, as definitions that our reader takes.
//!
//! A model is printed as definitions, and nearly every solver has a manner of its own: a list with or without
//! the word `model` in front; helper functions, sometimes after their use; arrays as `(_ as-array f)` or as
//! `lambda`; elements of declared sorts as `(as @S_0 S)`, `@uc_S_0` or as constants that the model declares.
//! Here all that becomes plain definitions in an order in which each uses only earlier ones, and a list of
//! elements that are distinct.
//!
//! An array given by a function becomes stores over a constant array: along the function's `ite`s if that is
//! how it is written, else at every index if there are few. What has no such form stays as it is, and
//! the reader refuses it.

use bivalve_formats::sexpr::{bare, close, head, items, list};
use rustc_hash::FxHashSet;

/// One definition of a model.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The symbol, as printed.
    pub(crate) name: String,
    /// Names and sorts.
    params: Vec<(String, String)>,
    result: String,
    body: String,
}

/// A model as it was printed.
#[derive(Default, Debug)]
pub(crate) struct Definitions {
    pub(crate) all: Vec<Definition>,
    /// Declarations of elements, which are distinct from each other within a sort.
    pub(crate) elements: Vec<String>,
}

/// The most index bits for which an array is written out.
const FEW_BITS: u32 = 10;

impl Definition {
    /// A constant.
    pub(crate) fn constant(name: &str, sort: &str, value: &str) -> Definition {
        Definition { name: name.to_owned(), params: vec![], result: sort.to_owned(), body: value.to_owned() }
    }

    fn parse(item: &str) -> Option<Definition> {
        let parts: Vec<&str> = list(item)?.collect();
        let (name, params, result, body) = match parts[..] {
            ["define-const", name, result, body] => (name, "()", result, body),
            [_, name, params, result, body] => (name, params, result, body),
            _ => return None,
        };
        let pair = |param: &str| {
            let mut parts = list(param)?;
            Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
        };
        let params: Option<Vec<_>> = list(params)?.map(pair).collect();
        Some(Definition {
            name: name.to_owned(),
            params: params?,
            result: result.to_owned(),
            body: body.to_owned(),
        })
    }

    /// Does it have arguments?
    pub(crate) fn is_function(&self) -> bool {
        !self.params.is_empty()
    }

    /// An array of that sort which has the values of this function; some solvers print arrays as functions.
    pub(crate) fn as_array(&self, sort: &str) -> Option<Definition> {
        Some(Definition::constant(&self.name, sort, &stores(self, sort)?))
    }

    /// As a command.
    pub(crate) fn command(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        format!("(define-fun {} ({}) {} {})\n", self.name, params.join(" "), self.result, self.body)
    }
}

impl Definitions {
    /// Reads the answer to `get-model`, or definitions one after the other.
    pub(crate) fn read(text: &str) -> Definitions {
        let mut found = Definitions::default();
        let whole: Vec<&str> = items(text).collect();
        let parts = match whole[..] {
            [one] if !head(one).starts_with("define") => list(one).into_iter().flatten().collect(),
            _ => whole,
        };
        for part in parts {
            match head(part) {
                "define-fun" | "define-fun-rec" | "define-const" => found.all.extend(Definition::parse(part)),
                "declare-const" => found.elements.push(part.to_owned()),
                "declare-fun" if list(part).and_then(|mut parts| parts.nth(2)) == Some("()") => {
                    found.elements.push(part.to_owned());
                }
                _ => {}
            }
        }
        found
    }

    /// Brings everything into the words of our reader, elements in these formulas, too.
    pub(crate) fn settle(&mut self, formulas: &mut [String]) {
        self.name_elements(formulas);
        self.unfold_arrays();
        self.sort();
    }

    /// Elements become symbols, declared once each.
    fn name_elements(&mut self, formulas: &mut [String]) {
        let mut known = FxHashSet::default();
        let elements = &mut self.elements;
        let mut name = |text: &str, result: &str| {
            replace_lists(&with_sorts(text, result), &mut |list| {
                let [_, name, sort] = three(list, "as")?;
                let name = format!("element-{}", bare(name).strip_prefix('@')?);
                if known.insert(name.clone()) {
                    elements.push(format!("(declare-const |{name}| {sort})"));
                }
                Some(format!("|{name}|"))
            })
        };
        self.all
            .iter_mut()
            .for_each(|definition| definition.body = name(&definition.body, &definition.result));
        formulas.iter_mut().for_each(|formula| *formula = name(formula, ""));
    }

    /// Arrays given by functions become stores.
    fn unfold_arrays(&mut self) {
        let mut unfolded: Vec<Definition> = vec![];
        let functions = self.all.clone();
        for definition in &mut self.all {
            let result = definition.result.clone();
            definition.body = replace_lists(&definition.body, &mut |text| {
                if let Some([_, _, name]) = three(text, "_").filter(|parts| parts[1] == "as-array") {
                    let function = functions.iter().find(|other| other.name == name)?;
                    let array = format!("|array-{}|", bare(name));
                    if unfolded.iter().all(|other| other.name != array) {
                        let [(_, index)] = &function.params[..] else { return None };
                        let sort = format!("(Array {index} {})", function.result);
                        unfolded.push(Definition::constant(&array, &sort, &stores(function, &sort)?));
                    }
                    return Some(array);
                }
                let [_, params, body] = three(text, "lambda")?;
                let mut params = list(params)?;
                let mut param = list(params.next()?)?;
                let pair = (param.next()?.to_owned(), param.next()?.to_owned());
                let element = three(&result, "Array")?[2].to_owned();
                let function = Definition {
                    name: String::new(),
                    params: vec![pair],
                    result: element,
                    body: body.to_owned(),
                };
                params.next().is_none().then(|| stores(&function, &result))?
            });
        }
        self.all.extend(unfolded);
    }

    /// Each behind those it mentions. Who mentions itself in a circle comes as it may, and the reader refuses
    /// it.
    fn sort(&mut self) {
        let mut rest = std::mem::take(&mut self.all);
        while !rest.is_empty() {
            let names: FxHashSet<&str> = rest.iter().map(|definition| definition.name.as_str()).collect();
            let is_ready: Vec<bool> = rest
                .iter()
                .map(|d| !mentions(&d.body, |word| names.contains(word) && !d.is_param(word)))
                .collect();
            let (ready, waiting): (Vec<_>, Vec<_>) =
                rest.into_iter().zip(is_ready).partition(|(_, is_ready)| *is_ready);
            let stuck = ready.is_empty();
            self.all.extend(ready.into_iter().map(|(definition, _)| definition));
            rest = waiting.into_iter().map(|(definition, _)| definition).collect();
            if stuck {
                self.all.append(&mut rest);
            }
        }
    }
}

impl Definition {
    fn is_param(&self, word: &str) -> bool {
        self.params.iter().any(|(name, _)| name == word)
    }
}

/// Elements that are printed without their sort, with it: `@uc_S_0` is of sort `S`, another that is a whole
/// body of the sort of the result.
fn with_sorts(body: &str, result: &str) -> String {
    if body.starts_with('@') && !body.starts_with("@uc_") {
        return format!("(as {body} {result})");
    }
    let (mut out, mut rest) = (String::new(), body);
    while let Some(at) = rest.find("@uc_") {
        let is_word = at == 0 || rest[..at].ends_with([' ', '(', '\n']);
        let end = at + rest[at..].find([' ', ')', '\n']).unwrap_or(rest.len() - at);
        let (before, word) = (&rest[..at], &rest[at..end]);
        out += before;
        match word["@uc_".len()..].rsplit_once('_') {
            Some((sort, _)) if is_word && !before.ends_with("(as ") => out += &format!("(as {word} {sort})"),
            _ => out += word,
        }
        rest = &rest[end..];
    }
    out + rest
}

/// The three parts of a list that begins with a word.
fn three<'a>(text: &'a str, first: &str) -> Option<[&'a str; 3]> {
    let parts: Vec<&str> = list(text)?.take(4).collect();
    <[&str; 3]>::try_from(parts).ok().filter(|parts| parts[0] == first)
}

/// The text with lists replaced by what is made of them, the outermost first.
fn replace_lists(text: &str, make: &mut dyn FnMut(&str) -> Option<String>) -> String {
    if !["(as ", "(_ as-array", "(lambda"].iter().any(|mark| text.contains(mark)) {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('(') {
        out += &rest[..open];
        rest = &rest[open..];
        let whole = &rest[..close(rest, 0)];
        match make(whole) {
            Some(instead) => {
                out += &instead;
                rest = &rest[whole.len()..];
            }
            None => {
                out.push('(');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// Does a text have such a word?
fn mentions(text: &str, is_such: impl Fn(&str) -> bool) -> bool {
    let (mut at, bytes) = (0, text.as_bytes());
    while at < bytes.len() {
        if bytes[at] == b'(' || bytes[at] == b')' || bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let end = close(text, at).max(at + 1);
        if is_such(&text[at..end]) {
            return true;
        }
        at = end;
    }
    false
}

/// An array that has the values of a function of one argument.
fn stores(function: &Definition, sort: &str) -> Option<String> {
    let [(param, index)] = &function.params[..] else { return None };
    let (mut cells, mut rest) = (vec![], &function.body[..]);
    loop {
        if !mentions(rest, |word| word == param) {
            let opens = "(store ".repeat(cells.len());
            // The first condition that holds decides, so its store is the last one.
            let closes: String = cells.iter().rev().map(|(at, what)| format!(" {at} {what})")).collect();
            return Some(format!("{opens}((as const {sort}) {rest}){closes}"));
        }
        let parts: Vec<&str> = list(rest).into_iter().flatten().collect();
        let cell = match parts[..] {
            ["ite", condition, value, other] => three(condition, "=").and_then(|[_, left, right]| {
                let at = if left == param { right } else { left };
                let is_plain = (left == param || right == param)
                    && ![at, value].map(|t| mentions(t, |w| w == param)).contains(&true);
                is_plain.then_some((at, value, other))
            }),
            _ => None,
        };
        match cell {
            Some((at, value, other)) => {
                cells.push((at, value));
                rest = other;
            }
            None => break,
        }
    }
    let every: Vec<String> = match index.as_str() {
        "Bool" => vec!["false".to_owned(), "true".to_owned()],
        _ => {
            let width: u32 = three(index, "_").filter(|parts| parts[1] == "BitVec")?[2].parse().ok()?;
            (width <= FEW_BITS).then(|| (0..1u32 << width).map(|n| format!("(_ bv{n} {width})")).collect())?
        }
    };
    let value = |at: &String| format!("(let (({param} {at})) {})", function.body);
    let first = value(every.first()?);
    let cells: String = every.iter().map(|at| format!(" {at} {})", value(at))).collect();
    Some(format!("{}((as const {sort}) {first}){cells}", "(store ".repeat(every.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(text: &str) -> (Vec<String>, Vec<String>) {
        let mut definitions = Definitions::read(text);
        definitions.settle(&mut []);
        (definitions.all.iter().map(Definition::command).collect(), definitions.elements)
    }

    #[test]
    fn helpers_come_before_their_use() {
        let (all, _) = settled("(model (define-fun a () Bool (k true)) (define-fun k ((x Bool)) Bool x))");
        assert!(all[0].contains("define-fun k") && all[1].contains("define-fun a"), "{all:?}");
    }

    #[test]
    fn arrays_given_by_functions_become_stores() {
        let text = "((define-fun a () (Array (_ BitVec 2) Bool) (_ as-array k!0))
            (define-fun k!0 ((x (_ BitVec 2))) Bool (ite (= x #b01) true (ite (= #b10 x) false true))))";
        let (all, _) = settled(text);
        let array = "(define-fun |array-k!0| () (Array (_ BitVec 2) Bool) (store (store ((as const (Array (_ BitVec 2) Bool)) true) #b10 false) #b01 true))\n";
        assert!(all.contains(&array.to_owned()), "{all:?}");
        let text = "((define-fun a () (Array (_ BitVec 1) Bool) (lambda ((x (_ BitVec 1))) (bvult x #b1))))";
        let (all, _) = settled(text);
        assert!(
            all[0].contains("(store (store ((as const")
                && all[0].contains("(let ((x (_ bv1 1))) (bvult x #b1))"),
            "{all:?}"
        );
    }

    #[test]
    fn elements_become_symbols() {
        let (all, elements) = settled(
            "((define-fun x () S (as @S_1 S)) (define-fun y () S @uc_S_0) (declare-fun S!val!0 () S))",
        );
        assert_eq!(
            elements,
            [
                "(declare-fun S!val!0 () S)",
                "(declare-const |element-S_1| S)",
                "(declare-const |element-uc_S_0| S)"
            ]
        );
        assert_eq!(all[0], "(define-fun x () S |element-S_1|)\n");

        // Constant arrays of them, as other solvers write them.
        let array = "(define-fun a () (Array S S) (store ((as const (Array S S)) ELEMENT) ELEMENT ELEMENT))";
        let printed = ["(as @S_1 S)", "@uc_S_1", "S!val!1"];
        for (element, name) in printed.into_iter().zip(["|element-S_1|", "|element-uc_S_1|", "S!val!1"]) {
            let (all, _) = settled(&format!("({})", array.replace("ELEMENT", element)));
            assert_eq!(all, [format!("{}\n", array.replace("ELEMENT", name))]);
        }
    }
}
