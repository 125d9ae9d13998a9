"""Finding the work in `submitted/`: whatever it is called, every file accounted for, nothing outside the folder."""

import io
import os
import shutil
import zipfile

import pytest
from conftest import LESSON, NEEDS_CASES, points_of
from shared_cases import made_cases

from autograder.ids import is_safe_student
from autograder.submitted import find_strays, find_work
from course.reading import read_notebook

NOTEBOOK = b'{"cells": [{"cell_type": "code", "source": "def solve(x): return x"}], "nbformat": 4}'
NOTES = b'{"cells": [], "nbformat": 4}'


def zipped(name):
    """Make a zip that holds the notebook."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, NOTEBOOK)
    return packed.getvalue()


def hand_in(root, student, files):
    """Write a student's files; each is a second newer than the one before."""
    folder = root / "submitted" / student / LESSON
    folder.mkdir(parents=True)
    for seconds, (name, data) in enumerate(files.items(), start=1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (1_700_000_000 + seconds,) * 2)
    return folder


def find(root):
    """Find the one student's work."""
    (work,) = find_work(root, LESSON)
    return work


# situation: (files, the one that counts, words of a note or None)
FOUND = {
    "as released": ({"attention.ipynb": NOTEBOOK}, "attention.ipynb", None),
    "exact name before a newer copy": (
        {"attention.ipynb": NOTEBOOK, "attention (1).ipynb": NOTEBOOK},
        "attention.ipynb",
        "There were other notebooks, which were not: `attention (1).ipynb`",
    ),
    "upper case": ({"ATTENTION.ipynb": NOTEBOOK}, "ATTENTION.ipynb", "handed in as `ATTENTION.ipynb`"),
    "a browser's copy": ({"attention (1).ipynb": NOTEBOOK}, "attention (1).ipynb", "attention (1)"),
    "Colab's copy": ({"Copy of attention.ipynb": NOTEBOOK}, "Copy of attention.ipynb", "Copy of"),
    "a final version": ({"attention_ana_FINAL.ipynb": NOTEBOOK}, "attention_ana_FINAL.ipynb", "FINAL"),
    "Canvas's attempt": ({"attention-1.ipynb": NOTEBOOK}, "attention-1.ipynb", "attention-1"),
    "the newest of two": ({"attention-1.ipynb": NOTEBOOK, "attention-2.ipynb": NOTEBOOK}, "attention-2.ipynb", "-1"),
    "the work before newer notes": (
        {"attention-1.ipynb": NOTEBOOK, "attention notes.ipynb": NOTES},
        "attention-1.ipynb",
        "other notebooks",
    ),
    "a zip that is called a notebook": ({"attention_2.ipynb": zipped("x.ipynb")}, "attention_2.ipynb", "_2"),
    "in a sub-folder": ({"hand in/attention.ipynb": NOTEBOOK}, "hand in/attention.ipynb", "hand in/"),
    "another name": ({"Untitled.ipynb": NOTEBOOK, "notes.ipynb": NOTES}, "Untitled.ipynb", "Untitled"),
    "a Python file": ({"attention.py": b"def solve(x): ..."}, "attention.py", "attention.py"),
    "a notebook before a Python file": ({"Untitled.ipynb": NOTEBOOK, "helpers.py": b"x = 1"}, "Untitled.ipynb", ""),
    "a zip": ({"work.zip": zipped("attention.ipynb")}, "work.zip", "work.zip"),
    "a text ending": ({"attention.ipynb.txt": NOTEBOOK}, "attention.ipynb.txt", ".txt"),
    "JSON": ({"attention.json": NOTEBOOK, "data.json": b"{}"}, "attention.json", ".json"),
    "empty beside a copy": ({"attention.ipynb": b"", "attention (1).ipynb": NOTEBOOK}, "attention (1).ipynb", "(1)"),
    "only an empty one": ({"attention.ipynb": b""}, "attention.ipynb", None),
    "UTF-16 under another name": ({"x.ipynb": NOTEBOOK.decode().encode("utf-16")}, "x.ipynb", "x.ipynb"),
    "copies of the system": (
        {
            ".ipynb_checkpoints/attention-checkpoint.ipynb": NOTEBOOK,
            "__MACOSX/._attention.ipynb": b"x",
            "._attention.ipynb": b"x",
            "attention (2).ipynb": NOTEBOOK,
        },
        "attention (2).ipynb",
        "(2)",
    ),
}


