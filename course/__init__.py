"""What a lesson's notebook imports: `check` and the lesson's plot. Safe to hand out; no solutions, no hidden cases."""

from course.checking import check
from course.plots import plot_attention

__all__ = ["check", "plot_attention"]
