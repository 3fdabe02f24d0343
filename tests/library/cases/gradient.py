"""std.gradient against SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, SCIPY, compare

# SciPy filters a constant border's picture once along each axis, so only 0 means the same in both.
SEPARABLE = {**{r: m for r, m in SCIPY.items() if m != "constant"}, "zero": "constant"}


def scipy(function, axis):
    return lambda a, mode: function(a.astype(np.float64), axis=axis, mode=mode)


def scharr(dx):
    return lambda a, mode: cv2.Scharr(a, cv2.CV_64F, dx, 1 - dx, borderType=mode)


for axis, name in enumerate("yx"):
    compare(f"gradient.sobel_{name}", f"sobel_{name}(in)", "SciPy", scipy(ndimage.sobel, axis), 2e-6, borders=SEPARABLE)
    compare(f"gradient.prewitt_{name}", f"prewitt_{name}(in)", "SciPy", scipy(ndimage.prewitt, axis), 2e-6,
            borders=SEPARABLE)
    compare(f"gradient.scharr_{name}", f"scharr_{name}(in)", "OpenCV", scharr(axis), 4e-6, borders=OPENCV)
    compare(f"gradient.sobel_{name}", f"sobel_{name}(in)", "OpenCV",
            lambda a, mode, dx=axis: cv2.Sobel(a, cv2.CV_64F, dx, 1 - dx, borderType=mode), 2e-6, borders=OPENCV)
compare("gradient.sobel_x", "sobel_x(f32(in))", "OpenCV u8",
        lambda a, mode: cv2.Sobel(a, cv2.CV_64F, 1, 0, borderType=mode), 0, borders=OPENCV,
        images=pictures.grey("u8"), inputs="in : image<u8>[y, x]")
compare("gradient.sobel", "sobel(in)", "SciPy",
        lambda a, mode: ndimage.generic_gradient_magnitude(a.astype(np.float64), ndimage.sobel, mode=mode), 2e-6,
        borders=SEPARABLE)
compare("gradient.laplacian", "laplacian(in)", "SciPy", lambda a, mode: ndimage.laplace(a.astype(np.float64), mode=mode),
        2e-6, borders=SEPARABLE)
compare("gradient.laplacian", "laplacian(in)", "OpenCV",
        lambda a, mode: cv2.Laplacian(a.astype(np.float64), cv2.CV_64F, ksize=1, borderType=mode), 2e-6, borders=OPENCV)

VOLUMES = [pictures.made("f32", s) for s in [(1, 1, 1), (2, 1, 3), (3, 4, 5), (7, 6, 9), (16, 11, 13)]]
compare("gradient.laplacian3", "laplacian3(in)", "SciPy", lambda a, mode: ndimage.laplace(a.astype(np.float64), mode=mode),
        4e-6, borders=SEPARABLE, images=VOLUMES, inputs="in : image<f32>[z, y, x]", result="image<f32>[z, y, x]")

STENCILS = [(image, stencil) for image in pictures.grey("f32")
            for stencil in [np.random.default_rng(7).random(s, np.float32) - np.float32(0.5) for s in
                            [(1, 1), (1, 4), (3, 3), (2, 5), (5, 4)]]]
compare("gradient.correlate", "correlate(in, stencil)", "SciPy",
        lambda a, k, mode: ndimage.correlate(a.astype(np.float64), k.astype(np.float64), mode=mode, cval=0.25), 2e-6,
        borders=SCIPY, images=STENCILS, inputs="in : image<f32>[y, x], stencil : image<f32>[v, u]")
