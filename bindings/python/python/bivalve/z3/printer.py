"""Terms as z3's Python interface prints them: `x + 1 == y`, `And(p, q)`, `Extract(7, 0, x)`.

A text is a tree of groups. A group whose text fits into the line stands in it; of another one each part has a line of
its own, below the first. Shared terms are printed each time; what is too deep, or too much, is `...`.
"""

from __future__ import annotations

from typing import Sequence, Union

from .._native import FloatValue, Sort, Term

#: What `set_option` may say of texts, by z3's names and with its values: columns of a line, and of blanks at its
#: beginning; lines, levels of nesting, arguments of one operator, and terms that are printed at most.
OPTIONS = {
    "max_width": 60,
    "max_indent": 40,
    "max_lines": 200,
    "max_depth": 20,
    "max_args": 128,
    "max_visited": 10_000,
}


class Floats:
    """What is set for floating point: the mode that Python's operators round by, the format of constants, and whether
    texts are short."""

    def __init__(self) -> None:
        self.mode, self.ebits, self.sbits, self.pretty = "RNE", 11, 53, True


FLOATS = Floats()

#: Levels of nesting that are printed at most whatever is asked for, so that deep terms need no deep stack.
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
    "fp.leq": (" <= ", 8),
    "fp.lt": (" < ", 8),
    "fp.geq": (" >= ", 8),
    "fp.gt": (" > ", 8),
    "<=": (" <= ", 8),
    "<": (" < ", 8),
    ">=": (" >= ", 8),
    ">": (" > ", 8),
}

#: Floating-point operators that are written between their arguments where the mode is that of Python's operators.
ROUNDED = {"fp.add": (" + ", 3), "fp.sub": (" - ", 3), "fp.mul": (" * ", 2), "fp.div": (" / ", 2)}

#: How operators bind in the arguments of these.
BINDING = {"fp.rem": 2, **{op: binding for op, (_, binding) in {**INFIX, **ROUNDED}.items()}}

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
    "fp.leq": "fpLEQ",
    "fp.lt": "fpLT",
    "fp.geq": "fpGEQ",
    "fp.gt": "fpGT",
    "fp.eq": "fpEQ",
    "fp.isNaN": "fpIsNaN",
    "fp.isInfinite": "fpIsInf",
    "fp.isZero": "fpIsZero",
    "fp.isNormal": "fpIsNormal",
    "fp.isSubnormal": "fpIsSubnormal",
    "fp.isNegative": "fpIsNegative",
    "fp.isPositive": "fpIsPositive",
    "fp.add": "fpAdd",
    "fp.sub": "fpSub",
    "fp.mul": "fpMul",
    "fp.div": "fpDiv",
    "fp.fma": "fpFMA",
    "fp.sqrt": "fpSqrt",
    "fp.rem": "fpRem",
    "fp.roundToIntegral": "fpRoundToIntegral",
    "fp.min": "fpMin",
    "fp.max": "fpMax",
    "fp.abs": "fpAbs",
    "fp.neg": "fpNeg",
    "fp": "fpFP",
    "to_fp": "fpToFP",
    "to_fp_unsigned": "fpToFPUnsigned",
}

#: Long names of rounding modes.
LONG = {
    "RNE": "RoundNearestTiesToEven",
    "RNA": "RoundNearestTiesToAway",
    "RTP": "RoundTowardPositive",
    "RTN": "RoundTowardNegative",
    "RTZ": "RoundTowardZero",
}


def sort_text(sort: Sort) -> str:
    """A sort: `BitVec(8)`, `Bool`, `Array(BitVec(8), BitVec(8))`."""
    if sort.kind == "bitvec":
        return f"BitVec({sort.width})"
    if sort.kind == "array":
        assert sort.index is not None and sort.element is not None
        return f"Array({sort_text(sort.index)}, {sort_text(sort.element)})"
    if sort.kind == "float":
        return f"FPSort({sort.exponent_bits}, {sort.significand_bits})"
    return {"bool": "Bool", "rounding_mode": "RoundingMode", "real": "Real"}.get(sort.kind) or str(sort.name or sort)


