"""std.frequency, and the transforms themselves, against SciPy and NumPy. Kinds whose norm `ortho` SciPy 1.10 has wrong, dst 2 and 3,
are compared without it."""

import numpy as np
from scipy import fft

from case import compare, holds
from program import Program


def denoised(a):
    s = fft.dctn(a.astype(np.float64), type=2, norm="ortho")
    s[np.abs(s) < 0.25] = 0
    return fft.dctn(s, type=3, norm="ortho")


def low(a):
    s = np.fft.rfft2(a.astype(np.float64))
    fy, fx = np.fft.fftfreq(a.shape[0])[:, None], np.fft.rfftfreq(a.shape[1])[None, :]
    return np.fft.irfft2(s / (1 + (np.sqrt(fy * fy + fx * fx) / 0.1) ** 4), s=a.shape)


compare("frequency.dct_denoise", "dct_denoise(in, threshold = 0.25)", "SciPy", denoised, 4e-6)
compare("frequency.butterworth_low_pass", "butterworth_low_pass(in, cutoff = 0.1, order = 2)", "NumPy", low, 2e-6)
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
