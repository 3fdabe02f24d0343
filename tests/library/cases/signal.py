"""std.signal against SciPy: lines along x of pictures, each a signal at rest before its first sample; long signals, which
are computed in blocks."""

import numpy as np
from scipy import signal

import pictures
from case import compare

IMAGES = pictures.grey("f32", [(1, 1), (1, 2), (2, 9), (3, 400)], (61, 53))
INPUTS = "in : image<f32>[y, x], param frequency : f64"
LONG = [np.random.default_rng(n).random(n, dtype=np.float32) for n in (1, 7, 4163, 4164, 8333, 100_003)]
FREQUENCIES = [{"frequency": f} for f in (0.002, 0.1, 0.37)]


def resonant(a, design, frequency, quality):
    """SciPy's width of the band is before the bilinear transform, the cookbook's after it."""
    turn = 2 * np.pi * frequency
    warped = turn / (2 * np.arctan(np.sin(turn) / (2 * quality)))
    return signal.lfilter(*design(2 * frequency, warped), a.astype(np.float64), axis=-1)


def butterworth(a, order, kind, frequency):
    return signal.sosfilt(signal.butter(order, 2 * frequency, kind, output="sos"), a.astype(np.float64), axis=-1)


for kind in ("low", "high"):
    for sections in (1, 2, 5):
        compare(f"signal.butterworth_{kind}_pass", f"butterworth_{kind}_pass(in, {sections}, frequency)", "SciPy",
                lambda a, frequency, sections=sections, kind=kind: butterworth(a, 2 * sections, kind, frequency), 1e-6,
                images=IMAGES, inputs=INPUTS, options=FREQUENCIES)
        compare(f"signal.butterworth_{kind}_pass, long", f"butterworth_{kind}_pass(in, {sections}, frequency)", "SciPy",
                lambda a, frequency, sections=sections, kind=kind: butterworth(a, 2 * sections, kind, frequency), 1e-6,
                images=LONG, inputs="in : image<f32>[x], param frequency : f64", result="image<f32>[x]",
                options=FREQUENCIES)
for images, axes in ((IMAGES, "[y, x]"), (LONG, "[x]")):
    compare(f"signal.exponential, {axes}", "exponential(in, weight)", "SciPy",
            lambda a, weight: signal.lfilter([weight], [1, weight - 1], a.astype(np.float64), axis=-1,
                                             zi=(1 - weight) * a[..., :1].astype(np.float64))[0], 1e-9, images=images,
            inputs=f"in : image<f32>{axes}, param weight : f64", result=f"image<f64>{axes}",
            options=[{"weight": w} for w in (0.003, 0.1, 1.0)])
for name, design in {"band_pass": signal.iirpeak, "notch": signal.iirnotch}.items():
    compare(f"signal.{name}", f"{name}(in, frequency, 3)", "SciPy",
            lambda a, frequency, design=design: resonant(a, design, frequency, 3), 1e-9, images=IMAGES,
            inputs=INPUTS, result="image<f64>[y, x]", options=FREQUENCIES)
