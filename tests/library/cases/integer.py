"""The twins of filters for integers: each sample as NumPy computes it with integers, and how far they are from the filters
of f32. The models are written from the formulas, window by window, without looking at the filters' order of sums."""

import numpy as np

import pictures
from case import compare, difference, holds
from program import Program

RULES = {"clamp": "edge", "reflect101": "reflect", "reflect": "symmetric", "zero": "constant", "wrap": "wrap"}
TWO_RULES = {rule: RULES[rule] for rule in ("clamp", "zero")}
BYTES, WORDS, FLOATS = "image<u8>[y, x]", "image<i16>[y, x]", "image<f32>[y, x]"
SLOPES = "(gx : image<i32>[y, x], gy : image<i32>[y, x])"
KINDS = {"u8": BYTES, "i16": WORDS}
BINOMIAL = {3: [1, 2, 1], 5: [1, 4, 6, 4, 1]}  # n of them add up to 2^(n - 1)
DOWN_RULES = {3: "clamp", 5: "reflect101"}


def windows(a, column, row, mode):
    """Exact sums of a, weighted by column times row; the middle, extent / 2 rounded down, lies on the sample."""
    above, left = len(column) // 2, len(row) // 2
    below, right = len(column) - 1 - above, len(row) - 1 - left
    wide = np.pad(a.astype(np.int64), ((above, below), (left, right)), mode=mode)
    h, w = a.shape
    return sum(c * r * wide[i:i + h, j:j + w] for i, c in enumerate(column) for j, r in enumerate(row))


def rounded(sums, bits):
    return (sums + (1 << bits >> 1)) >> bits


def smooth(a, weight, bits, mode):
    return rounded(windows(a, weight, weight, mode), 2 * bits)


def down(a, taps):
    return smooth(a, BINOMIAL[taps], taps - 1, RULES[DOWN_RULES[taps]])[::2, ::2]


