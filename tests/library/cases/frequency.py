"""std.frequency, and the transforms themselves, against SciPy and NumPy. Kinds whose norm `ortho` SciPy 1.10 has wrong, dst 2 and 3,
are compared without it."""

import numpy as np
from scipy import fft, ndimage

import pictures
from case import compare, holds
from program import Program


def denoised(a):
    s = fft.dctn(a.astype(np.float64), type=2, norm="ortho")
    s[np.abs(s) < 0.25] = 0
    return fft.dctn(s, type=3, norm="ortho")


def speed(shape):
    fy, fx = np.fft.fftfreq(shape[0])[:, None], np.fft.rfftfreq(shape[1])[None, :]
    return np.sqrt(fy * fy + fx * fx)


def multiplied(gain):
    """What makes of an image the one whose frequencies are multiplied by gain(speed)."""
    def reference(a, **_):
        with np.errstate(divide="ignore"):
            return np.fft.irfft2(np.fft.rfft2(a.astype(np.float64)) * gain(speed(a.shape)), s=a.shape)
    return reference


def notched(a, kind):
    """Over all frequencies, without what rfft knows."""
    fy, fx = np.fft.fftfreq(a.shape[0])[:, None], np.fft.fftfreq(a.shape[1])[None, :]
    gain = 1.0
    for side in (1, -1):
        dy, dx = ((f - side * at + 0.5) % 1 - 0.5 for f, at in ((fy, 0.21), (fx, -0.4)))
        d = np.sqrt(dy * dy + dx * dx)
        with np.errstate(divide="ignore"):
            gain = gain * (1 - np.exp(-d * d / (2 * 0.15**2)) if kind == "gaussian" else 1 / (1 + (0.15 / d) ** 3))
    result = np.fft.ifft2(np.fft.fft2(a.astype(np.float64)) * gain)
    assert np.abs(result.imag).max() < 1e-12
    return result.real


