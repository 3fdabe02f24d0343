"""The fast path of a call, against the slow one."""

import gc
import signal
import sys
import threading
import unittest

import numpy as np

import fltc
from fltc import _fast

TYPES = ("u8", "i8", "u16", "i16", "u32", "i32", "i64", "f16", "f32", "f64", "bool")
MANY = """filter many(a : image<f32>[y, x], b : image<u8>[x], param gain : f32 = 2 in -4 .. 4, param shift : i32 in -9 .. 9,
    param turned : bool = false, param wide : f64 = 0.5, param kind : {plain, doubled} = plain)
    -> (out : image<f64>[x, y], most : image<i32>[y])
{
    require a.x == b.x "widths differ";
    out[x in 0 ..< a.x, y in 0 ..< a.y] = select(turned, -1, 1) * (gain * a[y, x] + shift + wide) + b[x];
    most[y in 0 ..< a.y] = shift + select(kind == doubled, 2, 1);
}
"""


@unittest.skipUnless(_fast.Fast.__module__ == "fltc._call", "_call.c was not compiled")
class FastPath(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(3)

    def test_every_type(self):
        for kind in TYPES:
            f = fltc.filter("filter same(in : image<%s>[y, x]) -> out : image<%s>[y, x] { out = in; }" % (kind, kind))
            image = self.random.integers(0, 2, (5, 7)).astype(f.interface.inputs[0].dtype)
            self.assertTrue(np.array_equal(self.short(f, image), image), kind)

    def short(self, f, *images, **arguments):
        """The result of a call that must not take the slow path."""

        class Quick(type(f)):
            def _call(self, *images, **arguments):
                raise AssertionError("the slow path was taken")

        quick = object.__new__(Quick)
        quick.__dict__.update(f.__dict__)
        self.assertTrue(_fast.prepare(quick, f._program))
        return quick(*images, **arguments)

    def test_layouts(self):
        f = fltc.filter("filter turn(in : image<i16>[y, x]) -> out : image<i16>[x, y] { out[x in 0 ..< in.x, y in 0 ..< in.y] = in[y, x]; }")
        whole = self.random.integers(-99, 99, (40, 60)).astype(np.int16)
        whole.flags.writeable = False
        for view in (whole, whole[::-1], whole[:, ::-1], whole[3:17:2, 5::3], whole.T, whole[:1, :1], np.broadcast_to(whole[:1], (9, 60))):
            self.assertTrue(np.array_equal(self.short(f, view), view.T))
            out = np.zeros(view.T.shape, np.int16)
            self.assertIs(self.short(f, view, out=out), out)
            self.assertTrue(np.array_equal(out, view.T))
        swapped = whole.astype(">i2")
        with self.assertRaises(AssertionError):
            self.short(f, swapped)

    def test_parameters_and_results(self):
        f = fltc.filter(MANY)
        a, b = self.random.random((6, 4), np.float32), self.random.integers(0, 255, 4).astype(np.uint8)
        for given in ({}, {"gain": 1}, {"gain": -1.5}, {"turned": True}, {"wide": 1e30}, {"wide": np.float64(3)}, {"threads": 2}):
            short, long = self.short(f, a, b, shift=3, **given), f._call(a, b, shift=3, **given)
            for one, other in zip(short, long, strict=True):
                self.assertTrue(np.array_equal(one, other) and one.dtype == other.dtype, given)
        for given in ({"kind": "doubled"}, {"shift": np.int32(4)}, {"gain": "1"}, {"shift": 10}, {"turned": 1}, {"gain": float("nan")}, {"more": 1}):
            with self.assertRaises(AssertionError):
                self.short(f, a, b, **{"shift": 3, **given})
        with self.assertRaises(AssertionError):
            self.short(f, a, b)  # shift has no default
        self.assertTrue(np.array_equal(f(a, b, shift=3, kind="doubled")[1], np.full(6, 5)))
        with self.assertRaisesRegex(ValueError, "shift=10 is outside of -9 .. 9"):
            f(a, b, shift=10)

    def test_what_is_refused_is_explained(self):
        f = fltc.filter("filter half(in : image<u8>[y, x]) -> out : image<u8>[y, x] { require in.x > 2 \"too narrow\"; out[y, x] = in[y, x] / 2; }")
        image = np.full((4, 5), 8, np.uint8)
        for wrong, words in (((image.astype(float),), "astype"), ((image, image), "takes 1 images"), ((image[0],), "has 1 axes")):
            with self.assertRaisesRegex(TypeError, words):
                f(*wrong)
        with self.assertRaisesRegex(ValueError, "shares memory"):
            f(image, out=image)
        with self.assertRaisesRegex(TypeError, "out for 'out' is to be"):
            f(image, out=np.zeros((5, 4), np.uint8))
        with self.assertRaisesRegex(fltc.FilterError, "too narrow"):
            f(image[:, :2])
        self.assertEqual(f(np.array([[8, 8, 8]], np.uint8)).tolist(), [[4, 4, 4]])

    def test_nothing_is_kept(self):
        f = fltc.filter(MANY)
        a, b, out = np.ones((3, 4), np.float32), np.ones(4, np.uint8), np.ones((2, 2))
        gc.collect()
        before = [sys.getrefcount(x) for x in (a, b, out, np.float64, f._program)]
        for _ in range(100):
            f(a, b, shift=3)
            with self.assertRaises(TypeError):
                f(a, b, shift=3, out=out)
        gc.collect()
        self.assertEqual([sys.getrefcount(x) for x in (a, b, out, np.float64, f._program)], before)

    def test_threads(self):
        f = fltc.filter("filter three(in : image<u32>[y, x]) -> out : image<u32>[y, x] { out[y, x] = wrap<u32>(3 * in[y, x]); }")
        images = [self.random.integers(0, 1000, (64, 64)).astype(np.uint32) for _ in range(4)]
        wrong = []

        def work(image):
            for _ in range(50):
                if not np.array_equal(f(image), 3 * image):
                    wrong.append(image)

        threads = [threading.Thread(target=work, args=(image,)) for image in images]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


    def test_ctrl_c(self):
        """Both ways of a call end after a signal, and the next call is as before."""
        f = fltc.filter("""filter long(in : image<f32>[y, x], param n : i32 = 1 in 1 .. 1000000) -> out : image<f32>[y, x]
        {
            out[y, x] = sum[i in 0 ..< n](sqrt(f32(i) + in[y, x]));
        }
        """)
        image = np.ones((4000, 50), np.float32)
        for call in (f, f._call):
            timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
            out = np.zeros(image.shape, np.float32)
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call(image, n=20000, threads=2, out=out)
            self.assertTrue((out == 0).any())  # the call has ended before it was done
            timer.join()
            self.assertEqual(call(image, n=2)[0, 0], np.float32(1) + np.sqrt(np.float32(2)))


if __name__ == "__main__":
    unittest.main()
