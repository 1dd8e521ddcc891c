"""Terms as z3's Python interface prints them: `x + 1 == y`, `And(p, q)`, `Extract(7, 0, x)`.

Lines are not broken, and shared terms are printed each time; a text that becomes too long ends in `...`.
"""

from __future__ import annotations

from .._native import Sort, Term

#: Characters of a text that are printed at most.
MOST = 20_000

#: Levels of nesting that are printed at most, so that deep terms need no deep stack.
DEEPEST = 100

#: The text of an operator between its arguments, and how it binds: the less, the tighter.
INFIX = {
    "bvmul": ("*", 2),
    "bvsdiv": ("/", 2),
    "bvsmod": ("%", 2),
    "bvadd": (" + ", 3),
    "bvsub": (" - ", 3),
    "bvashr": (" >> ", 4),
    "bvshl": (" << ", 4),
    "bvand": (" & ", 5),
    "bvxor": (" ^ ", 6),
    "bvor": (" | ", 7),
    "=": (" == ", 8),
    "bvsle": (" <= ", 8),
    "bvslt": (" < ", 8),
    "bvsge": (" >= ", 8),
    "bvsgt": (" > ", 8),
}

UNARY = {"bvnot": "~", "bvneg": "-"}

#: Operators whose arguments of the same operator need no parentheses, anywhere or on the left.
ASSOCIATIVE = {"bvmul", "bvadd", "bvand", "bvxor", "bvor"}
LEFT_ASSOCIATIVE = ASSOCIATIVE | {"bvsub"}

PREFIX = {
    "and": "And",
    "or": "Or",
    "xor": "Xor",
    "not": "Not",
    "=>": "Implies",
    "ite": "If",
    "distinct": "Distinct",
    "store": "Store",
    "concat": "Concat",
    "extract": "Extract",
    "repeat": "RepeatBitVec",
    "zero_extend": "ZeroExt",
    "sign_extend": "SignExt",
    "rotate_left": "rotate_left",
    "rotate_right": "rotate_right",
    "ext_rotate_left": "RotateLeft",
    "ext_rotate_right": "RotateRight",
    "bvudiv": "UDiv",
    "bvurem": "URem",
    "bvsrem": "SRem",
    "bvlshr": "LShR",
    "bvult": "ULT",
    "bvule": "ULE",
    "bvugt": "UGT",
    "bvuge": "UGE",
}


def sort_text(sort: Sort) -> str:
    """A sort: `BitVec(8)`, `Bool`, `Array(BitVec(8), BitVec(8))`."""
    if sort.kind == "bitvec":
        return f"BitVec({sort.width})"
    if sort.kind == "array":
        assert sort.index is not None and sort.element is not None
        return f"Array({sort_text(sort.index)}, {sort_text(sort.element)})"
    return "Bool" if sort.kind == "bool" else str(sort.name)


class _Printer:
    def __init__(self) -> None:
        self.left = MOST

    def text(self, term: Term, depth: int = 0) -> str:
        if self.left <= 0 or depth > DEEPEST:
            return "..."
        op = term.op
        if op == "constant":
            shown = str(term.value)
        elif op == "symbol":
            shown = str(term.name)
        elif op in UNARY:
            shown = UNARY[op] + self.operand(term.args[0], 1, op, depth)
        elif op in INFIX:
            sign, binding = INFIX[op]
            shown = sign.join(self.operands(term, binding, depth))
        elif op == "distinct" and len(term.args) == 2:
            shown = " != ".join(self.text(arg, depth + 1) for arg in term.args)
        elif op == "select":
            shown = f"{self.text(term.args[0], depth + 1)}[{self.text(term.args[1], depth + 1)}]"
        elif op == "apply":
            function, *args = term.args
            shown = self.call(str(function.name), args, depth)
        elif op == "const":
            assert term.sort.index is not None
            shown = f"K({sort_text(term.sort.index)}, {self.text(term.args[0], depth + 1)})"
        else:
            shown = self.call(PREFIX.get(op, op), term.args, depth, term.indices)
        self.left -= len(shown)
        return shown

    def call(self, name: str, args: list[Term], depth: int, indices: list[int] = []) -> str:  # noqa: B006
        shown = [str(index) for index in indices]
        shown += [self.text(arg, depth + 1) for arg in args]
        return f"{name}({', '.join(shown)})"

    def operands(self, term: Term, binding: int, depth: int) -> list[str]:
        shown: list[str] = []
        for position, arg in enumerate(term.args):
            flat = ASSOCIATIVE if position else LEFT_ASSOCIATIVE
            if arg.op == term.op and term.op in flat and depth < DEEPEST:
                shown += self.operands(arg, binding, depth + 1)
            else:
                shown.append(self.operand(arg, binding, term.op, depth, position == 0))
        return shown

    def operand(self, arg: Term, binding: int, op: str, depth: int, first: bool = False) -> str:
        shown = self.text(arg, depth + 1)
        if arg.op in UNARY:
            inner = 1
        elif arg.op in INFIX:
            inner = INFIX[arg.op][1]
        else:
            return shown
        if op in UNARY and (arg.op == op or inner < binding):
            return shown
        sums = (op, arg.op) == ("bvadd", "bvsub") or (first and (op, arg.op) == ("bvsub", "bvadd"))
        return shown if binding > inner or sums else f"({shown})"


def term_text(term: Term) -> str:
    """A term."""
    return _Printer().text(term)
