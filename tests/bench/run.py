"""Filters against the peers that a user would pick, and against a copy of the same image: one interleaved run.

Usage: run.py [--rounds N] [--threads N] [--tune SECONDS] [WORKLOAD...]. Prints a table, writes build/bench.json. Ratios are the peer's time
divided by ours: above 1 ours is faster."""

import argparse
import ctypes
import json
import math
import os
import platform
import statistics
import sys
import warnings

sys.dont_write_bytecode = True
import numpy as np  # noqa: E402

import contest  # noqa: E402
import ours  # noqa: E402

try:
    import peers_opencv
except ImportError:
    peers_opencv = None
try:
    import peers_halide
except ImportError:
    peers_halide = None

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(1)


def bytes_of(*shape):
    return random.integers(0, 256, shape, dtype=np.uint8)


# name: (image, most difference that peers may have)
WORKLOADS = {
    "blur": (random.integers(0, 65536, (4800, 6400), dtype=np.uint16), 0),
    "gaussian5": (bytes_of(4096, 4096), 1),
    "sobel": (bytes_of(4096, 4096), 0),
    "median3": (bytes_of(4096, 4096), 0),
    "opening15": (bytes_of(4096, 4096), 0),
    "equalization": (bytes_of(4096, 4096), 1),
    "unsharp": (random.random((3, 2560, 1536), dtype=np.float32), 1e-4),
    "harris": (random.random((3, 2560, 1536), dtype=np.float32), 1e-4),
    "local_laplacian8": (np.clip(0.5 + 0.3 * np.sin(np.add.outer(np.arange(2560), np.arange(1536)) / 37) +
                                 0.1 * random.standard_normal((2560, 1536)), 0, 1).astype(np.float32), 1e-3),
    "interpolate": (np.concatenate([random.random((3, 2560, 1536), dtype=np.float32), np.where(
        random.random((1, 2560, 1536)) < 0.3, 1, 0).astype(np.float32)]), 1e-4),
    "disc": (bytes_of(4096, 4096), 0),
    "wavelet": (random.random((2560, 1536), dtype=np.float32), 1e-6),
    "resize": (random.random((2560, 1536), dtype=np.float32), 1e-4),
    "bilateral_grid": (random.random((2560, 1536), dtype=np.float32), 1e-4),
    "nl_means": (random.random((3, 1536, 1024), dtype=np.float32), 1e-4),
    # The curve may differ by 1, which sharpening triples.
    "camera": (random.integers(0, 1024, (1968, 2592), dtype=np.uint16), 3),
    "stencil_chain": (random.integers(0, 65536, (2560, 1536), dtype=np.uint16), 0),
}


# Of the others, the interpolation did not finish within 150 seconds; no more were tried.
ADAMS_FINISHES = {"blur", "gaussian5", "sobel", "median3", "unsharp", "harris", "wavelet"}


def contenders(name, image, threads, tune):
    """name → (run, results), and what is missing and why. tune: seconds to try schedules."""
    path = f"{HERE}/workloads/{name}.flt"
    found, missing = {"ours": ours.compiled(path, [image], threads)}, {}
    if image.dtype == np.float32:
        found["ours, fast"] = ours.compiled(path, [image], threads, ["--fast"], suffix="_fast")
    if tune:
        found["ours, tuned"] = ours.compiled(ours.tuned(path, image, threads, tune), [image], threads)
    if peers_halide is None:
        missing["halide"] = "not installed"
    elif hasattr(peers_halide, name):
        ways = ("hand", "auto") + (("adams",) if name in ADAMS_FINISHES else ())
        strict = tuple(f"{by}, strict" for by in ways) if image.dtype == np.float32 else ()
        for by in ways + strict:
            try:
                found[f"halide {by}"] = peers_halide.compiled(getattr(peers_halide, name), [image], by, threads)
            except Exception as problem:  # what a peer cannot do is told
                missing[f"halide {by}"] = str(problem).strip().splitlines()[0]
    if peers_opencv is None:
        missing["opencv"] = "not installed"
    elif hasattr(peers_opencv, name):
        found["opencv"] = getattr(peers_opencv, name)(image)
    return found, missing


