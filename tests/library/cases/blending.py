"""std.blending, and slopes of std.poisson, against least squares of NumPy."""

import numpy as np

import pictures
from case import compare, holds
from program import Program


def differences(shape):
    """The matrix that takes an image to its differences along y, then along x."""
    places = np.arange(np.prod(shape)).reshape(shape)
    pairs = np.concatenate([np.stack([places[:-1].ravel(), places[1:].ravel()]),
                            np.stack([places[:, :-1].ravel(), places[:, 1:].ravel()])], axis=1)
    d = np.zeros((pairs.shape[1], places.size))
    d[np.arange(len(d)), pairs[0]] = -1
    d[np.arange(len(d)), pairs[1]] = 1
    return d


def nearest(shape, wanted):
    """The image of mean 0 whose differences come nearest to those wanted."""
    return np.linalg.lstsq(differences(shape), wanted, rcond=None)[0].reshape(shape)


def integrated(dy, dx):
    return nearest(dy.shape, np.concatenate([dy[:-1].ravel(), dx[:, :-1].ravel()]).astype(np.float64))


def cloned(target, source, mask, slopes):
    d, inside = differences(target.shape), mask > 0.5
    of_target, of_source = (d @ a.astype(np.float64).ravel() for a in (target, source))
    chosen = (np.abs(d) @ inside.ravel() > 0) & ((slopes == "source") | (np.abs(of_source) >= np.abs(of_target)))
    level = nearest(target.shape, np.where(chosen, of_source, of_target))
    free = ~inside if not inside.all() else inside
    return level + np.mean((target - level)[free])


SHAPES = [s for s in pictures.SMALL if s != (1, 1)] + [(13, 17)]


def random_pictures(seed, count, kind=np.float32):
    random = np.random.default_rng(seed)
    return [tuple(random.random(s).astype(kind) for _ in range(count)) for s in SHAPES]


masked = [(t, s, m) for t, s, m in random_pictures(9, 3)] + [(t, s, m * 0 + all_) for t, s, m in random_pictures(10, 3)[-3:] for all_ in (0, 1)]
compare("blending.seamless_clone", "seamless_clone(target, source, mask, slopes = {slopes})", "NumPy", cloned, 1e-5,
        inputs="target : image<f32>[y, x], source : image<f32>[y, x], mask : image<f32>[y, x]", images=masked,
        options=[{"slopes": "source"}, {"slopes": "stronger"}])
for kind, bound in (("f32", 1e-5), ("f64", 1e-13)):
    compare("poisson.integrate_slopes", "integrate_slopes(dy, dx)", "NumPy", integrated, bound, inputs=f"dy : image<{kind}>[y, x], dx : image<{kind}>[y, x]",
            result=f"image<{kind}>[y, x]", images=random_pictures(11, 2, {"f32": np.float32, "f64": np.float64}[kind]))


def channels(clone):
    """How far colors are from channels cloned one by one."""
    target, source = pictures.made("f32", (13, 17, 3)), pictures.made("f32", (13, 17, 3))[::-1].copy()
    mask = (pictures.made("f32", (13, 17)) > 0.6).astype(np.float32)
    is_ = clone(target, source, mask)
    return float(max(np.abs(is_[..., c] - cloned(target[..., c], source[..., c], mask, "source")).max() for c in range(3)))


holds("blending.seamless_clone of colors", channels, 1e-5,
      Program("blending", "target : image<f32>[y, x, c], source : image<f32>[y, x, c], mask : image<f32>[y, x]", "image<f32>[y, x, c]",
              "seamless_clone(target, source, mask)"))
