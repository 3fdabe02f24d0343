"""Code that a C compiler makes quickly, and what takes its place while calls go on."""

import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import fltc

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
UNSHARP = os.path.join(ROOT, "examples", "unsharp", "unsharp.flt")
AT_ONCE = """
import sys, time, fltc, numpy as np
start = time.perf_counter()
f = fltc.filter(sys.argv[1])
f(np.zeros((3, 3), np.uint8))
assert any(thread.is_alive() for thread in f._program._later)
"""


class Tiers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(self.before)))
        os.environ.update(XDG_CACHE_HOME=self.folder, FLTC_LEVELS="-O0 -O1")

    def test_calls_go_on(self):
        f = fltc.filter(UNSHARP)
        image = np.random.default_rng(5).integers(0, 250, (300, 200)).astype(np.uint8)
        first, library, wrong, stop = f(image), f._program.library(()), [], threading.Event()

        def work():
            while not stop.is_set():
                if not np.array_equal(f(image), first) or not np.array_equal(f(image, axes="yx"), first):
                    wrong.append(1)
                time.sleep(0.01)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        f.wait()
        time.sleep(0.1)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertIsNot(f._program.library(()), library)
        self.assertNotEqual(f._program.library(()).path, library.path)
        self.assertTrue(np.array_equal(f(image), first))

    def test_what_is_there_is_taken(self):
        fltc.filter(UNSHARP).wait()
        again = fltc.filter(UNSHARP)
        self.assertEqual(again._program._later, [])
        os.environ["FLTC_LEVELS"] = "-O1"
        self.assertEqual(fltc.filter(UNSHARP)._program.library(()).path, again._program.library(()).path)

    def test_one_level(self):
        os.environ["FLTC_LEVELS"] = "-O0"
        f = fltc.filter(UNSHARP)
        self.assertEqual(f._program._later, [])
        self.assertEqual(f(np.full((2, 2), 7, np.uint8)).tolist(), [[7, 7], [7, 7]])

    def test_types_that_vary(self):
        f = fltc.filter("filter twice(in : image<T : integer>[x]) -> out : image<T>[x] { out[x] = T(min(2 * in[x], 100)); }")
        for kind in (np.uint8, np.int16):
            image = np.arange(5, dtype=kind)
            self.assertEqual(f(image).tolist(), [0, 2, 4, 6, 8])
            f.wait()
            self.assertEqual(f(image).dtype, kind)

    def test_a_process_that_ends(self):
        """It does not wait for a compiler, and leaves no files but those of the cache."""
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        slow = os.path.join(self.folder, "cc")
        with open(slow, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase " $* " in *" -O1 "*" -c "*) exec sleep 60 ;; esac\nexec cc "$@"\n')
        os.chmod(slow, 0o700)
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", AT_ONCE, UNSHARP], env={**os.environ, "CC": slow, "TMPDIR": temporary}, check=True)
        self.assertLess(time.perf_counter() - start, 40)
        self.assertEqual(os.listdir(temporary), [])


if __name__ == "__main__":
    unittest.main()
