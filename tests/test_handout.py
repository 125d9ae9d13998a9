"""The handout: one zip with all that a student needs and nothing else; what its page says to do works."""

import html
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from html.parser import HTMLParser

import nbformat
import pytest
from conftest import LESSON, ROOT, points_of, solve_cell

from autograder.handout import date_of, make_handout
from autograder.handout_lessons import read_release
from autograder.handout_page import FOLDER, Handout, environment_file, start_page
from autograder.handout_wheel import read_project
from autograder.lesson import GraderError
from autograder.loading import SOLUTION
from course.syllabus import START

WHEEL = f"transformer_course_student-{read_project(ROOT).version}-py3-none-any.whl"
RELEASED = read_release(ROOT / "release")
LESSONS = [each for each in RELEASED if each.id != START]
TRIED = [each for each in LESSONS if each.id in {"02_softmax", LESSON, "10_multi_head_attention"}]
ABOUT_A_WHEEL = ("METADATA", "WHEEL", "RECORD", "top_level.txt")
A_LINE = 20  # shorter lines of a solution are not telling: `output = []`


@pytest.fixture(scope="module")
def page():
    """The start page; the wheel is not built for it."""
    return start_page(Handout(read_project(ROOT), WHEEL, RELEASED))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of what the handout is made from."""
    folder = tmp_path_factory.mktemp("project")
    return copy_project(ROOT, folder)


@pytest.fixture(scope="module")
def packed(project):
    """The zip's bytes."""
    return make_handout(project)


@pytest.fixture(scope="module")
def desk(packed, tmp_path_factory):
    """A student's folder: the unzipped handout."""
    folder = tmp_path_factory.mktemp("desk")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    return folder / FOLDER


@pytest.fixture(scope="module")
def python(desk, page):
    """The Python of the environment that the page's own commands make; only JupyterLab's server is left out of it."""
    prepare = next(block for block in blocks(page) if block.startswith("python3 -m venv"))
    for line in prepare.splitlines():
        command = shlex.split(line.replace("python3", sys.executable).replace("jupyterlab", "nbclient ipykernel"))
        done = subprocess.run(command, cwd=desk, env=away(desk), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return desk / ".venv" / "bin" / "python"


def copy_project(project, folder):
    """Copy the parts of the project that the handout needs; caches too, as they lie there."""
    for name in ("course", "release", "pyproject.toml"):
        copy = shutil.copytree if (project / name).is_dir() else shutil.copy
        copy(project / name, folder / name)
    return folder


def away(desk):
    """Return an environment that knows nothing of this project but the locked versions of the libraries."""
    ours = ("PYTHON", "JUPYTER", "VIRTUAL_ENV", "IPYTHONDIR")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    cache = os.environ.get("PIP_CACHE_DIR", str(ROOT / ".cache" / "pip"))
    locked = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt"), "PIP_CACHE_DIR": cache}
    return plain | locked | {"HOME": str(desk.parent / "home"), "PATH": os.defpath}


def blocks(page):
    """Return what the page tells to type, block by block."""
    return [html.unescape(block) for block in re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)]


def members(packed):
    """Return every file in the handout, those inside the wheel too, by path."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for path in archive.namelist():
            content = archive.read(path)
            if path.endswith(".whl"):
                found |= {f"wheel:{inner}": text for inner, text in members(content).items()}
            found[path.removeprefix(f"{FOLDER}/")] = content
    return found


def source_cells(lesson):
    """Return the cells of the author's notebook."""
    return nbformat.read(ROOT / "source" / lesson.id / f"{lesson.name}.ipynb", as_version=4).cells


# --- what is in it ---


@pytest.mark.slow
def test_nothing_else_is_in_it(packed, project):
    """The zip holds the wheel, the page, the environment file and the lessons of release/; the wheel holds `course`."""
    lessons = {f"{path.relative_to(project)}" for path in (project / "release").glob("[0-9]*/[!.]*")}
    course = {f"{path.relative_to(project)}" for path in (project / "course").rglob("*") if path.is_file()}
    modules = {path for path in course if "__pycache__" not in path}
    about = {f"{WHEEL.removesuffix('-py3-none-any.whl')}.dist-info/{name}" for name in ABOUT_A_WHEEL}
    inside = {f"wheel:{path}" for path in modules | about}

    assert set(members(packed)) == {"START.html", "environment.yml", WHEEL} | lessons | inside


