"""std.morphology against SciPy and OpenCV, and its laws."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import INDEX_RULES, OPENCV, SCIPY, TWO_RULES, compare, holds
from program import Program

RADII = [{"radius": r} for r in (0, 1, 2, 5)]
INPUTS = "in : image<f32>[y, x], param radius : i32"


def square(function):
    return lambda a, mode, radius: function(a, size=2 * radius + 1, mode=mode, cval=0.25)


compare("morphology.dilate", "dilate(in, radius)", "SciPy", square(ndimage.grey_dilation), 0, borders=SCIPY,
        inputs=INPUTS, options=RADII)
compare("morphology.erode", "erode(in, radius)", "SciPy", square(ndimage.grey_erosion), 0, borders=SCIPY,
        inputs=INPUTS, options=RADII)
for name, function in {"opening": ndimage.grey_opening, "closing": ndimage.grey_closing,
                       "morphological_gradient": ndimage.morphological_gradient,
                       "white_top_hat": ndimage.white_tophat, "black_top_hat": ndimage.black_tophat}.items():
    compare(f"morphology.{name}", f"{name}(in, radius)", "SciPy", square(function), 1e-7, borders=TWO_RULES,
            inputs=INPUTS, options=RADII)
compare("morphology.dilate", "dilate(in, radius)", "OpenCV",
        lambda a, mode, radius: cv2.dilate(a, np.ones((2 * radius + 1,) * 2), borderType=mode), 0, borders=OPENCV,
        inputs=INPUTS, options=RADII)

ELEMENTS = [np.ones((1, 1), bool), np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool), np.ones((2, 3), bool),
            np.random.default_rng(3).random((5, 4)) > 0.4,
            cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)).astype(bool)]
PAIRS = [(image, element) for image in pictures.grey("f32", pictures.SMALL, crop=(23, 25)) for element in ELEMENTS]


def by(function):
    """SciPy's dilation mirrors the element, so its filters with a footprint are the ones to compare with."""
    return lambda a, element, mode: function(a, footprint=element, mode=mode, cval=0.25)


for name, function in {"dilate_by": ndimage.maximum_filter, "erode_by": ndimage.minimum_filter}.items():
    compare(f"morphology.{name}", f"{name}(in, element)", "SciPy", by(function), 0, borders=TWO_RULES, images=PAIRS,
            inputs="in : image<f32>[y, x], element : image<bool>[v, u]")


def idempotent(f):
    return max(np.max(np.abs(f(f(a)) - f(a))) for a in pictures.grey("f32"))


for name in ("opening", "closing"):
    holds(f"morphology.{name} is idempotent", idempotent, 0,
          Program("morphology", "in : image<f32>[y, x]", "image<f32>[y, x]", f"{name}(in, 2)", "reflect"))


def dual(dilate, erode):
    return max(np.max(np.abs(dilate(a) + erode(-a))) for a in pictures.grey("f32"))


holds("morphology.dilate is dual to erode", dual, 0,
      *(Program("morphology", "in : image<f32>[y, x]", "image<f32>[y, x]", f"{n}(in, 2)", "reflect")
        for n in ("dilate", "erode")))

compare("morphology.dilate", "dilate(in, radius)", "SciPy u8", square(ndimage.grey_dilation), 0, borders=INDEX_RULES,
        images=pictures.grey("u8"), inputs="in : image<u8>[y, x], param radius : i32", result="image<u8>[y, x]",
        options=RADII)
compare("morphology.white_top_hat", "white_top_hat(in, radius)", "SciPy i16",
        lambda a, mode, radius: np.clip(a - ndimage.grey_opening(a.astype(int), size=2 * radius + 1, mode=mode), -32768,
                                        32767), 0, borders=INDEX_RULES, images=pictures.grey("i16"),
        inputs="in : image<i16>[y, x], param radius : i32", result="image<i16>[y, x]", options=RADII)

RECTANGLES = [{"radius_y": a, "radius_x": b} for a, b in ((0, 0), (0, 3), (2, 1), (1, 6), (40, 7))]
for name, function in {"dilate_rectangle": ndimage.maximum_filter, "erode_rectangle": ndimage.minimum_filter}.items():
    for kind in ("f32", "u8", "i16"):
        compare(f"morphology.{name}", f"{name}(in, radius_y, radius_x)", f"SciPy {kind}",
                lambda a, mode, radius_y, radius_x, function=function:
                function(a, (2 * radius_y + 1, 2 * radius_x + 1), mode=mode), 0,
                borders=INDEX_RULES if kind == "u8" else TWO_RULES, images=pictures.grey(kind), options=RECTANGLES,
                inputs=f"in : image<{kind}>[y, x], param radius_y : i32, param radius_x : i32",
                result=f"image<{kind}>[y, x]")
