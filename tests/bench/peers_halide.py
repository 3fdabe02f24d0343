"""The same tasks in Halide, each by a schedule made by hand and by Mullapudi2016's.

A task is a function that takes the input's ImageParam and gives (output, schedule), or (output, schedule, shape of the result,
where it is not the input's): schedule() applies the schedule by hand. Axes are x, y, c as Halide counts them; arrays are [c, y, x]. Results are exact in the same sense as ours: integer
sums in 32 bits, floats without fast-math, with the contraction that Halide chooses."""

import os

import halide as hl
import numpy as np

x, y, c, yi, xi = (hl.Var(n) for n in ("x", "y", "c", "yi", "xi"))
TYPES = {np.uint8: hl.UInt(8), np.uint16: hl.UInt(16), np.float32: hl.Float(32)}


def func(name):
    return hl.Func(name)


def blur(p):
    i, rows, out = hl.BoundaryConditions.repeat_edge(p), func("rows"), func("out")
    rows[x, y] = hl.u16((hl.u32(i[x - 1, y]) + i[x, y] + i[x + 1, y]) / 3)
    out[x, y] = hl.u16((hl.u32(rows[x, y - 1]) + rows[x, y] + rows[x, y + 1]) / 3)

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 32)
        rows.store_at(out, y).compute_at(out, yi).vectorize(x, 32)
    return out, schedule


def gaussian5(p):
    i, rows, out = hl.BoundaryConditions.mirror_interior(p), func("rows"), func("out")

    def five(at):
        return at(-2) + at(2) + 4 * (at(-1) + at(1)) + 6 * at(0)
    rows[x, y] = five(lambda d: hl.u16(i[x + d, y]))
    out[x, y] = hl.u8((hl.u32(five(lambda d: hl.u32(rows[x, y + d]))) + 128) / 256)

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 64)
        rows.store_at(out, y).compute_at(out, yi).vectorize(x, 64)
    return out, schedule


def sobel(p):
    i, out = hl.BoundaryConditions.mirror_interior(p), func("out")

    def slope(dy):
        return hl.i16(i[x + 1, y + dy]) - hl.i16(i[x - 1, y + dy])
    out[x, y] = slope(-1) + 2 * slope(0) + slope(1)

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 64)
    return out, schedule


def sort3(values):
    a, b, d = values
    low, high = hl.min(a, b), hl.max(a, b)
    return hl.min(low, d), hl.max(low, hl.min(high, d)), hl.max(high, d)


def median3(p):
    i, low, middle, high, out = hl.BoundaryConditions.repeat_edge(p), *(func(n) for n in ("low", "middle", "high", "out"))
    low[x, y], middle[x, y], high[x, y] = sort3([i[x, y + d] for d in (-1, 0, 1)])

    def across(f):
        return [f[x + d, y] for d in (-1, 0, 1)]
    out[x, y] = sort3([sort3(across(low))[2], sort3(across(middle))[1], sort3(across(high))[0]])[1]

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 64)
        for f in (low, middle, high):
            f.compute_at(out, yi).vectorize(x, 64)
    return out, schedule


def unsharp(p):
    k = [0.3992, 0.2420, 0.0540, 0.0044]
    i = hl.BoundaryConditions.repeat_edge(p)
    gray, columns, smooth, ratio, out = (func(n) for n in ("gray", "columns", "smooth", "ratio", "out"))
    gray[x, y] = 0.299 * i[x, y, 0] + 0.587 * i[x, y, 1] + 0.114 * i[x, y, 2]

    def seven(at):
        return k[0] * at(0) + k[1] * (at(-1) + at(1)) + k[2] * (at(-2) + at(2)) + k[3] * (at(-3) + at(3))
    columns[x, y] = seven(lambda d: gray[x, y + d])
    smooth[x, y] = seven(lambda d: columns[x + d, y])
    ratio[x, y] = (2 * gray[x, y] - smooth[x, y]) / gray[x, y]
    out[x, y, c] = ratio[x, y] * i[x, y, c]

    def schedule():
        out.split(y, y, yi, 32).reorder(x, c, yi, y).parallel(y).vectorize(x, 16).bound(c, 0, 3).unroll(c)
        gray.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        columns.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        ratio.compute_at(out, yi).vectorize(x, 16)
    return out, schedule


