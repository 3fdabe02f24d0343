"""std.edges against OpenCV, which follows edges to their ends; so does canny when it may turn often enough."""

import cv2
import numpy as np

import pictures
from case import compare

LIMITS = [{"weak": w, "strong": s} for w, s in ((50, 100), (0, 400), (300, 300), (120, 900))]
compare("edges.canny", "canny(in, weak, strong, 1000) border replicate", "OpenCV",
        lambda a, weak, strong: cv2.Canny(np.ascontiguousarray(a), weak, strong), 0, images=pictures.grey("u8"),
        inputs="in : image<u8>[y, x], param weak : i32, param strong : i32", result="image<u8>[y, x]", options=LIMITS)
