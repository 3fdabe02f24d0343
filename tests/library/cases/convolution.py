"""std.convolution against sums over the taps, by each border rule."""

import numpy as np

import pictures
from case import compare

PAD = {"zero": "constant", "clamp": "edge", "reflect": "symmetric", "reflect101": "reflect", "wrap": "wrap"}
TWO = "in : image<f32>[y, x], kernel : image<f32>[y, x]"


def direct(a, kernel, mode="symmetric"):
    """Each tap times the image, moved; borders larger than the image are made step by step by NumPy."""
    rows, columns = kernel.shape
    far = np.pad(a.astype(np.float64), ((rows, rows), (columns, columns)), mode=mode)
    out = np.zeros(a.shape)
    for v in range(rows):
        for u in range(columns):
            top, left = rows + rows // 2 - v, columns + columns // 2 - u
            out += float(kernel[v, u]) * far[top:top + a.shape[0], left:left + a.shape[1]]
    return out


def with_kernel(*shape, even=False):
    kernel = np.random.default_rng(5).standard_normal(shape).astype(np.float32) / np.float32(np.sqrt(np.prod(shape)))
    if even:
        kernel = (kernel + kernel[::-1] + kernel[:, ::-1] + kernel[::-1, ::-1]) / 4
    return [(a, kernel) for a in pictures.grey("f32") if min(a.shape) > max(shape)]


for shape in ((5, 5), (6, 7), (1, 2)):
    compare("convolution.fft_convolve", "fft_convolve(in, kernel)", "NumPy", direct, 4e-6, borders=PAD, inputs=TWO,
            images=with_kernel(*shape))
compare("convolution.fft_convolve_blocks", "fft_convolve_blocks(in, kernel, size = 32)", "NumPy", direct, 4e-6, borders=PAD,
        inputs=TWO, images=with_kernel(6, 7))
compare("convolution.dct_convolve", "dct_convolve(in, kernel)", "NumPy", direct, 4e-6, inputs=TWO,
        images=with_kernel(5, 9, even=True))


def direct3(a, kernel, mode):
    """The definition, on a volume that is padded by the rule."""
    reach = [(n - 1 - n // 2, n // 2) for n in kernel.shape]
    wide = np.pad(a.astype(np.float64), reach, mode=mode)
    windows = np.lib.stride_tricks.sliding_window_view(wide, kernel.shape)
    return np.einsum("zyxijk,ijk->zyx", windows, kernel[::-1, ::-1, ::-1].astype(np.float64))


def volume_and_kernel(shape, extents):
    random = np.random.default_rng(sum(shape))
    return (random.random(shape, np.float32), random.random(extents, np.float32) / np.float32(np.prod(extents)))


compare("convolution.fft_convolve3", "fft_convolve3(in, kernel)", "NumPy", direct3, 4e-6, borders={"reflect": "symmetric"},
        inputs="in : image<f32>[z, y, x], kernel : image<f32>[z, y, x]", result="image<f32>[z, y, x]",
        images=[volume_and_kernel((7, 11, 12), (3, 4, 5)), volume_and_kernel((4, 6, 5), (2, 1, 3))])
