"""What operators mean, on all values of four bits: by substitution and simplification."""

from z3 import *

x, y = BitVecs("x y", 4)
binary = {
    "+": x + y, "-": x - y, "*": x * y, "/": x / y, "%": x % y, "&": x & y, "|": x | y, "^": x ^ y, "<<": x << y,
    ">>": x >> y, "UDiv": UDiv(x, y), "URem": URem(x, y), "SRem": SRem(x, y), "LShR": LShR(x, y),
    "RotateLeft": RotateLeft(x, y), "RotateRight": RotateRight(x, y), "Concat": Concat(x, y), "<": x < y, "<=": x <= y,
    ">": x > y, ">=": x >= y, "ULT": ULT(x, y), "ULE": ULE(x, y), "UGT": UGT(x, y), "UGE": UGE(x, y), "==": x == y,
    "!=": x != y, "~": ~x, "neg": -x, "SignExt": SignExt(2, x), "ZeroExt": ZeroExt(2, x), "Repeat": RepeatBitVec(2, x),
    "Extract": Extract(2, 1, x), "RedAnd": BVRedAnd(x), "RedOr": BVRedOr(x), "If": If(x == y, x, y + 1),
    "AddNoOverflow s": BVAddNoOverflow(x, y, True), "AddNoOverflow u": BVAddNoOverflow(x, y, False),
    "AddNoUnderflow": BVAddNoUnderflow(x, y), "SubNoOverflow": BVSubNoOverflow(x, y),
    "SubNoUnderflow s": BVSubNoUnderflow(x, y, True), "SubNoUnderflow u": BVSubNoUnderflow(x, y, False),
    "MulNoOverflow s": BVMulNoOverflow(x, y, True), "MulNoOverflow u": BVMulNoOverflow(x, y, False),
    "MulNoUnderflow": BVMulNoUnderflow(x, y), "SDivNoOverflow": BVSDivNoOverflow(x, y),
    "SNegNoOverflow": BVSNegNoOverflow(x), "Sum": Sum([x, y, x]), "Product": Product(x, y, 3),
}  # fmt: skip
for name, expr in binary.items():
    values = []
    for i in range(16):
        for j in range(16):
            value = simplify(substitute(expr, (x, BitVecVal(i, 4)), (y, BitVecVal(j, 4))))
            values.append(f"{value.as_long():x}" if is_bv(value) else "FT"[is_true(value)])
    print(name, "".join(values))
