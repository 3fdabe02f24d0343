"""Runs all cases, or those whose name contains an argument, or of these the Kth of N shares (SHARE=K/N); prints a line
for each.

A case compares a filter of the library with SciPy, OpenCV or a formula in NumPy (cases/*.py, with compare)
or states a property of it (with holds)."""

import glob
import importlib
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import case
import pictures
import program


def main(wanted):
    began = time.time()
    for file in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases", "*.py"))):
        importlib.import_module("cases." + os.path.basename(file)[:-3])
    number, count = map(int, os.environ.get("SHARE", "1/1").split("/"))
    chosen = [c for i, c in enumerate(case.all_cases)
              if i % count == number % count and (not wanted or any(w in c.name for w in wanted))]
    program.programs[:] = list(dict.fromkeys(p for c in chosen for p in c.programs))
    refused = program.compile_all()
    print(f"{len(program.programs)} programs compiled in {time.time() - began:.0f} s")
    for message in dict.fromkeys(m for _, m in refused):
        print(message, file=sys.stderr)
    broken = {id(p) for p, _ in refused}
    failed = 0
    for each in chosen:
        good = not any(id(p) in broken for p in each.programs) and each.run()
        failed += not good
    if not pictures.PRESENT:
        print("SKIPPED: the folder ../shared/data is absent; filters were tried on made pictures only")
    compared = len({c.name.split(" ")[0] for c in chosen if c.kind == "compare"})
    print(f"library: {compared} filters compared, {time.time() - began:.0f} s")
    print(f"library: {len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


sys.exit(main(sys.argv[1:]))
