"""Define every byte layout that crosses a process border. Shared by the grader, the zygote and the child.

Only fixed structs and length-prefixed text travel from the child: nothing nests, nothing is unpickled.
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from typing import Final

from course.running import errors

# grader -> zygote, with the files of a job: CPU and wall seconds to load the cells, for one call, for all of it
JOB: Final = Struct("<6d")
JOB_FILES: Final = 5  # job, inputs, output, printed, loading
GATED_JOB_FILES: Final = 7  # and the gate, and the file into which the later inputs are put once it is passed

# through the gate, either way: nothing but that it is time
GATE: Final = b"."

# zygote -> grader at the start: the length of the JSON that says which layers are on
HELLO: Final = Struct("<I")

# zygote -> grader: wait status, why the child ended (`End`), wall seconds, CPU seconds, most memory in bytes
ENDING: Final = Struct("<iiddq")

# child -> grader, in the output file: number of the call (or cell), tag, length of the payload that follows
RECORD: Final = Struct("<iBI")
COUNT: Final = Struct("<B")
AXIS: Final = Struct("<Q")
PLACE: Final = Struct("<ii")
TEXT: Final = Struct("<H")
DOUBLE_BYTES: Final = 8

# child -> grader, in the loading file: first STARTED, before any student code, then the place of each cell that begins
MARK: Final = Struct("<i")
STARTED: Final = -1

# grader -> child, in the inputs file: whether the call is made twice, length of the marshalled arguments
INPUT: Final = Struct("<BI")

MAX_CELL_ERRORS: Final = errors.MAX_CELL_ERRORS
MAX_ERROR_NAME: Final = errors.MAX_ERROR_NAME
MAX_MESSAGE: Final = errors.MAX_MESSAGE
MAX_WHAT: Final = 200
MAX_AXES: Final = 16

# Room that the output file has above its stated size, so that "too large" can still be said.
OUTPUT_SLACK_BYTES: Final = 1 << 16


class End(IntEnum):
    """Say who ended the child."""

    ITSELF = 0
    CALL_LIMIT = 1
    LOAD_LIMIT = 2
    TOTAL_LIMIT = 3


class Tag(IntEnum):
    """Say what a record is."""

    LOADED = 1
    NUMBERS = 2
    UNUSABLE = 3
    ERROR = 4
    CELL_ERROR = 5
    STOPPED = 6
    NO_FUNCTION = 7


class Flag(IntEnum):
    """What the child noticed of an answered call. Advice only: student code can switch both off, and gains nothing."""

    CHANGED_INPUTS = 1
    PRINTED = 2


class Exit(IntEnum):
    """The child's own exit codes. Student code can use them too: that only loses its answers.

    So they mean a fault of ours only where no student code ran, which the loading file tells.
    """

    FINISHED = 77
    NO_CHANNEL = 78
    NO_MEMORY = 79
    NO_START = 80


STOP_WORDS: Final = ("memory", "exit", "size")
UNUSABLE_KINDS: Final = ("none", "type", "ragged", "size")
