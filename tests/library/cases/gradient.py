"""std.gradient against SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, TWO_RULES, ZERO_OUTSIDE, compare

# SciPy and OpenCV: the slope along x (gx), then along y.
PAIR = "(gx : image<f32>[y, x], gy : image<f32>[y, x])"


def call(name, of="in"):
    return f"e = {name}({of}); gx = e.gx; gy = e.gy;"


def scipy(function):
    return lambda a, mode: tuple(function(a.astype(np.float64), axis=axis, mode=mode) for axis in (1, 0))


def opencv(function):
    return lambda a, mode: tuple(function(a, cv2.CV_64F, dx, 1 - dx, borderType=mode) for dx in (1, 0))


compare("gradient.sobel", call("sobel"), "SciPy", scipy(ndimage.sobel), 2e-6, borders=ZERO_OUTSIDE, result=PAIR)
compare("gradient.sobel", call("sobel"), "OpenCV", opencv(cv2.Sobel), 2e-6, borders=OPENCV, result=PAIR)
compare("gradient.sobel", call("sobel", "f32(in)"), "OpenCV u8", opencv(cv2.Sobel), 0, borders=OPENCV, result=PAIR,
        images=pictures.grey("u8"), inputs="in : image<u8>[y, x]")
compare("gradient.prewitt", call("prewitt"), "SciPy", scipy(ndimage.prewitt), 2e-6, borders=ZERO_OUTSIDE, result=PAIR)
compare("gradient.scharr", call("scharr"), "OpenCV", opencv(cv2.Scharr), 4e-6, borders=OPENCV, result=PAIR)
compare("gradient.sobel_magnitude", "sobel_magnitude(in)", "SciPy",
        lambda a, mode: ndimage.generic_gradient_magnitude(a.astype(np.float64), ndimage.sobel, mode=mode), 2e-6,
        borders=ZERO_OUTSIDE)
compare("gradient.laplacian", "laplacian(in)", "SciPy", lambda a, mode: ndimage.laplace(a.astype(np.float64), mode=mode),
        2e-6, borders=ZERO_OUTSIDE)
compare("gradient.laplacian", "laplacian(in)", "OpenCV",
        lambda a, mode: cv2.Laplacian(a.astype(np.float64), cv2.CV_64F, ksize=1, borderType=mode), 2e-6, borders=OPENCV)
compare("gradient.laplacian3", "laplacian3(in)", "SciPy",
        lambda a, mode: ndimage.laplace(a.astype(np.float64), mode=mode), 4e-6, borders=ZERO_OUTSIDE,
        images=pictures.volumes("f32"), inputs="in : image<f32>[z, y, x]", result="image<f32>[z, y, x]")

STENCILS = [(image, stencil) for image in pictures.grey("f32", pictures.SMALL, crop=(23, 25))
            for stencil in [np.random.default_rng(7).random(s, np.float32) - np.float32(0.5)
                            for s in [(1, 1), (1, 4), (3, 3), (2, 5), (5, 4)]]]
compare("gradient.correlate", "correlate(in, stencil)", "SciPy",
        lambda a, k, mode: ndimage.correlate(a.astype(np.float64), k.astype(np.float64), mode=mode, cval=0.25), 2e-6,
        borders={**TWO_RULES, "constant(0.25)": "constant"}, images=STENCILS, inputs="in : image<f32>[y, x], stencil : image<f32>[v, u]")
