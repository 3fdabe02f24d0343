"""Every filter of the library has a law: what one sample that is missing, infinite or huge may change of a result, and
what not. A filter without a row here or in missing.py fails the last case."""

import glob
import os
import re

import numpy as np

from case import all_cases, holds
from cases import missing
from program import Program

SHAPE, VOLUME = (20, 22), (7, 12, 13)
HUGE = missing.HUGE
ODD = {**missing.ODD, "65504": np.float32(65504)}


def within(*reach):
    """Results further than so many samples from the odd one are as without it: along y and x, or both."""
    reach = reach * 2 if len(reach) == 1 else reach
    return lambda apart: np.all([abs(apart[-len(reach):][i]) <= reach[i] for i in range(len(reach))], axis=0)


POINT = within(0)
MADE_NONE = within(0)  # and a sample that is not a number does not become one
ALONG_X = within(0, 10000)
ALONG_Y = within(10000, 0)
EVERYWHERE = within(10000)
NOWHERE = within(-1)  # only extents count


def after(apart):
    """Samples before it on the line are as without it."""
    return (apart[-2] == 0) & (apart[-1] >= 0)


def before_it(apart):
    return (apart[-2] == 0) & (apart[-1] <= 0)


def below(apart):
    """Samples above it and samples at its left are as without it."""
    return (apart[-2] >= 0) & (apart[-1] >= 0)


# What else holds. EVEN: a picture near the greatest light, the same everywhere, keeps its value. FINITE: results are finite
# where samples are.
NOTHING, EVEN, FINITE, MEAN = (), ("even",), ("finite",), ("even", "finite")

PSF = "k[y in 0 ..< 3, x in 0 ..< 3] : f32 = 1 / (2 + f32(y) + x);"
EVEN_PSF = "k[y in 0 ..< 3, x in 0 ..< 3] : f32 = select(y == 1, 2, 1) * select(x == 1, 2, 1) / 16.0;"