@pytest.mark.slow
def test_it_gives_nothing_away(packed, grader):
    """No line of a solution and no hidden input is in the handout; only a later lesson brings an earlier function."""
    brings = {f"release/{each.id}/": each.earlier for each in LESSONS if each.earlier}
    for lesson in LESSONS:
        solution = SOLUTION.findall("\n".join(cell.source for cell in source_cells(lesson)))
        lines = [line for line in map(str.strip, "\n".join(solution).splitlines()) if len(line) > A_LINE]
        inputs = [json.dumps(argument) for call in grader.lesson(lesson.id).hidden_calls for argument in call.arguments]
        secrets = [*lines, *(text for text in inputs if len(text) > 2 * A_LINE)]
        for path, content in members(packed).items():
            brought = next((earlier for folder, earlier in brings.items() if path.startswith(folder)), "")
            text = content.decode("utf-8", errors="replace")
            assert [secret for secret in secrets if secret in text and secret not in brought] == [], path


@pytest.mark.slow
def test_same_input_same_bytes(packed, project, tmp_path):
    """Another folder, other times and permissions, another umask and left-over caches change nothing."""
    copy_project(project, tmp_path)
    for path in tmp_path.rglob("*"):
        path.chmod(0o700)
        os.utime(path, (2_000_000_000, 2_000_000_000))
    (tmp_path / "course" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "course" / "__pycache__" / "old.pyc").write_bytes(b"old")
    before = os.umask(0o077)
    try:
        again = make_handout(tmp_path)
    finally:
        os.umask(before)

    assert again == packed


@pytest.mark.slow
def test_every_file_has_the_date_of_the_handout(packed, project):
    """No file comes from 1980, or from the hour at which the zip was made."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        dates = {each.date_time for each in archive.infolist()}

    assert dates == {date_of(project)}


def test_the_date_is_that_of_the_last_commit_of_what_is_handed_out(tmp_path, monkeypatch):
    """A later commit of something else changes nothing, and without a repository there is a fixed date."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    without = date_of(tmp_path)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # noqa: S607
    for name, when in (("course", "2026-03-04T05:06:07Z"), ("tests", "2026-08-09T10:11:12Z")):
        (tmp_path / name).write_text("anything")
        monkeypatch.setenv("GIT_COMMITTER_DATE", when)
        person = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        for command in (["add", name], [*person, "commit", "--quiet", "--no-gpg-sign", "-m", name]):
            subprocess.run(["git", "-C", tmp_path, *command], check=True)  # noqa: S607

    assert without == (2026, 1, 1, 0, 0, 0)
    assert date_of(tmp_path) == (2026, 3, 4, 5, 6, 7)


EPOCHS = {
    "a moment": ("1700000000", (2023, 11, 14, 22, 13, 20)),
    "before a zip can say": ("0", (1980, 1, 1, 0, 0, 0)),
    "after a zip can say": ("99999999999999", (2107, 12, 31, 23, 59, 58)),
}


@pytest.mark.parametrize(("told", "date"), EPOCHS.values(), ids=EPOCHS)
def test_source_date_epoch_is_kept_to(told, date, monkeypatch):
    """The date that a packager sets holds; one that a zip cannot say becomes the nearest one that it can."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)

    assert date_of(ROOT) == date


def test_a_source_date_that_is_none_is_refused(monkeypatch):
    """A word in place of the seconds stops the handout with a sentence."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")

    with pytest.raises(GraderError, match="SOURCE_DATE_EPOCH is 'yesterday'"):
        date_of(ROOT)


@pytest.mark.slow
def test_lessons_may_be_handed_out_one_by_one(project):
    """With a last lesson named, the later ones stay behind, and with them the functions of earlier lessons."""
    names = set(zipfile.ZipFile(io.BytesIO(make_handout(project, until=LESSON))).namelist())

    assert any(f"/{LESSON}/" in name for name in names)
    assert not [name for name in names if "/10_" in name or name.endswith("earlier.py")]
    with pytest.raises(GraderError, match="no lesson '99_nothing' in release/"):
        make_handout(project, until="99_nothing")


@pytest.mark.slow
def test_the_wheel_asks_for_nothing(packed):
    """The wheel has no dependencies, has the project's version, and refuses a Python that is too old."""
    about = next(text for path, text in members(packed).items() if path.endswith("METADATA")).decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert "Requires-Dist" not in about
    assert f"Version: {project['version']}\n" in about
    assert f"Requires-Python: {project['requires-python']}\n" in about


