"""Every method of every class with arguments at random: exceptions, and nothing worse.

What is called is found by looking at the objects, so that new methods are called, too. Arguments are what earlier calls
have returned, of any context, living or only kept alive by a term, and numbers, texts and lists that are wrong as often
as right. Calls are made from the main thread, from others, and from two at once. A failed call is one of the exceptions
that the documentation names; `InternalError` and a panic are not among them. Memory is bounded, because contexts are
replaced. `BIVALVE_FUZZ_CALLS` sets the number of calls.
"""

import gc
import os
import random
import threading

import pytest

import bivalve
import bivalve.z3 as bz3

CALLS = int(os.environ.get("BIVALVE_FUZZ_CALLS", "12000"))

#: What a call may raise.
FAILURES = (bivalve.BivalveError, TypeError, ValueError, OverflowError, IndexError, KeyError)

KINDS = [
    bivalve.Context, bivalve.Solver, bivalve.Term, bivalve.Sort, bivalve.Model, bivalve.ArrayValue,
    bivalve.FunctionValue, bivalve.Element, bivalve.Result,
]  # fmt: skip

#: How many of each kind are kept, the newest.
KEPT = 300

#: What Python needs for itself, and what is not ours.
SKIPPED = {
    "__class__", "__delattr__", "__dir__", "__doc__", "__format__", "__getattribute__", "__getstate__", "__init__",
    "__init_subclass__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__sizeof__", "__subclasshook__",
    "__module__", "__weakref__", "__dict__",
}  # fmt: skip

TEXTS = [
    "", "x", "y", "|a b|", "\0", "\ud800", "é", "a" * 300, "seed", "minimize_core", "rewrite-level", "on", "QF_BV", "(",
    "(assert (= a a))", "(declare-const q (_ BitVec 4))(assert (bvult q #x3))(check-sat)(get-model)", "(push 1)(pop 2)",
]  # fmt: skip


