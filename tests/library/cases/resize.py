"""std.resize against OpenCV and weights written out in NumPy."""

import cv2
import numpy as np

import pictures
from case import compare, holds
from program import Program

INPUTS = "in : image<f32>[y, x], param height : i32, param width : i32, param reduction : i32"
PICTURES = pictures.grey("f32", [(1, 1), (1, 5), (2, 3), (3, 2), (7, 4), (9, 9), (13, 17), (40, 31)], (61, 53))
SIZES = [{"height": h, "width": w, "reduction": 64} for h, w in [(1, 1), (2, 5), (7, 3), (13, 17), (64, 61)]]


def linear(t):
    return np.maximum(1 - t, 0)


def cubic(t, a=-0.5):
    return np.where(t < 1, (a + 2) * t**3 - (a + 3) * t**2 + 1,
                    np.where(t < 2, a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a, 0))


def lanczos(t):
    return np.where(t < 3, np.sinc(t) * np.sinc(t / 3), 0)


OUTSIDE = {"clamp": lambda j, n: np.clip(j, 0, n - 1),
           "reflect": lambda j, n: np.minimum(j % (2 * n), 2 * n - 1 - j % (2 * n))}


def matrix(old, size, kernel, support, rule):
    """[sample of the result, sample of the picture]."""
    m = np.zeros((size, old))
    scale = max(1, old / size)
    for i in range(size):
        middle = (i + 0.5) * old / size - 0.5
        j = np.arange(int(np.floor(middle - support * scale)) - 1, int(np.ceil(middle + support * scale)) + 2)
        w = kernel(np.abs(j - middle) / scale)
        np.add.at(m[i], OUTSIDE[rule](j, old), w / w.sum())
    return m


def written_out(kernel, support):
    return lambda a, mode, height, width, reduction: (
        matrix(a.shape[0], height, kernel, support, mode) @ a.astype(np.float64)
        @ matrix(a.shape[1], width, kernel, support, mode).T)


def opencv(code):
    return lambda a, height, width, **_: cv2.resize(a, (width, height), interpolation=code)


RULES = {rule: rule for rule in OUTSIDE}
for name, kernel, support in (("linear", linear, 1), ("cubic", cubic, 2), ("lanczos", lanczos, 3)):
    compare(f"resize.resize_{name}", f"resize_{name}(in, height, width, reduction)", "NumPy", written_out(kernel, support),
            2e-6, borders=RULES, images=PICTURES, inputs=INPUTS, options=SIZES)
# OpenCV does not widen its windows, and rounds positions to a 2048th of a sample when it interpolates.
GROWING = [{"height": h, "width": w, "reduction": 1} for h, w in [(64, 61), (47, 100), (40, 40)]]
SMALL = [p for p in PICTURES if max(p.shape) <= 40]
compare("resize.resize_linear", "resize_linear(in, height, width, reduction) border clamp", "OpenCV", opencv(cv2.INTER_LINEAR),
        1e-5, images=SMALL, inputs=INPUTS, options=GROWING)
compare("resize.resize_cubic", "resize_cubic(in, height, width, reduction, -0.75) border clamp", "OpenCV",
        opencv(cv2.INTER_CUBIC), 1e-5, images=SMALL, inputs=INPUTS, options=GROWING)
compare("resize.resize_area", "resize_area(in, height, width, reduction) border clamp", "OpenCV", opencv(cv2.INTER_AREA), 1e-5,
        images=[p for p in PICTURES if min(p.shape) >= 9], inputs=INPUTS,
        options=[{"height": h, "width": w, "reduction": 40} for h, w in [(3, 3), (9, 5), (7, 9)]])
# Where a sample lies half way between two, which no odd extent has, OpenCV takes the earlier one.
for kind in ("f32", "u8"):
    compare("resize.resize_nearest", "resize_nearest(in, height, width)", f"OpenCV {kind}", opencv(cv2.INTER_NEAREST_EXACT), 0,
            images=[p for p in pictures.grey(kind) if p.shape[0] % 2 and p.shape[1] % 2], inputs=f"in : image<{kind}>[y, x], param height : i32, param width : i32",
            result=f"image<{kind}>[y, x]", options=[{k: v for k, v in s.items() if k != "reduction"} for s in SIZES])


def constant_stays(*filters):
    flat = np.full((23, 31), 0.7, np.float32)
    return max(float(np.max(np.abs(f(flat, height=h, width=w) - flat[0, 0]))) for f in filters
               for h, w in ((23, 31), (7, 90), (50, 8)))


def nearest(a, height, width):
    return a[(2 * np.arange(height)[:, None] + 1) * a.shape[0] // (2 * height),
             (2 * np.arange(width) + 1) * a.shape[1] // (2 * width)]


compare("resize.resize_nearest", "resize_nearest(in, height, width)", "NumPy", nearest, 0,
        inputs="in : image<f32>[y, x], param height : i32, param width : i32",
        options=[{k: v for k, v in s.items() if k != "reduction"} for s in SIZES])
holds("resize: a flat picture stays flat", constant_stays, 4e-7,
      *(Program("resize", "in : image<f32>[y, x], param height : i32, param width : i32", "image<f32>[y, x]",
                f"resize_{n}(in, height, width)", "clamp") for n in ("linear", "cubic", "lanczos", "area", "nearest")))
