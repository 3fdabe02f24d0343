#!/usr/bin/env python3
"""Makes small wrong changes in the sources, one at a time, and tells which part of the tests notices each.

    tests/mutants.py --seed S --count N [--from K | --only K] [--tier check] [--in FOLDER]... [--folder F] [--show]

The same seed gives the same changes of the same sources. The changes are made in a copy of the tree, built in a folder of its own
(build/mutants) with a shared library, so that a change costs one compilation. A change whose object is the same is none, and one
that does not compile is not counted; others are drawn for them. The parts of `make check` run one by one until one fails, those that
found most per second first; then those of `make test`. A part ends at its first
failure. F/report.tsv has a line for each change. F/parts.tsv has the seconds of each part without a change; remove the folder F to
begin anew with sources that have changed.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

# Where changes are made: passes, emitters, verifiers, interpreters, the runtime.
FOLDERS = ["compiler/analysis", "compiler/emit", "compiler/expr", "compiler/frontend", "compiler/graph", "compiler/hardware",
           "compiler/interpret", "compiler/loop", "compiler/transform", "runtime"]
# Parts that judge the text of sources, not what they do.
OF_SOURCES = {"lint", "run-lint"}
MEMORY = 6 << 30  # a part whose processes take more has failed
# What parts print of a failure, of which one is enough.
FAILURE = re.compile(r"^ *(FAIL\b|\[  FAILED)|: (formatting and parsing|fault of a pass|printing and reading back|crash\b|difference of "
                     r"|the C compiler refuses)", re.M)
TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|\\\n)
    |(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)""", re.X | re.M | re.S)
KEYWORDS = set("return if else for while do switch case default break continue goto sizeof struct enum union static const extern "
               "typedef int long short char float double bool void unsigned signed".split())
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "true": "false", "false": "true"}
EXTREMES = [("least", "greatest"), ("min", "max"), ("first", "last"), ("floor", "ceil"), ("low", "high"), ("begin", "end")]
WEIGHTS = {"relation": 15, "equality": 12, "logic": 15, "condition": 12, "truth": 8, "one": 12, "constant": 10, "statement": 20,
           "operands": 8, "extreme": 6}


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


def tokens_of(text):
    found = [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text)]
    return [t for t in found if t.kind not in ("space", "directive")]