MARGIN = 40  # near the border peers may apply its rule to other stages


def difference(results, others):
    def inside(a):
        return a[..., MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float64)
    return max(float(np.max(np.abs(inside(a) - inside(b)))) for a, b in zip(results, others))


def measure(name, threads, rounds, tune):
    image, allowed = WORKLOADS[name]
    found, missing = contenders(name, image, threads, tune)
    copy = np.empty_like(image)
    found["copy, 1 thread"] = lambda: np.copyto(copy, image), None
    times = contest.interleaved({n: run for n, (run, _) in found.items()}, rounds)
    apart = {n: difference(found["ours"][1], results) for n, (_, results) in found.items() if results and n != "ours"}
    for peer, d in apart.items():
        if not d <= allowed:
            missing[peer] = f"its result differs by {d:g}"
            del times[peer]
    return {"seconds": times, "missing": missing, "difference": apart, "samples": image.size}


def show(name, row):
    mine = row["seconds"]["ours"]
    cells = [f"{peer} {seconds * 1e3:.2f} ({seconds / mine:.2f})" for peer, seconds in row["seconds"].items() if peer != "ours"]
    print(f"{name:<16} {mine * 1e3:8.2f} ms   " + "   ".join(cells), flush=True)
    for peer, why in row["missing"].items():
        print(f"{'':<16} {peer}: {why}", flush=True)


def mean_ratio(rows, peers, mine="ours"):
    """Geometric mean of the better peer's time over ours, of rows that have one."""
    ratios = [min(row["seconds"][p] for p in peers if p in row["seconds"]) / row["seconds"][mine]
              for row in rows.values() if any(p in row["seconds"] for p in peers)]
    return (math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios), len(ratios)) if ratios else None


def keep_memory():
    """Peers take their intermediate images from malloc at each call: what is freed stays with the process, so that
    nobody is charged for fresh pages. Ours has its scratch memory from the caller."""
    trim_threshold, mmap_max = -1, -4  # of glibc's mallopt
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt") or not (libc.mallopt(trim_threshold, 2**31 - 1) and libc.mallopt(mmap_max, 0)):
        print("malloc gives pages back: peers are charged for fresh ones")


def main():
    keep_memory()
    warnings.simplefilter("ignore")  # Halide tells of each constant that it rounds
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--tune", type=float, default=0, help="seconds to try schedules of each workload")
    options.add_argument("workloads", nargs="*")
    options = options.parse_args()
    os.makedirs(ours.WORK, exist_ok=True)
    if peers_opencv:
        peers_opencv.cv2.setNumThreads(options.threads)
    print(f"{platform.machine()}, {options.threads} threads, medians of {options.rounds}; in parentheses: times ours")
    rows = {}
    for name in options.workloads or WORKLOADS:
        rows[name] = measure(name, options.threads, options.rounds, options.tune)
        show(name, rows[name])
    ways = ("halide hand", "halide auto", "halide adams")
    floats = {n: row for n, row in rows.items() if WORKLOADS[n][0].dtype == np.float32}
    exact = {n: row for n, row in rows.items() if n not in floats}
    print("The best of Halide's schedules:")
    for title, some, peers, mine in (("of integers", exact, ways, "ours"),
                                     ("of floats, all as written", floats, tuple(f"{w}, strict" for w in ways), "ours"),
                                     ("of floats, all free to contract and reassociate", floats, ways, "ours, fast"),
                                     ("OpenCV", rows, ("opencv",), "ours")):
        mean = mean_ratio(some, peers, mine)
        if mean:
            print(f"{title}: geometric mean {mean[0]:.2f}, least {mean[1]:.2f}, of {mean[2]}")
    apart = [row["seconds"]["ours"] / row["seconds"]["ours, tuned"] for row in rows.values() if "ours, tuned" in row["seconds"]]
    if apart:
        print(f"Automatic over tuned: median {statistics.median(apart):.2f}, most {max(apart):.2f}, of {len(apart)}")
    with open(os.path.join(ours.BUILD, "bench.json"), "w") as file:
        json.dump({"threads": options.threads, "rounds": options.rounds, "workloads": rows}, file, indent=1)


if __name__ == "__main__":
    main()
