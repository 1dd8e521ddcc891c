"""Floating point: constants, operators, texts, kinds, what is simplified, models, defaults, refusals."""

from z3 import *

s, d, small = Float32(), Float64(), FPSort(3, 5)
x, y = FPs("x y", s)
m = Const("m", RNE().sort())
print(s, d, Float16(), Float128(), m.sort(), s.ebits(), s.sbits(), s.name(), s.kind(), m.sort().kind(), s == FPSort(8, 24), s.subsort(d))
numbers = [0.1, -2.25, 20, True, "1/3", "1e10", "1.5p-2", "-1.25*(2**4)", "-0", 1e-40, 1e300, 5e-324, "nan", "+oo", "-inf", float("nan"), -0.0]
print([FPVal(number, s) for number in numbers])
print([FPVal(number, 3, small) for number in (1.0, 1, "1.5", "1p2", -0.0, float("inf"))], FPVal(2), FPVal(2.5, Float128()))
for value in (FPVal(2.5, s), FPVal(-0.3, s), FPVal(1e-45, s), FPVal(0.1, d), FPVal(7, small)):
    print(value, value.sign(), value.significand(), value.exponent(), value.exponent(False), value.significand_as_long())
    print(value.exponent_as_long(False), value.sign_as_bv(), value.significand_as_bv(), value.exponent_as_bv(), value.as_string(), value.sexpr())
    print(value.isNaN(), value.isInf(), value.isZero(), value.isNormal(), value.isSubnormal(), value.isPositive(), value.isNegative())
print([of(s).sexpr() for of in (fpNaN, fpPlusInfinity, fpMinusInfinity, fpPlusZero, fpMinusZero)], fpZero(s, True), fpInfinity(s, False))
print([of().sexpr() for of in (RNE, RNA, RTP, RTN, RTZ)], [of().decl().kind() for of in (RNE, RNA, RTP, RTN, RTZ)])
b, w = BitVec("b", 8), BitVec("w", 32)
expressions = [
    x + y, x - (y - 1), (x + 1) * y, x / (y * 2), x % y, -x, -(x + y), 10 - x, fpAdd(RTZ(), x, y) * 2, fpAdd(m, x, y),
    fpFMA(RNE(), x, y, x), fpSqrt(RTP(), x), fpRoundToIntegral(RNA(), x), fpMin(x, y), fpMax(x, 1), fpAbs(x + y), fpRem(x, y) + 1,
    x < y, 1 < x, x + y >= 1, x == 1.5, x != y, fpEQ(x, y), fpNEQ(x, y), fpLEQ(1, x), Not(x < y), (x < y) == (y < x),
    fpIsNaN(x), fpIsInf(x), fpIsZero(x), fpIsNormal(x), fpIsSubnormal(x), fpIsNegative(x), fpIsPositive(x),
    fpFP(BitVec("c", 1), b, BitVec("f", 23)), fpToFP(w, s), fpBVToFP(w, s), fpToFP(RNE(), x, d), fpFPToFP(RTP(), x, d),
    fpToFP(RNE(), b, s), fpSignedToFP(RTN(), b, s), fpUnsignedToFP(RNE(), b, s), fpToFPUnsigned(RNE(), b, s),
    fpToSBV(RTZ(), x, BitVecSort(8)), fpToUBV(RNE(), x, BitVecSort(8)), fpToIEEEBV(x), If(x < y, x, 1.5) + 1,
    m == RNE(), Distinct(x, y, FPVal(1, s)), Array("a", s, d)[1.5], Store(Array("a", s, d), x, 2),
]
for e in expressions:
    print(e, "|", " ".join(e.sexpr().split()), "|", e.decl().name(), e.decl().kind(), e.num_args(), e.decl().params(), e.sort())
print(is_fp(x), is_fp(m), is_fp_value(x), is_fp_value(FPVal(1, s)), is_fprm(m), is_fprm_value(m), is_fprm_value(RTZ()), is_fp_sort(s), is_fprm_sort(s))
constants = [
    FPVal(0.1, s) + FPVal(0.2, s), fpToFP(RTZ(), FPVal(0.1, d), s), fpToSBV(RTZ(), FPVal(-3.7, s), BitVecSort(8)), fpSqrt(RNE(), FPVal(2, s)),
    fpToIEEEBV(FPVal(-3.7, s)), fpFP(BitVecVal(1, 1), BitVecVal(127, 8), BitVecVal(5, 23)), FPVal(1.5, s) < 2.5, fpIsNaN(fpNaN(s)), fpMax(fpNaN(s), 3),
    fpDiv(RTN(), FPVal(1, s), FPVal(3, s)), fpRem(FPVal(7, s), FPVal(2, s)), fpFMA(RTP(), FPVal(0.1, d), FPVal(3, d), FPVal(-0.3, d)),
    fpToFP(BitVecVal(0x3F800000, 32), s), fpToUBV(RNE(), FPVal(300, s), BitVecSort(16)), fpToFPUnsigned(RNE(), BitVecVal(-5, 32), s),
]
print([simplify(e) for e in constants])
print(simplify(substitute(x + y, (x, FPVal(1, s)), (y, FPVal(2, s)))), s.cast(1.5), s.cast(x), eq(FPVal(3, s), FPVal(3.0, s)))
solver = Solver()
solver.add(x + y == 0.75, x == 0.5, y == 0.25, m != RNE(), m != RNA(), m != RTP(), m != RTN(), fpToIEEEBV(y) == w, fpIsNaN(FP("n", d)), FP("z", s) == -0.0)
print(solver.check())
model = solver.model()
print(sorted(f"{of} = {model[of]}" for of in model.decls() if of.arity() == 0), model.eval(x * 2 - y), model.eval(x > y))
print(is_fp_value(model[x]), is_fprm_value(model[m]))
f = Function("f", s, d)
solver.add(f(x) == 3, f(y) == fpNaN(d), Array("a", s, d)[x] == 4)
print(solver.check(), solver.model().eval(f(FPVal(0.5, s))), solver.model().eval(Array("a", s, d)[FPVal(0.5, s)]))
prove(Implies(And(Not(fpIsNaN(x)), Not(fpIsInf(x))), x - x == fpPlusZero(s)))
prove(Implies(fpEQ(x, y), fpEQ(y, x)))
print(Solver().check(Not(x == x)), Solver().check(Not(fpEQ(x, x))), Solver().check(x + y != y + x, Not(fpIsNaN(x + y))))
set_default_rounding_mode(RTZ())
print(get_default_rounding_mode(), x + y, fpAdd(RNE(), x, y))
set_default_rounding_mode(Z3_OP_FPA_RM_NEAREST_TIES_TO_EVEN)
set_default_fp_sort(8, 24)
print(get_default_fp_sort(), FPVal(1).sort(), fpAbs(-20.0), fpIsNaN(1.5))
set_default_fp_sort(11, 53)
set_fpa_pretty(False)
print(x + y, fpNaN(s), fpMinusZero(s), fpPlusInfinity(s), FPVal(2.5, s), x < y, -x, RNE(), get_fpa_pretty())
set_fpa_pretty(True)
for wrong in [
    lambda: fpAdd(x, x, y), lambda: fpSqrt(x, x), lambda: x + FP("d", d), lambda: x + w, lambda: fpToFP(x, s), lambda: fpToFP(RNE(), x, BitVecSort(3)),
    lambda: fpFP(BitVec("a", 2), b, b), lambda: fpZero(s, 1), lambda: fpNaN(3), lambda: FPVal(None, s),
]:
    try:
        print(wrong())
    except Z3Exception as error:
        print(error)
