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
