"""Connect to the gradebook's database, SQLite or PostgreSQL, and say in words what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from autograder.database_faults import explain, locked_by
from autograder.lesson import GraderError

_BUSY_SECONDS: Final = 30


def url_of(root: Path, url: str = "") -> str:
    """Return the gradebook's URL; the course folder's own `gradebook.db` if none is given."""
    return url or f"sqlite:///{root / 'gradebook.db'}"


def open_database(url: str) -> Engine:
    """Prepare to connect. Whoever waits for a lock longer than is good is told, on either kind of server.

    Raises:
        GraderError: there is no such kind of database, or its driver is missing.
    """
    connect: dict[str, Any] = {}
    if url.startswith("sqlite") and "timeout=" not in url:
        connect = {"timeout": _BUSY_SECONDS}
    elif url.startswith("postgresql"):
        connect = {"connect_timeout": _BUSY_SECONDS, "options": f"-c lock_timeout={_BUSY_SECONDS}s"}
    try:
        engine = create_engine(url, connect_args=connect, pool_pre_ping=True)
    except (SQLAlchemyError, ImportError) as error:
        how = "for PostgreSQL: postgresql+psycopg://USER@HOST/DATABASE, with the driver that comes with the extra"
        message = f"the gradebook's URL cannot be used: {error}; {how} `postgresql` (pip install '.[postgresql]')"
        raise GraderError(message) from error
    _say_who_is_waited_for(engine)
    return engine


def _say_who_is_waited_for(engine: Engine) -> None:
    others = locked_by(engine.url)
    if others:
        print(f"autograder: the gradebook is locked by {others}; waiting for it", file=sys.stderr)


class RefusedError(GraderError):
    """The database is there, and does not take a value."""


@contextmanager
def explained(engine: Engine, verb: str) -> Iterator[None]:
    """Turn what the database says into a fault of ours. `verb`: read or written.

    Raises:
        RefusedError: it does not take a value: too long, a NUL, half a letter, too large a number.
        GraderError: the database is locked, full, broken or gone.
    """
    _say_who_is_waited_for(engine)
    try:
        yield
    except OperationalError as error:
        raise GraderError(explain(error, verb, engine.url)) from error
    except (SQLAlchemyError, ValueError, OverflowError) as error:
        raise RefusedError(explain(error, verb, engine.url)) from error


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Connect to read.

    Raises:
        GraderError: the database is locked, broken or gone.
    """
    with explained(engine, "read"), engine.connect() as connection:
        yield connection