def decimal(digits: int, places: int) -> str:
    """`digits` over 2^`places` in decimal, exactly."""
    whole, rest = divmod(digits, 1 << places)
    text = f"{rest * 5**places:0{places}d}".rstrip("0")
    return f"{whole}.{text}" if rest else str(whole)


def significand(value: FloatValue) -> str:
    """The significand of a number in decimal: from 1 below 2, or below 1."""
    places = value.significand_bits - 1
    return decimal(int(value.is_normal) << places | value.fraction, places)


def exponent(value: FloatValue) -> int:
    """The exponent of a number without the bias; of an infinity the one above all others."""
    bias = (1 << (value.exponent_bits - 1)) - 1
    if value.is_infinite:
        return bias + 1
    return 0 if value.is_zero else max(value.exponent, 1) - bias


def _float_text(value: FloatValue, sort: Sort) -> str:
    sign, short = "-" if value.sign else "+", FLOATS.pretty
    if value.is_nan:
        return "NaN" if short else f"fpNaN({sort_text(sort)})"
    if value.is_infinite:
        return f"{sign}oo" if short else f"fp{'Minus' if value.sign else 'Plus'}Infinity({sort_text(sort)})"
    if value.is_zero:
        return f"{sign}0.0" if short else f"{sign}zero"
    number, power = ("-" if value.sign else "") + significand(value), exponent(value)
    if not short:
        return f"FPVal({number}*(2**{power}, {sort_text(sort)}))"
    return f"{number}*(2**{power})" if power else number


def constant_text(term: Term) -> str:
    """A constant."""
    value = term.value
    if isinstance(value, FloatValue):
        return _float_text(value, term.sort)
    if term.sort.kind == "rounding_mode":
        return f"{value}()" if FLOATS.pretty else f"{LONG[str(value)]}()"
    return str(value)


#: Operators on floating-point numbers whose results are others.
FLOATING = {op for op in PREFIX if op.startswith("fp.")} | {"fp.to_ubv", "fp.to_sbv", "fp.to_ieee_bv", "fp.to_real"}


def quantified(term: Term) -> tuple[str, list[Term], Term] | None:
    """The word, the symbols and the body of a formula for all or for some values, which is the negation of one for all
    of a negation."""
    if term.op == "forall":
        *symbols, body = term.args
        return "ForAll", symbols, body
    if term.op == "not" and term.args[0].op == "forall":
        *symbols, never = term.args[0].args
        return ("Exists", symbols, never.args[0]) if never.op == "not" else None
    return None


class Group:
    """Parts between a head and a tail, each on a line of its own if they do not fit into one."""

    __slots__ = ("head", "parts", "between", "tail", "indent", "size")

    def __init__(self, head: str, parts: Sequence[Doc], between: str, tail: str, indent: int | None = None) -> None:
        self.head, self.parts, self.between, self.tail = head, parts, between, tail
        #: How far the parts stand to the right of the head.
        self.indent = len(head) if indent is None else indent
        joints = len(between) * max(len(parts) - 1, 0)
        self.size = len(head) + len(tail) + joints + sum(map(_size, parts))


class Row:
    """Parts that follow each other in one line; a part that is broken goes on to the right by so much."""

    __slots__ = ("parts", "indent", "size")

    def __init__(self, parts: Sequence[Doc], indent: int) -> None:
        self.parts, self.indent = parts, indent
        self.size = sum(map(_size, parts))


Doc = Union[str, Group, Row]


def _size(doc: Doc) -> int:
    return len(doc) if isinstance(doc, str) else doc.size


def _line(doc: Doc) -> str:
    if isinstance(doc, str):
        return doc
    if isinstance(doc, Row):
        return "".join(map(_line, doc.parts))
    return doc.head + doc.between.join(map(_line, doc.parts)) + doc.tail