def up(a, shape):
    (top, left), (bottom, right) = ([np.minimum((np.arange(n) + d) // 2, m - 1) for n, m in zip(shape, a.shape)] for d in (0, 1))
    a = a.astype(np.int64)
    return rounded(sum(a[y][:, x] for y in (top, bottom) for x in (left, right)), 2)


def gaussian_pyramid(a, levels, taps):
    pyramid = [a.astype(np.int64)]
    while len(pyramid) < levels:
        pyramid.append(down(pyramid[-1], taps))
    return pyramid


def laplacian_pyramid(a, levels, taps):
    g = gaussian_pyramid(a, levels, taps)
    return [g[l] - up(g[l + 1], g[l].shape) for l in range(levels - 1)] + g[-1:]


def collapse(pyramid):
    whole = pyramid[-1]
    for level in pyramid[-2::-1]:
        whole = level + up(whole, level.shape)
    return whole


def window(sigma, bits):
    sigma = float(np.float32(sigma))
    radius = int(3 * sigma + 0.5)
    bell = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weight = np.rint(bell / bell.sum() * (1 << bits)).astype(np.int64)
    weight[radius] += (1 << bits) - weight.sum()
    return weight


def local_laplacian(a, alpha, beta, sigma, levels, samples, taps, fraction=2):
    v, unit, sigma = np.arange(256.0), 1 << fraction, 255 * sigma
    curves = []
    for middle in np.arange(samples) * 255 / (samples - 1):
        apart = np.abs(v - middle)
        bent = np.where(apart <= sigma, sigma * (apart / sigma) ** alpha, beta * (apart - sigma) + sigma)
        curves.append(np.rint(unit * (middle + np.sign(v - middle) * bent)).astype(np.int64))
    place = np.arange(255 * unit + 1) / unit * (samples - 1) / 255
    below = np.minimum(place.astype(np.int64), samples - 2)
    part = np.rint(256 * (place - below)).astype(np.int64)
    guide = gaussian_pyramid(a.astype(np.int64) << fraction, levels, taps)
    details = [laplacian_pyramid(curve[a], levels, taps) for curve in curves]
    blended = guide[-1:]
    for level in range(levels - 2, -1, -1):
        detail, g = np.stack([d[level] for d in details]), guide[level]
        low, high = (np.take_along_axis(detail, below[g][None] + d, 0)[0] for d in (0, 1))
        blended.insert(0, low + rounded((high - low) * part[g], 8))
    return np.clip(rounded(collapse(blended), fraction), 0, 255)


def slopes(across, along, a, mode):
    return windows(a, across, along, mode), windows(a, along, across, mode)


def of_kinds(name, call, model, result=None, **more):
    """Exactly, for bytes and for words with signs. result: that of the program, where it is not the samples' type."""
    for kind, image in KINDS.items():
        compare(name, call, f"NumPy {kind}", model, 0, images=pictures.grey(kind), inputs=f"in : {image}",
                result=result or image, **more)


for taps in (3, 5):
    of_kinds(f"binomial.binomial{taps}", f"binomial{taps}(in)",
             lambda a, mode, taps=taps: smooth(a, BINOMIAL[taps], taps - 1, mode), borders=RULES)
    of_kinds(f"pyramid.down{taps}_integer", f"down{taps}_integer(in)", lambda a, taps=taps: down(a, taps))
of_kinds("gaussian.smooth_integer", "const w[d in 0 .. 3] = {1, 4, 9, 2}; out = smooth_integer(in, w, 4);",
         lambda a, mode: smooth(a, [1, 4, 9, 2], 4, mode), borders=RULES)
of_kinds("gaussian.gaussian_integer", "gaussian_integer(in, {sigma}, {bits})",
         lambda a, mode, sigma, bits: smooth(a, window(sigma, bits), bits, mode), borders=TWO_RULES,
         options=[{"sigma": s, "bits": b} for s, b in ((0.1, 8), (0.8, 6), (1, 8), (2.3, 10), (5, 14))])
for name, across, along in (("difference", [1], [-1, 0, 1]), ("sobel", [1, 2, 1], [-1, 0, 1]),
                            ("scharr", [3, 10, 3], [-1, 0, 1])):
    of_kinds(f"gradient.{name}_integer", f"e = {name}_integer(in); gx = e.gx; gy = e.gy;",
             lambda a, mode, across=across, along=along: slopes(across, along, a, mode), SLOPES, borders=RULES)

of_kinds("pyramid.up_integer", "small[y in 0 ..< (in.y + 1) / 2, x in 0 ..< (in.x + 1) / 2] = in[2 * y, 2 * x]; "
         "out = up_integer(small, in);", lambda a: up(a[::2, ::2], a.shape))
for levels, taps in ((2, 3), (4, 3), (4, 5)):
    parts = "".join(f" p{l} = p[{l}];" for l in range(levels))
    for kind, model in (("gaussian", gaussian_pyramid), ("laplacian", laplacian_pyramid)):
        of_kinds(f"pyramid.{kind}_pyramid_integer", f"p = {kind}_pyramid_integer(in, {levels}, {taps});{parts}",
                 lambda a, model=model, levels=levels, taps=taps: tuple(model(a, levels, taps)),
                 "(" + ", ".join(f"p{l} : image<i32>[y, x]" for l in range(levels)) + ")")
    made = f"p = laplacian_pyramid_integer(in, {levels}, {taps}); "
    of_kinds("pyramid.collapse_integer", made + "out = collapse_integer(p);", lambda a: a, "image<i32>[y, x]")
    of_kinds("pyramid.collapse_integer",
             made + f"for l in 0 ..< {levels} {{ q[l][y, x] = 3 * p[l][y, x] / 2; }} out = collapse_integer(q);",
             lambda a, levels=levels, taps=taps: collapse([3 * d // 2 for d in laplacian_pyramid(a, levels, taps)]),
             "image<i32>[y, x]")

SETTINGS = ("alpha", "beta", "sigma", "levels", "samples", "taps")
OPTIONS = [dict(zip(SETTINGS, row)) for row in
           ((0.5, 1.0, 0.2, 4, 8, 3), (0.5, 1.0, 0.2, 4, 8, 5), (0.25, 1.0, 0.1, 4, 16, 3), (2.0, 1.0, 0.4, 3, 8, 3),
            (1.0, 0.0, 0.1, 4, 8, 3), (1.0, 2.5, 0.3, 2, 5, 5), (1.0, 1.0, 0.2, 4, 8, 3))]
CALL = "local_laplacian_integer(in, " + ", ".join(f"{{{s}}}" for s in SETTINGS) + ")"
compare("local_laplacian.local_laplacian_integer", CALL, "NumPy", local_laplacian, 0, images=pictures.grey("u8"),
        inputs=f"in : {BYTES}", result=BYTES, options=OPTIONS)


def near(module, call, bound, of="in", result=BYTES):
    """bound: how far a filter of integers may be from the one of f32, of the same picture."""
    def apart(f, g):
        return max(difference(f(a), g(a.astype(np.float32))) for a in pictures.grey("u8"))
    holds(f"{module}: {call} is near that of f32", apart, bound, Program(module, f"in : {BYTES}", result, call, "clamp"),
          Program(module, f"in : {FLOATS}", FLOATS, call.replace("_integer", ""), "clamp"))


near("pyramid", "down_integer(in)", 0.501)
near("pyramid", "up_integer(down_integer(in), in)", 1.001)
near("pyramid", "out = laplacian_pyramid_integer(in, 4)[2];", 3.001, result="image<i32>[y, x]")
near("gradient", "out = sobel_integer(in).gx;", 0, result="image<i32>[y, x]")
near("gradient", "out = scharr_integer(in).gy;", 0, result="image<i32>[y, x]")
near("gaussian", "gaussian_integer(in, 2)", 4)


def noise(f, g):
    """Minus the peak signal to noise of bytes against the same in f32, dB: the least of several pictures."""
    def of(a):
        return -10 * np.log10(np.mean((f(a) / 255.0 - g((a / 255.0).astype(np.float32))) ** 2))
    return -min(of(a) for a in pictures.grey("u8") if min(a.shape) > 30)


for row in OPTIONS:
    if row["taps"] == 5:
        options = ", ".join(f"{s} = {row[s]}" for s in SETTINGS[:-1])
        holds(f"local_laplacian_integer: {row['samples']} samples, -dB", noise, -55,
              Program("local_laplacian", f"in : {BYTES}", BYTES, f"local_laplacian_integer(in, {options}, taps = 5)"),
              Program("local_laplacian", f"in : {FLOATS}", FLOATS, f"clamp(local_laplacian(in, {options}), 0, 1)"))
