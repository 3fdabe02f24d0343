"""The package with the compiler, a C compiler and NumPy: bits of the interpreter, layouts, errors, processes and threads."""

import importlib.util
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import fltc

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
UNSHARP = os.path.join(ROOT, "examples", "unsharp", "unsharp.flt")
NAMES = os.path.join(ROOT, "tests", "interface", "names.flt")
PLACES = os.path.join(ROOT, "tests", "interface", "places.flt")
OUTSIDE = os.path.join(ROOT, "tests", "interface", "outside.flt")
HALF = """// The half of each sample, and its square.
filter half(in : image<f16>[y, x], param gain : fixed<4, 4> = 0.5 in 0 .. 2, param kind : {plain, turned} = plain)
    -> (out : image<f32>[y, x], square : image<f64>[y, x])
{
    out[y, x] = select(kind == turned, -1, 1) * f32(gain) * in[y, x];
    square[y, x] = f64(in[y, x]) * in[y, x];
}
"""


def picture(*shape, dtype=np.uint8, seed=1):
    values = np.random.default_rng(seed).integers(0, 250, shape)
    return values.astype(dtype)


def interpreted(path, image, *options):
    """The result by fltc interpret."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(folder + "/in.npy", image)
        subprocess.run([os.environ["FLTC"], "interpret", path, folder + "/in.npy", "-o", folder + "/out.npy", *options], check=True)
        return np.load(folder + "/out.npy")


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.unsharp = fltc.filter(UNSHARP)

    def same(self, a, b):
        self.assertEqual((a.dtype, a.shape, a.tobytes()), (b.dtype, b.shape, b.tobytes()))

    def test_the_interpreters_bits(self):
        image = picture(53, 71)
        self.same(self.unsharp(image, amount=3), interpreted(UNSHARP, image, "--amount=3"))
        self.same(self.unsharp(image), interpreted(UNSHARP, image))

    def test_any_layout(self):
        base = picture(60, 90)
        frozen = base.copy()
        frozen.flags.writeable = False
        odd = np.frombuffer(b"x" + base.tobytes(), np.uint8, offset=1).reshape(base.shape)
        for image in (base[::-1], base[:, ::-1], base[::2, 1::3], base.T, np.asfortranarray(base), frozen, odd, base[5:6, 7:8]):
            self.same(self.unsharp(image), self.unsharp(np.ascontiguousarray(image)))

    def test_samples_that_are_not_aligned_are_copied(self):
        scale = fltc.filter("filter scale(in : image<f32>[x]) -> out : image<f32>[x]\n{\n    out[x] = 2 * in[x];\n}\n")
        record = np.zeros(9, np.dtype([("flag", "u1"), ("value", "<f4")]))
        record["value"] = np.arange(9)
        self.same(scale(record["value"]), 2 * np.arange(9, dtype=np.float32))

    def test_threads_change_nothing(self):
        image = picture(200, 300)
        for threads in (1, 2, 5):
            self.same(self.unsharp(image, threads=threads), self.unsharp(image))

    def test_out(self):
        image = picture(40, 50)
        place = np.zeros((80, 50), np.uint8)
        result = self.unsharp(image, out=place[::2])
        self.assertIs(result.base, place)
        self.same(np.ascontiguousarray(place[::2]), self.unsharp(image))
        self.assertFalse(place[1::2].any())
        for wrong, error in (
            (np.zeros((40, 51), np.uint8), TypeError),
            (np.zeros((40, 50), np.uint16), TypeError),
            ([0], TypeError),
            (image, ValueError),
            (np.lib.stride_tricks.as_strided(np.zeros(99, np.uint8), (40, 50), (1, 1)), ValueError),
            (np.broadcast_to(np.uint8(0), (40, 50)), ValueError),
        ):
            with self.assertRaises(error):
                self.unsharp(image, out=wrong)
        same_memory = picture(80, 50)
        with self.assertRaisesRegex(ValueError, "shares memory"):
            self.unsharp(same_memory[:40], out=same_memory[20:60])
        self.unsharp(same_memory[:40], out=same_memory[40:])

    def test_axes(self):
        image = picture(30, 40, 3)
        whole = self.unsharp(image, amount=2, axes="yxc")
        stack = self.unsharp(image.transpose(2, 0, 1), amount=2, axes=("c", "y", "x"))
        for c in range(3):
            plane = self.unsharp(image[..., c], amount=2)
            self.same(np.ascontiguousarray(whole[..., c]), plane)
            self.same(np.ascontiguousarray(stack[c]), plane)

    def test_an_image_of_fewer_axes_is_for_all_planes(self):
        blend = fltc.filter(
            "filter blend(a : image<f32>[y, x], b : image<f32>[y, x]) -> out : image<f32>[y, x]\n"
            "{\n    out[y, x] = a[y, x] - b[y, x];\n}\n"
        )
        a, b = picture(5, 6, 4, dtype=np.float32), picture(5, 6, dtype=np.float32, seed=2)
        self.same(blend(a, b, axes="yxt"), a - b[..., None])
        with self.assertRaisesRegex(ValueError, "differ in extent along t"):
            blend(a, picture(5, 6, 3, dtype=np.float32), axes="yxt")

    def test_several_results_choices_and_fixed_point(self):
        half = fltc.filter(HALF)
        image = picture(4, 5).astype(np.float16)
        out, square = half(image, kind="turned", gain=0.25)
        self.same(out, (-0.25 * image.astype(np.float32)))
        self.same(square, image.astype(np.float64) ** 2)
        self.assertIn("The half of each sample", half.__doc__)
        with self.assertRaisesRegex(ValueError, "kind='turn' is none of plain, turned; did you mean 'turned'?"):
            half(image, kind="turn")
        names = fltc.filter(NAMES, radius=3)
        wide, sums, whole = names(picture(6, 7), picture(6, 7, dtype=np.float32), flag=False)
        self.assertEqual((wide.shape, sums.shape, whole.shape), ((6, 7), (7,), ()))

    def test_type_variables_are_those_of_the_images(self):
        places = fltc.filter(PLACES)
        look = np.arange(4, dtype=np.float32)
        for dtype in (np.uint8, np.int16, np.int64):
            self.assertEqual(places(picture(9, 9, dtype=dtype), look)[1].dtype, dtype)
        with self.assertRaisesRegex(TypeError, "'in' has samples of type float32; T, its type, may be u8, i8"):
            places(picture(9, 9, dtype=np.float32), look)

    def test_complex_samples(self):
        spectrum = fltc.filter("filter spectrum(in : image<f32>[y, x]) -> out : image<c32>[y, x]\n{\n    out = fft(in, [x]);\n}\n")
        back = fltc.filter("filter back(in : image<c32>[y, x]) -> out : image<c32>[y, x]\n{\n    out = ifft(in, [x]);\n}\n")
        image = picture(6, 16, dtype=np.float32)
        result = spectrum(image)
        self.assertEqual((result.dtype, result.shape), (np.complex64, (6, 16)))
        np.testing.assert_allclose(result, np.fft.fft(image), rtol=1e-5, atol=1e-3)
        np.testing.assert_allclose(back(np.asfortranarray(result)[::-1]), image[::-1], rtol=1e-4, atol=1e-3)

    def test_names_that_are_taken(self):
        text = ("filter %s(in : image<f32>[x], param threads : f32 = 1, param lambda : i32 = 2) -> out : image<f32>[x]\n"
                "{\n    out[x] = threads * in[x] + f32(lambda);\n}\n")
        for name in ("compress", "crc32", "w", "x", "r"):  # functions of zlib, macros of unistd.h
            f = fltc.filter(text % name)
            self.same(f(np.ones(3, np.float32), threads_=2, lambda_=5), np.full(3, 7, np.float32))
            self.assertIn("lambda_", str(__import__("inspect").signature(f)))
        f = fltc.filter("filter f(box : image<f32>[x], axes : image<f32>[x]) -> out : image<f32>[x]\n{\n    out[x] = box[x] - axes[x];\n}\n")
        self.same(f(np.ones(3, np.float32), np.ones(3, np.float32)), np.zeros(3, np.float32))

    def test_fixed_parameters(self):
        image = picture(30, 40)
        fixed = self.unsharp.fix(amount=0.1)
        self.same(fixed(image), self.unsharp(image, amount=0.1))
        self.assertEqual(fixed.interface.parameters, ())
        with self.assertRaisesRegex(TypeError, "'unsharp' has no parameter 'amont'; did you mean 'amount'?"):
            self.unsharp.fix(amont=1)
        with self.assertRaises(ValueError):
            self.unsharp.fix(amount=9)

    def test_regions_of_results_that_begin_elsewhere(self):
        f = fltc.filter("filter g(in : image<f32>[y, x], param n0 : i32 = 3 in 0 .. 9) -> out : image<f32>[y, x]\n"
                        "{\n    border clamp;\n    out[y in n0 ..< in.y, x in 2 ..< in.x] = in[y, x];\n}\n")
        self.assertEqual(f.region((20, 20), box=((0, 2), (0, 2)), n0=5), [(slice(5, 7), slice(2, 4))])
        with self.assertRaisesRegex(TypeError, "'g' has no parameter 'n1'"):
            f.region((20, 20), box=((0, 2), (0, 2)), n1=5)
        for shape in ((20,), (20, 20, 3), (2**32 + 9, 9), (0, 9)):
            with self.assertRaisesRegex(ValueError, "is no shape of in"):
                f.region(shape, box=((0, 2), (0, 2)))

    def test_regions(self):
        outside = fltc.filter(OUTSIDE)
        image = picture(40, 50, dtype=np.float32)
        before = outside(image)
        for box in ((slice(0, 3), slice(0, 1)), ((39, 40), (1, 2)), (slice(None), slice(7, 20))):
            (region,) = outside.region(image.shape, box=box)
            other = picture(40, 50, dtype=np.float32, seed=5)
            other[region] = image[region]
            part = tuple(b if isinstance(b, slice) else slice(*b) for b in box)
            self.same(np.ascontiguousarray(outside(other)[part]), np.ascontiguousarray(before[part]))
        with self.assertRaisesRegex(ValueError, "is no part of 0 .. 40"):
            outside.region(image.shape, box=((3, 41), (0, 1)))


class Errors(unittest.TestCase):
    """What is said, word by word."""

    @classmethod
    def setUpClass(cls):
        cls.unsharp = fltc.filter(UNSHARP)

    def check(self, error, text, *arguments, **keywords):
        with self.assertRaises(error) as caught:
            self.unsharp(*arguments, **keywords)
        self.assertEqual(str(caught.exception), text)

    def test_arguments(self):
        image = picture(9, 9)
        takes = "in : image<u8>[y, x]"
        self.check(TypeError, "'unsharp' takes 1 images, not 0: " + takes)
        self.check(TypeError, "'unsharp' takes 1 images, not 2: " + takes, image, image)
        self.check(TypeError, "'unsharp' has no parameter 'amuont'; did you mean 'amount'?", image, amuont=1)
        self.check(ValueError, "amount=9 is outside of 0.0 .. 8.0", image, amount=9)
        self.check(ValueError, "amount=nan is outside of 0.0 .. 8.0", image, amount=float("nan"))
        self.check(TypeError, "amount takes a number, not '3'", image, amount="3")
        self.check(TypeError, "'in' has samples of type float32, but the filter takes " + takes + "; write .astype(np.uint8)",
                   image.astype(np.float32))
        self.check(TypeError, "'in' has samples of type >u2, but the filter takes " + takes + "; write .astype(np.uint8)",
                   image.astype(">u2"))
        self.check(TypeError, "'in' has 3 axes, but the filter takes " + takes
                   + '; name them, and it is applied to each plane: axes="yxc"', np.zeros((2, 2, 2), np.uint8))
        self.check(TypeError, "'in' has 1 axes, but the filter takes " + takes, image[0])

    def test_a_status(self):
        with self.assertRaisesRegex(fltc.FilterError, "an extent is less than 1") as caught:
            self.unsharp(np.zeros((0, 4), np.uint8))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((caught.exception.status, again.status, str(again)), (2, 2, str(caught.exception)))
        self.assertIn(2, self.unsharp.interface.statuses)

    def test_a_program_that_is_refused(self):
        text = "filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x]\n{\n    out[y, x] = im[y, x];\n}\n"
        with self.assertRaises(fltc.CompileError) as caught:
            fltc.filter(text)
        error = caught.exception
        self.assertEqual((error.lineno, error.offset, error.text), (3, 17, "    out[y, x] = im[y, x];"))
        self.assertEqual(error.diagnostics[0]["code"], "E0201")
        with self.assertRaisesRegex(fltc.CompileError, "cannot read 'nothing.flt'"):
            fltc.filter("nothing.flt")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.text, again.diagnostics), (str(error), error.text, error.diagnostics))
        with self.assertRaisesRegex(fltc.CompileError, "no parameter or constant 'amont'"):
            fltc.filter(UNSHARP, amont=3)

    def test_tools_that_are_missing_or_broken(self):
        program = "filter f(in : image<u8>[x]) -> out : image<u8>[x]\n{\n    out[x] = in[x] ^ %d;\n}\n"
        for name, value, error, text in (
            ("CC", "false", fltc.CompileError, "the C compiler fails"),
            ("CC", "no_such_cc", FileNotFoundError, "there is no C compiler; install gcc, or name one: CC=clang"),
            ("FLTC", "/no/such/fltc", FileNotFoundError, "/no/such/fltc"),
        ):
            kept = os.environ.get(name)
            os.environ[name] = value
            try:
                with self.assertRaisesRegex(error, text):
                    fltc.filter(program % 17)
            finally:
                os.environ.pop(name) if kept is None else os.environ.update({name: kept})

    def test_a_cache_of_others(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/fltc/python")
            os.chmod(folder + "/fltc/python", 0o777)
            kept = os.environ["XDG_CACHE_HOME"]
            os.environ["XDG_CACHE_HOME"] = folder
            try:
                with self.assertRaisesRegex(PermissionError, "others may write"):
                    fltc.filter(UNSHARP)
            finally:
                os.environ["XDG_CACHE_HOME"] = kept

    def test_what_is_no_library(self):
        with self.assertRaisesRegex(ValueError, "is no filter"):
            fltc.load(UNSHARP)


class Definition(unittest.TestCase):
    """Filter.interpret, which Python's calls agree with."""

    def test_it_agrees(self):
        half = fltc.filter(HALF)
        image = picture(5, 6, dtype=np.float16)
        for given in ({}, {"gain": 1.25, "kind": "turned"}):
            for one, other in zip(half(image, **given), half.interpret(image, **given), strict=True):
                self.assertEqual(one.dtype, other.dtype)
                self.assertTrue(np.array_equal(one, other), given)
        unsharp = fltc.filter(UNSHARP)
        image = picture(30, 40)
        self.assertTrue(np.array_equal(unsharp(image, amount=3), unsharp.interpret(image, amount=3)))

    def test_refusals(self):
        unsharp = fltc.filter(UNSHARP)
        with self.assertRaisesRegex(ValueError, "outside of"):
            unsharp.interpret(picture(3, 3), amount=9)
        with self.assertRaisesRegex(TypeError, "astype"):
            unsharp.interpret(picture(3, 3, dtype=np.float32))
        with self.assertRaisesRegex(TypeError, "has no parameter 'amont'"):
            unsharp.interpret(picture(3, 3), amont=1)


