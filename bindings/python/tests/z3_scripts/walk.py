"""A walk over an expression by kinds, as analyses do it, and the predicates."""

from z3 import *

x, y = BitVecs("x y", 16)
p = Bool("p")
m = Array("m", BitVecSort(16), BitVecSort(8))
expr = And(Or(p, x + 3 == y), Not(ULT(x, 7)), If(p, x, y) > 2, Concat(m[x], m[y]) == Extract(15, 0, ZeroExt(4, x)))
kinds = {
    Z3_OP_AND: "and", Z3_OP_OR: "or", Z3_OP_NOT: "not", Z3_OP_EQ: "eq", Z3_OP_BADD: "add", Z3_OP_ULT: "ult",
    Z3_OP_ITE: "ite", Z3_OP_SGT: "sgt", Z3_OP_CONCAT: "concat", Z3_OP_SELECT: "select", Z3_OP_EXTRACT: "extract",
    Z3_OP_ZERO_EXT: "zero_ext", Z3_OP_BNUM: "number", Z3_OP_UNINTERPRETED: "symbol", Z3_OP_STORE: "store",
    Z3_OP_XOR: "xor", Z3_OP_IMPLIES: "implies", Z3_OP_DISTINCT: "distinct", Z3_OP_CONST_ARRAY: "K", Z3_OP_TRUE: "true",
}  # fmt: skip


def walk(node, depth=0):
    print("  " * depth + kinds[node.decl().kind()], node.decl().name(), node.num_args())
    for child in node.children():
        walk(child, depth + 1)


walk(expr)
print(Extract(7, 3, x).params(), ZeroExt(4, x).params(), (x + y).params())
walk(Implies(Xor(p, True), Distinct(x, y, 1)))
walk(Store(K(BitVecSort(16), BitVecVal(1, 8)), x, 2) == m)
things = [x, p, m, x + 1, BitVecVal(1, 16), BoolVal(True), x == y, x != y, m[x], Store(m, x, 1), And(p, p), Not(p)]
tests = [
    is_expr, is_app, is_const, is_bool, is_true, is_false, is_bv, is_bv_value, is_array, is_select, is_store, is_eq,
    is_distinct, is_and, is_or, is_not, is_implies, is_int, is_quantifier, is_var, is_const_array,
]  # fmt: skip
for thing in things:
    print(thing, [test.__name__ for test in tests if test(thing) and test.__name__ not in ("_never",)])
print(eq(x + 1, x + 1), eq(x + 1, 1 + x), x.eq(BitVec("x", 16)), x.eq(BitVec("x", 8)), is_app_of(x + 1, Z3_OP_BADD))
print(is_sort(x.sort()), is_bv_sort(x.sort()), is_func_decl(x.decl()), x.decl().arity())
print(x.sort() == BitVecSort(16), x.sort() == BitVecSort(8), m.sort() == ArraySort(BitVecSort(16), BitVecSort(8)))
print(len({x, y, BitVec("x", 16)}), bool(x == x), bool(x == y), x in [x])
