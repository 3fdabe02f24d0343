"""std.tone against its formulas in NumPy."""

import numpy as np

import pictures
from case import compare

RGB = "in : image<f32>[y, x, c]"
BRIGHT = [(a.astype(np.float64) ** 3 * 40).astype(np.float32) for a in pictures.color("f32")]


def light_of(a):
    return a.astype(np.float64) @ [0.2126, 0.7152, 0.0722]


def average(a):
    return np.exp(np.log(np.maximum(light_of(a), 1e-6)).mean())


def reinhard(a, key, white):
    scaled = light_of(a) * key / average(a)
    return a * (key / average(a) * (1 + scaled / white**2) / (1 + scaled))[..., None]


compare("tone.log_average", "log_average(in)", "NumPy", average, 1e-5, images=BRIGHT, inputs=RGB, result="f64")
compare("tone.reinhard", "reinhard(in, key, white)", "NumPy", reinhard, 1e-5, images=BRIGHT,
        inputs=RGB + ", param key : f32, param white : f32", result="image<f32>[y, x, c]",
        options=[{"key": 0.1875, "white": 4.0}, {"key": 0.5, "white": 1.5}])
compare("tone.filmic", "filmic(in, exposure)", "NumPy",
        lambda a, exposure: np.clip((lambda v: v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14))(exposure * a.astype(float)),
                                    0, 1), 1e-6, images=BRIGHT, inputs=RGB + ", param exposure : f32",
        result="image<f32>[y, x, c]", options=[{"exposure": 0.5}, {"exposure": 2.0}])
