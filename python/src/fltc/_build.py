"""Programs to shared libraries: fltc, then the C compiler; kept in a cache under the hash of what they are made from."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import threading

import numpy as np

from ._errors import CompileError

_FLAGS = ["-fopenmp", "-fPIC", "-w"]


def find_fltc() -> str:
    """The compiler: $FLTC, else fltc in the PATH."""
    path = os.environ.get("FLTC") or shutil.which("fltc")
    if not path:
        raise FileNotFoundError("there is no fltc in the PATH; install it, or name it: FLTC=/path/fltc")
    return path


def _find_cc() -> list[str]:
    words = shlex.split(os.environ.get("CC", "cc"))
    if not words or not shutil.which(words[0]):
        raise FileNotFoundError("there is no C compiler; install gcc, or name one: CC=clang")
    return words


def _cache() -> str:
    """A folder of one's own."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = os.path.join(root, "fltc", "python")
    os.makedirs(path, mode=0o700, exist_ok=True)
    found = os.stat(path)
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PermissionError("others may write to '%s': code from there is not run" % path)
    return path


def _messages(output: str) -> list[dict]:
    lines = [line for line in output.splitlines() if line.startswith("{")]
    return [message for message in map(json.loads, lines) if message.get("severity") == "error"]


def _refusal(output: str, source: str, text: str | None) -> CompileError:
    """What fltc printed, as an exception that shows its place."""
    errors = _messages(output)
    lines = text.splitlines() if text is not None else None
    if lines is None and os.path.exists(source):
        with open(source, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    first: dict = errors[0] if errors else {"message": output.strip() or "fltc failed", "spans": []}
    helps = "".join("; " + entry["message"] for entry in first.get("helps", [])[:1])
    return CompileError(first["message"] + helps, errors, lines)


def interpret(source: str, text: str | None, options: list[str], images: dict[str, np.ndarray], results: list[str]) -> list[np.ndarray]:
    """The results by the definition of the language, from files in NumPy's format."""
    with tempfile.TemporaryDirectory(prefix="fltc_") as folder:
        command = [find_fltc(), "interpret", "--diagnostics", "json", *options, source]
        for name, image in images.items():
            path = os.path.join(folder, "in_%d.npy" % len(command))
            np.save(path, image)
            command.append(name + "=" + path)
        paths = [os.path.join(folder, "out_%d.npy" % number) for number in range(len(results))]
        for name, path in zip(results, paths):
            command += ["-o", name + "=" + path]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise _refusal(done.stderr, source, text)
        return [np.load(path) for path in paths]


def emit(source: str, text: str | None, options: list[str], folder: str) -> str:
    """Writes the filter's C, header and interface into the folder.

    Parameters
    ----------
    source : str
        The program's file, or "-".
    text : str or None
        The program, where the source is "-".

    Returns
    -------
    str
        The stem of the files' names.
    """
    command = [find_fltc(), "emit", "--interface", "--diagnostics", "json", *options, source, "-o", folder + "/"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise _refusal(done.stderr, source, text)
    return next(name[: -len(".json")] for name in os.listdir(folder) if name.endswith(".json"))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


_RUNNING: set[subprocess.Popen] = set()  # C compilers
_LATER: set[threading.Thread] = set()  # which compile beside calls
_ENDING = threading.Event()


@atexit.register
def _end_compilers() -> None:
    """A process that ends waits for no compiler, and leaves none of its files."""
    _ENDING.set()
    for compiler in list(_RUNNING):
        compiler.kill()
    for thread in list(_LATER):
        thread.join(5)


def later(work, *arguments) -> threading.Thread:
    """A thread that works until it is done or the process ends."""

    def run() -> None:
        try:
            work(*arguments)
        finally:
            _LATER.discard(thread)

    thread = threading.Thread(target=run, daemon=True)
    _LATER.add(thread)
    thread.start()
    return thread


def _run_cc(words: list[str]) -> None:
    if _ENDING.is_set():
        raise CompileError("the process ends")
    with subprocess.Popen([*_find_cc(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as compiler:
        _RUNNING.add(compiler)
        try:
            _, errors = compiler.communicate()
        finally:
            _RUNNING.discard(compiler)
    if compiler.returncode:
        raise CompileError("the C compiler fails: " + errors.strip()[:500])


def _compile(folder: str, stem: str, files: list[str], flags: list[str], level: str, target: str) -> None:
    """The level is that of the whole; boxes, where they are emitted, have the highest."""
    with open(os.path.join(folder, stem + ".json"), encoding="utf-8") as file:
        libraries = ["-l" + name for name in json.load(file)["libraries"]]
    whole, boxes, made = [os.path.join(folder, name) for name in (stem + ".o", stem + "_box.c", "filter.so")]
    _run_cc([level, *_FLAGS, *flags, "-c", os.path.join(folder, stem + ".c"), "-o", whole])
    sources = [boxes] if os.path.exists(boxes) else []
    _run_cc([levels()[-1], *_FLAGS, "-shared", "-Wl,-Bsymbolic", whole, *sources, *files, *flags, *libraries, "-lm", "-o", made])
    replace(target, _read(made))


def _headers(folder: str, stem: str, source: str) -> list[str]:
    """Those of functions in C, beside the program."""
    with open(os.path.join(folder, stem + ".json"), encoding="utf-8") as file:
        names = json.load(file)["headers"]
    paths = [os.path.join(os.path.dirname(os.path.abspath(source)), name) for name in names]
    return [path for path in paths if os.path.exists(path)]


def replace(path: str, content: bytes) -> None:
    """Writes the whole file, or leaves what was there: whoever has that open keeps it."""
    descriptor, part = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(part, 0o700)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def levels() -> list[str]:
    """How the C compiler optimises, first and later: $FLTC_LEVELS, "-O1 -O3"."""
    return os.environ.get("FLTC_LEVELS", "-O1 -O3").split() or ["-O3"]


def build(source: str, text: str | None, options: list[str], with_files: list[str], wanted: list[str]) -> tuple[str, str]:
    """The path of the filter's shared library, and its level.

    Parameters
    ----------
    wanted : list of str
        How the C compiler is to optimise the functions over whole images: the library of the last of these levels that the cache has,
        else that of the first one, which is compiled.
    """
    with tempfile.TemporaryDirectory(prefix="fltc_") as folder:
        stem = emit(source, text, options, folder)
        flags = ["-I" + (os.path.dirname(os.path.abspath(source)) or ".")] if source != "-" else []
        emitted = [os.path.join(folder, stem + ending) for ending in (".c", ".h", "_box.c", "_box.h")]
        content = [_read(path) for path in emitted if os.path.exists(path)]
        content += [_read(path) for path in _headers(folder, stem, source)]
        content += [_read(path) for path in with_files]

        def target_of(level: str) -> str:
            parts = content + [" ".join([*_find_cc(), level, *flags, *with_files]).encode()]
            key = hashlib.sha256(b"".join(b"%d\n%s" % (len(part), part) for part in parts)).hexdigest()
            return os.path.join(_cache(), key + ".so")

        for level in reversed(wanted):
            if os.path.exists(target_of(level)):
                return target_of(level), level
        _compile(folder, stem, with_files, flags, wanted[0], target_of(wanted[0]))
        return target_of(wanted[0]), wanted[0]
