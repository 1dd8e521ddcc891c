//! Columns: the options that vary, all their combinations, and the commands that these are.
//!
//! A *dimension* is an option and the values it takes; the matrix of an experiment is the product of its
//! dimensions, in the order in which they were given, the last one changing fastest. A *column* is one cell
//! of it, or another command. Its name is what it varies, `sat=cadical approx=none`, so that a
//! table explains itself.
//!
//! Two columns are compared by [`pairs`]: both sides are named by some of their words, and are matched where
//! all others are equal. With `sat=cadical,splr` and `approx=none,sign`, the sides `approx=sign` and
//! `approx=none` are two pairs, one for each SAT solver; a whole name is one pair with itself.

use bivalve_harness::Key;
use serde::{Deserialize, Serialize};

/// What stands for the file in a command.
pub const FILE: &str = "{}";

/// What stands for the seed in a command.
pub const SEED: &str = "{seed}";

/// An option, and the values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The option's name.
    pub option: String,
    /// Its values, in order; never empty.
    pub values: Vec<String>,
}

impl Dimension {
    /// Reads `option=value,value`, or `option=value;value` where values have commas.
    ///
    /// # Errors
    /// A sentence, when there is no option, no value, an empty value or one value twice.
    pub fn parse(text: &str) -> Result<Dimension, String> {
        let expected = || format!("expected OPTION=VALUE,VALUE,..., found '{text}'");
        let (option, values) = text.split_once('=').ok_or_else(expected)?;
        let values: Vec<String> = list(values).into_iter().map(str::to_owned).collect();
        if option.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(expected());
        }
        if let Some(twice) = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
            return Err(format!("'{text}' has the value '{}' twice", twice.1));
        }
        Ok(Dimension { option: option.trim().to_owned(), values })
    }
}

/// The parts of a list: separated by `;` if there is one, else by commas; without blanks around.
pub fn list(text: &str) -> Vec<&str> {
    let separator = if text.contains(';') { ';' } else { ',' };
    text.split(separator).map(str::trim).collect()
}

/// An option with its value.
pub type Setting = (String, String);

/// All combinations of the values, the last dimension changing fastest; one without settings if there is no
/// dimension.
pub fn matrix(dimensions: &[Dimension]) -> Vec<Vec<Setting>> {
    let mut cells = vec![vec![]];
    for dimension in dimensions {
        let extend = |cell: Vec<Setting>| {
            let with = |value: &String| {
                let mut cell = cell.clone();
                cell.push((dimension.option.clone(), value.clone()));
                cell
            };
            dimension.values.iter().map(with).collect::<Vec<_>>()
        };
        cells = cells.into_iter().flat_map(extend).collect();
    }
    cells
}

/// One solver with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name in tables and logs.
    pub name: String,
    /// What it varies; empty for commands of others.
    pub settings: Vec<Setting>,
    /// The command: `{}` stands for the file, which goes to standard input where it does not occur; `{seed}`
    /// for the seed.
    pub words: Vec<String>,
    /// The key of the command and of the build of its program.
    pub identity: Key,
}

impl Column {
    /// The name of a column that varies these.
    pub fn name_of(settings: &[Setting]) -> String {
        let words: Vec<String> = settings.iter().map(|(option, value)| format!("{option}={value}")).collect();
        words.join(" ")
    }

    /// Whether the command makes a difference between seeds.
    pub fn takes_seeds(&self) -> bool {
        self.words.iter().any(|word| word.contains(SEED))
    }

    /// The command for a file and a seed.
    pub fn command(&self, file: &str, seed: u64) -> Vec<String> {
        let seed = seed.to_string();
        self.words.iter().map(|word| word.replace(SEED, &seed).replace(FILE, file)).collect()
    }

    /// Whether the command names the file.
    pub fn names_file(&self) -> bool {
        self.words.iter().any(|word| word.contains(FILE))
    }

    /// The settings without those of `side`, if it has all of these, or if this is its name.
    fn rest(&self, side: &str) -> Option<Vec<&Setting>> {
        if self.name == side {
            return Some(vec![]);
        }
        let is_named = |setting: &Setting| {
            side.split_whitespace().any(|word| word == format!("{}={}", setting.0, setting.1))
        };
        let (named, rest): (Vec<&Setting>, Vec<&Setting>) =
            self.settings.iter().partition(|one| is_named(one));
        (!named.is_empty() && named.len() == side.split_whitespace().count()).then_some(rest)
    }
}

