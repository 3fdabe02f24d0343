"""std.box against SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, SCIPY, compare

SEPARABLE = {r: m for r, m in SCIPY.items()}  # a mean leaves a constant border constant
RADII = [{"radius": r} for r in (0, 1, 2, 7)]
INPUTS = "in : image<f32>[y, x], param radius : i32"

compare("box.box", "box(in, radius)", "SciPy",
        lambda a, mode, radius: ndimage.uniform_filter(a.astype(np.float64), 2 * radius + 1, mode=mode, cval=0.25), 1e-6,
        borders=SEPARABLE, inputs=INPUTS, options=RADII)
compare("box.box", "box(in, radius)", "OpenCV",
        lambda a, mode, radius: cv2.blur(a.astype(np.float64), (2 * radius + 1,) * 2, borderType=mode), 1e-6,
        borders=OPENCV, inputs=INPUTS, options=RADII)


def variance(a, mode, radius):
    a = a.astype(np.float64)
    mean = ndimage.uniform_filter(a, 2 * radius + 1, mode=mode)
    return ndimage.uniform_filter((a - mean.mean()) ** 2, 2 * radius + 1, mode=mode) - (mean - mean.mean()) ** 2


compare("box.box_variance", "box_variance(in, radius)", "SciPy", variance, 2e-6,
        borders={r: m for r, m in SCIPY.items() if m != "constant"}, inputs=INPUTS, options=RADII)
VOLUMES = [pictures.made("f32", s) for s in [(1, 1, 1), (2, 1, 3), (3, 4, 5), (7, 6, 9), (16, 11, 13)]]
compare("box.box3", "box3(in, radius)", "SciPy",
        lambda a, mode, radius: ndimage.uniform_filter(a.astype(np.float64), 2 * radius + 1, mode=mode, cval=0.25), 1e-6,
        borders=SCIPY, images=VOLUMES, inputs="in : image<f32>[z, y, x], param radius : i32",
        result="image<f32>[z, y, x]", options=RADII)
