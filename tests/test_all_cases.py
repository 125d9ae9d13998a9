"""All shared cases and all hostile solutions in one class, an honest student after each."""

import json
import re

import pytest
from conftest import LESSON, NEEDS_CASES
from shared_cases import made_cases
from test_class_run import grade, receipt, rows, start
from test_grading import _cases, _code
from test_lms import collect

from autograder.roster import read_roster
from autograder.sample_class import RIGHT, Answer

pytestmark = [NEEDS_CASES, pytest.mark.slow]

FULL, HANGS = 15, -1  # HANGS: what is left when the calls with two queries and no mask hang
# case: (points, words on the page); a case stands for all that begin like it
NOTEBOOKS = {
    "B01": (FULL, "appears 2 times"),
    "B02": (FULL, "another editor removed them"),
    "B04/equal_to_everything": (0, "an object of type `Yes`"),
    "B04/float_subclass": (0, "an object of type `Nice`"),
    "B04/looks_up_the_examples": (5, ""),
    "B06/fast_growth": (HANGS, "used too much memory"),
    "B06/slow_growth": (HANGS, "and was stopped. Look for a"),  # the machine's speed says which limit comes first
    "B06/plain_endless_loop": (0, "took too long"),
    "B06/ignores_interrupt": (0, "took too long"),
    "B06/endless_recursion": (0, "RecursionError"),
    "B06/returns_endless_rows": (0, "returned a generator"),
    "B09/renamed": (FULL, ""),
    "B09/canvas": (FULL, ""),
    "B09/moodle-s12": (0, ""),
    "B09/moodle": (FULL, ""),
    "B11/flattened": (0, "a flat list of 4 numbers. Expected: a list of 2 rows with 2 numbers"),
    "B11/strings": (0, "a list that holds a string"),
    "B11/bools": (0, "a list that holds True or False"),
    "B11/nan_row": (0, "nan (not a number)"),
    "B11/prints_not_returns": (0, "returned None, so there is no answer to compare. It printed instead"),
    "B11/generator": (0, "returned a generator"),
    "B11/np_matrix": (4, "a list of numpy matrices"),  # four examples have one query or none of its matrices
    "B11": (FULL, ""),
    "B13/prints_a_fake_pass": (0, "All tests passed 5/5"),
    "B13": (FULL, ""),
}


def _notebooks(folder):
    """Yield the name and the text of every shared notebook, also of those in downloads."""
    top = made_cases()
    for path in sorted(top.rglob("*.ipynb")):
        name = path.relative_to(top)
        if name.parts[0] != "_base":
            yield str(name if name.parts[1] == "renamed" else name.parent), path.read_text("utf-8")
    students = read_roster((top / "B09" / "roster.csv").read_bytes())
    for platform in ("canvas", "moodle"):
        packed, place = top / "B09" / f"{platform}_submissions.zip", folder / platform
        place.mkdir()
        for (student, name), path in collect(place, {packed.name: packed.read_bytes()}, students)[0].items():
            if name == "attention.ipynb":
                yield f"B09/{platform}-{student}", path.read_text("utf-8")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Grade all: (the course root, the case of each student, the files before)."""
    cases = dict(_notebooks(tmp_path_factory.mktemp("downloads")))
    cases |= {entry["file"]: Answer(_code(entry)) for entry in _cases("hostile")}
    names, answers = {}, {}
    for number, (case, answer) in enumerate(cases.items()):
        student = f"{number:03}-{re.sub(r'[^a-z0-9]+', '-', case.lower())}"
        names[student], answers[student], answers[f"{number:03}-honest"] = case, answer, Answer(RIGHT)
    this = start(tmp_path_factory.mktemp("all"), answers)
    for place in ("", "source", "submitted", f"submitted/{student}/{LESSON}"):
        (this.course / place / "victim.txt").write_text("mine", encoding="utf-8")
    before = _files(this)
    grade(this)
    return this, names, before


def _files(this):
    """Return the files that no run writes."""
    ours = ("autograded", "feedback", "receipts", "gradebook.db", ".autograder.lock")
    paths = (path for path in this.course.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in paths if path.relative_to(this.course).parts[0] not in ours}


def _page(this, student):
    return (this.course / "feedback" / student / LESSON / "attention.html").read_text("utf-8")


def _plain(page):
    """Return a page's text without the marks of code."""
    return re.sub(r"</?(code|strong|em|span)[^>]*>", "`", page).replace("&#39;", "'")


