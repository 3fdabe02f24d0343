"""Samples that are missing (not a number), infinite or huge: what they may change, and what not."""

import numpy as np

from case import holds
from program import Program

IMAGE = "image<f32>[y, x]"
HUGE = np.float32(3.4e38)
ODD = {"NaN": np.float32(np.nan), "-NaN": -np.float32(np.nan), "inf": np.float32(np.inf), "-inf": -np.float32(np.inf),
       "3.4e38": HUGE, "-3.4e38": -HUGE, "-0": np.float32(-0.0)}


def with_odd(seed, shape, count, values=tuple(ODD.values())):
    """Numbers 1, 2, ... in any order, but for `count` samples."""
    random = np.random.default_rng(seed)
    image = 1 + random.permutation(shape[0] * shape[1]).reshape(shape).astype(np.float32)
    image.flat[random.permutation(image.size)[:count]] = random.choice(np.array(values, np.float32), count)
    return image


def same_bits(a, b):
    """How many samples differ; not-a-numbers count as one."""
    both = np.isnan(a) & np.isnan(b)
    return float(np.count_nonzero((a.view(np.uint32) != b.view(np.uint32)) & ~both))


def apart(*forms):
    """Two forms of one filter, on images with more and more odd samples."""
    return max(same_bits(forms[0](image), forms[1](image)) for count in (0, 1, 2, 5, 20, 60)
               for image in (with_odd(count, (13, 17), count), with_odd(count, (9, 8), count, (np.nan,)),
                             with_odd(count, (12, 11), count, (0.0, -0.0))))


FORMS = {"erode_rectangle": ("morphology", "erode_rectangle(in, 2, 2)", "erode(in, 2)"),
         "dilate_rectangle": ("morphology", "dilate_rectangle(in, 2, 2)", "dilate(in, 2)"),
         "median3x3": ("median", "median3x3(in)", "median(in, 1)")}
for name, (module, *calls) in FORMS.items():
    holds(f"missing: {name} as its plain form", apart, 0,
          *(Program(module, f"in : {IMAGE}", IMAGE, call, "clamp") for call in calls))


# What has a value for each sample or pixel: only the pixel of the odd sample changes, and a sample that is not a number
# becomes none in it.
POINTWISE = {
    "f32[y, x]": {
        "color": ("srgb_to_linear(in)", "linear_to_srgb(in)"),
        "arithmetic": ("invert(in)", "gamma(in, 0.45)", "gamma(in, 2)", "stretch(in)", "standardize(in)",
                       "mix_images(in, in, 0.25)", "composite(in, in, in)", "absolute_difference(in, in)"),
        "tone": ("filmic(in)", "filmic(in, 1000)")},
    "f32[y, x, c]": {
        "color": ("rgb_to_ycbcr(in)", "ycbcr_to_rgb(in)", "linear_to_xyz(in)", "xyz_to_linear(in)", "xyz_to_lab(in)",
                  "lab_to_xyz(in)", "rgb_to_hsv(in)", "hsv_to_rgb(in)"),
        "tone": ("reinhard(in)",),
        "camera": ("white_balance(in)",)}}


def pixel_alone(stays_in_channel):
    """How many samples break the law, for an odd sample at each of some places, of otherwise even light."""
    def deviation(f):
        wrong = 0
        random = np.random.default_rng(5)
        shape = (4, 5, 3) if "c]" in f.text.split("->")[0] else (4, 5)
        for name, odd in ODD.items():
            for place in ((0, 0), (1, 2), (3, 4)):
                image = np.float32(0.1) + np.float32(0.8) * random.random(shape, np.float32)
                spoilt = image.copy()
                channel = () if len(shape) == 2 else (int(random.integers(3)),)
                spoilt[(*place, *channel)] = odd
                result = f(spoilt)
                if "NaN" in name:  # none is made of none
                    touched = result[(*place, *channel)] if stays_in_channel else result[place]
                    wrong += int(not np.isnan(touched).any())
                    wrong += int(np.isnan(result).sum() > (1 if len(shape) == 2 else 3))
                if name in ("NaN", "-NaN", "inf", "-inf"):  # elsewhere as if the pixel were one of the others
                    wrong += int(not np.isfinite(np.delete(result.reshape(20, -1), place[0] * 5 + place[1], 0)).all())
        return float(wrong)
    return deviation


