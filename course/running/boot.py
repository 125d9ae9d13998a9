"""Start one of our modules in a clean Python: `python -S -s -P -B boot.py MODULE WORDS`. Run as a script.

Our modules are loaded here in two unusual ways. No package's `__init__` is run, so that nothing but
the few modules that are needed is in the memory of this process. And each module gets a private copy of the
built-in functions, so that student code that replaces `len` or `abs` does not reach the harness.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Final

_OURS: Final = ("autograder", "course")
_PRIVATE_BUILTINS: Final = dict(vars(builtins))
_ROOT: Final = Path(__file__).resolve().parent.parent.parent


class _PrivateLoader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = _PRIVATE_BUILTINS
        super().exec_module(module)


class _OurFinder:
    """Find our modules as plain files."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return the spec of one of our modules, and of nothing else."""
        del path, target
        if name.partition(".")[0] not in _OURS:
            return None
        place = _ROOT.joinpath(*name.split("."))
        if place.is_dir():
            package = ModuleSpec(name, None, is_package=True)
            package.submodule_search_locations = [str(place)]
            return package
        file = str(place.with_suffix(".py"))
        return importlib.util.spec_from_file_location(name, file, loader=_PrivateLoader(name, file))


def main() -> None:
    """Load the module, hide how it was loaded, and hand over to it."""
    name, *words = sys.argv[1:]
    sys.meta_path.insert(0, _OurFinder)
    module = importlib.import_module(name)
    sys.meta_path.remove(_OurFinder)
    for each in list(sys.modules):
        if each.partition(".")[0] in _OURS:
            del sys.modules[each]
    sys.argv[:] = [""]
    sys.orig_argv[:] = []
    module.main(*words)


if __name__ == "__main__":
    main()
