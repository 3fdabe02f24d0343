"""Filters against the machine's limits, in interleaved runs: copies of as many bytes, twice the threads, four times the
samples. Usage: limits.py [--rounds N] [--threads N] [--working-set MIB]."""

import argparse
import ctypes
import math
import os

import numpy as np

import contest
import ours

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(1)
TYPES = {"blur": np.uint16, "gaussian5": np.uint8, "sobel": np.uint8, "median3": np.uint8, "disc": np.uint8,
         "opening15": np.uint8, "equalization": np.uint8, "wavelet": np.float32}


def image_of(name, extent):
    if TYPES[name] == np.float32:
        return random.random((extent, extent), dtype=np.float32)
    return random.integers(0, np.iinfo(TYPES[name]).max, (extent, extent), TYPES[name], endpoint=True)


def workload(name, image, threads):
    return ours.compiled(f"{HERE}/workloads/{name}.flt", [image], threads)


def against_copies(library, threads, rounds, working_set):
    """Milliseconds of a filter, and of copies that move as many bytes. working_set: bytes, at least."""
    print("| filter | extent | bytes read and written | filter | memcpy | streaming stores | filter's rate / memcpy's |")
    print("|---|---|---|---|---|---|---|")
    for name, sample in (("blur", 4), ("sobel", 3), ("gaussian5", 2)):  # bytes read and written
        extent = max(8192, 64 * math.ceil(math.sqrt(working_set / sample) / 64))
        image = image_of(name, extent)
        run, results = workload(name, image, threads)
        moved = image.nbytes + sum(r.nbytes for r in results)
        a, b = np.ones(moved // 2, np.uint8), np.ones(moved // 2, np.uint8)
        times = contest.interleaved({
            "filter": run, "memcpy": lambda: library.copy(b.ctypes.data, a.ctypes.data, moved // 2, threads),
            "stream": lambda: library.stream(b.ctypes.data, a.ctypes.data, moved // 2, threads)}, rounds)
        print(f"| {name} | {extent} | {moved / 1e6:.0f} MB | {times['filter'] * 1e3:.2f} | {times['memcpy'] * 1e3:.2f} | "
              f"{times['stream'] * 1e3:.2f} | {times['memcpy'] / times['filter']:.2f} |", flush=True)


def by_size_and_threads(library, threads, rounds):
    steps = 100000
    print(f"\n| filter | 16 Mpx, 1 thread | 16 Mpx, {threads} threads | 64 Mpx, {threads} threads | times faster by threads | "
          "time a sample, 64 / 16 Mpx |")
    print("|---|---|---|---|---|---|")
    gains = {}
    for name in TYPES:
        small, large = image_of(name, 4096), image_of(name, 8192)
        times = contest.interleaved({
            "one": workload(name, small, 1)[0], "more": workload(name, small, threads)[0],
            "large": workload(name, large, threads)[0],
            "arithmetic, one": lambda: library.arithmetic(steps, 1),
            "arithmetic": lambda: library.arithmetic(steps, threads)}, rounds)
        gains[name] = times["arithmetic, one"] / times["arithmetic"]
        print(f"| {name} | {times['one'] * 1e3:.2f} | {times['more'] * 1e3:.2f} | {times['large'] * 1e3:.2f} | "
              f"{times['one'] / times['more']:.2f} of {gains[name]:.2f} | {times['large'] / times['more'] / 4:.2f} |", flush=True)
    print("\n'of': what arithmetic without memory gains by the same threads, in the same run.")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--working-set", type=int, default=0, help="MiB that the filters against copies move, at least")
    options = options.parse_args()
    os.makedirs(ours.WORK, exist_ok=True)
    library = ours.limits()
    against_copies(library, options.threads, options.rounds, options.working_set << 20)
    by_size_and_threads(library, options.threads, options.rounds)


main()
