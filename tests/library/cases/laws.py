"""Laws that filters of the library obey: linear ones are, shifts go through, means stay, what is symmetric is its own adjoint,
and smoothing several times is smoothing once by the root of the sum of squares."""

import numpy as np

import pictures
from case import holds
from program import Program

IMAGE = "image<f32>[y, x]"
LINEAR = {"box": "box(in, 2)", "gaussian": "gaussian(in, 1.5)", "recursive": "recursive_gaussian(in, 3)",
          "gradient": "laplacian(in)", "resize": "resize_cubic(in, 20, 31)", "pyramid": "down(in)"}


def program(module, call, rule):
    return Program(module, f"in : {IMAGE}", IMAGE, call, rule)


def pairs():
    random = np.random.default_rng(11)
    for shape in pictures.SIZES[2:]:
        if min(shape) * 64 > 40 and max(shape) <= 47:
            yield random.random(shape, np.float32), random.random(shape, np.float32)


def nonlinearity(f):
    return max(float(np.max(np.abs(f(np.float32(2) * a - b) - (2 * f(a) - f(b))))) for a, b in pairs()
               if a.shape[0] >= 5 and a.shape[1] >= 8)


def change_of_shift(f):
    """Under wrap, moving the picture moves the result."""
    return max(float(np.max(np.abs(f(np.ascontiguousarray(np.roll(a, (2, 3), (0, 1)))) - np.roll(f(a), (2, 3), (0, 1)))))
               for a, _ in pairs())


def asymmetry(f):
    """<f(a), b> - <a, f(b)>, in parts of the product of lengths."""
    return max(abs(float(np.sum(f(a).astype(np.float64) * b) - np.sum(a * f(b).astype(np.float64))))
               / float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in pairs())


def change_of_flat(f):
    return max(float(np.max(np.abs(f(np.full(a.shape, 0.625, np.float32)) - np.float32(0.625)))) for a, _ in pairs()
               if a.shape[0] >= 5 and a.shape[1] >= 8)


def change_of_mean(f):
    return max(abs(float(f(a).mean(dtype=np.float64) - a.mean(dtype=np.float64))) for a, _ in pairs())


for module, call in LINEAR.items():
    if module == "pyramid":
        holds("pyramid.down is linear", nonlinearity, 2e-6, program(module, call, None))
        continue
    holds(f"{module}: {call} is linear", nonlinearity, 5e-6, program(module, call, "reflect"))
    if module != "gradient":
        holds(f"{module}: {call} leaves a flat picture flat", change_of_flat, 5e-7, program(module, call, "reflect"))
    if module != "resize":
        wrapped = program(module, call, "wrap")
        holds(f"{module}: {call} follows shifts", change_of_shift, 1e-6, wrapped)
        holds(f"{module}: {call} is its own adjoint", asymmetry, 1e-6, wrapped)
    if module not in ("gradient", "resize"):
        holds(f"{module}: {call} keeps the mean", change_of_mean, 5e-7, program(module, call, "wrap"))


def apart(once, twice):
    return max(float(np.max(np.abs(once(a) - twice(a)))) for a, _ in pairs())


holds("gaussian: 3 then 4 is 5", apart, 1e-3, program("gaussian", "gaussian(in, 5)", "wrap"),
      program("gaussian", "gaussian(gaussian(in, 3), 4)", "wrap"))
holds("recursive: 3 then 4 is 5", apart, 3e-3, program("recursive", "recursive_gaussian(in, 5)", "wrap"),
      program("recursive", "recursive_gaussian(recursive_gaussian(in, 3), 4)", "wrap"))
holds("box: twice by any order", apart, 1e-6, program("box", "box(box(in, 1), 3)", "wrap"),
      program("box", "box(box(in, 3), 1)", "wrap"))