def harris(p):
    i = hl.BoundaryConditions.repeat_edge(p)
    gray, iy, ix, out = (func(n) for n in ("gray", "iy", "ix", "out"))
    gray[x, y] = 0.299 * i[x, y, 0] + 0.587 * i[x, y, 1] + 0.114 * i[x, y, 2]
    w = (1 / 12, 2 / 12, 1 / 12)
    iy[x, y] = sum((gray[x + d, y + 1] - gray[x + d, y - 1]) * w[d + 1] for d in (-1, 0, 1))
    ix[x, y] = sum((gray[x + 1, y + d] - gray[x - 1, y + d]) * w[d + 1] for d in (-1, 0, 1))

    def nine(a, b):
        return sum(a[x + u, y + v] * b[x + u, y + v] for v in (-1, 0, 1) for u in (-1, 0, 1))
    sxx, syy, sxy = nine(ix, ix), nine(iy, iy), nine(ix, iy)
    out[x, y] = sxx * syy - sxy * sxy - 0.04 * (sxx + syy) * (sxx + syy)

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 16)
        gray.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        ix.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        iy.store_at(out, y).compute_at(out, yi).vectorize(x, 16).compute_with(ix, x)
    return out, schedule


def stencil_chain(p):
    stages = [hl.BoundaryConditions.repeat_edge(p)]
    for n in range(32):
        f, before = func(f"s{n}"), stages[-1]
        if n:  # the rule is applied to every stage, as in the other program
            before = hl.BoundaryConditions.repeat_edge(before, [(0, p.width()), (0, p.height())])
        f[x, y] = hl.u16(sum(hl.u32(before[x + u, y + v]) for v in range(-2, 3) for u in range(-2, 3)) / 25)
        stages.append(f)
    out = stages[-1]

    def schedule():
        for n, f in enumerate(stages[1:]):
            f.compute_root().split(y, y, yi, 32).parallel(y).vectorize(x, 32)
    return out, schedule


def binomial(at):
    return 0.0625 * at(-2) + 0.25 * at(-1) + 0.375 * at(0) + 0.25 * at(1) + 0.0625 * at(2)


def half(f, size, more, name):
    """f at half its resolution; more: variables besides x and y."""
    b, rows, out = hl.BoundaryConditions.mirror_interior(f, [(0, n) for n in size]), func(name + "_rows"), func(name)
    rows[(x, y, *more)] = binomial(lambda d: b[(x, 2 * y + d, *more)])
    out[(x, y, *more)] = binomial(lambda d: rows[(2 * x + d, y, *more)])
    return out


