"""Boolector's names: what programs do with them, by itself and, where PyBoolector is installed, beside it."""

import pickle
import random
import subprocess
import sys
import time

import pytest

import bivalve.pyboolector as pb


def boolector(module):
    """An instance as programs make it."""
    b = module.Boolector()
    b.Set_opt(module.BtorOption.BTOR_OPT_INCREMENTAL, 1)
    b.Set_opt(module.BtorOption.BTOR_OPT_MODEL_GEN, 1)
    return b


@pytest.fixture
def b():
    return boolector(pb)


def test_words_assumptions_and_values(b):
    byte = b.BitVecSort(8)
    x, y = b.Var(byte, "x"), b.Var(byte, "y")
    b.Assert(x + y == 10, x > 250)
    b.Assume(y == 12, x[0])
    assert b.Sat() == b.UNSAT and b.Failed(y == 12, x[0]) == [True, True]
    b.Assume(y == 12)
    assert b.Sat() == b.SAT == 10 and (x.assignment, y.assignment, (x - y).assignment) == ("11111110", "00001100", "11110010")
    b.Set_opt(pb.BTOR_OPT_OUTPUT_NUMBER_FORMAT, pb.BTOR_OUTPUT_BASE_DEC)
    assert x.assignment == "254"
    b.Push(1)
    b.Assert(x < 3)
    assert b.Sat() == b.UNSAT
    b.Pop(1)
    assert b.Sat() == b.SAT
    b.Assume(x == y)
    b.Fixate_assumptions()
    assert b.Sat() == b.UNSAT


def test_arrays_and_functions(b):
    byte = b.BitVecSort(8)
    x = b.Var(byte)
    memory, f = b.Array(b.ArraySort(byte, byte), "memory"), b.UF(b.FunSort([byte, byte], byte), "f")
    p, q = b.Param(byte), b.Param(byte)
    larger = b.Fun([p, q], b.Cond(p > q, p, q))
    b.Assert(b.Write(memory, 1, 2)[x] == 7, f(x, 1) == larger(x, 9), x == 4)
    assert b.Sat() == b.SAT
    assert ("00000100", "00000111") in memory.assignment and f.assignment == [(["00000100", "00000001"], "00001001")]
    assert (larger(x, 200).assignment, memory.width, memory.index_width, f.arity, larger.arity) == ("11001000", 8, 8, 2, 2)
    constant = b.ConstArray(b.ArraySort(byte, byte), b.Const(5, 8))
    assert constant.assignment == [("*", "00000101")]


def test_clones_match(b):
    x = b.Var(b.BitVecSort(8), "x")
    b.Assert(x < 3)
    clone = b.Clone()
    clone.Assert(clone.Match(x) > 1)
    b.Assert(x == 1)
    assert clone.Sat() == clone.SAT and clone.Match_by_symbol("x").assignment == "00000010"
    assert b.Sat() == b.SAT and x.assignment == "00000001"


def test_texts(b, tmp_path, capsys):
    x = b.Var(b.BitVecSort(8), "x")
    b.Assert(x * 3 == 9)
    for form in ("smt2", "btor"):
        b.Dump(form, str(tmp_path / form))
        other = boolector(pb)
        answer, status, problem = other.Parse(str(tmp_path / form))
        assert answer == (other.SAT if form == "smt2" else other.UNKNOWN) and problem is None and status == 0
        assert other.Sat() == other.SAT and other.Match_by_symbol("x").assignment == "00000011"
        other.Print_model()
        assert capsys.readouterr().out.split()[1:] == ["00000011", "x"]
    (tmp_path / "wrong").write_text("(assert x)")
    answer, _, problem = b.Parse(str(tmp_path / "wrong"))
    assert answer == b.PARSE_ERROR and problem.startswith(f"{tmp_path / 'wrong'}:1:9: ")
    b.Sat()
    b.Print_model("smt2")
    assert "(define-fun x () (_ BitVec 8) #b00000011)" in capsys.readouterr().out


def test_what_is_wrong_is_said(b):
    x, flag = b.Var(b.BitVecSort(8), "x"), b.Var(b.BitVecSort(1))
    once = pb.Boolector()
    for wrong, text in [
        (lambda: x + 300, r"Value of constant 300 \(bit width 9\) exceeds bit width of 8"),
        (lambda: x + b.Const(1, 9), "same bit width"),
        (lambda: b.Var(b.BitVecSort(8), "x"), "already in use"),
        (lambda: b.Assert(x), "position 0 must be of bit width one"),
        (lambda: b.Assert(True), "position 0 is not a BoolectorNode"),
        (lambda: x[8], "'extract' expects"),
        (lambda: x.assignment, "cannot retrieve model"),
        (lambda: b.Failed(flag), "not UNSAT"),
        (lambda: b.Pop(1), "can not pop more levels"),
        (lambda: b.Match_by_symbol("nothing"), "no matching node"),
        (lambda: b.Forall([b.Param(b.BitVecSort(8))], flag), "has no quantifiers"),
        (lambda: once.Assume(once.Var(once.BitVecSort(1))), "incremental usage has not been enabled"),
        (lambda: b.Assert(once.Var(once.BitVecSort(1))), "different Boolector instance"),
        (lambda: [once.Sat(), once.Sat()], "only be called once"),
        (lambda: b.Set_opt(pb.BTOR_OPT_MODEL_GEN, 7), "invalid option value '7' for option 'model-gen'"),
        (lambda: b.Parse("/no/such/file"), "does not exist"),
    ]:
        with pytest.raises(pb.BoolectorException, match=text):
            wrong()
    for what in (x, b):
        with pytest.raises(TypeError, match="cannot be pickled; send the text that Dump writes"):
            pickle.dumps(what)


