"""Floating point: what Python's own numbers become, operators beside those of the machine, values of models."""

import fractions
import math
import random
import struct

import pytest

from bivalve import BivalveError, Context, FloatValue, IllSorted, ParseError, Solver, sat, unsat

CTX = Context()
SINGLE, DOUBLE, HALF = CTX.float_sort(8, 24), CTX.float_sort(11, 53), CTX.float_sort(5, 11)
MODES = ["RNE", "RNA", "RTP", "RTN", "RTZ"]


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def value(term):
    return term.simplify().value


def test_sorts_say_what_they_are():
    assert (SINGLE.kind, SINGLE.exponent_bits, SINGLE.significand_bits, SINGLE.width) == ("float", 8, 24, None)
    mode = CTX.rounding_mode_sort()
    assert (mode.kind, mode.exponent_bits, str(SINGLE)) == ("rounding_mode", None, "(_ FloatingPoint 8 24)")
    assert SINGLE == CTX.float_sort(8, 24) and SINGLE != DOUBLE
    for wrong in [(1, 5), (2, 1), (25, 4), (8, 1 << 23)]:
        with pytest.raises(ValueError, match="floating-point format"):
            CTX.float_sort(*wrong)


def test_numbers_are_rounded_once():
    assert CTX.float(0.1, DOUBLE).value.hex() == (0.1).hex()
    third = fractions.Fraction(1, 3)
    for mode, last in [("RNE", 0xAB), ("RTZ", 0xAA), ("RTP", 0xAB), ("RTN", 0xAA), ("RNA", 0xAB)]:
        assert CTX.float(third, SINGLE, mode).value.bits & 0xFF == last
        assert CTX.float("1/3", SINGLE, mode).is_same(CTX.float(third, SINGLE, mode))
    # Through a double it would be rounded twice.
    assert float(CTX.float("1.00000005960464477540", SINGLE).value) > 1
    assert float(CTX.float(2**24 + 1, SINGLE).value) == 2**24 and CTX.float(10**400, DOUBLE).value.is_infinite
    texts = {"inf": "+oo", "-inf": "-oo", "NaN": "NaN", "-0": "-0.0", "0x1.8p+3": "12.0", "1e999999999": "+oo"}
    assert {text: str(CTX.float(text, SINGLE).value) for text in texts} == texts
    assert CTX.float(CTX.float(0.1, DOUBLE).value, SINGLE).is_same(CTX.float(0.1, SINGLE))
    for wrong in ["", "1.", "abc", "1/0", "0x", "9" * 70_000]:
        with pytest.raises(ValueError):
            CTX.float(wrong, SINGLE)
    for wrong in [True, None, [1], 1j]:
        with pytest.raises(TypeError, match="expected a number"):
            CTX.float(wrong, SINGLE)
    with pytest.raises(ValueError, match="expected one of RNE"):
        CTX.float(1, SINGLE, "up")
    with pytest.raises(IllSorted, match="expected a floating-point sort, found Bool"):
        CTX.float(1, CTX.bool_sort())


def test_values_are_those_of_the_machine():
    rng = random.Random(5)
    for _ in range(300):
        bits = rng.choice([rng.getrandbits(64), rng.getrandbits(11) << 52, rng.getrandbits(6)])
        number = double(bits)
        found = CTX.float_of_bits(bits, DOUBLE).value
        assert (found.sign, found.exponent, found.fraction) == (
            (bits >> 63 == 1 and not math.isnan(number)),
            bits >> 52 & 0x7FF,
            bits & (1 << 52) - 1 if not math.isnan(number) else 1 << 51,
        )
        assert (found.is_nan, found.is_infinite, found.is_zero) == (math.isnan(number), math.isinf(number), number == 0)
        assert found == CTX.float(number, DOUBLE).value and hash(found) == hash(CTX.float(number, DOUBLE).value)
        if math.isfinite(number):
            assert float(found) == number and found.as_fraction() == fractions.Fraction(number)
            assert float(str(found)) == number and float.fromhex(found.hex()) == number
    zero, minus = CTX.float(0, DOUBLE).value, CTX.float(-0.0, DOUBLE).value
    assert zero != minus and float(zero) == float(minus) and zero != CTX.float(0, SINGLE).value and zero != 0.0
    assert CTX.float("nan", HALF).value == CTX.float(math.nan, HALF).value and len({zero, minus}) == 2
    assert float(CTX.float("1e400", CTX.float_sort(15, 113)).value) == math.inf
    with pytest.raises(OverflowError):
        CTX.float("inf", HALF).value.as_fraction()
    with pytest.raises(ValueError):
        CTX.float("nan", HALF).value.as_fraction()
    with pytest.raises(ValueError, match="fits into 16 bits"):
        CTX.float_of_bits(1 << 16, HALF)


