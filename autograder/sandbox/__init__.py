"""Run what students wrote without trusting any of it.

Theory of operation
-------------------

Three kinds of process:

* The **grader** is the process that imports this package. It is trusted, holds the expected values
  and never runs student code.
* The **zygote** is one fresh Python that the grader starts, in a clean environment. It knows no
  lesson: no inputs, no expected values, no submission. It imports numpy once and jails itself once:
  its own namespaces with an empty read-only root, an unprivileged user, no capabilities, Landlock.
  It then forks a child for every job, and only ever waits for it.
* A **child** is forked for one submission. It adds resource limits and a system call filter, runs
  the cells, makes the calls, and is killed. It and everything in it belongs to the student.

What travels, and who believes it:

* grader -> zygote: a socket, with the limits of a job and five memory files (memfds). The zygote passes
  the files on unread, so that nothing of one student is in the memory the next is forked from.
  *job*: the cells and the name of the function. *inputs*: the sealed arguments of all calls, packed
  once per lesson. *output*, *printed* and *loading*: empty.
* child -> grader: *output* holds one flat record per call: numbers as raw doubles, or short
  texts. It is parsed with strict caps (`parse`), and the grader alone compares. *printed* is text to show.
  Forging either is the same as answering, so that it gains nothing.
  *loading* gets a mark when the jail is complete and before student code runs, then one as each cell begins.
* zygote -> grader: how the child ended. This is the kernel's word (exit status, CPU time), not the child's.

Whose fault it was: no mark in *loading* means that no student code ran, and that file cannot be made shorter. So a
child that ends without one, a zygote that dies, and a child killed by a signal that student code cannot send are faults
of ours or of the machine: the same calls are made once more, then it is a `SandboxError`, and never a mark.

Two sets of calls, one child: the worked examples, whose prints and error messages the learner reads, and the hidden
cases. The child has no hidden input while it makes the first set. Then it knocks at the *gate*, a socket pair; the
grader reads all that will ever be shown, puts the hidden inputs into the file *later*, and lets it through. Of
what comes after that only outcomes are used.

Time is watched from outside: the zygote reads the child's CPU clock and takes growth of the output
file (while it loads: of the loading file) for progress, without reading it. A call that is stopped, crashes or exits
costs that call, and a cell that does costs that cell: the grader starts another child, which goes on after the call or
leaves out the cell, a bounded number of times.

Files, in the order in which a submission meets them: `calls` packs inputs, `runner` asks, `start` owns
the zygote; `zygote`, `files`, `layers` (`namespaces`, `landlock`, `seccomp`, `syscalls`, `kernel`), `rlimits`
make the jail; `watch` holds the limits; `child`, `answers` run beside student code; `wire` says what the bytes mean,
`parse` reads them, `work` says what the end of a child means, and `rounds` where to go on. What the student's own check
before handing in needs too is in `course.running`: it starts Python (`boot`) and runs the cells (`notebook`).
"""

from autograder.sandbox.calls import PackedCalls, pack_calls
from autograder.sandbox.model import Run, SandboxError
from autograder.sandbox.runner import Sandbox
from course.running.limits import Limits
from course.submission import Cell

__all__ = ["Cell", "Limits", "PackedCalls", "Run", "Sandbox", "SandboxError", "pack_calls"]
