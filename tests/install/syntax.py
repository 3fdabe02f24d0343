"""Syntax files under a prefix: every word of the tables has one class in each, and programs are cut into the
same words. Prints 'all words are found', or what is wrong."""
import json
import pathlib
import re
import sys

prefix = pathlib.Path(sys.argv[1])
root = pathlib.Path(__file__).resolve().parents[2]
faults = []


def rows(path, macro):
    """First texts in quotes of the rows of a table."""
    text = (root / path).read_text()
    return [re.search(r'"([^"]*)"', row)[1] for row in re.findall(rf"^{macro}\(.*\)", text, re.M)]


elementary = re.findall(r"^ELEMENTARY\(\w+, (\w+)", (root / "compiler/elementary/elementary.def").read_text(), re.M)
wanted = [  # class in vim, scope in TextMate, words; a word in two tables is of the first
    ("fltKeyword", "keyword.control.flt", rows("grammar/keywords.def", "KEYWORD")),
    ("fltType", "storage.type.flt",
     ["image"] + [t for t in rows("compiler/expr/scalar.def", "SCALAR") if " " not in t]),
    ("fltFunction", "support.function.flt",
     rows("compiler/frontend/functions.def", "FUNCTION") + rows("compiler/frontend/functions.def", "LATER")
     + rows("compiler/frontend/axes_functions.def", "AXES_FUNCTION") + elementary + ["convolve", "transform"]
     + rows("compiler/frontend/transform_functions.def", "TRANSFORM_FUNCTION")
     + rows("compiler/expr/reductions.def", "REDUCTION")),
    ("fltBorder", "constant.language.border.flt", rows("compiler/frontend/border_names.def", "BORDER_NAME")),
]

vim = (prefix / "share/vim/vimfiles/syntax/flt.vim").read_text()
vim_class = {}
for group, words in re.findall(r"^syntax keyword (\w+) (.*)$", vim, re.M):
    for word in words.split():
        if word in vim_class:
            faults.append(f"vim: '{word}' twice")
        vim_class[word] = group

textmate = json.loads((prefix / "share/fltc/vscode/flt.tmLanguage.json").read_text())
package = json.loads((prefix / "share/fltc/vscode/package.json").read_text())
json.loads((prefix / "share/fltc/vscode/language-configuration.json").read_text())
if package["contributes"]["grammars"][0]["scopeName"] != textmate["scopeName"]:
    faults.append("VS Code: package and grammar have different scopes")


def scope_of(text):
    """What TextMate takes the beginning of a text for: the longest-standing pattern that matches there."""
    for pattern in textmate["patterns"]:
        match = re.compile(pattern.get("match") or pattern["begin"]).match(text)
        if match:
            return (pattern.get("name") or pattern["captures"]["1"]["name"]), match[0]
    return None, None


seen = set()
for group, scope, words in wanted:
    if not words:
        faults.append(f"no words of {group}")
    for word in words:
        if word in seen:
            continue
        seen.add(word)
        if vim_class.get(word) != group:
            faults.append(f"vim: '{word}' is {vim_class.get(word)}, not {group}")
        if scope_of(word + " ") != (scope, word):
            faults.append(f"TextMate: '{word}' is {scope_of(word + ' ')}, not {scope}")
        if scope_of(word + "s ")[0] is not None and word + "s" not in sum((w for _, _, w in wanted), []):
            faults.append(f"TextMate: '{word}s' is taken for a word")
for word in set(vim_class) - seen:
    faults.append(f"vim: '{word}' is in no table")

for text, scope, part in [
        ("// a filter\n", "comment.line.double-slash.flt", "// a filter"),
        ("0x1F;", "constant.numeric.flt", "0x1F"),
        ("1.5e-3;", "constant.numeric.flt", "1.5e-3"),
        (".5;", "constant.numeric.flt", ".5"),
        ("1 .. 9", "constant.numeric.flt", "1"),
        ("filter blur(", "keyword.control.flt", "filter blur"),
        ("blur(", None, None)]:
    if scope_of(text) != (scope, part):
        faults.append(f"TextMate: {text!r} is {scope_of(text)}")
print("\n".join(faults) if faults else "all words are found")