def test_operators_are_those_of_the_machine():
    rng = random.Random(6)
    some = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 5e-324, math.inf, -math.inf, math.nan, 3.0, 7.5]

    def same(term, number):
        return value(term) == CTX.float(number, DOUBLE).value

    for _ in range(300):
        a, b = (rng.choice([rng.choice(some), double(rng.getrandbits(64))]) for _ in range(2))
        x, y = CTX.float(a, DOUBLE), CTX.float(b, DOUBLE)
        with_python = [(x + b, a + b), (a - y, a - b), (x * y, a * b), (-x, -a), (abs(x), abs(a))]
        if b != 0:
            with_python.append((x / b, a / b))
        if not (math.isinf(a) or b == 0 or math.isnan(a) or math.isnan(b)):
            with_python.append((x % y, math.remainder(a, b)))
        if a >= 0:
            with_python.append((x.fp_sqrt(), math.sqrt(a)))
        assert all(same(term, number) for term, number in with_python), (a, b)
        comparisons = [(x < y, a < b), (x <= b, a <= b), (a > y, a > b), (x >= y, a >= b), (x.fp_eq(y), a == b)]
        assert [value(term) for term, _ in comparisons] == [truth for _, truth in comparisons], (a, b)
        single = struct.pack("<f", a) if abs(a) < 3e38 or not math.isfinite(a) else None
        if single and not math.isnan(a):
            assert float(value(x.to_fp(SINGLE))) == struct.unpack("<f", single)[0]
        if math.isfinite(a) and abs(a) < 2**31:
            whole = value(x.fp_to_sbv(32, "RTZ"))
            assert whole - (whole >> 31 << 32) == int(a)
    assert value(CTX.float(0.0, DOUBLE) == CTX.float(-0.0, DOUBLE)) is False
    assert value(CTX.float(math.nan, DOUBLE) == math.nan) is True


def test_modes_are_names_or_terms():
    third = {mode: value(CTX.float(1, SINGLE).fp_div(3, mode)).bits & 0xFF for mode in MODES}
    assert third == {"RNE": 0xAB, "RNA": 0xAB, "RTP": 0xAB, "RTN": 0xAA, "RTZ": 0xAA}
    mode, x = CTX.symbol("mode", CTX.rounding_mode_sort()), CTX.symbol("x", SINGLE)
    solver = Solver(CTX)
    solver.add(x == CTX.float(1, SINGLE).fp_div(3, mode), x < CTX.float("1/3", SINGLE), mode != CTX.rounding_mode("RTN"))
    assert solver.check() == sat and solver.model()[mode] == "RTZ" and CTX.rounding_mode("roundTowardZero").value == "RTZ"
    with pytest.raises(ValueError, match="expected one of RNE"):
        x.fp_add(x, "up")
    with pytest.raises(TypeError, match="expected a rounding mode or its name, found 'int'"):
        x.fp_add(x, 3)
    with pytest.raises(IllSorted, match="argument 1 of 'fp.add' is expected to be of sort RoundingMode"):
        x.fp_add(x, x)