# module: (text before the calls, {call: (law, what else holds)}), of pictures of floats [y, x].
PICTURES = {
    "arithmetic": ("", {"threshold(in)": (POINT, FINITE)}),
    "blending": ("m[y in 0 ..< in.y, x in 0 ..< in.x] : f32 = select(y > 4 && x > 3, 1, 0);", {
        "seamless_clone(in, in, m)": (EVERYWHERE, NOTHING)}),
    "blocks": ("", {"block_idct(block_dct(in), in.y, in.x)": (EVERYWHERE, NOTHING),
                    "denoise_blocks(in, 0.01)": (EVERYWHERE, NOTHING)}),
    "box": ("", {
        "box(in, 2)": (within(2), MEAN), "running_box(in, 2)": (within(2), MEAN),
        "repeated_box(in, 2, 2)": (within(4), MEAN), "f32(running_mean(in, 2))": (within(0, 2), MEAN),
        "box_covariance(in, in, 1).mean_a": (within(2), EVEN), "box_covariance(in, in, 1).covariance": (within(2), NOTHING)}),
    "camera": ("", {"demosaic_linear(in)": (within(1), MEAN), "demosaic(in)": (within(2), EVEN)}),
    "convolution": (EVEN_PSF, {
        "fft_convolve(in, k)": (EVERYWHERE, NOTHING), "fft_convolve_blocks(in, k, size = 8)": (within(8), NOTHING),
        "dct_convolve(in, k)": (EVERYWHERE, NOTHING), "even_response(in, k)": (NOWHERE, FINITE)}),
    "corners": ("", {"structure_tensor(in).xy": (within(2), NOTHING)}),
    "derivatives": ("", {
        "f32(pair_along(in, 1, 0.5, 0.6, 1.7, 1))": (ALONG_X, NOTHING), "f32(gaussian_along(in, 2) / 2)": (ALONG_X, FINITE),
        "f32(gaussian_slope_along(in, 2))": (ALONG_X, FINITE), "f32(gaussian_bend_along(in, 2))": (ALONG_X, FINITE),
        "gaussian_gradient(in, 2).gx": (EVERYWHERE, FINITE), "gaussian_gradient(in, 2).gy": (EVERYWHERE, FINITE),
        "gaussian_hessian(in, 2).gyy": (EVERYWHERE, FINITE), "gaussian_hessian(in, 2).gxy": (EVERYWHERE, FINITE),
        "gaussian_laplacian(in, 2)": (EVERYWHERE, FINITE)}),
    "frequency": (EVEN_PSF, {
        "speed(in)": (NOWHERE, FINITE), "butterworth_low_pass(in)": (EVERYWHERE, NOTHING),
        "butterworth_high_pass(in)": (EVERYWHERE, NOTHING), "butterworth_band_pass(in)": (EVERYWHERE, NOTHING),
        "multiply_frequencies(in, speed(in))": (EVERYWHERE, NOTHING), "notch(in, 0.25, 0.25)": (EVERYWHERE, NOTHING),
        "wiener_wrap(in, k)": (EVERYWHERE, NOTHING), "wiener_reflect(in, k)": (EVERYWHERE, NOTHING),
        "dct_compress(in).out": (EVERYWHERE, NOTHING), "dct_denoise(in)": (EVERYWHERE, NOTHING)}),
    "gaussian": ("", {
        "gaussian(in, 1)": (within(4), MEAN), "gaussian_gradient(in, 1).gx": (within(4), FINITE),
        "gaussian_gradient(in, 1).gy": (within(4), FINITE), "laplacian_of_gaussian(in, 1)": (within(4), NOTHING)}),
    "gradient": ("k[v in 0 ..< 3, u in 0 ..< 3] : f32 = f32(v + u) / 18;", {
        "sobel(in).gx": (within(1), NOTHING), "sobel(in).gy": (within(1), NOTHING),
        "sobel_magnitude(in)": (within(1), NOTHING), "correlate(in, k)": (within(1), EVEN)}),
    "local_laplacian": ("", {
        "local_laplacian(in, levels = 2, samples = 4)": (within(6), NOTHING),
        "local_laplacian_reference(in, levels = 2)": (within(6), NOTHING)}),
    "morphology": ("e[v in 0 ..< 3, u in 0 ..< 3] = v != 0 || u != 2;", {
        "greatest_near(in, 2)": (within(0, 2), MEAN), "least_near(in, 2)": (within(0, 2), MEAN),
        "dilate_by(in, e)": (within(1), MEAN), "erode_by(in, e)": (within(1), MEAN)}),
    "poisson": ("", {
        **{f"poisson_{name}(in)": (EVERYWHERE, NOTHING) for name in (
            "wrap", "reflect", "reflect101", "zero", "odd", "reflect_odd", "odd_reflect", "reflect101_zero",
            "zero_reflect101")},
        "integrate_slopes(in, in)": (EVERYWHERE, NOTHING), "density_forces(in).potential": (EVERYWHERE, NOTHING)}),
    "pyramid": ("", {
        "down(in)": (within(2), MEAN), "up(down(in), in)": (within(4), MEAN),
        "gaussian_pyramid(in, 3)[2]": (within(2), MEAN), "laplacian_pyramid(in, 2)[0]": (within(4), NOTHING),
        "collapse(laplacian_pyramid(in, 2))": (within(6), NOTHING)}),
    "recursive": ("", {
        "f32(deriche_along(in, 1))": (ALONG_X, MEAN), "f32(deriche_slope_along(in, 1))": (ALONG_X, FINITE),
        "deriche(in, 1)": (EVERYWHERE, MEAN), "deriche_gradient(in, 1).gx": (EVERYWHERE, FINITE),
        "deriche_gradient(in, 1).gy": (EVERYWHERE, FINITE), "recursive_gaussian(in, 2)": (EVERYWHERE, MEAN),
        "f32(pairs_x(in, 0.27, 0.42, 0.31, 0.13))": (ALONG_X, NOTHING),
        "f32(pairs_y(in, 0.27, 0.42, 0.31, 0.13))": (ALONG_Y, NOTHING)}),
    "registration": ("s[axis in 0 ..< 2] : f32 = 0.5;", {
        "phase_correlation(in, in).peak": (EVERYWHERE, NOTHING), "windowed(in)": (EVERYWHERE, NOTHING), "translate_wrap(in, s)": (EVERYWHERE, NOTHING)}),
    "resize": ("", {
        f"resize_{kernel}(in, 13, 31)": (within(reach), holding)
        for kernel, reach, holding in (("linear", 3, EVEN), ("cubic", 4, NOTHING), ("lanczos", 6, NOTHING), ("area", 3, EVEN),
                                       ("nearest", 2, MEAN))}),
    "signal": ("", {
        "f32(biquad(in, 0.2, 0.1, 0.1, -0.5, 0.1))": (after, NOTHING),
        "f32(biquad_back(in, 0.2, 0.1, 0.1, -0.5, 0.1))": (before_it, NOTHING), "f32(exponential(in))": (after, MEAN),
        "f32(low_pass(in))": (after, NOTHING), "f32(low_pass_back(in))": (before_it, NOTHING),
        "f32(high_pass(in))": (after, NOTHING), "f32(band_pass(in))": (after, NOTHING), "f32(notch(in))": (after, NOTHING),
        "butterworth_low_pass(in)": (after, NOTHING), "butterworth_high_pass(in)": (after, NOTHING),
        "butterworth_zero_phase(in)": (ALONG_X, NOTHING)}),
    "smoothing": ("", {
        "bilateral(in, 2)": (within(2), MEAN), "guided(in, in, 1)": (within(4), EVEN),
        "non_local_means(in, 1, 2)": (within(3), MEAN)}),
    "spline": ("", {
        "spline_pole_x(in, -0.25)": (ALONG_X, MEAN), "spline_pole_y(in, -0.25)": (ALONG_Y, MEAN),
        "resize_spline3(in, 13, 31)": (EVERYWHERE, FINITE), "resize_spline5(in, 13, 31)": (EVERYWHERE, FINITE)}),
    "summed_area": ("", {"f32(summed_area_float(in) / 1000)": (below, FINITE)}),
    "wavelet": ("h = haar(in);", {
        "h.low": (within(0), NOTHING), "h.across": (within(0), NOTHING), "h.down": (within(0), NOTHING),
        "h.both": (within(0), NOTHING),
        "haar_inverse(h.low, h.across, h.down, h.both, in.y, in.x)": (within(1), NOTHING)}),
}

