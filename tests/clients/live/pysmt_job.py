"""One job of pySMT: random formulas through its generic solver, `pysmt_job.py KIND NAME OPTION...`.

Prints the answer to each check, and whether the values that the solver gives satisfy the assertions: solvers differ
in their models, but not in these lines.
"""

import os
import random
import sys

from pysmt.logics import QF_AUFBV, QF_BV
from pysmt.shortcuts import (BV, And, BVAdd, BVMul, BVUDiv, BVULT, BVXor, Equals, Not, Select, Solver, Store,
                             Symbol, get_env)
from pysmt.typing import ArrayType, BVType

kind, name, options = sys.argv[1], sys.argv[2], sys.argv[3:]
logic = QF_AUFBV if kind == "arrays" else QF_BV
get_env().factory.add_generic_solver("solver", [os.path.join(os.environ["LIVE_SOLVERS"], name), *options], [logic])
rng = random.Random(14)
byte = BVType(8)
symbols = [Symbol(f"x {number}", byte) for number in range(4)]
memory = Symbol("memory", ArrayType(byte, byte))


def term(depth):
    if depth == 0:
        return rng.choice([*symbols, BV(rng.randrange(256), 8)])
    if kind == "arrays" and rng.random() < 0.3:
        return Select(Store(memory, term(depth - 1), term(depth - 1)), term(depth - 1))
    # pySMT does not divide by zero itself.
    operators = [BVAdd, BVMul, BVXor] if kind == "values" else [BVAdd, BVMul, BVXor, BVUDiv]
    return rng.choice(operators)(term(depth - 1), term(depth - 1))


def atom():
    made = rng.choice([Equals, BVULT])(term(2), term(1))
    return Not(made) if rng.random() < 0.3 else made


def check(solver):
    answer = solver.solve()
    print("sat" if answer else "unsat", flush=True)
    return answer


def random_atoms():
    return [atom() for _ in range(rng.randrange(1, 4))]


kept = [BVULT(symbol, BV(255, 8)) for symbol in symbols]
if kind == "values":
    # After a value pySMT 0.9.6 reads the end of its line as the answer to the next command, so values come last.
    for _ in range(12):
        assertions = kept + random_atoms()
        with Solver(name="solver", logic=logic) as solver:
            for formula in assertions:
                solver.add_assertion(formula)
            if check(solver):
                values = {symbol: solver.get_value(symbol) for symbol in symbols}
                holds = And(assertions).substitute(values).simplify().is_true()
                print("holds" if holds else "fails", flush=True)
else:
    with Solver(name="solver", logic=logic) as solver:
        solver.add_assertion(And(kept))
        for _ in range(15):
            solver.push()
            for formula in random_atoms():
                solver.add_assertion(formula)
            check(solver)
            if kind == "levels":
                solver.push()
                solver.add_assertion(atom())
                check(solver)
                solver.pop()
                check(solver)
            solver.pop()
print("end")
