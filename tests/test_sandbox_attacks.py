"""Student code that tries to get at anything but its arguments gets nothing, and the next submission is unharmed."""

import platform
from pathlib import Path

import pytest

from autograder.lesson import Call
from autograder.sandbox import Cell, Sandbox, pack_calls
from course.outcomes import Answered
from course.values import Numbers

ROOT = Path(__file__).resolve().parent.parent
HONEST = "def solve(x):\n    return [[x, x + 1.5]]\n"
RIGHT = Answered(Numbers((1, 2), (2.0, 3.5)))
GOT_SOMETHING = 1.0
# Every other layer has to hold alone as well: containers often forbid namespaces, old kernels have no Landlock.
LAYERS = {
    "all layers": ("namespaces", "uid", "landlock", "seccomp", "rlimits"),
    "without namespaces": ("landlock", "seccomp", "rlimits"),
    "without Landlock": ("namespaces", "uid", "seccomp", "rlimits"),
}

FILES = {
    "read our sources": f"open({str(ROOT / 'autograder/lesson.py')!r}).read()",
    "list our sources": f"'autograder' in os.listdir({str(ROOT)!r})",
    "list the root": "len(os.listdir('/')) > 8",
    "read an other submission": "open(SECRET).read()",
    "write an other submission": "open(SECRET, 'w').write('x')",
    "append through os.open": "os.open(SECRET, os.O_WRONLY | os.O_APPEND)",
    "truncate it": "os.truncate(SECRET, 0) is None",
    "unlink it": "os.unlink(SECRET) is None",
    "rename it": "os.rename(SECRET, SECRET + '2') is None",
    "chmod it": "os.chmod(SECRET, 0o777) is None",
    "touch it": "os.utime(SECRET) is None",
    "link it": "os.link(SECRET, '/tmp/link') is None",
    "symlink it": "os.symlink(SECRET, '/tmp/symlink') is None",
    "make a folder": "os.mkdir('/tmp/made') is None",
    "make a fifo": "os.mkfifo('/tmp/fifo') is None",
    "make a file in /tmp": "open('/tmp/made', 'x')",
    "make a temporary file": "__import__('tempfile').TemporaryFile()",
    "make a file without a name": "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
    "make a memory file": "os.memfd_create('mine')",
    "make shared memory": "__import__('_posixshmem').shm_open('/made', os.O_CREAT | os.O_RDWR, 0o600)",
    "read the passwords": "open('/etc/passwd').read()",
    "read its own environment": "open('/proc/self/environ').read()",
    "read the parent's memory": "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "read its own memory map": "open('/proc/self/maps').read()",
    "list processes": "os.listdir('/proc')",
    "read the grader's environment": "SECRET in os.environ.values() or os.environ['HOME'] != '/'",
}
MODULES = {
    "import the grader": "__import__('autograder')",
    "import the lessons": "__import__('autograder.lessons.attention')",
    "import the real course": "hasattr(__import__('course').values, '__file__')",
    "import an installed package": "__import__('nbgrader')",
    "find the harness in sys.modules": "[n for n in sys.modules if n.startswith(('autograder', 'course'))]",
    "find another's source in memory": "[o for o in gc.get_objects() if 'hid' + str('den_mar') + 'ker' in str(o)]",
    "find where we are": "any('boot.py' in word for word in [*sys.argv, *sys.orig_argv])",
}
NETWORK = {
    "a TCP socket": "socket.socket()",
    "a UDP socket": "socket.socket(type=socket.SOCK_DGRAM)",
    "a unix socket": "socket.socket(socket.AF_UNIX)",
    "a socket pair": "socket.socketpair()",
    "a pipe": "os.pipe()",
    "a name look-up": "socket.getaddrinfo('localhost', 80)[0][4] and socket.create_connection(('localhost', 80))",
}
PROCESSES = {
    "system": "os.system('true') == 0",
    "subprocess": "__import__('subprocess').run(['/bin/true'])",
    "exec": "os.execv('/bin/true', ['true'])",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "fork": "os.fork() >= 0",
    "forkpty": "os.forkpty()",
    "thread": "__import__('threading').Thread(target=print).start() is None",
    "signal the parent": "os.kill(os.getppid(), 9) is None",
    "signal everyone": "os.kill(-1, 9) is None",
    "signal its group": "os.killpg(0, 9) is None",
    "stop itself": "os.kill(os.getpid(), 19) is None",
    "leave its group": "os.setsid() >= 0",
    "become root": "os.setuid(0) is None",
    "limits of another": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "raise its own limits": "resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40)) is None",
    "lower its own CPU time": "resource.setrlimit(resource.RLIMIT_CPU, (1, 1)) is None",
    "change a file that others share": "__import__('fcntl').fcntl(0, 4, os.O_APPEND | os.O_NONBLOCK) == 0",
    "renice": "os.nice(-5) <= 0",
    "change root": "os.chroot('/tmp') is None",
}
# Numbers of x86-64: ptrace, process_vm_readv, unshare, mount, keyctl, add_key, bpf, perf_event_open, userfaultfd,
# io_uring_setup, pidfd_open, open_by_handle_at, clone3, clone, vfork, execveat, TIOCSTI, memfd_create, openat2, kexec.
CALLS = {
    f"system call {number}": f"ctypes.CDLL(None).syscall({number}, 0, 0, 0, 0, 0, 0) != -1"
    for number in (101, 310, 272, 165, 250, 248, 321, 298, 323, 425, 434, 304, 435, 56, 58, 322, 319, 437, 246, 200, 62)
}
CALLS["pushing keys into a terminal"] = "ctypes.CDLL(None).ioctl(0, 0x5412, b'x') != -1"
CALLS["another machine's calls"] = "ctypes.CDLL(None).syscall(0x40000000 + 1, 1, b'x', 1) != -1"
ATTACKS = FILES | MODULES | NETWORK | PROCESSES | (CALLS if platform.machine() == "x86_64" else {})


