"""std.adaptive against SciPy, where all particles are pixels; against the slow definition of the language, where they are not;
and laws."""

import numpy as np
from scipy import ndimage

from adaptive_cells import along, convolve, finest, first_pixels, random_levels, spread
from case import compare, difference, holds
from program import Program

VOLUME = "image<f32>[z, y, x]"
PARTICLES = "apr<f32>[z, y, x]"
BORDERS = {"nearest": "nearest", "mirror": "mirror", "zero": "constant"}
random = np.random.default_rng(3)


# ---- What the filters should do; c(value, kernel, coarser): a convolution ----

def bell(sigma, radius):
    places = np.arange(-radius, radius + 1)
    weights = np.exp(-places ** 2 / (2 * float(np.float32(sigma)) ** 2))
    return weights / weights.sum()


def three(a, line, c):
    for axis in range(3):
        a = c(a, along(line, axis))
    return a


def gaussian(a, c, sigma, radius=9):
    return three(a, bell(sigma, radius), c)


def mean(a, c, radius=2):
    return three(a, np.full(2 * radius + 1, 1 / (2 * radius + 1)), c)


def deviation(a, c, radius=2):
    return np.sqrt(np.maximum(mean((a - mean(a, c, radius)) ** 2, c, radius), 0))


def length(parts, spacing=(1, 1, 1)):
    return np.sqrt(sum((p / float(np.float32(s))) ** 2 for p, s in zip(parts, spacing)))


def slopes(a, c):
    return [c(a, along([0.5, 0, -0.5], axis), "rescaled") for axis in range(3)]


def sobel(a, c):
    across, step = np.array([1, 2, 1]) / 4, np.array([0.5, 0, -0.5])
    lines = [[step if axis == b else across for b in range(3)] for axis in range(3)]
    return [c(a, np.einsum("i,j,k", *line), "rescaled") for line in lines]


