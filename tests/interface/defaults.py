"""The options that fix all parameters of an interface at their defaults, a line each; of those that have none nothing."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    for parameter in json.load(file)["parameters"]:
        value = parameter["default"]
        if value is None:
            continue
        if "choices" in parameter:
            value = parameter["choices"][value]
        elif isinstance(value, bool):
            value = str(value).lower()
        elif "fraction_bits" in parameter:
            value /= 2 ** parameter["fraction_bits"]
        print("--param=%s=%s" % (parameter["name"], value))
