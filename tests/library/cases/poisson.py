"""std.poisson: the five-point operator under each rule, applied in NumPy to a solution, gives back what was asked for."""

import numpy as np
from scipy import fft

import pictures
from case import compare, holds
from program import Program

# What continues a line before its first and behind its last sample, in samples of the line.
SIDES = {"wrap": ("wrap", "wrap"), "reflect": ("reflect", "reflect"), "reflect101": ("reflect101", "reflect101"),
         "zero": ("zero", "zero"), "odd": ("odd", "odd"), "reflect_odd": ("reflect", "odd"),
         "odd_reflect": ("odd", "reflect"), "reflect101_zero": ("reflect101", "zero"),
         "zero_reflect101": ("zero", "reflect101")}
SINGULAR = ("wrap", "reflect", "reflect101")
SHAPES = [(1, 1), (1, 7), (6, 1), (2, 2), (2, 5), (4, 3), (8, 8), (17, 24), (37, 54), (64, 41)]
KIND = {"f32": (np.float32, 1e-4), "f64": (np.float64, 2e-12)}


def outside(rule, u, behind):
    """The row that lies before u along axis 0, or behind it; mirrored about a single row lies what is on the other side, 0."""
    edge, inner, other = (u[-1], u[-2:-1], u[0]) if behind else (u[0], u[1:2], u[-1])
    return {"wrap": other, "reflect": edge, "odd": -edge, "zero": 0 * edge,
            "reflect101": inner[0] if len(inner) else 0 * edge}[rule]


def second_difference(u, axis, rule):
    u = np.moveaxis(u, axis, 0)
    before, behind = SIDES[rule]
    whole = np.concatenate([[outside(before, u, False)], u, [outside(behind, u, True)]])
    return np.moveaxis(whole[:-2] + whole[2:] - 2 * u, 0, axis)


def weights(shape, rules):
    """What a sample counts in the mean that is free."""
    line = [np.ones(n) for n in shape]
    for w, rule in zip(line, rules):
        if rule == "reflect101":
            w[[0, -1]] = 0.5
    total = line[0][:, None] * line[1][None, :]
    return total / total.sum()


def apart(solve, kind, rules, screening=0.0):
    """The greatest error of the equation, and of the mean where that is free, over all shapes."""
    worst, random = 0.0, np.random.default_rng(3)
    for shape in SHAPES:
        if any(n < 2 and rule == "reflect101" for n, rule in zip(shape, rules)):
            continue
        f = random.standard_normal(shape).astype(KIND[kind][0])
        u = solve(f).astype(np.float64)
        must_be = f.astype(np.float64)
        if screening == 0 and all(r in SINGULAR for r in rules):
            w = weights(shape, rules)
            worst = max(worst, abs(np.sum(w * u)))
            must_be = must_be - np.sum(w * must_be)
        is_ = sum(second_difference(u, axis, rule) for axis, rule in enumerate(rules)) - screening * u
        worst = max(worst, float(np.max(np.abs(is_ - must_be))))
    return worst


def case(name, kind, rules, body, screening=0.0):
    image = f"image<{kind}>[y, x]"
    holds(f"poisson.{name} {kind} {screening:g}", lambda solve: apart(solve, kind, rules, screening), KIND[kind][1],
          Program("poisson", f"in : {image}", image, body))


for rule in SIDES:
    case(f"poisson_{rule}", "f32", (rule, rule), f"poisson_{rule}(in)")
    case(f"poisson_{rule}", "f64", (rule, rule), f"poisson_{rule}(in)")
    case(f"poisson_{rule}", "f64", (rule, rule), f"poisson_{rule}(in, screening = 0.75)", 0.75)

