"""Programs, compiled for the types of images; and libraries in their place."""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
import weakref

import numpy as np

from ._build import build, emit, interpret, later, levels
from ._errors import CompileError
from ._interface import Interface, read_interface
from ._library import Library


class Program:
    """A program and how it is compiled: once for the types of its type variables, of which there may be none."""

    def __init__(self, source: str, text: str | None, options: list[str], with_files: list[str]):
        self.source, self.text, self.options, self.with_files = source, text, options, with_files
        self._libraries: dict[tuple, Library] = {}
        self._lock = threading.Lock()
        self._later: list[threading.Thread] = []  # which compile faster code
        self._listeners: list[weakref.ref] = []
        self._varying: list[set[int]] = []  # by type variable: the inputs whose type it is
        self.variables: dict[str, list[str]] = {}  # and the types that it may be
        try:
            self.interface = self.library(()).interface
        except CompileError as error:
            if not _wanted_type(error):
                raise
            self.interface = self._learn(error)

    def _emit(self, types: dict[str, str]) -> Interface:
        with tempfile.TemporaryDirectory(prefix="fltc_") as folder:
            options = self.options + ["--type=%s=%s" % item for item in types.items()]
            stem = emit(self.source, self.text, options, folder)
            with open(os.path.join(folder, stem + ".json"), encoding="utf-8") as file:
                return read_interface(file.read())

    def _learn(self, error: CompileError) -> Interface:
        """Which inputs have a type variable: those whose type changes with it."""
        types: dict[str, str] = {}
        interface = None
        while interface is None:
            try:
                interface = self._emit(types)
            except CompileError as next_error:
                wanted = _wanted_type(next_error)
                if not wanted or wanted[0] in types:
                    raise
                types[wanted[0]] = wanted[1]
        self.variables = interface.json["types"]
        for name, allowed in self.variables.items():
            other = self._emit({**types, name: next((t for t in allowed if t != types[name]), types[name])})
            changed = {i for i, pair in enumerate(zip(interface.inputs, other.inputs)) if pair[0].type != pair[1].type}
            self._varying.append(changed or set(range(len(interface.inputs))))
        return interface

    def library_for(self, arrays, boxes: bool = False) -> Library:
        """That for the types of the inputs.

        Parameters
        ----------
        arrays : sequence of array_like
            The inputs, or what has their dtypes.
        boxes : bool
            Whether it is to compute parts of the results.
        """
        types = []
        for (name, allowed), inputs in zip(self.variables.items(), self._varying):
            given = _type_of(arrays[min(inputs)].dtype)
            if given not in allowed:
                image = self.interface.inputs[min(inputs)].name
                raise TypeError(
                    "'%s' has samples of type %s; %s, its type, may be %s"
                    % (image, arrays[min(inputs)].dtype, name, ", ".join(allowed))
                )
            types.append((name, given))
        return self.library(tuple(types), boxes)

    def library(self, types: tuple, boxes: bool = False) -> Library:
        """Compiled when it is first asked for; threads wait for the one that compiles.

        What a C compiler makes in a short time comes first, and what it makes in a longer one takes its place: the samples are the
        same. One with boxes runs these alone: the compiler need not take long over the rest.
        """
        if (types, boxes) not in self._libraries:
            with self._lock:
                if (types, boxes) not in self._libraries:
                    path, level = self._built(types, boxes, levels()[:1] if boxes else levels())
                    self._libraries[types, boxes] = Library(path)
                    if level != levels()[-1] and not boxes:
                        self._later.append(later(self._improve, types))
        return self._libraries[types, boxes]

    def _improve(self, types: tuple) -> None:
        try:
            library = Library(self._built(types, False, levels()[-1:])[0])
        except (CompileError, OSError, ValueError):
            return  # the process ends, or the disk is full: what there is serves
        self._libraries[types, False] = library
        for listener in [reference() for reference in self._listeners]:
            if listener is not None and not self.variables:
                listener._take(library)

    def interpret(self, options: list[str], images: dict, results: list[str]) -> list[np.ndarray]:
        return interpret(self.source, self.text, self.options + options, images, results)

    def listen(self, listener) -> None:
        """`listener._take` is called with the library that replaces another."""
        self._listeners.append(weakref.ref(listener))

    def wait(self) -> None:
        """Until there is no faster code to come."""
        for thread in self._later:
            thread.join()

    def path(self, boxes: bool) -> str:
        """A library for all calls, as fast as there is."""
        return self._built((), boxes, levels()[-1:])[0]

    def _built(self, types: tuple, boxes: bool, wanted: list[str]) -> tuple[str, str]:
        options = self.options + ["--type=%s=%s" % item for item in types] + ["--boxes"] * boxes
        try:
            return build(self.source, self.text, options, self.with_files, wanted)
        except CompileError as error:
            if boxes and error.diagnostics and error.diagnostics[0]["code"] == "E0903":
                message = error.diagnostics[0]["message"]
                raise TypeError(message.replace("cannot be emitted for boxes", "has no boxes")) from None
            raise


class Loaded:
    """A library in the place of a program."""

    variables: dict[str, list[str]] = {}

    def __init__(self, library: Library):
        self.interface = library.interface
        self._library = library

    def library_for(self, arrays, boxes: bool = False) -> Library:
        if boxes and "run_box" not in self.interface.json["calls"]:
            raise TypeError("'%s' was saved without boxes; write save(path, boxes=True)" % self.interface.name)
        return self._library

    def path(self, boxes: bool) -> str:
        return self.library_for([], boxes).path

    def listen(self, listener) -> None:
        """Nothing takes its place."""

    def wait(self) -> None:
        """There is nothing to wait for."""


def _wanted_type(error: CompileError) -> tuple[str, str] | None:
    """The type variable that has no type, and one that it may have."""
    first = error.diagnostics[0] if error.diagnostics else {}
    helps = " ".join(entry["message"] for entry in first.get("helps", []))
    found = re.search(r"--type (\w+)=(\w+)", helps) if first.get("code") == "E0326" else None
    return (found.group(1), found.group(2)) if found else None


def _type_of(dtype: np.dtype) -> str:
    """f32 of float32, in the words of the language."""
    kind = {"f": "f", "u": "u", "i": "i", "c": "c"}.get(dtype.kind)
    return "bool" if dtype.kind == "b" else (kind or "?") + str(8 * dtype.itemsize // (2 if kind == "c" else 1))
