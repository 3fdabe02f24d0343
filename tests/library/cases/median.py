"""std.median against SciPy and OpenCV."""

import cv2
from scipy import ndimage

import pictures
from case import INDEX_RULES, compare

for kind in ("f32", "u8", "i16"):
    compare("median.median3x3", "median3x3(in)", f"SciPy {kind}", lambda a, mode: ndimage.median_filter(a, 3, mode=mode), 0,
            borders=INDEX_RULES, images=pictures.grey(kind), inputs=f"in : image<{kind}>[y, x]",
            result=f"image<{kind}>[y, x]")
compare("median.median3x3", "median3x3(in) border replicate", "OpenCV", lambda a: cv2.medianBlur(a, 3).reshape(a.shape), 0)
