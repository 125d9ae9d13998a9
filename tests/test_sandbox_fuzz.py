"""What comes from outside is read whatever it is: any bytes of a child, any JSON of a student."""

import json
import math
from array import array

import pytest
from conftest import LESSON
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.sandbox import Cell, answers
from autograder.sandbox.parse import Answers
from autograder.sandbox.wire import (
    AXIS,
    COUNT,
    MARK,
    MAX_AXES,
    MAX_CELL_ERRORS,
    MAX_ERROR_NAME,
    MAX_MESSAGE,
    MAX_WHAT,
    PLACE,
    RECORD,
    STOP_WORDS,
    TEXT,
    UNUSABLE_KINDS,
    Tag,
)
from autograder.sandbox.work import Start
from course.outcomes import Answered, NoFunction, Raised, Stopped
from course.reading import UnreadableError, read_notebook
from course.submission import read_submission
from course.values import MAX_NUMBERS, Numbers, Unusable

pytestmark = pytest.mark.slow

CALLS = 3
CELLS = (Cell(1, "x = 1\r\ny = 2"), Cell(4, "def solve(x):\n    return x\n"))
MAX_CODE = 200
MANY = settings(max_examples=300, deadline=None)

SMALL = st.integers(0, 255)
INT32 = st.integers(-(1 << 31), (1 << 31) - 1)
NUMBER_OF_CALL = st.integers(-2, CALLS + 1) | INT32
TAGS = st.sampled_from([int(tag) for tag in Tag]) | SMALL
AXES = st.integers(0, 4) | st.sampled_from([MAX_NUMBERS, MAX_NUMBERS + 1, 1 << 32, (1 << 64) - 1])
LETTERS = st.text(max_size=20) | st.integers(0, 3000).map("x".__mul__)


def text(words):
    """Write text as the child does, but of any length."""
    data = words.encode("utf-8", "surrogatepass")
    return TEXT.pack(len(data)) + data


def record(number, tag, payload):
    """Write one record."""
    return RECORD.pack(number, tag, len(payload)) + payload


def numbers(flags, shape, flat):
    """Write numbers, whose shape need not fit."""
    axes = b"".join(map(AXIS.pack, shape))
    return COUNT.pack(flags) + COUNT.pack(len(shape)) + axes + array("d", flat).tobytes()


def error(cell, line, name, message):
    """Write an error at a place that need not exist."""
    return PLACE.pack(cell, line) + text(name) + text(message)


PAYLOADS = st.one_of(
    st.binary(max_size=60),
    st.builds(numbers, SMALL, st.lists(AXES, max_size=20), st.lists(st.floats(), max_size=12)),
    st.builds(lambda flags, kind, what: COUNT.pack(flags) + COUNT.pack(kind) + text(what), SMALL, SMALL, LETTERS),
    st.builds(error, INT32 | st.integers(0, 5), INT32 | st.integers(0, 3), LETTERS, LETTERS),
    LETTERS.map(text),
)
RECORDS = st.builds(record, NUMBER_OF_CALL, TAGS, PAYLOADS)

FLOATS = st.lists(st.floats(allow_nan=False), max_size=6)
# A record that is as it should be, and what it says.
SAID = st.one_of(
    FLOATS.map(lambda flat: (numbers(0, [len(flat)], flat), Tag.NUMBERS, Answered(Numbers((len(flat),), tuple(flat))))),
    st.sampled_from(UNUSABLE_KINDS).map(
        lambda kind: (
            COUNT.pack(0) + COUNT.pack(UNUSABLE_KINDS.index(kind)) + text("a thing"),
            Tag.UNUSABLE,
            Answered(Unusable(kind, "a thing")),
        )
    ),
    st.sampled_from(STOP_WORDS).map(
        lambda word: (COUNT.pack(STOP_WORDS.index(word)), Tag.STOPPED, Stopped(word)),
    ),
    st.just((error(4, 2, "E", "no"), Tag.ERROR, Raised("E", "no", 4, 2, "return x"))),
)


def read(*parts):
    """Read the output of one or several children of a submission."""
    found = Answers.of(CALLS, CELLS)
    for data in parts:
        found.read(data)
    return found


def assert_within_caps(found):
    """Hold every answer against the caps of the wire."""
    assert len(found.outcomes) == CALLS
    assert len(found.cell_errors) <= MAX_CELL_ERRORS
    if found.no_function is not None:
        assert isinstance(found.no_function, NoFunction)
        assert len(found.no_function.what) <= MAX_WHAT
    for outcome in (*found.outcomes, *found.cell_errors):
        assert outcome is None or isinstance(outcome, (Answered, Raised, Stopped))
        if isinstance(outcome, Raised):
            assert len(outcome.error) <= MAX_ERROR_NAME
            assert len(outcome.message) <= MAX_MESSAGE
            assert len(outcome.code) <= MAX_CODE
        if isinstance(outcome, Answered):
            assert_answer_within_caps(outcome.value)


def assert_answer_within_caps(value):
    """Hold one value against the caps."""
    if isinstance(value, Unusable):
        assert value.kind in UNUSABLE_KINDS
        assert len(value.what) <= MAX_WHAT
        return
    assert isinstance(value, Numbers)
    assert len(value.shape) <= MAX_AXES
    assert len(value.flat) == math.prod(value.shape) <= MAX_NUMBERS
    assert all(type(number) is float for number in value.flat)


@MANY
@given(st.binary(max_size=400))
def test_any_bytes_of_a_child_are_read(data):
    """Bytes without any order raise nothing and stay under every cap."""
    assert_within_caps(read(data))