def _own_solution(folder):
    notebook = json.loads((folder / "attention.ipynb").read_text("utf-8"))
    solve_cell(notebook)["source"] = "def solve(Q, K, V, causal):\n    return Q\n"
    (folder / "attention.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def _authors_notebook(folder):
    shutil.copy(ROOT / "source" / "09_attention" / "attention.ipynb", folder)


NOT_TO_HAND_OUT = {
    "a file that is no part of the lesson": (lambda folder: (folder / "solution.py").touch(), "no part of a released"),
    "a link to somewhere else": (
        lambda folder: (
            (folder / "attention.json").unlink(missing_ok=True) or (folder / "attention.json").symlink_to("/etc/passwd")
        ),
        "no part of a released",
    ),
    "the author's notebook": (_authors_notebook, "is not as released"),
    "a notebook in which somebody has worked": (_own_solution, "is not as released"),
    "no notebook": (lambda folder: (folder / "attention.ipynb").unlink(), "has no attention.ipynb"),
    "no lesson": (shutil.rmtree, "there is no lesson in"),
}


@pytest.mark.parametrize(("spoil", "says"), NOT_TO_HAND_OUT.values(), ids=NOT_TO_HAND_OUT)
def test_what_is_not_a_release_is_not_handed_out(tmp_path, spoil, says):
    """A handout is refused, with the reason, where release/ holds something that students must not get."""
    shutil.copytree(ROOT / "release" / "09_attention", tmp_path / "09_attention")
    read_release(tmp_path)
    spoil(tmp_path / "09_attention")

    with pytest.raises(GraderError, match=says):
        read_release(tmp_path)


def test_what_an_editor_leaves_behind_is_not_handed_out(tmp_path):
    """Checkpoints, a learner's own progress and caches in release/ stay behind."""
    shutil.copytree(ROOT / "release" / "09_attention", tmp_path / "09_attention")
    before = [path for lesson in read_release(tmp_path) for path, _ in lesson.files]
    for name in (".ipynb_checkpoints", ".course", "__pycache__"):
        (tmp_path / "09_attention" / name).mkdir(exist_ok=True)
        (tmp_path / "09_attention" / name / "attention.ipynb").touch()
    (tmp_path / ".DS_Store").touch()

    assert [path for lesson in read_release(tmp_path) for path, _ in lesson.files] == before


# --- the texts ---


class _Tags(HTMLParser):
    """Collect the ids, the links, the headings and the language of a page."""

    def __init__(self, page):
        super().__init__()
        self.ids, self.links, self.headings, self.names, self.lang = [], [], [], set(), None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        said = dict(attributes)
        self.names.add(tag)
        self.lang = said.get("lang", self.lang)
        if "id" in said:
            self.ids.append(said["id"])
        if tag == "a":
            self.links.append(said["href"])
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))
        assert "src" not in said
        assert "style" not in said


def test_the_page_stands_alone(page):
    """The start page has a language, headings in order, links that lead somewhere, no script and nothing to load."""
    tags = _Tags(page)

    assert tags.lang == "en"
    assert tags.headings[0] == 1
    assert set(tags.headings[1:]) == {2}
    assert not {"script", "link", "img", "iframe"} & tags.names
    assert not re.search(r"url\(|@import", page)
    assert len(tags.ids) == len(set(tags.ids))
    assert {link[1:] for link in tags.links if link.startswith("#")} <= set(tags.ids)
    assert {link for link in tags.links if not link.startswith("#")} == {
        "https://www.python.org/downloads/",
        "https://colab.research.google.com/",
    }


def test_the_page_names_every_file_it_needs(page):
    """The page names the wheel and every lesson's files, as they are called in the zip."""
    text = html.unescape(re.sub(r"<wbr>", "", page))

    for path in [WHEEL, *(path for lesson in RELEASED for path, _ in lesson.files)]:
        assert path in text


@pytest.mark.parametrize("way", ["conda", "python", "hub"])
def test_a_learner_begins_at_the_map(way, page):
    """Wherever the whole course is unpacked, the first notebook to open is the map, which says what comes next."""
    part = page.partition(f'<h2 id="{way}">')[2].partition("</section>")[0]

    assert re.findall(r"[\w/]+\.ipynb", part.replace("<wbr>", ""))[0].endswith("release/00_start_here/start_here.ipynb")


