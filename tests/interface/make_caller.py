"""Writes a program in C++ that runs a filter, from its interface alone: make_caller.py JSON > caller.cpp.

It is linked with the filter's library, takes the extents of all inputs, one after another, and the values of all parameters, reads
the samples of inputs from NAME.raw and compares its results with those in NAME.raw.
"""

import json
import sys

TOP = """// From the interface of '%(filter)s': %(text)s.
#include "flt/filter.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int %(symbol)s_call(int what, struct flt_arguments *given);

template <class T> struct image {
    std::vector<T> samples;
    std::vector<int32_t> extents;
    std::vector<ptrdiff_t> strides;
    void make()
    {
        size_t count = 1;
        strides.resize(extents.size() + 1);
        for (size_t k = extents.size(); k-- > 0;) {
            strides[k] = (ptrdiff_t)count;
            count *= (size_t)extents[k];
        }
        samples.resize(count);
    }
    bool read(const char *path)
    {
        std::FILE *file = std::fopen(path, "rb");
        const size_t got = file ? std::fread(samples.data(), sizeof(T), samples.size(), file) : 0;
        if (file)
            std::fclose(file);
        return got == samples.size();
    }
};

int main(int count, char **words)
{
    int word = 1, status;
    (void)words;
"""


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    print(TOP % facts, end="")
    images = facts["inputs"] + facts["outputs"]
    for i, image in enumerate(images):
        print("    image<%s> image_%d; // %s" % (image["c_type"], i, image["name"]))
        print("    image_%d.extents.resize(%d);" % (i, len(image["axes"])))
    for i, image in enumerate(facts["inputs"]):
        for k, axis in enumerate(image["axes"]):
            print("    image_%d.extents[%d] = std::atoi(words[word++]); // %s" % (i, k, axis["name"]))
        print('    image_%d.make();\n    if (!image_%d.read("%s.raw"))\n        return 2;' % (i, i, image["name"]))
    for i, parameter in enumerate(facts["parameters"]):
        read = "atof" if parameter["type"][0] == "f" else "atoll"
        print("    const %s parameter_%d = (%s)std::%s(words[word++]); // %s" % (
            parameter["c_type"], i, parameter["c_type"], read, parameter["argument"]))
    of = ["image_%d.%s" % (i, "%s") for i in range(len(images))]
    print("    if (word != count)\n        return 2;")
    for i in range(len(facts["inputs"]), len(images)):
        print("    image_%d.strides.resize(image_%d.extents.size() + 1);" % (i, i))
    print("    const void *parameters[] = {%s};" % ", ".join(
        ["&parameter_%d" % i for i in range(len(facts["parameters"]))] or ["nullptr"]))
    print("    int32_t *const extents[] = {%s};" % ", ".join(o % "extents.data()" for o in of))
    print("    struct flt_arguments given = {};\n    given.size = sizeof given;\n    given.parameters = parameters;")
    print("    given.extents = extents;\n    given.threads = 1;")
    for call in ("FLT_EXTENTS", "FLT_RUN"):
        if call == "FLT_RUN":
            for i in range(len(facts["inputs"]), len(images)):
                print("    image_%d.make();" % i)
        print("    {\n        void *const data[] = {%s};" % ", ".join(o % "samples.data()" for o in of))
        print("        const ptrdiff_t *const strides[] = {%s};" % ", ".join(o % "strides.data()" for o in of))
        print("        given.data = data;\n        given.strides = strides;")
        print("        status = %s_call(%s, &given);\n        if (status)\n            return 1;\n    }" % (facts["symbol"], call))
    for i in range(len(facts["inputs"]), len(images)):
        print('    image<%s> wanted_%d;\n    wanted_%d.extents = image_%d.extents;\n    wanted_%d.make();' % (
            images[i]["c_type"], i, i, i, i))
        print('    if (!wanted_%d.read("%s.raw") || wanted_%d.samples != image_%d.samples)\n        return 3;' % (
            i, images[i]["name"], i, i))
    print("    return 0;\n}")


main()
