"""Jobs on one machine: which deadlines can be kept, and when does each begin? schedule.rs is the same for Bivalve."""

from bitwuzla import Bitwuzla, Kind, Option, Options, Result, TermManager

# Name, length, earliest begin, deadline.
JOBS = [("cut", 4, 0, 9), ("weld", 5, 1, 6), ("paint", 3, 2, 7), ("pack", 2, 5, 20)]

tm = TermManager()
options = Options()
options.set(Option.PRODUCE_MODELS, True)
options.set(Option.PRODUCE_UNSAT_CORES, True)
options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
options.set(Option.TIME_LIMIT_PER, 10_000)
solver = Bitwuzla(tm, options)

sort = tm.mk_bv_sort(8)


def number(value):
    return tm.mk_bv_value(sort, value)


def ule(x, y):
    return tm.mk_term(Kind.BV_ULE, [x, y])


begins = [tm.mk_const(sort, name) for name, _, _, _ in JOBS]
ends = [tm.mk_term(Kind.BV_ADD, [begin, number(job[1])]) for begin, job in zip(begins, JOBS)]
for i, job in enumerate(JOBS):
    solver.assert_formula(tm.mk_term(Kind.BV_UGE, [begins[i], number(job[2])]))
    solver.assert_formula(tm.mk_term(Kind.BV_ULT, [begins[i], number(100)]))
    for j in range(i):
        solver.assert_formula(tm.mk_term(Kind.OR, [ule(ends[i], begins[j]), ule(ends[j], begins[i])]))

# All deadlines together: which of them contradict each other?
deadlines = [ule(end, number(job[3])) for end, job in zip(ends, JOBS)]
while solver.check_sat(*deadlines) == Result.UNSAT:
    failed = solver.get_unsat_assumptions()
    print("cannot all be:", [str(term) for term in failed])
    deadlines = [deadline for deadline in deadlines if deadline != failed[0]]

# As early as possible, with the deadlines that are left.
solver.push(1)
for deadline in deadlines:
    solver.assert_formula(deadline)
plan = None
for makespan in reversed(range(1, 50)):
    within = [ule(end, number(makespan)) for end in ends]
    solver.assert_formula(tm.mk_term(Kind.AND, within))
    result = solver.check_sat()
    if result == Result.SAT:
        plan = [solver.get_value(begin).value(10) for begin in begins]
    elif result == Result.UNSAT:
        print(f"not by {makespan}: {len(solver.get_unsat_core())} formulas contradict each other")
        break
    else:
        print("not decided")
solver.pop(1)
for (name, _, _, _), begin in zip(JOBS, plan or []):
    print(f"{name} begins at {begin}")