def psf(shape, even):
    p = np.exp(-0.3 * (np.arange(shape[0])[:, None] - shape[0] // 2) ** 2 - 0.2 * (np.arange(shape[1]) - shape[1] // 2) ** 2)
    if not even:
        p = p + np.random.default_rng(4).random(shape)
    else:
        p = p + 0.3 * (np.abs(np.arange(shape[0])[:, None] - shape[0] // 2) == np.abs(np.arange(shape[1]) - shape[1] // 2))
    return p.astype(np.float32)


def restored_wrap(a, p):
    h = np.zeros(a.shape)
    for v in range(p.shape[0]):
        for u in range(p.shape[1]):
            h[(v - p.shape[0] // 2) % a.shape[0], (u - p.shape[1] // 2) % a.shape[1]] += p[v, u] / np.sum(p, dtype=np.float64)
    response = np.fft.fft2(h)
    return np.fft.ifft2(np.fft.fft2(a.astype(np.float64)) * response.conj() / (np.abs(response) ** 2 + 0.01)).real


def response_reflect(shape, p):
    """By its definition, a sum of cosines."""
    lines = [np.cos(np.pi * np.arange(n)[:, None] * (np.arange(m) - m // 2) / n) for n, m in zip(shape, p.shape)]
    return lines[0] @ (p / np.sum(p, dtype=np.float64)) @ lines[1].T


def restored_reflect(a, p):
    h = response_reflect(a.shape, p.astype(np.float64))
    return fft.idctn(fft.dctn(a.astype(np.float64)) * h / (h * h + 0.01))


def with_psf(shapes, even=True):
    return [(a, psf(p, even)) for p in shapes for a in pictures.grey("f32") if a.shape[0] >= p[0] and a.shape[1] >= p[1]]


def compressed(a, threshold):
    s = fft.dctn(a.astype(np.float64), type=2, norm="ortho")
    kept = np.abs(s) >= np.float32(threshold)
    return fft.dctn(np.where(kept, s, 0), type=3, norm="ortho"), np.array(kept.sum())


compare("frequency.dct_denoise", "dct_denoise(in, threshold = 0.25)", "SciPy", denoised, 4e-6)
compare("frequency.dct_compress", "c = dct_compress(in, threshold); out = c.out; kept = c.kept;", "SciPy", compressed, 4e-6,
        inputs="in : image<f32>[y, x], param threshold : f32", result="(out : image<f32>[y, x], kept : i64)",
        options=[{"threshold": t} for t in (0.03, 0.25, 1.7, 100)])
compare("frequency.butterworth_low_pass", "butterworth_low_pass(in, cutoff = 0.1, order = 2)", "NumPy",
        multiplied(lambda s: 1 / (1 + (s / 0.1) ** 4)), 2e-6)
compare("frequency.butterworth_high_pass", "butterworth_high_pass(in, cutoff = 0.2, order = 1.5)", "NumPy",
        multiplied(lambda s: 1 / (1 + (0.2 / s) ** 3)), 2e-6)
compare("frequency.butterworth_band_pass", "butterworth_band_pass(in, low = 0.05, high = 0.3, order = 2)", "NumPy",
        multiplied(lambda s: 1 / (1 + (0.05 / s) ** 4) / (1 + (s / 0.3) ** 4)), 2e-6)
compare("frequency.notch", "notch(in, at_y = 0.21, at_x = -0.4, radius = 0.15, kind = {kind}, order = 1.5)", "NumPy", notched, 2e-6,
        options=[{"kind": "gaussian"}, {"kind": "butterworth"}])
PSF = "in : image<f32>[y, x], psf : image<f32>[y, x]"
compare("frequency.wiener_wrap", "wiener_wrap(in, psf)", "NumPy", restored_wrap, 1e-5, inputs=PSF,
        images=with_psf([(1, 1), (3, 3), (5, 4), (2, 7)], even=False))
compare("frequency.wiener_reflect", "wiener_reflect(in, psf)", "SciPy", restored_reflect, 1e-5, inputs=PSF,
        images=with_psf([(1, 1), (3, 3), (5, 7)]) + [(pictures.made("f32", (4, 3)), psf((7, 5), True))])
for kind in (2, 3, 4):
    compare("frequency.dct", f"dct(in, [y, x], type = {kind}, norm = ortho)", f"SciPy {kind}",
            lambda a, kind=kind: fft.dctn(a.astype(np.float64), type=kind, norm="ortho"), 2e-4)
for kind in (1, 2, 3, 4):
    compare("frequency.dst", f"dst(in, [x], type = {kind}, norm = none)", f"SciPy {kind}",
            lambda a, kind=kind: fft.dst(a.astype(np.float64), type=kind, axis=1), 2e-4)
compare("frequency.fft", "z = fft(in, [y, x]); out[y, x] = re(z[y, x]);", "NumPy",
        lambda a: np.fft.fft2(a.astype(np.float64)).real, 6e-3)

compare("frequency.cis", "z = fft(in, [x]); t[y, x] = z[y, x] * cis(-6.2831855 * 3 * x / in.x); u = ifft(t, [x]);"
        " out[y, x] = re(u[y, x]) + im(cis(in[y, x]));", "NumPy",
        lambda a: np.roll(a.astype(np.float64), 3, axis=1) + np.sin(a.astype(np.float64)), 1e-4)


def beyond_bound(program):
    """The error of two axes over the bound that the language states, of noise of several extents."""
    random, worst = np.random.default_rng(2), 0.0
    for shape in ((64, 48), (37, 200), (101, 30)):
        a = random.standard_normal(shape).astype(np.float32)
        y = fft.dctn(a.astype(np.float64), type=2, norm="ortho")
        bound = 5e-8 * (2 + np.log2(a.size)) * (1 if shape == (64, 48) else 2)
        worst = max(worst, np.linalg.norm(program(a) - y) / np.linalg.norm(y) / bound)
    return float(worst)


holds("frequency.dct is within its bound", beyond_bound,
      1, Program("frequency", "in : image<f32>[y, x]", "image<f32>[y, x]", "dct(in, [y, x], norm = ortho)"))


def excess(is_, must_be, count, rough):
    """The error of all samples, and that of the worst one, over what the language states; count: N. rough: a prime factor above 13."""
    bound = 5e-8 * (2 + np.log2(count)) * (2 if rough else 1)
    apart, size = np.abs(is_ - must_be), np.linalg.norm(must_be)
    return max(np.linalg.norm(apart) / (bound * size), np.max(apart) / (12 * bound * size / np.sqrt(must_be.size)))


VOLUMES = (((8, 12, 20), False), ((1, 30, 7), False), ((16, 16, 16), False), ((5, 17, 9), True), ((3, 2, 101), True))


def of_volumes(transform, twice):
    """transform: what SciPy does. twice: axes that are transformed over twice their extent."""
    def worst(program):
        random = np.random.default_rng(7)
        volumes = [(random.standard_normal(shape).astype(np.float32), rough) for shape, rough in VOLUMES]
        return float(max(excess(program(a), transform(a.astype(np.float64)), a.size * 2 ** twice, rough) for a, rough in volumes))
    return worst


def mixed(a):
    return fft.dct(fft.dst(fft.dct(a, type=3, axis=0), type=4, axis=1), type=2, axis=2)


VOLUME = ("in : image<f32>[z, y, x]", "image<f32>[z, y, x]")
holds("frequency.dct of three axes", of_volumes(lambda a: fft.dctn(a, norm="ortho"), 0), 1,
      Program("frequency", *VOLUME, "dct(in, [z, y, x], norm = ortho)"))
holds("frequency.transform of three kinds", of_volumes(mixed, 1), 1,
      Program("frequency", *VOLUME, "transform(in, (z: dct3, y: dst4, x: dct2), norm = none)"))
holds("frequency.fft of three axes", of_volumes(lambda a: np.fft.fftn(a).imag + np.fft.fftn(a).real, 0), 1,
      Program("frequency", *VOLUME, "s = fft(in, [z, y, x]); out[z, y, x] = re(s[z, y, x]) + im(s[z, y, x]);"))


def of_lines(kind, norm):
    """Lines of many extents, beside the bound for as many samples as the longest form transforms."""
    def worst(program):
        random, most = np.random.default_rng(9), 0.0
        for n in (1, 2, 3, 4, 5, 8, 15, 16, 31, 64, 101, 128, 360):
            a = random.standard_normal((3, n)).astype(np.float32)
            y = fft.dct(a.astype(np.float64), type=kind, norm=norm, axis=1)
            most = max(most, excess(program(a), y, 4 * n, True))
        return float(most)
    return worst


PLANE = ("frequency", "in : image<f32>[y, x]", "image<f32>[y, x]")
for form in ("quadruple", "mirrored", "padded", "reordered", "three_stages"):
    holds(f"frequency.dct {form}", of_lines(2, "ortho"), 1,
          Program(*PLANE, "dct(in, [x], norm = ortho)", schedule=f"transform out as {form};"))
holds("frequency.inverse dct reordered", of_lines(3, "ortho"), 1,
      Program(*PLANE, "dct(in, [x], type = 3, norm = ortho)", schedule="transform out as reordered;"))
for kind in (2, 3):
    holds(f"frequency.dct {kind} of three axes in three stages", of_volumes(lambda a, kind=kind: fft.dctn(a, type=kind, norm="ortho"), 1), 1,
          Program("frequency", *VOLUME, f"dct(in, [z, y, x], type = {kind}, norm = ortho)", schedule="transform out as three_stages;"))


def parseval(program):
    a = np.random.default_rng(3).standard_normal((45, 64)).astype(np.float32)
    return float(abs(np.sum(program(a).astype(np.float64)) / (a.size * np.sum(a.astype(np.float64) ** 2)) - 1))


def shifted(program):
    """A shift along x multiplies by phases."""
    a = np.random.default_rng(4).standard_normal((12, 40)).astype(np.float32)
    phase = np.exp(-2j * np.pi * 3 * np.arange(40) / 40)
    must_be = np.fft.fft2(a.astype(np.float64)) * phase
    return float(excess(program(np.roll(a, 3, axis=1)), must_be.real, a.size, False))


holds("frequency.fft keeps energies", parseval, 1e-6,
      Program("frequency", "in : image<f32>[y, x]", "image<f32>[y, x]",
              "s = fft(in, [y, x]); out[y, x] = re(s[y, x]) * re(s[y, x]) + im(s[y, x]) * im(s[y, x]);"))
holds("frequency.fft of a shifted image", shifted, 1,
      Program("frequency", "in : image<f32>[y, x]", "image<f32>[y, x]", "s = fft(in, [y, x]); out[y, x] = re(s[y, x]);"))


def left_of_blur(program, mode):
    """What is left of the error of a blurred image with a little noise: less than half of it."""
    a = pictures.made("f32", (47, 64)).astype(np.float64)
    p = psf((5, 5), True).astype(np.float64)
    blurred = ndimage.convolve(a, p / p.sum(), mode=mode) + 1e-4 * np.random.default_rng(5).standard_normal(a.shape)
    sharp = program(blurred.astype(np.float32), p.astype(np.float32), noise_to_signal=1e-5)
    return float(np.linalg.norm(sharp - a) / np.linalg.norm(blurred - a))


for border in ("wrap", "reflect"):
    holds(f"frequency.wiener_{border} sharpens", lambda program, border=border: left_of_blur(program, border), 0.5,
          Program("frequency", PSF + ", param noise_to_signal : f32", "image<f32>[y, x]", f"wiener_{border}(in, psf, noise_to_signal)"))
