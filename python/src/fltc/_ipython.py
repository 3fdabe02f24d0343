"""Filters in cells of a notebook: %load_ext fltc, then %%flt."""

from __future__ import annotations

from ._filter import Filter, filter as compiled


def register(shell) -> None:
    """The magic %%flt of an IPython shell."""

    def flt(line: str, cell: str) -> Filter:
        """%%flt [NAME]: compiles the program of the cell and gives its filter to the notebook, under the filter's name.

        NAME chooses one filter of several. Mistakes are shown with their place in the cell.
        """
        made = compiled(cell if cell.endswith("\n") else cell + "\n", line.strip() or None)
        shell.user_ns[made.interface.name] = made
        return made

    shell.register_magic_function(flt, "cell", "flt")