# Mixtures as the module's first comment tells them.
THERE = {"reflect": ("dct2", "dct3", "reflect"), "reflect101": ("dct1", "dct1", "reflect101"), "zero": ("dst1", "dst1", "zero"),
         "odd": ("dst2", "dst3", "odd"), "reflect_odd": ("dct4", "dct4", "mixed"), "odd_reflect": ("dst4", "dst4", "mixed"),
         "reflect101_zero": ("dct3", "dct2", "mixed"), "zero_reflect101": ("dst3", "dst2", "mixed")}
for ry, rx in (("reflect", "zero"), ("reflect_odd", "reflect101"), ("zero_reflect101", "odd"), ("odd_reflect", "reflect101_zero")):
    (ty, by, ey), (tx, bx, ex) = THERE[ry], THERE[rx]
    case(f"{ry} by {rx}", "f64", (ry, rx), f"""spectrum = transform(in, (y: {ty}, x: {tx}), norm = none);
    ly[y in 0 ..< in.y] = {ey}_eigenvalue(y, in.y);
    lx[x in 0 ..< in.x] = {ex}_eigenvalue(x, in.x);
    solved[y, x] = spectrum[y, x] * reciprocal(ly[y] + lx[x]);
    out = transform(solved, (y: {by}, x: {bx}), norm = inverse);""")
case("wrap by reflect", "f64", ("wrap", "reflect"), """across = dct(in, [x], type = 2, norm = none);
    spectrum = rfft(across, [y]);
    ly[y in 0 ..< in.y / 2 + 1] = wrap_eigenvalue(y, in.y);
    lx[x in 0 ..< in.x] = reflect_eigenvalue(x, in.x);
    solved[y, x] = spectrum[y, x] * reciprocal(ly[y] + lx[x]);
    out = dct(irfft(solved, [y], y = in.y), [x], type = 3, norm = inverse);""")


def fields(density):
    """By SciPy's transforms alone: forces are sums of sines, which dst of type 3 takes when moved by one place."""
    ny, nx = density.shape
    waves = fft.dctn(density.astype(np.float64), type=2)
    wy, wx = np.pi * np.arange(ny)[:, None] / ny, np.pi * np.arange(nx)[None, :] / nx
    squares = wy * wy + wx * wx
    squares[0, 0] = 1
    heights = waves / squares
    heights[0, 0] = 0

    def sines(a, axis):
        moved = np.roll(a, -1, axis)
        np.moveaxis(moved, axis, 0)[-1] = 0
        return fft.dst(moved, type=3, axis=axis) / (2 * a.shape[axis])

    return (fft.idctn(heights, type=2), sines(fft.idct(heights * wy, type=2, axis=1), 0),
            sines(fft.idct(heights * wx, type=2, axis=0), 1))


def slopes(forces):
    """How far forces are from minus the differences of the potential of a smooth density, of two samples."""
    y, x = np.mgrid[:120, :150]
    density = np.exp(-((y - 50) ** 2 + (x - 90) ** 2) / 800) + np.exp(-((y - 80) ** 2 + (x - 30) ** 2) / 500)
    potential, fy, fx = forces(density)
    down, right = (potential[2:, 1:-1] - potential[:-2, 1:-1]) / 2, (potential[1:-1, 2:] - potential[1:-1, :-2]) / 2
    return float(max(np.abs(fy[1:-1, 1:-1] + down).max(), np.abs(fx[1:-1, 1:-1] + right).max()) / np.abs(fx).max())


for kind, bound in (("f32", 1e-3), ("f64", 1e-11)):
    results = "(" + ", ".join(f"{n} : image<{kind}>[y, x]" for n in ("potential", "force_y", "force_x")) + ")"
    forces = "f = density_forces(in); potential = f.potential; force_y = f.force_y; force_x = f.force_x;"
    compare("poisson.density_forces", forces, "SciPy", fields, bound, inputs=f"in : image<{kind}>[y, x]", result=results, images=pictures.grey(kind, crop=(90, 101)))
holds("poisson.density_forces are slopes", slopes, 1e-3, Program("poisson", "in : image<f64>[y, x]", results, forces))