/// Pairs of columns that two sides name: equal in all that the sides do not say.
///
/// # Errors
/// A sentence, when there is no such pair.
pub fn pairs<'c>(
    columns: &'c [Column],
    one: &str,
    other: &str,
) -> Result<Vec<(&'c Column, &'c Column)>, String> {
    let of = |side: &str| {
        let found: Vec<_> = columns.iter().filter_map(|column| Some((column, column.rest(side)?))).collect();
        if found.is_empty() {
            let names: Vec<String> = columns.iter().map(|column| format!("'{}'", column.name)).collect();
            return Err(format!("no column is called '{side}'; there are {}", names.join(", ")));
        }
        Ok(found)
    };
    let (ones, others) = (of(one)?, of(other)?);
    let mut pairs = vec![];
    for (a, rest) in &ones {
        let like = |(b, other): &&(&Column, Vec<&Setting>)| {
            // Another command goes with everything.
            rest == other || a.settings.is_empty() || b.settings.is_empty()
        };
        pairs.extend(others.iter().filter(like).map(|(b, _)| (*a, *b)).filter(|(a, b)| a.name != b.name));
    }
    if pairs.is_empty() {
        return Err(format!("no columns called '{one}' and '{other}' are equal in all else"));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        let dimensions = ["sat=cadical,splr", "approx=none,sign"].map(|text| Dimension::parse(text).unwrap());
        let own = matrix(&dimensions).into_iter().map(|settings| Column {
            name: Column::name_of(&settings),
            settings,
            words: vec![],
            identity: Key::default(),
        });
        let foreign = Column {
            name: "z3".to_owned(),
            settings: vec![],
            words: ["z3", "sat.random_seed={seed}", "{}"].map(str::to_owned).to_vec(),
            identity: Key::default(),
        };
        own.chain([foreign]).collect()
    }

    #[test]
    fn the_matrix_has_all_combinations_in_order() {
        let names: Vec<String> = columns().into_iter().map(|column| column.name).collect();
        let expected = [
            "sat=cadical approx=none",
            "sat=cadical approx=sign",
            "sat=splr approx=none",
            "sat=splr approx=sign",
            "z3",
        ];
        assert_eq!(names, expected);
        assert_eq!(matrix(&[]), [vec![]]);
    }

    #[test]
    fn values_with_commas_are_separated_by_semicolons() {
        let parse = |text| Dimension::parse(text).map(|one| one.values);
        assert_eq!(parse("sat=cadical:walk=0,phase=0; splr").unwrap(), ["cadical:walk=0,phase=0", "splr"]);
        for bad in ["sat", "sat=", "=a", "sat=a,,b", "sat=a,b,a"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sides_are_matched_where_all_else_is_equal() {
        let columns = columns();
        let names = |one, other| {
            let pairs = pairs(&columns, one, other)?;
            Ok::<_, String>(pairs.iter().map(|(a, b)| format!("{} / {}", a.name, b.name)).collect::<Vec<_>>())
        };
        let expected = [
            "sat=cadical approx=sign / sat=cadical approx=none",
            "sat=splr approx=sign / sat=splr approx=none",
        ];
        assert_eq!(names("approx=sign", "approx=none").unwrap(), expected);
        assert_eq!(names("sat=splr approx=none", "z3").unwrap(), ["sat=splr approx=none / z3"]);
        assert_eq!(names("sat=splr", "z3").unwrap().len(), 2);
        assert!(names("sat=batsat", "z3").unwrap_err().contains("'sat=splr approx=none', "));
        assert!(names("z3", "z3").is_err());
    }

    #[test]
    fn commands_name_the_file_and_the_seed() {
        let columns = columns();
        let z3 = &columns[4];
        assert!(z3.takes_seeds() && z3.names_file() && !columns[0].takes_seeds());
        assert_eq!(z3.command("a b.smt2", 7), ["z3", "sat.random_seed=7", "a b.smt2"]);
    }
}
