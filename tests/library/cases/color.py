"""std.color against OpenCV and NumPy."""

import cv2
import numpy as np

import pictures
from case import compare, holds
from program import Program

RGB = "in : image<f32>[y, x, c]"
OUT = "image<f32>[y, x, c]"
COLORS = pictures.color("f32")


def opencv(code, scale=(1, 1, 1)):
    return lambda a: cv2.cvtColor(a, code).astype(np.float64) * np.array(scale)


def ycbcr(a):
    swapped = cv2.cvtColor(a, cv2.COLOR_RGB2YCrCb)
    return swapped[..., [0, 2, 1]]


def ycbcr_by_matrix(a):
    m = np.array([[0.299, 0.587, 0.114], [-0.168735892, -0.331264108, 0.5], [0.5, -0.418687589, -0.081312411]])
    return a.astype(np.float64) @ m.T + [0, 0.5, 0.5]


def hsv(a):
    a = a.astype(np.float64)
    r, g, b = a[..., 0], a[..., 1], a[..., 2]
    value, span = a.max(-1), np.ptp(a, -1)
    with np.errstate(all="ignore"):
        sixths = np.select([span == 0, value == r, value == g], [0, (g - b) / span % 6, 2 + (b - r) / span],
                           4 + (r - g) / span)
        return np.stack([sixths / 6, np.where(value == 0, 0, span / value), value], -1)


def srgb_to_linear(a):
    a = a.astype(np.float64)
    return np.where(a <= 0.04045, a / 12.92, ((a + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(a):
    a = a.astype(np.float64)
    return np.where(a <= 0.0031308, a * 12.92, 1.055 * a ** (1 / 2.4) - 0.055)


compare("color.srgb_to_linear", "srgb_to_linear(in)", "NumPy", srgb_to_linear, 3e-7)
compare("color.linear_to_srgb", "linear_to_srgb(in)", "NumPy", linear_to_srgb, 3e-7)
compare("color.luma", "luma(in)", "OpenCV", lambda a: cv2.cvtColor(a, cv2.COLOR_RGB2GRAY), 1e-6, images=COLORS, inputs=RGB)
compare("color.luminance", "luminance(in)", "OpenCV",
        lambda a: cv2.transform(a.astype(np.float64), np.array([[0.2126, 0.7152, 0.0722]])).reshape(a.shape[:2]), 1e-6,
        images=COLORS, inputs=RGB)
# OpenCV rounds its coefficients to three digits here, to six further down.
compare("color.rgb_to_ycbcr", "rgb_to_ycbcr(in)", "OpenCV", ycbcr, 3e-4, images=COLORS, inputs=RGB, result=OUT)
compare("color.rgb_to_ycbcr", "rgb_to_ycbcr(in)", "NumPy", ycbcr_by_matrix, 1e-6, images=COLORS, inputs=RGB, result=OUT)
compare("color.ycbcr_to_rgb", "ycbcr_to_rgb(in)", "OpenCV",
        lambda a: cv2.cvtColor(np.ascontiguousarray(a[..., [0, 2, 1]]), cv2.COLOR_YCrCb2RGB), 1e-3, images=COLORS,
        inputs=RGB, result=OUT)
compare("color.linear_to_xyz", "linear_to_xyz(in)", "OpenCV", opencv(cv2.COLOR_RGB2XYZ), 2e-4, images=COLORS, inputs=RGB,
        result=OUT)
compare("color.xyz_to_linear", "xyz_to_linear(in)", "OpenCV", opencv(cv2.COLOR_XYZ2RGB), 4e-4, images=COLORS, inputs=RGB,
        result=OUT)
# OpenCV interpolates in a table: 100 is the range.
compare("color.xyz_to_lab", "xyz_to_lab(linear_to_xyz(in))", "OpenCV", opencv(cv2.COLOR_LRGB2Lab), 0.05, images=COLORS,
        inputs=RGB, result=OUT)
compare("color.lab_to_xyz", "xyz_to_linear(lab_to_xyz(in))", "OpenCV", opencv(cv2.COLOR_Lab2LRGB), 1e-3,
        images=[cv2.cvtColor(a, cv2.COLOR_LRGB2Lab) for a in COLORS], inputs=RGB, result=OUT)
# OpenCV adds a little to what it divides by.
compare("color.rgb_to_hsv", "rgb_to_hsv(in)", "OpenCV", opencv(cv2.COLOR_RGB2HSV, (1 / 360, 1, 1)), 1e-4, images=COLORS,
        inputs=RGB, result=OUT)
compare("color.rgb_to_hsv", "rgb_to_hsv(in)", "NumPy", hsv, 1e-6, images=COLORS, inputs=RGB, result=OUT)
compare("color.hsv_to_rgb", "hsv_to_rgb(in)", "OpenCV",
        lambda a: cv2.cvtColor(a * np.array([360, 1, 1], np.float32), cv2.COLOR_HSV2RGB), 2e-6, images=COLORS, inputs=RGB,
        result=OUT)

MATRIX = np.random.default_rng(5).random((3, 3), np.float32)
OFFSET = np.array([0.1, -0.2, 0.3], np.float32)
compare("color.color_matrix", "color_matrix(in, matrix, offset)", "OpenCV",
        lambda a, m, o: cv2.transform(a.astype(np.float64), np.column_stack([m, o])), 1e-6,
        images=[(a, MATRIX, OFFSET) for a in COLORS],
        inputs=RGB + ", matrix : image<f32>[i, j], offset : image<f32>[i]", result=OUT)


def round_trip(there, back):
    return max(float(np.max(np.abs(back(there(a)) - a))) for a in COLORS)


for name, there, back, bound in (("ycbcr", "rgb_to_ycbcr", "ycbcr_to_rgb", 5e-7), ("xyz", "linear_to_xyz", "xyz_to_linear", 2e-6),
                                 ("lab", "xyz_to_lab", "lab_to_xyz", 2e-6), ("hsv", "rgb_to_hsv", "hsv_to_rgb", 1e-6)):
    holds(f"color.{back} undoes {there}", round_trip, bound,
          *(Program("color", RGB, OUT, f"{n}(in)") for n in (there, back)))