@pytest.fixture(scope="module", params=LAYERS.values(), ids=LAYERS)
def sandbox(request):
    """One sandbox for all attacks, with one set of layers."""
    with Sandbox(allow_missing={"namespaces", "uid"}, _layers=request.param) as sandbox:
        if missing := set(request.param) - set(sandbox.layers) - {"uid"}:
            pytest.skip(f"this machine does not allow {missing}: {sandbox.missing}")
        yield sandbox


@pytest.fixture(scope="module")
def packed():
    """The call `solve(2.0)`."""
    with pack_calls([Call((2.0,))]) as packed:
        yield packed


@pytest.fixture(scope="module")
def secret(tmp_path_factory):
    """A file that anyone may read and write, in folders that anyone may enter."""
    path = tmp_path_factory.mktemp("submitted") / "solution.py"
    path.write_text("hidden_marker = 1\n", encoding="utf-8")
    path.chmod(0o666)
    for folder in path.parents[:3]:
        if folder.owner() == path.owner() and folder != Path("/tmp"):  # noqa: S108
            folder.chmod(0o755)
    return path


@pytest.mark.parametrize("attempt", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_gets_nothing(sandbox, packed, secret, attempt):
    """The attempt fails or is stopped, what it was after is as before, and the next submission is right."""
    source = (
        f"import ctypes, gc, os, resource, socket, sys\nSECRET = {str(secret)!r}\n"
        f"def solve(x):\n    try:\n        return {GOT_SOMETHING} if {attempt} else 0.0\n"
        "    except Exception:\n        return -1.0\n"
    )
    before = secret.stat()
    sandbox.run([Cell(1, "hidden_marker = 1")], packed)
    outcome = sandbox.run([Cell(1, source)], packed).outcomes[0]
    assert outcome != Answered(Numbers((), (GOT_SOMETHING,)))
    assert secret.stat() == before
    assert sandbox.run([Cell(1, HONEST)], packed).outcomes == (RIGHT,)


LIES = {
    "nan": "[[float('nan')] * 2]",
    "infinity": "[[float('inf')] * 2]",
    "text": "'[[2.0, 3.5]]'",
    "an object equal to all": "type('Yes', (), {'__eq__': lambda s, o: True})()",
    "a float that lies": "[[type('F', (float,), {'__sub__': lambda s, o: 0.0})(0)] * 2]",
    "a list that lies": "type('L', (list,), {'__len__': lambda s: 1})([[2.0, 3.5]])",
    "a fake class": "type('C', (), {'__class__': property(lambda s: list)})()",
    "a class that says it is numpy's": "type('A', (), {'__module__': 'numpy', 'shape': (1, 2), 'dtype': object})()",
    "an endless iterator": "__import__('itertools').count()",
    "an endless generator": "(i for i in iter(int, 1))",
    "an object array": "__import__('numpy').array([[object(), 1]], dtype=object)",
    "complex numbers": "[[2.0 + 1j, 3.5 + 0j]]",
    "a masked array": "__import__('numpy').ma.masked_all((1, 2))",
    "a huge integer": "[[10 ** 400, 1]]",
    "a giant shape": "__import__('numpy').broadcast_to(2.0, (1 << 40, 1 << 20))",
    "an empty giant": "__import__('numpy').empty((0, 1 << 60))",
    "too many numbers": "[[0.0] * 300_000]",
    "an empty list": "[]",
    "True": "True",
    "a dict": "{0: [2.0, 3.5]}",
}


@pytest.mark.parametrize("value", LIES.values(), ids=LIES)
def test_a_lying_value_is_never_right(sandbox, packed, value):
    """Whatever is returned comes back as plain numbers or as words, and never as the right answer."""
    outcome = sandbox.run([Cell(1, f"def solve(x):\n    return {value}\n")], packed).outcomes[0]
    assert not isinstance(outcome, Answered) or outcome.value != RIGHT.value
    assert sandbox.run([Cell(1, HONEST)], packed).outcomes == (RIGHT,)


def test_deep_and_cyclic_lists_are_refused(sandbox, packed):
    """Neither a list that holds itself nor one 100,000 deep is followed."""
    for build in ("a = []\na.append(a)", "a = []\nfor _ in range(100_000):\n    a = [a]"):
        outcome = sandbox.run([Cell(1, f"{build}\ndef solve(x):\n    return a\n")], packed).outcomes[0]
        assert outcome.value.kind == "type"


def test_nothing_of_ours_is_left_open(packed):
    """After a sandbox is closed this process has as many descriptors and children as before."""
    children = Path("/proc/thread-self/children")
    before = len(list(Path("/proc/self/fd").iterdir())), children.read_text(encoding="ascii")
    with Sandbox(allow_missing={"namespaces", "uid"}) as sandbox:
        for source in (HONEST, "import os\nos._exit(3)", "def solve(x):\n    x.y"):
            sandbox.run([Cell(1, source)], packed)
        zygote = sandbox._zygote.pid  # noqa: SLF001  # there is no other way to see it
    assert (len(list(Path("/proc/self/fd").iterdir())), children.read_text(encoding="ascii")) == before
    assert not Path(f"/proc/{zygote}").exists()
