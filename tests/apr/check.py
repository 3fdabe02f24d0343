"""check.py FOLDER CONVERT: HDF5 reads in FOLDER what `convert save` has put there, by its Blosc filter;
what HDF5 writes, in several forms, `convert load` reads."""
import glob
import os
import subprocess
import sys

import h5py
import numpy

folder, convert = sys.argv[1:]
passed = failed = 0


def expect(name, good, what=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAIL", name, what, file=sys.stderr)


def load(path):
    return subprocess.run([convert, "load", path], capture_output=True, text=True, check=True).stdout.strip()


def said(value):
    return f"{int(numpy.frombuffer(value.tobytes(), 'u1').astype('u8').sum())} of {len(value)}"


def copy(channel, path, libver, **form):
    with h5py.File(path, "w", libver=libver) as other:
        group = other.create_group("ParticleRepr/t")
        for name, value in channel.attrs.items():
            group.attrs[name] = value
        for name in channel:
            own = dict(form, chunks=(min(form["chunks"], len(channel[name])),)) if form else {}
            group.create_dataset(name, data=channel[name][:], **own)


# of Blosc: version, format, bytes of an element and of a chunk (set by the filter), level, shuffle, compressor
def blosc(compressor):
    return dict(chunks=37, compression=32001, compression_opts=(0, 0, 0, 0, 5, 1, compressor))


types = dict(u8="u1", i8="i1", u16="u2", i16="i2", u32="u4", i32="i4", i64="i8", f32="f4", f64="f8")
forms = {"one piece": {}, "chunks": dict(chunks=37), "lz4": blosc(1), "zlib": blosc(4), "zstd": blosc(5)}
for path in sorted(glob.glob(os.path.join(folder, "*.apr"))):
    name = os.path.basename(path)[:-4]
    with h5py.File(path) as file:
        channel = file["ParticleRepr/t"]
        for ending, member, start in (("end", "xz_end_vec", 1), ("x", "y_vec", 0), ("value", "particles", 0)):
            got = channel[member][start:]
            expect(f"{name} {member}", got.tobytes() == open(f"{path[:-4]}.{ending}", "rb").read())
        expect(f"{name} type", channel["particles"].dtype.str[1:] == types[name.split("_")[1]])
        expect(f"{name} first end", channel["xz_end_vec"][0] == 0)
        value = channel["particles"][:]
        for form, how in forms.items():
            other = os.path.join(folder, "other")
            copy(channel, other, "earliest", **how)
            expect(f"{name} in {form}", load(other) == said(value), load(other))
        copy(channel, other, "latest")
        expect(f"{name} in the newer form", "in a newer form of HDF5" in load(other), load(other))
    with h5py.File(path, "a") as file:  # HDF5 extends it
        for i in range(20):
            file["ParticleRepr/t"].attrs[f"more_{i}"] = i
            file["ParticleRepr"].create_dataset(f"more_{i}", data=numpy.arange(i))
        file["ParticleRepr/t"].create_dataset("more", data=value)
    expect(f"{name} extended", load(path) == said(value), load(path))
print(f"apr: {passed} passed, {failed} failed")
sys.exit(failed > 0)
