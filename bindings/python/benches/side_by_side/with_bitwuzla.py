"""The ten tasks with Bitwuzla."""

from bitwuzla import Bitwuzla, Kind, Option, Options, Parser, Result, TermManager


def made(*more):
    tm, options = TermManager(), Options()
    options.set(Option.PRODUCE_MODELS, True)
    for option in more:
        options.set(option, True)
    return tm, Bitwuzla(tm, options)


def root():
    tm, s = made()
    word = tm.mk_bv_sort(16)
    x = tm.mk_const(word, "x")
    square = tm.mk_term(Kind.BV_MUL, [x, x])
    s.assert_formula(tm.mk_term(Kind.EQUAL, [square, tm.mk_bv_value(word, 0x1AE9)]))
    s.assert_formula(tm.mk_term(Kind.BV_ULT, [x, tm.mk_bv_value(word, 256)]))
    assert s.check_sat() == Result.SAT
    return int(s.get_value(x).value(10))


def identity():
    tm, s = made()
    word = tm.mk_bv_sort(32)
    x, y = (tm.mk_const(word, name) for name in "xy")
    both = tm.mk_term(Kind.BV_MUL, [tm.mk_bv_value(word, 2), tm.mk_term(Kind.BV_AND, [x, y])])
    right = tm.mk_term(Kind.BV_ADD, [tm.mk_term(Kind.BV_XOR, [x, y]), both])
    s.assert_formula(tm.mk_term(Kind.DISTINCT, [tm.mk_term(Kind.BV_ADD, [x, y]), right]))
    return s.check_sat() == Result.UNSAT


def inverse():
    tm, s = made()
    word = tm.mk_bv_sort(32)
    x = tm.mk_const(word, "x")
    product = tm.mk_term(Kind.BV_MUL, [x, tm.mk_bv_value(word, 0xDEADBEEF)])
    s.assert_formula(tm.mk_term(Kind.EQUAL, [product, tm.mk_bv_value(word, 1)]))
    assert s.check_sat() == Result.SAT
    return int(s.get_value(x).value(10))


def memory():
    tm, s = made()
    word, byte = tm.mk_bv_sort(32), tm.mk_bv_sort(8)
    m = tm.mk_const(tm.mk_array_sort(word, byte), "m")
    i, j = (tm.mk_const(word, name) for name in "ij")
    one, two = (tm.mk_bv_value(byte, value) for value in (1, 2))
    left = tm.mk_term(Kind.ARRAY_STORE, [tm.mk_term(Kind.ARRAY_STORE, [m, i, one]), j, two])
    right = tm.mk_term(Kind.ARRAY_STORE, [tm.mk_term(Kind.ARRAY_STORE, [m, j, two]), i, one])
    s.assert_formula(tm.mk_term(Kind.DISTINCT, [left, right]))
    assert s.check_sat() == Result.SAT
    assert s.get_value(i).value(2) == s.get_value(j).value(2)
    return s.check_sat(tm.mk_term(Kind.DISTINCT, [i, j])) == Result.UNSAT


def functions():
    tm, s = made()
    word = tm.mk_bv_sort(32)
    f = tm.mk_const(tm.mk_fun_sort([word], word), "f")
    x = tm.mk_const(word, "x")
    applied = [x]
    for _ in range(5):
        applied.append(tm.mk_term(Kind.APPLY, [f, applied[-1]]))
    s.assert_formula(tm.mk_term(Kind.EQUAL, [applied[3], x]))
    s.assert_formula(tm.mk_term(Kind.EQUAL, [applied[5], x]))
    s.assert_formula(tm.mk_term(Kind.DISTINCT, [applied[1], x]))
    return s.check_sat() == Result.UNSAT


def models():
    tm, s = made()
    x = tm.mk_const(tm.mk_bv_sort(8), "x")
    four = tm.mk_bv_sort(4)
    bits = [tm.mk_term(Kind.BV_ZERO_EXTEND, [tm.mk_term(Kind.BV_EXTRACT, [x], [i, i])], [3]) for i in range(8)]
    s.assert_formula(tm.mk_term(Kind.EQUAL, [tm.mk_term(Kind.BV_ADD, bits), tm.mk_bv_value(four, 4)]))
    count = 0
    while s.check_sat() == Result.SAT:
        count += 1
        s.assert_formula(tm.mk_term(Kind.DISTINCT, [x, s.get_value(x)]))
    return count


def core():
    tm, s = made(Option.PRODUCE_UNSAT_ASSUMPTIONS)
    byte = tm.mk_bv_sort(8)
    ages = [tm.mk_const(byte, f"age{i}") for i in range(20)]
    for younger, older in zip(ages, ages[1:]):
        s.assert_formula(tm.mk_term(Kind.BV_ULT, [younger, older]))
    values = [tm.mk_bv_value(byte, 3 * i if i != 12 else 2) for i in range(20)]
    wishes = [tm.mk_term(Kind.EQUAL, [age, value]) for age, value in zip(ages, values)]
    assert s.check_sat(*wishes) == Result.UNSAT
    failed = s.get_unsat_assumptions()
    return any(wish == wishes[12] for wish in failed)


def paths():
    tm, s = made()
    word, bit = tm.mk_bv_sort(32), tm.mk_bv_sort(1)
    x, one, shift = tm.mk_const(word, "x"), tm.mk_bv_value(bit, 1), tm.mk_bv_value(word, 1)
    polynomial = tm.mk_bv_value(word, 0xEDB88320)
    state, feasible = x, 0
    for step in range(64):
        taken = tm.mk_term(Kind.EQUAL, [tm.mk_term(Kind.BV_EXTRACT, [state], [0, 0]), one])
        other = tm.mk_term(Kind.NOT, [taken])
        for branch in (taken, other):
            s.push(1)
            s.assert_formula(branch)
            feasible += s.check_sat() == Result.SAT
            s.pop(1)
        s.assert_formula(taken if step % 3 else other)
        moved = tm.mk_term(Kind.BV_SHR, [state, shift])
        state = tm.mk_term(Kind.ITE, [taken, tm.mk_term(Kind.BV_XOR, [moved, polynomial]), moved])
    return feasible


def build():
    tm = TermManager()
    word = tm.mk_bv_sort(32)
    x = tm.mk_const(word, "x")
    term = x
    for i in range(500_000):
        sum = tm.mk_term(Kind.BV_ADD, [term, tm.mk_bv_value(word, i)])
        term = tm.mk_term(Kind.BV_XOR, [sum, x])
    return term.sort().bv_size()


def text():
    lines = ["(declare-const x0 (_ BitVec 32))"]
    for i in range(20_000):
        lines.append(f"(declare-const x{i + 1} (_ BitVec 32))(assert (= x{i + 1} (bvadd x{i} #x00000003)))")
    lines.append("(assert (= x0 #x00000001))")
    tm, options = TermManager(), Options()
    options.set(Option.PRODUCE_MODELS, True)
    parser = Parser(tm, options)
    parser.parse("\n".join(lines), True, False)
    s = parser.bitwuzla()
    assert s.check_sat() == Result.SAT
    return int(s.get_value(parser.parse_term("x20000")).value(10))
