"""std.edges against OpenCV, which follows edges to their ends; so does canny, in as many turns as it needs."""

import cv2
import numpy as np

import pictures
from case import compare

LIMITS = [{"weak": w, "strong": s} for w, s in ((50, 100), (0, 400), (300, 300), (120, 900))]
compare("edges.canny", "canny(in, weak, strong, 1000) border replicate", "OpenCV",
        lambda a, weak, strong: cv2.Canny(np.ascontiguousarray(a), weak, strong), 0, images=pictures.grey("u8"),
        inputs="in : image<u8>[y, x], param weak : i32, param strong : i32", result="image<u8>[y, x]", options=LIMITS)


def climbing(run):
    """An edge that climbs one sample in `run` and is strong at its left end alone."""
    y, x = np.mgrid[:60, :300]
    return np.where(y < 30 - (x - 150) // run, 100, np.where(x < 20, 250, 110)).astype(np.uint8)


def winding(length, width):
    """An upright edge that goes to and fro, strong at its upper end alone."""
    y, x = np.mgrid[:length, :60]
    return np.where(x < 30 + width * np.sin(y / 7.0), 100, np.where(y < 20, 250, 112)).astype(np.uint8)


def spiral(size):
    """Arms that wind about the middle, fainter outwards."""
    y, x = np.mgrid[:size, :size] - size / 2
    radius = np.hypot(y, x)
    return (127 + (110 - 180 * radius / size) * np.sin(radius / 4 + np.arctan2(y, x))).astype(np.uint8)


FAR = [climbing(9), climbing(25).T, climbing(9)[::-1], climbing(14)[:, ::-1], winding(200, 1.5), winding(200, 9), spiral(150)]
WHOLE = [pictures.real("u8", name) for name in ("camera.png", "coffee.png", "hubble_deep_field.jpg")] \
    if pictures.PRESENT else []
compare("edges.canny as it is called without `turns`", "canny(in, weak, strong) border replicate", "OpenCV",
        lambda a, weak, strong: cv2.Canny(np.ascontiguousarray(a), weak, strong), 0, images=FAR + WHOLE,
        inputs="in : image<u8>[y, x], param weak : i32, param strong : i32", result="image<u8>[y, x]",
        options=[{"weak": w, "strong": s} for w, s in ((20, 200), (5, 400), (50, 150))])
