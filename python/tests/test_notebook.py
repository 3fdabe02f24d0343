"""%%flt in a shell of IPython."""

import contextlib
import io
import unittest

import numpy as np

try:
    from IPython.core.interactiveshell import InteractiveShell
except ImportError:
    InteractiveShell = None


@unittest.skipUnless(InteractiveShell, "there is no IPython")
class Notebook(unittest.TestCase):
    def run_cell(self, text):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.result = InteractiveShell.instance().run_cell(text)
        return printed.getvalue()

    def test_cells(self):
        self.run_cell("%load_ext fltc")
        printed = self.run_cell("%%flt\nfilter twice(in : image<u8>[x], param most : i32 = 9 in 0 .. 255) -> out : image<u8>[x]\n"
                                "{\n    out[x] = u8(min(2 * in[x], most));\n}")
        self.assertIn("<fltc filter twice(in : image<u8>[x])", printed)
        self.assertIn("most : i32 = 9 in 0 .. 255", printed)
        self.run_cell("import numpy\nresult = twice(numpy.arange(6, dtype=numpy.uint8))")
        self.assertEqual(InteractiveShell.instance().user_ns["result"].tolist(), [0, 2, 4, 6, 8, 9])
        self.run_cell("%%flt b\nfilter a(in : image<u8>[x]) -> out : image<u8>[x] { out = in; }\n"
                      "filter b(in : image<u8>[x]) -> out : image<u8>[x] { out = in; }")
        self.assertEqual(self.result.result.interface.name, "b")
        self.assertTrue(np.array_equal(self.result.result(np.arange(3, dtype=np.uint8)), np.arange(3)))

    def test_a_mistake_is_shown(self):
        self.run_cell("%load_ext fltc")
        printed = self.run_cell("%%flt\nfilter wrong(in : image<u8>[x]) -> out : image<u8>[x] { out[x] = inn[x]; }")
        self.assertIn("'inn' is not declared", printed)
        self.assertIn("out[x] = inn[x]", printed)
        self.assertIn("^", printed)


if __name__ == "__main__":
    unittest.main()
