"""Chunks of Dask, Zarr and xarray: the samples of the whole, whatever the chunks; and what is refused, word by word."""

import os
import pickle
import tempfile
import unittest

import numpy as np

try:
    import dask
    import dask.array as da
    import distributed
    import xarray as xr
    import zarr
except ImportError as error:
    raise unittest.SkipTest("SKIP python: %s" % error)

import fltc
from test_boxes import EXAMPLES, FROM_2, LATE, PLACES, SPECTRUM, TOTAL, TWO, example, sample

UNSHARP3 = """filter unsharp3(in : image<f32>[z, y, x], param amount : f32 = 1 in 0 .. 9) -> out : image<f32>[z, y, x]
{
    border reflect;
    rows[z, y, x] = in[z, y, x - 2] + in[z, y, x - 1] + in[z, y, x] + in[z, y, x + 1] + in[z, y, x + 2];
    planes[z, y, x] = rows[z, y - 1, x] + rows[z, y, x] + rows[z, y + 1, x];
    out[z, y, x] = in[z, y, x] + amount * (in[z, y, x] - (planes[z - 1, y, x] + planes[z, y, x] + planes[z + 1, y, x]) / 45);
}
"""
MIXED = """filter mixed(in : image<f32>[y, x]) -> (near : image<f32>[y, x], plane : image<f32>[c, y, x], corner : image<f32>[])
{
    border clamp;
    near[y, x] = in[y - 1, x];
    plane[c in 0 ..< 3, y in 0 ..< in.y, x in 0 ..< in.x] = f32(c) * in[y, x + 1];
    corner = in[0, 0] + 1;
}
"""


class Chunks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scheduler = dask.config.set(scheduler="threads", num_workers=2)
        cls.scheduler.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.scheduler.__exit__(None, None, None)

    def same(self, a, b):
        self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
        self.assertEqual(np.ascontiguousarray(a).tobytes(), np.ascontiguousarray(b).tobytes())

    def test_examples(self):
        for name in EXAMPLES:
            f = example(name)
            image = sample(f, 70, 83) if name != "harris" else sample(f, 70, 83, 3)
            for chunks in ((25, 31), ((1, 40, 2, 27), (83,))):
                with self.subTest(name, chunks=chunks):
                    lazy = f(da.from_array(image, chunks=chunks + (-1,) * (image.ndim - 2)))
                    self.assertEqual(lazy.chunks[:2], da.core.normalize_chunks(chunks, (70, 83)))
                    self.assertEqual(lazy.dtype, f.interface.outputs[0].dtype)
                    self.same(lazy.compute(), f(image))

    def test_several_images_and_results_of_other_extents(self):
        f = fltc.filter(TWO)
        a, b, look = sample(f, 31, 41), sample(f, 31, 41, seed=2), sample(f, 5, seed=3)
        lazy = f(da.from_array(a, chunks=(7, 9)), da.from_array(b, chunks=(20, 41)), look, shift=9)
        self.assertEqual([len(one.chunks[0]) for one in lazy], [5, 5])
        self.assertEqual(lazy[1].shape, (16, 21))
        for got, wanted in zip(dask.compute(*lazy), f(a, b, look, shift=9)):
            self.same(got, wanted)
        empty = da.concatenate([da.from_array(a[:9], chunks=5), da.zeros((0, 41), dtype="f4"), da.from_array(a[9:], chunks=50)])
        self.same(f(empty, b, look, shift=9)[0].compute(), f(a, b, look, shift=9)[0])
        self.same(lazy[1].compute(), f(a, b, look, shift=9)[1])

    def test_results_of_other_axes(self):
        f = fltc.filter(MIXED)
        image = sample(f, 20, 33)
        lazy = f(da.from_array(image, chunks=(6, 10)))
        self.assertEqual([one.numblocks for one in lazy], [(4, 4), (1, 4, 4), ()])
        for got, wanted in zip(dask.compute(*lazy), f(image)):
            self.same(np.asarray(got), wanted)

    def test_coordinates_complex_samples_and_types(self):
        for text, axis in ((FROM_2, None), (PLACES, None), (SPECTRUM, 1), (LATE, None)):
            f = fltc.filter(text)
            image = sample(f, 20, 24)
            chunks = [6, 7]
            if axis:
                chunks[axis] = -1
            for one in (image, image.astype(np.int16)) if text == LATE else (image,):
                results = f(one)
                lazy = f(da.from_array(one, chunks=chunks))
                for got, wanted in zip(lazy, results) if text == SPECTRUM else ((lazy, results),):
                    self.same(got.compute(), wanted)

    def test_axes(self):
        f = example("unsharp")
        image = sample(f, 40, 50, 3)
        self.same(f(da.from_array(image, chunks=(11, 50, 2)), axes="yxc").compute(), f(image, axes="yxc"))
        stack = np.ascontiguousarray(image.transpose(2, 1, 0))
        lazy = f(da.from_array(stack, chunks=(1, 20, 13)), amount=2, axes=("t", "x", "y"))
        self.assertEqual(lazy.numblocks, (3, 3, 4))
        self.same(lazy.compute(), f(stack, amount=2, axes=("t", "x", "y")))

    def test_a_task_takes_its_neighbours_alone(self):
        f = example("unsharp")
        image = sample(f, 50, 50)

        def near(chunk, block_info=None):
            if max(block_info[0]["chunk-location"]) > 1:
                raise AssertionError("a chunk is read that is far away")
            return chunk

        lazy = f(da.from_array(image, chunks=10).map_blocks(near, dtype=image.dtype))
        self.same(lazy[:10, :10].compute(), f(image)[:10, :10])
        with self.assertRaisesRegex(AssertionError, "far away"):
            lazy[10:20, :10].compute()

    def test_lazy_results_go_on(self):
        f = example("unsharp")
        image = sample(f, 50, 60)
        lazy = f(f(da.from_array(image, chunks=23)), amount=3)[::2, 7:].rechunk(17)
        self.same(lazy.compute(), f(f(image), amount=3)[::2, 7:])
        x = da.from_array(image, chunks=23)
        self.assertEqual(f(x).name, f(x).name)
        self.assertNotEqual(f(x).name, f(x, amount=2).name)

    def test_loaded(self):
        f = example("unsharp")
        image = sample(f, 50, 60)
        with tempfile.TemporaryDirectory() as folder:
            f.save(folder + "/boxes.so", boxes=True)
            f.save(folder + "/plain.so")
            self.same(fltc.load(folder + "/boxes.so")(da.from_array(image, chunks=23)).compute(), f(image))
            plain = fltc.load(folder + "/plain.so")
            self.same(plain(da.from_array(image, chunks=-1)).compute(), f(image))
            with self.assertRaisesRegex(ValueError, r"^'unsharp' was saved without boxes; write save\(path, boxes=True\), and 'in' has 3"):
                plain(da.from_array(image, chunks=23))


