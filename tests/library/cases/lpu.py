"""examples/lpu, units that make each coefficient from a part of the picture, against NumPy, which has whole pyramids: sample for
sample."""

import os

import numpy as np

import pictures
from case import Comparison
from cases.integer import collapse, down, up
from program import Program

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples/lpu/lpu.flt")
with open(FILE, encoding="utf-8") as file:
    TEXT = file.read()
BYTES = "image<u8>[y, x]"


def halved(a, printed):
    """The next level of a pyramid: {1, 2, 1} / 4 along both axes, every second sample; ends are repeated."""
    if not printed:
        return down(a, 3)
    a = np.pad(a, 1, mode="edge")
    column = (a[:-2] >> 4) + (a[1:-1] >> 3) + (a[2:] >> 4)
    return (column[:, :-2] + 2 * column[:, 1:-1] + column[:, 2:])[::2, ::2]


def pyramid(a, levels, printed):
    made = [a]
    while len(made) < levels:
        made.append(halved(made[-1], printed))
    return made


def by_definition(a, alpha, beta, sigma, printed):
    """The whole picture is remapped about each of the 256 values; a coefficient is taken from the pyramid of its own."""
    distance, sigma = np.arange(256.0), 255 * sigma
    bent = np.rint(np.where(distance <= sigma, sigma * (distance / sigma) ** alpha,
                            beta * (distance - sigma) + sigma)).astype(np.int64)
    guide = pyramid(a.astype(np.int64), 4, printed)
    detail = [np.empty_like(g) for g in guide[:3]]
    for value in range(256):
        apart = guide[0] - value
        own = pyramid(value + np.where(apart < 0, -1, 1) * bent[abs(apart)], 4, printed)
        for level in range(3):
            here = guide[level] == value
            detail[level][here] = (own[level] - up(own[level + 1], own[level].shape))[here]
    return np.clip(collapse(detail + guide[3:]), 0, 255)


ROWS = ((0.5, 1.0, 0.2, 0), (0.5, 1.0, 0.2, 1), (0.25, 1.0, 0.1, 0), (2.0, 1.0, 0.4, 0), (1.0, 2.5, 0.3, 1))
PROGRAMS = [Program("", f"in : {BYTES}", BYTES, "lpu(in, " + ", ".join(map(str, row)) + ")", before=TEXT) for row in ROWS]
PICTURES = pictures.grey("u8", [(1, 1), (1, 9), (5, 4), (9, 8), (13, 17), (33, 31)], (45, 50))
Comparison("examples/lpu", "NumPy", 0, [(program, PICTURES, by_definition, dict(zip(("alpha", "beta", "sigma", "printed"), row)), {})
                                        for program, row in zip(PROGRAMS, ROWS)])
