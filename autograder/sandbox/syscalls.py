"""Name the system calls that an already started, single-threaded Python needs, by machine.

Everything not named here is refused to student code: sockets, exec, fork, signals, ptrace, mounts, io_uring.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Machine:
    """The numbers of one processor family. `opens` maps a call that opens a file to the place of its flags."""

    audit: int
    plain: dict[str, int]
    opens: dict[int, int]
    ioctl: int
    fcntl: int
    prlimit: int
    seccomp: int
    pivot_root: int


# Landlock came after the numbers of all machines were made the same.
LANDLOCK_CREATE_RULESET: Final = 444
LANDLOCK_ADD_RULE: Final = 445
LANDLOCK_RESTRICT_SELF: Final = 446

# fmt: off
_X86_64: Final = Machine(
    audit=0xC000003E,
    plain={
        "read": 0, "write": 1, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8, "mmap": 9,
        "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15,
        "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "select": 23, "sched_yield": 24,
        "mremap": 25, "msync": 26, "mincore": 27, "madvise": 28, "dup": 32, "dup2": 33, "pause": 34, "nanosleep": 35,
        "getitimer": 36, "alarm": 37, "setitimer": 38, "getpid": 39, "exit": 60, "uname": 63, "getcwd": 79,
        "chdir": 80, "readlink": 89, "umask": 95, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "sysinfo": 99,
        "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111,
        "sigaltstack": 131, "arch_prctl": 158, "gettid": 186, "time": 201, "futex": 202, "sched_getaffinity": 204,
        "getdents64": 217, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
        "exit_group": 231, "newfstatat": 262, "readlinkat": 267, "faccessat": 269, "pselect6": 270, "ppoll": 271,
        "set_robust_list": 273, "dup3": 292, "getcpu": 309, "getrandom": 318, "membarrier": 324, "statx": 332,
        "rseq": 334, "faccessat2": 439,
    },
    opens={2: 1, 257: 2},
    ioctl=16, fcntl=72, prlimit=302, seccomp=317, pivot_root=155,
)
_AARCH64: Final = Machine(
    audit=0xC00000B7,
    plain={
        "getcwd": 17, "dup": 23, "dup3": 24, "faccessat": 48, "chdir": 49, "close": 57, "getdents64": 61, "lseek": 62,
        "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68, "pselect6": 72, "ppoll": 73,
        "readlinkat": 78, "newfstatat": 79, "fstat": 80, "exit": 93, "exit_group": 94, "futex": 98,
        "set_robust_list": 99, "nanosleep": 101, "getitimer": 102, "setitimer": 103, "clock_gettime": 113,
        "clock_getres": 114, "clock_nanosleep": 115, "sched_getaffinity": 123, "sched_yield": 124,
        "restart_syscall": 128, "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139,
        "times": 153, "uname": 160, "getrlimit": 163, "getrusage": 165, "umask": 166, "getcpu": 168,
        "gettimeofday": 169, "getpid": 172, "getppid": 173, "getuid": 174, "geteuid": 175, "getgid": 176,
        "getegid": 177, "gettid": 178, "sysinfo": 179, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222,
        "mprotect": 226, "msync": 227, "mincore": 232, "madvise": 233, "getrandom": 278, "membarrier": 283,
        "statx": 291, "rseq": 293, "faccessat2": 439,
    },
    opens={56: 2},
    ioctl=29, fcntl=25, prlimit=261, seccomp=277, pivot_root=41,
)
# fmt: on
MACHINES: Final = {"x86_64": _X86_64, "aarch64": _AARCH64}