for axes, modules in POINTWISE.items():
    for module, calls in modules.items():
        for call in calls:
            holds(f"missing: {module}.{call} alone", pixel_alone("white" in call), 0,
                  Program(module, f"in : image<{axes[:3]}>{axes[3:]}", f"image<{axes[:3]}>{axes[3:]}", call))


LIGHT = np.array([[-np.inf, -HUGE, -1, -0.0, 0, 1e-45, 1e-30, 0.001, 0.0031308, 0.01, 0.04045, 0.2, 0.5, 1, 1.5, 7, 8, 20,
                   1e3, 65504, 1e6, 1e9, 1e18, 1e19, 1.4e19, 1e20, 1e30, 1e38, HUGE, np.inf]], np.float32)


def fall(f):
    """How far a curve falls as light rises, to light without end; infinite where it is no number."""
    values = np.clip(f(LIGHT)[0].astype(np.float64), -1e300, 1e300)
    return np.inf if np.isnan(values).any() else float(np.max(-np.diff(values), initial=0))


for module, call in (("color", "srgb_to_linear(in)"), ("color", "linear_to_srgb(in)"), ("arithmetic", "gamma(in)"),
                     ("tone", "filmic(in)"), ("tone", "filmic(in, 0.1)"), ("tone", "filmic(in, 0)"),
                     ("tone", "filmic(in, 1000)")):
    holds(f"missing: {module}.{call} rises", fall, 1e-6,
          Program(module, f"in : {IMAGE}", IMAGE, call))


def grey_of(f):
    """Reinhard's operator, of grey light that rises to light without end."""
    light = np.repeat(LIGHT[:, 4:, None], 3, 2)
    values = f(light)[0].astype(np.float64)
    return np.inf if np.isnan(values).any() else float(np.max(-np.diff(np.clip(values, -1e300, 1e300), axis=0), initial=0))


holds("missing: tone.reinhard rises", grey_of, 1e-5,
      Program("tone", "in : image<f32>[y, x, c]", "image<f32>[y, x, c]", "reinhard(in)"))


def change_of_numbers(f):
    """Numbers of a picture are those of its finite samples."""
    random, worst = np.random.default_rng(9), 0.0
    for count in (1, 3, 30):
        image = random.random((11, 13), np.float32)
        image.flat[random.permutation(image.size)[:count]] = random.choice([np.nan, np.inf, -np.inf], count)
        good = image[np.isfinite(image)].astype(np.float64)
        for is_, must_be in zip(f(image), (good.mean(), good.var(), good.min(), good.max()), strict=True):
            worst = max(worst, abs(float(is_) - must_be) if is_ == is_ else np.inf)
    return worst


holds("missing: arithmetic.statistics are those of finite samples", change_of_numbers, 1e-12,
      Program("arithmetic", f"in : {IMAGE}", "(mean : f64, variance : f64, least : f32, greatest : f32)",
              "s = statistics(in); mean = s.mean; variance = s.variance; least = s.least; greatest = s.greatest;"))


def change_of_gains(f):
    """The gains of grey_world are those of the pixels that are finite."""
    random = np.random.default_rng(10)
    image = random.random((6, 8, 3), np.float32)
    image[(1, 3, 5), (2, 7, 0), (0, 1, 2)] = (np.nan, np.inf, -np.inf)
    good = image[np.isfinite(image).all(2)].astype(np.float64).sum(0)
    return max(abs(float(is_) - must_be) for is_, must_be in zip(f(image), good[1] / good[[0, 2]], strict=True))


holds("missing: camera.grey_world is that of finite pixels", change_of_gains, 1e-6,
      Program("camera", "in : image<f32>[y, x, c]", "(red : f32, blue : f32)",
              "g = grey_world(in); red = g.red; blue = g.blue;"))


def hidden(f):
    """Where the mask is 0 or 1, the other picture does not count."""
    a, b = np.full((2, 2), 0.25, np.float32), np.full((2, 2), 0.75, np.float32)
    mask = np.array([[0, 1], [0, 1]], np.float32)
    wrong = 0
    for odd in ODD.values():
        a[:, 1] = b[:, 0] = odd
        wrong += int((f(a, b, mask) != [[0.25, 0.75]] * 2).sum())
    return float(wrong)


