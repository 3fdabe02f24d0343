"""std.box against SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, SCIPY, TWO_RULES, compare

RADII = [{"radius": r} for r in (0, 1, 2, 7)]
INPUTS = "in : image<f32>[y, x], param radius : i32"


def mean(a, mode, radius):
    return ndimage.uniform_filter(a.astype(np.float64), 2 * radius + 1, mode=mode, cval=0.25)


def variance(a, mode, radius):
    a = a.astype(np.float64)
    middle = a.mean()
    return mean((a - middle) ** 2, mode, radius) - mean(a - middle, mode, radius) ** 2


compare("box.box", "box(in, radius)", "SciPy", mean, 1e-6, borders=SCIPY, inputs=INPUTS, options=RADII)
compare("box.running_box", "running_box(in, radius)", "SciPy", mean, 1e-6, borders=SCIPY, inputs=INPUTS,
        options=RADII + [{"radius": 40}])
compare("box.repeated_box", "repeated_box(in, 3, radius)", "SciPy",
        lambda a, mode, radius: mean(mean(mean(a, mode, radius), mode, radius), mode, radius), 1e-6, borders=TWO_RULES,
        inputs=INPUTS, options=[{"radius": 2}])
compare("box.box", "box(in, radius)", "OpenCV",
        lambda a, mode, radius: cv2.blur(a.astype(np.float64), (2 * radius + 1,) * 2, borderType=mode), 1e-6,
        borders=OPENCV, inputs=INPUTS, options=RADII)
compare("box.box_variance", "box_variance(in, radius)", "SciPy", variance, 2e-6, borders=TWO_RULES, inputs=INPUTS,
        options=RADII)
# Far from 0, where squares are nearly equal.
FAR = [(a * scale + 10000).astype(np.float32) for a in pictures.grey("f32", crop=(61, 67)) for scale in (1, 100)]
FAR.append((10000 + np.indices((12, 15)).sum(0) % 2).astype(np.float32))
compare("box.box_variance", "box_variance(in, radius) / 100", "SciPy", lambda a, mode, radius: variance(a, mode, radius) / 100,
        2e-5, borders=TWO_RULES, images=FAR, inputs=INPUTS, options=RADII)


def covariance(a, b, mode, radius):
    a, b = a.astype(np.float64), b.astype(np.float64)
    apart = mean((a - a.mean()) * (b - b.mean()), mode, radius)
    return apart - mean(a - a.mean(), mode, radius) * mean(b - b.mean(), mode, radius)


compare("box.box_covariance", "out = box_covariance(a, b, radius).covariance / 100;", "SciPy",
        lambda a, b, mode, radius: covariance(a, b, mode, radius) / 100, 2e-5, borders=TWO_RULES,
        images=[(a, np.ascontiguousarray(a[::-1, ::-1]) * np.float32(-0.5)) for a in FAR],
        inputs="a : image<f32>[y, x], b : image<f32>[y, x], param radius : i32", options=RADII)
compare("box.box3", "box3(in, radius)", "SciPy", mean, 1e-6, borders=TWO_RULES, images=pictures.volumes("f32"),
        inputs="in : image<f32>[z, y, x], param radius : i32", result="image<f32>[z, y, x]", options=RADII)
