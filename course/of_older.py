"""Say below a picture or a question that it is about older code than that of the cell that was run last."""

from __future__ import annotations

from course.older import older_code


def note_on_code(solve: object) -> str:
    """Say that this is not the newest code, and what to do; "" where it is, or where that cannot be told."""
    try:
        what, _, action = older_code(solve).partition(" Next: ")
    except Exception:  # noqa: BLE001  # a fault of ours never costs the learner the picture
        return ""
    return f"This is your older `solve`. {what} {action}" if what else ""
