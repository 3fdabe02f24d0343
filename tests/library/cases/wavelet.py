"""std.wavelet against the definitions, written on arrays, and its inverses."""

import numpy as np

import pictures
from case import compare, holds
from program import Program

FOUR = "low : image<{0}>[y, x], across : image<{0}>[y, x], down : image<{0}>[y, x], both : image<{0}>[y, x]"
TAKE = "low = e.low; across = e.across; down = e.down; both = e.both;"


def cdf53_line(a):
    """Along the last axis, of a line continued by reflection about its end samples."""
    a = np.pad(a.astype(np.int64), [(0, 0)] * (a.ndim - 1) + [(4, 5)], "reflect" if a.shape[-1] > 1 else "edge")
    high = a[..., 1:-1:2] - (a[..., 0:-2:2] + a[..., 2::2]) // 2  # of the odd places 1, 3, ...
    low = a[..., 2:-2:2] + (high[..., :-1] + high[..., 1:] + 2) // 4  # of the even places 2, 4, ...
    half = (a.shape[-1] - 9 + 1) // 2
    return low[..., 1:1 + half], high[..., 2:2 + half]


def both_axes(line, a):
    low, high = line(a)
    turned = [tuple(np.swapaxes(part, 0, 1) for part in line(np.swapaxes(half, 0, 1))) for half in (low, high)]
    return turned[0][0], turned[1][0], turned[0][1], turned[1][1]


def haar_line(a):
    a = np.pad(a.astype(np.float64), ((0, 0), (0, a.shape[1] % 2)), "edge")
    return (a[:, ::2] + a[:, 1::2]) * np.sqrt(0.5), (a[:, ::2] - a[:, 1::2]) * np.sqrt(0.5)


for kind in ("u8", "i16"):
    compare("wavelet.cdf53", "e = cdf53(in); " + TAKE, f"NumPy {kind}", lambda a: both_axes(cdf53_line, a), 0,
            images=pictures.grey(kind), inputs=f"in : image<{kind}>[y, x]", result=f"({FOUR.format('i32')})")
compare("wavelet.haar", "e = haar(in); " + TAKE, "NumPy", lambda a: both_axes(haar_line, a), 5e-7,
        result=f"({FOUR.format('f32')})")


def restored(kind):
    return lambda there, back: max(float(np.max(np.abs(
        back(*there(a), height=a.shape[0], width=a.shape[1]).astype(np.float64) - a))) for a in pictures.grey(kind))


for name, kind, bound in (("cdf53", "i16", 0), ("haar", "f32", 3e-7)):
    stored = "i32" if kind == "i16" else "f32"
    holds(f"wavelet.{name}_inverse undoes {name}", restored(kind), bound,
          Program("wavelet", f"in : image<{kind}>[y, x]", f"({FOUR.format(stored)})", f"e = {name}(in); " + TAKE),
          Program("wavelet", FOUR.format(stored) + ", param height : i32, param width : i32", f"image<{stored}>[y, x]",
                  f"{name}_inverse(low, across, down, both, height, width)"))