def closing(tokens, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind == "sign":
            depth += (tokens[i].text in "([{") - (tokens[i].text in ")]}")
            if depth == 0:
                return i
    return len(tokens) - 1


def opening(tokens, at):
    depth = 0
    for i in range(at, -1, -1):
        if tokens[i].kind == "sign":
            depth += (tokens[i].text in ")]}") - (tokens[i].text in "([{")
            if depth == 0:
                return i
    return 0


def operand_before(tokens, at):
    """The index of the first token of the postfix expression that ends before `at`, or None."""
    i = at - 1
    while i > 0:
        if tokens[i].text in (")", "]"):
            i = opening(tokens, i)
            if tokens[i - 1].kind != "name" or tokens[i - 1].text in KEYWORDS:
                return i if tokens[i].text == "(" else None
            i -= 1
        elif tokens[i].kind not in ("name", "number") or tokens[i].text in KEYWORDS:
            return None
        if tokens[i - 1].text not in (".", "->"):
            return i
        i -= 2
    return None


def operand_after(tokens, at):
    """The index of the last token of the postfix expression that begins after `at`, or None."""
    i = at + 1
    if tokens[i].text == "(":
        i = closing(tokens, i)
    elif tokens[i].kind not in ("name", "number") or tokens[i].text in KEYWORDS:
        return None
    while i + 1 < len(tokens):
        if tokens[i + 1].text in ("(", "["):
            i = closing(tokens, i + 1)
        elif tokens[i + 1].text in (".", "->"):
            i += 2
        else:
            return i
    return None


def statement_end(tokens, at):
    """The index of the `;` that ends the statement at `at`, if this is an assignment or a call, or None."""
    if tokens[at].text == "continue":
        return at + 1
    if (tokens[at].kind != "name" and tokens[at].text != "*") or tokens[at].text in KEYWORDS | {"assert"}:
        return None
    i, assigns, calls = at, False, False
    if tokens[at].text != "*" and (tokens[at + 1].kind == "name" or tokens[at + 1].text in ("*", ":")):
        return None  # a declaration or a label
    while i < len(tokens) and tokens[i].text != ";":
        if tokens[i].text in ("{", "}"):
            return None
        if tokens[i].text in ("(", "["):
            calls |= tokens[i].text == "("
            i = closing(tokens, i)
        assigns |= tokens[i].kind == "sign" and (tokens[i].text in ("=", "++", "--") or tokens[i].text in ("+=", "-=", "|=", "*="))
        i += 1
    return i if assigns or calls else None


def sites_of(text):
    """All changes of a text: (kind, start, end, replacement)."""
    tokens, sites, skip, depth, blocks = tokens_of(text), [], -1, 0, 0
    for i, t in enumerate(tokens[:-2]):
        if t.kind == "sign":
            depth += (t.text == "(") - (t.text == ")")
            blocks += (t.text == "{") - (t.text == "}")
        if t.text in ("assert", "static_assert", "_Static_assert"):
            skip = max(skip, closing(tokens, i + 1))
        if i <= skip or i == 0:
            continue
        before = tokens[i - 1]
        add = lambda kind, start, end, new: sites.append((kind, start, end, new))
        if t.kind == "sign" and t.text in ("<", "<=", ">", ">="):
            add("relation", t.start, t.end, OTHER[t.text])
        elif t.kind == "sign" and t.text in ("==", "!="):
            add("equality", t.start, t.end, OTHER[t.text])
        elif t.kind == "sign" and t.text in ("&&", "||"):
            add("logic", t.start, t.end, OTHER[t.text])
        elif t.text in ("true", "false"):
            add("truth", t.start, t.end, OTHER[t.text])
        elif t.text in ("if", "while") and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1)
            add("condition", tokens[i + 1].start, tokens[end].end, "(!" + text[tokens[i + 1].start:tokens[end].end] + ")")
        elif t.kind == "number" and re.fullmatch(r"[0-9]+", t.text) and before.text not in ("[",):
            add("constant", t.start, t.end, str(int(t.text) + 1))
        elif t.kind == "name" and t.text not in KEYWORDS and blocks > 0:  # a function keeps its name
            for one, other in EXTREMES:
                for old, new in ((one, other), (other, one)):
                    if re.search(rf"(?:^|_){old}(?:_|$)", t.text):
                        add("extreme", t.start, t.end, re.sub(rf"(^|_){old}(?=_|$)", rf"\g<1>{new}", t.text, count=1))
        if t.text in ("+", "-") and tokens[i + 1].text == "1" and operand_before(tokens, i) is not None:
            add("one", t.start, tokens[i + 1].end, "")
        if t.text in ("-", "/") and t.kind == "sign":
            first, last = operand_before(tokens, i), operand_after(tokens, i)
            if first is not None and last is not None:
                left = text[tokens[first].start:before.end]
                right = text[tokens[i + 1].start:tokens[last].end]
                add("operands", tokens[first].start, tokens[last].end, f"{right} {t.text} {left}")
        if depth == 0 and before.text in (";", "{", "}", ")", "else"):
            end = statement_end(tokens, i)
            if end is not None:
                add("statement", t.start, tokens[end].end, ";")
    return sites


def draw(root, folders, seed):
    """Changes without end: (path, kind, start, end, replacement). First the kind is drawn, then the place."""
    of_kind = {kind: [] for kind in WEIGHTS}
    for folder in folders:
        for path in sorted((root / folder).rglob("*.c")):
            for kind, start, end, new in sites_of(path.read_text()):
                of_kind[kind].append((str(path.relative_to(root)), kind, start, end, new))
    kinds = [kind for kind in WEIGHTS if of_kind[kind]]
    generator = random.Random(seed)
    while True:
        yield generator.choice(of_kind[generator.choices(kinds, [WEIGHTS[k] for k in kinds])[0]])


