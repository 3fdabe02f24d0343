"""std.blocks against SciPy's transforms of blocks cut out by NumPy."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy import fft

import pictures
from case import compare


def cut(a, size, step, before, behind):
    """Blocks [j, i, v, u] of an image that goes on by reflection so far before and behind."""
    whole = np.pad(a.astype(np.float64), [(before, behind)] * 2, mode="symmetric")
    return sliding_window_view(whole, (size, size))[::step, ::step]


def blocks(a, size=8):
    whole = cut(a, size, size, 0, size - 1)[:-(-a.shape[0] // size), :-(-a.shape[1] // size)]
    return fft.dctn(whole, axes=(2, 3), norm="ortho")


def denoised(a, threshold, size, step):
    """Each block is added to an image of sums, as the paper tells."""
    spectrum = fft.dctn(cut(a, size, step, size - step, size), axes=(2, 3), norm="ortho")
    keep = np.abs(spectrum) >= threshold
    keep[..., 0, 0] = True
    clean = fft.idctn(spectrum * keep, axes=(2, 3), norm="ortho")
    total, count = np.zeros((2, *(n + 4 * size for n in a.shape)))
    for j in range(clean.shape[0]):
        for i in range(clean.shape[1]):
            place = np.s_[step * j:step * j + size, step * i:step * i + size]
            total[place] += clean[j, i]
            count[place] += 1
    inside = np.s_[size - step:size - step + a.shape[0], size - step:size - step + a.shape[1]]
    assert np.all(count[inside] == (size // step) ** 2)
    return total[inside] / count[inside]


compare("blocks.block_dct", "block_dct(in)", "SciPy", blocks, 1e-5, result="image<f32>[j, i, v, u]")
compare("blocks.block_dct of 5", "block_dct(in, size = 5)", "SciPy", lambda a: blocks(a, 5), 1e-5, result="image<f32>[j, i, v, u]")
compare("blocks.block_idct", "block_idct(block_dct(in), in.y, in.x)", "identity", lambda a: a, 2e-6)
small = pictures.grey("f32", crop=(61, 75))
for size, step in ((8, 1), (8, 2), (8, 8), (6, 3)):
    compare(f"blocks.denoise_blocks {size}/{step}", f"denoise_blocks(in, threshold = 0.3125, size = {size}, step = {step})", "SciPy",
            lambda a, size=size, step=step: denoised(a, 0.3125, size, step), 4e-6, images=small)
