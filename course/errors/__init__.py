"""Say in plain words what a learner's error means: on which line, with which values, and what to do next.

`spot` finds the line and what its names held, `clues` chooses who tells about it: `lookups`, `indices`, `names` with
`slips`, `types` with `taken`, `numbers` with `products` and `joined`, `loops`; `same_list` finds a cause far from its
error. `answers` tells about a wrong kind of answer, `definitions` about another `def solve` line, `cut` about decimals
that an array of whole numbers cuts: it alone calls the learner's function, in silence.
"""
