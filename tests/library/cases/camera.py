"""std.camera against SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import compare, holds
from program import Program

MOSAIC = "in : image<f32>[y, x], param red_y : i32, param red_x : i32"
PHASES = [{"red_y": y, "red_x": x} for y in (0, 1) for x in (0, 1)]
OUT = "image<f32>[y, x, c]"


def masks(shape, red_y, red_x):
    y, x = np.indices(shape)
    red_row, red_column = (y + red_y) % 2 == 0, (x + red_x) % 2 == 0
    return red_row & red_column, red_row & ~red_column, ~red_row & red_column, ~red_row & ~red_column


def kernel(rows):
    return np.array(rows) / 8


# Malvar, He and Cutler, figure 2: green where another color is; a color at green places, its neighbours beside and
# above; a color where the opposite one is.
GREEN = kernel([[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]])
BESIDE = kernel([[0, 0, .5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, .5, 0, 0]])
OPPOSITE = kernel([[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]])


def malvar(a, red_y, red_x):
    a = a.astype(np.float64)
    red, red_row, blue_row, blue = masks(a.shape, red_y, red_x)
    green, beside, above, opposite = (ndimage.correlate(a, k, mode="mirror") for k in (GREEN, BESIDE, BESIDE.T, OPPOSITE))
    return np.stack([np.select([red, red_row, blue_row], [a, beside, above], opposite),
                     np.where(red | blue, green, a),
                     np.select([blue, blue_row, red_row], [a, beside, above], opposite)], -1)


def inner(code):
    """OpenCV copies the colors of the rim from further in: only the rest is compared."""
    def reference(a, **_):
        return cv2.cvtColor(a, code)[1:-1, 1:-1]
    return reference


compare("camera.demosaic", "demosaic(in, red_y, red_x)", "SciPy", malvar, 1e-6, inputs=MOSAIC, result=OUT, options=PHASES)
# OpenCV names the pattern by the second row's second and third samples, and rounds means of 8 bits up.
for code, phase in ((cv2.COLOR_BayerBG2RGB, (0, 0)), (cv2.COLOR_BayerGB2RGB, (0, 1)), (cv2.COLOR_BayerGR2RGB, (1, 0)),
                    (cv2.COLOR_BayerRG2RGB, (1, 1))):
    compare("camera.demosaic_linear",
            "whole = demosaic_linear(f32(in), {red_y}, {red_x}); out[y in 0 ..< in.y - 2, x in 0 ..< in.x - 2, c] = "
            "whole[y + 1, x + 1, c];", "OpenCV", inner(code), 0.5,
            images=[a for a in pictures.grey("u8") if min(a.shape) > 3], inputs="in : image<u8>[y, x]", result=OUT,
            options=[{"red_y": phase[0], "red_x": phase[1]}])
compare("camera.sensor_levels", "sensor_levels(in, 256, 16383)", "NumPy",
        lambda a: np.clip((a.astype(np.float64) - 256) / (16383 - 256), 0, 1), 1e-7, images=pictures.grey("u16"),
        inputs="in : image<u16>[y, x]")
compare("camera.white_balance", "white_balance(in, 2, 1, 1.5)", "NumPy", lambda a: a * np.array([2, 1, 1.5], np.float32), 0,
        images=pictures.color("f32"), inputs="in : image<f32>[y, x, c]", result=OUT)
compare("camera.grey_world", "g = grey_world(in); r = g.red; b = g.blue;", "NumPy",
        lambda a: tuple(a[..., 1].sum(dtype=np.float64) / a[..., k].sum(dtype=np.float64) for k in (0, 2)), 1e-6,
        images=pictures.color("f32"), inputs="in : image<f32>[y, x, c]", result="(r : f32, b : f32)")


def flat_stays(f):
    return max(float(np.max(np.abs(f(np.full(s, 0.4, np.float32)) - np.float32(0.4)))) for s in ((1, 1), (5, 8), (20, 31)))


for name in ("demosaic", "demosaic_linear"):
    holds(f"camera.{name} leaves a flat picture flat", flat_stays, 1e-7,
          Program("camera", "in : image<f32>[y, x]", OUT, f"{name}(in)"))
