"""What a lesson's notebook imports: `check`, hints, the lesson's plots. Safe to hand out: it holds no solution."""

from importlib import import_module
from typing import Any

from course.before import check_before_submitting
from course.carry_on import carry_on
from course.checking import check
from course.course_map import course_map
from course.first_run import watch_for_solve
from course.hinting import hint
from course.question import my_line

# Each plot, and its file in `course/pictures`, which is imported when a lesson asks for it.
_PLOTS = {
    "plot_attention": "attention",
    "plot_bigram_model": "bigram_model",
    "plot_causal_softmax": "causal_softmax",
    "plot_contributions": "attention",
    "plot_cross_entropy": "cross_entropy",
    "plot_embed_tokens": "embed_tokens",
    "plot_encode_text": "encode_text",
    "plot_feed_forward": "feed_forward",
    "plot_layer_norm": "layer_norm",
    "plot_multi_head_attention": "multi_head_attention",
    "plot_softmax": "softmax",
    "plot_transformer_block": "transformer_block",
}

__all__ = ["carry_on", "check", "check_before_submitting", "course_map", "hint", "my_line", *_PLOTS]  # noqa: PLE0604  # its keys are strings

watch_for_solve()


def __getattr__(name: str) -> Any:  # noqa: ANN401  # whatever that file holds under the name
    if name not in _PLOTS:
        message = f"there is no {name!r} in `course`"
        raise AttributeError(message)
    return getattr(import_module(f"course.pictures.{_PLOTS[name]}"), name)