class Stubs(unittest.TestCase):
    def test_a_stub(self):
        text = fltc.filter(UNSHARP).stub()
        self.assertIn("def unsharp(in_: ArrayLike, /, *, amount: float = 1.5, out: Any = None, threads: int = 0, ", text)
        self.assertIn("-> NDArray[np.uint8]:", text)
        self.assertIn("how much detail to add", text)
        half = fltc.filter(HALF).stub()
        self.assertIn("gain: float = 0.5, kind: Literal['plain', 'turned'] = 'plain'", half)
        self.assertIn("-> tuple[NDArray[np.float32], NDArray[np.float64]]:", half)
        varying = fltc.filter("filter same(in : image<T>[x], param k : i32) -> (out : image<T>[x], last : bool) { out = in; last = k > 0; }")
        self.assertIn("k: int, out: Any = None", varying.stub())
        self.assertIn("-> tuple[NDArray[Any], NDArray[Any]]:", varying.stub())
        for made in (text, half, varying.stub()):
            compile(made, "stub.pyi", "exec")

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "there is no mypy")
    def test_mypy_reads_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/made.pyi", "w", encoding="utf-8") as file:
                file.write(fltc.filter(UNSHARP).stub())
            with open(folder + "/use.py", "w", encoding="utf-8") as file:
                file.write("import made\nmade.unsharp([[1]], amount=2)\nmade.unsharp([[1]], amount='2')\nmade.unsharp([[1]], amont=2)\n")
            done = subprocess.run([sys.executable, "-m", "mypy", "use.py"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertIn("use.py:3", done.stdout)
            self.assertIn("use.py:4", done.stdout)
            self.assertNotIn("use.py:2", done.stdout)
            self.assertNotIn("made.pyi", done.stdout)


class Processes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.unsharp = fltc.filter(UNSHARP)

    def test_a_saved_filter_needs_no_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            self.unsharp.save(folder + "/unsharp.so")
            np.save(folder + "/in.npy", picture(50, 60))
            code = ("import fltc, numpy as np; f = fltc.load('%s/unsharp.so');"
                    "np.save('%s/out.npy', f(np.load('%s/in.npy'), amount=2))" % (folder, folder, folder))
            environment = {"PATH": "", "PYTHONPATH": os.pathsep.join(sys.path), "HOME": folder}
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)
            np.testing.assert_array_equal(np.load(folder + "/out.npy"), self.unsharp(picture(50, 60), amount=2))
            loaded = fltc.load(folder + "/unsharp.so")
            self.unsharp.fix(amount=0).save(folder + "/unsharp.so")  # the loaded one stays
            np.testing.assert_array_equal(loaded(picture(9, 9)), self.unsharp(picture(9, 9)))
            self.assertEqual(loaded.interface.json, self.unsharp.interface.json)
            with self.assertRaises(TypeError):
                loaded.fix(amount=2)

    def test_pickles(self):
        again = pickle.loads(pickle.dumps(self.unsharp.fix(amount=3)))
        np.testing.assert_array_equal(again(picture(9, 9)), self.unsharp(picture(9, 9), amount=3))

    def test_a_child_of_fork(self):
        image = picture(300, 400)
        expected = self.unsharp(image, threads=2)
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(self.unsharp(image, threads=2), expected) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_threads_of_python(self):
        image = picture(200, 300)
        expected = [self.unsharp(image, amount=k) for k in range(4)]
        found = [None] * 4

        def run(k):
            for _ in range(20):
                found[k] = self.unsharp(image, amount=k)

        threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for k in range(4):
            np.testing.assert_array_equal(found[k], expected[k])

    def test_help(self):
        self.assertEqual(str(__import__("inspect").signature(self.unsharp)),
                         "(in_, /, *, amount=1.5, out=None, threads=0, axes=None, box=None)")
        self.assertIn("how much detail to add", self.unsharp.__doc__)
        self.assertIn("amount : f32 = 1.5 in 0.0 .. 8.0", repr(self.unsharp))


if __name__ == "__main__":
    unittest.main()
