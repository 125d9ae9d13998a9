"""`autograder doctor` says truly what this machine gives the sandbox, and what is missing."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

from autograder import doctor
from autograder.sandbox import Sandbox, SandboxError
from autograder.sandbox.model import ALL_LAYERS

pytestmark = pytest.mark.slow  # whole processes are started and ended

WITHOUT = [
    (),
    ("namespaces",),
    ("landlock",),
    ("seccomp",),
    ("rlimits",),
    ("uid",),
    ("namespaces", "landlock"),
    ("namespaces", "landlock", "seccomp", "rlimits", "uid"),
]
# A system that has none of Linux's own names.
ELSEWHERE = """
import fcntl, os, platform, sys
for module, start in ((fcntl, "F_SEAL"), (fcntl, "F_ADD_SEALS"), (os, "memfd"), (os, "MFD_"), (os, "pidfd_open")):
    for name in [name for name in vars(module) if name.startswith(start)]:
        delattr(module, name)
platform.system = lambda: "Darwin"
from autograder.cli import main
sys.exit(main(["doctor"]))
"""


def told(health):
    """Return all findings by the word in their margin."""
    return {finding.word: finding for findings in health.sections.values() for finding in findings}


def layers_here():
    """Name the layers that this machine gives."""
    with Sandbox(allow_missing=ALL_LAYERS) as sandbox:
        return sandbox.layers


def run(*command, cwd=ROOT):
    """Run a command in a folder, by default the project's."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_it_needs_no_course_folder(tmp_path):
    """Anywhere, the command lists every layer, tries the sandbox out and ends with a verdict."""
    done = run(sys.executable, "-m", "autograder", "doctor", cwd=tmp_path)

    assert done.returncode in (0, 1), done.stdout + done.stderr
    for word in (*ALL_LAYERS, "system", "Python", "numpy", "hard limits"):
        assert f"\n  {word}" in done.stdout
    assert done.stdout.count("\n  ok ") == 6  # the limits, honest, three attempts, honest
    assert "could not start another process" in done.stdout
    assert "ubmissions can be graded here" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("absent", WITHOUT, ids=lambda absent: " and ".join(absent) or "none")
def test_it_agrees_with_the_sandbox(absent):
    """Grading is possible exactly where the sandbox does not refuse; what is missing is told with its danger."""
    present = set(ALL_LAYERS) - set(absent)
    health = doctor.examine(present)
    try:
        Sandbox(_layers=present).close()
    except SandboxError:
        assert health.mark is doctor.Mark.IMPOSSIBLE
    else:
        assert health.mark < doctor.Mark.IMPOSSIBLE
    for name in set(absent) - ({"uid"} if os.getuid() else set()):
        finding = told(health)[name]
        assert finding.mark > doctor.Mark.FINE
        assert finding.text.startswith("MISSING")
        assert finding.more[0] == "why: not asked for"
        assert finding.more[1].startswith("student code could: ")


def test_one_wall_of_two_is_worth_a_word():
    """Landlock or the namespaces alone are enough, and the exit code says that there could be both."""
    if not {"namespaces", "landlock"} <= set(layers_here()):
        pytest.skip("this machine has only one of the two")
    health = doctor.examine(set(ALL_LAYERS) - {"landlock"})

    assert health.mark is doctor.Mark.LESS
    assert told(health)["landlock"].text == "MISSING (optional)"


def test_the_self_test_sees_a_sandbox_that_leaks():
    """With no layer but the user's, the forbidden submission gets what it is after, and that is told."""
    findings = doctor.examine(["uid"] if os.getuid() == 0 else []).sections["Self-test"]
    failed = {finding.text for finding in findings if finding.mark is doctor.Mark.IMPOSSIBLE}

    assert "a forbidden one could connect to a port of this machine" in failed
    assert "a forbidden one could start another process" in failed


def test_a_wrong_answer_fails_the_self_test(monkeypatch):
    """A sandbox that does not answer an honest submission rightly is no place to grade."""
    monkeypatch.setattr(doctor, "_HONEST", "def solve(x):\n    return x\n")
    failed = [finding for finding in doctor.examine().sections["Self-test"] if finding.word == "FAILED"]

    assert failed[0].mark is doctor.Mark.IMPOSSIBLE
    assert failed[0].text.startswith("an honest one came to ")


def test_limits_without_room_are_named():
    """Under a hard limit that is too low, grading is not possible, and the limit is named with its number."""
    shell = 'ulimit -f 4000; exec "$0" -B -m autograder doctor'
    done = run("/bin/bash", "-c", shell, sys.executable)

    assert done.returncode == 2
    assert "RLIMIT_FSIZE" in done.stdout
    assert "bytes of a file: 4,096,000" in done.stdout
    assert "cannot be graded here" in done.stdout


def test_another_system_is_told_so():
    """Where Linux's own calls do not exist, the answer is a sentence and not a traceback."""
    done = run(sys.executable, "-B", "-c", ELSEWHERE)

    assert done.returncode == 2, done.stderr
    assert "the sandbox needs Linux; on Darwin" in done.stdout
    assert done.stderr == ""
