"""std.smoothing and std.sharpen against SciPy, OpenCV and sums written out in NumPy."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, TWO_RULES, compare

PAD = {"replicate": "edge", "reflect": "symmetric", "reflect_101": "reflect"}
NUMPY = {rule: rule for rule in PAD}
SMALL = pictures.grey("f32", crop=(45, 51))


def shifts(a, reach, mode):
    """Every (dy, dx) within reach, and the picture moved by it."""
    wide = np.pad(a.astype(np.float64), reach, PAD[mode])
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            yield dy, dx, wide[reach + dy:reach + dy + a.shape[0], reach + dx:reach + dx + a.shape[1]]


def bilateral(a, mode, radius, sigma_space, sigma_value):
    total = weights = 0
    for dy, dx, moved in shifts(a, radius, mode):
        if dy * dy + dx * dx <= radius * radius:
            w = np.exp(-(dy * dy + dx * dx) / (2 * sigma_space**2) - (moved - a) ** 2 / (2 * sigma_value**2))
            total, weights = total + w * moved, weights + w
    return total / weights


OPTIONS = [{"radius": 3, "sigma_space": 2.0, "sigma_value": 0.125}, {"radius": 1, "sigma_space": 0.75, "sigma_value": 0.5}]
INPUTS = "in : image<f32>[y, x], param radius : i32, param sigma_space : f32, param sigma_value : f32"
CALL = "bilateral(in, radius, sigma_space, sigma_value)"
compare("smoothing.bilateral", CALL, "NumPy", bilateral, 2e-6, borders=NUMPY, images=SMALL, inputs=INPUTS, options=OPTIONS)
# OpenCV interpolates the exponential in a table.
compare("smoothing.bilateral", CALL, "OpenCV",
        lambda a, mode, radius, sigma_space, sigma_value: cv2.bilateralFilter(a, 2 * radius + 1, sigma_value, sigma_space,
                                                                              borderType=mode), 2e-4,
        borders=OPENCV, images=[a for a in SMALL if np.ptp(a)], inputs=INPUTS, options=OPTIONS)


def guided(a, guide, mode, radius, epsilon):
    a, guide = a.astype(np.float64), guide.astype(np.float64)

    def mean(v):
        return ndimage.uniform_filter(v, 2 * radius + 1, mode=mode)

    slope = (mean(a * guide) - mean(a) * mean(guide)) / (mean(guide * guide) - mean(guide) ** 2 + epsilon)
    return mean(slope) * guide + mean(mean(a) - slope * mean(guide))


compare("smoothing.guided", "guided(in, guide, radius, epsilon)", "SciPy", guided, 2e-5, borders=TWO_RULES,
        images=[(a, np.sqrt(a[::-1]).copy()) for a in pictures.grey("f32")],
        inputs="in : image<f32>[y, x], guide : image<f32>[y, x], param radius : i32, param epsilon : f32",
        options=[{"radius": 2, "epsilon": 0.01}, {"radius": 4, "epsilon": 0.25}])

# Far from 0 the result itself is rounded to thousandths.
compare("smoothing.guided", "guided(in, guide, radius, epsilon)", "SciPy", guided, 4e-3, borders=TWO_RULES,
        images=[(a + np.float32(10000), np.sqrt(a[::-1]) + np.float32(10000)) for a in pictures.grey("f32", crop=(61, 67))],
        inputs="in : image<f32>[y, x], guide : image<f32>[y, x], param radius : i32, param epsilon : f32",
        options=[{"radius": 1, "epsilon": 0.01}, {"radius": 4, "epsilon": 0.25}])


def non_local_means(a, mode, patch, search, strength):
    a = a.astype(np.float64)
    wide = np.pad(a, search + patch, PAD[mode])
    height, width = a.shape

    def patches(dy, dx):
        top, left = search + dy, search + dx
        return np.stack([wide[top + v:top + v + height, left + u:left + u + width]
                         for v in range(2 * patch + 1) for u in range(2 * patch + 1)])

    own, total, weights = patches(0, 0), 0, 0
    for dy in range(-search, search + 1):
        for dx in range(-search, search + 1):
            w = np.exp(-np.mean((patches(dy, dx) - own) ** 2, 0) / strength**2)
            moved = wide[search + patch + dy:, search + patch + dx:][:height, :width]
            total, weights = total + w * moved, weights + w
    return total / weights


compare("smoothing.non_local_means", "non_local_means(in, patch, search, strength)", "NumPy", non_local_means, 2e-6,
        borders={"reflect": "reflect"}, images=SMALL, inputs="in : image<f32>[y, x], param patch : i32, param search : i32, param strength : f32",
        options=[{"patch": 1, "search": 2, "strength": 0.125}, {"patch": 2, "search": 3, "strength": 0.25}])


def unsharp(a, mode, sigma, amount, threshold):
    detail = a - ndimage.gaussian_filter(a.astype(np.float64), sigma, mode=mode)
    return a + np.where(np.abs(detail) > threshold, amount * detail, 0)


compare("sharpen.unsharp_mask", "unsharp_mask(in, sigma, amount, threshold)", "SciPy", unsharp, 3e-6, borders=TWO_RULES,
        images=SMALL, inputs="in : image<f32>[y, x], param sigma : f32, param amount : f32, param threshold : f32",
        options=[{"sigma": 1.5, "amount": 2.0, "threshold": 0.0}, {"sigma": 0.75, "amount": 0.5, "threshold": -1.0 + 1.0}])
