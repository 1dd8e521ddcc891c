"""Formulas for all and for some values."""

from z3 import *

x, y = BitVecs("x y", 8)
p = Bool("p")
f = Function("f", BitVecSort(8), BitVecSort(8))
memory = Array("memory", BitVecSort(2), BitVecSort(8))


def refusal(action):
    try:
        return action()
    except Z3Exception as refused:
        return str(refused)


def answer(*formulas):
    solver = Solver()
    solver.add(*formulas)
    return solver.check()


# Texts and parts.
larger = ForAll(x, x + 1 > x)
nested = ForAll([x, y], Exists([p], And(p, x == y)))
print(larger, larger.sexpr(), nested)
print(nested.num_vars(), nested.var_name(0), nested.var_name(1), nested.var_sort(0), nested.sort(), nested.sort_kind())
print(nested.is_forall(), nested.is_exists(), nested.is_lambda(), nested.weight(), nested.num_patterns())
print(nested.body(), nested.body().is_exists(), nested.body().body(), nested.children())
print(is_quantifier(nested), is_quantifier(p), is_app(nested), is_const(nested), is_bool(nested), is_not(Exists(x, p)))
body = larger.body()
variable = body.arg(1)
print(body, is_var(variable), get_var_index(variable), is_const(variable), is_app(variable), variable.sort(), is_var(x))
print(substitute_vars(body, y), substitute_vars(ForAll(x, ForAll(y, x == y)).body().body(), y, x), Var(3, BitVecSort(8)))
print(Implies(larger, p), And(larger, p), Not(larger), ForAll(x, p), If(larger, x, y), larger == nested)
print(Exists(x, x == y), Not(Exists(x, x == y)), ForAll(x, x == y) == p, ForAll(x, True), ForAll([x], ForAll([x], x == 1)))

# A symbol is free outside, and not caught inside.
print(larger.eq(ForAll([x], x + 1 > x)), hash(larger) == hash(ForAll([x], x + 1 > x)), len({larger, nested}))
of_x = substitute(ForAll(x, ULE(x, y)), (y, x))
print(of_x, of_x.body(), answer(of_x, x != 255), answer(of_x))
print(answer(ForAll(x, of_x)), answer(Exists(x, of_x)), answer(ForAll([x, x], x == x), x == 3))
again = larger.translate(Context())
print(again, again.num_vars(), again.body())
print(ForAll(x, ForAll(x, Exists(y, x == y))).translate(Context()))
print(parse_smt2_string("(assert (forall ((x (_ BitVec 8))) (exists ((y (_ BitVec 8))) (= y x))))"))

# Patterns.
print(ForAll(x, f(x) == x, patterns=[f(x)], weight=3, qid="name"))

# Answers.
print(answer(larger), answer(Not(larger)), answer(ForAll(x, Exists(y, x + y == 0))), answer(ForAll(x, Exists(y, x * y == 1))))
print(answer(ForAll(x, f(x) == x + 1), f(f(y)) != y + 2), answer(ForAll(x, f(x) != y)))
print(answer(ForAll(memory, memory[0] == memory[1])), answer(Exists(memory, And(memory[0] == 1, memory[1] == y, y > 1))))
solver = Solver()
solver.add(ForAll(x, x & y == 0), p)
print(solver, solver.check(), solver.model()[y], solver.model().eval(ForAll(x, x & y == 0)))
solver.push()
solver.add(Exists(x, ULT(x, y)))
print(solver.check())
solver.pop()
print(solver.check(), solver.assertions())
single = FP("single", Float32())
prove(ForAll([single], Or(fpIsNaN(single), single + fpZero(Float32(), False) == single)))

# What is no formula.
for wrong in (lambda: ForAll([], p), lambda: ForAll([x + 1], p), lambda: ForAll([f], p)):
    print(refusal(wrong))
for wrong in (lambda: larger.arg(0), lambda: larger.decl(), lambda: larger.num_args(), lambda: larger[y]):
    print(refusal(wrong))
