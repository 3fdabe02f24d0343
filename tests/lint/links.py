#!/usr/bin/env python3
"""Which part of the compiler links which, by the symbols of its object files, against the list tests/lint/links.txt.

The list may only get shorter: a new arrow between folders, a file that joins a circle or one more object that the front end
links fails; so does a line of the list that no longer holds (UPDATE=1 drops it, and nothing else).
Usage: links.py BUILD LIST
"""
import os
import pathlib
import subprocess
import sys


def symbols(objects, option):
    """The symbols of each object: those that it defines or those that it needs."""
    lines = subprocess.run(["nm", "-A", option, *map(str, objects)], capture_output=True, text=True, check=True).stdout
    found = {object: set() for object in objects}
    for line in lines.splitlines():
        file, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        if kind in "UTDBRCVW":
            found[pathlib.Path(file)].add(name)
    return found


def needs_of(objects):
    home = {name: object for object, names in symbols(objects, "--defined-only").items() for name in names}
    return {object: {home[name] for name in names if name in home} - {object}
            for object, names in symbols(objects, "--undefined-only").items()}


def reached(needs, start):
    """The objects that are linked with those of `start`."""
    found, rest = set(start), list(start)
    while rest:
        new = needs[rest.pop()] - found
        found |= new
        rest.extend(new)
    return found


def circles(needs):
    """Sets of files that need one another, directly or not."""
    reach = {object: reached(needs, needs[object]) for object in needs}
    found = {frozenset(b for b in reach[a] if a in reach[b]) for a in needs if a in reach[a]}
    return sorted(found, key=lambda circle: (-len(circle), sorted(circle)))


def facts_of(build):
    root = build / "compiler"
    objects = sorted(object for object in root.rglob("*.o")
                     if pathlib.Path("compiler", object.relative_to(root)).with_suffix(".c").exists())
    needs = needs_of(objects)

    def folder(object):
        parts = object.relative_to(root).parts
        return parts[0] if len(parts) > 1 else "."

    lines = {f"{folder(a)} -> {folder(b)}" for a in objects for b in needs[a] if folder(a) != folder(b)}
    def name(object):
        return str(object.relative_to(root).with_suffix(""))

    lines |= {" ".join(["circle:", *sorted(map(name, circle))]) for circle in circles(needs)}
    front_end = reached(needs, [object for object in objects if folder(object) == "frontend"])
    lines |= {f"front end: {name(object)}" for object in front_end if folder(object) != "frontend"}
    return lines


def is_listed(line, listed):
    """Whether the list has the line, or a larger circle."""
    return line in listed or line.startswith("circle:") and any(
        set(line.split()) <= set(other.split()) for other in listed)


def main():
    build, path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    listed = set(path.read_text().splitlines())
    facts = facts_of(build)
    new = {line for line in facts if not is_listed(line, listed)}
    if os.environ.get("UPDATE"):
        listed = facts - new
        path.write_text("".join(f"{line}\n" for line in sorted(listed)))
    for line in sorted(new):
        print(f"{path}: new: {line}", file=sys.stderr)
    for line in sorted(listed - facts):
        print(f"{path}: no longer so (UPDATE=1 drops it): {line}", file=sys.stderr)
    return facts != listed


if __name__ == "__main__":
    sys.exit(main())
