"""std.gaussian against SciPy, whose window ends at 4 sigma too, and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage

import pictures
from case import OPENCV, SCIPY, TWO_RULES, compare, holds
from program import Program

SIGMAS = [{"sigma": s} for s in (0.1, 0.5, 1.3, 4.0)]
INPUTS = "in : image<f32>[y, x], param sigma : f32"
PAIR = "(gx : image<f32>[y, x], gy : image<f32>[y, x])"
SMALL = pictures.grey("f32", crop=(91, 103))


def scipy(a, mode, sigma, order=0):
    return ndimage.gaussian_filter(a.astype(np.float64), np.float32(sigma), order, mode=mode, cval=0.25)


def opencv(a, mode, sigma):
    radius = int(4 * sigma + 0.5)
    return cv2.GaussianBlur(a.astype(np.float64), (2 * radius + 1,) * 2, sigma, borderType=mode)


compare("gaussian.gaussian", "gaussian(in, sigma)", "SciPy", scipy, 1e-6, borders=SCIPY, inputs=INPUTS, options=SIGMAS,
        images=SMALL)
compare("gaussian.gaussian", "gaussian(in, sigma)", "OpenCV", opencv, 1e-6, borders=OPENCV, inputs=INPUTS,
        options=SIGMAS[1:], images=SMALL)
compare("gaussian.gaussian3", "gaussian3(in, sigma)", "SciPy", scipy, 1e-6, borders=TWO_RULES,
        images=pictures.volumes("f32"), inputs="in : image<f32>[z, y, x], param sigma : f32",
        result="image<f32>[z, y, x]", options=SIGMAS[1:])
compare("gaussian.difference_of_gaussians", "difference_of_gaussians(in, sigma, 1.6)", "SciPy",
        lambda a, mode, sigma: scipy(a, mode, sigma) - scipy(a, mode, np.float32(sigma) * np.float32(1.6)), 1e-6,
        borders=TWO_RULES, inputs=INPUTS, options=SIGMAS[1:], images=SMALL)
compare("gaussian.gaussian_gradient", "e = gaussian_gradient(in, sigma); gx = e.gx; gy = e.gy;", "SciPy",
        lambda a, mode, sigma: (scipy(a, mode, sigma, (0, 1)), scipy(a, mode, sigma, (1, 0))), 1e-6,
        borders=TWO_RULES, inputs=INPUTS, options=SIGMAS[1:], images=SMALL, result=PAIR)
compare("gaussian.laplacian_of_gaussian", "laplacian_of_gaussian(in, sigma)", "SciPy",
        lambda a, mode, sigma: ndimage.gaussian_laplace(a.astype(np.float64), np.float32(sigma), mode=mode), 3e-6,
        borders=TWO_RULES, inputs=INPUTS, options=SIGMAS[1:], images=SMALL)

window = Program("gaussian", "param sigma : f32", "image<f32>[d]", "gaussian_window(sigma)")
holds("gaussian.gaussian_window adds up to 1",
      lambda f: max(abs(float(f(sigma=s).astype(np.float64).sum()) - 1) for s in (0.1, 0.5, 3, 50, 200)), 1e-6, window)