class World:
    """What a run has at hand: a list of objects of each kind."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lists = {kind: [] for kind in KINDS}
        self.worked = self.failed = 0
        self.renew()

    def keep(self, thing):
        kept = self.lists.get(type(thing))
        if kept is not None:
            # Wide terms are not built upon, so that a run stays short.
            if isinstance(thing, bivalve.Term) and (thing.width or 0) > 100:
                return
            kept.append(thing)
            if len(kept) > KEPT:
                del kept[: KEPT // 2]
        elif isinstance(thing, (list, tuple)):
            for part in thing[:3]:
                self.keep(part)

    def renew(self):
        """A new context with some terms. The old one lives as long as somebody has a term of it."""
        ctx = bivalve.Context()
        words = [ctx.bv_symbol(name, 8) for name in "xyz"]
        memory = ctx.array_symbol("m", 8, 8)
        function = ctx.function("f", [ctx.bv_sort(8)], ctx.bool_sort())
        solver = bivalve.Solver(ctx)
        solver.add(words[0] == 3, memory[words[1]] == 7, function(words[2]))
        assert solver.check() == bivalve.sat
        model = solver.model()
        for thing in [ctx, *words, memory, function, solver, model, solver.check(), words[0] == words[1]]:
            self.keep(thing)
        for thing in [model[memory], model[function], ctx.bv_sort(8), ctx.bool_sort(), memory.sort]:
            self.keep(thing)

    def pick(self, kind):
        return self.random.choice(self.lists[kind] or [kind])

    def number(self):
        some = [0, 1, 2, 3, 7, 8, 255, 256, -1, -128, 2**31, 2**32, 2**64, -(2**64), 2**200, 2**24 + 1]
        return self.random.choice(some) if self.random.random() < 0.3 else self.random.randrange(9)

    def argument(self, depth=0):
        roll = self.random.random()
        if roll < 0.5:
            return self.pick(bivalve.Term)
        if roll < 0.62:
            return self.number()
        if roll < 0.7:
            return self.random.choice(TEXTS)
        if roll < 0.85:
            return self.pick(self.random.choice(KINDS))
        if roll < 0.95 and depth < 2:
            parts = [self.argument(depth + 1) for _ in range(self.random.randrange(3))]
            shape = self.random.randrange(4)
            if shape == 0:
                return parts
            if shape == 1:
                return tuple(parts)
            if shape == 2:
                return slice(*(parts + [None])[:2])
            terms = [part for part in parts if isinstance(part, (bivalve.Term, int))]
            return {term: self.argument(depth + 1) for term in terms}
        return self.random.choice([None, True, False, 1.5, float("nan"), b"bytes", object(), KINDS, print])

    def arguments(self):
        return [self.argument() for _ in range(self.random.choice([0, 1, 1, 1, 2, 2, 3, 4]))]

    def options(self):
        names = ["seed", "minimize_core", "rewrite_level", "sat", "time", "conflicts", "nonsense", "context", "known"]
        return {self.random.choice(names): self.argument() for _ in range(self.random.choice([0] * 8 + [1, 2]))}

    def call(self):
        """One call; what it returns is kept."""
        kind = self.random.choice([*KINDS, bivalve.Term, bivalve.Term, bivalve.Context, bivalve.Solver])
        target = self.pick(kind)
        names = [name for name in dir(kind) if name not in SKIPPED]
        name, arguments, options = self.random.choice(names), self.arguments(), self.options()
        if kind is bivalve.Solver and name == "check":
            options = {"conflicts": 20, "gates": 20000, "time": 0.5, "timeline": self.random.random() < 0.2}
        roll = self.random.random()
        try:
            if roll < 0.002:
                result = bivalve.run_script(self.random.choice(TEXTS), time=0.2)
            elif roll < 0.02:
                result = self.random.choice([bivalve.Solver, bivalve.Context, *KINDS])(*arguments, **options)
            elif roll < 0.03:
                result = [str(target), repr(target), hash(target)]
            else:
                found = getattr(target, name)
                result = found(*arguments, **options) if callable(found) else found
        except FAILURES as failure:
            assert not isinstance(failure, bivalve.InternalError), failure
            assert str(failure) or isinstance(failure, KeyError), (name, arguments)
            self.failed += 1
            return
        self.worked += 1
        self.keep(result)

    def several(self, count):
        for _ in range(count):
            self.call()


def elsewhere(*bodies):
    """Runs each on a thread of its own, at the same time; an exception is one here, too."""
    raised = []

    def run(body):
        try:
            body()
        except BaseException as error:  # a panic is no Exception
            raised.append(error)

    threads = [threading.Thread(target=run, args=[body]) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def resident():
    """Megabytes of this process; none where the system does not say."""
    gc.collect()
    try:
        with open("/proc/self/status") as status:
            line = next(line for line in status if line.startswith("VmRSS"))
    except OSError:
        return None
    return int(line.split()[1]) / 1024


def test_calls_at_random_raise_exceptions_and_nothing_worse():
    world = World(16)
    warm = None
    for part in range(100):
        world.several(CALLS // 200)
        elsewhere(lambda: world.several(CALLS // 400))
        other = World(part)
        other.lists = world.lists
        elsewhere(lambda: world.several(CALLS // 800), lambda: other.several(CALLS // 800))
        if part % 3 == 0:
            for kept in world.lists.values():
                kept.clear()
        world.renew()
        if part == 30:
            warm = resident()
    print(f"{world.worked} calls worked, {world.failed} failed; {warm} MB, then {resident()} MB")
    assert world.failed > CALLS // 10 and world.worked > CALLS // 10
    if warm is not None:
        assert resident() < warm + 100, "memory grows with the number of calls"


def test_z3s_names_at_random_raise_exceptions_and_nothing_worse():
    chance = random.Random(16)
    made = [getattr(bz3, name) for name in bz3.__all__ if not name.startswith("set_param")]
    names = [made.__name__ for made in made if callable(made) and not isinstance(made, type)]
    contexts = [None, bz3.Context()]
    kept = [bz3.BitVec("x", 8), bz3.Bool("p"), bz3.Array("a", bz3.BitVecSort(8), bz3.BitVecSort(8)), bz3.Solver()]
    start, worked = list(kept), 0

    def argument():
        some = [0, 1, 8, -1, 2**70, "x", "x y", None, True, [], bz3.BitVecSort(8), bz3.BoolSort(), contexts[1], 1.5]
        return chance.choice(some) if chance.random() < 0.4 else chance.choice(kept)

    def called(target, name, arguments):
        found = getattr(target, name)
        if name in ("check", "solve", "prove"):
            kept[3].set(timeout=200)
            return kept[3].check()
        return found(*arguments) if callable(found) else found

    for _ in range(CALLS // 4):
        if chance.random() < 0.5:
            target, name = bz3, chance.choice(names)
        else:
            target = chance.choice(kept)
            name = chance.choice([name for name in dir(type(target)) if name not in SKIPPED])
        try:
            result = called(target, name, [argument() for _ in range(chance.randrange(4))])
        except Exception as failure:
            assert not isinstance(failure, bivalve.InternalError), failure
            continue
        worked += 1
        if isinstance(result, bz3.ExprRef) and not (bz3.is_bv(result) and result.size() > 100):
            kept.append(result)
        if len(kept) > 60:
            kept[:] = [*start, *kept[-20:]]
    assert worked > CALLS // 40
    assert bz3.prove(bz3.BitVec("x", 8) == bz3.BitVec("x", 8)) is None


@pytest.mark.parametrize("lost", ["context", "solver"])
def test_what_is_left_of_a_context_can_be_used(lost):
    ctx = bivalve.Context()
    x = ctx.bv_symbol("x", 8)
    solver = bivalve.Solver(ctx)
    solver.add(x == 3)
    assert solver.check() == bivalve.sat
    model = solver.model()
    if lost == "context":
        del ctx
    else:
        del solver
    gc.collect()
    assert model[x + 1] == 4 and str(x) == "x"
    assert bivalve.Solver(x.context).check(x == 4) == bivalve.sat
