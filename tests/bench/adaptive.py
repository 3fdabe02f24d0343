"""Adaptive images beside LibAPR (github.com/AdaptiveParticles/LibAPR), dense filters and the memory's rate, in
interleaved runs. Exit status 1 where a filter's result is not that of its functions.
Usage: adaptive.py [--rounds N] [--repeats N] [--threads 1,2] [PART...], parts: PARTS below.

LIBAPR_PEER names programs, several with ':' between them, of which the better one counts. LibAPR is built elsewhere, with
what it needs: none of it is here. Such a program is called as

    PROGRAM OP FILE NZ NY NX THREADS REPEATS

with a volume of uint16, x fastest, and prints one line of JSON: "particles", and "min_ms" and "median_ms" of REPEATS runs
after one that does not count, and if it can, "cpu_ms", the least that it used of processors. x, y, z here are LibAPR's
y, x, z. It makes the particles once as f32, error 0.1, lambda 3, gradient 15, local scale 100, none below 50, intensity 0,
psf 2 along each axis, no automatic parameters, and times what OP names by itself, on f32 values of particles that are means
of pixels:

    construct        a new APRConverter<float> and its get_apr; construct_again: get_apr of one that has been used
    sample           ParticleData::sample_image
    tree             APRTreeNumerics::fill_tree_mean; the tree is there
    conv3 ... conv13 APRFilter::convolve_pencil, stencils restricted, reflected, values of the tree filled within;
                     conv3s ... conv13s: the same by APRFilter::convolve
    rl7              APRNumerics::richardson_lucy, one iteration, 7 x 7 x 7, restricted
    reconstruct      APRReconstruction::reconstruct_constant to f32

An operation that it refuses, by its exit status, is left out."""

import argparse
import ctypes
import json
import math
import os
import re
import statistics
import subprocess
import sys

os.environ["NUMPY_MADVISE_HUGEPAGE"] = "0"  # memory as malloc gives it, which peers have
import numpy as np  # noqa: E402

import contest  # noqa: E402
import ours  # noqa: E402

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "adaptive")
WORK = os.path.join(ours.WORK, "adaptive")
PEERS = [p for p in os.environ.get("LIBAPR_PEER", "").split(":") if p]
PARTS = ["operations", "filters", "volumes", "large", "memory"]
# name: (extent, spheres, least and greatest radius, seed)
VOLUMES = {"cr1": (256, 12000, 4, 8, 1), "cr3": (256, 400, 8, 16, 1), "cr10": (256, 64, 8, 20, 1), "cr20": (256, 33, 8, 20, 1),
           "cr50": (256, 17, 8, 16, 1), "cr120": (256, 11, 6, 12, 1), "cr1000": (256, 2, 5, 7, 3),
           "cr20_512": (512, 260, 8, 20, 1)}
NOISE = 5
LONG = 0.5  # s
QUICK = ["construct", "conv3s", "conv5s", "reconstruct"]  # of the peer's, where one thread works: the faster ones
SETTINGS = [0.1, 3, 100, 50, 15, 0, 2, 1, 1, 1]
# operation: (what the peer calls the same, the least times as fast that is asked)
OPERATIONS = {
    "flt_apr_create": (["construct"], 1 / 0.6), "flt_apr_place": (["construct", "construct_again"], 1 / 0.6),
    "flt_apr_sample": (["sample"], None), "flt_apr_cell_means": (["sample"], None), "flt_apr_cell_nodes": (["tree"], None),
    "convolve 3": (["conv3", "conv3s"], 8), "convolve 5": (["conv5", "conv5s"], 12), "convolve 7": (["conv7", "conv7s"], None),
    "convolve 13": (["conv13", "conv13s"], None), "three lines of 19": ([], None), "Richardson-Lucy step": (["rl7"], 10),
    "flt_apr_spread": (["reconstruct"], 2.5)}
