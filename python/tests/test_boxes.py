"""Parts of results: the samples of the whole, from what `region` gives of the images and nothing else; and what is refused."""

import os
import tempfile
import unittest

import numpy as np

import fltc

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
# Stencils, a stencil in two steps, several scales, noise by coordinates, windows of a parameter, colours.
EXAMPLES = ("unsharp", "blur", "pyramid", "denoise", "guided", "harris")
TWO = """// Two images and a table; two results of different extents.
filter two(a : image<f32>[y, x], b : image<f32>[y, x], look : image<f32>[d], param shift : i32 = 3 in 0 .. 9)
    -> (mean : image<f32>[y, x], half : image<f64>[y, x])
{
    border clamp;
    mean[y, x] = a[y, x - shift] + b[y + 2, x] + look[(y + x) % look.d];
    half[y in 0 ..< (a.y + 1) / 2, x in 0 ..< (a.x + 1) / 2] = f64(a[2 * y, 2 * x]);
}
"""
FROM_2 = """filter inner(in : image<f32>[y, x], param n0 : i32 = 3 in 0 .. 9) -> out : image<f32>[y, x]
{
    border clamp;
    out[y in n0 ..< in.y, x in 2 ..< in.x] = in[y - 1, x] + 100 * y + x;
}
"""
PLACES = """filter places(in : image<f32>[y, x]) -> out : image<f32>[y, x]
{
    out[y in 0 ..< in.y, x in 0 ..< in.x] = f32(in.y * y + x);
}
"""
SPECTRUM = """filter spectrum(in : image<f32>[y, x]) -> (out : image<c32>[y, x], twice : image<f32>[y, x])
{
    out = fft(in, [x]);
    twice[y, x] = 2 * in[y, x];
}
"""
TOTAL = "filter total(in : image<f32>[y, x]) -> out : image<f32>[]\n{\n    out = sum[y in 0 ..< in.y, x in 0 ..< in.x](in[y, x]);\n}\n"
LATE = """filter late(in : image<T : integer>[y, x], param n : i32 = 2 in 0 .. 9) -> out : image<T>[y, x]
{
    border clamp;
    out[y, x] = max(in[y - n, x], in[y, x + n]);
}
"""


def example(name):
    return fltc.filter(os.path.join(ROOT, "examples", name, name + ".flt"))


def sample(f, *shape, seed=1):
    dtype, chance = f.interface.inputs[0].dtype, np.random.default_rng(seed)
    return chance.random(shape).astype(dtype) if dtype.kind == "f" else chance.integers(0, 250, shape).astype(dtype)


def poisoned(image, region):
    """Not a number, or the greatest one, outside of the region."""
    other = np.full_like(image, np.nan if image.dtype.kind == "f" else np.iinfo(image.dtype).max)
    other[region] = image[region]
    return other


