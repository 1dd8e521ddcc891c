//! The clausal parts of certificates as LRAT, looked at by a check of their own.

mod opinion;

use bivalve_checker::check::Checker;
use bivalve_checker::command;
use bivalve_checker::lrat::Refutation;
use std::ffi::OsString;
use std::path::Path;

/// Two checks with assumptions; a theorem by circuits alone.
const LESS: &str = "(declare-const x (_ BitVec 2)) (declare-const y (_ BitVec 2)) (assert (bvult x y))
    (check-sat-assuming ((bvult y x))) (assert (bvult (bvnot x) (bvnot y)))
    (check-sat-assuming ((= ((_ extract 0 0) x) #b1)))";
const LESS_STEPS: &str = "bvc 1
    check 0 symbol \"y\" symbol \"x\" term bvult 2 1 0 bits 2 term bvult 2 0 1 bits 3 assertion 0 assertion 1
    unit 2 unit 3 derive 1 10 5 0 2 99 101 135 derive 1 2 2 4 81 delete 2 derive 1 15 2 6 113 delete 3
    derive 1 5 3 8 2 137 derive 1 8 3 8 2 139 delete 4 derive 0 4 10 12 0 97 end 8
    check 1 symbol \"y\" symbol \"x\" term bvult 2 1 0 bits 2 term bvult 2 0 1 bits 3 term extract 0 0 1 1
    value 1 #1 term = 2 5 4 bits 6 assertion 0 assertion 1 sort 1 2 theorem 2 0 0 term bvnot 1 1
    term bvnot 1 0 term bvult 2 3 2 bits 4 term bvult 2 1 0 bits 5 same 4 5 proved 4 5 instance 0 2 1 0
    assertion 2 congruence 11 6 unit 2 unit 3 unit 6 derive 1 11 2 4 83 derive 1 4 3 6 0 99
    derive 1 9 3 6 0 101 derive 0 4 8 10 2 135 end 7";

/// Lemmas about an array: one by a supposition, and theorems by circuits alone.
const ARRAY: &str = "(declare-const a (Array (_ BitVec 1) (_ BitVec 1))) (declare-const i (_ BitVec 1))
    (declare-const j (_ BitVec 1)) (declare-const p Bool) (declare-const q Bool)
    (assert (distinct (select a i) (select a j))) (assert (or (= i j) p q)) (assert (or (= i j) (not p)))
    (assert (or (= i j) (not q) p)) (check-sat)";
const ARRAY_STEPS: &str = "bvc 1
    check 0 symbol \"j\" symbol \"a\" term select 2 1 0 symbol \"i\" term select 2 1 3 term = 2 4 2 term
    not 1 5 bits 6 term = 2 3 0 term not 1 7 symbol \"p\" term not 1 9 term and 2 10 8 symbol \"q\" term
    not 1 12 term and 2 13 11 term not 1 14 bits 15 term and 2 9 8 term not 1 16 bits 17 term and 2 12 8
    term and 2 10 18 term not 1 19 bits 20 suppose 2 15 10 split 7 congruence 4 2 equation 5 discharge
    assertion 0 assertion 1 sort 0 theorem 3 0 0 0 term or 2 0 1 term or 2 3 2 bits 4 term not 1 0 term
    not 1 1 term and 2 6 5 term not 1 2 term and 2 8 7 term not 1 9 bits 10 same 4 10 proved 4 10
    instance 0 3 7 9 12 assertion 2 sort 1 1 theorem 3 1 1 0 term not 1 2 term = 2 0 1 term or 2 4 3
    bits 5 term not 1 4 term and 2 2 6 term not 1 7 bits 8 same 5 8 proved 5 8 instance 1 3 3 0 9
    assertion 3 theorem 4 1 1 0 0 term not 1 2 term = 2 0 1 term or 2 5 4 term or 2 6 3 bits 7 term not
    1 5 term and 2 2 8 term not 1 3 term and 2 10 9 term not 1 11 bits 12 same 7 12 proved 7 12 instance
    2 4 3 0 12 9 unit 6 unit 15 unit 17 unit 20 derive 1 12 2 2 0 derive 1 15 3 10 6 181 derive 4 26 19
    13 14 2 197 213 derive 1 19 4 10 8 12 14 delete 7 derive 4 20 18 14 13 2 133 165 derive 0 5 16 12 4
    10 18 delete 5 delete 6 delete 8 delete 9 end 11";

/// Three truth values are not distinct: a theorem by clauses, whose last one is read as a truth value.
const DISTINCT: &str = "(declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
    (assert (distinct p q r)) (check-sat)";
const DISTINCT_STEPS: &str = "bvc 1
    check 0 assertion 0 sort 0 theorem 3 0 0 0 term = 2 1 2 term not 1 3 term = 2 0 2 term not 1 5
    term = 2 0 1 term not 1 7 term and 2 8 6 term and 2 9 4 bits 10 term false 0 bits 11 term = 2 10 11
    bits 12 derive 2 17 6 1 129 derive 2 17 10 3 113 129 131 derive 2 17 12 3 115 129 131
    derive 2 9 17 6 0 2 4 99 83 49 derive 1 17 7 4 2 0 6 97 81 51 delete 0 delete 1 delete 2 delete 3
    derive 1 17 1 8 truth 12 5 split 12 proved 10 11 symbol \"p\" symbol \"q\" symbol \"r\"
    instance 0 3 1 2 3 end 0";

/// Hints that are satisfied, a clause that is true by itself, one that repeats a literal, and one of which
/// nothing is left without the constant.
const CONSTANT: &str =
    "(declare-const p Bool) (declare-const q Bool) (assert p) (assert (not p)) (check-sat)";
const CONSTANT_STEPS: &str = "bvc 1
    check 0 symbol \"p\" symbol \"q\" assertion 0 assertion 1 bits 1 unit 2 unit 3 derive 2 2 3 0
    derive 3 4 4 1 1 0 derive 1 1 4 6 6 0 2 derive 0 1 8 end 6";

/// The clausal parts of a certificate.
fn refutations(script: &str, steps: &str) -> Result<Vec<Refutation>, String> {
    let mut checker = Checker::new(script, steps.as_bytes())?;
    checker.keep_refutations();
    while checker.next_verified()?.is_some() {}
    Ok(checker.take_refutations())
}

/// Opposites are derived, and read as truth values.
const OPPOSITE_STEPS: &str = "bvc 1
    check 0 assertion 0 assertion 1 unit 0 unit 1 derive 1 2 1 0 derive 1 3 1 2 truth 0 2 truth 0 3 end 0";

const CASES: [(&str, &str, &[&str]); 4] = [
    (LESS, LESS_STEPS, &["check-0", "check-1"]),
    (ARRAY, ARRAY_STEPS, &["check-0"]),
    (DISTINCT, DISTINCT_STEPS, &["theorem-0"]),
    (CONSTANT, CONSTANT_STEPS, &["check-0"]),
];

#[test]
fn clausal_parts_are_refutations() -> Result<(), String> {
    for (script, steps, names) in CASES {
        let all = refutations(script, steps)?;
        assert_eq!(all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), names);
        for Refutation { name, inputs, derived, cnf, lrat } in all {
            opinion::check(&cnf, &lrat).map_err(|why| format!("{name}: {why}\n{cnf}\n{lrat}"))?;
            assert_eq!(lrat.lines().count(), derived);
            // Each clause of the formula has its origin.
            assert_eq!(cnf.lines().filter(|line| line.starts_with('c')).count(), inputs + 1);
        }
    }
    Ok(())
}

#[test]
fn what_is_not_needed_is_left_out() -> Result<(), String> {
    let [one] = &refutations(CONSTANT, CONSTANT_STEPS)?[..] else { return Err("one check".into()) };
    assert_eq!(one.lrat, "3 2 0 1 0\n4 0 3 2 0\n");
    assert_eq!(
        one.cnf,
        "c the clauses of check-0 that are not derived, and where they come from
c 1: clause 0 of the certificate, by unit
c 2: clause 1 of the certificate, by unit
p cnf 2 2
2 0
-2 0
"
    );
    Ok(())
}

#[test]
fn opposites_are_one_claim() -> Result<(), String> {
    let [one] = &refutations(CONSTANT, OPPOSITE_STEPS)?[..] else { return Err("one check".into()) };
    assert_eq!(one.lrat, "4 1 0 1 0\n5 -1 0 2 0\n6 0 4 3 0\n");
    assert!(one.cnf.ends_with("c 3: the claim, negated\np cnf 1 3\n1 0\n-1 0\n-1 0\n"), "{}", one.cnf);
    opinion::check(&one.cnf, &one.lrat)
}

#[test]
fn contradictions_of_terms_have_no_clausal_part() -> Result<(), String> {
    let script = "(declare-const p Bool) (assert (distinct p p)) (check-sat)";
    assert!(refutations("(assert false) (check-sat)", "bvc 1\ncheck 0\nassertion 0\nend 0\n")?.is_empty());
    // Nor have those that terms alone have shown before a clause says so.
    assert!(refutations(script, "bvc 1\ncheck 0\nassertion 0\nunit 0\nderive 0 1 0\nend 2\n")?.is_empty());
    let steps =
        "bvc 1 check 0 assertion 0 symbol \"p\" term = 2 1 1 equation 2 split 0 suppose 0 discharge end 1";
    assert!(refutations(script, steps)?.is_empty());
    Ok(())
}

/// The text without one line.
fn without_line(text: &str, line: usize) -> String {
    text.lines().enumerate().filter(|(at, _)| *at != line).map(|(_, line)| format!("{line}\n")).collect()
}

/// The text with another word at one place.
fn with_word(text: &str, line: usize, place: usize, word: &str) -> String {
    let alter = |(at, text): (usize, &str)| {
        let mut words: Vec<&str> = text.split(' ').collect();
        if at == line {
            words[place] = word;
        }
        words.join(" ") + "\n"
    };
    text.lines().enumerate().map(alter).collect()
}

/// The check above can fail: it refuses what is damaged.
#[test]
fn damaged_derivations_are_refused() -> Result<(), String> {
    let (mut altered, mut accepted) = (0, vec![]);
    for (script, steps, _) in CASES {
        for Refutation { cnf, lrat, .. } in refutations(script, steps)? {
            for line in 0..lrat.lines().count() {
                // Each derived clause is needed.
                assert!(opinion::check(&cnf, &without_line(&lrat, line)).is_err(), "{line}: {lrat}");
                for place in 0..lrat.lines().nth(line).map_or(0, |line| line.split(' ').count()) {
                    for word in ["0", "1", "-2", "4"] {
                        altered += 1;
                        let damaged = with_word(&lrat, line, place, word);
                        if damaged != lrat && opinion::check(&cnf, &damaged).is_ok() {
                            accepted.push(damaged);
                        }
                    }
                }
            }
            let last = cnf.lines().count() - 1;
            assert!(opinion::check(&without_line(&cnf, last), &lrat).is_err());
            assert!(opinion::check(&with_word(&cnf, last, 0, "1"), &lrat).is_err(), "{cnf}");
        }
    }
    assert!(altered > 500 && accepted.len() < 20, "{altered}, {}: {accepted:#?}", accepted.len());
    Ok(())
}

fn names(folder: &Path) -> std::io::Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<String> =
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into()).collect();
    names.sort();
    Ok(names)
}

