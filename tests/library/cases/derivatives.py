"""std.derivatives against SciPy's Gaussians, which are cut off far out, and against what its header promises of the weights."""

import numpy as np
from scipy import ndimage

import pictures
from case import INDEX_RULES, compare, holds
from program import Program

INPUTS = "in : image<f32>[y, x], param sigma : f32"
SMALL = pictures.grey("f32", [(1, 1), (1, 7), (9, 1), (2, 3), (9, 8), (33, 31)], (61, 53))
ORDERS = {"gaussian_gradient(in, sigma).gx": (0, 1), "gaussian_gradient(in, sigma).gy": (1, 0),
          "gaussian_hessian(in, sigma).gyy": (2, 0), "gaussian_hessian(in, sigma).gxy": (1, 1),
          "gaussian_hessian(in, sigma).gxx": (0, 2)}


def weights(sigma, order):
    """Sampled, and scaled as the filters are: of a polynomial of that order, the derivative."""
    d = np.arange(-int(9 * sigma) - 9, int(9 * sigma) + 10)
    smooth = np.exp(-d * d / (2 * sigma * sigma))
    if order == 0:
        return smooth / smooth.sum()
    bent = d * smooth if order == 1 else (d * d / sigma**2 - 1) * smooth
    if order == 2:
        bent -= bent.sum() / smooth.sum() * smooth
    return bent / (bent * d**order / order).sum()


def derivative(a, mode, sigma, orders):
    modes = {"nearest": "edge", "reflect": "symmetric", "mirror": "reflect", "wrap": "wrap"}
    for axis, order in enumerate(orders):
        w = weights(sigma, order)
        reach = len(w) // 2
        widths = [(reach, reach) if k == axis else (0, 0) for k in range(a.ndim)]
        rule = modes[mode] if a.shape[axis] > 1 else "edge"
        wide = np.pad(a.astype(np.float64), widths, rule)
        a = ndimage.correlate1d(wide, w, axis, mode="constant").take(np.arange(reach, reach + a.shape[axis]), axis)
    return a


# What weights miss, of pictures between 0 and 1: less for wider ones, whose neighbours' errors cancel out.
for expression, orders in ORDERS.items():
    name = expression.split("(")[0] + expression[expression.index("."):]
    for sigmas, bound, rules in (((1.0,), 1.5e-3, {"reflect": "reflect"}), ((2.0, 5.0), 4e-4, INDEX_RULES),
                                 ((30.0,), 1.5e-5, {"reflect": "reflect"})):
        compare(f"derivatives.{name}", expression, f"SciPy {sigmas[0]:g}",
                lambda a, mode, sigma, orders=orders: derivative(a, mode, sigma, orders), bound, borders=rules,
                images=SMALL, inputs=INPUTS, options=[{"sigma": s} for s in sigmas])
compare("derivatives.gaussian_laplacian", "gaussian_laplacian(in, sigma)", "SciPy 5",
        lambda a, mode, sigma: derivative(a, mode, sigma, (0, 2)) + derivative(a, mode, sigma, (2, 0)), 3e-4,
        borders={"reflect": "reflect"}, images=SMALL, inputs=INPUTS, options=[{"sigma": 5.0}])


def impulse(order):
    """How far weights are from the true ones, in parts of the greatest."""
    def deviation(f):
        worst = 0
        for sigma in (2, 20, 200):
            true = weights(sigma, order)
            a = np.zeros((1, len(true)), np.float32)
            a[0, len(true) // 2] = 1
            got = f(a, sigma=sigma)[0, ::-1]
            worst = max(worst, float(np.max(np.abs(got - true)) / np.max(np.abs(true))))
        return worst
    return deviation


for order, (name, bound) in enumerate((("gaussian_along", 2.5e-4), ("gaussian_slope_along", 1.6e-3),
                                       ("gaussian_bend_along", 4e-3))):
    holds(f"derivatives.{name}: response to an impulse", impulse(order), bound,
          Program("derivatives", INPUTS, "image<f64>[y, x]", f"{name}(in, f64(sigma)) border zero"))