def _lines(doc: Doc, column: int) -> str:
    if isinstance(doc, str) or column + doc.size <= OPTIONS["max_width"]:
        return _line(doc)
    below = min(column + doc.indent, OPTIONS["max_indent"])
    if isinstance(doc, Row):
        return _lines(doc.parts[0], column) + "".join(_lines(part, below) for part in doc.parts[1:])
    places = [column + len(doc.head), *[below] * (len(doc.parts) - 1)]
    parts = [_lines(part, place) for part, place in zip(doc.parts, places)]
    return doc.head + f"{doc.between.rstrip()}\n{' ' * below}".join(parts) + doc.tail


def shown(doc: Doc) -> str:
    """The text of a tree of groups."""
    text, most = _lines(doc, 0), OPTIONS["max_lines"]
    lines = text.split("\n") if text.count("\n") > most else []
    return "\n".join([*lines[:most], "..."]) if lines else text


class _Printer:
    def __init__(self) -> None:
        self.visited = 0
        #: Variables of the quantified formulas around what is printed.
        self.around = 0
        self.deepest = min(OPTIONS["max_depth"], DEEPEST)

    def doc(self, term: Term, depth: int = 0) -> Doc:
        self.visited += 1
        if self.visited > OPTIONS["max_visited"] or depth > self.deepest:
            return "..."
        op = term.op
        if op == "constant":
            return constant_text(term)
        if op == "symbol":
            return self.symbol(str(term.name))
        if op in FLOATING or term.sort.kind == "float" and op != "apply":
            return self.float(term, op, depth)
        if op in ("forall", "not") and (bound := quantified(term)) is not None:
            return self.quantified(*bound, depth)
        if op in UNARY:
            of = self.operand(term.args[0], 1, op, depth)
            return Group(UNARY[op], [of], "", "")
        if op in INFIX:
            sign, binding = INFIX[op]
            return Group("", self.operands(term, binding, depth), sign, "")
        if op == "distinct" and len(term.args) == 2:
            return Group("", [self.doc(arg, depth + 1) for arg in term.args], " != ", "")
        if op == "select":
            array, index = (self.doc(arg, depth + 1) for arg in term.args)
            return Row([array, "[", index, "]"], 2)
        if op == "constructor":
            name = (term.sort.constructors or [])[term.indices[-1]][0]
            return self.call(name, term.args, depth) if term.args else name
        if op in ("tester", "selector", "update"):
            return self.record(term, op, depth)
        if op == "apply":
            function, *args = term.args
            return self.call(str(function.name), args, depth)
        if op == "const":
            assert term.sort.index is not None
            return Group("K(", [sort_text(term.sort.index), self.doc(term.args[0], depth + 1)], ", ", ")")
        return self.call(PREFIX.get(op, op), term.args, depth, term.indices)

    def symbol(self, name: str) -> str:
        """A symbol; a variable of a formula around the term is counted from there outwards."""
        index = name[4:-1] if self.around and name.startswith("Var(") else ""
        return f"Var({int(index) + self.around})" if index.isdigit() else name

    def quantified(self, word: str, symbols: list[Term], body: Term, depth: int) -> Doc:
        names: list[Doc] = [str(symbol.name) for symbol in symbols]
        self.around += len(symbols)
        of = self.doc(body, depth + 1)
        self.around -= len(symbols)
        return Group(f"{word}(", [names[0] if len(names) == 1 else listed(names), of], ", ", ")")

    def record(self, term: Term, op: str, depth: int) -> Doc:
        """A tester, a selector or an update of a data type, by the name of the constructor or field."""
        constructors, number = term.args[0].sort.constructors or [], term.indices[-1]
        if op == "tester":
            return Group("is(", [constructors[number][0], self.doc(term.args[0], depth + 1)], ", ", ")")
        name = [field for _, fields in constructors for field, _ in fields][number]
        if op == "selector":
            return self.call(name, term.args, depth)
        return Group("update_field(", [name, *[self.doc(arg, depth + 1) for arg in term.args]], ", ", ")")

    def float(self, term: Term, op: str, depth: int) -> Doc:
        """What z3 prints in a way of its own: floating-point expressions, and what is made of them."""
        args, short = term.args, FLOATS.pretty
        if short and op in INFIX:
            sign, binding = INFIX[op]
            return Group("", self.operands(term, binding, depth), sign, "")
        if short and op in ROUNDED and args[0].op == "constant" and args[0].value == FLOATS.mode:
            sign, binding = ROUNDED[op]
            return Row([self.rounded(args[1], op, binding, depth), sign, self.rounded(args[2], op, binding, depth)], 0)
        if short and op == "fp.neg":
            return Row(["-", self.doc(args[0], depth + 1)], 1)
        name = {"select": "Select"}.get(op) or PREFIX.get(op, op)
        if term.sort.kind != "float":
            return self.call(name, args, depth)
        parts: list[Doc] = [f"{name}("]
        for i, arg in enumerate(args):
            parts += [", "] * (i > 0) + [self.doc(arg, depth + 1)]
        return Row([*parts, ")"], len(name) + 1)

    def rounded(self, arg: Term, op: str, binding: int, depth: int) -> Doc:
        """An argument of an operator that rounds. As in z3, that of the same operator has no parentheses on either
        side."""
        of = self.doc(arg, depth + 1)
        return Row(["(", of, ")"], 1) if arg.op != op and BINDING.get(arg.op, 0) > binding else of

    def call(self, name: str, args: list[Term], depth: int, indices: Sequence[int] = ()) -> Doc:
        parts: list[Doc] = [str(index) for index in indices]
        for arg in args:
            parts.append(self.doc(arg, depth + 1))
            if len(parts) > OPTIONS["max_args"]:
                parts.append("...")
                break
        return Group(f"{name}(", parts, ", ", ")")

    def operands(self, term: Term, binding: int, depth: int) -> list[Doc]:
        # Down the left side, which may be deep.
        spine = [term]
        while term.op in LEFT_ASSOCIATIVE and spine[-1].args[0].op == term.op:
            spine.append(spine[-1].args[0])
        found: list[Doc] = []
        for level in range(len(spine) - 1, -1, -1):
            args, below = spine[level].args, depth + level
            if level == len(spine) - 1:
                found.append(self.operand(args[0], binding, term.op, below, True))
            for arg in args[1:]:
                if arg.op == term.op and term.op in ASSOCIATIVE and below < self.deepest:
                    found += self.operands(arg, binding, below + 1)
                else:
                    found.append(self.operand(arg, binding, term.op, below))
            if len(found) > OPTIONS["max_args"]:
                return [*found[: OPTIONS["max_args"] + 1], "..."]
        return found

    def operand(self, arg: Term, binding: int, op: str, depth: int, first: bool = False) -> Doc:
        of = self.doc(arg, depth + 1)
        if arg.op in ("forall", "not") and quantified(arg) is not None:
            return Group("(", [of], "", ")")
        if arg.op in UNARY:
            inner = 1
        elif arg.op in INFIX:
            inner = INFIX[arg.op][1]
        else:
            return of
        if op in UNARY and (arg.op == op or inner < binding):
            return of
        sums = (op, arg.op) == ("bvadd", "bvsub") or (first and (op, arg.op) == ("bvsub", "bvadd"))
        return of if binding > inner or sums else Group("(", [of], "", ")")


def term_doc(term: Term) -> Doc:
    """A term as a tree of groups."""
    return _Printer().doc(term)


def term_text(term: Term) -> str:
    """A term."""
    return shown(term_doc(term))


def listed(parts: Sequence[Doc]) -> Group:
    """A list."""
    return Group("[", parts, ", ", "]")