def in_7(psf):
    psf = np.pad(psf.astype(np.float64), [(3 - n // 2, 3 - (n - 1 - n // 2)) for n in psf.shape])
    return psf / psf.sum()


def richardson_lucy(a, psf, c, steps=3, weight=0.0):
    blur = in_7(psf)
    e = a
    for _ in range(steps):
        better = e * c(a / np.maximum(c(e, blur), 1e-30), blur[::-1, ::-1, ::-1])
        if weight:
            parts = slopes(e, c)
            size = np.maximum(length(parts), np.maximum(3 * float(np.float32(weight)) * e, 1e-30))
            bend = sum(c(p / size, along([0.5, 0, -0.5], axis), "rescaled") for axis, p in enumerate(parts))
            better = better / (1 - float(np.float32(weight)) * bend)
        e = better
    return e


def laplacian(a, c, once_more, spacing=(1, 1, 1)):
    return once_more * sum(c(a, along([1, -2, 1], axis), "rescaled") / s ** 2 for axis, s in enumerate(spacing))


SPACING = (2.5, 0.5, 1.25)
SPACED = ", 2.5, 0.5, 1.25)"
# Each: the call, what it should be of (value, c, the Laplacian's further factor), and the error that is allowed.
OF_ONE = {
    "adaptive_gaussian": [("(in, 0.7)", lambda a, c, f: gaussian(a, c, 0.7), 1e-6), ("(in, 2.5)", lambda a, c, f: gaussian(a, c, 2.5), 1e-6),
                          ("(in, 4, 13)", lambda a, c, f: gaussian(a, c, 4, 13), 1e-6)],
    "adaptive_mean": [("(in)", lambda a, c, f: mean(a, c), 1e-6), ("(in, 7)", lambda a, c, f: mean(a, c, 7), 1e-6)],
    "adaptive_unsharp": [("(in, 2.5, 2)", lambda a, c, f: 3 * a - 2 * gaussian(a, c, 2.5), 3e-6)],
    "adaptive_foreground": [("(in)", lambda a, c, f: np.maximum(a - gaussian(a, c, 3), 0), 1e-6)],
    "adaptive_background": [("(in, 6)", lambda a, c, f: mean(mean(a, c, 6), c, 6), 1e-6)],
    "adaptive_flatten": [("(in, 6)", lambda a, c, f: a - mean(mean(a, c, 6), c, 6), 1e-6)],
    "adaptive_deviation": [("(in)", lambda a, c, f: deviation(a, c), 3e-6), ("(in, 4)", lambda a, c, f: deviation(a, c, 4), 3e-6)],
    "adaptive_normalise": [("(in, 0.25, 3)", lambda a, c, f: (a - mean(a, c, 3)) / np.maximum(deviation(a, c, 3), 0.25), 1e-5)],
    "adaptive_gradient": [("(in)", lambda a, c, f: length(slopes(a, c)), 1e-6),
                          ("(in" + SPACED, lambda a, c, f: length(slopes(a, c), SPACING), 2e-6)],
    "adaptive_sobel": [("(in)", lambda a, c, f: length(sobel(a, c)), 1e-6),
                       ("(in" + SPACED, lambda a, c, f: length(sobel(a, c), SPACING), 2e-6)],
    "adaptive_laplacian": [("(in)", lambda a, c, f: laplacian(a, c, f), 2e-6), ("(in" + SPACED, lambda a, c, f: laplacian(a, c, f, SPACING), 1e-5)],
    "adaptive_spots": [("(in, 1.5)", lambda a, c, f: -2.25 * laplacian(gaussian(a, c, 1.5), c, f), 5e-6)],
}
OF_PSF = {
    "richardson_lucy": [("(in, psf, 3)", lambda a, psf, c: richardson_lucy(a, psf, c), 1e-5)],
    "richardson_lucy_tv": [("(in, psf, 3, 0.05)", lambda a, psf, c: richardson_lucy(a, psf, c, 3, 0.05), 3e-5)],
}


# ---- Where all particles are pixels ----

def by_scipy(mode):
    def c(a, kernel, coarser=None):
        kernel = np.asarray(kernel, np.float32).astype(np.float64)
        return ndimage.convolve(a.astype(np.float64), kernel, mode=mode)
    return c


NOISE = [random.random(shape, np.float32) for shape in [(1, 9, 7), (5, 6, 9), (16, 11, 13)]]
PSFS = [np.ones((3, 3, 3), np.float32), random.random((1, 4, 7), np.float32)]
for name, tries in {**OF_ONE, **OF_PSF}.items():
    of = name in OF_PSF
    for call, should, bound in tries:
        call = call.replace("(in", "(to_apr(in, error = 0.000001, lambda = 0)")
        compare(f"adaptive.{name}", f"to_pixels({name}{call})", "SciPy", borders=BORDERS, result=VOLUME, modules="adaptive", bound=bound,
                inputs=f"in : {VOLUME}" + (", psf : image<f32>[w, v, u]" if of else ""),
                images=[(a, p) for a in NOISE for p in PSFS] if of else NOISE,
                reference=(lambda a, psf, mode, should=should: should(a.astype(np.float64), psf, by_scipy(mode))) if of
                else (lambda a, mode, should=should: should(a.astype(np.float64), by_scipy(mode), 1)))


# ---- Where they are cells of several sizes ----

def by_cells(level, mode):
    return lambda a, kernel, coarser="restricted": convolve(a, level, kernel, mode, coarser)


def once_more(level):
    return 0.5 ** (finest(level.shape) - level.astype(int))


SHAPES = [(16, 24, 20), (9, 31, 40), (1, 21, 33), (1, 1, 45), (2, 17, 30), (33, 3, 5), (1, 1, 1), (1, 2, 1)]
LEVELS = [random_levels(shape, i, share) for share in (0.4, 0.8) for i, shape in enumerate(SHAPES)]
CELLS = [(first_pixels(random.random(level.shape, np.float32), level), level) for level in LEVELS]
for name, tries in {**OF_ONE, **OF_PSF}.items():
    of = name in OF_PSF
    for call, should, bound in tries:
        compare(f"adaptive.{name}", f"{name}{call}", "by cells", borders=BORDERS, result=PARTICLES, modules="adaptive", bound=2 * bound,
                inputs=f"in : {PARTICLES}" + (", psf : image<f32>[w, v, u]" if of else ""),
                images=[(a, p, level) for a, level in CELLS for p in PSFS] if of else CELLS,
                reference=(lambda a, psf, level, mode, should=should: should(a.astype(np.float64), psf, by_cells(level, mode))) if of
                else (lambda a, level, mode, should=should: should(a.astype(np.float64), by_cells(level, mode), once_more(level))))


# ---- Pixels ----

def smooth(a, level):
    width = 1 << (finest(a.shape) - level.astype(int))
    a = a.astype(np.float64)
    for axis in (2, 1, 0):
        n, result = a.shape[axis], np.empty(a.shape)
        for place in np.ndindex(a.shape):
            w = width[place]
            weights = np.full(2 * (w // 2) + 1, 1.0)
            if w > 1:
                weights[[0, -1]] = 0.5
            at = np.arange(place[axis] - w // 2, place[axis] + w // 2 + 1)
            inside = (at >= 0) & (at < n)
            line = a[tuple(slice(None) if b == axis else p for b, p in enumerate(place))]
            result[place] = np.average(line[at[inside]], weights=weights[inside])
        a = result.astype(np.float32).astype(np.float64)
    return a


compare("adaptive.smooth_pixels", "smooth_pixels(in)", "by cells", smooth, 2e-7, images=CELLS, inputs=f"in : {PARTICLES}", result=VOLUME,
        modules="adaptive")
compare("adaptive.level_map", "level_map(in)", "by cells", lambda a, level: finest(a.shape) - level, 0, images=CELLS,
        inputs=f"in : {PARTICLES}", result="image<u8>[z, y, x]", modules="adaptive")


# ---- Laws ----

def of_constants(program):
    """The greatest difference from what an even image should give, as a share of its value."""
    def worst(*programs):
        found = 0
        for made, kept in zip(programs, program):
            for level in LEVELS:
                for value in (1, 1000, 0.003):
                    a = np.full(level.shape, value, np.float32)
                    more = [PSFS[0]] if "psf :" in made.text else []
                    found = max(found, difference(made(a, *more, level), kept * a) / value)
        return found
    return worst


KEPT = {"adaptive_gaussian(in, 2)": 1, "adaptive_mean(in)": 1, "adaptive_background(in, 8)": 1, "adaptive_unsharp(in)": 1,
        "richardson_lucy(in, psf, 20)": 1, "richardson_lucy_tv(in, psf, 20)": 1,
        "adaptive_foreground(in)": 0, "adaptive_flatten(in, 8)": 0, "adaptive_deviation(in)": 0, "adaptive_normalise(in, 1)": 0,
        "adaptive_gradient(in)": 0, "adaptive_sobel(in)": 0, "adaptive_laplacian(in)": 0, "adaptive_spots(in)": 0}
for rule in ("clamp", "reflect101"):
    holds(f"adaptive: even volumes, {rule}", of_constants(list(KEPT.values())), 3e-5,
          *[Program("adaptive", f"in : {PARTICLES}" + (", psf : image<f32>[w, v, u]" if "psf" in call else ""), PARTICLES, call, rule)
            for call in KEPT])


def smooth_laws(program):
    """0 where pixels that are particles and even volumes stay as they are, sample for sample."""
    apart = 0
    for a, level in CELLS:
        own = level == finest(level.shape)
        apart += np.count_nonzero(program(a, level)[own] != a[own])
        for value in (0.1, 12345.678):
            even = np.full(level.shape, value, np.float32)
            apart += np.count_nonzero(program(even, level) != even)
    return apart


holds("adaptive.smooth_pixels keeps what is fine or even", smooth_laws, 0,
      Program("adaptive", f"in : {PARTICLES}", VOLUME, "smooth_pixels(in)"))


def cells_of(kind, shape, times):
    """Cells of one size, each with the mean of what its pixels have, and inside of the volume what is there."""
    z, y, x = np.meshgrid(*[np.arange(n) + 0.5 for n in shape], indexing="ij")
    of = {"slope": 3 * z - 2 * y + 0.5 * x, "bowl": z * z + 2 * y * y + 3 * x * x}[kind]
    side = 1 << times
    means = of.reshape(shape[0] // side, side, shape[1] // side, side, shape[2] // side, side).mean((1, 3, 5))
    return of, spread(means, times, shape).astype(np.float32), np.full(shape, finest(shape) - times, np.uint8)


def inside(a, border):
    return a.astype(np.float64)[border:-border, border:-border, border:-border]


def of_slopes(gradient, sobel_, laplacian_, smooth_):
    """Relative errors of slopes, bends and straight lines on cells of 1, 2 and 4 pixels."""
    worst = 0
    for times in range(3):
        of, a, level = cells_of("slope", (32, 48, 64), times)
        steep = np.sqrt(9 + 4 + 0.25)
        worst = max(worst, np.abs(inside(gradient(a, level), 4) / steep - 1).max(), np.abs(inside(sobel_(a, level), 4) / steep - 1).max(),
                    np.abs(inside(smooth_(a, level) - of, 4)).max() / np.abs(of).max())
        of, a, level = cells_of("bowl", (32, 48, 64), times)
        worst = max(worst, np.abs(inside(laplacian_(a, level), 4) / 12 - 1).max() / 100)  # differences of large numbers
    return worst


holds("adaptive: slopes and bends are per pixel on all levels", of_slopes, 2e-5,
      *[Program("adaptive", f"in : {PARTICLES}", VOLUME, call, "clamp")
        for call in ("to_pixels(adaptive_gradient(in))", "to_pixels(adaptive_sobel(in))", "to_pixels(adaptive_laplacian(in))")],
      Program("adaptive", f"in : {PARTICLES}", VOLUME, "smooth_pixels(in)"))


def light_that_is_lost(program):
    """Of spots on an even ground, with cells of several sizes."""
    worst = 0
    for shape in [(16, 24, 20), (9, 31, 40)]:
        a = np.full(shape, 100, np.float32)
        a[shape[0] // 2, 10:13, 8:12] = 3000
        b = program(a, np.ones((3, 3, 3), np.float32))
        worst = max(worst, abs(float(b.sum(dtype=np.float64) / a.sum(dtype=np.float64)) - 1))
    return worst


for call in ("richardson_lucy", "richardson_lucy_tv"):
    holds(f"adaptive.{call} keeps the light", light_that_is_lost, 0.01,
          Program("adaptive", f"in : {VOLUME}, psf : image<f32>[w, v, u]", VOLUME,
                  f"to_pixels({call}(to_apr(in, sigma_min = 100, gradient_min = 15), psf, 5))", "mirror"))


def of_a_picture(volume, picture):
    """How far a volume of one plane is from a picture that is smoothed along its own axes."""
    a = np.full((31, 40), 100, np.float32)
    a[10:14, 8:20] = 900
    return difference(volume(a[None])[0], picture(a))


CONSTRUCTED = "sigma_min = 60, gradient_min = 10"
holds("adaptive: a volume of one plane is a picture", of_a_picture, 2e-4,
      Program("adaptive", f"in : {VOLUME}", VOLUME, f"to_pixels(adaptive_mean(to_apr(in, {CONSTRUCTED})))", "clamp"),
      Program("adaptive", "in : image<f32>[y, x]", "image<f32>[y, x]",
              f"k[i in 0 ..< 5] = 1 / f32(5); out = to_pixels(convolve(convolve(to_apr(in, {CONSTRUCTED}), k, [y]), k, [x]));", "clamp"))
