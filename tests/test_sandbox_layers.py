"""The sandbox says which layers are on, refuses to run without those that matter, and works for every kind of user."""

import os
import platform
import shutil
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder.sandbox import Sandbox, SandboxError
from autograder.sandbox.model import ALL_LAYERS
from autograder.sandbox.seccomp import program_of
from autograder.sandbox.syscalls import MACHINES

ROOT = Path(__file__).resolve().parent.parent
PLAIN_UID = 60002


def test_the_mandatory_layers_are_on():
    """Without any permission, what runs here has limits, a filter, and one of the two that hide files."""
    with Sandbox() as sandbox:
        assert {"rlimits", "seccomp"} <= set(sandbox.layers)
        assert {"landlock", "namespaces"} & set(sandbox.layers)
        assert set(sandbox.layers) | set(sandbox.missing) == set(ALL_LAYERS)


REFUSED = {
    "rlimits": (("rlimits",), "memory and the disk"),
    "seccomp": (("seccomp",), "network connections"),
    "files": (("landlock", "namespaces"), "hidden cases"),
}


@pytest.mark.parametrize(("absent", "danger"), REFUSED.values(), ids=REFUSED)
def test_a_missing_layer_is_refused_by_name(absent, danger):
    """The error names the layer and what student code could do; naming it in `allow_missing` lifts the refusal."""
    present = set(ALL_LAYERS) - set(absent)
    with pytest.raises(SandboxError, match=f"{absent[0]}.*{danger}"):
        Sandbox(_layers=present)
    with Sandbox(_layers=present, allow_missing={*absent, "uid"}) as sandbox:
        assert not set(absent) & set(sandbox.layers)


@pytest.mark.skipif(os.getuid() != 0, reason="only root has a user to drop")
def test_root_is_never_kept_unasked():
    """Student code never runs as root unless the instructor says so."""
    with pytest.raises(SandboxError, match=r"uid.*root user"):
        Sandbox(_layers=set(ALL_LAYERS) - {"uid"})


def test_a_zygote_that_cannot_start_says_why(monkeypatch):
    """A fault at the start is the grader's, with the last lines of what happened."""
    monkeypatch.setattr("autograder.sandbox.start._PACKAGES", ("json.no_such_module",))
    with pytest.raises(SandboxError, match="no_such_module"):
        Sandbox()


def test_another_system_is_refused(monkeypatch):
    """Where there are no layers at all, nothing is run."""
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    with pytest.raises(SandboxError, match="needs Linux"):
        Sandbox()


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_names_only_what_is_harmless(machine):
    """The table of each machine is an allowlist without sockets, signals or new processes, and fits the kernel."""
    table = MACHINES[machine]
    assert not {"socket", "kill", "clone", "fork", "execve", "ptrace", "mount", "unlink"} & set(table.plain)
    assert len(set(table.plain.values())) == len(table.plain)
    assert len(program_of(table)) // 8 < 4096


def verdict(program, audit, number, arguments=(0,) * 6):
    """Run the filter as the kernel does: a register, loads from the call's data, jumps forward, a return."""
    data = struct.pack("<iIQ6Q", number, audit, 0, *arguments)
    steps = list(struct.iter_unpack("=HBBI", program))
    at, register = 0, 0
    while True:
        code, if_true, if_false, value = steps[at]
        if code == 0x06:
            return {0x7FFF0000: "allow", 0x80000000: "kill"}.get(value, "refuse")
        if code == 0x20:
            (register,) = struct.unpack_from("<I", data, value)
            jump = 0
        else:
            holds = {0x15: register == value, 0x35: register >= value, 0x45: bool(register & value)}[code]
            jump = if_true if holds else if_false
        at += 1 + jump


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_says_of_every_number_what_the_table_says(machine):
    """Only the named calls pass: not their neighbours, not those of another machine or of the x32 kind."""
    table = MACHINES[machine]
    program = program_of(table)
    numbers = [*range(1100), *(0x40000000 + number for number in range(600)), -1]
    passed = {number for number in numbers if verdict(program, table.audit, number) == "allow"}
    # With arguments of 0: to open for reading, to copy the number of a file.
    assert passed == {*table.plain.values(), *table.opens, table.fcntl}
    assert {verdict(program, table.audit ^ 1, number) for number in numbers} == {"kill"}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_looks_at_what_a_call_is_asked_to_do(machine):
    """Files open for reading only; settings of files and limits are changed only where no other process has them."""
    table = MACHINES[machine]

    def passes(number, *arguments):
        return verdict(program_of(table), table.audit, number, (*arguments, *(0,) * (6 - len(arguments)))) == "allow"

    for number, place in table.opens.items():
        for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC):
            assert not passes(number, *(0,) * place, flags)
        assert passes(number, *(0,) * place, os.O_RDONLY | os.O_CLOEXEC)
    tiocsti, tcgets, setfl, getfl = 0x5412, 0x5401, 4, 3
    assert [passes(table.ioctl, 0, word) for word in (tcgets, tiocsti)] == [True, False]
    assert [passes(table.fcntl, 0, word) for word in (getfl, setfl)] == [True, False]
    own, other, cpu, files = 0, 1, 0, 7
    assert [passes(table.prlimit, *each) for each in ((own, files), (other, files), (own, cpu))] == [True, False, False]


AS_PLAIN_USER = """
import os, sys
from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, pack_calls
attack = "def solve(x):\\n    open({secret!r})\\n    return x"
for layers in ({{"namespaces", "landlock", "seccomp", "rlimits"}}, {{"landlock", "seccomp", "rlimits"}}):
    with pack_calls([Call((2.0,))]) as packed, Sandbox(_layers=layers) as sandbox:
        print(sandbox.run([Cell(1, "def solve(x): return x")], packed).outcomes[0].value.flat)
        print(sandbox.run([Cell(1, attack)], packed).outcomes[0].error)
"""


def python_for_everyone():
    """Find a Python of this version that any user may start."""
    for candidate in (
        sys.executable,
        shutil.which(f"python3.{sys.version_info.minor}", path="/usr/local/bin:/usr/bin"),
    ):
        try:
            if candidate and subprocess.run([candidate, "-c", ""], user=PLAIN_UID, check=False).returncode == 0:
                return candidate
        except OSError:
            continue
    return None


@pytest.mark.skipif(
    os.getuid() != 0, reason="only root can become another user; as a plain user every test is this one"
)
def test_a_plain_user_needs_no_rights(tmp_path):
    """An ordinary user's grader runs submissions, and they cannot read that user's files."""
    python = python_for_everyone()
    if python is None:
        pytest.skip("no Python here that another user may start")
    secret = tmp_path / "secret"
    secret.write_text("1", encoding="ascii")
    secret.chmod(0o644)
    environment = {"PYTHONPATH": f"{ROOT}:{sysconfig.get_path('platlib')}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [python, "-B", "-c", AS_PLAIN_USER.format(secret=str(secret))],
        user=PLAIN_UID,
        group=PLAIN_UID,
        extra_groups=[],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.split("\n")
    assert lines[0::2][:2] == ["(2.0,)", "(2.0,)"], done.stderr
    assert set(lines[1::2][:2]) <= {"FileNotFoundError", "PermissionError"}