def test_honest_students_have_full_marks(played):
    """Whoever was graded before and after them, honest students have 15 points, and each a page and a notebook."""
    this, names, _ = played
    honest = {student: entry for student, entry in receipt(this).items() if student not in names}

    assert len(honest) == len(names)
    assert {entry["points"] for entry in honest.values()} == {FULL}
    assert {row[2] for row in rows(this) if row[0] in honest} == {5, 10}
    assert all("15 of 15 points" in _page(this, student) for student in honest)
    assert all(this.notebook("autograded", student).is_file() for student in honest)


def test_nobody_is_left_out(played):
    """Every case has its entry in the receipt, its two rows, its page of less than 1 MB and its notebook."""
    this, names, _ = played

    assert {entry["status"] for entry in receipt(this).values()} == {"graded", "mended and graded"}
    assert receipt(this).keys() > names.keys()
    assert len(rows(this)) == 2 * len(receipt(this))
    for student in names:
        assert len(_page(this, student)) < 1_000_000
        assert this.notebook("autograded", student).stat().st_size < 1_000_000


def _hangs(call):
    queries, *_, causal = call.arguments
    return len(queries) > 1 and not causal


def _left(lesson):
    """Return the points of the examples and groups of which no call hangs."""
    examples = sum(not _hangs(call) for call in lesson.example_calls)
    return examples + sum(group.points for group in lesson.groups if not any(map(_hangs, group.calls)))


def test_each_notebook_gives_what_its_readme_says(played, lesson):
    """Points and words of each shared notebook are those that its folder's README asks for."""
    this, names, _ = played
    found = receipt(this)
    used = set()
    for student, case in names.items():
        if case.startswith("B"):
            begins = next(begins for begins in NOTEBOOKS if case.startswith(begins))
            points, words = NOTEBOOKS[begins]
            used.add(begins)

            assert found[student]["points"] == (_left(lesson) if points == HANGS else points), case
            assert words.replace("`", "") in _plain(_page(this, student)).replace("`", ""), case
    assert used == NOTEBOOKS.keys()


def test_no_hostile_solution_earns_more_than_it_deserves(played, lesson):
    """A hostile solution gets full marks if it is right, otherwise none but for the examples it knows by heart."""
    this, names, _ = played
    entries = {entry["file"]: entry for entry in _cases("hostile")}
    found = receipt(this)
    hostile = {student: entries[case] for student, case in names.items() if case in entries}
    for student, entry in hostile.items():
        points = found[student]["points"]
        if entry["expected"].startswith("full"):
            assert points == FULL, entry["file"]
        elif entry["expected"].startswith("zero with"):
            assert points in {0, FULL}, entry["file"]
        else:
            knows = "worked examples" in entry["note"]
            assert points == (lesson.example_points if knows else 0), entry["file"]
    assert len(hostile) == len(entries) > 0


def test_nothing_else_was_touched(played):
    """No file of the course was deleted, changed or added by a submission."""
    this, _, before = played

    assert _files(this) == before


def test_nothing_hidden_is_handed_back(played, lesson):
    """No page and no notebook holds a hidden input, an expected answer, the author's check or anything that runs."""
    this, _, _ = played
    texts = [json.dumps(part) for call in lesson.hidden_calls for part in call.arguments[:3]]
    texts += [json.dumps(answer.flat) for answer in lesson.expected]
    shown = {json.dumps(part) for call in lesson.example_calls for part in call.arguments[:3]}
    secret = {text[5:45] for text in texts if len(text) > 60 and text not in shown}  # none that comes up by chance
    for place in ("feedback", "autograded"):
        for path in (this.course / place).rglob("attention.*"):
            text = path.read_text("utf-8")
            assert not [part for part in secret if part in text], path
            assert "BEGIN SOLUTION" not in text, path
            assert place == "autograded" or "hidden_points" not in text, (
                path
            )  # the instructor's copy has the locked cells
            for live in [text] if place == "feedback" else _rendered(json.loads(text)):
                assert "<script" not in live, path
    assert len(secret) > 20


def _rendered(notebook):
    """Return what Formgrader renders as HTML: all outputs, and text cells outside a fence."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield json.dumps(cell["outputs"])
        elif not cell["source"].startswith("```"):
            yield cell["source"]