#[test]
fn the_program_writes_into_its_folder_alone() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lrat-files");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("less.smt2"), format!("{LESS} (assert false) (check-sat)"))?;
    std::fs::write(folder.join("less.bvc"), format!("{LESS_STEPS} check 2 assertion 2 end 0"))?;
    // The status, and what is written to standard output and standard error.
    let run = |out: Option<&str>| {
        let into = out.map(|name| [OsString::from("--lrat"), folder.join(name).into()]);
        let files = ["less.smt2", "less.bvc"].map(|name| folder.join(name).into_os_string());
        let args: Vec<OsString> = into.into_iter().flatten().chain(files).collect();
        let (mut out, mut err) = (vec![], vec![]);
        let status = command::run(&args, &mut out, &mut err);
        (status, String::from_utf8_lossy(&out).into_owned(), String::from_utf8_lossy(&err).into_owned())
    };
    assert_eq!(run(None).0, 0);
    assert_eq!(names(&folder)?, ["less.bvc", "less.smt2"]);

    let (status, output, _) = run(Some("second"));
    assert_eq!(status, 0);
    assert_eq!(
        output,
        "check 0: verified
check 1: verified
check 2: verified
check-0.lrat: 6 clauses derived from 10
check-1.lrat: 4 clauses derived from 7
check-2: a contradiction of terms, without clauses
55 steps, 10 of them clauses by propagation, 1 theorems, 0 trusted steps
"
    );
    assert_eq!(names(&folder)?, ["less.bvc", "less.smt2", "second"]);
    let second = folder.join("second");
    assert_eq!(names(&second)?, ["check-0.cnf", "check-0.lrat", "check-1.cnf", "check-1.lrat"]);
    let text = |name: &str| std::fs::read_to_string(second.join(name));
    assert_eq!(opinion::check(&text("check-1.cnf")?, &text("check-1.lrat")?), Ok(()));

    // A file is no folder; a name that is taken by a folder cannot be written.
    let (status, _, why) = run(Some("less.smt2"));
    assert_eq!(status, 2, "{why}");
    std::fs::remove_file(second.join("check-0.cnf"))?;
    std::fs::create_dir(second.join("check-0.cnf"))?;
    let (status, _, why) = run(Some("second"));
    assert_eq!(status, 2);
    assert!(why.contains("check-0.cnf"));
    let short = ["--lrat", "less.smt2", "less.bvc"].map(OsString::from);
    assert_eq!(command::run(&short, &mut vec![], &mut vec![]), 2, "no folder is named");
    Ok(())
}

/// An output that takes nothing, for this reason.
struct Refuses(std::io::ErrorKind);

impl std::io::Write for Refuses {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_takes_nothing_is_status_2() {
    use std::io::ErrorKind::{BrokenPipe, StorageFull};
    let mut why = vec![];
    assert_eq!(command::run(&["--help".into()], &mut Refuses(BrokenPipe), &mut why), 2);
    assert!(why.is_empty(), "who does not read any more need not be told");
    assert_eq!(command::run(&["--help".into()], &mut Refuses(StorageFull), &mut why), 2);
    assert!(String::from_utf8_lossy(&why).starts_with("standard output: "));
    let script = ["no such script".into(), "none".into()];
    assert_eq!(command::run(&script, &mut Refuses(BrokenPipe), &mut Refuses(BrokenPipe)), 2);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let name = std::ffi::OsString::from_vec(vec![0xff]);
        assert_eq!(command::run(&[name.clone(), name], &mut vec![], &mut why), 2, "names need not be text");
    }
}