VOLUMES = {
    "box": ("", {"box3(in, 1)": (within(1, 1, 1), MEAN)}),
    "convolution": ("", {"fft_convolve3(in, in)": (EVERYWHERE, NOTHING)}),
    "gaussian": ("", {"gaussian3(in, 0.5)": (within(2, 2, 2), MEAN)}),
    "gradient": ("", {"laplacian3(in)": (within(1, 1, 1), NOTHING)}),
}

# Of f16: what takes any type of numbers.
HALVES = {
    "arithmetic": ("", {"absolute_difference(in, in)": (MADE_NONE, NOTHING)}),
    "box": ("", {"f32(running_mean(in, 1))": (within(0, 1), NOTHING)}),
    "median": ("", {"median(in, 1)": (within(1), NOTHING), "median3x3(in)": (within(1), NOTHING)}),
    "morphology": ("e[v in 0 ..< 3, u in 0 ..< 3] = v != 0 || u != 2;", {
        "dilate_by(in, e)": (within(1), NOTHING), "erode_by(in, e)": (within(1), NOTHING),
        "dilate(in, 1)": (within(1), NOTHING), "erode(in, 1)": (within(1), NOTHING),
        "dilate_rectangle(in, 1, 2)": (within(1, 2), NOTHING), "erode_rectangle(in, 1, 2)": (within(1, 2), NOTHING),
        "white_top_hat(in, 1)": (within(2), NOTHING), "morphological_gradient(in, 1)": (within(1), NOTHING)}),
    "resize": ("", {"resize_nearest(in, 20, 22)": (MADE_NONE, NOTHING)}),
    "signal": ("", {"f32(low_pass(in))": (after, NOTHING)}),
}

COLOURS = {
    "color": ("m[i in 0 ..< 3, j in 0 ..< 3] : f32 = 1 / (2 + f32(i) + j); o[i in 0 ..< 3] : f32 = 0.1;", {
        "color_matrix(in, m, o)": (within(0, 0, 2), NOTHING), "luminance(in)": (MADE_NONE, NOTHING), "luma(in)": (MADE_NONE, NOTHING)}),
}


def results_of(kept, called):
    """The results of a program for each picture, computed once."""
    def at(program, key, image):
        if key not in kept:
            results = called(program)(image)
            kept[key] = results if isinstance(results, tuple) else (results,)
        return kept[key]
    return at


def clean_picture(shape):
    return np.random.default_rng(6).random(shape, np.float32) + np.float32(0.5)


def broken(result, clean, place, shape, law):
    """How many results that the odd sample must not change are changed."""
    axes = min(len(shape), result.ndim)
    apart = [np.indices(result.shape)[a] * (shape[a] / result.shape[a]) - place[a] for a in range(axes)]
    if result.shape[:axes] != shape[:axes]:  # another grid: half a sample more
        apart = [np.sign(d) * np.maximum(abs(d) - shape[a] / result.shape[a], 0) for a, d in enumerate(apart)]
    far = ~law(apart)
    return missing.same_bits(result[far], clean[far])


