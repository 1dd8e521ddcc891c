"""Names that scripts use and that are no operators: the module itself, modules, constants without arguments."""

from z3 import *

x = BitVec("x", 8)
print(z3.LShR(x, 1), z3util.is_expr_var(x), z3util.is_expr_val(x))
f = Function("f", BitVecSort(8))
print(f.arity(), f(), f() + x)
s = Solver()
s.add(f() == 3)
print(s.check(), s.model())
print(CheckSatResult(Z3_L_TRUE) == sat, CheckSatResult(Z3_L_FALSE), repr(CheckSatResult(Z3_L_UNDEF)), sat == unsat, sat != unsat)

p, q, r = Bools("p q r")
formula = Implies(And(x == 1, p), Or(q, Not(p)))
print(z3util.get_vars(formula))
print(z3util.myAnd(p, q), z3util.myOr([p]), z3util.myImplies(p, q), z3util.Iff([p, q]), z3util.myAnd())
print(z3util.is_tautology(Or(p, Not(p))), z3util.is_contradiction(p), z3util.exact_one_model(And(p, q)))
print(z3util.prove(Implies(p, p)))
print(z3util.vset([1, 2, 1, 3]))
print(isinstance(x, ArithRef), isinstance(x, QuantifierRef), is_int(x), is_quantifier(p), is_fp(x))
print(issubclass(z3types.Z3Exception, Exception), z3.Z3Exception is z3types.Z3Exception)
print((x + 1).kind() == Z3_OP_BADD, Z3_OP_ADD, Z3_FLOATING_POINT_SORT, mk_not(Not(p)), mk_not(p))
print((x + 1).update(x, x), Concat(x, x).update(x + 1, x))
text = (x + BitVec("y", 8)).serialize()
print(deserialize(text))
print(os.path.basename("a/b"), math.gcd(12, 18), sys.maxsize > 0)

three, five, seven = (BitVecVal(value, 8) for value in (3, 5, 7))
sets = SetAdd(SetAdd(EmptySet(BitVecSort(8)), three), five)
s = Solver()
s.add(IsMember(x, sets), x != 3, Not(IsMember(x, SetDel(FullSet(BitVecSort(8)), seven))) == (x == 7))
print(s.check(), s.model()[x])

s = Solver()
s.add(Implies(p, q), Implies(q, r))
print(s.consequences([p], [q, r]))
s = Solver()
s.add(ULT(x, 4), x & 1 == 1)
print(sorted(value.as_long() for value in s.solutions(x)))
with Solver() as s:
    s.add(x == 4)
    print(s.check(), s.num_scopes())
m = Model(eval={x: BitVecVal(3, 8)})
print(m.eval(x + 1))
M = AstMap()
M[x] = x + 1
print(len(M), x in M, M[x])
print_matrix([[1, 2], [3, 4]])
