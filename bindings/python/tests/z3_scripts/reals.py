# The reals that floats are, compared, chosen and rounded.
from z3 import *

x, y, b = FP("x", Float32()), FP("y", Float64()), Bool("b")
r, s = fpToReal(x), fpToReal(y)
print(r, r.sexpr(), r.sort(), type(r).__name__, r.decl().kind() == Z3_OP_FPA_TO_REAL, r.sort().is_real(), r.is_int())
for e in (r <= RealVal("0.5"), r < 1, 1 < r, r == RealVal(2), r != 2, r >= Q(1, 3), If(b, r, RealVal(1)) > 0.25, r == 0.1, Distinct(r, s)):
    print(e, "|", e.sexpr(), "|", e.decl().kind(), e.arg(0).sort(), type(e.arg(1)).__name__)

for v in (RealVal("1/3"), RealVal(2), RealVal(0.5), RealVal("0.1"), RealVal("-2.5e3"), RealVal(-0.5), RealVal("7"), Q(2, 4), RatVal(-1, 3)):
    print(v, v.sexpr(), v.as_fraction(), v.as_string(), v.numerator(), v.denominator_as_long(), v.is_int_value(), v.decl().kind() == Z3_OP_ANUM)
    print([v.as_decimal(places) for places in (1, 2, 5)])
print(RealVal(-4).as_long(), RealVal("1/3").numerator_as_long(), is_rational_value(RealVal(1)), is_rational_value(r))
print([is_real(r), is_arith(r), is_int(r), is_to_real(r), is_arith_sort(r.sort()), is_real(x), is_algebraic_value(r)])
print([is_lt(r < 1), is_le(r <= 1), is_gt(r > 1), is_ge(r >= 1), is_lt(b), is_lt(x < 1), is_ge(r <= 1)])

print(fpRealToFP(RNE(), RealVal("0.1"), Float32()).sexpr(), simplify(fpRealToFP(RTZ(), RealVal("0.1"), Float16())))
print(simplify(fpToFP(RNE(), Q(1, 3), Float64())) == FPVal("1/3", Float64()), fpToFP(RNE(), r, Float16()).sort())
print(simplify(fpToReal(FPVal(-2.75, Float16()))), simplify(fpToReal(FPVal(0.1, Float32()))))

solver = Solver()
solver.add(r <= RealVal("0.5"), r > 0.25, r != RealVal("0.375"), Not(fpIsInf(x)), Not(fpIsNaN(x)))
print(solver.check())
model = solver.model()
print(is_true(simplify(model.eval(r) == fpToReal(model[x]))), model.eval(r).as_fraction() <= Q(1, 2).as_fraction())
print(model.eval(r > 0.25), model.eval(r == RealVal("0.375")))
print(solver.check(fpToReal(FPVal(1, Float32())) == r))