@pytest.mark.parametrize("situation", FOUND)
def test_the_work_is_found(tmp_path, situation):
    """The file that counts is found, the others are listed; every file of the folder is one or the other."""
    files, wanted, note = FOUND[situation]
    folder = hand_in(tmp_path, "s01", files)
    work = find(tmp_path)

    assert work.file == folder / wanted
    assert work.problem == ""
    assert {work.file, *work.others, *work.beside.values()} == {folder / name for name in files}
    if note is None and wanted == "attention.ipynb":
        assert work.notes == ()
    elif note:
        assert any(note in said for said in work.notes)


NOT_FOUND = {
    "an empty folder": ({}, "The folder is empty."),
    "no notebook": ({"essay.docx": b"PK", "picture.png": b"x"}, "There is no notebook among the files."),
    "copies only": (
        {".ipynb_checkpoints/attention-checkpoint.ipynb": NOTEBOOK},
        "There is no notebook among the files.",
    ),
    "a module that is no answer": ({"helpers.py": b"x = 1"}, "There is no notebook among the files."),
}


@pytest.mark.parametrize("situation", NOT_FOUND)
def test_nothing_to_grade(tmp_path, situation):
    """Where there is nothing to grade the reason is said, and every file is listed."""
    files, problem = NOT_FOUND[situation]
    folder = hand_in(tmp_path, "s01", files)
    work = find(tmp_path)

    assert (work.file, work.problem) == (None, problem)
    assert set(work.others) == {folder / name for name in files}


def test_modules_beside_the_notebook(tmp_path):
    """Python files in the notebook's own folder go along; those elsewhere and huge ones do not."""
    folder = hand_in(
        tmp_path,
        "s01",
        {"attention.ipynb": NOTEBOOK, "helpers.py": b"x = 1", "sub/other.py": b"", "big.py": b"#" * 300_000},
    )
    work = find(tmp_path)

    assert work.beside == {"helpers.py": folder / "helpers.py"}
    assert set(work.others) == {folder / "sub" / "other.py", folder / "big.py"}


def test_modules_have_room_together(tmp_path):
    """However many Python files lie beside the notebook, only so much goes along, the small ones first; it is said."""
    files = {f"m{number:03}.py": b"#" * 190_000 for number in range(40)} | {"z.py": b"x = 1"}
    hand_in(tmp_path, "s01", files | {"attention.ipynb": NOTEBOOK})
    work = find(tmp_path)

    assert list(work.beside) == [*sorted(files)[:10], "z.py"]
    assert {path.name for path in work.others} == {*files} - {*work.beside}
    assert [note.partition(":")[0] for note in work.notes] == [
        "Of the Python files beside the notebook, `m010.py` and 29 more could not be used"
    ]


def test_links_are_never_followed(tmp_path):
    """A link to a file, a folder or another student's work is listed and not read."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "attention.ipynb").write_bytes(NOTEBOOK)
    folder = hand_in(tmp_path, "s01", {})
    (folder / "attention.ipynb").symlink_to(secret / "attention.ipynb")
    (folder / "sub").symlink_to(secret)
    (tmp_path / "submitted" / "s02").symlink_to(tmp_path / "submitted" / "s01")
    s01, s02 = find_work(tmp_path, LESSON)

    assert s01.file is None
    assert set(s01.others) == {folder / "attention.ipynb", folder / "sub"}
    assert "`attention.ipynb` is a link and was not followed." in s01.notes
    assert s02.problem == "The folder is a link and was not followed."


def test_late_mark_is_a_note(tmp_path):
    """The collector's mark of late work becomes a note."""
    hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK, "late.txt": b"late"})

    assert find(tmp_path).notes == ("The learning platform marked this work as late.",)