class Refused(unittest.TestCase):
    def check(self, error, text, call):
        with self.assertRaises(error) as caught:
            call()
        self.assertEqual(str(caught.exception), text)

    def test_what_needs_the_whole(self):
        otsu = example("otsu")
        image = sample(otsu, 60, 50, 3)
        self.check(ValueError, "each chunk of the results of 'apart' depends on all of 'in', which has 3 chunks along y and 2 chunks "
                   "along x; make them one: x = x.rechunk({0: -1, 1: -1})", lambda: otsu(da.from_array(image, chunks=(25, 30, -1))))
        one = otsu(da.from_array(image, chunks=-1)).compute()
        self.assertEqual(one.tobytes(), otsu(image).tobytes())
        spectrum = fltc.filter(SPECTRUM)
        lines = da.from_array(sample(spectrum, 60, 50), chunks=(25, 30))
        self.check(ValueError, "each chunk of the results of 'spectrum' depends on all of 'in', which has 2 chunks along x; "
                   "make them one: x = x.rechunk({1: -1})", lambda: spectrum(lines))
        self.assertEqual(spectrum(lines.rechunk({1: -1}))[1].chunks, ((25, 25, 10), (50,)))

    def test_what_has_no_boxes(self):
        total = fltc.filter(TOTAL)
        image = sample(total, 60, 50)
        self.check(ValueError, "'total' has no boxes: none of its results has an axis, and 'in' has 3 chunks along y; compute it in "
                   "memory: f(x.compute()), or make them one: x = x.rechunk({0: -1})", lambda: total(da.from_array(image, chunks=(25, -1))))
        self.assertEqual(total(da.from_array(image, chunks=-1)).compute(), total(image))
        stack = np.stack([image, image + 1])
        lazy = total(da.from_array(stack, chunks=(1, 60, 50)), axes="tyx")
        self.assertEqual((lazy.chunks, lazy.compute().tobytes()), (((1, 1),), total(stack, axes="tyx").tobytes()))

    def test_arguments(self):
        f = example("unsharp")
        image = sample(f, 20, 20)
        x = da.from_array(image, chunks=7)
        self.check(TypeError, "lazy results have no out=; write dask.array.store(f(x), out)", lambda: f(x, out=image))
        self.check(TypeError, "lazy results have no box=; cut them: f(x)[0:64, 10:74]", lambda: f(x, box=((0, 1), (0, 1))))
        self.check(ValueError, "amount=9 is outside of 0.0 .. 8.0", lambda: f(x, amount=9))
        self.check(TypeError, "'unsharp' has no parameter 'amuont'; did you mean 'amount'?", lambda: f(x, amuont=1))
        self.check(TypeError, "'in' has samples of type float32, but the filter takes in : image<u8>[y, x]; write .astype(np.uint8)",
                   lambda: f(x.astype(np.float32)))
        self.check(TypeError, "'in' has 1 axes, but the filter takes in : image<u8>[y, x]", lambda: f(x[0]))
        self.check(ValueError, "'in' has chunks of unknown extents; write x.compute_chunk_sizes()", lambda: f(x[x[:, 0] > 9]))


