#!/usr/bin/env python3
"""growth.py FLTC FOLDER: how the compiler's memory grows with programs of few kilobytes, and what it refuses.

For twice as many stages at most STEP times the memory is needed, or as many times as the text of the program or of the result
has grown; and no more than the MB that a row names, twice what was measured. Seconds have no limit but that of a hang, as other
work may run beside. The last line is "N passed, N failed"."""

import os
import resource
import sys

STEP = 2.4
MOST_MB = 2000  # beyond this a command is killed
MOST_SECONDS = 40

HEAD = "filter p(a : image<f32>[y, x]) -> o : image<f32>[y, x]\n{\n    border clamp;\n"


def listed(text, n, first=0):
    return [text.format(i=i, before=i - 1) for i in range(first, n)]


def inputs(n):
    return f"filter p({', '.join(listed('a{i} : image<f32>[x]', n))}) -> o : image<f32>[x] {{ o = a0; }}\n"


def parameters(n):
    return f"filter p(a : image<f32>[x], {', '.join(listed('param p{i} : f32 = 1', n))}) -> o : image<f32>[x] {{ o = a; }}\n"


def results(n):
    return (f"filter p(a : image<f32>[x]) -> ({', '.join(listed('o{i} : image<f32>[x]', n))})\n{{\n" +
            "".join(listed("    o{i}[x] = a[x] + {i};\n", n)) + "}\n")


def repeats(n):
    return HEAD + "    w = a;\n" + "repeat 2 { " * n + "w[y, x] = w[y, x - 1] + 1; " + "} " * n + "\n    o = w;\n}\n"


def chain(step):
    """A stage s0, and n that are each made of the one before."""
    return lambda n: HEAD + "    s0 = a;\n" + "".join(listed("    " + step + "\n", n, 1)) + f"    o = s{n - 1};\n}}\n"


def all_others(n):
    return (HEAD + "    s0 = a;\n" +
            "".join(f"    s{i}[y, x] = {' + '.join(listed('s{i}[y, x]', i))};\n" for i in range(1, n)) + f"    o = s{n - 1};\n}}\n")


def selects(n):
    value = "a[y, x]"
    for i in range(n):
        value = f"select(a[y, x - {i}] > {i}, {i}, {value})"
    return HEAD + f"    o[y, x] = {value};\n}}\n"


def scatters(n):
    return ("filter p(a : image<u8>[y, x]) -> h : image<u32>[b]\n{\n    h[b in 0 .. 255] : u32;\n" +
            "".join(listed("    h[a[y, x]] += {i} over y, x;\n", n)) + "}\n")


def carried(n):
    return (HEAD + "".join(listed("    w{i} = a + {i};\n", n)) + "    repeat 3 {\n" +
            "".join(f"        w{i} = w{i} + w{(i + 1) % n};\n" for i in range(n)) + "    }\n    o = w0;\n}\n")


def filters(n):
    return "".join(listed("filter f{i}(a : image<f32>[x]) -> o : image<f32>[x] {{ o = a + {i}; }}\n", n)) + HEAD + "    o = a;\n}\n"


CHAINS = {
    "recurrences": "s{i}[y, x] = 0.5 * s{before}[y, x] + 0.5 * s{i}[y, x - 1];",
    "columns": "s{i}[y, x] = 0.5 * s{before}[y, x] + 0.5 * s{i}[y - 1, x];",
    "stencils": "s{i}[y, x] = s{before}[y, x - 1] + s{before}[y, x + 1];",
    "transforms": "s{i} = dct(s{before}, [x], norm = ortho);",
    "tables": "t{i}[k in 0 ..< 8] = f32(k + {i}); s{i}[y, x] = s{before}[y, x] + t{i}[3];",
}


def pipes(n):
    return chain("s{i} = s{before} ^ (1 + {i} % 100);")(n).replace("f32", "u8")


OPENCL, VERILOG = "emit --target opencl", "emit --target verilog --size y=16,x=16"
# what, program of n, n, {command: MB at most for 2 n}
GROWTH = [
    ("images as inputs", inputs, 150, {"emit": 130}),
    ("parameters", parameters, 2000, {"emit": 50}),
    ("results", results, 150, {"explain": 30, "emit": 170}),
    ("repeats one in another", repeats, 100, {"emit": 70, "explain": 40, OPENCL: 210}),
    ("recurrences", chain(CHAINS["recurrences"]), 60, {"explain": 30, "emit": 40, OPENCL: 210}),
    ("recurrences along columns", chain(CHAINS["columns"]), 60, {OPENCL: 170}),
    ("stencils", chain(CHAINS["stencils"]), 150, {"emit": 80, OPENCL: 100}),
    ("transforms", chain(CHAINS["transforms"]), 400, {"explain": 50, OPENCL: 190}),
    ("tables", chain(CHAINS["tables"]), 400, {"explain": 190}),
    ("stages that read all before them", all_others, 40, {"emit": 70, "explain": 60}),
    ("choices one in another", selects, 200, {OPENCL: 50}),
    ("scatters", scatters, 100, {OPENCL: 120}),
    ("images that a repeat carries", carried, 60, {"schedule": 30}),
    ("filters", filters, 1000, {"check": 40}),
    ("pipes of a circuit", pipes, 200, {VERILOG: 110}),
]


