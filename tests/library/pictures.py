"""Pictures to try filters on: made ones of awkward sizes, and real ones where their folder is present."""

import functools
import os

import cv2
import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/data")
PRESENT = os.path.isdir(FOLDER)

SIZES = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 2), (3, 3), (4, 5), (5, 4), (6, 3), (7, 8), (8, 6),
         (9, 7), (13, 17), (33, 31), (47, 64)]
SMALL = [s for s in SIZES if max(s) < 10]


def made(kind, shape):
    """A picture of a kind: f32 and f64 in 0 .. 1, integers over their whole range, bool; smooth ground with
    noise and a bright rectangle, so that there are edges, texture and flat places."""
    random = np.random.default_rng(sum(n * 31**i for i, n in enumerate(shape)) + len(kind))
    ground = np.zeros(shape)
    for axis, n in enumerate(shape):
        line = np.sin(np.arange(n) * (0.37 + 0.11 * axis))
        ground += line.reshape([-1 if a == axis else 1 for a in range(len(shape))])
    ground = 0.35 + 0.15 * ground / len(shape) + 0.25 * random.random(shape)
    ground[tuple(slice(n // 3, n // 3 + (n + 1) // 3) for n in shape[:2])] += 0.3
    return converted(kind, np.clip(ground, 0, 1))


def converted(kind, unit):
    """Numbers 0 .. 1 as samples of a kind."""
    if kind == "bool":
        return unit > 0.5
    if kind in ("f32", "f64"):
        return unit.astype({"f32": np.float32, "f64": np.float64}[kind])
    info = np.iinfo({"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16, "i32": np.int32}[kind])
    return np.rint(info.min + unit * (float(info.max) - info.min)).astype(info.dtype)


@functools.lru_cache(None)
def loaded(name, color):
    flag = cv2.IMREAD_COLOR if color else cv2.IMREAD_GRAYSCALE
    picture = cv2.imread(os.path.join(FOLDER, name), flag)
    assert picture is not None, f"{name} cannot be read"
    return picture[:, :, ::-1] if color else picture


def real(kind, name, crop=None, color=False):
    """A picture of the folder, cropped to (height, width) about its middle."""
    picture = loaded(name, color)
    if crop:
        top, left = ((picture.shape[i] - crop[i]) // 2 for i in (0, 1))
        picture = picture[top:top + crop[0], left:left + crop[1]]
    return converted(kind, picture / 255.0)


def grey(kind, sizes=SIZES, crop=(181, 203)):
    """Pictures [y, x]."""
    return [made(kind, s) for s in sizes] + (
        [real(kind, "camera.png", crop), real(kind, "hubble_deep_field.jpg", crop)] if PRESENT else [])


def color(kind, sizes=SIZES, crop=(181, 203)):
    """Pictures [y, x, c] with three channels, red first."""
    return [made(kind, (*s, 3)) for s in sizes] + (
        [real(kind, "astronaut.png", crop, True), real(kind, "coffee.png", crop, True)] if PRESENT else [])


def volumes(kind):
    """Pictures [z, y, x]."""
    return [made(kind, s) for s in [(1, 1, 1), (2, 1, 3), (3, 4, 5), (7, 6, 9), (16, 11, 13)]]
