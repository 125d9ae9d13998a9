"""Say in plain words what a learner's error means: on which line, with which values, and what to do next.

`spot` finds the line and what its names held, `clues` chooses who tells about it: `lookups`, `indices`, `names`,
`types`, `numbers`, `loops`. `answers` tells about a wrong kind of answer. No code of the learner's is run for it.
"""
