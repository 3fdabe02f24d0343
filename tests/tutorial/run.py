"""Runs the blocks of the tutorial, see run.sh.

```flt   a program, the same as a file of doc/tutorial; each file is shown once, the picture's own excepted
```sh    commands, run one after another in a copy of doc/tutorial without its pictures
```text  what the commands before it say; those without one say nothing
![](f)   a picture that the commands have made, to the sample; of at most 100 kB
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import cv2
import numpy

UPDATE = bool(os.environ.get("UPDATE"))
document = pathlib.Path("doc/TUTORIAL.md")
folder = pathlib.Path("doc/tutorial")
passed, failed = 0, 0


def expect(what, good, seen=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAIL {what}\n{seen}")


text = document.read_text()
blocks = [(m[1], m[2], m.start(), m.end()) for m in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)]
kinds = [kind for kind, *_ in blocks]
expect("kinds of blocks", set(kinds) == {"flt", "sh", "text"}, set(kinds))

programs = {path.read_text(): path.name for path in folder.glob("*.flt")}
shown = []
for kind, body, start, _ in blocks:
    if kind == "flt":
        line = text.count("\n", 0, start) + 1
        expect(f"line {line}: a program of {folder}", body in programs)
        shown.append(programs.get(body))
expect("every program is shown once", sorted(filter(None, shown)) == sorted(set(programs.values()) - {"picture.flt"}))

with tempfile.TemporaryDirectory() as scratch:
    work = pathlib.Path(scratch)
    for path in folder.glob("*.flt"):
        shutil.copy(path, work)
    says = {}  # the index of a block of commands
    for index, (kind, body, start, _) in enumerate(blocks):
        if kind == "sh":
            run = subprocess.run(["sh", "-c", body], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            says[index] = run.stdout
    changed = text
    for index, said in says.items():
        has_text = index + 1 < len(blocks) and kinds[index + 1] == "text"
        wanted = blocks[index + 1][1] if has_text else ""
        line = text.count("\n", 0, blocks[index][2]) + 1
        if UPDATE and has_text:
            changed = changed.replace(f"```text\n{wanted}```", f"```text\n{said}```", 1)
        else:
            expect(f"line {line}: what the commands say", said == wanted, said)
    if changed != text:
        document.write_text(changed)

    pictures = [pathlib.Path(name).name for name in re.findall(r"!\[[^]]+\]\(tutorial/(\S+)\)", text)]
    expect("there is a picture for each step", len(pictures) == len(re.findall(r"^## \d", text, re.M)) + 1)
    if UPDATE:
        for name in pictures:
            shutil.copy(work / name, folder)
    expect("all pictures are shown", sorted(pictures) == sorted(p.name for p in folder.glob("*.png")))
    for name in pictures:
        there = cv2.imread(str(folder / name), cv2.IMREAD_UNCHANGED)
        made = cv2.imread(str(work / name), cv2.IMREAD_UNCHANGED)
        expect(f"{name} is what the command makes", made is not None and numpy.array_equal(there, made))
        expect(f"{name} is small", (folder / name).stat().st_size <= 100_000)

print(f"tutorial: {passed} passed, {failed} failed")
raise SystemExit(failed > 0)
