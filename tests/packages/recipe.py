"""recipe.py FOLDER KEY...: an entry of the recipe for conda in FOLDER, meta.yaml, as conda-build renders it; of a list a line each."""

import os
import re
import sys

import jinja2
import yaml

folder, keys = sys.argv[1], sys.argv[2:]


def load_file_regex(load_file, regex_pattern, from_recipe_dir):
    assert from_recipe_dir
    with open(os.path.join(folder, load_file), encoding="utf-8") as file:
        return re.search(regex_pattern, file.read())


with open(os.path.join(folder, "meta.yaml"), encoding="utf-8") as file:
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(file.read())
entry = yaml.safe_load(template.render(load_file_regex=load_file_regex, compiler=lambda language: language + "-compiler"))
for key in keys:
    entry = entry[key]
print("\n".join(map(str, entry)) if isinstance(entry, list) else entry)
