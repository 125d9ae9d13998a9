"""Let student code await, on an event loop without files, which the jail would refuse: it has tasks and sleep only."""

from __future__ import annotations

import importlib
import time
from collections.abc import Coroutine
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any, Final

ASYNCIO: Final = "asyncio"
_POLICIES: Final = ("_UnixDefaultEventLoopPolicy", "_DefaultEventLoopPolicy")  # the name depends on Python's version


def finish(coroutine: Coroutine[Any, Any, object]) -> None:
    """Run a cell that awaits something to its end."""
    importlib.import_module(ASYNCIO).run(coroutine)


class Loader(SourceFileLoader):
    """Load the real asyncio, then give it our loop."""

    def exec_module(self, module: ModuleType) -> None:
        """Load, then replace what makes its loops."""
        super().exec_module(module)
        unix: Any = module.unix_events
        for name in _POLICIES:
            if hasattr(unix, name):
                getattr(unix, name)._loop_factory = _loop_class(module)  # noqa: SLF001  # there is no other place


def find_asyncio() -> ModuleSpec | None:
    """Find the real asyncio, to be loaded by `Loader`."""
    spec = PathFinder.find_spec(ASYNCIO)
    if spec is not None and spec.origin is not None:
        spec.loader = Loader(ASYNCIO, spec.origin)
    return spec


def _loop_class(asyncio: Any) -> type:  # noqa: ANN401  # a module
    class Loop(asyncio.base_events.BaseEventLoop):  # type: ignore[misc]  # imported when it is used
        """Do what is ready, else sleep until the next thing is."""

        def __init__(self) -> None:
            super().__init__()
            self._selector = self

        @staticmethod
        def select(seconds: float | None) -> list[object]:
            """Wait; without a time there is nothing to wait for but a limit of ours."""
            time.sleep(_FOREVER_SECONDS if seconds is None else max(seconds, 0.0))
            return []

        def _process_events(self, events: list[object]) -> None:
            pass

        def _write_to_self(self) -> None:
            pass

    return Loop


_FOREVER_SECONDS: Final = 3600.0