holds("missing: arithmetic.composite hides what has no weight", hidden, 0,
      Program("arithmetic", f"a : {IMAGE}, b : {IMAGE}, mask : {IMAGE}", IMAGE, "composite(a, b, mask)"))


# What a window of this many samples on each side gives is as if the odd sample were another one, but near it.
def spoilt(shape, place, odd):
    image = np.random.default_rng(3).random(shape, np.float32) + np.float32(0.5)
    clean = image.copy()
    image[place] = odd
    return image, clean


def change_far(reach, inner=None):
    """How many samples further than `reach` from the odd one differ; `inner`: and how many odd results are nearer to where
    it counts than that."""
    def deviation(f):
        wrong = 0
        for odd in ODD.values():
            for place in ((8, 9), (0, 0), (15, 6)):
                image, clean = spoilt((16, 18), place, odd)
                is_, must_be = f(image), f(clean)
                is_, must_be = (is_, must_be) if isinstance(is_, tuple) else ((is_,), (must_be,))
                y, x = np.indices(image.shape)
                away = np.maximum(abs(y - place[0]), abs(x - place[1])) > reach
                for a, b in zip(is_, must_be, strict=True):
                    wrong += same_bits(a[away], b[away]) + int(not np.isfinite(a[away]).all())
        return float(wrong)
    return deviation


WINDOWS = {
    "box": {"box(in, 2)": 2, "box_variance(in, 1)": 2},
    "gaussian": {"gaussian(in, 0.6)": 2, "difference_of_gaussians(in, 0.5, 1.5)": 3, "laplacian_of_gaussian(in, 0.5)": 2},
    "gradient": {"sobel_magnitude(in)": 1, "laplacian(in)": 1, "scharr(in).gx": 1, "prewitt(in).gy": 1},
    "corners": {"harris(in)": 2, "least_change(in)": 2},
    "median": {"median(in, 1)": 1, "median3x3(in)": 1},
    "morphology": {"erode(in, 1)": 1, "dilate(in, 1)": 1, "opening(in, 1)": 2, "closing(in, 1)": 2,
                   "morphological_gradient(in, 1)": 1, "white_top_hat(in, 1)": 2, "black_top_hat(in, 1)": 2,
                   "erode_rectangle(in, 2, 1)": 2, "dilate_rectangle(in, 1, 2)": 2},
    "sharpen": {"unsharp_mask(in, 0.6)": 2, "unsharp_mask(in, 0.6, 0)": 0},
    "smoothing": {"guided(in, in, 1)": 4, "bilateral(in, 2)": 2, "non_local_means(in, 1, 2)": 3},
    "resize": {"resize_linear(in, in.y, in.x)": 0, "resize_cubic(in, in.y, in.x)": 0, "resize_lanczos(in, in.y, in.x)": 0,
               "resize_area(in, in.y, in.x)": 0, "resize_nearest(in, in.y, in.x)": 0},
    "registration": {}}
for module, calls in WINDOWS.items():
    for call, reach in calls.items():
        holds(f"missing: {module}.{call} within {reach}", change_far(reach), 0,
              Program(module, f"in : {IMAGE}", IMAGE, call, "clamp"))


def unlike(f):
    """The picture as it was, to the bit."""
    return max(same_bits(f(with_odd(7, (9, 8), n)), with_odd(7, (9, 8), n)) for n in (0, 1, 5, 40))


for kernel in ("linear", "cubic", "lanczos", "area", "nearest"):
    for reduction in (1, 4):
        options = "" if kernel == "nearest" else f", reduction = {reduction}"
        holds(f"missing: resize_{kernel} to the same size{options}", unlike, 0,
              Program("resize", f"in : {IMAGE}", IMAGE, f"resize_{kernel}(in, in.y, in.x{options})", "clamp"))


