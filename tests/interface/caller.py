"""Runs filters of shared libraries that are known from their interfaces alone, flt_filter.json.

caller.py SCHEMA FLTC PROGRAM LIBRARY JSON FOLDER [SEED]: the interface is one of the schema, and the same in the library as in the
file; results are those of `fltc interpret`; what a box of the results reads is what the interface has of it. Prints "passed failed".
"""

import ctypes
import json
import os
import random
import subprocess
import sys

import jsonschema
import numpy

RUN, EXTENTS, SCRATCH, REGION, RUN_BOX = 1, 0, 2, 3, 5
BAD_SCRATCH, BAD_CALL, BAD_BOX = 5, 14, 15


class Arguments(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("extents", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
        ("strides", ctypes.POINTER(ctypes.POINTER(ctypes.c_ssize_t))),
        ("parameters", ctypes.POINTER(ctypes.c_void_p)),
        ("scratch", ctypes.c_void_p),
        ("scratch_bytes", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("tasks", ctypes.c_void_p),
        ("input", ctypes.c_uint),
        ("box", ctypes.POINTER(ctypes.c_int64)),
        ("region", ctypes.POINTER(ctypes.c_int64)),
        ("stream", ctypes.c_void_p),
        ("opened", ctypes.c_void_p),
        ("prepared", ctypes.c_void_p),
        ("prepared_bytes", ctypes.c_size_t),
        ("parts", ctypes.POINTER(ctypes.POINTER(ctypes.c_int64))),
    ]


class Filter(ctypes.Structure):
    _fields_ = [
        ("json", ctypes.c_char_p),
        ("call", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(Arguments))),
        ("status_text", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)),
    ]