MADE = ["flt_apr_place", "flt_apr_cell_means"]
# filter: (file, constants, parameters, the operations that it is made of)
FILTERS = {
    "construct": ("construct", {}, {}, [*MADE, "flt_apr_spread"]),
    "there and back": ("there_and_back", {}, {}, [*MADE, "flt_apr_spread"]),
    **{f"convolve {n}": ("convolve", {"n": n}, {}, [*MADE, f"convolve {n}", "flt_apr_spread"]) for n in (3, 5, 7, 13)},
    "three lines of 19": ("lines", {}, {"sigma": 2.0}, [*MADE, "three lines of 19", "flt_apr_spread"]),
    "deconvolve, 1 step": ("deconvolve", {}, {"steps": 1}, [*MADE, "Richardson-Lucy step", "flt_apr_spread"]),
    "deconvolve, 5 steps": ("deconvolve", {}, {"steps": 5}, [*MADE, *5 * ["Richardson-Lucy step"], "flt_apr_spread"]),
    "particles to particles, convolve 3": ("cells", {"n": 3}, {}, ["convolve 3"])}
# By several threads these alone.
FEW_FILTERS = ["there and back", "convolve 3", "deconvolve, 1 step", "deconvolve, 5 steps"]
FEW = ["flt_apr_create", *MADE, "flt_apr_cell_nodes", "convolve 3", "convolve 5", "Richardson-Lucy step", "flt_apr_spread"]


class Settings(ctypes.Structure):
    """struct flt_apr_settings."""
    _fields_ = [(name, ctypes.c_float) for name in
                ("error", "lambda_", "sigma_min", "sigma_ignored", "gradient_min", "intensity_min", "psf", "z", "y", "x")
                ] + [("splits_boundary", ctypes.c_bool)]


def built(name, options, libraries):
    """The path of what one of the C files here becomes."""
    made = os.path.join(WORK, name)
    include = os.path.join(HERE, "../../../runtime/include")
    command = ["cc", "-std=gnu11", "-O3", "-march=native", "-fopenmp", "-I" + include, *options]
    subprocess.run([*command, os.path.join(HERE, name + ".c"), "-o", made, *libraries, "-lm"], check=True)
    return made


def volume(name):
    """(path, extent)"""
    path = os.path.join(WORK, name + ".raw")
    extent, *spheres = VOLUMES[name]
    if not os.path.exists(path):
        program = built("spheres", [], [])
        subprocess.run([program, str(extent), *map(str, spheres), str(NOISE), path + ".part"], check=True)
        os.replace(path + ".part", path)
    return path, extent


def library():
    archive = os.path.join(ours.BUILD, "libfltparticles.a")
    return ctypes.CDLL(built("step", ["-shared", "-fPIC"], ["-Wl,-Bsymbolic,--whole-archive", archive,
                                                              "-Wl,--no-whole-archive"]))


def at(array):
    return ctypes.c_void_p(array.ctypes.data)


def aligned(size):
    memory = np.empty(size + 64, np.uint8)
    return memory[-memory.ctypes.data % 64:][:size]


def kernel_of(n):
    """As in the filters here."""
    return (1 + np.arange(n ** 3) * 7 % 13).astype(np.float32) / np.float32(7 * n ** 3)


