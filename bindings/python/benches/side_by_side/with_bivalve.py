"""The ten tasks with Bivalve."""

from bivalve import Context, Solver, sat, unsat


def root():
    ctx = Context()
    x = ctx.bv_symbol("x", 16)
    s = Solver(ctx)
    s.add(x * x == 0x1AE9, x.ult(256))
    assert s.check() == sat
    return s.model()[x]


def identity():
    ctx = Context()
    x, y = (ctx.bv_symbol(name, 32) for name in "xy")
    s = Solver(ctx)
    s.add(x + y != (x ^ y) + 2 * (x & y))
    return s.check() == unsat


def inverse():
    ctx = Context()
    x = ctx.bv_symbol("x", 32)
    s = Solver(ctx)
    s.add(x * 0xDEADBEEF == 1)
    assert s.check() == sat
    return s.model()[x]


def memory():
    ctx = Context()
    m = ctx.array_symbol("m", 32, 8)
    i, j = (ctx.bv_symbol(name, 32) for name in "ij")
    s = Solver(ctx)
    s.add(m.store(i, 1).store(j, 2) != m.store(j, 2).store(i, 1))
    assert s.check() == sat
    assert s.model()[i] == s.model()[j]
    return s.check(i != j) == unsat


def functions():
    ctx = Context()
    word = ctx.bv_sort(32)
    f = ctx.function("f", [word], word)
    x = ctx.bv_symbol("x", 32)
    s = Solver(ctx)
    s.add(f(f(f(x))) == x, f(f(f(f(f(x))))) == x, f(x) != x)
    return s.check() == unsat


def models():
    ctx = Context()
    x = ctx.bv_symbol("x", 8)
    s = Solver(ctx)
    s.add(sum((x[i].zero_extend(3) for i in range(1, 8)), x[0].zero_extend(3)) == 4)
    count = 0
    while s.check() == sat:
        count += 1
        s.add(x != s.model()[x])
    return count


def core():
    ctx = Context()
    ages = [ctx.bv_symbol(f"age{i}", 8) for i in range(20)]
    s = Solver(ctx)
    for younger, older in zip(ages, ages[1:]):
        s.add(younger.ult(older))
    wishes = [ages[i] == 3 * i if i != 12 else ages[i] == 2 for i in range(20)]
    assert s.check(*wishes) == unsat
    failed = s.unsat_assumptions()
    return any(wish.is_same(wishes[12]) for wish in failed)


def paths():
    ctx = Context()
    x = ctx.bv_symbol("x", 32)
    s = Solver(ctx)
    state, feasible = x, 0
    for step in range(64):
        taken = state[0] == 1
        for branch in (taken, ~taken):
            s.push()
            s.add(branch)
            feasible += s.check() == sat
            s.pop()
        s.add(taken if step % 3 else ~taken)
        state = taken.ite(state.lshr(1) ^ 0xEDB88320, state.lshr(1))
    return feasible


def build():
    ctx = Context()
    x = ctx.bv_symbol("x", 32)
    term = x
    for i in range(500_000):
        term = (term + i) ^ x
    return term.width


def text():
    ctx = Context()
    lines = ["(declare-const x0 (_ BitVec 32))"]
    for i in range(20_000):
        lines.append(f"(declare-const x{i + 1} (_ BitVec 32))(assert (= x{i + 1} (bvadd x{i} #x00000003)))")
    lines.append("(assert (= x0 #x00000001))")
    assertions, symbols = ctx.parse("\n".join(lines))
    s = Solver(ctx)
    s.add(*assertions)
    assert s.check() == sat
    return s.model()[symbols["x20000"]]
