"""The tour ends as it says, program by program; it has those of the tour in Rust, by the same names."""

import pathlib
import subprocess
import sys

import pytest

TOUR = pathlib.Path(__file__).parent.parent / "examples" / "tour"
PROGRAMS = sorted(path for path in TOUR.glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_program_ends_as_it_says(program):
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_they_are_those_of_the_tour_in_rust():
    rust = TOUR.parents[3] / "crates" / "solver" / "examples" / "tour"
    names = {path.stem for path in rust.glob("*.rs")} - {"main"}
    assert {path.stem for path in PROGRAMS} == names and len(names) == 13
