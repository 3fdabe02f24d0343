"""std.histogram, std.summed_area and std.distance against OpenCV, SciPy and NumPy."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import compare

BYTES = "in : image<u8>[y, x]"
PICTURES = pictures.grey("u8") + [np.full((5, 6), 77, np.uint8), np.array([[3, 3, 200]], np.uint8)]

compare("histogram.histogram", "histogram(in)", "NumPy", lambda a: np.bincount(a.ravel(), minlength=256), 0,
        images=PICTURES, inputs=BYTES, result="image<u32>[b]")
# OpenCV multiplies by a factor in single precision, so halves may go the other way.
compare("histogram.equalize", "equalize(in)", "OpenCV", cv2.equalizeHist, 1, images=PICTURES, inputs=BYTES,
        result="image<u8>[y, x]")


def equalized(a):
    upto = np.cumsum(np.bincount(a.ravel(), minlength=256)).astype(np.float64)
    first = upto[a.min()]
    return a if a.min() == a.max() else np.rint(255 * (upto - first) / (a.size - first))[a]


def otsu_level(a):
    counts = np.bincount(a.ravel(), minlength=256).astype(np.float64)
    best, level = 0, 0
    for b in range(255):
        n, rest = counts[:b + 1].sum(), counts[b + 1:].sum()
        if n and rest:
            low, high = (counts[:b + 1] @ np.arange(b + 1)) / n, (counts[b + 1:] @ np.arange(b + 1, 256)) / rest
            if n * rest * (low - high) ** 2 > best * (1 + 1e-12):
                best, level = n * rest * (low - high) ** 2, b
    return np.uint8(level)


compare("histogram.equalize", "equalize(in)", "NumPy", equalized, 0, images=PICTURES, inputs=BYTES, result="image<u8>[y, x]")
compare("histogram.otsu_level", "otsu_level(in)", "NumPy", otsu_level, 0, images=PICTURES, inputs=BYTES, result="u8")
compare("histogram.otsu", "otsu(in)", "OpenCV", lambda a: cv2.threshold(a, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1], 0,
        images=[a for a in PICTURES if a.min() < a.max()], inputs=BYTES, result="image<u8>[y, x]")

# OpenCV adds a whole tile more along an axis that fits, where the other one does not.
TILED = [a[:a.shape[0] // 4 * 4, :a.shape[1] // 6 * 6] for a in pictures.grey("u8", [(4, 6), (8, 12), (33, 31), (47, 64)])]
TILED += pictures.grey("u8", [(1, 1), (1, 9), (9, 1), (2, 3), (5, 4), (33, 31), (47, 64), (53, 59)])
compare("histogram.clahe", "clahe(in, limit, 4, 6)", "OpenCV",
        lambda a, limit: cv2.createCLAHE(limit, (6, 4)).apply(np.ascontiguousarray(a)), 1, images=TILED,
        inputs=BYTES + ", param limit : f32", result="image<u8>[y, x]", options=[{"limit": v} for v in (1.0, 2.5, 40.0)])

compare("summed_area.summed_area", "summed_area(in)", "OpenCV", lambda a: cv2.integral(a)[1:, 1:], 0,
        images=pictures.grey("u8"), inputs=BYTES, result="image<wrap<u32>>[y, x]")


def clipped_mean(a, radius):
    ones = np.pad(np.ones(a.shape), radius)
    total = np.pad(a.astype(np.float64), radius)
    side = 2 * radius + 1
    sums = [np.lib.stride_tricks.sliding_window_view(v, (side, side)).sum((2, 3)) for v in (total, ones)]
    return np.rint(sums[0] / sums[1])


compare("summed_area.summed_area_float", "summed_area_float(in)", "NumPy",
        lambda a: a.astype(np.float64).cumsum(0).cumsum(1), 1e-9, images=pictures.grey("f32", crop=(61, 67)),
        result="image<f64>[y, x]")
compare("summed_area.box_by_table", "box_by_table(in, radius)", "NumPy", clipped_mean, 0, images=pictures.grey("u8", crop=(61, 67)),
        inputs=BYTES + ", param radius : i32", result="image<u8>[y, x]", options=[{"radius": r} for r in (0, 1, 4, 9)])

SPOTS = []
for shape in [(1, 1), (1, 9), (9, 1), (2, 3), (5, 4), (7, 8), (9, 9), (33, 31), (40, 53)]:
    spots = np.random.default_rng(shape[0]).random(shape) > 0.93
    spots[shape[0] // 2, shape[1] // 3] = True
    SPOTS.append(spots)
MASK = "in : image<bool>[y, x]"
compare("distance.distance", "distance(in)", "SciPy", lambda a: ndimage.distance_transform_edt(~a), 1e-6, images=SPOTS, inputs=MASK)
compare("distance.distance", "distance(in)", "OpenCV",
        lambda a: cv2.distanceTransform((~a).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE), 1e-5, images=SPOTS, inputs=MASK)
compare("distance.city_block_distance", "city_block_distance(in)", "SciPy",
        lambda a: ndimage.distance_transform_cdt(~a, "taxicab"), 0, images=SPOTS, inputs=MASK, result="image<i32>[y, x]")
compare("distance.squared_distance", "squared_distance(in)", "SciPy", lambda a: ndimage.distance_transform_edt(~a) ** 2, 1e-9,
        images=SPOTS, inputs=MASK, result="image<f64>[y, x]")
