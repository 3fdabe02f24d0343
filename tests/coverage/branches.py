"""branches.py BUILD [FOLDER]: how many branches the tests and random programs reach, of each folder of the compiler.

BUILD/reached/tests and BUILD/reached/random hold the counters that coverage.sh left (.gcda); BUILD the notes of gcc (.gcno).
FOLDER, as graph/passes: the lines with branches that neither reaches follow, with the number of their branches.
A branch is one way out of a condition or switch, as gcov counts them. Not counted:
- those of lines that hold an assert alone, and of a condition that leads to an assert that always fails alone;
- of a switch without default, which has a case for each kind, one branch that is not reached: the way past it."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

KINDS = ("tests", "random")


def counts_of(build, kind):
    """{(file, line): {function and number of the branch: how often it was taken}}"""
    place = build / "reached" / kind
    counters = []
    for notes in sorted(build.rglob("*.gcno")):
        relative = notes.relative_to(build)
        if relative.parts[0] not in ("compiler", "runtime"):
            continue
        link = place / relative
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(notes)
        counters.append(str(link))
    counts = collections.defaultdict(dict)
    for first in range(0, len(counters), 50):
        gcov = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout"] + counters[first:first + 50],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if gcov.returncode:
            print(gcov.stderr, f"Some of what {kind} reach was counted before the compiler changed: count anew.", file=sys.stderr)
        for text in gcov.stdout.splitlines():
            for file in json.loads(text)["files"] if text else []:
                for line in file["lines"]:
                    branches = counts[file["file"], line["line_number"]]
                    for number, branch in enumerate(line["branches"]):
                        key = line.get("function_name"), number
                        branches[key] = branches.get(key, 0) + branch["count"]
    return counts


def end_of(text, start, pair):
    """Behind the bracket that ends what the bracket at start begins."""
    depth = 0
    for at in range(start, len(text)):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def lines_between(text, start, end):
    first = text.count("\n", 0, start) + 1
    return range(first, first + text.count("\n", start, end) + 1)


def left_out(text):
    """Lines of asserts alone, and lines of switches without default."""
    asserts, switches = set(), set()
    for found in re.finditer(r"^ *assert\(", text, re.M):
        asserts.update(lines_between(text, found.start(), end_of(text, found.end() - 1, "()")))
    for found in re.finditer(r"^ *(?:else )?if \(", text, re.M):
        end = end_of(text, found.end() - 1, "()")
        if re.match(r" *\{?\s*assert\((?:false|!\")", text[end:]):
            asserts.update(lines_between(text, found.start(), end))
    for found in re.finditer(r"^ *switch \(", text, re.M):
        body = text.index("{", end_of(text, found.end() - 1, "()"))
        if not re.search(r"\bdefault:", text[body:end_of(text, body, "{}")]):
            switches.add(text.count("\n", 0, found.start()) + 1)
    return asserts, switches


def reached_of(file, lines):
    """[(line, the kinds that reach a branch)] of one file; lines: {line: {key of a branch: those kinds}}"""
    asserts, switches = left_out(pathlib.Path(file).read_text())
    result = []
    for line in sorted(set(lines) - asserts):
        branches = list(lines[line].values())
        if line in switches and set() in branches:
            branches.remove(set())
        result += [(line, kinds) for kinds in branches]
    return result


def main():
    build, chosen = pathlib.Path(sys.argv[1]), sys.argv[2] + "/" if sys.argv[2:] else None
    files = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(set)))
    for kind in KINDS:
        for (file, line), branches in counts_of(build, kind).items():
            for key, count in branches.items():
                if file.startswith(("compiler/", "runtime/")):
                    files[file][line][key].update([kind] if count > 0 else [])
    totals, missed = collections.defaultdict(lambda: [0, 0, 0, 0]), collections.Counter()
    for file in sorted(files):
        folder = os.path.dirname(file).removeprefix("compiler/")
        for line, kinds in reached_of(file, files[file]):
            for name in (folder, "all"):
                for place, is_so in enumerate((True, "tests" in kinds, "random" in kinds, kinds)):
                    totals[name][place] += bool(is_so)
            if chosen and not kinds and (folder + "/").startswith(chosen):
                missed[file, line] += 1
    print("| folder | branches | tests | random programs | both | unreached |\n|---|---|---|---|---|---|")
    for name in sorted(set(totals) - {"all"}) + ["all"]:
        count, *reached = totals[name]
        shares = " | ".join(f"{100 * n / count:.1f} %" for n in reached)
        print(f"| `{name}` | {count:,} | {shares} | {count - reached[2]:,} |")
    for (file, line), number in missed.items():
        source = pathlib.Path(file).read_text().splitlines()[line - 1].strip()
        print(f"{file}:{line}: {number}: {source}")


main()
