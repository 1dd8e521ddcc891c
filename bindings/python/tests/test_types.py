"""Types: stubs agree with what they describe, and the package passes the strict checks of mypy."""

import os
import pathlib
import subprocess
import sys
import tempfile

import pytest

import bivalve


def run(*arguments):
    pytest.importorskip("mypy", reason="mypy is not installed")
    folder = str(pathlib.Path(bivalve.__file__).parent.parent)
    environment = {**os.environ, "MYPYPATH": "" if "site-packages" in folder else folder}
    # Away from the folder of all packages, which Python would look into first.
    with tempfile.TemporaryDirectory() as away:
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=away)
    return done.returncode, done.stdout + done.stderr


def test_stubs_agree_with_what_they_describe():
    assert run("mypy.stubtest", "bivalve._native") == (0, "Success: no issues found in 1 module\n")


def test_the_package_passes_strict_checks():
    code, text = run("mypy", "--strict", "--no-incremental", "-p", "bivalve")
    assert code == 0, text


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(bivalve.__file__).parent / "py.typed").exists()


def test_values_of_models_have_types(tmp_path):
    script = tmp_path / "typed.py"
    script.write_text(
        "import bivalve, bivalve.z3 as z3\n"
        "values = z3.Solver().model()\n"
        "reveal_type(values[z3.BitVec('x', 8)])\n"
        "reveal_type(values[z3.Bool('p')])\n"
        "reveal_type(values[z3.Array('a', z3.BitVecSort(8), z3.BitVecSort(8))])\n"
        "reveal_type(values[z3.FP('x', z3.Float32())])\n"
        "reveal_type(z3.FP('x', z3.Float32()) + 1)\n"
        "reveal_type(z3.BitVec('x', 8) + 1 == 2)\n"
        "reveal_type(z3.Solver().check())\n"
        "context = bivalve.Context()\n"
        "model = bivalve.Solver(context).model()\n"
        "reveal_type(model.bv(context.bv_symbol('x', 8)))\n"
        "reveal_type(model.bool(context.bool_symbol('p')))\n"
        "reveal_type(model.array(context.array_symbol('a', 8, 8)))\n"
        "reveal_type(model.float(context.symbol('f', context.float_sort(8, 24))))\n"
    )
    code, text = run("mypy", "--no-incremental", str(script))
    shown = [line.split('"')[1].split(".")[-1] for line in text.splitlines() if "Revealed type" in line]
    expected = ["BitVecNumRef", "BoolRef", "ArrayRef", "FPNumRef", "FPRef", "Any", "CheckSatResult", "int", "bool", "ArrayValue", "FloatValue"]
    assert shown == expected, text
