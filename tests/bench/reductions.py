"""Reductions over extents beside NumPy and SciPy, by one thread, in interleaved runs; the size of the C and how long gcc
takes for it. Exit status 1 where a result differs from the peer's, or the time is beyond 1.5 times the peer's.
Usage: reductions.py [--rounds N] [WORKLOAD...]."""

import os
import subprocess
import sys
import time

import numpy as np
import scipy.ndimage
import scipy.signal

import contest
import ours

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(1)
MOST = 1.5


def merge_exposures(shots, times):
    weight = np.minimum(np.arange(256) + 1, 256 - np.arange(256)).astype(np.float32)[shots]
    light = shots / np.float32(255) / times[:, None, None, None]
    return [(weight * light).sum(0) / weight.sum(0)]


def deconvolve(image, psf):
    kernel, out = psf / psf.sum(), np.full_like(image, 0.5)
    for _ in range(10):
        seen = scipy.ndimage.convolve(out, kernel, mode="reflect")
        out = out * scipy.ndimage.correlate(image / (seen + np.float32(1e-12)), kernel, mode="reflect")
    return [out]


def grey_world(image):
    total = image.sum((0, 1)).astype(np.float64)
    return [np.clip(np.rint(image * (total.sum() / 3 / total)), 0, 255).astype(np.uint8)]


def find_template(image, template):
    f, t = image.astype(np.float64), template - template.mean()
    ones = np.ones_like(t)
    both, s, squares = (scipy.signal.correlate(a, k, "valid") for a, k in ((f, t), (f, ones), (f * f, ones)))
    score = both / np.sqrt(np.maximum((squares - s * s / t.size) * (t * t).sum(), 1e-9))
    return [score, *np.unravel_index(score.argmax(), score.shape)]


def pearson(a, b):
    a, b = a - a.mean(), b - b.mean()
    return [(a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())]


def reals(*shape):
    return random.random(shape, dtype=np.float32)


def integers(dtype, *shape):
    return random.integers(0, np.iinfo(dtype).max, shape, dtype=dtype)


PICTURE = integers(np.uint8, 256, 256)
PAIR = integers(np.uint16, 2048, 2048)
WORKLOADS = { # name: inputs, scalars, the peer, the most that results may differ
    "mean_projection": ([reals(20, 512, 512)], {}, lambda a: [a.mean(0)], 1e-6),
    "max_projection": ([reals(20, 512, 512)], {}, lambda a: [a.max(0)], 0),
    "merge_exposures": ([integers(np.uint8, 5, 512, 512, 3), np.float32([.01, .02, .04, .08, .16])], {}, merge_exposures, 1e-4),
    "deconvolve": ([reals(512, 512), reals(7, 7)], {"steps": 10}, deconvolve, 1e-4),
    "grey_world": ([integers(np.uint8, 1024, 1024, 3)], {}, grey_world, 1),
    "find_template": ([PICTURE, PICTURE[60:76, 70:86].copy()], {}, find_template, 1e-6),
    "pearson": ([PAIR, PAIR // 2 + integers(np.uint8, 2048, 2048)], {}, pearson, 1e-9),
}


def measure(name, rounds):
    images, scalars, peer, error = WORKLOADS[name]
    path = os.path.join(HERE, "reductions", name + ".flt")
    run, results = ours.compiled(path, images, 1, **scalars)
    run()
    wrong = any(np.abs(np.asarray(a, dtype=np.float64) - b).max() > error for a, b in zip(results, peer(*images)))
    base = os.path.join(ours.WORK, name)
    began = time.perf_counter()
    subprocess.run(["gcc", "-std=c99", "-O2", "-fopenmp", "-c", base + ".c", "-o", base + ".o"], check=True)
    gcc = time.perf_counter() - began
    times = contest.interleaved({"ours": run, "peer": lambda: peer(*images)}, rounds)
    ratio = times["ours"] / times["peer"]
    print(f"| {name} | {1e3 * times['ours']:.2f} | {1e3 * times['peer']:.2f} | {ratio:.2f} | "
          f"{os.path.getsize(base + '.c') / 1000:.1f} | {gcc:.2f} |{' WRONG' if wrong else ''}", flush=True)
    return not wrong and ratio <= MOST


def main():
    arguments = contest.arguments(WORKLOADS, ours.WORK)
    print("| workload | ours, ms | NumPy or SciPy, ms | ratio | C, KB | gcc -O2, s |\n|---|---|---|---|---|---|")
    good = [measure(name, arguments.rounds) for name in arguments.workloads]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
