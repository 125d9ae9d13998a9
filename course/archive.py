"""Open a zip from a stranger: few entries, small sizes, plain paths, nothing written to disk."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

MAX_RATIO: Final = 200
_SMALL_BYTES: Final = 10_000_000  # below this any ratio is harmless: empty lines pack very well
_MAX_PATH: Final = 500
_ENCRYPTED: Final = 0x1
_LINK: Final = 0o120000
_KIND: Final = 0o170000
_SIGNATURES: Final = (b"PK\x03\x04", b"PK\x05\x06")
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    EOFError,
    LookupError,
)


class ArchiveError(Exception):
    """The zip is broken or refused; the message is one plain sentence that names what is wrong."""


@dataclass(frozen=True)
class ZipLimits:
    """What a zip may hold at most. The default fits one student's work."""

    entries: int = 2_000
    entry_bytes: int = 100_000_000
    total_bytes: int = 300_000_000


@dataclass(frozen=True)
class ZippedFile:
    """One file of a zip: its path with "/" between the parts, and its content; or why it was refused."""

    path: str
    data: bytes = b""
    refused: str = ""


def looks_like_zip(data: bytes) -> bool:
    """Tell a zip by its first bytes, whatever its name is."""
    return data.startswith(_SIGNATURES)


def unpack(file: IO[bytes] | Path, limits: ZipLimits) -> Iterator[ZippedFile]:
    """Yield the files of a zip one by one. One that may not be unpacked is refused; the others are not.

    Raises:
        ArchiveError: the whole zip is broken or holds too much.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _insist_on_sizes(entries, limits)
            for entry in entries:
                refused = why_refused(entry, limits)
                yield ZippedFile(entry.filename, refused=refused) if refused else _read_entry(archive, entry)
    except _BROKEN as error:
        message = "The zip is broken and cannot be opened."
        raise ArchiveError(message) from error


def names_in(path: Path) -> tuple[str, ...]:
    """Return the paths in a zip; none if it is broken."""
    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(archive.namelist())
    except _BROKEN:
        return ()


def unpacked_bytes(path: Path) -> int:
    """Return how much a zip says that it unpacks to; 0 for any other file.

    Raises:
        OSError: the file cannot be opened.
    """
    with path.open("rb") as file:
        if not looks_like_zip(file.read(len(_SIGNATURES[0]))):
            return 0
        try:
            with zipfile.ZipFile(file) as archive:
                return sum(entry.file_size for entry in archive.infolist())
        except _BROKEN:
            return 0


def why_refused(entry: zipfile.ZipInfo, limits: ZipLimits) -> str:
    """Return why an entry may not be unpacked, or "" if it may."""
    path = entry.filename
    parts = path.replace("\\", "/").split("/")
    named = f"The zip's entry {path[:80]!r}"
    packed_too_well = entry.file_size > _SMALL_BYTES and entry.file_size > MAX_RATIO * max(entry.compress_size, 1)
    reasons = {
        "leads out of its folder": path.startswith(("/", "\\")) or ".." in parts or ":" in parts[0],
        "has a name that cannot be a file's": len(path) > _MAX_PATH or any(letter < " " for letter in path),
        "is a link": (entry.external_attr >> 16) & _KIND == _LINK,
        "needs a password": bool(entry.flag_bits & _ENCRYPTED),
        "is packed in an unusual way": entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED},
        f"unpacks to {entry.file_size} bytes, a zip bomb,": entry.file_size > limits.entry_bytes or packed_too_well,
    }
    return next((f"{named} {reason} and was refused." for reason, holds in reasons.items() if holds), "")


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> ZippedFile:
    """Unpack one entry, and stop where it is longer than it says or does not match its checksum."""
    named = f"The zip's entry {entry.filename[:80]!r}"
    try:
        with archive.open(entry) as file:
            content = file.read(entry.file_size + 1)
    except _BROKEN:
        return ZippedFile(entry.filename, refused=f"{named} is broken and was refused.")
    if len(content) > entry.file_size:
        return ZippedFile(entry.filename, refused=f"{named} is longer than it says, a zip bomb, and was refused.")
    return ZippedFile(entry.filename, content)


def _insist_on_sizes(entries: Sequence[zipfile.ZipInfo], limits: ZipLimits) -> None:
    if len(entries) > limits.entries:
        message = f"The zip holds {len(entries)} files, more than {limits.entries}: refused."
        raise ArchiveError(message)
    total = sum(entry.file_size for entry in entries)
    if total > limits.total_bytes:
        message = f"The zip unpacks to {total} bytes, more than {limits.total_bytes}: a zip bomb, refused."
        raise ArchiveError(message)