def test_terms_are_taken_apart_and_made_again():
    x, y, w = CTX.symbol("x", SINGLE), CTX.symbol("y", SINGLE), CTX.bv_symbol("w", 32)
    terms = [x + y, x.fp_fma(y, x, "RTP"), x.fp_min(y), x.fp_max(y), x.fp_to_ubv(8, "RTZ"), x.fp_to_sbv(8, "RNE"), x.fp_to_ieee_bv()]
    terms += [w.to_fp(SINGLE), w.to_fp_unsigned(SINGLE), w.bits_to_fp(SINGLE), x.to_fp(DOUBLE), x.fp_is_nan(), x < y, x.fp_eq(y)]
    for term in terms:
        assert CTX.app(term.op, term.indices, term.args).is_same(term), term
        (again,), _ = CTX.parse(f"(assert (= {term} {term}))", [x, y, w])
        assert again.args[0].is_same(term)
    assert str(x.fp_min(y)) == "(fp.min x y)" and len(x.fp_to_ubv(8, "RTZ").args) == 2
    assert str((x + 0.5).substitute({x: 1}).simplify()) == str(CTX.float(1.5, SINGLE))
    for wrong, text in [
        (lambda: x + CTX.symbol("d", DOUBLE), r"expected to be of sort \(_ FloatingPoint 8 24\)"),
        (lambda: x & y, "'bvand'"),
        (lambda: x + True, "expected a term of sort"),
        (lambda: w.bits_to_fp(DOUBLE), "64"),
        (lambda: x.to_fp(CTX.bv_sort(8)), "expected a floating-point sort"),
        (lambda: w + x, "'bvadd'"),
    ]:
        with pytest.raises(BivalveError, match=text):
            wrong()


def test_texts_with_floats_are_read_and_written():
    text = "(declare-const x Float32) (declare-const m RoundingMode) (assert (fp.lt x ((_ to_fp 8 24) m 0.1)))"
    (formula,), symbols = CTX.parse(text)
    assert set(symbols) == {"x", "m"} and symbols["x"].sort == SINGLE
    solver = Solver(CTX)
    solver.add(formula)
    (again,), _ = Context().parse(solver.to_smt2())
    assert "to_fp" in str(again)
    with pytest.raises(ParseError, match="text:1:"):
        CTX.parse("(declare-const r Real)")


def test_models_have_values_of_floats():
    x, y = CTX.symbol("x", DOUBLE), CTX.symbol("y", DOUBLE)
    f = CTX.function("f", [DOUBLE], CTX.bv_sort(8))
    memory = CTX.symbol("memory", CTX.array_sort(CTX.bv_sort(8), DOUBLE))
    solver = Solver(CTX)
    solver.add(x == 0.1, f(x) == 3, f(0.5) == 4, memory[7] == x, memory[8].fp_is_nan())
    assert solver.check() == sat
    model = solver.model()
    assert isinstance(model[x], FloatValue) and float(model[x]) == 0.1 and model.float(x) == model[x]
    assert model[f](0.5) == 4 and model[f](model[x]) == 3 and float(model[memory][7]) == 0.1 and model[memory][8].is_nan
    assert float(model.to_dict()["x"]) == 0.1 and "x = 0.1" in repr(model) and "(fp #b0" in str(model)
    assert model.constant(x + x).is_same(CTX.float(0.2, DOUBLE)) and model[x * 10 < 1] is False
    with pytest.raises(IllSorted, match="expected a floating-point number, found sort Bool"):
        model.float(x < y)