def not_halved(f):
    """Means of four, of which an odd sample spoils its own alone."""
    wrong = 0
    for odd in ODD.values():
        image, clean = spoilt((8, 10), (3, 4), odd)
        is_, must_be = f(image), f(clean)
        is_[1, 2] = must_be[1, 2]
        wrong += same_bits(is_, must_be)
    return float(wrong)


holds("missing: resize_area to one half", not_halved, 0,
      Program("resize", f"in : {IMAGE}", IMAGE, "resize_area(in, in.y / 2, in.x / 2)", "clamp"))


def holes_show(f):
    """A hole keeps its place, and its neighbours are within the range of the picture."""
    wrong = 0
    for name, odd in ODD.items():
        image, clean = spoilt((16, 18), (8, 9), odd)
        result = f(image)
        around = np.delete(result.ravel(), 8 * 18 + 9)
        wrong += int(not ((around >= clean.min()) & (around <= clean.max())).all()) if name != "-0" else 0
        wrong += int("NaN" in name and not np.isnan(result[8, 9]))
    return float(wrong)


for call in ("bilateral(in, 2)", "non_local_means(in, 1, 2)"):
    holds(f"missing: smoothing.{call} leaves a hole alone", holes_show, 0,
          Program("smoothing", f"in : {IMAGE}", IMAGE, call, "clamp"))


def no_weight(f):
    """A stencil with zeros is one without the samples there."""
    stencil = np.array([[0, 1, 0], [2, 0, 3], [0, 0, 0]], np.float32)
    wrong = 0
    for odd in ODD.values():
        image, clean = spoilt((7, 8), (3, 4), odd)
        is_, must_be = f(image, stencil), f(clean, stencil)
        for place in ((4, 4), (3, 3), (3, 5)):  # where the sample counts
            is_[place] = must_be[place]
        wrong += same_bits(is_, must_be)
    return float(wrong)


holds("missing: gradient.correlate with zeros", no_weight, 0,
      Program("gradient", f"in : {IMAGE}, stencil : image<f32>[v, u]", IMAGE, "correlate(in, stencil)", "clamp"))


def change_of_even(f, most=np.finfo(np.float32).max):
    """How far an even picture of any light leaves its value, relative to it."""
    return max(float(np.max(np.abs(f(np.full((14, 15), value, np.float32)).astype(np.float64) / np.float64(value) - 1)))
               for value in (HUGE, most, np.float32(-1e38), np.float32(1e33), np.float32(1e-30)))


def not_finite(f):
    """How many results of finite samples are not: the mark of missing data, steps between the greatest ones, noise."""
    most, random, wrong = np.finfo(np.float32).max, np.random.default_rng(4), 0
    marked = 400 + 50 * random.random((40, 48), np.float32)
    marked[20, 30] = -most
    step = np.where(np.arange(48) < 24, most, -most).astype(np.float32) * np.ones((40, 1), np.float32)
    for image in (marked, step, np.ascontiguousarray(step[:, ::-1]), most * random.choice([-1, 1], (40, 48)).astype(np.float32)):
        wrong += int((~np.isfinite(f(image))).sum())
    return float(wrong)


SMOOTH = {"recursive": [f"recursive_gaussian(in, {sigma})" for sigma in (0.5, 1, 3, 50, 200)]
          + ["deriche(in, 0.02)", "deriche(in, 2)"],
          "box": ["running_box(in, 3)"]}
for module, calls in SMOOTH.items():
    for call in calls:
        for rule in ("reflect", "clamp"):
            holds(f"missing: {module}.{call} keeps what is even, {rule}", change_of_even, 1e-6,
                  Program(module, f"in : {IMAGE}", IMAGE, call, rule))
            holds(f"missing: {module}.{call} is finite, {rule}", not_finite, 0,
                  Program(module, f"in : {IMAGE}", IMAGE, call, rule))
for order in (2, 3, 4, 5):
    holds(f"missing: spline.spline{order}_coefficients keeps what is even", change_of_even, 2e-6,
          Program("spline", f"in : {IMAGE}", IMAGE, f"spline{order}_coefficients(in)", "reflect101"))
    holds(f"missing: spline.spline{order}_coefficients is finite", not_finite, 0,
          Program("spline", f"in : {IMAGE}", IMAGE, f"spline{order}_coefficients(in)", "reflect101"))
