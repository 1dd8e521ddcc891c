"""Data types without recursion: enumerations, tuples, unions, declarations, models, texts."""

from z3 import *

Color, (red, green, blue) = EnumSort("Color", ("red", "green", "blue"))
c, d, e, f = Consts("c d e f", Color)
s = Solver()
s.add(Distinct(c, d, e), c != red, d == blue)
print(s.check(), s.model()[c], s.model().eval(e), s.model()[d].eq(blue), s.model()[d] == blue)
s.add(Distinct(c, d, e, f))
print(s.check())
print(Color, red, Color.num_constructors(), Color.constructor(1), Color.constructor(1)(), c.sort() == Color)
print(Color.recognizer(1)(c), Color.recognizer(0), Color.recognizer(0)(d), simplify(Color.recognizer(1)(green)), simplify(red == blue))

Pair, mk, (first, second) = TupleSort("Pair", [BitVecSort(8), Color])
p, q = Consts("p q", Pair)
s = Solver()
s.add(first(p) == 7, second(p) == green, q == mk(first(p) + 1, second(p)))
print(s.check(), s.model()[p], s.model()[q], s.model().eval(first(q) + first(p)), s.model().eval(second(q)))
print(mk, first, mk(3, red), first(p), simplify(first(mk(3, red))), mk(first(p), second(p)))
print(mk.arity(), mk.domain(0), mk.domain(1), mk.range(), first.domain(0), first.range(), mk.name(), first.name())
print([str(child) for child in s.model()[q].children()], s.model()[q].decl(), s.model()[q].decl() == mk, first(p).decl() == first)
prove(mk(first(p), second(p)) == p)
print(p == q, (p == q).sexpr(), is_true(simplify(mk(1, red) == mk(1, red))))

Sum, ((in0, out0), (in1, out1)) = DisjointSum("Sum", [BitVecSort(4), BoolSort()])
t = Const("t", Sum)
s = Solver()
s.add(t == in0(5))
print(s.check(), s.model()[t], s.model().eval(out0(t)))
prove(Or(t == in0(out0(t)), t == in1(out1(t))))
prove(in0(3) != in1(True))

Packet = Datatype("Packet")
Body = Datatype("Body")
Packet.declare("empty")
Packet.declare("packet", ("length", BitVecSort(16)), ("body", Body))
Body.declare("bytes", ("content", BitVecSort(32)), ("color", Color))
Packet, Body = CreateDatatypes(Packet, Body)
x, y = Consts("x y", Packet)
print(Packet, Body, Packet.empty, Packet.packet, Packet.is_packet(x), Packet.length(x), Body.color(Packet.body(x)))
s = Solver()
s.add(Packet.is_packet(x), Extract(7, 0, Body.content(Packet.body(x))) == 9, Packet.length(x) == 4, y == Packet.empty)
print(s.check(), s.model().eval(Packet.length(x)), s.model().eval(Extract(7, 0, Body.content(Packet.body(x)))), s.model()[y])
s.add(x == y)
print(s.check())
print(Packet.accessor(1, 0), Packet.accessor(1, 1).range(), Packet.packet.domain(1))
changed = x.update_field(Packet.length, BitVecVal(9, 16))
prove(Implies(Packet.is_packet(x), Packet.length(changed) == 9))
prove(Packet.body(changed) == Packet.body(x))
prove(Implies(x == Packet.empty, changed == x))

g = Function("g", Color, BitVecSort(8))
a = Array("a", BitVecSort(2), Color)
s = Solver()
s.add(g(red) == 1, g(green) == 2, g(blue) == 3, a[0] == red, a[1] != red, g(a[1]) != 2)
print(s.check(), s.model().eval(g(a[0])), s.model().eval(a[1]), s.model().eval(g(If(c == red, red, red)), True))
print(red.decl().kind() == Z3_OP_DT_CONSTRUCTOR, first(p).decl().kind() == Z3_OP_DT_ACCESSOR, Color.recognizer(0)(c).decl().kind() == Z3_OP_DT_IS)
print(c.sort().kind() == Z3_DATATYPE_SORT, isinstance(c, DatatypeRef), isinstance(Color, DatatypeSortRef), substitute(mk(first(p), c), (c, blue)))
print(Color.recognizer(0)(c).num_args(), Color.recognizer(0)(c).children(), mk(1, c).children(), red.children(), red.num_args())
target = Context()
moved = (first(p) == 3).translate(target)
other = Solver(ctx=target)
other.add(moved)
print(other.check(), moved)

for wrong in (
    lambda: mk(1),
    lambda: mk(red, red),
    lambda: first(c),
    lambda: c == p,
    lambda: Color.constructor(3),
    lambda: Color.purple,
):
    try:
        print("accepted", wrong())
    except (Z3Exception, AttributeError) as error:
        print(type(error).__name__)