def double(f, size, more, name):
    b, rows, out = hl.BoundaryConditions.repeat_edge(f, [(0, n) for n in size]), func(name + "_rows"), func(name)
    rows[(x, y, *more)] = 0.5 * (b[(x, y // 2, *more)] + b[(x, (y + 1) // 2, *more)])
    out[(x, y, *more)] = 0.5 * (rows[(x // 2, y, *more)] + rows[((x + 1) // 2, y, *more)])
    return out


def local_laplacian8(p, levels=8, samples=8, alpha=0.5, beta=1.0, sigma=0.2):
    k = hl.Var("k")
    size = [(p.width(), p.height())]
    for _ in range(levels):
        size.append(tuple((n + 1) / 2 for n in size[-1]))
    g, apart = hl.f32(k) / (samples - 1.0), hl.abs(p[x, y] - hl.f32(k) / (samples - 1.0))
    remapped, guide = func("remapped"), func("guide")
    remapped[x, y, k] = g + hl.select(p[x, y] < g, -1.0, 1.0) * hl.select(
        apart <= sigma, sigma * hl.pow(apart / sigma, alpha), beta * (apart - sigma) + sigma)
    guide[x, y] = p[x, y]
    pyramid, guides = [remapped], [guide]
    for j in range(1, levels):
        pyramid.append(half(pyramid[-1], size[j - 1], (k,), f"pyramid{j}"))
        guides.append(half(guides[-1], size[j - 1], (), f"guide{j}"))
    out = guides[-1]
    kept = []
    for j in reversed(range(levels - 1)):
        up, detail, blend = double(pyramid[j + 1], size[j + 1], (k,), f"up{j}"), func(f"detail{j}"), func(f"blend{j}")
        detail[x, y, k] = pyramid[j][x, y, k] - up[x, y, k]
        place = hl.clamp(guides[j][x, y] * (samples - 1), 0.0, samples - 1.0)
        low = hl.clamp(hl.i32(place), 0, samples - 2)
        below, above = detail[x, y, low], detail[x, y, low + 1]
        blend[x, y] = below + (place - low) * (above - below) + double(out, size[j + 1], (), f"sum{j}")[x, y]
        out = blend
        kept.append(blend)

    def schedule():
        for f in pyramid:
            f.compute_root().parallel(k).vectorize(x, 8)
        for f in guides[1:] + kept:
            f.compute_root().split(y, y, yi, 8, hl.TailStrategy.GuardWithIf).parallel(y).vectorize(
                x, 8, hl.TailStrategy.GuardWithIf)
    return out, schedule


def interpolate(p, levels=10):
    k = hl.Var("k")
    size = [(p.width(), p.height())]
    for _ in range(levels):
        size.append(tuple((n + 1) / 2 for n in size[-1]))
    known = [func("known0")]
    known[0][x, y, k] = hl.select(k == 3, p[x, y, k], p[x, y, k] * p[x, y, 3])
    for j in range(1, levels):
        known.append(half(known[-1], size[j - 1], (k,), f"known{j}"))
    full, kept = known[-1], []
    for j in reversed(range(levels - 1)):
        up, here = double(full, size[j + 1], (k,), f"up{j}"), func(f"full{j}")
        here[x, y, k] = known[j][x, y, k] + (1 - known[j][x, y, 3]) * up[x, y, k]
        full = here
        kept.append(here)
    out = func("out")
    out[x, y, k] = full[x, y, k] / full[x, y, 3]

    def schedule():
        for f in known[1:] + kept[:-1]:
            f.compute_root().parallel(k).vectorize(x, 8, hl.TailStrategy.GuardWithIf)
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 8)
    return out, schedule, lambda shape: (3, *shape[1:])


def disc(p):
    i = hl.BoundaryConditions.repeat_edge(p)
    two, four, eight, across, out = (func(n) for n in ("two", "four", "eight", "across", "out"))
    two[x, y] = hl.max(i[x, y], i[x, y + 1])
    four[x, y] = hl.max(two[x, y], two[x, y + 2])
    eight[x, y] = hl.max(four[x, y], four[x, y + 4])

    def column(half, dx):  # the greatest from -half to half
        if half == 0:
            return i[x + dx, y]
        power, long = (eight, 8) if half > 3 else (four, 4)
        return hl.max(power[x + dx, y - half], power[x + dx, y + half - long + 1])
    halves = [0, 3, 5, 6, 6, 7, 7, 7, 7, 7, 6, 6, 5, 3, 0]
    columns = [column(half, d - 7) for d, half in enumerate(halves)]
    while len(columns) > 1:
        columns = [hl.max(*columns[k:k + 2]) if k + 1 < len(columns) else columns[k] for k in range(0, len(columns), 2)]
    out[x, y] = columns[0]

    def schedule():
        out.split(y, y, yi, 32).parallel(y).vectorize(x, 64)
        for f in (two, four, eight):
            f.store_at(out, y).compute_at(out, yi).vectorize(x, 64)
    return out, schedule


def wavelet(p):
    i, out, k = hl.BoundaryConditions.repeat_edge(p), func("out"), hl.Var("k")
    a, b = i[2 * x, 2 * y], i[2 * x + 1, 2 * y]
    d, e = i[2 * x, 2 * y + 1], i[2 * x + 1, 2 * y + 1]
    out[x, y, k] = hl.mux(k, [0.25 * (a + b + d + e), 0.25 * (a - b + d - e), 0.25 * (a + b - d - e),
                              0.25 * (a - b - d + e)])

    def schedule():
        out.bound(k, 0, 4).reorder(x, k, y).unroll(k).parallel(y, 16).vectorize(x, 16)
    return out, schedule, lambda shape: (4, shape[0] // 2, shape[1] // 2)


def resize(p, height=948, width=569):
    i = hl.BoundaryConditions.repeat_edge(p)
    taps = 18

    def weights(name, old, size):
        raw, total, kernel, n, t = func(name + "_raw"), func(name + "_total"), func(name), hl.Var("n"), hl.Var("t")
        scale = hl.f32(old) / size
        center = (hl.f32(n) + 0.5) * scale - 0.5
        first = hl.i32(hl.ceil(center - 3 * scale))
        apart = hl.abs(hl.f32(first + t) - center) / scale
        pi = 3.14159265358979
        raw[t, n] = hl.select(apart < 1e-6, 1.0, hl.select(
            apart < 3, 3 * hl.sin(pi * apart) * hl.sin(pi / 3 * apart) / (pi * pi * apart * apart), 0.0))
        r = hl.RDom([(0, taps)])
        total[n] = hl.sum(raw[r.x, n])
        kernel[t, n] = raw[t, n] / total[n]
        return kernel, total, raw, lambda at: hl.i32(hl.ceil((hl.f32(at) + 0.5) * scale - 0.5 - 3 * scale))
    ky, ty, ry, first_y = weights("ky", p.height(), height)
    kx, tx, rx, first_x = weights("kx", p.width(), width)
    rows, out, r, s = func("rows"), func("out"), hl.RDom([(0, taps)], "r"), hl.RDom([(0, taps)], "s")
    rows[x, y] = 0.0
    rows[x, y] += ky[r.x, y] * i[x, first_y(y) + r.x]
    out[x, y] = 0.0
    out[x, y] += kx[s.x, x] * rows[first_x(x) + s.x, y]

    def schedule():
        for f in (ky, ty, ry, kx, tx, rx):
            f.compute_root()
        out.compute_root().split(y, y, yi, 16, hl.TailStrategy.GuardWithIf).parallel(y).vectorize(x, 16, hl.TailStrategy.GuardWithIf)
        out.update().split(y, y, yi, 16, hl.TailStrategy.GuardWithIf).parallel(y).reorder(s.x, x, yi, y).unroll(s.x).vectorize(
            x, 16, hl.TailStrategy.GuardWithIf)
        rows.compute_at(out, yi).vectorize(x, 16)
        rows.update().reorder(r.x, x, y).unroll(r.x).vectorize(x, 16)
    return out, schedule, lambda shape: (height, width)


def nl_means(p, area=3, patch=3):
    i = hl.BoundaryConditions.repeat_edge(p, [(0, p.width()), (0, p.height()), (0, 3)])
    dx, dy = hl.Var("dx"), hl.Var("dy")
    apart, columns, near, total, out = (func(n) for n in ("apart", "columns", "near", "total", "out"))
    apart[x, y, dx, dy] = sum((i[x, y, k] - i[x + dx, y + dy, k]) * (i[x, y, k] - i[x + dx, y + dy, k]) for k in range(3))
    columns[x, y, dx, dy] = sum(apart[x, y + d, dx, dy] for d in range(-patch, patch + 1))
    near[x, y, dx, dy] = hl.exp(-1.417 * sum(columns[x + d, y, dx, dy] for d in range(-patch, patch + 1)))
    r = hl.RDom([(-area, 2 * area + 1), (-area, 2 * area + 1)])
    total[x, y, c] = 0.0
    total[x, y, c] += near[x, y, r.x, r.y] * hl.select(c == 3, 1.0, i[x + r.x, y + r.y, c])
    out[x, y, c] = total[x, y, c] / total[x, y, 3]

    def schedule():
        out.bound(c, 0, 3).reorder(c, x, y).tile(x, y, xi, yi, 32, 16, hl.TailStrategy.GuardWithIf)
        out.parallel(y).vectorize(xi, 16)
        total.compute_at(out, x).reorder(c, x, y).bound(c, 0, 4).unroll(c).vectorize(x, 16)
        total.update().reorder(c, x, y, r.x, r.y).unroll(c).vectorize(x, 16)
        near.compute_at(total, r.x).vectorize(x, 16)
        columns.compute_at(total, r.x).vectorize(x, 16)
        apart.compute_at(total, r.x).vectorize(x, 16)
    return out, schedule


def bilateral_grid(p, size=8):
    i = hl.BoundaryConditions.repeat_edge(p)
    z, k = hl.Var("z"), hl.Var("k")
    cells, along_z, along_x, along_y, out = (func(n) for n in ("cells", "along_z", "along_x", "along_y", "out"))
    r = hl.RDom([(0, size), (0, size)])
    value = i[x * size + r.x - size // 2, y * size + r.y - size // 2]
    cells[x, y, z, k] = 0.0
    cells[x, y, hl.clamp(hl.i32(10 * value + 0.5), 0, 10), k] += hl.mux(k, [value, 1.0])

    def five(f, at):
        return f(*at(-2)) + 4 * f(*at(-1)) + 6 * f(*at(0)) + 4 * f(*at(1)) + f(*at(2))
    along_z[x, y, z, k] = five(lambda *a: cells[a], lambda d: (x, y, hl.clamp(z + d, 0, 10), k))
    along_x[x, y, z, k] = five(lambda *a: along_z[a], lambda d: (x + d, y, z, k))
    along_y[x, y, z, k] = five(lambda *a: along_x[a], lambda d: (x, y + d, z, k))
    place = i[x, y] * 10
    low = hl.i32(place)
    w, u, v = place - low, hl.f32(x % size) / size, hl.f32(y % size) / size

    def mixed(part):
        def at(a, b, e):
            return along_y[x // size + a, y // size + b, hl.clamp(low + e, 0, 10), part]

        def plane(e):
            return (1 - v) * ((1 - u) * at(0, 0, e) + u * at(1, 0, e)) + v * ((1 - u) * at(0, 1, e) + u * at(1, 1, e))
        return (1 - w) * plane(0) + w * plane(1)
    out[x, y] = mixed(0) / mixed(1)

    def schedule():
        cells.compute_at(along_z, y).bound(k, 0, 2)
        cells.update().reorder(k, r.x, r.y, x, y).unroll(k)
        along_z.compute_root().bound(k, 0, 2).reorder(k, z, x, y).parallel(y).vectorize(x, 8).unroll(k)
        along_x.compute_root().bound(k, 0, 2).reorder(k, x, y, z).parallel(z).vectorize(x, 8).unroll(k)
        along_y.compute_root().bound(k, 0, 2).reorder(k, x, y, z).parallel(z).vectorize(x, 8).unroll(k)
        out.parallel(y).vectorize(x, 8)
    return out, schedule


MATRIX = ((430, -102, -26, -2048), (-77, 384, -51, -1024), (-26, -102, 358, 512))


def camera(p):
    i = hl.BoundaryConditions.repeat_edge(p)
    hot, curve, out = func("hot"), func("curve"), func("out")
    hot[x, y] = hl.i16(hl.min(hl.min(i[x, y], hl.u16(1023)), hl.max(
        hl.max(i[x - 2, y], i[x + 2, y]), hl.max(i[x, y - 2], i[x, y + 2]))))
    planes = {n: func(n) for n in ("gr", "r", "b", "gb")}
    gr, r, b, gb = planes.values()
    gr[x, y], r[x, y] = hot[2 * x, 2 * y], hot[2 * x + 1, 2 * y]
    b[x, y], gb[x, y] = hot[2 * x, 2 * y + 1], hot[2 * x + 1, 2 * y + 1]

    def average(m, n):
        return hl.rounding_halving_add(m, n)

    def apart(m, n):
        return hl.absd(m, n)

    def made(name, value):
        f = func(name)
        f[x, y] = value
        return f
    g_r = made("g_r", hl.select(apart(gr[x + 1, y], gr[x, y]) < apart(gb[x, y - 1], gb[x, y]),
                                average(gr[x + 1, y], gr[x, y]), average(gb[x, y - 1], gb[x, y])))
    g_b = made("g_b", hl.select(apart(gb[x - 1, y], gb[x, y]) < apart(gr[x, y + 1], gr[x, y]),
                                average(gb[x - 1, y], gb[x, y]), average(gr[x, y + 1], gr[x, y])))

    def corrected(green, around, colour, one, other):
        return green - average(around[one], around[other]) + average(colour[one], colour[other])

    def at(dx, dy):
        return x + dx, y + dy
    here = at(0, 0)
    r_gr = made("r_gr", corrected(gr[x, y], g_r, r, at(-1, 0), here))
    b_gr = made("b_gr", corrected(gr[x, y], g_b, b, here, at(0, -1)))
    r_gb = made("r_gb", corrected(gb[x, y], g_r, r, here, at(0, 1)))
    b_gb = made("b_gb", corrected(gb[x, y], g_b, b, here, at(1, 0)))
    r_b = made("r_b", hl.select(apart(r[x, y], r[x - 1, y + 1]) < apart(r[x - 1, y], r[x, y + 1]),
                                corrected(g_b[x, y], g_r, r, here, at(-1, 1)),
                                corrected(g_b[x, y], g_r, r, at(-1, 0), at(0, 1))))
    b_r = made("b_r", hl.select(apart(b[x, y], b[x + 1, y - 1]) < apart(b[x + 1, y], b[x, y - 1]),
                                corrected(g_r[x, y], g_b, b, here, at(1, -1)),
                                corrected(g_r[x, y], g_b, b, at(1, 0), at(0, -1))))

    def together(name, even_row, odd_row):
        rows = [made(f"{name}_{n}", hl.select(x % 2 == 0, f[x // 2, y], g[x // 2, y])) for n, (f, g) in
                enumerate((even_row, odd_row))]
        return rows, made(name, hl.select(y % 2 == 0, rows[0][x, y // 2], rows[1][x, y // 2]))
    parts, whole = zip(together("red", (r_gr, r), (r_b, r_gb)), together("green", (gr, g_r), (g_b, gb)),
                       together("blue", (b_gr, b_r), (b, b_gb)))
    g = hl.sqrt(hl.clamp((hl.f32(x) - 25) / 998, 0, 1))
    bend = 2 - 1.4142135
    curve[x] = hl.u8(hl.clamp(255 * hl.select(g > 0.5, 1 - (2 - 2 * bend) * (1 - g) * (1 - g) - bend * (1 - g),
                                              (2 - 2 * bend) * g * g + bend * g) + 0.5, 0, 255))
    bright, down = func("bright"), func("down")
    rows = [sum(hl.i32(w) * hl.i32(f[x, y]) for w, f in zip(weights, whole)) + weights[3] for weights in MATRIX]
    bright[x, y, c] = curve[hl.clamp(hl.mux(c, [row // 256 for row in rows]), 0, 1023)]
    down[x, y, c] = average(average(bright[x, y - 1, c], bright[x, y + 1, c]), bright[x, y, c])
    smooth = average(average(down[x - 1, y, c], down[x + 1, y, c]), down[x, y, c])
    out[x, y, c] = hl.u8_sat(2 * hl.i16(bright[x, y, c]) - hl.i16(smooth))

    def schedule():
        out.bound(c, 0, 3).split(y, y, yi, 32).reorder(x, c, yi, y).parallel(y).vectorize(x, 32).unroll(c)
        curve.compute_root()
        bright.store_at(out, y).compute_at(out, yi).reorder(c, x, y).bound(c, 0, 3).unroll(c).vectorize(x, 16)
        hot.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        for f in (gr, r, b, gb, g_r, g_b):
            f.store_at(out, y).compute_at(out, yi).vectorize(x, 16)
        for pair in parts:
            for f in pair:
                f.store_at(out, y).compute_at(out, yi).vectorize(x, 32)
    return out, schedule, lambda shape: (3, *shape)


def iir_blur(p, alpha=0.1):
    """Down and up in strips of columns, transposed, twice."""
    def smoothed(i, extent, name):
        both, turned = func(name), func(name + "_turned")
        r = hl.RDom([(1, extent - 1)])
        back = extent - 1 - r.x
        keep, take = hl.f32(1 - alpha), hl.f32(alpha)
        both[x, y] = hl.undef(hl.Float(32))
        both[x, 0] = i[x, 0]
        both[x, r.x] = keep * both[x, r.x - 1] + take * i[x, r.x]
        both[x, back] = keep * both[x, back + 1] + take * both[x, back]
        turned[x, y] = both[y, x]

        def schedule():
            xo, yo = hl.Var("xo"), hl.Var("yo")
            turned.compute_root().tile(x, y, xo, yo, x, y, 8, 32).vectorize(x).parallel(yo)
            both.compute_at(turned, yo)
            both.update(0).vectorize(x, 8)
            for k in (1, 2):
                both.update(k).reorder(x, r.x).vectorize(x, 8).unroll(x)
        return turned, schedule
    columns, of_columns = smoothed(p, p.height(), "columns")
    rows, of_rows = smoothed(columns, p.width(), "rows")

    def schedule():
        of_columns()
        of_rows()
    return rows, schedule


def find_plugin(name):
    return os.path.join(os.path.dirname(hl.__file__), "lib64", f"lib{name}.so")


AUTOMATIC = {"auto": ("Mullapudi2016", {"last_level_cache_size": str(32 << 20)}), "adams": ("Adams2019", {})}


def compiled(task, images, by, threads):
    """(run, results) of a task on one image."""
    os.environ["HL_NUM_THREADS"] = str(threads)
    image = images[0]
    p = hl.ImageParam(TYPES[image.dtype.type], image.ndim)
    out, schedule, *shape = task(p)
    target = hl.get_jit_target_from_environment()
    if by.endswith(", strict"):  # floats as written, as ours always are
        target = target.with_feature(hl.TargetFeature.StrictFloat)
    result_shape = shape[0](image.shape) if shape else image.shape if out.dimensions() == image.ndim else image.shape[1:]
    result = np.empty(result_shape, {8: np.uint8, 16: np.uint16, 32: np.float32}[out.type().bits()]
                      if not out.type().is_int() else np.int16)
    if by.startswith("hand"):
        schedule()
        out.compile_jit(target)
    else:
        name, settings = AUTOMATIC[by.split(",")[0]]
        hl.load_plugin(find_plugin("autoschedule_" + name.lower()))
        for k, extent in enumerate(reversed(image.shape)):
            p.dim(k).set_estimate(0, extent)
        out.set_estimates([(0, extent) for extent in reversed(result_shape)])
        pipeline = hl.Pipeline(out)
        pipeline.apply_autoscheduler(target, hl.AutoschedulerParams(name, {"parallelism": str(threads), **settings}))
        pipeline.compile_jit(target)
        out = pipeline
    p.set(hl.Buffer(image))
    buffer = hl.Buffer(result)

    def run():
        out.realize(buffer)
    run.kept = p, out, result, image
    return run, [result]
