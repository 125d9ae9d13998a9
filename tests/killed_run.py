"""Run the command line and kill it, with all its workers, at one moment: STAGE NUMBER WORDS...

A moment is the NUMBER-th time that the process itself comes to a STAGE: it imports a module, forks or takes a result
in, opens, renames or marks a file of that stage, or writes to the database. So a moment is the same on any machine.
Where NUMBER is never reached, the run ends by itself.
"""

import itertools
import os
import signal
import sys

from sqlalchemy import Engine, event

from autograder.cli import main

PLACES = {"files": ("/autograded/", "/feedback/"), "receipt": ("/receipts/",)}
MARKS = {"import": "start", "os.fork": "run", "pickle.find_class": "run"}
TOUCHES = ("open", "os.rename", "os.chmod", "os.mkdir")


def kill_at(stage, number):
    """Arrange for the end."""
    count, ours = itertools.count(), os.getpid()

    def tick(here):
        if here == stage and os.getpid() == ours and next(count) == number:
            os.killpg(0, signal.SIGKILL)

    def look(mark, arguments):
        if mark in MARKS:
            tick(MARKS[mark])
        if mark in TOUCHES:
            for here, places in PLACES.items():
                if any(place in str(arguments[0]) for place in places):
                    tick(here)

    def say(_, __, statement, *___):
        if statement.startswith(("INSERT", "UPDATE")):
            tick("gradebook")

    sys.addaudithook(look)
    event.listen(Engine, "before_cursor_execute", say)
    event.listen(Engine, "after_cursor_execute", say)
    event.listen(Engine, "commit", lambda _: tick("gradebook"))


if __name__ == "__main__":
    kill_at(sys.argv[1], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:]))
