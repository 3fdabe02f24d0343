"""std.arithmetic against OpenCV and NumPy."""

import cv2
import numpy as np

import pictures
from case import compare

TWO = [(a, a[::-1, ::-1].copy()) for a in pictures.grey("f32")]
THREE = [(a, a[::-1].copy(), a[:, ::-1].copy()) for a in pictures.grey("f32")]
A_B = "a : image<f32>[y, x], b : image<f32>[y, x]"

compare("arithmetic.mix_images", "mix_images(a, b, weight)", "OpenCV",
        lambda a, b, weight: cv2.addWeighted(a.astype(np.float64), 1 - weight, b.astype(np.float64), weight, 0), 1e-6,
        images=TWO, inputs=A_B + ", param weight : f32", options=[{"weight": w} for w in (0, 0.25, 1)])
compare("arithmetic.composite", "composite(a, b, mask)", "NumPy", lambda a, b, m: a.astype(np.float64) * (1 - m) + m * b,
        1e-6, images=THREE, inputs=A_B + ", mask : image<f32>[y, x]")
compare("arithmetic.absolute_difference", "absolute_difference(a, b)", "OpenCV", cv2.absdiff, 0, images=TWO, inputs=A_B)
compare("arithmetic.absolute_difference", "absolute_difference(a, b)", "OpenCV u8", cv2.absdiff, 0,
        images=[(a, a[::-1, ::-1].copy()) for a in pictures.grey("u8")],
        inputs="a : image<u8>[y, x], b : image<u8>[y, x]", result="image<u8>[y, x]")
compare("arithmetic.absolute_difference", "absolute_difference(a, b)", "NumPy i16",
        lambda a, b: np.minimum(np.abs(a.astype(int) - b), 32767), 0,
        images=[(a, a[::-1, ::-1].copy()) for a in pictures.grey("i16")],
        inputs="a : image<i16>[y, x], b : image<i16>[y, x]", result="image<i16>[y, x]")
compare("arithmetic.invert", "invert(in)", "NumPy", lambda a: 1 - a.astype(np.float64), 1e-7)
compare("arithmetic.threshold", "threshold(in, 0.45)", "OpenCV",
        lambda a: cv2.threshold(a, float(np.float32(0.45)), 1, cv2.THRESH_BINARY)[1], 0)
compare("arithmetic.gamma", "gamma(in, exponent)", "NumPy", lambda a, exponent: a.astype(np.float64) ** exponent, 1e-6,
        inputs="in : image<f32>[y, x], param exponent : f32", options=[{"exponent": e} for e in (0.5, 1, 2.25)])
compare("arithmetic.statistics", "s = statistics(in); m = s.mean; v = s.variance; l = s.least; g = s.greatest;", "NumPy",
        lambda a: (a.mean(dtype=np.float64), a.var(dtype=np.float64), a.min(), a.max()), 1e-12,
        result="(m : f64, v : f64, l : f32, g : f32)")
compare("arithmetic.stretch", "stretch(in)", "OpenCV",
        lambda a: cv2.normalize(a.astype(np.float64), None, 0, 1, cv2.NORM_MINMAX) if np.ptp(a) else a * 0, 1e-6)
compare("arithmetic.standardize", "standardize(in)", "NumPy",
        lambda a: (a - a.mean(dtype=np.float64)) / a.std(dtype=np.float64) if np.ptp(a) else a * 0, 2e-6)
# Mapped over channels, each has its own sums.
compare("arithmetic.standardize colors", "standardize(in)", "NumPy",
        lambda a: (a - a.mean((0, 1), np.float64)) / a.std((0, 1), np.float64), 2e-6, inputs="in : image<f32>[y, x, c]",
        result="image<f32>[y, x, c]", images=[p for p in pictures.color("f32") if min(p.shape[:2]) > 2])
