"""std.spline against SciPy."""

import numpy as np
from scipy import ndimage

import pictures
from case import compare, holds
from program import Program

RULES = {"mirror": "mirror", "wrap": "grid-wrap"}
# SciPy leaves axes of extent 1 alone; by reflect its curves miss the samples of short lines (by 1 % at extent 2), so that rule is
# held to passing through them instead.
PICTURES = [a for a in pictures.grey("f32", crop=(61, 67)) if min(a.shape) > 1]

for order in (2, 3, 4, 5):
    compare(f"spline.spline{order}_coefficients", f"spline{order}_coefficients(in)", "SciPy",
            lambda a, mode, order=order: ndimage.spline_filter(a.astype(np.float64), order, mode=mode),
            1e-6 if order <= 3 else 3e-6, borders=RULES, images=PICTURES, result="image<f32>[y, x]")

for order in (3, 5):
    def zoomed(a, mode, height, width, order=order):
        y = (np.arange(height) + 0.5) * a.shape[0] / height - 0.5
        x = (np.arange(width) + 0.5) * a.shape[1] / width - 0.5
        return ndimage.map_coordinates(a.astype(np.float64), np.meshgrid(y, x, indexing="ij"), order=order, mode=mode)

    compare(f"spline.resize_spline{order}", f"resize_spline{order}(in, height, width)", "SciPy", zoomed, 1e-6,
            borders=RULES, images=[a for a in PICTURES if min(a.shape) > 5],
            inputs="in : image<f32>[y, x], param height : i32, param width : i32",
            options=[{"height": h, "width": w} for h, w in ((64, 61), (90, 90), (70, 100))])


def same(f):
    return max(float(np.max(np.abs(f(a, height=a.shape[0], width=a.shape[1]) - a))) for a in pictures.grey("f32", crop=(61, 67)))


for order in (3, 5):
    for rule in ("reflect101", "wrap", "reflect"):
        holds(f"spline.resize_spline{order} passes through the samples: {rule}", same, 3e-7 if order == 3 else 6e-7,
              Program("spline", "in : image<f32>[y, x], param height : i32, param width : i32", "image<f32>[y, x]",
                      f"resize_spline{order}(in, height, width)", rule))