TYPES = {"bool": "?", "f16": "f2", "f32": "f4", "f64": "f8", "c32": "c8", "c64": "c16"}
TYPES.update({kind + bits: kind + str(int(bits) // 8) for kind in "ui" for bits in ("8", "16", "32", "64")})
EXTENTS_OF_AXES = {"c": 3, "k": 4, "z": 6, "t": 3}


def dtype(facts):
    return numpy.dtype(TYPES[facts["type"]])


def sample_image(chance, facts, extents):
    kind = dtype(facts)
    if kind.kind == "b":
        return chance.integers(0, 2, extents).astype(bool)
    if kind.kind in "ui":
        most = min(250, numpy.iinfo(kind).max)
        return chance.integers(0, most, extents).astype(kind)
    if kind.kind == "c":
        return (chance.random(extents) + 1j * chance.random(extents)).astype(kind)
    return chance.random(extents).astype(kind)


def is_near(got, wanted):
    """Recurrences and transforms are realised otherwise than the interpreter computes them: within their bounds."""
    return numpy.allclose(got, wanted, rtol=0, atol=1e-5 * max(1, numpy.nanmax(numpy.abs(wanted))), equal_nan=True)


class Call:
    """The arguments of a call, by the interface."""

    def __init__(self, facts, inputs, values):
        self.facts = facts
        images = facts["inputs"] + facts["outputs"]
        ranks = [len(image["axes"]) for image in images]
        self.outputs = [None] * len(facts["outputs"])
        self.inputs = inputs
        self.data = (ctypes.c_void_p * len(images))()
        self.extents = [(ctypes.c_int32 * max(rank, 1))() for rank in ranks]
        self.strides = [(ctypes.c_ssize_t * max(rank, 1))() for rank in ranks]
        self.values = [numpy.array(v, dtype(p)) for v, p in zip(values, facts["parameters"])]
        for i, image in enumerate(inputs):
            self.place(i, image)
        rows = ctypes.POINTER(ctypes.c_int32) * len(images)
        steps = ctypes.POINTER(ctypes.c_ssize_t) * len(images)
        self.arguments = Arguments(
            size=ctypes.sizeof(Arguments),
            data=self.data,
            extents=rows(*self.extents),
            strides=steps(*self.strides),
            parameters=(ctypes.c_void_p * max(1, len(values)))(*[v.ctypes.data for v in self.values]),
            threads=2,
        )

    def place(self, number, image):
        self.data[number] = image.ctypes.data
        for k in range(image.ndim):
            self.extents[number][k] = image.shape[k]
            self.strides[number][k] = image.strides[k] // image.itemsize

    def make_outputs(self):
        for i, facts in enumerate(self.facts["outputs"]):
            number = len(self.inputs) + i
            shape = [self.extents[number][k] for k in range(len(facts["axes"]))]
            self.outputs[i] = numpy.zeros(shape, dtype(facts))
            self.place(number, self.outputs[i])


def value_of(formula, extents, parameters, box=()):
    """A formula of the interface, of names such as in.y, radius and out.y.first; None: it has none."""
    if formula is None:
        return None
    names = {**extents, **parameters, **dict(box)}
    text = formula.replace("/", "//")
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "(%s)" % names[name]) if "." in name else text
    words = {name: value for name, value in names.items() if "." not in name}
    return eval(text, {"__builtins__": {}, "min": min, "max": max}, words)  # pylint: disable=eval-used


def cut(first, end, extent, mirrored):
    """As region_of cuts a box to the image."""
    low, high = first, end
    if mirrored:
        high, low = max(high, 1 - low), min(low, 2 * extent - end - 1)
    return min(max(low, 0), extent - 1), max(min(high, extent), 1)


class Trial:
    def __init__(self, program, fltc, folder, emitted, facts):
        self.program, self.fltc, self.folder = program, fltc, folder
        self.emitted, self.facts = emitted, facts
        self.passed, self.failed = 0, 0

    def expect(self, holds, what):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print("FAIL %s: %s" % (self.program, what), file=sys.stderr)

    def interpret(self, inputs, values):
        """The results by the interpreter; None: it refuses."""
        command = [self.fltc, "interpret", self.program, "--filter", self.facts["filter"]]
        for i, image in enumerate(inputs):
            path = "%s/in%d.npy" % (self.folder, i)
            numpy.save(path, image)
            command.append("%s=%s" % (self.facts["inputs"][i]["name"], path))
        for parameter, value in zip(self.facts["parameters"], values):
            if "fraction_bits" in parameter:
                value /= 2 ** parameter["fraction_bits"]
            text = parameter["choices"][value] if "choices" in parameter else repr(value).lower()
            command.append("--param=%s=%s" % (parameter["name"], text))
        paths = ["%s/%s.npy" % (self.folder, output["name"]) for output in self.facts["outputs"]]
        for output, path in zip(self.facts["outputs"], paths):
            command += ["-o", "%s=%s" % (output["name"], path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return None, done.stderr
        return [numpy.load(path) for path in paths], ""

    def check_results(self, call, inputs, values):
        status = self.emitted.call(EXTENTS, call.arguments)
        expected, said = self.interpret(inputs, values)
        if status or expected is None:
            self.expect(status and expected is None, "status %d, but the interpreter: %s" % (status, said))
            return False
        call.make_outputs()
        status = self.emitted.call(RUN, call.arguments)
        self.expect(status == 0, "FLT_RUN: " + self.emitted.status_text(status).decode())
        for got, wanted, facts in zip(call.outputs, expected, self.facts["outputs"]):
            same = got.shape == wanted.shape and got.dtype == wanted.dtype
            same = same and (got.dtype.kind in "fc" and is_near(got, wanted) or numpy.array_equal(got, wanted))
            self.expect(same, "other samples of '%s'" % facts["name"])
        return True

    def check_scratch(self, call):
        """The same bytes in memory of the caller, whose size a call tells that is given too little."""
        before = [output.copy() for output in call.outputs]
        status = self.emitted.call(SCRATCH, call.arguments)
        needs = call.arguments.scratch_bytes
        self.expect(status == 0, "FLT_SCRATCH: status %d" % status)
        memory = numpy.zeros(needs + 64, numpy.uint8)
        call.arguments.scratch = memory.ctypes.data + -memory.ctypes.data % 64
        if needs:
            call.arguments.scratch_bytes = needs - 1
            status = self.emitted.call(RUN, call.arguments)
            told = call.arguments.scratch_bytes
            self.expect(status == BAD_SCRATCH and told == needs, "too little memory: %d, %d" % (status, told))
        for output in call.outputs:
            output.fill(1)
        status = self.emitted.call(RUN, call.arguments)
        same = all(a.tobytes() == b.tobytes() for a, b in zip(before, call.outputs))
        self.expect(status == 0 and same, "memory of the caller: status %d" % status)
        call.arguments.scratch = None

    def check_formulas(self, call, extents, parameters):
        for i, output in enumerate(self.facts["outputs"]):
            for k, axis in enumerate(output["axes"]):
                told = value_of(axis["extent"], extents, parameters)
                real = call.extents[len(call.inputs) + i][k]
                self.expect(told in (None, real), "extent of %s: %s is %s" % (axis["name"], axis["extent"], told))

    def region(self, call, number, box):
        rank = len(self.facts["inputs"][number]["axes"])
        region = (ctypes.c_int64 * (2 * rank + 1))()
        call.arguments.input = number
        call.arguments.box = (ctypes.c_int64 * len(box))(*[value for _, value in box])
        call.arguments.region = region
        status = self.emitted.call(REGION, call.arguments)
        self.expect(status == 0, "FLT_REGION: status %d" % status)
        return [(region[2 * k], region[2 * k + 1]) for k in range(rank)]

    def check_axis(self, reads, region, extent, evaluate):
        first, end = evaluate(reads.get("first")), evaluate(reads.get("end"))
        if reads["reads"] == "nothing":
            wanted = (0, 0)
        elif "first" not in reads:
            wanted = (0, extent)
        elif first is None or end is None:
            return
        else:
            wanted = cut(first, end, extent, reads["mirrored"])
        self.expect(region == wanted, "reads %s: %s, but region_of gives %s" % (reads, wanted, region))

    def check_motion(self, reads, box, evaluate):
        """first and end go on by `samples` where the box goes on by for_each; before and after are distances."""
        at = dict(box)
        first, end = evaluate(reads["first"]), evaluate(reads["end"])
        if first is None or end is None:
            return
        moved = [(n, v + reads["for_each"] * n.startswith(reads["follows"] + ".")) for n, v in box]
        step = evaluate(reads["first"], moved) - first, evaluate(reads["end"], moved) - end
        self.expect(step == (reads["samples"],) * 2, "%s moves by %s" % (reads, step))
        if "before" in reads:
            before = at[reads["follows"] + ".first"] - first, end - at[reads["follows"] + ".end"]
            told = evaluate(reads["before"]), evaluate(reads["after"])
            self.expect(told in (before, (None, None)), "%s: before and after are %s" % (reads, before))

    def check_region(self, call, box, begins, regions, samples):
        """The results in the box are the same where all inputs are other ones outside of their regions."""
        before = [output.copy() for output in call.outputs]
        kept = [image.copy() for image in call.inputs]
        for image, region, facts in zip(call.inputs, regions, self.facts["inputs"]):
            other = sample_image(samples, facts, image.shape)
            inside = tuple(slice(first, end) for first, end in region)
            other[inside] = image[inside]
            image[...] = other
        status = self.emitted.call(RUN, call.arguments)
        at = 0
        for output, wanted, begin in zip(call.outputs, before, begins):
            inside = []
            for k in range(output.ndim):
                inside.append(slice(box[at][1] - begin[k], box[at + 1][1] - begin[k]))
                at += 2
            same = status or output[tuple(inside)].tobytes() == wanted[tuple(inside)].tobytes()
            self.expect(same, "box %s depends on samples outside of %s" % (box, regions))
            output[...] = wanted
        for image, samples_before in zip(call.inputs, kept):
            image[...] = samples_before

    def check_box(self, call, box, begins, regions, samples, chance):
        """The samples of the whole, from parts that hold the regions alone, or some more."""
        facts, count = self.facts, len(call.inputs)
        part = Call(facts, call.inputs, [value.item() for value in call.values])
        parts, kept = [], []
        for i, (image, region) in enumerate(zip(call.inputs, regions)):
            bounds = [(max(0, first - chance.choice([0, 0, 3])), min(n, end + chance.choice([0, 0, 5])))
                      for (first, end), n in zip(region, image.shape)]
            inside = tuple(slice(first, end) for first, end in region)
            other = sample_image(samples, facts["inputs"][i], image.shape)
            other[inside] = image[inside]
            held = other[tuple(slice(first, end) for first, end in bounds)]
            kept.append(held if chance.random() < 0.5 else held.copy())
            part.place(i, kept[-1])
            part.extents[i][: image.ndim] = list(image.shape)
            parts.append((ctypes.c_int64 * (2 * image.ndim + 1))(*[n for pair in bounds for n in pair]))
        at = 0
        wanted = []
        for i, (output, begin) in enumerate(zip(call.outputs, begins)):
            inside = []
            for k in range(output.ndim):
                inside.append(slice(box[at][1] - begin[k], box[at + 1][1] - begin[k]))
                at += 2
            wanted.append(output[tuple(inside)])
            part.outputs[i] = numpy.zeros(wanted[-1].shape, output.dtype)
            part.place(count + i, part.outputs[i])
        pointer = ctypes.POINTER(ctypes.c_int64)
        part.arguments.parts = (pointer * max(count, 1))(*[ctypes.cast(p, pointer) for p in parts])
        part.arguments.box = (ctypes.c_int64 * max(len(box), 1))(*[value for _, value in box])
        status = self.emitted.call(SCRATCH, part.arguments)
        needs = part.arguments.scratch_bytes
        self.expect(status == 0, "FLT_SCRATCH of a box: status %d" % status)
        part.arguments.scratch_bytes = 0
        status = self.emitted.call(RUN_BOX, part.arguments)
        if status == BAD_SCRATCH:  # a device has no malloc
            self.expect(part.arguments.scratch_bytes == needs, "a box needs %d bytes, not %d" % (part.arguments.scratch_bytes, needs))
        if status == BAD_SCRATCH or (status == 0 and chance.random() < 0.5):
            memory = numpy.zeros(needs + 64, numpy.uint8)
            part.arguments.scratch, part.arguments.scratch_bytes = memory.ctypes.data + -memory.ctypes.data % 64, needs
            status = self.emitted.call(RUN_BOX, part.arguments)
        self.expect(status == 0, "box %s of parts %s: %s" % (box, [list(p) for p in parts], self.emitted.status_text(status).decode()))
        if status == 0:
            for output, samples_of, got in zip(facts["outputs"], wanted, part.outputs):
                same = got.tobytes() == samples_of.tobytes()
                same = same or (got.dtype.kind in "fc" and is_near(got, samples_of))
                self.expect(same, "box %s of '%s' has other samples" % (box, output["name"]))
        if count and regions[0] and regions[0][0][1] - regions[0][0][0] > 1:
            parts[0][0] = regions[0][0][0] + 1
            self.expect(self.emitted.call(RUN_BOX, part.arguments) == BAD_BOX, "a part that lacks a row is taken")

    def check_reads(self, call, extents, parameters, chance, samples):
        for _ in range(5):
            box, begins, regions = [], [], []
            for i, output in enumerate(self.facts["outputs"]):
                begins.append([])
                for k, axis in enumerate(output["axes"]):
                    # Coordinates of the result begin at its first one.
                    begin = value_of(axis["first"], extents, parameters) or 0
                    extent = call.extents[len(call.inputs) + i][k]
                    # At a border, or one sample, or any.
                    first = chance.choice([0, extent - 1, chance.randrange(extent)])
                    end = chance.choice([first + 1, extent, chance.randrange(first, extent) + 1])
                    begins[-1].append(begin)
                    name = "%s.%s" % (output["name"], axis["name"])
                    box += [(name + ".first", begin + first), (name + ".end", begin + end)]
            for number, reads in enumerate(self.facts["reads"]):
                region = self.region(call, number, box)
                regions.append(region)
                for k, axis in enumerate(reads["axes"]):

                    def evaluate(formula, at=tuple(box)):
                        return value_of(formula, extents, parameters, at)

                    self.check_axis(axis, region[k], call.extents[number][k], evaluate)
                    if axis["reads"] == "box":
                        self.check_motion(axis, box, evaluate)
            self.check_region(call, box, begins, regions, samples)
            if "run_box" in self.facts["calls"]:
                self.check_box(call, box, begins, regions, samples, chance)

    def keep(self, call):
        """What a caller of another language is to find."""
        images = call.inputs + call.outputs
        for image, facts in zip(images, self.facts["inputs"] + self.facts["outputs"]):
            image.tofile("%s/%s.raw" % (self.folder, facts["name"]))
        words = [n for image in call.inputs for n in image.shape] + [str(v.item() if v.dtype.kind != "b" else int(v)) for v in call.values]
        with open(self.folder + "/words", "w", encoding="utf-8") as file:
            print(*words, file=file)

    def check_wrong(self, call):
        self.expect(self.emitted.call(99, call.arguments) == BAD_CALL, "a call that there is not")
        call.arguments.size = 8
        self.expect(self.emitted.call(RUN, call.arguments) == BAD_CALL, "arguments of another version")

    def run(self, seed):
        chance, samples = random.Random(seed), numpy.random.default_rng(seed)
        facts = self.facts
        extents = {}
        inputs = []
        for image in facts["inputs"]:
            shape = [
                int(axis.get("extent", EXTENTS_OF_AXES.get(axis["name"], 37 if axis["name"] == "y" else 45)))
                for axis in image["axes"]
            ]
            extents.update({"%s.%s" % (image["name"], a["name"]): n for a, n in zip(image["axes"], shape)})
            inputs.append(sample_image(samples, image, shape))
        values = [p["default"] if p["default"] is not None else p["least"] or 1 for p in facts["parameters"]]
        parameters = {p["name"]: v for p, v in zip(facts["parameters"], values)}
        call = Call(facts, inputs, values)
        if any("." in image["name"] for image in facts["inputs"] + facts["outputs"]):
            self.passed += 1  # parts of adaptive images, which random samples are not
        elif self.check_results(call, inputs, values):
            self.check_formulas(call, extents, parameters)
            if "launch" not in facts["calls"]:  # else scratch memory is the device's
                self.check_scratch(call)
            self.keep(call)
            if "region" in facts["calls"]:
                self.check_reads(call, extents, parameters, chance, samples)
        self.check_wrong(call)


def main():
    schema, fltc, program, library, path, folder = sys.argv[1:7]
    with open(schema, encoding="utf-8") as file:
        schema = json.load(file)
    with open(path, encoding="utf-8") as file:
        facts = json.load(file)
    emitted = Filter.in_dll(ctypes.CDLL(os.path.abspath(library)), "flt_filter")
    trial = Trial(program, fltc, folder, emitted, facts)
    inside = json.loads(emitted.json.decode())
    jsonschema.validate(facts, schema)
    jsonschema.validate({**inside, "licence": ""}, schema)
    trial.expect({**inside, "licence": facts["licence"]} == facts, "the library has another interface than the file")
    trial.run(int(sys.argv[7]) if len(sys.argv) > 7 else 1)
    print(trial.passed, trial.failed)


main()
