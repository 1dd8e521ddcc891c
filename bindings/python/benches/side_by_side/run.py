"""Ten tasks in Python with Bivalve, z3, Bitwuzla and PyBoolector: lines, time, peak memory.

    python run.py [--repeat N] [TASK ...]

prints a table in Markdown. Each task is a function of the same name in `with_*.py`; each run is a process of its own,
which imports the package, calls the function once and reports the time of the call and the greatest memory of the
process. Of N runs (5) the median time counts. The import is a row of its own. Lines are those of the function that are
neither blank nor its head. Results have to be the same with all packages, and one that is not installed is left out.
Not a test: nothing is asserted about times.
"""

import argparse
import importlib
import importlib.util
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import time

PACKAGES = ["bivalve", "z3", "bitwuzla", "pyboolector"]

TASKS = {
    "root": "a root of a square, 16 bits",
    "identity": "an identity of sums, 32 bits",
    "inverse": "an inverse modulo 2^32",
    "memory": "two writes that commute, with an assumption",
    "functions": "a function applied five times",
    "models": "all 70 models of eight bits with four set",
    "core": "twenty assumptions, one of them wrong",
    "paths": "128 checks along a path, with levels",
    "build": "1,000,000 operators built, nothing solved",
    "text": "20,000 assertions in SMT-LIB, read and solved",
}


def one(package, task):
    """Runs a task in this process, and reports."""
    start = time.perf_counter()
    importlib.import_module(package)
    imported = time.perf_counter() - start
    module = importlib.import_module("with_" + package)
    start = time.perf_counter()
    result = getattr(module, task)()
    spent = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"result": int(result), "time": spent, "import": imported, "memory": memory}))


def lines(package, task):
    text = (pathlib.Path(__file__).parent / f"with_{package}.py").read_text()
    after = text.split(f"def {task}():\n")[1].split("\n\n\n")[0]
    return sum(1 for line in after.splitlines() if line.strip())


def measured(package, task, repeat):
    """Of some processes, or None where the package is not installed; an error of the task ends the run."""
    if importlib.util.find_spec(package) is None:
        return None
    runs = []
    for _ in range(repeat):
        command = [sys.executable, __file__, "--one", package, task]
        done = subprocess.run(command, capture_output=True, text=True, cwd=pathlib.Path(__file__).parent)
        if done.returncode != 0:
            sys.exit(f"{package}, {task}: {done.stderr}")
        runs.append(json.loads(done.stdout))
    found = {name: statistics.median(run[name] for run in runs) for name in ("time", "import", "memory")}
    return {**found, "result": runs[0]["result"], "lines": lines(package, task)}


def shown(seconds):
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def table(tasks, repeat):
    rows, imports = [], {package: [] for package in PACKAGES}
    for task in tasks:
        cells, results = [], {}
        for package in PACKAGES:
            found = measured(package, task, repeat)
            if found is None:
                cells.append("")
                continue
            results[package] = found["result"]
            imports[package].append((found["import"], found["memory"]))
            cells.append(f"{found['lines']}, {shown(found['time'])}, {found['memory']:.0f} MB")
        if len(set(results.values())) > 1:
            sys.exit(f"{task}: the results differ: {results}")
        rows.append(f"| {TASKS[task]} | " + " | ".join(cells) + " |")
        print(rows[-1], file=sys.stderr)
    median = [shown(statistics.median(time for time, _ in imports[p])) if imports[p] else "" for p in PACKAGES]
    rows.append("| the import | " + " | ".join(median) + " |")
    head = "| | " + " | ".join(PACKAGES) + " |\n|" + "---|" * (len(PACKAGES) + 1)
    return "\n".join([head, *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    arguments = parser.parse_args()
    if arguments.one:
        one(*arguments.one)
    else:
        print(table(arguments.tasks or list(TASKS), arguments.repeat))


if __name__ == "__main__":
    main()
