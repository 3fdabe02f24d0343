"""What the package raises besides TypeError and ValueError for arguments that do not suit."""

from __future__ import annotations


class CompileError(SyntaxError):
    """A program that fltc refuses, or whose C the compiler does not take.

    Attributes
    ----------
    diagnostics : list of dict
        What ``fltc --diagnostics json`` prints, one for each message. ``filename``, ``lineno``, ``offset`` and ``text`` are those
        of the first one, so that Python shows its place.
    """

    def __init__(self, message: str, diagnostics: list[dict] | None = None, lines: list[str] | None = None):
        self.diagnostics, self._lines = diagnostics or [], lines
        spans = self.diagnostics[0]["spans"] if self.diagnostics else []
        if not spans:
            super().__init__(message)
            return
        start, end = spans[0]["start"], spans[0]["end"]
        text = lines[start["line"] - 1] if lines and start["line"] <= len(lines) else None
        super().__init__(
            message, (spans[0]["file"], start["line"], start["column"], text, end["line"], end["column"])
        )

    def __reduce__(self):
        return type(self), (self.msg, self.diagnostics, self._lines)


class FilterError(ValueError):
    """A call that the filter refuses: images of extents that it does not take, or no memory.

    Attributes
    ----------
    status : int
        What the function in C returned; ``Filter.interface.statuses`` has its name.
    """

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status

    def __reduce__(self):
        return type(self), (str(self), self.status)
