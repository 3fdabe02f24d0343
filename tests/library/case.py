"""What a case is: a comparison of a library filter with a reference, or a property of it.

Modules of cases/ make them when they are imported:

    compare("gradient.sobel_x", "sobel_x(in)", "SciPy", sobel, bound=1e-6, borders=SCIPY)
    holds("gradient.sobel_x is linear", deviation, 1e-6, Program(...))
"""

import time

import numpy as np

import pictures
from program import Program

# The rules as other libraries name them; the left side is what the program says.
SCIPY = {"nearest": "nearest", "reflect": "reflect", "mirror": "mirror", "wrap": "wrap", "constant(0.25)": "constant"}
# Of these SciPy and the language mean the same in filters of several steps; a constant outside differs.
INDEX_RULES = {rule: mode for rule, mode in SCIPY.items() if mode != "constant"}
ZERO_OUTSIDE = {**INDEX_RULES, "zero": "constant"}
TWO_RULES = {"reflect": "reflect", "nearest": "nearest"}
OPENCV = {"replicate": 1, "reflect": 2, "reflect_101": 4}  # cv2.BORDER_REPLICATE, _REFLECT, _REFLECT_101

all_cases = []


class Comparison:
    kind = "compare"

    def __init__(self, name, against, bound, trials):
        self.name, self.against, self.bound, self.trials = name, against, bound, trials
        self.programs = [program for program, *_ in trials]
        all_cases.append(self)

    def run(self):
        worst, count, fault, began = 0.0, 0, None, time.time()
        for program, images, reference, options, runtime in self.trials:
            for image in images:
                image = image if isinstance(image, tuple) else (image,)
                is_ = program(*image, **runtime)
                must_be = reference(*image, **options)
                apart = difference(is_, must_be)
                count += 1
                if not apart <= self.bound and fault is None:
                    fault = f"    {[i.shape for i in image]} {options}\n{program.text}"
                worst = max(worst, apart) if apart == apart else apart
        say(fault is None, self.name, self.against, worst, self.bound, f"{count} pictures, {time.time() - began:.1f} s")
        if fault:
            print(fault)
        return fault is None


class Property:
    kind = "property"

    def __init__(self, name, deviation, bound, programs):
        self.name, self.deviation, self.bound, self.programs = name, deviation, bound, programs
        all_cases.append(self)

    def run(self):
        apart = self.deviation(*self.programs)
        say(apart <= self.bound, self.name, "", apart, self.bound, "")
        return apart <= self.bound


def say(good, name, against, worst, bound, more):
    print(f"{'' if good else 'FAIL '}{name:<44} {against:<10} {worst:9.2e} of {bound:7.1e}  {more}", flush=True)


def difference(is_, must_be):
    """The greatest difference of samples; infinite where shapes differ or a number is missing."""
    if isinstance(is_, tuple):
        return max(difference(a, b) for a, b in zip(is_, must_be, strict=True))
    must_be = np.asarray(must_be)
    if is_.shape != must_be.shape:
        return np.inf
    return float(np.max(np.abs(is_.astype(np.float64) - must_be.astype(np.float64))))


def compare(name, call, against, reference, bound, *, borders=None, images=None, inputs="in : image<f32>[y, x]",
            result="image<f32>[y, x]", options=({},), modules=None):
    """name: module.filter. call: the body of the program, where {option} stands for an option's value.
    reference(*images, mode=, **options) gives what must come out within bound; mode only with borders.
    borders: rules of the program and the reference's names of them. images: arrays, or tuples of several."""
    images = pictures.grey("f32") if images is None else images
    modules = name.split(".")[0] if modules is None else modules
    trials = []
    for rule, mode in (borders or {None: None}).items():
        written = {}  # one program for each text
        for choice in options:
            body = call
            for option, value in choice.items():
                body = body.replace(f"{{{option}}}", str(value))
            runtime = {k: v for k, v in choice.items() if f"{{{k}}}" not in call and f"param {k} " in inputs}
            if body not in written:
                written[body] = Program(modules, inputs, result, body, rule)
            known = dict(choice, **({"mode": mode} if rule else {}))
            trials.append((written[body], images, reference, known, runtime))
    Comparison(name, against, bound, trials)


def holds(name, deviation, bound, *programs):
    """deviation(*programs) is a number that must not exceed bound."""
    Property(name, deviation, bound, list(programs))