class Boxes(unittest.TestCase):
    def same(self, a, b):
        self.assertEqual((a.dtype, a.shape, np.ascontiguousarray(a).tobytes()), (b.dtype, b.shape, np.ascontiguousarray(b).tobytes()))

    def test_the_samples_of_the_whole(self):
        chance = np.random.default_rng(5)
        for name in EXAMPLES:
            f = example(name)
            image = sample(f, 70, 83) if name != "harris" else sample(f, 70, 83, 3)
            whole = f(image)
            boxes = [(slice(0, 1), slice(0, 1)), (slice(None), slice(40, 83)), ((69, 70), (80, 83))]
            for _ in range(4):
                first, more = chance.integers(0, (69, 82)), chance.integers(1, 40, 2)
                boxes.append(tuple(slice(a, a + n) for a, n in zip(first, more)))
            for box in boxes:
                box += (slice(None),) * (image.ndim - 2)
                inside = tuple(b if isinstance(b, slice) else slice(*b) for b in box)
                with self.subTest(name, box=box):
                    self.same(f(image, box=box), whole[inside])
                    (region,) = f.region(image, box=box)
                    self.same(f(poisoned(image, region), box=box), whole[inside])
                    self.same(f(fltc.Part.of(image, region), box=box, threads=1), whole[inside])

    def test_parts_with_more_than_the_region_of_any_layout(self):
        f = example("unsharp")
        image = sample(f, 40, 50)
        whole = f(image, amount=3)
        for held in (image[8:30, 4:], image[8:30, 4:].copy(order="F"), np.repeat(image, 2, axis=1)[8:30, 8::2]):
            part = fltc.Part(held, (8, 4), image.shape)
            self.same(f(part, box=(slice(9, 29), slice(20, 50)), amount=3), whole[9:29, 20:])

    def test_several_images_and_results(self):
        f = fltc.filter(TWO)
        a, b, look = sample(f, 30, 40), sample(f, 30, 40, seed=2), sample(f, 5, seed=3)
        mean, half = f(a, b, look, shift=4)
        box = ((slice(3, 20), slice(0, 9)), (slice(10, 15), (19, 20)))
        regions = f.region(a, b, look, box=box, shift=4)
        parts = [fltc.Part.of(image, region) for image, region in zip((a, b, look), regions)]
        for images in ((a, b, look), parts, (a, parts[1], look)):
            got = f(*images, box=box, shift=4)
            self.same(got[0], mean[box[0]])
            self.same(got[1], half[10:15, 19:20])
        self.assertEqual(regions[1], (slice(5, 22), slice(0, 9)))
        for wrong in ((slice(3, 20), slice(0, 9)), box[:1], [box[0]] * 3):
            with self.assertRaisesRegex(TypeError, "box is to be 2 boxes, one for each result: mean, half"):
                f(a, b, look, box=wrong)

    def test_results_that_begin_elsewhere_and_parameters(self):
        f = fltc.filter(FROM_2)
        image = sample(f, 20, 20)
        whole = f(image, n0=5)
        self.assertEqual(whole.shape, (15, 18))
        self.same(f(image, box=(slice(0, 2), slice(1, 18)), n0=5), whole[0:2, 1:])
        (region,) = f.region(image, box=(slice(0, 2), slice(1, 18)), n0=5)
        self.assertEqual(region, (slice(4, 6), slice(3, 20)))
        self.same(f(fltc.Part.of(image, region), box=(slice(0, 2), slice(1, 18)), n0=5), whole[0:2, 1:])

    def test_an_image_that_is_not_read(self):
        f = fltc.filter(PLACES)
        image = sample(f, 9, 20)
        box = (slice(2, 5), slice(3, 9))
        (region,) = f.region(image, box=box)
        self.assertEqual(image[region].size, 0)
        self.same(f(fltc.Part.of(image, region), box=box), f(image)[box])

    def test_complex_samples(self):
        f = fltc.filter(SPECTRUM)
        image = sample(f, 9, 16)
        out, twice = f(image)
        box = ((slice(2, 5), slice(3, 9)), (slice(3, 4), slice(0, 16)))
        regions = f.region(image, box=box)
        self.assertEqual(regions, [(slice(2, 5), slice(0, 16))])
        got = f(fltc.Part.of(image, regions[0]), box=box)
        self.same(got[0], out[box[0]])
        self.same(got[1], twice[box[1]])

    def test_type_variables(self):
        f = fltc.filter(LATE)
        for dtype in (np.uint8, np.int16):
            image = np.random.default_rng(1).integers(0, 99, (20, 30)).astype(dtype)
            self.same(f(image, box=(slice(4, 9), slice(9, 30))), f(image)[4:9, 9:])
            self.assertEqual(f.region(image, box=((4, 9), (9, 30))), [(slice(2, 9), slice(9, 30))])

    def test_out_and_axes(self):
        f = example("unsharp")
        image = sample(f, 30, 40, 3)
        box = (slice(4, 20), slice(0, 11))
        place = np.zeros((16, 11), np.uint8)
        self.assertIs(f(image[..., 1], box=box, out=place), place)
        self.same(place, f(image[..., 1])[box])
        with self.assertRaisesRegex(TypeError, r"out for 'out' is to be an array uint8\(16, 11\), not uint8\(30, 40\)"):
            f(image[..., 1], box=box, out=np.zeros((30, 40), np.uint8))
        self.same(f(image, box=box, axes="yxc"), f(image, axes="yxc")[box])
        part = fltc.Part(image[2:22, :15, 1:], (2, 0, 1), image.shape)
        self.same(f(part, box=box, axes="yxc"), f(image[..., 1:], axes="yxc")[box])

    def test_what_is_wrong(self):
        f = example("unsharp")
        image = sample(f, 40, 50)
        box = (slice(10, 20), slice(10, 20))
        for error, text, given, keywords in (
            (ValueError, "3 .. 41 along y is no part of 0 .. 40", image, {"box": ((3, 41), (0, 1))}),
            (ValueError, "-1 .. 2 along x is no part of 0 .. 50", image, {"box": ((3, 4), (-1, 2))}),
            (ValueError, "4 .. 4 along y is no part of 0 .. 40", image, {"box": (slice(4, 4), slice(0, 1))}),
            (ValueError, "a box has no steps: slice(0, 8, 2) along y", image, {"box": (slice(0, 8, 2), slice(0, 1))}),
            (TypeError, "a box of 'out' has 2 axes, not 1", image, {"box": (slice(0, 3),)}),
            (TypeError, "'in' is a part of an image; say of which part of the result: box=",
             fltc.Part(image[:9], (0, 0), image.shape), {}),
            (ValueError, "a part of 'in' of shape (9, 50) at (32, 0) is not inside of an image of shape (40, 50)",
             fltc.Part(image[:9], (32, 0), image.shape), {"box": box}),
            (ValueError, "a part of 'in' has 2 axes, but first=(0,) and shape=(40, 50)",
             fltc.Part(image[:9], (0,), image.shape), {"box": box}),
            (fltc.FilterError, "'in' is in memory in [10:40, 0:50], but the box depends on [9:21, 9:21]",
             fltc.Part(image[10:], (10, 0), image.shape), {"box": box}),
        ):
            with self.subTest(text), self.assertRaises(error) as caught:
                f(given, **keywords)
            self.assertEqual(str(caught.exception), text)
        with self.assertRaisesRegex(TypeError, "'total' has no boxes: none of its results has an axis"):
            fltc.filter(TOTAL)(image.astype(np.float32), box=())

    def test_saved(self):
        f = example("unsharp")
        image = sample(f, 20, 30)
        box = (slice(3, 9), slice(0, 30))
        with tempfile.TemporaryDirectory() as folder:
            f.save(folder + "/plain.so")
            f.save(folder + "/boxes.so", boxes=True)
            plain, boxes = fltc.load(folder + "/plain.so"), fltc.load(folder + "/boxes.so")
            self.same(boxes(image), f(image))
            self.same(boxes(image, box=box), f(image)[box])
            boxes.save(folder + "/again.so", boxes=True)
            self.same(fltc.load(folder + "/again.so")(image, box=box), f(image)[box])
            for call in (lambda: plain(image, box=box), lambda: plain.save(folder + "/again.so", boxes=True)):
                with self.assertRaisesRegex(TypeError, r"'unsharp' was saved without boxes; write save\(path, boxes=True\)"):
                    call()

    def test_whole_images_do_not_pay(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.environ["XDG_CACHE_HOME"]
            os.environ["XDG_CACHE_HOME"] = folder
            try:
                f = fltc.filter(TWO.replace("half", "other"))
                image = sample(f, 9, 9)
                f(image, image, image[0])
                self.assertEqual(len(os.listdir(folder + "/fltc/python")), 1)
                f(image, image, image[0], box=[(slice(0, 3), slice(0, 2))] * 2)
                self.assertEqual(len(os.listdir(folder + "/fltc/python")), 2)
            finally:
                os.environ["XDG_CACHE_HOME"] = kept


if __name__ == "__main__":
    unittest.main()
