"""Limits and interruption: by time, by steps, by Ctrl-C, by another thread; and the solver can be used on."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from bivalve import Context, Solver, StateError, run_script, sat, unknown, unsat


def still_works(solver):
    x = solver.context.bv_symbol("q", 8)
    solver.push()
    solver.add(False)
    assert solver.check() == unsat
    solver.reset_assertions()
    solver.add(x == 3)
    assert solver.check() == sat and solver.model()[x] == 3


def test_time(hard):
    start = time.monotonic()
    assert hard.check(time=0.3) == unknown and hard.reason_unknown == "timeout"
    assert time.monotonic() - start > 0.25
    still_works(hard)
    assert hard.reason_unknown is None
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match="time in seconds"):
            hard.check(time=wrong)
    assert hard.check(time=float("inf")) == sat


def test_steps(hard):
    assert hard.check(gates=10) == unknown and hard.reason_unknown == "resourceout"
    assert hard.check(conflicts=50) == unknown and hard.reason_unknown == "resourceout"
    hard.set(conflict_limit=50)
    assert hard.check() == unknown
    hard.set(conflict_limit=0)
    still_works(hard)
    with pytest.raises(ValueError, match="expected at least 1 gate, found 0"):
        hard.check(gates=0)
    for name in ("conflicts", "gates"):
        with pytest.raises(ValueError, match=r"expected an integer from 0 to 2\^64 - 1, found -1"):
            hard.check(**{name: -1})
    assert hard.check() == sat
    for name in ("conflicts", "questions"):
        with pytest.raises(ValueError, match=r"expected an integer from 0 to 2\^64 - 1, found -1"):
            hard.explain(**{name: -1})


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot send SIGINT there")
def test_ctrl_c_ends_a_check(hard):
    # A process that was started in the background ignores the signal, and Python leaves it so.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            hard.check(time=120)
    finally:
        signal.signal(signal.SIGINT, former)
    still_works(hard)


def doubling() -> str:
    """Definitions that use each other, and stand for 2^40 terms."""
    step = "(define-fun f{} ((a (_ BitVec 32))) (_ BitVec 32) (f{} (bvadd (f{} a) (f{} (bvnot a)))))\n"
    steps = "".join(step.format(n, n - 1, n - 1, n - 1) for n in range(1, 41))
    first = "(define-fun f0 ((a (_ BitVec 32))) (_ BitVec 32) (bvmul a a))\n"
    return f"(declare-const x (_ BitVec 32))\n{first}{steps}(assert (= (f40 x) x))\n"


def test_a_time_limit_holds_while_definitions_are_expanded():
    answers = run_script(doubling() + '(echo "alive")', time=0.2)
    assert any("the time limit has passed" in answer for answer in answers)
    assert answers[-1] == '"alive"'


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot send SIGINT there")
def test_ctrl_c_ends_reading():
    context = Context()
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for read in (context.parse, run_script):
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with pytest.raises(KeyboardInterrupt):
                read(doubling())
    finally:
        signal.signal(signal.SIGINT, former)
    assert context.parse("(declare-const y Bool)(assert y)")[1].keys() == {"y"}


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot send SIGINT there")
def test_a_handler_may_interrupt_but_not_build(hard):
    caught = []

    def handler(_signal, _frame):
        try:
            hard.context.bool_symbol("p")
        except StateError as error:
            caught.append(error)
        hard.interrupt()

    former = signal.signal(signal.SIGINT, handler)
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        assert hard.check(time=120) == unknown and hard.reason_unknown == "interrupted"
    finally:
        signal.signal(signal.SIGINT, former)
    assert "a check is running on this thread" in str(caught[0])
    still_works(hard)


def test_another_thread_interrupts(hard):
    hard.interrupt()
    timer = threading.Timer(0.3, hard.interrupt)
    timer.start()
    assert hard.check(time=120) == unknown and hard.reason_unknown == "interrupted"
    still_works(hard)


def test_other_threads_run_while_one_checks(hard):
    """The interpreter's lock is released, and contexts do not wait for each other."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(hard.check(time=1.5)))
    thread.start()
    ctx = Context()
    solver = Solver(ctx)
    x = ctx.bv_symbol("x", 16)
    solver.add(x * x == 0x51)
    count = 0
    while thread.is_alive():
        count += solver.check(x.ugt(count % 7)) == sat
    thread.join()
    assert answers == [unknown] and count > 50


def test_a_check_that_waits_leaves_the_limit_of_the_running_one(hard):
    """A second check of one solver once took the limit of the first one away, and its end that of the second."""
    reasons = []

    def check(limit):
        start = time.monotonic()
        answer = hard.check(time=limit)
        reasons.append((answer, limit, time.monotonic() - start))

    threads = [threading.Thread(target=check, args=(limit,)) for limit in (1, 1.5)]
    for thread in threads:
        thread.start()
        time.sleep(0.2)
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert [answer for answer, _, _ in reasons] == [unknown, unknown]
    assert all(spent > limit - 0.05 for _, limit, spent in reasons), reasons


def test_a_thread_that_builds_waits_for_the_check_of_its_context(hard):
    start = time.monotonic()
    thread = threading.Thread(target=lambda: hard.check(time=1))
    thread.start()
    time.sleep(0.3)
    x = hard.context.bv_symbol("x", 8)
    assert time.monotonic() - start > 0.8 and (x + 1).width == 8
    thread.join()


def test_a_solver_goes_from_thread_to_thread(ctx, solver):
    x = ctx.bv_symbol("x", 16)
    found = []

    def work(step):
        solver.push()
        solver.add(x.urem(step + 2) == 1)
        found.append(solver.check())

    for step in range(6):
        thread = threading.Thread(target=work, args=(step,))
        thread.start()
        thread.join()
    assert found == [sat] * 6 and all(solver.model()[x] % (step + 2) == 1 for step in range(6))


def test_threads_share_a_context(ctx):
    x = ctx.bv_symbol("x", 32)
    wrong = []

    def work(seed):
        solver = Solver(ctx)
        for step in range(50):
            value = seed * 1000 + step
            if solver.check(x * 3 == value) != sat or solver.model()[x * 3] != value:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_scripts_have_limits_too():
    text = """(declare-const x (_ BitVec 48)) (declare-const y (_ BitVec 48)) (declare-const z (_ BitVec 48))
    (assert (distinct (bvmul (bvmul x y) (bvadd z #x000000000001)) (bvmul x (bvmul y (bvadd z #x000000000001)))))
    (check-sat) (get-info :reason-unknown) (check-sat)"""
    assert run_script(text, time=0.2, rewrite_level=0) == ["unknown", "(:reason-unknown timeout)", "unknown"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_forked_processes_go_on():
    program = """
import os
from bivalve import Context, Solver
ctx = Context(); x = ctx.bv_symbol("x", 8); solver = Solver(ctx)
solver.add(x * x == 0x51); solver.check()
child = os.fork()
solver.add(x.ugt(100))
ok = str(solver.check()) == "sat" and solver.model()[x] > 100
if child == 0:
    os._exit(0 if ok else 1)
assert os.waitpid(child, 0)[1] == 0 and ok
"""
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", program], timeout=60).returncode == 0
