"""The autograder. It never leaves the instructor's machine.

Theory of operation
===================
One submission takes one way through four rooms; frozen dataclasses pass between them:

    notebook -> read   course.submission   the student's cells, whatever happened to the notebook
             -> run    autograder.sandbox  untrusted code in a jailed child; one outcome per call comes back
             -> judge  autograder.judge    outcomes against expected values, which never left this process
             -> record nbgrader_plugin     nbgrader's cells, scores, comments; the feedback page

`autograder.grader.Grader` is that way. `nbgrader autograde` and Formgrader reach it through
`autograder.nbgrader_plugin`, named in `nbgrader_config.py`.

Who is trusted: the lesson (notebook and module) and this process. A submission is not: it is text here,
and code only in the sandbox. There it meets the worked examples first, and all that a learner will see is read
before the hidden inputs come; of the hidden cases nothing but outcomes is used.

A student's fault is a value in the report. A fault of ours is a `GraderError`: not graded, never a zero.
"""
