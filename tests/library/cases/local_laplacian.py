"""std.local_laplacian: the sampled form against the definition, and the definition against NumPy. RESULTS.md has a
table of the former on a picture."""

import numpy as np
from scipy import ndimage

import pictures
from case import compare, holds
from program import Program

INPUTS = "in : image<f32>[y, x], param alpha : f32, param beta : f32, param sigma : f32"
CALL = "(in, alpha, beta, sigma, levels = {levels})"
OPTIONS = [{"alpha": a, "beta": b, "sigma": s, "levels": n} for a, b, s, n in
           [(0.25, 1.0, 0.125, 2), (0.5, 0.5, 0.25, 3), (2.0, 1.0, 0.25, 3), (1.0, 0.0, 0.5, 3)]]


def remap(v, g, alpha, beta, sigma):
    apart = np.abs(v - g)
    return g + np.where(v < g, -1, 1) * np.where(apart <= sigma, sigma * (apart / sigma) ** alpha,
                                                 beta * (apart - sigma) + sigma)


def down(a):
    for axis in (-2, -1):
        a = ndimage.correlate1d(a, np.array([1, 4, 6, 4, 1]) / 16, axis, mode="mirror")
        a = a[..., ::2, :] if axis == -2 else a[..., ::2]
    return a


def up(a, shape):
    for axis, n in zip((-2, -1), shape):
        at = np.arange(n)
        last = a.shape[axis] - 1
        a = (np.take(a, np.minimum(at // 2, last), axis) + np.take(a, np.minimum((at + 1) // 2, last), axis)) / 2
    return a


def gaussian(a, levels):
    pyramid = [a]
    while len(pyramid) < levels:
        pyramid.append(down(pyramid[-1]))
    return pyramid


def by_definition(a, alpha, beta, sigma, levels):
    guide = gaussian(a.astype(np.float64), levels)
    result = guide[-1]
    for level in range(levels - 2, -1, -1):
        shape = guide[level].shape
        chosen = np.empty(shape)
        for y, x in np.ndindex(shape):
            own = gaussian(remap(a.astype(np.float64), guide[level][y, x], alpha, beta, sigma), level + 2)
            chosen[y, x] = own[level][y, x] - up(own[level + 1], shape)[y, x]
        result = chosen + up(result, shape)
    return result


compare("local_laplacian.local_laplacian_reference", "local_laplacian_reference" + CALL, "NumPy", by_definition, 5e-6,
        images=pictures.grey("f32", [(1, 1), (1, 9), (5, 4), (9, 8), (13, 17)], (15, 14)), inputs=INPUTS, options=OPTIONS)

SAMPLED = [Program("local_laplacian", INPUTS, "image<f32>[y, x]",
                   f"local_laplacian(in, alpha, beta, sigma, levels = 4, samples = {n})") for n in (8, 32)]
DEFINED = Program("local_laplacian", INPUTS, "image<f32>[y, x]", "local_laplacian_reference(in, alpha, beta, sigma, levels = 4)")


def noise(sampled, defined, a, **options):
    """Peak signal to noise of the sampled form, dB."""
    apart = sampled(a, **options).astype(np.float64) - defined(a, **options)
    return -10 * np.log10(max(np.mean(apart**2), 1e-20))


def worst(*cells):
    """Minus the least of the cells (alpha, beta, sigma)."""
    a = pictures.made("f32", (41, 45))
    return lambda sampled, defined: -min(noise(sampled, defined, a, alpha=al, beta=be, sigma=s) for al, be, s in cells)


def unchanged(sampled):
    return max(float(np.max(np.abs(sampled(a, alpha=1.0, beta=1.0, sigma=0.25) - a))) for a in pictures.grey("f32"))


# With alpha below 1 the curve is infinitely steep in the middle, which samples meet slowly; else the error falls with
# the square of their distance.
STEEP, GENTLE = ((0.25, 1, 0.1), (0.25, 1, 0.4)), ((2, 1, 0.2), (1, 0, 0.2), (1, 0, 0.4))
for samples, program, steep, gentle in ((8, SAMPLED[0], 20, 40), (32, SAMPLED[1], 24, 60)):
    holds(f"local_laplacian: {samples} samples, alpha 0.25, -dB", worst(*STEEP), -steep, program, DEFINED)
    holds(f"local_laplacian: {samples} samples, others, -dB", worst(*GENTLE), -gentle, program, DEFINED)
holds("local_laplacian: alpha 1, beta 1 change nothing", unchanged, 2e-6, SAMPLED[0])