@pytest.mark.parametrize("name", ["solve", "check"])
def test_the_page_answers_a_cell_that_was_run_too_early(name, page):
    """What Python says where a name is not there yet can be found on the page."""
    with pytest.raises(NameError) as error:
        exec("check(solve, [])", {"check": print} if name == "solve" else {})  # noqa: S102  # as a cell of a lesson

    questions = [re.sub(r"<[^>]+>", "", each) for each in re.findall(r"<dt.*?</dt>", page)]
    assert any("is not defined" in each and name in each for each in questions)
    assert name in str(error.value)


def test_conda_gets_the_tested_versions():
    """The students' environment.yml pins what the project pins, and installs the wheel that lies beside it."""
    project = read_project(ROOT)
    text = environment_file(Handout(project, WHEEL, RELEASED))
    pins = dict(re.findall(r"^  - ([a-z]+)=([\d.]+)$", text, re.MULTILINE))

    assert pins == {name: project.pins[name] for name in ("jupyterlab", "numpy", "matplotlib")} | {
        "python": project.python
    }
    assert text.endswith(f"  - pip:\n      - ./{WHEEL}\n")


# --- it works ---


@pytest.mark.slow
def test_the_grader_is_not_there(desk, python):
    """In the student's environment `course` comes from the wheel, and there is no `autograder` and no nbgrader."""
    code = (
        "import course, importlib.util as u; print(course.__file__, u.find_spec('autograder'), u.find_spec('nbgrader'))"
    )
    done = subprocess.run([python, "-c", code], cwd=desk, env=away(desk), capture_output=True, text=True, check=True)

    assert str(desk / ".venv") in done.stdout
    assert done.stdout.endswith(" None None\n")


@pytest.mark.slow
@pytest.mark.parametrize("lesson", TRIED, ids=lambda lesson: lesson.id)
def test_the_stub_runs_to_the_end(lesson, desk, python):
    """The notebook as handed out runs from top to bottom there, and says calmly that nothing is written yet."""
    said = run(desk, python, lesson, None)

    assert "not written yet" in said


@pytest.mark.slow
@pytest.mark.parametrize("lesson", TRIED, ids=lambda lesson: lesson.id)
def test_a_right_solution_passes(lesson, desk, python):
    """With a right solution in `solve` all examples pass there, and the picture is drawn."""
    solution = next(cell.source for cell in source_cells(lesson) if SOLUTION.search(cell.source))
    said = run(desk, python, lesson, SOLUTION.sub(r"\1", solution))

    assert re.search(r"All \d+ examples pass", said)
    assert "data:image/png" in said


def run(desk, python, lesson, code):
    """Run a lesson's notebook in the student's environment, as a student does, and return its outputs as text."""
    path = desk / "release" / lesson.id / f"{lesson.name}.ipynb"
    notebook = json.loads(lesson.notebook)
    if code:
        solve_cell(notebook)["source"] = code
    path.write_text(json.dumps(notebook), encoding="utf-8")
    command = [python.parent / "jupyter", "execute", "--inplace", path.name]
    done = subprocess.run(command, cwd=path.parent, env=away(desk), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    return json.dumps(outputs)


@pytest.mark.slow
def test_the_wheel_works_without_pip(desk, page):
    """The page's way out where pip is not allowed: `course` is imported from the wheel as it lies there."""
    cell = next(block for block in blocks(page) if block.startswith("import sys"))
    code = f"{cell}\nimport course\nprint(course.__file__, course.check.__name__)"
    folder = desk / "release" / LESSONS[0].id
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=folder, env=away(desk), capture_output=True, text=True, check=True)

    assert f"{WHEEL}/course/__init__.py check" in done.stdout


def test_the_cells_of_the_page_cost_no_mark(page, hand_in, grader):
    """A student who leaves the page's own cells in the notebook gets full marks for a right solution."""
    lesson = next(each for each in LESSONS if each.id == LESSON)
    solution = next(cell.source for cell in source_cells(lesson) if SOLUTION.search(cell.source))
    notebook = hand_in(SOLUTION.sub(r"\1", solution))
    cells = [block for block in blocks(page) if block.startswith(("%pip", "import sys"))]
    notebook["cells"][:0] = [nbformat.v4.new_code_cell(cell) for cell in cells]
    report = grader.grade_notebook(notebook, lesson.id)

    assert len(cells) == 4
    assert points_of(report) == grader.lesson(lesson.id).example_points + grader.lesson(lesson.id).hidden_points