def doubling(count, call, first, last):
    return first + "".join(call.format(i=i, before=i - 1) for i in range(1, count)) + last


# name, program, the message that refuses it, the command where it is not emit
REFUSED = [
    ("filters that each call another one twice", doubling(
        21, "filter f{i}(a : image<f32>[x]) -> o : image<f32>[x] {{ o = f{before}(a) + f{before}(a + {i}); }}\n",
        "filter f0(a : image<f32>[x]) -> o : image<f32>[x] { o = a * a; }\n",
        "filter p(a : image<f32>[x]) -> o : image<f32>[x] { o = f20(a); }\n"), "E0410"),
    ("functions that each call another one twice", doubling(
        21, "fn f{i}(a : f32) -> f32 = f{before}(a) + f{before}(a + {i});\n", "fn f0(a : f32) -> f32 = a * a;\n",
        "filter p(a : image<f32>[x]) -> o : image<f32>[x] { o[x] = f20(a[x]); }\n"), "E0410"),
    ("filters that call filters, 200 deep", doubling(
        200, "filter f{i}(a : image<f32>[x]) -> o : image<f32>[x] {{ o = f{before}(a); }}\n",
        "filter f0(a : image<f32>[x]) -> o : image<f32>[x] { o = a; }\n",
        "filter p(a : image<f32>[x]) -> o : image<f32>[x] { o = f199(a); }\n"), "E0504"),
    ("100,000 parentheses", HEAD + "    o[y, x] = " + "(" * 100000 + "1" + ")" * 100000 + ";\n}\n", "E0111"),
    ("100,000 signs", HEAD + "    o[y, x] = " + "-" * 100000 + "a[y, x];\n}\n", "E0111"),
    ("100,000 terms", HEAD + "    o[y, x] = " + " + ".join(["a[y, x]"] * 100000) + ";\n}\n", "E0111"),
    ("100,000 repeats", HEAD + "    w = a;\n" + "repeat 2 { " * 100000 + "w = w; " + "} " * 100000 + "o = w;\n}\n", "E0111"),
    ("a list of 100,000", HEAD + "    const t[k in 0 ..< 100000] = {" + ", ".join(["1"] * 100000) + "};\n    o = a + t[0];\n}\n",
     "E0324"),
    ("20 repeats one in another in a circuit", repeats(20).replace("f32", "u8").replace("w[y, x - 1] + 1", "w[y, x] ^ 1"),
     "E0610", VERILOG),
]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MB << 20, MOST_MB << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


class Compiler:
    def __init__(self, fltc, folder):
        self.fltc, self.folder = fltc, folder

    def run(self, program, command):
        """Bytes written, MB at most at a time, seconds, exit status, messages."""
        source, result = (os.path.join(self.folder, name) for name in ("growth.flt", "growth.c"))
        with open(source, "w", encoding="ascii") as file:
            file.write(program)
        name, *options = command.split()
        emits = name == "emit"
        result = result[:-1] + "v" if "verilog" in options else result
        arguments = [self.fltc, name, source] + options + (["-o", result] if emits else [])
        printed, messages = result + ".out", result + ".err"
        child = os.fork()
        if child == 0:
            limit()
            for number, name in ((1, printed), (2, messages)):
                os.dup2(os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), number)
            os.execv(self.fltc, arguments)
        _, status, usage = os.wait4(child, 0)
        written = os.path.getsize(result if emits and status == 0 else printed)
        with open(messages, encoding="utf-8", errors="replace") as file:
            said = file.read()
        seconds = usage.ru_utime + usage.ru_stime
        return written, usage.ru_maxrss / 1024, seconds, os.waitstatus_to_exitcode(status), said


def main():
    compiler = Compiler(sys.argv[1], sys.argv[2])
    counts = {True: 0, False: 0}

    def tell(good, text):
        counts[good] += 1
        print(text if good else f"FAILED: {text}", flush=True)

    for what, program, size, commands in GROWTH:
        for command, most in commands.items():
            texts = program(size), program(2 * size)
            once, twice = (compiler.run(text, command) for text in texts)
            step = max(STEP, 1.25 * twice[0] / max(once[0], 1), 1.25 * len(texts[1]) / len(texts[0]))
            tell(once[3] == twice[3] == 0 and twice[1] <= min(most, step * once[1]),
                 f"{what}, {command}: {size}: {once[1]:.0f} MB, {once[2]:.2f} s; "
                 f"{2 * size}: {twice[1]:.0f} MB (limit {min(most, step * once[1]):.0f}), {twice[2]:.2f} s")
    for name, program, code, *command in REFUSED:
        _, memory, seconds, status, said = compiler.run(program, command[0] if command else "emit")
        tell(status == 1 and said.count("error[") == 1 and f"error[{code}]" in said,
             f"{name}: status {status}, {memory:.0f} MB, {seconds:.2f} s, {said[:70].strip()!r}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)


main()
