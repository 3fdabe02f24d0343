"""std.median against SciPy and OpenCV."""

import cv2
from scipy import ndimage

import pictures
from case import INDEX_RULES, TWO_RULES, compare

for kind in ("f32", "u8", "i16"):
    compare("median.median3x3", "median3x3(in)", f"SciPy {kind}", lambda a, mode: ndimage.median_filter(a, 3, mode=mode), 0,
            borders=INDEX_RULES, images=pictures.grey(kind), inputs=f"in : image<{kind}>[y, x]",
            result=f"image<{kind}>[y, x]")
compare("median.median3x3", "median3x3(in) border replicate", "OpenCV", lambda a: cv2.medianBlur(a, 3).reshape(a.shape), 0)
for kind, radii in {"f32": (0, 1, 2, 5), "u8": (3,)}.items():
    compare("median.median", "median(in, radius)", f"SciPy {kind}",
            lambda a, mode, radius: ndimage.median_filter(a, 2 * radius + 1, mode=mode), 0, borders=TWO_RULES,
            images=pictures.grey(kind, crop=(61, 53)), inputs=f"in : image<{kind}>[y, x], param radius : i32",
            result=f"image<{kind}>[y, x]", options=[{"radius": r} for r in radii])
