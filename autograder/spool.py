"""Keep results on disk until all are known: those of a large class would fill the memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from autograder.one import Graded


def keeping(results: Iterable[Graded], file: BinaryIO) -> Iterator[Graded]:
    """Yield the results, and write each into `file`.

    Raises:
        OSError: the disk is full.
    """
    for graded in results:
        pickle.dump(graded, file)
        yield graded


def kept(file: BinaryIO) -> Iterator[Graded]:
    """Yield what was written into `file`, in that order."""
    file.seek(0)
    while True:
        try:
            graded: Graded = pickle.load(file)  # noqa: S301  # we wrote it
        except EOFError:
            return
        yield graded
