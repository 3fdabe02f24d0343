"""Recursive filters against copies of the same image, the same filter line by line, and peers, in interleaved runs.
Signals are as long as images of a size have samples.
Usage: recursive.py [--rounds N] [--sizes 1024,4096,8192] [--slow] [WORKLOAD...]. --slow: peers that take seconds, too."""

import argparse
import os

import cv2
import numpy as np
import scipy.ndimage
import scipy.signal

import contest
import ours

try:
    import peers_halide
except ImportError:
    peers_halide = None
try:
    import SimpleITK as itk
except ImportError:
    itk = None

HERE = os.path.dirname(os.path.abspath(__file__))
SLOW = 1024 * 1024  # samples up to which every peer runs


def spline(order):
    return lambda a, threads: lambda: scipy.ndimage.spline_filter(a, order, output=np.float32, mode="mirror")


def gaussian(sigma):
    def prepare(a, threads):
        out = np.empty_like(a)
        return lambda: cv2.GaussianBlur(a, (0, 0), sigma, dst=out, borderType=cv2.BORDER_REPLICATE)
    return prepare


def butterworth(order, frequency):
    """By rows of second-order sections."""
    sections = scipy.signal.butter(order, 2 * frequency, output="sos")
    return lambda a, threads: lambda: scipy.signal.sosfilt(sections, a)


def there_and_back(order, frequency):
    """By sections, at rest outside."""
    sections = scipy.signal.butter(order, 2 * frequency, output="sos")
    return lambda a, threads: lambda: scipy.signal.sosfilt(sections, scipy.signal.sosfilt(sections, a)[::-1])[::-1]


def itk_gaussian(sigma):
    def prepare(a, threads):
        image, smoothing = itk.GetImageFromArray(a), itk.SmoothingRecursiveGaussianImageFilter()
        smoothing.SetSigma(sigma)
        smoothing.SetNumberOfThreads(threads)
        smoothed = None  # an array view does not keep it

        def run():
            nonlocal smoothed
            smoothed = smoothing.Execute(image)
            return itk.GetArrayViewFromImage(smoothed)
        return run
    return prepare


def halide(task):
    def prepare(a, threads):
        run, results = peers_halide.compiled(task, [a], "hand", threads)

        def both():
            run()
            return results[0]
        return both
    return prepare


def integral(depth):
    """Of whole numbers modulo 2^32."""
    kind = np.uint32 if depth == cv2.CV_32S else np.float32
    return lambda a, threads: lambda: cv2.integral(a, sdepth=depth).view(kind)[1:, 1:]


SIGNALS = {"biquads", "zero_phase"}  # of one axis
# name: (file, type, scalars, {peer: (prepare, slow)}, most difference, as a part of the greatest sample)
WORKLOADS = {
    "bicubic": ("bicubic", np.float32, {}, {"scipy": (spline(3), False)}, 1e-6),
    "biquintic": ("biquintic", np.float32, {}, {"scipy": (spline(5), False)}, 1e-6),
    "gaussian 5": ("gaussian_recursive", np.float32, {"sigma": 5.0},
                   {"opencv": (gaussian(5), False), **({"itk": (itk_gaussian(5), False)} if itk else {})}, 1e-2),
    "gaussian 30": ("gaussian_recursive", np.float32, {"sigma": 30.0},
                    {"opencv": (gaussian(30), True), **({"itk": (itk_gaussian(30), False)} if itk else {})}, 1e-2),
    "iir_blur": ("iir_blur", np.float32, {"alpha": 0.1},
                 {"halide": (halide(peers_halide.iir_blur), False)} if peers_halide else {}, 1e-4),
    "biquads": ("biquads", np.float32, {}, {"scipy": (butterworth(8, 0.1), False)}, 1e-6),
    "zero_phase": ("zero_phase", np.float32, {}, {"scipy": (there_and_back(4, 0.1), False)}, 1e-6),
    "sums": ("sums", np.uint8, {}, {"opencv": (integral(cv2.CV_32S), False)}, 0),
    "sums_float": ("sums_float", np.float32, {}, {"opencv": (integral(cv2.CV_32F), False)}, 1e-3),
}


def measure(library, name, extent, threads, rounds, slow):
    file, dtype, scalars, peers, allowed = WORKLOADS[name]
    random = np.random.default_rng(1)
    shape = (extent * extent,) if name in SIGNALS else (extent, extent)
    image = random.integers(0, 256, shape, dtype) if dtype == np.uint8 else random.random(shape, dtype=dtype)
    path = f"{HERE}/workloads/{file}.flt"
    run, results = ours.compiled(path, [image], threads, **scalars)
    run()
    alone, _ = ours.compiled(path, [image], threads, ("--skip-pass", "segment_recurrences,group_lines,fuse_stages"), "_alone", **scalars)
    found = {"ours": run, "one thread": ours.compiled(path, [image], 1, **scalars)[0], "line by line": alone}
    bytes_moved = (image.nbytes + results[0].nbytes) // 2
    a, b = np.ones(bytes_moved, np.uint8), np.ones(bytes_moved, np.uint8)
    found["memcpy"] = lambda: library.copy(b.ctypes.data, a.ctypes.data, bytes_moved, threads)
    found["stream"] = lambda: library.stream(b.ctypes.data, a.ctypes.data, bytes_moved, threads)
    for peer, (prepare, is_slow) in peers.items():
        if slow or not is_slow or image.size <= SLOW:
            found[peer] = prepare(image, threads)
            apart = np.abs(found[peer]().astype(np.float64) - results[0].astype(np.float64))
            border = tuple(slice(n // 8, -n // 8) for n in shape)
            inside = apart[border].max() / np.abs(results[0]).max()
            assert inside <= allowed, f"{peer} differs by {inside:g} of the greatest sample"
    times = contest.interleaved(found, rounds)
    mine = times["ours"]
    cells = [f"{mine * 1e3:.2f}", f"{mine / times['memcpy']:.2f}", f"{mine / times['stream']:.2f}",
             f"{times['one thread'] / mine:.2f}", f"{times['line by line'] / mine:.2f}",
             "; ".join(f"{p} {times[p] * 1e3:.1f} ({times[p] / mine:.1f})" for p in peers if p in times)]
    print(f"| {name} | {extent * extent / 1e6:.0f} | " + " | ".join(cells) + " |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--sizes", default="1024,4096,8192")
    options.add_argument("--slow", action="store_true")
    options.add_argument("workload", nargs="*", default=list(WORKLOADS))
    options = options.parse_args()
    for name, module in (("Halide", peers_halide), ("ITK", itk)):
        if not module:
            print(f"{name} is not installed: it is left out")
    os.makedirs(ours.WORK, exist_ok=True)
    cv2.setNumThreads(options.threads)
    library = ours.limits()
    print("| filter | Mpx | ms | times a memcpy of the same bytes | times a streaming copy | one thread / ours | line by line / ours | peers: ms (times ours) |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.workload:
        for extent in map(int, options.sizes.split(",")):
            measure(library, name, extent, options.threads, options.rounds, options.slow)


if __name__ == "__main__":
    main()
