"""The ten tasks with PyBoolector."""

import os
import tempfile

from pyboolector import Boolector, BtorOption


def made():
    b = Boolector()
    b.Set_opt(BtorOption.BTOR_OPT_MODEL_GEN, 1)
    b.Set_opt(BtorOption.BTOR_OPT_INCREMENTAL, 1)
    return b


def root():
    b = made()
    x = b.Var(b.BitVecSort(16), "x")
    b.Assert(x * x == 0x1AE9)
    b.Assert(b.Ult(x, 256))
    assert b.Sat() == b.SAT
    return int(x.assignment, 2)


def identity():
    b = made()
    word = b.BitVecSort(32)
    x, y = (b.Var(word, name) for name in "xy")
    b.Assert(x + y != (x ^ y) + (x & y) * 2)
    return b.Sat() == b.UNSAT


def inverse():
    b = made()
    x = b.Var(b.BitVecSort(32), "x")
    b.Assert(x * 0xDEADBEEF == 1)
    assert b.Sat() == b.SAT
    return int(x.assignment, 2)


def memory():
    b = made()
    word, byte = b.BitVecSort(32), b.BitVecSort(8)
    m = b.Array(b.ArraySort(word, byte), "m")
    i, j = (b.Var(word, name) for name in "ij")
    one, two = (b.Const(value, 8) for value in (1, 2))
    left = b.Write(b.Write(m, i, one), j, two)
    right = b.Write(b.Write(m, j, two), i, one)
    b.Assert(left != right)
    assert b.Sat() == b.SAT
    assert i.assignment == j.assignment
    b.Assume(i != j)
    return b.Sat() == b.UNSAT


def functions():
    b = made()
    word = b.BitVecSort(32)
    f = b.UF(b.FunSort([word], word), "f")
    x = b.Var(word, "x")
    applied = [x]
    for _ in range(5):
        applied.append(b.Apply([applied[-1]], f))
    b.Assert(applied[3] == x)
    b.Assert(applied[5] == x)
    b.Assert(applied[1] != x)
    return b.Sat() == b.UNSAT


def models():
    b = made()
    x = b.Var(b.BitVecSort(8), "x")
    bits = [b.Uext(b.Slice(x, i, i), 3) for i in range(8)]
    b.Assert(sum(bits[1:], bits[0]) == 4)
    count = 0
    while b.Sat() == b.SAT:
        count += 1
        b.Assert(x != int(x.assignment, 2))
    return count


def core():
    b = made()
    byte = b.BitVecSort(8)
    ages = [b.Var(byte, f"age{i}") for i in range(20)]
    for younger, older in zip(ages, ages[1:]):
        b.Assert(b.Ult(younger, older))
    wishes = [ages[i] == 3 * i if i != 12 else ages[i] == 2 for i in range(20)]
    for wish in wishes:
        b.Assume(wish)
    assert b.Sat() == b.UNSAT
    failed = b.Failed(*wishes)
    return bool(failed[12])


def paths():
    b = made()
    x = b.Var(b.BitVecSort(32), "x")
    state, feasible = x, 0
    for step in range(64):
        taken = b.Slice(state, 0, 0) == 1
        for branch in (taken, ~taken):
            b.Push()
            b.Assert(branch)
            feasible += b.Sat() == b.SAT
            b.Pop()
        b.Assert(taken if step % 3 else ~taken)
        moved = b.Srl(state, b.Const(1, 32))
        state = b.Cond(taken, moved ^ 0xEDB88320, moved)
    return feasible


def build():
    b = made()
    x = b.Var(b.BitVecSort(32), "x")
    term = x
    for i in range(500_000):
        term = (term + i) ^ x
    return term.width


def text():
    lines = ["(declare-const x0 (_ BitVec 32))"]
    for i in range(20_000):
        lines.append(f"(declare-const x{i + 1} (_ BitVec 32))(assert (= x{i + 1} (bvadd x{i} #x00000003)))")
    lines.append("(assert (= x0 #x00000001))")
    b = made()
    with tempfile.NamedTemporaryFile("w", suffix=".smt2", delete=False) as file:
        file.write("\n".join(lines))
    b.Parse(file.name)
    os.unlink(file.name)
    assert b.Sat() == b.SAT
    return int(b.Match_by_symbol("x20000").assignment, 2)