class Work:
    """A copy of the tree, its build and what runs there."""

    def __init__(self, root, folder, tier):
        self.root, self.folder, self.tree, self.last_tier = root, folder, folder / "tree", tier
        self.build = self.tree / "build"
        self.report = folder / "report.tsv"
        self.prepare()
        self.tests = {p: p.read_bytes() for p in self.test_files()}
        self.seconds = self.read_parts()

    def make(self, *words, **options):
        jobs = os.environ.get("JOBS") or str(os.cpu_count())
        return run(["make", "--no-print-directory", f"-j{jobs}", "SANITIZE=-fPIC -fno-semantic-interposition",
                    "-o", "build/libfltc.a", *words], self.tree, **options)

    def prepare(self):
        fresh = not self.tree.exists()
        if fresh:
            self.tree.mkdir(parents=True)
            names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=self.root, check=True,
                                   capture_output=True).stdout.split(b"\0")
            for name in filter(None, map(os.fsdecode, names)):
                if (self.root / name).is_file():
                    (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(self.root / name, self.tree / name)
            shared = (self.root / ".." / "shared").resolve()
            if shared.is_dir():
                (self.folder / "shared").symlink_to(shared)
        # Programs link this "archive": a text that names the shared library.
        self.build.mkdir(exist_ok=True)
        archive = self.build / "libfltc.a"
        if not archive.exists():
            archive.write_text(f"INPUT({self.build}/libfltc.so)\n")
        print("building ...", flush=True)
        self.expect(self.build_library())
        self.expect(self.make("PART=true", "TIER=test", "parts"))
        if fresh:  # an object of the compiler without a change, for comparison, is what make keeps
            self.expect(self.build_library())

    def expect(self, result):
        if result[0] != 0:
            sys.exit(f"without a change this fails:\n{result[1][-4000:]}")

    def build_library(self):
        result = self.make("objects", limit=600)
        if result[0] != 0:
            return result
        objects = sorted(str(p.relative_to(self.tree)) for p in self.build.rglob("*.o") if self.is_of_library(p))
        library = self.build / "libfltc.so"
        if library.exists() and all((self.tree / o).stat().st_mtime < library.stat().st_mtime for o in objects):
            return result
        result = run(["cc", "-shared", "-fuse-ld=gold", "-o", "build/libfltc.so.next", *objects], self.tree, limit=600)
        if result[0] == 0:
            os.replace(self.build / "libfltc.so.next", library)
            os.utime(self.build / "libfltc.a")  # tests that call make do not make an archive in its place
        return result

    def is_of_library(self, path):
        parts = path.relative_to(self.build).parts
        return (len(parts) == 1 and not parts[0].endswith(".whole.o") or parts[0] == "compiler" and parts[1] != "main.o" or
                parts[0] == "runtime" and (len(parts) == 2 or parts[1] in ("image", "particles", "particles_file")))

    def parts_of(self, tier):
        """Names of parts, with their shares."""
        rows = re.findall(r"^\$\(call part, ([^)]*)\)", (self.tree / "Makefile").read_text(), re.M)
        column = {"check": 1, "test": 2}[tier]
        cells = [[cell.strip() for cell in row.split(",")] for row in rows]
        return {row[0]: row[column] for row in cells if row[column] != "-" and row[0] not in OF_SOURCES}

    def tiers(self):
        """Parts to run: (tier, name). What `make check` ran with the same or a greater share, `make test` need not repeat."""
        check, test = self.parts_of("check"), self.parts_of("test") if self.last_tier == "test" else {}
        size = lambda share: int(share.split("/")[0]) / int(share.split("/")[1])
        return [("check", n) for n in check] + [("test", n) for n in test if n not in check or size(check[n]) < size(test[n])]

    def run_part(self, tier, name, limit):
        shutil.rmtree(self.build / "logs" / tier, ignore_errors=True)
        (self.build / "logs" / tier).mkdir(parents=True)
        return self.make(f"TIER={tier}", name, limit=limit, watched=self.build / "logs" / tier / f"{name.replace('/', '_')}.log")

    def read_parts(self):
        """The seconds of each part without a change; measured once."""
        record = self.folder / "parts.tsv"
        seconds = {}
        if record.exists():
            for line in record.read_text().splitlines():
                tier, name, value = line.split("\t")
                seconds[tier, name] = float(value)
        for tier, name in self.tiers():
            if (tier, name) not in seconds:
                status, output, took = self.run_part(tier, name, 1200)
                if status != 0:
                    print(f"{name} fails without a change, and is left out:\n{output[-2000:]}", flush=True)
                    took = -1
                seconds[tier, name] = took
                with record.open("a") as file:
                    file.write(f"{tier}\t{name}\t{took:.1f}\n")
                print(f"{tier} {name}: {took:.0f} s", flush=True)
        return {key: seconds[key] for key in self.tiers() if seconds[key] >= 0}

    def order(self):
        """Parts of `make check`, then those of `make test`; what has found most per second first."""
        found = {}
        if self.report.exists():
            for line in self.report.read_text().splitlines()[1:]:
                cells = line.split("\t")
                found[cells[1]] = found.get(cells[1], 0) + 1
        rank = lambda key: (key[0] != "check", self.seconds[key] / (1 + found.get(f"{key[0]} {key[1]}", 0)))
        return sorted(self.seconds, key=rank)

    def test_files(self):
        return [p for p in (self.tree / "tests").rglob("*") if p.is_file()]

    def restore_tests(self):
        """Fuzzers keep programs that fail; what a change made fail is no test."""
        for path in self.test_files():
            if path not in self.tests:
                path.unlink()
            elif path.read_bytes() != self.tests[path]:
                path.write_bytes(self.tests[path])

    def object_of(self, path):
        copy = self.folder / "stripped.o"
        subprocess.run(["objcopy", "--strip-debug", str(self.build / path[:-2]) + ".o", str(copy)], check=True)
        return copy.read_bytes()

    def judge(self, path, text):
        """What finds the change of a file into the text: "check PART", "test PART", "survived", "same" or "does not compile"."""
        self.expect(self.build_library())
        file, original = self.tree / path, self.object_of(path)
        kept = file.read_text()
        try:
            file.write_text(text)
            if self.build_library()[0] != 0:
                return "does not compile"
            if self.object_of(path) == original:
                return "same"
            for tier, name in self.order():
                status, output, _ = self.run_part(tier, name, 60 + 5 * self.seconds[tier, name])
                if status != 0:
                    (self.folder / "last.log").write_text(output)
                    return f"{tier} {name}"
            return "survived"
        finally:
            file.write_text(kept)
            self.restore_tests()


def session_memory(session):
    """Bytes that the processes of a session take."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[3] == str(session):
            total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return total


def end_session(session):
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if fields[3] == str(session):
                os.kill(int(stat.parent.name), signal.SIGKILL)
        except OSError:
            continue


def text_of(path):
    return path.read_text(errors="replace") if path and path.exists() else ""


def run(command, folder, limit=1200, watched=None):
    """The status, output and seconds of a command; -1 as soon as the watched log tells a failure, or it takes too long or too much."""
    begin = time.time()
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "BUILD", "SHARE")}
    log = pathlib.Path(f"{folder}/build/mutant.log")
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True, env=environment)
        while True:
            try:
                status = process.wait(1)
                break
            except subprocess.TimeoutExpired:
                failed = FAILURE.search(text_of(watched))
                if failed or time.time() - begin > limit or session_memory(process.pid) > MEMORY:
                    end_session(process.pid)
                    process.wait()
                    status = -1
                    break
        end_session(process.pid)
    return status, text_of(log) + text_of(watched), time.time() - begin


def described(text, start, end, new):
    """The number of the line, the line, and what it becomes."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    clean = lambda s: re.sub(r"\s+", " ", s).strip()
    return text.count("\n", 0, start) + 1, clean(text[first:last]), clean(text[first:start] + new + text[end:last])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--tier", choices=["check", "test"], default="test", help="check: the parts of make check alone")
    parser.add_argument("--from", dest="first", type=int, default=1, help="leave out the changes before this number")
    parser.add_argument("--only", type=int, help="the change of this number alone")
    parser.add_argument("--in", dest="folders", action="append", help="where changes are made")
    parser.add_argument("--folder", type=pathlib.Path, help="where the copy is built; build/mutants")
    parser.add_argument("--show", action="store_true", help="print the changes and run nothing")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    work = None if options.show else Work(root, (options.folder or root / "build" / "mutants").resolve(), options.tier)
    tree = root if options.show else work.tree
    counted, drawn, results = 0, 0, {}
    for path, kind, start, end, new in draw(tree, options.folders or FOLDERS, options.seed):
        drawn += 1
        text = (tree / path).read_text()
        line, old_line, new_line = described(text, start, end, new)
        if drawn >= options.first if options.only is None else drawn == options.only:
            begin = time.time()
            changed = text[:start] + new + "\n" * text.count("\n", start, end) + text[end:]
            verdict = "shown" if options.show else work.judge(path, changed)
            row = [f"{options.seed}.{drawn}", verdict, f"{time.time() - begin:.0f}", f"{path}:{line}", kind, old_line, new_line]
            print("\t".join(row), flush=True)
            if not options.show and verdict not in ("does not compile", "same"):
                if not work.report.exists():
                    work.report.write_text("number\tresult\tseconds\tplace\tkind\tline\tbecomes\n")
                with work.report.open("a") as file:
                    file.write("\t".join(row) + "\n")
            if verdict not in ("does not compile", "same"):
                results[verdict.split()[0]] = results.get(verdict.split()[0], 0) + 1
                counted += 1
        if counted == options.count or drawn == options.only:
            break
    print(", ".join(f"{name}: {count}" for name, count in sorted(results.items())) + f"; of {counted} changes, {drawn} drawn")


main()
