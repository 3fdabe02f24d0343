"""std.adaptive against SciPy, where all particles are pixels, and of pixels themselves; laws where they are not."""

import numpy as np
from scipy import ndimage

import pictures
from case import compare, holds
from program import Program

BORDERS = {"nearest": "nearest", "mirror": "mirror", "zero": "constant"}
VOLUME = "image<f32>[z, y, x]"
random = np.random.default_rng(3)
NOISE = [random.random(shape, np.float32) for shape in [(1, 9, 7), (5, 6, 9), (16, 11, 13)]]


def gaussian(a, mode, sigma):
    places = np.arange(-9, 10)
    bell = np.exp(-places ** 2 / (2 * float(np.float32(sigma)) ** 2))
    for axis in range(3):
        a = ndimage.correlate1d(a.astype(np.float64), bell / bell.sum(), axis, mode=mode)
    return a


def gradient(a, mode):
    return np.sqrt(sum(ndimage.correlate1d(a.astype(np.float64), [-0.5, 0, 0.5], axis, mode=mode) ** 2 for axis in range(3)))


def deviation(a, mode):
    def mean(v):
        for axis in range(3):
            v = ndimage.correlate1d(v, np.full(5, 0.2), axis, mode=mode)
        return v
    a = a.astype(np.float64)
    return np.sqrt(np.maximum(mean((a - mean(a)) ** 2), 0))


def richardson_lucy(a, psf, mode):
    psf = np.pad(psf.astype(np.float64), [(3 - n // 2, 3 - (n - 1 - n // 2)) for n in psf.shape])
    psf /= psf.sum()
    a = a.astype(np.float64)
    e = a
    for _ in range(3):
        seen = ndimage.convolve(e, psf, mode=mode)
        e = e * ndimage.correlate(a / np.maximum(seen, 1e-30), psf, mode=mode)
    return e


for name, of in {"pixels": "in", "particles": "to_apr(in, error = 0.000001, lambda = 0)"}.items():
    def of_kind(call, kind=name):
        return call if kind == "pixels" else f"to_pixels({call})"

    known = {"borders": BORDERS, "images": NOISE, "inputs": f"in : {VOLUME}", "result": VOLUME, "modules": "adaptive"}
    of_sigma = {**known, "options": [{"sigma": 0.7}, {"sigma": 2.5}], "inputs": f"in : {VOLUME}, param sigma : f32"}
    compare("adaptive.adaptive_gaussian", of_kind(f"adaptive_gaussian({of}, sigma)"), f"SciPy, {name}", gaussian, 1e-6, **of_sigma)
    compare("adaptive.adaptive_unsharp", of_kind(f"adaptive_unsharp({of}, sigma, 2)"), f"SciPy, {name}",
            lambda a, mode, sigma: 3 * a.astype(np.float64) - 2 * gaussian(a, mode, sigma), 3e-6, **of_sigma)
    compare("adaptive.adaptive_foreground", of_kind(f"adaptive_foreground({of}, sigma)"), f"SciPy, {name}",
            lambda a, mode, sigma: np.maximum(a - gaussian(a, mode, sigma), 0), 1e-6, **of_sigma)
    compare("adaptive.adaptive_gradient", of_kind(f"adaptive_gradient({of})"), f"SciPy, {name}", gradient, 1e-6, **known)
    compare("adaptive.adaptive_deviation", of_kind(f"adaptive_deviation({of})"), f"SciPy, {name}", deviation, 3e-6, **known)
    compare("adaptive.richardson_lucy", of_kind(f"richardson_lucy({of}, psf, 3)"), f"NumPy, {name}", richardson_lucy, 1e-5,
            **{**known, "inputs": f"in : {VOLUME}, psf : image<f32>[w, v, u]",
               "images": [(a, p) for a in NOISE for p in [np.ones((3, 3, 3), np.float32), random.random((1, 4, 7), np.float32)]]})


def light_that_is_lost(program):
    """Of spots on an even ground, with cells of several sizes."""
    worst = 0
    for shape in [(16, 24, 20), (9, 31, 40)]:
        a = np.full(shape, 100, np.float32)
        a[shape[0] // 2, 10:13, 8:12] = 3000
        b = program(a, np.ones((3, 3, 3), np.float32))
        worst = max(worst, abs(float(b.sum(dtype=np.float64) / a.sum(dtype=np.float64)) - 1))
    return worst


holds("adaptive.richardson_lucy keeps the light", light_that_is_lost, 0.01,
      Program("adaptive", f"in : {VOLUME}, psf : image<f32>[w, v, u]", VOLUME,
              "to_pixels(richardson_lucy(to_apr(in, sigma_min = 100, gradient_min = 15), psf, 5))", "mirror"))