@MANY
@given(st.lists(RECORDS, max_size=12))
def test_any_records_of_a_child_are_read(records):
    """Records with any tag, number, shape and length raise nothing and stay under every cap."""
    assert_within_caps(read(b"".join(records)))


@MANY
@given(st.lists(RECORDS, min_size=1, max_size=5), st.data())
def test_damaged_records_are_read(records, data):
    """Records with bytes changed, cut out or put in raise nothing and stay under every cap."""
    whole = b"".join(records)
    at = data.draw(st.integers(0, len(whole)))
    to = data.draw(st.integers(at, min(len(whole), at + 12)))
    assert_within_caps(read(whole[:at] + data.draw(st.binary(max_size=12)) + whole[to:]))


@MANY
@given(st.lists(st.tuples(st.integers(-1, CALLS), SAID), max_size=8), st.lists(RECORDS, max_size=4))
def test_the_first_record_of_a_call_wins(said, later):
    """What a child says of a call for the first time stands, whatever it, or the next child, says later."""
    expected = [None] * CALLS
    for number, (_, _, outcome) in said:
        if 0 <= number < CALLS and expected[number] is None:
            expected[number] = outcome
    data = b"".join(record(number, tag, payload) for number, (payload, tag, _) in said)
    assert read(data).outcomes == expected

    for found in (read(data + b"".join(later)), read(data, b"".join(later))):
        assert_within_caps(found)
        for first, now in zip(expected, found.outcomes, strict=True):
            assert first is None or now == first


def test_what_the_child_writes_is_what_is_read():
    """The writer beside student code and the reader agree."""
    data = answers.answer(0, [[1.0, 2.0]], changed=True, printed=False) + answers.stopped(2, "size")
    data += answers.answer(1, "words", changed=False, printed=True) + answers.loaded()
    found = read(data)

    assert found.loaded
    assert found.outcomes[0] == Answered(Numbers((1, 2), (1.0, 2.0)), changed_inputs=True)
    assert found.outcomes[1] == Answered(Unusable("type", "a string"), printed=True)
    assert found.outcomes[2] == Stopped("size")


FLOODS = {
    "empty records": record(0, 0, b"") * 400_000,
    "errors of cells": record(1, Tag.CELL_ERROR, error(1, 1, "E", "m" * 500)) * 8_000,
    "a length that lies": RECORD.pack(0, Tag.NUMBERS, 0xFFFFFFFF) + bytes(4 << 20),
    "a shape that lies": record(0, Tag.NUMBERS, numbers(0, [1 << 63] * MAX_AXES, []) + bytes(4 << 20)),
    "the most numbers": record(0, Tag.NUMBERS, numbers(0, [MAX_NUMBERS], [0.5] * MAX_NUMBERS)) * 2,
}


@pytest.mark.parametrize("data", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_cut_short(data):
    """A file as large as a child can make it is read up to a fixed number of records."""
    found = read(data)

    assert_within_caps(found)
    assert (found.outcomes[0] is not None) == (data is FLOODS["the most numbers"])


@given(st.binary(max_size=8), st.text(max_size=20))
def test_any_mark_says_only_whether_code_ran(marks, fault):
    """Whatever stands in the loading file, it means that student code ran; nothing there means that none did."""
    start = Start.read(marks, fault)

    assert start.started == bool(marks)
    assert isinstance(start.place, int)
    assert Start.read(MARK.pack(3), "").place == 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CODE = st.sampled_from(
    [
        "def solve(Q, K, V):\n    return Q",
        "    def solve(x):\n  return",
        "check(solve)",
        "from course import check",
        "%%time\n!ls",
        "```python\ndef solve(x): pass\n```",
        "\x00\ufeff",
        "(" * 300,
        "import helper",
    ]
)
MARKED = st.fixed_dictionaries(
    {},
    optional={
        "grade_id": st.sampled_from(["solve", "examples", "hidden", "check"]) | JSON,
        "solution": st.booleans() | JSON,
        "locked": JSON,
        "points": JSON,
        "cell_type": JSON,
    },
)
CELL_LIKE = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
        "source": CODE | st.lists(CODE | st.text(max_size=9), max_size=3) | JSON,
        "metadata": JSON | st.fixed_dictionaries({"nbgrader": MARKED | JSON}),
        "outputs": JSON,
        "id": JSON,
    },
)
NOTEBOOK_LIKE = st.fixed_dictionaries(
    {"cells": st.lists(CELL_LIKE | JSON, max_size=5) | JSON},
    optional={"nbformat": st.integers(2, 6) | JSON, "nbformat_minor": JSON, "metadata": JSON, "worksheets": JSON},
)
BESIDE = st.dictionaries(st.sampled_from(["helper.py", "solve.py", "../x.py", "a b.py"]), CODE | st.text(max_size=20))


@pytest.fixture(scope="module")
def locked(lesson):
    """What the locked cells of a real lesson hold."""
    assert lesson.id == LESSON
    return lesson.released


@settings(max_examples=250, deadline=None)
@given(value=NOTEBOOK_LIKE | JSON, beside=BESIDE)
def test_any_json_becomes_a_submission_or_one_sentence(locked, value, beside):
    """Any JSON is refused with a sentence, or becomes numbered cells of text with a sentence for each thing mended."""
    try:
        notebook = read_notebook(json.dumps(value).encode(), "attention.ipynb").notebook
    except UnreadableError as refused:
        assert refused.reason  # noqa: PT017
        return
    submission = read_submission(notebook, locked, beside)
    places = [cell.number for cell in submission.cells]

    assert places == sorted(set(places))
    assert all(0 <= place <= len(notebook["cells"]) for place in places)
    assert all(type(cell.source) is str for cell in submission.cells)
    assert all(type(note) is str and note for note in submission.notes)
