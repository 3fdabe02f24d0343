"""A picture of one value stays what it is in all that smooths, equalises or takes parts to pieces and joins them again,
and has no slope and no variance; however small it is."""

import numpy as np

from case import holds
from program import Program

SHAPES = [(1, 1), (1, 9), (9, 1), (2, 3), (5, 5), (7, 28), (28, 28), (13, 41)]
FLOATS = "image<f32>[y, x]"
BYTES = "image<u8>[y, x]"
WAVELET = "parts = {0}(in); out = {0}_inverse(parts.low, parts.across, parts.down, parts.both, in.y, in.x);"

KEPT = {
    "box": ["box(in, 3)", "running_box(in, 12)", "repeated_box(in, 3, 5)", "box_covariance(in, in, 2).mean_a"],
    "gaussian": ["gaussian(in, 1.5)", "gaussian(in, 6)"],
    "recursive": ["recursive_gaussian(in, 3)", "deriche(in, 0.7)"],
    "median": ["median3x3(in)", "median(in, 3)"],
    "morphology": ["dilate(in, 2)", "erode(in, 9)", "opening(in, 1)", "closing(in, 1)", "dilate_rectangle(in, 3, 20)",
                   "erode_rectangle(in, 20, 3)"],
    "smoothing": ["bilateral(in, 4, 2, 0.1)", "guided(in, in, 2, 0.01)", "non_local_means(in, 1, 2, 0.1)"],
    "sharpen": ["unsharp_mask(in, 1.5, 2)"],
    "pyramid": ["up(down(in), in)", "out = collapse(laplacian_pyramid(in, 4), 4);"],
    "resize": ["resize_linear(in, 11, 19)", "resize_cubic(in, 11, 12)", "resize_lanczos(in, 11, 19)", "resize_area(in, 12, 11)",
               "resize_nearest(in, 50, 3)"],
    "spline": ["resize_spline3(in, 7, 19)", "resize_spline5(in, 7, 19)"],
    "wavelet": [WAVELET.format("haar")],
    "local_laplacian": ["local_laplacian(in, 0.5, 1, 0.2, 3, 8)"],
}
KEPT_BYTES = {
    "histogram": ["equalize(in)"],
    "summed_area": ["box_by_table(in, 3)"],
    "median": ["median(in, 2)"],
    "morphology": ["closing(in, 3)"],
    "binomial": ["binomial3(in)", "binomial5(in)"],
    "gaussian": ["gaussian_integer(in, 1.5)"],
    "pyramid": ["up_integer(down_integer(in, 3), in)", "out = gaussian_pyramid_integer(in, 1)[0];"],
    "local_laplacian": ["local_laplacian_integer(in, 0.5, 2, 0.2, 3, 6)"],
}
NOTHING_LEFT = {
    "box": ["box_variance(in, 3)"],
    "gaussian": ["difference_of_gaussians(in, 1)", "out = gaussian_gradient(in, 1).gx;"],
    "arithmetic": ["standardize(in)"],
    "morphology": ["morphological_gradient(in, 2)", "white_top_hat(in, 2)"],
}


def change(value, expected, exact):
    def greatest(f):
        apart = 0.0
        for shape in SHAPES:
            made = f(np.full(shape, value, np.uint8 if exact else np.float32)).astype(np.float64)
            apart = max(apart, float(np.max(np.abs(made - expected))))
        return apart
    return greatest


def spread_of_bytes(f):
    """What is left of differences, of pictures of several values."""
    return max(float(np.ptp(f(np.full(shape, value, np.uint8)))) for shape in SHAPES for value in (0, 1, 112, 255))


def flat(module, call, kind, deviation, bound, what):
    holds(f"{module}: {call[:40]} {what}", deviation, bound, Program(module, f"in : {kind}", kind, call, "reflect"))


for module, calls in KEPT.items():
    for call in calls:
        flat(module, call, FLOATS, change(0.625, 0.625, False), 1e-6, "keeps a flat picture")
for module, calls in KEPT_BYTES.items():
    for call in calls:
        flat(module, call, BYTES, change(112, 112, True), 0, "keeps a flat picture")
for module, calls in NOTHING_LEFT.items():
    for call in calls:
        flat(module, call, FLOATS, change(0.625, 0, False), 1e-6, "finds nothing in a flat picture")
for call in ("clahe(in)", "clahe(in, 2, 4, 6)", "clahe(in, 40, 3, 64)"):
    flat("histogram", call, BYTES, spread_of_bytes, 0, "leaves a flat picture flat")
