"""Prints tables I and II of Khandelwal and others, Accelerating Local Laplacian Filters on FPGAs, 2024, beside what follows from
a count of their clocks and what our filters of integers give, in Markdown. examples/lpu are their units.

    BUILD=$PWD/build /usr/bin/python3 -B tests/library/lpu_tables.py"""

import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np

import program
from local_laplacian_table import INPUTS, PAPER, VALUES, decibels, reduced
from program import Program

CLOCKS_A_MS = 100e6 / 1000
# Megapixels: ms of the three units, one after another, side by side.
LATENCY = {0.25: (133, 64, 49, 246, 133), 0.5: (267, 129, 99, 495, 267), 0.75: (400, 194, 148, 772, 400), 1: (534, 259, 198, 991, 534)}
AS_BUILT = ((21, 9), (45, 9), (93, 23))  # columns of a coefficient's part at each level; clocks to fill the pipeline
NEEDED = (5, 11, 23)
BUS_BITS = 256
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/lpu/lpu.flt")
BYTES = "image<u8>[y, x]"


def as_built(columns, fill):
    """Clocks a coefficient: a column of bytes comes by the bus, and the units take two clocks for one."""
    return columns * max(2, math.ceil(8 * columns / BUS_BITS)) + fill


def milliseconds(megapixels, clocks):
    """Of each level, which has a quarter of the coefficients of the one below."""
    return [megapixels * 2**20 / 4**level * each / CLOCKS_A_MS for level, each in enumerate(clocks)]


def latency():
    print("| MP | L1 | L2 | L3 | in turn | at once | counted L1 | L2 | L3 | parts of 5, 11, 23 | a sample a clock |\n" + "|---" * 11 + "|")
    for size, row in LATENCY.items():
        counted = milliseconds(size, [as_built(*part) for part in AS_BUILT])
        least = max(milliseconds(size, NEEDED))
        print(f"| {size} | " + " | ".join(map(str, row)) + " | " + " | ".join(f"{each:.1f}" for each in counted) +
              f" | {least:.1f} | {size * 2**20 / CLOCKS_A_MS:.1f} |")


def accuracy():
    with open(FOLDER, encoding="utf-8") as file:
        units = file.read()
    defined = Program("local_laplacian", INPUTS, "image<f32>[y, x]",
                      "clamp(local_laplacian_reference(in, alpha, beta, sigma, levels = 4), 0, 1)")
    settings = [(1.0, 1.0, sigma) if VALUES[name][k] == 1 else (value, 1.0, sigma) if name == "alpha" else (1.0, value, sigma)
                for (sigma, name) in PAPER for k, value in enumerate(VALUES[name])]
    made = {}
    for setting in settings:
        chosen = ", ".join(map(str, setting))
        made[setting] = [Program("local_laplacian", f"in : {BYTES}", BYTES,
                                 f"local_laplacian_integer(in, {chosen}, samples = {samples}, taps = {taps})")
                         for taps, samples in ((3, 8), (3, 16), (3, 32), (5, 16))]
        made[setting] += [Program("", f"in : {BYTES}", BYTES, f"lpu(in, {chosen}, {printed})", before=units) for printed in (0, 1)]
    for _, message in program.compile_all():
        sys.exit(message)
    bytes_of = [np.rint(255 * a).astype(np.uint8) for a in reduced()]
    print("| sigma | alpha | beta | 8 samples | 16 | 32 | 16, 5 taps | units | as printed | paper |\n" + "|---" * 10 + "|")
    figures = [figure for row in PAPER.values() for figure in row]
    for (alpha, beta, sigma), figure in zip(settings, figures):
        must_be = [defined((a / 255.0).astype(np.float32), alpha=alpha, beta=beta, sigma=sigma) for a in bytes_of]
        cells = [decibels([np.mean((filter_(a) / 255.0 - b) ** 2) for a, b in zip(bytes_of, must_be)])
                 for filter_ in made[alpha, beta, sigma]]
        print(f"| {sigma} | {alpha:g} | {beta:g} | " + " | ".join(cells) + f" | {figure} |", flush=True)


latency()
print()
accuracy()