class Processes(unittest.TestCase):
    def test_zarr_by_two_processes(self):
        f = fltc.filter(UNSHARP3)
        image = sample(f, 60, 60, 60)
        with tempfile.TemporaryDirectory() as folder:
            store = zarr.open(folder + "/in.zarr", mode="w", shape=image.shape, chunks=(25, 25, 25), dtype=image.dtype)
            store[:] = image
            with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
                with distributed.Client(cluster) as client:
                    lazy = f(da.from_zarr(folder + "/in.zarr"), amount=2)
                    lazy.to_zarr(folder + "/out.zarr")
                    self.assertEqual(len(client.run(os.getpid)), 2)
            result = zarr.open(folder + "/out.zarr", mode="r")
            self.assertEqual(result.chunks, (25, 25, 25))
            self.assertEqual(result[:].tobytes(), f(image, amount=2).tobytes())
            box = (slice(3, 9), slice(0, 60), slice(20, 30))
            (region,) = f.region(store, box=box)
            self.assertEqual(f(fltc.Part.of(store, region), box=box).tobytes(), f(image)[box].tobytes())

    def test_a_pickled_filter_is_compiled_once_and_is_the_same(self):
        f = fltc.filter(PLACES)
        packed = pickle.dumps(f)
        self.assertIs(pickle.loads(packed), pickle.loads(packed))
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/places.flt"
            with open(path, "w", encoding="utf-8") as file:
                file.write(PLACES)
            packed = pickle.dumps(fltc.filter(os.path.relpath(path)))
            with open(path, "w", encoding="utf-8") as file:
                file.write(PLACES.replace("x);", "2 * x);"))
            with self.assertRaisesRegex(ValueError, "'places' was pickled from another program than .*/places.flt is here"):
                pickle.loads(packed)


class Named(unittest.TestCase):
    """xarray."""

    def test_axes_by_name(self):
        f = example("unsharp")
        image = sample(f, 3, 40, 50)
        named = xr.DataArray(image, {"x": np.arange(50) / 2, "c": list("rgb"), "lat": (("y", "x"), np.zeros((40, 50)))}, ("c", "y", "x"),
                             "photo", {"units": "1"})
        wanted = f(image, axes="cyx")
        for given in (named, named.chunk({"c": 1, "y": 17, "x": 50})):
            result = f(given)
            self.assertEqual((result.dims, result.name, result.attrs), (("c", "y", "x"), "photo", {"units": "1"}))
            self.assertEqual(result.chunks, given.chunks)
            self.assertEqual(result.values.tobytes(), wanted.tobytes())
            xr.testing.assert_equal(result.coords.to_dataset(), named.coords.to_dataset())
            turned = f(given.transpose("x", "c", "y"))
            self.assertEqual(turned.dims, ("x", "c", "y"))
            np.testing.assert_array_equal(turned.transpose("c", "y", "x").values, wanted)

    def test_axes_that_change(self):
        f = fltc.filter(TWO)
        a, look = sample(f, 30, 41), sample(f, 5)
        named = xr.DataArray(a, {"x": np.arange(41.0), "y": np.arange(30.0)}, ("y", "x"))
        table = xr.DataArray(look, dims="d")
        mean, half = f(named, named, table)
        self.assertEqual((mean.name, set(mean.coords), half.name, set(half.coords)), ("mean", {"y", "x"}, "half", set()))
        np.testing.assert_array_equal(half.values, f(a, a, look)[1])
        first = fltc.filter("filter first(look : image<f32>[d], in : image<f32>[y, x]) -> out : image<f32>[y, x]\n"
                            "{\n    out[y, x] = look[0] + in[y, x];\n}\n")
        stack = xr.DataArray(np.stack([a, a + 1]), dims=("t", "y", "x"))
        np.testing.assert_array_equal(first(table, stack).values, look[0] + stack.values)

    def test_what_is_refused(self):
        f = fltc.filter(TWO)
        a, look = sample(f, 30, 41), sample(f, 5)
        named = xr.DataArray(a, {"x": np.arange(41.0)}, ("y", "x"))
        with self.assertRaisesRegex(ValueError, r"images have other coordinates along x; write xarray.align\(a, b\), or .drop_vars\('x'\)"):
            f(named, named.assign_coords(x=np.arange(41.0) + 1), look)
        with self.assertRaisesRegex(TypeError, "the array has no dimension y but row, x; write .rename"):
            f(named.rename(y="row"), named, look)
        with self.assertRaisesRegex(TypeError, "out=, axes= and box= are for arrays without names; give image.data"):
            f(named, named, look, axes="yx")


if __name__ == "__main__":
    unittest.main()
