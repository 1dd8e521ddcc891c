//! Real clients, live: libraries that other programs use to talk to a solver, talking to this one.
//!
//! The crates easy-smt, rsmt2 and smtlib start the solver they believe to be Z3 (or cvc5), which is a link to
//! the binary, and pySMT drives it through its generic SMT-LIB wrapper. What is tested is that they
//! understand the answers, so each test asks for verdicts, values, cores and scopes and compares what the
//! library made of them. The test of pySMT is ignored unless it is asked for.

#![cfg(unix)]

use rsmt2::{Logic, SmtConf, SmtRes};
use smtlib::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use workspace_tests::bivalve;

/// A link to the binary that is called like another solver.
fn called(name: &str, test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("live-{test}"));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let link = folder.join(name);
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(bivalve(), &link).expect("a link to the binary");
    link
}

#[test]
fn easy_smt_understands_the_answers() {
    use easy_smt::{ContextBuilder, Response};
    for (name, args) in
        [("z3", &["-smt2", "-in", "-v:0"][..]), ("cvc5", &["--quiet", "--lang=smt2", "--incremental"])]
    {
        let mut builder = ContextBuilder::new();
        let mut smt = builder.solver(called(name, "easy")).solver_args(args).build().expect("it starts");
        smt.set_option(":produce-unsat-cores", smt.true_()).expect("an option");
        smt.set_logic("QF_BV").expect("a logic");
        let byte = smt.bit_vec_sort(smt.numeral(8));
        let x = smt.declare_const("x", byte).expect("a declaration");
        let seven = smt.binary(8, 7);
        smt.assert(smt.eq(smt.bvmul(x, x), smt.binary(8, 49))).expect("an assertion");
        smt.assert(smt.bvult(x, smt.binary(8, 16))).expect("an assertion");
        assert_eq!(smt.check().expect("an answer"), Response::Sat);
        let values = smt.get_value(vec![x]).expect("values");
        assert_eq!(
            (smt.display(values[0].0).to_string(), smt.get_u8(values[0].1)),
            ("x".to_owned(), Some(7))
        );
        smt.push().expect("a level");
        let other = smt.attr(smt.not(smt.eq(x, seven)), ":named", smt.atom("other"));
        smt.assert(other).expect("a named assertion");
        assert_eq!(smt.check().expect("an answer"), Response::Unsat);
        let core = smt.get_unsat_core().expect("a core");
        assert_eq!(smt.display(core).to_string(), "(other)");
        smt.pop().expect("no level");
        assert_eq!(smt.check_assuming([smt.eq(x, smt.binary(8, 8))]).expect("an answer"), Response::Unsat);
        assert_eq!(smt.check().expect("an answer"), Response::Sat);
        // An error comes back as data, and the session goes on.
        assert!(smt.declare_const("x", byte).is_err());
        assert_eq!(smt.check().expect("an answer"), Response::Sat);
        smt.exit().expect("an answer to exit");
    }
}

/// Reads everything as text.
#[derive(Clone, Copy)]
struct Text;

impl<'a> rsmt2::parse::IdentParser<String, String, &'a str> for Text {
    fn parse_ident(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }

