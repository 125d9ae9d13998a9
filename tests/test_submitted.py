"""Finding the work in `submitted/`: whatever it is called, every file accounted for, nothing outside the folder."""

import io
import os
import shutil
import zipfile

import pytest
from conftest import LESSON, NEEDS_CASES, points_of
from shared_cases import made_cases

from autograder.ids import is_safe_student
from autograder.strays import find_strays
from autograder.submitted import LATE_SENTENCE, LATE_TEXT, find_work
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


MARK = LATE_TEXT.encode()
LATE = {
    "the collector's mark": ({"late.txt": MARK}, (LATE_SENTENCE,)),
    "a student's own file": ({"late.txt": b"sorry, I was late"}, ()),
    "an empty file": ({"late.txt": b""}, ()),
    "a copy in a folder": ({"sub/late.txt": MARK}, ()),
    "a copy handed in through the exchange": ({"late.txt": MARK, "timestamp.txt": b"2026-01-30 15:00:00 UTC"}, ()),
}


@pytest.mark.parametrize("situation", LATE)
def test_late_mark_is_a_note(tmp_path, situation):
    """The collector's mark of late work becomes a note; a student's file of that name says nothing."""
    files, notes = LATE[situation]
    folder = hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK} | files)
    work = find(tmp_path)

    assert work.notes == notes
    assert {folder / name for name in files} == set(work.others)


def test_a_pipe_as_a_late_mark_holds_up_nobody(tmp_path):
    """A late mark that is a named pipe is not opened."""
    folder = hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK})
    os.mkfifo(folder / "late.txt")

    assert find(tmp_path).notes == ()


WRITTEN = b"def solve(x): return x"
STUB = b"def solve(x):\\n    raise NotImplementedError"
AS_GIVEN = NOTEBOOK.replace(WRITTEN, STUB)
BROKEN = NOTEBOOK[:60]

# situation: (files, words of the note). The first is the likeliest by its name, the last counts.
GIVES_WAY = {
    "the stub to a renamed copy": ({"attention.ipynb": AS_GIVEN, "attention_final.ipynb": NOTEBOOK}, "as it was given"),
    "the stub to another name": ({"attention.ipynb": AS_GIVEN, "Untitled.ipynb": NOTEBOOK}, "as it was given"),
    "the stub to a Python file": ({"attention.ipynb": AS_GIVEN, "sol.py": WRITTEN}, "as it was given"),
    "the stub to a zip": ({"attention.ipynb": AS_GIVEN, "work.zip": zipped("attention.ipynb")}, "as it was given"),
    "a renamed stub": ({"attention-2.ipynb": AS_GIVEN, "Untitled.ipynb": NOTEBOOK}, "as it was given"),
    "a cut-off file": ({"attention.ipynb": BROKEN, "attention_final.ipynb": NOTEBOOK}, "breaks off"),
    "a web page": ({"attention.ipynb": b"<html></html>", "attention (1).ipynb": NOTEBOOK}, "web page"),
    "the first of three": (
        {"attention.ipynb": AS_GIVEN, "attention_a.ipynb": BROKEN, "x.ipynb": NOTEBOOK},
        "as it was given",
    ),
}


@pytest.mark.parametrize("situation", GIVES_WAY)
def test_what_holds_no_solve_gives_way(tmp_path, situation):
    """A file with the stub, or one that cannot be read, gives way to the file with a written `solve`; it is said."""
    files, why = GIVES_WAY[situation]
    folder = hand_in(tmp_path, "s01", files)
    work = find(tmp_path)
    first, *_, last = files

    assert work.file == folder / last
    assert work.notes[0].startswith(f"`{first}` ")
    assert why in work.notes[0]
    assert work.notes[0].endswith(f", so `{last}` was graded.")


STAYS = {
    "written, beside another": {"attention.ipynb": NOTEBOOK, "attention_final.ipynb": NOTEBOOK},
    "the stub alone": {"attention.ipynb": AS_GIVEN},
    "the stub beside a stub": {"attention.ipynb": AS_GIVEN, "attention_final.ipynb": AS_GIVEN},
    "the stub beside notes": {"attention.ipynb": AS_GIVEN, "attention_final.ipynb": NOTES},
    "the stub beside a broken file": {"attention.ipynb": AS_GIVEN, "attention_final.ipynb": BROKEN},
    "a broken file beside the stub": {"attention.ipynb": BROKEN, "attention_final.ipynb": AS_GIVEN},
    "the stub, written in another cell": {
        "attention.ipynb": AS_GIVEN.replace(b"[", b'[{"cell_type": "code", "source": "solve = abs"}, ', 1),
        "attention_final.ipynb": NOTEBOOK,
    },
    "imported from beside": {
        "attention.ipynb": NOTEBOOK.replace(WRITTEN, b"from helpers import *"),
        "attention_final.ipynb": NOTEBOOK,
    },
    "beside a file too large to look into": {
        "attention.ipynb": AS_GIVEN,
        "attention_final.ipynb": NOTEBOOK + b" " * 5_000_001,
    },
}


@pytest.mark.parametrize("situation", STAYS)
def test_what_is_written_or_alone_counts(tmp_path, situation):
    """The likeliest file stays the one that counts where `solve` is in it, or in no other."""
    folder = hand_in(tmp_path, "s01", STAYS[situation])

    assert find(tmp_path).file == folder / "attention.ipynb"


@pytest.mark.parametrize("line", ["from pkg.more import solve", "from pkg import solve", "import pkg.more"])
def test_a_folder_that_is_imported_is_said(tmp_path, line):
    """Where the notebook imports from a folder beside it, it is said that folders do not go along."""
    data = NOTEBOOK.replace(WRITTEN, line.encode())
    hand_in(tmp_path, "s01", {"attention.ipynb": data, "pkg/more.py": WRITTEN, "old/more.py": WRITTEN})

    assert [note for note in find(tmp_path).notes if "folder" in note] == [
        "The folder `pkg` was not used: only Python files right beside the notebook can be imported."
    ]


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


STRAYS = (
    "loose.ipynb",
    "s01/attention.ipynb",
    "s01/attention/attention.ipynb",
    "s01/09_Attention/attention.ipynb",
    "s02/older/09_attention/attention.ipynb",
    os.fsdecode(b"m\xfcller/09_attention/attention.ipynb"),
    "two\nlines/09_attention/attention.ipynb",
    "two\nlines/loose.ipynb",
)


def test_strays_are_listed(tmp_path):
    """Every file that lies in no student's lesson folder is listed too, and no file of a lesson's folder is."""
    hand_in(tmp_path, "s01", {"attention.ipynb": NOTEBOOK})
    hand_in(tmp_path, "s02", {"deep/attention.ipynb": NOTEBOOK})
    for lesson in (LESSON, "01_other"):
        (tmp_path / "source" / lesson).mkdir(parents=True)
    top = tmp_path / "submitted"
    for name in (*STRAYS, "s01/01_other/other.ipynb"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(NOTEBOOK)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "key").write_bytes(b"")
    (top / "s01" / "a link").symlink_to(tmp_path / "secrets")

    assert find_strays(tmp_path) == tuple(sorted(top / name for name in (*STRAYS, "s01/a link")))


def test_a_very_full_stray_folder_is_told_as_a_whole(tmp_path):
    """Of a folder that is no lesson's and holds very many files, the first are listed, and the folder for the rest."""
    folder = tmp_path / "submitted" / "s01" / "copies"
    folder.mkdir(parents=True)
    for number in range(2_005):
        (folder / f"{number:04}.txt").touch()
    found = find_strays(tmp_path)

    assert len(found) == 2_001
    assert folder in found


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