def test_thousands_of_files_are_cut(tmp_path):
    """A folder with thousands of files is looked at up to a limit, and it is said."""
    hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK, **{f"venv/{at}": b"" for at in range(2_100)}})
    work = find(tmp_path)

    assert work.file is not None
    assert any("more than 2000 files" in note for note in work.notes)


def test_giant_files_are_not_read(tmp_path):
    """A file of more than 200 MB is listed and not opened."""
    folder = hand_in(tmp_path, "s01", {"attention.ipynb": b""})
    os.truncate(folder / "attention.ipynb", 200_000_001)

    assert find(tmp_path).file is None
    assert find(tmp_path).notes == ("`attention.ipynb` is larger than 200 MB.",)


ODD_IDS = [
    "s01 b",
    "张伟",
    "CAMPUS\\s2",
    "-rf",
    "a+b(c)",
    "=1+1",
    "007",
    "x" * 128,
    "ö" * 127,
    "Jo\u0308rg",
    "a.b",
    "{student}",
    "%s",
]
UNSAFE_IDS = [
    "",
    ".",
    "..",
    "../s01",
    "a/b",
    "/etc",
    "x" * 129,
    "ö" * 128,
    "x" * 255,
    "a\nb",
    "a\0b",
    "\x1b[31m",
    "a\udcffb",
    ".git",
]


@pytest.mark.parametrize("student", ODD_IDS)
def test_odd_ids_are_folders(tmp_path, student):
    """An id with blanks, other letters, a backslash or a leading dash is a folder like any other."""
    assert is_safe_student(student)
    folder = hand_in(tmp_path, student, {"attention.ipynb": NOTEBOOK})
    work = find(tmp_path)

    assert (work.student, work.file) == (student, folder / "attention.ipynb")


@pytest.mark.parametrize("student", UNSAFE_IDS)
def test_unsafe_ids_are_refused_by_name(tmp_path, student):
    """An id that cannot be a folder inside `submitted/` is refused, and nothing is looked for."""
    assert not is_safe_student(student)
    (work,) = find_work(tmp_path, LESSON, [student])

    assert work.file is None
    assert work.folder == tmp_path / "submitted"
    assert repr(student) in work.problem


def test_students_who_are_named(tmp_path):
    """Of the students named, one who handed in nothing is told; of all students, only who has a folder is there."""
    hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK})
    (tmp_path / "submitted" / "s02" / "01_other").mkdir(parents=True)

    assert [work.student for work in find_work(tmp_path, LESSON)] == ["s01"]
    assert [work.problem for work in find_work(tmp_path, LESSON, {"s02", "s01"})] == ["", "Nothing was handed in."]
    assert find_work(tmp_path / "nowhere", LESSON) == ()


def test_strays_are_listed(tmp_path):
    """Files that lie in no student's lesson folder are listed too."""
    hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK})
    top = tmp_path / "submitted"
    (top / "loose.ipynb").write_bytes(NOTEBOOK)
    (top / "s01" / "attention.ipynb").write_bytes(NOTEBOOK)

    assert find_strays(tmp_path) == (top / "loose.ipynb", top / "s01" / "attention.ipynb")


@NEEDS_CASES
@pytest.mark.parametrize(
    "name", ["attention (1).ipynb", "Copy of attention.ipynb", "attention_ana_FINAL.ipynb", "ATTENTION.ipynb"]
)
def test_shared_renamed_notebooks_get_full_marks(tmp_path, grader, name):
    """A renamed notebook is graded like any other."""
    folder = hand_in(tmp_path, "s01", {})
    shutil.copy(made_cases() / "B09" / "renamed" / name, folder)
    work = find(tmp_path)
    report = grader.grade_notebook(read_notebook(work.file.read_bytes(), work.file.name).notebook, LESSON)

    assert points_of(report) == 15
