"""std.corners against OpenCV. OpenCV's slopes are 2 times ours for a square of radius 1 and every other one: it adds up
over the square where we take the mean, and divides Sobel's slope by 4 and by the side of the square."""

import cv2
import numpy as np

from case import compare

RULES = {"reflect_101": cv2.BORDER_REFLECT_101, "replicate": cv2.BORDER_REPLICATE}
OPTIONS = [{"radius": r} for r in (1, 2, 4)]
INPUTS = "in : image<f32>[y, x], param radius : i32"

compare("corners.harris", "harris(in, radius, 0.0625)", "OpenCV",
        lambda a, mode, radius: cv2.cornerHarris(a, 2 * radius + 1, 3, 0.0625, borderType=mode) / 16, 1e-8, borders=RULES,
        inputs=INPUTS, options=OPTIONS)
compare("corners.least_change", "least_change(in, radius)", "OpenCV",
        lambda a, mode, radius: cv2.cornerMinEigenVal(a, 2 * radius + 1, ksize=3, borderType=mode) / 4, 1e-7, borders=RULES,
        inputs=INPUTS, options=OPTIONS)


def tensor(a, mode, radius):
    gx, gy = (cv2.Sobel(a, cv2.CV_64F, dx, 1 - dx, scale=0.125, borderType=mode) for dx in (1, 0))
    return tuple(cv2.blur(p, (2 * radius + 1,) * 2, borderType=mode) for p in (gx * gx, gx * gy, gy * gy))


compare("corners.structure_tensor", "t = structure_tensor(in, radius); xx = t.xx; xy = t.xy; yy = t.yy;", "OpenCV", tensor, 1e-7,
        borders=RULES, inputs=INPUTS, options=OPTIONS,
        result="(xx : image<f32>[y, x], xy : image<f32>[y, x], yy : image<f32>[y, x])")
