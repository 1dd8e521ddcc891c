"""The ten tasks with z3."""

from z3 import (
    Array, BitVec, BitVecs, BitVecSort, Extract, Function, If, LShR, Not, Solver, Store, Sum, ULT, ZeroExt, sat, unsat
)  # fmt: skip


def root():
    x = BitVec("x", 16)
    s = Solver()
    s.add(x * x == 0x1AE9, ULT(x, 256))
    assert s.check() == sat
    return s.model()[x].as_long()


def identity():
    x, y = BitVecs("x y", 32)
    s = Solver()
    s.add(x + y != (x ^ y) + 2 * (x & y))
    return s.check() == unsat


def inverse():
    x = BitVec("x", 32)
    s = Solver()
    s.add(x * 0xDEADBEEF == 1)
    assert s.check() == sat
    return s.model()[x].as_long()


def memory():
    m = Array("m", BitVecSort(32), BitVecSort(8))
    i, j = BitVecs("i j", 32)
    s = Solver()
    s.add(Store(Store(m, i, 1), j, 2) != Store(Store(m, j, 2), i, 1))
    assert s.check() == sat
    assert s.model().eval(i, True).eq(s.model().eval(j, True))
    return s.check(i != j) == unsat


def functions():
    word = BitVecSort(32)
    f = Function("f", word, word)
    x = BitVec("x", 32)
    s = Solver()
    s.add(f(f(f(x))) == x, f(f(f(f(f(x))))) == x, f(x) != x)
    return s.check() == unsat


def models():
    x = BitVec("x", 8)
    s = Solver()
    s.add(Sum([ZeroExt(3, Extract(i, i, x)) for i in range(8)]) == 4)
    count = 0
    while s.check() == sat:
        count += 1
        s.add(x != s.model()[x])
    return count


def core():
    ages = [BitVec(f"age{i}", 8) for i in range(20)]
    s = Solver()
    for younger, older in zip(ages, ages[1:]):
        s.add(ULT(younger, older))
    wishes = [ages[i] == 3 * i if i != 12 else ages[i] == 2 for i in range(20)]
    assert s.check(*wishes) == unsat
    failed = s.unsat_core()
    return any(wish.eq(wishes[12]) for wish in failed)


def paths():
    x = BitVec("x", 32)
    s = Solver()
    state, feasible = x, 0
    for step in range(64):
        taken = Extract(0, 0, state) == 1
        for branch in (taken, Not(taken)):
            s.push()
            s.add(branch)
            feasible += s.check() == sat
            s.pop()
        s.add(taken if step % 3 else Not(taken))
        state = If(taken, LShR(state, 1) ^ 0xEDB88320, LShR(state, 1))
    return feasible


def build():
    x = BitVec("x", 32)
    term = x
    for i in range(500_000):
        term = (term + i) ^ x
    return term.size()


def text():
    lines = ["(declare-const x0 (_ BitVec 32))"]
    for i in range(20_000):
        lines.append(f"(declare-const x{i + 1} (_ BitVec 32))(assert (= x{i + 1} (bvadd x{i} #x00000003)))")
    lines.append("(assert (= x0 #x00000001))")
    s = Solver()
    s.from_string("\n".join(lines))
    assert s.check() == sat
    return s.model().eval(BitVec("x20000", 32)).as_long()
