"""std.registration: known shifts, whole and not, are found; moving against NumPy."""

import numpy as np
from scipy import ndimage

import pictures
from case import compare, holds
from program import Program

FOUND = "(shift : image<f32>[axis], peak : f32)"
INPUTS = "still : image<f32>[y, x], moved : image<f32>[y, x]"
WHOLE = [(0, 0), (3, -5), (-8, 0), (13, 21), (-17, 9), (30, -30)]
PARTS = [(0.5, 0.5), (0.25, -0.75), (-3.4, 7.1), (10.9, -0.05), (-0.33, -12.66)]


def program(window):
    return Program("registration", INPUTS, FOUND,
                   f"p = phase_correlation(still, moved, window = {window}); shift = p.shift; peak = p.peak;")


def moved(a, by):
    """a moved around by its waves, in f64."""
    return np.fft.ifft2(ndimage.fourier_shift(np.fft.fft2(a), by)).real


def ground(smooth, shape=(401, 421)):
    """A texture of odd extents, so that no wave is its own opposite."""
    return ndimage.gaussian_filter(np.random.default_rng(6).standard_normal(shape), smooth, mode="wrap")


def worst(find, pictures_of, shifts):
    """How far the worst shift found is from the true one, along an axis."""
    apart = 0.0
    for still, by, after in ((s, by, m) for by in shifts for s, m in pictures_of(by)):
        shift, _ = find(still.astype(np.float32), after.astype(np.float32))
        apart = max(apart, float(np.max(np.abs(shift - np.array(by)))))
    return apart


def around(by):
    return [(a, moved(a, by)) for a in (ground(0, (61, 75)), ground(1, (128, 96)), ground(3, (101, 128)))]


def windows(by, smooth=(0.7, 1.5)):
    """What a camera sees that turns: parts of a larger texture; with other brightness, contrast and noise. The further it
    turns the less is seen twice: of the shifts here 0.09 at worst."""
    random = np.random.default_rng(7)
    cut = lambda a: a[130:130 + 140, 120:120 + 161]
    return [(cut(a), 3 + 2 * cut(moved(a, by)) + 0.05 * a.std() * random.standard_normal((140, 161))) for a in map(ground, smooth)]


def photographs(by):
    whole = [pictures.real("f64", name, (421, 401)) for name in ("camera.png", "hubble_deep_field.jpg")] if pictures.PRESENT else []
    return [(a[100:300, 100:300], moved(a, by)[100:300, 100:300]) for a in whole]


def peaks(find):
    """How far the peak is from 1 of images moved around, and from 0 of others."""
    apart = 0.0
    for by in WHOLE[:3] + PARTS[:3]:
        for a, b in around(by)[:2]:
            apart = max(apart, abs(1 - float(find(a.astype(np.float32), b.astype(np.float32))[1])))
    random = np.random.default_rng(8)
    a, b = random.standard_normal((2, 128, 128)).astype(np.float32)
    return max(apart, float(find(a, b)[1]) / 5)


none, hann = program("none"), program("hann")
holds("registration.phase_correlation around, whole", lambda f: worst(f, around, WHOLE), 2e-3, none)
holds("registration.phase_correlation around, parts", lambda f: worst(f, around, PARTS), 2e-2, none)
holds("registration.phase_correlation windows, whole", lambda f: worst(f, windows, WHOLE), 0.15, hann)
holds("registration.phase_correlation windows, parts", lambda f: worst(f, windows, PARTS), 5e-2, hann)
holds("registration.phase_correlation photographs", lambda f: worst(f, photographs, WHOLE + PARTS), 5e-2, hann)
holds("registration.phase_correlation peaks", peaks, 2e-2, none)


def missing(find):
    a = ground(1, (32, 32)).astype(np.float32)
    b = a.copy()
    b[3, 4] = np.nan
    return float(np.sum(~np.isnan(np.append(*find(a, b)))))


holds("registration.phase_correlation of a NaN", missing, 0, hann)


def translated(a, by):
    waves = [np.exp(-2j * np.pi * np.fft.fftfreq(n) * d) for n, d in zip(a.shape, by.astype(np.float64))]
    for w, n in zip(waves, a.shape):
        if n % 2 == 0:
            w[n // 2] = w[n // 2].real
    return np.fft.ifft2(np.fft.fft2(a.astype(np.float64)) * waves[0][:, None] * waves[1]).real


compare("registration.translate_wrap", "translate_wrap(in, shift)", "NumPy", translated, 4e-6,
        inputs="in : image<f32>[y, x], shift : image<f32>[axis]",
        images=[(a, np.array(by, np.float32)) for a in pictures.grey("f32") for by in ((0, 0), (1.5, -2.25), (0.3, 40))])