    fn parse_type(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> rsmt2::parse::ModelParser<String, String, String, &'a str> for Text {
    fn parse_value(self, input: &'a str, _: &String, _: &[(String, String)], _: &String) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> rsmt2::parse::ExprParser<String, (), &'a str> for Text {
    fn parse_expr(self, input: &'a str, (): ()) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> rsmt2::parse::ValueParser<String, &'a str> for Text {
    fn parse_value(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> rsmt2::parse::SymParser<String, &'a str> for Text {
    fn parse_sym(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

/// As z3, values of whole digits are hexadecimal.
fn talk_through_rsmt2(conf: SmtConf, [seven, square]: [&str; 2]) -> SmtRes<()> {
    let mut solver = conf.spawn(Text)?;
    solver.produce_models()?;
    solver.produce_unsat_cores()?;
    solver.set_logic(Logic::QF_BV)?;
    solver.declare_const("n", "(_ BitVec 8)")?;
    solver.declare_const("b", "Bool")?;
    solver.define_fun("square", [("v", "(_ BitVec 8)")], "(_ BitVec 8)", "(bvmul v v)")?;
    solver.assert("(= (square n) #x31)")?;
    solver.assert("(and b (bvult n #x10))")?;
    assert!(solver.check_sat()?);
    let model = solver.get_model_const()?;
    let expected = [("n", "(_ BitVec 8)", seven), ("b", "Bool", "true")];
    let owned = expected.map(|(name, sort, value)| (name.to_owned(), sort.to_owned(), value.to_owned()));
    assert_eq!(model, owned);
    let values: Vec<(String, String)> = solver.get_values(["n", "(square n)"])?;
    let expected = [("n", seven), ("(square n)", square)];
    assert_eq!(values, expected.map(|(term, value)| (term.to_owned(), value.to_owned())));
    solver.push(2)?;
    solver.named_assert("odd", "(= #b0 ((_ extract 0 0) n))")?;
    assert!(!solver.check_sat()?);
    let core: Vec<String> = solver.get_unsat_core()?;
    assert_eq!(core, ["odd"]);
    solver.pop(2)?;
    // The library knows no such command of the others.
    if solver.conf().get_check_sat_assuming().is_some() {
        assert!(!solver.check_sat_assuming(["(not b)"])?);
        let actlit = solver.get_actlit()?;
        solver.assert_act(&actlit, "(= n #x00)")?;
        assert!(!solver.check_sat_act(Some(&actlit))?);
        solver.de_actlit(actlit)?;
    }
    assert!(solver.check_sat()?);
    solver.reset()?;
    solver.declare_const("n", "Bool")?;
    assert!(solver.check_sat()?);
    solver.kill()
}

#[test]
fn rsmt2_understands_the_answers() {
    let link = |name: &str| called(name, "rsmt2").display().to_string();
    let (hexadecimal, binary) = (["#x07", "#x31"], ["#b00000111", "#b00110001"]);
    let confs = [
        (SmtConf::z3(link("z3")), hexadecimal),
        (SmtConf::cvc4(link("cvc4")), binary),
        (SmtConf::yices_2(link("yices")), binary),
    ];
    for (conf, values) in confs {
        let desc = conf.get_cmd().to_owned();
        talk_through_rsmt2(conf, values).unwrap_or_else(|problem| panic!("{desc}: {problem}"));
    }
}

#[test]
fn smtlib_understands_the_answers() -> Result<(), Box<dyn std::error::Error>> {
    use smtlib::backend::{Backend, cvc5_binary::Cvc5Binary, z3_binary::Z3Binary};
    use smtlib::{Bool, SatResult, Solver, Storage};
    fn talk<B: Backend>(storage: &Storage, backend: B) -> Result<(), smtlib::Error> {
        let mut solver = Solver::new(storage, backend)?;
        solver.set_timeout(10_000)?;
        let [p, q, r] = ["p", "q", "r"].map(|name| Bool::new_const(storage, name));
        solver.assert(p | q)?;
        solver.assert(p.implies(*r))?;
        assert_eq!(solver.check_sat()?, SatResult::Sat);
        assert_eq!(solver.check_sat_assuming(&[(q, false), (r, false)])?, SatResult::Unsat);
        solver.scope(|solver| {
            solver.assert(!*q)?;
            let model = solver.check_sat_with_model()?.expect_sat()?;
            let text = |name| model.eval(name).map(|value: Bool<'_>| value.to_string());
            assert_eq!((text(p), text(r)), (Some("true".to_owned()), Some("true".to_owned())));
            solver.assert(!*r)?;
            assert_eq!(solver.check_sat()?, SatResult::Unsat);
            Ok(())
        })?;
        assert_eq!(solver.check_sat()?, SatResult::Sat);
        Ok(())
    }
    talk(&Storage::new(), Z3Binary::new(called("z3", "smtlib"))?)?;
    talk(&Storage::new(), Cvc5Binary::new(called("cvc5", "smtlib"))?)?;
    Ok(())
}

/// What pySMT is made to do; each line of output is an answer that it understood. Values come last in each
/// session: pySMT reads an answer up to its last parenthesis and takes the line feed behind it for the answer
/// to the next command other than another question for values, whatever the solver.
const PYSMT: &str = r#"
import sys
from pysmt.shortcuts import *
from pysmt.logics import QF_BV, QF_AUFBV
from pysmt.typing import BVType, ArrayType
env = get_env()
env.factory.add_generic_solver("bivalve", [sys.argv[1]], [QF_BV, QF_AUFBV])
x, y = Symbol("x", BVType(8)), Symbol("y z", BVType(8))
p = Symbol("p")
with Solver(name="bivalve", logic=QF_BV) as solver:
    solver.add_assertion(Equals(BVMul(x, x), BV(49, 8)))
    solver.add_assertion(BVULT(x, BV(16, 8)))
    print(solver.solve())
    solver.push()
    solver.add_assertion(Iff(p, BVUGT(y, x)))
    solver.add_assertion(And(p, BVULT(y, BV(9, 8))))
    print(solver.solve())
    solver.push(2)
    solver.add_assertion(Not(p))
    print(solver.solve())
    solver.pop(2)
    print(solver.solve())
    print(solver.get_value(x).constant_value())
    print(solver.get_py_value(y), solver.get_py_value(p), solver.get_py_value(BVAdd(x, y)))
with Solver(name="bivalve", logic=QF_BV) as solver:
    solver.add_assertion(BVULT(x, BV(0, 8)))
    print(solver.solve())
    solver.reset_assertions()
    print(solver.solve())
a = Symbol("a", ArrayType(BVType(8), BVType(8)))
with Solver(name="bivalve", logic=QF_AUFBV) as solver:
    solver.add_assertion(NotEquals(Select(Store(a, x, y), x), y))
    print(solver.solve())
"#;

#[test]
#[ignore = "needs Python with pySMT"]
fn pysmt_understands_the_answers() {
    let python = ["python3", "python"].into_iter().find(|python| {
        let probe = Command::new(python).args(["-c", "import pysmt"]).output();
        probe.is_ok_and(|output| output.status.success())
    });
    let python = python.expect("Python with pysmt (pip install pysmt)");
    let output = Command::new(python).args(["-c", PYSMT]).arg(bivalve()).output().expect("Python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    let answers = String::from_utf8_lossy(&output.stdout);
    let expected = "True\nTrue\nFalse\nTrue\n7\n8 True 15\nFalse\nTrue\nFalse\n";
    assert_eq!(answers, expected, "{errors}");
}