def keeps_law(at, number, shape, law):
    def wrong(program):
        count = 0
        clean = clean_picture(shape)
        must_be = at(program, "clean", clean)[number]
        for place in (tuple(n // 2 for n in shape), (0,) * len(shape)):
            for name, odd in ODD.items():
                image = clean.copy()
                image[place] = odd
                result = at(program, (name, place), image)[number]
                count += broken(result, must_be, place, shape, law)
                count += law is MADE_NONE and "NaN" in name and not np.isnan(result[place[:result.ndim]]).any()
        return float(count)
    return wrong


def stays_finite(at, number, shape):
    """Of one huge sample, of the mark of missing data, and of steps between the greatest samples."""
    def wrong(program):
        clean = clean_picture(shape)
        count = 0
        for name in ("3.4e38", "-3.4e38", "65504"):
            place = tuple(n // 2 for n in shape)
            image = clean.copy()
            image[place] = ODD[name]
            count += np.count_nonzero(~np.isfinite(at(program, (name, place), image)[number]))
        step = np.where(np.arange(shape[-1]) < shape[-1] // 2, HUGE, -HUGE).astype(np.float32) * np.ones(shape, np.float32)
        count += np.count_nonzero(~np.isfinite(at(program, "step", step)[number]))
        return float(count)
    return wrong


def keeps_even(at, number, shape):
    def deviation(program):
        return max(float(np.max(abs(at(program, ("even", float(value)), np.full(shape, value, np.float32))[number]
                                    .astype(np.float64) / np.float64(value) - 1)))
                   for value in (HUGE, -HUGE, np.float32(1e-30)))
    return deviation


def kind_of(call, axes):
    return f"image<f32>[{'y, x, c' if 'demosaic' in call else 'y, x' if 'lum' in call else axes}]"


def text_of(module):
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "..", "stdlib", module + ".flt")) as file:
        return file.read()


def silent(module):
    """1 where a page keeps silent on what a sample that is not a number spoils beyond a window."""
    comments = "".join(line[3:] for line in text_of(module).splitlines(True) if line.startswith("//"))
    return 0.0 if re.search(r"\bNaN\b|not\sa\snumber", comments) else 1.0


def of_halves(program):
    def with_halves(image):
        with np.errstate(over="ignore"):
            return program(image.astype(np.float16).view(np.uint16))
    return with_halves


def state(module, before, calls, axes, shape, sample="f32"):
    held = {call: row for call, row in calls.items() if row[0] is not EVERYWHERE or row[1]}
    if any(law in (EVERYWHERE, ALONG_X, ALONG_Y, after, before_it, below) for law, _ in calls.values()):
        holds(f"odd: the page of {module} tells how far", lambda: silent(module), 0)
    if not held:
        return
    results = ", ".join(f"r{i} : {kind_of(call, axes)}" for i, call in enumerate(held))
    body = before + " ".join(f"r{i} = {call};" for i, call in enumerate(held))
    program = Program(module, f"in : image<{sample}>[{axes}]", f"({results})", body,
                      "reflect101" if module == "spline" else "clamp")
    at = results_of({}, of_halves if sample == "f16" else lambda program: program)
    for i, (call, (law, holding)) in enumerate(held.items()):
        if law is not EVERYWHERE:
            holds(f"odd: {module}.{call} within its support{' of f16' * (sample == 'f16')}", keeps_law(at, i, shape, law), 0, program)
        if "finite" in holding:
            holds(f"odd: {module}.{call} is finite", stays_finite(at, i, shape), 0, program)
        if "even" in holding:
            holds(f"odd: {module}.{call} keeps what is even", keeps_even(at, i, shape), 2e-6, program)


def change_of_average(f):
    """The mean of the luminance is that of the pixels where it is finite."""
    light = clean_picture((*SHAPE, 3))
    weights = np.array([0.2126, 0.7152, 0.0722])
    worst = 0.0
    for odd in (np.nan, np.inf, -np.inf):
        image = light.copy()
        image[3, 4, 1] = odd
        good = np.delete((light.astype(np.float64) * weights).sum(2).ravel(), 3 * SHAPE[1] + 4)
        worst = max(worst, abs(float(f(image)) / np.exp(np.log(good).mean()) - 1))
    return worst


holds("odd: tone.log_average is that of finite pixels", change_of_average, 1e-6,
      Program("tone", "in : image<f32>[y, x, c]", "f64", "log_average(in)"))

# Filters of particles: the odd sample is put on the finest particles of a volume, in place of a mark, so that the cells
# stay. The reach is in samples along each axis.
ADAPTIVE = {
    "adaptive_gaussian(p, 1, 3)": 3, "adaptive_mean(p, 1)": 1, "adaptive_unsharp(p, 1, 1, 3)": 3,
    "adaptive_foreground(p, 1, 3)": 3, "adaptive_background(p, 1)": 2, "adaptive_flatten(p, 1)": 2,
    "adaptive_deviation(p, 1)": 2, "adaptive_normalise(p, 0.1, 1)": 2, "adaptive_gradient(p)": 1, "adaptive_sobel(p)": 1,
    "adaptive_laplacian(p)": 1, "adaptive_spots(p, 1, 3)": 4, "richardson_lucy(p, k, 1)": 6,
    "richardson_lucy_tv(p, k, 1)": 6}


def adaptive_law(number, reach):
    def wrong(f):
        count = 0
        for place in ((8, 10, 9), (0, 0, 0)):
            clean = clean_picture((17, 18, 19))
            clean[place] = 9
            must_be = f(clean, odd=9.0)[number]
            apart = np.max([abs(np.indices(clean.shape)[a] - place[a]) for a in range(3)], axis=0)
            for odd in ODD.values():
                count += missing.same_bits(f(clean, odd=float(odd))[number][apart > reach], must_be[apart > reach])
        return float(count)
    return wrong


particles = Program(
    "adaptive", "in : image<f32>[z, y, x], param odd : f32",
    "(" + ", ".join(f"r{i} : image<f32>[z, y, x]" for i in range(len(ADAPTIVE) + 1)) + ")",
    "k[w in 0 ..< 3, v in 0 ..< 3, u in 0 ..< 3] : f32 = 1; q = to_apr(in, error = 1e-6, lambda = 0); "
    "p = select(q > 8, odd, q); " + " ".join(f"r{i} = to_pixels({call});" for i, call in enumerate(ADAPTIVE))
    + f" r{len(ADAPTIVE)} = smooth_pixels(p);", "clamp")
for number, (call, reach) in enumerate((*ADAPTIVE.items(), ("smooth_pixels(p)", 0))):
    holds(f"odd: adaptive.{call} within its support", adaptive_law(number, reach), 0, particles)

TABLES = ((PICTURES, "y, x", SHAPE), (VOLUMES, "z, y, x", VOLUME), (COLOURS, "y, x, c", (*SHAPE, 3)),
          (HALVES, "y, x", SHAPE, "f16"))
for table, *pictures in TABLES:
    for module, (before, calls) in table.items():
        state(module, before, calls, *pictures)


# Filters without a picture of floats: of integers, of truth values, of extents alone.
OTHERS = {
    "adaptive": "level_map mean_of_width psf_in_7", "binomial": "binomial3 binomial5", "box": "", "camera": "sensor_levels",
    "distance": "squared_distance distance city_block_distance", "edges": "canny",
    "gaussian": "gaussian_window gaussian_window_integer smooth_integer gaussian_integer",
    "gradient": "difference_integer sobel_integer scharr_integer", "histogram": "histogram equalize clahe otsu_level otsu",
    "local_laplacian": "local_laplacian_integer",
    "pyramid": "down3_integer down5_integer down_integer up_integer gaussian_pyramid_integer laplacian_pyramid_integer "
               "collapse_integer",
    "resize": "normalized linear_weights cubic_weights lanczos_weights resample",
    "summed_area": "summed_area box_by_table",
    "wavelet": "cdf53_x cdf53_y cdf53_x_inverse cdf53_y_inverse cdf53 cdf53_inverse"}


def without_a_law():
    """How many filters of the library no row holds."""
    written = [(module, call) for table, *_ in TABLES for module, (before, calls) in table.items() for call in (before, *calls)]
    written += [(module, program.text) for each in all_cases if each.name.startswith(("missing:", "odd:")) for program in each.programs
                for module in re.findall(r"import std\.(\w+)", program.text)]
    written += [(module, f"{name}(") for module, names in OTHERS.items() for name in names.split()]
    count = 0
    for file in glob.glob(os.path.join(os.path.dirname(__file__), "..", "..", "..", "stdlib", "*.flt")):
        module = os.path.basename(file)[:-4]
        calls = " ".join(call for of, call in written if of == module)
        for name in re.findall(r"^filter (\w+)", text_of(module), re.M):
            if not re.search(rf"\b{name}\(", calls):
                print(f"    std.{module}: no law for {name}")
                count += 1
    return float(count)


holds("odd: every filter has a law", without_a_law, 0)
