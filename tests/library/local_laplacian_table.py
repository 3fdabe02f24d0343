"""Prints how near the sampled local Laplacian filter comes to its definition, for the parameters of table II of
Khandelwal and others, Accelerating Local Laplacian Filters on FPGAs, 2024, beside the figures there, in Markdown.

    BUILD=$PWD/build /usr/bin/python3 -B tests/library/local_laplacian_table.py"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cv2
import numpy as np

import pictures
import program
from program import Program

PAPER = {(0.1, "alpha"): (45.5, 48.03, 48.33), (0.2, "alpha"): (40.55, 44.88, 46.12), (0.4, "alpha"): (34.75, 40.19, 40.88),
         (0.1, "beta"): (40.56, 45.42, 49.98), (0.2, "beta"): (43.13, 47.37, 49.98), (0.4, "beta"): (49.94, 49.11, 49.98)}
VALUES = {"alpha": (0.25, 0.5, 2.0), "beta": (0.0, 0.5, 1.0)}
INPUTS = "in : image<f32>[y, x], param alpha : f32, param beta : f32, param sigma : f32"
SIDE, LEVELS = 88, 5


def reduced():
    """Two real pictures, small: the grey camera man and the green channel of the cup of coffee."""
    images = [cv2.resize(pictures.real("f32", name, (400, 400), color), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
              for name, color in (("camera.png", False), ("coffee.png", True))]
    return [image if image.ndim == 2 else np.ascontiguousarray(image[..., 1]) for image in images]


def decibels(squares):
    """Of mean squares of differences; the greatest sample is 1."""
    return "∞" if max(squares) < 1e-12 else f"{-10 * np.log10(np.mean(squares)):.1f}"


def main():
    sampled = {n: Program("local_laplacian", INPUTS, "image<f32>[y, x]",
                          f"local_laplacian(in, alpha, beta, sigma, levels = {LEVELS}, samples = {n})") for n in (8, 16)}
    defined = Program("local_laplacian", INPUTS, "image<f32>[y, x]",
                      f"local_laplacian_reference(in, alpha, beta, sigma, levels = {LEVELS})")
    for _, message in program.compile_all():
        sys.exit(message)
    lines = reduced()

    def apart(n, **options):
        return decibels([np.mean((sampled[n](a, **options).astype(np.float64) - defined(a, **options)) ** 2) for a in lines])

    print(f"| sigma | parameter | value | 8 samples | 16 samples | paper |\n|---|---|---|---|---|---|")
    for (sigma, name), figures in PAPER.items():
        for value, figure in zip(VALUES[name], figures):
            options = {"alpha": 1.0, "beta": 1.0, "sigma": sigma, name: value}
            print(f"| {sigma} | {name} | {value:g} | {apart(8, **options)} | {apart(16, **options)} | {figure} |", flush=True)


if __name__ == "__main__":
    main()
