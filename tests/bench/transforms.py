"""Transforms beside SciPy's and OpenCV's, and FFTW's r2c (planned by MEASURE) where Debian's libfftw3f is there, by one thread, in
interleaved runs. Exit status 1 where a result differs from SciPy's.
Usage: transforms.py [--rounds N] [WORKLOAD...]."""

import ctypes
import ctypes.util
import os
import sys

import cv2
import numpy as np
import scipy.fft

import contest
import ours

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(1)
cv2.setNumThreads(1)
SIZES = {"threshold": [(512, 512), (1024, 1024), (2048, 2048), (4096, 4096), (1088, 1920), (1009, 1013), (2187, 1875)],
         "denoise": [(1024, 1024), (2048, 2048)],
         "rows": [(1024, 4096), (1024, 4099)], "volume": [(256, 256, 256)], "line": [(1 << 16,), (1 << 20,), (1 << 22,)]}
TWO = ("denoise", "volume")
FORMS = ["", "quadruple", "mirrored", "padded", "reordered", "three_stages"]


def threshold(transform):
    def run(a):
        s = transform(a)
        s[np.abs(s) < 0.1] = 0
        return s
    return run


def denoise(a):
    return scipy.fft.dctn(threshold(lambda b: scipy.fft.dctn(b, norm="ortho"))(a), type=3, norm="ortho")


SCIPY = {"threshold": threshold(lambda a: scipy.fft.dctn(a, norm="ortho")), "denoise": denoise,
         "rows": lambda a: scipy.fft.dct(a, axis=1, norm="ortho"), "volume": lambda a: scipy.fft.dctn(a, norm="ortho"),
         "line": lambda a: scipy.fft.dct(a, norm="ortho")}


def fftw(a):
    """A function that transforms the image as FFTW's real transform does, or None."""
    path = ctypes.util.find_library("fftw3f")
    if not path:
        return None
    library = ctypes.CDLL(path)
    library.fftwf_plan_dft_r2c.restype = ctypes.c_void_p
    image, spectrum = a.copy(), np.empty((*a.shape[:-1], a.shape[-1] // 2 + 1), dtype=np.complex64)
    pointers = [ctypes.c_void_p(image.ctypes.data), ctypes.c_void_p(spectrum.ctypes.data)]
    shape = (ctypes.c_int * a.ndim)(*a.shape)
    plan = ctypes.c_void_p(library.fftwf_plan_dft_r2c(a.ndim, shape, *pointers, ctypes.c_uint(0)))
    return lambda: (library.fftwf_execute(plan), image, spectrum)


def measure(name, shape, rounds, threads=1):
    image = random.standard_normal(shape, dtype=np.float32)
    path = os.path.join(HERE, "transforms", name + ".flt")
    run, results = ours.compiled(path, [image], threads, suffix=f"_{threads}_" + "x".join(map(str, shape)))
    run()
    expected = SCIPY[name](image)
    # A coefficient beside the threshold may fall on its other side.
    apart = np.abs(results[0] - expected)
    wrong = np.count_nonzero(apart > 1e-4 * np.abs(expected).max()) > expected.size // 100000 + 8
    contestants = {"ours": run, "SciPy": lambda: SCIPY[name](image)}
    if name in ("threshold", "denoise") and shape[0] % 2 == 0 and shape[1] % 2 == 0:
        contestants["OpenCV"] = lambda: cv2.dct(image)
    bare = fftw(image)
    if bare:
        contestants["FFTW r2c"] = bare
    if threads > 1:
        contestants["one thread"] = ours.compiled(path, [image], 1, suffix="_1_" + "x".join(map(str, shape)))[0]
    times = contest.interleaved(contestants, rounds)
    cells = [f"{times['ours'] / times[peer]:.2f}" if peer in times else "" for peer in ("SciPy", "OpenCV", "FFTW r2c")]
    if threads > 1:
        cells.append(f"{times['ours'] / times['one thread']:.2f}")
    print(f"| {name} | {' x '.join(map(str, shape))} | {1e3 * times['ours']:.2f} | {' | '.join(cells)} |{' WRONG' if wrong else ''}", flush=True)
    return not wrong


def measure_forms(rounds):
    """The ways of the paper by which a cosine transform is computed, of rows and of two axes."""
    runs, images = {}, {}
    for name, body, shape in (("rows", "dct(in, [x], norm = none)", (1024, 1024)), ("both axes", "dct(in, [y, x], norm = none)", (1024, 1024))):
        image = images.setdefault(name, random.standard_normal(shape, dtype=np.float32))
        for form in FORMS:
            if name == "both axes" and form not in ("", "three_stages"):
                continue
            path = os.path.join(ours.WORK, f"form_{name.replace(' ', '_')}_{form or 'line'}.flt")
            with open(path, "w") as file:
                file.write(f"filter form(in : image<f32>[y, x]) -> out : image<f32>[y, x] {{ out = {body}; }}\n")
                file.write(f"schedule form for c {{ transform out as {form}; }}\n" if form else "")
            runs[name, form] = ours.compiled(path, [image], 1)[0]
    times = contest.interleaved(runs, rounds)
    print("\n| lines | form | ms | of that within lines |\n|---|---|---|---|")
    for name, form in runs:
        print(f"| {name} | {form or 'within lines'} | {1e3 * times[name, form]:.2f} | {times[name, form] / times[name, '']:.2f} |")


def main():
    arguments = contest.arguments(SIZES, ours.WORK)
    print("| workload | size | ours, ms | of SciPy's time | of OpenCV's dct alone | of FFTW's r2c alone |\n|---|---|---|---|---|---|")
    good = [measure(name, shape, arguments.rounds) for name in arguments.workloads for shape in SIZES[name]]
    print("\nBy two threads; the last column: of ours by one.")
    good += [measure(name, shape, arguments.rounds, 2) for name in arguments.workloads for shape in SIZES[name] if name in TWO]
    measure_forms(arguments.rounds)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