class Particles:
    """An adaptive image, and functions of the runtime on it, by name: run[name](); before[name]() is not timed."""

    def __init__(self, flt, name, threads, pixels):
        path, n = volume(name)
        self.n, self.threads, self.flt = n, threads, flt
        self.pixel = np.fromfile(path, np.uint16).reshape(n, n, n).astype(np.float32)
        self.extent = (ctypes.c_int64 * 3)(n, n, n)
        self.bytes = ctypes.c_size_t(64 * ((n + 1) // 2 + 13) ** 3)
        self.apr, self.room = aligned(self.bytes.value), aligned(self.bytes.value)
        self.kept = pixels  # of a result, and of what construction works in
        count = (ctypes.c_int64 * 1)()
        self.refill()
        self.place()
        flt.flt_apr_cell_count(at(self.apr), count)
        self.count = count[0]
        self.value, self.a, self.b, self.c = (np.ones(self.count, np.float32) for _ in range(4))
        self.means(self.value)
        self.own = self.created()  # with memory of its own, which flt_apr_sample takes some of
        self.before = {"flt_apr_place": self.refill}
        self.run = {
            "flt_apr_create": self.create, "flt_apr_place": self.place, "flt_apr_sample": self.sample,
            "flt_apr_cell_means": lambda: self.means(self.a),
            "flt_apr_cell_nodes": lambda: flt.flt_apr_cell_nodes(at(self.apr), at(self.value), 0, at(self.a), threads),
            **{f"convolve {n}": self.convolution((n, n, n), kernel_of(n)) for n in (3, 5, 7, 13)},
            "three lines of 19": self.lines(), "Richardson-Lucy step": self.step(), "flt_apr_spread": lambda: self.spread(self.value)}

    def refill(self):
        np.copyto(self.kept, self.pixel)

    def create(self):
        self.flt.flt_apr_destroy(self.created())

    def created(self):
        made, settings = ctypes.c_void_p(), Settings(*SETTINGS, False)
        assert self.flt.flt_apr_create(ctypes.byref(made), at(self.pixel), self.extent, ctypes.byref(settings), None,
                                       self.threads) == 0
        return made

    def place(self):
        settings = (ctypes.c_float * 10)(*SETTINGS)
        self.flt.flt_apr_place(self.extent, at(self.kept), settings, at(self.apr), self.bytes, at(self.room), self.bytes,
                               self.threads)

    def sample(self):
        assert self.flt.flt_apr_sample(self.own, at(self.pixel), at(self.a), self.threads) == 0

    def means(self, to):
        self.flt.flt_apr_cell_means(at(self.apr), at(self.pixel), at(to), at(self.room), self.bytes, self.threads)

    def spread(self, value):
        self.flt.flt_apr_spread(at(self.apr), at(value), ctypes.c_size_t(4), at(self.kept), self.threads)

    def convolution(self, extents, weights, given=None, to=None):
        form = (ctypes.c_int32 * 7)(*extents, 0, 0, 0, 0)
        given, to = self.value if given is None else given, self.a if to is None else to
        return lambda: self.flt.flt_apr_cell_convolve(at(self.apr), at(given), at(to), at(weights), form, at(self.room),
                                                      self.bytes, self.threads)

    def lines(self):
        bell = np.exp(-np.arange(-9, 10, dtype=np.float32) ** 2 / np.float32(8))
        bell /= bell.sum()
        three = [self.convolution((19, 1, 1), bell, self.value, self.a), self.convolution((1, 19, 1), bell, self.a, self.b),
                 self.convolution((1, 1, 19), bell, self.b, self.a)]
        return lambda: [line() for line in three]

    def step(self):
        blur = kernel_of(7)
        back = blur[::-1].copy()
        work = (ctypes.c_void_p * 2)(self.b.ctypes.data, self.c.ctypes.data)
        return lambda: self.flt.richardson_lucy_step(at(self.apr), at(self.value), at(self.a), work, at(blur), at(back),
                                                     at(self.room), self.bytes, self.threads)

    def rows(self):
        """Of all levels together."""
        extents, n = [], self.n
        while n > 1:
            extents.append(n)
            n = (n + 1) // 2
        return sum(e * e for e in extents)


def repeated(run, repeats, before=lambda: None):
    """A contender: seconds and seconds of CPU of `repeats` runs behind one another, fewer where they take long, after one
    that does not count."""
    def measure():
        found = []
        while len(found) < 2 or len(found) <= repeats and sum(wall for wall, _ in found) < LONG:
            before()
            found.append(contest.timed(run))
        return found[1:]
    return measure


def peer(program, op, name, threads, repeats, particles, told=set()):
    """The same of a program that LIBAPR_PEER names: its median and its least as two runs, each with the least CPU."""
    path, n = volume(name)

    def measure():  # other counts are told once
        done = subprocess.run([program, op, path, *3 * [str(n)], str(threads), str(repeats)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        if done.returncode:
            return []
        found = json.loads(done.stdout)
        if found["particles"] != particles and (program, name) not in told:
            told.add((program, name))
            print(f"NOTE: {name}: LibAPR has {found['particles']} particles, here are {particles}", file=sys.stderr)
        used = found["cpu_ms"] / 1e3 if "cpu_ms" in found else math.inf
        return [(found["median_ms"] / 1e3, used), (found["min_ms"] / 1e3, used)]
    return measure


def raced(contenders, rounds):
    """name: {"least", "median", "cpu"}, in ms; nothing for those that give nothing."""
    found = contest.sampled(contenders, rounds, lambda measure: measure())
    return {name: {"least": 1e3 * min(w for w, _ in t), "median": 1e3 * statistics.median(w for w, _ in t),
                   "cpu": 1e3 * min(c for _, c in t)} for name, t in found.items() if t}


def peers_of(operations, name, threads, repeats, particles, ops=None):
    """ops: those of a peer's that are wanted, where not all are."""
    wanted = [op for o in operations for op in OPERATIONS[o][0] if not ops or op in ops]
    return {(program, op): peer(program, op, name, threads, 1 if op in ("rl7", "conv13", "conv13s") else repeats, particles)
            for program in PEERS for op in dict.fromkeys(wanted)}


def best(times, operation):
    """The peer's times, each of the fastest way that it has; None where there is none."""
    found = [t for key, t in times.items() if isinstance(key, tuple) and key[1] in OPERATIONS[operation][0]]
    return {what: min(t[what] for t in found) for what in ("least", "median", "cpu")} if found else None


def times_as_fast(mine, theirs, threads):
    """By one thread of what processors were used, which other programs disturb less; else of the least time."""
    what = "cpu" if threads == 1 and theirs["cpu"] < math.inf else "least"
    return theirs[what] / mine[what]


def cell(value, digits=2):
    return "" if value in (None, math.inf) else f"{value:.{digits}f}"


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + len(cells) * "---|")


def load():
    return f"load {os.getloadavg()[0]:.1f}"


def compiled(file, images, threads, constants, parameters):
    options = [word for key, value in constants.items() for word in ("--param", f"{key}={value}")]
    words = [*constants.values(), *parameters.values(), threads, images[0].shape[0], images[0].dtype]
    suffix = "_" + "_".join(re.sub(r"\W", "", str(word)) for word in words)
    return ours.compiled(os.path.join(HERE, file + ".flt"), images, threads, options, suffix, **parameters)


def operations(times, particles, threads):
    print(f"\n{threads} thread(s), {particles.n}^3, {particles.count} particles; {load()}.\n")
    head("function", "ms, least", "median", "CPU", "LibAPR, least", "median", "CPU", "times as fast", "asked")
    for name in [name for name in OPERATIONS if name in times]:
        mine, theirs, asked = times[name], best(times, name), OPERATIONS[name][1]
        row(name, *triple(mine, threads), *(triple(theirs, threads) if theirs else 3 * [""]),
            cell(times_as_fast(mine, theirs, threads)) if theirs else "", cell(asked, 1))


def triple(t, threads, digits=2):
    return [cell(t["least"], digits), cell(t["median"], digits), cell(t["cpu"], digits) if threads == 1 else ""]


def added(parts):
    """Times of parts, one after the other; None where one is unknown."""
    return {what: sum(p[what] for p in parts) for what in parts[0]} if all(parts) else None


def filters(times, threads):
    print(f"\nWhole filters, u16 to f32, {threads} thread(s); {load()}.\n")
    head("filter", "ms, least", "median", "CPU", "memory from malloc", "CPU", "its functions alone", "CPU",
         "LibAPR's alone", "CPU", "times as fast")
    one = threads == 1
    for name in [name for name in FILTERS if "filter " + name in times]:
        parts = FILTERS[name][-1]
        mine, alone, sums = times["filter " + name], times["malloc " + name], added([times[p] for p in parts])
        theirs = added([best(times, p) for p in parts])
        row(name, *triple(mine, threads, 1), *(v for t in (alone, sums, theirs) for v in
                                                ((cell(t["least"], 1), cell(t["cpu"], 1) if one else "") if t else 2 * [""])),
            cell(times_as_fast(mine, theirs, threads)) if theirs else "")
    what = "cpu" if one else "least"
    one_step, steps, back = (times["filter " + name][what] for name in ("deconvolve, 1 step", "deconvolve, 5 steps",
                                                                        "there and back"))
    beyond = {n: times[f"filter convolve {n}"][what] - back for n in (3, 5, 7, 13) if f"filter convolve {n}" in times}
    print(f"\nms{' of CPU' if one else ''}: a step more of deconvolve {(steps - one_step) / 4:.1f}; a convolution beyond there "
          "and back: " + ", ".join(f"{n}: {more:.1f}" for n, more in beyond.items()) + ".")


def measure_whole(flt, parts, threads, rounds, repeats):
    """Operations and filters of one volume in one run; 1 where a filter has another result than its functions."""
    wrong = 0
    path, n = volume("cr20")
    particles = Particles(flt, "cr20", threads, np.empty((n, n, n), np.float32))
    wanted = OPERATIONS if threads == 1 else FEW
    contenders = {name: repeated(particles.run[name], repeats, particles.before.get(name, lambda: None)) for name in wanted}
    contenders.update(peers_of(wanted, "cr20", threads, repeats, particles.count))
    if "filters" in parts:
        image = np.fromfile(path, np.uint16).reshape(n, n, n)
        make, made = compiled("construct", [image], threads, {}, {})
        make()
        for name in FILTERS if threads == 1 else FEW_FILTERS:
            file, constants, parameters, _ = FILTERS[name]
            run, results = compiled(file, made if file == "cells" else [image], threads, constants, parameters)
            if name == "convolve 3":
                wrong += differs(particles, run, results[0])
            contenders["filter " + name], contenders["malloc " + name] = repeated(run, repeats), repeated(run.whole, 1)
    times = raced(contenders, rounds)
    if "operations" in parts:
        operations(times, particles, threads)
    if "filters" in parts:
        filters(times, threads)
    return wrong


def differs(particles, run, result):
    """1 where the filter's convolution is not that of the functions, to the bit."""
    run()
    particles.run["convolve 3"]()
    particles.spread(particles.a)
    wrong = not np.array_equal(result, particles.kept)
    if wrong:
        print("WRONG: the filter's convolution differs from that of its functions")
    return int(wrong)


def crossing(points, dense):
    """Where the time of particles reaches that of all pixels: the ratio, between two that are measured, along logarithms;
    the least that is measured, where particles are faster there, too."""
    points = sorted(points)
    if points[0][1] <= dense:
        return points[0][0]
    for (r, t), (s, u) in zip(points, points[1:]):
        if t >= dense > u:
            return math.exp(math.log(r) + math.log(t / dense) / math.log(t / u) * math.log(s / r))
    return None


def memory_limit(particles, rate):
    """ms: 13 bytes a particle and 8 a row."""
    return (13 * particles.count + 8 * particles.rows()) / rate * 1e3


def rate(threads):
    """Bytes read and written a second by a copy past the caches."""
    limits, size = ours.limits(), 1 << 28
    a, b = np.ones(size, np.uint8), np.ones(size, np.uint8)
    found = [contest.timed(lambda: limits.stream(at(b), at(a), ctypes.c_size_t(size), threads)) for _ in range(15)]
    return 2 * size / min(t[threads == 1] for t in found)


def measure_volumes(flt, threads, rounds, repeats):
    names = [name for name in VOLUMES if VOLUMES[name][0] == 256]
    wanted = ["convolve 3", "convolve 5", "flt_apr_spread"]
    kept, bandwidth = np.empty((256, 256, 256), np.float32), rate(threads)
    sets = {name: Particles(flt, name, threads, kept) for name in names}
    dense = {f"dense {n}": repeated(compiled("dense", [sets["cr20"].pixel], threads, {"n": n}, {})[0], repeats) for n in (3, 5)}
    contenders = dict(dense)
    for name, particles in sets.items():
        contenders.update({f"{name} {op}": repeated(particles.run[op], repeats) for op in wanted})
        contenders.update({(name, *key): run for key, run in peers_of(wanted, name, threads, repeats, particles.count, QUICK).items()})
    times, what = raced(contenders, rounds), "cpu" if threads == 1 else "least"
    print(f"\n256^3, {threads} thread(s), ms{' of CPU' if threads == 1 else ''}, the least; copies move "
          f"{bandwidth / 1e9:.0f} GB/s; {load()}.\n")
    head("volume", "pixels a particle", *(c for op in wanted for c in (op, "LibAPR", "times as fast")), "the memory's limit")
    for name, particles in sets.items():
        cells = []
        for op in wanted:
            theirs = best({key[1:]: t for key, t in times.items() if isinstance(key, tuple) and key[0] == name}, op)
            mine = times[f"{name} {op}"]
            cells += [cell(mine[what]), *([cell(theirs[what]), cell(times_as_fast(mine, theirs, threads), 1)] if theirs
                                          else 2 * [""])]
        row(name, cell(256 ** 3 / particles.count), *cells, cell(memory_limit(particles, bandwidth)))
    for n, asked in ((3, ", asked: 7 or less"), (5, "")):
        pixels = times[f"dense {n}"][what]
        even = crossing([(256 ** 3 / p.count, times[f"{name} convolve {n}"][what]) for name, p in sets.items()], pixels)
        print(f"\n{n} x {n} x {n} on all pixels: {pixels:.2f} ms; particles are as fast at {cell(even)} pixels a "
              f"particle{asked}.")


def measure_large(flt, threads, repeats):
    names, wanted = ["cr20", "cr20_512"], ["flt_apr_place", "convolve 3", "convolve 5", "flt_apr_spread"]
    kept = {name: np.empty(3 * [VOLUMES[name][0]], np.float32) for name in names}
    sets = {name: Particles(flt, name, threads, kept[name]) for name in names}
    contenders = {f"{name} {op}": repeated(p.run[op], repeats, p.before.get(op, lambda: None))
                  for name, p in sets.items() for op in wanted}
    contenders.update(peers_of(wanted, "cr20_512", threads, repeats, sets["cr20_512"].count, QUICK))
    times = raced(contenders, 1)  # of runs behind one another: all of this is beyond the caches
    what = "cpu" if threads == 1 else "least"
    print(f"\n512^3, {threads} thread(s), {sets['cr20_512'].count} particles; {load()}.\n")
    head("function", "ms of CPU" if threads == 1 else "ms, least", "ns a particle", "of those at 256^3", "asked",
         "LibAPR, ms", "times as fast")
    for op in wanted:
        small, large = (1e6 * times[f"{name} {op}"][what] / sets[name].count for name in names)
        theirs, mine = best(times, op), times[f"cr20_512 {op}"]
        row(op, cell(mine[what], 1), cell(large), cell(large / small), "1.2 or less",
            *([cell(theirs[what], 1), cell(times_as_fast(mine, theirs, threads))] if theirs else 2 * [""]))


def measure_memory(threads):
    program = built("peak", [], [os.path.join(ours.BUILD, "libfltparticles.a")])
    print("\nThe most memory resident while particles are made, the samples included; asked: 2 or less.\n")
    head("volume", "threads", "function", "MB", "times the samples, f32", "before")
    for name in ("cr1", "cr20", "cr20_512"):
        path, n = volume(name)
        for op in ("create", "place"):
            done = subprocess.run([program, op, path, str(n), str(threads)], check=True, stdout=subprocess.PIPE, text=True)
            size, before, most = map(int, done.stdout.split())
            row(name, str(threads), "flt_apr_" + op, cell(most / 1e6, 0), cell(most / size), cell(before / size))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--repeats", type=int, default=2)
    options.add_argument("--threads", default="1,2")
    options.add_argument("parts", nargs="*", default=PARTS)
    options = options.parse_args()
    os.makedirs(WORK, exist_ok=True)
    if not PEERS:
        print("LIBAPR_PEER IS NOT SET: NOTHING IS COMPARED WITH LIBAPR (the head of adaptive.py tells what it names)")
    flt, counts = library(), [int(t) for t in options.threads.split(",")]
    wrong = 0
    for threads in counts:
        if {"operations", "filters"} & set(options.parts):
            wrong += measure_whole(flt, options.parts, threads, options.rounds, options.repeats)
    if "volumes" in options.parts:
        measure_volumes(flt, 1, options.rounds, options.repeats)
    if "large" in options.parts:
        measure_large(flt, min(counts), options.repeats)
    if "memory" in options.parts:
        measure_memory(min(counts))
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