def test_what_the_standard_leaves_open_is_a_function_of_the_arguments():
    zero, minus = CTX.float(0, SINGLE), CTX.float(-0.0, SINGLE)
    solver = Solver(CTX)
    assert solver.check(zero.fp_min(minus) == minus.fp_min(zero)) == sat
    assert solver.check(zero.fp_min(minus) != minus.fp_min(zero)) == sat
    x, y = CTX.symbol("x", SINGLE), CTX.symbol("y", SINGLE)
    assert solver.check(x == y, x.fp_to_ubv(8, "RTZ") != y.fp_to_ubv(8, "RTZ")) == unsat
    assert solver.check(x == 300, y == 301, x.fp_to_ubv(8, "RTZ") != y.fp_to_ubv(8, "RTZ")) == sat
    # What a model takes for such a result is none of its symbols.
    assert solver.check(x.fp_is_nan(), x.fp_to_ubv(8, "RTZ") == 3, zero.fp_min(minus) == zero) == sat
    model = solver.model()
    assert len(model) == 1 and list(model.to_dict()) == ["x"] and "open" not in repr(model) + str(model)
    assert model[x.fp_to_ubv(8, "RTZ")] == 3 and model[minus.fp_min(zero) == zero.fp_min(minus)] in (False, True)
    # Not folded where it is open.
    assert zero.fp_min(minus).simplify().value is None and value(zero.fp_min(1)) == zero.value


def test_optima_are_values():
    x = CTX.symbol("x", SINGLE)
    solver = Solver(CTX)
    solver.add(x < 0.1)
    answer, ranges, _ = solver.optimize([("maximize", x, False)])
    assert answer == sat and ranges[0][0] == ranges[0][1] and ranges[0][0].bits == CTX.float(0.1, SINGLE).value.bits - 1


def test_reals_are_compared_and_rounded():
    x, y = CTX.symbol("x", SINGLE), CTX.symbol("y", DOUBLE)
    real = x.fp_to_real()
    tenth = CTX.real("1/10")
    assert real.sort.kind == "real" and tenth.value == fractions.Fraction(1, 10) and CTX.real(0.1).value == fractions.Fraction(0.1)
    assert CTX.real(-3).value == -3 and CTX.real(CTX.float("1.5", SINGLE).value).value == fractions.Fraction(3, 2)
    assert str(real <= fractions.Fraction(1, 3)) == "(<= (fp.to_real x) (/ 1.0 3.0))" and (1 < real).op == ">"
    numbers = [~v.fp_is_nan() & ~v.fp_is_infinite() for v in (x, y)]
    solver = Solver(CTX)
    solver.add(*numbers)
    # No float is a tenth; each rounds to itself, and those of another format are compared exactly.
    assert solver.check(real == tenth) == unsat and solver.check(real == 0.125) == sat
    assert solver.check(real.to_fp(SINGLE) != x, ~x.fp_is_zero()) == unsat
    assert solver.check(real < y.fp_to_real(), x.to_fp(DOUBLE) >= y) == unsat
    assert solver.check(tenth.to_fp(SINGLE, "RTN") < x, x < tenth.to_fp(SINGLE, "RTP")) == unsat
    assert solver.check(real >= tenth, real < fractions.Fraction(1, 3), (x < 0.2).ite(real, 5) == 5, y.fp_to_real() == real) == sat
    model = solver.model()
    assert model[real] == model[x].as_fraction() == model[y].as_fraction() and model[real < tenth] is False
    assert model.constant(real).value == model[real] and [str(symbol) for symbol in model] == ["x", "y"]
    # Of what is no number it is any real, of infinities of one sign the same one.
    assert Solver(CTX).check(x.fp_is_nan(), real == tenth, y.fp_is_nan(), y.fp_to_real() == 7) == sat
    z = CTX.symbol("z", SINGLE)
    assert Solver(CTX).check(x.fp_is_nan(), z.fp_is_nan(), real != z.fp_to_real()) == unsat
    for wrong in (lambda: real + 1, lambda: real < x, lambda: CTX.real(float("inf")), lambda: CTX.real("0.1.2")):
        with pytest.raises((IllSorted, ValueError)):
            wrong()
    with pytest.raises(TypeError, match="expected a number or its text, found 'NoneType'"):
        CTX.real(None)
