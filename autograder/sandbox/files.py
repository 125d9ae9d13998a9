"""List the files that student code may read: the standard library, shared libraries, numpy. Nothing of ours."""

from __future__ import annotations

import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SYSTEM: Final = ("/usr/lib64", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom")
# Where packages are installed: a reference solution may be among them.
_HIDDEN: Final = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Readable:
    """`library` is the standard library's folder, without the `hidden` folders in it; `extra` is all the rest."""

    library: Path
    hidden: tuple[Path, ...]
    extra: tuple[Path, ...]

    def parts(self) -> tuple[Path, ...]:
        """Return everything in the library's folder that is not hidden."""
        return tuple(path for path in sorted(self.library.iterdir()) if path not in self.hidden and path.exists())


def find_readable(packages: tuple[str, ...]) -> Readable:
    """Find the files of this Python and of the imported `packages`."""
    library = Path(os.__file__).resolve().parent
    multiarch = sysconfig.get_config_var("MULTIARCH") or "none"
    wanted = [Path("/usr/lib", multiarch), Path("/lib", multiarch), *map(Path, _SYSTEM), *_shared_python()]
    wanted += [Path(sysconfig.get_path("platstdlib"), "lib-dynload")]
    for name in packages:
        for folder in sys.modules[name].__path__:
            wanted += [Path(folder), Path(f"{folder}.libs")]
    found = tuple(path for path in dict.fromkeys(wanted) if path.exists())
    hidden = tuple(library / name for name in _HIDDEN if (library / name).is_dir())
    return Readable(library, hidden, tuple(path for path in found if _stands_alone(path, library, hidden, found)))


def _shared_python() -> list[Path]:
    if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        return []
    return [Path(sysconfig.get_config_var("LIBDIR") or "/", sysconfig.get_config_var("INSTSONAME") or "")]


def _stands_alone(path: Path, library: Path, hidden: tuple[Path, ...], others: tuple[Path, ...]) -> bool:
    """Tell whether `path` needs its own permission, being inside nothing that is readable already."""
    if any(other in path.parents for other in others):
        return False
    return not path.is_relative_to(library) or any(path.is_relative_to(folder) for folder in hidden)