def test_a_check_ends_when_the_callback_says_so(b):
    word = b.BitVecSort(48)
    x, y, z = (b.Var(word) for _ in range(3))
    b.Set_opt(pb.BTOR_OPT_REWRITE_LEVEL, 0)
    b.Assert((x * y) * (z + 1) != x * (y * (z + 1)))
    begin = time.monotonic()
    b.Set_term(lambda since: time.monotonic() - since > 0.2, begin)
    assert b.Sat() == b.UNKNOWN and time.monotonic() - begin < 30 and b.Terminate()


def test_scripts_run_with_the_name_pyboolector(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import pyboolector\nprint(pyboolector.__name__, pyboolector.Boolector().Sat())\n")
    command = [sys.executable, "-m", "bivalve.pyboolector", str(script)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.stdout == "bivalve.pyboolector 10\n", run.stderr


def test_names_are_those_of_pyboolector():
    theirs = pytest.importorskip("pyboolector", reason="PyBoolector is not installed")
    skipped = {"math", "os", "g_is_abort_fun_set", "g_tunable_options"}
    for name, value in vars(theirs).items():
        if name.startswith("_") or name in skipped:
            continue
        assert hasattr(pb, name), name
        if name.startswith("Btor"):
            assert {of.name: int(of) for of in value} == {of.name: int(of) for of in getattr(pb, name)}, name
        elif isinstance(value, type) and "Quant" not in name and name[9:] not in ("ForallNode", "ExistsNode", "Opt"):
            assert [of for of in vars(value) if not of.startswith("_") and not hasattr(getattr(pb, name), of)] == [], name
    for their, our in zip(theirs.Boolector().Options(), pb.Boolector().Options()):
        assert (their.lng, their.shrt, their.dflt, their.min) == (our.lng, our.shrt, our.dflt, our.min)


BINARY = "And Or Xor Nand Nor Xnor Add Sub Mul Udiv Sdiv Urem Srem Smod Eq Ne Ult Slt Ulte Slte Ugt Sgt Ugte Sgte".split()
BINARY += "Uaddo Saddo Usubo Ssubo Umulo Smulo Sdivo Concat Sll Srl Sra Rol Ror".split()
UNARY = "Not Neg Redor Redxor Redand Inc Dec".split()


def values_of(module, plan):
    """The values of the nodes that a plan builds over constants, as Boolector evaluates them."""
    b = boolector(module)
    leaves = [b.Var(b.BitVecSort(width)) for width, _ in plan["leaves"]]
    b.Assert(*(leaf == value for leaf, (_, value) in zip(leaves, plan["leaves"])))
    nodes = list(leaves)
    for op, args in plan["steps"]:
        nodes.append(getattr(b, op)(*(nodes[at] for at in args)))
    assert b.Sat() == b.SAT
    return [node.assignment for node in nodes]


def plan(seed):
    """Operators at random over words of 1, 2, 4 and 8 bits, with the widths that they need."""
    random_ = random.Random(seed)
    leaves = [(width, random_.randrange(1 << width)) for width in (1, 1, 2, 2, 4, 4, 8, 8)]
    widths, steps = [width for width, _ in leaves], []
    tests = set(BINARY[BINARY.index("Eq") : BINARY.index("Concat")]) | {"Redor", "Redxor", "Redand"}
    while len(steps) < 60:
        op = random_.choice(BINARY + UNARY + ["Cond", "Implies", "Iff"])
        first = random_.randrange(len(widths))
        width = widths[first]
        alike = [at for at, other in enumerate(widths) if other == width]
        bits = [at for at, other in enumerate(widths) if other == 1]
        if op in UNARY:
            args = [first]
        elif op == "Cond":
            args = [random_.choice(bits), first, random_.choice(alike)]
        elif op in ("Implies", "Iff"):
            args, width = [random_.choice(bits), random_.choice(bits)], 1
        else:
            args = [first, random_.choice(alike)]
        if op == "Concat" and width > 4:
            continue
        steps.append((op, args))
        widths.append(2 * width if op == "Concat" else 1 if op in tests else width)
    return {"leaves": leaves, "steps": steps}


@pytest.mark.parametrize("seed", range(30))
def test_operators_mean_the_same(seed):
    theirs = pytest.importorskip("pyboolector", reason="PyBoolector is not installed")
    assert values_of(pb, plan(seed)) == values_of(theirs, plan(seed))
